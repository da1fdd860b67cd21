//! One value per rock that did not diverge: key figures and histograms.

use crate::Result;
use crate::draw::svg::Plot;
use crate::hazard::sample::Sample;
use crate::output::report_model::{Figures, Summary};
use crate::output::{line_results, report};
use crate::store::VariantResult;
use crate::texts::msg;
use crate::trajectory::StopReason;

/// Rocks whose values are sorted all at once, and not one quantity after the other.
const FEW_ROCKS: u64 = 1 << 21;

/// Of one value per rock that did not diverge: figures, and histograms of some.
pub(super) fn figures(variant: &VariantResult) -> Result<(Figures, Vec<Plot>)> {
    let rocks: u64 = variant.stops.values().sum();
    let at_once = if rocks <= FEW_ROCKS { 7 } else { 1 };
    let (mut summaries, mut shown) = (Vec::new(), Vec::new());
    for first in (0..7).step_by(at_once) {
        let mut columns = vec![Vec::new(); at_once];
        variant.for_each_record(|record| {
            if record.stop != StopReason::Diverged {
                let [energy, velocity, jump, rotation] = record.max.values().map(f64::from);
                let (runout, angle) = (record.runout_m(), record.energy_line_deg());
                let values = [record.mass_kg, energy, velocity, jump, rotation, runout, angle];
                columns.iter_mut().zip(&values[first..]).for_each(|(column, value)| column.push(*value));
            }
            Ok(())
        })?;
        for (k, column) in columns.into_iter().enumerate() {
            let sample = Sample::new(column);
            summaries.push(Summary::of(&sample));
            if [1, 2, 3, 5].contains(&(first + k)) {
                let name = |figures: &Figures| report::named(figures).map(|(name, _)| name)[first + k].clone();
                shown.push(line_results::histogram("", name(&Figures::default()), &sample, msg!("rocks-word")));
            }
        }
    }
    let [mass_kg, energy_kj, velocity_m_s, jump_m, rotation_rps, runout_m, energy_line_deg] =
        std::array::from_fn(|k| summaries[k]);
    let figures = Figures { mass_kg, energy_kj, velocity_m_s, jump_m, rotation_rps, runout_m, energy_line_deg };
    Ok((figures, shown))
}
