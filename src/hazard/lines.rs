//! Polylines on the map that trajectories cross: which one, where along it, from which side.
//!
//! Coordinates are local (metres from the lines' own origin, which does not depend on the terrain). A step is a straight piece of path between two solver
//! states; it is far shorter than a line's pieces, so the lines sit in a coarse grid and a step looks at one bucket or
//! two.

use crate::math;

/// A line whose crossings are wanted. Several parts (a multi-line, several features) make one line; its chainage runs
/// through the parts in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// As in its file.
    pub name: String,
    /// Records only, or a barrier.
    pub role: Role,
    /// Length of the segments of the summary, m; `None`: the line is one segment.
    pub segment_m: Option<f64>,
    /// Vertices per part, local x and y, m.
    pub parts: Vec<Vec<[f64; 2]>>,
}

/// What a line does to a rock that crosses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// Nothing: crossings are only recorded.
    Record,
    /// Nothing, either: the outline of an object at risk.
    Object,
    /// It may stop the rock or take energy from it.
    Barrier(Barrier),
}

/// A net fence or wall of constant height above the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Barrier {
    /// Vertical height of the top above the ground, m.
    pub height_m: f64,
    /// Energy it takes.
    pub capacity_j: f64,
    /// Whether a rock too strong for it loses the capacity from its energy, or flies on unhindered.
    pub takes_capacity: bool,
}

/// Where a step crosses a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Index of the line.
    pub line: usize,
    /// Position along the step, 0 at its start, 1 at its end.
    pub fraction: f64,
    /// Distance along the line, m.
    pub chainage_m: f64,
    /// Unit direction of the line there.
    pub direction: [f64; 2],
}

/// All lines of a project, indexed for fast crossing tests. Immutable while trajectories run.
#[derive(Debug, Clone)]
pub struct LineSet {
    origin: [f64; 2],
    lines: Vec<Line>,
    pieces: Vec<Piece>,
    grid: Option<Buckets>,
}

/// One straight piece between two vertices.
#[derive(Debug, Clone, Copy)]
struct Piece {
    line: usize,
    from: [f64; 2],
    to: [f64; 2],
    chainage_m: f64,
}

/// Uniform grid over the lines' bounding box; bucket b holds `pieces[starts[b]..starts[b + 1]]`.
#[derive(Debug, Clone)]
struct Buckets {
    west: f64,
    south: f64,
    size: f64,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    pieces: Vec<u32>,
}

impl Line {
    /// Along the line.
    pub fn length_m(&self) -> f64 {
        self.parts.iter().flat_map(|part| part.windows(2)).map(|w| distance(w[0], w[1])).sum()
    }

    /// Number of segments of the summary; the last one may be shorter.
    pub fn segments(&self) -> usize {
        match self.segment_m {
            // A remainder of rounding size is not a segment of its own.
            Some(step) if step > 0.0 => (self.length_m() / step - 1e-9).ceil().max(1.0) as usize,
            _ => 1,
        }
    }

    /// The segment a chainage lies in, counted from 0.
    pub fn segment_at(&self, chainage_m: f64) -> usize {
        match self.segment_m {
            Some(step) if step > 0.0 => ((chainage_m / step) as usize).min(self.segments() - 1),
            _ => 0,
        }
    }

    /// Start and end of a segment along the line, m.
    pub fn segment_range_m(&self, segment: usize) -> (f64, f64) {
        match self.segment_m {
            Some(step) if step > 0.0 => (segment as f64 * step, ((segment + 1) as f64 * step).min(self.length_m())),
            _ => (0.0, self.length_m()),
        }
    }
}

impl LineSet {
    /// From lines in order, and the world coordinates of what theirs count from.
    pub fn new(origin: [f64; 2], lines: Vec<Line>) -> Self {
        let mut pieces = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let mut chainage_m = 0.0;
            for pair in line.parts.iter().flat_map(|part| part.windows(2)) {
                let length = distance(pair[0], pair[1]);
                if length > 0.0 {
                    pieces.push(Piece { line: index, from: pair[0], to: pair[1], chainage_m });
                    chainage_m += length;
                }
            }
        }
        let grid = Buckets::new(&pieces);
        Self { origin, lines, pieces, grid }
    }

    /// World coordinates of what the lines' count from.
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// All of them.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether any can stop a rock.
    pub fn has_barriers(&self) -> bool {
        self.lines.iter().any(|line| matches!(line.role, Role::Barrier(_)))
    }

    /// West, south, east and north of a piece of the map around a point that no line comes near; `None` where one does.
    pub fn clear_around(&self, at: [f64; 2]) -> Option<[f64; 4]> {
        let Some(grid) = &self.grid else {
            return Some([-f64::INFINITY, -f64::INFINITY, f64::INFINITY, f64::INFINITY]);
        };
        grid.clear_around(at)
    }

    /// Appends every crossing of the straight step to `hits`, in the order the step meets them. A path through a vertex
    /// crosses once (or not at all where it only touches), never twice.
    pub fn crossings(&self, from: [f64; 2], to: [f64; 2], hits: &mut Vec<Hit>) {
        let Some(grid) = &self.grid else { return };
        let Some((columns, rows)) = grid.range(from, to) else { return };
        let first = hits.len();
        for row in rows.0..=rows.1 {
            for column in columns.0..=columns.1 {
                for &index in grid.bucket(column, row) {
                    if let Some(hit) = self.pieces[index as usize].hit(from, to) {
                        hits.push(hit);
                    }
                }
            }
        }
        let new = &mut hits[first..];
        new.sort_by(|a, b| {
            a.fraction.total_cmp(&b.fraction).then(a.line.cmp(&b.line)).then(a.chainage_m.total_cmp(&b.chainage_m))
        });
        // A piece that lies in several buckets is found several times.
        let mut kept = first;
        for index in first..hits.len() {
            if kept == first || hits[index] != hits[kept - 1] {
                hits[kept] = hits[index];
                kept += 1;
            }
        }
        hits.truncate(kept);
    }
}

impl Piece {
    /// Both sides are half-open (a point on the line belongs to its left), so a path that ends on the line and goes on
    /// in the next step is counted once.
    fn hit(&self, from: [f64; 2], to: [f64; 2]) -> Option<Hit> {
        let (left_from, left_to) = (cross(self.from, self.to, from), cross(self.from, self.to, to));
        if (left_from >= 0.0) == (left_to >= 0.0) {
            return None;
        }
        let (step_from, step_to) = (cross(from, to, self.from), cross(from, to, self.to));
        if (step_from >= 0.0) == (step_to >= 0.0) {
            return None;
        }
        let length = distance(self.from, self.to);
        let along = (step_from / (step_from - step_to)).clamp(0.0, 1.0);
        Some(Hit {
            line: self.line,
            fraction: (left_from / (left_from - left_to)).clamp(0.0, 1.0),
            chainage_m: self.chainage_m + along * length,
            direction: [(self.to[0] - self.from[0]) / length, (self.to[1] - self.from[1]) / length],
        })
    }
}

impl Buckets {
    fn new(pieces: &[Piece]) -> Option<Self> {
        let ends = || pieces.iter().flat_map(|piece| [piece.from, piece.to]);
        let west = ends().map(|p| p[0]).fold(f64::INFINITY, f64::min);
        let east = ends().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
        let south = ends().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        let north = ends().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
        let extent = (east - west).max(north - south);
        if !extent.is_finite() {
            return None;
        }
        // At most 256 × 256 buckets, none smaller than a metre.
        let size = (extent / 256.0).max(1.0);
        let count = |length: f64| (length / size) as usize + 1;
        let (columns, rows) = (count(east - west), count(north - south));
        let mut grid =
            Self { west, south, size, columns, rows, starts: vec![0; columns * rows + 1], pieces: Vec::new() };
        let mut buckets = vec![Vec::new(); columns * rows];
        for (index, piece) in pieces.iter().enumerate() {
            if let Some((columns, rows)) = grid.range(piece.from, piece.to) {
                for row in rows.0..=rows.1 {
                    for column in columns.0..=columns.1 {
                        buckets[row * grid.columns + column].push(index as u32);
                    }
                }
            }
        }
        for (bucket, content) in buckets.into_iter().enumerate() {
            grid.pieces.extend(content);
            grid.starts[bucket + 1] = grid.pieces.len() as u32;
        }
        Some(grid)
    }

    fn bucket(&self, column: usize, row: usize) -> &[u32] {
        let index = row * self.columns + column;
        &self.pieces[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    fn clear_around(&self, at: [f64; 2]) -> Option<[f64; 4]> {
        // A hair smaller than the bucket: rounding must not let a step out of it unseen.
        let hair = 1e-6 * self.size;
        let edges = |i: f64, origin: f64| (origin + i * self.size + hair, origin + (i + 1.0) * self.size - hair);
        let (column, row) = (((at[0] - self.west) / self.size).floor(), ((at[1] - self.south) / self.size).floor());
        let all = [f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY];
        let sides = [(0, column, self.columns, self.west), (1, row, self.rows, self.south)];
        for (axis, i, count, origin) in sides {
            let mut half_plane = all;
            if i < 0.0 {
                half_plane[axis + 2] = origin - hair;
                return Some(half_plane);
            }
            if i >= count as f64 {
                half_plane[axis] = origin + count as f64 * self.size + hair;
                return Some(half_plane);
            }
        }
        if !(column.is_finite() && row.is_finite()) {
            return None;
        }
        let ((west, east), (south, north)) = (edges(column, self.west), edges(row, self.south));
        self.bucket(column as usize, row as usize).is_empty().then_some([west, south, east, north])
    }

    /// Columns and rows the bounding box of a segment touches; `None` if it misses the grid (or is not finite).
    fn range(&self, a: [f64; 2], b: [f64; 2]) -> Option<((usize, usize), (usize, usize))> {
        let one = |low: f64, high: f64, origin: f64, count: usize| {
            let (first, last) = (((low - origin) / self.size).floor(), ((high - origin) / self.size).floor());
            let inside = last >= 0.0 && first < count as f64;
            inside.then(|| (first.max(0.0) as usize, (last as usize).min(count - 1)))
        };
        let columns = one(a[0].min(b[0]), a[0].max(b[0]), self.west, self.columns)?;
        let rows = one(a[1].min(b[1]), a[1].max(b[1]), self.south, self.rows)?;
        Some((columns, rows))
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    math::hypot(b[0] - a[0], b[1] - a[1])
}

/// Twice the signed area of the triangle a, b, p: positive when p is to the left of a → b.
fn cross(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(parts: Vec<Vec<[f64; 2]>>, segment_m: Option<f64>) -> Line {
        Line { name: "road".into(), role: Role::Record, segment_m, parts }
    }

    fn hits(set: &LineSet, from: [f64; 2], to: [f64; 2]) -> Vec<Hit> {
        let mut found = Vec::new();
        set.crossings(from, to, &mut found);
        found
    }

    #[test]
    fn a_step_across_is_found_once_with_its_place_on_both() {
        let set = LineSet::new([0.0; 2], vec![line(vec![vec![[0.0, 0.0], [1000.0, 0.0]]], Some(100.0))]);
        let found = hits(&set, [250.0, 3.0], [250.0, -1.0]);
        assert_eq!(found.len(), 1);
        assert!((found[0].fraction - 0.75).abs() < 1e-12);
        assert!((found[0].chainage_m - 250.0).abs() < 1e-9);
        assert_eq!(set.lines()[0].segment_at(found[0].chainage_m), 2);
        assert!(hits(&set, [250.0, 3.0], [250.0, 1.0]).is_empty());
        assert!(hits(&set, [-5.0, 3.0], [-5.0, -1.0]).is_empty());
    }

    #[test]
    fn a_path_through_a_vertex_or_with_a_step_ending_on_the_line_crosses_once() {
        let set = LineSet::new([0.0; 2], vec![line(vec![vec![[0.0, 0.0], [10.0, 0.0], [20.0, 0.0]]], None)]);
        assert_eq!(hits(&set, [10.0, 1.0], [10.0, -1.0]).len(), 1);
        let count = hits(&set, [5.0, 1.0], [5.0, 0.0]).len() + hits(&set, [5.0, 0.0], [5.0, -1.0]).len();
        assert_eq!(count, 1);
    }

    /// The index is only a shortcut: a walk of many steps finds what testing every piece finds.
    #[test]
    fn the_index_finds_what_brute_force_finds() {
        let zigzag: Vec<[f64; 2]> = (0..200).map(|i| [i as f64 * 7.3, 40.0 * (i as f64 * 1.7).sin()]).collect();
        let other: Vec<[f64; 2]> = (0..50).map(|i| [600.0 + 30.0 * (i as f64).cos(), i as f64 * 4.0 - 100.0]).collect();
        let set = LineSet::new([0.0; 2], vec![line(vec![zigzag], None), line(vec![other], None)]);
        let mut at = [-20.0, 3.0];
        let (mut total, mut clear) = (0, 0);
        for step in 0..5000 {
            let angle = (step as f64 * 0.37).sin() * 2.0;
            let next = [at[0] + 0.5 * angle.cos(), at[1] + 0.5 * angle.sin() + 0.01];
            let mut slow: Vec<Hit> = set.pieces.iter().filter_map(|piece| piece.hit(at, next)).collect();
            slow.sort_by(|a, b| a.fraction.total_cmp(&b.fraction));
            assert_eq!(hits(&set, at, next), slow);
            if let Some([west, south, east, north]) = set.clear_around(at) {
                clear += 1;
                let inside = |p: [f64; 2]| p[0] > west && p[0] < east && p[1] > south && p[1] < north;
                assert!(!(inside(at) && inside(next)) || slow.is_empty());
            }
            total += slow.len();
            at = next;
        }
        assert!(
            total > 10 && clear > 1000,
            "the walk must cross the lines, crossed {total} times, clear {clear} times"
        );
        assert_eq!(set.clear_around([-30.0, 0.0]).map(|c| c[2] < 0.0 && c[0] == f64::NEG_INFINITY), Some(true));
    }

    #[test]
    fn segments_cover_the_line_and_the_last_is_shorter() {
        let l = line(vec![vec![[0.0, 0.0], [25.0, 0.0]]], Some(10.0));
        assert_eq!(l.segments(), 3);
        assert_eq!(l.segment_range_m(2), (20.0, 25.0));
        assert_eq!(l.segment_at(25.0), 2);
        assert_eq!(line(vec![vec![[0.0, 0.0], [30.0, 0.0]]], Some(10.0)).segments(), 3);
    }
}
