//! Databases with changes that stand beside them, not yet in them. GDAL closes a GeoPackage so that SQLite takes such changes
//! over: the file that was only to be read is rewritten, and its journal goes. While another program has it open that waits.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::{Error, Result, files};

/// A journal of which nothing is left to do begins with zeros.
const HOT: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// Refuses a database that reading would change.
pub(super) fn refuse(path: &Path, what: &str) -> Result<()> {
    let is_database =
        path.extension().is_some_and(|e| ["gpkg", "sqlite", "db"].iter().any(|d| e.eq_ignore_ascii_case(d)));
    let Some(journal) = is_database.then(|| journal(path)).flatten() else { return Ok(()) };
    if is_open_elsewhere(path) {
        return Ok(());
    }
    Err(Error::input(format!(
        "{what} '{}' has changes beside it that were never written into it ('{}'), and reading it would move them: open and close it \
         in the program that made them, e.g. QGIS, or move that file away",
        path.display(),
        journal.display()
    )))
}

/// The journal that SQLite would take over.
fn journal(path: &Path) -> Option<PathBuf> {
    let beside = |ending: &str| PathBuf::from(format!("{}{ending}", path.display()));
    let (ahead, back) = (beside("-wal"), beside("-journal"));
    if ahead.metadata().is_ok_and(|data| data.is_file() && data.len() > 0) {
        return Some(ahead);
    }
    let mut begin = [0; 8];
    let read = files::open(&back).and_then(|mut file| file.read_exact(&mut begin));
    (read.is_ok() && begin == HOT).then_some(back)
}

/// Whether another process holds one of the locks by which SQLite marks a database as open.
#[cfg(unix)]
fn is_open_elsewhere(path: &Path) -> bool {
    use std::os::fd::AsRawFd;
    /// Where SQLite's locks begin, and how many bytes they span (pending, reserved, shared).
    const LOCKS: (libc::off_t, libc::off_t) = (0x4000_0000, 512);
    let Ok(file) = File::open(path) else { return true };
    // SAFETY: a struct of numbers, for which zeros are good values.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = libc::F_WRLCK as _;
    lock.l_whence = libc::SEEK_SET as _;
    (lock.l_start, lock.l_len) = LOCKS;
    // SAFETY: asks about a lock of a file that is open; the struct lives until the call returns.
    let known = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETLK, &mut lock) } == 0;
    !known || i32::from(lock.l_type) != i32::from(libc::F_UNLCK as i16)
}

#[cfg(not(unix))]
fn is_open_elsewhere(_path: &Path) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    /// Only a journal that SQLite would act on counts.
    #[test]
    fn a_database_with_unwritten_changes_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::write(at("a.gpkg"), "database").unwrap();
        fs::write(at("a.shp"), "shapes").unwrap();
        let look = |name: &str| refuse(&at(name), "vector file").map_err(|error| error.message);
        look("a.gpkg").unwrap();
        fs::write(at("a.gpkg-wal"), "").unwrap();
        fs::write(at("a.gpkg-journal"), [0; 600]).unwrap();
        look("a.gpkg").unwrap();
        fs::write(at("a.gpkg-journal"), [&HOT[..], &[0; 600]].concat()).unwrap();
        assert!(look("a.gpkg").unwrap_err().contains("a.gpkg-journal"));
        fs::write(at("a.gpkg-wal"), "changes").unwrap();
        fs::write(at("a.shp-wal"), "changes").unwrap();
        assert!(look("a.gpkg").unwrap_err().contains("a.gpkg-wal"));
        look("a.shp").unwrap();
    }
}
