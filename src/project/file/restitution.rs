//! Parameters of the contact models `rocfall3` and `lumped`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Parameter;

/// Restitution laws of the contact models `rocfall3` and `lumped`; not used by `non_smooth`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RestitutionSpec {
    /// Normal restitution R_N.
    pub r_n: Parameter,
    /// Tangential restitution R_T: share of the tangential contact velocity that is kept.
    pub r_t: Parameter,
    /// Sliding friction.
    pub mu: Parameter,
    /// Rolling friction.
    pub rolling_friction: Parameter,
    /// K of R_N / (1 + (V/K)²), e.g. 9.14; default: R_N does not depend on the velocity.
    pub r_n_scaling_m_s: Option<f64>,
    /// Cap the tangential impulse at `mu` times the normal one.
    pub tangential_cap: bool,
    /// Never let an impact add kinetic energy.
    pub energy_guard: bool,
    /// Standard deviation of the slope angle at an impact of a lumped mass.
    pub slope_scatter_deg: f64,
}

impl Default for RestitutionSpec {
    fn default() -> Self {
        Self {
            r_n: Parameter::Constant(0.35),
            r_t: Parameter::Constant(0.85),
            mu: Parameter::Constant(0.6),
            rolling_friction: Parameter::Constant(0.1),
            r_n_scaling_m_s: None,
            tangential_cap: false,
            energy_guard: true,
            slope_scatter_deg: 0.0,
        }
    }
}
