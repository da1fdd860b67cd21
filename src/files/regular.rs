//! Inputs are files of a size that fits: a pipe, a socket or a device would keep us waiting for ever.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::links::broken_link;
use crate::{Error, Result};

/// Refuses what can be opened but need never end: named pipes, sockets, devices. What does not exist is left to others.
pub fn refuse_endless(path: &Path, what: &str) -> Result<()> {
    let Some(kind) = fs::metadata(path).ok().and_then(|metadata| endless_kind(&metadata)) else { return Ok(()) };
    Err(Error::input(format!(
        "{what} '{}' is {kind}, expected a file: save what it delivers as a file and name that",
        path.display()
    )))
}

#[cfg(unix)]
fn endless_kind(metadata: &fs::Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        Some("a named pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else if kind.is_char_device() || kind.is_block_device() {
        Some("a device")
    } else {
        None
    }
}

#[cfg(not(unix))]
fn endless_kind(_metadata: &fs::Metadata) -> Option<&'static str> {
    None
}

/// The same for everything in a folder whose name begins with `stem`: programs look at the companions of a file
/// (`dem.tfw`, `dem.prj`) without being asked.
pub fn refuse_endless_companions(folder: &Path, stem: &str, what: &str) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    let mut named: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(stem))
        .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_file() && !kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    named.sort();
    named.iter().try_for_each(|path| refuse_endless(path, what))
}

/// Opens what a verb stored: whatever lies in its place by now, this does not wait for it.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    match fs::metadata(path).ok().and_then(|metadata| endless_kind(&metadata)) {
        Some(kind) => Err(io::Error::other(format!("it is {kind}, not a file"))),
        None => File::open(path),
    }
}

/// All bytes of a file that has at most `most_bytes`.
pub fn read(path: &Path, what: &str, most_bytes: u64) -> Result<Vec<u8>> {
    refuse_endless(path, what)?;
    let shown = path.display();
    let unreadable = |error: std::io::Error| match broken_link(path) {
        Some(link) => Error::input(format!("{what} cannot be read: {link}")),
        None => Error::input(format!("{what} '{shown}' cannot be read ({error})")),
    };
    let length = fs::metadata(path).map_err(unreadable)?.len();
    if length > most_bytes {
        return Err(Error::input(format!(
            "{what} '{shown}' has {} MB, expected at most {} MB: is it another kind of file?",
            length >> 20,
            most_bytes >> 20
        )));
    }
    fs::read(path).map_err(unreadable)
}

/// As [`read`], for text.
pub fn read_text(path: &Path, what: &str, most_bytes: u64) -> Result<String> {
    String::from_utf8(read(path, what, most_bytes)?).map_err(|_| {
        Error::input(format!("{what} '{}' is not text in UTF-8: is it another kind of file?", path.display()))
    })
}
