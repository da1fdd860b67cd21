//! The pages and pictures of a finished run in another language: from its data, its layers and its counts.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::draw::canvas::Canvas;
use crate::draw::relief::Relief;
use crate::files::temporary::Temporary;
use crate::files::{atomic, swap};
use crate::geo::raster::{self, ReadRaster};
use crate::geo::raster_parts::RasterParts;
use crate::geo::{Crs, file_list};
use crate::output::classification::{Applied, Background};
use crate::output::conclude::{conclude, record};
use crate::output::reclassify::{put_in_place, refuse_changed, refuse_strangers};
use crate::output::report_model::{self, Classification, ReportModel};
use crate::output::{hillshade, interactive, maps, report, styles, titles};
use crate::process::interrupt;
use crate::project::schemes;
use crate::store::layers::{LARGE_MAP, Layer};
use crate::store::lock::FolderLock;
use crate::store::manifest::{self, Manifest};
use crate::store::run_folder::{self, BARRIER_SHEET, LAYERS};
use crate::store::state_file::State;
use crate::texts::{speak_unless_told, spoken};
use crate::{Error, Result, site};

/// Report, barrier sheet, maps, classified maps, styles and interactive page take their places in the language spoken now, all
/// at once. Returns what could not be said anew: maps of the inputs when these are gone.
///
/// # Errors
/// No finished run, one without a report, or one whose files were changed.
pub fn rerender(run: &Path) -> Result<Vec<String>> {
    let _lock = FolderLock::take(run)?;
    run_folder::finish_pending(run)?;
    let working =
        interrupt::end_at_once_with("stopped while writing; the run is as it was: give the same command again".into());
    let state = run_folder::results(run)?;
    let mut manifest = manifest::read(run)?;
    refuse_strangers(run, &manifest, &state)?;
    let Some(mut model) = ReportModel::read(run, &manifest)? else {
        return Err(Error::input(format!("'{}' was made without a report (outputs.report)", run.display())));
    };
    speak_unless_told(manifest.language);
    titles::mark(&state.header.missing, state.header.identity.total);
    manifest.language = spoken();
    let places = places(&manifest, &state, &model);
    let shown = layers_shown(&manifest, &state);
    refuse_changed(run, &manifest, &[places.clone(), shown.clone()].concat())?;
    shown.iter().try_for_each(|name| file_list::refuse_steered(&run.join(name)))?;
    let root = Temporary::create(run).map_err(|error| atomic::io_error(run, &error))?;
    let new = swap::begin(&root.path)?;
    let left = Anew { run, new: &new, manifest: &manifest, state: &state }.write(&mut model)?;
    model.classifications.iter().for_each(|made| record(&mut manifest, &made.variants));
    if run.join(BARRIER_SHEET).is_file() {
        atomic::write_bytes(&new.join(BARRIER_SHEET), report::barrier_sheet(&manifest, &model)?.as_bytes())?;
    }
    // What was not made anew stays.
    let made = |path: &str| new.join(path).exists();
    let is_stale = |path: &str| path == report_model::FILE_NAME || made(path);
    conclude(&new, Some(run), &mut manifest, Some(&mut model), Vec::new(), is_stale)?;
    state.is_readable()?;
    manifest::write(&new, &manifest)?;
    drop(working);
    let places: Vec<String> = places.into_iter().filter(|place| made(place)).collect();
    refuse_changed(run, &manifest::read(run)?, &places)?;
    put_in_place(&root.path, run, &places)?;
    Ok(left)
}

/// A large layer, piece by piece where it holds something.
fn in_pieces(name: &str, layer: &Path, on: &Background) -> Result<Option<Canvas>> {
    let parts = RasterParts::open_result(layer, &ReadRaster::default())?;
    let failure = OnceLock::new();
    let each = |visit: &mut dyn FnMut(usize, f64)| {
        let looked = parts.for_each_filled(|cut| {
            cut.for_each(parts.lattice(), |cell, value| {
                if value > 0.0 {
                    visit(cell, value);
                }
            });
        });
        looked.unwrap_or_else(|error| drop(failure.set(error)));
    };
    let canvas = maps::drawn_cells(name, &each, on);
    failure.into_inner().map_or(Ok(canvas), Err)
}

/// Folders of variants in a run folder: empty, or `name/`.
fn folders(state: &State) -> Vec<String> {
    let folder = |variant: &Option<String>| variant.as_ref().map_or(String::new(), |name| format!("{name}/"));
    state.header.variants.iter().map(folder).collect()
}

/// Files and folders that hold words.
fn places(manifest: &Manifest, state: &State, model: &ReportModel) -> Vec<String> {
    let folders = folders(state);
    let classified = model.classifications.iter().flat_map(|made| {
        folders.iter().map(|folder| format!("{folder}{}/{}", run_folder::CLASSIFICATION, made.name)).collect::<Vec<_>>()
    });
    let classified: Vec<String> = classified.collect();
    let is_word = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let in_class = classified.iter().any(|place| path.starts_with(&format!("{place}/")));
        let previews = path.contains("previews/") && name.ends_with(".png");
        let style = path.contains(&format!("{LAYERS}/")) && name.ends_with(".qml");
        !in_class && (previews || style || name == interactive::FILE_NAME || *path == BARRIER_SHEET)
    };
    let own = manifest.outputs.iter().map(|file| &file.path).filter(is_word).cloned().collect::<Vec<_>>();
    own.into_iter().chain(classified).collect()
}

/// The layers that previews are drawn from.
fn layers_shown(manifest: &Manifest, state: &State) -> Vec<String> {
    let of_folder = |folder: String| {
        let previews = names(manifest, &format!("{folder}previews/"), ".png");
        previews.into_iter().map(move |name| format!("{folder}{LAYERS}/{name}.tif"))
    };
    folders(state).into_iter().flat_map(of_folder).collect()
}

/// Names, without ending, of the run's files that begin and end so.
fn names(manifest: &Manifest, start: &str, end: &str) -> Vec<String> {
    let name = |path: &str| path.strip_prefix(start)?.strip_suffix(end).map(str::to_string);
    manifest.outputs.iter().filter_map(|file| name(&file.path)).collect()
}

/// The folder of a scenario, if there is one, and the name of the layer in it.
fn of_scenario(file: &str) -> (&str, &str) {
    file.rsplit_once('/').unwrap_or(("", file))
}

struct Anew<'a> {
    run: &'a Path,
    new: &'a Path,
    manifest: &'a Manifest,
    state: &'a State,
}

impl Anew<'_> {
    fn write(&self, model: &mut ReportModel) -> Result<Vec<String>> {
        let (manifest, state) = (self.manifest, self.state);
        let crs = Crs::from_user(&manifest.crs_wkt)?;
        let dem = match hillshade::terrain(manifest, &state.lattice)? {
            Some(dem) => dem,
            None => hillshade::flat(&state.lattice)?,
        };
        let relief = Relief::new(&dem, super::reclassify::passed(state));
        let overlays = &state.header.overlays;
        for (variant, folder) in state.header.variants.iter().zip(folders(state)) {
            let label = titles::label(variant.as_deref());
            let marks = model.variants.iter().find(|known| known.label == label).map(|known| known.cut_off.clone());
            let marks = marks.unwrap_or_default();
            let subtitle = titles::subtitle(&manifest.project.title, variant.as_deref());
            let on = Background { dem: &relief, crs: &crs, subtitle: &subtitle, overlays, marks: &marks };
            self.maps(&folder, &on)?;
            self.styles(&folder)?;
            let zones = self.classified(variant.as_deref(), &label, model, &on)?;
            interactive::say_anew(self.run, self.new, &folder, overlays, &marks, zones.as_ref())?;
        }
        self.inputs(&relief, &crs)
    }

    /// The layers' previews, from the layers.
    fn maps(&self, folder: &str, on: &Background) -> Result<()> {
        for file in names(self.manifest, &format!("{folder}previews/"), ".png") {
            let path = self.run.join(format!("{folder}{LAYERS}/{file}.tif"));
            let (inside, layer) = of_scenario(&file);
            if Layer::named(layer).is_none() || !path.is_file() {
                continue;
            }
            let scenario = self.manifest.scenarios.iter().find(|known| known.file_name == inside);
            let scenario = scenario.filter(|_| !inside.is_empty()).map(|known| known.name.as_str());
            let subtitle = maps::subtitle(on.subtitle, scenario);
            let on = &Background { subtitle: &subtitle, ..*on };
            let canvas = if on.dem.lattice().len() > LARGE_MAP {
                in_pieces(layer, &path, on)?
            } else {
                let read = raster::read(&path, &ReadRaster::default())?;
                let values: Vec<f32> = read.field.values.iter().map(|&value| value as f32).collect();
                maps::drawn(layer, &values, on)
            };
            let target = self.made(&format!("{folder}previews/{inside}"))?;
            canvas.map(|canvas| canvas.save(&target.join(format!("{layer}.png")))).transpose()?;
        }
        Ok(())
    }

    /// A folder among the new files.
    fn made(&self, path: &str) -> Result<PathBuf> {
        let folder = self.new.join(path);
        std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error)).map(|()| folder)
    }

    fn styles(&self, folder: &str) -> Result<()> {
        for file in names(self.manifest, &format!("{folder}{LAYERS}/"), ".qml") {
            let (inside, layer) = of_scenario(&file);
            if let Some(layer) = Layer::named(layer) {
                styles::write_layer(&self.made(&format!("{folder}{LAYERS}/{inside}"))?, &layer)?;
            }
        }
        Ok(())
    }

    /// All schemes of the run once more; returns what came of the project's own.
    fn classified(
        &self,
        variant: Option<&str>,
        label: &str,
        model: &mut ReportModel,
        on: &Background,
    ) -> Result<Option<super::classification::Classified>> {
        let index = self.state.header.variants.iter().position(|known| known.as_deref() == variant).unwrap_or(0);
        let mut first = None;
        for Classification { name, variants } in &mut model.classifications {
            let Some((_, known)) = variants.iter_mut().find(|(known, _)| known == label) else { continue };
            let (names, years): (Vec<String>, Vec<Option<f64>>) = known.scenarios.iter().cloned().unzip();
            let built_in = if known.source.is_empty() { name.as_str() } else { "" };
            let applied = Applied {
                scheme: &schemes::in_words(&known.scheme, built_in),
                source: &known.source.clone(),
                name,
                scenario_names: &names,
                return_periods_years: &years,
                begin: &titles::partial_of(&self.state.header.missing, self.state.header.identity.total),
            };
            *known = applied.write(self.new, variant, &self.state.accumulators[index], on)?;
            first = first.or(Some(known.clone()));
        }
        Ok(first)
    }

    /// Maps of ground and forest, if the project is as it was.
    fn inputs(&self, relief: &Relief, crs: &Crs) -> Result<Vec<String>> {
        if names(self.manifest, "previews/", ".png").iter().all(|name| !name.starts_with("input_")) {
            return Ok(Vec::new());
        }
        let path = Path::new(&self.manifest.this_run.project_path);
        let loaded = crate::project::load(path).ok().filter(|project| project.sha256 == self.manifest.project.sha256);
        let Some(site) = loaded.and_then(|project| site::load(&project).ok()) else {
            return Ok(vec![
                "the maps of ground and forest stay as they were: the project or its files were moved".into(),
            ]);
        };
        let (title, overlays) = (&self.manifest.project.title, &self.state.header.overlays);
        maps::draw_inputs(self.new, &site, &Background { dem: relief, crs, subtitle: title, overlays, marks: &[] })?;
        Ok(Vec::new())
    }
}
