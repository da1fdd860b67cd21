//! The files a dataset is read from: the one that was named and all it leads to.

use std::collections::BTreeSet;
use std::ffi::CStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use gdal::{Dataset, DatasetOptions, GdalOpenFlags};
use sha2::{Digest, Sha256};

use super::{endless, gdal_glue};
use crate::files::hash::hexadecimal;
use crate::files::{companions, hashed};
use crate::process::interrupt;
use crate::{Error, Result, files};

/// Every file a raster or vector file draws on: companions (`.aux.xml`, world files, all of a shapefile), the sources of
/// VRT files and theirs, the files of formats that are folders, a GeoPackage's journal. The named file comes first.
pub fn files_of(path: &Path) -> Vec<PathBuf> {
    let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
    let mut waiting = vec![path.to_path_buf()];
    while let Some(path) = waiting.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let mut more = listed_by_gdal(&path);
        if path.is_dir() {
            more.extend(inside(&path));
        } else {
            more.extend(journals(&path));
            files.push(path);
        }
        // Taken from the end: in the order of the list.
        waiting.extend(more.into_iter().rev());
    }
    files
}

/// [`files_of`] of every file named that is there; what would never end is refused.
pub(crate) fn files_behind(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named.iter().filter(|path| path.exists() || path.starts_with("/vsi")) {
        endless::refuse(path, "the input")?;
        files.extend(files_of(path));
    }
    Ok(files)
}

/// Refuses a result that something beside it changes.
pub(crate) fn refuse_steered(path: &Path) -> Result<()> {
    endless::refuse(path, "the result")?;
    companions::refuse_steered(path, &files_of(path))
}

fn listed_by_gdal(path: &Path) -> Vec<PathBuf> {
    gdal_glue::init();
    let open_flags = GdalOpenFlags::GDAL_OF_RASTER | GdalOpenFlags::GDAL_OF_VECTOR | GdalOpenFlags::GDAL_OF_READONLY;
    let dataset = Dataset::open_ex(path, DatasetOptions { open_flags, ..Default::default() });
    gdal_glue::clear_messages();
    let Ok(dataset) = dataset else { return Vec::new() };
    let mut files = Vec::new();
    // SAFETY: GDAL allocates the list, which ends with a null; its strings are copied before we free it.
    unsafe {
        let list = gdal_sys::GDALGetFileList(dataset.c_dataset());
        let mut entry = list;
        while !entry.is_null() && !(*entry).is_null() {
            files.push(PathBuf::from(CStr::from_ptr(*entry).to_string_lossy().into_owned()));
            entry = entry.add(1);
        }
        gdal_sys::CSLDestroy(list);
    }
    gdal_glue::clear_messages();
    files
}

/// What a folder holds, but for the locks programs leave there.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let mut paths: Vec<PathBuf> = entries.unwrap_or_default();
    paths.retain(|path| path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("lock")));
    paths.sort();
    paths
}

/// Changes a database has not yet taken over stand beside it.
fn journals(path: &Path) -> Vec<PathBuf> {
    let beside = |ending: &str| PathBuf::from(format!("{}{ending}", path.display()));
    let is_database =
        path.extension().is_some_and(|e| ["gpkg", "sqlite", "db"].iter().any(|d| e.eq_ignore_ascii_case(d)));
    let journals = ["-wal", "-journal"].map(beside);
    journals.into_iter().filter(|journal| is_database && journal.is_file()).collect()
}

/// Length and hash of a file's bytes, also of one inside an archive.
pub fn hash(path: &Path) -> Result<(u64, String)> {
    let unreadable = |e: std::io::Error| {
        Error::input(format!("'{}' cannot be read ({e}); check that it is there and its permissions", path.display()))
    };
    files::refuse_endless(path, "the input")?;
    if let Some(known) = hashed::known(path) {
        return Ok(known);
    }
    let stamp = hashed::Stamp::of(path);
    let mut reader: Box<dyn Read> = if path.to_string_lossy().starts_with("/vsi") {
        Box::new(VirtualFile::open(path).map_err(unreadable)?)
    } else {
        Box::new(File::open(path).map_err(unreadable)?)
    };
    let (mut digest, mut buffer, mut bytes) = (Sha256::new(), vec![0; 1 << 20], 0);
    loop {
        interrupt::check()?;
        let count = reader.read(&mut buffer).map_err(unreadable)?;
        if count == 0 {
            let sha256 = hexadecimal(&digest.finalize());
            hashed::note(path, stamp, &sha256);
            return Ok((bytes, sha256));
        }
        digest.update(&buffer[..count]);
        bytes += count as u64;
    }
}

/// A file of GDAL's own file systems.
pub(super) struct VirtualFile(*mut gdal_sys::VSILFILE);

impl VirtualFile {
    pub(crate) fn open(path: &Path) -> std::io::Result<Self> {
        let name = gdal_glue::c_string(&path.to_string_lossy()).map_err(|e| std::io::Error::other(e.message))?;
        // SAFETY: both strings live until the call returns.
        let handle = unsafe { gdal_sys::VSIFOpenL(name.as_ptr(), c"rb".as_ptr()) };
        if handle.is_null() { Err(std::io::ErrorKind::NotFound.into()) } else { Ok(Self(handle)) }
    }
}

impl Read for VirtualFile {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        gdal_glue::clear_messages();
        // SAFETY: GDAL writes at most the buffer's length.
        let count = unsafe { gdal_sys::VSIFReadL(buffer.as_mut_ptr().cast(), 1, buffer.len(), self.0) };
        match gdal_glue::take_error() {
            Some(error) => Err(std::io::Error::other(error)),
            None => Ok(count),
        }
    }
}

impl Drop for VirtualFile {
    fn drop(&mut self) {
        // SAFETY: opened by us, closed once.
        unsafe { gdal_sys::VSIFCloseL(self.0) };
    }
}
