//! Everything a run hands over: layers, trajectories, lines, classification, previews, report, manifest.

mod figures;
mod lines;
mod track_files;
mod variant;

use std::path::PathBuf;
use std::time::Instant;

use crate::draw::relief::{Around, Relief, Window};
use crate::files::atomic;
use crate::form;
use crate::hazard::statistics::Need;
use crate::output::classification::Background;
use crate::output::conclude::conclude;
use crate::output::layer_values::LayerValues;
use crate::output::report_model::{Picture, Profile, ReportModel};
use crate::output::{maps, profile, report, run_record, setting};
use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::store::manifest;
use crate::store::overlays;
use crate::store::run_folder::BARRIER_SHEET;
use crate::store::{RunResult, Setup, Store, VariantResult};
use crate::texts::say;
use crate::trajectory::StopReason;
use crate::{Error, Note, Result};
use track_files::TrackFile;
use variant::{Shown, Written, deliver_variant};

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

/// What a variant is called; nothing if it is the only one.
pub(crate) fn label(variant: Option<&str>) -> String {
    variant.unwrap_or_default().replace('_', " ")
}

/// The title of a variant's maps.
pub(crate) fn subtitle(title: &str, variant: Option<&str>) -> String {
    let words = |variant: &str| report::variant_words(&variant.replace('_', " "));
    variant.map_or(title.to_string(), |variant| format!("{title} ({})", words(variant)))
}

/// The folder, made if it is missing.
fn made(folder: PathBuf) -> Result<PathBuf> {
    std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error)).map(|()| folder)
}
