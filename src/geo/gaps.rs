//! Cells without value, told apart: holes inside, which can be filled, and what is connected to the raster's edge, which
//! cannot. Of the latter, the wedges that reprojecting a rectangle leaves are nothing to worry about.

use serde::{Deserialize, Serialize};

use super::holes::{self, Component, Hole, Run};
use crate::Note;
use crate::terrain::{Field, Lattice};

/// Where a raster has no value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gaps {
    /// Row by row, each with whether it is connected to the edge.
    runs: Vec<(Run, bool)>,
    pub cells: u64,
    pub holes: usize,
    pub hole_cells: u64,
    pub largest_hole: Option<Hole>,
    /// Connected to the edge.
    pub edge_cells: u64,
    /// What has values is a convex piece (a turned rectangle, an outline): nothing is missing at the edge.
    pub is_collar: bool,
}

/// A smaller share without value at the edge is not worth a word if it is a collar; if it is not, …
const COLLAR_SHARE: f64 = 0.1;
/// … a much smaller one is.
const EDGE_SHARE: f64 = 0.005;

impl Gaps {
    /// Rows in the order of the field.
    pub(crate) fn of(field: &Field<f64>) -> Self {
        let Lattice { nx, ny, .. } = field.lattice;
        let mut runs = Vec::new();
        let mut above = 0..0;
        for (row, line) in field.values.chunks_exact(nx).enumerate() {
            above = holes::add_row(&mut runs, row, line.iter().map(|value| value.is_nan()), above);
        }
        Self::of_runs(runs, &field.lattice, |row| row.min(ny - 1))
    }

    /// From the runs of all rows; `row_from_south` turns their rows into those of the lattice.
    pub(crate) fn of_runs(mut runs: Vec<Run>, lattice: &Lattice, row_from_south: impl Fn(usize) -> usize) -> Self {
        let Lattice { nx, ny, .. } = *lattice;
        let mut edge = vec![false; runs.len()];
        let mut gaps = Self {
            runs: Vec::new(),
            cells: (nx * ny) as u64,
            holes: 0,
            hole_cells: 0,
            largest_hole: None,
            edge_cells: 0,
            is_collar: false,
        };
        for members in holes::components(&mut runs) {
            let part = Component::new(&runs, &members);
            if part.touches_edge(nx, ny) {
                gaps.edge_cells += part.cells;
                members.iter().for_each(|&k| edge[k] = true);
            } else {
                gaps.holes += 1;
                gaps.hole_cells += part.cells;
                if gaps.largest_hole.as_ref().is_none_or(|hole| hole.cells < part.cells) {
                    gaps.largest_hole = Some(part.hole(lattice, &row_from_south));
                }
            }
        }
        gaps.runs = runs.into_iter().zip(edge).collect();
        gaps.is_collar = gaps.edge_cells > 0 && gaps.covered_is_convex(nx, ny);
        gaps
    }

    /// Pieces of rows without value.
    pub(crate) fn pieces(&self) -> usize {
        self.runs.len()
    }

    /// Whether a cell without value is connected to the edge.
    pub(crate) fn is_edge(&self, column: usize, row: usize) -> bool {
        let at = self.runs.partition_point(|(run, _)| (run.row, run.start) <= (row, column));
        let run = at.checked_sub(1).and_then(|k| self.runs.get(k));
        run.is_some_and(|(run, edge)| *edge && run.row == row && column < run.end)
    }

    /// The area with values fills its own convex hull, but for the steps of the cells along its sides.
    fn covered_is_convex(&self, nx: usize, ny: usize) -> bool {
        let mut sides = vec![(0, nx); ny];
        for (run, _) in self.runs.iter().filter(|(_, edge)| *edge) {
            let (first, end) = &mut sides[run.row];
            match (run.start <= *first, run.end >= *end) {
                (true, true) => *end = *first,
                (true, false) => *first = run.end,
                (false, true) => *end = run.start,
                (false, false) => {}
            }
        }
        let corners =
            sides.iter().enumerate().filter(|(_, (first, end))| first < end).flat_map(|(row, &(first, end))| {
                [(first, row), (end, row), (first, row + 1), (end, row + 1)].map(|(x, y)| (x as f64, y as f64))
            });
        let covered = (self.cells - self.edge_cells) as f64;
        let hull = hull_area(corners.collect());
        hull - covered <= 0.01 * hull + 1.5 * (nx + ny) as f64
    }

    fn percent(&self, cells: u64) -> f64 {
        100.0 * cells as f64 / self.cells.max(1) as f64
    }

    /// What the user should know of those at the edge; `what` names the raster.
    pub(crate) fn edge_note(&self, what: &str) -> Option<Note> {
        let share = self.edge_cells as f64 / self.cells.max(1) as f64;
        let (raster, percent) = (what.to_string(), self.percent(self.edge_cells));
        match self.is_collar {
            true if share >= COLLAR_SHARE => Some(Note::EmptyCollar { raster, percent }),
            false if share >= EDGE_SHARE => Some(Note::TerrainMissingAtEdge { raster, percent }),
            _ => None,
        }
    }

    /// What the user should know of them all.
    pub(crate) fn notes(&self, what: &str) -> Vec<Note> {
        let hole = self.largest_hole.as_ref().map(|hole| Note::HolesInside {
            raster: what.to_string(),
            holes: self.holes,
            percent: self.percent(self.hole_cells),
            largest_cells: hole.cells,
            across_cells: hole.across_cells,
            x: hole.x,
            y: hole.y,
        });
        self.edge_note(what).into_iter().chain(hole).collect()
    }
}

/// Area of the convex hull (Andrew 1979).
fn hull_area(mut points: Vec<(f64, f64)>) -> f64 {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let turn = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    let chain = |points: &mut dyn Iterator<Item = &(f64, f64)>| {
        let mut side: Vec<(f64, f64)> = Vec::new();
        for &point in points {
            while side.len() > 1 && turn(side[side.len() - 2], side[side.len() - 1], point) <= 0.0 {
                side.pop();
            }
            side.push(point);
        }
        side
    };
    let (lower, upper) = (chain(&mut points.iter()), chain(&mut points.iter().rev()));
    let ring: Vec<_> = lower.into_iter().chain(upper).collect();
    let next = ring.iter().cycle().skip(1);
    0.5 * ring.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 100;

    fn gaps(no_value: impl Fn(f64, f64) -> bool) -> Gaps {
        let lattice = Lattice { nx: N, ny: N, x0: 0.5, y0: 0.5, dx: 1.0, dy: 1.0 };
        let value = |k: usize| if no_value((k % N) as f64, (k / N) as f64) { f64::NAN } else { 1.0 };
        Gaps::of(&Field { lattice, values: (0..N * N).map(value).collect() })
    }

    /// A square turned by some angle inside the raster, with as much around it as reprojecting leaves.
    fn turned(degrees: f64) -> impl Fn(f64, f64) -> bool {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let half = 49.5 / (sin.abs() + cos.abs());
        move |x, y| {
            let (x, y) = (x - 49.5, y - 49.5);
            (x * cos + y * sin).abs() > half || (y * cos - x * sin).abs() > half
        }
    }

    #[test]
    fn the_collar_of_reprojecting_is_not_taken_for_holes_or_missing_tiles() {
        for degrees in [2.0, 17.0, 45.0, 80.0] {
            let found = gaps(turned(degrees));
            assert!(found.is_collar && found.holes == 0, "{degrees}°: {found:?}");
            let said = found.notes("terrain.dem");
            assert!(said.iter().all(|note| note.to_string().contains("no holes to fill")), "{said:?}");
            assert_eq!(said.is_empty(), degrees < 4.0, "{degrees}°: {said:?}");
        }
    }

    #[test]
    fn much_nodata_is_spoken_of_whatever_its_shape() {
        let missing_tile = gaps(|x, y| x < 50.0 && y < 90.0);
        let said: Vec<String> = missing_tile.notes("terrain.dem").iter().map(Note::to_string).collect();
        assert!(!missing_tile.is_collar && said[0].contains("45 %") && said[0].contains("missing"), "{said:?}");
        let hole = gaps(|x, y| (10.0..77.0).contains(&x) && (10.0..77.0).contains(&y));
        let said: Vec<String> = hole.notes("terrain.dem").iter().map(Note::to_string).collect();
        assert!(
            said[0].contains("1 hole inside") && said[0].contains("45 %") && said[0].contains("--fill-holes"),
            "{said:?}"
        );
        assert!(gaps(|_, _| false).notes("terrain.dem").is_empty());
    }

    #[test]
    fn a_hole_beside_a_collar_is_a_hole() {
        let collar = turned(30.0);
        let found = gaps(|x, y| collar(x, y) || (x - 50.0).hypot(y - 50.0) < 4.0);
        assert!(found.is_collar && found.holes == 1);
        assert!(found.is_edge(0, 0) && !found.is_edge(50, 50) && !found.is_edge(60, 50));
    }
}
