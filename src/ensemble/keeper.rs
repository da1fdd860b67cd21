//! Takes fallen rocks in order, counts them, streams them to logs, and saves checkpoints.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::ensemble::fall::Fallen;
use crate::hazard::accumulator::{Accumulator, Passage};
use crate::interrupt;
use crate::output::record::{Log, LogFile};
use crate::output::run_folder::{LOGS, RunFolder};
use crate::output::state_file::State;
use crate::output::tracks::Track;
use crate::trajectory::StopReason;
use crate::{Error, Result};

/// Saving may take one part in this many of the time.
const SAVING_SHARE: u32 = 20;
/// A state that takes longer to save than this is not saved again for an interruption: the user waits a second at most.
const QUICK: Duration = Duration::from_millis(400);

pub struct Keeper {
    pub folder: RunFolder,
    pub state: State,
    /// By variant, in the order of [`LOGS`].
    logs: Vec<Vec<Log>>,
    every: Duration,
    saved: Instant,
    saving_took: Duration,
    /// The first trajectory that is not in the last checkpoint.
    saved_next: u64,
    buffer: Vec<u8>,
}

impl Keeper {
    /// Opens the logs, cut back to what the state has seen.
    pub fn open(folder: RunFolder, state: State, every: Duration) -> Result<Self> {
        let mut logs = Vec::new();
        for (index, variant) in state.header.variants.iter().enumerate() {
            let seen = |log: usize| state.header.logs.get(index).and_then(|l| l.get(log)).cloned().unwrap_or_default();
            let open = |(i, name): (usize, &&str)| Log::open(&folder.log_path(variant.as_deref(), name), &seen(i));
            logs.push(LOGS.iter().enumerate().map(open).collect::<Result<Vec<_>>>()?);
        }
        let (saved, saving_took, saved_next) = (Instant::now(), Duration::ZERO, state.header.next);
        Ok(Self { folder, state, logs, every, saved, saving_took, saved_next, buffer: Vec::new() })
    }

    /// Counts one rock, all its variants.
    pub fn keep(&mut self, index: u64, rock: &[Fallen], source_cell: u32) -> Result<()> {
        if index != self.state.header.next {
            return Err(Error::failed(
                "trajectories came out of order: this is a mistake in couloir, please report it",
            ));
        }
        for (variant, fallen) in rock.iter().enumerate() {
            let record = &fallen.record;
            let logs = &mut self.logs[variant];
            let mut append = |log: usize, encode: &mut dyn FnMut(&mut Vec<u8>)| {
                self.buffer.clear();
                encode(&mut self.buffer);
                logs[log].append(&self.buffer)
            };
            append(0, &mut |out| record.encode(out))?;
            if record.stop == StopReason::Diverged {
                continue;
            }
            if let Some(vertices) = &fallen.vertices {
                append(1, &mut |out| Track::encode(record, vertices, out))?;
            }
            append(2, &mut |out| fallen.points.iter().for_each(|point| point.encode(out)))?;
            append(3, &mut |out| {
                for crossing in &fallen.crossings {
                    let start = out.len();
                    out.extend([0; 8]);
                    crossing.encode(out);
                    let length = (out.len() - start - 8) as u64;
                    out[start..start + 8].copy_from_slice(&length.to_le_bytes());
                }
            })?;
            self.state.accumulators[variant][record.scenario as usize].add(&Passage {
                visits: &fallen.visits,
                source_cell,
                deposit: fallen.deposit,
                frequency_per_year: record.frequency_per_year,
            });
        }
        self.state.header.next += 1;
        Ok(())
    }

    /// Saves if it is time to.
    pub fn save_now_and_then(&mut self) -> Result<()> {
        if self.saved.elapsed() < self.every.max(self.saving_took * SAVING_SHARE) {
            return Ok(());
        }
        // The last checkpoint stays whole until the new one is: a long save need not hold up an interruption.
        let _end = (self.saving_took > QUICK).then(|| interrupt::end_at_once_with(self.stopped()));
        self.save()
    }

    /// Saves for an interruption, unless that takes too long and an earlier checkpoint must do.
    pub fn save_quickly(&mut self) -> Result<()> {
        if self.saving_took > QUICK { Ok(()) } else { self.save() }
    }

    /// What to tell the user after an interruption.
    pub fn stopped(&self) -> String {
        let (from, to) = self.state.header.range;
        format!(
            "stopped; {} of {} trajectories are kept in '{}': continue with the same command and `--resume`",
            self.saved_next - from,
            to - from,
            self.folder.path.display()
        )
    }

    /// Saves everything counted so far.
    pub fn save(&mut self) -> Result<()> {
        let started = Instant::now();
        self.settle()?;
        self.store()?;
        (self.saved, self.saving_took, self.saved_next) = (Instant::now(), started.elapsed(), self.state.header.next);
        Ok(())
    }

    /// Brings everything counted so far into the form in which it is read and stored.
    pub fn settle(&mut self) -> Result<()> {
        let sums = |logs: &mut Vec<Log>| logs.iter_mut().map(Log::flush).collect::<Result<Vec<_>>>();
        self.state.header.logs = self.logs.iter_mut().map(sums).collect::<Result<_>>()?;
        self.state.accumulators.par_iter_mut().flatten().for_each(Accumulator::settle);
        Ok(())
    }

    /// Brings what is settled to the disk: logs first, then the state that refers to them.
    pub fn store(&self) -> Result<()> {
        self.logs.iter().flatten().try_for_each(Log::sync)?;
        self.state.save(&self.folder.state_path())
    }

    /// Adds a whole part that has been counted elsewhere.
    pub fn append(&mut self, part: &State, log: impl Fn(usize, usize) -> LogFile) -> Result<()> {
        for (variant, logs) in self.logs.iter_mut().enumerate() {
            for (index, target) in logs.iter_mut().enumerate() {
                let log = log(variant, index);
                log.check()?;
                log.append_to(target)?;
            }
            for (mine, theirs) in self.state.accumulators[variant].iter_mut().zip(&part.accumulators[variant]) {
                mine.merge(theirs)?;
            }
        }
        self.state.header.next = part.header.range.1;
        Ok(())
    }

    pub fn log_file(&self, variant: usize, log: usize) -> LogFile {
        let path = self.folder.log_path(self.state.header.variants[variant].as_deref(), LOGS[log]);
        LogFile { path, sum: self.state.header.logs[variant][log].clone() }
    }
}
