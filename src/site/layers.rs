//! Vector layers: read, brought to the project CRS, compared with the DEM.

use geo::Geometry;
use serde::Serialize;

use super::{AsRead, Reading, as_read, located};
use crate::geo::vector::{self, Feature, VectorLayer, VectorSourceResolved};
use crate::geo::{Bounds, Transformer, crs};
use crate::project::did_you_mean;
use crate::project::file::VectorSource;
use crate::project::limits::Limits;
use crate::{Note, Result};

/// One layer, for the tables of `check`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LayerInfo {
    /// What it is for, e.g. `release[0]`.
    pub role: String,
    /// File as written in the project, or `inline`.
    pub source: String,
    /// It is in.
    pub crs: String,
    /// Number of features of a vector layer.
    pub features: Option<usize>,
    /// Columns and rows of a raster.
    pub cells: Option<(usize, usize)>,
    /// Cell size of a raster in units of its own CRS (m unless that is in degrees).
    pub cell_m: Option<(f64, f64)>,
    /// Rectangle around the layer in the project CRS, m.
    pub extent: Bounds,
    /// How much of that rectangle lies on the DEM, %.
    pub overlap_percent: f64,
    /// Cells without value.
    pub nodata_cells: Option<usize>,
}

/// What a layer's features must be.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    Any,
    Lines,
    Polygons,
    LinesOrPolygons,
}

impl Reading<'_> {
    /// Reads a vector layer; `key` is the key of its source, `role` what it is for.
    pub(crate) fn vector(&mut self, source: &VectorSource, key: &str, role: &str, shape: Shape) -> Result<VectorLayer> {
        let at = |e| located(self.project, key, e);
        let resolved = VectorSourceResolved::resolve(source, &self.project.folder, Some(&self.crs), key).map_err(at)?;
        let place = if source.file.is_some() { format!("{key}.file") } else { format!("{key}.geojson") };
        let at = |e| located(self.project, &place, e);
        let known = self.known.iter().find(|(known, _)| known == source).map(|(_, layer)| layer.clone());
        let layer = known.map_or_else(|| vector::read(&resolved, Some(&self.crs)).map_err(at), Ok)?;
        for feature in &layer.features {
            self.expect_shape(feature, &layer.name, &place, shape)?;
        }
        let extent = layer.bounds().unwrap_or(self.extent);
        self.note_datum_shift(&layer.source_crs, &extent);
        self.refuse_swapped_axes(&layer, &extent, &place)?;
        self.warnings.extend(layer.warnings.iter().cloned());
        let overlap_percent = overlap_percent(&extent, &self.extent);
        if overlap_percent == 0.0 && !role.starts_with("release") {
            let name = source.file.as_deref().unwrap_or("inline");
            self.warnings.push(Note::LayerWithoutEffect { key: key.to_string(), layer: name.to_string() });
        }
        self.layers.push(LayerInfo {
            role: role.into(),
            source: source.file.clone().unwrap_or_else(|| "inline".into()),
            crs: layer.source_crs.label().to_string(),
            features: Some(layer.features.len()),
            cells: None,
            cell_m: None,
            extent,
            overlap_percent,
            nodata_cells: None,
        });
        if let Some(path) = resolved.path() {
            self.known.push((source.clone(), layer.clone()));
            let name = source.file.as_deref().unwrap_or_default();
            self.as_read.push(AsRead::new(role, name, as_read::layer(&layer)));
            self.input(role.split(['[', '.']).next().unwrap_or(role), path)?;
        }
        Ok(layer)
    }

    /// Lines or barriers.
    pub(crate) fn lines(&mut self, source: &VectorSource, key: &str) -> Result<VectorLayer> {
        let role = key.trim_end_matches(".source");
        self.vector(source, key, role, Shape::Lines)
    }

    /// Reads objects at risk: lines or polygons.
    pub(crate) fn objects(&mut self, source: &VectorSource, key: &str) -> Result<VectorLayer> {
        let role = key.trim_end_matches(".source");
        self.vector(source, key, role, Shape::LinesOrPolygons)
    }

    fn expect_shape(&self, feature: &Feature, layer: &str, key: &str, shape: Shape) -> Result<()> {
        let found = match &feature.geometry {
            Geometry::Point(_) | Geometry::MultiPoint(_) => "a point",
            Geometry::Line(_) | Geometry::LineString(_) | Geometry::MultiLineString(_) => "a line",
            Geometry::Polygon(_) | Geometry::MultiPolygon(_) | Geometry::Rect(_) | Geometry::Triangle(_) => "a polygon",
            Geometry::GeometryCollection(_) => "a collection of geometries",
        };
        let wanted = match shape {
            Shape::Any if found.starts_with("a collection") => "points, lines or polygons",
            Shape::Lines if found != "a line" => "lines",
            Shape::Polygons if found != "a polygon" => "polygons",
            Shape::LinesOrPolygons if found != "a polygon" && found != "a line" => "lines or polygons",
            _ => return Ok(()),
        };
        let sentence = format!(
            "feature {} of layer {layer:?} is {found}, expected {wanted}; choose another layer or convert it",
            feature.id
        );
        Err(self.project.error_at(key, sentence))
    }

    fn refuse_swapped_axes(&self, layer: &VectorLayer, extent: &Bounds, key: &str) -> Result<()> {
        let original = Transformer::new(&self.crs, &layer.source_crs).and_then(|t| t.bounds(extent));
        let swapped = |own: &Bounds| crs::looks_like_swapped_axes(own, &self.extent, &layer.source_crs, &self.crs);
        if !original.is_ok_and(|own| swapped(&own)) {
            return Ok(());
        }
        let axes = if layer.source_crs.is_geographic() { "latitude and longitude" } else { "easting and northing" };
        Err(self.project.error_at(
            key,
            format!(
                "layer {:?} lies far from the DEM, but exactly there with x and y exchanged: {axes} look swapped; \
                 exchange them in the layer (x = east or longitude, y = north or latitude)",
                layer.name
            ),
        ))
    }

    /// The number in an attribute of a feature; `None` if it is empty.
    pub(crate) fn attribute(
        &self,
        layer: &VectorLayer,
        feature: &Feature,
        name: &str,
        key: &str,
        limits: Option<&Limits>,
    ) -> Result<Option<f64>> {
        let value = match feature.attributes.get(name) {
            None => return Err(self.no_attribute(layer, name, key)),
            Some(value) if value.is_null() => return Ok(None),
            Some(value) => value,
        };
        let number = value.as_f64();
        if let Some(number) = number
            && limits.is_none_or(|l| l.allow(number))
        {
            return Ok(Some(number));
        }
        let found = value.as_text().unwrap_or_default();
        let found = if number.is_some() { found } else { format!("{found:?}") };
        let wanted = limits.map_or("a number".to_string(), Limits::expectation);
        let sentence = format!(
            "feature {} of layer {:?} has {found} in attribute {name:?}, expected {wanted}; mend it in the layer",
            feature.id, layer.name
        );
        Err(self.project.error_at(key, sentence))
    }

    pub(crate) fn no_attribute(&self, layer: &VectorLayer, name: &str, key: &str) -> crate::Error {
        let names = layer.field_names();
        let there = if names.is_empty() { "it has none".into() } else { format!("it has {}", names.join(", ")) };
        let hint = did_you_mean(name, &names);
        self.project.error_at(key, format!("found no attribute {name:?} in layer {:?}, {there}{hint}", layer.name))
    }
}

/// How much of a rectangle lies inside another, %; points and lines count by their length.
pub(crate) fn overlap_percent(layer: &Bounds, dem: &Bounds) -> f64 {
    let share = |low: f64, high: f64, from: f64, to: f64| {
        if high > low {
            (high.min(to) - low.max(from)).max(0.0) / (high - low)
        } else if low >= from && low <= to {
            1.0
        } else {
            0.0
        }
    };
    let x = share(layer.west, layer.east, dem.west, dem.east);
    let y = share(layer.south, layer.north, dem.south, dem.north);
    100.0 * x * y
}
