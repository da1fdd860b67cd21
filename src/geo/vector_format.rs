//! The vector formats we write, and what each wants.

use std::path::Path;
use std::sync::{PoisonError, RwLock};

use gdal_sys::OGRwkbGeometryType as Kind;

use super::gdal_glue::FIXED_DATE;
use crate::{Error, Result};

/// What must be known of every layer this process writes.
static DESCRIPTION: RwLock<String> = RwLock::new(String::new());

/// The column of it in tables.
pub(super) const REMARK: &str = "partial";

/// Describes every vector file written from now on, since these are handed on without those beside them: GeoPackages where programs show a layer's description, others
/// in a column of its own. Nothing if empty.
pub(crate) fn describe(text: &str) {
    *DESCRIPTION.write().unwrap_or_else(PoisonError::into_inner) = text.trim().to_string();
}

fn description() -> Option<String> {
    let text = DESCRIPTION.read().unwrap_or_else(PoisonError::into_inner);
    (!text.is_empty()).then(|| text.clone())
}

/// A table of plain text with what [`describe`] says in a last column.
pub(crate) fn described(csv: String) -> String {
    let Some(text) = description() else { return csv };
    let (mut table, mut quoted, mut is_first) = (String::with_capacity(2 * csv.len()), false, true);
    for line in csv.split_inclusive('\n') {
        quoted ^= line.matches('"').count() % 2 == 1;
        let Some(row) = line.strip_suffix('\n').filter(|_| !quoted) else {
            table += line;
            continue;
        };
        table += row;
        table += &if is_first { format!(",{REMARK}\n") } else { format!(",\"{}\"\n", text.replace('"', "\"\"")) };
        is_first = false;
    }
    table
}

/// Of vector files that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// .shp
    Shapefile,
    /// .gpkg
    GeoPackage,
    /// .fgb
    FlatGeobuf,
    /// RFC 7946: longitude and latitude.
    GeoJson,
    /// GeoJSON that keeps the layer's CRS and names it in a `crs` member.
    GeoJsonInCrs,
    /// .csv, geometry as WKT.
    Csv,
}

impl Format {
    /// From a file's extension.
    pub fn from_path(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        match extension.as_str() {
            "shp" => Ok(Self::Shapefile),
            "gpkg" => Ok(Self::GeoPackage),
            "fgb" => Ok(Self::FlatGeobuf),
            "geojson" | "json" => Ok(Self::GeoJson),
            "csv" => Ok(Self::Csv),
            _ => Err(Error::usage(format!(
                "'{}': no vector format has this extension: expected .gpkg, .shp, .fgb, .geojson or .csv",
                path.display()
            ))),
        }
    }

    /// Of the file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Shapefile => "shp",
            Self::GeoPackage => "gpkg",
            Self::FlatGeobuf => "fgb",
            Self::GeoJson | Self::GeoJsonInCrs => "geojson",
            Self::Csv => "csv",
        }
    }

    /// What must be said in a column, having no other place.
    pub(super) fn remark(self) -> Option<String> {
        description().filter(|_| self != Self::GeoPackage)
    }

    pub(super) fn driver(self) -> &'static str {
        match self {
            Self::Shapefile => "ESRI Shapefile",
            Self::GeoPackage => "GPKG",
            Self::FlatGeobuf => "FlatGeobuf",
            Self::GeoJson | Self::GeoJsonInCrs => "GeoJSON",
            Self::Csv => "CSV",
        }
    }

    pub(super) fn layer_options(self, kind: GeometryKind) -> Vec<String> {
        match self {
            Self::Shapefile => vec!["ENCODING=UTF-8".into(), format!("DBF_DATE_LAST_UPDATE={FIXED_DATE}")],
            // For its index the driver keeps all features in memory, and of points there may be hundreds of millions.
            Self::FlatGeobuf if kind == GeometryKind::Point3D => vec!["SPATIAL_INDEX=NO".into()],
            Self::GeoPackage => {
                let description = description().map(|text| format!("DESCRIPTION={text}"));
                [Some("SPATIAL_INDEX=YES".into()), description].into_iter().flatten().collect()
            }
            Self::FlatGeobuf => vec!["SPATIAL_INDEX=YES".into()],
            // Written without GDAL.
            Self::GeoJson | Self::GeoJsonInCrs => vec![],
            // Quotes around every number would make text of it.
            Self::Csv => match kind {
                GeometryKind::Point => vec!["GEOMETRY=AS_XY".into(), "STRING_QUOTING=IF_NEEDED".into()],
                GeometryKind::Point3D => vec!["GEOMETRY=AS_XYZ".into(), "STRING_QUOTING=IF_NEEDED".into()],
                _ => vec!["STRING_QUOTING=IF_NEEDED".into()],
            },
        }
    }
}

/// Of all features of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeometryKind {
    /// A table without geometry.
    None,
    /// Points.
    Point,
    /// Points with heights.
    Point3D,
    /// Groups of points.
    MultiPoint,
    /// Lines.
    LineString,
    /// Lines with heights.
    LineString3D,
    /// Groups of lines.
    MultiLineString,
    /// Polygons.
    Polygon,
    /// Groups of polygons.
    MultiPolygon,
    /// Mixed kinds; not for shapefiles.
    Any,
}

impl GeometryKind {
    pub(super) fn ogr(self) -> Kind::Type {
        match self {
            Self::None => Kind::wkbNone,
            Self::Point => Kind::wkbPoint,
            Self::Point3D => Kind::wkbPoint25D,
            Self::MultiPoint => Kind::wkbMultiPoint,
            Self::LineString => Kind::wkbLineString,
            Self::LineString3D => Kind::wkbLineString25D,
            Self::MultiLineString => Kind::wkbMultiLineString,
            Self::Polygon => Kind::wkbPolygon,
            Self::MultiPolygon => Kind::wkbMultiPolygon,
            Self::Any => Kind::wkbUnknown,
        }
    }
}
