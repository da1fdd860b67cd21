//! Classified maps on disk: intensity per scenario and hazard zones, as rasters, cleaned polygons, preview and legend.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::draw::preview::Mark;
use crate::draw::relief::Relief;
use crate::files::atomic;
use crate::files::names::{self, file_name};
use crate::geo::Crs;
use crate::hazard::accumulator::Accumulator;
use crate::hazard::classify::{self, Scenario};
use crate::hazard::generalise::Generalised;
use crate::hazard::scheme::{ReturnPeriod, Scheme};
use crate::output::classification_maps::Maps;
use crate::output::classification_report::{self, legend_lines, rule};
use crate::output::matrix;
use crate::output::page::{self, Block};
use crate::output::report::Pictures;
use crate::output::report_model::Picture;
use crate::project::schemes;
use crate::store::manifest::ClassificationRecord;
use crate::store::overlays::Overlay;
use crate::store::run_folder::CLASSIFICATION;
use crate::{Error, Note, Result};

/// What the previews are drawn on.
pub(crate) struct Background<'a> {
    pub dem: &'a Relief<'a>,
    pub crs: &'a Crs,
    pub subtitle: &'a str,
    pub overlays: &'a [Overlay],
    /// Where rocks left the terrain model.
    pub marks: &'a [Mark],
}

/// What came of a classification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Classified {
    /// Of its folder under `classification`.
    pub name: String,
    pub scheme: Scheme,
    /// See [`schemes::source`].
    pub source: String,
    /// Name and return period in years of each scenario.
    pub scenarios: Vec<(String, Option<f64>)>,
    /// Intensities, then hazard.
    pub maps: Vec<Picture>,
    /// Area per zone of the polygons, least severe first, m²; `None` without a hazard map.
    pub zone_areas_m2: Option<Vec<f64>>,
    /// The same of the cells as computed.
    pub raw_areas_m2: Option<Vec<f64>>,
    /// What drawing has done to the hazard zones.
    pub generalised: Generalised,
    /// Where other rocks might give another zone; `None` for a scheme without a reference width.
    pub uncertain: Option<Uncertain>,
    /// Area within the outermost line of all rocks, m².
    pub outermost_m2: f64,
    /// What the reader must know.
    pub notes: Vec<Note>,
}

impl Classified {
    /// The notes as warnings of the run.
    pub fn warnings(&self) -> Vec<Note> {
        let warning = |note: &Note| Note::OfClassification { name: self.name.clone(), note: Box::new(note.clone()) };
        self.notes.iter().map(warning).collect()
    }

    /// What the manifest says of it.
    pub fn record(&self) -> ClassificationRecord {
        let scheme = &self.scheme;
        ClassificationRecord {
            name: self.name.clone(),
            scheme: scheme.name.clone(),
            source: self.source.clone(),
            quantile: scheme.quantile,
            return_period: scheme.return_period,
            rule: rule(scheme, &self.scenarios),
            scenario_return_periods_years: self.scenarios.iter().cloned().collect(),
            least_reach_probability: scheme.least_reach_probability,
            min_area_m2: scheme.min_area_m2,
            engine: env!("COULOIR_VERSION").into(),
        }
    }
}

/// How sure the zones are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Uncertain {
    /// Mean confidence over the cells with a zone.
    pub mean_confidence: f64,
    /// Below this a cell counts as uncertain.
    pub below: f64,
    /// Cells with a zone that are uncertain, m².
    pub zoned_m2: f64,
}

/// A scheme that is applied to a run.
pub(crate) struct Applied<'a> {
    pub scheme: &'a Scheme,
    /// See [`schemes::source`].
    pub source: &'a str,
    /// Of its folder under `classification`.
    pub name: &'a str,
    /// Of the run's scenarios, in their order.
    pub scenario_names: &'a [String],
    pub return_periods_years: &'a [Option<f64>],
    /// What descriptions of its rasters begin with: that rocks are missing.
    pub begin: &'a str,
}

impl Applied<'_> {
    /// Where its files lie in a run folder: of the only variant, or of this one.
    pub(crate) fn place(&self, variant: Option<&str>) -> String {
        let base = variant.map_or(String::new(), |variant| format!("{variant}/"));
        format!("{base}{CLASSIFICATION}/{}", self.name)
    }

    /// Classifies the counts of a variant and writes all maps, in the place they have in a run folder, below `root`.
    pub(crate) fn write(
        &self,
        root: &Path,
        variant: Option<&str>,
        counts: &[Accumulator],
        on: &Background,
    ) -> Result<Classified> {
        let all = self.scenario_names.iter().zip(counts).zip(self.return_periods_years);
        let scenario = |((name, counts), &return_period_years): ((&String, _), &Option<f64>)| Scenario {
            name: name.clone(),
            counts,
            return_period_years,
        };
        let scenarios: Vec<Scenario> = all.map(scenario).collect();
        let place = self.place(variant);
        let folder = root.join(&place);
        std::fs::create_dir_all(&folder).map_err(|error| {
            Error::failed(format!("the folder {} cannot be made: {error}", folder.display())).caused_by(error)
        })?;
        let mut result = Classified {
            name: self.name.into(),
            scheme: self.scheme.clone(),
            source: self.source.into(),
            scenarios: scenarios.iter().map(|s| (s.name.clone(), s.return_period_years)).collect(),
            maps: Vec::new(),
            zone_areas_m2: None,
            raw_areas_m2: None,
            generalised: Generalised::default(),
            uncertain: None,
            outermost_m2: 0.0,
            notes: notes(&scenarios, self.scheme),
        };
        let legend = legend_lines(self.scheme, &result.scenarios);
        Maps { scheme: self.scheme, folder: &folder, place: &place, legend: &legend, begin: self.begin, on }
            .write(&scenarios, &mut result)?;
        self.write_legend(root, &folder, &result)?;
        Ok(result)
    }

    fn write_legend(&self, root: &Path, folder: &Path, result: &Classified) -> Result<()> {
        let mut blocks = vec![Block::Title(self.scheme.name.clone())];
        blocks.extend(classification_report::section(result, &Pictures { known: &[], folders: &[root] })?);
        let page = page::render(&self.scheme.name, &blocks)?;
        atomic::write_bytes(&folder.join("legend.html"), page.as_bytes())?;
        if let Some(picture) = matrix::svg(self.scheme) {
            atomic::write_bytes(&folder.join(matrix::FILE_NAME), picture.as_bytes())?;
        }
        let text = serde_yaml::to_string(self.scheme)
            .map_err(|error| Error::failed(format!("scheme.yaml: {error}")).caused_by(error))?;
        atomic::write_bytes(&folder.join("scheme.yaml"), text.as_bytes())?;
        let text = serde_json::to_string_pretty(self.scheme)
            .map_err(|error| Error::failed(format!("scheme.json: {error}")).caused_by(error))?;
        atomic::write_bytes(&folder.join("scheme.json"), (text + "\n").as_bytes())
    }
}

/// The folder's name for a scheme: its own or its file's, unless a scheme from elsewhere has it already.
pub(crate) fn scheme_folder(name: &str, source: &str, others: &[ClassificationRecord]) -> String {
    if source.is_empty() {
        return file_name(name);
    }
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let plain = file_name(&stem);
    let is_taken = schemes::BUILT_IN.iter().any(|(built_in, _)| *built_in == plain)
        || others.iter().any(|other| other.name == plain && other.source != source);
    if is_taken { names::with_hash(&stem, source) } else { plain }
}

fn notes(scenarios: &[Scenario], scheme: &Scheme) -> Vec<Note> {
    let mut notes = Vec::new();
    let without: Vec<String> =
        scenarios.iter().filter(|s| !classify::has_frequency(s, scheme)).map(|s| s.name.clone()).collect();
    let by_scenario = scheme.return_period == ReturnPeriod::Scenario;
    if !by_scenario && scheme.reference_width_m.is_none() && without.len() < scenarios.len() {
        notes.push(Note::NoReferenceWidth);
    }
    if !scheme.fill_in.is_empty() {
        notes.push(Note::SchemeToFillIn { scheme: scheme.name.clone(), what: scheme.fill_in.trim_end().into() });
    }
    if without.len() == scenarios.len() {
        notes.insert(0, Note::NoHazardMap { by_scenario });
    } else if !without.is_empty() {
        notes.insert(0, Note::HazardMapIncomplete { scenarios: without, by_scenario });
    }
    notes
}
