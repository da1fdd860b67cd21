//! Cleaning a raster of classes before it becomes polygons: gaps filled, small patches merged, no cells that touch only
//! at a corner. Class 0 is "no zone"; higher classes are more severe. Every choice that is not forced goes to the more
//! severe class.

mod patches;
mod window;

use std::collections::BTreeMap;

use crate::terrain::Field;

use patches::Connected;
pub use patches::{Patches, patches};
use window::Window;
pub use window::{cropped, cropped_by, put_back};

/// What cleaning has done to the area, m².
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Cleaned {
    /// Cells that had a zone and have none now (isolated patches below the smallest area).
    pub dropped_m2: f64,
    /// Cells that had no zone and have one now (gaps and holes).
    pub filled_m2: f64,
}

/// Fills notches, merges patches smaller than `min_area_m2` into the neighbour they share the longest border with, and
/// parts cells that touch at a corner only.
pub fn clean(zones: &Field<u8>, min_area_m2: f64) -> (Field<u8>, Cleaned) {
    let cell_area = zones.lattice.dx * zones.lattice.dy;
    let min_cells = (min_area_m2 / cell_area).ceil() as usize;
    // Wide enough that what lies around the zones is no small patch.
    let window = Window::around(zones, (min_cells as f64).sqrt().ceil() as usize + 2);
    let mut grid = Grid { nx: window.nx, ny: window.ny, values: window.cut(zones) };
    grid.fill_notches(2);
    // Parting corners may shrink a patch below the limit and merging may make new corners; both settle in a few rounds.
    for round in 0..20 {
        let merged = grid.merge_small(min_cells);
        // Corners that were parted stay so where nothing is merged.
        let parted = (merged || round == 0) && grid.part_corners();
        if !merged && !parted {
            break;
        }
    }
    let mut clean = zones.clone();
    let (mut dropped, mut filled) = (0usize, 0usize);
    for (row, values) in grid.values.chunks_exact(window.nx.max(1)).enumerate() {
        let from = (window.row + row) * zones.lattice.nx + window.column;
        for (old, &new) in clean.values[from..].iter_mut().zip(values) {
            dropped += usize::from(*old > 0 && new == 0);
            filled += usize::from(*old == 0 && new > 0);
            *old = new;
        }
    }
    let area = |cells: usize| cells as f64 * cell_area;
    (clean, Cleaned { dropped_m2: area(dropped), filled_m2: area(filled) })
}

struct Grid {
    nx: usize,
    ny: usize,
    values: Vec<u8>,
}

impl Grid {
    /// Indices of the up to four neighbours; `None` beyond the edge.
    fn neighbours(&self, cell: usize) -> [Option<usize>; 4] {
        let (column, row) = (cell % self.nx, cell / self.nx);
        [
            (column > 0).then(|| cell - 1),
            (column + 1 < self.nx).then(|| cell + 1),
            (row > 0).then(|| cell - self.nx),
            (row + 1 < self.ny).then(|| cell + self.nx),
        ]
    }

    /// A cell rises to the class that at least five of its eight neighbours have or exceed.
    fn fill_notches(&mut self, rounds: usize) {
        let nx = self.nx;
        for _ in 0..rounds {
            let old = self.values.clone();
            let row_of = |row: usize| &old[row * nx..(row + 1) * nx];
            for row in 1..self.ny.saturating_sub(1) {
                let (south, here, north) = (row_of(row - 1), row_of(row), row_of(row + 1));
                let columns = south.iter().zip(here).zip(north);
                let highest: Vec<u8> = columns.map(|((&a, &b), &c)| a.max(b).max(c)).collect();
                for (west, (around, &class)) in highest.windows(3).zip(&here[1..]).enumerate() {
                    // Most cells have no higher neighbour.
                    if around[0].max(around[1]).max(around[2]) == class {
                        continue;
                    }
                    let (middle, east) = (west + 1, west + 2);
                    let mut neighbours = [
                        south[west],
                        south[middle],
                        south[east],
                        here[west],
                        here[east],
                        north[west],
                        north[middle],
                        north[east],
                    ];
                    neighbours.sort_unstable();
                    // The fourth smallest of eight: five neighbours are at least this.
                    self.values[row * nx + middle] = class.max(neighbours[3]);
                }
            }
        }
    }

    /// One pass over all patches (class 0 included) below the limit; whether anything changed.
    fn merge_small(&mut self, min_cells: usize) -> bool {
        if min_cells <= 1 {
            return false;
        }
        let connected = Connected::new(self.nx, &self.values);
        let mut patches: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for run in connected.runs.iter().filter(|run| (connected.sizes[run.label as usize] as usize) < min_cells) {
            patches.entry(run.label).or_default().extend(run.first as usize..run.end as usize);
        }
        let mut small: Vec<Vec<usize>> = patches.into_values().collect();
        small.sort_by_key(|cells| (cells.len(), cells[0]));
        let mut changed = false;
        for cells in small {
            let class = self.values[cells[0]];
            let mut border = [0u32; 256];
            for &cell in &cells {
                for neighbour in self.neighbours(cell) {
                    // Beyond the edge of the raster there is no zone.
                    let other = neighbour.map_or(0, |neighbour| self.values[neighbour]);
                    if other != class {
                        border[other as usize] += 1;
                    }
                }
            }
            let longest = (0..256).max_by_key(|&other| (border[other], other)).unwrap_or(0);
            if border[longest] > 0 {
                cells.iter().for_each(|&cell| self.values[cell] = longest as u8);
                changed = true;
            }
        }
        changed
    }

    /// Raises cells until no two equal cells touch at a corner only: boundaries then never meet in one point except
    /// where three or four different zones do. Classes only rise, so it ends. Whether anything changed.
    fn part_corners(&mut self) -> bool {
        let mut changed = false;
        loop {
            let mut again = false;
            for row in 0..self.ny.saturating_sub(1) {
                let mut column = 0;
                while let Some(step) = self.next_corner(row, column) {
                    column += step;
                    let sw = row * self.nx + column;
                    let (se, nw, ne) = (sw + 1, sw + self.nx, sw + self.nx + 1);
                    again |= self.part(sw, ne, se, nw) || self.part(se, nw, sw, ne);
                    column += 1;
                }
            }
            changed |= again;
            if !again {
                return changed;
            }
        }
    }

    /// Steps from a column to the first one where cells of this row or the next differ from their eastern neighbours.
    fn next_corner(&self, row: usize, column: usize) -> Option<usize> {
        let cells = |row: usize| &self.values[row * self.nx + column..(row + 1) * self.nx];
        let mut pairs = cells(row).windows(2).zip(cells(row + 1).windows(2));
        pairs.position(|(south, north)| south[0] != south[1] || north[0] != north[1])
    }

    /// `a` and `b` are diagonal to each other, `c` and `d` on the other diagonal.
    fn part(&mut self, a: usize, b: usize, c: usize, d: usize) -> bool {
        let v = &mut self.values;
        if v[a] != v[b] || v[c] == v[a] || v[d] == v[a] {
            return false;
        }
        if v[c].max(v[d]) < v[a] {
            // The weaker of the other two joins the diagonal.
            let weaker = if v[c] < v[d] { c } else { d };
            v[weaker] = v[a];
        } else {
            // The diagonal is crossed by something more severe, or lies between two: one of its cells joins that.
            v[a] = v[c].max(v[d]);
        }
        true
    }
}

#[cfg(test)]
pub(super) mod tests;
