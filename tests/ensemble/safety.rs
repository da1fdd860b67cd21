//! Nothing of the user's is lost: what a verb did not write, or what was changed since, is never removed or replaced.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::site::Site;
use crate::{couloir, finished, refused};

/// Every file and link below a folder with its bytes.
pub fn everything(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            all.insert(path.clone(), fs::read_link(path).unwrap().to_string_lossy().into_owned().into());
        } else if path.is_dir() {
            all.extend(everything(&path));
        } else {
            all.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    all
}

pub fn put(site: &Site, name: &str, text: &str) {
    let path = site.folder(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A folder of the user's, with files named like results, is left alone under whatever name it is given.
#[test]
fn overwrite_deleted_the_users_files_and_then_refused() {
    let site = Site::new("", 20);
    for name in ["layers/mine.tif", "report/chapter.txt", "report.html", "results.bin", "classification/swiss/own.tif"]
    {
        put(&site, name, "precious");
    }
    fs::create_dir(site.folder("sub")).unwrap();
    std::os::unix::fs::symlink(site.folder(""), site.folder("sub/link")).unwrap();
    let before = everything(&site.folder(""));
    for out in ["", ".", "sub/..", "sub/link", "layers"] {
        for mode in ["--overwrite", "--resume"] {
            let error = refused(couloir(&["run", &site.project(), "--out", &site.path(out), mode, "--limit", "3"]), 1);
            assert!(error.contains("not empty"), "{out}: {error}");
            assert!(everything(&site.folder("")) == before, "{out} {mode}");
        }
    }
    // A copy of the project elsewhere makes the folder no less the user's.
    let copy = Site::new("", 20);
    let error = refused(couloir(&["run", &copy.project(), "--out", &site.path(""), "--overwrite", "--limit", "3"]), 1);
    assert!(error.contains("removes nothing"), "{error}");
    assert!(everything(&site.folder("")) == before);
}

/// Only what the run wrote goes; what was added stays and is named; what was changed stops everything before it begins.
#[test]
fn overwrite_removes_only_what_the_run_wrote_and_nobody_changed() {
    let site = Site::new("", 20);
    let run = |more: &[&str]| {
        let mut command = couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "3"]);
        command.args(more);
        command
    };
    finished(run(&[]));
    for name in ["run/notes.txt", "run/layers/passages_mine.qml", "run/own/deep/map.qgz"] {
        put(&site, name, "mine");
    }
    let output = finished(run(&["--overwrite", "--seed", "7"]));
    let told = String::from_utf8_lossy(&output.stderr);
    for name in ["notes.txt", "layers/passages_mine.qml", "own/deep/map.qgz"] {
        assert!(told.contains(name), "{told}");
        assert_eq!(fs::read_to_string(site.folder("run").join(name)).unwrap(), "mine");
    }
    let manifest = fs::read_to_string(site.folder("run/manifest.json")).unwrap();
    assert!(!manifest.contains("notes.txt") && !manifest.contains("passages_mine.qml"), "not a result");
    for name in ["layers/passages.tif", "results.bin", "manifest.json", "report.html", "lines/summary.csv"] {
        let path = site.folder("run").join(name);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole[..], b" "].concat()).unwrap();
        let before = everything(&site.folder("run"));
        let error = refused(run(&["--overwrite"]), 1);
        assert!(error.contains(name) || error.contains("removes nothing"), "{name}: {error}");
        assert!(everything(&site.folder("run")) == before, "{name}");
        fs::write(&path, whole).unwrap();
    }
    // A file of the user's where a result is to go is seen before anything is removed.
    fs::remove_file(site.folder("run/layers/passages.tif")).unwrap();
    fs::create_dir(site.folder("run/layers/passages.tif")).unwrap();
    put(&site, "run/layers/passages.tif/mine.txt", "mine");
    let before = everything(&site.folder("run"));
    let error = refused(run(&["--overwrite"]), 1);
    assert!(error.contains("layers/passages.tif") && error.contains("nothing was removed"), "{error}");
    assert!(everything(&site.folder("run")) == before);
    fs::remove_dir_all(site.folder("run/layers/passages.tif")).unwrap();
    finished(run(&["--overwrite"]));
    finished(run(&["--resume"]));
    let error = refused(run(&["--resume", "--seed", "99"]), 1);
    assert!(error.contains("different seeds"), "{error}");
}

/// Results of an earlier run may be inputs of the next: then its folder is not replaced.
#[test]
fn an_input_in_the_output_folder_is_never_removed() {
    let site = Site::new("", 20);
    finished(couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "3"]));
    let text = fs::read_to_string(site.project()).unwrap();
    fs::create_dir(site.folder("links")).unwrap();
    for ending in ["shp", "shx", "dbf", "prj"] {
        let (from, to) = (format!("run/trajectories/deposits.{ending}"), format!("links/rocks.{ending}"));
        std::os::unix::fs::symlink(site.folder(&from), site.folder(&to)).unwrap();
    }
    for source in ["run/trajectories/deposits.shp", "./run/../run/trajectories/deposits.shp", "links/rocks.shp"] {
        put(&site, "again.yaml", &text.replace("ground: {", &format!("- source: {{file: {source}}}\nground: {{")));
        let before = everything(&site.folder("run"));
        let command =
            couloir(&["run", &site.path("again.yaml"), "--out", &site.path("run"), "--overwrite", "--limit", "3"]);
        let error = refused(command, 1);
        assert!(error.contains("is not empty: the input"), "{error}");
        assert!(everything(&site.folder("run")) == before, "{source}");
    }
}

#[test]
fn merge_destroyed_the_part_it_was_to_write_to() {
    let site = Site::new("", 20);
    for (name, part) in [("a", "1/3"), ("b", "2/3"), ("c", "3/3")] {
        finished(couloir(&["run", &site.project(), "--shard", part, "--out", &site.path(name)]));
    }
    std::os::unix::fs::symlink(site.folder("b"), site.folder("link")).unwrap();
    let before = everything(&site.folder(""));
    for out in ["a", "b/.", "a/../c", "link", "a/shard", "a/deep/er", ""] {
        let mut command = couloir(&["merge", "--overwrite", "--out", &site.path(out)]);
        let error = refused(
            {
                command.args(["a", "b", "c"].map(|name| site.path(name)));
                command
            },
            2,
        );
        assert!(error.contains("parts are never written to"), "{out}: {error}");
        assert!(everything(&site.folder("")) == before, "{out}");
    }
}

#[test]
fn trace_overwrote_any_file() {
    let site = Site::new("", 20);
    fs::hard_link(site.folder("dem.asc"), site.folder("hard.asc")).unwrap();
    std::os::unix::fs::symlink(site.folder("nowhere"), site.folder("dangling.csv")).unwrap();
    let before = everything(&site.folder("."));
    for out in ["dem.asc", "project.yaml", "./dem.asc", "hard.asc", "dangling.csv"] {
        let error = refused(couloir(&["trace", &site.project(), "--release", "0", "--out", &site.path(out)]), 2);
        assert!(error.contains("is not overwritten"), "{error}");
    }
    assert!(everything(&site.folder(".")) == before);
    finished(couloir(&["trace", &site.project(), "--release", "0", "--out", &site.path("trace.csv")]));
}

/// A run without a report has none of its files: a report of the user's beside it was believed and replaced.
#[test]
fn a_report_that_no_run_wrote_was_taken_for_the_runs_own() {
    let site = Site::new("classification: {scheme: swiss}\n", 20);
    let plain = Site::new("outputs: {report: false}\n", 20);
    finished(couloir(&["run", &site.project(), "--out", &site.path("run"), "--limit", "3"]));
    finished(couloir(&["run", &plain.project(), "--out", &plain.path("run"), "--limit", "3"]));
    fs::copy(site.folder("run/report.json"), plain.folder("run/report.json")).unwrap();
    put(&plain, "run/report.html", "mine");
    finished(couloir(&["classify", &plain.path("run"), "--scheme", "swiss"]));
    assert_eq!(fs::read_to_string(plain.folder("run/report.html")).unwrap(), "mine");
    assert!(fs::read(plain.folder("run/report.json")).unwrap() == fs::read(site.folder("run/report.json")).unwrap());
    let manifest = fs::read_to_string(plain.folder("run/manifest.json")).unwrap();
    assert!(manifest.contains("classification/swiss/") && !manifest.contains("\"report.json\""), "{manifest}");
    // A link to the same bytes, in the place of a report of the run's own, is the user's.
    let (there, kept) = (site.folder("run/report.html"), site.folder("kept.html"));
    fs::rename(&there, &kept).unwrap();
    std::os::unix::fs::symlink(&kept, &there).unwrap();
    let error = refused(couloir(&["classify", &site.path("run"), "--scheme", "norway"]), 1);
    assert!(error.contains("report.html") && fs::read_link(&there).unwrap() == kept, "{error}");
}

/// Notes in the folder of a part stopped it after all was computed, and after its results were removed.
#[test]
fn a_part_was_computed_again_before_it_was_told_that_its_place_is_taken() {
    let site = Site::new("", 20);
    let part = ["run", &site.project(), "--shard", "1/2", "--out", &site.path("part"), "--overwrite"];
    finished(couloir(&part));
    put(&site, "part/shard/notes.txt", "mine");
    let before = everything(&site.folder("part"));
    let error = refused(couloir(&part), 1);
    assert!(error.contains("shard/notes.txt") && error.contains("nothing was removed"), "{error}");
    assert!(everything(&site.folder("part")) == before);
}
