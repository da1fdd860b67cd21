//! The scene by which speed is measured: 1000 plates of 780 kg down a plane of 40° onto the flat.
//!
//! Tests compare the ways to compute it, `benches/ramp1000.rs` and `benches/callgrind.rs` what they cost, and
//! `benches/rapier` what another engine makes of it.

pub mod numbers;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::dynamics::{Integrator, Scene, StopCriteria};
use crate::rock::{Rock, Shape};
use crate::terrain::{Field, Ground, GroundScale, Lattice, Surface};
use crate::trajectory::{Action, Observer, Sample, Start, StopReason, simulate};

/// The ramp.
pub fn scene(integrator: Integrator) -> Result<Scene> {
    let ((nx, ny), cell) = (numbers::NODES, numbers::CELL_M);
    let lattice = Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: cell, dy: cell };
    let values = (0..nx * ny).map(|k| numbers::height(cell * (k % nx) as f64)).collect();
    let surface = Surface::new(Field { lattice, values })?;
    let mut scene = Scene::new(surface, Ground::uniform(numbers::FRICTION, numbers::FRICTION, 0.0, 0.0));
    scene.integrator = integrator;
    scene.gravity_m_s2 = numbers::GRAVITY_M_S2;
    scene.time_step_s = numbers::TIME_STEP_S;
    scene.stop = StopCriteria {
        rest_speed_m_s: numbers::REST_SPEED_M_S,
        rest_time_s: numbers::REST_TIME_S,
        max_time_s: numbers::MAX_TIME_S,
        max_distance_m: None,
    };
    Ok(scene)
}

/// The test body.
pub fn rock() -> Result<Rock> {
    let corners: Vec<_> = numbers::corners().into_iter().map(Vector3::from).collect();
    let shape = Shape::from_points(&corners)?;
    let volume = shape.as_given(1.0)?.volume_m3;
    shape.as_given(numbers::MASS_KG / volume)
}

/// The start of rock `k`, at rest.
pub fn start(rock: &Rock, k: u64) -> Start {
    let [x, y, z, w] = numbers::orientation(k);
    Start {
        position: Vector3::from(numbers::start()),
        orientation: UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)) * rock.axes_in_body,
        velocity: Vector3::zeros(),
        omega: Vector3::zeros(),
    }
}

/// What one rock did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FallFigures {
    /// Horizontal distance from start to end along the slope, m.
    pub run_out_m: f64,
    /// Largest kinetic energy, J: of the centre's motion, and with the rotation.
    pub max_translational_j: f64,
    /// Anywhere.
    pub max_energy_j: f64,
    /// Anywhere.
    pub max_jump_m: f64,
    /// Until it stopped.
    pub time_s: f64,
    /// Why it ended.
    pub stop: StopReason,
}

impl FallFigures {
    /// Simulated time in steps of 2 ms, however it was computed.
    pub fn steps(&self) -> f64 {
        self.time_s / numbers::TIME_STEP_S
    }
}

/// Lets rock `k` fall.
pub fn fall(scene: &Scene, rock: &Rock, k: u64) -> FallFigures {
    let mut extremes = Extremes { mass_kg: rock.mass_kg, ..Extremes::default() };
    let start = start(rock, k);
    let outcome = simulate(scene, rock, &start, &GroundScale::default(), &mut extremes);
    FallFigures {
        run_out_m: outcome.end.position.x - start.position.x,
        max_translational_j: extremes.translational_j,
        max_energy_j: extremes.energy_j,
        max_jump_m: extremes.jump_m,
        time_s: outcome.end.time_s,
        stop: outcome.stop,
    }
}

#[derive(Default)]
struct Extremes {
    mass_kg: f64,
    translational_j: f64,
    energy_j: f64,
    jump_m: f64,
}

impl Observer for Extremes {
    fn enough_m(&self, _: &Vector3<f64>) -> f64 {
        self.jump_m
    }
    fn step(&mut self, _before: &Sample, after: &Sample) -> Action {
        self.translational_j = self.translational_j.max(0.5 * self.mass_kg * after.velocity.norm_squared());
        self.energy_j = self.energy_j.max(after.kinetic_energy_j);
        self.jump_m = self.jump_m.max(after.jump_height_m);
        Action::Continue
    }
}
