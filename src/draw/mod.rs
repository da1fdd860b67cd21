//! Pictures: a canvas with a font, maps with relief and legend, plots.

mod axis;
pub(crate) mod canvas;
pub(crate) mod font;
mod panel;
pub(crate) mod preview;
pub(crate) mod ramp;
pub(crate) mod relief;
pub(crate) mod svg;
