//! Everything that is settled before the first rock falls.

use std::path::PathBuf;

use super::layers::{self, Layer};
use super::state_file::{Header, Identity};
use super::{overlays, run_folder, track};
use crate::files::hash::sha256;
use crate::geo::file_list;
use crate::hazard::accumulator::Wanted;
use crate::hazard::dimensioning;
use crate::hazard::lines::LineSet;
use crate::hazard::quantity::Quantity;
use crate::hazard::scheme::Scheme;
use crate::project::file::Classification;
use crate::project::{self, schemes};
use crate::release::{self, ReleasePlan};
use crate::site::Site;
use crate::{Note, Result};

/// Characters of the project's name in that of a default folder.
const LONGEST_STEM: usize = 60;

/// A planned run. Wrong layer names and formats end here.
pub struct Setup<'a> {
    /// What was read.
    pub site: &'a Site,
    /// The rocks.
    pub plan: ReleasePlan<'a>,
    /// Recording lines and barriers.
    pub lines: LineSet,
    /// That were asked for.
    pub layers: Vec<Layer>,
    /// What has to be counted for them.
    pub wanted: Wanted,
    /// What the project wants to be classified after: read once, so that a run ends with what it began with.
    pub scheme: Option<Scheme>,
    /// By which the run is known.
    pub identity: Identity,
}

/// Plans a run without computing anything: what can be wrong with a project is found here, by `check` as by `run`.
pub fn set_up(site: &Site, limit: Option<u64>) -> Result<Setup<'_>> {
    let file = &site.project.file;
    let plan = release::plan(site.release_sources())?;
    let layers = layers::chosen(&file.statistics, plan.has_frequency())?;
    track::formats(&file.outputs.trajectories)?;
    let scheme = file.classification.as_ref().map(|wish| scheme(wish, site, &plan)).transpose()?;
    // Lower energy limits of the intensity classes, kJ.
    let classes = scheme.iter().flat_map(|scheme| &scheme.intensities);
    let limits: Vec<f64> = classes.map(|class| class.from_kj).collect();
    let mut wanted = layers::wanted(&layers, plan.has_frequency(), &limits);
    wanted.histogram[Quantity::KineticEnergy] |= file.classification.is_some();
    wanted.max[Quantity::KineticEnergy] |= file.classification.is_some();
    let identity = Identity {
        engine_version: env!("COULOIR_VERSION").into(),
        project_sha256: site.project.sha256.clone(),
        inputs: inputs_as_read(site)?,
        seed: plan.seed(),
        planned: plan.len(),
        total: limit.unwrap_or(plan.len()).clamp(1, plan.len()),
    };
    let lines = site.line_set();
    check_lines(site, &lines)?;
    Ok(Setup { site, lines, plan, layers, wanted, scheme, identity })
}

/// What was read, by its hash: layers and shapes, and the project's own scheme of classification.
fn inputs_as_read(site: &Site) -> Result<Vec<(String, String)>> {
    let mut inputs: Vec<_> = site.as_read.iter().map(|read| (read.label(), read.sha256.clone())).collect();
    if let Some((name, path)) = schemes::file(&site.project) {
        inputs.push((format!("classification.scheme '{name}'"), file_list::hash(&path)?.1));
    }
    Ok(inputs)
}

/// The scheme of the project. What the project says about classification must hold, too: better now than after hours.
fn scheme(wish: &Classification, site: &Site, plan: &ReleasePlan) -> Result<Scheme> {
    let scheme = schemes::wished(wish, &site.project.folder)?;
    let names = project::scenario_names(&plan.scenarios);
    let stated = &wish.scenario_return_periods_years;
    schemes::return_periods(&names, &plan.scenario_frequencies(), stated)?;
    Ok(scheme)
}

/// A segment is a row of a table that people read.
const MOST_SEGMENTS: f64 = 100_000.0;

fn check_lines(site: &Site, lines: &LineSet) -> Result<()> {
    for (i, (layer, line)) in site.lines.iter().zip(lines.lines()).enumerate() {
        let at = |key: &str, sentence: String| Err(site.project.error_at(&format!("lines[{i}].{key}"), sentence));
        if let Err(error) = dimensioning::factors(&layer.spec.dimensioning) {
            return at("dimensioning.factors", error.message);
        }
        let (length, segment) = (line.length_m(), layer.spec.segment_m.unwrap_or(f64::INFINITY));
        if length / segment > MOST_SEGMENTS {
            let sentence = format!(
                "found {segment}, which cuts the {length:.0} m of the line into {:.0} segments, expected at most \
                 {MOST_SEGMENTS}; make the segments longer",
                length / segment
            );
            return at("segment_m", sentence);
        }
    }
    Ok(())
}

impl Setup<'_> {
    /// What the user must know before anything is computed.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = &Note> {
        self.site.warnings.iter().chain(&self.plan.warnings)
    }

    /// The release number of the i-th trajectory of the run: i itself, or every so many-th with a limit.
    pub fn number(&self, i: u64) -> u64 {
        (u128::from(i) * u128::from(self.plan.len()) / u128::from(self.identity.total)) as u64
    }

    /// Whether the i-th trajectory is among those written to files, spread evenly if there are too many.
    pub(crate) fn is_written(&self, i: u64) -> bool {
        let most = u64::from(self.site.project.file.outputs.max_trajectories);
        most > 0 && i.is_multiple_of(self.identity.total.div_ceil(most))
    }

    /// Default folder: the same run finds the same folder.
    pub(crate) fn default_folder(&self, shard: Option<(u64, u64)>) -> PathBuf {
        let identity = serde_json::to_vec(&self.identity).unwrap_or_default();
        let hash: String = sha256(&identity).chars().take(8).collect();
        let project = &self.site.project;
        let stem = project.path.file_stem().map_or("run".into(), |stem| stem.to_string_lossy().into_owned());
        let stem: String = stem.chars().take(LONGEST_STEM).collect();
        let part = shard.map_or(String::new(), |(from, to)| format!("-{from}-{to}"));
        project.folder.join("runs").join(format!("{stem}-{hash}{part}"))
    }

    fn project_path(&self) -> PathBuf {
        std::path::absolute(&self.site.project.path).unwrap_or_else(|_| self.site.project.path.clone())
    }

    /// Every file the project is read from.
    pub(crate) fn input_paths(&self) -> Vec<PathBuf> {
        let project = &self.site.project;
        let scheme = project.file.classification.as_ref().map(|wish| project.folder.join(&wish.scheme));
        let files = self.site.inputs.iter().map(|input| input.path.clone());
        files.chain([project.path.clone()]).chain(scheme.filter(|path| path.is_file())).collect()
    }

    pub(crate) fn header(&self, range: (u64, u64)) -> Header {
        let barriers = self.lines.has_barriers();
        let variants = [run_folder::WITH_BARRIERS, run_folder::WITHOUT_BARRIERS].map(|name| Some(name.to_string()));
        Header {
            identity: self.identity.clone(),
            range,
            next: range.0,
            variants: if barriers { variants.to_vec() } else { vec![None] },
            scenarios: self.plan.scenarios.clone(),
            logs: Vec::new(),
            // JSON holds text only.
            project_path: self.project_path().to_string_lossy().into_owned().into(),
            layers: self.layers.iter().map(Layer::to_string).collect(),
            overlays: overlays::of_site(self.site),
        }
    }
}
