//! Short falls of the *same* rocks, two ways. Whole falls of other rocks scatter so much that thousands of them show a bias of a per cent at best. The same rocks
//! are together for their first impacts and differ by little after ten of them, so that the mean of their differences is known to a few hundredths of one.

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::falls::{
    LAST_STEPS_S, QUANTITIES, RAMPS_DEG, SHAPES, SLOPES_DEG, Setting, Terrain, UNEVEN_DEG, any_orientation,
    compare as distances, follow, ground_classes,
};
use super::families::Way;
use super::ramp1000::FallFigures;
use super::two_samples::{FAMILY_LEVEL, mean_and_variance, normal_limit};
use super::{Report, Settings, Tolerance};
use crate::dynamics::Scene;
use crate::rock::natural::{Angularity, Natural};
use crate::rock::{Rock, Shape};
use crate::trajectory::Start;
use crate::{Error, Result};

/// Asked for by this word alone, or with words of settings.
const WORD: &str = "short";

/// Some ten impacts.
const TIME_S: f64 = 2.5;
/// Rocks of which every one has another hull.
const NATURAL: &str = "natural";
/// Let go so far in plan before the foot of a ramp, m, at the most.
const BEFORE_FOOT_M: f64 = 50.0;
/// In the middle of the slope, m.
const MIDDLE_M: f64 = 150.0;

/// Rocks of a shape on a ground: each on the next of all slopes, with forest and without by turns.
struct Kind {
    shape: String,
    class: String,
    soil: bool,
    complete: bool,
}

impl Kind {
    /// Without slope and forest.
    fn setting(&self) -> Setting {
        let plane = Setting::bare(&self.shape, &self.class, Terrain::Plane(SLOPES_DEG[0]));
        Setting { scarring: self.soil, complete: self.complete, ..plane }
    }

    fn name(&self) -> String {
        let ground = self.groups().pop().unwrap_or_default();
        format!("{} {}, {ground}", self.shape, self.class)
    }

    /// What it has in common with others.
    fn groups(&self) -> Vec<String> {
        let mut groups = self.setting().groups();
        let ground = groups.pop();
        groups.truncate(2);
        groups.extend(ground);
        groups
    }

    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for (soil, complete) in [(false, false), (true, false), (false, true)] {
            for shape in SHAPES.into_iter().chain([NATURAL]) {
                let kind = |class| Self { shape: shape.into(), class, soil, complete };
                all.extend(ground_classes().into_iter().map(kind));
            }
        }
        all
    }

    /// One of each shape and class, and of each ground.
    fn few() -> Vec<Self> {
        Self::all().into_iter().enumerate().filter(|(number, _)| number % 13 == 0).map(|(_, kind)| kind).collect()
    }

    fn rock(&self, rng: &mut ChaCha8Rng) -> Result<Rock> {
        if self.shape != NATURAL {
            return self.setting().rock();
        }
        let points = Natural { form: None, angularity: Angularity::Subangular }.points(rng.random());
        Shape::from_points(&points)?.with_mass(super::falls::MASS_KG, super::falls::DENSITY_KG_M3)
    }

    /// Every slope, with forest and without.
    fn scenes(&self, way: &Way) -> Result<Vec<(Terrain, Scene)>> {
        let slopes = SLOPES_DEG.map(Terrain::Plane).into_iter().chain(RAMPS_DEG.map(Terrain::Ramp));
        let settings = slopes
            .chain([Terrain::Uneven(UNEVEN_DEG)])
            .flat_map(|terrain| [false, true].map(|forest| Setting { terrain, forest, ..self.setting() }));
        settings
            .map(|setting| {
                let mut scene = setting.scene()?;
                scene.stop.max_time_s = TIME_S;
                (way.set)(&mut scene);
                Ok((setting.terrain, scene))
            })
            .collect()
    }

    /// The falls of the first so many rocks, the same in every way.
    fn falls(&self, way: &Way, rocks: u64) -> Result<Vec<FallFigures>> {
        let scenes = self.scenes(way)?;
        let one = |k: u64| {
            let (terrain, scene) = &scenes[k as usize % scenes.len()];
            let mut rng = ChaCha8Rng::seed_from_u64(2026);
            rng.set_stream(k);
            let rock = self.rock(&mut rng)?;
            let fall = follow(scene, &rock, &start(*terrain, scene, &rock, &mut rng), k);
            // How long the last step is depends on the way.
            Ok(FallFigures { time_s: fall.time_s.min(TIME_S - LAST_STEPS_S), ..fall })
        };
        (0..rocks).into_par_iter().map(one).collect()
    }
}

/// Thrown down the slope, a little aside, with any orientation and spin.
fn start(terrain: Terrain, scene: &Scene, rock: &Rock, rng: &mut ChaCha8Rng) -> Start {
    let (sin, cos) = terrain.slope_deg().to_radians().sin_cos();
    let (speed, aside) = (rng.random_range(0.5..15.0), rng.random_range(-2.0..2.0));
    let foot = terrain.foot_m().map_or(MIDDLE_M, |foot| foot - rng.random_range(0.0..BEFORE_FOOT_M));
    let (x, y) = (foot, rng.random_range(150.0..250.0));
    let above = (rock.bounding_radius + rng.random_range(0.1..1.0)) / cos + terrain.uneven_m();
    Start {
        position: Vector3::new(x, y, scene.surface.height(x, y).unwrap_or_default() + above),
        orientation: any_orientation(rng),
        velocity: Vector3::new(speed * cos, aside, -speed * sin),
        omega: Vector3::from([(); 3].map(|()| rng.random_range(-8.0..8.0))),
    }
}

/// Differences of the four quantities rock by rock, as shares of their mean.
type Differences = [Vec<f64>; 4];

/// Whether a filter asks for short falls alone.
pub(super) fn are_asked_for(only: Option<&str>) -> bool {
    only.is_some_and(|only| only.split_whitespace().any(|word| word == WORD))
}

/// The first way against the second, so many rocks of each kind. A bias of less than the share `negligible` of the mean is none.
pub(super) fn compare(
    report: &mut Report,
    settings: &Settings,
    ways: [&Way; 2],
    rocks: u64,
    negligible: f64,
) -> Result<()> {
    let mut kinds = if settings.quick { Kind::few() } else { Kind::all() };
    if let Some(only) = &settings.only {
        let words: Vec<&str> = only.split_whitespace().filter(|word| *word != WORD).collect();
        kinds.retain(|kind| words.iter().all(|word| kind.name().replace(',', "").split(' ').any(|mine| mine == *word)));
        if kinds.is_empty() {
            return Err(Error::usage(format!(
                "--only `{only}` matches no short falls; beside `{WORD}` its words are shapes, `{NATURAL}`, ground classes, `friction`, `soil` and `complete`"
            )));
        }
    }
    let [first, second] = ways;
    let level = FAMILY_LEVEL / (2 * kinds.len() * QUANTITIES.len()) as f64;
    let title = format!("short falls, {} against {}", first.name, second.name);
    report.source(&format!(
        "{title}, {rocks} of the same rocks each way: largest bias or Kolmogorov–Smirnov distance as a share of what chance exceeds with odds of {level:.1e}"
    ));
    report.stage(&title, kinds.len());
    let mut all = Vec::with_capacity(kinds.len());
    for kind in &kinds {
        let falls = |way: &Way| match &settings.keep {
            Some(kept) => {
                kept.falls(&format!("short {}, {}, {rocks} rocks", kind.name(), way.name), || kind.falls(way, rocks))
            }
            None => kind.falls(way, rocks),
        };
        let both = [falls(first)?, falls(second)?];
        let differences = QUANTITIES.map(|(_, value)| {
            let mean = both[1].iter().map(value).sum::<f64>() / rocks as f64;
            let share = if mean == 0.0 { 1.0 } else { 1.0 / mean.abs() };
            both[0].iter().zip(&both[1]).map(|(a, b)| share * (value(a) - value(b))).collect::<Vec<_>>()
        });
        let apart = distances(&both[0], &both[1]).map(|c| c.distance / c.limit(level)).into_iter().fold(0.0, f64::max);
        let (bias, note) = biases(&differences, level, negligible);
        report.row(&kind.name(), 1.0, bias.max(apart), Tolerance::AtMost).note(note);
        all.push(differences);
        report.step();
    }
    groups(report, &title, &kinds, &all, negligible);
    Ok(())
}

/// The largest bias as a share of what chance exceeds with these odds, and all of them in words.
fn biases(differences: &Differences, level: f64, negligible: f64) -> (f64, String) {
    let (mut largest, mut notes) = (0.0_f64, Vec::new());
    for ((name, _), off) in QUANTITIES.iter().zip(differences) {
        let (bias, variance) = mean_and_variance(off);
        let error = (variance / off.len() as f64).sqrt();
        largest = largest.max(bias.abs() / (normal_limit(level) * error).max(negligible));
        let name = name.split(',').next().unwrap_or(name);
        notes.push(format!("{name} {:+.2} ± {:.2} %", 100.0 * bias, 100.0 * error));
    }
    (largest, notes.join(", "))
}

/// A shape, a class, a ground; all together.
fn groups(report: &mut Report, title: &str, kinds: &[Kind], all: &[Differences], negligible: f64) {
    let mut groups: Vec<(String, Vec<usize>)> = vec![("together".into(), (0..kinds.len()).collect())];
    for (number, kind) in kinds.iter().enumerate() {
        for name in kind.groups() {
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, members)) => members.push(number),
                None => groups.push((name, vec![number])),
            }
        }
    }
    groups.retain(|(_, members)| members.len() > 1);
    let level = FAMILY_LEVEL / (groups.len() * QUANTITIES.len()).max(1) as f64;
    report
        .source(&format!("{title}, by group: largest bias as a share of what chance exceeds with odds of {level:.1e}"));
    for (name, members) in groups {
        let of = |quantity: usize| members.iter().flat_map(|k| all[*k][quantity].iter().copied()).collect();
        let (bias, note) = biases(&[of(0), of(1), of(2), of(3)], level, negligible);
        report.row(&format!("{name}, {} kinds", members.len()), 1.0, bias, Tolerance::AtMost).note(note);
    }
}
