//! Reading and writing vector layers.

use couloir::geo::Crs;
use couloir::geo::vector::{self, FieldType, Value, VectorSourceResolved};
use couloir::geo::write_vector::{Format, GeometryKind, VectorWriter};

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
