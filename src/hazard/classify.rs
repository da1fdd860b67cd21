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
mod tests;
