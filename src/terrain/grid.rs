//! Values on a regular lattice with bilinear interpolation (Leine 2014, §3.2, eq. 2–4).
//!
//! **The one convention:** a raster's value sits at the *centre* of its cell. The cell centres are the lattice nodes;
//! interpolation runs between nodes and is undefined outside the outermost centres. Row 0 is the southernmost row, so
//! that x grows with the column and y with the row. NaN marks nodata.

/// A regular, axis-parallel lattice of nodes (= cell centres).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// Nodes along x (columns) and y (rows).
    pub nx: usize,
    /// Nodes along y.
    pub ny: usize,
    /// World coordinates of node (0, 0): the centre of the south-western cell, m.
    pub x0: f64,
    /// Northing of node (0, 0), m.
    pub y0: f64,
    /// Cell sizes, m, both positive.
    pub dx: f64,
    /// Cell size along y, m.
    pub dy: f64,
}

/// One value per lattice node, `values[row * nx + column]`, row 0 in the south.
#[derive(Debug, Clone, PartialEq)]
pub struct Field<T> {
    /// Where the values stand.
    pub lattice: Lattice,
    /// Row by row from the south.
    pub values: Vec<T>,
}

impl Lattice {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nx * self.ny
    }

    /// Has it no nodes?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// World coordinates of the centre of a cell.
    pub fn centre(&self, column: usize, row: usize) -> (f64, f64) {
        (self.x0 + column as f64 * self.dx, self.y0 + row as f64 * self.dy)
    }

    /// Outer edges of the outermost cells: (west, south, east, north).
    pub fn extent(&self) -> (f64, f64, f64, f64) {
        let (west, south) = (self.x0 - 0.5 * self.dx, self.y0 - 0.5 * self.dy);
        (west, south, west + self.nx as f64 * self.dx, south + self.ny as f64 * self.dy)
    }

    /// Column and row of the first cell of a part of this lattice.
    pub fn first_of(&self, part: &Self) -> (usize, usize) {
        let nodes = |at: f64, first: f64, step: f64| ((at - first) / step).round().max(0.0) as usize;
        (nodes(part.x0, self.x0, self.dx), nodes(part.y0, self.y0, self.dy))
    }

    /// The cell a world point lies in, if any.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let (west, south, ..) = self.extent();
        let (column, row) = (((x - west) / self.dx).floor(), ((y - south) / self.dy).floor());
        let inside = column >= 0.0 && row >= 0.0 && column < self.nx as f64 && row < self.ny as f64;
        inside.then_some((column as usize, row as usize))
    }
}

impl<T: Copy + Into<f64>> Field<T> {
    /// The bilinear value at a world point; `None` outside the outermost cell centres or next to nodata.
    pub fn at(&self, x: f64, y: f64) -> Option<f64> {
        let Lattice { nx, ny, x0, y0, dx, dy } = self.lattice;
        let (u, v) = ((x - x0) / dx, (y - y0) / dy);
        if !(u >= 0.0 && v >= 0.0 && u <= (nx - 1) as f64 && v <= (ny - 1) as f64) || nx < 2 || ny < 2 {
            return None;
        }
        let (k, l) = ((u as usize).min(nx - 2), (v as usize).min(ny - 2));
        let (eta, xi) = (u - k as f64, v - l as f64);
        let h = |i: usize, j: usize| -> f64 { self.values[(l + j) * nx + k + i].into() };
        let value = (h(0, 0) * (1.0 - eta) + h(1, 0) * eta) * (1.0 - xi) + (h(0, 1) * (1.0 - eta) + h(1, 1) * eta) * xi;
        value.is_finite().then_some(value)
    }
}
