//! The contact problem of one step and its solution by proximal-point Gauss–Seidel (Leine 2014, §4.3).
//!
//! Find percussions P = (P_N, P_T1, P_T2) for every contact such that the velocities after the step
//!
//!   γ = Wᵀu,   u = u_free + M⁻¹ W P                                                          (eq. 65–66)
//!
//! satisfy Signorini, Coulomb and Newton: −(γ + εγᴮ) ∈ N_C(P), C = ℝ₀⁺ × μP_N·disc                (eq. 52, 68), that is
//!
//!   P = prox_C(P − r (γ + εγᴮ))   for any r > 0                                                (eq. 69).
//!
//! Nearly all problems look like the one before: contacts that all slide are solved by `sliding`, others by `active_set`,
//! which check the same laws. What they do not settle at once is left to Gauss–Seidel.
//!
//! Gauss–Seidel visits the contacts in turn; the 3 × 3 prox equation of the contact at hand is solved exactly, the others
//! held fixed, and u is updated at once, so that no Delassus matrix is needed. The last percussions of a vertex are its
//! first guess in the next step.
//!
//! # Large friction, several solutions
//! A single contact is solved in this order: *open* if it separates without a percussion, else *stick* if the sticking
//! percussion lies in the friction cone, else *slip*. Below the Painlevé value at most one of them fits. Above it (rod-like
//! bodies with μ ≳ 1; Leine 2014, eq. 81) several may: the order chooses the opening contact before the jamming one and
//! sticking before slipping, whatever the warm start, and where no slipping solution exists the sticking one does, so that
//! the percussion stays finite: a frictional catastrophe becomes an impact without collision. Nothing special happens at
//! μ = 2 or 10.
//!
//! # Slow and no convergence
//! Two contacts of one body share the force along their connecting line; Gauss–Seidel shifts it between them slowly. Every
//! [`EXTRAPOLATE_EVERY`] sweeps the geometric series of the changes is summed up (Aitken) to speed that up. Contacts that
//! fight over stick and slip can make exact block solutions cycle, at large friction above all: from [`PROJECT_AFTER`] sweeps
//! on each visit makes one short step, P ← proj_K(P − ρ(γ + εγᴮ + μ|γ_T| n)) on the friction cone K (de Saxcé's form of the
//! same law), which has no jumps. After [`MAX_SWEEPS`] the iterate with the smallest residual is kept and
//! [`Status::converged`] is false; the caller counts such steps, and scales the percussions back if they would add energy.

pub mod active_set;
pub mod sliding;

use nalgebra::{Matrix3, Vector3};

use crate::math;

/// Sweeps after which a hundred times the tolerance will do: contacts whose laws contradict each other by less than a
/// micrometre per second (restitution while at rest) build up percussions between them for thousands of sweeps.
pub const LOOSEN_AFTER: u32 = 60;
/// Sweeps between extrapolations.
pub const EXTRAPOLATE_EVERY: u32 = 6;
/// Sweeps after which blocks are no longer solved exactly.
pub const PROJECT_AFTER: u32 = 200;
/// Sweeps after which the solver gives up.
pub const MAX_SWEEPS: u32 = 3000;
/// Converged when no contact velocity violates its law by more than this share of the problem's largest velocity …
pub const TOLERANCE: f64 = 1e-9;
/// … or by more than this, m/s: six micrometres in ten minutes of rest.
pub const TOLERANCE_M_S: f64 = 1e-8;

/// One contact: where and how its percussion acts, and what it must satisfy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// W_v: the contact frame (n, t1, t2) in the inertial frame.
    pub w_v: Matrix3<f64>,
    /// W_ω: the moments of unit percussions about the centre of mass, in K.
    pub w_omega: Matrix3<f64>,
    /// Friction coefficient.
    pub mu: f64,
    /// εγᴮ: the restitution part of eq. 52.
    pub rebound: Vector3<f64>,
    /// The percussion (N, T1, T2), N s: the first guess going in, the solution coming out.
    pub percussion: Vector3<f64>,
}

/// How percussions change the velocities: M_Δ⁻¹ of eq. 64, with drag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Response {
    /// 1/kg.
    pub per_mass: f64,
    /// 1/(kg m²), inertial frame.
    pub per_inertia: Matrix3<f64>,
}

/// v in the inertial frame, ω in K.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Velocity {
    /// Of the centre of mass, m/s.
    pub v: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub omega: Vector3<f64>,
}

/// What the caller must look at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Status {
    /// Whether the solution is within the tolerance.
    pub converged: bool,
    /// Over all contacts.
    pub sweeps: u32,
    /// Largest change of a contact velocity in the last sweep, m/s.
    pub residual: f64,
}

impl Velocity {
    /// Whether every number of it is one.
    pub fn is_finite(&self) -> bool {
        // NaN and infinity survive any sum.
        (self.v.sum() + self.omega.sum()).is_finite()
    }
}

impl Contact {
    /// γ = Wᵀu (eq. 28).
    #[inline]
    pub fn velocity(&self, u: &Velocity) -> Vector3<f64> {
        self.w_v.tr_mul(&u.v) + self.w_omega.tr_mul(&u.omega)
    }

    /// Pressed, with less friction than slipping takes.
    pub fn sticks(&self) -> bool {
        let (p, limit) = (&self.percussion, self.mu * self.percussion.x);
        p.x > 0.0 && p.y * p.y + p.z * p.z < limit * limit * (1.0 - 1e-9)
    }

    /// The diagonal block of the Delassus matrix G = WᵀM⁻¹W (eq. 67).
    pub fn delassus(&self, response: &Response) -> Matrix3<f64> {
        self.w_v.tr_mul(&self.w_v) * response.per_mass + self.w_omega.tr_mul(&(response.per_inertia * self.w_omega))
    }

    #[inline]
    fn apply(&self, percussion: &Vector3<f64>, response: &Response, u: &mut Velocity) {
        u.v += (self.w_v * percussion) * response.per_mass;
        u.omega += response.per_inertia * (self.w_omega * percussion);
    }
}

/// Diagonal blocks and the best iterate, kept between calls to avoid allocation.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    blocks: Vec<Matrix3<f64>>,
    /// Percussions one and two sweeps ago.
    last: Vec<Vector3<f64>>,
    last_but_one: Vec<Vector3<f64>>,
    best: Vec<Vector3<f64>>,
}

/// Solves for the percussions of `contacts`; returns the velocities they lead to.
pub fn solve(
    contacts: &mut [Contact],
    response: &Response,
    free: &Velocity,
    scratch: &mut Scratch,
) -> (Velocity, Status) {
    let scale = contacts.iter().map(|c| (c.velocity(free) + c.rebound).amax()).fold(0.0, f64::max);
    let tolerance = (TOLERANCE * scale).max(TOLERANCE_M_S);
    if let [contact] = contacts {
        let block = contact.delassus(response);
        let alone = contact.velocity(free) + contact.rebound;
        contact.percussion = single_contact(&block, &alone, contact.mu, &contact.percussion);
        let u = with_percussions(contacts, response, free);
        let status = Status { converged: u.is_finite(), sweeps: 1, residual: 0.0 };
        return (u, status);
    }
    keep(contacts, &mut scratch.best);
    if let Some(solved) = active_set::solve(contacts, response, free, tolerance) {
        return solved;
    }
    contacts.iter_mut().zip(&scratch.best).for_each(|(contact, first)| contact.percussion = *first);
    gauss_seidel(contacts, response, free, tolerance, scratch)
}

/// Gauss–Seidel from the percussions given.
fn gauss_seidel(
    contacts: &mut [Contact],
    response: &Response,
    free: &Velocity,
    tolerance: f64,
    scratch: &mut Scratch,
) -> (Velocity, Status) {
    scratch.blocks.clear();
    scratch.blocks.extend(contacts.iter().map(|c| c.delassus(response)));
    let mut u = with_percussions(contacts, response, free);
    let mut status = Status { converged: false, sweeps: 0, residual: f64::INFINITY };
    let mut best_residual = f64::INFINITY;
    while status.sweeps < MAX_SWEEPS && !status.converged {
        let exact = status.sweeps < PROJECT_AFTER;
        status.sweeps += 1;
        std::mem::swap(&mut scratch.last, &mut scratch.last_but_one);
        keep(contacts, &mut scratch.last);
        status.residual = sweep(contacts, &scratch.blocks, response, exact, &mut u);
        let loosened = if status.sweeps > LOOSEN_AFTER { 100.0 * tolerance } else { tolerance };
        status.converged = status.residual <= loosened;
        if status.converged {
            break;
        }
        if !exact || status.sweeps == PROJECT_AFTER {
            if status.residual < best_residual {
                best_residual = status.residual;
                keep(contacts, &mut scratch.best);
            }
        } else if status.sweeps.is_multiple_of(EXTRAPOLATE_EVERY) {
            extrapolate(contacts, &scratch.last, &scratch.last_but_one);
            u = with_percussions(contacts, response, free);
        }
    }
    if !status.converged {
        status.residual = best_residual;
        contacts.iter_mut().zip(&scratch.best).for_each(|(contact, best)| contact.percussion = *best);
    }
    // Once more from the start: the updates' rounding must not enter the energy balance.
    (with_percussions(contacts, response, free), status)
}

fn keep(contacts: &[Contact], percussions: &mut Vec<Vector3<f64>>) {
    percussions.clear();
    percussions.extend(contacts.iter().map(|c| c.percussion));
}

/// Visits every contact once; returns the largest change of a contact velocity.
fn sweep(contacts: &mut [Contact], blocks: &[Matrix3<f64>], response: &Response, exact: bool, u: &mut Velocity) -> f64 {
    let mut residual = 0.0_f64;
    for (contact, block) in contacts.iter_mut().zip(blocks) {
        let gamma = contact.velocity(u) + contact.rebound;
        let percussion = if exact {
            let alone = gamma - block * contact.percussion;
            single_contact(block, &alone, contact.mu, &contact.percussion)
        } else {
            // ρ = 1 / trace: below the inverse of the block's largest eigenvalue.
            let uphill = Vector3::new(gamma.x + contact.mu * length(gamma.y, gamma.z), gamma.y, gamma.z);
            onto_cone(&(contact.percussion - uphill / block.trace()), contact.mu)
        };
        let change = percussion - contact.percussion;
        residual = residual.max(if exact { (block * change).amax() } else { change.amax() * block.trace() });
        contact.percussion = percussion;
        contact.apply(&change, response, u);
    }
    // A NaN would hide behind max(); it must not look like convergence.
    if u.is_finite() { residual } else { f64::INFINITY }
}

/// Where the changes of two sweeps shrink by a steady factor, jumps to the end of the series.
fn extrapolate(contacts: &mut [Contact], last: &[Vector3<f64>], last_but_one: &[Vector3<f64>]) {
    let (mut product, mut square) = (0.0, 0.0);
    for ((contact, last), before) in contacts.iter().zip(last).zip(last_but_one) {
        product += (contact.percussion - last).dot(&(last - before));
        square += (last - before).norm_squared();
    }
    let ratio = product / square;
    if !(0.3..0.99999).contains(&ratio) {
        return;
    }
    for (contact, last) in contacts.iter_mut().zip(last) {
        contact.percussion += (contact.percussion - last) * (ratio / (1.0 - ratio));
        contact.percussion.x = contact.percussion.x.max(0.0);
    }
}

/// u = u_free + M⁻¹WP (eq. 65).
pub fn with_percussions(contacts: &[Contact], response: &Response, free: &Velocity) -> Velocity {
    let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
    for contact in contacts {
        linear += contact.w_v * contact.percussion;
        angular += contact.w_omega * contact.percussion;
    }
    Velocity { v: free.v + linear * response.per_mass, omega: free.omega + response.per_inertia * angular }
}

#[inline]
fn length(y: f64, z: f64) -> f64 {
    (y * y + z * z).sqrt()
}

/// The nearest percussion of the friction cone |P_T| ≤ μP_N.
fn onto_cone(p: &Vector3<f64>, mu: f64) -> Vector3<f64> {
    let tangential = length(p.y, p.z);
    if tangential <= mu * p.x {
        return *p;
    }
    if mu * tangential <= -p.x {
        return Vector3::zeros();
    }
    let normal = (p.x + mu * tangential) / (1.0 + mu * mu);
    let share = mu * normal / tangential;
    Vector3::new(normal, share * p.y, share * p.z)
}

/// The percussion of one contact with γ = G P + b: open, stick or slip, in this order.
fn single_contact(g: &Matrix3<f64>, b: &Vector3<f64>, mu: f64, guess: &Vector3<f64>) -> Vector3<f64> {
    if b.x >= 0.0 {
        return Vector3::zeros();
    }
    let stick = g.try_inverse().map_or_else(Vector3::zeros, |inverse| -(inverse * b));
    if stick.x >= 0.0 && length(stick.y, stick.z) <= mu * stick.x {
        return stick;
    }
    if mu <= 0.0 {
        return Vector3::new(-b.x / g[(0, 0)], 0.0, 0.0);
    }
    slip(g, b, mu, guess).unwrap_or_else(|| Vector3::new(-b.x / g[(0, 0)], 0.0, 0.0))
}

/// Slipping in the direction −d with P_T = μP_N d: then γ_N = 0 gives P_N(d), and γ_T must be −λd with λ ≥ 0. Newton on
/// the angle of d from the last percussion's direction; a scan of the circle where that fails.
fn slip(g: &Matrix3<f64>, b: &Vector3<f64>, mu: f64, guess: &Vector3<f64>) -> Option<Vector3<f64>> {
    let problem = Slip { g, b, mu };
    let (mut c, mut s) = if guess.y != 0.0 || guess.z != 0.0 { (guess.y, guess.z) } else { (-b.y, -b.z) };
    for _ in 0..10 {
        let per_length = 1.0 / length(c, s);
        (c, s) = (c * per_length, s * per_length);
        let (value, derivative) = problem.sideways(c, s);
        let step = (value / derivative).clamp(-0.5, 0.5);
        // No direction (0/0).
        if step.is_nan() {
            break;
        }
        // A turn by arctan(step): the same to second order, and without sines.
        (c, s) = (c + step * s, s - step * c);
        // What Newton leaves of a step is its square.
        if step.abs() < 1e-8 {
            if let Some(percussion) = problem.percussion(c, s) {
                return Some(percussion);
            }
            break;
        }
    }
    problem.scan()
}

struct Slip<'a> {
    g: &'a Matrix3<f64>,
    b: &'a Vector3<f64>,
    mu: f64,
}

impl Slip<'_> {
    /// G_NN + μ G_NT·d, the normal stiffness seen along d; negative in the Painlevé region.
    fn stiffness(&self, c: f64, s: f64) -> f64 {
        self.g[(0, 0)] + self.mu * (self.g[(0, 1)] * c + self.g[(0, 2)] * s)
    }

    /// The sliding velocity's component across d, times the stiffness, and its derivative by the angle.
    fn sideways(&self, c: f64, s: f64) -> (f64, f64) {
        let (g, b, mu) = (self.g, self.b, self.mu);
        let k = self.stiffness(c, s);
        let dk = mu * (g[(0, 2)] * c - g[(0, 1)] * s);
        // q = k b_T − b_N (G_TN + μ G_TT d), so that γ_T = q / k.
        let qy = k * b.y - b.x * (g[(1, 0)] + mu * (g[(1, 1)] * c + g[(1, 2)] * s));
        let qz = k * b.z - b.x * (g[(2, 0)] + mu * (g[(2, 1)] * c + g[(2, 2)] * s));
        let dqy = dk * b.y - b.x * mu * (g[(1, 2)] * c - g[(1, 1)] * s);
        let dqz = dk * b.z - b.x * mu * (g[(2, 2)] * c - g[(2, 1)] * s);
        (qz * c - qy * s, dqz * c - dqy * s - qz * s - qy * c)
    }

    /// The percussion along a direction that makes the sideways velocity vanish, if it is admissible.
    fn percussion(&self, c: f64, s: f64) -> Option<Vector3<f64>> {
        let k = self.stiffness(c, s);
        let normal = -self.b.x / k;
        let percussion = Vector3::new(normal, self.mu * normal * c, self.mu * normal * s);
        let sliding = self.g * percussion + self.b;
        (k > 0.0 && sliding.y * c + sliding.z * s <= 0.0).then_some(percussion)
    }

    /// Sign changes of the sideways velocity on a fine circle; of several solutions the one with the least percussion.
    fn scan(&self) -> Option<Vector3<f64>> {
        const SECTORS: u32 = 72;
        let angle = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(SECTORS);
        let sideways = |angle: f64| self.sideways(math::cos(angle), math::sin(angle)).0;
        let mut found: Option<Vector3<f64>> = None;
        for k in 0..SECTORS {
            let (mut low, mut high) = (angle(k), angle(k + 1));
            let sign = sideways(low);
            if (sign > 0.0) == (sideways(high) > 0.0) {
                continue;
            }
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if (sideways(middle) > 0.0) == (sign > 0.0) { low = middle } else { high = middle }
            }
            let (s, c) = math::sin_cos(0.5 * (low + high));
            if let Some(candidate) = self.percussion(c, s)
                && found.is_none_or(|best| candidate.x < best.x)
            {
                found = Some(candidate);
            }
        }
        found
    }
}
