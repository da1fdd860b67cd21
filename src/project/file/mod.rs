//! The project file as the user types it. Keys carry their unit; everything but terrain, rocks and release has a
//! default. These types are also the JSON Schema (`couloir schema`) and the reference in `docs/project-file.md`, so
//! their doc comments are written for users. Physical limits and units per key: [`super::limits`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod ground;
mod layers;
mod release;
mod restitution;
mod rocks;
mod run;
mod study;

pub use ground::*;
pub use layers::*;
pub use release::*;
pub use restitution::*;
pub use rocks::*;
pub use run::*;
pub use study::*;

use crate::dynamics::laws::Stop;
use crate::texts::Language;

/// A rockfall project: terrain, rocks, release areas, and how to simulate them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectFile {
    /// Format version of this file.
    #[serde(default = "one_u32")]
    pub couloir: u32,
    /// Title for reports and maps.
    #[serde(default)]
    pub title: String,
    /// Language of reports, maps, legends and layer names: `en`, `de`, `fr` or `it`; default: `en`.
    #[serde(default)]
    pub language: Option<Language>,
    /// Who made the study, for whom: stands at the head of the report and on the map sheet.
    #[serde(default)]
    pub study: Study,
    /// CRS all layers are brought to, e.g. `EPSG:2056`. It must be the DEM's own, which is also the default.
    #[serde(default)]
    pub crs: Option<String>,
    /// The elevation model.
    pub terrain: Terrain,
    /// The rocks that fall; each release draws from them by weight.
    #[schemars(length(min = 1))]
    pub rocks: Vec<RockSpec>,
    /// Where and how rocks start.
    #[schemars(length(min = 1))]
    pub release: Vec<ReleaseSpec>,
    /// Ground parameters; default: class `medium` everywhere.
    #[serde(default)]
    pub ground: GroundSpec,
    /// Forest parameters; default: no forest.
    #[serde(default)]
    pub forest: ForestSpec,
    /// Restitution laws; only for the contact models `rocfall3` and `lumped`.
    #[serde(default)]
    pub restitution: RestitutionSpec,
    /// Numerical method.
    #[serde(default)]
    pub simulation: Simulation,
    /// When a trajectory ends.
    #[serde(default)]
    pub stop: Stop,
    /// Which statistics are written per cell.
    #[serde(default)]
    pub statistics: Statistics,
    /// Lines where every crossing is recorded: road, railway, planned barrier.
    #[serde(default)]
    pub lines: Vec<LineSpec>,
    /// Barriers that stop rocks.
    #[serde(default)]
    pub barriers: Vec<BarrierSpec>,
    /// Objects at risk: buildings, roads, power lines.
    #[serde(default)]
    pub objects: Vec<ObjectSpec>,
    /// Hazard classification; default: none.
    #[serde(default)]
    pub classification: Option<Classification>,
    /// Which files are written.
    #[serde(default)]
    pub outputs: Outputs,
    /// Worker threads; default: all cores. Results do not depend on it.
    #[serde(default)]
    pub threads: Option<usize>,
}

/// The elevation model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Terrain {
    /// Elevation raster, path relative to this file. Its CRS must be projected; its grid is the grid of the results.
    pub dem: String,
    /// Band of the raster, counted from 1.
    #[serde(default = "one_usize")]
    pub band: usize,
    /// CRS of the DEM if the file does not say.
    #[serde(default)]
    pub crs: Option<String>,
    /// Unit of the heights; default: what the file says, else metres.
    #[serde(default)]
    pub vertical_unit: Option<VerticalUnit>,
}

/// Unit of heights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerticalUnit {
    /// 1 m.
    Metre,
    /// International foot, 0.3048 m.
    Foot,
    /// US survey foot, 1200/3937 m.
    UsSurveyFoot,
}

fn one_u32() -> u32 {
    1
}
fn one_usize() -> usize {
    1
}
fn one_f64() -> f64 {
    1.0
}
