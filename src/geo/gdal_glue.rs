//! The few things every use of GDAL needs: one-time set-up, an error handler that keeps GDAL's messages off stderr and
//! hands them to us, and the checks GDAL leaves to its callers.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Once;

use gdal_sys::{CPLErr, CPLErrorNum};

use super::{lockdown, query_limit};
use crate::files::links::broken_link;
use crate::process::memory;
use crate::{Error, Result};

/// Every file that could carry a time stamp (GeoPackage, dBASE) carries this one, so that the same results give the
/// same bytes. When a file was written is what its folder says.
pub(crate) const FIXED_DATE: &str = "2000-01-01";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub is_error: bool,
    pub text: String,
}

thread_local! {
    static MESSAGES: RefCell<Vec<Message>> = const { RefCell::new(Vec::new()) };
}

unsafe extern "C" fn collect(class: CPLErr::Type, _number: CPLErrorNum, text: *const c_char) {
    if text.is_null() || class < CPLErr::CE_Warning {
        return;
    }
    // SAFETY: GDAL gives a text that ends with zero and lives until this returns; it was tested for null.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy().trim().replace('\n', " ");
    if class == CPLErr::CE_Fatal {
        memory::end_for_gdal(&text);
    }
    MESSAGES.with_borrow_mut(|messages| {
        // A damaged file can complain once per block; the first few say it all.
        if messages.len() < 64 {
            messages.push(Message { is_error: class >= CPLErr::CE_Failure, text });
        }
    });
}

/// Sets GDAL up: error handler, drivers, and what it may not do ([`lockdown`]). Cheap after the first call; every entry point of `geo` calls it.
pub fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: `collect` is a plain function that never unwinds and lives as long as the process.
        unsafe {
            gdal_sys::CPLSetErrorHandler(Some(collect));
            // GDAL would take a twentieth of the machine's memory; whole rasters pass through it once only.
            gdal_sys::GDALSetCacheMax64(64 << 20);
        }
        memory::end_foreign_with_a_sentence();
        lockdown::begin();
        // These fail only for strings with a NUL inside.
        let _ = gdal::config::set_config_option("OGR_CURRENT_DATE", &format!("{FIXED_DATE}T00:00:00.000Z"));
        // Checked for every file otherwise; the options are always ours.
        let _ = gdal::config::set_config_option("GDAL_VALIDATE_CREATION_OPTIONS", "NO");
    });
    query_limit::begin();
}

/// Lets GDAL open or create a GeoPackage without SpatiaLite: loading its functions takes longer than the rest, and only
/// views that call them need them.
pub(crate) fn without_spatialite<T>(open: impl FnOnce() -> T) -> T {
    const OPTION: &str = "SPATIALITE_LOAD";
    // Both fail only for strings with a NUL inside.
    let _ = gdal::config::set_thread_local_config_option(OPTION, "NO");
    let opened = open();
    let _ = gdal::config::clear_thread_local_config_option(OPTION);
    opened
}

/// Forgets what GDAL said so far in this thread.
pub(crate) fn clear_messages() {
    MESSAGES.with_borrow_mut(Vec::clear);
}

/// What GDAL said in this thread since the last [`clear_messages`]; clears it.
pub(crate) fn take_messages() -> Vec<Message> {
    MESSAGES.take()
}

/// The first error GDAL reported in this thread since the last [`clear_messages`], if any; clears all.
pub(crate) fn take_error() -> Option<String> {
    take_messages().into_iter().find(|m| m.is_error).map(|m| m.text)
}

/// GDAL's own words for a sentence of ours: "(… )", or nothing when it said nothing.
pub(crate) fn because() -> String {
    let messages = take_messages();
    let chosen = messages.iter().find(|m| m.is_error).or(messages.first());
    chosen.map(|m| format!(" ({})", m.text.trim_end_matches('.'))).unwrap_or_default()
}

/// A C string; a NUL inside a path or name is the input's fault.
pub(crate) fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::input(format!("'{}' contains a NUL character", text.replace('\0', "\\0"))))
}

/// Copies a C string GDAL owns; bytes that are not UTF-8 become Latin-1 letters.
pub(super) fn text_of(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: a text of GDAL ends with zero; it is copied before anything else is called.
    let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|&b| b as char).collect(),
    }
}

/// Says why a file cannot be read before GDAL (which would stay silent) is asked. `what` is "raster" or "vector file".
pub(crate) fn check_readable(path: &Path, what: &str) -> Result<()> {
    let shown = path.display();
    let text = path.to_str().ok_or_else(|| {
        Error::input(format!(
            "the path '{shown}' is not valid UTF-8, which GDAL cannot open: rename the file or folder"
        ))
    })?;
    lockdown::refuse_network(text, what)?;
    super::endless::refuse(path, what)?;
    // GDAL's virtual file systems (zip archives, memory) are not seen by the operating system.
    if text.starts_with("/vsi") {
        return Ok(());
    }
    let explain = |error: std::io::Error| match (error.kind(), broken_link(path)) {
        (_, Some(link)) => Error::input(format!("{what} cannot be read: {link}")),
        (ErrorKind::NotFound, _) => missing_file(path, what),
        (ErrorKind::PermissionDenied, _) => Error::input(format!(
            "{what} '{shown}' may not be read (permission denied): give yourself read access to the file and its folder"
        )),
        _ => Error::input(format!("{what} '{shown}' cannot be read: {error}")),
    };
    let metadata = std::fs::metadata(path).map_err(explain)?;
    if metadata.is_dir() {
        // Some formats are folders (Esri grids, file geodatabases): GDAL decides.
        return std::fs::read_dir(path).map(|_| ()).map_err(explain);
    }
    let mut byte = [0u8; 1];
    match File::open(path).and_then(|mut file| file.read(&mut byte)).map_err(explain)? {
        0 => Err(Error::input(format!("{what} '{shown}' is empty (0 bytes): copy or export it again"))),
        _ => Ok(()),
    }
}

fn missing_file(path: &Path, what: &str) -> Error {
    let shown = path.display();
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Error::input(format!("{what} '{shown}' not found: its folder '{}' does not exist", folder.display()));
    }
    let wanted = path.file_name().map(|n| n.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    names.sort();
    let near = names
        .iter()
        .map(|name| (strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &wanted), name))
        .filter(|(score, _)| *score > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((_, name)) => {
            Error::input(format!("{what} '{shown}' not found; did you mean '{name}' in the same folder?"))
        }
        None => Error::input(format!("{what} '{shown}' not found: check the path and the spelling")),
    }
}

/// A path as it must be typed in a shell: quoted where it holds spaces or other special characters.
pub(crate) fn shell_quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:\\".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
