//! Pages in other languages, and the page that is used in a browser.

use std::process::Command;

use couloir::texts::{Language, Text, keys, variables};
use gdal::Metadata;

use crate::run::{Run, WITH, project, write_dem};

/// English texts of the catalogue that can be looked for: no variables, several words, and not the same in the other language.
fn english_phrases(other: Language) -> Vec<String> {
    let plain = |key: &&str| variables(Language::En, key).is_empty() && !key.starts_with("note-");
    let texts = keys(Language::En).into_iter().filter(plain).map(|key| {
        let text = Text::message(key, []);
        (text.in_language(Language::En), text.in_language(other))
    });
    let telling = |(english, translated): &(String, String)| english != translated && english.matches(' ').count() >= 2;
    texts.filter(telling).map(|(english, _)| english).collect()
}

/// Report, sheet, legend and interactive page hold no English text of the catalogue, whatever the language; the numbers are
/// those of the English run.
#[test]
fn no_page_is_half_english() {
    let folder = tempfile::tempdir().unwrap();
    write_dem(folder.path());
    let text =
        project(true, true) + "study: {office: Büro Fels AG, client: Gemeinde, plan_number: 12-3, status: final}\n";
    std::fs::write(folder.path().join("project.yaml"), text).unwrap();
    for (language, title, office) in [
        (Language::De, "1 Was gerechnet wurde", "Büro"),
        (Language::Fr, "1 Ce qui a été calculé", "Bureau"),
        (Language::It, "1 Che cosa è stato calcolato", "Studio"),
    ] {
        let (code, out) = (language.code(), format!("out_{language}"));
        let arguments = ["run", "project.yaml", "--out", &out, "--progress", "none", "--language", code];
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_couloir"));
        command.args(arguments).current_dir(folder.path()).assert().success();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(&out).join(name)).unwrap();
        let report = read("report.html");
        assert!(report.contains(title) && report.contains(&format!("<dt>{office}</dt><dd>Büro Fels AG</dd>")));
        assert!(report.contains(&format!("<html lang=\"{code}\">")));
        let pages = [
            "report.html",
            "barrier_sheet.html",
            "with_barriers/interactive.html",
            "without_barriers/classification/swiss/legend.html",
            "without_barriers/classification/swiss/hazard.qml",
            "without_barriers/layers/kinetic_energy_kj_p95.qml",
            "without_barriers/trajectories/trajectories.qml",
        ];
        for page in pages {
            // The library that draws in space speaks English, to nobody.
            let text = read(page);
            let text = text.split("<script>").next().unwrap();
            for phrase in english_phrases(language) {
                let escaped = phrase.replace('\'', "&#39;");
                assert!(!text.contains(&phrase) && !text.contains(&escaped), "{language} {page}: {phrase:?}");
            }
        }
        let manifest: serde_json::Value = serde_json::from_str(&read("manifest.json")).unwrap();
        assert_eq!(manifest["language"], code);
        // Names and descriptions of layers, also of those that no catalogue of quantities has.
        let titles = manifest["layers"].to_string();
        assert!(titles.contains("30 kJ") && !titles.contains("eturn period"), "{language}: {titles}");
        for layer in ["layers/return_period_years_above_30_kj.tif", "layers/seldom/return_period_years_above_30_kj.tif"]
        {
            let raster = gdal::Dataset::open(folder.path().join(&out).join("without_barriers").join(layer)).unwrap();
            let description = raster.rasterband(1).unwrap().description().unwrap();
            assert!(description.contains("30 kJ") && !description.contains("Years between"), "{description}");
            assert!(!description.starts_with("Scenario seldom") || language == Language::It, "{description}");
        }
    }
}

/// Why rocks stopped, what inputs are for and what schemes are called, in the manifest that QGIS shows and in the report; said anew when
/// another language is asked for.
#[test]
fn roles_stops_and_schemes_stayed_in_the_old_language() {
    let folder = tempfile::tempdir().unwrap();
    write_dem(folder.path());
    std::fs::write(folder.path().join("project.yaml"), project(true, true)).unwrap();
    let call = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_couloir"));
        command.args(arguments).current_dir(folder.path()).assert().success();
    };
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    let manifest = || serde_json::from_str::<serde_json::Value>(&read("manifest.json")).unwrap();
    call(&["run", "project.yaml", "--out", "out", "--progress", "none", "--language", "de"]);
    let german = manifest();
    assert_eq!(german["words"]["stop-at_rest"], "zur Ruhe gekommen");
    assert_eq!(german["words"]["role-terrain"], "Gelände");
    assert_eq!(german["classifications"][0]["scheme"], "Schweizer Gefahrenmatrix (Steinschlag)");
    call(&["report", "out", "--language", "fr"]);
    let french = manifest();
    assert_eq!(french["words"]["stop-at_rest"], Text::message("stop-at-rest", []).in_language(Language::Fr));
    for (key, before) in [("scheme", "Gefahrenmatrix"), ("rule", "Wiederkehrperiode")] {
        let said = french["classifications"][0][key].to_string();
        assert!(said.len() > 4 && !said.contains(before), "{said}");
    }
    // Styles of a scenario's layers, too.
    let style = read("without_barriers/layers/seldom/deposits.qml");
    assert!(!style.contains("Steine") && style.contains("blocs"), "{style}");
    assert_eq!(french["warnings"].as_array().unwrap().len(), german["warnings"].as_array().unwrap().len());
    // Every role there can be has a word: `role-…` of the catalogue, not the key of the project.
    for role in ["terrain", "release", "ground", "forest", "restitution", "rocks", "lines", "barriers", "objects"] {
        let key = format!("role-{role}");
        let said = Text::message(&key, []).in_language(Language::De);
        assert!(said != key && said != role, "{key}: {said}");
    }
}

/// `report` draws its maps from the layers: from none that is not what the run wrote.
#[test]
fn a_changed_layer_became_a_map_of_the_report() {
    let run = Run::new(true, false, 2);
    let layer = |name: &str| run.path(&format!("layers/seldom/{name}.tif"));
    std::fs::copy(layer("kinetic_energy_kj_max"), layer("kinetic_energy_kj_p95")).unwrap();
    let before = std::fs::read(run.path("report.html")).unwrap();
    let said = run.couloir(&["report", "out", "--language", "de"]).failure().get_output().stderr.clone();
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("kinetic_energy_kj_p95.tif") && said.lines().count() == 1, "{said}");
    assert!(std::fs::read(run.path("report.html")).unwrap() == before);
}

/// The same run in another language has the same numbers: tables, counts, data of the report.
#[test]
fn the_language_changes_no_number() {
    let run = Run::new(true, false, 2);
    run.couloir(&["run", "project.yaml", "--out", "deutsch", "--progress", "none", "--language", "de"]).success();
    let read = |folder: &str, name: &str| std::fs::read(run.path("..").join(folder).join(name)).unwrap();
    for name in ["lines/crossings.csv", "lines/summary.csv", "report.json"] {
        if name == "report.json" {
            let model = |folder: &str| {
                let mut model: serde_json::Value = serde_json::from_slice(&read(folder, name)).unwrap();
                // The scheme is kept with the names that were shown.
                model["classifications"].take();
                model
            };
            assert!(model("out") == model("deutsch"), "{name}");
        } else {
            assert!(read("out", name) == read("deutsch", name), "{name}");
        }
    }
}

/// `tests/page/check_page.py` opens the page from its file in a real Chromium: it must draw, answer a click with numbers and a
/// histogram that holds every rock, count who crosses a drawn line, let rocks fall in space, and complain of nothing.
#[test]
fn the_interactive_page_works_in_a_browser() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page/check_page.py");
    let said = Command::new("python3").arg(script).arg(WITH.path("")).output().expect("python3 runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(said.status.success(), "{}{}", text(&said.stdout), text(&said.stderr));
}
