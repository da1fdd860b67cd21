//! A few rocks of a run let fall beforehand: what they take tells what the run will.

use std::time::{Duration, Instant};

use super::fall::{self, Keep};
use crate::Result;
use crate::store::Setup;
use crate::store::findings::{Finder, Findings};

/// At most this many rocks, spread over all releases so that every layer has its say, …
const SAMPLES: u64 = 40;
/// … no new one after this long, …
const SAMPLE_TIME: Duration = Duration::from_millis(700);
/// … and all of them ended after this long: a time step of a microsecond takes hours for one rock.
const LONGEST: Duration = Duration::from_millis(2500);

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trial {
    /// Rocks that came to their end.
    pub trajectories: u64,
    seconds: f64,
    /// Whether a rock was stopped on the way: the times are smallest ones then.
    cut: bool,
    /// Trajectories of the whole run.
    total: u64,
    /// Records along a rock's path that is written to files, and what writing one takes, s.
    points_per_rock: f64,
    per_point_s: f64,
    /// Rocks that are written to files.
    written: u64,
    /// Cells passed per rock, and crossings of lines.
    pub cells_per_rock: f64,
    pub crossings_per_rock: f64,
    /// Cells of the rectangle around all that was passed.
    pub reached_cells: f64,
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

impl Trial {
    pub(crate) fn of(setup: &Setup) -> Result<Self> {
        let (plan, total) = (&setup.plan, setup.identity.total);
        let count = total.min(SAMPLES);
        let nx = setup.site.scene.surface.lattice().nx;
        let mut trial = Self {
            trajectories: 0,
            seconds: 0.0,
            cut: false,
            total,
            points_per_rock: 0.0,
            per_point_s: per_point_s(setup),
            written: setup.written(),
            cells_per_rock: 0.0,
            crossings_per_rock: 0.0,
            reached_cells: 0.0,
            smallest_rock_m: f64::INFINITY,
            findings: Findings::default(),
        };
        let outputs = &setup.site.project.file.outputs;
        let mut finder = Finder::default();
        let (mut columns, mut rows) = ((usize::MAX, 0), (usize::MAX, 0));
        let begun = Instant::now();
        for k in 0..count {
            let release = plan.get((2 * k + 1) * plan.len() / (2 * count))?;
            trial.smallest_rock_m = trial.smallest_rock_m.min(2.0 * release.rock.bounding_radius);
            if trial.cut || begun.elapsed() > SAMPLE_TIME {
                continue;
            }
            let until = Some(begun + LONGEST);
            let keep = Keep {
                track: outputs.points_every_s.is_some(),
                tolerance_m: 0.0,
                points_every_s: outputs.points_every_s,
                impacts: false,
                until,
            };
            let start = Instant::now();
            let Some(fallen) = fall::fall(setup.site, &setup.lines, &release, keep) else {
                trial.cut = true;
                continue;
            };
            setup.site.is_readable()?;
            trial.seconds += start.elapsed().as_secs_f64();
            trial.trajectories += 1;
            // The slope as it is comes last.
            fallen.last().into_iter().for_each(|free| finder.add(&free.record));
            for rock in &fallen {
                trial.points_per_rock += rock.points.len() as f64;
                trial.cells_per_rock += rock.visits.len() as f64;
                trial.crossings_per_rock += rock.crossings.len() as f64;
                for cell in rock.visits.iter().map(|visit| visit.cell as usize) {
                    columns = (columns.0.min(cell % nx), columns.1.max(cell % nx + 1));
                    rows = (rows.0.min(cell / nx), rows.1.max(cell / nx + 1));
                }
            }
        }
        trial.findings = finder.found();
        let samples = trial.trajectories.max(1) as f64;
        trial.points_per_rock /= samples;
        trial.cells_per_rock /= samples;
        trial.crossings_per_rock /= samples;
        trial.reached_cells = columns.1.saturating_sub(columns.0) as f64 * rows.1.saturating_sub(rows.0) as f64;
        Ok(trial)
    }

    /// Time of the run, s.
    pub(crate) fn time_s(&self, threads: usize) -> f64 {
        let one = match self.cut {
            true => LONGEST.as_secs_f64(),
            false => self.seconds / self.trajectories.max(1) as f64,
        };
        // One thread writes a file.
        let points = self.points_per_rock * self.written as f64 * self.per_point_s;
        one * self.total as f64 / threads as f64 + points
    }

    /// What the numbers rest on.
    pub(crate) fn basis(&self, threads: usize) -> String {
        if self.cut {
            let limit = LONGEST.as_secs_f64();
            return format!(
                "at least: a rock of this project was still on its way after {limit} s of computing; look at \
                 simulation.time_step_s and stop; {threads} threads"
            );
        }
        format!("measured on {} trajectories of this project, {threads} threads", self.trajectories)
    }
}
