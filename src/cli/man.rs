//! `couloir man`: manual pages, made from the same descriptions as `--help`.

use crate::{Error, Result};

/// Print a manual page (roff): of the program, or of one verb (`couloir man run | man -l -`)
#[derive(clap::Args)]
pub(super) struct Args {
    /// The verb; the program as a whole if none is given
    verb: Option<String>,
    /// List the verbs that have a page, one a line
    #[arg(long, conflicts_with = "verb")]
    list: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let mut program = super::command();
    program.build();
    if args.list {
        return super::print(&verbs(&program).map(|verb| format!("{verb}\n")).collect::<String>());
    }
    let page = match &args.verb {
        None => program,
        Some(verb) => {
            let found = program.find_subcommand(verb).ok_or_else(|| {
                let known = verbs(&program).collect::<Vec<_>>().join(", ");
                Error::input(format!("there is no verb '{verb}': write one of {known}"))
            })?;
            found.clone()
        }
    };
    let mut roff = Vec::new();
    let failed = |error: std::io::Error| Error::failed(format!("the manual page could not be made: {error}"));
    clap_mangen::Man::new(page).render(&mut roff).map_err(failed)?;
    super::print(&String::from_utf8_lossy(&roff))
}

fn verbs(program: &clap::Command) -> impl Iterator<Item = &str> {
    program.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help")
}
