//! Files on disk as such, whatever they hold: names, hashes, who wrote them, and how many of them change places at once.
//!
//! The rule all verbs keep: a verb replaces or removes only files it finds in a list of hashes that it left itself
//! ([`known`], [`marked`], [`marked_file`]), never one that was changed or added since, and never an input ([`inputs`]).

pub mod atomic;
pub(crate) mod companions;
pub mod hash;
pub(crate) mod hashed;
pub(crate) mod inputs;
pub(crate) mod known;
pub(crate) mod links;
pub mod marked;
pub(crate) mod marked_file;
pub(crate) mod names;
mod regular;
pub mod seal;
pub(crate) mod swap;
pub(crate) mod temporary;
pub(crate) mod watched;
pub(crate) mod worked_out;

pub(crate) use regular::open;
pub use regular::{read, read_text, refuse_endless, refuse_endless_companions};
