//! Do overlapping tiles agree? Heights are compared where both know them, on the target grid.

use std::path::Path;

use serde::Serialize;

use super::tiles::{Group, Tile};
use super::warp::{self, Resampling};
use super::{Bounds, Crs, mosaic};
use crate::Result;
use crate::process::interrupt;
use crate::terrain::Lattice;

/// The overlap of two tiles.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Seam {
    pub first: String,
    pub second: String,
    pub cells_compared: usize,
    /// Mean of second − first, m.
    pub mean_difference_m: f64,
    pub mean_absolute_difference_m: f64,
    pub max_difference_m: f64,
}

/// Blocks of this many cells a side are compared …
const BLOCK: usize = 192;
/// … evenly spread over the overlap, at most this many a pair.
const MAX_BLOCKS: usize = 25;
/// Pairs compared at most: hundreds of tiles of one survey need not all be looked at.
const MAX_PAIRS: usize = 200;

/// Compares every pair of tiles that overlap inside the grid. `resampling` is chosen per tile by the caller.
pub(crate) fn check(
    tiles: &[Tile],
    grid: &Lattice,
    crs: &Crs,
    resampling: impl Fn(&Tile) -> Resampling,
    report: impl Fn(f64),
) -> Result<Vec<Seam>> {
    let area: Bounds = grid.extent().into();
    let mut pairs = Vec::new();
    for (k, a) in tiles.iter().enumerate() {
        for b in &tiles[k + 1..] {
            if let Some(common) = overlap(&a.bounds, &b.bounds).and_then(|c| overlap(&c, &area)) {
                pairs.push((a, b, common));
            }
        }
    }
    pairs.truncate(MAX_PAIRS);
    let mut seams = Vec::new();
    for (k, (a, b, common)) in pairs.iter().enumerate() {
        report(k as f64 / pairs.len() as f64);
        let mut sums = Sums::default();
        for block in blocks(common, grid) {
            interrupt::check()?;
            let heights_a = sample(a, &block, crs, resampling(a))?;
            let heights_b = sample(b, &block, crs, resampling(b))?;
            sums.add(&heights_a, &heights_b);
        }
        seams.extend(sums.seam(a, b));
    }
    Ok(seams)
}

fn overlap(a: &Bounds, b: &Bounds) -> Option<Bounds> {
    let common = Bounds::new(a.west.max(b.west), a.south.max(b.south), a.east.min(b.east), a.north.min(b.north));
    (common.width() > 0.0 && common.height() > 0.0).then_some(common)
}

/// Blocks of target cells whose centres lie in the overlap, one cell inside its edge.
fn blocks(common: &Bounds, grid: &Lattice) -> Vec<Lattice> {
    let first = |v: f64, v0: f64, d: f64| ((v - v0) / d).ceil().max(0.0) as usize;
    let beyond = |v: f64, v0: f64, d: f64, n: usize| (((v - v0) / d).floor() + 1.0).clamp(0.0, n as f64) as usize;
    let (c0, c1) = (first(common.west, grid.x0, grid.dx), beyond(common.east, grid.x0, grid.dx, grid.nx));
    let (r0, r1) = (first(common.south, grid.y0, grid.dy), beyond(common.north, grid.y0, grid.dy, grid.ny));
    let mut all = Vec::new();
    for row in (r0..r1).step_by(BLOCK) {
        for column in (c0..c1).step_by(BLOCK) {
            let (x0, y0) = grid.centre(column, row);
            let (nx, ny) = (BLOCK.min(c1 - column), BLOCK.min(r1 - row));
            all.push(Lattice { nx, ny, x0, y0, ..*grid });
        }
    }
    let step = all.len().div_ceil(MAX_BLOCKS).max(1);
    all.into_iter().step_by(step).collect()
}

fn sample(tile: &Tile, block: &Lattice, crs: &Crs, resampling: Resampling) -> Result<Vec<f32>> {
    let source = Group { tiles: vec![tile] }.open()?;
    let mut words = warp::common_words();
    words.extend(warp::exact_kernel_words());
    words.extend(warp::grid_words(block, crs));
    let tolerance = warp::transform_tolerance_cells(tile.cell_m).to_string();
    for word in ["-of", "MEM", "-ot", "Float32", "-dstnodata", "nan", "-r", resampling.gdal_name(), "-et", &tolerance] {
        words.push(word.into());
    }
    let what = format!("raster '{}' cannot be read", tile.path.display());
    let warped = warp::gdal_warp(&[&source], Path::new(""), &words, &what, &mut |_| !interrupt::requested())?;
    mosaic::read_rows(&warped, 0, block.ny, block.nx)
}

#[derive(Default)]
struct Sums {
    count: usize,
    sum: f64,
    absolute: f64,
    max: f64,
}

impl Sums {
    fn add(&mut self, a: &[f32], b: &[f32]) {
        for (a, b) in a.iter().zip(b) {
            let difference = f64::from(*b) - f64::from(*a);
            if difference.is_finite() {
                self.count += 1;
                self.sum += difference;
                self.absolute += difference.abs();
                self.max = self.max.max(difference.abs());
            }
        }
    }

    fn seam(&self, a: &Tile, b: &Tile) -> Option<Seam> {
        let n = self.count as f64;
        (self.count > 0).then(|| Seam {
            first: a.path.display().to_string(),
            second: b.path.display().to_string(),
            cells_compared: self.count,
            mean_difference_m: self.sum / n,
            mean_absolute_difference_m: self.absolute / n,
            max_difference_m: self.max,
        })
    }
}
