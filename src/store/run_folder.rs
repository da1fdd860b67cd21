//! The folder of a run: names, and who may write there.
//!
//! ```text
//! RUN/layers/*.tif               maps (with barriers in the project: RUN/with_barriers/layers, RUN/without_barriers/layers)
//! RUN/trajectories/*             lines, deposits, point records (likewise)
//! RUN/manifest.json              what was run, and the hash of every file written
//! RUN/results.bin                counts of a finished run, for later classification: its presence says the run is finished
//! RUN/.partial/                  checkpoint, logs and unfinished files of a run that is not finished
//! RUN/shard/                     counts and logs of a finished shard
//! RUN/.lock                      number of the process that writes the folder, while one does
//! ```
//!
//! Results are made in `.partial` and take their places all at once ([`swap`]).

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::atomic::io_error;
use crate::files::{known, swap, temporary};
use crate::store::lock::{self, FolderLock};
use crate::store::log::{LogFile, LogKind};
use crate::store::manifest;
use crate::store::own_files;
use crate::store::state_file::{Header, State};
use crate::{Error, Note, Result};

pub(crate) const LAYERS: &str = "layers";
pub(crate) const OBJECTS: &str = "objects";
pub(crate) const TRAJECTORIES: &str = "trajectories";
/// The table of all rocks, in the folder of the trajectories.
pub(crate) const ROCKS: &str = "rocks.csv";
pub(crate) const LINES: &str = "lines";
/// Folder of the classified maps.
pub(crate) const CLASSIFICATION: &str = "classification";
pub(crate) const REPORT: &str = "report.html";
/// Recording lines and barriers on a page of their own.
pub(crate) const BARRIER_SHEET: &str = "barrier_sheet.html";
pub(crate) const RESULTS: &str = "results.bin";
pub(crate) const WITH_BARRIERS: &str = "with_barriers";
pub(crate) const WITHOUT_BARRIERS: &str = "without_barriers";
pub(crate) const PARTIAL: &str = ".partial";
pub(crate) const SHARD: &str = "shard";
pub(crate) const STATE: &str = "state.bin";

/// What to do about what is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Existing {
    pub resume: bool,
    pub overwrite: bool,
    /// One part of many, which schedulers start again and again: a finished one is no mistake.
    pub part: bool,
}

/// How a folder was found.
#[derive(Debug)]
pub(crate) enum Opened {
    /// Empty, or made so; with what was left there because no run wrote it.
    Fresh(RunFolder, Option<Note>),
    /// With the checkpoint of an unfinished run.
    Resumed(RunFolder, Box<State>),
    /// A run (or shard) is finished; if it is the one wanted, `--resume` has nothing to do.
    Finished(Box<Header>),
}

/// A folder this process may write: nobody else does as long as it lives.
#[derive(Debug)]
pub(crate) struct RunFolder {
    pub path: PathBuf,
    _lock: FolderLock,
}

impl RunFolder {
    /// Prepares the folder before any long work.
    pub(crate) fn open(path: &Path, existing: Existing) -> Result<Opened> {
        let fail = |error: std::io::Error| io_error(path, &error);
        fs::create_dir_all(path).map_err(fail)?;
        let folder = Self { path: path.to_path_buf(), _lock: FolderLock::take(path)? };
        finish_pending(path)?;
        let shown = path.display();
        let finished = path.join(RESULTS).exists() || path.join(SHARD).join(STATE).exists();
        let partial = own_files::has_partial(path)?;
        let mut left = None;
        if existing.overwrite {
            left = own_files::clear(path, existing.part)?;
        } else if finished && (existing.resume || existing.part) {
            own_files::refuse_changed(path)?;
            let whole = path.join(RESULTS);
            let state = if whole.exists() { whole } else { path.join(SHARD).join(STATE) };
            return Ok(Opened::Finished(Box::new(State::load_header(&state)?)));
        } else if finished {
            return Err(Error::failed(format!(
                "'{shown}' holds a finished run; choose another folder with `--out`, or replace it with `--overwrite`"
            )));
        } else if partial && existing.resume {
            temporary::sweep(&folder.partial())?;
            if folder.state_path().exists() {
                let path = folder.state_path();
                // Where nothing will be added a large state stays in its file.
                let state = State::load_header(&path).and_then(|header| match header.next == header.range.1 {
                    true => State::open(&path),
                    false => State::load(&path),
                });
                let state = state.map_err(|error| Error {
                    message: format!("{error}, or begin anew with `--overwrite`"),
                    ..error
                })?;
                return Ok(Opened::Resumed(folder, Box::new(state)));
            }
        } else if partial {
            return Err(Error::failed(format!(
                "'{shown}' holds an interrupted run; continue it with `--resume`, or begin anew with `--overwrite`"
            )));
        } else if let Some(name) = first_foreign(path)? {
            return Err(Error::failed(format!(
                "'{shown}' is not empty (it holds '{name}', which no run wrote); choose an empty folder with `--out`"
            )));
        }
        fs::create_dir_all(folder.partial()).map_err(fail)?;
        Ok(Opened::Fresh(folder, left))
    }

    pub(crate) fn partial(&self) -> PathBuf {
        self.path.join(PARTIAL)
    }

    pub(crate) fn state_path(&self) -> PathBuf {
        self.partial().join(STATE)
    }

    pub(crate) fn log_path(&self, variant: Option<&str>, log: LogKind) -> PathBuf {
        self.partial().join(log.file_name(variant))
    }

    /// An empty folder for the files of the finished run, with the paths they will have.
    pub(crate) fn begin_delivery(&self) -> Result<PathBuf> {
        swap::begin(&self.partial())
    }

    /// A shard is finished: its counts and logs stay.
    pub(crate) fn finish_shard(&self) -> Result<()> {
        let target = self.path.join(SHARD);
        if known::is_there(&target) {
            return Err(Error::failed(format!(
                "'{}' is in the way of the finished shard: move it away and continue with `--resume`",
                target.display()
            )));
        }
        fs::rename(self.partial(), &target).map_err(|error| io_error(&target, &error))
    }

    /// A run is finished: its files take their places, its counts stay, the logs go.
    pub(crate) fn finish_run(&self) -> Result<()> {
        let partial = self.partial();
        let mut steps = swap::plan(&partial, &self.path, &|_| false)
            .map_err(|error| Error { message: format!("{error} and continue with `--resume`"), ..error })?;
        // The manifest says that all is there, and the counts that the run is finished.
        steps.sort_by_key(|step| step.to == manifest::FILE_NAME);
        steps.push(swap::Step { from: Some(STATE.into()), to: RESULTS.into() });
        swap::commit(&partial, &self.path, steps)?;
        own_files::remove_partial(&self.path)
    }
}

/// Finishes what a killed process had made whole and not yet put in place. The folder must be locked.
pub(crate) fn finish_pending(run: &Path) -> Result<()> {
    let partial = run.join(PARTIAL);
    if known::is_real_folder(&partial) && swap::finish(&partial)? {
        own_files::remove_partial(run)?;
    }
    // Killed when the counts were in their place and the logs not all gone.
    if known::is_real_folder(&partial) && run.join(RESULTS).exists() && own_files::has_partial(run)? {
        own_files::remove_partial(run)?;
    }
    temporary::sweep(run)
}

/// As [`finish_pending`] for those who only read, which need no lock if there is nothing to finish.
pub(crate) fn finish_pending_of(run: &Path) -> Result<()> {
    if !run.join(PARTIAL).join(swap::JOURNAL).exists() && !temporary::has_unfinished(run) {
        return Ok(());
    }
    let _lock = FolderLock::take(run)?;
    finish_pending(run)
}

/// Something in a folder that is to be empty.
fn first_foreign(folder: &Path) -> Result<Option<String>> {
    let entries = known::entries(folder)?;
    Ok(entries.into_iter().map(|(name, _)| name).find(|name| name != lock::FILE_NAME))
}

/// A finished shard.
#[derive(Debug)]
pub struct ShardFolder {
    path: PathBuf,
    header: Header,
}

impl ShardFolder {
    /// Finds it and reads what it says of itself; its counts stay where they are.
    pub fn open(path: &Path) -> Result<Self> {
        let path = Self::find(path)?;
        let header = State::load_header(&path.join(STATE))?;
        Ok(Self { path, header })
    }

    /// Whether its counts and logs are what was written; look before anything is made of them.
    pub fn check(&self) -> Result<()> {
        let variants = 0..self.header.variants.len();
        variants.flat_map(|variant| LogKind::ALL.map(|log| self.log(variant, log))).try_for_each(|log| log.check())?;
        State::check(&self.state_path())
    }

    /// Whether it counted what another state counts.
    pub(crate) fn is_like(&self, other: &Header) -> bool {
        (&self.header.variants, &self.header.scenarios) == (&other.variants, &other.scenarios)
    }

    /// The file of its counts.
    pub(crate) fn state_path(&self) -> PathBuf {
        self.path.join(STATE)
    }

    /// Whether there is one.
    pub(crate) fn is_finished(path: &Path) -> bool {
        Self::find(path).is_ok()
    }

    /// What the shard says of itself.
    pub fn header(path: &Path) -> Result<Header> {
        Self::open(path).map(|shard| shard.header)
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

    /// One of its logs.
    pub(crate) fn log(&self, variant: usize, log: LogKind) -> LogFile {
        let header = &self.header;
        let name = log.file_name(header.variants[variant].as_deref());
        let sum = header.logs.get(variant).map(|sums| sums[log].clone()).unwrap_or_default();
        LogFile { path: self.path.join(name), sum }
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
    State::open(&path)
}
