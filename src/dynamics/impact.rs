//! When the next impact is. An impact takes two steps: the first ends shortly before it, the second, a brief one, has it at its midpoint.
//!
//! A rock with corners makes its impact in a step of hardly any duration, and only what arrives at that very instant takes part. In a longer one,
//! corners and edges that arrive within it would count as hitting the ground together with the first, although the first percussion alone
//! decides how they arrive: rocks would come to lie on edges and faces that they only brush, with a loss of first order in Δt. And
//! contacts that carried the rock until then would be missed for half of it.

use super::body::Pose;
use super::contact::Touch;
use super::fall::{Fall, Workspace};
use super::rotation::half_step;
use super::solver::Velocity;
use super::step::Trial;

/// An approach slower than this, as a multiple of gΔt, needs no step that ends at its impact.
const SLOW: f64 = 1.5;

/// In steps longer than this, s, the multiple grows with the step: a slow impact of its own holds only what arrives with it, and long steps leave the rest
/// too deep (at 10 ms a slab that slides through hollows 1.7 mm instead of 0.8).
const ORDINARY_S: f64 = 2e-3;

/// An impact nearer to the midpoint than this share of a step is at the midpoint.
pub(super) const NOW: f64 = 0.05;

/// The impact of a rock with corners takes this share of a step.
const IMPACT: f64 = 0.01;

/// The shortest step, as a share of a whole one: of an impact that has begun already.
const SHORTEST: f64 = 0.001;

/// The instant of an impact is known when another look moves it by less than this share of its step.
const KNOWN: f64 = 0.02;

/// How often the ground is looked at to find it.
const MOST_LOOKS: u32 = 10;

/// What is so near to the ground, as a share of the way of the rock's fastest point in a step, is looked at.
const NEAR: f64 = 0.05;

/// What rounding makes of a gap, m.
const ROUNDING_M: f64 = 1e-6;

/// How a step is shortened because of an impact.
pub enum Shortened {
    /// It ends before the impact, after so many seconds; if it ends there, the next one is that of the impact.
    Before(f64),
    /// It lasts so long, s, with the impact at its midpoint.
    Impact(f64),
}

/// The slowest approach that is an impact of its own, m/s; negative.
pub(super) fn slow(gravity_m_s2: f64, dt: f64) -> f64 {
    -SLOW * gravity_m_s2 * dt * (dt / ORDINARY_S).max(1.0)
}

impl Trial {
    /// Whether this whole step must be shortened for an impact to be at a midpoint.
    pub fn impact(&self, fall: &mut Fall) -> Option<Shortened> {
        let full = self.dt;
        let briefly = !self.is_sphere || fall.work.is_carried();
        let earliest = if briefly { 0.0 } else { 0.5 * full };
        let mut instant = self.instant_of_impact(fall, earliest)?;
        if !briefly {
            let time = instant - 0.5 * full;
            return (time > NOW * full).then_some(Shortened::Before(time));
        }
        if !self.is_sphere {
            instant = self.refined(fall, instant);
        }
        let brief = IMPACT * full;
        let until = instant - 0.5 * brief;
        Some(if until <= SHORTEST * full {
            Shortened::Impact((2.0 * instant).max(SHORTEST * full))
        } else if until > full {
            Shortened::Before(0.5 * until)
        } else {
            fall.work.impact_next = Some(brief);
            Shortened::Before(until)
        })
    }

    /// If the next step is that of an impact: this one ends there, what has not touched so far does not touch yet.
    pub fn leave_impact_to_next(&self, work: &mut Workspace) {
        if work.impact_next.is_some() {
            let previous = &work.previous;
            work.survey.touches.retain(|touch| previous.iter().any(|previous| previous.key == touch.key));
            work.deepest = 0.0;
        }
    }

    /// In the step of an impact: what has not arrived at its midpoint does not touch yet.
    pub fn leave_what_comes_later(&self, work: &mut Workspace) {
        let Workspace { survey, previous, .. } = work;
        survey.touches.retain(|touch| {
            let (approach, gap) = self.approach(touch);
            let arrives = gap <= ROUNDING_M.max(-NOW * self.dt * approach);
            arrives || previous.iter().any(|previous| previous.key == touch.key)
        });
    }

    /// The first impact of what touches at the next midpoint, s after the beginning of the step, if it is not before `earliest`.
    fn instant_of_impact(&self, fall: &Fall, earliest: f64) -> Option<f64> {
        let slow = slow(fall.scene.gravity_m_s2, self.dt);
        let half = 0.5 * self.dt;
        let mut soonest = self.dt;
        for touch in &fall.work.survey.touches {
            let (approach, gap) = self.approach(touch);
            let has_begun = gap <= approach * (half - earliest);
            if approach >= slow || (has_begun && (self.is_sphere || fall.work.carries(touch))) {
                continue;
            }
            if has_begun {
                return Some(earliest);
            }
            // gap + approach τ + ½ c τ² is touch.gap at τ = Δt.
            let c = 2.0 * (touch.gap - gap - approach * self.dt) / (self.dt * self.dt);
            let root = (approach * approach - 2.0 * c * gap).max(0.0).sqrt();
            soonest = soonest.min(2.0 * gap / (root - approach));
        }
        (soonest < self.dt).then_some(half + soonest)
    }

    /// Velocity along the normal without percussions, m/s, and gap at the midpoint, m.
    fn approach(&self, touch: &Touch) -> (f64, f64) {
        let velocity = self.free.end.v + self.middle.rotation * self.free.end.omega.cross(&touch.arm);
        (touch.normal.dot(&velocity), touch.gap - touch.normal.dot(&self.way(touch)))
    }

    /// The instant of the first impact, s after the beginning of the step, from a guess. At the next midpoint, where contacts are looked
    /// for, an edge that touched first may touch no longer, since what lies between corners wanders over rock and ground; a corner behind it
    /// would make the impact instead. So the ground is looked at from where the rock is at the instant, and from where it is shortly before.
    fn refined(&self, fall: &mut Fall, guess: f64) -> f64 {
        let instant = self.converged(fall, guess);
        let shortly_before = (instant - NEAR * self.dt).max(0.0);
        let (other, _) = self.seen_from(fall, shortly_before);
        if other < instant - KNOWN * IMPACT * self.dt { self.converged(fall, other).min(instant) } else { instant }
    }

    /// The instant that looks from there no longer change. Edges may come to touch when they are in the ground already, since
    /// only what stands out by [`RISES_M`](super::edges::RISES_M) counts: then it is the instant at which they do.
    fn converged(&self, fall: &mut Fall, mut instant: f64) -> f64 {
        let brief = IMPACT * self.dt;
        let (mut clear, mut sunk) = (f64::NEG_INFINITY, f64::INFINITY);
        for _ in 0..MOST_LOOKS {
            let (seen, below) = self.seen_from(fall, instant);
            if below {
                sunk = sunk.min(instant);
            } else {
                clear = clear.max(instant);
            }
            if (seen - instant).abs() <= KNOWN * brief {
                return seen;
            }
            if (sunk - clear).abs() <= brief {
                return sunk;
            }
            let bracketed = clear.is_finite() && sunk.is_finite() && !(clear < seen && seen < sunk);
            instant = if bracketed { 0.5 * (clear + sunk) } else { seen };
        }
        instant
    }

    /// The instant of the first impact, as it looks at another one, a little later than that if there is none so near; and whether something
    /// has hit the ground by then.
    fn seen_from(&self, fall: &mut Fall, instant: f64) -> (f64, bool) {
        let slow = slow(fall.scene.gravity_m_s2, self.dt);
        let near = NEAR * self.dt;
        let margin = near * (self.old.v.norm() + self.old.omega.norm() * fall.rock.bounding_radius);
        let (pose, u) = self.freely_at(fall, instant);
        fall.look(&pose, |look, survey| look.find_touches(self.level - margin, survey));
        let (mut first, mut below) = (instant + near, false);
        for touch in &fall.work.survey.touches {
            let approach = touch.normal.dot(&(u.v + pose.rotation * u.omega.cross(&touch.arm)));
            let gap = touch.gap + margin * touch.normal.z;
            if approach < slow && !(gap <= 0.0 && fall.work.carries(touch)) {
                first = first.min(instant - gap / approach);
                below |= gap < -ROUNDING_M;
            }
        }
        (first.clamp(0.0, 1.5 * self.dt), below)
    }

    /// Pose and velocities so long after the beginning of the step, without contacts.
    fn freely_at(&self, fall: &Fall, time: f64) -> (Pose, Velocity) {
        let (old, end, body) = (&self.old, &self.free.end, &fall.body);
        let at = |time: f64| {
            let share = time / self.dt;
            Velocity { v: old.v + (end.v - old.v) * share, omega: old.omega + (end.omega - old.omega) * share }
        };
        let mean = at(0.5 * time);
        let orientation = half_step(&body.orientation, &mean.omega, 2.0 * time);
        (Pose::new(&(body.position + mean.v * time), &orientation), at(time))
    }
}

impl Workspace {
    /// Whether a contact pressed in the last step.
    pub(super) fn carries(&self, touch: &Touch) -> bool {
        self.previous.iter().any(|previous| previous.key == touch.key && previous.presses())
    }
}
