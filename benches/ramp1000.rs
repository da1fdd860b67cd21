//! 1000 plates down the ramp (`couloir::validate::ramp1000`) on one thread, beside the yardstick of `common/yardstick.rs`:
//! CPU time per simulated 2 ms, whatever steps the engine takes itself.
//!
//! `cargo bench --bench ramp1000 [-- ROCKS]`
//!
//! Yardstick and integrators take turns in short blocks, and ratios are medians over the blocks: the machine may slow
//! down and speed up meanwhile. Lines that begin with `=` are for `scripts/bench.sh`.

#[path = "common/cpu.rs"]
mod cpu;
#[path = "common/yardstick.rs"]
mod yardstick;

use couloir::dynamics::Integrator;
use couloir::validate::ramp1000::{self, FallFigures, numbers};
use cpu::{median, of_thread};
use yardstick::Yardstick;

const ROCKS_OF_A_BLOCK: u64 = 10;

struct Column {
    name: &'static str,
    integrator: Integrator,
    falls: Vec<FallFigures>,
    cpu_s: f64,
    /// Per block.
    ns_per_step: Vec<f64>,
    ratio: Vec<f64>,
}

fn main() {
    // `cargo test --benches` passes `--test`: nothing to measure there.
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    let rocks: u64 = std::env::args().find_map(|a| a.parse().ok()).unwrap_or(1000);
    let rock = ramp1000::rock().expect("the plate");
    let column = |name, integrator| {
        let (falls, ns_per_step, ratio) = (Vec::new(), Vec::new(), Vec::new());
        Column { name, integrator, falls, cpu_s: 0.0, ns_per_step, ratio }
    };
    let mut columns = [column("implicit", Integrator::Implicit), column("explicit", Integrator::Explicit)];
    let scenes = columns.each_ref().map(|c| ramp1000::scene(c.integrator).expect("the ramp"));
    let yardstick = Yardstick::new();
    let mut yardstick_ns = Vec::new();
    let mut implicit_to_explicit = Vec::new();

    for first in (0..rocks).step_by(ROCKS_OF_A_BLOCK as usize) {
        let block = first..(first + ROCKS_OF_A_BLOCK).min(rocks);
        let mut ns = [0.0; 2];
        for (i, (column, scene)) in columns.iter_mut().zip(&scenes).enumerate() {
            let (cpu, falls) = of_thread(|| block.clone().map(|k| ramp1000::fall(scene, &rock, k)).collect::<Vec<_>>());
            let steps: f64 = falls.iter().map(FallFigures::steps).sum();
            let yard = yardstick_block(&yardstick, block.clone(), steps);
            ns[i] = 1e9 * cpu / steps;
            column.ns_per_step.push(ns[i]);
            column.ratio.push(ns[i] / yard);
            column.cpu_s += cpu;
            column.falls.extend(falls);
            yardstick_ns.push(yard);
        }
        implicit_to_explicit.push(ns[0] / ns[1]);
    }

    let yard = median(yardstick_ns);
    println!("ramp1000, {rocks} rocks, one thread, CPU time");
    println!("yardstick  {yard:8.1} ns a step");
    println!("= yardstick_ns_per_step {yard:.2}");
    columns.into_iter().for_each(print);
    println!("= implicit_to_explicit {:.4}", median(implicit_to_explicit));
}

/// Nanoseconds per step of the yardstick over about as many steps as the block had.
fn yardstick_block(yardstick: &Yardstick, block: std::ops::Range<u64>, steps: f64) -> f64 {
    let each = (steps / (block.end - block.start) as f64).ceil() as u64;
    let (cpu, _) = of_thread(|| block.clone().map(|k| yardstick.run(k, each)).fold(0.0, f64::min));
    1e9 * cpu / (each * (block.end - block.start)) as f64
}

fn print(column: Column) {
    let Column { name, falls, cpu_s, .. } = column;
    let mean = |value: fn(&FallFigures) -> f64| falls.iter().map(value).sum::<f64>() / falls.len() as f64;
    let (ns, ratio) = (median(column.ns_per_step), median(column.ratio));
    let per_1000 = cpu_s * 1000.0 / falls.len() as f64;
    let steps = mean(FallFigures::steps) * falls.len() as f64;
    let [run_out, energy, translational, jump] = [
        mean(|f| f.run_out_m),
        mean(|f| 1e-3 * f.max_energy_j),
        mean(|f| 1e-3 * f.max_translational_j),
        mean(|f| f.max_jump_m),
    ];
    println!(
        "{name}   {ns:8.1} ns a step, {ratio:.2} × yardstick, {per_1000:.2} CPU s for 1000 rocks, {steps:.0} steps of 2 ms; \
         mean run-out {run_out:.2} m, largest energy {energy:.2} kJ ({translational:.2} kJ without rotation), largest \
         jump {jump:.2} m",
    );
    let figures = [
        ("ns_per_step", ns),
        ("to_yardstick", ratio),
        ("cpu_s_per_1000", per_1000),
        ("steps", steps),
        ("run_out_m", run_out),
        ("max_energy_kj", energy),
        ("max_translational_kj", translational),
        ("max_jump_m", jump),
    ];
    for (key, value) in figures {
        println!("= {name}_{key} {value:.4}");
    }
}
