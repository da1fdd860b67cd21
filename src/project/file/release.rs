//! Where and how rocks start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Quantity, VectorSource};

/// One layer of release points, lines or polygons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseSpec {
    /// Name in tables and reports.
    #[serde(default)]
    pub name: Option<String>,
    /// The layer of points, lines or polygons.
    pub source: VectorSource,
    /// Where inside lines and polygons rocks start. Points start where they are.
    #[serde(default)]
    pub placement: Placement,
    /// Only positions on ground at least this steep, whatever the placement; default: all of them.
    #[serde(default)]
    pub min_slope_deg: Option<f64>,
    /// Rocks per release position, each with its own random orientation.
    #[serde(default = "ten")]
    pub rocks_per_position: u32,
    /// Height of the rock's lowest point above the ground.
    #[serde(default = "default_release_height")]
    pub height_m: Quantity,
    /// Initial speed.
    #[serde(default = "zero_quantity")]
    pub speed_m_s: Quantity,
    /// Direction of the initial speed; default: down the slope.
    #[serde(default)]
    pub direction: Direction,
    /// Initial spin about a random axis, revolutions per second.
    #[serde(default = "zero_quantity")]
    pub spin_rps: Quantity,
    /// Orientation of the rock at the start.
    #[serde(default)]
    pub orientation: Orientation,
    /// Mass per feature, overrides the rocks' own size. At most one of `mass_kg` and `volume_m3`.
    #[serde(default)]
    pub mass_kg: Option<Quantity>,
    /// Volume per feature, overrides the rocks' own size.
    #[serde(default)]
    pub volume_m3: Option<Quantity>,
    /// Names of the rocks that start here; default: all.
    #[serde(default)]
    pub rocks: Option<Vec<String>>,
    /// Releases per year from each feature (all its rocks together); needed for frequency layers and hazard zones.
    #[serde(default)]
    pub frequency_per_year: Option<Quantity>,
    /// Scenario this release belongs to.
    #[serde(default)]
    pub scenario: Option<String>,
}

/// Where in a feature rocks start.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Placement {
    /// Points where they are; lines every cell size; polygons at every DEM cell centre inside.
    #[default]
    Auto,
    /// On a grid of this spacing, m (lines: every so many metres).
    GridM(f64),
    /// This many random positions per feature.
    Count(u32),
    /// This many random positions per hectare of polygon (lines: per 100 m).
    PerHectare(f64),
    /// Every DEM cell inside whose slope is at least this steep, degrees.
    MinSlopeDeg(f64),
}

/// Direction of the initial velocity.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Direction {
    /// Down the slope at the release position.
    #[default]
    Downslope,
    /// Clockwise from grid north, degrees, horizontal.
    AzimuthDeg(f64),
    /// Fixed vector (east, north, up); normalised.
    Vector([f64; 3]),
}

/// Orientation at the start.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Orientation {
    /// Uniform over all orientations.
    #[default]
    Random,
    /// Fixed quaternion [w, x, y, z] that turns the frame the shape was given in (a preset's axes, the coordinates of a file) to east, north, up; normalised.
    Quaternion([f64; 4]),
}

fn ten() -> u32 {
    10
}
fn default_release_height() -> Quantity {
    Quantity::Constant(0.5)
}
fn zero_quantity() -> Quantity {
    Quantity::Constant(0.0)
}
