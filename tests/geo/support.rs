//! Files for the tests, written with GDAL itself so that reader and writer do not check each other only.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use couloir::geo::Crs;
use couloir::geo::vector::{self, VectorLayer, VectorSourceResolved};
use gdal::raster::{Buffer, GdalType};
use gdal::spatial_ref::SpatialRef;
use gdal::{Dataset, DriverManager};

/// Held by tests that start processes, and by those a child's copy of GDAL's open files would disturb.
pub static NO_CHILDREN: Mutex<()> = Mutex::new(());

/// A plane whose height at any point is known.
pub fn plane(x: f64, y: f64) -> f64 {
    500.0 + 0.25 * (x - 2_600_000.0) - 0.5 * (y - 1_200_000.0)
}

/// A CRS in metres whose area of use nobody knows: for coordinates that are made up.
pub const ANYWHERE: &str = "+proj=tmerc +lat_0=46 +lon_0=8 +ellps=GRS80 +units=m";

pub struct Tiff<'a> {
    pub transform: [f64; 6],
    pub size: (usize, usize),
    pub crs: Option<&'a str>,
    pub nodata: Option<f64>,
}

impl Default for Tiff<'_> {
    fn default() -> Self {
        let transform = [2_600_000.0, 2.0, 0.0, 1_200_060.0, 0.0, -2.0];
        Self { transform, size: (40, 30), crs: Some("EPSG:2056"), nodata: None }
    }
}

impl Tiff<'_> {
    /// Writes a GeoTIFF; `value` is given the coordinates of each cell's centre. `more` may add to the dataset.
    pub fn write<T: GdalType + Copy>(&self, path: &Path, value: impl Fn(f64, f64) -> T, more: impl Fn(&mut Dataset)) {
        couloir::geo::gdal_glue::init();
        let (nx, ny) = self.size;
        let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
        let mut dataset = driver.create_with_band_type::<T, _>(path, nx, ny, 1).unwrap();
        dataset.set_geo_transform(&self.transform).unwrap();
        if let Some(crs) = self.crs {
            dataset.set_spatial_ref(&SpatialRef::from_definition(crs).unwrap()).unwrap();
        }
        let g = self.transform;
        let values: Vec<T> = (0..nx * ny)
            .map(|k| ((k % nx) as f64 + 0.5, (k / nx) as f64 + 0.5))
            .map(|(c, r)| value(g[0] + g[1] * c + g[2] * r, g[3] + g[4] * c + g[5] * r))
            .collect();
        {
            let mut band = dataset.rasterband(1).unwrap();
            if let Some(nodata) = self.nodata {
                band.set_no_data_value(Some(nodata)).unwrap();
            }
            band.write((0, 0), (nx, ny), &mut Buffer::new((nx, ny), values)).unwrap();
        }
        more(&mut dataset);
        dataset.close().unwrap();
    }

    pub fn write_plane(&self, path: &Path) {
        self.write::<f64>(path, plane, |_| {});
    }
}

pub fn text_file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

pub fn crs(text: &str) -> Crs {
    Crs::from_user(text).unwrap()
}

pub fn layer(source: &str) -> couloir::Result<VectorLayer> {
    vector::read(&VectorSourceResolved::file(source)?, None)
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// One sentence: a single line, no debris of debug output, and every expected piece in it.
#[track_caller]
pub fn assert_sentence(error: &couloir::Error, pieces: &[&str]) {
    let message = &error.message;
    assert!(!message.contains('\n'), "more than a line: {message}");
    for debris in ["CplError", "NullPointer", "GdalError", "Some(", "Err("] {
        assert!(!message.contains(debris), "'{debris}' in: {message}");
    }
    for piece in pieces {
        assert!(message.contains(piece), "'{piece}' missing in: {message}");
    }
}
