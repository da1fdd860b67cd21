//! The terrain below maps of a finished run.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::Result;
use crate::geo::dem::DemParts;
use crate::geo::raster::{self, ReadRaster};
use crate::geo::{Crs, area_of_use};
use crate::project;
use crate::store::layers::LARGE_MAP;
use crate::store::manifest::{self, Manifest};
use crate::terrain::blocks::{BlockCache, Blocks, Values};
use crate::terrain::{Field, Lattice, Surface};

/// The DEM of a run; `None` if it is gone, was changed, or has another lattice than this.
pub(crate) fn terrain(manifest: &Manifest, lattice: &Lattice) -> Result<Option<Surface>> {
    let folder = Path::new(&manifest.this_run.project_path).parent().unwrap_or(Path::new(""));
    let Some(input) = manifest.inputs.iter().find(|input| input.role == "terrain") else { return Ok(None) };
    let path = folder.join(&input.path);
    if manifest::sha256_file(&path).ok().as_ref() != Some(&input.sha256) {
        return Ok(None);
    }
    let record = &manifest.project;
    let project = project::from_text(&path, record.text.clone(), record.sha256.clone())?;
    let band = project.states("terrain.band").then_some(project.file.terrain.band);
    let options = ReadRaster {
        band,
        crs: Crs::from_user(&manifest.crs_wkt).ok(),
        vertical_unit: project.file.terrain.vertical_unit,
        ..ReadRaster::default()
    };
    // Where the run took the coordinates as they are, so do its maps.
    area_of_use::insist();
    if lattice.len() > LARGE_MAP {
        let parts = DemParts::open(&path, &options).ok().filter(|parts| is_same(parts.lattice(), lattice));
        let read =
            |parts: DemParts| in_blocks(lattice, move |columns, rows| Ok(Values::packed(parts.read(columns, rows)?.0)));
        return parts.map(read).transpose();
    }
    let read = raster::read_dem(&path, &options).ok().map(|raster| raster.field);
    read.filter(|field| is_same(&field.lattice, lattice)).map(Surface::new).transpose()
}

/// For the blocks of a large map that pixels need.
const CACHE_BYTES: u64 = 1 << 27;

fn in_blocks(
    lattice: &Lattice,
    read: impl Fn(Range<usize>, Range<usize>) -> Result<Values> + Send + Sync + 'static,
) -> Result<Surface> {
    Surface::in_blocks(Arc::new(Blocks::new(*lattice, &Arc::new(BlockCache::new(CACHE_BYTES)), read)))
}

/// To rounding: one of them may have been written as text.
fn is_same(a: &Lattice, b: &Lattice) -> bool {
    let close = |a: f64, b: f64, size: f64| (a - b).abs() < 1e-6 * size;
    (a.nx, a.ny) == (b.nx, b.ny)
        && close(a.dx, b.dx, a.dx)
        && close(a.dy, b.dy, a.dy)
        && close(a.x0, b.x0, a.dx)
        && close(a.y0, b.y0, a.dy)
}

/// What costs nothing but the hillshade.
pub(crate) fn flat(lattice: &Lattice) -> Result<Surface> {
    if lattice.len() > LARGE_MAP {
        return in_blocks(lattice, |_, _| Ok(Values::Same(0.0)));
    }
    Surface::new(Field { lattice: *lattice, values: vec![0.0; lattice.len()] })
}
