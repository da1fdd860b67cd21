//! Parts are joined, and runs resumed, only if they were computed from the same numbers by the same engine.

use std::fs;
use std::path::Path;

use crate::site::Site;
use crate::{couloir, finished, refused};

/// A site whose inputs are files: a DEM behind two VRT files, a shapefile, a rock and a scheme of its own.
fn site_of_files() -> Site {
    let site = Site::new("classification: {scheme: own.yaml}\n", 20);
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
    fs::write(site.folder("own.yaml"), include_str!("../../src/hazard/schemes/swiss.yaml")).unwrap();
    let feature = r#"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"note": "a"}, "geometry":
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
    let first = part(&site, "0..10", "first");
    let merge = |second: &str| couloir(&["merge", &first, second, "--out", &site.path("merged"), "--overwrite"]);
    // A companion that says the same changes nothing.
    fs::write(site.folder("outer.vrt.aux.xml"), "<PAMDataset><Metadata><MDI key=\"a\">b</MDI></Metadata></PAMDataset>")
        .unwrap();
    let second = part(&site, "10..20", "same");
    finished(merge(&second));
    fs::remove_file(site.folder("outer.vrt.aux.xml")).unwrap();
    let moved = "<PAMDataset><GeoTransform>2600000.5, 2, 0, 1200240, 0, -2</GeoTransform></PAMDataset>";
    let scaled = "<PAMDataset><PAMRasterBand band=\"1\"><Scale>1.001</Scale></PAMRasterBand></PAMDataset>";
    let nodata = "<PAMDataset><PAMRasterBand band=\"1\"><NoDataValue>1000</NoDataValue></PAMRasterBand></PAMDataset>";
    for (file, old, new, named) in [
        ("dem.asc", "1142.200", "1141.200", "terrain 'outer.vrt'"),
        ("inner.vrt", "SimpleSource>", "ComplexSource>", "terrain 'outer.vrt'"),
        ("release.dbf", "a ", "b ", "release[0] 'release.shp'"),
        ("rock.xyz", "1 1", "1 1.1", "rocks[1].shape 'rock.xyz'"),
        ("own.yaml", "300", "301", "classification.scheme 'own.yaml'"),
        ("outer.vrt.aux.xml", "", moved, "terrain 'outer.vrt'"),
        ("outer.vrt.aux.xml", "", scaled, "terrain 'outer.vrt'"),
        ("dem.asc.aux.xml", "", nodata, "terrain 'outer.vrt'"),
    ] {
        let path = site.folder(file);
        if file.ends_with("aux.xml") {
            fs::write(&path, new).unwrap();
        }
        let before = if file == "inner.vrt" {
            let text = fs::read_to_string(&path).unwrap();
            let other = text.replace(old, new).replace("<SourceBand>1", "<ScaleRatio>1.01</ScaleRatio><SourceBand>1");
            fs::write(&path, other).unwrap();
            text.into_bytes()
        } else if file.ends_with("aux.xml") {
            Vec::new()
        } else {
            changed(&path, old, new)
        };
        let second = part(&site, "10..20", "second");
        let error = refused(merge(&second), 3);
        assert!(error.contains(named) && error.contains("not parts of one run"), "{file}: {error}");
        // Even alone it is no part of what the project now is.
        if before.is_empty() {
            fs::remove_file(&path).unwrap()
        } else {
            fs::write(&path, before).unwrap()
        }
        let error = refused(couloir(&["run", &site.project(), "--shard", "10..20", "--out", &second, "--resume"]), 1);
        assert!(error.contains(named) || error.contains("finished"), "{file}: {error}");
    }
    let second = part(&site, "10..20", "second");
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
    let site = Site::new("", 20);
    let version = String::from_utf8(finished(couloir(&["--version"])).stdout).unwrap();
    let version = version.trim().strip_prefix("couloir ").unwrap();
    let (release, hash) = version.split_once('+').unwrap();
    assert!(release == env!("CARGO_PKG_VERSION") && hash.len() == 12, "{version}");
    let other = format!("{release}+{}", hash.chars().rev().collect::<String>());
    let identity: couloir::output::state_file::Identity = serde_json::from_value(serde_json::json!({
        "engine_version": other, "project_sha256": "", "inputs": [], "seed": 1, "planned": 1, "total": 1
    }))
    .unwrap();
    let error = identity.expect_this_engine(&site.folder("run")).unwrap_err();
    assert!(error.message.contains(version) && error.message.contains(&other) && error.message.contains("run'"));
    let this = couloir::output::state_file::Identity { engine_version: version.into(), ..identity.clone() };
    assert!(this.expect_this_engine(&site.folder("run")).is_ok());
    assert!(this.difference(&identity).unwrap().contains("versions of couloir"));
}
