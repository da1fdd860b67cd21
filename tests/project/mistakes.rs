use std::path::PathBuf;

use couloir::project::{self, file::*};
use tempfile::TempDir;

const GOOD: &str = "\
terrain:
  dem: dem.tif
rocks:
  - shape: eota_221
    mass_kg: 780
release:
  - source:
      file: release.geojson
";

struct Written {
    _folder: TempDir,
    path: PathBuf,
}

fn write(bytes: &[u8]) -> Written {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("project.yaml");
    std::fs::write(&path, bytes).unwrap();
    Written { _folder: folder, path }
}

fn accepted(text: &str) -> ProjectFile {
    project::load(&write(text.as_bytes()).path).unwrap_or_else(|e| panic!("{e}\n{text}")).file
}

/// The sentence a text is refused with, without the folder it lies in.
fn refused(text: &str) -> String {
    let written = write(text.as_bytes());
    let error = project::load(&written.path).expect_err(text);
    assert_eq!(error.exit_code(), 3, "{error}");
    assert!(!error.message.contains('\n'), "{error}");
    error.message.replace(&format!("{}/", written._folder.path().display()), "")
}

/// `GOOD` with a line replaced.
fn with(old: &str, new: &str) -> String {
    assert!(GOOD.contains(old), "{old}");
    GOOD.replace(old, new)
}

#[track_caller]
fn expect(text: &str, parts: &[&str]) {
    let sentence = refused(text);
    for part in parts {
        assert!(sentence.contains(part), "expected {part:?} in: {sentence}");
    }
}

#[test]
fn a_minimal_project_has_good_defaults() {
    let file = accepted(GOOD);
    assert_eq!(file.ground, GroundSpec::default());
    assert_eq!(file.rocks[0].density_kg_m3, 2700.0);
    assert_eq!(file.rocks[0].mass_kg, Some(Quantity::Constant(780.0)));
    assert_eq!(file.release[0].placement, Placement::Auto);
    assert_eq!(file.simulation.time_step_s, 0.002);
}

#[test]
fn windows_line_ends_byte_order_mark_comments_and_anchors_are_fine() {
    let plain = accepted(GOOD);
    assert_eq!(accepted(&GOOD.replace('\n', "\r\n")), plain);
    assert_eq!(accepted(&format!("\u{feff}{GOOD}")), plain);
    assert_eq!(accepted(&format!("\u{feff}# Höhe\r\n---\r\n{}", GOOD.replace('\n', "\r\n"))), plain);
    assert_eq!(accepted(&with("dem.tif", "&a dem.tif # here")), plain);
    assert_eq!(accepted(&format!("{GOOD}lines:\nforest:\n")), plain);
}

#[test]
fn text_may_look_like_a_number_and_codes_like_text() {
    let file = accepted(&format!(
        "{GOOD}title: 2026\nground:\n  layers:\n    - raster: soil.tif\n      codes: {{1: soft, 2: hard}}\n"
    ));
    assert_eq!(file.title, "2026");
    assert_eq!(file.ground.layers[0].codes["2"], "hard");
}

#[test]
fn all_shapes_of_a_value_are_understood() {
    let file = accepted(
        "terrain: {dem: dem.tif, vertical_unit: us_survey_foot}
rocks:
  - shape: {points_m: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}
  - shape: {file: rock.stl}
    volume_m3: {distribution: log_normal, median: 0.5, sigma: 0.3, max: 4}
  - shape: cube
    mass_kg: {attribute: mass}
  - shape: cube
    axes_m: [1, 2, 3]
release:
  - source: {geojson: {type: Point, coordinates: [1.5, -2]}}
    placement: {per_hectare: 20}
    direction: {azimuth_deg: 45}
    orientation: {quaternion: [1, 0, 0, 0]}
  - source: {file: 'a b.gpkg|layername=x', filter: \"v > 2\"}
    placement: auto
ground:
  mu_min: {raster: mu.tif}
  beta_per_s: {polygons: {file: soil.shp}, attribute: beta}
  kappa_per_m: 2
simulation: {seed: 18446744073709551615, integrator: spiral}
",
    );
    assert_eq!(file.simulation.seed, u64::MAX);
    assert_eq!(file.release[0].placement, Placement::PerHectare(20.0));
    assert_eq!(file.release[0].source.geojson.as_ref().unwrap()["coordinates"][1], -2);
    assert!(matches!(&file.ground.beta_per_s, Some(Parameter::Polygons(p)) if p.attribute == "beta"));
    assert!(matches!(&file.rocks[2].mass_kg, Some(Quantity::Attribute(a)) if a.attribute == "mass"));
}

#[test]
fn an_unknown_key_is_named_with_its_place_and_the_nearest_key() {
    expect(
        &with("mass_kg", "mas_kg"),
        &["project.yaml:5:5: rocks[0].mas_kg: ", "unknown key", "did you mean \"mass_kg\"?"],
    );
    expect(&with("mass_kg", "mass"), &["did you mean \"mass_kg\"?"]);
    expect(&with("mass_kg", "mass_t"), &["did you mean \"mass_kg\"?"]);
    expect(&with("dem:", "DEM:"), &["project.yaml:2:3: terrain.DEM", "did you mean \"dem\"?"]);
    expect(&format!("{GOOD}seed: 3\n"), &["project.yaml:9:1: seed: ", "it belongs under `simulation`"]);
    expect(&format!("{GOOD}ground: {{mu_mim: 1}}\n"), &["ground.mu_mim", "did you mean \"mu_min\"?"]);
}

#[test]
fn a_wrong_type_says_what_was_found_and_expected() {
    expect(
        &with("780", "heavy"),
        &["project.yaml:5:14: rocks[0].mass_kg: found \"heavy\", expected a number > 0 (kg)"],
    );
    expect(&with("780", "1,5"), &["found \"1,5\"", "did you mean 1.5?"]);
    expect(&with("780", "780 kg"), &["leave the unit out"]);
    expect(&with("780", "'780'"), &["remove the quotes"]);
    expect(&with("780", "[1, 2]"), &["found a list, expected a number > 0 (kg), or a mapping with"]);
    expect(
        &with("  - shape: eota_221\n    mass_kg: 780", "  shape: cube"),
        &["rocks: found a mapping, expected a list"],
    );
    expect(&with("dem: dem.tif", "dem: [a.tif, b.tif]"), &["terrain.dem: found a list, expected text"]);
    expect(&with("dem: dem.tif", "dem:"), &["terrain.dem: found nothing, expected text"]);
    expect(&format!("{GOOD}outputs: {{report: yes}}\n"), &["outputs.report", "true or false", "did you mean true?"]);
    expect(&format!("{GOOD}simulation: {{seed: 1.5}}\n"), &["simulation.seed: found 1.5, expected a whole number ≥ 0"]);
    expect("just text\n", &["project.yaml:1:1: found \"just text\", expected a mapping with `terrain`"]);
    expect("- a\n- b\n", &["found a list, expected a mapping"]);
}

#[test]
fn alternatives_are_named_instead_of_no_variant_matched() {
    let ground = |text: &str| format!("{GOOD}ground:\n  mu_min: {text}\n");
    expect(&ground("{rastr: mu.tif}"), &["project.yaml:10:12: ground.mu_min.rastr", "did you mean \"raster\"?"]);
    expect(&ground("{polygons: {file: a.shp}}"), &["ground.mu_min: the key \"attribute\" is missing, expected text"]);
    expect(&ground("{raster: a.tif, attribute: x}"), &["ground.mu_min.attribute: found the unknown key"]);
    let mass = |text: &str| with("780", text);
    expect(&mass("{distribution: gaus}"), &["rocks[0].mass_kg.distribution: found \"gaus\", expected one of `list`"]);
    expect(&mass("{distribution: uniform, min: 1}"), &["rocks[0].mass_kg: the key \"max\" is missing"]);
    expect(&mass("{attribut: m}"), &["did you mean \"attribute\"?"]);
    expect(&with("eota_221", "{fil: a.stl}"), &["rocks[0].shape.fil", "did you mean \"file\"?"]);
    expect(
        &with("eota_221", "{points_m: [[0, 0, 0]]}"),
        &["rocks[0].shape.points_m: found 1 entries, expected at least 4"],
    );
    let release = |text: &str| format!("{GOOD}    {text}\n");
    expect(&release("placement: {gridm: 5}"), &["release[0].placement.gridm", "did you mean \"grid_m\"?"]);
    expect(&release("placement: automatic"), &["release[0].placement: found \"automatic\"", "did you mean \"auto\"?"]);
    expect(&release("direction: {vector: [1, 2]}"), &["found 2 entries, expected exactly 3 entries"]);
}

#[test]
fn unknown_words_are_answered_with_the_known_ones() {
    expect(&format!("{GOOD}simulation: {{integrator: implizit}}\n"), &["did you mean \"implicit\"?"]);
    expect(&format!("{GOOD}ground: {{default: medium_hrad}}\n"), &["ground.default", "did you mean \"medium_hard\"?"]);
    expect(&format!("{GOOD}forest: {{default: dens}}\n"), &["forest.default", "did you mean \"dense\"?"]);
    expect(&format!("{GOOD}outputs: {{trajectories: [shape]}}\n"), &["outputs.trajectories[0]", "`geopackage`"]);
    expect(
        &format!("{GOOD}ground:\n  layers:\n    - raster: a.tif\n      codes: {{1: sofft}}\n"),
        &["project.yaml:12:18: ground.layers[0].codes.1", "did you mean \"soft\"?"],
    );
    expect(&format!("{GOOD}    rocks: [plate]\n"), &["release[0].rocks[0]", "no rock has one"]);
}

#[test]
fn numbers_must_be_physically_possible() {
    for (text, parts) in [
        (with("780", "-5"), ["rocks[0].mass_kg: found -5", "> 0"]),
        (with("780", "0"), ["rocks[0].mass_kg: found 0", "> 0"]),
        (with("780", ".nan"), ["rocks[0].mass_kg: found \".nan\"", "> 0"]),
        (with("780", ".inf"), ["rocks[0].mass_kg: found \".inf\"", "> 0"]),
        (with("780", "nan"), ["rocks[0].mass_kg", "> 0"]),
        (with("780", "1e999"), ["rocks[0].mass_kg: found 1e999", "a number"]),
        (with("780", "{distribution: uniform, min: -1, max: 5}"), ["rocks[0].mass_kg.min: found -1", "> 0"]),
        (with("780", "{distribution: uniform, min: 9, max: 5}"), ["rocks[0].mass_kg.min", "min < max"]),
        (with("780", "{distribution: list, values: [1, 2], weights: [1]}"), ["weights", "1 weights for 2 values"]),
        (with("mass_kg: 780", "axes_m: [1, 0, 2]"), ["rocks[0].axes_m[1]: found 0", "> 0"]),
        (with("mass_kg: 780", "mass_kg: 780\n    weight: 0"), ["rocks[0].weight: found 0", "> 0"]),
        (format!("{GOOD}ground: {{epsilon_n: 1.2}}\n"), ["ground.epsilon_n: found 1.2", "from 0 to 1"]),
        (format!("{GOOD}ground: {{mu_min: 2, mu_max: 1}}\n"), ["ground.mu_min: found 2", "at most mu_max (1)"]),
        (
            format!("{GOOD}ground: {{classes: {{x: {{mu_min: 3, mu_max: 2, beta_per_s: 1, kappa_per_m: 1}}}}}}\n"),
            ["ground.classes.x.mu_min", "at most mu_max (2)"],
        ),
        (
            format!("{GOOD}simulation: {{time_step_s: 0}}\n"),
            ["simulation.time_step_s: found 0", "from 0.000001 to 0.1"],
        ),
        (format!("{GOOD}simulation: {{seed: -1}}\n"), ["simulation.seed: found -1", "≥ 0"]),
        (format!("{GOOD}simulation: {{seed: 99999999999999999999999}}\n"), ["simulation.seed", "whole number"]),
        (format!("{GOOD}    rocks_per_position: 5000000000\n"), ["rocks_per_position", "1000000000"]),
        (format!("{GOOD}threads: 0\n"), ["threads: found 0", "from 1"]),
        (format!("{GOOD}couloir: 2\n"), ["couloir: found 2", "from 1 to 1"]),
    ] {
        expect(&text, &parts);
    }
}

#[test]
fn a_duplicate_key_points_at_the_second_and_names_the_first() {
    expect(
        &with("    mass_kg: 780", "    mass_kg: 780\n    mass_kg: 900"),
        &["project.yaml:6:5: rocks[0].mass_kg: found this key a second time (first on line 5)"],
    );
    expect(&format!("{GOOD}terrain: {{dem: x.tif}}\n"), &["project.yaml:9:1: terrain", "first on line 1"]);
}

/// Keys of the user's own may hold what separates the steps of a path.
#[test]
fn a_mistake_below_a_key_with_dots_and_brackets_is_found() {
    let classes = "ground:\n  classes:\n    a.b[0]:\n      mu_min: 0.3\n      mu_max: many\n";
    expect(&format!("{GOOD}{classes}"), &["project.yaml:13:15: ground.classes.a.b[0].mu_max: found \"many\""]);
}

/// An anchored value is written once: that is where it is wrong.
#[test]
fn a_mistake_behind_an_alias_points_at_what_is_written() {
    let text = with("mass_kg: 780", "mass_kg: &m heavy").replace("terrain:", "title: t\nterrain:");
    expect(&text, &["project.yaml:6", "rocks[0].mass_kg: found \"heavy\""]);
    let aliased = format!("title: &m heavy\n{}", with("780", "*m"));
    expect(&aliased, &["project.yaml:1", "rocks[0].mass_kg: found \"heavy\""]);
}

#[test]
fn missing_keys_are_named() {
    expect("rocks: []\n", &["rocks: found an empty list, expected at least one entry"]);
    expect(&GOOD[..GOOD.find("rocks").unwrap()], &["the key \"rocks\" is missing, expected a list"]);
    expect(
        &with("  dem: dem.tif", "  band: 2"),
        &["project.yaml:2:3: terrain: the key \"dem\" is missing, expected text"],
    );
    expect(&with("      file: release.geojson", "      crs: EPSG:4326"), &["release[0].source", "`file` or `geojson`"]);
    expect(&with("    mass_kg: 780\n", ""), &["rocks[0]: this rock has no size"]);
    expect(
        &with("    mass_kg: 780", "    mass_kg: 780\n    volume_m3: 1"),
        &["project.yaml:6:16: rocks[0].volume_m3: found both `mass_kg` and `volume_m3`"],
    );
}

#[test]
fn broken_yaml_is_explained() {
    expect(&with("  dem:", "\tdem:"), &["project.yaml:2", "tab", "spaces"]);
    expect(&with("dem: dem.tif", "dem: \"dem.tif"), &["not valid YAML"]);
    expect(&with("dem: dem.tif", "dem: [a"), &["not valid YAML"]);
    expect(&with("780", "*nowhere"), &["not valid YAML"]);
    expect(&with("780", "!!python/object x"), &["YAML tag"]);
    expect(&format!("{GOOD}---\n{GOOD}"), &["second YAML document"]);
    expect(&with("780", "&mass !kilo 780"), &["project.yaml:5", "YAML tag `!kilo`"]);
    expect(&with("780", "&a [*a]"), &["refers to itself"]);
    expect(&with("mass_kg: 780", "[mass_kg]: 780"), &["project.yaml:5", "a list or mapping as a key"]);
    expect("", &["project.yaml: the file is empty", "couloir init"]);
    expect("# only a comment\n\n", &["project.yaml: the file is empty"]);
}

#[test]
fn hostile_yaml_neither_fills_the_memory_nor_the_stack() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for k in 1..12 {
        let list = vec![format!("*a{}", k - 1); 10].join(", ");
        bomb += &format!("a{k}: &a{k} [{list}]\n");
    }
    expect(&bomb, &["unfolds to more than"]);
    expect(&format!("title: {}{}\n", "[".repeat(50_000), "]".repeat(50_000)), &["project.yaml:1:"]);
    expect(&format!("{}x\n", "a: ".repeat(3)), &["project.yaml:1:"]);
    let mut deep = String::new();
    for k in 0..2000 {
        deep += &format!("{}a:\n", " ".repeat(k));
    }
    expect(&deep, &["nested deeper"]);
}

#[test]
fn files_that_are_no_project_are_refused() {
    let refused = |bytes: &[u8]| project::load(&write(bytes).path).unwrap_err().message;
    assert!(refused(b"title: \xff\xfe\n").contains("project.yaml:1:8: found bytes that are not UTF-8"));
    assert!(refused(b"\xff\xfet\0i\0").contains("UTF-16"));
    assert!(refused(b"II*\0\0\0\0\0").contains("zero byte"));
    let folder = tempfile::tempdir().unwrap();
    let message = project::load(folder.path()).unwrap_err().message;
    assert!(message.contains("this is a folder"), "{message}");
    std::fs::write(folder.path().join("project.yaml"), GOOD).unwrap();
    let message = project::load(folder.path()).unwrap_err().message;
    assert!(message.contains("did you mean") && message.contains("project.yaml"), "{message}");
    let message = project::load(&folder.path().join("none.yaml")).unwrap_err().message;
    assert!(message.contains("none.yaml: there is no such file"), "{message}");
    let message = project::load(&folder.path().join("project.yaml/x.yaml")).unwrap_err().message;
    assert!(message.contains("a part of this path is a file"), "{message}");
}
