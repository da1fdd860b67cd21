//! A small site with something of everything, in order: the seeds of the fuzzing.

use std::path::Path;

pub const PROJECT: &str = r#"couloir: 1
title: Small site
crs: EPSG:2056
terrain:
  dem: dem.asc
  crs: EPSG:2056
  vertical_unit: metre
rocks:
  - name: block
    shape: equant
    density_kg_m3: 2650
    volume_m3: {distribution: log_normal, median: 0.5, sigma: 0.4, min: 0.1, max: 4}
    weight: 3
  - name: scan
    shape: {file: rock.xyz}
    mass_kg: {attribute: mass}
  - name: drawn
    shape: {points_m: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    axes_m: [1, 0.8, 0.5]
release:
  - name: cliff
    scenario: rare
    source: {file: release.geojson}
    placement: {count: 3}
    rocks_per_position: 1
    rocks: [block, scan]
    height_m: {distribution: uniform, min: 0.5, max: 2}
    frequency_per_year: {attribute: per_year}
    direction: {azimuth_deg: 180}
  - scenario: frequent
    source:
      crs: EPSG:2056
      geojson: {type: LineString, coordinates: [[2600010, 1200060], [2600030, 1200062]]}
    placement: {grid_m: 10}
    mass_kg: 500
    frequency_per_year: 0.1
ground:
  default: medium
  classes:
    scree: {mu_min: 0.3, mu_max: 1.5, beta_per_s: 100, kappa_per_m: 1.5}
  layers:
    - polygons: {file: release.geojson}
      class: scree
    - raster: codes.asc
      crs: EPSG:2056
      codes: {1: soft, 2: hard}
  epsilon_n: 0.1
forest:
  default: open
  height_m: 20
lines:
  - name: road
    source: {file: road.geojson}
    segment_m: 10
    dimensioning: {standard: onr_24810, quantile: 0.95, freeboard_m: 0.5}
barriers:
  - name: net
    source: {file: road.geojson}
    height_m: 4
    capacity_kj: 1000
classification:
  scheme: scheme.yaml
  min_area_m2: 20
  scenario_return_periods_years: {rare: 300}
statistics:
  layers: [all]
  energies_kj: [30, 300]
  confidence_bounds: true
outputs:
  trajectories: [geopackage]
  points_every_s: 0.5
  max_trajectories: 5
simulation:
  seed: 7
  time_step_s: 0.005
  integrator: implicit
stop:
  max_time_s: 5
"#;

pub const SCHEME: &str = r##"name: Own scheme
source: nobody
quantile: 0.9
return_period: scenario
combine: exceedance
least_reach_probability: 0.001
reference_width_m: 5
intensities:
  - {name: weak, colour: "#ffffb2"}
  - {name: strong, from_kj: 300, colour: "#bd0026"}
return_periods_years: [30, 300]
zones:
  - {id: yellow, name: Yellow, colour: "#ffff00", hatched: true, meaning: little}
  - {id: red, name: Red, colour: "#ff0000"}
matrix:
  - [yellow, yellow, none]
  - [red, red, yellow]
min_area_m2: 50
"##;

pub const RECIPE: &str = "title: Prepared\ndem: dem.asc\ndem_crs: EPSG:2056\naoi: release.geojson\nbuffer_m: 40\ncrs: EPSG:2056\ncell_m: 4\n\
fill_holes: 4\nlayers:\n  - {name: ground, source: codes.asc, codes: {1: soft, 2: hard}, crs: EPSG:2056}\nrelease:\n  - {source: \
release.geojson}\nlines:\n  - {source: road.geojson, name: road}\nbarriers:\n  - {name: net, source: road.geojson, height_m: 3}\nout: site\n";

fn grid(value: impl Fn(usize, usize) -> String) -> String {
    let row = |r: usize| (0..20).map(|c| value(c, r)).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = (0..20).map(row).collect();
    format!(
        "ncols 20\nnrows 20\nxllcorner 2600000\nyllcorner 1200000\ncellsize 4\nNODATA_value -9999\n{}\n",
        rows.join("\n")
    )
}

pub fn dem() -> String {
    grid(|c, r| {
        if (c, r) == (3, 15) { "-9999".into() } else { format!("{:.2}", 700.0 - 3.1 * r as f64 + (c % 3) as f64 * 0.4) }
    })
}

fn features(geometry: &str) -> String {
    format!(
        r#"{{"type": "FeatureCollection", "crs": {{"type": "name", "properties": {{"name": "urn:ogc:def:crs:EPSG::2056"}}}},
"features": [{{"type": "Feature", "properties": {{"mass": 800, "per_year": 0.02, "kind": "x"}}, "geometry": {geometry}}}]}}"#
    )
}

/// Name and content of every file.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let ring = "[[[2600020, 1200055], [2600050, 1200055], [2600050, 1200070], [2600020, 1200070], [2600020, 1200055]]]";
    vec![
        ("project.yaml", PROJECT.into()),
        ("scheme.yaml", SCHEME.into()),
        ("recipe.yaml", RECIPE.into()),
        ("dem.asc", dem().into()),
        ("codes.asc", grid(|c, _| if c < 10 { "1".into() } else { "2".into() }).into()),
        ("release.geojson", features(&format!(r#"{{"type": "Polygon", "coordinates": {ring}}}"#)).into()),
        (
            "road.geojson",
            features(r#"{"type": "LineString", "coordinates": [[2600004, 1200030], [2600076, 1200034]]}"#).into(),
        ),
        ("rock.xyz", b"x y z\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 0.2\n".to_vec()),
        ("rock.obj", b"o rock\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n".to_vec()),
        ("classes.csv", b"code,class\n1,soft\n2,hard\n".to_vec()),
    ]
}

pub fn write(folder: &Path) {
    for (name, content) in files() {
        std::fs::write(folder.join(name), content).expect("the temporary folder takes it");
    }
}
