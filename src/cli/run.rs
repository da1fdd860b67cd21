//! `couloir run`: a project becomes maps.

use std::path::PathBuf;
use std::time::Duration;

use crate::ensemble::{self, Ended, Options, Shard};
use crate::output::run_folder::Existing;
use crate::progress::{Mode, Progress};
use crate::{Result, interrupt, output, project, site};

/// Run a project: release every rock, count, write maps, trajectories and report.
///
/// The result depends on the project, its files and the seed alone: not on threads, interruptions or shards.
#[derive(clap::Args)]
pub struct Args {
    /// Project file.
    project: PathBuf,
    /// Folder for the results; default: runs/<project>-<hash> beside the project, the same for the same run.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Worker threads, at most four a core; default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Seed of all random draws, instead of the project's.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Only this many trajectories, spread evenly over all: a quick look.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Compute one part, i/n or from..to, to be joined with `couloir merge`.
    #[arg(long, value_name = "PART")]
    shard: Option<Shard>,
    /// Continue an interrupted run.
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Replace what an earlier run left in the folder: only files it wrote and nobody changed since.
    #[arg(long)]
    overwrite: bool,
    /// Seconds between checkpoints, 0.01 to 1000000.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = checkpoint_seconds)]
    checkpoint_every: f64,
    /// Run even with more threads than the machine can use, less memory than the run seems to need, or coordinates outside
    /// the area of use of their CRS.
    #[arg(long)]
    force: bool,
    /// How to show progress: bar, json (lines on standard output) or none.
    #[arg(long, value_enum, default_value_t)]
    progress: Mode,
}

fn checkpoint_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.trim().parse().ok().filter(|seconds| (0.01..=1e6).contains(seconds));
    seconds.ok_or("expected seconds from 0.01 to 1000000".into())
}

pub fn run(args: Args) -> Result<()> {
    let starting = interrupt::end_at_once_with("stopped while reading the project; nothing was computed".into());
    super::insist(args.force);
    let mut project = project::load(&args.project)?;
    if let Some(seed) = args.seed {
        project.file.simulation.seed = seed;
    }
    let progress = Progress::on_stdout(args.progress);
    progress.stage("read", 1);
    let site = site::load(&project)?;
    site.datum_shifts.iter().for_each(|shift| progress.note(&shift.describe()));
    progress.set(1);
    let options = Options {
        out: args.out,
        threads: args.threads.map(usize::from),
        limit: args.limit,
        shard: args.shard,
        existing: Existing { resume: args.resume, overwrite: args.overwrite },
        checkpoint_every: Duration::from_secs_f64(args.checkpoint_every),
        force: args.force,
    };
    drop(starting);
    let ended = ensemble::run(&site, &options, &progress, output::deliver)?;
    progress.finish();
    if args.progress == Mode::Json {
        return Ok(());
    }
    super::print(&match ended {
        Ended::Run(folder) => format!("{}\n", folder.display()),
        Ended::Shard(folder) => {
            format!("{}: one part is computed; join all parts with `couloir merge`\n", folder.display())
        }
        Ended::AlreadyFinished(folder) => format!("{}: this run is already finished\n", folder.display()),
    })
}
