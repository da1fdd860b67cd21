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

/// What a bin stands for may be above all that is in it; a quantile never is above the largest value.
#[test]
fn no_quantile_is_above_the_largest_value() {
    let mut counts = Accumulator::new(LATTICE, wanted());
    let visits = [Visit { cell: 5, values: PerQuantity::new([1.0; 4]), energy_line_deg: 30.0 }];
    for _ in 0..9 {
        let (source_cell, deposit, frequency_per_year) = (0, None, 0.0);
        counts.add(&Passage { visits: &visits, source_cell, deposit, frequency_per_year, half: 0, weight: 1.0 });
    }
    assert!(histogram::value(histogram::bin(1.0)) > 1.0);
    let need = Need { histogram: PerQuantity::new([true; 4]), sources: false };
    Statistics::new([&counts]).for_each_cell(need, |cell| {
        let quantiles = [0.0, 0.5, 0.9, 1.0].map(|p| cell.quantile(Quantity::KineticEnergy, p));
        assert_eq!((cell.passages, quantiles), (9, [1.0; 4]));
    });
}
