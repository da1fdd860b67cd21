//! Invalid polygons: repaired where there is only one sensible reading, otherwise explained.
//!
//! A polygon is unambiguous when two independent readings of its lines agree: the even-odd rule (a point is inside if a
//! ray from it crosses the lines an odd number of times; GEOS "linework") and the union of its rings minus its holes
//! (GEOS "structure"). A bow-tie passes, and so does a "hole" outside its shell, which is a part drawn the wrong way round;
//! a ring that overlaps itself or a hole that crosses its shell does not.

use gdal::cpl::CslStringList;
use gdal_sys::OGRwkbGeometryType as Kind;

use super::gdal_glue;
use super::ogr_geometry::Ogr;

/// The largest share of the area on which two readings may differ.
const NEGLIGIBLE: f64 = 1e-6;

#[derive(Debug)]
pub(crate) enum Checked {
    Valid(Ogr),
    /// The repaired polygon and what was wrong with it.
    Repaired(Ogr, String),
    /// What is wrong, and where.
    Ambiguous(String),
}

/// Checks a polygon or multi-polygon; other kinds pass.
pub(crate) fn check(geometry: Ogr) -> Checked {
    if !matches!(geometry.kind(), Kind::wkbPolygon | Kind::wkbMultiPolygon) {
        return Checked::Valid(geometry);
    }
    // SAFETY: a plain operation on a polygon we own.
    unsafe { gdal_sys::OGR_G_CloseRings(geometry.handle()) };
    gdal_glue::clear_messages();
    if geometry.is_valid() {
        return if geometry.area() > 0.0 {
            Checked::Valid(geometry)
        } else {
            Checked::Ambiguous("it has no area".into())
        };
    }
    let fault = gdal_glue::take_messages().into_iter().next().map(|m| m.text).unwrap_or("it is invalid".into());
    let reading = if geometry.kind() == Kind::wkbMultiPolygon && parts_are_valid(&geometry) {
        // Parts that overlap or share edges: together they cover their union.
        // SAFETY: the geometry is alive; GDAL returns a new one, or null.
        Ogr::own(unsafe { gdal_sys::OGR_G_UnionCascaded(geometry.handle()) }).and_then(polygons_only)
    } else {
        agreed_reading(&geometry)
    };
    gdal_glue::clear_messages();
    match reading {
        Some(repaired) if repaired.area() > 0.0 && repaired.is_valid() => Checked::Repaired(repaired, fault),
        _ => Checked::Ambiguous(fault),
    }
}

fn parts_are_valid(multi: &Ogr) -> bool {
    // SAFETY: the parts belong to `multi`, which outlives the loop.
    unsafe {
        (0..gdal_sys::OGR_G_GetGeometryCount(multi.handle()))
            .all(|k| gdal_sys::OGR_G_IsValid(gdal_sys::OGR_G_GetGeometryRef(multi.handle(), k)) != 0)
    }
}

fn agreed_reading(geometry: &Ogr) -> Option<Ogr> {
    let even_odd = make_valid(geometry, "LINEWORK")?;
    let structure = make_valid(geometry, "STRUCTURE")?;
    // SAFETY: both geometries live until the call returns, and the result is ours.
    let difference = Ogr::own(unsafe { gdal_sys::OGR_G_SymDifference(even_odd.handle(), structure.handle()) })?;
    (difference.area() <= NEGLIGIBLE * even_odd.area()).then_some(even_odd)
}

fn make_valid(geometry: &Ogr, method: &str) -> Option<Ogr> {
    let mut options = CslStringList::new();
    options.set_name_value("METHOD", method).ok()?;
    // SAFETY: the options live until the call returns, and the result is ours.
    let valid = unsafe { gdal_sys::OGR_G_MakeValidEx(geometry.handle(), options.as_ptr()) };
    polygons_only(Ogr::own(valid)?)
}

/// Drops the lines and points a repair may split off (spikes, repeated edges).
fn polygons_only(geometry: Ogr) -> Option<Ogr> {
    match geometry.kind() {
        Kind::wkbPolygon | Kind::wkbMultiPolygon => Some(geometry),
        Kind::wkbGeometryCollection => {
            let multi = Ogr::empty(Kind::wkbMultiPolygon);
            // SAFETY: members belong to `geometry`; OGR copies what is added.
            unsafe {
                for k in 0..gdal_sys::OGR_G_GetGeometryCount(geometry.handle()) {
                    let member = gdal_sys::OGR_G_GetGeometryRef(geometry.handle(), k);
                    match gdal_sys::OGR_GT_Flatten(gdal_sys::OGR_G_GetGeometryType(member)) {
                        Kind::wkbPolygon => {
                            gdal_sys::OGR_G_AddGeometry(multi.handle(), member);
                        }
                        Kind::wkbMultiPolygon => {
                            for j in 0..gdal_sys::OGR_G_GetGeometryCount(member) {
                                gdal_sys::OGR_G_AddGeometry(multi.handle(), gdal_sys::OGR_G_GetGeometryRef(member, j));
                            }
                        }
                        _ => {}
                    }
                }
            }
            (!multi.is_empty()).then_some(multi)
        }
        _ => None,
    }
}
