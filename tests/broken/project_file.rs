//! Mistakes in project.yaml itself, seen from the command line. Their full range is in `tests/project`.

use crate::fixture::{Case, PROJECT, one_sentence};

#[test]
fn the_site_is_in_order() {
    Case::new().accept(&["40 × 40", "EPSG:2056", "release[0]", "ground.mu_min", "trajectories", "No objections."]);
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_work() {
    let case = Case::new();
    case.text("project.yaml", &format!("\u{feff}{}", PROJECT.replace('\n', "\r\n"))).accept(&["No objections."]);
}

#[test]
fn duplicate_key() {
    Case::new().change("    mass_kg: 780\n", "    mass_kg: 780\n    mass_kg: 781\n").refuse(&[
        "project.yaml:7:5: rocks[0].mass_kg",
        "second time",
        "remove one",
    ]);
}

#[test]
fn misspelt_key() {
    Case::new().change("mass_kg", "mas_kg").refuse(&["project.yaml:6:5: rocks[0].mas_kg", "did you mean \"mass_kg\"?"]);
}

#[test]
fn wrong_type() {
    Case::new().change("780", "heavy").refuse(&["project.yaml:6:14: rocks[0].mass_kg", "expected a number > 0"]);
}

#[test]
fn number_that_overflows() {
    Case::new().change("780", "1e400").refuse(&["rocks[0].mass_kg: found 1e400, expected a number"]);
    Case::new().add("simulation: {seed: 340282366920938463463374607431768211456}\n").refuse(&["simulation.seed"]);
}

#[test]
fn negative_mass_and_not_a_number() {
    Case::new().change("780", "-1").refuse(&["rocks[0].mass_kg: found -1, expected a number > 0 (kg)"]);
    Case::new().change("780", ".nan").refuse(&["rocks[0].mass_kg: found \".nan\""]);
}

#[test]
fn tab_in_the_indentation() {
    Case::new().change("  dem:", "\tdem:").refuse(&["project.yaml:3", "tab", "replace"]);
}

#[test]
fn empty_file_and_zero_bytes() {
    Case::new().text("project.yaml", "").refuse(&["project.yaml: the file is empty", "couloir init"]);
    Case::new().bytes("project.yaml", &[0; 64]).refuse(&["project.yaml:1: found a zero byte"]);
}

#[test]
fn not_utf8() {
    Case::new().bytes("project.yaml", b"title: H\xf6he\n").refuse(&["project.yaml:1:9", "save the file as UTF-8"]);
}

#[test]
fn anchor_bomb_and_deep_nesting() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for k in 1..30 {
        bomb += &format!("a{k}: &a{k} [{}]\n", vec![format!("*a{}", k - 1); 10].join(", "));
    }
    Case::new().text("project.yaml", &bomb).refuse(&["project.yaml:", "unfolds to more than"]);
    let deep = format!("title: {}\n", "{a: ".repeat(30_000));
    Case::new().text("project.yaml", &deep).refuse(&["project.yaml:1:"]);
}

#[test]
fn unknown_class_preset_and_template() {
    Case::new()
        .add("ground: {default: medum}\n")
        .refuse(&["project.yaml:13:19: ground.default", "did you mean \"medium\"?"]);
    Case::new().change("eota_221", "eota_212").refuse(&["rocks[0].shape", "did you mean \"eota_211\"?"]);
    Case::new().change("eota_221", "rock.stl").refuse(&["rocks[0].shape", "write `shape: {file: rock.stl}`"]);
    let output = Case::new().couloir(&["init", "--template", "barrier", "new.yaml"]);
    one_sentence(&output, 2, &["--template", "did you mean \"barriers\"?"]);
}

#[test]
fn friction_in_the_wrong_order() {
    Case::new().add("ground: {mu_min: 2.5}\n").refuse(&["ground.mu_min", "mu_min 2.5 above mu_max 2", "change one"]);
}

#[test]
fn wrong_usage() {
    let case = Case::new();
    assert_eq!(case.couloir(&["check"]).status.code(), Some(2));
    assert_eq!(case.couloir(&["chekc", "project.yaml"]).status.code(), Some(2));
    one_sentence(&case.couloir(&["init"]), 2, &["project.yaml: already exists", "name another file"]);
}

/// Names and texts that would steer the terminal, turn the order of letters or break a table's line.
#[test]
fn hidden_characters_in_names_and_texts() {
    let case = Case::new();
    let line = |name: &str| {
        format!(
            "lines:\n  - name: {name}\n    source: {{geojson: {{type: LineString, coordinates: [[2600010, 1200030], [2600060, \
             1200030]]}}}}\n"
        )
    };
    for hidden in ["\\e[31m", "\\0", "\\x7f", "\\x9b", "\\u202e", "\\u2066", "\\u2028", "\\r", "\\a"] {
        case.text("project.yaml", PROJECT).add(&line(&format!("\"road{hidden}\"")));
        case.refuse(&["project.yaml:14", "found the character U+"]);
    }
    for name in ["\"two\\nlines\"", "\"a\\tb\""] {
        case.text("project.yaml", PROJECT).add(&line(name));
        case.refuse(&["lines[0].name", "on one line"]);
        case.text("project.yaml", PROJECT).change("    rocks_per_position: 1", &format!("    scenario: {name}"));
        case.refuse(&["release[0].scenario", "on one line"]);
        case.text("project.yaml", PROJECT)
            .change("  - shape: eota_221", &format!("  - name: {name}\n    shape: eota_221"));
        case.refuse(&["rocks[0].name", "on one line"]);
    }
    let scheme = include_str!("../../src/project/schemes/swiss.yaml");
    let name = scheme.lines().find(|line| line.starts_with("name:")).unwrap();
    case.text("project.yaml", PROJECT).add("classification: {scheme: mine.yaml}\n");
    case.text("mine.yaml", &scheme.replace(name, "name: \"a\\nb\""));
    case.refuse(&["mine.yaml", "on one line"]);
    // In names of files and features they are shown as what they are.
    case.text("project.yaml", PROJECT).change("release.geojson", "re\u{301}lease.geojson");
    let odd = case.couloir(&["check", "pro\u{1b}[31m\u{202e}ject\n.yaml"]);
    let said = String::from_utf8_lossy(&odd.stderr).into_owned();
    assert!(said.contains("\\u001b[31m\\u202eject .yaml") && said.lines().count() == 1, "{said:?}");
    for option in ["--line", "--barrier", "--layer"] {
        let refused =
            case.couloir(&["prepare", "--dem", "dem.tif", "--out", "site", option, "a\u{1b}b=release.geojson"]);
        one_sentence(&refused, 2, &[option, "no name"]);
    }
}

/// With axes and mass the density follows, and nobody looked at it.
#[test]
fn a_density_that_follows_is_one_of_rocks() {
    let with = |mass: &str, more: &str| {
        let case = Case::new();
        case.change("mass_kg: 780", &format!("mass_kg: {mass}\n    axes_m: [1, 0.8, 0.5]{more}"));
        case
    };
    with("9000", "").refuse(&["rocks (eota_221).mass_kg", "9000 kg", "kg/m³", "≤ 25000"]);
    with("4000", "").accept(&["rocks[0].density_kg_m3", "out of the usual range 1800 to 3500"]);
    with("700", "\n    density_kg_m3: 2600").refuse(&["rocks[0].density_kg_m3", "found 2600", "remove one"]);
    with("700", "").accept(&["No objections"]);
}
