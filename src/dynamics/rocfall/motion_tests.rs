//! Closed forms and conservation for whole motions under the restitution laws.

use nalgebra::{UnitQuaternion, Vector3};

use super::motion::{Mode, Mover};
use crate::dynamics::Start;
use crate::dynamics::scene::Scene;
use crate::rock::{Rock, Shape};
use crate::terrain::{Field, Ground, GroundScale, Lattice, ParameterField, Surface};

const G: f64 = 9.81;

/// A plane descending towards +x by `slope` (radians), height 0 at x = 100 m.
fn scene(slope: f64) -> Scene {
    let lattice = Lattice { nx: 201, ny: 41, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
    let values = (0..lattice.len()).map(|k| (100.0 - (k % lattice.nx) as f64) * slope.tan()).collect();
    Scene::new(Surface::new(Field { lattice, values }).unwrap(), Ground::uniform(0.6, 0.6, 0.0, 0.0))
}

fn sphere(radius: f64) -> Rock {
    Shape::from_preset("sphere").unwrap().with_axes([2.0 * radius; 3], 2700.0).unwrap()
}

fn start(position: Vector3<f64>, velocity: Vector3<f64>) -> Start {
    Start { position, orientation: UnitQuaternion::identity(), velocity, omega: Vector3::zeros() }
}

/// A ball dropped from h rebounds to R_N² h, then R_N⁴ h.
#[test]
fn bounce_heights_fall_with_the_square_of_restitution() {
    let (scene, ball) = (scene(0.0), sphere(0.5));
    let drop = start(Vector3::new(100.0, 20.0, 0.5 + 2.0), Vector3::zeros());
    let mut mover = Mover::new(&scene, &ball, &drop, GroundScale::default(), false);
    let (mut tops, mut rising) = (Vec::new(), false);
    for _ in 0..2000 {
        mover.step(0.002);
        if rising && mover.state.velocity.z <= 0.0 {
            tops.push(mover.state.position.z - 0.5);
        }
        rising = mover.state.velocity.z > 0.0;
    }
    let expected = [2.0 * 0.35f64.powi(2), 2.0 * 0.35f64.powi(4)];
    for (top, expected) in tops.iter().zip(expected) {
        // The top is seen at a step: at most ½ g Δt² below the true one.
        assert!((top - expected).abs() < 0.5 * G * 0.002f64.powi(2) + 1e-9, "{top} m for {expected} m");
    }
    assert!(tops.len() >= 2);
}

/// With scaling a ball that hits at V rebounds with R_N / (1 + (V/K)²) of it.
#[test]
fn fast_balls_rebound_with_less() {
    const K: f64 = 5.0;
    let (mut scene, ball) = (scene(0.0), sphere(0.5));
    scene.restitution.r_n_scaling_m_s = Some(K);
    let drop = start(Vector3::new(100.0, 20.0, 0.5 + 2.0), Vector3::zeros());
    let mut mover = Mover::new(&scene, &ball, &drop, GroundScale::default(), false);
    while mover.state.velocity.z <= 0.0 {
        mover.step(0.002);
    }
    let mut top = 0.0_f64;
    while mover.state.velocity.z > 0.0 {
        mover.step(0.002);
        top = top.max(mover.state.position.z - 0.5);
    }
    let kept = 0.35 / (1.0 + 2.0 * G * 2.0 / (K * K));
    let expected = 2.0 * kept * kept;
    assert!((top - expected).abs() < 0.5 * G * 0.002f64.powi(2) + 1e-9, "{top} m for {expected} m");
}

/// Rolling from rest down a plane: s = ½ · 5/7 g (sin α − μ_r cos α) t².
#[test]
fn sphere_rolls_down_a_plane() {
    let slope: f64 = 0.35;
    let (scene, ball) = (scene(slope), sphere(0.5));
    let from = Vector3::new(20.0, 20.0, scene.surface.height(20.0, 20.0).unwrap() + 0.5 / slope.cos());
    let mut mover = Mover::new(&scene, &ball, &start(from, Vector3::zeros()), GroundScale::default(), false);
    let mut time = 0.0;
    let mut last = Mode::Projectile;
    while time < 4.0 {
        let (passed, mode) = mover.step(0.002);
        (time, last) = (time + passed, mode);
    }
    let travelled = (mover.state.position - from).norm();
    let expected = 0.5 * 5.0 / 7.0 * G * (slope.sin() - 0.1 * slope.cos()) * time * time;
    assert_eq!(last, Mode::Rolling);
    assert!((travelled / expected - 1.0).abs() < 2e-3, "{travelled} m for {expected} m");
}

/// A lumped mass slides with g (sin α − μ cos α).
#[test]
fn lumped_mass_slides_down_a_plane() {
    let slope: f64 = 0.8;
    let (scene, rock) = (scene(slope), sphere(0.5));
    let from = Vector3::new(20.0, 20.0, scene.surface.height(20.0, 20.0).unwrap());
    let mut mover = Mover::new(&scene, &rock, &start(from, Vector3::zeros()), GroundScale::default(), true);
    let mut time = 0.0;
    while time < 3.0 {
        time += mover.step(0.002).0;
    }
    let travelled = (mover.state.position - from).norm();
    let expected = 0.5 * G * (slope.sin() - 0.6 * slope.cos()) * time * time;
    assert!((travelled / expected - 1.0).abs() < 2e-3, "{travelled} m for {expected} m");
}

/// Boxes thrown down a slope: total energy never grows by more than the position correction of a rolling step, no
/// vertex sinks, and on flat ground they come to rest.
#[test]
fn boxes_lose_energy_and_come_to_rest() {
    use rand::{RngExt, SeedableRng};
    let block = Shape::from_preset("eota_221").unwrap().with_mass(780.0, 2700.0).unwrap();
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    for case in 0..6 {
        let scene = scene(if case % 2 == 0 { 0.0 } else { 0.5 });
        let ground = scene.surface.height(40.0, 20.0).unwrap();
        let mut drop = start(Vector3::new(40.0, 20.0, ground + 2.0), Vector3::new(3.0, 0.0, -1.0));
        drop.orientation = UnitQuaternion::new(Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0)));
        drop.omega = Vector3::from_fn(|_, _| rng.random_range(-3.0..3.0));
        let mut mover = Mover::new(&scene, &block, &drop, GroundScale::default(), false);
        let total = |mover: &Mover| mover.kinetic_energy() + 780.0 * G * mover.state.position.z;
        let (mut before, mut time, mut steps) = (total(&mover), 0.0, 0);
        let first = before;
        while time < 12.0 && mover.state.position.x < 190.0 {
            let (passed, mode) = mover.step(0.002);
            time += passed;
            steps += 1;
            assert!(steps < 100_000, "case {case} stands still in time at {time} s, {mode:?}");
            let after = total(&mover);
            assert!(after - before < 2e-3 * first.abs().max(780.0), "case {case}: {before} J → {after} J in {mode:?}");
            before = after;
        }
        if case % 2 == 0 {
            let speed = (2.0 * mover.kinetic_energy() / 780.0).sqrt();
            assert!(speed < 0.1, "case {case} still moves at {speed} m/s");
        }
    }
}

/// The same seed gives the same scattered path, another seed another one.
#[test]
fn slope_scatter_follows_the_seed() {
    let (mut scene, rock) = (scene(0.6), sphere(0.3));
    scene.restitution.slope_scatter_deg = 5.0;
    scene.restitution.r_n = ParameterField::Constant(0.5);
    let from = Vector3::new(20.0, 20.0, scene.surface.height(20.0, 20.0).unwrap() + 3.0);
    let end = |seed| {
        let scale = GroundScale { seed, ..GroundScale::default() };
        let mut mover = Mover::new(&scene, &rock, &start(from, Vector3::new(2.0, 0.0, 0.0)), scale, true);
        (0..2000).for_each(|_| {
            mover.step(0.002);
        });
        mover.state.position
    };
    assert_eq!(end(5), end(5));
    assert!((end(5) - end(6)).norm() > 0.01);
}
