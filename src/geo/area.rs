//! Areas of interest: a polygon layer, an extent, or the extent of another raster; with a buffer in metres.

use std::path::Path;

use ::geo::{
    Area as _, BoundingRect, ConvexHull, CoordsIter, Geometry, MultiPoint, MultiPolygon, Point, Polygon, Rect,
};
use gdal::{Dataset, DatasetOptions, GdalOpenFlags};

use super::ogr_geometry::Ogr;
use super::vector::{self, VectorSourceResolved};
use super::{Bounds, Crs, Transformer, area_of_use, crs, gdal_glue, raster, xml_vector};
use crate::{Error, Note, Result};

/// What the user named as the area.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum AreaSource {
    Extent { bounds: Bounds, crs: Option<String> },
    File(String),
}

impl AreaSource {
    /// `xmin,ymin,xmax,ymax[,CRS]`, or a file (raster or vector, `file.gpkg|layername=x`).
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let numbers: Vec<f64> = parts.iter().take(4).map_while(|p| p.parse().ok()).collect();
        if numbers.len() < 4 || !(4..=5).contains(&parts.len()) {
            let looks_numeric = parts.len() >= 3 && numbers.len() >= 2;
            if looks_numeric && !Path::new(text).exists() {
                return Err(Error::usage(format!(
                    "'{text}' is not an extent: expected xmin,ymin,xmax,ymax or xmin,ymin,xmax,ymax,EPSG:…"
                )));
            }
            return Ok(Self::File(text.to_owned()));
        }
        let [west, south, east, north] = [numbers[0], numbers[1], numbers[2], numbers[3]];
        if !(west < east && south < north && numbers.iter().all(|v| v.is_finite())) {
            return Err(Error::usage(format!(
                "the extent '{text}' is empty: expected xmin,ymin,xmax,ymax with xmin < xmax and ymin < ymax"
            )));
        }
        Ok(Self::Extent { bounds: Bounds::new(west, south, east, north), crs: parts.get(4).map(|c| (*c).to_owned()) })
    }
}

/// An area with its CRS.
#[derive(Debug, Clone)]
pub(crate) struct Area {
    pub shape: MultiPolygon<f64>,
    pub crs: Crs,
    /// An extent: only the rectangle around the shape counts.
    pub rectangular: bool,
    pub warnings: Vec<Note>,
}

/// Is the file a raster or a vector layer? GeoPackages may hold both; vectors come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Raster,
    Vector,
}

/// Looks whether GDAL opens the file as vector or raster; neither is an error.
pub(crate) fn kind_of(source: &str) -> Result<Kind> {
    let path = Path::new(source.split('|').next().unwrap_or(source));
    gdal_glue::init();
    gdal_glue::check_readable(path, "file")?;
    let opens = |flags| {
        let options = DatasetOptions { open_flags: flags | GdalOpenFlags::GDAL_OF_READONLY, ..Default::default() };
        Dataset::open_ex(path, options).is_ok()
    };
    let vector = opens(GdalOpenFlags::GDAL_OF_VECTOR) || xml_vector::kind_of(path).is_some();
    gdal_glue::clear_messages();
    if vector {
        return Ok(Kind::Vector);
    }
    raster::open(path).map(|_| Kind::Raster).map_err(|e| {
        let shown = path.display();
        let message = e.message.replace("not a raster in a format", "neither a raster nor a vector layer in a format");
        Error {
            message: if message.contains(&shown.to_string()) { message } else { format!("'{shown}': {message}") },
            ..e
        }
    })
}

impl Area {
    /// Reads the area. An extent without a CRS is in `default_crs`.
    pub(crate) fn read(source: &AreaSource, default_crs: &Crs) -> Result<Self> {
        match source {
            AreaSource::Extent { bounds, crs } => {
                let crs = crs.as_deref().map(Crs::from_user).transpose()?.unwrap_or_else(|| default_crs.clone());
                let warnings = area_of_use::check(&crs, bounds, "the extent")?.into_iter().collect();
                Ok(Self { warnings, ..Self::rectangle(bounds, crs) })
            }
            AreaSource::File(text) => match kind_of(text)? {
                Kind::Raster => {
                    let info = raster::info(Path::new(text))?;
                    match (info.extent, info.crs) {
                        (Some(extent), Some(crs)) => {
                            let what = format!("raster '{text}'");
                            let warnings = area_of_use::check(&crs, &extent, &what)?.into_iter().collect();
                            Ok(Self { warnings, ..Self::rectangle(&extent, crs) })
                        }
                        _ => Err(Error::input(format!("the area '{text}' is a raster without place or CRS"))),
                    }
                }
                Kind::Vector => Self::from_layer(text),
            },
        }
    }

    fn rectangle(bounds: &Bounds, crs: Crs) -> Self {
        let rectangle = Rect::new((bounds.west, bounds.south), (bounds.east, bounds.north));
        Self { shape: MultiPolygon(vec![rectangle.to_polygon()]), crs, rectangular: true, warnings: Vec::new() }
    }

    fn from_layer(text: &str) -> Result<Self> {
        let layer = vector::read(&VectorSourceResolved::file(text)?, None)?;
        let mut polygons = Vec::new();
        let mut points = Vec::new();
        for feature in &layer.features {
            points.extend(feature.geometry.coords_iter().map(Point::from));
            match &feature.geometry {
                Geometry::Polygon(p) => polygons.push(p.clone()),
                Geometry::MultiPolygon(m) => polygons.extend(m.0.iter().cloned()),
                _ => {}
            }
        }
        if polygons.is_empty() {
            // Points or lines: the area they span, or, if that is none, the rectangle around them.
            let hull = MultiPoint(points).convex_hull();
            if hull.unsigned_area() == 0.0 {
                let bounds = layer.bounds().ok_or_else(|| Error::input(format!("the area '{text}' is empty")))?;
                return Ok(Self { warnings: layer.warnings, ..Self::rectangle(&bounds, layer.crs) });
            }
            polygons.push(hull);
        }
        let shape = dissolved(MultiPolygon(polygons));
        Ok(Self { shape, crs: layer.crs, rectangular: false, warnings: layer.warnings })
    }

    /// The area in another CRS; edges are densified first, because straight lines bend.
    pub(crate) fn to_crs(&self, target: &Crs) -> Result<Self> {
        let transformer = Transformer::new(&self.crs, target)?;
        if transformer.is_identity() {
            return Ok(self.clone());
        }
        let bounds = self.bounds()?;
        let dense = Ogr::from_geo(&Geometry::MultiPolygon(self.shape.clone()));
        let longest = 0.02 * bounds.width().max(bounds.height());
        if longest > 0.0 {
            // SAFETY: a valid geometry handle, changed in place.
            unsafe { gdal_sys::OGR_G_Segmentize(dense.handle(), longest) };
        }
        let dense = dense.to_geo(&mut Vec::new()).unwrap_or(Geometry::MultiPolygon(self.shape.clone()));
        let moved = transformer.geometry(&dense).map_err(|e| Error { message: format!("the area: {e}"), ..e })?;
        Ok(Self { shape: polygons_of(moved), crs: target.clone(), ..self.clone() })
    }

    /// Grown by a distance in metres on the ground, in whatever CRS the area is; overlapping parts become one.
    pub(crate) fn buffered(&self, distance_m: f64) -> Result<Self> {
        if distance_m == 0.0 {
            return Ok(self.clone());
        }
        if !self.crs.is_metric() {
            let (x, y) = self.bounds()?.centre();
            let metric = Crs::from_epsg(crs::utm_epsg_at(&self.crs, x, y)?)?;
            // Grown as a polygon: the rectangle around a turned rectangle would grow it twice.
            let turned = Self { rectangular: false, ..self.to_crs(&metric)? };
            let grown = turned.buffered(distance_m)?.to_crs(&self.crs)?;
            return if self.rectangular { Ok(Self::rectangle(&grown.bounds()?, self.crs.clone())) } else { Ok(grown) };
        }
        if self.rectangular {
            return Ok(Self::rectangle(&self.bounds()?.grown_by(distance_m), self.crs.clone()));
        }
        const SEGMENTS_A_QUARTER: i32 = 16;
        let shape = Ogr::from_geo(&Geometry::MultiPolygon(self.shape.clone()));
        gdal_glue::clear_messages();
        // SAFETY: a valid geometry handle; the result is owned by `grown`.
        let grown = Ogr::own(unsafe { gdal_sys::OGR_G_Buffer(shape.handle(), distance_m, SEGMENTS_A_QUARTER) });
        let grown = grown.and_then(|g| g.to_geo(&mut Vec::new())).map(polygons_of).filter(|m| !m.0.is_empty());
        match grown {
            Some(shape) => Ok(Self { shape, ..self.clone() }),
            None => Err(Error::input(format!(
                "nothing of the area remains with a buffer of {distance_m} m{}: use a larger one",
                gdal_glue::because()
            ))),
        }
    }

    pub(crate) fn bounds(&self) -> Result<Bounds> {
        let rectangle = self.shape.bounding_rect().ok_or_else(|| Error::input("the area is empty"))?;
        Ok(Bounds::new(rectangle.min().x, rectangle.min().y, rectangle.max().x, rectangle.max().y))
    }

    /// As WKT, for GDAL's own clipping.
    pub(crate) fn wkt(&self) -> Result<String> {
        let shape = Ogr::from_geo(&Geometry::MultiPolygon(self.shape.clone()));
        let mut pointer = std::ptr::null_mut();
        // SAFETY: GDAL allocates the text; we copy and free it.
        let text = unsafe {
            gdal_sys::OGR_G_ExportToWkt(shape.handle(), &mut pointer);
            let text = gdal_glue::text_of(pointer);
            gdal_sys::VSIFree(pointer.cast());
            text
        };
        if text.is_empty() { Err(Error::failed("the area cannot be written as WKT")) } else { Ok(text) }
    }

    /// What of a rectangle (a little enlarged) lies outside the area.
    pub(crate) fn outside(&self, rectangle: &Bounds) -> Geometry<f64> {
        let frame = rectangle.grown_by(0.01 * rectangle.width().max(rectangle.height()));
        let frame = Ogr::from_geo(&Geometry::MultiPolygon(Self::rectangle(&frame, self.crs.clone()).shape));
        let shape = Ogr::from_geo(&Geometry::MultiPolygon(self.shape.clone()));
        // SAFETY: valid handles; the result is owned.
        let rest = Ogr::own(unsafe { gdal_sys::OGR_G_Difference(frame.handle(), shape.handle()) });
        gdal_glue::clear_messages();
        let rest = rest.and_then(|g| g.to_geo(&mut Vec::new())).map(polygons_of);
        Geometry::MultiPolygon(rest.unwrap_or(MultiPolygon(Vec::new())))
    }

    /// The part of a geometry inside, of the same kind (points, lines, polygons); `None` if nothing is left.
    pub(crate) fn clip(&self, geometry: &Geometry<f64>) -> Option<Geometry<f64>> {
        let cutter = Ogr::from_geo(&Geometry::MultiPolygon(self.shape.clone()));
        let subject = Ogr::from_geo(geometry);
        // SAFETY: valid handles; the results are owned.
        let (within, common) = unsafe {
            let within = gdal_sys::OGR_G_Within(subject.handle(), cutter.handle()) != 0;
            let common =
                if within { None } else { Ogr::own(gdal_sys::OGR_G_Intersection(subject.handle(), cutter.handle())) };
            (within, common)
        };
        gdal_glue::clear_messages();
        if within {
            return Some(geometry.clone());
        }
        let common = common.filter(|g| !g.is_empty())?.to_geo(&mut Vec::new())?;
        same_kind(common, dimension(geometry))
    }
}

/// Overlapping polygons become one, so that the whole is a valid shape.
fn dissolved(shape: MultiPolygon<f64>) -> MultiPolygon<f64> {
    let whole = Ogr::from_geo(&Geometry::MultiPolygon(shape.clone()));
    // SAFETY: a valid handle; the result is owned.
    let joined = Ogr::own(unsafe { gdal_sys::OGR_G_UnionCascaded(whole.handle()) });
    gdal_glue::clear_messages();
    joined.and_then(|g| g.to_geo(&mut Vec::new())).map(polygons_of).filter(|m| !m.0.is_empty()).unwrap_or(shape)
}

fn polygons_of(geometry: Geometry<f64>) -> MultiPolygon<f64> {
    match geometry {
        Geometry::Polygon(p) => MultiPolygon(vec![p]),
        Geometry::MultiPolygon(m) => m,
        Geometry::GeometryCollection(c) => MultiPolygon(c.0.into_iter().flat_map(|g| polygons_of(g).0).collect()),
        _ => MultiPolygon(Vec::<Polygon<f64>>::new()),
    }
}

fn dimension(geometry: &Geometry<f64>) -> u8 {
    match geometry {
        Geometry::Point(_) | Geometry::MultiPoint(_) => 0,
        Geometry::Line(_) | Geometry::LineString(_) | Geometry::MultiLineString(_) => 1,
        Geometry::GeometryCollection(c) => c.0.iter().map(dimension).max().unwrap_or(0),
        _ => 2,
    }
}

/// Drops what cutting left of lower dimension (a polygon that only touches the edge).
fn same_kind(geometry: Geometry<f64>, wanted: u8) -> Option<Geometry<f64>> {
    if geometry.coords_count() == 0 {
        return None;
    }
    match geometry {
        Geometry::GeometryCollection(c) => {
            let parts: Vec<_> = c.0.into_iter().filter_map(|g| same_kind(g, wanted)).collect();
            match wanted {
                2 => {
                    let all: Vec<_> = parts.into_iter().flat_map(|g| polygons_of(g).0).collect();
                    (!all.is_empty()).then_some(Geometry::MultiPolygon(MultiPolygon(all)))
                }
                _ => parts.into_iter().next(),
            }
        }
        other => (dimension(&other) == wanted).then_some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_is_four_numbers_and_perhaps_a_crs() {
        let parsed = AreaSource::parse("7.1, 46,7.2,46.5,EPSG:4326").unwrap();
        let bounds = Bounds::new(7.1, 46.0, 7.2, 46.5);
        assert_eq!(parsed, AreaSource::Extent { bounds, crs: Some("EPSG:4326".into()) });
        assert_eq!(AreaSource::parse("my area.geojson").unwrap(), AreaSource::File("my area.geojson".into()));
        assert!(AreaSource::parse("7.2,46,7.1,46.5").unwrap_err().message.contains("xmin < xmax"));
        assert!(AreaSource::parse("7.2,46,7.1").unwrap_err().message.contains("expected xmin"));
    }

    #[test]
    fn a_buffer_is_in_metres_also_around_degrees() {
        let source = AreaSource::parse("8,47,8.01,47.01,EPSG:4326").unwrap();
        let metric = Crs::from_epsg(2056).unwrap();
        let area = Area::read(&source, &metric).unwrap();
        let plain = area.to_crs(&metric).unwrap().bounds().unwrap();
        let grown = area.buffered(100.0).unwrap().to_crs(&metric).unwrap().bounds().unwrap();
        // UTM and LV95 differ in scale by less than 0.1 %, and in north by about a degree.
        assert!((grown.width() - plain.width() - 200.0).abs() < 3.0, "{}", grown.width() - plain.width());
    }
}
