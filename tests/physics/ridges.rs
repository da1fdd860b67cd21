//! Ridges, notches, steps, spikes and crevices hit by rocks of all shapes: nothing gets through.

use couloir::dynamics::sides::Sides;
use couloir::dynamics::{Scene, Stepping, TerrainNodes};
use couloir::rock::{Rock, Shape};
use couloir::terrain::{Ground, GroundScale, Surface};
use couloir::trajectory::{Sample, Start, StopReason, Unobserved, simulate, trace};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::support::*;

const CELLS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 5.0, 10.0];
const FORMS: [&str; 7] = ["ridge", "oblique ridge", "wide ridge", "notch", "step", "spikes", "crevice"];
const ROCKS: [&str; 9] = ["needle", "plate", "prism", "cuboid", "cube", "equant", "platy", "long", "sphere"];

fn draw_rock(kind: &str, rng: &mut ChaCha8Rng) -> Rock {
    let size = rng.random_range(0.4..1.6);
    match kind {
        "needle" => cuboid([4.0, 0.3, 0.3]),
        "plate" => cuboid([2.0, 2.0, 0.1]),
        "prism" => rock("hexagonal_prism", 2000.0 * size),
        "cuboid" => cuboid([1.5 * size, size, 0.5 * size]),
        "cube" => cuboid([size, size, size]),
        name => rock(name, 800.0 * size),
    }
}

/// A landform of some height across the middle of a terrain, one cell wide (the wide ridge: two).
fn landform(form: &str, cell: f64, height: f64, slope: f64) -> Surface {
    let (nx, ny) = ((60.0_f64 / cell).max(24.0) as usize + 1, (24.0_f64 / cell).max(16.0) as usize + 1);
    let middle = (nx / 2) as i64;
    terrain(nx, ny, cell, |x, y| {
        let (column, row) = ((x / cell).round() as i64 - middle, (y / cell).round() as i64);
        let stands = match form {
            "ridge" => column == 0,
            "oblique ridge" => (column - (row - ny as i64 / 2)).abs() <= 1,
            "wide ridge" => (0..2).contains(&column),
            "notch" => (-3..4).contains(&column) && column != 0,
            "step" => column >= 0,
            "spikes" => column.rem_euclid(2) == 0 && row % 2 == 0 && (-2..3).contains(&column),
            _ => !(0..2).contains(&column),
        };
        -slope * x + if stands { height } else { 0.0 }
    })
}

/// How deep ground stands in a rock, m: a fine sample of points and all nodes below it.
fn ground_inside(surface: &Surface, rock: &Rock, sides: &Sides, sample: &Sample) -> f64 {
    let (radius, turn) = (rock.bounding_radius, sample.orientation.inverse());
    let inside = |x: f64, y: f64| {
        let Some(height) = surface.height(x, y) else { return f64::NEG_INFINITY };
        let point = Vector3::new(x, y, height) - sample.position;
        if point.norm() > radius {
            return f64::NEG_INFINITY;
        }
        if let Some(radius) = rock.sphere_radius {
            return radius - point.norm();
        }
        let point = turn * point;
        sides.planes.iter().map(|plane| plane.offset - plane.normal.dot(&point)).fold(f64::INFINITY, f64::min)
    };
    let cell = surface.lattice().dx;
    let (x, y) = (sample.position.x, sample.position.y);
    let mut deepest = f64::NEG_INFINITY;
    let range = |centre: f64, by: f64| ((centre - radius) / by).ceil() as i64..=((centre + radius) / by).floor() as i64;
    // Crests and nodes, and points between them.
    let fine = (radius / 12.0).min(cell);
    let fine = cell / (cell / fine).round();
    for i in range(x, fine) {
        for j in range(y, fine) {
            deepest = f64::max(deepest, inside(i as f64 * fine, j as f64 * fine));
        }
    }
    deepest
}

struct Fate {
    what: String,
    /// How far the centre of mass was below ground, m.
    sunk: f64,
    /// How deep ground stood in the rock, as a share of its inner radius.
    pierced: f64,
    /// As a share of the energy it had.
    gained: f64,
}

fn throw(number: u64, adapt: &impl Fn(&mut Scene)) -> Fate {
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    let cell = CELLS[rng.random_range(0..CELLS.len())];
    let form = FORMS[rng.random_range(0..FORMS.len())];
    let kind = ROCKS[number as usize % ROCKS.len()];
    let rock = draw_rock(kind, &mut rng);
    let (height, slope) = (rng.random_range(0.5..8.0), rng.random_range(0.0..0.6));
    let mut scene = scene(landform(form, cell, height, slope), rng.random_range(0.1..0.8), 0.0);
    scene.stop.max_time_s = 1.5;
    adapt(&mut scene);
    let lattice = *scene.surface.lattice();
    let (middle, width) = ((lattice.nx / 2) as f64 * cell, lattice.ny as f64 * cell);
    let before = rock.bounding_radius + rng.random_range(0.0..3.0) + 2.0 * cell;
    let (x, y) = (middle - before, width * rng.random_range(0.35..0.65));
    let ground = scene.surface.height(x, y).unwrap();
    let z = ground + rock.bounding_radius + rng.random_range(0.0..height + 1.0);
    let speed = rng.random_range(5.0..60.0);
    let (aside, down) = (rng.random_range(-0.3..0.3), rng.random_range(-0.5..0.2));
    let start = Start {
        position: Vector3::new(x, y, z),
        orientation: UnitQuaternion::new_normalize(Quaternion::from([(); 4].map(|()| rng.random_range(-1.0..1.0)))),
        velocity: Vector3::new(1.0, aside, down).normalize() * speed,
        omega: Vector3::from([(); 3].map(|()| rng.random_range(-17.0..17.0))),
    };
    let sides = Sides::new(&rock);
    let inner = sides.inner_radius(&rock);
    let what = format!("{number}: {kind} at {speed:.0} m/s, {form} of {height:.1} m, cells of {cell} m");
    let mut fate = Fate { what, sunk: f64::MIN, pierced: 0.0, gained: 0.0 };
    let energy = |s: &Sample| s.kinetic_energy_j + rock.mass_kg * G * s.position.z;
    let (mut least, mut available) = (f64::INFINITY, 0.0_f64);
    trace(&scene, &rock, &start, &Default::default(), |traced| {
        let sample = traced.sample;
        let rim = |at: f64, count: usize| at.min((count - 1) as f64 * cell - at) < rock.bounding_radius;
        if rim(sample.position.x, lattice.nx) || rim(sample.position.y, lattice.ny) {
            return;
        }
        if let Some(ground) = scene.surface.height(sample.position.x, sample.position.y) {
            fate.sunk = fate.sunk.max(ground - sample.position.z);
        }
        let inside = ground_inside(&scene.surface, &rock, &sides, sample);
        fate.pierced = fate.pierced.max(inside / inner);
        least = least.min(energy(sample));
        available = available
            .max(rock.kinetic_energy(&start.velocity, &start.omega) + rock.mass_kg * G * (z - sample.position.z));
        fate.gained = fate.gained.max((energy(sample) - least) / available.max(1e-9));
    });
    fate
}

/// Throws many rocks; prints the worst and returns how many had their centre of mass below ground, how many were pierced, and
/// how many gained energy.
fn report(name: &str, numbers: std::ops::Range<u64>, adapt: impl Fn(&mut Scene) + Sync) -> [usize; 3] {
    let mut fates: Vec<Fate> = numbers.into_par_iter().map(|number| throw(number, &adapt)).collect();
    let sunk = fates.iter().filter(|f| f.sunk > 0.0).count();
    let pierced = fates.iter().filter(|f| f.pierced > 0.6).count();
    let gained = fates.iter().filter(|f| f.gained > 1e-4).count();
    println!(
        "{name}: of {} rocks {sunk} with the centre below ground, {pierced} pierced, {gained} gained energy",
        fates.len()
    );
    fates.sort_by(|a, b| b.sunk.total_cmp(&a.sunk));
    fates.iter().take(8).filter(|f| f.sunk > 0.0).for_each(|f| println!("  sunk {:.3} m: {}", f.sunk, f.what));
    fates.sort_by(|a, b| b.pierced.total_cmp(&a.pierced));
    fates.iter().take(12).for_each(|f| println!("  pierced by {:.2}: {}", f.pierced, f.what));
    fates.sort_by(|a, b| b.gained.total_cmp(&a.gained));
    fates.iter().take(3).for_each(|f| println!("  gained {:.1e}: {}", f.gained, f.what));
    [sunk, pierced, gained]
}

/// No rock's centre of mass gets below ground, no ground gets through to a rock's core, and no rock gains energy. Of 11,000 rocks none does (below).
#[test]
fn no_rock_passes_a_ridge() {
    assert_eq!(report("fast", 0..270, |_| ()), [0; 3]);
    assert_eq!(report("plain", 270..360, |scene| scene.stepping = Stepping::Plain), [0; 3]);
}

/// The test can fail: contacts at vertices only, as published, let rocks through.
#[test]
fn vertices_alone_let_needles_through() {
    let [sunk, pierced, _] = report("vertices only", 0..180, |scene| scene.terrain_nodes = TerrainNodes::Never);
    assert!(sunk > 0 && pierced > 5, "{sunk} {pierced}");
}

/// As [`no_rock_passes_a_ridge`], many more: `cargo test --test physics of_many -- --ignored --nocapture`.
#[test]
#[ignore = "minutes"]
fn of_many_rocks_none_passes() {
    assert_eq!(report("fast", 1000..10_000, |_| ()), [0; 3]);
    assert_eq!(report("plain", 10_000..12_000, |scene| scene.stepping = Stepping::Plain), [0; 3]);
}

/// Where a rock comes to rest nothing of the ground stands deeper than 5 mm in it: not in a block of 20 m³ on cells of half a
/// metre, nor in a cube of half a metre on cells of two.
#[test]
fn at_rest_no_ground_stands_in_a_rock() {
    let block = Shape::from_preset("cuboid").unwrap().with_volume(20.0, 2700.0).unwrap();
    let (needle, plate, cube) = (cuboid([4.0, 0.3, 0.3]), cuboid([2.0, 2.0, 0.1]), cuboid([0.5, 0.5, 0.5]));
    let cases =
        [(&block, 0.5), (&block, 2.0), (&needle, 0.5), (&needle, 2.0), (&plate, 1.0), (&cube, 2.0), (&cube, 0.25)];
    let (numbers, sides) = ((0..84_u64).into_par_iter(), cases.map(|(rock, _)| Sides::new(rock)));
    let deepest = numbers.map(|number| {
        let case = number as usize % cases.len();
        let (rock, cell) = cases[case];
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let nodes = (30.0 / cell) as usize + 1;
        let rough: Vec<f64> = (0..nodes * nodes).map(|_| 0.25 * cell * rng.random_range(-1.0..1.0)).collect();
        // Rough ground, or a single crest.
        let ground = |x: f64, y: f64| match number % 3 {
            0 => -0.5 * (x - 15.0).abs(),
            _ => rough[(y / cell).round() as usize * nodes + (x / cell).round() as usize],
        };
        let mut scene = scene(terrain(nodes, nodes, cell, ground), 0.9, 0.0);
        scene.stop.max_time_s = 30.0;
        let place = Vector3::new(rng.random_range(14.5..15.5), rng.random_range(12.0..18.0), 3.0);
        let (samples, outcome) = run(&scene, rock, &start(place, upright(rock)));
        let end = samples.last().unwrap();
        (outcome.stop == StopReason::AtRest)
            .then(|| (ground_inside(&scene.surface, rock, &sides[case], end), format!("{number}, cells of {cell} m")))
    });
    let mut resting: Vec<_> = deepest.flatten().collect();
    resting.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{} rocks at rest, the deepest {:?}", resting.len(), &resting[..5]);
    assert!(resting.len() > 60 && resting[0].0 < 0.005, "{} {:?}", resting.len(), resting[0]);
}

/// Of 6,000 such rocks 30 had come to rest with up to 53 mm of ground in them, the six first ones here among them: an edge was lowest over a patch beside a
/// crest that it did not rest on, so that neither the crest nor the patch, which hardly rose above it, held it. Now the deepest is 0.9 mm.
#[test]
fn at_rest_an_edge_beside_a_crest_is_held() {
    let found = [486, 753, 1515, 2700, 3369, 4731_u64];
    let numbers: Vec<u64> = found.into_iter().chain(0..24).collect();
    let deepest = numbers.into_par_iter().map(|number| {
        let rock = odd_rock(number % 3);
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let (nodes, cell) = (81, 0.25);
        let heights: Vec<f64> = (0..nodes * nodes).map(|_| 0.06 * rng.random_range(-1.0..1.0)).collect();
        let ground = |x: f64, y: f64| heights[(y / cell).round() as usize * nodes + (x / cell).round() as usize];
        let friction = Ground::uniform(0.5, 2.0, 150.0, 2.0);
        let mut scene = Scene::new(terrain(nodes, nodes, cell, ground), friction);
        scene.stop.max_time_s = 30.0;
        let turned = loop {
            let q = Quaternion::from([(); 4].map(|()| rng.random_range(-1.0..1.0)));
            if (0.01..=1.0).contains(&q.norm_squared()) {
                break UnitQuaternion::new_normalize(q);
            }
        };
        let start = Start { velocity: Vector3::x(), ..start(Vector3::new(10.0, 10.0, 1.0), turned) };
        let outcome = simulate(&scene, &rock, &start, &GroundScale::default(), &mut Unobserved);
        assert_eq!(outcome.stop, StopReason::AtRest, "{number}");
        (ground_inside(&scene.surface, &rock, &Sides::new(&rock), &outcome.end), number)
    });
    let (deepest, number) = deepest.reduce(|| (0.0, 0), |a, b| if a.0 > b.0 { a } else { b });
    println!("the deepest {deepest} m, {number}");
    assert!(deepest < 0.002, "{number}: {deepest} m");
}

/// A tetrahedron, a plate or a cuboid of 40 litres.
fn odd_rock(kind: u64) -> Rock {
    let corners = |[x, y, z]: [f64; 3]| {
        let signs = [-1.0, 1.0];
        signs.iter().flat_map(|a| signs.map(|b| signs.map(|c| Vector3::new(a * x, b * y, c * z)))).flatten().collect()
    };
    let points: Vec<Vector3<f64>> = match kind {
        0 => [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(Vector3::from).to_vec(),
        1 => corners([1.0, 1.0, 0.12]),
        _ => corners([3.0, 2.0, 1.0]),
    };
    Shape::from_points(&points).unwrap().with_volume(0.04, 2700.0).unwrap()
}

/// On a plane looking between the vertices finds nothing: the same fall to the bit.
#[test]
fn on_a_plane_vertices_are_enough() {
    for (name, stepping) in [("eota_221", Stepping::Fast), ("cuboid", Stepping::Plain), ("equant", Stepping::Fast)] {
        let mut scene = Scene { stepping, ..scene(incline(35.0), 0.5, 0.0) };
        let rock = rock(name, 780.0);
        let turned = UnitQuaternion::from_euler_angles(0.3, 0.8, 1.1) * upright(&rock);
        let mut fall = |nodes| {
            scene.terrain_nodes = nodes;
            run_for(&scene, &rock, &start(Vector3::new(50.0, 100.0, -30.0), turned), 6.0).0
        };
        assert!(fall(TerrainNodes::Auto) == fall(TerrainNodes::Never), "{name}");
    }
}
