//! Fills a store: every planned rock falls, or the parts of a run that were computed elsewhere are joined.
//!
//! Trajectories run on all threads and are kept in order of their number ([`pool`]), so that a run stopped anywhere is
//! a gapless beginning of the whole, which a checkpoint can hold and another run continue. Counting is exact in any order
//! ([`crate::hazard::accumulator`]), so that threads, shards and interruptions leave no trace in the results.

pub mod fall;
mod memory;
mod merge;
pub mod pool;
mod shard;
pub(crate) mod survey;
mod threads;
mod trial;

use std::time::Instant;

use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::store::{Fallen, Setup, Store};
use crate::{Error, Note, Result};

pub use memory::refuse_unless_it_fits;
pub use merge::{MergePlan, merge, merge_plan, set_up_whole};
pub use shard::Shard;
pub(crate) use threads::chosen as chosen_threads;

use fall::Keep;

/// Lets every rock fall that is not in the store yet; returns how long it took, s.
///
/// # Errors
/// An interruption is an error, with a sentence that says how to go on; the checkpoint is kept.
pub(crate) fn fill(setup: &Setup, store: &mut Store, threads: usize, progress: &Progress) -> Result<f64> {
    let started = Instant::now();
    simulate(setup, store, threads, progress)?;
    let ((_, to), next) = store.range();
    if next < to {
        store.save_quickly()?;
        return Err(Error::failed(store.stopped()));
    }
    Ok(started.elapsed().as_secs_f64())
}

fn simulate(setup: &Setup, store: &mut Store, threads: usize, progress: &Progress) -> Result<()> {
    let outputs = &setup.site.project.file.outputs;
    let ((from, to), next) = store.range();
    progress.stage("simulate", to - from);
    progress.resume_at(next - from);
    setup.warnings().for_each(|warning| progress.warn(warning));
    let work = |i: u64| {
        if interrupt::requested() {
            return None;
        }
        let mut release = match setup.plan.get(setup.number(i)) {
            Ok(release) => release,
            Err(error) => return Some(Err(error)),
        };
        // With a limit each rock stands for several: the yearly frequencies of a quick look are right on average.
        release.frequency_per_year *= setup.identity.planned as f64 / setup.identity.total as f64;
        let keep = Keep {
            track: setup.is_written(i) && !outputs.trajectories.is_empty(),
            tolerance_m: outputs.tolerance_m,
            points_every_s: outputs.points_every_s,
            impacts: setup.is_written(i) && !outputs.impacts.formats().is_empty(),
            until: None,
        };
        let fallen = fall::fall(setup.site, &setup.lines, &release, keep)?;
        Some(Ok((fallen, release.source_cell)))
    };
    let store = std::cell::RefCell::new(store);
    let keep = |i: u64, fallen: Result<(Vec<Fallen>, u32)>| {
        let (fallen, source_cell) = fallen?;
        store.borrow_mut().keep(i, &fallen, source_cell)
    };
    let idle = |next: u64| {
        progress.set(next - from);
        store.borrow_mut().save_now_and_then()?;
        Ok(!interrupt::requested())
    };
    let pool = match threads {
        1 => None,
        _ => crate::process::threads::start(threads)
            .map_err(|why| progress.warn(&Note::OneThread { why: why.to_string() }))
            .ok(),
    };
    pool::ordered(pool.as_ref(), next..to, work, keep, idle)?;
    Ok(())
}
