//! The folder being prepared: built beside its final place, renamed when it is whole, removed when it is not.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::geo::atomic;
use crate::{Error, Result};

pub struct Staging {
    root: PathBuf,
    out: PathBuf,
}

/// A folder with this file was written by `prepare` and may be replaced.
const MARK: &str = "prepare.json";

impl Staging {
    /// Refuses an existing folder unless `overwrite`; then it stays untouched until [`Staging::commit`].
    pub fn begin(out: &Path, overwrite: bool) -> Result<Self> {
        let shown = out.display();
        if out.exists() && !is_empty_folder(out) {
            if !out.is_dir() {
                return Err(Error::input(format!("'{shown}' is a file: --out needs a folder that does not exist yet")));
            }
            if !overwrite {
                return Err(Error::input(format!(
                    "the folder '{shown}' exists and is not empty: choose another --out, or replace it with --overwrite"
                )));
            }
            if !out.join(MARK).is_file() {
                return Err(Error::input(format!(
                    "the folder '{shown}' was not written by `couloir prepare` (it has no {MARK}), so --overwrite leaves it alone: \
                     choose another --out"
                )));
            }
        }
        let name = out.file_name().ok_or_else(|| Error::usage(format!("'{shown}' is no name for a new folder")))?;
        let parent = match out.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let root = parent.join(format!(".{}.couloir-{}", name.to_string_lossy(), std::process::id()));
        let made = fs::create_dir(&root)
            .and_then(|()| fs::create_dir(root.join("site")))
            .and_then(|()| fs::create_dir(root.join("work")));
        made.map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => {
                Error::input(format!("'{shown}' cannot be written: the folder '{}' does not exist", parent.display()))
            }
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Error::input(format!(
                "'{shown}' cannot be written: no permission in '{}'; choose a folder you may write to",
                parent.display()
            )),
            _ => atomic::io_error(out, &error),
        })?;
        Ok(Self { root, out: out.to_path_buf() })
    }

    /// A file of the finished folder.
    pub fn site(&self, name: &str) -> PathBuf {
        self.root.join("site").join(name)
    }

    /// A file needed on the way only.
    pub fn work(&self, name: &str) -> PathBuf {
        self.root.join("work").join(name)
    }

    pub fn write_text(&self, name: &str, text: &str) -> Result<()> {
        fs::write(self.site(name), text).map_err(|e| atomic::io_error(&self.out.join(name), &e))
    }

    /// Speaks of the final folder, and of a full disk where that is the cause.
    pub fn explain(&self, error: Error) -> Error {
        let probe = self.root.join("probe");
        let full = fs::write(&probe, [0u8; 16384])
            .is_err_and(|e| matches!(e.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded));
        if full {
            let shown = self.out.display();
            return Error::failed(format!(
                "'{shown}' cannot be written: the disk is full; free some space or choose another --out"
            ));
        }
        let staged = self.root.join("site").display().to_string();
        Error { message: error.message.replace(&staged, &self.out.display().to_string()), ..error }
    }

    /// The folder takes its name; an older one of that name is removed only then.
    pub fn commit(self) -> Result<PathBuf> {
        let fail = |error: std::io::Error| atomic::io_error(&self.out, &error);
        let old = self.root.join("old");
        let replaced = self.out.exists();
        if replaced {
            fs::rename(&self.out, &old).map_err(fail)?;
        }
        if let Err(error) = fs::rename(self.root.join("site"), &self.out) {
            if replaced {
                let _ = fs::rename(&old, &self.out);
            }
            return Err(fail(error));
        }
        Ok(self.out.clone())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}
