//! The readers, in this process: thousands of cases a second.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use couloir::geo::raster::{self, ReadRaster};
use couloir::geo::vector::{self, VectorSourceResolved};
use couloir::geo::{Crs, crs};
use couloir::project::{self, schemes};
use couloir::site::rock_file;
use couloir::store::state_file::State;
use proptest::test_runner::TestCaseError;
use sha2::{Digest, Sha256};

use crate::edit::{apply, byte_edits, edits};
use crate::{fuzz, is_a_sentence, site};

/// Longer than this on any machine means without end.
const HANGS: Duration = Duration::from_secs(120);

/// Reads; whatever comes of it must not be a panic, a hang or a refusal that is no sentence.
fn judge<T>(case: &str, read: impl FnOnce() -> couloir::Result<T>) -> Result<(), TestCaseError> {
    let (done, watched) = mpsc::channel::<()>();
    let shown = case.to_string();
    let watch = std::thread::spawn(move || {
        if watched.recv_timeout(HANGS) == Err(mpsc::RecvTimeoutError::Timeout) {
            eprintln!("this hangs: {shown}");
            std::process::abort();
        }
    });
    let result = catch_unwind(AssertUnwindSafe(read));
    drop(done);
    let _ = watch.join();
    match result {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => is_a_sentence(&printed(&error.message)),
        Err(panic) => {
            let what = panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(|s| s.to_string()));
            Err(TestCaseError::fail(format!("a panic: {}", what.unwrap_or_default())))
        }
    }
}

/// As the program prints it.
fn printed(message: &str) -> String {
    couloir::process::console::one_line(message)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn project_files() {
    fuzz("project files", &edits(), 400, |edits| {
        let text = text(&apply(site::PROJECT.as_bytes(), &edits));
        judge(&text, || project::from_text(Path::new("project.yaml"), text.clone(), String::new()))
    });
}

#[test]
fn schemes() {
    fuzz("schemes", &edits(), 600, |edits| {
        let text = text(&apply(site::SCHEME.as_bytes(), &edits));
        judge(&text, || schemes::parse(&text, "scheme.yaml"))
    });
}

#[test]
fn shapes_of_rocks() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in site::files().into_iter().filter(|(name, _)| name.starts_with("rock.")) {
        fuzz(name, &edits(), 200, |edits| {
            let path = folder.path().join(name);
            std::fs::write(&path, apply(&content, &edits)).unwrap();
            judge(name, || rock_file::shape(&path)?.as_given(2700.0))
        });
    }
}

#[test]
fn ascii_grids() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.asc");
    let options = ReadRaster { crs: Some(Crs::from_epsg(2056).unwrap()), ..ReadRaster::default() };
    fuzz("ascii grids", &edits(), 300, |edits| {
        std::fs::write(&path, apply(site::dem().as_bytes(), &edits)).unwrap();
        judge("dem.asc", || raster::read_dem(&path, &options))
    });
}

#[test]
fn vectors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layer.geojson");
    let target = Crs::from_epsg(2056).unwrap();
    let files = site::files();
    let (_, layer) = files.iter().find(|(name, _)| *name == "release.geojson").unwrap();
    fuzz("vectors", &edits(), 300, |edits| {
        std::fs::write(&path, apply(layer, &edits)).unwrap();
        judge("layer.geojson", || vector::read(&VectorSourceResolved::file(path.to_str().unwrap())?, Some(&target)))
    });
}

#[test]
fn crs_descriptions() {
    for seed in ["EPSG:2056", "+proj=utm +zone=32 +datum=WGS84", "OGC:CRS84", "urn:ogc:def:crs:EPSG::25832"] {
        fuzz(seed, &edits(), 40, |edits| {
            let text = text(&apply(seed.as_bytes(), &edits)).replace('\0', " ");
            judge(&text, || Crs::from_user(&text).map(|crs| crs::utm_epsg_at(&crs, 0.0, 0.0).ok()))
        });
    }
}

/// Stored counts with their checksums made to fit again, so that the reader behind them is reached.
#[test]
fn states() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.bin");
    site::write(folder.path());
    let mut part = std::process::Command::new(env!("CARGO_BIN_EXE_couloir"));
    part.args(["run", "project.yaml", "--shard", "1/1", "--out", "part"]).current_dir(folder.path());
    assert!(part.output().unwrap().status.success());
    let seed = std::fs::read(folder.path().join("part/shard/state.bin")).unwrap();
    let sealed = RefCell::new(true);
    fuzz("states", &byte_edits(), 400, |edits| {
        let mut bytes = apply(&seed, &edits);
        // Every other one as a damaged disk leaves it.
        let seal = !*sealed.borrow();
        *sealed.borrow_mut() = seal;
        if seal {
            reseal(&mut bytes);
        }
        std::fs::write(&path, &bytes).unwrap();
        judge("state.bin", || State::load(&path).and_then(|state| state.save(&folder.path().join("again.bin"))))
    });
}

/// Head (mark, length, text, hash), counts, length and hash of all that.
fn reseal(bytes: &mut Vec<u8>) {
    if bytes.len() < 24 + 32 + 40 {
        return;
    }
    let text = u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
    if let Some(end) = text.checked_add(24).filter(|end| end + 72 <= bytes.len()) {
        let hash = Sha256::digest(&bytes[..end]);
        bytes[end..end + 32].copy_from_slice(&hash);
    }
    bytes.truncate(bytes.len() - 40);
    let (length, hash) = (bytes.len() as u64, Sha256::digest(&bytes));
    bytes.extend(length.to_le_bytes());
    bytes.extend(hash);
}
