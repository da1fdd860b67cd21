//! `couloir form`: a project as flat values for programs with fields, and back.

use std::path::PathBuf;

use crate::Result;
use crate::form::{self, FilledIn};
use crate::review::repeat::Origin;

/// Print a project or a run as a form, or write a project of a filled-in one
///
/// A form is what programs with fields show of a project: values by name, layers, and the keys that have no field. Without a
/// project it is an empty one. A filled-in form is JSON with the `values` and `layers` to change; what is not in it stays as
/// it is in the project.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Project file or folder of a finished run to start from.
    project: Option<PathBuf>,
    /// Filled-in form (JSON); relative paths in it are relative to its folder.
    #[arg(long, value_name = "FILE", requires = "out")]
    fill: Option<PathBuf>,
    /// Folder to write `project.yaml` to.
    #[arg(long, value_name = "FOLDER", value_parser = super::output_name)]
    out: Option<PathBuf>,
    /// Copy the inputs into the folder as well, so that it can be passed on; what is above 500 MB stays where it is.
    #[arg(long, requires = "out")]
    copy_inputs: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let origin = args.project.as_deref().map_or_else(|| Ok(Origin::blank()), Origin::open)?;
    let Some(out) = args.out else {
        return super::print(&format!("{:#}\n", origin.to_json()));
    };
    let mut given = args.fill.as_deref().map_or_else(|| Ok(FilledIn::default()), FilledIn::read)?;
    if args.project.is_none() {
        let usual = form::shown(&origin.document).values;
        given.values = usual.into_iter().chain(given.values).collect();
    }
    let document = form::filled(&origin.document, &given)?;
    let file = form::write(document, &origin.folder, &out, args.copy_inputs)?;
    super::print(&format!("{}\n", file.display()))
}
