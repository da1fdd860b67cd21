//! What `couloir plan` has worked out and every part of the run would work out again, each under a key that is a hash of all it depends on.
//!
//! Only what costs is kept: where rocks start on a terrain that is read on demand, which takes a look at the ground below every release.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::atomic;
use super::hash::sha256;
use crate::{Error, Result};

type Entries = BTreeMap<String, Vec<u8>>;

/// What an earlier process has worked out.
static KNOWN: Mutex<Entries> = Mutex::new(Entries::new());
/// What this one has; `None` if nobody wants to know.
static KEPT: Mutex<Option<Entries>> = Mutex::new(None);

fn locked<T>(entries: &Mutex<T>) -> MutexGuard<'_, T> {
    entries.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps what is worked out from now on, for [`write`].
pub(crate) fn keep() {
    locked(&KEPT).get_or_insert_default();
}

/// Notes a result, if results are kept.
pub(crate) fn note(key: &str, result: impl FnOnce() -> Vec<u8>) {
    if let Some(kept) = locked(&KEPT).as_mut() {
        kept.insert(key.into(), result());
    }
}

/// A result that is known; once.
pub(crate) fn take(key: &str) -> Option<Vec<u8>> {
    locked(&KNOWN).remove(key)
}

/// Writes what was kept, and returns the hash of the file; `None`, and no file, if that is nothing.
pub(crate) fn write(path: &Path) -> Result<Option<String>> {
    let kept = locked(&KEPT).take().unwrap_or_default();
    if kept.is_empty() {
        return Ok(None);
    }
    let bytes = to_bytes(&kept);
    atomic::write_bytes(path, &bytes)?;
    Ok(Some(sha256(&bytes)))
}

/// Relies on a file that [`write`] wrote, which has this hash.
pub(crate) fn rely_on(path: &Path, hash: &str) -> Result<()> {
    let shown = path.display();
    let mut bytes = Vec::new();
    super::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(|error| {
        Error::input(format!("'{shown}' cannot be read ({error}); make it again with `couloir plan`")).caused_by(error)
    })?;
    let entries = (sha256(&bytes) == hash).then(|| from_bytes(&bytes)).flatten();
    let Some(entries) = entries else {
        return Err(Error::input(format!(
            "'{shown}' is damaged or was changed: it does not match the checksum written with it; make it again with `couloir plan`"
        )));
    };
    locked(&KNOWN).extend(entries);
    Ok(())
}

/// Key and result, each after its length.
fn to_bytes(entries: &Entries) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in entries.iter().flat_map(|(key, result)| [key.as_bytes(), result]) {
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    bytes
}

fn from_bytes(mut bytes: &[u8]) -> Option<Entries> {
    let mut next = || {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (part, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        bytes = rest;
        Some(part.to_vec())
    };
    let mut entries = Entries::new();
    while let Some(key) = next() {
        entries.insert(String::from_utf8(key).ok()?, next()?);
    }
    bytes.is_empty().then_some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_and_pieces_of_them_do_not() {
        let entries = Entries::from([("a".into(), vec![1, 2, 3]), ("b".into(), Vec::new())]);
        let bytes = to_bytes(&entries);
        assert_eq!(from_bytes(&bytes), Some(entries));
        assert_eq!(from_bytes(&[]), Some(Entries::new()));
        let whole = [0, 8 + 1 + 8 + 3];
        for length in (0..bytes.len()).filter(|length| !whole.contains(length)) {
            assert_eq!(from_bytes(&bytes[..length]), None, "{length} bytes");
        }
    }

    #[test]
    fn a_changed_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("releases.bin");
        let bytes = to_bytes(&Entries::from([("worked out for a test".into(), vec![1, 2, 3])]));
        std::fs::write(&path, &bytes).unwrap();
        assert!(rely_on(&path, &sha256(b"something else")).unwrap_err().message.contains("releases.bin' is damaged"));
        assert_eq!(take("worked out for a test"), None);
        rely_on(&path, &sha256(&bytes)).unwrap();
        assert_eq!(take("worked out for a test"), Some(vec![1, 2, 3]));
        std::fs::remove_file(&path).unwrap();
        assert!(rely_on(&path, &sha256(&bytes)).unwrap_err().message.contains("releases.bin' cannot be read"));
    }
}
