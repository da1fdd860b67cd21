//! The rocks: shape, size, and quantities that vary from rock to rock.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_f64;

/// The body that falls. Give one of `mass_kg`, `volume_m3` and `axes_m`, or `axes_m` with `mass_kg`, from which the density follows. With
/// none of them a shape given by points keeps its own size, and a preset takes its size from the release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RockSpec {
    /// Name by which releases refer to this rock.
    #[serde(default)]
    pub name: Option<String>,
    /// Shape of the rock.
    pub shape: ShapeSpec,
    /// Rock density.
    #[serde(default = "default_density")]
    pub density_kg_m3: f64,
    /// Mass; the shape is scaled to it.
    #[serde(default)]
    pub mass_kg: Option<Quantity>,
    /// Volume; the shape is scaled to it.
    #[serde(default)]
    pub volume_m3: Option<Quantity>,
    /// Full lengths along the three body axes; the shape is stretched to them.
    #[serde(default)]
    pub axes_m: Option<[f64; 3]>,
    /// How often this rock is drawn relative to the others.
    #[serde(default = "one_f64")]
    pub weight: f64,
}

impl RockSpec {
    /// A rock of which nothing but its shape is said.
    pub(crate) fn new(name: &str, shape: ShapeSpec) -> Self {
        let density_kg_m3 = default_density();
        let name = Some(name.to_string());
        Self { name, shape, density_kg_m3, mass_kg: None, volume_m3: None, axes_m: None, weight: one_f64() }
    }
}

/// A preset's name (see `couloir rocks`), a file, or points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ShapeSpec {
    /// Name of a preset shape.
    Preset(String),
    /// Points in a file.
    File(ShapeFile),
    /// Points in the project.
    Points(ShapePoints),
}

/// A shape from a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapeFile {
    /// File of points (`.xyz`, `.csv`, `.txt`; the rock is their convex hull), `.stl` or `.obj`.
    pub file: String,
}

/// A shape from points written here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapePoints {
    /// Points; the rock is their convex hull.
    #[schemars(length(min = 4))]
    pub points_m: Vec<[f64; 3]>,
}

/// A number, an attribute of the release feature, or a random draw per rock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Quantity {
    /// The same number for every rock.
    Constant(f64),
    /// From an attribute of the release feature.
    Attribute(AttributeQuantity),
    /// Drawn at random.
    Distribution(Distribution),
}

/// A number per release feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttributeQuantity {
    /// Attribute of the release feature.
    pub attribute: String,
}

/// A random draw per rock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "distribution", rename_all = "snake_case", deny_unknown_fields)]
pub enum Distribution {
    /// One of these values.
    List {
        /// The values to draw from.
        #[schemars(length(min = 1))]
        values: Vec<f64>,
        /// One weight per value; default: all alike.
        #[serde(default)]
        weights: Option<Vec<f64>>,
    },
    /// Any value between the limits, all alike.
    Uniform {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// Log-normal, cut to the limits.
    LogNormal {
        /// Median.
        median: f64,
        /// Standard deviation of the natural logarithm.
        sigma: f64,
        /// Smallest value; default: none.
        #[serde(default)]
        min: Option<f64>,
        /// Largest value; default: none.
        #[serde(default)]
        max: Option<f64>,
    },
    /// P(X > x) ∝ x^(−exponent) between min and max.
    PowerLaw {
        /// Exponent of the exceedance probability.
        exponent: f64,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
}

fn default_density() -> f64 {
    2700.0
}
