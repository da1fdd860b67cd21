//! The fast validation cases are part of the test suite, and `couloir validate` behaves on the command line.

use assert_cmd::Command;
use couloir::validate::{self, CASES, Settings, Status};

/// Every row of a case passes in a quick run, and its figures are drawn.
fn passes(name: &str) {
    let settings = Settings { quick: true, plots: true, ..Settings::default() };
    let report = validate::run(&[name.to_owned()], &settings, None).unwrap();
    let failed: Vec<String> = report
        .rows
        .iter()
        .filter(|row| row.status == Status::Fail)
        .map(|row| format!("{}: {} published {:?}, computed {}", row.source, row.quantity, row.published, row.computed))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(report.rows.iter().any(|row| row.status == Status::Pass));
    for figure in &report.figures {
        assert!(figure.svg.starts_with("<svg") && !figure.svg.contains("NaN"), "{}", figure.name);
    }
}

#[test]
fn leine_2021_axes() {
    passes("leine2021");
}

#[test]
fn leine_2014() {
    passes("leine2014");
}

#[test]
fn leine_2021_ramp() {
    passes("leine2021-ramp");
}

#[test]
fn spiral_and_its_rivals() {
    passes("spiral");
}

#[test]
fn non_twisting_body() {
    passes("non-twisting");
}

#[test]
fn closed_solutions() {
    passes("analytical");
}

#[test]
fn integrators_side_by_side() {
    passes("integrators");
}

#[test]
fn restitution_laws() {
    passes("rocfall3");
}

#[test]
fn fast_and_plain_stepping() {
    passes("stepping");
}

#[test]
fn time_steps_and_integrators() {
    passes("convergence");
}

/// The same rocks on every class: a softer one keeps less speed and ends sooner.
#[test]
fn softer_ground_takes_more() {
    passes("ground");
}

#[test]
fn scars_of_lu_2019() {
    passes("lu2019");
}

#[test]
fn rocks_of_tschamut() {
    passes("tschamut");
}

/// A filter that matches nothing is a usage error, not an empty success.
#[test]
fn a_filter_without_settings_is_a_usage_error() {
    let output = couloir().args(["validate", "stepping", "--only", "cube granite"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("cube granite") && text.contains("ground classes"), "{text}");
}

fn couloir() -> Command {
    Command::cargo_bin("couloir").unwrap()
}

/// A family of ensembles that is stopped goes on where it was: what is there of it is not computed again, and says the same.
#[test]
fn a_family_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("falls");
    let run = |only: &str| {
        let mut call = couloir();
        call.args(["validate", "stepping", "--rocks", "10", "--progress", "json", "--only", only, "--keep"]).arg(&kept);
        let output = call.output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(out.contains("\ncolumns: "), "{out}{err}");
        (out, err)
    };
    let files = || -> Vec<_> {
        let entries = std::fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap());
        let mut all: Vec<_> = entries.map(|e| (e.path(), e.metadata().unwrap().modified().unwrap())).collect();
        all.sort();
        all
    };
    run("cube bare soft plane 25");
    let before = files();
    assert!(!before.is_empty());
    let (whole, progress) = run("cube bare soft plane");
    let after = files();
    assert!(after.len() > before.len() && before.iter().all(|file| after.contains(file)), "{before:?} {after:?}");
    assert!(progress.contains(r#""stage":"fast stepping against plain stepping""#), "{progress}");
    let (again, _) = run("cube bare soft plane");
    assert_eq!((again, files()), (whole, after.clone()));
    // Half a file, or one that somebody changed.
    std::fs::write(&after[0].0, "{}").unwrap();
    let call = ["validate", "stepping", "--rocks", "10", "--only", "cube bare soft plane", "--keep"];
    let refused = couloir().args(call).arg(&kept).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(3) && said.contains("falls.json") && said.contains("removed"), "{said}");
}

/// An unknown case is a usage error that names the known ones.
#[test]
fn unknown_case_is_a_usage_error() {
    let output = couloir().args(["validate", "leine1999"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("leine1999") && text.contains("non-twisting"), "{text}");
}

/// `--list` names every case.
#[test]
fn list_names_every_case() {
    let output = couloir().args(["validate", "--list"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && CASES.iter().all(|case| text.contains(case.name)), "{text}");
}

/// `--json` gives one object a number, `--plots` the figures.
#[test]
fn json_and_plots() {
    let folder = tempfile::tempdir().unwrap();
    let output = couloir().args(["validate", "leine2021", "--json", "--plots"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &rows.as_array().unwrap()[0];
    for key in ["case", "source", "quantity", "published", "computed", "tolerance", "status"] {
        assert!(!row[key].is_null(), "{key} in {row}");
    }
    let figure = folder.path().join("leine2021-fig2.svg");
    assert!(figure.exists());
    // A figure that was changed since, or a folder of other files, is left alone; told before anything is computed.
    std::fs::write(&figure, "edited").unwrap();
    let again = couloir().args(["validate", "leine2021", "--plots"]).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(again.status.code() == Some(1) && said.contains("leine2021-fig2.svg"), "{said}");
    assert_eq!(std::fs::read_to_string(&figure).unwrap(), "edited");
    let own = tempfile::tempdir().unwrap();
    std::fs::write(own.path().join("leine2021-fig2.svg"), "mine").unwrap();
    let refused = couloir().args(["validate", "leine2021", "--plots"]).arg(own.path()).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(own.path().join("leine2021-fig2.svg")).unwrap(), "mine");
}
