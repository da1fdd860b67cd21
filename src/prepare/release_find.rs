//! Where rocks may start: parts of a DEM that are steeper than a threshold, as polygons. A first guess, to be checked in
//! the field.
//!
//! The slope of a cell is that of Horn (1981) from its eight neighbours: IEEE Proceedings 69, 14–47. Cells beside nodata and on
//! the edge of the DEM have none.

use std::path::Path;

use ::geo::{Area, Geometry, Polygon};

use crate::geo::polygonize::polygonize;
use crate::geo::raster::{self, ReadRaster};
use crate::geo::vector::{self, VectorSourceResolved};
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use crate::hazard::zones;
use crate::math;
use crate::site::nodes_inside;
use crate::terrain::Field;
use crate::{Error, Note, Result};

/// What to look for.
#[derive(Debug, Clone)]
pub(crate) struct Search<'a> {
    pub min_slope_deg: f64,
    /// Smaller areas are dropped, smaller holes closed, m².
    pub min_area_m2: f64,
    /// Only cells whose centres lie in polygons of this layer (`file.gpkg|layername=x` picks one).
    pub only: Option<&'a str>,
}

/// A steep area.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReleaseArea {
    pub polygon: Polygon<f64>,
    pub area_m2: f64,
    pub slope_mean_deg: f64,
    pub slope_max_deg: f64,
}

/// Writes the steep areas of a DEM, the largest first, in its CRS; returns them and what the user must know.
///
/// # Errors
/// Nothing is that steep and that large.
pub(crate) fn find(dem: &Path, search: &Search, out: &Path) -> Result<(Vec<ReleaseArea>, Vec<Note>)> {
    let format = Format::from_path(out)?;
    if format == Format::Csv {
        return Err(Error::usage(format!(
            "'{}': a table holds no polygons; write .gpkg, .shp, .fgb or .geojson",
            out.display()
        )));
    }
    let read = raster::read_dem(dem, &ReadRaster::default())?;
    let mut warnings = read.warnings.clone();
    let slopes = slopes_deg(&read.field);
    let steep = |&slope: &f32| u8::from(f64::from(slope) >= search.min_slope_deg);
    let mut map = Field { lattice: read.field.lattice, values: slopes.iter().map(steep).collect() };
    if let Some(source) = search.only {
        let layer = vector::read(&VectorSourceResolved::file(source)?, Some(&read.crs))?;
        warnings.extend(layer.warnings.iter().cloned());
        let mut inside = vec![false; map.values.len()];
        for feature in &layer.features {
            nodes_inside(&feature.geometry, &map.lattice, |cell| inside[cell] = true);
        }
        map.values.iter_mut().zip(inside).for_each(|(class, inside)| *class *= u8::from(inside));
    }
    let areas = areas(&zones::clean(&map, search.min_area_m2).0, &slopes);
    if areas.is_empty() {
        return Err(Error::input(format!(
            "no part of '{}' is as steep as {}° on at least {} m²{}; lower --min-slope or --min-area",
            dem.display(),
            search.min_slope_deg,
            search.min_area_m2,
            search.only.map_or(String::new(), |source| format!(" in the polygons of '{source}'"))
        )));
    }
    let fields = [
        ("id", FieldType::Integer),
        ("area_m2", FieldType::Real),
        ("slope_mean_deg", FieldType::Real),
        ("slope_max_deg", FieldType::Real),
    ];
    let mut writer = VectorWriter::create(out, format, "release", &read.crs, GeometryKind::Polygon, &fields)?;
    for (i, area) in areas.iter().enumerate() {
        let tenths = |value: f64| Value::Real((10.0 * value).round() / 10.0);
        let numbers = [area.area_m2, area.slope_mean_deg, area.slope_max_deg].map(tenths);
        let values: Vec<Value> = std::iter::once(Value::Integer(i as i64 + 1)).chain(numbers).collect();
        writer.write(&Geometry::Polygon(area.polygon.clone()), &values)?;
    }
    warnings.extend(writer.finish()?.warnings);
    Ok((areas, warnings))
}

/// NaN where a cell lacks a neighbour.
fn slopes_deg(dem: &Field<f64>) -> Vec<f32> {
    let (nx, ny) = (dem.lattice.nx, dem.lattice.ny);
    let slope = |k: usize| {
        let (column, row) = (k % nx, k / nx);
        if column == 0 || row == 0 || column + 1 == nx || row + 1 == ny {
            return f32::NAN;
        }
        let z = |dx: isize, dy: isize| dem.values[k.wrapping_add_signed(dx + dy * nx as isize)];
        let (east, west) = (z(1, -1) + 2.0 * z(1, 0) + z(1, 1), z(-1, -1) + 2.0 * z(-1, 0) + z(-1, 1));
        let (north, south) = (z(-1, 1) + 2.0 * z(0, 1) + z(1, 1), z(-1, -1) + 2.0 * z(0, -1) + z(1, -1));
        let gradient = math::hypot((east - west) / (8.0 * dem.lattice.dx), (north - south) / (8.0 * dem.lattice.dy));
        // The cell itself plays no part in the gradient, but without a height it is no ground.
        math::atan(gradient + 0.0 * z(0, 0)).to_degrees() as f32
    };
    (0..dem.values.len()).map(slope).collect()
}

/// The patches of a map, the largest first, with the slopes of their cells.
fn areas(map: &Field<u8>, slopes: &[f32]) -> Vec<ReleaseArea> {
    let mut areas: Vec<ReleaseArea> = Vec::new();
    for zone in polygonize(map) {
        let geometry = Geometry::Polygon(zone.polygon.clone());
        let (mut sum, mut count, mut largest) = (0.0, 0.0, 0.0f64);
        nodes_inside(&geometry, &map.lattice, |cell| {
            let slope = f64::from(slopes[cell]);
            if slope.is_finite() {
                (sum, count, largest) = (sum + slope, count + 1.0, largest.max(slope));
            }
        });
        let slope_mean_deg = if count > 0.0 { sum / count } else { 0.0 };
        let area_m2 = zone.polygon.unsigned_area();
        areas.push(ReleaseArea { polygon: zone.polygon, area_m2, slope_mean_deg, slope_max_deg: largest });
    }
    areas.sort_by(|a, b| b.area_m2.total_cmp(&a.area_m2));
    areas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Lattice;

    /// On a plane every inner cell has the plane's slope, whatever its direction and the shape of the cells.
    #[test]
    fn a_plane_has_one_slope() {
        let lattice = Lattice { nx: 7, ny: 5, x0: 0.0, y0: 0.0, dx: 2.0, dy: 3.0 };
        let height = |k: usize| 0.6 * 2.0 * (k % 7) as f64 - 0.8 * 3.0 * (k / 7) as f64;
        let slopes = slopes_deg(&Field { lattice, values: (0..lattice.len()).map(height).collect() });
        let known: Vec<f32> = slopes.into_iter().filter(|slope| !slope.is_nan()).collect();
        assert_eq!(known.len(), 5 * 3);
        assert!(known.iter().all(|slope| (slope - 45.0).abs() < 1e-4), "{known:?}");
    }
}
