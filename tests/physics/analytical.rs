//! Motions with closed-form solutions.

use couloir::dynamics::Scene;
use couloir::terrain::{Forest, ParameterField};
use couloir::trajectory::StopReason;
use nalgebra::{UnitQuaternion, Vector3};

use crate::support::*;

fn flat(mu: f64, epsilon_n: f64) -> Scene {
    scene(terrain(41, 41, 5.0, |_, _| 0.0), mu, epsilon_n)
}

/// Without ground contact the centre of mass follows the parabola exactly: the midpoint rule integrates it without error.
#[test]
fn flight_is_a_parabola() {
    for integrator in BOTH {
        let scene = with_integrator(&flat(0.5, 0.0), integrator);
        let rock = rock("eota_221", 780.0);
        let mut start = start(Vector3::new(20.0, 100.0, 80.0), UnitQuaternion::from_euler_angles(1.0, 2.0, 3.0));
        start.velocity = Vector3::new(15.0, 3.0, 12.0);
        start.omega = Vector3::new(4.0, 1.0, -9.0);
        let (samples, _) = run_for(&scene, &rock, &start, 4.0);
        for s in &samples {
            let t = s.time_s;
            let exact = start.position + start.velocity * t - Vector3::z() * (0.5 * G * t * t);
            assert!((s.position - exact).norm() < 1e-10, "{t}"); // measured 1e-12
        }
    }
}

/// A sphere dropped from h rises to e²ⁿh after n bounces.
#[test]
fn bounces_rise_to_e_squared_h() {
    let rock = rock("sphere", 780.0);
    let radius = rock.sphere_radius.unwrap();
    let (e, h) = (0.8, 5.0);
    let mut scene = flat(0.0, e);
    scene.time_step_s = 2e-4;
    let (samples, _) =
        run_for(&scene, &rock, &start(Vector3::new(100.0, 100.0, h + radius), UnitQuaternion::identity()), 8.0);
    let tops: Vec<f64> = samples
        .windows(3)
        .filter(|w| w[1].position.z > w[0].position.z && w[1].position.z >= w[2].position.z)
        .map(|w| w[1].position.z - radius)
        .collect();
    for (n, top) in tops.iter().take(4).enumerate() {
        let expected = h * e.powi(2 * (n as i32 + 1));
        assert!((top / expected - 1.0).abs() < 5e-4, "bounce {n}: {top} instead of {expected}"); // measured 3.9e-4 after four
    }
    assert!(tops.len() >= 4);
}

/// A block slides down with g (sin α − μ cos α).
#[test]
fn sliding_block_accelerates_with_friction() {
    for integrator in BOTH {
        for (slope, mu) in [(30.0_f64, 0.2), (45.0, 0.5), (20.0, 0.0)] {
            let alpha = slope.to_radians();
            let scene = with_integrator(&scene(incline(slope), mu, 0.0), integrator);
            let rock = cuboid([1.0, 1.0, 0.3]);
            let centre = Vector3::new(200.0, 100.0, -200.0 * alpha.tan() + 0.15 / alpha.cos());
            let (samples, _) = run_for(&scene, &rock, &start(centre, on_incline(&rock, slope)), 5.0);
            let last = samples.last().unwrap();
            let exact = G * (alpha.sin() - mu * alpha.cos()) * last.time_s;
            assert!(
                (last.velocity.norm() / exact - 1.0).abs() < 1e-12, // measured 1e-13
                "{slope} {mu}: {} {exact}",
                last.velocity.norm()
            );
            assert!(last.omega.norm() < 1e-10, "{}", last.omega); // measured 7e-12
        }
    }
}

/// A block with μ > tan α stays where it is.
#[test]
fn block_sticks_below_the_friction_angle() {
    for integrator in BOTH {
        let slope = 30.0_f64;
        let scene = with_integrator(&scene(incline(slope), 0.6, 0.0), integrator);
        let rock = cuboid([1.0, 1.0, 0.3]);
        let alpha = slope.to_radians();
        let centre = Vector3::new(200.0, 100.0, -200.0 * alpha.tan() + 0.15 / alpha.cos());
        let (samples, outcome) = run(&scene, &rock, &start(centre, on_incline(&rock, slope)));
        assert_eq!(outcome.stop, StopReason::AtRest);
        let moved = (samples.last().unwrap().position - samples[0].position).norm();
        assert!(moved < 1e-9, "{moved}"); // measured 0
    }
}

/// A cuboid on a rough incline topples when its height over its length exceeds 1 / tan α, and stands below.
#[test]
fn cuboid_topples_beyond_the_static_threshold() {
    for integrator in BOTH {
        for (height, topples) in [(1.725, false), (1.738, true)] {
            // tan 30° = 0.577: a block 1 m long topples from 1.732 m height on.
            let slope = 30.0_f64;
            let alpha = slope.to_radians();
            let scene = with_integrator(&scene(incline(slope), 5.0, 0.0), integrator);
            let rock = cuboid([1.0, 1.0, height]);
            let centre = Vector3::new(200.0, 100.0, -200.0 * alpha.tan())
                + on_incline(&rock, slope) * (rock.axes_in_body.inverse() * Vector3::new(0.0, 0.0, 0.5 * height));
            // So little beyond the threshold it begins slowly.
            let (samples, outcome) = run_for(&scene, &rock, &start(centre, on_incline(&rock, slope)), 8.0);
            let turned = samples.iter().map(|s| s.orientation.angle_to(&samples[0].orientation)).fold(0.0, f64::max);
            assert_eq!(turned > 0.5, topples, "height {height}: turned {turned}, {:?}", outcome.stop);
        }
    }
}

/// A sphere that does not slip rolls with 5/7 g sin α.
#[test]
fn sphere_rolls_with_five_sevenths() {
    for integrator in BOTH {
        let slope = 20.0_f64;
        let alpha = slope.to_radians();
        let scene = with_integrator(&scene(incline(slope), 0.8, 0.0), integrator);
        let rock = rock("sphere", 780.0);
        let radius = rock.sphere_radius.unwrap();
        let centre = Vector3::new(100.0, 100.0, -100.0 * alpha.tan() + radius / alpha.cos());
        let (samples, _) = run_for(&scene, &rock, &start(centre, UnitQuaternion::identity()), 5.0);
        let last = samples.last().unwrap();
        let exact = 5.0 / 7.0 * G * alpha.sin() * last.time_s;
        assert!((last.velocity.norm() / exact - 1.0).abs() < 1e-12, "{} {exact}", last.velocity.norm()); // measured 8e-14
        assert!((last.omega.norm() * radius / last.velocity.norm() - 1.0).abs() < 1e-12); // measured 1.4e-14
    }
}

/// In the forest a falling rock tends to m g / c.
#[test]
fn drag_has_a_terminal_velocity() {
    for integrator in BOTH {
        let mut scene = with_integrator(&flat(0.5, 0.0), integrator);
        let constant = ParameterField::Constant;
        scene.forest = Some(Forest {
            drag_kg_s: constant(750.0),
            height_m: constant(1e4),
            rotational_drag_kg_m2_s: constant(50.0),
        });
        let rock = rock("eota_111", 780.0);
        let mut start = start(Vector3::new(100.0, 100.0, 500.0), UnitQuaternion::identity());
        start.omega = Vector3::new(1.0, 5.0, 2.0);
        let (samples, _) = run_for(&scene, &rock, &start, 20.0);
        let last = samples.last().unwrap();
        let terminal = 780.0 * G / 750.0;
        assert!((last.velocity.z + terminal).abs() < 1e-8 * terminal, "{}", last.velocity.z); // measured 4.5e-9 after 20 s
        assert!(last.omega.norm() < 1e-8 * start.omega.norm()); // measured 6.4e-9
        for pair in samples.windows(2) {
            assert!(pair[1].omega.norm() <= pair[0].omega.norm());
        }
    }
}

/// Resting on 3, 4 and 8 vertices the percussions carry the weight and the rock stays.
#[test]
fn rest_on_three_four_and_eight_contacts() {
    let points = |n: usize| -> Vec<Vector3<f64>> {
        let ring = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
        let base = (0..n).map(|k| Vector3::new(ring(k).cos(), ring(k).sin(), 0.0));
        base.chain([Vector3::new(0.1, 0.05, 1.0)]).collect()
    };
    for integrator in BOTH {
        for n in [3, 4, 8] {
            let rock = couloir::rock::Shape::from_points(&points(n)).unwrap().with_mass(500.0, 2700.0).unwrap();
            let scene = with_integrator(&flat(0.5, 0.0), integrator);
            let lowest = rock.vertices.iter().map(|v| (rock.axes_in_body * v).z).fold(f64::MAX, f64::min);
            // Dropped by half a millimetre, so that no vertex hangs above the ground by rounding.
            let centre = Vector3::new(100.0, 100.0, 5e-4 - lowest);
            let mut scene_long = scene.clone();
            scene_long.stop.max_time_s = 2.0;
            scene_long.stop.rest_time_s = f64::INFINITY;
            let mut checked_s = 0.0;
            couloir::trajectory::trace(
                &scene_long,
                &rock,
                &start(centre, upright(&rock)),
                &Default::default(),
                |traced| {
                    let Some(info) = traced.step.filter(|_| traced.sample.time_s > 1.0) else { return };
                    assert_eq!(info.closed as usize, n);
                    assert!(info.solver.unwrap().converged, "{info:?}");
                    let weight = rock.mass_kg * G * info.duration_s;
                    assert!((info.percussion - Vector3::z() * weight).norm() < 1e-8 * weight, "{:?}", info.percussion);
                    assert!(traced.sample.velocity.norm() < 1e-8);
                    checked_s += info.duration_s;
                },
            );
            assert!(checked_s > 0.9);
        }
    }
}
