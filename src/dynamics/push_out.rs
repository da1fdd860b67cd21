//! Taking a rock that got too deep out of the ground, by translation only.

use super::body::Pose;
use super::fall::Fall;
use super::hold::{self, CLOSED_M};
use super::step::Trial;
use super::step_info::StepInfo;

/// Penetration along the contact normal that is left alone, m. Contacts stay closed within it; it is far below what a DEM
/// knows.
pub const PENETRATION_M: f64 = 1e-3;

/// Penetration that is left when a rock is pushed out, m: enough to stay in contact, and not to need it again at once.
const KEPT_M: f64 = 0.5 * PENETRATION_M;

/// [`published`] for contacts that hold: at the next midpoint, and no higher than `affordable` metres, so that no energy is made.
#[cold]
pub fn paid(fall: &mut Fall, info: &mut StepInfo, mut affordable: f64, trial: &Trial) {
    let before = fall.body.position;
    for _ in 0..8 {
        let pose = hold::midpoint(&fall.body, trial.dt);
        fall.look(&pose, |look, survey| look.find_touches(trial.level, survey));
        let Some(deepest) = fall.work.survey.touches.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) else { break };
        let rise = deepest.normal.z * -deepest.gap;
        if -deepest.gap <= CLOSED_M || rise <= 0.0 || affordable <= 0.0 {
            break;
        }
        fall.body.position += deepest.normal * (-deepest.gap * (affordable / rise).min(1.0));
        affordable -= rise;
    }
    info.pushed_out_m = (fall.body.position - before).norm();
}

/// Moves a rock that is deeper than [`PENETRATION_M`] out of the ground, by translation only: along the normal of the
/// deepest contact, repeatedly: in a notch the walls take turns.
///
/// Velocities stay. The height gained appears as [`EnergyBalance::correction`]. On curved ground and at impacts it gives
/// back no more than the contact work took; in the implicit scheme it also makes up for the orientation that follows the
/// percussions one step late (Leine 2021, eq. 87), which sinks a tipping rock by ½ Δt Δω times its lever arm. Taking this
/// energy from the motion instead would freeze rocks that begin to tip.
#[cold]
pub fn published(fall: &mut Fall, info: &mut StepInfo) {
    let depth = fall.body.scar_depth.unwrap_or(0.0);
    let before = fall.body.position;
    for _ in 0..8 {
        if info.clearance_m + depth >= -PENETRATION_M {
            break;
        }
        let pose = Pose::new(&fall.body.position, &fall.body.orientation);
        fall.look(&pose, |look, survey| look.find_touches(depth, survey));
        let Some(deepest) = fall.work.survey.touches.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) else { break };
        if -deepest.gap <= PENETRATION_M {
            break;
        }
        fall.body.position += deepest.normal * (-deepest.gap - KEPT_M);
        info.clearance_m = fall.clearance();
    }
    info.pushed_out_m = (fall.body.position - before).norm();
}
