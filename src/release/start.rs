//! How a rock starts: height, orientation, velocity, spin.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rand_chacha::ChaCha8Rng;

use super::draw;
use super::sobol::{Dimension, Draws};
use crate::geo::vector::Feature;
use crate::math;
use crate::project::file::{Direction, Orientation, Quantity, QuaternionQuantity, ReleaseSpec, VectorQuantity};
use crate::rock::Rock;
use crate::terrain::Surface;
use crate::trajectory::Start;
use crate::{Error, Result};

/// Where it starts, local coordinates.
pub(super) struct Place<'a> {
    pub surface: &'a Surface,
    pub x: f64,
    pub y: f64,
}

impl Place<'_> {
    /// The draws come in a fixed order, needed or not: a key that fixes one does not change the others.
    pub(crate) fn start(
        &self,
        spec: &ReleaseSpec,
        feature: &Feature,
        rock: &Rock,
        layer: usize,
        draws: &Draws,
        rng: &mut ChaCha8Rng,
    ) -> Result<Start> {
        let key = |name: &str| format!("release[{layer}].{name}");
        let drawn =
            |name: &str, quantity: &Quantity, rng: &mut ChaCha8Rng| draw::quantity(quantity, feature, &key(name), rng);
        let height_m = drawn("height_m", &spec.height_m, rng)?;
        let speed_m_s = drawn("speed_m_s", &spec.speed_m_s, rng)?;
        let spin_rps = drawn("spin_rps", &spec.spin_rps, rng)?;
        let random_orientation = draw::orientation(&mut draws.of(Dimension::Orientation, rng));
        let orientation = match &spec.orientation {
            Orientation::Random => random_orientation,
            Orientation::Quaternion(given) => {
                let [w, x, y, z] = match given {
                    QuaternionQuantity::Constant(numbers) => *numbers,
                    QuaternionQuantity::Attributes(list) => {
                        numbers(&list.attributes, feature, &key("orientation.quaternion"))?
                    }
                };
                let given = Quaternion::new(w, x, y, z);
                if given.norm() == 0.0 {
                    return Err(no_direction(feature, &key("orientation.quaternion"), "a quaternion"));
                }
                // Of the frame the shape was given in, whatever its principal axes are.
                UnitQuaternion::new_normalize(given) * rock.axes_in_body
            }
        };
        let random_axis = draw::direction(rng);
        let vector = |name: &str, given: &VectorQuantity| match given {
            VectorQuantity::Constant(numbers) => Ok(Vector3::from(*numbers)),
            VectorQuantity::Attributes(list) => numbers(&list.attributes, feature, &key(name)).map(Vector3::from),
        };
        // The axis is given in the inertial frame, the body's spin in that of its principal axes.
        let axis = match &spec.spin_axis {
            None => random_axis,
            Some(given) => match vector("spin_axis", given)?.try_normalize(0.0) {
                Some(axis) => orientation.inverse() * axis,
                None if spin_rps == 0.0 => random_axis,
                None => return Err(no_direction(feature, &key("spin_axis"), "an axis")),
            },
        };
        let velocity = match &spec.velocity_m_s {
            Some(given) => vector("velocity_m_s", given)?,
            None => self.direction(&spec.direction) * speed_m_s,
        };
        let z = match &spec.centre_height_m {
            Some(height) => {
                let height = drawn("centre_height_m", height, rng)?;
                self.surface.height(self.x, self.y).unwrap_or(0.0) + height
            }
            None => self.resting_height(rock, &orientation) + height_m,
        };
        let omega = axis * (spin_rps * std::f64::consts::TAU);
        Ok(Start { position: Vector3::new(self.x, self.y, z), orientation, velocity, omega })
    }

    /// Height of the centre of mass at which the rock's lowest point touches the ground, m.
    fn resting_height(&self, rock: &Rock, orientation: &UnitQuaternion<f64>) -> f64 {
        let spot = self.surface.spot(self.x, self.y);
        let ground = spot.map_or(0.0, |spot| spot.height);
        if let Some(radius) = rock.sphere_radius {
            // Vertical distance from the centre of a sphere that touches a plane.
            return ground + radius / spot.map_or(1.0, |spot| spot.normal().z);
        }
        let needed = rock.vertices.iter().filter_map(|vertex| {
            let corner = orientation * vertex;
            self.surface.height(self.x + corner.x, self.y + corner.y).map(|height| height - corner.z)
        });
        needed.reduce(f64::max).unwrap_or(ground + rock.bounding_radius)
    }

    /// Unit vector; on level ground there is no downslope, and the rock starts eastwards.
    pub(super) fn direction(&self, direction: &Direction) -> Vector3<f64> {
        match direction {
            Direction::Downslope => {
                self.surface.spot(self.x, self.y).and_then(|spot| spot.downslope()).unwrap_or(Vector3::x())
            }
            Direction::AzimuthDeg(azimuth) => {
                let angle = azimuth.to_radians();
                Vector3::new(math::sin(angle), math::cos(angle), 0.0)
            }
            Direction::Vector(vector) => Vector3::from(*vector).try_normalize(0.0).unwrap_or(Vector3::zeros()),
        }
    }
}

/// The numbers in some attributes of a feature.
fn numbers<const N: usize>(names: &[String; N], feature: &Feature, key: &str) -> Result<[f64; N]> {
    let mut found = [0.0; N];
    for (value, name) in found.iter_mut().zip(names) {
        *value = feature.attributes.get(name).and_then(|value| value.as_f64()).ok_or_else(|| {
            Error::input(format!(
                "{key}: release feature {} has {} in attribute {name:?}, expected a number; fill it in",
                feature.id,
                draw::shown(feature, name)
            ))
        })?;
    }
    Ok(found)
}

fn no_direction(feature: &Feature, key: &str, wanted: &str) -> Error {
    Error::input(format!(
        "{key}: release feature {} has zeros only in its attributes, expected {wanted}; mend it in the layer",
        feature.id
    ))
}
