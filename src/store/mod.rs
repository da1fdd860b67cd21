//! What a run keeps: its plan, its folder, counts and logs while it is computed, and what is read from them afterwards.
//!
//! [`set_up`] plans a run, [`Store::open`] takes its folder, `ensemble` fills the store with [`Fallen`] rocks, and `output`
//! makes files of its [`RunResult`].

pub mod findings;
pub mod identity;
pub mod layers;
pub(crate) mod lock;
pub mod log;
pub mod manifest;
mod open;
pub(crate) mod overlays;
pub(crate) mod own_files;
mod plan;
pub(crate) mod record;
mod results;
pub mod run_folder;
pub mod settled;
pub mod state_file;
pub mod track;

pub use open::{Fallen, Source, Store};
pub use plan::{Amount, Setup, set_up};
pub use results::{RunResult, VariantResult};
