//! Rasters that are damaged, in the wrong place, in the wrong unit, or not rasters.

use std::fs;

use couloir::terrain::Lattice;

use crate::fixture::{Case, LATTICE, slope};

#[test]
fn missing_dem() {
    Case::new().change("dem.tif", "dme.tif").refuse(&["project.yaml:3:8: terrain.dem", "dme.tif"]);
}

#[test]
fn truncated_tiff() {
    let case = Case::new();
    // Noise does not compress: the cells are most of the file.
    case.raster("dem.tif", LATTICE, "EPSG:2056", |x, y| slope(x, y) + (x * 12.9898 + y * 78.233).sin() * 3.7);
    let bytes = fs::read(case.path("dem.tif")).unwrap();
    for share in [0.1, 0.5, 0.9] {
        let length = (bytes.len() as f64 * share) as usize;
        case.bytes("dem.tif", &bytes[..length]).refuse(&["terrain.dem", "dem.tif"]);
    }
}

#[test]
fn text_file_named_tif() {
    Case::new().text("dem.tif", "this is no raster\n").refuse(&["project.yaml:3:8: terrain.dem", "dem.tif"]);
}

#[test]
fn zero_byte_dem() {
    Case::new().bytes("dem.tif", &[]).refuse(&["project.yaml:3:8: terrain.dem", "dem.tif"]);
}

#[test]
fn folder_instead_of_a_raster() {
    let case = Case::new();
    fs::create_dir(case.path("tiles")).unwrap();
    case.change("dem.tif", "tiles").refuse(&["terrain.dem", "folder"]);
}

#[test]
fn vector_file_instead_of_a_raster() {
    Case::new().change("dem.tif", "release.geojson").refuse(&["terrain.dem", "release.geojson"]);
}

#[test]
fn all_nodata() {
    Case::new().raster("dem.tif", LATTICE, "EPSG:2056", |_, _| f64::NAN).refuse(&["terrain.dem", "nodata"]);
}

#[test]
fn one_cell() {
    let lattice = Lattice { nx: 1, ny: 1, ..LATTICE };
    Case::new().raster("dem.tif", lattice, "EPSG:2056", slope).refuse(&["terrain.dem", "1 × 1", "2 × 2"]);
}

#[test]
fn degrees() {
    let lattice = Lattice { nx: 40, ny: 40, x0: 7.44, y0: 46.95, dx: 1e-4, dy: 1e-4 };
    Case::new().raster("dem.tif", lattice, "EPSG:4326", |_, _| 500.0).refuse(&[
        "terrain.dem",
        "degrees",
        "couloir prepare --dem dem.tif --crs EPSG:32632",
    ]);
}

#[test]
fn project_crs_differs_from_the_dem() {
    Case::new().add("crs: EPSG:21781\n").refuse(&[
        "project.yaml:13:6: crs",
        "EPSG:2056",
        "couloir prepare --dem dem.tif --crs EPSG:21781",
    ]);
}

#[test]
fn unknown_crs() {
    Case::new().add("crs: EPSG:99999\n").refuse(&["project.yaml:13:6: crs", "EPSG:99999"]);
    Case::new().change("dem: dem.tif", "dem: dem.tif\n  crs: Swiss").refuse(&["terrain.crs", "Swiss"]);
}

/// What the file says of itself is not talked over: one of the two is wrong.
#[test]
fn a_stated_crs_that_is_not_that_of_the_file() {
    Case::new().change("dem: dem.tif", "dem: dem.tif\n  crs: EPSG:21781").refuse(&[
        "terrain",
        "says its CRS is EPSG:2056",
        "EPSG:21781",
        "remove the stated CRS",
    ]);
}

fn ascii_grid() -> String {
    let mut text =
        String::from("ncols 40\nnrows 40\nxllcorner 2600000\nyllcorner 1200000\ncellsize 2\nNODATA_value -9999\n");
    for row in (0..40).rev() {
        let height = slope(0.0, 1_200_001.0 + 2.0 * f64::from(row));
        text += &format!("{}\n", vec![height.to_string(); 40].join(" "));
    }
    text
}

#[test]
fn missing_crs_is_refused_unless_stated() {
    let case = Case::new();
    case.text("dem.asc", &ascii_grid()).change("dem.tif", "dem.asc").refuse(&["terrain.dem", "crs: EPSG"]);
    case.change("dem: dem.asc", "dem: dem.asc\n  crs: EPSG:2056").accept(&["EPSG:2056", "40 × 40"]);
}

#[test]
fn rotated_raster() {
    let vrt = "<VRTDataset rasterXSize=\"40\" rasterYSize=\"40\"><SRS>EPSG:2056</SRS>\
        <GeoTransform>2600000, 1.9, 0.4, 1200080, 0.4, -1.9</GeoTransform>\
        <VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource>\
        <SourceFilename relativeToVRT=\"1\">dem.tif</SourceFilename><SourceBand>1</SourceBand>\
        </SimpleSource></VRTRasterBand></VRTDataset>";
    Case::new().text("dem.vrt", vrt).change("dem.tif", "dem.vrt").refuse(&[
        "terrain.dem",
        "rotated",
        "couloir prepare --dem dem.vrt",
    ]);
}

#[test]
fn claim_of_many_gigabytes() {
    let vrt = "<VRTDataset rasterXSize=\"200000\" rasterYSize=\"200000\"><SRS>EPSG:2056</SRS>\
        <GeoTransform>2600000, 0.1, 0, 1220000, 0, -0.1</GeoTransform>\
        <VRTRasterBand dataType=\"Float32\" band=\"1\"/></VRTDataset>";
    Case::new().text("dem.vrt", vrt).change("dem.tif", "dem.vrt").refuse(&[
        "terrain.dem",
        "200000 × 200000",
        "holds none of them",
    ]);
    let header = "ncols 2000000\nnrows 2000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n";
    Case::new()
        .text("dem.asc", header)
        .change("dem.tif", "dem.asc\n  crs: EPSG:2056")
        .refuse(&["terrain.dem", "dem.asc"]);
}

#[test]
fn band_out_of_range() {
    Case::new()
        .change("dem: dem.tif", "dem: dem.tif\n  band: 4")
        .refuse(&["project.yaml:4:9: terrain.band: found 4", "bands 1 to 1"]);
    Case::new().change("dem: dem.tif", "dem: dem.tif\n  band: 0").refuse(&["terrain.band: found 0"]);
}

#[test]
fn undeclared_nodata_value() {
    for value in [-32768.0, -9998.0, -1501.0, 10_001.0] {
        let hole = |x: f64, y: f64| if x < 2_600_010.0 { value } else { slope(x, y) };
        let found = value.to_string();
        Case::new().raster("dem.tif", LATTICE, "EPSG:2056", hole).refuse(&["terrain.dem", &found, "nodata"]);
    }
}

#[test]
fn hole_under_the_whole_release() {
    let hole = |x: f64, y: f64| if y > 1_200_040.0 { f64::NAN } else { slope(x, y) };
    Case::new().raster("dem.tif", LATTICE, "EPSG:2056", hole).refuse(&[
        "project.yaml:9:7: release[0].source",
        "feature 0",
        "no height",
        "couloir prepare",
    ]);
}

#[test]
fn hole_under_a_part_of_the_release_is_counted() {
    let is_hole = |x: f64, y: f64| (2_600_020.0..2_600_034.0).contains(&x) && y > 1_200_040.0 && y < 1_200_072.0;
    let hole = |x: f64, y: f64| if is_hole(x, y) { f64::NAN } else { slope(x, y) };
    Case::new().raster("dem.tif", LATTICE, "EPSG:2056", hole).accept(&[
        "warning: release[0].source: 20 of 100 cells",
        "no height",
        "couloir prepare",
    ]);
    let edge = |x: f64, y: f64| if x < 2_600_034.0 { f64::NAN } else { slope(x, y) };
    Case::new().raster("dem.tif", LATTICE, "EPSG:2056", edge).accept(&["20 of 100 cells", "beyond the terrain's edge"]);
}

#[test]
fn parameter_raster_with_impossible_values() {
    Case::new()
        .raster("eps.tif", LATTICE, "EPSG:2056", |x, _| if x > 2_600_070.0 { 1.5 } else { 0.2 })
        .add("ground: {epsilon_n: {raster: eps.tif}}\n")
        .refuse(&["project.yaml:13:30: ground.epsilon_n.raster", "1.5", "from 0 to 1"]);
}

#[test]
fn parameter_raster_with_gaps_keeps_the_class() {
    Case::new()
        .raster("mu.tif", LATTICE, "EPSG:2056", |x, _| if x > 2_600_040.0 { 0.5 } else { f64::NAN })
        .add("ground: {classes: leine2014, default: soft, mu_min: {raster: mu.tif}}\n")
        .accept(&["800 of 1600 cells", "ground.mu_min       0.25      0.5", "weaker source"]);
}

#[test]
fn parameter_raster_elsewhere_has_no_effect_where_a_class_is_stated() {
    let elsewhere = Lattice { x0: 2_700_001.0, ..LATTICE };
    Case::new()
        .raster("mu.tif", elsewhere, "EPSG:2056", |_, _| 0.5)
        .add("ground: {default: medium, mu_min: {raster: mu.tif}}\n")
        .accept(&["warning: ground.mu_min.raster", "does not overlap the DEM"]);
}

/// Where a class raster had no value, a class that nobody had chosen held.
#[test]
fn a_gap_in_a_class_raster_needs_a_class_that_the_project_states() {
    let case = Case::new();
    let gap = |x: f64, y: f64| (x - 2_600_041.0).abs() < 1.0 && (y - 1_200_021.0).abs() < 1.0;
    case.raster("class.tif", LATTICE, "EPSG:2056", |x, y| if gap(x, y) { -9999.0 } else { 1.0 });
    case.add("ground: {layers: [{raster: class.tif, codes: {'1': hard}}]}\n");
    case.refuse(&[
        "ground.layers[0].raster",
        "class.tif",
        "no value in 1 of the 1600",
        "(2600041, 1200021)",
        "ground.default",
    ]);
    case.change("ground: {layers", "ground: {default: soft, layers").accept(&["8000", "29000"]);
}

/// Spacings that cells cannot hold were rounded without a word.
#[test]
fn roughness_is_checked_as_it_is_computed() {
    let case = Case::new();
    case.add("ground: {roughness: {height_m: 0.05, spacing_m: 1.4}}\n");
    case.accept(&["ground.roughness.spacing_m          1.4", "ground.roughness.spacing_m, in use  1"]);
}
