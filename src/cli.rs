//! The command line: each verb parses, calls one library function, prints.

mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::Result;

#[derive(Parser)]
#[command(name = "couloir", version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

/// One variant a verb, one file a verb: `src/cli/<verb>.rs` with `Args` and `run`.
#[derive(Subcommand)]
enum Verb {
    Validate(validate::Args),
}

/// Parses the command line, runs the verb, prints at most one error sentence; the exit codes are
/// 0 fine, 1 failed, 2 usage, 3 invalid input.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match dispatch(cli.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn dispatch(verb: Verb) -> Result<()> {
    match verb {
        Verb::Validate(args) => validate::run(args),
    }
}
