//! What is drawn over every map: release areas, objects at risk, recording lines, barriers.

use ::geo::{Coord, Geometry, LineString};
use serde::{Deserialize, Serialize};

use crate::geo::vector::VectorLayer;
use crate::site::Site;
use crate::texts::{Text, msg};

/// A line or outline drawn over the map, in world coordinates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    pub label: Text,
    pub colour: [u8; 3],
    pub thickness: f64,
    pub lines: Vec<Vec<[f64; 2]>>,
}

type Rgb = [u8; 3];

const RELEASE: Rgb = [40, 40, 40];
const BARRIER: Rgb = [200, 0, 120];
const OBJECT: Rgb = [90, 50, 20];
/// Recording lines in turn.
const LINES: [Rgb; 4] = [[0, 90, 181], [0, 140, 100], [120, 70, 200], [0, 150, 190]];

pub(crate) fn of_site(site: &Site) -> Vec<Overlay> {
    let cross = site.scene.surface.lattice().dx;
    let of = |layers: Vec<&VectorLayer>, label: Text, colour: Rgb, thickness: f64| Overlay {
        label,
        colour,
        thickness,
        lines: layers.iter().flat_map(|layer| &layer.features).flat_map(|f| outlines(&f.geometry, cross)).collect(),
    };
    let release =
        of(site.releases.iter().map(|layer| &layer.features).collect(), msg!("overlay-release"), RELEASE, 1.5);
    let coloured = site.lines.iter().zip(LINES.into_iter().cycle());
    let lines = coloured.map(|(layer, colour)| of(vec![&layer.features], Text::from(&layer.spec.name), colour, 2.0));
    let barriers =
        site.barriers.iter().map(|layer| of(vec![&layer.features], Text::from(&layer.spec.name), BARRIER, 3.0));
    // A road may be both recorded and at risk: it is drawn once.
    let at_risk = site.objects.iter().filter(|layer| site.lines.iter().all(|line| line.spec.name != layer.spec.name));
    let objects = at_risk.map(|layer| of(vec![&layer.features], Text::from(&layer.spec.name), OBJECT, 1.0));
    std::iter::once(release).chain(objects).chain(lines).chain(barriers).collect()
}

/// Lines and outlines as they are; a point as a cross of this size.
fn outlines(geometry: &Geometry<f64>, cross: f64) -> Vec<Vec<[f64; 2]>> {
    let line = |line: &LineString<f64>| line.coords().map(|c| [c.x, c.y]).collect::<Vec<_>>();
    let point = |c: Coord<f64>| {
        vec![vec![[c.x - cross, c.y], [c.x + cross, c.y]], vec![[c.x, c.y - cross], [c.x, c.y + cross]]]
    };
    match geometry {
        Geometry::Point(p) => point(p.0),
        Geometry::MultiPoint(points) => points.iter().flat_map(|p| point(p.0)).collect(),
        Geometry::LineString(l) => vec![line(l)],
        Geometry::MultiLineString(lines) => lines.iter().map(line).collect(),
        Geometry::Polygon(polygon) => {
            std::iter::once(polygon.exterior()).chain(polygon.interiors()).map(line).collect()
        }
        Geometry::MultiPolygon(polygons) => {
            polygons.iter().flat_map(|p| std::iter::once(p.exterior()).chain(p.interiors())).map(line).collect()
        }
        _ => Vec::new(),
    }
}
