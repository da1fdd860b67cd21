//! Where and how rocks start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AttributeQuantity, Quantity, VectorSource};

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
    /// Rocks per release position, each with its own random orientation: a number, or an attribute of the feature.
    #[serde(default = "ten")]
    pub rocks_per_position: RockCount,
    /// Height of the rock's lowest point above the ground.
    #[serde(default = "default_release_height")]
    pub height_m: Quantity,
    /// Height of the rock's centre of mass above the ground below it, instead of `height_m`. A rock that would reach into the
    /// ground is lifted until it touches it.
    #[serde(default)]
    pub centre_height_m: Option<Quantity>,
    /// Initial speed.
    #[serde(default = "zero_quantity")]
    pub speed_m_s: Quantity,
    /// Direction of the initial speed; default: down the slope.
    #[serde(default)]
    pub direction: Direction,
    /// Initial velocity of the centre of mass (east, north, up), instead of `speed_m_s` and `direction`.
    #[serde(default)]
    pub velocity_m_s: Option<VectorQuantity>,
    /// Initial spin, revolutions per second.
    #[serde(default = "zero_quantity")]
    pub spin_rps: Quantity,
    /// Axis of the initial spin (east, north, up), right-handed; default: random.
    #[serde(default)]
    pub spin_axis: Option<VectorQuantity>,
    /// Orientation of the rock at the start.
    #[serde(default)]
    pub orientation: Orientation,
    /// Mass per feature, overrides the rocks' own size. At most one of `mass_kg` and `volume_m3`.
    #[serde(default)]
    pub mass_kg: Option<Quantity>,
    /// Volume per feature, overrides the rocks' own size.
    #[serde(default)]
    pub volume_m3: Option<Quantity>,
    /// Density per feature, overrides the rocks' own.
    #[serde(default)]
    pub density_kg_m3: Option<Quantity>,
    /// Names of the rocks that start here; default: all.
    #[serde(default)]
    pub rocks: Option<Vec<String>>,
    /// Attribute that says which rock starts from each feature, instead of `rocks`: the name of a rock under `rocks`, a preset
    /// shape, or a file of a shape relative to this project file.
    #[serde(default)]
    pub rock: Option<AttributeQuantity>,
    /// Attributes of the features to carry along to trajectories, deposits, impacts and the table of rocks, e.g. the number of a
    /// test; `couloir score` can group by them.
    #[serde(default)]
    pub keep_attributes: Vec<String>,
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
    /// Quaternion [w, x, y, z] that turns the frame the shape was given in (a preset's axes, the coordinates of a file) to east, north, up; normalised.
    Quaternion(QuaternionQuantity),
}

/// A whole number, or an attribute of the release feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RockCount {
    /// The same for every position.
    Constant(u32),
    /// A number per feature.
    Attribute(AttributeQuantity),
}

/// Three numbers, or three attributes of the release feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum VectorQuantity {
    /// The same for every rock.
    Constant([f64; 3]),
    /// From the feature.
    Attributes(VectorAttributes),
}

/// Three numbers per release feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VectorAttributes {
    /// Attributes with the components east, north and up.
    pub attributes: [String; 3],
}

/// Four numbers, or four attributes of the release feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum QuaternionQuantity {
    /// The same for every rock.
    Constant([f64; 4]),
    /// From the feature.
    Attributes(QuaternionAttributes),
}

/// Four numbers per release feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuaternionAttributes {
    /// Attributes with w, x, y and z.
    pub attributes: [String; 4],
}

impl VectorQuantity {
    /// Attributes it is read from.
    pub fn attributes(&self) -> &[String] {
        match self {
            Self::Constant(_) => &[],
            Self::Attributes(list) => &list.attributes,
        }
    }
}

impl QuaternionQuantity {
    /// Attributes it is read from.
    pub fn attributes(&self) -> &[String] {
        match self {
            Self::Constant(_) => &[],
            Self::Attributes(list) => &list.attributes,
        }
    }
}

fn ten() -> RockCount {
    RockCount::Constant(10)
}
pub(crate) fn default_release_height() -> Quantity {
    Quantity::Constant(0.5)
}
fn zero_quantity() -> Quantity {
    Quantity::Constant(0.0)
}
