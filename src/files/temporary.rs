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
        let mark_path = temporary.path.join(MARK);
        let mut mark = OpenOptions::new().write(true).create_new(true).open(&mark_path)?;
        // Another may just be sweeping, and take the mark for that of a dead process as long as it is not locked; where
        // there are no locks nobody sweeps.
        if matches!(mark.try_lock(), Err(TryLockError::WouldBlock)) || !mark_path.exists() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        mark.write_all(MARK_TEXT.as_bytes())?;
        temporary.mark = Some(mark);
        Ok(temporary)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Files are on their way to their places, and what they replace is here: the next process goes on.
        if !self.path.join(swap::JOURNAL).exists() {
            remove(&self.path, self.mark.take());
        }
    }
}

/// Removes such a folder. Its mark goes last, or a folder half removed would not be known, and is locked so long, or
/// whoever is just making a folder of that name would take it for its own.
fn remove(folder: &Path, mark: Option<File>) {
    for (name, path) in known::entries(folder).unwrap_or_default() {
        if name != MARK {
            let _ = if known::is_real_folder(&path) { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
    let _ = fs::remove_file(folder.join(MARK));
    drop(mark);
    let _ = fs::remove_dir_all(folder);
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
        if let LeftBehind::Yes(mark) = look_at(&name, &path) {
            swap::finish(&path)?;
            remove(&path, mark);
        }
    }
    Ok(())
}

/// Whether a process that was killed left files in a folder which were to take their places together.
pub(crate) fn has_unfinished(parent: &Path) -> bool {
    let entries = known::entries(parent).unwrap_or_default();
    entries.iter().any(|(name, path)| name.starts_with(PREFIX) && path.join(swap::JOURNAL).is_file())
}

/// Whether a dead process left something behind.
enum LeftBehind {
    No,
    /// With its mark, if it came to make one: locked, so that one alone removes it.
    Yes(Option<File>),
}

fn look_at(name: &str, path: &Path) -> LeftBehind {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    let Some((process, number)) = numbers else { return LeftBehind::No };
    let (Ok(process), Ok(_)) = (process.parse::<u32>(), number.parse::<u64>()) else { return LeftBehind::No };
    if !known::is_real_folder(path) {
        return LeftBehind::No;
    }
    let Ok(mark) = files::open(&path.join(MARK)) else {
        // Killed before it could mark the folder, or after the mark was gone.
        let is_left = !lives(process) && known::entries(path).is_ok_and(|entries| entries.is_empty());
        return if is_left { LeftBehind::Yes(None) } else { LeftBehind::No };
    };
    if mark.try_lock().is_err() {
        return LeftBehind::No;
    }
    // A mark is locked before it has a text, so one that is whole and free is a dead process's, on any machine.
    let is_left = io::read_to_string(&mark)
        .is_ok_and(|text| text == MARK_TEXT || (MARK_TEXT.starts_with(&text) && !lives(process)));
    if is_left { LeftBehind::Yes(Some(mark)) } else { LeftBehind::No }
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

    /// Maps of a new folder are drawn by many threads; the first of them sweeps the folder while others begin to write.
    #[test]
    fn sweeping_takes_no_folder_that_is_just_being_made() {
        const THREADS: usize = 8;
        let root = tempfile::tempdir().unwrap();
        let lost = AtomicU64::new(0);
        for round in 0..300 {
            let parent = root.path().join(round.to_string());
            fs::create_dir(&parent).unwrap();
            let begin = std::sync::Barrier::new(THREADS);
            std::thread::scope(|scope| {
                for number in 0..THREADS {
                    let (parent, begin, lost) = (&parent, &begin, &lost);
                    scope.spawn(move || {
                        begin.wait();
                        // Another process would sweep at any time.
                        if number % 2 == 0 {
                            sweep(parent).unwrap();
                        }
                        let made = Temporary::create(parent).unwrap();
                        let whole = fs::write(made.path.join("a.png"), "x").is_ok() && made.path.join(MARK).exists();
                        lost.fetch_add(u64::from(!whole), Ordering::Relaxed);
                    });
                }
            });
            assert!(known::entries(&parent).unwrap().is_empty(), "something stays behind");
        }
        assert_eq!(lost.into_inner(), 0, "folders were removed from under their makers");
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
