//! Paths, permissions and disks. The tests may run as root, who may read and write everything: what stands in the way is
//! therefore never a permission bit.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::fixture::{Case, PROJECT, one_sentence};

#[test]
fn spaces_and_umlauts_in_paths_work() {
    let folder = tempfile::Builder::new().prefix("Täler & Höhen (neu) 'x' ").tempdir().unwrap();
    let case = Case::in_folder(folder);
    fs::rename(case.path("dem.tif"), case.path("Höhen modell.tif")).unwrap();
    fs::rename(case.path("release.geojson"), case.path("Anriß ç.geojson")).unwrap();
    case.change("dem.tif", "Höhen modell.tif").change("release.geojson", "Anriß ç.geojson");
    case.accept(&["Höhen modell.tif", "No objections."]);
    let copy = case.path("Kopie für Zoë.yaml");
    fs::copy(case.path("project.yaml"), &copy).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_couloir")).arg("check").arg(&copy).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = case.couloir(&["init", "Neu für Zoë.yaml"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("couloir check 'Neu für Zoë.yaml'"));
}

#[test]
fn project_that_cannot_be_opened() {
    let case = Case::new();
    one_sentence(&case.couloir(&["check", "none.yaml"]), 3, &["none.yaml: there is no such file", "couloir init"]);
    one_sentence(&case.couloir(&["check", "."]), 3, &["this is a folder", "did you mean", "project.yaml"]);
    one_sentence(&case.couloir(&["check", "project.yaml/x.yaml"]), 3, &["a part of this path is a file"]);
    symlink("nowhere", case.path("dangling.yaml")).unwrap();
    one_sentence(
        &case.couloir(&["check", "dangling.yaml"]),
        3,
        &["dangling.yaml' is a link to 'nowhere', which is not there"],
    );
    symlink("loop.yaml", case.path("loop.yaml")).unwrap();
    one_sentence(
        &case.couloir(&["check", "loop.yaml"]),
        3,
        &["loop.yaml' is a link to 'loop.yaml', which cannot be followed"],
    );
}

#[test]
fn layers_that_cannot_be_opened() {
    let case = Case::new();
    symlink("nowhere.tif", case.path("link.tif")).unwrap();
    symlink("round", case.path("round")).unwrap();
    for (name, part) in [
        ("link.tif", "link to 'nowhere.tif', which is not there"),
        ("project.yaml/dem.tif", "dem.tif"),
        ("round/dem.tif", "round"),
    ] {
        case.text("project.yaml", PROJECT).change("dem.tif", name).refuse(&["project.yaml:3:8: terrain.dem", part]);
        case.text("project.yaml", PROJECT)
            .change("file: release.geojson", &format!("file: {name}"))
            .refuse(&["project.yaml:9:13: release[0].source.file", part]);
    }
}

/// A disk that takes nothing: a limit of zero bytes per file, with the signal for it ignored, so that writing fails as on
/// a full disk.
#[test]
fn disk_full() {
    let case = Case::new();
    let before = case.files();
    let full = |arguments: &str| {
        let line = format!("trap '' XFSZ; ulimit -f 0; exec '{}' {arguments}", env!("CARGO_BIN_EXE_couloir"));
        Command::new("sh").args(["-c", &line]).current_dir(case.path("")).output().unwrap()
    };
    one_sentence(&full("init new.yaml"), 1, &["new.yaml: cannot be written", "disk full"]);
    one_sentence(&full("schema > /dev/full"), 1, &["the output cannot be written"]);
    assert!(before == case.files(), "a half file was left behind");
}

#[test]
fn output_folder_that_cannot_be() {
    let case = Case::new();
    one_sentence(&case.couloir(&["init", "none/new.yaml"]), 2, &["none/new.yaml", "create the folder"]);
    one_sentence(&case.couloir(&["init", "dem.tif/new.yaml"]), 1, &["dem.tif/new.yaml: cannot be written"]);
}

/// A reader that has seen enough ends the program quietly.
#[test]
fn closed_pipe() {
    let line = format!("'{}' schema | head -1", env!("CARGO_BIN_EXE_couloir"));
    let output = Command::new("bash").args(["-o", "pipefail", "-c", &line]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
