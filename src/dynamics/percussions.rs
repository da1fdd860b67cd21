//! From touches to percussions: the contact problem of a step with its ground, its first guess and its energy guard.

use nalgebra::{Matrix3, Vector3};

use super::fall::{Fall, Workspace};
use super::nodes::FIRST_NODE_KEY;
use super::scene::Scene;
use super::solver::sliding::Sliding;
use super::solver::{self, Contact, Status, Velocity};
use super::step::Trial;
use super::{contact, friction, lanes};
use crate::rock::Rock;
use crate::terrain::{ContactFrame, GroundScale, ParameterField};

/// Turns the touches into the contact problem, with last step's percussions as first guess.
pub fn set_up(fall: &mut Fall, trial: &Trial) {
    let Fall { scene, scale, work, .. } = fall;
    work.contacts.clear();
    work.inelastic.clear();
    work.restitution = false;
    work.keys.clear();
    for touch in &work.survey.touches {
        let (x, y) = (touch.x, touch.y);
        let w_v = ContactFrame::from_normal(&touch.normal).axes;
        let guess = work.previous.iter().find(|previous| previous.key == touch.key);
        let mut contact = Contact {
            w_v,
            w_omega: contact::moments(&touch.arm, &trial.middle.rotation, &w_v),
            mu: friction_at(scene, scale, x, y, trial.slippage),
            rebound: Vector3::zeros(),
            percussion: guess.map_or_else(Vector3::zeros, |previous| w_v.tr_mul(&previous.force) * trial.dt),
        };
        let demand = trial.demand(scene, touch, guess.is_none(), 0.0);
        let across = w_v.tr_mul(&demand.tangential);
        contact.rebound = Vector3::new(demand.normal, across.y, across.z);
        work.inelastic.push(Vector3::new(demand.normal.max(0.0), 0.0, 0.0));
        let (epsilon_n, epsilon_t) = restitution_at(scene, scale, x, y);
        if epsilon_n > 0.0 || epsilon_t > 0.0 {
            work.restitution = true;
            let gamma = contact.velocity(&trial.old);
            contact.rebound.x = trial.demand(scene, touch, guess.is_none(), epsilon_n).normal;
            contact.rebound += Vector3::new(0.0, epsilon_t * gamma.y, epsilon_t * gamma.z);
        }
        work.contacts.push(contact);
        work.keys.push(touch.key);
    }
    if trial.holds && work.contacts.len() > 1 && !work.restitution {
        reconcile(&trial.middle.rotation, work);
    }
}

/// Rounds of [`reconcile`]; two contacts need one.
const MOST_ROUNDS: u32 = 12;
/// Contradictions below this are left to the solver, m/s.
const AGREED_M_S: f64 = 1e-9;

/// Makes the demands of contacts that stick compatible. No motion of a rigid body changes the distance of two of its points: demands
/// that would are shared out along the ground, those along the normals stay.
fn reconcile(rotation: &Matrix3<f64>, work: &mut Workspace) {
    let touches = &work.survey.touches;
    for _ in 0..MOST_ROUNDS {
        let mut agreed = true;
        for i in 0..touches.len() {
            for j in 0..i {
                let line = rotation * (touches[i].arm - touches[j].arm);
                let length = line.norm();
                let demand = |k: usize| work.contacts[k].w_v * work.contacts[k].rebound;
                let excess = (demand(i) - demand(j)).dot(&line) / length;
                // Also where two contacts are at the same place.
                if excess.is_nan() || excess.abs() <= AGREED_M_S {
                    continue;
                }
                agreed = false;
                for (k, share) in [(i, -0.5), (j, 0.5)] {
                    let mut along = work.contacts[k].w_v.tr_mul(&line);
                    along.x = 0.0;
                    // Contacts above each other have nothing to share out.
                    if along.norm_squared() > 0.01 * length * length {
                        let change = along * (share * excess * length / along.norm_squared());
                        work.contacts[k].rebound += change;
                    }
                }
            }
        }
        if agreed {
            break;
        }
    }
}

fn friction_at(scene: &Scene, scale: &GroundScale, x: f64, y: f64, slippage: f64) -> f64 {
    let ground = &scene.ground;
    let kappa = scale.kappa * ground.kappa_per_m.at(x, y);
    scale.mu * friction::coefficient(ground.mu_min.at(x, y), ground.mu_max.at(x, y), kappa, slippage)
}

/// Normal and tangential.
fn restitution_at(scene: &Scene, scale: &GroundScale, x: f64, y: f64) -> (f64, f64) {
    let coefficient = |field: &ParameterField| (scale.epsilon * field.at(x, y)).clamp(0.0, 1.0);
    (coefficient(&scene.ground.epsilon_n), coefficient(&scene.ground.epsilon_t))
}

/// The percussions where they are had cheaply: of one contact, and of a few that all slide. Also whether all slide.
#[inline(always)]
pub fn solve_few(fall: &mut Fall, trial: &Trial) -> (Option<Solved>, bool) {
    match fall.work.survey.touches.len() {
        1 => {
            set_up(fall, trial);
            let solved = solve(fall, trial);
            let slides = solved.pressed > 0 && !fall.work.contacts[0].sticks();
            (Some(solved), slides)
        }
        2..=lanes::WIDTH => {
            let solved = slide(fall, trial);
            let slides = solved.is_some();
            (solved, slides)
        }
        _ => (None, false),
    }
}

/// The percussions of a few contacts that all slide; `None` if they do not, or if restitution would add energy.
fn slide(fall: &mut Fall, trial: &Trial) -> Option<Solved> {
    let Fall { scene, rock, scale, work, .. } = fall;
    let touches = &work.survey.touches;
    let (rotation, free) = (&trial.middle.rotation, &trial.free);
    let (mut sliding, mut elastic) = (Sliding::default(), false);
    for touch in touches {
        let (x, y) = (touch.x, touch.y);
        let previous = work.previous.iter().find(|previous| previous.key == touch.key);
        if previous.is_some_and(|previous| previous.sticks) {
            return None;
        }
        let warm = previous.map_or_else(Vector3::zeros, |previous| rotation.tr_mul(&previous.force) * trial.dt);
        let normal = rotation.tr_mul(&touch.normal);
        let (epsilon_n, epsilon_t) = restitution_at(scene, scale, x, y);
        let demand = trial.demand(scene, touch, previous.is_none(), epsilon_n);
        let across = demand.tangential - touch.normal * touch.normal.dot(&demand.tangential);
        let mut rebound = normal * demand.normal + rotation.tr_mul(&across);
        elastic |= demand.normal < trial.freely_returning();
        if epsilon_n > 0.0 || epsilon_t > 0.0 {
            elastic = true;
            let velocity = rotation.tr_mul(&trial.old.v) + trial.old.omega.cross(&touch.arm);
            rebound += (velocity - normal * velocity.dot(&normal)) * epsilon_t;
        }
        sliding.push(&touch.arm, &normal, friction_at(scene, scale, x, y, trial.slippage), &warm, &rebound);
    }
    let (end, status) = sliding.solve(rotation, &free.response, &free.end)?;
    let done = sliding.work(rotation, &free.start, &end);
    if elastic && done > energy_gain_bound(scene, rock, trial) {
        return None;
    }
    let percussions = sliding.percussions(rotation);
    work.previous.clear();
    let kept = touches.iter().enumerate();
    work.previous.extend(kept.map(|(lane, touch)| Previous {
        key: touch.key,
        force: percussions.get(lane) / trial.dt,
        sticks: false,
    }));
    let pressed = work.previous.iter().filter(|previous| previous.force != Vector3::zeros()).count() as u32;
    Some(Solved { end, status: Some(status), work: done, pressed, restitution_reduced: false })
}

/// A percussion that moves its contact by less than this share of what it would without friction jams it.
const JAM: f64 = 0.1;

/// Whether a contact that slides jams; see [`Trial::jams`].
pub fn jams(fall: &Fall, trial: &Trial, solved: &Solved) -> bool {
    let work = &fall.work;
    let (response, free) = (&trial.free.response, &trial.free.end);
    let change = Velocity { v: solved.end.v - free.v, omega: solved.end.omega - free.omega };
    work.survey.touches.iter().zip(&work.previous).any(|(touch, previous)| {
        let percussion = touch.normal.dot(&previous.force) * trial.dt;
        if previous.sticks || percussion <= 0.0 {
            return false;
        }
        let lever = touch.arm.cross(&trial.middle.rotation.tr_mul(&touch.normal));
        let moved = touch.normal.dot(&change.v) + lever.dot(&change.omega);
        let alone = percussion * (response.per_mass + lever.dot(&(response.per_inertia * lever)));
        moved < JAM * alone
    })
}

/// What a contact did in the step before.
#[derive(Debug, Clone, Copy)]
pub struct Previous {
    /// By which the contact is known in the next step.
    pub key: u64,
    /// Mean force of its percussion over the step, inertial frame, N.
    force: Vector3<f64>,
    sticks: bool,
}

impl Previous {
    pub(super) fn presses(&self) -> bool {
        self.force != Vector3::zeros()
    }

    pub(super) fn presses_between_corners(&self) -> bool {
        self.key >= FIRST_NODE_KEY && self.presses()
    }
}

impl Workspace {
    /// Whether a contact pressed in the last step.
    pub(super) fn is_carried(&self) -> bool {
        self.previous.iter().any(Previous::presses)
    }

    /// Whether one of an edge or a node did.
    pub(super) fn presses_between_corners(&self) -> bool {
        self.previous.iter().any(Previous::presses_between_corners)
    }
}

/// The end of a step.
pub struct Solved {
    /// Velocities after the step.
    pub end: Velocity,
    /// `None` without contact.
    pub status: Option<Status>,
    /// Of the percussions, J.
    pub work: f64,
    /// Contacts with a percussion.
    pub pressed: u32,
    /// Restitution was taken back so that no energy is made.
    pub restitution_reduced: bool,
}

/// Contacts may take energy, not make it. A step may be off by a little to either side, which is weighed against what they took before.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lead {
    /// By how much contacts are ahead of the lowest energy so far, J.
    ahead: f64,
    /// What bringing back to the surface has cost beside that, J.
    returned: f64,
    /// What they took in all, J.
    taken: f64,
}

/// The largest lead, as a share of what contacts took …
const LEAD_SHARE: f64 = 3e-5;
/// … and before they took anything, as a height of fall, m.
const FIRST_LEAD_M: f64 = 2e-6;

impl Lead {
    /// Takes the energy that a step would gain beyond what it may from its motion, some millionths of it: `change` of velocity by gravity
    /// in a step makes ½m(gΔt)², a fall of 0.02 mm at 2 ms, for a while, and `returned` is what bringing a rock back to the surface by rounding may cost: else it
    /// could not tip from there. Both no more than a share of what was taken. Returns whether anything was.
    pub fn limit(&mut self, solved: &mut Solved, rock: &Rock, weight: f64, change: f64, returned: f64) -> bool {
        let most = FIRST_LEAD_M * weight + LEAD_SHARE * self.taken;
        let returned = returned.min(solved.work).min(most - self.returned).max(0.0);
        self.returned += returned;
        self.taken -= solved.work.min(0.0);
        let rise = (self.ahead + solved.work - returned).max(0.0);
        let allowed = most.min(0.5 * rock.mass_kg * change * change);
        self.ahead = rise.min(allowed);
        if rise <= allowed {
            return false;
        }
        let Velocity { v, omega } = &mut solved.end;
        let share = (1.0 - (rise - allowed) / rock.kinetic_energy(v, omega)).max(0.0).sqrt();
        *v *= share;
        *omega *= share;
        true
    }
}

/// Slower than this, a rock in contact lies still, m/s: a thousand times what solvers leave.
const STILL_M_S: f64 = 1e-5;

impl Solved {
    /// On the ground, and no point of it moves.
    pub fn lies_still(&self, rock: &Rock) -> bool {
        let still = |speed: f64, of_one: f64| of_one * of_one * speed < STILL_M_S * STILL_M_S;
        self.pressed > 0
            && still(self.end.v.norm_squared(), 1.0)
            && still(self.end.omega.norm_squared(), rock.bounding_radius)
    }
}

/// Percussions and end velocities. Energy that the contact law would add beyond what the time discretisation explains is
/// refused: first by dropping restitution, then, without convergence, by scaling the percussions back.
pub fn solve(fall: &mut Fall, trial: &Trial) -> Solved {
    let Fall { scene, rock, work, .. } = fall;
    let free = &trial.free;
    if work.contacts.is_empty() {
        work.previous.clear();
        return Solved { end: free.end, status: None, work: 0.0, pressed: 0, restitution_reduced: false };
    }
    let (mut end, mut status) = solver::solve(&mut work.contacts, &free.response, &free.end, &mut work.scratch);
    let elastic = work.contacts.iter().zip(&work.inelastic).any(|(c, inelastic)| c.rebound != *inelastic);
    let mut reduced = false;
    // Without restitution a solution takes energy by itself.
    if elastic || !status.converged {
        let allowed = energy_gain_bound(scene, rock, trial);
        let mut done = free.contact_work(&work.contacts, &end);
        // With restitution and much friction there may be no solution at all.
        reduced = elastic && (done > allowed || !status.converged);
        if reduced {
            work.contacts.iter_mut().zip(&work.inelastic).for_each(|(c, inelastic)| c.rebound = *inelastic);
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
        }
    }
    work.previous.clear();
    work.previous.extend(work.keys.iter().zip(&work.contacts).map(|(key, contact)| Previous {
        key: *key,
        force: contact.w_v * contact.percussion / trial.dt,
        sticks: contact.sticks(),
    }));
    let pressed = work.contacts.iter().filter(|c| c.percussion.x > 0.0).count() as u32;
    let done = free.contact_work(&work.contacts, &end);
    Solved { end, status: Some(status), work: done, pressed, restitution_reduced: reduced && work.restitution }
}

/// Energy a sound contact step may gain, J. Percussions act at the midpoint on velocities that gravity changes by gΔt:
/// a contact that closes within a step can gain m(gΔt)²/8 that way, and friction about a millionth of the kinetic energy.
pub fn energy_gain_allowance(mass_kg: f64, gravity_m_s2: f64, dt: f64, kinetic_energy_j: f64) -> f64 {
    mass_kg * (gravity_m_s2 * dt).powi(2) + 1e-6 * kinetic_energy_j
}

fn energy_gain_bound(scene: &Scene, rock: &Rock, trial: &Trial) -> f64 {
    let start = &trial.free.start;
    energy_gain_allowance(rock.mass_kg, scene.gravity_m_s2, trial.dt, rock.kinetic_energy(&start.v, &start.omega))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::{Field, Ground, Lattice, Surface};

    /// What scatters friction and restitution of a rock scales what the ground has, and restitution stays within 0 … 1.
    #[test]
    fn scatter_scales_friction_and_restitution() {
        let lattice = Lattice { nx: 3, ny: 3, x0: 0.0, y0: 0.0, dx: 5.0, dy: 5.0 };
        let surface = Surface::new(Field { lattice, values: vec![0.0; 9] }).expect("is a surface");
        let constant = ParameterField::Constant;
        let ground = Ground::uniform(0.4, 2.0, 100.0, 2.0);
        let scene = Scene::new(surface, Ground { epsilon_n: constant(0.4), epsilon_t: constant(0.1), ..ground });
        let scale = |mu: f64, epsilon: f64| GroundScale { mu, epsilon, ..GroundScale::default() };
        let at =
            |scale: GroundScale| (friction_at(&scene, &scale, 2.0, 2.0, 0.0), restitution_at(&scene, &scale, 2.0, 2.0));
        assert_eq!(at(scale(1.0, 1.0)), (0.4, (0.4, 0.1)));
        assert_eq!(at(scale(0.5, 0.5)), (0.2, (0.2, 0.05)));
        assert_eq!(at(scale(2.0, 5.0)), (0.8, (1.0, 0.5)));
    }
}
