//! From release layers to numbered releases: positions drawn, rocks counted, features put in order.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::found::{self, Found};
use super::placement::{self, TooMany};
use super::{FeaturePlan, LayerPlan, Position, ReleasePlan, Sources, draw, order, stretch};
use crate::geo::vector::Feature;
use crate::process::memory;
use crate::project::file::{Quantity, ReleaseSpec, RockCount, RockSpec};
use crate::project::limits;
use crate::{Error, Note, Result};

/// Streams of random positions lie above those of trajectories.
pub(super) const POSITION_STREAM: u64 = 1 << 63;

/// Memory a position takes while it is drawn and put in order, at most.
const POSITION_BYTES: u64 = 100;

/// Plans every release; draws the random positions.
///
/// # Errors
/// When nothing would be released, or a feature lacks its frequency.
pub(crate) fn plan(sources: Sources<'_>) -> Result<ReleasePlan<'_>> {
    let mut plan = ReleasePlan {
        sources,
        positions: Vec::new(),
        layers: Vec::new(),
        total: 0,
        rounds: None,
        numbers: 0,
        scenarios: Vec::new(),
        warnings: Vec::new(),
    };
    let fitting = memory::available().map_or(u64::MAX, |available| available.bytes / POSITION_BYTES);
    for index in 0..plan.sources.layers.len() {
        plan.add_layer(index, fitting)?;
    }
    plan.weigh();
    if plan.total == 0 {
        return Err(Error::input(format!(
            "no rock would be released: {}; change `placement`, `rocks_per_position` or the layers under `release`",
            if plan.warnings.is_empty() {
                "there is no release position".to_string()
            } else {
                plan.warnings.iter().map(Note::to_string).collect::<Vec<_>>().join("; ")
            }
        )));
    }
    Ok(plan)
}

impl ReleasePlan<'_> {
    /// Weighs the rocks of every feature, scenario by scenario.
    fn weigh(&mut self) {
        for scenario in 0..self.scenarios.len() {
            let of_scenario: Vec<usize> =
                (0..self.layers.len()).filter(|&layer| self.layers[layer].scenario == scenario).collect();
            let mut features = Vec::new();
            for &layer in &of_scenario {
                let rocks = self.layers[layer].features.iter().map(FeaturePlan::rocks);
                features.extend(self.sources.layers[layer].1.features.iter().zip(rocks));
            }
            let mut weights = stretch::weights(&features).into_iter();
            for &layer in &of_scenario {
                self.layers[layer]
                    .features
                    .iter_mut()
                    .zip(&mut weights)
                    .for_each(|(f, weight)| f.reach_weight = weight);
            }
        }
    }

    /// Memory has room for `fitting` positions in all.
    fn add_layer(&mut self, index: usize, fitting: u64) -> Result<()> {
        let (spec, layer) = self.sources.layers[index];
        let (first_position, first_release) = (self.positions.len(), self.total);
        let mut features = Vec::with_capacity(layer.features.len());
        let (mut without_ground, mut releases_per_year) = (0usize, 0.0);
        let key = self.sources.keys.get(index).copied().flatten();
        let known = key.and_then(|key| found::known(key, layer.features.len()));
        let (is_known, mut known) = (known.is_some(), known.unwrap_or_default().into_iter());
        let mut all_found = Vec::new();
        for (number, feature) in layer.features.iter().enumerate() {
            let (first_number, before) = (self.numbers, self.positions.len());
            let found = self.positions_of(index, number, known.next(), fitting)?;
            self.add_positions(number, &found);
            let rocks_per_position = count(&spec.rocks_per_position, feature, index)?;
            self.numbers += found.all * rocks_per_position;
            without_ground += found.without_ground as usize;
            if key.is_some() && !is_known {
                all_found.push(found);
            }
            let rocks = ((self.positions.len() - before) as u64 * rocks_per_position) as f64;
            let per_year = match &spec.frequency_per_year {
                Some(yearly) if rocks > 0.0 => feature_frequency(yearly, feature, index)?,
                _ => 0.0,
            };
            releases_per_year += per_year;
            features.push(FeaturePlan {
                first_release: 0,
                first_number,
                first_position: before,
                end_position: self.positions.len(),
                rocks_per_position,
                frequency_per_year_and_rock: if rocks > 0.0 { per_year / rocks } else { 0.0 },
                reach_weight: 1.0,
            });
        }
        if let Some(key) = key.filter(|_| !is_known) {
            found::note(key, &all_found);
        }
        let order = order::along_curve(layer.features.iter().map(|feature| &feature.geometry));
        for &number in &order {
            let feature = &mut features[number as usize];
            feature.first_release = self.total;
            self.total += feature.rocks();
        }
        let (release, name) = (index, spec.name.as_deref().unwrap_or(&layer.name));
        if without_ground > 0 {
            let (layer, positions) = (name.to_string(), without_ground);
            self.warnings.push(Note::PositionsWithoutGround { release, layer, positions });
        }
        if self.positions.len() == first_position {
            self.warnings.push(Note::NoPositions { release, layer: name.to_string() });
        }
        let scenario = self.scenario(spec);
        let rocks = self.rocks_named(spec, index)?;
        self.check_sizes(index, &rocks)?;
        self.layers.push(LayerPlan { first_release, scenario, rocks, features, order, releases_per_year });
        Ok(())
    }

    /// The positions of a feature where rocks can start, as they are known or as they are found now.
    fn positions_of(&self, index: usize, number: usize, known: Option<Found>, fitting: u64) -> Result<Found> {
        let (spec, layer) = self.sources.layers[index];
        let (feature, surface) = (&layer.features[number], self.sources.surface);
        let lattice = *surface.lattice();
        let before = self.positions.len() as u64;
        let room = limits::MOST_POSITIONS.min(fitting).saturating_sub(before);
        let too_many = |TooMany(wanted)| too_many(index, feature, before as f64 + wanted, fitting);
        if let Some(known) = known {
            let count = known.positions.len() as u64;
            return if count <= room { Ok(known) } else { Err(too_many(TooMany(count as f64))) };
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.sources.seed);
        rng.set_stream(POSITION_STREAM | (index as u64) << 32 | number as u64);
        let placed = placement::positions(&feature.geometry, &spec.placement, surface, &mut rng, room);
        let placed = placed.map_err(too_many)?;
        let is_flat = |column: usize, row: usize| {
            spec.min_slope_deg.is_some_and(|least| !placement::is_steep(surface, column, row, least))
        };
        let mut found = Found { all: placed.all, ..Found::default() };
        found.positions.reserve(placed.positions.len());
        for (number, x, y) in placed.positions {
            let has_ground = surface.height(x - lattice.x0, y - lattice.y0).is_some();
            match lattice.cell_at(x, y).filter(|_| has_ground) {
                Some((column, row)) if is_flat(column, row) => {}
                Some(_) => found.positions.push((number, x, y)),
                None => found.without_ground += 1,
            }
        }
        Ok(found)
    }

    /// Adds the positions of a feature.
    fn add_positions(&mut self, feature: usize, found: &Found) {
        let lattice = *self.sources.surface.lattice();
        self.positions.reserve(found.positions.len());
        for &(number, x, y) in &found.positions {
            if let Some((column, row)) = lattice.cell_at(x, y) {
                let cell = (row * lattice.nx + column) as u64;
                self.positions.push(Position { x, y, number, feature: feature as u32, cell });
            }
        }
    }

    /// The number of a release's scenario.
    fn scenario(&mut self, spec: &ReleaseSpec) -> usize {
        self.scenarios.iter().position(|known| *known == spec.scenario).unwrap_or_else(|| {
            self.scenarios.push(spec.scenario.clone());
            self.scenarios.len() - 1
        })
    }

    /// The rocks that start from a release layer, as indices of the project's.
    fn rocks_named(&self, spec: &ReleaseSpec, index: usize) -> Result<Vec<usize>> {
        let named = |rock: &RockSpec| match (&spec.rocks, &rock.name) {
            (None, _) => true,
            (Some(names), Some(name)) => names.contains(name),
            (Some(_), None) => false,
        };
        let listed = self.sources.rocks.iter().take(self.sources.listed).enumerate();
        let rocks: Vec<usize> = listed.filter(|(_, (rock, _))| named(rock)).map(|(i, _)| i).collect();
        if rocks.is_empty() {
            return Err(Error::input(format!("release[{index}].rocks: none of these names is a rock under `rocks`")));
        }
        Ok(rocks)
    }
}

/// Rocks from each position of a feature.
fn count(rocks: &RockCount, feature: &Feature, layer: usize) -> Result<u64> {
    match rocks {
        RockCount::Constant(count) => Ok(u64::from(*count)),
        RockCount::Attribute(spec) => {
            let value = feature.attributes.get(&spec.attribute).and_then(|value| value.as_f64());
            let whole = value.filter(|value| *value >= 1.0 && *value <= 1e9 && value.fract() == 0.0);
            whole.map(|value| value as u64).ok_or_else(|| {
                Error::input(format!(
                    "release[{layer}].rocks_per_position: release feature {} has {} in attribute {:?}, expected a whole number \
                     from 1 to 1000000000; mend it in the layer",
                    feature.id,
                    draw::shown(feature, &spec.attribute),
                    spec.attribute
                ))
            })
        }
    }
}

fn too_many(layer: usize, feature: &Feature, wanted: f64, fitting: u64) -> Error {
    let most = limits::MOST_POSITIONS;
    let expected = match fitting < most && wanted <= most as f64 {
        true => format!("but memory can be had for {fitting} of them here"),
        false => format!("expected at most {most} in all"),
    };
    let wanted = if wanted < 1e15 { format!("{wanted:.0}") } else { format!("{wanted:.0e}") };
    Error::input(format!(
        "release[{layer}].placement: with feature {} the project has {wanted} release positions, {expected}; place fewer and let \
         several rocks start from each (`rocks_per_position`)",
        feature.id
    ))
}

/// A feature's releases per year: a number, not a draw per rock.
fn feature_frequency(yearly: &Quantity, feature: &Feature, layer: usize) -> Result<f64> {
    let key = format!("release[{layer}].frequency_per_year");
    if matches!(yearly, Quantity::Distribution(_)) {
        return Err(Error::input(format!("{key}: found a distribution, expected a number or an attribute")));
    }
    draw::quantity(yearly, feature, &key, &mut ChaCha8Rng::seed_from_u64(0))
}
