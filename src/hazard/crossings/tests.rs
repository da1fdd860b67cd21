use super::*;
use crate::hazard::lines::{Barrier, Line};
use crate::rock::Shape;
use crate::terrain::{Field, Ground, Lattice};
use nalgebra::UnitQuaternion;

fn sphere(radius: f64, mass_kg: f64) -> Rock {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let shape = Shape::from_preset("sphere").expect("exists");
    shape.with_mass(mass_kg, mass_kg / volume).expect("is a rock")
}

fn flat() -> Scene {
    let lattice = Lattice { nx: 3, ny: 3, x0: 0.0, y0: 0.0, dx: 50.0, dy: 50.0 };
    let surface = Surface::new(Field { lattice, values: vec![0.0; 9] }).expect("is a surface");
    Scene::new(surface, Ground::uniform(0.5, 0.5, 0.0, 0.0))
}

fn sample(rock: &Rock, time_s: f64, position: Vector3<f64>, velocity: Vector3<f64>) -> Sample {
    Sample {
        time_s,
        position,
        orientation: UnitQuaternion::identity(),
        velocity,
        omega: Vector3::zeros(),
        kinetic_energy_j: 0.5 * rock.mass_kg * velocity.norm_squared(),
        jump_height_m: position.z - rock.bounding_radius,
        airborne: position.z > rock.bounding_radius,
    }
}

fn lines(barriers: &[(f64, f64, f64)]) -> LineSet {
    let line = |x: f64, name: &str, role| Line {
        name: name.into(),
        role,
        segment_m: None,
        parts: vec![vec![[x, -50.0], [x, 50.0]]],
    };
    let mut all = vec![line(10.0, "road", Role::Record)];
    all.extend(barriers.iter().map(|&(x, height_m, capacity_j)| {
        line(x, "net", Role::Barrier(Barrier { height_m, capacity_j, takes_capacity: true }))
    }));
    LineSet::new([0.0; 2], all)
}

/// A level flight at 20 m/s, 45° to the lines, centre 2 m above flat ground at height 0.
fn fly(lines: &LineSet, rock: &Rock, act: bool) -> (Vec<Crossing>, Vec<Action>, bool) {
    let scene = flat();
    let mut watch = LineWatch::new(lines, &scene, rock, 7, act);
    let mut velocity = Vector3::new(20.0, 20.0, 0.0) / 2f64.sqrt();
    let mut at = sample(rock, 0.0, Vector3::new(0.0, 0.0, 2.0), velocity);
    let mut actions = Vec::new();
    for step in 1..=1000 {
        let next = sample(rock, step as f64 * 0.002, at.position + 0.002 * velocity, velocity);
        let action = watch.step(&at, &next);
        at = next;
        match action {
            Action::Continue => continue,
            Action::Stop => {
                actions.push(action);
                break;
            }
            Action::Scale(factor) => {
                velocity *= factor;
                at = sample(rock, at.time_s, at.position, velocity);
                actions.push(action);
            }
        }
    }
    let acts = watch.barrier_acts();
    (watch.into_crossings(), actions, acts)
}

/// Incidence is measured from the normal of the line, inclination downwards.
#[test]
fn angles_of_a_falling_rock_have_their_signs() {
    let (rock, scene, lines) = (sphere(0.5, 1000.0), flat(), lines(&[]));
    let down = 20.0 * 20f64.to_radians().tan();
    for (vertical, inclination_deg) in [(-down, 20.0), (down, -20.0)] {
        let velocity = Vector3::new(20.0 * 30f64.to_radians().cos(), 10.0, vertical);
        let mut watch = LineWatch::new(&lines, &scene, &rock, 7, true);
        let before = sample(&rock, 0.0, Vector3::new(9.999, 0.0, 5.0), velocity);
        let after = sample(&rock, 0.0002, before.position + 0.0002 * velocity, velocity);
        assert_eq!(watch.step(&before, &after), Action::Continue);
        let c = &watch.into_crossings()[0];
        // In 0.2 ms gravity turns the way by less than 0.01°.
        assert!((c.incidence_deg - 30.0).abs() < 0.01, "{}", c.incidence_deg);
        assert!((c.inclination_deg - inclination_deg).abs() < 0.01, "{}", c.inclination_deg);
    }
}

/// Beside the terrain model heights follow from the clearance and the rock's own size.
#[test]
fn heights_beside_the_terrain_are_those_of_the_rock_above_its_lowest_point() {
    let (rock, scene) = (sphere(0.5, 1000.0), flat());
    let parts = vec![vec![[-200.0, -50.0], [-200.0, 50.0]]];
    let road = Line { name: "road".into(), role: Role::Record, segment_m: None, parts };
    let lines = LineSet::new([0.0; 2], vec![road]);
    let velocity = Vector3::new(20.0, 0.0, 0.0);
    let mut watch = LineWatch::new(&lines, &scene, &rock, 7, true);
    let before = sample(&rock, 0.0, Vector3::new(-200.01, 0.0, 5.0), velocity);
    let after = sample(&rock, 0.002, Vector3::new(-199.97, 0.0, 5.0), velocity);
    watch.step(&before, &after);
    let c = &watch.into_crossings()[0];
    let heights = [c.lowest_height_m, c.centre_height_m, c.top_height_m];
    assert!(heights.iter().zip([4.5, 5.0, 5.5]).all(|(found, wanted)| (found - wanted).abs() < 1e-3), "{heights:?}");
}

/// The second of two nets in one step meets what the first has left.
#[test]
fn two_nets_in_one_step_take_their_capacities_one_after_the_other() {
    let (rock, scene, lines) = (sphere(0.5, 1000.0), flat(), lines(&[(20.01, 4.0, 50_000.0), (20.02, 4.0, 50_000.0)]));
    let velocity = Vector3::new(20.0, 0.0, 0.0);
    let mut watch = LineWatch::new(&lines, &scene, &rock, 7, true);
    let before = sample(&rock, 0.0, Vector3::new(20.0, 0.0, 2.0), velocity);
    let after = sample(&rock, 0.002, Vector3::new(20.04, 0.0, 2.0), velocity);
    let Action::Scale(factor) = watch.step(&before, &after) else { panic!("must lose energy") };
    assert!((factor * factor - 0.5).abs() < 1e-3, "{factor}");
    let energies: Vec<f64> = watch.into_crossings().iter().map(|c| c.kinetic_energy_j).collect();
    assert!((energies[0] - 200_000.0).abs() < 200.0 && (energies[1] - 150_000.0).abs() < 200.0, "{energies:?}");
}

#[test]
fn a_crossing_holds_what_was_true_at_the_line() {
    let rock = sphere(0.5, 1000.0);
    let (crossings, actions, _) = fly(&lines(&[]), &rock, true);
    assert!(actions.is_empty());
    assert_eq!(crossings.len(), 1);
    let c = &crossings[0];
    assert!((c.position.x - 10.0).abs() < 1e-9 && (c.chainage_m - 60.0).abs() < 1e-9);
    assert!((c.kinetic_energy_j - 200_000.0).abs() < 1e-6 && (c.velocity_m_s - 20.0).abs() < 1e-9);
    assert!((c.incidence_deg - 45.0).abs() < 1e-9 && c.inclination_deg.abs() < 1e-9);
    assert!((c.lowest_height_m - 1.5).abs() < 1e-9);
    assert!((c.centre_height_m - 2.0).abs() < 1e-9 && (c.top_height_m - 2.5).abs() < 1e-9);
    assert!(c.left_to_right && c.trajectory == 7 && c.count == 1 && c.fate.is_none());
}

#[test]
fn a_strong_and_high_barrier_stops_the_rock_and_nothing_behind_it_is_crossed() {
    let rock = sphere(0.5, 1000.0);
    let set = lines(&[(5.0, 3.0, 250_000.0)]);
    let (crossings, actions, _) = fly(&set, &rock, true);
    assert_eq!(actions, [Action::Stop]);
    assert_eq!(crossings.iter().map(|c| c.fate).collect::<Vec<_>>(), [Some(Fate::Stopped)]);
    // Without the barrier acting the rock goes on to the road, and the watch says the runs differ.
    let (crossings, actions, acts) = fly(&set, &rock, false);
    assert!(actions.is_empty() && acts);
    assert_eq!(crossings.iter().map(|c| c.fate).collect::<Vec<_>>(), [Some(Fate::Stopped), None]);
}

#[test]
fn a_weak_barrier_takes_its_capacity_and_a_low_one_nothing() {
    let rock = sphere(0.5, 1000.0);
    let (crossings, actions, _) = fly(&lines(&[(5.0, 3.0, 50_000.0)]), &rock, true);
    assert_eq!(crossings[0].fate, Some(Fate::BrokeThrough));
    assert!((crossings[1].kinetic_energy_j - 150_000.0).abs() < 1e-6, "{}", crossings[1].kinetic_energy_j);
    assert!(matches!(actions[..], [Action::Scale(f)] if (f * f - 0.75).abs() < 1e-12));
    let (crossings, actions, acts) = fly(&lines(&[(5.0, 1.9, 1e9)]), &rock, true);
    assert_eq!(crossings[0].fate, Some(Fate::PassedOver));
    assert!(actions.is_empty() && !acts);
}

#[test]
fn crossings_survive_encoding_to_the_bit() {
    let rock = sphere(0.5, 1000.0);
    let (crossings, ..) = fly(&lines(&[(5.0, 3.0, 50_000.0)]), &rock, true);
    let mut bytes = Vec::new();
    crossings.iter().for_each(|c| c.encode(&mut bytes));
    let mut rest = &bytes[..];
    let back: Vec<Crossing> = std::iter::from_fn(|| Crossing::decode(&mut rest)).collect();
    assert_eq!(back, crossings);
    assert!(rest.is_empty());
    assert!(Crossing::decode(&mut &bytes[..20]).is_none());
}
