//! The explicit scheme (Möller; Leine 2014, eq. 48–50; Leine 2021, §4.1 and §5.1):
//!
//! Θ(ω' − ω) + Δt/2 (G(ω) + C)(ω' + ω) = percussions,   G(ω) = Θω̃ + ω̃Θ.
//!
//! G is skew-symmetric, so the kinetic energy is kept exactly; the spin is not, and rotation about the axis of largest
//! inertia is unstable (Leine 2021, eq. 59: the scheme leaves it for the axis of smallest inertia).

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::{half_step, tilde};

/// G(ω) = Θω̃ + ω̃Θ (below Leine 2021, eq. 45).
pub fn gyroscopic_matrix(inertia: &Vector3<f64>, omega: &Vector3<f64>) -> Matrix3<f64> {
    let (theta, w) = (Matrix3::from_diagonal(inertia), tilde(omega));
    theta * w + w * theta
}

/// The free velocity and how percussions change it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeVelocity {
    /// ω' without percussions, in K.
    pub omega: Vector3<f64>,
    /// (Θ + Δt/2 (G + C))⁻¹: an angular percussion L (in K) adds `response * L`.
    pub response: Matrix3<f64>,
}

/// ω' = (Θ + Δt/2 (G + C))⁻¹ (Θ − Δt/2 (G + C)) ω (Leine 2021, eq. 46 and 82), `drag` being C_drag, kg m²/s.
///
/// Θ is positive definite, G skew and C positive semi-definite, so the matrix is always regular.
///
/// ```
/// use couloir::dynamics::rotation::{explicit, kinetic_energy};
/// use nalgebra::{Matrix3, Vector3};
///
/// let inertia = Vector3::new(5.0, 10.0, 13.0) / 12.0;
/// let omega = Vector3::new(1.0, -2.0, 10.0);
/// let end = explicit::free_velocity(&inertia, &omega, &Matrix3::zeros(), 0.01);
/// assert!((kinetic_energy(&inertia, &end.omega) - kinetic_energy(&inertia, &omega)).abs() < 1e-13);
/// ```
pub fn free_velocity(inertia: &Vector3<f64>, omega: &Vector3<f64>, drag: &Matrix3<f64>, dt: f64) -> FreeVelocity {
    let theta = Matrix3::from_diagonal(inertia);
    let half = (gyroscopic_matrix(inertia, omega) + drag) * (0.5 * dt);
    let response = (theta + half).try_inverse().unwrap_or_else(|| Matrix3::from_element(f64::NAN));
    FreeVelocity { omega: response * ((theta - half) * omega), response }
}

/// The end orientation from the midpoint one and the end velocity, percussions included (Leine 2021, eq. 47 and 83).
pub fn end_orientation(midpoint: &UnitQuaternion<f64>, omega_end: &Vector3<f64>, dt: f64) -> UnitQuaternion<f64> {
    half_step(midpoint, omega_end, dt)
}

/// One free step of the whole scheme: midpoint (79), velocity (46), orientation (47).
pub fn step(
    inertia: &Vector3<f64>,
    p: &UnitQuaternion<f64>,
    omega: &Vector3<f64>,
    dt: f64,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let midpoint = half_step(p, omega, dt);
    let end = free_velocity(inertia, omega, &Matrix3::zeros(), dt).omega;
    (end_orientation(&midpoint, &end, dt), end)
}
