//! `couloir diff`: what changed from one run to another.

use std::path::PathBuf;

use crate::Result;
use crate::process::progress::{Mode, Progress};
use crate::review::diff;

/// Show what changed from one run (A) to another (B): maps of B − A, key figures, parameters that differ.
///
/// Writes DIR/difference_LAYER.tif for every layer both runs have, each with a style around zero for QGIS, difference.json
/// and the page difference.html. Both runs must have the same CRS and cells that lie on one another; their areas may
/// differ.
///
/// Example:
///   couloir diff runs/today runs/with_forest --out difference
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Folder of the first run (A).
    run_a: PathBuf,
    /// Folder of the second run (B).
    run_b: PathBuf,
    /// Folder for the difference.
    #[arg(long, value_name = "DIR", value_parser = super::output_name)]
    out: PathBuf,
    /// Replace what an earlier difference left in the folder.
    #[arg(long)]
    overwrite: bool,
    /// How to show progress: bar, json (lines on standard output) or none.
    #[arg(long, value_enum, default_value_t)]
    progress: Mode,
}

pub(super) fn run(args: Args) -> Result<()> {
    let progress = Progress::on_stdout(args.progress);
    let found = diff::diff(&args.run_a, &args.run_b, &args.out, args.overwrite, &progress)?;
    progress.finish();
    if args.progress == Mode::Json {
        return Ok(());
    }
    let (maps, keys) = (found.layers.len(), found.parameters.len());
    super::print(&format!("{maps} maps, {keys} parameters differ\n{}\n", args.out.join("difference.html").display()))
}
