//! Polygons and rasters onto the DEM's lattice.
//!
//! A node belongs to a polygon if the cell centre (= the node) lies inside; of two polygons the later one wins.

use geo::{Coord, Geometry};

use crate::Result;
use crate::geo::{Crs, Transformer};
use crate::release::polygon::{Area, Grid};
use crate::terrain::{Field, Lattice};

/// Calls `paint` with the index of every node whose centre lies in the polygon(s).
pub fn nodes_inside(geometry: &Geometry<f64>, lattice: &Lattice, mut paint: impl FnMut(usize)) {
    let area = match geometry {
        Geometry::Polygon(polygon) => Area::new([polygon]),
        Geometry::MultiPolygon(polygons) => Area::new(polygons),
        _ => return,
    };
    // The outermost centres lie within the outer edges.
    let grid = Grid { origin: (lattice.x0, lattice.y0), step: (lattice.dx, lattice.dy), extent: lattice.extent() };
    let inside = |column: i64, row: i64| paint(row as usize * lattice.nx + column as usize);
    // Nodes are never too many: the lattice exists.
    let _ = area.grid_points(&grid, u64::MAX, inside);
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sampling {
    Bilinear,
    Nearest,
}

/// A raster's values at the nodes of another lattice; NaN where it has none.
pub(crate) fn resample(
    raster: &Field<f64>,
    raster_crs: &Crs,
    lattice: &Lattice,
    crs: &Crs,
    how: Sampling,
) -> Result<Vec<f32>> {
    let transformer = Transformer::new(crs, raster_crs)?;
    let mut values = Vec::with_capacity(lattice.len());
    let mut places = Vec::with_capacity(lattice.nx);
    for row in 0..lattice.ny {
        places.clear();
        places.extend((0..lattice.nx).map(|column| Coord::from(lattice.centre(column, row))));
        transformer.points(&mut places)?;
        values.extend(places.iter().map(|at| sample(raster, at.x, at.y, how) as f32));
    }
    Ok(values)
}

/// The value at a point: NaN outside the raster and in cells without value; a neighbour without value has no weight.
fn sample(raster: &Field<f64>, x: f64, y: f64, how: Sampling) -> f64 {
    let lattice = &raster.lattice;
    let Some((column, row)) = lattice.cell_at(x, y) else { return f64::NAN };
    let nearest = raster.values[row * lattice.nx + column];
    if how == Sampling::Nearest || nearest.is_nan() {
        return nearest;
    }
    let u = ((x - lattice.x0) / lattice.dx).clamp(0.0, (lattice.nx - 1) as f64);
    let v = ((y - lattice.y0) / lattice.dy).clamp(0.0, (lattice.ny - 1) as f64);
    let (k, l) = (u.floor(), v.floor());
    let (mut sum, mut weights) = (0.0, 0.0);
    for (i, wx) in [(0, 1.0 - (u - k)), (1, u - k)] {
        for (j, wy) in [(0, 1.0 - (v - l)), (1, v - l)] {
            let (weight, at) = (wx * wy, (l as usize + j).min(lattice.ny - 1) * lattice.nx);
            let value = raster.values[at + (k as usize + i).min(lattice.nx - 1)];
            // Grids that differ by rounding only must agree exactly.
            if weight > 1e-9 && !value.is_nan() {
                sum += weight * value;
                weights += weight;
            }
        }
    }
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use geo::polygon;

    const LATTICE: Lattice = Lattice { nx: 5, ny: 4, x0: 100.5, y0: 200.5, dx: 1.0, dy: 1.0 };

    fn painted(geometry: Geometry<f64>) -> Vec<usize> {
        let mut nodes = Vec::new();
        nodes_inside(&geometry, &LATTICE, |node| nodes.push(node));
        nodes.sort();
        nodes
    }

    /// A node is inside exactly when its centre is: two rectangles that share an edge share no node and leave none out.
    #[test]
    fn neighbouring_polygons_divide_the_nodes() {
        let rectangle = |w: f64, e: f64| -> Geometry<f64> {
            polygon![(x: w, y: 200.0), (x: e, y: 200.0), (x: e, y: 204.0), (x: w, y: 204.0)].into()
        };
        // The common edge runs exactly through a column of centres.
        let (left, right) = (painted(rectangle(100.0, 102.5)), painted(rectangle(102.5, 105.0)));
        assert_eq!(left.len() + right.len(), 20);
        assert!(left.iter().all(|node| !right.contains(node)));
        assert!(left.iter().all(|node| node % 5 < 2));
    }

    #[test]
    fn holes_and_far_away_parts_stay_unpainted() {
        let ring: Geometry<f64> = polygon!(
            exterior: [(x: 100.0, y: 200.0), (x: 105.0, y: 200.0), (x: 105.0, y: 204.0), (x: 100.0, y: 204.0)],
            interiors: [[(x: 101.0, y: 201.0), (x: 104.0, y: 201.0), (x: 104.0, y: 203.0), (x: 101.0, y: 203.0)]],
        )
        .into();
        assert_eq!(painted(ring), [0, 1, 2, 3, 4, 5, 9, 10, 14, 15, 16, 17, 18, 19]);
        let far: Geometry<f64> = polygon![(x: 0.0, y: 0.0), (x: 9.0, y: 0.0), (x: 9.0, y: 9.0)].into();
        assert!(painted(far).is_empty());
        let above: Geometry<f64> = polygon![(x: 100.0, y: 900.0), (x: 105.0, y: 900.0), (x: 105.0, y: 990.0)].into();
        assert!(painted(above).is_empty());
    }

    /// A plane sampled between its own nodes keeps its value; on an identical grid every value comes back exactly, also
    /// beside a node without value.
    #[test]
    fn rasters_are_sampled_between_their_centres() {
        let plane = |lattice: Lattice| {
            let at = |k: usize| lattice.centre(k % lattice.nx, k / lattice.nx);
            let values = (0..lattice.len()).map(|k| at(k).0 * 0.5 + at(k).1 * 0.25).collect();
            Field { lattice, values }
        };
        let mut coarse = plane(Lattice { nx: 20, ny: 20, x0: 90.0, y0: 190.0, dx: 2.0, dy: 2.0 });
        let crs = Crs::from_epsg(2056).unwrap();
        let values = resample(&coarse, &crs, &LATTICE, &crs, Sampling::Bilinear).unwrap();
        for (k, expected) in plane(LATTICE).values.iter().enumerate() {
            assert_eq!(values[k], *expected as f32);
        }
        coarse.values[21] = f64::NAN;
        let same = resample(&coarse, &crs, &coarse.lattice, &crs, Sampling::Bilinear).unwrap();
        for (a, b) in same.iter().zip(&coarse.values) {
            assert!(*a == *b as f32 || a.is_nan() && b.is_nan());
        }
    }
}
