//! DEM nodes against the rock's hull.
//!
//! Vertices alone miss a bump that is narrower than a face: then the node pokes into the face from below. Such a contact
//! pushes along the normal of that face. Only nodes that stand out can carry a face: the ground falls away from them, as
//! seen from the face, along all four grid lines. On even ground there are none, and nothing changes.

use nalgebra::Vector3;

use super::contact::{Look, MARGIN_M, Touch};
use super::edges::{DEEP_M, SHARP, SLACK};
use super::sides::Plane;

/// Node keys begin above all vertex indices.
pub(super) const FIRST_NODE_KEY: u64 = 1 << 32;

/// A node under the rock, how far the rock's lower side is above it, and which face that is.
struct Below {
    column: usize,
    row: usize,
    node: Vector3<f64>,
    gap: f64,
    face: usize,
}

/// The smaller of `clearance` and the smallest vertical gap between the hull and a node that stands out below it. `lowest` is
/// the height of the lowest vertex above the ceiling.
pub fn clearance(look: &Look, lowest: f64, mut clearance: f64) -> f64 {
    visit(look, lowest, clearance, |below| {
        clearance = clearance.min(below.gap);
        clearance
    });
    clearance
}

/// Adds the nodes at or above the hull's lower side, with the ground lowered by `depth`. `spare` becomes the smallest gap of the
/// others.
pub fn touches(look: &Look, lowest: f64, depth: f64, touches: &mut Vec<Touch>, spare: &mut f64) {
    visit(look, lowest, MARGIN_M - depth, |below| {
        let gap = below.gap + depth;
        match (gap <= 0.0).then(|| touch(look, &below, depth)).flatten() {
            Some(touch) => touches.push(touch),
            None => *spare = spare.min(gap),
        }
        MARGIN_M - depth
    });
}

/// The contact at a node in the rock; `None` if the gap is no minimum there.
fn touch(look: &Look, below: &Below, depth: f64) -> Option<Touch> {
    let (pose, surface, planes) = (look.pose, look.surface, &look.setup.sides.planes);
    let Below { column, row, node, gap, face } = *below;
    let lattice = surface.lattice();
    let to = |column: usize, row: usize, x: f64, y: f64| {
        Vector3::new(x, y, surface.ground_height(column, row) - node.z).normalize()
    };
    let around = [
        to(column - 1, row, -lattice.dx, 0.0),
        to(column + 1, row, lattice.dx, 0.0),
        to(column, row - 1, 0.0, -lattice.dy),
        to(column, row + 1, 0.0, lattice.dy),
    ];
    let falls_away = |normal: &Vector3<f64>| around.iter().all(|side| normal.dot(side) <= SLACK);
    let normal = -(pose.rotation * planes[face].normal);
    if !falls_away(&normal) {
        return None;
    }
    let in_body = |point: Vector3<f64>| pose.rotation.tr_mul(&(point - pose.position));
    let mut nearest = Touch {
        key: FIRST_NODE_KEY + (row * lattice.nx + column) as u64,
        arm: in_body(node + Vector3::z() * gap),
        normal,
        x: node.x,
        y: node.y,
        gap: (gap + depth) * normal.z,
    };
    let [bend_x, bend_y] = surface.bends(column, row);
    if nearest.gap < -DEEP_M && bend_x.max(bend_y) > SHARP {
        // A spike deep inside the rock has come in through the face it is nearest to.
        let arm = in_body(node - Vector3::z() * depth);
        for plane in planes {
            let (inside, normal) = (plane.offset - plane.normal.dot(&arm), -(pose.rotation * plane.normal));
            if inside >= 0.0 && inside < -nearest.gap && falls_away(&normal) {
                nearest = Touch { arm, normal, gap: -inside, ..nearest };
            }
        }
    }
    Some(nearest)
}

/// Calls `found` for the nodes that stand out below the rock, but for those whose gap is more than `most` for certain: over a
/// node below the ceiling every point of the rock has at least the lowest vertex's height. `found` returns the new `most`.
fn visit(look: &Look, lowest: f64, mut most: f64, mut found: impl FnMut(Below) -> f64) {
    let Look { surface, rock, pose, .. } = look;
    let (lattice, rim) = (surface.lattice(), surface.rim());
    let radius = rock.bounding_radius;
    let range = |centre: f64, cell: f64, first: usize, last: usize| {
        // Nodes at the rim have no neighbours to stand out from.
        let low = ((centre - radius) / cell).ceil().max(first as f64 + 1.0);
        let high = ((centre + radius) / cell).floor().min(last as f64 - 1.0);
        (low <= high).then_some((low as usize, high as usize))
    };
    let Some((west, east)) = range(pose.position.x, lattice.dx, rim.west, rim.east) else { return };
    let Some((south, north)) = range(pose.position.y, lattice.dy, rim.south, rim.north) else { return };
    let up = pose.rotation.tr_mul(&Vector3::z());
    for row in south..north + 1 {
        for column in west..east + 1 {
            let (x, y) = (column as f64 * lattice.dx, row as f64 * lattice.dy);
            let node = Vector3::new(x, y, surface.node_height(column, row));
            let far = look.ceiling.is_some_and(|ceiling| lowest - ceiling.above(&node) > most);
            if far || !stands_out(look, column, row) {
                continue;
            }
            let in_body = pose.rotation.tr_mul(&(node - pose.position));
            if let Some((gap, face)) = lower_side(&look.setup.sides.planes, &in_body, &up, most) {
                most = found(Below { column, row, node, gap, face });
            }
        }
    }
}

/// Whether the ground is convex at a node in one lattice direction and not concave in the other.
fn stands_out(look: &Look, column: usize, row: usize) -> bool {
    let ([x, y], smooth) = (look.surface.bends(column, row), look.setup.smooth.bend);
    // False for NaN.
    x >= -smooth && y >= -smooth && x.max(y) > smooth
}
/// Follows the vertical through a point of K to the hull's lower side: its distance upwards (negative below) and the
/// face; `None` where the vertical misses the rock.
fn lower_side(planes: &[Plane], point: &Vector3<f64>, up: &Vector3<f64>, most: f64) -> Option<(f64, usize)> {
    let (mut low, mut high, mut face) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    for (k, plane) in planes.iter().enumerate() {
        let (rise, distance) = (plane.normal.dot(up), plane.offset - plane.normal.dot(point));
        if rise.abs() < 1e-12 {
            if distance < 0.0 {
                return None;
            }
        } else if rise < 0.0 {
            let t = distance / rise;
            if t > low {
                (low, face) = (t, k);
            }
            if low > most {
                return None;
            }
        } else {
            high = high.min(distance / rise);
        }
    }
    (low <= high && low.is_finite()).then_some((low, face))
}
