//! Edges of the rock against the terrain between its nodes.
//!
//! Along an edge of the hull the vertical gap is smallest at an end, where the edge crosses a crest (a grid line across which
//! the ground is convex), or over the inside of a patch that is concave along the edge. Such a point is a contact if the gap
//! is a minimum across the edge as well: the contact's normal, perpendicular to edge and crest, lies between the normals of
//! the edge's two faces and between those of the crest's two sides. Where it does not, the gap falls towards another point
//! of the hull, which is found there.

mod walk;

use std::f64::consts::SQRT_2;

use nalgebra::Vector3;

use super::contact::{Look, MARGIN_M, Touch};
use super::sides::Edge;
use crate::terrain::{Across, Crease, Unevenness};
use walk::walk;

/// How far a normal may lie outside, rad: a face that rests along a crest keeps both ends of its contact line.
pub const SLACK: f64 = 0.05;
/// A crest whose slope jumps by more is steep enough to stand beside a face instead of below it.
pub const SHARP: f64 = 1.0;
/// Deeper than this, m, a sharp crest may have come in through another side than the one above it.
pub const DEEP_M: f64 = 0.01;
/// By how much a patch must rise above a corner at the end of its stretch of edge, m.
pub const RISES_M: f64 = 5e-4;

/// What rounding may make of a height, m.
const ROUNDING_M: f64 = 1e-6;

/// Keys of edges begin above all vertices and nodes.
const CROSSING_KEY: u64 = 1 << 62;
const PATCH_KEY: u64 = 1 << 63;
const EDGE_SHIFT: u32 = 42;

/// A point of an edge where the gap may be smallest.
struct Point {
    key: u64,
    /// Share of the edge's length.
    share: f64,
    place: Vector3<f64>,
    /// Vertical gap, m.
    gap: f64,
    ground: Ground,
}

/// The ground below it.
enum Ground {
    Crest(Across, Crease),
    /// A patch with its upward normal.
    Patch(Vector3<f64>),
}

/// What is known of the vertices.
pub struct Gaps<'a> {
    /// Above the ceiling, m.
    pub heights: &'a [f64],
    /// Lower bounds of their gaps, m.
    pub gaps: &'a [f64],
}

/// The smaller of `clearance` and the smallest vertical gap of an edge between its ends.
pub fn clearance(look: &Look, gaps: &Gaps, mut clearance: f64) -> f64 {
    visit(look, gaps, clearance, |_, _, point| {
        clearance = clearance.min(point.gap);
        clearance
    });
    clearance
}

/// Adds the points of edges at or below the ground, with the ground lowered by `depth`. `spare` becomes the smallest gap of the others.
pub fn touches(look: &Look, gaps: &Gaps, depth: f64, touches: &mut Vec<Touch>, spare: &mut f64) {
    let others = touches.len();
    visit(look, gaps, MARGIN_M - depth, |edge, line, point| {
        let gap = point.gap + depth;
        match (gap <= 0.0).then(|| touch(look, edge, line, &point, depth)).flatten() {
            Some(touch) => touches.push(touch),
            None => *spare = spare.min(gap),
        }
        MARGIN_M - depth
    });
    // In an order that what is known beforehand does not change.
    touches[others..].sort_unstable_by_key(|touch| touch.key);
}

/// What [`touches`] adds for one key, with or without others that say the same; `Err` if the key is not of an edge.
pub(super) fn touch_again(look: &Look, key: u64, depth: f64) -> Result<Option<Touch>, ()> {
    let index = (key & (CROSSING_KEY - 1)) >> EDGE_SHIFT;
    let edge = look.setup.sides.edges.get(index as usize).filter(|_| key >= CROSSING_KEY).ok_or(())?;
    let [from, to] = edge.ends.map(|k| look.pose.place(&look.rock.vertices[k]));
    let above = [from, to].map(|end| look.ceiling.map_or(f64::NEG_INFINITY, |ceiling| ceiling.above(&end)));
    let line = Line { from, way: to - from };
    let reach = Reach { gaps: [f64::NEG_INFINITY; 2], above, most: MARGIN_M - depth };
    let mut found = None;
    walk(look, &line, &reach, index << EDGE_SHIFT, &mut |point| {
        if point.key == key && point.gap + depth <= 0.0 {
            found = touch(look, edge, &line, &point, depth);
        }
    });
    Ok(found)
}

/// An edge in the inertial frame.
struct Line {
    from: Vector3<f64>,
    way: Vector3<f64>,
}

/// What is known of an edge before the ground below it is looked at, m.
struct Reach {
    /// At its lower and its upper end.
    gaps: [f64; 2],
    /// Heights of its ends above the ceiling.
    above: [f64; 2],
    /// Larger gaps do not matter.
    most: f64,
}

/// Calls `found` for points of edges that may be nearer to the ground than `most`; it returns the new `most`.
fn visit(look: &Look, gaps: &Gaps, mut most: f64, mut found: impl FnMut(&Edge, &Line, Point) -> f64) {
    let Gaps { heights, gaps } = *gaps;
    let sides = &look.setup.sides;
    let up = look.pose.rotation.tr_mul(&Vector3::z());
    let uneven = look.unevenness();
    let fall = falls(look, &uneven);
    let most_fall = fall(sides.longest_edge);
    // Each edge from its lower end.
    for (vertex, &low) in gaps.iter().enumerate() {
        if low - 0.25 * most_fall > most {
            continue;
        }
        for end in sides.edges_at(vertex) {
            let high = gaps[end.other];
            let is_lower = low < high || (low == high && vertex < end.other);
            // Above the ceiling at both ends is above it all along.
            if !is_lower
                || stays_above(low, high, fall(end.length), most)
                || heights[vertex].min(heights[end.other]) > most
            {
                continue;
            }
            let edge = &sides.edges[end.edge];
            // Points above the lower side have larger gaps.
            if edge.faces.iter().all(|face| sides.planes[*face].normal.dot(&up) > 0.0) {
                continue;
            }
            let [from, to] = edge.ends.map(|k| look.pose.place(&look.rock.vertices[k]));
            let line = Line { from, way: to - from };
            let key = (end.edge as u64) << EDGE_SHIFT;
            let reach = Reach { gaps: [low, high], above: edge.ends.map(|k| heights[k]), most };
            follow(look, &line, &reach, &uneven, key, &mut |point| most = found(edge, &line, point));
        }
    }
}

/// The most by which the ground below an edge so long can fall off, as a height, m: what [`follow`] will find, for any edge of the rock. It
/// crosses no more grid lines than its length allows, and none that do not lie below the rock.
#[inline(always)]
fn falls(look: &Look, uneven: &Unevenness) -> impl Fn(f64) -> f64 {
    let (lattice, radius) = (look.surface.lattice(), look.rock.bounding_radius);
    let below = |centre: f64, cell: f64| {
        f64::from((((centre + radius) / cell) as u32).abs_diff(((centre - radius) / cell) as u32))
    };
    let columns = below(look.pose.position.x, lattice.dx);
    let rows = below(look.pose.position.y, lattice.dy);
    // columns |x| + rows |y| on a way (x, y), and |x y| ≤ ½ length².
    let crossed = (columns * columns + rows * rows).sqrt();
    let (bend, twist, per_cell) = (uneven.bend, 0.5 * uneven.twist, look.setup.per_cell);
    move |length| length * (bend * crossed.min(length * per_cell + SQRT_2) + twist * length)
}

/// Whether the gap along an edge is above `most`, or smallest at an end: with the gaps g₀ ≤ g₁ at the ends and the slope of the ground
/// falling by s in all on the way ℓ between them, the gap at the share t is at least
///
///   g₀ + (g₁ − g₀) t − s ℓ t (1 − t),
///
/// which falls from g₀ if s ℓ > g₁ − g₀, and then by (s ℓ − (g₁ − g₀))² / (4 s ℓ). Gaps at the ends below `most` must be exact,
/// above it they may be bounds. False for NaN.
#[inline(always)]
fn stays_above(low: f64, high: f64, fall: f64, most: f64) -> bool {
    let lack = fall - (high - low);
    lack <= 0.0 || (low > most && 4.0 * fall * (low - most) > lack * lack)
}

/// Looks at the ground below one edge, if it may reach it, now that it is known which cells lie below it.
#[inline]
fn follow(look: &Look, line: &Line, reach: &Reach, uneven: &Unevenness, key: u64, found: &mut impl FnMut(Point)) {
    let (Line { from, way }, [low, high]) = (line, reach.gaps);
    let lattice = look.surface.lattice();
    // Whole numbers by cutting off: coordinates on the terrain are not negative.
    let crossed = |from: f64, way: f64, cell: f64| ((from / cell) as u32).abs_diff(((from + way) / cell) as u32);
    let columns = crossed(from.x, way.x, lattice.dx);
    let rows = crossed(from.y, way.y, lattice.dy);
    let (x, y) = (way.x.abs(), way.y.abs());
    // Over a patch the slope falls steadily: that counts half.
    let fall = uneven.bend * (f64::from(columns) * x + f64::from(rows) * y) + uneven.twist * x * y;
    if !stays_above(low, high, fall, reach.most) {
        walk(look, line, reach, key, found);
    }
}

/// The contact at a point at or below the ground lowered by `depth`; `None` if the gap is no minimum there.
fn touch(look: &Look, edge: &Edge, line: &Line, point: &Point, depth: f64) -> Option<Touch> {
    let way = line.way / edge.length;
    let normal = match &point.ground {
        Ground::Crest(across, crease) => {
            let [along, before, after] = tangents(*across, crease);
            let normal = way.cross(&along).try_normalize(1e-6)?;
            let normal = if normal.z < 0.0 { -normal } else { normal };
            let between = normal.dot(&before) <= SLACK && normal.dot(&after) <= SLACK;
            between.then_some(normal)?
        }
        Ground::Patch(normal) => (normal - way * normal.dot(&way)).try_normalize(1e-6)?,
    };
    if normal.z <= 1e-6 || !lies_between_faces(look, edge, &normal) {
        return None;
    }
    let [a, b] = edge.ends.map(|k| look.rock.vertices[k]);
    let arm = a + (b - a) * point.share;
    let (x, y) = (point.place.x, point.place.y);
    let touch = Touch { key: point.key, arm, normal, x, y, gap: (point.gap + depth) * normal.z };
    match &point.ground {
        Ground::Crest(across, crease) if crease.bend() > SHARP && touch.gap < -DEEP_M => {
            let crest = Vector3::new(x, y, crease.height - depth);
            Some(through_nearest_side(look, &crest, &tangents(*across, crease), touch))
        }
        _ => Some(touch),
    }
}

/// Unit vectors along a crease and down its two sides.
fn tangents(across: Across, crease: &Crease) -> [Vector3<f64>; 3] {
    let across_and_along = |across_by: f64, along_by: f64, rise: f64| match across {
        Across::X => Vector3::new(across_by, along_by, rise).normalize(),
        Across::Y => Vector3::new(along_by, across_by, rise).normalize(),
    };
    [
        across_and_along(0.0, 1.0, crease.along),
        across_and_along(-1.0, 0.0, -crease.before),
        across_and_along(1.0, 0.0, crease.after),
    ]
}

/// Whether a normal perpendicular to an edge points away from the rock between the edge's faces.
fn lies_between_faces(look: &Look, edge: &Edge, normal: &Vector3<f64>) -> bool {
    let out = -look.pose.rotation.tr_mul(normal);
    let [m1, m2] = edge.faces.map(|face| look.setup.sides.planes[face].normal);
    let axis = m1.cross(&m2);
    let slack = SLACK * axis.norm();
    out.cross(&m2).dot(&axis) >= -slack && m1.cross(&out).dot(&axis) >= -slack
}

/// A sharp crest deep inside the rock has come in through the side it is nearest to: of all directions perpendicular to the
/// crest in which the hull could be moved off it, and which point away from both its sides, the shortest way.
fn through_nearest_side(look: &Look, crest: &Vector3<f64>, tangents: &[Vector3<f64>; 3], above: Touch) -> Touch {
    let (rotation, sides) = (&look.pose.rotation, &look.setup.sides);
    let point = rotation.tr_mul(&(crest - look.pose.position));
    let [along, before, after] = tangents.map(|tangent| rotation.tr_mul(&tangent));
    let mut nearest = above;
    for edge in &sides.edges {
        let [s1, s2] = edge.faces.map(|face| sides.planes[face].normal.dot(&along));
        if s1 * s2 > 0.0 {
            continue; // not on the outline seen along the crest
        }
        let [a, b] = edge.ends.map(|k| look.rock.vertices[k]);
        let Some(out) = (b - a).cross(&along).try_normalize(1e-6 * edge.length) else { continue };
        let out = if out.dot(&a) < 0.0 { -out } else { out };
        let inside = out.dot(&(a - point));
        let between = -out.dot(&before) <= SLACK && -out.dot(&after) <= SLACK;
        if between && inside >= 0.0 && inside < -nearest.gap {
            nearest = Touch { arm: point, normal: -(rotation * out), gap: -inside, ..above };
        }
    }
    nearest
}
