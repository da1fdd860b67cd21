//! Tiles of a large raster of which few are there: what is not, takes no memory worth speaking of.

use rayon::prelude::*;

use crate::hazard::tile::SIDE;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_come_back_in_order_and_nothing_is_kept_of_the_rest() {
        let lattice = Lattice { nx: 60_000, ny: 50_000, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let mut tiles = SparseTiles::of(&lattice);
        for index in [3, 2_929_000, 17, 1_234_567] {
            *tiles.slot(index).unwrap() = Some(index);
        }
        assert_eq!(
            tiles.iter().map(|(index, tile)| (index, *tile)).collect::<Vec<_>>()[1..3],
            [(17, 17), (1_234_567, 1_234_567)]
        );
        assert!(tiles.memory_bytes() < 300_000, "{}", tiles.memory_bytes());
        assert!(tiles.slot(tiles.len()).is_none());
    }
}
