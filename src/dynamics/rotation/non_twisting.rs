//! The rigid body in a non-twisting (Bishop) frame (Gebhardt & Romero, §4 and §5.2): its frame never turns about d₃.
//!
//! Without moments the kinetic energy and the material angular momenta Π¹, Π² are kept (not the spatial ones), and d₃
//! runs along a great circle: a geodesic of the sphere.

use nalgebra::{Matrix3, Vector3};

use super::directors::{self, Directors, Frame, StepReport};
use crate::math;

/// A body whose third axis is principal; inertia tensor in body axes, kg m².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NonTwistingBody {
    /// 𝒥 of eq. 66.
    pub euler: Matrix3<f64>,
    /// The directors.
    pub state: Directors,
    /// Since the start.
    pub time_s: f64,
}

impl NonTwistingBody {
    /// At rest in its frame Λ(0) or turning with ω_⊥ = w₁d₁ + w₂d₂, rad/s.
    ///
    /// ```
    /// use couloir::dynamics::rotation::non_twisting::NonTwistingBody;
    /// use nalgebra::{Matrix3, Vector3};
    ///
    /// let inertia = Matrix3::new(3.0, -1.0 / 7.0, 0.0, -1.0 / 7.0, 4.0, 0.0, 0.0, 0.0, 5.0);
    /// let mut body = NonTwistingBody::new(&inertia, Matrix3::identity(), 6.0, -18.0);
    /// let start = body.material_spin();
    /// for _ in 0..200 {
    ///     body.step(|_time, _frame| Vector3::zeros(), 0.005);
    /// }
    /// assert!((body.material_spin() - start).norm() < 1e-3);
    /// assert!((body.kinetic_energy() - 717.428571).abs() < 1e-6); // Table 2 of the paper
    /// ```
    pub fn new(inertia: &Matrix3<f64>, frame: Matrix3<f64>, w1: f64, w2: f64) -> Self {
        let omega = frame.column(0) * w1 + frame.column(1) * w2;
        Self { euler: directors::euler_coefficients(inertia), state: Directors::new(frame, &omega), time_s: 0.0 }
    }

    /// One step of §5.2. `moment(t, Λ)` is the external moment m_⊥ in the inertial frame, N m, asked at the middle of the
    /// step with the midpoint directors as columns of Λ (eq. 84).
    pub fn step(&mut self, moment: impl Fn(f64, &Matrix3<f64>) -> Vector3<f64>, dt: f64) -> StepReport {
        let middle = self.time_s + 0.5 * dt;
        let report =
            directors::step(&self.euler, &mut self.state, |frame| moment(middle, frame), Frame::NonTwisting, dt);
        self.time_s += dt;
        report
    }

    /// (Π¹, Π², Π³), kg m²/s (eq. 74).
    pub fn material_spin(&self) -> Vector3<f64> {
        self.state.spin_material(&self.euler)
    }

    /// π in the inertial frame, kg m²/s.
    pub fn spatial_spin(&self) -> Vector3<f64> {
        self.state.spin(&self.euler)
    }

    /// J.
    pub fn kinetic_energy(&self) -> f64 {
        self.state.kinetic_energy(&self.euler)
    }

    /// d₃ in the inertial frame.
    pub fn third_director(&self) -> Vector3<f64> {
        self.state.frame.column(2).into_owned()
    }
}

/// The largest distance of points on the sphere from the best great circle through them, rad: 0 for a geodesic.
/// The circle's plane is that of the smallest principal moment of the points.
pub fn distance_from_great_circle(points: &[Vector3<f64>]) -> f64 {
    let scatter: Matrix3<f64> = points.iter().map(|d| d * d.transpose()).sum();
    let eigen = scatter.symmetric_eigen();
    let normal = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned();
    points.iter().map(|d| math::asin((d.dot(&normal) / d.norm()).clamp(-1.0, 1.0)).abs()).fold(0.0, f64::max)
}
