//! What must not matter: where the origin lies, where north is, left and right, the numbering of vertices.

use couloir::dynamics::Scene;
use couloir::rock::Rock;
use couloir::terrain::{Field, Lattice, Surface};
use couloir::trajectory::{Sample, Start};
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use crate::support::*;

const N: usize = 81;
const CELL: f64 = 2.0;

fn hill(x: f64, y: f64) -> f64 {
    80.0 - 0.45 * x - 0.1 * y + 0.4 * (0.35 * x + 0.2 * y).sin() + 0.3 * (0.5 * y - 0.1 * x).cos()
}

fn hill_scene(height: impl Fn(f64, f64) -> f64) -> Scene {
    let mut scene = scene(terrain(N, N, CELL, height), 0.4, 0.0);
    scene.ground.mu_max = couloir::terrain::ParameterField::Constant(1.2);
    scene.ground.kappa_per_m = couloir::terrain::ParameterField::Constant(2.0);
    scene.ground.beta_per_s = couloir::terrain::ParameterField::Constant(100.0);
    scene
}

fn release() -> Start {
    Start {
        position: Vector3::new(60.0, 80.0, hill(60.0, 80.0) + 3.0),
        orientation: UnitQuaternion::from_euler_angles(0.4, 1.0, -0.7),
        velocity: Vector3::new(3.0, 1.0, 0.0),
        omega: Vector3::new(1.0, -2.0, 3.0),
    }
}

/// Rounding grows by chaos: two seconds with several impacts stay far below a millimetre.
const TIME_S: f64 = 2.0;

fn assert_same(a: &[Sample], b: &[Sample], map: impl Fn(Vector3<f64>) -> Vector3<f64>, limit: f64) {
    assert_eq!(a.len(), b.len());
    let worst = a.iter().zip(b).map(|(a, b)| (map(a.position) - b.position).norm()).fold(0.0, f64::max);
    assert!(worst < limit, "the trajectories part by {worst} m");
    let energies =
        a.iter().zip(b).map(|(a, b)| (a.kinetic_energy_j / b.kinetic_energy_j - 1.0).abs()).fold(0.0, f64::max);
    assert!(energies < 1e-3, "{energies}");
}

/// The lattice's world origin never enters: bit for bit the same.
#[test]
fn shifting_the_world_changes_nothing() {
    let rock = rock("eota_221", 780.0);
    let here = hill_scene(hill);
    let mut there = here.clone();
    let values = (0..N * N).map(|k| hill((k % N) as f64 * CELL, (k / N) as f64 * CELL)).collect();
    let lattice = Lattice { x0: 2_712_345.5, y0: 1_187_654.25, ..*here.surface.lattice() };
    there.surface = Surface::new(Field { lattice, values }).unwrap();
    let (a, _) = run_for(&here, &rock, &release(), TIME_S);
    let (b, _) = run_for(&there, &rock, &release(), TIME_S);
    assert_eq!(a, b);
}

/// Moving the release by whole cells on a periodic terrain, or the ground up by a kilometre, changes rounding only.
#[test]
fn shifting_rock_and_ground_together_changes_rounding_only() {
    let rock = rock("eota_221", 780.0);
    for integrator in BOTH {
        let here = with_integrator(&hill_scene(hill), integrator);
        let shift = Vector3::new(5.0 * CELL, -3.0 * CELL, 1000.0);
        let there = with_integrator(&hill_scene(|x, y| hill(x - shift.x, y - shift.y) + shift.z), integrator);
        let mut moved = release();
        moved.position += shift;
        let (a, _) = run_for(&here, &rock, &release(), TIME_S);
        let (b, _) = run_for(&there, &rock, &moved, TIME_S);
        assert_same(&a, &b, |p| p + shift, 1e-4);
    }
}

/// Turning the whole scene by a quarter changes rounding only.
#[test]
fn rotating_the_scene_by_a_quarter_changes_rounding_only() {
    let width = (N - 1) as f64 * CELL;
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_2);
    for integrator in BOTH {
        for name in ["eota_221", "long", "sphere"] {
            let rock = rock(name, 780.0);
            // (x, y) → (width − y, x)
            let here = with_integrator(&hill_scene(hill), integrator);
            let there = with_integrator(&hill_scene(|x, y| hill(y, width - x)), integrator);
            let map = |p: Vector3<f64>| Vector3::new(width - p.y, p.x, p.z);
            let a_start = release();
            let b_start = Start {
                position: map(a_start.position),
                orientation: turn * a_start.orientation,
                velocity: turn * a_start.velocity,
                omega: a_start.omega,
            };
            let (a, _) = run_for(&here, &rock, &a_start, TIME_S);
            let (b, _) = run_for(&there, &rock, &b_start, TIME_S);
            assert_same(&a, &b, map, 1e-4);
        }
    }
}

/// The mirror image of a rock on the mirror image of a terrain does the mirror image of the motion.
#[test]
fn mirroring_changes_rounding_only() {
    let width = (N - 1) as f64 * CELL;
    let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, 1.0));
    for integrator in BOTH {
        let rock = rock("platy", 780.0);
        // Mirror the body in its own y as well: then A' = S A S is a rotation and ω' = −S ω.
        let mirrored = Rock {
            vertices: rock.vertices.iter().map(|v| mirror * v).collect(),
            faces: rock.faces.iter().map(|f| [f[0], f[2], f[1]]).collect(),
            ..rock.clone()
        };
        let here = with_integrator(&hill_scene(hill), integrator);
        let there = with_integrator(&hill_scene(|x, y| hill(x, width - y)), integrator);
        let map = |p: Vector3<f64>| Vector3::new(p.x, width - p.y, p.z);
        let a_start = release();
        let rotation = mirror * a_start.orientation.to_rotation_matrix().into_inner() * mirror;
        let b_start = Start {
            position: map(a_start.position),
            orientation: UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation)),
            velocity: mirror * a_start.velocity,
            omega: -(mirror * a_start.omega),
        };
        let (a, _) = run_for(&here, &rock, &a_start, TIME_S);
        let (b, _) = run_for(&there, &mirrored, &b_start, TIME_S);
        assert_same(&a, &b, map, 1e-4);
    }
}

/// Another numbering of the vertices changes the order in which contacts are solved, and nothing else.
#[test]
fn renumbering_vertices_changes_rounding_only() {
    for integrator in BOTH {
        let rock = rock("eota_221", 780.0);
        let last = rock.vertices.len() as u32 - 1;
        let renumbered = Rock {
            vertices: rock.vertices.iter().rev().copied().collect(),
            faces: rock.faces.iter().map(|f| f.map(|k| last - k)).collect(),
            ..rock.clone()
        };
        let scene = with_integrator(&hill_scene(hill), integrator);
        let (a, _) = run_for(&scene, &rock, &release(), TIME_S);
        let (b, _) = run_for(&scene, &renumbered, &release(), TIME_S);
        assert_same(&a, &b, |p| p, 1e-4);
    }
}

/// q and −q are the same orientation.
#[test]
fn the_sign_of_the_quaternion_does_not_matter() {
    let rock = rock("eota_221", 780.0);
    let scene = hill_scene(hill);
    let mut other = release();
    let q = other.orientation;
    other.orientation = UnitQuaternion::new_unchecked(Quaternion::new(-q.w, -q.i, -q.j, -q.k));
    let (a, _) = run_for(&scene, &rock, &release(), TIME_S);
    let (b, _) = run_for(&scene, &rock, &other, TIME_S);
    assert_same(&a, &b, |p| p, 1e-4);
}
