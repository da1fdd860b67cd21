//! Where the cells of a raster lie: the one place where edges become centres and where rows and columns are turned so that
//! row 0 is the southernmost and column 0 the westernmost.

use super::dem::prepare_command;
use super::raster::RasterInfo;
use super::{Bounds, raster_cells};
use crate::terrain::Lattice;
use crate::{Error, Result};

/// Rotated or sheared: over the whole raster the axes drift by more than a thousandth of a cell.
pub(super) fn is_rotated(g: &[f64; 6], columns: usize, rows: usize) -> bool {
    let drift_x = (g[2] * rows as f64 / g[1]).abs();
    let drift_y = (g[4] * columns as f64 / g[5]).abs();
    !(drift_x < 1e-3 && drift_y < 1e-3)
}

/// Around all four corners, however the raster is turned.
pub(super) fn corner_bounds(g: &[f64; 6], columns: usize, rows: usize) -> Bounds {
    let corner = |c: f64, r: f64| (g[0] + g[1] * c + g[2] * r, g[3] + g[4] * c + g[5] * r);
    let (c, r) = (columns as f64, rows as f64);
    [corner(0.0, 0.0), corner(c, 0.0), corner(0.0, r), corner(c, r)]
        .iter()
        .map(|&(x, y)| Bounds::new(x, y, x, y))
        .reduce(|a, b| a.union(&b))
        .unwrap_or(Bounds::new(0.0, 0.0, 0.0, 0.0))
}

/// Where a file's cells lie: the lattice of all cell centres, and which way its rows and columns run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Georeference {
    pub(super) lattice: Lattice,
    /// The file's first row is the northernmost (the usual order).
    north_up: bool,
    /// The file's first column is the easternmost (rare).
    east_first: bool,
}

impl Georeference {
    /// `None` for rotated, sheared or degenerate geotransforms.
    pub(super) fn new(g: [f64; 6], columns: usize, rows: usize) -> Option<Self> {
        let usable = g.iter().all(|v| v.is_finite()) && g[1] != 0.0 && g[5] != 0.0;
        if !usable || is_rotated(&g, columns, rows) || columns == 0 || rows == 0 {
            return None;
        }
        let (dx, dy) = (g[1].abs(), g[5].abs());
        let (north_up, east_first) = (g[5] < 0.0, g[1] < 0.0);
        let west = if east_first { g[0] - dx * columns as f64 } else { g[0] };
        let south = if north_up { g[3] - dy * rows as f64 } else { g[3] };
        let lattice = Lattice { nx: columns, ny: rows, x0: west + 0.5 * dx, y0: south + 0.5 * dy, dx, dy };
        Some(Self { lattice, north_up, east_first })
    }

    /// Columns and rows, counted from the south-west, in the file's own order.
    pub(super) fn part(&self, column: usize, row: usize, nx: usize, ny: usize) -> raster_cells::Part {
        let Self { lattice, north_up, east_first } = *self;
        let column = if east_first { lattice.nx - column - nx } else { column };
        let row = if north_up { lattice.ny - row - ny } else { row };
        raster_cells::Part { column, row, nx, ny, north_up, east_first }
    }

    /// First column, first row (from the south-west) and size of the cells a window needs.
    pub(super) fn cells(&self, window: &Bounds) -> Option<(usize, usize, usize, usize)> {
        let Lattice { nx, ny, x0, y0, dx, dy } = self.lattice;
        // The centre at or just outside the window's edge on either side.
        let first = |v: f64, v0: f64, d: f64| ((v - v0) / d).floor().max(0.0);
        let last = |v: f64, v0: f64, d: f64, n: usize| ((v - v0) / d).ceil().min(n as f64 - 1.0);
        let (c0, r0) = (first(window.west, x0, dx), first(window.south, y0, dy));
        let (c1, r1) = (last(window.east, x0, dx, nx), last(window.north, y0, dy, ny));
        (c1 >= c0 && r1 >= r0).then(|| (c0 as usize, r0 as usize, (c1 - c0) as usize + 1, (r1 - r0) as usize + 1))
    }
}

/// Of a raster that lies straight on its axes.
pub(super) fn georeference_of(info: &RasterInfo) -> Result<Georeference> {
    let shown = info.path.display();
    let Some(g) = info.geo_transform else {
        return Err(Error::input(format!(
            "raster '{shown}' is not georeferenced (no corner coordinates and cell size): export it again with its position, \
             or lay a world file beside it"
        )));
    };
    if info.rotated && g.iter().all(|v| v.is_finite()) {
        return Err(Error::input(format!(
            "raster '{shown}' is rotated or sheared against its axes: lay it on a straight grid with `{}`",
            prepare_command(&info.path, None)
        )));
    }
    Georeference::new(g, info.columns, info.rows).ok_or_else(|| {
        Error::input(format!("raster '{shown}' has a cell size of {} × {}: export it again", g[1], g[5]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Along rows, along columns, or both: a thousandth of a cell over the whole raster is still none.
    #[test]
    fn rasters_turned_or_sheared_either_way_are_recognised() {
        let turned = |row: f64, column: f64| is_rotated(&[0.0, 2.0, row, 0.0, column, -2.0], 100, 50);
        assert!(!turned(0.0, 0.0) && !turned(1e-5, 1e-6));
        assert!(turned(1e-3, 0.0) && turned(0.0, 1e-3) && turned(0.5, 0.5) && turned(f64::NAN, 0.0));
    }
}
