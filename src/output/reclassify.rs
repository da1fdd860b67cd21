//! Classifies a finished run, without running it again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::draw::relief::{Around, Relief, Window};
use crate::files::temporary::Temporary;
use crate::files::{atomic, companions, inputs, known, swap};
use crate::geo::Crs;
use crate::hazard::scheme::{ReturnPeriod, Scheme};
use crate::hazard::statistics::{Need, Statistics};
use crate::output::classification::{self, Applied, Background, Classified};
use crate::output::conclude::conclude;
use crate::output::report_model::{self, ReportModel};
use crate::output::{hillshade, titles};
use crate::process::interrupt;
use crate::project::file::Classification;
use crate::project::{self, schemes};
use crate::store::lock::FolderLock;
use crate::store::manifest::{self, Manifest};
use crate::store::run_folder::{self, REPORT, RESULTS};
use crate::store::state_file::State;
use crate::{Error, Result, texts};

/// What the user wants instead of what project and scheme say.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// Built in, or a YAML file.
    pub scheme: Option<String>,
    /// Of the kinetic energy.
    pub quantile: Option<f64>,
    /// Smallest polygon kept.
    pub min_area_m2: Option<f64>,
    /// Where return periods come from.
    pub return_period: Option<ReturnPeriod>,
    /// Return periods by scenario.
    pub scenario_years: BTreeMap<String, f64>,
    /// Below it a scenario does not count in a cell.
    pub least_reach_probability: Option<f64>,
}

/// Maps and zones after a scheme take their places in the folder of a finished run, with its report and manifest brought up to
/// date, all at once. Returns the folders of the maps and what came of each.
pub fn reclassify(run: &Path, wishes: &Wishes) -> Result<Vec<(PathBuf, Classified)>> {
    if !run.is_dir() {
        return Err(Error::input(format!("'{}' is not a folder; name that of a finished run", run.display())));
    }
    let _lock = FolderLock::take(run)?;
    run_folder::finish_pending(run)?;
    let working = interrupt::end_at_once_with(
        "stopped while classifying; the run is as it was: give the same command again".into(),
    );
    let state = run_folder::results(run)?;
    let mut manifest = manifest::read(run)?;
    texts::speak_unless_told(manifest.language);
    refuse_strangers(run, &manifest, &state)?;
    titles::mark(&state.header.missing, state.header.identity.total);
    let (chosen, years) = (Chosen::of(&manifest, &state, wishes)?, return_periods(&manifest, &state, wishes)?);
    let applied = Applied {
        scheme: &schemes::in_words(&chosen.scheme, &chosen.name),
        source: &chosen.source,
        name: &classification::scheme_folder(&chosen.name, &chosen.source, &manifest.classifications),
        scenario_names: &project::scenario_names(&state.header.scenarios),
        return_periods_years: &years,
        begin: &titles::partial_of(&state.header.missing, state.header.identity.total),
    };
    let places: Vec<String> = state.header.variants.iter().map(|variant| applied.place(variant.as_deref())).collect();
    for place in places.iter().filter(|_| !chosen.source.is_empty()) {
        inputs::refuse_inside(&run.join(place), &[chosen.base.join(&chosen.name)])?;
    }
    refuse_changed(run, &manifest, &places)?;
    let mut model = ReportModel::read(run, &manifest)?;
    let root = Temporary::create(run).map_err(|error| atomic::io_error(run, &error))?;
    let new = swap::begin(&root.path)?;
    let all = write_maps(&new, &applied, &manifest, &state, model.as_ref())?;
    let is_stale = |path: &str| path == report_model::FILE_NAME || is_in(path, &places);
    conclude(&new, Some(run), &mut manifest, model.as_mut(), all.clone(), is_stale)?;
    state.is_readable()?;
    manifest::write(&new, &manifest)?;
    drop(working);
    refuse_changed(run, &manifest::read(run)?, &places)?;
    put_in_place(&root.path, run, &places)?;
    Ok(places.iter().map(|place| run.join(place)).zip(all.into_iter().map(|(_, classified)| classified)).collect())
}

/// The scheme as it is applied, the name it was given by, and from where.
struct Chosen {
    scheme: Scheme,
    name: String,
    base: PathBuf,
    source: String,
}

impl Chosen {
    fn of(manifest: &Manifest, state: &State, wishes: &Wishes) -> Result<Self> {
        let project = project_folder(state);
        let (name, base, mut scheme) = match (&wishes.scheme, project_wish(manifest)) {
            (Some(name), _) => (name.clone(), Path::new(""), schemes::named(name, Path::new(""))?),
            (None, Some(wish)) => (wish.scheme.clone(), project, schemes::wished(&wish, project)?),
            (None, None) => {
                return Err(Error::usage(
                    "the project of this run names no scheme; give one with --scheme swiss, austria, norway or file.yaml",
                ));
            }
        };
        scheme.quantile = wishes.quantile.unwrap_or(scheme.quantile);
        scheme.min_area_m2 = wishes.min_area_m2.unwrap_or(scheme.min_area_m2);
        scheme.least_reach_probability = wishes.least_reach_probability.unwrap_or(scheme.least_reach_probability);
        scheme.return_period = wishes.return_period.unwrap_or(scheme.return_period);
        scheme.check().map_err(Error::usage)?;
        let source = schemes::source(&name, base, project);
        Ok(Self { scheme, name, base: base.to_path_buf(), source })
    }
}

/// Of every scenario: what the user states, else the project, else one over its releases per year.
fn return_periods(manifest: &Manifest, state: &State, wishes: &Wishes) -> Result<Vec<Option<f64>>> {
    let names = project::scenario_names(&state.header.scenarios);
    let per_year: Vec<Option<f64>> = names
        .iter()
        .map(|name| manifest.scenarios.iter().find(|known| known.name == *name)?.frequency_per_year)
        .collect();
    let mut stated = project_wish(manifest).map(|wish| wish.scenario_return_periods_years).unwrap_or_default();
    stated.extend(wishes.scenario_years.clone());
    schemes::return_periods(&names, &per_year, &stated)
}

/// All variants, by label, on the part of the map the run's own previews show.
fn write_maps(
    new: &Path,
    applied: &Applied,
    manifest: &Manifest,
    state: &State,
    model: Option<&ReportModel>,
) -> Result<Vec<(String, Classified)>> {
    let crs = Crs::from_user(&manifest.crs_wkt)?;
    // Without the DEM only the hillshade is lost.
    let dem = match hillshade::terrain(manifest, &state.lattice)? {
        Some(dem) => dem,
        None => hillshade::flat(&state.lattice)?,
    };
    // As in the run: where rocks pass with no barrier in their way.
    let relief = Relief::new(&dem, passed(state));
    let write = |(variant, counts): (&Option<String>, &Vec<_>)| {
        let variant = variant.as_deref();
        let subtitle = titles::subtitle(&manifest.project.title, variant);
        let label = titles::label(variant);
        let reported = model.and_then(|model| model.variants.iter().find(|known| known.label == label));
        let marks = reported.map_or(&[][..], |reported| &reported.cut_off);
        let overlays = &state.header.overlays;
        let on = Background { dem: &relief, crs: &crs, subtitle: &subtitle, overlays, marks };
        let classified = applied.write(new, variant, counts, &on)?;
        Ok((label, classified))
    };
    state.header.variants.iter().zip(&state.accumulators).map(write).collect()
}

/// Where rocks pass with no barrier in their way.
pub(super) fn passed(state: &State) -> Window {
    let mut around = Around::default();
    let free = Statistics::new(state.accumulators.last().into_iter().flatten());
    free.for_each_cell(Need::default(), |cell| around.add(&state.lattice, cell.index as usize));
    around.window(&state.lattice)
}

/// Counts of another run beside this manifest would give maps of neither.
pub(super) fn refuse_strangers(run: &Path, manifest: &Manifest, state: &State) -> Result<()> {
    let identity = &state.header.identity;
    let stated = (&manifest.project.sha256, manifest.seed, manifest.rocks, manifest.rocks_planned);
    if stated == (&identity.project_sha256, identity.seed, identity.total, identity.planned) {
        return Ok(());
    }
    Err(Error::input(format!(
        "'{}': {RESULTS} and {} are of different runs; run the project again",
        run.display(),
        manifest::FILE_NAME
    )))
}

/// Refuses to replace what was changed since the run, or an earlier classification, wrote it.
pub(super) fn refuse_changed(run: &Path, manifest: &Manifest, places: &[String]) -> Result<()> {
    let own = manifest.outputs.iter().filter(|file| is_in(&file.path, places));
    let own = own.chain(manifest.outputs.iter().filter(|file| file.path == report_model::FILE_NAME));
    let report = manifest.this_run.report_sha256.iter().map(|hash| (REPORT.to_string(), hash.clone()));
    let known = own.map(|file| (file.path.clone(), file.sha256.clone())).chain(report);
    let is_other = |(path, hash): &(String, String)| {
        let whole = run.join(path);
        let same = || manifest::sha256_file(&whole).ok().as_ref() == Some(hash);
        // A link in its place is not the file.
        known::is_there(&whole) && !(known::is_plain_file(&whole) && same())
    };
    let changed: Vec<String> = known.filter(is_other).map(|(path, _)| path).collect();
    known::refuse_changed(run, &changed)?;
    let is_listed = |path: &String| manifest.outputs.iter().any(|file| file.path == *path);
    for place in places.iter().filter(|place| known::is_real_folder(&run.join(place))) {
        let found = known::examine(&run.join(place), &known::Known::new(), &[])?.added;
        let added: Vec<String> = found.iter().map(|name| format!("{place}/{name}")).filter(|p| !is_listed(p)).collect();
        companions::refuse_beside(run, &added)?;
    }
    Ok(())
}

fn is_in(path: &str, places: &[String]) -> bool {
    // A folder, or the very file.
    let below = |rest: &str| rest.is_empty() || rest.starts_with('/');
    places.iter().any(|place| path.strip_prefix(place.as_str()).is_some_and(below))
}

/// All at once: new maps never stand beside an old manifest.
pub(super) fn put_in_place(root: &Path, run: &Path, places: &[String]) -> Result<()> {
    let old = manifest::read(run)?;
    let is_own = |path: &str| {
        let of_report = path == report_model::FILE_NAME || is_in(path, places);
        path == manifest::FILE_NAME
            || path == REPORT && old.this_run.report_sha256.is_some()
            || of_report && old.outputs.iter().any(|file| file.path == path)
    };
    let mut steps = swap::plan(root, run, &is_own)?;
    let stale =
        old.outputs.iter().filter(|file| is_in(&file.path, places) && !swap::out(root).join(&file.path).exists());
    steps.extend(stale.map(|file| swap::Step { from: None, to: file.path.clone() }));
    steps.sort_by_key(|step| step.to == manifest::FILE_NAME);
    swap::commit(root, run, steps)
}

/// What the project the run was made from says about classification.
fn project_wish(manifest: &Manifest) -> Option<Classification> {
    let project: serde_yaml::Value = serde_yaml::from_str(&manifest.project.text).ok()?;
    serde_yaml::from_value(project.get("classification")?.clone()).ok()
}

fn project_folder(state: &State) -> &Path {
    state.header.project_path.parent().unwrap_or(Path::new(""))
}
