//! The lines and barriers of a site as the simulation meets them.

use geo::{Coord, Geometry};

use super::Site;
use crate::geo::vector::VectorLayer;
use crate::hazard::lines::{Barrier, Line, LineSet, Role};
use crate::project::file::WhenExceeded;

impl Site {
    /// The recording lines of a project, then its barriers.
    pub(crate) fn line_set(&self) -> LineSet {
        let lattice = self.scene.surface.lattice();
        let parts = |layer: &VectorLayer| {
            let local = |c: &Coord<f64>| [c.x - lattice.x0, c.y - lattice.y0];
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
        LineSet::new(recorded.chain(barriers).collect())
    }
}
