//! From accumulators to numbers per cell: means, quantiles, confidence bounds, local reach, yearly frequencies.

use std::iter::Peekable;

use crate::hazard::accumulator::{Accumulator, FREQUENCY_QUANTUM, SUM_QUANTUM, TILE_CELLS};
use crate::hazard::histogram::{self, Reader};
use crate::hazard::quantity::{PerQuantity, Quantity};
use crate::hazard::source_cells::SourceCells;
use crate::hazard::tile::Tile;

/// Several accumulators (scenarios) seen as one.
pub struct Statistics<'a> {
    groups: Vec<Group<'a>>,
    sources: SourceCells,
}

struct Group<'a> {
    counts: &'a Accumulator,
    /// Numbers of its source cells among those of all groups; `None` where they are the same.
    renumber: Option<Vec<u32>>,
}

/// What a caller wants decoded; counts, maxima and sums always are there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Need {
    /// For quantiles.
    pub histogram: PerQuantity<bool>,
    /// Which source cells feed a cell.
    pub sources: bool,
}

impl Need {
    /// What either wants.
    pub fn or(self, other: Self) -> Self {
        let histogram = PerQuantity::from_fn(|q| self.histogram[q] || other.histogram[q]);
        Self { histogram, sources: self.sources || other.sources }
    }
}

/// Everything known of one cell a rock has passed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    /// row · nx + column, row 0 in the south.
    pub index: u64,
    /// Rocks that passed.
    pub passages: u32,
    /// Rocks that came to rest.
    pub deposits: u32,
    /// By quantity; 0 for one that was not wanted.
    pub max: PerQuantity<f32>,
    /// Smallest angle, degrees.
    pub energy_line_deg: f32,
    sum: PerQuantity<u64>,
    frequency: Vec<u64>,
    frequency_scale: f64,
    /// (bin, count), bins rising.
    histogram: PerQuantity<Vec<(u32, u32)>>,
    sources: Vec<u32>,
}

impl<'a> Statistics<'a> {
    /// Of these together.
    pub fn new(groups: impl IntoIterator<Item = &'a Accumulator>) -> Self {
        let mut sources = SourceCells::default();
        let group = |counts: &'a Accumulator| {
            let list = counts.sources().list();
            let numbers: Vec<u32> = list.iter().map(|&(cell, count)| sources.add(cell, count)).collect();
            let same = numbers.iter().enumerate().all(|(old, &new)| old as u32 == new);
            Group { counts, renumber: (!same).then_some(numbers) }
        };
        Self { groups: groups.into_iter().map(group).collect(), sources }
    }

    /// Rocks counted.
    pub fn released(&self) -> u64 {
        self.groups.iter().map(|group| group.counts.released()).sum()
    }

    /// Rocks counted that started in any of these source cells, given by number.
    pub fn released_from(&self, sources: &[u32]) -> u64 {
        let list = self.sources.list();
        sources.iter().filter_map(|&source| list.get(source as usize)).map(|&(_, count)| u64::from(count)).sum()
    }

    /// Calls `visit` for every cell a rock has passed, tile by tile.
    pub fn for_each_cell(&self, need: Need, mut visit: impl FnMut(&Cell)) {
        self.passed_tiles().into_iter().for_each(|tile| self.for_each_cell_of_tile(tile, need, &mut visit));
    }

    /// Numbers of the tiles that rocks have passed, in order.
    pub fn passed_tiles(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.groups.iter().flat_map(|group| group.counts.passed_tiles()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The same for the cells of one tile: tiles can be looked at by several threads.
    pub fn for_each_cell_of_tile(&self, index: usize, need: Need, mut visit: impl FnMut(&Cell)) {
        let Some(first) = self.groups.first().map(|group| group.counts) else { return };
        let tiles: Vec<_> = self.groups.iter().filter_map(|group| Some((group, group.counts.tile(index)?))).collect();
        if tiles.is_empty() {
            return;
        }
        let mut parts: Vec<Part> = tiles.iter().map(|(group, tile)| Part::new(group, tile)).collect();
        let mut cell = Cell { frequency_scale: first.frequency_scale, ..Default::default() };
        for at in 0..TILE_CELLS {
            cell.clear();
            let counted = parts.iter_mut().map(|part| part.add_to(&mut cell, at, need)).filter(|&added| added).count();
            let Some(index) = first.cell_of(index, at).filter(|_| counted > 0) else { continue };
            cell.index = index;
            if counted > 1 {
                cell.sort();
            }
            visit(&cell);
        }
    }
}

/// The counts of one group in a tile, read cell by cell.
struct Part<'a> {
    group: &'a Group<'a>,
    tile: &'a Tile,
    histogram: PerQuantity<Peekable<Reader<'a>>>,
    sources: Peekable<Reader<'a>>,
}

impl<'a> Part<'a> {
    fn new(group: &'a Group<'a>, tile: &'a Tile) -> Self {
        let histogram = PerQuantity::from_fn(|q| tile.histogram[q].iter().peekable());
        Self { group, tile, histogram, sources: tile.sources.iter().peekable() }
    }

    /// Adds what was counted in a cell of the tile; false where no rock of the group has passed. Cells must rise.
    fn add_to(&mut self, cell: &mut Cell, at: usize, need: Need) -> bool {
        let Some(row) = self.tile.row(self.group.counts.layout(), at) else { return false };
        cell.passages = cell.passages.saturating_add(row.passages());
        cell.deposits = cell.deposits.saturating_add(self.tile.deposits.get(&(at as u16)).copied().unwrap_or(0));
        cell.energy_line_deg = cell.energy_line_deg.min(row.energy_line_deg());
        for (energy, sum) in row.frequencies().enumerate() {
            match cell.frequency.get_mut(energy) {
                Some(all) => *all = all.saturating_add(sum),
                None => cell.frequency.push(sum),
            }
        }
        for q in Quantity::ALL {
            cell.max[q] = cell.max[q].max(row.max(q));
            cell.sum[q] = cell.sum[q].saturating_add(row.sum(q));
            if need.histogram[q] {
                while let Some(entry) = self.histogram[q].next_if(|entry| entry.cell as usize <= at) {
                    cell.histogram[q].push((entry.key, entry.count));
                }
            }
        }
        if need.sources {
            let numbers = self.group.renumber.as_deref();
            while let Some(entry) = self.sources.next_if(|entry| entry.cell as usize <= at) {
                cell.sources.push(numbers.map_or(entry.key, |numbers| numbers[entry.key as usize]));
            }
        }
        true
    }
}

impl Cell {
    fn clear(&mut self) {
        (self.passages, self.deposits, self.energy_line_deg) = (0, 0, f32::INFINITY);
        (self.max, self.sum) = Default::default();
        self.frequency.clear();
        self.histogram.values_mut().iter_mut().for_each(Vec::clear);
        self.sources.clear();
    }

    /// Brings what several groups have added into order, and equal keys together.
    fn sort(&mut self) {
        for histogram in self.histogram.values_mut() {
            histogram.sort_unstable_by_key(|&(bin, _)| bin);
            histogram.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 = if same { kept.1.saturating_add(next.1) } else { kept.1 };
                same
            });
        }
        self.sources.sort_unstable();
        self.sources.dedup();
    }

    /// Of the largest values of each rock.
    pub fn mean(&self, quantity: Quantity) -> f64 {
        self.sum[quantity] as f64 * SUM_QUANTUM / f64::from(self.passages)
    }

    /// The quantile as the usual linear interpolation between order statistics (Hyndman & Fan 1996, type 7: position
    /// (n − 1) p), each known to [`histogram::RELATIVE_ERROR`] and the largest exactly.
    pub fn quantile(&self, quantity: Quantity, p: f64) -> f64 {
        let position = (f64::from(self.passages) - 1.0) * p.clamp(0.0, 1.0);
        let low = position.floor();
        let (a, b) = (self.ranked(quantity, low as u64), self.ranked(quantity, position.ceil() as u64));
        a + (position - low) * (b - a)
    }

    /// The value with this many smaller ones before it.
    pub fn ranked(&self, quantity: Quantity, rank: u64) -> f64 {
        let max = f64::from(self.max[quantity]);
        let mut before = 0;
        if rank + 1 >= u64::from(self.passages) {
            return max;
        }
        for &(bin, count) in &self.histogram[quantity] {
            before += u64::from(count);
            if rank < before {
                return histogram::value(bin).min(max);
            }
        }
        max
    }

    /// Bins and counts of a quantity, bins rising.
    pub fn for_each_bin(&self, quantity: Quantity, each: impl FnMut(u32, u32)) {
        let mut each = each;
        self.histogram[quantity].iter().for_each(|&(bin, count)| each(bin, count));
    }

    /// Numbers of the distinct source cells whose rocks pass this cell.
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// Passages per year above the energy with this index in [`Wanted::energies_kj`](crate::hazard::accumulator::Wanted).
    pub fn frequency_above(&self, energy: usize) -> f64 {
        self.frequency.get(energy).map_or(0.0, |&sum| sum as f64 * FREQUENCY_QUANTUM * self.frequency_scale)
    }
}

#[cfg(test)]
mod tests;
