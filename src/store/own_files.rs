//! Which files of a run folder a run wrote: those its manifest lists, those of a finished shard, and its checkpoint.
//! Nothing else is ever removed.

use std::fs;
use std::io::Read;
use std::path::Path;

use crate::files::atomic::io_error;
use crate::files::known::{self, Known, Proof};
use crate::files::{self, companions, swap, temporary};
use crate::store::lock;
use crate::store::log::LogKind;
use crate::store::manifest;
use crate::store::run_folder::{PARTIAL, REPORT, RESULTS, SHARD, STATE, WITH_BARRIERS, WITHOUT_BARRIERS};
use crate::store::state_file::State;
use crate::{Error, Note, Result};

/// Not looked at with the results.
const ASIDE: [&str; 2] = [PARTIAL, lock::FILE_NAME];

/// Removes what an earlier run left and says in a sentence what stays because no run wrote it.
///
/// # Errors
/// The folder holds something, but nothing that says what a run wrote; or what a run wrote was changed. Nothing was removed.
pub(crate) fn clear(run: &Path, part: bool) -> Result<Option<Note>> {
    let known = known(run);
    let found = known::examine(run, &known, &ASIDE)?;
    let partial = has_partial(run)?;
    if known.is_empty() && !partial {
        return match found.added.first() {
            None => Ok(None),
            Some(name) => Err(Error::failed(format!(
                "'{}' is not empty (it holds '{name}') and has no {} that says what a run wrote there, so `--overwrite` \
                 removes nothing: choose another folder with `--out`",
                run.display(),
                manifest::FILE_NAME
            ))),
        };
    }
    known::refuse_changed(run, &found.changed)?;
    companions::refuse_beside(run, &found.added)?;
    refuse_in_the_way(run, &known, &found.added, part)?;
    if partial {
        remove_partial(run)?;
    }
    // What says that the run is finished goes first, and what says which files are its own goes last: a folder half cleared
    // does not look finished and can still be cleared.
    let mut files = found.unchanged;
    let shard_state = format!("{SHARD}/{STATE}");
    files.sort_by_key(|path| match path.as_str() {
        RESULTS => 0,
        manifest::FILE_NAME => 2,
        path if path == shard_state => 2,
        _ => 1,
    });
    known::remove(run, files)?;
    Ok(known::left_note(run, &found.added))
}

/// Refuses before anything is removed or computed what would be in the way of new results: something of the user's where a
/// file of the run was, or in the folder a part takes as a whole.
fn refuse_in_the_way(run: &Path, known: &Known, added: &[String], part: bool) -> Result<()> {
    let is_in = |path: &str, place: &str| path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'));
    let of_part = |path: &str| part && (path == SHARD || is_in(path, SHARD));
    let in_the_way = |path: &&String| of_part(path) || known.keys().any(|own| is_in(path, own));
    match added.iter().find(in_the_way) {
        None => Ok(()),
        Some(name) => Err(Error::failed(format!(
            "'{}', which no run wrote, is where new results are to go, so nothing was removed: move it away, or choose another folder with \
             `--out`",
            run.join(name).display()
        ))),
    }
}

/// Whether [`clear`] would refuse.
pub(crate) fn refuse_to_clear(run: &Path) -> Result<()> {
    if !run.exists() {
        return Ok(());
    }
    let known = known(run);
    let found = known::examine(run, &known, &ASIDE)?;
    if known.is_empty() && !has_partial(run)? && !found.added.is_empty() {
        return Err(Error::failed(format!(
            "'{}' holds '{}', which no run wrote: choose another folder with `--out`",
            run.display(),
            found.added[0]
        )));
    }
    known::refuse_changed(run, &found.changed)?;
    companions::refuse_beside(run, &found.added)
}

/// Refuses a finished run or shard that is no longer what was written.
pub(crate) fn refuse_changed(run: &Path) -> Result<()> {
    // Says what is wrong with a manifest or state better than that it was changed.
    if run.join(RESULTS).exists() {
        manifest::read(run)?;
    }
    if run.join(SHARD).join(STATE).exists() {
        State::load_header(&run.join(SHARD).join(STATE))?;
    }
    let found = known::examine(run, &known(run), &ASIDE)?;
    if found.changed.is_empty() {
        return Ok(());
    }
    Err(Error::input(format!(
        "'{}' holds a finished run, but these files are damaged or were changed since: {}; compute it again in another folder",
        run.display(),
        known::some(&found.changed)
    )))
}

/// The results a run or shard says it wrote.
fn known(run: &Path) -> Known {
    let mut known = Known::new();
    if let Ok(manifest) = manifest::read(run) {
        known.extend(manifest.outputs.into_iter().map(|file| (file.path, Proof::Sha256(file.sha256))));
        known.extend(manifest.this_run.report_sha256.map(|hash| (REPORT.to_string(), Proof::Sha256(hash))));
        known.insert(RESULTS.into(), Proof::Own(State::is_intact(&run.join(RESULTS))));
        known.insert(manifest::FILE_NAME.into(), Proof::Own(true));
    }
    let shard = run.join(SHARD);
    if let Ok(header) = State::load_header(&shard.join(STATE)) {
        for (variant, sums) in header.variants.iter().zip(&header.logs) {
            for (log, sum) in sums.iter() {
                let name = log.file_name(variant.as_deref());
                known.insert(format!("{SHARD}/{name}"), Proof::Sha256(sum.sha256.clone()));
            }
        }
        known.insert(format!("{SHARD}/{STATE}"), Proof::Own(State::is_intact(&shard.join(STATE))));
    }
    known
}

/// Whether there is a checkpoint folder, and only what a run puts there is in it.
pub(crate) fn has_partial(run: &Path) -> Result<bool> {
    let partial = run.join(PARTIAL);
    if !known::is_there(&partial) {
        return Ok(false);
    }
    let foreign = |name: &str| {
        Error::failed(format!(
            "'{}' holds '{name}', which no run wrote: move it away, or choose another folder with `--out`",
            partial.display()
        ))
    };
    if !known::is_real_folder(&partial) {
        return Err(foreign(PARTIAL));
    }
    let begun = begins_as_state(&partial.join(STATE));
    if !begun && known::is_there(&partial.join(STATE)) {
        return Err(foreign(STATE));
    }
    for (name, path) in known::entries(&partial)? {
        let ours = match name.as_str() {
            STATE => true,
            name if swap::NAMES.contains(&name) => begun,
            name if name.starts_with(".couloir-") => true,
            // Before the first checkpoint there is nothing in the logs; a run put in place has left its state.
            name if is_log(name) => begun || fs::metadata(&path).is_ok_and(|data| data.len() == 0) || is_finished(run),
            _ => false,
        };
        if !ours {
            return Err(foreign(&name));
        }
    }
    Ok(true)
}

fn is_finished(run: &Path) -> bool {
    begins_as_state(&run.join(RESULTS))
}

fn is_log(name: &str) -> bool {
    let variants = [None, Some(WITH_BARRIERS), Some(WITHOUT_BARRIERS)];
    variants.iter().any(|variant| LogKind::ALL.iter().any(|log| log.file_name(*variant) == name))
}

/// Of any version, damaged or not.
fn begins_as_state(path: &Path) -> bool {
    let mut begin = [0; 14];
    files::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == *b"couloir state "
}

/// Removes the checkpoint folder with what [`has_partial`] knows.
pub(crate) fn remove_partial(run: &Path) -> Result<()> {
    let partial = run.join(PARTIAL);
    swap::clear(&partial)?;
    temporary::sweep(&partial)?;
    // The state goes last: it tells that the rest is a run's.
    let mut names: Vec<String> =
        known::entries(&partial)?.into_iter().map(|(name, _)| name).filter(|n| is_log(n)).collect();
    names.push(STATE.into());
    known::remove(&partial, names)?;
    fs::remove_dir(&partial).map_err(|error| io_error(&partial, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::run_folder::{Existing, Opened, RunFolder};

    /// Results were removed and the run computed before it was said that they cannot take their places.
    #[test]
    fn what_is_in_the_way_is_said_before_anything_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let hash = |text: &str| Proof::Sha256(crate::files::hash::sha256(text.as_bytes()));
        let known = Known::from([("report.html".to_string(), hash("a")), ("layers/a.tif".to_string(), hash("b"))]);
        let look = |added: &str, part: bool| refuse_in_the_way(root.path(), &known, &[added.to_string()], part);
        for (added, part) in
            [("report.html/mine", false), ("layers/a.tif/deep/mine", true), ("shard/notes.txt", true), ("shard", true)]
        {
            let refused = look(added, part).unwrap_err().message;
            assert!(refused.contains(added) && refused.contains("move it away"), "{refused}");
        }
        for (added, part) in
            [("layers/notes.txt", true), ("shard/notes.txt", false), ("shards", true), ("report.html2/a", false)]
        {
            look(added, part).unwrap();
        }
    }

    #[test]
    fn interrupted_and_foreign_folders_are_told_apart() {
        let root = tempfile::tempdir().unwrap();
        let out = root.path().join("run");
        let plain = Existing::default();
        let (resume, overwrite) = (Existing { resume: true, ..plain }, Existing { overwrite: true, ..plain });
        assert!(matches!(RunFolder::open(&out, plain).unwrap(), Opened::Fresh(..)));
        // Now a partial run is there.
        assert!(RunFolder::open(&out, plain).unwrap_err().message.contains("--resume"));
        assert!(matches!(RunFolder::open(&out, resume).unwrap(), Opened::Fresh(..)));
        assert!(matches!(RunFolder::open(&out, overwrite).unwrap(), Opened::Fresh(..)));
        fs::write(out.join(".partial/notes.txt"), "mine").unwrap();
        for existing in [plain, resume, overwrite] {
            let error = RunFolder::open(&out, existing).unwrap_err();
            assert!(error.message.contains("notes.txt"), "{error}");
        }
        assert_eq!(fs::read_to_string(out.join(".partial/notes.txt")).unwrap(), "mine");
        // A folder of the user's, whatever its files are called, is never cleared.
        let own = root.path().join("own");
        for name in ["layers/a.tif", "results.bin", "manifest.json", "report.html", ".lock"] {
            let path = own.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "precious").unwrap();
        }
        assert!(RunFolder::open(&own, overwrite).is_err());
        for name in ["layers/a.tif", "results.bin", "manifest.json", "report.html", ".lock"] {
            assert_eq!(fs::read_to_string(own.join(name)).unwrap(), "precious", "{name}");
        }
    }
}
