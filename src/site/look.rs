//! What a look at all cells of a DEM finds. `couloir plan` keeps it for the parts of the run, which then read no more of the DEM than their
//! rocks touch.

use serde::{Deserialize, Serialize};

use super::as_read;
use crate::Note;
use crate::files::worked_out;
use crate::geo::gaps::Gaps;
use crate::geo::jumps;
use crate::geo::raster::Raster;

/// DEMs of up to so many cells are looked at anew: that takes hundredths of a second.
pub(super) const AT_ONCE_CELLS: usize = 1 << 20;

/// Of a DEM with more pieces of rows without height it takes as long to read what was found.
const MOST_PIECES: usize = 200_000;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Look {
    /// The hash the DEM is known by.
    pub sha256: String,
    /// `None` if not all cells were looked at; so for the next one.
    pub gaps: Option<Gaps>,
    pub nodata_cells: Option<usize>,
    pub notes: Vec<Note>,
}

impl Look {
    pub(super) fn at(dem: &Raster) -> Self {
        let gaps = Gaps::of(&dem.field);
        let notes = gaps.notes("terrain.dem").into_iter().chain(jumps::note(&dem.field, "terrain.dem")).collect();
        Self { sha256: as_read::dem(dem), gaps: Some(gaps), nodata_cells: Some(dem.nodata_cells), notes }
    }

    /// Of a DEM that is not read as a whole: it is known by its files.
    pub(super) fn not_taken(sources: &str) -> Self {
        Self { sha256: sources.into(), gaps: None, nodata_cells: None, notes: Vec::new() }
    }

    /// What an earlier process found in a DEM from the same files, read in the same way.
    pub(super) fn known(sources: &str) -> Option<Self> {
        worked_out::take(&key(sources)).and_then(|bytes| serde_json::from_slice(&bytes).ok())
    }

    pub(super) fn keep(&self, sources: &str) {
        if self.gaps.as_ref().is_some_and(|gaps| gaps.pieces() > MOST_PIECES) {
            return;
        }
        worked_out::note(&key(sources), || serde_json::to_vec(self).unwrap_or_default());
    }
}

fn key(sources: &str) -> String {
    format!("look {} {sources}", env!("COULOIR_VERSION"))
}
