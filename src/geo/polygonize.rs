//! Zones as polygons that share their boundaries: no gap, no overlap, valid by construction.
//!
//! The boundary between cells of different class is cut into arcs at the corners where three or four zones meet. Each
//! arc is smoothed once and used by both its neighbours, so they stay coincident. Smoothing cannot make arcs cross: an
//! arc is drawn through the midpoints of its cell edges, each of which may slide only across its edge by less than half
//! a cell. Every piece of an arc then stays in the square around one corner, where there is no other arc.

use std::collections::HashMap;

use ::geo::{Coord, LineString, Polygon};

use crate::hazard::zones;
use crate::math;
use crate::terrain::{Field, Lattice};

/// A connected patch of one class.
#[derive(Debug, Clone, PartialEq)]
pub struct ZonePolygon {
    /// Of its cells.
    pub class: u8,
    /// Around them.
    pub polygon: Polygon<f64>,
    /// Row and column of its first cell, from the south-west.
    pub first: (usize, usize),
}

/// How far a point may slide from the middle of its cell edge, in cells; below 0.5 so that neighbours cannot meet.
const SLIDE: f64 = 0.45;
const SMOOTHING_ROUNDS: usize = 12;
/// Points closer to the straight line between their neighbours than this are dropped, in cells.
const STRAIGHT: f64 = 0.01;

/// All patches of a cleaned raster (see [`zones::clean`]; equal cells must not touch at a corner only), in world
/// coordinates, in the order of their south-western cell.
pub fn polygonize(raster: &Field<u8>) -> Vec<ZonePolygon> {
    let (lattice, patches) = {
        let part = zones::cropped(raster);
        (part.lattice, zones::patches(&part))
    };
    let tracer = Tracer { nx: lattice.nx as i32, ny: lattice.ny as i32, labels: &patches.labels };
    let mut rings: Vec<Vec<LineString<f64>>> = vec![Vec::new(); patches.classes.len()];
    let mut shells: Vec<Option<LineString<f64>>> = vec![None; patches.classes.len()];
    tracer.for_each_ring(&tracer.arcs(), |label, ring| {
        let line = to_world(ring, &lattice);
        // The patch is to the left of its boundary: its shell runs counter-clockwise, its holes clockwise.
        if signed_area(ring) > 0.0 { shells[label as usize] = Some(line) } else { rings[label as usize].push(line) }
    });
    let (column, row) = raster.lattice.first_of(&lattice);
    let parts = shells.into_iter().zip(rings).zip(patches.classes.iter().zip(&patches.firsts));
    let patch = |((shell, holes), (&class, &first)): ((Option<LineString<f64>>, _), (&u8, &u32))| {
        let nx = lattice.nx.max(1);
        let first = (row + first as usize / nx, column + first as usize % nx);
        Some(ZonePolygon { class, polygon: Polygon::new(shell?, holes), first })
    };
    parts.filter_map(patch).collect()
}

type Corner = (i32, i32);

/// East, north, west, south.
const STEPS: [Corner; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// A boundary between two junctions, or a closed one that meets none.
struct Arc {
    /// First and last corner, and the direction in which the arc is entered there.
    ends: [(Corner, usize); 2],
    closed: bool,
    /// Smoothed, in corner coordinates (cells); a closed arc repeats its first point at the end.
    points: Vec<[f64; 2]>,
}

struct Tracer<'a> {
    nx: i32,
    ny: i32,
    /// With a cell of background on every side: a corner has four cells wherever it is.
    labels: &'a [u32],
}

impl Tracer<'_> {
    fn label(&self, column: i32, row: i32) -> u32 {
        self.labels[(row + 1) as usize * (self.nx as usize + 2) + (column + 1) as usize]
    }

    /// Labels to the left and right of the edge that leaves a corner in a direction.
    fn sides(&self, (x, y): Corner, direction: usize) -> (u32, u32) {
        let (south_west, south_east) = ((x - 1, y - 1), (x, y - 1));
        let (north_west, north_east) = ((x - 1, y), (x, y));
        let (left, right) = match direction {
            0 => (north_east, south_east),
            1 => (north_west, north_east),
            2 => (south_west, north_west),
            _ => (south_east, south_west),
        };
        (self.label(left.0, left.1), self.label(right.0, right.1))
    }

    fn is_edge(&self, corner: Corner, direction: usize) -> bool {
        let (left, right) = self.sides(corner, direction);
        left != right
    }

    /// Number of edges that meet in a corner.
    fn degree(&self, (x, y): Corner) -> usize {
        let (south_west, south_east) = (self.label(x - 1, y - 1), self.label(x, y - 1));
        let (north_west, north_east) = (self.label(x - 1, y), self.label(x, y));
        let around = [south_west, south_east, north_east, north_west];
        (0..4).filter(|&i| around[i] != around[(i + 1) % 4]).count()
    }

    /// The corners of a row where not all four cells are the same.
    fn corners(&self, y: i32) -> impl Iterator<Item = Corner> {
        let across = self.nx as usize + 2;
        let rows = &self.labels[y as usize * across..][..2 * across];
        let cells = rows[..across].windows(2).zip(rows[across..].windows(2));
        let mixed = cells.enumerate().filter(|(_, (south, north))| south[0] != south[1] || south != north);
        mixed.map(move |(x, _)| (x as i32, y))
    }

    fn arcs(&self) -> Vec<Arc> {
        let across = self.nx as usize + 1;
        let mut seen = Seen { across, edges: vec![[false; 2]; across * (self.ny as usize + 1)] };
        let mut arcs = Vec::new();
        // Junctions first: what is left then are closed boundaries without one.
        for closed in [false, true] {
            for corner in (0..=self.ny).flat_map(|y| self.corners(y)) {
                if closed == (self.degree(corner) >= 3) {
                    continue;
                }
                for direction in 0..4 {
                    if self.is_edge(corner, direction) && !*seen.edge(corner, direction) {
                        arcs.push(Arc::new(&self.walk(corner, direction, &mut seen), closed));
                    }
                }
            }
        }
        arcs
    }

    /// Follows the boundary until a junction, or the start.
    fn walk(&self, start: Corner, direction: usize, seen: &mut Seen) -> Vec<Corner> {
        let mut corners = vec![start];
        let (mut at, mut heading) = (start, direction);
        loop {
            *seen.edge(at, heading) = true;
            at = (at.0 + STEPS[heading].0, at.1 + STEPS[heading].1);
            corners.push(at);
            if at == start || self.degree(at) >= 3 {
                return corners;
            }
            let back = (heading + 2) % 4;
            match (0..4).find(|&next| next != back && self.is_edge(at, next)) {
                Some(next) => heading = next,
                None => return corners,
            }
        }
    }

    /// Calls `each` with every closed ring of points and the label to its left; the background has none.
    fn for_each_ring(&self, arcs: &[Arc], mut each: impl FnMut(u32, &[[f64; 2]])) {
        // Both ends of every arc, by the corner and direction in which it is entered.
        let mut entries: HashMap<(Corner, usize), (usize, bool)> = HashMap::new();
        for (index, arc) in arcs.iter().enumerate() {
            entries.insert(arc.ends[0], (index, true));
            entries.insert(arc.ends[1], (index, false));
        }
        let mut used = vec![[false; 2]; arcs.len()];
        for first in 0..arcs.len() {
            for forward in [true, false] {
                let (start, direction) = arcs[first].entry(forward);
                let label = self.sides(start, direction).0;
                if label == 0 || used[first][usize::from(forward)] {
                    continue;
                }
                let mut ring = Vec::new();
                let (mut index, mut ahead) = (first, forward);
                while !used[index][usize::from(ahead)] {
                    used[index][usize::from(ahead)] = true;
                    append(&mut ring, &arcs[index].points, ahead);
                    if arcs[index].closed {
                        break;
                    }
                    let (end, back) = arcs[index].entry(!ahead);
                    let arriving = (back + 2) % 4;
                    // Leftmost turn that keeps the patch to the left.
                    let turns = [(arriving + 1) % 4, arriving, (arriving + 3) % 4];
                    let next = turns.into_iter().find(|&turn| {
                        let (left, right) = self.sides(end, turn);
                        left == label && right != label
                    });
                    match next.and_then(|turn| entries.get(&(end, turn))) {
                        Some(&(i, a)) => (index, ahead) = (i, a),
                        None => break,
                    }
                }
                each(label, &ring);
            }
        }
    }
}

/// Edges already walked along: two for each corner, to the east and to the north.
struct Seen {
    across: usize,
    edges: Vec<[bool; 2]>,
}

impl Seen {
    /// The same for an edge whichever end it is seen from.
    fn edge(&mut self, (x, y): Corner, direction: usize) -> &mut bool {
        let (x, y, north) = match direction {
            0 => (x, y, 0),
            1 => (x, y, 1),
            2 => (x - 1, y, 0),
            _ => (x, y - 1, 1),
        };
        &mut self.edges[y as usize * self.across + x as usize][north]
    }
}

impl Arc {
    fn new(corners: &[Corner], closed: bool) -> Self {
        let last = corners.len() - 1;
        let ends =
            [(corners[0], heading(corners[0], corners[1])), (corners[last], heading(corners[last], corners[last - 1]))];
        let mut points = smoothed(corners, closed);
        points.shrink_to_fit();
        Self { ends, closed, points }
    }

    /// Corner and direction in which the arc is entered.
    fn entry(&self, forward: bool) -> (Corner, usize) {
        self.ends[usize::from(!forward)]
    }
}

fn heading(from: Corner, to: Corner) -> usize {
    STEPS.iter().position(|&step| step == (to.0 - from.0, to.1 - from.1)).unwrap_or(0)
}

/// Adds an arc's points without repeating the last one.
fn append(ring: &mut Vec<[f64; 2]>, points: &[[f64; 2]], forward: bool) {
    let mut add = |point: &[f64; 2]| {
        if ring.last() != Some(point) {
            ring.push(*point);
        }
    };
    if forward { points.iter().for_each(&mut add) } else { points.iter().rev().for_each(&mut add) }
}

fn smoothed(corners: &[Corner], closed: bool) -> Vec<[f64; 2]> {
    let position = |(x, y): Corner| [f64::from(x), f64::from(y)];
    let middles: Vec<[f64; 2]> = corners.windows(2).map(|w| mix(position(w[0]), position(w[1]), 0.5)).collect();
    let across: Vec<bool> = corners.windows(2).map(|w| w[0].1 == w[1].1).collect();
    let (mut points, mut old) = (middles.clone(), Vec::new());
    let count = points.len();
    let ends = [position(corners[0]), position(corners[corners.len() - 1])];
    // Taubin's smoothing: a step towards the neighbours and a slightly larger one back, so that zones do not shrink.
    for weight in [0.5, -0.52].into_iter().cycle().take(2 * SMOOTHING_ROUNDS) {
        old.clone_from(&points);
        let (first, last) = if closed { (old[count - 1], old[0]) } else { (ends[0], ends[1]) };
        for i in 0..count {
            let before = if i > 0 { &old[i - 1] } else { &first };
            let after = old.get(i + 1).unwrap_or(&last);
            // A horizontal edge's point slides in y, a vertical one's in x.
            let axis = usize::from(across[i]);
            let wanted = old[i][axis] + weight * (0.5 * (before[axis] + after[axis]) - old[i][axis]);
            points[i][axis] = wanted.clamp(middles[i][axis] - SLIDE, middles[i][axis] + SLIDE);
        }
    }
    let points = if closed {
        points.push(points[0]);
        cut_corners(&points, true)
    } else {
        cut_corners(&[&ends[..1], &points, &ends[1..]].concat(), false)
    };
    without_straight(&points)
}

/// One round of Chaikin's corner cutting; the ends of an open arc stay.
fn cut_corners(points: &[[f64; 2]], closed: bool) -> Vec<[f64; 2]> {
    let mut out = Vec::with_capacity(2 * points.len());
    let last = points.len() - 1;
    for (i, pair) in points.windows(2).enumerate() {
        out.push(if i == 0 && !closed { pair[0] } else { mix(pair[0], pair[1], 0.25) });
        out.push(if i + 1 == last && !closed { pair[1] } else { mix(pair[0], pair[1], 0.75) });
    }
    if closed {
        out.push(out[0]);
    }
    out
}

/// Drops points that lie on the line from the last kept point to the next one; keeps both ends.
fn without_straight(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut out = vec![points[0]];
    let mut skipped: Vec<[f64; 2]> = Vec::new();
    for pair in points.windows(2) {
        let (from, to) = (out[out.len() - 1], pair[1]);
        let length = math::hypot(to[0] - from[0], to[1] - from[1]);
        let off = |p: &[f64; 2]| ((to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0])).abs();
        skipped.push(pair[0]);
        if length == 0.0 || skipped.iter().any(|p| off(p) > STRAIGHT * length) {
            if pair[0] != from {
                out.push(pair[0]);
            }
            skipped.clear();
        }
    }
    out.push(points[points.len() - 1]);
    out
}

fn mix(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]
}

fn signed_area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    0.5 * ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>()
}

fn to_world(ring: &[[f64; 2]], lattice: &Lattice) -> LineString<f64> {
    let (west, south, ..) = lattice.extent();
    let world = |p: &[f64; 2]| Coord { x: west + p[0] * lattice.dx, y: south + p[1] * lattice.dy };
    let mut line: Vec<Coord<f64>> = ring.iter().map(world).collect();
    if line.first() != line.last() {
        line.extend(line.first().copied());
    }
    LineString::new(line)
}
