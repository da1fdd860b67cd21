//! Polygons onto a grid: a cell takes the value of the polygon its centre lies in, the last one where several do.

use std::ffi::c_int;
use std::path::Path;
use std::ptr;

use ::geo::Geometry;
use gdal::raster::GdalDataType;
use gdal::{Dataset, DriverManager};

use super::native::{self, Callback, Watch};
use super::ogr_geometry::Ogr;
use super::{Crs, gdal_glue};
use crate::terrain::Lattice;
use crate::{Error, Result};

/// A working GeoTIFF (tiled, uncompressed, one band) filled with `fill`, which is also its nodata value.
pub(crate) fn create_working(path: &Path, grid: &Lattice, crs: &Crs, kind: GdalDataType, fill: f64) -> Result<Dataset> {
    let what = format!("'{}' cannot be written", path.display());
    gdal_glue::clear_messages();
    let fail = |error: gdal::errors::GdalError| {
        let cause = gdal_glue::take_error().unwrap_or_else(|| error.to_string());
        native::failure(&what, &cause)
    };
    let options = native::arguments(&WORKING_OPTIONS)?;
    let driver = DriverManager::get_driver_by_name("GTiff").map_err(fail)?;
    let mut dataset = match kind {
        GdalDataType::UInt8 => driver.create_with_band_type_with_options::<u8, _>(path, grid.nx, grid.ny, 1, &options),
        _ => driver.create_with_band_type_with_options::<f32, _>(path, grid.nx, grid.ny, 1, &options),
    }
    .map_err(fail)?;
    let (west, _, _, north) = grid.extent();
    dataset.set_geo_transform(&[west, grid.dx, 0.0, north, 0.0, -grid.dy]).map_err(fail)?;
    dataset.set_spatial_ref(&crs.spatial_ref()?).map_err(fail)?;
    let mut band = dataset.rasterband(1).map_err(fail)?;
    band.set_no_data_value(Some(fill)).map_err(fail)?;
    band.fill(fill, None).map_err(fail)?;
    Ok(dataset)
}

/// Creation options of rasters that live only while others are made from them.
pub(crate) const WORKING_OPTIONS: [&str; 3] = ["TILED=YES", "BIGTIFF=IF_SAFER", "SPARSE_OK=YES"];

/// Burns one value a geometry, in order, into band 1.
pub(crate) fn rasterize(
    dataset: &Dataset,
    shapes: &[(&Geometry<f64>, f64)],
    what: &str,
    mut watch: Watch,
) -> Result<()> {
    let geometries: Vec<Ogr> = shapes.iter().map(|(geometry, _)| Ogr::from_geo(geometry)).collect();
    let handles: Vec<_> = geometries.iter().map(Ogr::handle).collect();
    let values: Vec<f64> = shapes.iter().map(|(_, value)| *value).collect();
    let count = c_int::try_from(handles.len()).map_err(|_| Error::input(format!("{what}: too many polygons")))?;
    let mut callback = Callback::new(&mut watch);
    gdal_glue::clear_messages();
    // SAFETY: all arrays live until the call returns and have `count` entries (one band).
    let status = unsafe {
        gdal_sys::GDALRasterizeGeometries(
            dataset.c_dataset(),
            1,
            [1].as_ptr(),
            count,
            handles.as_ptr(),
            None,
            ptr::null_mut(),
            values.as_ptr(),
            ptr::null_mut(),
            callback.function(),
            callback.data(),
        )
    };
    crate::process::interrupt::check()?;
    if status != gdal_sys::CPLErr::CE_None {
        return Err(native::failure(what, &gdal_glue::take_error().unwrap_or_default()));
    }
    Ok(())
}

/// Gives band 1 a name and a unit.
pub(crate) fn label(dataset: &Dataset, description: &str, unit: &str) -> Result<()> {
    let band = dataset.rasterband(1).map_err(|e| Error::failed(e.to_string()))?;
    let (description, unit) = (gdal_glue::c_string(description)?, gdal_glue::c_string(unit)?);
    // SAFETY: the band belongs to the open dataset; GDAL copies both strings.
    unsafe {
        gdal_sys::GDALSetDescription(band.c_rasterband(), description.as_ptr());
        gdal_sys::GDALSetRasterUnitType(band.c_rasterband(), unit.as_ptr());
    }
    Ok(())
}

/// The smallest and largest value of band 1, NaN left out.
pub(crate) fn range(dataset: &Dataset, grid: &Lattice) -> Result<(f32, f32)> {
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for_rows(dataset, grid, |_, values| {
        for value in values.iter().filter(|v| !v.is_nan()) {
            (low, high) = (low.min(*value), high.max(*value));
        }
        Ok(())
    })?;
    Ok((low, high))
}

/// Visits band 1 in strips of rows, north to south: the first row's number and the values.
pub(crate) fn for_rows(
    dataset: &Dataset,
    grid: &Lattice,
    mut visit: impl FnMut(usize, &[f32]) -> Result<()>,
) -> Result<()> {
    const STRIP_ROWS: usize = 256;
    for start in (0..grid.ny).step_by(STRIP_ROWS) {
        crate::process::interrupt::check()?;
        let rows = STRIP_ROWS.min(grid.ny - start);
        visit(start, &super::mosaic::read_rows(dataset, start, rows, grid.nx)?)?;
    }
    Ok(())
}
