//! Where a body under the restitution laws meets the ground, when, and which laws hold there.

use nalgebra::Vector3;

use super::{Form, Mover, SETTLE_SPEED, State, TOUCH};
use crate::dynamics::rocfall::impact::{Restitution, point_velocity, scaled_normal};
use crate::dynamics::rocfall::rolling::{Friction, Pivot, Touching};

/// A point of the body near the ground.
#[derive(Clone, Copy)]
pub(super) struct Near {
    pub(super) index: usize,
    /// Contact point − centre of mass, inertial frame.
    pub(super) arm: Vector3<f64>,
    pub(super) normal: Vector3<f64>,
    pub(super) gap: f64,
}

impl Mover<'_> {
    /// The law for a point that comes down at `approach` m/s.
    pub(super) fn law(&self, near: &Near, approach: f64) -> Restitution {
        let (x, y) = self.point(near);
        let mu = self.ground.mu.at(x, y) * self.scale.mu;
        if approach < SETTLE_SPEED {
            return Restitution { normal: 0.0, tangential: 0.0, cap: Some(mu), energy_guard: true };
        }
        let normal = (self.ground.r_n.at(x, y) * self.scale.epsilon).clamp(0.0, 1.0);
        let speed = self.state.velocity.norm();
        Restitution {
            normal: self.ground.r_n_scaling_m_s.map_or(normal, |k| scaled_normal(normal, speed, k)),
            tangential: (self.ground.r_t.at(x, y) * self.scale.epsilon).clamp(0.0, 1.0),
            cap: self.ground.tangential_cap.then_some(mu),
            energy_guard: self.ground.energy_guard,
        }
    }

    pub(super) fn friction(&self, near: &Near) -> Friction {
        let (x, y) = self.point(near);
        let rolling = match self.form {
            Form::Point => 0.0,
            _ => self.ground.rolling_friction.at(x, y) * self.scale.mu,
        };
        Friction { mu: self.ground.mu.at(x, y) * self.scale.mu, rolling }
    }

    pub(super) fn point(&self, near: &Near) -> (f64, f64) {
        (self.state.position.x + near.arm.x, self.state.position.y + near.arm.y)
    }

    pub(super) fn touching(&self, near: &Near) -> Touching {
        let rotation = self.state.orientation.to_rotation_matrix();
        let inertia =
            rotation.matrix() * nalgebra::Matrix3::from_diagonal(&self.rock.inertia) * rotation.matrix().transpose();
        Touching {
            mass_kg: self.rock.mass_kg,
            inertia,
            velocity: self.state.velocity,
            omega: self.state.omega,
            arm: near.arm,
            normal: near.normal,
            gravity: self.gravity(),
            pivot: if matches!(self.form, Form::Vertices(_)) { Pivot::Material } else { Pivot::Sphere },
        }
    }

    pub(super) fn points(&self) -> usize {
        match self.form {
            Form::Vertices(vertices) => vertices.len(),
            _ => 1,
        }
    }

    /// Where point `index` of the body is relative to the ground in a state; `None` without ground below it.
    pub(super) fn near(&self, state: &State, index: usize) -> Option<Near> {
        let surface = &self.scene.surface;
        match self.form {
            Form::Vertices(vertices) => {
                let arm = state.orientation * vertices[index];
                let point = state.position + arm;
                let spot = surface.spot(point.x, point.y)?;
                Some(Near { index, arm, normal: spot.normal(), gap: point.z - spot.height })
            }
            Form::Point | Form::Sphere(_) => {
                let radius = if let Form::Sphere(radius) = self.form { radius } else { 0.0 };
                let spot = surface.spot(state.position.x, state.position.y)?;
                let normal = spot.normal();
                // Vertical gap between the sphere and the plane tangent below its centre.
                let gap = state.position.z - spot.height - radius / normal.z;
                Some(Near { index, arm: -normal * radius, normal, gap })
            }
        }
    }

    /// The point nearest to the ground, of several the first.
    pub(super) fn lowest(&self, state: &State, except: Option<usize>) -> Option<Near> {
        let nearer = |a: &Near, b: &Near| a.gap.total_cmp(&b.gap).then(a.index.cmp(&b.index));
        let bounds = self.bounds.at(self, state);
        let Some(bounds) = &bounds else {
            return self.others(except).filter_map(|k| self.near(state, k)).min_by(nearer);
        };
        // The one that is nearest to the plane spares most of the others a look.
        let heights = bounds.all();
        let first = heights.iter().position(|height| *height == bounds.lowest).filter(|k| Some(*k) != except);
        let mut lowest = first.and_then(|k| self.near(state, k));
        let mut most = lowest.map_or(f64::INFINITY, |lowest| lowest.gap);
        for (k, height) in heights.iter().enumerate() {
            if *height <= most && Some(k) != except && Some(k) != first {
                lowest = lowest.into_iter().chain(self.near(state, k)).min_by(nearer);
                most = lowest.map_or(f64::INFINITY, |lowest| lowest.gap);
            }
        }
        lowest
    }

    /// Whether a point is deeper than `level`, m, which is not positive.
    fn is_below(&self, level: f64, state: &State, except: Option<usize>) -> bool {
        let below = |index: usize| self.near(state, index).is_some_and(|near| near.gap < level);
        match &self.bounds.at(self, state) {
            None => self.others(except).any(below),
            Some(bounds) if bounds.lowest >= level => false,
            Some(bounds) => {
                let heights = bounds.all().iter().enumerate();
                heights.filter(|(k, height)| **height < level && Some(*k) != except).any(|(k, _)| below(k))
            }
        }
    }

    fn others(&self, except: Option<usize>) -> impl Iterator<Item = usize> {
        (0..self.points()).filter(move |index| Some(*index) != except)
    }

    /// Smallest gap between the rock and the ground, m, not below 0; `None` where no point has ground below it.
    pub fn clearance(&self) -> Option<f64> {
        self.lowest(&self.state, None).map(|near| near.gap.max(0.0))
    }

    pub(super) fn touches(&self) -> bool {
        self.fastest_approach(None).is_some()
    }

    /// Of the points at the ground other than `except`, the one that approaches it fastest, and how fast.
    pub(super) fn fastest_approach(&self, except: Option<usize>) -> Option<(Near, f64)> {
        let speed = |near: &Near| -point_velocity(&self.state.velocity, &self.state.omega, &near.arm).dot(&near.normal);
        let bounds = self.bounds.at(self, &self.state);
        let heights = match &bounds {
            Some(bounds) if bounds.lowest > TOUCH => return None,
            Some(bounds) => Some(bounds.all()),
            None => None,
        };
        self.others(except)
            .filter(|index| heights.is_none_or(|heights| heights[*index] <= TOUCH))
            .filter_map(|index| self.near(&self.state, index))
            .filter(|near| near.gap <= TOUCH)
            .map(|near| (near, speed(&near)))
            .filter(|(_, speed)| *speed > 1e-9)
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The first time within `dt` at which a point other than `except` reaches the ground; `dt` if none does.
    ///
    /// A point already at or below the ground does not count again until it moves deeper.
    pub(super) fn time_of_touch(&self, dt: f64, except: Option<usize>, at: &impl Fn(f64) -> State) -> f64 {
        let now = at(0.0);
        let depth_now = match self.is_below(0.0, &now, except) {
            true => self.lowest(&now, except).map_or(0.0, |near| near.gap.min(0.0)),
            false => 0.0,
        };
        let below = |t: f64| self.is_below(depth_now, &at(t), except);
        if !below(dt) {
            return dt;
        }
        let (mut free, mut touched) = (0.0, dt);
        // 2⁻⁴⁰ of a step: far below the touching distance at any speed.
        for _ in 0..40 {
            let middle = 0.5 * (free + touched);
            if below(middle) { touched = middle } else { free = middle }
        }
        free
    }
}
