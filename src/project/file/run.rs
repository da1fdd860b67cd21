//! How to simulate, what to count, what to write.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::VectorSource;
use crate::dynamics::laws::{ContactModel, GRAVITY_M_S2, Integrator, Stepping, TIME_STEP_S, TerrainNodes};
use crate::hazard::scheme::ReturnPeriod;
use crate::hazard::standard::Dimensioning;

/// Numerical method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// Seed of all random draws; the same seed gives the same result.
    pub seed: u64,
    /// Time step.
    pub time_step_s: f64,
    /// Scheme for the rotation in flight.
    pub integrator: Integrator,
    /// Contact law.
    pub contact: ContactModel,
    /// Gravitational acceleration.
    pub gravity_m_s2: f64,
    /// Test the ground between the rock's vertices: nodes of the DEM against its faces, crests against its edges.
    pub terrain_nodes: TerrainNodes,
    /// How a rock is followed through free flight (contact `non_smooth` only).
    pub stepping: Stepping,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            seed: 1,
            time_step_s: TIME_STEP_S,
            integrator: Integrator::default(),
            contact: ContactModel::default(),
            gravity_m_s2: GRAVITY_M_S2,
            terrain_nodes: TerrainNodes::default(),
            stepping: Stepping::default(),
        }
    }
}

/// Which statistics are written per cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Statistics {
    /// Layers to write; default: the useful dozen. `[all]` for everything.
    pub layers: Option<Vec<String>>,
    /// Energies for the frequency layers.
    pub energies_kj: Vec<f64>,
    /// Passages below which a quantile is flagged as resting on too few rocks.
    pub min_sample: u32,
    /// Also write confidence bounds of the 95 % quantiles.
    pub confidence_bounds: bool,
}

impl Default for Statistics {
    fn default() -> Self {
        Self { layers: None, energies_kj: vec![30.0, 300.0], min_sample: 20, confidence_bounds: false }
    }
}

/// Lines where every crossing is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineSpec {
    /// Name in tables and reports.
    pub name: String,
    /// The line layer.
    pub source: VectorSource,
    /// Segment length for the per-segment summary; default: none.
    #[serde(default)]
    pub segment_m: Option<f64>,
    /// How a barrier on this line would be dimensioned.
    #[serde(default)]
    pub dimensioning: Dimensioning,
}

/// A barrier that stops rocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BarrierSpec {
    /// Name in tables and reports.
    pub name: String,
    /// The line layer.
    pub source: VectorSource,
    /// Height above the ground.
    pub height_m: f64,
    /// Energy the barrier absorbs.
    pub capacity_kj: f64,
    /// What a rock too strong for the barrier does.
    #[serde(default)]
    pub when_exceeded: WhenExceeded,
}

/// What a barrier does when its capacity is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenExceeded {
    /// It loses the barrier's capacity from its energy.
    #[default]
    LoseCapacity,
    /// It flies on unhindered.
    Unhindered,
}

/// Hazard classification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Classification {
    /// `swiss`, `austria`, `norway`, or a YAML file with a scheme of your own.
    pub scheme: String,
    /// Quantile of the kinetic energy that counts as intensity, 0 to 1; default: the scheme's.
    #[serde(default)]
    pub quantile: Option<f64>,
    /// Smallest polygon kept; default: the scheme's.
    #[serde(default)]
    pub min_area_m2: Option<f64>,
    /// Whether the return period is that of each scenario, or comes from the yearly passages of each cell; default: the
    /// scheme's.
    #[serde(default)]
    pub return_period: Option<ReturnPeriod>,
    /// Return period of each scenario by its name (`all` for releases that name none); default: one over the sum of its
    /// releases' `frequency_per_year`.
    #[serde(default)]
    pub scenario_return_periods_years: BTreeMap<String, f64>,
    /// A scenario counts in cells that at least this share of its rocks passes; default: the scheme's.
    #[serde(default)]
    pub least_reach_probability: Option<f64>,
}

/// Which files are written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Outputs {
    /// Formats of the trajectory files.
    #[schemars(extend("items" = {"type": "string", "enum": ["shapefile", "geopackage", "flatgeobuf"]}))]
    pub trajectories: Vec<String>,
    /// At most this many trajectories are written.
    pub max_trajectories: u32,
    /// Thinning tolerance.
    pub tolerance_m: f64,
    /// Also write points along each trajectory at this interval; default: no.
    pub points_every_s: Option<f64>,
    /// Table of the impacts of every trajectory that is written; default: none.
    pub impacts: TableFormats,
    /// Write the table of all rocks: start, end, why each stopped, largest values. `couloir score` reads it.
    pub rocks: bool,
    /// Write the report.
    pub report: bool,
}

/// `true` for a CSV file, or a list of formats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TableFormats {
    /// `true`: as CSV; `false`: no table.
    Wanted(bool),
    /// In each of these formats.
    Formats(Vec<TableFormat>),
}

/// A format of a table with points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableFormat {
    /// Text, coordinates in the columns X, Y and Z.
    Csv,
    /// A GeoPackage.
    Geopackage,
}

impl TableFormats {
    /// The formats, each once.
    pub fn formats(&self) -> Vec<TableFormat> {
        match self {
            Self::Wanted(true) => vec![TableFormat::Csv],
            Self::Wanted(false) => Vec::new(),
            Self::Formats(list) => {
                let all = [TableFormat::Csv, TableFormat::Geopackage];
                all.into_iter().filter(|format| list.contains(format)).collect()
            }
        }
    }
}

impl Default for Outputs {
    fn default() -> Self {
        Self {
            trajectories: vec!["shapefile".into()],
            max_trajectories: 10_000,
            tolerance_m: 0.1,
            points_every_s: None,
            impacts: TableFormats::Wanted(false),
            rocks: true,
            report: true,
        }
    }
}
