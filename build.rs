//! Links the system PROJ (feature `system`): the one GDAL already uses, so that one process never holds two. Notes what the engine is built
//! from: the commit, for manifests, and a hash of its sources, by which parts of a run know each other.

use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

fn main() {
    let system = std::env::var_os("CARGO_FEATURE_SYSTEM").is_some();
    if let Some(Err(error)) = system.then(|| pkg_config::Config::new().atleast_version("8.2").probe("proj")) {
        panic!(
            "PROJ >= 8.2 was not found by pkg-config ({error}). Install it with \
             `apt-get install pkg-config libproj-dev libgdal-dev`, `brew install pkg-config proj gdal`, \
             `dnf install pkgconf proj-devel gdal-devel` or `conda install -c conda-forge pkg-config proj libgdal`."
        );
    }
    println!("cargo::rerun-if-changed=build.rs");
    let (hash, version) = (source_hash(), std::env::var("CARGO_PKG_VERSION").unwrap_or_default());
    println!("cargo::rustc-env=COULOIR_SOURCE_HASH={hash}");
    // A version with build metadata, as semver has it.
    println!("cargo::rustc-env=COULOIR_VERSION={version}+{}", &hash[..12]);
    println!("cargo::rustc-env=COULOIR_GIT_REVISION={}", revision().unwrap_or_else(|| "unknown".into()));
}

/// Everything the engine's numbers depend on: its sources and the versions of its libraries. The same for a checkout, a
/// packaged crate and a tarball, on any system.
fn source_hash() -> String {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=Cargo.lock");
    let mut files = vec![PathBuf::from("Cargo.lock")];
    files_below(Path::new("src"), &mut files);
    let named = |path: PathBuf| (path.to_string_lossy().replace('\\', "/"), path);
    let mut files: Vec<(String, PathBuf)> = files.into_iter().map(named).collect();
    files.sort();
    let mut hash = Sha256::new();
    for (name, path) in &files {
        // A library crate may come without Cargo.lock; line ends depend on how git checked the file out.
        let text = std::fs::read(path).unwrap_or_default();
        let text: Vec<u8> = text.into_iter().filter(|byte| *byte != b'\r').collect();
        hash.update(format!("{name}\n{}\n", text.len()));
        hash.update(&text);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{} cannot be read: {error}", folder.display()));
    for path in entries.flatten().map(|entry| entry.path()) {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() {
            files_below(&path, files);
        } else if !hidden && path.is_file() {
            files.push(path);
        }
    }
}

/// The commit of this crate's own repository; `None` for a packaged crate, even when it is built inside another one.
fn revision() -> Option<String> {
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if std::fs::canonicalize(top).ok()? != std::fs::canonicalize(".").ok()? {
        return None;
    }
    // Built anew when another commit is checked out.
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", file])?;
        if std::path::Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Some(git(&["rev-parse", "HEAD"])? + if changed { "-modified" } else { "" })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
}
