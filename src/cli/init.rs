//! `couloir init`: a commented project to start from.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use crate::project::templates::{self, TEMPLATES};
use crate::project::{did_you_mean, one_of};
use crate::{Error, Result};

/// Write a commented project file to start from; an existing file is never overwritten
#[derive(clap::Args)]
pub(super) struct Args {
    /// What the project is for
    #[arg(long, value_name = "NAME", default_value = "minimal")]
    template: String,
    /// List the templates and exit
    #[arg(long)]
    list: bool,
    /// File to write
    #[arg(default_value = "project.yaml", value_parser = super::output_name)]
    file: PathBuf,
}

pub(super) fn run(args: Args) -> Result<()> {
    if args.list {
        let lines: String = TEMPLATES.iter().map(|t| format!("{:<14} {}\n", t.name, t.about)).collect();
        return super::print(&lines);
    }
    let Some(template) = templates::find(&args.template) else {
        let names: Vec<&str> = TEMPLATES.iter().map(|t| t.name).collect();
        let hint = did_you_mean(&args.template, &names);
        return Err(Error::usage(format!("--template: found {:?}, expected {}{hint}", args.template, one_of(&names))));
    };
    let name = args.file.display();
    let mut file = OpenOptions::new().write(true).create_new(true).open(&args.file).map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => {
            Error::usage(format!("{name}: already exists and is not overwritten; name another file"))
        }
        ErrorKind::NotFound => Error::usage(format!("{name}: its folder does not exist; create the folder first")),
        _ => Error::failed(format!("{name}: cannot be written ({e}); choose another folder")),
    })?;
    if let Err(e) = file.write_all(template.text.as_bytes()).and_then(|()| file.sync_all()) {
        drop(file);
        // The half-written file is ours: it did not exist before.
        let _ = fs::remove_file(&args.file);
        return Err(Error::failed(format!("{name}: cannot be written ({e}); is the disk full?")));
    }
    super::print(&format!("{name} written. Put in your files, then run: couloir check {}\n", shell_quoted(&args.file)))
}

fn shell_quoted(path: &std::path::Path) -> String {
    let text = path.display().to_string();
    if text.contains(|c: char| c.is_whitespace() || "'\"$&;()*?|<>\\`!".contains(c)) {
        format!("'{}'", text.replace('\'', r"'\''"))
    } else {
        text
    }
}
