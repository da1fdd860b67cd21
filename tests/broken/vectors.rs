//! Vector layers that are empty, elsewhere, damaged, of the wrong kind, or with the wrong attributes.

use std::fs;

use couloir::geo::Crs;
use couloir::geo::vector::{FieldType, Value};
use couloir::geo::write_vector::{Format, GeometryKind, VectorWriter};

use crate::fixture::{Case, collection, one_sentence, square};

const POINT: &str = "{\"type\": \"Point\", \"coordinates\": [2600040, 1200060]}";
const LINE: &str = "{\"type\": \"LineString\", \"coordinates\": [[2600020, 1200020], [2600060, 1200020]]}";

#[test]
fn missing_layer() {
    Case::new()
        .change("release.geojson", "relaese.geojson")
        .refuse(&["project.yaml:9:13: release[0].source.file", "relaese"]);
}

#[test]
fn empty_layer() {
    Case::new()
        .text("release.geojson", "{\"type\": \"FeatureCollection\", \"features\": []}")
        .refuse(&["release[0].source.file", "release.geojson"]);
    Case::new().bytes("release.geojson", &[]).refuse(&["release[0].source.file", "release.geojson"]);
}

#[test]
fn filter_that_leaves_nothing() {
    Case::new().change("file: release.geojson", "file: release.geojson\n      filter: mass > 9999").refuse(&[
        "release[0].source",
        "mass > 9999",
        "none of the 1 features",
    ]);
}

#[test]
fn release_outside_the_dem() {
    Case::new().text("release.geojson", &square(2_601_000.0, 1_200_050.0, "")).refuse(&[
        "project.yaml:9:7: release[0].source",
        "feature 0",
        "outside the DEM",
        "filter",
    ]);
}

#[test]
fn swapped_axes() {
    Case::new().text("release.geojson", &square(1_200_050.0, 2_600_030.0, "")).refuse(&[
        "release[0].source.file",
        "swapped",
        "x = east",
    ]);
    let degrees = "{\"type\": \"Point\", \"coordinates\": [46.95163, 7.43913]}";
    Case::new()
        .text("release.geojson", degrees)
        .refuse(&["release[0].source.file", "latitude and longitude look swapped"]);
}

#[test]
fn metres_in_a_layer_that_claims_degrees() {
    Case::new().text("release.geojson", POINT).refuse(&["release[0].source.file", "degrees", "crs: EPSG"]);
}

#[test]
fn null_geometry() {
    Case::new()
        .text("release.geojson", &collection("null", "\"a\": 1"))
        .refuse(&["release[0].source.file", "geometry"]);
}

#[test]
fn self_intersecting_polygon_is_repaired_or_named() {
    let bow = "{\"type\": \"Polygon\", \"coordinates\": [[[2600030, 1200050], [2600050, 1200070], [2600050, 1200050], \
               [2600030, 1200070], [2600030, 1200050]]]}";
    let case = Case::new();
    case.text("release.geojson", &collection(bow, ""));
    let output = case.couloir(&["check", "project.yaml"]);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{said}");
    assert!(said.contains(" 0 of ") && (said.contains("repaired") || said.contains("invalid")), "{said}");
}

#[test]
fn wrong_kind_of_geometry_for_barriers_lines_and_classes() {
    let case = Case::new();
    case.text("fence.geojson", &square(2_600_030.0, 1_200_050.0, ""))
        .add("barriers:\n  - {name: fence, source: {file: fence.geojson}, height_m: 3, capacity_kj: 500}\n")
        .refuse(&["project.yaml:14:34: barriers[0].source.file", "feature 0", "a polygon, expected lines"]);
    Case::new()
        .text("road.geojson", &collection(POINT, ""))
        .add("lines:\n  - {name: road, source: {file: road.geojson}}\n")
        .refuse(&["lines[0].source.file", "feature 0", "a point, expected lines"]);
    Case::new()
        .text("soil.geojson", &collection(LINE, "\"class\": \"soft\""))
        .add("ground: {layers: [{polygons: {file: soil.geojson}}]}\n")
        .refuse(&["ground.layers[0].polygons.file", "feature 0", "a line, expected polygons"]);
}

#[test]
fn shapefile_without_its_index() {
    let case = Case::new();
    let crs = Crs::from_user("EPSG:2056").unwrap();
    let fields = [("mass", FieldType::Real)];
    let path = case.path("release.shp");
    let mut writer =
        VectorWriter::create(&path, Format::Shapefile, "release", &crs, GeometryKind::Point, &fields).unwrap();
    let point = couloir::geo::write_vector::Shape::Point(2_600_040.0, 1_200_060.0);
    writer.write(point, &[Value::Real(100.0)]).unwrap();
    writer.finish().unwrap();
    case.change("release.geojson", "release.shp").accept(&["release.shp"]);
    fs::remove_file(case.path("release.prj")).unwrap();
    case.refuse(&["release[0].source.file", "release.shp", "CRS", ".prj"]);
    fs::remove_file(case.path("release.shx")).unwrap();
    case.refuse(&["release[0].source.file", "release.shp", ".shx", "copy all"]);
}

#[test]
fn wrong_attribute_name() {
    Case::new().change("mass_kg: 780", "mass_kg: {attribute: mas}").refuse(&[
        "project.yaml:6:26: rocks[0].mass_kg.attribute",
        "\"mas\"",
        "it has mass, name",
        "did you mean \"mass\"?",
    ]);
    Case::new()
        .text("soil.geojson", &square(2_600_030.0, 1_200_050.0, "\"Klasse\": \"soft\""))
        .add("ground: {layers: [{polygons: {file: soil.geojson}}]}\n")
        .refuse(&["ground.layers[0].attribute", "\"class\"", "it has Klasse"]);
}

#[test]
fn text_where_a_number_is_needed() {
    Case::new().change("mass_kg: 780", "mass_kg: {attribute: name}").refuse(&[
        "rocks[0].mass_kg.attribute",
        "feature 0",
        "\"a\"",
        "expected a number > 0",
    ]);
}

#[test]
fn negative_and_missing_mass_of_a_feature() {
    let case = Case::new();
    case.change("mass_kg: 780", "mass_kg: {attribute: mass}");
    case.text("release.geojson", &square(2_600_030.0, 1_200_050.0, "\"mass\": -5")).refuse(&[
        "rocks[0].mass_kg.attribute",
        "feature 0",
        "-5",
        "> 0",
    ]);
    case.text("release.geojson", &square(2_600_030.0, 1_200_050.0, "\"mass\": null, \"b\": 1")).refuse(&[
        "rocks[0].mass_kg.attribute",
        "feature 0",
        "no value",
    ]);
}

#[test]
fn unknown_class_in_a_feature() {
    Case::new()
        .text("soil.geojson", &square(2_600_030.0, 1_200_050.0, "\"class\": \"sofft\""))
        .add("ground: {layers: [{polygons: {file: soil.geojson}}]}\n")
        .refuse(&["ground.layers[0].attribute", "feature 0", "\"sofft\"", "did you mean \"soft\"?"]);
    Case::new()
        .text("soil.geojson", &square(2_600_030.0, 1_200_050.0, "\"class\": 7"))
        .add("ground: {layers: [{polygons: {file: soil.geojson}}]}\n")
        .refuse(&["ground.layers[0].attribute", "feature 0", "\"7\"", "`codes`"]);
}

#[test]
fn damaged_and_foreign_files() {
    Case::new()
        .text("release.geojson", "{\"type\": \"FeatureColl")
        .refuse(&["release[0].source.file", "release.geojson"]);
    Case::new().change("release.geojson", "dem.tif").refuse(&["release[0].source.file", "raster"]);
    Case::new()
        .change("      file: release.geojson", "      geojson: {type: Pont, coordinates: [1, 2]}")
        .refuse(&["release[0].source.geojson", "GeoJSON"]);
}

#[test]
fn layer_elsewhere_has_no_effect() {
    Case::new()
        .text("soil.geojson", &square(2_690_030.0, 1_200_050.0, "\"class\": \"soft\""))
        .add("ground: {layers: [{polygons: {file: soil.geojson}}]}\n")
        .accept(&["warning: ground.layers[0].polygons", "does not overlap the DEM"]);
}

/// Rocks start only where there is terrain: what of a release area lies beyond it is spoken of.
#[test]
fn a_release_area_that_reaches_beyond_the_dem() {
    Case::new()
        .text("release.geojson", &square(2_600_070.0, 1_200_050.0, "\"mass\": 500"))
        .accept(&["1 of 1 release features reach beyond the DEM", "only the part on it"]);
}

/// GDAL lets SQLite take changes beside a database over when it closes it: `check` rewrote an input and removed its journal.
#[test]
fn reading_a_geopackage_removed_the_journal_beside_it() {
    let case = Case::new();
    let crs = Crs::from_user("EPSG:2056").unwrap();
    let path = case.path("release.gpkg");
    let mut writer =
        VectorWriter::create(&path, Format::GeoPackage, "release", &crs, GeometryKind::Point, &[]).unwrap();
    writer.write(couloir::geo::write_vector::Shape::Point(2_600_040.0, 1_200_060.0), &[]).unwrap();
    writer.finish().unwrap();
    case.change("release.geojson", "release.gpkg").accept(&["release.gpkg"]);
    case.text("release.gpkg-wal", "changes");
    case.refuse(&["release[0].source.file", "release.gpkg-wal", "never written into it", "move that file away"]);
    let before = case.files();
    let clip = ["clip", "release.gpkg", "cut.gpkg", "--extent", "2600000,1200000,2600080,1200080"];
    one_sentence(&case.couloir(&clip), 3, &["release.gpkg-wal"]);
    assert!(before == case.files());
}

/// A test of a table whose place was not a number was left out.
#[test]
fn a_row_without_a_place_is_refused() {
    for place in ["abc,1200030", ",", "2600030,nan"] {
        let case = Case::new();
        case.text("tests.csv", &format!("x,y,mass\n2600030,1200050,500\n{place},500\n2600032,1200050,500\n"));
        case.change("file: release.geojson", "file: tests.csv\n      crs: EPSG:2056").refuse(&[
            "row 2",
            "tests.csv",
            "mend the row",
        ]);
    }
}
