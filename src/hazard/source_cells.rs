//! Cells rocks started in, and how they are stored.

use std::collections::HashMap;
use std::io::{self, Read, Write};

use crate::Result;
use crate::hazard::codec;
use crate::terrain::Lattice;

/// Cells rocks started in, numbered from 0.
#[derive(Debug, Clone, Default)]
pub struct SourceCells {
    /// Cell, and rocks counted that started there.
    list: Vec<(u64, u32)>,
    /// Only looked up, never walked: its order plays no part.
    numbers: HashMap<u64, u32>,
}

impl SourceCells {
    /// Counts rocks from a cell; returns its number.
    pub fn add(&mut self, cell: u64, rocks: u32) -> u32 {
        let number = *self.numbers.entry(cell).or_insert(self.list.len() as u32);
        match self.list.get_mut(number as usize) {
            Some((_, count)) => *count = count.saturating_add(rocks),
            None => self.list.push((cell, rocks)),
        }
        number
    }

    /// Cell and rocks by number.
    pub fn list(&self) -> &[(u64, u32)] {
        &self.list
    }

    /// The list in order of cells, and the new number of each old one; `None` if nothing changes.
    pub(super) fn sorted(&self) -> (Vec<(u64, u32)>, Option<Vec<u32>>) {
        if self.list.is_sorted() {
            return (self.list.clone(), None);
        }
        let mut order: Vec<u32> = (0..self.list.len() as u32).collect();
        order.sort_unstable_by_key(|&number| self.list[number as usize].0);
        let mut numbers = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| numbers[old as usize] = new as u32);
        (order.iter().map(|&number| self.list[number as usize]).collect(), Some(numbers))
    }

    /// Adds those that [`write`] wrote for the same lattice.
    pub(super) fn read(&mut self, lattice: &Lattice, input: &mut impl Read) -> Result<()> {
        for _ in 0..codec::take_u64(input)? {
            let cell = match has_wide_cells(lattice) {
                true => codec::take_u64(input)?,
                false => codec::take_u32(input)?.into(),
            };
            self.add(cell, codec::take_u32(input)?);
        }
        Ok(())
    }
}

/// Writes a sorted list of cells and rocks.
pub(super) fn write(lattice: &Lattice, sources: &[(u64, u32)], out: &mut impl Write) -> io::Result<()> {
    codec::put_u64(out, sources.len() as u64)?;
    for &(cell, count) in sources {
        // Numbers of small rasters take four bytes.
        match has_wide_cells(lattice) {
            true => codec::put_u64(out, cell)?,
            false => codec::put_u32(out, cell as u32)?,
        }
        codec::put_u32(out, count)?;
    }
    Ok(())
}

/// Whether cells have numbers of more than 32 bits.
fn has_wide_cells(lattice: &Lattice) -> bool {
    lattice.len() as u64 > 1 << 32
}
