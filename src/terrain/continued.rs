//! Ground that is not known: beyond the terrain's rim and in nodata.
//!
//! A trajectory ends where the centre of mass leaves the known ground. Until then a rock's corners may hang over it. If there were
//! nothing below them the rim would be a cliff that no slope has, into which a corner that comes back is driven. So contacts see the ground
//! continued: a missing node at the distance k from the last known one along a lattice direction mirrors it, 2 z(0) − z(k) (or goes on along z(0) − z(j) with the
//! largest j < k that is known), the mean over the directions in which there is one, and diagonals where no direction has one. A plane goes on as a plane, the slope does not jump at the rim, and the
//! continuation is no rougher than what it mirrors. It is a function of the DEM alone.

use super::spot::{Patch, Spot};
use super::surface::Surface;
use nalgebra::Vector3;

/// So many nodes from known ground there is nothing any more.
const FURTHEST: i64 = 32;

const STRAIGHT: [[i64; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];
const DIAGONAL: [[i64; 2]; 4] = [[-1, -1], [1, -1], [-1, 1], [1, 1]];

impl Surface {
    /// [`Surface::patch`] of the ground that contacts see.
    #[inline(always)]
    pub fn ground_patch(&self, x: f64, y: f64) -> Option<(Spot, Patch)> {
        let known = self.patch(x, y);
        if known.is_some() { known } else { self.continued_patch(x, y) }
    }

    /// [`Surface::spot`] of the ground that contacts see.
    #[inline(always)]
    pub fn ground_spot(&self, x: f64, y: f64) -> Option<Spot> {
        self.ground_patch(x, y).map(|(spot, _)| spot)
    }

    /// [`Surface::gap`] above the ground that contacts see.
    #[inline]
    pub fn ground_gap(&self, point: &Vector3<f64>) -> Option<f64> {
        self.ground_spot(point.x, point.y).map(|spot| point.z - spot.height)
    }

    /// [`Surface::node_height`] of the ground that contacts see.
    #[inline]
    pub fn ground_height(&self, column: usize, row: usize) -> f64 {
        let known = self.node_height(column, row);
        if known.is_nan() { self.continued_height(column as i64, row as i64) } else { known }
    }

    #[cold]
    fn continued_patch(&self, x: f64, y: f64) -> Option<(Spot, Patch)> {
        let (u, v) = (x / self.lattice().dx, y / self.lattice().dy);
        let (west, south) = (u.floor(), v.floor());
        // Far off there is nothing, and NaN is nowhere.
        if !(west.abs() < 1e9 && south.abs() < 1e9) {
            return None;
        }
        let (k, l) = (west as i64, south as i64);
        let corners = [[k, l], [k + 1, l], [k, l + 1], [k + 1, l + 1]].map(|[k, l]| self.continued_height(k, l));
        self.between(corners, u - west, v - south)
    }

    /// The height of any node, known or continued; NaN far from what is known.
    #[cold]
    pub(super) fn continued_height(&self, column: i64, row: i64) -> f64 {
        let here = self.known_height(column, row);
        if here.is_finite() {
            return here;
        }
        let straight = self.mirrored(column, row, STRAIGHT);
        if straight.is_finite() { straight } else { self.mirrored(column, row, DIAGONAL) }
    }

    /// Mean over the directions in which there is a known node; NaN if there is none.
    fn mirrored(&self, column: i64, row: i64, directions: [[i64; 2]; 4]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for [by_x, by_y] in directions {
            let at = |k: i64| self.known_height(column + k * by_x, row + k * by_y);
            let Some(k) = (1..=FURTHEST).find(|k| at(*k).is_finite()) else { continue };
            let near = at(k);
            // Where the mirrored node is not known either, the line through the furthest known one before it goes on.
            let before = (1..=k).rev().find(|j| at(k + j).is_finite());
            sum += before.map_or(near, |j| near + (near - at(k + j)) * (k as f64 / j as f64));
            count += 1.0;
        }
        sum / count
    }
}

#[cfg(test)]
mod tests {
    use crate::terrain::{Across, Field, Lattice, Surface};

    fn surface(height: impl Fn(usize, usize) -> f64) -> Surface {
        let lattice = Lattice { nx: 12, ny: 9, x0: 0.0, y0: 0.0, dx: 2.0, dy: 0.5 };
        Surface::new(Field { lattice, values: (0..lattice.len()).map(|k| height(k % 12, k / 12)).collect() }).unwrap()
    }

    /// A plane goes on as the same plane: beyond every side and corner, and through a hole.
    #[test]
    fn a_plane_goes_on() {
        let plane = |x: f64, y: f64| 3.0 - 0.4 * x + 0.7 * y;
        let holed = |column: usize, row: usize| (4..6).contains(&column) && (3..6).contains(&row);
        let surface = surface(|k, l| if holed(k, l) { f64::NAN } else { plane(2.0 * k as f64, 0.5 * l as f64) });
        for (x, y) in
            [(-3.0, 1.2), (25.0, 0.3), (7.0, -1.1), (3.0, 5.3), (-1.0, -0.7), (26.5, 5.0), (9.0, 2.0), (9.1, 1.6)]
        {
            assert!(surface.spot(x, y).is_none());
            let spot = surface.ground_spot(x, y).unwrap();
            assert!((spot.height - plane(x, y)).abs() < 1e-12, "{x} {y}: {spot:?}");
            assert!((spot.slope_x + 0.4).abs() < 1e-12 && (spot.slope_y - 0.7).abs() < 1e-12);
        }
        assert!(surface.ground_spot(-500.0, 1.0).is_none() && surface.ground_spot(f64::NAN, 1.0).is_none());
    }

    /// Rough ground goes on without a step or a crest at the rim; crests that meet a hole or the rim go on.
    #[test]
    fn there_is_no_edge_at_the_rim() {
        let surface = surface(|k, l| if (k, l) == (5, 4) { f64::NAN } else { ((k * 37 + l * 91) % 17) as f64 * 0.1 });
        let step = 1e-9;
        for y in [0.2, 1.3, 3.1] {
            let (inside, outside) = (surface.ground_spot(step, y).unwrap(), surface.ground_spot(-step, y).unwrap());
            assert!((inside.height - outside.height).abs() < 1e-7 && (inside.slope_x - outside.slope_x).abs() < 1e-6);
        }
        for (x, y) in [(9.0, 2.0), (-1.3, 1.5)] {
            let line = (y / 0.5) as usize;
            let crease = surface.crease(Across::Y, line, x).unwrap();
            let (south, north) = (surface.ground_spot(x, y - step).unwrap(), surface.ground_spot(x, y + step).unwrap());
            assert!((crease.height - south.height).abs() < 1e-7);
            assert!((crease.before - south.slope_y).abs() < 1e-6 && (crease.after - north.slope_y).abs() < 1e-6);
        }
        assert!(surface.bends(4, 4).iter().all(|bend| bend.is_finite()));
    }
}
