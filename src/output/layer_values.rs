//! The values of all layers of a run, computed in one pass over the counts, and their GeoTIFFs.
//!
//! What was counted is decoded and joined over the scenarios once, whatever number of layers and previews show it. Only
//! the cells that rocks have passed are kept, at four bytes a layer.

use std::path::Path;

use rayon::prelude::*;

use crate::Result;
use crate::geo::Crs;
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::hazard::accumulator::Wanted;
use crate::hazard::statistics::{Cell, ConfidenceRanks, Need, Statistics};
use crate::output::layers::{Layer, NODATA_F32, NODATA_U32, Statistic};
use crate::terrain::Lattice;

pub struct LayerValues {
    layers: Vec<Layer>,
    tiles: Vec<TileValues>,
    /// Cells that rocks have passed, and those of them that fewer than `min_sample` have.
    pub cells: u64,
    pub few: u64,
}

/// Cells of a tile, and for each the values of all layers: a count as it is, anything else as the bits of a Float32 (NaN
/// where there is none).
struct TileValues {
    cells: Vec<u32>,
    bits: Vec<u32>,
    ranges: Vec<Option<(f64, f64)>>,
    few: u64,
}

impl LayerValues {
    pub fn compute(layers: &[Layer], statistics: &Statistics, wanted: &Wanted, min_sample: u32) -> Self {
        let need = layers.iter().map(Layer::need).fold(Need::default(), Need::or);
        let evaluators = || -> Vec<Evaluator> {
            layers.iter().map(|layer| Evaluator::new(layer, statistics, wanted, min_sample)).collect()
        };
        let tile = |evaluators: &mut Vec<Evaluator>, tile: usize| {
            let mut values =
                TileValues { cells: Vec::new(), bits: Vec::new(), ranges: vec![None; layers.len()], few: 0 };
            statistics.for_each_cell_of_tile(tile, need, |cell| {
                values.cells.push(cell.index);
                values.few += u64::from(cell.passages < min_sample);
                for (evaluator, range) in evaluators.iter_mut().zip(&mut values.ranges) {
                    let value = evaluator.value(cell).filter(|value| value.is_finite());
                    *range = joined(*range, value.map(|value| (value, value)));
                    values.bits.push(match value {
                        Some(count) if evaluator.layer.is_count() => count as u32,
                        _ => value.map_or(f32::NAN, |value| value as f32).to_bits(),
                    });
                }
            });
            (!values.cells.is_empty()).then_some(values)
        };
        let tiles: Vec<TileValues> = (0..statistics.tile_count())
            .into_par_iter()
            .map_init(evaluators, tile)
            .filter_map(|values| values)
            .collect();
        let cells = tiles.iter().map(|tile| tile.cells.len() as u64).sum();
        let few = tiles.iter().map(|tile| tile.few).sum();
        Self { layers: layers.to_vec(), tiles, cells, few }
    }

    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Every cell that rocks have passed.
    pub fn passed(&self) -> impl Iterator<Item = usize> + '_ {
        self.tiles.iter().flat_map(|tile| tile.cells.iter().map(|&cell| cell as usize))
    }

    /// Smallest and largest value of a layer, if any cell has one.
    pub fn range(&self, layer: usize) -> Option<(f64, f64)> {
        self.tiles.iter().map(|tile| tile.ranges[layer]).fold(None, joined)
    }

    /// The cells that have a value in a layer, and the value.
    pub fn values(&self, layer: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let is_count = self.layers[layer].is_count();
        let value = move |bits: u32| if is_count { bits as f32 } else { f32::from_bits(bits) };
        self.bits(layer).map(move |(cell, bits)| (cell, value(bits))).filter(|(_, value)| !value.is_nan())
    }

    fn bits(&self, layer: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let count = self.layers.len();
        self.tiles.iter().flat_map(move |tile| {
            let bits = tile.bits[layer..].iter().step_by(count);
            tile.cells.iter().zip(bits).map(|(&cell, &bits)| (cell as usize, bits))
        })
    }

    /// Writes `<folder>/<name>.tif` of one layer.
    pub fn write(&self, layer: usize, folder: &Path, lattice: &Lattice, crs: &Crs, min_sample: u32) -> Result<()> {
        let layer_of = &self.layers[layer];
        let path = folder.join(format!("{layer_of}.tif"));
        let (description, unit) = (layer_of.description(min_sample), layer_of.unit());
        let write = |data, nodata| {
            let band = Band { description: &description, unit, data, nodata };
            write_raster::write(&path, lattice, crs, &[band], &WriteRaster::default())
        };
        if layer_of.is_count() {
            let mut raster = vec![NODATA_U32; lattice.len()];
            self.bits(layer).for_each(|(cell, count)| raster[cell] = count);
            write(BandData::U32(&raster), f64::from(NODATA_U32))
        } else {
            let mut raster = vec![NODATA_F32; lattice.len()];
            self.values(layer).for_each(|(cell, value)| raster[cell] = value);
            write(BandData::F32(&raster), f64::from(NODATA_F32))
        }
    }
}

fn joined(a: Option<(f64, f64)>, b: Option<(f64, f64)>) -> Option<(f64, f64)> {
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
                Statistic::Max => Some(f64::from(cell.max[quantity.index()])),
                Statistic::P95Lower => self.ranks.get(cell.passages).0.map(|rank| cell.ranked(quantity, rank)),
                Statistic::P95Upper => self.ranks.get(cell.passages).1.map(|rank| cell.ranked(quantity, rank)),
            },
        }
    }
}
