//! Counts that stay in their file, more parts than files may be open, and input files that are hashed once for all parts: the bytes are those of one run.

use std::fs;
use std::path::Path;

use crate::site::Site;
use crate::{assert_same, couloir, files, finished, refused};

/// As if counts of any size were too large for memory.
const STORED: [&str; 2] = ["--counts-memory", "0"];

/// Merged, resumed after the counts were joined, classified and said in another language out of the file: nothing differs.
#[test]
fn counts_left_in_their_file_give_the_same_bytes() {
    let more = "title: Slope\nclassification: {scheme: swiss}\nstatistics: {pooled: true}\n";
    let site = Site::new(more, 60);
    finished(couloir(&["run", &site.project(), "--out", &site.path("whole")]));
    let parts = ["a", "b", "c"].map(|name| site.path(name));
    for (part, range) in parts.iter().zip(["0..10", "10..11", "11..60"]) {
        finished(couloir(&["run", &site.project(), "--shard", range, "--out", part]));
    }
    let mut merge = couloir(&["merge", "--out", &site.path("merged")]);
    merge.args(&parts).args(STORED);
    finished(merge);
    assert_same(&site.folder("whole"), &site.folder("merged"));
    for (verb, more) in [("classify", ["--quantile", "0.9"]), ("report", ["--language", "de"])] {
        finished(couloir(&[verb, &site.path("whole"), more[0], more[1]]));
        finished(couloir(&[verb, &site.path("merged"), more[0], more[1], STORED[0], STORED[1]]));
        assert_same(&site.folder("whole"), &site.folder("merged"));
    }
    let report = fs::read_to_string(site.folder("merged/report.html")).unwrap();
    assert!(report.contains("lang=\"de\""));
    // A byte that changes in the file is noticed before anything is made of it.
    let path = site.folder("merged/results.bin");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let before = files(&site.folder("merged"));
    let error = refused(couloir(&["classify", &site.path("merged"), STORED[0], STORED[1]]), 3);
    assert!(error.contains("results.bin") && error.contains("damaged"), "{error}");
    assert!(before == files(&site.folder("merged")));
}

/// 150 parts are joined in rounds: 128 files at a time, and then what came of these. Nothing of the rounds stays.
#[test]
fn more_parts_than_files_are_read_side_by_side() {
    const PARTS: usize = 150;
    let site = Site::new("outputs: {report: false}\n", PARTS);
    finished(couloir(&["run", &site.project(), "--out", &site.path("whole")]));
    let folders: Vec<String> = (0..PARTS).map(|k| site.path(&format!("part-{k}"))).collect();
    for some in (0..PARTS).collect::<Vec<_>>().chunks(4) {
        let start = |&k: &usize| {
            let shard = format!("{k}..{}", k + 1);
            couloir(&["run", &site.project(), "--shard", &shard, "--out", &folders[k], "--progress", "none"])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        };
        let running: Vec<_> = some.iter().map(start).collect();
        running.into_iter().for_each(|mut part| assert!(part.wait().unwrap().success()));
    }
    let merge = |out: &str, of: &[String], more: &[&str]| {
        let mut command = couloir(&["merge", "--out", &site.path(out)]);
        command.args(of).args(more);
        command
    };
    finished(merge("merged", &folders, &STORED));
    assert_same(&site.folder("whole"), &site.folder("merged"));
    let mut left: Vec<String> =
        fs::read_dir(site.folder("merged")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    left.retain(|name| name.starts_with('.'));
    assert!(left.is_empty(), "{left:?}");
    // One part is damaged: that one is named, and nothing is taken for a result.
    let state = Path::new(&folders[140]).join("shard/state.bin");
    let mut bytes = fs::read(&state).unwrap();
    let place = bytes.len() - 100;
    bytes[place] ^= 4;
    fs::write(&state, bytes).unwrap();
    let error = refused(merge("damaged", &folders, &STORED), 3);
    assert!(error.contains("part-140") && !site.folder("damaged/results.bin").exists(), "{error}");
    // All but the damaged one, for a look.
    let there: Vec<String> = folders.iter().enumerate().filter(|(k, _)| *k != 140).map(|(_, f)| f.clone()).collect();
    finished(merge("look", &there, &["--allow-missing"]));
    let manifest = fs::read_to_string(site.folder("look/manifest.json")).unwrap();
    assert!(manifest.contains("1 of 150 rocks are missing"));
}

/// What `plan` has hashed is not hashed again, and is again as soon as it may be another file, though its size and date are the same.
#[cfg(unix)]
#[test]
fn hashes_of_a_plan_hold_for_the_very_files() {
    let folder = tempfile::tempdir().unwrap();
    let dem = folder.path().join("dem.tif");
    // More cells than are read as a whole, so that parts know it by its bytes.
    crate::blocks::make_sparse(folder.path());
    let padding = vec![7; 2 << 20];
    let bytes = [fs::read(&dem).unwrap(), padding].concat();
    fs::write(&dem, &bytes).unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (project, list) = (path("project.yaml"), path("plan/inputs.json"));
    // A file that was just written is not relied on: plan until it is.
    while {
        finished(couloir(&["plan", &project, "--parts", "2", "--limit", "4", "--out", &path("plan"), "--overwrite"]));
        !fs::read_to_string(&list).unwrap().contains("dem.tif")
    } {
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let part = |range: &str, out: &str, more: &[&str]| {
        let mut command = couloir(&["run", &project, "--limit", "4", "--shard", range, "--out", &path(out)]);
        command.args(more);
        command
    };
    finished(part("0..2", "a", &["--hashes", &list]));
    finished(part("2..4", "b", &[]));
    finished(couloir(&["merge", &path("a"), &path("b"), "--out", &path("merged"), "--hashes", &list]));
    finished(couloir(&["run", &project, "--limit", "4", "--out", &path("whole")]));
    assert!(files(&folder.path().join("whole")) == files(&folder.path().join("merged")));
    let date = fs::metadata(&dem).unwrap().modified().unwrap();
    let mut other = bytes.clone();
    let last = other.len() - 1;
    other[last] = 8;
    fs::write(&dem, &other).unwrap();
    fs::File::options().write(true).open(&dem).unwrap().set_modified(date).unwrap();
    finished(part("2..4", "c", &["--hashes", &list]));
    let merge = couloir(&["merge", &path("a"), &path("c"), "--out", &path("no"), "--hashes", &list]);
    assert!(refused(merge, 3).contains("different numbers in terrain 'dem.tif'"));
    // Where rocks start stands beside the list.
    let releases = folder.path().join("plan/releases.bin");
    let mut bytes = fs::read(&releases).unwrap();
    bytes[100] ^= 1;
    fs::write(&releases, bytes).unwrap();
    assert!(refused(part("0..1", "d", &["--hashes", &list]), 3).contains("releases.bin' is damaged"));
    fs::remove_file(&releases).unwrap();
    assert!(refused(part("0..1", "d", &["--hashes", &list]), 3).contains("releases.bin' cannot be read"));
    // A list that was changed is none.
    let text = fs::read_to_string(&list).unwrap();
    fs::write(&list, text.replacen("\"bytes\": ", "\"bytes\": 1", 1)).unwrap();
    assert!(refused(part("0..1", "d", &["--hashes", &list]), 3).contains("inputs.json"));
}

/// Parts of a terrain that is held as a whole read no more of it than their rocks touch, and still know all that a look at it finds. Other
/// pixels are another terrain, whatever the plan has seen.
#[test]
fn parts_of_a_plan_need_not_look_at_the_terrain_again() {
    let folder = tempfile::tempdir().unwrap();
    let project = crate::blocks::make_hill(folder.path(), 1200, true);
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    // A raster with a hole, classes and numbers of polygons around the hill.
    let driver = gdal::DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut friction = driver.create_with_band_type::<f32, _>(path("mu.tif"), 60, 60, 1).unwrap();
    friction.set_geo_transform(&[2_600_000.0, 40.0, 0.0, 1_220_000.0, 0.0, -40.0]).unwrap();
    friction.set_spatial_ref(&gdal::spatial_ref::SpatialRef::from_epsg(2056).unwrap()).unwrap();
    let mut band = friction.rasterband(1).unwrap();
    band.set_no_data_value(Some(-1.0)).unwrap();
    let mu = (0..3600).map(|k| if k == 7 { -1.0 } else { 0.3 + 0.0001 * k as f32 }).collect();
    band.write((0, 0), (60, 60), &mut gdal::raster::Buffer::new((60, 60), mu)).unwrap();
    friction.close().unwrap();
    let square = |properties: &str, west: i32| {
        let (w, e, s, n) = (2_601_830 + west, 2_601_830 + west + 60, 1_218_170, 1_218_250);
        format!(
            "{{geojson: {{type: Feature, properties: {properties}, geometry: {{type: Polygon, coordinates: \
             [[[{w}, {s}], [{e}, {s}], [{e}, {n}], [{w}, {n}], [{w}, {s}]]]}}}}}}"
        )
    };
    let ground = format!(
        "ground:\n  default: medium\n  layers:\n  - {{polygons: {}, class: hard}}\n  mu_min: {{raster: mu.tif}}\n  \
         kappa_per_m: {{polygons: {}, attribute: kappa}}\n",
        square("{}", -40),
        square("{kappa: 2.5}", 0)
    );
    fs::write(&project, fs::read_to_string(&project).unwrap() + &ground).unwrap();
    let (project, list) = (project.to_string_lossy().into_owned(), path("plan/inputs.json"));
    finished(couloir(&["plan", &project, "--parts", "2", "--out", &path("plan")]));
    // Terrain, nodes below releases and positions; the raster, two fields, the classes, and that friction is in order.
    let (kept, mut at, mut pieces) = (fs::read(path("plan/releases.bin")).unwrap(), 0, 0);
    while let Some(length) = kept.get(at..at + 8) {
        at += 8 + u64::from_le_bytes(length.try_into().unwrap()) as usize;
        pieces += 1;
    }
    assert_eq!(pieces, 2 * 8);
    let part = |range: &str, out: &str| {
        let mut command = couloir(&["run", &project, "--limit", "12", "--shard", range, "--out", &path(out)]);
        command.args(["--hashes", &list]);
        finished(command)
    };
    part("0..6", "a");
    part("6..12", "b");
    finished(couloir(&["merge", &path("a"), &path("b"), "--out", &path("merged"), "--hashes", &list]));
    finished(couloir(&["run", &project, "--limit", "12", "--out", &path("whole")]));
    assert!(files(&folder.path().join("whole")) == files(&folder.path().join("merged")));
    let manifest = fs::read_to_string(path("merged/manifest.json")).unwrap();
    assert!(manifest.contains("hole"), "{manifest}");
    // One cell in the corner, where no rock gets.
    let update = gdal::DatasetOptions { open_flags: gdal::GdalOpenFlags::GDAL_OF_UPDATE, ..Default::default() };
    let dem = gdal::Dataset::open_ex(path("dem.tif"), update).unwrap();
    let mut one = gdal::raster::Buffer::new((1, 1), vec![0.25_f32]);
    dem.rasterband(1).unwrap().write((0, 0), (1, 1), &mut one).unwrap();
    dem.close().unwrap();
    part("6..12", "c");
    let merge = couloir(&["merge", &path("a"), &path("c"), "--out", &path("no"), "--hashes", &list]);
    assert!(refused(merge, 3).contains("different numbers in terrain 'dem.tif'"));
}

/// An object store is written to only if that is allowed, with a folder of this machine to compute in; other file systems of GDAL never are.
#[test]
fn a_place_that_cannot_hold_a_run_is_refused_before_anything_is_read() {
    let refuse = |more: &[&str], words: &str| {
        for verb in ["run", "merge"] {
            let mut command = couloir(&[verb, "nothing-here"]);
            command.args(more);
            let error = refused(command, 2);
            assert!(error.contains(words) && error.trim().lines().count() == 1, "{verb} {more:?}: {error}");
        }
    };
    refuse(&["--out", "/vsis3/bucket/run", "--scratch", "here"], "--allow-network");
    refuse(&["--out", "/vsis3/bucket/run", "--allow-network"], "--scratch");
    refuse(&["--out", "/vsimem/run", "--scratch", "here"], "expected a folder of this machine");
    refuse(&["--out", "/vsizip/run.zip", "--scratch", "here", "--allow-network"], "expected a folder of this machine");
    refuse(
        &["--out", "/vsis3/bucket/../run", "--scratch", "here", "--allow-network"],
        "expected a folder of this machine",
    );
    refuse(&["--out", "/vsis3//vsicurl/http://x/run", "--scratch", "here", "--allow-network"], "expected a folder");
    refuse(&["--out", "run", "--scratch", "here"], "--scratch");
    let mut shard = couloir(&["run", "nothing-here", "--shard", "1/2", "--allow-network"]);
    shard.args(["--out", "/vsis3/bucket/run", "--scratch", "here"]);
    assert!(refused(shard, 2).contains("--shard"));
    assert!(!Path::new("here").exists());
}

/// The layers of two runs on 100 million cells, nearly all of them left out in the files: their difference, cell by cell, and a profile across it, both
/// without a number for every cell; the report in another language.
#[test]
fn large_maps_are_looked_at_again_piece_by_piece() {
    let folder = tempfile::tempdir().unwrap();
    let project = crate::blocks::make_sparse(folder.path()).to_string_lossy().into_owned();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for seed in ["1", "2"] {
        finished(couloir(&["run", &project, "--seed", seed, "--limit", "6", "--out", &path(seed)]));
    }
    finished(couloir(&["diff", &path("1"), &path("2"), "--out", &path("diff")]));
    // Columns and rows around the hill, as the file counts them.
    let read = |name: &str| {
        let layer = gdal::Dataset::open(folder.path().join(name)).unwrap();
        assert_eq!(layer.raster_size(), (10_000, 10_000));
        let band = layer.rasterband(1).unwrap();
        let none = band.no_data_value().unwrap();
        let cells = band.read_as::<f64>((6900, 6900), (350, 350), (350, 350), None).unwrap();
        cells.data().iter().map(|&value| (value != none).then_some(value)).collect::<Vec<_>>()
    };
    let [a, b] = ["1", "2"].map(|run| read(&format!("{run}/layers/passages.tif")));
    let expected: Vec<Option<f64>> = a
        .iter()
        .zip(&b)
        .map(|(a, b)| (a.is_some() || b.is_some()).then(|| b.unwrap_or(0.0) - a.unwrap_or(0.0)))
        .collect();
    assert!(expected == read("diff/difference_passages.tif"));
    let data: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("diff/difference.json")).unwrap()).unwrap();
    let layer = data["layers"].as_array().unwrap().iter().find(|layer| layer["layer"] == "passages").unwrap();
    let count = |wanted: fn(f64) -> bool| expected.iter().flatten().filter(|value| wanted(**value)).count();
    assert_eq!((&layer["cells_more"], &layer["cells_less"]), (&count(|v| v > 0.0).into(), &count(|v| v < 0.0).into()));
    assert!(count(|v| v > 0.0) > 20 && count(|v| v < 0.0) > 20);
    // From centre to centre of the cells of column 7075.
    let corner = |row: f64| format!("{},{}", 2_600_001.0 + 2.0 * 7075.0, 1_219_999.0 - 2.0 * row);
    let (from, to) = (corner(6950.0), corner(7200.0));
    finished(couloir(&["profile", &path("1"), "--points", &from, &to, "--step", "2", "--out", &path("profile")]));
    let table = fs::read_to_string(folder.path().join("profile/profile.csv")).unwrap();
    let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let column = head.iter().position(|name| *name == "passages").unwrap();
    let found: f64 = table.lines().skip(1).filter_map(|row| row.split(',').nth(column)?.parse::<f64>().ok()).sum();
    let along: f64 = (50..=300).filter_map(|row| a[row * 350 + 175]).sum();
    assert!(found > 0.0 && found == along, "{found} and {along}");
    finished(couloir(&["report", &path("1"), "--language", "de"]));
    assert!(fs::read_to_string(folder.path().join("1/report.html")).unwrap().contains("lang=\"de\""));
}
