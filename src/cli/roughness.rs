//! `couloir roughness`: how rough the ground below a terrain model is.

use std::path::PathBuf;

use super::clip::{refuse_existing, report};
use crate::geo::Crs;
use crate::prepare::roughness::{self, Wish};
use crate::{Error, Result};

/// Measure the roughness a terrain model leaves out, on a point cloud or a finer DEM.
///
/// SOURCE is a point cloud (.las 1.0 to 1.4, not compressed; .xyz or .csv text with x, y and z) or a raster of heights at least four
/// times finer than the cells. Of a classified cloud only ground points count. OUT is a GeoTIFF with the cells of a terrain model of
/// that size: height_m (band 1), spacing_m (band 2) and points (band 3), which `ground.roughness` reads:
///
///   roughness: {height_m: {raster: rough.tif, band: 1}, spacing_m: {raster: rough.tif, band: 2}}
///
/// Example:
///   couloir roughness ground.xyz rough.tif --cell 2 --crs EPSG:2056
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Point cloud or finer DEM.
    source: PathBuf,
    /// GeoTIFF to write.
    #[arg(value_parser = super::output_name)]
    out: PathBuf,
    /// Cell size of the terrain model the roughness is for, m.
    #[arg(long, value_name = "M")]
    cell: f64,
    /// CRS of the source if it does not say.
    #[arg(long, value_name = "CRS")]
    crs: Option<String>,
    /// Replace OUT if couloir wrote it and nobody changed it since.
    #[arg(long)]
    overwrite: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if !(args.cell.is_finite() && (0.05..=1000.0).contains(&args.cell)) {
        return Err(Error::usage(format!("--cell: found {}, expected metres from 0.05 to 1000", args.cell)));
    }
    if !args.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("tif") || e.eq_ignore_ascii_case("tiff")) {
        return Err(Error::usage(format!("'{}': expected a name that ends in .tif", args.out.display())));
    }
    refuse_existing(&args.out, args.overwrite, &[&args.source.to_string_lossy()])?;
    let crs = args.crs.as_deref().map(Crs::from_user).transpose()?;
    let wish = Wish { source: args.source, cell_m: args.cell, crs, out: args.out.clone() };
    let found = roughness::measure(&wish)?;
    let [least, median, most] = found.height_m;
    report(&args.out, &[], &found.notes, "couloir roughness")?;
    super::print(&format!(
        "{} points, parts of {:.2} m, {} cells of {} m\nspacing_m {:.2}\nheight_m {median:.3} (median; {least:.3} to {most:.3})\nnoise of \
         the measurement {:.3} m\n",
        found.points, found.part_m, found.cells, args.cell, found.spacing_m, found.noise_m
    ))
}
