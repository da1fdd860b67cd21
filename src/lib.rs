//! Couloir: rockfall hazard simulation with rigid, angular rocks on real terrain.
//!
//! A run is one straight line, and the modules follow it: [`project`] (what the user asked for) → [`geo`] (files) →
//! [`terrain`] and [`rock`] → [`release`] → [`dynamics`] (one step) → [`trajectory`] (many steps) → [`hazard`]
//! (statistics) → [`output`] (maps, tables, report). Nothing later on the line is known to anything earlier.

// A closed pipe must not end a run: see [`console`].
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod compare;
pub mod console;
pub mod dynamics;
pub mod ensemble;
pub mod error;
pub mod files;
pub mod geo;
pub mod hazard;
pub mod interrupt;
pub mod links;
pub mod memory;
pub mod output;
pub mod prepare;
pub mod progress;
pub mod project;
pub mod release;
pub mod rock;
pub mod site;
pub mod terrain;
pub mod threads;
pub mod trajectory;
pub mod validate;

pub use error::{Error, Result};
