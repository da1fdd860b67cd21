//! The project file: what the user asked for, as typed ([`file`]) and checked.

pub mod file;
