//! Whole trajectories under the restitution laws.

use couloir::dynamics::{ContactModel, Scene, Start};
use couloir::rock::Shape;
use couloir::terrain::{Field, Ground, GroundScale, Lattice, Surface};
use couloir::trajectory::{Action, Observer, Sample, StopReason, simulate};
use nalgebra::{UnitQuaternion, Vector3};

/// Sees that no step makes time run backwards.
struct Clock(f64);

impl Observer for Clock {
    fn step(&mut self, before: &Sample, after: &Sample) -> Action {
        assert!(after.time_s >= before.time_s && before.time_s >= self.0);
        self.0 = before.time_s;
        Action::Continue
    }
}

fn flat(contact: ContactModel) -> Scene {
    let lattice = Lattice { nx: 201, ny: 41, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
    let surface = Surface::new(Field { lattice, values: vec![0.0; lattice.len()] }).unwrap();
    Scene { contact, ..Scene::new(surface, Ground::uniform(0.6, 0.6, 0.0, 0.0)) }
}

/// Every rock ends at rest on flat ground.
#[test]
fn whole_trajectories_end_at_rest() {
    let block = Shape::from_preset("cuboid").unwrap().with_axes([1.2, 0.9, 0.5], 2700.0).unwrap();
    let ball = Shape::from_preset("sphere").unwrap().with_axes([0.8; 3], 2700.0).unwrap();
    let start = Start {
        position: Vector3::new(50.0, 20.0, 4.0),
        orientation: UnitQuaternion::identity(),
        velocity: Vector3::new(4.0, 1.0, 0.0),
        omega: Vector3::new(1.0, 2.0, 0.5),
    };
    for contact in [ContactModel::Rocfall3, ContactModel::Lumped] {
        for rock in [&block, &ball] {
            let outcome = simulate(&flat(contact), rock, &start, &GroundScale::default(), &mut Clock(0.0));
            assert_eq!(outcome.stop, StopReason::AtRest, "{contact:?} {} after {} s", rock.name, outcome.end.time_s);
        }
    }
}
