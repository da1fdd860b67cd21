//! Contact detection: which points of the rock touch the ground at a pose (Leine 2014, §3.5).
//!
//! - Every hull vertex is tested with the vertical gap (eq. 23).
//! - Where the DEM is finer than the rock, the DEM's bumps are tested against the hull as well (`nodes`).
//! - A true sphere has its own test (`sphere`).
//! - A plane above the terrain around the rock ([`Ceiling`]) tells which vertices cannot touch.

use nalgebra::{Matrix3, Vector3};

use super::body::Pose;
use super::lanes::{Lanes, Lanes3, WIDTH, widest};
use super::scene::{Scene, TerrainNodes};
use super::{nodes, sphere};
use crate::rock::Rock;
use crate::terrain::{Ceiling, Surface};

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

/// What looks at the ground found, and their buffers.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    pub touches: Vec<Touch>,
    /// Vertical gap of every hull vertex, NaN where there is no ground; only [`Look::measure_all`] fills it.
    pub vertex_gaps: Vec<f64>,
    /// Height of every vertex above the ceiling, m: no vertex's gap is smaller. −∞ without a ceiling. In groups like
    /// [`ContactSetup::vertices`].
    pub heights: Vec<[f64; WIDTH]>,
    /// The smallest of these.
    pub lowest: f64,
}

/// What is computed once per rock and scene.
#[derive(Debug, Clone, Default)]
pub struct ContactSetup {
    /// Face planes for the DEM-node test; empty if it is off.
    pub planes: Vec<nodes::Plane>,
    /// The hull's vertices in groups; the last group is filled up with the first vertex.
    pub vertices: Vec<Lanes3>,
}

impl ContactSetup {
    pub fn new(scene: &Scene, rock: &Rock) -> Self {
        let planes = if uses_terrain_nodes(scene, rock) { nodes::planes(rock) } else { Vec::new() };
        let vertices = rock.vertices.chunks(WIDTH).map(|group| {
            let mut lanes = Lanes3::all(&rock.vertices[0]);
            group.iter().enumerate().for_each(|(lane, vertex)| lanes.set(lane, vertex));
            lanes
        });
        Self { planes, vertices: vertices.collect() }
    }

    /// out = base + direction · vertex for every vertex; returns the smallest. For a sphere `out` stays empty and the
    /// smallest is that of its surface.
    pub fn along(&self, rock: &Rock, direction: &Vector3<f64>, base: f64, out: &mut Vec<[f64; WIDTH]>) -> f64 {
        if let Some(radius) = rock.sphere_radius {
            return base - radius * direction.norm();
        }
        if out.len() != self.vertices.len() {
            out.resize(self.vertices.len(), [0.0; WIDTH]);
        }
        widest(
            #[inline(always)]
            || {
                let (direction, base) = (Lanes3::all(direction), Lanes::all(base));
                let mut lowest = Lanes::all(f64::INFINITY);
                for (group, out) in self.vertices.iter().zip(out) {
                    let heights = base + direction.dot(*group);
                    lowest = lowest.min(heights);
                    *out = heights.0;
                }
                lowest.smallest()
            },
        )
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

/// One rock at one pose above the ground, with or without a ceiling. A ceiling changes no result, only how many vertices
/// are looked at.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub surface: &'a Surface,
    pub rock: &'a Rock,
    pub setup: &'a ContactSetup,
    pub pose: &'a Pose,
    pub ceiling: Option<&'a Ceiling>,
}

impl Look<'_> {
    /// Heights above the ceiling.
    pub fn measure(&self, survey: &mut Survey) {
        match self.ceiling {
            Some(ceiling) => {
                let direction = self.pose.rotation.tr_mul(&ceiling.up);
                let base = ceiling.above(&self.pose.position);
                survey.lowest = self.setup.along(self.rock, &direction, base, &mut survey.heights);
            }
            None => {
                survey.heights.clear();
                survey.heights.resize(self.setup.vertices.len(), [f64::NEG_INFINITY; WIDTH]);
                survey.lowest = f64::NEG_INFINITY;
            }
        }
    }

    fn sees_nodes(&self) -> bool {
        !self.setup.planes.is_empty() && self.ceiling.is_none_or(|ceiling| ceiling.bumpy)
    }

    #[inline]
    fn gap(&self, vertex: usize) -> Option<f64> {
        self.surface.gap(&self.pose.place(&self.rock.vertices[vertex]))
    }

    /// Smallest vertical gap between the rock and the ground, m; `INFINITY` if there is no ground below it.
    pub fn clearance(&self, survey: &mut Survey) -> f64 {
        self.measure(survey);
        self.measured_clearance(survey)
    }

    fn measured_clearance(&self, survey: &Survey) -> f64 {
        if let Some(radius) = self.rock.sphere_radius {
            return sphere::clearance(self.surface, &self.pose.position, radius);
        }
        let heights = &survey.heights.as_flattened()[..self.rock.vertices.len()];
        // The lowest first: its gap spares the others a look.
        let first = heights.iter().position(|height| *height == survey.lowest).unwrap_or(0);
        let mut clearance = self.gap(first).unwrap_or(f64::INFINITY);
        for (k, height) in heights.iter().enumerate() {
            if *height < clearance && k != first {
                clearance = clearance.min(self.gap(k).unwrap_or(f64::INFINITY));
            }
        }
        if survey.lowest < clearance && self.sees_nodes() {
            clearance = nodes::clearance(self, survey.lowest, clearance);
        }
        clearance
    }

    /// [`Look::clearance`] of a rock in contact, as far as it matters: 0 if it is no smaller than `−depth`.
    pub fn clearance_in_contact(&self, depth: f64, survey: &mut Survey) -> f64 {
        self.measure(survey);
        if survey.lowest >= -depth { 0.0 } else { self.measured_clearance(survey) }
    }

    /// Lists the touches with the ground lowered by `depth` (the rebound plane below compactable soil).
    pub fn find_touches(&self, depth: f64, survey: &mut Survey) {
        survey.touches.clear();
        self.measure(survey);
        if survey.lowest + depth > 0.0 {
            return;
        }
        if let Some(radius) = self.rock.sphere_radius {
            sphere::touches(self.surface, self.pose, radius, depth, &mut survey.touches);
            return;
        }
        let heights = &survey.heights.as_flattened()[..self.rock.vertices.len()];
        for (k, height) in heights.iter().enumerate() {
            if height + depth > 0.0 {
                continue;
            }
            let vertex = &self.rock.vertices[k];
            let point = self.pose.place(vertex);
            let Some(spot) = self.surface.spot(point.x, point.y) else { continue };
            let gap = point.z - spot.height + depth;
            if gap <= 0.0 {
                let normal = spot.normal();
                let (x, y) = (point.x, point.y);
                survey.touches.push(Touch { key: k as u64, arm: *vertex, normal, x, y, gap: gap * normal.z });
            }
        }
        if self.sees_nodes() {
            nodes::touches(self, survey.lowest, depth, &mut survey.touches);
        }
    }

    /// Measures the gap of every vertex.
    pub fn measure_all(&self, survey: &mut Survey) {
        survey.vertex_gaps.clear();
        survey.vertex_gaps.extend((0..self.rock.vertices.len()).map(|k| self.gap(k).unwrap_or(f64::NAN)));
    }
}

/// W_ω: moments of the contact frame's axes about the centre of mass, in K (Leine 2014, eq. 27).
pub fn moments(arm: &Vector3<f64>, rotation: &Matrix3<f64>, frame: &Matrix3<f64>) -> Matrix3<f64> {
    let axes = rotation.tr_mul(frame);
    Matrix3::from_columns(&[0, 1, 2].map(|k| arm.cross(&axes.column(k))))
}
