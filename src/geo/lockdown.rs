//! What GDAL and PROJ may do in this process: read the documented formats from local files, and nothing else.
//!
//! GDAL can reach the network from many places (file names, VRT and GeoJSON files, CRS definitions, geocoding in SQL), run
//! Python and load plug-ins, all steered by environment variables and `gdalrc`. Instead of guarding every place, the few
//! doors they all lead through are shut here: file systems, HTTP, drivers, configuration.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::gdal_glue;
use crate::{Error, Result};

/// Formats that are read or written, as docs/formats.md lists them; every other driver is taken out.
pub const DRIVERS: [&str; 35] = [
    // Rasters.
    "GTiff",
    "COG",
    "VRT",
    "AAIGrid",
    "XYZ",
    "AIG",
    "EHdr",
    "ENVI",
    "HFA",
    "RST",
    "SAGA",
    "GSBG",
    "GS7BG",
    "NWT_GRD",
    "SRTMHGT",
    "DTED",
    "BT",
    "JP2OpenJPEG",
    "PNG",
    "JPEG",
    // Vectors; GeoPackages and file geodatabases hold both.
    "GPKG",
    "SQLite",
    "ESRI Shapefile",
    "OpenFileGDB",
    "FlatGeobuf",
    "GeoJSON",
    "GeoJSONSeq",
    "TopoJSON",
    "ESRIJSON",
    "MapInfo File",
    "DXF",
    "CSV",
    "OGR_VRT",
    // Inside the process only.
    "MEM",
    "Memory",
];

/// GDAL's file systems that stay within this machine's files and memory; every other one is closed.
const FILE_SYSTEMS: [&str; 8] =
    ["/vsimem/", "/vsizip/", "/vsigzip/", "/vsitar/", "/vsi7z/", "/vsirar/", "/vsisubfile/", "/vsisparse/"];

/// Variables of the environment that GDAL, its libraries and PROJ obey, by how they begin …
const VARIABLE_BEGINNINGS: [&str; 25] = [
    "GDAL_",
    "OGR_",
    "OSR_",
    "CPL_",
    "VSI",
    "VRT_",
    "GTIFF_",
    "TIFF_",
    "AAIGRID_",
    "EHDR_",
    "HFA_",
    "XYZ_",
    "DTED_",
    "SHAPE_",
    "SQLITE_",
    "GPKG_",
    "SPATIALITE_",
    "DXF_",
    "AWS_",
    "GS_",
    "GOOGLE_",
    "AZURE_",
    "OSS_",
    "SWIFT_",
    "PROJ_NETWORK",
];
/// Of these, those that say how an object store is reached and who asks: kept where the network is allowed.
const STORE_BEGINNINGS: [&str; 6] = ["AWS_", "GS_", "GOOGLE_", "AZURE_", "OSS_", "SWIFT_"];
/// … but for the folder of an installation's tables, which portable ones need.
const KEPT_VARIABLE: &str = "GDAL_DATA";
/// The tables of another installation, which do not fit the libraries compiled in (feature `bundled`).
const OTHER_TABLES: [&str; 4] = ["GDAL_DATA", "PROJ_DATA", "PROJ_LIB", "PROJ_AUX_DB"];

/// Options set for good: stronger than the environment, and than `gdalrc`, which is not read.
const OPTIONS: [(&str, &str); 7] = [
    ("GDAL_CONFIG_FILE", "/vsimem/couloir reads no gdalrc"),
    ("GDAL_DRIVER_PATH", "disable"),
    ("GDAL_PYTHON_DRIVER_PATH", "/vsimem/couloir loads no Python drivers"),
    ("GDAL_VRT_ENABLE_PYTHON", "NO"),
    ("OGR_SQLITE_LOAD_EXTENSIONS", ""),
    ("GTIFF_IGNORE_READ_ERRORS", "NO"),
    ("GML_DOWNLOAD_SCHEMA", "NO"),
];

static NETWORK_ALLOWED: AtomicBool = AtomicBool::new(false);

/// Opens the network file systems after all (`--allow-network`). Only before anything else of `geo` is used.
pub(crate) fn allow_network() {
    NETWORK_ALLOWED.store(true, Ordering::Relaxed);
}

/// Takes out of the environment what would steer GDAL and PROJ: a result depends on project, files and engine alone. Where the network is allowed, what tells
/// the way to an object store stays.
///
/// # Safety
/// No other thread may run: the environment belongs to all of them.
pub(crate) unsafe fn clear_environment(network: bool) {
    let steers = |name: &str| {
        let name = name.to_ascii_uppercase();
        let elsewhere = cfg!(feature = "bundled") && OTHER_TABLES.contains(&name.as_str());
        let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| name.starts_with(beginning));
        let kept = name == KEPT_VARIABLE || network && begins(&STORE_BEGINNINGS);
        elsewhere || !kept && begins(&VARIABLE_BEGINNINGS)
    };
    let names = std::env::vars_os().map(|(name, _)| name);
    for name in names.filter(|name| steers(&name.to_string_lossy())).collect::<Vec<_>>() {
        // SAFETY: the caller is the only thread.
        unsafe { std::env::remove_var(name) };
    }
}

/// Registers the drivers, then shuts every door. Called once, by [`gdal_glue::init`].
pub(super) fn begin() {
    for (key, value) in OPTIONS {
        // Fails only for strings with a NUL inside.
        let _ = gdal::config::set_config_option(key, value);
    }
    // The gdal crate registers all drivers at its first use: that must lie behind us.
    gdal::DriverManager::count();
    drop_other_drivers();
    #[cfg(feature = "bundled")]
    use_own_tables();
    let network = c_int::from(NETWORK_ALLOWED.load(Ordering::Relaxed));
    // SAFETY: sets a flag under GDAL's own lock, and two of PROJ's default context (null), which every other context is a
    // copy of, before any is made: the network, and that PROJ keeps its complaints off stderr.
    unsafe {
        gdal_sys::OSRSetPROJEnableNetwork(network);
        proj_sys::proj_context_set_enable_network(std::ptr::null_mut(), network);
        proj_sys::proj_log_level(std::ptr::null_mut(), proj_sys::PJ_LOG_LEVEL_PJ_LOG_NONE);
    }
    if !NETWORK_ALLOWED.load(Ordering::Relaxed) {
        close_file_systems();
        // SAFETY: `refuse_fetch` lives as long as the process and needs no data.
        unsafe { CPLHTTPSetFetchCallback(Some(refuse_fetch), std::ptr::null_mut()) };
    }
}

/// PROJ's database is compiled in, and used where no file of that name is found. The only place it may look for files is a folder
/// `proj` beside the program, where grid files can be put; without this, `/usr/bin/couloir` would take `/usr/share/proj`, the tables of
/// whichever PROJ the machine has.
#[cfg(feature = "bundled")]
fn use_own_tables() {
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("proj")));
    let folder = beside.and_then(|folder| CString::new(folder.to_str()?).ok());
    let folder = folder.unwrap_or_else(|| c"/nowhere".into());
    let paths = [folder.as_ptr(), std::ptr::null()];
    // SAFETY: both copy the strings; the default context (null) is the one every other is a copy of, and none is made yet.
    unsafe {
        gdal_sys::OSRSetPROJSearchPaths(paths.as_ptr());
        proj_sys::proj_context_set_search_paths(std::ptr::null_mut(), 1, paths.as_ptr());
    }
}

fn drop_other_drivers() {
    // SAFETY: the index is checked by GDAL, the driver is alive until it is deregistered, and nothing is open yet.
    unsafe {
        for index in (0..gdal_sys::GDALGetDriverCount()).rev() {
            let driver = gdal_sys::GDALGetDriver(index);
            let name = gdal_glue::text_of(gdal_sys::GDALGetDriverShortName(driver));
            if !DRIVERS.contains(&name.as_str()) {
                gdal_sys::GDALDeregisterDriver(driver);
            }
        }
    }
}

/// Puts a file system that opens nothing in the place of every one that is not listed, also of those newer GDALs have.
fn close_file_systems() {
    // SAFETY: GDAL copies the callbacks; they are plain functions. The list of names is ours to free.
    unsafe {
        let callbacks = gdal_sys::VSIAllocFilesystemPluginCallbacksStruct();
        let names = gdal_sys::VSIGetFileSystemsPrefixes();
        if callbacks.is_null() || names.is_null() {
            return;
        }
        (*callbacks).open = Some(refuse_open);
        (*callbacks).stat = Some(refuse_stat);
        let mut prefixes: Vec<String> = ELSEWHERE.map(str::to_string).into();
        let mut name = names;
        while !(*name).is_null() {
            prefixes.push(gdal_glue::text_of(*name).trim_end_matches(['/', '?']).to_string());
            name = name.add(1);
        }
        gdal_sys::CSLDestroy(names);
        let open = |prefix: &String| FILE_SYSTEMS.iter().any(|open| open.trim_end_matches('/') == prefix);
        for prefix in prefixes.iter().filter(|prefix| prefix.starts_with("/vsi") && !open(prefix)) {
            // `/vsicurl/http://…` and `/vsicurl?url=http://…`; GDAL lists only the former.
            for end in ['/', '?'] {
                if let Ok(prefix) = CString::new(format!("{prefix}{end}")) {
                    gdal_sys::VSIInstallPluginHandler(prefix.as_ptr(), callbacks);
                }
            }
        }
        gdal_sys::VSIFreeFilesystemPluginCallbacksStruct(callbacks);
    }
}

const REFUSAL: &CStr =
    c"network and device file systems are closed: copy the file to this machine, or open them with --allow-network";

/// `CPLE_NotSupported`.
const NOT_SUPPORTED: gdal_sys::CPLErrorNum = 6;

thread_local! {
    static COMPLAINED: Cell<bool> = const { Cell::new(false) };
}

/// Refuses a file that was opened although part of what it refers to was not: a CRS on the network, say. `open` opens it.
pub(super) fn without_network<T>(path: &Path, open: impl FnOnce() -> Result<T>) -> Result<T> {
    COMPLAINED.set(false);
    let opened = open()?;
    if COMPLAINED.take() {
        let reason = REFUSAL.to_string_lossy();
        return Err(Error::input(format!("'{}' refers to something elsewhere; {reason}", path.display())));
    }
    Ok(opened)
}

fn complain() {
    COMPLAINED.set(true);
    // SAFETY: the format takes exactly one string.
    unsafe { gdal_sys::CPLError(gdal_sys::CPLErr::CE_Failure, NOT_SUPPORTED, c"%s".as_ptr(), REFUSAL.as_ptr()) };
}

unsafe extern "C" fn refuse_open(_: *mut c_void, _name: *const c_char, _access: *const c_char) -> *mut c_void {
    complain();
    std::ptr::null_mut()
}

unsafe extern "C" fn refuse_stat(
    _: *mut c_void,
    _name: *const c_char,
    _into: *mut gdal_sys::VSIStatBufL,
    _flags: c_int,
) -> c_int {
    -1
}

/// GDAL's `CPLHTTPResult`, of which only the beginning is ours to fill.
#[repr(C)]
struct HttpResult {
    status: c_int,
    content_type: *mut c_char,
    error: *mut c_char,
    rest: [usize; 16],
}

type Fetch = unsafe extern "C" fn(
    *const c_char,
    *const *const c_char,
    gdal_sys::GDALProgressFunc,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    *mut c_void,
) -> *mut HttpResult;

unsafe extern "C" {
    /// `cpl_http.h`, which gdal-sys does not cover.
    fn CPLHTTPSetFetchCallback(fetch: Option<Fetch>, data: *mut c_void);
}

/// Answers every request of GDAL's with a failure; without an answer GDAL would ask the network.
unsafe extern "C" fn refuse_fetch(
    _url: *const c_char,
    _options: *const *const c_char,
    _progress: gdal_sys::GDALProgressFunc,
    _progress_data: *mut c_void,
    _write: *mut c_void,
    _write_data: *mut c_void,
    _data: *mut c_void,
) -> *mut HttpResult {
    complain();
    // SAFETY: zeroed memory of GDAL's own allocator, which frees it and the message with CPLHTTPDestroyResult.
    unsafe {
        let result = gdal_sys::VSICalloc(1, size_of::<HttpResult>()).cast::<HttpResult>();
        if !result.is_null() {
            (*result).status = 1;
            (*result).error = gdal_sys::VSIStrdup(REFUSAL.as_ptr());
        }
        result
    }
}

/// How file systems that leave this machine's files begin, wherever they stand in a name.
const ELSEWHERE: [&str; 18] = [
    "/vsicurl",
    "/vsicurl_streaming",
    "/vsis3_streaming",
    "/vsigs_streaming",
    "/vsiaz_streaming",
    "/vsioss_streaming",
    "/vsiswift_streaming",
    "/vsis3",
    "/vsigs",
    "/vsiaz",
    "/vsiadls",
    "/vsioss",
    "/vsiswift",
    "/vsiwebhdfs",
    "/vsihdfs",
    "/vsistdin",
    "/vsistdout",
    "/vsicrypt",
];

/// Refuses a file name that leads out of this machine, with a sentence GDAL would not give.
pub(crate) fn refuse_network(name: &str, what: &str) -> Result<()> {
    let lower = name.to_ascii_lowercase();
    let unknown = lower.starts_with("/vsi") && !FILE_SYSTEMS.iter().any(|open| lower.starts_with(open));
    let nested = lower.starts_with("/vsi") && ELSEWHERE.iter().any(|closed| lower.contains(closed));
    let address = ["http://", "https://", "ftp://"].iter().any(|scheme| lower.contains(scheme));
    if NETWORK_ALLOWED.load(Ordering::Relaxed) || !(unknown || nested || address) {
        return Ok(());
    }
    Err(Error::input(format!(
        "{what} '{name}' is not a file of this machine, and nothing is fetched from the network: copy it here and name the \
         copy, or allow GDAL's network file systems (/vsicurl/ and the like) with --allow-network"
    )))
}
