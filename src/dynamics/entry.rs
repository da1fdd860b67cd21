//! By which side a corner came into a sharp crest.
//!
//! Contacts are looked for at the next midpoint. Below its crest a wall of one cell is thinner than the way of a fast rock in a step: there a
//! corner may be beyond the crest, and the ground below it would push it out on the far side, through the wall. It is held by the side
//! of the wall that it was over at this midpoint, unless it passed above the crest.

use nalgebra::Vector3;

use super::body::Pose;
use super::contact::{CENTRE_KEY, Touch};
use super::edges::{DEEP_M, SHARP};
use super::fall::Fall;
use super::step::Trial;
use crate::terrain::{Across, Surface};

/// Sees to the sides of touches found at a pose, with the ground lowered by `depth`. If a corner came through a side, contacts between corners that would
/// have been deep at this midpoint already are none: the crest did not come in where they are.
pub(super) fn sort(fall: &mut Fall, trial: &Trial, pose: &Pose, depth: f64) {
    let work = &mut fall.work;
    let looks_between = !work.setup.sides.planes.is_empty();
    if !looks_between
        || work.survey.touches.is_empty()
        || work.ceiling.is_some_and(|ceiling| ceiling.uneven.bend <= SHARP)
    {
        return;
    }
    let surface = work.relief.as_ref().map_or(&fall.scene.surface, |relief| relief.surface());
    let (touches, mut through) = (&mut work.survey.touches, false);
    for touch in touches.iter_mut().filter(|touch| trial.is_vertex(touch)) {
        let way = [&trial.middle, pose].map(|pose| pose.place(&touch.arm));
        if let Some((normal, gap)) = side_of_entry(surface, &way, depth) {
            *touch = Touch { normal, gap, ..*touch };
            through = true;
        }
    }
    if through {
        touches.retain(|touch| {
            let way = pose.place(&touch.arm) - trial.middle.place(&touch.arm);
            trial.is_vertex(touch) || touch.key == CENTRE_KEY || touch.gap - touch.normal.dot(&way) > -DEEP_M
        });
    }
}

/// The normal of the side of a sharp crest through which a straight way leads, and the gap of its end along it.
fn side_of_entry(surface: &Surface, [from, to]: &[Vector3<f64>; 2], depth: f64) -> Option<(Vector3<f64>, f64)> {
    let lattice = surface.lattice();
    let way = to - from;
    let mut first: Option<(f64, Vector3<f64>, f64)> = None;
    for (across, axis, cell) in [(Across::X, 0, lattice.dx), (Across::Y, 1, lattice.dy)] {
        let (low, high) = (from[axis].min(to[axis]).max(0.0), from[axis].max(to[axis]).max(0.0));
        for line in (low / cell) as usize + 1..(high / cell) as usize + 1 {
            let share = (line as f64 * cell - from[axis]) / way[axis];
            if !(0.0..=1.0).contains(&share) || first.is_some_and(|(soonest, ..)| soonest <= share) {
                continue;
            }
            let place = from + way * share;
            let Some(crease) = surface.crease(across, line, place[1 - axis]) else { continue };
            if crease.bend() <= SHARP || place.z + depth >= crease.height {
                continue;
            }
            let slope = if way[axis] > 0.0 { crease.before } else { crease.after };
            let mut up = Vector3::z();
            (up[axis], up[1 - axis]) = (-slope, -crease.along);
            let on_crest = Vector3::new(place.x, place.y, crease.height);
            let steepness = up.norm();
            first = Some((share, up / steepness, ((to - on_crest).dot(&up) + depth) / steepness));
        }
    }
    first.map(|(_, normal, gap)| (normal, gap)).filter(|(_, gap)| *gap < 0.0)
}
