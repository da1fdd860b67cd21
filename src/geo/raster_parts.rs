//! A raster of which parts are read when they are needed: for those too large for memory.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gdal::Dataset;

use super::georeference::{Georeference, georeference_of};
use super::raster::{self, RasterInfo, ReadRaster};
use super::{Bounds, Crs, raster_cells, text_numbers};
use crate::terrain::Lattice;
use crate::{Error, Note, Result};

/// Larger parts are asked for only if there is memory for them.
const WORTH_ASKING: u64 = 1 << 22;

/// Cells that are looked at together where all are.
const STRIP_CELLS: usize = 1 << 22;

/// Cells along a side of what is looked at together in a file that leaves out blocks: as results are written.
const BLOCK: usize = 512;

/// GDAL_DATA_COVERAGE_STATUS_DATA and GDAL_DATA_COVERAGE_STATUS_EMPTY, macros of gdal.h.
const DATA: i32 = 2;
const EMPTY: i32 = 4;

/// What is in a file: blocks with data, blocks that are left out, or both. One that leaves out blocks may be far smaller than what it
/// says of itself.
fn coverage(dataset: &Dataset) -> i32 {
    let (nx, ny) = dataset.raster_size();
    coverage_of(dataset, 1, (0, 0), (nx, ny))
}

/// The same of some columns and rows of a band, counted from the first in the file.
fn coverage_of(dataset: &Dataset, band: usize, (column, row): (usize, usize), (nx, ny): (usize, usize)) -> i32 {
    let Ok(band) = dataset.rasterband(band) else { return DATA };
    let [Ok(column), Ok(row), Ok(nx), Ok(ny)] = [column, row, nx, ny].map(i32::try_from) else { return DATA };
    // SAFETY: a live band, a rectangle within it, no mask to stop at, and no place for the share.
    unsafe {
        let nowhere = std::ptr::null_mut();
        gdal_sys::GDALGetDataCoverageStatus(band.c_rasterband(), column, row, nx, ny, 0, nowhere)
    }
}

/// A lattice in pieces as the blocks of result files lie, counted from the north-western corner: row by row from the south, each from the west.
pub(crate) fn pieces(lattice: &Lattice) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + use<> {
    let Lattice { nx, ny, .. } = *lattice;
    let rows = (0..ny.div_ceil(BLOCK)).rev().map(move |k| ny.saturating_sub((k + 1) * BLOCK)..ny - k * BLOCK);
    rows.flat_map(move |rows| (0..nx).step_by(BLOCK).map(move |first| (first..(first + BLOCK).min(nx), rows.clone())))
}

/// A band, open for reading parts of it by several threads.
pub(crate) struct RasterParts {
    info: RasterInfo,
    band: usize,
    georeference: Georeference,
    /// It is in.
    pub crs: Crs,
    /// Each thread takes one, or opens the file again: GDAL's datasets are not shared.
    open: Mutex<Vec<Dataset>>,
}

/// Columns and rows of a raster, and the values in them.
pub(crate) struct Cut {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
    /// Row by row from the south, NaN for nodata.
    pub values: Vec<f64>,
    pub nodata_cells: usize,
}

impl Cut {
    /// The value of a cell of the raster; NaN outside the cut.
    pub(crate) fn at(&self, column: usize, row: usize) -> f64 {
        if !self.columns.contains(&column) || !self.rows.contains(&row) {
            return f64::NAN;
        }
        self.values[(row - self.rows.start) * self.columns.len() + column - self.columns.start]
    }

    /// Calls with each cell of the raster that has a value.
    pub(crate) fn for_each(&self, lattice: &Lattice, mut each: impl FnMut(usize, f64)) {
        for (row, values) in self.rows.clone().zip(self.values.chunks(self.columns.len().max(1))) {
            let some = self.columns.clone().zip(values).filter(|(_, value)| !value.is_nan());
            some.for_each(|(column, value)| each(row * lattice.nx + column, *value));
        }
    }
}

impl RasterParts {
    /// Opens it; what the file says of itself is checked, its cells are not.
    pub(crate) fn open(path: &Path, options: &ReadRaster) -> Result<Self> {
        let dataset = raster::open(path)?;
        let info = raster::info_of(&dataset, path)?;
        match coverage(&dataset) {
            both if both & EMPTY != 0 && both & DATA != 0 => {}
            nothing if nothing & EMPTY != 0 => {
                return Err(Error::input(format!(
                    "raster '{}' claims {} × {} cells and holds none of them: it was never written, or its sources are missing; copy or \
                     export it again",
                    path.display(),
                    info.columns,
                    info.rows
                )));
            }
            _ => raster::refuse_impossible_claim(&info)?,
        }
        text_numbers::check(&info)?;
        Self::of(dataset, info, options)
    }

    /// Opens a result of ours, which may well hold no value at all.
    pub(crate) fn open_result(path: &Path, options: &ReadRaster) -> Result<Self> {
        let dataset = raster::open(path)?;
        let info = raster::info_of(&dataset, path)?;
        Self::of(dataset, info, options)
    }

    fn of(dataset: Dataset, info: RasterInfo, options: &ReadRaster) -> Result<Self> {
        let crs = raster::crs_of(&info, options.crs.as_ref())?;
        let band = raster::chosen_band(&info, options.band, options.purpose)?;
        let georeference = georeference_of(&info)?;
        Ok(Self { info, band, georeference, crs, open: Mutex::new(vec![dataset]) })
    }

    /// All its cells.
    pub(crate) fn lattice(&self) -> &Lattice {
        &self.georeference.lattice
    }

    pub(crate) fn info(&self) -> &RasterInfo {
        &self.info
    }

    /// The file.
    pub(crate) fn path(&self) -> &PathBuf {
        &self.info.path
    }

    /// The cells around a rectangle, two more to each side; empty if it lies elsewhere.
    pub(crate) fn around(&self, bounds: &Bounds) -> Result<Cut> {
        let (columns, rows) = self.cells(bounds);
        self.read(columns, rows)
    }

    /// Calls `each` with the values around a rectangle, some rows at a time.
    pub(crate) fn strips(&self, bounds: &Bounds, mut each: impl FnMut(&[f64])) -> Result<()> {
        let (columns, rows) = self.cells(bounds);
        let some = (STRIP_CELLS / columns.len().max(1)).max(1);
        for first in rows.clone().step_by(some) {
            each(&self.read(columns.clone(), first..(first + some).min(rows.end))?.values);
        }
        Ok(())
    }

    fn cells(&self, bounds: &Bounds) -> (Range<usize>, Range<usize>) {
        let Lattice { nx, ny, x0, y0, dx, dy } = *self.lattice();
        let cells = |low: f64, high: f64, first: f64, step: f64, count: usize| {
            let from = ((low - first) / step).floor() - 2.0;
            let to = ((high - first) / step).ceil() + 3.0;
            from.clamp(0.0, count as f64) as usize..to.clamp(0.0, count as f64) as usize
        };
        (cells(bounds.west, bounds.east, x0, dx, nx), cells(bounds.south, bounds.north, y0, dy, ny))
    }

    /// Columns from the west and rows from the south.
    pub(crate) fn read(&self, columns: Range<usize>, rows: Range<usize>) -> Result<Cut> {
        if columns.is_empty() || rows.is_empty() {
            return Ok(Cut { columns: 0..0, rows: 0..0, values: Vec::new(), nodata_cells: 0 });
        }
        let cells = columns.len() as u64 * rows.len() as u64;
        if cells > WORTH_ASKING {
            raster::refuse_impossible_size(&self.info, cells)?;
        }
        let part = self.georeference.part(columns.start, rows.start, columns.len(), rows.len());
        let (values, nodata_cells) =
            self.with_open(|dataset| raster_cells::read(dataset, &self.info, self.band, &part))?;
        Ok(Cut { columns, rows, values, nodata_cells })
    }

    fn with_open<T>(&self, read: impl FnOnce(&Dataset) -> Result<T>) -> Result<T> {
        let free = self.open.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let dataset = free.map_or_else(|| raster::open(&self.info.path), Ok)?;
        let found = read(&dataset)?;
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push(dataset);
        Ok(found)
    }

    /// Whether these columns and rows are left out in the file: then none of their cells has a value, and nothing need be read.
    pub(crate) fn is_left_out(&self, columns: &Range<usize>, rows: &Range<usize>) -> Result<bool> {
        let part = self.georeference.part(columns.start, rows.start, columns.len(), rows.len());
        let (place, size) = ((part.column, part.row), (part.nx, part.ny));
        self.with_open(|dataset| Ok(coverage_of(dataset, self.band, place, size) == EMPTY))
    }

    /// Calls `each` with the values of every piece the file holds, row by row of pieces from the south.
    pub(crate) fn for_each_filled(&self, mut each: impl FnMut(&Cut)) -> Result<()> {
        for (columns, rows) in pieces(self.lattice()) {
            if !self.is_left_out(&columns, &rows)? {
                each(&self.read(columns, rows)?);
            }
        }
        Ok(())
    }

    /// What the user should know of where it lies.
    pub(crate) fn notes(&self) -> Result<Option<Note>> {
        super::area_of_use::check_raster(&self.info, &self.crs)
    }
}
