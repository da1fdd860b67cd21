//! Named rock shapes. Lengths here are proportions only: a rock gets its size from a mass, a volume or axes.

use nalgebra::Vector3;

use super::natural::{Angularity, Form, Natural};
use crate::math;

/// Every preset with one line on what it is.
pub const NAMES: [(&str, &str); 25] = [
    ("cuboid", "box, 8 vertices, 3 : 2 : 1 unless axes_m says otherwise"),
    ("cube", "box with equal sides, 8 vertices"),
    ("octahedron", "double pyramid on a square, 6 vertices on the axes"),
    ("eota_111", "test body, equant: cube with chamfered edges and corners, 24 vertices"),
    ("eota_221", "test body, platy 2 : 2 : 1, 24 vertices"),
    ("eota_211", "test body, long 2 : 1 : 1, 24 vertices"),
    ("ellipsoid", "polyhedron close to an ellipsoid, 42 vertices, 1 : 0.8 : 0.6 unless axes_m says otherwise"),
    ("sphere_polyhedron", "polyhedron close to a sphere, 42 vertices"),
    ("sphere", "true sphere with its own contact test"),
    ("hexagonal_prism", "basalt column, 12 vertices, twice as long (x) as wide"),
    ("equant", "irregular field rock, about 1 : 0.9 : 0.8"),
    ("platy", "irregular field rock, about 1 : 0.85 : 0.4"),
    ("long", "irregular field rock, about 1 : 0.5 : 0.4"),
    ("natural", "another subangular rock each time: half compact, a quarter each elongated and platy, 30 corners"),
    ("natural_angular", "the same, angular: 14 corners"),
    ("natural_rounded", "the same, rounded: 48 corners"),
    ("compact_angular", "one random hull, compact, 14 corners, sphericity 0.89"),
    ("compact_subangular", "one random hull, compact, 30 corners, sphericity 0.93"),
    ("compact_rounded", "one random hull, compact, 48 corners, sphericity 0.95"),
    ("elongated_angular", "one random hull, elongated, 14 corners, sphericity 0.80"),
    ("elongated_subangular", "one random hull, elongated, 30 corners, sphericity 0.85"),
    ("elongated_rounded", "one random hull, elongated, 48 corners, sphericity 0.86"),
    ("platy_angular", "one random hull, platy, 14 corners, sphericity 0.73"),
    ("platy_subangular", "one random hull, platy, 30 corners, sphericity 0.77"),
    ("platy_rounded", "one random hull, platy, 48 corners, sphericity 0.79"),
];

/// The points of a preset; `None` for the true sphere and unknown names.
pub fn points(name: &str) -> Option<Vec<Vector3<f64>>> {
    Some(match name {
        "cuboid" => cuboid(3.0, 2.0, 1.0),
        "cube" => cuboid(1.0, 1.0, 1.0),
        "octahedron" => octahedron(),
        "eota_111" => eota(1.0, 1.0, 1.0),
        "eota_221" => eota(2.0, 2.0, 1.0),
        "eota_211" => eota(2.0, 1.0, 1.0),
        "ellipsoid" => ball(1.0, 0.8, 0.6),
        "sphere_polyhedron" => ball(1.0, 1.0, 1.0),
        "hexagonal_prism" => hexagonal_prism(),
        "equant" => EQUANT.map(Vector3::from).to_vec(),
        "platy" => PLATY.map(Vector3::from).to_vec(),
        "long" => LONG.map(Vector3::from).to_vec(),
        _ => return natural(name).map(|natural| natural.points(FAMILY_SEED)),
    })
}

/// Of the one hull that stands for a family.
const FAMILY_SEED: u64 = 1;

/// The family of a natural rock.
fn natural(name: &str) -> Option<Natural> {
    if let Some(any_form) = Natural::named(name) {
        return Some(any_form);
    }
    let (form, angularity) = name.split_once('_')?;
    let form = match form {
        "compact" => Form::Compact,
        "elongated" => Form::Elongated,
        "platy" => Form::Platy,
        _ => return None,
    };
    let angularity = match angularity {
        "angular" => Angularity::Angular,
        "subangular" => Angularity::Subangular,
        "rounded" => Angularity::Rounded,
        _ => return None,
    };
    Some(Natural { form: Some(form), angularity })
}

/// The eight sign combinations of a vector.
fn signs(v: Vector3<f64>) -> impl Iterator<Item = Vector3<f64>> {
    let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
    (0..8_u32).map(move |k| v.component_mul(&Vector3::new(sign(k & 1), sign(k >> 1 & 1), sign(k >> 2))))
}

fn cuboid(a: f64, b: f64, c: f64) -> Vec<Vector3<f64>> {
    signs(0.5 * Vector3::new(a, b, c)).collect()
}

fn octahedron() -> Vec<Vector3<f64>> {
    [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().flat_map(|axis| [axis, -axis]).collect()
}

/// Each face of the box keeps this share of its length and width; the rest is chamfered. One half gives the platy body
/// of 0.93 × 0.93 × 0.47 m the mass it has in the field tests, 780 kg, at 2710 kg/m³.
const EOTA_FLAT_SHARE: f64 = 0.5;

/// Chamfered box: every face of an a × b × c box reduced about its centre, the hull closes edges and corners.
fn eota(a: f64, b: f64, c: f64) -> Vec<Vector3<f64>> {
    let half = 0.5 * Vector3::new(a, b, c);
    (0..3)
        .flat_map(|axis| {
            let mut corner = half * EOTA_FLAT_SHARE;
            corner[axis] = half[axis];
            signs(corner)
        })
        .collect()
}

/// An icosahedron with its edges halved and pushed out to the ellipsoid: 42 vertices.
fn ball(a: f64, b: f64, c: f64) -> Vec<Vector3<f64>> {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for (s, t) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
        corners.extend([Vector3::new(0.0, s, t), Vector3::new(s, t, 0.0), Vector3::new(t, 0.0, s)]);
    }
    let mut points = corners.clone();
    for (k, p) in corners.iter().enumerate() {
        // The icosahedron's edges have length 2.
        points.extend(corners[k + 1..].iter().filter(|q| (*q - p).norm() < 2.1).map(|q| p + q));
    }
    points.iter().map(|p| 0.5 * p.normalize().component_mul(&Vector3::new(a, b, c))).collect()
}

fn hexagonal_prism() -> Vec<Vector3<f64>> {
    let corner = |k: usize| math::sin_cos(std::f64::consts::FRAC_PI_3 * k as f64);
    (0..12)
        .map(|k| (if k < 6 { -1.0 } else { 1.0 }, corner(k % 6)))
        .map(|(x, (s, c))| Vector3::new(x, 0.5 * c, 0.5 * s))
        .collect()
}

// Drawn once on jittered directions with rough radii, then kept: a shape in a project must never change.
const EQUANT: [[f64; 3]; 20] = [
    [0.150, -0.025, 0.370],
    [-0.187, 0.185, 0.359],
    [0.057, -0.287, 0.294],
    [0.368, 0.215, 0.301],
    [-0.411, -0.002, 0.216],
    [0.442, -0.089, 0.183],
    [-0.235, 0.388, 0.147],
    [-0.172, -0.386, 0.095],
    [0.474, 0.203, 0.064],
    [-0.472, 0.167, 0.020],
    [0.252, -0.364, -0.019],
    [0.058, 0.423, -0.058],
    [-0.420, -0.154, -0.094],
    [0.455, 0.016, -0.136],
    [-0.362, 0.339, -0.210],
    [0.010, -0.409, -0.240],
    [0.355, 0.232, -0.300],
    [-0.366, 0.026, -0.333],
    [0.222, -0.114, -0.330],
    [0.030, 0.127, -0.352],
];
const PLATY: [[f64; 3]; 20] = [
    [0.156, 0.011, 0.191],
    [-0.250, 0.126, 0.188],
    [0.094, -0.305, 0.168],
    [0.347, 0.196, 0.142],
    [-0.410, -0.184, 0.122],
    [0.416, -0.104, 0.087],
    [-0.107, 0.371, 0.067],
    [-0.217, -0.383, 0.052],
    [0.445, 0.004, 0.027],
    [-0.462, 0.238, 0.011],
    [0.286, -0.337, -0.010],
    [0.042, 0.373, -0.027],
    [-0.395, -0.234, -0.050],
    [0.445, -0.240, -0.079],
    [-0.179, 0.351, -0.091],
    [0.095, -0.381, -0.121],
    [0.380, 0.199, -0.153],
    [-0.354, 0.004, -0.160],
    [0.160, -0.207, -0.188],
    [-0.029, 0.135, -0.197],
];
const LONG: [[f64; 3]; 20] = [
    [0.159, -0.015, 0.207],
    [-0.151, 0.119, 0.191],
    [-0.067, -0.163, 0.159],
    [0.116, 0.184, 0.139],
    [-0.419, -0.059, 0.120],
    [0.402, -0.137, 0.103],
    [-0.023, 0.240, 0.075],
    [-0.345, -0.179, 0.054],
    [0.448, 0.003, 0.029],
    [-0.475, 0.117, 0.011],
    [0.159, -0.215, -0.010],
    [0.245, 0.239, -0.034],
    [-0.469, -0.052, -0.052],
    [0.463, -0.072, -0.076],
    [-0.236, 0.216, -0.104],
    [-0.057, -0.218, -0.122],
    [0.236, 0.176, -0.152],
    [-0.313, 0.047, -0.155],
    [0.242, -0.062, -0.184],
    [0.027, 0.080, -0.206],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rock::Shape;

    #[test]
    fn vertex_counts_are_as_said() {
        let expected = [8, 8, 6, 24, 24, 24, 42, 42, 0, 12];
        for ((name, _), count) in NAMES.iter().zip(expected) {
            let rock = Shape::from_preset(name).unwrap().with_mass(1.0, 1.0).unwrap();
            assert_eq!(rock.vertices.len(), count, "{name}");
        }
        for name in ["equant", "platy", "long"] {
            assert!(Shape::from_preset(name).unwrap().with_mass(1.0, 1.0).unwrap().vertices.len() >= 14);
        }
    }

    /// Corners and sphericity of the hulls that stand for a family.
    #[test]
    fn families_are_as_said() {
        let families = NAMES.iter().filter(|(_, what)| what.contains("one random hull"));
        for (name, what) in families.clone() {
            let look = Shape::from_preset(name).unwrap().with_mass(1.0, 1.0).unwrap().appearance();
            let said = format!("{} corners, sphericity {:.2}", look.corners, look.sphericity);
            assert!(what.ends_with(&said), "{name}: {what}, {said}");
        }
        assert_eq!(families.count(), 9);
    }

    /// The 780 kg plate of the field tests: 0.93 × 0.93 × 0.47 m of rock-like density.
    #[test]
    fn the_platy_test_body_weighs_780_kg() {
        let plate = Shape::from_preset("eota_221").unwrap().with_axes([0.93, 0.93, 0.47], 2700.0).unwrap();
        assert!((plate.mass_kg - 780.0).abs() < 5.0, "{}", plate.mass_kg); // 777.4
    }
}
