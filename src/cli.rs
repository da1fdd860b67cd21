//! The command line: each verb parses, calls one library function, prints.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::{Error, Result, interrupt};

mod check;
mod classify;
mod clip;
mod compare;
mod init;
mod merge;
mod prepare;
mod reproject;
mod rocks;
mod run;
mod schema;
mod show;
mod trace;
mod validate;

#[derive(Parser)]
#[command(name = "couloir", version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

/// One variant a verb, one file a verb: `src/cli/<verb>.rs` with `Args` and `run`.
#[derive(Subcommand)]
enum Verb {
    Check(check::Args),
    Classify(classify::Args),
    Clip(clip::Args),
    Compare(compare::Args),
    Init(init::Args),
    Merge(merge::Args),
    Run(run::Args),
    Prepare(Box<prepare::Args>),
    Reproject(reproject::Args),
    Rocks(rocks::Args),
    Schema(schema::Args),
    Show(show::Args),
    Trace(trace::Args),
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
    interrupt::listen();
    // These do not look up while they work, and what they write appears whole at their end or not at all.
    let all_at_the_end =
        matches!(verb, Verb::Check(_) | Verb::Rocks(_) | Verb::Show(_) | Verb::Trace(_) | Verb::Validate(_));
    let _on_interrupt = all_at_the_end.then(|| interrupt::end_at_once_with("stopped; nothing was written".into()));
    match verb {
        Verb::Check(args) => check::run(args),
        Verb::Classify(args) => classify::run(args),
        Verb::Clip(args) => clip::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Init(args) => init::run(args),
        Verb::Merge(args) => merge::run(args),
        Verb::Run(args) => run::run(args),
        Verb::Prepare(args) => prepare::run(*args),
        Verb::Reproject(args) => reproject::run(args),
        Verb::Rocks(args) => rocks::run(args),
        Verb::Schema(args) => schema::run(args),
        Verb::Show(args) => show::run(args),
        Verb::Trace(args) => trace::run(args),
        Verb::Validate(args) => validate::run(args),
    }
}

/// Prints to stdout. A reader that has seen enough (`couloir schema | head`) is no failure.
fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Error::failed(format!("the output cannot be written ({e})")))
        }
        _ => Ok(()),
    }
}
