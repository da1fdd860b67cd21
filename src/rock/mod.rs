//! The rock: a convex polyhedron (or a true sphere) with mass, centre and principal inertias (Leine 2014, §3.3).

pub mod appearance;
pub mod hull;
pub mod inertia;
pub mod natural;
pub mod presets;
pub mod shape;

pub use appearance::Appearance;
pub use shape::Shape;

use nalgebra::{UnitQuaternion, Vector3};

/// A rigid body ready for the dynamics, expressed in its eigenframe K with the centre of mass as origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Rock {
    /// For people.
    pub name: String,
    /// Hull vertices in K, m. Empty for a true sphere.
    pub vertices: Vec<Vector3<f64>>,
    /// Hull faces as vertex triples, counter-clockwise from outside. Empty for a true sphere.
    pub faces: Vec<[u32; 3]>,
    /// Radius of a true sphere, m.
    pub sphere_radius: Option<f64>,
    /// Mass, kg.
    pub mass_kg: f64,
    /// Volume, m³.
    pub volume_m3: f64,
    /// Principal moments A ≤ B ≤ C, kg m².
    pub inertia: Vector3<f64>,
    /// Radius of the bounding sphere around the centre of mass, m.
    pub bounding_radius: f64,
    /// Turns K to the frame B the shape was given in (A_BK): an orientation A_IB given for B is A_IB · A_BK for K.
    pub axes_in_body: UnitQuaternion<f64>,
    /// Full lengths along the three axes K, m.
    pub lengths: Vector3<f64>,
}

impl Rock {
    /// Kinetic energy at a velocity and an angular velocity in K, J.
    pub fn kinetic_energy(&self, velocity: &Vector3<f64>, omega: &Vector3<f64>) -> f64 {
        0.5 * (self.mass_kg * velocity.norm_squared() + omega.dot(&self.inertia.component_mul(omega)))
    }
}
