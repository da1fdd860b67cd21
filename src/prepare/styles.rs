//! How the layers of a prepared site look: a QML file beside each, which QGIS takes up by itself.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Result;
use crate::geo::qml::{Colours, Kind, PaletteEntry, RampItem, Renderer, Style, Symbol, Vector};
use crate::geo::write_vector::GeometryKind;

/// Low ground green, high ground white.
const HEIGHTS: [&str; 6] = ["#4d7c4a", "#9bb56b", "#d9cf8b", "#b58e5c", "#a39a94", "#f4f4f4"];
/// Cividis: small to large, for every colour vision.
const VALUES: [&str; 6] = ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"];
/// Classes have no order of their own: neighbours in the list stay apart for colour-blind readers (Okabe & Ito).
const CLASSES: [&str; 8] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"];
/// The denser the forest, the darker.
const FOREST: [(&str, &str); 3] = [("open", "#c7e9c0"), ("medium", "#74c476"), ("dense", "#238b45")];
/// Soft ground brown, hard ground grey.
const GROUND: [(&str, &str); 8] = [
    ("extra_soft", "#5e3c1f"),
    ("soft", "#8c6239"),
    ("medium_soft", "#b58b5a"),
    ("medium", "#cdb38b"),
    ("medium_hard", "#c9c0b1"),
    ("hard", "#a8a8a8"),
    ("extra_hard", "#7f7f7f"),
    ("snow", "#dceefb"),
];
const OPACITY: f64 = 0.8;

/// Of the DEM.
pub(super) fn write_heights(folder: &Path, name: &str, range: (f32, f32)) -> Result<()> {
    write_ramp(folder, name, range, &HEIGHTS, "m")
}

/// Of a parameter.
pub(super) fn write_values(folder: &Path, name: &str, range: (f32, f32), unit: &str) -> Result<()> {
    write_ramp(folder, name, range, &VALUES, unit)
}

fn write_ramp(folder: &Path, name: &str, range: (f32, f32), colours: &[&str], unit: &str) -> Result<()> {
    let (low, high) = (f64::from(range.0), f64::from(range.1));
    if !(low.is_finite() && high.is_finite()) {
        return Ok(());
    }
    let step = (high - low) / colours.len() as f64;
    // As many decimals as tell the classes apart.
    let decimals = if step > 0.0 { (1.0 - step.log10().floor()).clamp(0.0, 6.0) as usize } else { 3 };
    let edge = |k: usize| low + step * k as f64;
    let item = |(k, colour): (usize, &&str)| RampItem {
        upper: if k + 1 == colours.len() { f64::INFINITY } else { edge(k + 1) },
        colour: colour.to_string(),
        alpha: 255,
        label: format!("{:.decimals$} – {:.decimals$} {unit}", edge(k), edge(k + 1)).trim_end().to_string(),
    };
    let items = colours.iter().enumerate().map(item).collect();
    let colours = Colours::Ramp { items, lowest: low, highest: high, zero_is_nothing: false };
    Style::of_raster(OPACITY, colours).write(folder, name)
}

/// Of a raster of classes, by code.
pub(super) fn write_classes(folder: &Path, name: &str, codes: &BTreeMap<u8, String>) -> Result<()> {
    let known: &[(&str, &str)] = if name == "forest" { &FOREST } else { &GROUND };
    let entry = |(k, (code, class)): (usize, (&u8, &String))| PaletteEntry {
        value: usize::from(*code),
        colour: known
            .iter()
            .find(|(known, _)| known == class)
            .map_or(CLASSES[k % CLASSES.len()], |known| known.1)
            .into(),
        alpha: 255,
        label: class.clone(),
    };
    let colours = Colours::Palette(codes.iter().enumerate().map(entry).collect());
    Style::of_raster(OPACITY, colours).write(folder, name)
}

/// Of places where rocks start.
pub(crate) fn write_release(folder: &Path, name: &str, kind: GeometryKind) -> Result<()> {
    write_features(folder, name, kind, "215,48,31,255")
}

/// Of recording lines and barriers.
pub(super) fn write_lines(folder: &Path, name: &str, kind: GeometryKind) -> Result<()> {
    write_features(folder, name, kind, "0,90,181,255")
}

fn write_features(folder: &Path, name: &str, kind: GeometryKind, colour: &str) -> Result<()> {
    let (kind, symbol) = match kind {
        GeometryKind::Point | GeometryKind::MultiPoint => {
            (Kind::Points, Symbol::marker(0, "circle", colour, ("35,35,35,255", 0.2), 2.4))
        }
        GeometryKind::LineString | GeometryKind::MultiLineString => (Kind::Lines, Symbol::line(0, colour, 0.8)),
        _ => (Kind::Polygons, Symbol::fill(0, &colour.replace(",255", ",90"), colour)),
    };
    Style::of_vector(Vector::new(kind, Renderer::Single { symbol })).write(folder, name)
}
