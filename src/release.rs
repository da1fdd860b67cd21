//! Polygons, lines and points plus a seed become numbered releases; release k depends only on (seed, k).
//!
//! Numbers run through the release layers in the project's order, then features, positions, and rocks per position. Positions without ground
//! or too flat have numbers, too, which no rock bears: so a rock's number does not depend on how much of the terrain was read. Random
//! positions come from a stream per feature, everything else of release k from stream k. Rocks that exist are also counted, without gaps, feature by
//! feature in an order that follows the map ([`order`]): that is their index, and the order in which they fall.
//!
//! Numbered by rounds ([`rounds`]) there is no last release: every round starts rocks from all positions, so that rocks can be
//! added until a map has settled and the earlier ones stay what they are. Numbers by rounds have no gaps: they count the
//! positions there are.

pub(crate) mod draw;
mod found;
mod order;
pub(crate) mod placement;
mod planning;
pub(crate) mod polygon;
pub(crate) mod rounds;
mod size;
pub(crate) mod sobol;
mod start;
mod stretch;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::geo::vector::VectorLayer;
use crate::project::file::{GroundSpec, ReleaseSpec, RockSpec};
use crate::rock::{Rock, Shape};
use crate::terrain::{Frame, GroundScale, Surface};
use crate::trajectory::Start;
use crate::{Error, Note, Result};
pub(crate) use planning::plan;
use rounds::{Place, Rounds};
use sobol::{Dimension, Draws};

/// What releases are planned from.
#[derive(Debug, Clone)]
pub(crate) struct Sources<'a> {
    pub surface: &'a Surface,
    pub layers: Vec<(&'a ReleaseSpec, &'a VectorLayer)>,
    /// What the positions of each layer depend on, where looking for them costs.
    pub keys: Vec<Option<&'a str>>,
    pub rocks: &'a [(RockSpec, Shape)],
    /// So many of them the project lists; the others are named by attributes of release features.
    pub listed: usize,
    pub ground: &'a GroundSpec,
    pub seed: u64,
}

/// All releases of a project, without the rocks themselves: those are made when asked for.
#[derive(Debug, Clone)]
pub struct ReleasePlan<'a> {
    sources: Sources<'a>,
    positions: Vec<Position>,
    /// Release numbers before each layer's first, and the total at the end.
    layers: Vec<LayerPlan>,
    total: u64,
    /// Numbers go by rounds.
    rounds: Option<Rounds>,
    /// Numbers given so far.
    numbers: u64,
    /// Names of the scenarios, in order of first appearance; `None` for releases that name none.
    pub scenarios: Vec<Option<String>>,
    pub warnings: Vec<Note>,
}

#[derive(Debug, Clone)]
struct LayerPlan {
    first_release: u64,
    scenario: usize,
    /// Rocks that start here, as indices of the project's.
    rocks: Vec<usize>,
    /// In the layer's order.
    features: Vec<FeaturePlan>,
    /// Numbers of the features in the order they release.
    order: Vec<u32>,
    /// Sum over the features that release rocks.
    releases_per_year: f64,
}

#[derive(Debug, Clone, Copy)]
struct FeaturePlan {
    /// Index of its first rock, and the number of the first rock of its first position, be it used or not.
    first_release: u64,
    first_number: u64,
    first_position: usize,
    end_position: usize,
    rocks_per_position: u64,
    frequency_per_year_and_rock: f64,
    /// See [`stretch`].
    reach_weight: f64,
}

impl FeaturePlan {
    /// That start from it.
    fn rocks(&self) -> u64 {
        (self.end_position - self.first_position) as u64 * self.rocks_per_position
    }
}

/// A place where rocks start, world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Position {
    x: f64,
    y: f64,
    /// Among all positions of its feature.
    number: u64,
    feature: u32,
    cell: u64,
}

/// One rock about to fall.
#[derive(Debug, Clone)]
pub struct Release {
    /// Number k.
    pub number: u64,
    /// Index of the release layer.
    pub layer: usize,
    /// Id of the feature it starts from, as GIS programs show it.
    pub feature: i64,
    /// Position on the map, world coordinates.
    pub position: [f64; 2],
    /// Name of the rock, as in the project.
    pub rock_name: String,
    pub rock: Rock,
    /// What coordinates of its start and of its path count from.
    pub frame: Frame,
    pub start: Start,
    pub scale: GroundScale,
    /// What this rock stands for; 0 if the release has no frequency.
    pub frequency_per_year: f64,
    /// Index into [`ReleasePlan::scenarios`].
    pub scenario: usize,
    /// Raster cell of the position (row · nx + column).
    pub source_cell: u64,
    /// Which of two independent halves of the run it belongs to: 0, or 1 in every other round.
    pub half: u8,
    /// How many rocks of a short release area it stands for, see [`stretch`].
    pub reach_weight: f64,
}

impl ReleasePlan<'_> {
    /// Releases there are; by rounds there is no last one, and this is how many were asked for.
    pub fn len(&self) -> u64 {
        self.rounds.as_ref().map_or(self.total, |rounds| rounds.total)
    }

    /// Numbers the releases by rounds, this many of them.
    pub(crate) fn number_by_rounds(&mut self, total: u64) {
        self.rounds = Some(Rounds::new(self, total));
    }

    /// Rocks a round, if releases are numbered by rounds.
    pub(crate) fn round(&self) -> Option<u64> {
        self.rounds.as_ref().map(|rounds| rounds.size)
    }

    pub(crate) fn seed(&self) -> u64 {
        self.sources.seed
    }

    /// Places where rocks start.
    pub(crate) fn position_count(&self) -> usize {
        self.positions.len()
    }

    /// Whether any release carries a yearly frequency.
    pub(crate) fn has_frequency(&self) -> bool {
        let mut features = self.layers.iter().flat_map(|layer| &layer.features);
        features.any(|feature| feature.frequency_per_year_and_rock > 0.0)
    }

    /// Releases per year of each scenario: the sum over its features as the project states them; `None` without any.
    pub(crate) fn scenario_frequencies(&self) -> Vec<Option<f64>> {
        let mut sums = vec![0.0; self.scenarios.len()];
        self.layers.iter().for_each(|layer| sums[layer.scenario] += layer.releases_per_year);
        sums.into_iter().map(|sum| (sum > 0.0).then_some(sum)).collect()
    }

    /// Name of a release layer.
    pub(crate) fn layer_name(&self, layer: usize) -> &str {
        let (spec, features) = self.sources.layers[layer];
        spec.name.as_deref().unwrap_or(&features.name)
    }

    /// The number of the rock with this index.
    pub fn number(&self, index: u64) -> u64 {
        if self.rounds.is_some() {
            return index;
        }
        let (_, planned, position, rock) = self.planned(index);
        planned.first_number + position.number * planned.rocks_per_position + rock
    }

    /// The largest number a rock bears.
    pub fn last_number(&self) -> u64 {
        if self.rounds.is_some() {
            return self.len() - 1;
        }
        let all = self.layers.iter().flat_map(|layer| &layer.features);
        let last = all.filter(|feature| feature.rocks() > 0).map(|f| self.number(f.first_release + f.rocks() - 1));
        last.max().unwrap_or(0)
    }

    /// The index of the rock with this number.
    pub fn index_of(&self, number: u64) -> Option<u64> {
        if self.rounds.is_some() {
            return (number < self.len()).then_some(number);
        }
        let features: Vec<&FeaturePlan> = self.layers.iter().flat_map(|layer| &layer.features).collect();
        let planned = features[features.partition_point(|feature| feature.first_number <= number).checked_sub(1)?];
        let offset = number - planned.first_number;
        let positions = &self.positions[planned.first_position..planned.end_position];
        let wanted = offset / planned.rocks_per_position;
        let position = positions.binary_search_by_key(&wanted, |position| position.number).ok()? as u64;
        Some(planned.first_release + position * planned.rocks_per_position + offset % planned.rocks_per_position)
    }

    /// The release with this index.
    ///
    /// # Errors
    /// When there is no such index, or the drawn size makes no rock.
    pub fn get(&self, index: u64) -> Result<Release> {
        if index >= self.len() {
            return Err(Error::input(format!("there is no rock {index}: they are {}", self.len())));
        }
        let place = match &self.rounds {
            Some(rounds) => rounds.place(self, index),
            None => self.place(index),
        };
        let Place { layer: layer_index, position, half, ref draws, frequency_share } = place;
        let (number, layer) = (self.number(index), &self.layers[layer_index]);
        let (spec, features) = self.sources.layers[layer_index];
        let feature = &features.features[position.feature as usize];

        let mut rng = ChaCha8Rng::seed_from_u64(self.sources.seed);
        rng.set_stream(number);
        let weight = |i: usize| self.sources.rocks[layer.rocks[i]].0.weight;
        let kind = draw::weighted(layer.rocks.len(), weight, &mut draws.of(Dimension::Kind, &mut rng));
        let named = self.rock_of(spec, feature);
        let (rock_spec, shape) = &self.sources.rocks[named.unwrap_or(layer.rocks[kind])];
        let shape = shape.of_one(|| rng.random())?;
        let density = size::density(spec, rock_spec, feature, layer_index, &mut rng)?;
        let size = &mut draws.of(Dimension::Size, &mut rng);
        let rock = size::rock(spec, rock_spec, &shape, density, feature, layer_index, size)?;
        let frame = self.sources.surface.lattice().frame(position.x, position.y);
        let (surface, (x, y)) = (&self.sources.surface.seen_from(&frame), frame.local(position.x, position.y));
        let start = start::Place { surface, x, y }.start(spec, feature, &rock, layer_index, draws, &mut rng)?;
        let GroundSpec { scatter_mu, scatter_beta, scatter_kappa, scatter_epsilon, .. } = *self.sources.ground;
        let [mu, beta, kappa, epsilon] =
            [scatter_mu, scatter_beta, scatter_kappa, scatter_epsilon].map(|scatter| draw::factor(scatter, &mut rng));
        Ok(Release {
            number,
            layer: layer_index,
            feature: feature.id,
            position: [position.x, position.y],
            rock_name: rock_spec.name.clone().unwrap_or_else(|| shape.name.clone()),
            rock,
            frame,
            start,
            scale: GroundScale { mu, beta, kappa, epsilon, seed: rng.random() },
            frequency_per_year: layer.features[position.feature as usize].frequency_per_year_and_rock * frequency_share,
            scenario: layer.scenario,
            source_cell: position.cell,
            half,
            reach_weight: layer.features[position.feature as usize].reach_weight,
        })
    }

    /// Layer, feature and position of the rock with this index in the plain numbering, and which rock of the position it is.
    fn planned(&self, index: u64) -> (usize, &FeaturePlan, &Position, u64) {
        let layer = self.layers.partition_point(|layer| layer.first_release <= index) - 1;
        let LayerPlan { features, order, .. } = &self.layers[layer];
        let begun = order.partition_point(|&feature| features[feature as usize].first_release <= index);
        let planned = &features[order[begun - 1] as usize];
        let offset = index - planned.first_release;
        let position = &self.positions[planned.first_position + (offset / planned.rocks_per_position) as usize];
        (layer, planned, position, offset % planned.rocks_per_position)
    }

    /// Where a release of the plain numbering starts.
    fn place(&self, index: u64) -> Place {
        let (layer, _, position, _) = self.planned(index);
        Place { layer, position: *position, half: 0, draws: Draws::plain(), frequency_share: 1.0 }
    }
}

#[cfg(test)]
mod tests;
