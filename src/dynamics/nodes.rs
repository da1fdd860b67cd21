//! DEM nodes against the rock's hull.
//!
//! Vertices alone miss a bump that is narrower than a face: then the node pokes into the face from below. Such a contact
//! pushes along the normal of that face. Only nodes that stand out can carry a rock that its vertices do not: a face that
//! rests on the ground between its vertices touches a node whose neighbours in both directions lie no higher on average.
//! On even ground there are none, and nothing changes.
//!
//! Edges of the rock crossing ridges between nodes are not looked for; they err by less than a cell's curvature.

use nalgebra::Vector3;

use super::contact::{Look, Touch};
use crate::rock::Rock;

/// A face of the hull: points x of K with normal · x ≤ offset are behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    pub normal: Vector3<f64>,
    pub offset: f64,
}

/// Node keys begin above all vertex indices.
const FIRST_NODE_KEY: u64 = 1 << 32;

/// The different face planes of a hull; triangles of one face share a plane.
pub fn planes(rock: &Rock) -> Vec<Plane> {
    let mut planes: Vec<Plane> = Vec::new();
    for face in &rock.faces {
        let [a, b, c] = face.map(|k| rock.vertices[k as usize]);
        let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else { continue };
        let known = |p: &Plane| p.normal.dot(&normal) > 1.0 - 1e-12 && (p.offset - normal.dot(&a)).abs() < 1e-9;
        if !planes.iter().any(known) {
            planes.push(Plane { normal, offset: normal.dot(&a) });
        }
    }
    planes
}

/// A node under the rock, how far the rock's lower side is above it, and which face that is.
struct Below {
    key: u64,
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

/// Adds the nodes at or above the hull's lower side, with the ground lowered by `depth`.
pub fn touches(look: &Look, lowest: f64, depth: f64, touches: &mut Vec<Touch>) {
    let (pose, planes) = (look.pose, &look.setup.planes);
    visit(look, lowest, -depth, |below| {
        if below.gap + depth <= 0.0 {
            let point = below.node + Vector3::z() * below.gap;
            let normal = -(pose.rotation * planes[below.face].normal);
            touches.push(Touch {
                key: below.key,
                arm: pose.rotation.tr_mul(&(point - pose.position)),
                normal,
                x: below.node.x,
                y: below.node.y,
                gap: (below.gap + depth) * normal.z,
            });
        }
        -depth
    });
}

/// Calls `found` for the nodes that stand out below the rock, but for those whose gap is more than `most` for certain: over a
/// node below the ceiling every point of the rock has at least the lowest vertex's height. `found` returns the new `most`.
fn visit(look: &Look, lowest: f64, mut most: f64, mut found: impl FnMut(Below) -> f64) {
    let Look { surface, rock, pose, .. } = look;
    let lattice = surface.lattice();
    let radius = rock.bounding_radius;
    let range = |centre: f64, cell: f64, count: usize| {
        // Nodes at the rim have no neighbours to stand out from.
        let low = ((centre - radius) / cell).ceil().max(1.0);
        let high = ((centre + radius) / cell).floor().min(count as f64 - 2.0);
        (low <= high).then_some((low as usize, high as usize))
    };
    let Some((west, east)) = range(pose.position.x, lattice.dx, lattice.nx) else { return };
    let Some((south, north)) = range(pose.position.y, lattice.dy, lattice.ny) else { return };
    let up = pose.rotation.tr_mul(&Vector3::z());
    for row in south..north + 1 {
        for column in west..east + 1 {
            let (x, y) = (column as f64 * lattice.dx, row as f64 * lattice.dy);
            let node = Vector3::new(x, y, surface.node_height(column, row));
            let far = look.ceiling.is_some_and(|ceiling| lowest - ceiling.above(&node) > most);
            if far || !surface.stands_out(column, row) {
                continue;
            }
            let in_body = pose.rotation.tr_mul(&(node - pose.position));
            if let Some((gap, face)) = lower_side(&look.setup.planes, &in_body, &up, most) {
                most = found(Below { key: FIRST_NODE_KEY + (row * lattice.nx + column) as u64, node, gap, face });
            }
        }
    }
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
