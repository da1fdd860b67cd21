//! Writing GeoJSON with the `geojson` crate's geometries, one feature a line.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use ::geo::orient::{Direction, Orient};
use ::geo::{Coord, Geometry, MapCoords};
use geojson::GeometryValue;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::json;

use super::vector::{FieldType, Value};
use super::vector_format::Format;
use super::write_vector::Shape;
use super::{Crs, Transformer};
use crate::{Error, Result};

/// A nanodegree is a tenth of a millimetre.
const DECIMALS_OF_DEGREES: i32 = 9;
const DECIMALS_OF_METRES: i32 = 4;

pub(super) struct GeoJsonFile {
    file: BufWriter<File>,
    shown: String,
    fields: Vec<(String, FieldType)>,
    decimals: i32,
    /// RFC 7946 wants shells against the clock.
    oriented: bool,
    /// From the CRS of the geometries to longitude and latitude.
    to_degrees: Option<Transformer>,
    features: u64,
}

impl GeoJsonFile {
    /// `crs` is that of the geometries to come.
    pub(crate) fn create(
        path: &Path,
        format: Format,
        layer_name: &str,
        crs: &Crs,
        fields: &[(&str, FieldType)],
    ) -> Result<Self> {
        let shown = path.display().to_string();
        let standard = format == Format::GeoJson;
        let to_degrees = standard.then(|| Transformer::new(crs, &Crs::from_epsg(4326)?)).transpose()?;
        let urn = match crs.epsg() {
            _ if standard => None,
            Some(4326) => Some("urn:ogc:def:crs:OGC:1.3:CRS84".to_string()),
            code => code.map(|code| format!("urn:ogc:def:crs:EPSG::{code}")),
        };
        let crs = urn.map(|name| json!({"type": "name", "properties": {"name": name}}));
        let crs = crs.map(|member| format!("\"crs\":{member},\n")).unwrap_or_default();
        let file = File::create(path).map_err(|error| failed(&shown, &error))?;
        let mut file = Self {
            file: BufWriter::new(file),
            shown,
            fields: fields.iter().map(|(name, kind)| (name.to_string(), *kind)).collect(),
            decimals: if standard { DECIMALS_OF_DEGREES } else { DECIMALS_OF_METRES },
            oriented: standard,
            to_degrees,
            features: 0,
        };
        let name = json!(layer_name);
        file.text(&format!("{{\"type\":\"FeatureCollection\",\n\"name\":{name},\n{crs}\"features\":["))?;
        Ok(file)
    }

    pub(crate) fn write(&mut self, shape: Shape, values: &[Value]) -> Result<()> {
        let geometry = self.geometry(shape)?;
        let feature = Line { properties: Properties { fields: &self.fields, values }, geometry };
        let line = serde_json::to_string(&feature).map_err(|error| failed(&self.shown, &error))?;
        self.text(if self.features == 0 { "\n" } else { ",\n" })?;
        self.text(&line)?;
        self.features += 1;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        self.text("\n]}\n")?;
        self.file.flush().map_err(|error| failed(&self.shown, &error))
    }

    fn text(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).map_err(|error| failed(&self.shown, &error))
    }

    fn geometry(&self, shape: Shape) -> Result<Option<geojson::Geometry>> {
        let scale = 10f64.powi(self.decimals);
        let infinite = std::cell::Cell::new(false);
        let round = |value: f64| {
            infinite.set(infinite.get() || !value.is_finite());
            (value * scale).round() / scale
        };
        let moved = |points: &mut [Coord<f64>]| match &self.to_degrees {
            Some(transformer) => transformer.points(points),
            None => Ok(()),
        };
        let line_3d = |line: &[[f64; 3]]| -> Result<Vec<[f64; 3]>> {
            let mut flat: Vec<Coord<f64>> = line.iter().map(|&[x, y, _]| Coord { x, y }).collect();
            moved(&mut flat)?;
            Ok(flat.iter().zip(line).map(|(c, [_, _, z])| [c.x, c.y, *z].map(round)).collect())
        };
        let value = match shape {
            Shape::None => return Ok(None),
            Shape::Point(x, y) => {
                let mut point = [Coord { x, y }];
                moved(&mut point)?;
                GeometryValue::new_point([round(point[0].x), round(point[0].y)])
            }
            Shape::Point3D(point) => GeometryValue::new_point(line_3d(&[point])?[0]),
            Shape::LineString3D(line) => GeometryValue::new_line_string(line_3d(line)?),
            Shape::Geo(geometry) => {
                let moved = self.to_degrees.as_ref().map(|transformer| transformer.geometry(geometry)).transpose()?;
                let rounded = moved.as_ref().unwrap_or(geometry).map_coords(|c| Coord { x: round(c.x), y: round(c.y) });
                GeometryValue::from(&if self.oriented { oriented(rounded) } else { rounded })
            }
        };
        if infinite.get() {
            return Err(Error::failed(format!("'{}' cannot be written: a coordinate is not a number", self.shown)));
        }
        Ok(Some(geojson::Geometry::new(value)))
    }
}

fn oriented(geometry: Geometry<f64>) -> Geometry<f64> {
    match geometry {
        Geometry::Polygon(polygon) => polygon.orient(Direction::Default).into(),
        Geometry::MultiPolygon(polygons) => polygons.orient(Direction::Default).into(),
        other => other,
    }
}

fn failed(shown: &str, error: &dyn std::fmt::Display) -> Error {
    Error::failed(format!("'{shown}' cannot be written ({error})"))
}

/// A feature whose properties keep the order of the fields, which the crate's own map does not.
#[derive(serde::Serialize)]
#[serde(tag = "type", rename = "Feature")]
struct Line<'a> {
    properties: Properties<'a>,
    geometry: Option<geojson::Geometry>,
}

struct Properties<'a> {
    fields: &'a [(String, FieldType)],
    values: &'a [Value],
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        for ((name, kind), value) in self.fields.iter().zip(self.values) {
            match (kind, value) {
                (_, Value::Null) => map.serialize_entry(name, &())?,
                (FieldType::Integer, Value::Integer(n)) => map.serialize_entry(name, n)?,
                (FieldType::Text, value) => map.serialize_entry(name, &value.as_text())?,
                (_, value) => map.serialize_entry(name, &value.as_f64())?,
            }
        }
        map.end()
    }
}
