//! `couloir completions`: what a shell needs to complete verbs and options.

use clap_complete::Shell;

use crate::{Error, Result};

/// Print a completion script for a shell (packages install them; `source <(couloir completions bash)` tries one)
#[derive(clap::Args)]
pub(super) struct Args {
    /// The shell the script is for
    shell: Shell,
}

pub(super) fn run(args: Args) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "couloir", &mut script);
    let script = String::from_utf8(script).map_err(|error| Error::failed(format!("a completion script: {error}")))?;
    super::print(&script)
}
