//! The files a project was read from, with their hashes: what a result must be able to prove later.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use super::{Reading, Site};
use crate::Result;
use crate::geo::file_list;

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InputFile {
    /// Where it is.
    pub path: PathBuf,
    /// Of its bytes.
    pub sha256: String,
    /// What it is for: `terrain`, `release`, `ground`, …
    pub role: String,
}

impl Site {
    /// Bytes of the files the heights come from; `None` if one is not on this machine.
    pub(crate) fn terrain_file_bytes(&self) -> Option<u64> {
        let files = self.inputs.iter().filter(|input| input.role == "terrain");
        files.map(|input| std::fs::metadata(&input.path).ok().map(|about| about.len())).sum()
    }
}

/// Adds a raster or vector file, and every file it draws on, to what was read.
pub(super) fn add(inputs: &mut Vec<InputFile>, role: &str, path: &Path) -> Result<()> {
    let known = |path: &PathBuf| inputs.iter().any(|input| input.path == *path && input.role == role);
    if known(&path.to_path_buf()) {
        return Ok(());
    }
    let files: Vec<PathBuf> = file_list::files_of(path).into_iter().filter(|file| !known(file)).collect();
    let hashed = files.into_par_iter().map(|file| Ok((file_list::hash(&file)?.1, file)));
    for (sha256, path) in hashed.collect::<Result<Vec<_>>>()? {
        inputs.push(InputFile { path, sha256, role: role.to_string() });
    }
    Ok(())
}

impl Reading<'_> {
    /// Notes a raster or vector file, and every file it draws on, as read.
    pub(crate) fn input(&mut self, role: &str, path: &Path) -> Result<()> {
        add(&mut self.inputs, role, path)
    }

    /// Notes a file that is no geodata (a shape, a scheme) as read; its bytes are what was read.
    pub(crate) fn plain_input(&mut self, role: &str, key: &str, source: &str, path: &Path) -> Result<()> {
        let sha256 = file_list::hash(path)?.1;
        self.as_read.push(super::AsRead::new(key, source, sha256.clone()));
        if !self.inputs.iter().any(|input| input.path == path && input.role == role) {
            self.inputs.push(InputFile { path: path.to_path_buf(), sha256, role: role.to_string() });
        }
        Ok(())
    }
}
