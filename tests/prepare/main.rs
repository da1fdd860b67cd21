//! `couloir prepare`, `clip` and `reproject`, run as a user runs them, on terrain whose height is known everywhere.

mod catalogue;
mod overwrite;
mod single_file;
mod site;
mod support;
