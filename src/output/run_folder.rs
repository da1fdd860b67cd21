//! The folder of a run: names, and who may write there.
//!
//! ```text
//! RUN/layers/*.tif               maps (with barriers in the project: RUN/with_barriers/layers, RUN/without_barriers/layers)
//! RUN/trajectories/*             lines, deposits, point records (likewise)
//! RUN/results.bin                counts of a finished run, for later classification: its presence says the run is finished
//! RUN/.partial/                  checkpoint and logs of a run that is not finished
//! RUN/shard/                     counts and logs of a finished shard
//! RUN/.lock                      number of the process that writes the folder, while one does
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use crate::geo::atomic::io_error;
use crate::output::lock::{self, FolderLock};
use crate::output::record::LogFile;
use crate::output::state_file::{Header, State};
use crate::{Error, Result};

pub const LAYERS: &str = "layers";
pub const TRAJECTORIES: &str = "trajectories";
pub const RESULTS: &str = "results.bin";
pub const WITH_BARRIERS: &str = "with_barriers";
pub const WITHOUT_BARRIERS: &str = "without_barriers";
const PARTIAL: &str = ".partial";
const SHARD: &str = "shard";
const STATE: &str = "state.bin";

/// One log per variant for each of these.
pub const LOGS: [&str; 4] = ["records", "tracks", "points", "crossings"];

/// What a run may leave in its folder; `--overwrite` removes these and nothing else.
const OURS: [&str; 16] = [
    LAYERS,
    TRAJECTORIES,
    RESULTS,
    WITH_BARRIERS,
    WITHOUT_BARRIERS,
    PARTIAL,
    SHARD,
    "lines",
    "barriers",
    "classification",
    "previews",
    "manifest.json",
    "report.html",
    "report",
    "project.yaml",
    "warnings.txt",
];

/// What to do about what is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Existing {
    pub resume: bool,
    pub overwrite: bool,
}

/// How a folder was found.
#[derive(Debug)]
pub enum Opened {
    /// Empty, or made so.
    Fresh(RunFolder),
    /// With the checkpoint of an unfinished run.
    Resumed(RunFolder, Box<State>),
    /// The run (or shard) is finished and `--resume` has nothing to do.
    Finished,
}

/// A folder this process may write: nobody else does as long as it lives.
#[derive(Debug)]
pub struct RunFolder {
    pub path: PathBuf,
    _lock: FolderLock,
}

impl RunFolder {
    /// Prepares the folder before any long work.
    pub fn open(path: &Path, existing: Existing) -> Result<Opened> {
        let fail = |error: std::io::Error| io_error(path, &error);
        fs::create_dir_all(path).map_err(fail)?;
        let folder = Self { path: path.to_path_buf(), _lock: FolderLock::take(path)? };
        let shown = path.display();
        let finished = path.join(RESULTS).exists() || path.join(SHARD).join(STATE).exists();
        let partial = path.join(PARTIAL).exists();
        if existing.overwrite {
            folder.clear()?;
        } else if finished && existing.resume {
            return Ok(Opened::Finished);
        } else if finished {
            return Err(Error::failed(format!(
                "'{shown}' holds a finished run; choose another folder with `--out`, or replace it with `--overwrite`"
            )));
        } else if partial && existing.resume {
            folder.remove_temporaries(path)?;
            if folder.state_path().exists() {
                let state = State::load(&folder.state_path())?;
                return Ok(Opened::Resumed(folder, Box::new(state)));
            }
        } else if partial {
            return Err(Error::failed(format!(
                "'{shown}' holds an interrupted run; continue it with `--resume`, or begin anew with `--overwrite`"
            )));
        }
        let ours = [PARTIAL, lock::FILE_NAME];
        let foreign = fs::read_dir(path).map_err(fail)?.filter_map(|entry| Some(entry.ok()?.file_name()));
        if let Some(name) =
            foreign.map(|name| name.to_string_lossy().into_owned()).find(|name| !ours.contains(&name.as_str()))
        {
            return Err(Error::failed(format!(
                "'{shown}' is not empty (it holds '{name}', which no run wrote); choose an empty folder with `--out`"
            )));
        }
        fs::create_dir_all(folder.partial()).map_err(fail)?;
        Ok(Opened::Fresh(folder))
    }

    fn clear(&self) -> Result<()> {
        self.remove_temporaries(&self.path)?;
        // The mark of a finished run goes first, so that a half cleared folder never looks finished.
        for name in [RESULTS].iter().chain(&OURS) {
            let path = self.path.join(name);
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            match removed {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io_error(&path, &error)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes what a killed process left of files it had not finished.
    fn remove_temporaries(&self, folder: &Path) -> Result<()> {
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() && name.starts_with(".couloir-") {
                fs::remove_dir_all(&path).map_err(|error| io_error(&path, &error))?;
            } else if path.is_dir() && OURS.contains(&name.as_str()) {
                self.remove_temporaries(&path)?;
            }
        }
        Ok(())
    }

    pub fn partial(&self) -> PathBuf {
        self.path.join(PARTIAL)
    }

    pub fn state_path(&self) -> PathBuf {
        self.partial().join(STATE)
    }

    pub fn log_path(&self, variant: Option<&str>, log: &str) -> PathBuf {
        self.partial().join(log_name(variant, log))
    }

    /// Folder of a variant's layers and files; made if it is not there.
    pub fn variant(&self, variant: Option<&str>) -> Result<PathBuf> {
        let path = variant.map_or(self.path.clone(), |name| self.path.join(name));
        fs::create_dir_all(&path).map_err(|error| io_error(&path, &error))?;
        Ok(path)
    }

    /// A shard is finished: its counts and logs stay.
    pub fn finish_shard(&self) -> Result<()> {
        let target = self.path.join(SHARD);
        fs::rename(self.partial(), &target).map_err(|error| io_error(&target, &error))
    }

    /// A run is finished: its counts stay, the logs go.
    pub fn finish_run(&self) -> Result<()> {
        let target = self.path.join(RESULTS);
        fs::rename(self.state_path(), &target).map_err(|error| io_error(&target, &error))?;
        fs::remove_dir_all(self.partial()).map_err(|error| io_error(&self.partial(), &error))
    }
}

fn log_name(variant: Option<&str>, log: &str) -> String {
    variant.map_or(format!("{log}.log"), |variant| format!("{variant}.{log}.log"))
}

/// A finished shard.
#[derive(Debug)]
pub struct ShardFolder {
    pub path: PathBuf,
    pub state: State,
}

impl ShardFolder {
    pub fn open(path: &Path) -> Result<Self> {
        let folder = Self::find(path)?;
        let state = State::load(&folder.join(STATE))?;
        Ok(Self { path: folder, state })
    }

    /// What the shard says of itself, without its counts.
    pub fn header(path: &Path) -> Result<Header> {
        State::load_header(&Self::find(path)?.join(STATE))
    }

    fn find(path: &Path) -> Result<PathBuf> {
        let folder = if path.join(STATE).is_file() { path.to_path_buf() } else { path.join(SHARD) };
        if !folder.join(STATE).is_file() {
            let why = if path.join(PARTIAL).exists() {
                "its run was interrupted: continue it with `--resume`"
            } else if path.join(RESULTS).exists() {
                "it holds a whole run, which needs no merging"
            } else {
                "expected the folder a run with `--shard` wrote to"
            };
            return Err(Error::input(format!("'{}' is no finished shard: {why}", path.display())));
        }
        Ok(folder)
    }

    pub fn log(&self, variant: usize, log: usize) -> LogFile {
        let name = log_name(self.state.header.variants[variant].as_deref(), LOGS[log]);
        let length = self.state.header.log_lengths.get(variant).and_then(|lengths| lengths.get(log)).copied();
        LogFile { path: self.path.join(name), length: length.unwrap_or(0) }
    }
}

/// The counts of a finished run, for classification without computing anything again.
pub fn results(run: &Path) -> Result<State> {
    let path = run.join(RESULTS);
    if !path.is_file() {
        return Err(Error::input(format!(
            "'{}' is not the folder of a finished run: it has no {RESULTS}; finish the run first",
            run.display()
        )));
    }
    State::load(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_interrupted_and_foreign_folders_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("run");
        let plain = Existing::default();
        assert!(matches!(RunFolder::open(&out, plain).unwrap(), Opened::Fresh(_)));
        // Now a partial run is there.
        assert!(RunFolder::open(&out, plain).unwrap_err().message.contains("--resume"));
        assert!(matches!(RunFolder::open(&out, Existing { resume: true, ..plain }).unwrap(), Opened::Fresh(_)));
        fs::write(out.join(RESULTS), b"x").unwrap();
        fs::create_dir_all(out.join(LAYERS)).unwrap();
        assert!(RunFolder::open(&out, plain).unwrap_err().message.contains("finished run"));
        assert!(matches!(RunFolder::open(&out, Existing { resume: true, ..plain }).unwrap(), Opened::Finished));
        assert!(matches!(RunFolder::open(&out, Existing { overwrite: true, ..plain }).unwrap(), Opened::Fresh(_)));
        assert!(!out.join(LAYERS).exists());
        fs::write(folder.path().join("thesis.doc"), b"precious").unwrap();
        let error = RunFolder::open(folder.path(), Existing { overwrite: true, ..plain }).unwrap_err();
        assert!(error.message.contains("not empty"), "{error}");
        assert!(folder.path().join("thesis.doc").exists());
    }
}
