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
use crate::project::file::Until;
use crate::store::log::{LogSum, PerLog};
use crate::store::overlays::Overlay;
use crate::store::settled::Settled;
use crate::terrain::Lattice;
use crate::{Error, Result};

/// Length and hash at the end.
const TAIL: u64 = 8 + 32;
/// Its number is raised whenever the same bytes would mean something else; a test below notices.
const MAGIC: &[u8; 16] = b"couloir state 7\n";

/// No DEM has more.
const MOST_CELLS: usize = 1 << 44;

/// What makes two parts parts of the same run. Joining and continuing demand all of it. A finished run may be classified by
/// any engine that reads its counts: what they mean is settled by [`MAGIC`] alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// That computes it.
    pub engine_version: String,
    /// Of the project file.
    pub project_sha256: String,
    /// Every input with the hash of what was read from it.
    pub inputs: Vec<(String, String)>,
    /// Of all random draws.
    pub seed: u64,
    /// Releases the project plans.
    pub planned: u64,
    /// Trajectories of the whole run: all of them, or as many as `--limit` lets through, or as it took to settle.
    pub total: u64,
    /// Rocks a round, if releases are numbered by rounds.
    #[serde(default)]
    pub round: Option<u64>,
    /// What the map is to settle to; then `total` is the most, and in the end the count it settled at.
    #[serde(default)]
    pub until: Option<Until>,
}

impl Identity {
    /// Why another part does not belong to this run; `None` if it does.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let differs =
            |what: &str, a: &dyn std::fmt::Display, b: &dyn std::fmt::Display| Some(format!("{what} ({a} and {b})"));
        let short = |hash: &str| hash.chars().take(12).collect::<String>();
        if self.engine_version != other.engine_version {
            return differs(
                "versions of couloir, each built from sources of its own",
                &self.engine_version,
                &other.engine_version,
            );
        }
        if self.project_sha256 != other.project_sha256 {
            return differs(
                "project files, by their hash",
                &short(&self.project_sha256),
                &short(&other.project_sha256),
            );
        }
        for ((input, mine), (_, theirs)) in self.inputs.iter().zip(&other.inputs) {
            if mine != theirs {
                let what = format!("numbers in {input} as it was read, by their hash");
                return differs(&what, &short(mine), &short(theirs));
            }
        }
        if self.inputs.len() != other.inputs.len() {
            return differs("numbers of inputs", &self.inputs.len(), &other.inputs.len());
        }
        if self.seed != other.seed {
            return differs("seeds", &self.seed, &other.seed);
        }
        if self.until != other.until {
            return Some("measures under `simulation.until` (or --until-stable in one of them only)".into());
        }
        if self.round != other.round {
            return Some("ways of numbering the rocks (--rocks in one of them only)".into());
        }
        if self.until.is_none() && (self.planned, self.total) != (other.planned, other.total) {
            return differs("numbers of trajectories", &self.total, &other.total);
        }
        None
    }
}

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
        let mut file = File::open(path).map_err(unreadable)?;
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
mod tests {
    use super::*;
    use crate::hazard::accumulator::Passage;
    use crate::hazard::quantity::Quantity;
    use crate::hazard::statistics::{Need, Statistics};
    use crate::hazard::traverse::Visit;

    fn identity() -> Identity {
        Identity {
            engine_version: "0.1.0".into(),
            project_sha256: "aa".into(),
            inputs: vec![("terrain".into(), "bb".into())],
            seed: 7,
            planned: 10,
            total: 10,
            round: None,
            until: None,
        }
    }

    #[test]
    fn a_state_comes_back_to_the_bit() {
        let header = Header {
            identity: identity(),
            range: (0, 10),
            next: 4,
            variants: vec![None],
            scenarios: vec![None, Some("rare".into())],
            logs: vec![PerLog::try_from_fn(|_| Ok(LogSum { bytes: 4, sha256: "ab".into() })).unwrap()],
            project_path: "site/project.yaml".into(),
            layers: vec!["passages".into()],
            overlays: Vec::new(),
            curve: Vec::new(),
            missing: Vec::new(),
        };
        let lattice = Lattice { nx: 40, ny: 40, x0: 2_600_000.1, y0: 0.1 + 0.2, dx: 0.5, dy: 0.5 };
        let some = PerQuantity::new([true, false, true, false]);
        let squares = Squares { widths_m: vec![3.0], energies_kj: vec![30.0], frequency: true };
        let wanted = Wanted { max: some, histogram: some, energies_kj: vec![0.1], squares, ..Default::default() };
        let mut state = State::new(header, lattice, wanted);
        let visits = [Visit { cell: 77, values: PerQuantity::new([1.0, 2.0, 3.0, 4.0]), energy_line_deg: 33.0 }];
        let passage = Passage {
            visits: &visits,
            source_cell: 3,
            deposit: Some(77),
            frequency_per_year: 0.5,
            half: 1,
            weight: 1.5,
        };
        state.accumulators[0][1].add(&passage);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.bin");
        state.save(&path).unwrap();
        let back = State::load(&path).unwrap();
        let again = folder.path().join("again.bin");
        back.save(&again).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
        assert_eq!((&back.header, back.lattice), (&state.header, lattice));
        // Left in its file it is the same; joined with what has counted nothing, too.
        let left = State::locate(&path).unwrap();
        assert!(left.is_stored() && left.header == state.header);
        left.save(&again).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
        left.is_readable().unwrap();
        let empty = State::new(state.header.clone(), lattice, state.wanted.clone());
        let nothing = folder.path().join("nothing.bin");
        empty.save(&nothing).unwrap();
        empty.save_merged(&again, &[nothing.clone(), path.clone(), nothing]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
        let other = State::new(state.header.clone(), lattice, Wanted::default());
        assert!(other.save_merged(&again, std::slice::from_ref(&path)).unwrap_err().message.contains("other things"));
        std::fs::write(&path, b"something else entirely").unwrap();
        assert!(State::load(&path).is_err());
        let whole = std::fs::read(&again).unwrap();
        for bit in (0..8 * whole.len()).step_by(7) {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &flipped).unwrap();
            let refused = State::load(&path).unwrap_err();
            assert!(refused.message.contains("state.bin"), "{refused}");
            assert!(!State::is_intact(&path));
        }
        for cut in [0, 15, 16, 40, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert!(State::load(&path).is_err(), "{cut}");
        }
        std::fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        assert!(State::load(&path).is_err());
    }

    /// What the bytes of a state mean is settled by the number in its first line. Where this fails, stored results would be
    /// misread: raise that number, then note the new hash.
    #[test]
    fn stored_counts_mean_what_they_meant() {
        let header = Header {
            identity: identity(),
            range: (0, 2),
            next: 2,
            variants: vec![None],
            scenarios: vec![None],
            logs: Vec::new(),
            project_path: "project.yaml".into(),
            layers: vec!["passages".into()],
            overlays: Vec::new(),
            curve: Vec::new(),
            missing: Vec::new(),
        };
        let lattice = Lattice { nx: 70, ny: 70, x0: 2_600_000.5, y0: 1_200_000.5, dx: 1.0, dy: 1.0 };
        let all = PerQuantity::new([true; 4]);
        let squares = Squares { widths_m: vec![15.0], energies_kj: vec![30.0], frequency: true };
        let wanted = Wanted { max: all, histogram: all, mean: all, sources: true, energies_kj: vec![30.0], squares };
        let mut state = State::new(header, lattice, wanted);
        for rock in 1..=40_u8 {
            let grow = f32::from(rock);
            let values = PerQuantity::new([7.3 * grow, 1.1 * grow, 0.03 * grow, 0.5 * grow]);
            let visits = [77, 4821].map(|cell| Visit { cell, values, energy_line_deg: 33.0 });
            let passage = Passage {
                visits: &visits,
                source_cell: 3,
                deposit: Some(4821),
                frequency_per_year: 0.5,
                half: 0,
                weight: 2.0,
            };
            state.accumulators[0][0].add(&passage);
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.bin");
        state.save(&path).unwrap();
        // Behind the head, which names its own keys.
        let bytes = std::fs::read(&path).unwrap();
        let head = MAGIC.len() + 8 + u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize + 32;
        let counts = &bytes[head..bytes.len() - TAIL as usize];
        assert_eq!(hash::sha256(counts), "c0308ee009409876f3f11508d6676331a3f8ddc31adea6ec47742d6296c20977");
        let back = State::load(&path).unwrap();
        let need = Need { histogram: all, sources: true };
        let mut numbers = Vec::new();
        Statistics::new(&back.accumulators[0]).for_each_cell(need, |cell| {
            numbers.push((cell.index, cell.passages, cell.deposits, cell.sources().len()));
            let [energy, speed, jump] = [Quantity::KineticEnergy, Quantity::Velocity, Quantity::JumpHeight];
            // Interpolated between order statistics, each known to 0.8 %.
            let quantiles = [cell.quantile(energy, 0.9) / 263.53, cell.quantile(speed, 0.5) / 22.55];
            assert!(quantiles.iter().all(|ratio| (ratio - 1.0).abs() < 0.01), "{quantiles:?}");
            assert!((cell.mean(jump) - 0.615).abs() < 1e-4 && (cell.max[Quantity::KineticEnergy] - 292.0).abs() < 1e-3);
            assert!((cell.frequency_above(0) - 18.0).abs() < 1e-6, "{}", cell.frequency_above(0));
        });
        assert_eq!(numbers, [(77, 40, 0, 1), (4821, 40, 40, 1)]);
    }

    #[test]
    fn a_difference_is_named() {
        let mine = identity();
        assert_eq!(mine.difference(&identity()), None);
        let named = |other: Identity| mine.difference(&other).unwrap();
        assert!(named(Identity { seed: 8, ..identity() }).contains("seeds (7 and 8)"));
        assert!(named(Identity { project_sha256: "cc".into(), ..identity() }).contains("project files"));
        assert!(named(Identity { engine_version: "0.2.0".into(), ..identity() }).contains("0.1.0 and 0.2.0"));
        assert!(named(Identity { inputs: vec![("terrain".into(), "xx".into())], ..identity() }).contains("terrain"));
    }
}
