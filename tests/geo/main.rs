//! Geodata in and out, on files written here.

mod rasters;
mod vectors;
