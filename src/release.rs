//! Polygons, lines and points plus a seed become numbered releases; release k depends only on (seed, k).
//!
//! Numbers run through the release layers in the project's order, then features, positions, and rocks per position. Random
//! positions come from a stream per feature, everything else of release k from stream k.
//!
//! Numbered by rounds ([`rounds`]) there is no last release: every round starts rocks from all positions, so that rocks can be
//! added until a map has settled and the earlier ones stay what they are.

pub(crate) mod draw;
pub(crate) mod placement;
pub(crate) mod polygon;
pub(crate) mod rounds;
pub(crate) mod sobol;
pub(crate) mod strips;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::geo::vector::{Feature, VectorLayer};
use crate::project::file::{Direction, GroundSpec, Orientation, Quantity, ReleaseSpec, RockSpec};
use crate::project::limits;
use crate::rock::{Rock, Shape};
use crate::terrain::{GroundScale, Surface};
use crate::trajectory::Start;
use crate::{Error, Note, Result};
use placement::TooMany;
use rounds::{Place, Rounds};
use sobol::{Dimension, Draws};
use strips::Strips;

/// Streams of random positions lie above those of trajectories.
const POSITION_STREAM: u64 = 1 << 63;

/// What releases are planned from.
#[derive(Debug, Clone)]
pub(crate) struct Sources<'a> {
    pub surface: &'a Surface,
    pub layers: Vec<(&'a ReleaseSpec, &'a VectorLayer)>,
    pub rocks: &'a [(RockSpec, Shape)],
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
    /// The release area cut into strips.
    strips: Strips,
    /// Names of the scenarios, in order of first appearance; `None` for releases that name none.
    pub scenarios: Vec<Option<String>>,
    pub warnings: Vec<Note>,
}

#[derive(Debug, Clone)]
struct LayerPlan {
    first_release: u64,
    first_position: usize,
    scenario: usize,
    /// Rocks that start here, as indices of the project's.
    rocks: Vec<usize>,
    /// Frequency per year and rock, by feature.
    frequency: Vec<f64>,
    /// Sum over the features that release rocks.
    releases_per_year: f64,
}

/// A place where rocks start, world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Position {
    x: f64,
    y: f64,
    feature: u32,
    cell: u32,
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
    pub start: Start,
    pub scale: GroundScale,
    /// What this rock stands for; 0 if the release has no frequency.
    pub frequency_per_year: f64,
    /// Index into [`ReleasePlan::scenarios`].
    pub scenario: usize,
    /// Raster cell of the position (row · nx + column).
    pub source_cell: u32,
    /// Which of two independent halves of the run it belongs to: 0, or 1 in every other round.
    pub half: u8,
    /// The strip of the release area it starts from, see [`strips`].
    pub strip: u8,
}

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
        strips: Strips::default(),
        scenarios: Vec::new(),
        warnings: Vec::new(),
    };
    plan.strips = Strips::around(plan.sources.layers.iter().flat_map(|(_, layer)| &layer.features));
    for index in 0..plan.sources.layers.len() {
        plan.add_layer(index)?;
    }
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
        self.layers.iter().any(|layer| layer.frequency.iter().any(|&frequency| frequency > 0.0))
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

    fn add_layer(&mut self, index: usize) -> Result<()> {
        let (spec, layer) = self.sources.layers[index];
        let surface = self.sources.surface;
        let lattice = *surface.lattice();
        let first_position = self.positions.len();
        let mut frequency = Vec::with_capacity(layer.features.len());
        let (mut without_ground, mut releases_per_year) = (0usize, 0.0);
        for (number, feature) in layer.features.iter().enumerate() {
            let mut rng = ChaCha8Rng::seed_from_u64(self.sources.seed);
            rng.set_stream(POSITION_STREAM | (index as u64) << 32 | number as u64);
            let before = self.positions.len();
            let room = limits::MOST_POSITIONS - before as u64;
            let found = placement::positions(&feature.geometry, &spec.placement, surface, &mut rng, room)
                .map_err(|TooMany(wanted)| too_many(index, feature, before as f64 + wanted))?;
            for (x, y) in found {
                let has_ground = surface.height(x - lattice.x0, y - lattice.y0).is_some();
                match lattice.cell_at(x, y).filter(|_| has_ground) {
                    Some((column, row))
                        if spec
                            .min_slope_deg
                            .is_some_and(|least| !placement::is_steep(surface, column, row, least)) => {}
                    Some((column, row)) => {
                        let cell = (row * lattice.nx + column) as u32;
                        self.positions.push(Position { x, y, feature: number as u32, cell });
                    }
                    None => without_ground += 1,
                }
            }
            let rocks = (self.positions.len() - before) as f64 * f64::from(spec.rocks_per_position);
            let per_year = match &spec.frequency_per_year {
                Some(yearly) if rocks > 0.0 => feature_frequency(yearly, feature, index)?,
                _ => 0.0,
            };
            releases_per_year += per_year;
            frequency.push(if rocks > 0.0 { per_year / rocks } else { 0.0 });
        }
        let name = spec.name.as_deref().unwrap_or(&layer.name);
        if without_ground > 0 {
            self.warnings.push(Note::PositionsWithoutGround {
                release: index,
                layer: name.to_string(),
                positions: without_ground,
            });
        }
        if self.positions.len() == first_position {
            self.warnings.push(Note::NoPositions { release: index, layer: name.to_string() });
        }
        let scenario = self.scenarios.iter().position(|known| *known == spec.scenario).unwrap_or_else(|| {
            self.scenarios.push(spec.scenario.clone());
            self.scenarios.len() - 1
        });
        let named = |rock: &RockSpec| match (&spec.rocks, &rock.name) {
            (None, _) => true,
            (Some(names), Some(name)) => names.contains(name),
            (Some(_), None) => false,
        };
        let rocks: Vec<usize> =
            self.sources.rocks.iter().enumerate().filter(|(_, (rock, _))| named(rock)).map(|(i, _)| i).collect();
        if rocks.is_empty() {
            return Err(Error::input(format!("release[{index}].rocks: none of these names is a rock under `rocks`")));
        }
        self.check_sizes(index, &rocks)?;
        let first_release = self.total;
        self.layers.push(LayerPlan { first_release, first_position, scenario, rocks, frequency, releases_per_year });
        self.total += (self.positions.len() - first_position) as u64 * u64::from(spec.rocks_per_position);
        Ok(())
    }

    /// The smallest rock of each kind must be one: a size too small for the arithmetic would end the run half-way.
    fn check_sizes(&self, index: usize, rocks: &[usize]) -> Result<()> {
        let (spec, layer) = self.sources.layers[index];
        for (rock, shape) in rocks.iter().map(|&i| &self.sources.rocks[i]) {
            let density = rock.density_kg_m3;
            for feature in &layer.features {
                let smallest = |quantity: &Quantity| draw::smallest(quantity, feature);
                let mass = spec.mass_kg.as_ref().or(rock.mass_kg.as_ref().filter(|_| spec.volume_m3.is_none()));
                if let Some(mass) = mass.and_then(smallest) {
                    shape.with_mass(mass, density)?;
                } else if let Some(volume) = spec.volume_m3.as_ref().or(rock.volume_m3.as_ref()).and_then(smallest) {
                    shape.with_volume(volume, density)?;
                }
            }
        }
        Ok(())
    }

    /// The release with this number.
    ///
    /// # Errors
    /// When there is no such number, or the drawn size makes no rock.
    pub fn get(&self, number: u64) -> Result<Release> {
        if number >= self.len() {
            return Err(Error::input(format!("there is no release {number}: they run from 0 to {}", self.len() - 1)));
        }
        let place = match &self.rounds {
            Some(rounds) => rounds.place(self, number),
            None => self.place(number),
        };
        let Place { layer: layer_index, position, half, ref draws, frequency_share } = place;
        let layer = &self.layers[layer_index];
        let (spec, features) = self.sources.layers[layer_index];
        let feature = &features.features[position.feature as usize];

        let mut rng = ChaCha8Rng::seed_from_u64(self.sources.seed);
        rng.set_stream(number);
        let key = |name: &str| format!("release[{layer_index}].{name}");
        let weight = |i: usize| self.sources.rocks[layer.rocks[i]].0.weight;
        let (rock_spec, shape) = &self.sources.rocks
            [layer.rocks[draw::weighted(layer.rocks.len(), weight, &mut draws.of(Dimension::Kind, &mut rng))]];
        let shape = shape.of_one(|| rng.random())?;
        let rock =
            self.rock(spec, rock_spec, &shape, feature, layer_index, &mut draws.of(Dimension::Size, &mut rng))?;
        let drawn =
            |name: &str, quantity: &Quantity, rng: &mut ChaCha8Rng| draw::quantity(quantity, feature, &key(name), rng);
        let height_m = drawn("height_m", &spec.height_m, &mut rng)?;
        let speed_m_s = drawn("speed_m_s", &spec.speed_m_s, &mut rng)?;
        let spin_rps = drawn("spin_rps", &spec.spin_rps, &mut rng)?;
        let random_orientation = draw::orientation(&mut draws.of(Dimension::Orientation, &mut rng));
        let orientation = match spec.orientation {
            Orientation::Random => random_orientation,
            Orientation::Quaternion([w, x, y, z]) => UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)),
        };
        let omega = draw::direction(&mut rng) * (spin_rps * std::f64::consts::TAU);
        let GroundSpec { scatter_mu, scatter_beta, scatter_kappa, scatter_epsilon, .. } = *self.sources.ground;
        let [mu, beta, kappa, epsilon] =
            [scatter_mu, scatter_beta, scatter_kappa, scatter_epsilon].map(|scatter| draw::factor(scatter, &mut rng));

        let surface = self.sources.surface;
        let (x, y) = (position.x - surface.lattice().x0, position.y - surface.lattice().y0);
        let z = resting_height(surface, &rock, &orientation, x, y) + height_m;
        let velocity = direction(&spec.direction, surface, x, y) * speed_m_s;
        let start = Start { position: Vector3::new(x, y, z), orientation, velocity, omega };
        Ok(Release {
            number,
            layer: layer_index,
            feature: feature.id,
            position: [position.x, position.y],
            rock_name: rock_spec.name.clone().unwrap_or_else(|| shape.name.clone()),
            rock,
            start,
            scale: GroundScale { mu, beta, kappa, epsilon, seed: rng.random() },
            frequency_per_year: layer.frequency[position.feature as usize] * frequency_share,
            scenario: layer.scenario,
            source_cell: position.cell,
            half,
            strip: self.strips.of(position.x, position.y),
        })
    }

    /// Where a release of the plain numbering starts.
    fn place(&self, number: u64) -> Place {
        let layer = self.layers.partition_point(|layer| layer.first_release <= number) - 1;
        let LayerPlan { first_release, first_position, .. } = self.layers[layer];
        let offset = (number - first_release) / u64::from(self.sources.layers[layer].0.rocks_per_position);
        let position = self.positions[first_position + offset as usize];
        Place { layer, position, half: 0, draws: Draws::plain(), frequency_share: 1.0 }
    }

    /// The release's own size comes before the rock's; a rock without any keeps the size of its points.
    fn rock(
        &self,
        spec: &ReleaseSpec,
        rock: &RockSpec,
        shape: &Shape,
        feature: &Feature,
        layer: usize,
        rng: &mut impl Rng,
    ) -> Result<Rock> {
        let density = rock.density_kg_m3;
        let of_release = |name: &str| format!("release[{layer}].{name}");
        let of_rock = |name: &str| format!("rocks ({}).{name}", rock.name.as_deref().unwrap_or(&shape.name));
        if let Some(mass) = &spec.mass_kg {
            return shape.with_mass(draw::quantity(mass, feature, &of_release("mass_kg"), rng)?, density);
        }
        if let Some(volume) = &spec.volume_m3 {
            return shape.with_volume(draw::quantity(volume, feature, &of_release("volume_m3"), rng)?, density);
        }
        if let Some(mass) = &rock.mass_kg {
            return shape.with_mass(draw::quantity(mass, feature, &of_rock("mass_kg"), rng)?, density);
        }
        if let Some(volume) = &rock.volume_m3 {
            return shape.with_volume(draw::quantity(volume, feature, &of_rock("volume_m3"), rng)?, density);
        }
        match rock.axes_m {
            Some(axes) => shape.with_axes(axes, density),
            None => shape.as_given(density),
        }
    }
}

fn too_many(layer: usize, feature: &Feature, wanted: f64) -> Error {
    let wanted = if wanted < 1e15 { format!("{wanted:.0}") } else { format!("{wanted:.0e}") };
    Error::input(format!(
        "release[{layer}].placement: with feature {} the project has {wanted} release positions, expected at most {} in all;          place fewer and let several rocks start from each (`rocks_per_position`)",
        feature.id,
        limits::MOST_POSITIONS
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

/// Height of the centre of mass at which the rock's lowest point touches the ground, m.
fn resting_height(surface: &Surface, rock: &Rock, orientation: &UnitQuaternion<f64>, x: f64, y: f64) -> f64 {
    let spot = surface.spot(x, y);
    let ground = spot.map_or(0.0, |spot| spot.height);
    if let Some(radius) = rock.sphere_radius {
        // Vertical distance from the centre of a sphere that touches a plane.
        return ground + radius / spot.map_or(1.0, |spot| spot.normal().z);
    }
    let needed = rock.vertices.iter().filter_map(|vertex| {
        let corner = orientation * vertex;
        surface.height(x + corner.x, y + corner.y).map(|height| height - corner.z)
    });
    needed.reduce(f64::max).unwrap_or(ground + rock.bounding_radius)
}

/// Unit vector; on level ground there is no downslope, and the rock starts eastwards.
fn direction(direction: &Direction, surface: &Surface, x: f64, y: f64) -> Vector3<f64> {
    match direction {
        Direction::Downslope => surface.spot(x, y).and_then(|spot| spot.downslope()).unwrap_or(Vector3::x()),
        Direction::AzimuthDeg(azimuth) => {
            let angle = azimuth.to_radians();
            Vector3::new(angle.sin(), angle.cos(), 0.0)
        }
        Direction::Vector(vector) => Vector3::from(*vector).try_normalize(0.0).unwrap_or(Vector3::zeros()),
    }
}

#[cfg(test)]
mod tests;
