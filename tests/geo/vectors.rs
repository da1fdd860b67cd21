//! Reading and writing vector layers.

use std::path::Path;

use couloir::geo::Crs;
use couloir::geo::vector::{self, FieldType, Value, VectorSourceResolved};
use couloir::geo::write_vector::{Format, GeometryKind, VectorWriter};
use couloir::project::file::VectorSource;
use gdal::DriverManager;
use gdal::vector::{LayerAccess, LayerOptions};
use gdal_sys::{OGRFieldType, OGRwkbGeometryType as Kind};
use geo::{Area, Geometry, Point};
use serde_json::json;

use crate::support::{ANYWHERE, assert_sentence, crs, layer, names, text_file};

const FORMATS: [Format; 4] = [Format::Shapefile, Format::GeoPackage, Format::FlatGeobuf, Format::GeoJsonInCrs];

#[test]
fn lines_with_heights_and_typed_attributes_are_read_back_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let crs = Crs::from_user("EPSG:2056").unwrap();
    let line =
        [[2_600_000.0, 1_200_000.0, 500.0], [2_600_010.0, 1_200_005.0, 498.5], [2_600_020.0, 1_200_000.0, 490.25]];
    for format in FORMATS {
        let path = folder.path().join("Bahn ä ö").with_extension(format.extension());
        let fields = [("number", FieldType::Integer), ("energy", FieldType::Real), ("rock", FieldType::Text)];
        let mut writer =
            VectorWriter::create(&path, format, "tracks", &crs, GeometryKind::LineString3D, &fields).unwrap();
        let values = [Value::Integer(5_000_000_000), Value::Real(12.5), Value::Text("Blöcke € 岩".into())];
        assert!(writer.write(&line[..], &values).unwrap());
        assert!(writer.write(&line[..2], &[Value::Null, Value::Real(f64::NAN), Value::Null]).unwrap());
        assert!(!path.exists(), "{format:?} must not appear before it is finished");
        assert_eq!(writer.finish().unwrap().features, 2);
        let layer = vector::read(&VectorSourceResolved::file(path.to_str().unwrap()).unwrap(), None).unwrap();
        assert!(layer.crs.same_as(&crs), "{format:?}: {}", layer.crs);
        assert_eq!(layer.features.len(), 2, "{format:?}");
        let feature = layer.features.iter().find(|f| f.z.as_ref().unwrap().len() == 3).unwrap();
        assert_eq!(feature.z.as_ref().unwrap(), &vec![500.0, 498.5, 490.25], "{format:?}");
        assert_eq!(feature.attributes["number"], values[0], "{format:?}");
        assert_eq!(feature.attributes["energy"], values[1], "{format:?}");
        assert_eq!(feature.attributes["rock"], values[2], "{format:?}");
        let other = layer.features.iter().find(|f| f.z.as_ref().unwrap().len() == 2).unwrap();
        assert!(other.attributes.values().all(Value::is_null), "{format:?}: {:?}", other.attributes);
    }
}

fn release_file(folder: &Path, name: &str) -> String {
    let text = r#"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::2056"}},"features":[
        {"type":"Feature","id":1,"properties":{"volume":0.5,"name":"Grat","code":3},"geometry":{"type":"Point","coordinates":[2600100,1200100,812.5]}},
        {"type":"Feature","id":2,"properties":{"volume":2.5,"name":"Nase","code":4},"geometry":{"type":"Point","coordinates":[2600200,1200200,815]}},
        {"type":"Feature","id":3,"properties":{"volume":9,"name":null,"code":5},"geometry":null},
        {"type":"Feature","id":4,"properties":{"volume":"3.5","name":"Süd","code":6},"geometry":{"type":"MultiPoint","coordinates":[[2600300,1200300],[2600310,1200300]]}}
    ]}"#;
    text_file(folder, name, text).to_str().unwrap().to_string()
}

#[test]
fn attributes_ids_heights_and_missing_geometries_are_kept_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let layer = layer(&release_file(folder.path(), "Anriss Süd.geojson")).unwrap();
    assert_eq!(layer.features.iter().map(|f| f.id).collect::<Vec<_>>(), [1, 2, 4]);
    assert!(
        layer.warnings[0].to_string().contains("feature 3") && layer.warnings[0].code() == "feature_without_geometry",
        "{:?}",
        layer.warnings
    );
    assert_eq!(layer.features[0].z, Some(vec![812.5]));
    let attributes = &layer.features[0].attributes;
    assert_eq!(attributes["code"], Value::Integer(3));
    assert_eq!(attributes["name"].as_text().as_deref(), Some("Grat"));
    assert_eq!(attributes["volume"].as_f64(), Some(0.5), "a number, whatever the column's type");
    assert_eq!(layer.features[2].attributes["volume"].as_f64(), Some(3.5));
    assert_eq!(attributes["code"].as_text().as_deref(), Some("3"));
    assert!(matches!(layer.features[2].geometry, Geometry::MultiPoint(_)));
}

#[test]
fn a_filter_chooses_features_and_a_wrong_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = release_file(folder.path(), "release.geojson");
    let read = |filter: &str| {
        let mut source = VectorSourceResolved::file(&file)?;
        source.filter = Some(filter.to_string());
        vector::read(&source, None)
    };
    assert_eq!(read("code = 4").unwrap().features.len(), 1);
    assert_eq!(read("code >= 4 AND name = 'Süd'").unwrap().features[0].id, 4);
    assert_sentence(&read("code > 99").unwrap_err(), &["\"code > 99\"", "none of the 4 features"]);
    assert_sentence(&read("kode > 3").unwrap_err(), &["\"kode > 3\"", "volume, name, code"]);
    assert_sentence(&read("code >> 'x").unwrap_err(), &["\"code >> 'x\"", "cannot be used"]);
    assert_sentence(&read("code > 5 AND code < 6").unwrap_err(), &["none of the 4"]);
}

#[test]
fn geopackage_filters_and_layers_are_checked_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site plan.gpkg");
    let mut dataset = DriverManager::get_driver_by_name("GPKG").unwrap().create_vector_only(&path).unwrap();
    for (name, x) in [("release", 1.0), ("road ä", 2.0), ("house", 3.0)] {
        let reference = crs(ANYWHERE).spatial_ref().unwrap();
        let options = LayerOptions { name, srs: Some(&reference), ty: Kind::wkbPoint, options: None };
        let mut layer = dataset.create_layer(options).unwrap();
        layer.create_defn_fields(&[("class", OGRFieldType::OFTString)]).unwrap();
        layer.create_feature(gdal::vector::Geometry::from_wkt(&format!("POINT ({x} 5)")).unwrap()).unwrap();
    }
    dataset.close().unwrap();
    let file = path.to_str().unwrap();
    assert_sentence(&layer(file).unwrap_err(), &["'release', 'road ä', 'house'", "|layername="]);
    for (source, x) in [("|layername=road ä", 2.0), ("|layerid=2", 3.0), ("|layername=release|geometrytype=Point", 1.0)]
    {
        let layer = layer(&format!("{file}{source}")).unwrap();
        assert_eq!(layer.features[0].geometry, Geometry::Point(Point::new(x, 5.0)), "{source}");
    }
    assert_sentence(&layer(&format!("{file}|layername=roads")).unwrap_err(), &["no layer 'roads'", "'road ä'"]);
    assert_sentence(&layer(&format!("{file}|layerid=9")).unwrap_err(), &["no layer number 9"]);
    assert_sentence(&layer(&format!("{file}|layerid=x")).unwrap_err(), &["whole number"]);
    assert_sentence(&layer(&format!("{file}|layer=x")).unwrap_err(), &["'layer'", "layername=NAME"]);
    let error = layer(&format!("{file}|layername=release|subset=klass = 'a'")).unwrap_err();
    assert_sentence(&error, &["\"klass = 'a'\"", "class"]);
    let error = layer(&format!("{file}|layername=release|subset=class = 'a|b'")).unwrap_err();
    assert_sentence(&error, &["\"class = 'a|b'\"", "none of the 1"]);
    assert_eq!(vector::layer_names(&path).unwrap(), ["release", "road ä", "house"]);
    assert_eq!(names(folder.path()), ["site plan.gpkg"], "reading left files behind");
}

#[test]
fn layers_are_brought_to_the_wanted_crs() {
    let swiss = crs("EPSG:2056");
    let bern = json!({"type": "Point", "coordinates": [7.438632420871814, 46.95108277347493]});
    // Without a word about it, coordinates written in a project file are in the project's CRS.
    let inline =
        |value, crs| vector::read(&VectorSourceResolved::inline("release[0].geojson", value, crs), Some(&swiss));
    let at = |layer: couloir::Result<vector::VectorLayer>| match layer.unwrap().features[0].geometry {
        Geometry::Point(p) => (p.x(), p.y()),
        ref other => panic!("{other:?}"),
    };
    let metres = json!({"type": "Point", "coordinates": [2_600_000.25, 1_200_000.5]});
    assert_eq!(at(inline(metres, Some(swiss.clone()))), (2_600_000.25, 1_200_000.5));
    let (x, y) = at(inline(bern, Some(crs("EPSG:4326"))));
    assert!((x - 2_600_000.0).abs() < 0.01 && (y - 1_200_000.0).abs() < 0.01, "{x} {y}");
    // A `crs` member of the older GeoJSON is honoured.
    let old = json!({"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "EPSG:21781"}}, "features": [
        {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [600000, 200000]}}]});
    let (x, y) = at(inline(old.clone(), None));
    assert!((x - 2_600_000.0).abs() < 2.0 && (y - 1_200_000.0).abs() < 2.0, "{x} {y}");
    let error = inline(old, Some(crs("EPSG:2056"))).unwrap_err();
    assert_sentence(&error, &["release[0].geojson", "EPSG:21781", "EPSG:2056"]);
}

#[test]
fn geojson_files_are_in_degrees_unless_the_project_states_a_crs() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[2600000,1200000]}}"#;
    let path = text_file(folder.path(), "metres.geojson", text);
    let mut source = VectorSourceResolved::file(path.to_str().unwrap()).unwrap();
    assert_sentence(&vector::read(&source, None).unwrap_err(), &["metres.geojson", "cannot be degrees"]);
    source.crs = Some(crs("EPSG:2056"));
    assert_eq!(vector::read(&source, None).unwrap().crs.epsg(), Some(2056));
}

#[test]
fn what_is_not_geojson_is_named_with_its_key() {
    for value in
        [json!({}), json!([1, 2]), json!({"type": "Blob"}), json!({"type": "Point", "coordinates": ["a", "b"]})]
    {
        let source = VectorSourceResolved::inline("lines[2].source.geojson", value.clone(), Some(crs("EPSG:2056")));
        let error = vector::read(&source, None).unwrap_err();
        assert_sentence(&error, &["lines[2].source.geojson", "GeoJSON"]);
    }
}

#[test]
fn curves_become_short_straight_lines() {
    let folder = tempfile::tempdir().unwrap();
    let text = "id,WKT\n1,\"CURVEPOLYGON (CIRCULARSTRING (0 0, 10 10, 20 0, 10 -10, 0 0))\"\n\
                2,\"COMPOUNDCURVE (CIRCULARSTRING (0 0, 1 1, 2 0), (2 0, 5 0))\"\n3,\"POLYGON Z ((0 0 1, 1 0 2, 1 1 3, 0 0 1))\"\n";
    let path = text_file(folder.path(), "curves.csv", text);
    let mut source = VectorSourceResolved::file(path.to_str().unwrap()).unwrap();
    source.crs = Some(crs(ANYWHERE));
    let layer = vector::read(&source, None).unwrap();
    // A circle of radius 10 as a polygon with a corner every 4 degrees: 0.08 % of the area is lost.
    let area = layer.features[0].geometry.unsigned_area();
    assert!((area / (std::f64::consts::PI * 100.0) - 1.0).abs() < 1e-3, "{area}");
    let Geometry::LineString(line) = &layer.features[1].geometry else { panic!("{:?}", layer.features[1]) };
    assert!(line.0.len() > 40 && line.0.last() == Some(&(5.0, 0.0).into()), "{} vertices", line.0.len());
    assert_eq!(layer.features[2].z.as_deref(), Some(&[1.0, 2.0, 3.0, 1.0][..]));
}

#[test]
fn texts_in_an_old_encoding_are_read_with_their_umlauts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alt.shp");
    let mut dataset = DriverManager::get_driver_by_name("ESRI Shapefile").unwrap().create_vector_only(&path).unwrap();
    let reference = crs(ANYWHERE).spatial_ref().unwrap();
    let options = LayerOptions {
        name: "alt",
        srs: Some(&reference),
        ty: Kind::wkbPoint,
        options: Some(&["ENCODING=ISO-8859-1"]),
    };
    {
        let layer_out = dataset.create_layer(options).unwrap();
        layer_out.create_defn_fields(&[("name", OGRFieldType::OFTString)]).unwrap();
        let mut feature = gdal::vector::Feature::new(layer_out.defn()).unwrap();
        feature.set_field_string(0, "Höchst").unwrap();
        feature.set_geometry(gdal::vector::Geometry::from_wkt("POINT (1 2)").unwrap()).unwrap();
        feature.create(&layer_out).unwrap();
    }
    dataset.close().unwrap();
    let file = path.to_str().unwrap();
    assert_eq!(layer(file).unwrap().features[0].attributes["name"], Value::Text("Höchst".into()));
    // Without the .cpg file and the mark in the .dbf nobody says what the bytes mean.
    std::fs::remove_file(path.with_extension("cpg")).ok();
    let mut bytes = std::fs::read(path.with_extension("dbf")).unwrap();
    bytes[29] = 0;
    std::fs::write(path.with_extension("dbf"), bytes).unwrap();
    assert_eq!(layer(file).unwrap().features[0].attributes["name"], Value::Text("Höchst".into()));
}

#[test]
fn a_project_files_source_is_resolved_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    release_file(folder.path(), "release.geojson");
    let spec = |text: &str| serde_json::from_str::<VectorSource>(text).unwrap();
    let resolve = |text: &str| VectorSourceResolved::resolve(&spec(text), folder.path(), None, "release[0].source");
    let source = resolve(r#"{"file": "release.geojson|subset=code > 3", "filter": "code < 5"}"#).unwrap();
    assert_eq!(vector::read(&source, None).unwrap().features.len(), 1);
    assert_sentence(&resolve("{}").unwrap_err(), &["release[0].source", "neither"]);
    assert_sentence(&resolve(r#"{"file": "a", "geojson": {}}"#).unwrap_err(), &["release[0].source", "both"]);
    assert_sentence(&resolve(r#"{"file": "a", "crs": "LV03+"}"#).unwrap_err(), &["release[0].source.crs", "LV03+"]);
}

#[test]
fn byte_order_marks_and_windows_line_ends_are_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    release_file(folder.path(), "unix.geojson");
    let text = std::fs::read_to_string(folder.path().join("unix.geojson")).unwrap();
    let path = text_file(folder.path(), "windows.geojson", &format!("\u{feff}{}", text.replace('\n', "\r\n")));
    assert_eq!(layer(path.to_str().unwrap()).unwrap().features.len(), 3);
}

#[test]
fn tables_without_geometry_and_undefined_crs_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = text_file(folder.path(), "table.csv", "name,volume\na,1\n");
    assert_sentence(&layer(path.to_str().unwrap()).unwrap_err(), &["table.csv", "without geometry"]);
    let path = folder.path().join("nowhere.gpkg");
    let mut dataset = DriverManager::get_driver_by_name("GPKG").unwrap().create_vector_only(&path).unwrap();
    for name in ["cartesian", "geographic"] {
        let srs_id = if name == "geographic" { "SRID=0" } else { "SRID=-1" };
        let options = LayerOptions { name, srs: None, ty: Kind::wkbPoint, options: Some(&[srs_id]) };
        let mut layer = dataset.create_layer(options).unwrap();
        layer.create_feature(gdal::vector::Geometry::from_wkt("POINT (1 2)").unwrap()).unwrap();
    }
    dataset.close().unwrap();
    for name in ["cartesian", "geographic"] {
        let error = layer(&format!("{}|layername={name}", path.display())).unwrap_err();
        assert_sentence(&error, &["nowhere.gpkg", "which CRS"]);
    }
}

#[test]
fn many_threads_may_read_and_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = release_file(folder.path(), "release.geojson");
    std::thread::scope(|scope| {
        for k in 0..8 {
            let (file, folder) = (&file, folder.path());
            scope.spawn(move || {
                let missing = layer("/nowhere/at/all.gpkg").unwrap_err();
                assert_sentence(&missing, &["all.gpkg", "not found"]);
                assert_eq!(layer(file).unwrap().features.len(), 3);
                let path = folder.join(format!("{k}.gpkg"));
                let kind = GeometryKind::Point3D;
                let mut writer =
                    VectorWriter::create(&path, Format::GeoPackage, "p", &crs(ANYWHERE), kind, &[]).unwrap();
                writer.write([f64::from(k), 0.0, 0.0], &[]).unwrap();
                writer.finish().unwrap();
                let bounds = layer(path.to_str().unwrap()).unwrap().bounds().unwrap();
                assert_eq!(bounds.west, f64::from(k));
            });
        }
    });
    assert_eq!(names(folder.path()).len(), 9);
}
