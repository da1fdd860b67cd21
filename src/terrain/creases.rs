//! Where the terrain bends: along the grid lines, between bilinear patches.
//!
//! A patch is straight along both lattice directions, so along a grid line the terrain is straight between two nodes, and
//! across it the slope jumps. The jump is linear between nodes: what is known at the nodes bounds all of it.

use super::grid::Lattice;
use super::surface::Surface;

/// The lattice direction across which a grid line bends the terrain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Across {
    /// A line of constant x.
    X,
    /// A line of constant y.
    Y,
}

/// The terrain at a point of a grid line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crease {
    /// Height, m.
    pub height: f64,
    /// Slope along the line.
    pub along: f64,
    /// Slopes across it, on the side of smaller and of larger coordinates.
    pub before: f64,
    /// On the side of larger coordinates.
    pub after: f64,
}

impl Crease {
    /// From the heights at the two nodes around a place on the line and on its neighbours, the share of the way between them, and the
    /// size of a cell across and along it.
    #[inline(always)]
    fn between([low, here, high]: [[f64; 2]; 3], share: f64, [width, length]: [f64; 2]) -> Self {
        let at = |[from, to]: [f64; 2]| from + share * (to - from);
        let height = at(here);
        Self {
            height,
            along: (here[1] - here[0]) / length,
            before: (height - at(low)) / width,
            after: (at(high) - height) / width,
        }
    }

    /// Jump of the slope: positive where the ground is convex upwards, a crest.
    pub fn bend(&self) -> f64 {
        self.before - self.after
    }
}

/// Bounds of how uneven a part of the terrain is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Unevenness {
    /// Largest bend of a crest.
    pub bend: f64,
    /// Largest |∂²z/∂x∂y| of a patch, 1/m.
    pub twist: f64,
}

/// How far slopes differ from given ones.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SlopeSpread {
    /// Along x.
    pub x: f64,
    /// Along y.
    pub y: f64,
}

impl Unevenness {
    /// Is it more uneven in any respect?
    pub fn exceeds(&self, limit: &Self) -> bool {
        self.bend > limit.bend || self.twist > limit.twist
    }
}

impl Surface {
    /// Bends at a node across x and across y; NaN at the rim and without a height.
    #[inline]
    pub fn bends(&self, column: usize, row: usize) -> [f64; 2] {
        let (Lattice { dx, dy, .. }, rim) = (*self.lattice(), *self.rim());
        let here = 2.0 * self.node_height(column, row);
        let inside = |k: usize, first: usize, last: usize| k > first && k < last;
        let x = if inside(column, rim.west, rim.east) {
            (here - self.ground_height(column - 1, row) - self.ground_height(column + 1, row)) / dx
        } else {
            f64::NAN
        };
        let y = if inside(row, rim.south, rim.north) {
            (here - self.ground_height(column, row - 1) - self.ground_height(column, row + 1)) / dy
        } else {
            f64::NAN
        };
        [x, y]
    }

    /// Height of the grid line number `line` at the coordinate `at` along it, m, to rounding; NaN where its nodes are not both known.
    #[inline(always)]
    pub(crate) fn height_of_line(&self, across: Across, line: usize, at: f64) -> f64 {
        let (inverse, first, last) = match across {
            Across::X => (self.inverse_dy, self.rim().south, self.rim().north),
            Across::Y => (self.inverse_dx, self.rim().west, self.rim().east),
        };
        let v = at * inverse;
        if !(v >= first as f64 && v <= last as f64) {
            return f64::NAN;
        }
        let node = (v as usize).min(last - 1);
        let [from, to] = match across {
            Across::X => [self.node_height(line, node), self.node_height(line, node + 1)],
            Across::Y => [self.node_height(node, line), self.node_height(node + 1, line)],
        };
        from + (v - node as f64) * (to - from)
    }

    /// The grid line number `line` at the coordinate `at` along it; `None` at the rim, across which continued ground does not
    /// bend, and far from what is known.
    #[inline]
    pub fn crease(&self, across: Across, line: usize, at: f64) -> Option<Crease> {
        let (Lattice { dx, dy, .. }, rim) = (*self.lattice(), *self.rim());
        let (lines, [least, most], width, length) = match across {
            Across::X => ([rim.west, rim.east], [rim.south, rim.north], dx, dy),
            Across::Y => ([rim.south, rim.north], [rim.west, rim.east], dy, dx),
        };
        let v = at / length;
        if !(line > lines[0] && line < lines[1]) {
            return None;
        }
        let size = [width, length];
        if v >= least as f64 && v <= most as f64 {
            let first = (v as usize).min(most - 1);
            let height = |line: usize, k: usize| match across {
                Across::X => self.node_height(line, k),
                Across::Y => self.node_height(k, line),
            };
            let pair = |line: usize| [height(line, first), height(line, first + 1)];
            let crease = Crease::between([pair(line - 1), pair(line), pair(line + 1)], v - first as f64, size);
            if crease.bend().is_finite() {
                return Some(crease);
            }
        }
        self.continued_crease(across, line as i64, v, size)
    }

    /// [`Surface::crease`] beyond the rim and beside nodata.
    #[cold]
    fn continued_crease(&self, across: Across, line: i64, v: f64, size: [f64; 2]) -> Option<Crease> {
        let first = v.floor();
        let height = |line: i64, k: i64| match across {
            Across::X => self.continued_height(line, k),
            Across::Y => self.continued_height(k, line),
        };
        let pair = |line: i64| [height(line, first as i64), height(line, first as i64 + 1)];
        let crease = Crease::between([pair(line - 1), pair(line), pair(line + 1)], v - first, size);
        crease.bend().is_finite().then_some(crease)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Field;

    /// Heights and slopes of a grid line are those of the patches on its two sides.
    #[test]
    fn creases_join_the_patches() {
        let lattice = Lattice { nx: 12, ny: 9, x0: 0.0, y0: 0.0, dx: 2.0, dy: 0.5 };
        let values = (0..lattice.len()).map(|k| ((k * 7919) % 101) as f64 * 0.03).collect();
        let surface = Surface::new(Field { lattice, values }).unwrap();
        let step = 1e-9;
        for (line, at) in [(1, 0.1), (5, 1.77), (10, 3.9)] {
            let crease = surface.crease(Across::X, line, at).unwrap();
            let x = 2.0 * line as f64;
            let (west, east) = (surface.spot(x - step, at).unwrap(), surface.spot(x + step, at).unwrap());
            for (ours, theirs) in [
                (crease.height, west.height),
                (crease.along, west.slope_y),
                (crease.before, west.slope_x),
                (crease.after, east.slope_x),
            ] {
                assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
            }
            let crease = surface.crease(Across::Y, 3, x + 0.3).unwrap();
            let (south, north) =
                (surface.spot(x + 0.3, 1.5 - step).unwrap(), surface.spot(x + 0.3, 1.5 + step).unwrap());
            assert!((crease.before - south.slope_y).abs() < 1e-6 && (crease.after - north.slope_y).abs() < 1e-6);
            assert!((crease.along - south.slope_x).abs() < 1e-6);
        }
        assert!(surface.crease(Across::X, 0, 1.0).is_none() && surface.crease(Across::Y, 8, 1.0).is_none());
        assert!(surface.bends(0, 4)[0].is_nan() && surface.bends(0, 4)[1].is_finite());
    }
}
