//! What a user chooses about the physics: scheme, contact law, stepping, end. The doc comments are the reference users read
//! (`couloir schema`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Time step unless the user says otherwise, s.
pub const TIME_STEP_S: f64 = 0.002;
/// Gravitational acceleration unless the user says otherwise, m/s².
pub const GRAVITY_M_S2: f64 = 9.81;

/// How free rotation is integrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// Leine 2021, §5.2: conserves energy and spin in flight.
    #[default]
    Implicit,
    /// Leine 2014, §4 and Leine 2021, §5.1.
    Explicit,
    /// del Valle 2024.
    Spiral,
    /// Gebhardt & Romero, §5.1.
    Directors,
}

/// What happens when rock and ground touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContactModel {
    /// Hard contact with slippage-dependent friction (Leine 2014), held at the level of positions so that results converge
    /// with the time step.
    #[default]
    NonSmooth,
    /// The same laws step by step as Leine 2014 and 2021 print them: contacts are found at the midpoint and act on velocities
    /// only. For comparison with the papers; results depend on the time step. Always `stepping: plain`.
    AsPublished,
    /// Impact and rolling laws of RocFall3.
    Rocfall3,
    /// Lumped mass: a point that bounces.
    Lumped,
}

impl ContactModel {
    /// Whether impacts follow coefficients of restitution instead of contact mechanics.
    pub fn follows_restitution_laws(self) -> bool {
        matches!(self, Self::Rocfall3 | Self::Lumped)
    }
}

/// Whether nodes of the terrain are tested against the rock's hull.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TerrainNodes {
    /// Where the ground below the rock can stand out by more than a millimetre between its vertices.
    #[default]
    Auto,
    /// Wherever the ground is convex at all.
    Always,
    /// Vertices only, as published: slender rocks can pass ridges.
    Never,
}

/// What compactable soil takes from rocks faster than those its law was fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FastRocks {
    /// Up to 25 m/s the drag of Lu et al. (2019); beyond, so much more that rocks on the ground stay below some 45 m/s, which hardly any
    /// observed rock exceeds. Fitted to that, not derived. (With `contact: as_published`: as `lu2019`.)
    #[default]
    Braked,
    /// The drag of Lu et al. (2019) at all speeds: on long slopes of 40° rocks reach 50 to 65 m/s.
    Lu2019,
}

/// How time is stepped through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stepping {
    /// Several time steps at once where the ground is out of reach, and only vertices near the ground are tested.
    #[default]
    Fast,
    /// Every time step and every vertex: the reference.
    Plain,
}

/// When a trajectory ends (besides leaving the DEM or reaching nodata).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Stop {
    /// Longest simulated time.
    pub max_time_s: f64,
    /// Longest path; default: unlimited.
    pub max_distance_m: Option<f64>,
    /// At rest: kinetic energy per mass below that of this speed …
    pub rest_speed_m_s: f64,
    /// … for this long; or rocking in its place, no further than this speed carries, for ten times as long.
    pub rest_time_s: f64,
}

impl Default for Stop {
    fn default() -> Self {
        Self { max_time_s: 300.0, max_distance_m: None, rest_speed_m_s: 0.05, rest_time_s: 0.5 }
    }
}
