//! Steps until a stop reason; what an observer sees on the way.
//!
//! Coordinates are local: x, y relative to the terrain's node (0, 0), z the true height; add the lattice's x0, y0 for
//! world coordinates.

mod fast;
mod journey;
mod plain;
mod restitution;
mod stillness;
pub mod table;

use nalgebra::{UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use self::journey::Journey;
use crate::dynamics::{ContactModel, Fall, Scene, StepInfo};
use crate::rock::Rock;
use crate::terrain::GroundScale;

pub use crate::dynamics::Start;

/// What is known of the rock at one instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Since the start, s.
    pub time_s: f64,
    /// Of the centre of mass, in the terrain's coordinates, m.
    pub position: Vector3<f64>,
    /// From the rock's principal axes to the inertial frame.
    pub orientation: UnitQuaternion<f64>,
    /// Of the centre of mass, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity in K, rad/s.
    pub omega: Vector3<f64>,
    /// Translational plus rotational, J.
    pub kinetic_energy_j: f64,
    /// Smallest vertical distance between the rock and the ground, m; 0 in contact. This is the jump height. What does not exceed
    /// [`Observer::enough_m`] may be any number up to that.
    pub jump_height_m: f64,
    /// The step that led here was a flight: nothing pressed the rock, and it ended clear of the ground its contacts see, roughness included.
    pub airborne: bool,
}

/// What became of a rock.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Why it ended.
    pub stop: StopReason,
    /// The last state; of a diverged rock the last one that was still sound.
    pub end: Sample,
    /// How many steps it took.
    pub steps: u64,
    /// Length of the path's horizontal projection, m.
    pub distance_m: f64,
    /// How far a release below ground was lifted, m; 0 if it was not.
    pub lifted_m: f64,
    /// How the contact solver fared.
    pub solver: SolverCounts,
    /// Where its centre of mass had no ground below it any more; `None` if it ended on the terrain.
    pub left_at: Option<Vector3<f64>>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum StopReason {
    /// It rests.
    AtRest,
    /// It fell off the terrain's edge.
    LeftTerrain,
    /// It met ground without height.
    Nodata,
    /// It took longer than allowed.
    MaxTime,
    /// It went farther than allowed.
    MaxDistance,
    /// A barrier held it.
    Barrier,
    /// The state became non-finite or ran away; reported for replay, never part of a statistic.
    Diverged,
}

/// What an observer wants to happen after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// Go on.
    Continue,
    /// Stopped by a barrier.
    Stop,
    /// Scale velocity and spin by this factor (energy taken out by a barrier).
    Scale(f64),
}

/// What the ground does to a rock in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The ground presses the rock.
    pub pressed: bool,
    /// Depth of the rebound plane after the step, m, while the rock is in compactable soil.
    pub scar_depth_m: Option<f64>,
}

impl Touch {
    /// The ground presses the rock or holds it in its soil, which brakes it long before anything presses.
    pub fn is_contact(&self) -> bool {
        self.pressed || self.scar_depth_m.is_some()
    }
}

/// Sees every solver step of a trajectory, in order.
pub trait Observer {
    /// Sees the start, before the first step.
    fn start(&mut self, _sample: &Sample) {}
    /// Hears what the ground does in the step it sees next.
    fn ground(&mut self, _touch: Touch) {}
    /// Jump heights there need not be told apart below this, m: measuring one takes a share of a step, above rough ground as long as a step.
    fn enough_m(&self, _position: &Vector3<f64>) -> f64 {
        0.0
    }
    /// Sees a step.
    fn step(&mut self, before: &Sample, after: &Sample) -> Action;
}

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
    /// The rock after the step.
    pub sample: &'a Sample,
    /// The whole state.
    pub fall: &'a Fall<'a>,
    /// `None` at the start.
    pub step: Option<&'a StepInfo>,
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
    record: impl FnMut(&Traced<'_>),
) -> Outcome {
    let mut fall = Fall::new(scene, rock, scale, start);
    let mut journey = Journey::begin(&mut fall, observer, record);
    if journey.has_ground(&fall) && journey.is_sound(&fall, start) {
        journey.set_out(&fall);
        match scene.contact {
            ContactModel::Rocfall3 | ContactModel::Lumped => restitution::follow(&mut fall, &mut journey),
            ContactModel::NonSmooth | ContactModel::AsPublished if scene.is_plain() => {
                plain::follow::<BALANCE>(&mut fall, &mut journey);
            }
            ContactModel::NonSmooth | ContactModel::AsPublished => fast::follow::<BALANCE>(&mut fall, &mut journey),
        }
    }
    journey.outcome
}
