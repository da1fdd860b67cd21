//! Commands that README, docs and `--help` show are commands of this program, and those shown whole run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Where it stands, whether it is a whole line of a code block, the line and its words.
struct Shown {
    place: String,
    whole: bool,
    line: String,
    words: Vec<String>,
}

fn documents() -> Vec<PathBuf> {
    let folder = |path: &str| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let samples = folder("sample_projects").into_iter().map(|sample| sample.join("README.md"));
    let all = folder("docs").into_iter().chain(samples).chain(["README.md".into(), "CONTRIBUTING.md".into()]);
    let mut all: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    all.sort();
    all
}

/// Words as a shell would take them; comments end the line.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in text.chars() {
        match (quote, c) {
            (None, '#') if word.is_empty() => break,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, c) if c.is_whitespace() => {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            (_, c) => word.push(c),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Indented or fenced lines, and what stands between backticks.
fn shown_in(place: &str, text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    let joined = text.replace("\\\n", " ");
    let mut push = |whole: bool, text: &str| {
        let words = words(text);
        if words.first().is_some_and(|word| word == "couloir") && words.get(1).is_some_and(|word| word != "=") {
            found.push(Shown { place: place.into(), whole, line: text.to_string(), words });
        }
    };
    let mut fenced = false;
    for line in joined.lines() {
        fenced ^= line.starts_with("```");
        if fenced || line.starts_with("    ") || line.starts_with("  couloir ") {
            push(true, line.trim_start().trim_start_matches("$ "));
        } else {
            line.split('`').skip(1).step_by(2).for_each(|code| push(false, code));
        }
    }
    found
}

/// What the help of a verb shows, and of those below it.
fn add_help(name: &str, command: &mut clap::Command, all: &mut Vec<Shown>) {
    all.extend(shown_in(&format!("{name} --help"), &command.render_long_help().to_string()));
    for verb in command.get_subcommands_mut() {
        add_help(&format!("{name} {}", verb.get_name()), verb, all);
    }
}

fn shown() -> Vec<Shown> {
    let mut all: Vec<Shown> = documents()
        .iter()
        .flat_map(|path| shown_in(&path.display().to_string(), &fs::read_to_string(path).unwrap()))
        .collect();
    add_help("couloir", &mut couloir::cli::command(), &mut all);
    all.retain(|shown| !shown.words[1].starts_with('<') && !shown.words[1].starts_with('['));
    all
}

/// A line of a code block parses as it stands; a command in a sentence may leave out what it is not about, but has a verb and
/// options that exist.
#[test]
fn commands_in_documents_and_help_are_commands_of_the_program() {
    let all = shown();
    assert!(all.len() > 40 && all.iter().filter(|s| s.whole).count() > 5, "{} commands were found", all.len());
    let mut wrong = Vec::new();
    for Shown { place, whole, words, .. } in &all {
        let line = words.join(" ");
        if *whole && !line.contains(['…', '<', '[']) {
            if let Err(error) = couloir::cli::command().try_get_matches_from(words) {
                wrong.push(format!("{place}: {line}: {}", error.to_string().lines().next().unwrap_or_default()));
            }
            continue;
        }
        let mut command = couloir::cli::command();
        let mut known: Vec<String> = vec!["--help".into(), "--version".into()];
        for word in &words[1..] {
            known.extend(command.get_arguments().filter_map(|a| Some(format!("--{}", a.get_long()?))));
            match command.find_subcommand(word).cloned() {
                Some(deeper) => command = deeper,
                None if word.starts_with("--") => {
                    let option = word.split('=').next().unwrap_or(word).trim_end_matches([',', '.', ';', ')']);
                    if !known.iter().any(|known| known == option) {
                        wrong.push(format!("{place}: {line}: there is no {option}"));
                    }
                }
                None if command.get_name() == "couloir" && !word.contains(['…', '<', '[']) => {
                    wrong.push(format!("{place}: {line}: there is no verb {word}"));
                }
                None => {}
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Those that need nothing but the repository and write nothing are run.
#[test]
fn commands_that_only_look_run_as_shown() {
    let looks = ["check", "schema", "rocks", "show", "--version"];
    let (mut ran, exists) = (0, |word: &String| !word.contains('/') || std::path::Path::new(word).exists());
    for Shown { place, words, .. } in shown() {
        let complete = words[1] != "check" && words[1] != "show" || words.len() > 2;
        if looks.contains(&words[1].as_str())
            && complete
            && words[2..].iter().all(exists)
            && !words.join(" ").contains(['…', '<'])
            && !words[2..].iter().any(|word| word.ends_with(".yaml") && !std::path::Path::new(word).exists())
        {
            let output = Command::new(env!("CARGO_BIN_EXE_couloir")).args(&words[1..]).output().unwrap();
            assert!(output.status.success(), "{place}: {words:?}: {}", String::from_utf8_lossy(&output.stderr));
            ran += 1;
        }
    }
    let example = ["rocks", "eota_221", "--axes-m", "0.93,0.93,0.47"];
    assert!(Command::new(env!("CARGO_BIN_EXE_couloir")).args(example).output().unwrap().status.success());
    assert!(ran >= 4, "only {ran} commands could be run");
}

/// A folder in which the names that documents use stand for something: the samples, and what an office might have.
#[cfg(unix)]
fn study() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let copy = |from: &str, to: &str| {
        fs::create_dir_all(path(to).parent().unwrap()).unwrap();
        fs::copy(from, path(to)).unwrap_or_else(|error| panic!("{from}: {error}"));
    };
    let form = r#"{ "values": { "seed": 7 }, "layers": { "dem": "site/dem.tif", "release": "site/release.gpkg" } }"#;
    fs::write(path("form.json"), form).unwrap();
    for sample in ["ramp", "valley", "borderland", "tschamut"] {
        let source = PathBuf::from("sample_projects").join(sample);
        for file in fs::read_dir(&source).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            let name = file.display().to_string();
            copy(&name, &name);
            if sample == "valley" {
                // As in the package of an operating system.
                copy(&name, &name.replace("sample_projects/", ""));
            }
        }
    }
    let borderland = "sample_projects/borderland";
    for tile in ["dem_ch.tif", "dem_at.tif"] {
        copy(&format!("{borderland}/{tile}"), &format!("tiles/{tile}"));
    }
    copy(&format!("{borderland}/area.geojson"), "area.geojson");
    copy("sample_projects/ramp/dem.tif", "dem.tif");
    let project = fs::read_to_string("sample_projects/ramp/project.yaml").unwrap();
    let outputs = "\noutputs:\n  trajectories: [geopackage]\n  points_every_s: 0.1\n";
    fs::write(path("project.yaml"), project + outputs).unwrap();
    let polygon = fs::read_to_string(format!("{borderland}/area.geojson")).unwrap();
    fs::write(path("soil.geojson"), polygon.replace("\"properties\": {", "\"properties\": {\"class\": \"medium\", "))
        .unwrap();
    let road = serde_json::json!({
        "type": "FeatureCollection",
        "crs": { "type": "name", "properties": { "name": "urn:ogc:def:crs:EPSG::2056" } },
        "features": [{
            "type": "Feature",
            "properties": {},
            "geometry": { "type": "LineString", "coordinates": [[2790020.0, 1180120.0], [2790200.0, 1180120.0]] },
        }],
    });
    fs::write(path("road.geojson"), road.to_string()).unwrap();
    copy("sample_projects/tschamut/observed.csv", "deposits.csv");
    // A rough slope, a point every quarter of a metre.
    let rough = |k: u32| (k.wrapping_mul(2_654_435_761) >> 16) as f64 / 65_536.0 * 0.1;
    let cloud = (0..160 * 160).map(|k| {
        let (x, y) = (f64::from(k % 160) * 0.25, f64::from(k / 160) * 0.25);
        format!("{} {} {}\n", 2_600_000.0 + x, 1_200_000.0 + y, 900.0 + 0.5 * x + rough(k))
    });
    fs::write(path("ground.xyz"), cloud.collect::<String>()).unwrap();
    folder
}

/// Runs a line as it stands, in a shell; `more` is added.
#[cfg(unix)]
fn in_shell(folder: &std::path::Path, line: &str, more: &str) -> std::process::Output {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_couloir"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let script = format!("{line}{more}");
    Command::new("sh").args(["-c", &script]).current_dir(folder).env("PATH", path).output().unwrap()
}

/// Every whole command runs and ends well, few rocks where many would take long.
#[cfg(unix)]
#[test]
fn whole_commands_run_as_shown() {
    let folder = study();
    let must = |line: &str, more: &str| {
        let output = in_shell(folder.path(), line, more);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    };
    // What the shown commands begin from.
    must("couloir reproject soil.geojson soil.shp --crs EPSG:2056", "");
    must("couloir reproject sample_projects/borderland/release.geojson release.shp --crs EPSG:2056", "");
    must("couloir clip sample_projects/borderland/forest.shp forest.gpkg --aoi area.geojson --buffer 1000", "");
    must("couloir reproject road.geojson road.gpkg --crs EPSG:2056", "");
    for (name, seed) in [("today", 1), ("with_forest", 2)] {
        must(&format!("couloir run project.yaml --out runs/{name} --seed {seed}"), " --limit 5 --progress none");
    }
    must("couloir run sample_projects/tschamut/project.yaml --out runs/tests", " --limit 20 --progress none");
    let mut whole: Vec<Shown> = shown().into_iter().filter(|shown| shown.whole).collect();
    // What stands in several places is run once.
    let mut seen = std::collections::HashSet::new();
    whole.retain(|shown| seen.insert(shown.line.split_whitespace().collect::<Vec<_>>().join(" ")));
    whole.retain(|shown| !shown.line.contains(['…', '<', '[']));
    // Samples are prepared before they are checked.
    whole.sort_by_key(|shown| shown.words[1] != "prepare");
    let mut wrong = Vec::new();
    for Shown { place, line, words, .. } in &whole {
        let more = if words[1] != "run" {
            ""
        } else if line.contains("--limit") {
            " --progress none"
        } else {
            " --limit 5 --progress none"
        };
        let output = in_shell(folder.path(), line.trim_end_matches('.'), more);
        if !output.status.success() {
            wrong.push(format!("{place}: {line}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    assert!(whole.len() >= 10, "only {} whole commands were found", whole.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
