//! The fast stage for rest: a rock that lies still takes several steps as one.
//!
//! The step is the ordinary one with a longer Δt. Forces that hold a rock for 2 ms hold it for 16 ms: percussions grow with Δt,
//! the friction cone does not change. If the rock would not lie still at the end, nothing has happened and the short step is
//! taken instead.

use super::body::Body;
use super::flight::LONGEST_LEAP;
use super::scene::Scene;
use super::step::{Trial, Workspace};
use super::step_info::StepInfo;
use crate::rock::Rock;
use crate::terrain::GroundScale;

/// Lies still for several steps, at most `most`; `None` if the rock moves.
pub fn rest<const BALANCE: bool>(
    scene: &Scene,
    rock: &Rock,
    scale: &GroundScale,
    body: &mut Body,
    work: &mut Workspace,
    most: u64,
) -> Option<(u64, StepInfo)> {
    let steps = most.min(LONGEST_LEAP);
    let moves = !work.still || work.impact_next.is_some();
    if moves || steps < 2 || scene.is_plain() || scene.ground.scarring.is_some() {
        return None;
    }
    work.remember();
    let mut trial = Trial::begin(scene, rock, scale, body, work, steps as f64 * scene.time_step_s);
    if !trial.rests(scene, rock, scale, work) {
        work.recall();
        return None;
    }
    Some((steps, trial.finish::<BALANCE>(scene, rock, scale, body, work)))
}
