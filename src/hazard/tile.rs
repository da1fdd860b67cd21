//! 32 × 32 cells of an accumulator.
//!
//! A cell that a rock has passed has a row of 32-bit words: passages, energy line, then what is wanted. Rows stand in
//! the order of the first passage; a cell without passage costs the two bytes of its slot.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use crate::hazard::accumulator::Wanted;
use crate::hazard::codec;
use crate::hazard::histogram::{Entry, SparseCounts};
use crate::hazard::quantity::{PerQuantity, Quantity};
use crate::{Error, Result};

/// Cells along one side.
pub const SIDE: usize = 32;
/// Of a tile.
pub const CELLS: usize = SIDE * SIDE;

/// Where the numbers of a cell stand in its row: words for passages, energy line and maxima, pairs of words for sums.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    words: usize,
    max: PerQuantity<Option<usize>>,
    sum: PerQuantity<Option<usize>>,
    frequency: usize,
    energies: usize,
    histogram: PerQuantity<bool>,
    sources: bool,
}

const PASSAGES: usize = 0;
const ENERGY_LINE: usize = 1;

impl Layout {
    /// For what is wanted.
    pub fn new(wanted: &Wanted) -> Self {
        let mut words = 2;
        let mut place = |wanted: bool, size: usize| {
            wanted.then(|| {
                words += size;
                words - size
            })
        };
        let max = wanted.max.map(|wanted| place(wanted, 1));
        let sum = wanted.mean.map(|wanted| place(wanted, 2));
        let energies = wanted.energies_kj.len();
        let (frequency, words) = (words, words + 2 * energies);
        Self { words, max, sum, frequency, energies, histogram: wanted.histogram, sources: wanted.sources }
    }

    /// Whether passages have to be kept for histograms or source cells.
    pub fn keeps_pending(&self) -> bool {
        self.sources || self.histogram.any()
    }
}

/// A passage not yet in the histograms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pending {
    /// Number within the tile.
    pub cell: u16,
    /// Of the histograms.
    pub bins: PerQuantity<u16>,
    /// Number of the source cell in its accumulator.
    pub source: u32,
}

/// The numbers of one cell.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    layout: &'a Layout,
    words: &'a [u32],
}

impl Row<'_> {
    /// Rocks that passed.
    pub fn passages(&self) -> u32 {
        self.words[PASSAGES]
    }

    /// Smallest energy-line angle, degrees; infinite where none.
    pub fn energy_line_deg(&self) -> f32 {
        f32::from_bits(self.words[ENERGY_LINE])
    }

    /// 0 for a quantity that was not wanted.
    pub fn max(&self, quantity: Quantity) -> f32 {
        self.layout.max[quantity].map_or(0.0, |at| f32::from_bits(self.words[at]))
    }

    /// 0 for a quantity that was not wanted.
    pub fn sum(&self, quantity: Quantity) -> u64 {
        self.layout.sum[quantity].map_or(0, |at| wide(self.words, at))
    }

    /// One for each energy.
    pub fn frequencies(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.layout.energies).map(|energy| wide(self.words, self.layout.frequency + 2 * energy))
    }
}

fn wide(words: &[u32], at: usize) -> u64 {
    u64::from(words[at]) | u64::from(words[at + 1]) << 32
}

fn add_wide(words: &mut [u32], at: usize, value: u64) {
    let sum = wide(words, at).saturating_add(value);
    (words[at], words[at + 1]) = (sum as u32, (sum >> 32) as u32);
}

/// What one rock adds to a cell.
#[derive(Debug, Clone, Copy)]
pub struct Addition<'a> {
    /// The largest of the rock in the cell.
    pub values: &'a PerQuantity<f32>,
    /// The same values in units of the sums; not looked at where no mean is wanted.
    pub quanta: &'a PerQuantity<u64>,
    /// Of the cell.
    pub energy_line_deg: f32,
    /// Energies this rock reaches in the cell, of those wanted, and what it adds to their frequencies.
    pub energies_reached: usize,
    /// See `energies_reached`.
    pub frequency: u64,
}

/// A square of cells.
#[derive(Debug, Clone)]
pub struct Tile {
    /// 1 + number of the cell's row; 0 where no rock has passed.
    slots: [u16; CELLS],
    rows: Vec<u32>,
    /// By cell: most cells have none.
    pub deposits: BTreeMap<u16, u32>,
    /// Of what was settled.
    pub histogram: PerQuantity<SparseCounts>,
    /// Which source cells feed a cell: a set of their numbers.
    pub sources: SparseCounts,
    pending: Vec<Pending>,
}

impl Default for Tile {
    fn default() -> Self {
        Self {
            slots: [0; CELLS],
            rows: Vec::new(),
            deposits: BTreeMap::new(),
            histogram: Default::default(),
            sources: SparseCounts::default(),
            pending: Vec::new(),
        }
    }
}

impl Tile {
    /// The numbers of a cell; `None` where no rock has passed.
    pub fn row<'a>(&'a self, layout: &'a Layout, cell: usize) -> Option<Row<'a>> {
        let slot = usize::from(self.slots[cell]).checked_sub(1)?;
        Some(Row { layout, words: &self.rows[slot * layout.words..(slot + 1) * layout.words] })
    }

    fn row_mut(&mut self, layout: &Layout, cell: usize) -> &mut [u32] {
        if self.slots[cell] == 0 {
            let slot = self.rows.len() / layout.words;
            if self.rows.len() + layout.words > self.rows.capacity() {
                // Doubling would waste more than the numbers need.
                self.rows.reserve_exact((8 + slot / 8).min(CELLS - slot) * layout.words);
            }
            self.rows.extend(std::iter::repeat_n(0, layout.words));
            self.rows[slot * layout.words + ENERGY_LINE] = f32::INFINITY.to_bits();
            self.slots[cell] = slot as u16 + 1;
        }
        let slot = usize::from(self.slots[cell]) - 1;
        &mut self.rows[slot * layout.words..(slot + 1) * layout.words]
    }

    /// Counts one passage.
    pub fn add(&mut self, layout: &Layout, cell: usize, addition: &Addition) {
        let words = self.row_mut(layout, cell);
        words[PASSAGES] = words[PASSAGES].saturating_add(1);
        lower(&mut words[ENERGY_LINE], addition.energy_line_deg);
        for quantity in Quantity::ALL {
            if let Some(at) = layout.max[quantity] {
                raise(&mut words[at], addition.values[quantity]);
            }
            if let Some(at) = layout.sum[quantity] {
                add_wide(words, at, addition.quanta[quantity]);
            }
        }
        for energy in 0..addition.energies_reached {
            add_wide(words, layout.frequency + 2 * energy, addition.frequency);
        }
    }

    /// Whether nothing is pending.
    pub fn is_settled(&self) -> bool {
        self.pending.is_empty()
    }

    /// Keeps a passage for the histograms.
    pub fn push(&mut self, layout: &Layout, pending: Pending) {
        // Rewriting the histograms costs their size: wait until an eighth is new, and grow the buffer to fit.
        let pairs =
            self.histogram.values().iter().map(SparseCounts::pairs).max().unwrap_or(0).max(self.sources.pairs());
        if self.pending.len() >= 32 + pairs / 8 {
            self.settle(layout);
        }
        if self.pending.len() == self.pending.capacity() {
            self.pending.reserve_exact(16 + self.pending.len() / 2);
        }
        self.pending.push(pending);
    }

    /// Brings pending passages into the histograms.
    pub fn settle(&mut self, layout: &Layout) {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return;
        }
        let mut entries = Vec::with_capacity(pending.len());
        for quantity in Quantity::ALL {
            if layout.histogram[quantity] {
                entries.clear();
                let entry = |p: &Pending| Entry { cell: p.cell.into(), key: p.bins[quantity].into(), count: 1 };
                entries.extend(pending.iter().map(entry));
                self.histogram[quantity].add(&mut entries);
            }
        }
        if layout.sources {
            entries.clear();
            entries.extend(pending.iter().map(|p| Entry { cell: p.cell.into(), key: p.source, count: 1 }));
            self.sources.add_to_set(&mut entries);
        }
    }

    /// `other` must be settled; `renumber` gives this accumulator's numbers of the other's source cells.
    pub fn merge(&mut self, other: &Self, layout: &Layout, renumber: Option<&[u32]>) {
        self.settle(layout);
        for cell in 0..CELLS {
            let Some(theirs) = other.row(layout, cell) else { continue };
            let mine = self.row_mut(layout, cell);
            mine[PASSAGES] = mine[PASSAGES].saturating_add(theirs.passages());
            lower(&mut mine[ENERGY_LINE], theirs.energy_line_deg());
            for quantity in Quantity::ALL {
                if let Some(at) = layout.max[quantity] {
                    raise(&mut mine[at], theirs.max(quantity));
                }
                if let Some(at) = layout.sum[quantity] {
                    add_wide(mine, at, theirs.sum(quantity));
                }
            }
            for (energy, value) in theirs.frequencies().enumerate() {
                add_wide(mine, layout.frequency + 2 * energy, value);
            }
        }
        for (&cell, &count) in &other.deposits {
            let mine = self.deposits.entry(cell).or_insert(0);
            *mine = mine.saturating_add(count);
        }
        for (mine, theirs) in self.histogram.values_mut().iter_mut().zip(other.histogram.values()) {
            mine.merge(theirs);
        }
        match renumber {
            Some(numbers) => self.sources.merge_set(&other.sources.renumbered(numbers)),
            None => self.sources.merge_set(&other.sources),
        }
    }

    /// Held by it, roughly.
    pub fn memory_bytes(&self) -> usize {
        let counts =
            self.histogram.values().iter().chain([&self.sources]).map(|counts| counts.bytes().len()).sum::<usize>();
        let pending = self.pending.capacity() * size_of::<Pending>();
        size_of::<Self>() + 4 * self.rows.capacity() + counts + pending + 16 * self.deposits.len()
    }

    /// Touched cells only, in order. The tile must be settled; `renumber` gives the numbers source cells have on disk.
    pub fn write(&self, layout: &Layout, renumber: Option<&[u32]>, out: &mut impl Write) -> io::Result<()> {
        let touched = self.slots.iter().filter(|&&slot| slot > 0).count();
        codec::put_u32(out, touched as u32)?;
        for cell in 0..CELLS {
            let Some(row) = self.row(layout, cell) else { continue };
            codec::put_u32(out, cell as u32)?;
            row.words.iter().try_for_each(|&word| codec::put_u32(out, word))?;
        }
        codec::put_u32(out, self.deposits.len() as u32)?;
        for (&cell, &count) in &self.deposits {
            codec::put_u32(out, cell.into())?;
            codec::put_u32(out, count)?;
        }
        for counts in self.histogram.values() {
            codec::put_bytes(out, counts.bytes())?;
        }
        match renumber {
            Some(numbers) => codec::put_bytes(out, self.sources.renumbered(numbers).bytes()),
            None => codec::put_bytes(out, self.sources.bytes()),
        }
    }

    /// `sources` is the number of source cells there are.
    pub fn read(layout: &Layout, sources: u32, input: &mut impl Read) -> Result<Self> {
        let mut tile = Self::default();
        for _ in 0..codec::take_u32(input)? {
            let cell = take_cell(input)?;
            for word in tile.row_mut(layout, cell) {
                *word = codec::take_u32(input)?;
            }
        }
        for _ in 0..codec::take_u32(input)? {
            let cell = take_cell(input)?;
            tile.deposits.insert(cell as u16, codec::take_u32(input)?);
        }
        for counts in tile.histogram.values_mut() {
            *counts = SparseCounts::from_bytes(&codec::take_bytes(input)?, CELLS as u32, u32::MAX)?;
        }
        tile.sources = SparseCounts::from_bytes(&codec::take_bytes(input)?, CELLS as u32, sources)?;
        Ok(tile)
    }
}

fn raise(word: &mut u32, value: f32) {
    *word = f32::from_bits(*word).max(value).to_bits();
}

fn lower(word: &mut u32, value: f32) {
    *word = f32::from_bits(*word).min(value).to_bits();
}

fn take_cell(input: &mut impl Read) -> Result<usize> {
    let cell = codec::take_u32(input)? as usize;
    let damaged = || Error::failed("the stored counts are damaged: recompute this part of the run");
    (cell < CELLS).then_some(cell).ok_or_else(damaged)
}
