//! Everything a trajectory needs that does not change while it runs.

pub use super::laws::{ContactModel, FastRocks, Integrator, Stepping, Stop as StopCriteria, TerrainNodes};
use super::laws::{GRAVITY_M_S2, TIME_STEP_S};
use super::rocfall::RestitutionGround;
use crate::terrain::{Forest, Frame, Ground, Surface};

/// Terrain, ground, forest and how to compute. Shared by all threads.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The terrain.
    pub surface: Surface,
    /// Friction and restitution, place by place.
    pub ground: Ground,
    /// Used by the contact models `rocfall3` and `lumped`.
    pub restitution: RestitutionGround,
    /// Drag of trees.
    pub forest: Option<Forest>,
    /// Downwards.
    pub gravity_m_s2: f64,
    /// Of the plain loop.
    pub time_step_s: f64,
    /// Of free rotation.
    pub integrator: Integrator,
    /// The contact model.
    pub contact: ContactModel,
    /// Whether nodes are tested against hulls.
    pub terrain_nodes: TerrainNodes,
    /// What soil takes from fast rocks.
    pub fast_rocks: FastRocks,
    /// Fast or plain.
    pub stepping: Stepping,
    /// When a trajectory ends.
    pub stop: StopCriteria,
}

impl Scene {
    /// The same scene in the coordinates of a rock's frame; what is large is shared.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        Self {
            surface: self.surface.seen_from(frame),
            ground: self.ground.seen_from(frame),
            restitution: self.restitution.seen_from(frame),
            forest: self.forest.as_ref().map(|forest| forest.seen_from(frame)),
            stop: self.stop.clone(),
            ..*self
        }
    }

    /// Contacts are held at the level of positions (see `step`).
    pub fn holds_contacts(&self) -> bool {
        self.contact == ContactModel::NonSmooth
    }

    /// Fast stages are shown to be the same for contacts that hold, not for the published scheme.
    pub fn is_plain(&self) -> bool {
        self.stepping == Stepping::Plain || self.contact == ContactModel::AsPublished
    }

    /// Whether soil takes more from fast rocks than by the published law.
    pub fn brakes_fast_rocks(&self) -> bool {
        self.fast_rocks == FastRocks::Braked && self.contact != ContactModel::AsPublished
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
            fast_rocks: FastRocks::default(),
            stepping: Stepping::default(),
            stop: StopCriteria::default(),
        }
    }
}
