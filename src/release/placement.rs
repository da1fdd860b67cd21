//! Where rocks start: features and a [`Placement`] become positions.

use geo::{Coord, Geometry, LineString, Polygon};
use rand::{Rng, RngExt};

use super::polygon::{Area, Cut, Grid};
use crate::math;
use crate::project::file::Placement;
use crate::terrain::{Lattice, Surface};

/// More positions than there is room for, as many as were wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TooMany(pub f64);

/// The positions of one feature.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Placed {
    /// How many there are, on this terrain or beyond it.
    pub all: u64,
    /// Number of a position among all, and its world coordinates.
    pub positions: Vec<(u64, f64, f64)>,
}

type Positions = Result<Placed, TooMany>;

impl Placed {
    fn all_of(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let positions: Vec<_> = points.into_iter().zip(0..).map(|((x, y), number)| (number, x, y)).collect();
        Self { all: positions.len() as u64, positions }
    }
}

/// World coordinates of the positions of one feature, in a fixed order, at most `room` of them. Points start where they
/// are, whatever the placement. Positions on a grid lie within the terrain's rectangle; else positions without ground are
/// still among them. Numbers count what any terrain would have: a position has the same one on every part of it.
///
/// # Errors
/// When there is not room enough: before any memory is taken.
pub(crate) fn positions(
    geometry: &Geometry<f64>,
    placement: &Placement,
    surface: &Surface,
    rng: &mut impl Rng,
    room: u64,
) -> Positions {
    match geometry {
        Geometry::Point(point) => at_most(room, 1.0).map(|_| Placed::all_of([(point.x(), point.y())])),
        Geometry::MultiPoint(points) => {
            at_most(room, points.0.len() as f64)?;
            Ok(Placed::all_of(points.iter().map(|point| (point.x(), point.y()))))
        }
        Geometry::Line(line) => along(&[line.into()], placement, surface, rng, room),
        Geometry::LineString(line) => along(std::slice::from_ref(line), placement, surface, rng, room),
        Geometry::MultiLineString(lines) => along(&lines.0, placement, surface, rng, room),
        Geometry::Polygon(polygon) => inside(std::slice::from_ref(polygon), placement, surface, rng, room),
        Geometry::MultiPolygon(polygons) => inside(&polygons.0, placement, surface, rng, room),
        Geometry::Rect(rectangle) => inside(&[rectangle.to_polygon()], placement, surface, rng, room),
        Geometry::Triangle(triangle) => inside(&[triangle.to_polygon()], placement, surface, rng, room),
        Geometry::GeometryCollection(parts) => {
            let mut placed = Placed::default();
            for part in parts {
                let more = positions(part, placement, surface, rng, room - placed.positions.len() as u64)?;
                placed.positions.extend(more.positions.into_iter().map(|(number, x, y)| (placed.all + number, x, y)));
                placed.all += more.all;
            }
            Ok(placed)
        }
    }
}

/// A feature whose positions are random: any number of them can be taken.
#[derive(Debug, Clone)]
pub(crate) enum Sampler {
    Area(Cut),
    Lines(Vec<LineString<f64>>, f64),
}

impl Sampler {
    /// `None` where the placement says exactly where rocks start.
    pub(crate) fn of(geometry: &Geometry<f64>, placement: &Placement) -> Option<Self> {
        if !matches!(placement, Placement::Count(_) | Placement::PerHectare(_)) {
            return None;
        }
        let area = |polygons: &[Polygon<f64>]| Area::new(polygons).cut().map(Self::Area);
        let lines = |lines: &[LineString<f64>]| {
            let length = length_of(lines);
            (length > 0.0 && length.is_finite()).then(|| Self::Lines(lines.to_vec(), length))
        };
        match geometry {
            Geometry::Polygon(polygon) => area(std::slice::from_ref(polygon)),
            Geometry::MultiPolygon(polygons) => area(&polygons.0),
            Geometry::Line(line) => lines(&[line.into()]),
            Geometry::LineString(line) => lines(std::slice::from_ref(line)),
            Geometry::MultiLineString(all) => lines(&all.0),
            _ => None,
        }
    }

    /// The position that belongs to a point of the unit square.
    pub(crate) fn point(&self, u: f64, v: f64) -> Option<(f64, f64)> {
        match self {
            Self::Area(cut) => Some(cut.point(u, v)),
            Self::Lines(lines, length) => point_at(lines, u * length),
        }
    }
}

fn length_of(lines: &[LineString<f64>]) -> f64 {
    lines.iter().flat_map(|line| line.lines()).map(|line| distance(line.start, line.end)).sum()
}

/// The number as a count if there is room for it.
fn at_most(room: u64, wanted: f64) -> Result<usize, TooMany> {
    let wanted = wanted.round().max(1.0);
    if wanted <= room as f64 { Ok(wanted as usize) } else { Err(TooMany(wanted)) }
}

fn inside(
    polygons: &[Polygon<f64>],
    placement: &Placement,
    surface: &Surface,
    rng: &mut impl Rng,
    room: u64,
) -> Positions {
    let area = Area::new(polygons);
    let lattice = *surface.lattice();
    let world = lattice.world_nodes();
    let grid = |origin: (f64, f64), step: (f64, f64)| Grid { origin, step, extent: lattice.extent() };
    // Counted from the origin of the coordinate system: the same on every part of the terrain.
    let nodes = grid(world.origin(), (lattice.dx, lattice.dy));
    let on_grid = |grid: Grid, place: &dyn Fn(i64, i64) -> (f64, f64)| {
        let mut positions = Vec::new();
        let all = area.numbered_points(&grid, room, |column, row, number| {
            let (x, y) = place(column, row);
            positions.push((number, x, y));
        })?;
        // An area smaller than a grid cell still releases rocks.
        Ok(if all == 0 { Placed::all_of(area.inner_point()) } else { Placed { all, positions } })
    };
    let node = |column: i64, row: i64| world.place([column, row]).into();
    match placement {
        Placement::Auto => on_grid(nodes, &node),
        // The grid's origin is that of the coordinate system: neighbouring polygons share it.
        Placement::GridM(spacing) => {
            let grid = grid((0.0, 0.0), (*spacing, *spacing));
            on_grid(grid, &|column, row| grid.point(column, row))
        }
        Placement::Count(count) => Ok(Placed::all_of(area.random_points(at_most(room, f64::from(*count))?, rng))),
        Placement::PerHectare(density) => {
            Ok(Placed::all_of(area.random_points(at_most(room, area.size() / 1e4 * density)?, rng)))
        }
        Placement::MinSlopeDeg(limit) => {
            let mut positions = Vec::new();
            let all = area.numbered_points(&nodes, room, |column, row, number| {
                let [c, r] = [column - world.first[0], row - world.first[1]];
                if c >= 0 && r >= 0 && is_steep(surface, c as usize, r as usize, *limit) {
                    let (x, y) = node(column, row);
                    positions.push((number, x, y));
                }
            })?;
            Ok(Placed { all, positions })
        }
    }
}

fn along(
    lines: &[LineString<f64>],
    placement: &Placement,
    surface: &Surface,
    rng: &mut impl Rng,
    room: u64,
) -> Positions {
    let Lattice { dx, dy, .. } = *surface.lattice();
    let length = length_of(lines);
    // Equal steps close to the wanted spacing, half a step from either end.
    let every = |spacing: f64| -> Result<Vec<f64>, TooMany> {
        let count = at_most(room, length / spacing)?;
        Ok((0..count).map(|i| (i as f64 + 0.5) / count as f64).collect())
    };
    let mut random = |count: f64| Ok((0..at_most(room, count)?).map(|_| rng.random()).collect());
    let fractions = match placement {
        Placement::Auto | Placement::MinSlopeDeg(_) => every(dx.min(dy))?,
        Placement::GridM(spacing) => every(*spacing)?,
        Placement::Count(count) => random(f64::from(*count))?,
        Placement::PerHectare(density) => random(length / 100.0 * density)?,
    };
    let points = fractions.into_iter().filter_map(|fraction: f64| point_at(lines, fraction * length));
    let mut placed = Placed::all_of(points);
    if let Placement::MinSlopeDeg(limit) = placement {
        placed.positions.retain(|&(_, x, y)| {
            surface.lattice().cell_at(x, y).is_some_and(|(column, row)| is_steep(surface, column, row, *limit))
        });
    }
    Ok(placed)
}

fn distance(a: Coord<f64>, b: Coord<f64>) -> f64 {
    math::hypot(b.x - a.x, b.y - a.y)
}

fn point_at(lines: &[LineString<f64>], mut chainage: f64) -> Option<(f64, f64)> {
    let mut last = None;
    for line in lines.iter().flat_map(|line| line.lines()) {
        let length = distance(line.start, line.end);
        if chainage <= length && length > 0.0 {
            let t = chainage / length;
            return Some((
                line.start.x + t * (line.end.x - line.start.x),
                line.start.y + t * (line.end.y - line.start.y),
            ));
        }
        chainage -= length;
        last = Some((line.end.x, line.end.y));
    }
    last
}

/// Slope by the 3 × 3 neighbourhood (Horn 1981, as `gdaldem slope`); cells without eight neighbours are never steep.
pub(crate) fn is_steep(surface: &Surface, column: usize, row: usize, limit_deg: f64) -> bool {
    slope_deg(surface, column, row).is_some_and(|slope| slope >= limit_deg)
}

pub(crate) fn slope_deg(surface: &Surface, column: usize, row: usize) -> Option<f64> {
    let Lattice { nx, ny, dx, dy, .. } = *surface.lattice();
    if column == 0 || row == 0 || column + 1 >= nx || row + 1 >= ny {
        return None;
    }
    let z = |i: usize, j: usize| surface.node_height(column + i - 1, row + j - 1);
    let east = z(2, 0) + 2.0 * z(2, 1) + z(2, 2) - z(0, 0) - 2.0 * z(0, 1) - z(0, 2);
    let north = z(0, 2) + 2.0 * z(1, 2) + z(2, 2) - z(0, 0) - 2.0 * z(1, 0) - z(2, 0);
    let slope = math::atan(math::hypot(east / (8.0 * dx), north / (8.0 * dy))).to_degrees();
    slope.is_finite().then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Field;
    use geo::{line_string, polygon};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Flat in the west, 45° in the east (x > 20).
    fn surface() -> Surface {
        let lattice = Lattice { nx: 21, ny: 21, x0: 1000.0, y0: 500.0, dx: 2.0, dy: 2.0 };
        let values = (0..21 * 21).map(|i| ((i % 21) as f64 * 2.0 - 20.0).max(0.0)).collect();
        Surface::new(Field { lattice, values }).unwrap()
    }

    fn square() -> Geometry<f64> {
        polygon![(x: 1009., y: 509.), (x: 1031., y: 509.), (x: 1031., y: 531.), (x: 1009., y: 531.)].into()
    }

    fn place(geometry: &Geometry<f64>, placement: Placement) -> Vec<(f64, f64)> {
        let placed = positions(geometry, &placement, &surface(), &mut ChaCha8Rng::seed_from_u64(1), 1_000_000).unwrap();
        placed.positions.into_iter().map(|(_, x, y)| (x, y)).collect()
    }

    /// A spacing of a micrometre asks for more positions than any memory holds: it is refused by counting, not by trying.
    #[test]
    fn a_tiny_spacing_or_a_huge_count_is_refused_before_memory_is_taken() {
        let wanted = |geometry: &Geometry<f64>, placement: Placement| {
            positions(geometry, &placement, &surface(), &mut ChaCha8Rng::seed_from_u64(1), 1000).unwrap_err().0
        };
        assert!((wanted(&square(), Placement::GridM(0.1)) - 48_400.0).abs() < 1000.0);
        assert!(wanted(&square(), Placement::GridM(1e-9)) > 1e9);
        assert!(wanted(&square(), Placement::GridM(1e-320)) > 1e9);
        assert_eq!(wanted(&square(), Placement::Count(1001)), 1001.0);
        assert_eq!(wanted(&square(), Placement::PerHectare(1e8)), 4_840_000.0);
        let line: Geometry<f64> = line_string![(x: 1002., y: 510.), (x: 1012., y: 510.)].into();
        assert!(wanted(&line, Placement::GridM(1e-300)) > 1e300 && wanted(&line, Placement::Count(u32::MAX)) > 4e9);
    }

    /// A polygon as large as a country around a small terrain: only the positions on the terrain are made.
    #[test]
    fn a_polygon_far_larger_than_the_terrain_is_cut_to_it() {
        let (low, high) = (-1e300, 1e300);
        let huge: Geometry<f64> =
            polygon![(x: low, y: low), (x: high, y: low), (x: high, y: high), (x: low, y: high)].into();
        assert_eq!(place(&huge, Placement::Auto).len(), 21 * 21);
        assert_eq!(place(&huge, Placement::GridM(7.0)).len(), 6 * 6);
    }

    #[test]
    fn polygons_release_at_cell_centres_on_grids_at_random_and_where_it_is_steep() {
        let cells = place(&square(), Placement::Auto);
        assert_eq!(cells.len(), 121);
        assert!(cells.iter().all(|(x, y)| x % 2.0 == 0.0 && y % 2.0 == 0.0));
        assert_eq!(place(&square(), Placement::GridM(5.0)).len(), 25);
        assert_eq!(place(&square(), Placement::Count(17)).len(), 17);
        // 484 m² at 1000 per hectare.
        assert_eq!(place(&square(), Placement::PerHectare(1000.0)).len(), 48);
        let steep = place(&square(), Placement::MinSlopeDeg(44.9));
        // Columns at x = 1022, 1024 … 1030 have both neighbours on the 45° side.
        assert_eq!(steep.len(), 5 * 11);
        assert!(steep.iter().all(|p| p.0 >= 1022.0));
        let tiny: Geometry<f64> = polygon![(x: 1009.2, y: 509.2), (x: 1009.4, y: 509.2), (x: 1009.4, y: 509.4)].into();
        assert_eq!(place(&tiny, Placement::Auto).len(), 1);
    }

    #[test]
    fn lines_release_at_equal_steps_and_points_where_they_are() {
        let line: Geometry<f64> = line_string![(x: 1002., y: 510.), (x: 1012., y: 510.), (x: 1012., y: 520.)].into();
        let auto = place(&line, Placement::Auto);
        assert_eq!(auto.len(), 10);
        assert_eq!(auto[0], (1003.0, 510.0));
        assert_eq!(auto[9], (1012.0, 519.0));
        assert_eq!(place(&line, Placement::GridM(5.0)).len(), 4);
        assert_eq!(place(&line, Placement::PerHectare(50.0)).len(), 10);
        assert!(place(&line, Placement::MinSlopeDeg(30.0)).is_empty());
        let point: Geometry<f64> = geo::point!(x: 1001.5, y: 502.5).into();
        assert_eq!(place(&point, Placement::Count(9)), [(1001.5, 502.5)]);
    }

    /// Of cells that are not square, on a plane that falls in both directions.
    #[test]
    fn slope_counts_both_directions() {
        let lattice = Lattice { nx: 4, ny: 4, x0: 0.0, y0: 0.0, dx: 2.0, dy: 5.0 };
        let height = |k: usize| 0.3 * (k % 4) as f64 * 2.0 - 0.4 * (k / 4) as f64 * 5.0;
        let plane = Surface::new(Field { lattice, values: (0..16).map(height).collect() }).unwrap();
        assert!((slope_deg(&plane, 1, 2).unwrap() - 0.5f64.atan().to_degrees()).abs() < 1e-9);
        for (column, row) in [(0, 1), (1, 0), (3, 1), (1, 3)] {
            assert_eq!(slope_deg(&plane, column, row), None);
        }
    }

    /// Parts of a line count by their length, one after the other; random places lie on it.
    #[test]
    fn a_line_of_several_parts_is_walked_along() {
        let parts = geo::MultiLineString(vec![
            line_string![(x: 1002., y: 510.), (x: 1006., y: 510.)],
            line_string![(x: 1010., y: 510.), (x: 1010., y: 522.)],
        ]);
        let spread = place(&parts.clone().into(), Placement::GridM(4.0));
        assert_eq!(spread, [(1004.0, 510.0), (1010.0, 512.0), (1010.0, 516.0), (1010.0, 520.0)]);
        let random = place(&parts.into(), Placement::Count(4000));
        let first = random.iter().filter(|(x, y)| *y == 510.0 && (1002.0..=1006.0).contains(x)).count();
        let second = random.iter().filter(|(x, y)| *x == 1010.0 && (510.0..=522.0).contains(y)).count();
        assert!(first + second >= 4000 && (first as f64 / 4000.0 - 0.25).abs() < 0.03, "{first} {second}");
    }

    #[test]
    fn slope_is_horns() {
        assert_eq!(slope_deg(&surface(), 5, 5), Some(0.0));
        assert!((slope_deg(&surface(), 15, 5).unwrap() - 45.0).abs() < 1e-9);
        assert_eq!(slope_deg(&surface(), 0, 5), None);
    }
}
