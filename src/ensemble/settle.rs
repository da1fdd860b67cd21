//! Whether there are enough rocks, asked of the map itself: two halves of the run that share no random number are classified each
//! for itself and compared.

use std::collections::BTreeMap;

use crate::Result;
use crate::hazard::classify::{self, Scenario};
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
    // The largest energy of each rock, by line and scenario, then by half.
    let mut energies: BTreeMap<(u32, u32), [BTreeMap<u64, f64>; 2]> = BTreeMap::new();
    store.for_each_crossing(variant, |crossing| {
        if crossing.line < lines {
            let halves = energies.entry((crossing.line, crossing.scenario)).or_default();
            let rocks = &mut halves[(crossing.trajectory / round % 2) as usize];
            let largest = rocks.entry(crossing.trajectory).or_insert(0.0);
            *largest = largest.max(crossing.kinetic_energy_j);
        }
        Ok(())
    })?;
    let mut change = None;
    for halves in energies.values().filter(|halves| halves.iter().all(|half| half.len() >= LEAST_CROSSING)) {
        let p95 = |values: &mut dyn Iterator<Item = f64>| Sample::new(values).quantile(0.95).unwrap_or(0.0);
        let [a, b] = [0, 1].map(|half| p95(&mut halves[half].values().copied()));
        let whole = p95(&mut halves.iter().flat_map(|half| half.values().copied()));
        if whole > 0.0 {
            change = change.into_iter().chain([(a - b).abs() / whole]).reduce(f64::max);
        }
    }
    Ok(change)
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
