//! From groups of tiles on the target grid to one DEM: the first group that knows a cell's height gives it.
//!
//! Next to nodata and at a tile's edge an interpolating warp has only part of its cells and pulls heights sideways, by
//! up to half a source cell times the slope. Such rim cells are dropped (the holes they leave are filled smoothly
//! later), except where another group goes on beyond the edge: there a rim height is better than a gap.

use gdal::Dataset;
use gdal::raster::Buffer;

use super::gdal_glue;
use super::native::{self, Watch};
use crate::process::interrupt;
use crate::terrain::Lattice;
use crate::{Error, Result};

/// A group warped onto the target grid.
pub(crate) struct Layer {
    pub dataset: Dataset,
    /// Cells next to nodata, within this distance, rest on incomplete interpolation.
    pub rim: usize,
}

/// Rows of a strip; with all layers of it in memory at once.
const STRIP_ROWS: usize = 256;

/// How wide the rim is for a source of this cell size: half a source cell, on the diagonal, in whole target cells. An
/// average also counts cells whose centre lies outside the source: one cell more.
pub(crate) fn rim_width(source_cell_m: f64, cell_m: f64, averaged: bool) -> usize {
    (0.75 * source_cell_m / cell_m).ceil().max(1.0) as usize + usize::from(averaged)
}

/// Lower than any valley and higher than any summit, m: a nodata value nobody declared, or a wrong unit.
const HEIGHTS_ON_EARTH_M: std::ops::RangeInclusive<f32> = -1500.0..=10_000.0;

/// The margin the layers need around the grid, so that the rim of a tile that ends at the grid's edge shows.
pub(crate) fn margin(rims: impl Iterator<Item = usize>) -> usize {
    rims.max().unwrap_or(0)
}

/// A grid with `margin` more cells on every side.
pub(crate) fn with_margin(grid: &Lattice, margin: usize) -> Lattice {
    let (x0, y0) = (grid.x0 - margin as f64 * grid.dx, grid.y0 - margin as f64 * grid.dy);
    Lattice { nx: grid.nx + 2 * margin, ny: grid.ny + 2 * margin, x0, y0, ..*grid }
}

/// Writes the mosaic of all layers, strongest first, to `out`, which has the grid; the layers have it with the margin
/// of their rims. Heights no place on Earth has are refused.
pub(crate) fn merge(layers: &[Layer], out: &Dataset, grid: &Lattice, watch: Watch) -> Result<()> {
    let margin = margin(layers.iter().map(|l| l.rim));
    let (nx, ny) = (grid.nx, grid.ny);
    let wide = nx + 2 * margin;
    let mut target = out.rasterband(1).map_err(|e| Error::failed(e.to_string()))?;
    for start in (0..ny).step_by(STRIP_ROWS) {
        interrupt::check()?;
        let rows = STRIP_ROWS.min(ny - start);
        let mut strips = Vec::with_capacity(layers.len());
        for layer in layers {
            strips.push(read_rows(&layer.dataset, start, rows + 2 * margin, wide)?);
        }
        let merged = merge_strip(&strips, layers, wide, margin);
        let lines = merged.chunks_exact(wide).skip(margin).take(rows);
        let inner: Vec<f32> = lines.flat_map(|line| &line[margin..margin + nx]).copied().collect();
        check_heights(&inner, grid, start)?;
        let mut buffer = Buffer::new((nx, rows), inner);
        gdal_glue::clear_messages();
        let written = target.write((0, start as isize), (nx, rows), &mut buffer);
        if let (Err(_), cause) | (_, cause @ Some(_)) = (written, gdal_glue::take_error()) {
            return Err(native::failure("the mosaic cannot be written", &cause.unwrap_or_default()));
        }
        if !watch((start + rows) as f64 / ny as f64) {
            interrupt::check()?;
        }
    }
    Ok(())
}

pub(super) fn read_rows(dataset: &Dataset, first: usize, rows: usize, nx: usize) -> Result<Vec<f32>> {
    gdal_glue::clear_messages();
    let band = dataset.rasterband(1).map_err(|e| Error::failed(e.to_string()))?;
    match band.read_as::<f32>((0, first as isize), (nx, rows), (nx, rows), None) {
        Ok(buffer) => Ok(buffer.into_shape_and_vec().1),
        Err(error) => {
            let cause = gdal_glue::take_error().unwrap_or_else(|| error.to_string());
            Err(native::failure("the working raster cannot be read", &cause))
        }
    }
}

fn merge_strip(strips: &[Vec<f32>], layers: &[Layer], nx: usize, halo: usize) -> Vec<f32> {
    let mut merged = vec![f32::NAN; strips.first().map_or(0, Vec::len)];
    for (strip, layer) in strips.iter().zip(layers) {
        let sure = eroded(|k| !strip[k].is_nan(), strip.len(), nx, layer.rim);
        for (k, value) in merged.iter_mut().enumerate() {
            if value.is_nan() && sure[k] {
                *value = strip[k];
            }
        }
    }
    if strips.len() > 1 {
        let covered = |k: usize| strips.iter().any(|s| !s[k].is_nan());
        let inside = eroded(covered, merged.len(), nx, halo);
        for (k, value) in merged.iter_mut().enumerate() {
            if value.is_nan() && inside[k] {
                *value = strips.iter().map(|s| s[k]).find(|v| !v.is_nan()).unwrap_or(f32::NAN);
            }
        }
    }
    merged
}

/// Cells all of whose neighbours within `radius` (a square) are valid; beyond the strip counts as valid.
fn eroded(valid: impl Fn(usize) -> bool, len: usize, nx: usize, radius: usize) -> Vec<bool> {
    if radius == 0 || nx == 0 {
        return (0..len).map(valid).collect();
    }
    let ny = len / nx;
    let mut rows_ok = vec![true; len];
    for row in 0..ny {
        spread(nx, radius, |i| valid(row * nx + i), |i| rows_ok[row * nx + i] = false);
    }
    let mut ok = rows_ok.clone();
    for column in 0..nx {
        spread(ny, radius, |j| rows_ok[j * nx + column], |j| ok[j * nx + column] = false);
    }
    ok
}

/// Calls `spoil` for every place within `radius` of an invalid one along a line of `n`.
fn spread(n: usize, radius: usize, valid: impl Fn(usize) -> bool, mut spoil: impl FnMut(usize)) {
    let mut spoilt_to = 0;
    for i in 0..n {
        if !valid(i) {
            let end = (i + radius + 1).min(n);
            (i.saturating_sub(radius).max(spoilt_to)..end).for_each(&mut spoil);
            spoilt_to = end;
        }
    }
}

fn check_heights(values: &[f32], grid: &Lattice, first_row: usize) -> Result<()> {
    let Some(k) = values.iter().position(|h| !h.is_nan() && !HEIGHTS_ON_EARTH_M.contains(h)) else { return Ok(()) };
    let (column, row) = (k % grid.nx, grid.ny - 1 - (first_row + k / grid.nx));
    let (x, y) = grid.centre(column, row);
    Err(Error::input(format!(
        "the DEM has the height {} m near ({x}, {y}), which is no height on Earth: state the value that marks nodata \
         (--dem-nodata VALUE) or the right unit (--vertical-unit)",
        values[k]
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erosion_spoils_the_square_around_an_invalid_cell() {
        let (nx, ny) = (7, 6);
        let ok = eroded(|k| k != 2 * nx + 3, nx * ny, nx, 1);
        for row in 0..ny {
            for column in 0..nx {
                let near = (1..=3).contains(&row) && (2..=4).contains(&column);
                assert_eq!(ok[row * nx + column], !near, "row {row} column {column}");
            }
        }
    }

    #[test]
    fn rim_is_half_a_source_cell_on_the_diagonal() {
        assert_eq!(rim_width(1.0, 1.0, false), 1);
        assert_eq!(rim_width(10.0, 2.0, false), 4);
        assert_eq!(rim_width(0.5, 2.0, true), 2);
    }
}
