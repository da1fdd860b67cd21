//! The part of a raster that holds zones: most of a map holds none.

use crate::terrain::{Field, Lattice};

/// The part of a raster that holds zones, and a margin around.
pub(super) struct Window {
    pub(super) column: usize,
    pub(super) row: usize,
    pub(super) nx: usize,
    pub(super) ny: usize,
}

impl Window {
    pub(super) fn around(zones: &Field<u8>, margin: usize) -> Self {
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

    pub(super) fn cut(&self, zones: &Field<u8>) -> Vec<u8> {
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
