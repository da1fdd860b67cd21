//! Rocks are added until the map has settled: what decides is what was counted, and more rocks leave the earlier ones as they are.

#[cfg(unix)]
use std::process::Stdio;

use super::recompute::raster;
use super::site::Site;
use super::{assert_same, couloir, files, finished, refused};
#[cfg(unix)]
use super::{signal, wait_for};

const UNTIL: &str = "classification: {scheme: swiss, scenario_return_periods_years: {all: 100}}\n\
                     objects:\n\
                     - {name: house, source: {geojson: {type: Polygon, coordinates: [[[2600100, 1200090], [2600130, 1200090], \
                     [2600130, 1200105], [2600100, 1200105], [2600100, 1200090]]]}}}\n\
                     simulation: {until: {zone_change_share: 0.2, p95_half_width_share: 9, line_change_share: 9, batch_rocks: 40, \
                     max_rocks: 200}}\n";

fn manifest(site: &Site, run: &str) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(site.folder(run).join("manifest.json")).unwrap()).unwrap()
}

/// Asked to stop in the first batch, killed in the second, and resumed.
#[cfg(unix)]
fn interrupted_twice(site: &Site) {
    for (resume, name, rocks) in [(false, "-INT", 5), (true, "-KILL", 45)] {
        let mut command = couloir(&["run", &site.project(), "--threads", "2", "--out", &site.path("stopped")]);
        command.args(["--checkpoint-every", "0.01", "--progress", "json"]).args(resume.then_some("--resume"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let far = |line: &serde_json::Value| line["stage"] == "simulate" && line["done"].as_u64() >= Some(rocks);
        assert!(wait_for(&mut child, far), "it ended before {rocks} rocks");
        signal(&child, name);
        assert!(!child.wait().unwrap().success());
        assert!(!site.folder("stopped").join("manifest.json").exists());
    }
    finished(couloir(&["run", &site.project(), "--resume", "--out", &site.path("stopped")]));
}

/// One thread and two; stopped, killed and resumed; the count it ended at in one run and in three shards: the same bytes, but for the
/// report's data, whose curve has one point without batches, and the counts' header.
#[test]
fn a_settled_run_depends_on_the_counts_alone() {
    let site = Site::new(UNTIL, 100);
    let project = site.project();
    finished(couloir(&["run", &project, "--threads", "1", "--out", &site.path("one")]));
    finished(couloir(&["run", &project, "--threads", "2", "--out", &site.path("two")]));
    assert_same(&site.folder("one"), &site.folder("two"));
    #[cfg(unix)]
    {
        interrupted_twice(&site);
        assert_same(&site.folder("one"), &site.folder("stopped"));
    }
    let one = manifest(&site, "one");
    let (curve, rocks) = (one["convergence"]["curve"].as_array().unwrap(), one["rocks"].as_u64().unwrap());
    assert_eq!(curve.last().unwrap()["rocks"], rocks);
    assert!(curve.iter().all(|point| point["rocks"].as_u64().unwrap().is_multiple_of(40)), "pairs of rounds of 20");
    let enough = |point: &serde_json::Value| point["zone_change_share"].as_f64().is_some_and(|share| share <= 0.2);
    assert!(curve[..curve.len() - 1].iter().all(|point| !enough(point)), "it ends as soon as it has settled");
    assert_eq!(one["convergence"]["converged"], enough(curve.last().unwrap()));

    let count = rocks.to_string();
    for part in ["1/3", "2/3", "3/3"] {
        let out = site.path(&part.replace('/', "of"));
        finished(couloir(&["run", &project, "--rocks", &count, "--shard", part, "--out", &out]));
    }
    let parts = ["1of3", "2of3", "3of3"].map(|part| site.path(part));
    finished(couloir(&["merge", "--out", &site.path("merged"), &parts[0], &parts[1], &parts[2]]));
    let same = |run: &str| {
        let mut files = files(&site.folder(run));
        files.retain(|name, _| name != "results.bin" && name != "report.json");
        files
    };
    let (settled, merged) = (same("one"), same("merged"));
    assert_eq!(settled.keys().collect::<Vec<_>>(), merged.keys().collect::<Vec<_>>());
    for (name, bytes) in &settled {
        assert!(bytes == &merged[name], "{name} differs");
    }
    assert_eq!(manifest(&site, "merged")["convergence"]["verdict"], one["convergence"]["verdict"]);
    let error = refused(couloir(&["run", &project, "--shard", "1/2", "--out", &site.path("x")]), 2);
    assert!(error.contains("--rocks"), "{error}");
    let error = refused(couloir(&["run", &project, "--rocks", "33", "--out", &site.path("x")]), 2);
    assert!(error.contains("multiple of 20") && error.contains("20 or 40"), "{error}");
}

/// The rocks of the first rounds stay what they are when more follow.
#[test]
fn more_rocks_leave_the_earlier_ones_as_they_are() {
    let site = Site::new("outputs: {trajectories: [geopackage]}\n", 50);
    let starts = |rocks: &str| {
        finished(couloir(&["run", &site.project(), "--rocks", rocks, "--out", &site.path(rocks)]));
        let table = std::fs::read_to_string(site.folder(rocks).join("lines/crossings.csv")).unwrap();
        let row = |line: &str| (line.split(',').next().unwrap().parse::<u64>().ok(), line.to_string());
        table.lines().skip(1).map(row).collect::<Vec<_>>()
    };
    let (few, many) = (starts("20"), starts("40"));
    assert!(!few.is_empty() && few[..] == many[..few.len()]);
    assert!(many[few.len()..].iter().all(|(rock, _)| rock.is_some_and(|rock| rock >= 20)));
}

/// A look at half of a settled run has the frequencies of all: those of a run of as many rocks.
#[test]
fn a_partial_merge_by_rounds_keeps_the_frequencies() {
    let site = Site::new(UNTIL, 50);
    finished(couloir(&["run", &site.project(), "--rocks", "40", "--shard", "0..20", "--out", &site.path("half")]));
    finished(couloir(&["merge", "--allow-missing", "--out", &site.path("look"), &site.path("half")]));
    finished(couloir(&["run", &site.project(), "--rocks", "20", "--out", &site.path("alone")]));
    let years = |run: &str| {
        let layer = |name: &str| raster(&site.folder(run).join(format!("layers/return_period_years_above_{name}.tif")));
        [layer("0_kj"), layer("0_kj_10m")]
    };
    let (look, alone) = (years("look"), years("alone"));
    assert!(look.iter().all(|layer| layer.len() > 20) && look == alone);
    let houses = |run: &str| std::fs::read_to_string(site.folder(run).join("objects/objects.csv")).unwrap();
    // What is not whole says so in a column of its own.
    let look = houses("look").replacen(",partial\n", "\n", 1).replace(",\"PARTIAL (20 of 40 rocks)\"\n", "\n");
    assert_eq!(look, houses("alone"));
}
