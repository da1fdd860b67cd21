//! The idealised slope of Leine 2021, §6.1: 40° steep, then a flat run-out.

use std::path::Path;

use couloir::Result;
use couloir::geo::Crs;
use couloir::terrain::grid::Lattice;

use crate::mountain::fill;
use crate::write;

/// The paper gives the angle only; the slope is long enough for the rocks to reach their steady speed.
const SLOPE_LENGTH_M: f64 = 200.0;
const FLAT_HEIGHT_M: f64 = 1500.0;

pub fn make(folder: &Path) -> Result<()> {
    let lattice = Lattice { nx: 250, ny: 120, x0: 2_790_001.0, y0: 1_180_001.0, dx: 2.0, dy: 2.0 };
    let (west, ..) = lattice.extent();
    let dem = fill(&lattice, |x, _| FLAT_HEIGHT_M + (SLOPE_LENGTH_M + west - x).max(0.0) * 40_f64.to_radians().tan());
    write::dem(&folder.join("dem.tif"), &dem, &Crs::from_epsg(2056)?, -9999.0)
}
