//! GeoJSON is read and written by a crate of its own: nothing GDAL understood may be lost, and GDAL reads what is written.

use couloir::geo::vector::{FieldType, Value};
use couloir::geo::write_vector::{Format, GeometryKind, VectorWriter};
use gdal::Dataset;
use gdal::vector::LayerAccess;
use geo::{Geometry, LineString, Polygon};

use crate::support::{assert_sentence, crs, layer, text_file};

const POINT: &str = r#"{"type": "Point", "coordinates": [7.4, 46.9]}"#;

fn feature(members: &str) -> String {
    format!(r#"{{"type": "Feature", "geometry": {POINT}{members}}}"#)
}

fn collection(features: &[String]) -> String {
    format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(", "))
}

/// Every form of GeoJSON: as many features, fields and vertices as GDAL finds.
#[test]
fn what_gdal_understood_is_understood() {
    let square = "[[[7.4, 46.9], [7.5, 46.9], [7.5, 47.0], [7.4, 47.0], [7.4, 46.9]]]";
    let texts = [
        collection(&[feature(r#", "properties": {"a": 1}"#), feature(r#", "properties": {"b": "x"}"#)]),
        feature(r#", "properties": {"a": 1.5}"#),
        feature(""),
        POINT.to_string(),
        r#"{"type": "LineString", "coordinates": [[7.4, 46.9, 500], [7.5, 46.9, 510.5]]}"#.into(),
        format!(r#"{{"type": "Polygon", "coordinates": {square}, "bbox": [7.4, 46.9, 7.5, 47.0]}}"#),
        format!(r#"{{"type": "MultiPolygon", "coordinates": [{square}]}}"#),
        r#"{"type": "MultiLineString", "coordinates": [[[7.4, 46.9], [7.5, 46.9]], [[7.4, 47], [7.5, 47]]]}"#.into(),
        format!(r#"{{"type": "GeometryCollection", "geometries": [{POINT}]}}"#),
        collection(&[feature(r#", "properties": null, "foreign": {"a": [1]}"#)]),
        collection(&[r#"{"type": "Feature", "properties": {}, "geometry": null}"#.into(), feature("")]),
        collection(&[r#"{"type": "Feature", "geometry": {"type": "Point", "coordinates": []}}"#.into(), feature("")]),
        collection(&[feature(r#", "id": "north", "properties": {"n": true}"#)]),
        format!("\u{feff}{}", collection(&[feature("")])),
        collection(&[feature(
            r#", "properties": {"z": {"deep": [1, {"a": null}]}, "list": [1, 2], "n": 12345678901}"#,
        )]),
        r#"{"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2056"}}, "features": [{"geometry":
            {"coordinates": [2600000, 1200000, 5, 6], "type": "Point"}, "type": "Feature"}], "name": "n", "type":
            "FeatureCollection", "bbox": [1, 2, 3, 4]}"#
            .into(),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (k, text) in texts.iter().enumerate() {
        let path = text_file(folder.path(), &format!("{k}.geojson"), text);
        let ours = layer(path.to_str().unwrap()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let dataset = Dataset::open(&path).unwrap();
        let mut theirs = dataset.layer(0).unwrap();
        assert_eq!(ours.name, theirs.name(), "{text}");
        let mut fields: Vec<String> = theirs.defn().fields().map(|field| field.name()).collect();
        let mut found: Vec<String> = ours.field_names().iter().map(ToString::to_string).collect();
        fields.sort();
        found.sort();
        assert_eq!(found, fields, "{text}");
        let extent = theirs.get_extent().unwrap();
        let bounds = ours.bounds().unwrap();
        assert_eq!([bounds.west, bounds.north], [extent.MinX, extent.MaxY], "{text}");
        let somewhere = theirs.features().filter(|f| f.geometry().is_some_and(|g| !g.is_empty())).count();
        assert_eq!(ours.features.len(), somewhere, "{text}");
    }
}

#[test]
fn numbers_texts_and_mixtures_are_typed_as_columns() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        r#", "id": 9, "properties": {"whole": 1, "real": 1, "text": 1, "yes": true, "big": 1, "none": null}"#,
        r#", "id": 4, "properties": {"whole": 2, "real": 1.5, "text": "x", "yes": false, "big": 1e300}"#,
    ];
    let path = text_file(folder.path(), "t.geojson", &collection(&rows.map(feature)));
    let layer = layer(path.to_str().unwrap()).unwrap();
    assert_eq!(layer.field_names(), ["whole", "real", "text", "yes", "big", "none"], "in the order of the file");
    let kinds: Vec<FieldType> = layer.fields.iter().map(|field| field.kind).collect();
    let (whole, real, text) = (FieldType::Integer, FieldType::Real, FieldType::Text);
    assert_eq!(kinds, [whole, real, text, whole, real, text]);
    assert_eq!(layer.features.iter().map(|f| f.id).collect::<Vec<_>>(), [9, 4], "in the order of the file");
    let first = &layer.features[0].attributes;
    assert_eq!((&first["text"], &first["yes"]), (&Value::Text("1".into()), &Value::Integer(1)));
}

#[test]
fn a_filter_works_on_geojson_and_its_features_keep_their_ids() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [r#", "id": 7, "properties": {"v": 1}"#, r#", "id": 5, "properties": {"v": 3}"#];
    let path = text_file(folder.path(), "t.geojson", &collection(&rows.map(feature)));
    let found = layer(&format!("{}|subset=v > 2", path.display())).unwrap();
    assert_eq!(found.features.iter().map(|f| f.id).collect::<Vec<_>>(), [5]);
}

#[test]
fn wrong_geojson_is_one_sentence_that_names_the_feature() {
    let folder = tempfile::tempdir().unwrap();
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    for (wrong, word) in [
        (r#"{"type": "Point", "coordinates": [7.4]}"#.to_string(), "feature 1"),
        (r#"{"type": "LineString", "coordinates": [[7.4], [7.5]]}"#.into(), "feature 1"),
        (r#"{"type": "Pont", "coordinates": [7.4, 46.9]}"#.into(), "feature 1"),
        (r#"{"type": "Point", "coordinates": ["7.4", "46.9"]}"#.into(), "feature 1"),
        (r#"{"type": "Point", "coordinates": [NaN, 46.9]}"#.into(), "not valid GeoJSON"),
        (format!(r#"{{"type": "Polygon", "coordinates": {deep}}}"#), "feature 1"),
    ] {
        let bad = format!(r#"{{"type": "Feature", "properties": {{}}, "geometry": {wrong}}}"#);
        let path = text_file(folder.path(), "bad.geojson", &collection(&[feature(""), bad]));
        assert_sentence(&layer(path.to_str().unwrap()).unwrap_err(), &["bad.geojson", word]);
    }
}

#[test]
fn what_is_written_keeps_the_order_of_fields_and_turns_shells_against_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let clockwise = [(2_600_000.0, 1_200_000.0), (2_600_000.0, 1_200_100.0), (2_600_100.0, 1_200_100.0)];
    let shell = Geometry::Polygon(Polygon::new(LineString::from(clockwise.to_vec()), vec![]));
    let fields = [("zone", FieldType::Text), ("area", FieldType::Real), ("count", FieldType::Integer)];
    for (format, crs_member) in [(Format::GeoJson, false), (Format::GeoJsonInCrs, true)] {
        let path = folder.path().join("zones.geojson");
        let mut writer =
            VectorWriter::create(&path, format, "zones", &crs("EPSG:2056"), GeometryKind::Polygon, &fields).unwrap();
        let values = [Value::Text("a \"quoted\" \\ é".into()), Value::Real(f64::INFINITY), Value::Integer(-3)];
        writer.write(&shell, &values).unwrap();
        assert!(writer.write(&Geometry::Point((f64::NAN, 1.0).into()), &values).is_err(), "{format:?}");
        assert_eq!(writer.finish().unwrap().features, 1);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(r#""properties":{"zone":"a \"quoted\" \\ é","area":null,"count":-3}"#), "{text}");
        assert_eq!(text.contains("urn:ogc:def:crs:EPSG::2056"), crs_member, "{text}");
        let dataset = Dataset::open(&path).unwrap();
        let found = dataset.layer(0).unwrap();
        assert_eq!((found.name(), found.feature_count()), ("zones".into(), 1));
        let area = geo::Area::signed_area(&layer(path.to_str().unwrap()).unwrap().features[0].geometry);
        assert_eq!(area > 0.0, !crs_member, "against the clock by the standard, as given otherwise");
    }
}
