//! Intensity maps per scenario, and the hazard map: intensity × return period.
//!
//! The return period of a cell is the reciprocal of the yearly frequency of rocks passing it: each simulated rock carries
//! the share of its release's frequency it stands for, so frequency = release frequency × conditional reach. Reach alone
//! has no unit of time and never becomes a return period.

use crate::hazard::accumulator::Accumulator;
use crate::hazard::scheme::{Combine, Scheme};
use crate::hazard::statistics::{Need, Statistics};
use crate::hazard::traverse::Quantity;
use crate::terrain::{Field, Lattice};
use crate::{Error, Result};

/// What is known of the cells one scenario reaches, in columns of equal length.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScenarioCells {
    pub name: String,
    /// `row * nx + column`.
    pub cells: Vec<u32>,
    /// Kinetic energy at the scheme's quantile, kJ.
    pub energy_kj: Vec<f32>,
    /// Per intensity class of the scheme: passages per year at or above its lower limit. `None` without a frequency.
    pub frequency_per_year: Option<Vec<Vec<f32>>>,
}

impl ScenarioCells {
    /// From what a scenario has counted.
    ///
    /// # Errors
    /// When the run has not counted what the scheme needs; the sentence says what to add to the project.
    pub fn of(name: &str, counts: &Accumulator, scheme: &Scheme) -> Result<Self> {
        let energy = Quantity::KineticEnergy;
        if !counts.wanted.histogram[energy.index()] {
            return Err(Error::input(
                "this run has not counted quantiles of the energy; add kinetic_energy_kj_p95 to statistics.layers (or leave \
                 the key out) and run the project again",
            ));
        }
        let columns = frequency_columns(&counts.wanted.energies_kj, scheme)?;
        let mut found = Self { name: name.into(), ..Self::default() };
        let mut frequency = vec![Vec::new(); columns.len()];
        let mut total = 0.0;
        let need = Need { histogram: std::array::from_fn(|i| i == energy.index()), sources: false };
        Statistics::new([counts]).for_each_cell(need, |cell| {
            found.cells.push(cell.index);
            found.energy_kj.push(cell.quantile(energy, scheme.quantile) as f32);
            for (values, &column) in frequency.iter_mut().zip(&columns) {
                let per_year = cell.frequency_above(column);
                total += per_year;
                values.push(per_year as f32);
            }
        });
        found.frequency_per_year = (total > 0.0).then_some(frequency);
        Ok(found)
    }
}

/// Which of the counted energies is the lower limit of each intensity class; empty if no release has a frequency.
fn frequency_columns(energies_kj: &[f64], scheme: &Scheme) -> Result<Vec<usize>> {
    if energies_kj.is_empty() {
        return Ok(Vec::new());
    }
    let limits: Vec<f64> = scheme.intensities.iter().map(|class| class.from_kj).collect();
    let column = |limit: &f64| {
        energies_kj.iter().position(|energy| energy == limit).ok_or_else(|| {
            Error::input(format!(
                "this run has not counted how often {limit} kJ is reached (it has {energies_kj:?}); set \
                 statistics.energies_kj: {limits:?} in the project and run it again"
            ))
        })
    };
    limits.iter().map(column).collect()
}

/// 0 where nothing passed, else 1 + index of the intensity class.
pub fn intensity_map(lattice: Lattice, scenario: &ScenarioCells, scheme: &Scheme) -> Field<u8> {
    let mut values = vec![0; lattice.len()];
    for (&cell, &energy_kj) in scenario.cells.iter().zip(&scenario.energy_kj) {
        if energy_kj.is_finite() {
            values[cell as usize] = scheme.intensity_class(f64::from(energy_kj)) as u8 + 1;
        }
    }
    Field { lattice, values }
}

/// 0 for no zone, else 1 + index of the zone. `None` when no scenario has a frequency: then there is no return period.
/// Scenarios without a frequency are left out; the caller must say so.
pub fn hazard_map(lattice: Lattice, scenarios: &[ScenarioCells], scheme: &Scheme) -> Option<Field<u8>> {
    let classes = scheme.intensities.len();
    if !scenarios.iter().any(|scenario| scenario.frequency_per_year.is_some()) {
        return None;
    }
    let mut values = vec![0u8; lattice.len()];
    for class in 0..classes {
        let mut frequency = vec![0f32; lattice.len()];
        for scenario in scenarios {
            let Some(columns) = &scenario.frequency_per_year else { continue };
            match scheme.combine {
                Combine::Exceedance => {
                    for (&cell, &value) in scenario.cells.iter().zip(&columns[class]) {
                        frequency[cell as usize] += value;
                    }
                }
                // All passages of the scenario count where its quantile reaches this intensity.
                Combine::ScenarioQuantile => {
                    for ((&cell, &value), &energy) in scenario.cells.iter().zip(&columns[0]).zip(&scenario.energy_kj) {
                        if energy.is_finite() && scheme.intensity_class(f64::from(energy)) >= class {
                            frequency[cell as usize] += value;
                        }
                    }
                }
            }
        }
        if let Some(width_m) = scheme.reference_width_m {
            frequency = per_object(&lattice, &frequency, width_m);
        }
        for (value, &per_year) in values.iter_mut().zip(&frequency) {
            if per_year > 0.0 {
                *value = (*value).max(scheme.zone(class, scheme.period_class(f64::from(per_year))));
            }
        }
    }
    Some(Field { lattice, values })
}

/// Rocks per year that enter a square of this side around each cell. A rock that crosses the square passes about
/// width / cell of its cells, so their summed frequency divided by that number counts it about once. A square no larger
/// than a cell is the cell itself.
fn per_object(lattice: &Lattice, frequency: &[f32], width_m: f64) -> Vec<f32> {
    let cell_m = 0.5 * (lattice.dx + lattice.dy);
    let reach = |cell: f64| ((0.5 * (width_m / cell - 1.0)).round().max(0.0)) as usize;
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
    use crate::hazard::scheme::{built_in, parse};

    const LATTICE: Lattice = Lattice { nx: 4, ny: 2, x0: 0.0, y0: 0.0, dx: 10.0, dy: 10.0 };

    fn scheme(name: &str) -> Scheme {
        built_in(name).expect("exists").expect("valid")
    }

    fn scenario(frequency: Option<[[f32; 3]; 3]>) -> ScenarioCells {
        ScenarioCells {
            name: "100 years".into(),
            cells: vec![1, 2, 6],
            energy_kj: vec![10.0, 30.0, 900.0],
            frequency_per_year: frequency.map(|rows| rows.map(|row| row.to_vec()).to_vec()),
        }
    }

    #[test]
    fn intensity_follows_the_limits() {
        let map = intensity_map(LATTICE, &scenario(None), &scheme("swiss"));
        assert_eq!(map.values, [0, 1, 2, 0, 0, 0, 3, 0]);
    }

    /// However many rocks pass, without a frequency there is no hazard map.
    #[test]
    fn reach_alone_is_no_return_period() {
        assert_eq!(hazard_map(LATTICE, &[scenario(None)], &scheme("swiss")), None);
    }

    /// Cell 1: weak every 20 years → blue. Cell 2: anything every 50 years, medium every 200 → blue from the medium class.
    /// Cell 6: strong every 1000 years only → hatched, but any rock every 250 years → yellow wins.
    #[test]
    fn the_most_severe_of_the_exceedances_counts() {
        let scheme = scheme("swiss");
        let rows = [[0.05, 0.02, 0.004], [0.0, 0.005, 0.001], [0.0, 0.0, 0.001]];
        let map = hazard_map(LATTICE, &[scenario(Some(rows))], &scheme).expect("has frequencies");
        let id = |cell: usize| match map.values[cell] {
            0 => "none",
            class => scheme.zones[class as usize - 1].id.as_str(),
        };
        assert_eq!([id(0), id(1), id(2), id(6)], ["none", "blue", "blue", "yellow"]);
    }

    /// Two scenarios of 1/200 a year together make 1/100.
    #[test]
    fn frequencies_of_scenarios_add_up() {
        let rows = [[0.0, 0.005, 0.0], [0.0, 0.005, 0.0], [0.0, 0.005, 0.0]];
        let text =
            crate::hazard::scheme::BUILT_IN[0].1.replace("[red, red, red, residual]", "[red, red, yellow, residual]");
        let scheme = parse(&text, "test").expect("valid");
        let one = hazard_map(LATTICE, &[scenario(Some(rows))], &scheme).expect("has frequencies");
        let two = hazard_map(LATTICE, &[scenario(Some(rows)), scenario(Some(rows))], &scheme).expect("has frequencies");
        assert_eq!(scheme.zones[one.values[2] as usize - 1].id, "blue", "medium at 200 years");
        assert_eq!(scheme.zones[two.values[2] as usize - 1].id, "red", "strong at 100 years");
    }

    /// The scenario's quantile sets the intensity; its passages, not its exceedances, set the frequency.
    #[test]
    fn design_values_take_the_quantile_of_the_scenario() {
        let scheme = scheme("austria");
        let rows = [[0.01, 0.01, 0.001], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
        let map = hazard_map(LATTICE, &[scenario(Some(rows))], &scheme).expect("has frequencies");
        let id = |cell: usize| scheme.zones[map.values[cell] as usize - 1].id.as_str();
        assert_eq!([id(1), id(2), id(6)], ["yellow", "red", "residual"]);
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
