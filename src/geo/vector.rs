//! Reading vector layers: every feature with its geometry in the wanted CRS and its attributes.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::path::Path;

use ::geo::{BoundingRect, CoordsIter, Geometry};
use gdal::vector::LayerAccess;
use gdal_sys::OGRwkbGeometryType;

use super::vector_features::Reader;
use super::vector_open::{self, Opened};
pub use super::vector_source::{LayerChoice, Location, VectorSourceResolved};
use super::{Bounds, Crs, Transformer, gdal_glue, query_limit};
use crate::{Error, Note, Result};

/// More features than any layer of a site, and what they may take of memory: a query without end would fill it. The point
/// records of a few thousand rocks fit.
pub(super) const MOST_FEATURES: usize = 2_000_000;
pub(super) const MOST_BYTES: usize = 1 << 30;

pub(super) fn too_large(shown: &str) -> Error {
    Error::input(format!(
        "layer '{shown}' has more than {MOST_FEATURES} features or takes more than {} GB of memory: cut out what lies on the \
         DEM with `couloir clip`, or choose with `filter`",
        MOST_BYTES >> 30
    ))
}

/// A layer in memory. Features without geometry are left out (and named in `warnings`); there is at least one.
#[derive(Debug, Clone)]
pub struct VectorLayer {
    /// As files and layers are called.
    pub name: String,
    /// In the order of the file.
    pub features: Vec<Feature>,
    /// The CRS the geometries are in now.
    pub crs: Crs,
    /// The CRS the file is in.
    pub source_crs: Crs,
    /// Of every feature.
    pub fields: Vec<FieldInfo>,
    /// What the user should know.
    pub warnings: Vec<Note>,
}

/// A geometry with attributes.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// The feature id as GIS programs show it.
    pub id: i64,
    /// In the CRS of the layer.
    pub geometry: Geometry<f64>,
    /// Heights of the vertices in their order, as in the file (not transformed), if it has any.
    pub z: Option<Vec<f64>>,
    /// By name.
    pub attributes: BTreeMap<String, Value>,
}

impl Feature {
    /// About what it takes of memory.
    pub(super) fn bytes(&self) -> usize {
        // A node of the tree and of the allocator for each attribute.
        const PER_ATTRIBUTE: usize = 80;
        let text = |value: &Value| if let Value::Text(text) = value { text.capacity() } else { 0 };
        let attributes = self.attributes.iter().map(|(name, value)| PER_ATTRIBUTE + name.len() + text(value));
        let heights = self.z.as_ref().map_or(0, |z| 8 * z.capacity());
        size_of::<Self>() + 2 * size_of::<f64>() * self.geometry.coords_count() + heights + attributes.sum::<usize>()
    }
}

/// An attribute of a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldInfo {
    /// As files and layers are called.
    pub name: String,
    /// Of its values.
    pub kind: FieldType,
}

/// What values of an attribute are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// Whole numbers.
    Integer,
    /// Numbers.
    Real,
    /// Anything else.
    Text,
}

/// Of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Also dates and lists, as GDAL writes them.
    Text(String),
    /// Nothing.
    Null,
}

impl Value {
    /// The number, also of a text that is one. Never NaN or infinite.
    pub fn as_f64(&self) -> Option<f64> {
        let number = match self {
            Value::Integer(n) => *n as f64,
            Value::Real(x) => *x,
            Value::Text(text) => text.trim().parse().ok()?,
            Value::Null => return None,
        };
        number.is_finite().then_some(number)
    }

    /// The text; whole numbers without decimals, so that codes compare as written.
    pub fn as_text(&self) -> Option<String> {
        match self {
            Value::Integer(n) => Some(n.to_string()),
            Value::Real(x) => Some(x.to_string()),
            Value::Text(text) => Some(text.clone()),
            Value::Null => None,
        }
    }

    /// Whether there is none.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
}

impl VectorLayer {
    /// The rectangle around all features.
    pub fn bounds(&self) -> Option<Bounds> {
        let rectangles = self.features.iter().filter_map(|f| f.geometry.bounding_rect());
        rectangles.map(|r| Bounds::new(r.min().x, r.min().y, r.max().x, r.max().y)).reduce(|a, b| a.union(&b))
    }

    pub(crate) fn has_field(&self, name: &str) -> bool {
        self.fields.iter().any(|f| f.name == name)
    }

    /// The names of all attributes, for "expected one of …".
    pub fn field_names(&self) -> Vec<&str> {
        self.fields.iter().map(|f| f.name.as_str()).collect()
    }
}

/// Reads a layer and brings it to `target` (or leaves it in its own CRS).
pub fn read(source: &VectorSourceResolved, target: Option<&Crs>) -> Result<VectorLayer> {
    gdal_glue::init();
    let is_geopackage = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gpkg"));
    match &source.location {
        // Only a view with functions of its own fails without SpatiaLite.
        Location::File { path, .. } if is_geopackage(path) => {
            let again = |error| if query_limit::expired() { Err(error) } else { read_opened(source, target) };
            gdal_glue::without_spatialite(|| read_opened(source, target)).or_else(again)
        }
        _ => read_opened(source, target),
    }
}

fn read_opened(source: &VectorSourceResolved, target: Option<&Crs>) -> Result<VectorLayer> {
    query_limit::explain(&source.name, || read_layer(&vector_open::open(source)?, source, target))
}

fn read_layer(opened: &Opened, source: &VectorSourceResolved, target: Option<&Crs>) -> Result<VectorLayer> {
    let mut layer = opened.choose_layer(source)?;
    if layer.defn().geometry_type() == OGRwkbGeometryType::wkbNone {
        return Err(Error::input(format!(
            "'{}' is a table without geometry, but points, lines or polygons are needed (in a CSV file: columns x and y, or WKT)",
            source.name
        )));
    }
    let source_crs = opened.crs_of(&layer, source)?;
    let crs = target.unwrap_or(&source_crs).clone();
    let transformer = Transformer::new(&source_crs, &crs)?;
    let shown = source.name.as_str();
    if let Some(filter) = source.filter.as_ref().filter(|text| !text.trim().is_empty()) {
        vector_open::set_filter(&mut layer, filter, shown)?;
    }
    let fields = vector_open::fields_of(&layer);
    let mut reader = Reader::new(source, &source_crs, &transformer, &fields, opened.ids())?;
    let features = reader.features(&mut layer)?;
    let warnings = reader.warnings;
    if features.is_empty() {
        return Err(vector_open::nothing_there(&mut layer, source, warnings.len()));
    }
    Ok(VectorLayer { name: layer.name(), features, crs, source_crs, fields, warnings })
}

/// The column with the numbers of features, to filter by; `None` for formats without one.
pub(crate) fn number_column(source: &VectorSourceResolved) -> Result<Option<String>> {
    gdal_glue::init();
    let opened = vector_open::open(source)?;
    let layer = opened.choose_layer(source)?;
    // SAFETY: the layer is open; its string, which GDAL owns, is copied before it is closed.
    let name = unsafe { CStr::from_ptr(gdal_sys::OGR_L_GetFIDColumn(layer.c_layer())) };
    Ok(Some(name.to_string_lossy().into_owned()).filter(|name| !name.is_empty()))
}

/// The names of the layers in a file.
pub fn layer_names(path: &Path) -> Result<Vec<String>> {
    gdal_glue::init();
    let source = VectorSourceResolved {
        location: Location::File { path: path.to_path_buf(), layer: LayerChoice::Only },
        crs: None,
        filter: None,
        name: path.display().to_string(),
    };
    Ok(vector_open::open(&source)?.dataset.layers().map(|l| l.name()).collect())
}
