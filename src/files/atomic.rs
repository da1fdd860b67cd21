//! Files that appear whole or not at all.
//!
//! A file is written inside a hidden folder beside its final place (same file system, and room for the companions that
//! formats such as shapefile bring along), then renamed. Whatever goes wrong, the folder is removed again; what stood at
//! the final place before stays untouched until the rename.
//!
//! Data goes to the disk before the name does, or a crash could leave a whole-looking empty file. Where another file says
//! that all are complete ([`sync_later`]), it is enough that all data is there before that one.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::temporary::{self, Temporary};
use super::watched;
use crate::{Error, Result};

/// Writes `path` through `write`, which is given the name to write to: a file of the same name in a hidden folder.
/// Companion files it creates beside that name (`.shx`, `.dbf`, …) arrive with it.
pub fn write<T>(path: &Path, write: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let pending = Pending::new(path)?;
    match write(pending.path()) {
        Ok(value) => pending.commit().map(|()| value),
        Err(error) => Err(pending.explain(error)),
    }
}

/// Writes bytes (text, JSON, …) atomically.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, |temporary| {
        let written = File::create(temporary).and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| io_error(path, &error))
    })
}

/// A file being written; dropped without [`Pending::commit`], it leaves nothing behind.
#[derive(Debug)]
pub(crate) struct Pending {
    folder: Temporary,
    temporary: PathBuf,
    target: PathBuf,
}

impl Pending {
    pub(crate) fn new(target: &Path) -> Result<Self> {
        let name = target
            .file_name()
            .and_then(|name| name.to_str())
            .ok_or_else(|| Error::failed(format!("'{}' is not a file name that can be written", target.display())))?;
        if target.is_dir() {
            return Err(Error::failed(format!(
                "'{}' is a folder, so no file of that name can be written: choose another name or remove the folder",
                target.display()
            )));
        }
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let folder = Temporary::create(parent).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Error::failed(format!(
                "'{}' cannot be written: the folder '{}' does not exist",
                target.display(),
                parent.display()
            )),
            _ => io_error(target, &error),
        })?;
        let temporary = folder.path.join(name);
        Ok(Self { folder, temporary, target: target.to_path_buf() })
    }

    /// Where to write.
    pub(crate) fn path(&self) -> &Path {
        &self.temporary
    }

    /// Turns a writing error into one about the final name, and into "the disk is full" where that is the cause.
    pub(crate) fn explain(&self, error: Error) -> Error {
        let says_so = ["No space left", "disk is full", "disk full"].iter().any(|words| error.message.contains(words));
        if says_so || self.disk_lacks(1 << 20, true) {
            return disk_full(&self.target);
        }
        if self.reached_limit() || error.message.contains("File too large") {
            return too_large(&self.target);
        }
        let temporary = self.temporary.display().to_string();
        Error { message: error.message.replace(&temporary, &self.target.display().to_string()), ..error }
    }

    /// GDAL's drivers do not all notice a full disk; a probe does, as long as the half file still fills it.
    fn disk_lacks(&self, bytes: usize, sync: bool) -> bool {
        let probe = self.folder.path.join(".probe");
        let result = File::create(&probe).and_then(|mut file| {
            file.write_all(&vec![0u8; bytes])?;
            if sync { file.sync_all() } else { Ok(()) }
        });
        let _ = fs::remove_file(&probe);
        matches!(result, Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
    }

    /// Whether a file has come to the size the system allows: drivers do not all notice that either.
    fn reached_limit(&self) -> bool {
        let Some(limit) = largest_file() else { return false };
        let entries = fs::read_dir(&self.folder.path).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.metadata().is_ok_and(|data| data.len() >= limit))
    }

    /// Moves the file and its companions to their final place: companions first, the file itself last.
    pub(crate) fn commit(self) -> Result<()> {
        self.commit_replacing(&[])
    }

    /// As [`Pending::commit`]; also removes companions of an older file of that name that no longer belong to it.
    /// A `stale` name is an ending that replaces the file's extension (`qix`) or, with a dot, follows it (`.aux.xml`).
    pub(crate) fn commit_replacing(self, stale: &[&str]) -> Result<()> {
        let later = later().clone();
        // A driver that did not notice has left no room at all.
        if self.disk_lacks(4096, later.is_none()) {
            return Err(disk_full(&self.target));
        }
        if self.reached_limit() {
            return Err(too_large(&self.target));
        }
        let fail = |error: std::io::Error| io_error(&self.target, &error);
        let parent = self.target.parent().unwrap_or(Path::new(""));
        let mut companions = Vec::new();
        for entry in fs::read_dir(&self.folder.path).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if path.ends_with(temporary::MARK) {
                continue;
            }
            if later.is_none() {
                sync(&path).map_err(fail)?;
            }
            if path != self.temporary {
                companions.push(path);
            }
        }
        companions.sort();
        if !self.temporary.exists() {
            return Err(Error::failed(format!("'{}' was not written", self.target.display())));
        }
        companions.push(self.temporary.clone());
        let place = |path: &PathBuf| parent.join(path.file_name().unwrap_or_default());
        companions.iter().try_for_each(|path| watched::refuse_changed(&place(path)))?;
        for ending in stale {
            let old = match ending.strip_prefix('.') {
                Some(_) => PathBuf::from(format!("{}{ending}", self.target.display())),
                None => self.target.with_extension(ending),
            };
            watched::refuse_changed(&old)?;
            if let Err(error) = fs::remove_file(&old)
                && error.kind() != ErrorKind::NotFound
            {
                return Err(io_error(&old, &error));
            }
            watched::written(&old);
        }
        for path in &companions {
            let target = place(path);
            fs::rename(path, &target).map_err(fail)?;
            watched::written(&target);
            // Nobody listens any more once one of them has failed, which is known then.
            let _ = later.as_ref().map(|later| later.send(target));
        }
        Ok(())
    }
}

fn sync(path: &Path) -> std::io::Result<()> {
    File::open(path)?.sync_all()
}

/// Where committed files are announced while a [`SyncLater`] lives.
static LATER: Mutex<Option<Sender<PathBuf>>> = Mutex::new(None);

fn later() -> MutexGuard<'static, Option<Sender<PathBuf>>> {
    LATER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Brings the data of all files committed in its life to the disk in the background.
pub(crate) struct SyncLater {
    workers: Vec<JoinHandle<Result<()>>>,
}

/// Committing waits for the disk no more, in all threads, until [`SyncLater::finish`]: for many files that count only when
/// another one, written after that, says so.
pub(crate) fn sync_later() -> SyncLater {
    const AT_ONCE: usize = 4;
    let (sender, receiver) = mpsc::channel();
    *later() = Some(sender);
    let receiver = Arc::new(Mutex::new(receiver));
    let worker = |_| {
        let receiver = Arc::clone(&receiver);
        std::thread::Builder::new().spawn(move || sync_all(&receiver)).ok()
    };
    let workers: Vec<_> = (0..AT_ONCE).map_while(worker).collect();
    if workers.is_empty() {
        // No thread to be had: each file waits for the disk itself.
        later().take();
    }
    SyncLater { workers }
}

fn sync_all(files: &Mutex<Receiver<PathBuf>>) -> Result<()> {
    let next = || files.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(path) = next() {
        sync(&path).map_err(|error| io_error(&path, &error))?;
    }
    Ok(())
}

impl SyncLater {
    /// Returns when everything is on the disk.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.wait()
    }

    fn wait(&mut self) -> Result<()> {
        later().take();
        let ended = self.workers.drain(..).map(|worker| {
            worker.join().unwrap_or_else(|_| Err(Error::failed("the files cannot be brought to the disk")))
        });
        // All have ended before one of them is looked at.
        ended.collect::<Vec<_>>().into_iter().collect()
    }
}

impl Drop for SyncLater {
    fn drop(&mut self) {
        let _ = self.wait();
    }
}

fn disk_full(path: &Path) -> Error {
    Error::failed(format!(
        "'{}' cannot be written: the disk is full; free some space or choose another output folder",
        path.display()
    ))
}

fn too_large(path: &Path) -> Error {
    Error::failed(format!(
        "'{}' cannot be written: it would be larger than the system allows (ulimit -f); raise the limit or write less",
        path.display()
    ))
}

/// The largest file this process may write, if there is a limit.
fn largest_file() -> Option<u64> {
    #[cfg(unix)]
    {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the call fills the structure it is given.
        let asked = unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
        (asked == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
    }
    #[cfg(not(unix))]
    None
}

/// The sentence for a failed write.
pub(crate) fn io_error(path: &Path, error: &std::io::Error) -> Error {
    let shown = path.display();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => disk_full(path),
        ErrorKind::FileTooLarge => too_large(path),
        ErrorKind::PermissionDenied => {
            Error::failed(format!("'{shown}' cannot be written: permission denied; choose a folder you may write to"))
        }
        ErrorKind::ReadOnlyFilesystem => Error::failed(format!(
            "'{shown}' cannot be written: the file system is read-only; choose another output folder"
        )),
        _ => Error::failed(format!("'{shown}' cannot be written: {error}")),
    }
}
