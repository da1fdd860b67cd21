//! The fast stage for rest: a rock that lies still takes several steps as one.
//!
//! The step is the ordinary one with a longer Δt. Forces that hold a rock for 2 ms hold it for 64 ms: percussions grow with Δt,
//! the friction cone does not change. If the rock would not lie still at the end, nothing has happened and the short step is
//! taken instead.

use crate::dynamics::fall::Fall;
use crate::dynamics::step::Trial;
use crate::dynamics::step_info::StepInfo;

/// Steps of the longest rest.
pub const LONGEST_REST: u64 = 32;

/// Lies still for several steps, at most `most`; `None` if the rock moves.
pub fn rest<const BALANCE: bool>(fall: &mut Fall, most: u64) -> Option<(u64, StepInfo)> {
    let steps = most.min(LONGEST_REST);
    let moves = !fall.work.still || fall.work.impact_next.is_some();
    if moves || steps < 2 || fall.scene.ground.scarring.is_some() {
        return None;
    }
    fall.work.remember();
    let mut trial = Trial::begin(fall, steps as f64 * fall.scene.time_step_s);
    if !trial.rests(fall) {
        fall.work.recall();
        return None;
    }
    Some((steps, trial.finish::<BALANCE>(fall)))
}
