//! References of our own for motions in a plane: ordinary differential equations with event detection, steps of 10 µs, and
//! no code in common with the engine.
//!
//! A block lies on a slope with one of its sides (half-length b, half-height h, k² = Θ/m about the centre), slides with
//! slippage friction μ(s), ṡ = |v|, and tips over its front edge once μ h > b. x points down the slope, y out of it, φ turns
//! forward.

use super::scenes::G;

const STEP_S: f64 = 1e-5;
/// A sliding contact whose normal force would have to be so much larger than the weight has jammed (Painlevé).
const JAMMED: f64 = 1e-2;

/// Slippage friction (Leine 2014, eq. 46).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Friction {
    pub mu_min: f64,
    pub mu_max: f64,
    pub kappa_per_m: f64,
}

impl Friction {
    pub(crate) fn at(&self, slippage: f64) -> f64 {
        let share = (self.kappa_per_m * slippage).atan() * std::f64::consts::FRAC_2_PI;
        self.mu_min + (self.mu_max - self.mu_min) * share
    }

    /// ∫μ ds from 0: the work of friction per weight on level ground.
    pub(crate) fn work(&self, slippage: f64) -> f64 {
        let ks = self.kappa_per_m * slippage;
        let growth = (slippage * ks.atan() - 0.5 * (ks * ks).ln_1p() / self.kappa_per_m) * std::f64::consts::FRAC_2_PI;
        self.mu_min * slippage + (self.mu_max - self.mu_min) * growth
    }

    /// How far a block slides on level ground from a speed to rest: ½v² = g ∫μ ds, by bisection.
    pub(crate) fn braking_distance(&self, speed: f64) -> f64 {
        let (mut low, mut high) = (0.0, 0.5 * speed * speed / (G * self.mu_min));
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if G * self.work(middle) < 0.5 * speed * speed { low = middle } else { high = middle }
        }
        low
    }
}

/// The side a block lies on, and its inertia.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub half_length: f64,
    pub half_height: f64,
    pub k2: f64,
}

/// Speed along the slope, angle, angular velocity, slippage.
type State = [f64; 4];

struct Tipping<'a> {
    block: &'a Block,
    friction: &'a Friction,
    gx: f64,
    gy: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum Contact {
    /// The front edge slips down (1) or up the slope (−1).
    Slips(f64),
    Sticks,
}

impl Tipping<'_> {
    /// From the centre to the front edge.
    fn arm(&self, phi: f64) -> (f64, f64) {
        let (b, h) = (self.block.half_length, self.block.half_height);
        let (sin, cos) = phi.sin_cos();
        (b * cos - h * sin, -b * sin - h * cos)
    }

    /// Accelerations on the front edge alone, and its tangential and normal force per mass.
    fn forces(&self, contact: Contact, [_, phi, omega, s]: State) -> ([f64; 2], f64, f64) {
        let ((rx, ry), k2) = (self.arm(phi), self.block.k2);
        match contact {
            Contact::Slips(sign) => {
                let mu = sign * self.friction.at(s);
                let normal = (-self.gy + omega * omega * ry) / (1.0 + rx * (rx + mu * ry) / k2);
                let tangential = -mu * normal;
                ([self.gx + tangential, (ry * tangential - rx * normal) / k2], tangential, normal)
            }
            Contact::Sticks => {
                let turn = (rx * self.gy - ry * self.gx) / (k2 + rx * rx + ry * ry);
                let ax = -turn * ry + omega * omega * rx;
                let ay = turn * rx + omega * omega * ry;
                ([ax, turn], ax - self.gx, ay - self.gy)
            }
        }
    }

    fn rate(&self, contact: Contact, state: State) -> State {
        let [vx, phi, omega, _] = state;
        let ([ax, turn], ..) = self.forces(contact, state);
        [ax, omega, turn, vx.hypot(omega * self.arm(phi).0)]
    }

    /// The front edge's speed along the slope.
    fn slip(&self, [vx, phi, omega, _]: State) -> f64 {
        vx + omega * self.arm(phi).1
    }

    /// The percussion that stops the front edge at once.
    fn jam(&self, state: State) -> State {
        let [vx, phi, omega, s] = state;
        let ((rx, ry), k2, slip) = (self.arm(phi), self.block.k2, self.slip(state));
        // ΔΩ = (ry Px − rx Py)/k², Px + ry ΔΩ = −slip, Py − rx ΔΩ = 0.
        let turn = -slip * ry / (k2 + rx * rx + ry * ry);
        [vx - slip - ry * turn, phi, omega + turn, s]
    }
}

/// Runge and Kutta's rule.
fn advance<const N: usize>(state: [f64; N], h: f64, rate: impl Fn([f64; N]) -> [f64; N]) -> [f64; N] {
    let add = |a: [f64; N], b: [f64; N], f: f64| std::array::from_fn(|i| a[i] + f * b[i]);
    let k1 = rate(state);
    let k2 = rate(add(state, k1, 0.5 * h));
    let k3 = rate(add(state, k2, 0.5 * h));
    let k4 = rate(add(state, k3, h));
    std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// When a block released from rest, `drop` m (along the normal) above a slope, has turned by each of the angles, s; `None`
/// for those it does not reach on its front edge.
pub(crate) fn tipping(
    block: &Block,
    friction: &Friction,
    slope_deg: f64,
    drop: f64,
    angles_deg: &[f64],
) -> Vec<Option<f64>> {
    let (sin, cos) = slope_deg.to_radians().sin_cos();
    let tipping = Tipping { block, friction, gx: G * sin, gy: -G * cos };
    // The fall, and an impact with friction on the whole side.
    let mut t = (2.0 * drop / (G * cos)).sqrt();
    let mut state = [(G * t * (sin - friction.mu_min * cos)).max(0.0), 0.0, 0.0, 0.0];
    // The whole side slides until its rear would have to be pulled.
    let on_side = |[v, _, _, s]: State| [tipping.gx + friction.at(s) * tipping.gy, 0.0, 0.0, v];
    while friction.at(state[3]) * block.half_height < block.half_length {
        state = advance(state, STEP_S, on_side);
        t += STEP_S;
        if state[0] < 0.0 || t > 60.0 {
            return vec![None; angles_deg.len()];
        }
    }
    let mut contact = Contact::Slips(1.0);
    let mut found = vec![None; angles_deg.len()];
    while t < 60.0 && found.iter().any(Option::is_none) {
        let (_, tangential, normal) = tipping.forces(contact, state);
        match contact {
            Contact::Slips(_) if !(0.0..-tipping.gy / JAMMED).contains(&normal) => {
                state = tipping.jam(state);
                contact = Contact::Sticks;
            }
            Contact::Sticks if normal <= 0.0 => break,
            Contact::Sticks if tangential.abs() > friction.at(state[3]) * normal => {
                contact = Contact::Slips(-tangential.signum());
            }
            _ => {}
        }
        let before = state;
        state = advance(state, STEP_S, |state| tipping.rate(contact, state));
        if let Contact::Slips(sign) = contact
            && sign * tipping.slip(state) <= 0.0
        {
            contact = Contact::Sticks;
        }
        for (time, angle) in found.iter_mut().zip(angles_deg) {
            let angle = angle.to_radians();
            if time.is_none() && state[1] >= angle {
                *time = Some(t + STEP_S * (angle - before[1]) / (state[1] - before[1]));
            }
        }
        t += STEP_S;
        if state[2] < 0.0 {
            break;
        }
    }
    found
}

/// A wheel with `n` corners that rolls down a slope from corner to corner without slip or bounce: how far its centre has
/// come along the slope after a time, from a side on the ground and an angular velocity about its front corner.
pub(crate) fn rolled(n: u32, radius: f64, k2: f64, slope_deg: f64, omega: f64, time_s: f64) -> f64 {
    let (alpha, half) = (slope_deg.to_radians(), std::f64::consts::PI / f64::from(n));
    let pull = G * radius / (k2 + radius * radius);
    let kept = (k2 + radius * radius * (2.0 * half).cos()) / (k2 + radius * radius);
    let (mut state, mut corner) = ([-half, omega], 0.0);
    let start = -radius * half.sin();
    let mut t = 0.0;
    while t < time_s {
        let h = STEP_S.min(time_s - t);
        let next = advance(state, h, |[angle, omega]| [omega, pull * (angle + alpha).sin()]);
        t += h;
        state = next;
        if state[0] >= half {
            // The new corner takes over; the step is short enough to let it do so at its end.
            corner += 2.0 * radius * half.sin();
            state = [state[0] - 2.0 * half, state[1] * kept];
        } else if state[0] < -half {
            // It came to lie on the side it started from.
            state = [-half, 0.0];
            break;
        }
    }
    corner + radius * state[0].sin() - start
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Constant friction: a block stops after v²/(2μg), tips where tan α passes b/h or never, a wheel on its corner falls as a
    /// pendulum.
    #[test]
    fn references_know_their_limits() {
        let constant = Friction { mu_min: 0.4, mu_max: 0.4, kappa_per_m: 1.0 };
        assert!((constant.braking_distance(8.0) - 64.0 / (0.8 * G)).abs() < 1e-9);
        let cube = Block { half_length: 0.5, half_height: 0.5, k2: 1.0 / 6.0 };
        assert_eq!(tipping(&cube, &constant, 40.0, 0.0, &[1.0]), [None]);
        let growing = Friction { mu_min: 0.35, mu_max: 2.0, kappa_per_m: 2.0 };
        let times = tipping(&cube, &growing, 40.0, 0.0, &[1.0, 30.0]);
        assert!(times[0] > Some(0.3) && times[1] > times[0] && times[1] < Some(3.0), "{times:?}");
        // Energy of a pendulum: from level with ω to upright, no impact.
        let (radius, k2, omega) = (0.5, 0.125, 4.0);
        let way = rolled(4, radius, k2, 0.0, omega, 0.25);
        assert!(way > 0.0 && way < 2.0 * radius);
    }
}
