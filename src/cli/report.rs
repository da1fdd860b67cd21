//! `couloir report`: a finished run in another language.

use std::path::PathBuf;

use crate::{Result, output};

/// Write the report, maps, legends and the interactive page of a finished run anew, in the language of --language.
///
/// Nothing is computed again but classified maps; numbers stay as they are.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of a finished run.
    run: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let left = output::rerender(&args.run)?;
    let notes: String = left.iter().map(|note| format!("note: {note}\n")).collect();
    super::print(&format!("{notes}{}\n", args.run.join("report.html").display()))
}
