//! What a run leaves behind: GeoTIFF layers, trajectories, report, manifest.

pub mod classification;
pub mod font;
pub mod html;
pub mod line_files;
pub mod line_report;
pub mod manifest;
pub mod png;
pub mod polygons;
pub mod preview;
pub mod ramp;
pub mod report;
pub mod svg;
