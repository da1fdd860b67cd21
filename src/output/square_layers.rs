//! Layers that refer to an object's width, and return periods: how likely a rock enters the square around a cell, and how many years
//! lie between two that do, of any energy or at least so much; for the cell itself, too.

use std::path::Path;

use crate::Result;
use crate::files::atomic;
use crate::files::names::file_name;
use crate::geo::sparse_raster::{self, About};
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::hazard::accumulator::Accumulator;
use crate::hazard::classify;
use crate::hazard::sparse::SparseField;
use crate::hazard::squares::Part;
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
        let whose = super::deliver::whose(setup, several.then_some(name.as_str()), false);
        let layers = Layers { setup, folder: &folder, whose: &whose };
        layers.reach(one)?;
        layers.return_periods(std::slice::from_ref(one))?;
    }
    if several {
        let whose = super::deliver::partial(setup) + &say!("all-scenarios") + ": ";
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

impl Layers<'_> {
    fn reach(&self, counts: &Accumulator) -> Result<()> {
        for &width_m in &self.setup.shown_widths_m {
            let released = counts.released_in(Part::Whole).max(1) as f64;
            let mut values = self.empty(NODATA_F32);
            classify::counted_squares(counts, width_m)?.for_each(Part::Whole, |found| {
                *values.at_mut(found.cell as usize) = (f64::from(found.rocks) / released) as f32
            });
            let description = self.whose.to_string() + &say!("layer-reach-square", width = width_m.to_string());
            self.write(&format!("reach_probability_{}", width(width_m)), &description, "", &values)?;
        }
        Ok(())
    }

    /// One over the summed frequencies, per energy; for cells and for every width.
    fn return_periods(&self, counts: &[Accumulator]) -> Result<()> {
        let wanted = &self.setup.wanted;
        for (index, energy) in wanted.energies_kj.iter().enumerate() {
            let mut yearly = self.empty(0f64);
            Statistics::new(counts).for_each_cell(Need::default(), |cell| {
                *yearly.at_mut(cell.index as usize) = cell.frequency_above(index);
            });
            let what = say!("layer-years-cell", energy = energy.to_string());
            self.write_years(&format!("return_period_years_above_{energy}_kj"), &what, &yearly)?;
        }
        let squares = &wanted.squares;
        for &width_m in self.setup.shown_widths_m.iter().filter(|_| squares.frequency) {
            for (index, energy) in [0.0].iter().chain(&squares.energies_kj).enumerate() {
                let mut yearly = self.empty(0f64);
                for one in counts {
                    classify::counted_squares(one, width_m)?.for_each(Part::Whole, |found| {
                        *yearly.at_mut(found.cell as usize) += found.frequency_above(index) * one.frequency_scale;
                    });
                }
                let what = say!("layer-years-square", energy = energy.to_string(), width = width_m.to_string());
                let name = format!("return_period_years_above_{energy}_kj_{}", width(width_m));
                self.write_years(&name, &what, &yearly)?;
            }
        }
        Ok(())
    }

    fn write_years(&self, name: &str, what: &str, yearly: &SparseField<f64>) -> Result<()> {
        let years = |per_year: f64| if per_year > 0.0 { (1.0 / per_year) as f32 } else { NODATA_F32 };
        let mut values = self.empty(NODATA_F32);
        yearly.for_each(|cell, per_year| *values.at_mut(cell) = years(per_year));
        self.write(name, &format!("{}{what}", self.whose), "years", &values)
    }

    fn empty<T: Copy>(&self, nothing: T) -> SparseField<T> {
        SparseField::new(*self.setup.site.scene.surface.lattice(), nothing)
    }

    fn write(&self, name: &str, description: &str, unit: &str, values: &SparseField<f32>) -> Result<()> {
        std::fs::create_dir_all(self.folder).map_err(|error| atomic::io_error(self.folder, &error))?;
        let site = self.setup.site;
        let path = self.folder.join(format!("{name}.tif"));
        let lattice = site.scene.surface.lattice();
        if lattice.len() > LARGE_MAP {
            let about = About { description, unit, nodata: NODATA_F32, colours: None };
            sparse_raster::write(&path, &site.crs, &about, values)?;
        } else {
            let mut all = vec![NODATA_F32; lattice.len()];
            values.for_each(|cell, value| all[cell] = value);
            let band = Band { description, unit, data: BandData::F32(&all), nodata: NODATA_F32.into() };
            write_raster::write(&path, lattice, &site.crs, &[band], &WriteRaster::of_results(lattice))?;
        }
        styles::write_ramp(self.folder, name, if unit.is_empty() { &REACH } else { &RETURN_PERIOD })
    }
}

/// As names of files have it: `10m`, `7.5m`.
pub(crate) fn width(width_m: f64) -> String {
    format!("{width_m}m")
}
