//! Connected cells of equal class.

use crate::terrain::{Field, Lattice};

/// Connected patches of equal class: a label per cell (0 for class 0), and the class of each label.
pub struct Patches {
    /// Row by row, with a cell of label 0 on every side of the raster.
    pub labels: Vec<u32>,
    /// `classes[label]`; label 0 is no patch.
    pub classes: Vec<u8>,
    /// Number of the first cell of each label.
    pub firsts: Vec<u32>,
}

/// Labels 4-connected patches of the classes above 0, in the order of their first cells.
pub fn patches(zones: &Field<u8>) -> Patches {
    let connected = Connected::new(zones.lattice.nx, &zones.values);
    let Lattice { nx, ny, .. } = zones.lattice;
    let mut numbers = vec![0u32; connected.sizes.len()];
    let (mut classes, mut firsts) = (vec![0], vec![0]);
    let mut labels = vec![0; (nx + 2) * (ny + 2)];
    for run in &connected.runs {
        let class = zones.values[run.first as usize];
        let number = &mut numbers[run.label as usize];
        if class > 0 && *number == 0 {
            *number = classes.len() as u32;
            classes.push(class);
            firsts.push(run.first);
        }
        let row = run.first as usize / nx;
        let framed = |cell: u32| cell as usize + (nx + 2) + 1 + 2 * row;
        labels[framed(run.first)..framed(run.end)].fill(*number);
    }
    Patches { labels, classes, firsts }
}

/// Cells of equal class that are connected by edges have the same label (Rosenfeld & Pfaltz 1966, with runs instead of
/// cells).
pub(super) struct Connected {
    /// From the first cell to the last.
    pub(super) runs: Vec<Run>,
    /// Cells, by label.
    pub(super) sizes: Vec<u32>,
}

/// Neighbouring cells of a row that have the same class. In 32 bits: rough zones have a run for every other cell.
pub(super) struct Run {
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) label: u32,
}

impl Connected {
    pub(super) fn new(nx: usize, values: &[u8]) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let mut labels = Labels::default();
        // Runs of the row to the south that may lie below the next run.
        let mut south = 0;
        for row in (0..values.len()).step_by(nx.max(1)) {
            let row_begins = runs.len();
            let mut first = row;
            while first < row + nx {
                let class = values[first];
                let length = values[first..row + nx].iter().position(|&other| other != class);
                let end = length.map_or(row + nx, |length| first + length);
                let mut label = None;
                while south < row_begins && (runs[south].first as usize) + nx < end {
                    if values[runs[south].first as usize] == class {
                        label = Some(labels.same(label, runs[south].label));
                    }
                    // One that reaches further lies below the next run, too.
                    if runs[south].end as usize + nx > end {
                        break;
                    }
                    south += 1;
                }
                let label = label.unwrap_or_else(|| labels.new_one());
                runs.push(Run { first: first as u32, end: end as u32, label });
                first = end;
            }
            south = row_begins;
        }
        labels.settle();
        let mut sizes = vec![0; labels.parents.len()];
        for run in &mut runs {
            run.label = labels.parents[run.label as usize];
            sizes[run.label as usize] += run.end - run.first;
        }
        Self { runs, sizes }
    }
}

/// By label: the label it is the same as, at last itself.
#[derive(Default)]
struct Labels {
    parents: Vec<u32>,
}

impl Labels {
    fn new_one(&mut self) -> u32 {
        self.parents.push(self.parents.len() as u32);
        self.parents.len() as u32 - 1
    }

    /// Makes two labels the same; returns the one that stays.
    fn same(&mut self, a: Option<u32>, b: u32) -> u32 {
        let (a, b) = (self.root(a.unwrap_or(b)), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
        a.min(b)
    }

    /// The label all cells of this label have at last; shortens the way to it.
    fn root(&mut self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            let next = self.parents[self.parents[label as usize] as usize];
            self.parents[label as usize] = next;
            label = next;
        }
        label
    }

    /// Gives every label its root. Parents are smaller than their children: in this order each has its root already.
    fn settle(&mut self) {
        for label in 0..self.parents.len() {
            self.parents[label] = self.parents[self.parents[label] as usize];
        }
    }
}
