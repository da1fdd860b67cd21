//! The height field: bilinear height, exact normal, orthonormal contact frame (Leine 2014, §3.2).
//!
//! All coordinates are local: x and y relative to the lattice's node (0, 0), z the true height. Local coordinates keep
//! millimetres exact where national grids have seven digits before the point. A trajectory's are those of its own frame ([`Frame`]).

use std::ops::Range;
use std::sync::Arc;

use nalgebra::Vector3;

use super::blocks::View;
use super::frame::{Cells, Frame};
use super::grid::{Field, Lattice};
use super::spot::{Patch, Spot};
use crate::{Error, Result};

mod in_blocks;

/// The digital elevation model. NaN nodes are nodata; a point next to one has no ground.
#[derive(Debug, Clone)]
pub struct Surface {
    lattice: Lattice,
    /// Where the terrain begins and ends in the lattice.
    rim: Rim,
    /// Of the raster it was read from.
    cells: Cells,
    /// Row by row: of all nodes, of a window of them, or of none.
    values: Arc<Vec<f64>>,
    /// Where the heights are if they are not in `values`.
    blocks: Option<View>,
    /// Nodes in a row of `values`.
    width: usize,
    /// Column and row of the first of `values`; below zero (wrapped) if that is beyond the lattice.
    first: [usize; 2],
    /// Column and row of the first node there is, in `values` or in blocks.
    corner: [i64; 2],
    pub(super) inverse_dx: f64,
    pub(super) inverse_dy: f64,
    /// Smallest cell coordinates, and the largest that still have four corners.
    first_column: f64,
    first_row: f64,
    last_column: f64,
    last_row: f64,
}

/// The outermost columns and rows of the terrain. In a lattice of its own these are the lattice's, in a rock's frame
/// ([`Frame`]) there is room around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rim {
    /// First column.
    pub west: usize,
    /// Last column.
    pub east: usize,
    /// First row.
    pub south: usize,
    /// Last row.
    pub north: usize,
}

impl Rim {
    /// Of a terrain on every node of a lattice.
    fn of(lattice: &Lattice) -> Self {
        Self { west: 0, east: lattice.nx - 1, south: 0, north: lattice.ny - 1 }
    }

    /// On a lattice that divides each cell into parts.
    pub(super) fn divided(&self, parts: [usize; 2]) -> Self {
        let Self { west, east, south, north } = *self;
        Self { west: west * parts[0], east: east * parts[0], south: south * parts[1], north: north * parts[1] }
    }
}

/// Whether a point has ground below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// Between nodes that have heights.
    OnTerrain,
    /// Next to a node without height.
    Nodata,
    /// Beyond the outermost nodes.
    Outside,
}

impl Surface {
    /// # Errors
    /// When the lattice has fewer than 2 × 2 nodes, a bad cell size, or no cell with four heights.
    pub fn new(dem: Field<f64>) -> Result<Self> {
        let Lattice { nx, ny, .. } = dem.lattice;
        let count = dem.values.len();
        if nx < 2 || ny < 2 || count != nx * ny {
            return Err(Error::input(format!(
                "the DEM has {nx} × {ny} cells with {count} values; at least 2 × 2 cells are needed"
            )));
        }
        expect_cells(&dem.lattice)?;
        let surface = Self::part(dem.lattice, Rim::of(&dem.lattice), dem.values, 0..nx, 0);
        let complete =
            |k: usize| (0..nx - 1).any(|c| [0, 1, nx, nx + 1].iter().all(|o| surface.has_height(k * nx + c + o)));
        if !(0..ny - 1).any(complete) {
            return Err(Error::input("the DEM has no four neighbouring cells with heights: it is all nodata"));
        }
        Ok(surface)
    }

    /// Heights of a node and its neighbours to the east, the north and the north-east, m.
    #[inline(always)]
    pub fn corners(&self, column: usize, row: usize) -> [f64; 4] {
        let south = self.index(column, row);
        let north = south.wrapping_add(self.width);
        let is_inside = column.wrapping_sub(self.first[0]) < self.width.wrapping_sub(1);
        match (self.values.get(south..south.wrapping_add(2)), self.values.get(north..north.wrapping_add(2))) {
            (Some(south), Some(north)) if is_inside => [south[0], south[1], north[0], north[1]],
            _ => self.corners_in_blocks(column, row),
        }
    }

    /// The heights of some columns, from a row on. Nothing may be asked of the others.
    pub(super) fn part(lattice: Lattice, rim: Rim, values: Vec<f64>, columns: Range<usize>, first_row: usize) -> Self {
        let width = columns.len();
        Self {
            inverse_dx: 1.0 / lattice.dx,
            inverse_dy: 1.0 / lattice.dy,
            first_column: rim.west as f64,
            first_row: rim.south as f64,
            last_column: rim.east as f64 - 1.0,
            last_row: rim.north as f64 - 1.0,
            first: [columns.start, first_row],
            corner: [columns.start as i64, first_row as i64],
            rim,
            cells: Cells::of(&lattice),
            lattice,
            values: Arc::new(values),
            blocks: None,
            width,
        }
    }

    /// The same terrain in the coordinates of a frame; the heights are shared.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        let Frame { shift, nodes, .. } = *frame;
        let (x0, y0) = frame.origin();
        let lattice = Lattice { nx: nodes[0], ny: nodes[1], x0, y0, ..self.lattice };
        let moved = |node: usize, k: usize| (node as i64 + shift[k]).clamp(0, nodes[k] as i64 - 1) as usize;
        let Rim { west, east, south, north } = self.rim;
        let rim = Rim { west: moved(west, 0), east: moved(east, 0), south: moved(south, 1), north: moved(north, 1) };
        Self {
            lattice,
            rim,
            cells: self.cells.seen_from(frame),
            values: self.values.clone(),
            blocks: self.blocks.clone(),
            width: self.width,
            first: [0, 1].map(|k| self.first[k].wrapping_add_signed(shift[k] as isize)),
            corner: [self.corner[0] + shift[0], self.corner[1] + shift[1]],
            inverse_dx: self.inverse_dx,
            inverse_dy: self.inverse_dy,
            first_column: rim.west as f64,
            first_row: rim.south as f64,
            last_column: rim.east as f64 - 1.0,
            last_row: rim.north as f64 - 1.0,
        }
    }

    /// Where the terrain begins and ends.
    pub fn rim(&self) -> &Rim {
        &self.rim
    }

    /// Which cells of the raster its nodes are.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The cell of the raster that a local point lies in; `None` beyond it.
    pub fn cell_below(&self, x: f64, y: f64) -> Option<u64> {
        let node = |u: f64| (u + 0.5).floor() as i64;
        self.cells.number(node(x * self.inverse_dx), node(y * self.inverse_dy))
    }

    /// Where a node's height is.
    #[inline(always)]
    fn index(&self, column: usize, row: usize) -> usize {
        let (k, l) = (column.wrapping_sub(self.first[0]), row.wrapping_sub(self.first[1]));
        l.wrapping_mul(self.width).wrapping_add(k)
    }

    /// The memory of its heights, to be used again.
    pub(super) fn into_values(self) -> Vec<f64> {
        Arc::try_unwrap(self.values).unwrap_or_default()
    }

    fn has_height(&self, index: usize) -> bool {
        self.values[index].is_finite()
    }

    /// Where its nodes stand.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Height of a node, m; NaN for nodata.
    #[inline]
    pub fn node_height(&self, column: usize, row: usize) -> f64 {
        let is_inside = column.wrapping_sub(self.first[0]) < self.width;
        match self.values.get(self.index(column, row)) {
            Some(height) if is_inside => *height,
            _ => self.in_block(column, row),
        }
    }

    /// [`Surface::node_height`] of any number; NaN beyond the terrain, or beyond the window that is known of it.
    pub(super) fn known_height(&self, column: i64, row: i64) -> f64 {
        if self.blocks.is_some() {
            return self.in_block(column as usize, row as usize);
        }
        let (k, l) = (column - self.corner[0], row - self.corner[1]);
        if k < 0 || l < 0 || k >= self.width as i64 {
            return f64::NAN;
        }
        self.values.get(l as usize * self.width + k as usize).copied().unwrap_or(f64::NAN)
    }

    /// Appends the heights of a row of the lattice whose cells are these parts of a cell, m; NaN in cells with nodata.
    pub(super) fn divide(&self, row: usize, columns: Range<usize>, parts: [usize; 2], out: &mut Vec<f64>) {
        let (l, xi) = (row / parts[1], (row % parts[1]) as f64 / parts[1] as f64);
        // On a grid line the far side does not count, be it nodata or beyond the terrain.
        let north = l + usize::from(xi > 0.0);
        let at = |k: usize| {
            let south = self.node_height(k, l);
            south + xi * (self.node_height(k, north) - south)
        };
        let (mut k, mut part) = (columns.start / parts[0], columns.start % parts[0]);
        let last = self.rim.east;
        let (mut west, mut east) = (at(k), at((k + 1).min(last)));
        for _ in columns {
            let eta = part as f64 / parts[0] as f64;
            out.push(if part == 0 { west } else { west + eta * (east - west) });
            part += 1;
            if part == parts[0] {
                (k, part, west) = (k + 1, 0, east);
                east = at((k + 1).min(last));
            }
        }
    }

    /// Heights of neighbouring nodes of a row, m; not of a terrain in blocks.
    #[inline]
    pub(super) fn row(&self, row: usize, columns: Range<usize>) -> &[f64] {
        let first = self.index(columns.start, row);
        &self.values[first..first + columns.len()]
    }

    /// Height and slopes at a local point; `None` outside the outermost nodes and next to nodata.
    #[inline(always)] // a step looks up the ground a dozen times
    pub fn spot(&self, x: f64, y: f64) -> Option<Spot> {
        self.patch(x, y).map(|(spot, _)| spot)
    }

    /// Whether a point, in cells, lies between the outermost nodes; NaN does not.
    #[inline(always)]
    fn holds(&self, u: f64, v: f64) -> bool {
        u >= self.first_column && v >= self.first_row && u <= self.last_column + 1.0 && v <= self.last_row + 1.0
    }

    /// [`Surface::spot`], and the patch it lies on.
    #[inline(always)]
    pub fn patch(&self, x: f64, y: f64) -> Option<(Spot, Patch)> {
        let (u, v) = (x * self.inverse_dx, y * self.inverse_dy);
        // The last node belongs to the last cell. NaN coordinates fail these comparisons.
        if !self.holds(u, v) {
            return None;
        }
        // SAFETY: both lie between 0 and the number of nodes. A plain `as` would check for the values just excluded.
        let whole = |u: f64| unsafe { u.to_int_unchecked::<i64>() } as usize;
        let (k, l) = (whole(u.min(self.last_column)), whole(v.min(self.last_row)));
        let (eta, xi) = (u - k as f64, v - l as f64); // Leine 2014, eq. 2
        self.between(self.corners(k, l), eta, xi)
    }

    /// The patch between the heights of four nodes, at its shares of a cell.
    #[inline(always)]
    pub(super) fn between(&self, [h00, h10, h01, h11]: [f64; 4], eta: f64, xi: f64) -> Option<(Spot, Patch)> {
        // Leine 2014, eq. 4 and the derivatives in eq. 7.
        let (along_south, along_north) = (h10 - h00, h11 - h01);
        let (at_south, at_north) = (h00 + eta * along_south, h01 + eta * along_north);
        let height = at_south + xi * (at_north - at_south);
        // NaN at any corner reaches the height, even where its weight is zero.
        height.is_finite().then(|| {
            let spot = Spot {
                height,
                slope_x: (along_south + xi * (along_north - along_south)) * self.inverse_dx,
                slope_y: (at_north - at_south) * self.inverse_dy,
            };
            let patch = Patch {
                twist: self.twist(&[h00, h10, h01, h11]),
                to_edge_x: eta.min(1.0 - eta) * self.lattice.dx,
                to_edge_y: xi.min(1.0 - xi) * self.lattice.dy,
            };
            (spot, patch)
        })
    }

    /// ∂²z/∂x∂y of the patch between the heights of four nodes, 1/m.
    #[inline(always)]
    pub(crate) fn twist(&self, [h00, h10, h01, h11]: &[f64; 4]) -> f64 {
        ((h11 - h01) - (h10 - h00)) * self.inverse_dx * self.inverse_dy
    }

    /// Ground height at a local point, m.
    pub fn height(&self, x: f64, y: f64) -> Option<f64> {
        self.spot(x, y).map(|spot| spot.height)
    }

    /// Whether a local point has ground below it, lies next to nodata, or off the terrain.
    pub fn locate(&self, x: f64, y: f64) -> Where {
        let (u, v) = (x * self.inverse_dx, y * self.inverse_dy);
        if !self.holds(u, v) {
            return Where::Outside;
        }
        if self.spot(x, y).is_some() { Where::OnTerrain } else { Where::Nodata }
    }

    /// Vertical gap of a local point above the ground (Leine 2014, eq. 23); negative below it.
    #[inline]
    pub fn gap(&self, point: &Vector3<f64>) -> Option<f64> {
        self.spot(point.x, point.y).map(|spot| point.z - spot.height)
    }
}

fn expect_cells(lattice: &Lattice) -> Result<()> {
    let Lattice { dx, dy, x0, y0, .. } = *lattice;
    if dx > 0.0 && dy > 0.0 && [dx, dy, x0, y0].iter().all(|number| number.is_finite()) {
        return Ok(());
    }
    Err(Error::input(format!("the DEM's cell size is {dx} × {dy} m; it must be positive")))
}

#[cfg(test)]
mod tests;
