//! Volume, centre of mass and inertia of a polyhedron by exact integration, and its eigenframe.

use nalgebra::{Matrix3, Vector3};

/// Integrals over a homogeneous body of density 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Volume, m³.
    pub volume: f64,
    /// Centre of mass.
    pub centre: Vector3<f64>,
    /// ∫ x xᵀ dV about the centre.
    pub second: Matrix3<f64>,
}

/// Sums the tetrahedra between a point inside and every face (counter-clockwise from outside): exact for any closed
/// polyhedron.
pub fn moments(vertices: &[Vector3<f64>], faces: &[[u32; 3]]) -> Moments {
    let inside = vertices.iter().sum::<Vector3<f64>>() / vertices.len().max(1) as f64;
    let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for face in faces {
        let [a, b, c] = face.map(|k| vertices[k as usize] - inside);
        let part = a.dot(&b.cross(&c)) / 6.0;
        let sum = a + b + c;
        volume += part;
        first += sum * (part / 4.0);
        // ∫ x xᵀ over a tetrahedron with one corner at the origin.
        second += (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()) * (part / 20.0);
    }
    let centre = first / volume;
    Moments { volume, centre: inside + centre, second: second - centre * centre.transpose() * volume }
}

impl Moments {
    /// The inertia tensor about the centre for density 1: tr(S) 1 − S.
    pub fn inertia(&self) -> Matrix3<f64> {
        Matrix3::from_diagonal_element(self.second.trace()) - self.second
    }
}

/// Principal moments A ≤ B ≤ C and the right-handed axes K as columns.
///
/// Jacobi rotations leave alone what is already diagonal, so that a symmetric body keeps the axes it was given in, and
/// equal moments keep their order: an arbitrary choice among equal axes would make results depend on rounding.
pub fn eigenframe(inertia: &Matrix3<f64>) -> (Vector3<f64>, Matrix3<f64>) {
    let (mut m, mut axes) = (*inertia, Matrix3::identity());
    let negligible = 1e-12 * inertia.trace().abs();
    for _sweep in 0..50 {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if m[(p, q)].abs() <= negligible {
                continue;
            }
            rotated = true;
            let theta = 0.5 * (m[(q, q)] - m[(p, p)]) / m[(p, q)];
            let t = if theta >= 0.0 { 1.0 } else { -1.0 } / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let mut turn = Matrix3::identity();
            (turn[(p, p)], turn[(q, q)], turn[(p, q)], turn[(q, p)]) = (c, c, t * c, -t * c);
            m = turn.transpose() * m * turn;
            axes *= turn;
        }
        if !rotated {
            break;
        }
    }
    let value = |k: usize| m[(k, k)];
    let mut order = [0, 1, 2];
    // Insertion with a margin: axes whose moments differ by rounding only keep their order.
    let margin = 1e-9 * inertia.trace().abs();
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        if value(order[j]) < value(order[i]) - margin {
            order.swap(i, j);
        }
    }
    let signed = |k: usize| {
        let axis: Vector3<f64> = axes.column(k).into();
        if axis[axis.iamax()] < 0.0 { -axis } else { axis }
    };
    let (first, second) = (signed(order[0]), signed(order[1]));
    let frame = Matrix3::from_columns(&[first, second, first.cross(&second)]);
    (Vector3::new(value(order[0]), value(order[1]), value(order[2])), frame)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rock::hull::hull;

    fn cuboid(a: f64, b: f64, c: f64) -> Vec<Vector3<f64>> {
        (0..8)
            .map(|k| Vector3::new((k & 1) as f64 * a, (k >> 1 & 1) as f64 * b, (k >> 2) as f64 * c))
            .map(|v| v + Vector3::new(10.0, -4.0, 100.0))
            .collect()
    }

    /// The block of Leine 2014, §5.2: 22 500 kg, Θ = (18 750, 13 594, 28 594) kg m².
    #[test]
    fn cuboid_integrals_are_exact() {
        let hull = hull(&cuboid(2.5, 3.0, 1.0)).unwrap();
        let m = moments(&hull.vertices, &hull.faces);
        assert!((m.volume - 7.5).abs() < 1e-12);
        assert!((m.centre - Vector3::new(11.25, -2.5, 100.5)).norm() < 1e-12);
        let inertia = m.inertia() * 3000.0;
        let expected = Matrix3::from_diagonal(&Vector3::new(18_750.0, 13_593.75, 28_593.75));
        assert!((inertia - expected).norm() < 1e-6, "{inertia}");
        let (moments, frame) = eigenframe(&inertia);
        assert!((moments - Vector3::new(13_593.75, 18_750.0, 28_593.75)).norm() < 1e-6);
        assert!((frame.determinant() - 1.0).abs() < 1e-15);
        assert_eq!(frame.column(0).into_owned(), Vector3::y());
    }

    /// A rotated body has the same principal moments, and its axes are the rotated ones.
    #[test]
    fn eigenframe_diagonalises_any_orientation() {
        let diagonal = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0));
        for k in 0..20 {
            let turn = nalgebra::Rotation3::from_euler_angles(k as f64, 2.0 - 0.3 * k as f64, 0.7 * k as f64);
            let tensor = turn.matrix() * diagonal * turn.matrix().transpose();
            let (moments, frame) = eigenframe(&tensor);
            assert!((moments - Vector3::new(1.0, 2.0, 3.0)).norm() < 1e-10);
            assert!((frame.transpose() * tensor * frame - diagonal).norm() < 1e-10);
        }
    }

    #[test]
    fn equal_moments_keep_the_given_axes() {
        let noise = Matrix3::new(2.0, 1e-15, -1e-15, 1e-15, 2.0 + 1e-15, 1e-15, -1e-15, 1e-15, 2.0 - 1e-15);
        assert_eq!(eigenframe(&noise).1, Matrix3::identity());
        let plate = Matrix3::from_diagonal(&Vector3::new(2.0 + 1e-15, 2.0, 3.0));
        assert_eq!(eigenframe(&plate).1, Matrix3::identity());
    }
}
