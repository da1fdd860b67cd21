//! Copies in another format: any raster to a cloud-optimised GeoTIFF, any vector layer by `GDALVectorTranslate`.

use std::path::Path;
use std::{ffi::c_int, ptr};

use gdal::{Dataset, DriverManager};

use super::native::{self, Callback, Watch};
use super::write_raster::cog_options;
use super::{atomic, gdal_glue};
use crate::process::threads;
use crate::{Error, Result};

/// Copies a dataset to a cloud-optimised GeoTIFF that appears only when it is complete. `measured`: overviews are
/// averages; otherwise (classes) they pick the nearest cell.
pub(crate) fn to_cog(source: &Dataset, out: &Path, measured: bool, watch: Watch) -> Result<()> {
    atomic::write(out, |temporary| copy_to_cog(source, temporary, out, measured, watch))
}

fn copy_to_cog(source: &Dataset, temporary: &Path, out: &Path, measured: bool, mut watch: Watch) -> Result<()> {
    let what = format!("'{}' cannot be written", out.display());
    let driver = DriverManager::get_driver_by_name("COG")
        .map_err(|_| Error::failed(format!("{what}: this GDAL has no COG driver (it needs GDAL 3.1 or newer)")))?;
    let mut words = cog_options(measured);
    words.push(format!("NUM_THREADS={}", threads::for_gdal()));
    let options = native::arguments(&words)?;
    let name = gdal_glue::c_string(&temporary.to_string_lossy())?;
    let mut callback = Callback::new(&mut watch);
    gdal_glue::clear_messages();
    // SAFETY: all pointers live until the call returns.
    let handle = unsafe {
        gdal_sys::GDALCreateCopy(
            driver.c_driver(),
            name.as_ptr(),
            source.c_dataset(),
            0,
            options.as_ptr(),
            callback.function(),
            callback.data(),
        )
    };
    native::close(native::owned(handle, &what)?, &what)
}

/// Runs GDALVectorTranslate with ogr2ogr's words; the file is closed.
pub(crate) fn vector_translate(source: &Dataset, out: &Path, words: &[String], what: &str, watch: Watch) -> Result<()> {
    native::close(vector_copy(source, out, words, what, watch)?, what)
}

/// The same, still open.
pub(crate) fn vector_copy(
    source: &Dataset,
    out: &Path,
    words: &[String],
    what: &str,
    mut watch: Watch,
) -> Result<Dataset> {
    let list = native::arguments(words)?;
    let name = gdal_glue::c_string(&out.to_string_lossy())?;
    let mut handles = [source.c_dataset()];
    let mut callback = Callback::new(&mut watch);
    gdal_glue::clear_messages();
    // SAFETY: all pointers live until GDALVectorTranslate returns; the options are freed once.
    let handle = unsafe {
        let options = gdal_sys::GDALVectorTranslateOptionsNew(list.as_ptr() as *mut _, ptr::null_mut());
        if options.is_null() {
            return Err(native::failure(what, &gdal_glue::take_error().unwrap_or_default()));
        }
        gdal_sys::GDALVectorTranslateOptionsSetProgress(options, callback.function(), callback.data());
        let mut usage: c_int = 0;
        let handle =
            gdal_sys::GDALVectorTranslate(name.as_ptr(), ptr::null_mut(), 1, handles.as_mut_ptr(), options, &mut usage);
        gdal_sys::GDALVectorTranslateOptionsFree(options);
        handle
    };
    native::owned(handle, what)
}
