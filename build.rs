//! Links the system PROJ: the one GDAL already uses, so that one process never holds two. Notes the revision it is built
//! from, for manifests.

use std::process::Command;

fn main() {
    if let Err(error) = pkg_config::Config::new().atleast_version("8.2").probe("proj") {
        panic!(
            "PROJ >= 8.2 was not found by pkg-config ({error}). Install it with \
             `apt-get install pkg-config libproj-dev libgdal-dev`, `brew install pkg-config proj gdal`, \
             `dnf install pkgconf proj-devel gdal-devel` or `conda install -c conda-forge pkg-config proj libgdal`."
        );
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=COULOIR_GIT_REVISION={}", revision().unwrap_or_else(|| "unknown".into()));
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
