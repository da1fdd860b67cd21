//! Tiles in memory, where rocks are being counted, or in a file, out of which each is read when it is asked for: what is made of a finished run needs a few
//! tiles at a time, however large the map.
//!
//! A list of tiles in a file: number of the tile, length, bytes, tile after tile in order of number; then [`END`].

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read, Seek, Write};
use std::sync::{Arc, OnceLock};

use crate::hazard::codec;
use crate::hazard::sparse::SparseTiles;
use crate::{Error, Result};

/// In place of the next tile's number.
const END: u64 = u64::MAX;

/// Reads bytes at a place.
type ReadAt = dyn Fn(u64, &mut [u8]) -> io::Result<()> + Send + Sync;

/// Where stored tiles are read from. Those who walk over cells cannot fail in between: what could not be read is told at the end, by [`Self::is_readable`].
pub struct TileFile {
    read: Box<ReadAt>,
    failure: OnceLock<Error>,
}

impl fmt::Debug for TileFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TileFile").field("failure", &self.failure).finish_non_exhaustive()
    }
}

impl TileFile {
    /// `read` fills the bytes from a place on.
    pub fn new(read: impl Fn(u64, &mut [u8]) -> io::Result<()> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { read: Box::new(read), failure: OnceLock::new() })
    }

    /// Whether everything that was asked for could be read. Whoever makes something of the counts must ask before it counts as made.
    pub fn is_readable(&self) -> Result<()> {
        self.failure.get().map_or(Ok(()), |error| Err(error.clone()))
    }

    fn bytes(&self, place: &Place) -> Result<Vec<u8>> {
        let mut bytes = vec![0; place.length as usize];
        (self.read)(place.at, &mut bytes).map_err(|error| {
            Error::failed(format!("the stored counts cannot be read any more ({error}): try again")).caused_by(error)
        })?;
        Ok(bytes)
    }

    fn note<T>(&self, found: Result<T>) -> Option<T> {
        found.map_err(|error| self.failure.get_or_init(|| error)).ok()
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    index: usize,
    at: u64,
    length: u32,
}

/// The tiles of a lattice that hold something.
#[derive(Debug, Clone)]
pub(crate) enum Tiles<T> {
    Held(SparseTiles<T>),
    Stored { count: usize, places: Vec<Place>, file: Arc<TileFile> },
}

impl<T: Clone> Tiles<T> {
    /// Slots, empty or not.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Held(tiles) => tiles.len(),
            Self::Stored { count, .. } => *count,
        }
    }

    /// Numbers of those that are there, in order.
    pub(crate) fn indices(&self) -> Vec<usize> {
        match self {
            Self::Held(tiles) => tiles.iter().map(|(index, _)| index).collect(),
            Self::Stored { places, .. } => places.iter().map(|place| place.index).collect(),
        }
    }

    pub(crate) fn get(&self, index: usize, decode: impl FnOnce(&[u8]) -> Result<T>) -> Option<Cow<'_, T>> {
        match self {
            Self::Held(tiles) => tiles.get(index).map(Cow::Borrowed),
            Self::Stored { places, file, .. } => {
                let place = &places[places.binary_search_by_key(&index, |place| place.index).ok()?];
                file.note(file.bytes(place).and_then(|bytes| decode(&bytes))).map(Cow::Owned)
            }
        }
    }

    /// `None` beyond the last, and in a file: nothing can be counted there.
    pub(crate) fn slot(&mut self, index: usize) -> Option<&mut Option<T>> {
        match self {
            Self::Held(tiles) => tiles.slot(index),
            Self::Stored { .. } => None,
        }
    }

    pub(crate) fn memory_bytes(&self, of: impl Fn(&T) -> usize) -> usize {
        match self {
            Self::Held(tiles) => tiles.memory_bytes() + tiles.iter().map(|(_, tile)| of(tile)).sum::<usize>(),
            Self::Stored { places, .. } => places.len() * size_of::<Place>(),
        }
    }

    /// Writes the list; `encode` makes the bytes of a tile in memory.
    pub(crate) fn write(
        &self,
        out: &mut impl Write,
        encode: impl Fn(usize, &T) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        match self {
            Self::Held(tiles) => tiles.iter().try_for_each(|(index, tile)| put(out, index, &encode(index, tile)?))?,
            Self::Stored { places, file, .. } => places
                .iter()
                .try_for_each(|place| put(out, place.index, &file.bytes(place).map_err(io::Error::other)?))?,
        }
        end(out)
    }

    /// Reads a list into memory.
    pub(crate) fn read(
        mut tiles: SparseTiles<T>,
        input: &mut impl Read,
        mut decode: impl FnMut(&[u8]) -> Result<T>,
    ) -> Result<Self> {
        while let Some((index, bytes)) = next(input)? {
            let tile = decode(&bytes)?;
            *tiles.slot(index).ok_or_else(other_raster)? = Some(tile);
        }
        Ok(Self::Held(tiles))
    }

    /// Notes where the tiles of a list lie, and passes over them.
    pub(crate) fn open<R: Read + Seek>(count: usize, input: &mut Counted<R>, file: &Arc<TileFile>) -> Result<Self> {
        let mut places = Vec::new();
        loop {
            let index = codec::take_u64(input)?;
            if index == END {
                places.shrink_to_fit();
                return Ok(Self::Stored { count, places, file: file.clone() });
            }
            let (index, length) = (index as usize, codec::take_u32(input)?);
            if index >= count || places.last().is_some_and(|last: &Place| last.index >= index) {
                return Err(other_raster());
            }
            places.push(Place { index, at: input.at, length });
            input.skip(length.into())?;
        }
    }
}

fn other_raster() -> Error {
    Error::failed("the stored counts belong to another raster")
}

fn put(out: &mut impl Write, index: usize, bytes: &[u8]) -> io::Result<()> {
    codec::put_u64(out, index as u64)?;
    codec::put_u32(out, u32::try_from(bytes.len()).map_err(io::Error::other)?)?;
    out.write_all(bytes)
}

fn end(out: &mut impl Write) -> io::Result<()> {
    codec::put_u64(out, END)
}

/// The next tile of a list.
fn next(input: &mut impl Read) -> Result<Option<(usize, Vec<u8>)>> {
    let index = codec::take_u64(input)?;
    if index == END {
        return Ok(None);
    }
    let length = u64::from(codec::take_u32(input)?);
    let mut bytes = Vec::new();
    let cut_off = || Error::failed("the stored results end too early: recompute this part of the run");
    input.by_ref().take(length).read_to_end(&mut bytes).map_err(|_| cut_off())?;
    if bytes.len() as u64 == length { Ok(Some((index as usize, bytes))) } else { Err(cut_off()) }
}

/// Lists of tiles become one, of which a tile of each is in memory. `join` makes one of those with the same number: the number of the part, and the bytes.
pub(crate) fn merge_lists<R: Read>(
    parts: &mut [R],
    out: &mut impl Write,
    mut join: impl FnMut(Vec<(usize, Vec<u8>)>) -> Result<Vec<u8>>,
) -> Result<()> {
    let unwritten =
        |error: io::Error| Error::failed(format!("the counts cannot be written ({error})")).caused_by(error);
    let mut heads = parts.iter_mut().map(next).collect::<Result<Vec<_>>>()?;
    while let Some(index) = heads.iter().flatten().map(|(index, _)| *index).min() {
        let mut same = Vec::new();
        for (k, (head, part)) in heads.iter_mut().zip(parts.iter_mut()).enumerate() {
            if head.as_ref().is_some_and(|(of, _)| *of == index)
                && let Some((_, bytes)) = std::mem::replace(head, next(part)?)
            {
                if head.as_ref().is_some_and(|(following, _)| *following <= index) {
                    return Err(Error::failed("the stored counts are not in order: recompute this part of the run"));
                }
                same.push((k, bytes));
            }
        }
        put(out, index, &join(same)?).map_err(unwritten)?;
    }
    end(out).map_err(unwritten)
}

/// Knows where in its input it is.
pub struct Counted<R> {
    input: R,
    at: u64,
}

impl<R: Read + Seek> Counted<R> {
    /// At the beginning.
    pub fn new(input: R) -> Self {
        Self { input, at: 0 }
    }

    fn skip(&mut self, bytes: u64) -> Result<()> {
        let unreadable =
            |error: io::Error| Error::failed(format!("the stored results cannot be read ({error})")).caused_by(error);
        self.input.seek_relative(bytes as i64).map_err(unreadable)?;
        self.at += bytes;
        Ok(())
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        self.at += read as u64;
        Ok(read)
    }
}
