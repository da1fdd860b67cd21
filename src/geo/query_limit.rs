//! A database may hold views, and a view may be a query without end: SQLite is asked to look up now and then, and to give
//! up when too few rows have come for long, or when the user wants to stop.
//!
//! Every connection that only reads is watched from its first moment, whoever opens it: GDAL for us, a virtual layer, a
//! raster's tiles, SQL in a VRT file. What is written is ours, and as long as it takes.

use std::cell::Cell;
use std::time::Duration;

use crate::{Error, Result};

/// What a query may take before its first row …
const PATIENCE: Duration = Duration::from_secs(10);
/// … and for each further one.
const PATIENCE_A_ROW: Duration = Duration::from_millis(100);

thread_local! {
    static EXPIRED: Cell<bool> = const { Cell::new(false) };
}

/// Watches the databases that are opened from now on. Called before each is: SpatiaLite, when it goes, takes what was set up
/// for future connections with it.
pub(super) fn begin() {
    #[cfg(unix)]
    sqlite::begin();
}

/// What `read` gives, unless a query had to be given up for it: then the sentence for that. `name` is the file's.
pub(crate) fn explain<T>(name: &str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    EXPIRED.set(false);
    let result = read();
    refuse_expired(name)?;
    result
}

/// Refuses what rests on a query of this thread that was given up.
pub(crate) fn refuse_expired(name: &str) -> Result<()> {
    if !expired() {
        return Ok(());
    }
    Err(Error::input(format!(
        "'{name}' gave too few rows in {} s: a view or filter in it may be a query without end; save its result as a layer of its \
         own and name that",
        PATIENCE.as_secs()
    )))
}

/// Whether a query of this thread was given up since the last [`explain`] began.
pub(crate) fn expired() -> bool {
    EXPIRED.get()
}

#[cfg(unix)]
mod sqlite {
    use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::sync::{LazyLock, OnceLock};
    use std::time::{Duration, Instant};

    use super::{EXPIRED, PATIENCE, PATIENCE_A_ROW};
    use crate::process::interrupt;

    /// Looks up after this many of SQLite's own steps: microseconds, unless each is long.
    const STEPS: c_int = 20;
    /// What lies between two looks may be the reader's own work on the rows it got: it does not count for more.
    const MOST_BETWEEN: Duration = Duration::from_secs(1);
    /// Longest value of a field in bytes.
    const LONGEST_VALUE: c_int = 64 << 20;

    const LIMIT_LENGTH: c_int = 0;
    const TRACE_STATEMENT: c_uint = 1;
    const TRACE_ROW: c_uint = 4;

    type Connection = *mut c_void;
    type LookUp = unsafe extern "C" fn(*mut c_void) -> c_int;
    type Traced = unsafe extern "C" fn(c_uint, *mut c_void, *mut c_void, *mut c_void) -> c_int;
    type Opened = unsafe extern "C" fn(Connection, *mut *mut c_char, *const c_void) -> c_int;

    type AutoExtension = unsafe extern "C" fn(Option<Opened>) -> c_int;
    type ProgressHandler = unsafe extern "C" fn(Connection, c_int, Option<LookUp>, *mut c_void);
    type Trace = unsafe extern "C" fn(Connection, c_uint, Option<Traced>, *mut c_void) -> c_int;
    type Limit = unsafe extern "C" fn(Connection, c_int, c_int) -> c_int;
    type Readonly = unsafe extern "C" fn(Connection, *const c_char) -> c_int;
    type Filename = unsafe extern "C" fn(Connection, *const c_char) -> *const c_char;

    /// SQLite's functions, from the library GDAL itself has loaded, with the signatures it documents.
    struct Functions {
        auto_extension: AutoExtension,
        progress_handler: ProgressHandler,
        trace: Trace,
        limit: Limit,
        readonly: Readonly,
        filename: Filename,
    }

    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    /// Time one connection has used up, in nanoseconds since [`START`] as far as it is a moment.
    #[derive(Default)]
    struct Account {
        spent: AtomicU64,
        last_look: AtomicU64,
    }

    fn now() -> u64 {
        START.elapsed().as_nanos() as u64
    }

    pub(crate) fn begin() {
        // A GDAL without SQLite, or with one of its own inside, cannot be watched.
        if let Some(functions) = FUNCTIONS.get_or_init(find) {
            // SAFETY: the callback is a plain function that never unwinds and lives as long as the process; registering
            // it again does nothing.
            unsafe { (functions.auto_extension)(Some(opened)) };
        }
    }

    fn find() -> Option<Functions> {
        // SAFETY: each name is that of the function whose type its field has.
        unsafe {
            let named = |name: &CStr| {
                let function = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
                (!function.is_null()).then_some(function)
            };
            Some(Functions {
                auto_extension: std::mem::transmute::<*mut c_void, AutoExtension>(named(c"sqlite3_auto_extension")?),
                progress_handler: std::mem::transmute::<*mut c_void, ProgressHandler>(named(
                    c"sqlite3_progress_handler",
                )?),
                trace: std::mem::transmute::<*mut c_void, Trace>(named(c"sqlite3_trace_v2")?),
                limit: std::mem::transmute::<*mut c_void, Limit>(named(c"sqlite3_limit")?),
                readonly: std::mem::transmute::<*mut c_void, Readonly>(named(c"sqlite3_db_readonly")?),
                filename: std::mem::transmute::<*mut c_void, Filename>(named(c"sqlite3_db_filename")?),
            })
        }
    }

    /// A connection was opened. PROJ's own database is trusted.
    unsafe extern "C" fn opened(connection: Connection, _: *mut *mut c_char, _: *const c_void) -> c_int {
        let Some(Some(functions)) = FUNCTIONS.get() else { return 0 };
        // SAFETY: the connection is open; the account is never freed, a few bytes for each database that is opened.
        unsafe {
            let file = (functions.filename)(connection, c"main".as_ptr());
            let file = if file.is_null() { &[] } else { CStr::from_ptr(file).to_bytes() };
            let only_reads = (functions.readonly)(connection, c"main".as_ptr()) == 1 || file.is_empty();
            if only_reads && !file.ends_with(b"/proj.db") {
                let account: *mut c_void = std::ptr::from_mut(Box::leak(Box::<Account>::default())).cast();
                (functions.progress_handler)(connection, STEPS, Some(look_up), account);
                (functions.trace)(connection, TRACE_STATEMENT | TRACE_ROW, Some(traced), account);
                (functions.limit)(connection, LIMIT_LENGTH, LONGEST_VALUE);
            }
        }
        0
    }

    unsafe extern "C" fn traced(event: c_uint, account: *mut c_void, _: *mut c_void, _: *mut c_void) -> c_int {
        // SAFETY: given with the callback, never freed.
        let account = unsafe { &*account.cast::<Account>() };
        if event == TRACE_ROW {
            let spent = account.spent.load(Relaxed);
            account.spent.store(spent.saturating_sub(PATIENCE_A_ROW.as_nanos() as u64), Relaxed);
        } else {
            account.last_look.store(now(), Relaxed);
        }
        0
    }

    unsafe extern "C" fn look_up(account: *mut c_void) -> c_int {
        // SAFETY: given with the callback, never freed.
        let account = unsafe { &*account.cast::<Account>() };
        let now = now();
        let between = now.saturating_sub(account.last_look.swap(now, Relaxed)).min(MOST_BETWEEN.as_nanos() as u64);
        let spent = account.spent.load(Relaxed) + between;
        account.spent.store(spent, Relaxed);
        let expired = spent > PATIENCE.as_nanos() as u64;
        EXPIRED.set(EXPIRED.get() || expired);
        c_int::from(expired || interrupt::requested())
    }
}
