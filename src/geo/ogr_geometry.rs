//! Geometries between OGR's handles and the `geo` crate's plain values.

use ::geo::{
    Coord, Geometry, GeometryCollection, LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon,
};
use gdal_sys::{OGRGeometryH, OGRwkbGeometryType as Kind};

/// An OGR geometry we own.
#[derive(Debug)]
pub(crate) struct Ogr(OGRGeometryH);

impl Drop for Ogr {
    fn drop(&mut self) {
        // SAFETY: we own the handle and drop it once.
        unsafe { gdal_sys::OGR_G_DestroyGeometry(self.0) }
    }
}

impl Ogr {
    /// Takes over a handle GDAL gave away; `None` if it is null.
    pub(crate) fn own(handle: OGRGeometryH) -> Option<Self> {
        (!handle.is_null()).then_some(Self(handle))
    }

    pub(crate) fn handle(&self) -> OGRGeometryH {
        self.0
    }

    /// Gives the handle away, e.g. into a collection or a feature.
    pub(crate) fn release(self) -> OGRGeometryH {
        let handle = self.0;
        std::mem::forget(self);
        handle
    }

    pub(crate) fn empty(kind: Kind::Type) -> Self {
        // SAFETY: every kind we pass exists, so the handle is never null.
        Self(unsafe { gdal_sys::OGR_G_CreateGeometry(kind) })
    }

    /// A copy of a geometry that belongs to somebody else, with curves turned into short straight lines.
    pub(crate) fn linear_copy(handle: OGRGeometryH) -> Option<Self> {
        // SAFETY: GDAL returns a new geometry; 0 asks for its default step of 4 degrees.
        Self::own(unsafe { gdal_sys::OGR_G_GetLinearGeometry(handle, 0.0, std::ptr::null_mut()) })
    }

    pub(crate) fn area(&self) -> f64 {
        // SAFETY: the geometry is ours and alive.
        unsafe { gdal_sys::OGR_G_Area(self.0) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        // SAFETY: the geometry is ours and alive.
        unsafe { gdal_sys::OGR_G_IsEmpty(self.0) != 0 }
    }

    pub(crate) fn is_valid(&self) -> bool {
        // SAFETY: the geometry is ours and alive.
        unsafe { gdal_sys::OGR_G_IsValid(self.0) != 0 }
    }

    pub(crate) fn is_3d(&self) -> bool {
        // SAFETY: the geometry is ours and alive.
        unsafe { gdal_sys::OGR_G_Is3D(self.0) != 0 }
    }

    /// The kind without Z and M.
    pub(crate) fn kind(&self) -> Kind::Type {
        flat_kind(self.0)
    }

    /// As plain values; heights of all vertices in their order go to `z`. `None` for kinds that have no plain form.
    pub(crate) fn to_geo(&self, z: &mut Vec<f64>) -> Option<Geometry<f64>> {
        to_geo(self.0, z)
    }

    /// The number of parts (lines, rings) and of vertices.
    pub(crate) fn size(&self) -> (u64, u64) {
        size(self.0)
    }

    /// From plain values, two-dimensional.
    pub(crate) fn from_geo(geometry: &Geometry<f64>) -> Self {
        match geometry {
            Geometry::Point(p) => point(&[p.x(), p.y()]),
            Geometry::Line(l) => line(Kind::wkbLineString, &[l.start, l.end]),
            Geometry::LineString(l) => line(Kind::wkbLineString, &l.0),
            Geometry::Polygon(p) => polygon(p),
            Geometry::Rect(r) => polygon(&r.to_polygon()),
            Geometry::Triangle(t) => polygon(&t.to_polygon()),
            Geometry::MultiPoint(m) => collection(Kind::wkbMultiPoint, m.0.iter().map(|p| point(&[p.x(), p.y()]))),
            Geometry::MultiLineString(m) => {
                collection(Kind::wkbMultiLineString, m.0.iter().map(|l| line(Kind::wkbLineString, &l.0)))
            }
            Geometry::MultiPolygon(m) => collection(Kind::wkbMultiPolygon, m.0.iter().map(polygon)),
            Geometry::GeometryCollection(c) => collection(Kind::wkbGeometryCollection, c.0.iter().map(Self::from_geo)),
        }
    }
}

pub(crate) fn point(xyz: &[f64]) -> Ogr {
    let ogr = Ogr::empty(if xyz.len() > 2 { Kind::wkbPoint25D } else { Kind::wkbPoint });
    // SAFETY: the handle is a point.
    unsafe {
        match *xyz {
            [x, y, z, ..] => gdal_sys::OGR_G_SetPoint(ogr.0, 0, x, y, z),
            [x, y] => gdal_sys::OGR_G_SetPoint_2D(ogr.0, 0, x, y),
            _ => {}
        }
    }
    ogr
}

/// A point, line or ring through positions of two or more numbers; the third is the height, 0 where only others have one.
pub(crate) fn path<'a>(kind: Kind::Type, positions: impl Iterator<Item = &'a [f64]>) -> Ogr {
    let ogr = Ogr::empty(kind);
    for position in positions {
        // SAFETY: the handle is a point, line or ring.
        unsafe {
            match *position {
                [x, y, z, ..] => gdal_sys::OGR_G_AddPoint(ogr.0, x, y, z),
                [x, y] => gdal_sys::OGR_G_AddPoint_2D(ogr.0, x, y),
                _ => {}
            }
        }
    }
    ogr
}

pub(crate) fn line_3d(points: &[[f64; 3]]) -> Ogr {
    let ogr = Ogr::empty(Kind::wkbLineString25D);
    let stride = size_of::<[f64; 3]>() as i32;
    let base = points.as_ptr().cast::<f64>();
    // SAFETY: three interleaved columns of `points.len()` numbers, read only.
    unsafe {
        let column = |k: usize| base.wrapping_add(k).cast_mut().cast();
        gdal_sys::OGR_G_SetPoints(ogr.0, points.len() as i32, column(0), stride, column(1), stride, column(2), stride);
    }
    ogr
}

fn line(kind: Kind::Type, points: &[Coord<f64>]) -> Ogr {
    let ogr = Ogr::empty(kind);
    let [xs, ys]: [Vec<f64>; 2] = [points.iter().map(|p| p.x).collect(), points.iter().map(|p| p.y).collect()];
    let stride = size_of::<f64>() as i32;
    let (count, none) = (points.len() as i32, std::ptr::null());
    // SAFETY: the handle is a line or ring; two columns of `count` numbers, read only.
    unsafe {
        gdal_sys::OGR_G_SetPoints(ogr.0, count, xs.as_ptr().cast(), stride, ys.as_ptr().cast(), stride, none, 0);
    }
    ogr
}

fn polygon(polygon: &Polygon<f64>) -> Ogr {
    let rings = std::iter::once(polygon.exterior()).chain(polygon.interiors());
    collection(Kind::wkbPolygon, rings.filter(|r| !r.0.is_empty()).map(|r| line(Kind::wkbLinearRing, &r.0)))
}

pub(crate) fn collection(kind: Kind::Type, parts: impl Iterator<Item = Ogr>) -> Ogr {
    let ogr = Ogr::empty(kind);
    for part in parts {
        // SAFETY: the part is handed over; OGR owns it from here on.
        unsafe { gdal_sys::OGR_G_AddGeometryDirectly(ogr.0, part.release()) };
    }
    ogr
}

fn flat_kind(handle: OGRGeometryH) -> Kind::Type {
    // SAFETY: plain queries.
    unsafe { gdal_sys::OGR_GT_Flatten(gdal_sys::OGR_G_GetGeometryType(handle)) }
}

fn parts(handle: OGRGeometryH) -> impl Iterator<Item = OGRGeometryH> {
    // SAFETY: the parts belong to the geometry, which outlives the iteration (callers hold it).
    let count = unsafe { gdal_sys::OGR_G_GetGeometryCount(handle) };
    // SAFETY: as above, and k counts its parts.
    (0..count).map(move |k| unsafe { gdal_sys::OGR_G_GetGeometryRef(handle, k) })
}

fn size(handle: OGRGeometryH) -> (u64, u64) {
    // SAFETY: callers hold the geometry.
    let own = unsafe { gdal_sys::OGR_G_GetPointCount(handle) }.max(0) as u64;
    parts(handle).map(size).fold((1, own), |(a, b), (c, d)| (a + c, b + d))
}

fn coordinates(handle: OGRGeometryH, z: &mut Vec<f64>) -> Vec<Coord<f64>> {
    // SAFETY: callers hold the geometry.
    let count = unsafe { gdal_sys::OGR_G_GetPointCount(handle) }.max(0) as usize;
    let (mut xs, mut ys, mut zs) = (vec![0.0f64; count], vec![0.0f64; count], vec![0.0f64; count]);
    let stride = size_of::<f64>() as i32;
    // SAFETY: the three buffers hold exactly the number of points OGR reported.
    unsafe {
        let (x, y, z) = (xs.as_mut_ptr().cast(), ys.as_mut_ptr().cast(), zs.as_mut_ptr().cast());
        gdal_sys::OGR_G_GetPoints(handle, x, stride, y, stride, z, stride);
    }
    z.extend(zs);
    xs.into_iter().zip(ys).map(|(x, y)| Coord { x, y }).collect()
}

fn to_geo(handle: OGRGeometryH, z: &mut Vec<f64>) -> Option<Geometry<f64>> {
    Some(match flat_kind(handle) {
        Kind::wkbPoint => Geometry::Point(Point(*coordinates(handle, z).first()?)),
        Kind::wkbLineString | Kind::wkbLinearRing => Geometry::LineString(LineString(coordinates(handle, z))),
        Kind::wkbPolygon | Kind::wkbTriangle => Geometry::Polygon(polygon_to_geo(handle, z)?),
        Kind::wkbMultiPoint => {
            let points = parts(handle).filter_map(|p| coordinates(p, z).first().copied().map(Point)).collect();
            Geometry::MultiPoint(MultiPoint(points))
        }
        Kind::wkbMultiLineString => {
            Geometry::MultiLineString(MultiLineString(parts(handle).map(|p| LineString(coordinates(p, z))).collect()))
        }
        // Surfaces of flat patches: the patches are what lies on the map.
        Kind::wkbMultiPolygon | Kind::wkbPolyhedralSurface | Kind::wkbTIN => {
            Geometry::MultiPolygon(MultiPolygon(parts(handle).filter_map(|p| polygon_to_geo(p, z)).collect()))
        }
        Kind::wkbGeometryCollection => {
            let members = parts(handle).map(|p| to_geo(p, z)).collect::<Option<Vec<_>>>()?;
            Geometry::GeometryCollection(GeometryCollection(members))
        }
        _ => return None,
    })
}

fn polygon_to_geo(handle: OGRGeometryH, z: &mut Vec<f64>) -> Option<Polygon<f64>> {
    let mut rings = parts(handle).map(|ring| LineString(coordinates(ring, z)));
    let exterior = rings.next()?;
    Some(Polygon::new(exterior, rings.collect()))
}
