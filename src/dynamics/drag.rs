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
}
