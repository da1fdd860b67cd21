//! What another run may start from: a project file, or a finished run with its inputs, wherever they are now.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::FinishedRun;
use crate::files::hash::sha256_file;
use crate::form::{blank, paths, shown};
use crate::{Error, Result, project};

/// Larger inputs are not hashed again, only looked for.
const HASH_LIMIT: u64 = 100_000_000;

/// A project as it was written, and the folder its paths are relative to.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub document: Value,
    pub folder: PathBuf,
    title: String,
    run: Option<PathBuf>,
    /// Inputs that are no longer those of the run.
    changed: Vec<String>,
    /// Rocks the run was limited to, if it was.
    limit: Option<u64>,
}

impl Origin {
    /// A project to fill in.
    pub(crate) fn blank() -> Self {
        let (folder, title, run, changed, limit) = (PathBuf::new(), String::new(), None, Vec::new(), None);
        Self { document: blank(), folder, title, run, changed, limit }
    }

    /// # Errors
    /// No project and no finished run, or a run whose inputs are gone.
    pub(crate) fn open(place: &Path) -> Result<Self> {
        if place.is_dir() {
            return Self::of_run(place);
        }
        let project = project::load(place)?;
        let name = place.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let title = if project.file.title.is_empty() { name } else { project.file.title.clone() };
        Ok(Self { document: project.as_written()?, folder: absolute(&project.folder), title, ..Self::blank() })
    }

    fn of_run(place: &Path) -> Result<Self> {
        let run = FinishedRun::open(place)?;
        let (project, manifest) = (run.project()?, &run.manifest);
        let mut document = project.as_written()?;
        // A run may have been started with another seed than the project's.
        if manifest.seed != project.file.simulation.seed {
            document["simulation"]["seed"] = json!(manifest.seed);
        }
        let (folder, changed) = inputs(&run, &document)?;
        let limit = (manifest.rocks < manifest.rocks_planned).then_some(manifest.rocks);
        let title = manifest.project.title.clone();
        Ok(Self { document, folder, title, run: Some(absolute(place)), changed, limit })
    }

    /// What programs show, as JSON.
    pub(crate) fn to_json(&self) -> Value {
        let form = shown(&self.document);
        let layers = form.layers.iter().map(|(name, layer)| {
            (name.clone(), json!({ "file": self.folder.join(&layer.file), "filter": layer.filter }))
        });
        json!({
            "title": self.title,
            "run": self.run,
            "folder": self.folder,
            "changed_inputs": self.changed,
            "limited_to": self.limit,
            "values": form.values,
            "layers": layers.collect::<serde_json::Map<_, _>>(),
            "other": form.other,
        })
    }
}

fn absolute(path: &Path) -> PathBuf {
    let named = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    std::fs::canonicalize(named).unwrap_or_else(|_| named.to_path_buf())
}

/// The folder that holds the inputs of a run, and which of them have changed since.
fn inputs(run: &FinishedRun, document: &Value) -> Result<(PathBuf, Vec<String>)> {
    let places = places(run);
    let wanted: BTreeSet<String> = paths(document).iter().map(|path| file_part(path).to_string()).collect();
    let missing = |place: &Path| wanted.iter().filter(|file| !place.join(file).exists()).cloned().collect::<Vec<_>>();
    let best = places.iter().min_by_key(|place| missing(place).len()).cloned().unwrap_or_default();
    if let Some(lost) = missing(&best).first() {
        return Err(Error::input(format!(
            "the run '{}' cannot be repeated: its input '{lost}' is neither in '{}' nor beside the run; put it there",
            run.folder.display(),
            places.first().unwrap_or(&best).display()
        )));
    }
    let is_small = |file: &Path| file.metadata().is_ok_and(|about| about.is_file() && about.len() <= HASH_LIMIT);
    let mut changed = Vec::new();
    for name in &wanted {
        let (file, before) = (best.join(name), run.manifest.inputs.iter().find(|input| input.path == *name));
        if let Some(before) = before.filter(|_| is_small(&file))
            && sha256_file(&file)? != before.sha256
        {
            changed.push(name.clone());
        }
    }
    Ok((best, changed))
}

/// Where the project file of a run may be: where it was, and beside the run as programs put it.
fn places(run: &FinishedRun) -> Vec<PathBuf> {
    let folder = absolute(&run.folder);
    let above = folder.parent().map(Path::to_path_buf).unwrap_or_default();
    let was = Path::new(&run.manifest.this_run.project_path).parent().filter(|was| !was.as_os_str().is_empty());
    let mut beside: Vec<PathBuf> = std::fs::read_dir(&above)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    beside.retain(|path| path.is_dir() && path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("inputs")));
    beside.sort();
    beside.reverse();
    let higher = above.parent().map(Path::to_path_buf);
    was.map(Path::to_path_buf).into_iter().chain([folder]).chain(beside).chain([above]).chain(higher).collect()
}

/// Without a layer's name.
fn file_part(path: &str) -> &str {
    path.split('|').next().unwrap_or_default()
}
