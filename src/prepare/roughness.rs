//! Roughness below a terrain model, measured on a finer surface: a point cloud or a finer DEM.
//!
//! **What is measured.** The roughness of [`crate::terrain`] has independent heights of standard deviation h at the nodes of a
//! lattice of spacing s, bilinear between them. Averaged over where one stands, such a surface has the covariance
//! C(Δx, Δy) = h² B(Δx/s) B(Δy/s) with the cubic B-spline B (B(0) = 2/3, B(1) = 1/6, B(2) = 0): its variance is (2/3)² h².
//! From the finer surface the terrain model's part is taken away: the means of its cells, bilinear between their centres. What is
//! left has a covariance along x and y, to which C is fitted by least squares, lag 0 apart: noise of the measurement, which
//! neighbours do not share, adds to that one only. Ours; the spline is that of linear interpolation (de Boor 1978).
//!
//! The spacing is one for the whole site; heights are those of each cell with its neighbours.

mod covariance;
mod source;

use std::path::PathBuf;

use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::geo::{Bounds, Crs};
use crate::terrain::Lattice;
use crate::{Error, Note, Result};
use covariance::Covariances;
use source::Source;

/// A finer surface with fewer parts of a cell tells nothing of what lies below it.
const LEAST_PARTS: usize = 4;
const MOST_PARTS: usize = 64;
/// Parts in all: their heights are in memory.
const MOST_CELLS: f64 = 6e7;
/// Pairs of heights a cell with its neighbours needs for a number of its own.
const LEAST_PAIRS: f64 = 40.0;
/// Points a part should have on average, so that few are empty.
const POINTS_A_PART: f64 = 1.5;
const NODATA: f64 = -9999.0;

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    /// LAS, text or raster.
    pub source: PathBuf,
    /// Cell size of the terrain model, m.
    pub cell_m: f64,
    /// CRS of a source that does not say.
    pub crs: Option<Crs>,
    pub out: PathBuf,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub points: u64,
    /// Side of a part that points were averaged in, m.
    pub part_m: f64,
    pub cells: usize,
    /// Cells that had too few points and got the median.
    pub filled: usize,
    pub spacing_m: f64,
    /// Smallest, median and largest height of a cell, m.
    pub height_m: [f64; 3],
    /// Standard deviation of what neighbours do not share: noise of the measurement, m.
    pub noise_m: f64,
    pub notes: Vec<Note>,
}

/// Measures and writes the raster: height (band 1), spacing (band 2), points (band 3).
///
/// # Errors
/// A source that cannot be read, is not finer than the cells, or does not say its CRS.
pub(crate) fn measure(wish: &Wish) -> Result<Found> {
    let mut source = Source::open(wish)?;
    let grid = Grid::around(&source, wish)?;
    let parts = grid.parts(&source)?;
    let rough = grid.rough(&parts);
    let lags = grid.lags();
    let whole = Covariances::of(&rough, grid.fine, 0..grid.fine.nx, 0..grid.fine.ny, lags);
    let Some((spacing_m, variance)) = whole.fit(grid.part_m, wish.cell_m) else {
        return Err(Error::input(format!(
            "'{}' has too few points beside one another for cells of {} m; choose larger cells (`--cell`), or a denser source",
            wish.source.display(),
            wish.cell_m
        )));
    };
    let (heights, filled) = grid.heights(&rough, lags, spacing_m)?;
    let counts: Vec<f32> = grid.counts(&parts);
    let spacings = vec![spacing_m as f32; heights.len()];
    let band = |description, unit, data| Band { description, unit, data: BandData::F32(data), nodata: NODATA };
    let bands = [
        band("height_m: standard deviation of the nodes' heights", "m", &heights[..]),
        band("spacing_m: distance between nodes", "m", &spacings[..]),
        band("points: parts of the cell with a height", "", &counts[..]),
    ];
    let crs = source.crs.clone();
    write_raster::write(&wish.out, &grid.coarse, &crs, &bands, &WriteRaster::default())?;
    let mut sorted = heights.clone();
    sorted.sort_by(f32::total_cmp);
    let at = |share: f64| f64::from(sorted[((sorted.len() - 1) as f64 * share) as usize]);
    let noise = whole.at(0).map_or(0.0, |all| (all - variance).max(0.0).sqrt());
    let mut notes = std::mem::take(&mut source.notes);
    if spacing_m < 2.5 * grid.part_m {
        notes.push(Note::RoughnessNearFinest { part_m: grid.part_m });
    }
    if filled > 0 {
        notes.push(Note::RoughnessFilled { cells: filled, of: heights.len() });
    }
    Ok(Found {
        points: source.points,
        part_m: grid.part_m,
        cells: heights.len(),
        filled,
        spacing_m,
        height_m: [at(0.0), at(0.5), at(1.0)],
        noise_m: noise,
        notes,
    })
}

/// Cells of the terrain model, each divided into parts.
struct Grid {
    coarse: Lattice,
    fine: Lattice,
    parts_a_cell: usize,
    part_m: f64,
}

impl Grid {
    /// Cells whose edges lie at multiples of their size.
    fn around(source: &Source, wish: &Wish) -> Result<Self> {
        let cell = wish.cell_m;
        let refuse = |why: String| Err(Error::input(format!("'{}': {why}", wish.source.display())));
        let most = (cell / source.apart_m * (1.0 + 1e-9)).floor();
        if most < LEAST_PARTS as f64 {
            return refuse(format!(
                "its points are about {:.2} m apart, expected at most {:.2} m for cells of {cell} m; choose larger cells (`--cell`), or \
                 a finer source",
                source.apart_m,
                cell / LEAST_PARTS as f64
            ));
        }
        let parts_a_cell = (most as usize).min(MOST_PARTS);
        let part_m = cell / parts_a_cell as f64;
        let (low, high) = (|x: f64| (x / cell + 1e-9).floor(), |x: f64| (x / cell - 1e-9).ceil());
        let Bounds { west, south, east, north } = source.bounds;
        let (first, last) = ([low(west), low(south)], [high(east), high(north)]);
        let [nx, ny] = [0, 1].map(|k| (last[k] - first[k]).max(1.0));
        if nx < 2.0 || ny < 2.0 {
            return refuse(format!(
                "it covers {nx} × {ny} cells of {cell} m, expected at least 2 × 2; choose smaller cells (`--cell`)"
            ));
        }
        let parts = nx * ny * (parts_a_cell * parts_a_cell) as f64;
        if parts > MOST_CELLS {
            return refuse(format!(
                "it has {parts:.1e} parts of {part_m:.2} m, expected at most {MOST_CELLS:.0e}; measure it in pieces"
            ));
        }
        let [x, y] = first.map(|k| k * cell);
        let (nx, ny) = (nx as usize, ny as usize);
        let coarse = Lattice { nx, ny, x0: x + 0.5 * cell, y0: y + 0.5 * cell, dx: cell, dy: cell };
        let fine = Lattice {
            nx: nx * parts_a_cell,
            ny: ny * parts_a_cell,
            x0: x + 0.5 * part_m,
            y0: y + 0.5 * part_m,
            dx: part_m,
            dy: part_m,
        };
        Ok(Self { coarse, fine, parts_a_cell, part_m })
    }

    /// Mean height of each part; NaN without points.
    fn parts(&self, source: &Source) -> Result<Vec<f64>> {
        let fine = &self.fine;
        let mut sums = vec![(0.0_f64, 0_u32); fine.len()];
        source.for_each(|[x, y, z]| {
            let place = |at: f64, first: f64, n: usize| (((at - first) / fine.dx + 0.5).max(0.0) as usize).min(n - 1);
            let (sum, count) = &mut sums[place(y, fine.y0, fine.ny) * fine.nx + place(x, fine.x0, fine.nx)];
            *sum += z;
            *count += 1;
        })?;
        Ok(sums.into_iter().map(|(sum, count)| if count > 0 { sum / f64::from(count) } else { f64::NAN }).collect())
    }

    /// What the terrain model leaves out: heights of parts above the means of cells, bilinear between their centres.
    fn rough(&self, parts: &[f64]) -> Vec<f32> {
        let (coarse, fine, n) = (&self.coarse, &self.fine, self.parts_a_cell);
        let mut cells = vec![(0.0, 0.0); coarse.len()];
        for (k, height) in parts.iter().enumerate().filter(|(_, height)| height.is_finite()) {
            let (sum, count) = &mut cells[k / fine.nx / n * coarse.nx + k % fine.nx / n];
            (*sum, *count) = (*sum + height, *count + 1.0);
        }
        // A mean of a few parts is not that of the cell on a slope.
        let enough = (0.5 * (n * n) as f64).max(1.0);
        let means: Vec<f64> =
            cells.iter().map(|(sum, count)| if *count >= enough { sum / count } else { f64::NAN }).collect();
        let rough = |(k, height): (usize, &f64)| {
            let at = |part: usize, count: usize| {
                let u = ((part as f64 + 0.5) / n as f64 - 0.5).clamp(0.0, (count - 1) as f64);
                let cell = (u as usize).min(count - 2);
                // Beyond the outermost centres the model's slope goes on.
                (cell, (part as f64 + 0.5) / n as f64 - 0.5 - cell as f64)
            };
            let ((c, eta), (r, xi)) = (at(k % fine.nx, coarse.nx), at(k / fine.nx, coarse.ny));
            let corner = |dc: usize, dr: usize| means[(r + dr) * coarse.nx + c + dc];
            let south = corner(0, 0) + eta * (corner(1, 0) - corner(0, 0));
            let north = corner(0, 1) + eta * (corner(1, 1) - corner(0, 1));
            (height - south - xi * (north - south)) as f32
        };
        parts.iter().enumerate().map(rough).collect()
    }

    /// Lags up to the size of a cell, in parts.
    fn lags(&self) -> usize {
        self.parts_a_cell.clamp(2, 40)
    }

    /// Height of each cell with its neighbours; where there are too few points the median, and how many cells those are.
    fn heights(&self, rough: &[f32], lags: usize, spacing_m: f64) -> Result<(Vec<f32>, usize)> {
        let (coarse, n) = (&self.coarse, self.parts_a_cell);
        let near = |k: usize, count: usize| k.saturating_sub(1) * n..((k + 2).min(count)) * n;
        let mut heights = Vec::with_capacity(coarse.len());
        for row in 0..coarse.ny {
            for column in 0..coarse.nx {
                let (columns, rows) = (near(column, coarse.nx), near(row, coarse.ny));
                let here = Covariances::of(rough, self.fine, columns, rows, lags);
                let variance = here.variance(self.part_m, spacing_m);
                heights.push(variance.map(|variance| (1.5 * variance.max(0.0).sqrt()) as f32));
            }
        }
        let mut known: Vec<f32> = heights.iter().flatten().copied().collect();
        known.sort_by(f32::total_cmp);
        let filled = heights.len() - known.len();
        let Some(&median) = known.get(known.len() / 2) else {
            return Err(Error::input("no cell has enough points of its own; choose larger cells (`--cell`)"));
        };
        Ok((heights.into_iter().map(|height| height.unwrap_or(median)).collect(), filled))
    }

    /// Parts with a height, by cell.
    fn counts(&self, parts: &[f64]) -> Vec<f32> {
        let mut counts = vec![0.0; self.coarse.len()];
        for k in (0..parts.len()).filter(|&k| parts[k].is_finite()) {
            counts[k / self.fine.nx / self.parts_a_cell * self.coarse.nx + k % self.fine.nx / self.parts_a_cell] += 1.0;
        }
        counts
    }
}

#[cfg(test)]
mod tests;
