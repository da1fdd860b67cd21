//! Rocks as slopes shed them: random hulls by form (Sneed & Folk 1958) and angularity.
//!
//! Corners lie on directions spread over the sphere, each at a random depth below a body of the form's axes halfway between an
//! ellipsoid and a rounded box. How many there are, and how deep, makes the rock angular or round. No function but the square root
//! enters: a seed gives the same rock on every machine.
//!
//! Statistics of measured rocks behind it: fragments of rock have axes of about 1 : 0.7 : 0.5 in the mean (2 : √2 : 1, Fujiwara et al. 1978;
//! Domokos et al. 2015 for natural ones), which the mixture of forms meets, and the three blocks weighed and measured at Tschamut
//! (Volkwein & Gerber 2018) fill 0.58, 0.50 and 0.54 of the box of their axes, at 2700 kg/m³; a subangular rock here fills 0.53 ± 0.02, an
//! ellipsoid 0.52, the concrete test body `eota_221` 0.71.

use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Rock;
use crate::math;

/// Proportions of the three axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// About 1 : 0.85 : 0.7.
    Compact,
    /// About 1 : 0.5 : 0.4.
    Elongated,
    /// About 1 : 0.85 : 0.4.
    Platy,
}

/// How sharp a rock's corners are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Angularity {
    /// 14 corners.
    Angular,
    /// 30 corners.
    Subangular,
    /// 48 corners.
    Rounded,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 3] = [Self::Compact, Self::Elongated, Self::Platy];

    /// Intermediate and short axis over the long one: from … to.
    fn axes(self) -> [(f64, f64); 2] {
        match self {
            Self::Compact => [(0.75, 0.95), (0.65, 0.75)],
            Self::Elongated => [(0.45, 0.6), (0.35, 0.45)],
            Self::Platy => [(0.75, 0.95), (0.3, 0.45)],
        }
    }
}

impl Angularity {
    /// From the sharpest to the roundest.
    pub const ALL: [Self; 3] = [Self::Angular, Self::Subangular, Self::Rounded];

    /// Corners, and the largest depth of one below the full body as a share of its radius.
    fn corners(self) -> (usize, f64) {
        match self {
            Self::Angular => (14, 0.2),
            Self::Subangular => (30, 0.1),
            Self::Rounded => (48, 0.05),
        }
    }
}

/// What a natural rock may be; without a form it is drawn, half of the rocks being compact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Natural {
    /// The form, if it is given.
    pub form: Option<Form>,
    /// The same for all rocks.
    pub angularity: Angularity,
}

impl Natural {
    /// `natural`, `natural_angular` and `natural_rounded`.
    pub fn named(name: &str) -> Option<Self> {
        let angularity = match name {
            "natural" => Angularity::Subangular,
            "natural_angular" => Angularity::Angular,
            "natural_rounded" => Angularity::Rounded,
            _ => return None,
        };
        Some(Self { form: None, angularity })
    }

    /// The corners of a rock, its long axis along x and its short one along z, about 1 m long.
    pub fn points(&self, seed: u64) -> Vec<Vector3<f64>> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let form = self.form.unwrap_or_else(|| match rng.random_range(0..4_u32) {
            0 => Form::Elongated,
            1 => Form::Platy,
            _ => Form::Compact,
        });
        let [intermediate, short] = form.axes().map(|(from, to)| rng.random_range(from..to));
        let axes = 0.5 * Vector3::new(1.0, intermediate, short);
        let (count, depth) = self.angularity.corners();
        let mut directions: Vec<Vector3<f64>> = Vec::with_capacity(count);
        while directions.len() < count {
            // Of a few, the one furthest from the others: spread, yet not regular.
            let nearest =
                |d: &Vector3<f64>| directions.iter().map(|other| (other - d).norm()).fold(f64::INFINITY, f64::min);
            let candidates = [(); CANDIDATES].map(|()| direction(&mut rng));
            let best = candidates.iter().max_by(|a, b| nearest(a).total_cmp(&nearest(b)));
            directions.extend(best.copied());
        }
        let corner =
            |d: &Vector3<f64>| d.component_mul(&axes) * fullness(d) * (1.0 - depth * rng.random_range(0.0..1.0));
        directions.iter().map(corner).collect()
    }
}

/// Radius of a body halfway between the unit ball and the rounded box x⁴ + y⁴ + z⁴ = 1, in a direction.
fn fullness(direction: &Vector3<f64>) -> f64 {
    let squares = direction.component_mul(direction);
    0.5 + 0.5 / squares.norm().sqrt()
}

/// How many directions are tried for each corner.
const CANDIDATES: usize = 8;

/// A unit vector, all directions being equally likely.
fn direction(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    loop {
        let v = Vector3::from([(); 3].map(|()| rng.random_range(-1.0..1.0)));
        let length = v.norm();
        if length > 0.1 && length <= 1.0 {
            return v / length;
        }
    }
}

impl Rock {
    /// Surface of the sphere of the same volume over the rock's own (Wadell 1935): 1 for a sphere, 0.81 for a cube.
    pub fn sphericity(&self) -> f64 {
        if self.sphere_radius.is_some() {
            return 1.0;
        }
        let area = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|k| self.vertices[k as usize]);
            0.5 * (b - a).cross(&(c - a)).norm()
        };
        let own: f64 = self.faces.iter().map(area).sum();
        math::cbrt(std::f64::consts::PI) * math::pow(6.0 * self.volume_m3, 2.0 / 3.0) / own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rock::Shape;

    /// Hulls of each family: mean number of corners and sphericity, and the axes the form promises.
    #[test]
    fn families_are_what_they_say() {
        let mut last = 0.0;
        for form in Form::ALL {
            for angularity in Angularity::ALL {
                let natural = Natural { form: Some(form), angularity };
                let rocks: Vec<_> = (0..200)
                    .map(|seed| Shape::from_points(&natural.points(seed)).unwrap().with_mass(1000.0, 2700.0).unwrap())
                    .collect();
                let mean = |f: &dyn Fn(&Rock) -> f64| rocks.iter().map(f).sum::<f64>() / rocks.len() as f64;
                let (corners, sphericity) = (mean(&|r| r.vertices.len() as f64), mean(&Rock::sphericity));
                let fill = mean(&|r| r.volume_m3 / r.lengths.product());
                if angularity == Angularity::Subangular {
                    assert!((0.50..0.58).contains(&fill), "the blocks of Tschamut fill that much: {fill}");
                }
                let (most, _) = angularity.corners();
                assert!(corners > 0.85 * most as f64 && corners <= most as f64, "{corners}");
                // Rounder with each step of angularity, within a form.
                assert!(angularity == Angularity::Angular || sphericity > last, "{sphericity}");
                last = sphericity;
            }
        }
        let cube = Shape::from_preset("cube").unwrap().with_mass(1.0, 1.0).unwrap();
        assert!((cube.sphericity() - 0.806).abs() < 1e-3);
    }

    /// A seed gives the same rock, another one another.
    #[test]
    fn a_seed_gives_the_same_rock() {
        let natural = Natural::named("natural").unwrap();
        assert_eq!(natural.points(7), natural.points(7));
        assert_ne!(natural.points(7), natural.points(8));
    }
}
