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

use super::body::{Body, Pose};
use super::contact::{ContactSetup, Look, Survey};
use super::drag::{self, Drag};
use super::free_motion::FreeMotion;
use super::hold::{self, CLOSED_M, HELD_M, Seen};
use super::percussions::{self, Previous, Solved};
use super::scene::Scene;
use super::solver::{self, Contact, Velocity};
use super::step_info::{EnergyBalance, StepInfo};
use super::{friction, lanes, push_out, scarring};
use crate::rock::Rock;
use crate::terrain::{Ceiling, GroundScale};

/// How often a contact problem is solved again with contacts that its solution brought about.
const MOST_ROUNDS: u32 = 4;

/// What one trajectory keeps from step to step: buffers, the solver's first guess, what is known of the surroundings.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    pub(super) setup: ContactSetup,
    pub(super) survey: Survey,
    /// Covers the rock's surroundings, if it can be had and is wanted.
    pub(super) ceiling: Option<Ceiling>,
    /// How fast the vertices leave the ceiling, m/s.
    pub(super) rates: Vec<[f64; lanes::WIDTH]>,
    pub(super) contacts: Vec<Contact>,
    /// [`Contact::rebound`] of a plastic impact, which only takes energy, in the order of `contacts`.
    pub(super) inelastic: Vec<Vector3<f64>>,
    /// Whether a contact has restitution.
    pub(super) restitution: bool,
    /// Keys of `contacts`, in their order.
    pub(super) keys: Vec<u64>,
    /// Percussions of the step before: the warm start, and which contacts are new.
    pub(super) previous: Vec<Previous>,
    /// A copy of these, for when a longer step is tried and not taken.
    remembered: Vec<Previous>,
    /// Contacts of nodes and edges at the midpoint of the next step, as the last step saw them, and as this one does.
    pub(super) seen: Vec<Seen>,
    pub(super) seen_next: Vec<Seen>,
    pub(super) unseen: Vec<Seen>,
    /// By how much contacts have made more energy than they took, J.
    pub(super) gained: f64,
    /// Whether the rock counts as in contact for its slippage.
    pub(super) touches: bool,
    /// Smallest gap at the next midpoint as the last step left it, m; not positive, only of contacts that hold.
    pub(super) deepest: f64,
    /// Whether the rock slid on all its contacts in the last step.
    pub(super) slid: bool,
    /// [`StepInfo::clearance_m`] of the last step.
    pub(super) clearance: f64,
    /// How long the next step is, s, if the last one ended at an impact.
    pub(super) impact_next: Option<f64>,
    /// Whether it lay still at the end of the last step.
    pub(super) still: bool,
    pub(super) scratch: solver::Scratch,
}

impl Workspace {
    pub fn new(scene: &Scene, rock: &Rock) -> Self {
        Self { setup: ContactSetup::new(scene, rock), clearance: f64::INFINITY, ..Self::default() }
    }

    /// Contacts of the last step with their percussions (N, T1, T2): vertex index, DEM node from 2³² on, or edge from 2⁶² on.
    pub fn contacts(&self) -> impl Iterator<Item = (u64, &Contact)> {
        self.keys.iter().copied().zip(&self.contacts)
    }

    /// Takes note of a rock that starts with this clearance. On the ground it is in contact, as high as contacts that hold are closed.
    pub fn begin(&mut self, scene: &Scene, body: &mut Body, clearance: f64) -> f64 {
        self.touches = clearance <= CLOSED_M;
        if !self.touches || !scene.holds_contacts() || scene.ground.scarring.is_some() {
            return clearance;
        }
        body.position.z += CLOSED_M - clearance;
        self.clearance = CLOSED_M;
        CLOSED_M
    }

    /// Smallest vertical gap between a body and the ground, m.
    pub fn clearance(&mut self, scene: &Scene, rock: &Rock, body: &Body) -> f64 {
        let pose = Pose::new(&body.position, &body.orientation);
        self.clearance = self.look(scene, rock, &pose, |look, survey| look.clearance(survey));
        self.clearance
    }

    /// Sees to a ceiling over the rock at a pose and looks at the ground from there.
    pub(super) fn look<T>(
        &mut self,
        scene: &Scene,
        rock: &Rock,
        pose: &Pose,
        see: impl FnOnce(Look<'_>, &mut Survey) -> T,
    ) -> T {
        self.cover(scene, rock, &pose.position, 0.0);
        let (surface, setup, ceiling) = (&scene.surface, &self.setup, self.ceiling.as_ref());
        see(Look { surface, rock, setup, pose, ceiling }, &mut self.survey)
    }

    /// Heights above the ceiling at a pose.
    pub(super) fn measure(&mut self, scene: &Scene, rock: &Rock, pose: &Pose) {
        self.look(scene, rock, pose, |look, survey| look.measure(survey));
    }

    /// Keeps what a trial changes.
    pub(super) fn remember(&mut self) {
        self.remembered.clone_from(&self.previous);
    }

    /// Whether the contacts found are those of the step before [`Workspace::remember`].
    pub(super) fn touches_what_it_did(&self) -> bool {
        let (touches, remembered) = (&self.survey.touches, &self.remembered);
        touches.len() == remembered.len()
            && touches.iter().all(|touch| remembered.iter().any(|previous| previous.key == touch.key))
    }

    /// As if there had been no trial since [`Workspace::remember`].
    pub(super) fn recall(&mut self) {
        std::mem::swap(&mut self.previous, &mut self.remembered);
    }

    /// As after a step without contact.
    pub(super) fn forget_contacts(&mut self) {
        self.contacts.clear();
        self.keys.clear();
        self.previous.clear();
        self.seen.clear();
        self.touches = false;
        self.slid = false;
        self.still = false;
        self.impact_next = None;
    }

    /// Renews the ceiling where it does not reach `beyond` metres further than the rock; true if it was renewed.
    pub(super) fn cover(&mut self, scene: &Scene, rock: &Rock, position: &Vector3<f64>, beyond: f64) -> bool {
        let (x, y, reach) = (position.x, position.y, rock.bounding_radius + beyond);
        let covered = self.ceiling.as_ref().is_some_and(|ceiling| ceiling.covers(x, y, reach));
        if covered || scene.is_plain() {
            return false;
        }
        // A little more, so that it lasts for many steps.
        let margin = 0.1 * rock.bounding_radius + 0.5 * beyond;
        let ceiling = Ceiling::around(&scene.surface, x, y, reach + margin);
        self.ceiling = ceiling.covers(x, y, reach).then_some(ceiling);
        true
    }
}

/// Advances `body` by one time step.
pub fn step(scene: &Scene, rock: &Rock, scale: &GroundScale, body: &mut Body, work: &mut Workspace) -> StepInfo {
    single_step::<true>(scene, rock, scale, body, work)
}

/// [`step`], with [`StepInfo::percussion`] and [`StepInfo::energy`] only where they are wanted.
pub fn single_step<const BALANCE: bool>(
    scene: &Scene,
    rock: &Rock,
    scale: &GroundScale,
    body: &mut Body,
    work: &mut Workspace,
) -> StepInfo {
    let mut trial = match work.impact_next.take() {
        Some(short) => Trial::look(scene, rock, scale, body, work, short),
        None => Trial::look(scene, rock, scale, body, work, scene.time_step_s),
    };
    if let Some(time) = trial.holds.then(|| trial.time_before_impact(scene, work)).flatten() {
        trial = Trial::look(scene, rock, scale, body, work, time);
        trial.leave_impact_to_next(work);
    }
    trial.solve_few(scene, rock, scale, work);
    trial.finish::<BALANCE>(scene, rock, scale, body, work)
}

/// A step up to the point where the body moves.
pub struct Trial {
    pub dt: f64,
    /// Velocities at the beginning.
    pub old: Velocity,
    /// Of the friction law, m: at the midpoint, in the published scheme at the beginning.
    pub slippage: f64,
    pub middle: Pose,
    /// Where contacts are looked for: the next midpoint without percussions if contacts hold, else this one.
    pub found_at: Pose,
    /// Contacts are held at the level of positions (`hold`).
    pub holds: bool,
    pub is_sphere: bool,
    /// The rock lay still: there is nothing to correct.
    pub still: bool,
    pub free: FreeMotion,
    /// See [`Trial::measure_bend`].
    pub bend: Vector3<f64>,
    /// How far below the ground a contact is closed, m: at the rebound plane of soil.
    pub level: f64,
    slides: bool,
    /// The percussions, once they are known.
    solved: Option<Solved>,
}

impl Trial {
    /// A trial with its percussions, as far as they are had cheaply.
    #[inline(always)]
    pub fn begin(
        scene: &Scene,
        rock: &Rock,
        scale: &GroundScale,
        body: &mut Body,
        work: &mut Workspace,
        dt: f64,
    ) -> Self {
        let mut trial = Self::look(scene, rock, scale, body, work, dt);
        trial.solve_few(scene, rock, scale, work);
        trial
    }

    #[inline(always)]
    fn solve_few(&mut self, scene: &Scene, rock: &Rock, scale: &GroundScale, work: &mut Workspace) {
        if self.holds {
            self.measure_bend(&work.survey.touches);
        }
        (self.solved, self.slides) = percussions::solve_few(scene, rock, scale, self, work);
    }

    /// Looks for contacts. The only part of the body that changes is the state of its scar.
    #[inline(always)] // a trial is large, and not worth moving about
    fn look(scene: &Scene, rock: &Rock, scale: &GroundScale, body: &mut Body, work: &mut Workspace, dt: f64) -> Self {
        let middle = hold::midpoint(body, dt);
        let drag = ground_drag(scene, rock, &middle, body, work, dt);
        let mut trial = Self {
            dt,
            old: Velocity { v: body.velocity, omega: body.omega },
            slippage: body.slippage,
            free: FreeMotion::new(scene, rock, body, &drag, dt),
            middle,
            found_at: middle,
            holds: scene.holds_contacts(),
            is_sphere: rock.sphere_radius.is_some(),
            still: work.still,
            bend: Vector3::zeros(),
            level: body.scar_depth.unwrap_or(0.0),
            slides: false,
            solved: None,
        };
        if trial.holds {
            let beta = || beta_at(scene, scale, &body.position);
            trial.slippage = friction::advance(body.slippage, work.touches, body.velocity.norm(), beta, 0.5 * dt);
            trial.found_at = trial.free_midpoint();
            // In soil, a little below its rebound plane: a rock that lies there has not left the soil.
            trial.level = match &scene.ground.scarring {
                None => -CLOSED_M,
                Some(soil) => scarring::expected_depth(soil, rock, body) + CLOSED_M,
            };
        }
        work.look(scene, rock, &trial.found_at, |look, survey| look.find_touches(trial.level, survey));
        if trial.holds {
            trial.bring_to_middle(&trial.found_at, &mut work.survey, &work.seen, &mut work.seen_next);
        }
        trial
    }

    /// Whether the rock slides on all its contacts to the end of the step.
    pub fn slides(&self) -> bool {
        self.slides
    }

    /// Whether the rock lies still at the end of the step.
    pub fn rests(&mut self, scene: &Scene, rock: &Rock, scale: &GroundScale, work: &mut Workspace) -> bool {
        let solved = self.solve::<false>(scene, rock, scale, work);
        let still = solved.lies_still(rock);
        self.solved = Some(solved);
        still
    }

    #[inline(always)]
    fn solve<const BALANCE: bool>(
        &mut self,
        scene: &Scene,
        rock: &Rock,
        scale: &GroundScale,
        work: &mut Workspace,
    ) -> Solved {
        if BALANCE || self.solved.is_none() {
            percussions::set_up(scene, scale, self, work);
        }
        self.solved.take().unwrap_or_else(|| percussions::solve(scene, rock, self, work))
    }

    /// Solves for the percussions, if that is still to do, and moves the body.
    #[inline(always)]
    pub fn finish<const BALANCE: bool>(
        mut self,
        scene: &Scene,
        rock: &Rock,
        scale: &GroundScale,
        body: &mut Body,
        work: &mut Workspace,
    ) -> StepInfo {
        let mut solved = self.solve::<BALANCE>(scene, rock, scale, work);
        if self.holds && solved.pressed > 0 && work.impact_next.is_none() {
            for _ in 0..MOST_ROUNDS {
                let next = self.next_midpoint(&solved.end);
                if !hold::add_overlooked(scene, rock, &self, &solved.end, &next, work) {
                    break;
                }
                percussions::set_up(scene, scale, &self, work);
                solved = percussions::solve(scene, rock, &self, work);
            }
        }
        let allowed = percussions::energy_lead(rock.mass_kg, scene.gravity_m_s2, scene.time_step_s);
        let returned = 2.0 * weight(scene, rock) * self.dt * -self.freely_returning();
        let reduced = self.holds && solved.gain_nothing(rock, &mut work.gained, allowed, returned);
        std::mem::swap(&mut work.seen, &mut work.seen_next);
        work.slid = self.slides;
        work.still = solved.lies_still(rock);
        let closed = work.survey.touches.len() as u32;
        let Self { dt, level, free, middle, .. } = &self;

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
            duration_s: *dt,
            closed,
            pressed: solved.pressed,
            percussion: Vector3::zeros(),
            solver: solved.status,
            rotation_converged: free.rotation.converged,
            restitution_reduced: solved.restitution_reduced,
            pushed_out_m: 0.0,
            clearance_m: 0.0,
            energy: EnergyBalance::default(),
            mode: None,
        };
        let before_push = body.position.z;
        if self.holds {
            if info.pressed > 0 && work.deepest < -push_out::PENETRATION_M {
                // What the contacts took in this step pays for the height.
                let taken = rock.kinetic_energy(&self.old.v, &self.old.omega) - body.kinetic_energy(rock)
                    + weight(scene, rock) * (height - body.position.z);
                push_out::paid(scene, rock, body, work, &mut info, taken / weight(scene, rock), &self);
            }
            if BALANCE || info.pressed == 0 {
                info.clearance_m = work.clearance(scene, rock, body);
            }
            work.touches = info.pressed > 0 || (work.touches && info.clearance_m <= HELD_M);
        } else {
            let pose = Pose::new(&body.position, &body.orientation);
            let roughly = !BALANCE && info.pressed > 0;
            info.clearance_m = work.look(scene, rock, &pose, |look, survey| {
                if roughly {
                    look.clearance_in_contact(push_out::PENETRATION_M + level, survey)
                } else {
                    look.clearance(survey)
                }
            });
            if info.closed > 0 && info.clearance_m + level < -push_out::PENETRATION_M {
                push_out::published(scene, rock, body, work, &mut info);
            }
            work.touches = info.pressed > 0;
        }
        let rest_of_step = if self.holds { 0.5 * dt } else { *dt };
        let beta = || beta_at(scene, scale, &body.position);
        body.slippage = friction::advance(self.slippage, work.touches, body.velocity.norm(), beta, rest_of_step);
        work.clearance = info.clearance_m;
        if BALANCE {
            info.percussion = work.contacts.iter().map(|c| c.w_v * c.percussion).sum();
            info.energy = EnergyBalance {
                kinetic_change: body.kinetic_energy(rock) - rock.kinetic_energy(&self.old.v, &self.old.omega),
                potential_change: weight(scene, rock) * (body.position.z - height),
                drag: free.drag_work(&solved.end, *dt),
                contact: match reduced {
                    true => free.work_to(&solved.end),
                    false => free.contact_work(&work.contacts, &solved.end),
                },
                gyroscopic: free.gyroscopic_work(rock, &self.old.omega),
                correction: weight(scene, rock) * (body.position.z - before_push),
            };
        }
        info
    }
}

fn beta_at(scene: &Scene, scale: &GroundScale, position: &Vector3<f64>) -> f64 {
    scale.beta * scene.ground.beta_per_s.at(position.x, position.y)
}

pub(super) fn weight(scene: &Scene, rock: &Rock) -> f64 {
    rock.mass_kg * scene.gravity_m_s2
}

/// Forest and soil; also keeps the state of the scar.
fn ground_drag(scene: &Scene, rock: &Rock, middle: &Pose, body: &mut Body, work: &mut Workspace, dt: f64) -> Drag {
    let mut drag = drag::forest(scene.forest.as_ref(), &scene.surface, &middle.position);
    if let Some(soil) = &scene.ground.scarring {
        let clearance = work.look(scene, rock, middle, |look, survey| look.clearance(survey));
        body.scar_depth = scarring::update(soil, body.scar_depth, clearance, rock, middle, &body.velocity);
        if clearance <= 0.0 {
            work.look(scene, rock, middle, |look, survey| look.measure_all(survey));
            let gaps = scarring::Gaps { clearance, vertices: &work.survey.vertex_gaps };
            drag.linear += scarring::drag(soil, &gaps, rock, middle, &body.velocity, dt);
        }
    }
    drag
}
