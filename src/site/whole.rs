//! A look at all of a terrain that a run reads on demand, a few rows at a time.

use std::ops::Range;

use super::Site;
use super::on_demand::WHOLE_CELLS;
use crate::geo::gaps::Gaps;
use crate::geo::holes;
use crate::geo::jumps::Steps;
use crate::process::interrupt;
use crate::terrain::{Field, Lattice};
use crate::{Error, Note, Result};

/// Cells that are looked at together.
const STRIP_CELLS: usize = 1 << 22;
/// More are not looked at: it would take longer than one waits.
const MOST_CELLS: usize = 1 << 34;
/// Pieces of rows without height that are remembered; a terrain with more is full of holes.
const MOST_RUNS: usize = 20_000_000;

impl Site {
    /// Holes, missing parts, steps and impossible heights of a DEM that was not read as a whole.
    pub(crate) fn look_at_all(&mut self) -> Result<()> {
        let lattice = *self.scene.surface.lattice();
        if lattice.len() <= WHOLE_CELLS || lattice.len() > MOST_CELLS {
            return Ok(());
        }
        let Some(heights) = self.scene.surface.blocks() else { return Ok(()) };
        let Lattice { nx, ny, .. } = lattice;
        let (mut runs, mut above, mut nodata) = (Vec::new(), 0..0, 0);
        let mut steps = Steps::default();
        let some = (STRIP_CELLS / nx).max(1);
        for first in (0..ny).step_by(some) {
            interrupt::check()?;
            // One row more: steps have a far side.
            let rows = first..(first + some + 1).min(ny);
            let values = heights.load(0..nx, rows.clone())?;
            let own = Range { start: 0, end: some.min(ny - first) };
            for (k, line) in values.chunks_exact(nx).take(own.len()).enumerate() {
                nodata += line.iter().filter(|height| height.is_nan()).count();
                above = holes::add_row(&mut runs, first + k, line.iter().map(|height| height.is_nan()), above);
            }
            if runs.len() > MOST_RUNS {
                return Err(Error::input(
                    "terrain.dem has no height in so many separate places that they cannot be told apart: fill its holes with \
                     `couloir prepare` (--fill-holes)",
                ));
            }
            let (x0, y0) = lattice.centre(0, first);
            steps.add(&Field { lattice: Lattice { ny: rows.len(), x0, y0, ..lattice }, values }, own.len());
        }
        if nodata == lattice.len() {
            return Err(Error::input("terrain.dem holds nothing but nodata"));
        }
        let gaps = Gaps::of_runs(runs, &lattice, |row| row.min(ny - 1));
        self.warnings.retain(|note| !matches!(note, Note::TerrainOnDemand { .. }));
        self.warnings.extend(gaps.notes("terrain.dem"));
        self.warnings.extend(steps.note("terrain.dem"));
        self.layers
            .iter_mut()
            .filter(|layer| layer.role == "terrain")
            .for_each(|layer| layer.nodata_cells = Some(nodata));
        Ok(())
    }
}
