//! `manifest.json`: what was run, from what, with what result; enough to repeat the run and to prove it.
//!
//! Everything but `this_run` (times and machine) depends on project, inputs and engine alone, so two runs can be compared
//! by comparing manifests.

mod this_run;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use crate::files::hash::{sha256, sha256_file};
use crate::files::{known, seal};
use crate::geo::datum_shift::DatumShift;
use crate::hazard::scheme::ReturnPeriod;
use crate::site::AsRead;
use crate::store::findings::Findings;
use crate::store::settled::Convergence;
use crate::texts::{Language, in_words};
use crate::{Error, Note, Result};
pub use this_run::{Engine, ThisRun};

pub(crate) const FILE_NAME: &str = "manifest.json";

/// What a run was made from and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What computed it.
    pub engine: Engine,
    /// Language of report, maps, legends and layers.
    #[serde(default)]
    pub language: Language,
    /// The project file.
    pub project: ProjectRecord,
    /// Name of the CRS of all layers.
    pub crs: String,
    /// The same in full.
    pub crs_wkt: String,
    /// Of all layers.
    pub grid: Grid,
    /// How the rocks were computed.
    pub method: Method,
    /// Every file that was read: those the project names, and all they draw on.
    pub inputs: Vec<FileRecord>,
    /// What was read from them, by its hash: the same numbers give the same run, whatever file they stand in.
    #[serde(default)]
    pub as_read: Vec<AsRead>,
    /// How layers in other CRSs were brought to this one: transformation, accuracy, grid files it lacked.
    #[serde(default)]
    pub datum_shifts: Vec<DatumShift>,
    /// Of all random draws.
    pub seed: u64,
    /// Rocks released; diverged ones are in no statistic.
    pub rocks: u64,
    /// Rocks the project plans; more than were released if the run was limited.
    pub rocks_planned: u64,
    /// Trajectories in the trajectory files; deposits and layers hold all.
    #[serde(default)]
    pub trajectories_written: u64,
    /// In the order of the project.
    pub scenarios: Vec<ScenarioRecord>,
    /// Whether there were enough rocks, as the map itself tells; nothing for a run with a fixed number of rocks.
    #[serde(default)]
    pub convergence: Option<Convergence>,
    /// Number of trajectories per stop reason.
    pub stop_reasons: BTreeMap<String, u64>,
    /// Counts of the contact solver over all trajectories.
    pub solver: BTreeMap<String, u64>,
    /// What is out of the ordinary, on the slope as it is.
    #[serde(default)]
    pub plausibility: Findings,
    /// The same with barriers acting, if there are any.
    pub with_barriers: Option<Counts>,
    /// Classified maps in the folder, by name.
    #[serde(default)]
    pub classifications: Vec<ClassificationRecord>,
    /// Its layers for programs that show them, from top to bottom.
    #[serde(default)]
    pub layers: Vec<ShownLayer>,
    /// What names in this file mean, in the run's language: `stop-…` of stop reasons, `role-…` of inputs.
    #[serde(default)]
    pub words: BTreeMap<String, String>,
    /// What the reader must know: `warnings` as sentences, `messages` for programs.
    #[serde(flatten)]
    pub warnings: Warnings,
    /// Every file of the run folder but this one, the report and results.bin (they hold times or paths).
    pub outputs: Vec<FileRecord>,
    /// What differs from run to run.
    pub this_run: ThisRun,
}

/// Warnings as they are stored.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "StoredWarnings", into = "StoredWarnings")]
pub struct Warnings(pub Vec<Note>);

#[derive(Serialize, Deserialize)]
struct StoredWarnings {
    /// In the run's language.
    warnings: Vec<String>,
    /// The same in the same order; older runs have none.
    #[serde(default)]
    messages: Vec<Note>,
}

impl From<Warnings> for StoredWarnings {
    fn from(Warnings(messages): Warnings) -> Self {
        Self { warnings: messages.iter().map(in_words).collect(), messages }
    }
}

impl From<StoredWarnings> for Warnings {
    fn from(stored: StoredWarnings) -> Self {
        if stored.messages.len() == stored.warnings.len() {
            return Self(stored.messages);
        }
        Self(stored.warnings.into_iter().map(|sentence| Note::Told { sentence }).collect())
    }
}

/// The project file as it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectRecord {
    /// Of the study.
    pub title: String,
    /// Name of the file.
    pub file: String,
    /// Of its bytes.
    pub sha256: String,
    /// All of it.
    pub text: String,
    /// What the text says, for programs that do not read YAML: the keys as written, without defaults.
    #[serde(default)]
    pub document: serde_json::Value,
}

/// Cells of the layers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// From west to east.
    pub columns: usize,
    /// From south to north.
    pub rows: usize,
    /// Centre of the south-western cell.
    pub x0_m: f64,
    /// See `x0_m`.
    pub y0_m: f64,
    /// Width of a cell.
    pub cell_x_m: f64,
    /// Height of a cell.
    pub cell_y_m: f64,
}

/// How the rocks were computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// The contact model.
    pub contact: String,
    /// Of free rotation.
    pub integrator: String,
    /// Of the simulation.
    pub time_step_s: f64,
    /// Whether DEM nodes were tested against the rocks' hulls, and which rocks.
    pub terrain_nodes: String,
    /// `fast`, or `plain` for the reference loop.
    #[serde(default)]
    pub stepping: String,
    /// What soil takes from rocks faster than 25 m/s: `braked` or `lu2019`.
    #[serde(default)]
    pub fast_rocks: String,
}

/// A file that went in or came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// What an input is for, or what an output holds.
    pub role: String,
    /// Relative to the project (inputs) or the run folder (outputs) where possible, with forward slashes.
    pub path: String,
    /// Of its bytes.
    pub sha256: String,
}

/// A layer as it is shown in a list of layers, in the language of the run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ShownLayer {
    /// In the run folder; its style stands beside it.
    pub file: String,
    /// With its unit.
    pub title: String,
    /// Groups it stands in, the outermost first.
    pub groups: Vec<String>,
    /// Whether it is seen at first.
    pub shown: bool,
    /// Only the features of this scenario, by their attribute `scenario`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// What its style is called if there are others, and those: name and file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// See `style`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub styles: Vec<(String, String)>,
}

/// A scenario of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScenarioRecord {
    /// By which it is known.
    pub name: String,
    /// What its name is in names of files: `intensity_<this>.tif`.
    #[serde(default)]
    pub file_name: String,
    /// Released.
    pub rocks: u64,
    /// Sum over its releases; `None` if the project gives none.
    pub frequency_per_year: Option<f64>,
}

/// A classification of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassificationRecord {
    /// Its folder under `classification`.
    pub name: String,
    /// Name of the scheme.
    pub scheme: String,
    /// Its file, seen from the project's folder where it lies below; nothing for a built-in scheme.
    #[serde(default)]
    pub source: String,
    /// Of the kinetic energy.
    pub quantile: f64,
    /// `scenario` or `passages`, and in words.
    pub return_period: ReturnPeriod,
    /// See `return_period`.
    pub rule: String,
    /// Return periods as used, years; `None` where none is known.
    pub scenario_return_periods_years: BTreeMap<String, Option<f64>>,
    /// Below it a scenario does not count in a cell.
    pub least_reach_probability: f64,
    /// Smallest polygon kept.
    pub min_area_m2: f64,
    /// The engine that classified, which need not be the one whose rocks these are.
    #[serde(default)]
    pub engine: String,
}

/// Over all trajectories.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Trajectories per reason.
    pub stop_reasons: BTreeMap<String, u64>,
    /// Of the contact solver.
    pub solver: BTreeMap<String, u64>,
}

/// Every file below a folder but the manifest, the report, the stored counts and hidden ones, by path, with hashes.
pub(crate) fn list_outputs(folder: &Path) -> Result<Vec<FileRecord>> {
    let named_apart = [FILE_NAME, "report.html", "results.bin"];
    let files = known::list(folder)?.into_iter().filter(|file| !named_apart.contains(&file.path.as_str()));
    let record = |file: known::Listed| {
        let role = Path::new(&file.path).extension().map_or(String::new(), |e| e.to_string_lossy().to_lowercase());
        FileRecord { role, path: file.path, sha256: file.sha256 }
    };
    Ok(files.map(record).collect())
}

pub(crate) fn write(folder: &Path, manifest: &Manifest) -> Result<()> {
    seal::write(&folder.join(FILE_NAME), manifest)
}

/// Reads the manifest of a finished run.
///
/// # Errors
/// There is none, or it is not what the run wrote.
pub fn read(folder: &Path) -> Result<Manifest> {
    let path = folder.join(FILE_NAME);
    if !path.is_file() {
        return Err(Error::input(format!(
            "'{}' is not a finished run: it holds no {FILE_NAME}; give the folder that `couloir run` wrote, or finish the \
             run with `couloir run --resume`",
            folder.display()
        )));
    }
    seal::read(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_listed_by_path_with_their_hashes() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("layers")).expect("made");
        for (name, text) in [("layers/b.tif", "abc"), ("a.csv", ""), ("report.html", "x"), (".checkpoint", "x")] {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let outputs = list_outputs(folder.path()).expect("listed");
        let paths: Vec<&str> = outputs.iter().map(|o| o.path.as_str()).collect();
        assert_eq!(paths, ["a.csv", "layers/b.tif"]);
        assert_eq!(outputs[1].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
