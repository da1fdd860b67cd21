//! Numbers by rounds: each round starts rocks from every position, in the proportions the project states, so that any number of
//! whole rounds is a fair sample and more can follow.
//!
//! Release n is slot n mod R of round n / R. Rounds take turns in two halves of the run, which share no random number; within
//! each half random positions, sizes and orientations are spread by a scrambled Sobol sequence per feature ([`super::sobol`]).
//! Positions that are fixed (points, grids, cells) stay; random ones are taken anew for every rock.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::placement::{Sampler, is_steep};
use super::planning::POSITION_STREAM;
use super::sobol::{Dimension, Draws};
use super::{Position, ReleasePlan};

/// Further tries for a random position that has no ground, or is too flat.
const TRIES: usize = 64;

#[derive(Debug, Clone)]
pub(super) struct Rounds {
    /// Rocks a round.
    pub size: u64,
    /// How many releases were asked for.
    pub total: u64,
    /// What `rocks_per_position` is divided by, everywhere.
    divisor: u64,
    layers: Vec<LayerRound>,
}

#[derive(Debug, Clone)]
struct LayerRound {
    /// First slot of the layer in a round.
    first_slot: u64,
    /// In the layer's order.
    features: Vec<FeatureRound>,
}

#[derive(Debug, Clone)]
struct FeatureRound {
    /// First slot of the feature in a round, and how many it has.
    first_slot: u64,
    slots: u64,
    first_position: usize,
    /// Rocks from each position in a round.
    per_position: u64,
    /// Where random positions come from.
    sampler: Option<Sampler>,
    /// Flatter places release nothing, degrees.
    min_slope_deg: Option<f64>,
}

/// Where a release starts, and where its random numbers come from.
pub(super) struct Place {
    pub layer: usize,
    pub position: Position,
    pub half: u8,
    pub draws: Draws,
    /// What a rock of a round stands for, beside one of the plain numbering.
    pub frequency_share: f64,
}

impl Rounds {
    pub(super) fn new(plan: &ReleasePlan, total: u64) -> Self {
        let counts = plan.layers.iter().flat_map(|layer| &layer.features).map(|feature| feature.rocks_per_position);
        let divisor = counts.fold(0, greatest_common_divisor).max(1);
        // Where the positions of a feature end: where those of the next one begin, in this layer or a later one.
        let firsts = plan.layers.iter().flat_map(|layer| &layer.features).map(|feature| feature.first_position);
        let mut ends = firsts.skip(1).chain([plan.positions.len()]);
        let mut size = 0;
        let mut layers = Vec::new();
        for (layer, (spec, features)) in plan.layers.iter().zip(&plan.sources.layers) {
            let first_slot = size;
            let mut rounds = Vec::new();
            for (planned, feature) in layer.features.iter().zip(&features.features) {
                let end = ends.next().unwrap_or(planned.first_position);
                let per_position = planned.rocks_per_position / divisor;
                let slots = (end - planned.first_position) as u64 * per_position;
                rounds.push(FeatureRound {
                    first_slot: size,
                    slots,
                    first_position: planned.first_position,
                    per_position,
                    sampler: Sampler::of(&feature.geometry, &spec.placement),
                    min_slope_deg: spec.min_slope_deg,
                });
                size += slots;
            }
            layers.push(LayerRound { first_slot, features: rounds });
        }
        Self { size, total, divisor, layers }
    }

    pub(super) fn place(&self, plan: &ReleasePlan, number: u64) -> Place {
        let (round, slot) = (number / self.size, number % self.size);
        let half = (round % 2) as u8;
        // What has no position has no slot: the last of those that begin here has it.
        let layer = self.layers.partition_point(|layer| layer.first_slot <= slot) - 1;
        let features = &self.layers[layer].features;
        let feature = &features[features.partition_point(|feature| feature.first_slot <= slot) - 1];
        let within = slot - feature.first_slot;
        let fixed = plan.positions[feature.first_position + (within / feature.per_position) as usize];
        // Every rock of the feature in this half has its own number.
        let index = (round / 2) * feature.slots + within;
        let key = (layer as u64) << 32 | u64::from(fixed.feature);
        let draws = Draws::of_sequence(plan.sources.seed, key, half, index);
        let position = self.random(plan, feature, fixed, number, &draws).unwrap_or(fixed);
        Place { layer, position, half, draws, frequency_share: self.divisor as f64 }
    }

    /// A random position with ground below it; `None` where positions are fixed or there is none.
    fn random(
        &self,
        plan: &ReleasePlan,
        feature: &FeatureRound,
        fixed: Position,
        number: u64,
        draws: &Draws,
    ) -> Option<Position> {
        let sampler = feature.sampler.as_ref()?;
        let surface = plan.sources.surface;
        let lattice = surface.lattice();
        let mut rng = ChaCha8Rng::seed_from_u64(plan.sources.seed);
        rng.set_stream(POSITION_STREAM | number);
        let [u, v] = draws.position(&mut rng);
        let mut at = sampler.point(u, v);
        for _ in 0..TRIES {
            let (x, y) = at?;
            if surface.height(x - lattice.x0, y - lattice.y0).is_some()
                && let Some((column, row)) = lattice.cell_at(x, y)
                && feature.min_slope_deg.is_none_or(|least| is_steep(surface, column, row, least))
            {
                let cell = (row * lattice.nx + column) as u64;
                return Some(Position { x, y, cell, ..fixed });
            }
            at = sampler.point(rng.random(), rng.random());
        }
        None
    }
}

impl Draws {
    fn position(&self, rng: &mut ChaCha8Rng) -> [f64; 2] {
        let mut draws = self.of(Dimension::Position, rng);
        [draws.random(), draws.random()]
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
