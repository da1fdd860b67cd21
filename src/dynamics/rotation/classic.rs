//! The rivals of SPIRAL (del Valle 2024, App. B), for comparison: library and `couloir validate spiral` only.
//!
//! All advance q (turns K to the lab frame) and ω in K under a torque given in K; those that work in the lab frame turn
//! the torque there with the orientation at the beginning of the step. Where the paper's text has a misprint, the mended
//! form is implemented and said.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use super::{euler_rate, exponential, quaternion_rate, spiral, tilde};

/// Integrators other programs use, to compare ours with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Leapfrog SPIRAL (§2).
    Spiral,
    /// SPIRAL with q and ω at the same instants (App. A).
    SpiralSynchronous,
    /// Omelyan (1998).
    Omelyan,
    /// Buss (2000), augmented second order.
    Buss,
    /// Velocity Verlet with quaternions.
    VelocityVerlet,
    /// Fincham (1992).
    Fincham,
    /// Explicit Euler.
    DirectEuler,
    /// Johnson et al. (2008).
    Johnson,
    /// As in PFC 4.
    Pfc4,
    /// Four torque evaluations a step.
    RungeKutta4,
}

impl Method {
    /// Every one.
    pub const ALL: [Method; 10] = [
        Method::Spiral,
        Method::SpiralSynchronous,
        Method::Omelyan,
        Method::Buss,
        Method::VelocityVerlet,
        Method::Fincham,
        Method::DirectEuler,
        Method::Johnson,
        Method::Pfc4,
        Method::RungeKutta4,
    ];

    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Method::Spiral => "SPIRAL",
            Method::SpiralSynchronous => "SPIRAL, synchronous",
            Method::Omelyan => "Omelyan",
            Method::Buss => "Buss",
            Method::VelocityVerlet => "velocity Verlet",
            Method::Fincham => "Fincham",
            Method::DirectEuler => "direct Euler",
            Method::Johnson => "Johnson",
            Method::Pfc4 => "PFC4",
            Method::RungeKutta4 => "Runge–Kutta 4",
        }
    }

    /// ω lives half a step before q.
    pub fn is_leapfrog(self) -> bool {
        matches!(self, Method::Spiral | Method::Omelyan | Method::Fincham)
    }

    /// The quaternion's length drifts unless it is normalised each step (App. B). PFC4 has a matrix instead.
    pub fn needs_normalising(self) -> bool {
        use Method::{DirectEuler, Fincham, Johnson, RungeKutta4, VelocityVerlet};
        matches!(self, DirectEuler | VelocityVerlet | Fincham | Johnson | RungeKutta4)
    }
}

/// A body advanced by one of the methods.
#[derive(Debug, Clone, PartialEq)]
pub struct Rotor {
    /// Which one.
    pub method: Method,
    /// Normalise the quaternion after each step.
    pub normalise: bool,
    inertia: Vector3<f64>,
    q: Quaternion<f64>,
    /// ω in K for methods that keep it, at t or t − Δt/2.
    omega: Vector3<f64>,
    /// Angular momentum in the lab frame for Fincham (at t − Δt/2), Buss and Johnson; ω in the lab frame for PFC4.
    lab: Vector3<f64>,
    /// Body to lab, PFC4 only.
    matrix: Matrix3<f64>,
}

impl Rotor {
    /// From q and ω (in K) at the same instant; leapfrog methods take ω half a step of `dt` back.
    ///
    /// ```
    /// use couloir::dynamics::rotation::classic::{Method, Rotor};
    /// use nalgebra::{UnitQuaternion, Vector3};
    ///
    /// let (inertia, torque, dt) = (Vector3::new(0.0114, 0.0228, 0.0228), Vector3::new(0.5, 0.0, 0.0), 1e-4);
    /// for method in Method::ALL {
    ///     let omega = Vector3::new(0.3, -0.9, 0.6);
    ///     let mut rotor = Rotor::start(method, &inertia, &UnitQuaternion::identity(), &omega, &torque, dt);
    ///     for _ in 0..10_000 {
    ///         rotor.step(|_offset| torque, dt);
    ///     }
    ///     let lag = if method.is_leapfrog() { 0.5 * dt } else { 0.0 };
    ///     assert!((rotor.omega().x - (0.3 + (1.0 - lag) * 0.5 / 0.0114)).abs() < 0.05, "{}", method.name());
    /// }
    /// ```
    pub fn start(
        method: Method,
        inertia: &Vector3<f64>,
        q: &UnitQuaternion<f64>,
        omega: &Vector3<f64>,
        torque: &Vector3<f64>,
        dt: f64,
    ) -> Self {
        // Half a step back: SPIRAL with its own rule, Omelyan with an Euler step, Fincham below with the momentum.
        let omega = match method {
            Method::Spiral => spiral::velocity(inertia, omega, torque, -0.5 * dt),
            Method::Omelyan => omega - 0.5 * dt * euler_rate(inertia, omega, torque),
            _ => *omega,
        };
        let matrix = q.to_rotation_matrix().into_inner();
        let lab = match method {
            // L(t − Δt/2) = L(t) − Δt/2 M.
            Method::Fincham => q * (inertia.component_mul(&omega) - torque * (0.5 * dt)),
            Method::Pfc4 => q * omega,
            _ => q * inertia.component_mul(&omega),
        };
        let normalise = method.needs_normalising();
        Self { method, normalise, inertia: *inertia, q: q.into_inner(), omega, lab, matrix }
    }

    /// Orientation, not necessarily of unit length.
    pub fn quaternion(&self) -> Quaternion<f64> {
        self.q
    }

    /// Body to lab; for PFC4 its own matrix, not necessarily orthogonal.
    pub fn matrix(&self) -> Matrix3<f64> {
        if self.method == Method::Pfc4 { self.matrix } else { turn(&self.q) }
    }

    /// Angular velocity in K, at the time of q or, for leapfrog methods, half a step before.
    pub fn omega(&self) -> Vector3<f64> {
        match self.method {
            Method::Buss | Method::Johnson => self.to_body(&self.lab).component_div(&self.inertia),
            Method::Pfc4 => self.matrix.tr_mul(&self.lab),
            _ => self.omega,
        }
    }

    fn to_body(&self, lab: &Vector3<f64>) -> Vector3<f64> {
        turn(&self.q).tr_mul(lab)
    }

    /// One step; `torque(offset)` is the torque in K at `offset` seconds after the beginning of the step. Only velocity
    /// Verlet and Runge–Kutta ask for another time than the beginning.
    pub fn step(&mut self, torque: impl Fn(f64) -> Vector3<f64>, dt: f64) {
        match self.method {
            Method::Spiral => {
                self.omega = spiral::velocity(&self.inertia, &self.omega, &torque(0.0), dt);
                self.q *= exponential(&self.omega, dt).into_inner();
            }
            Method::SpiralSynchronous => {
                let moment = torque(0.0);
                let rate = euler_rate(&self.inertia, &self.omega, &moment);
                self.q =
                    self.q * exponential(&self.omega, dt).into_inner() * exponential(&rate, 0.5 * dt * dt).into_inner();
                self.omega = spiral::velocity(&self.inertia, &self.omega, &moment, dt);
            }
            Method::DirectEuler => {
                self.omega += dt * euler_rate(&self.inertia, &self.omega, &torque(0.0)); // B.1
                self.q += quaternion_rate(&self.q, &self.omega) * dt;
            }
            Method::VelocityVerlet => {
                self.omega += 0.5 * dt * euler_rate(&self.inertia, &self.omega, &torque(0.0));
                self.q += quaternion_rate(&self.q, &self.omega) * dt; // B.2 with ω(t + Δt/2)
                self.omega += 0.5 * dt * euler_rate(&self.inertia, &self.omega, &torque(dt)); // B.3
            }
            Method::Fincham => self.step_fincham(&torque(0.0), dt),
            Method::Buss => self.step_buss(&torque(0.0), dt),
            Method::Omelyan => self.step_omelyan(&torque(0.0), dt),
            Method::Johnson => self.step_johnson(&torque(0.0), dt),
            Method::Pfc4 => self.step_pfc4(&torque(0.0), dt),
            Method::RungeKutta4 => self.step_runge_kutta(&torque, dt),
        }
        if self.normalise {
            self.q /= self.q.norm();
        }
    }

    /// B.4–B.6 with the corrector of B.5 taking ω(t + Δt/2), as its "different angular velocities" and B.6 say.
    fn step_fincham(&mut self, torque: &Vector3<f64>, dt: f64) {
        let moment = turn(&self.q) * torque;
        let omega = self.to_body(&(self.lab + 0.5 * dt * moment)).component_div(&self.inertia);
        self.lab += dt * moment;
        self.omega = self.to_body(&self.lab).component_div(&self.inertia);
        let mut predicted = self.q + quaternion_rate(&self.q, &omega) * (0.5 * dt);
        if self.normalise {
            predicted /= predicted.norm();
        }
        self.q += quaternion_rate(&predicted, &self.omega) * dt;
    }

    /// B.7–B.9, with 1/16 where 1/12 is printed: the published figures use it.
    fn step_buss(&mut self, torque: &Vector3<f64>, dt: f64) {
        let (a, inverse) = (turn(&self.q), self.inertia.map(|i| 1.0 / i));
        let j_inverse = |v: Vector3<f64>| a * inverse.component_mul(&a.tr_mul(&v));
        let moment = a * torque;
        let omega = j_inverse(self.lab);
        let rate = j_inverse(moment - omega.cross(&self.lab));
        let mean = omega + 0.5 * dt * rate + (dt * dt / 16.0) * rate.cross(&omega);
        self.q = exponential(&mean, dt).into_inner() * self.q;
        self.lab += dt * moment;
    }

    /// B.10–B.12 with three iterations; the trailing q(t) of B.10 is spurious, q̇ already holds it.
    fn step_omelyan(&mut self, torque: &Vector3<f64>, dt: f64) {
        let before = self.omega;
        let mut after = before;
        for _ in 0..3 {
            let product = |i: usize, j: usize| 0.5 * (before[i] * before[j] + after[i] * after[j]);
            let inertia = &self.inertia;
            let gyroscopic = Vector3::new(
                product(1, 2) * (inertia.y - inertia.z),
                product(2, 0) * (inertia.z - inertia.x),
                product(0, 1) * (inertia.x - inertia.y),
            );
            after = before + dt * (torque + gyroscopic).component_div(inertia);
        }
        self.omega = after;
        let small = dt * dt / 16.0 * after.norm_squared();
        self.q = (self.q * (1.0 - small) + quaternion_rate(&self.q, &after) * dt) / (1.0 + small);
    }

    /// B.13–B.15; ω follows the momentum to the orientation of each stage, and the torque of B.15 is turned with the new
    /// orientation: so the published figures come out.
    fn step_johnson(&mut self, torque: &Vector3<f64>, dt: f64) {
        let rate = |q: Quaternion<f64>| {
            let unit = UnitQuaternion::new_normalize(q);
            quaternion_rate(&q, &(unit.inverse() * self.lab).component_div(&self.inertia))
        };
        let k1 = rate(self.q);
        let k2 = rate(self.q + k1 * (0.5 * dt));
        let k3 = rate(self.q + k2 * (0.5 * dt));
        let k4 = rate(self.q + k3 * dt);
        self.q += (k1 + (k2 + k3) * 2.0 + k4) * (dt / 6.0);
        self.lab += dt * (UnitQuaternion::new_normalize(self.q) * torque);
    }

    /// B.16–B.18 with three iterations. The paper does not say how the matrix is kept orthonormal. Of the ways tried this one
    /// comes nearest to its figures, within 0.1 %: tensors and vectors change frames with the matrix and its inverse, and of
    /// the matrix lab to body two columns are normalised, the third is their cross product.
    fn step_pfc4(&mut self, torque: &Vector3<f64>, dt: f64) {
        let to_body = self.matrix.transpose();
        let to_lab = to_body.try_inverse().unwrap_or(self.matrix);
        let (moment, before) = (to_lab * torque, self.lab);
        for _ in 0..3 {
            let momentum = to_lab * self.inertia.component_mul(&(to_body * self.lab));
            let rest = to_body * (moment - self.lab.cross(&momentum));
            self.lab = before + dt * (to_lab * rest.component_div(&self.inertia));
        }
        let moved = (self.matrix + dt * tilde(&self.lab) * self.matrix).transpose();
        let (first, second) = (moved.column(0).normalize(), moved.column(1).normalize());
        self.matrix = Matrix3::from_columns(&[first, second, first.cross(&second)]).transpose();
    }

    fn step_runge_kutta(&mut self, torque: &impl Fn(f64) -> Vector3<f64>, dt: f64) {
        let rate = |q: &Quaternion<f64>, w: &Vector3<f64>, offset: f64| {
            (quaternion_rate(q, w), euler_rate(&self.inertia, w, &torque(offset)))
        };
        let half = 0.5 * dt;
        let (q1, w1) = rate(&self.q, &self.omega, 0.0);
        let (q2, w2) = rate(&(self.q + q1 * half), &(self.omega + w1 * half), half);
        let (q3, w3) = rate(&(self.q + q2 * half), &(self.omega + w2 * half), half);
        let (q4, w4) = rate(&(self.q + q3 * dt), &(self.omega + w3 * dt), dt);
        self.q += (q1 + (q2 + q3) * 2.0 + q4) * (dt / 6.0);
        self.omega += (w1 + (w2 + w3) * 2.0 + w4) * (dt / 6.0);
    }
}

/// The rotation matrix of a quaternion that may be off unit length by rounding or by the method's own drift.
fn turn(q: &Quaternion<f64>) -> Matrix3<f64> {
    UnitQuaternion::new_unchecked(*q).to_rotation_matrix().into_inner()
}
