//! Ground and forest: classes, layers of classes, single parameters.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Parameter, VectorSource, one_usize};

/// Ground parameters. Precedence, weakest first: `default`, then `layers` in their order, then the single parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroundSpec {
    /// Ground class where nothing else says.
    pub default: String,
    /// Your own classes, by name; they may replace built-in ones. Or the name of another built-in table: `leine2014`.
    pub classes: GroundClasses,
    /// Layers that say which class is where; a later layer wins over an earlier one.
    pub layers: Vec<ClassLayer>,
    /// Friction coefficient when sliding starts; default: the class's.
    pub mu_min: Option<Parameter>,
    /// Friction coefficient after long sliding; default: the class's.
    pub mu_max: Option<Parameter>,
    /// Rate at which friction falls back after the contact; default: the class's.
    pub beta_per_s: Option<Parameter>,
    /// Rate at which friction grows with the sliding path; default: the class's.
    pub kappa_per_m: Option<Parameter>,
    /// Restitution coefficient normal to the ground, 0 to 1; default: the class's.
    pub epsilon_n: Option<Parameter>,
    /// Restitution coefficient along the ground, 0 to 1; default: the class's.
    pub epsilon_t: Option<Parameter>,
    /// Compactable soil (scarring); default: the class's.
    pub scarring: Option<ScarringSpec>,
    /// Roughness that the terrain model leaves out; default: the class's.
    pub roughness: Option<RoughnessSpec>,
    /// Random factor per trajectory on friction, e.g. 0.1 draws uniformly from 0.9 to 1.1.
    pub scatter_mu: f64,
    /// Random factor per trajectory on beta.
    pub scatter_beta: f64,
    /// Random factor per trajectory on kappa.
    pub scatter_kappa: f64,
    /// Random factor per trajectory on the restitution coefficients.
    pub scatter_epsilon: f64,
}

impl Default for GroundSpec {
    fn default() -> Self {
        Self {
            default: "medium".into(),
            classes: GroundClasses::default(),
            layers: Vec::new(),
            mu_min: None,
            mu_max: None,
            beta_per_s: None,
            kappa_per_m: None,
            epsilon_n: None,
            epsilon_t: None,
            scarring: None,
            roughness: None,
            scatter_mu: 0.0,
            scatter_beta: 0.0,
            scatter_kappa: 0.0,
            scatter_epsilon: 0.0,
        }
    }
}

/// Your own ground classes beside the built-in ones, or the name of the built-in table to use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum GroundClasses {
    /// A built-in table alone.
    Table(ClassTable),
    /// Classes of your own; they may replace those of the usual table.
    Own(BTreeMap<String, GroundClass>),
}

impl Default for GroundClasses {
    fn default() -> Self {
        Self::Own(BTreeMap::new())
    }
}

/// The built-in tables of ground classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClassTable {
    /// Friction, soil and roughness of every class: the usual one.
    #[default]
    Complete,
    /// Friction only, as RAMMS-type tools publish it; softer classes brake less. For redoing older studies.
    Leine2014,
}

/// The numbers of a ground class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundClass {
    /// Friction coefficient when sliding starts.
    pub mu_min: f64,
    /// Friction coefficient after long sliding.
    pub mu_max: f64,
    /// Rate at which friction falls back after the contact.
    pub beta_per_s: f64,
    /// Rate at which friction grows with the sliding path.
    pub kappa_per_m: f64,
    /// Restitution coefficient normal to the ground, 0 to 1.
    #[serde(default)]
    pub epsilon_n: f64,
    /// Restitution coefficient along the ground, 0 to 1.
    #[serde(default)]
    pub epsilon_t: f64,
    /// Compactable soil; default: none, as on rock.
    #[serde(default)]
    pub scarring: Option<ClassSoil>,
    /// Roughness that the terrain model leaves out; default: none.
    #[serde(default)]
    pub roughness: Option<ClassRoughness>,
}

/// Compactable soil of a ground class (Lu et al. 2019).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassSoil {
    /// Soil strength Me.
    pub me_kn_m2: f64,
    /// Scarring drag coefficient C_s.
    pub drag_coefficient: f64,
    /// Soil density.
    #[serde(default = "soil_density_kg_m3")]
    pub density_kg_m3: f64,
}

/// Roughness of a ground class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassRoughness {
    /// Standard deviation of heights about the terrain model.
    pub height_m: f64,
    /// Distance over which heights become independent.
    #[serde(default = "roughness_spacing_m")]
    pub spacing_m: f64,
}

/// A layer of classes: `polygons` with an attribute or one class for all, or a `raster` with integer codes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassLayer {
    /// Polygon layer; a cell takes the class of the polygon its centre lies in, a later polygon wins.
    #[serde(default)]
    pub polygons: Option<VectorSource>,
    /// Attribute with the class's name (or a code of `codes`). Default: `class`.
    #[serde(default)]
    pub attribute: Option<String>,
    /// One class for every polygon of the layer, instead of an attribute.
    #[serde(default)]
    pub class: Option<String>,
    /// Raster of integer codes, relative to this project file; on another grid the nearest cell counts.
    #[serde(default)]
    pub raster: Option<String>,
    /// Band of the raster, counted from 1.
    #[serde(default = "one_usize")]
    pub band: usize,
    /// CRS of the raster if the file does not say.
    #[serde(default)]
    pub crs: Option<String>,
    /// Raster code or attribute value → class name.
    #[serde(default)]
    pub codes: BTreeMap<String, String>,
}

/// Compactable soil of Lu et al. (2019).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScarringSpec {
    /// Soil strength Me.
    pub me_kn_m2: Parameter,
    /// Scarring drag coefficient C_s.
    pub drag_coefficient: Parameter,
    /// Soil density.
    #[serde(default = "soil_density")]
    pub density_kg_m3: Parameter,
}

/// Roughness below the terrain model: random heights at the nodes of a lattice of their own, bilinear between them. Rocks meet it, jump
/// heights and layers refer to the terrain model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoughnessSpec {
    /// Standard deviation of heights about the terrain model.
    pub height_m: Parameter,
    /// Distance over which heights become independent; counts as a whole part or multiple of a cell.
    #[serde(default = "roughness_spacing")]
    pub spacing_m: Parameter,
    /// All rocks meet the same ground; else each meets its own, because the true one is not known.
    #[serde(default)]
    pub frozen: bool,
}

/// Forest parameters. Precedence as for the ground. The built-in default is `none`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ForestSpec {
    /// Forest class where nothing else says; default: `none`.
    pub default: Option<String>,
    /// Your own classes, by name; they may replace built-in ones.
    pub classes: BTreeMap<String, ForestClass>,
    /// Layers that say which class is where; a later layer wins over an earlier one.
    pub layers: Vec<ClassLayer>,
    /// Drag of the forest; default: the class's.
    pub drag_kg_s: Option<Parameter>,
    /// Height up to which the forest acts; default: the class's.
    pub height_m: Option<Parameter>,
    /// Drag on the rotation; default: the class's.
    pub rotational_drag_kg_m2_s: Option<Parameter>,
}

/// The numbers of a forest class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForestClass {
    /// Drag of the forest.
    pub drag_kg_s: f64,
    /// Height up to which the forest acts.
    pub height_m: f64,
    /// Drag on the rotation.
    #[serde(default)]
    pub rotational_drag_kg_m2_s: f64,
}

fn soil_density() -> Parameter {
    Parameter::Constant(soil_density_kg_m3())
}

fn soil_density_kg_m3() -> f64 {
    crate::project::classes::SOIL_DENSITY_KG_M3
}

fn roughness_spacing() -> Parameter {
    Parameter::Constant(roughness_spacing_m())
}

fn roughness_spacing_m() -> f64 {
    crate::project::classes::ROUGHNESS_SPACING_M
}
