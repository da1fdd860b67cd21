//! Reading rasters.
//!
//! **The one convention** (see [`crate::terrain::grid`]): a raster's value sits at the centre of its cell. GDAL's
//! geotransform speaks of cell edges; the one place where edges become centres and where rows and columns are turned is
//! `Georeference`.

use std::path::{Path, PathBuf};

use gdal::{Dataset, DatasetOptions, GdalOpenFlags, Metadata};

pub use super::bands::{Purpose, chosen_band};
pub use super::dem::{prepare_command, read as read_dem};
use super::georeference::{Georeference, corner_bounds, georeference_of, is_rotated};
use super::raster_cells::{self, damaged};
use super::{Bounds, Crs, area_of_use, crs, gdal_glue, lockdown, text_numbers, units, unknown_format};
use crate::process::memory;
use crate::project::file::VerticalUnit;
use crate::terrain::{Field, Lattice};
use crate::{Error, Note, Result};

/// How to read a raster.
#[derive(Debug, Clone)]
pub struct ReadRaster {
    /// Counted from 1; not said, it is the only one that holds numbers.
    pub band: Option<usize>,
    /// What the values are for.
    pub purpose: Purpose,
    /// CRS of a file that does not say.
    pub crs: Option<Crs>,
    /// Unit of the heights, stronger than what the file says. Only [`read_dem`] looks at it.
    pub vertical_unit: Option<VerticalUnit>,
    /// Only the cells whose centres the rectangle (in the raster's CRS) needs for interpolation: those inside, and one
    /// cell more on each side.
    pub window: Option<Bounds>,
}

impl Default for ReadRaster {
    fn default() -> Self {
        Self { band: None, purpose: Purpose::Numbers, crs: None, vertical_unit: None, window: None }
    }
}

/// A band in memory: scale and offset applied, nodata (and masked or non-finite cells) as NaN.
#[derive(Debug, Clone)]
pub struct Raster {
    /// Values, NaN for nodata.
    pub field: Field<f64>,
    /// It is in.
    pub crs: Crs,
    /// The file.
    pub source: PathBuf,
    /// Cells without value.
    pub nodata_cells: usize,
    /// The band's unit as the file states it, may be empty. A DEM's heights are in metres whatever stands here.
    pub unit: String,
    /// What the user should know although the raster can be used.
    pub warnings: Vec<Note>,
}

/// What a raster says about itself, without reading its cells.
#[derive(Debug, Clone)]
pub struct RasterInfo {
    /// The file.
    pub path: PathBuf,
    /// GDAL's name of its format.
    pub driver: String,
    /// Cells from west to east.
    pub columns: usize,
    /// Cells from north to south.
    pub rows: usize,
    /// All of them.
    pub bands: Vec<BandInfo>,
    /// `None` where the file does not say.
    pub crs: Option<Crs>,
    /// GDAL's geotransform; `None` if the file is not georeferenced.
    pub geo_transform: Option<[f64; 6]>,
    /// Rows or columns not parallel to the axes.
    pub rotated: bool,
    /// Outer edges of the outermost cells (of a rotated raster: around its corners).
    pub extent: Option<Bounds>,
    /// Metres per unit of the vertical part of the CRS, if it has one.
    pub vertical_unit_to_m: Option<f64>,
}

/// What a file says of a band.
#[derive(Debug, Clone)]
pub struct BandInfo {
    /// GDAL's name of it.
    pub data_type: String,
    /// Whole numbers only.
    pub is_integer: bool,
    /// As declared.
    pub nodata: Option<f64>,
    /// As declared, often empty.
    pub unit: String,
    /// As declared, often empty.
    pub description: String,
    /// value = raw · scale + offset.
    pub scale: f64,
    /// See `scale`.
    pub offset: f64,
    /// Columns and rows that are stored together.
    pub block_size: (usize, usize),
    /// How many smaller copies there are.
    pub overviews: usize,
    /// What colour GDAL takes the band for: `Gray`, `Undefined`, `Palette`, `Red`, `Alpha` …
    pub colour: String,
}

impl RasterInfo {
    /// Cell sizes (dx, dy), both positive, along the raster's own axes.
    pub(crate) fn cell_size(&self) -> Option<(f64, f64)> {
        self.geo_transform.map(|g| (g[1].hypot(g[4]), g[2].hypot(g[5])))
    }
}

/// The most a single raster may claim in memory: larger areas go through `couloir prepare`, which works window by window.
const MAX_CELLS: u64 = 1 << 30;

/// Opens a raster for reading; every failure is a sentence.
pub(crate) fn open(path: &Path) -> Result<Dataset> {
    lockdown::without_network(path, || open_local(path))
}

fn open_local(path: &Path) -> Result<Dataset> {
    gdal_glue::init();
    gdal_glue::check_readable(path, "raster")?;
    crs::expect_database()?;
    gdal_glue::clear_messages();
    let flags = GdalOpenFlags::GDAL_OF_RASTER | GdalOpenFlags::GDAL_OF_READONLY | GdalOpenFlags::GDAL_OF_VERBOSE_ERROR;
    let opened = Dataset::open_ex(path, DatasetOptions { open_flags: flags, ..Default::default() });
    let because = gdal_glue::because();
    let shown = path.display();
    let dataset = opened.map_err(|_| {
        if path.is_dir() {
            return Error::input(format!("'{shown}' is a folder, not a raster: name the file, e.g. '{shown}/dem.tif'"));
        }
        if opens_as_vector(path) {
            return Error::input(format!("'{shown}' holds vector data, but a raster (e.g. a GeoTIFF) is needed here"));
        }
        unknown_format::raster(path, &because)
    })?;
    if dataset.raster_count() == 0 {
        return Err(Error::input(format!(
            "'{shown}' holds no single raster: name one of its sub-datasets{}",
            list(&dataset)
        )));
    }
    Ok(dataset)
}

fn opens_as_vector(path: &Path) -> bool {
    let flags = GdalOpenFlags::GDAL_OF_VECTOR | GdalOpenFlags::GDAL_OF_READONLY;
    Dataset::open_ex(path, DatasetOptions { open_flags: flags, ..Default::default() }).is_ok()
        || super::xml_vector::kind_of(path).is_some()
}

fn list(dataset: &Dataset) -> String {
    let names: Vec<String> = (1..=8)
        .map_while(|k| dataset.metadata_item(&format!("SUBDATASET_{k}_NAME"), "SUBDATASETS"))
        .map(|name| format!("'{name}'"))
        .collect();
    if names.is_empty() { String::new() } else { format!(", e.g. {}", names.join(", ")) }
}

/// Metadata only.
pub fn info(path: &Path) -> Result<RasterInfo> {
    info_of(&open(path)?, path)
}

/// Metadata of an open dataset.
pub(crate) fn info_of(dataset: &Dataset, path: &Path) -> Result<RasterInfo> {
    let (columns, rows) = dataset.raster_size();
    let reference = dataset.spatial_ref().ok();
    let mut bands = Vec::new();
    for number in 1..=dataset.raster_count() {
        let band = dataset.rasterband(number).map_err(|_| damaged(path))?;
        let data_type = band.band_type();
        bands.push(BandInfo {
            // The crate's own type knows no complex numbers.
            // SAFETY: the band belongs to the open dataset; the name is a constant of GDAL.
            data_type: gdal_glue::text_of(unsafe {
                gdal_sys::GDALGetDataTypeName(gdal_sys::GDALGetRasterDataType(band.c_rasterband()))
            }),
            is_integer: data_type.is_integer(),
            nodata: band.no_data_value(),
            unit: band.unit(),
            description: band.description().unwrap_or_default(),
            scale: band.scale().unwrap_or(1.0),
            offset: band.offset().unwrap_or(0.0),
            block_size: band.block_size(),
            overviews: band.overview_count().map(|n| n.max(0) as usize).unwrap_or(0),
            // SAFETY: a live band; the name is a constant of GDAL's.
            colour: gdal_glue::text_of(unsafe {
                gdal_sys::GDALGetColorInterpretationName(gdal_sys::GDALGetRasterColorInterpretation(
                    band.c_rasterband(),
                ))
            }),
        });
    }
    let geo_transform = dataset.geo_transform().ok();
    let georeference = geo_transform.and_then(|g| Georeference::new(g, columns, rows));
    Ok(RasterInfo {
        path: path.to_path_buf(),
        driver: dataset.driver().short_name(),
        columns,
        rows,
        bands,
        crs: Crs::stated_by(reference.as_ref())?,
        geo_transform,
        rotated: geo_transform.is_some_and(|g| is_rotated(&g, columns, rows)),
        extent: match (georeference, geo_transform) {
            (Some(georeference), _) => Some(georeference.lattice.extent().into()),
            (None, Some(g)) => Some(corner_bounds(&g, columns, rows)),
            _ => None,
        },
        vertical_unit_to_m: reference.as_ref().and_then(units::crs_vertical_unit_to_m),
    })
}

/// Reads one band. For a DEM use [`read_dem`](super::dem::read), which also sees to units and refuses what cannot be simulated on.
pub fn read(path: &Path, options: &ReadRaster) -> Result<Raster> {
    let dataset = open(path)?;
    let info = info_of(&dataset, path)?;
    refuse_impossible_claim(&info)?;
    text_numbers::check(&info)?;
    let crs = crs_of(&info, options.crs.as_ref())?;
    let outside = area_of_use::check_raster(&info, &crs)?;
    let mut raster = read_open(&dataset, &info, crs, options)?;
    raster.warnings.extend(outside);
    Ok(raster)
}

/// The file's CRS, or the stated one for a file that does not say. Both, and different: one of them is wrong.
pub(super) fn crs_of(info: &RasterInfo, stated: Option<&Crs>) -> Result<Crs> {
    let shown = info.path.display();
    match (&info.crs, stated) {
        (Some(own), Some(stated)) if !own.same_as(stated) => Err(Error::input(format!(
            "raster '{shown}' says its CRS is {own}, but {stated} is stated for it: remove the stated CRS, or mend the file"
        ))),
        (Some(crs), _) | (None, Some(crs)) => Ok(crs.clone()),
        (None, None) => Err(Error::input(format!(
            "raster '{shown}' does not say which CRS it is in: state it (`crs: EPSG:…`), or add it to the file"
        ))),
    }
}

pub(super) fn read_open(dataset: &Dataset, info: &RasterInfo, crs: Crs, options: &ReadRaster) -> Result<Raster> {
    let path = info.path.as_path();
    let shown = path.display();
    let band = chosen_band(info, options.band, options.purpose)?;
    let georeference = georeference_of(info)?;
    let (c0, r0, nx, ny) = match &options.window {
        None => (0, 0, info.columns, info.rows),
        Some(window) => georeference.cells(window).ok_or_else(|| {
            Error::input(format!(
                "raster '{shown}' does not reach the wanted area: it covers {}",
                show(&georeference.lattice.extent().into())
            ))
        })?,
    };
    refuse_impossible_size(info, nx as u64 * ny as u64)?;
    refuse_impossible_claim(info)?;
    let whole = &georeference.lattice;
    let (x0, y0) = whole.centre(c0, r0);
    let lattice = Lattice { nx, ny, x0, y0, ..*whole };
    let part = georeference.part(c0, r0, nx, ny);
    let (values, nodata_cells) = raster_cells::read(dataset, info, band, &part)?;
    Ok(Raster {
        field: Field { lattice, values },
        crs,
        source: path.to_path_buf(),
        nodata_cells,
        unit: info.bands[band - 1].unit.clone(),
        warnings: Vec::new(),
    })
}

/// Refuses, before any memory is taken, what cannot fit, and headers that claim what their file cannot hold.
pub(super) fn refuse_impossible_size(info: &RasterInfo, cells: u64) -> Result<()> {
    let (shown, columns, rows) = (info.path.display(), info.columns, info.rows);
    if cells > MAX_CELLS {
        return Err(Error::input(format!(
            "raster '{shown}' claims {columns} × {rows} cells, of which {cells} are wanted, {:.0} GB in memory: cut out \
             the area you need with `couloir clip` or `couloir prepare`, or check the file, its header may be damaged",
            cells as f64 * 8e-9
        )));
    }
    let needed = cells * 8;
    if let Some(available) = memory::available().filter(|available| needed > available.bytes) {
        return Err(Error::input(format!(
            "raster '{shown}' claims {columns} × {rows} cells, of which {cells} are wanted: {:.1} GB in memory, but only \
             {:.1} GB can be had ({}); cut out the area you need with `couloir clip` or `couloir prepare`",
            needed as f64 * 1e-9,
            available.bytes as f64 * 1e-9,
            available.limited_by
        )));
    }
    Ok(())
}

/// Refuses headers that claim what their file cannot hold.
pub(crate) fn refuse_impossible_claim(info: &RasterInfo) -> Result<()> {
    let (shown, columns, rows) = (info.path.display(), info.columns, info.rows);
    let held = std::fs::metadata(&info.path).map(|m| m.len()).unwrap_or(u64::MAX);
    let claimed = columns as u64 * rows as u64;
    let possible = match info.driver.as_str() {
        // Deflate packs at best about 1:1030, and a cell may be a single byte. Small empty files may well be sparse.
        "GTiff" | "COG" if claimed > 100_000_000 => held.saturating_mul(1100),
        // A digit and a blank each.
        "AAIGrid" => held.div_ceil(2),
        _ => u64::MAX,
    };
    if claimed > possible {
        return Err(Error::input(format!(
            "raster '{shown}' claims {columns} × {rows} cells but is only {held} bytes long: its header is damaged or the \
             file was cut short; copy or export it again"
        )));
    }
    Ok(())
}

fn show(bounds: &Bounds) -> String {
    format!("x {} to {}, y {} to {}", bounds.west, bounds.east, bounds.south, bounds.north)
}
