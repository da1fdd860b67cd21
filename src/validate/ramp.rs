//! The ramp of Leine 2021, §6.1: EOTA 2:2:1 plates of 780 kg on a slope of 40° that ends in a flat run-out.
//!
//! Published: the slope, the rock, the time step of 2 ms, 1000 random orientations, the soil by reference to Lu et al. 2019.
//! Our choices: the slope is 200 m long in plan and starts 20 m above the release's upper edge; the release is that of
//! Lu 2019 (centre 1 m above the ground, 1 m/s downslope, no spin); statistics are taken over the states of all rocks every
//! 0.02 s from the release until the rock stops; the jump height is the vertical clearance of the lowest point.

use std::time::Instant;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::Result;
use crate::dynamics::{Integrator, Scene};
use crate::rock::{Rock, Shape};
use crate::terrain::{Field, Ground, GroundScale, Lattice, ParameterField, Scarring, Surface};
use crate::trajectory::{Action, Observer, Sample, Start, StopReason, simulate};

const CELL: f64 = 2.0;
const RELEASE_X: f64 = 20.0;
/// Where the slope meets the flat, m.
pub const TOE_X: f64 = 220.0;
const WIDTH: f64 = 400.0;
const LENGTH: f64 = 700.0;
/// Solver steps between two samples of the statistics.
const EVERY: u32 = 10;

/// The scene with the soil of Lu 2019.
pub fn scene(integrator: Integrator) -> Result<Scene> {
    let (nx, ny) = ((LENGTH / CELL) as usize + 1, (WIDTH / CELL) as usize + 1);
    let tan = 40f64.to_radians().tan();
    let height = |k: usize| tan * (TOE_X - CELL * (k % nx) as f64).max(0.0);
    let lattice = Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: CELL, dy: CELL };
    let surface = Surface::new(Field { lattice, values: (0..nx * ny).map(height).collect() })?;
    let mut ground = Ground::uniform(0.55, 2.0, 185.0, 3.0);
    ground.scarring = Some(Scarring {
        me_kn_m2: ParameterField::Constant(15_000.0),
        drag_coefficient: ParameterField::Constant(1.5),
        density_kg_m3: ParameterField::Constant(1700.0),
    });
    let mut scene = Scene::new(surface, ground);
    scene.integrator = integrator;
    scene.time_step_s = 0.002;
    Ok(scene)
}

/// 0.93 × 0.93 × 0.47 m, 780 kg.
pub fn rock() -> Result<Rock> {
    Shape::from_preset("eota_221")?.with_axes_and_mass([0.93, 0.93, 0.47], 780.0)
}

/// The start of rock `k`: the orientation depends on `k` only.
pub fn start(k: u64) -> Start {
    let mut rng = ChaCha8Rng::seed_from_u64(2021);
    rng.set_stream(k);
    let orientation = loop {
        // Uniform in the four-dimensional ball, then normalised: uniform on the sphere of quaternions.
        let q = Quaternion::from([(); 4].map(|()| rng.random_range(-1.0..1.0)));
        if (0.01..=1.0).contains(&q.norm_squared()) {
            break UnitQuaternion::new_normalize(q);
        }
    };
    let (sin, cos) = 40f64.to_radians().sin_cos();
    let ground = 40f64.to_radians().tan() * (TOE_X - RELEASE_X);
    Start {
        position: Vector3::new(RELEASE_X, 0.5 * WIDTH, ground + 1.0),
        orientation,
        velocity: Vector3::new(cos, 0.0, -sin),
        omega: Vector3::zeros(),
    }
}

/// Mean and standard deviation of what was added.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub fn add(&mut self, value: f64) {
        self.count += 1.0;
        let change = value - self.mean;
        self.mean += change / self.count;
        self.squares += change * (value - self.mean);
    }

    /// As if all of the other's values had been added.
    fn merge(&mut self, other: &Self) {
        let count = self.count + other.count;
        if count > 0.0 {
            let change = other.mean - self.mean;
            self.squares += other.squares + change * change * self.count * other.count / count;
            self.mean += change * other.count / count;
            self.count = count;
        }
    }

    pub fn mean(&self) -> f64 {
        self.mean
    }

    pub fn std_dev(&self) -> f64 {
        (self.squares / (self.count - 1.0)).sqrt()
    }

    /// Welch's z of `self` being larger than `other`.
    pub fn larger_than(&self, other: &Self) -> f64 {
        let error =
            (self.squares / (self.count - 1.0) / self.count + other.squares / (other.count - 1.0) / other.count).sqrt();
        (self.mean - other.mean) / error
    }

    /// z of the spread of `self` being smaller than that of `other`, from the logarithms of the standard deviations.
    pub fn narrower_than(&self, other: &Self) -> f64 {
        (other.std_dev() / self.std_dev()).ln() / (0.5 / (self.count - 1.0) + 0.5 / (other.count - 1.0)).sqrt()
    }
}

/// Kinetic energy kJ, speed m/s, rotations/s, jump height m.
pub const QUANTITIES: [&str; 4] =
    ["kinetic energy, kJ", "translational velocity, m/s", "rotational velocity, rot/s", "jump height, m"];

/// One rock's way down.
#[derive(Debug, Clone, Default)]
pub struct Track {
    pub moments: [Moments; 4],
    /// y where the centre passes the toe of the slope.
    pub toe_y: Option<f64>,
    pub end: Vector3<f64>,
    pub stop: Option<StopReason>,
    pub steps: u64,
    pub not_converged: u64,
    pub max_energy_kj: f64,
    /// (x, y, z, projected distance, ω) every 0.1 s.
    pub path: Vec<(Vector3<f64>, f64, Vector3<f64>)>,
    count: u32,
    distance: f64,
}

impl Observer for Track {
    fn step(&mut self, before: &Sample, after: &Sample) -> Action {
        self.distance += (after.position - before.position).xy().norm();
        if before.position.x < TOE_X && after.position.x >= TOE_X {
            self.toe_y = self.toe_y.or(Some(after.position.y));
        }
        self.max_energy_kj = self.max_energy_kj.max(1e-3 * after.kinetic_energy_j);
        self.count += 1;
        if self.count.is_multiple_of(EVERY) {
            let values = [
                1e-3 * after.kinetic_energy_j,
                after.velocity.norm(),
                after.omega.norm() / std::f64::consts::TAU,
                after.jump_height_m,
            ];
            self.moments.iter_mut().zip(values).for_each(|(m, v)| m.add(v));
        }
        if self.count.is_multiple_of(5 * EVERY) {
            self.path.push((after.position, self.distance, after.omega));
        }
        Action::Continue
    }
}

/// The rocks 0 … count − 1, in order.
pub fn run(integrator: Integrator, count: u64) -> Result<Vec<Track>> {
    let (scene, rock) = (scene(integrator)?, rock()?);
    Ok((0..count).into_par_iter().map(|k| run_one(&scene, &rock, k)).collect())
}

fn run_one(scene: &Scene, rock: &Rock, k: u64) -> Track {
    let mut track = Track::default();
    let outcome = simulate(scene, rock, &start(k), &GroundScale::default(), &mut track);
    track.end = outcome.end.position;
    track.stop = Some(outcome.stop);
    track.steps = outcome.steps;
    track.not_converged = outcome.solver.not_converged;
    track
}

/// Seconds of one core per solver step, over a few rocks.
pub fn cost_per_step(integrator: Integrator) -> Result<f64> {
    let (scene, rock) = (scene(integrator)?, rock()?);
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let begin = Instant::now();
        let steps: u64 = (0..10).map(|k| run_one(&scene, &rock, k).steps).sum();
        best = best.min(begin.elapsed().as_secs_f64() / steps as f64);
    }
    Ok(best)
}

/// All sampled states of all rocks together.
pub fn pooled(tracks: &[Track]) -> [Moments; 4] {
    let mut all = [Moments::default(); 4];
    for track in tracks {
        all.iter_mut().zip(&track.moments).for_each(|(a, m)| a.merge(m));
    }
    all
}

/// One value a rock.
pub fn per_rock(tracks: &[Track], value: impl Fn(&Track) -> Option<f64>) -> Moments {
    let mut moments = Moments::default();
    tracks.iter().filter_map(value).for_each(|v| moments.add(v));
    moments
}

/// How far beyond the toe of the slope a rock stopped, m.
pub fn run_out(track: &Track) -> Option<f64> {
    Some(track.end.x - TOE_X)
}
