//! Killed anywhere, a verb leaves the old or the new, and the next call cleans up.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use couloir::files::hash::sha256_file;
use couloir::store::manifest;

use crate::site::Site;
use crate::{assert_same, couloir, finished, signal, wait_for};

/// Hidden entries below a folder.
fn hidden(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') {
            found.push(name);
        } else if path.is_dir() {
            found.extend(hidden(&path));
        }
    }
    found
}

/// Whether the files of a run are those its manifest lists.
fn is_consistent(run: &Path) -> bool {
    let manifest = manifest::read(run).unwrap();
    manifest.outputs.iter().all(|file| sha256_file(&run.join(&file.path)).is_ok_and(|hash| hash == file.sha256))
}

/// Files below a folder, by count: what grows while a process works.
fn count(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.map_while(Result::ok).map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
}

/// Kills a process once a folder holds so many files; tells whether it came to that.
fn kill_at(mut command: Command, folder: &Path, files: usize) -> bool {
    let mut child: Child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    loop {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if count(folder) >= files {
            // It may end by itself just now.
            let _ = child.kill();
            return !child.wait().unwrap().success();
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// New maps never stand beside an old manifest after the next call, and what was left half-made is gone.
#[test]
fn classify_killed_midway_left_new_maps_beside_an_old_manifest() {
    let site = Site::new("classification: {scheme: swiss}\n", 40);
    let run = site.folder("run");
    finished(couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "20"]));
    let classify = |quantile: &str| couloir(&["classify", &site.path("run"), "--quantile", quantile]);
    let before = count(&run);
    let mut killed = 0;
    for (k, quantile) in ["0.5", "0.6", "0.7", "0.8"].iter().enumerate() {
        killed += usize::from(kill_at(classify(quantile), &run, before + 2 + 4 * k));
        finished(couloir(&["show", &site.path("run")]));
        assert!(is_consistent(&run), "killed at {} files", before + 2 + 4 * k);
    }
    assert!(killed > 0, "no process was killed in time");
    finished(classify("0.9"));
    assert!(is_consistent(&run));
    assert_eq!(hidden(&run), [""; 0]);
    assert_eq!(manifest::read(&run).unwrap().classifications[0].quantile, 0.9);
}

/// A merge killed at any point goes on with `--resume`, as its sentence says, to the very bytes.
#[test]
fn a_killed_merge_advised_a_resume_it_did_not_have() {
    let site = Site::new("", 40);
    for (name, part) in [("a", "1/2"), ("b", "2/2")] {
        finished(couloir(&["run", &site.project(), "--shard", part, "--out", &site.path(name)]));
    }
    let merge = |out: &str, more: &[&str]| {
        let mut command = couloir(&["merge", &site.path("a"), &site.path("b"), "--out", &site.path(out)]);
        command.args(more);
        command
    };
    finished(merge("whole", &[]));
    for (name, stage) in [("-KILL", "merge"), ("-TERM", "merge"), ("-KILL", "write"), ("-TERM", "write")] {
        let mut command = merge("killed", &["--resume", "--progress", "json"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        assert!(wait_for(&mut child, |line| line["stage"] == stage));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(name == "-KILL" || output.status.code() == Some(4), "{stage}: {text}");
        assert!(name == "-KILL" || (text.contains("stopped while") && text.contains("--resume")), "{stage}: {text}");
    }
    finished(merge("killed", &["--resume"]));
    assert_same(&site.folder("whole"), &site.folder("killed"));
    let again = String::from_utf8(finished(merge("killed", &["--resume"])).stdout).unwrap();
    assert!(again.contains("already merged"), "{again}");
}

/// What a killed process leaves beside its file is removed by the next one that writes there.
#[test]
fn leftovers_of_killed_processes_stayed() {
    let site = Site::new("", 20);
    let run = |more: &[&str]| {
        let mut command = couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "10"]);
        command.args(more);
        command
    };
    assert!(kill_at(run(&[]), &site.folder("run/.partial/out"), 6), "the run was not killed in time");
    assert!(!site.folder("run/layers").exists(), "results take their places together");
    finished(run(&["--resume"]));
    assert_eq!(hidden(&site.folder("run")), [""; 0]);
    finished(run(&["--overwrite"]));
    assert_eq!(hidden(&site.folder("run")), [""; 0]);
}

/// A signal while the project is read is answered with a sentence.
#[test]
fn a_signal_at_start_up_ended_the_process_without_a_word() {
    let site = Site::new("", 2000);
    for signal_name in ["-INT", "-TERM"] {
        let mut command = couloir(&["run", &site.project(), "--out", &site.path("run"), "--progress", "json"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        assert!(wait_for(&mut child, |line| line["stage"] == "read"));
        signal(&child, signal_name);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{text}");
        assert!(text.contains("error: stopped"), "{text}");
        let _ = fs::remove_dir_all(site.folder("run"));
    }
}

/// A part is started again by schedulers, whatever became of it: an empty folder is used, a finished part is fine, one that a living process computes is
/// for later.
#[test]
fn a_part_can_be_started_again_and_again() {
    let site = Site::new("", 20);
    let part = |out: &str| couloir(&["run", &site.project(), "--shard", "1/2", "--out", &site.path(out), "--resume"]);
    fs::create_dir(site.folder("part")).unwrap();
    finished(part("part"));
    let before = fs::read(site.folder("part/shard/state.bin")).unwrap();
    finished(part("part"));
    finished(couloir(&["run", &site.project(), "--shard", "1/2", "--out", &site.path("part")]));
    assert_eq!(fs::read(site.folder("part/shard/state.bin")).unwrap(), before);
    // Another part is not this one.
    crate::refused(couloir(&["run", &site.project(), "--shard", "2/2", "--out", &site.path("part")]), 1);
}

/// A scheduler that is killed leaves no orphan behind that computes on and holds the folder.
#[test]
fn a_killed_scheduler_left_an_orphan() {
    let site = Site::new("", 20_000);
    let (out, log) = (site.path("run"), site.path("said"));
    let script = format!(
        "'{}' run '{}' --shard 2/2 --out '{out}' --with-parent --progress json > '{log}' 2>&1; echo over",
        env!("CARGO_BIN_EXE_couloir"),
        site.project()
    );
    let mut scheduler = std::process::Command::new("sh").args(["-c", &script]).stdout(Stdio::null()).spawn().unwrap();
    let said = || fs::read_to_string(&log).unwrap_or_default();
    while !said().contains("simulate") {
        assert!(scheduler.try_wait().unwrap().is_none(), "{}", said());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    signal(&scheduler, "-KILL");
    scheduler.wait().unwrap();
    while !said().contains("stopped; ") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(said().contains(" of 10000 trajectories are kept"), "{}", said());
    // Its folder is free: a second process gets so far as to refuse it for being unfinished.
    let free = || {
        let output = couloir(&["run", &site.project(), "--shard", "2/2", "--out", &out]).output().unwrap();
        output.status.code() == Some(1) && String::from_utf8_lossy(&output.stderr).contains("--resume")
    };
    while !free() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
