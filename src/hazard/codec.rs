//! Little-endian numbers to and from byte streams, for accumulators in checkpoints and shards.

use std::io::{self, Read, Write};

use crate::{Error, Result};

/// Four bytes, little-endian.
pub fn put_u32(out: &mut impl Write, value: u32) -> io::Result<()> {
    out.write_all(&value.to_le_bytes())
}

/// Eight bytes, little-endian.
pub fn put_u64(out: &mut impl Write, value: u64) -> io::Result<()> {
    out.write_all(&value.to_le_bytes())
}

/// Bytes after their number.
pub fn put_bytes(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    put_u64(out, bytes.len() as u64)?;
    out.write_all(bytes)
}

/// Reads what [`put_u32`] wrote.
pub fn take_u32(input: &mut impl Read) -> Result<u32> {
    let mut bytes = [0; 4];
    take(input, &mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Reads what [`put_u64`] wrote.
pub fn take_u64(input: &mut impl Read) -> Result<u64> {
    let mut bytes = [0; 8];
    take(input, &mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// Fills the bytes.
pub fn take(input: &mut impl Read, bytes: &mut [u8]) -> Result<()> {
    input.read_exact(bytes).map_err(damaged)
}

/// A byte string of any announced length; a wrong announcement ends with the input, not with the memory.
pub fn take_bytes(input: &mut impl Read) -> Result<Vec<u8>> {
    let length = take_u64(input)?;
    let mut bytes = Vec::new();
    input.by_ref().take(length).read_to_end(&mut bytes).map_err(damaged)?;
    if bytes.len() as u64 != length {
        return Err(Error::failed("the stored results end too early: recompute this part of the run"));
    }
    Ok(bytes)
}

fn damaged(error: io::Error) -> Error {
    Error::failed(format!("the stored results cannot be read ({error}): recompute this part of the run"))
}
