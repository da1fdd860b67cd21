//! The features of a layer: checked, repaired, transformed.

use std::rc::Rc;

use ::geo::{BoundingRect, Coord, CoordsIter, Geometry};
use gdal::vector::{Layer, LayerAccess};
use gdal_sys::{OGRFeatureH, OGRFieldType};

use super::ogr_geometry::Ogr;
use super::repair::{self, Checked};
use super::vector::{Feature, FieldInfo, MOST_BYTES, MOST_FEATURES, Value, too_large};
use super::vector_open::wrong_filter;
use super::vector_source::{Location, VectorSourceResolved};
use super::{Bounds, Crs, Transformer, area_of_use, gdal_glue, vector_open};
use crate::process::interrupt;
use crate::{Error, Note, Result};

/// No projection has coordinates as large, whatever its unit and false origin.
const FARTHEST: f64 = 1e9;

/// Reads the features of a layer.
pub(super) struct Reader<'a> {
    shown: &'a str,
    source_crs: &'a Crs,
    filter: Option<&'a str>,
    transformer: &'a Transformer,
    fields: &'a [FieldInfo],
    guard: Rc<area_of_use::Guard>,
    /// A rectangle known to lie in the CRS' area of use.
    checked: Option<Bounds>,
    /// What their number in the layer stands for, if that is not the id.
    ids: Option<&'a [i64]>,
    /// A CSV table: a row without a place is a slip of the pen.
    is_table: bool,
    pub warnings: Vec<Note>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        source: &'a VectorSourceResolved,
        source_crs: &'a Crs,
        transformer: &'a Transformer,
        fields: &'a [FieldInfo],
        ids: Option<&'a [i64]>,
    ) -> Result<Self> {
        let guard = area_of_use::Guard::of(source_crs)?;
        let (shown, filter) = (source.name.as_str(), source.filter.as_deref());
        let is_table = matches!(&source.location, Location::File { path, .. } if vector_open::options(path).is_some());
        let warnings = Vec::new();
        Ok(Self { shown, source_crs, filter, transformer, fields, guard, checked: None, ids, is_table, warnings })
    }

    pub(crate) fn features(&mut self, layer: &mut Layer) -> Result<Vec<Feature>> {
        let (mut features, mut rows, mut bytes) = (Vec::new(), 0, 0);
        layer.reset_feature_reading();
        loop {
            gdal_glue::clear_messages();
            // SAFETY: the feature is ours until OGR_F_Destroy below.
            let handle = unsafe { gdal_sys::OGR_L_GetNextFeature(layer.c_layer()) };
            // OGR returns null at the end and on an error alike.
            if let Some(error) = gdal_glue::take_error() {
                if !handle.is_null() {
                    // SAFETY: ours, not null, and not used any more.
                    unsafe { gdal_sys::OGR_F_Destroy(handle) };
                }
                // Databases look at a filter only when they first use it.
                if let Some(filter) = self.filter.filter(|_| features.is_empty()) {
                    return Err(wrong_filter(layer, filter, &format!(" ({error})"), self.shown));
                }
                return Err(Error::input(format!(
                    "layer '{}' is damaged or cut short: after {} features GDAL reports \"{error}\"; copy or export it again",
                    self.shown,
                    features.len()
                )));
            }
            if handle.is_null() {
                return Ok(features);
            }
            let feature = self.feature(handle);
            // SAFETY: ours, not null, and what was read from it is a copy.
            unsafe { gdal_sys::OGR_F_Destroy(handle) };
            interrupt::check()?;
            let feature = feature?;
            bytes += feature.as_ref().map_or(0, Feature::bytes);
            features.extend(feature);
            rows += 1;
            if rows > MOST_FEATURES || bytes > MOST_BYTES {
                return Err(too_large(self.shown));
            }
        }
    }

    fn feature(&mut self, handle: OGRFeatureH) -> Result<Option<Feature>> {
        let shown = self.shown;
        // SAFETY: the geometry belongs to the feature; we work on a copy.
        let (id, geometry) = unsafe { (gdal_sys::OGR_F_GetFID(handle), gdal_sys::OGR_F_GetGeometryRef(handle)) };
        let id = self.ids.and_then(|ids| ids.get(usize::try_from(id).ok()?)).copied().unwrap_or(id);
        let linear = if geometry.is_null() { None } else { Ogr::linear_copy(geometry) };
        let Some(linear) = linear.filter(|g| !g.is_empty()) else {
            if self.is_table {
                return Err(Error::input(format!(
                    "row {id} of '{shown}' has no place: expected a number in both of its columns of coordinates (`x` and `y`, or their like), and \
                     found none or text; mend the row, or remove it"
                )));
            }
            self.warnings.push(Note::FeatureWithoutGeometry { feature: id, layer: shown.to_string() });
            return Ok(None);
        };
        let wrong = |what: String| Error::input(format!("feature {id} of layer '{shown}': {what}"));
        let mut z = Vec::new();
        let before = linear.to_geo(&mut z).ok_or_else(|| wrong("its kind of geometry is not supported".into()))?;
        self.refuse_impossible_coordinates(&before).map_err(|e| wrong(e.message))?;
        self.expect_in_area_of_use(id, &before)?;
        let is_3d = linear.is_3d();
        let (ogr, repaired) = match repair::check(linear) {
            Checked::Valid(ogr) => (ogr, false),
            Checked::Repaired(ogr, fault) => {
                self.warnings.push(Note::PolygonRepaired { feature: id, layer: shown.to_string(), fault });
                (ogr, true)
            }
            Checked::Ambiguous(fault) => {
                return Err(wrong(format!(
                    "its polygon is invalid ({fault}) and can be read in more than one way; mend it in the file, e.g. with \
                     QGIS' \"Fix geometries\""
                )));
            }
        };
        let geometry = ogr.to_geo(&mut Vec::new()).ok_or_else(|| wrong("its geometry cannot be used".into()))?;
        let geometry = self.transformer.geometry(&geometry).map_err(|e| wrong(e.message))?;
        let attributes =
            self.fields.iter().enumerate().map(|(k, field)| (field.name.clone(), value_of(handle, k as i32))).collect();
        let z = (is_3d && !repaired).then_some(z);
        Ok(Some(Feature { id, geometry, z, attributes }))
    }

    fn expect_in_area_of_use(&mut self, id: i64, geometry: &Geometry<f64>) -> Result<()> {
        let Some(rectangle) = geometry.bounding_rect() else { return Ok(()) };
        let own = Bounds::new(rectangle.min().x, rectangle.min().y, rectangle.max().x, rectangle.max().y);
        let known = |b: &Bounds| b.contains(own.west, own.south) && b.contains(own.east, own.north);
        if self.checked.as_ref().is_some_and(known) {
            return Ok(());
        }
        let warning = self.guard.check(&own, &format!("feature {id} of layer '{}'", self.shown))?;
        match warning {
            Some(warning) => {
                self.warnings.push(warning);
                // Once is enough.
                self.checked = Some(Bounds::new(f64::MIN, f64::MIN, f64::MAX, f64::MAX));
            }
            None => self.checked = Some(self.checked.map_or(own, |checked| checked.union(&own))),
        }
        Ok(())
    }

    /// What no repair can mend: coordinates that are no numbers, or metres in a layer that claims degrees (the classic
    /// of GeoJSON exported without reprojecting).
    fn refuse_impossible_coordinates(&self, geometry: &Geometry<f64>) -> Result<()> {
        let crs = self.source_crs;
        for Coord { x, y } in geometry.coords_iter() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(Error::input(format!("a coordinate is not a number ({x}, {y}); mend it in the file")));
            }
            if x.abs().max(y.abs()) > FARTHEST {
                return Err(Error::input(format!(
                    "the coordinates ({x:e}, {y:e}) lie nowhere on Earth; mend them in the file"
                )));
            }
            if crs.is_geographic() && (x.abs() > 540.0 || y.abs() > 360.0) {
                return Err(Error::input(format!(
                    "the coordinates ({x}, {y}) cannot be degrees, as its CRS {crs} demands: state the CRS they are in \
                     (`crs: EPSG:…`)"
                )));
            }
        }
        Ok(())
    }
}

fn value_of(feature: OGRFeatureH, index: i32) -> Value {
    // SAFETY: the index is one of the layer's fields; strings are copied before the feature goes.
    unsafe {
        if gdal_sys::OGR_F_IsFieldSetAndNotNull(feature, index) == 0 {
            return Value::Null;
        }
        match gdal_sys::OGR_Fld_GetType(gdal_sys::OGR_F_GetFieldDefnRef(feature, index)) {
            OGRFieldType::OFTInteger | OGRFieldType::OFTInteger64 => {
                Value::Integer(gdal_sys::OGR_F_GetFieldAsInteger64(feature, index))
            }
            OGRFieldType::OFTReal => Value::Real(gdal_sys::OGR_F_GetFieldAsDouble(feature, index)),
            _ => Value::Text(gdal_glue::text_of(gdal_sys::OGR_F_GetFieldAsString(feature, index))),
        }
    }
}
