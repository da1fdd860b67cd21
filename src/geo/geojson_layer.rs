//! Features of GeoJSON, KML and GPX as a layer of GDAL in memory: filters, repairs and checks are those of every other layer.

use gdal::spatial_ref::SpatialRef;
use gdal::vector::{FieldDefn, LayerAccess, LayerOptions};
use gdal::{Dataset, DriverManager};
use gdal_sys::{OGRErr, OGRFieldType, OGRwkbGeometryType as Kind};
use geojson::{Geometry, GeometryValue, Position};
use serde_json::Value;

use super::gdal_glue;
use super::ogr_geometry::{self, Ogr};
use super::vector::FieldType;
use crate::{Error, Result};

/// A feature as read.
pub(super) struct Row {
    /// A whole number is the feature's id, a text an attribute.
    pub id: Option<Result<i64, String>>,
    pub geometry: Option<Ogr>,
    pub properties: Vec<(String, Value)>,
}

/// A layer in memory, and the features' ids in their order.
pub(super) fn build(name: &str, crs: Option<SpatialRef>, rows: &[Row]) -> Result<(Dataset, Vec<i64>)> {
    let mut dataset = in_memory()?;
    add_layer(&mut dataset, name, crs.as_ref(), rows, None)?;
    let id = |(k, row): (usize, &Row)| row.id.as_ref().and_then(|id| id.clone().ok()).unwrap_or(k as i64);
    Ok((dataset, rows.iter().enumerate().map(id).collect()))
}

/// A dataset without layers.
pub(super) fn in_memory() -> Result<Dataset> {
    gdal_glue::clear_messages();
    let driver = ["Memory", "MEM"].iter().find_map(|name| DriverManager::get_driver_by_name(name).ok());
    driver.and_then(|driver| driver.create_vector_only("").ok()).ok_or_else(failed)
}

/// Adds a layer; its features are numbered from `first`, or as GDAL does it.
pub(super) fn add_layer(
    dataset: &mut Dataset,
    name: &str,
    srs: Option<&SpatialRef>,
    rows: &[Row],
    first: Option<i64>,
) -> Result<()> {
    let fields = fields(rows);
    gdal_glue::clear_messages();
    let empty = rows.iter().all(|row| row.geometry.is_none()) && !rows.is_empty();
    let ty = if empty { Kind::wkbNone } else { Kind::wkbUnknown };
    let name = &name.replace('\0', "");
    let layer = dataset.create_layer(LayerOptions { name, srs, ty, options: None }).map_err(|_| failed())?;
    for (name, kind) in &fields {
        let kind = match kind {
            FieldType::Integer => OGRFieldType::OFTInteger64,
            FieldType::Real => OGRFieldType::OFTReal,
            FieldType::Text => OGRFieldType::OFTString,
        };
        let field = FieldDefn::new(&name.replace('\0', ""), kind).and_then(|field| field.add_to_layer(&layer));
        field.map_err(|_| failed())?;
    }
    for (row, k) in rows.iter().zip(0..) {
        add(&layer, &fields, row, first.map(|first| first + k))?;
    }
    Ok(())
}

fn failed() -> Error {
    Error::failed(format!("a layer in memory cannot be made{}", gdal_glue::because()))
}

const ID: &str = "id";

/// Names and types, in the order the features bring them: whole numbers, numbers, or text where they are mixed.
fn fields(rows: &[Row]) -> Vec<(String, FieldType)> {
    let mut fields: Vec<(String, Option<FieldType>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    let mut note = |name: &str, kind: Option<FieldType>| {
        let place = *places.entry(name.to_string()).or_insert_with(|| {
            fields.push((name.to_string(), None));
            fields.len() - 1
        });
        let known = &mut fields[place].1;
        *known = match (*known, kind) {
            (None, kind) | (kind, None) => kind,
            (Some(a), Some(b)) if a == b => Some(a),
            (Some(FieldType::Text), _) | (_, Some(FieldType::Text)) => Some(FieldType::Text),
            _ => Some(FieldType::Real),
        };
    };
    for row in rows {
        for (name, value) in &row.properties {
            let kind = match value {
                Value::Null => None,
                Value::Bool(_) => Some(FieldType::Integer),
                Value::Number(number) if number.is_i64() => Some(FieldType::Integer),
                Value::Number(_) => Some(FieldType::Real),
                Value::String(_) | Value::Array(_) | Value::Object(_) => Some(FieldType::Text),
            };
            note(name, kind);
        }
        if let Some(Err(_)) = &row.id {
            note(ID, Some(FieldType::Text));
        }
    }
    fields.into_iter().map(|(name, kind)| (name, kind.unwrap_or(FieldType::Text))).collect()
}

fn add(layer: &gdal::vector::Layer, fields: &[(String, FieldType)], row: &Row, id: Option<i64>) -> Result<()> {
    let value_of = |name: &str| match row.properties.iter().rev().find(|(key, _)| key == name) {
        Some((_, value)) => Some(value.clone()),
        None => match &row.id {
            Some(Err(text)) if name == ID => Some(Value::from(text.as_str())),
            _ => None,
        },
    };
    gdal_glue::clear_messages();
    // SAFETY: the feature is ours until it is destroyed; indices are those of the layer's fields; GDAL copies texts and
    // the geometry.
    let code = unsafe {
        let feature = gdal_sys::OGR_F_Create(layer.defn().c_defn());
        if let Some(id) = id {
            gdal_sys::OGR_F_SetFID(feature, id);
        }
        for (index, (name, kind)) in fields.iter().enumerate() {
            let index = index as i32;
            match (kind, value_of(name)) {
                (_, None | Some(Value::Null)) => gdal_sys::OGR_F_SetFieldNull(feature, index),
                (FieldType::Integer, Some(value)) => {
                    let number = value.as_i64().unwrap_or(i64::from(value == Value::Bool(true)));
                    gdal_sys::OGR_F_SetFieldInteger64(feature, index, number);
                }
                (FieldType::Real, Some(value)) => {
                    let number = value.as_f64().unwrap_or(f64::from(u8::from(value == Value::Bool(true))));
                    gdal_sys::OGR_F_SetFieldDouble(feature, index, number);
                }
                (FieldType::Text, Some(value)) => {
                    let text = match value {
                        Value::String(text) => text,
                        other => other.to_string(),
                    };
                    let text = gdal_glue::c_string(&text.replace('\0', ""))?;
                    gdal_sys::OGR_F_SetFieldString(feature, index, text.as_ptr());
                }
            }
        }
        if let Some(geometry) = &row.geometry {
            gdal_sys::OGR_F_SetGeometry(feature, geometry.handle());
        }
        let code = gdal_sys::OGR_L_CreateFeature(layer.c_layer(), feature);
        gdal_sys::OGR_F_Destroy(feature);
        code
    };
    if code == OGRErr::OGRERR_NONE {
        return Ok(());
    }
    Err(Error::failed(format!("a feature cannot be kept in memory{}", gdal_glue::because())))
}

/// The geometry with its heights.
pub(super) fn geometry(geometry: &Geometry) -> Result<Ogr, String> {
    let ring = |ring: &Vec<Position>| path(Kind::wkbLinearRing, ring);
    let polygon = |rings: &[Vec<Position>]| collection(Kind::wkbPolygon, rings.iter().map(ring));
    match &geometry.value {
        GeometryValue::Point { coordinates } => path(Kind::wkbPoint, std::slice::from_ref(coordinates)),
        GeometryValue::LineString { coordinates } => path(Kind::wkbLineString, coordinates),
        GeometryValue::Polygon { coordinates } => polygon(coordinates),
        GeometryValue::MultiPoint { coordinates } => {
            let points = coordinates.iter().map(|point| path(Kind::wkbPoint, std::slice::from_ref(point)));
            collection(Kind::wkbMultiPoint, points)
        }
        GeometryValue::MultiLineString { coordinates } => {
            collection(Kind::wkbMultiLineString, coordinates.iter().map(|line| path(Kind::wkbLineString, line)))
        }
        GeometryValue::MultiPolygon { coordinates } => {
            collection(Kind::wkbMultiPolygon, coordinates.iter().map(|rings| polygon(rings)))
        }
        GeometryValue::GeometryCollection { geometries } => {
            collection(Kind::wkbGeometryCollection, geometries.iter().map(self::geometry))
        }
    }
}

fn path(kind: Kind::Type, positions: &[Position]) -> Result<Ogr, String> {
    match positions.iter().find(|position| position.len() < 2) {
        Some(short) => Err(format!("a position has {} numbers, expected x and y", short.len())),
        None => Ok(ogr_geometry::path(kind, positions.iter().map(Position::as_slice))),
    }
}

fn collection(kind: Kind::Type, parts: impl Iterator<Item = Result<Ogr, String>>) -> Result<Ogr, String> {
    Ok(ogr_geometry::collection(kind, parts.collect::<Result<Vec<_>, _>>()?.into_iter()))
}
