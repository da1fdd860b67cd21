//! What more threads, more rocks and a larger DEM do to the cost of a rock.

use std::path::Path;
use std::sync::Mutex;

use couloir::dynamics::{Integrator, Scene};
use couloir::ensemble::fall::{Keep, fall};
use couloir::ensemble::pool::ordered;
use couloir::hazard::accumulator::{Accumulator, Passage};
use couloir::store::{Setup, set_up};
use couloir::terrain::{Field, GroundScale, Lattice, Surface};
use couloir::trajectory::{Unobserved, simulate};
use couloir::validate::ramp1000;
use couloir::{project, site};

use crate::cpu::{median, of_thread};
use crate::took::{Took, of_process};

/// On the valley sample.
pub fn on_the_valley(wanted: impl Fn(&str) -> bool) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_projects/valley/project.yaml");
    let project = project::load(&path).expect("the valley");
    let site = site::load(&project).expect("the valley's data");
    let setup = set_up(&site, None).expect("the valley's releases");
    if wanted("threads") {
        threads(&setup);
    }
    if wanted("rocks") {
        rocks(&setup);
    }
}

/// Lets `count` rocks of the valley fall, `different` ones over and over, and counts them as a run does; nothing is
/// written. Also returns what each worker took.
fn ensemble(setup: &Setup, threads: usize, count: u64, different: u64) -> (Took, Vec<f64>) {
    let lattice = *setup.site.scene.surface.lattice();
    let mut counts = Accumulator::new(lattice, setup.wanted.clone());
    let workers = Mutex::new(vec![0.0; threads]);
    let work = |i: u64| {
        let (cpu, done) = of_thread(|| {
            let release = setup.plan.get((i % different) * setup.plan.len() / different).expect("a release");
            let keep = Keep { track: true, tolerance_m: 0.1, points_every_s: None, impacts: false, until: None };
            let fallen = fall(setup.site, &setup.lines, &release, keep)?;
            Some((fallen, release.source_cell, release.frequency_per_year))
        });
        let worker = rayon::current_thread_index().unwrap_or(0);
        workers.lock().expect("no worker panics")[worker] += cpu;
        done
    };
    let pool = (threads > 1).then(|| couloir::process::threads::start(threads).expect("threads start"));
    let (took, _) = of_process(|| {
        let keep = |_, (fallen, source_cell, frequency_per_year): (Vec<couloir::store::Fallen>, u64, f64)| {
            for rock in &fallen {
                counts.add(&Passage {
                    visits: &rock.visits,
                    source_cell,
                    deposit: rock.deposit,
                    frequency_per_year,
                    half: 0,
                    weight: 1.0,
                });
            }
            Ok(())
        };
        ordered(pool.as_ref(), 0..count, work, keep, |_| Ok(true)).expect("nothing fails")
    });
    (took, workers.into_inner().expect("no worker panics"))
}

/// Rounds in turns. By the wall the answer is only right on an idle machine; what the busiest worker took is right
/// anywhere: it is what the wall would show without other work. Two ensembles at once that share nothing show what the
/// machine has to give: its cores may share a cache, a clock or even an arithmetic unit.
fn threads(setup: &Setup) {
    let (mut by_wall, mut by_cpu, mut inflation, mut machine) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // Enough of them that the last rock, with one thread idle, does not matter.
    let rocks = 600;
    for _ in 0..5 {
        let (one, _) = ensemble(setup, 1, rocks, rocks);
        let (two, workers) = ensemble(setup, 2, rocks, rocks);
        let (apart, ()) = of_process(|| {
            std::thread::scope(|scope| {
                let half = || scope.spawn(|| ensemble(setup, 1, rocks, rocks));
                for running in [half(), half()] {
                    running.join().expect("nothing fails");
                }
            });
        });
        let busiest = workers.iter().copied().fold(0.0, f64::max);
        by_wall.push(one.wall_s / two.wall_s);
        by_cpu.push(one.cpu_s / busiest);
        inflation.push(two.cpu_s / one.cpu_s);
        machine.push(2.0 * one.wall_s / apart.wall_s);
    }
    let [by_wall, by_cpu, inflation, machine] = [by_wall, by_cpu, inflation, machine].map(median);
    println!(
        "valley, {rocks} rocks: two threads are {by_wall:.2} × as fast as one by the wall, {by_cpu:.2} × by the busiest \
         worker's CPU time; together they use {inflation:.3} × the CPU time of one; two ensembles that share nothing are \
         {machine:.2} × as fast as one after the other"
    );
    println!("= two_threads_by_wall {by_wall:.4}");
    println!("= two_threads_by_cpu {by_cpu:.4}");
    println!("= two_threads_cpu_inflation {inflation:.4}");
    println!("= two_ensembles_apart {machine:.4}");
    println!("= two_threads_of_machine {:.4}", by_wall / machine);
}

/// The same rocks ten times over, against ten runs of them: what grows is the cost of keeping more of them.
fn rocks(setup: &Setup) {
    let mut ratios = Vec::new();
    for _ in 0..3 {
        let small: f64 = (0..5).map(|_| ensemble(setup, 1, 60, 60).0.cpu_s).sum();
        let (large, _) = ensemble(setup, 1, 600, 60);
        // Before and after: the machine may change its pace meanwhile.
        let small = small + (0..5).map(|_| ensemble(setup, 1, 60, 60).0.cpu_s).sum::<f64>();
        ratios.push(10.0 * large.cpu_s / small);
    }
    let ratio = median(ratios);
    println!("valley: ten times as many rocks take {ratio:.2} × the CPU time");
    println!("= ten_times_the_rocks {ratio:.4}");
}

/// Tiles of 1000 × 1000 cells, each with the ramp and its flat: every rock falls alike on one tile and on a hundred.
pub fn dem_size() {
    let tile = 1000;
    let scene = |tiles: usize| -> Scene {
        let side = tile * tiles;
        let lattice = Lattice { nx: side, ny: side, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let row: Vec<f64> = (0..side).map(|column| ramp1000::numbers::height((column % tile) as f64)).collect();
        let surface = Surface::new(Field { lattice, values: row.repeat(side) }).expect("the ramps");
        Scene { surface, ..ramp1000::scene(Integrator::Implicit).expect("the ramp") }
    };
    let rock = ramp1000::rock().expect("the plate");
    let scenes = [(scene(1), 1), (scene(10), 10)];
    let block = |(scene, tiles): &(Scene, u64), rocks: std::ops::Range<u64>| {
        let (cpu, steps) = of_thread(|| {
            let fall = |k: u64| {
                let mut start = ramp1000::start(&rock, k);
                // Far apart, one after the other.
                start.position.x += (tile as u64 * (7 * k % tiles)) as f64;
                start.position.y += (tile as u64 * (3 * k % tiles)) as f64 + 400.0;
                simulate(scene, &rock, &start, &GroundScale::default(), &mut Unobserved).end.time_s / scene.time_step_s
            };
            rocks.map(fall).sum::<f64>()
        });
        1e9 * cpu / steps
    };
    let mut ratios = Vec::new();
    for first in (0..200).step_by(10) {
        let [small, large] = [&scenes[0], &scenes[1]].map(|scene| block(scene, first..first + 10));
        ratios.push(large / small);
    }
    let ratio = median(ratios);
    println!("a rock on 100 million cells costs {ratio:.3} × what it costs on 1 million");
    println!("= hundred_times_the_cells {ratio:.4}");
}
