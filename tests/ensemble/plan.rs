//! Parts as `couloir plan` cuts them, run as its files say.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::site::Site;
use crate::{assert_same, couloir, finished, refused};

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_string()).collect()
}

/// What the plan lists, called one by one in its folder, makes the very run; every engine has its files; a plan is not replaced unasked.
#[test]
fn a_plan_makes_the_very_run() {
    let site = Site::new("", 40);
    finished(couloir(&["run", &site.project(), "--out", &site.path("whole")]));
    let plan = |engine: &str, more: &[&str]| {
        let mut command = couloir(&["plan", &site.project(), "--for", engine, "--out", &site.path(engine)]);
        command.args(more);
        command
    };
    for (engine, files) in [
        ("snakemake", vec!["Snakefile"]),
        ("slurm", vec!["part.sh", "merge.sh", "submit.sh"]),
        ("dask", vec!["run_dask.py"]),
    ] {
        finished(plan(engine, &["--parts", "3"]));
        for file in files {
            let text = fs::read_to_string(site.folder(engine).join(file)).unwrap();
            assert!(!text.contains("@PARTS@") && !text.contains("@FOLDER@") && !text.contains("@RUN@"), "{text}");
        }
    }
    let folder = site.folder("snakemake");
    let listed = read(&folder.join("plan.json"));
    let parts = listed["parts"].as_array().unwrap();
    assert_eq!((parts.len(), &parts[0]["from"], &parts[2]["to"]), (3, &0.into(), &40.into()));
    assert!(parts.windows(2).all(|pair| pair[0]["to"] == pair[1]["from"]));
    // A scheduler gives the merge, which makes the maps, more memory than a part.
    let (part_mb, merge_mb) = (listed["memory_mb"].as_u64().unwrap(), listed["merge"]["memory_mb"].as_u64().unwrap());
    assert!((100..300).contains(&part_mb) && merge_mb >= 2000, "{part_mb} and {merge_mb} MB");
    assert!(fs::read_to_string(folder.join("Snakefile")).unwrap().contains("mem_mb=PLAN[\"merge\"][\"memory_mb\"]"));
    let call = |arguments: &Value| {
        let mut command = Command::new(listed["engine"].as_str().unwrap());
        command.args(words(arguments)).arg("--with-parent").current_dir(&folder);
        command
    };
    parts.iter().for_each(|part| drop(finished(call(&part["arguments"]))));
    finished(call(&listed["merge"]["arguments"]));
    assert_same(&site.folder("whole"), &folder.join("run"));
    // All of it again, as a scheduler would: nothing to do, nothing wrong.
    finished(call(&parts[1]["arguments"]));
    finished(call(&listed["merge"]["arguments"]));

    let error = refused(plan("snakemake", &["--parts", "3"]), 1);
    assert!(error.contains("holds a plan already") && error.contains("--overwrite"), "{error}");
    finished(plan("snakemake", &["--minutes", "0.01", "--overwrite"]));
    refused(plan("snakemake", &[]), 2);
}

/// A plan that was edited, and a file that happens to have the name of one of its files, are not replaced, asked or not.
#[test]
fn a_plan_overwrote_files_of_the_user() {
    let site = Site::new("", 40);
    let plan = |engine: &str, more: &[&str]| {
        let mut command =
            couloir(&["plan", &site.project(), "--parts", "2", "--for", engine, "--out", &site.path("plan")]);
        command.args(more);
        command
    };
    let kept = |name: &str, engine: &str| {
        let path = site.folder("plan").join(name);
        let there = fs::read(&path).ok();
        fs::write(&path, "mine").unwrap();
        let error = refused(plan(engine, &["--overwrite"]), 3);
        assert!(error.contains(name) || error.contains("plan.json"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
        there.map_or_else(|| fs::remove_file(&path), |text| fs::write(&path, text)).unwrap();
    };
    fs::create_dir(site.folder("plan")).unwrap();
    kept("plan.json", "snakemake");
    kept("Snakefile", "snakemake");
    finished(plan("snakemake", &[]));
    kept("plan.json", "snakemake");
    kept("Snakefile", "snakemake");
    kept("part.sh", "slurm");
    // Its own files it replaces, whatever engine they are for.
    finished(plan("slurm", &["--overwrite"]));
    finished(plan("snakemake", &["--overwrite"]));
    finished(plan("slurm", &["--overwrite"]));
}

/// What is there of a run can be looked at, and says everywhere that it is not all; the whole comes out as if there had been no look.
#[test]
fn a_partial_merge_says_so_everywhere() {
    let site = Site::new("title: Slope\nclassification: {scheme: swiss}\nstatistics: {pooled: true}\n", 35);
    let text = fs::read_to_string(site.project()).unwrap();
    let rare = "- {scenario: rare, source: {geojson: {type: Point, coordinates: [2600120, 1200215]}}, rocks_per_position: 5, \
                frequency_per_year: 0.01}\nground:";
    fs::write(site.project(), text.replacen("ground:", rare, 1)).unwrap();
    finished(couloir(&["run", &site.project(), "--out", &site.path("whole")]));
    let parts = ["a", "b", "c"].map(|name| site.path(name));
    for (part, range) in parts.iter().zip(["0..10", "10..25", "25..40"]) {
        finished(couloir(&["run", &site.project(), "--shard", range, "--out", part]));
    }
    let merge = |parts: &[String], more: &[&str]| {
        let mut command = couloir(&["merge", "--out", &site.path("merged")]);
        command.args(parts).args(more);
        command
    };
    let some = [parts[0].clone(), parts[2].clone()];
    assert!(refused(merge(&some, &[]), 3).contains("trajectories 10 to 24 are missing"));
    let told = finished(merge(&some, &["--allow-missing"]));
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.contains("15 of 40 rocks are missing"), "{told}");
    let manifest = fs::read_to_string(site.folder("merged/manifest.json")).unwrap();
    assert!(manifest.contains("PARTIAL (25 of 40 rocks) Slope") && manifest.contains("15 of 40 rocks are missing"));
    let report = fs::read_to_string(site.folder("merged/report.html")).unwrap();
    assert!(report.contains("PARTIAL (25 of 40 rocks)") && report.contains("15 of 40 rocks are missing"));
    let says_so = |file: &&str| {
        let name = if file.ends_with(".gpkg") { file.to_string() } else { format!("{file}.tif") };
        let layer = fs::read(site.folder(&format!("merged/{name}"))).unwrap();
        assert!(layer.windows(24).any(|bytes| bytes == b"PARTIAL (25 of 40 rocks)"), "{file} does not say so");
    };
    // In a column of tables and lines.
    for name in ["trajectories/rocks.csv", "trajectories/trajectories.dbf", "lines/crossings.csv", "lines/summary.csv"]
    {
        let table = fs::read(site.folder(&format!("merged/{name}"))).unwrap();
        let rows = table.windows(24).filter(|bytes| bytes == b"PARTIAL (25 of 40 rocks)").count();
        assert!(rows > 1 && table.windows(7).any(|bytes| bytes == b"partial"), "{name} says so {rows} times");
    }
    // Beside pictures, which have no description.
    let beside = ["layers/all", "layers/rare", "trajectories", "classification/swiss"];
    let said_beside = |folder: &&str| {
        let text = fs::read_to_string(site.folder(&format!("merged/{folder}/PARTIAL.txt"))).unwrap();
        assert!(text.starts_with("PARTIAL: 15 of 40 rocks are missing"), "{folder}: {text}");
    };
    beside.iter().for_each(said_beside);
    let zones = ["hazard", "hazard_confidence", "intensity_rare"].map(|map| format!("classification/swiss/{map}"));
    zones.iter().for_each(|map| says_so(&map.as_str()));
    // Zones are handed on as files of their own.
    let handed_on =
        ["hazard", "hazard_uncertain", "outermost_line"].map(|map| format!("classification/swiss/{map}.gpkg"));
    handed_on.iter().for_each(|map| says_so(&map.as_str()));
    ["all/passages", "rare/reach_probability_10m", "return_period_years_above_0_kj_10m"]
        .iter()
        .for_each(|layer| says_so(&format!("layers/{layer}").as_str()));
    finished(couloir(&["classify", &site.path("merged"), "--quantile", "0.9"]));
    says_so(&"classification/swiss/hazard");
    says_so(&"classification/swiss/hazard.gpkg");
    said_beside(&"classification/swiss");
    // The rest comes: the look is not taken for the whole.
    assert!(refused(merge(&parts, &["--resume"]), 1).contains("--allow-missing"));
    finished(merge(&parts, &["--overwrite", "--allow-missing"]));
    assert_same(&site.folder("whole"), &site.folder("merged"));
}

/// A folder called like a place in the scripts had commands put into its quotes.
#[test]
fn names_that_look_like_places_to_fill_became_commands() {
    let site = Site::new("", 20);
    let out = site.folder("@RUN@ @ENGINE@; echo 'x'");
    let plan = ["plan", &site.project(), "--parts", "2", "--for", "slurm", "--out", out.to_str().unwrap()];
    finished(couloir(&plan));
    let quoted = format!("'{}'", out.to_str().unwrap().replace('\'', "'\\''"));
    for file in ["part.sh", "merge.sh", "submit.sh"] {
        let text = fs::read_to_string(out.join(file)).unwrap();
        let line = text.lines().find(|line| line.starts_with("cd ")).unwrap();
        assert!(line.starts_with(&format!("cd {quoted}")), "{line}");
    }
}
