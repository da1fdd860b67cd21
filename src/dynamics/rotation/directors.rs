//! Rigid bodies described by three directors (Gebhardt & Romero), with energy–momentum time stepping.
//!
//! The body-fixed, orthonormal directors d₁, d₂, d₃ are the columns of Λ. With Euler's inertia coefficients 𝒥 (eq. 66)
//! the generalised momenta are πⁱ = Σⱼ 𝒥ⁱʲ ḋⱼ and the equations of motion are constrained by the directors'
//! orthonormality (§5.1: the standard rigid body; six constraints, of which the paper's eq. 63 prints three) and, for
//! the [non-twisting](super::non_twisting) body, by ω·d₃ = 0 as well (§5.2).
//!
//! # The scheme, reduced
//! With the average vector field, H_d(q_{n+1} − q_n) = 0 says that (Λ' − Λ)/h = ω̃_m Λ_m for some ω_m, where
//! Λ_m = ½(Λ + Λ'): a Cayley step. Testing the discrete balance (86) or (92) with the admissible variations θ × d_m
//! removes the multipliers λ and leaves three equations for ω_m,
//!
//! (2/h) Σ d_m,i × [(V_m − V) 𝒥]_i + μ d_m,1 × d_m,2 = Σ d_m,i × f_i,   V_m = ω̃_m Λ_m,
//!
//! (μ = 0 for the standard body; else μ from (d_m,1 × d_m,2)·ω_m = 0, for any value of the paper's `a`), after which
//! Λ' = Λ + hV_m and V' = 2V_m − V. This is the published scheme, solved in three or four unknowns instead of sixteen.
//!
//! V' is tangent to the constraints at the midpoint only, so the rates are a state of their own, not just ω̃Λ.

use nalgebra::{Matrix3, Matrix4, Quaternion, UnitQuaternion, Vector3, Vector4};

use super::tilde;

/// Newton gives up after this many iterations.
pub const MAX_ITERATIONS: u32 = 40;

/// Euler's inertia coefficients 𝒥 = ½ tr(J) I − J of an inertia tensor (eq. 66); J = diag(3, 4, 5) gives diag(3, 2, 1).
pub fn euler_coefficients(inertia: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::from_diagonal_element(0.5 * inertia.trace()) - inertia
}

/// The directors and their rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Directors {
    /// Λ: columns d₁, d₂, d₃ in the inertial frame.
    pub frame: Matrix3<f64>,
    /// V: columns ḋ₁, ḋ₂, ḋ₃.
    pub rate: Matrix3<f64>,
}

impl Directors {
    /// From a frame and its angular velocity in the inertial frame: ḋᵢ = w × dᵢ (eq. 57).
    pub fn new(frame: Matrix3<f64>, omega: &Vector3<f64>) -> Self {
        Self { frame, rate: tilde(omega) * frame }
    }

    /// π = Σ dᵢ × πⁱ in the inertial frame (spatial angular momentum).
    pub fn spin(&self, euler: &Matrix3<f64>) -> Vector3<f64> {
        axial(&self.frame, &(self.rate * euler))
    }

    /// Πⁱ = dᵢ·π (material angular momentum, eq. 74).
    pub fn spin_material(&self, euler: &Matrix3<f64>) -> Vector3<f64> {
        self.frame.transpose() * self.spin(euler)
    }

    /// K = ½ Σ 𝒥ⁱʲ ḋᵢ·ḋⱼ, J (eq. 61).
    pub fn kinetic_energy(&self, euler: &Matrix3<f64>) -> f64 {
        0.5 * (self.rate * euler).component_mul(&self.rate).sum()
    }

    /// The largest violation of orthonormality, max |ΛᵀΛ − I|.
    pub fn constraint_error(&self) -> f64 {
        (self.frame.transpose() * self.frame - Matrix3::identity()).abs().max()
    }
}

/// Which constraint acts besides orthonormality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// The free rigid body (§5.1).
    Standard,
    /// No rotation about d₃ (§5.2).
    NonTwisting,
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport {
    /// ω_m, inertial frame.
    pub omega_middle: Vector3<f64>,
    /// μ of the non-twisting constraint, N m; 0 for the standard body.
    pub multiplier: f64,
    /// Until it converged.
    pub iterations: u32,
    /// Whether it did.
    pub converged: bool,
}

/// One step of §5.1 or §5.2. `moment` gives the external moment in the inertial frame, N m, from the midpoint
/// directors Λ_m; it acts through the generalised loads fᵢ = ½ m × d_m,i (eq. 68 and 84), and for the non-twisting body
/// should have no part along d₃.
///
/// ```
/// use couloir::dynamics::rotation::directors::{Directors, Frame, euler_coefficients, step};
/// use nalgebra::{Matrix3, Vector3};
///
/// let euler = euler_coefficients(&Matrix3::from_diagonal(&Vector3::new(0.4, 0.7, 0.9)));
/// let mut body = Directors::new(Matrix3::identity(), &Vector3::new(3.0, 14.0, -2.0));
/// let (energy, spin) = (body.kinetic_energy(&euler), body.spin(&euler));
/// for _ in 0..1000 {
///     let report = step(&euler, &mut body, |_| Vector3::zeros(), Frame::Standard, 0.005);
///     assert!(report.converged);
/// }
/// assert!((body.kinetic_energy(&euler) / energy - 1.0).abs() < 1e-11);
/// assert!((body.spin(&euler) - spin).norm() / spin.norm() < 1e-11);
/// ```
pub fn step(
    euler: &Matrix3<f64>,
    body: &mut Directors,
    moment: impl Fn(&Matrix3<f64>) -> Vector3<f64>,
    constraint: Frame,
    dt: f64,
) -> StepReport {
    let problem = Midpoint { euler, body, constraint, dt };
    let mut unknown = problem.start();
    let mut report = StepReport { omega_middle: Vector3::zeros(), multiplier: 0.0, iterations: 0, converged: false };
    while report.iterations < MAX_ITERATIONS && !report.converged {
        report.iterations += 1;
        let (residual, jacobian) = problem.linearise(&unknown, &moment);
        let Some(inverse) = jacobian.try_inverse() else { break };
        let delta = inverse * residual;
        unknown -= delta;
        report.converged = delta.xyz().norm() <= 1e-14 * unknown.xyz().norm();
    }
    report.omega_middle = unknown.xyz();
    report.multiplier = unknown.w;
    let rate = tilde(&report.omega_middle) * cayley_middle(&body.frame, &report.omega_middle, dt);
    body.frame += dt * rate;
    body.rate = 2.0 * rate - body.rate;
    report
}

struct Midpoint<'a> {
    euler: &'a Matrix3<f64>,
    body: &'a Directors,
    constraint: Frame,
    dt: f64,
}

impl Midpoint<'_> {
    /// ω at the beginning: the axial part of V Λᵀ.
    fn start(&self) -> Vector4<f64> {
        let w = self.body.rate * self.body.frame.transpose();
        Vector3::new(w[(2, 1)] - w[(1, 2)], w[(0, 2)] - w[(2, 0)], w[(1, 0)] - w[(0, 1)]).scale(0.5).push(0.0)
    }

    /// Residual and Jacobian in (ω_m, μ). The moment's own dependence on ω_m is left out of the Jacobian: it is O(h²).
    fn linearise(
        &self,
        unknown: &Vector4<f64>,
        moment: &impl Fn(&Matrix3<f64>) -> Vector3<f64>,
    ) -> (Vector4<f64>, Matrix4<f64>) {
        let (omega, mu, h) = (unknown.xyz(), unknown.w, self.dt);
        let middle = cayley_middle(&self.body.frame, &omega, h);
        let rate = tilde(&omega) * middle;
        let change = (rate - self.body.rate) * self.euler;
        let external = moment(&middle);
        let loads = tilde(&external) * middle * 0.5;
        let (d1, d2) = (middle.column(0).into_owned(), middle.column(1).into_owned());
        let normal = d1.cross(&d2);

        let balance = 2.0 * axial(&middle, &change) - h * axial(&middle, &loads) + h * mu * normal;
        let twist = if self.constraint == Frame::NonTwisting { normal.dot(&omega) } else { mu };
        let mut jacobian = Matrix4::zeros();
        for j in 0..3 {
            let e = tilde(&Vector3::ith(j, 1.0));
            let d_middle = cayley_middle(&(e * middle * (0.5 * h)), &omega, h);
            let d_rate = e * middle + tilde(&omega) * d_middle;
            let d_normal = d_middle.column(0).cross(&d2) + d1.cross(&d_middle.column(1));
            let d_balance =
                2.0 * (axial(&d_middle, &change) + axial(&middle, &(d_rate * self.euler))) + h * mu * d_normal;
            jacobian.fixed_view_mut::<3, 1>(0, j).copy_from(&d_balance);
            if self.constraint == Frame::NonTwisting {
                jacobian[(3, j)] = d_normal.dot(&omega) + normal[j];
            }
        }
        if self.constraint == Frame::NonTwisting {
            jacobian.fixed_view_mut::<3, 1>(0, 3).copy_from(&(h * normal));
        } else {
            jacobian[(3, 3)] = 1.0;
        }
        (balance.push(twist), jacobian)
    }
}

/// (I − h/2 ω̃)⁻¹ X, in closed form: with a = hω/2, (I − ã)⁻¹ = (I + ã + a aᵀ)/(1 + a²).
fn cayley_middle(x: &Matrix3<f64>, omega: &Vector3<f64>, h: f64) -> Matrix3<f64> {
    let a = omega * (0.5 * h);
    (x + tilde(&a) * x + a * (a.transpose() * x)) / (1.0 + a.norm_squared())
}

/// Σᵢ xᵢ × yᵢ over the columns.
fn axial(x: &Matrix3<f64>, y: &Matrix3<f64>) -> Vector3<f64> {
    (0..3).map(|i| x.column(i).cross(&y.column(i))).sum()
}

/// The director scheme as one free step of a body given by quaternion and angular velocity in K.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeStep {
    /// At the end of the step.
    pub orientation: UnitQuaternion<f64>,
    /// From the conserved spin, in K.
    pub omega: Vector3<f64>,
    /// What the director rates hold besides ω̃, in K: pass it to the next step. A percussion that changes ω leaves it.
    pub residue: Matrix3<f64>,
    /// Until it converged.
    pub iterations: u32,
    /// Whether it did.
    pub converged: bool,
}

/// One step of §5.1 in flight. `residue` is that of the step before, zero at the start of a motion; with it the director
/// energy is kept exactly, while ½ωᵀΘω oscillates about it by O(Δt²).
pub fn free_step(
    inertia: &Vector3<f64>,
    p: &UnitQuaternion<f64>,
    omega: &Vector3<f64>,
    residue: &Matrix3<f64>,
    dt: f64,
) -> FreeStep {
    let euler = euler_coefficients(&Matrix3::from_diagonal(inertia));
    // Seen from K at the beginning of the step.
    let mut body = Directors { frame: Matrix3::identity(), rate: tilde(omega) + residue };
    let report = step(&euler, &mut body, |_| Vector3::zeros(), Frame::Standard, dt);
    let turn = UnitQuaternion::new_normalize(Quaternion::from_parts(1.0, report.omega_middle * (0.5 * dt)));
    let omega_end = body.spin_material(&euler).component_div(inertia);
    FreeStep {
        orientation: UnitQuaternion::new_normalize((p * turn).into_inner()),
        omega: omega_end,
        residue: body.frame.transpose() * body.rate - tilde(&omega_end),
        iterations: report.iterations,
        converged: report.converged,
    }
}
