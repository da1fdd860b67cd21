//! Everything counted so far in one file: the checkpoint of a running run, the result of a shard, and the results a
//! finished run keeps for later classification. The same counts give the same bytes.
//!
//! ```text
//! magic, length of the head, head (JSON), SHA-256 of all that; counts; length of all that, SHA-256 of all that
//! ```
//! Counts lie tile by tile in order, so that parts are joined, and a finished run is read, with a few tiles in memory.
//! The hash is looked at before anything is made of the bytes: a damaged file gives no result. The head has one of its own
//! because joining parts reads all heads first, and counts may be large.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files::atomic;
use crate::files::hash::{self, HashingWriter};
use crate::hazard::accumulator::{Accumulator, Wanted};
use crate::hazard::codec;
use crate::hazard::quantity::PerQuantity;
use crate::hazard::squares::Squares;
use crate::hazard::stored::{Counted, TileFile};
use crate::process::memory;
use crate::store::identity::Identity;
use crate::store::log::{LogSum, PerLog};
use crate::store::overlays::Overlay;
use crate::store::settled::Settled;
use crate::terrain::Lattice;
use crate::{Error, Result, files};

/// Length and hash at the end.
const TAIL: u64 = 8 + 32;
/// Its number is raised whenever the same bytes would mean something else; a test below notices.
const MAGIC: &[u8; 16] = b"couloir state 7\n";

/// No DEM has more.
const MOST_CELLS: usize = 1 << 44;

/// What stands at the head of a state file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// By which the run is known.
    pub identity: Identity,
    /// Trajectories this part is to compute: from, and up to but not including. Counted from 0 to `total`.
    pub range: (u64, u64),
    /// The first one not yet computed.
    pub next: u64,
    /// `None` for a run without barriers, else `with_barriers` and `without_barriers`.
    pub variants: Vec<Option<String>>,
    /// Names, in order.
    pub scenarios: Vec<Option<String>>,
    /// The logs, by variant; nothing before the first checkpoint.
    pub logs: Vec<PerLog<LogSum>>,
    /// Where the project was.
    pub project_path: PathBuf,
    /// Names.
    pub layers: Vec<String>,
    /// What is drawn over every map, for a later classification.
    pub overlays: Vec<Overlay>,
    /// How far the map had settled after each batch.
    #[serde(default)]
    pub curve: Vec<Settled>,
    /// Trajectories that were not there when parts were merged for a look: from, and up to but not including.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<(u64, u64)>,
}

/// A state; accumulators by variant, then scenario.
#[derive(Debug, Clone)]
pub struct State {
    /// All but the counts.
    pub header: Header,
    /// The cells.
    pub lattice: Lattice,
    /// What is counted.
    pub wanted: Wanted,
    /// By variant and scenario.
    pub accumulators: Vec<Vec<Accumulator>>,
    /// Where the tiles are, if they are not in memory.
    file: Option<Arc<TileFile>>,
}

impl State {
    pub(crate) fn new(header: Header, lattice: Lattice, wanted: Wanted) -> Self {
        let scenarios = vec![Accumulator::new(lattice, wanted.clone()); header.scenarios.len()];
        let accumulators = vec![scenarios; header.variants.len()];
        let mut new = Self { header, lattice, wanted, accumulators, file: None };
        new.weigh();
        new
    }

    /// Tells the counts what each rock stands for: by rounds it depends on how many have fallen in the end. What parts that are
    /// missing would have added is taken to be like the rest, which is a sample of the same release areas.
    pub(crate) fn weigh(&mut self) {
        let Identity { round, total, .. } = self.header.identity;
        let missing: u64 = self.header.missing.iter().map(|(from, to)| to - from).sum();
        let scale = round.map_or(1.0, |round| round as f64 / (total - missing.min(total)).max(1) as f64);
        self.accumulators.iter_mut().flatten().for_each(|counts| counts.frequency_scale = scale);
    }

    /// Writes the file; it appears only when complete.
    pub fn save(&self, path: &Path) -> Result<()> {
        let fail = |error: io::Error| atomic::io_error(path, &error);
        save(path, |out| {
            self.write_head(out).map_err(fail)?;
            self.accumulators.iter().flatten().try_for_each(|counts| counts.write(out)).map_err(fail)
        })
    }

    /// Writes the file that joins parts of this run, a tile of each in memory at a time. This state has counted nothing.
    pub(crate) fn save_merged(&self, path: &Path, parts: &[PathBuf]) -> Result<()> {
        let mut inputs = Vec::new();
        for part in parts {
            inputs.push(Self::load_with(part, |file| {
                let file = file.try_clone().map_err(|error| atomic::io_error(part, &error))?;
                let mut input = BufReader::with_capacity(1 << 17, file);
                let found = Self::read_head(&mut input)?;
                let same = self.wanted == found.wanted
                    && self.lattice == found.lattice
                    && self.header.variants == found.header.variants
                    && self.header.scenarios == found.header.scenarios;
                if same { Ok(input) } else { Err(Error::input("it counts other things than the run it is to join")) }
            })?);
        }
        save(path, |out| {
            self.write_head(out).map_err(|error| atomic::io_error(path, &error))?;
            let mut all = self.accumulators.iter().flatten();
            all.try_for_each(|counts| Accumulator::merge(counts.lattice, &counts.wanted, &mut inputs, out))
        })
    }

    fn write_head(&self, out: &mut impl Write) -> io::Result<()> {
        let mut head = MAGIC.to_vec();
        codec::put_bytes(&mut head, &serde_json::to_vec(&self.header)?)?;
        out.write_all(&head)?;
        out.write_all(&Sha256::digest(&head))?;
        let Lattice { nx, ny, x0, y0, dx, dy } = self.lattice;
        codec::put_u64(out, nx as u64)?;
        codec::put_u64(out, ny as u64)?;
        // Binary: decimal text would not bring every coordinate back to the bit.
        for value in [x0, y0, dx, dy] {
            codec::put_u64(out, value.to_bits())?;
        }
        let Wanted { max, histogram, mean, sources, .. } = &self.wanted;
        let flags = [max, histogram, mean].into_iter().flat_map(|flags| flags.values()).chain([sources]);
        out.write_all(&flags.map(|&flag| u8::from(flag)).collect::<Vec<u8>>())?;
        codec::put_u64(out, self.wanted.energies_kj.len() as u64)?;
        for energy in &self.wanted.energies_kj {
            codec::put_u64(out, energy.to_bits())?;
        }
        let Squares { widths_m, energies_kj, frequency } = &self.wanted.squares;
        for list in [widths_m, energies_kj] {
            codec::put_u64(out, list.len() as u64)?;
            list.iter().try_for_each(|value| codec::put_u64(out, value.to_bits()))?;
        }
        out.write_all(&[u8::from(*frequency)])
    }

    /// Reads a state to which nothing is added any more, and checks it: a large one stays in its file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        if std::fs::metadata(path).is_ok_and(|data| data.len() <= memory::for_counts()) {
            Self::load(path)
        } else {
            Self::locate(path)
        }
    }

    /// Reads all of a state but its tiles.
    fn locate(path: &Path) -> Result<Self> {
        Self::load_with(path, |file| {
            check_whole(file)?;
            let own = file.try_clone().map_err(|error| atomic::io_error(path, &error))?;
            let tiles = TileFile::new(move |at, bytes| read_at(&own, at, bytes));
            let mut input = Counted::new(BufReader::with_capacity(1 << 17, file));
            let mut state = Self::read_head(&mut input)?;
            for counts in state.accumulators.iter_mut().flatten() {
                *counts = Accumulator::open(state.lattice, state.wanted.clone(), &mut input, &tiles)?;
            }
            state.file = Some(tiles);
            state.weigh();
            Ok(state)
        })
    }

    /// Whether tiles lie in a file: then nothing can be added.
    pub(crate) fn is_stored(&self) -> bool {
        self.file.is_some()
    }

    /// Whether all tiles that were asked for could be read.
    pub fn is_readable(&self) -> Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.is_readable())
    }

    /// Reads a state into memory and checks it.
    pub fn load(path: &Path) -> Result<Self> {
        Self::load_with(path, |file| {
            check_whole(file)?;
            Self::read(&mut BufReader::with_capacity(1 << 20, file))
        })
    }

    /// The head of a file alone.
    pub(crate) fn load_header(path: &Path) -> Result<Header> {
        Self::load_with(path, |file| Self::read_header(&mut BufReader::new(file)))
    }

    /// Whether the file is the one that was written.
    pub(crate) fn is_intact(path: &Path) -> bool {
        Self::check(path).is_ok()
    }

    /// Refuses a file that is not the one that was written.
    pub(crate) fn check(path: &Path) -> Result<()> {
        Self::load_with(path, check_whole)
    }

    fn load_with<T>(path: &Path, read: impl Fn(&mut File) -> Result<T>) -> Result<T> {
        let unreadable =
            |error: io::Error| Error::input(format!("'{}' cannot be read ({error})", path.display())).caused_by(error);
        let mut file = files::open(path).map_err(unreadable)?;
        read(&mut file)
            .map_err(|error| Error::input(format!("'{}': {}", path.display(), error.message)).caused_by(error))
    }

    fn read_header(input: &mut impl Read) -> Result<Header> {
        let mut magic = [0; 16];
        if input.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Err(Error::input(
                "this is no stored result of this version of couloir; run the project again with this version",
            ));
        }
        let text = codec::take_bytes(input)?;
        let mut head = Sha256::new_with_prefix(MAGIC);
        head.update((text.len() as u64).to_le_bytes());
        head.update(&text);
        let mut hash = [0; 32];
        codec::take(input, &mut hash)?;
        if head.finalize()[..] != hash {
            return Err(damaged());
        }
        serde_json::from_slice(&text).map_err(|error| {
            Error::input(format!("the stored result is of another version of couloir ({error})")).caused_by(error)
        })
    }

    fn read(input: &mut impl Read) -> Result<Self> {
        let mut state = Self::read_head(input)?;
        for counts in state.accumulators.iter_mut().flatten() {
            *counts = Accumulator::read(state.lattice, state.wanted.clone(), input)?;
        }
        state.weigh();
        Ok(state)
    }

    /// All but the counts.
    fn read_head(input: &mut impl Read) -> Result<Self> {
        let header = Self::read_header(input)?;
        let (nx, ny) = (codec::take_u64(input)? as usize, codec::take_u64(input)? as usize);
        let mut reals = [0.0; 4];
        for value in &mut reals {
            *value = f64::from_bits(codec::take_u64(input)?);
        }
        let [x0, y0, dx, dy] = reals;
        let cells = nx.checked_mul(ny).filter(|cells| (1..=MOST_CELLS).contains(cells));
        cells.ok_or_else(damaged)?;
        let lattice = Lattice { nx, ny, x0, y0, dx, dy };
        let mut flags = [0; 13];
        codec::take(input, &mut flags)?;
        let flag = |i: usize| flags[i] == 1;
        let mut wanted = Wanted {
            max: PerQuantity::new(std::array::from_fn(flag)),
            histogram: PerQuantity::new(std::array::from_fn(|i| flag(4 + i))),
            mean: PerQuantity::new(std::array::from_fn(|i| flag(8 + i))),
            sources: flag(12),
            energies_kj: Vec::new(),
            squares: Squares::default(),
        };
        let Wanted { energies_kj, squares, .. } = &mut wanted;
        for list in [energies_kj, &mut squares.widths_m, &mut squares.energies_kj] {
            for _ in 0..codec::take_u64(input)? {
                list.push(f64::from_bits(codec::take_u64(input)?));
            }
        }
        let mut frequency = [0];
        codec::take(input, &mut frequency)?;
        squares.frequency = frequency[0] == 1;
        Ok(Self::new(header, lattice, wanted))
    }
}

/// A file with its length and hash at the end; it appears only when complete.
fn save(path: &Path, write: impl FnOnce(&mut BufWriter<HashingWriter<File>>) -> Result<()>) -> Result<()> {
    atomic::write(path, |temporary| {
        let fail = |error: io::Error| atomic::io_error(path, &error);
        let file = HashingWriter::new(File::create(temporary).map_err(fail)?);
        let mut out = BufWriter::with_capacity(1 << 20, file);
        write(&mut out)?;
        out.flush().map_err(fail)?;
        let file = out.get_mut();
        let end = codec::put_u64(&mut file.inner, file.bytes)
            .and_then(|()| file.inner.write_all(&file.hash.clone().finalize()))
            // At once, whatever is said about other files: it takes the place of the last checkpoint.
            .and_then(|()| file.inner.sync_data());
        end.map_err(fail)
    })
}

/// Fills the bytes from a place on, whoever else reads the file.
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
    }
    #[cfg(windows)]
    {
        let mut done = 0;
        while done < bytes.len() {
            match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], at + done as u64)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => done += read,
            }
        }
        Ok(())
    }
}

/// Compares a file with the length and hash at its end, and goes back to its beginning.
fn check_whole(file: &mut File) -> Result<()> {
    let unreadable =
        |error: io::Error| Error::input(format!("the stored result cannot be read ({error})")).caused_by(error);
    let length = file.metadata().map_err(unreadable)?.len();
    let mut magic = [0; 16];
    let known = file.read_exact(&mut magic).is_ok() && magic == *MAGIC;
    file.rewind().map_err(unreadable)?;
    if !known {
        // The head says it better.
        return State::read_header(file).map(|_| ());
    }
    let counted = length.checked_sub(TAIL).ok_or_else(damaged)?;
    let hash = hash::of_stream(Read::by_ref(file).take(counted)).map_err(unreadable)?.finalize();
    let mut tail = Vec::new();
    file.read_to_end(&mut tail).map_err(unreadable)?;
    if tail != [&counted.to_le_bytes()[..], &hash[..]].concat() {
        return Err(damaged());
    }
    file.seek(SeekFrom::Start(0)).map_err(unreadable).map(|_| ())
}

fn damaged() -> Error {
    Error::input(
        "the stored result is damaged (it does not match the checksum written with it); compute this part of the run again",
    )
}

#[cfg(test)]
mod tests;
