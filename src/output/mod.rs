//! What a run leaves behind: GeoTIFF layers, trajectories, report, manifest.

pub(crate) mod classification;
mod classification_maps;
mod classification_report;
mod classified_files;
mod conclude;
mod convergence_report;
mod cut_off;
pub(crate) mod deliver;
pub(crate) mod hillshade;
pub(crate) mod interactive;
pub(crate) mod layer_list;
pub mod layer_values;
pub(crate) mod line_files;
pub(crate) mod line_report;
pub(crate) mod line_results;
pub(crate) mod maps;
mod matrix;
pub(crate) mod objects;
pub(crate) mod page;
pub(crate) mod profile;
mod reclassify;
pub(crate) mod report;
pub(crate) mod report_model;
mod rerender;
pub(crate) mod run_record;
mod setting;
mod sheets;
mod square_layers;
pub(crate) mod styles;
mod titles;
pub(crate) mod tracks;
pub(crate) mod upload;
pub(crate) mod words;

pub use deliver::{Work, deliver};
pub use reclassify::{Wishes, reclassify};
pub use rerender::rerender;

/// Two things at the same time, or one after the other where each takes much memory.
fn both<A: Send, B: Send>(at_once: bool, a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    if at_once {
        return rayon::join(a, b);
    }
    let a = a();
    give_memory_back();
    (a, b())
}

/// The allocator keeps freed memory for the next of the same size, which may never come.
fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: only pages that nobody uses are handed to the system.
    unsafe {
        libc::malloc_trim(0);
    }
}
