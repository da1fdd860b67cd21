//! Places where a verb will write a file: it looks when it begins whether it may, and computes for minutes before it does.
//! What somebody puts there in the meantime is his.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::{Error, Result};

/// Enough to tell one file from the next of that name; `None` where there is none.
type Stamp = Option<(u64, u64, Option<SystemTime>)>;

static SEEN: Mutex<BTreeMap<PathBuf, Stamp>> = Mutex::new(BTreeMap::new());

fn seen() -> MutexGuard<'static, BTreeMap<PathBuf, Stamp>> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn stamp(path: &Path) -> Stamp {
    let data = fs::symlink_metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&data);
    #[cfg(not(unix))]
    let number = 0;
    Some((number, data.len(), data.modified().ok()))
}

fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Notes what is at these places now; this process may replace that and nothing else.
pub(crate) fn begin<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) {
    seen().extend(paths.into_iter().map(|path| (whole(path), stamp(path))));
}

/// Refuses to write where something else lies by now than at the beginning. Places nobody watches are free.
pub(crate) fn refuse_changed(path: &Path) -> Result<()> {
    match seen().get(&whole(path)) {
        Some(before) if *before != stamp(path) => Err(Error::failed(format!(
            "'{}' was made, changed or removed while couloir computed what was to go there, so nothing was written: choose another \
             name, or move it away",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// What lies there now was written by this process.
pub(crate) fn written(path: &Path) {
    if let Some(known) = seen().get_mut(&whole(path)) {
        *known = stamp(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::atomic;

    #[test]
    fn what_comes_to_lie_at_a_place_while_a_verb_computes_stays() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        let (new, old, part) = (at("new.tif"), at("old.tif"), at("cut.dbf"));
        fs::write(&old, "ours").unwrap();
        begin([&new, &old, &part]);
        // Nothing happened: both are written, and may be again.
        for text in ["1", "2"] {
            atomic::write_bytes(&new, text.as_bytes()).unwrap();
            atomic::write_bytes(&old, text.as_bytes()).unwrap();
        }
        // Saved anew with the same length, and added.
        fs::remove_file(&old).unwrap();
        fs::write(at("other"), "3").unwrap();
        fs::rename(at("other"), &old).unwrap();
        fs::write(&part, "mine").unwrap();
        let message = atomic::write_bytes(&old, b"4").unwrap_err().message;
        assert!(message.contains("old.tif") && message.contains("choose another"), "{message}");
        let shape = |path: &Path| {
            fs::write(path, "shapes").unwrap();
            fs::write(path.with_extension("dbf"), "table").unwrap();
            Ok(())
        };
        assert!(atomic::write(&at("cut.shp"), shape).unwrap_err().message.contains("cut.dbf"));
        let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        assert_eq!((text(&old), text(&part), text(&new)), ("3".into(), "mine".into(), "2".into()));
        assert!(!at("cut.shp").exists(), "all or nothing");
    }
}
