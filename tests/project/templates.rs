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

/// The built-in names are printed for other programs, from the tables the engine itself uses.
#[test]
fn presets_are_printed_as_json() {
    let output = couloir().args(["schema", "--presets"]).output().unwrap();
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let classes = project::classes::ground(&Default::default());
    let ground = printed["ground"].as_array().unwrap();
    assert_eq!(ground.len(), classes.len());
    for class in ground {
        let known = &classes[class["name"].as_str().unwrap()];
        assert_eq!(class["mu_min"], known.mu_min);
        assert_eq!(class["kappa_per_m"], known.kappa_per_m);
    }
    assert_eq!(printed["forest"].as_array().unwrap().len(), project::classes::forest(&Default::default()).len());
    assert_eq!(printed["schemes"][0]["name"], "swiss");
    assert!(printed["trajectory_formats"].as_array().unwrap().len() == 3, "{printed:#}");
}

/// A project is shown as it was written, or with every default; a folder without a run is refused in one sentence.
#[test]
fn a_project_is_shown_as_json() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_projects/valley/project.yaml");
    let show = |arguments: &[&str]| couloir().arg("show").args(arguments).output().unwrap();
    let written: serde_json::Value = serde_json::from_slice(&show(&[file]).stdout).unwrap();
    assert_eq!(written["release"][1]["volume_m3"]["attribute"], "volume_100y_m3");
    assert!(written["simulation"].get("time_step_s").is_none(), "left at its default");
    let complete: serde_json::Value = serde_json::from_slice(&show(&[file, "--defaults"]).stdout).unwrap();
    assert_eq!(complete["simulation"]["time_step_s"], 0.002);
    let empty = tempfile::tempdir().unwrap();
    let refused = show(&[empty.path().to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("holds no manifest.json"));
}
