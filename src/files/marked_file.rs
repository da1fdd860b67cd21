//! A single file some verb wrote, with a hidden mark beside it (`.name.couloir.json`) that lists its parts and their hashes:
//! only what is still the same may be replaced.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::atomic::io_error;
use crate::files::hash::sha256_file;
use crate::files::known::{self, Listed};
use crate::files::seal;
use crate::{Error, Result};

#[derive(Serialize, Deserialize)]
struct Mark {
    /// What wrote the file, for people.
    written_by: String,
    files: Vec<Listed>,
    seal: String,
}

fn mark_of(out: &Path) -> PathBuf {
    out.with_file_name(format!(".{}.couloir.json", name_of(out)))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Notes that these parts of `out` (those that exist) were written just now.
pub(crate) fn mark(out: &Path, parts: &[PathBuf], written_by: &str) -> Result<()> {
    let listed = |path: &PathBuf| {
        let bytes = std::fs::metadata(path).map_err(|error| io_error(path, &error))?.len();
        Ok(Listed { path: name_of(path), bytes, sha256: sha256_file(path)? })
    };
    let files = parts.iter().filter(|path| known::is_there(path)).map(listed).collect::<Result<_>>()?;
    seal::write(&mark_of(out), &Mark { written_by: written_by.into(), files, seal: seal::BLANK.into() })
}

/// Refuses to replace a file, any of its parts that exist, or a mark, that no verb wrote or that was changed since.
pub(crate) fn refuse_foreign(out: &Path, parts: &[PathBuf]) -> Result<()> {
    let shown = out.display();
    let there: Vec<&PathBuf> = parts.iter().filter(|path| known::is_there(path)).collect();
    let mark_path = mark_of(out);
    if !known::is_there(&mark_path) {
        return match there.is_empty() {
            true => Ok(()),
            false => Err(Error::input(format!(
                "'{shown}' was not written by couloir (no mark of it lies beside it), so it is not replaced: choose another name, \
                 or move it away"
            ))),
        };
    }
    let mark: Mark = seal::read(&mark_path)?;
    for path in there {
        let listed = mark.files.iter().find(|file| file.path == name_of(path));
        let unchanged = known::is_plain_file(path)
            && match listed {
                Some(listed) => sha256_file(path)? == listed.sha256,
                None => false,
            };
        if !unchanged {
            return Err(Error::input(format!(
                "'{}' was changed or added after couloir wrote '{shown}', so nothing is replaced: choose another name, or move it \
                 away",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Whether a part may be written: it is not there, or it is what was written with `out` before and nobody changed it.
pub(crate) fn may_write(out: &Path, part: &Path) -> bool {
    if !known::is_there(part) {
        return true;
    }
    let Ok(mark) = seal::read::<Mark>(&mark_of(out)) else { return false };
    let listed = mark.files.iter().find(|file| file.path == name_of(part));
    known::is_plain_file(part) && listed.is_some_and(|listed| sha256_file(part).is_ok_and(|hash| hash == listed.sha256))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_an_unchanged_file_of_our_own_is_replaced() {
        let root = tempfile::tempdir().unwrap();
        let (out, part) = (root.path().join("cut.shp"), root.path().join("cut.dbf"));
        let parts = [out.clone(), part.clone()];
        refuse_foreign(&out, &parts).unwrap();
        fs::write(&out, "mine").unwrap();
        assert!(refuse_foreign(&out, &parts).unwrap_err().message.contains("not written by couloir"));
        mark(&out, &parts, "a test").unwrap();
        refuse_foreign(&out, &parts).unwrap();
        // Added, changed, and a mark that was touched.
        fs::write(&part, "mine").unwrap();
        assert!(refuse_foreign(&out, &parts).unwrap_err().message.contains("cut.dbf"));
        fs::remove_file(&part).unwrap();
        fs::write(&out, "edited").unwrap();
        assert!(refuse_foreign(&out, &parts).unwrap_err().message.contains("changed"));
        fs::write(&out, "mine").unwrap();
        let text = fs::read_to_string(mark_of(&out)).unwrap().replace("a test", "a best");
        fs::write(mark_of(&out), text).unwrap();
        assert!(refuse_foreign(&out, &parts).unwrap_err().message.contains("damaged"));
    }
}
