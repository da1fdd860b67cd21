//! What a look at all cells of a DEM finds. `couloir plan` keeps it for the parts of the run, which then read no more of the DEM than their
//! rocks touch.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Reading, as_read};
use crate::Note;
use crate::files::hash::sha256;
use crate::files::worked_out;
use crate::geo::gaps::Gaps;
use crate::geo::jumps;
use crate::geo::raster::Raster;
use crate::terrain::ParameterField;

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

/// What a look at all nodes finds of a raster: the hash it is known by.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RasterLook {
    pub sha256: String,
    pub nodata_cells: usize,
}

/// Of a parameter that differs from node to node.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FieldLook {
    /// The same at all nodes after all.
    pub constant: Option<f64>,
    /// Smallest and largest.
    pub range: Option<(f32, f32)>,
    /// How many nodes have the value of the weaker source, and the first of them.
    pub gaps: Option<(usize, usize)>,
}

impl FieldLook {
    pub(super) fn at(field: &ParameterField, gaps: Option<(usize, usize)>) -> Self {
        match field {
            ParameterField::Constant(value) => Self { constant: Some(*value), range: None, gaps },
            ParameterField::Field(nodes) => Self { constant: None, range: nodes.range(), gaps },
        }
    }
}

/// Of class layers: the classes that nodes have, and what is to be said.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ClassesLook {
    pub used: Vec<bool>,
    pub notes: Vec<Note>,
}

impl Reading<'_> {
    /// What an earlier process found in the same project and inputs, if a look at all nodes can be spared: they are read on demand.
    pub(super) fn found<T: DeserializeOwned>(&self, what: &str, sources: &str) -> Option<T> {
        self.surface.blocks()?;
        let bytes = worked_out::take(&self.found_key(what, sources)?)?;
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) fn keep_found<T: Serialize>(&self, what: &str, sources: &str, found: &T) {
        if let Some(key) = self.found_key(what, sources) {
            worked_out::note(&key, || serde_json::to_vec(found).unwrap_or_default());
        }
    }

    /// Of the project, of all that was read so far, and of what is about to be read.
    fn found_key(&self, what: &str, sources: &str) -> Option<String> {
        if !self.is_read_whole() || self.surface.lattice().len() <= AT_ONCE_CELLS {
            return None;
        }
        let read: Vec<&str> = self.as_read.iter().map(|read| read.sha256.as_str()).collect();
        let (version, project) = (env!("COULOIR_VERSION"), &self.project.sha256);
        Some(sha256(format!("{version} {project} {read:?} {what} {sources}").as_bytes()))
    }
}
