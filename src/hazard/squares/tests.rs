use super::*;
use crate::hazard::quantity::PerQuantity;
use std::collections::{BTreeMap, BTreeSet};

const LATTICE: Lattice = Lattice { nx: 70, ny: 50, x0: 0.0, y0: 0.0, dx: 2.0, dy: 2.0 };

fn wanted() -> Squares {
    Squares { widths_m: vec![10.0], energies_kj: vec![30.0, 300.0], frequency: true }
}

/// Rocks on random walks: cell and energy.
fn rocks(count: u64) -> Vec<Vec<Visit>> {
    let mut state = 5u64;
    let mut random = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let walk = |_| {
        let (mut x, mut y) = (random(70) as i64, random(50) as i64);
        let mut path = BTreeMap::new();
        for _ in 0..80 {
            (x, y) = ((x + random(3) as i64 - 1).clamp(0, 69), (y + random(3) as i64 - 1).clamp(0, 49));
            path.insert((y * 70 + x) as u64, random(900) as f32);
        }
        let visit =
            |(cell, energy)| Visit { cell, values: PerQuantity::new([energy, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 };
        path.into_iter().map(visit).collect()
    };
    (0..count).map(walk).collect()
}

fn counted<'a>(all: impl Iterator<Item = (usize, &'a Vec<Visit>)>) -> SquareCounts {
    let mut counts = SquareCounts::new(LATTICE, &wanted(), 10.0);
    for (i, visits) in all {
        counts.add(&Entry { visits, half: i % 2, weight: 7 + i as u64, frequency: 1000 + i as u64 });
    }
    counts
}

/// Against the definition, cell by cell and rock by rock.
#[test]
fn every_rock_counts_once_in_every_square_it_enters() {
    let all = rocks(60);
    let counts = counted(all.iter().enumerate());
    let near = |a: u64, b: u64| {
        let (ax, ay, bx, by) = (a as i64 % 70, a as i64 / 70, b as i64 % 70, b as i64 / 70);
        (ax - bx).abs() <= 2 && (ay - by).abs() <= 2
    };
    let mut seen = BTreeSet::new();
    counts.for_each(Part::Whole, |found| {
        seen.insert(found.cell);
        let largest = |visits: &Vec<Visit>| {
            visits
                .iter()
                .filter(|v| near(v.cell, found.cell))
                .map(|v| v.values[Quantity::KineticEnergy])
                .reduce(f32::max)
        };
        let inside: Vec<(usize, f32)> =
            all.iter().enumerate().filter_map(|(i, visits)| Some((i, largest(visits)?))).collect();
        assert_eq!(found.rocks as usize, inside.len());
        for (index, limit) in [0.0, 30.0, 300.0].into_iter().enumerate() {
            let above = inside.iter().filter(|(_, energy)| *energy >= limit);
            assert_eq!(found.at_least(index) as usize, above.clone().count());
            let yearly: u64 = above.map(|(i, _)| 1000 + *i as u64).sum();
            assert_eq!(found.frequency_above(index), yearly as f64 * FREQUENCY_QUANTUM);
        }
        let weight: u64 = inside.iter().map(|(i, _)| 7 + *i as u64).sum();
        assert_eq!(found.weight(), weight as f64 * WEIGHT_QUANTUM);
    });
    let cells: BTreeSet<u64> = (0..3500).filter(|&c| all.iter().flatten().any(|v| near(v.cell, c))).collect();
    assert_eq!(seen, cells);
}

#[test]
fn parts_merge_to_the_same_bits_and_come_back_from_bytes() {
    let all = rocks(60);
    let bytes = |counts: &SquareCounts| {
        let mut out = Vec::new();
        counts.write(&mut out).unwrap();
        out
    };
    let whole = bytes(&counted(all.iter().enumerate()));
    let parts = [bytes(&counted(all.iter().enumerate().skip(40))), bytes(&counted(all.iter().enumerate().take(7)))];
    let rest = bytes(&counted(all.iter().enumerate().skip(7).take(33)));
    let empty = SquareCounts::new(LATTICE, &wanted(), 10.0);
    let mut merged = Vec::new();
    empty.merge(&mut [&parts[0][..], &parts[1], &rest], &mut merged).unwrap();
    assert!(merged == whole);
    let mut back = empty.clone();
    back.read(&mut &whole[..]).unwrap();
    assert!(bytes(&back) == whole);
    assert!(empty.clone().read(&mut &whole[..whole.len() - 3]).is_err());
}

#[test]
fn a_square_is_as_many_cells_as_come_nearest() {
    assert_eq!([1.0, 2.0, 10.0, 11.9, 12.1, 30.0].map(|width| reach_cells(width, 2.0)), [0, 0, 2, 2, 3, 7]);
}

/// In metres a square is as wide as it is long, whatever the cells are.
#[test]
fn a_square_of_oblong_cells_is_a_square_in_metres() {
    let lattice = Lattice { dx: 2.0, dy: 6.0, ..LATTICE };
    let mut counts = SquareCounts::new(lattice, &wanted(), 18.0);
    let values = PerQuantity::new([50.0, 0.0, 0.0, 0.0]);
    let visits = [Visit { cell: 20 * 70 + 30, values, energy_line_deg: 30.0 }];
    counts.add(&Entry { visits: &visits, half: 0, weight: 1, frequency: 1 });
    let mut cells = Vec::new();
    counts.for_each(Part::Whole, |found| cells.push((found.cell % 70, found.cell / 70)));
    cells.sort_unstable_by_key(|&(column, row)| (row, column));
    let expected: Vec<(u64, u64)> = (19..=21).flat_map(|row| (26..=34).map(move |column| (column, row))).collect();
    assert_eq!(cells, expected);
}
