//! Numbers that are none, rasters that hold something else than numbers, and numbers that are missing.

use gdal::DriverManager;
use gdal::raster::{Buffer, GdalType};

use crate::fixture::{Case, LATTICE, slope};

/// The slope as an ASCII grid with one cell replaced, in row 3 (line 8) and column 2.
fn grid_with(word: &str) -> String {
    let mut text = "ncols 40\nnrows 40\nxllcorner 2600000\nyllcorner 1200000\ncellsize 2\n".to_string();
    for row in 0..40 {
        let y = 1_200_079.0 - 2.0 * f64::from(row);
        let cells = (0..40).map(|column| match (row, column) {
            (2, 1) => word.to_string(),
            _ => format!("{:.2}", slope(0.0, y)),
        });
        text += &(cells.collect::<Vec<_>>().join(" ") + "\n");
    }
    text
}

#[test]
fn ascii_grids_with_words_gdal_takes_for_numbers() {
    for word in ["1,000.5", "--5", ".", "1.2.3", "1e", "0x10", "nan", "inf", "567,5", "-", "1d3", "5x"] {
        let case = Case::new();
        case.text("dem.asc", &grid_with(word)).change("dem.tif", "dem.asc\n  crs: EPSG:2056");
        case.refuse(&["terrain.dem", "dem.asc', line 8", &format!("'{word}'")]);
    }
    for (word, cells) in [("", "1599 cells"), ("560 560", "1601 cells")] {
        let case = Case::new();
        case.text("dem.asc", &grid_with(word)).change("dem.tif", "dem.asc\n  crs: EPSG:2056");
        case.refuse(&["terrain.dem", "dem.asc", cells, "40 × 40 = 1600"]);
    }
    let case = Case::new();
    case.text("dem.asc", &grid_with("560")).change("dem.tif", "dem.asc\n  crs: EPSG:2056").accept(&["40 × 40"]);
}

/// GDAL knows blanks of ASCII only, and reads 0 behind others.
#[test]
fn a_no_break_space_made_a_height_of_zero() {
    for blank in ['\u{a0}', '\u{2003}', '\u{3000}'] {
        let case = Case::new();
        case.text("dem.asc", &grid_with(&format!("{blank}560"))).change("dem.tif", "dem.asc\n  crs: EPSG:2056");
        case.refuse(&["terrain.dem", "dem.asc', line 8", "where a number belongs"]);
    }
}

/// Behind a VRT file, in a zip archive, for `prepare`, `clip` and `reproject`, as a list of points, in a world file.
#[test]
fn misread_numbers_are_found_wherever_they_stand() {
    let case = Case::new();
    case.text("bad.asc", &grid_with("--5"));
    let refuse = |arguments: &[&str], parts: &[&str]| {
        crate::fixture::one_sentence(&case.couloir(arguments), 3, parts);
    };
    let found = ["bad.asc', line 8", "'--5'"];
    let (extent, lv95) = ("2600000,1200000,2600020,1200020", "EPSG:2056");
    refuse(&["clip", "bad.asc", "out.tif", "--source-crs", lv95, "--extent", extent], &found);
    refuse(&["reproject", "bad.asc", "out.tif", "--source-crs", lv95, "--crs", "EPSG:21781"], &found);
    refuse(&["prepare", "--dem", "bad.asc", "--dem-crs", lv95, "--out", "site"], &found);
    let vrt = "<VRTDataset rasterXSize=\"40\" rasterYSize=\"40\"><SRS>EPSG:2056</SRS>\
               <GeoTransform>2600000, 2, 0, 1200080, 0, -2</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
               <SimpleSource><SourceFilename relativeToVRT=\"1\">bad.asc</SourceFilename><SourceBand>1</SourceBand>\
               </SimpleSource></VRTRasterBand></VRTDataset>";
    case.text("bad.vrt", vrt).change("dem.tif", "bad.vrt").refuse(&["terrain.dem", found[0], found[1]]);
    let points: String =
        (0..16).map(|k| format!("{} {} 5{k}\n", 2_600_001 + 2 * (k % 4), 1_200_001 + 2 * (k / 4))).collect();
    let cut = ["--crs", "EPSG:21781", "--source-crs", "EPSG:2056"];
    case.text("good.xyz", &points).text("bad.xyz", &points.replace(" 57\n", " 5,7\n"));
    assert!(case.couloir(&[["reproject", "good.xyz", "good.tif"].as_slice(), &cut].concat()).status.success());
    refuse(&[["reproject", "bad.xyz", "out.tif"].as_slice(), &cut].concat(), &["bad.xyz', line 8", "'5,7'"]);
    picture::<f32>(&case, "placed.tif", 1, None);
    case.text("placed.tfw", "2\n0\n0\n-2\n2,600,001\n1200079\n");
    refuse(
        &[["reproject", "placed.tif", "out.tif"].as_slice(), &cut].concat(),
        &["placed.tfw', line 5", "'2,600,001'"],
    );
}

/// A GeoTIFF of several bands in the place of the slope; with no CRS and place if `place` is none.
fn picture<T: GdalType + Copy + From<u8>>(case: &Case, name: &str, bands: usize, place: Option<&str>) {
    couloir::geo::gdal_glue::init();
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dataset = driver.create_with_band_type::<T, _>(case.path(name), 40, 40, bands).unwrap();
    if let Some(crs) = place {
        dataset.set_geo_transform(&[2_600_000.0, 2.0, 0.0, 1_200_080.0, 0.0, -2.0]).unwrap();
        dataset.set_spatial_ref(&couloir::geo::Crs::from_user(crs).unwrap().spatial_ref().unwrap()).unwrap();
    }
    for band in 1..=bands {
        let mut buffer = Buffer::new((40, 40), (0..1600).map(|k| T::from((k / 40) as u8)).collect());
        dataset.rasterband(band).unwrap().write((0, 0), (40, 40), &mut buffer).unwrap();
    }
    dataset.close().unwrap();
}

#[test]
fn pictures_are_no_dem() {
    for bands in [3, 4] {
        let case = Case::new();
        picture::<u8>(&case, "rgb.tif", bands, Some("EPSG:2056"));
        case.change("dem.tif", "rgb.tif").refuse(&["terrain.dem", "rgb.tif", "picture", "red"]);
        // Colours stay colours when a band is named.
        case.change("rgb.tif", "rgb.tif\n  band: 2").refuse(&["rgb.tif", "picture", "green"]);
        let prepare = case.couloir(&["prepare", "--dem", "rgb.tif", "--out", "site"]);
        crate::fixture::one_sentence(&prepare, 3, &["rgb.tif", "picture"]);
    }
    let case = Case::new();
    picture::<f32>(&case, "three.tif", 3, Some("EPSG:2056"));
    case.change("dem.tif", "three.tif").refuse(&["terrain.dem", "three.tif", "3 bands", "band: 1"]);
    case.change("three.tif", "three.tif\n  band: 1").accept(&["three.tif"]);
    let vrt = "<VRTDataset rasterXSize=\"40\" rasterYSize=\"40\"><SRS>EPSG:2056</SRS>\
               <GeoTransform>2600000, 2, 0, 1200080, 0, -2</GeoTransform><VRTRasterBand dataType=\"TYPE\" band=\"1\">MORE\
               <SimpleSource><SourceFilename relativeToVRT=\"1\">dem.tif</SourceFilename><SourceBand>1</SourceBand>\
               </SimpleSource></VRTRasterBand></VRTDataset>";
    let palette =
        "<ColorInterp>Palette</ColorInterp><ColorTable><Entry c1=\"1\" c2=\"2\" c3=\"3\" c4=\"255\"/></ColorTable>";
    for (kind, more, found) in
        [("Byte", palette, "colour table"), ("CFloat32", "", "complex"), ("CInt16", "", "complex")]
    {
        let case = Case::new();
        case.text("odd.vrt", &vrt.replace("TYPE", kind).replace("MORE", more));
        case.change("dem.tif", "odd.vrt").refuse(&["terrain.dem", "odd.vrt", found]);
    }
    // A parameter is no picture either.
    let case = Case::new();
    picture::<u8>(&case, "rgb.tif", 3, Some("EPSG:2056"));
    case.add("ground: {default: medium, mu_min: {raster: rgb.tif}}\n").refuse(&["ground.mu_min.raster", "picture"]);
}

/// Where a parameter's raster says nothing, nothing is made up, whichever parameter it is.
#[test]
fn a_gap_in_a_parameter_raster_is_no_built_in_value() {
    let gap = |x: f64, y: f64| if (x, y) == (2_600_011.0, 1_200_075.0) { f64::NAN } else { 0.2 };
    let found = ["1 of the 1600 cells", "(2600011, 1200075)", "column 6, row 3"];
    for (key, project) in [
        (
            "ground.scarring.me_kn_m2",
            "ground: {default: medium, scarring: {me_kn_m2: {raster: r.tif}, drag_coefficient: 1}}",
        ),
        ("ground.scarring.drag_coefficient", "ground: {scarring: {me_kn_m2: 10, drag_coefficient: {raster: r.tif}}}"),
        ("restitution.r_n", "simulation: {contact: rocfall3}\nrestitution: {r_n: {raster: r.tif}}"),
        ("restitution.mu", "simulation: {contact: rocfall3}\nrestitution: {mu: {raster: r.tif}}"),
        ("ground.mu_min", "ground: {mu_min: {raster: r.tif}}"),
        ("ground.epsilon_n", "ground: {epsilon_n: {raster: r.tif}}"),
        ("forest.drag_kg_s", "forest: {drag_kg_s: {raster: r.tif}}"),
        ("forest.height_m", "forest: {drag_kg_s: 200, height_m: {raster: r.tif}}"),
    ] {
        let case = Case::new();
        case.raster("r.tif", LATTICE, "EPSG:2056", gap).add(&format!("{project}\n"));
        case.refuse(&[&[key, "r.tif"], found.as_slice()].concat());
        // Where the DEM has no height no rock can get.
        case.raster("dem.tif", LATTICE, "EPSG:2056", |x, y| if gap(x, y).is_nan() { f64::NAN } else { slope(x, y) });
        case.accept(&["r.tif"]);
    }
    let elsewhere = couloir::terrain::Lattice { x0: 2_700_001.0, ..LATTICE };
    let case = Case::new();
    case.raster("r.tif", elsewhere, "EPSG:2056", |_, _| 0.2).add("ground: {mu_min: {raster: r.tif}}\n");
    case.refuse(&["ground.mu_min.raster", "1600 of the 1600 cells", "ground.default"]);
    case.change("ground: {", "ground: {default: soft, ").accept(&["does not overlap the DEM"]);
    let case = Case::new();
    case.raster("r.tif", LATTICE, "EPSG:2056", gap).add("forest: {default: none, drag_kg_s: {raster: r.tif}}\n");
    case.accept(&["1 of 1600 cells", "weaker source"]);
}

const VRT: &str = "<VRTDataset rasterXSize=\"40\" rasterYSize=\"40\"><SRS>EPSG:2056</SRS>\n\
    <GeoTransform>2600000, 2, 0, 1200080, 0, -2</GeoTransform>\n<VRTRasterBand dataType=\"Float32\" band=\"1\">MORE\n\
    <ComplexSource><SourceFilename relativeToVRT=\"1\">SOURCE</SourceFilename><SourceBand>1</SourceBand>SCALE\
    </ComplexSource></VRTRasterBand></VRTDataset>";

fn vrt(source: &str, scale: &str, more: &str) -> String {
    VRT.replace("SOURCE", source).replace("SCALE", scale).replace("MORE", more)
}

/// A grid is a grid whatever its file is called: behind a VRT file GDAL asks nobody for the ending.
#[test]
fn a_grid_with_another_ending_behind_a_vrt_is_looked_at() {
    for name in ["heights.txt", "heights.grd", "heights"] {
        let case = Case::new();
        case.text(name, &grid_with("1,000.5")).text("dem.vrt", &vrt(name, "", "")).change("dem.tif", "dem.vrt");
        case.refuse(&["terrain.dem", &format!("{name}', line 8"), "'1,000.5'"]);
        case.text(name, &grid_with("560")).accept(&["40 × 40"]);
    }
}

#[test]
fn words_in_virtual_rasters_that_gdal_takes_for_numbers() {
    let good = "<ScaleOffset>0</ScaleOffset><ScaleRatio>1</ScaleRatio>";
    let case = Case::new();
    case.text("dem.vrt", &vrt("dem.tif", good, "")).change("dem.tif", "dem.vrt").accept(&["40 × 40"]);
    for (old, new, found) in [
        (">1</ScaleRatio", ">1,1</ScaleRatio", "ScaleRatio: found '1,1'"),
        (">0</ScaleOffset", ">a lot</ScaleOffset", "ScaleOffset: found 'a lot'"),
        ("rasterXSize=\"40\"", "rasterXSize=\"40,5\"", "rasterXSize: found '40,5'"),
        ("2600000, 2, 0", "2'600'000, 2, 0", "GeoTransform: found '2'600'000'"),
        ("band=\"1\">", "band=\"1\"><NoDataValue>none</NoDataValue>", "NoDataValue: found 'none'"),
    ] {
        let text = vrt("dem.tif", good, "").replace(old, new);
        case.text("dem.vrt", &text).refuse(&["terrain.dem", "dem.vrt', line", found]);
    }
    case.text("dem.vrt", &vrt("dem.tif", "<LUT>500:500,600:high</LUT>", "")).refuse(&["LUT: found 'high'"]);
    // Beside a GeoTIFF, too.
    let aside = "<PAMDataset><GeoTransform>2600000, 2,5, 0, 1200080, 0, -2</GeoTransform></PAMDataset>";
    let case = Case::new();
    case.text("dem.tif.aux.xml", aside).refuse(&["dem.tif.aux.xml', line 1", "7 numbers, expected 6"]);
}

/// `2e1` columns are twenty for us and two for GDAL.
#[test]
fn counts_of_an_ascii_grid_are_whole_numbers_in_digits() {
    let case = Case::new();
    let text = grid_with("560").replace("ncols 40", "ncols 4e1");
    case.text("dem.asc", &text).change("dem.tif", "dem.asc\n  crs: EPSG:2056");
    case.refuse(&["dem.asc", "ncols '4e1'", "whole number in digits"]);
}

/// Copies the slope to another format, with one word of its header replaced.
fn with_header(case: &Case, driver: &str, file: &str, header: &str, old: &str, new: &str) {
    couloir::geo::gdal_glue::init();
    let source = gdal::Dataset::open(case.path("dem.tif")).unwrap();
    let driver = DriverManager::get_driver_by_name(driver).unwrap();
    source.create_copy(&driver, case.path(file), &Default::default()).unwrap().close().unwrap();
    let text = std::fs::read_to_string(case.path(header)).unwrap();
    let line =
        text.lines().find(|line| line.trim_start().starts_with(old)).unwrap_or_else(|| panic!("{old} in {text}"));
    let value = line.rsplit(char::is_whitespace).next().unwrap();
    case.text(header, &text.replace(line, &format!("{}{new}", line.strip_suffix(value).unwrap())));
}

#[test]
fn headers_beside_binary_rasters_hold_plain_numbers() {
    for (driver, file, header, key, word, found) in [
        ("EHdr", "dem.bil", "dem.hdr", "XDIM", "2,5", "'2,5'"),
        ("EHdr", "dem.bil", "dem.hdr", "ULYMAP", "1'200'079", "'1'200'079'"),
        ("ENVI", "dem.dat", "dem.hdr", "samples", "40,5", "'40,5'"),
        ("SAGA", "dem.sdat", "dem.sgrd", "CELLSIZE", "2,5", "'2,5'"),
        // GDAL does not apply it: heights would be ten times too large.
        ("SAGA", "dem.sdat", "dem.sgrd", "Z_FACTOR", "0.1", "Z_FACTOR 0.1"),
        ("RST", "dem.rst", "dem.rdc", "resolution", "2,5", "'2,5'"),
    ] {
        let case = Case::new();
        with_header(&case, driver, file, header, key, word);
        let mut parts = vec!["terrain.dem", header, found];
        let unit = if driver == "RST" { "\n  vertical_unit: metre" } else { "" };
        case.change("dem: dem.tif", &format!("dem: {file}{unit}"));
        parts.dedup();
        case.refuse(&parts);
    }
}

/// Multiplied by nothing, or by what is no number, heights are none.
#[test]
fn a_scale_that_leaves_no_values_is_refused() {
    for scale in ["0", "nan", "inf"] {
        let case = Case::new();
        case.text("dem.vrt", &vrt("dem.tif", "", &format!("<Scale>{scale}</Scale>"))).change("dem.tif", "dem.vrt");
        case.refuse(&["terrain.dem", "dem.vrt", "multiplied by", "leaves no values"]);
    }
    let case = Case::new();
    case.raster("dem.tif", LATTICE, "EPSG:2056", |x, y| if x < 2_600_002.0 { 1e30 } else { slope(x, y) });
    case.refuse(&["terrain.dem", "the height 1.0000000150474662e30 m at", "no height on Earth"]);
}

/// The commonest undeclared nodata value is a height on Earth.
#[test]
fn a_zero_among_heights_is_spoken_of() {
    let case = Case::new();
    case.raster("dem.tif", LATTICE, "EPSG:2056", |x, y| match (x as i64, y as i64) {
        (2_600_061, 1_200_021) => 0.0,
        _ => slope(x, y),
    });
    case.accept(&["neighbouring cells differ by 519 m", "declare it as nodata"]);
}

#[test]
fn a_format_that_is_not_read_is_named() {
    let case = Case::new();
    case.bytes("dem.nc", b"CDF\x01 and so on").change("dem.tif", "dem.nc");
    case.refuse(&["terrain.dem", "looks like netCDF", "gdal_translate", "docs/formats.md"]);
    let case = Case::new();
    case.text("release.gml", "<gml:FeatureCollection/>").change("release.geojson", "release.gml");
    case.refuse(&["release[0].source", "looks like GML", "ogr2ogr"]);
}
