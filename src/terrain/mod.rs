//! The ground as the physics sees it: heights and parameters on one lattice, interpolated bilinearly.

pub mod blocks;
pub mod ceiling;
mod continued;
pub mod creases;
pub mod frame;
pub mod grid;
pub mod ground;
pub mod relief;
pub mod spot;
pub mod surface;

pub use blocks::{BlockCache, Blocks};
pub use ceiling::Ceiling;
pub use creases::{Across, Crease, SlopeSpread, Unevenness};
pub use frame::{Cells, Frame, WorldNodes};
pub use grid::{Field, Lattice};
pub use ground::{ClassTable, Forest, Ground, GroundScale, OnNodes, ParameterField, Scarring};
pub use relief::{Relief, Roughness};
pub use spot::{ContactFrame, Patch, Spot};
pub use surface::{Rim, Surface, Where};
