//! What a run leaves behind: GeoTIFF layers, trajectories, report, manifest.

pub mod classification;
pub mod font;
pub mod html;
pub mod layers;
pub mod line_files;
pub mod line_report;
pub mod manifest;
pub mod png;
pub mod polygons;
pub mod preview;
pub mod ramp;
pub mod record;
pub mod report;
pub mod run_folder;
pub mod state_file;
pub mod svg;
pub mod tracks;

use crate::Result;
use crate::ensemble::RunResult;

/// Adds to a run's layers and trajectories everything else a run folder holds.
pub fn deliver(_result: &mut RunResult) -> Result<()> {
    Ok(())
}
