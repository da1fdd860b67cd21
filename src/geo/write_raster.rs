//! Writing GeoTIFFs: tiled, compressed, with nodata, CRS, and unit, description and statistics per band; the same data
//! gives the same bytes.

use std::path::Path;

use gdal::cpl::CslStringList;
use gdal::raster::{Buffer, ColorEntry, ColorTable, GdalType, RasterBand, RasterCreationOptions};
use gdal::{Dataset, DriverManager, Metadata};
use gdal_sys::CPLErr;

use super::{Crs, atomic, gdal_glue};
use crate::process::threads;
use crate::terrain::Lattice;
use crate::{Error, Result};

/// One band; `data` row 0 in the south, as in [`crate::terrain::Field`].
#[derive(Debug, Clone)]
pub struct Band<'a> {
    /// One sentence for the file's metadata.
    pub description: &'a str,
    /// `m`, `kJ`, …; empty if it has none.
    pub unit: &'a str,
    /// The values.
    pub data: BandData<'a>,
    /// Value that marks cells without data; GeoTIFF has one for all bands. NaN and infinite cells are written as it.
    pub nodata: f64,
}

/// Values row by row, the southernmost first.
#[derive(Debug, Clone, Copy)]
pub enum BandData<'a> {
    /// 64-bit numbers.
    F64(&'a [f64]),
    /// 32-bit numbers.
    F32(&'a [f32]),
    /// Whole numbers.
    I32(&'a [i32]),
    /// Counts.
    U32(&'a [u32]),
    /// Small counts.
    U16(&'a [u16]),
    /// Codes.
    U8(&'a [u8]),
    /// 0 for none, then the classes from 1 on, and their colours.
    Classes(&'a [u8], &'a [[u8; 3]]),
}

/// How a raster is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteRaster {
    /// Cloud-optimised layout; brings overviews along.
    pub cog: bool,
    /// Smaller copies inside the file, for fast display.
    pub overviews: bool,
}

/// Rasters of results from this many cells on are cloud-optimised.
const LARGE: usize = 4_000_000;

impl WriteRaster {
    /// For results on a lattice: with smaller copies for fast display, and cloud-optimised if it is large.
    pub fn of_results(lattice: &Lattice) -> Self {
        Self { cog: lattice.len() >= LARGE, overviews: true }
    }
}

/// From this many cells on tiles are compressed by all threads; the bytes are the same.
const COMPRESS_IN_PARALLEL_FROM: usize = 1 << 20;

/// Creation options of our plain GeoTIFFs. They hold results, which jump from cell to cell: differences between neighbours
/// (a predictor) would make them larger, and level 6 would save a twentieth of the room in twice the time.
pub fn geotiff_options(columns: usize, rows: usize) -> Vec<String> {
    let (width, height) = (tile_size(columns), tile_size(rows));
    let mut options = ["TILED=YES", "COMPRESS=DEFLATE", "ZLEVEL=1", "BIGTIFF=IF_SAFER"].map(String::from).to_vec();
    options.extend([format!("BLOCKXSIZE={width}"), format!("BLOCKYSIZE={height}")]);
    options
}

/// Tiles of the same size, a multiple of 16 as the format wants it and at most 256: the last ones then hold few cells
/// that are not in the raster.
fn tile_size(cells: usize) -> usize {
    cells.div_ceil(cells.div_ceil(256).max(1)).next_multiple_of(16).max(16)
}

/// Creation options of our cloud-optimised GeoTIFFs. `average` for measured values, not for classes.
pub(crate) fn cog_options(average: bool) -> Vec<String> {
    let resampling = if average { "AVERAGE" } else { "NEAREST" };
    ["COMPRESS=DEFLATE", "PREDICTOR=YES", "BLOCKSIZE=512", "BIGTIFF=IF_SAFER", "OVERVIEWS=AUTO"]
        .iter()
        .map(ToString::to_string)
        .chain([format!("OVERVIEW_RESAMPLING={resampling}"), format!("RESAMPLING={resampling}")])
        .collect()
}

/// Writes all bands (of one data type) to a GeoTIFF that appears only when it is complete.
pub fn write(path: &Path, lattice: &Lattice, crs: &Crs, bands: &[Band], options: &WriteRaster) -> Result<()> {
    gdal_glue::init();
    check(path, lattice, bands)?;
    let pending = atomic::Pending::new(path)?;
    gdal_glue::clear_messages();
    write_to(pending.path(), lattice, crs, bands, options).map_err(|error| pending.explain(error))?;
    pending.commit_replacing(&[".aux.xml", ".ovr", ".msk"])
}

fn check(path: &Path, lattice: &Lattice, bands: &[Band]) -> Result<()> {
    let shown = path.display();
    let Some(first) = bands.first() else { return Err(Error::failed(format!("'{shown}' would have no band"))) };
    for band in bands {
        if band.data.len() != lattice.len() {
            return Err(Error::failed(format!(
                "band '{}' of '{shown}' has {} cells instead of {}",
                band.description,
                band.data.len(),
                lattice.len()
            )));
        }
        let same_nodata = band.nodata == first.nodata || (band.nodata.is_nan() && first.nodata.is_nan());
        if !same_nodata || std::mem::discriminant(&band.data) != std::mem::discriminant(&first.data) {
            return Err(Error::failed(format!("the bands of '{shown}' differ in data type or nodata value")));
        }
    }
    Ok(())
}

impl BandData<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            BandData::F64(v) => v.len(),
            BandData::F32(v) => v.len(),
            BandData::I32(v) => v.len(),
            BandData::U32(v) => v.len(),
            BandData::U16(v) => v.len(),
            BandData::U8(v) | BandData::Classes(v, _) => v.len(),
        }
    }

    fn is_floating(&self) -> bool {
        matches!(self, BandData::F64(_) | BandData::F32(_))
    }
}

fn write_to(path: &Path, lattice: &Lattice, crs: &Crs, bands: &[Band], options: &WriteRaster) -> Result<()> {
    let floating = bands[0].data.is_floating();
    if options.cog {
        let memory = create(Path::new(""), "MEM", lattice, bands, &[])?;
        let memory = fill(memory, path, lattice, crs, bands)?;
        let mut creation = cog_options(floating);
        creation.push("NUM_THREADS=ALL_CPUS".into());
        let options: CslStringList = creation_options(&creation);
        let driver = driver("COG")?;
        let copy = memory.create_copy(&driver, path, &options).map_err(|_| failed(path))?;
        return close(copy, path);
    }
    let mut creation = geotiff_options(lattice.nx, lattice.ny);
    if lattice.len() >= COMPRESS_IN_PARALLEL_FROM {
        creation.push(format!("NUM_THREADS={}", threads::for_gdal()));
    }
    let dataset = create(path, "GTiff", lattice, bands, &creation)?;
    let mut dataset = fill(dataset, path, lattice, crs, bands)?;
    if options.overviews {
        let factors = overview_factors(lattice);
        let resampling = if floating { "AVERAGE" } else { "NEAREST" };
        if !factors.is_empty() {
            dataset.flush_cache().map_err(|_| failed(path))?;
            dataset.build_overviews(resampling, &factors, &[]).map_err(|_| failed(path))?;
        }
    }
    close(dataset, path)
}

fn overview_factors(lattice: &Lattice) -> Vec<i32> {
    let size = lattice.nx.max(lattice.ny);
    (1..=16).map(|k| 1i32 << k).take_while(|&factor| size.div_ceil(factor as usize / 2) > 256).collect()
}

pub(super) fn driver(name: &str) -> Result<gdal::Driver> {
    DriverManager::get_driver_by_name(name)
        .map_err(|_| Error::failed(format!("this GDAL has no {name} driver: install a complete GDAL")))
}

fn creation_options(options: &[String]) -> CslStringList {
    CslStringList::from_iter(options.iter().map(String::as_str))
}

fn failed(path: &Path) -> Error {
    Error::failed(format!("'{}' cannot be written{}", path.display(), gdal_glue::because()))
}

/// Closing writes what is still cached, and is where a full disk shows.
pub(super) fn close(dataset: Dataset, path: &Path) -> Result<()> {
    let closed = dataset.close();
    match (closed, gdal_glue::take_error()) {
        (Ok(()), None) => Ok(()),
        (_, Some(error)) => Err(Error::failed(format!("'{}' cannot be written ({error})", path.display()))),
        (Err(_), None) => Err(failed(path)),
    }
}

fn create(path: &Path, name: &str, lattice: &Lattice, bands: &[Band], options: &[String]) -> Result<Dataset> {
    let (nx, ny, count) = (lattice.nx, lattice.ny, bands.len());
    let options: RasterCreationOptions = creation_options(options);
    let driver = driver(name)?;
    match bands[0].data {
        BandData::F64(_) => driver.create_with_band_type_with_options::<f64, _>(path, nx, ny, count, &options),
        BandData::F32(_) => driver.create_with_band_type_with_options::<f32, _>(path, nx, ny, count, &options),
        BandData::I32(_) => driver.create_with_band_type_with_options::<i32, _>(path, nx, ny, count, &options),
        BandData::U32(_) => driver.create_with_band_type_with_options::<u32, _>(path, nx, ny, count, &options),
        BandData::U16(_) => driver.create_with_band_type_with_options::<u16, _>(path, nx, ny, count, &options),
        BandData::U8(_) | BandData::Classes(..) => {
            driver.create_with_band_type_with_options::<u8, _>(path, nx, ny, count, &options)
        }
    }
    .map_err(|_| failed(path))
}

/// Metadata first, then cells: the header is written once, and the file stays as small as it can be.
fn fill(mut dataset: Dataset, path: &Path, lattice: &Lattice, crs: &Crs, bands: &[Band]) -> Result<Dataset> {
    place(&mut dataset, lattice, crs).map_err(|_| failed(path))?;
    for (k, band) in bands.iter().enumerate() {
        let mut target = dataset.rasterband(k + 1).map_err(|_| failed(path))?;
        describe(&mut target, band).map_err(|()| failed(path))?;
    }
    for (k, band) in bands.iter().enumerate() {
        let mut target = dataset.rasterband(k + 1).map_err(|_| failed(path))?;
        match band.data {
            BandData::F64(v) => cells(&mut target, lattice, v, |x| if x.is_finite() { x } else { band.nodata }),
            BandData::F32(v) => cells(&mut target, lattice, v, |x| if x.is_finite() { x } else { band.nodata as f32 }),
            BandData::I32(v) => cells(&mut target, lattice, v, |x| x),
            BandData::U32(v) => cells(&mut target, lattice, v, |x| x),
            BandData::U16(v) => cells(&mut target, lattice, v, |x| x),
            BandData::U8(v) | BandData::Classes(v, _) => cells(&mut target, lattice, v, |x| x),
        }
        .map_err(|_| failed(path))?;
    }
    Ok(dataset)
}

/// Where its cells lie.
pub(super) fn place(dataset: &mut Dataset, lattice: &Lattice, crs: &Crs) -> Result<()> {
    let unplaced = |_| Error::failed("the raster cannot be placed");
    let (west, _, _, north) = lattice.extent();
    let transform = [west, lattice.dx, 0.0, north, 0.0, -lattice.dy];
    dataset.set_geo_transform(&transform).map_err(unplaced)?;
    dataset.set_spatial_ref(&crs.spatial_ref()?).map_err(unplaced)
}

/// What its values mean.
pub(super) fn name(target: &mut RasterBand, description: &str, unit: &str, nodata: f64) -> std::result::Result<(), ()> {
    let unit = gdal_glue::c_string(unit).map_err(|_| ())?;
    target.set_no_data_value(Some(nodata)).map_err(|_| ())?;
    target.set_description(description).map_err(|_| ())?;
    // SAFETY: the band lives until the call returns.
    let set = unsafe { gdal_sys::GDALSetRasterUnitType(target.c_rasterband(), unit.as_ptr()) };
    if set == CPLErr::CE_None { Ok(()) } else { Err(()) }
}

/// Notes smallest, largest and mean value, if there is any.
pub(super) fn summarise(target: &mut RasterBand, summary: &Summary) -> std::result::Result<(), ()> {
    let Some(s) = summary.statistics() else { return Ok(()) };
    // SAFETY: the band lives until the call returns.
    let set = unsafe { gdal_sys::GDALSetRasterStatistics(target.c_rasterband(), s.min, s.max, s.mean, s.deviation) };
    if set == CPLErr::CE_None { Ok(()) } else { Err(()) }
}

/// Values as they come, one by one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Summary {
    count: f64,
    min: f64,
    max: f64,
    mean: f64,
    squares: f64,
}

impl Summary {
    /// Welford (1962).
    pub(super) fn add(&mut self, value: f64) {
        let first = self.count == 0.0;
        (self.min, self.max) = if first { (value, value) } else { (self.min.min(value), self.max.max(value)) };
        self.count += 1.0;
        let change = value - self.mean;
        self.mean += change / self.count;
        self.squares += change * (value - self.mean);
    }

    fn statistics(&self) -> Option<Statistics> {
        let Self { count, min, max, mean, squares } = *self;
        (count > 0.0).then(|| Statistics { min, max, mean, deviation: (squares / count).sqrt() })
    }
}

fn describe(target: &mut RasterBand, band: &Band) -> std::result::Result<(), ()> {
    name(target, band.description, band.unit, band.nodata)?;
    // SAFETY: the band lives until the calls return.
    unsafe {
        if let Some(s) = Statistics::of(band)
            && gdal_sys::GDALSetRasterStatistics(target.c_rasterband(), s.min, s.max, s.mean, s.deviation)
                != CPLErr::CE_None
        {
            return Err(());
        }
    }
    if let BandData::Classes(_, classes) = band.data {
        colour(target, classes);
    }
    Ok(())
}

/// What is no class is transparent. Names are left out: GDAL would keep them in a file beside the raster, which programs that only
/// look at it write anew.
pub(super) fn colour(target: &mut RasterBand, colours_of_classes: &[[u8; 3]]) {
    let mut colours = ColorTable::new(gdal::raster::PaletteInterpretation::Rgba);
    let rgba = |[r, g, b]: [u8; 3], a| ColorEntry::rgba(r.into(), g.into(), b.into(), a);
    colours.set_color_entry(0, &rgba([255; 3], 0));
    for (&rgb, value) in colours_of_classes.iter().zip(1..) {
        colours.set_color_entry(value, &rgba(rgb, 255));
    }
    // A failure shows when the file is closed.
    target.set_color_table(&colours);
}

/// Rows north to south, in strips of whole tiles.
fn cells<T: GdalType + Copy>(
    target: &mut RasterBand,
    lattice: &Lattice,
    values: &[T],
    clean: impl Fn(T) -> T,
) -> gdal::errors::Result<()> {
    let (nx, ny) = (lattice.nx, lattice.ny);
    let rows = tile_size(ny);
    for start in (0..ny).step_by(rows) {
        let count = rows.min(ny - start);
        let rows = (start..start + count).map(|row| &values[(ny - 1 - row) * nx..][..nx]);
        let strip: Vec<T> = rows.flat_map(|row| row.iter().map(|&v| clean(v))).collect();
        target.write((0, start as isize), (nx, count), &mut Buffer::new((nx, count), strip))?;
        // Whole tiles are complete: kept in GDAL's cache they would only take memory.
        // SAFETY: the band lives until the call returns. A failure shows again when the file is closed.
        unsafe { gdal_sys::GDALFlushRasterCache(target.c_rasterband()) };
    }
    Ok(())
}

/// Of the cells that hold data.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Statistics {
    min: f64,
    max: f64,
    mean: f64,
    deviation: f64,
}

impl Statistics {
    fn of(band: &Band) -> Option<Self> {
        match band.data {
            BandData::F64(v) => Self::over(v.iter().copied(), band.nodata),
            BandData::F32(v) => Self::over(v.iter().map(|&x| f64::from(x)), f64::from(band.nodata as f32)),
            BandData::I32(v) => Self::over(v.iter().map(|&x| f64::from(x)), band.nodata),
            BandData::U32(v) => Self::over(v.iter().map(|&x| f64::from(x)), band.nodata),
            BandData::U16(v) => Self::over(v.iter().map(|&x| f64::from(x)), band.nodata),
            BandData::U8(v) | BandData::Classes(v, _) => Self::over(v.iter().map(|&x| f64::from(x)), band.nodata),
        }
    }

    /// Sums of short runs, shifted by the run's first value and merged in order: exact enough for any height, and without
    /// a division per cell.
    fn over(values: impl Iterator<Item = f64>, nodata: f64) -> Option<Self> {
        let mut values = values.filter(|x| x.is_finite() && *x != nodata);
        let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
        let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
        while let Some(first) = values.next() {
            let (mut n, mut sum, mut sum_of_squares) = (1.0, 0.0, 0.0);
            (min, max) = (min.min(first), max.max(first));
            for x in values.by_ref().take(1023) {
                let shifted = x - first;
                (n, sum, sum_of_squares) = (n + 1.0, sum + shifted, sum_of_squares + shifted * shifted);
                (min, max) = (min.min(x), max.max(x));
            }
            let change = first + sum / n - mean;
            let all = count + n;
            squares += (sum_of_squares - sum * sum / n).max(0.0) + change * change * count * n / all;
            mean += change * n / all;
            count = all;
        }
        (count > 0.0).then(|| Self { min, max, mean, deviation: (squares / count).sqrt() })
    }
}
