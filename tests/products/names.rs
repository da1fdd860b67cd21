//! Names of scenarios, lines and schemes become names of files: each its own, on every file system.

use std::collections::BTreeSet;
use std::path::Path;

use assert_cmd::Command;
use couloir::store::manifest;

use crate::run::{project, write_dem};

fn couloir(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(env!("CARGO_BIN_EXE_couloir")).args(arguments).current_dir(folder).assert()
}

fn names(folder: &Path, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned());
    entries.filter(|name| name.ends_with(ending)).collect()
}

#[test]
fn maps_of_scenarios_overwrote_each_other() {
    let folder = tempfile::tempdir().unwrap();
    write_dem(folder.path());
    let long = "n".repeat(400);
    let scenarios = ["block > 1 m3", "block < 1 m3", "Block > 1 m3", "con", "..", "Rüfi/Süd", &long, "hazard"];
    let text = project(true, false);
    let (head, rest) = text.split_once("release:\n").unwrap();
    let (releases, tail) = rest.split_once("ground:").unwrap();
    let one = &releases[..releases[1..].find("  - name").unwrap() + 1];
    let named = |name: &&str| one.replace("scenario: often", &format!("scenario: {}", serde_json::json!(name)));
    let releases: String = scenarios.iter().map(|name| named(name).replacen("- name: often", "- name: r", 1)).collect();
    let tail = tail.replace("road, lower", &long);
    assert!(releases.matches("scenario:").count() == scenarios.len());
    std::fs::write(folder.path().join("project.yaml"), format!("{head}release:\n{releases}ground:{tail}")).unwrap();
    couloir(folder.path(), &["check", "project.yaml"]).success();
    couloir(folder.path(), &["run", "project.yaml", "--out", "out", "--limit", "40", "--progress", "none"]).success();
    let maps: BTreeSet<String> =
        names(&folder.path().join("out/classification/swiss"), ".tif").iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(maps.len(), scenarios.len() + 1, "one per scenario, and the zones: {maps:?}");
    let manifest = manifest::read(&folder.path().join("out")).unwrap();
    for scenario in &manifest.scenarios {
        assert!(scenarios.contains(&scenario.name.as_str()));
        assert!(maps.contains(&format!("intensity_{}.tif", scenario.file_name)), "{}", scenario.name);
    }
    // Of each scenario whose rocks reach the road, and of all.
    assert!((1..=scenarios.len() + 1).contains(&names(&folder.path().join("out/lines"), ".svg").len()));

    // Schemes of the same name that are different files, and one called like a built-in one.
    let own = std::fs::read_to_string(folder.path().join("out/classification/swiss/scheme.yaml")).unwrap();
    for (k, place) in ["a", "b", "."].iter().enumerate() {
        std::fs::create_dir_all(folder.path().join(place)).unwrap();
        let name = if *place == "." { "swiss.yml" } else { "mine.yaml" };
        std::fs::write(folder.path().join(place).join(name), own.replacen("name:", &format!("name: N{k} "), 1))
            .unwrap();
        couloir(folder.path(), &["classify", "out", "--scheme", &format!("{place}/{name}")]).success();
    }
    couloir(folder.path(), &["classify", "out", "--scheme", "a/mine.yaml"]).success();
    let schemes = names(&folder.path().join("out/classification"), "");
    assert_eq!(schemes.len(), 4, "{schemes:?}");
    assert!(schemes.contains(&"swiss".to_string()) && schemes.contains(&"mine".to_string()));
    let kept = std::fs::read_to_string(folder.path().join("out/classification/mine/scheme.yaml")).unwrap();
    assert!(kept.contains("N0"), "{kept}");
    // What classify reads it does not write, not even if it wrote it itself once.
    for _ in 0..2 {
        couloir(folder.path(), &["classify", "out", "--scheme", "out/classification/mine/scheme.yaml"]).success();
        couloir(folder.path(), &["classify", "out", "--scheme", "out/classification/scheme/scheme.yaml"]).success();
    }
    for name in ["mine", "scheme"] {
        let path = folder.path().join(format!("out/classification/{name}/scheme.yaml"));
        assert_eq!(std::fs::read_to_string(path).unwrap(), kept);
    }
}

/// Releases without a scenario are called "all": nothing else may be.
#[test]
fn a_scenario_called_all_was_mixed_with_unnamed_releases() {
    let folder = tempfile::tempdir().unwrap();
    write_dem(folder.path());
    let text = project(true, false).replace("    scenario: often\n", "").replace("scenario: seldom", "scenario: all");
    std::fs::write(folder.path().join("project.yaml"), text).unwrap();
    let refused = couloir(folder.path(), &["check", "project.yaml"]).code(3);
    let sentence = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(sentence.contains("release[1].scenario") && sentence.contains("choose another"), "{sentence}");
}
