//! What an ensemble leaves in every cell, in a form that merges to the same bits in any order: integer counts, maxima,
//! sums in fixed point, and sparse histograms.
//!
//! Memory: cells live in tiles of 32 × 32 that exist only where a rock has passed, at 2 bytes a cell; a cell a rock has
//! passed costs 8 bytes more and 4 for each maximum wanted (8 for each mean and frequency), a passage two or three bytes
//! per histogram and for the set of source cells. Nothing is stored per trajectory.
//!
//! Source cells are numbered from 0 as they come, since small numbers take few bytes; on disk they are numbered from the
//! south-west, so that the bytes do not depend on the order of counting.

use std::borrow::Cow;
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::sync::Arc;

use crate::hazard::codec;
use crate::hazard::histogram::bin;
use crate::hazard::quantity::{PerQuantity, Quantity};
use crate::hazard::source_cells::{self, SourceCells};
use crate::hazard::sparse::SparseTiles;
use crate::hazard::squares::{Entry, Part, SquareCounts, Squares, WEIGHT_QUANTUM};
use crate::hazard::stored::{self, Counted, TileFile, Tiles};
use crate::hazard::tile::{Addition, CELLS, Layout, Pending, SIDE, Tile};
use crate::hazard::traverse::Visit;
use crate::terrain::Lattice;
use crate::{Error, Result};

/// Sums of values are kept in units of 2⁻²⁰ (about 10⁻⁶ kJ, m/s, m, rev/s).
pub const SUM_QUANTUM: f64 = 1.0 / (1u64 << 20) as f64;
/// Sums of yearly frequencies are kept in units of 2⁻⁴⁸ (3.6·10⁻¹⁵ per year).
pub const FREQUENCY_QUANTUM: f64 = 1.0 / (1u64 << 48) as f64;

/// What has to be kept; counts and energy lines always are.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wanted {
    /// Maximum per quantity; needed with a histogram.
    pub max: PerQuantity<bool>,
    /// Histogram per quantity, for quantiles.
    pub histogram: PerQuantity<bool>,
    /// Sum per quantity, for means.
    pub mean: PerQuantity<bool>,
    /// Which source cells feed a cell.
    pub sources: bool,
    /// Energies in kJ, ascending, above which yearly passages are summed; empty if releases carry no frequency.
    pub energies_kj: Vec<f64>,
    /// Squares around each cell, whose rocks are counted apart.
    pub squares: Squares,
}

/// One good trajectory, ready to be counted.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// Cells it passed.
    pub visits: &'a [Visit],
    /// Cell the rock started in.
    pub source_cell: u64,
    /// Cell the rock came to rest in.
    pub deposit: Option<u64>,
    /// What the rock stands for.
    pub frequency_per_year: f64,
    /// Half of the run, 0 or 1.
    pub half: u8,
    /// How many rocks of a short release area it stands for, where it is asked what share of them arrives.
    pub weight: f64,
}

/// The counts of an ensemble in every cell.
#[derive(Debug, Clone)]
pub struct Accumulator {
    /// The cells.
    pub lattice: Lattice,
    /// What is kept.
    pub wanted: Wanted,
    /// What yearly frequencies are multiplied by when they are read: rocks may be added as long as a run goes on, and only at
    /// its end it is known what each stands for.
    pub frequency_scale: f64,
    layout: Layout,
    tiles: Tiles<Box<Tile>>,
    sources: SourceCells,
    squares: Vec<SquareCounts>,
    /// Rocks by half.
    released: [u64; 2],
}

impl Accumulator {
    /// With nothing counted yet.
    pub fn new(lattice: Lattice, wanted: Wanted) -> Self {
        let tiles = Tiles::Held(SparseTiles::of(&lattice));
        let layout = Layout::new(&wanted);
        let square = |&width_m: &f64| SquareCounts::new(lattice, &wanted.squares, width_m);
        let squares = wanted.squares.widths_m.iter().map(square).collect();
        let (sources, released) = (SourceCells::default(), [0; 2]);
        Self { lattice, wanted, frequency_scale: 1.0, layout, tiles, sources, squares, released }
    }

    /// Rocks that entered the squares of this width; `None` if they were not counted.
    pub fn squares(&self, width_m: f64) -> Option<&SquareCounts> {
        self.squares.iter().find(|squares| squares.width_m == width_m)
    }

    /// Rocks of a part of the run.
    pub fn released_in(&self, part: Part) -> u64 {
        part.halves().map(|half| self.released[half]).sum()
    }

    /// Rocks counted.
    pub fn released(&self) -> u64 {
        self.sources.list().iter().map(|&(_, count)| u64::from(count)).sum()
    }

    /// Rocks counted per source cell.
    pub fn sources(&self) -> &SourceCells {
        &self.sources
    }

    /// How the numbers of a cell stand in memory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Counts one trajectory.
    pub fn add(&mut self, passage: &Passage) {
        let source = self.sources.add(passage.source_cell, 1);
        let frequency = (passage.frequency_per_year / FREQUENCY_QUANTUM).round() as u64;
        let half = usize::from(passage.half.min(1));
        self.released[half] += 1;
        let weight = (passage.weight / WEIGHT_QUANTUM).round() as u64;
        let entry = Entry { visits: passage.visits, half, weight, frequency };
        self.squares.iter_mut().for_each(|squares| squares.add(&entry));
        let sums = self.wanted.mean.any();
        for visit in passage.visits {
            let (tile, cell) = self.locate(visit.cell);
            let Some(tile) = self.tiles.slot(tile) else { continue };
            let tile = tile.get_or_insert_default();
            let quanta = |value: f32| (f64::from(value) / SUM_QUANTUM).round() as u64;
            tile.add(
                &self.layout,
                cell,
                &Addition {
                    values: &visit.values,
                    quanta: &if sums { visit.values.map(quanta) } else { PerQuantity::default() },
                    energy_line_deg: visit.energy_line_deg,
                    energies_reached: self
                        .wanted
                        .energies_kj
                        .partition_point(|&e| e <= f64::from(visit.values[Quantity::KineticEnergy])),
                    frequency,
                },
            );
            if self.layout.keeps_pending() {
                let bins = visit.values.map(|value| bin(value) as u16);
                tile.push(&self.layout, Pending { cell: cell as u16, bins, source });
            }
        }
        if let Some(cell) = passage.deposit {
            let (tile, cell) = self.locate(cell);
            if let Some(tile) = self.tiles.slot(tile) {
                let deposits = tile.get_or_insert_default().deposits.entry(cell as u16).or_insert(0);
                *deposits = deposits.saturating_add(1);
            }
        }
    }

    /// Tile and cell within it.
    fn locate(&self, cell: u64) -> (usize, usize) {
        let (column, row) = (cell as usize % self.lattice.nx, cell as usize / self.lattice.nx);
        let across = self.lattice.nx.div_ceil(SIDE);
        ((row / SIDE) * across + column / SIDE, (row % SIDE) * SIDE + column % SIDE)
    }

    /// Cell of the raster (row · nx + column), `None` where the tile sticks out.
    pub fn cell_of(&self, tile: usize, cell: usize) -> Option<u64> {
        let across = self.lattice.nx.div_ceil(SIDE);
        let column = (tile % across) * SIDE + cell % SIDE;
        let row = (tile / across) * SIDE + cell / SIDE;
        (column < self.lattice.nx && row < self.lattice.ny).then(|| (row * self.lattice.nx + column) as u64)
    }

    /// With and without passages.
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// Numbers of the tiles that rocks have passed, in order.
    pub fn passed_tiles(&self) -> Vec<usize> {
        self.tiles.indices()
    }

    /// What was counted in some tiles, on a raster of its own; all rocks count as released there, too.
    pub fn cut_out(&self, columns: Range<usize>, rows: Range<usize>) -> Self {
        let lattice = cut_lattice(&self.lattice, &columns, &rows);
        let mut cut = Self::new(lattice, self.wanted.clone());
        cut.frequency_scale = self.frequency_scale;
        (cut.sources, cut.released) = (self.sources.clone(), self.released);
        let (across, own) = (self.lattice.nx.div_ceil(SIDE), lattice.nx.div_ceil(SIDE));
        for row in rows.clone() {
            for column in columns.clone() {
                let index = (row - rows.start) * own + column - columns.start;
                if let (Some(tile), Some(slot)) = (self.boxed_tile(row * across + column), cut.tiles.slot(index)) {
                    *slot = Some(tile.into_owned());
                }
            }
        }
        cut.squares = self.squares.iter().map(|squares| squares.cut_out(columns.clone(), rows.clone())).collect();
        cut
    }

    /// Brings everything pending into the histograms, so that nobody who reads the tiles has to.
    pub fn settle(&mut self) {
        let layout = &self.layout;
        if let Tiles::Held(tiles) = &mut self.tiles {
            tiles.for_each_mut(|tile| tile.settle(layout));
        }
    }

    fn boxed_tile(&self, index: usize) -> Option<Cow<'_, Box<Tile>>> {
        let sources = self.sources.list().len() as u32;
        self.tiles.get(index, |mut bytes| Tile::read(&self.layout, sources, &mut bytes).map(Box::new))
    }

    /// A tile with nothing pending; `None` where no rock has passed.
    pub fn tile(&self, index: usize) -> Option<Cow<'_, Tile>> {
        match self.boxed_tile(index)? {
            Cow::Borrowed(tile) if tile.is_settled() => Some(Cow::Borrowed(&**tile)),
            Cow::Borrowed(tile) => {
                let mut copy = Tile::clone(tile);
                copy.settle(&self.layout);
                Some(Cow::Owned(copy))
            }
            Cow::Owned(tile) => Some(Cow::Owned(*tile)),
        }
    }

    /// Writes everything counted; the bytes depend on what was counted, not on the order.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (sources, renumber) = self.sources.sorted();
        source_cells::write(&self.lattice, &sources, out)?;
        self.tiles.write(out, |index, held| {
            let tile = self.tile(index);
            let mut bytes = Vec::new();
            tile.as_deref().unwrap_or(held).write(&self.layout, renumber.as_deref(), &mut bytes)?;
            Ok(bytes)
        })?;
        self.released.iter().try_for_each(|&rocks| codec::put_u64(out, rocks))?;
        self.squares.iter().try_for_each(|squares| squares.write(out))
    }

    /// Reads back what [`Self::write`] wrote for the same lattice and wishes.
    pub fn read(lattice: Lattice, wanted: Wanted, input: &mut impl Read) -> Result<Self> {
        let mut new = Self::new(lattice, wanted);
        new.sources.read(&lattice, input)?;
        let sources = new.sources.list().len() as u32;
        let decode = |mut bytes: &[u8]| Tile::read(&new.layout, sources, &mut bytes).map(Box::new);
        new.tiles = Tiles::read(SparseTiles::of(&lattice), input, decode)?;
        new.read_released(input)?;
        new.squares.iter_mut().try_for_each(|squares| squares.read(input))?;
        Ok(new)
    }

    /// The same, but tiles stay in their file and are read when asked for.
    pub fn open<R: Read + Seek>(
        lattice: Lattice,
        wanted: Wanted,
        input: &mut Counted<R>,
        file: &Arc<TileFile>,
    ) -> Result<Self> {
        let mut new = Self::new(lattice, wanted);
        new.sources.read(&lattice, input)?;
        new.tiles = Tiles::open(new.tiles.len(), input, file)?;
        new.read_released(input)?;
        new.squares.iter_mut().try_for_each(|squares| squares.open(input, file))?;
        Ok(new)
    }

    fn read_released(&mut self, input: &mut impl Read) -> Result<()> {
        for rocks in &mut self.released {
            *rocks = codec::take_u64(input)?;
        }
        Ok(())
    }

    /// Joins what parts of a run have counted, from where [`Self::write`] wrote it to where it is written, a tile of each at a time. The bytes are those
    /// of one run.
    pub fn merge<R: Read>(lattice: Lattice, wanted: &Wanted, parts: &mut [R], out: &mut impl Write) -> Result<()> {
        let unwritten =
            |error: io::Error| Error::failed(format!("the counts cannot be written ({error})")).caused_by(error);
        let (mut all, mut numbers) = (Self::new(lattice, wanted.clone()), Vec::new());
        for part in parts.iter_mut() {
            let mut of_part = Self::new(lattice, wanted.clone());
            of_part.sources.read(&lattice, part)?;
            let add = |&(cell, count): &(u64, u32)| all.sources.add(cell, count);
            numbers.push(of_part.sources.list().iter().map(add).collect::<Vec<u32>>());
        }
        let (sources, renumber) = all.sources.sorted();
        if let Some(renumber) = renumber {
            numbers.iter_mut().flatten().for_each(|number| *number = renumber[*number as usize]);
        }
        source_cells::write(&lattice, &sources, out).map_err(unwritten)?;
        let is_same = |numbers: &Vec<u32>| numbers.iter().enumerate().all(|(old, &new)| old as u32 == new);
        let same: Vec<bool> = numbers.iter().map(is_same).collect();
        stored::merge_lists(parts, out, |mut tiles| {
            if let [(part, bytes)] = &mut tiles[..]
                && (same[*part] || !wanted.sources)
            {
                return Ok(std::mem::take(bytes));
            }
            let mut joined = Tile::default();
            for (part, bytes) in tiles {
                let tile = Tile::read(&all.layout, numbers[part].len() as u32, &mut &bytes[..])?;
                joined.merge(&tile, &all.layout, (!same[part]).then_some(&numbers[part][..]));
            }
            let mut bytes = Vec::new();
            joined.write(&all.layout, None, &mut bytes).map_err(unwritten)?;
            Ok(bytes)
        })?;
        for half in 0..all.released.len() {
            for part in parts.iter_mut() {
                all.released[half] += codec::take_u64(part)?;
            }
            codec::put_u64(out, all.released[half]).map_err(unwritten)?;
        }
        for squares in &all.squares {
            squares.merge(parts, out)?;
        }
        Ok(())
    }

    /// Bytes held, roughly: for reports and tests of the memory figure.
    pub fn memory_bytes(&self) -> usize {
        self.tiles.memory_bytes(|tile| tile.memory_bytes())
            + self.sources.list().len() * 20
            + self.squares.iter().map(SquareCounts::memory_bytes).sum::<usize>()
    }
}

/// The cells of some columns and rows of tiles.
pub(crate) fn cut_lattice(lattice: &Lattice, columns: &Range<usize>, rows: &Range<usize>) -> Lattice {
    let cells = |tiles: &Range<usize>, count: usize| (tiles.end * SIDE).min(count) - tiles.start * SIDE;
    let (x0, y0) = lattice.centre(columns.start * SIDE, rows.start * SIDE);
    Lattice { nx: cells(columns, lattice.nx), ny: cells(rows, lattice.ny), x0, y0, ..*lattice }
}

/// Cells in a tile, for callers that walk one.
pub const TILE_CELLS: usize = CELLS;
