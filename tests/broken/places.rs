//! Coordinates that cannot be where their CRS says, and a PROJ that knows no CRS.

use std::fs;

use couloir::terrain::Lattice;

use crate::fixture::{Case, LATTICE, PROJECT, one_sentence, square};

fn shifted(x0: f64, y0: f64) -> Lattice {
    Lattice { x0, y0, ..LATTICE }
}

fn plane(_: f64, y: f64) -> f64 {
    500.0 + 0.8 * y.rem_euclid(1000.0)
}

#[test]
fn dem_outside_the_area_of_use_of_its_crs() {
    // Digits lost, LV03 coordinates, UTM coordinates, another zone's, metres for degrees, a false sign.
    for (crs, x, y) in [
        ("EPSG:2056", 247_321.0, 1_200_001.0),
        ("EPSG:2056", 600_001.0, 200_001.0),
        ("EPSG:2056", 381_001.0, 5_201_001.0),
        ("EPSG:2056", 2_600_001.0, 120_001.0),
        ("EPSG:21781", 2_600_001.0, 1_200_001.0),
        ("EPSG:31254", 450_001.0, 5_200_001.0),
        ("EPSG:32632", 3_810_001.0, 5_201_001.0),
        ("EPSG:32632", 381_001.0, 52_010_001.0),
        ("EPSG:25832", 32_381_001.0, 5_201_001.0),
        ("EPSG:2154", 900_001.0, 65_001.0),
        ("EPSG:3857", 1.0e8, 5.8e6),
    ] {
        let case = Case::new();
        case.raster("dem.tif", shifted(x, y), crs, plane);
        case.refuse(&["terrain.dem", "dem.tif", "outside the area of use", crs, "--force"]);
        let prepare = case.couloir(&["prepare", "--dem", "dem.tif", "--out", "site"]);
        one_sentence(&prepare, 3, &["dem.tif", "outside the area of use"]);
        let reproject = case.couloir(&["reproject", "dem.tif", "out.tif", "--crs", "EPSG:3035"]);
        one_sentence(&reproject, 3, &["dem.tif", "outside the area of use"]);
        let extent = format!("{x},{y},{},{}", x + 20.0, y + 20.0);
        one_sentence(
            &case.couloir(&["clip", "dem.tif", "out.tif", "--extent", &extent]),
            3,
            &["outside the area of use"],
        );
        let run = case.couloir(&["run", "project.yaml", "--out", "run"]);
        one_sentence(&run, 3, &["dem.tif", "outside the area of use"]);
        assert!(!case.path("run").exists() && !case.path("site").exists() && !case.path("out.tif").exists());
    }
}

/// One corner in the right place is not enough.
#[test]
fn dem_that_fits_its_crs_at_a_corner_only() {
    let lattice = Lattice { nx: 41, ny: 41, x0: 600_000.0, y0: -800_000.0, dx: 50_000.0, dy: 50_000.0 };
    Case::new().raster("dem.tif", lattice, "EPSG:2056", |_, _| 500.0).refuse(&["outside the area of use", "EPSG:2056"]);
}

#[test]
fn dem_at_the_border_or_in_a_neighbouring_zone_is_fine() {
    // Across the border near Chiasso, western Norway and Finnmark in zone 33, South Tyrol in zone 32.
    for (crs, x, y) in [
        ("EPSG:2056", 2_724_001.0, 1_070_001.0),
        ("EPSG:25833", -40_001.0, 6_790_001.0),
        ("EPSG:25833", 1_080_001.0, 7_900_001.0),
        ("EPSG:32632", 765_001.0, 5_180_001.0),
        ("EPSG:27700", 216_001.0, 771_001.0),
        ("EPSG:2193", 1_400_001.0, 5_200_001.0),
        ("EPSG:3413", -200_001.0, -2_300_001.0),
    ] {
        let case = Case::new();
        case.raster("dem.tif", shifted(x, y), crs, plane);
        let output =
            case.couloir(&["clip", "dem.tif", "out.tif", "--extent", &format!("{x},{y},{},{}", x + 20.0, y + 20.0)]);
        assert!(output.status.success(), "{crs}: {}", String::from_utf8_lossy(&output.stderr));
    }
    // No area of use is known for a projection of one's own.
    let case = Case::new();
    case.raster("dem.tif", shifted(1.0, 1.0), "+proj=tmerc +lat_0=46 +lon_0=8 +ellps=GRS80 +units=m", plane);
    let output = case.couloir(&["clip", "dem.tif", "out.tif", "--extent", "0,0,20,20"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn swapped_axes_are_named() {
    for (crs, x, y, axes) in [
        ("EPSG:2056", 1_200_001.0, 2_600_001.0, "easting and northing look swapped"),
        ("EPSG:32632", 5_201_001.0, 381_001.0, "easting and northing look swapped"),
    ] {
        let case = Case::new();
        case.raster("dem.tif", shifted(x, y), crs, plane);
        case.refuse(&["terrain.dem", "outside the area of use", axes]);
    }
    let case = Case::new();
    case.text("release.geojson", &square(1_200_050.0, 2_600_030.0, ""));
    case.refuse(&["release[0].source.file", "feature 0", "easting and northing look swapped"]);
}

#[test]
fn vectors_and_areas_outside_the_area_of_use_of_their_crs() {
    let case = Case::new();
    case.text("release.geojson", &square(247_321.0, 1_200_050.0, ""));
    case.refuse(&["release[0].source.file", "feature 0 of layer", "outside the area of use", "EPSG:2056", "--force"]);
    let far = ["release.geojson", "outside the area of use"];
    one_sentence(&case.couloir(&["reproject", "release.geojson", "out.gpkg", "--crs", "EPSG:21781"]), 3, &far);
    let clip = ["clip", "release.geojson", "out.gpkg", "--extent", "2600000,1200000,2600020,1200020"];
    one_sentence(&case.couloir(&clip), 3, &far);
    let area = ["prepare", "--dem", "dem.tif", "--out", "site", "--aoi"];
    one_sentence(&case.couloir(&[area.as_slice(), &["release.geojson"]].concat()), 3, &far);
    let extent = "247000,1200000,248000,1201000,EPSG:2056";
    one_sentence(&case.couloir(&[area.as_slice(), &[extent]].concat()), 3, &["the extent", "outside the area of use"]);
    // The CRS asked for does not reach there.
    let norway = ["reproject", "dem.tif", "out.tif", "--crs", "EPSG:5105"];
    one_sentence(&case.couloir(&norway), 3, &["brought to EPSG:5105", "outside the area of use"]);
    assert!(!case.path("out.gpkg").exists() && !case.path("out.tif").exists() && !case.path("site").exists());
}

#[test]
fn force_insists_and_says_so() {
    let case = Case::new();
    let lattice = shifted(247_321.0, 1_200_001.0);
    case.raster("dem.tif", lattice, "EPSG:2056", |_, y| 500.0 + 0.84 * (y - 1_200_000.0));
    case.text("release.geojson", &square(247_351.0, 1_200_050.0, ""));
    let output = case.couloir(&["check", "project.yaml", "--force"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("warning: raster") && text.contains("as --force insists"), "{text}");
    let output = case.couloir(&["clip", "dem.tif", "out.tif", "--extent", "247330,1200000,247350,1200020", "--force"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The way from one CRS to another stands in the log, in the manifest and in what `prepare` notes.
#[test]
fn the_datum_transformation_is_told() {
    let case = Case::new();
    let degrees = "{\"type\": \"Point\", \"coordinates\": [7.43913, 46.95157]}";
    let feature = format!("{{\"type\": \"Feature\", \"properties\": {{}}, \"geometry\": {degrees}}}");
    case.text("degrees.geojson", &feature);
    case.text("project.yaml", PROJECT).change("release.geojson", "degrees.geojson");
    let told = ["EPSG:4326 WGS 84 → EPSG:2056", "accuracy 1 m"];
    case.accept(&told);
    let run = case.couloir(&["run", "project.yaml", "--out", "run", "--progress", "none"]);
    let log = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && told.iter().all(|part| log.contains(part)), "{log}");
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(case.path("run/manifest.json")).unwrap()).unwrap();
    let shift = &manifest["datum_shifts"][0];
    assert_eq!(shift["accuracy_m"], 1.0, "{shift}");
    assert!(shift["operation"].as_str().unwrap().contains("CH1903+ to WGS 84"), "{shift}");
    // LV03 comes to ETRS89 by a grid of swisstopo's where that is installed.
    case.raster("old.tif", shifted(600_001.0, 200_001.0), "EPSG:21781", plane);
    let output = case.couloir(&["prepare", "--dem", "old.tif", "--crs", "EPSG:25832", "--out", "site"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("→ EPSG:25832") && text.contains("accuracy"), "{text}");
    let record: serde_json::Value = serde_json::from_slice(&fs::read(case.path("site/prepare.json")).unwrap()).unwrap();
    let shift = &record["datum_shifts"][0];
    let installed = shift["missing_grids"].as_array().unwrap().is_empty();
    assert!(installed || shift["better_m"].as_f64() < shift["accuracy_m"].as_f64(), "{shift}");
    assert!(installed || text.contains("needs grid files that PROJ lacks here"), "{text}");
}

/// A database that is missing, empty, damaged or of another age is a broken installation, not a file without CRS.
#[test]
fn a_broken_proj_installation_is_called_that() {
    let case = Case::new();
    fs::create_dir(case.path("empty")).unwrap();
    let installed = ["/usr/share/proj/proj.db", "/usr/local/share/proj/proj.db"];
    let installed = installed.iter().find(|path| fs::exists(path).unwrap());
    for name in ["hollow", "garbled", "cut"] {
        fs::create_dir(case.path(name)).unwrap();
    }
    case.text("hollow/proj.db", "").text("garbled/proj.db", &"no database ".repeat(1000));
    if let Some(installed) = installed {
        case.bytes("cut/proj.db", &fs::read(installed).unwrap()[..200_000]);
    }
    for folder in ["hollow", "garbled", "cut"] {
        for variable in ["PROJ_DATA", "PROJ_LIB"] {
            let environment = [(variable, case.path(folder).display().to_string())];
            for arguments in [
                ["check", "project.yaml"].as_slice(),
                &["reproject", "dem.tif", "out.tif", "--crs", "EPSG:21781"],
                &["prepare", "--dem", "dem.tif", "--out", "site"],
            ] {
                let output = case.couloir_in(arguments, &environment);
                if variable == "PROJ_DATA" && output.status.success() {
                    continue; // PROJ before 9.1 does not know this variable.
                }
                one_sentence(&output, 1, &["PROJ installation", "broken", "proj.db", variable]);
            }
        }
    }
}
