//! What a run leaves behind: GeoTIFF layers, trajectories, report, manifest.

pub mod polygons;
pub mod svg;
