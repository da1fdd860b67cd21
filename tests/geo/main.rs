//! Geodata in and out, on files written here.

mod crs;
mod damaged;
mod disk;
mod file_lists;
mod geojson;
mod polygons;
mod rasters;
mod support;
mod units;
mod vectors;
mod written;
mod xml;
