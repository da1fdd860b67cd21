//! KML, KMZ and GPX, which are read without GDAL.

use std::io::Write;
use std::path::Path;

use couloir::geo::vector::{self, Value, VectorLayer, VectorSourceResolved};
use geo::{Area, Geometry};

use crate::support::{assert_sentence, text_file};

const SITE: &str = r##"<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand --><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>Site</name>
<Schema name="S" id="S"><SimpleField name="volume" type="float"/><SimpleField name="code" type="string"/></Schema>
<Placemark><name>top</name><description><![CDATA[<b>steep</b>]]></description>
  <ExtendedData><Data name="blocks"><value>12</value></Data></ExtendedData><Point><coordinates>7.5,46.2,1500</coordinates></Point></Placemark>
<Folder><name>Release</name>
  <Placemark id="p1"><name>A &amp; B</name><ExtendedData><SchemaData schemaUrl="#S"><SimpleData name="volume">3.5</SimpleData>
    <SimpleData name="code">7</SimpleData></SchemaData></ExtendedData>
    <Polygon><outerBoundaryIs><LinearRing><coordinates>
      7.50,46.20,0 7.51,46.20,0
      7.51,46.21,0 7.50,46.21,0 7.50,46.20,0</coordinates></LinearRing></outerBoundaryIs>
    <innerBoundaryIs><LinearRing><coordinates>7.504,46.204 7.506,46.204 7.506,46.206 7.504,46.206 7.504,46.204</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>
  <Placemark><name>M</name><ExtendedData><SchemaData schemaUrl="#S"><SimpleData name="volume">1</SimpleData></SchemaData></ExtendedData>
    <MultiGeometry><Point><coordinates>7.5,46.2</coordinates></Point><Point><coordinates>7.6,46.2</coordinates></Point></MultiGeometry></Placemark>
  <Placemark><name>nothing</name></Placemark>
  <Folder><name>Release</name><Placemark><name>line</name><LineString><coordinates>7.5,46.2 7.6,46.3</coordinates></LineString></Placemark></Folder>
</Folder>
<Folder><name>Empty</name></Folder>
<Folder><Placemark><gx:Track><gx:coord>7.5 46.2 1500</gx:coord><gx:coord>7.6 46.2 1510</gx:coord></gx:Track></Placemark></Folder>
</Document></kml>"##;

fn read(path: &Path, layer: &str) -> couloir::Result<VectorLayer> {
    vector::read(&VectorSourceResolved::file(&format!("{}{layer}", path.display())).unwrap(), None)
}

fn check_site(path: &Path) {
    assert_eq!(vector::layer_names(path).unwrap(), ["Site", "Release", "Release (#2)", "Layer3"], "{}", path.display());
    let top = read(path, "|layername=Site").unwrap();
    assert!(top.crs.to_string().starts_with("EPSG:4326"), "{}", top.crs);
    assert_eq!(top.features[0].z, Some(vec![1500.0]));
    assert_eq!(top.features[0].attributes["blocks"], Value::Integer(12));
    assert_eq!(top.features[0].attributes["description"], Value::Text("<b>steep</b>".into()));
    let release = read(path, "|layername=Release").unwrap();
    assert_eq!(release.warnings.len(), 1, "the placemark without geometry is named");
    let [polygon, points] = &release.features[..] else { panic!("{:?}", release.features) };
    assert_eq!((polygon.id, points.id), (1, 2));
    assert_eq!(polygon.attributes["Name"], Value::Text("A & B".into()));
    assert_eq!(polygon.attributes["volume"], Value::Real(3.5));
    assert_eq!(polygon.attributes["code"], Value::Text("7".into()), "declared as text");
    let Geometry::Polygon(shape) = &polygon.geometry else { panic!("{:?}", polygon.geometry) };
    assert!((shape.unsigned_area() - 0.96e-4).abs() < 1e-12, "{}", shape.unsigned_area());
    assert!(matches!(&points.geometry, Geometry::MultiPoint(many) if many.0.len() == 2));
    assert_eq!(read(path, "|layername=Release|subset=volume > 2").unwrap().features.len(), 1);
    assert!(matches!(read(path, "|layername=Release (#2)").unwrap().features[0].geometry, Geometry::LineString(_)));
    assert_eq!(read(path, "|layername=Layer3").unwrap().features[0].z, Some(vec![1500.0, 1510.0]));
    assert_sentence(&read(path, "").unwrap_err(), &["several layers", "'Release'", "layername="]);
}

/// A zip archive with one stored file.
fn zip(name: &str, text: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(text);
    let size = (text.len() as u32).to_le_bytes();
    let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    common.extend(crc.sum().to_le_bytes());
    common.extend([size, size].concat());
    common.extend((name.len() as u16).to_le_bytes());
    common.extend([0, 0]);
    let local = [b"PK\x03\x04".as_slice(), &common, name.as_bytes(), text].concat();
    let central = [b"PK\x01\x02\x14\x00".as_slice(), &common, &[0; 14], name.as_bytes()].concat();
    let mut end = b"PK\x05\x06\0\0\0\0\x01\0\x01\0".to_vec();
    end.extend((central.len() as u32).to_le_bytes());
    end.extend((local.len() as u32).to_le_bytes());
    end.extend([0, 0]);
    [local, central, end].concat()
}

#[test]
fn kml_folders_are_layers_in_every_wrapping() {
    let folder = tempfile::tempdir().unwrap();
    let plain = text_file(folder.path(), "Gelände.kml", SITE);
    check_site(&plain);
    check_site(&text_file(folder.path(), "no ending", SITE));
    let kmz = folder.path().join("site.KMZ");
    std::fs::write(&kmz, zip("doc.kml", SITE.as_bytes())).unwrap();
    check_site(&kmz);
    // Layers in files of their own, as LIBKML spreads them.
    std::fs::write(&kmz, zip("layers/site.kml", SITE.as_bytes())).unwrap();
    check_site(&kmz);
    let archive = folder.path().join("site.zip");
    std::fs::write(&archive, zip("in/site.kml", SITE.as_bytes())).unwrap();
    check_site(Path::new(&format!("/vsizip/{}/in/site.kml", archive.display())));
    let wide = folder.path().join("wide.kml");
    let mut file = std::fs::File::create(&wide).unwrap();
    let text = SITE.replace("UTF-8", "UTF-16");
    file.write_all(&[0xff, 0xfe]).unwrap();
    file.write_all(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).unwrap();
    check_site(&wide);
}

#[test]
fn a_lonely_placemark_is_a_layer_named_as_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "<kml><Placemark><name>Gr\u{fc}n</name><Point><coordinates>7.5,46.2</coordinates></Point></Placemark></kml>";
    let path = folder.path().join("b.kml");
    let latin: Vec<u8> =
        format!("<?xml version='1.0' encoding='ISO-8859-1'?>{text}").chars().map(|c| c as u8).collect();
    std::fs::write(&path, latin).unwrap();
    let layer = read(&path, "").unwrap();
    assert_eq!((layer.name.as_str(), layer.features[0].z.as_ref()), ("b", None));
    assert_eq!(layer.features[0].attributes["Name"], Value::Text("Grün".into()));
}

#[test]
fn gpx_has_points_routes_and_tracks() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="46.2" lon="7.5"><ele>1500.5</ele><name>007</name></wpt>
        <rte><name>r</name><rtept lat="46.2" lon="7.5"/><rtept lat="46.3" lon="7.5"/></rte>
        <trk><name>t</name><trkseg><trkpt lat="46.2" lon="7.5"><ele>3</ele></trkpt><trkpt lat="46.3" lon="7.5"/></trkseg>
          <trkseg><trkpt lat="46.2" lon="7.5"/><trkpt lat="46.3" lon="7.6"/></trkseg></trk></gpx>"#;
    let path = text_file(folder.path(), "walk.gpx", text);
    let names = ["waypoints", "routes", "tracks", "route_points", "track_points"];
    assert_eq!(vector::layer_names(&path).unwrap(), names);
    let way = read(&path, "|layername=waypoints").unwrap();
    assert_eq!(way.features[0].geometry, Geometry::Point(geo::Point::new(7.5, 46.2)));
    assert_eq!(way.features[0].attributes["ele"], Value::Real(1500.5));
    assert_eq!(way.features[0].attributes["name"], Value::Text("007".into()));
    assert!(matches!(&read(&path, "|layername=tracks").unwrap().features[0].geometry,
        Geometry::MultiLineString(lines) if lines.0.len() == 2));
    let points = read(&path, "|layername=track_points").unwrap();
    assert_eq!(points.features.len(), 4);
    assert_eq!(points.features[3].attributes["track_seg_id"], Value::Integer(1));
}

#[test]
fn what_is_damaged_gets_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let kml = |body: &str| format!("<kml xmlns='http://www.opengis.net/kml/2.2'><Document>{body}</Document></kml>");
    let point =
        |at: &str| kml(&format!("<Placemark><name>P</name><Point><coordinates>{at}</coordinates></Point></Placemark>"));
    let deep = format!("{}{}", "<Folder>".repeat(100_000), "</Folder>".repeat(100_000));
    let bomb =
        "<!DOCTYPE kml [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><kml><Placemark><name>&b;</name></Placemark></kml>";
    let cases: Vec<(String, &[&str])> = vec![
        (SITE[..900].to_string(), &["damaged or not valid KML"]),
        (point("7.5;46.2"), &["'7.5;46.2'", "placemark 'P'", "longitude,latitude"]),
        (point("7.5,nan"), &["'7.5,nan'", "placemark 'P'"]),
        (point("7.5"), &["'7.5'", "placemark 'P'"]),
        (point(""), &["without geometry"]),
        (kml("<NetworkLink><Link><href>http://127.0.0.1:9/x.kml</href></Link></NetworkLink>"), &["holds no layer"]),
        (kml(&deep), &["nested more than 200 deep"]),
        (bomb.to_string(), &["is damaged or not"]),
        ("<gpx><wpt lat='x' lon='7'/></gpx>".to_string(), &["lat is 'x'", "degrees"]),
    ];
    for (text, words) in cases {
        let path = text_file(folder.path(), "bad.kml", &text);
        let error = read(&path, "").expect_err(words[0]);
        let words: Vec<&str> = words.iter().copied().chain(["bad.kml"]).collect();
        assert_sentence(&error, &words);
    }
    let kmz = folder.path().join("bad.kmz");
    let whole = zip("doc.kml", SITE.as_bytes());
    for bytes in [whole[..whole.len() / 2].to_vec(), zip("picture.png", b"x")] {
        std::fs::write(&kmz, bytes).unwrap();
        assert_sentence(&read(&kmz, "").unwrap_err(), &["bad.kmz", "damaged or holds no KML file"]);
    }
}
