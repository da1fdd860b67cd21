//! What a rock looks like in a few words and numbers: form, sphericity, and how sharp its edges are.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use nalgebra::Vector3;

use super::Rock;
use crate::math;

/// Mean turn at edges, degrees, above which a rock is very angular: a cube has 90°, an octahedron 71°, test bodies (EOTA) 42–48°, field rocks of 20
/// corners 36–38°.
pub const VERY_ANGULAR_DEG: f64 = 65.0;
/// … and below which it is very round: a ball of 42 corners has 20°, an ellipsoid of 42 corners 21°.
pub const VERY_ROUND_DEG: f64 = 22.0;

/// What decides, beside size and ground, how far a rock runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Appearance {
    /// Class of Sneed & Folk (1958) by its three axes.
    pub form: &'static str,
    /// Corners of the hull; 0 for a true sphere.
    pub corners: usize,
    /// See [`Rock::sphericity`].
    pub sphericity: f64,
    /// Angle between the faces that meet at an edge (0 where they are one), mean over the edges, weighted by their length and turn: edges
    /// inside a flat face of a scanned rock count for nothing. 0 for a true sphere.
    pub edge_deg: f64,
}

impl Appearance {
    /// Beyond what slopes shed: rocks of this shape alone tumble early.
    pub fn is_very_angular(&self) -> bool {
        self.edge_deg > VERY_ANGULAR_DEG
    }

    /// Beyond what slopes shed: rocks of this shape alone roll on and on.
    pub fn is_very_round(&self) -> bool {
        self.edge_deg < VERY_ROUND_DEG
    }
}

impl Rock {
    /// What it looks like.
    pub fn appearance(&self) -> Appearance {
        let corners = self.vertices.len();
        Appearance { form: form(&self.lengths), corners, sphericity: self.sphericity(), edge_deg: self.edge_deg() }
    }

    fn edge_deg(&self) -> f64 {
        let normal = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|k| self.vertices[k as usize]);
            (b - a).cross(&(c - a)).normalize()
        };
        let mut sides: BTreeMap<(u32, u32), Vector3<f64>> = BTreeMap::new();
        let (mut weighted, mut weights) = (0.0, 0.0);
        for face in &self.faces {
            let mine = normal(face);
            for k in 0..3 {
                let (a, b) = (face[k], face[(k + 1) % 3]);
                let Some(other) = sides.insert((a.min(b), a.max(b)), mine) else { continue };
                let turn = math::atan2(mine.cross(&other).norm(), mine.dot(&other));
                let length = (self.vertices[a as usize] - self.vertices[b as usize]).norm();
                weighted += length * turn * turn;
                weights += length * turn;
            }
        }
        if weights > 0.0 { weighted / weights * 180.0 / PI } else { 0.0 }
    }
}

/// Sneed & Folk (1958), by short over long axis and where the intermediate one lies between them.
fn form(lengths: &Vector3<f64>) -> &'static str {
    let mut axes = [lengths.x, lengths.y, lengths.z];
    axes.sort_by(f64::total_cmp);
    let [short, intermediate, long] = axes;
    if short / long > 0.7 || long <= short {
        return "compact";
    }
    let kind = match (long - intermediate) / (long - short) {
        share if share < 1.0 / 3.0 => 0,
        share if share < 2.0 / 3.0 => 1,
        _ => 2,
    };
    let names = match short / long {
        ratio if ratio > 0.5 => ["compact platy", "compact bladed", "compact elongated"],
        ratio if ratio > 0.3 => ["platy", "bladed", "elongated"],
        _ => ["very platy", "very bladed", "very elongated"],
    };
    names[kind]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rock::{Shape, presets};

    /// Boxes are very angular and balls very round; what stands for a rock of a slope is neither.
    #[test]
    fn shapes_say_what_they_are() {
        // Rounded rocks of a slope lie near the limit: a warning for one of them would not be wrong.
        for (name, _) in presets::NAMES.iter().copied().filter(|(name, _)| !name.ends_with("rounded")) {
            let look = Shape::from_preset(name).unwrap().with_mass(1000.0, 2700.0).unwrap().appearance();
            assert_eq!(
                look.is_very_angular(),
                ["cuboid", "cube", "octahedron", "hexagonal_prism"].contains(&name),
                "{name} {look:?}"
            );
            let round = ["ellipsoid", "sphere_polyhedron", "sphere"].contains(&name);
            assert_eq!(look.is_very_round(), round, "{name} {look:?}");
        }
        let cube = Shape::from_preset("cube").unwrap().with_mass(1.0, 1.0).unwrap().appearance();
        assert!((cube.edge_deg - 90.0).abs() < 1e-6 && cube.form == "compact", "{cube:?}");
    }

    /// The classes of Sneed & Folk at their places in the triangle.
    #[test]
    fn forms_by_axes() {
        for (axes, expected) in [
            ([1.0, 0.9, 0.8], "compact"),
            ([1.0, 0.95, 0.6], "compact platy"),
            ([1.0, 0.9, 0.4], "platy"),
            ([1.0, 0.65, 0.4], "bladed"),
            ([1.0, 0.45, 0.4], "elongated"),
            ([0.25, 1.0, 0.2], "very elongated"),
        ] {
            assert_eq!(form(&Vector3::from(axes)), expected);
        }
    }
}
