//! Whether there are enough rocks, asked of the map itself: two halves of the run that share no random number are classified each
//! for itself and compared.

use std::collections::BTreeMap;

use crate::Result;
use crate::hazard::classify::{self, Scenario};
use crate::hazard::crossings::Crossing;
use crate::hazard::generalise;
use crate::hazard::lines::Role;
use crate::hazard::quantity::{PerQuantity, Quantity};
use crate::hazard::ranks::ConfidenceRanks;
use crate::hazard::sample::Sample;
use crate::hazard::scheme::Scheme;
use crate::hazard::squares::Part;
use crate::hazard::statistics::{Need, Statistics};
use crate::project::file::Until;
use crate::project::{self, schemes};
use crate::store::settled::Settled;
use crate::store::{Setup, Store};
use crate::terrain::Field;

/// How far the map has settled with what is in the store.
pub(crate) fn measure(setup: &Setup, store: &Store, rocks: u64) -> Result<Settled> {
    let mut settled = Settled { rocks, zone_change_share: None, p95_half_width_share: None, line_change_share: None };
    let larger =
        |mine: &mut Option<f64>, found: Option<f64>| *mine = mine.iter().copied().chain(found).reduce(f64::max);
    let Some(scheme) = &setup.measured else { return Ok(settled) };
    let plan = &setup.plan;
    let names = project::scenario_names(&plan.scenarios);
    let stated = setup.site.project.file.classification.as_ref();
    let stated = stated.map(|wish| wish.scenario_return_periods_years.clone()).unwrap_or_default();
    let years = schemes::return_periods(&names, &plan.scenario_frequencies(), &stated)?;
    for variant in 0..store.variants() {
        let counts = store.counts(variant);
        let scenario = |((name, counts), &return_period_years): ((&String, _), &Option<f64>)| Scenario {
            name: name.clone(),
            counts,
            return_period_years,
        };
        let scenarios: Vec<Scenario> = names.iter().zip(counts).zip(&years).map(scenario).collect();
        let halves = [half(&scenarios, scheme, 0)?, half(&scenarios, scheme, 1)?];
        larger(&mut settled.zone_change_share, change(&halves));
        let zoned = |cell: usize| halves.iter().flatten().any(|map| map.values[cell] > 0);
        let min_sample = setup.site.project.file.statistics.min_sample;
        larger(&mut settled.p95_half_width_share, half_width(&scenarios, min_sample, zoned));
        larger(&mut settled.line_change_share, line_change(setup, store, variant)?);
    }
    Ok(settled)
}

/// The maps of a half: the hazard map, or without frequencies the intensities of the scenarios.
fn half(scenarios: &[Scenario], scheme: &Scheme, half: usize) -> Result<Vec<Field<u8>>> {
    let part = Part::Half(half);
    let intensity = |scenario: &Scenario| classify::intensity_map(scenario, scheme, part);
    let intensities = scenarios.iter().map(intensity).collect::<Result<Vec<_>>>()?;
    let maps = match classify::hazard_map(scenarios, &intensities, scheme, part)? {
        Some(hazard) => vec![hazard],
        None => intensities,
    };
    // As they are drawn: what generalisation smooths away is no difference.
    Ok(maps.iter().map(|map| generalise::generalise(map, &scheme.generalisation()).0).collect())
}

/// Share of the cells with a zone in either half whose zones differ; `None` without any zone.
fn change(halves: &[Vec<Field<u8>>; 2]) -> Option<f64> {
    let (mut zoned, mut differing) = (0u64, 0u64);
    for (a, b) in halves[0].iter().zip(&halves[1]) {
        for (a, b) in a.values.iter().zip(&b.values) {
            zoned += u64::from(*a > 0 || *b > 0);
            differing += u64::from(a != b);
        }
    }
    (zoned > 0).then(|| differing as f64 / zoned as f64)
}

/// Median over scenarios and cells of the zones, as far as enough rocks passed, of half the distance between the confidence bounds
/// of p95, over p95. Where there is no upper bound (fewer than 72 rocks) it is p95 less the lower one.
fn half_width(scenarios: &[Scenario], min_sample: u32, zoned: impl Fn(usize) -> bool) -> Option<f64> {
    let energy = Quantity::KineticEnergy;
    let need = Need { histogram: PerQuantity::from_fn(|quantity| quantity == energy), sources: false };
    let mut ranks = ConfidenceRanks::new(0.95);
    let mut shares = Vec::new();
    for scenario in scenarios {
        Statistics::new([scenario.counts]).for_each_cell(need, |cell| {
            if cell.passages < min_sample || !zoned(cell.index as usize) {
                return;
            }
            let p95 = cell.quantile(energy, 0.95);
            let (lower, upper) = ranks.get(cell.passages);
            let Some(lower) = lower.map(|rank| cell.ranked(energy, rank)).filter(|_| p95 > 0.0) else { return };
            let width = upper.map_or(p95 - lower, |rank| 0.5 * (cell.ranked(energy, rank) - lower));
            shares.push((width / p95) as f32);
        });
    }
    if shares.is_empty() {
        return None;
    }
    let middle = shares.len() / 2;
    Some(f64::from(*shares.select_nth_unstable_by(middle, f32::total_cmp).1))
}

/// Fewer rocks than this do not bound p95 (0.95⁵⁹ < 5 %), and what they differ by is chance.
const LEAST_CROSSING: usize = 59;

/// The largest difference between the halves of p95 of the energies at a line, over p95: of any line and scenario that enough rocks
/// of both halves cross. Each rock counts once, with its largest energy there.
fn line_change(setup: &Setup, store: &Store, variant: usize) -> Result<Option<f64>> {
    let Some(round) = setup.identity.round else { return Ok(None) };
    let lines = setup.lines.lines().iter().filter(|line| line.role != Role::Object).count() as u32;
    let mut energies = LineEnergies { round, lines, largest: BTreeMap::new() };
    store.for_each_crossing(variant, |crossing| {
        energies.add(&crossing);
        Ok(())
    })?;
    Ok(energies.change())
}

struct LineEnergies {
    /// Rocks a round.
    round: u64,
    /// Lines that are no objects: they come first.
    lines: u32,
    /// The largest energy of each rock, by line and scenario, then by half.
    largest: BTreeMap<(u32, u32), [BTreeMap<u64, f64>; 2]>,
}

impl LineEnergies {
    fn add(&mut self, crossing: &Crossing) {
        if crossing.line < self.lines {
            let halves = self.largest.entry((crossing.line, crossing.scenario)).or_default();
            let rocks = &mut halves[(crossing.trajectory / self.round % 2) as usize];
            let largest = rocks.entry(crossing.trajectory).or_insert(0.0);
            *largest = largest.max(crossing.kinetic_energy_j);
        }
    }

    fn change(&self) -> Option<f64> {
        let mut change = None;
        for halves in self.largest.values().filter(|halves| halves.iter().all(|half| half.len() >= LEAST_CROSSING)) {
            let p95 = |values: &mut dyn Iterator<Item = f64>| Sample::new(values).quantile(0.95).unwrap_or(0.0);
            let [a, b] = [0, 1].map(|half| p95(&mut halves[half].values().copied()));
            let whole = p95(&mut halves.iter().flat_map(|half| half.values().copied()));
            if whole > 0.0 {
                change = change.into_iter().chain([(a - b).abs() / whole]).reduce(f64::max);
            }
        }
        change
    }
}

/// One line for whoever waits.
pub(crate) fn describe(point: &Settled, until: &Until) -> String {
    let percent = |share: Option<f64>| share.map_or("–".into(), |share| format!("{:.1} %", 100.0 * share));
    let against = |found: Option<f64>, most: f64| format!("{} (at most {})", percent(found), percent(Some(most)));
    format!(
        "{} rocks: zones differ between two halves by {}; p95 of the energy within ± {}; lines differ by {}",
        point.rocks,
        against(point.zone_change_share, until.zone_change_share),
        against(point.p95_half_width_share, until.p95_half_width_share),
        against(point.line_change_share, until.line_change_share)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazard::accumulator::{Accumulator, Passage, Wanted};
    use crate::hazard::scheme::ReturnPeriod;
    use crate::hazard::squares::Squares;
    use crate::hazard::traverse::Visit;
    use crate::terrain::Lattice;

    const LATTICE: Lattice = Lattice { nx: 12, ny: 12, x0: 0.0, y0: 0.0, dx: 10.0, dy: 10.0 };

    /// Rocks of 100 kJ, each of them once in 4000 years: half of the run, and the cells it passes.
    fn counted(rocks: &[(u8, Vec<u64>)]) -> Accumulator {
        let squares = Squares { widths_m: vec![10.0], energies_kj: vec![30.0, 300.0], frequency: true };
        let mut counts =
            Accumulator::new(LATTICE, Wanted { squares, energies_kj: vec![0.0, 30.0, 300.0], ..Default::default() });
        for (half, cells) in rocks {
            let visit =
                |&cell: &u64| Visit { cell, values: PerQuantity::new([100.0, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 };
            let visits: Vec<Visit> = cells.iter().map(visit).collect();
            let (source_cell, deposit, frequency_per_year, weight) = (0, None, 1.0 / 4000.0, 1.0);
            counts.add(&Passage { visits: &visits, source_cell, deposit, frequency_per_year, half: *half, weight });
        }
        counts
    }

    fn swiss(return_period: ReturnPeriod) -> Scheme {
        let text = include_str!("../project/schemes/swiss.yaml");
        Scheme { return_period, least_reach_probability: 0.0, ..serde_yaml::from_str(text).expect("valid") }
    }

    /// The change of the zones between the halves.
    fn changed(rocks: &[(u8, Vec<u64>)], scheme: &Scheme) -> Option<f64> {
        let counts = counted(rocks);
        let scenarios = [Scenario { name: "one".into(), counts: &counts, return_period_years: Some(50.0) }];
        change(&[0, 1].map(|h| half(&scenarios, scheme, h).expect("counted")))
    }

    /// Columns 2 to 5 by rocks of one half, 2 to 9 by those of the other: of the 8 columns that either has, 4 differ. A crumb that no
    /// map shows is no difference, and equal halves give the zones of the whole, whose frequency each of them stands for.
    #[test]
    fn halves_differ_where_their_drawn_zones_do() {
        let scheme = swiss(ReturnPeriod::Scenario);
        let columns =
            |to: u64| (0..12).flat_map(|row| (2..to).map(move |column| row * 12 + column)).collect::<Vec<_>>();
        let (few, many) = (columns(6), columns(10));
        let share = changed(&[(0, few.clone()), (1, many.clone())], &scheme).expect("zones");
        assert!((share - 0.5).abs() < 0.06, "4 of 8 columns: {share}");
        assert_eq!(changed(&[(0, many.clone()), (1, many.clone())], &scheme), Some(0.0));
        let wide = columns(8);
        let crumb = [(0, [wide.clone(), vec![71]].concat()), (1, wide)];
        let large = Scheme { min_area_m2: 500.0, ..scheme.clone() };
        assert_eq!(changed(&crumb, &large), Some(0.0), "one cell of 100 m² is merged");
        assert_eq!(changed(&[], &scheme), None);
        // 80 rocks together every 50 years: medium, red up to 60 years. A half that stood for itself alone would make 100 years of them.
        let rocks: Vec<(u8, Vec<u64>)> = (0..80).map(|rock| (rock % 2, many.clone())).collect();
        let counts = counted(&rocks);
        let scenarios = [Scenario { name: "one".into(), counts: &counts, return_period_years: None }];
        let scheme = Scheme { return_periods_years: vec![60.0, 150.0, 300.0], ..swiss(ReturnPeriod::Passages) };
        let of = |part| {
            let intensity = classify::intensity_map(&scenarios[0], &scheme, part).expect("counted");
            classify::hazard_map(&scenarios, &[intensity], &scheme, part).expect("counted").expect("frequencies").values
        };
        assert!(of(Part::Half(0)) == of(Part::Whole) && of(Part::Half(1)) == of(Part::Whole));
    }

    /// Rounds of ten rocks; those of odd rounds have twice the energy at the road. Each counts with its largest energy there, and what
    /// crosses the outline of a house counts for no line.
    #[test]
    fn energies_at_lines_are_compared_rock_by_rock_between_rounds() {
        let crossing = |trajectory: u64, line: u32, kinetic_energy_j: f64| Crossing {
            trajectory,
            line,
            kinetic_energy_j,
            scenario: 0,
            segment: 0,
            count: 1,
            time_s: 0.0,
            position: Default::default(),
            chainage_m: 0.0,
            rotational_energy_j: 0.0,
            velocity_m_s: 0.0,
            rotation_rps: 0.0,
            lowest_height_m: 0.0,
            centre_height_m: 0.0,
            top_height_m: 0.0,
            incidence_deg: 0.0,
            inclination_deg: 0.0,
            left_to_right: true,
            mass_kg: 1.0,
            shape: String::new(),
            fate: None,
        };
        let of = |rocks: u64| {
            let mut energies = LineEnergies { round: 10, lines: 1, largest: BTreeMap::new() };
            for rock in 0..rocks {
                let energy = if rock / 10 % 2 == 1 { 2e4 } else { 1e4 };
                energies.add(&crossing(rock, 0, energy));
                // Weaker where it comes again.
                energies.add(&crossing(rock, 0, 0.3e4));
                energies.add(&crossing(rock, 1, if rock / 10 % 2 == 1 { 9e4 } else { 1e4 }));
            }
            energies.change()
        };
        assert_eq!(of(120), Some(0.5), "20 kJ, 10 kJ, and 20 kJ of all");
        assert_eq!(of(100), None, "50 rocks do not bound p95");
    }
}
