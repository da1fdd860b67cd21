//! Several time steps as one, where it comes to the same: in flight, sliding, at rest.

mod ahead;
pub mod glide;
pub mod leap;
pub mod rest;

pub use glide::glide;
pub use leap::leap;
pub use rest::rest;
