//! What a step tells of itself.

use nalgebra::Vector3;

use super::rocfall::motion::Mode;
use super::solver::Status;

/// What happened in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepInfo {
    /// How long it was, s: several time steps in a leap, a glide or at rest, less before an impact under the restitution laws.
    pub duration_s: f64,
    /// Contacts closed at the midpoint.
    pub closed: u32,
    /// Contacts with a percussion.
    pub pressed: u32,
    /// Sum of all percussions, inertial frame, N s.
    pub percussion: Vector3<f64>,
    /// Convergence of the contact solver; `None` without contact.
    pub solver: Option<Status>,
    /// Newton of the free rotation reached rounding.
    pub rotation_converged: bool,
    /// Restitution was taken back so that no energy is made.
    pub restitution_reduced: bool,
    /// How far the rock was pushed out of the ground after the step, m.
    pub pushed_out_m: f64,
    /// Smallest vertical gap after the step, m; negative below ground. Without [`StepInfo::energy`], 0 may stand for any
    /// small gap of a rock in contact.
    pub clearance_m: f64,
    /// Where energy went, J.
    pub energy: EnergyBalance,
    /// What the rock was doing under the restitution laws; `None` for the non-smooth model.
    pub mode: Option<Mode>,
}

/// Energies of a step, J (Leine 2014, eq. 54, with ΔV = V' − V): kinetic + potential = drag + contact + gyroscopic +
/// correction, to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EnergyBalance {
    /// After − before, J.
    pub kinetic_change: f64,
    /// After − before, J.
    pub potential_change: f64,
    /// Work of drag; never positive.
    pub drag: f64,
    /// Work of the percussions (eq. 57).
    pub contact: f64,
    /// Error of the free rotation: rounding in the explicit and implicit schemes.
    pub gyroscopic: f64,
    /// Height gained by pushing the rock out of the ground.
    pub correction: f64,
}

impl StepInfo {
    /// A step of this duration in free flight of which nothing more is known.
    pub fn lasting(duration_s: f64) -> Self {
        Self {
            duration_s,
            closed: 0,
            pressed: 0,
            percussion: Vector3::zeros(),
            solver: None,
            rotation_converged: true,
            restitution_reduced: false,
            pushed_out_m: 0.0,
            clearance_m: 0.0,
            energy: EnergyBalance::default(),
            mode: None,
        }
    }

    /// Of two steps together.
    pub fn followed_by(self, after: Self) -> Self {
        Self {
            duration_s: self.duration_s + after.duration_s,
            closed: self.closed.max(after.closed),
            pressed: self.pressed.max(after.pressed),
            percussion: self.percussion + after.percussion,
            solver: match (self.solver, after.solver) {
                (Some(before), Some(after)) => Some(if before.converged { after } else { before }),
                (before, after) => before.or(after),
            },
            rotation_converged: self.rotation_converged && after.rotation_converged,
            restitution_reduced: self.restitution_reduced || after.restitution_reduced,
            pushed_out_m: self.pushed_out_m + after.pushed_out_m,
            energy: self.energy.and(&after.energy),
            ..after
        }
    }
}

impl EnergyBalance {
    /// Of two steps together.
    pub fn and(&self, other: &Self) -> Self {
        Self {
            kinetic_change: self.kinetic_change + other.kinetic_change,
            potential_change: self.potential_change + other.potential_change,
            drag: self.drag + other.drag,
            contact: self.contact + other.contact,
            gyroscopic: self.gyroscopic + other.gyroscopic,
            correction: self.correction + other.correction,
        }
    }

    /// What the balance does not explain.
    pub fn residual(&self) -> f64 {
        self.kinetic_change + self.potential_change - self.drag - self.contact - self.gyroscopic - self.correction
    }
}
