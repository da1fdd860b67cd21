//! Terrain and layers of a run along a line: a table, its data, and a page with plots.

use std::fmt::Write;
use std::path::Path;

use ::geo::{Geometry, LineString};
use serde_json::{Map, Value, json};

use super::{FinishedRun, Variant};
use crate::draw::svg::{Plot, figure};
use crate::files::marked::Marked;
use crate::files::{atomic, inputs};
use crate::geo::raster::ReadRaster;
use crate::geo::raster_parts::{Cut, RasterParts};
use crate::geo::vector;
use crate::geo::vector::VectorSourceResolved;
use crate::hazard::quantity::Quantity;
use crate::math;
use crate::output::hillshade;
use crate::output::page::{self, Block};
use crate::store::layers::Layer;
use crate::terrain::{Lattice, Surface};
use crate::texts::{Text, msg, say};
use crate::{Error, Result};

/// What says that a folder holds a profile.
pub(super) const PAGE: &str = "profile.html";
pub(super) const WRITTEN_BY: &str = "couloir profile";
/// Of `profile.json`: changes when its meaning does.
pub(super) const FORMAT: u32 = 1;
/// No profile may have more points.
const MOST_POINTS: f64 = 1e6;

/// Where to look.
#[derive(Debug, Clone)]
pub(crate) enum Along {
    /// The lines of a vector file, in any CRS.
    File(String),
    /// Corners of one line, in the CRS of the run.
    Points(Vec<[f64; 2]>),
}

/// One line, point by point.
struct Line {
    /// Distance along the line and place.
    points: Vec<[f64; 3]>,
    /// Of the ground, m; NaN where there is none.
    heights: Vec<f64>,
    /// Layer by layer; NaN where there is no value.
    values: Vec<Vec<f64>>,
}

/// A column: a layer of a variant.
struct Column {
    variant: Variant,
    layer: Layer,
    name: String,
}

/// What was made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Made {
    pub lines: usize,
    pub points: usize,
    pub length_m: f64,
    /// What the reader must know.
    pub notes: Vec<Text>,
}

/// Writes profile.csv, .json, .svg and .html into a folder.
///
/// # Errors
/// No run or one whose layers were changed; no line; a folder that holds something else.
pub(crate) fn along(run: &Path, where_: &Along, step_m: Option<f64>, out: &Path, overwrite: bool) -> Result<Made> {
    let run = FinishedRun::open(run)?;
    let mut read = vec![run.folder.join("manifest.json")];
    if let Along::File(file) = where_ {
        read.push(VectorSourceResolved::file(file)?.path().unwrap_or(Path::new("")).to_path_buf());
    }
    refuse_existing(out, overwrite, &read)?;
    inputs::refuse_in_run(out, &run.folder)?;
    let lattice = run.lattice();
    let step = step_m.unwrap_or(0.5 * lattice.dx.min(lattice.dy));
    let lines = lines(&run, where_)?;
    let length_m: f64 = lines.iter().map(length).sum();
    if length_m / step > MOST_POINTS {
        return Err(Error::usage(format!(
            "--step {step}: {length_m:.0} m of lines would have more than {MOST_POINTS} points; choose a larger step"
        )));
    }
    let marked = Marked::open(out, WRITTEN_BY)?;
    let surface = hillshade::terrain(&run.manifest, &lattice)?;
    let columns = columns(&run);
    let mut sampled: Vec<Line> = lines.iter().map(|line| sample(line, step, surface.as_ref(), &lattice)).collect();
    for column in &columns {
        let raster =
            RasterParts::open_result(&run.layer_file(&column.variant, &column.layer)?, &ReadRaster::default())?;
        let mut near = None;
        for line in &mut sampled {
            let values = line.points.iter().map(|&[_, x, y]| value_at(&raster, &mut near, x, y));
            line.values.push(values.collect::<Result<_>>()?);
        }
    }
    let mut notes = Vec::new();
    if surface.is_none() {
        notes.push(msg!("profile-no-heights"));
    }
    if sampled.iter().all(|line| line.points.iter().all(|&[_, x, y]| lattice.cell_at(x, y).is_none())) {
        notes.push(msg!("profile-outside", extent = extent_text(&lattice)));
    }
    let plots = plots(&sampled, &columns);
    let title = &say!("profile-title");
    let mut blocks = vec![Block::Title(title.clone()), Block::Subtitle(subtitle(&run))];
    blocks.extend(notes.iter().map(|note| Block::Warning(note.to_string())));
    blocks.push(Block::drawing(&plots, 1, say!("profile-caption")));
    atomic::write_bytes(&marked.path("profile.csv"), csv(&sampled, &columns).as_bytes())?;
    write_json(&marked, &data(&run, &sampled, &columns))?;
    atomic::write_bytes(&marked.path("profile.svg"), figure(&plots, 1).as_bytes())?;
    atomic::write_bytes(&marked.path(PAGE), page::render(title, &blocks)?.as_bytes())?;
    marked.commit(true)?;
    Ok(Made { lines: sampled.len(), points: sampled.iter().map(|line| line.points.len()).sum(), length_m, notes })
}

pub(super) fn refuse_existing(out: &Path, overwrite: bool, read: &[std::path::PathBuf]) -> Result<()> {
    inputs::refuse_inside(out, read)?;
    if out.join(PAGE).exists() && !overwrite {
        return Err(Error::failed(format!(
            "'{}' holds a profile; choose another folder with `--out`, or replace it with `--overwrite`",
            out.display()
        )));
    }
    Ok(())
}

pub(super) fn write_json(marked: &Marked, data: &Value) -> Result<()> {
    atomic::write_bytes(&marked.path("profile.json"), format!("{data:#}\n").as_bytes())
}

fn extent_text(lattice: &Lattice) -> String {
    let (west, south, east, north) = lattice.extent();
    format!("x {west} to {east}, y {south} to {north}")
}

fn subtitle(run: &FinishedRun) -> String {
    let title = &run.manifest.project.title;
    let run = say!("run-in-folder", folder = run.folder.display().to_string());
    if title.is_empty() { run } else { format!("{title}: {run}") }
}

/// The lines to look along, in the CRS of the run.
fn lines(run: &FinishedRun, where_: &Along) -> Result<Vec<LineString<f64>>> {
    let lines = match where_ {
        Along::Points(points) => vec![points.iter().map(|&[x, y]| (x, y)).collect()],
        Along::File(file) => {
            let layer = vector::read(&VectorSourceResolved::file(file)?, Some(&run.crs))?;
            let parts = layer.features.into_iter().flat_map(|feature| match feature.geometry {
                Geometry::LineString(line) => vec![line],
                Geometry::MultiLineString(lines) => lines.0,
                _ => Vec::new(),
            });
            parts.collect()
        }
    };
    let lines: Vec<LineString<f64>> = lines.into_iter().filter(|line| length(line) > 0.0).collect();
    match (lines.is_empty(), where_) {
        (false, _) => Ok(lines),
        (true, Along::File(file)) => Err(Error::input(format!("'{file}' holds no line; expected a layer of lines"))),
        (true, Along::Points(_)) => {
            Err(Error::usage("--points: all points are the same; expected at least two places"))
        }
    }
}

fn length(line: &LineString<f64>) -> f64 {
    line.lines().map(|part| math::hypot(part.dx(), part.dy())).sum()
}

/// Every corner, and points between them no farther apart than a step.
fn sample(line: &LineString<f64>, step: f64, surface: Option<&Surface>, lattice: &Lattice) -> Line {
    let mut points: Vec<[f64; 3]> = line.0.first().map(|start| [0.0, start.x, start.y]).into_iter().collect();
    let mut before = 0.0;
    for part in line.lines() {
        let length = math::hypot(part.dx(), part.dy());
        let pieces = (length / step).ceil().max(1.0) as usize;
        points.extend((1..=pieces).filter(|_| length > 0.0).map(|i| {
            let share = i as f64 / pieces as f64;
            [before + share * length, part.start.x + share * part.dx(), part.start.y + share * part.dy()]
        }));
        before += length;
    }
    let height = |&[_, x, y]: &[f64; 3]| surface.and_then(|surface| surface.height(x - lattice.x0, y - lattice.y0));
    let heights = points.iter().map(|point| height(point).unwrap_or(f64::NAN)).collect();
    Line { points, heights, values: Vec::new() }
}

/// Cells along a side of what is read at a time.
const NEAR: usize = 256;

/// That of the cell; `near` is what was read last.
fn value_at(raster: &RasterParts, near: &mut Option<Cut>, x: f64, y: f64) -> Result<f64> {
    let lattice = raster.lattice();
    let Some((column, row)) = lattice.cell_at(x, y) else { return Ok(f64::NAN) };
    let around = |place: usize, count: usize| place / NEAR * NEAR..(place / NEAR * NEAR + NEAR).min(count);
    let cut = match near.take().filter(|cut| cut.columns.contains(&column) && cut.rows.contains(&row)) {
        Some(cut) => cut,
        None => raster.read(around(column, lattice.nx), around(row, lattice.ny))?,
    };
    Ok(near.insert(cut).at(column, row))
}

fn columns(run: &FinishedRun) -> Vec<Column> {
    let of = |variant: Variant| {
        let layers = run.layers(&variant).into_iter().filter(|layer| *layer != Layer::SampleSizeWarning);
        layers
            .map(|layer| Column { name: format!("{}{layer}", variant.place), layer, variant: variant.clone() })
            .collect::<Vec<_>>()
    };
    run.variants().into_iter().flat_map(of).collect()
}

fn csv(lines: &[Line], columns: &[Column]) -> String {
    let mut out = String::from("line,distance_m,x_m,y_m,height_m");
    columns.iter().for_each(|column| {
        let _ = write!(out, ",{}", column.name);
    });
    out.push('\n');
    let text = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
    for (line, number) in lines.iter().zip(1..) {
        for (i, [distance, x, y]) in line.points.iter().enumerate() {
            let _ = write!(out, "{number},{distance:.3},{x:.3},{y:.3},{}", text(rounded(line.heights[i])));
            for values in &line.values {
                let _ = write!(out, ",{}", text(f64::from(values[i] as f32)));
            }
            out.push('\n');
        }
    }
    out
}

/// To the millimetre.
pub(super) fn rounded(metres: f64) -> f64 {
    (metres * 1000.0).round() / 1000.0
}

fn data(run: &FinishedRun, lines: &[Line], columns: &[Column]) -> Value {
    let min_sample = 0;
    let described = columns.iter().map(|column| {
        let words = column.layer.description(min_sample);
        json!({"name": column.name, "unit": column.layer.unit(), "description": words})
    });
    // No number is null.
    let line = |line: &Line| {
        let column = |i: usize| line.points.iter().map(|point| rounded(point[i])).collect::<Vec<f64>>();
        let mut values = Map::new();
        for (column, numbers) in columns.iter().zip(&line.values) {
            values.insert(column.name.clone(), json!(numbers));
        }
        let heights: Vec<f64> = line.heights.iter().map(|&height| rounded(height)).collect();
        json!({"distance_m": column(0), "x_m": column(1), "y_m": column(2), "height_m": heights, "layers": values})
    };
    json!({
        "format": FORMAT,
        "run": run.folder.display().to_string(),
        "crs": run.crs.label(),
        "layers": described.collect::<Vec<_>>(),
        "lines": lines.iter().map(line).collect::<Vec<_>>(),
    })
}

/// The ground, then a panel per quantity with all its layers.
fn plots(lines: &[Line], columns: &[Column]) -> Vec<Plot> {
    let x_label = msg!("axis-distance");
    let name = |number: usize, what: &str| match (lines.len() > 1, what.is_empty()) {
        (false, _) => what.to_string(),
        (true, true) => say!("line-number", number = (number + 1).to_string()),
        (true, false) => format!("{what}, {}", say!("line-number", number = (number + 1).to_string())),
    };
    let mut ground = Plot::new(msg!("setting-terrain"), x_label.clone(), msg!("axis-height"));
    for (number, line) in lines.iter().enumerate() {
        let points = line.points.iter().zip(&line.heights).map(|(point, &height)| [point[0], height]);
        ground = ground.line(name(number, ""), points.collect::<Vec<_>>());
    }
    let mut plots = vec![ground];
    for (title, y_label, belongs) in panels() {
        let chosen: Vec<usize> = (0..columns.len()).filter(|&i| belongs(&columns[i].layer)).collect();
        if chosen.is_empty() {
            continue;
        }
        let mut plot = Plot::new(msg!(title), x_label.clone(), msg!(y_label));
        for &column in &chosen {
            for (number, line) in lines.iter().enumerate() {
                let points = line.points.iter().zip(&line.values[column]).map(|(point, &value)| [point[0], value]);
                plot = plot.line(name(number, &columns[column].name), points.collect::<Vec<_>>());
            }
        }
        plots.push(plot);
    }
    plots
}

type Belongs = fn(&Layer) -> bool;

/// Title, label of the axis, and which layers stand in a panel.
fn panels() -> [(&'static str, &'static str, Belongs); 8] {
    [
        ("panel-energy", "axis-energy", |l| matches!(l, Layer::Statistic(Quantity::KineticEnergy, _))),
        ("panel-velocity", "axis-velocity", |l| matches!(l, Layer::Statistic(Quantity::Velocity, _))),
        ("panel-jump", "axis-jump", |l| matches!(l, Layer::Statistic(Quantity::JumpHeight, _))),
        ("panel-rotation", "axis-rotation", |l| matches!(l, Layer::Statistic(Quantity::Rotation, _))),
        ("panel-reach", "axis-reach", |l| matches!(l, Layer::ReachProbability | Layer::ReachProbabilityLocal)),
        ("panel-frequency", "axis-frequency", |l| matches!(l, Layer::FrequencyAbove(_))),
        ("panel-rocks", "rocks-word", |l| matches!(l, Layer::Passages | Layer::Deposits)),
        ("panel-energy-line", "axis-angle", |l| matches!(l, Layer::EnergyLineAngle)),
    ]
}
