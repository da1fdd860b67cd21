//! Every point of a vector dataset brought to another CRS by PROJ; features, attributes, heights and measures stay as they are.

use ::geo::Coord;
use gdal::Dataset;
use gdal::vector::LayerAccess;
use gdal_sys::{OGRErr, OGRGeometryH, OGRLayerH};

use super::{Crs, Transformer};
use crate::{Error, Result};

/// Moves all points of a dataset that may be changed in place; `crs_of` tells the CRS a layer of this name is in.
pub(crate) fn move_to(dataset: &Dataset, target: &Crs, crs_of: impl Fn(&str) -> Crs) -> Result<()> {
    for layer in dataset.layers() {
        let way = Transformer::new(&crs_of(&layer.name()), target)?;
        if !way.is_identity() {
            // SAFETY: the layer lives as long as the dataset, which outlives this call.
            let handle = unsafe { layer.c_layer() };
            move_layer(handle, &layer.name(), &way)?;
        }
    }
    Ok(())
}

fn move_layer(layer: OGRLayerH, name: &str, way: &Transformer) -> Result<()> {
    for id in feature_ids(layer) {
        // SAFETY: the layer is open; the feature is ours from here on and destroyed once, its geometry belongs to it.
        let moved = unsafe {
            let feature = gdal_sys::OGR_L_GetFeature(layer, id);
            if feature.is_null() {
                continue;
            }
            let geometry = gdal_sys::OGR_F_GetGeometryRef(feature);
            let moved = if geometry.is_null() { Ok(()) } else { move_geometry(geometry, way) };
            let kept = gdal_sys::OGR_L_SetFeature(layer, feature);
            gdal_sys::OGR_F_Destroy(feature);
            moved.map(|()| kept)
        };
        match moved {
            Ok(OGRErr::OGRERR_NONE) => {}
            Ok(_) => return Err(Error::failed(format!("feature {id} of layer '{name}' cannot be kept in memory"))),
            Err(error) => {
                return Err(Error { message: format!("feature {id} of layer '{name}': {error}"), ..error });
            }
        }
    }
    Ok(())
}

/// All of them before anything is changed.
fn feature_ids(layer: OGRLayerH) -> Vec<i64> {
    let mut ids = Vec::new();
    // SAFETY: the layer is open; each feature is destroyed once.
    unsafe {
        gdal_sys::OGR_L_ResetReading(layer);
        loop {
            let feature = gdal_sys::OGR_L_GetNextFeature(layer);
            if feature.is_null() {
                return ids;
            }
            ids.push(gdal_sys::OGR_F_GetFID(feature));
            gdal_sys::OGR_F_Destroy(feature);
        }
    }
}

/// # Safety
/// The geometry must be valid and nobody else's.
unsafe fn move_geometry(geometry: OGRGeometryH, way: &Transformer) -> Result<()> {
    // SAFETY: as promised by the caller; parts belong to the whole.
    unsafe {
        let parts = gdal_sys::OGR_G_GetGeometryCount(geometry);
        for part in 0..parts {
            move_geometry(gdal_sys::OGR_G_GetGeometryRef(geometry, part), way)?;
        }
        if parts > 0 {
            return Ok(());
        }
        let count = gdal_sys::OGR_G_GetPointCount(geometry);
        let at = |i| Coord { x: gdal_sys::OGR_G_GetX(geometry, i), y: gdal_sys::OGR_G_GetY(geometry, i) };
        let mut points: Vec<Coord<f64>> = (0..count).map(at).collect();
        way.points(&mut points)?;
        for (i, point) in points.iter().enumerate() {
            // Heights and measures of the point stay.
            gdal_sys::OGR_G_SetPoint_2D(geometry, i as i32, point.x, point.y);
        }
    }
    Ok(())
}
