//! Shorter steps where a whole one could carry the rock through something thin.
//!
//! Contacts are looked for once a step. A rock that moves further than it is thick could be on the other side of a crest, or
//! have its centre of mass below the ground, before it is noticed. Such steps are divided: beside sharp crests so that no point
//! of the rock moves further than [`SHARE`] of its thickness at a time, elsewhere no further than its centre of mass lies behind its
//! nearest face. A compact rock on even ground never is that fast. These are steps like any other, in which an impact has its instant.

use super::body::Pose;
use super::contact::Touch;
use super::edges::{self, SHARP};
use super::fall::Fall;
use super::nodes::FIRST_NODE_KEY;
use super::rotation::half_step;
use super::scene::TerrainNodes;
use super::step::{Trial, single_step};
use super::step_info::StepInfo;
use super::{hold, impact};
use crate::terrain::Ceiling;

/// Way in a step beside a sharp crest, as a share of the rock's thickness.
pub const SHARE: f64 = 0.1;
/// The most parts of a step.
const MOST: f64 = 64.0;

/// How long the parts of a step are in which the rock jams or is swept over, s: what happens within is one impact. A time of its own and no share of
/// the step, since the shorter it is the higher rocks jump off ground that is bent by a hair.
const VIOLENT_S: f64 = 1e-4;

/// How soon in a step it is looked whether a contact sweeps over the rock, s.
const EARLY_S: f64 = 2e-4;

/// One time step, in parts where it must be.
pub fn step<const BALANCE: bool>(fall: &mut Fall) -> StepInfo {
    let full = fall.scene.time_step_s;
    if fall.work.impact_next.is_some() {
        return single_step::<BALANCE>(fall, full);
    }
    let (parts, violent) = (parts(fall), violent_parts(full));
    match parts < violent && sweeps(fall) {
        true => in_parts::<BALANCE>(fall, full, violent),
        false => single_step::<BALANCE>(fall, full / f64::from(parts)),
    }
}

/// Into how many parts a step of this length is divided in which the rock jams or is swept over.
pub fn violent_parts(dt: f64) -> u32 {
    (dt / VIOLENT_S - 1e-6).ceil().clamp(1.0, MOST) as u32
}

/// A step of this length, in equal parts.
pub fn in_parts<const BALANCE: bool>(fall: &mut Fall, dt: f64, parts: u32) -> StepInfo {
    let dt = dt / f64::from(parts);
    let mut part = || Trial::begin(fall, dt).finish::<BALANCE>(fall);
    let first = part();
    (1..parts).fold(first, |before, _| before.followed_by(part()))
}

/// Into how many parts a step must be divided.
fn parts(fall: &mut Fall) -> u32 {
    let Fall { scene, rock, body, work, .. } = fall;
    let way = (body.velocity.norm() + body.omega.norm() * rock.bounding_radius) * scene.time_step_s;
    let (least, beside_crests) = (work.setup.inner_radius, SHARE * work.setup.thickness);
    if scene.terrain_nodes == TerrainNodes::Never || !way.is_finite() || way <= least.min(beside_crests) {
        return 1;
    }
    let mut parts = way / least;
    if way > beside_crests && sharp(fall, way) {
        parts = parts.max(way / beside_crests);
    }
    parts.ceil().clamp(1.0, MOST) as u32
}

/// Whether a contact between corners sweeps over the rock: an edge that comes down on hardly curved ground touches it further and further along, at ω over
/// the curvature, which may be hundreds of m/s, and is pressed all the while by far more than its weight. A whole step goes past that. It is so if an
/// edge or a node that pressed is shortly in the ground with a point that comes down like an impact.
fn sweeps(fall: &mut Fall) -> bool {
    if fall.work.still || fall.work.impact_next.is_some() || !fall.work.presses_between_corners() {
        return false;
    }
    let (dt, body) = (fall.scene.time_step_s, &fall.body);
    let (v, omega) = (body.velocity, body.omega);
    let early = EARLY_S.min(dt);
    let orientation = half_step(&body.orientation, &omega, 2.0 * early);
    let pose = Pose::new(&(body.position + v * early), &orientation);
    let level = hold::level(fall);
    let slow = impact::slow(fall.scene.gravity_m_s2, dt);
    let falls = |touch: &Touch| touch.normal.dot(&(v + pose.rotation * omega.cross(&touch.arm))) < slow;
    // Mostly no edge that pressed does, and the others need no look.
    let pressed = std::mem::take(&mut fall.work.previous);
    let may = fall.look(&pose, |look, _| {
        let mut keys =
            pressed.iter().filter(|previous| previous.presses_between_corners()).map(|previous| previous.key);
        keys.any(|key| {
            edges::touch_again(&look, key, level).map_or(true, |touch| touch.is_some_and(|touch| falls(&touch)))
        })
    });
    fall.work.previous = pressed;
    if !may {
        return false;
    }
    fall.look(&pose, |look, survey| look.find_touches(level, survey));
    fall.work.survey.touches.iter().any(|touch| touch.key >= FIRST_NODE_KEY && falls(touch) && fall.work.carries(touch))
}

/// Whether there is a sharp crest within a step of the rock.
fn sharp(fall: &mut Fall, way: f64) -> bool {
    let position = fall.body.position;
    fall.cover(&position, way);
    let bend = match &fall.work.ceiling {
        Some(ceiling) => ceiling.uneven.bend,
        None => {
            let reach = fall.rock.bounding_radius + way;
            Ceiling::around(fall.surface(), position.x, position.y, reach).uneven.bend
        }
    };
    bend > SHARP
}
