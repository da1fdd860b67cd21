//! `clip` and `reproject` for one raster, streamed and written atomically.

use std::path::Path;

use gdal::Dataset;

use super::area::Area;
use super::datum_shift::DatumShift;
use super::native;
use super::raster::{self, BandInfo, Purpose, RasterInfo};
use super::rasterize::WORKING_OPTIONS;
use super::tiles::{Tile, TileOptions};
use super::warp::{self, Resampling};
use super::write_vector::{Format, GeometryKind, VectorWriter};
use super::{Bounds, Crs, area_of_use, atomic, text_numbers, translate};
use crate::files::temporary::Temporary;
use crate::process::progress::Progress;
use crate::{Error, Note, Result};

/// A folder beside a file for what is needed on the way; removed when dropped.
fn scratch_beside(out: &Path) -> Result<Temporary> {
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Temporary::create(parent).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Error::input(format!("'{}' cannot be written: its folder does not exist", out.display()))
        }
        _ => atomic::io_error(out, &error),
    })
}

fn crs_of(info: &RasterInfo, stated: Option<&Crs>) -> Result<Crs> {
    info.crs.clone().or_else(|| stated.cloned()).ok_or_else(|| {
        Error::input(format!(
            "raster '{}' does not say which CRS it is in: state it with --source-crs",
            info.path.display()
        ))
    })
}

fn check_raster_name(out: &Path) -> Result<()> {
    let extension = out.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    if ["tif", "tiff"].contains(&extension.as_str()) {
        return Ok(());
    }
    Err(Error::usage(format!("'{}': rasters are written as GeoTIFF, so the name must end in .tif", out.display())))
}

/// Cuts a raster to an area: cells keep their place and value; outside a polygon they become nodata.
pub(crate) fn clip_raster(
    input: &Path,
    out: &Path,
    area: &Area,
    source_crs: Option<&Crs>,
    progress: &Progress,
) -> Result<Vec<Note>> {
    check_raster_name(out)?;
    native::limit_cache();
    let dataset = raster::open(input)?;
    let info = raster::info_of(&dataset, input)?;
    raster::refuse_impossible_claim(&info)?;
    text_numbers::check(&info)?;
    let crs = crs_of(&info, source_crs)?;
    let outside = area_of_use::check_raster(&info, &crs)?;
    let shown = input.display();
    let (Some(extent), Some(g), false) = (info.extent, info.geo_transform, info.rotated) else {
        return Err(Error::input(format!(
            "raster '{shown}' is rotated or not georeferenced: run `couloir reproject` first"
        )));
    };
    let area = area.to_crs(&crs)?;
    let wanted = area.bounds()?;
    let (dx, dy) = (g[1].abs(), g[5].abs());
    let (west, south) = (extent.west, extent.south);
    let low = |v: f64, v0: f64, d: f64| ((v - v0) / d + 1e-6).floor().max(0.0);
    let high = |v: f64, v0: f64, d: f64, n: usize| ((v - v0) / d - 1e-6).ceil().min(n as f64);
    let (c0, c1) = (low(wanted.west, west, dx), high(wanted.east, west, dx, info.columns));
    let (r0, r1) = (low(wanted.south, south, dy), high(wanted.north, south, dy, info.rows));
    if c1 <= c0 || r1 <= r0 {
        return Err(Error::input(format!(
            "the area ({}) lies outside raster '{shown}' ({}; both in {crs}): check the CRS of both",
            show(&wanted),
            show(&extent)
        )));
    }
    let scratch = scratch_beside(out)?;
    let edges = [west + c0 * dx, south + r0 * dy, west + c1 * dx, south + r1 * dy];
    let mut words = warp::common_words();
    words.extend(["-s_srs", crs.wkt(), "-t_srs", crs.wkt(), "-r", "near", "-te"].map(str::to_owned));
    words.extend(edges.map(|v| format!("{v:?}")));
    words.extend(["-ts".into(), format!("{}", c1 - c0), format!("{}", r1 - r0)]);
    let mut notes = vec![Note::CellsKept {
        columns: (c1 - c0) as u64,
        rows: (r1 - r0) as u64,
        of_columns: info.columns as u64,
        of_rows: info.rows as u64,
    }];
    notes.extend(outside);
    if !area.rectangular {
        let cutter = scratch.path.join("area.gpkg");
        let mut writer =
            VectorWriter::create(&cutter, Format::GeoPackage, "area", &crs, GeometryKind::MultiPolygon, &[])?;
        writer.write(&::geo::Geometry::MultiPolygon(area.shape.clone()), &[])?;
        writer.finish()?;
        words.extend(["-cutline".into(), cutter.to_string_lossy().into_owned(), "-cl".into(), "area".into()]);
        notes.extend(nodata_words(&info, &mut words).map(|value| Note::NodataOutsidePolygon { value }));
    }
    finish_raster(&dataset, out, &scratch, words, &info, progress)?;
    Ok(notes)
}

/// Brings a raster to another CRS.
pub(crate) fn reproject_raster(
    input: &Path,
    out: &Path,
    target: &Crs,
    cell: Option<f64>,
    resampling: Option<Resampling>,
    source_crs: Option<&Crs>,
    progress: &Progress,
) -> Result<Vec<Note>> {
    check_raster_name(out)?;
    native::limit_cache();
    let (crs, purpose) = (source_crs.cloned(), Purpose::Any);
    let options = TileOptions { band: None, purpose, crs, nodata: None, vertical_unit: None, heights: false };
    let mut warnings = Vec::new();
    let tile = Tile::read(input, &options, &mut warnings)
        .map_err(|e| Error {
            message: e.message.replace("--dem-crs EPSG:… (YAML: dem_crs)", "--source-crs EPSG:…"),
            ..e
        })?
        .place(target, &mut warnings)?;
    let cells = cell.map(|c| tile.bounds.width() / c * (tile.bounds.height() / c));
    if let (Some(cell), Some(cells)) = (cell, cells)
        && !(cell > 0.0 && cells.is_finite() && (1.0..=MAX_CELLS).contains(&cells))
    {
        return Err(Error::input(format!(
            "with cells of {cell} the raster would have {cells:.0} cells: choose a cell size between {:.4} and {:.4}",
            (tile.bounds.width() * tile.bounds.height() / MAX_CELLS).sqrt(),
            tile.bounds.width().min(tile.bounds.height())
        )));
    }
    let dataset = raster::open(input)?;
    let how = resampling.unwrap_or_else(|| default_resampling(&dataset, &tile, cell));
    let scratch = scratch_beside(out)?;
    let mut words = warp::common_words();
    words.extend(["-s_srs", tile.crs.wkt(), "-t_srs", target.wkt(), "-r", how.gdal_name(), "-et"].map(str::to_owned));
    let tolerance = if target.is_geographic() { 0.001 } else { warp::transform_tolerance_cells(tile.cell_m) };
    words.push(tolerance.to_string());
    if let Some(cell) = cell {
        words.extend(["-tr".into(), format!("{cell:?}"), format!("{cell:?}"), "-tap".into()]);
    }
    let mut notes = vec![Note::RasterReprojected {
        from: tile.crs.to_string(),
        to: target.to_string(),
        resampling: how.name().to_string(),
    }];
    notes.extend(DatumShift::at(&tile.crs, target, tile.centre()).map(|shift| shift.note()));
    notes.extend(warnings);
    notes.extend(nodata_words(&tile.info, &mut words).map(|value| Note::NodataWithoutSource { value }));
    finish_raster(&dataset, out, &scratch, words, &tile.info, progress)?;
    Ok(notes)
}

/// A reprojected raster may have at most this many cells.
const MAX_CELLS: f64 = (1u64 << 32) as f64;

/// Coloured or one-byte rasters hold classes or pictures; others measured values.
fn default_resampling(dataset: &Dataset, tile: &Tile, cell: Option<f64>) -> Resampling {
    let coloured = dataset.rasterband(1).is_ok_and(|b| b.color_table().is_some());
    let byte = tile.info.bands.len() == 1 && tile.info.bands[0].data_type == "Byte";
    if coloured || byte {
        return Resampling::Nearest;
    }
    cell.map_or(Resampling::Bilinear, |cell| Resampling::for_ratio(cell / tile.cell_m))
}

/// A raster without nodata needs one for the cells that become empty: the value, if one had to be chosen.
fn nodata_words(info: &RasterInfo, words: &mut Vec<String>) -> Option<String> {
    let BandInfo { nodata, data_type, .. } = info.bands.first()?;
    if nodata.is_some() {
        return None;
    }
    let value = match data_type.as_str() {
        "Byte" => "255",
        "UInt16" => "65535",
        "Int16" => "-32768",
        "UInt32" => "4294967295",
        "Int32" => "-2147483648",
        _ => "nan",
    };
    words.extend(["-dstnodata".into(), value.into()]);
    Some(value.to_string())
}

fn finish_raster(
    dataset: &Dataset,
    out: &Path,
    scratch: &Temporary,
    mut words: Vec<String>,
    info: &RasterInfo,
    progress: &Progress,
) -> Result<()> {
    words.extend(["-of", "GTiff"].map(str::to_owned));
    for option in WORKING_OPTIONS {
        words.extend(["-co".into(), option.to_string()]);
    }
    let what = format!("raster '{}' cannot be read", info.path.display());
    progress.stage_of_fractions("warp");
    let warped =
        warp::gdal_warp(&[dataset], &scratch.path.join("warped.tif"), &words, &what, &mut native::watch(progress))?;
    progress.stage_of_fractions("write");
    let measured = !info.bands.iter().all(|b| b.data_type == "Byte");
    let written = translate::to_cog(&warped, out, measured, &mut native::watch(progress));
    progress.finish();
    written
}

fn show(b: &Bounds) -> String {
    format!("x {:.3} to {:.3}, y {:.3} to {:.3}", b.west, b.east, b.south, b.north)
}
