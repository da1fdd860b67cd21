//! Files of a classified map, which may come in parts: one raster, and polygons in two formats.

use std::path::Path;

use ::geo::{Area, Geometry};
use rayon::prelude::*;

use crate::Result;
use crate::geo::Crs;
use crate::geo::polygonize::{ZonePolygon, polygonize};
use crate::geo::sparse_raster::{About, Pixel, SparseRaster};
use crate::geo::write_raster::{self as raster_file, Band, BandData, WriteRaster};
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use crate::output::styles::MapClass;
use crate::terrain::{Field, Lattice};

/// Writes parts of a map as one raster, a row of tiles at a time.
pub(super) fn write_parts<T: Pixel>(
    path: &Path,
    whole: &Lattice,
    crs: &Crs,
    about: &About<T>,
    parts: &[&Field<u8>],
    value: impl Fn(u8) -> T,
) -> Result<()> {
    let mut raster = SparseRaster::create(path, whole, crs, about)?;
    let placed: Vec<_> = parts.iter().map(|part| (whole.first_of(&part.lattice), part)).collect();
    for row in 0..whole.ny {
        for ((column, first), part) in &placed {
            let Some(k) = row.checked_sub(*first).filter(|k| *k < part.lattice.ny) else { continue };
            let line = &part.values[k * part.lattice.nx..][..part.lattice.nx];
            let cells = line.iter().enumerate().map(|(i, &found)| (row * whole.nx + column + i, value(found)));
            cells.into_iter().try_for_each(|(cell, value)| raster.put(cell, value))?;
        }
    }
    raster.finish()
}

pub(super) fn write_raster(
    path: &Path,
    whole: &Lattice,
    maps: &[&Field<u8>],
    crs: &Crs,
    description: &str,
    classes: &[MapClass],
) -> Result<()> {
    let colours: Vec<[u8; 3]> = classes.iter().map(|class| class.raster_colour().0).collect();
    let map = match maps {
        [map] if map.lattice == *whole => map,
        _ => {
            let about = About { description, unit: "", nodata: 0, colours: Some(&colours) };
            return write_parts(path, whole, crs, &about, maps, |class| class);
        }
    };
    let band = Band { description, unit: "", data: BandData::Classes(&map.values, &colours), nodata: 0.0 };
    raster_file::write(path, &map.lattice, crs, &[band], &WriteRaster::of_results(&map.lattice))
}

/// Writes GeoPackage and shapefile; returns the area per class, m².
pub(super) fn write_polygons(
    folder: &Path,
    stem: &str,
    whole: &Lattice,
    maps: &[Field<u8>],
    crs: &Crs,
    classes: &[MapClass],
) -> Result<Vec<f64>> {
    let mut polygons = Vec::new();
    for map in maps {
        let (column, row) = whole.first_of(&map.lattice);
        let placed = |zone: ZonePolygon| ZonePolygon { first: (zone.first.0 + row, zone.first.1 + column), ..zone };
        polygons.extend(polygonize(map).into_iter().map(placed));
    }
    // As in a map that is drawn as a whole.
    polygons.sort_by_key(|zone| zone.first);
    let fields = [
        ("class", FieldType::Integer),
        ("name", FieldType::Text),
        ("colour", FieldType::Text),
        ("area_m2", FieldType::Real),
    ];
    let mut areas = vec![0.0; classes.len()];
    let mut features = Vec::new();
    for zone in polygons {
        let area = zone.polygon.unsigned_area();
        let Some(class) = classes.get(zone.class as usize - 1) else { continue };
        areas[zone.class as usize - 1] += area;
        let values = [
            Value::Integer(i64::from(zone.class)),
            Value::Text(class.name.clone()),
            Value::Text(String::from(class.colour)),
            Value::Real((area * 100.0).round() / 100.0),
        ];
        features.push((Geometry::Polygon(zone.polygon), values));
    }
    [Format::GeoPackage, Format::Shapefile].par_iter().try_for_each(|&format| {
        let path = folder.join(format!("{stem}.{}", format.extension()));
        let mut writer = VectorWriter::create(&path, format, stem, crs, GeometryKind::Polygon, &fields)?;
        features.iter().try_for_each(|(polygon, values)| writer.write(polygon, values).map(|_| ()))?;
        writer.finish().map(|_| ())
    })?;
    Ok(areas)
}
