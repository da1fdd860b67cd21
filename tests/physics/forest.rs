//! A forest acts below its tree tops and nowhere else, whatever the contact model.

use couloir::dynamics::{ContactModel, Stepping};
use couloir::terrain::{Forest, ParameterField};
use nalgebra::Vector3;

use crate::support::{rock, run_for, scene, start, terrain, upright};

/// Horizontal speed after a tenth of a second of flight that begins this far above the ground, with trees of 12 m.
fn speed_after(contact: ContactModel, stepping: Stepping, height_m: f64) -> f64 {
    let mut scene = scene(terrain(60, 60, 2.0, |_, _| 0.0), 0.5, 0.0);
    (scene.contact, scene.stepping) = (contact, stepping);
    let constant = ParameterField::Constant;
    let trees = Forest { drag_kg_s: constant(500.0), height_m: constant(12.0), rotational_drag_kg_m2_s: constant(0.0) };
    scene.forest = Some(trees);
    let rock = rock("eota_111", 800.0);
    let mut start = start(Vector3::new(30.0, 30.0, height_m), upright(&rock));
    start.velocity = Vector3::new(20.0, 0.0, 0.0);
    let (samples, _) = run_for(&scene, &rock, &start, 0.1);
    samples.last().unwrap().velocity.x
}

#[test]
fn above_the_tree_tops_a_forest_does_not_brake() {
    for contact in [ContactModel::NonSmooth, ContactModel::Rocfall3, ContactModel::Lumped] {
        for stepping in [Stepping::Fast, Stepping::Plain] {
            let (above, below) = (speed_after(contact, stepping, 14.0), speed_after(contact, stepping, 11.0));
            assert_eq!(above, 20.0, "{contact:?} {stepping:?}");
            // v exp(−c t / m) for a linear drag; within the tops by the time step.
            let expected = 20.0 * (-500.0 * 0.1 / 800.0_f64).exp();
            assert!((below - expected).abs() < 0.05, "{contact:?} {stepping:?}: {below} instead of {expected}");
        }
    }
}
