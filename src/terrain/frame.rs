//! Where the coordinates of a trajectory are counted from.
//!
//! Contacts are chaotic: a change in the sixteenth digit of a coordinate is metres after a dozen impacts. Coordinates counted from the
//! raster's corner would round differently in every cut-out of the same terrain. So each rock has a frame of its own: a lattice of which
//! the node nearest to its release is always the same number, whatever part of the terrain was read, and in which coordinates are positive
//! as far as any rock goes. Two rasters that hold the same nodes around a path then give the same bits.
//!
//! Numbers of nodes in the world follow from the raster's corner. That is known up to rounding only (a cut-out's corner is a sum), so its
//! place between two multiples of the cell size counts in steps of 2⁻²⁰ cells, micrometres.

use super::grid::Lattice;
use crate::math;

/// A frame reaches at least so far to all sides of its release, m. The longest rockfall paths are a tenth of that.
const REACH_M: f64 = 32_000.0;
/// Steps into which a cell is divided when the place of a lattice is noted.
const STEPS_PER_CELL: f64 = 1_048_576.0;

/// Which nodes of the world a lattice has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldNodes {
    /// Number of its first column and row, counted in cells from the origin of the coordinate system.
    pub first: [i64; 2],
    /// Where nodes lie between the multiples of the cell size, in cells.
    phase: [f64; 2],
    cell: [f64; 2],
}

impl WorldNodes {
    /// World coordinates of a node by its number in the world.
    pub fn place(&self, node: [i64; 2]) -> [f64; 2] {
        [0, 1].map(|k| (node[k] as f64 + self.phase[k]) * self.cell[k])
    }

    /// World coordinates of node 0: what its numbers count from.
    pub fn origin(&self) -> (f64, f64) {
        (self.phase[0] * self.cell[0], self.phase[1] * self.cell[1])
    }

    /// The node nearest to a world point.
    pub fn nearest(&self, x: f64, y: f64) -> [i64; 2] {
        let at = [x, y];
        [0, 1].map(|k| (at[k] / self.cell[k] - self.phase[k] + 0.5).floor() as i64)
    }
}

/// Coordinates around one release.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Number in the frame of the raster's first column and row; negative if that is too far away to be in it.
    pub(super) shift: [i64; 2],
    /// Nodes of the frame along x and y.
    pub(super) nodes: [usize; 2],
    /// World coordinates of its first node.
    origin: [f64; 2],
    /// World coordinates of the node in its middle, and how far that is from the first.
    middle: [f64; 2],
    half: [f64; 2],
}

impl Frame {
    /// World coordinates of what is zero in it: to be added to coordinates in it.
    pub fn origin(&self) -> (f64, f64) {
        (self.origin[0], self.origin[1])
    }

    /// Coordinates in it of a world point near its release.
    pub fn local(&self, x: f64, y: f64) -> (f64, f64) {
        (x - self.middle[0] + self.half[0], y - self.middle[1] + self.half[1])
    }
}

/// Which cells of a raster the nodes of a frame are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    nx: usize,
    ny: usize,
    /// Number in the frame of the raster's first column and row.
    first: [i64; 2],
}

impl Cells {
    pub(super) fn of(lattice: &Lattice) -> Self {
        Self { nx: lattice.nx, ny: lattice.ny, first: [0, 0] }
    }

    pub(super) fn seen_from(&self, frame: &Frame) -> Self {
        Self { first: [self.first[0] + frame.shift[0], self.first[1] + frame.shift[1]], ..*self }
    }

    /// Column and row of the raster's cell around a node; `None` beyond the raster.
    pub fn of_node(&self, column: i64, row: i64) -> Option<(usize, usize)> {
        let (column, row) = (column - self.first[0], row - self.first[1]);
        let inside = column >= 0 && row >= 0 && column < self.nx as i64 && row < self.ny as i64;
        inside.then_some((column as usize, row as usize))
    }

    /// The node of a cell by its column and row in the raster.
    pub fn node_at(&self, column: i64, row: i64) -> (i64, i64) {
        (column + self.first[0], row + self.first[1])
    }

    /// Its number, row · nx + column.
    pub fn number(&self, column: i64, row: i64) -> Option<u64> {
        self.of_node(column, row).map(|(column, row)| (row * self.nx + column) as u64)
    }

    /// The node of a cell.
    pub fn node(&self, cell: u64) -> (i64, i64) {
        let (column, row) = (cell as usize % self.nx, cell as usize / self.nx);
        (column as i64 + self.first[0], row as i64 + self.first[1])
    }
}

impl Lattice {
    /// The numbers of its nodes in the world.
    pub fn world_nodes(&self) -> WorldNodes {
        let cell = [self.dx, self.dy];
        let corner = [self.x0 / self.dx, self.y0 / self.dy];
        // Halves and quarters, which rasters have, are far from where this jumps.
        let first = corner.map(|cells| (cells + 0.137).floor());
        let phase = [0, 1].map(|k| ((corner[k] - first[k]) * STEPS_PER_CELL).round() / STEPS_PER_CELL);
        WorldNodes { first: first.map(|first| first as i64), phase, cell }
    }

    /// The frame of a rock released at a world point.
    pub fn frame(&self, x: f64, y: f64) -> Frame {
        let world = self.world_nodes();
        let node = world.nearest(x, y);
        let middle = world.place(node);
        let half = [self.dx, self.dy].map(|cell| math::exp2(math::log2((REACH_M / cell).max(1.0)).ceil()));
        let offset = [half[0] * self.dx, half[1] * self.dy];
        Frame {
            shift: [0, 1].map(|k| world.first[k] - node[k] + half[k] as i64),
            nodes: half.map(|half| 2 * half as usize + 1),
            origin: [middle[0] - offset[0], middle[1] - offset[1]],
            middle,
            half: offset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frame of a place is the same in every cut-out of a raster, also where the cut-out's corner is known up to rounding only.
    #[test]
    fn frames_do_not_depend_on_the_cut_out() {
        for cell in [0.1, 0.5, 1.0 / 3.0, 2.0, 25.0] {
            for corner in [0.0, 0.5, 0.25, 0.713] {
                let whole =
                    Lattice { nx: 900, ny: 800, x0: 2_600_000.0 + corner * cell, y0: -5e5 + cell, dx: cell, dy: cell };
                let (x, y) = (whole.x0 + 321.37 * cell, whole.y0 + 411.8 * cell);
                let frame = whole.frame(x, y);
                for [column, row] in [[1, 0], [17, 203], [300, 400]] {
                    let (x0, y0) = whole.centre(column, row);
                    let cut = Lattice { nx: 200, ny: 100, x0, y0, ..whole };
                    let again = cut.frame(x, y);
                    assert_eq!(again.local(x, y), frame.local(x, y));
                    assert_eq!(again.origin(), frame.origin());
                    assert_eq!(again.shift, [frame.shift[0] + column as i64, frame.shift[1] + row as i64]);
                }
            }
        }
    }

    /// What goes in comes out, to the rounding of world coordinates.
    #[test]
    fn there_and_back() {
        let lattice = Lattice { nx: 90, ny: 80, x0: 2_600_000.5, y0: 1_200_000.5, dx: 2.0, dy: 0.5 };
        let frame = lattice.frame(2_600_033.37, 1_200_011.11);
        let (x, y) = frame.local(2_600_033.37, 1_200_011.11);
        let (east, north) = frame.origin();
        assert!((x + east - 2_600_033.37).abs() < 1e-9 && (y + north - 1_200_011.11).abs() < 1e-9);
        assert!(x >= REACH_M && y >= REACH_M);
    }
}
