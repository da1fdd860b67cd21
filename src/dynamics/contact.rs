//! Contact detection: which points of the rock touch the ground at a pose (Leine 2014, §3.5).
//!
//! - Every hull vertex is tested with the vertical gap (eq. 23).
//! - Where the DEM is finer than the rock, the DEM's bumps are tested against the hull as well (`nodes`).
//! - A true sphere has its own test (`sphere`).

use nalgebra::{Matrix3, Vector3};

use super::body::Pose;
use super::scene::{Scene, TerrainNodes};
use super::{nodes, sphere};
use crate::rock::Rock;
use crate::terrain::Spot;

/// A point of the rock at or below the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Which vertex or DEM node this is, to find it again in the next step.
    pub key: u64,
    /// From the centre of mass to the contact point, in K.
    pub arm: Vector3<f64>,
    /// Contact normal, inertial frame, pointing into the rock.
    pub normal: Vector3<f64>,
    /// Where the ground's parameters are taken.
    pub x: f64,
    pub y: f64,
    /// Gap along the normal, m; not positive. For a vertex this is the vertical gap times n_z: exact on a plane.
    pub gap: f64,
}

/// What one look at the ground found.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// Vertical gap of every hull vertex; NaN where there is no ground.
    pub vertex_gaps: Vec<f64>,
    spots: Vec<Spot>,
    /// Smallest vertical gap between the rock and the ground; `INFINITY` if there is no ground below it.
    pub clearance: f64,
    pub touches: Vec<Touch>,
}

/// What is computed once per rock and scene.
#[derive(Debug, Clone, Default)]
pub struct ContactSetup {
    /// Face planes for the DEM-node test; empty if it is off.
    pub planes: Vec<nodes::Plane>,
}

impl ContactSetup {
    pub fn new(scene: &Scene, rock: &Rock) -> Self {
        let planes = if uses_terrain_nodes(scene, rock) { nodes::planes(rock) } else { Vec::new() };
        Self { planes }
    }
}

/// Whether DEM nodes are tested against this rock: forced, or because the rock is larger than a cell. A true sphere's
/// own test sees every cell below it.
pub fn uses_terrain_nodes(scene: &Scene, rock: &Rock) -> bool {
    let lattice = scene.surface.lattice();
    match scene.terrain_nodes {
        _ if rock.sphere_radius.is_some() => false,
        TerrainNodes::Always => true,
        TerrainNodes::Never => false,
        TerrainNodes::Auto => 2.0 * rock.bounding_radius > lattice.dx.min(lattice.dy),
    }
}

/// Measures the gaps at a pose, to the terrain itself.
pub fn survey(scene: &Scene, rock: &Rock, setup: &ContactSetup, pose: &Pose, survey: &mut Survey) {
    survey.touches.clear();
    survey.vertex_gaps.clear();
    survey.spots.clear();
    survey.clearance = f64::INFINITY;
    if let Some(radius) = rock.sphere_radius {
        survey.clearance = sphere::clearance(&scene.surface, &pose.position, radius);
        return;
    }
    for vertex in &rock.vertices {
        let point = pose.place(vertex);
        let spot = scene.surface.spot(point.x, point.y);
        let gap = spot.map_or(f64::NAN, |spot| point.z - spot.height);
        survey.spots.push(spot.unwrap_or(Spot { height: f64::NAN, slope_x: 0.0, slope_y: 0.0 }));
        survey.vertex_gaps.push(gap);
        survey.clearance = survey.clearance.min(gap);
    }
    if !setup.planes.is_empty() {
        let lowest = nodes::clearance(&scene.surface, rock, &setup.planes, pose);
        survey.clearance = survey.clearance.min(lowest);
    }
}

/// Lists the touches of a surveyed pose against the ground lowered by `depth` (the rebound plane below compactable soil).
pub fn find_touches(scene: &Scene, rock: &Rock, setup: &ContactSetup, pose: &Pose, depth: f64, survey: &mut Survey) {
    survey.touches.clear();
    if survey.clearance + depth > 0.0 {
        return;
    }
    if let Some(radius) = rock.sphere_radius {
        sphere::touches(&scene.surface, pose, radius, depth, &mut survey.touches);
        return;
    }
    for (k, (gap, spot)) in survey.vertex_gaps.iter().zip(&survey.spots).enumerate() {
        // NaN gaps (no ground) fail the comparison.
        if gap + depth <= 0.0 {
            let (point, normal) = (pose.place(&rock.vertices[k]), spot.normal());
            survey.touches.push(Touch {
                key: k as u64,
                arm: rock.vertices[k],
                normal,
                x: point.x,
                y: point.y,
                gap: (gap + depth) * normal.z,
            });
        }
    }
    if !setup.planes.is_empty() {
        nodes::touches(&scene.surface, rock, &setup.planes, pose, depth, &mut survey.touches);
    }
}

/// W_ω: moments of the contact frame's axes about the centre of mass, in K (Leine 2014, eq. 27).
pub fn moments(arm: &Vector3<f64>, rotation: &Matrix3<f64>, frame: &Matrix3<f64>) -> Matrix3<f64> {
    arm.cross_matrix() * rotation.tr_mul(frame)
}
