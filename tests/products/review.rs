//! Finished runs looked at again: differences are right to the cell, profiles are what the layers say, nothing foreign is
//! replaced and nothing that does not match is compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use couloir::geo::raster::{self, ReadRaster};
use couloir::store::manifest;
use couloir::terrain::Lattice;
use serde_json::Value;
use tempfile::TempDir;

use crate::run::{LATTICE, project, write_dem, write_dem_on};

fn couloir(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_couloir")).args(arguments).current_dir(folder).output().expect("it ran");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), said.into_owned())
}

fn run_into(folder: &Path, text: &str, out: &str) {
    fs::write(folder.join("project.yaml"), text).expect("written");
    let arguments = ["run", "project.yaml", "--out", out, "--limit", "30", "--progress", "none"];
    let (code, said) = couloir(folder, &arguments);
    assert_eq!(code, 0, "{said}");
}

/// Runs A and B of the same slope: other ground, other seed. Read only.
static TWO: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    write_dem(folder.path());
    let text = project(true, false) + "outputs: {points_every_s: 0.5, trajectories: [geopackage]}\n";
    run_into(folder.path(), &text, "a");
    let other = text.replace("medium_hard", "soft").replace("seed: 5", "seed: 6");
    run_into(folder.path(), &other, "b");
    folder
});

fn values(path: PathBuf) -> (Lattice, Vec<f64>) {
    let raster =
        raster::read(&path, &ReadRaster::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (raster.field.lattice, raster.field.values)
}

fn json(path: PathBuf) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("there")).expect("JSON")
}

#[test]
fn a_difference_is_b_minus_a_cell_by_cell() {
    let (folder, out) = (TWO.path(), tempfile::tempdir().unwrap());
    let place = out.path().join("d");
    let (code, said) = couloir(folder, &["diff", "a", "b", "--out", place.to_str().unwrap(), "--progress", "none"]);
    assert_eq!(code, 0, "{said}");
    for (name, zero_where_missing) in
        [("kinetic_energy_kj_p95", true), ("passages", true), ("energy_line_angle_deg", false)]
    {
        let of = |run: &str| values(folder.join(run).join(format!("layers/{name}.tif"))).1;
        let (a, b) = (of("a"), of("b"));
        let (lattice, found) = values(place.join(format!("difference_{name}.tif")));
        assert_eq!(lattice, LATTICE);
        assert!(found.iter().any(|v| *v > 0.0) && found.iter().any(|v| *v < 0.0), "{name} differs nowhere");
        for ((a, b), found) in a.iter().zip(&b).zip(&found) {
            let expected = match (a.is_nan(), b.is_nan()) {
                (true, true) => f64::NAN,
                (true, false) | (false, true) if !zero_where_missing => f64::NAN,
                _ => (if b.is_nan() { 0.0 } else { *b }) - (if a.is_nan() { 0.0 } else { *a }),
            };
            assert!(
                (found - expected).abs() < 1e-3 || found.is_nan() && expected.is_nan(),
                "{name}: {found}, {expected}"
            );
        }
        let style = fs::read_to_string(place.join(format!("difference_{name}.qml"))).unwrap();
        assert!(style.contains("about the same") && style.contains("singlebandpseudocolor"));
    }
    let data = json(place.join("difference.json"));
    let keys: Vec<&str> = data["parameters"].as_array().unwrap().iter().map(|p| p["key"].as_str().unwrap()).collect();
    assert_eq!(keys, ["ground.default", "simulation.seed"]);
    let figures = data["figures"].as_array().unwrap();
    let figure = |name: &str| figures.iter().find(|f| f["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    let reached = |run: &str| {
        let cells = values(folder.join(run).join("layers/passages.tif")).1.iter().filter(|v| **v > 0.0).count();
        cells as f64 * LATTICE.dx * LATTICE.dy / 1e4
    };
    assert_eq!(figure("Area reached")["a"], reached("a"));
    assert_eq!(figure("Area reached")["b"], reached("b"));
    assert!(figures.iter().any(|f| f["name"].as_str().unwrap().starts_with("Hazard zone ")));
    let page = fs::read_to_string(place.join("difference.html")).unwrap();
    assert!(page.contains("Test slope") && page.contains("ground.default") && !page.contains("<A & B>"));
}

#[test]
fn runs_that_do_not_match_are_refused_and_nothing_is_written() {
    let root = tempfile::tempdir().unwrap();
    let cases: [(&str, Lattice, u32, &str); 4] = [
        ("coarse", Lattice { nx: 45, ny: 25, dx: 4.0, dy: 4.0, ..LATTICE }, 2056, "cells of the first are 2 m by 2 m"),
        ("shifted", Lattice { x0: LATTICE.x0 + 0.7, ..LATTICE }, 2056, "do not lie on one another"),
        ("larger", Lattice { nx: 95, x0: LATTICE.x0 - 6.0, ..LATTICE }, 2056, ""),
        ("utm", LATTICE, 21781, "the CRS of the first is EPSG:2056"),
    ];
    for (name, lattice, epsg, sentence) in cases {
        let folder = root.path().join(name);
        fs::create_dir(&folder).unwrap();
        write_dem_on(&folder, &lattice, epsg);
        // The coordinates of the project are those of the DEM, whatever it says they are.
        let arguments = ["run", "project.yaml", "--out", "run", "--limit", "6", "--progress", "none", "--force"];
        fs::write(folder.join("project.yaml"), project(false, false)).unwrap();
        let (code, said) = couloir(&folder, &arguments);
        assert_eq!(code, 0, "{name}: {said}");
        let a = TWO.path().join("a");
        let (code, said) = couloir(&folder, &["diff", a.to_str().unwrap(), "run", "--out", "d", "--progress", "none"]);
        if sentence.is_empty() {
            assert_eq!(code, 0, "{said}");
            let (found, _) = values(folder.join("d/difference_passages.tif"));
            assert_eq!((found.nx, found.ny, found.x0), (95, LATTICE.ny, lattice.x0), "the area of both");
            continue;
        }
        assert_eq!(code, 3, "{name}: {said}");
        assert!(said.contains(sentence) && said.lines().count() == 1, "{name}: {said}");
        assert!(!folder.join("d").exists(), "{name}: nothing is written");
    }
}

#[test]
fn results_of_others_are_never_replaced_by_a_difference_or_profile() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    let [a, b] = ["a", "b"].map(|run| TWO.path().join(run).display().to_string());
    let out = folder.join("d");
    let place = out.to_str().unwrap();
    let diff =
        |more: &[&str]| couloir(folder, &[&["diff", &a, &b, "--out", place, "--progress", "none"], more].concat());
    fs::create_dir(&out).unwrap();
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let (code, said) = diff(&["--overwrite"]);
    assert!(code == 1 && said.contains("not empty"), "{said}");
    fs::remove_file(out.join("notes.txt")).unwrap();
    assert_eq!(diff(&[]).0, 0);
    assert_eq!(diff(&[]).0, 1, "a difference is there");
    assert_eq!(diff(&["--overwrite"]).0, 0);
    fs::write(out.join("difference_passages.qml"), "my own style").unwrap();
    let (code, said) = diff(&["--overwrite"]);
    assert!(code == 1 && said.contains("difference_passages.qml"), "{said}");
    assert_eq!(fs::read_to_string(out.join("difference_passages.qml")).unwrap(), "my own style");
    // Runs are not written to.
    for inside in [a.clone(), format!("{b}/layers/d")] {
        let (code, said) = couloir(folder, &["diff", &a, &b, "--out", &inside, "--progress", "none"]);
        assert!(code == 1 || code == 2, "{said}");
    }
    assert!(couloir(folder, &["diff", &a, &a, "--out", "x"]).1.contains("choose two different runs"));
    let profile = ["profile", &a, "--points", "2600006,1200050", "2600150,1200050", "--out", place, "--overwrite"];
    assert!(couloir(folder, &profile).1.contains("was written by couloir diff"));
}

#[test]
fn a_layer_that_was_changed_since_its_run_is_not_compared() {
    let root = tempfile::tempdir().unwrap();
    write_dem(root.path());
    run_into(root.path(), &project(false, false), "run");
    let layer = root.path().join("run/layers/passages.tif");
    fs::copy(root.path().join("run/layers/deposits.tif"), &layer).unwrap();
    let a = TWO.path().join("a").display().to_string();
    let (code, said) = couloir(root.path(), &["diff", &a, "run", "--out", "d", "--progress", "none"]);
    assert!(code == 3 && said.contains("passages.tif") && said.contains("was changed"), "{said}");
    assert!(!root.path().join("d/difference.html").exists());
    let (code, _) =
        couloir(root.path(), &["profile", "run", "--points", "2600006,1200050", "2600150,1200050", "--out", "p"]);
    assert_eq!(code, 3);
}

#[test]
fn barriers_are_compared_with_barriers_and_with_the_slope_as_it_is() {
    let root = tempfile::tempdir().unwrap();
    write_dem(root.path());
    run_into(root.path(), &project(true, true), "net");
    let a = TWO.path().join("a").display().to_string();
    let (code, said) = couloir(root.path(), &["diff", &a, "net", "--out", "d", "--progress", "none"]);
    assert_eq!(code, 0, "{said}");
    assert!(root.path().join("d/with_barriers/difference_passages.tif").is_file());
    let data = json(root.path().join("d/difference.json"));
    assert!(data["layers"].as_array().unwrap().iter().all(|layer| layer["variant"] == "with barriers"));
    assert!(data["parameters"].as_array().unwrap().iter().any(|p| p["key"] == "barriers[net].height_m"));
}

#[test]
fn a_profile_holds_what_the_layers_and_the_terrain_say() {
    let (folder, out) = (TWO.path(), tempfile::tempdir().unwrap());
    let place = out.path().join("p");
    let arguments =
        ["profile", "a", "--points", "2600006,1200050", "2600150,1200050", "2600150,1200090", "--step", "1.5", "--out"];
    let (code, said) = couloir(folder, &[&arguments[..], &[place.to_str().unwrap()]].concat());
    assert_eq!(code, 0, "{said}");
    let data = json(place.join("profile.json"));
    let line = &data["lines"][0];
    let numbers = |key: &Value| -> Vec<f64> {
        key.as_array().unwrap().iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
    };
    let (distance, x, y) = (numbers(&line["distance_m"]), numbers(&line["x_m"]), numbers(&line["y_m"]));
    assert!(distance.windows(2).all(|pair| pair[1] - pair[0] <= 1.5 + 1e-9 && pair[1] > pair[0]));
    assert_eq!((distance[0], *distance.last().unwrap()), (0.0, 184.0));
    let mut seen = 0;
    for name in ["kinetic_energy_kj_p95", "jump_height_m_max", "passages"] {
        let (lattice, layer) = values(folder.join(format!("a/layers/{name}.tif")));
        for ((x, y), found) in x.iter().zip(&y).zip(numbers(&line["layers"][name])) {
            let (column, row) = lattice.cell_at(*x, *y).unwrap();
            let expected = layer[row * lattice.nx + column];
            assert!(found == expected || found.is_nan() && expected.is_nan(), "{name}: {found}, {expected}");
            seen += usize::from(!found.is_nan());
        }
    }
    assert!(seen > 20, "rocks pass the line: {seen}");
    let (lattice, dem) = values(folder.join("dem.tif"));
    let heights = numbers(&line["height_m"]);
    // At a node the terrain is the DEM.
    let (x, y) = lattice.centre(10, 20);
    let arguments =
        ["profile", "a", "--points", &format!("{x},{y}"), &format!("{},{y}", x + 20.0), "--step", "2", "--out"];
    let nodes = out.path().join("nodes");
    assert_eq!(couloir(folder, &[&arguments[..], &[nodes.to_str().unwrap()]].concat()).0, 0);
    let at_nodes = numbers(&json(nodes.join("profile.json"))["lines"][0]["height_m"]);
    for (column, height) in (10..).zip(&at_nodes) {
        assert!((height - dem[20 * lattice.nx + column]).abs() < 1e-3);
    }
    assert!(heights.iter().all(|height| (900.0..1010.0).contains(height)));
    let csv = fs::read_to_string(place.join("profile.csv")).unwrap();
    assert_eq!(csv.lines().count(), distance.len() + 1);
    assert!(csv.starts_with("line,distance_m,x_m,y_m,height_m,"));
    assert!(fs::read_to_string(place.join("profile.svg")).unwrap().starts_with("<svg"));
    assert!(fs::read_to_string(place.join("profile.html")).unwrap().contains("kinetic energy (kJ)"));
}

#[test]
fn bad_lines_and_corners_get_one_sentence() {
    let (folder, out) = (TWO.path(), tempfile::tempdir().unwrap());
    let place = out.path().join("p").display().to_string();
    fs::write(out.path().join("points.geojson"), r#"{"type":"Point","coordinates":[7.4,46.9]}"#).unwrap();
    let points = out.path().join("points.geojson").display().to_string();
    let cases: [(&[&str], i32, &str); 7] = [
        (&["a", "--points", "2600006,1200050"], 2, "expected at least two"),
        (&["a", "--points", "2600006,1200050", "here"], 2, "expected x,y"),
        (&["a", "--points", "1,2", "1,2"], 2, "all points are the same"),
        (&["a", "--points", "2600006,1200050", "2600100,1200050", "--step", "0"], 2, "above 0"),
        (&["a", "--points", "2600006,1200050", "2600100,1200050", "--step", "1e-9"], 2, "larger step"),
        (&["a", "--line", &points], 3, "holds no line"),
        (&["--tracks", "a/trajectories/trajectories.gpkg"], 3, "no point records"),
    ];
    for (arguments, expected, sentence) in cases {
        let (code, said) = couloir(folder, &[&["profile"], arguments, &["--out", &place]].concat());
        assert_eq!(code, expected, "{arguments:?}: {said}");
        assert!(said.contains(sentence) && said.trim().lines().count() == 1, "{arguments:?}: {said}");
        assert!(!Path::new(&place).exists(), "{arguments:?}");
    }
    // Outside the area there is nothing to see, and that is said.
    let (code, said) = couloir(folder, &["profile", "a", "--points=-10,-10", "--points=-20,5", "--out", &place]);
    assert!(code == 0 && said.contains("outside the run's area"), "{said}");
}

#[test]
fn trajectories_from_the_side_are_in_the_order_of_time() {
    let (folder, out) = (TWO.path(), tempfile::tempdir().unwrap());
    let place = out.path().join("t");
    let records = "a/trajectories/trajectory_points.gpkg";
    let (code, said) =
        couloir(folder, &["profile", "--tracks", records, "--most", "4", "--out", place.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let data = json(place.join("profile.json"));
    let tracks = data["tracks"].as_array().unwrap();
    assert_eq!(tracks.len(), 4);
    for track in tracks {
        for key in ["time_s", "distance_m"] {
            let numbers: Vec<f64> = track[key].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
            assert!(numbers.len() > 2 && numbers.windows(2).all(|pair| pair[0] <= pair[1]), "{key}: {numbers:?}");
        }
    }
}

/// QGIS takes up what lies beside a layer; the manifest vouches for it.
#[test]
fn every_layer_has_a_style_that_the_manifest_lists() {
    let run = TWO.path().join("a");
    let outputs = manifest::read(&run).unwrap().outputs;
    let listed = |path: &str| outputs.iter().any(|file| file.path == path);
    let mut layers = 0;
    for file in &outputs {
        let (stem, ending) = file.path.rsplit_once('.').unwrap();
        if ["tif", "gpkg", "shp", "fgb"].contains(&ending) {
            assert!(listed(&format!("{stem}.qml")), "{} has no style", file.path);
            layers += 1;
        }
    }
    assert!(layers > 15 && listed("trajectories/trajectories_velocity.qml"));
    let zones = fs::read_to_string(run.join("classification/swiss/hazard.qml")).unwrap();
    assert!(zones.contains("categorizedSymbol") && zones.contains("paletted") && zones.contains("LinePatternFill"));
    let scheme = json(run.join("classification/swiss/scheme.json"));
    assert_eq!(scheme["zones"].as_array().unwrap().len(), 4);
}

/// What is looked at again is what the run wrote: layers, the numbers of the report, point records.
#[test]
fn files_of_a_run_that_changed_are_not_looked_at_again() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    for run in ["a", "b"] {
        let copied = std::process::Command::new("cp").arg("-r").arg(TWO.path().join(run)).arg(folder).status().unwrap();
        assert!(copied.success());
    }
    let flipped = |name: &str, at: usize, arguments: &[&str]| {
        let path = folder.join(name);
        let before = fs::read(&path).unwrap();
        let mut bytes = before.clone();
        bytes[at % before.len()] ^= 4;
        fs::write(&path, bytes).unwrap();
        let (code, said) = couloir(folder, arguments);
        assert!(code == 3 && said.contains(name) && said.contains("changed"), "{name} at {at}: {code} {said}");
        assert!(!folder.join("out").join("difference.html").exists() && !folder.join("out/profile.html").exists());
        fs::write(path, before).unwrap();
    };
    let diff = ["diff", "a", "b", "--out", "out", "--progress", "none"];
    let records = "a/trajectories/trajectory_points.gpkg";
    for at in [50, 1234, 4001] {
        flipped("a/report.json", at, &diff);
        flipped("b/report.json", at, &diff);
        flipped("a/layers/kinetic_energy_kj_p95.tif", at, &diff);
        flipped(records, at, &["profile", "--tracks", records, "--out", "out"]);
    }
    // QGIS' statistics change nothing; a factor beside a layer would.
    let beside = folder.join("a/layers/passages.tif.aux.xml");
    let inside = |text: &str| format!("<PAMDataset><PAMRasterBand band=\"1\">{text}</PAMRasterBand></PAMDataset>");
    fs::write(&beside, inside("<Scale>2</Scale>")).unwrap();
    let (code, said) = couloir(folder, &diff);
    assert!(code == 3 && said.contains("changes how") && said.contains("passages.tif.aux.xml"), "{said}");
    fs::write(&beside, inside("<Metadata><MDI key=\"STATISTICS_MEAN\">1</MDI></Metadata>")).unwrap();
    let (code, said) = couloir(folder, &diff);
    assert_eq!(code, 0, "{said}");
    // A copy is the user's own.
    fs::copy(folder.join(records), folder.join("mine.gpkg")).unwrap();
    let (code, said) = couloir(folder, &["profile", "--tracks", "mine.gpkg", "--out", "own"]);
    assert_eq!(code, 0, "{said}");
}
