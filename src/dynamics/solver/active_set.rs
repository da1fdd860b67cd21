//! The contact problem as a linear system, once it is known which contacts are open, stick or slip.
//!
//! The state of the last step is nearly always that of this one. With the states and the directions of slip held fixed the
//! laws are linear in the percussions: γ = 0 for a sticking contact, γ_N = 0 with P_T = μ P_N d for a slipping one. Their
//! solution is checked against all the laws; what it breaks changes its state, and directions follow the velocities, until
//! nothing changes. That takes one to three rounds where Gauss–Seidel needs a dozen sweeps.
//!
//! Contacts of a face are more than a rigid body can tell apart, so the system is often singular. It is solved for the
//! *change* of the percussions with a touch of regularisation: what the laws leave open stays as it was.
//!
//! Where this does not settle at once, `None`: Gauss–Seidel, which never cycles for long, does the work.

use nalgebra::Vector3;

use super::{Contact, Response, Status, Velocity, with_percussions};

/// Largest linear system.
const MOST_UNKNOWNS: usize = 12;
const MOST_CONTACTS: usize = 8;
const MOST_ROUNDS: u32 = 8;
/// Share of the diagonal that is added to it.
const REGULARISATION: f64 = 1e-9;

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Open,
    Stick,
    /// The friction's direction in the contact plane.
    Slip(f64, f64),
}

impl State {
    fn unknowns(&self) -> usize {
        match self {
            Self::Open => 0,
            Self::Stick => 3,
            Self::Slip(..) => 1,
        }
    }
}

/// One unknown share of a percussion: how it changes the velocities, and which velocity must vanish for it.
#[derive(Clone, Copy)]
struct Unknown {
    contact: usize,
    axis: usize,
    effect: Velocity,
    watched: Velocity,
}

/// Solves for the percussions, starting from those given; `None` (and percussions of no use) if the states do not settle.
pub fn solve(
    contacts: &mut [Contact],
    response: &Response,
    free: &Velocity,
    tolerance: f64,
) -> Option<(Velocity, Status)> {
    if contacts.len() > MOST_CONTACTS {
        return None;
    }
    let mut states = [State::Open; MOST_CONTACTS];
    let mut u = with_percussions(contacts, response, free);
    for (state, contact) in states.iter_mut().zip(contacts.iter()) {
        *state = first_state(contact, &u, tolerance);
    }
    for round in 1..=MOST_ROUNDS {
        for (contact, state) in contacts.iter_mut().zip(&states) {
            match *state {
                State::Open => contact.percussion = Vector3::zeros(),
                State::Stick => {}
                State::Slip(y, z) => {
                    let normal = contact.percussion.x;
                    contact.percussion = Vector3::new(normal, contact.mu * normal * y, contact.mu * normal * z);
                }
            }
        }
        u = with_percussions(contacts, response, free);
        let unknowns: usize = states[..contacts.len()].iter().map(State::unknowns).sum();
        // A few sizes: most problems are far smaller than the largest.
        let solve_linear = match unknowns {
            0..=3 => solve_linear::<3>,
            4..=6 => solve_linear::<6>,
            7..=9 => solve_linear::<9>,
            _ => solve_linear::<MOST_UNKNOWNS>,
        };
        let stiffness = solve_linear(contacts, &states, response, &u)?;
        u = with_percussions(contacts, response, free);
        let (mut residual, mut settled) = (0.0_f64, true);
        for (state, contact) in states.iter_mut().zip(contacts.iter()) {
            let (next, broken) = judge(contact, *state, &u, stiffness, tolerance);
            settled &= std::mem::discriminant(&next) == std::mem::discriminant(state);
            residual = residual.max(broken);
            *state = next;
        }
        if settled && residual <= tolerance {
            return Some((u, Status { converged: true, sweeps: round, residual }));
        }
        // NaN would never settle.
        if !residual.is_finite() {
            return None;
        }
    }
    None
}

/// What the last step's percussion says, or for a new contact its velocity.
fn first_state(contact: &Contact, u: &Velocity, tolerance: f64) -> State {
    let gamma = contact.velocity(u) + contact.rebound;
    let p = &contact.percussion;
    if p.x <= 0.0 {
        return if gamma.x >= 0.0 { State::Open } else { slip_against(&gamma, tolerance) };
    }
    if contact.sticks() { State::Stick } else { slip_against(&gamma, tolerance) }
}

fn slip_against(gamma: &Vector3<f64>, tolerance: f64) -> State {
    let speed = (gamma.y * gamma.y + gamma.z * gamma.z).sqrt();
    if speed > tolerance { State::Slip(-gamma.y / speed, -gamma.z / speed) } else { State::Stick }
}

/// The state a contact should be in next, and by how much its laws are broken in the present one, m/s.
fn judge(contact: &Contact, state: State, u: &Velocity, stiffness: f64, tolerance: f64) -> (State, f64) {
    let gamma = contact.velocity(u) + contact.rebound;
    let p = &contact.percussion;
    match state {
        State::Open if gamma.x < -tolerance => (slip_against(&gamma, tolerance), -gamma.x),
        State::Open => (State::Open, 0.0),
        _ if p.x < 0.0 => (State::Open, 0.0),
        State::Stick => {
            let (tangential, limit) = ((p.y * p.y + p.z * p.z).sqrt(), contact.mu * p.x);
            if tangential > limit * (1.0 + 1e-12) {
                (State::Slip(p.y / tangential, p.z / tangential), gamma.amax())
            } else {
                (State::Stick, gamma.amax())
            }
        }
        State::Slip(y, z) => {
            let (along, across) = (gamma.y * y + gamma.z * z, gamma.z * y - gamma.y * z);
            if along > tolerance {
                return (State::Stick, gamma.x.abs());
            }
            match slip_against(&gamma, tolerance) {
                State::Slip(towards_y, towards_z) => {
                    // Friction along the new direction would change the velocity by about this much.
                    let askew = across / along * contact.mu * p.x * stiffness;
                    (State::Slip(towards_y, towards_z), gamma.x.abs().max(askew.abs()))
                }
                _ => (state, gamma.x.abs()),
            }
        }
    }
}

/// Changes the percussions of the closed contacts so that the watched velocities vanish; returns the largest velocity that
/// a unit percussion causes at its own contact.
fn solve_linear<const N: usize>(
    contacts: &mut [Contact],
    states: &[State; MOST_CONTACTS],
    response: &Response,
    u: &Velocity,
) -> Option<f64> {
    let nothing = Velocity { v: Vector3::zeros(), omega: Vector3::zeros() };
    let mut unknowns = [Unknown { contact: 0, axis: 0, effect: nothing, watched: nothing }; N];
    let mut count = 0;
    for (k, (contact, state)) in contacts.iter().zip(states).enumerate() {
        for axis in 0..state.unknowns() {
            let percussion = match *state {
                State::Slip(y, z) => Vector3::new(1.0, contact.mu * y, contact.mu * z),
                _ => Vector3::ith(axis, 1.0),
            };
            let effect = Velocity {
                v: contact.w_v * percussion * response.per_mass,
                omega: response.per_inertia * (contact.w_omega * percussion),
            };
            let watched = Velocity { v: contact.w_v.column(axis).into(), omega: contact.w_omega.column(axis).into() };
            *unknowns.get_mut(count)? = Unknown { contact: k, axis, effect, watched };
            count += 1;
        }
    }
    let unknowns = &unknowns[..count];

    let mut matrix: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
    let mut change = [0.0; N];
    let mut stiffness = 0.0_f64;
    for (i, row) in unknowns.iter().enumerate() {
        change[i] = -(dot(&row.watched, u) + contacts[row.contact].rebound[row.axis]);
        for (j, column) in unknowns.iter().enumerate() {
            matrix[i][j] = dot(&row.watched, &column.effect);
        }
        // Not positive: more friction than the body's inertia can answer (Painlevé).
        if matrix[i][i] <= 0.0 {
            return None;
        }
        stiffness = stiffness.max(matrix[i][i]);
        matrix[i][i] *= 1.0 + REGULARISATION;
    }
    eliminate(&mut matrix, &mut change);
    for (unknown, change) in unknowns.iter().zip(change) {
        let contact = &mut contacts[unknown.contact];
        contact.percussion[unknown.axis] += change;
        if let State::Slip(y, z) = states[unknown.contact] {
            let limit = contact.mu * contact.percussion.x;
            (contact.percussion.y, contact.percussion.z) = (limit * y, limit * z);
        }
    }
    Some(stiffness)
}

#[inline]
fn dot(a: &Velocity, b: &Velocity) -> f64 {
    a.v.dot(&b.v) + a.omega.dot(&b.omega)
}

/// Gauss without pivots: the diagonal is positive, and what goes wrong shows when the laws are checked. The solution
/// replaces the right-hand side. Rows without an unknown are those of the identity, so that all loops have fixed lengths.
fn eliminate<const N: usize>(matrix: &mut [[f64; N]; N], right: &mut [f64; N]) {
    let mut inverses = [0.0; N];
    for k in 0..N {
        let (top, inverse) = (matrix[k], 1.0 / matrix[k][k]);
        inverses[k] = inverse;
        for i in k + 1..N {
            let factor = matrix[i][k] * inverse;
            for j in 0..N {
                matrix[i][j] -= factor * top[j];
            }
            right[i] -= factor * right[k];
        }
    }
    for k in (0..N).rev() {
        right[k] *= inverses[k];
        for i in 0..k {
            right[i] -= matrix[i][k] * right[k];
        }
    }
}
