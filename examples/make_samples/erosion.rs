//! Water at work: drainage by priority flood, incision by stream power, creep by diffusion.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use couloir::terrain::grid::Field;

/// A cell waiting to be flooded; the heap pops the lowest, ties by index so that the order is always the same.
#[derive(PartialEq)]
struct Waiting {
    height: f64,
    cell: usize,
}

impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.height.total_cmp(&self.height).then(other.cell.cmp(&self.cell))
    }
}

/// How water leaves a surface.
pub struct Drainage {
    /// Cells from the lowest to the highest of the filled surface.
    order: Vec<usize>,
    /// The surface without pits.
    filled: Vec<f64>,
    /// Drained area of each cell, m².
    pub area: Vec<f64>,
}

/// The neighbours of a cell with their distance in cells.
fn neighbours(nx: usize, ny: usize, cell: usize) -> impl Iterator<Item = (usize, f64)> {
    let (column, row) = ((cell % nx) as i64, (cell / nx) as i64);
    let diagonal = std::f64::consts::SQRT_2;
    [(-1, 0, 1.0), (1, 0, 1.0), (0, -1, 1.0), (0, 1, 1.0)]
        .into_iter()
        .chain([(-1, -1, diagonal), (1, -1, diagonal), (-1, 1, diagonal), (1, 1, diagonal)])
        .filter_map(move |(dx, dy, distance)| {
            let (i, j) = (column + dx, row + dy);
            let inside = i >= 0 && j >= 0 && i < nx as i64 && j < ny as i64;
            inside.then(|| (j as usize * nx + i as usize, distance))
        })
}

/// Floods from the rim inwards (Barnes 2014), then sends each cell's water to all its lower neighbours by slope.
pub fn drain(dem: &Field<f64>) -> Drainage {
    let (nx, ny, cell_size) = (dem.lattice.nx, dem.lattice.ny, dem.lattice.dx);
    let mut filled = dem.values.clone();
    let mut seen = vec![false; filled.len()];
    let mut heap = BinaryHeap::new();
    let mut order = Vec::with_capacity(filled.len());
    for cell in 0..filled.len() {
        let (column, row) = (cell % nx, cell / nx);
        if column == 0 || row == 0 || column == nx - 1 || row == ny - 1 {
            seen[cell] = true;
            heap.push(Waiting { height: filled[cell], cell });
        }
    }
    while let Some(Waiting { height, cell }) = heap.pop() {
        order.push(cell);
        for (next, _) in neighbours(nx, ny, cell) {
            if !seen[next] {
                seen[next] = true;
                filled[next] = filled[next].max(height + 1e-4);
                heap.push(Waiting { height: filled[next], cell: next });
            }
        }
    }
    let mut area = vec![cell_size * cell_size; filled.len()];
    for &cell in order.iter().rev() {
        let weight = |next: usize, distance: f64| {
            let slope = ((filled[cell] - filled[next]) / distance).max(0.0);
            slope * slope.sqrt()
        };
        let total: f64 = neighbours(nx, ny, cell).map(|(next, distance)| weight(next, distance)).sum();
        if total > 0.0 {
            for (next, distance) in neighbours(nx, ny, cell) {
                area[next] += area[cell] * weight(next, distance) / total;
            }
        }
    }
    Drainage { order, filled, area }
}

/// One implicit step of stream power, dz/dt = −k √A S (Braun & Willett 2013), then of creep.
/// `strength` is k Δt per cell, `creep` the diffusion number per cell (at most 0.2).
pub fn erode(dem: &mut Field<f64>, strength: &[f64], creep: &[f64]) {
    let (nx, ny, cell_size) = (dem.lattice.nx, dem.lattice.ny, dem.lattice.dx);
    let drainage = drain(dem);
    let z = &mut dem.values;
    for &cell in &drainage.order {
        let steepest = neighbours(nx, ny, cell)
            .map(|(next, distance)| ((drainage.filled[cell] - drainage.filled[next]) / distance, next, distance))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((slope, next, distance)) = steepest
            && slope > 0.0
            && z[cell] > z[next]
        {
            let f = strength[cell] * drainage.area[cell].sqrt() / (distance * cell_size);
            z[cell] = (z[cell] + f * z[next]) / (1.0 + f);
        }
    }
    diffuse(dem, creep);
}

/// One explicit step of diffusion; the rim stays.
pub fn diffuse(dem: &mut Field<f64>, number: &[f64]) {
    let (nx, ny) = (dem.lattice.nx, dem.lattice.ny);
    let old = dem.values.clone();
    for row in 1..ny - 1 {
        for column in 1..nx - 1 {
            let c = row * nx + column;
            let mean = 0.25 * (old[c - 1] + old[c + 1] + old[c - nx] + old[c + nx]);
            dem.values[c] += 4.0 * number[c] * (mean - old[c]);
        }
    }
}
