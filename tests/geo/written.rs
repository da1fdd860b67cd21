//! What written files hold, seen with GDAL's own eyes, and that the same data gives the same bytes.

use couloir::geo::vector::{FieldType, Value};
use couloir::geo::write_raster::{Band, BandData, WriteRaster, write};
use couloir::geo::write_vector::{Format, GeometryKind, Shape, VectorWriter, Written};
use couloir::terrain::Lattice;
use gdal::{Dataset, Metadata};

use crate::support::{ANYWHERE, crs, layer, names};

const LATTICE: Lattice = Lattice { nx: 700, ny: 600, x0: 2_600_000.5, y0: 1_200_000.5, dx: 1.0, dy: 1.0 };

fn values() -> Vec<f32> {
    (0..LATTICE.len()).map(|k| if k % 10 == 3 { f32::NAN } else { (k % 1000) as f32 / 8.0 }).collect()
}

#[test]
fn geotiffs_are_tiled_compressed_and_say_what_they_hold() {
    let folder = tempfile::tempdir().unwrap();
    let (floats, counts) = (values(), (0..LATTICE.len() as u32).collect::<Vec<_>>());
    for (name, cog) in [("plain.tif", false), ("cog.tif", true)] {
        let path = folder.path().join(name);
        let bands = [("energy_max", "kJ"), ("height_max", "m")].map(|(description, unit)| Band {
            description,
            unit,
            data: BandData::F32(&floats),
            nodata: -9999.0,
        });
        write(&path, &LATTICE, &crs("EPSG:2056"), &bands, &WriteRaster { cog, overviews: true }).unwrap();
        let dataset = Dataset::open(&path).unwrap();
        let item = |key: &str| dataset.metadata_item(key, "IMAGE_STRUCTURE");
        assert_eq!(item("COMPRESSION").as_deref(), Some("DEFLATE"), "{name}");
        // Terrain is smooth, results are not.
        assert_eq!(item("PREDICTOR").as_deref(), cog.then_some("3"), "{name}");
        assert_eq!(item("LAYOUT").is_some(), cog, "{name}");
        assert_eq!(dataset.spatial_ref().unwrap().auth_code().unwrap(), 2056, "{name}");
        assert_eq!(dataset.geo_transform().unwrap(), [2_600_000.0, 1.0, 0.0, 1_200_600.0, 0.0, -1.0], "{name}");
        for (k, band) in bands.iter().enumerate() {
            let found = dataset.rasterband(k + 1).unwrap();
            assert_eq!(found.description().unwrap(), band.description, "{name}");
            assert_eq!(found.unit(), band.unit, "{name}");
            assert_eq!(found.no_data_value(), Some(-9999.0), "{name}");
            let block = if cog { (512, 512) } else { (240, 208) };
            assert_eq!(found.block_size(), block, "{name}");
            assert!(found.overview_count().unwrap() >= 1, "{name}");
            let finite: Vec<f64> = floats.iter().filter(|v| v.is_finite()).map(|&v| f64::from(v)).collect();
            let mean = finite.iter().sum::<f64>() / finite.len() as f64;
            let statistic = |key: &str| found.metadata_item(key, "").map(|text| text.parse::<f64>().unwrap());
            assert_eq!(statistic("STATISTICS_MINIMUM"), Some(0.0), "{name}");
            assert_eq!(statistic("STATISTICS_MAXIMUM"), Some(999.0 / 8.0), "{name}");
            assert!((statistic("STATISTICS_MEAN").unwrap() - mean).abs() < 1e-6, "{name}");
        }
    }
    let path = folder.path().join("counts.tif");
    let band = Band { description: "passages", unit: "", data: BandData::U32(&counts), nodata: f64::from(u32::MAX) };
    write(&path, &LATTICE, &crs("EPSG:2056"), &[band], &WriteRaster::default()).unwrap();
    assert_eq!(names(folder.path()), ["cog.tif", "counts.tif", "plain.tif"], "no .aux.xml, nothing else");
}

#[test]
fn classes_carry_their_colours() {
    let folder = tempfile::tempdir().unwrap();
    let cells: Vec<u8> = (0..LATTICE.len()).map(|cell| (cell % 3) as u8).collect();
    let bytes = [false, true].map(|overviews| {
        let path = folder.path().join("zones.tif");
        let data = BandData::Classes(&cells, &[[255, 233, 77], [215, 25, 28]]);
        let band = Band { description: "zones", unit: "", data, nodata: 0.0 };
        write(&path, &LATTICE, &crs("EPSG:2056"), &[band], &WriteRaster { cog: false, overviews }).unwrap();
        let dataset = Dataset::open(&path).unwrap();
        let band = dataset.rasterband(1).unwrap();
        let colours = band.color_table().expect("a colour table");
        let entry = |value: usize| colours.entry_as_rgb(value).map(|entry| [entry.r, entry.g, entry.b]);
        assert_eq!((entry(1), entry(2)), (Some([255, 233, 77]), Some([215, 25, 28])));
        assert_eq!(band.no_data_value(), Some(0.0));
        std::fs::read(&path).unwrap()
    });
    assert_ne!(bytes[0], bytes[1]);
    assert_eq!(names(folder.path()), ["zones.tif"], "a name beside it would be written anew by who only looks");
}

#[test]
fn the_same_raster_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let floats = values();
    for options in [
        WriteRaster::default(),
        WriteRaster { cog: false, overviews: true },
        WriteRaster { cog: true, overviews: true },
    ] {
        let [a, b] = ["a.tif", "b.tif"].map(|name| {
            let path = folder.path().join(name);
            let band = Band { description: "h", unit: "m", data: BandData::F32(&floats), nodata: f64::NAN };
            write(&path, &LATTICE, &crs("EPSG:2056"), &[band], &options).unwrap();
            std::fs::read(&path).unwrap()
        });
        assert!(a == b, "{options:?}");
    }
}

#[test]
fn what_an_older_raster_left_beside_it_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h.tif");
    std::fs::write(folder.path().join("h.tif.aux.xml"), "<PAMDataset/>").unwrap();
    std::fs::write(folder.path().join("h.tif.ovr"), "old overviews").unwrap();
    std::fs::write(folder.path().join("other.tif.aux.xml"), "<PAMDataset/>").unwrap();
    let floats = values();
    let band = Band { description: "h", unit: "m", data: BandData::F32(&floats), nodata: f64::NAN };
    write(&path, &LATTICE, &crs("EPSG:2056"), &[band], &WriteRaster::default()).unwrap();
    assert_eq!(names(folder.path()), ["h.tif", "other.tif.aux.xml"]);
}

#[test]
fn bands_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.tif");
    let band = |data| Band { description: "x", unit: "", data, nodata: 0.0 };
    let (few, floats, bytes) = ([1.0f32; 3], vec![1.0f32; LATTICE.len()], vec![1u8; LATTICE.len()]);
    for bands in
        [vec![], vec![band(BandData::F32(&few))], vec![band(BandData::F32(&floats)), band(BandData::U8(&bytes))]]
    {
        assert!(write(&path, &LATTICE, &crs("EPSG:2056"), &bands, &WriteRaster::default()).is_err());
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

fn write_points(path: &std::path::Path, format: Format) -> Written {
    let fields = [("name", FieldType::Text), ("energy_max_kj", FieldType::Real), ("count", FieldType::Integer)];
    let mut writer =
        VectorWriter::create(path, format, "points", &crs("EPSG:2056"), GeometryKind::Point3D, &fields).unwrap();
    for k in 0..50 {
        let values =
            [Value::Text(format!("Block {k}; «ß»")), Value::Real(f64::from(k) / 3.0), Value::Integer(k.into())];
        writer.write([2_600_000.0 + f64::from(k) * 7.3, 1_200_000.0 + f64::from(k * k % 17), 500.0], &values).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn the_same_layer_gives_the_same_bytes_in_every_format() {
    let formats =
        [Format::Shapefile, Format::GeoPackage, Format::FlatGeobuf, Format::GeoJson, Format::GeoJsonInCrs, Format::Csv];
    for format in formats {
        let [a, b] = [0, 1].map(|k| {
            let folder = tempfile::tempdir().unwrap();
            if k == 1 {
                // GeoPackages and dBASE tables usually carry the time of writing, to the millisecond or the day.
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            write_points(&folder.path().join("points").with_extension(format.extension()), format);
            names(folder.path())
                .into_iter()
                .map(|n| (std::fs::read(folder.path().join(&n)).unwrap(), n))
                .collect::<Vec<_>>()
        });
        for ((bytes_a, name), (bytes_b, _)) in a.iter().zip(&b) {
            assert!(bytes_a == bytes_b, "{name} differs");
        }
        assert_eq!(a.len(), b.len());
    }
}

#[test]
fn geojson_is_in_degrees_by_its_standard_or_names_its_crs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.geojson");
    write_points(&path, Format::GeoJson);
    let found = layer(path.to_str().unwrap()).unwrap();
    assert_eq!(found.crs.epsg(), Some(4326));
    let bounds = found.bounds().unwrap();
    assert!(bounds.west > 7.43 && bounds.east < 7.45 && bounds.south > 46.9 && bounds.north < 47.0, "{bounds:?}");
    // Back in metres the points are where they were, to what the way over
    // another ellipsoid without heights costs (1.2 mm measured).
    let source = couloir::geo::vector::VectorSourceResolved::file(path.to_str().unwrap()).unwrap();
    let back = couloir::geo::vector::read(&source, Some(&crs("EPSG:2056"))).unwrap().bounds().unwrap();
    assert!((back.west - 2_600_000.0).abs() < 2e-3 && (back.south - 1_200_000.0).abs() < 2e-3, "{back:?}");
    write_points(&path, Format::GeoJsonInCrs);
    let found = layer(path.to_str().unwrap()).unwrap();
    assert_eq!(found.crs.epsg(), Some(2056));
    assert_eq!(found.bounds().unwrap().west, 2_600_000.0);
}

#[test]
fn csv_holds_coordinates_and_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.csv");
    write_points(&path, Format::Csv);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("X,Y,Z,name,energy_max_kj,count"));
    assert!(lines.next().unwrap().starts_with("2600000,1200000,500,"), "{text}");
    assert_eq!(text.lines().count(), 51);
}

#[test]
fn long_field_names_of_shapefiles_are_shortened_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("points.shp");
    let written = write_points(&path, Format::Shapefile);
    assert_eq!(written.renamed_fields, [("energy_max_kj".to_string(), "enrg_mx_kj".to_string())]);
    assert!(written.warnings[0].to_string().contains("energy_max_kj → enrg_mx_kj"), "{:?}", written.warnings);
    let found = layer(path.to_str().unwrap()).unwrap();
    assert_eq!(found.field_names(), ["name", "enrg_mx_kj", "count"]);
    assert_eq!(found.features[3].attributes["name"].as_text().unwrap(), "Block 3; «ß»");
    assert_eq!(std::fs::read_to_string(path.with_extension("cpg")).unwrap().trim(), "UTF-8");
    let written = write_points(&folder.path().join("points.gpkg"), Format::GeoPackage);
    assert_eq!(written.renamed_fields, []);
}

#[test]
fn texts_too_long_for_shapefiles_are_cut_between_letters_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.shp");
    let fields = [("text", FieldType::Text)];
    let mut writer =
        VectorWriter::create(&path, Format::Shapefile, "l", &crs(ANYWHERE), GeometryKind::Point, &fields).unwrap();
    for length in [80, 126, 127, 128, 400] {
        writer.write(Shape::Point(0.0, 0.0), &[Value::Text("ü".repeat(length))]).unwrap();
    }
    let written = writer.finish().unwrap();
    assert!(written.warnings[0].to_string().contains("2 texts were cut"), "{:?}", written.warnings);
    let lengths: Vec<usize> = layer(path.to_str().unwrap())
        .unwrap()
        .features
        .iter()
        .map(|f| f.attributes["text"].as_text().unwrap().chars().count())
        .collect();
    assert_eq!(lengths, [80, 126, 127, 127, 127]);
}

#[test]
fn a_shapefile_stops_whole_at_its_size_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tracks.shp");
    let line: Vec<[f64; 3]> = (0..100).map(|k| [f64::from(k), f64::from(k), 0.0]).collect();
    let fields = [("id", FieldType::Integer)];
    let crs = crs(ANYWHERE);
    let limit = 50_000;
    let mut writer =
        VectorWriter::create(&path, Format::Shapefile, "t", &crs, GeometryKind::LineString3D, &fields).unwrap();
    writer = writer.with_size_limit(limit);
    let taken = (0..100).filter(|&k| writer.write(&line[..], &[Value::Integer(k)]).unwrap()).count();
    let written = writer.finish().unwrap();
    assert_eq!(written.truncated_at, Some(taken as u64));
    assert!(written.warnings[0].to_string().contains("size limit"), "{:?}", written.warnings);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size <= limit && size > limit / 2, "{size} bytes");
    assert_eq!(layer(path.to_str().unwrap()).unwrap().features.len(), taken);
}
