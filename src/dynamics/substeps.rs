//! Shorter steps where a whole one could carry the rock through something thin.
//!
//! Contacts are looked for once a step. A rock that moves further than it is thick could be on the other side of a crest, or
//! have its centre of mass below the ground, before it is noticed. Such steps are divided: beside sharp crests so that no point
//! of the rock moves further than [`SHARE`] of its thickness at a time, elsewhere no further than its centre of mass lies behind its
//! nearest face. A compact rock on even ground never is that fast.

use super::body::Body;
use super::edges::SHARP;
use super::scene::{Scene, TerrainNodes};
use super::step::{Trial, Workspace, single_step};
use super::step_info::StepInfo;
use crate::rock::Rock;
use crate::terrain::{Ceiling, GroundScale};

/// Way in a step beside a sharp crest, as a share of the rock's thickness.
pub const SHARE: f64 = 0.1;
/// The most parts of a step.
const MOST: f64 = 64.0;

/// One time step, in parts where it must be.
pub fn step<const BALANCE: bool>(
    scene: &Scene,
    rock: &Rock,
    scale: &GroundScale,
    body: &mut Body,
    work: &mut Workspace,
) -> StepInfo {
    let parts = parts(scene, rock, body, work);
    if parts <= 1 {
        return single_step::<BALANCE>(scene, rock, scale, body, work);
    }
    let dt = scene.time_step_s / f64::from(parts);
    work.impact_next = None;
    let mut part =
        || Trial::begin(scene, rock, scale, body, work, dt).finish::<BALANCE>(scene, rock, scale, body, work);
    let first = part();
    (1..parts).fold(first, |before, _| followed_by(before, part()))
}

/// Into how many parts a step must be divided.
fn parts(scene: &Scene, rock: &Rock, body: &Body, work: &mut Workspace) -> u32 {
    let way = (body.velocity.norm() + body.omega.norm() * rock.bounding_radius) * scene.time_step_s;
    let (least, beside_crests) = (work.setup.inner_radius, SHARE * work.setup.thickness);
    if scene.terrain_nodes == TerrainNodes::Never || !way.is_finite() || way <= least.min(beside_crests) {
        return 1;
    }
    let mut parts = way / least;
    if way > beside_crests && sharp(scene, rock, body, work, way) {
        parts = parts.max(way / beside_crests);
    }
    parts.ceil().clamp(1.0, MOST) as u32
}

/// Whether there is a sharp crest within a step of the rock.
fn sharp(scene: &Scene, rock: &Rock, body: &Body, work: &mut Workspace, way: f64) -> bool {
    work.cover(scene, rock, &body.position, way);
    let (x, y, reach) = (body.position.x, body.position.y, rock.bounding_radius + way);
    let bend = match &work.ceiling {
        Some(ceiling) => ceiling.uneven.bend,
        None => Ceiling::around(&scene.surface, x, y, reach).uneven.bend,
    };
    bend > SHARP
}

fn followed_by(before: StepInfo, after: StepInfo) -> StepInfo {
    StepInfo {
        duration_s: before.duration_s + after.duration_s,
        closed: before.closed.max(after.closed),
        pressed: before.pressed.max(after.pressed),
        percussion: before.percussion + after.percussion,
        solver: match (before.solver, after.solver) {
            (Some(before), Some(after)) => Some(if before.converged { after } else { before }),
            (before, after) => before.or(after),
        },
        rotation_converged: before.rotation_converged && after.rotation_converged,
        restitution_reduced: before.restitution_reduced || after.restitution_reduced,
        pushed_out_m: before.pushed_out_m + after.pushed_out_m,
        energy: before.energy.and(&after.energy),
        ..after
    }
}
