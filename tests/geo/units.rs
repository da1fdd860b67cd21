//! CRS and units of DEMs: metres in, or the sentence that says how to get there.

use couloir::geo::raster::{self, ReadRaster, read_dem};
use couloir::project::file::VerticalUnit;

use crate::support::{Tiff, assert_sentence, crs};

const US_FOOT: f64 = 1200.0 / 3937.0;

#[test]
fn a_dem_in_degrees_is_refused_with_the_exact_prepare_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    // Bern, Innsbruck, Bergen (zone 32 by exception), the Southern Alps of New Zealand.
    for (x, y, epsg) in [(7.4, 46.9, 32632), (11.4, 47.3, 32632), (5.3, 60.4, 32632), (170.5, -43.6, 32759)] {
        let transform = [x, 1e-4, 0.0, y, 0.0, -1e-4];
        Tiff { transform, crs: Some("EPSG:4326"), ..Default::default() }.write::<f32>(&path, |_, _| 500.0, |_| {});
        let error = read_dem(&path, &Default::default()).unwrap_err();
        let command = format!("`couloir prepare --dem {} --crs EPSG:{epsg} --out prepared`", path.display());
        assert_sentence(&error, &["EPSG:4326", "degrees", &command]);
        // As a plain raster it may be read: a parameter layer can be in degrees.
        assert!(raster::read(&path, &Default::default()).is_ok());
    }
}

#[test]
fn a_dem_whose_coordinates_are_feet_is_refused_with_the_exact_prepare_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    let transform = [990_000.0, 10.0, 0.0, 210_000.0, 0.0, -10.0];
    Tiff { transform, crs: Some("EPSG:2263"), ..Default::default() }.write::<f32>(&path, |_, _| 500.0, |_| {});
    let error = read_dem(&path, &Default::default()).unwrap_err();
    assert_sentence(&error, &["EPSG:2263", "0.3048006", "couloir prepare --dem", "--crs EPSG:32618 --out"]);
}

#[test]
fn heights_in_feet_are_detected_in_the_band_and_in_the_crs_or_declared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    let height = |options: &ReadRaster| read_dem(&path, options).map(|r| r.field.values[0]);
    let write = |crs: &str, unit: &str| {
        Tiff { crs: Some(crs), ..Default::default() }.write::<f64>(
            &path,
            |_, _| 1000.0,
            |dataset| {
                let unit = std::ffi::CString::new(unit).unwrap();
                let band = dataset.rasterband(1).unwrap();
                unsafe { gdal_sys::GDALSetRasterUnitType(band.c_rasterband(), unit.as_ptr()) };
            },
        );
    };
    let none = ReadRaster::default();
    let declared = |unit| ReadRaster { vertical_unit: Some(unit), ..Default::default() };
    for (unit, to_m) in
        [("", 1.0), ("m", 1.0), ("metre", 1.0), ("ft", 0.3048), ("feet", 0.3048), ("US survey foot", US_FOOT)]
    {
        write("EPSG:2056", unit);
        assert_eq!(height(&none).unwrap(), 1000.0 * to_m, "'{unit}'");
    }
    // NAVD88 height in US survey feet, in feet, in metres, below a grid in metres.
    for (vertical, to_m) in [(6360, US_FOOT), (8228, 0.3048), (5703, 1.0)] {
        write(&format!("EPSG:2056+{vertical}"), "");
        let value = height(&none).unwrap();
        assert!((value - 1000.0 * to_m).abs() < 1e-6, "EPSG:{vertical}: {value}");
    }
    // Where the format does not repeat the CRS' unit for the band.
    let vrt = folder.path().join("dem.vrt");
    write("EPSG:2056", "");
    let dataset = gdal::Dataset::open(&path).unwrap();
    let ((columns, rows), transform) = (dataset.raster_size(), dataset.geo_transform().unwrap().map(|v| v.to_string()));
    for (vertical, to_m) in [(6360, US_FOOT), (8228, 0.3048), (5703, 1.0)] {
        let xml = format!(
            "<VRTDataset rasterXSize=\"{columns}\" rasterYSize=\"{rows}\"><SRS>EPSG:2056+{vertical}</SRS>\
             <GeoTransform>{}</GeoTransform><VRTRasterBand dataType=\"Float64\" band=\"1\"><SimpleSource>\
             <SourceFilename relativeToVRT=\"1\">dem.tif</SourceFilename><SourceBand>1</SourceBand></SimpleSource>\
             </VRTRasterBand></VRTDataset>",
            transform.join(",")
        );
        std::fs::write(&vrt, xml).unwrap();
        let value = read_dem(&vrt, &none).unwrap().field.values[0];
        assert!((value - 1000.0 * to_m).abs() < 1e-6, "EPSG:{vertical} of a VRT file: {value}");
    }
    assert_eq!(height(&declared(VerticalUnit::Foot)).unwrap(), 304.8);
    assert_eq!(height(&declared(VerticalUnit::UsSurveyFoot)).unwrap(), 1000.0 * US_FOOT);
    // Declared against what the file says: the declaration wins, and is said.
    write("EPSG:2056", "ft");
    let raster = read_dem(&path, &declared(VerticalUnit::Metre)).unwrap();
    assert_eq!(raster.field.values[0], 1000.0);
    assert!(raster.warnings[0].to_string().contains("0.3048"), "{:?}", raster.warnings);
    write("EPSG:2056", "furlong");
    assert_sentence(&height(&none).unwrap_err(), &["'furlong'", "vertical_unit"]);
    assert_eq!(height(&declared(VerticalUnit::Metre)).unwrap(), 1000.0);
}

#[test]
fn a_missing_crs_is_an_error_unless_stated_and_a_contradiction_always() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    Tiff { crs: None, ..Default::default() }.write_plane(&path);
    let error = read_dem(&path, &Default::default()).unwrap_err();
    assert_sentence(&error, &["dem.tif", "which CRS", "crs: EPSG:"]);
    let stated = ReadRaster { crs: Some(crs("EPSG:2056")), ..Default::default() };
    assert_eq!(read_dem(&path, &stated).unwrap().crs.epsg(), Some(2056));
    Tiff::default().write_plane(&path);
    assert!(read_dem(&path, &stated).is_ok());
    let other = ReadRaster { crs: Some(crs("EPSG:21781")), ..Default::default() };
    assert_sentence(&read_dem(&path, &other).unwrap_err(), &["EPSG:2056", "EPSG:21781", "remove the stated CRS"]);
}

#[test]
fn a_raster_without_georeference_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let memory = gdal::DriverManager::get_driver_by_name("MEM").unwrap().create("", 4, 4, 1).unwrap();
    let png = gdal::DriverManager::get_driver_by_name("PNG").unwrap();
    memory.create_copy(&png, &path, &Default::default()).unwrap();
    let stated = ReadRaster { crs: Some(crs("EPSG:2056")), ..Default::default() };
    assert_sentence(&read_dem(&path, &stated).unwrap_err(), &["picture.png", "not georeferenced"]);
}

#[test]
fn heights_that_no_mountain_has_are_taken_for_undeclared_nodata() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    Tiff::default().write::<f32>(&path, |x, _| if x > 2_600_070.0 { -9999.0 } else { 500.0 }, |_| {});
    assert_sentence(&read_dem(&path, &Default::default()).unwrap_err(), &["-9999", "nodata"]);
    let all = Tiff { nodata: Some(-9999.0), ..Default::default() };
    all.write::<f32>(&path, |_, _| -9999.0, |_| {});
    assert_sentence(&read_dem(&path, &Default::default()).unwrap_err(), &["dem.tif", "nothing but nodata"]);
}
