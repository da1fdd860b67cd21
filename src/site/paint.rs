//! Polygons and rasters onto the DEM's lattice.
//!
//! A node belongs to a polygon if the cell centre (= the node) lies inside; of two polygons the later one wins.

use std::ops::Range;

use geo::{BoundingRect, Coord, Geometry};

use crate::Result;
use crate::geo::raster_parts::{Cut, RasterParts};
use crate::geo::{Bounds, Crs, Transformer};
use crate::release::polygon::{Area, Grid};
use crate::terrain::Lattice;

/// Calls `paint` with the index of every node whose centre lies in the polygon(s).
pub fn nodes_inside(geometry: &Geometry<f64>, lattice: &Lattice, paint: impl FnMut(usize)) {
    if let Some(shape) = Painted::new(geometry) {
        shape.nodes(lattice, &(0..lattice.nx), &(0..lattice.ny), paint);
    }
}

/// Polygons whose inside is painted.
pub(crate) struct Painted {
    area: Area,
    /// Around it: west, south, east, north.
    bounds: [f64; 4],
}

impl Painted {
    /// `None` of what has no inside.
    pub(crate) fn new(geometry: &Geometry<f64>) -> Option<Self> {
        let area = match geometry {
            Geometry::Polygon(polygon) => Area::new([polygon]),
            Geometry::MultiPolygon(polygons) => Area::new(polygons),
            _ => return None,
        };
        let around = geometry.bounding_rect()?;
        Some(Self { area, bounds: [around.min().x, around.min().y, around.max().x, around.max().y] })
    }

    /// Calls `paint` for every node of these columns and rows inside, with its index among them. Whether a node is inside does not
    /// depend on the columns and rows that are looked at.
    pub(crate) fn nodes(
        &self,
        lattice: &Lattice,
        columns: &Range<usize>,
        rows: &Range<usize>,
        mut paint: impl FnMut(usize),
    ) {
        let Lattice { x0, y0, dx, dy, .. } = *lattice;
        // The outermost centres lie within the outer edges.
        let edge = |first: f64, node: usize, step: f64| first + (node as f64 - 0.5) * step;
        let extent =
            (edge(x0, columns.start, dx), edge(y0, rows.start, dy), edge(x0, columns.end, dx), edge(y0, rows.end, dy));
        let [west, south, east, north] = self.bounds;
        if west > extent.2 || east < extent.0 || south > extent.3 || north < extent.1 {
            return;
        }
        let grid = Grid { origin: (x0, y0), step: (dx, dy), extent };
        let inside = |column: i64, row: i64| {
            paint((row as usize - rows.start) * columns.len() + column as usize - columns.start);
        };
        // Nodes are never too many: the lattice exists.
        let _ = self.area.grid_points(&grid, u64::MAX, inside);
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sampling {
    Bilinear,
    Nearest,
}

/// A raster, to be sampled at the nodes of the DEM.
pub(crate) struct NodeRaster {
    raster: RasterParts,
    /// Of the DEM.
    lattice: Lattice,
    crs: Crs,
    how: Sampling,
}

impl NodeRaster {
    pub(crate) fn new(raster: RasterParts, lattice: Lattice, crs: Crs, how: Sampling) -> Self {
        Self { raster, lattice, crs, how }
    }

    pub(crate) fn crs(&self) -> &Crs {
        &self.raster.crs
    }

    /// Its smallest and largest value around the DEM: what is sampled lies between.
    pub(crate) fn range(&self) -> Result<(f32, f32)> {
        let around = Transformer::new(&self.crs, &self.raster.crs)?.bounds(&Bounds::from(self.lattice.extent()))?;
        let mut range = (f32::INFINITY, f32::NEG_INFINITY);
        self.raster.strips(&around, |values| {
            let finite = values.iter().filter(|value| !value.is_nan());
            range = finite.fold(range, |(low, high), value| (low.min(*value as f32), high.max(*value as f32)));
        })?;
        Ok(range)
    }

    /// Its values at nodes of the DEM, NaN where it has none, and how many of the cells around them have none. A value does not
    /// depend on the columns and rows that are looked at.
    pub(crate) fn read(&self, columns: &Range<usize>, rows: &Range<usize>) -> Result<(Vec<f32>, usize)> {
        let transformer = Transformer::new(&self.crs, &self.raster.crs)?;
        let (first, last) =
            (self.lattice.centre(columns.start, rows.start), self.lattice.centre(columns.end - 1, rows.end - 1));
        let cut = self.raster.around(&transformer.bounds(&Bounds::new(first.0, first.1, last.0, last.1))?)?;
        let mut values = Vec::with_capacity(columns.len() * rows.len());
        let mut places = Vec::with_capacity(columns.len());
        for row in rows.clone() {
            places.clear();
            places.extend(columns.clone().map(|column| Coord::from(self.lattice.centre(column, row))));
            transformer.points(&mut places)?;
            let whole = self.raster.lattice();
            values.extend(places.iter().map(|at| sample(whole, &cut, at.x, at.y, self.how) as f32));
        }
        Ok((values, cut.nodata_cells))
    }
}

/// The value at a point: NaN outside the raster and in cells without value; a neighbour without value has no weight.
fn sample(lattice: &Lattice, cut: &Cut, x: f64, y: f64, how: Sampling) -> f64 {
    let Some((column, row)) = lattice.cell_at(x, y) else { return f64::NAN };
    let nearest = cut.at(column, row);
    if how == Sampling::Nearest || nearest.is_nan() {
        return nearest;
    }
    let u = ((x - lattice.x0) / lattice.dx).clamp(0.0, (lattice.nx - 1) as f64);
    let v = ((y - lattice.y0) / lattice.dy).clamp(0.0, (lattice.ny - 1) as f64);
    let (k, l) = (u.floor(), v.floor());
    let (mut sum, mut weights) = (0.0, 0.0);
    for (i, wx) in [(0, 1.0 - (u - k)), (1, u - k)] {
        for (j, wy) in [(0, 1.0 - (v - l)), (1, v - l)] {
            let (weight, row) = (wx * wy, (l as usize + j).min(lattice.ny - 1));
            let value = cut.at((k as usize + i).min(lattice.nx - 1), row);
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
    use crate::terrain::Field;
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
        let whole = |field: &Field<f64>| Cut {
            columns: 0..field.lattice.nx,
            rows: 0..field.lattice.ny,
            values: field.values.clone(),
            nodata_cells: 0,
        };
        let resample = |field: &Field<f64>, lattice: &Lattice| -> Vec<f32> {
            let at = |k: usize| lattice.centre(k % lattice.nx, k / lattice.nx);
            let cut = whole(field);
            let value = |(x, y): (f64, f64)| sample(&field.lattice, &cut, x, y, Sampling::Bilinear) as f32;
            (0..lattice.len()).map(|k| value(at(k))).collect()
        };
        let values = resample(&coarse, &LATTICE);
        for (k, expected) in plane(LATTICE).values.iter().enumerate() {
            assert_eq!(values[k], *expected as f32);
        }
        coarse.values[21] = f64::NAN;
        let same = resample(&coarse, &coarse.lattice);
        for (a, b) in same.iter().zip(&coarse.values) {
            assert!(*a == *b as f32 || a.is_nan() && b.is_nan());
        }
    }
}
