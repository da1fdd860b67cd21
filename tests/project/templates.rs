use std::process::Command;

use couloir::project::{self, reference, schema, templates::TEMPLATES};

fn couloir() -> Command {
    Command::new(env!("CARGO_BIN_EXE_couloir"))
}

/// Every template that `couloir init` writes is a valid project, and every commented-out line in it is one, too.
#[test]
fn templates_load() {
    let folder = tempfile::tempdir().unwrap();
    for template in TEMPLATES {
        let path = folder.path().join(format!("{}.yaml", template.name));
        let output = couloir().args(["init", "--template", template.name]).arg(&path).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        project::load(&path).unwrap_or_else(|e| panic!("{e}"));
        let again = couloir().args(["init", "--template", template.name]).arg(&path).output().unwrap();
        assert_eq!(again.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&again.stderr).contains("not overwritten"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), template.text);
    }
    let output = couloir().args(["init", "--template", "forrest"]).current_dir(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean \"forest\"?"));
}

/// The schema that editors get is the one the parser walks; it names unit, limits and default of a key.
#[test]
fn the_schema_is_printed_with_units_limits_and_defaults() {
    let output = couloir().arg("schema").output().unwrap();
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(&printed, schema::project());
    let rock = &printed["$defs"]["RockSpec"]["properties"];
    assert_eq!(rock["density_kg_m3"]["default"], 2700.0);
    assert_eq!(rock["density_kg_m3"]["x-unit"], "kg/m³");
    assert_eq!(rock["mass_kg"]["exclusiveMinimum"], 0.0);
    assert_eq!(rock["axes_m"]["items"]["exclusiveMinimum"], 0.0);
    assert_eq!(printed["$defs"]["Simulation"]["properties"]["time_step_s"]["default"], 0.002);
}

/// No key without a description: the reference would have an empty line.
#[test]
fn every_key_is_described() {
    let schema = schema::project();
    let definitions = schema["$defs"].as_object().unwrap().iter().map(|(name, d)| (name.as_str(), d));
    for (name, definition) in definitions.chain([("ProjectFile", schema)]) {
        for (key, property) in definition["properties"].as_object().into_iter().flatten() {
            assert!(property["description"].is_string(), "{name}.{key} has no description");
        }
    }
}

/// `docs/project-file.md` is what `couloir schema --markdown` prints.
#[test]
fn the_reference_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/project-file.md");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    let current = reference::markdown(schema::project());
    assert!(committed == current, "write it anew: couloir schema --markdown > docs/project-file.md");
}
