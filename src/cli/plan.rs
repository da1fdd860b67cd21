//! `couloir plan`: a run is cut into parts of equal cost, with the files that run them on an engine for many machines.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::json;

use crate::ensemble::{self, Part, Pilot};
use crate::files::hash::sha256;
use crate::files::{atomic, hashed, known, marked_file, watched, worked_out};
use crate::process::threads;
use crate::project::Project;
use crate::store::{Amount, Setup};
use crate::{Error, Result, site, store, texts};

/// Cut a run into parts that take equally long, and write the files that run them: on this machine, or on many.
///
/// A small share of the rocks (2.5 %, at least 100, at most 400 a part) is let fall to measure what each takes. `plan.json` lists the parts; each is a call of `couloir
/// run --shard`, the last step a call of `couloir merge`. Scheduling is left to programs made for it.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Project file.
    project: PathBuf,
    /// So many parts.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000), required_unless_present = "minutes")]
    parts: Option<u64>,
    /// Parts that take about so many minutes each on their threads.
    #[arg(long, value_name = "M", conflicts_with = "parts", value_parser = minutes)]
    minutes: Option<f64>,
    /// Which engine to write files for.
    #[arg(long = "for", value_enum, value_name = "ENGINE", default_value_t)]
    engine: Engine,
    /// Threads of each part.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Folder for the plan, its files and the parts; default: <project>-plan beside the project.
    #[arg(long, value_name = "DIR", value_parser = super::run_folder_name)]
    out: Option<PathBuf>,
    /// Seed of all random draws, instead of the project's.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Only this many trajectories, spread evenly over all: a quick look.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// This many rocks, in whole rounds over all release positions, for a project that adds rocks until its map has settled.
    #[arg(long, value_name = "N", conflicts_with = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    rocks: Option<u64>,
    /// Replace the plan that is there, unless somebody changed it. Finished parts stay, and are used if they are parts of the new plan, too.
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    force: super::Force,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Engine {
    /// A Snakefile: this machine, Slurm, Kubernetes.
    #[default]
    Snakemake,
    /// Scripts for a Slurm array.
    Slurm,
    /// A Python program for Dask.
    Dask,
}

/// A file of a plan for an engine: its name, its text with places to fill, whether it is to be called.
type Template = (&'static str, &'static str, bool);

impl Engine {
    fn templates(self) -> &'static [Template] {
        match self {
            Self::Snakemake => &[("Snakefile", include_str!("engines/Snakefile"), false)],
            Self::Slurm => &[
                ("part.sh", include_str!("engines/part.sh"), true),
                ("merge.sh", include_str!("engines/merge.sh"), true),
                ("submit.sh", include_str!("engines/submit.sh"), true),
            ],
            Self::Dask => &[("run_dask.py", include_str!("engines/run_dask.py"), true)],
        }
    }

    /// What a plan for it writes.
    fn files(self) -> Vec<&'static str> {
        self.templates().iter().map(|(name, ..)| *name).chain([PLAN, "parts.txt", HASHES, hashed::RELEASES]).collect()
    }

    /// How to start it.
    fn start(self) -> &'static str {
        match self {
            Self::Snakemake => "snakemake --cores all",
            Self::Slurm => "./submit.sh",
            Self::Dask => "python3 run_dask.py",
        }
    }
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.trim().parse().ok().filter(|minutes| (0.01..=1e6).contains(minutes));
    minutes.ok_or("expected minutes from 0.01 to 1000000".into())
}

fn amount(args: &Args, project: &Project) -> Result<Amount> {
    if args.rocks.is_none() && args.limit.is_none() && project.file.simulation.until.is_some() {
        return Err(Error::usage(
            "the project adds rocks until its map has settled (simulation.until), and a part alone cannot know when; give the number of \
             rocks of the whole with --rocks",
        ));
    }
    Ok(args.rocks.map_or(args.limit.into(), Amount::Rounds))
}

/// The plan itself; the mark of what was written lies beside it.
const PLAN: &str = "plan.json";

/// What was hashed once is not hashed again by every part.
const HASHES: &str = "inputs.json";

/// Memory a scheduler gives a merge at least.
const MERGE_MB: u64 = 2000;

/// A scheduler ends what takes more memory than it asked for: so many times as much as expected.
const MEMORY_MARGIN: f64 = 1.5;

/// A scheduler ends what takes so many times as long as expected.
const LIMIT: f64 = 4.0;

pub(super) fn run(args: Args) -> Result<()> {
    args.force.heed();
    let project = super::load(&args.project, args.seed)?;
    worked_out::keep();
    let site = site::load(&project)?;
    let setup = store::set_up(&site, amount(&args, &project)?)?;
    let out = args.out.clone().unwrap_or_else(|| default_folder(&project.path));
    let files = args.engine.files();
    let there = files.iter().find(|name| known::is_there(&out.join(name)));
    if let Some(name) = there.filter(|_| !args.overwrite) {
        let shown = out.display();
        return Err(Error::failed(format!(
            "'{shown}' holds a plan already ('{name}'); go on with it, replace it with `--overwrite`, or choose another folder with `--out`"
        )));
    }
    let paths = |names: &[&str]| names.iter().map(|name| out.join(name)).collect::<Vec<_>>();
    watched::begin(&paths(&files));
    marked_file::refuse_foreign(&out.join(PLAN), &paths(&files))?;
    // Files for another engine, from an earlier plan.
    let mut ours: Vec<PathBuf> = Engine::value_variants().iter().flat_map(|engine| paths(&engine.files())).collect();
    ours.sort();
    ours.dedup();
    ours.retain(|path| marked_file::may_write(&out.join(PLAN), path));
    let cores = threads::cores();
    let (pilot, wanted) = match (args.parts, args.minutes) {
        (Some(parts), _) => (Pilot::run(&setup, parts, cores)?, parts),
        (None, minutes) => {
            let each = 60.0 * minutes.unwrap_or(60.0) * f64::from(args.threads);
            Pilot::run_for(&setup, each, cores)?
        }
    };
    let parts = pilot.cut(wanted);
    std::fs::create_dir_all(&out).map_err(|error| atomic::io_error(&out, &error))?;
    let out = std::path::absolute(&out).map_err(|error| atomic::io_error(&out, &error))?;
    write(&args, &setup, &pilot, &parts, &out)?;
    marked_file::mark(&out.join(PLAN), &ours, "couloir plan")?;
    let (whole, most) = (pilot.whole_s(), parts.iter().fold(0.0_f64, |most, part| most.max(part.seconds)));
    super::print(&format!(
        "{}: {} parts of {} trajectories, {} of processor time in all, {} the longest part on {} thread{} (measured on {} \
         trajectories)\nstart them there with `{}`\n",
        out.display(),
        parts.len(),
        setup.identity.total,
        duration(whole),
        duration(most / f64::from(args.threads)),
        args.threads,
        if args.threads == 1 { "" } else { "s" },
        pilot.rocks(),
        args.engine.start(),
    ))
}

fn default_folder(project: &Path) -> PathBuf {
    let stem = project.file_stem().map_or("project".into(), |stem| stem.to_string_lossy().into_owned());
    project.with_file_name(format!("{stem}-plan"))
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Writes the plan and the engine's files.
fn write(args: &Args, setup: &Setup, pilot: &Pilot, parts: &[Part], out: &Path) -> Result<()> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let project = text(&std::path::absolute(&setup.site.project.path).unwrap_or_else(|_| args.project.clone()));
    let engine = std::env::current_exe().map_or("couloir".into(), |path| text(&path));
    let mut run = ["run", &project, "--resume", "--progress", "none", "--hashes", HASHES].map(String::from).to_vec();
    args.seed.iter().for_each(|seed| run.extend(["--seed".into(), seed.to_string()]));
    args.limit.iter().for_each(|limit| run.extend(["--limit".into(), limit.to_string()]));
    args.rocks.iter().for_each(|rocks| run.extend(["--rocks".into(), rocks.to_string()]));
    run.extend(args.force.given.then(|| "--force".to_string()));
    let width = parts.len().to_string().len();
    let name = |i: usize| format!("part-{:0width$}", i + 1);
    let limit_minutes = |seconds: f64| (LIMIT * seconds / 60.0).ceil().max(10.0) as u64;
    let threads = f64::from(args.threads);
    let one = |(i, part): (usize, &Part)| {
        let (from, to) = part.range;
        let shard = ["--shard".into(), format!("{from}..{to}"), "--out".into(), format!("parts/{}", name(i))];
        let arguments: Vec<String> = run.iter().cloned().chain(shard).collect();
        json!({
            "name": name(i), "from": from, "to": to, "expected_cpu_s": rounded(part.seconds),
            "limit_minutes": limit_minutes(part.seconds / threads), "arguments": arguments,
        })
    };
    let listed: Vec<_> = parts.iter().enumerate().map(one).collect();
    let folders = (0..parts.len()).map(|i| format!("parts/{}", name(i)));
    let head = ["merge", "--out", "run", "--resume", "--progress", "none", "--hashes", HASHES].map(String::from);
    let tail = ["--project".to_string(), project.clone()];
    let force = args.force.given.then(|| "--force".to_string());
    let merge: Vec<String> = head.into_iter().chain(tail).chain(force).chain(folders).collect();
    let with_margin = |bytes: u64| (MEMORY_MARGIN * bytes as f64 / 1e6).ceil() as u64;
    let memory_mb = with_margin(ensemble::memory_of_parts(setup, &pilot.footprint, parts, args.threads.into()));
    let merge_mb = with_margin(ensemble::memory_of_merge(setup, &pilot.footprint, args.threads.into())).max(MERGE_MB);
    let merge_minutes = limit_minutes(600.0 + 0.02 * pilot.whole_s());
    let identity = serde_json::to_vec(&setup.identity).unwrap_or_default();
    let plan = json!({
        "couloir": env!("COULOIR_VERSION"),
        "project": project,
        "identity_sha256": sha256(&identity),
        "engine": engine,
        "trajectories": setup.identity.total,
        "threads": args.threads,
        "memory_mb": memory_mb,
        "pilot": {"trajectories": pilot.rocks(), "cpu_s_per_trajectory": pilot.whole_s() / setup.identity.total as f64},
        "expected_cpu_s": rounded(pilot.whole_s()),
        "parts": listed,
        "merge": {"arguments": merge, "limit_minutes": merge_minutes, "memory_mb": merge_mb},
    });
    hashed::write(&out.join(HASHES))?;
    let plan = serde_json::to_string_pretty(&plan)
        .map_err(|e| Error::failed(format!("no JSON can be made: {e}")).caused_by(e))?;
    atomic::write_bytes(&out.join(PLAN), (plan + "\n").as_bytes())?;
    if args.engine == Engine::Slurm {
        let line = |(i, part): (usize, &Part)| format!("{} {} {}\n", name(i), part.range.0, part.range.1);
        let table: String = parts.iter().enumerate().map(line).collect();
        atomic::write_bytes(&out.join("parts.txt"), table.as_bytes())?;
    }
    let longest = parts.iter().fold(0.0_f64, |most, part| most.max(part.seconds));
    let quoted = |words: &[String]| words.iter().map(|word| shell_quoted(word)).collect::<Vec<_>>().join(" ");
    let fill = [
        ("@PARTS@", parts.len().to_string()),
        ("@THREADS@", args.threads.to_string()),
        ("@MEMORY_MB@", memory_mb.to_string()),
        ("@MERGE_MB@", merge_mb.to_string()),
        ("@LIMIT_MINUTES@", limit_minutes(longest / threads).to_string()),
        ("@MERGE_MINUTES@", merge_minutes.to_string()),
        ("@FOLDER@", shell_quoted(&text(out))),
        ("@ENGINE@", shell_quoted(&engine)),
        ("@RUN@", quoted(&run)),
        ("@MERGE@", quoted(&merge)),
    ];
    for (name, template, called) in args.engine.templates() {
        let filled = texts::filled(template, &fill.each_ref().map(|(place, value)| (*place, value.as_str())));
        let path = out.join(name);
        atomic::write_bytes(&path, filled.as_bytes())?;
        if *called {
            make_executable(&path)?;
        }
    }
    Ok(())
}

fn rounded(seconds: f64) -> f64 {
    (1000.0 * seconds).round() / 1000.0
}

/// As one word of a POSIX shell.
fn shell_quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn make_executable(path: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let allowed = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, allowed).map_err(|error| atomic::io_error(path, &error))?;
    }
    let _ = path;
    Ok(())
}
