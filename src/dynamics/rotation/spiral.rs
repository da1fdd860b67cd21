//! SPIRAL (del Valle 2024): the angular velocity by SSPRK3 with the torque taken once per step, the orientation by the
//! exponential map, which keeps the quaternion's norm without normalising.
//!
//! Two variants: *leapfrog* ([`Leapfrog`], eq. 5–10), where ω lives half a step before q, and *synchronous* ([`step`],
//! App. A), where both live at the same instants. The synchronous one fits the Moreau step and is what runs use.
//! "Third order" in the paper is local; globally q converges with the second, ω with the third order.

use nalgebra::{UnitQuaternion, Vector3};

use super::{euler_rate, exponential};

/// ω after `dt` under a constant torque in K, by the strong-stability-preserving Runge–Kutta rule (eq. 9–10).
/// A negative `dt` goes back.
pub fn velocity(inertia: &Vector3<f64>, omega: &Vector3<f64>, torque: &Vector3<f64>, dt: f64) -> Vector3<f64> {
    let k1 = dt * euler_rate(inertia, omega, torque);
    let k2 = dt * euler_rate(inertia, &(omega + k1), torque);
    let k3 = dt * euler_rate(inertia, &(omega + 0.25 * (k1 + k2)), torque);
    omega + (k1 + k2 + 4.0 * k3) / 6.0
}

/// q(t + Δt) from ω at the middle of the step (eq. 7).
pub fn orientation_leapfrog(q: &UnitQuaternion<f64>, omega_middle: &Vector3<f64>, dt: f64) -> UnitQuaternion<f64> {
    q * exponential(omega_middle, dt)
}

/// q(t + Δt) from ω and ω̇ at the beginning of the step (eq. A.2).
pub fn orientation_synchronous(
    q: &UnitQuaternion<f64>,
    omega: &Vector3<f64>,
    omega_rate: &Vector3<f64>,
    dt: f64,
) -> UnitQuaternion<f64> {
    q * exponential(omega, dt) * exponential(omega_rate, 0.5 * dt * dt)
}

/// One step of the synchronous variant: q first, then ω (App. A).
///
/// ```
/// use couloir::dynamics::rotation::spiral;
/// use nalgebra::{UnitQuaternion, Vector3};
///
/// // A cylinder under a constant axial torque: ω_x grows linearly.
/// let inertia = Vector3::new(0.0114, 0.0228, 0.0228);
/// let (mut q, mut omega) = (UnitQuaternion::identity(), Vector3::new(0.3, -0.9, 0.6));
/// for _ in 0..1000 {
///     (q, omega) = spiral::step(&inertia, &q, &omega, &Vector3::new(0.5, 0.0, 0.0), 1e-3);
/// }
/// assert!((omega.x - (0.3 + 0.5 / 0.0114)).abs() < 1e-9);
/// assert!((q.norm() - 1.0).abs() < 1e-12);
/// ```
pub fn step(
    inertia: &Vector3<f64>,
    q: &UnitQuaternion<f64>,
    omega: &Vector3<f64>,
    torque: &Vector3<f64>,
    dt: f64,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let end = orientation_synchronous(q, omega, &euler_rate(inertia, omega, torque), dt);
    (end, velocity(inertia, omega, torque, dt))
}

/// The leapfrog variant's state: q at t, ω at t − Δt/2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leapfrog {
    /// Orientation.
    pub q: UnitQuaternion<f64>,
    /// Half a step before `q`, in K.
    pub omega_before: Vector3<f64>,
}

impl Leapfrog {
    /// From q and ω at the same instant: ω is taken half a step back (below eq. 10).
    pub fn start(
        inertia: &Vector3<f64>,
        q: &UnitQuaternion<f64>,
        omega: &Vector3<f64>,
        torque: &Vector3<f64>,
        dt: f64,
    ) -> Self {
        Self { q: *q, omega_before: velocity(inertia, omega, torque, -0.5 * dt) }
    }

    /// ω first, then q (eq. 9, then 7); `torque` is that at the time of `q`.
    pub fn step(&mut self, inertia: &Vector3<f64>, torque: &Vector3<f64>, dt: f64) {
        self.omega_before = velocity(inertia, &self.omega_before, torque, dt);
        self.q = orientation_leapfrog(&self.q, &self.omega_before, dt);
    }
}
