//! The shaded terrain below maps.

use rayon::prelude::*;

use crate::terrain::{Lattice, Surface};

/// The part of the terrain that previews show, shaded once for all of them.
pub(crate) struct Relief<'a> {
    surface: &'a Surface,
    pub(super) window: Window,
    /// Of the map, pixels.
    pub(super) width: usize,
    pub(super) height: usize,
    /// Pixels a metre.
    pub(super) scale: f64,
    /// The hillshade, row by row from the map's upper left corner.
    pub(super) shades: Vec<u8>,
    /// Vertical distance of the contours, m, and where they run: 0 beside them, 1 on one, 2 on every fifth.
    pub(super) interval_m: f64,
    pub(super) contours: Vec<u8>,
    /// `None` if the map shows all of the terrain.
    pub(super) locator: Option<Locator>,
}

/// All of the terrain, small, with the outline of the map in it.
pub(super) struct Locator {
    pub width: usize,
    pub height: usize,
    pub shades: Vec<u8>,
    /// Left, top, width and height of the map in it.
    pub map: [i64; 4],
}

/// Of a locator, pixels.
const LOCATOR: f64 = 120.0;

/// A part of the lattice: first and last column and row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub columns: (usize, usize),
    pub rows: (usize, usize),
}

const MAP_WIDTH: f64 = 760.0;
const MAP_HEIGHT: f64 = 760.0;
/// The darkest grey of the hillshade.
pub(super) const DARKEST: f64 = 128.0;
/// The grey of terrain without height.
const NO_HEIGHT: u8 = 252;

impl<'a> Relief<'a> {
    pub(crate) fn new(surface: &'a Surface, window: Window) -> Self {
        let mut relief = Self::plain(surface, window, (MAP_WIDTH, MAP_HEIGHT));
        (relief.interval_m, relief.contours) = relief.contoured();
        relief.locator = relief.located();
        relief
    }

    /// Cells along each side of a pixel.
    pub(super) fn cells_per_pixel(&self) -> f64 {
        let lattice = self.lattice();
        1.0 / (self.scale * lattice.dx.max(lattice.dy))
    }

    /// The hillshade alone.
    fn plain(surface: &'a Surface, window: Window, (most_across, most_up): (f64, f64)) -> Self {
        let lattice = surface.lattice();
        let (across, up) = window.size();
        let (width_m, height_m) = (across * lattice.dx, up * lattice.dy);
        let scale = (most_across / width_m).min(most_up / height_m);
        let pixels = |metres: f64| (metres * scale).round().max(1.0) as usize;
        let (width, height) = (pixels(width_m), pixels(height_m));
        let (interval_m, contours, locator) = (f64::INFINITY, Vec::new(), None);
        let mut relief =
            Self { surface, window, width, height, scale, shades: Vec::new(), interval_m, contours, locator };
        relief.shades = relief.shaded();
        relief
    }

    /// From heights taken half a cell to either side of each pixel, or half a pixel where that is more.
    fn shaded(&self) -> Vec<u8> {
        let Lattice { nx, ny, dx, dy, .. } = *self.lattice();
        let reach = |size: f64| (0.5 / self.scale / size).max(0.5);
        let (reach_x, reach_y) = (reach(dx), reach(dy));
        let columns: Vec<[Between; 3]> = (0..self.width)
            .map(|x| self.cell(x as f64 + 0.5, 0.0).0 - 0.5)
            .map(|column| [column - reach_x, column, column + reach_x].map(|column| Between::nodes(column, nx)))
            .collect();
        let shade = |[west, middle, east]: &[Between; 3], [south, here, north]: &[Between; 3]| {
            let along_x = self.height(east, here) - self.height(west, here);
            let along_y = self.height(middle, north) - self.height(middle, south);
            hillshade(along_x / (2.0 * reach_x * dx), along_y / (2.0 * reach_y * dy))
        };
        self.by_rows(self.height, &columns, |y| {
            let row = self.cell(0.0, y as f64 + 0.5).1 - 0.5;
            let rows = [row - reach_y, row, row + reach_y].map(|row| Between::nodes(row, ny));
            move |columns: &[Between; 3]| shade(columns, &rows)
        })
    }

    /// A number for each column of each row. Terrain that is read on demand is gone through row by row: threads in different parts of it would need all of
    /// it in memory, or read it again and again.
    fn by_rows<C: Sync, T: Send, F: Fn(&C) -> T + Sync + Send>(
        &self,
        rows: usize,
        columns: &[C],
        row: impl Fn(usize) -> F + Sync,
    ) -> Vec<T> {
        if self.surface.blocks().is_some() {
            return (0..rows).flat_map(|y| columns.par_iter().map(row(y)).collect::<Vec<T>>()).collect();
        }
        (0..rows).into_par_iter().flat_map_iter(|y| columns.iter().map(row(y)).collect::<Vec<T>>()).collect()
    }

    /// Lines of equal height at a round interval: a pixel is on one if its right or lower neighbour lies across.
    fn contoured(&self) -> (f64, Vec<u8>) {
        let Lattice { nx, ny, .. } = *self.lattice();
        let columns: Vec<Between> =
            (0..=self.width).map(|x| Between::nodes(self.cell(x as f64 + 0.5, 0.0).0 - 0.5, nx)).collect();
        let heights = self.by_rows(self.height + 1, &columns, |y| {
            let row = Between::nodes(self.cell(0.0, y as f64 + 0.5).1 - 0.5, ny);
            move |column: &Between| self.height(column, &row)
        });
        let heights: Vec<&[f64]> = heights.chunks(columns.len()).collect();
        let (low, high) = heights
            .iter()
            .flat_map(|row| row.iter())
            .filter(|height| height.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &height| (low.min(height), high.max(height)));
        let interval = crate::draw::ramp::round_up(((high - low) / 20.0).max(1.0));
        let step = |height: f64| (height / interval).floor();
        let mut contours = vec![0; self.width * self.height];
        contours.par_chunks_mut(self.width).enumerate().for_each(|(y, pixels)| {
            for (x, pixel) in pixels.iter_mut().enumerate() {
                let here = heights[y][x];
                for other in [heights[y][x + 1], heights[y + 1][x]] {
                    if here.is_finite() && other.is_finite() && step(here) != step(other) {
                        let fifth = step(here.max(other)).rem_euclid(5.0) == 0.0;
                        *pixel = (*pixel).max(if fifth { 2 } else { 1 });
                    }
                }
            }
        });
        (interval, contours)
    }

    fn located(&self) -> Option<Locator> {
        let lattice = self.lattice();
        let all = Window::all(lattice);
        if all == self.window {
            return None;
        }
        let whole = Self::plain(self.surface, all, (LOCATOR, LOCATOR));
        let pixels = |cells: usize, size: f64| (cells as f64 * size * whole.scale).round() as i64;
        let (columns, rows) = (self.window.columns, self.window.rows);
        let map = [
            pixels(columns.0, lattice.dx),
            pixels(lattice.ny - 1 - rows.1, lattice.dy),
            pixels(columns.1 - columns.0 + 1, lattice.dx).max(4),
            pixels(rows.1 - rows.0 + 1, lattice.dy).max(4),
        ];
        Some(Locator { width: whole.width, height: whole.height, shades: whole.shades, map })
    }

    /// NaN off the terrain and where it has no height.
    #[inline]
    fn height(&self, column: &Between, row: &Between) -> f64 {
        let [west, east, north_west, north_east] = self.surface.corners(column.first, row.first);
        let (low, high) = (west + column.share * (east - west), north_west + column.share * (north_east - north_west));
        low + row.share * (high - low)
    }

    pub(crate) fn window(&self) -> Window {
        self.window
    }

    pub(crate) fn lattice(&self) -> &Lattice {
        self.surface.lattice()
    }

    /// Fractional cell coordinates of a pixel edge, from the map's upper left corner.
    pub(super) fn cell(&self, x: f64, y: f64) -> (f64, f64) {
        let lattice = self.lattice();
        let column = self.window.columns.0 as f64 + x / self.scale / lattice.dx;
        let row = (self.window.rows.1 + 1) as f64 - y / self.scale / lattice.dy;
        (column, row)
    }
}

/// A place between two neighbouring nodes, of columns or of rows.
struct Between {
    first: usize,
    /// Of the way from the first to the next; NaN off the lattice.
    share: f64,
}

impl Between {
    fn nodes(place: f64, count: usize) -> Self {
        if !(place >= 0.0 && place <= (count - 1) as f64) {
            return Self { first: 0, share: f64::NAN };
        }
        let first = (place as usize).min(count - 2);
        Self { first, share: place - first as f64 }
    }
}

/// The rectangle around cells.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Around(Option<Window>);

impl Around {
    pub(crate) fn add(&mut self, lattice: &Lattice, cell: usize) {
        let (column, row) = (cell % lattice.nx, cell / lattice.nx);
        let wider = |(low, high): (usize, usize), at: usize| (low.min(at), high.max(at));
        self.0 = Some(match self.0 {
            None => Window { columns: (column, column), rows: (row, row) },
            Some(Window { columns, rows }) => Window { columns: wider(columns, column), rows: wider(rows, row) },
        });
    }

    /// With a margin of a tenth around, at least 20 cells a side; all if there are none.
    pub(crate) fn window(&self, lattice: &Lattice) -> Window {
        let Some(Window { columns, rows }) = self.0 else { return Window::all(lattice) };
        let margin = ((columns.1 - columns.0).max(rows.1 - rows.0) / 10).max(10);
        let widen =
            |(low, high): (usize, usize), count: usize| (low.saturating_sub(margin), (high + margin).min(count - 1));
        Window { columns: widen(columns, lattice.nx), rows: widen(rows, lattice.ny) }
    }
}

impl Window {
    /// The cells where `has_value` holds, with a margin; all if there are none.
    pub(crate) fn around(lattice: &Lattice, has_value: impl Fn(usize) -> bool) -> Self {
        let mut around = Around::default();
        (0..lattice.len()).filter(|&cell| has_value(cell)).for_each(|cell| around.add(lattice, cell));
        around.window(lattice)
    }

    /// All of a lattice.
    pub(crate) fn all(lattice: &Lattice) -> Self {
        Self { columns: (0, lattice.nx - 1), rows: (0, lattice.ny - 1) }
    }

    pub(super) fn size(&self) -> (f64, f64) {
        ((self.columns.1 - self.columns.0 + 1) as f64, (self.rows.1 - self.rows.0 + 1) as f64)
    }
}

/// Light from the north-west at 45° on slopes to the east and north, pale so that colours stay true.
fn hillshade(sx: f64, sy: f64) -> u8 {
    let light = (0.5 * sx - 0.5 * sy + 0.707) / (1.0 + sx * sx + sy * sy).sqrt();
    if light.is_nan() { NO_HEIGHT } else { (DARKEST + 0.5 + 125.0 * light.clamp(0.0, 1.0)) as u8 }
}
