//! `couloir show`: a project as JSON, for programs and for repeating a run with changes.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::project::{self, Project};
use crate::review::FinishedRun;
use crate::store::{manifest, run_folder};
use crate::{Error, Result};

/// Print a project as JSON; of a run folder, the project that was run
///
/// Paths stand as they were written: relative to the project file, whose place a run folder's manifest.json names.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Project file, or folder of a finished run.
    project: PathBuf,
    /// Also print every key that was left at its default.
    #[arg(long)]
    defaults: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let (project, seed) = if args.project.is_dir() {
        let (project, seed) = of_run(&args.project)?;
        (project, Some(seed))
    } else {
        (project::load(&args.project)?, None)
    };
    let mut document = if args.defaults {
        serde_json::to_value(&project.file)
            .map_err(|e| Error::failed(format!("{}: cannot be printed ({e})", args.project.display())).caused_by(e))?
    } else {
        project.as_written()?
    };
    // A run may have been started with another seed than the project's.
    if let Some(seed) = seed.filter(|seed| *seed != project.file.simulation.seed) {
        document["simulation"]["seed"] = json!(seed);
    }
    super::print(&format!("{document:#}\n"))
}

fn of_run(folder: &Path) -> Result<(Project, u64)> {
    if !folder.join(manifest::FILE_NAME).is_file() && !folder.join(run_folder::PARTIAL).is_dir() {
        return Err(Error::input(format!(
            "{}: it holds no {}; expected a project file or the folder of a finished run",
            folder.display(),
            manifest::FILE_NAME
        )));
    }
    let run = FinishedRun::open(folder)?;
    Ok((run.project()?, run.manifest.seed))
}
