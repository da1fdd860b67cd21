//! `couloir classify`: intensity maps and hazard zones from a finished run, without running it again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files::atomic;
use crate::files::temporary::Temporary;
use crate::files::{inputs, known, swap};
use crate::geo::Crs;
use crate::geo::raster::{self, ReadRaster};
use crate::hazard::scheme::ReturnPeriod;
use crate::hazard::statistics::{Need, Statistics};
use crate::output::classification::{self, Background, Classified};
use crate::output::deliver;
use crate::output::preview::{Relief, Window};
use crate::output::report;
use crate::project::file::Classification;
use crate::project::{self, schemes};
use crate::store::lock::FolderLock;
use crate::store::manifest::{self, Manifest};
use crate::store::run_folder::{self, CLASSIFICATION, REPORT, RESULTS};
use crate::store::state_file::State;
use crate::terrain::{Field, Lattice, Surface};
use crate::{Error, Result, interrupt};

/// Classify a finished run: intensity maps per scenario, and hazard zones where releases have a frequency.
///
/// Writes RUN/classification/SCHEME (with barriers: one in each of RUN/with_barriers and RUN/without_barriers) with
/// rasters, polygons (GeoPackage and shapefile), previews and the legend, and brings report and manifest up to date.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of a finished run.
    run: PathBuf,
    /// swiss, austria, norway, or a YAML file with a scheme of your own; default: the project's.
    #[arg(long, value_name = "SCHEME")]
    scheme: Option<String>,
    /// Quantile of the kinetic energy that counts as intensity, e.g. 0.95; default: the scheme's.
    #[arg(long, value_name = "Q")]
    quantile: Option<f64>,
    /// Smallest polygon kept, m²; default: the scheme's.
    #[arg(long, value_name = "A")]
    min_area_m2: Option<f64>,
    /// Where return periods come from: scenario (each has its own) or passages (yearly frequency in each cell); default:
    /// the scheme's.
    #[arg(long, value_name = "FROM", value_parser = ["scenario", "passages"])]
    return_period: Option<String>,
    /// Return period of a scenario in years, e.g. "rare=300"; may be given several times; default: the project's, else one
    /// over its releases per year.
    #[arg(long, value_name = "NAME=YEARS")]
    scenario_years: Vec<String>,
    /// A scenario counts in cells that at least this share of its rocks passes, e.g. 0.001; default: the scheme's.
    #[arg(long, value_name = "P")]
    least_reach_probability: Option<f64>,
}

pub fn run(args: Args) -> Result<()> {
    if !args.run.is_dir() {
        return Err(Error::input(format!("'{}' is not a folder; name that of a finished run", args.run.display())));
    }
    let _lock = FolderLock::take(&args.run)?;
    run_folder::finish_pending(&args.run)?;
    let working = interrupt::end_at_once_with(
        "stopped while classifying; the run is as it was: give the same command again".into(),
    );
    let state = run_folder::results(&args.run)?;
    state.header.identity.expect_this_engine(&args.run)?;
    let mut manifest = manifest::read(&args.run)?;
    refuse_strangers(&args.run, &manifest, &state)?;
    let wish = project_wish(&manifest);
    let project = project_folder(&state);
    let (name, base, mut scheme) = match (&args.scheme, &wish) {
        (Some(name), _) => (name.clone(), Path::new(""), schemes::named(name, Path::new(""))?),
        (None, Some(wish)) => (wish.scheme.clone(), project, schemes::wished(wish, project)?),
        (None, None) => {
            return Err(Error::usage(
                "the project of this run names no scheme; give one with --scheme swiss, austria, norway or file.yaml",
            ));
        }
    };
    scheme.quantile = args.quantile.unwrap_or(scheme.quantile);
    scheme.min_area_m2 = args.min_area_m2.unwrap_or(scheme.min_area_m2);
    scheme.least_reach_probability = args.least_reach_probability.unwrap_or(scheme.least_reach_probability);
    match args.return_period.as_deref() {
        Some("scenario") => scheme.return_period = ReturnPeriod::Scenario,
        Some(_) => scheme.return_period = ReturnPeriod::Passages,
        None => {}
    }
    scheme.check().map_err(Error::usage)?;
    let names = project::scenario_names(&state.header.scenarios);
    let per_year: Vec<Option<f64>> = names
        .iter()
        .map(|name| manifest.scenarios.iter().find(|known| known.name == *name)?.frequency_per_year)
        .collect();
    let mut stated = wish.map(|wish| wish.scenario_return_periods_years).unwrap_or_default();
    stated.extend(stated_years(&args.scenario_years)?);
    let years = schemes::return_periods(&names, &per_year, &stated)?;
    let source = schemes::source(&name, base, project);
    let scheme_name = classification::scheme_folder(&name, &source, &manifest.classifications);
    let places: Vec<String> = state
        .header
        .variants
        .iter()
        .map(|variant| {
            let base = variant.as_ref().map_or(String::new(), |variant| format!("{variant}/"));
            format!("{base}{CLASSIFICATION}/{scheme_name}")
        })
        .collect();
    for place in places.iter().filter(|_| !source.is_empty()) {
        inputs::refuse_inside(&args.run.join(place), &[base.join(&name)])?;
    }
    refuse_changed(&args.run, &manifest, &places)?;
    let root = Temporary::create(&args.run).map_err(|error| atomic::io_error(&args.run, &error))?;
    let new = swap::begin(&root.path)?;
    let crs = Crs::from_user(&manifest.crs_wkt)?;
    let dem = hillshade_dem(&manifest, &state)?;
    // As in the run: where rocks pass with no barrier in their way.
    let mut passed = vec![false; dem.lattice().len()];
    let free = Statistics::new(state.accumulators.last().into_iter().flatten());
    free.for_each_cell(Need::default(), |cell| passed[cell.index as usize] = true);
    let relief = Relief::new(&dem, Window::around(dem.lattice(), |cell| passed[cell]));
    let mut all: Vec<(String, Classified)> = Vec::new();
    for ((variant, accumulators), place) in state.header.variants.iter().zip(&state.accumulators).zip(&places) {
        let subtitle = deliver::subtitle(&manifest.project.title, variant.as_deref());
        let on = Background { dem: &relief, crs: &crs, subtitle: &subtitle, overlays: &state.header.overlays };
        let scenarios = deliver::scenarios_of(&names, accumulators, &years);
        let label = variant.as_deref().unwrap_or_default().replace('_', " ");
        all.push((label, classification::write(&new.join(place), &scenarios, &scheme, &source, &on)?));
    }
    bring_up_to_date(&args.run, &new, &mut manifest, &all, &places)?;
    drop(working);
    put_in_place(&root.path, &args.run, &places)?;
    let words = all.iter().zip(&places).map(|((_, classified), place)| summary(&args.run.join(place), classified));
    super::print(&words.collect::<String>())
}

/// Counts of another run beside this manifest would give maps of neither.
fn refuse_strangers(run: &Path, manifest: &Manifest, state: &State) -> Result<()> {
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
fn refuse_changed(run: &Path, manifest: &Manifest, places: &[String]) -> Result<()> {
    let own = manifest.outputs.iter().filter(|file| is_in(&file.path, places));
    let report = manifest.this_run.report_sha256.iter().map(|hash| (REPORT.to_string(), hash.clone()));
    let known = own.map(|file| (file.path.clone(), file.sha256.clone())).chain(report);
    let is_other = |(path, hash): &(String, String)| {
        let whole = run.join(path);
        known::is_there(&whole) && manifest::sha256_file(&whole).ok().as_ref() != Some(hash)
    };
    let changed: Vec<String> = known.filter(is_other).map(|(path, _)| path).collect();
    known::refuse_changed(run, &changed)
}

fn is_in(path: &str, places: &[String]) -> bool {
    places.iter().any(|place| path.strip_prefix(place.as_str()).is_some_and(|rest| rest.starts_with('/')))
}

/// Manifest and report say what `run` would have said had it been asked for this scheme. They are made in `new`.
fn bring_up_to_date(
    run: &Path,
    new: &Path,
    manifest: &mut Manifest,
    all: &[(String, Classified)],
    places: &[String],
) -> Result<()> {
    let Some((_, last)) = all.last() else { return Ok(()) };
    let record = last.record();
    let prefix = classification::warning_prefix(&record.name);
    // Where the old ones stood: the report of the same run stays the same.
    let old = manifest.warnings.iter().position(|warning| warning.starts_with(&prefix));
    manifest.warnings.retain(|warning| !warning.starts_with(&prefix));
    let mut warnings: Vec<String> = all.iter().flat_map(|(_, classified)| classified.warnings()).collect();
    warnings.dedup();
    let at = old.unwrap_or(manifest.warnings.len()).min(manifest.warnings.len());
    manifest.warnings.splice(at..at, warnings);
    match manifest.classifications.iter_mut().find(|known| known.name == record.name) {
        Some(known) => *known = record,
        None => manifest.classifications.push(record),
    }
    if let Ok(text) = std::fs::read_to_string(run.join(REPORT)) {
        let variants: Vec<(String, &Classified)> = all.iter().map(|(label, c)| (label.clone(), c)).collect();
        if let Some(text) = report::with_classification(&text, manifest, &variants) {
            atomic::write_bytes(&new.join(REPORT), text.as_bytes())?;
            manifest.this_run.report_sha256 = Some(manifest::sha256(text.as_bytes()));
        }
    }
    // The hashes of all other files stay those of the run: what was changed since is not vouched for.
    manifest.outputs.retain(|file| !is_in(&file.path, places));
    manifest.outputs.extend(manifest::list_outputs(new)?);
    manifest.outputs.sort_by(|a, b| a.path.cmp(&b.path));
    manifest::write(new, manifest)
}

/// All at once: new maps never stand beside an old manifest.
fn put_in_place(root: &Path, run: &Path, places: &[String]) -> Result<()> {
    let old = manifest::read(run)?;
    let is_own = |path: &str| {
        path == REPORT
            || path == manifest::FILE_NAME
            || old.outputs.iter().any(|file| file.path == path && is_in(path, places))
    };
    let mut steps = swap::plan(root, run, &is_own)?;
    let stale =
        old.outputs.iter().filter(|file| is_in(&file.path, places) && !swap::out(root).join(&file.path).exists());
    steps.extend(stale.map(|file| swap::Step { from: None, to: file.path.clone() }));
    steps.sort_by_key(|step| step.to == manifest::FILE_NAME);
    swap::commit(root, run, steps)
}

/// `rare=300` and so on.
fn stated_years(texts: &[String]) -> Result<BTreeMap<String, f64>> {
    let one = |text: &String| {
        let years = text.rsplit_once('=').and_then(|(name, years)| Some((name, years.trim().parse::<f64>().ok()?)));
        years
            .filter(|(_, years)| *years > 0.0 && years.is_finite())
            .map(|(name, years)| (name.to_string(), years))
            .ok_or_else(|| {
                Error::usage(format!(
                    "--scenario-years: found {text:?}; expected a scenario and its years, e.g. \"rare=300\""
                ))
            })
    };
    texts.iter().map(one).collect()
}

/// What the project the run was made from says about classification.
fn project_wish(manifest: &Manifest) -> Option<Classification> {
    let project: serde_yaml::Value = serde_yaml::from_str(&manifest.project.text).ok()?;
    serde_yaml::from_value(project.get("classification")?.clone()).ok()
}

fn project_folder(state: &State) -> &Path {
    state.header.project_path.parent().unwrap_or(Path::new(""))
}

/// The terrain below the maps; flat if the DEM has moved or changed its grid, which only costs the hillshade.
fn hillshade_dem(manifest: &Manifest, state: &State) -> Result<Surface> {
    let lattice: Lattice = state.lattice;
    let folder = project_folder(state);
    let path = manifest.inputs.iter().find(|input| input.role == "terrain").map(|input| folder.join(&input.path));
    let crs = Crs::from_user(&manifest.crs_wkt).ok();
    let project: serde_yaml::Value = serde_yaml::from_str(&manifest.project.text).unwrap_or_default();
    let band = project.get("terrain").and_then(|terrain| terrain.get("band")?.as_u64()).map(|band| band as usize);
    // Where the run took the coordinates as they are, so do its maps.
    super::insist(true);
    let read = path.and_then(|path| raster::read_dem(&path, &ReadRaster { band, crs, ..ReadRaster::default() }).ok());
    let dem = read.map(|raster| raster.field).filter(|field| field.lattice == lattice);
    Surface::new(dem.unwrap_or_else(|| Field { lattice, values: vec![0.0; lattice.len()] }))
}

fn summary(folder: &Path, classified: &Classified) -> String {
    let mut text = format!("{}\n", folder.display());
    for note in &classified.notes {
        text += &format!("  note: {note}\n");
    }
    if let Some(areas) = &classified.zone_areas_m2 {
        for (zone, area) in classified.scheme.zones.iter().zip(areas).rev() {
            text += &format!("  {:<10} {:>12.0} m²  {}\n", zone.id, area, zone.name);
        }
    }
    text
}
