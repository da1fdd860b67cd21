//! Random rocks on random terrains: nothing becomes NaN, no step gains energy beyond the stated allowance, and no vertex is
//! deeper than the stated bound.

use couloir::dynamics::percussions::energy_gain_allowance;
use couloir::dynamics::push_out::PENETRATION_M;
use couloir::dynamics::{Integrator, Scene};
use couloir::rock::Shape;
use couloir::terrain::{Forest, Ground, ParameterField, Scarring};
use couloir::trajectory::{StopReason, trace};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use proptest::prelude::*;

use crate::support::*;

fn vector(range: f64) -> impl Strategy<Value = Vector3<f64>> {
    [-range..range, -range..range, -range..range].prop_map(Vector3::from)
}

fn orientation() -> impl Strategy<Value = UnitQuaternion<f64>> {
    [-1.0..1.0_f64, -1.0..1.0, -1.0..1.0, -1.0..1.0]
        .prop_filter("a direction", |q| q.iter().map(|x| x * x).sum::<f64>() > 0.01)
        .prop_map(|[w, i, j, k]| UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k)))
}

fn cloud() -> impl Strategy<Value = Vec<Vector3<f64>>> {
    prop::collection::vec(vector(1.0), 6..30)
        .prop_filter("a body", |points| Shape::from_points(points).is_ok_and(|s| s.with_mass(1.0, 1.0).is_ok()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_rocks_on_random_terrains_behave(
        points in cloud(),
        mass in 10.0..20_000.0_f64,
        heights in prop::collection::vec(-1.0..1.0_f64, 31 * 31),
        cell in 0.5..5.0_f64,
        roughness in 0.0..0.5_f64,
        slope in 0.0..1.2_f64,
        turned in orientation(),
        velocity in vector(20.0),
        omega in vector(15.0),
        (mu_min, mu_gain, kappa) in (0.0..1.0_f64, 0.0..1.5_f64, 0.0..4.0_f64),
        (epsilon_n, epsilon_t) in (prop_oneof![Just(0.0), 0.0..0.8_f64], prop_oneof![Just(0.0), 0.0..0.3_f64]),
        forest in prop::option::of(10.0..1000.0_f64),
        soil in prop::option::of(500.0..20_000.0_f64),
        explicit in any::<bool>(),
    ) {
        let surface = terrain(31, 31, cell, |x, y| {
            let k = (y / cell).round() as usize * 31 + (x / cell).round() as usize;
            slope * (30.0 * cell - x) + roughness * cell * heights[k]
        });
        let mut ground = Ground::uniform(mu_min, mu_min + mu_gain, 150.0, kappa).with_restitution(epsilon_n, epsilon_t);
        let constant = ParameterField::Constant;
        ground.scarring = soil.map(|me| Scarring {
            me_kn_m2: constant(me), drag_coefficient: constant(1.5), density_kg_m3: constant(1700.0),
        });
        let mut scene = Scene::new(surface, ground);
        scene.forest = forest.map(|c| Forest {
            drag_kg_s: constant(c), height_m: constant(3.0), rotational_drag_kg_m2_s: constant(0.1 * c),
        });
        scene.integrator = if explicit { Integrator::Explicit } else { Integrator::Implicit };
        scene.stop.max_time_s = 4.0;
        let rock = Shape::from_points(&points).unwrap().with_mass(mass, 2700.0).unwrap();
        let centre = Vector3::new(12.0 * cell, 15.0 * cell, 0.0);
        let height = scene.surface.height(centre.x, centre.y).unwrap() + 1.5 * rock.bounding_radius;
        let mut start = start(Vector3::new(centre.x, centre.y, height), turned);
        start.velocity = velocity;
        start.omega = omega;

        let dt = scene.time_step_s;
        let mut failure = None;
        let mut fastest = 0.0_f64;
        let outcome = trace(&scene, &rock, &start, &Default::default(), |traced| {
            let Some(info) = traced.step else { return };
            let energy = &info.energy;
            let kinetic_before = traced.sample.kinetic_energy_j - energy.kinetic_change;
            let gain = energy.kinetic_change + energy.potential_change;
            let lifted = rock.mass_kg * G * info.pushed_out_m;
            // Pushing the rock out of the ground may give back at most its height.
            let allowed = energy_gain_allowance(rock.mass_kg, G, dt, kinetic_before) + energy.correction.max(0.0);
            if gain > allowed {
                failure.get_or_insert(format!("gains {gain} J, allowed {allowed}, {info:?}"));
            }
            let scale = kinetic_before.abs() + rock.mass_kg * G * traced.sample.position.z.abs() + lifted + 1.0;
            if energy.residual().abs() > 1e-9 * scale {
                failure.get_or_insert(format!("energy balance open by {} J, {info:?}", energy.residual()));
            }
            if energy.drag > 0.0 {
                failure.get_or_insert(format!("drag adds {} J", energy.drag));
            }
            // The fastest vertex drives itself in for up to a step before the contact is seen and answered. Steep ground turns
            // sideways motion into vertical depth: nodes differ by up to 2 × roughness over a cell, both ways.
            let speed = traced.sample.velocity.norm() + traced.sample.omega.norm() * rock.bounding_radius;
            let steepness = (slope + 2.0 * roughness).hypot(2.0 * roughness);
            let bound = (PENETRATION_M + 1.5 * dt * speed.max(fastest)) * (1.0 + steepness);
            fastest = speed;
            let body = &traced.fall.body;
            let gap = |v: &Vector3<f64>| scene.surface.gap(&(body.position + body.orientation * v));
            let lowest = rock.vertices.iter().filter_map(gap).fold(f64::INFINITY, f64::min);
            let depth = -lowest - body.scar_depth.unwrap_or(0.0);
            if depth > bound {
                failure.get_or_insert(format!("{depth} m deep, bound {bound}, {info:?}"));
            }
        });
        prop_assert!(failure.is_none(), "{}", failure.unwrap());
        prop_assert!(outcome.stop != StopReason::Diverged);
        prop_assert!(outcome.end.position.iter().all(|x| x.is_finite()));
    }
}
