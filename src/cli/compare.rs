//! `couloir compare`: the same releases through several models.

use std::path::PathBuf;

use crate::Result;
use crate::compare::{self, Model, Options};
use crate::process::progress::{Mode, Progress};

/// Run the same releases through several models and show what differs: maps, distributions, cost, a page to read.
///
/// Models: leine2021 (the default of runs), leine2014, spiral, directors, rocfall3, lumped; see docs/models.md.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Project file.
    project: PathBuf,
    /// Models, the reference first.
    #[arg(long, value_delimiter = ',', default_value = "leine2021,leine2014,rocfall3,lumped")]
    models: Vec<String>,
    /// Folder for the results; default: compare beside the project.
    #[arg(long, value_name = "DIR", value_parser = super::output_name)]
    out: Option<PathBuf>,
    /// Seed of all random draws, instead of the project's.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Only this many trajectories, spread evenly over all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Worker threads; default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Replace what an earlier comparison left in the folder.
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    force: super::Force,
    /// How to show progress: bar, json (lines on standard output) or none.
    #[arg(long, value_enum, default_value_t)]
    progress: Mode,
}

pub(super) fn run(args: Args) -> Result<()> {
    args.force.heed();
    let project = super::load(&args.project, args.seed)?;
    let models = args.models.iter().map(|name| Model::named(name.trim())).collect::<Result<Vec<_>>>()?;
    let out = args.out.unwrap_or_else(|| project.folder.join("compare"));
    let options = Options { threads: args.threads.map(usize::from), limit: args.limit, overwrite: args.overwrite };
    let progress = Progress::on_stdout(args.progress);
    let summaries = compare::compare(&project, &models, &out, &options, &progress)?;
    progress.finish();
    if args.progress == Mode::Json {
        return Ok(());
    }
    let mut text = format!("{:<24} {:<10} {:>10} {:>10} {:>10}\n", "quantity", "model", "mean", "p95", "KS");
    for s in &summaries {
        let quantity = format!("{}, {}", s.quantity, s.unit);
        text += &format!("{quantity:<24} {:<10} {:>10.1} {:>10.1} {:>10.3}\n", s.model, s.mean, s.p95, s.ks_distance);
    }
    text += &format!("\n{}\n", out.join("compare.html").display());
    super::print(&text)
}
