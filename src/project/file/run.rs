//! How to simulate, what to count, what to write.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::VectorSource;
use crate::dynamics::laws::{ContactModel, FastRocks, GRAVITY_M_S2, Integrator, Stepping, TIME_STEP_S, TerrainNodes};
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
    /// What compactable soil takes from rocks faster than 25 m/s (contact `non_smooth` only).
    pub fast_rocks: FastRocks,
    /// How a rock is followed through free flight (contact `non_smooth` only).
    pub stepping: Stepping,
    /// Add rocks until the map has settled, instead of a fixed number; default: a fixed number.
    pub until: Option<Until>,
}

/// When a map has settled: rocks are added in batches, in rounds over all release positions, until all three measures hold.
/// Random positions are drawn anew for every rock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Until {
    /// Largest share of the zoned area whose zone differs between two independent halves of the rocks.
    pub zone_change_share: f64,
    /// Largest median, over the cells of the zones, of the half-width of the 95 % confidence interval of the energy's 95 %
    /// quantile, as a share of that quantile.
    pub p95_half_width_share: f64,
    /// Largest difference between the halves in the 95 % quantile of the energy at any line, as a share of it.
    pub line_change_share: f64,
    /// Rocks a batch, rounded up to whole rounds; default: half as many again as have fallen.
    pub batch_rocks: Option<u64>,
    /// No more rocks than this.
    pub max_rocks: u64,
    /// No further batch after this many hours.
    pub max_hours: f64,
}

impl Default for Until {
    fn default() -> Self {
        Self {
            zone_change_share: 0.05,
            p95_half_width_share: 0.25,
            line_change_share: 0.15,
            batch_rocks: None,
            max_rocks: 50_000,
            max_hours: 24.0,
        }
    }
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
            fast_rocks: FastRocks::default(),
            stepping: Stepping::default(),
            until: None,
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
    /// With several scenarios: also write layers, line tables and dimensioning sheets of all of them together. Rocks of different
    /// scenarios then share one quantile, whatever their sizes and frequencies.
    pub pooled: bool,
    /// Widths of squares around each cell whose rocks are counted, each rock once, besides that of the scheme.
    pub reference_widths_m: Vec<f64>,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            layers: None,
            energies_kj: vec![30.0, 300.0],
            min_sample: 20,
            confidence_bounds: false,
            pooled: false,
            reference_widths_m: Vec::new(),
        }
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

/// Objects at risk: buildings, roads, power lines. What hits them is counted for each feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObjectSpec {
    /// Name in tables and reports.
    pub name: String,
    /// The layer of polygons (footprints) or lines.
    pub source: VectorSource,
    /// What the objects are.
    #[serde(default)]
    pub kind: ObjectKind,
    /// Attribute that names each object; default: the number of the feature.
    #[serde(default)]
    pub id_attribute: Option<String>,
    /// Height of the objects above the ground; a rock whose lowest point is higher passes over. Default: none passes over.
    #[serde(default)]
    pub height_m: Option<f64>,
    /// Vehicles (or trains) a day, for roads and railways; default: not known.
    #[serde(default)]
    pub vehicles_per_day: Option<f64>,
    /// Length of a vehicle.
    #[serde(default = "five")]
    pub vehicle_length_m: f64,
    /// Speed of the vehicles, km/h.
    #[serde(default = "fifty")]
    pub vehicle_speed_km_h: f64,
}

fn five() -> f64 {
    5.0
}
fn fifty() -> f64 {
    50.0
}

/// What objects at risk are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    /// A house, a shed.
    #[default]
    Building,
    /// A road or path.
    Road,
    /// A railway.
    Railway,
    /// A power line or cableway.
    PowerLine,
    /// Anything else.
    Other,
}

impl ObjectKind {
    /// As in the project file.
    pub fn label(self) -> &'static str {
        match self {
            Self::Building => "building",
            Self::Road => "road",
            Self::Railway => "railway",
            Self::PowerLine => "power_line",
            Self::Other => "other",
        }
    }
}

impl ObjectSpec {
    /// Share of the time that a vehicle is at any one place of the road: vehicles an hour times the time one takes to pass. At most
    /// 1; `None` without traffic.
    pub fn share_of_time_under_a_vehicle(&self) -> Option<f64> {
        let per_hour = self.vehicles_per_day? / 24.0;
        Some((per_hour * self.vehicle_length_m / (1000.0 * self.vehicle_speed_km_h)).min(1.0))
    }
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
    /// Width of the object around each cell whose rocks count; 0: the cell itself. Default: the scheme's.
    #[serde(default)]
    pub reference_width_m: Option<f64>,
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
    /// At most this many trajectories are written, spread evenly over the releases (with `simulation.until`: those of the first
    /// rounds). 100,000 are some 0.5 GB a format.
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
            max_trajectories: 100_000,
            tolerance_m: 0.1,
            points_every_s: None,
            impacts: TableFormats::Wanted(false),
            rocks: true,
            report: true,
        }
    }
}
