//! One rock of the ensemble: from its number to everything that is counted and kept of it.

use std::time::Instant;

use nalgebra::Vector3;

use crate::hazard::crossings::LineWatch;
use crate::hazard::impacts::ImpactWatch;
use crate::hazard::lines::LineSet;
use crate::hazard::plausibility::{Signs, Watch};
use crate::hazard::quantity::{PerQuantity, Quantity};
use crate::hazard::traverse::{CellRecorder, Visit};
use crate::process::{interrupt, threads};
use crate::release::Release;
use crate::site::Site;
use crate::store::findings::Exit;
use crate::store::record::TrajectoryRecord;
use crate::store::track::{TrackRecorder, world};
use crate::store::{Fallen, Setup};
use crate::terrain::Lattice;
use crate::trajectory::{self, Action, Observer, Outcome, Sample, StopReason, Touch};

/// Looks for an interruption every so many steps.
const LOOK_UP: u32 = 256;

/// What to keep of a rock's path.
#[derive(Debug, Clone, Copy)]
pub struct Keep {
    /// The line, for files.
    pub track: bool,
    /// How far it may leave the true path.
    pub tolerance_m: f64,
    /// Records at intervals.
    pub points_every_s: Option<f64>,
    /// Its impacts.
    pub impacts: bool,
    /// Give up then, as for an interruption.
    pub until: Option<Patience>,
}

/// How long a rock may take. On a busy machine the clock tells nothing of the rock, and asking for processor time takes longer than a step.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Not before this by the clock, …
    pub clock: Instant,
    /// … nor before its thread has taken so much processor time since it began, s.
    pub processor_s: f64,
}

impl Patience {
    fn is_over(&self) -> bool {
        Instant::now() >= self.clock && threads::processor_time().is_none_or(|taken| taken >= self.processor_s)
    }
}

impl Keep {
    /// What a run keeps of its i-th trajectory.
    pub(crate) fn of(setup: &Setup, i: u64) -> Self {
        let outputs = &setup.site.project.file.outputs;
        let written = setup.is_written(i);
        Self {
            track: written && !outputs.trajectories.is_empty(),
            tolerance_m: outputs.tolerance_m,
            points_every_s: outputs.points_every_s,
            impacts: written && !outputs.impacts.formats().is_empty(),
            until: None,
        }
    }
}

/// Lets a rock fall. With barriers there are two results, with and without them, which differ only if a barrier acts.
/// `None` if the user interrupted or time was up.
pub fn fall(site: &Site, lines: &LineSet, release: &Release, keep: Keep) -> Option<Vec<Fallen>> {
    let (free, barrier_acts) = once(site, lines, release, keep, false)?;
    if !lines.has_barriers() {
        return Some(vec![free]);
    }
    let held = if barrier_acts { once(site, lines, release, keep, true)?.0 } else { free.clone() };
    Some(vec![held, free])
}

fn once(site: &Site, lines: &LineSet, release: &Release, keep: Keep, barriers_act: bool) -> Option<(Fallen, bool)> {
    let mut scene = site.scene.seen_from(&release.frame);
    let start = &release.start.position;
    scene.surface = scene.surface.with_window(start.x, start.y);
    let scene = &scene;
    let (surface, lattice) = (&scene.surface, site.scene.surface.lattice());
    let origin = release.frame.origin();
    let watch = || LineWatch::new(lines, scene, &release.rock, release.number, barriers_act);
    let mut recorder = Recorder {
        cells: CellRecorder::new(scene, &release.rock),
        track: keep.track.then(|| TrackRecorder::new(release.number, origin, keep.tolerance_m, keep.points_every_s)),
        lines: (!lines.is_empty()).then(watch),
        impacts: keep.impacts.then(|| ImpactWatch::new(surface, &release.rock, release.number)),
        odd: Watch::default(),
        in_contact: false,
        steps: 0,
        until: keep.until,
        interrupted: false,
    };
    let outcome = trajectory::simulate(scene, &release.rock, &release.start, &release.scale, &mut recorder);
    if recorder.interrupted {
        return None;
    }
    let end = recorder.cells.whole(&outcome.end);
    let Recorder { cells, track, lines, impacts, odd, .. } = recorder;
    let node = |cell: u64| {
        let (column, row) = surface.cells().node(cell);
        surface.node_height(column as usize, row as usize)
    };
    let (max, visits) = cells.finish(node);
    let mut record = record(release, &outcome, max, origin);
    if outcome.stop == StopReason::Diverged {
        let nothing = (Vec::new(), None, None, Vec::new(), Vec::new(), Vec::new());
        let (visits, deposit, vertices, points, crossings, impacts) = nothing;
        return Some((Fallen { record, visits, deposit, vertices, points, crossings, impacts }, false));
    }
    let on_map = |[x, y]: [f64; 2]| [x + origin.0, y + origin.1];
    let signs = odd.signs();
    record.signs = Signs { contact_at: on_map(signs.contact_at), slow_at: on_map(signs.slow_at), ..signs };
    record.jump_at = highest(&visits, lattice);
    record.exit = Exit::of(&outcome, surface, &site.gaps);
    record.exit_at = outcome.left_at.map_or([0.0; 2], |at| on_map([at.x, at.y]));
    let deposit = surface.cell_below(end.position.x, end.position.y).filter(|_| record.is_deposit());
    let (vertices, points) = match track.map(|track| track.finish(&end)) {
        Some((vertices, points)) => (Some(vertices), points),
        None => (None, Vec::new()),
    };
    let acts = lines.as_ref().is_some_and(|lines| lines.barrier_acts());
    let mut crossings = lines.map_or(Vec::new(), LineWatch::into_crossings);
    crossings.iter_mut().for_each(|crossing| crossing.scenario = release.scenario as u32);
    for crossing in &mut crossings {
        // They are kept relative to the raster.
        crossing.position += Vector3::new(origin.0 - lattice.x0, origin.1 - lattice.y0, 0.0);
    }
    let impacts = impacts.map_or(Vec::new(), |impacts| impacts.finish(origin));
    Some((Fallen { record, visits, deposit, vertices, points, crossings, impacts }, acts))
}

/// The centre of the cell with the highest jump, the first of several; world coordinates.
fn highest(visits: &[Visit], lattice: &Lattice) -> [f64; 2] {
    let jump = |visit: &Visit| visit.values[Quantity::JumpHeight];
    let higher = |best: Option<&'_ Visit>, visit| best.is_none_or(|best| jump(visit) > jump(best));
    let best = visits.iter().fold(None, |best, visit| if higher(best, visit) { Some(visit) } else { best });
    best.map_or([0.0; 2], |visit| {
        let (column, row) = (visit.cell as usize % lattice.nx, visit.cell as usize / lattice.nx);
        [lattice.x0 + column as f64 * lattice.dx, lattice.y0 + row as f64 * lattice.dy]
    })
}

fn record(release: &Release, outcome: &Outcome, max: PerQuantity<f32>, origin: (f64, f64)) -> TrajectoryRecord {
    let mut start = release.start.position;
    start.z += outcome.lifted_m;
    TrajectoryRecord {
        number: release.number,
        layer: release.layer as u32,
        feature: release.feature,
        scenario: release.scenario as u32,
        shape: release.rock_name.clone(),
        mass_kg: release.rock.mass_kg,
        volume_m3: release.rock.volume_m3,
        max,
        start: world(&start, origin),
        end: world(&outcome.end.position, origin),
        stop: outcome.stop,
        time_s: outcome.end.time_s,
        steps: outcome.steps,
        path_m: outcome.distance_m,
        lifted_m: outcome.lifted_m,
        solver: outcome.solver,
        frequency_per_year: release.frequency_per_year,
        signs: Signs { contact_m_s: 0.0, contact_at: [0.0; 2], slow_s: 0.0, slow_at: [0.0; 2] },
        jump_at: [0.0; 2],
        exit: Exit::None,
        exit_at: [0.0; 2],
    }
}

/// Sees every step: cells, track, lines, and the user's wish to stop.
struct Recorder<'a> {
    cells: CellRecorder<'a>,
    track: Option<TrackRecorder>,
    lines: Option<LineWatch<'a>>,
    impacts: Option<ImpactWatch<'a>>,
    odd: Watch,
    /// Whether the ground presses the rock in the step seen next.
    in_contact: bool,
    steps: u32,
    until: Option<Patience>,
    interrupted: bool,
}

impl Recorder<'_> {
    fn must_end(&self) -> bool {
        interrupt::requested() || self.until.is_some_and(|patience| patience.is_over())
    }
}

impl Observer for Recorder<'_> {
    fn start(&mut self, sample: &Sample) {
        self.cells.start(sample);
        if let Some(track) = &mut self.track {
            track.start(sample);
        }
        if let Some(lines) = &mut self.lines {
            lines.start(sample);
        }
    }

    #[inline]
    fn enough_m(&self, position: &Vector3<f64>) -> f64 {
        self.cells.enough_m(position)
    }

    #[inline]
    fn ground(&mut self, touch: Touch) {
        self.in_contact = touch.is_contact();
        if let Some(impacts) = &mut self.impacts {
            impacts.ground(touch);
        }
    }

    #[inline]
    fn step(&mut self, before: &Sample, after: &Sample) -> Action {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(LOOK_UP) && self.must_end() {
            self.interrupted = true;
            return Action::Stop;
        }
        self.cells.step(before, after);
        self.odd.step(before, after, self.in_contact);
        if let Some(impacts) = &mut self.impacts {
            impacts.step(before, after);
        }
        if let Some(track) = &mut self.track {
            track.step(after, |sample| self.cells.whole(sample));
        }
        match &mut self.lines {
            Some(lines) => lines.step(before, after),
            None => Action::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A rock was given up after five seconds in which it had hardly been computed, and `check` said that it took as long.
    #[cfg(unix)]
    #[test]
    fn the_clock_alone_ends_no_rock() {
        let (now, later) = (Instant::now(), Instant::now() + Duration::from_secs(3600));
        let is_over = |clock: Instant, processor_s: f64| Patience { clock, processor_s }.is_over();
        assert!(is_over(now, 0.0));
        assert!(!is_over(now, 1e9) && !is_over(later, 0.0));
    }
}
