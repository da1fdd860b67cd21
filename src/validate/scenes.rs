//! Terrains and starts shared by the cases.

use nalgebra::{UnitQuaternion, Vector3};

use crate::Result;
use crate::dynamics::Scene;
use crate::rock::Rock;
use crate::terrain::{Field, Ground, GroundScale, Lattice, Surface};
use crate::trajectory::{Outcome, Sample, Start, trace};

pub(crate) const G: f64 = 9.81;

/// Where the tests release: well inside the plane.
pub(crate) const X: f64 = 100.0;
pub(crate) const Y: f64 = 500.0;

/// A plane falling towards +x by an angle, height 0 at x = 0, `length` m long and 1 km wide.
pub(crate) fn plane(slope_deg: f64, length: f64) -> Result<Surface> {
    let tan = slope_deg.to_radians().tan();
    let (nx, ny, cell) = ((length / 100.0).ceil() as usize + 1, 11, 100.0);
    let lattice = Lattice { nx, ny, x0: 0.0, y0: 0.0, dx: cell, dy: cell };
    let values = (0..nx * ny).map(|k| -tan * cell * (k % nx) as f64).collect();
    Surface::new(Field { lattice, values })
}

/// A plane with constant friction.
pub(crate) fn plane_scene(slope_deg: f64, mu: f64, epsilon_n: f64) -> Result<Scene> {
    Ok(Scene::new(plane(slope_deg, 20_000.0)?, Ground::uniform(mu, mu, 0.0, 0.0).with_restitution(epsilon_n, 0.0)))
}

/// The slope's downward normal's opposite: out of the ground.
pub(crate) fn normal(slope_deg: f64) -> Vector3<f64> {
    let (sin, cos) = slope_deg.to_radians().sin_cos();
    Vector3::new(sin, 0.0, cos)
}

/// A point above the plane at (X, Y), `height` m along the normal.
pub(crate) fn above(slope_deg: f64, height: f64) -> Vector3<f64> {
    Vector3::new(X, Y, -X * slope_deg.to_radians().tan()) + normal(slope_deg) * height
}

/// The frame the shape was given in lies on the slope: its z is the normal, its x points downslope.
pub(crate) fn lying(rock: &Rock, slope_deg: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vector3::y_axis(), slope_deg.to_radians()) * rock.axes_in_body
}

pub(crate) fn at_rest(position: Vector3<f64>, orientation: UnitQuaternion<f64>) -> Start {
    Start { position, orientation, velocity: Vector3::zeros(), omega: Vector3::zeros() }
}

/// Every sample of a run of fixed length, the start first.
pub(crate) fn run_for(scene: &Scene, rock: &Rock, start: &Start, time_s: f64) -> (Vec<Sample>, Outcome) {
    let mut samples = Vec::new();
    let outcome = trace(&for_time(scene, time_s), rock, start, &GroundScale::default(), |t| samples.push(*t.sample));
    (samples, outcome)
}

/// The scene with a run of fixed length: rest does not end it.
pub(crate) fn for_time(scene: &Scene, time_s: f64) -> Scene {
    let mut scene = scene.clone();
    scene.stop.max_time_s = time_s;
    scene.stop.rest_time_s = f64::INFINITY;
    scene
}
