//! The folder being prepared: built beside its final place, renamed when it is whole, removed when it is not.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::files::atomic;
use crate::files::known::{self, Known, Listed, Proof};
use crate::files::temporary::{self, Temporary};
use crate::files::{companions, inputs, seal, swap};
use crate::{Error, Note, Result};

pub(crate) struct Staging {
    root: Temporary,
    out: PathBuf,
    /// Files of an earlier `prepare` that may be replaced.
    replaced: Vec<String>,
    /// What stays in the folder because `prepare` did not write it, in a sentence.
    pub left: Option<Note>,
}

/// A folder with this file was written by `prepare`; it lists what may be replaced.
pub(crate) const MARK: &str = crate::site::prepared::LIST;

#[derive(Deserialize)]
struct Mark {
    files: Vec<Listed>,
}

impl Staging {
    /// Refuses an existing folder unless `overwrite`; then it stays untouched until [`Staging::commit`].
    pub(crate) fn begin(out: &Path, overwrite: bool, sources: &[PathBuf]) -> Result<Self> {
        let shown = out.display();
        let parent = match out.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        temporary::sweep(parent)?;
        if known::is_there(out) && !out.exists() {
            return Err(Error::input(format!(
                "'{shown}' is a link that leads nowhere: --out needs a folder that does not exist yet; remove the link"
            )));
        }
        let (mut replaced, mut left) = (Vec::new(), None);
        if out.exists() && !is_empty_folder(out) {
            if !out.is_dir() {
                return Err(Error::input(format!("'{shown}' is a file: --out needs a folder that does not exist yet")));
            }
            inputs::refuse_inside(out, sources)?;
            if !overwrite {
                return Err(Error::input(format!(
                    "the folder '{shown}' exists and is not empty: choose another --out, or replace it with --overwrite"
                )));
            }
            (replaced, left) = replaceable(out)?;
        }
        out.file_name().ok_or_else(|| Error::usage(format!("'{shown}' is no name for a new folder")))?;
        let made = Temporary::create(parent).and_then(|root| {
            fs::create_dir(root.path.join("out"))?;
            fs::create_dir(root.path.join("work"))?;
            Ok(root)
        });
        let root = made.map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory if !parent.is_dir() => {
                let what = if parent.exists() { "is a file, no folder" } else { "does not exist" };
                Error::input(format!("'{shown}' cannot be written: '{}' {what}", parent.display()))
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Error::input(format!(
                "'{shown}' cannot be written: no permission in '{}'; choose a folder you may write to",
                parent.display()
            )),
            _ => atomic::io_error(out, &error),
        })?;
        Ok(Self { root, out: out.to_path_buf(), replaced, left })
    }

    /// A file of the finished folder.
    pub(crate) fn site(&self, name: &str) -> PathBuf {
        swap::out(&self.root.path).join(name)
    }

    /// A file needed on the way only.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.root.path.join("work").join(name)
    }

    pub(crate) fn write_text(&self, name: &str, text: &str) -> Result<()> {
        fs::write(self.site(name), text).map_err(|e| atomic::io_error(&self.out.join(name), &e))
    }

    /// Speaks of the final folder, and of a full disk where that is the cause.
    pub(crate) fn explain(&self, error: Error) -> Error {
        let probe = self.root.path.join("probe");
        let full = fs::write(&probe, [0u8; 16384])
            .is_err_and(|e| matches!(e.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded));
        if full {
            let shown = self.out.display();
            return Error::failed(format!(
                "'{shown}' cannot be written: the disk is full; free some space or choose another --out"
            ));
        }
        let staged = swap::out(&self.root.path).display().to_string();
        Error { message: error.message.replace(&staged, &self.out.display().to_string()), ..error }
    }

    /// Writes the record with the list of all files, so that a later call knows them.
    pub(crate) fn write_mark(&self, mut record: serde_json::Value) -> Result<()> {
        record["files"] = serde_json::to_value(known::list(&swap::out(&self.root.path))?)
            .map_err(|error| Error::failed(format!("{MARK}: {error}")).caused_by(error))?;
        record["seal"] = seal::BLANK.into();
        seal::write(&self.site(MARK), &record)
    }

    /// The folder takes its name, or its files take the places of those of an earlier call, unless somebody has changed one of
    /// them in the meantime.
    pub(crate) fn commit(self) -> Result<PathBuf> {
        let fail = |error: std::io::Error| atomic::io_error(&self.out, &error);
        let root = &self.root.path;
        if !known::is_there(&self.out) || is_empty_folder(&self.out) {
            let _ = fs::remove_dir(&self.out);
            fs::rename(swap::out(root), &self.out).map_err(fail)?;
            return Ok(self.out.clone());
        }
        if !self.replaced.is_empty() {
            replaceable(&self.out)?;
        }
        let mut steps = swap::plan(root, &self.out, &|path| self.replaced.iter().any(|own| own == path))?;
        let stale = self.replaced.iter().filter(|path| !swap::out(root).join(path).exists());
        steps.extend(stale.map(|path| swap::Step { from: None, to: path.clone() }));
        steps.sort_by_key(|step| step.to == MARK);
        swap::commit(root, &self.out, steps)?;
        Ok(self.out.clone())
    }
}

/// What an earlier `prepare` wrote in a folder, and what else is there.
fn replaceable(out: &Path) -> Result<(Vec<String>, Option<Note>)> {
    let shown = out.display();
    if !out.join(MARK).is_file() {
        return Err(Error::input(format!(
            "the folder '{shown}' was not written by `couloir prepare` (it has no {MARK}), so --overwrite leaves it alone: \
             choose another --out"
        )));
    }
    let mark: Mark = seal::read(&out.join(MARK)).map_err(|error| {
        Error::input(format!("{error}, and --overwrite leaves the folder '{shown}' alone: choose another --out"))
    })?;
    let mut files: Known = mark.files.into_iter().map(|file| (file.path, Proof::Sha256(file.sha256))).collect();
    files.insert(MARK.into(), Proof::Own(true));
    let found = known::examine(out, &files, &[])?;
    known::refuse_changed(out, &found.changed)?;
    companions::refuse_beside(out, &found.added)?;
    Ok((found.unchanged, known::left_note(out, &found.added)))
}

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Preparing takes minutes: what somebody saves in the folder in the meantime is his.
    #[test]
    fn a_project_edited_while_it_is_prepared_again_stays() {
        let root = tempfile::tempdir().unwrap();
        let out = root.path().join("site");
        let prepare = |edit: &dyn Fn()| {
            let staging = Staging::begin(&out, true, &[])?;
            staging.write_text("project.yaml", "title: new")?;
            staging.write_mark(serde_json::json!({}))?;
            edit();
            staging.commit()
        };
        prepare(&|| ()).unwrap();
        prepare(&|| ()).unwrap();
        let refused = prepare(&|| fs::write(out.join("project.yaml"), "title: mine").unwrap()).unwrap_err();
        assert!(refused.message.contains("project.yaml"), "{refused}");
        assert_eq!(fs::read_to_string(out.join("project.yaml")).unwrap(), "title: mine");
        assert_eq!(known::entries(root.path()).unwrap().len(), 1, "nothing is left beside it");
    }
}
