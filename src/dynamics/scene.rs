//! Everything a trajectory needs that does not change while it runs.

pub use super::laws::{ContactModel, Integrator, Stepping, Stop as StopCriteria, TerrainNodes};
use super::laws::{GRAVITY_M_S2, TIME_STEP_S};
use super::rocfall::RestitutionGround;
use crate::terrain::{Forest, Ground, Surface};

/// Terrain, ground, forest and how to compute. Shared by all threads.
#[derive(Debug, Clone)]
pub struct Scene {
    pub surface: Surface,
    pub ground: Ground,
    /// Used by the contact models `rocfall3` and `lumped`.
    pub restitution: RestitutionGround,
    pub forest: Option<Forest>,
    pub gravity_m_s2: f64,
    pub time_step_s: f64,
    pub integrator: Integrator,
    pub contact: ContactModel,
    pub terrain_nodes: TerrainNodes,
    pub stepping: Stepping,
    pub stop: StopCriteria,
}

impl Scene {
    /// Contacts are held at the level of positions (see `step`).
    pub fn holds_contacts(&self) -> bool {
        self.contact == ContactModel::NonSmooth
    }

    /// Fast stages are shown to be the same for contacts that hold, not for the published scheme.
    pub fn is_plain(&self) -> bool {
        self.stepping == Stepping::Plain || self.contact == ContactModel::AsPublished
    }

    /// A scene with the default step, integrator, gravity and stop criteria.
    pub fn new(surface: Surface, ground: Ground) -> Self {
        Self {
            surface,
            ground,
            restitution: RestitutionGround::default(),
            forest: None,
            gravity_m_s2: GRAVITY_M_S2,
            time_step_s: TIME_STEP_S,
            integrator: Integrator::default(),
            contact: ContactModel::default(),
            terrain_nodes: TerrainNodes::default(),
            stepping: Stepping::default(),
            stop: StopCriteria::default(),
        }
    }
}
