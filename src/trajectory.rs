//! Steps until a stop reason; what an observer sees on the way.
//!
//! Coordinates are local: x, y relative to the terrain's node (0, 0), z the true height; add the lattice's x0, y0 for
//! world coordinates.

mod stillness;
pub mod table;

use nalgebra::{UnitQuaternion, Vector3};

use self::stillness::Stillness;
use crate::dynamics::rocfall::motion::Mover;
use crate::dynamics::{Body, ContactModel, Scene, StepInfo, Workspace, flight, glide, rest, substeps};
use crate::rock::Rock;
use crate::terrain::{GroundScale, Where};

pub use crate::dynamics::Start;

/// What is known of the rock at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    pub time_s: f64,
    pub position: Vector3<f64>,
    pub orientation: UnitQuaternion<f64>,
    pub velocity: Vector3<f64>,
    /// Angular velocity in K, rad/s.
    pub omega: Vector3<f64>,
    /// Translational plus rotational, J.
    pub kinetic_energy_j: f64,
    /// Smallest vertical distance between the rock and the ground, m; 0 in contact. This is the jump height.
    pub jump_height_m: f64,
}

/// What became of a rock.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub stop: StopReason,
    /// The last state; of a diverged rock the last one that was still sound.
    pub end: Sample,
    pub steps: u64,
    /// Length of the path's horizontal projection, m.
    pub distance_m: f64,
    /// How far a release below ground was lifted, m; 0 if it was not.
    pub lifted_m: f64,
    pub solver: SolverCounts,
}

/// How the contact solver fared over a trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SolverCounts {
    /// Steps with contact.
    pub solves: u64,
    /// Of these, steps that did not converge.
    pub not_converged: u64,
    /// Steps where restitution was reduced because it would have added energy.
    pub restitution_reduced: u64,
    /// Steps after which the rock was pushed out of the ground.
    pub pushed_out: u64,
}

/// Why a trajectory ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StopReason {
    AtRest,
    LeftTerrain,
    Nodata,
    MaxTime,
    MaxDistance,
    Barrier,
    /// The state became non-finite or ran away; reported for replay, never part of a statistic.
    Diverged,
}

/// What an observer wants to happen after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    Continue,
    /// Stopped by a barrier.
    Stop,
    /// Scale velocity and spin by this factor (energy taken out by a barrier).
    Scale(f64),
}

/// Sees every solver step of a trajectory, in order.
pub trait Observer {
    fn start(&mut self, _sample: &Sample) {}
    fn step(&mut self, before: &Sample, after: &Sample) -> Action;
}

/// A total energy that has grown by more than this share of all the energy the rock ever had is a run-away.
const RUN_AWAY: f64 = 0.05;

/// Follows one rock from its start to its end. The observer sees every step of a sound trajectory.
pub fn simulate(
    scene: &Scene,
    rock: &Rock,
    start: &Start,
    scale: &GroundScale,
    observer: &mut impl Observer,
) -> Outcome {
    follow::<false>(scene, rock, start, scale, observer, |_| {})
}

/// Everything known after a step, for a trace.
pub struct Traced<'a> {
    pub sample: &'a Sample,
    pub body: &'a Body,
    /// `None` at the start.
    pub step: Option<&'a StepInfo>,
    pub workspace: &'a Workspace,
}

/// [`simulate`] without an observer, with the full state after every step, the start first.
pub fn trace(
    scene: &Scene,
    rock: &Rock,
    start: &Start,
    scale: &GroundScale,
    record: impl FnMut(&Traced<'_>),
) -> Outcome {
    follow::<true>(scene, rock, start, scale, &mut Unobserved, record)
}

/// Lets every rock pass.
pub struct Unobserved;

impl Observer for Unobserved {
    fn step(&mut self, _before: &Sample, _after: &Sample) -> Action {
        Action::Continue
    }
}

fn follow<const BALANCE: bool>(
    scene: &Scene,
    rock: &Rock,
    start: &Start,
    scale: &GroundScale,
    observer: &mut impl Observer,
    mut record: impl FnMut(&Traced<'_>),
) -> Outcome {
    let mut body = Body::new(start);
    let mut work = Workspace::new(scene, rock);
    let (lifted_m, clearance) = lift_onto_ground(scene, rock, &mut body, &mut work);
    let clearance = work.begin(scene, &mut body, clearance);
    let mut now = sample(rock, &body, 0.0, clearance);
    let mut outcome = Outcome {
        stop: StopReason::MaxTime,
        end: now,
        steps: 0,
        distance_m: 0.0,
        lifted_m,
        solver: SolverCounts::default(),
    };
    if let Some(stop) = off_terrain(scene, &body) {
        outcome.stop = stop;
        return outcome;
    }
    if !body.is_finite() || start.orientation.norm_squared() < 0.5 {
        outcome.stop = StopReason::Diverged;
        return outcome;
    }
    observer.start(&now);
    record(&Traced { sample: &now, body: &body, step: None, workspace: &work });

    let energy = |body: &Body| body.kinetic_energy(rock) + rock.mass_kg * scene.gravity_m_s2 * body.position.z;
    let mut watch = EnergyWatch::new(scene, rock, &body);
    let mut stillness = Stillness::default();
    // Restitution laws without their guard do gain energy, and the user asked for it.
    let non_smooth = matches!(scene.contact, ContactModel::NonSmooth | ContactModel::AsPublished);
    let may_not_gain = non_smooth || scene.restitution.energy_guard;
    let mut mover = Mover::for_scene(scene, rock, &body, scale);
    loop {
        let (time_s, info) = match &mut mover {
            None => {
                let until_rest =
                    stillness.instant(&scene.stop).map_or(u64::MAX, |instant| steps_until(instant, &now, scene));
                let most = until_rest.min(steps_until(scene.stop.max_time_s - 0.5 * scene.time_step_s, &now, scene));
                let (steps, info) = flight::leap::<BALANCE>(scene, rock, scale, &mut body, &mut work, most)
                    .or_else(|| glide::glide::<BALANCE>(scene, rock, scale, &mut body, &mut work, most))
                    .or_else(|| rest::rest::<BALANCE>(scene, rock, scale, &mut body, &mut work, most))
                    .unwrap_or_else(|| (1, substeps::step::<BALANCE>(scene, rock, scale, &mut body, &mut work)));
                outcome.steps += steps;
                (now.time_s + info.duration_s, info)
            }
            Some(mover) => {
                let (passed, info) = mover.step_body(scene.time_step_s, &mut body);
                outcome.steps += 1;
                (now.time_s + passed, info)
            }
        };
        outcome.solver.count(&info);
        if !body.is_finite() || (may_not_gain && watch.runs_away(energy(&body), body.position.z)) {
            outcome.stop = StopReason::Diverged;
            break;
        }
        if let Some(stop) = off_terrain(scene, &body) {
            outcome.stop = stop;
            break;
        }
        let after = sample(rock, &body, time_s, if info.pressed > 0 { 0.0 } else { info.clearance_m });
        outcome.distance_m += (after.position - now.position).xy().norm();
        record(&Traced { sample: &after, body: &body, step: Some(&info), workspace: &work });
        let action = observer.step(&now, &after);
        now = after;
        outcome.end = now;
        match action {
            Action::Continue => {}
            Action::Stop => {
                outcome.stop = StopReason::Barrier;
                break;
            }
            Action::Scale(factor) => {
                body.velocity *= factor;
                body.omega *= factor;
                // The next step begins with what the barrier has left.
                now = Sample { velocity: body.velocity, omega: body.omega, ..now };
                now.kinetic_energy_j = body.kinetic_energy(rock);
                watch.restart(energy(&body));
            }
        }
        if now.time_s >= scene.stop.max_time_s - 0.5 * scene.time_step_s {
            outcome.stop = StopReason::MaxTime;
            break;
        }
        if scene.stop.max_distance_m.is_some_and(|limit| outcome.distance_m >= limit) {
            outcome.stop = StopReason::MaxDistance;
            break;
        }
        if stillness.reached(&scene.stop, rock.mass_kg, &now) {
            outcome.stop = StopReason::AtRest;
            break;
        }
    }
    outcome
}

/// Whole time steps from now to an instant, at least one.
fn steps_until(instant_s: f64, now: &Sample, scene: &Scene) -> u64 {
    ((instant_s - now.time_s) / scene.time_step_s - 1e-6).ceil().max(1.0) as u64
}

fn sample(rock: &Rock, body: &Body, time_s: f64, clearance: f64) -> Sample {
    Sample {
        time_s,
        position: body.position,
        orientation: body.orientation,
        velocity: body.velocity,
        omega: body.omega,
        kinetic_energy_j: body.kinetic_energy(rock),
        // Half over the edge of the terrain there may be no ground below any vertex.
        jump_height_m: if clearance.is_finite() { clearance.max(0.0) } else { 0.0 },
    }
}

/// Where the centre of mass is without ground.
fn off_terrain(scene: &Scene, body: &Body) -> Option<StopReason> {
    match scene.surface.locate(body.position.x, body.position.y) {
        Where::OnTerrain => None,
        Where::Nodata => Some(StopReason::Nodata),
        Where::Outside => Some(StopReason::LeftTerrain),
    }
}

/// Lifts a rock that starts below ground until it touches; returns how far, and the remaining clearance.
fn lift_onto_ground(scene: &Scene, rock: &Rock, body: &mut Body, work: &mut Workspace) -> (f64, f64) {
    let start = body.position.z;
    let mut clearance = work.clearance(scene, rock, body);
    // Once for a polyhedron: its vertical gaps shift with it. A sphere's nearest point moves while it rises.
    for _ in 0..20 {
        if !clearance.is_finite() || clearance >= 0.0 {
            break;
        }
        body.position.z -= clearance;
        clearance = work.clearance(scene, rock, body);
        if clearance > -1e-9 {
            break;
        }
    }
    (body.position.z - start, clearance)
}

/// Total energy may only fall (but for the discretisation's allowance, see `dynamics::step`); growth means the
/// computation has gone astray.
struct EnergyWatch {
    reference: f64,
    weight: f64,
    slack: f64,
}

impl EnergyWatch {
    fn new(scene: &Scene, rock: &Rock, body: &Body) -> Self {
        let weight = rock.mass_kg * scene.gravity_m_s2;
        let reference = body.kinetic_energy(rock) + weight * body.position.z;
        Self { reference, weight, slack: weight * rock.bounding_radius }
    }

    fn restart(&mut self, energy: f64) {
        self.reference = energy;
    }

    /// Energies are measured from the rock's present height: the zero of heights must not matter.
    fn runs_away(&self, energy: f64, height: f64) -> bool {
        let available = self.reference - self.weight * height;
        energy > self.reference + RUN_AWAY * available.max(0.0) + self.slack
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
