//! From counts and logs to the files of a run.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::time::Instant;

use rayon::prelude::*;

use crate::ensemble::Setup;
use crate::ensemble::keeper::Keeper;
use crate::geo::atomic::io_error;
use crate::hazard::accumulator::Accumulator;
use crate::hazard::codec;
use crate::hazard::crossings::Crossing;
use crate::hazard::statistics::Statistics;
use crate::interrupt;
use crate::output;
use crate::output::layers::{self, LayerFile};
use crate::output::record::{LogFile, TrajectoryRecord, stop_reasons};
use crate::output::run_folder;
use crate::output::tracks::{self, Names, Track, VectorFile};
use crate::progress::Progress;
use crate::trajectory::{SolverCounts, StopReason};
use crate::{Error, Result};

/// What a run has found, for maps, report and manifest.
pub struct RunResult<'a> {
    pub setup: &'a Setup<'a>,
    /// The run's folder.
    pub folder: PathBuf,
    /// One, or with barriers in the project two: with them, and without.
    pub variants: Vec<VariantResult>,
    pub warnings: Vec<String>,
    pub timings: Timings,
    pub threads: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timings {
    pub simulate_s: f64,
    pub outputs_s: f64,
}

pub struct VariantResult {
    /// `with_barriers`, `without_barriers`, or `None` if there are no barriers.
    pub name: Option<String>,
    pub folder: PathBuf,
    /// By scenario, in the order of the plan's.
    pub accumulators: Vec<Accumulator>,
    pub layers: Vec<LayerFile>,
    pub vectors: Vec<VectorFile>,
    pub stops: BTreeMap<StopReason, u64>,
    pub solver: SolverCounts,
    /// Numbers of the trajectories that diverged: in no statistic, to be replayed.
    pub diverged: Vec<u64>,
    records: LogFile,
    tracks: LogFile,
    crossings: LogFile,
}

impl VariantResult {
    pub fn statistics(&self) -> Statistics<'_> {
        Statistics::new(&self.accumulators)
    }

    /// Every trajectory in order of number, diverged ones too.
    pub fn for_each_record(&self, each: impl FnMut(TrajectoryRecord) -> Result<()>) -> Result<()> {
        self.records.read(|mut input| TrajectoryRecord::decode(&mut input), each)
    }

    /// The trajectories that are written to files, in order of number.
    pub fn for_each_track(&self, each: impl FnMut(Track) -> Result<()>) -> Result<()> {
        self.tracks.read(Track::decode, each)
    }

    /// Every crossing of a line, in order of trajectory and time.
    pub fn crossings(&self) -> Result<Vec<Crossing>> {
        let mut crossings = Vec::new();
        self.crossings.read(decode_crossing, |crossing| {
            crossings.push(crossing);
            Ok(())
        })?;
        Ok(crossings)
    }
}

fn decode_crossing(mut input: &mut dyn Read) -> Result<Crossing> {
    let bytes = codec::take_bytes(&mut input)?;
    let damaged = || Error::failed("a stored crossing is damaged: recompute this part of the run");
    Crossing::decode(&mut &bytes[..]).ok_or_else(damaged)
}

/// Writes layers and trajectories, lets `deliver` add the rest, and marks the run as finished.
pub fn finish(
    setup: &Setup,
    mut keeper: Keeper,
    threads: usize,
    simulate_s: f64,
    progress: &Progress,
    deliver: impl Fn(&mut RunResult) -> Result<()>,
) -> Result<()> {
    let started = Instant::now();
    // From here on everything is on disk: an interruption may end the process at once.
    let path = keeper.folder.path.clone();
    let _on_interrupt = interrupt::end_at_once_with(format!(
        "stopped while writing results; the trajectories are kept in '{}': continue with the same command and `--resume`",
        path.display()
    ));
    let site = setup.site;
    let mut warnings: Vec<String> = site.warnings.iter().chain(&setup.plan.warnings).cloned().collect();
    let already_told = warnings.len();
    let count = keeper.state.header.variants.len();
    let formats = tracks::formats(&site.project.file.outputs.trajectories)?;
    progress.stage("write", (count * (setup.layers.len() + 3 * formats.len())) as u64);
    let mut variants = Vec::new();
    for index in 0..count {
        variants.push(write_variant(setup, &mut keeper, index, &formats, progress, &mut warnings)?);
    }
    note_left_out(setup, &mut warnings);
    let timings = Timings { simulate_s, outputs_s: started.elapsed().as_secs_f64() };
    let mut result = RunResult { setup, folder: path, variants, warnings, timings, threads };
    progress.stage("report", 1);
    deliver(&mut result)?;
    keeper.folder.finish_run()?;
    result.warnings.iter().skip(already_told).for_each(|warning| progress.warn(warning));
    progress.set(1);
    Ok(())
}

fn write_variant(
    setup: &Setup,
    keeper: &mut Keeper,
    index: usize,
    formats: &[crate::geo::write_vector::Format],
    progress: &Progress,
    warnings: &mut Vec<String>,
) -> Result<VariantResult> {
    let site = setup.site;
    let name = keeper.state.header.variants[index].clone();
    let folder = keeper.folder.variant(name.as_deref())?;
    let make = |name: &str| {
        let path = folder.join(name);
        fs::create_dir_all(&path).map_err(|error| io_error(&path, &error)).map(|()| path)
    };
    let lattice = site.scene.surface.lattice();
    let min_sample = site.project.file.statistics.min_sample;
    let mut result = VariantResult {
        name,
        folder: folder.clone(),
        // Taken, not copied: they may be most of the memory, and the state is on disk.
        accumulators: std::mem::take(&mut keeper.state.accumulators[index]),
        layers: Vec::new(),
        vectors: Vec::new(),
        stops: stop_reasons().map(|stop| (stop, 0)).into(),
        solver: SolverCounts::default(),
        diverged: Vec::new(),
        records: keeper.log_file(index, 0),
        tracks: keeper.log_file(index, 1),
        crossings: keeper.log_file(index, 3),
    };
    let layer_folder = make(run_folder::LAYERS)?;
    let (statistics, wanted, crs) = (result.statistics(), &setup.wanted, &site.crs);
    let write = |layer| {
        let file = layers::write(layer, &layer_folder, &statistics, wanted, lattice, crs, min_sample)?;
        progress.add(1);
        Ok(file)
    };
    // Several layers at once only where they need little memory.
    result.layers = if lattice.len() <= output::SMALL_LATTICE {
        setup.layers.par_iter().map(write).collect::<Result<_>>()?
    } else {
        setup.layers.iter().map(write).collect::<Result<_>>()?
    };
    let (mut stops, mut solver, mut diverged) = (result.stops.clone(), result.solver, Vec::new());
    result.for_each_record(|record| {
        *stops.entry(record.stop).or_insert(0) += 1;
        solver.solves += record.solver.solves;
        solver.not_converged += record.solver.not_converged;
        solver.restitution_reduced += record.solver.restitution_reduced;
        solver.pushed_out += record.solver.pushed_out;
        if record.stop == StopReason::Diverged {
            diverged.push(record.number);
        }
        Ok(())
    })?;
    (result.stops, result.solver, result.diverged) = (stops, solver, diverged);
    warn_of_diverged(&result, warnings);
    if !formats.is_empty() {
        let track_folder = make(run_folder::TRAJECTORIES)?;
        let names = Names {
            layers: (0..site.releases.len()).map(|layer| setup.plan.layer_name(layer).to_string()).collect(),
            scenarios: setup.plan.scenarios.clone(),
        };
        for &format in formats {
            result.vectors.push(tracks::write_lines(&result.tracks, &track_folder, format, &site.crs, &names)?);
            progress.add(1);
            result.vectors.push(tracks::write_deposits(&result.records, &track_folder, format, &site.crs, &names)?);
            progress.add(1);
            if site.project.file.outputs.points_every_s.is_some() {
                let points = keeper.log_file(index, 2);
                result.vectors.push(tracks::write_points(&points, &track_folder, format, &site.crs)?);
            }
            progress.add(1);
        }
        warnings.extend(result.vectors.iter().flat_map(|file| file.warnings.iter().cloned()));
    }
    Ok(result)
}

fn warn_of_diverged(result: &VariantResult, warnings: &mut Vec<String>) {
    if result.diverged.is_empty() {
        return;
    }
    let some: Vec<String> = result.diverged.iter().take(10).map(u64::to_string).collect();
    let more = if result.diverged.len() > some.len() { ", …" } else { "" };
    let place = result.name.as_deref().map_or(String::new(), |name| format!(" ({name})"));
    warnings.push(format!(
        "{} trajectories diverged and are in no statistic{place}: numbers {}{more}; look at one with `couloir trace`",
        result.diverged.len(),
        some.join(", ")
    ));
}

fn note_left_out(setup: &Setup, warnings: &mut Vec<String>) {
    let outputs = &setup.site.project.file.outputs;
    if outputs.trajectories.is_empty() {
        return;
    }
    let written = (0..setup.identity.total).filter(|&i| setup.is_written(i)).count();
    if (written as u64) < setup.identity.total {
        warnings.push(format!(
            "{written} of {} trajectories are in the trajectory files, spread evenly over the releases \
             (outputs.max_trajectories = {}); layers and deposits hold all of them",
            setup.identity.total, outputs.max_trajectories
        ));
    }
    if outputs.points_every_s.is_some_and(|interval| interval > setup.site.scene.time_step_s) {
        warnings.push(format!(
            "the point records are taken every {} s; layers count every solver step ({} s), so their maxima may be larger",
            outputs.points_every_s.unwrap_or(0.0),
            setup.site.scene.time_step_s
        ));
    }
}
