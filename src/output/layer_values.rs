//! The values of a run's layers, and their GeoTIFFs.
//!
//! What was counted is decoded and joined over the scenarios once for all layers and previews, and kept for the cells that
//! rocks have passed, at four bytes a layer. On a large lattice that would take too much memory: there each layer is
//! computed whenever it is asked for.

use std::path::Path;

use rayon::prelude::*;

use crate::Result;
use crate::draw::relief::{Around, Window};
use crate::geo::Crs;
use crate::geo::sparse_raster::{About, Pixel, SparseRaster};
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::hazard::accumulator::Wanted;
use crate::hazard::ranks::ConfidenceRanks;
use crate::hazard::statistics::{Cell, Need, Statistics};
use crate::store::layers::{LARGE_MAP, Layer, NODATA_F32, NODATA_U32, SMALL_LATTICE, Statistic};
use crate::terrain::Lattice;

/// Values of all layers of a variant, made when asked for.
pub struct LayerValues<'a> {
    /// Which there are.
    pub layers: &'a [Layer],
    lattice: Lattice,
    statistics: Statistics<'a>,
    wanted: &'a Wanted,
    min_sample: u32,
    /// `None` on a large lattice.
    tiles: Option<Vec<TileValues>>,
    /// Cells that rocks have passed, and those of them that fewer than `min_sample` have.
    pub cells: u64,
    /// Of these, cells with fewer rocks than a quantile needs.
    pub few: u64,
    /// The part of the lattice where rocks pass.
    pub window: Window,
}

/// Cells of a tile, and layer by layer their values: a count as it is, anything else as the bits of a Float32 (NaN where
/// there is none).
struct TileValues {
    cells: Vec<u64>,
    bits: Vec<Vec<u32>>,
    ranges: Vec<Range>,
    few: u64,
}

/// Smallest and largest value of a layer, if any cell has one.
type Range = Option<(f64, f64)>;

impl<'a> LayerValues<'a> {
    /// From the counts.
    pub fn new(
        layers: &'a [Layer],
        lattice: Lattice,
        statistics: Statistics<'a>,
        wanted: &'a Wanted,
        min_sample: u32,
    ) -> Self {
        let (mut around, mut cells, mut few) = (Around::default(), 0, 0);
        let tiles = (lattice.len() <= SMALL_LATTICE).then(|| all_tiles(layers, &statistics, wanted, min_sample));
        match &tiles {
            Some(tiles) => tiles.iter().for_each(|tile| {
                cells += tile.cells.len() as u64;
                few += tile.few;
                tile.cells.iter().for_each(|&cell| around.add(&lattice, cell as usize));
            }),
            None => statistics.for_each_cell(Need::default(), |cell| {
                cells += 1;
                few += u64::from(cell.passages < min_sample);
                around.add(&lattice, cell.index as usize);
            }),
        }
        let window = around.window(&lattice);
        Self { layers, lattice, statistics, wanted, min_sample, tiles, cells, few, window }
    }

    /// Calls `each` with every cell that has a value in a layer, and the value; returns their range.
    pub fn read(&self, layer: usize, mut each: impl FnMut(usize, f64)) -> Range {
        let kind = &self.layers[layer];
        let Some(tiles) = &self.tiles else {
            let mut evaluator = Evaluator::new(kind, &self.statistics, self.wanted, self.min_sample);
            let mut range = None;
            self.statistics.for_each_cell(kind.need(), |cell| {
                if let Some(value) = evaluator.value(cell).filter(|value| value.is_finite()) {
                    range = joined(range, Some((value, value)));
                    each(cell.index as usize, value);
                }
            });
            return range;
        };
        for tile in tiles {
            for (&cell, &bits) in tile.cells.iter().zip(&tile.bits[layer]) {
                let value = if kind.is_count() { f64::from(bits) } else { f64::from(f32::from_bits(bits)) };
                if !value.is_nan() {
                    each(cell as usize, value);
                }
            }
        }
        tiles.iter().map(|tile| tile.ranges[layer]).fold(None, joined)
    }

    /// Writes `<folder>/<name>.tif` of one layer; its description begins with whose rocks these are.
    pub fn write(&self, layer: usize, folder: &Path, crs: &Crs, whose: &str) -> Result<()> {
        let kind = &self.layers[layer];
        let path = folder.join(format!("{kind}.tif"));
        let (description, unit) = (format!("{whose}{}", kind.description(self.min_sample)), kind.unit());
        let write = |data, nodata| {
            let band = Band { description: &description, unit, data, nodata };
            write_raster::write(&path, &self.lattice, crs, &[band], &WriteRaster::of_results(&self.lattice))
        };
        if self.lattice.len() > LARGE_MAP {
            return match kind.is_count() {
                true => self.write_blocks(layer, &path, crs, &description, NODATA_U32, |count| count as u32),
                false => self.write_blocks(layer, &path, crs, &description, NODATA_F32, |value| value as f32),
            };
        }
        if kind.is_count() {
            let mut raster = vec![NODATA_U32; self.lattice.len()];
            self.read(layer, |cell, count| raster[cell] = count as u32);
            write(BandData::U32(&raster), f64::from(NODATA_U32))
        } else {
            let mut raster = vec![NODATA_F32; self.lattice.len()];
            self.read(layer, |cell, value| raster[cell] = value as f32);
            write(BandData::F32(&raster), f64::from(NODATA_F32))
        }
    }
}

impl LayerValues<'_> {
    /// On a map too large for an array of its cells.
    fn write_blocks<T: Pixel>(
        &self,
        layer: usize,
        path: &Path,
        crs: &Crs,
        description: &str,
        nodata: T,
        value: impl Fn(f64) -> T,
    ) -> Result<()> {
        let about = About { description, unit: self.layers[layer].unit(), nodata, colours: None };
        let mut raster = SparseRaster::create(path, &self.lattice, crs, &about)?;
        let mut done = Ok(());
        self.read(layer, |cell, number| {
            if done.is_ok() {
                done = raster.put(cell, value(number));
            }
        });
        done.and_then(|()| raster.finish())
    }
}

fn all_tiles(layers: &[Layer], statistics: &Statistics, wanted: &Wanted, min_sample: u32) -> Vec<TileValues> {
    let need = layers.iter().map(Layer::need).fold(Need::default(), Need::or);
    let evaluators = || -> Vec<Evaluator> {
        layers.iter().map(|layer| Evaluator::new(layer, statistics, wanted, min_sample)).collect()
    };
    let tile = |evaluators: &mut Vec<Evaluator>, tile: usize| {
        let (bits, ranges) = (vec![Vec::new(); layers.len()], vec![None; layers.len()]);
        let mut values = TileValues { cells: Vec::new(), bits, ranges, few: 0 };
        statistics.for_each_cell_of_tile(tile, need, |cell| {
            values.cells.push(cell.index);
            values.few += u64::from(cell.passages < min_sample);
            let of_layers = values.bits.iter_mut().zip(&mut values.ranges);
            for (evaluator, (bits, range)) in evaluators.iter_mut().zip(of_layers) {
                let value = evaluator.value(cell).filter(|value| value.is_finite());
                *range = joined(*range, value.map(|value| (value, value)));
                bits.push(match value {
                    Some(count) if evaluator.layer.is_count() => count as u32,
                    _ => value.map_or(f32::NAN, |value| value as f32).to_bits(),
                });
            }
        });
        values
    };
    let tiles = statistics.passed_tiles().into_par_iter().map_init(evaluators, tile);
    tiles.filter(|values| !values.cells.is_empty()).collect()
}

fn joined(a: Range, b: Range) -> Range {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// The value of a layer in a cell.
struct Evaluator<'a> {
    layer: Layer,
    statistics: &'a Statistics<'a>,
    released: f64,
    energy: Option<usize>,
    min_sample: u32,
    ranks: ConfidenceRanks,
}

impl<'a> Evaluator<'a> {
    fn new(layer: &Layer, statistics: &'a Statistics<'a>, wanted: &Wanted, min_sample: u32) -> Self {
        let energy = match layer {
            Layer::FrequencyAbove(energy) => wanted.energies_kj.iter().position(|known| known == energy),
            _ => None,
        };
        let released = statistics.released() as f64;
        Self { layer: *layer, statistics, released, energy, min_sample, ranks: ConfidenceRanks::new(0.95) }
    }

    fn value(&mut self, cell: &Cell) -> Option<f64> {
        let passages = f64::from(cell.passages);
        match self.layer {
            Layer::Passages => Some(passages),
            Layer::Deposits => Some(f64::from(cell.deposits)),
            Layer::SourceCells => Some(cell.sources().len() as f64),
            Layer::ReachProbability => Some(passages / self.released),
            Layer::ReachProbabilityLocal => Some(passages / self.statistics.released_from(cell.sources()) as f64),
            Layer::EnergyLineAngle => Some(f64::from(cell.energy_line_deg)),
            Layer::SampleSizeWarning => Some(f64::from(u8::from(cell.passages < self.min_sample))),
            Layer::FrequencyAbove(_) => self.energy.map(|energy| cell.frequency_above(energy)),
            Layer::Statistic(quantity, statistic) => match statistic {
                Statistic::Mean => Some(cell.mean(quantity)),
                Statistic::P50 => Some(cell.quantile(quantity, 0.5)),
                Statistic::P90 => Some(cell.quantile(quantity, 0.9)),
                Statistic::P95 => Some(cell.quantile(quantity, 0.95)),
                Statistic::P99 => Some(cell.quantile(quantity, 0.99)),
                Statistic::Max => Some(f64::from(cell.max[quantity])),
                Statistic::P95Lower => self.ranks.get(cell.passages).0.map(|rank| cell.ranked(quantity, rank)),
                Statistic::P95Upper => self.ranks.get(cell.passages).1.map(|rank| cell.ranked(quantity, rank)),
            },
        }
    }
}
