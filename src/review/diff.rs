//! Two runs side by side: maps of B − A, key figures, parameters that differ.
//!
//! Where only one run has rocks the other counts as 0, so that newly reached and no longer reached ground shows; where
//! neither has, there is no value. Angles, for which 0 means something else, are compared only where both have one.

use std::path::Path;

use serde::Serialize;

use super::diff_cells::{self, Subtracted, Tally};
use super::{FinishedRun, Variant, diff_figures, diff_page};
use crate::draw::preview::{self, Preview, Values};
use crate::draw::ramp::Legend;
use crate::draw::relief::Relief;
use crate::files::marked::Marked;
use crate::files::{atomic, inputs};
use crate::hazard::quantity::Quantity;
use crate::output::page::Block;
use crate::output::report::variant_words;
use crate::output::{hillshade, layer_list};
use crate::process::progress::Progress;
use crate::store::layers::{Layer, Statistic};
use crate::terrain::{Lattice, Surface};
use crate::texts::{Text, say};
use crate::{Error, Result};

const PAGE: &str = "difference.html";
const DATA: &str = "difference.json";
/// Of [`DATA`]: changes when its meaning does.
const FORMAT: u32 = 1;
/// What practice looks at first.
pub(super) const MAIN_LAYER: Layer = Layer::Statistic(Quantity::KineticEnergy, Statistic::P95);
/// Layers the page shows.
const PICTURES: [Layer; 3] =
    [MAIN_LAYER, Layer::Statistic(Quantity::JumpHeight, Statistic::P95), Layer::ReachProbability];
/// No raster can have more columns or rows.
const MOST_ACROSS: usize = i32::MAX as usize;

/// What `difference.json` holds and the page shows.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Difference {
    pub format: u32,
    pub a: Side,
    pub b: Side,
    pub layers: Vec<LayerDifference>,
    pub figures: Vec<Figure>,
    /// Keys of the projects, with every default filled in, and inputs with another content.
    pub parameters: Vec<Parameter>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Side {
    pub folder: String,
    pub title: String,
    pub engine: String,
    pub finished: String,
    pub seed: u64,
    pub rocks: u64,
    pub grid: String,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct LayerDifference {
    /// Label of the variant; empty if there is only one.
    pub variant: String,
    /// The same in words.
    pub group: String,
    pub layer: String,
    /// For lists of layers.
    pub title: String,
    pub unit: String,
    /// In the folder of the difference.
    pub file: String,
    /// Of B − A; `null` where no cell can be compared.
    pub smallest: Option<f64>,
    pub largest: Option<f64>,
    /// Cells where B is above, and below A.
    pub cells_more: u64,
    pub cells_less: u64,
}

/// A number of both runs.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Figure {
    pub variant: String,
    pub name: String,
    /// The name, for people.
    #[serde(skip)]
    pub text: Text,
    pub unit: String,
    pub a: Option<f64>,
    pub b: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Parameter {
    pub key: String,
    pub a: Option<String>,
    pub b: Option<String>,
}

/// Compares run B with run A; everything made takes its place in `out` at once.
///
/// # Errors
/// Runs in different CRSs or whose cells do not lie on one another, or that have no layer in common; a layer that was
/// changed since its run; a folder that holds something else.
pub(crate) fn diff(a: &Path, b: &Path, out: &Path, overwrite: bool, progress: &Progress) -> Result<Difference> {
    let (first, second) = (FinishedRun::open(a)?, FinishedRun::open(b)?);
    if inputs::same_file(a, b) {
        return Err(Error::usage(format!("'{}' is both runs: choose two different runs to compare", a.display())));
    }
    inputs::refuse_inside(out, &[a.join("manifest.json"), b.join("manifest.json")])?;
    [a, b].into_iter().try_for_each(|run| inputs::refuse_in_run(out, run))?;
    let lattice = common_lattice(&first, &second)?;
    let pairs = pairs(&first, &second);
    let work: Vec<(&(Variant, Variant), Layer)> = pairs
        .iter()
        .flat_map(|pair| common_layers(&first, &second, pair).into_iter().map(move |layer| (pair, layer)))
        .collect();
    if work.is_empty() {
        return Err(Error::input(format!("'{}' and '{}' have no layer in common", a.display(), b.display())));
    }
    if out.join(PAGE).exists() && !overwrite {
        return Err(Error::failed(format!(
            "'{}' holds a difference of two runs; choose another folder with `--out`, or replace it with `--overwrite`",
            out.display()
        )));
    }
    let parameters = diff_figures::parameters(&first, &second)?;
    let marked = Marked::open(out, "couloir diff")?;
    let mut difference = Difference {
        format: FORMAT,
        a: Side::of(&first),
        b: Side::of(&second),
        layers: Vec::new(),
        figures: diff_figures::rocks(&first, &second),
        parameters,
    };
    let terrain = hillshade::terrain(&first.manifest, &lattice)?;
    let surface = match terrain {
        Some(surface) => surface,
        None => hillshade::flat(&lattice)?,
    };
    progress.stage("difference", work.len() as u64);
    let mut pictures = Vec::new();
    for ((one, two), layer) in work {
        let file = format!("{}difference_{layer}.tif", two.place);
        let path = marked.path(&file);
        let subtracted = diff_cells::subtract(&path, &lattice, (&first, one), (&second, two), &layer)?;
        difference.figures.extend(diff_figures::figures(&two.label, &layer, &subtracted.seen, &lattice));
        if PICTURES.contains(&layer) {
            pictures.extend(picture(&first, &second, &layer, &two.label, &surface, &subtracted)?);
        }
        difference.layers.push(LayerDifference::of(&two.label, &layer, file, &subtracted.tally));
        progress.add(1);
    }
    for (one, two) in &pairs {
        difference.figures.extend(diff_figures::zones(&first, one, &second, two)?);
    }
    let text =
        serde_json::to_string_pretty(&difference).map_err(|e| Error::failed(format!("{DATA}: {e}")).caused_by(e))?;
    atomic::write_bytes(&marked.path(DATA), (text + "\n").as_bytes())?;
    atomic::write_bytes(&marked.path(PAGE), diff_page::render(&difference, pictures)?.as_bytes())?;
    marked.commit(true)?;
    Ok(difference)
}

/// The cells of both runs.
fn common_lattice(first: &FinishedRun, second: &FinishedRun) -> Result<Lattice> {
    let refuse = |why: String| {
        let (a, b) = (first.folder.display(), second.folder.display());
        Error::input(format!("'{a}' and '{b}' cannot be compared: {why}; run both on the same DEM"))
    };
    if !first.crs.same_as(&second.crs) {
        return Err(refuse(format!(
            "the CRS of the first is {}, of the second {}",
            first.crs.label(),
            second.crs.label()
        )));
    }
    let (a, b) = (first.lattice(), second.lattice());
    if (a.dx - b.dx).abs() > 1e-6 * a.dx || (a.dy - b.dy).abs() > 1e-6 * a.dy {
        return Err(refuse(format!(
            "cells of the first are {} m by {} m, of the second {} m by {} m",
            a.dx, a.dy, b.dx, b.dy
        )));
    }
    let steps = [(b.x0 - a.x0) / a.dx, (b.y0 - a.y0) / a.dy];
    if steps.iter().any(|step| (step - step.round()).abs() > 1e-3) {
        return Err(refuse("their cells do not lie on one another".into()));
    }
    let [right, up] = steps.map(|step| step.round());
    // In cells of the first, from its south-western one.
    let joined = |step: f64, mine: usize, theirs: usize| {
        let (low, high) = (step.min(0.0), (step + theirs as f64).max(mine as f64));
        let overlap = step < mine as f64 && step + theirs as f64 > 0.0;
        (low, (high - low) as usize, overlap)
    };
    let (west, nx, overlaps_x) = joined(right, a.nx, b.nx);
    let (south, ny, overlaps_y) = joined(up, a.ny, b.ny);
    if !overlaps_x || !overlaps_y {
        return Err(refuse("their areas do not overlap".into()));
    }
    if nx.max(ny) > MOST_ACROSS {
        return Err(refuse(format!(
            "an area that holds both has {nx} × {ny} cells, and no raster has more than {MOST_ACROSS} a side"
        )));
    }
    Ok(Lattice { nx, ny, x0: a.x0 + west * a.dx, y0: a.y0 + south * a.dy, dx: a.dx, dy: a.dy })
}

/// The same variant of both, else the first of each: a slope as it is, and with barriers.
fn pairs(first: &FinishedRun, second: &FinishedRun) -> Vec<(Variant, Variant)> {
    let (one, two) = (first.variants(), second.variants());
    let same: Vec<(Variant, Variant)> =
        one.iter().filter_map(|a| Some((a.clone(), two.iter().find(|b| *b == a)?.clone()))).collect();
    match same.is_empty() {
        false => same,
        true => one.into_iter().zip(two).take(1).collect(),
    }
}

/// Flags and bookkeeping are no quantities.
fn common_layers(first: &FinishedRun, second: &FinishedRun, (one, two): &(Variant, Variant)) -> Vec<Layer> {
    let theirs = second.layers(two);
    let is_quantity = |layer: &Layer| !matches!(layer, Layer::SampleSizeWarning | Layer::SourceCells);
    first.layers(one).into_iter().filter(|layer| is_quantity(layer) && theirs.contains(layer)).collect()
}

fn picture(
    first: &FinishedRun,
    second: &FinishedRun,
    layer: &Layer,
    variant: &str,
    surface: &Surface,
    subtracted: &Subtracted,
) -> Result<Option<Block>> {
    let largest = subtracted.tally.size();
    if largest == 0.0 {
        return Ok(None);
    }
    let relief = Relief::new(surface, subtracted.tally.around.window(surface.lattice()));
    let place = if variant.is_empty() { String::new() } else { format!(", {}", variant_words(variant)) };
    let unit = if layer.unit().is_empty() { String::new() } else { format!(" ({})", layer.unit()) };
    let name = layer.to_string();
    let draw = |values: Values| {
        preview::draw(&Preview {
            title: &format!("{}{place}", say!("difference-map", layer = layer.title())),
            subtitle: &format!("A: {}   B: {}", title(first), title(second)),
            crs: first.crs.label(),
            dem: &relief,
            values,
            legend: &Legend::difference(&format!("{}{unit}", say!("difference-legend")), largest),
            overlays: &[],
            notes: &[],
            marks: &[],
        })
    };
    let canvas = subtracted.shown(draw)?;
    Ok(Some(Block::picture(
        &canvas.to_png()?,
        say!(
            "map-of-layer",
            title = format!("{}{place}", say!("difference-map", layer = layer.title())),
            layer = format!("difference_{name}"),
        ),
        false,
    )))
}

fn title(run: &FinishedRun) -> String {
    let name = run.folder.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let title = &run.manifest.project.title;
    if title.is_empty() { name } else { format!("{title} ({name})") }
}

impl Side {
    fn of(run: &FinishedRun) -> Self {
        let Lattice { nx, ny, dx, dy, .. } = run.lattice();
        let manifest = &run.manifest;
        Self {
            folder: run.folder.display().to_string(),
            title: manifest.project.title.clone(),
            engine: format!("{} ({:.12})", manifest.engine.version, manifest.engine.git_revision),
            finished: manifest.this_run.finished_utc.clone(),
            seed: manifest.seed,
            rocks: manifest.rocks,
            grid: format!("{nx} × {ny} cells of {dx} m × {dy} m, {}", run.crs.label()),
        }
    }
}

impl LayerDifference {
    fn of(variant: &str, layer: &Layer, file: String, tally: &Tally) -> Self {
        Self {
            variant: variant.into(),
            group: variant_words(variant),
            layer: layer.to_string(),
            title: say!("list-difference", layer = layer_list::title(&layer.to_string())),
            unit: layer.unit().into(),
            file,
            smallest: tally.smallest.map(f64::from),
            largest: tally.largest.map(f64::from),
            cells_more: tally.more,
            cells_less: tally.less,
        }
    }
}
