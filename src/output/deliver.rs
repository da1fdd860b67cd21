//! Everything a run hands over: layers, trajectories, lines, classification, previews, report, manifest.

mod figures;
mod lines;
mod pages;
mod track_files;

use std::path::PathBuf;
use std::time::Instant;

use rayon::prelude::*;

use crate::draw::relief::{Relief, Window};
use crate::files::atomic;
use crate::files::names::file_name;
use crate::form;
use crate::hazard::statistics::Statistics;
use crate::output::classification::{Background, Classified};
use crate::output::conclude::conclude;
use crate::output::layer_values::LayerValues;
use crate::output::line_results::LineResult;
use crate::output::report_model::{Picture, Profile, Reached, ReportModel, Variant};
use crate::output::titles::{self, label, subtitle, whose};
use crate::output::{both, cut_off, maps, objects, profile, report, run_record, setting, square_layers, styles};
use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::project;
use crate::store::layers::{SMALL_LATTICE, TERRAIN_FOR_MAPS};
use crate::store::manifest;
use crate::store::overlays::{self, Overlay};
use crate::store::run_folder::{BARRIER_SHEET, LAYERS, OBJECTS};
use crate::store::{RunResult, Setup, Store, VariantResult};
use crate::trajectory::StopReason;
use crate::{Error, Note, Result};
use figures::figures;
use lines::lines;
use pages::{classified, write_page};
use track_files::{TrackFile, write_tracks};

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
    setup.site.scene.surface.blocks().into_iter().for_each(|blocks| blocks.cache().shrink(TERRAIN_FOR_MAPS));
    titles::mark(&setup.missing, setup.identity.total);
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

/// Layers, trajectories, lines, zones, maps and the interactive page of a variant.
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
    // What takes long and cannot be split comes first; maps and layers fill the gaps.
    let ((tracks, classified), ((lines, figures), (maps, layers))) = both(
        at_once,
        || both(at_once, || write_tracks(delivery, variant), || classified(delivery, variant, &on)),
        || {
            both(
                at_once,
                || both(at_once, || lines(delivery, variant), || figures(variant)),
                || both(at_once, || draw(delivery, variant, values, &on), || pooled_layers(delivery, variant, values)),
            )
        },
    );
    layers?;
    let mut maps = maps?;
    if let Shown::Scenarios { .. } = Shown::of(delivery.result.setup) {
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
        write_page(delivery, variant, relief, &on, zones.as_ref())?;
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

/// Maps of all rocks; returns those of the report.
fn draw(delivery: &Delivery, variant: &VariantResult, values: &LayerValues, on: &Background) -> Result<Vec<Picture>> {
    let (folder, place) = (delivery.folder_of(variant), place(variant));
    match Shown::of(delivery.result.setup) {
        Shown::Pooled => maps::draw(&folder, &place, values, on, None),
        // Beside the report, which shows the scenarios.
        Shown::Scenarios { pooled: true } => maps::draw(&folder, &place, values, on, None).map(|_| Vec::new()),
        Shown::Scenarios { pooled: false } => Ok(Vec::new()),
    }
}

/// Layers of all rocks, where these are wished.
fn pooled_layers(delivery: &Delivery, variant: &VariantResult, values: &LayerValues) -> Result<()> {
    match Shown::of(delivery.result.setup) {
        Shown::Scenarios { pooled: false } => Ok(()),
        _ => write_layers(delivery, variant, values, None),
    }
}

/// Of a variant's folder in the run folder, as reports name files.
fn place(variant: &VariantResult) -> String {
    variant.name.as_ref().map_or(String::new(), |name| format!("{name}/"))
}

/// Layers and maps of every scenario, each in a folder of its name; returns the maps of the report.
fn scenarios(delivery: &Delivery, variant: &VariantResult, on: &Background) -> Result<Vec<Picture>> {
    let setup = delivery.result.setup;
    let names = project::scenario_names(&setup.plan.scenarios);
    let place = place(variant);
    let (lattice, min_sample) = (*setup.site.scene.surface.lattice(), setup.site.project.file.statistics.min_sample);
    let mut maps = Vec::new();
    for (name, counts) in names.iter().zip(variant.accumulators) {
        let values = LayerValues::new(&setup.layers, lattice, Statistics::new([counts]), &setup.wanted, min_sample);
        maps.extend(maps::draw(&delivery.folder_of(variant), &place, &values, on, Some(name))?);
        write_layers(delivery, variant, &values, Some(name))?;
    }
    Ok(maps)
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

/// The folder, made if it is missing.
fn made(folder: PathBuf) -> Result<PathBuf> {
    std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error)).map(|()| folder)
}
