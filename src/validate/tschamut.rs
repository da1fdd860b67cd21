//! Tschamut 2014 (Volkwein & Gerber 2018, doi 10.16904/envidat.34): eighty induced rockfalls on an alpine meadow.
//!
//! Soil strength and roughness of the class `medium` were chosen by one half of the tests; the other half judges. Shapes are not published:
//! each rock is another natural hull of the measured axes and mass. The surface is that of the sample project `tschamut`, whose
//! README tells where it comes from.

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::two_samples::{distance, mean_and_variance};
use super::{Report, Settings, Tolerance};
use crate::dynamics::Scene;
use crate::project::classes;
use crate::project::file::ClassTable;
use crate::rock::Shape;
use crate::terrain::{Field, GroundScale, Lattice, Surface};
use crate::trajectory::{Start, Unobserved, simulate};
use crate::{Error, Result};

const DEM: &str = include_str!("../../sample_projects/tschamut/dem.asc");
const TESTS: &str = include_str!("../../sample_projects/tschamut/tests.csv");
const OBSERVED: &str = include_str!("../../sample_projects/tschamut/observed.csv");

/// What is known of the blocks: name, axes (m), mass (kg).
const BLOCKS: [(&str, [f64; 3], f64); 3] = [
    ("st_leonard", [0.37, 0.37, 0.32], 69.0),
    ("most_heavy", [0.50, 0.39, 0.30], 79.0),
    ("plate", [0.46, 0.30, 0.20], 40.0),
];
const CLASS: &str = "medium";
/// Of the lowest point above the ground.
const RELEASE_HEIGHT_M: f64 = 0.3;
/// Mean direction of the eighty tests, east and north: run-out is horizontal distance, the spread is across this.
const ALONG: [f64; 2] = [0.5517, -0.8340];

/// One test in the field.
struct Test {
    number: u64,
    block: usize,
    fitted: bool,
    start: [f64; 2],
    velocity: Vector3<f64>,
    /// From start to end, m.
    way: [f64; 2],
}

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    let (tests, surface) = (tests()?, surface()?);
    let class = classes::table(ClassTable::Complete)[CLASS];
    let scene = Scene::new(surface, classes::everywhere(&class));
    let repeats = settings.rocks.unwrap_or(if settings.quick { 2 } else { 20 });
    for (half, fitted) in [("fitted half", true), ("judged half", false)] {
        let chosen: Vec<&Test> = tests.iter().filter(|test| test.fitted == fitted).collect();
        let rocks = fall(&scene, &chosen, repeats)?;
        report.source(&format!("Volkwein & Gerber 2018, {half}, {} tests", chosen.len()));
        let observed: Vec<[f64; 2]> = chosen.iter().map(|test| test.way).collect();
        let ways: Vec<[f64; 2]> = rocks.iter().map(|(_, way)| *way).collect();
        let (seen, made) = (run_outs(&observed), run_outs(&ways));
        let note = "Kolmogorov–Smirnov; chance alone gives up to 0.21 with so many tests";
        // Small ensembles scatter by as much again.
        let limit = if settings.quick { 0.35 } else { 0.25 };
        report.row("distance of run-outs", limit, distance(&seen, &made), Tolerance::AtMost).note = note.into();
        let across =
            |ways: &[[f64; 2]]| deviation(&ways.iter().map(|w| w[1] * ALONG[0] - w[0] * ALONG[1]).collect::<Vec<_>>());
        let scatter = Tolerance::Relative(if settings.quick { 0.4 } else { 0.25 });
        report.row("spread across the mean direction, m", across(&observed), across(&ways), scatter);
        report.row("mean run-out, m", mean(&seen), mean(&made), Tolerance::Relative(0.1));
        report.row("standard deviation of run-outs, m", deviation(&seen), deviation(&made), scatter);
        for (k, (name, ..)) in BLOCKS.iter().enumerate() {
            let seen: Vec<[f64; 2]> = chosen.iter().filter(|t| t.block == k).map(|t| t.way).collect();
            let made: Vec<[f64; 2]> = rocks.iter().filter(|(block, _)| *block == k).map(|(_, way)| *way).collect();
            let (seen, made) = (run_outs(&seen), run_outs(&made));
            let row = report.row(&format!("mean run-out of {name}, m"), mean(&seen), mean(&made), Tolerance::None);
            row.note = format!("distance {:.2} over {} tests", distance(&seen, &made), seen.len());
        }
    }
    Ok(())
}

/// Block and way of every rock.
fn fall(scene: &Scene, tests: &[&Test], repeats: u64) -> Result<Vec<(usize, [f64; 2])>> {
    let shape = Shape::from_preset("natural")?;
    let jobs: Vec<(&Test, u64)> = tests.iter().flat_map(|test| (0..repeats).map(move |k| (*test, k))).collect();
    jobs.into_par_iter()
        .map(|(test, repeat)| {
            let mut rng = ChaCha8Rng::seed_from_u64(2014);
            rng.set_stream(1000 * test.number + repeat);
            let (_, axes, mass) = BLOCKS[test.block];
            let rock = shape.of_one(|| rng.random())?.with_axes_and_mass(axes, mass)?;
            let orientation = super::falls::any_orientation(&mut rng);
            let lattice = scene.surface.lattice();
            let (x, y) = (test.start[0] - lattice.x0, test.start[1] - lattice.y0);
            let ground = scene.surface.height(x, y).ok_or_else(|| Error::failed("a test starts beyond the surface"))?;
            let lowest = rock.vertices.iter().map(|v| (orientation * v).z).fold(f64::INFINITY, f64::min);
            let position = Vector3::new(x, y, ground - lowest + RELEASE_HEIGHT_M);
            let start = Start { position, orientation, velocity: test.velocity, omega: Vector3::zeros() };
            let scale = GroundScale { seed: rng.random(), ..GroundScale::default() };
            let end = simulate(scene, &rock, &start, &scale, &mut Unobserved).end.position;
            Ok((test.block, [end.x - x, end.y - y]))
        })
        .collect()
}

fn run_outs(ways: &[[f64; 2]]) -> Vec<f64> {
    ways.iter().map(|way| way[0].hypot(way[1])).collect()
}

fn mean(values: &[f64]) -> f64 {
    mean_and_variance(values).0
}

fn deviation(values: &[f64]) -> f64 {
    mean_and_variance(values).1.sqrt()
}

fn tests() -> Result<Vec<Test>> {
    let broken = || Error::failed("the tables of Tschamut built into the program are not as expected");
    let (starts, ends) = (TESTS.lines().skip(1), OBSERVED.lines().skip(1));
    let test = |(number, (start, end)): (usize, (&str, &str))| {
        let (start, end): (Vec<&str>, Vec<&str>) = (start.split(',').collect(), end.split(',').collect());
        let number_of = |cells: &[&str], k: usize| cells.get(k).and_then(|cell| cell.parse::<f64>().ok());
        let block = BLOCKS.iter().position(|(name, ..)| start.get(1) == Some(name))?;
        let [x, y, vx, vy, vz] = [3, 4, 5, 6, 7].map(|k| number_of(&start, k));
        let (start_xy, velocity) = ([x?, y?], Vector3::new(vx?, vy?, vz?));
        let way = [number_of(&end, 3)? - start_xy[0], number_of(&end, 4)? - start_xy[1]];
        Some(Test {
            number: number as u64,
            block,
            fitted: start.get(2) == Some(&"fitted"),
            start: start_xy,
            velocity,
            way,
        })
    };
    starts.zip(ends).enumerate().map(|row| test(row).ok_or_else(broken)).collect()
}

/// An ESRI grid as the sample has it: rows from the north, the corner of the south-western cell stated.
fn surface() -> Result<Surface> {
    let broken = || Error::failed("the surface of Tschamut built into the program is not as expected");
    let mut numbers = DEM.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let mut header = || numbers.next().ok_or_else(broken);
    let (nx, ny, west, south, cell, _) =
        (header()? as usize, header()? as usize, header()?, header()?, header()?, header()?);
    let rows: Vec<f64> = numbers.collect();
    if rows.len() != nx * ny {
        return Err(broken());
    }
    let values = (0..nx * ny).map(|k| rows[(ny - 1 - k / nx) * nx + k % nx]).collect();
    let lattice = Lattice { nx, ny, x0: west + 0.5 * cell, y0: south + 0.5 * cell, dx: cell, dy: cell };
    Surface::new(Field { lattice, values })
}
