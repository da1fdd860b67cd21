//! `couloir merge`: parts become a run.

use std::path::PathBuf;
use std::time::Duration;

use super::place::Places;
use crate::ensemble;
use crate::files::hashed;
use crate::output::Work;
use crate::process::progress::{Mode, Progress};
use crate::process::{interrupt, parent, threads};
use crate::store::Store;
use crate::store::run_folder::Existing;
use crate::texts::say;
use crate::{Error, Result, output, project, site};

/// Join the parts computed with `couloir run --shard` into the very files one run would have written.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Folders the parts were written to, in any order.
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    places: Places,
    /// Project file; default: where it was when the first part was computed.
    #[arg(long)]
    project: Option<PathBuf>,
    /// Merge what is there, for a look, although parts are missing or unfinished. Title, report, layers and manifest say so.
    #[arg(long)]
    allow_missing: bool,
    /// Continue an interrupted merge.
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Replace what an earlier run left in the folder: only files it wrote and nobody changed since.
    #[arg(long)]
    overwrite: bool,
    /// Stop when the process that started this one ends: for schedulers that may be killed.
    #[arg(long)]
    with_parent: bool,
    #[command(flatten)]
    force: super::Force,
    /// List of `couloir plan` (inputs.json): input files that are still those it has hashed are not read through once more.
    #[arg(long, value_name = "FILE")]
    hashes: Option<PathBuf>,
    /// How to show progress: bar, json (lines on standard output) or none.
    #[arg(long, value_enum, default_value_t)]
    progress: Mode,
}

pub(super) fn run(args: Args) -> Result<()> {
    let starting = interrupt::end_at_once_with("stopped while reading the parts; nothing was written".into());
    args.force.heed();
    if args.with_parent {
        parent::stop_with_it()?;
    }
    let place = args.places.chosen()?;
    let Some(out) = place.local.clone() else {
        return Err(Error::usage("merge: name a folder for the results with --out"));
    };
    args.hashes.as_deref().map(hashed::rely_on).transpose()?;
    let progress = Progress::on_stdout(args.progress);
    progress.stage("read", 1);
    let plan = ensemble::merge_plan(&args.shards, args.allow_missing)?;
    let mut project = project::load(args.project.as_ref().unwrap_or(&plan.project))?;
    super::speak_as(&project);
    project.file.simulation.seed = plan.seed;
    if !plan.missing.is_empty() {
        let (there, all) = plan.rocks();
        project.file.title = say!("partial-title", there = there, all = all, title = project.file.title.as_str());
    }
    let site = site::load(&project)?;
    site.datum_shifts.iter().for_each(|shift| progress.note(&shift.note()));
    let existing = Existing { resume: args.resume, overwrite: args.overwrite, part: false };
    drop(starting);
    let setup = ensemble::set_up_whole(&site, &plan, &out)?;
    place.look(&out, args.overwrite)?;
    let note = match Store::open(&setup, plan.range(), &out, existing, Duration::MAX)? {
        None => ": these parts are already merged",
        Some((mut store, left)) => {
            left.iter().for_each(|sentence| progress.warn(sentence));
            let seconds = ensemble::merge(&setup, &plan, &mut store, &progress)?;
            output::deliver(&setup, store, Work { threads: threads::cores(), seconds }, &progress)?;
            ""
        }
    };
    let shown = place.deliver(&out, args.overwrite, &progress)?;
    progress.finish();
    if args.progress == Mode::Json { Ok(()) } else { super::print(&format!("{shown}{note}\n")) }
}
