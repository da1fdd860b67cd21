//! The cells of a band: read in strips of whole blocks, in the band's own precision, and turned into 64-bit values on the
//! way into their place. Large GeoTIFFs are read by several threads, each with the file opened for itself.

use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::Mutex;

use gdal::raster::{GdalType, RasterBand};
use gdal::{Dataset, Metadata};

use super::gdal_glue;
use super::raster::{BandInfo, RasterInfo, open};
use crate::{Error, Result};

/// Rasters with fewer cells are read by one thread: opening the file again costs more than it saves.
const PARALLEL_FROM_CELLS: usize = 4 << 20;
const MOST_THREADS: usize = 8;
/// Cells of a strip: some megabytes, which stay in the processor's cache until they are converted.
const STRIP_CELLS: usize = 1 << 20;
/// More than this is never read at once, however large the file's blocks are.
const MOST_CELLS: usize = 1 << 24;

/// A part of a raster, in the file's own rows and columns, and how these run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub column: usize,
    pub row: usize,
    pub nx: usize,
    pub ny: usize,
    pub north_up: bool,
    pub east_first: bool,
}

/// The cells of a part, south to north and west to east, nodata as NaN; and how many of them are nodata.
pub(super) fn read(dataset: &Dataset, info: &RasterInfo, number: usize, part: &Part) -> Result<(Vec<f64>, usize)> {
    let Part { nx, ny, .. } = *part;
    let mut values = Vec::new();
    values.try_reserve_exact(nx * ny).map_err(|_| {
        Error::failed(format!(
            "raster '{}' needs {} MB of memory, which is not there",
            info.path.display(),
            nx * ny / 125_000
        ))
    })?;
    let nodata_cells = fill(&mut values.spare_capacity_mut()[..nx * ny], dataset, info, number, part)?;
    // SAFETY: `fill` has written every cell of the room.
    unsafe { values.set_len(nx * ny) };
    Ok((values, nodata_cells))
}

/// Writes every cell of the room, or returns the error of the first row that cannot be read.
fn fill(
    room: &mut [MaybeUninit<f64>],
    dataset: &Dataset,
    info: &RasterInfo,
    number: usize,
    part: &Part,
) -> Result<usize> {
    let Part { nx, ny, north_up, .. } = *part;
    let block_rows = info.bands[number - 1].block_size.1.max(1);
    let rows = block_rows * (STRIP_CELLS / nx / block_rows).max(1);
    let rows = rows.min(MOST_CELLS.div_ceil(nx)).min(ny);
    // Strips in the order of the file, each with its place in memory.
    let strips: Box<dyn Iterator<Item = &mut [MaybeUninit<f64>]> + Send> =
        if north_up { Box::new(room.rchunks_mut(rows * nx)) } else { Box::new(room.chunks_mut(rows * nx)) };
    let strips = Mutex::new(strips.enumerate().map(|(k, place)| (k * rows, place)));
    let threads = if info.driver == "GTiff" && nx * ny >= PARALLEL_FROM_CELLS {
        crate::process::threads::cores().min(MOST_THREADS)
    } else {
        1
    };
    let next = || strips.lock().ok().and_then(|mut strips| strips.next());
    let work = |dataset: &Dataset| match info.bands[number - 1].data_type.as_str() {
        // Exact in 32 bits.
        "Float32" | "Byte" | "Int16" | "UInt16" => read_strips::<f32>(dataset, info, number, part, next),
        _ => read_strips::<f64>(dataset, info, number, part, next),
    };
    let results: Vec<Strips> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map_while(|_| {
                let read = || match open(&info.path) {
                    Ok(dataset) => work(&dataset),
                    Err(error) => Err((0, error)),
                };
                std::thread::Builder::new().spawn_scoped(scope, read).ok()
            })
            .collect();
        let own = work(dataset);
        let damaged = |_| Err((0, damaged(&info.path)));
        std::iter::once(own).chain(others.into_iter().map(|thread| thread.join().unwrap_or_else(damaged))).collect()
    });
    let mut nodata_cells = 0;
    let mut first_error: Option<(usize, Error)> = None;
    for result in results {
        match result {
            Ok(count) => nodata_cells += count,
            Err(error) if first_error.as_ref().is_none_or(|first| error.0 < first.0) => first_error = Some(error),
            Err(_) => {}
        }
    }
    first_error.map_or(Ok(nodata_cells), |(_, error)| Err(error))
}

pub(super) fn damaged(path: &Path) -> Error {
    Error::input(format!("'{}' is damaged or cut short: copy or export it again", path.display()))
}

/// Number of nodata cells, or the row of a strip that cannot be read and why.
type Strips = std::result::Result<usize, (usize, Error)>;

/// Takes strip after strip (first row within the part, place in memory) until there are none left.
fn read_strips<'a, T: GdalType + Copy + Default + Into<f64>>(
    dataset: &Dataset,
    info: &RasterInfo,
    number: usize,
    part: &Part,
    next: impl Fn() -> Option<(usize, &'a mut [MaybeUninit<f64>])>,
) -> Strips {
    let path = info.path.as_path();
    let band = dataset.rasterband(number).map_err(|_| (0, damaged(path)))?;
    let meaning = Meaning::of(&band, &info.bands[number - 1]);
    let mask = match meaning.has_mask(&band) {
        Some(true) => Some(band.open_mask_band().map_err(|_| (0, damaged(path)))?),
        Some(false) => None,
        None => return Err((0, damaged(path))),
    };
    let (mut cells, mut valid) = (Vec::<T>::new(), Vec::<u8>::new());
    let mut nodata_cells = 0;
    while let Some((start, place)) = next() {
        let size = (part.nx, place.len() / part.nx);
        let corner = (part.column as isize, (part.row + start) as isize);
        cells.resize(place.len(), T::default());
        gdal_glue::clear_messages();
        let done = band.read_into_slice(corner, size, size, &mut cells, None);
        let masked = mask.as_ref().map_or(Ok(()), |mask| {
            valid.resize(place.len(), 255);
            mask.read_into_slice(corner, size, size, &mut valid, None)
        });
        let error = gdal_glue::take_error();
        if done.is_err() || masked.is_err() || error.is_some() {
            let because = error.map(|e| format!(" ({e})")).unwrap_or_default();
            let row = part.row + start + 1;
            let sentence = format!(
                "raster '{}' is damaged or cut short: its rows from {row} on cannot be read{because}; copy or export it again",
                path.display(),
            );
            return Err((start, Error::input(sentence)));
        }
        for row in 0..size.1 {
            let target = if part.north_up { size.1 - 1 - row } else { row };
            let target = &mut place[target * part.nx..][..part.nx];
            let source = row * part.nx..(row + 1) * part.nx;
            let valid = if valid.is_empty() { None } else { Some(&valid[source.clone()]) };
            nodata_cells += meaning.convert(&cells[source], valid, target);
            if part.east_first {
                target.reverse();
            }
        }
    }
    Ok(nodata_cells)
}

/// What the numbers of a band mean.
struct Meaning {
    /// NaN if there is none.
    nodata: f64,
    /// A value this close, relative to the sum of both, is nodata too: files give it in decimals.
    tolerance: f64,
    floating: bool,
    scale: f64,
    offset: f64,
    /// GDAL before 3.7 reads signed bytes as unsigned ones and leaves a note.
    signed_byte: bool,
}

impl Meaning {
    fn of(band: &RasterBand, info: &BandInfo) -> Self {
        let floating = info.data_type.starts_with("Float");
        Self {
            nodata: info.nodata.unwrap_or(f64::NAN),
            // As GDAL's own mask has it.
            tolerance: match info.data_type.as_str() {
                "Float32" => 2.0 * f64::from(f32::EPSILON),
                "Float64" => 2.0 * f64::EPSILON,
                _ => 0.0,
            },
            floating,
            scale: info.scale,
            offset: info.offset,
            signed_byte: band.metadata_item("PIXELTYPE", "IMAGE_STRUCTURE").as_deref() == Some("SIGNEDBYTE"),
        }
    }

    /// Whether a mask must be read beside the cells; `None` if the band does not say. A floating-point band's nodata value
    /// is looked for right here, which saves reading everything twice.
    fn has_mask(&self, band: &RasterBand) -> Option<bool> {
        let flags = band.mask_flags().ok()?;
        let only_nodata = flags.is_nodata() && !flags.is_per_dataset() && !flags.is_alpha();
        Some(!(flags.is_all_valid() || only_nodata && self.floating))
    }

    /// Fills a row; returns how many of its cells are nodata.
    fn convert<T: Copy + Into<f64>>(&self, row: &[T], valid: Option<&[u8]>, target: &mut [MaybeUninit<f64>]) -> usize {
        let mut missing = 0;
        let mut set = |place: &mut MaybeUninit<f64>, raw: f64, valid: bool| {
            let raw = if self.signed_byte && raw > 127.0 { raw - 256.0 } else { raw };
            let is_nodata =
                raw == self.nodata || (raw - self.nodata).abs() < self.tolerance * (raw + self.nodata).abs();
            let keep = valid & !is_nodata & raw.is_finite();
            missing += usize::from(!keep);
            place.write(if keep { raw * self.scale + self.offset } else { f64::NAN });
        };
        match valid {
            None => target.iter_mut().zip(row).for_each(|(place, &raw)| set(place, raw.into(), true)),
            Some(valid) => {
                let cells = target.iter_mut().zip(row).zip(valid);
                cells.for_each(|((place, &raw), &valid)| set(place, raw.into(), valid != 0));
            }
        }
        missing
    }
}
