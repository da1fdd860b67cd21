//! Contacts that hold: Signorini's law for the gap instead of its rate.
//!
//! A step goes from q over its midpoint M to its end E; the next one has its midpoint at N. With the velocities u until M and u'
//! from there to N,
//!
//!   M = q + ½Δt u,   E = M + ½Δt u',   N = E + ½Δt u' = N_free + Δt (u' − u_free),
//!
//! N_free being where the rock would be without percussions. So to first order in the percussions the gap at N is
//! g(N_free) + Δt (γ' − γ_free), and the law "closed or not pressed, pressed or not closed" at N reads
//!
//!   0 ≤ P_N  ⊥  γ' + [g(N_free)/Δt − γ_free] ≥ 0:
//!
//! the contact problem of Leine 2014, eq. 52, with the bracket in the place of restitution. Contacts are found at N_free, so
//! that curved paths and the next patch of the terrain are seen beforehand. A vertex that turns on the ground arrives with
//! γ = +½ω²RΔt and leaves with γ' = −½ω²RΔt: its velocity vanishes on average, the contact does no work
//! (½(γ + γ')P = 0), the gap stays shut, and it is pressed in every step as long as its force is positive.
//!
//! An impact takes two steps: the first ends shortly before it, the second, a brief one, has it at its midpoint.

use nalgebra::{UnitQuaternion, Vector3};

use super::body::{Body, Pose};
use super::contact::{Survey, Touch};
use super::fall::Fall;
use super::impact::NOW;
use super::nodes::FIRST_NODE_KEY;
use super::rotation::half_step;
use super::scene::Scene;
use super::solver::Velocity;
use super::step::Trial;
use super::{entry, scarring};
use crate::terrain::Surface;

/// Gap of a contact that is closed, m: half of what resting contacts may differ by, so that the four corners of a face
/// need not agree to rounding.
pub const CLOSED_M: f64 = 1e-4;

/// A rock that was pressed counts as in contact, for the slippage, until it is this far above the ground, m. Hops below that are
/// an affair of the time step, not of the slope.
pub const HELD_M: f64 = 1e-3;

/// Largest velocity by which a contact comes back from below the ground, as a multiple of gΔt. What curvature asks for is
/// half the acceleration along the normal times Δt: this is enough for 20 g.
const LARGEST_RETURN: f64 = 10.0;

/// What rounding and the solver may make of the gap of a contact that is closed, m.
const ROUNDING_M: f64 = 1e-7;

/// A point that would be deeper than this at the next midpoint is made a contact of this step after all, m.
pub const OVERLOOKED_M: f64 = 2e-4;

/// What percussions move a point, over its first order in the time step.
const MOVED_ROUGHLY: f64 = 1.1;

/// Slower than this, as a multiple of gΔt, a contact closes without an impact.
const SLOWEST_IMPACT: f64 = 0.5;

/// Normals that differ by less than about 8° are of the same contact; its cosine.
const SAME_NORMAL: f64 = 0.99;

/// A contact of a node or an edge as it was found at N.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    key: u64,
    normal: Vector3<f64>,
    place: Vector3<f64>,
}

/// What a contact's velocity γ' after the step must satisfy: γ' + `rebound` takes the place of γ' in the contact laws.
pub struct Demand {
    /// Along the normal, m/s.
    pub normal: f64,
    /// Inertial frame, m/s; only the part across the normal counts.
    pub tangential: Vector3<f64>,
}

impl Trial {
    /// The demand of a contact with the coefficient of restitution εₙ; `is_new` if the last step did not have it.
    #[inline(always)]
    pub fn demand(&self, scene: &Scene, touch: &Touch, is_new: bool, restitution: f64) -> Demand {
        let velocity = |u: &Velocity| u.v + self.middle.rotation * u.omega.cross(&touch.arm);
        let before = touch.normal.dot(&velocity(&self.old));
        let rebound = restitution * before.min(0.0);
        if !self.holds || self.still {
            return Demand { normal: rebound, tangential: Vector3::zeros() };
        }
        let tangential = if self.glides { velocity(&self.old) + 2.0 * self.bend } else { self.bend };
        let free = velocity(&self.free.end);
        let (approach, gap) = (touch.normal.dot(&free), touch.gap - touch.normal.dot(&self.way(touch)));
        let rebound = rebound_of_midpoint(before, approach, restitution);
        let came_with = if is_new { 0.0 } else { -before };
        let closing = approach - touch.gap / self.dt;
        let closing = self.returning(scene, closing, came_with, self.is_vertex(touch));
        let impact =
            before < -SLOWEST_IMPACT * scene.gravity_m_s2 * self.dt && gap <= CLOSED_M.max(-NOW * self.dt * approach);
        let normal = match (impact, is_new) {
            // The same for all corners that arrive together: they must not contradict each other.
            (true, true) => rebound,
            (true, false) => rebound.min(-closing),
            (false, _) => -closing,
        };
        Demand { normal, tangential }
    }

    /// The way of a contact's point of the rock from M to N without percussions.
    #[inline(always)]
    pub(super) fn way(&self, touch: &Touch) -> Vector3<f64> {
        if self.is_vertex(touch) {
            self.found_at.place(&touch.arm) - self.middle.place(&touch.arm)
        } else {
            self.dt * (self.free.end.v + self.middle.rotation * self.free.end.omega.cross(&touch.arm))
        }
    }

    /// Contacts other than vertices wander over the rock.
    #[inline(always)]
    pub(super) fn is_vertex(&self, touch: &Touch) -> bool {
        !self.is_sphere && touch.key < FIRST_NODE_KEY
    }

    /// Turns touches found at a pose, which is that of N, into those of M, where the percussions act. A vertex is the same. Contacts of
    /// nodes and edges wander over the rock and turn: what was seen at the last N, `after` the last step, and what is seen now tell what they are at M;
    /// a new one stays where it is on the terrain. That of a sphere stays below it.
    pub fn bring_to_middle(
        &self,
        pose: &Pose,
        survey: &mut Survey,
        (seen, after): (&[Seen], f64),
        next: &mut Vec<Seen>,
    ) {
        next.clear();
        // Of what is seen now. Steps differ in length: M is not always where the last N was.
        let share = match 0.5 * self.dt - after {
            later if later >= 0.0 => later / (later + self.dt),
            earlier => f64::from(-earlier > self.dt),
        };
        for touch in survey.touches.iter_mut().filter(|touch| !self.is_vertex(touch)) {
            let place = pose.place(&touch.arm);
            if self.is_sphere {
                touch.arm = self.middle.rotation.tr_mul(&(place - pose.position));
                continue;
            }
            let now = Seen { key: touch.key, normal: touch.normal, place };
            let before = seen.iter().find(|seen| seen.key == touch.key && seen.normal.dot(&touch.normal) > SAME_NORMAL);
            let before = before.unwrap_or(&now);
            touch.normal = (before.normal + (now.normal - before.normal) * share).normalize();
            let here = before.place + (now.place - before.place) * share;
            touch.arm = self.middle.rotation.tr_mul(&(here - self.middle.position));
            next.push(now);
        }
    }

    /// Demands below this are like restitution: with friction they can make energy.
    #[inline(always)]
    pub fn freely_returning(&self) -> f64 {
        -ROUNDING_M / self.dt
    }

    /// By how much the mean velocity of the contacts from M to N differs from that at M, since their path bends. Of all contacts
    /// together: a rigid body cannot meet different demands along the line between two of them.
    pub fn measure_bend(&mut self, touches: &[Touch]) {
        // The lowest point of a rolling sphere is another one at every instant.
        if self.is_sphere {
            return;
        }
        let bend = |touch: &Touch| {
            let way = self.found_at.place(&touch.arm) - self.middle.place(&touch.arm);
            way / self.dt - (self.free.end.v + self.middle.rotation * self.free.end.omega.cross(&touch.arm))
        };
        self.bend = touches.iter().map(bend).sum::<Vector3<f64>>() / touches.len().max(1) as f64;
    }

    /// A contact comes back from below the ground no faster than it came, so that its percussion does no work, and a new one not
    /// at all: that would be an elastic impact. Edges and nodes that rock slowly do not come back either: without any loss they
    /// would rock for ever. What rounding may bring about is free for vertices: else the corners of a face would
    /// contradict each other.
    #[inline(always)]
    fn returning(&self, scene: &Scene, closing: f64, came_with: f64, is_vertex: bool) -> f64 {
        let free = if is_vertex { -self.freely_returning() } else { 0.0 };
        if closing <= free {
            return closing;
        }
        let slow = !is_vertex && came_with < SLOWEST_IMPACT * scene.gravity_m_s2 * self.dt;
        let most = if slow { free } else { came_with.max(free) };
        closing.min(most).min(LARGEST_RETURN * scene.gravity_m_s2 * self.dt)
    }

    /// Where the rock is at the midpoint of the next step, with these velocities at the end of this one.
    #[inline(always)]
    pub fn next_midpoint(&self, end: &Velocity) -> Pose {
        let orientation = self.free.rotation.turned_orientation(&end.omega, self.dt);
        self.half_a_step_on(&orientation, end)
    }

    /// [`Trial::next_midpoint`] without percussions.
    #[inline(always)]
    pub fn free_midpoint(&self) -> Pose {
        let end = &self.free.end;
        self.half_a_step_on(&self.free.rotation.end_orientation(&end.omega, self.dt), end)
    }

    #[inline(always)]
    fn half_a_step_on(&self, orientation: &UnitQuaternion<f64>, end: &Velocity) -> Pose {
        let orientation = half_step(orientation, &end.omega, self.dt);
        Pose::new(&(self.middle.position + self.dt * end.v), &orientation)
    }
}

/// What Newton's law at the instant of an impact demands of the end of the step, negated. The impact is the middle of the step: with
/// δ = γ_free − γ the contact meets the ground with γ + ½δ and is slowed down by ½δ again until the end, γ' = −ε(γ + ½δ) + ½δ. (With
/// γ' = −εγ a bounce would keep ½(1 − ε)|δ| too much, an error of first order in Δt.) A bounce that is over within the step is none.
#[inline(always)]
fn rebound_of_midpoint(before: f64, free: f64, restitution: f64) -> f64 {
    let half = 0.5 * (free - before).min(0.0);
    if restitution == 0.0 || before + half >= 0.0 {
        return 0.0;
    }
    (restitution * (before + half) - half).min(0.0)
}

/// Makes points that would be deep in the ground at the pose `next` contacts of this step, `end` being the velocities that lead
/// there; true if there are such.
pub fn add_overlooked(fall: &mut Fall, trial: &Trial, end: &Velocity, next: &Pose) -> bool {
    if stays_clear(fall, trial, end, next) {
        fall.work.deepest = deepest_vertex(fall.surface(), trial, next, &fall.work.survey.touches);
        return false;
    }
    let mut touches = std::mem::take(&mut fall.work.survey.touches);
    let known = touches.len();
    // Contacts that are closed as they should be need no look.
    fall.look(next, |look, survey| look.find_touches(trial.level + OVERLOOKED_M, survey));
    entry::sort(fall, trial, next, trial.level + OVERLOOKED_M);
    let work = &mut fall.work;
    work.deepest = 0.0;
    if !work.survey.touches.is_empty() {
        trial.bring_to_middle(next, &mut work.survey, (&work.seen, work.seen_after), &mut work.unseen);
    }
    for touch in &work.survey.touches {
        let found = touch.gap - OVERLOOKED_M * touch.normal.z;
        work.deepest = work.deepest.min(found);
        if touches.iter().any(|other| other.key == touch.key) {
            continue;
        }
        let lever = touch.arm.cross(&trial.middle.rotation.tr_mul(&touch.normal));
        let along = |u: &Velocity| touch.normal.dot(&u.v) + lever.dot(&u.omega);
        // As if found at N_free.
        let gap = found - trial.dt * (along(end) - along(&trial.free.end));
        touches.push(Touch { gap, ..*touch });
    }
    work.survey.touches = touches;
    work.survey.touches.len() > known
}

/// Whether no point of the rock that did not touch at N_free can be deep in the ground at N: the percussions do not move it that far.
/// Contacts between vertices wander, they want to be looked at.
fn stays_clear(fall: &Fall, trial: &Trial, end: &Velocity, next: &Pose) -> bool {
    let (rock, work) = (fall.rock, &fall.work);
    let Some(ceiling) = &work.ceiling else { return false };
    let free = &trial.free.end;
    let way = trial.dt * ((end.v - free.v).norm() + (end.omega - free.omega).norm() * rock.bounding_radius);
    let sinks = MOVED_ROUGHLY * way * (1.0 + ceiling.steepest());
    sinks < work.survey.spare + OVERLOOKED_M
        && ceiling.covers(next.position.x, next.position.y, rock.bounding_radius)
        && work.survey.touches.iter().all(|touch| trial.is_vertex(touch))
}

/// [`Workspace::deepest`] of contacts of vertices.
fn deepest_vertex(surface: &Surface, trial: &Trial, next: &Pose, touches: &[Touch]) -> f64 {
    let mut deepest = 0.0_f64;
    for touch in touches {
        let point = next.place(&touch.arm);
        let Some(spot) = surface.ground_spot(point.x, point.y) else { continue };
        let gap = point.z - spot.height + trial.level;
        if gap <= -OVERLOOKED_M {
            deepest = deepest.min(gap * spot.normal().z);
        }
    }
    deepest
}

/// [`Trial::level`] of contacts that hold.
pub fn level(fall: &Fall) -> f64 {
    match &fall.scene.ground.scarring {
        None => -CLOSED_M,
        // A little below the rebound plane: a rock that lies there has not left the soil.
        Some(soil) => scarring::expected_depth(soil, fall.rock, &fall.body) + CLOSED_M,
    }
}

/// The pose at the midpoint of a step that begins here.
pub fn midpoint(body: &Body, dt: f64) -> Pose {
    Pose::new(&(body.position + 0.5 * dt * body.velocity), &half_step(&body.orientation, &body.omega, dt))
}
