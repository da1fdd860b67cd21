//! A few rocks of a run let fall beforehand: what they take tells what the run will.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::fall::{self, Keep, Patience};
use super::footprint::Footprint;
use super::memory;
use crate::Result;
use crate::process::threads;
use crate::store::Setup;
use crate::store::findings::{Finder, Findings};
use crate::store::layers::{LARGE_MAP, SMALL_LATTICE};

/// At most this many rocks, spread over all releases so that every layer has its say, …
const SAMPLES: u64 = 200;
/// … no new one after this long if there are some, …
const SAMPLE_TIME: Duration = Duration::from_millis(1200);
const SOME: u64 = 12;
/// … and all of them ended after a thread computed this long: a time step of a microsecond takes hours for one rock.
const LONGEST: Duration = Duration::from_millis(5000);

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trial {
    /// Rocks that came to their end.
    pub trajectories: u64,
    seconds: f64,
    /// Rocks that were stopped on the way: the times are smallest ones then.
    cut: u64,
    /// What writing a record along a rock's path takes, s.
    per_point_s: f64,
    /// Rocks that are written to files.
    written: u64,
    /// What layers, maps and report take, s: of one thread, and of all together.
    outputs_s: [f64; 2],
    /// Cells passed, records along paths, crossings of lines.
    pub footprint: Footprint,
    pub smallest_rock_m: f64,
    /// What is out of the ordinary with these rocks.
    pub findings: Findings,
}

/// What writing a record along a path takes in all formats, s: measured on 200,000 records.
fn per_point_s(setup: &Setup) -> f64 {
    let outputs = &setup.site.project.file.outputs;
    let format = |name: &String| if name == "geopackage" { 10.5e-6 } else { 6.7e-6 };
    if outputs.points_every_s.is_some() { outputs.trajectories.iter().map(format).sum() } else { 0.0 }
}

/// What layers, maps and report take, s, measured a raster and cell; rasters of small maps are written side by side, those of large ones leave most of their cells out.
fn outputs_s(setup: &Setup) -> [f64; 2] {
    const REPORT_S: f64 = 0.7;
    const PER_CELL_S: f64 = 35e-9;
    const PER_CELL_OF_LARGE_S: f64 = 2.1e-9;
    const PER_CELL_DRAWN_S: f64 = 60e-9;
    let cells = setup.site.scene.surface.lattice().len();
    let all = rasters(setup) as f64 * cells as f64;
    // Maps are drawn on all of the terrain, which is read once more for them.
    let on_demand = setup.site.scene.surface.blocks().is_some();
    let drawn = if on_demand { memory::cells_with_heights(setup.site) * PER_CELL_DRAWN_S } else { 0.0 };
    match cells {
        _ if cells > LARGE_MAP => [REPORT_S + drawn + all * PER_CELL_OF_LARGE_S, 0.0],
        _ if cells > SMALL_LATTICE => [REPORT_S + drawn + all * PER_CELL_S, 0.0],
        _ => [REPORT_S, all * PER_CELL_S],
    }
}

/// Rasters a run writes.
fn rasters(setup: &Setup) -> usize {
    let scenarios = setup.plan.scenarios.len();
    let several = usize::from(scenarios > 1);
    let pooled = usize::from(setup.site.project.file.statistics.pooled);
    let sets = if several == 1 { scenarios + pooled } else { 1 };
    let squares = &setup.wanted.squares;
    let years = if squares.frequency { 1 + squares.energies_kj.len() } else { 0 };
    let of_widths = setup.shown_widths_m.len() * (1 + years);
    let by_year = (scenarios + several) * (setup.wanted.energies_kj.len() + of_widths);
    let classified = if setup.scheme.is_some() { scenarios + 2 } else { 0 };
    let variants = if setup.lines.has_barriers() { 2 } else { 1 };
    variants * (sets * setup.layers.len() + by_year + classified)
}

impl Trial {
    pub(crate) fn of(setup: &Setup) -> Result<Self> {
        let (plan, total) = (&setup.plan, setup.identity.total);
        let count = total.min(SAMPLES);
        let nx = setup.site.scene.surface.lattice().nx;
        let mut trial = Self {
            trajectories: 0,
            seconds: 0.0,
            cut: 0,
            per_point_s: per_point_s(setup),
            written: setup.written(),
            outputs_s: outputs_s(setup),
            footprint: Footprint::default(),
            smallest_rock_m: f64::INFINITY,
            findings: Findings::default(),
        };
        let outputs = &setup.site.project.file.outputs;
        let mut finder = Finder::default();
        let begun = Instant::now();
        let pool = threads::start(threads::cores()).ok();
        // Workers begin with the pool, this thread has been at work before.
        let taken = if pool.is_some() { 0.0 } else { threads::processor_time().unwrap_or(0.0) };
        let until = Patience { clock: begun + LONGEST, processor_s: taken + LONGEST.as_secs_f64() };
        let keep = Keep {
            track: outputs.points_every_s.is_some(),
            tolerance_m: 0.0,
            points_every_s: outputs.points_every_s,
            impacts: false,
            until: Some(until),
        };
        let one = |k: &u64| {
            let release = plan.get((2 * k + 1) * plan.len() / (2 * count))?;
            // Of this thread alone, whatever else the machine does.
            let (then, wall) = (threads::processor_time(), Instant::now());
            let fallen = fall::fall(setup.site, &setup.lines, &release, keep);
            let took =
                threads::processor_time().zip(then).map_or(wall.elapsed().as_secs_f64(), |(now, then)| now - then);
            setup.site.is_readable()?;
            Ok((fallen, took))
        };
        for k in 0..count {
            let release = plan.get((2 * k + 1) * plan.len() / (2 * count))?;
            trial.smallest_rock_m = trial.smallest_rock_m.min(2.0 * release.rock.bounding_radius);
        }
        for some in spread(count).chunks(threads::cores().max(1)) {
            if trial.cut > 0 || begun.elapsed() > SAMPLE_TIME && trial.trajectories >= SOME {
                break;
            }
            let found = match &pool {
                Some(pool) => pool.install(|| some.par_iter().map(one).collect::<Result<Vec<_>>>())?,
                None => some.iter().map(one).collect::<Result<_>>()?,
            };
            for (fallen, took) in found {
                trial.seconds += took;
                let Some(fallen) = fallen else {
                    trial.cut += 1;
                    continue;
                };
                trial.trajectories += 1;
                // The slope as it is comes last.
                fallen.last().into_iter().for_each(|free| finder.add(&free.record));
                trial.footprint = trial.footprint.and(Footprint::of(&fallen, nx));
            }
        }
        trial.findings = finder.found();
        Ok(trial)
    }

    /// Time of a run of so many rocks, s.
    pub(crate) fn time_s(&self, rocks: u64, threads: usize) -> f64 {
        let one = self.seconds / (self.trajectories + self.cut).max(1) as f64;
        // One thread writes a file.
        let points = self.footprint.points_per_rock() * self.written.min(rocks) as f64 * self.per_point_s;
        let [alone, shared] = self.outputs_s;
        one * rocks as f64 / threads as f64 + points + alone + shared / threads as f64
    }

    /// What the numbers rest on.
    pub(crate) fn basis(&self, threads: usize) -> String {
        if self.cut > 0 {
            let limit = LONGEST.as_secs_f64();
            return format!(
                "at least: a rock of this project was still on its way after {limit} s of computing; look at \
                 simulation.time_step_s and stop; {threads} threads"
            );
        }
        format!("measured on {} trajectories of this project, {threads} threads", self.trajectories)
    }
}

/// The numbers below `count` in an order of which every beginning is spread over all (by the bits of a counter from the lowest up; van der Corput 1935).
fn spread(count: u64) -> Vec<u64> {
    let bits = count.next_power_of_two().trailing_zeros();
    let turned = |k: u64| if bits == 0 { 0 } else { k.reverse_bits() >> (64 - bits) };
    (0..1 << bits).map(turned).filter(|&k| k < count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_beginning_is_spread_over_all() {
        for count in [1, 2, 3, 7, 40] {
            let mut all = spread(count);
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
        let first = &spread(40)[..6];
        for quarter in 0..4 {
            assert!(first.iter().any(|k| k / 10 == quarter), "{first:?}");
        }
    }
}
