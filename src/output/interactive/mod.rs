//! `interactive.html`: the maps to pan, zoom and ask, and the rocks falling in space; one file that needs nothing else.
//!
//! Terrain, cells and tracks go in as numbers of 16 bits (see [`pack`]); `viewer.js` unpacks and draws them. Three.js (MIT,
//! `three.min.js`) draws in space; maps are drawn by some hundred lines of our own, since tiles, projections and plugins of
//! a map library would be of no use to a page without a network.

mod pack;
mod tracks;

use std::path::Path;

use serde_json::{Value, json};

use crate::Result;
use crate::draw::preview::Mark;
use crate::draw::relief::Window;
use crate::files::atomic;
use crate::geo::raster::{Purpose, ReadRaster};
use crate::geo::raster_parts::RasterParts;
use crate::hazard::histogram;
use crate::hazard::quantity::Quantity;
use crate::hazard::statistics::{Cell, Need, Statistics};
use crate::output::classification::Classified;
use crate::output::styles;
use crate::store::layers::{Layer, Statistic};
use crate::store::overlays::Overlay;
use crate::store::{Setup, VariantResult};
use crate::terrain::{Lattice, Surface};
use crate::texts::{keys, say, spoken};
use pack::{code, pack16, pack32};

pub(crate) const FILE_NAME: &str = "interactive.html";

/// A map of more cells is shown at half its resolution, or a quarter …
const MOST_CELLS: usize = 1_000_000;
/// Cells that rocks pass, over all scenarios.
const MOST_PASSED: usize = 600_000;
/// Limits of the histogram of a cell, kJ.
const ENERGIES_KJ: [f64; 9] = [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0];

/// What a variant shows.
pub(crate) struct Shown<'a> {
    pub setup: &'a Setup<'a>,
    pub variant: &'a VariantResult<'a>,
    pub window: Window,
    pub overlays: &'a [Overlay],
    pub marks: &'a [Mark],
    pub zones: Option<&'a Classified>,
    pub title: &'a str,
    /// Where the report lies, seen from the page.
    pub report: &'a str,
}

/// The part of the map that is shown, `every` cells across as one.
struct Frame {
    lattice: Lattice,
    window: Window,
    every: usize,
    columns: usize,
    rows: usize,
}

impl Frame {
    fn new(lattice: &Lattice, window: Window, passed: usize) -> Self {
        let cells = |every: usize| {
            let across = (window.columns.1 - window.columns.0 + 1).div_ceil(every);
            (across, (window.rows.1 - window.rows.0 + 1).div_ceil(every))
        };
        let fits = |every: &usize| {
            let (columns, rows) = cells(*every);
            columns * rows <= MOST_CELLS && passed / (every * every) <= MOST_PASSED
        };
        let every = (0..12).map(|power| 1 << power).find(fits).unwrap_or(1 << 12);
        let (columns, rows) = cells(every);
        Self { lattice: *lattice, window, every, columns, rows }
    }

    /// Which cell of the page a cell of the DEM belongs to.
    fn place(&self, index: usize) -> Option<usize> {
        let (column, row) = (index % self.lattice.nx, index / self.lattice.nx);
        let Window { columns, rows } = self.window;
        let inside = (columns.0..=columns.1).contains(&column) && (rows.0..=rows.1).contains(&row);
        inside.then(|| (row - rows.0) / self.every * self.columns + (column - columns.0) / self.every)
    }

    fn size(&self) -> (f64, f64) {
        (self.lattice.dx * self.every as f64, self.lattice.dy * self.every as f64)
    }

    /// South-western corner.
    fn corner(&self) -> (f64, f64) {
        let (west, south, ..) = self.lattice.extent();
        let Window { columns, rows } = self.window;
        (west + columns.0 as f64 * self.lattice.dx, south + rows.0 as f64 * self.lattice.dy)
    }

    fn json(&self) -> Value {
        let ((west, south), (dx, dy)) = (self.corner(), self.size());
        json!({"columns": self.columns, "rows": self.rows, "west": west, "south": south, "dx": dx, "dy": dy,
               "every": self.every})
    }
}

/// What the page shows of a cell, in 16 bits each.
const VALUES: [(&str, Layer); 5] = [
    ("energy_p95", Layer::Statistic(Quantity::KineticEnergy, Statistic::P95)),
    ("energy_max", Layer::Statistic(Quantity::KineticEnergy, Statistic::Max)),
    ("velocity_p95", Layer::Statistic(Quantity::Velocity, Statistic::P95)),
    ("jump_p95", Layer::Statistic(Quantity::JumpHeight, Statistic::P95)),
    ("jump_max", Layer::Statistic(Quantity::JumpHeight, Statistic::Max)),
];

/// Writes the page of a variant into its folder.
pub(crate) fn write(folder: &Path, shown: &Shown) -> Result<()> {
    let surface = &shown.setup.site.scene.surface;
    let frame = Frame::new(surface.lattice(), shown.window, passed(shown.variant));
    let accumulators = shown.variant.accumulators;
    let names = crate::project::scenario_names(&shown.setup.plan.scenarios);
    let mut scenarios = Vec::new();
    if accumulators.len() > 1 {
        let all = Statistics::new(accumulators);
        scenarios.push(scenario(&say!("page-all-scenarios"), &all, &frame, &shown.setup.wanted)?);
    }
    for (name, counts) in names.iter().zip(accumulators) {
        scenarios.push(scenario(name, &Statistics::new([counts]), &frame, &shown.setup.wanted)?);
    }
    let data = json!({
        "language": spoken().code(),
        "texts": texts(),
        "title": shown.title,
        "crs": shown.setup.site.crs.label(),
        "report": shown.report,
        "code": {"steps": pack::STEPS, "small": pack::SMALL},
        "grid": frame.json(),
        "heights": heights(surface, &frame)?,
        "layers": layers(),
        "energies_kj": ENERGIES_KJ,
        "scenarios": scenarios,
        "zones": zones(folder, shown.zones, &frame)?,
        "overlays": shown.overlays.iter().map(overlay).collect::<Vec<_>>(),
        "marks": shown.marks.iter().map(mark).collect::<Vec<_>>(),
        "tracks": tracks::packed(shown, &frame)?,
    });
    atomic::write_bytes(&folder.join(FILE_NAME), filled(shown.title, &data).as_bytes())
}

/// The words the page itself says.
fn texts() -> serde_json::Map<String, Value> {
    let own = |key: &&str| key.starts_with("page-") || key.starts_with("axis-");
    keys(spoken()).into_iter().filter(own).map(|key| (key.to_string(), json!(say!(key)))).collect()
}

fn overlay(overlay: &Overlay) -> Value {
    json!({"label": overlay.label.to_string(), "colour": css(overlay.colour), "lines": overlay.lines})
}

fn mark(mark: &Mark) -> Value {
    json!({"text": mark.text.to_string(), "at": mark.at, "lines": mark.lines})
}

/// Where the data stand in the page.
const DATA: [&str; 2] = ["<script type=\"application/json\" id=\"data\">", "</script>"];

/// The page of a finished run in the language spoken now, below `new`: its numbers as they are, its words anew. `place` is the
/// variant's folder: empty, or `name/`.
pub(crate) fn say_anew(
    run: &Path,
    new: &Path,
    place: &str,
    overlays: &[Overlay],
    marks: &[Mark],
    zones: Option<&Classified>,
) -> Result<()> {
    let file = format!("{place}{FILE_NAME}");
    let Ok(old) = crate::files::open(&run.join(&file)).and_then(std::io::read_to_string) else { return Ok(()) };
    let data = old.split_once(DATA[0]).and_then(|(_, rest)| Some(rest.split_once(DATA[1])?.0));
    let Some(mut data) = data.and_then(|data| serde_json::from_str::<Value>(data).ok()) else { return Ok(()) };
    data["language"] = spoken().code().into();
    data["texts"] = texts().into();
    data["layers"] = layers().into();
    data["overlays"] = overlays.iter().map(overlay).collect();
    data["marks"] = marks.iter().map(mark).collect();
    if data["scenarios"].as_array().is_some_and(|all| all.len() > 1) {
        data["scenarios"][0]["name"] = say!("page-all-scenarios").into();
    }
    if let Some(zones) = zones.filter(|_| !data["zones"].is_null()) {
        data["zones"]["title"] = zones.scheme.name.clone().into();
        data["zones"]["classes"] = zone_classes(zones).into();
    }
    let title = data["title"].as_str().unwrap_or_default().to_string();
    let target = new.join(&file);
    let folder = target.parent().unwrap_or(new);
    std::fs::create_dir_all(folder).map_err(|error| atomic::io_error(folder, &error))?;
    atomic::write_bytes(&target, filled(&title, &data).as_bytes())
}

fn filled(title: &str, data: &Value) -> String {
    // Within a script even a comment or another script that begins in a name would count.
    let data = data.to_string().replace('<', "\\u003c");
    let places = [
        ("{{language}}", spoken().code()),
        ("{{title}}", &escaped(title)),
        ("{{css}}", include_str!("viewer.css")),
        ("{{three}}", include_str!("three.min.js")),
        ("{{viewer}}", include_str!("viewer.js")),
        ("{{data}}", &data),
    ];
    crate::texts::filled(include_str!("page.html"), &places)
}

/// Cells that rocks pass, counted once a scenario.
fn passed(variant: &VariantResult) -> usize {
    let mut count = 0;
    for counts in variant.accumulators {
        Statistics::new([counts]).for_each_cell(Need::default(), |_| count += 1);
    }
    count
}

fn css([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Heights in 16 bits between the lowest and the highest; 65535 where there is none.
fn heights(surface: &Surface, frame: &Frame) -> Result<Value> {
    let Window { columns, rows } = frame.window;
    let mut values = Vec::with_capacity(frame.columns * frame.rows);
    for row in 0..frame.rows {
        let row = (rows.0 + row * frame.every + frame.every / 2).min(rows.1);
        let column = |c: usize| (columns.0 + c * frame.every + frame.every / 2).min(columns.1);
        values.extend((0..frame.columns).map(|c| surface.node_height(column(c), row)));
    }
    let finite = || values.iter().copied().filter(|height| height.is_finite());
    let low = finite().min_by(f64::total_cmp).unwrap_or(0.0);
    let step = ((finite().max_by(f64::total_cmp).unwrap_or(0.0) - low) / 65_534.0).max(1e-6);
    let coded = values.iter().map(|height| match height.is_finite() {
        true => ((height - low) / step).round() as u16,
        false => u16::MAX,
    });
    Ok(json!({"low": low, "step": step, "data": pack16(&coded.collect::<Vec<_>>())?}))
}

/// How layers look and what they are called, as in their styles.
fn layers() -> Vec<Value> {
    let counts = [("reach", Layer::ReachProbability), ("passages", Layer::Passages), ("deposits", Layer::Deposits)];
    let all = VALUES.into_iter().chain(counts);
    let described = all.filter_map(|(key, layer)| {
        let legend = styles::legend(&layer)?;
        Some(json!({"key": key, "title": layer.title().to_string(), "unit": legend.unit, "factor": legend.factor,
                    "limits": legend.limits, "colours": legend.colours, "labels": legend.labels}))
    });
    described.collect()
}

/// One cell of the page: of several of the DEM the largest of each value.
#[derive(Clone, Default)]
struct Shows {
    passages: u32,
    deposits: u32,
    values: [u16; VALUES.len()],
    histogram: [u32; ENERGIES_KJ.len() + 1],
}

impl Shows {
    fn add(&mut self, cell: &Cell, wanted: &crate::hazard::accumulator::Wanted) {
        if cell.passages > self.passages {
            self.histogram = Default::default();
            cell.for_each_bin(Quantity::KineticEnergy, |bin, count| {
                let energy = histogram::value(bin);
                self.histogram[ENERGIES_KJ.partition_point(|&limit| limit <= energy)] += count;
            });
        }
        self.passages = self.passages.max(cell.passages);
        self.deposits += cell.deposits;
        for (value, (_, layer)) in self.values.iter_mut().zip(VALUES) {
            let Layer::Statistic(quantity, statistic) = layer else { continue };
            let known = wanted.max[quantity];
            let number = match statistic {
                Statistic::Max => f64::from(cell.max[quantity]),
                _ if !wanted.histogram[quantity] => f64::NAN,
                _ => cell.quantile(quantity, 0.95),
            };
            *value = (*value).max(if known { code(number) } else { 0 });
        }
    }
}

fn scenario(
    name: &str,
    statistics: &Statistics,
    frame: &Frame,
    wanted: &crate::hazard::accumulator::Wanted,
) -> Result<Value> {
    let mut cells: std::collections::BTreeMap<usize, Shows> = Default::default();
    let need = Need { histogram: wanted.histogram, sources: false };
    statistics.for_each_cell(need, |cell| {
        if let Some(place) = frame.place(cell.index as usize) {
            cells.entry(place).or_default().add(cell, wanted);
        }
    });
    let places: Vec<u32> = cells.keys().map(|&place| place as u32).collect();
    let column = |value: &dyn Fn(&Shows) -> u32| pack32(&cells.values().map(value).collect::<Vec<_>>());
    let mut values = serde_json::Map::new();
    for (k, (key, layer)) in VALUES.into_iter().enumerate() {
        let Layer::Statistic(quantity, statistic) = layer else { continue };
        let there = match statistic {
            Statistic::Max => wanted.max[quantity],
            _ => wanted.histogram[quantity],
        };
        if there {
            values.insert(key.into(), pack16(&cells.values().map(|cell| cell.values[k]).collect::<Vec<_>>())?.into());
        }
    }
    let histogram = if wanted.histogram[Quantity::KineticEnergy] {
        // Bin by bin: neighbouring cells are alike.
        let bins = 0..=ENERGIES_KJ.len();
        pack32(&bins.flat_map(|bin| cells.values().map(move |cell| cell.histogram[bin])).collect::<Vec<_>>())?
    } else {
        String::new()
    };
    Ok(json!({
        "name": name, "released": statistics.released(), "count": places.len(), "cells": pack32(&places)?,
        "passages": column(&|cell| cell.passages)?, "deposits": column(&|cell| cell.deposits)?,
        "values": values, "histogram": histogram,
    }))
}

/// The hazard zones as they were just written.
fn zones(folder: &Path, classified: Option<&Classified>, frame: &Frame) -> Result<Value> {
    let Some(classified) = classified.filter(|classified| classified.zone_areas_m2.is_some()) else {
        return Ok(Value::Null);
    };
    let place = Path::new(crate::store::run_folder::CLASSIFICATION).join(&classified.name);
    let path = folder.join(place).join("hazard.tif");
    let options = ReadRaster { purpose: Purpose::Codes, ..ReadRaster::default() };
    let raster = RasterParts::open_result(&path, &options)?;
    let mut values = vec![0u16; frame.columns * frame.rows];
    raster.for_each_filled(|cut| {
        cut.for_each(raster.lattice(), |cell, value| {
            if let Some(place) = frame.place(cell).filter(|_| value > 0.0) {
                values[place] = values[place].max(value as u16);
            }
        });
    })?;
    Ok(json!({"title": classified.scheme.name, "classes": zone_classes(classified), "data": pack16(&values)?}))
}

fn zone_classes(classified: &Classified) -> Vec<Value> {
    let class = |zone: &crate::hazard::scheme::Zone| {
        let label =
            if zone.meaning.is_empty() { zone.name.clone() } else { format!("{}: {}", zone.name, zone.meaning) };
        json!({"label": label, "colour": String::from(zone.colour), "hatched": zone.hatched})
    };
    classified.scheme.zones.iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Titles and names are the user's: none of them is a place to fill, the end of the data, or a script.
    #[test]
    fn names_stay_names_in_the_page() {
        let page = filled("{{data}} & {{viewer}}", &json!({"name": "<!--<script></script><img>{{three}}"}));
        assert!(page.contains("<title>{{data}} &amp; {{viewer}}</title>"));
        let data = page.split_once(DATA[0]).unwrap().1.split_once(DATA[1]).unwrap().0;
        assert!(!data.contains('<'), "{data}");
        let back: Value = serde_json::from_str(data).unwrap();
        assert_eq!(back["name"], "<!--<script></script><img>{{three}}");
    }
}
