//! `couloir release find`: steep parts of a DEM as polygons to release rocks from.

use std::path::{Path, PathBuf};

use super::clip::{refuse_existing, report};
use crate::files::marked_file;
use crate::geo::write_vector::GeometryKind;
use crate::prepare::release_find::{self, Search};
use crate::prepare::styles;
use crate::process::console::say;
use crate::texts::in_words;
use crate::{Error, Note, Result};

/// Help with release areas.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Polygons where a DEM is steeper than a threshold: a first guess at cliffs, to be checked in the field.
    ///
    /// The threshold depends on the cell size: on a coarse DEM cliffs look flatter (about 55° at 1 m, 49° at 5 m, 46° at
    /// 10 m). Each polygon has its area (m²) and its mean and largest slope (°).
    Find(Find),
}

#[derive(clap::Args)]
struct Find {
    /// Elevation raster, projected, in metres.
    dem: PathBuf,
    /// Steeper than this, degrees.
    #[arg(long, value_name = "DEG", default_value_t = 45.0)]
    min_slope: f64,
    /// Smallest area kept, and smallest hole, m².
    #[arg(long, value_name = "M2", default_value_t = 50.0)]
    min_area: f64,
    /// Only in the polygons of this layer, e.g. the rock units that release rocks.
    #[arg(long, value_name = "FILE")]
    only: Option<String>,
    /// File to write: .gpkg, .shp, .fgb or .geojson.
    #[arg(long, value_name = "FILE", value_parser = super::output_name)]
    out: PathBuf,
    /// Replace OUT if couloir wrote it and nobody changed it since.
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    force: super::Force,
}

pub(super) fn run(args: Args) -> Result<()> {
    let What::Find(args) = args.what;
    args.force.heed();
    if !(args.min_slope > 0.0 && args.min_slope < 90.0) {
        return Err(Error::usage(format!(
            "--min-slope {}: expected more than 0 and less than 90 degrees",
            args.min_slope
        )));
    }
    if !(0.0..=1e9).contains(&args.min_area) {
        return Err(Error::usage(format!("--min-area {}: expected 0 to 1000000000 m²", args.min_area)));
    }
    let dem = args.dem.to_string_lossy().into_owned();
    refuse_existing(&args.out, args.overwrite, &[&dem, args.only.as_deref().unwrap_or(&dem)])?;
    let search = Search { min_slope_deg: args.min_slope, min_area_m2: args.min_area, only: args.only.as_deref() };
    let (areas, warnings) = release_find::find(&args.dem, &search, &args.out)?;
    warnings.iter().for_each(|warning| say(&format!("warning: {}", in_words(warning))));
    let style = style(&args.out)?;
    let total: f64 = areas.iter().map(|area| area.area_m2).sum();
    report(
        &args.out,
        style.as_slice(),
        &[Note::AreasFound { areas: areas.len(), area_m2: total }],
        "couloir release find",
    )
}

/// Writes the style beside the file unless somebody has put one of his own there.
fn style(out: &Path) -> Result<Option<PathBuf>> {
    let path = out.with_extension("qml");
    if !marked_file::may_write(out, &path) {
        return Ok(None);
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    styles::write_release(folder, &name, GeometryKind::Polygon)?;
    Ok(Some(path))
}
