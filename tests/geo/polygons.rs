//! Invalid polygons: repaired where only one reading makes sense, otherwise named by feature id.

use couloir::geo::vector::{self, VectorLayer, VectorSourceResolved};
use geo::Area;
use serde_json::{Value, json};

use crate::support::{ANYWHERE, assert_sentence, crs};

fn read(geometry: Value) -> couloir::Result<VectorLayer> {
    let collection = json!({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": 11, "properties": {}, "geometry":
            {"type": "Polygon", "coordinates": [[[0, 0], [5, 0], [5, 5], [0, 5], [0, 0]]]}},
        {"type": "Feature", "id": 42, "properties": {}, "geometry": geometry},
    ]});
    vector::read(&VectorSourceResolved::inline("release[0].geojson", collection, Some(crs(ANYWHERE))), None)
}

fn polygon(rings: Value) -> Value {
    json!({"type": "Polygon", "coordinates": rings})
}

#[track_caller]
fn assert_area(geometry: Value, area: f64, repaired: bool) {
    let layer = read(geometry).unwrap();
    let found = layer.features.iter().find(|f| f.id == 42).unwrap().geometry.unsigned_area();
    assert!((found - area).abs() < 1e-9, "{found} m² instead of {area}");
    assert_eq!(layer.warnings.len(), usize::from(repaired), "{:?}", layer.warnings);
    if repaired {
        assert!(
            layer.warnings[0].to_string().contains("polygon 42") && layer.warnings[0].code() == "polygon_repaired",
            "{:?}",
            layer.warnings
        );
    }
}

#[track_caller]
fn assert_named(geometry: Value, pieces: &[&str]) {
    let error = read(geometry).unwrap_err();
    assert_sentence(&error, &["feature 42", "release[0].geojson"]);
    assert_sentence(&error, pieces);
}

#[test]
fn valid_polygons_pass_untouched_with_holes_and_parts() {
    let hole = json!([[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]);
    assert_area(polygon(json!([hole, [[2, 2], [4, 2], [4, 4], [2, 4], [2, 2]]])), 96.0, false);
    let parts = json!([[[[0, 0], [1, 0], [1, 1], [0, 0]]], [[[5, 5], [7, 5], [7, 7], [5, 5]]]]);
    assert_area(json!({"type": "MultiPolygon", "coordinates": parts}), 2.5, false);
}

#[test]
fn small_flaws_with_one_reading_are_repaired() {
    // Ring orientation and repeated vertices are not even flaws.
    assert_area(polygon(json!([[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]]])), 100.0, false);
    assert_area(polygon(json!([[[0, 0], [10, 0], [10, 0], [10, 0], [10, 10], [0, 10], [0, 0]]])), 100.0, false);
    // A ring that is not closed.
    assert_area(polygon(json!([[[0, 0], [10, 0], [10, 10], [0, 10]]])), 100.0, false);
    // A bow-tie: two triangles.
    assert_area(polygon(json!([[[0, 0], [10, 10], [10, 0], [0, 10], [0, 0]]])), 50.0, true);
    // A hole outside its shell is a part drawn the wrong way round.
    let shell = json!([[0, 0], [5, 0], [5, 5], [0, 5], [0, 0]]);
    assert_area(polygon(json!([shell, [[10, 10], [12, 10], [12, 12], [10, 12], [10, 10]]])), 29.0, true);
    // A spike that covers nothing.
    assert_area(polygon(json!([[[0, 0], [10, 0], [10, 10], [5, 10], [5, 20], [5, 10], [0, 10], [0, 0]]])), 100.0, true);
    // Parts that overlap cover their union, parts that share an edge too.
    let square = |x: i32| json!([[[x, 0], [x + 10, 0], [x + 10, 10], [x, 10], [x, 0]]]);
    assert_area(json!({"type": "MultiPolygon", "coordinates": [square(0), square(5)]}), 150.0, true);
    assert_area(json!({"type": "MultiPolygon", "coordinates": [square(0), square(10)]}), 200.0, true);
}

#[test]
fn polygons_with_two_readings_are_named_with_what_is_wrong_and_where() {
    // A ring that runs over itself: is the middle inside twice, or a hole?
    let star = json!([[[0, 0], [10, 8], [-2, 8], [8, 0], [4, 12], [0, 0]]]);
    assert_named(polygon(star), &["Self-intersection", "more than one way", "Fix geometries"]);
    // A hole that crosses its shell.
    let shell = json!([[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]);
    let crossing = json!([shell, [[5, 5], [20, 5], [20, 8], [5, 8], [5, 5]]]);
    assert_named(polygon(crossing), &["Self-intersection at or near point 10", "more than one way"]);
    // No area at all.
    assert_named(polygon(json!([[[0, 0], [10, 0], [5, 0], [0, 0]]])), &["invalid"]);
}

#[test]
fn coordinates_that_are_no_numbers_or_no_degrees_are_named() {
    let collection = json!({"type": "Feature", "properties": {}, "geometry":
        {"type": "Point", "coordinates": [2600000.0, 1200000.0]}});
    let source = VectorSourceResolved::inline("release[0].geojson", collection, Some(crs("EPSG:4326")));
    let error = vector::read(&source, Some(&crs("EPSG:2056"))).unwrap_err();
    assert_sentence(&error, &["2600000", "cannot be degrees", "crs: EPSG:"]);
    let path = tempfile::tempdir().unwrap();
    let file = path.path().join("nan.csv");
    std::fs::write(&file, "WKT,name\n\"POINT (nan 5)\",a\n").unwrap();
    let mut source = VectorSourceResolved::file(file.to_str().unwrap()).unwrap();
    source.crs = Some(crs("EPSG:2056"));
    assert!(vector::read(&source, None).is_err(), "a NaN coordinate must not pass");
}
