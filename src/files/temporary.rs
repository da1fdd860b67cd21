//! Hidden folders in which files are made before they take their places: `.couloir-PROCESS-NUMBER`.
//!
//! A killed process leaves its folders behind; whoever writes beside them next removes them. So that nothing else is
//! ever removed, such a folder holds a mark, which its process keeps locked as long as it lives.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::Result;
use crate::files::{self, known, swap};

/// The mark in such a folder.
pub(crate) const MARK: &str = ".couloir-mark";
const MARK_TEXT: &str = "Couloir makes files in this folder; after its process has ended the folder is removed.\n";
const PREFIX: &str = ".couloir-";

/// A folder that is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct Temporary {
    pub path: PathBuf,
    mark: Option<File>,
}

impl Temporary {
    /// Makes one; removes what dead processes left in `parent`.
    pub(crate) fn create(parent: &Path) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        sweep_once(parent);
        // A number may be taken: in a container every process has the same one.
        const ATTEMPTS: usize = 1000;
        let mut made = Err(io::ErrorKind::AlreadyExists.into());
        for _ in 0..ATTEMPTS {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            made = Self::at(parent.join(format!("{PREFIX}{}-{number}", std::process::id())));
            if !matches!(&made, Err(error) if error.kind() == io::ErrorKind::AlreadyExists) {
                break;
            }
        }
        made
    }

    fn at(path: PathBuf) -> io::Result<Self> {
        fs::create_dir(&path)?;
        let mut temporary = Self { path, mark: None };
        let mut mark = OpenOptions::new().write(true).create_new(true).open(temporary.path.join(MARK))?;
        // Another process may just be sweeping; where there are no locks nobody sweeps.
        if matches!(mark.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        mark.write_all(MARK_TEXT.as_bytes())?;
        temporary.mark = Some(mark);
        Ok(temporary)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(self.mark.take());
        // Files are on their way to their places, and what they replace is here: the next process goes on.
        if self.path.join(swap::JOURNAL).exists() {
            return;
        }
        // The mark goes last: a folder half removed is still known.
        for (name, path) in known::entries(&self.path).unwrap_or_default() {
            if name != MARK {
                let _ = if known::is_real_folder(&path) { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            }
        }
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Once per folder and process.
fn sweep_once(parent: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let whole = fs::canonicalize(parent).unwrap_or_else(|_| parent.to_path_buf());
    if SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(whole) {
        // What cannot be removed is in nobody's way here.
        let _ = sweep(parent);
    }
}

/// Removes what dead processes left in a folder; what one of them had made whole takes its place first.
///
/// # Errors
/// Files that were to take their places cannot.
pub(crate) fn sweep(parent: &Path) -> Result<()> {
    let Ok(entries) = known::entries(parent) else { return Ok(()) };
    for (name, path) in entries {
        if is_left_behind(&name, &path) {
            swap::finish(&path)?;
            drop(Temporary { path, mark: None });
        }
    }
    Ok(())
}

/// Whether a process that was killed left files in a folder which were to take their places together.
pub(crate) fn has_unfinished(parent: &Path) -> bool {
    let entries = known::entries(parent).unwrap_or_default();
    entries.iter().any(|(name, path)| name.starts_with(PREFIX) && path.join(swap::JOURNAL).is_file())
}

fn is_left_behind(name: &str, path: &Path) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    let Some((process, number)) = numbers else { return false };
    let (Ok(process), Ok(_)) = (process.parse::<u32>(), number.parse::<u64>()) else { return false };
    if !known::is_real_folder(path) {
        return false;
    }
    let mark = path.join(MARK);
    match files::open(&mark) {
        Ok(file) => {
            let ours = fs::read_to_string(&mark).is_ok_and(|text| MARK_TEXT.starts_with(&text));
            ours && file.try_lock().is_ok()
        }
        // Killed before it could mark the folder, or after the mark was gone.
        Err(_) => !lives(process) && known::entries(path).is_ok_and(|entries| entries.is_empty()),
    }
}

/// Whether a process of that number lives on this machine; its lock tells on others.
fn lives(process: u32) -> bool {
    #[cfg(unix)]
    {
        let Ok(process) = i32::try_from(process) else { return false };
        // SAFETY: signal 0 is not sent; the call only tells whether it could be.
        let answer = unsafe { libc::kill(process, 0) };
        process > 0 && (answer == 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EPERM))
    }
    #[cfg(not(unix))]
    {
        process == std::process::id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of a process that has ended.
    fn dead() -> u32 {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    }

    #[test]
    fn only_marked_folders_of_dead_processes_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let make = |name: String, mark: Option<&str>, file: bool| {
            let path = root.path().join(name);
            fs::create_dir(&path).unwrap();
            if let Some(text) = mark {
                fs::write(path.join(MARK), text).unwrap();
            }
            if file {
                fs::write(path.join("half.tif"), "x").unwrap();
            }
            path
        };
        let process = dead();
        let gone = [
            make(format!(".couloir-{process}-0"), Some(MARK_TEXT), true),
            make(format!(".couloir-{process}-1"), None, false),
            make(format!(".couloir-{process}-2"), Some(""), false),
        ];
        let kept = [
            make(format!(".couloir-{process}-3"), None, true),
            make(".couloir-notes".into(), Some(MARK_TEXT), true),
            make(format!(".couloir-{process}-5"), Some("my own"), true),
        ];
        let other = Temporary::at(root.path().join(".couloir-1-0")).unwrap();
        let living = Temporary::create(root.path()).unwrap();
        sweep(root.path()).unwrap();
        assert!(other.path.exists(), "a living process holds its lock");
        assert!(gone.iter().all(|path| !path.exists()), "{gone:?}");
        assert!(kept.iter().all(|path| path.exists()), "{kept:?}");
        let path = living.path.clone();
        assert!(path.exists());
        drop(living);
        assert!(!path.exists());
    }
}
