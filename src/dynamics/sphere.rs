//! The contact test of a true sphere: the points of the terrain that are nearest to its centre, compared with those around
//! them. They lie inside a bilinear patch, on a crest between two patches, or at a node.

use nalgebra::Vector3;

use super::contact::{Look, Touch};
use crate::terrain::{Ceiling, Surface};

/// Contacts whose normals differ by less than this angle's cosine (11°) are one.
const SAME_CONTACT: f64 = 0.98;
/// Steeper than this a vertical gap says nothing.
const MIN_NORMAL_Z: f64 = 0.05;
/// Twist of a patch times the sphere's radius from which more than one point of the patch is looked for.
const HOLLOW: f64 = 0.25;
/// Rounding of what is nearest, as a share of the distance.
const ROUNDING: f64 = 1e-6;

/// Vertical gap between the sphere and the ground, along the ground's normal at the point of support. Exact on a plane.
/// `lowest` is a lower bound.
pub fn clearance(look: &Look, radius: f64, lowest: f64) -> f64 {
    let (surface, centre, mut gap) = (look.surface, &look.pose.position, f64::INFINITY);
    let mut support = *centre;
    for _ in 0..4 {
        let Some(spot) = surface.spot(support.x, support.y) else { break };
        let point = centre - spot.normal() * radius;
        support = point;
        if let Some(here) = surface.gap(&point) {
            gap = gap.min(here);
        }
    }
    let uneven = |ceiling: &Ceiling| !ceiling.complete || ceiling.uneven.exceeds(&look.setup.smooth);
    // On uneven ground something beside the point of support may be nearer.
    if lowest < gap && look.ceiling.is_none_or(uneven) {
        visit_nearest(surface, centre, radius, |near| {
            gap = gap.min((near.distance - radius) / near.normal.z.max(MIN_NORMAL_Z));
        });
    }
    gap
}

struct Near {
    distance: f64,
    normal: Vector3<f64>,
    point: Vector3<f64>,
}

/// Contacts with the terrain lowered by `depth`.
pub fn touches(look: &Look, radius: f64, depth: f64, touches: &mut Vec<Touch>) {
    let (surface, pose) = (look.surface, look.pose);
    // Lowering the ground is raising the rock.
    let centre = pose.position + Vector3::z() * depth;
    let mut near = Vec::new();
    match surface.spot(centre.x, centre.y) {
        // A centre below ground must come up, whatever is near.
        Some(spot) if spot.height > centre.z => {
            let (normal, point) = (spot.normal(), Vector3::new(centre.x, centre.y, spot.height));
            near.push(Near { distance: (centre.z - spot.height) * normal.z, normal, point });
        }
        _ => visit_nearest(surface, &centre, radius, |candidate| {
            if candidate.distance <= radius {
                near.push(candidate);
            }
        }),
    }
    near.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let first = touches.len();
    for candidate in near {
        let known = |touch: &Touch| touch.normal.dot(&candidate.normal) > SAME_CONTACT;
        if touches[first..].iter().any(known) {
            continue;
        }
        touches.push(Touch {
            key: (touches.len() - first) as u64,
            arm: pose.rotation.tr_mul(&(candidate.normal * -radius)),
            normal: candidate.normal,
            x: candidate.point.x,
            y: candidate.point.y,
            gap: candidate.distance - radius,
        });
    }
}

/// Calls `found` for the points of the terrain below the sphere's footprint that are nearer to its centre than the terrain
/// around them.
fn visit_nearest(surface: &Surface, centre: &Vector3<f64>, radius: f64, mut found: impl FnMut(Near)) {
    let (lattice, rim) = (*surface.lattice(), *surface.rim());
    let range = |centre: f64, cell: f64, first: usize, last: usize| {
        let low = ((centre - radius) / cell).floor().max(first as f64);
        let high = ((centre + radius) / cell).floor().min(last as f64 - 1.0);
        if low <= high { low as usize..high as usize + 1 } else { 0..0 }
    };
    let columns = range(centre.x, lattice.dx, rim.west, rim.east);
    let rows = range(centre.y, lattice.dy, rim.south, rim.north);
    if columns.is_empty() || rows.is_empty() {
        return;
    }
    let mut found = |near: Option<Near>| near.into_iter().for_each(&mut found);
    for row in rows.start..rows.end + 1 {
        for column in columns.start..columns.end + 1 {
            let (inside_x, inside_y) = (column < columns.end, row < rows.end);
            if inside_x && inside_y {
                let (west, south) = (column as f64 * lattice.dx, row as f64 * lattice.dy);
                let cell = Cell { west, south, dx: lattice.dx, dy: lattice.dy };
                found(cell.nearest(surface, centre, centre.x, centre.y));
                let (middle_x, middle_y) = (west + 0.5 * lattice.dx, south + 0.5 * lattice.dy);
                let twist = surface.patch(middle_x, middle_y).map_or(0.0, |(_, patch)| patch.twist.abs());
                // A patch more hollow than the sphere is round may touch it in several places.
                if twist * radius > HOLLOW {
                    for (share_x, share_y) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                        let (x, y) = (west + share_x * lattice.dx, south + share_y * lattice.dy);
                        found(cell.nearest(surface, centre, x, y));
                    }
                }
            }
            if inside_x {
                found(nearest_on_line(surface, centre, [column, row], [1, 0]));
            }
            if inside_y {
                found(nearest_on_line(surface, centre, [column, row], [0, 1]));
            }
            found(node(surface, centre, column, row));
        }
    }
}

/// From a node to its neighbour; `None` beyond the rim and for nodata.
fn to_neighbour(surface: &Surface, [column, row]: [usize; 2], by: [i64; 2]) -> Option<Vector3<f64>> {
    let (lattice, rim) = (surface.lattice(), surface.rim());
    let there = [column as i64 + by[0], row as i64 + by[1]];
    let inside = |k: i64, first: usize, last: usize| k >= first as i64 && k <= last as i64;
    if !inside(there[0], rim.west, rim.east) || !inside(there[1], rim.south, rim.north) {
        return None;
    }
    let rise = surface.node_height(there[0] as usize, there[1] as usize) - surface.node_height(column, row);
    rise.is_finite().then(|| Vector3::new(by[0] as f64 * lattice.dx, by[1] as f64 * lattice.dy, rise))
}

fn node_place(surface: &Surface, column: usize, row: usize) -> Vector3<f64> {
    let lattice = surface.lattice();
    Vector3::new(column as f64 * lattice.dx, row as f64 * lattice.dy, surface.node_height(column, row))
}

/// A point of the terrain, unless the terrain comes nearer towards one of its sides.
fn unless_nearer(point: Vector3<f64>, centre: &Vector3<f64>, sides: &[Option<Vector3<f64>>]) -> Option<Near> {
    let away = centre - point;
    let distance = away.norm();
    let falls_away = |side: &Vector3<f64>| away.dot(side) <= ROUNDING * distance * side.norm();
    // False for NaN.
    let nearest = distance > 0.0 && sides.iter().flatten().all(falls_away);
    nearest.then(|| Near { distance, normal: away / distance, point })
}

fn node(surface: &Surface, centre: &Vector3<f64>, column: usize, row: usize) -> Option<Near> {
    let sides = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(|by| to_neighbour(surface, [column, row], by));
    unless_nearer(node_place(surface, column, row), centre, &sides)
}

/// The nearest point between a node and the next one along a grid line.
fn nearest_on_line(surface: &Surface, centre: &Vector3<f64>, from: [usize; 2], along: [usize; 2]) -> Option<Near> {
    let start = node_place(surface, from[0], from[1]);
    let way = to_neighbour(surface, from, along.map(|k| k as i64))?;
    let share = (centre - start).dot(&way) / way.norm_squared();
    if !(share > 0.0 && share < 1.0) {
        return None; // then a node is nearest
    }
    let to = [from[0] + along[0], from[1] + along[1]];
    let across = [along[1] as i64, along[0] as i64];
    let sides = [1, -1].map(|sign| {
        let by = across.map(|k| sign * k);
        let (first, second) = (to_neighbour(surface, from, by)?, to_neighbour(surface, to, by)?);
        Some(first + (second - first) * share)
    });
    unless_nearer(start + way * share, centre, &sides)
}

/// The rectangle of a bilinear patch.
struct Cell {
    west: f64,
    south: f64,
    dx: f64,
    dy: f64,
}

impl Cell {
    /// The nearest point inside a patch: Gauss–Newton on the tangent plane, no further than it helps. One iteration on a
    /// plane, a few on a twisted patch. `None` if it lies on the patch's rim.
    fn nearest(&self, surface: &Surface, centre: &Vector3<f64>, from_x: f64, from_y: f64) -> Option<Near> {
        let Self { west, south, dx, dy } = *self;
        // Just inside, so that the cell's own patch is meant on its edges.
        let (mx, my) = (1e-9 * dx, 1e-9 * dy);
        let (low_x, high_x, low_y, high_y) = (west + mx, west + dx - mx, south + my, south + dy - my);
        let clamp = |x: f64, y: f64| (x.clamp(low_x, high_x), y.clamp(low_y, high_y));
        let (mut x, mut y) = clamp(from_x, from_y);
        let mut spot = surface.spot(x, y)?;
        let mut away = centre - Vector3::new(x, y, spot.height);
        for _ in 0..12 {
            let (sx, sy) = (spot.slope_x, spot.slope_y);
            let (fx, fy) = (away.x + sx * away.z, away.y + sy * away.z);
            let (a, b, c) = (1.0 + sx * sx, sx * sy, 1.0 + sy * sy);
            let determinant = a * c - b * b;
            let (step_x, step_y) = ((c * fx - b * fy) / determinant, (a * fy - b * fx) / determinant);
            let mut share = 1.0;
            let (next, there, to_there) = loop {
                let next = clamp(x + share * step_x, y + share * step_y);
                let there = surface.spot(next.0, next.1)?;
                let to_there = centre - Vector3::new(next.0, next.1, there.height);
                if share < 0.05 || to_there.norm_squared() <= away.norm_squared() {
                    break (next, there, to_there);
                }
                share *= 0.5;
            };
            let moved = (next.0 - x).abs() + (next.1 - y).abs();
            ((x, y), spot, away) = (next, there, to_there);
            if moved < 1e-12 * (dx + dy) {
                break;
            }
        }
        let inside = x > low_x && x < high_x && y > low_y && y < high_y;
        let distance = away.norm();
        (inside && distance > 0.0).then(|| Near {
            distance,
            normal: away / distance,
            point: Vector3::new(x, y, spot.height),
        })
    }
}
