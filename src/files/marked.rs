//! A folder in which a verb keeps a list of what it wrote (`.couloir.json`), so that it can replace that and nothing else:
//! for verbs whose results have no manifest.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::atomic::io_error;
use crate::files::known::{self, Known, Listed, Proof};
use crate::files::{companions, seal, swap, temporary::Temporary};
use crate::{Error, Result};

/// Name of the list.
pub(crate) const FILE_NAME: &str = ".couloir.json";

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Mark {
    /// What wrote the folder, for people.
    written_by: String,
    files: Vec<Listed>,
    seal: String,
}

/// A folder this process may write files of its own to.
#[derive(Debug)]
pub struct Marked {
    folder: PathBuf,
    mark: Mark,
    /// New files, with the paths they will have.
    root: Temporary,
    /// After the new files: a folder that got none is as it was.
    begun: Begun,
}

/// A folder that was marked just now. What fails while there is nothing else in it leaves no trace.
#[derive(Debug, Default)]
struct Begun {
    mark: Option<PathBuf>,
    folder: Option<PathBuf>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        let holds_more =
            |folder: &Path| known::entries(folder).is_ok_and(|all| all.iter().any(|(n, _)| n != FILE_NAME));
        let Some(mark) = self.mark.as_ref().filter(|mark| !mark.parent().is_some_and(holds_more)) else { return };
        let _ = fs::remove_file(mark);
        self.folder.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

impl Marked {
    /// Takes a folder that is not there, empty, or was written by the same verb. Nothing in it changes until
    /// [`Marked::commit`] but that it is marked.
    pub fn open(folder: &Path, written_by: &str) -> Result<Self> {
        let fail = |error: std::io::Error| io_error(folder, &error);
        let path = folder.join(FILE_NAME);
        let mut begun = Begun::default();
        let mark = if known::is_there(&path) {
            let mark: Mark = seal::read(&path)?;
            if mark.written_by != written_by {
                return Err(Error::failed(format!(
                    "'{}' was written by {}, not by {written_by}: choose another folder",
                    folder.display(),
                    mark.written_by
                )));
            }
            mark
        } else {
            begun.folder = (!folder.exists()).then(|| folder.to_path_buf());
            fs::create_dir_all(folder).map_err(fail)?;
            if let Some((name, _)) = known::entries(folder)?.first() {
                return Err(Error::failed(format!(
                    "'{}' is not empty (it holds '{name}') and was not written by {written_by}: choose another folder",
                    folder.display()
                )));
            }
            let mark = Mark { written_by: written_by.into(), files: Vec::new(), seal: seal::BLANK.into() };
            begun.mark = Some(path.clone());
            seal::write(&path, &mark)?;
            mark
        };
        refuse_unless_ours(folder, &mark)?;
        let root = Temporary::create(folder).map_err(fail)?;
        swap::begin(&root.path)?;
        Ok(Self { folder: folder.to_path_buf(), mark, root, begun })
    }

    /// Where to make a file.
    pub fn path(&self, name: &str) -> PathBuf {
        swap::out(&self.root.path).join(name)
    }

    /// Puts all new files in place, where they may replace those of an earlier call only. Earlier ones that were not made
    /// again go away if `all`.
    ///
    /// # Errors
    /// Somebody has changed one of the earlier files since [`Marked::open`], or put another where a new one is to go.
    pub fn commit(mut self, all: bool) -> Result<()> {
        let out = swap::out(&self.root.path);
        refuse_unless_ours(&self.folder, &self.mark)?;
        let new = known::list(&out)?;
        let is_ours = |path: &str| path == FILE_NAME || self.mark.files.iter().any(|file| file.path == path);
        let is_new = |path: &str| new.iter().any(|file| file.path == path);
        let (stale, kept): (Vec<&Listed>, Vec<&Listed>) =
            self.mark.files.iter().filter(|file| !is_new(&file.path)).partition(|_| all);
        let mut files: Vec<Listed> = kept.into_iter().chain(&new).cloned().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        seal::write(&out.join(FILE_NAME), &Mark { files, ..self.mark.clone() })?;
        let stale: Vec<String> = stale.into_iter().map(|file| file.path.clone()).collect();
        // A folder is replaced as a whole only if everything in it goes.
        let replaceable =
            |path: &str| is_ours(path) && (is_new(path) || path == FILE_NAME || stale.iter().any(|s| s == path));
        let mut steps = swap::plan(&self.root.path, &self.folder, &replaceable)?;
        steps.extend(stale.iter().map(|path| swap::Step { from: None, to: path.clone() }));
        steps.sort_by_key(|step| step.to == FILE_NAME);
        // From here on the mark says what is there.
        (self.begun.mark, self.begun.folder) = (None, None);
        swap::commit(&self.root.path, &self.folder, steps)
    }
}

/// Refuses a folder in which what the mark lists was changed, or something lies that would be read with it.
fn refuse_unless_ours(folder: &Path, mark: &Mark) -> Result<()> {
    let found = known::examine(folder, &known_files(mark), &[FILE_NAME])?;
    known::refuse_changed(folder, &found.changed)?;
    companions::refuse_beside(folder, &found.added)
}

fn known_files(mark: &Mark) -> Known {
    mark.files.iter().map(|file| (file.path.clone(), Proof::Sha256(file.sha256.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, files: &[(&str, &str)]) -> Result<()> {
        let marked = Marked::open(folder, "a test")?;
        for (name, text) in files {
            fs::write(marked.path(name), text).unwrap();
        }
        marked.commit(true)
    }

    /// Verbs compute for minutes: what somebody saves in the meantime is his.
    #[test]
    fn what_is_edited_while_a_verb_computes_stays() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("plots");
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        write(&folder, &[("a.svg", "1"), ("b.svg", "1")]).unwrap();
        for (name, all) in [("a.svg", false), ("b.svg", true)] {
            let marked = Marked::open(&folder, "a test").unwrap();
            fs::write(marked.path("a.svg"), "2").unwrap();
            fs::write(folder.join(name), "edited").unwrap();
            assert!(marked.commit(all).unwrap_err().message.contains(name));
            assert_eq!(text(name), "edited");
            fs::write(folder.join(name), "1").unwrap();
        }
        let marked = Marked::open(&folder, "a test").unwrap();
        fs::write(marked.path("new.svg"), "2").unwrap();
        fs::write(folder.join("new.svg"), "mine").unwrap();
        assert!(marked.commit(true).unwrap_err().message.contains("new.svg"));
        assert_eq!((text("new.svg"), text("a.svg")), ("mine".into(), "1".into()));
        assert_eq!(known::entries(&folder).unwrap().len(), 4, "three files and the mark");
    }

    /// A list that names what lies elsewhere, with a checksum that fits, had that removed.
    #[test]
    fn a_mark_that_names_files_elsewhere_removes_none_of_them() {
        let root = tempfile::tempdir().unwrap();
        let (folder, mine) = (root.path().join("plots"), root.path().join("mine.txt"));
        fs::write(&mine, "mine").unwrap();
        write(&folder, &[("a.svg", "1")]).unwrap();
        for path in ["../mine.txt", mine.to_str().unwrap()] {
            let mut mark: Mark = seal::read(&folder.join(FILE_NAME)).unwrap();
            mark.files.truncate(1);
            mark.files.push(Listed { path: path.into(), bytes: 4, sha256: crate::files::hash::sha256(b"mine") });
            seal::write(&folder.join(FILE_NAME), &mark).unwrap();
            assert!(write(&folder, &[("a.svg", "2")]).unwrap_err().message.contains(path));
            assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
            assert_eq!(fs::read_to_string(folder.join("a.svg")).unwrap(), "1");
        }
    }

    #[test]
    fn only_own_unchanged_files_are_replaced() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("plots");
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        write(&folder, &[("a.svg", "1"), ("b.svg", "1")]).unwrap();
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        write(&folder, &[("a.svg", "2")]).unwrap();
        assert_eq!((text("a.svg"), text("b.svg"), text("notes.txt")), ("2".into(), String::new(), "mine".into()));
        // In the way.
        assert!(write(&folder, &[("a.svg", "3"), ("notes.txt", "3")]).unwrap_err().message.contains("notes.txt"));
        assert_eq!((text("a.svg"), text("notes.txt")), ("2".into(), "mine".into()));
        // Changed.
        fs::write(folder.join("a.svg"), "edited").unwrap();
        assert!(write(&folder, &[("a.svg", "3")]).unwrap_err().message.contains("a.svg"));
        assert_eq!(text("a.svg"), "edited");
        assert!(Marked::open(&folder, "a test").is_err(), "said before anything is computed");
        // What is given up leaves nothing.
        let (new, empty) = (root.path().join("new"), root.path().join("empty"));
        fs::create_dir(&empty).unwrap();
        for place in [&new, &empty] {
            let marked = Marked::open(place, "a test").unwrap();
            fs::write(marked.path("a.svg"), "1").unwrap();
        }
        assert!(!new.exists() && fs::read_dir(&empty).unwrap().count() == 0);
        // Another's folder.
        let foreign = root.path().join("foreign");
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("a.svg"), "mine").unwrap();
        assert!(write(&foreign, &[("a.svg", "1")]).unwrap_err().message.contains("not empty"));
        assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);
        fs::write(folder.join("a.svg"), "2").unwrap();
        let error = Marked::open(&folder, "another test").unwrap_err();
        assert!(error.message.contains("written by a test"), "{error}");
    }
}
