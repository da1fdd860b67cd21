//! Steps no cliff makes: an undeclared nodata value such as 0, or a spike, looks like a height.

use rayon::prelude::*;

use crate::note::Note;
use crate::terrain::{Field, Lattice};

/// A step between neighbouring cells that is spoken of: higher than this …
const LEAST_STEP_M: f64 = 100.0;
/// … and steeper than 87°.
const LEAST_SLOPE: f64 = 20.0;

/// Steps found so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Steps {
    count: u64,
    highest: f64,
    x: f64,
    y: f64,
}

/// What the user should know of the highest step between two neighbouring cells; `what` names the raster.
pub(crate) fn note(field: &Field<f64>, what: &str) -> Option<Note> {
    let mut steps = Steps::default();
    steps.add(field, field.lattice.ny);
    steps.note(what)
}

impl Steps {
    /// Looks at the first rows of a field, and from them to the row that follows.
    pub(crate) fn add(&mut self, field: &Field<f64>, rows: usize) {
        let Lattice { nx, dx, dy, .. } = field.lattice;
        let least = |distance: f64| LEAST_STEP_M.max(LEAST_SLOPE * distance);
        let rows = (0..rows).into_par_iter().map(|row| {
            let line = &field.values[row * nx..][..nx];
            let north = field.values.get((row + 1) * nx..(row + 2) * nx);
            let (mut count, mut highest) = (0_u64, (0.0, 0, 0));
            let mut look = |column: usize, step: f64, distance: f64| {
                // NaN is no step.
                if step > least(distance) {
                    count += 1;
                    if step > highest.0 {
                        highest = (step, column, row);
                    }
                }
            };
            for column in 0..nx {
                if column + 1 < nx {
                    look(column, (line[column + 1] - line[column]).abs(), dx);
                }
                if let Some(north) = north {
                    look(column, (north[column] - line[column]).abs(), dy);
                }
            }
            (count, highest)
        });
        let (count, (step, column, row)) = rows.reduce(
            || (0, (0.0, 0, 0)),
            |a, b| (a.0 + b.0, if (b.1.0, a.1.2, a.1.1) > (a.1.0, b.1.2, b.1.1) { b.1 } else { a.1 }),
        );
        self.count += count;
        if step > self.highest {
            (self.highest, (self.x, self.y)) = (step, field.lattice.centre(column, row));
        }
    }

    pub(crate) fn note(&self, what: &str) -> Option<Note> {
        let Self { count, highest, x, y } = *self;
        let note = Note::StepsBetweenCells { raster: what.into(), step_m: highest, x, y, places: count };
        (count > 0).then_some(note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_among_heights_is_spoken_of_and_a_cliff_is_not() {
        let lattice = Lattice { nx: 30, ny: 20, x0: 0.0, y0: 0.0, dx: 4.0, dy: 4.0 };
        let mut field = Field { lattice, values: (0..600).map(|k| 700.0 + 3.0 * (k / 30) as f64).collect() };
        assert_eq!(note(&field, "dem"), None);
        // A wall of 95 m, and of 300 m over cells of 40 m.
        (300..600).for_each(|k| field.values[k] += 95.0);
        assert_eq!(note(&field, "dem"), None);
        field.lattice.dy = 40.0;
        (300..600).for_each(|k| field.values[k] += 205.0);
        assert_eq!(note(&field, "dem"), None);
        field.lattice.dy = 4.0;
        (300..600).for_each(|k| field.values[k] -= 300.0);
        field.values[5 * 30 + 7] = 0.0;
        field.values[100] = f64::NAN;
        let said = note(&field, "dem").unwrap().to_string();
        assert!(said.contains("718 m at (28.0, 20.0)") && said.contains("in 4 places"), "{said}");
    }
}
