//! The raster layers of a run: which there are, and what they mean.
//!
//! All have the DEM's grid. Counts are UInt32 with nodata 4294967295, everything else Float32 with nodata −9999; cells no
//! rock has passed are nodata.

use std::fmt;

use crate::hazard::accumulator::Wanted;
use crate::hazard::histogram::RELATIVE_ERROR;
use crate::hazard::quantity::Quantity;
use crate::hazard::statistics::Need;
use crate::project::file;
use crate::texts::{Text, msg, say};
use crate::{Error, Result};

/// Cells of a lattice whose layers take a few megabytes each, so that several may be in memory at the same time.
pub(crate) const SMALL_LATTICE: usize = 4 << 20;
/// From so many cells on nothing is made that holds a number for each: rasters are written block by block, pictures from what they show.
pub(crate) const LARGE_MAP: usize = 1 << 26;
/// Bytes of a terrain read on demand that are kept while maps are drawn: more than a row of blocks of any map.
pub(crate) const TERRAIN_FOR_MAPS: u64 = 1 << 27;

pub(crate) const NODATA_U32: u32 = u32::MAX;
pub(crate) const NODATA_F32: f32 = -9999.0;

/// A raster layer of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Layer {
    /// Rocks that passed.
    Passages,
    /// Rocks that came to rest.
    Deposits,
    /// Source cells whose rocks passed.
    SourceCells,
    /// Passages over all rocks.
    ReachProbability,
    /// Passages over the rocks of those source cells.
    ReachProbabilityLocal,
    /// Of a quantity.
    Statistic(Quantity, Statistic),
    /// Smallest angle from start to cell.
    EnergyLineAngle,
    /// Where quantiles rest on few rocks.
    SampleSizeWarning,
    /// Passages per year at or above an energy, kJ.
    FrequencyAbove(f64),
}

/// Over the rocks that passed a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The median.
    P50,
    /// The 90 % quantile.
    P90,
    /// The 95 % quantile.
    P95,
    /// The 99 % quantile.
    P99,
    /// The largest.
    Max,
    /// Lower confidence bound of the 95 % quantile.
    P95Lower,
    /// Upper confidence bound of the 95 % quantile.
    P95Upper,
}

impl Statistic {
    const NAMED: [Self; 6] = [Self::Mean, Self::P50, Self::P90, Self::P95, Self::P99, Self::Max];

    fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::P50 => "p50",
            Self::P90 => "p90",
            Self::P95 => "p95",
            Self::P99 => "p99",
            Self::Max => "max",
            Self::P95Lower => "p95_lower",
            Self::P95Upper => "p95_upper",
        }
    }

    fn needs_histogram(self) -> bool {
        !matches!(self, Self::Mean | Self::Max)
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passages => f.write_str("passages"),
            Self::Deposits => f.write_str("deposits"),
            Self::SourceCells => f.write_str("source_cells"),
            Self::ReachProbability => f.write_str("reach_probability"),
            Self::ReachProbabilityLocal => f.write_str("reach_probability_local"),
            Self::Statistic(quantity, statistic) => write!(f, "{}_{}", quantity.name(), statistic.name()),
            Self::EnergyLineAngle => f.write_str("energy_line_angle_deg"),
            Self::SampleSizeWarning => f.write_str("sample_size_warning"),
            // A name of hundreds of zeros is no name of a file.
            Self::FrequencyAbove(energy_kj) if *energy_kj != 0.0 && !(1e-6..1e15).contains(energy_kj) => {
                write!(f, "frequency_above_{energy_kj:e}_kj")
            }
            Self::FrequencyAbove(energy_kj) => write!(f, "frequency_above_{energy_kj}_kj"),
        }
    }
}

impl Layer {
    /// The layer of this name, as files have it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let bounds = [Statistic::P95Lower, Statistic::P95Upper];
        let bounds = Quantity::ALL.into_iter().flat_map(|q| bounds.map(|s| Self::Statistic(q, s)));
        let energy = name.strip_prefix("frequency_above_").and_then(|rest| rest.strip_suffix("_kj")?.parse().ok());
        let known = all_layers().into_iter().chain(bounds).chain(energy.map(Self::FrequencyAbove));
        known.into_iter().find(|layer| layer.to_string() == name)
    }

    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Self::Statistic(quantity, _) => quantity.unit(),
            Self::EnergyLineAngle => "degree",
            Self::FrequencyAbove(_) => "1/year",
            _ => "",
        }
    }

    /// A name for legends and lists, e.g. in QGIS.
    pub(crate) fn title(&self) -> Text {
        match self {
            Self::Statistic(q, statistic) => {
                let what = msg!(&format!("layer-name-{}", statistic.name().replace('_', "-")));
                msg!("layer-name-statistic", quantity = quantity_text(*q), statistic = what)
            }
            Self::FrequencyAbove(energy) => msg!("layer-name-frequency-above", energy = energy.to_string()),
            other => msg!(&format!("layer-name-{}", other.to_string().replace('_', "-"))),
        }
    }

    /// One sentence for the file's metadata and the legend.
    pub(crate) fn description(&self, min_sample: u32) -> String {
        let error = format!("{:.1}", 100.0 * RELATIVE_ERROR);
        match self {
            Self::Statistic(q, statistic) => {
                let quantity = quantity_text(*q);
                match statistic {
                    Statistic::Mean => say!("layer-mean", quantity = quantity),
                    Statistic::Max => say!("layer-max", quantity = quantity),
                    Statistic::P95Lower => say!("layer-p95-lower", quantity = quantity),
                    Statistic::P95Upper => say!("layer-p95-upper", quantity = quantity),
                    quantile => {
                        say!("layer-quantile", quantity = quantity, percent = &quantile.name()[1..], error = error)
                    }
                }
            }
            Self::SampleSizeWarning => say!("layer-sample-size-warning", least = min_sample),
            Self::FrequencyAbove(energy) => say!("layer-frequency-above", energy = energy.to_string()),
            other => say!(&format!("layer-{}", other.to_string().replace('_', "-"))),
        }
    }

    pub(crate) fn is_count(&self) -> bool {
        matches!(self, Self::Passages | Self::Deposits | Self::SourceCells | Self::SampleSizeWarning)
    }

    pub(crate) fn need(&self) -> Need {
        let mut need = Need::default();
        match self {
            Self::Statistic(quantity, statistic) => need.histogram[*quantity] = statistic.needs_histogram(),
            Self::SourceCells | Self::ReachProbabilityLocal => need.sources = true,
            _ => {}
        }
        need
    }
}

/// What is measured, with the largest of each rock meant.
pub(crate) fn quantity_text(quantity: Quantity) -> Text {
    msg!(match quantity {
        Quantity::KineticEnergy => "quantity-energy",
        Quantity::Velocity => "quantity-velocity",
        Quantity::JumpHeight => "quantity-jump",
        Quantity::Rotation => "quantity-rotation",
    })
}

/// The useful dozen, and what tells where they are weak.
fn default_layers() -> Vec<Layer> {
    use {Quantity::*, Statistic::*};
    vec![
        Layer::Passages,
        Layer::Deposits,
        Layer::SourceCells,
        Layer::ReachProbability,
        Layer::ReachProbabilityLocal,
        Layer::Statistic(KineticEnergy, P95),
        Layer::Statistic(KineticEnergy, Max),
        Layer::Statistic(Velocity, P95),
        Layer::Statistic(Velocity, Max),
        Layer::Statistic(JumpHeight, P95),
        Layer::Statistic(JumpHeight, Max),
        Layer::EnergyLineAngle,
        Layer::SampleSizeWarning,
    ]
}

/// Every layer that can be named, frequencies apart: those depend on the project's energies.
fn all_layers() -> Vec<Layer> {
    let counts = [
        Layer::Passages,
        Layer::Deposits,
        Layer::SourceCells,
        Layer::ReachProbability,
        Layer::ReachProbabilityLocal,
        Layer::EnergyLineAngle,
        Layer::SampleSizeWarning,
    ];
    let statistics = Quantity::ALL.iter().flat_map(|&q| Statistic::NAMED.map(|s| Layer::Statistic(q, s)));
    counts.into_iter().chain(statistics).collect()
}

/// The layers a project asks for.
///
/// # Errors
/// An unknown name, with the names there are; a frequency layer without frequencies.
pub fn chosen(statistics: &file::Statistics, has_frequency: bool) -> Result<Vec<Layer>> {
    let frequencies: Vec<Layer> = statistics.energies_kj.iter().map(|&energy| Layer::FrequencyAbove(energy)).collect();
    let mut known = all_layers();
    known.extend(&frequencies);
    let mut layers: Vec<Layer> = Vec::new();
    match &statistics.layers {
        None => {
            layers = default_layers();
            layers.extend(frequencies.iter().filter(|_| has_frequency));
        }
        Some(names) => {
            for name in names {
                if name == "all" {
                    layers.extend(
                        known.iter().filter(|layer| has_frequency || !matches!(layer, Layer::FrequencyAbove(_))),
                    );
                    continue;
                }
                let layer =
                    known.iter().find(|layer| layer.to_string() == *name).ok_or_else(|| unknown(name, &known))?;
                if matches!(layer, Layer::FrequencyAbove(_)) && !has_frequency {
                    return Err(Error::input(format!(
                        "statistics.layers: {name:?} needs releases per year; set `frequency_per_year` under `release`"
                    )));
                }
                layers.push(*layer);
            }
        }
    }
    if statistics.confidence_bounds {
        for quantity in Quantity::ALL {
            if let Some(at) = layers.iter().position(|layer| *layer == Layer::Statistic(quantity, Statistic::P95)) {
                let bounds = [Statistic::P95Lower, Statistic::P95Upper].map(|s| Layer::Statistic(quantity, s));
                layers.splice(at + 1..at + 1, bounds);
            }
        }
    }
    let mut distinct: Vec<Layer> = Vec::new();
    layers.into_iter().for_each(|layer| {
        if !distinct.contains(&layer) {
            distinct.push(layer);
        }
    });
    Ok(distinct)
}

fn unknown(name: &str, known: &[Layer]) -> Error {
    let names: Vec<String> = known.iter().map(Layer::to_string).collect();
    let name: String = name.chars().take(60).collect();
    let closeness = |known: &String| strsim::jaro_winkler(known, &name);
    let closest = names.iter().max_by(|a, b| closeness(a).total_cmp(&closeness(b)));
    let hint = closest.filter(|known| closeness(known) > 0.85).map(|known| format!("; did you mean {known:?}?"));
    Error::input(format!(
        "statistics.layers: there is no layer {name:?}{}; the layers are all, {}",
        hint.unwrap_or_default(),
        names.join(", ")
    ))
}

/// What has to be counted for these layers; `energies_kj` besides those of the layers.
pub fn wanted(layers: &[Layer], has_frequency: bool, energies_kj: &[f64]) -> Wanted {
    let mut wanted = Wanted::default();
    for layer in layers {
        match layer {
            Layer::Statistic(quantity, Statistic::Mean) => wanted.mean[*quantity] = true,
            Layer::Statistic(quantity, s) => {
                wanted.max[*quantity] = true;
                wanted.histogram[*quantity] |= s.needs_histogram();
            }
            Layer::SourceCells | Layer::ReachProbabilityLocal => wanted.sources = true,
            _ => {}
        }
    }
    if has_frequency {
        let layered = layers.iter().filter_map(|layer| match layer {
            Layer::FrequencyAbove(energy) => Some(*energy),
            _ => None,
        });
        wanted.energies_kj = layered.chain(energies_kj.iter().copied()).chain([0.0]).collect();
        wanted.energies_kj.sort_by(f64::total_cmp);
        wanted.energies_kj.dedup();
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_contract_and_come_back() {
        let all = file::Statistics { layers: Some(vec!["all".into()]), ..Default::default() };
        let names: Vec<_> = chosen(&all, true).unwrap().iter().map(Layer::to_string).collect();
        for name in ["passages", "kinetic_energy_kj_p95", "velocity_ms_mean", "jump_height_m_max", "rotation_rps_p50"] {
            assert!(names.contains(&name.to_string()), "{name}");
        }
        assert!(names.contains(&"frequency_above_30_kj".to_string()));
        assert_eq!(names.len(), 7 + 24 + 2);
        for name in names {
            let one = file::Statistics { layers: Some(vec![name.clone()]), ..Default::default() };
            assert_eq!(chosen(&one, true).unwrap()[0].to_string(), name);
            assert_eq!(Layer::named(&name).map(|layer| layer.to_string()), Some(name));
        }
    }

    #[test]
    fn a_layer_is_known_by_the_name_of_its_file() {
        let bound = Layer::Statistic(Quantity::Velocity, Statistic::P95Upper);
        assert_eq!(Layer::named("velocity_ms_p95_upper"), Some(bound));
        assert_eq!(Layer::named("frequency_above_1e20_kj"), Some(Layer::FrequencyAbove(1e20)));
        assert!(Layer::named("frequency_above_x_kj").is_none() && Layer::named("notes").is_none());
    }

    #[test]
    fn the_default_is_the_useful_dozen_and_the_warning() {
        assert_eq!(chosen(&file::Statistics::default(), false).unwrap().len(), 13);
        assert_eq!(chosen(&file::Statistics::default(), true).unwrap().len(), 15);
        let bounds = file::Statistics { confidence_bounds: true, ..Default::default() };
        assert_eq!(chosen(&bounds, false).unwrap().len(), 19);
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let wrong = file::Statistics { layers: Some(vec!["kinetic_energy_p95".into()]), ..Default::default() };
        let error = chosen(&wrong, false).unwrap_err();
        assert!(error.message.contains("did you mean \"kinetic_energy_kj_p"), "{error}");
        assert!(error.message.contains("rotation_rps_max") && error.exit_code() == 3);
        let frequency = file::Statistics { layers: Some(vec!["frequency_above_30_kj".into()]), ..Default::default() };
        assert!(chosen(&frequency, false).unwrap_err().message.contains("frequency_per_year"));
    }
}
