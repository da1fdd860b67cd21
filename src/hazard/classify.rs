//! Intensity maps per scenario, and the hazard map: intensity × return period.
//!
//! Where the return period comes from is the scheme's choice ([`ReturnPeriod`]): the scenario's own, as the user states
//! it, or the yearly frequency of passages in each cell. Reach alone has no unit of time and never becomes a return
//! period.

use crate::hazard::accumulator::Accumulator;
use crate::hazard::quantity::{PerQuantity, Quantity};
use crate::hazard::scheme::{Combine, ReturnPeriod, Scheme};
use crate::hazard::squares::{Entered, Part, SquareCounts};
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
/// intensity class. With a reference width it is that of the rocks entering the square around the cell.
///
/// # Errors
/// When the run has not counted what the scheme asks for; the sentence says what to add to the project.
pub fn intensity_map(scenario: &Scenario, scheme: &Scheme, part: Part) -> Result<Field<u8>> {
    let values = match scheme.reference_width_m {
        Some(width_m) => intensity_in_squares(scenario.counts, scheme, width_m, part)?,
        None => intensity_in_cells(scenario.counts, scheme)?,
    };
    Ok(Field { lattice: scenario.counts.lattice, values })
}

fn intensity_in_cells(counts: &Accumulator, scheme: &Scheme) -> Result<Vec<u8>> {
    let energy = Quantity::KineticEnergy;
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
    Ok(values)
}

fn intensity_in_squares(counts: &Accumulator, scheme: &Scheme, width_m: f64, part: Part) -> Result<Vec<u8>> {
    let squares = counted_squares(counts, width_m)?;
    let columns = energy_columns(squares, scheme)?;
    let mut values = vec![0; counts.lattice.len()];
    let least = scheme.least_reach_probability * counts.released_in(part) as f64;
    squares.for_each(part, |entered| {
        if entered.weight() >= least {
            values[entered.cell as usize] = class_of(entered, &columns, scheme.quantile) + 1;
        }
    });
    Ok(values)
}

/// The rocks that entered the squares of a width.
///
/// # Errors
/// When the run has not counted them; the sentence says what to add to the project.
pub fn counted_squares(counts: &Accumulator, width_m: f64) -> Result<&SquareCounts> {
    counts.squares(width_m).ok_or_else(|| {
        Error::input(format!(
            "this run has not counted the rocks that enter squares of {width_m} m (it has {:?}); set \
             statistics.reference_widths_m: [{width_m}] in the project and run it again",
            counts.wanted.squares.widths_m
        ))
    })
}

/// Where the counts of each intensity class stand.
pub fn energy_columns(squares: &SquareCounts, scheme: &Scheme) -> Result<Vec<usize>> {
    let column = |limit: f64| {
        squares.energy_index(limit).ok_or_else(|| {
            let limits: Vec<f64> = scheme.intensities.iter().map(|class| class.from_kj).collect();
            Error::input(format!(
                "this run has not counted how many rocks reach {limit} kJ in squares of {} m; set statistics.energies_kj: \
                 {limits:?} in the project and run it again",
                squares.width_m
            ))
        })
    };
    scheme.intensities.iter().map(|class| column(class.from_kj)).collect()
}

/// Index of the class that holds the quantile of the energy: the value of rank round((n − 1) q), counted from 0.
fn class_of(entered: &Entered, columns: &[usize], quantile: f64) -> u8 {
    let needed = rocks_needed(entered.rocks, quantile);
    columns.iter().rposition(|&column| entered.at_least(column) >= needed).unwrap_or(0) as u8
}

/// So many of n rocks must reach an energy for the quantile to reach it.
pub fn rocks_needed(n: u32, quantile: f64) -> u32 {
    n - ((f64::from(n) - 1.0).max(0.0) * quantile + 0.5).floor() as u32
}

/// 0 for no zone, else 1 + index of the zone; `intensities` are the maps of the scenarios. `None` when no scenario has a
/// frequency: then there is no return period. Scenarios without one are left out; the caller must say so.
///
/// # Errors
/// When the run has not counted the frequencies the scheme needs.
pub fn hazard_map(
    scenarios: &[Scenario],
    intensities: &[Field<u8>],
    scheme: &Scheme,
    part: Part,
) -> Result<Option<Field<u8>>> {
    let Some(lattice) = scenarios.first().map(|scenario| scenario.counts.lattice) else { return Ok(None) };
    let used: Vec<(&Scenario, &Field<u8>)> =
        scenarios.iter().zip(intensities).filter(|(scenario, _)| has_frequency(scenario, scheme)).collect();
    if used.is_empty() {
        return Ok(None);
    }
    let values = match scheme.return_period {
        ReturnPeriod::Scenario => by_scenario(&lattice, &used, scheme),
        ReturnPeriod::Passages => by_passages(&lattice, &used, scheme, part)?,
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

/// Per intensity class the yearly frequency of passages in the cell, or in the square around it, all scenarios together.
fn by_passages(lattice: &Lattice, used: &[(&Scenario, &Field<u8>)], scheme: &Scheme, part: Part) -> Result<Vec<u8>> {
    let mut values = vec![0u8; lattice.len()];
    for class in 0..scheme.intensities.len() {
        let mut frequency = vec![0f32; lattice.len()];
        for (scenario, intensity) in used {
            let mut add = |cell: u64, per_year: f64| {
                let reached = usize::from(intensity.values[cell as usize]);
                let counts = match scheme.combine {
                    Combine::Exceedance => reached > 0,
                    // All passages of the scenario count where its quantile reaches this intensity.
                    Combine::ScenarioQuantile => reached > class,
                };
                if counts {
                    frequency[cell as usize] += per_year as f32;
                }
            };
            match scheme.reference_width_m {
                Some(width_m) => add_squares(scenario.counts, scheme, (width_m, class), part, &mut add)?,
                None => {
                    let column = frequency_column(&scenario.counts.wanted.energies_kj, scheme, class)?;
                    Statistics::new([scenario.counts])
                        .for_each_cell(Need::default(), |cell| add(cell.index, cell.frequency_above(column)));
                }
            }
        }
        for (value, &per_year) in values.iter_mut().zip(&frequency) {
            if per_year > 0.0 {
                *value = (*value).max(scheme.zone(class, scheme.period_class(f64::from(per_year))));
            }
        }
    }
    Ok(values)
}

/// Yearly rocks of an intensity class that enter each square.
fn add_squares(
    counts: &Accumulator,
    scheme: &Scheme,
    (width_m, class): (f64, usize),
    part: Part,
    add: &mut impl FnMut(u64, f64),
) -> Result<()> {
    let squares = counted_squares(counts, width_m)?;
    let columns = energy_columns(squares, scheme)?;
    let column = match scheme.combine {
        Combine::Exceedance => columns[class],
        Combine::ScenarioQuantile => 0,
    };
    // The rocks of a half stand for all.
    let scale =
        counts.frequency_scale * counts.released_in(Part::Whole) as f64 / counts.released_in(part).max(1) as f64;
    squares.for_each(part, |entered| add(entered.cell, entered.frequency_above(column) * scale));
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hazard::accumulator::{Passage, Wanted};
    use crate::hazard::squares::Squares;
    use crate::hazard::traverse::Visit;

    const LATTICE: Lattice = Lattice { nx: 4, ny: 2, x0: 0.0, y0: 0.0, dx: 10.0, dy: 10.0 };

    const SWISS: &str = include_str!("../project/schemes/swiss.yaml");

    fn parse(text: &str) -> Scheme {
        serde_yaml::from_str(text).expect("valid")
    }

    /// "≥ 30 kJ" is meant: a limit belongs to the class above it.
    #[test]
    fn an_energy_at_a_limit_is_in_the_class_above() {
        let scheme = parse(SWISS);
        let classes = [0.0, 29.999, 30.0, 299.999, 300.0].map(|energy_kj| scheme.intensity_class(energy_kj));
        assert_eq!(classes, [0, 0, 1, 1, 2]);
    }

    fn scheme(name: &str) -> Scheme {
        match name {
            "austria" => parse(include_str!("../project/schemes/austria.yaml")),
            // Every rock counts in these hand-made maps.
            _ => Scheme { least_reach_probability: 0.0, ..parse(SWISS) },
        }
    }

    /// Rocks that each pass one cell: cell, energy in kJ, what the rock stands for per year.
    fn counted(rocks: &[(u64, f32, f64)]) -> Accumulator {
        let one = PerQuantity::from_fn(|quantity| quantity == Quantity::KineticEnergy);
        let energies_kj = vec![0.0, 30.0, 300.0];
        let squares = Squares { widths_m: vec![10.0], energies_kj: vec![30.0, 300.0], frequency: true };
        let wanted = Wanted { max: one, histogram: one, energies_kj, squares, ..Default::default() };
        let mut counts = Accumulator::new(LATTICE, wanted);
        for &(cell, energy, frequency_per_year) in rocks {
            let visits = [Visit { cell, values: PerQuantity::new([energy, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 }];
            counts.add(&Passage {
                visits: &visits,
                source_cell: 0,
                deposit: None,
                frequency_per_year,
                half: 0,
                weight: 1.0,
            });
        }
        counts
    }

    fn scenario(counts: &Accumulator, return_period_years: Option<f64>) -> Scenario<'_> {
        Scenario { name: "some".into(), counts, return_period_years }
    }

    fn zones(scenarios: &[Scenario], scheme: &Scheme) -> Option<Vec<String>> {
        let maps: Vec<_> = scenarios.iter().map(|s| intensity_map(s, scheme, Part::Whole).expect("counted")).collect();
        let map = hazard_map(scenarios, &maps, scheme, Part::Whole).expect("counted")?;
        let id = |&class: &u8| match class {
            0 => "none".to_string(),
            class => scheme.zones[class as usize - 1].id.clone(),
        };
        Some(map.values.iter().map(id).collect())
    }

    #[test]
    fn intensity_follows_the_limits() {
        let counts = counted(&[(1, 10.0, 0.0), (2, 30.0, 0.0), (6, 900.0, 0.0)]);
        let map = intensity_map(&scenario(&counts, None), &scheme("swiss"), Part::Whole).expect("counted");
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
        // Up to 1 % above a limit still belongs to it.
        let close = [scenario(&often, Some(30.3)), scenario(&seldom, Some(302.9))];
        assert_eq!(zones(&close, &scheme).expect("has periods")[1..4], ["blue", "red", "red"]);
        let rare = [scenario(&often, Some(30.4)), scenario(&seldom, Some(304.0))];
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

    /// A rock that winds through the square around a cell counts once in it, whichever way it goes.
    #[test]
    fn a_rock_through_the_reference_square_counts_once() {
        let lattice = Lattice { nx: 9, ny: 9, ..LATTICE };
        let squares = Squares { widths_m: vec![30.0], energies_kj: vec![30.0, 300.0], frequency: true };
        let mut counts = Accumulator::new(lattice, Wanted { squares, ..Default::default() });
        let visit = |cell| Visit { cell, values: PerQuantity::new([900.0, 0.0, 0.0, 0.0]), energy_line_deg: 30.0 };
        let diagonal: Vec<Visit> = (0..9).flat_map(|i| [i * 9 + i, i * 9 + (i + 1).min(8)]).map(visit).collect();
        let passage = Passage {
            visits: &diagonal,
            source_cell: 0,
            deposit: None,
            frequency_per_year: 0.01,
            half: 0,
            weight: 1.0,
        };
        counts.add(&passage);
        let mut found = vec![0.0; 81];
        let scheme = Scheme { reference_width_m: Some(30.0), combine: Combine::Exceedance, ..scheme("swiss") };
        add_squares(&counts, &scheme, (30.0, 2), Part::Whole, &mut |cell, f| found[cell as usize] = f)
            .expect("counted");
        assert!((found[4 * 9 + 4] - 0.01).abs() < 1e-12 && (found[5 * 9 + 4] - 0.01).abs() < 1e-12);
        assert_eq!(found[6], 0.0);
    }

    /// As the nearest of NumPy's quantiles: of 20 values p95 is the second largest, of 10 the largest.
    #[test]
    fn so_many_rocks_must_reach_a_limit() {
        assert_eq!([1, 2, 10, 20, 21, 100, 1000].map(|n| rocks_needed(n, 0.95)), [1, 1, 1, 2, 2, 6, 51]);
        assert_eq!([1, 7].map(|n| rocks_needed(n, 1.0)), [1, 1]);
    }
}
