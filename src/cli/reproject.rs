//! `couloir reproject`: a raster or vector file in another CRS.

use std::path::{Path, PathBuf};

use super::clip::{refuse_existing, report};
use crate::geo::area::{self, Kind};
use crate::geo::warp::Resampling;
use crate::geo::{Crs, clip, clip_vector};
use crate::process::progress::{Mode, Progress};
use crate::{Error, Result};

/// Bring a raster or vector file to another CRS.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Raster or vector file; file.gpkg|layername=x picks a layer.
    #[arg(value_name = "IN")]
    input: String,
    /// File to write: .tif for rasters (cloud-optimised), .gpkg, .shp, .fgb, .geojson or .csv for vectors.
    #[arg(value_name = "OUT", value_parser = super::output_name)]
    output: PathBuf,
    /// CRS to bring it to, e.g. EPSG:2056.
    #[arg(long, value_name = "CRS")]
    crs: String,
    /// Cell size in units of that CRS; cell edges lie at its multiples [default: like the source].
    #[arg(long, value_name = "SIZE")]
    cell: Option<f64>,
    /// Resampling [default: nearest for one-byte and coloured rasters, else from the ratio of cell sizes].
    #[arg(long, value_name = "METHOD")]
    resampling: Option<Resampling>,
    /// CRS of IN if it does not say.
    #[arg(long, value_name = "CRS")]
    source_crs: Option<String>,
    /// Replace OUT if couloir wrote it and nobody changed it since.
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    force: super::Force,
    /// How progress is shown.
    #[arg(long, value_enum, default_value_t = Mode::Auto)]
    progress: Mode,
}

pub(super) fn run(args: Args) -> Result<()> {
    args.force.heed();
    refuse_existing(&args.output, args.overwrite, &[&args.input])?;
    let progress = Progress::new(args.progress);
    let target = Crs::from_user(&args.crs)?;
    let stated = args.source_crs.as_deref().map(Crs::from_user).transpose()?;
    let (input, out) = (Path::new(&args.input), &args.output);
    let notes = match area::kind_of(&args.input)? {
        Kind::Raster => {
            clip::reproject_raster(input, out, &target, args.cell, args.resampling, stated.as_ref(), &progress)?
        }
        Kind::Vector if args.cell.is_some() || args.resampling.is_some() => {
            return Err(Error::usage(format!(
                "'{}' is a vector file: --cell and --resampling are for rasters",
                args.input
            )));
        }
        Kind::Vector => clip_vector::reproject_vector(&args.input, out, &target, stated.as_ref(), &progress)?,
    };
    report(out, &[], &notes, "couloir reproject")
}
