//! Reading rasters: a plane whose value at any point is known must be found there whatever the file's layout.

use couloir::geo::raster::{self, Raster, ReadRaster};
use couloir::geo::{Bounds, raster::read_dem};
use gdal::{DriverManager, Metadata};

use crate::support::{ANYWHERE, Tiff, assert_sentence, crs, names, plane, text_file};

/// The largest difference to the plane at points between the outermost centres. Bilinear interpolation is exact on a
/// plane, so what is left is rounding: heights near 500 m from coordinates near 2 600 000 m.
#[track_caller]
fn assert_plane(raster: &Raster, tolerance: f64) {
    let lattice = raster.field.lattice;
    let (mut worst, mut count) = (0.0f64, 0);
    for i in 0..=23 {
        for j in 0..=19 {
            let x = lattice.x0 + (lattice.nx - 1) as f64 * lattice.dx * f64::from(i) / 23.0;
            let y = lattice.y0 + (lattice.ny - 1) as f64 * lattice.dy * f64::from(j) / 19.0;
            let Some(value) = raster.field.at(x.min(lattice.centre(lattice.nx - 1, 0).0), y) else { continue };
            worst = worst.max((value - plane(x, y)).abs());
            count += 1;
        }
    }
    assert!(count >= 400, "only {count} points lie on the raster");
    assert!(worst <= tolerance, "{worst} m off the plane");
}

#[test]
fn the_plane_is_found_whichever_way_rows_and_columns_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plane.tif");
    let (west, east, south, north) = (2_600_000.0, 2_600_080.0, 1_200_000.0, 1_200_060.0);
    let layouts = [
        ("north-up", [west, 2.0, 0.0, north, 0.0, -2.0], (40, 30)),
        ("south-up", [west, 2.0, 0.0, south, 0.0, 2.0], (40, 30)),
        ("east first", [east, -2.0, 0.0, north, 0.0, -2.0], (40, 30)),
        ("south-up, east first", [east, -2.0, 0.0, south, 0.0, 2.0], (40, 30)),
        ("non-square cells", [west, 0.5, 0.0, north, 0.0, -3.0], (160, 20)),
    ];
    for (name, transform, size) in layouts {
        Tiff { transform, size, ..Default::default() }.write_plane(&path);
        let raster = read_dem(&path, &Default::default()).unwrap();
        let lattice = raster.field.lattice;
        assert_eq!(lattice.extent(), (west, south, east, north), "{name}");
        assert_eq!((lattice.nx, lattice.ny), size, "{name}");
        assert_eq!((lattice.dx, lattice.dy), (transform[1].abs(), transform[5].abs()), "{name}");
        assert_plane(&raster, 1e-9);
    }
}

#[test]
fn the_corner_and_the_centre_keys_of_ascii_grids_both_put_values_at_cell_centres() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..30)
        .rev()
        .map(|r| {
            let row: Vec<String> = (0..40)
                .map(|c| plane(2_600_001.0 + 2.0 * f64::from(c), 1_200_001.0 + 2.0 * f64::from(r)).to_string())
                .collect();
            row.join(" ") + "\r\n"
        })
        .collect();
    for (name, keys) in [
        ("corner.asc", "xllcorner 2600000\r\nyllcorner 1200000"),
        ("centre.asc", "xllcenter 2600001\r\nyllcenter 1200001"),
        ("upper.ASC", "XLLCENTER 2600001\r\nYLLCENTER 1200001"),
    ] {
        let header = format!("ncols 40\r\nnrows 30\r\n{keys}\r\ncellsize 2\r\nNODATA_value -9999\r\n");
        let path = text_file(folder.path(), name, &(header + &rows));
        let options = ReadRaster { crs: Some(crs("EPSG:2056")), ..Default::default() };
        let raster = read_dem(&path, &options).unwrap();
        assert_eq!(raster.field.lattice.extent(), (2_600_000.0, 1_200_000.0, 2_600_080.0, 1_200_060.0), "{name}");
        // GDAL reads ASCII grids without a decimal comma setting as 32-bit floats: 500 m has steps of 3e-5 m.
        assert_plane(&raster, 1e-4);
    }
    assert_eq!(names(folder.path()), ["centre.asc", "corner.asc", "upper.ASC"], "reading left files behind");
}

#[test]
fn a_window_holds_the_cells_its_interpolation_needs_and_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plane.tif");
    for transform in [[2_600_000.0, 2.0, 0.0, 1_200_060.0, 0.0, -2.0], [2_600_000.0, 2.0, 0.0, 1_200_000.0, 0.0, 2.0]] {
        Tiff { transform, ..Default::default() }.write_plane(&path);
        let window = Bounds::new(2_600_010.5, 1_200_020.0, 2_600_031.0, 1_200_041.5);
        let options = ReadRaster { window: Some(window), ..Default::default() };
        let part = read_dem(&path, &options).unwrap();
        let lattice = part.field.lattice;
        // Centres stand at odd coordinates; those around the window are 9, 19, 31 and 43.
        assert_eq!((lattice.x0, lattice.y0), (2_600_009.0, 1_200_019.0));
        assert_eq!(lattice.centre(lattice.nx - 1, lattice.ny - 1), (2_600_031.0, 1_200_043.0));
        assert_plane(&part, 1e-9);
        let beyond = Bounds::new(2_600_070.0, 1_200_050.0, 2_700_000.0, 1_300_000.0);
        let part = read_dem(&path, &ReadRaster { window: Some(beyond), ..Default::default() }).unwrap();
        assert_eq!((part.field.lattice.nx, part.field.lattice.ny), (6, 6));
        let elsewhere = Bounds::new(2_700_000.0, 1_200_000.0, 2_700_010.0, 1_200_010.0);
        let error = read_dem(&path, &ReadRaster { window: Some(elsewhere), ..Default::default() }).unwrap_err();
        assert_sentence(&error, &["plane.tif", "does not reach", "2600000 to 2600080"]);
    }
}

#[test]
fn nodata_of_any_value_becomes_nan_in_every_data_type() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hole.tif");
    let hole = |x: f64, y: f64| x < 2_600_010.0 && y > 1_200_050.0;
    let check = |name: &str| {
        let raster = raster::read(&path, &Default::default()).unwrap();
        assert_eq!(raster.nodata_cells, 25, "{name}");
        for (k, value) in raster.field.values.iter().enumerate() {
            let (x, y) = raster.field.lattice.centre(k % 40, k / 40);
            assert_eq!(value.is_nan(), hole(x, y), "{name} at {x}, {y}");
            assert!(value.is_nan() || *value == 7.0, "{name}: {value}");
        }
    };
    macro_rules! with {
        ($kind:ty, $nodata:expr) => {
            let nodata = $nodata as f64;
            let tiff = Tiff { nodata: Some(nodata), ..Default::default() };
            tiff.write::<$kind>(&path, |x, y| if hole(x, y) { $nodata as $kind } else { 7 as $kind }, |_| {});
            check(&format!("{} as {}", nodata, stringify!($kind)));
        };
    }
    with!(f64, -9999.0);
    with!(f64, 0.0);
    with!(f64, f64::NAN);
    with!(f64, f64::MIN);
    with!(f32, f32::MIN);
    with!(f32, 1e20);
    with!(f32, -32767.99);
    with!(f32, f32::NAN);
    with!(u8, 255);
    with!(i16, -32768);
    with!(u16, 65535);
    with!(i32, i32::MIN);
    with!(u32, u32::MAX);
    // Files give the value in decimals: the neighbouring number is meant as well.
    let near = f32::from_bits((-32767.99f32).to_bits() + 1);
    let tiff = Tiff { nodata: Some(f64::from(-32767.99f32)), ..Default::default() };
    tiff.write::<f32>(&path, |x, y| if hole(x, y) { near } else { 7.0 }, |_| {});
    check("the number beside nodata");
    // Cells that are no numbers are nodata even when the file declares none.
    Tiff::default().write::<f32>(&path, |x, y| if hole(x, y) { f32::INFINITY } else { 7.0 }, |_| {});
    check("infinite without nodata");
}

#[test]
fn a_mask_band_hides_cells() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("masked.tif");
    Tiff::default().write::<f32>(
        &path,
        |_, _| 7.0,
        |dataset| {
            let mut band = dataset.rasterband(1).unwrap();
            band.create_mask_band(true).unwrap();
            let mut mask = band.open_mask_band().unwrap();
            let flags: Vec<u8> = (0..40 * 30).map(|k| if k % 40 < 3 { 0 } else { 255 }).collect();
            mask.write((0, 0), (40, 30), &mut gdal::raster::Buffer::new((40, 30), flags)).unwrap();
        },
    );
    let raster = raster::read(&path, &Default::default()).unwrap();
    assert_eq!(raster.nodata_cells, 3 * 30);
    assert!(raster.field.values[0].is_nan() && raster.field.values[3] == 7.0);
}

#[test]
fn scale_and_offset_are_applied_to_data_and_not_to_nodata() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scaled.tif");
    let tiff = Tiff { nodata: Some(0.0), ..Default::default() };
    tiff.write::<i16>(
        &path,
        |x, _| if x < 2_600_002.0 { 0 } else { 1234 },
        |dataset| {
            let mut band = dataset.rasterband(1).unwrap();
            band.set_scale(0.1).unwrap();
            band.set_offset(400.0).unwrap();
        },
    );
    let raster = raster::read(&path, &Default::default()).unwrap();
    assert_eq!(raster.nodata_cells, 30);
    assert_eq!(raster.field.values[1], 1234.0 * 0.1 + 400.0);
}

#[test]
fn a_chosen_band_is_read_and_a_missing_one_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bands.tif");
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dataset = driver.create_with_band_type::<f32, _>(&path, 3, 2, 3).unwrap();
    dataset.set_geo_transform(&[2_600_000.0, 1.0, 0.0, 1_200_002.0, 0.0, -1.0]).unwrap();
    dataset.set_spatial_ref(&crs("EPSG:2056").spatial_ref().unwrap()).unwrap();
    for k in 1..=3 {
        let mut band = dataset.rasterband(k).unwrap();
        band.fill(k as f64, None).unwrap();
        band.set_description(&format!("band {k}")).unwrap();
    }
    dataset.close().unwrap();
    let raster = raster::read(&path, &ReadRaster { band: Some(2), ..Default::default() }).unwrap();
    assert_eq!(raster.field.values, [2.0; 6]);
    for band in [0, 4, usize::MAX] {
        let error = raster::read(&path, &ReadRaster { band: Some(band), ..Default::default() }).unwrap_err();
        assert_sentence(&error, &["bands.tif", &format!("no band {band}"), "1 to 3"]);
    }
    let info = raster::info(&path).unwrap();
    assert_eq!((info.columns, info.rows, info.bands.len()), (3, 2, 3));
    assert_eq!(info.bands[1].description, "band 2");
    assert_eq!(info.bands[1].data_type, "Float32");
    assert_eq!(info.extent, Some(Bounds::new(2_600_000.0, 1_200_000.0, 2_600_003.0, 1_200_002.0)));
}

#[test]
fn a_virtual_raster_over_two_tiles_is_one_plane() {
    let folder = tempfile::tempdir().unwrap();
    for (name, west) in [("west.tif", 2_600_000.0), ("east.tif", 2_600_080.0)] {
        let transform = [west, 2.0, 0.0, 1_200_060.0, 0.0, -2.0];
        Tiff { transform, ..Default::default() }.write_plane(&folder.path().join(name));
    }
    let source = |name: &str, x: u32| {
        format!(
            "<SimpleSource><SourceFilename relativeToVRT=\"1\">{name}</SourceFilename><SourceBand>1</SourceBand>\
             <SrcRect xOff=\"0\" yOff=\"0\" xSize=\"40\" ySize=\"30\"/>\
             <DstRect xOff=\"{x}\" yOff=\"0\" xSize=\"40\" ySize=\"30\"/></SimpleSource>"
        )
    };
    let text = format!(
        "<VRTDataset rasterXSize=\"80\" rasterYSize=\"30\"><SRS>EPSG:2056</SRS>\
         <GeoTransform>2600000, 2, 0, 1200060, 0, -2</GeoTransform>\
         <VRTRasterBand dataType=\"Float64\" band=\"1\">{}{}</VRTRasterBand></VRTDataset>",
        source("west.tif", 0),
        source("east.tif", 40)
    );
    let path = text_file(folder.path(), "both.vrt", &text);
    let raster = read_dem(&path, &Default::default()).unwrap();
    assert_eq!((raster.field.lattice.nx, raster.field.lattice.ny), (80, 30));
    assert_plane(&raster, 1e-9);
    std::fs::remove_file(folder.path().join("east.tif")).unwrap();
    let error = read_dem(&path, &Default::default()).unwrap_err();
    assert_sentence(&error, &["both.vrt", "east.tif"]);
}

#[test]
fn rotated_and_sheared_grids_are_refused_with_the_command_that_mends_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gedreht ä.tif");
    for [across, along] in [[0.5, 0.5], [0.1, 0.0], [0.0, 0.1]] {
        let transform = [2_600_000.0, 2.0, across, 1_200_060.0, along, -2.0];
        Tiff { transform, ..Default::default() }.write_plane(&path);
        let error = read_dem(&path, &Default::default()).unwrap_err();
        let command = format!("`couloir prepare --dem '{}' --out prepared`", path.display());
        assert_sentence(&error, &["rotated or sheared", &command]);
        assert!(raster::info(&path).unwrap().rotated);
    }
    // Rounding noise in the rotation terms is no rotation.
    let transform = [2_600_000.0, 2.0, 1e-9, 1_200_060.0, -1e-9, -2.0];
    Tiff { transform, ..Default::default() }.write_plane(&path);
    assert_plane(&read_dem(&path, &Default::default()).unwrap(), 1e-6);
}

#[test]
fn signed_bytes_and_64_bit_integers_keep_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.tif");
    couloir::geo::gdal_glue::init();
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let options = gdal::raster::RasterCreationOptions::from_iter(["PIXELTYPE=SIGNEDBYTE"]);
    let mut dataset = driver.create_with_band_type_with_options::<u8, _>(&path, 2, 2, 1, &options).unwrap();
    dataset.set_geo_transform(&[0.0, 1.0, 0.0, 2.0, 0.0, -1.0]).unwrap();
    dataset.set_spatial_ref(&crs(ANYWHERE).spatial_ref().unwrap()).unwrap();
    {
        let mut band = dataset.rasterband(1).unwrap();
        band.set_no_data_value(Some(-128.0)).unwrap();
        band.write((0, 0), (2, 2), &mut gdal::raster::Buffer::new((2, 2), vec![0u8, 127, 255, 128])).unwrap();
    }
    dataset.close().unwrap();
    let raster = raster::read(&path, &Default::default()).unwrap();
    assert_eq!(raster.field.values[0], -1.0);
    assert!(raster.field.values[1].is_nan());
    assert_eq!(raster.field.values[2..], [0.0, 127.0]);

    let big = Tiff::default();
    big.write::<i64>(
        &path,
        |x, _| if x < 2_600_002.0 { i64::MIN } else { 5_000_000_000 },
        |dataset| {
            dataset.rasterband(1).unwrap().set_no_data_value_i64(Some(i64::MIN)).unwrap();
        },
    );
    let raster = raster::read(&path, &Default::default()).unwrap();
    assert_eq!(raster.nodata_cells, 30);
    assert_eq!(raster.field.values[1], 5e9);
}

/// Large files are read by several threads and compressed by several: the same cells come back, and the same bytes are
/// written, every time.
#[test]
fn a_large_tiff_is_written_and_read_alike_by_any_number_of_threads() {
    use couloir::geo::write_raster::{Band, BandData, WriteRaster, write};
    let folder = tempfile::tempdir().unwrap();
    let (path, again) = (folder.path().join("large.tif"), folder.path().join("again.tif"));
    let lattice = couloir::terrain::Lattice { nx: 2111, ny: 2003, x0: 2_600_000.0, y0: 1_200_000.0, dx: 2.0, dy: 2.0 };
    let height = |k: usize| if k.is_multiple_of(97) { -9999.0 } else { (k % 3001) as f32 * 0.25 };
    let values: Vec<f32> = (0..lattice.len()).map(height).collect();
    for path in [&path, &again] {
        let band = Band { description: "height", unit: "m", data: BandData::F32(&values), nodata: -9999.0 };
        write(path, &lattice, &crs("EPSG:2056"), &[band], &WriteRaster::default()).unwrap();
    }
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&again).unwrap(), "the bytes differ");
    let raster = raster::read(&path, &ReadRaster::default()).unwrap();
    assert_eq!(raster.nodata_cells, lattice.len().div_ceil(97));
    let alike = |(read, written): (&f64, &f32)| read.is_nan() && *written == -9999.0 || *read == f64::from(*written);
    assert!(raster.field.values.iter().zip(&values).all(alike));
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    assert!(raster::read(&path, &ReadRaster::default()).unwrap_err().message.contains("damaged or cut short"));
}
