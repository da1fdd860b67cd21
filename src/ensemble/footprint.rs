//! What a few rocks leave on the map, from which it is reckoned what many will.

use crate::store::Fallen;

/// Of rocks that have fallen, all their variants together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Footprint {
    rocks: u64,
    cells: u64,
    crossings: u64,
    points: u64,
    /// First column and row that was passed, and the first ones beyond.
    columns: (usize, usize),
    rows: (usize, usize),
}

impl Default for Footprint {
    fn default() -> Self {
        let nowhere = (usize::MAX, 0);
        Self { rocks: 0, cells: 0, crossings: 0, points: 0, columns: nowhere, rows: nowhere }
    }
}

impl Footprint {
    /// Of one rock, on a map of `nx` columns.
    pub(super) fn of(variants: &[Fallen], nx: usize) -> Self {
        let mut found = Self { rocks: 1, ..Self::default() };
        for rock in variants {
            found.cells += rock.visits.len() as u64;
            found.crossings += rock.crossings.len() as u64;
            found.points += rock.points.len() as u64;
            for cell in rock.visits.iter().map(|visit| visit.cell as usize) {
                found.columns = around(found.columns, (cell % nx, cell % nx + 1));
                found.rows = around(found.rows, (cell / nx, cell / nx + 1));
            }
        }
        found
    }

    /// Of the rocks of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            rocks: self.rocks + other.rocks,
            cells: self.cells + other.cells,
            crossings: self.crossings + other.crossings,
            points: self.points + other.points,
            columns: around(self.columns, other.columns),
            rows: around(self.rows, other.rows),
        }
    }

    fn each(&self, all: u64) -> f64 {
        all as f64 / self.rocks.max(1) as f64
    }

    /// Cells passed per rock.
    pub(super) fn cells_per_rock(&self) -> f64 {
        self.each(self.cells)
    }

    /// Crossings of lines per rock.
    pub(super) fn crossings_per_rock(&self) -> f64 {
        self.each(self.crossings)
    }

    /// Records along a rock's path.
    pub(super) fn points_per_rock(&self) -> f64 {
        self.each(self.points)
    }

    /// Cells of the rectangle around all that was passed.
    pub(super) fn reached_cells(&self) -> f64 {
        let size = |(first, beyond): (usize, usize)| beyond.saturating_sub(first) as f64;
        size(self.columns) * size(self.rows)
    }
}

fn around(a: (usize, usize), b: (usize, usize)) -> (usize, usize) {
    (a.0.min(b.0), a.1.max(b.1))
}
