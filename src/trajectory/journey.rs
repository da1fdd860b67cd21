//! What is told of a rock on its way, and when the way ends.

use super::stillness::Stillness;
use super::{Action, Observer, Outcome, Sample, SolverCounts, Start, StopReason, Touch, Traced};
use crate::dynamics::{Fall, Scene, StepInfo};
use crate::terrain::Where;

/// A total energy that has grown by more than this share of all the energy the rock ever had is a run-away.
const RUN_AWAY: f64 = 0.05;

/// A trajectory from its start to where it is now.
pub(super) struct Journey<'a, O, R> {
    pub outcome: Outcome,
    now: Sample,
    watch: EnergyWatch,
    stillness: Stillness,
    observer: &'a mut O,
    record: R,
}

impl<'a, O: Observer, R: FnMut(&Traced<'_>)> Journey<'a, O, R> {
    /// Sets the rock onto the ground if it starts below it.
    pub(super) fn begin(fall: &mut Fall, observer: &'a mut O, record: R) -> Self {
        let (lifted_m, clearance) = fall.begin();
        let now = sample(fall, 0.0, clearance);
        let outcome = Outcome {
            stop: StopReason::MaxTime,
            end: now,
            steps: 0,
            distance_m: 0.0,
            lifted_m,
            solver: SolverCounts::default(),
            left_at: None,
        };
        Self { outcome, now, watch: EnergyWatch::new(fall), stillness: Stillness::default(), observer, record }
    }

    /// Shows the start.
    pub(super) fn set_out(&mut self, fall: &Fall) {
        self.observer.start(&self.now);
        (self.record)(&Traced { sample: &self.now, fall, step: None });
    }

    /// How many time steps may be taken as one without missing the end.
    pub(super) fn most_steps(&self, scene: &Scene) -> u64 {
        let until = |instant_s: f64| rounded_up((instant_s - self.now.time_s) / scene.time_step_s - 1e-6).max(1);
        let until_rest = self.stillness.instant(&scene.stop).map_or(u64::MAX, until);
        until_rest.min(until(last_instant(scene)))
    }

    /// Takes note of what `steps` time steps have made of the rock; false if they were its last.
    #[inline(always)]
    pub(super) fn goes_on(&mut self, fall: &mut Fall, steps: u64, info: &StepInfo) -> bool {
        self.outcome.steps += steps;
        self.outcome.solver.count(info);
        if !fall.body.is_finite() || self.watch.runs_away(fall) {
            return self.ends(StopReason::Diverged);
        }
        if !self.has_ground(fall) {
            return false;
        }
        let clearance = if info.pressed > 0 {
            0.0
        } else {
            let enough = self.observer.enough_m(&fall.body.position);
            fall.jump_height(info.clearance_m, enough)
        };
        let mut after = sample(fall, self.now.time_s + info.duration_s, clearance);
        after.airborne = info.pressed == 0 && info.clearance_m > 0.0 && info.clearance_m.is_finite();
        self.outcome.distance_m += (after.position - self.now.position).xy().norm();
        (self.record)(&Traced { sample: &after, fall, step: Some(info) });
        self.observer.ground(Touch { pressed: info.pressed > 0, scar_depth_m: fall.body.scar_depth });
        let action = self.observer.step(&self.now, &after);
        self.now = after;
        self.outcome.end = after;
        match action {
            Action::Continue => {}
            Action::Stop => return self.ends(StopReason::Barrier),
            Action::Scale(factor) => self.slow_down(fall, factor),
        }
        let stop = &fall.scene.stop;
        if self.now.time_s >= last_instant(fall.scene) {
            self.ends(StopReason::MaxTime)
        } else if stop.max_distance_m.is_some_and(|limit| self.outcome.distance_m >= limit) {
            self.ends(StopReason::MaxDistance)
        } else if self.stillness.reached(stop, fall.rock.mass_kg, &self.now) {
            self.ends(StopReason::AtRest)
        } else {
            true
        }
    }

    /// Whether there is terrain below the centre of mass; if not the journey ends.
    #[inline(always)]
    pub(super) fn has_ground(&mut self, fall: &Fall) -> bool {
        fall.is_over_known_ground() || self.finds_ground(fall)
    }

    #[cold]
    fn finds_ground(&mut self, fall: &Fall) -> bool {
        let stop = match fall.scene.surface.locate(fall.body.position.x, fall.body.position.y) {
            Where::OnTerrain => return true,
            Where::Nodata => StopReason::Nodata,
            Where::Outside => StopReason::LeftTerrain,
        };
        self.outcome.left_at = Some(fall.body.position);
        self.ends(stop)
    }

    /// Whether the start is one that can be computed; if not the journey ends.
    pub(super) fn is_sound(&mut self, fall: &Fall, start: &Start) -> bool {
        let sound = fall.body.is_finite() && start.orientation.norm_squared() >= 0.5;
        sound || self.ends(StopReason::Diverged)
    }

    fn ends(&mut self, stop: StopReason) -> bool {
        self.outcome.stop = stop;
        false
    }

    /// The next step begins with what a barrier has left.
    fn slow_down(&mut self, fall: &mut Fall, factor: f64) {
        fall.body.velocity *= factor;
        fall.body.omega *= factor;
        self.now.velocity = fall.body.velocity;
        self.now.omega = fall.body.omega;
        self.now.kinetic_energy_j = fall.body.kinetic_energy(fall.rock);
        self.watch.reference = fall.energy();
    }
}

/// Like `ceil`, which is a call where the processor's own instruction may not be used; 0 of what is negative.
#[inline(always)]
fn rounded_up(x: f64) -> u64 {
    let whole = x as i64;
    whole.saturating_add(i64::from((whole as f64) < x)).max(0) as u64
}

fn last_instant(scene: &Scene) -> f64 {
    scene.stop.max_time_s - 0.5 * scene.time_step_s
}

fn sample(fall: &Fall, time_s: f64, clearance: f64) -> Sample {
    let body = &fall.body;
    Sample {
        time_s,
        position: body.position,
        orientation: body.orientation,
        velocity: body.velocity,
        omega: body.omega,
        kinetic_energy_j: body.kinetic_energy(fall.rock),
        // Half over the edge of the terrain there may be no ground below any vertex.
        jump_height_m: if clearance.is_finite() { clearance.max(0.0) } else { 0.0 },
        airborne: false,
    }
}

/// Total energy may only fall (but for the discretisation's allowance, see `dynamics::step`); growth means the
/// computation has gone astray.
struct EnergyWatch {
    reference: f64,
    slack: f64,
    /// Restitution laws without their guard do gain energy, and the user asked for it.
    off: bool,
}

impl EnergyWatch {
    fn new(fall: &Fall) -> Self {
        Self {
            reference: fall.energy(),
            slack: fall.weight() * fall.rock.bounding_radius,
            off: fall.scene.contact.follows_restitution_laws() && !fall.scene.restitution.energy_guard,
        }
    }

    /// Energies are measured from the rock's present height: the zero of heights must not matter.
    fn runs_away(&self, fall: &Fall) -> bool {
        let available = self.reference - fall.weight() * fall.body.position.z;
        !self.off && fall.energy() > self.reference + RUN_AWAY * available.max(0.0) + self.slack
    }
}

impl SolverCounts {
    fn count(&mut self, info: &StepInfo) {
        if let Some(status) = &info.solver {
            self.solves += 1;
            self.not_converged += u64::from(!status.converged);
        }
        self.restitution_reduced += u64::from(info.restitution_reduced);
        self.pushed_out += u64::from(info.pushed_out_m > 0.0);
    }
}
