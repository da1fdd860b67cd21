//! A plane that lies nowhere below the terrain around a rock, so that most of the rock needs no look at the terrain.
//!
//! Bilinear patches minus a plane are bilinear, and these are largest at a node: a plane above the nodes of a window is
//! above all the terrain in it. The plane follows the slope, so it is tight where a bound by heights alone would be metres
//! off.

use std::ops::Range;

use nalgebra::Vector3;

use super::creases::{SlopeSpread, Unevenness};
use super::grid::Lattice;
use super::surface::{Rim, Surface};

/// Rounding of the plane's height, m.
const SLACK_M: f64 = 1e-6;

/// To continue the ground at more nodes than this each way takes longer than to look at it where it matters.
const MOST_CONTINUED: f64 = 24.0;
/// Numbers of nodes beyond this are no numbers.
const FAR: f64 = 1e9;

/// The plane z = level + slope · (x, y) above the terrain in a window of whole cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceiling {
    /// (−∂z/∂x, −∂z/∂y, 1): the height of a point above the plane is `up · point − level`.
    pub up: Vector3<f64>,
    /// The plane's height at the origin, m.
    pub level: f64,
    /// Every node of the window and around it has a height, and the window lies within the terrain.
    pub complete: bool,
    /// The terrain in the window is nowhere deeper below the plane, m.
    pub depth: f64,
    /// Of the terrain in the window.
    pub uneven: Unevenness,
    /// Between the terrain in the window and the plane.
    pub spread: SlopeSpread,
    west: f64,
    east: f64,
    south: f64,
    north: f64,
}

impl Default for Ceiling {
    /// Covers nothing.
    fn default() -> Self {
        let (up, nothing) = (Vector3::z(), f64::NAN);
        let (west, east, south, north) = (nothing, nothing, nothing, nothing);
        let (depth, uneven) = (f64::INFINITY, Unevenness { bend: f64::INFINITY, twist: f64::INFINITY });
        let spread = SlopeSpread { x: f64::INFINITY, y: f64::INFINITY };
        Self { up, level: f64::INFINITY, complete: false, depth, uneven, spread, west, east, south, north }
    }
}

impl Ceiling {
    /// No slope in the window is steeper: a bound for |∂z/∂x| + |∂z/∂y|.
    pub fn steepest(&self) -> f64 {
        self.up.x.abs() + self.up.y.abs() + self.spread.x + self.spread.y
    }

    /// Over all cells within `reach` of a point.
    pub fn around(surface: &Surface, x: f64, y: f64, reach: f64) -> Self {
        let (lattice, rim) = (surface.lattice(), surface.rim());
        let nodes = |low: f64, high: f64, cell: f64, [least, most]: [usize; 2]| {
            let (first, last) = ((low / cell).floor(), (high / cell).ceil());
            let (from, to) = (first.max(least as f64), last.min(most as f64));
            (first * cell, last * cell, from, to, first >= least as f64 && last <= most as f64)
        };
        let (west, east, first_column, last_column, inside_x) =
            nodes(x - reach, x + reach, lattice.dx, [rim.west, rim.east]);
        let (south, north, first_row, last_row, inside_y) =
            nodes(y - reach, y + reach, lattice.dy, [rim.south, rim.north]);
        // NaN and points far outside give no window.
        if !(first_column < last_column && first_row < last_row) {
            return Self::default();
        }
        let (columns, rows) =
            (first_column as usize..last_column as usize + 1, first_row as usize..last_row as usize + 1);
        let cut = surface.cut_out(&one_wider(&columns, rim.west, rim.east), &one_wider(&rows, rim.south, rim.north));
        let surface = cut.as_ref().unwrap_or(surface);
        let (middle_x, middle_y) = (0.5 * (first_column + last_column), 0.5 * (first_row + last_row));

        // Least-squares slopes: the lattice is regular, so both follow from sums.
        let (mut sum_x, mut sum_y) = (0.0, 0.0);
        for row in rows.clone() {
            let mut of_row = 0.0;
            for (k, height) in surface.row(row, columns.clone()).iter().enumerate() {
                sum_x += (first_column + k as f64 - middle_x) * height;
                of_row += height;
            }
            sum_y += (row as f64 - middle_y) * of_row;
        }
        let (across, along) = ((last_column - first_column + 1.0), (last_row - first_row + 1.0));
        // Σ over n equally spaced numbers of their squared distance from the mean, times the number of rows or columns.
        let spread = |n: f64, times: f64| times * n * (n * n - 1.0) / 12.0;
        let finite = |slope: f64| if slope.is_finite() { slope } else { 0.0 };
        let slope_x = finite(sum_x / (spread(across, along) * lattice.dx));
        let slope_y = finite(sum_y / (spread(along, across) * lattice.dy));

        let (mut level, mut lowest, mut complete) = (f64::NEG_INFINITY, f64::INFINITY, inside_x && inside_y);
        for row in rows.clone() {
            let base = slope_y * row as f64 * lattice.dy;
            for (column, height) in columns.clone().zip(surface.row(row, columns.clone())) {
                complete &= height.is_finite();
                // The NaN of nodata is ignored: there is no ground to touch.
                let above = height - slope_x * column as f64 * lattice.dx - base;
                (level, lowest) = (larger(level, above), if above < lowest { above } else { lowest });
            }
        }
        let up = Vector3::new(-slope_x, -slope_y, 1.0);
        let (level, window) = (level + SLACK_M, (columns, rows));
        let (uneven, spread) = shape(surface, &window, slope_x, slope_y);
        let complete = complete && !borders_on_nodata(surface, &window);
        Self { up, level, complete, depth: level - lowest + SLACK_M, uneven, spread, west, east, south, north }
    }

    /// [`Ceiling::around`] where the window reaches over the rim or a hole: above the ground as contacts see it there
    /// (`continued`), and not complete, since it is no ground to fly over. Covers nothing far from known ground.
    #[cold]
    pub fn at_the_rim(surface: &Surface, x: f64, y: f64, reach: f64) -> Self {
        let lattice = *surface.lattice();
        // One node more, for creases on the window's edge, and one for rounding. The first of them, and how many.
        let nodes = |at: f64, cell: f64| {
            let (first, last) = (((at - reach) / cell).floor() - 2.0, ((at + reach) / cell).ceil() + 2.0);
            // NaN and a rock on cells far smaller than itself give none.
            (first.abs() < FAR && last - first < MOST_CONTINUED).then(|| (first as i64, (last - first) as usize + 1))
        };
        let (Some((west, nx)), Some((south, ny))) = (nodes(x, lattice.dx), nodes(y, lattice.dy)) else {
            return Self::default();
        };
        // A surface of its own, counted from its first node: there may be none of the lattice.
        let at = |k: usize| surface.continued_height(west + (k % nx) as i64, south + (k / nx) as i64);
        let rim = Rim { west: 0, east: nx - 1, south: 0, north: ny - 1 };
        let continued = Surface::part(Lattice { nx, ny, ..lattice }, rim, (0..nx * ny).map(at).collect(), 0..nx, 0);
        let (east_by, north_by) = (west as f64 * lattice.dx, south as f64 * lattice.dy);
        let here = Self::around(&continued, x - east_by, y - north_by, reach);
        if !here.complete {
            return Self::default();
        }
        Self {
            level: here.level + here.up.x * east_by + here.up.y * north_by,
            complete: false,
            west: here.west + east_by,
            east: here.east + east_by,
            south: here.south + north_by,
            north: here.north + north_by,
            ..here
        }
    }

    /// Whether the plane holds within `reach` of a point.
    #[inline]
    pub fn covers(&self, x: f64, y: f64, reach: f64) -> bool {
        x - reach >= self.west && x + reach <= self.east && y - reach >= self.south && y + reach <= self.north
    }

    /// Height of a point above the plane, m.
    #[inline]
    pub fn above(&self, point: &Vector3<f64>) -> f64 {
        self.up.dot(point) - self.level
    }
}

/// Columns and rows of nodes.
type Window = (Range<usize>, Range<usize>);

/// One node further on both sides, where there is one.
fn one_wider(nodes: &Range<usize>, first: usize, last: usize) -> Range<usize> {
    nodes.start.saturating_sub(1).max(first)..(nodes.end + 1).min(last + 1)
}

/// Whether there is nodata one node further. What the ground does there is not in the bounds of the window.
fn borders_on_nodata(surface: &Surface, (columns, rows): &Window) -> bool {
    let rim = surface.rim();
    let wide = one_wider(columns, rim.west, rim.east);
    let tall = one_wider(rows, rim.south, rim.north);
    let missing = |row: usize, columns: Range<usize>| surface.row(row, columns).iter().any(|height| height.is_nan());
    let beyond = [tall.start, tall.end - 1].iter().any(|row| !rows.contains(row) && missing(*row, wide.clone()));
    beyond || rows.clone().any(|row| missing(row, wide.start..columns.start) || missing(row, columns.end..wide.end))
}

/// Of all patches between these nodes and the creases around and between them, and how far the patches are from given slopes. Nodata does not count.
fn shape(surface: &Surface, (columns, rows): &Window, slope_x: f64, slope_y: f64) -> (Unevenness, SlopeSpread) {
    let (Lattice { dx, dy, .. }, rim) = (*surface.lattice(), surface.rim());
    let (rise_x, rise_y) = (slope_x * dx, slope_y * dy);
    // Creases on the window's rim have a far side.
    let wide = one_wider(columns, rim.west, rim.east);
    let within = columns.start - wide.start..columns.end - wide.start;
    let (mut bend_x, mut bend_y, mut twist, mut off_x, mut off_y) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for row in rows.clone() {
        let wider = surface.row(row, wide.clone());
        for at in wider.windows(3) {
            bend_x = larger(bend_x, 2.0 * at[1] - at[0] - at[2]);
        }
        let here = &wider[within.clone()];
        // A patch's slope along x is largest and smallest on its southern and northern side.
        for at in here.windows(2) {
            off_x = larger(off_x, (at[1] - at[0] - rise_x).abs());
        }
        if row == rim.north {
            continue;
        }
        let north = surface.row(row + 1, columns.clone());
        if row > rim.south {
            let south = surface.row(row - 1, columns.clone());
            for k in 0..here.len().min(south.len()).min(north.len()) {
                bend_y = larger(bend_y, 2.0 * here[k] - south[k] - north[k]);
            }
        }
        if row + 1 < rows.end {
            for k in 0..here.len().min(north.len()) {
                off_y = larger(off_y, (north[k] - here[k] - rise_y).abs());
            }
            for (south, north) in here.windows(2).zip(north.windows(2)) {
                twist = larger(twist, (north[1] - north[0] - south[1] + south[0]).abs());
            }
        }
    }
    let uneven = Unevenness { bend: larger(bend_x / dx, bend_y / dy), twist: twist / (dx * dy) };
    (uneven, SlopeSpread { x: off_x / dx, y: off_y / dy })
}

/// A maximum that NaN does not enter, in one machine instruction.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Field;

    fn rough(nx: usize, ny: usize) -> Surface {
        let lattice = Lattice { nx, ny, x0: 2.6e6, y0: 1.2e6, dx: 2.0, dy: 1.5 };
        let height = |k: usize| 800.0 + (k % nx) as f64 * 1.3 + ((k * 7919) % 101) as f64 * 0.02;
        Surface::new(Field { lattice, values: (0..nx * ny).map(height).collect() }).unwrap()
    }

    /// No point of the window's terrain is above the plane, and some node is within the slack of it.
    #[test]
    fn terrain_stays_below() {
        let surface = rough(40, 30);
        for (x, y) in [(20.0, 20.0), (41.3, 7.7), (0.5, 0.5), (77.9, 43.4)] {
            let ceiling = Ceiling::around(&surface, x, y, 3.0);
            let mut nearest = f64::INFINITY;
            for i in 0..=120 {
                for j in 0..=120 {
                    let (px, py) = (x - 3.0 + 0.05 * f64::from(i), y - 3.0 + 0.05 * f64::from(j));
                    let Some(height) = surface.height(px, py) else { continue };
                    let above = ceiling.above(&Vector3::new(px, py, height));
                    assert!(above <= 0.0, "{above} at {px} {py}");
                    nearest = nearest.min(-above);
                }
            }
            assert!(ceiling.covers(x, y, 3.0) && nearest < 0.1, "{nearest}");
        }
    }

    /// On a plane the bound is the plane itself.
    #[test]
    fn tight_on_a_slope() {
        let lattice = Lattice { nx: 20, ny: 20, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let values = (0..400).map(|k| 500.0 - 0.8 * (k % 20) as f64 + 0.3 * (k / 20) as f64).collect();
        let surface = Surface::new(Field { lattice, values }).unwrap();
        let ceiling = Ceiling::around(&surface, 9.0, 9.0, 2.0);
        let on_ground = Vector3::new(9.3, 8.8, surface.height(9.3, 8.8).unwrap());
        let above = ceiling.above(&on_ground);
        assert!((-2.0 * SLACK_M..=0.0).contains(&above), "{above}");
        assert!(ceiling.complete && ceiling.uneven.bend < 1e-9 && ceiling.uneven.twist < 1e-9 && ceiling.depth < 1e-5);
    }

    /// Over the rim and a hole the plane is above the ground that contacts see, and says that it is no ground to fly over.
    #[test]
    fn continued_ground_stays_below() {
        let (whole, lattice) = (rough(40, 30), Lattice { nx: 60, ny: 50, x0: 0.0, y0: 0.0, dx: 2.0, dy: 1.5 });
        // The same terrain with room around it, as in a rock's frame, and a hole.
        let at = |k: usize| (k % 60).checked_sub(10).zip((k / 60).checked_sub(10));
        let height = |k: usize| match at(k) {
            Some((column, row)) if column < 40 && row < 30 && (column, row) != (20, 15) => {
                whole.node_height(column, row)
            }
            _ => f64::NAN,
        };
        let surface = Surface::new(Field { lattice, values: (0..lattice.len()).map(height).collect() }).unwrap();
        for (x, y) in [(20.5, 40.0), (98.0, 58.0), (60.0, 37.0), (19.0, 14.0)] {
            let ceiling = Ceiling::at_the_rim(&surface, x, y, 2.0);
            assert!(!ceiling.complete && ceiling.covers(x, y, 2.0) && ceiling.uneven.bend.is_finite(), "{x} {y}");
            for k in 0..=1600 {
                let (px, py) = (x - 2.0 + 0.1 * f64::from(k % 40), y - 2.0 + 0.1 * f64::from(k / 40));
                let height = surface.ground_spot(px, py).unwrap().height;
                assert!(ceiling.above(&Vector3::new(px, py, height)) <= 0.0, "{px} {py}");
            }
        }
        // Where the lattice itself ends, too; far from all ground there is nothing.
        let ceiling = Ceiling::at_the_rim(&whole, 0.3, 44.0, 2.0);
        for k in 0..=1600 {
            let (px, py) = (-1.7 + 0.1 * f64::from(k % 40), 42.0 + 0.1 * f64::from(k / 40));
            let height = whole.ground_spot(px, py).unwrap().height;
            assert!(ceiling.above(&Vector3::new(px, py, height)) <= 0.0, "{px} {py}");
        }
        assert!(!Ceiling::at_the_rim(&whole, -500.0, 40.0, 2.0).covers(-500.0, 40.0, 0.1));
    }

    /// At the edge, next to nodata and far outside nothing is promised.
    #[test]
    fn incomplete_windows_say_so() {
        let surface = rough(40, 30);
        assert!(!Ceiling::around(&surface, 1.0, 20.0, 3.0).complete);
        assert!(!Ceiling::around(&surface, f64::NAN, 20.0, 3.0).covers(f64::NAN, 20.0, 0.0));
        assert!(!Ceiling::around(&surface, -1e9, 20.0, 3.0).covers(-1e9, 20.0, 1.0));
        let lattice = *surface.lattice();
        let mut values: Vec<f64> = (0..lattice.len()).map(|k| surface.node_height(k % 40, k / 40)).collect();
        values[15 * 40 + 10] = f64::NAN;
        let holed = Surface::new(Field { lattice, values }).unwrap();
        let ceiling = Ceiling::around(&holed, 20.0, 22.0, 3.0);
        assert!(!ceiling.complete && ceiling.level.is_finite());
    }
}
