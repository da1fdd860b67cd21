//! The program itself on mutated sites, with 2 GB of address space and a time limit.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use crate::edit::{Edit, apply, byte_edits, edits};
use crate::{fuzz, is_a_sentence, site};

/// A run that still computes after the first limit is asked to stop and must do so before the second.
const LIMITS: &str = "ulimit -v 2000000; exec timeout --kill-after=60 ";

fn judge(folder: &Path, seconds: u32, arguments: &str) -> Result<(), TestCaseError> {
    let line = format!("{LIMITS}{seconds} '{}' {arguments}", env!("CARGO_BIN_EXE_couloir"));
    let output = Command::new("bash").args(["-c", &line]).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let fail = |why: &str| Err(TestCaseError::fail(format!("{arguments}: {why}: {said}")));
    match output.status.code() {
        Some(0) => Ok(()),
        // Asked to stop by `timeout`: fine for a run, a hang for anything else.
        Some(124) if arguments.starts_with("run") => Ok(()),
        Some(1..=3) => {
            let errors: Vec<&str> = said.lines().filter(|line| !line.starts_with("warning: ")).collect();
            match errors[..] {
                [error] if error.starts_with("error: ") => is_a_sentence(error),
                // The command line's own help has several lines.
                _ if output.status.code() == Some(2) => Ok(()),
                _ => fail("expected one sentence"),
            }
        }
        Some(124 | 137) => fail("a hang"),
        Some(code) => fail(&format!("exit code {code}")),
        None => fail(&format!("ended by signal {:?}", output.status.signal())),
    }
}

fn mutated(file: &str, edits: &[Edit], seconds: u32, arguments: &str) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    site::write(folder.path());
    let path = folder.path().join(file);
    std::fs::write(&path, apply(&std::fs::read(&path).unwrap(), edits)).unwrap();
    judge(folder.path(), seconds, arguments)
}

#[test]
fn the_seeds_are_in_order() {
    for arguments in
        ["check project.yaml", "run project.yaml --out out", "prepare --config recipe.yaml", "rocks rock.obj"]
    {
        let folder = tempfile::tempdir().unwrap();
        site::write(folder.path());
        let line = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_couloir"));
        let output = Command::new("bash").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn check_of_mutated_sites() {
    let files = [
        "project.yaml",
        "project.yaml",
        "scheme.yaml",
        "dem.asc",
        "codes.asc",
        "release.geojson",
        "road.geojson",
        "rock.xyz",
    ];
    fuzz("check", &(prop::sample::select(files.to_vec()), edits()), 60, |(file, edits)| {
        mutated(file, &edits, 60, "check project.yaml")
    });
}

#[test]
fn runs_of_mutated_projects() {
    fuzz("run", &edits(), 15, |edits| {
        mutated("project.yaml", &edits, 20, "run project.yaml --out out --limit 3 --threads 2")
    });
}

#[test]
fn other_verbs_on_mutated_files() {
    let verbs = [
        ("recipe.yaml", "prepare --config recipe.yaml"),
        ("dem.asc", "prepare --dem dem.asc --dem-crs EPSG:2056 --cell 4 --out site"),
        (
            "classes.csv",
            "prepare --dem dem.asc --dem-crs EPSG:2056 --layer ground=codes.asc --class-table classes.csv --out site",
        ),
        ("release.geojson", "clip release.geojson x.gpkg --extent 2600000,1200000,2600040,1200060"),
        ("dem.asc", "reproject dem.asc x.tif --source-crs EPSG:2056 --crs EPSG:21781"),
        ("project.yaml", "show project.yaml"),
        ("project.yaml", "trace project.yaml --release 0 --every 1000 -o x.csv"),
        ("rock.obj", "rocks rock.obj"),
    ];
    fuzz("other verbs", &(prop::sample::select(verbs.to_vec()), edits()), 30, |((file, verb), edits)| {
        mutated(file, &edits, 60, verb)
    });
}

/// Layers and rasters in binary formats, made by the program itself.
#[test]
fn binary_layers() {
    let made = tempfile::tempdir().unwrap();
    site::write(made.path());
    let copy = |arguments: &str| judge(made.path(), 60, arguments).expect("the seeds can be converted");
    for ending in ["gpkg", "shp", "fgb"] {
        copy(&format!("reproject release.geojson release.{ending} --crs EPSG:2056"));
    }
    copy("reproject dem.asc dem.tif --source-crs EPSG:2056 --crs EPSG:2056");
    let files = ["release.gpkg", "release.shp", "release.shx", "release.dbf", "release.prj", "release.fgb", "dem.tif"];
    fuzz("binary layers", &(prop::sample::select(files.to_vec()), byte_edits()), 30, |(file, edits)| {
        let folder = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(made.path()).unwrap().flatten() {
            std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
        let path = folder.path().join(file);
        std::fs::write(&path, apply(&std::fs::read(&path).unwrap(), &edits)).unwrap();
        let layer = if file == "dem.tif" {
            "release.geojson".into()
        } else {
            file.replace(".shx", ".shp").replace(".dbf", ".shp").replace(".prj", ".shp")
        };
        let dem = if file == "dem.tif" { file } else { "dem.asc" };
        let project = site::PROJECT
            .replacen("file: release.geojson", &format!("file: {layer}"), 1)
            .replace("dem: dem.asc", &format!("dem: {dem}"));
        std::fs::write(folder.path().join("project.yaml"), project).unwrap();
        judge(folder.path(), 60, "check project.yaml")
    });
}
