//! Points, lines and areas from one CRS to another, by PROJ. (GDAL, which asks the same PROJ, warps rasters.)

use ::geo::{Coord, CoordsIter, Geometry, MapCoordsInPlace};
use proj::Proj;

use super::{Bounds, Crs, gdal_glue};
use crate::{Error, Result};

/// Points from one CRS to another. Identity, bit for bit, where both are the same.
pub struct Transformer {
    way: Option<Proj>,
    from: String,
    to: String,
}

impl Transformer {
    /// The way PROJ takes; among several it chooses the best for each point.
    pub fn new(from: &Crs, to: &Crs) -> Result<Self> {
        let (from_label, to_label) = (from.label().to_string(), to.label().to_string());
        let way = if from.same_as(to) {
            None
        } else {
            gdal_glue::init();
            Some(Proj::new_known_crs(&from.for_proj(), &to.for_proj(), None).map_err(|error| {
                Error::input(format!("no way is known from the CRS '{from_label}' to '{to_label}' ({error})"))
                    .caused_by(error)
            })?)
        };
        Ok(Self { way, from: from_label, to: to_label })
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.way.is_none()
    }

    /// One point.
    pub fn xy(&self, x: f64, y: f64) -> Result<(f64, f64)> {
        let mut point = [Coord { x, y }];
        self.points(&mut point)?;
        Ok((point[0].x, point[0].y))
    }

    /// Many points at once, in place.
    pub fn points(&self, points: &mut [Coord<f64>]) -> Result<()> {
        let Some(way) = &self.way else { return Ok(()) };
        let Some(first) = points.first().copied() else { return Ok(()) };
        let done = way.convert_array(points).map(|_| ()).map_err(|error| format!(" ({error})"));
        let because = match done {
            Ok(()) if points.iter().all(|point| point.x.is_finite() && point.y.is_finite()) => return Ok(()),
            Ok(()) => String::new(),
            Err(because) => because,
        };
        Err(Error::input(format!(
            "a point near ({}, {}) cannot be brought from '{}' to '{}'{because}: check that the layer's CRS is right",
            first.x, first.y, self.from, self.to
        )))
    }

    /// Every vertex of a geometry.
    pub fn geometry(&self, geometry: &Geometry<f64>) -> Result<Geometry<f64>> {
        let mut moved = geometry.clone();
        if self.is_identity() {
            return Ok(moved);
        }
        let mut points: Vec<Coord<f64>> = geometry.coords_iter().collect();
        self.points(&mut points)?;
        let images = std::cell::RefCell::new(points.into_iter());
        // Both walks visit the vertices in the same order.
        moved.map_coords_in_place(|c| images.borrow_mut().next().unwrap_or(c));
        Ok(moved)
    }

    /// The rectangle around a rectangle's image; edges are densified because straight lines bend.
    pub(crate) fn bounds(&self, bounds: &Bounds) -> Result<Bounds> {
        let steps = 21;
        let mut points = Vec::new();
        for k in 0..=steps {
            let t = f64::from(k) / f64::from(steps);
            let (x, y) = (bounds.west + t * bounds.width(), bounds.south + t * bounds.height());
            let edges = [(x, bounds.south), (x, bounds.north), (bounds.west, y), (bounds.east, y)];
            points.extend(edges.map(|(x, y)| Coord { x, y }));
        }
        self.points(&mut points)?;
        let span = |of: fn(&Coord<f64>) -> f64| {
            let ends = (f64::INFINITY, f64::NEG_INFINITY);
            points.iter().map(of).fold(ends, |(low, high), v| (low.min(v), high.max(v)))
        };
        let ((west, east), (south, north)) = (span(|point| point.x), span(|point| point.y));
        Ok(Bounds::new(west, south, east, north))
    }
}
