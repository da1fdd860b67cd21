//! The fast stage for free flight: several time steps at once while no vertex can reach the ground.
//!
//! - Translation is the same parabola as step by step: the midpoint rule is exact for a constant acceleration.
//! - Rotation takes one large step that keeps energy and spin as the implicit scheme does and is nearer to the exact
//!   solution (`rotation::leap`), no further than [`LARGEST_TURN`]. The other schemes, whose flaws a study may be about,
//!   still take every small step.
//! - That nothing touches is certain, not likely: see [`super::ahead`]. The bound is concave in t: positive at both ends, it is
//!   positive between them.
//!
//! A leap is always a whole number of steps, so impacts fall on the same instants as step by step.

use super::ahead::{FreeWay, LARGEST_JERK};
use crate::dynamics::fall::Fall;
use crate::dynamics::free_motion::FreeMotion;
use crate::dynamics::hold::{CLOSED_M, HELD_M};
use crate::dynamics::scene::Integrator;
use crate::dynamics::step_info::{EnergyBalance, StepInfo};
use crate::dynamics::{drag, friction};

/// Steps of the longest leap: 16 ms at the default step, in which a path bends by 0.3 mm between its ends.
pub const LONGEST_LEAP: u64 = 8;
/// Largest angle of one rotation step, rad: its error stays below 4e-4 rad.
pub const LARGEST_TURN: f64 = 0.8;
/// What rounding may make of a gap, m.
const ROUNDING_M: f64 = 1e-6;

/// Flies as many steps as are free of contact for certain, at most `most`; `None` if not even one is.
pub fn leap<const BALANCE: bool>(fall: &mut Fall, most: u64) -> Option<(u64, StepInfo)> {
    if fall.body.scar_depth.is_some() || fall.work.impact_next.is_some() {
        return None;
    }
    let steps = safe_steps(fall, most)?;
    let Fall { scene, rock, body, .. } = fall;
    let (kinetic, height) = (body.kinetic_energy(rock), body.position.z);
    let (rounds, dt) = match scene.integrator {
        Integrator::Implicit => (1, steps as f64 * scene.time_step_s),
        _ => (steps, scene.time_step_s),
    };
    let mut info = StepInfo::lasting(steps as f64 * scene.time_step_s);
    for _ in 0..rounds {
        let middle = body.position + 0.5 * dt * body.velocity;
        let drag = drag::forest(scene.forest.as_ref(), &scene.surface, &middle);
        let free = match scene.integrator {
            Integrator::Implicit => FreeMotion::leap(scene, rock, body, &drag, dt),
            _ => FreeMotion::new(scene, rock, body, &drag, dt),
        };
        if BALANCE {
            info.energy.drag += free.drag_work(&free.end, dt);
            info.energy.gyroscopic += free.gyroscopic_work(rock, &body.omega);
        }
        body.velocity = free.end.v;
        body.omega = free.end.omega;
        body.position = middle + 0.5 * dt * body.velocity;
        body.orientation = free.rotation.end_orientation(&body.omega, dt);
        body.residue = free.rotation.residue;
        info.rotation_converged &= free.rotation.converged;
    }
    fall.body.slippage = friction::advance(fall.body.slippage, false, 0.0, || fall.beta(), info.duration_s);
    fall.work.forget_contacts();
    if BALANCE {
        info.energy = EnergyBalance {
            kinetic_change: fall.body.kinetic_energy(fall.rock) - kinetic,
            potential_change: fall.weight() * (fall.body.position.z - height),
            ..info.energy
        };
    }
    info.clearance_m = if BALANCE { fall.clearance() } else { fall.clearance_in_flight() };
    Some((steps, info))
}

/// How many steps no vertex can touch the ground.
fn safe_steps(fall: &mut Fall, most: u64) -> Option<u64> {
    if fall.work.touches && fall.work.clearance <= HELD_M {
        fall.measure_clearance();
    }
    let (scene, rock, body, work) = (fall.scene, fall.rock, &fall.body, &fall.work);
    // A rock that has just left the ground may still count as touching it.
    if work.clearance <= if work.touches { HELD_M } else { 0.0 } {
        return None;
    }
    let dt = scene.time_step_s;
    let spin = 2.0 * (body.kinetic_energy(rock) - 0.5 * rock.mass_kg * body.velocity.norm_squared()).max(0.0);
    // |ω| varies in free rotation, but never beyond the axis of least inertia; |ω̇| ≤ ω²/√3 since Θ obeys C ≤ A + B.
    let omega_squared = spin / rock.inertia.x;
    let mut steps = match (scene.integrator, &scene.forest) {
        (Integrator::Implicit, _) => most.min(LONGEST_LEAP).min((LARGEST_TURN / (omega_squared.sqrt() * dt)) as u64),
        (_, None) => most.min(LONGEST_LEAP),
        (_, Some(_)) => 1,
    };
    if steps == 0 {
        return None;
    }
    let turning = rock.bounding_radius * (1.0 + 1.0 / 3f64.sqrt()) * omega_squared;
    // The last step looks for contacts on the tangent, half a step beyond its end: so far off the path.
    let margin = 0.125 * dt * dt * (scene.gravity_m_s2 + turning) + CLOSED_M + ROUNDING_M;
    let (position, velocity) = (body.position, body.velocity);
    if fall.work.clearance <= margin {
        if fall.clearance_at_most() > margin {
            fall.measure_clearance();
        }
        if fall.work.clearance <= margin {
            return None;
        }
    }
    let speed = velocity.norm();
    let mut way = fall.look_ahead(speed * dt * (steps as f64 + 0.5))?;
    loop {
        let enough = dt * (steps as f64 + 0.5);
        let middle = position + 0.5 * enough * velocity;
        let slowing = drag::forest(scene.forest.as_ref(), &scene.surface, &middle).linear / rock.mass_kg * speed;
        way.acceleration = turning + slowing;
        way.free = (slowing == 0.0).then(|| free_way(fall, omega_squared.sqrt(), enough));
        let safe = fall.time_clear(&way, margin, enough);
        if safe >= enough {
            return Some(steps);
        }
        steps = (safe / dt - 0.5).max(0.0) as u64;
        if steps == 0 {
            return None;
        }
    }
}

/// The rotation for as long as `time`; `spin` is the largest |ω| there can be.
fn free_way(fall: &Fall, spin: f64, time: f64) -> FreeWay {
    let Fall { scene, rock, body, .. } = fall;
    let (inertia, radius, dt) = (&rock.inertia, rock.bounding_radius, scene.time_step_s);
    let change = -body.omega.cross(&inertia.component_mul(&body.omega)).component_div(inertia);
    // The midpoint rule turns by (ωΔt)³/12 a step too little, a leap by (ωt)⁵/720 in all; twice that.
    let off = spin.powi(3) * dt * dt * time / 6.0 + (spin * time).powi(5) / 360.0;
    FreeWay { change, jerk: LARGEST_JERK * radius * spin.powi(3), margin: radius * off }
}
