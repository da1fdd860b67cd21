//! From accumulators to numbers per cell: means, quantiles, confidence bounds, local reach, yearly frequencies.

use std::iter::Peekable;

use crate::hazard::accumulator::{Accumulator, FREQUENCY_QUANTUM, SUM_QUANTUM, SourceCells, TILE_CELLS};
use crate::hazard::histogram::{self, Reader};
use crate::hazard::quantity::{PerQuantity, Quantity};
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
mod tests {
    use super::*;
    use crate::hazard::accumulator::{Passage, Wanted};
    use crate::hazard::ranks::confidence_ranks;
    use crate::hazard::stored::{Counted, TileFile};
    use crate::hazard::traverse::Visit;
    use crate::terrain::Lattice;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::HashMap;

    const LATTICE: Lattice = Lattice { nx: 70, ny: 50, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };

    fn wanted() -> Wanted {
        let energies_kj = vec![30.0, 300.0];
        let all = PerQuantity::new([true; 4]);
        Wanted { max: all, histogram: all, mean: all, sources: true, energies_kj, ..Default::default() }
    }

    struct Synthetic {
        visits: Vec<Visit>,
        source_cell: u64,
        deposit: Option<u64>,
        frequency_per_year: f64,
    }

    /// Trajectories over random cells with log-normal energies.
    fn synthetic(count: u64) -> Vec<Synthetic> {
        (0..count)
            .map(|k| {
                let mut rng = ChaCha8Rng::seed_from_u64(7);
                rng.set_stream(k);
                let first = u64::from(rng.random_range(0..3400u32));
                let visits: Vec<Visit> = (0..60)
                    .map(|i| Visit {
                        cell: first + i,
                        values: PerQuantity::from_fn(|_| (8.0 * rng.random::<f32>() - 1.0).exp()),
                        energy_line_deg: 30.0 + rng.random::<f32>(),
                    })
                    .collect();
                let frequency_per_year = rng.random::<f64>() * 1e-3;
                Synthetic { visits, source_cell: first / 100, deposit: Some(first + 59), frequency_per_year }
            })
            .collect()
    }

    fn count<'a>(all: impl IntoIterator<Item = &'a Synthetic>) -> Accumulator {
        let mut accumulator = Accumulator::new(LATTICE, wanted());
        for Synthetic { visits, source_cell, deposit, frequency_per_year } in all {
            let (source_cell, deposit, frequency_per_year) = (*source_cell, *deposit, *frequency_per_year);
            accumulator.add(&Passage { visits, source_cell, deposit, frequency_per_year, half: 0, weight: 1.0 });
        }
        accumulator
    }

    fn bytes(accumulator: &Accumulator) -> Vec<u8> {
        let mut out = Vec::new();
        accumulator.write(&mut out).unwrap();
        out
    }

    /// One pass, seven uneven parts merged in an odd order, and a round trip through bytes: the same bits.
    #[test]
    fn merging_gives_the_same_bits_in_any_order() {
        let all = synthetic(900);
        let once = count(&all);
        let cuts = [0, 1, 4, 100, 333, 334, 800, 900];
        let mut parts: Vec<_> = cuts.windows(2).map(|w| count(&all[w[0]..w[1]])).collect();
        parts.swap(0, 5);
        parts.swap(2, 3);
        let stored: Vec<Vec<u8>> = parts.iter().map(bytes).collect();
        let mut merged = Vec::new();
        let mut inputs: Vec<&[u8]> = stored.iter().map(|part| &part[..]).collect();
        Accumulator::merge(LATTICE, &wanted(), &mut inputs, &mut merged).unwrap();
        assert!(merged == bytes(&once) && inputs.iter().all(|rest| rest.is_empty()));
        assert!(bytes(&count(all.iter().rev())) == bytes(&once));
        assert_eq!(once.released(), 900);
        assert!(Accumulator::read(LATTICE, wanted(), &mut &merged[..5000]).is_err());
        let mut cut: Vec<&[u8]> = stored.iter().map(|part| &part[..part.len() / 2]).collect();
        assert!(Accumulator::merge(LATTICE, &wanted(), &mut cut, &mut Vec::new()).is_err());
        // Tiles left where they are tell the same as those in memory, and write the same.
        let held = Accumulator::read(LATTICE, wanted(), &mut &merged[..]).unwrap();
        let place = std::sync::Arc::new(merged.clone());
        let file = TileFile::new(move |at, out| {
            out.copy_from_slice(&place[at as usize..][..out.len()]);
            Ok(())
        });
        let input = &mut Counted::new(std::io::Cursor::new(&merged));
        let left = Accumulator::open(LATTICE, wanted(), input, &file).unwrap();
        assert!(bytes(&held) == merged && bytes(&left) == merged);
        let cells = |counts: &Accumulator| {
            let mut cells = Vec::new();
            let all = PerQuantity::new([true; 4]);
            Statistics::new([counts])
                .for_each_cell(Need { histogram: all, sources: true }, |cell| cells.push(cell.clone()));
            cells
        };
        assert!(cells(&held) == cells(&left) && !cells(&left).is_empty());
        file.is_readable().unwrap();
        // What can no longer be read is told.
        let gone = TileFile::new(|_, _| Err(std::io::ErrorKind::NotFound.into()));
        let input = &mut Counted::new(std::io::Cursor::new(&merged));
        let left = Accumulator::open(LATTICE, wanted(), input, &gone).unwrap();
        assert!(cells(&left).is_empty() && gone.is_readable().is_err());
    }

    /// Every number per cell against plain lists of the values.
    #[test]
    fn statistics_are_those_of_the_plain_lists() {
        let all = synthetic(4000);
        // Two groups, as with two scenarios.
        let (a, b) = (count(&all[..1500]), count(&all[1500..]));
        let statistics = Statistics::new([&a, &b]);
        let mut lists: HashMap<u64, Vec<(&Visit, &Synthetic)>> = HashMap::new();
        for trajectory in &all {
            trajectory.visits.iter().for_each(|v| lists.entry(v.cell).or_default().push((v, trajectory)));
        }
        let (mut seen, mut worst): (usize, f64) = (0, 0.0);
        statistics.for_each_cell(Need { histogram: PerQuantity::new([true; 4]), sources: true }, |cell| {
            let list = &lists[&cell.index];
            seen += 1;
            assert_eq!(cell.passages as usize, list.len());
            let deposits = all.iter().filter(|t| t.deposit == Some(cell.index)).count();
            assert_eq!(cell.deposits as usize, deposits);
            let mut sources: Vec<_> = list.iter().map(|(_, t)| t.source_cell).collect();
            sources.sort();
            sources.dedup();
            let known = statistics.sources.list();
            let mut found: Vec<_> = cell.sources().iter().map(|&source| known[source as usize].0).collect();
            found.sort();
            assert_eq!(found, sources);
            let released = all.iter().filter(|t| sources.contains(&t.source_cell)).count() as u64;
            assert_eq!(statistics.released_from(cell.sources()), released);
            let above = list
                .iter()
                .filter(|(v, _)| v.values[Quantity::KineticEnergy] > 300.0)
                .map(|(_, t)| t.frequency_per_year)
                .sum::<f64>();
            assert!((cell.frequency_above(1) - above).abs() < 1e-12);
            for quantity in Quantity::ALL {
                let mut values: Vec<f64> = list.iter().map(|(v, _)| f64::from(v.values[quantity])).collect();
                values.sort_by(f64::total_cmp);
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                assert!((cell.mean(quantity) - mean).abs() <= 1e-6 * mean.max(1.0));
                assert_eq!(f64::from(cell.max[quantity]), *values.last().unwrap());
                for p in [0.5, 0.9, 0.95, 0.99, 1.0] {
                    let position = (values.len() - 1) as f64 * p;
                    let (low, high) = (values[position as usize], values[position.ceil() as usize]);
                    let exact = low + (position - position.floor()) * (high - low);
                    worst = worst.max((cell.quantile(quantity, p) / exact - 1.0).abs());
                }
            }
        });
        assert_eq!(seen, lists.len());
        // Measured 0.0078; the contract asks for 0.01.
        assert!(worst <= histogram::RELATIVE_ERROR && worst > 1e-3, "{worst}");
    }

    /// The definition, by summing the binomial from its upper end.
    #[test]
    fn confidence_ranks_enclose_the_quantile_with_95_percent() {
        // P(B < rank) with B ~ Binomial(n, p).
        let below = |n: u32, p: f64, rank: u64| {
            let mut term = (f64::from(n) * p.ln()).exp();
            1.0 - (rank..=u64::from(n)).rev().fold(0.0, |sum, k| {
                let here = term;
                term *= k as f64 / (f64::from(n) - k as f64 + 1.0) * (1.0 - p) / p;
                sum + here
            })
        };
        assert_eq!(confidence_ranks(10, 0.95), (Some(7), None));
        for n in [80, 200, 1999, 2001] {
            let (low, high) = confidence_ranks(n, 0.95);
            let (low, high) = (low.unwrap() + 1, high.unwrap() + 1);
            assert!(below(n, 0.95, low) <= 0.026 && below(n, 0.95, high) >= 0.974, "{n}: {low} {high}");
            assert!(high - low < 8 + (0.22 * 4.0 * f64::from(n).sqrt()) as u64);
        }
    }
}
