//! Free rotation of a rigid body: one file an integrator, one common way to call those that runs offer.
//!
//! A body has the principal moments of inertia Θ = diag(A, B, C) in its eigenframe K, the orientation `p` (a unit
//! quaternion turning K to the inertial frame I) and the angular velocity `omega`, expressed in K:
//!
//! Θ ω̇ + ω × Θω = M,   ṗ = ½ p ∘ (0, ω).
//!
//! # Units
//! Inertia kg m², angular velocity rad/s, torque N m, time s.
//!
//! # References
//! Leine et al. 2021 (explicit, implicit), Leine et al. 2014 §4 (explicit), del Valle et al. 2024 (SPIRAL and its
//! rivals), Gebhardt & Romero (directors, non-twisting frame).

pub mod analytical;
pub mod classic;
pub mod directors;
pub mod explicit;
mod free;
pub mod implicit;
pub mod non_twisting;
pub mod spiral;

pub use free::FreeRotation;

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Ω̃ such that Ω̃ c = ω × c.
pub fn tilde(omega: &Vector3<f64>) -> Matrix3<f64> {
    omega.cross_matrix()
}

/// Θω, the spin expressed in K.
pub fn spin_body(inertia: &Vector3<f64>, omega: &Vector3<f64>) -> Vector3<f64> {
    inertia.component_mul(omega)
}

/// The spin expressed in the inertial frame (Leine 2021, eq. 15): constant without torque.
pub fn spin(inertia: &Vector3<f64>, p: &UnitQuaternion<f64>, omega: &Vector3<f64>) -> Vector3<f64> {
    p * spin_body(inertia, omega)
}

/// Rotational kinetic energy T = ½ ωᵀΘω, J (Leine 2021, eq. 13).
pub fn kinetic_energy(inertia: &Vector3<f64>, omega: &Vector3<f64>) -> f64 {
    0.5 * omega.dot(&spin_body(inertia, omega))
}

/// ω̇ = Θ⁻¹(M − ω × Θω): Euler's equations (Leine 2021, eq. 5; del Valle 2024, eq. 8).
pub fn euler_rate(inertia: &Vector3<f64>, omega: &Vector3<f64>, torque: &Vector3<f64>) -> Vector3<f64> {
    (torque - omega.cross(&spin_body(inertia, omega))).component_div(inertia)
}

/// ṗ = F(p) ω = ½ p ∘ (0, ω) with ω in K (Leine 2021, eq. 11–12 with the minus in the first row of F).
pub fn quaternion_rate(p: &Quaternion<f64>, omega: &Vector3<f64>) -> Quaternion<f64> {
    p * Quaternion::from_imag(*omega) * 0.5
}

/// Half an explicit step of the orientation, normalised: from the beginning to the midpoint (Leine 2021, eq. 79) with
/// ω at the beginning, from the midpoint to the end (eq. 83) with ω at the end.
pub fn half_step(p: &UnitQuaternion<f64>, omega: &Vector3<f64>, dt: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(p.quaternion() + quaternion_rate(p.quaternion(), omega) * (0.5 * dt))
}

/// exp(ω̃ Δt) as a quaternion; exact for small angles.
pub fn exponential(omega: &Vector3<f64>, dt: f64) -> UnitQuaternion<f64> {
    let half_angle = 0.5 * dt * omega.norm();
    // sin(x)/x = 1 − x²/6 + …: below 1e-4 the next term is smaller than rounding.
    let sinc = if half_angle < 1e-4 { 1.0 - half_angle * half_angle / 6.0 } else { half_angle.sin() / half_angle };
    UnitQuaternion::new_unchecked(Quaternion::from_parts(half_angle.cos(), omega * (0.5 * dt * sinc)))
}
