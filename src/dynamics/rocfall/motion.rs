//! A rock under the restitution laws, step by step: projectile → impact → rolling ⇄ sliding → projectile …
//!
//! Flight is the exact parabola with a constant angular velocity (manual, eq. 1.1 with p₀, 1.2, 1.3 as R·R₀). The moment
//! of touching is found inside the step, so an impact happens at the ground and not below it; a step that ends in an
//! impact is therefore shorter than Δt. A contact that rebounds slower than [`SETTLE_SPEED`] goes over to rolling or
//! sliding on that point.
//!
//! What the manual leaves open, and what is done here:
//! - Impacts of several points at once are taken one after the other, fastest first, until none approaches.
//! - Points that come down slower than [`SETTLE_SPEED`] do not bounce: they stop against the ground, with friction at
//!   most μ times the normal impulse. Steps between such contacts last at least a quarter of Δt, so that a rock lying on
//!   a face does not stop the clock with ever smaller bounces.
//! - A sphere touches where the plane tangent to the terrain below its centre meets it.
//! - While rolling, the touching point is kept on the ground; when the ground falls away below it the rock flies, when
//!   another vertex comes down first the rock hits with that vertex.
//! - Spin about the contact normal, which one contact point cannot stop, is braked by the couple μ_r N |r|.
//! - Forest drag acts as in the other models, implicit in the midpoint.

mod bounds;
mod ground;

use nalgebra::{UnitQuaternion, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::RestitutionGround;
use super::impact::{Guard, Inertia, impact, point_velocity};
use super::rolling::Phase;
use crate::dynamics::Start;
use crate::dynamics::body::Body;
use crate::dynamics::fall::Fall;
use crate::dynamics::rotation::exponential;
use crate::dynamics::scene::{ContactModel, Scene};
use crate::dynamics::step_info::StepInfo;
use crate::math;
use crate::rock::Rock;
use crate::terrain::GroundScale;
use bounds::Bounds;
use ground::Near;

/// Rebounds slower than this end a series of bounces, m/s.
pub const SETTLE_SPEED: f64 = 0.05;
/// A point this close to the ground touches it, m.
const TOUCH: f64 = 1e-6;
/// A rolling contact further above the ground than this has left it, m.
const LIFT_OFF: f64 = 1e-4;
/// Least share of a step that passes between slow contacts.
const LEAST_SHARE: f64 = 0.25;
/// Steps without passing time after which a trajectory is given up.
const MAX_STALLED: u32 = 1000;

/// What the rock was doing during a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// In flight.
    Projectile,
    /// Hits the ground.
    Impact,
    /// On a point that does not slide.
    Rolling,
    /// On a point that does.
    Sliding,
}

impl Mode {
    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Projectile => "projectile",
            Self::Impact => "impact",
            Self::Rolling => "rolling",
            Self::Sliding => "sliding",
        }
    }
}

/// How often the laws were applied, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImpactCounts {
    /// All.
    pub impacts: u64,
    /// With friction at its limit.
    pub capped: u64,
    /// Impacts that gain energy as the law gives them, guarded or not.
    pub gaining: u64,
}

/// Position, orientation and velocities; ω in the inertial frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Of the centre of mass, m.
    pub position: Vector3<f64>,
    /// From body to inertial frame.
    pub orientation: UnitQuaternion<f64>,
    /// Of the centre of mass, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s.
    pub omega: Vector3<f64>,
}

/// Which points of the body can touch.
enum Form<'a> {
    /// A lumped mass: all of it at one point, no rotation.
    Point,
    Sphere(f64),
    Vertices(&'a [Vector3<f64>]),
}

/// One rock on its way.
pub struct Mover<'a> {
    scene: &'a Scene,
    ground: &'a RestitutionGround,
    rock: &'a Rock,
    form: Form<'a>,
    scale: GroundScale,
    scatter: Option<(ChaCha8Rng, f64)>,
    /// Where it is and how it moves.
    pub state: State,
    /// The point the rock rolls or slides on; `None` in flight. Always 0 for a sphere or a point.
    contact: Option<usize>,
    /// Of its impacts.
    pub counts: ImpactCounts,
    bounds: Bounds,
    /// Of the lowest point where the rock is, m, if that is known.
    gap: Option<f64>,
    /// Steps in a row in which no time passed.
    stalled: u32,
}

impl<'a> Mover<'a> {
    /// The mover of a rock under one of the restitution laws.
    pub fn of(fall: &Fall<'a>) -> Self {
        let Body { position, orientation, velocity, omega, .. } = fall.body;
        let start = Start { position, orientation, velocity, omega };
        Self::new(fall.scene, fall.rock, &start, *fall.scale, fall.scene.contact == ContactModel::Lumped)
    }

    /// [`Self::step`] on a body that others may have slowed since the last step.
    pub fn step_body(&mut self, dt: f64, body: &mut Body) -> StepInfo {
        self.state.velocity = body.velocity;
        if !matches!(self.form, Form::Point) {
            self.state.omega = body.orientation * body.omega;
        }
        let (before, counts) = (self.state, self.counts);
        let (passed, mode) = self.step(dt);
        self.stalled = if passed > 0.0 { 0 } else { self.stalled + 1 };
        body.position = self.state.position;
        body.orientation = self.state.orientation;
        body.omega = self.omega_body();
        // Time that no longer passes means the laws chase their own tail: not a number, hence a diverged trajectory.
        body.velocity = if self.stalled < MAX_STALLED { self.state.velocity } else { Vector3::repeat(f64::NAN) };
        let touching = u32::from(mode != Mode::Projectile);
        self.gap = self.gap.or_else(|| self.lowest(&self.state, None).map(|near| near.gap));
        StepInfo {
            closed: touching,
            pressed: touching,
            percussion: (self.state.velocity - before.velocity - self.gravity() * passed) * self.rock.mass_kg,
            restitution_reduced: self.ground.energy_guard && self.counts.gaining > counts.gaining,
            clearance_m: self.gap.map_or(f64::INFINITY, |gap| gap.max(0.0)),
            mode: Some(mode),
            ..StepInfo::lasting(passed)
        }
    }

    /// `lumped`: the rock as a point mass, with the ground's slope scatter drawn from `scale.seed`.
    pub fn new(scene: &'a Scene, rock: &'a Rock, start: &Start, scale: GroundScale, lumped: bool) -> Self {
        let ground = &scene.restitution;
        let form = match rock.sphere_radius {
            _ if lumped => Form::Point,
            Some(radius) => Form::Sphere(radius),
            None => Form::Vertices(&rock.vertices),
        };
        let scatter = (lumped && ground.slope_scatter_deg > 0.0)
            .then(|| (ChaCha8Rng::seed_from_u64(scale.seed), ground.slope_scatter_deg.to_radians()));
        let omega = if lumped { Vector3::zeros() } else { start.orientation * start.omega };
        let state = State { position: start.position, orientation: start.orientation, velocity: start.velocity, omega };
        Self {
            scene,
            ground,
            rock,
            form,
            scale,
            scatter,
            state,
            contact: None,
            counts: ImpactCounts::default(),
            bounds: Bounds::new(rock),
            gap: None,
            stalled: 0,
        }
    }

    /// Moves on by at most `dt`; returns the time that passed and what the rock was doing.
    pub fn step(&mut self, dt: f64) -> (f64, Mode) {
        let (passed, mode) = match self.contact {
            None => self.fly(dt),
            Some(index) => self.roll(index, dt),
        };
        self.forest_drag(passed);
        (passed, mode)
    }

    /// Kinetic energy, J; a lumped mass has no rotation.
    pub fn kinetic_energy(&self) -> f64 {
        self.rock.kinetic_energy(&self.state.velocity, &self.omega_body())
    }

    /// Angular velocity in the body frame, rad/s.
    pub fn omega_body(&self) -> Vector3<f64> {
        self.state.orientation.inverse() * self.state.omega
    }

    fn gravity(&self) -> Vector3<f64> {
        Vector3::new(0.0, 0.0, -self.scene.gravity_m_s2)
    }

    fn fly(&mut self, dt: f64) -> (f64, Mode) {
        let (from, gravity) = (self.state, self.gravity());
        let at = |t: f64| State {
            position: from.position + from.velocity * t + gravity * (0.5 * t * t),
            orientation: exponential(&from.omega, t) * from.orientation,
            velocity: from.velocity + gravity * t,
            omega: from.omega,
        };
        let clear = self.gap.take().is_some_and(|gap| self.bounds.stays_clear(self, gap, dt));
        let passed = if clear { dt } else { self.advance(dt, None, &at) };
        if passed == dt {
            self.state = at(dt);
            self.gap = self.lowest(&self.state, None).map(|near| near.gap);
            if self.gap.is_none_or(|gap| gap > TOUCH) || !self.touches() {
                return (dt, Mode::Projectile);
            }
            self.gap = None;
        }
        self.hit();
        (passed, Mode::Impact)
    }

    fn roll(&mut self, index: usize, dt: f64) -> (f64, Mode) {
        self.gap = None;
        let Some(near) = self.near(&self.state, index) else {
            self.contact = None;
            return self.fly(dt);
        };
        let approach = point_velocity(&self.state.velocity, &self.state.omega, &near.arm).dot(&near.normal);
        if approach < -SETTLE_SPEED {
            // The ground rises against the rolling rock.
            self.hit();
            return (0.0, Mode::Impact);
        }
        self.hold(&near, false);
        let touching = self.touching(&near);
        let friction = self.friction(&near);
        let moved = touching.accelerations(&friction);
        if moved.phase == Phase::Leaving {
            self.contact = None;
            return self.fly(dt);
        }
        let from = self.state;
        let at = |t: f64| State {
            position: from.position + from.velocity * t + moved.linear * (0.5 * t * t),
            orientation: exponential(&(from.omega + moved.angular * (0.5 * t)), t) * from.orientation,
            velocity: from.velocity + moved.linear * t,
            omega: from.omega + moved.angular * t,
        };
        let passed = self.advance(dt, Some(index), &at);
        let slip = touching.slip();
        let sticks = match moved.phase {
            Phase::Rolling => true,
            _ => self.near(&self.state, index).is_some_and(|near| self.touching(&near).slip().dot(&slip) <= 0.0),
        };
        self.follow_ground(index, sticks);
        self.brake_spin(&near, friction.rolling * moved.normal_force * near.arm.norm() * passed);
        if passed < dt {
            self.hit();
            return (passed, Mode::Impact);
        }
        (dt, if moved.phase == Phase::Rolling { Mode::Rolling } else { Mode::Sliding })
    }

    /// Takes the state at the first touch within `dt` and returns its time. See the module's notes on slow contacts.
    fn advance(&mut self, dt: f64, except: Option<usize>, at: &impl Fn(f64) -> State) -> f64 {
        let touch = self.time_of_touch(dt, except, at);
        self.state = at(touch);
        if touch >= LEAST_SHARE * dt || self.fastest_approach(except).is_some_and(|(_, speed)| speed > SETTLE_SPEED) {
            return touch;
        }
        self.state = at(LEAST_SHARE * dt);
        if let Some(lowest) = self.lowest(&self.state, None) {
            self.state.position.z -= lowest.gap.min(0.0);
        }
        LEAST_SHARE * dt
    }

    /// Keeps the rolling point on the ground, or lets go where the ground falls away.
    fn follow_ground(&mut self, index: usize, sticks: bool) {
        let Some(near) = self.near(&self.state, index) else {
            self.contact = None;
            return;
        };
        if near.gap > LIFT_OFF {
            self.contact = None;
            return;
        }
        self.state.position.z -= near.gap;
        self.hold(&near, sticks);
    }

    /// Takes up to `impulse` (N m s) from the spin about the contact normal.
    fn brake_spin(&mut self, near: &Near, impulse: f64) {
        let spin = self.state.omega.dot(&near.normal);
        let per_impulse = self.inertia().inverse * near.normal;
        let compliance = near.normal.dot(&per_impulse);
        if compliance > 0.0 {
            let needed = spin / compliance;
            self.state.omega -= per_impulse * needed.clamp(-impulse, impulse);
        }
    }

    /// Removes the contact point's velocity along the normal where it approaches, and all of it when it `sticks`.
    fn hold(&mut self, near: &Near, sticks: bool) {
        let gamma = point_velocity(&self.state.velocity, &self.state.omega, &near.arm);
        let approach = gamma.dot(&near.normal);
        let inertia = self.inertia();
        let compliance = inertia.compliance(&near.arm);
        let percussion = if sticks {
            compliance.try_inverse().map_or_else(Vector3::zeros, |inverse| -(inverse * gamma))
        } else if approach < 0.0 {
            near.normal * (-approach / near.normal.dot(&(compliance * near.normal)))
        } else {
            return;
        };
        self.state.velocity += percussion / inertia.mass_kg;
        self.state.omega += inertia.inverse * near.arm.cross(&percussion);
    }

    /// Impacts of all touching points, fastest first; then either flight or a settled contact.
    fn hit(&mut self) {
        let mut rebound: f64 = 0.0;
        let mut last = None;
        // Each impact reverses one point; points in turn push each other, with restitution below one less each time.
        for _ in 0..64 {
            let Some((mut near, speed)) = self.fastest_approach(None) else { break };
            let law = self.law(&near, speed);
            self.tilt(&mut near.normal);
            let struck =
                impact(&self.inertia(), &self.state.velocity, &self.state.omega, &near.arm, &near.normal, &law);
            if speed >= SETTLE_SPEED {
                self.counts.impacts += 1;
                self.counts.capped += u64::from(struck.capped);
                self.counts.gaining += u64::from(struck.guard != Guard::NotNeeded);
            }
            (self.state.velocity, self.state.omega) = (struck.velocity, struck.omega);
            rebound = point_velocity(&struck.velocity, &struck.omega, &near.arm).dot(&near.normal);
            last = Some(near.index);
        }
        self.contact = last.filter(|_| rebound < SETTLE_SPEED).or(self.contact.filter(|_| last.is_none()));
    }

    /// Turns the ground's normal by the slope scatter of a lumped mass, up or down along the direction of travel.
    fn tilt(&mut self, normal: &mut Vector3<f64>) {
        let Some((rng, deviation)) = &mut self.scatter else { return };
        let angle = *deviation * math::standard_normal(rng);
        let travel = self.state.velocity - *normal * self.state.velocity.dot(normal);
        if let Some(axis) = nalgebra::Unit::try_new(normal.cross(&travel), 1e-9) {
            let tilted = exponential(&(*axis * angle), 1.0) * *normal;
            // A tilt so steep that the rock would not even hit the ground is left out.
            if tilted.dot(&self.state.velocity) < 0.0 {
                *normal = tilted;
            }
        }
    }

    fn inertia(&self) -> Inertia {
        match self.form {
            Form::Point => Inertia { mass_kg: self.rock.mass_kg, inverse: nalgebra::Matrix3::zeros() },
            _ => {
                let rotation = self.state.orientation.to_rotation_matrix();
                Inertia::new(self.rock.mass_kg, self.rock.inertia, rotation.matrix())
            }
        }
    }

    fn forest_drag(&mut self, dt: f64) {
        let Some(forest) = &self.scene.forest else { return };
        let (x, y) = (self.state.position.x, self.state.position.y);
        let Some(height) = self.scene.surface.height(x, y) else { return };
        if self.state.position.z - height >= forest.height_m.at(x, y) {
            return;
        }
        let implicit = |c: f64, inertia: f64| (inertia - 0.5 * dt * c) / (inertia + 0.5 * dt * c);
        self.state.velocity *= implicit(forest.drag_kg_s.at(x, y), self.rock.mass_kg).max(0.0);
        self.state.omega *= implicit(forest.rotational_drag_kg_m2_s.at(x, y), self.rock.inertia.min()).max(0.0);
    }
}
