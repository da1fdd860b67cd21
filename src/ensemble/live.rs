//! A map to look at while rocks fall: how many have passed each cell so far.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Result;
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::hazard::statistics::{Need, Statistics};
use crate::store::{Setup, Store};

/// Between two pictures, unless checkpoints come more often; longer where writing takes long.
const EVERY: Duration = Duration::from_secs(3);
const WRITING_SHARE: u32 = 20;
/// Larger terrains have none: the picture (4 bytes a cell) is not in the estimate of a run's memory.
const MOST_CELLS: usize = 1 << 25;

pub(super) struct Live<'a> {
    file: &'a Path,
    last: Instant,
    took: Duration,
}

impl<'a> Live<'a> {
    pub(super) fn new(file: &'a Path) -> Self {
        Self { file, last: Instant::now(), took: Duration::ZERO }
    }

    pub(super) fn write_now_and_then(&mut self, setup: &Setup, store: &mut Store) {
        if self.last.elapsed() < EVERY.min(store.every()).max(self.took * WRITING_SHARE) {
            return;
        }
        self.write(setup, store);
    }

    /// A picture, if there is anything to see.
    pub(super) fn write(&mut self, setup: &Setup, store: &mut Store) {
        if store.rocks() == 0 {
            return;
        }
        let begun = Instant::now();
        // Whoever looks at it may hold the file: the next picture will do, and a run is never lost for one.
        let _ = self.draw(setup, store);
        (self.last, self.took) = (Instant::now(), begun.elapsed());
    }

    fn draw(&self, setup: &Setup, store: &mut Store) -> Result<()> {
        let lattice = setup.site.scene.surface.lattice();
        if lattice.len() > MOST_CELLS {
            return Ok(());
        }
        store.settle()?;
        let mut passages = vec![0u32; lattice.len()];
        let counts = store.counts(store.variants() - 1);
        Statistics::new(counts).for_each_cell(Need::default(), |cell| passages[cell.index as usize] = cell.passages);
        let description = format!("Rocks passing so far, {} of a run under way", store.rocks());
        let band = Band { description: &description, unit: "", data: BandData::U32(&passages), nodata: 0.0 };
        write_raster::write(self.file, lattice, &setup.site.crs, &[band], &WriteRaster::default())
    }
}
