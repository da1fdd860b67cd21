//! Numbers by rounds: each round starts rocks from every position, in the proportions the project states, so that any number of
//! whole rounds is a fair sample and more can follow.
//!
//! Release n is slot n mod R of round n / R. Rounds take turns in two halves of the run, which share no random number; within
//! each half random positions, sizes and orientations are spread by a scrambled Sobol sequence per feature ([`super::sobol`]).
//! Positions that are fixed (points, grids, cells) stay; random ones are taken anew for every rock.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::placement::Sampler;
use super::sobol::{Dimension, Draws};
use super::{POSITION_STREAM, Position, ReleasePlan};

/// Further tries for a random position that has no ground.
const TRIES: usize = 64;

#[derive(Debug, Clone)]
pub(super) struct Rounds {
    /// Rocks a round.
    pub size: u64,
    /// How many releases were asked for.
    pub total: u64,
    layers: Vec<LayerRound>,
}

#[derive(Debug, Clone)]
struct LayerRound {
    /// First slot of the layer in a round.
    first_slot: u64,
    /// Rocks from each position in a round.
    per_position: u64,
    /// What `rocks_per_position` is divided by.
    divisor: u64,
    /// By feature: its first position, how many it has, and where random ones come from.
    features: Vec<FeatureRound>,
}

#[derive(Debug, Clone)]
struct FeatureRound {
    first_position: usize,
    positions: u64,
    sampler: Option<Sampler>,
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
        let specs = plan.sources.layers.iter().map(|(spec, _)| u64::from(spec.rocks_per_position));
        let divisor = specs.fold(0, greatest_common_divisor).max(1);
        let mut size = 0;
        let mut layers = Vec::new();
        for (index, layer) in plan.layers.iter().enumerate() {
            let (spec, features) = plan.sources.layers[index];
            let end = plan.layers.get(index + 1).map_or(plan.positions.len(), |next| next.first_position);
            let per_position = u64::from(spec.rocks_per_position) / divisor;
            let own = &plan.positions[layer.first_position..end];
            let round = |(number, feature): (usize, &crate::geo::vector::Feature)| {
                let from = own.partition_point(|position| (position.feature as usize) < number);
                let to = own.partition_point(|position| position.feature as usize <= number);
                let sampler = Sampler::of(&feature.geometry, &spec.placement);
                FeatureRound { first_position: layer.first_position + from, positions: (to - from) as u64, sampler }
            };
            let features = features.features.iter().enumerate().map(round).collect();
            layers.push(LayerRound { first_slot: size, per_position, divisor, features });
            size += own.len() as u64 * per_position;
        }
        Self { size, total, layers }
    }

    pub(super) fn place(&self, plan: &ReleasePlan, number: u64) -> Place {
        let (round, slot) = (number / self.size, number % self.size);
        let half = (round % 2) as u8;
        // A layer without positions has no slot: the last of those that begin here has it.
        let layer = self.layers.partition_point(|layer| layer.first_slot <= slot) - 1;
        let own = &self.layers[layer];
        let within = slot - own.first_slot;
        let fixed = plan.positions[plan.layers[layer].first_position + (within / own.per_position) as usize];
        let feature = &own.features[fixed.feature as usize];
        // Every rock of the feature in this half has its own number.
        let in_round = within - (feature.first_position - plan.layers[layer].first_position) as u64 * own.per_position;
        let index = (round / 2) * feature.positions * own.per_position + in_round;
        let key = (layer as u64) << 32 | u64::from(fixed.feature);
        let draws = Draws::of_sequence(plan.sources.seed, key, half, index);
        let position = self.random(plan, feature, fixed, number, &draws).unwrap_or(fixed);
        Place { layer, position, half, draws, frequency_share: own.divisor as f64 }
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
            {
                return Some(Position { x, y, feature: fixed.feature, cell: (row * lattice.nx + column) as u32 });
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
