//! The state of a moving rock.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::dynamics::Start;
use crate::rock::Rock;

/// q = (r, p), u = (v, ω), and what the ground remembers of the rock.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Centre of mass, local, m.
    pub position: Vector3<f64>,
    /// p_IK: turns the principal axes K to the inertial frame.
    pub orientation: UnitQuaternion<f64>,
    /// m/s, inertial frame.
    pub velocity: Vector3<f64>,
    /// rad/s, in K.
    pub omega: Vector3<f64>,
    /// Slippage s of the friction law, m.
    pub slippage: f64,
    /// Depth of the rebound plane below the ground while the rock is in compactable soil, m.
    pub scar_depth: Option<f64>,
    /// What the director scheme carries from step to step; zero with the other integrators.
    pub residue: Matrix3<f64>,
}

impl Body {
    /// At the start of a trajectory.
    pub fn new(start: &Start) -> Self {
        Self {
            position: start.position,
            orientation: start.orientation,
            velocity: start.velocity,
            omega: start.omega,
            slippage: 0.0,
            scar_depth: None,
            residue: Matrix3::zeros(),
        }
    }

    /// Whether every number of it is one.
    pub fn is_finite(&self) -> bool {
        // NaN and infinity survive any sum.
        let moving = self.position.sum() + self.velocity.sum() + self.omega.sum();
        (moving + self.orientation.coords.sum() + self.slippage).is_finite()
    }

    /// Translational plus rotational, J.
    pub fn kinetic_energy(&self, rock: &Rock) -> f64 {
        rock.kinetic_energy(&self.velocity, &self.omega)
    }
}

/// Position and orientation in the form the contact tests want.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Of the centre of mass, m.
    pub position: Vector3<f64>,
    /// A_IK.
    pub rotation: Matrix3<f64>,
}

impl Pose {
    /// From position and orientation.
    pub fn new(position: &Vector3<f64>, orientation: &UnitQuaternion<f64>) -> Self {
        Self { position: *position, rotation: orientation.to_rotation_matrix().into_inner() }
    }

    /// A point of K in the inertial frame.
    #[inline]
    pub fn place(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.rotation * point
    }
}
