//! Finished runs looked at again: the difference of two, and profiles along lines and trajectories.

pub(crate) mod diff;
mod diff_cells;
mod diff_figures;
mod diff_page;
mod flat;
pub(crate) mod profile;
pub(crate) mod repeat;
pub(crate) mod track_profile;

use std::path::{Path, PathBuf};

use crate::files::inputs;
use crate::geo::raster::{self, Raster, ReadRaster};
use crate::geo::{Crs, file_list};
use crate::output::report_model::{self, ReportModel};
use crate::project::{self, Project};
use crate::store::layers::Layer;
use crate::store::manifest::{self, Manifest};
use crate::store::run_folder::{self, LAYERS, WITH_BARRIERS, WITHOUT_BARRIERS};
use crate::terrain::Lattice;
use crate::{Error, Result, texts};

/// The folder of a finished run, and what it says of itself.
#[derive(Debug, Clone)]
pub(crate) struct FinishedRun {
    pub folder: PathBuf,
    pub manifest: Manifest,
    pub crs: Crs,
}

/// The slope as it is, or with barriers acting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variant {
    /// For people; empty if there is only one.
    pub label: String,
    /// Its folder in that of the run, with a slash; empty if there is only one.
    pub place: &'static str,
}

impl FinishedRun {
    /// # Errors
    /// No run, one that is not finished, or one whose manifest was changed.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        if folder.is_dir() {
            run_folder::finish_pending_of(folder)?;
        }
        let manifest = manifest::read(folder)?;
        texts::speak_unless_told(manifest.language);
        let crs = Crs::from_user(&manifest.crs_wkt)?;
        Ok(Self { folder: folder.to_path_buf(), manifest, crs })
    }

    /// The project that was run.
    pub(crate) fn project(&self) -> Result<Project> {
        let record = &self.manifest.project;
        project::from_text(&self.folder.join(&record.file), record.text.clone(), record.sha256.clone())
    }

    pub(crate) fn lattice(&self) -> Lattice {
        let grid = self.manifest.grid;
        Lattice { nx: grid.columns, ny: grid.rows, x0: grid.x0_m, y0: grid.y0_m, dx: grid.cell_x_m, dy: grid.cell_y_m }
    }

    /// With barriers first, as everywhere.
    pub(crate) fn variants(&self) -> Vec<Variant> {
        if self.manifest.with_barriers.is_none() {
            return vec![Variant { label: String::new(), place: "" }];
        }
        [(WITH_BARRIERS, "with_barriers/"), (WITHOUT_BARRIERS, "without_barriers/")]
            .map(|(name, place)| Variant { label: name.replace('_', " "), place })
            .to_vec()
    }

    /// Where the layers of a variant lie: those of all rocks, or if there are none those of its last scenario.
    fn layers_of(&self, variant: &Variant) -> String {
        let start = format!("{}{LAYERS}/", variant.place);
        let is_layer =
            |path: &str| path.strip_prefix(&start).and_then(|n| n.strip_suffix(".tif")).and_then(Layer::named);
        match self.manifest.scenarios.last() {
            Some(last) if !self.manifest.outputs.iter().any(|file| is_layer(&file.path).is_some()) => {
                format!("{start}{}/", last.file_name)
            }
            _ => start,
        }
    }

    /// The layers of a variant that the run wrote, in the order of its manifest.
    pub(crate) fn layers(&self, variant: &Variant) -> Vec<Layer> {
        let start = self.layers_of(variant);
        let name = |path: &str| path.strip_prefix(&start)?.strip_suffix(".tif").and_then(Layer::named);
        self.manifest.outputs.iter().filter_map(|file| name(&file.path)).collect()
    }

    /// Reads a layer.
    ///
    /// # Errors
    /// It is gone, or no longer what the run wrote.
    pub(crate) fn layer(&self, variant: &Variant, layer: &Layer) -> Result<Raster> {
        raster::read(&self.layer_file(variant, layer)?, &ReadRaster::default())
    }

    /// The file of a layer.
    ///
    /// # Errors
    /// It is gone, or no longer what the run wrote.
    pub(crate) fn layer_file(&self, variant: &Variant, layer: &Layer) -> Result<PathBuf> {
        self.vouched(&format!("{}{layer}.tif", self.layers_of(variant)))
    }

    /// The path of a file the run wrote.
    ///
    /// # Errors
    /// It is gone, or no longer what the run wrote.
    pub(crate) fn vouched(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder.join(name);
        let known = self.manifest.outputs.iter().find(|file| file.path == name);
        let refuse = |what: &str| {
            Error::input(format!("'{}' {what} after the run wrote it; run the project again", path.display()))
        };
        if !path.is_file() {
            return Err(refuse("was removed"));
        }
        if known.is_none_or(|known| manifest::sha256_file(&path).ok().as_ref() != Some(&known.sha256)) {
            return Err(refuse("was changed"));
        }
        file_list::refuse_steered(&path)?;
        Ok(path)
    }

    /// What the report says in numbers; `None` for a run without one.
    ///
    /// # Errors
    /// It is no longer what the run wrote.
    pub(crate) fn report(&self) -> Result<Option<ReportModel>> {
        refuse_changed(&self.folder, &self.manifest, report_model::FILE_NAME)?;
        ReportModel::read(&self.folder, &self.manifest)
    }
}

/// Refuses a file that a run lists and that is no longer what it wrote.
fn refuse_changed(run: &Path, manifest: &Manifest, name: &str) -> Result<()> {
    let path = run.join(name);
    let known = manifest.outputs.iter().find(|file| file.path == name);
    match known.filter(|known| manifest::sha256_file(&path).ok().as_ref() != Some(&known.sha256)) {
        None => Ok(()),
        Some(_) => Err(Error::input(format!(
            "'{}' was changed or removed after the run wrote it; run the project again, or copy it elsewhere and name the copy to \
             use it as it is",
            path.display()
        ))),
    }
}

/// The same for a file, and the others of its name, by the manifest of the run it lies in, where `out` must not lie; one
/// elsewhere is the user's own.
pub(super) fn refuse_changed_of_run(path: &Path, out: &Path) -> Result<()> {
    let Ok(path) = std::fs::canonicalize(path) else { return Ok(()) };
    let Some(run) = path.ancestors().skip(1).take(4).find(|above| above.join(manifest::FILE_NAME).is_file()) else {
        return Ok(());
    };
    let manifest = manifest::read(run)?;
    inputs::refuse_in_run(out, run)?;
    let inside = |path: &Path| path.strip_prefix(run).map(|path| path.to_string_lossy().replace('\\', "/"));
    let Ok(stem) = inside(&path.with_extension("")) else { return Ok(()) };
    let is_part = |name: &str| name.strip_prefix(&stem).is_some_and(|ending| ending.starts_with('.'));
    let parts: Vec<String> =
        manifest.outputs.iter().map(|file| file.path.clone()).filter(|name| is_part(name)).collect();
    // A style may well be the user's.
    parts.iter().filter(|name| !name.ends_with(".qml")).try_for_each(|name| refuse_changed(run, &manifest, name))?;
    file_list::refuse_steered(&path)
}
