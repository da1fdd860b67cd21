//! Whether a cell without height lies in a hole or beyond the terrain.
//!
//! Of a DEM that was read as a whole it is known how all cells without height hang together. Of a larger one it is found out where a
//! rock meets one: what is connected to the raster's edge, or larger than any hole, is beyond.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::gaps::Gaps;
use crate::terrain::Surface;

/// A region without height of more cells is no hole.
pub(crate) const LARGEST_HOLE: usize = 1 << 16;

/// Where a DEM has no height.
#[derive(Debug, Clone)]
pub(crate) enum LocalGaps {
    /// Everywhere.
    Known(Arc<Gaps>),
    /// Found out cell by cell; holes that were met are remembered.
    Unknown(Arc<Mutex<HashSet<(usize, usize)>>>),
}

impl LocalGaps {
    /// Of a DEM that is not read as a whole.
    pub(crate) fn unknown() -> Self {
        Self::Unknown(Arc::default())
    }

    /// Nothing is missing but around a convex piece of terrain.
    pub(crate) fn is_collar(&self) -> bool {
        matches!(self, Self::Known(gaps) if gaps.is_collar)
    }

    /// Whether a cell without height, by its column and row in the raster, is beyond the terrain. `surface` is in any coordinates.
    pub(crate) fn is_edge(&self, surface: &Surface, column: usize, row: usize) -> bool {
        match self {
            Self::Known(gaps) => gaps.is_edge(column, row),
            Self::Unknown(holes) => {
                let mut holes = holes.lock().unwrap_or_else(PoisonError::into_inner);
                if holes.contains(&(column, row)) {
                    return false;
                }
                let Some(hole) = hole(surface, column, row) else { return true };
                if holes.len() > 16 * LARGEST_HOLE {
                    holes.clear();
                }
                holes.extend(hole);
                false
            }
        }
    }
}

/// The cells of the hole a cell lies in; `None` if it is none.
fn hole(surface: &Surface, column: usize, row: usize) -> Option<HashSet<(usize, usize)>> {
    let mut found = HashSet::from([(column, row)]);
    let mut waiting = vec![(column, row)];
    let cells = surface.cells();
    while let Some((column, row)) = waiting.pop() {
        for (by_x, by_y) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let (c, r) = (column as i64 + by_x, row as i64 + by_y);
            let (node_c, node_r) = cells.node_at(c, r);
            // Beyond the raster: connected to its edge.
            cells.of_node(node_c, node_r)?;
            let beside = (c as usize, r as usize);
            if surface.node_height(node_c as usize, node_r as usize).is_nan() && found.insert(beside) {
                waiting.push(beside);
            }
        }
        if found.len() > LARGEST_HOLE {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::{Field, Lattice};

    /// What is found out cell by cell is what is known of the whole.
    #[test]
    fn holes_are_the_same_cell_by_cell() {
        let lattice = Lattice { nx: 60, ny: 50, x0: 0.5, y0: 0.5, dx: 1.0, dy: 1.0 };
        let missing = |k: usize| {
            let (column, row) = (k % 60, k / 60);
            let ring = (column as f64 - 30.0).hypot(row as f64 - 20.0);
            row > 45 - column / 10 || (ring > 8.0 && ring < 10.0 && row != 20) || (column, row) == (3, 3)
        };
        let values: Vec<f64> = (0..lattice.len()).map(|k| if missing(k) { f64::NAN } else { 1.0 }).collect();
        let field = Field { lattice, values };
        let known = LocalGaps::Known(Arc::new(Gaps::of(&field)));
        let surface = Surface::new(field).unwrap();
        let unknown = LocalGaps::unknown();
        let mut holes = 0;
        for k in (0..lattice.len()).filter(|&k| missing(k)) {
            let (column, row) = (k % 60, k / 60);
            let edge = known.is_edge(&surface, column, row);
            assert_eq!(unknown.is_edge(&surface, column, row), edge, "{column} {row}");
            holes += usize::from(!edge);
        }
        assert!(holes > 50, "{holes}");
    }
}
