//! A GeoPackage may hold views, and a view may be a query without end: SQLite is asked to look up now and then, and to
//! give up when nothing has come for long, or when the user wants to stop.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::time::{Duration, Instant};

use gdal::Dataset;

use crate::interrupt;

/// Looks up after this many of SQLite's own steps: some milliseconds.
#[cfg(unix)]
const STEPS: c_int = 100_000;

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    static EXPIRED: Cell<bool> = const { Cell::new(false) };
}

unsafe extern "C" fn look_up(_: *mut c_void) -> c_int {
    let expired = DEADLINE.get().is_some_and(|deadline| Instant::now() > deadline);
    EXPIRED.set(EXPIRED.get() || expired);
    c_int::from(expired || interrupt::requested())
}

/// Whether a query of this thread was given up since the last limit began.
pub fn expired() -> bool {
    EXPIRED.get()
}

/// While it lives, queries of this thread end after the time given last.
pub struct QueryLimit {
    patience: Duration,
}

impl QueryLimit {
    /// Begins the limit for a dataset just opened; does nothing for formats other than SQLite's.
    pub fn begin(dataset: &Dataset, patience: Duration) -> Self {
        watch(dataset);
        EXPIRED.set(false);
        let limit = Self { patience };
        limit.renew();
        limit
    }

    /// Something came: the time begins anew.
    pub fn renew(&self) {
        DEADLINE.set(Some(Instant::now() + self.patience));
    }
}

impl Drop for QueryLimit {
    fn drop(&mut self) {
        DEADLINE.set(None);
    }
}

#[cfg(unix)]
fn watch(dataset: &Dataset) {
    type Callback = unsafe extern "C" fn(*mut c_void) -> c_int;
    type Watch = unsafe extern "C" fn(*mut c_void, c_int, Option<Callback>, *mut c_void);
    if !["GPKG", "SQLite"].contains(&dataset.driver().short_name().as_str()) {
        return;
    }
    // SAFETY: the handle belongs to the open dataset; the function is SQLite's, with the signature it documents, from the
    // library GDAL itself has loaded; the callback is a plain function that never unwinds and needs no data.
    unsafe {
        let database = gdal_sys::GDALGetInternalHandle(dataset.c_dataset(), c"SQLITE_HANDLE".as_ptr());
        let function = libc::dlsym(libc::RTLD_DEFAULT, c"sqlite3_progress_handler".as_ptr());
        if !database.is_null() && !function.is_null() {
            let install = std::mem::transmute::<*mut c_void, Watch>(function);
            install(database, STEPS, Some(look_up), std::ptr::null_mut());
        }
    }
}

#[cfg(not(unix))]
fn watch(_dataset: &Dataset) {}
