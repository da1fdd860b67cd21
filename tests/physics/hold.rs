//! Contacts that hold: pressed in every step, shut, and without energy of their own.

use couloir::dynamics::{ContactModel, Integrator, Scene, Stepping};
use couloir::project::classes;
use couloir::terrain::{Ground, GroundScale};
use couloir::trajectory::{Action, Observer, Sample, simulate, trace};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::support::*;

fn class(name: &str) -> Ground {
    let class = &classes::ground(&Default::default())[name];
    Ground::uniform(class.mu_min, class.mu_max, class.beta_per_s, class.kappa_per_m)
}

/// Openings of the contact of twenty cubes that tumble down 35° that closed again within two steps, and steps in contact.
fn flickers(scene: &Scene) -> (u32, u32) {
    let rock = rock("cube", 2700.0);
    let (mut short, mut closed) = (0, 0);
    for k in 0..20 {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        rng.set_stream(k);
        let turned = UnitQuaternion::new_normalize(Quaternion::from([(); 4].map(|()| rng.random_range(-1.0..1.0))));
        let start = start(Vector3::new(50.0, 100.0, -50.0 * 35f64.to_radians().tan() + 1.5), turned);
        let mut open = u32::MAX;
        trace(scene, &rock, &start, &GroundScale::default(), |traced| {
            let Some(info) = traced.step else { return };
            if info.pressed == 0 {
                open = open.saturating_add(1);
            } else {
                short += u32::from(open == 1 || open == 2);
                (closed, open) = (closed + 1, 0);
            }
        });
    }
    (short, closed)
}

/// Contacts flickered open for single steps, each of which let the slippage decay by 26 % on `medium`: cubes that tumble stay in
/// contact. In the published scheme, which is kept, they do not.
#[test]
fn a_contact_does_not_flicker() {
    let mut held = Scene::new(incline(35.0), class("medium"));
    held.stop.max_time_s = 8.0;
    held.stepping = Stepping::Plain;
    let published = Scene { contact: ContactModel::AsPublished, ..held.clone() };
    let ((short, closed), (short_published, closed_published)) = (flickers(&held), flickers(&published));
    println!("{short} of {closed}; published {short_published} of {closed_published}");
    let share = |short: u32, closed: u32| f64::from(short) / f64::from(closed);
    assert!(share(short, closed) < 0.002); // measured 0.0014
    assert!(share(short_published, closed_published) > 0.05); // measured 0.082
}

/// The largest rise of the total energy above its lowest value so far, J.
struct Gain {
    mass_kg: f64,
    least: f64,
    gain: f64,
}

impl Observer for Gain {
    fn step(&mut self, _: &Sample, after: &Sample) -> Action {
        let energy = after.kinetic_energy_j + self.mass_kg * G * after.position.z;
        self.gain = self.gain.max(energy - self.least);
        self.least = self.least.min(energy);
        Action::Continue
    }
}

/// Pushing rocks out of the ground added up to 0.7 % of the drop. Energy does not grow: by less than 1e-4 of the drop, for all
/// shapes, ground classes and schemes, on even and on rough ground.
#[test]
fn energy_does_not_grow() {
    let shapes = ["cube", "equant", "platy", "long", "sphere", "octahedron", "hexagonal_prism"];
    let grounds = ["extra_soft", "soft", "medium_soft", "medium", "medium_hard", "hard", "extra_hard", "snow"];
    let bump = |x: f64, y: f64| 0.08 * ((7.0 * x + 3.0 * y).sin() + (4.0 * x - 5.0 * y).cos());
    let rises: Vec<(f64, String)> = (0..112_u64)
        .into_par_iter()
        .map(|k| {
            let mut rng = ChaCha8Rng::seed_from_u64(14);
            rng.set_stream(k);
            let (shape, ground) = (shapes[k as usize % shapes.len()], grounds[k as usize % grounds.len()]);
            let rough = if k % 3 == 0 { 1.0 } else { 0.0 };
            let slope = rng.random_range(25.0..42_f64).to_radians().tan();
            let surface = terrain(121, 61, 1.0, |x, y| slope * (100.0 - x).max(0.0) + rough * bump(x, y));
            let mut scene = Scene::new(surface, class(ground));
            scene.integrator = if k % 5 == 0 { Integrator::Explicit } else { Integrator::Implicit };
            scene.stop.max_time_s = 12.0;
            let rock = rock(shape, rng.random_range(100.0..3000.0));
            let turned = UnitQuaternion::new_normalize(Quaternion::from([(); 4].map(|()| rng.random_range(-1.0..1.0))));
            let start = start(Vector3::new(10.0, 30.0, slope * 90.0 + 3.0), turned);
            let energy = rock.mass_kg * G * start.position.z;
            let mut gain = Gain { mass_kg: rock.mass_kg, least: energy, gain: 0.0 };
            let outcome = simulate(&scene, &rock, &start, &GroundScale::default(), &mut gain);
            let drop = rock.mass_kg * G * (start.position.z - outcome.end.position.z);
            (gain.gain / drop, format!("{shape} on {ground}, {slope:.2}, rough {rough}, {:?}", scene.integrator))
        })
        .collect();
    let (worst, which) = rises.iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    println!("largest rise {worst:e} of the drop: {which}");
    assert!(*worst < 1e-4, "{worst:e} of the drop: {which}");
}
