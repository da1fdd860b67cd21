//! Couloir: rockfall hazard simulation with rigid, angular rocks on real terrain.
//!
//! A run is one straight line, and the modules follow it. Each may use what stands above it, never what stands below;
//! `tests/house` checks it.
//!
//! ```text
//! error       the one error type: a sentence, and the exit code it means
//! note        every note and warning, with its code and values
//! math        functions of numbers with the same bits on every machine
//! terrain     kernel: height field, parameter fields, ceilings
//! rock        kernel: point cloud → convex hull → mass, centre, inertia
//! dynamics    kernel: body, start, laws (friction, restitution, drag), one step
//! trajectory  kernel: steps until a stop reason, and what an observer sees
//! hazard      kernel: passages per cell, quantiles, crossings, barriers, zones
//! texts       the words of reports, maps and layers, in four languages
//! process     the program on its machine: what it says, progress, interruption, memory, threads
//! files       atomic writes, names, hashes, whose a file is, many that take their places at once
//! project     the project file: what the user asked for, checked, with units and limits
//! geo         reads, reprojects, clips, writes geodata: the only module that knows GDAL and PROJ
//! release     polygons, lines and points + seed → numbered releases
//! site        everything a project names, read and brought to one CRS and grid
//! prepare     from any sources to a run-ready folder
//! form        a project as flat values for programs with fields, and back
//! store       what a run keeps: plan, folder, counts, logs, results
//! ensemble    fills a store: rocks fall on all threads, or parts are merged
//! draw        canvas, font, maps with legends, plots
//! output      store → layers, trajectories, lines, zones, previews, report, manifest
//! review      finished runs looked at again: the difference of two, profiles along lines
//! score       a finished run against what was observed
//! compare     one project through several models
//! validate    published cases: what was published, what we get, the tolerance
//! cli         one file a verb: parse, call the library, print
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

// A closed pipe must not end a run: see `process::console`.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![warn(missing_docs)]
#![warn(unreachable_pub)]
#![warn(clippy::undocumented_unsafe_blocks)]

pub mod error;
pub(crate) mod math;
pub mod note;

// Their many numbers are named with units; what is not said there is in docs/theory.md.
pub mod dynamics;
pub mod hazard;
pub mod rock;
pub mod terrain;
pub mod trajectory;

// Everything that is not the kernel: files, geodata, projects, the command line. What is public here is so for the project's
// own tests and benchmarks.
#[cfg(feature = "gis")]
pub mod cli;
#[cfg(feature = "gis")]
pub(crate) mod compare;
#[cfg(feature = "gis")]
pub(crate) mod draw;
#[cfg(feature = "gis")]
pub mod ensemble;
#[cfg(feature = "gis")]
pub mod files;
#[cfg(feature = "gis")]
pub(crate) mod form;
#[cfg(feature = "gis")]
pub mod geo;
#[cfg(feature = "gis")]
pub mod output;
#[cfg(feature = "gis")]
pub(crate) mod prepare;
#[cfg(feature = "gis")]
pub mod process;
#[cfg(feature = "gis")]
pub mod project;
#[cfg(feature = "gis")]
pub(crate) mod release;
#[cfg(feature = "gis")]
pub(crate) mod review;
#[cfg(feature = "gis")]
pub(crate) mod score;
#[cfg(feature = "gis")]
pub mod site;
#[cfg(feature = "gis")]
pub mod store;
#[cfg(feature = "gis")]
pub mod texts;
#[cfg(feature = "gis")]
pub mod validate;

pub use error::{Error, Result};
pub use nalgebra;
pub use note::Note;
