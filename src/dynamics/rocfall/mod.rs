//! The rigid-body laws of the RocFall3 legacy manual: projectile, impacts with restitution, rolling and rolling–sliding;
//! and the lumped mass that shares them.

pub mod impact;
pub mod motion;
pub mod rolling;

#[cfg(test)]
mod motion_tests;

use crate::terrain::{Frame, ParameterField};

/// What the ground does to a rock under the restitution laws.
#[derive(Debug, Clone, PartialEq)]
pub struct RestitutionGround {
    /// R_N, normal restitution.
    pub r_n: ParameterField,
    /// R_T, share of the tangential contact velocity that is kept.
    pub r_t: ParameterField,
    /// μ, sliding friction.
    pub mu: ParameterField,
    /// μ_r, rolling friction.
    pub rolling_friction: ParameterField,
    /// K of R_N / (1 + (V/K)²), m/s; `None`: R_N does not depend on the velocity.
    pub r_n_scaling_m_s: Option<f64>,
    /// Cap the tangential impulse at μ times the normal one.
    pub tangential_cap: bool,
    /// Never let an impact add kinetic energy.
    pub energy_guard: bool,
    /// Standard deviation of the slope at an impact of a lumped mass, degrees.
    pub slope_scatter_deg: f64,
}

impl RestitutionGround {
    /// In the coordinates of a frame.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        let at = |field: &ParameterField| field.seen_from(frame);
        let [r_n, r_t, mu, rolling_friction] = [&self.r_n, &self.r_t, &self.mu, &self.rolling_friction].map(at);
        Self { r_n, r_t, mu, rolling_friction, ..*self }
    }
}

impl Default for RestitutionGround {
    /// Talus cover of the RocFall tables; K = 9.14 m/s is the manual's own default.
    fn default() -> Self {
        Self {
            r_n: ParameterField::Constant(0.35),
            r_t: ParameterField::Constant(0.85),
            mu: ParameterField::Constant(0.6),
            rolling_friction: ParameterField::Constant(0.1),
            r_n_scaling_m_s: None,
            tangential_cap: false,
            energy_guard: true,
            slope_scatter_deg: 0.0,
        }
    }
}
