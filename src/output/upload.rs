//! A finished run is copied to an object store: every file, the manifest last.
//!
//! Such a store can neither be locked nor renames many files at once, so a run is never computed there. What an upload writes stands in a list beside it
//! ([`LIST`]), which comes first and stays: an upload that was cut off goes on, and nothing is replaced or removed that no upload has written.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::hash::sha256_file;
use crate::files::known;
use crate::geo::remote::RemoteFolder;
use crate::process::progress::Progress;
use crate::store::lock::FolderLock;
use crate::store::manifest;
use crate::store::run_folder::RESULTS;
use crate::{Error, Result};

/// What an upload wrote, in the folder it wrote to.
const LIST: &str = "couloir-upload.json";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Upload {
    /// Hash of each file, by its path; the manifest is the last to come.
    files: BTreeMap<String, String>,
    /// Paths of an earlier run that are still being removed.
    #[serde(default)]
    leaving: BTreeSet<String>,
    finished: bool,
}

/// Looks, before anything is computed, whether a run whose folder on this machine is `local` may be put there.
///
/// # Errors
/// Something else is there: another run, and it is not to be replaced, or what no run wrote.
pub(crate) fn refuse_unless_free(remote: &RemoteFolder, local: &Path, overwrite: bool) -> Result<()> {
    match found(remote)? {
        None => refuse_strangers(remote, &BTreeSet::new()),
        Some(there) => {
            let path = local.join(RESULTS);
            let own = path.is_file().then(|| sha256_file(&path)).transpose()?;
            if overwrite || there.is_of(own.as_ref()) { Ok(()) } else { Err(taken(remote)) }
        }
    }
}

impl Upload {
    /// Whether it is the run with these counts, be it classified anew since.
    fn is_of(&self, counts: Option<&String>) -> bool {
        counts.is_some() && self.files.get(RESULTS) == counts
    }
}

/// Copies a finished run. Called again it goes on where it was cut off, and has nothing to do if all is there.
pub(crate) fn upload(local: &Path, remote: &RemoteFolder, overwrite: bool, progress: &Progress) -> Result<()> {
    let _lock = FolderLock::take(local)?;
    let files: BTreeMap<String, String> =
        known::list(local)?.into_iter().map(|file| (file.path, file.sha256)).collect();
    let counts = files.get(RESULTS).filter(|_| files.contains_key(manifest::FILE_NAME));
    if counts.is_none() {
        return Err(Error::failed(format!("'{}' holds no finished run", local.display())));
    }
    let mut upload = Upload { files: files.clone(), leaving: BTreeSet::new(), finished: false };
    match found(remote)? {
        Some(there) if there.files == files => upload.leaving = there.leaving,
        Some(there) if overwrite || there.is_of(counts) => {
            refuse_changed(remote, &there)?;
            let stale = there.files.into_iter().filter(|(path, sha256)| files.get(path) != Some(sha256));
            upload.leaving = stale.map(|(path, _)| path).chain(there.leaving).collect();
        }
        Some(_) => return Err(taken(remote)),
        None => refuse_strangers(remote, &BTreeSet::new())?,
    }
    note(remote, &upload)?;
    let own: BTreeSet<String> = upload.files.keys().chain(&upload.leaving).cloned().collect();
    refuse_strangers(remote, &own)?;
    // First of all the manifest: files of two runs never stand beside it.
    let mut leaving: Vec<String> = upload.leaving.iter().cloned().collect();
    leaving.sort_by_key(|path| path != manifest::FILE_NAME);
    leaving.iter().try_for_each(|path| remote.remove(path))?;
    if !leaving.is_empty() {
        upload.leaving.clear();
        note(remote, &upload)?;
    }
    progress.stage("upload", upload.files.len() as u64);
    let mut paths: Vec<&String> = upload.files.keys().collect();
    paths.sort_by_key(|path| *path == manifest::FILE_NAME);
    for path in paths {
        let file = local.join(path);
        let bytes = std::fs::metadata(&file).map_err(|error| crate::files::atomic::io_error(&file, &error))?.len();
        // What the list names and has its size was sent by this very upload.
        if remote.bytes_of(path)? != Some(bytes) {
            remote.put_file(path, &file)?;
        }
        progress.add(1);
    }
    upload.finished = true;
    note(remote, &upload)
}

fn note(remote: &RemoteFolder, upload: &Upload) -> Result<()> {
    let text = serde_json::to_string_pretty(upload).map_err(|e| Error::failed(format!("{LIST}: {e}")).caused_by(e))?;
    remote.put_bytes(LIST, (text + "\n").as_bytes())
}

/// What an earlier upload has left there.
fn found(remote: &RemoteFolder) -> Result<Option<Upload>> {
    if remote.bytes_of(LIST)?.is_none() {
        return Ok(None);
    }
    let upload = serde_json::from_slice(&remote.read(LIST)?);
    upload.map(Some).map_err(|error| {
        let shown = remote.shown();
        Error::failed(format!("'{shown}/{LIST}' is not what couloir wrote ({error}); choose another folder"))
            .caused_by(error)
    })
}

fn taken(remote: &RemoteFolder) -> Error {
    Error::failed(format!(
        "'{}' holds another run; choose another folder with `--out`, or replace it with `--overwrite`",
        remote.shown()
    ))
}

/// Refuses a folder that holds what no upload wrote, and one that cannot be looked into.
fn refuse_strangers(remote: &RemoteFolder, own: &BTreeSet<String>) -> Result<()> {
    let there = remote.list()?;
    if !own.is_empty() && !there.contains(LIST) {
        return Err(Error::failed(format!(
            "'{}' does not list what is in it, so nothing is known of files that must not be replaced: allow listing, or choose another folder",
            remote.shown()
        )));
    }
    match there.iter().find(|name| *name != LIST && !own.contains(*name)) {
        None => Ok(()),
        Some(name) => Err(Error::failed(format!(
            "'{}' is not empty (it holds '{name}', which no run wrote); choose an empty folder with `--out`",
            remote.shown()
        ))),
    }
}

/// Refuses to replace files that were changed since a finished upload wrote them.
fn refuse_changed(remote: &RemoteFolder, there: &Upload) -> Result<()> {
    let mut changed = Vec::new();
    for (path, sha256) in there.files.iter().filter(|_| there.finished) {
        if remote.bytes_of(path)?.is_some() && remote.sha256(path)? != *sha256 {
            changed.push(path.clone());
        }
    }
    known::refuse_changed(Path::new(remote.shown()), &changed)
}
