//! The finer surface: points, whatever they come from.

use std::path::Path;

use super::{POINTS_A_PART, Wish};
use crate::geo::point_cloud::PointCloud;
use crate::geo::{Bounds, Crs, raster};
use crate::terrain::{Field, Lattice};
use crate::{Error, Note, Result};

/// Points, whatever they come from.
pub(super) struct Source {
    kind: SourceKind,
    pub(super) crs: Crs,
    pub(super) bounds: Bounds,
    pub(super) points: u64,
    /// Distance of points, m.
    pub(super) apart_m: f64,
    pub(super) notes: Vec<Note>,
}

enum SourceKind {
    Cloud(Box<PointCloud>),
    Raster(Box<Field<f64>>),
}

impl Source {
    pub(super) fn open(wish: &Wish) -> Result<Self> {
        let path: &Path = &wish.source;
        let no_crs = || {
            Error::input(format!("'{}' does not say which CRS it is in: state it with `--crs EPSG:…`", path.display()))
        };
        if !PointCloud::is_one(path) {
            let options = raster::ReadRaster { crs: wish.crs.clone(), ..raster::ReadRaster::default() };
            let dem = raster::read_dem(path, &options)?;
            let lattice = dem.field.lattice;
            let points = dem.field.values.iter().filter(|height| height.is_finite()).count() as u64;
            return Ok(Self {
                crs: dem.crs,
                bounds: Bounds::from(lattice.extent()),
                points,
                apart_m: lattice.dx.max(lattice.dy),
                notes: dem.warnings,
                kind: SourceKind::Raster(Box::new(dem.field)),
            });
        }
        let cloud = PointCloud::open(path)?;
        let crs = match (&cloud.crs, &wish.crs) {
            (Some(own), Some(stated)) if !own.same_as(stated) => {
                return Err(Error::input(format!(
                    "'{}' says its CRS is {own}, but {stated} is stated for it: leave out `--crs`, or mend the file",
                    path.display()
                )));
            }
            (Some(own), _) => own.clone(),
            (None, Some(stated)) => stated.clone(),
            (None, None) => return Err(no_crs()),
        };
        if crs.is_geographic() {
            return Err(Error::input(format!(
                "'{}' is in {crs}, whose unit is the degree; roughness needs metres: reproject the cloud",
                path.display()
            )));
        }
        let mut notes = Vec::new();
        if cloud.ground_only && cloud.points < cloud.all {
            notes.push(Note::CloudGroundOnly { ground: cloud.points, all: cloud.all });
        }
        if !cloud.ground_only {
            notes.push(Note::CloudUnclassified);
        }
        let area = cloud.bounds.width() * cloud.bounds.height();
        let apart_m = (POINTS_A_PART * area / cloud.points as f64).sqrt();
        let (bounds, points) = (cloud.bounds, cloud.points);
        Ok(Self { kind: SourceKind::Cloud(Box::new(cloud)), crs, bounds, points, apart_m, notes })
    }

    pub(super) fn for_each(&self, mut take: impl FnMut([f64; 3])) -> Result<()> {
        match &self.kind {
            SourceKind::Cloud(cloud) => cloud.for_each(take),
            SourceKind::Raster(field) => {
                let Lattice { nx, x0, y0, dx, dy, .. } = field.lattice;
                for (k, &z) in field.values.iter().enumerate().filter(|(_, z)| z.is_finite()) {
                    take([x0 + (k % nx) as f64 * dx, y0 + (k / nx) as f64 * dy, z]);
                }
                Ok(())
            }
        }
    }
}
