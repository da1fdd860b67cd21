//! The lines and barriers of a site as the simulation meets them.

use geo::{Coord, CoordsIter, Geometry, LineString, Polygon};

use super::Site;
use crate::geo::vector::VectorLayer;
use crate::hazard::lines::{Barrier, Line, LineSet, Role};
use crate::project::file::WhenExceeded;

/// The lines of a geometry, or the rings of its polygons.
fn outline(geometry: &Geometry<f64>) -> Vec<LineString<f64>> {
    let rings = |polygon: &Polygon<f64>| {
        let mut rings = vec![polygon.exterior().clone()];
        rings.extend(polygon.interiors().iter().cloned());
        rings
    };
    match geometry {
        Geometry::Line(line) => vec![LineString::from(line)],
        Geometry::LineString(line) => vec![line.clone()],
        Geometry::MultiLineString(lines) => lines.0.clone(),
        Geometry::Polygon(polygon) => rings(polygon),
        Geometry::MultiPolygon(polygons) => polygons.iter().flat_map(rings).collect(),
        Geometry::Rect(rectangle) => rings(&rectangle.to_polygon()),
        Geometry::Triangle(triangle) => rings(&triangle.to_polygon()),
        Geometry::Point(_) | Geometry::MultiPoint(_) | Geometry::GeometryCollection(_) => Vec::new(),
    }
}

impl Site {
    /// The recording lines of a project, then its barriers, then the outlines of its objects.
    pub(crate) fn line_set(&self) -> LineSet {
        // Whole metres near the lines: the same for every part of the terrain.
        let layers = self.lines.iter().map(|layer| &layer.features).chain(self.barriers.iter().map(|b| &b.features));
        let first = layers.flat_map(|layer| &layer.features).find_map(|feature| feature.geometry.coords_iter().next());
        let origin = first.map_or([0.0; 2], |at| [at.x.floor(), at.y.floor()]);
        let parts = |layer: &VectorLayer| {
            let local = |c: &Coord<f64>| [c.x - origin[0], c.y - origin[1]];
            let lines = layer.features.iter().flat_map(|feature| match &feature.geometry {
                Geometry::LineString(line) => vec![line],
                Geometry::MultiLineString(lines) => lines.iter().collect(),
                _ => vec![],
            });
            lines.map(|line| line.coords().map(local).collect()).collect()
        };
        let recorded = self.lines.iter().map(|layer| Line {
            name: layer.spec.name.clone(),
            role: Role::Record,
            segment_m: layer.spec.segment_m,
            parts: parts(&layer.features),
        });
        let barriers = self.barriers.iter().map(|layer| Line {
            name: layer.spec.name.clone(),
            role: Role::Barrier(Barrier {
                height_m: layer.spec.height_m,
                capacity_j: 1000.0 * layer.spec.capacity_kj,
                takes_capacity: layer.spec.when_exceeded == WhenExceeded::LoseCapacity,
            }),
            segment_m: None,
            parts: parts(&layer.features),
        });
        let objects = self.objects.iter().flat_map(|layer| {
            layer.features.features.iter().map(|feature| Line {
                name: layer.spec.name.clone(),
                role: Role::Object,
                segment_m: None,
                parts: outline(&feature.geometry)
                    .iter()
                    .map(|line| line.coords().map(|c| [c.x - origin[0], c.y - origin[1]]).collect())
                    .collect(),
            })
        });
        LineSet::new(origin, recorded.chain(barriers).chain(objects).collect())
    }
}
