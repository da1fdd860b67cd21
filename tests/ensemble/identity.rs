//! Parts are joined, and runs resumed, only if they were computed from the same numbers by the same engine.

use std::fs;
use std::path::Path;

use crate::site::Site;
use crate::{couloir, finished, refused};

/// A site whose inputs are files: a DEM behind two VRT files, a shapefile, a rock and a scheme of its own.
fn site_of_files() -> Site {
    let site = Site::new("stop: {max_time_s: 1}\nclassification: {scheme: own.yaml}\n", 10);
    let project = fs::read_to_string(site.project()).unwrap();
    let project = project.replace("dem: dem.asc, crs: 'EPSG:2056'", "dem: outer.vrt");
    let start = project.find("- source: {geojson: {type: Polygon").unwrap();
    let end = start + project[start..].find('\n').unwrap();
    let project = format!("{}- source: {{file: release.shp}}{}", &project[..start], &project[end..]);
    let project = project.replace("shape: eota_221", "shape: {file: rock.xyz}");
    fs::write(site.project(), project).unwrap();
    let vrt = |source: &str| {
        format!(
            "<VRTDataset rasterXSize=\"120\" rasterYSize=\"120\"><SRS>EPSG:2056</SRS><GeoTransform>2600000, 2, 0, 1200240, \
             0, -2</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource><SourceFilename \
             relativeToVRT=\"1\">{source}</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>\
             </VRTDataset>"
        )
    };
    fs::write(site.folder("outer.vrt"), vrt("inner.vrt")).unwrap();
    fs::write(site.folder("inner.vrt"), vrt("dem.asc")).unwrap();
    let corners = [(1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1), (-1, -1, -1)];
    let rock: String = corners.iter().map(|(x, y, z)| format!("{x} {y} 0.{}\n", 5 + z)).collect();
    fs::write(site.folder("rock.xyz"), rock).unwrap();
    fs::write(site.folder("own.yaml"), include_str!("../../src/project/schemes/swiss.yaml")).unwrap();
    let feature = r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"note": "first"}, "geometry":
        {"type": "Polygon", "coordinates": [[[2600090, 1200200], [2600150, 1200200], [2600150, 1200230], [2600090, 1200230],
        [2600090, 1200200]]]}}]}"#;
    fs::write(site.folder("release.geojson"), feature.replace("\"features\"", &format!("{CRS}, \"features\"")))
        .unwrap();
    let (from, to) = (site.path("release.geojson"), site.path("release.shp"));
    finished(couloir(&["clip", &from, &to, "--extent", "2600000,1200000,2600240,1200240"]));
    site
}

const CRS: &str = r#""crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2056"}}"#;

fn part(site: &Site, range: &str, name: &str) -> String {
    let out = site.path(name);
    finished(couloir(&["run", &site.project(), "--shard", range, "--out", &out, "--overwrite"]));
    out
}

/// Replaces the first piece of these bytes; returns the file as it was.
fn changed(path: &Path, old: &str, new: &str) -> Vec<u8> {
    let before = fs::read(path).unwrap();
    let place = before.windows(old.len()).position(|piece| piece == old.as_bytes());
    let place = place.unwrap_or_else(|| panic!("no {old:?} in {}", path.display()));
    fs::write(path, [&before[..place], new.as_bytes(), &before[place + old.len()..]].concat()).unwrap();
    before
}

/// What stands behind `outer.vrt`, beside `release.shp`, in the rock and in the scheme is what parts know each other by.
#[test]
fn parts_on_different_inputs_do_not_merge_and_the_input_is_named() {
    let site = site_of_files();
    let first = part(&site, "0..5", "first");
    let merge = |second: &str| couloir(&["merge", &first, second, "--out", &site.path("merged"), "--overwrite"]);
    // A companion that says the same changes nothing.
    fs::write(site.folder("outer.vrt.aux.xml"), "<PAMDataset><Metadata><MDI key=\"a\">b</MDI></Metadata></PAMDataset>")
        .unwrap();
    let second = part(&site, "5..10", "same");
    finished(merge(&second));
    fs::remove_file(site.folder("outer.vrt.aux.xml")).unwrap();
    for (file, old, new, named) in [
        ("dem.asc", "1142.200", "1141.200", "terrain 'outer.vrt'"),
        (
            "inner.vrt",
            "<SourceBand>1</SourceBand>",
            "<SourceBand>1</SourceBand><DstRect yOff=\"1\"/>",
            "terrain 'outer.vrt'",
        ),
        ("release.dbf", "first", "other", "release[0] 'release.shp'"),
        ("rock.xyz", "1 1", "1 1.1", "rocks[1].shape 'rock.xyz'"),
        ("own.yaml", "300", "301", "classification.scheme 'own.yaml'"),
    ] {
        let path = site.folder(file);
        let before = changed(&path, old, new);
        let second = part(&site, "5..10", "second");
        let error = refused(merge(&second), 3);
        assert!(error.contains(named) && error.contains("not parts of one run"), "{file}: {error}");
        fs::write(&path, before).unwrap();
        // Alone it is no part of what the project now is.
        let error = refused(couloir(&["merge", &second, "--out", &site.path("alone")]), 3);
        assert!(error.contains("missing"), "{file}: {error}");
    }
    let second = part(&site, "5..10", "second");
    finished(merge(&second));
    every_file_is_in_the_manifest(&site);
}

/// All of a shapefile, both VRT files and what they lead to, the rock and the scheme, each with the hash of its bytes.
fn every_file_is_in_the_manifest(site: &Site) {
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(site.folder("merged/manifest.json")).unwrap()).unwrap();
    let inputs = manifest["inputs"].as_array().unwrap();
    for name in [
        "outer.vrt",
        "inner.vrt",
        "dem.asc",
        "release.shp",
        "release.shx",
        "release.dbf",
        "release.prj",
        "release.cpg",
        "rock.xyz",
        "own.yaml",
    ] {
        let input = inputs.iter().find(|input| input["path"] == name).unwrap_or_else(|| panic!("{name} in {inputs:?}"));
        let (_, hash) = couloir::geo::file_list::hash(&site.folder(name)).unwrap();
        assert_eq!(input["sha256"], hash, "{name}");
    }
    assert_eq!(manifest["engine"]["source_hash"].as_str().unwrap().len(), 64);
}

/// Another build of the same version has another hash of its sources.
#[test]
fn a_part_of_another_build_is_refused() {
    let site = Site::new("stop: {max_time_s: 1}\n", 10);
    let version = String::from_utf8(finished(couloir(&["--version"])).stdout).unwrap();
    let version = version.trim().strip_prefix("couloir ").unwrap();
    let (release, hash) = version.split_once('+').unwrap();
    assert!(release == env!("CARGO_PKG_VERSION") && hash.len() == 12, "{version}");
    // A part says which engine computed it.
    let header = couloir::store::run_folder::ShardFolder::header(Path::new(&part(&site, "0..1", "part"))).unwrap();
    assert_eq!(header.identity.engine_version, version);
    let other = format!("{release}+{}", hash.chars().rev().collect::<String>());
    let (first, second) = (part(&site, "0..5", "first"), part(&site, "5..10", "second"));
    as_if_computed_by(&site.folder("second/shard/state.bin"), &other);
    let error = refused(couloir(&["merge", &first, &second, "--out", &site.path("merged")]), 3);
    assert!(error.contains(version) && error.contains(&other) && error.contains("versions of couloir"), "{error}");
    // Both of them by the other one: this engine does not know what it would have computed.
    as_if_computed_by(&site.folder("first/shard/state.bin"), &other);
    let error = refused(couloir(&["merge", &first, &second, "--out", &site.path("merged")]), 3);
    assert!(error.contains(version) && error.contains(&other), "{error}");
    assert!(!site.folder("merged").exists());
}

/// Writes a state file anew, with another engine in its head.
fn as_if_computed_by(path: &Path, engine: &str) {
    let mut state = couloir::store::state_file::State::load(path).unwrap();
    state.header.identity.engine_version = engine.into();
    state.save(path).unwrap();
}

/// Counts of another build can be classified as long as they can be read: only joining and continuing need one engine.
#[test]
fn a_run_of_another_build_is_classified_and_says_so() {
    let site = Site::new("stop: {max_time_s: 1}\nclassification: {scheme: swiss}\n", 10);
    let run = site.path("run");
    finished(couloir(&["run", &site.project(), "--out", &run]));
    let own = String::from_utf8(finished(couloir(&["classify", &run, "--scheme", "norway"])).stdout).unwrap();
    assert!(!own.contains("computed by"), "{own}");
    let maps = fs::read(site.folder("run/classification/norway/scheme.json")).unwrap();
    let intensity = fs::read(site.folder("run/classification/norway/scenario_all.tif"));
    as_if_computed_by(&site.folder("run/results.bin"), "0.1.0+000000000000");
    change_sealed(&site.folder("run/manifest.json"), |manifest| {
        manifest["engine"]["version"] = "0.1.0".into();
        manifest["engine"]["source_hash"] = "0".repeat(64).into();
        manifest["classifications"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .for_each(|c| c["engine"] = "0.1.0+000000000000".into());
    });
    let told = String::from_utf8(finished(couloir(&["classify", &run, "--scheme", "norway"])).stdout).unwrap();
    assert!(told.contains("computed by couloir 0.1.0+000000000000, the maps by couloir "), "{told}");
    assert_eq!(fs::read(site.folder("run/classification/norway/scheme.json")).unwrap(), maps);
    assert_eq!(fs::read(site.folder("run/classification/norway/scenario_all.tif")).ok(), intensity.ok());
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(site.folder("run/manifest.json")).unwrap()).unwrap();
    let engines: Vec<&str> =
        manifest["classifications"].as_array().unwrap().iter().map(|c| c["engine"].as_str().unwrap()).collect();
    assert_eq!(manifest["engine"]["version"], "0.1.0");
    assert!(engines[0] == "0.1.0+000000000000" && engines[1].starts_with(env!("CARGO_PKG_VERSION")), "{engines:?}");
}

/// Changes a sealed file and seals it again.
fn change_sealed(path: &Path, change: impl FnOnce(&mut serde_json::Value)) {
    let mut value: serde_json::Value = couloir::files::seal::read(path).unwrap();
    change(&mut value);
    let blank = serde_json::to_string_pretty(&value).unwrap() + "\n";
    let zeros = "0".repeat(64);
    let at = blank.rfind(&format!("\"seal\": \"{zeros}")).unwrap() + "\"seal\": \"".len();
    let hash = couloir::files::hash::sha256(blank.as_bytes());
    fs::write(path, format!("{}{hash}{}", &blank[..at], &blank[at + 64..])).unwrap();
}

/// A file beside a GeoTIFF moves it, and one with statistics does not.
#[test]
fn a_companion_that_moves_the_dem_makes_another_run() {
    let site = Site::new("stop: {max_time_s: 1}\n", 10);
    let (from, to) = (site.path("dem.asc"), site.path("dem.tif"));
    let extent = "2600000,1200000,2600240,1200240";
    finished(couloir(&["clip", &from, &to, "--source-crs", "EPSG:2056", "--extent", extent]));
    let project = fs::read_to_string(site.project()).unwrap();
    fs::write(site.project(), project.replace("dem.asc, crs: 'EPSG:2056'", "dem.tif")).unwrap();
    let first = part(&site, "0..5", "first");
    let companion = |inside: &str| {
        fs::write(site.folder("dem.tif.aux.xml"), format!("<PAMDataset>{inside}</PAMDataset>")).unwrap();
        let second = part(&site, "5..10", "second");
        couloir(&["merge", &first, &second, "--out", &site.path("merged"), "--overwrite"])
    };
    let moved = "<GeoTransform>2600001, 2, 0, 1200240, 0, -2</GeoTransform>";
    let error = refused(companion(moved), 3);
    assert!(error.contains("terrain 'dem.tif' as it was read"), "{error}");
    finished(companion(
        "<PAMRasterBand band=\"1\"><Metadata><MDI key=\"STATISTICS_MEAN\">1</MDI></Metadata></PAMRasterBand>",
    ));
    let manifest = fs::read_to_string(site.folder("merged/manifest.json")).unwrap();
    assert!(manifest.contains("\"dem.tif.aux.xml\""), "a companion is an input, too");
}

/// An interrupted run does not go on upon other terrain.
#[test]
fn a_run_is_not_resumed_on_other_terrain() {
    let site = Site::new("stop: {max_time_s: 2}\n", 100);
    let (project, out) = (site.project(), site.path("run"));
    let arguments = ["run", &project, "--out", &out, "--progress", "json", "--checkpoint-every", "0.05"];
    let mut child = couloir(&arguments).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let simulating = |line: &serde_json::Value| line["stage"] == "simulate" && line["done"].as_u64() >= Some(2);
    assert!(crate::wait_for(&mut child, simulating), "the run ended before it could be stopped");
    crate::signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let before = changed(&site.folder("dem.asc"), "1142.200", "1141.200");
    let error = refused(couloir(&["run", &project, "--out", &out, "--resume"]), 1);
    assert!(error.contains("terrain 'dem.asc' as it was read"), "{error}");
    fs::write(site.folder("dem.asc"), before).unwrap();
    finished(couloir(&["run", &project, "--out", &out, "--resume"]));
}

/// Parts know the project they were computed from: joined under another one they would be described by what they are not.
#[test]
fn parts_were_merged_under_a_project_that_was_changed_since() {
    let site = Site::new("stop: {max_time_s: 2}\n", 20);
    let (first, second) = (part(&site, "0..10", "first"), part(&site, "10..20", "second"));
    let merge = || couloir(&["merge", &first, &second, "--out", &site.path("merged")]);
    for (old, new, what) in [
        ("max_time_s: 2", "max_time_s: 3", "project files"),
        ("mass_kg: 800", "mass_kg: 900", "project files"),
        ("name: road", "name: path", "project files"),
    ] {
        let before = changed(&site.folder("project.yaml"), old, new);
        let error = refused(merge(), 3);
        assert!(error.contains("another project") && error.contains(what), "{error}");
        assert!(!site.folder("merged").exists());
        fs::write(site.folder("project.yaml"), before).unwrap();
    }
    let before = changed(&site.folder("dem.asc"), "1142.200", "1141.200");
    let error = refused(merge(), 3);
    assert!(error.contains("another project") && error.contains("terrain 'dem.asc' as it was read"), "{error}");
    fs::write(site.folder("dem.asc"), before).unwrap();
    finished(merge());
}

/// Where a project has no title the interactive page showed its path as the command gave it: other bytes from another folder.
#[test]
fn a_page_depended_on_how_the_path_was_written() {
    let site = Site::new("stop: {max_time_s: 1}\n", 20);
    finished(couloir(&["run", &site.project(), "--out", &site.path("far")]));
    let project = Path::new(&site.project()).to_path_buf();
    let mut near = couloir(&["run", &project.file_name().unwrap().to_string_lossy(), "--out", &site.path("near")]);
    near.current_dir(project.parent().unwrap());
    finished(near);
    let page = |run: &str| fs::read(site.folder(run).join("interactive.html")).unwrap();
    assert!(page("far") == page("near"));
}
