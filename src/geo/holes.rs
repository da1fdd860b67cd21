//! Nodata holes: found, measured, and the small ones filled with the smoothest surface that meets their rim.
//!
//! The filling solves Laplace's equation with the heights around the hole as boundary values, so that a plane stays a
//! plane and no new summit or pit appears. Nodata connected to the raster's edge is not a hole.

use gdal::Dataset;
use gdal::raster::Buffer;
use serde::{Deserialize, Serialize};

use super::gaps::Gaps;
use super::native::Watch;
use super::{gdal_glue, mosaic, native};
use crate::math;
use crate::process::interrupt;
use crate::terrain::Lattice;
use crate::{Error, Result};

/// What was filled and what remains.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Holes {
    pub filled_holes: usize,
    pub filled_cells: u64,
    pub remaining_holes: usize,
    pub largest_remaining: Option<Hole>,
    /// Nodata cells connected to the edge of the grid.
    pub edge_nodata_cells: u64,
    pub valid_cells: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hole {
    pub cells: u64,
    /// The longer side of the rectangle around it, cells.
    pub across_cells: usize,
    /// Its middle.
    pub x: f64,
    pub y: f64,
}

/// Nodata cells side by side in one row (counted from the north), with the set they belong to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub row: usize,
    pub start: usize,
    pub end: usize,
    parent: usize,
}

/// Fills holes up to `across_cells` (the longer side of the rectangle around them) in band 1 of `dataset`.
pub(crate) fn fill(dataset: &Dataset, grid: &Lattice, across_cells: usize, watch: Watch) -> Result<(Holes, Gaps)> {
    let (nx, ny) = (grid.nx, grid.ny);
    let mut runs = find_runs(dataset, nx, ny, watch)?;
    let gaps = Gaps::of_runs(runs.clone(), grid, |row| ny - 1 - row);
    let nodata: u64 = runs.iter().map(|r| (r.end - r.start) as u64).sum();
    let mut result = Holes { valid_cells: (nx * ny) as u64 - nodata, ..Holes::default() };
    for members in components(&mut runs) {
        interrupt::check()?;
        let part = Component::new(&runs, &members);
        let (rows, columns) = (part.bottom - part.top, part.right - part.left);
        if part.touches_edge(nx, ny) {
            result.edge_nodata_cells += part.cells;
        } else if rows.max(columns) <= across_cells {
            fill_one(dataset, &part, members.iter().map(|&k| &runs[k]))?;
            result.filled_holes += 1;
            result.filled_cells += part.cells;
        } else {
            result.remaining_holes += 1;
            if result.largest_remaining.as_ref().is_none_or(|h| h.cells < part.cells) {
                result.largest_remaining = Some(part.hole(grid, &|row| ny - 1 - row));
            }
        }
    }
    result.valid_cells += result.filled_cells;
    Ok((result, gaps))
}

fn find_runs(dataset: &Dataset, nx: usize, ny: usize, watch: Watch) -> Result<Vec<Run>> {
    const STRIP_ROWS: usize = 256;
    let mut runs: Vec<Run> = Vec::new();
    let mut above = 0..0;
    for start in (0..ny).step_by(STRIP_ROWS) {
        interrupt::check()?;
        let rows = STRIP_ROWS.min(ny - start);
        let values = mosaic::read_rows(dataset, start, rows, nx)?;
        for (k, line) in values.chunks_exact(nx).enumerate() {
            above = add_row(&mut runs, start + k, line.iter().map(|value| value.is_nan()), above);
        }
        watch((start + rows) as f64 / ny as f64);
    }
    Ok(runs)
}

/// Adds the runs of the next row, joined with those of the row above (`above`); returns which ones they are.
pub(crate) fn add_row(
    runs: &mut Vec<Run>,
    row: usize,
    is_nodata: impl Iterator<Item = bool>,
    above: std::ops::Range<usize>,
) -> std::ops::Range<usize> {
    let first = runs.len();
    for (column, _) in is_nodata.enumerate().filter(|(_, nodata)| *nodata) {
        match runs.last_mut().filter(|run| run.row == row && run.end == column) {
            Some(run) => run.end = column + 1,
            None => runs.push(Run { row, start: column, end: column + 1, parent: runs.len() }),
        }
    }
    join_rows(runs, above, first);
    first..runs.len()
}

/// Joins the runs from `first` on with those of the row above that share a side with them.
fn join_rows(runs: &mut [Run], above: std::ops::Range<usize>, first: usize) {
    let (mut a, mut b) = (above.start, first);
    while a < above.end && b < runs.len() {
        if runs[a].start < runs[b].end && runs[b].start < runs[a].end {
            let (root_a, root_b) = (root(runs, a), root(runs, b));
            runs[root_a.max(root_b)].parent = root_a.min(root_b);
        }
        if runs[a].end <= runs[b].end {
            a += 1;
        } else {
            b += 1;
        }
    }
}

fn root(runs: &mut [Run], mut k: usize) -> usize {
    while runs[k].parent != k {
        let grandparent = runs[runs[k].parent].parent;
        runs[k].parent = grandparent;
        k = grandparent;
    }
    k
}

/// The runs of each connected region, in the order of their first run.
pub(crate) fn components(runs: &mut [Run]) -> Vec<Vec<usize>> {
    let mut index = vec![usize::MAX; runs.len()];
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for k in 0..runs.len() {
        let r = root(runs, k);
        if index[r] == usize::MAX {
            index[r] = parts.len();
            parts.push(Vec::new());
        }
        parts[index[r]].push(k);
    }
    parts
}

/// Half-open ranges of rows (from the north) and columns, and the number of cells.
pub(crate) struct Component {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
    pub cells: u64,
}

impl Component {
    pub(crate) fn touches_edge(&self, nx: usize, ny: usize) -> bool {
        self.top == 0 || self.left == 0 || self.bottom == ny || self.right == nx
    }

    /// It as a hole; `row_from_south` turns a row into the lattice's.
    pub(crate) fn hole(&self, grid: &Lattice, row_from_south: &impl Fn(usize) -> usize) -> Hole {
        let (column, row) = ((self.left + self.right) / 2, row_from_south((self.top + self.bottom) / 2));
        let (x, y) = grid.centre(column, row);
        Hole { cells: self.cells, across_cells: (self.right - self.left).max(self.bottom - self.top), x, y }
    }

    pub(crate) fn new(runs: &[Run], members: &[usize]) -> Self {
        let mut part = Self { top: usize::MAX, bottom: 0, left: usize::MAX, right: 0, cells: 0 };
        for run in members.iter().map(|&k| &runs[k]) {
            part.top = part.top.min(run.row);
            part.bottom = part.bottom.max(run.row + 1);
            part.left = part.left.min(run.start);
            part.right = part.right.max(run.end);
            part.cells += (run.end - run.start) as u64;
        }
        part
    }
}

fn fill_one<'a>(dataset: &Dataset, part: &Component, runs: impl Iterator<Item = &'a Run>) -> Result<()> {
    // One cell of rim on each side: the part does not touch the edge of the grid.
    let (left, top) = (part.left - 1, part.top - 1);
    let (nx, ny) = (part.right - part.left + 2, part.bottom - part.top + 2);
    let window = ((left as isize, top as isize), (nx, ny));
    let mut band = dataset.rasterband(1).map_err(|e| Error::failed(e.to_string()))?;
    gdal_glue::clear_messages();
    let failed = |_| {
        native::failure("the working raster cannot be read or written", &gdal_glue::take_error().unwrap_or_default())
    };
    let mut buffer = band.read_as::<f32>(window.0, window.1, window.1, None).map_err(failed)?;
    let inside: Vec<usize> =
        runs.flat_map(|run| (run.start..run.end).map(|column| (run.row - top) * nx + column - left)).collect();
    solve_laplace(buffer.data_mut(), nx, ny, &inside);
    let mut buffer = Buffer::new(window.1, buffer.data().to_vec());
    band.write(window.0, window.1, &mut buffer).map_err(failed)
}

/// Successive over-relaxation stops when no height moves by more than this in a sweep, m.
const SETTLED_M: f64 = 1e-6;

/// Replaces the cells `inside` (none at the border, their neighbours valid or inside) by the harmonic surface.
fn solve_laplace(values: &mut [f32], nx: usize, ny: usize, inside: &[usize]) {
    let mut is_inside = vec![false; values.len()];
    inside.iter().for_each(|&k| is_inside[k] = true);
    let mut heights: Vec<f64> = values.iter().map(|&v| f64::from(v)).collect();
    let neighbours = |k: usize| [k - 1, k + 1, k - nx, k + nx];
    let rim: Vec<f64> =
        inside.iter().flat_map(|&k| neighbours(k)).filter(|&n| !is_inside[n]).map(|n| heights[n]).collect();
    let start = rim.iter().sum::<f64>() / rim.len().max(1) as f64;
    inside.iter().for_each(|&k| heights[k] = start);
    // The factor that is best for a square of this size.
    let size = nx.max(ny) as f64;
    let omega = 2.0 / (1.0 + math::sin(std::f64::consts::PI / size));
    for _ in 0..(20.0 * size) as usize + 100 {
        let mut largest: f64 = 0.0;
        for &k in inside {
            let mean = neighbours(k).iter().map(|&n| heights[n]).sum::<f64>() / 4.0;
            let change = omega * (mean - heights[k]);
            heights[k] += change;
            largest = largest.max(change.abs());
        }
        if largest < SETTLED_M {
            break;
        }
    }
    inside.iter().for_each(|&k| values[k] = heights[k] as f32);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane is harmonic: filling a hole in it gives the plane back (tolerance: 32-bit heights).
    #[test]
    fn a_hole_in_a_plane_is_filled_with_the_plane() {
        let (nx, ny) = (40, 30);
        let plane = |k: usize| 1000.0 + 1.3 * (k % nx) as f32 - 0.7 * (k / nx) as f32;
        let mut values: Vec<f32> = (0..nx * ny).map(plane).collect();
        let inside: Vec<usize> =
            (0..nx * ny).filter(|k| (5..35).contains(&(k % nx)) && (3..26).contains(&(k / nx)) && k % 7 != 0).collect();
        inside.iter().for_each(|&k| values[k] = f32::NAN);
        solve_laplace(&mut values, nx, ny, &inside);
        for (k, value) in values.iter().enumerate() {
            assert!((value - plane(k)).abs() < 1e-3, "cell {k}: {value} instead of {}", plane(k));
        }
    }

    #[test]
    fn regions_that_share_a_side_are_one_even_when_they_meet_late() {
        // A "U": two columns joined at the bottom, and a cell on its own.
        let rows: [&[(usize, usize)]; 3] = [&[(1, 2), (4, 5)], &[(1, 2), (4, 5), (7, 8)], &[(1, 5)]];
        let mut runs = Vec::new();
        let mut above = 0..0;
        for (row, parts) in rows.iter().enumerate() {
            let first = runs.len();
            for &(start, end) in *parts {
                runs.push(Run { row, start, end, parent: runs.len() });
            }
            join_rows(&mut runs, above, first);
            above = first..runs.len();
        }
        let parts = components(&mut runs);
        assert_eq!(parts, vec![vec![0, 1, 2, 3, 5], vec![4]]);
    }
}
