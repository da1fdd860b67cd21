//! Cleaning a raster of classes before it becomes polygons: gaps filled, small patches merged, no cells that touch only
//! at a corner. Class 0 is "no zone"; higher classes are more severe. Every choice that is not forced goes to the more
//! severe class.

use std::collections::BTreeMap;

use crate::terrain::{Field, Lattice};

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

/// The part of a raster that holds zones, and a margin around.
struct Window {
    column: usize,
    row: usize,
    nx: usize,
    ny: usize,
}

impl Window {
    fn around(zones: &Field<u8>, margin: usize) -> Self {
        let (nx, ny) = (zones.lattice.nx, zones.lattice.ny);
        let (mut columns, mut rows) = ((nx, 0), (ny, 0));
        for (row, values) in zones.values.chunks_exact(nx.max(1)).enumerate() {
            let Some(first) = values.iter().position(|&value| value > 0) else { continue };
            let last = values.iter().rposition(|&value| value > 0).unwrap_or(first);
            columns = (columns.0.min(first), columns.1.max(last + 1));
            rows = (rows.0.min(row), row + 1);
        }
        if columns.0 >= columns.1 {
            return Self { column: 0, row: 0, nx: 0, ny: 0 };
        }
        let (column, row) = (columns.0.saturating_sub(margin), rows.0.saturating_sub(margin));
        let (nx, ny) = ((columns.1 + margin).min(nx) - column, (rows.1 + margin).min(ny) - row);
        Self { column, row, nx, ny }
    }

    fn cut(&self, zones: &Field<u8>) -> Vec<u8> {
        let rows = self.row..self.row + self.ny;
        let row = |row: usize| &zones.values[row * zones.lattice.nx + self.column..][..self.nx];
        rows.flat_map(|r| row(r).iter().copied()).collect()
    }
}

/// The part of a raster that holds zones, with one cell around where there is room.
pub fn cropped(zones: &Field<u8>) -> Field<u8> {
    cropped_by(zones, 1)
}

/// The part of a raster that holds zones, with so many cells around where there is room.
pub fn cropped_by(zones: &Field<u8>, margin: usize) -> Field<u8> {
    let window = Window::around(zones, margin);
    let (x0, y0) = zones.lattice.centre(window.column, window.row);
    let lattice = Lattice { nx: window.nx, ny: window.ny, x0, y0, ..zones.lattice };
    Field { lattice, values: window.cut(zones) }
}

/// A raster with its part in its place; elsewhere there is no zone.
pub fn put_back(zones: &Field<u8>, part: &Field<u8>) -> Field<u8> {
    let whole = zones.lattice;
    let (column, row) = whole.first_of(&part.lattice);
    let mut values = vec![0; zones.values.len()];
    for (i, cells) in part.values.chunks_exact(part.lattice.nx.max(1)).enumerate() {
        let from = (row + i) * whole.nx + column;
        values[from..from + cells.len()].copy_from_slice(cells);
    }
    Field { lattice: whole, values }
}

/// Connected patches of equal class: a label per cell (0 for class 0), and the class of each label.
pub struct Patches {
    /// Row by row, with a cell of label 0 on every side of the raster.
    pub labels: Vec<u32>,
    /// `classes[label]`; label 0 is no patch.
    pub classes: Vec<u8>,
    /// Number of the first cell of each label.
    pub firsts: Vec<u32>,
}

/// Labels 4-connected patches of the classes above 0, in the order of their first cells.
pub fn patches(zones: &Field<u8>) -> Patches {
    let connected = Connected::new(zones.lattice.nx, &zones.values);
    let Lattice { nx, ny, .. } = zones.lattice;
    let mut numbers = vec![0u32; connected.sizes.len()];
    let (mut classes, mut firsts) = (vec![0], vec![0]);
    let mut labels = vec![0; (nx + 2) * (ny + 2)];
    for run in &connected.runs {
        let class = zones.values[run.first as usize];
        let number = &mut numbers[run.label as usize];
        if class > 0 && *number == 0 {
            *number = classes.len() as u32;
            classes.push(class);
            firsts.push(run.first);
        }
        let row = run.first as usize / nx;
        let framed = |cell: u32| cell as usize + (nx + 2) + 1 + 2 * row;
        labels[framed(run.first)..framed(run.end)].fill(*number);
    }
    Patches { labels, classes, firsts }
}

/// Cells of equal class that are connected by edges have the same label (Rosenfeld & Pfaltz 1966, with runs instead of
/// cells).
struct Connected {
    /// From the first cell to the last.
    runs: Vec<Run>,
    /// Cells, by label.
    sizes: Vec<u32>,
}

/// Neighbouring cells of a row that have the same class. In 32 bits: rough zones have a run for every other cell.
struct Run {
    first: u32,
    end: u32,
    label: u32,
}

impl Connected {
    fn new(nx: usize, values: &[u8]) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let mut labels = Labels::default();
        // Runs of the row to the south that may lie below the next run.
        let mut south = 0;
        for row in (0..values.len()).step_by(nx.max(1)) {
            let row_begins = runs.len();
            let mut first = row;
            while first < row + nx {
                let class = values[first];
                let length = values[first..row + nx].iter().position(|&other| other != class);
                let end = length.map_or(row + nx, |length| first + length);
                let mut label = None;
                while south < row_begins && (runs[south].first as usize) + nx < end {
                    if values[runs[south].first as usize] == class {
                        label = Some(labels.same(label, runs[south].label));
                    }
                    // One that reaches further lies below the next run, too.
                    if runs[south].end as usize + nx > end {
                        break;
                    }
                    south += 1;
                }
                let label = label.unwrap_or_else(|| labels.new_one());
                runs.push(Run { first: first as u32, end: end as u32, label });
                first = end;
            }
            south = row_begins;
        }
        labels.settle();
        let mut sizes = vec![0; labels.parents.len()];
        for run in &mut runs {
            run.label = labels.parents[run.label as usize];
            sizes[run.label as usize] += run.end - run.first;
        }
        Self { runs, sizes }
    }
}

/// By label: the label it is the same as, at last itself.
#[derive(Default)]
struct Labels {
    parents: Vec<u32>,
}

impl Labels {
    fn new_one(&mut self) -> u32 {
        self.parents.push(self.parents.len() as u32);
        self.parents.len() as u32 - 1
    }

    /// Makes two labels the same; returns the one that stays.
    fn same(&mut self, a: Option<u32>, b: u32) -> u32 {
        let (a, b) = (self.root(a.unwrap_or(b)), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
        a.min(b)
    }

    /// The label all cells of this label have at last; shortens the way to it.
    fn root(&mut self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            let next = self.parents[self.parents[label as usize] as usize];
            self.parents[label as usize] = next;
            label = next;
        }
        label
    }

    /// Gives every label its root. Parents are smaller than their children: in this order each has its root already.
    fn settle(&mut self) {
        for label in 0..self.parents.len() {
            self.parents[label] = self.parents[self.parents[label] as usize];
        }
    }
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
mod tests {
    use super::*;

    fn field(rows_from_north: &[&str]) -> Field<u8> {
        let (nx, ny) = (rows_from_north[0].len(), rows_from_north.len());
        let values = rows_from_north.iter().rev().flat_map(|row| row.bytes().map(|b| b - b'0')).collect();
        Field { lattice: Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: 2.0, dy: 2.0 }, values }
    }

    fn text(field: &Field<u8>) -> Vec<String> {
        let rows = field.values.chunks(field.lattice.nx.max(1));
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
    fn a_small_patch_between_two_equal_neighbours_joins_the_more_severe() {
        let raw = field(&["22222222", "22222222", "22231111", "11111111", "11111111"]);
        assert_eq!(text(&clean(&raw, 8.0).0)[2], "22221111");
        let raw = field(&["11111111", "11111111", "11132222", "22222222", "22222222"]);
        assert_eq!(text(&clean(&raw, 8.0).0)[2], "11122222");
    }

    /// Five of eight neighbours fill a notch; beside a bump there are four, and the outline would creep outwards.
    #[test]
    fn a_notch_has_five_neighbours() {
        let bump = ["00000000", "00010000", "11111111", "11111111"];
        assert_eq!(text(&clean(&field(&bump), 0.0).0), bump);
        let notch = field(&["00000000", "11101111", "11111111", "11111111"]);
        assert_eq!(text(&clean(&notch, 0.0).0), ["00000000", "11111111", "11111111", "11111111"]);
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

    /// What is cut out for speed must not show: a raster with a wide empty margin is cleaned as one without.
    #[test]
    fn an_empty_margin_changes_nothing() {
        let zones = ["0011000", "0222011", "0021110", "0002000", "0333330"];
        let wide = |margin: usize| -> Vec<String> {
            let empty = "0".repeat(zones[0].len() + 2 * margin);
            let side = "0".repeat(margin);
            let rows = zones.iter().map(|row| format!("{side}{row}{side}"));
            let around = || std::iter::repeat_n(empty.clone(), margin);
            around().chain(rows).chain(around()).collect()
        };
        for min_area_m2 in [0.0, 8.0, 30.0, 60.0] {
            let cleaned = |margin: usize| {
                let rows = wide(margin);
                let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
                let (field, report) = clean(&field(&rows), min_area_m2);
                (text(&cropped(&field)), report)
            };
            assert_eq!(cleaned(12), cleaned(40), "{min_area_m2} m²");
        }
        assert_eq!(cropped(&field(&["000", "000"])).values.len(), 0);
    }

    /// Against a flood fill.
    #[test]
    fn connected_cells_are_those_of_a_flood_fill() {
        let mut state = 99u64;
        for _ in 0..40 {
            let values: Vec<u8> = (0..15 * 11)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    ((state >> 33) % 3) as u8
                })
                .collect();
            let grid = Grid { nx: 15, ny: 11, values: values.clone() };
            let found = Connected::new(15, &values);
            let label: Vec<u32> = found.runs.iter().flat_map(|run| (run.first..run.end).map(|_| run.label)).collect();
            for start in 0..values.len() {
                let mut cells = vec![start];
                let mut next = 0;
                while next < cells.len() {
                    for other in grid.neighbours(cells[next]).into_iter().flatten() {
                        if values[other] == values[start] && !cells.contains(&other) {
                            cells.push(other);
                        }
                    }
                    next += 1;
                }
                assert!((0..values.len()).all(|c| cells.contains(&c) == (label[c] == label[start])));
                assert_eq!(found.sizes[label[start] as usize] as usize, cells.len());
            }
        }
    }

    #[test]
    fn patches_are_four_connected() {
        let found = patches(&field(&["1100", "0010", "0211"]));
        assert_eq!(found.classes, [0, 2, 1, 1]);
        assert_eq!(found.labels.iter().filter(|&&label| label == 0).count(), 6 + 2 * 6 + 2 * 3);
        assert_eq!(found.labels[6..12], [0, 0, 1, 2, 2, 0], "from the south-west");
    }
}
