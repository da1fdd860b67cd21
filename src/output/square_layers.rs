//! Layers that refer to an object's width, and return periods: how likely a rock enters the square around a cell, and how many years
//! lie between two that do, of any energy or at least so much; for the cell itself, too.

use std::collections::BTreeSet;
use std::path::Path;

use crate::Result;
use crate::files::atomic;
use crate::files::names::file_name;
use crate::geo::sparse_raster::{About, SparseRaster};
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::hazard::accumulator::{Accumulator, TILE_CELLS};
use crate::hazard::classify;
use crate::hazard::squares::{Entered, Part, SquareCounts};
use crate::hazard::statistics::{Need, Statistics};
use crate::output::styles::{self, REACH, RETURN_PERIOD};
use crate::project;
use crate::store::Setup;
use crate::store::layers::{LARGE_MAP, NODATA_F32};
use crate::texts::say;

/// Writes all of them below the folder of layers: of every scenario, and the return periods of all scenarios together, whose
/// frequencies add up.
pub(super) fn write(folder: &Path, setup: &Setup, counts: &[Accumulator]) -> Result<()> {
    let names = project::scenario_names(&setup.plan.scenarios);
    let several = names.len() > 1;
    for (name, one) in names.iter().zip(counts) {
        let folder = if several { folder.join(file_name(name)) } else { folder.to_path_buf() };
        let whose = super::titles::whose(setup, several.then_some(name.as_str()), false);
        let layers = Layers { setup, folder: &folder, whose: &whose };
        layers.reach(one)?;
        layers.return_periods(std::slice::from_ref(one))?;
    }
    if several {
        let whose = super::titles::partial(setup) + &say!("all-scenarios") + ": ";
        Layers { setup, folder, whose: &whose }.return_periods(counts)?;
    }
    Ok(())
}

struct Layers<'a> {
    setup: &'a Setup<'a>,
    folder: &'a Path,
    /// Begins every description.
    whose: &'a str,
}

/// Takes the value of a cell; cells come tile by tile from the south.
type Put<'p> = &'p mut dyn FnMut(u64, f32);

impl Layers<'_> {
    fn reach(&self, counts: &Accumulator) -> Result<()> {
        for &width_m in &self.setup.shown_widths_m {
            let released = counts.released_in(Part::Whole).max(1) as f64;
            let description = self.whose.to_string() + &say!("layer-reach-square", width = width_m.to_string());
            let squares = classify::counted_squares(counts, width_m)?;
            self.write(&format!("reach_probability_{}", width(width_m)), &description, "", |put: Put| {
                squares.for_each(Part::Whole, |found| put(found.cell, (f64::from(found.rocks) / released) as f32));
            })?;
        }
        Ok(())
    }

    /// One over the summed frequencies, per energy; for cells and for every width.
    fn return_periods(&self, counts: &[Accumulator]) -> Result<()> {
        let wanted = &self.setup.wanted;
        for (index, energy) in wanted.energies_kj.iter().enumerate() {
            let what = say!("layer-years-cell", energy = energy.to_string());
            let name = format!("return_period_years_above_{energy}_kj");
            self.write(&name, &format!("{}{what}", self.whose), "years", |put: Put| {
                Statistics::new(counts)
                    .for_each_cell(Need::default(), |cell| put(cell.index, years(cell.frequency_above(index))));
            })?;
        }
        let squares = &wanted.squares;
        for &width_m in self.setup.shown_widths_m.iter().filter(|_| squares.frequency) {
            let all = counts.iter().map(|one| Ok((one, classify::counted_squares(one, width_m)?)));
            let all: Vec<(&Accumulator, &SquareCounts)> = all.collect::<Result<_>>()?;
            for (index, energy) in [0.0].iter().chain(&squares.energies_kj).enumerate() {
                let what = say!("layer-years-square", energy = energy.to_string(), width = width_m.to_string());
                let name = format!("return_period_years_above_{energy}_kj_{}", width(width_m));
                self.write(&name, &format!("{}{what}", self.whose), "years", |put: Put| {
                    years_in_squares(&all, index, put);
                })?;
            }
        }
        Ok(())
    }

    /// Writes a layer, block by block on a large map; `fill` gives the values.
    fn write(&self, name: &str, description: &str, unit: &str, fill: impl FnOnce(Put)) -> Result<()> {
        std::fs::create_dir_all(self.folder).map_err(|error| atomic::io_error(self.folder, &error))?;
        let site = self.setup.site;
        let path = self.folder.join(format!("{name}.tif"));
        let lattice = site.scene.surface.lattice();
        if lattice.len() > LARGE_MAP {
            let about = About { description, unit, nodata: NODATA_F32, colours: None };
            let mut raster = SparseRaster::create(&path, lattice, &site.crs, &about)?;
            let mut done = Ok(());
            fill(&mut |cell, value| {
                if done.is_ok() {
                    done = raster.put(cell as usize, value);
                }
            });
            done.and_then(|()| raster.finish())?;
        } else {
            let mut all = vec![NODATA_F32; lattice.len()];
            fill(&mut |cell, value| all[cell as usize] = value);
            let band = Band { description, unit, data: BandData::F32(&all), nodata: NODATA_F32.into() };
            write_raster::write(&path, lattice, &site.crs, &[band], &WriteRaster::of_results(lattice))?;
        }
        styles::write_ramp(self.folder, name, if unit.is_empty() { &REACH } else { &RETURN_PERIOD })
    }
}

/// Years between two.
fn years(per_year: f64) -> f32 {
    if per_year > 0.0 { (1.0 / per_year) as f32 } else { NODATA_F32 }
}

/// Years between two rocks of any scenario at or above an energy in the square around each cell.
fn years_in_squares(all: &[(&Accumulator, &SquareCounts)], energy: usize, put: Put) {
    let near: BTreeSet<usize> = all.iter().flat_map(|(_, squares)| squares.near_tiles(Part::Whole)).collect();
    let mut entered = Entered::default();
    for tile in near {
        let mut yearly = [0f64; TILE_CELLS];
        for (counts, squares) in all {
            let tiles = squares.tiles_of(Part::Whole, tile);
            for (at, sum) in yearly.iter_mut().enumerate() {
                if squares.entered(&tiles, at, &mut entered) {
                    *sum += entered.frequency_above(energy) * counts.frequency_scale;
                }
            }
        }
        for (at, per_year) in yearly.into_iter().enumerate() {
            if let Some(cell) = all[0].0.cell_of(tile, at) {
                put(cell, years(per_year));
            }
        }
    }
}

/// As names of files have it: `10m`, `7.5m`.
pub(crate) fn width(width_m: f64) -> String {
    format!("{width_m}m")
}
