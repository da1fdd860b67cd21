//! How sure a zone is: the share of resampled halves of the rocks that give the cell the same zone.
//!
//! In a resampled half each rock is in or out by the toss of a coin. What a cell holds are counts of rocks, so the coins are tossed
//! for the counts: of b rocks a binomial number stays. That is the distribution over all halves, cell by cell, and needs no
//! rock to be kept. The tosses of a cell come from its number: the result depends on the counts alone.

use rayon::prelude::*;

use crate::Result;
use crate::hazard::classify::{self, Scenario};
use crate::hazard::scheme::{Combine, ReturnPeriod, Scheme};
use crate::hazard::squares::{Entered, Part, SquareCounts};
use crate::hazard::tile::{CELLS, SIDE};
use crate::terrain::{Field, Lattice};

/// Resampled halves a cell.
pub const HALVES: u8 = 50;
/// Zones below this confidence are drawn hatched.
pub const UNCERTAIN: f64 = 0.8;

/// In place of a number of halves where no rock has come near.
const NONE_NEAR: u8 = u8::MAX;

/// The share of all halves; NaN where no rock has come near.
pub fn share(halves: u8) -> f32 {
    if halves == NONE_NEAR { f32::NAN } else { f32::from(halves) / f32::from(HALVES) }
}

/// Per cell the number of resampled halves with the zone of `hazard`, for [`share`]. `None` for a scheme without a
/// reference width. `hazard` may be a part of the `whole` map: cells are known by their number there.
///
/// # Errors
/// When the run has not counted what the scheme asks for.
pub fn confidence_map(
    scenarios: &[&Scenario],
    hazard: &Field<u8>,
    whole: &Lattice,
    scheme: &Scheme,
) -> Result<Option<Field<u8>>> {
    let Some(width_m) = scheme.reference_width_m else { return Ok(None) };
    let mut all = Vec::new();
    for scenario in scenarios {
        let squares = classify::counted_squares(scenario.counts, width_m)?;
        let columns = classify::energy_columns(squares, scheme)?;
        let period = scenario.return_period_years.map(|years| scheme.period_class(1.0 / years));
        all.push(Counted { scenario, squares, columns, period });
    }
    let nx = hazard.lattice.nx.max(1);
    let (column, row) = whole.first_of(&hazard.lattice);
    let first = (row * whole.nx + column) as u64;
    // A row of tiles at a time: each tile is read once.
    let rows = hazard.values.par_chunks(nx * SIDE).enumerate().flat_map_iter(|(row, zones)| {
        let mut found = vec![(Entered::default(), 0); all.len()];
        let mut shares = vec![NONE_NEAR; zones.len()];
        for column in 0..nx.div_ceil(SIDE) {
            let tile = row * nx.div_ceil(SIDE) + column;
            let tiles: Vec<_> = all.iter().map(|counted| counted.squares.tiles_of(Part::Whole, tile)).collect();
            for at in 0..CELLS {
                let (x, y) = (column * SIDE + at % SIDE, at / SIDE);
                let Some(share) = shares.get_mut(y * nx + x).filter(|_| x < nx) else { continue };
                let mut any = false;
                for ((counted, tiles), (entered, released)) in all.iter().zip(&tiles).zip(&mut found) {
                    any |= counted.squares.entered(tiles, at, entered);
                    *released = counted.scenario.counts.released_in(Part::Whole);
                }
                if any {
                    let cell = first + ((row * SIDE + y) * whole.nx + x) as u64;
                    *share = same_zone(&all, &found, scheme, zones[y * nx + x], cell);
                }
            }
        }
        shares
    });
    Ok(Some(Field { lattice: hazard.lattice, values: rows.collect() }))
}

struct Counted<'a> {
    scenario: &'a Scenario<'a>,
    squares: &'a SquareCounts,
    /// Where the counts of each intensity stand.
    columns: Vec<usize>,
    /// Class of the scenario's own return period.
    period: Option<usize>,
}

fn same_zone(all: &[Counted], found: &[(Entered, u64)], scheme: &Scheme, zone: u8, cell: u64) -> u8 {
    let mut coins = Coins(cell << 20);
    let mut same = 0;
    let classes = scheme.intensities.len();
    let mut kept = vec![0u32; classes];
    for _ in 0..HALVES {
        let mut drawn = 0;
        let mut frequency = vec![0.0; classes];
        for (counted, (entered, released)) in all.iter().zip(found) {
            // Rocks between the limits, from the strongest down; then at or above each limit.
            let mut above = 0;
            let mut sum = 0;
            for class in (0..classes).rev() {
                let here = entered.at_least(counted.columns[class]);
                sum += coins.heads(here - above.min(here));
                above = here;
                kept[class] = sum;
            }
            let weight = entered.weight() / f64::from(entered.rocks.max(1)) * f64::from(kept[0]);
            if kept[0] == 0 || weight < scheme.least_reach_probability * 0.5 * *released as f64 {
                continue;
            }
            let needed = classify::rocks_needed(kept[0], scheme.quantile);
            let class = kept.iter().rposition(|&rocks| rocks >= needed).unwrap_or(0);
            match (scheme.return_period, counted.period) {
                (ReturnPeriod::Scenario, Some(period)) => drawn = drawn.max(scheme.zone(class, period)),
                (ReturnPeriod::Scenario, None) => {}
                (ReturnPeriod::Passages, _) => {
                    for (i, sum) in frequency.iter_mut().enumerate() {
                        let (column, counts) = match scheme.combine {
                            Combine::Exceedance => (i, true),
                            Combine::ScenarioQuantile => (0, class >= i),
                        };
                        let rocks = entered.at_least(counted.columns[column]);
                        if counts && rocks > 0 {
                            let per_rock = entered.frequency_above(counted.columns[column]) / f64::from(rocks);
                            // The rocks of a half stand for all.
                            *sum += 2.0 * f64::from(kept[column]) * per_rock * counted.scenario.counts.frequency_scale;
                        }
                    }
                }
            }
        }
        for (class, &per_year) in frequency.iter().enumerate().filter(|(_, f)| **f > 0.0) {
            drawn = drawn.max(scheme.zone(class, scheme.period_class(per_year)));
        }
        same += u8::from(drawn == zone);
    }
    same
}

/// Tosses of a coin (SplitMix64, Steele et al. 2014).
struct Coins(u64);

impl Coins {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// How many of n coins show heads. Above 1024 coins by the normal distribution, itself from 1024 tosses.
    fn heads(&mut self, n: u32) -> u32 {
        const MANY: u32 = 1024;
        if n > MANY {
            let sixteenths = f64::from(self.heads(MANY)) - 512.0;
            let heads = 0.5 * f64::from(n) + sixteenths / 16.0 * 0.5 * f64::from(n).sqrt();
            return (heads.round().max(0.0) as u32).min(n);
        }
        let (whole, rest) = (n / 64, n % 64);
        let mut heads = (0..whole).map(|_| self.word().count_ones()).sum();
        if rest > 0 {
            heads += (self.word() >> (64 - rest)).count_ones();
        }
        heads
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazard::accumulator::{Accumulator, Passage, Wanted};
    use crate::hazard::quantity::PerQuantity;
    use crate::hazard::squares::Squares;
    use crate::hazard::traverse::Visit;
    use crate::terrain::Lattice;

    #[test]
    fn coins_are_fair() {
        let mut coins = Coins(1);
        for n in [1, 63, 64, 200, 1024, 5000] {
            let tosses: Vec<f64> = (0..20_000).map(|_| f64::from(coins.heads(n))).collect();
            let mean = tosses.iter().sum::<f64>() / 20_000.0;
            let variance = tosses.iter().map(|heads| (heads - mean).powi(2)).sum::<f64>() / 20_000.0;
            let (expected, spread) = (0.5 * f64::from(n), 0.25 * f64::from(n));
            assert!((mean - expected).abs() < 4.0 * (spread / 20_000.0).sqrt(), "{n}: {mean}");
            assert!((variance / spread - 1.0).abs() < 0.05, "{n}: {variance}");
        }
    }

    /// 1000 rocks. Cell 0: all strong, far above the least reach: sure. Cell 2: one rock at a least reach of one in 1000: in a half
    /// it is there or not, and one of 500 is enough. Cell 4: rocks exactly at the least reach of 1 %: half of the halves fall short.
    #[test]
    fn a_zone_is_sure_where_many_rocks_agree() {
        let lattice = Lattice { nx: 6, ny: 1, x0: 0.0, y0: 0.0, dx: 10.0, dy: 10.0 };
        let squares = Squares { widths_m: vec![10.0], energies_kj: vec![30.0, 300.0], frequency: false };
        let mut counts = Accumulator::new(lattice, Wanted { squares, ..Default::default() });
        for rock in 0..1000 {
            let visit = |cell| Visit { cell, values: PerQuantity::new([900.0, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 };
            let mut visits = vec![visit(0)];
            visits.extend((rock == 7).then(|| visit(2)));
            visits.extend((rock < 10).then(|| visit(4)));
            let (source_cell, deposit, frequency_per_year) = (0, None, 0.0);
            let passage = Passage { visits: &visits, source_cell, deposit, frequency_per_year, half: 0, weight: 1.0 };
            counts.add(&passage);
        }
        let scenario = Scenario { name: "one".into(), counts: &counts, return_period_years: Some(100.0) };
        let of = |least_reach_probability: f64| {
            let text = include_str!("../project/schemes/swiss.yaml");
            let scheme = Scheme { least_reach_probability, ..serde_yaml::from_str(text).expect("valid") };
            let intensity = classify::intensity_map(&scenario, &scheme, Part::Whole).expect("counted");
            let hazard = classify::hazard_map(std::slice::from_ref(&scenario), &[intensity], &scheme, Part::Whole);
            let hazard = hazard.expect("counted").expect("has a period");
            confidence_map(&[&scenario], &hazard, &hazard.lattice, &scheme)
                .expect("counted")
                .expect("has a width")
                .values
        };
        let of = |least: f64| of(least).into_iter().map(share).collect::<Vec<f32>>();
        let found = of(0.001);
        assert_eq!(found[0], 1.0);
        assert!(found[1].is_nan() && found[3].is_nan());
        assert!((found[2] - 0.5).abs() < 0.25, "{}", found[2]);
        let found = of(0.01);
        assert!((found[4] - 0.62).abs() < 0.25, "P(B(10, ½) ≥ 5) = 0.62: {}", found[4]);
        assert_eq!(found[2], 1.0, "surely none");
    }

    /// 100 rocks a cell, together every 15 years: a half of them stands for all, and the zone of up to 30 years is sure. Ten of 1000
    /// rocks that weigh four each are 4 % of those of a short area: above a least reach of 2 %, and so is nearly every half of them
    /// (P(B(10, ½) ≥ 3) = 0.945).
    #[test]
    fn a_half_stands_for_all_and_a_rock_for_what_it_weighs() {
        let lattice = Lattice { nx: 2, ny: 1, x0: 0.0, y0: 0.0, dx: 10.0, dy: 10.0 };
        let squares = Squares { widths_m: vec![10.0], energies_kj: vec![30.0, 300.0], frequency: true };
        let wanted = Wanted { squares, energies_kj: vec![0.0, 30.0, 300.0], ..Default::default() };
        let mut counts = Accumulator::new(lattice, wanted);
        for rock in 0..1000 {
            let visit = |cell| Visit { cell, values: PerQuantity::new([100.0, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 };
            let visits: Vec<Visit> = [(rock < 100, 0), (rock < 10, 1)]
                .iter()
                .filter(|(passes, _)| *passes)
                .map(|&(_, cell)| visit(cell))
                .collect();
            let frequency_per_year = 1.0 / 1500.0;
            let (source_cell, deposit, half, weight) = (0, None, 0, 4.0);
            counts.add(&Passage { visits: &visits, source_cell, deposit, frequency_per_year, half, weight });
        }
        let scenario = Scenario { name: "one".into(), counts: &counts, return_period_years: Some(50.0) };
        let of = |return_period, least_reach_probability: f64| {
            let text = include_str!("../project/schemes/swiss.yaml");
            let scheme =
                Scheme { least_reach_probability, return_period, ..serde_yaml::from_str(text).expect("valid") };
            let intensity = classify::intensity_map(&scenario, &scheme, Part::Whole).expect("counted");
            let hazard = classify::hazard_map(std::slice::from_ref(&scenario), &[intensity], &scheme, Part::Whole);
            let hazard = hazard.expect("counted").expect("has a period");
            let found =
                confidence_map(&[&scenario], &hazard, &hazard.lattice, &scheme).expect("counted").expect("has a width");
            (hazard.values, found.values.into_iter().map(share).collect::<Vec<f32>>())
        };
        let (zones, sure) = of(ReturnPeriod::Passages, 0.0);
        assert_eq!((zones[0], sure[0]), (4, 1.0), "medium every 15 years is red");
        let (zones, sure) = of(ReturnPeriod::Scenario, 0.02);
        assert_eq!(zones, [3, 3]);
        assert!(sure[0] == 1.0 && (sure[1] - 0.945).abs() < 0.15, "{sure:?}");
        assert_eq!(of(ReturnPeriod::Scenario, 0.041).0, [3, 0], "4 % is less than 4.1 %");
    }
}
