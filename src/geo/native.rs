//! Calling GDAL's C functions safely: their errors turned into one sentence, their progress reported and
//! interruptible, their datasets closed with write errors noticed.

use std::ffi::{c_char, c_int, c_void};

use gdal::Dataset;
use gdal::cpl::CslStringList;

use super::gdal_glue;
use crate::process::interrupt;
use crate::{Error, Result};

/// GDAL's block cache while windows stream through; its own default is a share of the machine's memory.
const CACHE_BYTES: i64 = 192 << 20;

/// Keeps GDAL's cache small, whatever the machine: call before streaming large rasters.
pub(crate) fn limit_cache() {
    gdal_glue::init();
    // SAFETY: sets a number under GDAL's own lock.
    unsafe { gdal_sys::GDALSetCacheMax64(CACHE_BYTES) };
}

/// Told the fraction done; answers whether to go on.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(f64) -> bool;

/// A `Watch` that reports to `progress` and stops on Ctrl-C.
pub(crate) fn watch(progress: &crate::process::progress::Progress) -> impl FnMut(f64) -> bool + '_ {
    |fraction| {
        progress.fraction(fraction);
        !interrupt::requested()
    }
}

/// Keeps a `Watch` where a C callback can find it.
pub(crate) struct Callback<'a, 'b>(&'a mut Watch<'b>);

impl<'a, 'b> Callback<'a, 'b> {
    pub(crate) fn new(watch: &'a mut Watch<'b>) -> Self {
        Self(watch)
    }

    pub(crate) fn function(&self) -> gdal_sys::GDALProgressFunc {
        unsafe extern "C" fn tick(fraction: f64, _text: *const c_char, data: *mut c_void) -> c_int {
            // SAFETY: `data` is the `Watch` of a live `Callback`.
            let watch = unsafe { &mut *(data as *mut Watch) };
            c_int::from(watch(fraction))
        }
        Some(tick)
    }

    pub(crate) fn data(&mut self) -> *mut c_void {
        (self.0 as *mut Watch<'b>).cast()
    }
}

/// Arguments as a command-line tool would get them.
pub(crate) fn arguments<S: AsRef<str>>(words: &[S]) -> Result<CslStringList> {
    let mut list = CslStringList::new();
    for word in words {
        list.add_string(word.as_ref()).map_err(|e| Error::failed(e.to_string()))?;
    }
    Ok(list)
}

/// Takes over a dataset GDAL returned; null, or an error on the way, becomes a sentence that begins with `what`.
pub(super) fn owned(handle: gdal_sys::GDALDatasetH, what: &str) -> Result<Dataset> {
    // SAFETY: a non-null handle just returned by GDAL belongs to nobody else.
    let dataset = (!handle.is_null()).then(|| unsafe { Dataset::from_c_dataset(handle) });
    interrupt::check()?;
    match (dataset, gdal_glue::take_error()) {
        (Some(dataset), None) => Ok(dataset),
        (_, Some(cause)) => Err(failure(what, &cause)),
        (None, None) => Err(failure(what, "GDAL gave no reason")),
    }
}

/// Closes a written dataset; before GDAL 3.7 errors at closing show only as messages.
pub(crate) fn close(dataset: Dataset, what: &str) -> Result<()> {
    gdal_glue::clear_messages();
    let closed = dataset.close();
    match (closed, gdal_glue::take_error()) {
        (Ok(()), None) => Ok(()),
        (_, Some(cause)) => Err(failure(what, &cause)),
        (Err(error), None) => Err(failure(what, &error.to_string())),
    }
}

/// One sentence for a failed step; a full disk is named as such, what cannot be read is the input's fault.
pub(crate) fn failure(what: &str, cause: &str) -> Error {
    let (cause, lower) = (cause.trim().trim_end_matches('.'), cause.to_lowercase());
    let writing = ["no space left", "file too large", "write error", "writeencoded", "disk full", "free disk space"];
    if writing.iter().any(|mark| lower.contains(mark)) {
        return Error::failed(format!("{what}: the disk is full or not writable ({cause}): free some space"));
    }
    let reading = ["readencoded", "read error", "ireadblock", "tiffread", "not enough data", "read of"];
    if reading.iter().any(|mark| lower.contains(mark)) {
        return Error::input(format!("{what}: a source is damaged or cut short ({cause}): copy or export it again"));
    }
    Error::input(format!("{what}: {cause}"))
}
