//! Layer styles in the format of QGIS (QML), from version 3.22 on.

use std::path::Path;

use askama::Template;

use crate::files::atomic;
use crate::{Error, Result};

/// The style of all files of one name: QGIS reads from it what suits a layer, so that polygons and a raster may share it.
#[derive(Template, Default)]
#[template(path = "qml/style.xml")]
pub(crate) struct Style {
    pub vector: Option<Vector>,
    pub raster: Option<Raster>,
}

pub(crate) struct Raster {
    pub opacity: f64,
    pub colours: Colours,
}

pub(crate) enum Colours {
    Ramp { items: Vec<RampItem>, lowest: f64, highest: f64, zero_is_nothing: bool },
    Palette(Vec<PaletteEntry>),
}

/// The colour of values up to a limit (`inf` for the last).
pub(crate) struct RampItem {
    pub upper: f64,
    pub colour: String,
    pub alpha: u8,
    pub label: String,
}

pub(crate) struct PaletteEntry {
    pub value: usize,
    pub colour: String,
    pub alpha: u8,
    pub label: String,
}

/// Kinds of geometry, as QGIS counts them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Points = 0,
    Lines = 1,
    Polygons = 2,
}

impl Kind {
    fn number(self) -> u8 {
        self as u8
    }
}

pub(crate) struct Vector {
    pub kind: Kind,
    pub renderer: Renderer,
    pub in_space: InSpace,
    /// Drawn anew for every moment of the time slider.
    pub moving: bool,
    pub opacity: f64,
    pub map_tip: String,
    /// Name and address of what a click opens.
    pub action: Option<(String, String)>,
}

impl Vector {
    /// Flat, opaque and still, with nothing to point at or click on.
    pub(crate) fn new(kind: Kind, renderer: Renderer) -> Self {
        let (in_space, map_tip, action) = (InSpace::No, String::new(), None);
        Self { kind, renderer, in_space, moving: false, opacity: 1.0, map_tip, action }
    }
}

/// How features look in 3D: at their own height rather than draped over the ground.
#[derive(PartialEq)]
pub(crate) enum InSpace {
    No,
    Lines,
    Spheres,
}

pub(crate) enum Renderer {
    Single {
        symbol: Symbol,
    },
    /// With a legend of its sizes.
    One {
        symbol: Symbol,
        sizes: SizeLegend,
    },
    Ranges {
        field: &'static str,
        ranges: Vec<Range>,
    },
    Categories {
        field: &'static str,
        categories: Vec<Category>,
    },
    Rules {
        filter: String,
        label: String,
        rules: Vec<Rule>,
    },
}

pub(crate) struct SizeLegend {
    pub title: String,
    pub symbol: Symbol,
    pub classes: Vec<(f64, &'static str)>,
}

pub(crate) struct Range {
    pub lower: f64,
    pub upper: f64,
    pub label: String,
    pub symbol: Symbol,
}

pub(crate) struct Category {
    pub value: usize,
    pub label: String,
    pub symbol: Symbol,
}

pub(crate) struct Rule {
    pub filter: String,
    pub label: String,
    pub symbol: Symbol,
}

#[derive(Template, Clone)]
#[template(path = "qml/symbol.xml")]
pub(crate) struct Symbol {
    kind: &'static str,
    name: String,
    layers: Vec<SymbolLayer>,
}

#[derive(Clone)]
struct SymbolLayer {
    class: &'static str,
    options: Vec<(&'static str, String)>,
    /// An expression for the size.
    size: Option<String>,
    inner: Option<Symbol>,
}

impl SymbolLayer {
    fn new<const N: usize>(class: &'static str, options: [(&'static str, &str); N]) -> Self {
        Self { class, options: options.map(|(key, value)| (key, value.to_string())).to_vec(), size: None, inner: None }
    }
}

impl Symbol {
    fn new(kind: &'static str, name: impl ToString, layers: Vec<SymbolLayer>) -> Self {
        Self { kind, name: name.to_string(), layers }
    }

    /// `name` is that by which ranges and rules know it: their number. Sizes in mm.
    pub(crate) fn marker(name: impl ToString, shape: &str, colour: &str, outline: (&str, f64), size: f64) -> Self {
        let options = [
            ("name", shape),
            ("color", colour),
            ("outline_color", outline.0),
            ("outline_width", &outline.1.to_string()),
            ("size", &size.to_string()),
        ];
        Self::new("marker", name, vec![SymbolLayer::new("SimpleMarker", options)])
    }

    /// As large as an expression says, mm.
    pub(crate) fn sized(mut self, expression: String) -> Self {
        self.layers.iter_mut().for_each(|layer| layer.size = Some(expression.clone()));
        self
    }

    pub(crate) fn line(name: impl ToString, colour: &str, width: f64) -> Self {
        let options = [("line_color", colour), ("line_width", &width.to_string())];
        Self::new("line", name, vec![SymbolLayer::new("SimpleLine", options)])
    }

    /// With a wider line below it.
    pub(crate) fn cased(mut self, colour: &str, width: f64) -> Self {
        let options = [("line_color", colour), ("line_width", &width.to_string()), ("capstyle", "round")];
        self.layers.insert(0, SymbolLayer::new("SimpleLine", options));
        self
    }

    pub(crate) fn fill(name: impl ToString, colour: &str, outline: &str) -> Self {
        let options = [("color", colour), ("outline_color", outline), ("outline_width", "0.15")];
        Self::new("fill", name, vec![SymbolLayer::new("SimpleFill", options)])
    }

    /// With stripes of a colour.
    pub(crate) fn hatched(mut self, colour: &str) -> Self {
        let mut stripes = SymbolLayer::new("LinePatternFill", [("angle", "45"), ("distance", "1.6")]);
        stripes.inner = Some(Self::line(format!("@{}@1", self.name), colour, 0.8));
        self.layers.push(stripes);
        self
    }
}

impl Style {
    pub(crate) fn of_raster(opacity: f64, colours: Colours) -> Self {
        Self { vector: None, raster: Some(Raster { opacity, colours }) }
    }

    pub(crate) fn of_vector(vector: Vector) -> Self {
        Self { vector: Some(vector), raster: None }
    }

    /// Writes the style of the files of this name (`NAME.tif`, `NAME.gpkg` …) beside them.
    pub(crate) fn write(&self, folder: &Path, name: &str) -> Result<()> {
        let path = folder.join(format!("{name}.qml"));
        let text = self.render().map_err(|error| {
            Error::failed(format!("{} cannot be written: {error}", path.display())).caused_by(error)
        })?;
        atomic::write_bytes(&path, without_controls(&text).as_bytes())
    }
}

/// Names come from files and may hold what XML cannot, not even escaped.
fn without_controls(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\n' | '\t') || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'));
    text.chars().filter(|&c| allowed(c)).collect()
}
