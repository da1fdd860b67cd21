//! `prepare --overwrite` replaces what `prepare` wrote, and nothing else.

use std::fs;

use crate::support::{Tile, crs, names, run, run_well, square, write_polygons};

/// Runs, notes and edits in a prepared folder are the user's; only what an earlier `prepare` wrote is replaced.
#[test]
fn overwrite_removed_runs_notes_and_project_edits() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 30, 30, (2.0, 2.0), (-30.0, -30.0)).write(&here.join("dem.tif"));
    let prepare = ["prepare", "--dem", "dem.tif", "--line", "Road A=road.geojson", "--out", "site"];
    let road = r#"{"type": "LineString", "coordinates": [[2759980, 1190000], [2760020, 1190000]]}"#;
    let crs = r#""crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2056"}}"#;
    fs::write(
        here.join("road.geojson"),
        format!(
            r#"{{"type": "FeatureCollection", {crs}, "features": [{{"type": "Feature",
        "properties": {{}}, "geometry": {road}}}]}}"#
        ),
    )
    .unwrap();
    run_well(here, &prepare);
    assert!(names(&here.join("site")).iter().any(|name| name.starts_with("line_road_a-")));
    fs::create_dir_all(here.join("site/runs/first")).unwrap();
    fs::write(here.join("site/runs/first/results.bin"), "hours of work").unwrap();
    fs::write(here.join("site/notes.txt"), "mine").unwrap();
    // Without the line this time: its file goes.
    let again = ["prepare", "--dem", "dem.tif", "--out", "site", "--overwrite", "--title", "new"];
    let ran = run_well(here, &again);
    assert!(ran.stderr.contains("notes.txt") && ran.stderr.contains("runs/first/results.bin"), "{}", ran.stderr);
    let kept =
        ["dem.qml", "dem.tif", "notes.txt", "prepare.json", "project.yaml", "release.gpkg", "release.qml", "runs"];
    assert_eq!(names(&here.join("site")), kept);
    assert_eq!(fs::read_to_string(here.join("site/runs/first/results.bin")).unwrap(), "hours of work");
    // An edited project, a damaged list, an input in the folder: nothing changes.
    for (file, edit) in [("project.yaml", "# mine\n"), ("prepare.json", " ")] {
        let path = here.join("site").join(file);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{edit}")).unwrap();
        let before = fs::read(here.join("site/dem.tif")).unwrap();
        let ran = run(here, &again);
        assert!(ran.code != 0 && ran.stderr.contains(file), "{}", ran.stderr);
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{whole}{edit}"));
        assert!(fs::read(here.join("site/dem.tif")).unwrap() == before);
        fs::write(&path, whole).unwrap();
    }
    let ran = run(here, &["prepare", "--dem", "site/../site/dem.tif", "--out", "site", "--overwrite"]);
    assert!(ran.code == 1 && ran.stderr.contains("the input"), "{}", ran.stderr);
    assert_eq!(names(&here.join("site")), kept);
    // A name that is wanted and taken by something of the user's.
    fs::create_dir(here.join("site/line_own.gpkg")).unwrap();
    let taken = ["prepare", "--dem", "dem.tif", "--line", "own=road.geojson", "--out", "site", "--overwrite"];
    let ran = run(here, &taken);
    assert!(ran.code == 1 && ran.stderr.contains("line_own.gpkg"), "{}", ran.stderr);
    assert_eq!(names(here), ["dem.tif", "road.geojson", "site"], "nothing is left beside it");
}

/// A name that is taken by a link to nowhere, or to itself, is refused before anything is made.
#[test]
#[cfg(unix)]
fn a_link_to_nowhere_is_no_folder_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 30, 30, (2.0, 2.0), (-30.0, -30.0)).write(&here.join("dem.tif"));
    for to in ["nowhere", "link"] {
        std::os::unix::fs::symlink(to, here.join("link")).unwrap();
        let before = names(here);
        for more in [&[][..], &["--overwrite"]] {
            let ran = run(here, &[&["prepare", "--dem", "dem.tif", "--out", "link"], more].concat());
            assert!(ran.code == 3 && ran.stderr.contains("link that leads nowhere"), "{} {}", ran.code, ran.stderr);
            assert_eq!(names(here), before);
        }
        fs::remove_file(here.join("link")).unwrap();
    }
}

/// A damaged file of a prepared folder was simulated without a word; so was one somebody had edited and forgotten.
#[test]
fn a_prepared_file_that_was_changed_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 30, 30, (2.0, 2.0), (-30.0, -30.0)).write(&here.join("dem.tif"));
    let lv95 = crs(2056);
    write_polygons(&here.join("cliff.geojson"), &lv95, "name", &[(square(&lv95, (0.0, 0.0), 10.0), "cliff")]);
    run_well(here, &["prepare", "--dem", "dem.tif", "--release", "cliff.geojson", "--out", "site"]);
    let said = |arguments: &[&str]| {
        let ran = run_well(here, arguments);
        ran.stdout + &ran.stderr
    };
    let named = "no longer what `couloir prepare` wrote";
    assert!(!said(&["check", "site/project.yaml"]).contains(named));
    // What a bit does to a compressed file differs; here another file of the same terrain has come in its place.
    fs::copy(here.join("dem.tif"), here.join("site/dem.tif")).unwrap();
    let told = said(&["check", "site/project.yaml"]);
    assert!(told.contains(named) && told.contains("'dem.tif'") && told.contains("prepare.json"), "{told}");
    let told = said(&["run", "site/project.yaml", "--limit", "2", "--out", "run"]);
    assert!(told.contains(named), "{told}");
    let manifest = fs::read_to_string(here.join("run/manifest.json")).unwrap();
    assert!(manifest.contains("changed_since_prepared") || manifest.contains(named), "{manifest}");
}

/// The list itself: any bit of it, or its end missing.
#[test]
fn a_damaged_list_of_what_was_prepared_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 30, 30, (2.0, 2.0), (-30.0, -30.0)).write(&here.join("dem.tif"));
    let lv95 = crs(2056);
    write_polygons(&here.join("cliff.geojson"), &lv95, "name", &[(square(&lv95, (0.0, 0.0), 10.0), "cliff")]);
    run_well(here, &["prepare", "--dem", "dem.tif", "--release", "cliff.geojson", "--out", "site"]);
    let list = here.join("site/prepare.json");
    let whole = fs::read(&list).unwrap();
    let told = || {
        let ran = run_well(here, &["check", "site/project.yaml"]);
        (ran.stdout + &ran.stderr).contains("prepare.json: damaged or edited")
    };
    assert!(!told());
    for at in [0, whole.len() / 7, whole.len() / 3, whole.len() / 2, whole.len() - 2] {
        let mut flipped = whole.clone();
        flipped[at] ^= 4;
        fs::write(&list, flipped).unwrap();
        assert!(told(), "byte {at} of {}", whole.len());
    }
    fs::write(&list, &whole[..whole.len() / 2]).unwrap();
    assert!(told(), "half of it");
    fs::write(&list, "{\"steps\": [\"cut\", \"reproject\"]}").unwrap();
    assert!(!told(), "a file of the user's own");
}
