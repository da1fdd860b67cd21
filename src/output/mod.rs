//! What a run leaves behind: GeoTIFF layers, trajectories, report, manifest.

pub mod classification;
mod classification_report;
mod conclude;
pub mod deliver;
pub(crate) mod hillshade;
pub mod layer_values;
pub mod line_files;
pub mod line_report;
pub mod maps;
pub mod page;
pub mod profile;
mod reclassify;
pub mod report;
pub mod report_model;
pub mod run_record;
mod setting;
pub mod styles;
pub mod tracks;

pub use deliver::{Work, deliver};
pub use reclassify::{Wishes, reclassify};

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
