//! Pieces of a lattice in blocks as plain rows: a rock asks for heights millions of times, most of them around its release.
//!
//! Rocks fall in an order in which neighbours follow each other, so that one window serves many of them.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Blocks, View};

/// A window reaches at least so many nodes to all sides of where it was asked for, and at most twice as many.
const REACH: usize = 128;
/// So many are kept for each thread.
const KEPT: usize = 4;
/// What these take at most.
pub const WINDOWS_BYTES: usize = KEPT * 8 * (3 * REACH) * (3 * REACH);

/// Some columns and rows, in memory.
#[derive(Debug, Clone)]
pub struct Window {
    /// Which ones.
    pub columns: Range<usize>,
    /// Likewise.
    pub rows: Range<usize>,
    /// Row by row.
    pub values: Arc<Vec<f64>>,
}

/// The last ones that were asked for.
#[derive(Debug, Default)]
pub(super) struct Windows(Mutex<Vec<Window>>);

impl Windows {
    /// That of a node; there must be one.
    pub(super) fn around(&self, blocks: &Arc<Blocks>, column: usize, row: usize) -> Window {
        let nodes = |node: usize, count: usize| {
            let first = node / REACH * REACH;
            first.saturating_sub(REACH)..(first + 2 * REACH).min(count)
        };
        let lattice = blocks.lattice();
        let (columns, rows) = (nodes(column, lattice.nx), nodes(row, lattice.ny));
        let held = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut held = held();
            if let Some(k) = held.iter().position(|known| known.columns == columns && known.rows == rows) {
                let known = held.remove(k);
                held.push(known.clone());
                return known;
            }
        }
        let view = View::new(blocks.clone());
        let mut values = Vec::with_capacity(columns.len() * rows.len());
        rows.clone().for_each(|row| view.extend(row, columns.clone(), &mut values));
        let window = Window { columns, rows, values: Arc::new(values) };
        let mut held = held();
        if held.len() >= KEPT * rayon::current_num_threads() {
            held.remove(0);
        }
        held.push(window.clone());
        window
    }
}
