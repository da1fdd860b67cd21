//! 32 × 32 cells of an accumulator.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use crate::hazard::accumulator::Wanted;
use crate::hazard::codec;
use crate::hazard::histogram::{Entry, SparseCounts};
use crate::{Error, Result};

pub const SIDE: usize = 32;
pub const CELLS: usize = SIDE * SIDE;

/// A passage not yet in the histograms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pending {
    pub cell: u16,
    pub bins: [u16; 4],
    pub source: u32,
}

/// Columns are indexed by cell within the tile; those not wanted are empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    pub passages: Vec<u32>,
    /// By cell: most cells have none.
    pub deposits: BTreeMap<u16, u32>,
    /// Smallest energy-line angle, degrees; infinite where none.
    pub energy_line: Vec<f32>,
    pub max: [Vec<f32>; 4],
    pub sum: [Vec<u64>; 4],
    /// One column per energy.
    pub frequency: Vec<Vec<u64>>,
    pub histogram: [SparseCounts; 4],
    /// Which source cells feed a cell: a set.
    pub sources: SparseCounts,
    pending: Vec<Pending>,
}

impl Tile {
    pub fn new(wanted: &Wanted) -> Self {
        Self {
            passages: vec![0; CELLS],
            deposits: BTreeMap::new(),
            energy_line: vec![f32::INFINITY; CELLS],
            max: std::array::from_fn(|q| if wanted.max[q] { vec![0.0; CELLS] } else { Vec::new() }),
            sum: std::array::from_fn(|q| if wanted.mean[q] { vec![0; CELLS] } else { Vec::new() }),
            frequency: vec![vec![0; CELLS]; wanted.energies_kj.len()],
            histogram: Default::default(),
            sources: SparseCounts::default(),
            pending: Vec::new(),
        }
    }

    pub fn is_settled(&self) -> bool {
        self.pending.is_empty()
    }

    pub fn push(&mut self, wanted: &Wanted, pending: Pending) {
        self.pending.push(pending);
        // Rewriting the histograms costs their size: wait until an eighth is new, and grow the buffer to fit.
        let pairs = self.histogram.iter().map(SparseCounts::pairs).max().unwrap_or(0).max(self.sources.pairs());
        if self.pending.len() >= 64 + pairs / 8 {
            self.settle(wanted);
        }
    }

    /// Brings pending passages into the histograms.
    pub fn settle(&mut self, wanted: &Wanted) {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return;
        }
        let mut entries = Vec::with_capacity(pending.len());
        for (quantity, histogram) in self.histogram.iter_mut().enumerate() {
            if wanted.histogram[quantity] {
                entries.clear();
                let entry = |p: &Pending| Entry { cell: p.cell.into(), key: p.bins[quantity].into(), count: 1 };
                entries.extend(pending.iter().map(entry));
                histogram.add(&mut entries);
            }
        }
        if wanted.sources {
            entries.clear();
            entries.extend(pending.iter().map(|p| Entry { cell: p.cell.into(), key: p.source, count: 1 }));
            self.sources.add_to_set(&mut entries);
        }
    }

    /// `other` must be settled.
    pub fn merge(&mut self, other: &Self, wanted: &Wanted) {
        self.settle(wanted);
        self.passages.iter_mut().zip(&other.passages).for_each(|(a, b)| *a += b);
        for (&cell, &count) in &other.deposits {
            *self.deposits.entry(cell).or_insert(0) += count;
        }
        self.energy_line.iter_mut().zip(&other.energy_line).for_each(|(a, b)| *a = a.min(*b));
        for q in 0..4 {
            self.max[q].iter_mut().zip(&other.max[q]).for_each(|(a, b)| *a = a.max(*b));
            add_saturating(&mut self.sum[q], &other.sum[q]);
            self.histogram[q].merge(&other.histogram[q]);
        }
        for (mine, theirs) in self.frequency.iter_mut().zip(&other.frequency) {
            add_saturating(mine, theirs);
        }
        self.sources.merge_set(&other.sources);
    }

    pub fn memory_bytes(&self) -> usize {
        let sums: usize = self.sum.iter().chain(&self.frequency).map(|column| 8 * column.len()).sum();
        let counts = self.histogram.iter().chain([&self.sources]).map(|counts| counts.bytes().len()).sum::<usize>();
        let maxima: usize = self.max.iter().map(|column| 4 * column.len()).sum();
        let pending = self.pending.capacity() * size_of::<Pending>();
        size_of::<Self>() + 8 * CELLS + maxima + sums + counts + pending + 16 * self.deposits.len()
    }

    /// Touched cells only: which they are, then column by column. The tile must be settled.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let touched: Vec<usize> = (0..CELLS).filter(|&cell| self.passages[cell] > 0).collect();
        codec::put_u32(out, touched.len() as u32)?;
        for &cell in &touched {
            codec::put_u32(out, cell as u32)?;
            codec::put_u32(out, self.passages[cell])?;
            codec::put_u32(out, self.energy_line[cell].to_bits())?;
            for max in self.max.iter().filter(|column| !column.is_empty()) {
                codec::put_u32(out, max[cell].to_bits())?;
            }
            for column in self.sum.iter().chain(&self.frequency).filter(|column| !column.is_empty()) {
                codec::put_u64(out, column[cell])?;
            }
        }
        codec::put_u32(out, self.deposits.len() as u32)?;
        for (&cell, &count) in &self.deposits {
            codec::put_u32(out, cell.into())?;
            codec::put_u32(out, count)?;
        }
        for counts in self.histogram.iter().chain([&self.sources]) {
            codec::put_bytes(out, counts.bytes())?;
        }
        Ok(())
    }

    pub fn read(wanted: &Wanted, input: &mut impl Read) -> Result<Self> {
        let mut tile = Self::new(wanted);
        for _ in 0..codec::take_u32(input)? {
            let cell = take_cell(input)?;
            tile.passages[cell] = codec::take_u32(input)?;
            tile.energy_line[cell] = f32::from_bits(codec::take_u32(input)?);
            for max in tile.max.iter_mut().filter(|column| !column.is_empty()) {
                max[cell] = f32::from_bits(codec::take_u32(input)?);
            }
            for column in tile.sum.iter_mut().chain(&mut tile.frequency).filter(|column| !column.is_empty()) {
                column[cell] = codec::take_u64(input)?;
            }
        }
        for _ in 0..codec::take_u32(input)? {
            let cell = take_cell(input)?;
            tile.deposits.insert(cell as u16, codec::take_u32(input)?);
        }
        for counts in tile.histogram.iter_mut().chain([&mut tile.sources]) {
            *counts = SparseCounts::from_bytes(&codec::take_bytes(input)?, CELLS as u32)?;
        }
        Ok(tile)
    }
}

fn take_cell(input: &mut impl Read) -> Result<usize> {
    let cell = codec::take_u32(input)? as usize;
    let damaged = || Error::failed("the stored counts are damaged: recompute this part of the run");
    (cell < CELLS).then_some(cell).ok_or_else(damaged)
}

fn add_saturating(mine: &mut [u64], theirs: &[u64]) {
    mine.iter_mut().zip(theirs).for_each(|(a, b)| *a = a.saturating_add(*b));
}
