//! The implicit, stability-preserving scheme (Leine 2021, §4.2 and §5.2), the default:
//!
//! Θ(ω' − ω) + Δt ω_m × Θω_m = 0,   ω_m = ½(ω + ω')   (61, 84)
//! A' = A exp(ω̃_m Δt) B,   B turning Θω' into exp(−ω̃_m Δt) Θω   (66, 74–75, 87)
//!
//! keeps the kinetic energy and the spin vector to rounding, hence the stability of the axes of largest and smallest
//! inertia. B comes from half-angles rather than the printed arccos of θ, which would lose the spin to about 5e-7.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use super::{exponential, normalized, spin_body, tilde};

/// Newton gives up after this many iterations; two or three are normal at |ω|Δt < 0.1.
pub const MAX_ITERATIONS: u32 = 30;

/// The free velocity of the implicit midpoint rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeVelocity {
    /// ω' without percussions or torque, in K.
    pub omega: Vector3<f64>,
    /// Until it converged.
    pub iterations: u32,
    /// False if Newton did not reach rounding within [`MAX_ITERATIONS`]: the step is too large for this spin.
    pub converged: bool,
}

/// Solves Θ(ω' − ω) + Δt ω_m × Θω_m = 0 for ω' by Newton (Leine 2021, eq. 61 and 84).
///
/// ```
/// use couloir::dynamics::rotation::implicit;
/// use nalgebra::Vector3;
///
/// let inertia = Vector3::new(5.0, 10.0, 13.0) / 12.0;
/// let omega = Vector3::new(1.0, -2.0, 10.0);
/// let end = implicit::free_velocity(&inertia, &omega, 0.01);
/// assert!(end.converged);
/// let spin = |w: &Vector3<f64>| inertia.component_mul(w).norm();
/// assert!((spin(&end.omega) - spin(&omega)).abs() < 1e-13);
/// ```
pub fn free_velocity(inertia: &Vector3<f64>, omega: &Vector3<f64>, dt: f64) -> FreeVelocity {
    let theta = Matrix3::from_diagonal(inertia);
    let tolerance = f64::EPSILON * spin_body(inertia, omega).norm();
    // Start from the explicit midpoint rule: near enough for a single Newton step at usual spins.
    let rate = |omega: &Vector3<f64>| -omega.cross(&spin_body(inertia, omega)).component_div(inertia);
    let mut end = omega + dt * rate(&(omega + 0.5 * dt * rate(omega)));
    for iteration in 1..=MAX_ITERATIONS {
        let middle = 0.5 * (omega + end);
        let spin = spin_body(inertia, &middle);
        let residual = spin_body(inertia, &(end - omega)) + dt * middle.cross(&spin);
        let jacobian = theta + 0.5 * dt * (tilde(&middle) * theta - tilde(&spin));
        let delta = solve(&jacobian, &residual);
        end -= delta;
        // The residual is quadratic in ω', so what a full Newton step leaves over is exactly Δt/4 δ × Θδ.
        let left = 0.25 * dt * delta.cross(&spin_body(inertia, &delta)).norm();
        if left <= tolerance {
            return FreeVelocity { omega: end, iterations: iteration, converged: end.iter().all(|x| x.is_finite()) };
        }
    }
    FreeVelocity { omega: end, iterations: MAX_ITERATIONS, converged: false }
}

/// m⁻¹ x by Cramer's rule; not finite if m is singular.
fn solve(m: &Matrix3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let [a, b, c] = [0, 1, 2].map(|k| Vector3::from(m.column(k)));
    let (bc, ax) = (b.cross(&c), a.cross(x));
    Vector3::new(bc.dot(x), ax.dot(&c), -ax.dot(&b)) * (1.0 / bc.dot(&a))
}

/// The end orientation that keeps the spin vector in the inertial frame (Leine 2021, eq. 66, 74–75), as a quaternion.
///
/// In a step with contacts `omega_end` is the free velocity (eq. 87): that step's percussions turn the body only from
/// the next step on.
pub fn end_orientation(
    inertia: &Vector3<f64>,
    p: &UnitQuaternion<f64>,
    omega: &Vector3<f64>,
    omega_end: &Vector3<f64>,
    dt: f64,
) -> UnitQuaternion<f64> {
    let turn = exponential(&(0.5 * (omega + omega_end)), dt);
    let correction = rotation_between(&spin_body(inertia, omega_end), &(turn.inverse() * spin_body(inertia, omega)));
    normalized(p.into_inner() * turn.into_inner() * correction)
}

/// The shortest rotation that turns the direction of `b` into that of `c` (eq. 72–73); none if they (nearly) vanish. Not of unit length.
pub(super) fn rotation_between(b: &Vector3<f64>, c: &Vector3<f64>) -> Quaternion<f64> {
    // (1 + cos θ, sin θ e) is twice cos(θ/2) times the quaternion of θ about e: no arccos, which would lose the spin.
    // Both are equally long but for rounding, so the mean of their squares is |b||c|.
    let real = 0.5 * (b.norm_squared() + c.norm_squared()) + b.dot(c);
    let turn = Quaternion::from_parts(real, b.cross(c));
    // Its square must not vanish when it is normalised: drag slows a rock to spins of 1e-80 rad/s and less.
    if real > 1e-150 { turn } else { Quaternion::identity() }
}

/// One free step of the whole scheme: velocity (61), orientation (66).
pub fn step(
    inertia: &Vector3<f64>,
    p: &UnitQuaternion<f64>,
    omega: &Vector3<f64>,
    dt: f64,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let end = free_velocity(inertia, omega, dt).omega;
    (end_orientation(inertia, p, omega, &end, dt), end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::rotation::{kinetic_energy, spin};

    /// Spins whose squares and fourth powers are no numbers any more still turn nothing into NaN.
    #[test]
    fn a_vanishing_spin_turns_nothing() {
        let inertia = Vector3::new(0.3, 0.6, 0.7);
        for exponent in (-320..-10).step_by(5) {
            let omega = Vector3::new(0.3, -1.0, 0.5) * 10f64.powi(exponent);
            let (orientation, end) = step(&inertia, &UnitQuaternion::identity(), &omega, 0.002);
            assert!(orientation.angle() < 1e-10, "1e{exponent}: {orientation}");
            assert!((end - omega).norm() <= 1e-10 * omega.norm(), "1e{exponent}: {end}");
        }
    }

    /// Energy and the spin vector stay to rounding over 20 000 steps, for a body and spin with no symmetry.
    #[test]
    fn keeps_energy_and_spin_vector() {
        let inertia = Vector3::new(0.4, 0.7, 0.9);
        let (mut p, mut omega) = (UnitQuaternion::from_euler_angles(0.3, -1.0, 2.0), Vector3::new(3.0, 14.0, -2.0));
        let (energy, momentum) = (kinetic_energy(&inertia, &omega), spin(&inertia, &p, &omega));
        for _ in 0..20_000 {
            (p, omega) = step(&inertia, &p, &omega, 0.005);
        }
        assert!((kinetic_energy(&inertia, &omega) / energy - 1.0).abs() < 1e-12); // measured 1e-14
        assert!((spin(&inertia, &p, &omega) - momentum).norm() / momentum.norm() < 1e-12); // measured 1e-14
    }

    /// A spin too fast for the step is reported, not hidden.
    #[test]
    fn reports_convergence_and_iterations() {
        let inertia = Vector3::new(0.4, 0.7, 0.9);
        let calm = free_velocity(&inertia, &Vector3::new(3.0, 14.0, -2.0), 0.002);
        assert!(calm.converged && calm.iterations <= 3, "{calm:?}");
        let still = free_velocity(&inertia, &Vector3::zeros(), 0.002);
        assert!(still.converged && still.omega == Vector3::zeros());
    }
}
