//! `couloir merge`: parts become a run.

use std::path::PathBuf;

use crate::ensemble;
use crate::output::run_folder::Existing;
use crate::progress::{Mode, Progress};
use crate::{Result, output, project, site};

/// Join the parts computed with `couloir run --shard` into the very files one run would have written.
#[derive(clap::Args)]
pub struct Args {
    /// Folders the parts were written to, in any order.
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Folder for the results.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Project file; default: where it was when the first part was computed.
    #[arg(long)]
    project: Option<PathBuf>,
    /// Replace what an earlier run left in the folder.
    #[arg(long)]
    overwrite: bool,
    /// How to show progress: bar, json (lines on standard output) or none.
    #[arg(long, value_enum, default_value_t)]
    progress: Mode,
}

pub fn run(args: Args) -> Result<()> {
    let progress = Progress::on_stdout(args.progress);
    progress.stage("read", 1);
    let plan = ensemble::merge_plan(&args.shards)?;
    let mut project = project::load(args.project.as_ref().unwrap_or(&plan.project))?;
    project.file.simulation.seed = plan.seed;
    let site = site::load(&project)?;
    let existing = Existing { resume: false, overwrite: args.overwrite };
    ensemble::merge(&site, &plan, &args.out, existing, &progress, output::deliver)?;
    progress.finish();
    if args.progress == Mode::Json { Ok(()) } else { super::print(&format!("{}\n", args.out.display())) }
}
