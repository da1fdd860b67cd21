//! The contact test of a true sphere: the nearest points of the terrain's bilinear patches to its centre.

use nalgebra::Vector3;

use super::body::Pose;
use super::contact::Touch;
use crate::terrain::Surface;

/// Contacts whose normals differ by less than this angle's cosine (11°) are one contact seen from two cells.
const SAME_CONTACT: f64 = 0.98;
/// Steeper than this a vertical gap says nothing.
const MIN_NORMAL_Z: f64 = 0.05;

/// Vertical gap between the sphere and the ground, along the ground's normal at the point of support. Exact on a plane.
pub fn clearance(surface: &Surface, centre: &Vector3<f64>, radius: f64) -> f64 {
    let (lattice, mut gap) = (surface.lattice(), f64::INFINITY);
    let mut support = *centre;
    for _ in 0..4 {
        let Some(spot) = surface.spot(support.x, support.y) else { break };
        let point = centre - spot.normal() * radius;
        support = point;
        if let Some(here) = surface.gap(&point) {
            gap = gap.min(here);
        }
    }
    // On rough ground a bump beside the point of support may be nearer.
    if 2.0 * radius > lattice.dx.min(lattice.dy) && gap < radius {
        for near in nearest_points(surface, centre, radius) {
            gap = gap.min((near.distance - radius) / near.normal.z.max(MIN_NORMAL_Z));
        }
    }
    gap
}

struct Near {
    distance: f64,
    normal: Vector3<f64>,
    point: Vector3<f64>,
}

/// Contacts with the terrain lowered by `depth`.
pub fn touches(surface: &Surface, pose: &Pose, radius: f64, depth: f64, touches: &mut Vec<Touch>) {
    // Lowering the ground is raising the rock.
    let centre = pose.position + Vector3::z() * depth;
    let mut near: Vec<_> = nearest_points(surface, &centre, radius).filter(|near| near.distance <= radius).collect();
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

/// The nearest point of every cell the sphere's footprint overlaps. A centre below ground counts as deep inside.
fn nearest_points<'a>(surface: &'a Surface, centre: &'a Vector3<f64>, radius: f64) -> impl Iterator<Item = Near> + 'a {
    let lattice = *surface.lattice();
    let range = |centre: f64, cell: f64, count: usize| {
        let low = ((centre - radius) / cell).floor().max(0.0);
        let high = ((centre + radius) / cell).floor().min(count as f64 - 2.0);
        if low <= high { low as usize..high as usize + 1 } else { 0..0 }
    };
    let columns = range(centre.x, lattice.dx, lattice.nx);
    let rows = range(centre.y, lattice.dy, lattice.ny);
    rows.flat_map(move |row| columns.clone().map(move |column| (column, row)))
        .filter_map(move |(column, row)| nearest_in_cell(surface, centre, column, row))
}

/// Gauss–Newton on the tangent plane, clamped to the cell: one iteration on a plane, a few on a twisted patch.
fn nearest_in_cell(surface: &Surface, centre: &Vector3<f64>, column: usize, row: usize) -> Option<Near> {
    let lattice = surface.lattice();
    let (west, south) = (column as f64 * lattice.dx, row as f64 * lattice.dy);
    let clamp = |x: f64, y: f64| {
        // Just inside, so that the cell's own patch is meant on its edges.
        let (mx, my) = (1e-9 * lattice.dx, 1e-9 * lattice.dy);
        (x.clamp(west + mx, west + lattice.dx - mx), y.clamp(south + my, south + lattice.dy - my))
    };
    let (mut x, mut y) = clamp(centre.x, centre.y);
    for _ in 0..8 {
        let spot = surface.spot(x, y)?;
        let (sx, sy) = (spot.slope_x, spot.slope_y);
        let away = centre - Vector3::new(x, y, spot.height);
        let (fx, fy) = (away.x + sx * away.z, away.y + sy * away.z);
        let (a, b, c) = (1.0 + sx * sx, sx * sy, 1.0 + sy * sy);
        let determinant = a * c - b * b;
        let next = clamp(x + (c * fx - b * fy) / determinant, y + (a * fy - b * fx) / determinant);
        let moved = (next.0 - x).abs() + (next.1 - y).abs();
        (x, y) = next;
        if moved < 1e-12 * (lattice.dx + lattice.dy) {
            break;
        }
    }
    let spot = surface.spot(x, y)?;
    let point = Vector3::new(x, y, spot.height);
    let away = centre - point;
    let distance = away.norm();
    let outside = away.dot(&spot.normal()) > 0.0 && distance > 0.0;
    if outside {
        return Some(Near { distance, normal: away / distance, point });
    }
    let below = surface.spot(centre.x, centre.y).is_some_and(|spot| spot.height > centre.z);
    below.then(|| Near { distance: -distance, normal: spot.normal(), point })
}
