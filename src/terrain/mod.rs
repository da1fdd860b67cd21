//! The ground as the physics sees it: heights and parameters on one lattice, interpolated bilinearly.

pub mod grid;

pub use grid::{Field, Lattice};
