//! What is read from a filled store: counts, records, tracks, crossings, and what the user must know of them.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use super::findings::{Finder, Findings};
use super::log::{LogFile, LogKind};
use super::record::{TrajectoryRecord, stop_reasons};
use super::settled::Convergence;
use super::{Setup, Store};
use crate::hazard::accumulator::Accumulator;
use crate::hazard::codec;
use crate::hazard::crossings::Crossing;
use crate::hazard::lines::Role;
use crate::hazard::statistics::Statistics;
use crate::trajectory::{SolverCounts, StopReason};
use crate::{Error, Note, Result};

/// What a run has found, for files, maps, report and manifest.
pub struct RunResult<'a> {
    /// The plan of the run.
    pub setup: &'a Setup<'a>,
    /// One, or with barriers in the project two: with them, and without.
    pub variants: Vec<VariantResult<'a>>,
    /// Whether there were enough rocks, if that was asked.
    pub convergence: Option<Convergence>,
    /// Sentences the user must read: the first so many are those of the plan, told when the run began.
    pub warnings: Vec<Note>,
    /// How many were told when the run began.
    pub told: usize,
}

/// What was found with, or without, barriers.
pub struct VariantResult<'a> {
    /// `with_barriers`, `without_barriers`, or `None` if there are no barriers.
    pub name: Option<String>,
    /// By scenario, in the order of the plan's.
    pub accumulators: &'a [Accumulator],
    /// Trajectories per stop reason.
    pub stops: BTreeMap<StopReason, u64>,
    /// Counts of the contact solver.
    pub solver: SolverCounts,
    /// Numbers of the trajectories that diverged: in no statistic, to be replayed.
    pub diverged: Vec<u64>,
    /// Every trajectory in numbers.
    pub records: LogFile,
    /// Lines.
    pub tracks: LogFile,
    /// Records at intervals.
    pub points: LogFile,
    /// Contacts after flights.
    pub impacts: LogFile,
    /// What is out of the ordinary.
    pub findings: Findings,
    crossings: LogFile,
    /// Lines and barriers; objects come after them.
    lines: usize,
}

impl<'a> RunResult<'a> {
    /// Reads what is in a store whose trajectories are all there and settled.
    pub(crate) fn of(setup: &'a Setup<'a>, store: &'a Store) -> Result<Self> {
        let mut warnings: Vec<Note> = setup.warnings().cloned().collect();
        let told = warnings.len();
        let variants = (0..store.state.header.variants.len())
            .map(|index| variant(setup, store, index, &mut warnings))
            .collect::<Result<Vec<_>>>()?;
        note_left_out(setup, &mut warnings);
        let wish = setup.identity.until.as_ref().or(setup.site.project.file.simulation.until.as_ref());
        let convergence = Convergence::of(store.curve(), &wish.cloned().unwrap_or_default());
        warnings.extend(convergence.iter().filter(|c| !c.converged).map(Convergence::note));
        Ok(Self { setup, variants, convergence, warnings, told })
    }
}

impl VariantResult<'_> {
    pub(crate) fn statistics(&self) -> Statistics<'_> {
        Statistics::new(self.accumulators)
    }

    /// Every trajectory in the order of release, diverged ones too.
    pub(crate) fn for_each_record(&self, each: impl FnMut(TrajectoryRecord) -> Result<()>) -> Result<()> {
        self.records.read(|mut input| TrajectoryRecord::decode(&mut input), each)
    }

    /// Every crossing of a line or of an object's outline, rock by rock in order of time.
    pub(crate) fn for_each_crossing(&self, each: impl FnMut(Crossing) -> Result<()>) -> Result<()> {
        self.crossings.read(decode_crossing, each)
    }

    /// Every crossing of a line (not of objects), rock by rock in order of time.
    pub(crate) fn crossings(&self) -> Result<Vec<Crossing>> {
        let mut crossings = Vec::new();
        self.for_each_crossing(|crossing| {
            if (crossing.line as usize) < self.lines {
                crossings.push(crossing);
            }
            Ok(())
        })?;
        Ok(crossings)
    }
}

pub(super) fn decode_crossing(mut input: &mut dyn Read) -> Result<Crossing> {
    let bytes = codec::take_bytes(&mut input)?;
    let damaged = || Error::failed("a stored crossing is damaged: recompute this part of the run");
    Crossing::decode(&mut &bytes[..]).ok_or_else(damaged)
}

fn variant<'a>(setup: &Setup, store: &'a Store, index: usize, warnings: &mut Vec<Note>) -> Result<VariantResult<'a>> {
    let name = store.state.header.variants[index].clone();
    let accumulators = &store.state.accumulators[index][..];
    let logs = LogKind::ALL.map(|log| store.log_file(index, log));
    logs.iter().try_for_each(LogFile::check)?;
    let [records, tracks, points, crossings, impacts] = logs;
    let mut finder = Finder::default();
    let (mut stops, mut solver): (BTreeMap<_, _>, _) =
        (stop_reasons().map(|stop| (stop, 0)).into(), SolverCounts::default());
    let mut diverged = Vec::new();
    let mut expected = (0..setup.identity.total).filter(|i| !setup.is_missing(*i)).peekable();
    let incomplete = |path: &Path| {
        Error::input(format!(
            "'{}' does not hold every trajectory of the run once and in order; compute this part of the run again",
            path.display()
        ))
    };
    let mut count = |record: TrajectoryRecord| {
        if expected.next().map(|i| setup.plan.number(setup.index(i))) != Some(record.number) {
            return Err(incomplete(&records.path));
        }
        finder.add(&record);
        *stops.entry(record.stop).or_insert(0) += 1;
        solver.solves += record.solver.solves;
        solver.not_converged += record.solver.not_converged;
        solver.restitution_reduced += record.solver.restitution_reduced;
        solver.pushed_out += record.solver.pushed_out;
        if record.stop == StopReason::Diverged {
            diverged.push(record.number);
        }
        Ok(())
    };
    records.read(|mut input| TrajectoryRecord::decode(&mut input), &mut count)?;
    if expected.peek().is_some() {
        return Err(incomplete(&records.path));
    }
    let findings = finder.found();
    let lines = setup.lines.lines().iter().filter(|line| line.role != Role::Object).count();
    let result = VariantResult {
        name,
        accumulators,
        stops,
        solver,
        diverged,
        records,
        tracks,
        points,
        impacts,
        findings,
        crossings,
        lines,
    };
    warn_of_diverged(&result, warnings);
    Ok(result)
}

fn warn_of_diverged(result: &VariantResult, warnings: &mut Vec<Note>) {
    if result.diverged.is_empty() {
        return;
    }
    let first = result.diverged.iter().take(10).copied().collect();
    warnings.push(Note::Diverged { count: result.diverged.len(), variant: result.name.clone(), first });
}

fn note_left_out(setup: &Setup, warnings: &mut Vec<Note>) {
    let outputs = &setup.site.project.file.outputs;
    if outputs.trajectories.is_empty() {
        return;
    }
    let written = setup.written();
    if written < setup.identity.total {
        let (of, most) = (setup.identity.total, u64::from(outputs.max_trajectories));
        warnings.push(match setup.identity.round {
            Some(_) => Note::FirstTracks { written, of, most },
            None => Note::SomeTracks { written, of, most },
        });
    }
    if outputs.points_every_s.is_some_and(|interval| interval > setup.site.scene.time_step_s) {
        warnings.push(Note::SparsePoints { every_s: outputs.points_every_s.unwrap_or(0.0) });
    }
}
