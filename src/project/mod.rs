//! The project file: what the user asked for, as typed ([`file`]) and checked.
//!
//! Reading runs YAML text → located tree ([`yaml`]) → compared with the JSON Schema ([`conform`]) → typed ([`file`]) →
//! checked across keys ([`rules`]). Every mistake is one sentence with line, column and key path.

pub mod classes;
mod conform;
pub mod file;
pub(crate) mod limits;
pub mod reference;
pub(crate) mod rules;
pub mod schema;
pub mod schemes;
pub mod templates;
mod yaml;
mod yaml_place;
mod yaml_read;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::files::hash::sha256;
use crate::files::links::broken_link;
use crate::{Error, Result, files};
pub use conform::{did_you_mean, one_of};
use file::ProjectFile;

/// What the scenario of releases that name none is called.
pub(crate) const UNNAMED_SCENARIO: &str = "all";

/// Names to show.
pub(crate) fn scenario_names(scenarios: &[Option<String>]) -> Vec<String> {
    scenarios.iter().map(|name| scenario_name(name.as_deref()).to_string()).collect()
}

/// Name of releases that name no scenario.
pub(crate) fn scenario_name(name: Option<&str>) -> &str {
    name.unwrap_or(UNNAMED_SCENARIO)
}

/// A larger file is no project; the guard keeps a raster given by mistake out of memory.
const MAX_BYTES: u64 = 64 << 20;

/// A checked project file.
#[derive(Debug, Clone)]
pub struct Project {
    /// What it says.
    pub file: ProjectFile,
    /// Where it is.
    pub path: PathBuf,
    /// Paths in the file are relative to this folder.
    pub folder: PathBuf,
    /// As it was read.
    pub text: String,
    /// Of the text.
    pub sha256: String,
    tree: yaml::Node,
}

impl Project {
    /// A path as written in the file, made absolute or relative to the working directory.
    pub(crate) fn resolve(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// The project as JSON: the keys the user wrote, typed, without defaults.
    pub(crate) fn as_written(&self) -> Result<serde_json::Value> {
        conform::conform(&self.tree, schema::project())
            .map_err(|mistake| Error::input(mistake.describe(&self.path.display().to_string(), &self.text)))
    }

    /// Whether the user wrote this key, e.g. `ground.default`; otherwise its value is the built-in one.
    pub(crate) fn states(&self, key_path: &str) -> bool {
        self.tree.has(key_path)
    }

    /// An input error that points at a key, e.g. `release[0].source.file`, with its line and column.
    pub(crate) fn error_at(&self, key_path: &str, sentence: impl Into<String>) -> Error {
        let mistake = yaml::Mistake::new(yaml::At::Value, key_path, sentence);
        Error::input(mistake.describe(&self.path.display().to_string(), &self.text))
    }
}

/// Reads and checks a project file. Layers are not touched: `site::load` reads them.
pub fn load(path: &Path) -> Result<Project> {
    let (text, sha256) = read_text(path, "project file")?;
    from_text(path, text, sha256)
}

/// Checks the text of a project file; `path` is named in errors, and paths in the text are relative to its folder.
pub fn from_text(path: &Path, text: String, sha256: String) -> Result<Project> {
    let (file, tree) = typed::<ProjectFile>(path, "project file", &text, schema::project())?;
    let at = |mistake: yaml::Mistake| Error::input(mistake.describe(&path.display().to_string(), &text));
    rules::check(&file).map_err(at)?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok(Project { file, path: path.to_path_buf(), folder, text, sha256, tree })
}

/// Reads any other typed YAML file (a recipe, a scheme) with the same care for mistakes; `what` it is, for messages.
pub(crate) fn load_yaml<T: JsonSchema + DeserializeOwned>(path: &Path, what: &str) -> Result<T> {
    let (text, _) = read_text(path, what)?;
    from_yaml(path, what, &text)
}

/// As [`load_yaml`], from text; `path` is named in errors.
pub(crate) fn from_yaml<T: JsonSchema + DeserializeOwned>(path: &Path, what: &str, text: &str) -> Result<T> {
    Ok(typed(path, what, text, &schema::of::<T>())?.0)
}

fn typed<T: DeserializeOwned>(
    path: &Path,
    what: &str,
    text: &str,
    schema: &serde_json::Value,
) -> Result<(T, yaml::Node)> {
    let name = path.display().to_string();
    let at = |mistake: yaml::Mistake| Error::input(mistake.describe(&name, text));
    let empty = text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
    if empty {
        return Err(Error::input(format!(
            "{name}: the file is empty, expected a {what}; write a project to start from with `couloir init`"
        )));
    }
    let tree = yaml_read::parse(text).map_err(at)?;
    let json = conform::conform(&tree, schema).map_err(at)?;
    let value = serde_json::from_value(json).map_err(|e| Error::input(format!("{name}: {e}")).caused_by(e))?;
    Ok((value, tree))
}

/// The text of a YAML file (without a byte order mark) and the hash of its bytes.
fn read_text(path: &Path, what: &str) -> Result<(String, String)> {
    let name = path.display();
    let unreadable = |e: std::io::Error| match (e.kind(), broken_link(path)) {
        (_, Some(link)) => Error::input(format!("{name}: {link}")),
        (ErrorKind::NotFound, _) => Error::input(format!(
            "{name}: there is no such file; check the path, or write a new project with `couloir init`"
        )),
        (ErrorKind::NotADirectory, _) => {
            Error::input(format!("{name}: a part of this path is a file, not a folder; check the path"))
        }
        (ErrorKind::PermissionDenied, _) => {
            Error::input(format!("{name}: no permission to read it; change its permissions"))
        }
        _ => Error::input(format!("{name}: cannot be read ({e}); check the path")).caused_by(e),
    };
    files::refuse_endless(path, &format!("the {what}"))?;
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        let inside = path.join("project.yaml");
        return Err(Error::input(if inside.is_file() {
            format!("{name}: this is a folder, expected a {what}; did you mean {}?", inside.display())
        } else {
            format!("{name}: this is a folder, expected a {what} such as {}", inside.display())
        }));
    }
    if metadata.len() > MAX_BYTES {
        let mb = metadata.len() >> 20;
        return Err(Error::input(format!("{name}: {mb} MB is too large for a {what}; is it another kind of file?")));
    }
    let bytes = fs::read(path).map_err(unreadable)?;
    let sha256 = sha256(&bytes);
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Error::input(format!("{name}: found UTF-16 text, expected UTF-8; save it as UTF-8 in the editor")));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        Error::input(format!(
            "{name}:{line}:{column}: found bytes that are not UTF-8; save the file as UTF-8 in the editor"
        ))
    })?;
    if let Some(at) = text.find('\0') {
        let line = text[..at].matches('\n').count() + 1;
        return Err(Error::input(format!(
            "{name}:{line}: found a zero byte, expected text; is it another kind of file?"
        )));
    }
    Ok((text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text), sha256))
}
