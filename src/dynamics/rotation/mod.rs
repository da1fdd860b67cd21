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
pub mod leap;
pub mod non_twisting;
pub mod spiral;

pub use free::FreeRotation;

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use crate::math;

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
    normalized(p.quaternion() + quaternion_rate(p.quaternion(), omega) * (0.5 * dt))
}

/// The unit quaternion in a direction; one division where nalgebra takes four.
#[inline]
pub(crate) fn normalized(q: Quaternion<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(q * (1.0 / q.norm_squared().sqrt()))
}

/// Coefficients of x¹² … x² in sin(x)/x and cos(x).
const SINC: [f64; 6] =
    [1.0 / 6_227_020_800.0, -1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0];
const COSINE: [f64; 6] =
    [1.0 / 479_001_600.0, -1.0 / 3_628_800.0, 1.0 / 40_320.0, -1.0 / 720.0, 1.0 / 24.0, -1.0 / 2.0];

/// exp(ω̃ Δt) as a quaternion; exact for small angles.
pub fn exponential(omega: &Vector3<f64>, dt: f64) -> UnitQuaternion<f64> {
    let square = 0.25 * dt * dt * omega.norm_squared();
    // Series of sin(x)/x and cos(x): below x = 0.4 the first term left out is smaller than rounding.
    let (sinc, cosine) = if square < 0.16 {
        let sum = |c: [f64; 6]| c.iter().fold(0.0, |sum, term| (sum + term) * square);
        (1.0 + sum(SINC), 1.0 + sum(COSINE))
    } else {
        let half_angle = square.sqrt();
        (math::sin(half_angle) / half_angle, math::cos(half_angle))
    };
    UnitQuaternion::new_unchecked(Quaternion::from_parts(cosine, omega * (0.5 * dt * sinc)))
}
