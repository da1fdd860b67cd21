//! Positions inside polygons: on any regular grid (scan lines) and at random, uniform by area (trapezoids).

use geo::{Coord, LineString, Polygon};
use rand::{Rng, RngExt};

use super::placement::TooMany;

/// Rows of a grid that are counted beyond the terrain.
const MOST_ROWS: f64 = 16_777_216.0;
/// Columns, likewise, counted from the grid's origin.
const MOST_COLUMNS: f64 = 68_719_476_736.0;

/// Polygons as edges; inside is even-odd over all rings, so holes and several parts need no special care.
pub(crate) struct Area {
    edges: Vec<(Coord<f64>, Coord<f64>)>,
}

/// Points (x0 + column·dx, y0 + row·dy) within a rectangle (west, south, east, north).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    pub origin: (f64, f64),
    pub step: (f64, f64),
    pub extent: (f64, f64, f64, f64),
}

impl Grid {
    pub(crate) fn point(&self, column: i64, row: i64) -> (f64, f64) {
        (self.origin.0 + column as f64 * self.step.0, self.origin.1 + row as f64 * self.step.1)
    }

    fn column_from(&self, x: f64) -> f64 {
        ((x - self.origin.0) / self.step.0).ceil()
    }

    fn column_to(&self, x: f64) -> f64 {
        ((x - self.origin.0) / self.step.0).floor()
    }

    fn row_from(&self, y: f64) -> f64 {
        ((y - self.origin.1) / self.step.1).ceil()
    }

    fn row_to(&self, y: f64) -> f64 {
        ((y - self.origin.1) / self.step.1).floor()
    }
}

/// A piece of the area between two heights, bounded by two edges.
#[derive(Debug, Clone, Copy)]
struct Trapezoid {
    south: f64,
    north: f64,
    /// West and east at the southern and at the northern side.
    at_south: (f64, f64),
    at_north: (f64, f64),
}

impl Area {
    pub(crate) fn new<'a>(polygons: impl IntoIterator<Item = &'a Polygon<f64>>) -> Self {
        let mut edges = Vec::new();
        let mut ring = |ring: &LineString<f64>| edges.extend(ring.lines().map(|line| (line.start, line.end)));
        for polygon in polygons {
            ring(polygon.exterior());
            polygon.interiors().iter().for_each(&mut ring);
        }
        edges.retain(|(a, b)| a.y != b.y);
        Self { edges }
    }

    /// Calls `visit(column, row)` for every point of the grid inside, row by row.
    ///
    /// # Errors
    /// When there are more than `room` points; nothing is visited then.
    pub(crate) fn grid_points(&self, grid: &Grid, room: u64, mut visit: impl FnMut(i64, i64)) -> Result<(), TooMany> {
        let (_, south, _, north) = grid.extent;
        let rows = (grid.row_from(south), grid.row_to(north));
        self.points_of_rows(grid, rows, false, room, |column, row, _| visit(column, row)).map(|_| ())
    }

    /// [`Area::grid_points`] with the number of each point among all points of the area, those beyond the grid's rectangle included, and how
    /// many these are: numbers that are the same whatever rectangle is looked at.
    pub(crate) fn numbered_points(
        &self,
        grid: &Grid,
        room: u64,
        visit: impl FnMut(i64, i64, u64),
    ) -> Result<u64, TooMany> {
        let joined = |(low, high): (f64, f64), at: f64| (low.min(at), high.max(at));
        let span = |at: fn(&Coord<f64>) -> f64| {
            let ends = self.edges.iter().flat_map(|(a, b)| [at(a), at(b)]);
            ends.fold((f64::INFINITY, f64::NEG_INFINITY), joined)
        };
        let ((west, east), (low, high)) = (span(|place| place.x), span(|place| place.y));
        let (first, last) = (grid.row_from(low) - 1.0, grid.row_to(high) + 1.0);
        // No release area on Earth is larger; what is, is counted within the rectangle.
        let farthest = [west, east].into_iter().fold(0.0_f64, |most, x| most.max(grid.column_to(x).abs()));
        if last - first < MOST_ROWS && farthest < MOST_COLUMNS {
            return self.points_of_rows(grid, (first, last), true, room, visit);
        }
        let (_, south, _, north) = grid.extent;
        self.points_of_rows(grid, (grid.row_from(south), grid.row_to(north)), false, room, visit)
    }

    fn points_of_rows(
        &self,
        grid: &Grid,
        (first, last): (f64, f64),
        // Whether points beyond the rectangle count, too.
        beyond_it: bool,
        room: u64,
        mut visit: impl FnMut(i64, i64, u64),
    ) -> Result<u64, TooMany> {
        let (west, south, east, north) = grid.extent;
        let (southmost, northmost) = (grid.row_from(south), grid.row_to(north));
        // A row more on both sides: which rows an edge crosses is decided below, without rounding.
        let rows_of =
            |a: f64, b: f64| ((grid.row_from(a.min(b)) - 1.0).max(first), (grid.row_to(a.max(b)) + 1.0).min(last));
        let rows = self.edges.iter().map(|(a, b)| rows_of(a.y, b.y)).filter(|(low, high)| low <= high);
        let Some((first, last)) = rows.clone().reduce(|(a, b), (c, d)| (a.min(c), b.max(d))) else { return Ok(0) };
        // Each crossing of an edge with a row is kept: a grid finer than that has too many points in any case.
        let crossings: f64 = rows.map(|(low, high)| high - low + 1.0).sum();
        let bearable = crossings <= 2.0 * room as f64 + 4.0 * self.edges.len() as f64;
        if !bearable {
            let columns = (grid.column_from(east) - grid.column_from(west)).max(1.0);
            let points = (last - first + 1.0) * columns;
            return Err(TooMany(if points.is_nan() { f64::INFINITY } else { points }));
        }
        let mut by_row: Vec<Vec<f64>> = vec![Vec::new(); (last - first) as usize + 1];
        for (a, b) in &self.edges {
            let (low, high) = rows_of(a.y, b.y);
            for offset in 0..(high - low + 1.0).max(0.0) as usize {
                let row = low + offset as f64;
                let y = grid.origin.1 + row * grid.step.1;
                // A vertex on the scan line belongs to the edge above it: no row counts it twice.
                if (a.y <= y) != (b.y <= y) {
                    by_row[(row - first) as usize].push(crossing_upwards(a, b, y));
                }
            }
        }
        let (least, beyond) = (grid.column_from(west), grid.column_to(east) + 1.0);
        let columns = |pair: &[f64]| {
            let (from, to) = (grid.column_from(pair[0]), grid.column_from(pair[1]));
            if beyond_it { (from, to) } else { (from.clamp(least, beyond), to.clamp(least, beyond)) }
        };
        let inside = |row: f64, (from, to): (f64, f64)| {
            let reached = row >= southmost && row <= northmost;
            if reached { (from.clamp(least, beyond), to.clamp(least, beyond)) } else { (from, from) }
        };
        let mut points = 0.0;
        for (offset, crossings) in by_row.iter_mut().enumerate() {
            crossings.sort_by(f64::total_cmp);
            let row = first + offset as f64;
            let spans = crossings.chunks_exact(2).map(columns).map(|span| inside(row, span));
            points += spans.map(|(from, to)| (to - from).max(0.0)).sum::<f64>();
        }
        if points > room as f64 {
            return Err(TooMany(points));
        }
        let mut number = 0;
        for (offset, crossings) in by_row.iter().enumerate() {
            let row = first + offset as f64;
            for (start, end) in crossings.chunks_exact(2).map(columns) {
                let (from, to) = inside(row, (start, end));
                let before = number - start as i64;
                (from as i64..to as i64).for_each(|column| visit(column, row as i64, (before + column) as u64));
                number += (end - start).max(0.0) as i64;
            }
        }
        Ok(number as u64)
    }

    /// The area cut at the height of every vertex.
    fn trapezoids(&self) -> Vec<Trapezoid> {
        let mut heights: Vec<f64> = self.edges.iter().flat_map(|(a, b)| [a.y, b.y]).collect();
        heights.sort_by(f64::total_cmp);
        heights.dedup();
        let mut trapezoids = Vec::new();
        // From south to north, with the edges each strip is crossed by: a border has many edges, a strip few.
        let low = |edge: usize| self.edges[edge].0.y.min(self.edges[edge].1.y);
        let high = |edge: usize| self.edges[edge].0.y.max(self.edges[edge].1.y);
        let mut coming: Vec<usize> = (0..self.edges.len()).collect();
        coming.sort_by(|&a, &b| low(b).total_cmp(&low(a)));
        let mut through: Vec<usize> = Vec::new();
        for pair in heights.windows(2) {
            let (south, north) = (pair[0], pair[1]);
            while let Some(edge) = coming.pop_if(|edge| low(*edge) <= south) {
                through.push(edge);
            }
            through.retain(|&edge| high(edge) >= north);
            through.sort_unstable();
            let ends = |&edge: &usize| {
                let (a, b) = &self.edges[edge];
                (crossing(a, b, south), crossing(a, b, north))
            };
            let mut sides: Vec<_> = through.iter().map(ends).collect();
            sides.sort_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1)));
            trapezoids.extend(sides.chunks_exact(2).map(|side| Trapezoid {
                south,
                north,
                at_south: (side[0].0, side[1].0),
                at_north: (side[0].1, side[1].1),
            }));
        }
        trapezoids
    }

    /// Area in m².
    pub(crate) fn size(&self) -> f64 {
        self.trapezoids().iter().map(Trapezoid::size).sum()
    }

    /// A point well inside: the middle of the largest trapezoid.
    pub(crate) fn inner_point(&self) -> Option<(f64, f64)> {
        let largest = self.trapezoids().into_iter().max_by(|a, b| a.size().total_cmp(&b.size()))?;
        Some(largest.point(0.5, 0.5))
    }

    /// Points uniform by area.
    pub(crate) fn random_points(&self, count: usize, rng: &mut impl Rng) -> Vec<(f64, f64)> {
        let Some(cut) = self.cut() else { return Vec::new() };
        let point = |rng: &mut _| {
            let trapezoid = cut.trapezoid(RngExt::random::<f64>(rng)).0;
            let up = trapezoid.height_at(RngExt::random::<f64>(rng));
            trapezoid.point(up, RngExt::random::<f64>(rng))
        };
        (0..count).map(|_| point(rng)).collect()
    }

    /// The area cut into trapezoids, to take points from; `None` if it has no size.
    pub(crate) fn cut(&self) -> Option<Cut> {
        let trapezoids = self.trapezoids();
        let mut sum = 0.0;
        let mut add = |trapezoid: &Trapezoid| {
            sum += trapezoid.size();
            sum
        };
        let sizes: Vec<f64> = trapezoids.iter().map(&mut add).collect();
        (sum > 0.0 && sum.is_finite()).then_some(Cut { trapezoids, sizes })
    }
}

/// An area as trapezoids, from south to north, and their sizes summed up.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    trapezoids: Vec<Trapezoid>,
    sizes: Vec<f64>,
}

impl Cut {
    /// The trapezoid at a share of the area, and the share within it.
    fn trapezoid(&self, share: f64) -> (&Trapezoid, f64) {
        let last = self.trapezoids.len() - 1;
        let target = self.sizes[last] * share;
        let index = self.sizes.partition_point(|&size| size <= target).min(last);
        let before = if index > 0 { self.sizes[index - 1] } else { 0.0 };
        (&self.trapezoids[index], ((target - before) / (self.sizes[index] - before)).clamp(0.0, 1.0))
    }

    /// The point of the area that belongs to a point of the unit square: equal areas for equal areas.
    pub(crate) fn point(&self, u: f64, v: f64) -> (f64, f64) {
        let (trapezoid, within) = self.trapezoid(u);
        trapezoid.point(trapezoid.height_at(within), v)
    }
}

impl Trapezoid {
    fn widths(&self) -> (f64, f64) {
        ((self.at_south.1 - self.at_south.0).max(0.0), (self.at_north.1 - self.at_north.0).max(0.0))
    }

    fn size(&self) -> f64 {
        let (a, b) = self.widths();
        0.5 * (a + b) * (self.north - self.south)
    }

    /// Height (0 south, 1 north) below which the share `u` of the area lies: a t + (b − a) t²/2 = u (a + b)/2.
    fn height_at(&self, u: f64) -> f64 {
        let (a, b) = self.widths();
        let root = (a * a + u * (b * b - a * a)).max(0.0).sqrt();
        if a + root > 0.0 { u * (a + b) / (a + root) } else { u }
    }

    fn point(&self, up: f64, across: f64) -> (f64, f64) {
        let mix = |a: f64, b: f64, t: f64| a + t * (b - a);
        let west = mix(self.at_south.0, self.at_north.0, up);
        let east = mix(self.at_south.1, self.at_north.1, up);
        (mix(west, east, across), mix(self.south, self.north, up))
    }
}

/// The same from both sides: of two polygons that share an edge exactly one has a point on it.
fn crossing_upwards(a: &Coord<f64>, b: &Coord<f64>, y: f64) -> f64 {
    let (a, b) = if a.y <= b.y { (a, b) } else { (b, a) };
    a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
}

fn crossing(a: &Coord<f64>, b: &Coord<f64>, y: f64) -> f64 {
    a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields that share a slanting border: every node of the strip belongs to one of them, none to both, and the nodes on
    /// the southern edge are not lost to rounding.
    #[test]
    fn neighbours_share_no_node_and_leave_none_out() {
        let step = 0.3;
        let at = |column: f64, row: f64| (2_600_000.1 + column * step, 1_200_000.7 + row * step);
        let west =
            Polygon::new(LineString::from(vec![at(0.0, 0.0), at(30.0, 0.0), at(13.0, 40.0), at(0.0, 40.0)]), vec![]);
        let east =
            Polygon::new(LineString::from(vec![at(30.0, 0.0), at(60.0, 0.0), at(60.0, 40.0), at(13.0, 40.0)]), vec![]);
        let (origin, (right, top)) = (at(0.0, 0.0), at(59.5, 39.5));
        let grid = Grid { origin, step: (step, step), extent: (origin.0 - 0.1, origin.1 - 0.1, right, top) };
        let mut painted = vec![0; 60 * 40];
        for field in [&west, &east] {
            let paint = |column: i64, row: i64| painted[row as usize * 60 + column as usize] += 1;
            assert!(Area::new([field]).grid_points(&grid, u64::MAX, paint).is_ok());
        }
        assert!(painted.iter().all(|&times| times == 1), "{painted:?}");
    }

    use geo::polygon;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// A 10 × 10 square with a 4 × 4 hole and a slanted roof of area 25.
    fn house() -> Polygon<f64> {
        polygon![
            exterior: [(x: 0., y: 0.), (x: 10., y: 0.), (x: 10., y: 10.), (x: 5., y: 15.), (x: 0., y: 10.)],
            interiors: [[(x: 3., y: 3.), (x: 7., y: 3.), (x: 7., y: 7.), (x: 3., y: 7.)]],
        ]
    }

    fn grid(origin: f64) -> Grid {
        Grid { origin: (origin, origin), step: (1.0, 1.0), extent: (-100.0, -100.0, 100.0, 100.0) }
    }

    #[test]
    fn grid_points_are_counted_once_and_holes_left_out() {
        let area = Area::new([&house()]);
        let mut points = Vec::new();
        area.grid_points(&grid(0.5), 1000, |i, j| points.push((i, j))).unwrap();
        assert_eq!(points.iter().filter(|(_, j)| *j < 10).count(), 100 - 16);
        assert_eq!(points.iter().filter(|(_, j)| *j >= 10).count(), 25);
        // Two neighbours sharing an edge through grid points cover each point exactly once.
        let west = polygon![(x: 0., y: 0.), (x: 5., y: 0.), (x: 5., y: 4.), (x: 0., y: 4.)];
        let east = polygon![(x: 5., y: 0.), (x: 9., y: 0.), (x: 9., y: 4.), (x: 5., y: 4.)];
        let mut both = Vec::new();
        for polygon in [&west, &east] {
            Area::new([polygon]).grid_points(&grid(0.0), 1000, |i, j| both.push((i, j))).unwrap();
        }
        let count = both.len();
        both.sort();
        both.dedup();
        assert_eq!((count, both.len()), (36, 36));
    }

    /// Shares of random points per part agree with the areas: 84 wall, 25 roof. Tolerance four standard deviations.
    #[test]
    fn random_points_are_uniform_by_area_and_inside() {
        let area = Area::new([&house()]);
        assert!((area.size() - 109.0).abs() < 1e-9);
        let points = area.random_points(20_000, &mut ChaCha8Rng::seed_from_u64(1));
        let roof = points.iter().filter(|p| p.1 > 10.0).count() as f64 / 20_000.0;
        assert!((roof - 25.0 / 109.0).abs() < 0.012, "{roof}");
        let top = points.iter().filter(|p| p.1 > 12.5).count() as f64 / 20_000.0;
        assert!((top - 6.25 / 109.0).abs() < 0.007, "{top}");
        for (x, y) in points {
            let hole = x > 3.0 && x < 7.0 && y > 3.0 && y < 7.0;
            let roof = 15.0 - (x - 5.0).abs() + 1e-9;
            assert!(!hole && (0.0..=10.0).contains(&x) && (0.0..=roof).contains(&y));
        }
        let inner = area.inner_point().unwrap();
        assert!(inner.1 > 0.0 && inner.1 < 15.0);
    }
}
