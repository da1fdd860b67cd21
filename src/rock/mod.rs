//! The rock: a convex polyhedron (or a true sphere) with mass, centre and principal inertias.

use nalgebra::Vector3;

/// A rigid body ready for the dynamics, expressed in its eigenframe K with the centre of mass as origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Rock {
    pub name: String,
    /// Hull vertices in K, m. Empty for a true sphere.
    pub vertices: Vec<Vector3<f64>>,
    /// Hull faces as vertex triples, counter-clockwise from outside. Empty for a true sphere.
    pub faces: Vec<[u32; 3]>,
    /// Radius of a true sphere, m.
    pub sphere_radius: Option<f64>,
    pub mass_kg: f64,
    pub volume_m3: f64,
    /// Principal moments A ≤ B ≤ C, kg m².
    pub inertia: Vector3<f64>,
    /// Radius of the bounding sphere around the centre of mass, m.
    pub bounding_radius: f64,
}
