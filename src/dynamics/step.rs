//! One time step: free motion → detect contacts → solve percussions → advance (Leine 2014, §4; Leine 2021, §5).
//!
//! ```text
//! rᴹ = r + Δt/2 v,  pᴹ = p + Δt/2 F(p) ω                                        Leine 2021, eq. 79
//! v' = [(m − Δt/2 c) v − m g Δt e_z + W_v P] / (m + Δt/2 c)                             eq. 81
//! ω' = explicit eq. 82, or implicit eq. 84–85 (free rotation, then drag and percussions); see `rotation::free`
//! −(γ' + b) ∈ N_C(P)  for every contact                                         Leine 2014, eq. 52
//! r' = rᴹ + Δt/2 v'                                                              Leine 2021, eq. 86
//! p' = explicit eq. 83, or implicit eq. 87
//! ```
//!
//! - `ContactModel::NonSmooth`: contacts are those closed at the next midpoint, b holds them there (`hold`), the percussions
//!   turn the rock for half a step, and steps are shortened so that impacts fall on a midpoint.
//! - `ContactModel::AsPublished`: contacts are those closed at (rᴹ, pᴹ), b = εγ, the implicit scheme turns with the free velocity
//!   only (eq. 87). What is deeper than [`push_out::PENETRATION_M`] after a step with contact is pushed out along the contact normal,
//!   velocities untouched.
//!
//! # Deviations of both
//! - Newton's law uses min(γ_N, 0): a contact that already separates cannot be pulled back (Leine 2014, §3.6.3, names
//!   this pathology of eq. 38).
//! - Except in the explicit scheme, rotational drag is centred on the torque-free velocity instead of the old one, so that
//!   it can only take energy.
//! - Restitution (and return from below the ground) that would add energy, or with which the contact problem is not solved,
//!   is dropped for that step and counted ([`StepInfo::restitution_reduced`]).

use nalgebra::Vector3;

use super::body::Pose;
use super::drag;
use super::fall::Fall;
use super::free_motion::FreeMotion;
use super::hold::{self, HELD_M};
use super::impact::Shortened;
use super::percussions::{self, Solved};
use super::solver::Velocity;
use super::step_info::{EnergyBalance, StepInfo};
use super::{entry, friction, push_out, scarring, substeps};

/// How often a contact problem is solved again with contacts that its solution brought about.
const MOST_ROUNDS: u32 = 4;

/// Steps shorter than this share of a whole one are not divided where a rock jams.
const SHORTEST_JAM: f64 = 0.1;

/// One time step.
pub fn step(fall: &mut Fall) -> StepInfo {
    single_step::<true>(fall, fall.scene.time_step_s)
}

/// [`step`] of this length unless an impact shortens it, with [`StepInfo::percussion`] and [`StepInfo::energy`] only where they are wanted.
pub fn single_step<const BALANCE: bool>(fall: &mut Fall, full: f64) -> StepInfo {
    let impact = fall.work.impact_next.take();
    let scar_depth = fall.body.scar_depth;
    let mut trial = Trial::free(fall, impact.unwrap_or(full));
    trial.look(fall);
    trial.impacts = impact.is_some();
    let shortened = if trial.holds && !trial.impacts { trial.impact(fall) } else { None };
    match shortened {
        Some(Shortened::Before(time)) => {
            trial = Trial::free(fall, time);
            trial.look(fall);
            trial.leave_impact_to_next(&mut fall.work);
        }
        Some(Shortened::Impact(time)) => {
            trial = Trial::free(fall, time);
            trial.look(fall);
            trial.impacts = true;
        }
        None => {}
    }
    if trial.impacts {
        trial.leave_what_comes_later(&mut fall.work);
    }
    fall.work.remember();
    trial.solve_few(fall);
    if trial.jams::<BALANCE>(fall) {
        fall.work.recall();
        fall.work.impact_next = None;
        fall.body.scar_depth = scar_depth;
        return substeps::in_parts::<BALANCE>(fall, trial.dt, substeps::violent_parts(trial.dt));
    }
    trial.finish::<BALANCE>(fall)
}

/// A step up to the point where the body moves.
pub struct Trial {
    /// Length of the step, s.
    pub dt: f64,
    /// Velocities at the beginning.
    pub old: Velocity,
    /// Of the friction law, m: at the midpoint, in the published scheme at the beginning.
    pub slippage: f64,
    /// Where the rock is half-way.
    pub middle: Pose,
    /// Where contacts are looked for: the next midpoint without percussions if contacts hold, else this one.
    pub found_at: Pose,
    /// Contacts are held at the level of positions (`hold`).
    pub holds: bool,
    /// Of a rock without vertices.
    pub is_sphere: bool,
    /// The rock lay still: there is nothing to correct.
    pub still: bool,
    /// How it would move without contacts.
    pub free: FreeMotion,
    /// This is the brief step of an impact.
    impacts: bool,
    /// Friction is against the mean velocity of the step: see `fast::glide`.
    pub glides: bool,
    /// See [`Trial::measure_bend`].
    pub bend: Vector3<f64>,
    /// How far below the ground a contact is closed, m: at the rebound plane of soil.
    pub level: f64,
    /// How far above the ground the rock was at the beginning, m; 0 if a contact pressed in the step before.
    clearance: f64,
    slides: bool,
    /// The percussions, once they are known.
    solved: Option<Solved>,
}

impl Trial {
    /// A trial with its percussions, as far as they are had cheaply.
    #[inline(always)]
    pub fn begin(fall: &mut Fall, dt: f64) -> Self {
        let mut trial = Self::free(fall, dt);
        trial.look(fall);
        trial.solve_few(fall);
        trial
    }

    /// Whether the rock slides on the contacts of the step before to the end of this one, which is a glide.
    #[inline(always)]
    pub fn slides_on_the_same(&mut self, fall: &mut Fall) -> bool {
        self.look(fall);
        if !fall.work.touches_what_it_did() {
            return false;
        }
        self.glides = true;
        self.solve_few(fall);
        self.slides
    }

    #[inline(always)]
    fn solve_few(&mut self, fall: &mut Fall) {
        if self.holds {
            self.measure_bend(&fall.work.survey.touches);
        }
        (self.solved, self.slides) = percussions::solve_few(fall, self);
    }

    /// How the rock would move without contacts. The only part of the body that changes is the state of its scar.
    #[inline(always)] // a trial is large, and not worth moving about
    pub fn free(fall: &mut Fall, dt: f64) -> Self {
        let middle = hold::midpoint(&fall.body, dt);
        let mut drag = drag::forest(fall.scene.forest.as_ref(), &fall.scene.surface, &middle.position);
        drag.linear += scarring::linear_drag(fall, &middle, dt);
        let Fall { scene, rock, body, work, .. } = fall;
        Self {
            dt,
            old: Velocity { v: body.velocity, omega: body.omega },
            slippage: body.slippage,
            free: FreeMotion::new(scene, rock, body, &drag, dt),
            middle,
            found_at: middle,
            holds: scene.holds_contacts(),
            is_sphere: rock.sphere_radius.is_some(),
            still: work.still,
            impacts: false,
            glides: false,
            bend: Vector3::zeros(),
            level: body.scar_depth.unwrap_or(0.0),
            clearance: if work.is_carried() { 0.0 } else { work.clearance.max(0.0) },
            slides: false,
            solved: None,
        }
    }

    /// Looks for contacts.
    #[inline(always)]
    fn look(&mut self, fall: &mut Fall) {
        if self.holds {
            let (body, touches, half) = (&fall.body, fall.work.touches, 0.5 * self.dt);
            self.slippage = friction::advance(body.slippage, touches, body.velocity.norm(), || fall.beta(), half);
            self.found_at = self.free_midpoint();
            self.level = hold::level(fall);
        }
        fall.look(&self.found_at, |look, survey| look.find_touches(self.level, survey));
        if self.holds {
            entry::sort(fall, self, &self.found_at, self.level);
            let work = &mut fall.work;
            let seen = (work.seen.as_slice(), work.seen_after);
            self.bring_to_middle(&self.found_at, &mut work.survey, seen, &mut work.seen_next);
        }
    }

    /// Whether the velocity of no contact changes by more than this share of it.
    pub fn slides_steadily(&self, fall: &Fall, share: f64) -> bool {
        let Some(solved) = &self.solved else { return false };
        fall.work.survey.touches.iter().all(|touch| {
            let across = |v: Vector3<f64>| v - touch.normal * touch.normal.dot(&v);
            let of = |u: &Velocity| across(u.v + self.middle.rotation * u.omega.cross(&touch.arm));
            let before = of(&self.old);
            (of(&solved.end) - before).norm_squared() <= share * share * before.norm_squared()
        })
    }

    /// Whether the rock lies still at the end of the step.
    pub fn rests(&mut self, fall: &mut Fall) -> bool {
        let solved = self.solve::<false>(fall);
        let still = solved.lies_still(fall.rock);
        self.solved = Some(solved);
        still
    }

    /// Whether the rock jams: friction turns the percussion of a corner that slides so far against its normal that it hardly moves the
    /// corner away from the ground (Painlevé; Leine 2014, eq. 81). Percussions then grow without bound within moments that a whole step goes past.
    #[inline(always)]
    pub fn jams<const BALANCE: bool>(&mut self, fall: &mut Fall) -> bool {
        if !self.holds
            || self.still
            || fall.work.survey.touches.is_empty()
            || self.dt < SHORTEST_JAM * fall.scene.time_step_s
        {
            return false;
        }
        if BALANCE || self.solved.is_none() {
            self.solved = Some(self.solve::<BALANCE>(fall));
        }
        self.solved.as_ref().is_some_and(|solved| percussions::jams(fall, self, solved))
    }

    #[inline(always)]
    fn solve<const BALANCE: bool>(&mut self, fall: &mut Fall) -> Solved {
        if BALANCE || self.solved.is_none() {
            percussions::set_up(fall, self);
        }
        self.solved.take().unwrap_or_else(|| percussions::solve(fall, self))
    }

    /// Solves for the percussions, if that is still to do, and moves the body.
    #[inline(always)]
    pub fn finish<const BALANCE: bool>(&mut self, fall: &mut Fall) -> StepInfo {
        let mut solved = self.solve::<BALANCE>(fall);
        if self.holds && solved.pressed > 0 && !self.impacts && fall.work.impact_next.is_none() {
            self.solve_with_overlooked(fall, &mut solved);
        }
        let reduced = self.holds && self.gain_nothing(fall, &mut solved);
        let Fall { rock, body, work, .. } = fall;
        std::mem::swap(&mut work.seen, &mut work.seen_next);
        work.seen_after = 0.5 * self.dt;
        work.slid = self.slides;
        work.clearance_is_bound = false;
        work.still = solved.lies_still(rock);
        let Self { dt, free, middle, .. } = &*self;

        let height = body.position.z;
        body.velocity = solved.end.v;
        body.omega = solved.end.omega;
        body.position = middle.position + 0.5 * dt * body.velocity;
        body.orientation = match self.holds {
            true => free.rotation.turned_orientation(&body.omega, *dt),
            false => free.rotation.end_orientation(&body.omega, *dt),
        };
        body.residue = free.rotation.residue;

        let mut info = StepInfo {
            closed: work.survey.touches.len() as u32,
            pressed: solved.pressed,
            solver: solved.status,
            rotation_converged: free.rotation.converged,
            restitution_reduced: solved.restitution_reduced,
            ..StepInfo::lasting(*dt)
        };
        let (before_push, touched) = (body.position.z, work.touches);
        let left = match self.holds {
            true => self.hold_up::<BALANCE>(fall, height, &mut info),
            false => self.push_out::<BALANCE>(fall, &mut info),
        };
        fall.body.slippage = self.slippage_at_end(fall, left.filter(|_| touched));
        fall.work.clearance = info.clearance_m;
        if BALANCE {
            let (body, contacts) = (&fall.body, &fall.work.contacts);
            info.percussion = contacts.iter().map(|c| c.w_v * c.percussion).sum();
            info.energy = EnergyBalance {
                kinetic_change: body.kinetic_energy(fall.rock) - self.kinetic_energy_before(fall),
                potential_change: fall.weight() * (body.position.z - height),
                drag: free.drag_work(&solved.end, *dt),
                contact: match reduced {
                    true => free.work_to(&solved.end),
                    false => free.contact_work(contacts, &solved.end),
                },
                gyroscopic: free.gyroscopic_work(fall.rock, &self.old.omega),
                correction: fall.weight() * (body.position.z - before_push),
            };
        }
        info
    }

    /// Slippage at the end of the step, m, of a rock whose contact was `left` so long after its beginning.
    #[inline(always)]
    fn slippage_at_end(&self, fall: &Fall, left: Option<f64>) -> f64 {
        let (touches, speed) = (fall.work.touches, fall.body.velocity.norm());
        let rest_of_step = if self.holds { 0.5 * self.dt } else { self.dt };
        let Some(until) = left else {
            return friction::advance(self.slippage, touches, speed, || fall.beta(), rest_of_step);
        };
        let (first, second) = (until.min(rest_of_step), (until - rest_of_step).max(0.0));
        let slipped = fall.body.slippage + first * self.old.v.norm() + second * speed;
        friction::advance(slipped, false, speed, || fall.beta(), self.dt - until)
    }

    fn kinetic_energy_before(&self, fall: &Fall) -> f64 {
        fall.rock.kinetic_energy(&self.old.v, &self.old.omega)
    }

    /// Makes contacts of what the percussions would press into the ground.
    #[inline(always)]
    fn solve_with_overlooked(&self, fall: &mut Fall, solved: &mut Solved) {
        for _ in 0..MOST_ROUNDS {
            let next = self.next_midpoint(&solved.end);
            if !hold::add_overlooked(fall, self, &solved.end, &next) {
                break;
            }
            percussions::set_up(fall, self);
            *solved = percussions::solve(fall, self);
        }
    }

    /// See [`Lead::limit`](percussions::Lead::limit).
    #[inline(always)]
    fn gain_nothing(&self, fall: &mut Fall, solved: &mut Solved) -> bool {
        let returned = 2.0 * fall.weight() * self.dt * -self.freely_returning();
        let (weight, change) = (fall.weight(), fall.scene.gravity_m_s2 * fall.scene.time_step_s);
        fall.work.lead.limit(solved, fall.rock, weight, change, returned)
    }

    /// After a step with contacts that hold: `height` is that of its beginning, m. Returns when in the step contact ended, s.
    #[inline(always)]
    fn hold_up<const BALANCE: bool>(&self, fall: &mut Fall, height: f64, info: &mut StepInfo) -> Option<f64> {
        if info.pressed > 0 && fall.work.deepest < -push_out::PENETRATION_M {
            // What the contacts took in this step pays for the height.
            let lost = self.kinetic_energy_before(fall) - fall.body.kinetic_energy(fall.rock);
            let taken = lost + fall.weight() * (height - fall.body.position.z);
            push_out::paid(fall, info, taken / fall.weight(), self);
        }
        if BALANCE {
            info.clearance_m = fall.clearance();
        } else if info.pressed == 0 {
            let touches = fall.work.touches;
            info.clearance_m = if touches { fall.height_above_ground() } else { fall.clearance_in_flight() };
        }
        let touched = std::mem::replace(&mut fall.work.touches, info.pressed > 0);
        if !touched || info.pressed > 0 {
            return None;
        }
        let left = self.leaves(fall, info.clearance_m);
        fall.work.touches = left.is_none();
        left
    }

    /// When in a step without percussions the rock is [`HELD_M`] above the ground, s; `None` if it is not. Contact ends at that instant, not with the step. `clearance` is that at
    /// the end, m: between the ends the rock may have been higher.
    fn leaves(&self, fall: &mut Fall, clearance: f64) -> Option<f64> {
        let half = 0.5 * self.dt;
        let rises = |from: f64, to: f64| ((HELD_M - from) / (to - from)).clamp(0.0, 1.0);
        if clearance > HELD_M {
            return Some(self.dt * rises(self.clearance, clearance));
        }
        let middle = fall.look(&self.middle, |look, survey| look.clearance_above(HELD_M, survey));
        (middle > HELD_M).then(|| half * rises(self.clearance, middle))
    }

    /// After a step of the published scheme, in which contact ends with the step.
    #[inline(always)]
    fn push_out<const BALANCE: bool>(&self, fall: &mut Fall, info: &mut StepInfo) -> Option<f64> {
        let pose = Pose::new(&fall.body.position, &fall.body.orientation);
        let roughly = !BALANCE && info.pressed > 0;
        info.clearance_m = fall.look(&pose, |look, survey| match roughly {
            true => look.clearance_in_contact(push_out::PENETRATION_M + self.level, survey),
            false => look.clearance(survey),
        });
        if info.closed > 0 && info.clearance_m + self.level < -push_out::PENETRATION_M {
            push_out::published(fall, info);
        }
        fall.work.touches = info.pressed > 0;
        None
    }
}
