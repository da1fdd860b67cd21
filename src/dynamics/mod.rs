//! One rock, one step. No I/O, no files; SI units; local coordinates (origin at the DEM's south-western cell centre).

pub mod body;
pub mod contact;
pub mod drag;
pub mod edges;
mod entry;
pub mod fall;
pub mod fast;
pub mod free_motion;
pub mod friction;
pub mod hold;
mod impact;
mod lanes;
pub mod laws;
pub mod nodes;
pub mod percussions;
pub mod push_out;
pub mod rocfall;
pub mod rotation;
pub mod scarring;
pub mod scene;
pub mod sides;
pub mod solver;
pub mod sphere;
pub mod start;
pub mod step;
pub mod step_info;
mod submerged;
pub mod substeps;

pub use body::Body;
pub use fall::{Fall, Workspace};
pub use scene::{ContactModel, FastRocks, Integrator, Scene, Stepping, StopCriteria, TerrainNodes};
pub use start::Start;
pub use step::step;
pub use step_info::{EnergyBalance, StepInfo};
