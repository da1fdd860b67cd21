//! Of maps of a run: rasters of numbers.

use std::path::Path;

use super::RASTER_OPACITY;
use super::classes::{CONFIDENCE, Classes, Kind};
use crate::Result;
use crate::draw::ramp::number;
use crate::geo::qml::{Colours, PaletteEntry, RampItem, Style};
use crate::store::layers::Layer;
use crate::texts::say;

/// Of a map of a run.
pub(crate) fn write_layer(folder: &Path, layer: &Layer) -> Result<()> {
    let colours = match Classes::of(layer) {
        Some(classes) => ramp(&classes),
        None => Colours::Palette(vec![PaletteEntry {
            value: 1,
            colour: "#3c3c3c".into(),
            alpha: 140,
            label: say!("few-rocks"),
        }]),
    };
    Style::of_raster(RASTER_OPACITY, colours).write(folder, &layer.to_string())
}

/// Classes of a layer, for those who draw it themselves.
pub(crate) struct LayerLegend {
    pub unit: String,
    /// On values, to be shown in the unit.
    pub factor: f64,
    pub limits: &'static [f64],
    pub colours: &'static [&'static str],
    pub labels: Vec<String>,
}

/// `None` for a flag.
pub(crate) fn legend(layer: &Layer) -> Option<LayerLegend> {
    let classes = Classes::of(layer)?;
    Some(LayerLegend {
        unit: classes.unit_words(),
        factor: classes.factor(),
        limits: classes.limits,
        colours: classes.colours,
        labels: classes.labels(),
    })
}

fn ramp(classes: &Classes) -> Colours {
    let upper = classes.limits.iter().copied().chain([f64::INFINITY]);
    let items = upper.zip(classes.colours).zip(classes.labels()).map(|((upper, colour), label)| RampItem {
        upper,
        colour: colour.to_string(),
        alpha: 255,
        label,
    });
    let highest = classes.limits.last().copied().unwrap_or(1.0);
    Colours::Ramp { items: items.collect(), lowest: 0.0, highest, zero_is_nothing: classes.kind == Kind::Counted }
}

/// Purple: less, orange to brown: more; told apart with every colour vision deficiency (PuOr of ColorBrewer).
const LESS_TO_MORE: [&str; 9] =
    ["#2d004b", "#542788", "#8073ac", "#b2abd2", "#f7f7f7", "#fdb863", "#e08214", "#b35806", "#7f3b08"];

/// Of a map `NAME.tif` of how much one layer is above another, which must be of the same kind.
pub(crate) fn write_difference(folder: &Path, name: &str, layer: &Layer) -> Result<()> {
    let Some(classes) = Classes::of(layer) else { return Ok(()) };
    let [a, b, c, d] = classes.differences;
    let upper = [-d, -c, -b, -a, a, b, c, d, f64::INFINITY];
    let (factor, unit) = (classes.factor(), classes.unit_words());
    let signed = |value: f64| {
        let sign = if value < 0.0 { '−' } else { '+' };
        format!("{sign}{}", number((value * factor).abs()))
    };
    let label = |i: usize| match i {
        0 => format!("< {} {unit}", signed(upper[0])),
        4 => say!("about-the-same", amount = format!("{} {unit}", number(a * factor))),
        8 => format!("> {} {unit}", signed(upper[7])),
        _ => format!("{} – {} {unit}", signed(upper[i - 1]), signed(upper[i])),
    };
    let items = (0..9).map(|i| RampItem {
        upper: upper[i],
        colour: LESS_TO_MORE[i].into(),
        // Ground where nothing changed stays readable below.
        alpha: if i == 4 { 110 } else { 230 },
        label: label(i),
    });
    let colours = Colours::Ramp { items: items.collect(), lowest: -d, highest: d, zero_is_nothing: false };
    Style::of_raster(1.0, colours).write(folder, name)
}

/// Of a map of the rocks that have passed so far.
pub(crate) fn write_live(raster: &Path) -> Result<()> {
    let folder = raster.parent().unwrap_or(Path::new(""));
    let stem = raster.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Classes::of(&Layer::Passages).map_or(Ok(()), |classes| write_ramp(folder, &stem, &classes))
}

/// Of the confidence of zones: pale where they are sure.
pub(crate) fn write_confidence(folder: &Path) -> Result<()> {
    write_ramp(folder, "hazard_confidence", &CONFIDENCE)
}

/// Of a raster `NAME.tif` with these classes.
pub(crate) fn write_ramp(folder: &Path, name: &str, classes: &Classes) -> Result<()> {
    Style::of_raster(RASTER_OPACITY, ramp(classes)).write(folder, name)
}
