//! The project file as the user types it. Keys carry their unit; everything but terrain, rocks and release has a
//! default. These types are also the JSON Schema (`couloir schema`), so their doc comments are written for users.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectFile {
    /// Format version of this file.
    #[serde(default = "one")]
    pub couloir: u32,
    #[serde(default)]
    pub title: String,
    /// CRS all layers are brought to, e.g. `EPSG:2056`. Default: the DEM's own.
    #[serde(default)]
    pub crs: Option<String>,
    pub terrain: Terrain,
    pub rocks: Vec<RockSpec>,
    pub release: Vec<ReleaseSpec>,
    #[serde(default)]
    pub ground: GroundSpec,
    #[serde(default)]
    pub forest: ForestSpec,
    #[serde(default)]
    pub simulation: Simulation,
    #[serde(default)]
    pub stop: Stop,
    #[serde(default)]
    pub statistics: Statistics,
    /// Lines where every crossing is recorded: road, railway, planned barrier.
    #[serde(default)]
    pub lines: Vec<LineSpec>,
    /// Barriers that stop rocks.
    #[serde(default)]
    pub barriers: Vec<BarrierSpec>,
    #[serde(default)]
    pub classification: Option<Classification>,
    #[serde(default)]
    pub outputs: Outputs,
    /// Worker threads; default: all cores. Results do not depend on it.
    #[serde(default)]
    pub threads: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    /// Elevation raster, path relative to this file.
    pub dem: String,
    #[serde(default = "one_usize")]
    pub band: usize,
    /// CRS of the DEM if the file does not say.
    #[serde(default)]
    pub crs: Option<String>,
    /// Unit of the heights; default: what the file says, else metres.
    #[serde(default)]
    pub vertical_unit: Option<VerticalUnit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerticalUnit {
    Metre,
    Foot,
    UsSurveyFoot,
}

/// A vector layer: a file (`release.shp`, `site.gpkg|layername=release`) or GeoJSON written inline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VectorSource {
    /// File, relative to this project file; `file.gpkg|layername=x` picks a layer.
    #[serde(default)]
    pub file: Option<String>,
    /// A GeoJSON geometry, feature or feature collection written here.
    #[serde(default)]
    pub geojson: Option<serde_json::Value>,
    /// CRS, if the layer does not say (inline GeoJSON: default is the project CRS).
    #[serde(default)]
    pub crs: Option<String>,
    /// Attribute filter, an OGR SQL where clause, e.g. `block > 2 AND name = 'cliff'`.
    #[serde(default)]
    pub filter: Option<String>,
}

/// A number for everywhere, or one that varies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Parameter {
    Constant(f64),
    Raster(RasterParameter),
    Polygons(PolygonParameter),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RasterParameter {
    pub raster: String,
    #[serde(default = "one_usize")]
    pub band: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolygonParameter {
    pub polygons: VectorSource,
    /// Attribute that holds the number.
    pub attribute: String,
}

/// The body that falls. Give exactly one of `mass_kg`, `volume_m3`, `axes_m` here, or none if the release says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RockSpec {
    #[serde(default)]
    pub name: Option<String>,
    pub shape: ShapeSpec,
    #[serde(default = "default_density")]
    pub density_kg_m3: f64,
    #[serde(default)]
    pub mass_kg: Option<Quantity>,
    #[serde(default)]
    pub volume_m3: Option<Quantity>,
    /// Full lengths along the three body axes, m.
    #[serde(default)]
    pub axes_m: Option<[f64; 3]>,
    /// How often this rock is drawn relative to the others.
    #[serde(default = "one_f64")]
    pub weight: f64,
}

/// A preset's name (see `couloir rocks`), or a file of points (`.xyz`, `.csv`, `.txt`), `.stl` or `.obj`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ShapeSpec {
    Preset(String),
    File(ShapeFile),
    Points(ShapePoints),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapeFile {
    pub file: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapePoints {
    /// Points, m; the rock is their convex hull.
    pub points_m: Vec<[f64; 3]>,
}

/// A number, one per feature, or a draw per rock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Quantity {
    Constant(f64),
    Attribute(AttributeQuantity),
    Distribution(Distribution),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttributeQuantity {
    /// Attribute of the release feature.
    pub attribute: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "distribution", rename_all = "snake_case", deny_unknown_fields)]
pub enum Distribution {
    /// One of these values, with optional weights.
    List {
        values: Vec<f64>,
        #[serde(default)]
        weights: Option<Vec<f64>>,
    },
    Uniform {
        min: f64,
        max: f64,
    },
    /// Log-normal with this median and sigma of the natural logarithm, cut to the limits.
    LogNormal {
        median: f64,
        sigma: f64,
        #[serde(default)]
        min: Option<f64>,
        #[serde(default)]
        max: Option<f64>,
    },
    /// P(X > x) ∝ x^(−exponent) between min and max.
    PowerLaw {
        exponent: f64,
        min: f64,
        max: f64,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseSpec {
    #[serde(default)]
    pub name: Option<String>,
    pub source: VectorSource,
    /// Where inside lines and polygons rocks start. Points start where they are.
    #[serde(default)]
    pub placement: Placement,
    /// Rocks per release position, each with its own random orientation.
    #[serde(default = "ten")]
    pub rocks_per_position: u32,
    /// Height of the rock's lowest point above the ground, m.
    #[serde(default = "default_release_height")]
    pub height_m: Quantity,
    /// Initial speed, m/s.
    #[serde(default = "zero_quantity")]
    pub speed_m_s: Quantity,
    /// Direction of the initial speed; default: down the slope.
    #[serde(default)]
    pub direction: Direction,
    /// Initial spin about a random axis, rev/s.
    #[serde(default = "zero_quantity")]
    pub spin_rps: Quantity,
    /// `random` (uniform over all orientations) or a fixed quaternion [w, x, y, z] (frame of the rock's principal axes).
    #[serde(default)]
    pub orientation: Orientation,
    /// Mass per feature, overrides the rocks' own size. At most one of mass_kg and volume_m3.
    #[serde(default)]
    pub mass_kg: Option<Quantity>,
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

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Placement {
    /// Points where they are; lines every cell size; polygons at every DEM cell centre inside.
    #[default]
    Auto,
    /// On a grid of this spacing (lines: every so many metres).
    GridM(f64),
    /// This many random positions per feature.
    Count(u32),
    /// This many random positions per hectare of polygon (lines: per 100 m).
    PerHectare(f64),
    /// Every DEM cell inside whose slope is at least this steep.
    MinSlopeDeg(f64),
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Direction {
    #[default]
    Downslope,
    /// Clockwise from grid north, degrees, horizontal.
    AzimuthDeg(f64),
    /// Fixed vector (east, north, up); normalised.
    Vector([f64; 3]),
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Orientation {
    #[default]
    Random,
    Quaternion([f64; 4]),
}

/// Precedence, weakest first: `default`, then `layers` in their order, then the single parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroundSpec {
    /// Ground class where nothing else says.
    pub default: String,
    /// Your own classes, by name; they may replace built-in ones.
    pub classes: BTreeMap<String, GroundClass>,
    /// Layers that say which class is where; a later layer wins over an earlier one.
    pub layers: Vec<ClassLayer>,
    pub mu_min: Option<Parameter>,
    pub mu_max: Option<Parameter>,
    pub beta_per_s: Option<Parameter>,
    pub kappa_per_m: Option<Parameter>,
    pub epsilon_n: Option<Parameter>,
    pub epsilon_t: Option<Parameter>,
    /// Compactable soil (scarring); default: off.
    pub scarring: Option<ScarringSpec>,
    /// Random factor per trajectory on friction, e.g. 0.1 draws uniformly from 0.9 to 1.1.
    pub scatter_mu: f64,
    pub scatter_beta: f64,
    pub scatter_kappa: f64,
    pub scatter_epsilon: f64,
}

impl Default for GroundSpec {
    fn default() -> Self {
        Self {
            default: "medium".into(),
            classes: BTreeMap::new(),
            layers: Vec::new(),
            mu_min: None,
            mu_max: None,
            beta_per_s: None,
            kappa_per_m: None,
            epsilon_n: None,
            epsilon_t: None,
            scarring: None,
            scatter_mu: 0.0,
            scatter_beta: 0.0,
            scatter_kappa: 0.0,
            scatter_epsilon: 0.0,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundClass {
    pub mu_min: f64,
    pub mu_max: f64,
    pub beta_per_s: f64,
    pub kappa_per_m: f64,
    #[serde(default)]
    pub epsilon_n: f64,
    #[serde(default)]
    pub epsilon_t: f64,
}

/// A layer of classes: polygons with an attribute, or a raster with integer codes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassLayer {
    #[serde(default)]
    pub polygons: Option<VectorSource>,
    /// Attribute with the class's name (or a code of `codes`). Default: `class`.
    #[serde(default)]
    pub attribute: Option<String>,
    /// One class for every polygon of the layer, instead of an attribute.
    #[serde(default)]
    pub class: Option<String>,
    #[serde(default)]
    pub raster: Option<String>,
    #[serde(default = "one_usize")]
    pub band: usize,
    /// Raster code or attribute value → class name.
    #[serde(default)]
    pub codes: BTreeMap<String, String>,
}

/// Soil of Lu et al. (2019).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScarringSpec {
    /// Soil strength Me, kN/m².
    pub me_kn_m2: Parameter,
    /// Scarring drag coefficient C_s.
    pub drag_coefficient: Parameter,
    /// Soil density, kg/m³.
    #[serde(default = "soil_density")]
    pub density_kg_m3: Parameter,
}

/// Precedence as for the ground. The built-in default is `none`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ForestSpec {
    pub default: Option<String>,
    pub classes: BTreeMap<String, ForestClass>,
    pub layers: Vec<ClassLayer>,
    pub drag_kg_s: Option<Parameter>,
    pub height_m: Option<Parameter>,
    /// Rotational drag, kg m²/s.
    pub rotational_drag_kg_m2_s: Option<Parameter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForestClass {
    pub drag_kg_s: f64,
    pub height_m: f64,
    #[serde(default)]
    pub rotational_drag_kg_m2_s: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    pub seed: u64,
    pub time_step_s: f64,
    pub integrator: Integrator,
    pub contact: ContactModel,
    pub gravity_m_s2: f64,
    /// Test DEM nodes under the rock against its hull as well as its vertices against the DEM.
    pub terrain_nodes: TerrainNodes,
}

impl Default for Simulation {
    fn default() -> Self {
        Self {
            seed: 1,
            time_step_s: 0.002,
            integrator: Integrator::default(),
            contact: ContactModel::default(),
            gravity_m_s2: 9.81,
            terrain_nodes: TerrainNodes::default(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Integrator {
    /// Leine 2021, §5.2: conserves energy and spin in flight.
    #[default]
    Implicit,
    /// Leine 2014, §4 and Leine 2021, §5.1.
    Explicit,
    /// del Valle 2024.
    Spiral,
    /// Gebhardt & Romero, §5.1.
    Directors,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContactModel {
    #[default]
    NonSmooth,
    Rocfall3,
    Lumped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TerrainNodes {
    /// When the rock is larger than the cells.
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Stop {
    pub max_time_s: f64,
    pub max_distance_m: Option<f64>,
    /// At rest: kinetic energy per mass below this (as a speed: ½v²) …
    pub rest_speed_m_s: f64,
    /// … for this long.
    pub rest_time_s: f64,
}

impl Default for Stop {
    fn default() -> Self {
        Self { max_time_s: 300.0, max_distance_m: None, rest_speed_m_s: 0.05, rest_time_s: 0.5 }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Statistics {
    /// Layers to write; default: the useful dozen. `all` for everything.
    pub layers: Option<Vec<String>>,
    /// Energies for the frequency layers, kJ.
    pub energies_kj: Vec<f64>,
    /// Passages below which a quantile is flagged as resting on too few rocks.
    pub min_sample: u32,
    pub confidence_bounds: bool,
}

impl Default for Statistics {
    fn default() -> Self {
        Self { layers: None, energies_kj: vec![30.0, 300.0], min_sample: 20, confidence_bounds: false }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LineSpec {
    pub name: String,
    pub source: VectorSource,
    /// Segment length for the per-segment summary, m.
    #[serde(default)]
    pub segment_m: Option<f64>,
    #[serde(default)]
    pub dimensioning: Dimensioning,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Dimensioning {
    pub standard: Standard,
    /// Quantile of energy and height; default: the standard's (95 %).
    pub quantile: Option<f64>,
    /// Partial factors by name, replacing the standard's.
    pub factors: BTreeMap<String, f64>,
    pub freeboard_m: f64,
}

impl Default for Dimensioning {
    fn default() -> Self {
        Self { standard: Standard::default(), quantile: None, factors: BTreeMap::new(), freeboard_m: 0.5 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standard {
    #[default]
    #[serde(rename = "uni_11211_4")]
    Uni11211,
    #[serde(rename = "onr_24810")]
    Onr24810,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BarrierSpec {
    pub name: String,
    pub source: VectorSource,
    pub height_m: f64,
    pub capacity_kj: f64,
    /// What a rock too strong for the barrier does: lose the capacity from its energy, or fly on unhindered.
    #[serde(default)]
    pub when_exceeded: WhenExceeded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhenExceeded {
    #[default]
    LoseCapacity,
    Unhindered,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Classification {
    /// `swiss`, `austria`, `norway`, or a YAML file with a scheme of your own.
    pub scheme: String,
    /// Quantile of the kinetic energy that counts as intensity.
    #[serde(default)]
    pub quantile: Option<f64>,
    /// Smallest polygon kept, m².
    #[serde(default)]
    pub min_area_m2: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Outputs {
    /// Trajectory files: `shapefile`, `geopackage`, `flatgeobuf`.
    pub trajectories: Vec<String>,
    /// At most this many trajectories are written.
    pub max_trajectories: u32,
    /// Thinning tolerance, m.
    pub tolerance_m: f64,
    /// Also write points along each trajectory at this interval, s.
    pub points_every_s: Option<f64>,
    pub report: bool,
}

impl Default for Outputs {
    fn default() -> Self {
        Self {
            trajectories: vec!["shapefile".into()],
            max_trajectories: 10_000,
            tolerance_m: 0.1,
            points_every_s: None,
            report: true,
        }
    }
}

fn one() -> u32 {
    1
}
fn one_usize() -> usize {
    1
}
fn one_f64() -> f64 {
    1.0
}
fn ten() -> u32 {
    10
}
fn default_density() -> f64 {
    2700.0
}
fn default_release_height() -> Quantity {
    Quantity::Constant(0.5)
}
fn zero_quantity() -> Quantity {
    Quantity::Constant(0.0)
}
fn soil_density() -> Parameter {
    Parameter::Constant(1700.0)
}
