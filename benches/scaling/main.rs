//! How the cost grows, and what reading and writing take.
//!
//! `cargo bench --bench scaling [-- threads|rocks|dem|fixed|io …]`: two threads against one, ten times as many rocks, a hundred
//! times as many cells, a run beyond its simulation, and files of 100 million cells beside `gdal_translate`. `COULOIR_BENCH_CELLS=4000` makes the side of the
//! files' square smaller, `COULOIR_BENCH_FOLDER` says where they (about 1.5 GB) go.
//!
//! Lines that begin with `=` are for `scripts/bench.sh`.

#[path = "../common/cpu.rs"]
mod cpu;
mod ensemble;
mod fixed;
mod io;
#[path = "../common/took.rs"]
mod took;

fn main() {
    let wishes: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    // `cargo test --benches` passes `--test`: nothing to measure there.
    if wishes.iter().any(|a| a == "--test") {
        return;
    }
    let wanted = |part: &str| wishes.is_empty() || wishes.iter().any(|wish| wish == part);
    if wanted("threads") || wanted("rocks") {
        ensemble::on_the_valley(wanted);
    }
    if wanted("dem") {
        ensemble::dem_size();
    }
    if wanted("fixed") {
        fixed::run();
    }
    if wanted("io") {
        io::run();
    }
}
