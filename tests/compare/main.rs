//! `couloir compare` with the real binary: every model runs the same releases, and what is written can be read again.

use std::path::Path;
use std::process::{Command, Output};

use couloir::geo::raster::{self, ReadRaster};

fn couloir(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_couloir")).args(arguments).output().unwrap()
}

fn ramp() -> String {
    format!("{}/sample_projects/ramp/project.yaml", env!("CARGO_MANIFEST_DIR"))
}

fn column(csv: &str, model: &str, quantity: &str, index: usize) -> f64 {
    let start = format!("{model},{quantity},");
    let line = csv.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row {start} in\n{csv}"));
    line.split(',').nth(index).unwrap().parse().unwrap()
}

#[test]
fn models_are_compared_on_the_same_releases() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("models");
    let models = "leine2021,leine2014,spiral,directors,rocfall3,lumped";
    let run = ["compare", &ramp(), "--models", models, "--limit", "8", "--seed", "1", "--progress", "none", "--out"];
    let done = couloir(&[&run[..], &[out.to_str().unwrap()]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));

    let csv = std::fs::read_to_string(out.join("summary.csv")).unwrap();
    for model in models.split(',') {
        assert!(out.join(model).join("manifest.json").exists(), "{model} left no manifest");
        let runout = column(&csv, model, "run-out", 3);
        assert!(runout > 1.0 && runout.is_finite(), "{model}: mean run-out {runout} m");
    }
    assert_eq!(column(&csv, "leine2021", "run-out", 8), 0.0, "the reference has no distance from itself");
    // A point mass starts and ends elsewhere than a rigid body: the models must not be one and the same.
    assert!(column(&csv, "lumped", "run-out", 8) > 0.0);

    let map = out.join("reach_probability_rocfall3_minus_leine2021.tif");
    let field = raster::read(&map, &ReadRaster::default()).unwrap().field;
    assert!(field.values.iter().filter(|v| !v.is_nan()).all(|v| (-1.0..=1.0).contains(v)));
    let page = std::fs::read_to_string(out.join("compare.html")).unwrap();
    assert!(models.split(',').all(|model| page.contains(model)) && !page.contains("NaN"));

    let again = couloir(&[&run[..], &[out.to_str().unwrap()]].concat());
    assert_eq!(again.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--overwrite"));
}

/// What a project may choose between (placements, directions, shapes from files, distributions) is written as it was read.
#[test]
fn a_project_with_choices_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows: Vec<String> = (0..30).map(|row| vec![format!("{}", 700 - 3 * row); 30].join(" ")).collect();
    let head = "ncols 30\nnrows 30\nxllcorner 2600000\nyllcorner 1200000\ncellsize 4\n";
    std::fs::write(here.join("dem.asc"), format!("{head}{}\n", rows.join("\n"))).unwrap();
    std::fs::write(here.join("rock.xyz"), "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 0.5\n").unwrap();
    let project = "terrain: {dem: dem.asc, crs: EPSG:2056}\n\
        rocks:\n- {shape: {file: rock.xyz}, mass_kg: {distribution: power_law, exponent: 1.2, min: 100, max: 3000}}\n\
        release:\n- source: {geojson: {type: Polygon, coordinates: [[[2600020, 1200080], [2600100, 1200080], \
        [2600100, 1200110], [2600020, 1200110], [2600020, 1200080]]]}}\n\x20 placement: {count: 4}\n\x20 direction: {azimuth_deg: 180}\n\
        - source: {geojson: {type: LineString, coordinates: [[2600020, 1200090], [2600100, 1200090]]}}\n\
        stop: {max_time_s: 2}\n";
    std::fs::write(here.join("project.yaml"), project).unwrap();
    let (file, out) = (here.join("project.yaml"), here.join("models"));
    let done = couloir(&[
        "compare",
        file.to_str().unwrap(),
        "--models",
        "leine2021,lumped",
        "--limit",
        "3",
        "--progress",
        "none",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let shown = couloir(&["show", out.join("lumped").to_str().unwrap()]);
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["release"][0]["placement"]["count"], 4);
    assert_eq!(shown["rocks"][0]["shape"]["file"], "rock.xyz");
}

/// Only what an earlier comparison wrote is replaced, and a file changed since stops it before the first run is.
#[test]
fn overwrite_keeps_what_the_comparison_did_not_write() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("models");
    let place = out.to_str().unwrap();
    let ramp = ramp();
    let run = |out: &str, seed: &str, more: &[&str]| {
        let fixed = [
            "compare",
            &ramp,
            "--models",
            "rocfall3,lumped",
            "--limit",
            "4",
            "--progress",
            "none",
            "--out",
            out,
            "--seed",
            seed,
        ];
        couloir(&[&fixed[..], more].concat())
    };
    let said = |done: &Output| String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(run(place, "1", &[]).status.success());
    std::fs::write(out.join("notes.txt"), "mine").unwrap();
    let done = run(place, "2", &["--overwrite"]);
    assert!(done.status.success(), "{}", said(&done));
    let summary = std::fs::read(out.join("summary.csv")).unwrap();
    for file in ["compare.html", "lumped/layers/passages.tif"] {
        let whole = std::fs::read(out.join(file)).unwrap();
        std::fs::write(out.join(file), [&whole[..], b"\n"].concat()).unwrap();
        let manifest = std::fs::read(out.join("rocfall3/manifest.json")).unwrap();
        let done = run(place, "3", &["--overwrite"]);
        assert!(
            done.status.code() == Some(1) && said(&done).contains(file.rsplit('/').next().unwrap()),
            "{}",
            said(&done)
        );
        assert!(std::fs::read(out.join("rocfall3/manifest.json")).unwrap() == manifest);
        std::fs::write(out.join(file), whole).unwrap();
    }
    assert!(std::fs::read(out.join("summary.csv")).unwrap() == summary);
    assert_eq!(std::fs::read_to_string(out.join("notes.txt")).unwrap(), "mine");
    let own = folder.path().join("own");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("summary.csv"), "mine").unwrap();
    let done = run(own.to_str().unwrap(), "1", &["--overwrite"]);
    assert!(done.status.code() == Some(1) && said(&done).contains("not empty"), "{}", said(&done));
    assert_eq!(std::fs::read_dir(&own).unwrap().count(), 1);
}

#[test]
fn an_unknown_model_is_named() {
    let done = couloir(&["compare", &ramp(), "--models", "leine2021,magic"]);
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("'magic'") && said.contains("rocfall3"), "{said}");
    assert!(!Path::new("sample_projects/ramp/compare").exists());
}
