//! SHA-256 of bytes, files and streams. One hash for everything stored: with the processor's own instructions it is as
//! fast as the disk, and equal hashes prove equal bytes.

use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{Error, Result, files};

/// The hash of bytes, lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of a file's bytes.
pub fn sha256_file(path: &Path) -> Result<String> {
    let failed =
        |error: io::Error| Error::failed(format!("{} cannot be read: {error}.", path.display())).caused_by(error);
    let file = files::open(path).map_err(failed)?;
    Ok(hexadecimal(&of_stream(file).map_err(failed)?.finalize()))
}

/// The hash of everything a reader gives.
pub(crate) fn of_stream(mut input: impl Read) -> io::Result<Sha256> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        let count = input.read(&mut buffer)?;
        if count == 0 {
            return Ok(hash);
        }
        hash.update(&buffer[..count]);
    }
}

/// Hashes what passes through.
pub(crate) struct HashingWriter<W> {
    pub inner: W,
    pub hash: Sha256,
    pub bytes: u64,
}

impl<W: Write> HashingWriter<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, hash: Sha256::new(), bytes: 0 }
    }
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.hash.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
