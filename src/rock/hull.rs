//! Convex hull of a point cloud, independent of the order of its points.

use nalgebra::Vector3;
use parry3d_f64::math::Vector3 as ParryVector;
use parry3d_f64::transformation::try_convex_hull;

use super::inertia::moments;
use crate::{Error, Result};

/// A convex polyhedron.
#[derive(Debug, Clone, PartialEq)]
pub struct Hull {
    /// Its corners.
    pub vertices: Vec<Vector3<f64>>,
    /// Counter-clockwise from outside.
    pub faces: Vec<[u32; 3]>,
}

/// The hull's corners, sorted by x, y, z: points inside it, on its faces or on its edges are gone.
///
/// # Errors
/// Fewer than four different points, points that are not finite, or a cloud that is flat.
pub fn hull(points: &[Vector3<f64>]) -> Result<Hull> {
    if let Some(point) = points.iter().find(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(Error::input(format!(
            "the rock has a point ({}, {}, {}): coordinates must be finite numbers",
            point.x, point.y, point.z
        )));
    }
    let mut cloud = points.to_vec();
    cloud.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
    cloud.dedup();
    if cloud.len() < 4 {
        return Err(Error::input(format!(
            "the rock has {} different points; a convex hull with a volume needs at least 4",
            cloud.len()
        )));
    }
    let (low, high) = cloud.iter().fold((cloud[0], cloud[0]), |(l, h), p| (l.inf(p), h.sup(p)));
    let size = (high - low).max();
    // Around the origin and of size one: the hull's tolerances are absolute.
    let origin = 0.5 * (low + high);
    let flat = || {
        Error::input(format!(
            "the rock's {} points lie in one plane or nearly so: a rock needs a volume, add points off that plane",
            cloud.len()
        ))
    };
    let mut candidates: Vec<_> = cloud.iter().map(|p| (p - origin) / size).collect();
    loop {
        let hull = raw_hull(&candidates).ok_or_else(flat)?;
        let volume = moments(&hull.vertices, &hull.faces).volume;
        // A rock a thousand times longer than thick is a sheet: its inertia would be noise.
        let thinnest = thickness(&hull);
        if !(volume > 1e-9 && thinnest > 1e-3) {
            return Err(flat());
        }
        let corners = corners(&hull);
        if corners.len() == hull.vertices.len() {
            if candidates.iter().any(|p| height_above(&hull, p) > 1e-7) {
                return Err(Error::input(
                    "no convex hull could be built around the rock's points; remove points closer together than a \
                     millionth of the rock's size",
                ));
            }
            let vertices = hull.vertices.iter().map(|v| v * size + origin).collect();
            return Ok(Hull { vertices, faces: hull.faces });
        }
        candidates = corners;
    }
}

fn raw_hull(points: &[Vector3<f64>]) -> Option<Hull> {
    let cloud: Vec<_> = points.iter().map(|p| ParryVector::new(p.x, p.y, p.z)).collect();
    let (vertices, faces) = try_convex_hull(&cloud).ok()?;
    let vertices: Vec<_> = vertices.iter().map(|v| Vector3::new(v.x, v.y, v.z)).collect();
    // Sorted again: the hull returns its vertices in the order it met them.
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    let key = |k: usize| (vertices[k].x, vertices[k].y, vertices[k].z);
    order.sort_by(|&a, &b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
    let mut rank = vec![0_u32; order.len()];
    for (new, &old) in order.iter().enumerate() {
        rank[old] = new as u32;
    }
    let sorted = order.iter().map(|&k| vertices[k]).collect();
    let mut faces: Vec<_> = faces.iter().map(|face| face.map(|k| rank[k as usize])).collect();
    faces.iter_mut().for_each(|face| {
        let first = (0..3).min_by_key(|&k| face[k]).unwrap_or(0);
        face.rotate_left(first);
    });
    faces.sort_unstable();
    Some(Hull { vertices: sorted, faces })
}

/// Vertices where at least three face planes of different direction meet.
fn corners(hull: &Hull) -> Vec<Vector3<f64>> {
    let normals: Vec<_> = hull.faces.iter().map(|face| face_normal(hull, face)).collect();
    let is_corner = |vertex: u32| {
        let around =
            || hull.faces.iter().zip(&normals).filter(|(face, _)| face.contains(&vertex)).filter_map(|(_, n)| *n);
        let Some(first) = around().next() else { return false };
        let Some(second) = around().find(|n| n.cross(&first).norm() > 1e-7) else { return false };
        let edge = first.cross(&second).normalize();
        around().any(|n| n.dot(&edge).abs() > 1e-7)
    };
    (0..hull.vertices.len() as u32).filter(|&k| is_corner(k)).map(|k| hull.vertices[k as usize]).collect()
}

/// Outward unit normal; `None` for a sliver without area.
fn face_normal(hull: &Hull, face: &[u32; 3]) -> Option<Vector3<f64>> {
    let [a, b, c] = face.map(|k| hull.vertices[k as usize]);
    (b - a).cross(&(c - a)).try_normalize(1e-14)
}

/// Largest distance of a point outside any face plane.
fn height_above(hull: &Hull, point: &Vector3<f64>) -> f64 {
    let distance = |face| face_normal(hull, face).map(|n| n.dot(&(point - hull.vertices[face[0] as usize])));
    hull.faces.iter().filter_map(distance).fold(f64::MIN, f64::max)
}

/// Smallest width of the hull over its face directions.
fn thickness(hull: &Hull) -> f64 {
    let width = |n: Vector3<f64>| {
        let along = |v: &Vector3<f64>| n.dot(v);
        let low = hull.vertices.iter().map(along).fold(f64::MAX, f64::min);
        hull.vertices.iter().map(along).fold(f64::MIN, f64::max) - low
    };
    hull.faces.iter().filter_map(|face| face_normal(hull, face)).map(width).fold(f64::MAX, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Vec<Vector3<f64>> {
        (0..8).map(|k| Vector3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)).collect()
    }

    /// Points on faces, on edges, inside, and double points are no vertices.
    #[test]
    fn only_corners_remain() {
        let mut points = cube();
        points.extend(
            [[0.5, 0.5, 0.0], [0.5, 0.0, 0.0], [0.5, 0.5, 0.5], [1.0, 1.0, 1.0], [1.0, 0.3, 0.6]].map(Vector3::from),
        );
        let hull = hull(&points).unwrap();
        assert_eq!((hull.vertices.len(), hull.faces.len()), (8, 12));
        assert!((moments(&hull.vertices, &hull.faces).volume - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_order_of_the_points_does_not_matter() {
        let mut points = cube();
        points.push(Vector3::new(0.4, 0.5, 1.7));
        let straight = hull(&points).unwrap();
        points.reverse();
        points.swap(2, 5);
        assert_eq!(hull(&points).unwrap(), straight);
    }

    #[test]
    fn degenerate_clouds_are_refused() {
        let flat: Vec<_> = cube().iter().map(|p| Vector3::new(p.x, p.y + 0.3 * p.z, 0.5 * p.x)).collect();
        let line: Vec<_> = (0..9).map(|k| Vector3::new(k as f64, 2.0 * k as f64, 0.0)).collect();
        let same = vec![Vector3::new(1.0, 2.0, 3.0); 20];
        for cloud in [&flat[..], &line, &same, &cube()[..3], &[]] {
            assert!(hull(cloud).is_err(), "{cloud:?}");
        }
        let mut bad = cube();
        bad[3].y = f64::NAN;
        assert!(hull(&bad).unwrap_err().message.contains("finite"));
    }
}
