//! Zones on maps so large that no array of all their cells is made: the parts where rocks pass, each with room around it, are classified
//! and drawn one by one. They are so far apart that nothing of one changes another.

use std::collections::{BTreeMap, BTreeSet};

use crate::Result;
use crate::hazard::accumulator::Accumulator;
use crate::hazard::classify::Scenario;
use crate::hazard::scheme::Scheme;
use crate::hazard::squares::Part;
use crate::hazard::tile::SIDE;
use crate::store::layers::LARGE_MAP;
use crate::terrain::Lattice;

/// A part with more cells is not classified.
const MOST_CELLS: usize = 1 << 28;

/// What is classified together.
pub(super) enum Sheets {
    /// The map is small enough.
    Whole,
    /// One after the other.
    Parts(Vec<Box4>),
    /// A part has too many cells.
    TooLarge {
        /// So many.
        cells: u64,
    },
}

/// Columns and rows of tiles: first, and beyond the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Box4 {
    columns: [usize; 2],
    rows: [usize; 2],
}

impl Box4 {
    fn joined(self, other: Self) -> Self {
        let wide = |a: [usize; 2], b: [usize; 2]| [a[0].min(b[0]), a[1].max(b[1])];
        Self { columns: wide(self.columns, other.columns), rows: wide(self.rows, other.rows) }
    }

    fn meets(&self, other: &Self) -> bool {
        let both = |a: [usize; 2], b: [usize; 2]| a[0] < b[1] && b[0] < a[1];
        both(self.columns, other.columns) && both(self.rows, other.rows)
    }
}

impl Sheets {
    pub(super) fn of(scenarios: &[Scenario], scheme: &Scheme) -> Self {
        let Some(lattice) = scenarios.first().map(|scenario| scenario.counts.lattice) else { return Self::Whole };
        if lattice.len() <= LARGE_MAP {
            return Self::Whole;
        }
        let parts = parts(&lattice, touched(scenarios), room(&lattice, scheme));
        let cells = |part: &Box4| {
            let side = |[first, end]: [usize; 2]| (end - first) * SIDE;
            side(part.columns) * side(part.rows)
        };
        if let Some(cells) = parts.iter().map(cells).max().filter(|&cells| cells > MOST_CELLS) {
            return Self::TooLarge { cells: cells as u64 };
        }
        Self::Parts(parts)
    }

    /// Calls `each` with the scenarios of one part after the other; the counts of a part are in memory for that long.
    pub(super) fn for_each(&self, all: &[Scenario], mut each: impl FnMut(&[Scenario]) -> Result<()>) -> Result<()> {
        let Self::Parts(parts) = self else { return each(all) };
        for Box4 { columns: [west, east], rows: [south, north] } in parts {
            let cut = |scenario: &Scenario| scenario.counts.cut_out(*west..*east, *south..*north);
            let counts: Vec<Accumulator> = all.iter().map(cut).collect();
            let with = |(scenario, counts): (&Scenario, _)| Scenario {
                name: scenario.name.clone(),
                counts,
                return_period_years: scenario.return_period_years,
            };
            each(&all.iter().zip(&counts).map(with).collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// Tiles around what rocks pass within which drawing may change something.
fn room(lattice: &Lattice, scheme: &Scheme) -> usize {
    let wishes = scheme.generalisation();
    // Ground around a patch that is to be no small one itself counts, too.
    let metres = 2.0 * (wishes.close_gaps_m + wishes.min_width_m)
        + scheme.reference_width_m.unwrap_or(0.0)
        + wishes.min_area_m2.max(0.0).sqrt();
    let cells = metres / lattice.dx.min(lattice.dy) + 8.0;
    (cells / SIDE as f64).ceil() as usize
}

/// Columns and rows of the tiles where rocks pass or come near.
fn touched(scenarios: &[Scenario]) -> BTreeSet<(usize, usize)> {
    let mut tiles = BTreeSet::new();
    for Scenario { counts, .. } in scenarios {
        let across = counts.lattice.nx.div_ceil(SIDE);
        let widths = counts.wanted.squares.widths_m.iter().filter_map(|&width| counts.squares(width));
        let near = widths.flat_map(|squares| squares.near_tiles(Part::Whole));
        tiles.extend(counts.passed_tiles().into_iter().chain(near).map(|tile| (tile / across, tile % across)));
    }
    tiles
}

fn parts(lattice: &Lattice, tiles: BTreeSet<(usize, usize)>, room: usize) -> Vec<Box4> {
    let ends = [lattice.nx.div_ceil(SIDE), lattice.ny.div_ceil(SIDE)];
    let widened = |row: usize, column: usize| {
        let side = |at: usize, end: usize| [at.saturating_sub(room), (at + room + 1).min(end)];
        Box4 { columns: side(column, ends[0]), rows: side(row, ends[1]) }
    };
    // First those of a coarse square, then what still meets.
    let coarse = 4 * (room + 1);
    let mut squares: BTreeMap<(usize, usize), Box4> = BTreeMap::new();
    for (row, column) in tiles {
        let own = widened(row, column);
        squares.entry((row / coarse, column / coarse)).and_modify(|all| *all = all.joined(own)).or_insert(own);
    }
    let mut parts: Vec<Box4> = Vec::new();
    for square in squares.into_values() {
        let mut square = square;
        while let Some(k) = parts.iter().position(|part| part.meets(&square)) {
            square = square.joined(parts.swap_remove(k));
        }
        parts.push(square);
    }
    parts.sort_by_key(|part| (part.rows[0], part.columns[0]));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every tile lies in one part with room around it, and no two parts meet.
    #[test]
    fn parts_hold_all_and_do_not_meet() {
        let lattice = Lattice { nx: 50_000, ny: 40_000, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let mut seed = 7_u64;
        let mut random = |most: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % most
        };
        let mut tiles = BTreeSet::new();
        for _ in 0..60 {
            let (row, column) = (random(1240), random(1540));
            for _ in 0..40 {
                tiles.insert((row + random(9), column + random(15)));
            }
        }
        let parts = parts(&lattice, tiles.clone(), 2);
        assert!(parts.len() > 20, "{}", parts.len());
        for (row, column) in tiles {
            let holds = |part: &&Box4| {
                let inside = |at: usize, [first, end]: [usize; 2]| at >= first && at < end;
                inside(row, part.rows) && inside(column, part.columns)
            };
            assert_eq!(parts.iter().filter(holds).count(), 1);
        }
        for (k, part) in parts.iter().enumerate() {
            assert!(parts[k + 1..].iter().all(|other| !part.meets(other)));
        }
    }
}
