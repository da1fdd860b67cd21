//! `couloir form`: what programs with fields show of a project, and what they change of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn couloir(words: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_couloir")).args(words).output().unwrap()
}

fn json_of(words: &[&Path]) -> Value {
    let output = couloir(words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    plain(serde_json::from_slice(&output.stdout).unwrap())
}

/// 2 and 2.0 are the same.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(table) => table.into_iter().map(|(key, value)| (key, plain(value))).collect(),
        other => other,
    }
}

fn form(project: &Path) -> Value {
    json_of(&["form".as_ref(), project])
}

fn document(project: &Path) -> Value {
    json_of(&["show".as_ref(), project])
}

fn sample(name: &str) -> PathBuf {
    fs::canonicalize("sample_projects").unwrap().join(name)
}

/// The project with a form filled in, as it is shown then.
fn filled(project: Option<&Path>, form: &Value) -> Result<Value, String> {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("form.json"), folder.path().join("Süd 'A'"));
    fs::write(&file, form.to_string()).unwrap();
    let mut words: Vec<&Path> = vec!["form".as_ref()];
    words.extend(project);
    words.extend::<[&Path; 4]>(["--fill".as_ref(), &file, "--out".as_ref(), &out]);
    let output = couloir(&words);
    if output.status.success() {
        let text = fs::read_to_string(out.join("project.yaml")).unwrap();
        assert!(text.starts_with("# Written by couloir form"), "{text}");
        Ok(document(&out.join("project.yaml")))
    } else {
        assert!(!out.exists(), "nothing is left behind");
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn a_form_shows_what_it_has_fields_for_and_names_the_rest() {
    let shown = form(&sample("valley/project.yaml"));
    let values = &shown["values"];
    assert_eq!(
        (&values["seed"], &values["positions"], &values["min_slope_deg"]),
        (&json!(2056.0), &json!(100.0), &json!(40.0))
    );
    assert_eq!((&values["scheme"], &values["density_kg_m3"]), (&json!("swiss"), &json!(2650.0)));
    let sizes: Vec<&Value> = values["scenarios"].as_array().unwrap().iter().map(|row| &row["size"]).collect();
    assert_eq!(sizes, ["volume_30y_m3", "volume_100y_m3", "volume_300y_m3"]);
    assert_eq!(values["scenarios"][1]["years"], "100");
    let layers = shown["layers"].as_object().unwrap();
    assert_eq!(layers["release"]["file"], json!(sample("valley/release.gpkg")));
    assert!(!layers.contains_key("lines"), "two lines with filters have no field");
    let others: Vec<&str> = shown["other"].as_array().unwrap().iter().filter_map(|pair| pair[0].as_str()).collect();
    assert!(others.contains(&"rocks.name") && others.contains(&"lines.source"), "{others:?}");
    assert!(!others.contains(&"release.scenario") && !others.contains(&"simulation.seed"), "{others:?}");
}

#[test]
fn what_is_not_filled_in_stays_word_for_word() {
    for name in ["valley/project.yaml", "valley/cliff.yaml", "ramp/project.yaml"] {
        let project = sample(name);
        let mut before = document(&project);
        let mut after = filled(Some(&project), &json!({})).unwrap();
        // Files are named by their whole paths, unless they are copied.
        for paths in [&mut before, &mut after] {
            let text = paths.to_string().replace(&format!("{}/", project.parent().unwrap().display()), "");
            *paths = serde_json::from_str(&text).unwrap();
        }
        assert_eq!(before, after, "{name}");
    }
}

#[test]
fn what_is_filled_in_reaches_every_release() {
    let project = sample("valley/project.yaml");
    let rows = json!([
        { "name": "30 years", "size": "3", "years": "50", "per_year": "" },
        { "name": "100 years", "size": "0.1 – 5, power 1.2", "years": "", "per_year": "0.01" },
    ]);
    let values = json!({ "rocks_per_position": 2, "seed": 5, "mu_min": 0.5, "scenarios": rows, "release_height_m": 0 });
    let changed = filled(Some(&project), &json!({ "values": values })).unwrap();
    let releases = changed["release"].as_array().unwrap();
    assert_eq!(releases.len(), 2);
    for release in releases {
        assert_eq!(
            (&release["rocks_per_position"], &release["height_m"]),
            (&json!(2.0), &json!(0.0)),
            "zero is a height"
        );
        assert_eq!(release["placement"], json!({ "count": 100.0 }));
    }
    assert_eq!((&releases[0]["volume_m3"], &releases[0]["frequency_per_year"]), (&json!(3.0), &json!(0.02)));
    assert_eq!(releases[1]["volume_m3"]["distribution"], "power_law");
    assert_eq!(changed["classification"]["scenario_return_periods_years"], json!({ "30 years": 50.0 }));
    assert_eq!(changed["simulation"]["seed"], 5.0);
    let edited = &changed["ground"]["classes"]["edited"];
    assert_eq!((&edited["mu_min"], &edited["scarring"]["me_kn_m2"]), (&json!(0.5), &json!(18000.0)), "the soil stays");
    assert_eq!(changed["ground"]["default"], "edited");
    assert_eq!(changed["ground"]["layers"].as_array().unwrap().len(), 1);
    let plain = filled(Some(&project), &json!({ "values": { "scenarios": [], "size": 3.0, "scheme": null } })).unwrap();
    assert!(plain.get("classification").is_none() && plain["release"].as_array().unwrap().len() == 1);
    assert_eq!((&plain["rocks"][0]["volume_m3"], plain["release"][0].get("scenario")), (&json!(3.0), None));
    let none = filled(Some(&project), &json!({ "values": { "scenarios": [] } })).unwrap();
    assert_eq!(none["rocks"][0]["volume_m3"], 1.0, "the size that the form shows");
}

/// A mass that is changed stays a mass: read as a volume it would be 2,700 times as much.
#[test]
fn scenarios_by_mass_stay_masses() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(sample("valley/project.yaml")).unwrap();
    let text = text
        .replace("volume_m3:", "mass_kg:")
        .replace(": dem.tif", &format!(": {}", sample("valley/dem.tif").display()));
    let project = folder.path().join("project.yaml");
    fs::write(&project, text).unwrap();
    let values = &form(&project)["values"];
    assert_eq!(values["size_key"], "mass_kg");
    let mut rows = values["scenarios"].clone();
    rows[0]["size"] = json!("500");
    let changed = filled(Some(&project), &json!({ "values": { "scenarios": rows } })).unwrap();
    assert_eq!((&changed["release"][0]["mass_kg"], changed["release"][0].get("volume_m3")), (&json!(500.0), None));
}

/// Positions by slope become positions on a grid; where it is too flat there are still none.
#[test]
fn a_new_spacing_keeps_the_smallest_slope() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(sample("valley/project.yaml")).unwrap();
    let text = text.replace("min_slope_deg: 40", "height_m: 0.5").replace("{ count: 100 }", "{ min_slope_deg: 45 }");
    let project = folder.path().join("project.yaml");
    fs::write(&project, text).unwrap();
    assert_eq!(form(&project)["values"]["min_slope_deg"], 45.0);
    let changed = filled(Some(&project), &json!({ "values": { "spacing_m": 20 } })).unwrap();
    assert_eq!(changed["release"][0]["placement"], json!({ "grid_m": 20.0 }));
    assert_eq!(changed["release"][0]["min_slope_deg"], 45.0);
}

#[test]
fn a_project_of_layers_alone_runs() {
    let dem = sample("valley/dem.tif");
    let layers = json!({ "dem": dem, "release": sample("valley/release.gpkg"), "lines": sample("valley/lines.gpkg") });
    let made = filled(None, &json!({ "values": { "title": "Süd", "size": 0.5 }, "layers": layers })).unwrap();
    let by_attribute = json!({ "values": { "size_attribute": "volume_30y_m3" }, "layers": layers });
    assert_eq!(
        filled(None, &by_attribute).unwrap()["release"][0]["volume_m3"],
        json!({ "attribute": "volume_30y_m3" })
    );
    assert_eq!((&made["title"], &made["rocks"][0]["volume_m3"]), (&json!("Süd"), &json!(0.5)));
    let names: Vec<&Value> = made["lines"].as_array().unwrap().iter().map(|line| &line["name"]).collect();
    assert_eq!(names, ["road", "lane", "stream", "barrier"], "each line of a layer by its name");
    assert!(made["lines"][0]["source"]["filter"].as_str().unwrap().ends_with("fid = 1"));
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("form.json"), folder.path().join("site"));
    fs::write(&file, json!({ "layers": layers }).to_string()).unwrap();
    let words: [&Path; 6] =
        ["form".as_ref(), "--fill".as_ref(), &file, "--out".as_ref(), &out, "--copy-inputs".as_ref()];
    assert!(couloir(&words).status.success());
    for name in ["dem.tif", "release.gpkg", "lines.gpkg"] {
        assert_eq!(fs::read(out.join(name)).unwrap(), fs::read(sample(&format!("valley/{name}"))).unwrap());
    }
    assert_eq!(document(&out.join("project.yaml"))["terrain"]["dem"], "dem.tif");
    let checked = couloir(&["check".as_ref(), &out.join("project.yaml")]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let again = couloir(&words);
    assert!(String::from_utf8_lossy(&again.stderr).contains("is not overwritten"), "what is there stays");
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn a_line_or_barrier_is_added_beside_those_of_the_project() {
    let project = sample("valley/project.yaml");
    let line = json!({ "name": "new", "file": sample("valley/lines.gpkg"), "height_m": 4.0, "capacity_kj": 1000.0 });
    let made = filled(Some(&project), &json!({ "new_lines": [line] })).unwrap();
    assert_eq!((made["lines"].as_array().unwrap().len(), &made["barriers"][0]["name"]), (2, &json!("new")));
    let half = json!({ "new_lines": [{ "name": "new", "file": "x.gpkg", "height_m": 4.0 }] });
    assert!(filled(Some(&project), &half).unwrap_err().contains("needs both height_m and capacity_kj"));
}

#[test]
fn mistakes_in_a_form_are_one_sentence() {
    let project = sample("valley/project.yaml");
    let rows = |name: &str, years: &str| {
        let row = json!({ "name": name, "size": "1", "years": years, "per_year": "" });
        json!({ "values": { "scenarios": [row.clone(), row] } })
    };
    for (given, expected) in [
        (json!({ "values": { "sede": 3 } }), "values.sede: there is no such field"),
        (json!({ "values": { "seed": "three" } }), "values.seed: found \"three\", expected something like 1"),
        (json!({ "layers": { "roads": "x.gpkg" } }), "layers.roads: there is no such layer"),
        (json!({ "vaules": {} }), "it is no filled-in form"),
        (json!([1]), "it is no filled-in form"),
        (rows("a", "30"), "Two scenarios are called “a”"),
        (rows("a", "-30"), "The return period of the scenario “a” is “-30”"),
        (json!({ "layers": { "lines": "missing.gpkg" } }), "missing.gpkg"),
    ] {
        let said = filled(Some(&project), &given).unwrap_err();
        assert!(said.starts_with("error: ") && said.lines().count() == 1 && said.contains(expected), "{said}");
    }
}

/// A link whose disk is not mounted looked like no file: the project's was replaced, and inputs were written through the others.
#[test]
#[cfg(unix)]
fn links_that_lead_nowhere_were_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let (out, away) = (folder.path().join("site"), folder.path().join("away.tif"));
    fs::create_dir(&out).unwrap();
    let project = sample("valley/project.yaml");
    let words: [&Path; 5] = ["form".as_ref(), &project, "--out".as_ref(), &out, "--copy-inputs".as_ref()];
    std::os::unix::fs::symlink(&away, out.join("dem.tif")).unwrap();
    std::os::unix::fs::symlink(&away, out.join("project.yaml")).unwrap();
    let refused = couloir(&words);
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    assert_eq!(fs::read_link(out.join("project.yaml")).unwrap(), away);
    fs::remove_file(out.join("project.yaml")).unwrap();
    let made = couloir(&words);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert_eq!(fs::read_link(out.join("dem.tif")).unwrap(), away);
    assert!(!away.exists(), "nothing was written behind the link");
    assert_eq!(document(&out.join("project.yaml"))["terrain"]["dem"], "dem_2.tif");
    assert_eq!(fs::read(out.join("dem_2.tif")).unwrap(), fs::read(sample("valley/dem.tif")).unwrap());
}
