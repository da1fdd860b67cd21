//! The sample projects work with the real binary, and their generator still makes the data that are committed.

// The generator itself; its modules find each other from the crate's root, as in the example.
#[path = "../../examples/make_samples/borderland.rs"]
mod borderland;
#[path = "../../examples/make_samples/contour.rs"]
mod contour;
#[path = "../../examples/make_samples/earthworks.rs"]
mod earthworks;
#[path = "../../examples/make_samples/erosion.rs"]
mod erosion;
#[path = "../../examples/make_samples/mountain.rs"]
mod mountain;
#[path = "../../examples/make_samples/noise.rs"]
mod noise;
#[path = "../../examples/make_samples/ramp.rs"]
mod ramp;
#[path = "../../examples/make_samples/valley.rs"]
mod valley;
#[path = "../../examples/make_samples/write.rs"]
mod write;

mod generator;
mod projects;
#[cfg(unix)]
mod setup;

use std::path::PathBuf;

/// A folder of the sample projects.
fn sample(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sample_projects").join(name)
}
