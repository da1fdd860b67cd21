//! Broken files: one clear sentence each, no panic, nothing left behind.

use std::path::Path;

use couloir::error::Kind;
use couloir::geo::raster::{self, read_dem};
use couloir::geo::write_vector::{Format, GeometryKind, VectorWriter};

use crate::support::{NO_CHILDREN, Tiff, assert_sentence, crs, layer, names, text_file};

#[track_caller]
fn refused(path: &Path, pieces: &[&str]) {
    let error = read_dem(path, &Default::default()).unwrap_err();
    assert_eq!(error.kind, Kind::Input, "{error}");
    assert_sentence(&error, pieces);
}

#[test]
fn a_truncated_tiff_is_refused_wherever_it_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole.tif"), folder.path().join("cut.tif"));
    Tiff { size: (400, 300), ..Default::default() }.write::<f32>(&whole, |x, y| (x + y) as f32 % 997.0, |_| {});
    let bytes = std::fs::read(&whole).unwrap();
    for share in [0.0001, 0.01, 0.3, 0.6, 0.9, 0.999] {
        let length = (bytes.len() as f64 * share) as usize;
        std::fs::write(&cut, &bytes[..length]).unwrap();
        refused(&cut, &["cut.tif", "damaged or"]);
    }
    assert_eq!(names(folder.path()), ["cut.tif", "whole.tif"]);
}

#[test]
fn a_truncated_compressed_tiff_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.tif");
    let lattice = couloir::terrain::Lattice { nx: 600, ny: 600, x0: 2_600_000.0, y0: 1_200_000.0, dx: 2.0, dy: 2.0 };
    let values: Vec<f32> = (0..lattice.len()).map(|k| (k * k % 1009) as f32).collect();
    use couloir::geo::write_raster::{Band, BandData, WriteRaster, write};
    for cog in [false, true] {
        let band = Band { description: "h", unit: "m", data: BandData::F32(&values), nodata: -9999.0 };
        write(&path, &lattice, &crs("EPSG:2056"), &[band], &WriteRaster { cog, overviews: false }).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() * 2 / 3]).unwrap();
        refused(&path, &["cut.tif", "damaged or cut short"]);
    }
}

#[test]
fn files_that_are_no_rasters_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    refused(&at("nowhere.tif"), &["nowhere.tif", "not found", "check the path"]);
    refused(&at("missing/dem.tif"), &["not found", "missing' does not exist"]);
    refused(folder.path(), &["is a folder"]);
    std::fs::write(at("empty.tif"), "").unwrap();
    refused(&at("empty.tif"), &["empty.tif", "0 bytes"]);
    std::fs::write(at("text.tif"), "this is a letter, not a raster\n").unwrap();
    refused(&at("text.tif"), &["text.tif", "not a raster"]);
    let point = r#"{"type":"Point","coordinates":[7.4,46.9]}"#;
    refused(&text_file(folder.path(), "point.geojson", point), &["vector data", "raster"]);
    Tiff::default().write_plane(&at("gelände süd.tif"));
    refused(&at("gelände sud.tif"), &["did you mean 'gelände süd.tif'"]);
    assert!(read_dem(&at("gelände süd.tif"), &Default::default()).is_ok(), "spaces and umlauts");
}

#[test]
fn headers_that_claim_huge_rasters_are_refused_before_memory_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    // A sparse GeoTIFF: 100 000 × 100 000 cells, 40 GB claimed, a few hundred kilobytes on disk.
    let path = folder.path().join("huge.tif");
    let driver = gdal::DriverManager::get_driver_by_name("GTiff").unwrap();
    let options = gdal::raster::RasterCreationOptions::from_iter(["SPARSE_OK=TRUE", "TILED=YES", "BIGTIFF=YES"]);
    for side in [100_000, 30_000] {
        let mut dataset = driver.create_with_band_type_with_options::<f32, _>(&path, side, side, 1, &options).unwrap();
        dataset.set_geo_transform(&[2_600_000.0, 1.0, 0.0, 1_300_000.0, 0.0, -1.0]).unwrap();
        dataset.set_spatial_ref(&crs("EPSG:2056").spatial_ref().unwrap()).unwrap();
        dataset.close().unwrap();
        refused(&path, &["huge.tif", &format!("claims {side} × {side} cells")]);
    }
    let header =
        "ncols 60000\nnrows 60000\nxllcorner 2600000\nyllcorner 1200000\ncellsize 1\nNODATA_value -9999\n1 2 3\n";
    let path = text_file(folder.path(), "huge.asc", header);
    let options = raster::ReadRaster { crs: Some(crs("EPSG:2056")), ..Default::default() };
    let error = read_dem(&path, &options).unwrap_err();
    assert_sentence(&error, &["huge.asc"]);
    let vrt = "<VRTDataset rasterXSize=\"2000000000\" rasterYSize=\"2000000000\"><SRS>EPSG:2056</SRS>\
               <GeoTransform>2600000, 2, 0, 1200060, 0, -2</GeoTransform>\
               <VRTRasterBand dataType=\"Float64\" band=\"1\"/></VRTDataset>";
    refused(&text_file(folder.path(), "huge.vrt", vrt), &["huge.vrt"]);
}

#[test]
fn ascii_grids_with_missing_rows_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = "ncols 3\nnrows 3\nxllcorner 2600000\nyllcorner 1200000\ncellsize 1\nNODATA_value -9999\n1 2 3\n4 5 6\n";
    let path = text_file(folder.path(), "short.asc", text);
    let options = raster::ReadRaster { crs: Some(crs("EPSG:2056")), ..Default::default() };
    assert_sentence(&read_dem(&path, &options).unwrap_err(), &["short.asc", "damaged or cut short"]);
}

/// As root every file may be read, so the check itself is what an ordinary user meets.
#[test]
fn an_unreadable_file_or_folder_says_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("closed");
    std::fs::create_dir(&inner).unwrap();
    let path = inner.join("dem.tif");
    Tiff::default().write_plane(&path);
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o000)).unwrap();
    let result = read_dem(&path, &Default::default());
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o755)).unwrap();
    if let Err(error) = result {
        assert_sentence(&error, &["dem.tif", "permission denied"]);
    }
}

#[test]
fn damaged_vector_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    assert_sentence(&layer(&at("nowhere.gpkg")).unwrap_err(), &["nowhere.gpkg", "not found"]);
    std::fs::write(at("empty.geojson"), "").unwrap();
    assert_sentence(&layer(&at("empty.geojson")).unwrap_err(), &["0 bytes"]);
    std::fs::write(at("letter.shp"), "Dear Sir").unwrap();
    assert_sentence(&layer(&at("letter.shp")).unwrap_err(), &["letter.shp", "lacks its .shx"]);
    std::fs::write(at("half.geojson"), r#"{"type":"FeatureCollection","features":[{"type":"Feat"#).unwrap();
    assert_sentence(&layer(&at("half.geojson")).unwrap_err(), &["half.geojson", "damaged"]);
    Tiff::default().write_plane(Path::new(&at("dem.tif")));
    assert_sentence(&layer(&at("dem.tif")).unwrap_err(), &["dem.tif", "is a raster"]);
    let nothing = r#"{"type":"FeatureCollection","features":[]}"#;
    std::fs::write(at("nothing.geojson"), nothing).unwrap();
    assert_sentence(&layer(&at("nothing.geojson")).unwrap_err(), &["nothing.geojson", "empty"]);
}

#[test]
fn truncated_vector_files_are_refused_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Shapefile, Format::GeoPackage, Format::FlatGeobuf, Format::GeoJson] {
        let path = folder.path().join("cut").with_extension(format.extension());
        let crs = crs("EPSG:2056");
        let mut writer = VectorWriter::create(&path, format, "cut", &crs, GeometryKind::LineString3D, &[]).unwrap();
        for k in 0..2000 {
            let x = 2_600_000.0 + f64::from(k);
            writer.write(&[[x, 1_200_000.0, 1.0], [x, 1_200_001.0, 1.0], [x, 1_200_007.0, 3.0]][..], &[]).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(layer(path.to_str().unwrap()).unwrap().features.len(), 2000);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let error = layer(path.to_str().unwrap()).map(|l| l.features.len()).unwrap_err();
        assert_sentence(&error, &[&format!("cut.{}", format.extension())]);
    }
}

#[test]
fn a_shapefile_without_its_companions_says_which_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("release.shp");
    let write = || {
        let crs = crs("EPSG:2056");
        let mut writer =
            VectorWriter::create(&path, Format::Shapefile, "release", &crs, GeometryKind::Point, &[]).unwrap();
        writer.write(couloir::geo::write_vector::Shape::Point(2_600_000.0, 1_200_000.0), &[]).unwrap();
        writer.finish().unwrap();
    };
    let source = path.to_str().unwrap();
    for (ending, piece) in [("shx", "lacks its .shx"), ("dbf", "lacks its .dbf"), ("prj", "its .prj file is missing")] {
        write();
        assert!(layer(source).is_ok());
        std::fs::remove_file(path.with_extension(ending)).unwrap();
        assert_sentence(&layer(source).unwrap_err(), &["release.shp", piece]);
    }
}

/// GDAL's own words go into our sentences, never to the terminal.
#[test]
fn gdal_prints_nothing() {
    let _alone = NO_CHILDREN.lock();
    let run = |test: &str| {
        let me = std::env::current_exe().unwrap();
        std::process::Command::new(me).args([test, "--exact", "--nocapture"]).output().unwrap()
    };
    for test in [
        "damaged::files_that_are_no_rasters_say_what_they_are",
        "damaged::a_truncated_tiff_is_refused_wherever_it_was_cut",
        "damaged::damaged_vector_files_are_refused",
        "damaged::truncated_vector_files_are_refused_in_every_format",
        "crs::what_is_no_crs_is_named",
    ] {
        let output = run(test);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{test}");
        assert!(!text.contains("ERROR"), "{text}");
    }
}

#[test]
fn a_virtual_raster_that_refers_to_itself_ends_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let vrt = "<VRTDataset rasterXSize=\"20\" rasterYSize=\"20\"><SRS>EPSG:2056</SRS>\
               <GeoTransform>2600000, 2, 0, 1200060, 0, -2</GeoTransform><VRTRasterBand dataType=\"Float64\" band=\"1\">\
               <SimpleSource><SourceFilename relativeToVRT=\"1\">loop.vrt</SourceFilename><SourceBand>1</SourceBand>\
               </SimpleSource></VRTRasterBand></VRTDataset>";
    refused(&text_file(folder.path(), "loop.vrt", vrt), &["loop.vrt"]);
}

#[test]
fn ascii_grids_with_decimal_commas_or_words_do_not_pass_for_other_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let header = "ncols 2\nnrows 2\nxllcorner 2600000\nyllcorner 1200000\ncellsize 1\nNODATA_value -9999\n";
    let options = raster::ReadRaster { crs: Some(crs("EPSG:2056")), ..Default::default() };
    let path = text_file(folder.path(), "comma.asc", &format!("{header}512,5 512,5\n512,5 512,5\n"));
    assert_sentence(&read_dem(&path, &options).unwrap_err(), &["comma.asc', line 7", "'512,5'", "commas"]);
    let path = text_file(folder.path(), "words.asc", &format!("{header}512 five\n512 512\n"));
    assert_sentence(&read_dem(&path, &options).unwrap_err(), &["words.asc', line 7", "'five'"]);
}
