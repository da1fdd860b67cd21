//! A run's bytes depend on project, inputs and seed alone; its maps are those anyone can recompute from its records.

#[cfg(unix)]
mod beside;
mod blocks;
mod identity;
#[cfg(unix)]
mod killed;
mod limit;
mod live;
mod merged;
mod plan;
mod recompute;
mod rough;
#[cfg(unix)]
mod safety;
mod site;
#[cfg(unix)]
mod stored;
mod until;
mod window;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use site::Site;

fn couloir(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_couloir"));
    command.args(args);
    command
}

fn finished(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn refused(mut command: Command, code: i32) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    text
}

/// Every file below a folder but manifest and report, which tell time and machine.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, root: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, files);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            if name != "manifest.json" && name != "report.html" {
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut all = BTreeMap::new();
    walk(folder, folder, &mut all);
    all
}

fn assert_same(a: &Path, b: &Path) {
    let (a, b) = (files(a), files(b));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(bytes == &b[name], "{name} differs");
    }
    let lines = ["lines/crossings.csv", "lines/summary.csv"];
    let others = ["layers/passages.tif", "trajectories/trajectories.shp", "trajectories/deposits.dbf", "results.bin"];
    for wanted in lines.iter().chain(&others) {
        assert!(a.keys().any(|name| name.ends_with(*wanted)), "{wanted} is not among {:?}", a.keys());
    }
}

/// Waits for a progress line the caller wants, or the end.
fn wait_for(child: &mut Child, wanted: impl Fn(&serde_json::Value) -> bool) -> bool {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let seen = lines.by_ref().map_while(Result::ok).any(|line| {
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        for key in ["stage", "done", "total", "rate", "eta_s", "warnings"] {
            assert!(line.get(key).is_some(), "{key} is missing in {line}");
        }
        wanted(&line)
    });
    // Keep the pipe open and empty: a full or closed one would stop the child by itself.
    std::thread::spawn(move || lines.for_each(drop));
    seen
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// One thread, two threads; one run, seven uneven shards merged in an odd order; one run, a run killed three times (asked to
/// stop while simulating, killed outright, asked to stop while writing) and resumed: the same bytes in every file.
#[test]
fn threads_shards_and_interruptions_leave_no_trace() {
    let site = Site::new("", 200);
    let project = site.project();
    let run = |name: &str, more: &[&str]| {
        let mut command = couloir(&["run", &project, "--out", &site.path(name)]);
        command.args(more);
        command
    };
    finished(run("one", &["--threads", "1"]));
    finished(run("two", &["--threads", "2"]));
    assert_same(&site.folder("one"), &site.folder("two"));

    let cuts = [0, 1, 4, 40, 41, 100, 170, 200];
    let mut shards: Vec<String> = cuts.windows(2).map(|w| format!("{}..{}", w[0], w[1])).collect();
    shards.swap(0, 5);
    shards.swap(3, 6);
    let folder = |shard: &str| site.path(&format!("shard-{shard}"));
    for shard in &shards {
        finished(couloir(&["run", &project, "--shard", shard, "--out", &folder(shard)]));
    }
    let merged = |parts: &[String], out: &str| {
        let mut command = couloir(&["merge", "--out", &site.path(out)]);
        command.args(parts.iter().map(|shard| folder(shard)));
        command
    };
    let error = refused(merged(&shards[1..], "gap"), 3);
    assert!(error.contains("missing") && error.contains("--shard"), "{error}");
    finished(merged(&shards, "merged"));
    assert_same(&site.folder("one"), &site.folder("merged"));

    finished(couloir(&["run", &project, "--shard", "0..10", "--out", &folder("0..10")]));
    let mut overlapping = shards.clone();
    overlapping.push("0..10".into());
    let error = refused(merged(&overlapping, "overlap"), 3);
    assert!(error.contains("overlap"), "{error}");
    finished(couloir(&["run", &project, "--seed", "9", "--shard", "0..1", "--out", &folder("other")]));
    let error = refused(merged(&["0..10".into(), "other".into()], "seeds"), 3);
    assert!(error.contains("different seeds (1 and 9)"), "{error}");

    killed_three_times(&site);
    assert_same(&site.folder("one"), &site.folder("killed"));
}

fn killed_three_times(site: &Site) {
    let start = || {
        let (project, out) = (site.project(), site.path("killed"));
        let mut command =
            couloir(&["run", &project, "--out", &out, "--progress", "json", "--checkpoint-every", "0.05"]);
        command.args(["--resume", "--threads", "2"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let simulated =
        |done: u64| move |line: &serde_json::Value| line["stage"] == "simulate" && line["done"].as_u64() >= Some(done);
    for (name, at) in [("-TERM", 15), ("-KILL", 60)] {
        let mut child = start();
        assert!(wait_for(&mut child, simulated(at)), "the run ended before it could be killed");
        let again = couloir(&["run", &site.project(), "--out", &site.path("killed"), "--resume"]);
        let error = refused(again, 4);
        assert!(error.contains(&format!("another couloir process (number {})", child.id())), "{error}");
        signal(&child, name);
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        let status = child.wait().unwrap();
        if name == "-TERM" {
            assert_eq!(status.code(), Some(4), "{text}");
            assert!(text.contains("--resume"), "{text}");
            let error = refused(couloir(&["run", &site.project(), "--out", &site.path("killed")]), 1);
            assert!(error.contains("interrupted run"), "{error}");
            let other = couloir(&["run", &site.project(), "--out", &site.path("killed"), "--resume", "--seed", "5"]);
            let error = refused(other, 1);
            assert!(error.contains("different seeds"), "{error}");
        }
    }
    let mut child = start();
    assert!(wait_for(&mut child, |line| line["stage"] == "write" && line["done"].as_u64() >= Some(1)));
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(4));
    assert!(!site.folder("killed").join("results.bin").exists());
    finished(couloir(&["run", &site.project(), "--out", &site.path("killed"), "--resume"]));
}

/// A GUI that dies takes its pipe along: the engine stops by itself and keeps its checkpoint.
#[test]
fn a_closed_pipe_stops_the_run() {
    let site = Site::new("", 400);
    let (project, out) = (site.project(), site.path("piped"));
    let mut command = couloir(&["run", &project, "--out", &out, "--progress", "json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.by_ref().any(|line| line.unwrap().contains("simulate")));
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(4));
    assert!(site.folder("piped/.partial/state.bin").exists());
}

/// A finished run is never overwritten unless told, and never mixed with other files.
#[test]
fn a_finished_run_is_kept() {
    let site = Site::new("", 20);
    let project = site.project();
    let out = site.path("run");
    finished(couloir(&["run", &project, "--out", &out, "--limit", "5"]));
    let error = refused(couloir(&["run", &project, "--out", &out, "--limit", "5"]), 1);
    assert!(error.contains("finished run") && error.contains("--overwrite"), "{error}");
    finished(couloir(&["run", &project, "--out", &out, "--limit", "5", "--resume"]));
    finished(couloir(&["run", &project, "--out", &out, "--limit", "7", "--overwrite"]));
    let error = refused(couloir(&["run", &project, "--out", &site.path("")]), 1);
    assert!(error.contains("not empty"), "{error}");
    // The default folder is found again.
    let folder = String::from_utf8(finished(couloir(&["run", &project, "--limit", "3"])).stdout).unwrap();
    assert!(folder.contains("runs") && Path::new(folder.trim()).join("layers/passages.tif").exists());
    assert!(refused(couloir(&["run", &project, "--limit", "3"]), 1).contains("finished run"));
}

#[test]
fn an_unknown_layer_is_refused_before_anything_is_computed() {
    let site = Site::new("statistics: {layers: [passages, kinetic_energy_p95]}\n", 20);
    let error = refused(couloir(&["run", &site.project(), "--out", &site.path("run")]), 3);
    assert!(error.contains("kinetic_energy_kj_p95"), "{error}");
    assert!(!site.folder("run").exists());
}

/// With a barrier the run folder holds both worlds, and the one without is that of a project without barriers.
#[test]
fn results_with_and_without_barriers_stand_side_by_side() {
    let net = r#"barriers:
  - name: net
    source: {geojson: {type: LineString, coordinates: [[2600010, 1200090], [2600230, 1200090]]}}
    height_m: 4
    capacity_kj: 2000
"#;
    let (with, without) = (Site::new(net, 40), Site::new("", 40));
    finished(couloir(&["run", &with.project(), "--out", &with.path("run")]));
    finished(couloir(&["run", &without.project(), "--out", &without.path("run")]));
    for part in ["layers", "trajectories"] {
        let (a, b) = (with.folder("run/without_barriers").join(part), without.folder("run").join(part));
        let (a, b) = (files(&a), files(&b));
        assert!(!a.is_empty() && a == b, "{part}");
    }
    let held = recompute::raster(&with.folder("run/with_barriers/layers/passages.tif"));
    let free = recompute::raster(&with.folder("run/without_barriers/layers/passages.tif"));
    let below = |field: &recompute::Raster| field.iter().filter(|((_, row), _)| *row < 40).map(|(_, v)| v).sum::<f64>();
    assert!(below(&held) < 0.5 * below(&free), "{} {}", below(&held), below(&free));
}
