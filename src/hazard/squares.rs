//! Rocks that enter a square around each cell: what hits an object of that width, whatever the size of the cells.
//!
//! The square has 2 r + 1 cells on a side, r = round((width / cell − 1) / 2) in each direction, and counts a rock once, with its
//! largest energy in any of these cells. Counts and weights are integers, so parts merge to the same bits in any order.
//! Memory: 32 × 32 cells at a time, where a rock has come near; a fixed number of words a cell, nothing per rock.

use std::borrow::Cow;
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::sync::Arc;

use crate::Result;
use crate::hazard::accumulator::{FREQUENCY_QUANTUM, cut_lattice};
use crate::hazard::codec;
use crate::hazard::quantity::Quantity;
use crate::hazard::sparse::SparseTiles;
use crate::hazard::stored::{self, Counted, TileFile, Tiles};
use crate::hazard::tile::{CELLS, SIDE};
use crate::hazard::traverse::Visit;
use crate::terrain::Lattice;

/// Smallest weight of a rock that is told apart; weights are added up in whole quanta.
pub const WEIGHT_QUANTUM: f64 = 1.0 / (1 << 20) as f64;

/// Which squares are wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Squares {
    /// Sides, m.
    pub widths_m: Vec<f64>,
    /// Energies above 0 whose reaching is counted, kJ, ascending.
    pub energies_kj: Vec<f64>,
    /// Whether yearly frequencies are summed, too.
    pub frequency: bool,
}

/// Which of the two halves of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    #[default]
    /// Both.
    Whole,
    /// One, 0 or 1.
    Half(usize),
}

impl Part {
    /// The halves it is made of.
    pub fn halves(self) -> std::ops::Range<usize> {
        match self {
            Self::Whole => 0..2,
            Self::Half(half) => half..half + 1,
        }
    }
}

/// One rock, as the squares see it.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Cells it passes.
    pub visits: &'a [Visit],
    /// Half of the run, 0 or 1.
    pub half: usize,
    /// What it weighs, in units of [`WEIGHT_QUANTUM`].
    pub weight: u64,
    /// In units of [`FREQUENCY_QUANTUM`].
    pub frequency: u64,
}

/// The squares of one width.
#[derive(Debug, Clone)]
pub struct SquareCounts {
    /// Side, m.
    pub width_m: f64,
    lattice: Lattice,
    wanted: Squares,
    /// Cells to either side.
    reach: (usize, usize),
    /// Words a cell: passages, one for each energy, two of weights, then frequencies of two words each.
    words: usize,
    /// By half and tile.
    tiles: [Tiles<Box<[u32]>>; 2],
    scratch: Scratch,
}

#[derive(Debug, Clone, Default)]
struct Scratch {
    spans: Vec<Span>,
    row: Vec<f32>,
}

/// Cells of a row that lie in a square around a cell the rock has passed.
#[derive(Debug, Clone, Copy)]
struct Span {
    row: u32,
    from: u32,
    to: u32,
    energy_kj: f32,
}

/// What entered the square around one cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entered {
    /// row · nx + column.
    pub cell: u64,
    /// Rocks that entered.
    pub rocks: u32,
    /// Rocks that reach each of the wanted energies.
    pub reached: Vec<u32>,
    /// Sum of their weights, in quanta.
    weight: u64,
    /// In quanta a year: of any energy, then at or above each wanted one.
    frequency: Vec<u64>,
}

impl Entered {
    /// Rocks at or above an energy with this index among 0 and the wanted energies.
    pub fn at_least(&self, energy: usize) -> u32 {
        energy.checked_sub(1).map_or(self.rocks, |i| self.reached.get(i).copied().unwrap_or(0))
    }

    /// Sum of the weights of all that entered: as many rocks as they stand for.
    pub fn weight(&self) -> f64 {
        self.weight as f64 * WEIGHT_QUANTUM
    }

    /// Rocks a year at or above such an energy, as counted.
    pub fn frequency_above(&self, energy: usize) -> f64 {
        self.frequency.get(energy).map_or(0.0, |&quanta| quanta as f64 * FREQUENCY_QUANTUM)
    }

    fn clear(&mut self, wanted: &Squares) {
        (self.rocks, self.weight) = (0, 0);
        self.reached.clear();
        self.reached.resize(wanted.energies_kj.len(), 0);
        self.frequency.clear();
        self.frequency.resize(if wanted.frequency { wanted.energies_kj.len() + 1 } else { 0 }, 0);
    }
}

/// Cells to either side of a square's own.
pub fn reach_cells(width_m: f64, cell_m: f64) -> usize {
    (0.5 * (width_m / cell_m - 1.0)).round().clamp(0.0, 1e6) as usize
}

impl SquareCounts {
    /// Nothing counted yet.
    pub fn new(lattice: Lattice, wanted: &Squares, width_m: f64) -> Self {
        let energies = wanted.energies_kj.len();
        let words = 1 + energies + 2 + if wanted.frequency { 2 * (energies + 1) } else { 0 };
        let tiles = [SparseTiles::of(&lattice), SparseTiles::of(&lattice)].map(Tiles::Held);
        let reach = (reach_cells(width_m, lattice.dx), reach_cells(width_m, lattice.dy));
        let scratch = Scratch::default();
        Self { width_m, lattice, wanted: wanted.clone(), reach, words, tiles, scratch }
    }

    /// Counts a rock in every square it enters.
    pub fn add(&mut self, entry: &Entry) {
        let Lattice { nx, ny, .. } = self.lattice;
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.spans.clear();
        scratch.row.resize(nx, -1.0);
        for visit in entry.visits {
            let (column, row) = (visit.cell as usize % nx, visit.cell as usize / nx);
            let (from, to) = (column.saturating_sub(self.reach.0), (column + self.reach.0 + 1).min(nx));
            for row in row.saturating_sub(self.reach.1)..(row + self.reach.1 + 1).min(ny) {
                let (row, from, to) = (row as u32, from as u32, to as u32);
                scratch.spans.push(Span { row, from, to, energy_kj: visit.values[Quantity::KineticEnergy] });
            }
        }
        scratch.spans.sort_unstable_by_key(|span| (span.row, span.from));
        for spans in scratch.spans.chunk_by(|a, b| a.row == b.row) {
            let row = spans[0].row as usize;
            let (mut from, mut to) = (spans[0].from as usize, spans[0].from as usize);
            for span in spans {
                if span.from as usize > to {
                    self.count_row(row, from..to, &mut scratch.row, entry);
                    from = span.from as usize;
                }
                to = to.max(span.to as usize);
                let energies = &mut scratch.row[span.from as usize..span.to as usize];
                energies.iter_mut().for_each(|energy| *energy = energy.max(span.energy_kj));
            }
            self.count_row(row, from..to, &mut scratch.row, entry);
        }
        self.scratch = scratch;
    }

    /// Counts the rock in cells of a row, and empties the row.
    fn count_row(&mut self, row: usize, columns: Range<usize>, energies: &mut [f32], entry: &Entry) {
        let across = self.lattice.nx.div_ceil(SIDE);
        let (words, wanted) = (self.words, &self.wanted);
        for column in columns {
            let energy_kj = f64::from(std::mem::replace(&mut energies[column], -1.0));
            let Some(tile) = self.tiles[entry.half].slot((row / SIDE) * across + column / SIDE) else { continue };
            let tile = tile.get_or_insert_with(|| vec![0; CELLS * words].into_boxed_slice());
            let cell = (row % SIDE) * SIDE + column % SIDE;
            let cell = &mut tile[cell * words..(cell + 1) * words];
            let reached = wanted.energies_kj.partition_point(|&limit| limit <= energy_kj);
            cell[..=reached].iter_mut().for_each(|count| *count = count.saturating_add(1));
            let weights = 1 + wanted.energies_kj.len();
            let sum = take(&cell[weights..]).saturating_add(entry.weight);
            put(&mut cell[weights..weights + 2], sum);
            if wanted.frequency {
                for pair in cell[weights + 2..].chunks_exact_mut(2).take(reached + 1) {
                    put(pair, take(pair).saturating_add(entry.frequency));
                }
            }
        }
    }

    /// Which of the counted energies (0 first) is this one.
    pub fn energy_index(&self, energy_kj: f64) -> Option<usize> {
        if energy_kj == 0.0 {
            return Some(0);
        }
        self.wanted.energies_kj.iter().position(|&known| known == energy_kj).map(|i| i + 1)
    }

    /// Calls `each` for every cell whose square a rock has entered, tile by tile.
    pub fn for_each(&self, part: Part, mut each: impl FnMut(&Entered)) {
        let across = self.lattice.nx.div_ceil(SIDE);
        let mut entered = Entered::default();
        for tile in self.near_tiles(part) {
            let tiles = self.tiles_of(part, tile);
            for at in 0..CELLS {
                if self.entered(&tiles, at, &mut entered) {
                    let (column, row) = ((tile % across) * SIDE + at % SIDE, (tile / across) * SIDE + at / SIDE);
                    entered.cell = (row * self.lattice.nx + column) as u64;
                    each(&entered);
                }
            }
        }
    }

    fn tile(&self, half: usize, index: usize) -> Option<Cow<'_, Box<[u32]>>> {
        self.tiles[half].get(index, |bytes| decode(self.words, bytes))
    }

    /// A tile, of one half or both.
    pub fn tiles_of(&self, part: Part, index: usize) -> SquareTiles<'_> {
        SquareTiles(part.halves().filter_map(|half| self.tile(half, index)).collect())
    }

    /// What entered the square around a cell of a tile; whether anything did. Its number is not set.
    pub fn entered(&self, tiles: &SquareTiles, at: usize, entered: &mut Entered) -> bool {
        entered.clear(&self.wanted);
        tiles.0.iter().for_each(|tile| self.join(&tile[at * self.words..(at + 1) * self.words], entered));
        entered.rocks > 0
    }

    fn join(&self, words: &[u32], entered: &mut Entered) {
        let energies = self.wanted.energies_kj.len();
        entered.rocks = entered.rocks.saturating_add(words[0]);
        entered.reached.iter_mut().zip(&words[1..]).for_each(|(sum, &count)| *sum = sum.saturating_add(count));
        entered.weight = entered.weight.saturating_add(take(&words[1 + energies..]));
        let sums = entered.frequency.iter_mut().zip(words[3 + energies..].chunks_exact(2));
        sums.for_each(|(sum, pair)| *sum = sum.saturating_add(take(pair)));
    }

    /// Joins the counts of parts of a run, from where [`Self::write`] wrote them to where they are written.
    pub(crate) fn merge<R: Read>(&self, parts: &mut [R], out: &mut impl Write) -> Result<()> {
        for _ in &self.tiles {
            stored::merge_lists(parts, out, |mut tiles| {
                if let [(_, bytes)] = &mut tiles[..] {
                    return Ok(std::mem::take(bytes));
                }
                let mut sum = vec![0; CELLS * self.words].into_boxed_slice();
                for (_, bytes) in tiles {
                    self.add_tile(&mut sum, &decode(self.words, &bytes)?);
                }
                Ok(encode(self.words, &sum))
            })?;
        }
        Ok(())
    }

    fn add_tile(&self, mine: &mut [u32], theirs: &[u32]) {
        let counts = 1 + self.wanted.energies_kj.len();
        for (mine, theirs) in mine.chunks_exact_mut(self.words).zip(theirs.chunks_exact(self.words)) {
            mine[..counts].iter_mut().zip(theirs).for_each(|(sum, &count)| *sum = sum.saturating_add(count));
            let sums = mine[counts..].chunks_exact_mut(2).zip(theirs[counts..].chunks_exact(2));
            sums.for_each(|(sum, pair)| put(sum, take(sum).saturating_add(take(pair))));
        }
    }

    /// Numbers of the tiles where a rock has come near, in order.
    pub fn near_tiles(&self, part: Part) -> Vec<usize> {
        let mut all: Vec<usize> = part.halves().flat_map(|half| self.tiles[half].indices()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What was counted in some tiles, on a raster of its own.
    pub(crate) fn cut_out(&self, columns: Range<usize>, rows: Range<usize>) -> Self {
        let lattice = cut_lattice(&self.lattice, &columns, &rows);
        let mut cut = Self::new(lattice, &self.wanted, self.width_m);
        let (across, own) = (self.lattice.nx.div_ceil(SIDE), lattice.nx.div_ceil(SIDE));
        for (half, mine) in cut.tiles.iter_mut().enumerate() {
            for row in rows.clone() {
                for column in columns.clone() {
                    let index = (row - rows.start) * own + column - columns.start;
                    if let (Some(tile), Some(slot)) = (self.tile(half, row * across + column), mine.slot(index)) {
                        *slot = Some(tile.into_owned());
                    }
                }
            }
        }
        cut
    }

    /// The cells that hold something, tile by tile.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.tiles.iter().try_for_each(|half| half.write(out, |_, tile| Ok(encode(self.words, tile))))
    }

    /// Reads back what [`Self::write`] wrote for the same wishes.
    pub(crate) fn read(&mut self, input: &mut impl Read) -> Result<()> {
        for half in &mut self.tiles {
            *half = Tiles::read(SparseTiles::of(&self.lattice), input, |bytes| decode(self.words, bytes))?;
        }
        Ok(())
    }

    /// The same, but tiles stay in their file.
    pub(crate) fn open<R: Read + Seek>(&mut self, input: &mut Counted<R>, file: &Arc<TileFile>) -> Result<()> {
        for half in &mut self.tiles {
            *half = Tiles::open(half.len(), input, file)?;
        }
        Ok(())
    }

    /// Bytes held, roughly.
    pub fn memory_bytes(&self) -> usize {
        self.tiles.iter().map(|half| half.memory_bytes(|tile| 4 * tile.len())).sum()
    }
}

/// A tile of squares, of one half of a run or of both.
pub struct SquareTiles<'a>(Vec<Cow<'a, Box<[u32]>>>);

/// A bit for each cell, and the words of those that hold something.
fn encode(words: usize, tile: &[u32]) -> Vec<u8> {
    let cells = tile.chunks_exact(words).map(|words| words[0] > 0).collect::<Vec<_>>();
    let bits = |cells: &[bool]| cells.iter().rev().fold(0u8, |byte, &is| byte << 1 | u8::from(is));
    let mut bytes: Vec<u8> = cells.chunks(8).map(bits).collect();
    let held = tile.chunks_exact(words).filter(|words| words[0] > 0).flatten();
    bytes.extend(held.flat_map(|word| word.to_le_bytes()));
    bytes
}

fn decode(words: usize, mut bytes: &[u8]) -> Result<Box<[u32]>> {
    let input = &mut bytes;
    let mut bits = [0; CELLS / 8];
    codec::take(input, &mut bits)?;
    let mut tile = vec![0; CELLS * words].into_boxed_slice();
    for cell in (0..CELLS).filter(|cell| bits[cell / 8] >> (cell % 8) & 1 == 1) {
        for word in &mut tile[cell * words..(cell + 1) * words] {
            *word = codec::take_u32(input)?;
        }
    }
    Ok(tile)
}

fn take(pair: &[u32]) -> u64 {
    u64::from(pair[0]) | u64::from(pair[1]) << 32
}

fn put(pair: &mut [u32], value: u64) {
    pair.copy_from_slice(&[value as u32, (value >> 32) as u32]);
}

#[cfg(test)]
mod tests;
