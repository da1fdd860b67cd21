//! Which transformation leads from one CRS to another, how accurate it is, and which grid files a better one lacks.
//!
//! PROJ chooses among its candidates without telling. Here they are listed for the place in question, and the one that
//! gives the very result of [`Transformer`] there is named.

use std::ffi::CString;
use std::ptr::null_mut;

use proj_sys as proj;
use serde::{Deserialize, Serialize};

use super::{Crs, Transformer, gdal_glue};
use crate::Note;

/// A way from one CRS to another, as it was used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatumShift {
    pub from: String,
    pub to: String,
    /// PROJ's name of it.
    pub operation: String,
    /// `None` if PROJ does not know it.
    pub accuracy_m: Option<f64>,
    /// Accuracy of the best transformation PROJ knows there, if that lacks grid files on this machine.
    pub better_m: Option<f64>,
    /// Grid files that better transformations need and that are not installed.
    pub missing_grids: Vec<String>,
}

/// Results this close are those of the same transformation: m, or degrees.
const SAME_M: f64 = 1e-3;
const SAME_DEG: f64 = 1e-8;
/// Half a side of the area transformations are looked for in, degrees.
const REACH_DEG: f64 = 0.01;

impl DatumShift {
    /// The way from `from` to `to` at a point given in `from`; `None` where nothing is to be done.
    pub(crate) fn at(from: &Crs, to: &Crs, (x, y): (f64, f64)) -> Option<Self> {
        let actual = Transformer::new(from, to).ok().filter(|way| !way.is_identity())?;
        let place = actual.xy(x, y).ok()?;
        let degrees = Crs::from_epsg(4326).ok()?;
        let (longitude, latitude) = Transformer::new(from, &degrees).and_then(|way| way.xy(x, y)).ok()?;
        gdal_glue::clear_messages();
        let candidates = Candidates::new(from, to, longitude, latitude)?;
        let same = if to.is_geographic() { SAME_DEG } else { SAME_M / to.linear_unit_to_m() };
        let mut shift = Self {
            from: from.label().into(),
            to: to.label().into(),
            operation: "chosen by PROJ".into(),
            accuracy_m: None,
            better_m: None,
            missing_grids: Vec::new(),
        };
        for index in 0..candidates.count() {
            let Some(candidate) = candidates.get(index) else { continue };
            let missing = candidate.missing_grids();
            if missing.is_empty() {
                let Some(result) = candidate.apply(x, y) else { continue };
                if (result.0 - place.0).hypot(result.1 - place.1) <= same {
                    shift.operation = candidate.name();
                    shift.accuracy_m = candidate.accuracy_m();
                    return Some(shift);
                }
            } else {
                shift.better_m = shift.better_m.or(candidate.accuracy_m());
                for grid in missing {
                    if !shift.missing_grids.contains(&grid) {
                        shift.missing_grids.push(grid);
                    }
                }
            }
        }
        Some(shift)
    }

    /// What the user should know of it.
    pub(crate) fn note(&self) -> Note {
        let Self { from, to, operation, accuracy_m, better_m, missing_grids } = self.clone();
        Note::DatumShift { from, to, operation, accuracy_m, better_m, missing_grids }
    }
}

/// PROJ's list of transformations, best first, as if every grid file were installed.
struct Candidates {
    context: *mut proj::PJ_CONTEXT,
    list: *mut proj::PJ_OBJ_LIST,
}

impl Candidates {
    fn new(from: &Crs, to: &Crs, longitude: f64, latitude: f64) -> Option<Self> {
        let (from, to) = (CString::new(from.wkt()).ok()?, CString::new(to.wkt()).ok()?);
        // SAFETY: every object is checked, used with the context it was made in, and destroyed once; the list does not
        // refer to the CRSs it was made from.
        unsafe {
            let context = proj::proj_context_create();
            if context.is_null() {
                return None;
            }
            proj::proj_log_level(context, proj::PJ_LOG_LEVEL_PJ_LOG_NONE);
            proj::proj_context_set_enable_network(context, 0);
            let source = proj::proj_create(context, from.as_ptr());
            let target = proj::proj_create(context, to.as_ptr());
            let factory = proj::proj_create_operation_factory_context(context, std::ptr::null());
            let mut list = null_mut();
            if !source.is_null() && !target.is_null() && !factory.is_null() {
                let (west, east) = (longitude - REACH_DEG, longitude + REACH_DEG);
                let (south, north) = ((latitude - REACH_DEG).max(-90.0), (latitude + REACH_DEG).min(90.0));
                proj::proj_operation_factory_context_set_area_of_interest(context, factory, west, south, east, north);
                proj::proj_operation_factory_context_set_spatial_criterion(
                    context,
                    factory,
                    proj::PROJ_SPATIAL_CRITERION_PROJ_SPATIAL_CRITERION_PARTIAL_INTERSECTION,
                );
                proj::proj_operation_factory_context_set_grid_availability_use(
                    context,
                    factory,
                    proj::PROJ_GRID_AVAILABILITY_USE_PROJ_GRID_AVAILABILITY_IGNORED,
                );
                list = proj::proj_create_operations(context, source, target, factory);
            }
            proj::proj_operation_factory_context_destroy(factory);
            proj::proj_destroy(source);
            proj::proj_destroy(target);
            Some(Self { context, list })
        }
    }

    fn count(&self) -> i32 {
        // SAFETY: a null list counts as none.
        if self.list.is_null() { 0 } else { unsafe { proj::proj_list_get_count(self.list) } }
    }

    fn get(&self, index: i32) -> Option<Candidate<'_>> {
        // SAFETY: the list is ours and the index below its count; the object is destroyed by `Candidate`.
        let operation = unsafe { proj::proj_list_get(self.context, self.list, index) };
        (!operation.is_null()).then_some(Candidate { of: self, operation })
    }
}

impl Drop for Candidates {
    fn drop(&mut self) {
        // SAFETY: made by us, destroyed once, the context last.
        unsafe {
            proj::proj_list_destroy(self.list);
            proj::proj_context_destroy(self.context);
        }
    }
}

struct Candidate<'a> {
    of: &'a Candidates,
    operation: *mut proj::PJ,
}

impl Candidate<'_> {
    fn name(&self) -> String {
        // SAFETY: the name belongs to the operation and is copied.
        gdal_glue::text_of(unsafe { proj::proj_get_name(self.operation) })
    }

    fn accuracy_m(&self) -> Option<f64> {
        // SAFETY: a live operation of this context; unknown is negative.
        let metres = unsafe { proj::proj_coordoperation_get_accuracy(self.of.context, self.operation) };
        (metres >= 0.0).then_some(metres)
    }

    fn missing_grids(&self) -> Vec<String> {
        let context = self.of.context;
        let mut missing = Vec::new();
        // SAFETY: all pointers are to our own variables; the names belong to the operation and are copied.
        unsafe {
            for index in 0..proj::proj_coordoperation_get_grid_used_count(context, self.operation) {
                let (mut short, mut full, mut package, mut url) =
                    (std::ptr::null(), std::ptr::null(), std::ptr::null(), std::ptr::null());
                let (mut direct, mut open, mut available) = (0, 0, 0);
                let found = proj::proj_coordoperation_get_grid_used(
                    context,
                    self.operation,
                    index,
                    &mut short,
                    &mut full,
                    &mut package,
                    &mut url,
                    &mut direct,
                    &mut open,
                    &mut available,
                );
                if found != 0 && available == 0 {
                    missing.push(gdal_glue::text_of(short));
                }
            }
        }
        missing
    }

    /// The image of a point, (east, north) or (longitude, latitude) on both sides.
    fn apply(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        // SAFETY: the normalised operation is ours and destroyed once; the coordinate is a plain value.
        unsafe {
            let usual = proj::proj_normalize_for_visualization(self.of.context, self.operation);
            if usual.is_null() {
                return None;
            }
            let image = proj::proj_trans(usual, proj::PJ_DIRECTION_PJ_FWD, proj::proj_coord(x, y, 0.0, f64::INFINITY));
            proj::proj_destroy(usual);
            let (x, y) = (image.xy.x, image.xy.y);
            (x.is_finite() && y.is_finite()).then_some((x, y))
        }
    }
}

impl Drop for Candidate<'_> {
    fn drop(&mut self) {
        // SAFETY: ours, destroyed once, before its context.
        unsafe { proj::proj_destroy(self.operation) };
    }
}
