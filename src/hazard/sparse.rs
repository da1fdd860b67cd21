//! Tiles of a large raster of which few are there: what is not, takes no memory worth speaking of.

use rayon::prelude::*;

use crate::hazard::tile::{CELLS, SIDE};
use crate::terrain::Lattice;

/// Slots that are made together, the first time one of them is needed.
const PAGE: usize = 256;

/// A slot for each tile, most of them empty.
#[derive(Debug, Clone)]
pub(crate) struct SparseTiles<T> {
    pages: Vec<Option<Box<[Option<T>]>>>,
    count: usize,
}

impl<T> SparseTiles<T> {
    /// So many empty slots.
    pub(crate) fn new(count: usize) -> Self {
        Self { pages: (0..count.div_ceil(PAGE)).map(|_| None).collect(), count }
    }

    /// One slot for each tile of a lattice.
    pub(crate) fn of(lattice: &Lattice) -> Self {
        Self::new(lattice.nx.div_ceil(SIDE) * lattice.ny.div_ceil(SIDE))
    }

    /// Slots, empty or not.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.pages.get(index / PAGE)?.as_ref()?[index % PAGE].as_ref()
    }

    /// `None` beyond the last.
    pub(crate) fn slot(&mut self, index: usize) -> Option<&mut Option<T>> {
        if index >= self.count {
            return None;
        }
        let page = self.pages[index / PAGE].get_or_insert_with(|| (0..PAGE).map(|_| None).collect());
        Some(&mut page[index % PAGE])
    }

    /// Those that are there, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let pages = self.pages.iter().enumerate().filter_map(|(k, page)| Some((k, page.as_deref()?)));
        pages.flat_map(|(k, page)| {
            page.iter().enumerate().filter_map(move |(i, tile)| Some((k * PAGE + i, tile.as_ref()?)))
        })
    }

    /// Memory of the slots themselves, bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count();
        self.pages.len() * size_of::<usize>() * 2 + pages * PAGE * size_of::<Option<T>>()
    }
}

impl<T: Send> SparseTiles<T> {
    /// Calls `each` for those that are there, on all threads.
    pub(crate) fn for_each_mut(&mut self, each: impl Fn(&mut T) + Sync) {
        let pages = self.pages.par_iter_mut().flatten();
        pages.for_each(|page| page.iter_mut().flatten().for_each(&each));
    }
}

/// One value for each cell of a raster of which few have one.
#[derive(Debug, Clone)]
pub struct SparseField<T> {
    lattice: Lattice,
    empty: T,
    tiles: SparseTiles<Box<[T]>>,
}

impl<T: Copy> SparseField<T> {
    /// `empty` where there is none.
    pub fn new(lattice: Lattice, empty: T) -> Self {
        Self { lattice, empty, tiles: SparseTiles::of(&lattice) }
    }

    /// The cells.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The value of a cell, row · nx + column, to be changed. Panics beyond the raster.
    pub fn at_mut(&mut self, cell: usize) -> &mut T {
        let (column, row) = (cell % self.lattice.nx, cell / self.lattice.nx);
        let (empty, across) = (self.empty, self.lattice.nx.div_ceil(SIDE));
        let slot = self.tiles.slot((row / SIDE) * across + column / SIDE).expect("a cell of the raster");
        let tile = slot.get_or_insert_with(|| vec![empty; CELLS].into());
        &mut tile[(row % SIDE) * SIDE + column % SIDE]
    }

    /// Calls `each` with the cells of all tiles that hold a value, tile by tile from the south-west.
    pub fn for_each(&self, mut each: impl FnMut(usize, T)) {
        let Lattice { nx, ny, .. } = self.lattice;
        let across = nx.div_ceil(SIDE);
        for (index, tile) in self.tiles.iter() {
            for (at, value) in tile.iter().enumerate() {
                let (column, row) = ((index % across) * SIDE + at % SIDE, (index / across) * SIDE + at / SIDE);
                if column < nx && row < ny {
                    each(row * nx + column, *value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_order_and_nothing_is_kept_of_the_rest() {
        let lattice = Lattice { nx: 60_000, ny: 50_000, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let mut field = SparseField::new(lattice, 0u8);
        let cells = [3, 60_000 * 7 + 59_999, 2_999_999_999, 1_234_567_890];
        cells.iter().for_each(|&cell| *field.at_mut(cell) += 1);
        let mut found = Vec::new();
        field.for_each(|cell, value| {
            if value > 0 {
                found.push(cell);
            }
        });
        assert_eq!(found, [3, 60_000 * 7 + 59_999, 1_234_567_890, 2_999_999_999]);
        assert!(field.tiles.memory_bytes() < 300_000, "{}", field.tiles.memory_bytes());
        assert!(field.tiles.slot(field.tiles.len()).is_none());
    }
}
