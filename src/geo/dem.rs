//! The DEM: a raster that is projected, axis-parallel and in metres, or a sentence that says how to get there.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::raster::{self, Raster, RasterInfo, ReadRaster};
use super::raster_parts::RasterParts;
use super::{Crs, area_of_use, crs, gdal_glue, text_numbers, units};
use crate::terrain::Lattice;
use crate::{Error, Note, Result};

/// Finer cells are none of terrain, coarser ones know no slope.
const CELL_M: std::ops::RangeInclusive<f64> = 0.001..=10_000.0;

/// Reads a DEM: projected, in metres, axis-parallel, heights in metres. What `couloir prepare` can mend is refused with
/// the exact command.
pub fn read(path: &Path, options: &ReadRaster) -> Result<Raster> {
    let dataset = raster::open(path)?;
    let info = raster::info_of(&dataset, path)?;
    // First: a place that was misread lies nowhere.
    raster::refuse_impossible_claim(&info)?;
    text_numbers::check(&info)?;
    let crs = raster::crs_of(&info, options.crs.as_ref())?;
    let mut warnings: Vec<Note> = area_of_use::check_raster(&info, &crs)?.into_iter().collect();
    refuse_unless_metric(&info, &crs)?;
    let to_m = height_unit_to_m(&info, options, &mut warnings)?;
    let mut raster = raster::read_open(&dataset, &info, crs, options)?;
    if to_m != 1.0 {
        raster.field.values.iter_mut().for_each(|h| *h *= to_m);
    }
    raster.warnings.append(&mut warnings);
    check_heights(&raster)?;
    Ok(raster)
}

/// A DEM of which parts are read when they are needed.
pub(crate) struct DemParts {
    parts: RasterParts,
    to_m: f64,
    /// What the user should know although it can be used.
    pub warnings: Vec<Note>,
}

impl DemParts {
    /// Checks what [`read`] checks, but for the heights: these when they are read.
    pub(crate) fn open(path: &Path, options: &ReadRaster) -> Result<Self> {
        let parts = RasterParts::open(path, options)?;
        let mut warnings: Vec<Note> = parts.notes()?.into_iter().collect();
        refuse_unless_metric(parts.info(), &parts.crs)?;
        let to_m = height_unit_to_m(parts.info(), options, &mut warnings)?;
        check_cells(path, parts.lattice())?;
        Ok(Self { parts, to_m, warnings })
    }

    /// All its cells.
    pub(crate) fn lattice(&self) -> &Lattice {
        self.parts.lattice()
    }

    /// It is in.
    pub(crate) fn crs(&self) -> &Crs {
        &self.parts.crs
    }

    /// Heights of columns and rows, m, row by row from the south, and how many are nodata.
    pub(crate) fn read(&self, columns: Range<usize>, rows: Range<usize>) -> Result<(Vec<f64>, usize)> {
        let whole = *self.lattice();
        let (x0, y0) = whole.centre(columns.start, rows.start);
        let lattice = Lattice { nx: columns.len(), ny: rows.len(), x0, y0, ..whole };
        let mut cut = self.parts.read(columns, rows)?;
        if self.to_m != 1.0 {
            cut.values.iter_mut().for_each(|height| *height *= self.to_m);
        }
        check_values(self.parts.path(), &lattice, &cut.values)?;
        Ok((cut.values, cut.nodata_cells))
    }
}

/// The command that mends a DEM, ready to be pasted.
pub fn prepare_command(path: &Path, epsg: Option<u32>) -> String {
    let crs = epsg.map(|code| format!(" --crs EPSG:{code}")).unwrap_or_default();
    format!("couloir prepare --dem {}{crs} --out prepared", gdal_glue::shell_quoted(path))
}

fn refuse_unless_metric(info: &RasterInfo, crs: &Crs) -> Result<()> {
    if crs.is_metric() {
        return Ok(());
    }
    let shown = info.path.display();
    let (x, y) = info.extent.map(|e| e.centre()).unwrap_or((0.0, 0.0));
    let utm = crs::utm_epsg_at(crs, x, y)?;
    let command = prepare_command(&info.path, Some(utm));
    let unit = if crs.is_geographic() { "degrees".into() } else { format!("units of {} m", crs.linear_unit_to_m()) };
    Err(Error::input(format!(
        "DEM '{shown}' is in {crs}, with coordinates in {unit}, but distances must be in metres: bring it to a metric CRS with `{command}`"
    )))
}

/// Metres per unit of the heights: declared, else as the band or the CRS says, else metres.
pub(crate) fn height_unit_to_m(info: &RasterInfo, options: &ReadRaster, warnings: &mut Vec<Note>) -> Result<f64> {
    let shown = info.path.display();
    let unit = info.bands.get(options.band.unwrap_or(1).wrapping_sub(1)).map(|b| b.unit.trim()).unwrap_or("");
    let from_band = if unit.is_empty() { None } else { units::unit_to_m(unit) };
    if let Some(declared) = options.vertical_unit {
        let found = from_band.or(info.vertical_unit_to_m);
        if found.is_some_and(|found| (found - declared.to_m()).abs() > 1e-6) {
            warnings.push(Note::HeightUnitOverruled {
                dem: shown.to_string(),
                found_m: found.unwrap_or_default(),
                declared_m: declared.to_m(),
            });
        }
        return Ok(declared.to_m());
    }
    if !unit.is_empty() && from_band.is_none() {
        return Err(Error::input(format!(
            "DEM '{shown}' gives its heights in the unknown unit '{unit}': declare `vertical_unit: metre`, `foot` or `us_survey_foot`"
        )));
    }
    Ok(from_band.or(info.vertical_unit_to_m).unwrap_or(1.0))
}

fn check_heights(raster: &Raster) -> Result<()> {
    check_cells(&raster.source, &raster.field.lattice)?;
    if raster.nodata_cells == raster.field.values.len() {
        let shown = raster.source.display();
        return Err(Error::input(format!("DEM '{shown}' holds nothing but nodata here")));
    }
    check_values(&raster.source, &raster.field.lattice, &raster.field.values)
}

fn check_cells(path: &Path, lattice: &Lattice) -> Result<()> {
    let shown = path.display();
    if lattice.nx < 2 || lattice.ny < 2 {
        return Err(Error::input(format!(
            "DEM '{shown}' has only {} × {} cells here: at least 2 × 2 are needed",
            lattice.nx, lattice.ny
        )));
    }
    if ![lattice.dx, lattice.dy].iter().all(|size| CELL_M.contains(size)) {
        return Err(Error::input(format!(
            "DEM '{shown}' has cells of {} × {} m, expected {} to {} m: its position or its CRS is wrong, export it again",
            lattice.dx,
            lattice.dy,
            CELL_M.start(),
            CELL_M.end()
        )));
    }
    Ok(())
}

fn check_values(path: &Path, lattice: &Lattice, values: &[f64]) -> Result<()> {
    let shown = path.display();
    // Lower than any valley and higher than any summit: an undeclared nodata value or a wrong unit.
    let possible = |h: f64| h.is_nan() | (-1500.0..=10_000.0).contains(&h);
    let chunk = 1 << 16;
    // Without a way out at every height the compiler tests several at once.
    let odd_chunk =
        values.par_chunks(chunk).position_first(|heights| !heights.iter().fold(true, |all, &h| all & possible(h)));
    let odd = odd_chunk.and_then(|k| (k * chunk..values.len()).find(|&k| !possible(values[k])));
    if let Some(k) = odd {
        let (x, y) = lattice.centre(k % lattice.nx, k / lattice.nx);
        let height = values[k];
        let height = if height.abs() < 1e9 { height.to_string() } else { format!("{height:e}") };
        return Err(Error::input(format!(
            "DEM '{shown}' holds the height {height} m at ({x}, {y}), which is no height on Earth: declare the value as nodata \
             (`gdal_edit.py -a_nodata VALUE FILE`) or the right vertical unit"
        )));
    }
    Ok(())
}
