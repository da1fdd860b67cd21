//! A folder in an object store, through GDAL's network file systems: whole files are put there, looked at and removed, no more.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::file_list::VirtualFile;
use super::{gdal_glue, lockdown};
use crate::files::atomic;
use crate::files::hash::hexadecimal;
use crate::process::interrupt;
use crate::{Error, Result};

/// Those that can be written to from beginning to end.
const STORES: [&str; 7] = ["/vsis3/", "/vsigs/", "/vsiaz/", "/vsiadls/", "/vsioss/", "/vsiswift/", "/vsiwebhdfs/"];

/// Of stdio.h.
const SEEK_END: i32 = 2;

/// Bytes handed on at a time.
const CHUNK: usize = 1 << 20;

/// Whether a name is one of GDAL's file systems and none of the machine's.
pub(crate) fn is_virtual(name: &Path) -> bool {
    name.to_string_lossy().starts_with("/vsi")
}

/// Whether GDAL knows the file system a name begins with: one built without curl knows none of the network.
fn is_built_in(name: &str) -> bool {
    // SAFETY: GDAL allocates the list, which ends with a null; its strings are copied before we free it.
    unsafe {
        let list = gdal_sys::VSIGetFileSystemsPrefixes();
        let (mut entry, mut found) = (list, false);
        while !entry.is_null() && !(*entry).is_null() {
            found |= name.starts_with(&*CStr::from_ptr(*entry).to_string_lossy());
            entry = entry.add(1);
        }
        gdal_sys::CSLDestroy(list);
        found
    }
}

/// A folder that files are put into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteFolder {
    root: String,
}

impl RemoteFolder {
    /// Takes a name; nothing is asked of the network yet.
    pub(crate) fn named(name: &Path) -> Result<Self> {
        let root = name.to_string_lossy().trim_end_matches('/').to_string();
        let shown = name.display();
        let place = STORES.iter().find_map(|store| root.strip_prefix(store));
        if place.is_none_or(|place| place.is_empty() || place.split('/').any(|part| [".", "..", ""].contains(&part))) {
            return Err(Error::usage(format!(
                "--out '{shown}': expected a folder of this machine, or one in an object store such as /vsis3/bucket/folder"
            )));
        }
        lockdown::refuse_network(&root, "--out").map_err(|_| {
            Error::usage(format!("--out '{shown}' is on the network, which --allow-network must allow"))
        })?;
        gdal_glue::init();
        if !is_built_in(&root) {
            return Err(Error::failed(format!(
                "--out '{shown}': the GDAL of this engine was built without access to such stores; take an engine built with the system's GDAL"
            )));
        }
        Ok(Self { root })
    }

    pub(crate) fn shown(&self) -> &str {
        &self.root
    }

    fn name(&self, path: &str) -> Result<CString> {
        gdal_glue::c_string(&format!("{}/{path}", self.root))
    }

    fn failed(&self, path: &str, what: &str) -> Error {
        Error::failed(format!("'{}/{path}' cannot be {what}{}", self.root, gdal_glue::because()))
    }

    /// GDAL remembers what it was told of a store; others may have changed it.
    fn forget(&self) -> Result<()> {
        let name = gdal_glue::c_string(&self.root)?;
        gdal_glue::clear_messages();
        // SAFETY: the string lives until the call returns.
        unsafe { gdal_sys::VSICurlPartialClearCache(name.as_ptr()) };
        Ok(())
    }

    /// Size of a file; `None` if there is none.
    pub(crate) fn bytes_of(&self, path: &str) -> Result<Option<u64>> {
        self.forget()?;
        let name = self.name(path)?;
        // SAFETY: the strings live until the call returns; the file is open until it is closed, once.
        unsafe {
            let file = gdal_sys::VSIFOpenL(name.as_ptr(), c"rb".as_ptr());
            if file.is_null() {
                return Ok(None);
            }
            let at_end = gdal_sys::VSIFSeekL(file, 0, SEEK_END) == 0;
            let bytes = gdal_sys::VSIFTellL(file);
            gdal_sys::VSIFCloseL(file);
            if at_end { Ok(Some(bytes)) } else { Err(self.failed(path, "read")) }
        }
    }

    /// Every file below the folder.
    pub(crate) fn list(&self) -> Result<BTreeSet<String>> {
        self.forget()?;
        let root = gdal_glue::c_string(&self.root)?;
        let mut files = BTreeSet::new();
        // SAFETY: GDAL allocates the list, which ends with a null; its strings are copied before we free it.
        unsafe {
            let list = gdal_sys::VSIReadDirRecursive(root.as_ptr());
            let mut entry = list;
            while !entry.is_null() && !(*entry).is_null() {
                let name = CStr::from_ptr(*entry).to_string_lossy().into_owned();
                if !name.ends_with('/') && !name.is_empty() {
                    files.insert(name);
                }
                entry = entry.add(1);
            }
            gdal_sys::CSLDestroy(list);
        }
        // Some stores list folders like files.
        let is_folder = |name: &String| files.iter().any(|other| other.starts_with(&format!("{name}/")));
        let folders: BTreeSet<String> = files.iter().filter(|name| is_folder(name)).cloned().collect();
        files.retain(|name| !folders.contains(name));
        Ok(files)
    }

    fn open(&self, path: &str) -> Result<VirtualFile> {
        let name = PathBuf::from(format!("{}/{path}", self.root));
        gdal_glue::clear_messages();
        VirtualFile::open(&name).map_err(|_| self.failed(path, "read"))
    }

    /// All of a small file.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.read_to_end(&mut bytes).map_err(|_| self.failed(path, "read"))?;
        Ok(bytes)
    }

    /// The hash of a file, which comes over the network for that.
    pub(crate) fn sha256(&self, path: &str) -> Result<String> {
        let (mut file, mut hash, mut buffer) = (self.open(path)?, Sha256::new(), vec![0; CHUNK]);
        loop {
            interrupt::check()?;
            match file.read(&mut buffer).map_err(|_| self.failed(path, "read"))? {
                0 => return Ok(hexadecimal(&hash.finalize())),
                count => hash.update(&buffer[..count]),
            }
        }
    }

    /// Puts a file of this machine there, and looks whether all of it arrived.
    pub(crate) fn put_file(&self, path: &str, local: &Path) -> Result<()> {
        let mut file = File::open(local).map_err(|error| atomic::io_error(local, &error))?;
        self.put(path, |buffer| file.read(buffer).map_err(|error| atomic::io_error(local, &error)))
    }

    /// The same of bytes.
    pub(crate) fn put_bytes(&self, path: &str, mut bytes: &[u8]) -> Result<()> {
        self.put(path, |buffer| bytes.read(buffer).map_err(|_| self.failed(path, "written")))
    }

    fn put(&self, path: &str, mut next: impl FnMut(&mut [u8]) -> Result<usize>) -> Result<()> {
        let name = self.name(path)?;
        gdal_glue::clear_messages();
        // SAFETY: both strings live until the call returns.
        let file = unsafe { gdal_sys::VSIFOpenL(name.as_ptr(), c"wb".as_ptr()) };
        if file.is_null() {
            return Err(self.failed(path, "written"));
        }
        let (mut buffer, mut sent) = (vec![0; CHUNK], 0u64);
        let written = loop {
            match interrupt::check().and_then(|()| next(&mut buffer)) {
                Err(error) => break Err(error),
                Ok(0) => break Ok(()),
                Ok(count) => {
                    // SAFETY: GDAL reads as many bytes as the buffer holds of an open file.
                    let done = unsafe { gdal_sys::VSIFWriteL(buffer.as_ptr().cast(), 1, count, file) };
                    if done != count {
                        break Err(self.failed(path, "written"));
                    }
                    sent += count as u64;
                }
            }
        };
        // SAFETY: opened above, closed once. What a store keeps it keeps from here on.
        let closed = unsafe { gdal_sys::VSIFCloseL(file) };
        written?;
        if closed != 0 || gdal_glue::take_messages().iter().any(|message| message.is_error) {
            return Err(self.failed(path, "written"));
        }
        match self.bytes_of(path)? {
            Some(there) if there == sent => Ok(()),
            there => Err(Error::again(format!(
                "'{}/{path}' did not arrive whole: {sent} bytes were sent, {} are there; try again",
                self.root,
                there.unwrap_or(0)
            ))),
        }
    }

    /// Removes a file if it is there.
    pub(crate) fn remove(&self, path: &str) -> Result<()> {
        if self.bytes_of(path)?.is_none() {
            return Ok(());
        }
        let name = self.name(path)?;
        gdal_glue::clear_messages();
        // SAFETY: the string lives until the call returns.
        match unsafe { gdal_sys::VSIUnlink(name.as_ptr()) } {
            0 => Ok(()),
            _ => Err(self.failed(path, "removed")),
        }
    }
}
