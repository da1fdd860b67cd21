//! Cleaning a raster of classes before it becomes polygons: gaps filled, small patches merged, no cells that touch only
//! at a corner. Class 0 is "no zone"; higher classes are more severe. Every choice that is not forced goes to the more
//! severe class.

use crate::terrain::Field;

/// What cleaning has done to the area, m².
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cleaned {
    /// Cells that had a zone and have none now (isolated patches below the smallest area).
    pub dropped_m2: f64,
    /// Cells that had no zone and have one now (gaps and holes).
    pub filled_m2: f64,
}

/// Fills notches, merges patches smaller than `min_area_m2` into the neighbour they share the longest border with, and
/// parts cells that touch at a corner only.
pub fn clean(zones: &Field<u8>, min_area_m2: f64) -> (Field<u8>, Cleaned) {
    let (nx, ny) = (zones.lattice.nx, zones.lattice.ny);
    let cell_area = zones.lattice.dx * zones.lattice.dy;
    let mut grid = Grid { nx, ny, values: zones.values.clone() };
    grid.fill_notches(2);
    let min_cells = (min_area_m2 / cell_area).ceil() as usize;
    // Parting corners may shrink a patch below the limit and merging may make new corners; both settle in a few rounds.
    for _ in 0..20 {
        let merged = grid.merge_small(min_cells);
        let parted = grid.part_corners();
        if !merged && !parted {
            break;
        }
    }
    let count = |from_zone: bool| {
        let changed = zones
            .values
            .iter()
            .zip(&grid.values)
            .filter(|(old, new)| if from_zone { **old > 0 && **new == 0 } else { **old == 0 && **new > 0 });
        changed.count() as f64 * cell_area
    };
    let cleaned = Cleaned { dropped_m2: count(true), filled_m2: count(false) };
    (Field { lattice: zones.lattice, values: grid.values }, cleaned)
}

/// Connected patches of equal class: a label per cell (0 for class 0), and the class of each label.
pub struct Patches {
    pub labels: Vec<u32>,
    /// `classes[label]`; label 0 is no patch.
    pub classes: Vec<u8>,
}

/// Labels 4-connected patches of the classes above 0.
pub fn patches(zones: &Field<u8>) -> Patches {
    let grid = Grid { nx: zones.lattice.nx, ny: zones.lattice.ny, values: zones.values.clone() };
    let mut labels = vec![0; grid.values.len()];
    let mut classes = vec![0];
    let mut cells = Vec::new();
    for start in 0..grid.values.len() {
        if grid.values[start] == 0 || labels[start] != 0 {
            continue;
        }
        let label = classes.len() as u32;
        classes.push(grid.values[start]);
        grid.flood(start, label, &mut labels, &mut cells);
    }
    Patches { labels, classes }
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

    /// Gives `label` to all cells connected with `start` by equal class; leaves them in `cells`.
    fn flood(&self, start: usize, label: u32, labels: &mut [u32], cells: &mut Vec<usize>) {
        cells.clear();
        cells.push(start);
        labels[start] = label;
        let mut next = 0;
        while next < cells.len() {
            for neighbour in self.neighbours(cells[next]).into_iter().flatten() {
                if labels[neighbour] == 0 && self.values[neighbour] == self.values[start] {
                    labels[neighbour] = label;
                    cells.push(neighbour);
                }
            }
            next += 1;
        }
    }

    /// A cell rises to the class that at least five of its eight neighbours have or exceed.
    fn fill_notches(&mut self, rounds: usize) {
        for _ in 0..rounds {
            let old = self.values.clone();
            for row in 1..self.ny.saturating_sub(1) {
                for column in 1..self.nx.saturating_sub(1) {
                    let cell = row * self.nx + column;
                    let rows = [cell - self.nx, cell, cell + self.nx];
                    let mut around = [0; 8];
                    let offsets = rows.iter().flat_map(|&middle| [middle - 1, middle, middle + 1]);
                    offsets
                        .filter(|&other| other != cell)
                        .zip(&mut around)
                        .for_each(|(other, slot)| *slot = old[other]);
                    around.sort_unstable();
                    // The fourth smallest of eight: five neighbours are at least this.
                    self.values[cell] = old[cell].max(around[3]);
                }
            }
        }
    }

    /// One pass over all patches (class 0 included) below the limit; whether anything changed.
    fn merge_small(&mut self, min_cells: usize) -> bool {
        if min_cells <= 1 {
            return false;
        }
        let mut labels = vec![0; self.values.len()];
        let mut cells = Vec::new();
        let mut small = Vec::new();
        let mut label = 0;
        for start in 0..self.values.len() {
            if labels[start] != 0 {
                continue;
            }
            label += 1;
            self.flood(start, label, &mut labels, &mut cells);
            if cells.len() < min_cells {
                small.push(cells.clone());
            }
        }
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
                for column in 0..self.nx.saturating_sub(1) {
                    let sw = row * self.nx + column;
                    let (se, nw, ne) = (sw + 1, sw + self.nx, sw + self.nx + 1);
                    again |= self.part(sw, ne, se, nw) || self.part(se, nw, sw, ne);
                }
            }
            changed |= again;
            if !again {
                return changed;
            }
        }
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
mod tests {
    use super::*;
    use crate::terrain::Lattice;

    fn field(rows_from_north: &[&str]) -> Field<u8> {
        let (nx, ny) = (rows_from_north[0].len(), rows_from_north.len());
        let values = rows_from_north.iter().rev().flat_map(|row| row.bytes().map(|b| b - b'0')).collect();
        Field { lattice: Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: 2.0, dy: 2.0 }, values }
    }

    fn text(field: &Field<u8>) -> Vec<String> {
        let rows = field.values.chunks(field.lattice.nx);
        rows.rev().map(|row| row.iter().map(|v| (b'0' + v) as char).collect()).collect()
    }

    #[test]
    fn a_small_patch_joins_the_neighbour_with_the_longest_border_and_an_isolated_one_goes() {
        let raw = field(&["0000000000", "0111100000", "0121100000", "0111100020", "0111100000", "0000000000"]);
        let (clean, report) = clean(&raw, 12.0);
        assert_eq!(text(&clean)[2], "0111100000");
        assert_eq!(text(&clean)[3], "0111100000");
        assert_eq!(report.dropped_m2, 4.0);
    }

    #[test]
    fn holes_below_the_limit_are_filled() {
        let raw = field(&["1111111", "1111111", "1100111", "1111111", "1111111"]);
        let (cleaned, report) = clean(&raw, 12.0);
        assert!(cleaned.values.iter().all(|&v| v == 1));
        assert_eq!(report.filled_m2, 8.0);
    }

    #[test]
    fn no_two_equal_cells_touch_at_a_corner_only() {
        let mut state = 12345u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize
        };
        for _ in 0..50 {
            let lattice = Lattice { nx: 17, ny: 13, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
            let values = (0..lattice.len()).map(|_| (random() % 5) as u8).collect();
            let (clean, _) = clean(&Field { lattice, values }, 3.0);
            for row in 0..12 {
                for column in 0..16 {
                    let v = |c: usize, r: usize| clean.values[(row + r) * 17 + column + c];
                    let (sw, se, nw, ne) = (v(0, 0), v(1, 0), v(0, 1), v(1, 1));
                    let touching = (sw == ne && se != sw && nw != sw) || (se == nw && sw != se && ne != se);
                    assert!(!touching);
                }
            }
        }
    }

    #[test]
    fn patches_are_four_connected() {
        let found = patches(&field(&["1100", "0010", "0211"]));
        assert_eq!(found.classes, [0, 2, 1, 1]);
        assert_eq!(found.labels.iter().filter(|&&label| label == 0).count(), 6);
    }
}
