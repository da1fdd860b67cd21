//! Sources of geodata: vector layers, and numbers that vary over the site.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_usize;

/// A vector layer: give either `file` or `geojson`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VectorSource {
    /// File, relative to this project file, e.g. `release.shp`; `site.gpkg|layername=release` picks a layer.
    #[serde(default)]
    pub file: Option<String>,
    /// A GeoJSON geometry, feature or feature collection written here.
    #[serde(default)]
    pub geojson: Option<serde_json::Value>,
    /// CRS, if the layer does not say (inline GeoJSON: default is the project CRS).
    #[serde(default)]
    pub crs: Option<String>,
    /// Attribute filter, an OGR SQL where clause, e.g. `block > 2 AND name = 'cliff'`.
    #[serde(default)]
    pub filter: Option<String>,
}

/// A number for everywhere, a raster, or an attribute of polygons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Parameter {
    /// One number for the whole site.
    Constant(f64),
    /// From a raster.
    Raster(RasterParameter),
    /// From polygons.
    Polygons(PolygonParameter),
}

/// A number per cell. Rasters on another grid or in another CRS are interpolated bilinearly at the DEM's cell centres;
/// nodata leaves the weaker source in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RasterParameter {
    /// Raster file, relative to this project file.
    pub raster: String,
    /// Band of the raster, counted from 1.
    #[serde(default = "one_usize")]
    pub band: usize,
    /// CRS of the raster if the file does not say.
    #[serde(default)]
    pub crs: Option<String>,
}

/// A number per polygon: a cell takes the value of the polygon its centre lies in, a later polygon wins; outside all
/// polygons the weaker source stays in force.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolygonParameter {
    /// The polygon layer.
    pub polygons: VectorSource,
    /// Attribute that holds the number.
    pub attribute: String,
}
