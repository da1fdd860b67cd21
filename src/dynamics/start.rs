//! How a rock starts.

use nalgebra::{UnitQuaternion, Vector3};

/// How a rock starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// Centre of mass, local, m.
    pub position: Vector3<f64>,
    /// Turns K (principal axes) to the inertial frame.
    pub orientation: UnitQuaternion<f64>,
    /// m/s, inertial frame.
    pub velocity: Vector3<f64>,
    /// Angular velocity in K, rad/s.
    pub omega: Vector3<f64>,
}
