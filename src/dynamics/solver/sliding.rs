//! Up to four contacts that all slide, side by side: the commonest contact problem by far (a face on the ground).
//!
//! Everything is expressed in K. A sliding contact's percussion is N (n + μ d), d against its sliding velocity; so with the
//! directions held fixed there is one unknown N for each contact, from γ_N = 0:
//!
//!   A N = −γ_N(u_free),   A_ij = nᵢ · (effect of nⱼ + μⱼ dⱼ at contact i).
//!
//! The directions are those of the velocities with the last step's percussions; they are corrected until friction would
//! change the velocities by less than the tolerance. As in `active_set` the system is solved for the change of N with a touch
//! of regularisation. A contact that would pull, stop or turn back ends this attempt.

use nalgebra::{Matrix3, Vector3};

use super::{Response, Status, TOLERANCE_M_S, Velocity};
use crate::dynamics::lanes::{Lanes, Lanes3, WIDTH, widest};

/// Share of the largest sliding velocity by which the laws may be broken: at 10 m/s, 1 µm/s.
const TOLERANCE: f64 = 1e-7;
const MOST_ROUNDS: u32 = 4;
/// Share of the diagonal that is added to it.
const REGULARISATION: f64 = 1e-9;

/// Sliding contacts; lanes without a contact are zero.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sliding {
    count: usize,
    /// From the centre of mass to the contact point, and the normal, in K.
    arm: Lanes3,
    normal: Lanes3,
    mu: Lanes,
    /// In K, N s: the last step's going in, this step's coming out.
    percussion: Lanes3,
    /// εγᴮ of eq. 52 as a vector in K, m/s: what is added to a velocity before its laws are asked.
    rebound: Lanes3,
}

impl Sliding {
    /// Adds a contact; all vectors in K. The caller sees to it that there are no more than [`WIDTH`].
    #[inline]
    pub fn push(
        &mut self,
        arm: &Vector3<f64>,
        normal: &Vector3<f64>,
        mu: f64,
        percussion: &Vector3<f64>,
        rebound: &Vector3<f64>,
    ) {
        self.arm.set(self.count, arm);
        self.normal.set(self.count, normal);
        self.percussion.set(self.count, percussion);
        self.rebound.set(self.count, rebound);
        self.mu.0[self.count] = mu;
        self.count += 1;
    }

    /// The percussions in the inertial frame.
    #[inline]
    pub fn percussions(&self, rotation: &Matrix3<f64>) -> Lanes3 {
        self.percussion.turned_by(rotation)
    }

    /// ½ (u' + u)ᵀ W P, J (Leine 2014, eq. 57).
    pub fn work(&self, rotation: &Matrix3<f64>, start: &Velocity, end: &Velocity) -> f64 {
        let (v, omega) = (rotation.tr_mul(&(start.v + end.v)), start.omega + end.omega);
        let velocity = Lanes3::all(&v) + Lanes3::all(&omega).cross(self.arm);
        0.5 * velocity.dot(self.percussion).sum()
    }

    /// Solves for the percussions; returns the end velocities. `rotation` is A_IK of the contacts.
    pub fn solve(
        &mut self,
        rotation: &Matrix3<f64>,
        response: &Response,
        free: &Velocity,
    ) -> Option<(Velocity, Status)> {
        widest(
            #[inline(always)]
            || self.solve_side_by_side(rotation, response, free),
        )
    }

    #[inline(always)]
    fn solve_side_by_side(
        &mut self,
        rotation: &Matrix3<f64>,
        response: &Response,
        free: &Velocity,
    ) -> Option<(Velocity, Status)> {
        let free_v = rotation.tr_mul(&free.v);
        let lever = self.arm.cross(self.normal);
        let rebound = self.normal.dot(self.rebound);
        let approach = self.normal.dot(Lanes3::all(&free_v)) + lever.dot(Lanes3::all(&free.omega)) + rebound;
        let (arm, per_inertia) = (self.arm, response.per_inertia);
        let after = |percussion: Lanes3| {
            let (force, moment) = (percussion.sum(), arm.cross(percussion).sum());
            (free_v + force * response.per_mass, free.omega + per_inertia * moment)
        };
        // Lanes without a contact, and contacts that would pull: 1 on the diagonal keeps their N at zero.
        let spare = |lane: usize| if lane < self.count { 0.0 } else { 1.0 };
        let mut open = Lanes([spare(0), spare(1), spare(2), spare(3)]);
        let mut pressure = self.normal.dot(self.percussion);
        let (v, omega) = after(self.percussion);
        let (mut slide, mut speed) = self.sliding(&v, &omega);
        let tolerance = (TOLERANCE * speed.largest()).max(TOLERANCE_M_S);
        for round in 1..=MOST_ROUNDS {
            let against = slide * speed.map(|speed| if speed > 0.0 { -1.0 / speed } else { 0.0 });
            let closed = Lanes::all(1.0) - open;
            let pull = (self.normal + against * self.mu) * closed;
            let effect_v = pull * Lanes::all(response.per_mass);
            let effect_omega = self.arm.cross(pull).turned_by(&response.per_inertia);
            let column = |j: usize| {
                let (v, omega) = (Lanes3::all(&effect_v.get(j)), Lanes3::all(&effect_omega.get(j)));
                (self.normal.dot(v) + lever.dot(omega)) * closed
            };
            let mut columns = [column(0), column(1), column(2), column(3)];
            let own = Lanes([columns[0].0[0], columns[1].0[1], columns[2].0[2], columns[3].0[3]]) + open;
            // Not positive: more friction than the body's inertia can answer (Painlevé).
            if own.smallest() <= 0.0 {
                return None;
            }
            let mut right = (Lanes::default() - approach) * closed;
            for (j, column) in columns.iter_mut().enumerate() {
                right = right - *column * Lanes::all(pressure.0[j]);
                column.0[j] = own.0[j] * (1.0 + REGULARISATION);
            }
            pressure = pressure + eliminate(columns, right);
            if pressure.smallest() < 0.0 {
                // Four corners of a face are one too many: one of them may lift.
                open = open.max(pressure.map(|pressure| if pressure < 0.0 { 1.0 } else { 0.0 }));
                pressure = pressure.max(Lanes::default());
                continue;
            }
            let percussion = pull * pressure;
            let (v, omega) = after(percussion);
            let (moved, moved_speed) = self.sliding(&v, &omega);
            let along = moved.dot(against) - open;
            // Friction would drive, not brake: a contact stops or turns back in this step.
            if along.largest() >= -tolerance {
                return None;
            }
            let askew = moved - against * along;
            let turn = askew.dot(askew).sqrt() / along;
            let gamma_n = self.normal.dot(Lanes3::all(&v)) + lever.dot(Lanes3::all(&omega)) + rebound;
            let friction = turn * self.mu * pressure * Lanes::all((own * closed).largest());
            // An open contact must not approach, a closed one not move along its normal.
            let broken = gamma_n.map(f64::abs) * closed;
            let broken = broken.max((Lanes::default() - gamma_n) * open);
            let residual = broken.max(friction.map(f64::abs)).largest();
            if residual <= tolerance {
                self.percussion = percussion;
                let end = Velocity { v: rotation * v, omega };
                return end.is_finite().then_some((end, Status { converged: true, sweeps: round, residual }));
            }
            (slide, speed) = (moved, moved_speed);
        }
        None
    }

    /// Velocities of the contact points along the ground, and their sizes. In a lane without a contact that is the velocity
    /// of the centre of mass: harmless, since there is no friction.
    #[inline(always)]
    fn sliding(&self, v: &Vector3<f64>, omega: &Vector3<f64>) -> (Lanes3, Lanes) {
        let velocity = Lanes3::all(v) + Lanes3::all(omega).cross(self.arm) + self.rebound;
        let along = velocity - self.normal * self.normal.dot(velocity);
        (along, along.dot(along).sqrt())
    }
}

/// Gauss without pivots: the diagonal is positive, and what goes wrong shows in the check of the laws. `columns[j].0[i]` is
/// the element of row i.
#[inline(always)]
fn eliminate(mut columns: [Lanes; WIDTH], mut right: Lanes) -> Lanes {
    let mut inverse = [0.0; WIDTH];
    for k in 0..WIDTH {
        inverse[k] = 1.0 / columns[k].0[k];
        let factor = |i: usize| if i > k { columns[k].0[i] * inverse[k] } else { 0.0 };
        let factors = Lanes([factor(0), factor(1), factor(2), factor(3)]);
        for column in &mut columns[k + 1..] {
            *column = *column - factors * Lanes::all(column.0[k]);
        }
        right = right - factors * Lanes::all(right.0[k]);
    }
    let mut solution = Lanes::default();
    for k in (0..WIDTH).rev() {
        solution.0[k] = right.0[k] * inverse[k];
        right = right - columns[k] * Lanes::all(solution.0[k]);
    }
    solution
}
