//! Linear drag of a forest layer (Leine 2014, eq. 10–11; Leine 2021, eq. 78), and the midpoint rule that keeps any drag
//! dissipative.

use nalgebra::Vector3;

use crate::terrain::{Forest, Surface};

/// Drag of one step: forces −c v at the centre of mass and torques −C ω.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Drag {
    /// c, kg/s.
    pub linear: f64,
    /// C, kg m²/s, the same about every axis.
    pub angular: f64,
}

/// The forest's drag where the centre of mass is below the tree tops.
pub fn forest(forest: Option<&Forest>, surface: &Surface, centre: &Vector3<f64>) -> Drag {
    let Some(forest) = forest else { return Drag::default() };
    let (x, y) = (centre.x, centre.y);
    let Some(ground) = surface.height(x, y) else { return Drag::default() };
    if centre.z - ground >= forest.height_m.at(x, y) {
        return Drag::default();
    }
    Drag { linear: forest.drag_kg_s.at(x, y), angular: forest.rotational_drag_kg_m2_s.at(x, y) }
}

/// The c of a linear midpoint drag that takes as much speed in a step as the quadratic drag k|v|v does exactly:
/// |v'| = |v| / (1 + k|v|Δt/m). Never more than 2m/Δt: it may stop the rock, not throw it back.
pub fn equivalent_linear(k: f64, speed: f64, mass: f64, dt: f64) -> f64 {
    let x = k * speed * dt / mass;
    2.0 * mass / dt * x / (2.0 + x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stepping the equivalent linear drag with the midpoint rule follows v' = −(k/m) v² exactly, at any step.
    #[test]
    fn quadratic_drag_is_exact_and_never_reverses() {
        let (k, mass) = (300.0, 800.0);
        for dt in [0.002, 0.1, 100.0] {
            let mut v = 20.0;
            for _ in 0..50 {
                let c = equivalent_linear(k, v, mass, dt);
                v *= (mass - 0.5 * dt * c) / (mass + 0.5 * dt * c);
            }
            let exact = 20.0 / (1.0 + k / mass * 20.0 * 50.0 * dt);
            assert!((v / exact - 1.0).abs() < 1e-12, "{v} {exact}");
        }
    }

    /// Below its tops a forest brakes both motions, each with its own coefficient; above them none, nor beside the terrain.
    #[test]
    fn a_forest_brakes_motion_and_rotation_below_its_tops() {
        let lattice = crate::terrain::Lattice { nx: 3, ny: 3, x0: 0.0, y0: 0.0, dx: 50.0, dy: 50.0 };
        let surface = Surface::new(crate::terrain::Field { lattice, values: vec![100.0; 9] }).expect("is a surface");
        let constant = crate::terrain::ParameterField::Constant;
        let trees =
            Forest { drag_kg_s: constant(500.0), height_m: constant(12.0), rotational_drag_kg_m2_s: constant(30.0) };
        let at = |x: f64, z: f64| forest(Some(&trees), &surface, &Vector3::new(x, 20.0, z));
        assert_eq!(at(20.0, 111.9), Drag { linear: 500.0, angular: 30.0 });
        assert_eq!((at(20.0, 112.1), at(-20.0, 101.0)), (Drag::default(), Drag::default()));
    }
}
