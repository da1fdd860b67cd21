//! An open store takes fallen rocks in order, counts them, streams them to logs, and saves checkpoints.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::log::{Log, LogFile, LogKind, PerLog};
use super::record::TrajectoryRecord;
use super::run_folder::{Existing, Opened, RunFolder, ShardFolder};
use super::settled::Settled;
use super::state_file::{Header, State};
use super::track::{Track, TrackPoint, Vertex};
use super::{Setup, results};
use crate::files::atomic::io_error;
use crate::files::inputs;
use crate::files::temporary::Temporary;
use crate::hazard::accumulator::{Accumulator, Passage};
use crate::hazard::crossings::Crossing;
use crate::hazard::impacts::Impact;
use crate::hazard::traverse::Visit;
use crate::process::interrupt;
use crate::trajectory::StopReason;
use crate::{Error, Note, Result};

/// Saving may take one part in this many of the time.
const SAVING_SHARE: u32 = 20;
/// Files of parts that are read side by side: a process may have some 1,000 open.
const MOST_OPEN: usize = 128;
/// A state that takes longer to save than this is not saved again for an interruption: the user waits a second at most.
const QUICK: Duration = Duration::from_millis(400);

/// What one rock leaves under one variant.
#[derive(Debug, Clone)]
pub struct Fallen {
    /// In numbers.
    pub record: TrajectoryRecord,
    /// Empty for a diverged rock, as is everything below.
    pub visits: Vec<Visit>,
    /// Cell it came to rest in.
    pub deposit: Option<u64>,
    /// Of its line, if it is to be written.
    pub vertices: Option<Vec<Vertex>>,
    /// At intervals.
    pub points: Vec<TrackPoint>,
    /// Of lines.
    pub crossings: Vec<Crossing>,
    /// With the ground.
    pub impacts: Vec<Impact>,
}

/// Where a rock comes from, as it is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Source {
    /// Cell it started in.
    pub cell: u64,
    /// Half of the run, 0 or 1.
    pub half: u8,
    /// See [`Passage::weight`].
    pub weight: f64,
}

/// Nobody else writes its folder as long as it lives.
pub struct Store {
    pub(crate) folder: RunFolder,
    pub(crate) state: State,
    /// By variant.
    logs: Vec<PerLog<Log>>,
    every: Duration,
    saved: Instant,
    saving_took: Duration,
    /// The first trajectory that is not in the last checkpoint.
    saved_next: u64,
    /// What is in it is on disk as it is: parts were joined there.
    is_saved: bool,
    buffer: Vec<u8>,
}

impl Store {
    /// Takes the folder of a run for trajectories `range`, new or where an interrupted one stopped, and says what of an
    /// earlier run was left there; `None` if this very run is finished. Checkpoints come `every` so long.
    pub(crate) fn open(
        setup: &Setup,
        range: (u64, u64),
        out: &Path,
        existing: Existing,
        every: Duration,
    ) -> Result<Option<(Self, Option<Note>)>> {
        inputs::refuse_inside(out, &setup.input_paths())?;
        Ok(match RunFolder::open(out, existing)? {
            Opened::Finished(header) => {
                check_same(setup, &header, range, out)?;
                None
            }
            Opened::Resumed(folder, state) => {
                check_resumable(setup, &state, range, out)?;
                Some((Self::with_logs(folder, *state, every)?, None))
            }
            Opened::Fresh(folder, left) => {
                let lattice = *setup.site.scene.surface.lattice();
                let state = State::new(setup.header(range), lattice, setup.wanted.clone());
                let mut store = Self::with_logs(folder, state, every)?;
                store.save()?;
                Some((store, left))
            }
        })
    }

    /// Opens the logs, cut back to what the state has seen.
    fn with_logs(folder: RunFolder, state: State, every: Duration) -> Result<Self> {
        let mut logs = Vec::new();
        for (index, variant) in state.header.variants.iter().enumerate() {
            let seen = state.header.logs.get(index).cloned().unwrap_or_default();
            let open = |log: LogKind| Log::open(&folder.log_path(variant.as_deref(), log), &seen[log]);
            logs.push(PerLog::try_from_fn(open)?);
        }
        let (saved, saving_took, saved_next) = (Instant::now(), Duration::ZERO, state.header.next);
        let is_saved = state.is_stored();
        Ok(Self { folder, state, logs, every, saved, saving_took, saved_next, is_saved, buffer: Vec::new() })
    }

    /// The trajectories it is for, and the first of them that is not in it yet.
    pub(crate) fn range(&self) -> ((u64, u64), u64) {
        (self.state.header.range, self.state.header.next)
    }

    /// One, or with barriers two.
    pub(crate) fn variants(&self) -> usize {
        self.state.header.variants.len()
    }

    /// What was counted of a variant, by scenario.
    pub(crate) fn counts(&self, variant: usize) -> &[Accumulator] {
        &self.state.accumulators[variant]
    }

    /// Every crossing of a line, rock by rock in order of time; what is counted must be settled.
    pub(crate) fn for_each_crossing(&self, variant: usize, each: impl FnMut(Crossing) -> Result<()>) -> Result<()> {
        self.log_file(variant, LogKind::Crossings).read(results::decode_crossing, each)
    }

    /// Whether everything that was asked for could be read.
    pub(crate) fn is_readable(&self) -> Result<()> {
        self.state.is_readable()
    }

    /// Time between checkpoints.
    pub(crate) fn every(&self) -> Duration {
        self.every
    }

    /// Trajectories that are in it.
    pub(crate) fn rocks(&self) -> u64 {
        self.state.header.next - self.state.header.range.0
    }

    /// How far the map had settled after each batch.
    pub(crate) fn curve(&self) -> &[Settled] {
        &self.state.header.curve
    }

    pub(crate) fn add_to_curve(&mut self, settled: Settled) {
        self.is_saved = false;
        self.state.header.curve.push(settled);
    }

    /// The run ends with what is in it.
    pub(crate) fn end_here(&mut self) {
        self.is_saved = false;
        let header = &mut self.state.header;
        header.range.1 = header.next;
        (header.identity.planned, header.identity.total) = (header.next, header.next);
        self.state.weigh();
    }

    /// Settles what was counted; an empty folder for the files of the finished run, with the paths they will have.
    pub(crate) fn begin_delivery(&mut self) -> Result<PathBuf> {
        self.settle()?;
        self.folder.begin_delivery()
    }

    /// The files take their places, and the folder is that of a finished run.
    pub(crate) fn finish_run(&self) -> Result<()> {
        self.folder.finish_run()
    }

    /// All trajectories of the part are computed: the folder is that of a finished shard.
    pub(crate) fn finish_shard(mut self) -> Result<()> {
        self.save()?;
        self.folder.finish_shard()
    }

    /// Counts one rock, all its variants.
    pub(crate) fn keep(&mut self, index: u64, rock: &[Fallen], source: Source) -> Result<()> {
        if index != self.state.header.next || self.state.is_stored() {
            return Err(Error::failed(
                "trajectories came out of order: this is a mistake in couloir, please report it",
            ));
        }
        for (variant, fallen) in rock.iter().enumerate() {
            let record = &fallen.record;
            let logs = &mut self.logs[variant];
            let mut append = |log: LogKind, encode: &mut dyn FnMut(&mut Vec<u8>)| {
                self.buffer.clear();
                encode(&mut self.buffer);
                logs.get_mut(log).append(&self.buffer)
            };
            append(LogKind::Records, &mut |out| record.encode(out))?;
            if record.stop == StopReason::Diverged {
                continue;
            }
            if let Some(vertices) = &fallen.vertices {
                append(LogKind::Tracks, &mut |out| Track::encode(record, vertices, out))?;
            }
            append(LogKind::Points, &mut |out| fallen.points.iter().for_each(|point| point.encode(out)))?;
            append(LogKind::Crossings, &mut |out| {
                for crossing in &fallen.crossings {
                    let start = out.len();
                    out.extend([0; 8]);
                    crossing.encode(out);
                    let length = (out.len() - start - 8) as u64;
                    out[start..start + 8].copy_from_slice(&length.to_le_bytes());
                }
            })?;
            append(LogKind::Impacts, &mut |out| fallen.impacts.iter().for_each(|impact| impact.encode(out)))?;
            self.state.accumulators[variant][record.scenario as usize].add(&Passage {
                visits: &fallen.visits,
                source_cell: source.cell,
                deposit: fallen.deposit,
                frequency_per_year: record.frequency_per_year,
                half: source.half,
                weight: source.weight,
            });
        }
        self.state.header.next += 1;
        Ok(())
    }

    /// Saves if it is time to.
    pub(crate) fn save_now_and_then(&mut self) -> Result<()> {
        if self.saved.elapsed() < self.every.max(self.saving_took * SAVING_SHARE) {
            return Ok(());
        }
        // The last checkpoint stays whole until the new one is: a long save need not hold up an interruption.
        let _end = (self.saving_took > QUICK).then(|| interrupt::end_at_once_with(self.stopped()));
        self.save()
    }

    /// Saves for an interruption, unless that takes too long and an earlier checkpoint must do.
    pub(crate) fn save_quickly(&mut self) -> Result<()> {
        if self.saving_took > QUICK { Ok(()) } else { self.save() }
    }

    /// What to tell the user after an interruption.
    pub(crate) fn stopped(&self) -> String {
        let (from, to) = self.state.header.range;
        format!(
            "stopped; {} of {} trajectories are kept in '{}': continue with the same command and `--resume`",
            self.saved_next - from,
            to - from,
            self.folder.path.display()
        )
    }

    /// Saves everything counted so far.
    pub(crate) fn save(&mut self) -> Result<()> {
        let started = Instant::now();
        self.settle()?;
        self.store()?;
        (self.saved, self.saving_took, self.saved_next) = (Instant::now(), started.elapsed(), self.state.header.next);
        Ok(())
    }

    /// Brings everything counted so far into the form in which it is read and stored.
    pub(crate) fn settle(&mut self) -> Result<()> {
        let sums = |logs: &mut PerLog<Log>| PerLog::try_from_fn(|log| logs.get_mut(log).flush());
        self.state.header.logs = self.logs.iter_mut().map(sums).collect::<Result<_>>()?;
        self.state.accumulators.par_iter_mut().flatten().for_each(Accumulator::settle);
        Ok(())
    }

    /// Brings what is settled to the disk: logs first, then the state that refers to them.
    pub(crate) fn store(&self) -> Result<()> {
        if self.is_saved {
            return Ok(());
        }
        self.logs.iter().flat_map(PerLog::iter).try_for_each(|(_, log)| log.sync())?;
        self.state.save(&self.folder.state_path())
    }

    /// Takes all that parts have counted, in their order; tells each that is looked through.
    ///
    /// Counts are joined tile by tile into the file they stay in; so many parts at once as files may be open, and what comes of these after that.
    pub(crate) fn merge(&mut self, parts: &[PathBuf], done: &dyn Fn()) -> Result<()> {
        let partial = self.folder.partial();
        let scratch = Temporary::create(&partial).map_err(|error| io_error(&partial, &error))?;
        let mut states = Vec::new();
        for path in parts {
            let part = ShardFolder::open(path)?;
            if !part.is_like(&self.state.header) {
                let shown = path.display();
                return Err(Error::input(format!("'{shown}' counts other things than the run it is to join")));
            }
            part.check()?;
            for (variant, logs) in self.logs.iter_mut().enumerate() {
                LogKind::ALL.into_iter().try_for_each(|kind| part.log(variant, kind).append_to(logs.get_mut(kind)))?;
            }
            states.push(part.state_path());
            done();
        }
        self.state.header.next = self.state.header.range.1;
        self.settle()?;
        self.logs.iter().flat_map(PerLog::iter).try_for_each(|(_, log)| log.sync())?;
        while states.len() > MOST_OPEN {
            let name = |k: usize| scratch.path.join(format!("{}-{k}.bin", states.len()));
            let groups = states.chunks(MOST_OPEN).enumerate();
            let join = |(k, group): (usize, &[PathBuf])| self.state.save_merged(&name(k), group).map(|()| name(k));
            states = groups.map(join).collect::<Result<_>>()?;
        }
        self.state.save_merged(&self.folder.state_path(), &states)?;
        self.state = State::open(&self.folder.state_path())?;
        self.is_saved = true;
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder.path
    }

    pub(crate) fn log_file(&self, variant: usize, log: LogKind) -> LogFile {
        let path = self.folder.log_path(self.state.header.variants[variant].as_deref(), log);
        LogFile { path, sum: self.state.header.logs[variant][log].clone() }
    }
}

fn check_resumable(setup: &Setup, state: &State, range: (u64, u64), out: &Path) -> Result<()> {
    check_same(setup, &state.header, range, out)?;
    if state.wanted != setup.wanted || state.lattice != *setup.site.scene.surface.lattice() {
        return refuse_to_resume(out, "the run in it counts other things than this one".into());
    }
    Ok(())
}

/// Whether what is in a folder is this very run.
fn check_same(setup: &Setup, header: &Header, range: (u64, u64), out: &Path) -> Result<()> {
    if let Some(difference) = header.identity.difference(&setup.identity) {
        return refuse_to_resume(out, format!("the run in it and this one have different {difference}"));
    }
    if header.missing != setup.missing {
        return refuse_to_resume(
            out,
            "the run in it lacks other trajectories than this one (merge --allow-missing)".into(),
        );
    }
    // A run that goes on until its map has settled ends where it ends.
    if header.range != range && setup.identity.until.is_none() {
        let (from, to) = header.range;
        return refuse_to_resume(
            out,
            format!("the run in it is to compute trajectories {from} to {to}, this one others"),
        );
    }
    Ok(())
}

fn refuse_to_resume(out: &Path, why: String) -> Result<()> {
    Err(Error::failed(format!(
        "'{}' cannot be resumed: {why}; begin anew with `--overwrite` or choose another folder",
        out.display()
    )))
}
