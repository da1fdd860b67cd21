//! `couloir clip`: the part of a raster or vector file inside an area.

use std::path::{Path, PathBuf};

use crate::files::{companions, inputs, known, marked_file, watched};
use crate::geo::area::{self, Area, AreaSource, Kind};
use crate::geo::{Crs, clip, clip_vector, file_list, raster};
use crate::process::progress::{Mode, Progress};
use crate::{Error, Note, Result};

/// Cut a raster or vector file to an area. Raster cells keep their place and value.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Raster or vector file; file.gpkg|layername=x picks a layer.
    #[arg(value_name = "IN")]
    input: String,
    /// File to write: .tif for rasters (cloud-optimised), .gpkg, .shp, .fgb, .geojson or .csv for vectors.
    #[arg(value_name = "OUT", value_parser = super::output_name)]
    output: PathBuf,
    /// Polygon layer, xmin,ymin,xmax,ymax[,CRS], or another raster.
    #[arg(long, value_name = "AREA", allow_hyphen_values = true, required_unless_present = "extent")]
    aoi: Option<String>,
    /// xmin,ymin,xmax,ymax[,CRS]; without a CRS in that of IN.
    #[arg(long, value_name = "EXTENT", allow_hyphen_values = true, conflicts_with = "aoi")]
    extent: Option<String>,
    /// Grow the area by this many metres.
    #[arg(long, value_name = "M", default_value_t = 0.0)]
    buffer: f64,
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
    let text = args.aoi.or(args.extent).unwrap_or_default();
    refuse_existing(&args.output, args.overwrite, &[&args.input, &text])?;
    let progress = Progress::new(args.progress);
    let source = AreaSource::parse(&text)?;
    let stated = args.source_crs.as_deref().map(Crs::from_user).transpose()?;
    if !(args.buffer.is_finite() && (0.0..=1e6).contains(&args.buffer)) {
        return Err(Error::usage(format!("--buffer {} is not usable: expected 0 to 1000000 m", args.buffer)));
    }
    let kind = area::kind_of(&args.input)?;
    let own = match (&source, kind) {
        (AreaSource::Extent { crs: None, .. }, Kind::Raster) => {
            raster::info(Path::new(&args.input))?.crs.or(stated.clone())
        }
        (AreaSource::Extent { crs: None, .. }, Kind::Vector) => {
            Some(clip_vector::vector_crs(&args.input, stated.as_ref())?)
        }
        _ => Some(Crs::from_epsg(4326)?),
    };
    let own = own.ok_or_else(|| {
        Error::input(format!("'{}' does not say which CRS it is in: state it with --source-crs", args.input))
    })?;
    let area = Area::read(&source, &own)?.buffered(args.buffer)?;
    let notes = match kind {
        Kind::Raster => clip::clip_raster(Path::new(&args.input), &args.output, &area, stated.as_ref(), &progress)?,
        Kind::Vector => clip_vector::clip_vector(&args.input, &args.output, &area, stated.as_ref(), &progress)?,
    };
    report(&args.output, &[], &notes, "couloir clip")
}

/// Nothing is replaced unless told, an input never (what a VRT file draws on is one), and nothing that is not ours: neither
/// the file nor what would count as a part of it.
pub(super) fn refuse_existing(out: &Path, overwrite: bool, inputs: &[&str]) -> Result<()> {
    let file = |text: &&str| PathBuf::from(text.split('|').next().unwrap_or(text));
    let shown = out.display();
    let parts = companions::of(out);
    watched::begin(&parts);
    if !parts.iter().any(|path| known::is_there(path)) {
        return marked_file::refuse_foreign(out, &parts);
    }
    let named: Vec<PathBuf> = inputs.iter().map(file).collect();
    let mut inputs: Vec<PathBuf> = named.iter().flat_map(|path| companions::of(path)).collect();
    inputs.extend(file_list::files_behind(&named)?);
    for path in parts.iter().filter(|path| known::is_there(path)) {
        inputs::refuse_as_output(path, &inputs)?;
        if !overwrite || !known::is_there(out) {
            return Err(Error::input(if path == out {
                format!("'{shown}' exists: choose another name, or replace it with --overwrite")
            } else {
                format!("'{}' exists and would count as a part of '{shown}': choose another name", path.display())
            }));
        }
    }
    marked_file::refuse_foreign(out, &parts)
}

/// Marks what was written as such, with what else belongs to it, and says so.
pub(super) fn report(out: &Path, more: &[PathBuf], notes: &[Note], written_by: &str) -> Result<()> {
    let parts: Vec<PathBuf> = companions::of(out).into_iter().chain(more.iter().cloned()).collect();
    marked_file::mark(out, &parts, written_by)?;
    let lines: Vec<String> = notes.iter().map(|note| format!("{note}\n")).collect();
    super::print(&format!("{}written: {}\n", lines.concat(), out.display()))
}
