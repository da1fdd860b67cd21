//! Input files whose hash is known: `couloir plan` has read them all, and hundreds of parts need not do so again.
//!
//! A file is taken for the one that was hashed if its size, the times of its last change of content and of status to the nanosecond, and its place on the disk are the same.
//! The time of the last change of status cannot be set by programs, so copies with kept dates are told apart, too. Where the system does not tell these, files are read.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::files::{seal, worked_out};

/// Where rocks start, worked out by `couloir plan` if the terrain is read on demand; lies beside the list.
pub(crate) const RELEASES: &str = "releases.bin";
/// Smaller files are hashed at no cost.
const WORTH_IT: u64 = 1 << 20;
/// A file that changed less than this before it was read might change again without a new time: file systems have coarse clocks.
const SETTLED: Duration = Duration::from_secs(3);

/// What tells a file from what it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    bytes: u64,
    inode: u64,
    /// Seconds and nanoseconds since 1970.
    content_changed: (i64, i64),
    status_changed: (i64, i64),
}

impl Stamp {
    /// `None` where the system does not tell, and for what is no file of it.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let data = std::fs::metadata(path).ok().filter(|data| data.is_file())?;
            let content_changed = (data.mtime(), data.mtime_nsec());
            let status_changed = (data.ctime(), data.ctime_nsec());
            Some(Self { bytes: data.len(), inode: data.ino(), content_changed, status_changed })
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            None
        }
    }

    fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let last = self.status_changed.max(self.content_changed).0;
        last + SETTLED.as_secs() as i64 <= now.as_secs() as i64
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Hashed {
    path: PathBuf,
    stamp: Stamp,
    sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct List {
    files: Vec<Hashed>,
    /// Hash of the file beside it that holds what else was worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    releases_sha256: Option<String>,
    seal: String,
}

/// What an earlier process has hashed.
static KNOWN: OnceLock<Vec<Hashed>> = OnceLock::new();
/// What this one has.
static SEEN: Mutex<Vec<Hashed>> = Mutex::new(Vec::new());

/// Relies on a list that [`write`] wrote. Only before anything is hashed.
pub(crate) fn rely_on(list: &Path) -> Result<()> {
    let List { files, releases_sha256, .. } = seal::read(list)?;
    let _ = KNOWN.set(files);
    releases_sha256.map_or(Ok(()), |hash| worked_out::rely_on(&list.with_file_name(RELEASES), &hash))
}

/// Writes what this process has hashed, and beside it what it has worked out.
pub(crate) fn write(list: &Path) -> Result<()> {
    let mut files = SEEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup();
    let releases_sha256 = worked_out::write(&list.with_file_name(RELEASES))?;
    seal::write(list, &List { files, releases_sha256, seal: seal::BLANK.into() })
}

/// The hash of a file that is still the one that was hashed.
pub(crate) fn known(path: &Path) -> Option<(u64, String)> {
    let (path, stamp) = (std::path::absolute(path).ok()?, Stamp::of(path)?);
    let found = KNOWN.get()?.iter().find(|file| file.path == path && file.stamp == stamp)?;
    Some((stamp.bytes, found.sha256.clone()))
}

/// Notes a hash; `before` is the stamp from before the file was read.
pub(crate) fn note(path: &Path, before: Option<Stamp>, sha256: &str) {
    let unchanged = before.filter(|before| Stamp::of(path) == Some(*before));
    let worth = unchanged.filter(|stamp| stamp.bytes >= WORTH_IT && stamp.is_settled());
    if let (Some(stamp), Ok(path)) = (worth, std::path::absolute(path)) {
        let file = Hashed { path, stamp, sha256: sha256.into() };
        SEEN.lock().unwrap_or_else(PoisonError::into_inner).push(file);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{self, File};

    /// One more byte, another byte with the old date, another file of the same date in its place: none is the file that was hashed.
    #[test]
    fn a_changed_file_has_another_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&path, b"heights").unwrap();
        let (before, date) = (Stamp::of(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
        assert_eq!(Stamp::of(&path), Some(before));
        assert!(!before.is_settled());
        let dated = |path: &Path| File::options().write(true).open(path).unwrap().set_modified(date).unwrap();
        let wait = || {
            // Until the clock of the file system has moved.
            let probe = folder.path().join("probe");
            while {
                fs::write(&probe, b"").unwrap();
                Stamp::of(&probe).unwrap().status_changed <= before.status_changed
            } {}
        };
        wait();
        fs::write(&path, b"heighTs").unwrap();
        dated(&path);
        let now = Stamp::of(&path).unwrap();
        assert!(now != before && now.content_changed == before.content_changed && now.bytes == before.bytes);
        fs::write(&other, b"heights").unwrap();
        dated(&other);
        fs::rename(&other, &path).unwrap();
        assert_ne!(Stamp::of(&path), Some(before));
        assert_eq!(Stamp::of(folder.path()), None);
        let old = Stamp { status_changed: (1, 0), content_changed: (1, 0), ..before };
        assert!(old.is_settled());
    }
}
