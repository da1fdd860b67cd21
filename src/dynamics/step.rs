//! One time step: free motion → detect contacts → solve percussions → advance (Leine 2014, §4; Leine 2021, §5).
//!
//! ```text
//! rᴹ = r + Δt/2 v,  pᴹ = p + Δt/2 F(p) ω                                        Leine 2021, eq. 79
//! v' = [(m − Δt/2 c) v − m g Δt e_z + W_v P] / (m + Δt/2 c)                             eq. 81
//! ω' = explicit eq. 82, or implicit eq. 84–85 (free rotation, then drag and percussions); see `rotation::free`
//! −(γ' + εγ) ∈ N_C(P)  for every contact closed at (rᴹ, pᴹ)                     Leine 2014, eq. 52
//! r' = rᴹ + Δt/2 v'                                                              Leine 2021, eq. 86
//! p' = explicit eq. 83, or implicit eq. 87 (turned with the free velocity only)
//! ```
//!
//! # Deviations
//! - Newton's law uses min(γ_N, 0): a contact that already separates cannot be pulled back (Leine 2014, §3.6.3, names
//!   this pathology of eq. 38).
//! - Except in the explicit scheme, rotational drag is centred on the torque-free velocity instead of the old one, so that
//!   it can only take energy.
//! - Restitution that would add energy, or with which the contact problem is not solved, is dropped for that step and
//!   counted ([`StepInfo::restitution_reduced`]).
//! - Contacts act on velocities only, so positions drift and impacts are noticed up to a step late. What is deeper than
//!   [`PENETRATION_M`] after a step with contact is pushed out along the contact normal, velocities untouched.

use nalgebra::{Matrix3, Vector3};

use super::body::{Body, Pose};
use super::contact::{self, ContactSetup, Survey};
use super::drag::{self, Drag};
use super::rocfall::motion::Mode;
use super::rotation::{FreeRotation, half_step};
use super::scene::Scene;
use super::solver::{self, Contact, Response, Status, Velocity};
use super::{friction, scarring};
use crate::rock::Rock;
use crate::terrain::{ContactFrame, GroundScale};

/// Penetration along the contact normal that is left alone, m. Contacts stay closed within it; it is far below what a DEM
/// knows.
pub const PENETRATION_M: f64 = 1e-3;

/// Buffers of one trajectory; holds nothing that a step's result depends on except the solver's first guess.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    setup: ContactSetup,
    survey: Survey,
    contacts: Vec<Contact>,
    /// Keys of `contacts`, in their order.
    keys: Vec<u64>,
    /// Percussions of the step before, by key: the warm start.
    previous: Vec<(u64, Vector3<f64>)>,
    scratch: solver::Scratch,
}

/// What happened in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepInfo {
    /// Contacts closed at the midpoint.
    pub closed: u32,
    /// Contacts with a percussion.
    pub pressed: u32,
    /// Sum of all percussions, inertial frame, N s.
    pub percussion: Vector3<f64>,
    /// Convergence of the contact solver; `None` without contact.
    pub solver: Option<Status>,
    /// Newton of the free rotation reached rounding.
    pub rotation_converged: bool,
    pub restitution_reduced: bool,
    /// How far the rock was pushed out of the ground after the step, m.
    pub pushed_out_m: f64,
    /// Smallest vertical gap after the step, m; negative below ground.
    pub clearance_m: f64,
    pub energy: EnergyBalance,
    /// What the rock was doing under the restitution laws; `None` for the non-smooth model.
    pub mode: Option<Mode>,
}

/// Energies of a step, J (Leine 2014, eq. 54, with ΔV = V' − V): kinetic + potential = drag + contact + gyroscopic +
/// correction, to rounding.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EnergyBalance {
    pub kinetic_change: f64,
    pub potential_change: f64,
    /// Work of drag; never positive.
    pub drag: f64,
    /// Work of the percussions (eq. 57).
    pub contact: f64,
    /// Error of the free rotation: rounding in the explicit and implicit schemes.
    pub gyroscopic: f64,
    /// Height gained by pushing the rock out of the ground.
    pub correction: f64,
}

impl EnergyBalance {
    /// What the balance does not explain.
    pub fn residual(&self) -> f64 {
        self.kinetic_change + self.potential_change - self.drag - self.contact - self.gyroscopic - self.correction
    }
}

impl Workspace {
    pub fn new(scene: &Scene, rock: &Rock) -> Self {
        Self { setup: ContactSetup::new(scene, rock), ..Self::default() }
    }

    /// Contacts of the last step with their percussions (N, T1, T2): vertex index, or DEM node from 2³² on.
    pub fn contacts(&self) -> impl Iterator<Item = (u64, &Contact)> {
        self.keys.iter().copied().zip(&self.contacts)
    }

    /// Smallest vertical gap between a body and the ground, m.
    pub fn clearance(&mut self, scene: &Scene, rock: &Rock, body: &Body) -> f64 {
        let pose = Pose::new(&body.position, &body.orientation);
        contact::survey(scene, rock, &self.setup, &pose, &mut self.survey);
        self.survey.clearance
    }
}

/// Advances `body` by one time step.
pub fn step(scene: &Scene, rock: &Rock, scale: &GroundScale, body: &mut Body, work: &mut Workspace) -> StepInfo {
    let dt = scene.time_step_s;
    let start = body.clone();
    let middle = Pose::new(&(body.position + 0.5 * dt * body.velocity), &half_step(&body.orientation, &body.omega, dt));

    contact::survey(scene, rock, &work.setup, &middle, &mut work.survey);
    let drag = ground_drag(scene, rock, &middle, body, work);
    let free = FreeMotion::new(scene, rock, body, &drag);

    let depth = body.scar_depth.unwrap_or(0.0);
    contact::find_touches(scene, rock, &work.setup, &middle, depth, &mut work.survey);
    set_up_contacts(scene, scale, &start, &middle, work);
    let solved = solve_contacts(scene, rock, &free, work);

    body.velocity = solved.end.v;
    body.omega = solved.end.omega;
    body.position = middle.position + 0.5 * dt * body.velocity;
    body.orientation = free.rotation.end_orientation(&body.omega, dt);
    body.residue = free.rotation.residue;
    let pressed = work.contacts.iter().filter(|c| c.percussion.x > 0.0).count() as u32;
    let beta = scale.beta * scene.ground.beta_per_s.at(body.position.x, body.position.y);
    body.slippage = friction::advance(body.slippage, pressed > 0, body.velocity.norm(), beta, dt);

    let mut info = StepInfo {
        closed: work.contacts.len() as u32,
        pressed,
        percussion: work.contacts.iter().map(|c| c.w_v * c.percussion).sum(),
        solver: solved.status,
        rotation_converged: free.rotation.converged,
        restitution_reduced: solved.restitution_reduced,
        pushed_out_m: 0.0,
        clearance_m: work.clearance(scene, rock, body),
        energy: EnergyBalance::default(),
        mode: None,
    };
    let before_push = potential(scene, rock, body);
    if info.closed > 0 {
        push_out(scene, rock, body, work, &mut info);
    }
    info.energy = EnergyBalance {
        kinetic_change: body.kinetic_energy(rock) - start.kinetic_energy(rock),
        potential_change: potential(scene, rock, body) - potential(scene, rock, &start),
        drag: free.drag_work(&solved.end, dt),
        contact: solved.work,
        gyroscopic: free.gyroscopic_work,
        correction: potential(scene, rock, body) - before_push,
    };
    info
}

fn potential(scene: &Scene, rock: &Rock, body: &Body) -> f64 {
    rock.mass_kg * scene.gravity_m_s2 * body.position.z
}

/// Forest and soil; also keeps the state of the scar.
fn ground_drag(scene: &Scene, rock: &Rock, middle: &Pose, body: &mut Body, work: &Workspace) -> Drag {
    let mut drag = drag::forest(scene.forest.as_ref(), &scene.surface, &middle.position);
    if let Some(soil) = &scene.ground.scarring {
        body.scar_depth = scarring::update(soil, body.scar_depth, &work.survey, rock, middle, &body.velocity);
        drag.linear += scarring::drag(soil, &work.survey, rock, middle, &body.velocity, scene.time_step_s);
    }
    drag
}

/// The step without contacts.
struct FreeMotion {
    /// u_free: what the velocities become.
    end: Velocity,
    /// M_Δ⁻¹: how percussions change them.
    response: Response,
    /// The velocities that, averaged with the final ones, give the work of percussions and drag.
    start: Velocity,
    rotation: FreeRotation,
    drag: Drag,
    gyroscopic_work: f64,
}

impl FreeMotion {
    fn new(scene: &Scene, rock: &Rock, body: &Body, drag: &Drag) -> Self {
        let (dt, m) = (scene.time_step_s, rock.mass_kg);
        let half_drag = 0.5 * dt * drag.linear;
        let per_mass = 1.0 / (m + half_drag);
        let v = ((m - half_drag) * body.velocity - Vector3::z() * (m * scene.gravity_m_s2 * dt)) * per_mass;
        let rotation = FreeRotation::new(
            scene.integrator,
            &rock.inertia,
            &body.orientation,
            &body.omega,
            &body.residue,
            &Matrix3::from_diagonal_element(drag.angular),
            dt,
        );
        Self {
            end: Velocity { v, omega: rotation.omega },
            response: Response { per_mass, per_inertia: rotation.response },
            start: Velocity { v: body.velocity, omega: rotation.torque_free },
            gyroscopic_work: rock.kinetic_energy(&body.velocity, &rotation.torque_free) - body.kinetic_energy(rock),
            rotation,
            drag: *drag,
        }
    }

    /// −Δt c |v̄|² − Δt C |ω̄|² with the mean velocities of the step.
    fn drag_work(&self, end: &Velocity, dt: f64) -> f64 {
        let v = 0.5 * (self.start.v + end.v);
        let omega = 0.5 * (self.start.omega + end.omega);
        -dt * (self.drag.linear * v.norm_squared() + self.drag.angular * omega.norm_squared())
    }

    /// ½ (u' + u)ᵀ W P (Leine 2014, eq. 57).
    fn contact_work(&self, contacts: &[Contact], end: &Velocity) -> f64 {
        let twice: f64 = contacts.iter().map(|c| (c.velocity(end) + c.velocity(&self.start)).dot(&c.percussion)).sum();
        0.5 * twice
    }
}

/// Turns the touches into the contact problem, with last step's percussions as first guess.
fn set_up_contacts(scene: &Scene, scale: &GroundScale, start: &Body, middle: &Pose, work: &mut Workspace) {
    let ground = &scene.ground;
    let old = Velocity { v: start.velocity, omega: start.omega };
    work.contacts.clear();
    work.keys.clear();
    for touch in &work.survey.touches {
        let (x, y) = (touch.x, touch.y);
        let w_v = ContactFrame::from_normal(&touch.normal).axes;
        let kappa = scale.kappa * ground.kappa_per_m.at(x, y);
        let mu = friction::coefficient(ground.mu_min.at(x, y), ground.mu_max.at(x, y), kappa, start.slippage);
        let guess = work.previous.iter().find(|(key, _)| *key == touch.key).map_or_else(Vector3::zeros, |(_, p)| *p);
        let mut contact = Contact {
            w_v,
            w_omega: contact::moments(&touch.arm, &middle.rotation, &w_v),
            mu: scale.mu * mu,
            rebound: Vector3::zeros(),
            percussion: guess,
        };
        let epsilon_n = (scale.epsilon * ground.epsilon_n.at(x, y)).clamp(0.0, 1.0);
        let epsilon_t = (scale.epsilon * ground.epsilon_t.at(x, y)).clamp(0.0, 1.0);
        if epsilon_n > 0.0 || epsilon_t > 0.0 {
            let gamma = contact.velocity(&old);
            contact.rebound = Vector3::new(epsilon_n * gamma.x.min(0.0), epsilon_t * gamma.y, epsilon_t * gamma.z);
        }
        work.contacts.push(contact);
        work.keys.push(touch.key);
    }
}

struct Solved {
    end: Velocity,
    status: Option<Status>,
    work: f64,
    restitution_reduced: bool,
}

/// Percussions and end velocities. Energy that the contact law would add beyond what the time discretisation explains is
/// refused: first by dropping restitution, then, without convergence, by scaling the percussions back.
fn solve_contacts(scene: &Scene, rock: &Rock, free: &FreeMotion, work: &mut Workspace) -> Solved {
    if work.contacts.is_empty() {
        work.previous.clear();
        return Solved { end: free.end, status: None, work: 0.0, restitution_reduced: false };
    }
    let (mut end, mut status) = solver::solve(&mut work.contacts, &free.response, &free.end, &mut work.scratch);
    let mut done = free.contact_work(&work.contacts, &end);
    let allowed = energy_gain_bound(scene, rock, free);
    let elastic = work.contacts.iter().any(|c| c.rebound != Vector3::zeros());
    // With restitution and much friction there may be no solution at all.
    let restitution_reduced = elastic && (done > allowed || !status.converged);
    if restitution_reduced {
        work.contacts.iter_mut().for_each(|c| c.rebound = Vector3::zeros());
        (end, status) = solver::solve(&mut work.contacts, &free.response, &free.end, &mut work.scratch);
        done = free.contact_work(&work.contacts, &end);
    }
    if !status.converged && done > allowed {
        // The work is αa + α²b of the scale α with b > 0; it vanishes at α = −a/b.
        let push = |u: &Velocity| work.contacts.iter().map(|c| c.velocity(u).dot(&c.percussion)).sum::<f64>();
        let a = 0.5 * (push(&free.start) + push(&free.end));
        let b = done - a;
        let alpha = (-a / b).clamp(0.0, 1.0);
        work.contacts.iter_mut().for_each(|c| c.percussion *= alpha);
        end = solver::with_percussions(&work.contacts, &free.response, &free.end);
        done = free.contact_work(&work.contacts, &end);
    }
    work.previous.clear();
    work.previous.extend(work.keys.iter().copied().zip(work.contacts.iter().map(|c| c.percussion)));
    Solved { end, status: Some(status), work: done, restitution_reduced }
}

/// Energy a sound contact step may gain, J. Percussions act at the midpoint on velocities that gravity changes by gΔt:
/// a contact that closes within a step can gain m(gΔt)²/8 that way, and friction about a millionth of the kinetic energy.
pub fn energy_gain_allowance(mass_kg: f64, gravity_m_s2: f64, dt: f64, kinetic_energy_j: f64) -> f64 {
    mass_kg * (gravity_m_s2 * dt).powi(2) + 1e-6 * kinetic_energy_j
}

fn energy_gain_bound(scene: &Scene, rock: &Rock, free: &FreeMotion) -> f64 {
    let kinetic = rock.kinetic_energy(&free.start.v, &free.start.omega);
    energy_gain_allowance(rock.mass_kg, scene.gravity_m_s2, scene.time_step_s, kinetic)
}

/// Moves a rock that is deeper than [`PENETRATION_M`] out of the ground, by translation only: along the normal of the
/// deepest contact, repeatedly: in a notch the walls take turns.
///
/// Velocities stay. The height gained appears as [`EnergyBalance::correction`]. On curved ground and at impacts it gives
/// back no more than the contact work took; in the implicit scheme it also makes up for the orientation that follows the
/// percussions one step late (Leine 2021, eq. 87), which sinks a tipping rock by ½ Δt Δω times its lever arm. Taking this
/// energy from the motion instead would freeze rocks that begin to tip.
fn push_out(scene: &Scene, rock: &Rock, body: &mut Body, work: &mut Workspace, info: &mut StepInfo) {
    let depth = body.scar_depth.unwrap_or(0.0);
    let before = body.position;
    for _ in 0..8 {
        if info.clearance_m + depth >= -PENETRATION_M {
            break;
        }
        let pose = Pose::new(&body.position, &body.orientation);
        contact::find_touches(scene, rock, &work.setup, &pose, depth, &mut work.survey);
        let Some(deepest) = work.survey.touches.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) else { break };
        let excess = -deepest.gap - PENETRATION_M;
        if excess <= 0.0 {
            break;
        }
        body.position += deepest.normal * excess;
        info.clearance_m = work.clearance(scene, rock, body);
    }
    info.pushed_out_m = (body.position - before).norm();
}
