//! The file of a filled-in project, with its inputs beside it if they are to come along.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::files::{atomic, known};
use crate::geo::file_list::files_of;
use crate::{Error, Result};

/// What is written.
const FILE_NAME: &str = "project.yaml";
/// Larger inputs are used where they are.
const COPY_LIMIT: u64 = 500_000_000;
/// Sections of a project, as people read them.
const READING_ORDER: [&str; 19] = [
    "couloir",
    "title",
    "study",
    "crs",
    "terrain",
    "rocks",
    "release",
    "ground",
    "forest",
    "restitution",
    "lines",
    "barriers",
    "objects",
    "classification",
    "simulation",
    "stop",
    "statistics",
    "outputs",
    "threads",
];

/// Every file a project document names, as written there.
pub(crate) fn paths(document: &Value) -> Vec<String> {
    let (mut copy, mut found) = (document.clone(), Vec::new());
    each_path(&mut copy, "", &mut |path| found.push(path.clone()));
    found
}

fn each_path(value: &mut Value, inside: &str, act: &mut impl FnMut(&mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each_path(item, inside, act)),
        Value::Object(table) => {
            for (key, item) in table.iter_mut().filter(|(key, _)| *key != "geojson") {
                let of_file = matches!(key.as_str(), "dem" | "file" | "raster");
                match item {
                    Value::String(text)
                        if of_file || inside == "classification" && key == "scheme" && is_yaml(text) =>
                    {
                        act(text);
                    }
                    _ => each_path(item, key, act),
                }
            }
        }
        _ => {}
    }
}

fn is_yaml(text: &str) -> bool {
    text.ends_with(".yaml") || text.ends_with(".yml")
}

/// Writes `project.yaml` into a folder; paths relative to `base` stay right. With `copy` the inputs come along, so that the
/// folder can be passed on; what is large or spread over other folders stays where it is.
///
/// # Errors
/// There is a project already, or something cannot be written; then nothing of it stays behind.
pub(crate) fn write(mut document: Value, base: &Path, folder: &Path, copy: bool) -> Result<PathBuf> {
    let target = folder.join(FILE_NAME);
    // Be it a link that leads nowhere now.
    if known::is_there(&target) {
        return Err(Error::usage(format!(
            "{}: already exists and is not overwritten; name another folder",
            target.display()
        )));
    }
    let existed = folder.is_dir();
    fs::create_dir_all(folder).map_err(|error| atomic::io_error(folder, &error))?;
    let mut made = Made { folder, copies: Vec::new(), places: BTreeMap::new() };
    let mut failure = None;
    each_path(&mut document, "", &mut |path| match made.place(path, base, copy) {
        Ok(place) => *path = place,
        Err(error) => drop(failure.get_or_insert(error)),
    });
    let text = serde_yaml::to_string(&in_reading_order(&document, 0)).map_err(|e| Error::failed(e.to_string()));
    let written = failure.map_or(text, Err).and_then(|text| {
        let head = format!("# Written by couloir form {}.\n", env!("CARGO_PKG_VERSION"));
        atomic::write_bytes(&target, (head + &text).as_bytes())
    });
    if let Err(error) = written {
        made.copies.iter().for_each(|copy| drop(fs::remove_file(copy)));
        if !existed {
            // Only if nothing else has come to lie there.
            let _ = fs::remove_dir(folder);
        }
        return Err(error);
    }
    Ok(target)
}

struct Made<'a> {
    folder: &'a Path,
    copies: Vec<PathBuf>,
    /// Where a file went: it may be named more than once.
    places: BTreeMap<PathBuf, String>,
}

impl Made<'_> {
    /// How the project in the folder names a file.
    fn place(&mut self, path: &str, base: &Path, copy: bool) -> Result<String> {
        let (name, layer) = path.find('|').map_or((path, ""), |at| path.split_at(at));
        if name.starts_with("/vsi") {
            return Ok(path.to_string());
        }
        let source = base.join(name);
        let source = fs::canonicalize(&source).unwrap_or(source);
        if source.parent() == fs::canonicalize(self.folder).ok().as_deref() {
            return Ok(format!("{}{layer}", text_of(source.file_name())));
        }
        if let Some(place) = self.places.get(&source) {
            return Ok(format!("{place}{layer}"));
        }
        let parts = if copy && source.is_file() { files_of(&source) } else { Vec::new() };
        let stem = text_of(source.file_stem());
        let belongs = |part: &PathBuf| part.parent() == source.parent() && text_of(part.file_name()).starts_with(&stem);
        let size: u64 = parts.iter().filter_map(|part| part.metadata().ok()).map(|about| about.len()).sum();
        let place = if !parts.is_empty() && parts.iter().all(belongs) && size <= COPY_LIMIT {
            self.copied(&parts, &stem, &source)?
        } else {
            source.display().to_string()
        };
        self.places.insert(source, place.clone());
        Ok(format!("{place}{layer}"))
    }

    /// Copies a file with what belongs to it under a name that is free.
    fn copied(&mut self, parts: &[PathBuf], stem: &str, source: &Path) -> Result<String> {
        let ending = |part: &Path| text_of(part.file_name())[stem.len()..].to_string();
        let is_free =
            |new: &str| parts.iter().all(|part| !known::is_there(&self.folder.join(format!("{new}{}", ending(part)))));
        let mut names = std::iter::once(stem.to_string()).chain((2..).map(|number| format!("{stem}_{number}")));
        let new = names.find(|name| is_free(name)).unwrap_or_default();
        for part in parts {
            let target = self.folder.join(format!("{new}{}", ending(part)));
            atomic::write(&target, |new| fs::copy(part, new).map_err(|error| atomic::io_error(&target, &error)))?;
            self.copies.push(target);
        }
        Ok(format!("{new}{}", ending(source)))
    }
}

fn text_of(name: Option<&std::ffi::OsStr>) -> String {
    name.map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

/// Sections as people read them, and the name of an entry first.
fn in_reading_order(value: &Value, depth: usize) -> serde_yaml::Value {
    match value {
        Value::Array(items) => items.iter().map(|item| in_reading_order(item, depth + 1)).collect(),
        Value::Object(table) => {
            let first: &[&str] = if depth == 0 { &READING_ORDER } else { &["name"] };
            let rank = |key: &str| first.iter().position(|known| *known == key).unwrap_or(first.len());
            let mut keys: Vec<&String> = table.keys().collect();
            keys.sort_by_key(|key| rank(key));
            let pairs = keys.into_iter().map(|key| (key.as_str().into(), in_reading_order(&table[key], depth + 1)));
            serde_yaml::Value::Mapping(pairs.collect())
        }
        plain => serde_yaml::to_value(plain).unwrap_or_default(),
    }
}
