//! From layers to numbers on the DEM's lattice.

use std::path::Path;
use std::process::Command;

use couloir::geo::{Crs, Transformer, write_raster};
use couloir::site::{self, Site};
use couloir::terrain::{Lattice, ParameterField};
use couloir::{Result, project};
use tempfile::TempDir;

/// 20 × 20 cells of 2 m; node (0, 0) at (2600001, 1200001), EPSG:2056.
const LATTICE: Lattice = Lattice { nx: 20, ny: 20, x0: 2_600_001.0, y0: 1_200_001.0, dx: 2.0, dy: 2.0 };

const PROJECT: &str = "\
terrain: {dem: dem.tif}
rocks: [{shape: eota_111, mass_kg: 1000}]
release: [{source: {geojson: {type: Point, coordinates: [2600020, 1200030]}}, rocks_per_position: 3}]
stop: {max_time_s: 1}
";

fn steep(_x: f64, y: f64) -> f64 {
    1000.0 + (y - LATTICE.y0)
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    raster(&folder.path().join("dem.tif"), LATTICE, "EPSG:2056", steep);
    folder
}

fn raster(path: &Path, lattice: Lattice, crs: &str, value: impl Fn(f64, f64) -> f64) {
    let at = |k: usize| lattice.centre(k % lattice.nx, k / lattice.nx);
    let values: Vec<f32> = (0..lattice.len()).map(|k| value(at(k).0, at(k).1) as f32).collect();
    let data = write_raster::BandData::F32(&values);
    let band = write_raster::Band { description: "", unit: "", data, nodata: -9999.0 };
    write_raster::write(path, &lattice, &Crs::from_user(crs).unwrap(), &[band], &Default::default()).unwrap();
}

fn load(folder: &TempDir, more: &str) -> Result<Site> {
    let path = folder.path().join("project.yaml");
    std::fs::write(&path, format!("{PROJECT}{more}")).unwrap();
    site::load(&project::load(&path)?)
}

fn at(field: &ParameterField, column: usize, row: usize) -> f64 {
    match field {
        ParameterField::Constant(value) => *value,
        ParameterField::Field(field) => {
            assert_eq!(field.lattice, LATTICE);
            f64::from(field.value(row * LATTICE.nx + column))
        }
    }
}

/// A rectangle in EPSG:2056 as inline GeoJSON in another CRS.
fn rectangle(west: f64, south: f64, east: f64, north: f64, crs: &str) -> String {
    let to = Transformer::new(&Crs::from_user("EPSG:2056").unwrap(), &Crs::from_user(crs).unwrap()).unwrap();
    let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)];
    let corners = corners.map(|(x, y)| to.xy(x, y).unwrap()).map(|(x, y)| format!("[{x:.12}, {y:.12}]"));
    corners.join(", ")
}

#[test]
fn a_later_source_wins_default_then_layers_then_parameters() {
    let folder = folder();
    // Codes in the southern half, none in the northern.
    raster(&folder.path().join("codes.tif"), LATTICE, "EPSG:2056", |_, y| if y < 1_200_020.0 { 3.0 } else { f64::NAN });
    let west = rectangle(2_600_000.0, 1_200_000.0, 2_600_020.0, 1_200_040.0, "EPSG:4326");
    let north = rectangle(2_600_000.0, 1_200_030.0, 2_600_040.0, 1_200_040.0, "EPSG:21781");
    let site = load(
        &folder,
        &format!(
            "ground:
  default: soft
  classes: {{slab: {{mu_min: 0.7, mu_max: 1.5, beta_per_s: 180, kappa_per_m: 5, epsilon_n: 0.2}}}}
  layers:
    - class: hard
      polygons: {{crs: 'EPSG:4326', geojson: {{type: Polygon, coordinates: [[{west}]]}}}}
    - raster: codes.tif
      codes: {{3: slab}}
  mu_min:
    attribute: mu
    polygons:
      crs: EPSG:21781
      geojson: {{type: Feature, properties: {{mu: 0.44}}, geometry: {{type: Polygon, coordinates: [[{north}]]}}}}
  kappa_per_m: 2.5
"
        ),
    )
    .unwrap();
    let ground = &site.scene.ground;
    // (column, row) → mu_min, mu_max, beta, epsilon_n
    for (column, row, mu_min, mu_max, beta, epsilon) in [
        (15, 12, 0.75, 2.0, 185.0, 0.0), // east, middle: default soft
        (3, 12, 0.75, 2.0, 185.0, 0.0),  // west: hard
        (3, 3, 0.7, 1.5, 180.0, 0.2),    // south-west: slab over hard
        (15, 3, 0.7, 1.5, 180.0, 0.2),   // south-east: slab over soft
        (3, 17, 0.44, 2.0, 185.0, 0.0),  // north-west: mu over hard
        (15, 17, 0.44, 2.0, 185.0, 0.0), // north-east: mu over soft
    ] {
        let found = [&ground.mu_min, &ground.mu_max, &ground.beta_per_s, &ground.epsilon_n].map(|f| at(f, column, row));
        let expected = [mu_min, mu_max, beta, epsilon];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "({column}, {row}): {found} instead of {expected}");
        }
    }
    // Soil is the class's, too: soft, hard, and a class that states none.
    let soil = ground.scarring.as_ref().unwrap();
    assert_eq!([(15, 12), (3, 12), (3, 3)].map(|(column, row)| at(&soil.me_kn_m2, column, row)), [8e3, 29e3, 1e9]);
    assert_eq!(ground.kappa_per_m, ParameterField::Constant(2.5));
    assert_eq!(ground.epsilon_t, ParameterField::Constant(0.0), "what does not vary costs no memory");
    assert!(site.scene.forest.is_none());
    // A cell centre exactly decides: x = 2600020 is the edge, node 9 lies at 2600019, node 10 at 2600021.
    assert_eq!((at(&soil.me_kn_m2, 9, 12), at(&soil.me_kn_m2, 10, 12)), (29e3, 8e3));
}

/// A plane given on another grid in another CRS arrives as the same plane.
#[test]
fn parameter_rasters_in_another_crs_are_interpolated() {
    let folder = folder();
    let (here, utm) = (Crs::from_user("EPSG:2056").unwrap(), Crs::from_user("EPSG:32632").unwrap());
    let to_utm = Transformer::new(&here, &utm).unwrap();
    let (x, y) = to_utm.xy(2_600_020.0, 1_200_020.0).unwrap();
    let plane = |px: f64, py: f64| 100.0 + 0.5 * (px - x) + 0.25 * (py - y);
    let lattice = Lattice { nx: 30, ny: 30, x0: x - 45.0, y0: y - 45.0, dx: 3.0, dy: 3.0 };
    raster(&folder.path().join("beta.tif"), lattice, "EPSG:32632", plane);
    let site = load(&folder, "ground: {beta_per_s: {raster: beta.tif}}\n").unwrap();
    for (column, row) in [(0, 0), (19, 0), (7, 13), (19, 19)] {
        let (px, py) = LATTICE.centre(column, row);
        let (px, py) = to_utm.xy(px, py).unwrap();
        // 32-bit numbers around 100: steps of 8e-6.
        let difference = at(&site.scene.ground.beta_per_s, column, row) - plane(px, py);
        assert!(difference.abs() < 1e-4, "{difference}");
    }
}

#[test]
fn forest_drag_without_a_height_reaches_thirty_metres() {
    let folder = folder();
    raster(&folder.path().join("drag.tif"), LATTICE, "EPSG:2056", |x, _| if x < 2_600_020.0 { 400.0 } else { 0.0 });
    let forest = load(&folder, "forest: {drag_kg_s: {raster: drag.tif}}\n").unwrap().scene.forest.unwrap();
    assert_eq!((at(&forest.drag_kg_s, 3, 3), at(&forest.height_m, 3, 3)), (400.0, 30.0));
    assert_eq!((at(&forest.drag_kg_s, 15, 3), at(&forest.height_m, 15, 3)), (0.0, 0.0));
    let forest = load(&folder, "forest: {default: dense}\n").unwrap().scene.forest.unwrap();
    assert_eq!(forest.drag_kg_s, ParameterField::Constant(750.0));
}

#[test]
fn every_file_is_listed_with_its_hash() {
    let folder = folder();
    raster(&folder.path().join("mu.tif"), LATTICE, "EPSG:2056", |_, _| 0.3);
    let site = load(&folder, "ground: {mu_min: {raster: mu.tif}}\n").unwrap();
    let roles: Vec<_> = site.inputs.iter().map(|input| input.role.as_str()).collect();
    assert_eq!(roles, ["terrain", "ground"]);
    assert!(site.inputs.iter().all(|input| input.sha256.len() == 64));
}

fn check(folder: &TempDir, more: &str) -> serde_json::Value {
    std::fs::write(folder.path().join("project.yaml"), format!("{PROJECT}{more}")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_couloir"));
    let output = command.args(["check", "--json", "project.yaml"]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The shape the plugin relies on.
#[test]
fn check_prints_json() {
    let found = check(&folder(), "");
    assert_eq!(found["status"], "ok");
    assert_eq!(found["sentences"], serde_json::json!([]));
    assert_eq!((&found["releases"], &found["trajectories"]), (&1.into(), &3.into()));
    let layer = &found["layers"][0];
    assert_eq!((&layer["role"], &layer["source"]), (&"terrain".into(), &"dem.tif".into()));
    assert_eq!(layer["cells"], serde_json::json!([20, 20]));
    assert_eq!(layer["extent"]["west"], 2_600_000.0);
    assert_eq!(layer["overlap_percent"], 100.0);
    assert_eq!(
        found["parameters"][0],
        serde_json::json!({"key": "ground.mu_min", "min": 0.75, "max": 0.75, "unit": ""})
    );
    let rock = &found["rocks"][0];
    assert_eq!((&rock["form"], &rock["corners"], &rock["differs"]), (&"compact".into(), &24.into(), &false.into()));
    assert!(found["estimate"]["memory_bytes"].as_u64().unwrap() > 0);
    assert!(found["estimate"]["time_s"].as_f64().unwrap() >= 0.0);
}

#[test]
fn check_warns_of_what_looks_odd() {
    let warned = |found: &serde_json::Value, part: &str| {
        assert_eq!(found["status"], "warnings");
        let sentences = found["sentences"].as_array().unwrap();
        let any = sentences.iter().any(|s| s["level"] == "warning" && s["text"].as_str().unwrap().contains(part));
        assert!(any, "expected {part:?} in {sentences:#?}");
    };
    let folder = folder();
    let (cube, ball) = (PROJECT.replace("eota_111", "cube"), PROJECT.replace("eota_111", "sphere"));
    for (project, part) in
        [(cube, "one very angular shape (cube: sphericity 0.81"), (ball, "one very round shape (sphere:")]
    {
        std::fs::write(folder.path().join("shape.yaml"), project).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_couloir"));
        let output = command.args(["check", "--json", "shape.yaml"]).current_dir(&folder).output().unwrap();
        warned(&serde_json::from_slice(&output.stdout).unwrap(), part);
    }
    warned(&check(&folder, "ground: {mu_min: 1.2}\n"), "ground.mu_min: 1.2 is out of the usual range 0.05 to 1");
    warned(
        &check(&folder, "simulation: {time_step_s: 0.05}\n"),
        "simulation.time_step_s: 0.05 s is out of the usual range",
    );
    warned(&check(&folder, "classification: {scheme: swiss}\n"), "frequency_per_year");
    let coarse = Lattice { x0: 2_600_020.0 - 190.0, y0: 1_200_030.0 - 190.0, dx: 20.0, dy: 20.0, ..LATTICE };
    raster(&folder.path().join("dem.tif"), coarse, "EPSG:2056", steep);
    warned(&check(&folder, ""), "much larger than the rocks");
    raster(&folder.path().join("dem.tif"), LATTICE, "EPSG:2056", |_, y| 500.0 + 0.3 * (y - LATTICE.y0));
    warned(&check(&folder, ""), "flatter than 20°");
}

#[test]
fn the_sample_projects_load() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_projects");
    for name in ["ramp", "valley"] {
        let project = project::load(&samples.join(name).join("project.yaml")).unwrap();
        let site = site::load(&project).unwrap_or_else(|e| panic!("{e}"));
        assert!(site.warnings.is_empty(), "{:?}", site.warnings);
    }
}
