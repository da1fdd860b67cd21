//! One rock, one step. No I/O, no files; SI units; local coordinates (origin at the DEM's south-western cell centre).

pub mod rocfall;
pub mod rotation;
pub mod scene;

pub use scene::{ContactModel, Integrator, Scene, StopCriteria, TerrainNodes};
