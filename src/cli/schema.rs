//! `couloir schema`: the JSON Schema of the project file, for editors.

use crate::Result;
use crate::project::{reference, schema};

/// Print the JSON Schema of the project file, for editors that complete and check YAML
#[derive(clap::Args)]
pub struct Args {
    /// Print the reference of all keys as Markdown instead
    #[arg(long)]
    markdown: bool,
}

pub fn run(args: Args) -> Result<()> {
    if args.markdown {
        super::print(&reference::markdown(schema::project()))
    } else {
        super::print(&format!("{:#}\n", schema::project()))
    }
}
