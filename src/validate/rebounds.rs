//! Single rebounds at two time steps. Whole falls are chaotic and show a bias of a per cent only by thousands of rocks; one rebound of the same
//! rock is smooth but for the rare case that another corner hits first, so that a few hundred pairs show it.

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::falls::{SHAPES, Setting, Terrain, any_orientation};
use super::two_samples::mean_and_variance;
use super::{Report, Tolerance};
use crate::Result;
use crate::dynamics::{Scene, Stepping};
use crate::hazard::traverse::CellRecorder;
use crate::rock::Rock;
use crate::terrain::GroundScale;
use crate::trajectory::{Action, Observer, Sample, Start, simulate};

const SLOPE_DEG: f64 = 35.0;
/// From the release close to the ground, s: one rebound, seldom two.
const TIME_S: f64 = 0.6;
/// Roughness of the complete classes, and nodes of an uneven patch above its middle, stay below this, m.
const ROUGH_M: f64 = 0.25;
/// What no step changes a velocity by without contact, m/s.
const HIT_M_S: f64 = 1e-3;
/// The step that is taken for exact, s.
const FINE_S: f64 = 1.25e-4;
/// Largest median difference of a jump, as a share of the mean jump: measured 0.0005 to 0.0013; 0.007 to 0.011 where impacts take a whole step.
const MEDIAN: f64 = 0.003;
/// Largest mean difference in standard errors.
const BIAS: f64 = 3.3;

/// The ground that rocks rebound from.
struct Family {
    name: &'static str,
    terrain: Terrain,
    classes: &'static [&'static str],
    setting: fn(&str, &str, Terrain) -> Setting,
}

const EVEN: Terrain = Terrain::Plane(SLOPE_DEG);
const UNEVEN: Terrain = Terrain::Uneven(SLOPE_DEG);
const FRICTION: &[&str] = &["extra_soft", "medium", "hard", "extra_hard"];
const COMPLETE: &[&str] = &["extra_soft", "medium", "extra_hard"];

const FAMILIES: [Family; 4] = [
    Family { name: "friction alone", terrain: EVEN, classes: FRICTION, setting: Setting::bare },
    Family { name: "friction alone, uneven", terrain: UNEVEN, classes: FRICTION, setting: Setting::bare },
    // With soil and roughness, the same for a rock at both steps.
    Family { name: "complete classes", terrain: EVEN, classes: COMPLETE, setting: Setting::complete },
    Family { name: "complete classes, uneven", terrain: UNEVEN, classes: COMPLETE, setting: Setting::complete },
];

/// Each way against plain steps of [`FINE_S`], the same rocks in both.
pub(super) fn compare(report: &mut Report, rocks: u64) -> Result<()> {
    report.stage("single rebounds", FAMILIES.len() * (SHAPES.len() - 1));
    for family in &FAMILIES {
        report.source(&format!(
            "single rebounds on {SLOPE_DEG}°, {}, {rocks} of each shape, at 2 ms against the same at {} ms: largest jump and energy afterwards",
            family.name,
            1e3 * FINE_S
        ));
        // A sphere does not jump without restitution.
        for shape in SHAPES.iter().filter(|shape| **shape != "sphere") {
            let [exact, plain, fast] = [(FINE_S, Stepping::Plain), (2e-3, Stepping::Plain), (2e-3, Stepping::Fast)]
                .map(|way| of(family, shape, way, rocks));
            let exact = exact?;
            for (name, found) in [("plain", plain?), ("fast", fast?)] {
                rows(report, &format!("{shape}, {}, {name}", family.name), &found, &exact);
            }
            report.step();
        }
    }
    Ok(())
}

/// Mean and median difference of both quantities.
fn rows(report: &mut Report, name: &str, found: &[[f64; 2]], exact: &[[f64; 2]]) {
    let rocks = exact.len() as f64;
    for (k, quantity) in ["jump", "energy"].iter().enumerate() {
        let mean = exact.iter().map(|values| values[k]).sum::<f64>() / rocks;
        let mut off: Vec<f64> = found.iter().zip(exact).map(|(a, b)| (a[k] - b[k]) / mean).collect();
        let (bias, variance) = mean_and_variance(&off);
        let error = (variance / rocks).sqrt();
        off.iter_mut().for_each(|value| *value = value.abs());
        off.sort_by(f64::total_cmp);
        let note = format!("{:+.2} ± {:.2} %", 100.0 * bias, 100.0 * error);
        let z = if error > 0.0 { (bias / error).abs() } else { 0.0 };
        report.row(&format!("{name}: bias of the {quantity}, standard errors"), BIAS, z, Tolerance::AtMost).note(note);
        let median = off.get(off.len() / 2).copied().unwrap_or(f64::NAN);
        report.row(&format!("{name}: median difference"), MEDIAN, median, Tolerance::AtMost);
    }
}

/// Largest jump (m) and energy (J) after the first contact of every rock.
fn of(family: &Family, shape: &str, (time_step_s, stepping): (f64, Stepping), rocks: u64) -> Result<Vec<[f64; 2]>> {
    let mut scenes = Vec::new();
    for class in family.classes {
        let mut scene = (family.setting)(shape, class, family.terrain).scene()?;
        (scene.time_step_s, scene.stepping, scene.stop.max_time_s) = (time_step_s, stepping, TIME_S);
        scenes.push(scene);
    }
    let rock = Setting::bare(shape, family.classes[0], family.terrain).rock()?;
    let one = |k: u64| rebound(&scenes[k as usize % scenes.len()], &rock, k);
    Ok((0..rocks).into_par_iter().map(one).collect())
}

/// Any orientation, speed, angle and forward spin.
fn start(scene: &Scene, rock: &Rock, k: u64) -> Start {
    let mut rng = ChaCha8Rng::seed_from_u64(99);
    rng.set_stream(k);
    let orientation = any_orientation(&mut rng);
    let speed = rng.random_range(5.0..25.0);
    let (sin, cos) = (SLOPE_DEG + rng.random_range(10.0..60.0_f64)).to_radians().sin_cos();
    let turn = [-0.3..0.3, 0.0..1.0, -0.3..0.3].map(|range: std::ops::Range<f64>| rng.random_range(range));
    let spin = Vector3::from(turn) * (speed / rock.bounding_radius);
    let above = (rock.bounding_radius + ROUGH_M + rng.random_range(0.05..0.3)) / SLOPE_DEG.to_radians().cos();
    // Another patch for every rock.
    let (x, y) = (rng.random_range(50.0..100.0), rng.random_range(50.0..350.0));
    Start {
        position: Vector3::new(x, y, scene.surface.height(x, y).unwrap_or_default() + above),
        orientation,
        velocity: speed * Vector3::new(cos, 0.0, -sin),
        omega: orientation.inverse() * spin,
    }
}

fn rebound(scene: &Scene, rock: &Rock, k: u64) -> [f64; 2] {
    struct After<'a> {
        recorder: CellRecorder<'a>,
        touched: bool,
        energy: f64,
    }
    impl Observer for After<'_> {
        fn step(&mut self, before: &Sample, after: &Sample) -> Action {
            if self.touched {
                self.recorder.step(before, after);
            } else if after.velocity.z > before.velocity.z + HIT_M_S {
                self.touched = true;
                self.recorder.start(after);
            }
            self.energy = after.kinetic_energy_j;
            Action::Continue
        }
    }
    let mut after = After { recorder: CellRecorder::new(scene, rock), touched: false, energy: 0.0 };
    let scale = GroundScale { seed: k, ..GroundScale::default() };
    simulate(scene, rock, &start(scene, rock, k), &scale, &mut after);
    let (largest, _) = after.recorder.finish(|_| f64::NAN);
    let [_, _, jump, _] = *largest.values();
    [f64::from(jump).max(0.0), after.energy]
}
