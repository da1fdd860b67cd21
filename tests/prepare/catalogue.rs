//! Broken inputs: each gives one clear sentence, the right exit code and no leftovers.

use std::fs;
use std::path::Path;

use crate::support::*;

/// A folder with one good DEM, a good release and everything that can be wrong.
fn workshop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let lv95 = crs(2056);
    Tile::of_plane(2056, 100, 100, (2.0, 2.0), (-100.0, -100.0)).write(&here.join("dem.tif"));
    let whole = fs::read(here.join("dem.tif")).unwrap();
    fs::write(here.join("cut.tif"), &whole[..whole.len() / 2]).unwrap();
    fs::write(here.join("empty.tif"), "").unwrap();
    fs::write(here.join("words.tif"), "not a raster").unwrap();
    let ascii = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2\n1 2 3\n4 5 6\n7 8 9\n";
    fs::write(here.join("nocrs.asc"), ascii).unwrap();
    let mut undeclared = Tile::of_plane(2056, 40, 40, (2.0, 2.0), (-40.0, -40.0));
    undeclared.values[333] = -32767.0;
    undeclared.write(&here.join("undeclared.tif"));
    let nothing = Tile::of_plane(2056, 40, 40, (2.0, 2.0), (-40.0, -40.0)).with_hole((0, 0, 40, 40));
    nothing.write(&here.join("nothing.tif"));
    write_polygons(&here.join("release.gpkg"), &lv95, "kind", &[(square(&lv95, (0.0, 0.0), 10.0), "Moor")]);
    write_polygons(&here.join("far.gpkg"), &lv95, "kind", &[(square(&lv95, (9000.0, 0.0), 10.0), "hard")]);
    fs::write(here.join("none.geojson"), r#"{"type":"FeatureCollection","features":[]}"#).unwrap();
    fs::write(here.join("broken.geojson"), r#"{"type":"FeatureCollection","features":["#).unwrap();
    let (x, y) = middle_in(&crs(4326));
    let point = format!(r#"{{"type":"Point","coordinates":[{y},{x}]}}"#);
    fs::write(here.join("swapped.geojson"), &point).unwrap();
    fs::write(here.join("bad.yaml"), "dem: dem.tif\nbufer_m: 3\nout: site\n").unwrap();
    folder
}

/// Arguments after `prepare`, exit code, and words the sentence must hold.
const CASES: &[(&[&str], i32, &[&str])] = &[
    (&["--out", "site"], 2, &["--dem"]),
    (&["--dem", "dem.tif"], 2, &["--out"]),
    (&["--dem", "deem.tif", "--out", "site"], 3, &["deem.tif", "not found", "dem.tif"]),
    (&["--dem", "tile*.tif", "--out", "site"], 3, &["tile*.tif", "no file matches"]),
    (&["--dem", "cut.tif", "--out", "site"], 3, &["cut.tif", "cut short"]),
    (&["--dem", "empty.tif", "--out", "site"], 3, &["empty.tif", "empty"]),
    (&["--dem", "words.tif", "--out", "site"], 3, &["words.tif", "not a raster"]),
    (&["--dem", "release.gpkg", "--out", "site"], 3, &["release.gpkg", "vector"]),
    (&["--dem", "nocrs.asc", "--out", "site"], 3, &["nocrs.asc", "--dem-crs"]),
    (&["--dem", "undeclared.tif", "--out", "site"], 3, &["-32767", "--dem-nodata"]),
    (&["--dem", "nothing.tif", "--out", "site"], 3, &["nothing but nodata"]),
    (&["--dem", "dem.tif", "--band", "4", "--out", "site"], 3, &["no band 4"]),
    (&["--dem", "dem.tif", "--crs", "EPSG:999999", "--out", "site"], 3, &["EPSG:999999", "crs"]),
    (&["--dem", "dem.tif", "--crs", "EPSG:4326", "--out", "site"], 3, &["metres"]),
    (&["--dem", "dem.tif", "--cell", "0", "--out", "site"], 3, &["cell size"]),
    (&["--dem", "dem.tif", "--cell", "0.001", "--out", "site"], 3, &["GB", "at least"]),
    (&["--dem", "dem.tif", "--cell", "5000", "--out", "site"], 3, &["at least 2 × 2"]),
    (&["--dem", "dem.tif", "--aoi", "far.gpkg", "--out", "site"], 3, &["outside the DEM"]),
    (&["--dem", "dem.tif", "--aoi", "swapped.geojson", "--buffer", "50", "--out", "site"], 3, &["swapped"]),
    (&["--dem", "dem.tif", "--aoi", "none.geojson", "--out", "site"], 3, &["none.geojson"]),
    (&["--dem", "dem.tif", "--aoi", "1,2,3", "--out", "site"], 2, &["xmin,ymin,xmax,ymax"]),
    (&["--dem", "dem.tif", "--aoi", "missing.shp", "--out", "site"], 3, &["missing.shp", "not found"]),
    (&["--dem", "dem.tif", "--buffer", "nan", "--out", "site"], 3, &["buffer"]),
    (&["--dem", "dem.tif", "--fill-holes", "lots", "--out", "site"], 3, &["lots", "expected cells"]),
    (&["--dem", "dem.tif", "--release", "none.geojson", "--out", "site"], 3, &["none.geojson"]),
    (&["--dem", "dem.tif", "--release", "broken.geojson", "--out", "site"], 3, &["broken.geojson"]),
    (&["--dem", "dem.tif", "--release", "far.gpkg", "--out", "site"], 3, &["outside the area"]),
    (&["--dem", "dem.tif", "--release", "swapped.geojson", "--out", "site"], 3, &["swapped"]),
    (&["--dem", "dem.tif", "--release", "release.gpkg|layername=x", "--out", "site"], 3, &["'x'"]),
    (&["--dem", "dem.tif", "--layer", "ground=release.gpkg:soil", "--out", "site"], 3, &["'soil'", "kind"]),
    (
        &["--dem", "dem.tif", "--layer", "ground=release.gpkg:kind", "--out", "site"],
        3,
        &["Moor", "extra_soft", "--codes"],
    ),
    (&["--dem", "dem.tif", "--layer", "mu_min=release.gpkg:kind", "--out", "site"], 3, &["Moor", "number"]),
    (&["--dem", "dem.tif", "--layer", "grond=release.gpkg", "--out", "site"], 3, &["grond", "did you mean ground"]),
    (&["--dem", "dem.tif", "--layer", "ground", "--out", "site"], 2, &["NAME=FILE"]),
    (&["--dem", "dem.tif", "--codes", "ground:1=hard", "--out", "site"], 2, &["no --layer ground"]),
    (&["--config", "bad.yaml"], 3, &["bad.yaml", "bufer_m", "buffer_m"]),
    (&["--config", "gone.yaml"], 3, &["gone.yaml"]),
    (&["--dem", "dem.tif", "--out", "no/such/site"], 3, &["does not exist"]),
    (&["--dem", "dem.tif", "--out", "dem.tif"], 3, &["is a file"]),
];

#[test]
fn every_broken_input_gives_one_sentence_and_no_leftovers() {
    let folder = workshop();
    let before = names(folder.path());
    for (arguments, code, words) in CASES {
        let ran = run(folder.path(), &[&["prepare"], *arguments].concat());
        let said = &ran.stderr;
        assert_eq!(ran.code, *code, "{arguments:?}: {said}");
        let errors = said.lines().filter(|l| !l.starts_with("warning: ")).count();
        assert!(errors == 1 && said.contains("error: "), "{arguments:?}: {said}");
        for word in *words {
            assert!(said.contains(word), "{arguments:?}: '{word}' is missing in: {said}");
        }
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(names(folder.path()), before, "{arguments:?}");
    }
}

/// Arguments of `clip` and `reproject`, exit code, words.
const SINGLE: &[(&[&str], i32, &[&str])] = &[
    (&["clip", "dem.tif", "x.tif", "--aoi", "far.gpkg"], 3, &["outside raster"]),
    (&["clip", "cut.tif", "x.tif", "--extent", "2759900,1189900,2760100,1190100"], 3, &["cut.tif"]),
    (&["clip", "gone.tif", "x.tif", "--extent", "0,0,1,1"], 3, &["gone.tif", "not found"]),
    (&["clip", "release.gpkg", "x.gpkg", "--extent", "2600000,1200000,2600001,1200001"], 3, &["nothing of"]),
    (&["clip", "release.gpkg", "x.gpkg", "--extent", "0,0,1,1"], 3, &["the extent", "area of use"]),
    (&["clip", "dem.tif", "x.png", "--extent", "2759900,1189900,2760100,1190100"], 2, &[".tif"]),
    (&["clip", "dem.tif", "release.gpkg", "--extent", "0,0,1,1"], 3, &["exists"]),
    (&["reproject", "dem.tif", "x.tif", "--crs", "EPSG:0"], 3, &["EPSG:0"]),
    (&["reproject", "nocrs.asc", "x.tif", "--crs", "EPSG:2056"], 3, &["--source-crs"]),
    (&["reproject", "dem.tif", "no/x.tif", "--crs", "EPSG:25832"], 3, &["folder does not exist"]),
    (&["reproject", "release.gpkg", "x.xyz", "--crs", "EPSG:25832"], 2, &[".gpkg"]),
    (&["reproject", "dem.tif", "x.tif", "--crs", "EPSG:25832", "--cell", "0.00001"], 3, &["cell size"]),
];

#[test]
fn clip_and_reproject_fail_as_cleanly() {
    let folder = workshop();
    let before = names(folder.path());
    for (arguments, code, words) in SINGLE {
        let ran = run(folder.path(), arguments);
        assert_eq!(ran.code, *code, "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{arguments:?}: {}", ran.stderr);
        for word in *words {
            assert!(ran.stderr.contains(word), "{arguments:?}: '{word}' is missing in: {}", ran.stderr);
        }
        assert_eq!(names(folder.path()), before, "{arguments:?}");
    }
}

/// SIGTERM in the middle of the work: it stops, says so, and leaves nothing.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let here: &Path = folder.path();
    Tile::of_plane(2056, 400, 400, (2.0, 2.0), (-400.0, -400.0)).write(&here.join("dem.tif"));
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("couloir"))
        .current_dir(here)
        .args([
            "prepare",
            "--dem",
            "dem.tif",
            "--crs",
            "EPSG:25832",
            "--cell",
            "0.1",
            "--out",
            "site",
            "--progress",
            "json",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // 64 million cells keep it busy; the first progress of the reprojection shows it is at work.
    assert!(lines.any(|l| l.is_ok_and(|l| l.contains("reproject"))));
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(child.wait().unwrap().code(), Some(4));
    assert!(rest.iter().any(|l| l.contains("interrupted")), "{rest:?}");
    assert_eq!(names(here), ["dem.tif"]);
}
