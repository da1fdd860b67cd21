//! `clip` and `reproject` for one file, raster or vector, streamed and written atomically.

use std::path::{Path, PathBuf};

use gdal::vector::LayerAccess;
use gdal::{Dataset, DatasetOptions, GdalOpenFlags};

use super::area::Area;
use super::datum_shift::DatumShift;
use super::native;
use super::raster::{self, BandInfo, Purpose, RasterInfo};
use super::rasterize::WORKING_OPTIONS;
use super::tiles::{Tile, TileOptions};
use super::vector::{LayerChoice, Location, VectorSourceResolved};
use super::warp::{self, Resampling};
use super::write_vector::{Format, GeometryKind, VectorWriter};
use super::{
    Bounds, Crs, Transformer, area_of_use, ascii_grid, atomic, crs, gdal_glue, lockdown, query_limit, translate,
};
use crate::files::temporary::Temporary;
use crate::progress::Progress;
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
    ascii_grid::check(&info)?;
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

/// Cuts every feature of a vector file to an area; attributes stay.
pub(crate) fn clip_vector(
    input: &str,
    out: &Path,
    area: &Area,
    source_crs: Option<&Crs>,
    progress: &Progress,
) -> Result<Vec<Note>> {
    let source = open_vector(input, source_crs)?;
    let mut area = area.to_crs(&source.crs)?;
    if area.rectangular {
        let bounds = area.bounds()?;
        let rectangle = ::geo::Rect::new((bounds.west, bounds.south), (bounds.east, bounds.north));
        area.shape = ::geo::MultiPolygon(vec![rectangle.to_polygon()]);
    }
    let mut words = vec!["-clipsrc".to_owned(), area.wkt()?];
    if matches!(Format::from_path(out)?, Format::GeoPackage | Format::FlatGeobuf) {
        // A cut polygon may fall into several; these formats hold a layer to one kind.
        words.extend(["-nlt", "PROMOTE_TO_MULTI"].map(str::to_owned));
    }
    source.translate(out, words, progress)
}

/// Brings every layer of a vector file to another CRS; attributes and kinds of geometry stay.
pub(crate) fn reproject_vector(
    input: &str,
    out: &Path,
    target: &Crs,
    source_crs: Option<&Crs>,
    progress: &Progress,
) -> Result<Vec<Note>> {
    let source = open_vector(input, source_crs)?;
    let mut first = vec![Note::VectorReprojected { from: source.crs.to_string(), to: target.to_string() }];
    first.extend(DatumShift::at(&source.crs, target, source.bounds.centre()).map(|shift| shift.note()));
    let image = Transformer::new(&source.crs, target)?.bounds(&source.bounds)?;
    first.extend(area_of_use::check(target, &image, &format!("'{input}', brought to {target},"))?);
    let words = ["-s_srs", source.crs.wkt(), "-t_srs", target.wkt()].map(str::to_owned).to_vec();
    first.extend(source.translate(out, words, progress)?);
    Ok(first)
}

struct VectorFile {
    dataset: Dataset,
    path: PathBuf,
    crs: Crs,
    layer: Option<String>,
    filter: Option<String>,
    features: u64,
    /// Around the chosen layers, in their CRS.
    bounds: Bounds,
    /// What the user should know although the file can be used.
    warning: Option<Note>,
}

fn open_vector(input: &str, stated: Option<&Crs>) -> Result<VectorFile> {
    let source = VectorSourceResolved::file(input)?;
    let Location::File { path, layer } = &source.location else {
        return Err(Error::usage(format!("'{input}' is not a file")));
    };
    gdal_glue::init();
    gdal_glue::check_readable(path, "vector file")?;
    gdal_glue::clear_messages();
    let flags = GdalOpenFlags::GDAL_OF_VECTOR | GdalOpenFlags::GDAL_OF_READONLY;
    let open = || Ok(Dataset::open_ex(path, DatasetOptions { open_flags: flags, ..Default::default() }));
    let dataset = lockdown::without_network(path, open)?;
    let because = gdal_glue::because();
    let dataset =
        dataset.map_err(|_| Error::input(format!("'{}' is damaged or no vector file{because}", path.display())))?;
    crs::expect_database()?;
    let mine = query_limit::explain(input, || Ok(chosen_layers(&dataset, layer)))?;
    let chosen = match layer {
        LayerChoice::Only => None,
        LayerChoice::Name(name) => Some(name.clone()),
        LayerChoice::Number(_) => mine.first().map(|layer| layer.0.clone()),
    };
    let Some(first) = mine.first() else {
        let names: Vec<String> = dataset.layers().map(|layer| layer.name()).collect();
        let wanted = chosen.unwrap_or_default();
        return Err(Error::input(format!("'{}' has no layer '{wanted}': it has {}", path.display(), names.join(", "))));
    };
    let features: u64 = mine.iter().map(|l| l.2).sum();
    if features == 0 {
        return Err(Error::input(format!("'{input}' holds no features")));
    }
    let crs = first.1.clone().or_else(|| stated.cloned()).ok_or_else(|| {
        Error::input(format!("'{input}' does not say which CRS it is in: state it with --source-crs"))
    })?;
    let bounds = mine.iter().filter_map(|l| l.3).reduce(|a, b| a.union(&b));
    let bounds = bounds.ok_or_else(|| Error::input(format!("'{input}' holds no geometry")))?;
    let warning = area_of_use::check(&crs, &bounds, &format!("'{input}'"))?;
    let filter = source.filter.clone();
    Ok(VectorFile { path: path.clone(), crs, layer: chosen, filter, features, dataset, bounds, warning })
}

/// Name, CRS, number of features and extent of each of the chosen layers. The others are not touched: one may be a view
/// that takes for ever.
fn chosen_layers(dataset: &Dataset, choice: &LayerChoice) -> Vec<(String, Option<Crs>, u64, Option<Bounds>)> {
    let describe = |layer: gdal::vector::Layer| {
        let crs = layer.spatial_ref().and_then(|r| Crs::from_spatial_ref(&r).ok());
        let extent = layer.get_extent().ok().map(|e| Bounds::new(e.MinX, e.MinY, e.MaxX, e.MaxY));
        (layer.name(), crs, layer.feature_count(), extent)
    };
    match choice {
        LayerChoice::Only => dataset.layers().map(describe).collect(),
        LayerChoice::Name(name) => dataset.layer_by_name(name).ok().map(describe).into_iter().collect(),
        LayerChoice::Number(number) => dataset.layer(*number).ok().map(describe).into_iter().collect(),
    }
}

impl VectorFile {
    fn translate(&self, out: &Path, mut words: Vec<String>, progress: &Progress) -> Result<Vec<Note>> {
        let (driver, option) = match Format::from_path(out)? {
            Format::Shapefile => ("ESRI Shapefile", Some("ENCODING=UTF-8")),
            Format::GeoPackage => ("GPKG", None),
            Format::FlatGeobuf => ("FlatGeobuf", None),
            Format::GeoJson | Format::GeoJsonInCrs => ("GeoJSON", None),
            Format::Csv => ("CSV", Some("GEOMETRY=AS_WKT")),
        };
        words.extend(["-f".to_owned(), driver.to_owned()]);
        if let Some(option) = option {
            words.extend(["-lco".to_owned(), option.to_owned()]);
        }
        if let Some(filter) = &self.filter {
            words.extend(["-where".to_owned(), filter.clone()]);
        }
        words.extend(self.layer.clone());
        progress.stage_of_fractions("features");
        let what = format!("'{}' cannot be written from '{}'", out.display(), self.path.display());
        let count = atomic::write(out, |temporary| {
            query_limit::explain(&self.path.to_string_lossy(), || {
                translate::vector_translate(&self.dataset, temporary, &words, &what, &mut native::watch(progress))
            })?;
            let written = Dataset::open_ex(
                temporary,
                DatasetOptions { open_flags: GdalOpenFlags::GDAL_OF_VECTOR, ..Default::default() },
            );
            let count =
                written.map(|d| chosen_layers(&d, &LayerChoice::Only).iter().map(|l| l.2).sum::<u64>()).unwrap_or(0);
            if count == 0 {
                let shown = self.path.display();
                return Err(Error::input(format!("nothing of '{shown}' lies in the area: check the CRS of both")));
            }
            Ok(count)
        })?;
        progress.finish();
        let kept = Note::FeaturesKept { kept: count, of: self.features };
        Ok(self.warning.iter().cloned().chain([kept]).collect())
    }
}

fn show(b: &Bounds) -> String {
    format!("x {:.3} to {:.3}, y {:.3} to {:.3}", b.west, b.east, b.south, b.north)
}

/// The CRS of a vector file's (chosen or first) layer.
pub(crate) fn vector_crs(input: &str, stated: Option<&Crs>) -> Result<Crs> {
    Ok(open_vector(input, stated)?.crs)
}
