//! Which rock starts, and how large it is.

use rand::Rng;

use super::{ReleasePlan, draw};
use crate::geo::vector::Feature;
use crate::project::file::{Quantity, ReleaseSpec, RockSpec};
use crate::project::limits;
use crate::rock::{Rock, Shape};
use crate::{Error, Result};

impl ReleasePlan<'_> {
    /// The rock a feature names, as an index of all rocks; `None` if the release draws from its rocks.
    pub(super) fn rock_of(&self, spec: &ReleaseSpec, feature: &Feature) -> Option<usize> {
        let name = feature.attributes.get(&spec.rock.as_ref()?.attribute)?.as_text()?;
        self.sources.rocks.iter().position(|(rock, _)| rock.name.as_deref() == Some(name.trim()))
    }

    /// The smallest rock of each kind must be one: a size too small for the arithmetic would end the run half-way.
    pub(super) fn check_sizes(&self, index: usize, rocks: &[usize]) -> Result<()> {
        let (spec, layer) = self.sources.layers[index];
        for feature in &layer.features {
            let named = self.rock_of(spec, feature);
            let rocks = named.as_ref().map_or(rocks, std::slice::from_ref);
            for (rock, shape) in rocks.iter().map(|&i| &self.sources.rocks[i]) {
                let smallest = |quantity: &Quantity| draw::smallest(quantity, feature);
                let own = spec.density_kg_m3.as_ref().and_then(smallest);
                let density = own.unwrap_or(rock.density_kg_m3);
                let mass = spec.mass_kg.as_ref().or(rock.mass_kg.as_ref().filter(|_| spec.volume_m3.is_none()));
                if let Some(mass) = mass.and_then(smallest) {
                    match rock.axes_m.filter(|_| spec.mass_kg.is_none()) {
                        Some(axes) => expect_possible_density(rock, shape, axes, mass)?,
                        None => drop(shape.with_mass(mass, density)?),
                    }
                } else if let Some(volume) = spec.volume_m3.as_ref().or(rock.volume_m3.as_ref()).and_then(smallest) {
                    shape.with_volume(volume, density)?;
                }
            }
        }
        Ok(())
    }
}

/// The release's own density comes before the rock's.
pub(super) fn density(
    spec: &ReleaseSpec,
    rock: &RockSpec,
    feature: &Feature,
    layer: usize,
    rng: &mut impl Rng,
) -> Result<f64> {
    let Some(density) = &spec.density_kg_m3 else { return Ok(rock.density_kg_m3) };
    draw::quantity(density, feature, &format!("release[{layer}].density_kg_m3"), rng)
}

/// The release's own size comes before the rock's; a rock without any keeps the size of its points.
pub(super) fn rock(
    spec: &ReleaseSpec,
    rock: &RockSpec,
    shape: &Shape,
    density: f64,
    feature: &Feature,
    layer: usize,
    rng: &mut impl Rng,
) -> Result<Rock> {
    let of_release = |name: &str| format!("release[{layer}].{name}");
    let of_rock = |name: &str| format!("rocks ({}).{name}", rock.name.as_deref().unwrap_or(&shape.name));
    if let Some(mass) = &spec.mass_kg {
        return shape.with_mass(draw::quantity(mass, feature, &of_release("mass_kg"), rng)?, density);
    }
    if let Some(volume) = &spec.volume_m3 {
        return shape.with_volume(draw::quantity(volume, feature, &of_release("volume_m3"), rng)?, density);
    }
    if let Some(mass) = &rock.mass_kg {
        let mass = draw::quantity(mass, feature, &of_rock("mass_kg"), rng)?;
        return match rock.axes_m {
            Some(axes) => shape.with_axes_and_mass(axes, mass),
            None => shape.with_mass(mass, density),
        };
    }
    if let Some(volume) = &rock.volume_m3 {
        return shape.with_volume(draw::quantity(volume, feature, &of_rock("volume_m3"), rng)?, density);
    }
    match rock.axes_m {
        Some(axes) => shape.with_axes(axes, density),
        None => shape.as_given(density),
    }
}

/// The density follows from both: no rock is as heavy as slipped units make it.
fn expect_possible_density(rock: &RockSpec, shape: &Shape, axes_m: [f64; 3], mass_kg: f64) -> Result<()> {
    let density = mass_kg / shape.with_axes(axes_m, 1.0)?.volume_m3;
    let Some(limits) = limits::of("RockSpec", "density_kg_m3").filter(|limits| !limits.allow(density)) else {
        return Ok(());
    };
    let ([a, b, c], name) = (axes_m, rock.name.as_deref().unwrap_or(&shape.name));
    Err(Error::input(format!(
        "rocks ({name}).mass_kg: {mass_kg} kg in {a} × {b} × {c} m make a density of {density:.0} kg/m³, expected {}; look through mass_kg \
         and axes_m",
        limits.expectation()
    )))
}
