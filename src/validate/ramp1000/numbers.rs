//! The scene `ramp1000` in plain numbers, so that other engines can be given the very same one (`benches/rapier`).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Nodes (cell centres) of 1 m cells: 260 m along the slope, 60 m across.
pub const NODES: (usize, usize) = (261, 61);
pub(crate) const CELL_M: f64 = 1.0;
/// Where the plane of 40° ends and the flat begins, m.
pub(crate) const TOE_X: f64 = 130.0;
pub(crate) const MASS_KG: f64 = 780.0;
pub(crate) const FRICTION: f64 = 0.6;
/// As in the paper.
pub const GRAVITY_M_S2: f64 = 9.81;
/// As in the paper.
pub const TIME_STEP_S: f64 = 0.002;
pub(crate) const REST_SPEED_M_S: f64 = 0.05;
pub(crate) const REST_TIME_S: f64 = 0.5;
pub(crate) const MAX_TIME_S: f64 = 60.0;

/// Height of the ground, m; the same for all y.
pub fn height(x: f64) -> f64 {
    40f64.to_radians().tan() * (TOE_X - x).max(0.0)
}

/// The 24 corners of the plate, m.
pub fn corners() -> Vec<[f64; 3]> {
    let (a, cut) = ([0.465, 0.465, 0.235], 0.55);
    let mut corners = Vec::with_capacity(24);
    for full in 0..3 {
        for signs in 0..8 {
            corners.push([0, 1, 2].map(|axis| {
                let sign = if signs >> axis & 1 == 0 { 1.0 } else { -1.0 };
                let share = if axis == full { 1.0 } else { cut };
                sign * share * a[axis]
            }));
        }
    }
    corners
}

/// Where every rock's centre of mass starts, m.
pub fn start() -> [f64; 3] {
    [5.0, 30.0, height(5.0) + 1.5]
}

/// The orientation rock `k` starts with, uniformly random: x, y, z, w of the unit quaternion that turns the frame of
/// [`corners`] to the inertial frame. Depends on `k` only.
pub fn orientation(k: u64) -> [f64; 4] {
    let mut rng = ChaCha8Rng::seed_from_u64(1000);
    rng.set_stream(k);
    loop {
        // Uniform in the four-dimensional ball, then normalised: uniform on the sphere of quaternions.
        let q = [(); 4].map(|()| rng.random_range(-1.0f64..1.0));
        let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        if (0.1..=1.0).contains(&norm) {
            return q.map(|c| c / norm);
        }
    }
}
