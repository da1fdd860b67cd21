//! Torque-free rotation over a large step, as good as exact: for flights, where nothing happens but rotation.
//!
//! - ω(t) by the Taylor series of Euler's equations, drawn back onto the energy and the spin it started with.
//! - The turn by the Magnus series to fourth order, with Simpson's rule for ∫ω dt, and the rest of the way by the rotation
//!   that keeps the spin vector in space, as in the implicit scheme (Leine 2021, eq. 66 and 74).
//!
//! Energy and spin are kept to rounding at any step. The angle about the spin vector is off by about (|ω|h)⁵/720 a step.

use nalgebra::{UnitQuaternion, Vector3};

use super::implicit::rotation_between;
use super::{exponential, normalized, spin_body};

/// Terms of the series.
const ORDER: usize = 7;
/// 1/(n + 1).
const PER: [f64; ORDER - 1] = [1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0];

/// Orientation and angular velocity (in K) after the time `h`.
pub fn advance(
    inertia: &Vector3<f64>,
    p: &UnitQuaternion<f64>,
    omega: &Vector3<f64>,
    h: f64,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let (middle, end) = velocities(inertia, omega, h);
    // Twice: the first Newton step leaves 1e-11 of the energy at the largest turns.
    let end = onto_invariants(inertia, omega, onto_invariants(inertia, omega, end));
    let mean = (omega + 4.0 * middle + end) / 6.0 + omega.cross(&end) * (h / 12.0);
    let turn = exponential(&mean, h);
    let correction = rotation_between(&spin_body(inertia, &end), &(turn.inverse() * spin_body(inertia, omega)));
    (normalized(p.into_inner() * turn.into_inner() * correction), end)
}

/// ω halfway and at the end: ω̇₁ = (B − C)/A ω₂ω₃ and so on, coefficient by coefficient.
fn velocities(inertia: &Vector3<f64>, omega: &Vector3<f64>, h: f64) -> (Vector3<f64>, Vector3<f64>) {
    let (a, b, c) = (inertia.x, inertia.y, inertia.z);
    let ratio = [(b - c) / a, (c - a) / b, (a - b) / c].map(|ratio| ratio * h);
    // Scaled by hⁿ, so that the end is the plain sum.
    let mut series = [[0.0; ORDER]; 3];
    (0..3).for_each(|i| series[i][0] = omega[i]);
    for n in 0..ORDER - 1 {
        let mut product = [0.0; 3];
        for k in 0..n + 1 {
            let m = n - k;
            product[0] += series[1][k] * series[2][m];
            product[1] += series[2][k] * series[0][m];
            product[2] += series[0][k] * series[1][m];
        }
        for i in 0..3 {
            series[i][n + 1] = ratio[i] * product[i] * PER[n];
        }
    }
    let at = |t: f64| Vector3::from(series.map(|terms| terms.iter().rev().fold(0.0, |sum, term| sum * t + term)));
    (at(0.5), at(1.0))
}

/// One Newton step back to the kinetic energy and the spin of the start.
fn onto_invariants(inertia: &Vector3<f64>, start: &Vector3<f64>, end: Vector3<f64>) -> Vector3<f64> {
    let (spin, momentum) = (spin_body(inertia, &end), spin_body(inertia, start));
    // Gradients of ½ωᵀΘω and ½|Θω|².
    let (along_energy, along_spin) = (spin, spin_body(inertia, &spin));
    let energy_off = 0.5 * (end.dot(&spin) - start.dot(&momentum));
    let spin_off = 0.5 * (spin.norm_squared() - momentum.norm_squared());
    let (ee, es, ss) = (along_energy.norm_squared(), along_energy.dot(&along_spin), along_spin.norm_squared());
    let determinant = ee * ss - es * es;
    // Parallel gradients: rotation about a principal axis, which the series keeps.
    if determinant <= 1e-12 * ee * ss {
        return end;
    }
    let (x, y) = ((ss * energy_off - es * spin_off) / determinant, (ee * spin_off - es * energy_off) / determinant);
    end - along_energy * x - along_spin * y
}

#[cfg(test)]
mod tests {
    use super::super::{implicit, kinetic_energy, spin};
    use super::*;

    /// Against the implicit scheme with a step 2000 times shorter; energy and spin to rounding.
    #[test]
    fn large_steps_are_accurate_and_keep_energy_and_spin() {
        for inertia in [Vector3::new(0.4, 0.7, 0.9), Vector3::new(0.2, 1.0, 1.1), Vector3::new(0.5, 0.5, 0.8)] {
            let (p0, omega0) = (UnitQuaternion::new(Vector3::new(0.3, -0.2, 0.9)), Vector3::new(1.0, 4.0, -2.0));
            for (turn, tolerance) in [(0.2, 3e-7), (0.4, 1e-5), (0.8, 4e-4)] {
                let h = turn / omega0.norm();
                let (p, omega) = advance(&inertia, &p0, &omega0, h);
                let (mut q, mut w) = (p0, omega0);
                for _ in 0..2000 {
                    (q, w) = implicit::step(&inertia, &q, &w, h / 2000.0);
                }
                let (angle, off) = (p.angle_to(&q), (omega - w).norm() / w.norm());
                assert!(angle < tolerance && off < tolerance, "{inertia:?} {turn}: {angle:e} rad, ω {off:e}");
                let energy = kinetic_energy(&inertia, &omega) / kinetic_energy(&inertia, &omega0) - 1.0;
                let (before, after) = (spin(&inertia, &p0, &omega0), spin(&inertia, &p, &omega));
                assert!(energy.abs() < 1e-14, "{energy:e}"); // measured 4e-16
                assert!((after - before).norm() / before.norm() < 1e-14); // measured 1e-15
            }
        }
    }

    /// A principal axis and rest stay what they are.
    #[test]
    fn principal_axes_and_rest() {
        let inertia = Vector3::new(0.4, 0.7, 0.9);
        for omega in [Vector3::zeros(), Vector3::new(0.0, 0.0, 9.0), Vector3::new(5.0, 0.0, 0.0)] {
            let (p, end) = advance(&inertia, &UnitQuaternion::identity(), &omega, 0.02);
            assert!((end - omega).norm() < 1e-14 && (p.angle() - 0.02 * omega.norm()).abs() < 1e-14);
        }
    }
}
