//! The fast stage for sliding: a rock that slid in the last step takes several steps as one.
//!
//! The step is the ordinary one, contact problem and all, with a longer Δt. It is taken only where it resolves what a short
//! one would: the rock turns by less than [`LARGEST_TURN`], moves by less than [`LARGEST_SHARE`] of a cell, and its friction
//! hardly changes ([`LARGEST_GROWTH`]). If it would not go on sliding on the same contacts to the end of the step, or another
//! point would touch the ground, nothing has happened and the short step is taken instead.

use crate::dynamics::fall::Fall;
use crate::dynamics::step::Trial;
use crate::dynamics::step_info::StepInfo;
use crate::terrain::Relief;

/// Steps of the longest glide.
pub const LONGEST_GLIDE: u64 = 6;
/// Turn in a glide, rad.
pub const LARGEST_TURN: f64 = 0.02;
/// Way in a glide, as a share of a cell.
pub const LARGEST_SHARE: f64 = 0.25;
/// Growth of κs in a glide, as a share of 1 + κs: so little that the friction of the middle is that of the whole.
pub const LARGEST_GROWTH: f64 = 0.2;

/// Slides several steps, at most `most`; `None` if the rock does not slide steadily enough.
pub fn glide<const BALANCE: bool>(fall: &mut Fall, most: u64) -> Option<(u64, StepInfo)> {
    let Fall { scene, scale, body, work, .. } = fall;
    if !work.slid || work.impact_next.is_some() || scene.ground.scarring.is_some() {
        return None;
    }
    let lattice = work.relief.as_ref().map_or(&scene.surface, Relief::surface).lattice();
    let kappa = scale.kappa * scene.ground.kappa_per_m.at(body.position.x, body.position.y);
    let way = (LARGEST_SHARE * lattice.dx.min(lattice.dy)).min(LARGEST_GROWTH * (1.0 / kappa + body.slippage));
    let longest = (way / body.velocity.norm()).min(LARGEST_TURN / body.omega.norm()) / scene.time_step_s;
    let steps = most.min(LONGEST_GLIDE).min(longest as u64);
    if steps < 2 {
        return None;
    }
    work.remember();
    let mut trial = Trial::begin(fall, steps as f64 * fall.scene.time_step_s);
    if !trial.slides() || !fall.work.touches_what_it_did() || trial.jams::<BALANCE>(fall) {
        fall.work.recall();
        return None;
    }
    Some((steps, trial.finish::<BALANCE>(fall)))
}
