//! `couloir trace`: one rock with its full state, step by step.

use std::fmt::Write;
use std::path::PathBuf;

use crate::files::{atomic, known, watched};
use crate::store::record::stop_name;
use crate::{Error, Result, release, site, trajectory};

/// Follow one release of a project and write its full state after every step as CSV.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Project file.
    project: PathBuf,
    /// Number of the release, from 0, as reported for a rock to replay.
    #[arg(long, value_name = "N")]
    release: u64,
    /// Write every k-th step only (the start and the end always).
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Seed of all random draws, instead of the project's.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// File to write; an existing one is never overwritten.
    #[arg(short, long, value_name = "FILE", value_parser = super::output_name)]
    out: PathBuf,
    #[command(flatten)]
    force: super::Force,
    /// The number is that of a run with --until-stable or --rocks, whose rocks are numbered by rounds.
    #[arg(long)]
    by_rounds: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    args.force.heed();
    watched::begin([&args.out]);
    if known::is_there(&args.out) {
        return Err(Error::usage(format!(
            "{}: already exists and is not overwritten; name another file",
            args.out.display()
        )));
    }
    let project = super::load(&args.project, args.seed)?;
    let site = site::load(&project)?;
    let mut plan = release::plan(site.release_sources())?;
    if args.by_rounds || project.file.simulation.until.is_some() {
        plan.number_by_rounds(u64::MAX);
    }
    let Some(index) = plan.index_of(args.release) else {
        return Err(Error::usage(format!(
            "--release is {}, but no rock of the project bears that number: it has {} releases, numbered from {} to {}",
            args.release,
            plan.len(),
            plan.number(0),
            plan.last_number()
        )));
    };
    let release = plan.get(index)?;
    let (table, outcome) = trajectory::table::write(
        &site.scene.seen_from(&release.frame),
        &release.rock,
        &release.start,
        &release.scale,
        args.every,
    );
    atomic::write_bytes(&args.out, table.as_bytes())?;
    let mut summary = String::new();
    let _ = writeln!(
        summary,
        "{}: release {}, {} of {:.1} kg, {} steps, ended {} after {:.3} s and {:.2} m",
        args.out.display(),
        release.number,
        release.rock_name,
        release.rock.mass_kg,
        outcome.steps,
        stop_name(outcome.stop),
        outcome.end.time_s,
        outcome.distance_m
    );
    if outcome.solver.not_converged > 0 {
        let counts = &outcome.solver;
        let _ = writeln!(summary, "{} of {} contact steps did not converge", counts.not_converged, counts.solves);
    }
    if outcome.lifted_m > 0.0 {
        let _ = writeln!(summary, "the start lay below ground and was lifted by {:.3} m", outcome.lifted_m);
    }
    super::print(&summary)
}
