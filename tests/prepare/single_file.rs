//! `couloir clip` and `couloir reproject` on one file.

use couloir::geo::vector::{self, FieldType, Value, VectorSourceResolved};
use couloir::geo::write_vector::{Format, GeometryKind, Shape, VectorWriter};
use couloir::geo::{Crs, Transformer};

use crate::support::*;

#[test]
fn clip_keeps_cells_in_place_and_value() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let tile = Tile::of_plane(2056, 80, 70, (2.0, 2.0), (-80.0, -70.0));
    tile.write(&here.join("dem.tif"));
    run_well(here, &["clip", "dem.tif", "ü cut.tif", "--extent", "2759961,1189975,2760019.5,1190030"]);
    let cut = read(&here.join("ü cut.tif"));
    let lattice = cut.field.lattice;
    // Edges move out to whole cells: 2759960 to 2760020, 1189974 to 1190030.
    assert_eq!(lattice.extent(), (2_759_960.0, 1_189_974.0, 2_760_020.0, 1_190_030.0));
    for (k, value) in cut.field.values.iter().enumerate() {
        let (x, y) = lattice.centre(k % lattice.nx, k / lattice.nx);
        let (column, row) = tile.lattice.cell_at(x, y).unwrap();
        assert_eq!(*value as f32, tile.values[row * tile.lattice.nx + column]);
    }
}

#[test]
fn clip_by_polygon_blanks_outside_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 100, 100, (2.0, 2.0), (-100.0, -100.0)).write(&here.join("dem.tif"));
    let degrees = crs(4326);
    write_polygons(&here.join("area.geojson"), &degrees, "n", &[(square(&degrees, (0.0, 0.0), 30.0), "x")]);
    run_well(here, &["clip", "dem.tif", "cut.tif", "--aoi", "area.geojson", "--buffer", "20"]);
    let (worst, inside) = deviation_from_plane(&read(&here.join("cut.tif")));
    let expected = (3600.0 + 4.0 * 60.0 * 20.0 + std::f64::consts::PI * 400.0) / 4.0;
    assert!(worst < 1e-3 && (inside as f64 - expected).abs() < 0.02 * expected, "{worst} {inside} {expected}");
}

#[test]
fn reproject_keeps_the_plane_and_aligns_the_cells() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(31287, 150, 150, (2.0, 2.0), (-150.0, -150.0)).write(&here.join("dem.tif"));
    run_well(here, &["reproject", "dem.tif", "out.tif", "--crs", "EPSG:25832", "--cell", "2"]);
    let out = read(&here.join("out.tif"));
    let (west, south, ..) = out.field.lattice.extent();
    assert!((west / 2.0).fract() == 0.0 && (south / 2.0).fract() == 0.0);
    // Edge cells have only part of their neighbours; inside, the plane is exact.
    let lattice = out.field.lattice;
    let to_lv95 = Transformer::new(&out.crs, &crs(2056)).unwrap();
    let mut worst: f64 = 0.0;
    for row in 20..lattice.ny - 20 {
        for column in 20..lattice.nx - 20 {
            let (x, y) = lattice.centre(column, row);
            let (east, north) = to_lv95.xy(x, y).unwrap();
            worst = worst.max((out.field.values[row * lattice.nx + column] - plane_m(east, north)).abs());
        }
    }
    assert!(worst < 0.002, "{worst}");
}

/// Cells too small or too large are refused with the sizes that would do: 300 m in 2³² cells are 4.6 mm each.
#[test]
fn reproject_says_which_cells_would_do() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(31287, 150, 150, (2.0, 2.0), (-150.0, -150.0)).write(&here.join("dem.tif"));
    for cell in ["1e-6", "5000"] {
        let ran = run(here, &["reproject", "dem.tif", "out.tif", "--crs", "EPSG:25832", "--cell", cell]);
        let (_, sizes) =
            ran.stderr.split_once("choose a cell size between ").unwrap_or_else(|| panic!("{}", ran.stderr));
        let sizes: Vec<f64> = sizes.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        assert!((0.0046..0.005).contains(&sizes[0]) && (300.0..330.0).contains(&sizes[1]), "{sizes:?}");
        assert!(ran.code == 3 && !here.join("out.tif").exists());
    }
}

#[test]
fn vectors_keep_attributes_through_clip_and_reproject() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let degrees = crs(4326);
    let features = [
        (square(&degrees, (0.0, 0.0), 20.0), "Mitte"),
        (square(&degrees, (50.0, 0.0), 20.0), "Rand äöü"),
        (square(&degrees, (500.0, 0.0), 20.0), "fern"),
    ];
    write_polygons(&here.join("in.geojson"), &degrees, "name", &features);
    run_well(here, &["reproject", "in.geojson", "out.gpkg", "--crs", "EPSG:2056"]);
    run_well(here, &["clip", "out.gpkg", "cut.shp", "--extent", "2759900,1189900,2760050,1190100"]);
    let read = |name: &str| {
        let source = VectorSourceResolved::file(here.join(name).to_str().unwrap()).unwrap();
        vector::read(&source, None).unwrap()
    };
    let (all, cut) = (read("out.gpkg"), read("cut.shp"));
    assert_eq!(all.features.len(), 3);
    let bounds = all.bounds().unwrap();
    // There and back through the datum shift, which takes the height as 0 on both sides: 1.1 mm.
    assert!((bounds.west - 2_759_980.0).abs() < 0.002 && (bounds.south - 1_189_980.0).abs() < 0.002, "{bounds:?}");
    assert_eq!(cut.features.len(), 2);
    assert_eq!(cut.features[1].attributes["name"].as_text().as_deref(), Some("Rand äöü"));
    assert!((cut.bounds().unwrap().east - 2_760_050.0).abs() < 1e-6);
    assert!(cut.crs.same_as(&Crs::from_epsg(2056).unwrap()));
}

/// PROJ moves the points, GDAL would move them to the same millimetre; heights and attributes are those of the source.
#[test]
fn reprojected_points_are_those_of_gdal_and_keep_height_and_attributes() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let line = [[10.44, 46.88, 1200.5], [10.45, 46.89, 1300.25], [10.46, 46.881, -3.0]];
    let fields = [("n", FieldType::Integer), ("w", FieldType::Real), ("t", FieldType::Text)];
    let (path, kind) = (here.join("in.gpkg"), GeometryKind::LineString3D);
    let mut writer = VectorWriter::create(&path, Format::GeoPackage, "in", &crs(4326), kind, &fields).unwrap();
    let values = [Value::Integer(1 << 40), Value::Real(0.1), Value::Text("ä".into())];
    writer.write(Shape::LineString3D(&line), &values).unwrap();
    writer.finish().unwrap();
    run_well(here, &["reproject", "in.gpkg", "out.gpkg", "--crs", "EPSG:31287"]);
    let source = VectorSourceResolved::file(here.join("out.gpkg").to_str().unwrap()).unwrap();
    let layer = vector::read(&source, None).unwrap();
    assert_eq!(layer.crs.epsg(), Some(31287));
    let feature = &layer.features[0];
    assert_eq!(feature.z.as_deref(), Some(&[1200.5, 1300.25, -3.0][..]));
    assert_eq!(feature.attributes["n"], values[0]);
    assert_eq!((&feature.attributes["w"], &feature.attributes["t"]), (&values[1], &values[2]));
    let reference = |code| {
        let mut reference = gdal::spatial_ref::SpatialRef::from_epsg(code).unwrap();
        reference.set_axis_mapping_strategy(gdal::spatial_ref::AxisMappingStrategy::TraditionalGisOrder);
        reference
    };
    let by_gdal = gdal::spatial_ref::CoordTransform::new(&reference(4326), &reference(31287)).unwrap();
    for ([x, y, _], found) in line.into_iter().zip(geo::CoordsIter::coords_iter(&feature.geometry)) {
        let (mut x, mut y) = ([x], [y]);
        by_gdal.transform_coords(&mut x, &mut y, &mut []).unwrap();
        assert!((found.x - x[0]).hypot(found.y - y[0]) < 1e-3, "{found:?} {x:?} {y:?}");
    }
}

/// A table of points is read as a run reads it, in whichever columns they stand, and what is written holds one place for each:
/// the old one beside the new would be taken for it.
#[test]
fn tables_of_points_are_moved_whole() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let tables = [
        ("x,y,volume_m3\n2760000,1190000,0.5\n2760010,1190020,0.7\n", "columns"),
        ("volume_m3,WKT\n0.5,POINT (2760000 1190000)\n0.7,POINT (2760010 1190020)\n", "wkt"),
        ("Easting,NORTHING,volume_m3\n2760000,1190000,0.5\n2760010,1190020,0.7\n", "named"),
    ];
    for (text, name) in tables {
        let table = format!("{name}.csv");
        std::fs::write(here.join(&table), text).unwrap();
        for ending in ["csv", "gpkg", "geojson"] {
            let (there, back) = (format!("{name} there.{ending}"), format!("{name} {ending} back.gpkg"));
            run_well(here, &["reproject", &table, &there, "--crs", "EPSG:25832", "--source-crs", "EPSG:2056"]);
            run_well(here, &["reproject", &there, &back, "--crs", "EPSG:2056", "--source-crs", "EPSG:25832"]);
            let source = VectorSourceResolved::file(here.join(&back).to_str().unwrap()).unwrap();
            let layer = vector::read(&source, None).unwrap();
            let bounds = layer.bounds().unwrap();
            assert!(
                (bounds.west - 2_760_000.0).abs() < 0.002 && (bounds.north - 1_190_020.0).abs() < 0.002,
                "{bounds:?}"
            );
            let fields: Vec<&str> = layer.features[0].attributes.keys().map(String::as_str).collect();
            assert_eq!(fields, ["volume_m3"], "{there}");
            assert_eq!(layer.features[1].attributes["volume_m3"].as_f64(), Some(0.7));
        }
    }
}

/// What is read is never written, under whatever name; neither are files that would become parts of the new one.
#[test]
#[cfg(unix)]
fn clip_and_reproject_never_write_what_they_read() {
    use std::fs;
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 30, 30, (2.0, 2.0), (-30.0, -30.0)).write(&here.join("dem.tif"));
    fs::hard_link(here.join("dem.tif"), here.join("hard.tif")).unwrap();
    std::os::unix::fs::symlink("dem.tif", here.join("link.tif")).unwrap();
    let before = fs::read(here.join("dem.tif")).unwrap();
    let extent = "2759980,1189980,2760010,1190010";
    for out in ["dem.tif", "./dem.tif", "hard.tif", "link.tif"] {
        for verb in
            [vec!["clip", "dem.tif", out, "--extent", extent], vec!["reproject", "dem.tif", out, "--crs", "EPSG:2056"]]
        {
            for mode in [&[][..], &["--overwrite"]] {
                let ran = run(here, &[&verb[..], mode].concat());
                assert!([2, 3].contains(&ran.code) && ran.stderr.contains(out), "{verb:?}: {}", ran.stderr);
                assert!(fs::read(here.join("dem.tif")).unwrap() == before, "{verb:?}");
                assert!(fs::read(here.join(out)).unwrap() == before, "{verb:?}");
            }
        }
    }
    fs::write(here.join("new.tif.aux.xml"), "<mine/>").unwrap();
    for mode in [&[][..], &["--overwrite"]] {
        let ran = run(here, &[&["clip", "dem.tif", "new.tif", "--extent", extent], mode].concat());
        assert!(ran.code == 3 && ran.stderr.contains("new.tif.aux.xml"), "{}", ran.stderr);
        assert_eq!(fs::read_to_string(here.join("new.tif.aux.xml")).unwrap(), "<mine/>");
    }
    run_well(here, &["clip", "dem.tif", "cut.tif", "--extent", extent]);
    assert_eq!(run(here, &["clip", "dem.tif", "cut.tif", "--extent", extent]).code, 3);
    run_well(here, &["clip", "dem.tif", "cut.tif", "--extent", extent, "--overwrite"]);
    // Not ours, or no longer what we wrote.
    fs::write(here.join("notes.tif"), "mine").unwrap();
    fs::write(here.join("edited.tif"), fs::read(here.join("cut.tif")).unwrap()).unwrap();
    fs::write(here.join("cut.tif"), "edited").unwrap();
    for (out, kept) in [("notes.tif", "mine"), ("cut.tif", "edited")] {
        for verb in
            [vec!["clip", "dem.tif", out, "--extent", extent], vec!["reproject", "dem.tif", out, "--crs", "EPSG:21781"]]
        {
            let ran = run(here, &[&verb[..], &["--overwrite"]].concat());
            assert!(ran.code == 3 && ran.stderr.contains(out) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
            assert_eq!(fs::read_to_string(here.join(out)).unwrap(), kept);
        }
    }
    assert_eq!(run(here, &["clip", "dem.tif", "edited.tif", "--extent", extent, "--overwrite"]).code, 3);
}

/// What a VRT file draws on is read, and so never written: in one step or in several, rasters and vectors.
#[test]
fn sources_of_vrt_files_were_overwritten() {
    use std::fs;
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let tile = Tile::of_plane(2056, 30, 30, (2.0, 2.0), (-30.0, -30.0));
    tile.write(&here.join("plane.tif"));
    let extent = "2759980,1189980,2760010,1190010";
    // Written by us, so that only its being read speaks against it.
    run_well(here, &["clip", "plane.tif", "dem.tif", "--extent", extent]);
    let vrt = |source: &str| {
        format!(
            "<VRTDataset rasterXSize=\"15\" rasterYSize=\"15\"><SRS>EPSG:2056</SRS><GeoTransform>2759980, 2, 0, 1190010, 0, \
             -2</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\"><SimpleSource><SourceFilename \
             relativeToVRT=\"1\">{source}</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>"
        )
    };
    fs::write(here.join("near.vrt"), vrt("dem.tif")).unwrap();
    fs::write(here.join("far.vrt"), vrt("near.vrt")).unwrap();
    fs::write(
        here.join("square.geojson"),
        "{\"type\": \"Polygon\", \"coordinates\": [[[7.5, 46.5], [7.6, 46.5], [7.6, 46.6], [7.5, 46.5]]]}",
    )
    .unwrap();
    run_well(here, &["reproject", "square.geojson", "area.gpkg", "--crs", "EPSG:2056"]);
    let layer = "<OGRVRTDataSource><OGRVRTLayer name=\"square\"><SrcDataSource relativeToVRT=\"1\">area.gpkg</SrcDataSource>\
                 <SrcLayer>square</SrcLayer></OGRVRTLayer></OGRVRTDataSource>";
    fs::write(here.join("layer.vrt"), layer).unwrap();
    let calls: [(&[&str], &str); 4] = [
        (&["clip", "near.vrt", "dem.tif", "--extent", extent, "--overwrite"], "dem.tif"),
        (&["reproject", "far.vrt", "dem.tif", "--crs", "EPSG:21781", "--overwrite"], "dem.tif"),
        (&["clip", "plane.tif", "dem.tif", "--aoi", "far.vrt", "--overwrite"], "dem.tif"),
        (&["reproject", "layer.vrt", "area.gpkg", "--crs", "EPSG:21781", "--overwrite"], "area.gpkg"),
    ];
    for (call, source) in calls {
        let before = fs::read(here.join(source)).unwrap();
        let ran = run(here, call);
        assert!(
            ran.code == 2 && ran.stderr.contains(source) && ran.stderr.contains("is read"),
            "{call:?}: {}",
            ran.stderr
        );
        assert!(fs::read(here.join(source)).unwrap() == before, "{call:?}");
    }
    // A tile in the folder that is to be replaced, behind a VRT file outside of it.
    run_well(here, &["prepare", "--dem", "plane.tif", "--out", "site"]);
    fs::write(here.join("inside.vrt"), vrt("site/dem.tif")).unwrap();
    let ran = run(here, &["prepare", "--dem", "inside.vrt", "--out", "site", "--overwrite"]);
    assert!(ran.code != 0 && ran.stderr.contains("site/dem.tif"), "{}", ran.stderr);
}

/// The plane falls by 35.8° everywhere: all inner cells are one area, or what of them lies in a polygon.
#[test]
fn release_areas_are_where_the_ground_is_steep() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    Tile::of_plane(2056, 80, 70, (2.0, 2.0), (-80.0, -70.0)).write(&here.join("dem.tif"));
    let areas = |file: &str| -> Vec<(f64, f64)> {
        let layer =
            vector::read(&VectorSourceResolved::file(here.join(file).to_str().unwrap()).unwrap(), None).unwrap();
        let real = |feature: &vector::Feature, name: &str| match feature.attributes.get(name) {
            Some(vector::Value::Real(value)) => *value,
            other => panic!("{name} is {other:?}"),
        };
        layer.features.iter().map(|f| (real(f, "area_m2"), real(f, "slope_mean_deg"))).collect()
    };
    run_well(here, &["release", "find", "dem.tif", "--min-slope", "30", "--out", "all.gpkg"]);
    let expected = 4.0 * 78.0 * 68.0;
    let [(area, slope)] = areas("all.gpkg")[..] else { panic!("{:?}", areas("all.gpkg")) };
    assert!((area / expected - 1.0).abs() < 0.01 && (slope - 35.8).abs() < 0.051, "{area} m², {slope}°");
    let lv95 = crs(2056);
    write_polygons(&here.join("rock.gpkg"), &lv95, "n", &[(square(&lv95, (0.0, 0.0), 20.0), "x")]);
    run_well(
        here,
        &["release", "find", "dem.tif", "--min-slope", "30", "--only", "rock.gpkg", "--out", "part.geojson"],
    );
    let [(area, _)] = areas("part.geojson")[..] else { panic!("{:?}", areas("part.geojson")) };
    assert!((area / 1600.0 - 1.0).abs() < 0.05, "{area} m²");
    for (arguments, code, said) in [
        (["--min-slope", "40", "--out", "none.gpkg"], 3, "lower --min-slope"),
        (["--min-slope", "90", "--out", "none.gpkg"], 2, "less than 90"),
        (["--min-slope", "30", "--out", "none.csv"], 2, "holds no polygons"),
        (["--min-slope", "30", "--out", "all.gpkg"], 3, "exists"),
    ] {
        let ran = run(here, &[&["release", "find", "dem.tif"][..], &arguments].concat());
        assert!(ran.code == code && ran.stderr.contains(said), "{arguments:?}: {} {}", ran.code, ran.stderr);
    }
    assert!(!here.join("none.gpkg").exists() && !here.join("none.csv").exists());
    // Its own file is replaced, another's is not; a style that somebody made his own stays.
    assert!(std::fs::read_to_string(here.join("all.qml")).unwrap().contains("singleSymbol"));
    std::fs::write(here.join("all.qml"), "my style").unwrap();
    run_well(here, &["release", "find", "dem.tif", "--min-slope", "30", "--out", "all.gpkg", "--overwrite"]);
    assert_eq!(std::fs::read_to_string(here.join("all.qml")).unwrap(), "my style");
    std::fs::write(here.join("mine.gpkg"), "mine").unwrap();
    assert_ne!(run(here, &["release", "find", "dem.tif", "--out", "mine.gpkg", "--overwrite"]).code, 0);
    assert_eq!(std::fs::read(here.join("mine.gpkg")).unwrap(), b"mine");
}
