//! Intensity maps per scenario, and the hazard map: intensity × return period.
//!
//! Where the return period comes from is the scheme's choice ([`ReturnPeriod`]): the scenario's own, as the user states
//! it, or the yearly frequency of passages in each cell. Reach alone has no unit of time and never becomes a return
//! period.

use crate::hazard::accumulator::Accumulator;
use crate::hazard::quantity::{PerQuantity, Quantity};
use crate::hazard::scheme::{Combine, ReturnPeriod, Scheme};
use crate::hazard::statistics::{Need, Statistics};
use crate::terrain::{Field, Lattice};
use crate::{Error, Result};

/// One scenario to classify.
pub struct Scenario<'a> {
    /// As in the project.
    pub name: String,
    /// Of its rocks.
    pub counts: &'a Accumulator,
    /// How often the scenario happens; `None` if the user does not say.
    pub return_period_years: Option<f64>,
}

/// Per cell 0 where nothing passed (or less often than the scheme's least reach probability), else 1 + index of the
/// intensity class.
///
/// # Errors
/// When the run has not counted quantiles of the energy; the sentence says what to add to the project.
pub fn intensity_map(scenario: &Scenario, scheme: &Scheme) -> Result<Field<u8>> {
    let (counts, energy) = (scenario.counts, Quantity::KineticEnergy);
    if !counts.wanted.histogram[energy] {
        return Err(Error::input(
            "this run has not counted quantiles of the energy; add kinetic_energy_kj_p95 to statistics.layers (or leave \
             the key out) and run the project again",
        ));
    }
    let mut values = vec![0; counts.lattice.len()];
    let need = Need { histogram: PerQuantity::from_fn(|quantity| quantity == energy), sources: false };
    let statistics = Statistics::new([counts]);
    let least = scheme.least_reach_probability * statistics.released() as f64;
    statistics.for_each_cell(need, |cell| {
        if f64::from(cell.passages) >= least {
            // As the layers have it: Float32.
            let energy_kj = cell.quantile(energy, scheme.quantile) as f32;
            values[cell.index as usize] = scheme.intensity_class(f64::from(energy_kj)) as u8 + 1;
        }
    });
    Ok(Field { lattice: counts.lattice, values })
}

/// 0 for no zone, else 1 + index of the zone; `intensities` are the maps of the scenarios. `None` when no scenario has a
/// frequency: then there is no return period. Scenarios without one are left out; the caller must say so.
///
/// # Errors
/// When the run has not counted the frequencies the scheme needs.
pub fn hazard_map(scenarios: &[Scenario], intensities: &[Field<u8>], scheme: &Scheme) -> Result<Option<Field<u8>>> {
    let Some(lattice) = scenarios.first().map(|scenario| scenario.counts.lattice) else { return Ok(None) };
    let used: Vec<(&Scenario, &Field<u8>)> =
        scenarios.iter().zip(intensities).filter(|(scenario, _)| has_frequency(scenario, scheme)).collect();
    if used.is_empty() {
        return Ok(None);
    }
    let values = match scheme.return_period {
        ReturnPeriod::Scenario => by_scenario(&lattice, &used, scheme),
        ReturnPeriod::Passages => by_passages(&lattice, &used, scheme)?,
    };
    Ok(Some(Field { lattice, values }))
}

/// Whether a scenario can have a return period under the scheme.
pub fn has_frequency(scenario: &Scenario, scheme: &Scheme) -> bool {
    match scheme.return_period {
        ReturnPeriod::Scenario => scenario.return_period_years.is_some_and(|years| years > 0.0 && years.is_finite()),
        ReturnPeriod::Passages => {
            let mut any = false;
            if !scenario.counts.wanted.energies_kj.is_empty() {
                Statistics::new([scenario.counts])
                    .for_each_cell(Need::default(), |cell| any |= cell.frequency_above(0) > 0.0);
            }
            any
        }
    }
}

/// Every scenario has one return period everywhere; where several reach a cell the most severe zone counts.
fn by_scenario(lattice: &Lattice, used: &[(&Scenario, &Field<u8>)], scheme: &Scheme) -> Vec<u8> {
    let mut values = vec![0u8; lattice.len()];
    for (scenario, intensity) in used {
        let Some(years) = scenario.return_period_years else { continue };
        let period = scheme.period_class(1.0 / years);
        let zone = |class: u8| if class == 0 { 0 } else { scheme.zone(usize::from(class) - 1, period) };
        values.iter_mut().zip(&intensity.values).for_each(|(value, &class)| *value = (*value).max(zone(class)));
    }
    values
}

/// Per intensity class the yearly frequency of passages in the cell, all scenarios together.
fn by_passages(lattice: &Lattice, used: &[(&Scenario, &Field<u8>)], scheme: &Scheme) -> Result<Vec<u8>> {
    let mut values = vec![0u8; lattice.len()];
    for class in 0..scheme.intensities.len() {
        let mut frequency = vec![0f32; lattice.len()];
        for (scenario, intensity) in used {
            let column = frequency_column(&scenario.counts.wanted.energies_kj, scheme, class)?;
            Statistics::new([scenario.counts]).for_each_cell(Need::default(), |cell| {
                let reached = usize::from(intensity.values[cell.index as usize]);
                let counts = match scheme.combine {
                    Combine::Exceedance => reached > 0,
                    // All passages of the scenario count where its quantile reaches this intensity.
                    Combine::ScenarioQuantile => reached > class,
                };
                if counts {
                    frequency[cell.index as usize] += cell.frequency_above(column) as f32;
                }
            });
        }
        if let Some(width_m) = scheme.reference_width_m {
            frequency = per_object(lattice, &frequency, width_m);
        }
        for (value, &per_year) in values.iter_mut().zip(&frequency) {
            if per_year > 0.0 {
                *value = (*value).max(scheme.zone(class, scheme.period_class(f64::from(per_year))));
            }
        }
    }
    Ok(values)
}

/// Which of the counted energies holds the passages of an intensity class.
fn frequency_column(energies_kj: &[f64], scheme: &Scheme, class: usize) -> Result<usize> {
    let limits: Vec<f64> = scheme.intensities.iter().map(|class| class.from_kj).collect();
    let limit = match scheme.combine {
        Combine::Exceedance => limits[class],
        Combine::ScenarioQuantile => limits[0],
    };
    energies_kj.iter().position(|&energy| energy == limit).ok_or_else(|| {
        Error::input(format!(
            "this run has not counted how often {limit} kJ is reached (it has {energies_kj:?}); set \
             statistics.energies_kj: {limits:?} in the project and run it again"
        ))
    })
}

/// Rocks per year that enter a square of this side around each cell. A rock that crosses the square passes about
/// width / cell of its cells, so their summed frequency divided by that number counts it about once. A square no larger
/// than a cell is the cell itself.
fn per_object(lattice: &Lattice, frequency: &[f32], width_m: f64) -> Vec<f32> {
    let cell_m = 0.5 * (lattice.dx + lattice.dy);
    let reach = |cell: f64| ((0.5 * (width_m / cell - 1.0)).round().clamp(0.0, 1e9)) as usize;
    let along_x = box_sum(frequency, lattice.nx, lattice.ny, reach(lattice.dx), false);
    let sum = box_sum(&along_x, lattice.nx, lattice.ny, reach(lattice.dy), true);
    let cells_passed = (2 * reach(cell_m) + 1) as f32;
    sum.into_iter().map(|value| value / cells_passed).collect()
}

/// Sum over 2 `reach` + 1 neighbours in a row or column; f64 inside so that a running sum of zeros stays zero.
fn box_sum(values: &[f32], nx: usize, ny: usize, reach: usize, along_y: bool) -> Vec<f32> {
    let (lines, length) = if along_y { (nx, ny) } else { (ny, nx) };
    let index = |line: usize, i: usize| if along_y { i * nx + line } else { line * nx + i };
    let mut out = vec![0f32; values.len()];
    let mut prefix = vec![0f64; length + 1];
    for line in 0..lines {
        for i in 0..length {
            prefix[i + 1] = prefix[i] + f64::from(values[index(line, i)]);
        }
        for i in 0..length {
            let sum = prefix[(i + reach + 1).min(length)] - prefix[i.saturating_sub(reach)];
            out[index(line, i)] = sum as f32;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazard::accumulator::{Passage, Wanted};
    use crate::hazard::traverse::Visit;

    const LATTICE: Lattice = Lattice { nx: 4, ny: 2, x0: 0.0, y0: 0.0, dx: 10.0, dy: 10.0 };

    const SWISS: &str = include_str!("../project/schemes/swiss.yaml");

    fn parse(text: &str) -> Scheme {
        serde_yaml::from_str(text).expect("valid")
    }

    fn scheme(name: &str) -> Scheme {
        match name {
            "austria" => parse(include_str!("../project/schemes/austria.yaml")),
            _ => parse(SWISS),
        }
    }

    /// Rocks that each pass one cell: cell, energy in kJ, what the rock stands for per year.
    fn counted(rocks: &[(u32, f32, f64)]) -> Accumulator {
        let one = PerQuantity::from_fn(|quantity| quantity == Quantity::KineticEnergy);
        let energies_kj = vec![0.0, 30.0, 300.0];
        let mut counts =
            Accumulator::new(LATTICE, Wanted { max: one, histogram: one, energies_kj, ..Default::default() });
        for &(cell, energy, frequency_per_year) in rocks {
            let visits = [Visit { cell, values: PerQuantity::new([energy, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 }];
            counts.add(&Passage { visits: &visits, source_cell: 0, deposit: None, frequency_per_year });
        }
        counts
    }

    fn scenario(counts: &Accumulator, return_period_years: Option<f64>) -> Scenario<'_> {
        Scenario { name: "some".into(), counts, return_period_years }
    }

    fn zones(scenarios: &[Scenario], scheme: &Scheme) -> Option<Vec<String>> {
        let maps: Vec<_> = scenarios.iter().map(|s| intensity_map(s, scheme).expect("counted")).collect();
        let map = hazard_map(scenarios, &maps, scheme).expect("counted")?;
        let id = |&class: &u8| match class {
            0 => "none".to_string(),
            class => scheme.zones[class as usize - 1].id.clone(),
        };
        Some(map.values.iter().map(id).collect())
    }

    #[test]
    fn intensity_follows_the_limits() {
        let counts = counted(&[(1, 10.0, 0.0), (2, 30.0, 0.0), (6, 900.0, 0.0)]);
        let map = intensity_map(&scenario(&counts, None), &scheme("swiss")).expect("counted");
        assert_eq!(map.values, [0, 1, 2, 0, 0, 0, 3, 0]);
    }

    /// However many rocks pass, without a frequency there is no hazard map.
    #[test]
    fn reach_alone_is_no_return_period() {
        let counts = counted(&[(1, 10.0, 0.0); 50]);
        assert_eq!(zones(&[scenario(&counts, None)], &scheme("swiss")), None);
        let passages = Scheme { return_period: ReturnPeriod::Passages, ..scheme("swiss") };
        assert_eq!(zones(&[scenario(&counts, Some(30.0))], &passages), None);
    }

    /// The Swiss way: one return period per scenario, whatever share of its rocks reaches the cell; where two scenarios
    /// reach a cell the most severe zone counts and frequencies are not added.
    #[test]
    fn the_return_period_of_a_scenario_holds_wherever_it_reaches() {
        let scheme = scheme("swiss");
        let often = counted(&[(1, 10.0, 1e-9), (2, 100.0, 0.0), (2, 100.0, 0.0)]);
        let seldom = counted(&[(2, 100.0, 0.0), (3, 900.0, 0.0), (5, 5.0, 0.0)]);
        let both = [scenario(&often, Some(30.0)), scenario(&seldom, Some(250.0))];
        let expected = ["none", "blue", "red", "red", "none", "yellow", "none", "none"];
        assert_eq!(zones(&both, &scheme).expect("has periods"), expected);
        let rare = [scenario(&often, Some(30.1)), scenario(&seldom, Some(301.0))];
        let expected = ["none", "yellow", "blue", "residual", "none", "residual", "none", "none"];
        assert_eq!(zones(&rare, &scheme).expect("has periods"), expected);
        // The second is left out without a period.
        let one = [scenario(&often, Some(30.0)), scenario(&seldom, None)];
        assert_eq!(zones(&one, &scheme).expect("has a period")[3], "none");
    }

    /// Three of four rocks pass cell 1, one passes cell 2: with a least reach of 0.5 cell 2 is empty.
    #[test]
    fn cells_below_the_least_reach_probability_are_left_out() {
        let counts = counted(&[(1, 10.0, 0.1), (1, 10.0, 0.1), (1, 10.0, 0.1), (2, 900.0, 0.1)]);
        for return_period in [ReturnPeriod::Scenario, ReturnPeriod::Passages] {
            let with = |least_reach_probability| Scheme { least_reach_probability, return_period, ..scheme("swiss") };
            let at = |least: f64| zones(&[scenario(&counts, Some(10.0))], &with(least)).expect("has a period");
            assert_eq!(at(0.0)[..3], ["none", "blue", "red"]);
            assert_eq!(at(0.25)[..3], ["none", "blue", "red"]);
            assert_eq!(at(0.26)[..3], ["none", "blue", "none"]);
        }
    }

    /// Cell 1: weak every 20 years → blue. Cell 2: anything every 50 years, medium every 200 → blue from the medium class.
    /// Cell 6: strong every 1000 years only → hatched, but any rock every 250 years → yellow wins.
    #[test]
    fn the_most_severe_of_the_exceedances_counts() {
        let scheme = Scheme { return_period: ReturnPeriod::Passages, ..scheme("swiss") };
        let rocks = [(1, 10.0, 0.05), (2, 10.0, 0.015), (2, 40.0, 0.005), (6, 10.0, 0.003), (6, 400.0, 0.001)];
        let counts = counted(&rocks);
        let found = zones(&[scenario(&counts, None)], &scheme).expect("has frequencies");
        assert_eq!([&found[0], &found[1], &found[2], &found[6]], ["none", "blue", "blue", "yellow"]);
    }

    /// Two scenarios of 1/200 a year together make 1/100.
    #[test]
    fn frequencies_of_passages_add_up_over_scenarios() {
        let counts = counted(&[(2, 900.0, 0.005)]);
        let text = SWISS.replace("[red, red, red, residual]", "[red, red, yellow, residual]");
        let scheme = Scheme { return_period: ReturnPeriod::Passages, ..parse(&text) };
        let one = zones(&[scenario(&counts, None)], &scheme).expect("has frequencies");
        let two = zones(&[scenario(&counts, None), scenario(&counts, None)], &scheme).expect("has frequencies");
        assert_eq!(one[2], "blue", "medium at 200 years");
        assert_eq!(two[2], "red", "strong at 100 years");
    }

    /// The scenario's quantile sets the intensity; its passages, not its exceedances, set the frequency.
    #[test]
    fn design_values_take_the_quantile_of_the_scenario() {
        let scheme = scheme("austria");
        let counts = counted(&[(1, 10.0, 0.01), (2, 30.0, 0.01), (6, 900.0, 0.001)]);
        let found = zones(&[scenario(&counts, None)], &scheme).expect("has frequencies");
        assert_eq!([&found[1], &found[2], &found[6]], ["yellow", "red", "residual"]);
    }

    /// A straight path of one rock a year across a square of three cells' width counts as one rock a year.
    #[test]
    fn a_rock_through_the_reference_square_counts_once() {
        let lattice = Lattice { nx: 9, ny: 9, ..LATTICE };
        let mut frequency = vec![0f32; 81];
        (0..9).for_each(|row| frequency[row * 9 + 4] = 1.0);
        let wide = per_object(&lattice, &frequency, 30.0);
        assert_eq!((wide[4 * 9 + 4], wide[4 * 9 + 3], wide[4 * 9 + 2]), (1.0, 1.0, 0.0));
        assert_eq!(per_object(&lattice, &frequency, 10.0), frequency);
        assert_eq!(per_object(&lattice, &frequency, 1.0), frequency);
    }
}
