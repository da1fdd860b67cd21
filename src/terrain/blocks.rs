//! Values of a lattice too large for memory: in square blocks, read when one is first asked for, forgotten when there are too many.
//!
//! Blocks of all that is on a lattice (heights, classes, parameters) share one cache with one limit, and all threads share the
//! cache. Which blocks are in memory never shows in a value: a block read again is the same. Numbers are kept in 32 bits where all of a
//! block are exact in these, else in 64.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use self::windows::Windows;
pub use self::windows::{WINDOWS_BYTES, Window};
use super::grid::Lattice;
use crate::{Error, Result};

mod windows;

/// Nodes along a side of a block.
pub const SIDE: usize = 256;
/// Blocks along a side of the square that a [`View`] has at hand.
const AT_HAND: usize = 8;

/// What a block holds, row by row from the south.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// The same everywhere.
    Same(f64),
    /// Exact in 32 bits.
    Narrow(Box<[f32]>),
    /// As they are.
    Wide(Box<[f64]>),
    /// Of classes.
    Codes(Box<[u8]>),
}

impl Values {
    /// As small as they can be kept without changing one.
    pub fn packed(values: Vec<f64>) -> Self {
        let first = values.first().copied().unwrap_or(f64::NAN);
        let is_first = |value: &f64| value.to_bits() == first.to_bits() || value.is_nan() && first.is_nan();
        if values.iter().all(is_first) {
            return Self::Same(first);
        }
        if values.iter().all(|&value| f64::from(value as f32) == value || value.is_nan()) {
            return Self::Narrow(values.iter().map(|&value| value as f32).collect());
        }
        Self::Wide(values.into())
    }

    /// Of classes.
    pub fn codes(values: Vec<u8>) -> Self {
        match values.first() {
            Some(first) if values.iter().all(|value| value == first) => Self::Same(f64::from(*first)),
            _ => Self::Codes(values.into()),
        }
    }

    fn bytes(&self) -> u64 {
        let held = match self {
            Self::Same(_) => 0,
            Self::Narrow(values) => 4 * values.len(),
            Self::Wide(values) => 8 * values.len(),
            Self::Codes(values) => values.len(),
        };
        (held + 128) as u64
    }
}

/// Some columns and rows of a lattice, in memory.
#[derive(Debug)]
struct Block {
    width: usize,
    values: Values,
}

impl Block {
    /// The value of a node by its column and row within the block.
    #[inline]
    fn at(&self, column: usize, row: usize) -> f64 {
        let at = row * self.width + column;
        match &self.values {
            Values::Same(value) => *value,
            Values::Narrow(values) => f64::from(values[at]),
            Values::Wide(values) => values[at],
            Values::Codes(values) => f64::from(values[at]),
        }
    }

    /// The values of a node and its neighbours to the east, the north and the north-east; `None` if one is in another block.
    #[inline]
    fn corners(&self, column: usize, row: usize) -> Option<[f64; 4]> {
        if column + 1 >= self.width {
            return None;
        }
        let (south, north) = (row * self.width + column, (row + 1) * self.width + column);
        match &self.values {
            Values::Same(value) if row + 1 < SIDE => Some([*value; 4]),
            Values::Same(_) => None,
            Values::Narrow(values) => four(values, south, north, f64::from),
            Values::Wide(values) => four(values, south, north, |value| value),
            Values::Codes(values) => four(values, south, north, f64::from),
        }
    }

    /// Appends the values of neighbouring nodes of a row.
    fn extend(&self, row: usize, columns: Range<usize>, out: &mut Vec<f64>) {
        let nodes = row * self.width + columns.start..row * self.width + columns.end;
        match &self.values {
            Values::Same(value) => out.extend(columns.map(|_| *value)),
            Values::Narrow(values) => out.extend(values[nodes].iter().map(|&value| f64::from(value))),
            Values::Wide(values) => out.extend_from_slice(&values[nodes]),
            Values::Codes(values) => out.extend(values[nodes].iter().map(|&value| f64::from(value))),
        }
    }
}

/// Two neighbours each of two rows.
#[inline]
fn four<T: Copy>(values: &[T], south: usize, north: usize, number: impl Fn(T) -> f64) -> Option<[f64; 4]> {
    let (south, north) = (values.get(south..south + 2)?, values.get(north..north + 2)?);
    Some([number(south[0]), number(south[1]), number(north[0]), number(north[1])])
}

/// Reads columns and rows.
type Load = dyn Fn(Range<usize>, Range<usize>) -> Result<Values> + Send + Sync;

/// All blocks that are in memory.
#[derive(Debug)]
pub struct BlockCache {
    /// Bytes.
    limit: AtomicU64,
    /// Bytes that are kept for the time being.
    spared: AtomicU64,
    held: Mutex<Held>,
    /// Why a block could not be read; the run must end.
    failure: OnceLock<Error>,
    /// Blocks read so far.
    read: AtomicU64,
}

#[derive(Debug, Default)]
struct Held {
    blocks: HashMap<(u32, u64), Entry>,
    bytes: u64,
    /// Counts the times a block was asked for.
    clock: u64,
    /// Number of the next lattice of values.
    next: u32,
}

/// Made once by the thread that asks first; others wait for it.
#[derive(Debug, Default)]
struct Entry {
    block: Arc<OnceLock<Arc<Block>>>,
    bytes: u64,
    used: u64,
}

impl BlockCache {
    /// That keeps about so many bytes.
    pub fn new(limit: u64) -> Self {
        Self {
            limit: AtomicU64::new(limit),
            spared: AtomicU64::new(u64::MAX),
            held: Mutex::default(),
            failure: OnceLock::new(),
            read: AtomicU64::new(0),
        }
    }

    /// Most bytes it keeps, beside what rocks in flight have at hand.
    pub fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Keeps no more than this from now on.
    pub fn shrink(&self, limit: u64) {
        self.limit.fetch_min(limit, Ordering::Relaxed);
        self.forget(&mut self.held());
    }

    /// Keeps no more than this until told otherwise; as much as it may with `u64::MAX`.
    pub fn spare(&self, bytes: u64) {
        self.spared.store(bytes, Ordering::Relaxed);
        self.forget(&mut self.held());
    }

    /// Blocks read so far, some perhaps several times.
    pub fn blocks_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// # Errors
    /// When a block could not be read: whatever was computed since is worth nothing.
    pub fn check(&self) -> Result<()> {
        self.failure.get().map_or(Ok(()), |error| Err(error.clone()))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: (u32, u64), load: impl FnOnce() -> Result<Block>) -> Arc<Block> {
        let place = {
            let mut held = self.held();
            held.clock += 1;
            let clock = held.clock;
            let entry = held.blocks.entry(key).or_default();
            entry.used = clock;
            entry.block.clone()
        };
        let mut new = None;
        let block = place.get_or_init(|| {
            let block = load().unwrap_or_else(|error| {
                let _ = self.failure.set(error);
                Block { width: SIDE, values: Values::Same(f64::NAN) }
            });
            self.read.fetch_add(1, Ordering::Relaxed);
            new = Some(block.values.bytes());
            Arc::new(block)
        });
        if let Some(bytes) = new {
            self.note(key, bytes);
        }
        block.clone()
    }

    /// Counts a new block.
    fn note(&self, key: (u32, u64), bytes: u64) {
        let mut held = self.held();
        if let Some(entry) = held.blocks.get_mut(&key) {
            entry.bytes = bytes;
            held.bytes += bytes;
        }
        self.forget(&mut held);
    }

    /// Forgets what was not asked for longest, if there is too much.
    fn forget(&self, held: &mut Held) {
        let limit = self.limit().min(self.spared.load(Ordering::Relaxed));
        if held.bytes <= limit {
            return;
        }
        let mut by_age: Vec<(u64, (u32, u64))> =
            held.blocks.iter().filter(|(_, entry)| entry.bytes > 0).map(|(key, entry)| (entry.used, *key)).collect();
        by_age.sort_unstable();
        for (_, old) in by_age {
            // Somewhat more than needed, so that this is not done for every block.
            if held.bytes <= limit / 8 * 7 {
                break;
            }
            let bytes = held.blocks.remove(&old).map_or(0, |entry| entry.bytes);
            held.bytes -= bytes;
        }
    }
}

/// One value for each node of a lattice, in blocks.
pub struct Blocks {
    lattice: Lattice,
    number: u32,
    cache: Arc<BlockCache>,
    load: Box<Load>,
    windows: Windows,
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks").field("lattice", &self.lattice).field("number", &self.number).finish_non_exhaustive()
    }
}

impl Blocks {
    /// `load` reads columns and rows, of [`SIDE`] nodes but for the last.
    pub fn new(
        lattice: Lattice,
        cache: &Arc<BlockCache>,
        load: impl Fn(Range<usize>, Range<usize>) -> Result<Values> + Send + Sync + 'static,
    ) -> Self {
        let number = {
            let mut held = cache.held();
            held.next += 1;
            held.next
        };
        Self { lattice, number, cache: cache.clone(), load: Box::new(load), windows: Windows::default() }
    }

    /// Where its values stand.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The cache it shares with others.
    pub fn cache(&self) -> &Arc<BlockCache> {
        &self.cache
    }

    /// Reads columns and rows past the cache, row by row from the south.
    pub fn load(&self, columns: Range<usize>, rows: Range<usize>) -> Result<Vec<f64>> {
        let count = columns.len() * rows.len();
        Ok(match (self.load)(columns, rows)? {
            Values::Same(value) => vec![value; count],
            Values::Narrow(values) => values.iter().map(|&value| f64::from(value)).collect(),
            Values::Wide(values) => values.into_vec(),
            Values::Codes(values) => values.iter().map(|&value| f64::from(value)).collect(),
        })
    }

    /// Nodes around one of the lattice as plain rows.
    pub fn window(self: &Arc<Self>, column: usize, row: usize) -> Window {
        self.windows.around(self, column, row)
    }

    fn block(&self, across: usize, up: usize) -> Arc<Block> {
        let Lattice { nx, ny, .. } = self.lattice;
        let number = (up * nx.div_ceil(SIDE) + across) as u64;
        self.cache.get((self.number, number), || {
            let nodes = |k: usize, count: usize| k * SIDE..((k + 1) * SIDE).min(count);
            let (columns, rows) = (nodes(across, nx), nodes(up, ny));
            let width = columns.len();
            Ok(Block { width, values: (self.load)(columns, rows)? })
        })
    }
}

/// Column and row of a block among the blocks, and the block.
type Page = OnceLock<([usize; 2], Arc<Block>)>;

/// Blocks as one rock sees them: those it has met are at hand without asking the cache.
#[derive(Debug)]
pub struct View {
    blocks: Arc<Blocks>,
    pages: Box<[Page; AT_HAND * AT_HAND]>,
}

impl View {
    /// With nothing at hand.
    pub fn new(blocks: Arc<Blocks>) -> Self {
        Self { blocks, pages: Box::new([const { OnceLock::new() }; AT_HAND * AT_HAND]) }
    }

    /// What it looks at.
    pub fn blocks(&self) -> &Arc<Blocks> {
        &self.blocks
    }

    /// The block of a node, at hand or from the cache.
    #[inline]
    fn with_block<T>(&self, column: usize, row: usize, ask: impl FnOnce(&Block, usize, usize) -> T) -> T {
        let place = [column / SIDE, row / SIDE];
        let page = &self.pages[place[1] % AT_HAND * AT_HAND + place[0] % AT_HAND];
        let (known, block) = page.get_or_init(|| (place, self.blocks.block(place[0], place[1])));
        if *known == place {
            ask(block, column % SIDE, row % SIDE)
        } else {
            ask(&self.blocks.block(place[0], place[1]), column % SIDE, row % SIDE)
        }
    }

    /// The value of a node of the lattice; there must be one.
    pub fn at(&self, column: usize, row: usize) -> f64 {
        self.with_block(column, row, Block::at)
    }

    /// The values of a node and its neighbours to the east, the north and the north-east; all must be there.
    pub fn corners(&self, column: usize, row: usize) -> [f64; 4] {
        self.with_block(column, row, Block::corners).unwrap_or_else(|| {
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(east, north)| self.at(column + east, row + north))
        })
    }

    /// Appends the values of neighbouring nodes of a row, block by block.
    pub fn extend(&self, row: usize, columns: Range<usize>, out: &mut Vec<f64>) {
        let mut from = columns.start;
        while from < columns.end {
            let to = columns.end.min((from / SIDE + 1) * SIDE);
            self.with_block(from, row, |block, first, row| block.extend(row, first..first + to - from, out));
            from = to;
        }
    }
}

/// Another rock sees the same.
impl Clone for View {
    fn clone(&self) -> Self {
        Self::new(self.blocks.clone())
    }
}

impl PartialEq for View {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.blocks, &other.blocks)
    }
}

#[cfg(test)]
mod tests;
