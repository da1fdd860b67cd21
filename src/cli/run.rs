//! `couloir run`: a project becomes maps.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::place::Places;
use crate::ensemble::{self, Shard};
use crate::files::{companions, hashed, known};
use crate::output::{Work, styles};
use crate::process::progress::{Mode, Progress};
use crate::process::{interrupt, parent};
use crate::project::Project;
use crate::store::run_folder::Existing;
use crate::store::{self, Amount, Store};
use crate::{Error, Result, output, site};

/// Run a project: release every rock, count, write maps, trajectories and report.
///
/// The result depends on the project, its files and the seed alone: not on threads, interruptions or shards.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Project file.
    project: PathBuf,
    /// Without --out: runs/<project>-<hash> beside the project, the same for the same run.
    #[command(flatten)]
    places: Places,
    /// Worker threads, at most four a core; default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Seed of all random draws, instead of the project's.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Only this many trajectories, spread evenly over all: a quick look.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Add rocks until the map has settled, as `simulation.until` of the project says, else with its defaults: the share of the
    /// zoned area that differs between two independent halves at most 5 %.
    #[arg(long, conflicts_with_all = ["limit", "rocks", "shard"])]
    until_stable: bool,
    /// This many rocks, in whole rounds over all release positions: a run that was made with --until-stable again, in one or
    /// in shards.
    #[arg(long, value_name = "N", conflicts_with = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    rocks: Option<u64>,
    /// Compute one part, i/n or from..to, to be joined with `couloir merge`.
    #[arg(long, value_name = "PART")]
    shard: Option<Shard>,
    /// Continue an interrupted run.
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Replace what an earlier run left in the folder: only files it wrote and nobody changed since.
    #[arg(long)]
    overwrite: bool,
    /// Stop, with a checkpoint, when the process that started this one ends: for schedulers that may be killed.
    #[arg(long)]
    with_parent: bool,
    /// Seconds between checkpoints, 0.01 to 1000000.
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = checkpoint_seconds)]
    checkpoint_every: f64,
    /// GeoTIFF of the rocks passing each cell so far, written anew every few seconds while rocks fall; must not exist.
    /// Not for terrains of more than 33 million cells.
    #[arg(long, value_name = "FILE", value_parser = super::run_folder_name)]
    live: Option<PathBuf>,
    /// Run even with more threads than the machine can use, less memory than the run seems to need, or coordinates outside
    /// the area of use of their CRS.
    #[arg(long)]
    force: bool,
    /// List of `couloir plan` (inputs.json): input files that are still those it has hashed are not read through once more.
    #[arg(long, value_name = "FILE")]
    hashes: Option<PathBuf>,
    /// How to show progress: bar, json (lines on standard output) or none.
    #[arg(long, value_enum, default_value_t)]
    progress: Mode,
}

fn checkpoint_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.trim().parse().ok().filter(|seconds| (0.01..=1e6).contains(seconds));
    seconds.ok_or("expected seconds from 0.01 to 1000000".into())
}

fn amount(args: &Args, project: &Project) -> Result<Amount> {
    let wish = project.file.simulation.until.as_ref();
    if let Some(rocks) = args.rocks {
        return Ok(Amount::Rounds(rocks));
    }
    if args.until_stable {
        return Ok(Amount::Until(wish.cloned().unwrap_or_default()));
    }
    if wish.is_some() && args.shard.is_some() && args.limit.is_none() {
        return Err(Error::usage(
            "--shard: the project adds rocks until its map has settled (simulation.until), and a part alone cannot know when; \
             give the number of rocks of the whole with --rocks",
        ));
    }
    Ok(args.limit.into())
}

/// The style of a live map; nothing that is there is overwritten.
fn begin_live(file: &Path) -> Result<()> {
    if file.extension().is_none_or(|ending| ending != "tif") {
        return Err(Error::usage(format!("--live {}: expected a name that ends with .tif", file.display())));
    }
    for made in companions::of(file).into_iter().chain([file.with_extension("qml")]) {
        if known::is_there(&made) {
            let words = "already exists and is not overwritten; name another file";
            return Err(Error::usage(format!("--live: {}: {words}", made.display())));
        }
    }
    styles::write_live(file)
}

pub(super) fn run(args: Args) -> Result<()> {
    let starting = interrupt::end_at_once_with("stopped while reading the project; nothing was computed".into());
    super::Force { given: args.force }.heed();
    if args.with_parent {
        parent::stop_with_it()?;
    }
    let place = args.places.chosen()?;
    if place.is_remote() && args.shard.is_some() {
        return Err(Error::usage(
            "--shard: parts are joined from folders of machines; put the merged run into the object store",
        ));
    }
    args.hashes.as_deref().map(hashed::rely_on).transpose()?;
    let project = super::load(&args.project, args.seed)?;
    let progress = Progress::on_stdout(args.progress);
    progress.stage("read", 1);
    let site = site::load(&project)?;
    site.datum_shifts.iter().for_each(|shift| progress.note(&shift.note()));
    progress.set(1);
    drop(starting);
    let mut setup = store::set_up(&site, amount(&args, &project)?)?;
    let total = setup.identity.total;
    let range = args.shard.map_or(Ok((0, total)), |shard| shard.range(total))?;
    let out = place.local.clone().unwrap_or_else(|| setup.default_folder(args.shard.map(|_| range)));
    place.look(&out, args.overwrite)?;
    let threads = ensemble::chosen_threads(args.threads.map(usize::from), &project, args.force)?;
    if !args.force {
        ensemble::refuse_unless_it_fits(&setup, args.shard.map(|_| range), threads)?;
    }
    args.live.as_deref().map(begin_live).transpose()?;
    let existing = Existing { resume: args.resume, overwrite: args.overwrite, part: args.shard.is_some() };
    let every = Duration::from_secs_f64(args.checkpoint_every);
    let note = match Store::open(&setup, range, &out, existing, every)? {
        None => ": this run is already finished",
        Some((mut store, left)) => {
            left.iter().for_each(|sentence| progress.warn(sentence));
            let seconds = ensemble::fill(&setup, &mut store, threads, &progress, args.live.as_deref())?;
            setup.end_at(store.rocks());
            if args.shard.is_some() {
                store.finish_shard()?;
                ": one part is computed; join all parts with `couloir merge`"
            } else {
                output::deliver(&setup, store, Work { threads, seconds }, &progress)?;
                ""
            }
        }
    };
    let shown = place.deliver(&out, args.overwrite, &progress)?;
    progress.finish();
    if args.progress == Mode::Json { Ok(()) } else { super::print(&format!("{shown}{note}\n")) }
}
