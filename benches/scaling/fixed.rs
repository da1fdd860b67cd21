//! What `couloir run` takes beyond simulating: start, reading, hashing, layers, previews, report, trajectory files.

use std::path::Path;
use std::process::Command;

use crate::took::{Took, median_took, of_command};

const ROUNDS: usize = 5;

pub fn run() {
    let folder = tempfile::tempdir().expect("a folder for the runs");
    let at = |name: &str| folder.path().join(name);
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_projects/valley/project.yaml");
    let couloir = || Command::new(env!("CARGO_BIN_EXE_couloir"));
    of_command(couloir().arg("run").arg(&project).args(["--shard", "1/1", "--out"]).arg(at("part")));
    // Merging one part does everything but simulate, so that its CPU time can be told apart.
    let merges: Vec<Took> = (0..ROUNDS)
        .map(|_| of_command(couloir().arg("merge").arg(at("part")).arg("--overwrite").arg("--out").arg(at("merged"))))
        .collect();
    let merge = median_took(&merges);
    let least = merges.iter().map(|took| took.wall_s).fold(f64::INFINITY, f64::min);
    let whole = of_command(couloir().arg("run").arg(&project).arg("--out").arg(at("run")));
    let manifest = std::fs::read_to_string(at("run").join("manifest.json")).expect("the manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("the manifest is JSON");
    let simulate_s = manifest["this_run"]["seconds"][0][1].as_f64().expect("the seconds of the simulation");
    let beyond = whole.wall_s - simulate_s;
    println!(
        "valley, fixed cost: {:.2} s wall ({least:.2} s at best), {:.2} s CPU; a whole run takes {beyond:.2} s wall beyond the \
         {simulate_s:.2} s of simulation",
        merge.wall_s, merge.cpu_s
    );
    println!("= fixed_wall_s {:.4}", merge.wall_s);
    println!("= fixed_least_wall_s {least:.4}");
    println!("= fixed_cpu_s {:.4}", merge.cpu_s);
    println!("= run_beyond_simulation_wall_s {beyond:.4}");
}
