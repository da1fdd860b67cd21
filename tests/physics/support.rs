//! Scenes and rocks for the tests.

use couloir::dynamics::{Integrator, Scene};
use couloir::rock::{Rock, Shape};
use couloir::terrain::{Field, Ground, GroundScale, Lattice, Surface};
use couloir::trajectory::{Outcome, Sample, Start, trace};
use nalgebra::{UnitQuaternion, Vector3};

pub const G: f64 = 9.81;

/// A height field of nx × ny nodes from a function of local coordinates.
pub fn terrain(nx: usize, ny: usize, cell: f64, height: impl Fn(f64, f64) -> f64) -> Surface {
    let lattice = Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: cell, dy: cell };
    let values = (0..nx * ny).map(|k| height((k % nx) as f64 * cell, (k / nx) as f64 * cell)).collect();
    Surface::new(Field { lattice, values }).unwrap()
}

/// A plane of 1 km that falls towards +x by an angle; height 0 at x = 0.
pub fn incline(slope_deg: f64) -> Surface {
    let tan = slope_deg.to_radians().tan();
    terrain(101, 21, 10.0, |x, _| -tan * x)
}

pub fn scene(surface: Surface, mu: f64, epsilon_n: f64) -> Scene {
    Scene::new(surface, Ground::uniform(mu, mu, 0.0, 0.0).with_restitution(epsilon_n, 0.0))
}

pub fn with_integrator(scene: &Scene, integrator: Integrator) -> Scene {
    Scene { integrator, ..scene.clone() }
}

pub fn rock(preset: &str, mass_kg: f64) -> Rock {
    Shape::from_preset(preset).unwrap().with_mass(mass_kg, 2700.0).unwrap()
}

pub fn cuboid(axes: [f64; 3]) -> Rock {
    Shape::from_preset("cuboid").unwrap().with_axes(axes, 2700.0).unwrap()
}

/// Upright in the frame the shape was given in.
pub fn upright(rock: &Rock) -> UnitQuaternion<f64> {
    rock.axes_in_body
}

/// Lying on the incline: the given frame's z is the slope's normal, its x points downslope.
pub fn on_incline(rock: &Rock, slope_deg: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector3::y_axis(), slope_deg.to_radians()) * rock.axes_in_body
}

pub fn start(position: Vector3<f64>, orientation: UnitQuaternion<f64>) -> Start {
    Start { position, orientation, velocity: Vector3::zeros(), omega: Vector3::zeros() }
}

/// Runs a trajectory and returns every sample, the start first.
pub fn run(scene: &Scene, rock: &Rock, start: &Start) -> (Vec<Sample>, Outcome) {
    let mut samples = Vec::new();
    let outcome = trace(scene, rock, start, &GroundScale::default(), |traced| samples.push(*traced.sample));
    (samples, outcome)
}

/// Runs for a fixed time whatever the rock does.
pub fn run_for(scene: &Scene, rock: &Rock, start: &Start, time_s: f64) -> (Vec<Sample>, Outcome) {
    let mut scene = scene.clone();
    scene.stop.max_time_s = time_s;
    scene.stop.rest_time_s = f64::INFINITY;
    run(&scene, rock, start)
}

pub const BOTH: [Integrator; 2] = [Integrator::Implicit, Integrator::Explicit];
