//! What `run`, `merge` and `classify` end with: what was classified enters manifest and report.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::files::{atomic, known};
use crate::output::classification::Classified;
use crate::output::report_model::{Classification, ReportModel};
use crate::output::{layer_list, report, words};
use crate::store::manifest::{self, Manifest};
use crate::store::run_folder::REPORT;
use crate::{Note, Result};

/// Beside what has no description of its own.
const PARTS_MISSING: &str = "PARTIAL.txt";

/// Writes report.json and report.html into `new`, where the other new files are already, and completes the manifest, which
/// is to be written last. Pictures that are not there are taken from `run`; `is_stale` says which files of the run the new
/// ones replace. `model` is `None` for a run without a report.
pub(super) fn conclude(
    new: &Path,
    run: Option<&Path>,
    manifest: &mut Manifest,
    model: Option<&mut ReportModel>,
    classified: Vec<(String, Classified)>,
    is_stale: impl Fn(&str) -> bool,
) -> Result<()> {
    record(manifest, &classified);
    if let Some(missing) = manifest.warnings.0.iter().find(|note| matches!(note, Note::PartsMissing { .. })) {
        say_in_every_folder(new, missing)?;
    }
    // The hashes of all other files stay those of the run: what was changed since is not vouched for.
    manifest.outputs.retain(|file| !is_stale(&file.path));
    if let Some(model) = model {
        if let Some(name) = classified.first().map(|(_, first)| first.name.clone()) {
            model.put(Classification { name, variants: classified });
        }
        model.write(new)?;
        let folders: Vec<&Path> = [new].into_iter().chain(run).collect();
        let write = || {
            let page = report::render(manifest, model, &folders)?;
            atomic::write_bytes(&new.join(REPORT), page.as_bytes()).map(|()| manifest::sha256(page.as_bytes()))
        };
        // The list leaves the report out.
        let (hash, outputs) = rayon::join(write, || manifest::list_outputs(new));
        manifest.this_run.report_sha256 = Some(hash?);
        manifest.outputs.extend(outputs?);
    } else {
        manifest.outputs.extend(manifest::list_outputs(new)?);
    }
    manifest.outputs.sort_by(|a, b| a.path.cmp(&b.path));
    manifest.layers = layer_list::of(manifest);
    manifest.words = words::of(manifest);
    Ok(())
}

/// Tables, lines and pictures of a run that lacks parts have no room to say so: a file beside them does, in every folder that somebody may hand on.
fn say_in_every_folder(new: &Path, missing: &Note) -> Result<()> {
    let folders: BTreeSet<PathBuf> = known::list(new)?
        .iter()
        .filter_map(|file| Path::new(&file.path).parent().map(|folder| new.join(folder)))
        .filter(|folder| folder != new)
        .collect();
    folders.iter().try_for_each(|folder| {
        atomic::write_bytes(&folder.join(PARTS_MISSING), format!("PARTIAL: {missing}.\n").as_bytes())
    })
}

/// The manifest says what it would have said had the run been asked for this scheme.
pub(super) fn record(manifest: &mut Manifest, classified: &[(String, Classified)]) {
    let Some((_, last)) = classified.last() else { return };
    let record = last.record();
    let is_its = |warning: &Note| matches!(warning, Note::OfClassification { name, .. } if *name == record.name);
    let mut warnings: Vec<Note> = Vec::new();
    for warning in classified.iter().flat_map(|(_, classified)| classified.warnings()) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    // Where the old ones stood: the report of the same run stays the same.
    let all = &mut manifest.warnings.0;
    let old = all.iter().position(is_its);
    all.retain(|warning| !is_its(warning));
    let at = old.unwrap_or(all.len()).min(all.len());
    all.splice(at..at, warnings);
    match manifest.classifications.iter_mut().find(|known| known.name == record.name) {
        Some(known) => *known = record,
        None => manifest.classifications.push(record),
    }
}
