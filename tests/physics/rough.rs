//! Roughness below the DEM is ground like any other.

use couloir::dynamics::{Scene, Stepping};
use couloir::hazard::crossings::{Crossing, LineWatch};
use couloir::hazard::lines::{Line, LineSet, Role};
use couloir::hazard::traverse::{CellRecorder, Visit};
use couloir::terrain::{Field, Ground, GroundScale, ParameterField, Relief, Roughness, Surface};
use couloir::trajectory::{Action, Observer, Outcome, Sample, Start, simulate};
use nalgebra::{UnitQuaternion, Vector3};

use crate::support::*;

/// A slope with a foot, on cells of 2 m.
fn slope() -> Surface {
    terrain(71, 41, 2.0, |x, y| if x < 100.0 { -0.7 * x } else { -70.0 - 0.05 * (x - 100.0) } + 0.02 * (y - 40.0).abs())
}

fn roughness(height: ParameterField, spacing: f64, frozen: Option<u64>) -> Roughness {
    Roughness::new(height, ParameterField::Constant(spacing), frozen)
}

/// DEM and roughness of a seed as one DEM.
fn baked(dem: &Surface, roughness: &Roughness, seed: u64) -> Surface {
    let mut relief = Relief::new(dem, roughness, seed);
    relief.look_around(dem, roughness, 0.0, 0.0, 1e4);
    let lattice = *relief.surface().lattice();
    let height = |k: usize| relief.surface().node_height(k % lattice.nx, k / lattice.nx);
    Surface::new(Field { lattice, values: (0..lattice.len()).map(height).collect() }).unwrap()
}

fn starts() -> Vec<Start> {
    let start = |k: usize| {
        let turn = UnitQuaternion::from_euler_angles(0.3 * k as f64, 0.5 * k as f64, 0.7 * k as f64);
        let velocity = Vector3::new(2.0, 0.1 * k as f64, 0.0);
        Start { velocity, ..start(Vector3::new(10.0, 30.0 + k as f64, -3.0), turn) }
    };
    (0..12).map(start).collect()
}

/// Largest jump height.
struct Highest(f64);

impl Observer for Highest {
    fn step(&mut self, _before: &Sample, after: &Sample) -> Action {
        self.0 = self.0.max(after.jump_height_m);
        Action::Continue
    }
}

/// Cells of a rock, with every jump height or only those that matter to them; and in the latter how far jump heights that were left out
/// are above what they are.
struct Mapped<'a> {
    cells: CellRecorder<'a>,
    lines: LineWatch<'a>,
    all: bool,
    wholes: Vec<f64>,
    too_high: f64,
}

impl Observer for Mapped<'_> {
    fn start(&mut self, sample: &Sample) {
        self.cells.start(sample);
    }

    fn enough_m(&self, position: &Vector3<f64>) -> f64 {
        if self.all { 0.0 } else { self.cells.enough_m(position) }
    }

    fn step(&mut self, before: &Sample, after: &Sample) -> Action {
        let whole = self.cells.whole(after).jump_height_m;
        self.wholes.push(whole);
        self.too_high = self.too_high.max(after.jump_height_m - whole);
        self.cells.step(before, after);
        self.lines.step(before, after)
    }
}

/// Jump heights below the largest of their cell are not measured; maps do not see that, and what is asked for is what was left out: over rough ground,
/// where that saves most, over uneven and over even ground.
#[test]
fn jump_heights_that_do_not_matter_are_left_out_and_not_missed() {
    let mut rough = scene(slope(), 0.6, 0.0);
    rough.ground.roughness = Some(roughness(ParameterField::Constant(0.1), 0.8, None));
    maps_miss_nothing("rough", &rough, 30);
    let dem = slope();
    let lattice = *dem.lattice();
    let height = |k: usize| {
        let (column, row) = (k % lattice.nx, k / lattice.nx);
        dem.node_height(column, row) + 0.15 * ((7 * column + 13 * row) as f64).sin()
    };
    let uneven = Surface::new(Field { lattice, values: (0..lattice.len()).map(height).collect() }).unwrap();
    maps_miss_nothing("uneven", &scene(uneven, 0.6, 0.0), 30);
    // Here the ceiling lies on the ground, and tells the height itself.
    maps_miss_nothing("even", &scene(slope(), 0.6, 0.0), 0);
}

/// At least so many of the 48 rocks leave something out that differs by a centimetre.
fn maps_miss_nothing(ground: &str, scene: &Scene, least: usize) {
    let line = |k: usize| {
        let x = 12.0 + 1.5 * k as f64;
        Line { name: k.to_string(), role: Role::Record, segment_m: None, parts: vec![vec![[x, 0.0], [x + 3.0, 80.0]]] }
    };
    let lines = LineSet::new([0.0; 2], (0..60).map(line).collect());
    let (mut crossed, mut low) = (0, 0);
    let (mut cells, mut left_out, mut apart, mut higher) = (0, 0, 0.0_f64, 0.0_f64);
    for name in ["equant", "platy", "long", "sphere"] {
        let rock = rock(name, 800.0);
        for (k, start) in starts().iter().enumerate() {
            let map = |all: bool| -> (Vec<Visit>, Vec<f64>, f64, Vec<Crossing>) {
                let cells = CellRecorder::new(scene, &rock);
                let lines = LineWatch::new(&lines, scene, &rock, k as u64, false);
                let mut mapped = Mapped { cells, lines, all, wholes: vec![], too_high: 0.0 };
                let scale = GroundScale { seed: k as u64, ..GroundScale::default() };
                simulate(scene, &rock, start, &scale, &mut mapped);
                (mapped.cells.finish(|_| 0.0).1, mapped.wholes, mapped.too_high, mapped.lines.into_crossings())
            };
            let ((all, heights, none, at_lines), (some, asked, too_high, the_same)) = (map(true), map(false));
            assert_eq!(at_lines, the_same, "{ground} {name} {k}: lines see every jump height");
            (crossed, low) =
                (crossed + at_lines.len(), low + at_lines.iter().filter(|c| c.lowest_height_m < 0.1).count());
            assert_eq!(none, 0.0, "{ground} {name} {k}: every jump height is told");
            assert_eq!(heights, asked, "{ground} {name} {k}");
            assert_eq!(all.len(), some.len());
            for (a, b) in all.iter().zip(&some) {
                let [a, b] = [a, b].map(|visit| (visit.cell, visit.values.values().map(f64::from)));
                assert_eq!((a.0, a.1[0], a.1[1]), (b.0, b.1[0], b.1[1]), "{ground} {name} {k}: energies and speeds");
                apart = apart.max((a.1[2] - b.1[2]).abs());
                higher = higher.max(a.1[2]);
            }
            (cells, left_out) = (cells + all.len(), left_out + usize::from(too_high > 0.01));
        }
    }
    println!(
        "{ground}: {cells} cells, jumps up to {higher:.2} m: at most {apart:.1e} m apart (tolerance 6e-4), {left_out} of 48 left out, {crossed} {low}"
    );
    assert!(crossed > 500 && low > 50, "{ground}: {crossed} {low}");
    assert!(cells > 1000 && higher > 1.0 && left_out >= least, "{ground}: {cells} cells, {left_out} rocks");
    assert!(apart <= 6e-4, "{ground}: {apart}");
}

fn fall(scene: &Scene, name: &str, start: &Start, seed: u64) -> (Outcome, f64) {
    let (scale, mut highest) = (GroundScale { seed, ..GroundScale::default() }, Highest(0.0));
    let outcome = simulate(scene, &rock(name, 800.0), start, &scale, &mut highest);
    (outcome, highest.0)
}

/// The same bits as on a DEM that has the noise baked in, for spacings above, at and below the cell, step by step and fast.
#[test]
fn roughness_is_the_same_as_noise_baked_into_the_dem() {
    let dem = slope();
    let patchy = {
        let lattice = *dem.lattice();
        let values = (0..lattice.len()).map(|k| if (k % lattice.nx) % 20 < 10 { 0.0 } else { 0.12 }).collect();
        ParameterField::from(Field { lattice, values })
    };
    for (height, spacing) in
        [(ParameterField::Constant(0.1), 0.5), (patchy, 2.0), (ParameterField::Constant(0.15), 4.0)]
    {
        for stepping in [Stepping::Fast, Stepping::Plain] {
            let rough = roughness(height.clone(), spacing, None);
            let ground = Ground::uniform(0.35, 2.0, 150.0, 2.0);
            let mut scene = Scene::new(dem.clone(), Ground { roughness: Some(rough.clone()), ..ground.clone() });
            scene.stepping = stepping;
            let mut moved = 0.0_f64;
            for (k, start) in starts().iter().enumerate() {
                let name = ["equant", "platy", "sphere"][k % 3];
                let seed = 100 + k as u64;
                let ((own, jump), mut other) = (fall(&scene, name, start, seed), scene.clone());
                other.surface = baked(&dem, &rough, seed);
                other.ground.roughness = None;
                let (expected, baked_jump) = fall(&other, name, start, seed);
                assert_eq!(own.end.position, expected.end.position, "{name} {k} on {spacing} m, {stepping:?}");
                assert_eq!((own.steps, own.stop), (expected.steps, expected.stop));
                // Only that heights count from the DEM: by no more than the roughness' bound.
                assert!((jump - baked_jump).abs() < 2.0 * 2.45 * 0.15, "{jump} {baked_jump}");
                moved = moved.max(own.distance_m);
            }
            assert!(moved > 20.0, "{moved} m");
        }
    }
}

/// Each rock meets another ground unless it is frozen; the same seed meets the same.
#[test]
fn each_rock_meets_its_own_ground_unless_frozen() {
    let ends = |frozen, seeds: [u64; 2]| {
        let rough = roughness(ParameterField::Constant(0.1), 0.5, frozen);
        let ground = Ground { roughness: Some(rough), ..Ground::uniform(0.35, 2.0, 150.0, 2.0) };
        let scene = Scene::new(slope(), ground);
        seeds.map(|seed| fall(&scene, "equant", &starts()[3], seed).0.end.position)
    };
    let [a, b] = ends(None, [1, 2]);
    assert!((a - b).norm() > 0.01);
    let [a, b] = ends(None, [5, 5]);
    assert_eq!(a, b);
    let [a, b] = ends(Some(9), [1, 2]);
    assert_eq!(a, b);
}
