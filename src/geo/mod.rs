//! Reading, reprojecting, clipping and writing geodata: the only module that knows GDAL and PROJ.
//!
//! Rasters come in as [`raster::Raster`] (values at cell centres, row 0 in the south, NaN for nodata), vectors as
//! [`vector::VectorLayer`]; coordinates are always x = east or longitude, y = north or latitude. Files are written
//! through [`atomic`], so that a half file never looks whole.

pub(crate) mod area;
pub(crate) mod area_of_use;
pub(crate) mod clip;
pub(crate) mod clip_vector;
pub mod crs;
pub(crate) mod datum_shift;
pub(crate) mod dem;
pub mod file_list;
pub(crate) mod gaps;
pub mod gdal_glue;
pub(crate) mod holes;
pub(crate) mod jumps;
pub(crate) mod local_gaps;
pub mod lockdown;
pub(crate) mod mosaic;
pub(crate) mod native;
pub(crate) mod point_cloud;
pub mod polygonize;
pub(crate) mod qml;
pub mod raster;
pub(crate) mod raster_parts;
pub(crate) mod rasterize;
pub(crate) mod remote;
pub(crate) mod seams;
pub mod sparse_raster;
pub(crate) mod tiles;
pub(crate) mod translate;
pub mod vector;
pub(crate) mod warp;
pub mod write_raster;
pub mod write_vector;

mod ascii_grid;
mod bands;
mod endless;
mod field_names;
mod geojson_layer;
mod geojson_read;
mod geojson_write;
mod georeference;
mod gpx;
mod kml;
mod move_vector;
mod ogr_geometry;
mod query_limit;
mod raster_cells;
mod repair;
mod text_numbers;
mod transform;
mod units;
mod unknown_format;
mod unwritten;
mod vector_features;
mod vector_format;
mod vector_open;
mod vector_source;
mod vrt_numbers;
mod xml_vector;

use crate::files::atomic;
pub use crs::Crs;
pub use transform::Transformer;

/// An axis-parallel rectangle.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Bounds {
    /// Smallest x.
    pub west: f64,
    /// Smallest y.
    pub south: f64,
    /// Largest x.
    pub east: f64,
    /// Largest y.
    pub north: f64,
}

impl Bounds {
    /// From its edges.
    pub fn new(west: f64, south: f64, east: f64, north: f64) -> Self {
        Self { west, south, east, north }
    }

    pub(crate) fn intersects(&self, other: &Bounds) -> bool {
        self.west <= other.east && other.west <= self.east && self.south <= other.north && other.south <= self.north
    }

    pub(crate) fn contains(&self, x: f64, y: f64) -> bool {
        x >= self.west && x <= self.east && y >= self.south && y <= self.north
    }

    pub(crate) fn union(&self, other: &Bounds) -> Bounds {
        Bounds {
            west: self.west.min(other.west),
            south: self.south.min(other.south),
            east: self.east.max(other.east),
            north: self.north.max(other.north),
        }
    }

    pub(crate) fn grown_by(&self, distance: f64) -> Bounds {
        Bounds::new(self.west - distance, self.south - distance, self.east + distance, self.north + distance)
    }

    pub(crate) fn centre(&self) -> (f64, f64) {
        (0.5 * (self.west + self.east), 0.5 * (self.south + self.north))
    }

    /// East to west.
    pub fn width(&self) -> f64 {
        self.east - self.west
    }

    /// North to south.
    pub fn height(&self) -> f64 {
        self.north - self.south
    }
}

impl From<(f64, f64, f64, f64)> for Bounds {
    fn from((west, south, east, north): (f64, f64, f64, f64)) -> Self {
        Self { west, south, east, north }
    }
}
