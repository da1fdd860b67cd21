//! Heights that are read where they are asked for.

use std::ops::Range;
use std::sync::Arc;

use super::{Rim, Surface, expect_cells};
use crate::terrain::blocks::{Blocks, View, Window};
use crate::terrain::grid::Lattice;
use crate::{Error, Result};

impl Surface {
    /// With heights in blocks, read where they are asked for.
    ///
    /// # Errors
    /// When the lattice has fewer than 2 × 2 nodes or a bad cell size.
    pub fn in_blocks(heights: Arc<Blocks>) -> Result<Self> {
        let lattice = *heights.lattice();
        let Lattice { nx, ny, .. } = lattice;
        if nx < 2 || ny < 2 {
            return Err(Error::input(format!("the DEM has {nx} × {ny} cells; at least 2 × 2 cells are needed")));
        }
        expect_cells(&lattice)?;
        let nothing = Self::part(lattice, Rim::of(&lattice), Vec::new(), 0..nx, 0);
        Ok(Self { blocks: Some(View::new(heights)), ..nothing })
    }

    /// The blocks its heights are in; `None` if they are all in memory.
    pub fn blocks(&self) -> Option<&Arc<Blocks>> {
        self.blocks.as_ref().map(View::blocks)
    }

    /// Some columns and rows of it in memory, if it is in blocks and does not have them at hand.
    pub(in crate::terrain) fn cut_out(&self, columns: &Range<usize>, rows: &Range<usize>) -> Option<Self> {
        let view = self.blocks.as_ref().filter(|_| !self.has_at_hand(columns, rows))?;
        let mut values = Vec::with_capacity(columns.len() * rows.len());
        let own = |node: usize, k: usize| (node as i64 - self.corner[k]) as usize;
        for row in rows.clone() {
            view.extend(own(row, 1), own(columns.start, 0)..own(columns.end, 0), &mut values);
        }
        let part = Self::part(self.lattice, self.rim, values, columns.clone(), rows.start);
        Some(Self { cells: self.cells, ..part })
    }

    /// Whether these columns and rows are among `values`.
    fn has_at_hand(&self, columns: &Range<usize>, rows: &Range<usize>) -> bool {
        let within = |nodes: &Range<usize>, k: usize, count: usize| {
            nodes.start.wrapping_sub(self.first[k]) < count && nodes.end.wrapping_sub(self.first[k]) <= count
        };
        let height = self.values.len().checked_div(self.width).unwrap_or(0);
        within(columns, 0, self.width) && within(rows, 1, height)
    }

    /// The height of a node that is not in `values`, m.
    #[cold]
    pub(super) fn in_block(&self, column: usize, row: usize) -> f64 {
        let (column, row) = (column as i64 - self.corner[0], row as i64 - self.corner[1]);
        let view = self.blocks.as_ref().filter(|view| {
            let Lattice { nx, ny, .. } = *view.blocks().lattice();
            column >= 0 && row >= 0 && column < nx as i64 && row < ny as i64
        });
        view.map_or(f64::NAN, |view| view.at(column as usize, row as usize))
    }

    /// Heights of a node and its neighbours to the east, the north and the north-east, m.
    #[inline(never)]
    pub(super) fn corners_in_blocks(&self, column: usize, row: usize) -> [f64; 4] {
        let (k, l) = (column as i64 - self.corner[0], row as i64 - self.corner[1]);
        let whole = self.blocks.as_ref().filter(|view| {
            let Lattice { nx, ny, .. } = *view.blocks().lattice();
            k >= 0 && l >= 0 && k + 1 < nx as i64 && l + 1 < ny as i64
        });
        match whole {
            Some(view) => view.corners(k as usize, l as usize),
            None => [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(east, north)| self.in_block(column + east, row + north)),
        }
    }

    /// With heights around a local point at hand if they are in blocks: nothing else is different.
    pub fn with_window(mut self, x: f64, y: f64) -> Self {
        let Some(view) = &self.blocks else { return self };
        let Lattice { nx, ny, .. } = *view.blocks().lattice();
        let node = |at: f64, k: usize, count: usize| {
            let node = at.floor() as i64 - self.corner[k];
            usize::try_from(node).ok().filter(|node| *node < count)
        };
        let (Some(column), Some(row)) = (node(x * self.inverse_dx, 0, nx), node(y * self.inverse_dy, 1, ny)) else {
            return self;
        };
        let Window { columns, rows, values } = view.blocks().window(column, row);
        self.width = columns.len();
        self.first = [columns.start, rows.start];
        self.first = [0, 1].map(|k| self.first[k].wrapping_add_signed(self.corner[k] as isize));
        self.values = values;
        self
    }
}
