//! The cells of a difference: of small maps all at once, of large ones piece by piece where one of the runs has something.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::diff_figures::Seen;
use super::{FinishedRun, Variant};
use crate::Result;
use crate::draw::canvas::Canvas;
use crate::draw::preview::Values;
use crate::draw::relief::Around;
use crate::files::atomic;
use crate::geo::raster::{Raster, ReadRaster};
use crate::geo::raster_parts::{Cut, RasterParts, pieces};
use crate::geo::sparse_raster::{About, SparseRaster};
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::output::styles;
use crate::store::layers::{LARGE_MAP, Layer, NODATA_F32};
use crate::terrain::Lattice;

/// What came of a layer.
pub(super) struct Subtracted {
    pub tally: Tally,
    /// Of each run.
    pub seen: [Seen; 2],
    cells: Cells,
}

enum Cells {
    /// NaN where there is nothing to compare.
    Held(Vec<f32>),
    /// In the file they were written to.
    Written(PathBuf),
}

/// What there is to say of all differences.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub smallest: Option<f32>,
    pub largest: Option<f32>,
    /// Cells where B is above, and below A.
    pub more: u64,
    pub less: u64,
    /// Cells that can be compared.
    pub around: Around,
}

impl Tally {
    fn add(&mut self, lattice: &Lattice, cell: usize, value: f32) {
        self.smallest = Some(self.smallest.map_or(value, |smallest| smallest.min(value)));
        self.largest = Some(self.largest.map_or(value, |largest| largest.max(value)));
        self.more += u64::from(value > 0.0);
        self.less += u64::from(value < 0.0);
        self.around.add(lattice, cell);
    }

    /// The largest difference, up or down.
    pub(super) fn size(&self) -> f64 {
        let sizes = self.smallest.into_iter().chain(self.largest);
        sizes.fold(0.0, |most, value| f64::from(value.abs()).max(most))
    }
}

impl Subtracted {
    /// A picture of the cells.
    pub(super) fn shown(&self, draw: impl Fn(Values) -> Canvas) -> Result<Canvas> {
        let path = match &self.cells {
            Cells::Held(values) => return Ok(draw(Values::Numbers(values))),
            Cells::Written(path) => path,
        };
        let parts = RasterParts::open_result(path, &ReadRaster::default())?;
        let failure = OnceLock::new();
        let each = |visit: &mut dyn FnMut(usize, f64)| {
            let looked = parts.for_each_filled(|cut| cut.for_each(parts.lattice(), &mut *visit));
            looked.unwrap_or_else(|error| drop(failure.set(error)));
        };
        let canvas = draw(Values::Cells(&each));
        failure.into_inner().map_or(Ok(canvas), Err)
    }
}

/// A layer of B less that of A, on a lattice that holds both, as a file with its style.
pub(super) fn subtract(
    path: &Path,
    lattice: &Lattice,
    (first, one): (&FinishedRun, &Variant),
    (second, two): (&FinishedRun, &Variant),
    layer: &Layer,
) -> Result<Subtracted> {
    let folder = path.parent().map_or(PathBuf::new(), Path::to_path_buf);
    std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error))?;
    styles::write_difference(&folder, &format!("difference_{layer}"), layer)?;
    let description = format!("{layer}: second run minus first run");
    let only_where_both = *layer == Layer::EnergyLineAngle;
    if lattice.len() > LARGE_MAP {
        let about = About { description: &description, unit: layer.unit(), nodata: NODATA_F32, colours: None };
        let mut raster = SparseRaster::create(path, lattice, &first.crs, &about)?;
        let open = |path: PathBuf| RasterParts::open_result(&path, &ReadRaster::default());
        let parts = [open(first.layer_file(one, layer)?)?, open(second.layer_file(two, layer)?)?];
        let (tally, seen) = in_pieces(&parts, lattice, only_where_both, |cell, value| raster.put(cell, value))?;
        raster.finish()?;
        return Ok(Subtracted { tally, seen, cells: Cells::Written(path.to_path_buf()) });
    }
    let rasters = [first.layer(one, layer)?, second.layer(two, layer)?];
    let values = at_once(&rasters, lattice, only_where_both);
    let (unit, data, nodata) = (layer.unit(), BandData::F32(&values), f64::from(NODATA_F32));
    let band = Band { description: &description, unit, data, nodata };
    write_raster::write(path, lattice, &first.crs, &[band], &WriteRaster::default())?;
    let mut tally = Tally::default();
    let given = values.iter().enumerate().filter(|(_, value)| !value.is_nan());
    given.for_each(|(cell, value)| tally.add(lattice, cell, *value));
    let seen = [&rasters[0], &rasters[1]].map(|raster| Seen::of(&raster.field.values));
    Ok(Subtracted { tally, seen, cells: Cells::Held(values) })
}

/// NaN where there is nothing to compare.
fn less(a: f64, b: f64, only_where_both: bool) -> f32 {
    let value = match (a.is_nan(), b.is_nan()) {
        (true, true) => f64::NAN,
        (false, false) => b - a,
        _ if only_where_both => f64::NAN,
        (true, false) => b,
        (false, true) => -a,
    };
    value as f32
}

/// Columns and rows by which a run's own lattice begins further in.
fn shift(lattice: &Lattice, own: &Lattice) -> (i64, i64) {
    let cells = |all: f64, own: f64, size: f64| ((own - all) / size).round() as i64;
    (cells(lattice.x0, own.x0, own.dx), cells(lattice.y0, own.y0, own.dy))
}

fn at_once(rasters: &[Raster; 2], lattice: &Lattice, only_where_both: bool) -> Vec<f32> {
    let shifts = [&rasters[0], &rasters[1]].map(|raster| shift(lattice, &raster.field.lattice));
    let at = |which: usize, column: usize, row: usize| {
        let field = &rasters[which].field;
        let (column, row) = (column as i64 - shifts[which].0, row as i64 - shifts[which].1);
        let inside = (0..field.lattice.nx as i64).contains(&column) && (0..field.lattice.ny as i64).contains(&row);
        if inside { field.values[row as usize * field.lattice.nx + column as usize] } else { f64::NAN }
    };
    let mut values = Vec::with_capacity(lattice.len());
    for row in 0..lattice.ny {
        values.extend((0..lattice.nx).map(|column| less(at(0, column, row), at(1, column, row), only_where_both)));
    }
    values
}

fn in_pieces(
    parts: &[RasterParts; 2],
    lattice: &Lattice,
    only_where_both: bool,
    mut put: impl FnMut(usize, f32) -> Result<()>,
) -> Result<(Tally, [Seen; 2])> {
    let shifts = [&parts[0], &parts[1]].map(|part| shift(lattice, part.lattice()));
    let (mut tally, mut seen) = (Tally::default(), [Seen::default(); 2]);
    for (columns, rows) in pieces(lattice) {
        let mut cuts = [None, None];
        for (k, (across, up)) in shifts.into_iter().enumerate() {
            let Lattice { nx, ny, .. } = *parts[k].lattice();
            let own = (within(&columns, across, nx), within(&rows, up, ny));
            if !own.0.is_empty() && !own.1.is_empty() && !parts[k].is_left_out(&own.0, &own.1)? {
                let cut = parts[k].read(own.0, own.1)?;
                cut.values.iter().filter(|value| !value.is_nan()).for_each(|value| seen[k].add(*value));
                cuts[k] = Some(cut);
            }
        }
        if cuts.iter().all(Option::is_none) {
            continue;
        }
        let at = |which: usize, column: usize, row: usize| {
            let own = |place: usize, shift: i64| usize::try_from(place as i64 - shift).unwrap_or(usize::MAX);
            let value = |cut: &Cut| cut.at(own(column, shifts[which].0), own(row, shifts[which].1));
            cuts[which].as_ref().map_or(f64::NAN, value)
        };
        for row in rows {
            for column in columns.clone() {
                let value = less(at(0, column, row), at(1, column, row), only_where_both);
                if !value.is_nan() {
                    let cell = row * lattice.nx + column;
                    tally.add(lattice, cell, value);
                    put(cell, value)?;
                }
            }
        }
    }
    Ok((tally, seen))
}

/// Those of some columns or rows that a run has, in its own numbers.
fn within(all: &Range<usize>, shift: i64, count: usize) -> Range<usize> {
    let own = |place: usize| (place as i64 - shift).clamp(0, count as i64) as usize;
    own(all.start)..own(all.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::{Crs, raster};

    /// Two maps that overlap in part, with large empty areas: piece by piece as at once, cell by cell and in all figures.
    #[test]
    fn pieces_give_what_all_cells_give() {
        let folder = tempfile::tempdir().unwrap();
        let crs = Crs::from_user("EPSG:2056").unwrap();
        let own = [
            Lattice { nx: 1500, ny: 1300, x0: 2_600_001.0, y0: 1_200_001.0, dx: 2.0, dy: 2.0 },
            Lattice {
                nx: 1100,
                ny: 1700,
                x0: 2_600_001.0 + 2.0 * 700.0,
                y0: 1_200_001.0 - 2.0 * 333.0,
                dx: 2.0,
                dy: 2.0,
            },
        ];
        let all = Lattice { nx: 1800, ny: 1700, y0: own[1].y0, ..own[0] };
        let about = About { description: "", unit: "", nodata: NODATA_F32, colours: None };
        let paths = ["a.tif", "b.tif"].map(|name| folder.path().join(name));
        for ((path, lattice), turns) in paths.iter().zip(&own).zip([0.01, 0.013]) {
            let mut raster = SparseRaster::create(path, lattice, &crs, &about).unwrap();
            // A patch that both have in part, and a cell far away.
            let is_in = |x: f64, y: f64| (x - 2_602_000.0).hypot(y - 1_200_400.0) < 700.0 || x < 2_600_002.0;
            for cell in 0..lattice.len() {
                let (x, y) = lattice.centre(cell % lattice.nx, cell / lattice.nx);
                if is_in(x, y) && cell % 7 != 0 {
                    raster.put(cell, (turns * x).sin() as f32 * 500.0).unwrap();
                }
            }
            raster.finish().unwrap();
        }
        for only_where_both in [false, true] {
            let whole = paths.each_ref().map(|path| raster::read(path, &ReadRaster::default()).unwrap());
            let expected = at_once(&whole, &all, only_where_both);
            let parts = paths.each_ref().map(|path| RasterParts::open_result(path, &ReadRaster::default()).unwrap());
            let mut found = vec![f32::NAN; all.len()];
            let (tally, seen) = in_pieces(&parts, &all, only_where_both, |cell, value| {
                assert!(found[cell].is_nan(), "{cell} twice");
                found[cell] = value;
                Ok(())
            })
            .unwrap();
            let bits =
                |values: &[f32]| values.iter().map(|value| (!value.is_nan()).then_some(*value)).collect::<Vec<_>>();
            assert!(bits(&found) == bits(&expected));
            assert_eq!(seen, [Seen::of(&whole[0].field.values), Seen::of(&whole[1].field.values)]);
            assert_eq!(tally.more, expected.iter().filter(|value| **value > 0.0).count() as u64);
            assert!(tally.more > 1000 && tally.less > 1000 && seen[0] != seen[1], "{tally:?}");
        }
    }
}
