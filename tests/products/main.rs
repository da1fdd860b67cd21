//! The products of a run, checked from outside: polygons by OGR/GEOS, files by reading them back.

mod field;
mod languages;
mod names;
mod objects;
mod polygons;
mod review;
mod run;
