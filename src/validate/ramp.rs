//! The ramp of Leine 2021, §6.1: EOTA 2:2:1 plates of 780 kg on a slope of 40° that ends in a flat run-out.
//!
//! Published: the slope, the rock, the time step of 2 ms, 1000 random orientations, the soil by reference to Lu et al. 2019.
//! Our choices: the slope is 200 m long in plan and starts 20 m above the release's upper edge; the release is that of
//! Lu 2019 (centre 1 m above the ground, 1 m/s downslope, no spin); statistics are averages over the time of all rocks from
//! the release until the rock stops, whatever steps were taken; the jump height is the vertical clearance of the lowest
//! point. [`Ramp`] holds the choices, so that their influence can be measured.

use std::time::Instant;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::falls::lu_soil;
use crate::Result;
use crate::dynamics::{ContactModel, Integrator, Scene};
use crate::rock::{Rock, Shape};
use crate::terrain::{Field, Ground, GroundScale, Lattice, Surface};
use crate::trajectory::{Action, Observer, Sample, Start, StopReason, simulate};

const SLOPE_DEG: f64 = 40.0;
const CELL: f64 = 2.0;
const RELEASE_X: f64 = 20.0;
const WIDTH: f64 = 400.0;
/// The flat beyond the toe, m.
const FLAT: f64 = 480.0;

/// What the paper leaves open.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ramp {
    /// From the release to the toe, in plan, m.
    pub slope_m: f64,
    /// Compactable soil (Lu 2019), or hard ground with the same friction.
    pub soil: bool,
    /// Centre of mass above the ground at the release, m.
    pub release_m: f64,
    /// Amplitude of bumps a few metres long, m.
    pub bumps_m: f64,
    /// Contacts that hold, or as published.
    pub contact: ContactModel,
}

impl Default for Ramp {
    fn default() -> Self {
        Self { slope_m: 200.0, soil: true, release_m: 1.0, bumps_m: 0.0, contact: ContactModel::NonSmooth }
    }
}

impl Ramp {
    /// Where the slope meets the flat, m.
    pub(crate) fn toe_x(&self) -> f64 {
        RELEASE_X + self.slope_m
    }

    fn height(&self, x: f64, y: f64) -> f64 {
        let bumps = (1.1 * x + 0.4 * y).sin() * (0.7 * y - 0.3 * x).cos();
        SLOPE_DEG.to_radians().tan() * (self.toe_x() - x).max(0.0) + self.bumps_m * bumps
    }

    pub(crate) fn scene(&self, integrator: Integrator) -> Result<Scene> {
        let (nx, ny) = (((self.toe_x() + FLAT) / CELL) as usize + 1, (WIDTH / CELL) as usize + 1);
        let lattice = Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: CELL, dy: CELL };
        let values = (0..nx * ny).map(|k| self.height(CELL * (k % nx) as f64, CELL * (k / nx) as f64)).collect();
        let mut ground = Ground::uniform(0.55, 2.0, 185.0, 3.0);
        ground.scarring = self.soil.then(lu_soil);
        let mut scene = Scene::new(Surface::new(Field { lattice, values })?, ground);
        scene.integrator = integrator;
        scene.contact = self.contact;
        scene.time_step_s = 0.002;
        Ok(scene)
    }

    /// The start of rock `k`: the orientation depends on `k` only.
    pub(crate) fn start(&self, k: u64) -> Start {
        let mut rng = ChaCha8Rng::seed_from_u64(2021);
        rng.set_stream(k);
        let orientation = loop {
            // Uniform in the four-dimensional ball, then normalised: uniform on the sphere of quaternions.
            let q = Quaternion::from([(); 4].map(|()| rng.random_range(-1.0..1.0)));
            if (0.01..=1.0).contains(&q.norm_squared()) {
                break UnitQuaternion::new_normalize(q);
            }
        };
        let (sin, cos) = SLOPE_DEG.to_radians().sin_cos();
        Start {
            position: Vector3::new(RELEASE_X, 0.5 * WIDTH, self.height(RELEASE_X, 0.5 * WIDTH) + self.release_m),
            orientation,
            velocity: Vector3::new(cos, 0.0, -sin),
            omega: Vector3::zeros(),
        }
    }

    /// The rocks 0 … count − 1, in order.
    pub(crate) fn run(&self, integrator: Integrator, count: u64) -> Result<Vec<Track>> {
        let (scene, rock) = (self.scene(integrator)?, rock()?);
        Ok((0..count).into_par_iter().map(|k| self.run_one(&scene, &rock, k)).collect())
    }

    fn run_one(&self, scene: &Scene, rock: &Rock, k: u64) -> Track {
        let mut track = Track { toe_x: self.toe_x(), ..Track::default() };
        let outcome = simulate(scene, rock, &self.start(k), &GroundScale::default(), &mut track);
        track.end = outcome.end.position;
        track.time_s = outcome.end.time_s;
        track.stop = Some(outcome.stop);
        track.steps = outcome.steps;
        track.not_converged = outcome.solver.not_converged;
        track
    }

    /// Seconds of one core per simulated second, over a few rocks.
    pub(crate) fn cost_per_second(&self, integrator: Integrator) -> Result<f64> {
        let (scene, rock) = (self.scene(integrator)?, rock()?);
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let begin = Instant::now();
            let simulated: f64 = (0..10).map(|k| self.run_one(&scene, &rock, k).time_s).sum();
            best = best.min(begin.elapsed().as_secs_f64() / simulated);
        }
        Ok(best)
    }
}

/// 0.93 × 0.93 × 0.47 m, 780 kg.
pub(crate) fn rock() -> Result<Rock> {
    Shape::from_preset("eota_221")?.with_axes_and_mass([0.93, 0.93, 0.47], 780.0)
}

/// Mean and standard deviation of what was added, by weight.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub(crate) fn add(&mut self, value: f64) {
        self.add_weighted(value, 1.0);
    }

    /// A value that counts as much as its weight.
    pub(crate) fn add_weighted(&mut self, value: f64, weight: f64) {
        if weight > 0.0 {
            self.merge(&Self { count: weight, mean: value, squares: 0.0 });
        }
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

    pub(crate) fn mean(&self) -> f64 {
        self.mean
    }

    /// Of a sample, if every weight was 1.
    pub(crate) fn std_dev(&self) -> f64 {
        (self.squares / (self.count - 1.0)).sqrt()
    }

    /// Of all there is: weights are durations or lengths.
    pub(crate) fn spread(&self) -> f64 {
        (self.squares / self.count).sqrt()
    }

    /// Welch's z of `self` being larger than `other`.
    pub(crate) fn larger_than(&self, other: &Self) -> f64 {
        let error =
            (self.squares / (self.count - 1.0) / self.count + other.squares / (other.count - 1.0) / other.count).sqrt();
        (self.mean - other.mean) / error
    }

    /// z of the spread of `self` being smaller than that of `other`, from the logarithms of the standard deviations.
    pub(crate) fn narrower_than(&self, other: &Self) -> f64 {
        (other.std_dev() / self.std_dev()).ln() / (0.5 / (self.count - 1.0) + 0.5 / (other.count - 1.0)).sqrt()
    }
}

/// Kinetic energy kJ, speed m/s, rotations/s, jump height m.
pub(crate) const QUANTITIES: [&str; 4] =
    ["kinetic energy, kJ", "translational velocity, m/s", "rotational velocity, rot/s", "jump height, m"];

/// One rock's way down.
#[derive(Debug, Clone, Default)]
pub(crate) struct Track {
    /// Averages over time.
    pub moments: [Moments; 4],
    /// The same until the rock reaches the toe, and over the way in place of the time.
    pub on_slope: [Moments; 4],
    pub over_path: [Moments; 4],
    /// Height of the centre of mass above the slope, m, over time and until the toe.
    pub centre: [Moments; 2],
    /// y where the centre passes the toe of the slope.
    pub toe_y: Option<f64>,
    pub end: Vector3<f64>,
    pub time_s: f64,
    pub stop: Option<StopReason>,
    pub steps: u64,
    pub not_converged: u64,
    pub max_energy_kj: f64,
    /// (x, y, z, projected distance, ω) every 0.1 s.
    pub path: Vec<(Vector3<f64>, f64, Vector3<f64>)>,
    toe_x: f64,
    distance: f64,
}

/// Instants between two points of [`Track::path`], s.
const PATH_EVERY_S: f64 = 0.1;

fn values(sample: &Sample) -> [f64; 4] {
    let rotation = sample.omega.norm() / std::f64::consts::TAU;
    [1e-3 * sample.kinetic_energy_j, sample.velocity.norm(), rotation, sample.jump_height_m]
}

impl Observer for Track {
    fn step(&mut self, before: &Sample, after: &Sample) -> Action {
        let way = (after.position - before.position).norm();
        self.distance += (after.position - before.position).xy().norm();
        if before.position.x < self.toe_x && after.position.x >= self.toe_x {
            self.toe_y = self.toe_y.or(Some(after.position.y));
        }
        self.max_energy_kj = self.max_energy_kj.max(1e-3 * after.kinetic_energy_j);
        // The trapezoidal rule over the step, long or short: half of it has the state before, half the one after.
        let time = after.time_s - before.time_s;
        for (i, pair) in values(before).into_iter().zip(values(after)).enumerate() {
            for value in [pair.0, pair.1] {
                self.moments[i].add_weighted(value, 0.5 * time);
                self.over_path[i].add_weighted(value, 0.5 * way);
                if self.toe_y.is_none() {
                    self.on_slope[i].add_weighted(value, 0.5 * time);
                }
            }
        }
        for sample in [before, after] {
            let height = sample.position.z - SLOPE_DEG.to_radians().tan() * (self.toe_x - sample.position.x).max(0.0);
            self.centre[0].add_weighted(height, 0.5 * time);
            if self.toe_y.is_none() {
                self.centre[1].add_weighted(height, 0.5 * time);
            }
        }
        if (after.time_s / PATH_EVERY_S) as u64 > (before.time_s / PATH_EVERY_S) as u64 {
            self.path.push((after.position, self.distance, after.omega));
        }
        Action::Continue
    }
}

/// All rocks together.
pub(crate) fn pooled<const N: usize>(tracks: &[Track], moments: impl Fn(&Track) -> &[Moments; N]) -> [Moments; N] {
    let mut all = [Moments::default(); N];
    for track in tracks {
        all.iter_mut().zip(moments(track)).for_each(|(a, m)| a.merge(m));
    }
    all
}

/// One value a rock.
pub(crate) fn per_rock(tracks: &[Track], value: impl Fn(&Track) -> Option<f64>) -> Moments {
    let mut moments = Moments::default();
    tracks.iter().filter_map(value).for_each(|v| moments.add(v));
    moments
}

/// How far beyond the toe of the slope a rock stopped, m.
pub(crate) fn run_out(track: &Track) -> Option<f64> {
    Some(track.end.x - track.toe_x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leap counts as long as it lasts: one step of 16 ms is worth eight of 2 ms.
    #[test]
    fn long_steps_do_not_count_as_short_ones() {
        let sample = |time_s: f64| Sample {
            time_s,
            position: Vector3::new(10.0 * time_s, 0.0, 0.0),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::new(10.0, 0.0, 0.0),
            omega: Vector3::zeros(),
            kinetic_energy_j: 1e6 * time_s,
            jump_height_m: time_s,
            airborne: true,
        };
        let follow = |instants: &[f64]| {
            let mut track = Track { toe_x: 1e3, ..Track::default() };
            for pair in instants.windows(2) {
                track.step(&sample(pair[0]), &sample(pair[1]));
            }
            track
        };
        let short: Vec<f64> = (0..=100).map(|k| 0.002 * f64::from(k)).collect();
        let mixed: Vec<f64> = [0.0, 0.016, 0.032].into_iter().chain((17..=100).map(|k| 0.002 * f64::from(k))).collect();
        for track in [follow(&short), follow(&mixed)] {
            for moments in [&track.moments, &track.on_slope, &track.over_path] {
                assert!((moments[0].mean() - 100.0).abs() < 1e-9 && (moments[1].mean() - 10.0).abs() < 1e-12);
                assert!((moments[0].spread() - 200.0 / 12f64.sqrt()).abs() < 0.1, "{}", moments[0].spread());
            }
        }
    }
}
