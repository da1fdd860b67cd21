//! Couloir: rockfall hazard simulation with rigid, angular rocks on real terrain.
//!
//! A run is one straight line, and the modules follow it. Each line may use what stands above it, never what stands below;
//! `tests/house` checks it, and CONTRIBUTING.md says what each module does.
//!
//! ```text
//! error
//! terrain  rock  dynamics  trajectory  hazard      the kernel: no files, no GDAL, no YAML
//! console  interrupt  memory  links                this process and its system
//! progress  files
//! project  threads
//! geo
//! release  site  prepare
//! ensemble  output
//! compare  validate  cli
//! ```
//!
//! # The kernel alone
//!
//! With `default-features = false` the crate is the kernel: it builds without GDAL and PROJ and drops rocks on terrains made
//! in code. Vectors and quaternions are those of the re-exported [`nalgebra`].
//!
#![doc = concat!("```\n", include_str!("../examples/one_rock.rs"), "```")]
//!
//! `examples/field.rs` lets an ensemble fall and counts it per cell.

// A closed pipe must not end a run: see `console`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod error;

pub mod dynamics;
pub mod hazard;
pub mod rock;
pub mod terrain;
pub mod trajectory;

// Everything that is not the kernel: files, geodata, projects, the command line.
#[cfg(feature = "gis")]
pub mod cli;
#[cfg(feature = "gis")]
pub mod compare;
#[cfg(feature = "gis")]
pub mod console;
#[cfg(feature = "gis")]
pub mod ensemble;
#[cfg(feature = "gis")]
pub mod files;
#[cfg(feature = "gis")]
pub mod geo;
#[cfg(feature = "gis")]
pub mod interrupt;
#[cfg(feature = "gis")]
pub mod links;
#[cfg(feature = "gis")]
pub mod memory;
#[cfg(feature = "gis")]
pub mod output;
#[cfg(feature = "gis")]
pub mod prepare;
#[cfg(feature = "gis")]
pub mod progress;
#[cfg(feature = "gis")]
pub mod project;
#[cfg(feature = "gis")]
pub mod release;
#[cfg(feature = "gis")]
pub mod site;
#[cfg(feature = "gis")]
pub mod threads;
#[cfg(feature = "gis")]
pub mod validate;

pub use error::{Error, Result};
pub use nalgebra;
