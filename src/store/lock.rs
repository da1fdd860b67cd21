//! One process at a time writes a run folder.
//!
//! The lock is the operating system's, on a hidden file: it ends with the process, however that ends, so a lock left by a
//! killed process holds nobody up. The file holds the number of the process, for the sentence others are told.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::files::atomic::io_error;
use crate::{Error, Result};

/// Name of the lock file in a run folder.
pub(crate) const FILE_NAME: &str = ".lock";

/// The right to write a folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct FolderLock {
    path: PathBuf,
    file: File,
}

impl FolderLock {
    /// # Errors
    /// Another process writes the folder.
    pub(crate) fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE_NAME);
        // A process that ends removes the file: what was locked may no longer be the one others see.
        for _ in 0..3 {
            let fail = |error: std::io::Error| io_error(&path, &error);
            let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
            let mut file = options.map_err(fail)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(in_use(folder, &mut file)),
                // A file system without locks: better no lock than no run.
                Err(TryLockError::Error(_)) | Ok(()) => {}
            }
            refuse_foreign(folder, &mut file)?;
            if is_at(&file, &path) {
                let written = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
                written.map_err(fail)?;
                return Ok(Self { path, file });
            }
        }
        Err(Error::again(format!("'{}' is being written by another process; try again", folder.display())))
    }
}

/// Whether an open file is still the one at a place.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let (open, there) = (file.metadata(), fs::metadata(path));
        matches!((open, there), (Ok(a), Ok(b)) if (a.dev(), a.ino()) == (b.dev(), b.ino()))
    }
    #[cfg(not(unix))]
    {
        // The name of a removed file is free only when nobody has it open any more.
        let _ = file;
        path.exists()
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// A file of that name that holds anything but the number of a process is not a lock.
fn refuse_foreign(folder: &Path, file: &mut File) -> Result<()> {
    let mut text = Vec::new();
    let read = file.rewind().and_then(|()| file.take(64).read_to_end(&mut text)).and_then(|_| file.rewind());
    let is_number = text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'\n');
    if read.is_ok() && is_number && text.len() < 64 {
        return Ok(());
    }
    Err(Error::failed(format!(
        "'{}' holds a file {FILE_NAME} that couloir did not write: move it away, or choose another folder with `--out`",
        folder.display()
    )))
}

fn in_use(folder: &Path, file: &mut File) -> Error {
    let mut holder = String::new();
    let _ = file.rewind().and_then(|()| file.read_to_string(&mut holder));
    let holder = holder.trim();
    let who = if holder.is_empty() { String::new() } else { format!(" (number {holder})") };
    Error::again(format!(
        "'{}' is being written by another couloir process{who}; wait for it to end, or choose another folder with `--out`",
        folder.display()
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Who waits for the end of another has its file open, and a third makes a new one.
    #[test]
    fn two_never_hold_a_folder_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let (holders, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        let Ok(lock) = FolderLock::take(folder.path()) else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0, "held by another");
                        std::thread::yield_now();
                        holders.fetch_sub(1, Ordering::SeqCst);
                        taken.fetch_add(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(taken.into_inner() > 100);
    }

    #[test]
    fn a_second_writer_is_refused_and_a_dead_one_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(folder.path()).unwrap();
        let refused = FolderLock::take(folder.path()).unwrap_err();
        assert!(refused.message.contains(&format!("number {}", std::process::id())), "{refused}");
        drop(lock);
        assert!(!folder.path().join(FILE_NAME).exists());
        // What a killed process leaves: the file, but nobody who holds it.
        fs::write(folder.path().join(FILE_NAME), "999999\n").unwrap();
        let lock = FolderLock::take(folder.path()).unwrap();
        let text = fs::read_to_string(folder.path().join(FILE_NAME)).unwrap();
        assert_eq!(text.trim(), std::process::id().to_string());
        drop(lock);
        fs::write(folder.path().join(FILE_NAME), "the user's own").unwrap();
        assert!(FolderLock::take(folder.path()).unwrap_err().message.contains("did not write"));
        assert_eq!(fs::read_to_string(folder.path().join(FILE_NAME)).unwrap(), "the user's own");
    }
}
