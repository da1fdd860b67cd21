//! Many files that take their places together or not at all.
//!
//! They are made in `ROOT/out`, a hidden folder on the same file system. When all are whole, `ROOT/journal.json` says what
//! goes where, and then they are renamed. Whoever finds a journal after a kill finishes the work; without one nothing has
//! happened yet. What they replace is kept in `ROOT/old` until the end.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::atomic::io_error;
use crate::files::{known, seal};
use crate::{Error, Result};

const OUT: &str = "out";
const OLD: &str = "old";
pub(crate) const JOURNAL: &str = "journal.json";

/// Names a swap uses in its root.
pub(crate) const NAMES: [&str; 3] = [OUT, OLD, JOURNAL];

#[derive(Debug, Serialize, Deserialize)]
struct Journal {
    /// The folder files go to, seen from the folder that holds the root.
    target: String,
    steps: Vec<Step>,
    seal: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// Seen from the root; `None`: what is at `to` goes away.
    pub from: Option<String>,
    /// Seen from the target.
    pub to: String,
}

/// Where to make the files, with the paths they will have.
pub(crate) fn out(root: &Path) -> PathBuf {
    root.join(OUT)
}

/// Makes an empty folder for new files.
pub(crate) fn begin(root: &Path) -> Result<PathBuf> {
    clear(root)?;
    let out = out(root);
    fs::create_dir_all(&out).map_err(|error| io_error(&out, &error))?;
    Ok(out)
}

/// What has to be renamed so that everything in `ROOT/out` gets into a folder. Only files for which `replaceable` holds may
/// be replaced.
///
/// # Errors
/// Something else is in the way.
pub(crate) fn plan(root: &Path, target: &Path, replaceable: &dyn Fn(&str) -> bool) -> Result<Vec<Step>> {
    let (mut steps, mut in_the_way) = (Vec::new(), Vec::new());
    plan_folder(&out(root), target, "", replaceable, &mut steps, &mut in_the_way)?;
    if in_the_way.is_empty() {
        return Ok(steps);
    }
    Err(Error::failed(format!(
        "'{}' holds what couloir did not write where results are to go: {}; move that away, or choose another folder",
        target.display(),
        known::some(&in_the_way)
    )))
}

fn plan_folder(
    from: &Path,
    to: &Path,
    prefix: &str,
    replaceable: &dyn Fn(&str) -> bool,
    steps: &mut Vec<Step>,
    in_the_way: &mut Vec<String>,
) -> Result<()> {
    for (name, path) in known::entries(from)? {
        let relative = format!("{prefix}{name}");
        let there = to.join(&name);
        let step = || Step { from: Some(format!("{OUT}/{relative}")), to: relative.clone() };
        let is_folder = known::is_real_folder(&path);
        if !known::is_there(&there) {
            steps.push(step());
        } else if is_folder && known::is_real_folder(&there) {
            let mut below = Vec::new();
            files_below(&there, &relative, &mut below)?;
            // As a whole where possible: one rename is over in an instant.
            if below.iter().all(|file| replaceable(file)) {
                steps.push(step());
            } else {
                plan_folder(&path, &there, &format!("{relative}/"), replaceable, steps, in_the_way)?;
            }
        } else if !is_folder && !known::is_real_folder(&there) && replaceable(&relative) {
            steps.push(step());
        } else {
            in_the_way.push(relative);
        }
    }
    Ok(())
}

fn files_below(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<()> {
    for (name, path) in known::entries(folder)? {
        let relative = format!("{prefix}/{name}");
        if known::is_real_folder(&path) { files_below(&path, &relative, files)? } else { files.push(relative) }
    }
    Ok(())
}

/// Takes the steps. From the moment the journal is written they will all be taken, if not now then by the next process.
///
/// # Errors
/// A step leads out of the folder: then none is taken.
pub(crate) fn commit(root: &Path, target: &Path, steps: Vec<Step>) -> Result<()> {
    let journal = Journal { target: seen_from_beside(root, target), steps, seal: seal::BLANK.into() };
    refuse_outside(&journal, target)?;
    seal::write(&root.join(JOURNAL), &journal)?;
    finish(root).map(|_| ())
}

/// Lists of files lie in folders that are passed on, and anybody can write one with a checksum that fits: what they name
/// elsewhere is nobody's business here.
fn refuse_outside(journal: &Journal, target: &Path) -> Result<()> {
    let is_below = |path: &str| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    let leads_out = |step: &&Step| !is_below(&step.to) || step.to.is_empty() || !step.from.iter().all(|f| is_below(f));
    let named = journal.steps.iter().find(leads_out).map(|step| step.to.as_str());
    match named.or((!is_below(&journal.target)).then_some(journal.target.as_str())) {
        None => Ok(()),
        Some(name) => Err(Error::input(format!(
            "'{}' holds a list of files that names '{name}', which does not lie in the folder, so nothing was replaced or removed: \
             choose another folder",
            target.display()
        ))),
    }
}

fn seen_from_beside(root: &Path, target: &Path) -> String {
    let beside = root.parent().unwrap_or(Path::new(""));
    if beside == target { String::new() } else { target.file_name().unwrap_or_default().to_string_lossy().into_owned() }
}

/// Takes the steps of a journal that a killed process left; tells whether there was one.
pub(crate) fn finish(root: &Path) -> Result<bool> {
    let path = root.join(JOURNAL);
    if !path.exists() {
        return Ok(false);
    }
    let journal: Journal = seal::read(&path)?;
    let beside = root.parent().unwrap_or(Path::new(""));
    let target = if journal.target.is_empty() { beside.to_path_buf() } else { beside.join(&journal.target) };
    refuse_outside(&journal, &target)?;
    let old = root.join(OLD);
    fs::create_dir_all(&old).map_err(|error| io_error(&old, &error))?;
    for (number, step) in journal.steps.iter().enumerate() {
        let (from, to, kept) =
            (step.from.as_ref().map(|from| root.join(from)), target.join(&step.to), old.join(number.to_string()));
        let fail = |error: std::io::Error| io_error(&to, &error);
        let done = from.as_ref().map_or(kept.exists(), |from| !known::is_there(from));
        if done {
            continue;
        }
        if known::is_there(&to) {
            fs::rename(&to, &kept).map_err(fail)?;
        }
        if let Some(from) = from {
            fs::rename(from, &to).map_err(fail)?;
        }
    }
    fs::remove_file(&path).map_err(|error| io_error(&path, &error))?;
    clear(root)?;
    Ok(true)
}

/// Removes what a swap has in its root.
pub(crate) fn clear(root: &Path) -> Result<()> {
    for name in [JOURNAL, OUT, OLD] {
        let path = root.join(name);
        let removed = if known::is_real_folder(&path) { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        match removed {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io_error(&path, &error)),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Killed after any of its renames, a swap is finished by the next process.
    #[test]
    fn a_swap_killed_anywhere_is_finished_later() {
        for killed_after in 0..6 {
            let folder = tempfile::tempdir().unwrap();
            let (target, root) = (folder.path(), folder.path().join(".new"));
            let put = |name: &str, text: &str| {
                let path = target.join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            };
            let get = |name: &str| fs::read_to_string(target.join(name)).unwrap_or_default();
            begin(&root).unwrap();
            for name in ["maps/a", "mixed/a", "mixed/b", "manifest", "fresh/a"] {
                put(&format!(".new/out/{name}"), "new");
            }
            for name in ["maps/a", "maps/b", "mixed/a", "mixed/notes", "manifest"] {
                put(name, "old");
            }
            let ours = |name: &str| !name.contains("notes");
            let steps = plan(&root, target, &ours).unwrap();
            let journal = Journal { target: String::new(), steps: steps.clone(), seal: seal::BLANK.into() };
            seal::write(&root.join(JOURNAL), &journal).unwrap();
            // Every step is two renames where something is replaced.
            fs::create_dir_all(root.join(OLD)).unwrap();
            for renames in 0..killed_after {
                let Some(step) = steps.get(renames / 2) else { break };
                let (from, to) = (root.join(step.from.as_ref().unwrap()), target.join(&step.to));
                if renames % 2 == 0 && to.exists() {
                    fs::rename(&to, root.join(OLD).join((renames / 2).to_string())).unwrap();
                } else if renames % 2 == 1 {
                    fs::rename(from, to).unwrap();
                }
            }
            assert!(finish(&root).unwrap());
            assert!(!finish(&root).unwrap());
            for name in ["maps/a", "mixed/a", "mixed/b", "manifest", "fresh/a"] {
                assert_eq!(get(name), "new", "{name} after {killed_after}");
            }
            assert_eq!((get("mixed/notes"), get("maps/b")), ("old".into(), String::new()));
            assert_eq!(known::entries(&root).unwrap(), []);
        }
    }

    /// A list with a checksum that fits may still name what it has no business with.
    #[test]
    fn steps_that_lead_out_of_the_folder_are_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let (target, root) = (folder.path().join("results"), folder.path().join("results/.new"));
        fs::create_dir_all(begin(&root).unwrap()).unwrap();
        let mine = folder.path().join("mine.txt");
        fs::write(&mine, "mine").unwrap();
        for to in ["../mine.txt", "layers/../../mine.txt", mine.to_str().unwrap(), "", "."] {
            let steps = vec![Step { from: None, to: to.into() }];
            let refused = commit(&root, &target, steps.clone()).unwrap_err();
            assert!(refused.message.contains(&format!("'{to}'")), "{refused}");
            assert!(!root.join(JOURNAL).exists(), "nobody shall go on with it");
            // A journal of somebody else's.
            let journal = Journal { target: String::new(), steps, seal: seal::BLANK.into() };
            seal::write(&root.join(JOURNAL), &journal).unwrap();
            assert!(finish(&root).is_err());
            fs::remove_file(root.join(JOURNAL)).unwrap();
        }
        for aside in ["..", "../elsewhere"] {
            let journal = Journal {
                target: aside.into(),
                steps: vec![Step { from: None, to: "mine.txt".into() }],
                seal: seal::BLANK.into(),
            };
            seal::write(&root.join(JOURNAL), &journal).unwrap();
            assert!(finish(&root).unwrap_err().message.contains(aside));
        }
        assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
    }

    #[test]
    fn what_is_not_ours_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (target, root) = (folder.path(), folder.path().join(".new"));
        fs::create_dir_all(begin(&root).unwrap().join("layers")).unwrap();
        fs::write(root.join("out/layers/a.tif"), "new").unwrap();
        fs::create_dir(target.join("layers")).unwrap();
        fs::write(target.join("layers/a.tif"), "mine").unwrap();
        let refused = plan(&root, target, &|_| false).unwrap_err();
        assert!(refused.message.contains("layers/a.tif"), "{refused}");
        assert_eq!(fs::read_to_string(target.join("layers/a.tif")).unwrap(), "mine");
    }
}
