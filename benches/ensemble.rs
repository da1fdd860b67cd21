//! What counting and recording cost, in time and memory.
//!
//! `cargo bench --bench ensemble`                     overhead by the clock and memory
//! `cargo bench --bench ensemble -- overhead P.yaml`  overhead on a project of your own, e.g. the valley
//! `cargo bench --bench ensemble -- bare`             only simulate, and `-- recorded` with everything: for callgrind
//! `cargo bench --bench ensemble -- observer P.yaml`  what each recorder costs per solver step, apart from simulation
//! `cargo bench --bench ensemble -- memory`           100,000 trajectories on a 5,000 × 5,000 DEM

#[path = "../tests/ensemble/site.rs"]
mod site;

use std::time::Instant;

use couloir::ensemble::fall::{Keep, fall};
use couloir::geo::Crs;
use couloir::hazard::accumulator::{Accumulator, Passage};
use couloir::hazard::crossings::LineWatch;
use couloir::hazard::quantity::PerQuantity;
use couloir::hazard::statistics::Statistics;
use couloir::hazard::traverse::{CellRecorder, Visit};
use couloir::output::layer_values::LayerValues;
use couloir::project::file;
use couloir::store::layers;
use couloir::store::track::{Track, TrackRecorder};
use couloir::store::{Setup, set_up};
use couloir::terrain::{Field, Lattice};
use couloir::trajectory::{self, Action, Observer, Sample, Unobserved};
use couloir::{project, site as loading};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rocks of a time measurement, spread evenly over the project's.
const ROCKS: u64 = 100;

fn main() {
    let wishes = ["bare", "recorded", "overhead", "observer", "memory"];
    let wish = std::env::args().find(|argument| wishes.contains(&argument.as_str()));
    let own = std::env::args().find(|argument| argument.ends_with(".yaml"));
    let site = site::Site::new("", ROCKS as usize);
    let project = project::load(own.unwrap_or(site.project()).as_ref()).expect("the project of the bench");
    let loaded = loading::load(&project).expect("the site of the bench");
    let setup = set_up(&loaded, Some(ROCKS)).expect("the plan of the bench");
    match wish.as_deref() {
        Some("bare") => println!("{} steps", bare(&setup)),
        Some("recorded") => println!("{} bytes", recorded(&setup)),
        Some("overhead") => overhead(&setup),
        Some("observer") => observer(&setup),
        Some("memory") => memory(),
        _ => {
            overhead(&setup);
            memory();
        }
    }
}

fn bare(setup: &Setup) -> u64 {
    let steps = |i| {
        let release = setup.plan.get(setup.index(i)).expect("a release");
        let scene = &setup.site.scene.seen_from(&release.frame);
        trajectory::simulate(scene, &release.rock, &release.start, &release.scale, &mut Unobserved).steps
    };
    (0..setup.identity.total).map(steps).sum()
}

/// Cells, thinned line, line crossings and counts, as a run does them.
fn recorded(setup: &Setup) -> usize {
    let mut counts = Accumulator::new(*setup.site.scene.surface.lattice(), setup.wanted.clone());
    let mut log = Vec::new();
    for i in 0..setup.identity.total {
        let release = setup.plan.get(setup.index(i)).expect("a release");
        let keep = Keep { track: true, tolerance_m: 0.1, points_every_s: None, impacts: false, until: None };
        let fallen = fall(setup.site, &setup.lines, &release, keep).expect("nobody interrupts");
        for rock in &fallen {
            let (source_cell, deposit) = (release.source_cell, rock.deposit);
            let frequency_per_year = release.frequency_per_year;
            counts.add(&Passage {
                visits: &rock.visits,
                source_cell,
                deposit,
                frequency_per_year,
                half: 0,
                weight: 1.0,
            });
            Track::encode(&rock.record, rock.vertices.as_deref().unwrap_or(&[]), &mut log);
        }
    }
    log.len() + counts.memory_bytes()
}

/// Keeps every sample.
struct Samples(Vec<Sample>);

impl Observer for Samples {
    fn start(&mut self, sample: &Sample) {
        self.0.push(*sample);
    }

    fn step(&mut self, _: &Sample, after: &Sample) -> Action {
        self.0.push(*after);
        Action::Continue
    }
}

/// Replays the samples of some rocks through each recorder: the cost of observing without that of simulating.
fn observer(setup: &Setup) {
    let surface = &setup.site.scene.surface;
    let lattice = *surface.lattice();
    let node = |cell: u64| surface.node_height(cell as usize % lattice.nx, cell as usize / lattice.nx);
    let mut counts = Accumulator::new(lattice, setup.wanted.clone());
    let mut seconds = [0.0; 4];
    let (mut steps, mut cells) = (0, 0);
    for i in (0..setup.identity.total).step_by(4) {
        let release = setup.plan.get(setup.index(i)).expect("a release");
        let scene = &setup.site.scene.seen_from(&release.frame);
        let mut samples = Samples(Vec::new());
        trajectory::simulate(scene, &release.rock, &release.start, &release.scale, &mut samples);
        let samples = samples.0;
        steps += samples.len() - 1;
        let mut best = [f64::INFINITY; 4];
        for round in 0..7 {
            let mut time = |what: usize, work: &mut dyn FnMut()| {
                let started = Instant::now();
                work();
                best[what] = best[what].min(started.elapsed().as_secs_f64());
            };
            let mut visits = Vec::new();
            time(0, &mut || {
                let mut recorder = CellRecorder::new(scene, &release.rock);
                recorder.start(&samples[0]);
                samples.windows(2).for_each(|w| recorder.step(&w[0], &w[1]));
                visits = recorder.finish(node).1;
            });
            time(1, &mut || {
                let mut recorder = TrackRecorder::new(release.number, release.frame.origin(), 0.1, None);
                recorder.start(&samples[0]);
                samples[1..].iter().for_each(|sample| recorder.step(sample, |sample| *sample));
                std::hint::black_box(recorder.finish(&samples[samples.len() - 1]));
            });
            time(2, &mut || {
                let mut watch = LineWatch::new(&setup.lines, scene, &release.rock, release.number, false);
                samples.windows(2).for_each(|w| {
                    std::hint::black_box(watch.step(&w[0], &w[1]));
                });
            });
            if round == 0 {
                cells += visits.len();
                let (source_cell, frequency_per_year) = (release.source_cell, 0.01);
                let passage =
                    Passage { visits: &visits, source_cell, deposit: None, frequency_per_year, half: 0, weight: 1.0 };
                time(3, &mut || counts.add(&passage));
            }
        }
        (0..4).for_each(|what| seconds[what] += best[what]);
    }
    let per_step = seconds.map(|seconds| 1e9 * seconds / steps as f64);
    let [cell, track, line, count] = per_step;
    println!(
        "{steps} steps, {:.0} a cell; ns a step: cells {cell:.1}, thinned line {track:.1}, line crossings {line:.1}, counts \
         {count:.1}; together {:.1}",
        steps as f64 / cells as f64,
        per_step.iter().sum::<f64>()
    );
}

/// The best of several rounds each, taken in turns: other work on the machine disturbs both alike.
fn overhead(setup: &Setup) {
    let mut best = [f64::INFINITY; 2];
    let mut steps = 0;
    for _ in 0..7 {
        let started = Instant::now();
        steps = bare(setup);
        best[0] = best[0].min(started.elapsed().as_secs_f64());
        let started = Instant::now();
        recorded(setup);
        best[1] = best[1].min(started.elapsed().as_secs_f64());
    }
    let share = 100.0 * (best[1] / best[0] - 1.0);
    let per_step = |seconds: f64| 1e9 * seconds / steps as f64;
    println!(
        "bare {:.3} s, recorded {:.3} s: {share:.1} % on top ({} rocks, {steps} steps, the best of 7); {:.0} ns a step, of \
         which recording {:.1} ns",
        best[0],
        best[1],
        setup.identity.total,
        per_step(best[1]),
        per_step(best[1] - best[0])
    );
}

/// Rocks from 10,000 source cells all over a 5,000 × 5,000 DEM, ten each, every one through about 500 cells: default
/// layers, counted and written. The DEM itself is in memory too.
fn memory() {
    let side = 5000;
    let lattice = Lattice { nx: side, ny: side, x0: 2_600_000.0, y0: 1_200_000.0, dx: 2.0, dy: 2.0 };
    let dem = Field { lattice, values: (0..side * side).map(|i| (i % side) as f64).collect::<Vec<f64>>() };
    let chosen = layers::chosen(&file::Statistics::default(), false).expect("the default layers");
    let wanted = layers::wanted(&chosen, false, &[]);
    let mut counts = Accumulator::new(lattice, wanted.clone());
    let started = Instant::now();
    let mut passages = 0;
    for k in 0..100_000u64 {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        rng.set_stream(k / 10);
        let (x, y): (f64, f64) = (rng.random_range(300.0..4700.0), rng.random_range(300.0..4700.0));
        let slope = std::f64::consts::TAU * rng.random::<f64>();
        rng.set_stream(1_000_000 + k);
        let visits = wander(x, y, slope, side, &mut rng);
        passages += visits.len();
        let source_cell = (y as usize * side + x as usize) as u64;
        counts.add(&Passage {
            visits: &visits,
            source_cell,
            deposit: visits.last().map(|v| v.cell),
            frequency_per_year: 0.0,
            half: 0,
            weight: 1.0,
        });
    }
    let counting = started.elapsed().as_secs_f64();
    let counted = counts.memory_bytes();
    let peak_counting = peak();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let crs = Crs::from_epsg(2056).expect("the Swiss CRS");
    let values = LayerValues::new(&chosen, lattice, Statistics::new([&counts]), &wanted, 20);
    for layer in 0..chosen.len() {
        values.write(layer, folder.path(), &crs, "").expect("a layer");
    }
    let height: f64 = dem.values.iter().sum();
    println!(
        "100,000 trajectories, {passages} passages: counts {} MB, whole process at most {peak_counting} while counting, \
         {} with the layers written; counting {:.1} µs a trajectory ({height:.0})",
        counted / 1_000_000,
        peak(),
        counting * 10.0
    );
}

/// Largest memory of this process so far, as the system tells it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or(" unknown").trim().to_string()
}

/// A path of about 500 cells that keeps roughly to one direction, with energies that change on the way.
fn wander(x: f64, y: f64, slope: f64, side: usize, rng: &mut ChaCha8Rng) -> Vec<Visit> {
    let (mut x, mut y, mut heading) = (x, y, slope + 0.6 * (rng.random::<f64>() - 0.5));
    let mut visits: Vec<Visit> = Vec::with_capacity(600);
    let mut log_energy = 3.0f32;
    for _ in 0..rng.random_range(200..800) {
        heading += 0.2 * (rng.random::<f64>() - 0.5);
        (x, y) = (x + heading.cos(), y + heading.sin());
        if !(0.0..side as f64).contains(&x) || !(0.0..side as f64).contains(&y) {
            break;
        }
        log_energy += 0.3 * (rng.random::<f32>() - 0.5);
        let values = PerQuantity::new([log_energy.exp(), 10.0 + 3.0 * log_energy, 2.0 * rng.random::<f32>(), 3.0]);
        visits.push(Visit { cell: (y as usize * side + x as usize) as u64, values, energy_line_deg: 35.0 });
    }
    visits.sort_by_key(|visit| visit.cell);
    visits.dedup_by_key(|visit| visit.cell);
    visits
}
