//! Pictures: a canvas with a font, maps with relief and legend, plots.

pub mod canvas;
pub mod font;
pub mod preview;
pub mod ramp;
pub mod svg;
