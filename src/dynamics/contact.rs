//! Contact detection: which points of the rock touch the ground at a pose (Leine 2014, §3.5).
//!
//! - Every hull vertex is tested with the vertical gap (eq. 23).
//! - Where the ground is convex, its nodes are tested against the hull's faces (`nodes`), and its crests and patches against
//!   the hull's edges (`edges`): between the vertices the gap is smallest nowhere else.
//! - A centre of mass below the ground is a contact whatever else is: a rock cannot stay there.
//! - A true sphere has its own test (`sphere`).
//! - A plane above the terrain around the rock ([`Ceiling`]) tells which vertices cannot touch.

use std::f64::consts::SQRT_2;

use nalgebra::{Matrix3, Vector3};

use super::body::Pose;
use super::lanes::{Lanes, Lanes3, WIDTH, widest};
use super::scene::TerrainNodes;
use super::sides::{FacesAt, Sides};
use super::{edges, nodes, sphere};
use crate::rock::Rock;
use crate::terrain::{Ceiling, Lattice, Surface, Unevenness};

/// A point of the rock at or below the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Which vertex, DEM node or point of an edge this is, to find it again in the next step.
    pub key: u64,
    /// From the centre of mass to the contact point, in K.
    pub arm: Vector3<f64>,
    /// Contact normal, inertial frame, pointing into the rock.
    pub normal: Vector3<f64>,
    /// Where the ground's parameters are taken.
    pub x: f64,
    /// North, m.
    pub y: f64,
    /// Gap along the normal, m; not positive. The vertical gap times n_z: exact on a plane and between edge and crest.
    pub gap: f64,
}

/// What looks at the ground found, and their buffers.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// Every touching point.
    pub touches: Vec<Touch>,
    /// Vertical gaps of hull vertices, NaN where there is no ground; only [`Look::submergence`] fills it.
    pub vertex_gaps: Vec<f64>,
    /// Faces with a vertex below the ground, in their order; likewise.
    pub wet_faces: Vec<u32>,
    /// Height of every vertex above the ceiling, m: no vertex's gap is smaller. −∞ without a ceiling. In groups like
    /// [`ContactSetup::vertices`].
    pub heights: Vec<[f64; WIDTH]>,
    /// The smallest of these.
    pub lowest: f64,
    /// Everything that is not in `touches` is further above the ground than this, m; −∞ if that is not known.
    pub spare: f64,
    /// A lower bound of every vertex's gap, where the ground between vertices matters.
    gaps: Vec<f64>,
    /// The vertex whose gap the last clearance was; `None` if it was one between vertices.
    pub nearest: Option<usize>,
}

/// Key of the centre of mass.
pub(super) const CENTRE_KEY: u64 = u64::MAX;
/// Contacts no further apart than this share of the rock's radius …
const SAME_PLACE: f64 = 0.02;
/// … whose normals differ by less than this angle's cosine (8°) are one.
const SAME_DIRECTION: f64 = 0.99;

/// Up to this far above the ground the gap of what does not touch is measured, m.
pub(super) const MARGIN_M: f64 = 5e-3;

/// What the ground may stand out between the vertices of a rock and be neglected, m, for bends and for twists.
const NEGLECTED_M: f64 = 1e-3;

/// What is computed once per rock and scene.
#[derive(Debug, Clone, Default)]
pub struct ContactSetup {
    /// For the tests between vertices; empty if they are off.
    pub sides: Sides,
    /// The hull's triangles by vertex.
    pub faces: FacesAt,
    /// Ground that is no more uneven is carried by vertices alone.
    pub smooth: Unevenness,
    /// The hull's vertices in groups; the last group is filled up with the first vertex.
    pub vertices: Vec<Lanes3>,
    /// Smallest width of the rock, m.
    pub thickness: f64,
    /// From the centre of mass to the nearest face, m.
    pub inner_radius: f64,
    /// How much nearer than its clearance says a point of the hull may be to the ground, m.
    pub overlooked: f64,
    /// The inverse of the smaller side of a cell, 1/m.
    pub(super) per_cell: f64,
}

impl ContactSetup {
    /// For a rock on a lattice.
    pub fn new(lattice: &Lattice, terrain_nodes: TerrainNodes, rock: &Rock) -> Self {
        let vertices = in_lanes(rock);
        let cell = lattice.dx.min(lattice.dy);
        let sides = Sides::new(rock);
        let (thickness, inner_radius) = (sides.thickness(rock), sides.inner_radius(rock));
        let (sides, neglected) = match terrain_nodes {
            TerrainNodes::Never => (Sides::default(), NEGLECTED_M),
            TerrainNodes::Auto => (sides, NEGLECTED_M),
            TerrainNodes::Always => (sides, 1e-3 * NEGLECTED_M),
        };
        // By bends, by twists, and by patches below the edges.
        let overlooked = if sides.planes.is_empty() { 0.0 } else { 2.0 * neglected + edges::RISES_M };
        // The inverse of `sag`, twice for a triangle.
        let length = if rock.sphere_radius.is_some() { 2.0 * rock.bounding_radius } else { sides.widest_triangle };
        let smooth = Unevenness {
            bend: 2.0 * neglected / (length * (length / cell + SQRT_2)),
            twist: 2.0 * neglected / (length * length),
        };
        let faces = FacesAt::new(rock);
        Self { sides, faces, smooth, vertices, thickness, inner_radius, overlooked, per_cell: 1.0 / cell }
    }

    /// By how much the slope of uneven ground can fall in all on a straight way so long.
    fn slope_fall(&self, length: f64, uneven: &Unevenness) -> f64 {
        uneven.bend * (length * self.per_cell + SQRT_2) + uneven.twist * length
    }

    /// How far uneven ground can stand out above the straight line between two points of it so far apart, m: a line of
    /// length ℓ whose slope falls by s in all on its way stands out by at most s ℓ/4.
    fn sag(&self, length: f64, uneven: &Unevenness) -> f64 {
        0.25 * length * self.slope_fall(length, uneven)
    }

    /// By how much the hull can be nearer to ground below a ceiling than its nearest vertex is, m. In a triangle any point
    /// lies on a line from a corner to the opposite side, and that point on a line between corners.
    pub fn protrusion(&self, ceiling: &Ceiling) -> f64 {
        if self.sides.planes.is_empty() || !ceiling.uneven.exceeds(&self.smooth) {
            return 0.0;
        }
        ceiling.depth.min(2.0 * self.sag(self.sides.widest_triangle, &ceiling.uneven))
    }

    /// out = base + direction · vertex for every vertex; returns the smallest. For a sphere `out` stays empty and the
    /// smallest is that of its surface.
    pub fn along(&self, rock: &Rock, direction: &Vector3<f64>, base: f64, out: &mut Vec<[f64; WIDTH]>) -> f64 {
        if let Some(radius) = rock.sphere_radius {
            return base - radius * direction.norm();
        }
        along(&self.vertices, direction, base, out)
    }
}

/// [`ContactSetup::vertices`].
pub(super) fn in_lanes(rock: &Rock) -> Vec<Lanes3> {
    let lanes = |group: &[Vector3<f64>]| {
        let mut lanes = Lanes3::all(&rock.vertices[0]);
        group.iter().enumerate().for_each(|(lane, vertex)| lanes.set(lane, vertex));
        lanes
    };
    rock.vertices.chunks(WIDTH).map(lanes).collect()
}

/// [`ContactSetup::along`] of a rock with vertices.
pub(super) fn along(vertices: &[Lanes3], direction: &Vector3<f64>, base: f64, out: &mut Vec<[f64; WIDTH]>) -> f64 {
    if out.len() != vertices.len() {
        out.resize(vertices.len(), [0.0; WIDTH]);
    }
    widest(
        #[inline(always)]
        || {
            let (direction, base) = (Lanes3::all(direction), Lanes::all(base));
            let mut lowest = Lanes::all(f64::INFINITY);
            for (group, out) in vertices.iter().zip(out) {
                let heights = base + direction.dot(*group);
                lowest = lowest.min(heights);
                *out = heights.0;
            }
            lowest.smallest()
        },
    )
}

/// One rock at one pose above the ground, with or without a ceiling. A ceiling changes no result, only how many vertices
/// are looked at.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The terrain.
    pub surface: &'a Surface,
    /// The rock.
    pub rock: &'a Rock,
    /// What was prepared for the rock.
    pub setup: &'a ContactSetup,
    /// Where it is.
    pub pose: &'a Pose,
    /// Heights the terrain stays below, if known.
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

    /// Whether the ground can touch the rock between its vertices.
    fn sees_between(&self) -> bool {
        let uneven = |ceiling: &Ceiling| ceiling.uneven.exceeds(&self.setup.smooth);
        !self.setup.sides.planes.is_empty() && self.ceiling.is_none_or(uneven)
    }

    /// Bounds for the ground around the rock.
    pub(super) fn unevenness(&self) -> Unevenness {
        self.ceiling.map_or(Unevenness { bend: f64::INFINITY, twist: f64::INFINITY }, |ceiling| ceiling.uneven)
    }

    #[inline]
    pub(super) fn gap(&self, vertex: usize) -> Option<f64> {
        self.surface.ground_gap(&self.pose.place(&self.rock.vertices[vertex]))
    }

    /// Smallest vertical gap between the rock and the ground, m; `INFINITY` if there is no ground below it.
    pub fn clearance(&self, survey: &mut Survey) -> f64 {
        self.measure(survey);
        self.measured_clearance(survey, f64::NEG_INFINITY)
    }

    /// [`Look::clearance`] if it is larger than `enough`, else any number between the two.
    pub fn clearance_above(&self, enough: f64, survey: &mut Survey) -> f64 {
        self.measure(survey);
        self.measured_clearance(survey, enough)
    }

    /// Gaps at or below `enough` need not be told apart.
    pub(super) fn measured_clearance(&self, survey: &mut Survey, enough: f64) -> f64 {
        if let Some(radius) = self.rock.sphere_radius {
            return sphere::clearance(self, radius, survey.lowest);
        }
        let heights = &survey.heights.as_flattened()[..self.rock.vertices.len()];
        // The lowest first: its gap spares the others a look.
        let first = heights.iter().position(|height| *height == survey.lowest).unwrap_or(0);
        let first_gap = self.gap(first).unwrap_or(f64::INFINITY);
        let mut clearance = first_gap;
        survey.nearest = Some(first);
        survey.gaps.clear();
        for (k, height) in heights.iter().enumerate() {
            if clearance <= enough {
                return clearance;
            }
            let mut bound = *height;
            if k == first {
                bound = bound.max(first_gap);
            } else if *height < clearance {
                bound = self.gap(k).unwrap_or(f64::INFINITY);
                if bound < clearance {
                    (clearance, survey.nearest) = (bound, Some(k));
                }
            }
            survey.gaps.push(bound);
        }
        if survey.lowest < clearance && clearance > enough && self.sees_between() {
            let of_vertices = clearance;
            clearance = nodes::clearance(self, survey.lowest, clearance);
            clearance = edges::clearance(self, &edges::Gaps { heights, gaps: &survey.gaps }, clearance);
            survey.nearest = survey.nearest.filter(|_| clearance == of_vertices);
        }
        clearance
    }

    /// [`Look::clearance`] of a rock in contact, as far as it matters: 0 if it is no smaller than `−depth`.
    pub fn clearance_in_contact(&self, depth: f64, survey: &mut Survey) -> f64 {
        self.measure(survey);
        if survey.lowest >= -depth { 0.0 } else { self.measured_clearance(survey, f64::NEG_INFINITY) }
    }

    /// Lists the touches with the ground lowered by `depth` (the rebound plane below compactable soil).
    pub fn find_touches(&self, depth: f64, survey: &mut Survey) {
        survey.touches.clear();
        survey.spare = f64::NEG_INFINITY;
        self.measure(survey);
        if survey.lowest + depth > 0.0 {
            return;
        }
        if let Some(radius) = self.rock.sphere_radius {
            sphere::touches(self, radius, depth, &mut survey.touches);
            return;
        }
        let heights = &survey.heights.as_flattened()[..self.rock.vertices.len()];
        let sees_between = self.sees_between();
        survey.gaps.clear();
        survey.spare = MARGIN_M;
        for (k, height) in heights.iter().enumerate() {
            let mut bound = *height;
            if height + depth <= MARGIN_M {
                let vertex = &self.rock.vertices[k];
                let point = self.pose.place(vertex);
                if let Some(spot) = self.surface.ground_spot(point.x, point.y) {
                    bound = point.z - spot.height;
                    let gap = bound + depth;
                    if gap <= 0.0 {
                        let normal = spot.normal();
                        let (x, y) = (point.x, point.y);
                        survey.touches.push(Touch { key: k as u64, arm: *vertex, normal, x, y, gap: gap * normal.z });
                    } else {
                        survey.spare = survey.spare.min(gap);
                    }
                }
            }
            if sees_between {
                survey.gaps.push(bound);
            }
        }
        if sees_between {
            self.find_between(depth, survey);
        }
        if !self.setup.sides.planes.is_empty() {
            self.find_centre(depth, survey);
        }
    }

    /// Adds what touches between the vertices, and takes away what it makes superfluous.
    fn find_between(&self, depth: f64, survey: &mut Survey) {
        let touches = &mut survey.touches;
        let vertices = touches.len();
        let spare = &mut survey.spare;
        nodes::touches(self, survey.lowest, depth, touches, spare);
        let heights = survey.heights.as_flattened();
        let gaps = edges::Gaps { heights, gaps: &survey.gaps };
        edges::touches(self, &gaps, depth, touches, spare);
        if touches.len() > vertices {
            self.sort_out(vertices, touches);
        }
    }

    /// Adds the centre of mass if it is below ground.
    fn find_centre(&self, depth: f64, survey: &mut Survey) {
        let centre = &self.pose.position;
        if self.ceiling.is_some_and(|ceiling| ceiling.above(centre) + depth > MARGIN_M) {
            return;
        }
        let Some(spot) = self.surface.ground_spot(centre.x, centre.y) else { return };
        let gap = centre.z + depth - spot.height;
        survey.spare = survey.spare.min(gap);
        if gap < 0.0 {
            let (normal, arm, (x, y)) = (spot.normal(), Vector3::zeros(), (centre.x, centre.y));
            survey.touches.push(Touch { key: CENTRE_KEY, arm, normal, x, y, gap: gap * normal.z });
        }
    }

    /// Contacts that say the same as another one only make the contact problem less determinate. `vertices` come first in
    /// the list.
    fn sort_out(&self, vertices: usize, touches: &mut Vec<Touch>) {
        let near = SAME_PLACE * self.rock.bounding_radius;
        let mut kept = vertices;
        for k in vertices..touches.len() {
            let touch = touches[k];
            let says_the_same = |other: &Touch| {
                (other.arm - touch.arm).norm() < near
                    && other.normal.dot(&touch.normal) > SAME_DIRECTION
                    && other.gap < touch.gap + NEGLECTED_M
            };
            if !touches[..kept].iter().any(says_the_same) {
                touches[kept] = touch;
                kept += 1;
            }
        }
        touches.truncate(kept);
    }
}

/// W_ω: moments of the contact frame's axes about the centre of mass, in K (Leine 2014, eq. 27).
pub fn moments(arm: &Vector3<f64>, rotation: &Matrix3<f64>, frame: &Matrix3<f64>) -> Matrix3<f64> {
    let axes = rotation.tr_mul(frame);
    Matrix3::from_columns(&[0, 1, 2].map(|k| arm.cross(&axes.column(k))))
}
