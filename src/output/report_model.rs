//! `report.json`: what the report shows, as data. With `manifest.json` beside it the page is made of nothing else, so that a
//! later classification, or another program, makes the very same page; docs/outputs.md describes the keys.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::draw::preview::Mark;
use crate::draw::svg::Plot;
use crate::files::{self, atomic};
use crate::form::Form;
use crate::hazard::barrier::Tally;
use crate::hazard::dimensioning::Sheet;
use crate::hazard::sample::Sample;
use crate::output::classification::Classified;
use crate::output::objects::Objects;
use crate::store::findings::Findings;
use crate::store::manifest::Manifest;
use crate::store::settled::Convergence;
use crate::texts::Text;
use crate::{Error, Result};

pub(crate) const FILE_NAME: &str = "report.json";
/// Of this file.
const FORMAT: u32 = 2;
/// A larger file is none of ours.
const MOST_BYTES: u64 = 1 << 30;

/// Everything the report shows that is not in the manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReportModel {
    pub format: u32,
    /// What was run, by name: terrain, models, rocks, releases, ground, forest.
    pub setting: Vec<(Text, Text)>,
    /// The slope as it is, and with barriers acting if there are any (then first).
    pub variants: Vec<Variant>,
    /// The steepest path.
    pub profile: Option<Profile>,
    /// `None` if it is the steepest.
    pub farthest: Option<Profile>,
    /// Maps of ground and forest as they were given.
    pub inputs: Vec<Picture>,
    /// Whether there were enough rocks, with the curve of the measures over the rocks; nothing for a fixed number of rocks.
    #[serde(default)]
    pub convergence: Option<Convergence>,
    /// In the order they were made.
    pub classifications: Vec<Classification>,
    /// The project as programs with fields show it.
    #[serde(default)]
    pub form: Form,
}

/// Results with or without barriers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Variant {
    /// `with barriers`, `without barriers`; empty for a project without any.
    pub label: String,
    pub figures: Figures,
    /// Distributions over all rocks.
    pub histograms: Vec<Plot>,
    pub reached: Reached,
    pub maps: Vec<Picture>,
    /// Where rocks left the terrain model.
    pub cut_off: Vec<Mark>,
    pub lines: Vec<LineReport>,
    /// What is out of the ordinary, and how many rocks left the terrain over which edge.
    #[serde(default)]
    pub plausibility: Findings,
    /// What hits the objects at risk; nothing for a project without any.
    #[serde(default)]
    pub objects: Option<Objects>,
}

/// A picture of the run folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    pub caption: Text,
    /// Path in the run folder, with forward slashes.
    pub file: String,
}

/// How much of the map rocks pass, and how well its statistics are founded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reached {
    pub cells: u64,
    /// Cells that fewer rocks pass than the project's `min_sample`.
    pub few: u64,
    pub min_sample: u32,
}

/// Of one value per rock that did not diverge, its largest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub mass_kg: Summary,
    pub energy_kj: Summary,
    pub velocity_m_s: Summary,
    pub jump_m: Summary,
    pub rotation_rps: Summary,
    /// Horizontal distance from start to end.
    pub runout_m: Summary,
    /// Angle of the line from start to end below the horizontal.
    pub energy_line_deg: Summary,
}

/// Of some values; `None` where there are too few for one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub n: usize,
    pub mean: Option<f64>,
    pub p50: Option<f64>,
    pub p90: Option<f64>,
    pub p95: Option<f64>,
    pub p99: Option<f64>,
    pub max: Option<f64>,
}

impl Summary {
    pub(crate) fn of(sample: &Sample) -> Self {
        let [p50, p90, p95, p99] = [0.50, 0.90, 0.95, 0.99].map(|q| sample.quantile(q));
        Self { n: sample.len(), mean: sample.mean(), p50, p90, p95, p99, max: sample.max() }
    }
}

/// One trajectory from the side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Profile {
    pub trajectory: u64,
    pub rock: String,
    pub mass_kg: f64,
    pub energy_line_deg: f64,
    /// Horizontal distance from start to end.
    pub runout_m: f64,
    /// Horizontal distance along the path, ground, height of the centre of mass (m), kinetic energy (kJ), velocity (m/s).
    pub points: Vec<[f64; 5]>,
}

/// A recording line or barrier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LineReport {
    pub name: String,
    /// Whose rocks: those of a scenario, or all scenarios pooled.
    #[serde(default)]
    pub scenario: String,
    pub length_m: f64,
    /// `None` for a line that only records.
    pub barrier: Option<BarrierSize>,
    /// The whole line first, then its segments if it has several.
    pub rows: Vec<LineRow>,
    /// `None` if nothing crossed.
    pub sheet: Option<Sheet>,
    /// What became of the rocks, for a barrier.
    pub tally: Option<Tally>,
    /// Over all crossings of the whole line; none if nothing crossed.
    pub histograms: Vec<Plot>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct BarrierSize {
    pub height_m: f64,
    pub capacity_kj: f64,
}

/// Crossings of a line or of one of its segments.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct LineRow {
    /// From 1; `None` for the whole line.
    pub segment: Option<usize>,
    pub from_m: f64,
    pub to_m: f64,
    pub crossings: usize,
    pub rocks: usize,
    pub energy_kj: Summary,
    pub velocity_m_s: Summary,
    pub centre_height_m: Summary,
}

/// One scheme, for every variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Classification {
    /// Its folder under `classification`.
    pub name: String,
    /// Label of a variant, as in [`Variant`], and what came of it.
    pub variants: Vec<(String, Classified)>,
}

impl ReportModel {
    pub(crate) fn new(
        setting: Vec<(Text, Text)>,
        variants: Vec<Variant>,
        inputs: Vec<Picture>,
        [profile, farthest]: [Option<Profile>; 2],
        form: Form,
    ) -> Self {
        let (convergence, classifications) = (None, Vec::new());
        Self { format: FORMAT, setting, variants, profile, farthest, inputs, convergence, classifications, form }
    }

    /// One more classification, or a new one in the place of an old one of that name.
    pub(crate) fn put(&mut self, new: Classification) {
        match self.classifications.iter_mut().find(|known| known.name == new.name) {
            Some(known) => *known = new,
            None => self.classifications.push(new),
        }
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::failed(format!("{FILE_NAME} cannot be written: {error}")).caused_by(error))?;
        atomic::write_bytes(&folder.join(FILE_NAME), (text + "\n").as_bytes())
    }

    /// That of a finished run; `None` if it was made without a report: then a file of that name is somebody else's.
    pub(crate) fn read(run: &Path, manifest: &Manifest) -> Result<Option<Self>> {
        let path = run.join(FILE_NAME);
        if !path.exists() || !manifest.outputs.iter().any(|file| file.path == FILE_NAME) {
            return Ok(None);
        }
        let bytes = files::read(&path, "the report's data", MOST_BYTES)?;
        let model: Self = serde_json::from_slice(&bytes).map_err(|error| {
            Error::input(format!("'{}' is not what a run wrote ({error}); run the project again", path.display()))
        })?;
        if model.format != FORMAT {
            return Err(Error::input(format!(
                "'{}' has the format {}, expected {FORMAT}; run the project again",
                path.display(),
                model.format
            )));
        }
        Ok(Some(model))
    }
}
