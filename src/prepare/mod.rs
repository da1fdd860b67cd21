//! From any sources to a run-ready folder: tiles are mosaicked, clipped, reprojected and mended, layers aligned to the
//! DEM's grid, release features brought along, and a complete project file written.
//!
//! One straight line: [`request`] (what was asked) → [`plan`] (CRS, grid, tiles) → [`dem`] → [`layers`] → [`features`]
//! → [`project_file`] and [`record`] (what was done) → the folder takes its name.

mod classes;
mod dem;
mod features;
mod layers;
mod plan;
mod project_file;
mod record;
pub(crate) mod release_find;
pub(crate) mod request;
pub(crate) mod roughness;
mod staging;
pub(crate) mod styles;

use std::path::PathBuf;

use crate::geo::datum_shift::DatumShift;
use crate::geo::{Crs, native};
use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::{Note, Result};
pub(crate) use request::PrepareFile;

/// What was prepared, for people.
#[derive(Debug)]
pub(crate) struct Summary {
    pub out: PathBuf,
    /// What was decided and done, in order.
    pub notes: Vec<Note>,
    pub warnings: Vec<Note>,
}

/// Notes and warnings as they come up.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub notes: Vec<Note>,
    pub warnings: Vec<Note>,
    /// How sources in other CRSs were brought to the site's.
    pub datum_shifts: Vec<DatumShift>,
}

impl Said {
    /// Notes the way from one CRS to another at a point of the first; each way once.
    pub(crate) fn shift(&mut self, from: &Crs, to: &Crs, at: (f64, f64)) {
        if self.datum_shifts.iter().any(|known| known.from == from.label()) {
            return;
        }
        if let Some(shift) = DatumShift::at(from, to, at) {
            self.note(shift.note());
            self.datum_shifts.push(shift);
        }
    }

    pub(crate) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    pub(crate) fn warn(&mut self, note: Note) {
        self.warnings.push(note);
    }
}

/// Prepares a site. Nothing appears at `out` unless all of it succeeds.
pub(crate) fn prepare(request: &PrepareFile, command: &str, progress: &Progress) -> Result<Summary> {
    native::limit_cache();
    request.validate()?;
    let mut said = Said::default();
    let staging = staging::Staging::begin(&request.out_folder()?, request.overwrite, &record::source_files(request)?)?;
    said.warnings.extend(staging.left.clone());
    let mut work = || -> Result<record::Record> {
        let plan = plan::plan(request, &mut said)?;
        let dem = dem::build(request, &plan, &staging, &mut said, progress)?;
        let layers = layers::build(request, &plan, &staging, &mut said, progress)?;
        let features = features::build(request, &plan, &staging, &mut said, progress)?;
        interrupt::check()?;
        let text = project_file::write(request, &plan, &layers, &features)?;
        staging.write_text("project.yaml", &text)?;
        record::record(request, &plan, &dem, &layers, &features, command, progress)
    };
    let record = work();
    progress.finish();
    let record = record.map_err(|e| staging.explain(e))?;
    staging.write_mark(record.json(&said)?).map_err(|e| staging.explain(e))?;
    interrupt::check()?;
    let out = staging.commit()?;
    Ok(Summary { out, notes: said.notes, warnings: said.warnings })
}
