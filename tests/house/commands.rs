//! Commands that README, docs and `--help` show are commands of this program.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Where it stands, whether it is a whole line of a code block, and its words.
struct Shown {
    place: String,
    whole: bool,
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
            found.push(Shown { place: place.into(), whole, words });
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

fn shown() -> Vec<Shown> {
    let mut all: Vec<Shown> = documents()
        .iter()
        .flat_map(|path| shown_in(&path.display().to_string(), &fs::read_to_string(path).unwrap()))
        .collect();
    for verb in couloir::cli::command().get_subcommands_mut() {
        let place = format!("couloir {} --help", verb.get_name());
        all.extend(shown_in(&place, &verb.render_long_help().to_string()));
    }
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
    for Shown { place, whole, words } in &all {
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
