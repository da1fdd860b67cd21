//! How layers look: a QML file beside each, which QGIS takes up by itself, and colours for classified rasters.

mod classes;
mod lines;
mod maps;
mod rocks;
mod zones;

use crate::geo::qml::{Range, Renderer, Symbol};
use classes::Classes;

pub(crate) use classes::{REACH, RETURN_PERIOD};
pub(crate) use lines::{Histogram, write_crossings, write_lines, write_objects};
pub(crate) use maps::{legend, write_confidence, write_difference, write_layer, write_live, write_ramp};
pub(crate) use rocks::{write_deposits, write_impacts, write_points, write_trajectories};
pub(crate) use zones::{MapClass, write_classes, write_outermost};

/// The map below shows through.
const RASTER_OPACITY: f64 = 0.8;
const ZONE_OPACITY: f64 = 0.75;
/// Above every value that can be.
const HIGHEST: f64 = 1e12;

/// Features coloured by the class a number of theirs is in.
fn ranges(field: &'static str, classes: &Classes, symbol: impl Fn(usize, &str) -> Symbol) -> Renderer {
    let bounds: Vec<f64> = [0.0].iter().chain(classes.limits).copied().chain([HIGHEST]).collect();
    let range = |(i, label): (usize, String)| Range {
        lower: bounds[i],
        upper: bounds[i + 1],
        label,
        symbol: symbol(i, classes.colours[i]),
    };
    Renderer::Ranges { field, ranges: classes.labels().into_iter().enumerate().map(range).collect() }
}

#[cfg(test)]
mod tests;
