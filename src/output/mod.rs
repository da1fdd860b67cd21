//! What a run leaves behind: GeoTIFF layers, trajectories, report, manifest.

pub mod classification;
pub mod deliver;
pub mod font;
pub mod html;
pub mod layer_values;
pub mod line_files;
pub mod line_report;
pub mod maps;
pub mod png;
pub mod polygons;
pub mod preview;
pub mod profile;
pub mod ramp;
pub mod report;
pub mod run_record;
pub mod svg;
pub mod tracks;

pub use deliver::{Work, deliver};

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
