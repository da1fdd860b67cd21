//! The command line: each verb parses, calls one library function, prints.

use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::geo::{area_of_use, lockdown};
use crate::process::console::{is_hidden, one_line, print, say};
use crate::process::{interrupt, memory, threads};
use crate::project::{self, Project};
use crate::texts::{self, Language};
use crate::{Error, Result};

mod check;
mod classify;
mod clip;
mod compare;
mod completions;
mod diff;
mod form;
mod init;
mod man;
mod merge;
mod place;
mod plan;
mod prepare;
mod profile;
mod release;
mod report;
mod reproject;
mod rocks;
mod roughness;
mod run;
mod schema;
mod score;
mod show;
mod trace;
mod validate;

#[derive(Parser)]
#[command(name = "couloir", version = env!("COULOIR_VERSION"), about, arg_required_else_help = true)]
struct Cli {
    /// Let GDAL open files on the network (/vsicurl/, /vsis3/ …), which nothing does otherwise.
    #[arg(long, global = true)]
    allow_network: bool,
    /// Language of reports, maps, legends and layer names; default: the project's or the run's, else English. Errors and
    /// progress stay English.
    #[arg(long, global = true, value_enum, value_name = "CODE")]
    language: Option<Language>,
    /// Memory for terrain and ground, MB: a DEM that needs more (8 bytes a cell) is read block by block where rocks get. Results are the
    /// same; default: a quarter of the memory that is free.
    #[arg(long, global = true, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    terrain_memory: Option<u64>,
    /// Counts of more bytes stay in their file; nobody but tests needs another limit.
    #[arg(long, global = true, value_name = "BYTES", hide = true)]
    counts_memory: Option<u64>,
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
    Completions(completions::Args),
    Diff(diff::Args),
    Form(form::Args),
    Init(init::Args),
    Man(man::Args),
    Merge(merge::Args),
    Plan(plan::Args),
    Run(run::Args),
    Prepare(Box<prepare::Args>),
    Profile(profile::Args),
    Release(release::Args),
    Report(report::Args),
    Reproject(reproject::Args),
    Rocks(rocks::Args),
    Roughness(roughness::Args),
    Schema(schema::Args),
    Score(score::Args),
    Show(show::Args),
    Trace(trace::Args),
    Validate(validate::Args),
}

/// Every verb and option, for those who document, complete or check command lines.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Parses the command line, runs the verb, prints at most one error sentence; the exit codes are
/// 0 fine, 1 failed, 2 usage, 3 invalid input, 4 try again later.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(own_mistake));
    memory::share_heap();
    let cli = Cli::parse();
    // SAFETY: there is no other thread yet, and nothing has read the environment.
    unsafe { lockdown::clear_environment(cli.allow_network) };
    if cli.allow_network {
        lockdown::allow_network();
    }
    if let Some(language) = cli.language {
        texts::speak(language);
    }
    if let Some(megabytes) = cli.terrain_memory {
        memory::limit_terrain(megabytes * 1_000_000);
    }
    cli.counts_memory.into_iter().for_each(memory::limit_counts);
    threads::start_shared();
    // The hook has said what there is to say of a panic.
    match catch_unwind(AssertUnwindSafe(|| dispatch(cli.verb))) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            say(&format!("error: {}", one_line(&error.message)));
            ExitCode::from(error.exit_code())
        }
        Err(_) => ExitCode::from(Error::failed("").exit_code()),
    }
}

/// One sentence for a bug of ours, whichever thread meets it.
fn own_mistake(panic: &PanicHookInfo) {
    let payload = panic.payload();
    let what = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let place = panic.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
    let what = what.unwrap_or("no reason given").replace('\n', " ");
    say(&format!("error: couloir made a mistake{place} ({what}): please report it with the project that shows it"));
}

/// The name of a file or folder to write: what cannot be seen or passed on to GDAL is refused before anything is computed.
fn output_name(text: &str) -> std::result::Result<PathBuf, String> {
    output_text(text).map(PathBuf::from)
}

/// The same of the folder of a run, which must be one of this machine: a run locks it, goes on with it after a kill, and lets all its files appear at once.
fn run_folder_name(text: &str) -> std::result::Result<PathBuf, String> {
    if text.starts_with("/vsi") {
        return Err("it is on one of GDAL's virtual file systems, which cannot be locked and know no renaming at once; choose a folder on a disk"
            .into());
    }
    output_name(text)
}

fn output_text(text: &str) -> std::result::Result<String, String> {
    match text.chars().find(|&c| is_hidden(c)) {
        Some(c) => {
            Err(format!("it holds the character U+{:04X}, which cannot be seen; choose another name", u32::from(c)))
        }
        None => Ok(text.to_owned()),
    }
}

/// For verbs that read coordinates.
#[derive(clap::Args, Clone, Copy)]
struct Force {
    /// Use coordinates as they are even where they lie outside the area of use of their CRS.
    #[arg(long = "force")]
    given: bool,
}

impl Force {
    fn heed(self) {
        if self.given {
            area_of_use::insist();
        }
    }
}

/// The project of a verb, in its language, with the seed of the command line.
fn load(path: &Path, seed: Option<u64>) -> Result<Project> {
    let mut project = project::load(path)?;
    speak_as(&project);
    if let Some(seed) = seed {
        project.file.simulation.seed = seed;
    }
    Ok(project)
}

/// In the project's language, unless the command line names one.
fn speak_as(project: &Project) {
    project.file.language.into_iter().for_each(texts::speak_unless_told);
}

fn dispatch(verb: Verb) -> Result<()> {
    interrupt::listen();
    // These do not look up while they work, and what they write appears whole at their end or not at all.
    let all_at_the_end = matches!(
        verb,
        Verb::Check(_)
            | Verb::Diff(_)
            | Verb::Form(_)
            | Verb::Plan(_)
            | Verb::Profile(_)
            | Verb::Release(_)
            | Verb::Rocks(_)
            | Verb::Roughness(_)
            | Verb::Score(_)
            | Verb::Show(_)
            | Verb::Trace(_)
            | Verb::Validate(_)
    );
    let _on_interrupt = all_at_the_end.then(|| interrupt::end_at_once_with("stopped; nothing was written".into()));
    match verb {
        Verb::Check(args) => check::run(args),
        Verb::Classify(args) => classify::run(args),
        Verb::Clip(args) => clip::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Completions(args) => completions::run(args),
        Verb::Diff(args) => diff::run(args),
        Verb::Form(args) => form::run(args),
        Verb::Init(args) => init::run(args),
        Verb::Man(args) => man::run(args),
        Verb::Merge(args) => merge::run(args),
        Verb::Plan(args) => plan::run(args),
        Verb::Run(args) => run::run(args),
        Verb::Prepare(args) => prepare::run(*args),
        Verb::Profile(args) => profile::run(args),
        Verb::Release(args) => release::run(args),
        Verb::Report(args) => report::run(args),
        Verb::Reproject(args) => reproject::run(args),
        Verb::Rocks(args) => rocks::run(args),
        Verb::Roughness(args) => roughness::run(args),
        Verb::Schema(args) => schema::run(args),
        Verb::Score(args) => score::run(args),
        Verb::Show(args) => show::run(args),
        Verb::Trace(args) => trace::run(args),
        Verb::Validate(args) => validate::run(args),
    }
}
