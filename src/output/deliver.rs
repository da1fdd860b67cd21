//! Everything a run hands over: layers, trajectories, lines, classification, previews, report, manifest.

use std::path::PathBuf;
use std::time::Instant;

use rayon::prelude::*;

use crate::draw::relief::{Around, Relief, Window};
use crate::draw::svg::Plot;
use crate::files::atomic;
use crate::files::names::file_name;
use crate::form;
use crate::geo::write_vector::Format;
use crate::hazard::lines::Role;
use crate::hazard::sample::Sample;
use crate::hazard::standard::Dimensioning;
use crate::hazard::statistics::{Need, Statistics};
use crate::output::classification::{self, Applied, Background, Classified};
use crate::output::conclude::conclude;
use crate::output::layer_values::LayerValues;
use crate::output::line_files::{self, LineResult};
use crate::output::report_model::{Figures, Picture, Profile, Reached, ReportModel, Summary, Variant};
use crate::output::tracks::{self, Names, VectorFile};
use crate::output::{
    both, cut_off, interactive, maps, objects, profile, report, run_record, setting, square_layers, styles,
};
use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::project::file::{Outputs, TableFormat};
use crate::project::{self, schemes};
use crate::store::layers::SMALL_LATTICE;
use crate::store::manifest;
use crate::store::overlays::{self, Overlay};
use crate::store::run_folder::{BARRIER_SHEET, LAYERS, LINES, OBJECTS, REPORT, TRAJECTORIES};
use crate::store::{RunResult, Setup, Store, VariantResult, track};
use crate::texts::{msg, say};
use crate::trajectory::StopReason;
use crate::{Error, Note, Result};

/// Bytes of a terrain read on demand that are kept while maps are drawn: more than a row of blocks of any map.
const FOR_MAPS: u64 = 1 << 27;

/// What the work before took, for the manifest.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    /// That worked.
    pub threads: usize,
    /// Of simulating.
    pub seconds: f64,
}

/// What is being delivered, and where its files are made, with the paths they will have in the run's folder.
struct Delivery<'a> {
    result: RunResult<'a>,
    folder: PathBuf,
    progress: &'a Progress,
}

/// Saves what was counted, makes numbers, maps and texts of it, and marks the run as finished.
pub fn deliver(setup: &Setup, mut store: Store, work: Work, progress: &Progress) -> Result<()> {
    let simulated = Instant::now();
    // No rock asks for the terrain any more, and maps go through it row by row.
    setup.site.scene.surface.blocks().into_iter().for_each(|blocks| blocks.cache().shrink(FOR_MAPS));
    let folder = store.begin_delivery()?;
    let store = &store;
    let save = || {
        store.store()?;
        // From here on everything is on disk: an interruption may end the process at once.
        Ok(interrupt::end_at_once_with(format!(
            "stopped while writing results; the trajectories are kept in '{}': continue with the same command and `--resume`",
            store.path().display()
        )))
    };
    std::thread::scope(|scope| {
        // Beside the other files if there is a thread for it, else before them.
        let saving = std::thread::Builder::new().spawn_scoped(scope, save).map_err(|_| save());
        let mut delivery = Delivery { result: RunResult::of(setup, store)?, folder, progress };
        let delivered = delivery.write(work, simulated);
        let broken =
            |_| Err(Error::failed("the results cannot be saved: this is a mistake in couloir, please report it"));
        let saved = saving.map_or_else(|saved| saved, |thread| thread.join().unwrap_or_else(broken));
        let _on_interrupt = saved?;
        delivered?;
        store.is_readable()?;
        store.finish_run()?;
        let RunResult { warnings, told, .. } = &delivery.result;
        warnings.iter().skip(*told).for_each(|warning| progress.warn(warning));
        progress.set(1);
        Ok(())
    })
}

impl Delivery<'_> {
    /// Where the files of a variant are made.
    fn folder_of(&self, variant: &VariantResult) -> PathBuf {
        variant.name.as_ref().map_or(self.folder.clone(), |name| self.folder.join(name))
    }

    /// Writes all of it; the manifest last.
    fn write(&mut self, work: Work, simulated: Instant) -> Result<()> {
        let setup = self.result.setup;
        let site = setup.site;
        let tracks = TrackFile::wanted(&site.project.file.outputs)?.len();
        let sets = match Shown::of(setup) {
            Shown::Pooled => 1,
            Shown::Scenarios { pooled } => setup.plan.scenarios.len() + usize::from(pooled),
        };
        let files = self.result.variants.len() * (sets * setup.layers.len() + tracks);
        self.progress.stage("write", files as u64);
        // The run counts as finished only after the manifest, and everything else can be made again from what is kept.
        let on_disk = atomic::sync_later();
        let inputs = self.draw_inputs()?;
        let (variants, profiles) = self.write_variants()?;
        let mut warnings = variants.iter().flat_map(|written| written.warnings.clone()).collect::<Vec<_>>();
        warnings.extend(completeness(&self.result));
        for warning in warnings {
            if !self.result.warnings.contains(&warning) {
                self.result.warnings.push(warning);
            }
        }
        self.progress.stage("report", 1);
        let seconds = [("simulate", work.seconds), ("outputs", simulated.elapsed().as_secs_f64())];
        let mut manifest = run_record::manifest(&self.result, work.threads, seconds)?;
        let (mut reported, mut classified) = (Vec::new(), Vec::new());
        for Written { report, zones, .. } in variants {
            classified.extend(zones.map(|zones| (report.label.clone(), zones)));
            reported.push(report);
        }
        let wanted = site.project.file.outputs.report;
        let form = form::shown(&site.project.as_written()?);
        let mut model = wanted.then(|| ReportModel::new(setting::of(site), reported, inputs, profiles, form));
        if let Some(model) = &mut model {
            model.convergence = self.result.convergence.clone();
        }
        if let Some(model) = model.as_ref().filter(|model| model.variants.iter().any(|v| !v.lines.is_empty())) {
            let page = report::barrier_sheet(&manifest, model)?;
            atomic::write_bytes(&self.folder.join(BARRIER_SHEET), page.as_bytes())?;
        }
        conclude(&self.folder, None, &mut manifest, model.as_mut(), classified, |_| false)?;
        on_disk.finish()?;
        manifest::write(&self.folder, &manifest)
    }

    /// Ground and forest as they were given, on the part of the map where rocks pass.
    fn draw_inputs(&self) -> Result<Vec<Picture>> {
        let setup = self.result.setup;
        let site = setup.site;
        if !site.project.file.outputs.report {
            return Ok(Vec::new());
        }
        if site.painted.iter().all(Option::is_none) {
            return Ok(Vec::new());
        }
        let surface = &site.scene.surface;
        let mut around = Around::default();
        let free = self.result.variants.last().map(VariantResult::statistics);
        let mut add = |cell: usize| around.add(surface.lattice(), cell);
        free.iter().for_each(|free| free.for_each_cell(Need::default(), |cell| add(cell.index as usize)));
        let relief = Relief::new(surface, around.window(surface.lattice()));
        let (title, overlays) = (&site.project.file.title, overlays::of_site(site));
        let on = Background { dem: &relief, crs: &site.crs, subtitle: title, overlays: &overlays, marks: &[] };
        maps::draw_inputs(&self.folder, site, &on)
    }

    /// Layers, trajectories, lines, zones and maps of every variant, and the profile.
    fn write_variants(&self) -> Result<(Vec<Written>, [Option<Profile>; 2])> {
        let RunResult { setup, variants, .. } = &self.result;
        let overlays = overlays::of_site(setup.site);
        let values: Vec<LayerValues> = variants.iter().map(|variant| layer_values(variant, setup)).collect();
        // The same part of the map in all previews.
        let surface = &setup.site.scene.surface;
        let window = values.last().map_or(Window::all(surface.lattice()), |free| free.window);
        let relief = Relief::new(surface, window);
        let deliver = |(variant, values): (&VariantResult, &LayerValues)| {
            deliver_variant(self, variant, values, &relief, &overlays)
        };
        let (written, profile) = rayon::join(
            || variants.iter().zip(&values).map(deliver).collect::<Result<Vec<_>>>(),
            || variants.last().map(|free| profile::steepest_and_farthest(setup, free)).transpose(),
        );
        Ok((written?, profile?.unwrap_or_default()))
    }
}

/// The values of all layers of a variant.
fn layer_values<'a>(variant: &'a VariantResult, setup: &'a Setup) -> LayerValues<'a> {
    let (lattice, min_sample) = (*setup.site.scene.surface.lattice(), setup.site.project.file.statistics.min_sample);
    LayerValues::new(&setup.layers, lattice, variant.statistics(), &setup.wanted, min_sample)
}

/// What descriptions of layers begin with if parts were missing.
pub(super) fn partial(setup: &Setup) -> String {
    partial_of(&setup.missing, setup.identity.total)
}

/// Of a run of so many rocks that lacks these.
pub(super) fn partial_of(missing: &[(u64, u64)], all: u64) -> String {
    let missing: u64 = missing.iter().map(|(from, to)| to - from).sum();
    if missing == 0 {
        return String::new();
    }
    say!("partial-title", there = all - missing, all = all, title = "")
}

/// What descriptions of layers begin with: that parts are missing, and whose rocks these are, of a scenario or of several pooled.
pub(super) fn whose(setup: &Setup, scenario: Option<&str>, pooled: bool) -> String {
    let rocks = match scenario {
        Some(name) => say!("list-scenario", name = name) + ": ",
        None if pooled => say!("layer-pooled") + ": ",
        None => String::new(),
    };
    partial(setup) + &rocks
}

/// What a reader must know about trajectories that are out of the ordinary or did not end by themselves.
fn completeness(result: &RunResult) -> Vec<Note> {
    let mut warnings = Vec::new();
    let identity = &result.setup.identity;
    let missing = result.setup.missing_rocks();
    if missing > 0 {
        warnings.push(Note::PartsMissing { rocks: missing, of: identity.total });
    }
    if identity.total < identity.planned {
        warnings.push(Note::Limited { released: identity.total, planned: identity.planned });
    }
    let Some(free) = result.variants.last() else { return warnings };
    let count = |stop: StopReason| free.stops.get(&stop).copied().filter(|&count| count > 0);
    warnings.extend(free.findings.notes());
    warnings.extend(count(StopReason::MaxTime).map(|rocks| Note::EndedAtMaxTime { rocks }));
    warnings.extend(count(StopReason::MaxDistance).map(|rocks| Note::EndedAtMaxDistance { rocks }));
    warnings
}

/// What was written of a variant, for the report, and what the reader must know of it.
struct Written {
    report: Variant,
    zones: Option<Classified>,
    warnings: Vec<Note>,
}

fn deliver_variant(
    delivery: &Delivery,
    variant: &VariantResult,
    values: &LayerValues,
    relief: &Relief,
    overlays: &[Overlay],
) -> Result<Written> {
    let site = delivery.result.setup.site;
    let label = label(variant.name.as_deref());
    let subtitle = subtitle(&site.project.file.title, variant.name.as_deref());
    let cut_off = cut_off::marks(variant, relief.lattice())?;
    let on = Background { dem: relief, crs: &site.crs, subtitle: &subtitle, overlays, marks: &cut_off };
    let at_once = relief.lattice().len() <= SMALL_LATTICE;
    let shown = Shown::of(delivery.result.setup);
    // What takes long and cannot be split comes first; maps and layers fill the gaps.
    let ((tracks, classified), ((lines, figures), (maps, layers))) = both(
        at_once,
        || both(at_once, || write_tracks(delivery, variant), || classified(delivery, variant, &on)),
        || {
            both(
                at_once,
                || both(at_once, || lines(delivery, variant), || figures(variant)),
                || {
                    let place = variant.name.as_ref().map_or(String::new(), |name| format!("{name}/"));
                    let folder = delivery.folder_of(variant);
                    let draw = || match shown {
                        Shown::Pooled => maps::draw(&folder, &place, values, &on, None),
                        // Beside the report, which shows the scenarios.
                        Shown::Scenarios { pooled: true } => {
                            maps::draw(&folder, &place, values, &on, None).map(|_| Vec::new())
                        }
                        Shown::Scenarios { pooled: false } => Ok(Vec::new()),
                    };
                    both(at_once, draw, || match shown {
                        Shown::Scenarios { pooled: false } => Ok(()),
                        _ => write_layers(delivery, variant, values, None),
                    })
                },
            )
        },
    );
    layers?;
    let mut maps = maps?;
    if let Shown::Scenarios { .. } = shown {
        maps.extend(scenarios(delivery, variant, &on)?);
    }
    square_layers::write(&delivery.folder_of(variant).join(LAYERS), delivery.result.setup, variant.accumulators)?;
    let objects = objects::write(&delivery.folder_of(variant).join(OBJECTS), delivery.result.setup, variant)?;
    let (lines, line_warnings) = lines?;
    let zones = classified?;
    let mut warnings = tracks?;
    warnings.extend(line_warnings);
    warnings.extend(zones.iter().flat_map(Classified::warnings));
    let min_sample = site.project.file.statistics.min_sample;
    let reached = Reached { cells: values.cells, few: values.few, min_sample };
    let (figures, histograms) = figures?;
    if site.project.file.outputs.report {
        let report = variant.name.as_ref().map_or(REPORT.to_string(), |_| format!("../{REPORT}"));
        let title =
            if site.project.file.title.is_empty() { &site.project.path.display().to_string() } else { &subtitle };
        interactive::write(
            &made(delivery.folder_of(variant))?,
            &interactive::Shown {
                setup: delivery.result.setup,
                variant,
                window: relief.window(),
                overlays,
                marks: &cut_off,
                zones: zones.as_ref(),
                title,
                report: &report,
            },
        )?;
    }
    let lines = lines.iter().map(LineResult::report).collect();
    let plausibility = variant.findings.clone();
    let report = Variant { label, figures, histograms, reached, maps, cut_off, lines, objects, plausibility };
    Ok(Written { report, zones, warnings })
}

/// Whose statistics are written and shown: several scenarios share no p95 unless that is wished.
#[derive(Clone, Copy)]
enum Shown {
    /// There is one scenario only.
    Pooled,
    /// Each for itself, and all of them together besides.
    Scenarios { pooled: bool },
}

impl Shown {
    fn of(setup: &Setup) -> Self {
        let pooled = setup.site.project.file.statistics.pooled;
        if setup.plan.scenarios.len() > 1 { Self::Scenarios { pooled } } else { Self::Pooled }
    }
}

/// Layers and maps of every scenario, each in a folder of its name; returns the maps of the report.
fn scenarios(delivery: &Delivery, variant: &VariantResult, on: &Background) -> Result<Vec<Picture>> {
    let setup = delivery.result.setup;
    let names = project::scenario_names(&setup.plan.scenarios);
    let place = variant.name.as_ref().map_or(String::new(), |name| format!("{name}/"));
    let (lattice, min_sample) = (*setup.site.scene.surface.lattice(), setup.site.project.file.statistics.min_sample);
    let mut maps = Vec::new();
    for (name, counts) in names.iter().zip(variant.accumulators) {
        let values = LayerValues::new(&setup.layers, lattice, Statistics::new([counts]), &setup.wanted, min_sample);
        maps.extend(maps::draw(&delivery.folder_of(variant), &place, &values, on, Some(name))?);
        write_layers(delivery, variant, &values, Some(name))?;
    }
    Ok(maps)
}

fn made(folder: PathBuf) -> Result<PathBuf> {
    std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error)).map(|()| folder)
}

/// Writes all layers, of one scenario or of all rocks.
fn write_layers(
    delivery: &Delivery,
    variant: &VariantResult,
    values: &LayerValues,
    scenario: Option<&str>,
) -> Result<()> {
    let site = delivery.result.setup.site;
    let folder = delivery.folder_of(variant).join(LAYERS);
    let folder = made(scenario.map_or(folder.clone(), |name| folder.join(file_name(name))))?;
    let several = delivery.result.setup.plan.scenarios.len() > 1;
    let whose = whose(delivery.result.setup, scenario, several);
    let write = |layer: usize| {
        values.write(layer, &folder, &site.crs, &whose)?;
        styles::write_layer(&folder, &values.layers[layer])?;
        delivery.progress.add(1);
        Ok(())
    };
    let count = values.layers.len();
    // Several at once only where they need little memory.
    if site.scene.surface.lattice().len() <= SMALL_LATTICE {
        (0..count).into_par_iter().try_for_each(write)
    } else {
        (0..count).try_for_each(write)
    }
}

/// A file of trajectories, rocks or impacts.
#[derive(Clone, Copy)]
enum TrackFile {
    Lines(Format),
    Deposits(Format),
    Points(Format),
    Rocks,
    Impacts(Format),
}

impl TrackFile {
    /// The files a project asks for.
    fn wanted(outputs: &Outputs) -> Result<Vec<Self>> {
        let formats = track::formats(&outputs.trajectories)?;
        let mut files: Vec<Self> = Vec::new();
        for format in formats {
            files.extend([Self::Lines(format), Self::Deposits(format)]);
            files.extend(outputs.points_every_s.map(|_| Self::Points(format)));
        }
        files.extend(outputs.rocks.then_some(Self::Rocks));
        files.extend(outputs.impacts.formats().into_iter().map(|format| match format {
            TableFormat::Csv => Self::Impacts(Format::Csv),
            TableFormat::Geopackage => Self::Impacts(Format::GeoPackage),
        }));
        Ok(files)
    }
}

/// Lines, deposits, point records, rocks and impacts; returns what the reader must know.
fn write_tracks(delivery: &Delivery, variant: &VariantResult) -> Result<Vec<Note>> {
    let site = delivery.result.setup.site;
    let files = TrackFile::wanted(&site.project.file.outputs)?;
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let folder = made(delivery.folder_of(variant).join(TRAJECTORIES))?;
    let names = Names::of(delivery.result.setup);
    let crs = &site.crs;
    if files.iter().any(|file| matches!(file, TrackFile::Lines(_))) {
        styles::write_trajectories(&folder)?;
        styles::write_deposits(&folder)?;
    }
    if files.iter().any(|file| matches!(file, TrackFile::Points(_))) {
        styles::write_points(&folder)?;
    }
    if files.iter().any(|file| matches!(file, TrackFile::Impacts(_))) {
        styles::write_impacts(&folder)?;
    }
    let written = files.into_par_iter().map(|file| {
        let file = match file {
            TrackFile::Lines(format) => tracks::write_lines(&variant.tracks, &folder, format, crs, &names),
            TrackFile::Deposits(format) => tracks::write_deposits(&variant.records, &folder, format, crs, &names),
            TrackFile::Points(format) => tracks::write_points(&variant.points, &folder, format, crs),
            TrackFile::Rocks => tracks::write_rocks(&variant.records, &folder, crs, &names),
            TrackFile::Impacts(format) => {
                tracks::write_impacts([&variant.impacts, &variant.records], &folder, format, crs, &names)
            }
        };
        delivery.progress.add(1);
        file
    });
    let written = written.collect::<Result<Vec<VectorFile>>>()?;
    Ok(written.into_iter().flat_map(|file| file.warnings).collect())
}

/// The lines, and what the reader must know of them.
fn lines(delivery: &Delivery, variant: &VariantResult) -> Result<(Vec<LineResult>, Vec<Note>)> {
    let site = delivery.result.setup.site;
    let set = &delivery.result.setup.lines;
    if set.lines().iter().all(|line| line.role == Role::Object) {
        return Ok(Default::default());
    }
    let crossings = variant.crossings()?;
    let mut settings: Vec<Dimensioning> = site.lines.iter().map(|line| line.spec.dimensioning.clone()).collect();
    settings.resize(set.lines().len(), Dimensioning::default());
    let scenarios = project::scenario_names(&delivery.result.setup.plan.scenarios);
    let pooled = site.project.file.statistics.pooled;
    let results = line_files::evaluate(set, &crossings, &settings, &scenarios, pooled)?;
    let lattice = site.scene.surface.lattice();
    let folder = delivery.folder_of(variant).join(LINES);
    line_files::write(&folder, set, &crossings, &results, &scenarios, lattice, &site.crs)?;
    let mut warnings = Vec::new();
    for line in &results {
        let important = |note: &&Note| {
            matches!(note, Note::FewRocks { .. } | Note::BeyondBarrierClasses { .. } | Note::HigherThanBarriers { .. })
        };
        let named = match scenarios.len() {
            1 => line.name.clone(),
            _ => format!("{}, {}", line.name, line.scenario),
        };
        for note in line.sheet.iter().flat_map(|sheet| sheet.notes.iter().filter(important)) {
            let (line, variant) = (named.clone(), variant.name.clone());
            warnings.push(Note::OfLine { line, variant, note: Box::new(note.clone()) });
        }
    }
    Ok((results, warnings))
}

fn classified(delivery: &Delivery, variant: &VariantResult, on: &Background) -> Result<Option<Classified>> {
    let project = &delivery.result.setup.site.project;
    let (Some(wish), Some(scheme)) = (&project.file.classification, &delivery.result.setup.scheme) else {
        return Ok(None);
    };
    let plan = &delivery.result.setup.plan;
    let names = project::scenario_names(&plan.scenarios);
    let years = schemes::return_periods(&names, &plan.scenario_frequencies(), &wish.scenario_return_periods_years)?;
    let source = schemes::source(&wish.scheme, &project.folder, &project.folder);
    let applied = Applied {
        scheme: &schemes::in_words(scheme, &wish.scheme),
        source: &source,
        name: &classification::scheme_folder(&wish.scheme, &source, &[]),
        scenario_names: &names,
        return_periods_years: &years,
        begin: &partial(delivery.result.setup),
    };
    applied.write(&delivery.folder, variant.name.as_deref(), variant.accumulators, on).map(Some)
}

/// What a variant is called; nothing if it is the only one.
pub(crate) fn label(variant: Option<&str>) -> String {
    variant.unwrap_or_default().replace('_', " ")
}

/// The title of a variant's maps.
pub(crate) fn subtitle(title: &str, variant: Option<&str>) -> String {
    let words = |variant: &str| report::variant_words(&variant.replace('_', " "));
    variant.map_or(title.to_string(), |variant| format!("{title} ({})", words(variant)))
}

/// Rocks whose values are sorted all at once, and not one quantity after the other.
const FEW_ROCKS: u64 = 1 << 21;

/// Of one value per rock that did not diverge: figures, and histograms of some.
fn figures(variant: &VariantResult) -> Result<(Figures, Vec<Plot>)> {
    let rocks: u64 = variant.stops.values().sum();
    let at_once = if rocks <= FEW_ROCKS { 7 } else { 1 };
    let (mut summaries, mut shown) = (Vec::new(), Vec::new());
    for first in (0..7).step_by(at_once) {
        let mut columns = vec![Vec::new(); at_once];
        variant.for_each_record(|record| {
            if record.stop != StopReason::Diverged {
                let [energy, velocity, jump, rotation] = record.max.values().map(f64::from);
                let (runout, angle) = (record.runout_m(), record.energy_line_deg());
                let values = [record.mass_kg, energy, velocity, jump, rotation, runout, angle];
                columns.iter_mut().zip(&values[first..]).for_each(|(column, value)| column.push(*value));
            }
            Ok(())
        })?;
        for (k, column) in columns.into_iter().enumerate() {
            let sample = Sample::new(column);
            summaries.push(Summary::of(&sample));
            if [1, 2, 3, 5].contains(&(first + k)) {
                let name = |figures: &Figures| report::named(figures).map(|(name, _)| name)[first + k].clone();
                shown.push(line_files::histogram("", name(&Figures::default()), &sample, msg!("rocks-word")));
            }
        }
    }
    let [mass_kg, energy_kj, velocity_m_s, jump_m, rotation_rps, runout_m, energy_line_deg] =
        std::array::from_fn(|k| summaries[k]);
    let figures = Figures { mass_kg, energy_kj, velocity_m_s, jump_m, rotation_rps, runout_m, energy_line_deg };
    Ok((figures, shown))
}
