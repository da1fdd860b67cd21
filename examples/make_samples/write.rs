//! The files of a sample, through Couloir's own writers.

use std::path::Path;

use couloir::Result;
use couloir::geo::Crs;
use couloir::geo::write_raster::{self, Band, BandData, WriteRaster};
use couloir::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use couloir::terrain::grid::Field;
use geo::{Geometry, LineString};

use crate::earthworks::Station;

/// A DEM rounded to centimetres, which is honest for LiDAR and compresses well; NaN becomes `nodata`.
pub fn dem(path: &Path, field: &Field<f64>, crs: &Crs, nodata: f64) -> Result<()> {
    let heights: Vec<f32> = field.values.iter().map(|z| ((z * 100.0).round() / 100.0) as f32).collect();
    let band = Band { description: "elevation", unit: "m", data: BandData::F32(&heights), nodata };
    write_raster::write(path, &field.lattice, crs, &[band], &WriteRaster::default())
}

/// A layer: name, fields, and features with their attributes.
pub struct Layer<'a> {
    pub name: &'a str,
    pub kind: GeometryKind,
    pub fields: &'a [(&'a str, FieldType)],
    pub features: Vec<(Geometry<f64>, Vec<Value>)>,
}

pub fn layer(path: &Path, format: Format, crs: &Crs, layer: &Layer) -> Result<()> {
    let mut writer = VectorWriter::create(path, format, layer.name, crs, layer.kind, layer.fields)?;
    for (geometry, values) in &layer.features {
        writer.write(geometry, values)?;
    }
    writer.finish().map(|_| ())
}

pub fn text(value: &str) -> Value {
    Value::Text(value.to_string())
}

/// A line through its stations, rounded to centimetres.
pub fn line(stations: &[Station]) -> LineString<f64> {
    let round = |v: f64| (v * 100.0).round() / 100.0;
    stations.iter().map(|s| (round(s.x), round(s.y))).collect()
}
