//! The inner parts one by one: step, solver, terrain look-up, recording, counting.
//!
//! `cargo bench --bench kernels`               times by criterion
//! `cargo bench --bench kernels -- callgrind`  runs every kernel once, for `scripts/bench.sh instructions`
//!
//! Times need an idle machine. Instruction counts do not, and show a regression of a few per cent anywhere.

mod kernel;
#[path = "../common/yardstick.rs"]
mod yardstick;

use couloir::validate::ramp1000::numbers;
use criterion::Criterion;
use kernel::Stage;

fn main() {
    // `cargo test --benches` passes `--test`: nothing to measure there.
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    let mut stage = Stage::new();
    if std::env::args().any(|a| a == "callgrind") {
        for (name, kernel) in kernel::ALL {
            println!("= calls_{name} {}", kernel(&mut stage));
        }
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    for (name, kernel) in kernel::ALL {
        let calls = kernel(&mut stage);
        let mut group = criterion.benchmark_group(name);
        group.throughput(criterion::Throughput::Elements(calls)).sample_size(20);
        group.bench_function("all", |bencher| bencher.iter(|| kernel(&mut stage)));
        group.finish();
    }
    criterion.final_summary();
}
