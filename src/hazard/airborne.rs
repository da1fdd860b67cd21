//! The flight between two solver states as what it is: a curve, not its two ends.
//!
//! - The centre of mass follows a parabola. The midpoint rule (Leine 2021, eq. 86) makes every free step one, drag included;
//!   the exponential of true linear drag differs from it by less than 1e-5 m in 16 ms. Position, velocity and the energy
//!   of translation are those of the parabola to rounding. Speed² is convex in time: it is largest at an end.
//! - |ω|² is the cubic through its values and rates (Euler's equations) at both ends: off by some 1e-4 of it at 0.8 rad.
//! - The clearance at an instant is measured: the rock turned by the large step of `rotation::leap`, every vertex held
//!   against the ground. Its largest value is looked for between the ends wherever gravity, the rock's turning and folds
//!   of the ground below can raise it above both of them.

use nalgebra::{UnitQuaternion, Vector2, Vector3};

use super::paths::{self, Paths};
use crate::dynamics::body::Pose;
use crate::dynamics::contact::{ContactSetup, Look, Survey};
use crate::dynamics::rotation::leap;
use crate::dynamics::{ContactModel, Scene};
use crate::rock::Rock;
use crate::terrain::{Ceiling, Spot, Surface};
use crate::trajectory::Sample;

/// Peaks that rise no higher above what is known are not looked for, m.
const WORTH_M: f64 = 3e-4;
/// Where the largest clearance is looked for first, as shares of a flight.
const LOOKS: [f64; 6] = [1.0 / 12.0, 0.25, 5.0 / 12.0, 7.0 / 12.0, 0.75, 11.0 / 12.0];
const APART: f64 = 0.2;
/// How often the paths of vertices are looked at, one more each time, before the whole rock is everywhere.
const MOST_PATHS: usize = 5;
/// Golden sections of what lies between looks: to 0.05 ms of 16 ms.
const SECTIONS: u32 = 10;
/// The ground's slope changes by no more than 2 within a flight, as far as anybody can know before looking: a fold then
/// deepens the ground by so much of the way.
const STEEPEST_FOLD: f64 = 0.5;

/// One free step.
pub struct Airborne<'a> {
    pub(super) before: &'a Sample,
    pub(super) after: &'a Sample,
    pub(super) duration: f64,
    /// At the beginning: that of the parabola, whatever the sample says.
    pub(super) velocity: Vector3<f64>,
    acceleration: Vector3<f64>,
}

impl<'a> Airborne<'a> {
    /// `None` for a step in contact, which is no parabola.
    #[inline]
    pub fn between(before: &'a Sample, after: &'a Sample) -> Option<Self> {
        let duration = after.time_s - before.time_s;
        if !after.airborne || duration <= 0.0 {
            return None;
        }
        let velocity = (after.position - before.position) * (2.0 / duration) - after.velocity;
        let acceleration = (after.velocity - velocity) / duration;
        Some(Self { before, after, duration, velocity, acceleration })
    }

    /// s.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// After `t` seconds, m.
    pub fn position(&self, t: f64) -> Vector3<f64> {
        self.before.position + (self.velocity + self.acceleration * (0.5 * t)) * t
    }

    /// After `t` seconds, m/s.
    pub fn velocity(&self, t: f64) -> Vector3<f64> {
        self.velocity + self.acceleration * t
    }

    /// When the centre is at a share of the straight way between the ends. Forces in plan act along it, so it stays on it.
    pub fn instant(&self, share: f64) -> f64 {
        let way = (self.after.position - self.before.position).xy();
        let length = way.norm_squared();
        if length <= 0.0 {
            return share * self.duration;
        }
        let (speed, change) = (self.velocity.xy().dot(&way) / length, self.acceleration.xy().dot(&way) / length);
        // Newton's method: without drag the first guess is right.
        let step = |t: f64| t - ((speed + 0.5 * change * t) * t - share) / (speed + change * t);
        let t = step(step(share * self.duration));
        if t.is_finite() { t.clamp(0.0, self.duration) } else { share * self.duration }
    }

    /// Translational plus rotational, J. Rotation keeps its energy, but for drag.
    pub fn energy(&self, mass: f64, t: f64) -> f64 {
        let translation = |v: &Vector3<f64>| 0.5 * mass * v.norm_squared();
        let first = self.before.kinetic_energy_j - translation(&self.velocity);
        let last = self.after.kinetic_energy_j - translation(&self.after.velocity);
        first + (last - first) * (t / self.duration) + translation(&self.velocity(t))
    }

    /// |ω|² at an instant: the cubic through both ends.
    pub fn spin_squared(&self, inertia: &Vector3<f64>, t: f64) -> f64 {
        let (w, rate, s) = (self.spins(), self.spin_rates(inertia), t / self.duration);
        let (rest, s2) = (1.0 - s, s * s);
        (1.0 + 2.0 * s) * rest * rest * w[0] + s * rest * rest * rate[0] + s2 * (3.0 - 2.0 * s) * w[1]
            - s2 * rest * rate[1]
    }

    /// Where |ω|² is largest between the ends, if it is.
    pub fn fastest_turn(&self, inertia: &Vector3<f64>) -> Option<f64> {
        let ([w0, w1], [r0, r1]) = (self.spins(), self.spin_rates(inertia));
        if r0 <= 0.0 || r1 >= 0.0 {
            return None;
        }
        // The cubic's slope: r0 + 2 b s + 3 c s².
        let (b, c) = (3.0 * (w1 - w0) - 2.0 * r0 - r1, 2.0 * (w0 - w1) + r0 + r1);
        let root = (b * b - 3.0 * c * r0).max(0.0).sqrt();
        let s = r0 / (root - b);
        (s > 0.0 && s < 1.0).then_some(s * self.duration)
    }

    fn spins(&self) -> [f64; 2] {
        [self.before.omega.norm_squared(), self.after.omega.norm_squared()]
    }

    /// d|ω|²/dt = 2 [(B − C)/A + (C − A)/B + (A − B)/C] ω₁ω₂ω₃, times the duration.
    fn spin_rates(&self, inertia: &Vector3<f64>) -> [f64; 2] {
        let (a, b, c) = (inertia.x, inertia.y, inertia.z);
        let factor = 2.0 * ((b - c) / a + (c - a) / b + (a - b) / c) * self.duration;
        [self.before, self.after].map(|s| factor * s.omega.x * s.omega.y * s.omega.z)
    }

    /// The whole state at an instant.
    pub fn at(&self, gauge: &mut Gauge<'_>, t: f64) -> Sample {
        let (orientation, omega) = leap::advance(&gauge.rock.inertia, &self.before.orientation, &self.before.omega, t);
        Sample {
            time_s: self.before.time_s + t,
            position: self.position(t),
            orientation,
            velocity: self.velocity(t),
            omega,
            kinetic_energy_j: self.energy(gauge.rock.mass_kg, t),
            jump_height_m: gauge.clearance(self, t),
            airborne: true,
        }
    }
}

/// Measures clearances on the way.
pub struct Gauge<'a> {
    surface: &'a Surface,
    rock: &'a Rock,
    setup: ContactSetup,
    survey: Survey,
    ceiling: Ceiling,
    /// Of vertices that are lowest at some instant of the present flight.
    paths: Paths,
    /// The restitution laws have clearances of their own, and short steps.
    exact: bool,
}

impl<'a> Gauge<'a> {
    /// For a rock over the terrain of a scene.
    pub fn new(scene: &'a Scene, rock: &'a Rock) -> Self {
        let exact = matches!(scene.contact, ContactModel::NonSmooth | ContactModel::AsPublished);
        Self {
            surface: &scene.surface,
            rock,
            setup: ContactSetup::new(scene.surface.lattice(), scene.terrain_nodes, rock),
            survey: Survey::default(),
            ceiling: Ceiling::default(),
            paths: Paths::default(),
            exact,
        }
    }

    /// The rock.
    pub fn rock(&self) -> &'a Rock {
        self.rock
    }

    /// The jump height of a sample, m, also where the trajectory did not tell it (see [`Sample::jump_height_m`]).
    pub fn jump_height(&mut self, sample: &Sample) -> f64 {
        if !self.exact || sample.jump_height_m <= 0.0 {
            return sample.jump_height_m;
        }
        let clearance = self.clearance_at(0.0, &sample.position, &sample.orientation);
        if clearance.is_finite() { clearance.max(0.0) } else { sample.jump_height_m }
    }

    /// Whether trajectories leave out jump heights that do not matter.
    pub fn is_left_out(&self) -> bool {
        self.exact
    }

    /// The jump height at an instant of a flight, m.
    pub fn clearance(&mut self, flight: &Airborne, t: f64) -> f64 {
        self.clearance_above(0.0, flight, t)
    }

    /// [`Gauge::clearance`] if it is larger than `enough`, else any number between the two.
    fn clearance_above(&mut self, enough: f64, flight: &Airborne, t: f64) -> f64 {
        let (first, last) = (flight.before.jump_height_m, flight.after.jump_height_m);
        let straight = first + (last - first) * (t / flight.duration);
        if !self.exact {
            return straight;
        }
        let (orientation, _) = leap::advance(&self.rock.inertia, &flight.before.orientation, &flight.before.omega, t);
        let clearance = self.clearance_at(enough, &flight.position(t), &orientation);
        if clearance.is_finite() { clearance.max(0.0) } else { straight }
    }

    /// Smallest vertical gap between the rock at a pose and the ground, if it is larger than `enough`, else any number between the two, m;
    /// infinite if there is no ground below.
    fn clearance_at(&mut self, enough: f64, position: &Vector3<f64>, orientation: &UnitQuaternion<f64>) -> f64 {
        let reach = self.rock.bounding_radius;
        if !self.ceiling.covers(position.x, position.y, reach) {
            self.ceiling = Ceiling::around(self.surface, position.x, position.y, reach);
        }
        let pose = Pose::new(position, orientation);
        let look = Look {
            surface: self.surface,
            rock: self.rock,
            setup: &self.setup,
            pose: &pose,
            // At the rim it would not be above the continued ground.
            ceiling: Some(&self.ceiling).filter(|ceiling| ceiling.complete),
        };
        look.clearance_above(enough, &mut self.survey)
    }

    /// The largest clearance between two instants of a flight, m, whose own clearances are given; `known` if it is not
    /// larger.
    pub fn largest(&mut self, flight: &Airborne, [from, to]: [f64; 2], ends: [f64; 2], known: f64) -> f64 {
        let span = to - from;
        let way = (flight.position(to) - flight.position(from)).xy();
        let omega_squared = flight.before.omega.norm_squared().max(flight.after.omega.norm_squared());
        // The lowest vertex rises and the next one sinks with Rω at most; a fold of the ground may add to that. Most
        // stretches stay below what is known whatever happens on them.
        let turning = self.rock.bounding_radius * omega_squared.sqrt();
        let steepest = turning * span + STEEPEST_FOLD * way.norm() + 0.125 * span * span * flight.acceleration.norm();
        if !self.exact || ends[0].max(ends[1]) + steepest < known + WORTH_M {
            return known;
        }
        let fold = self.fold(flight, [from, to], &way);
        let (peak, bound) = self.tangents(flight, [from, to], omega_squared);
        if bound + fold < known + WORTH_M {
            return known;
        }
        if let Some(largest) = self.largest_of_paths(flight, [from, to], known) {
            return largest;
        }
        let mut best = (self.clearance_above(known, flight, peak), peak);
        if fold > WORTH_M {
            for share in LOOKS {
                let t = from + share * span;
                let found = self.clearance_above(known, flight, t);
                best = if found > best.0 { (found, t) } else { best };
            }
            // The same bound as above, between looks.
            if best.0 + steepest / (LOOKS.len() as f64) < known + WORTH_M {
                return known;
            }
        }
        // The clearance is peaked where another vertex becomes the lowest: sections need no smoothness.
        let (mut low, mut high) = ((best.1 - APART * span).max(from), (best.1 + APART * span).min(to));
        const GOLDEN: f64 = 0.618_033_988_749_895;
        let (mut a, mut b) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        let (mut at_a, mut at_b) = (self.clearance_above(known, flight, a), self.clearance_above(known, flight, b));
        let mut largest = best.0.max(at_a).max(at_b);
        for _ in 0..SECTIONS {
            if at_a > at_b {
                (high, b, at_b) = (b, a, at_a);
                a = high - GOLDEN * (high - low);
                at_a = self.clearance_above(known, flight, a);
            } else {
                (low, a, at_a) = (a, b, at_b);
                b = low + GOLDEN * (high - low);
                at_b = self.clearance_above(known, flight, b);
            }
            largest = largest.max(at_a).max(at_b);
        }
        largest.max(known)
    }

    /// [`Gauge::largest`] by the paths of a few vertices, below all of which the clearance lies: where their lowest is highest the whole rock
    /// is looked at, and whatever vertex is lower there joins them. `None` if that does not settle it.
    fn largest_of_paths(&mut self, flight: &Airborne, [from, to]: [f64; 2], known: f64) -> Option<f64> {
        let mut largest = known;
        let slack = WORTH_M + paths::error(flight, self.rock);
        for _ in 0..MOST_PATHS {
            let (t, height) = self.paths.highest(self.surface, [from, to])?;
            if height + slack < largest + 2.0 * WORTH_M {
                return Some(largest);
            }
            let found = self.clearance_above(largest, flight, t);
            if found + slack >= height {
                return Some(largest.max(found));
            }
            largest = largest.max(found);
            self.paths.add(flight, self.rock, self.survey.nearest?)?;
        }
        None
    }

    /// Where the clearance peaks on even ground, and a bound of its height: it is below the paths of both vertices that
    /// are lowest at the ends, and these bend by no more than gravity and rotation make them.
    fn tangents(&mut self, flight: &Airborne, [from, to]: [f64; 2], omega_squared: f64) -> (f64, f64) {
        let ends = [(flight.before, flight.velocity), (flight.after, flight.after.velocity)];
        self.paths.clear();
        let [(first, rising), (last, falling)] = ends.map(|(sample, velocity)| {
            let (gap, rate, vertex) = self.lowest(sample, &velocity);
            vertex.and_then(|vertex| self.paths.add(flight, self.rock, vertex));
            (gap, rate)
        });
        let duration = flight.duration;
        // first + rising t = last − falling (duration − t)
        let met = (last - falling * duration - first) / (rising - falling);
        let peak = match (rising > 0.0, falling < 0.0) {
            (true, true) => met.clamp(from, to),
            (true, false) => to,
            (false, true) => from,
            // Sinking, then rising: the higher end.
            (false, false) => {
                if first > last {
                    from
                } else {
                    to
                }
            }
        };
        let lines = (first + rising * peak).min(last - falling * (duration - peak));
        let bending = flight.acceleration.norm() + 1.58 * 2.0 * self.rock.bounding_radius * omega_squared;
        (peak, lines + 0.2 * duration * duration * bending)
    }

    /// Gap of the vertex that is lowest above the slope below the rock, m, how fast it grows, m/s, and which it is.
    fn lowest(&mut self, sample: &Sample, velocity: &Vector3<f64>) -> (f64, f64, Option<usize>) {
        let unknown = (f64::INFINITY, 0.0, None);
        let Some(spot) = self.surface.spot(sample.position.x, sample.position.y) else { return unknown };
        let pose = Pose::new(&sample.position, &sample.orientation);
        let up = |spot: &Spot| Vector3::new(-spot.slope_x, -spot.slope_y, 1.0);
        let direction = pose.rotation.tr_mul(&up(&spot));
        if let Some(radius) = self.rock.sphere_radius {
            return (sample.position.z - spot.height - radius * direction.norm(), velocity.dot(&up(&spot)), None);
        }
        let lowest = self.setup.along(self.rock, &direction, 0.0, &mut self.survey.heights);
        let heights = self.survey.heights.as_flattened();
        let Some(number) = heights.iter().position(|h| *h == lowest) else { return unknown };
        let vertex = self.rock.vertices[number];
        let point = pose.place(&vertex);
        let Some(spot) = self.surface.spot(point.x, point.y) else { return unknown };
        let speed = velocity + pose.rotation * sample.omega.cross(&vertex);
        (point.z - spot.height, speed.dot(&up(&spot)), Some(number))
    }

    /// How far the ground below the rock lies under the chord between the ends of its profile along the path, m.
    fn fold(&self, flight: &Airborne, [from, to]: [f64; 2], way: &Vector2<f64>) -> f64 {
        let length = way.norm();
        let (start, end) = (flight.position(from).xy(), flight.position(to).xy());
        let beyond = if length > 0.0 { way * (self.rock.bounding_radius / length) } else { *way };
        let (start, end) = (start - beyond, end + beyond);
        let height = |share: f64| {
            let at = start + (end - start) * share;
            self.surface.height(at.x, at.y)
        };
        let (Some(first), Some(last)) = (height(0.0), height(1.0)) else { return f64::INFINITY };
        let below = |share: f64| height(share).map_or(f64::INFINITY, |h| first + (last - first) * share - h);
        // Looks do not hit the deepest point, and beside the path it may be deeper.
        3.0 * LOOKS.iter().fold(0.0, |deepest: f64, &share| deepest.max(below(share)))
    }
}
