//! Everything counted so far in one file: the checkpoint of a running run, the result of a shard, and the results a
//! finished run keeps for later classification. The same counts give the same bytes.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::geo::atomic;
use crate::hazard::accumulator::{Accumulator, Wanted};
use crate::hazard::codec;
use crate::output::preview::Overlay;
use crate::terrain::Lattice;
use crate::{Error, Result};

const MAGIC: &[u8; 16] = b"couloir state 2\n";

/// What makes two parts parts of the same run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub engine_version: String,
    pub project_sha256: String,
    /// Role and hash of every input file.
    pub inputs: Vec<(String, String)>,
    pub seed: u64,
    /// Releases the project plans.
    pub planned: u64,
    /// Trajectories of the whole run: all of them, or as many as `--limit` lets through.
    pub total: u64,
}

impl Identity {
    /// Why another part does not belong to this run; `None` if it does.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let differs =
            |what: &str, a: &dyn std::fmt::Display, b: &dyn std::fmt::Display| Some(format!("{what} ({a} and {b})"));
        let short = |hash: &str| hash.chars().take(12).collect::<String>();
        if self.engine_version != other.engine_version {
            return differs("versions of couloir", &self.engine_version, &other.engine_version);
        }
        if self.project_sha256 != other.project_sha256 {
            return differs(
                "project files, by their hash",
                &short(&self.project_sha256),
                &short(&other.project_sha256),
            );
        }
        for ((role, mine), (_, theirs)) in self.inputs.iter().zip(&other.inputs) {
            if mine != theirs {
                return differs(&format!("input files for {role}, by their hash"), &short(mine), &short(theirs));
            }
        }
        if self.inputs.len() != other.inputs.len() {
            return differs("numbers of input files", &self.inputs.len(), &other.inputs.len());
        }
        if self.seed != other.seed {
            return differs("seeds", &self.seed, &other.seed);
        }
        if (self.planned, self.total) != (other.planned, other.total) {
            return differs("numbers of trajectories", &self.total, &other.total);
        }
        None
    }
}

/// What stands at the head of a state file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub identity: Identity,
    /// Trajectories this part is to compute: from, and up to but not including. Counted from 0 to `total`.
    pub range: (u64, u64),
    /// The first one not yet computed.
    pub next: u64,
    /// `None` for a run without barriers, else `with_barriers` and `without_barriers`.
    pub variants: Vec<Option<String>>,
    pub scenarios: Vec<Option<String>>,
    /// Bytes in the logs, by variant, in the order of [`crate::output::run_folder::LOGS`].
    pub log_lengths: Vec<Vec<u64>>,
    pub project_path: PathBuf,
    pub layers: Vec<String>,
    /// What is drawn over every map, for a later classification.
    pub overlays: Vec<Overlay>,
}

/// A state file in memory; accumulators by variant, then scenario.
#[derive(Debug, Clone)]
pub struct State {
    pub header: Header,
    pub lattice: Lattice,
    pub wanted: Wanted,
    pub accumulators: Vec<Vec<Accumulator>>,
}

impl State {
    pub fn new(header: Header, lattice: Lattice, wanted: Wanted) -> Self {
        let scenarios = vec![Accumulator::new(lattice, wanted.clone()); header.scenarios.len()];
        let accumulators = vec![scenarios; header.variants.len()];
        Self { header, lattice, wanted, accumulators }
    }

    /// Writes the file; it appears only when complete.
    pub fn save(&self, path: &Path) -> Result<()> {
        atomic::write(path, |temporary| {
            let fail = |error: io::Error| atomic::io_error(path, &error);
            let mut out = BufWriter::with_capacity(1 << 20, File::create(temporary).map_err(fail)?);
            // At once, whatever is said about other files: it takes the place of the last checkpoint.
            self.write(&mut out).and_then(|()| out.flush()).and_then(|()| out.get_ref().sync_data()).map_err(fail)
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        codec::put_bytes(out, &serde_json::to_vec(&self.header)?)?;
        let Lattice { nx, ny, x0, y0, dx, dy } = self.lattice;
        codec::put_u64(out, nx as u64)?;
        codec::put_u64(out, ny as u64)?;
        // Binary: decimal text would not bring every coordinate back to the bit.
        for value in [x0, y0, dx, dy] {
            codec::put_u64(out, value.to_bits())?;
        }
        let Wanted { max, histogram, mean, sources, .. } = &self.wanted;
        let flags = max.iter().chain(histogram).chain(mean).chain([sources]);
        out.write_all(&flags.map(|&flag| u8::from(flag)).collect::<Vec<u8>>())?;
        codec::put_u64(out, self.wanted.energies_kj.len() as u64)?;
        for energy in &self.wanted.energies_kj {
            codec::put_u64(out, energy.to_bits())?;
        }
        for accumulator in self.accumulators.iter().flatten() {
            accumulator.write(out)?;
        }
        Ok(())
    }

    pub fn load(path: &Path) -> Result<Self> {
        Self::load_with(path, Self::read)
    }

    /// The head of a file alone.
    pub fn load_header(path: &Path) -> Result<Header> {
        Self::load_with(path, Self::read_header)
    }

    fn load_with<T>(path: &Path, read: impl Fn(&mut BufReader<File>) -> Result<T>) -> Result<T> {
        let unreadable = |error: io::Error| Error::input(format!("'{}' cannot be read ({error})", path.display()));
        let file = File::open(path).map_err(unreadable)?;
        read(&mut BufReader::with_capacity(1 << 20, file))
            .map_err(|error| Error { message: format!("'{}': {}", path.display(), error.message), ..error })
    }

    fn read_header(input: &mut impl Read) -> Result<Header> {
        let mut magic = [0; 16];
        if input.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Err(Error::input(
                "this is no stored result of this version of couloir; run the project again with this version",
            ));
        }
        serde_json::from_slice(&codec::take_bytes(input)?)
            .map_err(|error| Error::failed(format!("the stored result is damaged ({error})")))
    }

    fn read(input: &mut impl Read) -> Result<Self> {
        let header = Self::read_header(input)?;
        let (nx, ny) = (codec::take_u64(input)? as usize, codec::take_u64(input)? as usize);
        let mut reals = [0.0; 4];
        for value in &mut reals {
            *value = f64::from_bits(codec::take_u64(input)?);
        }
        let [x0, y0, dx, dy] = reals;
        let lattice = Lattice { nx, ny, x0, y0, dx, dy };
        let mut flags = [0; 13];
        input
            .read_exact(&mut flags)
            .map_err(|error| Error::failed(format!("the stored result is damaged ({error})")))?;
        let flag = |i: usize| flags[i] == 1;
        let mut wanted = Wanted {
            max: std::array::from_fn(flag),
            histogram: std::array::from_fn(|i| flag(4 + i)),
            mean: std::array::from_fn(|i| flag(8 + i)),
            sources: flag(12),
            energies_kj: Vec::new(),
        };
        for _ in 0..codec::take_u64(input)? {
            wanted.energies_kj.push(f64::from_bits(codec::take_u64(input)?));
        }
        let mut accumulators = Vec::new();
        for _ in &header.variants {
            let scenarios = header.scenarios.iter().map(|_| Accumulator::read(lattice, wanted.clone(), input));
            accumulators.push(scenarios.collect::<Result<Vec<_>>>()?);
        }
        Ok(Self { header, lattice, wanted, accumulators })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazard::accumulator::Passage;
    use crate::hazard::traverse::Visit;

    fn identity() -> Identity {
        Identity {
            engine_version: "0.1.0".into(),
            project_sha256: "aa".into(),
            inputs: vec![("terrain".into(), "bb".into())],
            seed: 7,
            planned: 10,
            total: 10,
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
            log_lengths: vec![vec![1, 2, 3, 4]],
            project_path: "site/project.yaml".into(),
            layers: vec!["passages".into()],
            overlays: Vec::new(),
        };
        let lattice = Lattice { nx: 40, ny: 40, x0: 2_600_000.1, y0: 0.1 + 0.2, dx: 0.5, dy: 0.5 };
        let some = [true, false, true, false];
        let wanted = Wanted { max: some, histogram: some, energies_kj: vec![0.1], ..Default::default() };
        let mut state = State::new(header, lattice, wanted);
        let visits = [Visit { cell: 77, values: [1.0, 2.0, 3.0, 4.0], energy_line_deg: 33.0 }];
        let passage = Passage { visits: &visits, source_cell: 3, deposit: Some(77), frequency_per_year: 0.5 };
        state.accumulators[0][1].add(&passage);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.bin");
        state.save(&path).unwrap();
        let back = State::load(&path).unwrap();
        let again = folder.path().join("again.bin");
        back.save(&again).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
        assert_eq!((back.header, back.lattice), (state.header, lattice));
        std::fs::write(&path, b"something else entirely").unwrap();
        assert!(State::load(&path).is_err());
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
