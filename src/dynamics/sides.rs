//! The sides of a hull: its faces and edges as the contact tests want them.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use crate::rock::Rock;

/// A face of the hull: points x of K with normal · x ≤ offset are behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Outwards, body frame.
    pub normal: Vector3<f64>,
    /// Of the face along its normal, m.
    pub offset: f64,
}

/// An edge between two faces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its vertices.
    pub ends: [usize; 2],
    /// Its faces, as places in [`Sides::planes`].
    pub faces: [usize; 2],
    /// m.
    pub length: f64,
}

/// An edge as seen from one of its vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeEnd {
    /// Its place in [`Sides::edges`].
    pub edge: usize,
    /// The vertex at its other end.
    pub other: usize,
    /// m.
    pub length: f64,
}

/// The triangles of a hull by vertex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FacesAt {
    /// Those at vertex k are `faces[first[k]..first[k + 1]]`.
    first: Vec<usize>,
    faces: Vec<u32>,
    /// Vector areas, outward, m².
    pub areas: Vec<Vector3<f64>>,
}

impl FacesAt {
    /// Of all vertices.
    pub fn new(rock: &Rock) -> Self {
        let (mut first, mut faces) = (vec![0], Vec::with_capacity(3 * rock.faces.len()));
        for vertex in 0..rock.vertices.len() {
            let of_it = |(_, corners): &(u32, &[u32; 3])| corners.iter().any(|k| *k as usize == vertex);
            faces.extend((0..).zip(&rock.faces).filter(of_it).map(|(face, _)| face));
            first.push(faces.len());
        }
        let area = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|k| rock.vertices[k as usize]);
            0.5 * (b - a).cross(&(c - a))
        };
        Self { first, faces, areas: rock.faces.iter().map(area).collect() }
    }

    /// In their order.
    #[inline]
    pub fn at(&self, vertex: usize) -> &[u32] {
        &self.faces[self.first[vertex]..self.first[vertex + 1]]
    }
}

/// Faces whose normals differ by less than this angle's cosine (0.05 mrad) have no edge between them.
const FLAT: f64 = 1.0 - 1e-9;

/// Faces and edges of a hull.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sides {
    /// The different face planes; triangles of one face share a plane.
    pub planes: Vec<Plane>,
    /// All of them.
    pub edges: Vec<Edge>,
    /// Edges by vertex: those at vertex k are `at_vertex[first_at[k]..first_at[k + 1]]`.
    first_at: Vec<usize>,
    at_vertex: Vec<EdgeEnd>,
    /// Length of the longest edge, m.
    pub longest_edge: f64,
    /// Longest side of a triangle of the hull, m: no two points of one lie further apart.
    pub widest_triangle: f64,
}

impl Sides {
    /// A true sphere has none.
    pub fn new(rock: &Rock) -> Self {
        let mut sides = Self {
            planes: Vec::with_capacity(rock.faces.len()),
            edges: Vec::with_capacity(rock.faces.len() * 3 / 2),
            ..Self::default()
        };
        let mut half_edges: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        for face in &rock.faces {
            let corners = face.map(|k| k as usize);
            let Some(plane) = sides.plane(corners.map(|k| rock.vertices[k])) else { continue };
            for side in 0..3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                let length = (rock.vertices[b] - rock.vertices[a]).norm();
                sides.widest_triangle = sides.widest_triangle.max(length);
                let ends = [a.min(b), a.max(b)];
                let Some(other) = half_edges.insert(ends, plane) else { continue };
                if sides.planes[other].normal.dot(&sides.planes[plane].normal) < FLAT {
                    sides.edges.push(Edge { ends, faces: [other, plane], length });
                }
            }
        }
        sides.sort_edges(rock.vertices.len());
        sides
    }

    /// The edges at a vertex.
    #[inline(always)]
    pub fn edges_at(&self, vertex: usize) -> &[EdgeEnd] {
        &self.at_vertex[self.first_at[vertex]..self.first_at[vertex + 1]]
    }

    fn sort_edges(&mut self, vertices: usize) {
        self.first_at.reserve(vertices + 1);
        self.at_vertex.reserve(2 * self.edges.len());
        for vertex in 0..vertices {
            self.first_at.push(self.at_vertex.len());
            for (number, Edge { ends: [a, b], length, .. }) in self.edges.iter().enumerate() {
                let other = if *a == vertex { *b } else { *a };
                if *a == vertex || *b == vertex {
                    self.at_vertex.push(EdgeEnd { edge: number, other, length: *length });
                }
            }
        }
        self.first_at.push(self.at_vertex.len());
        self.longest_edge = self.edges.iter().map(|edge| edge.length).fold(0.0, f64::max);
    }

    /// Smallest width of the rock, m.
    pub fn thickness(&self, rock: &Rock) -> f64 {
        let width = |plane: &Plane| {
            let lowest = rock.vertices.iter().map(|v| plane.normal.dot(v)).fold(f64::INFINITY, f64::min);
            plane.offset - lowest
        };
        let of_sphere = rock.sphere_radius.map_or(f64::INFINITY, |radius| 2.0 * radius);
        self.planes.iter().map(width).fold(of_sphere, f64::min)
    }

    /// From the rock's centre of mass to its nearest face, m.
    pub fn inner_radius(&self, rock: &Rock) -> f64 {
        let of_sphere = rock.sphere_radius.unwrap_or(f64::INFINITY);
        self.planes.iter().map(|plane| plane.offset).fold(of_sphere, f64::min)
    }

    /// The place of a triangle's plane; `None` for a triangle without area.
    fn plane(&mut self, [a, b, c]: [Vector3<f64>; 3]) -> Option<usize> {
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        let offset = normal.dot(&a);
        let same = |p: &Plane| p.normal.dot(&normal) > 1.0 - 1e-12 && (p.offset - offset).abs() < 1e-9;
        Some(self.planes.iter().position(same).unwrap_or_else(|| {
            self.planes.push(Plane { normal, offset });
            self.planes.len() - 1
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rock::Shape;

    /// Triangles of one face have no edge between them: Euler's formula holds for faces, not triangles.
    #[test]
    fn edges_are_where_faces_meet() {
        for (name, faces, edges) in [("cuboid", 6, 12), ("hexagonal_prism", 8, 18), ("octahedron", 8, 12)] {
            let rock = Shape::from_preset(name).unwrap().with_mass(500.0, 2700.0).unwrap();
            let sides = Sides::new(&rock);
            assert_eq!((sides.planes.len(), sides.edges.len()), (faces, edges), "{name}");
            assert!(sides.edges.iter().all(|edge| edge.faces[0] != edge.faces[1] && edge.length > 0.0));
        }
        let plate = Shape::from_preset("cuboid").unwrap().with_axes([2.0, 2.0, 0.1], 2700.0).unwrap();
        let sides = Sides::new(&plate);
        assert!((sides.thickness(&plate) - 0.1).abs() < 1e-12 && (sides.inner_radius(&plate) - 0.05).abs() < 1e-12);
        let sphere = Shape::from_preset("sphere").unwrap().with_mass(500.0, 2700.0).unwrap();
        let sides = Sides::new(&sphere);
        assert!(sides.planes.is_empty() && sides.thickness(&sphere) == sphere.lengths.x);
        assert_eq!(sides.inner_radius(&sphere), sphere.bounding_radius);
    }
}
