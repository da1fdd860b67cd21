//! The files a project was read from, with their hashes: what a result must be able to prove later.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::Reading;
use crate::{Error, Result, files};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputFile {
    pub path: PathBuf,
    pub sha256: String,
    /// What it is for: `terrain`, `release`, `ground`, …
    pub role: String,
}

impl Reading<'_> {
    /// Notes a file (a shapefile with its companions) as read.
    pub fn input(&mut self, role: &str, path: &Path) -> Result<()> {
        for path in with_companions(path) {
            if self.inputs.iter().any(|input| input.path == path && input.role == role) || !path.is_file() {
                continue;
            }
            let sha256 = hash(&path)?;
            self.inputs.push(InputFile { path, sha256, role: role.to_string() });
        }
        Ok(())
    }
}

fn with_companions(path: &Path) -> Vec<PathBuf> {
    let shapefile = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("shp"));
    let endings: &[&str] = if shapefile { &["shx", "dbf", "prj", "cpg"] } else { &[] };
    let companions = endings.iter().map(|ending| path.with_extension(ending));
    std::iter::once(path.to_path_buf()).chain(companions).collect()
}

fn hash(path: &Path) -> Result<String> {
    files::refuse_endless(path, "the input")?;
    let unreadable = |e| Error::input(format!("'{}' cannot be read ({e}); check its permissions", path.display()));
    let mut file = File::open(path).map_err(unreadable)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer).map_err(unreadable)?;
        if read == 0 {
            break;
        }
        digest.write_all(&buffer[..read]).map_err(unreadable)?;
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
