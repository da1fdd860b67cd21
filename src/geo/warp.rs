//! `GDALWarp`: rasters onto another grid, window by window.

use std::path::Path;
use std::{ffi::c_int, ptr};

use gdal::Dataset;
use serde::{Deserialize, Serialize};

use super::native::{self, Callback, Watch};
use super::{Crs, gdal_glue};
use crate::Result;
use crate::process::threads;
use crate::terrain::Lattice;

/// How values between cell centres are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Resampling {
    /// The nearest cell: for classes.
    Nearest,
    /// Between the four nearest centres.
    Bilinear,
    /// Cubic convolution over sixteen centres.
    Cubic,
    /// The mean of all cells under the new one.
    Average,
}

/// From here on a cell holds several source cells, and skipping some of them would alias.
const AVERAGE_FROM_RATIO: f64 = 2.0;
/// Below this the creases of a bilinear surface would show as facets.
const CUBIC_BELOW_RATIO: f64 = 0.5;

impl Resampling {
    /// For measured values, from new cell size / source cell size.
    pub(crate) fn for_ratio(ratio: f64) -> Self {
        // A little slack: 2 m from 1.0001 m (a reprojected 1 m) is still "twice".
        if ratio >= AVERAGE_FROM_RATIO * 0.99 {
            Self::Average
        } else if ratio < CUBIC_BELOW_RATIO * 1.01 {
            Self::Cubic
        } else {
            Self::Bilinear
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nearest => "nearest",
            Self::Bilinear => "bilinear",
            Self::Cubic => "cubic",
            Self::Average => "average",
        }
    }

    pub(crate) fn gdal_name(self) -> &'static str {
        if self == Self::Nearest { "near" } else { self.name() }
    }
}

/// Memory GDALWarp may use for one window, MB.
const WARP_MEMORY_MB: u32 = 192;

/// Words every warp of ours has: all cores, no overviews (their making is unknown), heights left as heights.
pub(crate) fn common_words() -> Vec<String> {
    let threads = format!("NUM_THREADS={}", threads::for_gdal());
    ["-novshift", "-ovr", "NONE", "-wo", &threads, "-wm", &WARP_MEMORY_MB.to_string()].map(str::to_owned).into()
}

/// Keeps bilinear and cubic kernels at their own width. GDAL widens them for coarser cells, and the widened ones no
/// longer reproduce a plane (0.1 m off on a 36° slope with 1.5 m to 2 m); much coarser cells are averages anyway.
pub(crate) fn exact_kernel_words() -> Vec<String> {
    ["-wo", "XSCALE=1", "-wo", "YSCALE=1"].iter().map(ToString::to_string).collect()
}

/// Largest error of the linearly interpolated reprojection, m: far below what a DEM knows.
const TRANSFORM_TOLERANCE_M: f64 = 0.0005;

/// GDAL's `-et`, in source cells.
pub(crate) fn transform_tolerance_cells(source_cell_m: f64) -> f64 {
    (TRANSFORM_TOLERANCE_M / source_cell_m).min(0.125)
}

/// Words for a north-up target grid.
pub(crate) fn grid_words(grid: &Lattice, crs: &Crs) -> Vec<String> {
    let (west, south, east, north) = grid.extent();
    let mut words = vec!["-t_srs".into(), crs.wkt().to_owned(), "-te".into()];
    words.extend([west, south, east, north].map(|v| format!("{v:?}")));
    words.extend(["-ts".into(), grid.nx.to_string(), grid.ny.to_string()]);
    words
}

/// Runs GDALWarp with gdalwarp's words. `what` begins the sentence if it fails.
pub(crate) fn gdal_warp(
    sources: &[&Dataset],
    out: &Path,
    words: &[String],
    what: &str,
    mut watch: Watch,
) -> Result<Dataset> {
    let list = native::arguments(words)?;
    let name = gdal_glue::c_string(&out.to_string_lossy())?;
    let mut handles: Vec<_> = sources.iter().map(|s| s.c_dataset()).collect();
    let mut callback = Callback::new(&mut watch);
    gdal_glue::clear_messages();
    // SAFETY: all pointers live until GDALWarp returns; the options are freed once.
    let handle = unsafe {
        let options = gdal_sys::GDALWarpAppOptionsNew(list.as_ptr() as *mut _, ptr::null_mut());
        if options.is_null() {
            return Err(native::failure(what, &gdal_glue::take_error().unwrap_or_default()));
        }
        gdal_sys::GDALWarpAppOptionsSetProgress(options, callback.function(), callback.data());
        let mut usage: c_int = 0;
        let handle = gdal_sys::GDALWarp(
            name.as_ptr(),
            ptr::null_mut(),
            handles.len() as c_int,
            handles.as_mut_ptr(),
            options,
            &mut usage,
        );
        gdal_sys::GDALWarpAppOptionsFree(options);
        handle
    };
    native::owned(handle, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resampling_follows_the_ratio_of_cell_sizes() {
        assert_eq!(Resampling::for_ratio(10.0), Resampling::Average);
        assert_eq!(Resampling::for_ratio(2.0), Resampling::Average);
        assert_eq!(Resampling::for_ratio(1.9), Resampling::Bilinear);
        assert_eq!(Resampling::for_ratio(1.0), Resampling::Bilinear);
        assert_eq!(Resampling::for_ratio(0.2), Resampling::Cubic);
    }
}
