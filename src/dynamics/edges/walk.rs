//! Along one edge from cell to cell: where it crosses crests, and over patches that may rise between its ends.

use std::ops::Range;

use super::super::contact::Look;
use super::{CROSSING_KEY, EDGE_SHIFT, Ground, Line, PATCH_KEY, Point, RISES_M, ROUNDING_M, Reach};
use crate::terrain::{Across, Ceiling, Surface};

/// The grid lines of one direction that an edge crosses, in the order in which it does.
struct Crossings {
    lines: Range<usize>,
    cell: f64,
    from: f64,
    way: f64,
    /// The next one, and the share of the edge where it is; 1 if there is none.
    next: usize,
    share: f64,
}

impl Crossings {
    /// Between two coordinates, of the lines from `first` to `last`.
    #[inline(always)]
    fn of(from: f64, way: f64, cell: f64, first: usize, last: usize) -> Self {
        let to = from + way;
        // Whole numbers by cutting off: coordinates on the terrain are not negative. A grid line at an end is met by the vertex there.
        let low = ((from.min(to) / cell) as usize).max(first) + 1;
        let high = ((from.max(to) / cell) as usize).min(last.saturating_sub(1));
        let mut crossings = Self { lines: low..(high + 1).max(low), cell, from, way, next: 0, share: 1.0 };
        crossings.advance();
        crossings
    }

    fn is_over(&self) -> bool {
        self.next == 0
    }

    #[inline(always)]
    fn advance(&mut self) {
        let next = if self.way > 0.0 { self.lines.next() } else { self.lines.next_back() };
        self.next = next.unwrap_or(0);
        self.share = next.map_or(1.0, |line| ((line as f64 * self.cell - self.from) / self.way).clamp(0.0, 1.0));
    }
}

/// Follows an edge from cell to cell.
pub(super) fn walk(look: &Look, line: &Line, reach: &Reach, key: u64, found: &mut impl FnMut(Point)) {
    let (lattice, rim) = (look.surface.lattice(), look.surface.rim());
    let Line { from, way } = line;
    let twisted = look.ceiling.is_none_or(|ceiling| ceiling.uneven.twist > look.setup.smooth.twist);
    let mut columns = Crossings::of(from.x, way.x, lattice.dx, rim.west, rim.east);
    let mut rows = Crossings::of(from.y, way.y, lattice.dy, rim.south, rim.north);
    let mut begin = 0.0;
    loop {
        let end = columns.share.min(rows.share);
        if twisted {
            stretch(look, line, reach, key, [begin, end], found);
        }
        let (across, crossed) = if columns.share <= rows.share && !columns.is_over() {
            (Across::X, &mut columns)
        } else if !rows.is_over() {
            (Across::Y, &mut rows)
        } else {
            break;
        };
        crossing(look, line, reach, key, across, crossed.next, found);
        crossed.advance();
        begin = end;
    }
}

/// Where an edge crosses a grid line.
#[inline(always)]
fn crossing(
    look: &Look,
    line: &Line,
    reach: &Reach,
    key: u64,
    across: Across,
    number: usize,
    found: &mut impl FnMut(Point),
) {
    let lattice = look.surface.lattice();
    let Line { from, way } = line;
    let (axis, share) = match across {
        Across::X => (0, (number as f64 * lattice.dx - from.x) / way.x),
        Across::Y => (1, (number as f64 * lattice.dy - from.y) / way.y),
    };
    if !(0.0..=1.0).contains(&share) {
        return;
    }
    let place = from + way * share;
    let along = if axis == 0 { place.y } else { place.x };
    // Most lines are out of reach, whatever the ground is like beside them. NaN is not.
    if place.z - look.surface.height_of_line(across, number, along) > reach.most + ROUNDING_M {
        return;
    }
    let Some(crease) = look.surface.crease(across, number, along) else { return };
    if crease.bend() > look.setup.smooth.bend {
        let key = CROSSING_KEY | key | axis << (EDGE_SHIFT - 1) | number as u64;
        found(Point { key, share, place, gap: place.z - crease.height, ground: Ground::Crest(across, crease) });
    }
}

/// The part of an edge over one patch.
#[inline(always)]
fn stretch(look: &Look, line: &Line, reach: &Reach, key: u64, [begin, end]: [f64; 2], found: &mut impl FnMut(Point)) {
    let Line { from, way } = line;
    let (middle, length_squared) = (0.5 * (begin + end), (end - begin) * (end - begin));
    let place = from + way * middle;
    // A hollow, or it rises no more than this above the ends of the stretch.
    let hardly_rises = |curvature: f64| 0.125 * curvature * length_squared < ROUNDING_M;
    // Half of all patches are hollow along an edge: that is seen from their corners.
    if let Some(ceiling) = look.ceiling.filter(|ceiling| ceiling.complete) {
        let corners = Corners::below(look.surface, place.x, place.y);
        let curvature = -2.0 * look.surface.twist(&corners.heights) * way.x * way.y;
        let [low, high] = reach.above;
        let lowest = (low + begin * (high - low)).min(low + end * (high - low));
        if hardly_rises(curvature) || lowest - corners.highest_above(look.surface, ceiling) > reach.most {
            return;
        }
    }
    let Some((spot, patch)) = look.surface.ground_patch(place.x, place.y) else { return };
    let curvature = -2.0 * patch.twist * way.x * way.y;
    if hardly_rises(curvature) {
        return;
    }
    let share = middle - (way.z - spot.slope_x * way.x - spot.slope_y * way.y) / curvature;
    let above = |end: f64| 0.5 * curvature * (share - end) * (share - end);
    if share <= begin || share >= end || above(begin).min(above(end)) < ROUNDING_M {
        return;
    }
    // Corners are contacts whatever the ground is like; where the edge crosses a grid line it is one only if the gap is smallest there.
    if (begin == 0.0 && above(begin) < RISES_M) || (end == 1.0 && above(end) < RISES_M) {
        return;
    }
    let place = from + way * share;
    let lattice = look.surface.lattice();
    // So many cells apart two patches are not below the same rock.
    let within = |cells: f64| cells as u64 & ((1 << (EDGE_SHIFT / 2)) - 1);
    let cell = within(place.y / lattice.dy) << (EDGE_SHIFT / 2) | within(place.x / lattice.dx);
    if let Some(spot) = look.surface.ground_spot(place.x, place.y) {
        let (key, gap) = (PATCH_KEY | key | cell, place.z - spot.height);
        found(Point { key, share, place, gap, ground: Ground::Patch(spot.normal()) });
    }
}

/// Heights of the nodes around a patch: south-west, south-east, north-west, north-east.
struct Corners {
    column: usize,
    row: usize,
    heights: [f64; 4],
}

impl Corners {
    #[inline(always)]
    fn below(surface: &Surface, x: f64, y: f64) -> Self {
        let (lattice, rim) = (surface.lattice(), surface.rim());
        let column = ((x / lattice.dx) as usize).clamp(rim.west, rim.east - 1);
        let row = ((y / lattice.dy) as usize).clamp(rim.south, rim.north - 1);
        Self { column, row, heights: surface.corners(column, row) }
    }

    /// How far the highest of them is above a ceiling, m: not at all but for rounding, mostly far below. The patch and its sides are no higher.
    #[inline(always)]
    fn highest_above(&self, surface: &Surface, ceiling: &Ceiling) -> f64 {
        let (lattice, up) = (surface.lattice(), &ceiling.up);
        let place = [lattice.dx * self.column as f64, lattice.dy * self.row as f64];
        let plane = ceiling.level - up.x * place[0] - up.y * place[1] + ROUNDING_M;
        let (east, north) = (-up.x * lattice.dx, -up.y * lattice.dy);
        let [here, beside, above, across] = self.heights;
        (here - plane).max(beside - plane - east).max(above - plane - north).max(across - plane - north - east)
    }
}
