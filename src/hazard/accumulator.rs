//! What an ensemble leaves in every cell, in a form that merges to the same bits in any order: integer counts, maxima,
//! sums in fixed point, and sparse histograms.
//!
//! Memory: cells live in tiles of 32 × 32 that exist only where a rock has passed; a touched tile costs 8 bytes a cell and 4
//! for each maximum wanted (8 for each mean and frequency), a passage two or three bytes per histogram and for the set of
//! source cells. Nothing is stored per trajectory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use crate::hazard::codec;
use crate::hazard::histogram::bin;
use crate::hazard::tile::{CELLS, Pending, SIDE, Tile};
use crate::hazard::traverse::Visit;
use crate::terrain::Lattice;
use crate::{Error, Result};

/// Sums of values are kept in units of 2⁻²⁰ (about 10⁻⁶ kJ, m/s, m, rev/s).
pub const SUM_QUANTUM: f64 = 1.0 / (1u64 << 20) as f64;
/// Sums of yearly frequencies are kept in units of 2⁻⁴⁸ (3.6·10⁻¹⁵ per year).
pub const FREQUENCY_QUANTUM: f64 = 1.0 / (1u64 << 48) as f64;

/// What has to be kept; counts and energy lines always are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wanted {
    /// Maximum per quantity; needed with a histogram.
    pub max: [bool; 4],
    /// Histogram per quantity, for quantiles.
    pub histogram: [bool; 4],
    /// Sum per quantity, for means.
    pub mean: [bool; 4],
    /// Which source cells feed a cell.
    pub sources: bool,
    /// Energies in kJ above which yearly passages are summed; empty if releases carry no frequency.
    pub energies_kj: Vec<f64>,
}

/// One good trajectory, ready to be counted.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    pub visits: &'a [Visit],
    /// Cell the rock started in.
    pub source_cell: u32,
    /// Cell the rock came to rest in.
    pub deposit: Option<u32>,
    pub frequency_per_year: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Accumulator {
    pub lattice: Lattice,
    pub wanted: Wanted,
    tiles: Vec<Option<Box<Tile>>>,
    /// Rocks counted, by the cell they started in.
    sources: BTreeMap<u32, u32>,
}

impl Accumulator {
    pub fn new(lattice: Lattice, wanted: Wanted) -> Self {
        let tiles = vec![None; lattice.nx.div_ceil(SIDE) * lattice.ny.div_ceil(SIDE)];
        Self { lattice, wanted, tiles, sources: BTreeMap::new() }
    }

    /// Rocks counted.
    pub fn released(&self) -> u64 {
        self.sources.values().map(|&count| u64::from(count)).sum()
    }

    /// Rocks counted per source cell.
    pub fn sources(&self) -> &BTreeMap<u32, u32> {
        &self.sources
    }

    pub fn add(&mut self, passage: &Passage) {
        *self.sources.entry(passage.source_cell).or_insert(0) += 1;
        let frequency = (passage.frequency_per_year / FREQUENCY_QUANTUM).round() as u64;
        let keeps_pending = self.wanted.sources || self.wanted.histogram.contains(&true);
        for visit in passage.visits {
            let (tile, cell) = self.locate(visit.cell);
            let wanted = &self.wanted;
            let tile = self.tiles[tile].get_or_insert_with(|| Box::new(Tile::new(wanted)));
            tile.passages[cell] += 1;
            tile.energy_line[cell] = tile.energy_line[cell].min(visit.energy_line_deg);
            for (quantity, &value) in visit.values.iter().enumerate() {
                if let Some(max) = tile.max[quantity].get_mut(cell) {
                    *max = max.max(value);
                }
                if let Some(sum) = tile.sum[quantity].get_mut(cell) {
                    *sum = sum.saturating_add((f64::from(value) / SUM_QUANTUM).round() as u64);
                }
            }
            for (column, &energy) in tile.frequency.iter_mut().zip(&wanted.energies_kj) {
                if f64::from(visit.values[0]) >= energy {
                    column[cell] = column[cell].saturating_add(frequency);
                }
            }
            if keeps_pending {
                let bins = visit.values.map(|value| bin(value) as u16);
                tile.push(wanted, Pending { cell: cell as u16, bins, source: passage.source_cell });
            }
        }
        if let Some(cell) = passage.deposit {
            let (tile, cell) = self.locate(cell);
            let wanted = &self.wanted;
            let tile = self.tiles[tile].get_or_insert_with(|| Box::new(Tile::new(wanted)));
            *tile.deposits.entry(cell as u16).or_insert(0) += 1;
        }
    }

    /// Tile and cell within it.
    fn locate(&self, cell: u32) -> (usize, usize) {
        let (column, row) = (cell as usize % self.lattice.nx, cell as usize / self.lattice.nx);
        let across = self.lattice.nx.div_ceil(SIDE);
        ((row / SIDE) * across + column / SIDE, (row % SIDE) * SIDE + column % SIDE)
    }

    /// Cell of the raster (row · nx + column), `None` where the tile sticks out.
    pub fn cell_of(&self, tile: usize, cell: usize) -> Option<u32> {
        let across = self.lattice.nx.div_ceil(SIDE);
        let column = (tile % across) * SIDE + cell % SIDE;
        let row = (tile / across) * SIDE + cell / SIDE;
        (column < self.lattice.nx && row < self.lattice.ny).then(|| (row * self.lattice.nx + column) as u32)
    }

    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// A tile with nothing pending; `None` where no rock has passed.
    pub fn tile(&self, index: usize) -> Option<Cow<'_, Tile>> {
        let tile = self.tiles.get(index)?.as_deref()?;
        if tile.is_settled() {
            return Some(Cow::Borrowed(tile));
        }
        let mut copy = tile.clone();
        copy.settle(&self.wanted);
        Some(Cow::Owned(copy))
    }

    /// Joins what another part of the same run has counted.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        if self.lattice != other.lattice || self.wanted != other.wanted {
            return Err(Error::failed("the parts count different things: they are not of the same run"));
        }
        for (index, mine) in self.tiles.iter_mut().enumerate() {
            let Some(theirs) = other.tile(index) else { continue };
            match mine {
                Some(mine) => mine.merge(&theirs, &self.wanted),
                None => *mine = Some(Box::new(theirs.into_owned())),
            }
        }
        for (&source, &count) in &other.sources {
            *self.sources.entry(source).or_insert(0) += count;
        }
        Ok(())
    }

    /// Writes everything counted; the bytes depend on what was counted, not on the order.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        codec::put_u64(out, self.sources.len() as u64)?;
        for (&source, &count) in &self.sources {
            codec::put_u32(out, source)?;
            codec::put_u32(out, count)?;
        }
        let tiles: Vec<usize> = (0..self.tiles.len()).filter(|&i| self.tiles[i].is_some()).collect();
        codec::put_u64(out, tiles.len() as u64)?;
        for index in tiles {
            let Some(tile) = self.tile(index) else { continue };
            codec::put_u64(out, index as u64)?;
            tile.write(out)?;
        }
        Ok(())
    }

    /// Reads back what [`Self::write`] wrote for the same lattice and wishes.
    pub fn read(lattice: Lattice, wanted: Wanted, input: &mut impl Read) -> Result<Self> {
        let mut new = Self::new(lattice, wanted);
        for _ in 0..codec::take_u64(input)? {
            let source = codec::take_u32(input)?;
            new.sources.insert(source, codec::take_u32(input)?);
        }
        for _ in 0..codec::take_u64(input)? {
            let index = codec::take_u64(input)? as usize;
            let tile = Tile::read(&new.wanted, input)?;
            let slot = new.tiles.get_mut(index);
            *slot.ok_or_else(|| Error::failed("the stored counts belong to another raster"))? = Some(Box::new(tile));
        }
        Ok(new)
    }

    /// Bytes held, roughly: for reports and tests of the memory figure.
    pub fn memory_bytes(&self) -> usize {
        self.tiles.len() * size_of::<usize>()
            + self.tiles.iter().flatten().map(|tile| tile.memory_bytes()).sum::<usize>()
            + self.sources.len() * 16
    }
}

/// Cells in a tile, for callers that walk one.
pub const TILE_CELLS: usize = CELLS;
