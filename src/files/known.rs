//! Which files of a folder a verb wrote itself, and which are somebody else's.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::files::atomic::io_error;
use crate::files::hash::sha256_file;
use crate::{Error, Note, Result};

/// One file of a list that a verb leaves in its folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    /// Relative to the folder, with forward slashes.
    pub path: String,
    pub bytes: u64,
    pub sha256: String,
}

/// How to tell that a file is still the one that was written.
pub(crate) enum Proof {
    Sha256(String),
    /// Its own checksum tells; it was looked at.
    Own(bool),
}

/// Files by path relative to their folder, with forward slashes.
pub(crate) type Known = BTreeMap<String, Proof>;

/// What a folder holds beside what is known of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// As they were written.
    pub unchanged: Vec<String>,
    /// Known, but no longer what was written.
    pub changed: Vec<String>,
    /// Not known.
    pub added: Vec<String>,
}

/// What operating systems strew into folders; nobody misses or minds it.
const STREWN: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// Compares a folder with what is known of it. Names in `skip` (in the folder itself) are left out.
pub(crate) fn examine(folder: &Path, known: &Known, skip: &[&str]) -> Result<Found> {
    let mut paths = Vec::new();
    walk(folder, "", &|name| skip.contains(&name), &mut paths)?;
    let look = |path: &String| -> Result<Option<bool>> {
        let whole = folder.join(path);
        Ok(match known.get(path) {
            None => None,
            // A link in its place is not the file.
            Some(_) if !is_plain_file(&whole) => Some(false),
            Some(Proof::Own(intact)) => Some(*intact),
            Some(Proof::Sha256(hash)) => Some(sha256_file(&whole)? == *hash),
        })
    };
    let verdicts = paths.par_iter().map(look).collect::<Result<Vec<_>>>()?;
    let mut found = Found::default();
    for (path, verdict) in paths.into_iter().zip(verdicts) {
        match verdict {
            None => found.added.push(path),
            Some(true) => found.unchanged.push(path),
            Some(false) => found.changed.push(path),
        }
    }
    Ok(found)
}

/// Every file and link below a folder, by path, but what is to be skipped; empty folders are nobody's.
fn walk(folder: &Path, prefix: &str, skip: &dyn Fn(&str) -> bool, paths: &mut Vec<String>) -> Result<()> {
    for (name, path) in entries(folder)? {
        let relative = format!("{prefix}{name}");
        if STREWN.contains(&name.as_str()) || skip(&relative) {
            continue;
        }
        if is_real_folder(&path) {
            walk(&path, &format!("{relative}/"), skip, paths)?;
        } else {
            paths.push(relative);
        }
    }
    Ok(())
}

/// Names and paths in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let unreadable = |error: std::io::Error| {
        Error::failed(format!("'{}' cannot be read ({error})", folder.display())).caused_by(error)
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    found.sort();
    Ok(found)
}

pub(crate) fn is_real_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_dir())
}

pub(crate) fn is_plain_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_file())
}

/// Whether there is anything of that name, be it a link to nowhere.
pub(crate) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Every file below a folder with its hash, sorted; hidden ones left out.
pub(crate) fn list(folder: &Path) -> Result<Vec<Listed>> {
    let mut paths = Vec::new();
    walk(folder, "", &|path| path.rsplit('/').next().is_some_and(|name| name.starts_with('.')), &mut paths)?;
    let listed = |path: String| {
        let whole = folder.join(&path);
        let bytes = fs::metadata(&whole).map_err(|error| io_error(&whole, &error))?.len();
        Ok(Listed { sha256: sha256_file(&whole)?, path, bytes })
    };
    paths.into_par_iter().map(listed).collect()
}

/// Refuses files that were changed after they were written.
pub(crate) fn refuse_changed(folder: &Path, changed: &[String]) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    Err(Error::failed(format!(
        "'{}' holds what was changed after couloir wrote it, so nothing was removed: {}; move that away, or choose another \
         folder",
        folder.display(),
        some(changed)
    )))
}

/// What to say of files that stay; `None` if there are none.
pub(crate) fn left_note(folder: &Path, added: &[String]) -> Option<Note> {
    (!added.is_empty()).then(|| Note::LeftInFolder { folder: folder.display().to_string(), files: some(added) })
}

/// The first few of a list.
pub(crate) fn some(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let first = names.iter().take(SHOWN).map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{first} and {} more", names.len() - SHOWN) } else { first }
}

/// Removes files of a folder and the folders below it that are empty then.
pub(crate) fn remove(folder: &Path, files: impl IntoIterator<Item = String>) -> Result<()> {
    for file in files {
        let path = folder.join(&file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io_error(&path, &error)),
            _ => {}
        }
        let above = Path::new(&file).ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
        for above in above {
            // Fails, and shall, where something else lies in it.
            if fs::remove_dir(folder.join(above)).is_err() {
                break;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::hash::sha256;

    /// A link to the very same bytes is the user's: removing or replacing it would lose where it leads.
    #[test]
    #[cfg(unix)]
    fn a_link_in_the_place_of_a_file_is_not_that_file() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("run")).unwrap();
        fs::write(root.path().join("elsewhere"), "a").unwrap();
        std::os::unix::fs::symlink("../elsewhere", root.path().join("run/a.tif")).unwrap();
        let known = Known::from([("a.tif".to_string(), Proof::Sha256(sha256(b"a")))]);
        let found = examine(&root.path().join("run"), &known, &[]).unwrap();
        assert_eq!((found.changed, found.unchanged), (vec!["a.tif".to_string()], Vec::new()));
    }

    #[test]
    fn changed_and_added_files_are_found_and_only_known_ones_removed() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path();
        fs::create_dir_all(folder.join("layers/deep")).unwrap();
        fs::create_dir_all(folder.join("lines")).unwrap();
        let mut known = Known::new();
        for (name, text) in [("layers/a.tif", "a"), ("layers/b.tif", "b"), ("lines/c.csv", "c"), ("gone.txt", "g")] {
            fs::write(folder.join(name), text).unwrap();
            known.insert(name.into(), Proof::Sha256(sha256(text.as_bytes())));
        }
        fs::write(folder.join("layers/b.tif"), "B").unwrap();
        fs::write(folder.join("layers/deep/notes.txt"), "mine").unwrap();
        fs::write(folder.join("Thumbs.db"), "strewn").unwrap();
        fs::remove_file(folder.join("gone.txt")).unwrap();
        let found = examine(folder, &known, &[]).unwrap();
        assert_eq!(found.unchanged, ["layers/a.tif", "lines/c.csv"]);
        assert_eq!(found.changed, ["layers/b.tif"]);
        assert_eq!(found.added, ["layers/deep/notes.txt"]);
        assert!(refuse_changed(folder, &found.changed).unwrap_err().message.contains("layers/b.tif"));
        remove(folder, found.unchanged).unwrap();
        assert!(!folder.join("lines").exists() && folder.join("layers/b.tif").exists());
        assert!(folder.join("layers/deep/notes.txt").exists() && !folder.join("layers/a.tif").exists());
    }
}
