//! The part of a step that contacts do not enter: gravity, drag and free rotation.

use nalgebra::{Matrix3, Vector3};

use super::body::Body;
use super::drag::Drag;
use super::rotation::FreeRotation;
use super::scene::Scene;
use super::solver::{Contact, Response, Velocity};
use crate::rock::Rock;

/// A step without contacts.
pub struct FreeMotion {
    /// u_free: what the velocities become.
    pub end: Velocity,
    /// M_Δ⁻¹: how percussions change them.
    pub response: Response,
    /// The velocities that, averaged with the final ones, give the work of percussions and drag.
    pub start: Velocity,
    /// How it turns without contacts.
    pub rotation: FreeRotation,
    drag: Drag,
}

impl FreeMotion {
    /// Over a step of `dt` seconds.
    #[inline(always)]
    pub fn new(scene: &Scene, rock: &Rock, body: &Body, drag: &Drag, dt: f64) -> Self {
        let angular = Matrix3::from_diagonal_element(drag.angular);
        let (p, omega) = (&body.orientation, &body.omega);
        let rotation = FreeRotation::new(scene.integrator, &rock.inertia, p, omega, &body.residue, &angular, dt);
        Self::with_rotation(scene, rock, body, drag, rotation, dt)
    }

    /// A large step of a flight.
    #[inline(always)]
    pub fn leap(scene: &Scene, rock: &Rock, body: &Body, drag: &Drag, h: f64) -> Self {
        let angular = Matrix3::from_diagonal_element(drag.angular);
        let rotation = FreeRotation::leap(&rock.inertia, &body.orientation, &body.omega, &angular, h);
        Self::with_rotation(scene, rock, body, drag, rotation, h)
    }

    #[inline(always)]
    fn with_rotation(scene: &Scene, rock: &Rock, body: &Body, drag: &Drag, rotation: FreeRotation, dt: f64) -> Self {
        let m = rock.mass_kg;
        let half_drag = 0.5 * dt * drag.linear;
        let per_mass = 1.0 / (m + half_drag);
        let v = ((m - half_drag) * body.velocity - Vector3::z() * (m * scene.gravity_m_s2 * dt)) * per_mass;
        Self {
            end: Velocity { v, omega: rotation.omega },
            response: Response { per_mass, per_inertia: rotation.response },
            start: Velocity { v: body.velocity, omega: rotation.torque_free },
            rotation,
            drag: *drag,
        }
    }

    /// Energy that the free rotation alone gained on a body that began with `omega`, J.
    pub fn gyroscopic_work(&self, rock: &Rock, omega: &Vector3<f64>) -> f64 {
        let energy = |omega: &Vector3<f64>| rock.kinetic_energy(&self.start.v, omega);
        energy(&self.start.omega) - energy(omega)
    }

    /// −Δt c |v̄|² − Δt C |ω̄|² with the mean velocities of the step.
    pub fn drag_work(&self, end: &Velocity, dt: f64) -> f64 {
        let v = 0.5 * (self.start.v + end.v);
        let omega = 0.5 * (self.start.omega + end.omega);
        -dt * (self.drag.linear * v.norm_squared() + self.drag.angular * omega.norm_squared())
    }

    /// Work of whatever makes the velocities `end` of the free ones: [`FreeMotion::contact_work`] with M_Δ (u' − u_free) for W P.
    pub fn work_to(&self, end: &Velocity) -> f64 {
        let push = (end.v - self.end.v) / self.response.per_mass;
        let turn = self.response.per_inertia.try_inverse().unwrap_or_default() * (end.omega - self.end.omega);
        0.5 * ((self.start.v + end.v).dot(&push) + (self.start.omega + end.omega).dot(&turn))
    }

    /// ½ (u' + u)ᵀ W P (Leine 2014, eq. 57).
    pub fn contact_work(&self, contacts: &[Contact], end: &Velocity) -> f64 {
        let twice: f64 = contacts.iter().map(|c| (c.velocity(end) + c.velocity(&self.start)).dot(&c.percussion)).sum();
        0.5 * twice
    }
}
