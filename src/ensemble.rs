//! Fills a store: every planned rock falls, or the parts of a run that were computed elsewhere are joined.
//!
//! Trajectories run on all threads and are kept in order of their number ([`pool`]), so that a run stopped anywhere is
//! a gapless beginning of the whole, which a checkpoint can hold and another run continue. Counting is exact in any order
//! ([`crate::hazard::accumulator`]), so that threads, shards and interruptions leave no trace in the results.

pub mod fall;
mod footprint;
mod live;
mod memory;
mod merge;
mod parts;
pub mod pool;
mod settle;
mod shard;
pub(crate) mod survey;
mod threads;
mod trial;

use std::path::Path;
use std::time::Instant;

use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::project::file::Until;
use crate::release::Release;
use crate::store::layers::LARGE_MAP;
use crate::store::{Fallen, Setup, Source, Store, settled};
use crate::{Error, Note, Result};

pub use memory::refuse_unless_it_fits;
pub(crate) use memory::{of_merge as memory_of_merge, of_parts as memory_of_parts};
pub use merge::{MergePlan, merge, merge_plan, set_up_whole};
pub(crate) use parts::{Part, Pilot};
pub use shard::Shard;
pub(crate) use threads::chosen as chosen_threads;

use fall::Keep;
use live::Live;

/// Lets every rock fall that is not in the store yet, or as many as it takes for the map to settle; returns how long it took, s.
/// `live` is written anew every few seconds: a raster of the rocks that have passed each cell.
///
/// # Errors
/// An interruption is an error, with a sentence that says how to go on; the checkpoint is kept.
pub(crate) fn fill(
    setup: &Setup,
    store: &mut Store,
    threads: usize,
    progress: &Progress,
    live: Option<&Path>,
) -> Result<f64> {
    let started = Instant::now();
    setup.warnings().for_each(|warning| progress.warn(warning));
    let mut filling = Filling { setup, threads, progress, live: live.map(Live::new) };
    match &setup.identity.until {
        None => {
            filling.fill_to(store, store.range().0.1)?;
            note_settled(setup, store)?;
        }
        Some(until) => filling.fill_until(store, until)?,
    }
    // The whole picture, to look at while maps are made.
    filling.live.iter_mut().for_each(|live| live.write(setup, store));
    Ok(started.elapsed().as_secs_f64())
}

/// How far a whole run by rounds has settled, with as many rocks as were asked for.
pub(crate) fn note_settled(setup: &Setup, store: &mut Store) -> Result<()> {
    let ((from, to), _) = store.range();
    let whole = (from, to) == (0, setup.identity.total);
    let cells = setup.site.scene.surface.lattice().len();
    if setup.identity.round.is_some() && whole && store.curve().is_empty() && cells <= LARGE_MAP {
        store.settle()?;
        let point = settle::measure(setup, store, to)?;
        store.add_to_curve(point);
    }
    Ok(())
}

/// What letting rocks fall needs, but for where they go.
struct Filling<'a> {
    setup: &'a Setup<'a>,
    threads: usize,
    progress: &'a Progress,
    live: Option<Live<'a>>,
}

impl Filling<'_> {
    /// Fills up to a trajectory; an interruption is an error.
    fn fill_to(&mut self, store: &mut Store, to: u64) -> Result<()> {
        self.simulate(store, to)?;
        if store.range().1 < to {
            store.save_quickly()?;
            return Err(Error::again(store.stopped()));
        }
        Ok(())
    }

    /// Batch by batch, until the map has settled. Where batches end and whether it has depends on what was counted alone: a run that was
    /// interrupted, or has other threads, ends with the same rocks. Only the clock may end it earlier, and then it says so.
    fn fill_until(&mut self, store: &mut Store, until: &Until) -> Result<()> {
        let (setup, progress) = (self.setup, self.progress);
        let cells = setup.site.scene.surface.lattice().len();
        if cells > LARGE_MAP {
            return Err(Error::input(format!(
                "simulation.until (or --until-stable) compares whole maps, of which a terrain of {cells} cells has none: state how many \
                 rocks are to fall, or settle a part of the terrain first"
            )));
        }
        let started = Instant::now();
        let round = setup.identity.round.unwrap_or(1);
        // What ended in an earlier session has its last point, and a range that ends there.
        let ended = |store: &Store| store.range().0.1 == store.range().1 && store.curve().last().is_some();
        for end in settled::batch_ends(until, round) {
            if store.curve().last().is_some_and(|point| point.is_enough(until)) {
                break;
            }
            if ended(store) || store.curve().iter().any(|point| point.rocks == end) {
                continue;
            }
            self.fill_to(store, end)?;
            store.settle()?;
            progress.stage("settle", 1);
            let point = settle::measure(setup, store, end)?;
            progress.note(&Note::Told { sentence: settle::describe(&point, until) });
            progress.set(1);
            store.add_to_curve(point);
            if point.is_enough(until) || started.elapsed().as_secs_f64() > until.max_hours * 3600.0 {
                break;
            }
        }
        store.end_here();
        Ok(())
    }

    fn simulate(&mut self, store: &mut Store, to: u64) -> Result<()> {
        let (setup, progress, live) = (self.setup, self.progress, &mut self.live);
        let ((from, _), next) = store.range();
        progress.stage("simulate", to - from);
        progress.resume_at(next - from);
        let work = |i: u64| {
            if interrupt::requested() {
                return None;
            }
            let mut release = match setup.plan.get(setup.index(i)) {
                Ok(release) => release,
                Err(error) => return Some(Err(error)),
            };
            // With a limit each rock stands for several: the yearly frequencies of a quick look are right on average.
            // By rounds it is known at the end only, and the counts are weighed then.
            if setup.identity.round.is_none() {
                release.frequency_per_year *= setup.identity.planned as f64 / setup.identity.total as f64;
            }
            let fallen = fall::fall(setup.site, &setup.lines, &release, Keep::of(setup, i))?;
            if let Err(error) = setup.site.is_readable() {
                return Some(Err(error));
            }
            let Release { source_cell: cell, half, reach_weight: weight, .. } = release;
            Some(Ok((fallen, Source { cell, half, weight })))
        };
        let store = std::cell::RefCell::new(store);
        let keep = |i: u64, fallen: Result<(Vec<Fallen>, Source)>| {
            let (fallen, source) = fallen?;
            store.borrow_mut().keep(i, &fallen, source)
        };
        let idle = |next: u64| {
            progress.set(next - from);
            store.borrow_mut().save_now_and_then()?;
            live.iter_mut().for_each(|live| live.write_now_and_then(setup, &mut store.borrow_mut()));
            Ok(!interrupt::requested())
        };
        let pool = match self.threads {
            1 => None,
            _ => crate::process::threads::start(self.threads)
                .map_err(|why| progress.warn(&Note::OneThread { why: why.to_string() }))
                .ok(),
        };
        pool::ordered(pool.as_ref(), next..to, work, keep, idle)?;
        setup.site.is_unchanged()
    }
}
