//! Each sample through the real binary: prepared, checked, and run with a few rocks.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::sample;

fn couloir() -> Command {
    Command::cargo_bin("couloir").unwrap()
}

/// A sample's project must be without mistakes; returns what `check` prints.
fn check(project: &Path) -> String {
    let output = couloir().arg("check").arg(project).assert().success().get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a few of the project's rocks and looks for what a user opens first.
fn run(project: &Path, rocks: u32) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    couloir().arg("run").arg(project).args(["--limit", &rocks.to_string(), "--out"]).arg(&out).assert().success();
    for file in ["layers/passages.tif", "layers/kinetic_energy_kj_p95.tif", "trajectories/trajectories.shp"] {
        let size = fs::metadata(out.join(file)).map_or(0, |m| m.len());
        assert!(size > 100, "{file} is missing or empty");
    }
}

#[test]
fn ramp_is_checked_and_run() {
    let project = sample("ramp/project.yaml");
    check(&project);
    run(&project, 6);
}

#[test]
fn valley_is_checked_and_run() {
    let project = sample("valley/project.yaml");
    check(&project);
    run(&project, 12);
}

/// What the offices sent in three CRS becomes one project that can be run.
#[test]
fn borderland_is_prepared_checked_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    couloir()
        .arg("prepare")
        .arg("--config")
        .arg(sample("borderland/prepare.yaml"))
        .arg("--out")
        .arg(&site)
        .assert()
        .success();
    let project = site.join("project.yaml");
    check(&project);
    run(&project, 6);
}
