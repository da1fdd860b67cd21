//! Roughness below the DEM: stones, hollows and tussocks that real slopes have and terrain models have not.
//!
//! A random height is added at the nodes of a lattice of its own spacing, bilinear between them. It is a pure function of a seed
//! and of the node's place in the world: nothing is stored, and no matter which window of the terrain is looked at, in which
//! order, the ground is the same. A rock sees the part of it around itself, as a surface like any other.
//!
//! Where the spacing is finer than the DEM's cells these are divided into equal parts no larger than the finest spacing there is;
//! spacings count as whole numbers of such parts. Bilinear patches divided are bilinear patches: DEM and roughness together
//! are a bilinear surface on the finer lattice, so that every bound that holds on a DEM holds here.

use std::ops::Range;

use super::frame::Frame;
use super::grid::Lattice;
use super::ground::ParameterField;
use super::surface::{Rim, Surface};

/// How rough the ground is.
#[derive(Debug, Clone, PartialEq)]
pub struct Roughness {
    /// Standard deviation of the nodes' heights, m. None is further than √6 times that from the DEM.
    pub height_m: ParameterField,
    /// Distance between its nodes, m.
    pub spacing_m: ParameterField,
    /// Seed of the one ground that all rocks meet; without it each rock meets its own.
    pub frozen: Option<u64>,
    /// The smallest spacing, m.
    finest_m: f64,
}

impl Roughness {
    /// `frozen` is the seed of a relief that is the same for every rock.
    pub fn new(height_m: ParameterField, spacing_m: ParameterField, frozen: Option<u64>) -> Self {
        let finest_m = spacing_m.smallest();
        Self { height_m, spacing_m, frozen, finest_m }
    }

    /// The distance between nodes, m, that a spacing becomes on cells of this size: so many of the equal parts they are divided into.
    pub fn spacing_in_use(&self, cell_m: f64, spacing_m: f64) -> f64 {
        let part = cell_m / parts(cell_m, self.finest_m) as f64;
        parts_between(part, spacing_m) as f64 * part
    }

    /// In the coordinates of a frame.
    pub fn seen_from(&self, frame: &Frame) -> Self {
        let (height_m, spacing_m) = (self.height_m.seen_from(frame), self.spacing_m.seen_from(frame));
        Self { height_m, spacing_m, ..*self }
    }
}

/// Largest height of a node over its standard deviation: √6, of the sum of two uniform numbers.
pub const LARGEST: f64 = 2.449_489_742_783_178;

/// Nodes of roughness around what was asked for, so that a window lasts for a while.
const SPARE_NODES: f64 = 12.0;

/// The rough ground of one rock, as far as it has come to know it.
#[derive(Debug, Clone)]
pub struct Relief {
    /// Of DEM and roughness together.
    lattice: Lattice,
    rim: Rim,
    /// Its parts of a cell, along x and y.
    parts: [usize; 2],
    /// Number of its first node, counted from the world's origin.
    origin: [i64; 2],
    /// Its parts between two nodes of the finest roughness.
    every: [i64; 2],
    seed: u64,
    window: Surface,
    west: f64,
    east: f64,
    south: f64,
    north: f64,
}

impl Relief {
    /// Of a rock with this seed.
    pub fn new(dem: &Surface, roughness: &Roughness, seed: u64) -> Self {
        let coarse = dem.lattice();
        let parts = [coarse.dx, coarse.dy].map(|cell| parts(cell, roughness.finest_m));
        let (dx, dy) = (coarse.dx / parts[0] as f64, coarse.dy / parts[1] as f64);
        let (nx, ny) = ((coarse.nx - 1) * parts[0] + 1, (coarse.ny - 1) * parts[1] + 1);
        let lattice = Lattice { nx, ny, dx, dy, ..*coarse };
        // Halves and quarters, which rasters have, are far from where this jumps.
        let number = |first: f64, step: f64| (first / step + 0.137).floor() as i64;
        let origin = [number(coarse.x0, dx), number(coarse.y0, dy)];
        let nothing = f64::NAN;
        let rim = dem.rim().divided(parts);
        let window = Surface::part(lattice, rim, Vec::new(), 0..0, 0);
        let seed = roughness.frozen.unwrap_or(seed);
        let every = every(&lattice, roughness.finest_m);
        Self {
            lattice,
            rim,
            parts,
            origin,
            every,
            seed,
            window,
            west: nothing,
            east: nothing,
            south: nothing,
            north: nothing,
        }
    }

    /// Whether it is known within `reach` of a point.
    #[inline]
    pub fn covers(&self, x: f64, y: f64, reach: f64) -> bool {
        x - reach >= self.west && x + reach <= self.east && y - reach >= self.south && y + reach <= self.north
    }

    /// The ground where it is known.
    #[inline]
    pub fn surface(&self) -> &Surface {
        &self.window
    }

    /// Gets to know the ground within `reach` of a point and somewhat further.
    pub fn look_around(&mut self, dem: &Surface, roughness: &Roughness, x: f64, y: f64, reach: f64) {
        let (Lattice { dx, dy, .. }, Rim { west, east, south, north }) = (self.lattice, self.rim);
        let nodes = |at: f64, step: f64, least: usize, most: usize| {
            let wide = reach + (SPARE_NODES * step).max(0.5 * reach);
            let first = ((at - wide) / step).floor().max(least as f64).min(most as f64);
            let last = ((at + wide) / step).ceil().max(least as f64).min(most as f64);
            first as usize..last as usize + 1
        };
        let (columns, rows) = (nodes(x, dx, west, east), nodes(y, dy, south, north));
        // One node less than there is: a crease has a far side. Beyond the terrain there is nothing to know.
        let limits = |nodes: &Range<usize>, step: f64, least: usize, most: usize| {
            let from = if nodes.start == least { f64::NEG_INFINITY } else { (nodes.start + 2) as f64 * step };
            let to = if nodes.end == most + 1 { f64::INFINITY } else { (nodes.end as f64 - 3.0) * step };
            (from, to)
        };
        (self.west, self.east) = limits(&columns, dx, west, east);
        (self.south, self.north) = limits(&rows, dy, south, north);
        let empty = Surface::part(self.lattice, self.rim, Vec::new(), 0..0, 0);
        let mut values = std::mem::replace(&mut self.window, empty).into_values();
        values.clear();
        let wide = |nodes: &Range<usize>, parts: usize, last: usize| {
            nodes.start / parts..((nodes.end - 1) / parts + 3).min(last + 1)
        };
        let whole = *dem.rim();
        let cut = dem.cut_out(&wide(&columns, self.parts[0], whole.east), &wide(&rows, self.parts[1], whole.north));
        let dem = cut.as_ref().unwrap_or(dem);
        for row in rows.clone() {
            dem.divide(row, columns.clone(), self.parts, &mut values);
            let start = values.len() - columns.len();
            for (column, height) in columns.clone().zip(&mut values[start..]) {
                *height += self.bump(roughness, column, row);
            }
        }
        self.window = Surface::part(self.lattice, self.rim, values, columns, rows.start);
    }

    /// What is to be added to the DEM at a node, m.
    fn bump(&self, roughness: &Roughness, column: usize, row: usize) -> f64 {
        let Lattice { dx, dy, .. } = self.lattice;
        let (x, y) = (column as f64 * dx, row as f64 * dy);
        let deviation = roughness.height_m.at(x, y);
        if deviation <= 0.0 {
            return 0.0;
        }
        let every = match roughness.spacing_m {
            ParameterField::Constant(_) => self.every,
            ParameterField::Field(_) => every(&self.lattice, roughness.spacing_m.at(x, y)),
        };
        deviation * self.noise([self.origin[0] + column as i64, self.origin[1] + row as i64], every)
    }

    /// At a node of the fine lattice, bilinear between every so many of them; standard deviation 1 at these.
    fn noise(&self, node: [i64; 2], every: [i64; 2]) -> f64 {
        if every == [1, 1] {
            return drawn(self.seed, node, every);
        }
        let first = [0, 1].map(|k| node[k].div_euclid(every[k]));
        let share = [0, 1].map(|k| node[k].rem_euclid(every[k]) as f64 / every[k] as f64);
        let at = |east: i64, north: i64| drawn(self.seed, [first[0] + east, first[1] + north], every);
        let along = |north: i64| at(0, north) + share[0] * (at(1, north) - at(0, north));
        let south = along(0);
        south + share[1] * (along(1) - south)
    }
}

/// A spacing in parts of a lattice, at least one.
fn every(lattice: &Lattice, spacing: f64) -> [i64; 2] {
    [lattice.dx, lattice.dy].map(|step| parts_between(step, spacing))
}

/// Equal parts of a cell no larger than the finest spacing.
fn parts(cell: f64, finest: f64) -> usize {
    (cell / finest - 1e-9).ceil().max(1.0) as usize
}

fn parts_between(part: f64, spacing: f64) -> i64 {
    (spacing / part).round().max(1.0) as i64
}

/// A number of standard deviation 1 between −[`LARGEST`] and [`LARGEST`], another for every seed, node and spacing.
fn drawn(seed: u64, node: [i64; 2], every: [i64; 2]) -> f64 {
    let mut bits = seed;
    for word in [node[0], node[1], every[0] << 32 | every[1]] {
        // The finaliser of SplitMix64 (Steele, Lea & Flood 2014): every bit of its input moves half of its output's.
        bits = (bits ^ word as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
    }
    let uniform = |half: u64| (half as f64 + 0.5) / f64::from(2_u32).powi(32);
    LARGEST * (uniform(bits >> 32) + uniform(bits & 0xffff_ffff) - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::Field;

    fn dem(nx: usize, x0: f64, height: impl Fn(f64, f64) -> f64) -> Surface {
        let lattice = Lattice { nx, ny: 30, x0, y0: 1_200_000.5, dx: 2.0, dy: 2.0 };
        let values = (0..nx * 30).map(|k| height(x0 + (k % nx) as f64 * 2.0, (k / nx) as f64 * 2.0)).collect();
        Surface::new(Field { lattice, values }).unwrap()
    }

    fn rough(height: f64, spacing: f64) -> Roughness {
        let constant = ParameterField::Constant;
        Roughness::new(constant(height), constant(spacing), None)
    }

    fn known(dem: &Surface, roughness: &Roughness, seed: u64, x: f64, y: f64) -> Relief {
        let mut relief = Relief::new(dem, roughness, seed);
        relief.look_around(dem, roughness, x, y, 2.0);
        assert!(relief.covers(x, y, 2.0));
        relief
    }

    /// Any window, of any crop of the terrain, shows the same ground to the bit at the same place of the world.
    #[test]
    fn windows_and_crops_agree() {
        let slope = |x: f64, y: f64| 0.25 * (x - 2_600_000.0) + 0.5 * y;
        for spacing in [0.5, 0.7, 2.0, 6.0] {
            let roughness = rough(0.1, spacing);
            let (whole, crop) = (dem(40, 2_600_000.5, slope), dem(20, 2_600_020.5, slope));
            let (a, b) = (known(&whole, &roughness, 7, 30.3, 20.1), known(&whole, &roughness, 7, 31.9, 21.3));
            let c = known(&crop, &roughness, 7, 10.3, 20.1);
            let other = known(&whole, &roughness, 8, 30.3, 20.1);
            for (x, y) in [(30.3, 20.1), (31.0, 20.5), (29.5, 19.0)] {
                let height = a.surface().height(x, y).unwrap();
                assert_eq!(height, b.surface().height(x, y).unwrap());
                let cropped = c.surface().height(x - 20.0, y).unwrap();
                assert!((height - cropped).abs() < 1e-9, "{height} {cropped}");
                assert!((height - other.surface().height(x, y).unwrap()).abs() > 1e-6, "another rock, another ground");
            }
        }
    }

    /// Nodes have the stated standard deviation and no mean, neighbours have nothing to do with each other, and none is beyond the bound.
    #[test]
    fn the_noise_is_what_it_claims() {
        let n = 400_i64;
        let values: Vec<f64> = (0..n * n).map(|k| drawn(3, [k % n - 200, k / n + 5_200_000], [1, 1])).collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
        assert!(mean.abs() < 4.0 / count.sqrt(), "{mean}");
        assert!((variance - 1.0).abs() < 0.02, "{variance}");
        for step in [1, 2, n as usize, n as usize + 1] {
            let together = values.windows(step + 1).map(|w| w[0] * w[step]).sum::<f64>() / count;
            assert!(together.abs() < 4.0 / count.sqrt(), "{step} apart: {together}");
        }
        assert!(values.iter().all(|v| v.abs() <= LARGEST));
    }

    /// Without height it is the DEM, and where the DEM has no ground there is none.
    #[test]
    fn even_ground_stays_even_and_holes_stay_holes() {
        let hole = |x: f64, y: f64| if x == 2_600_030.5 && y == 20.0 { f64::NAN } else { 0.125 * y };
        let dem = dem(40, 2_600_000.5, hole);
        let (even, bumpy) =
            (known(&dem, &rough(0.0, 0.5), 1, 30.0, 20.0), known(&dem, &rough(0.1, 0.5), 1, 30.0, 20.0));
        for k in 0..400 {
            let (x, y) = (25.0 + 0.5 * f64::from(k % 20) + 0.13, 15.0 + 0.5 * f64::from(k / 20) + 0.21);
            let (height, below) = (even.surface().height(x, y), dem.height(x, y));
            assert_eq!(height.is_some(), below.is_some());
            assert_eq!(bumpy.surface().height(x, y).is_some(), below.is_some(), "{x} {y}");
            if let (Some(height), Some(below)) = (height, below) {
                assert!((height - below).abs() < 1e-12);
            }
        }
    }

    /// Nodes 1 m apart in the west, 4 m in the east: there the ground is straight between them, three times out of four.
    #[test]
    fn each_place_has_its_own_spacing() {
        let dem = dem(60, 2_600_000.5, |_, _| 0.0);
        let lattice = *dem.lattice();
        let spacing = (0..lattice.len()).map(|k| if k % lattice.nx < 30 { 1.0 } else { 4.0 }).collect();
        let spacing = ParameterField::from(Field { lattice, values: spacing });
        let roughness = Roughness::new(ParameterField::Constant(0.1), spacing, None);
        let mut relief = Relief::new(&dem, &roughness, 5);
        relief.look_around(&dem, &roughness, 59.0, 30.0, 60.0);
        let straight = |columns: std::ops::Range<usize>| {
            let height = |column: usize, row: usize| relief.surface().node_height(column, row);
            let bend = |c: usize, r: usize| (height(c - 1, r) - 2.0 * height(c, r) + height(c + 1, r)).abs();
            let all: Vec<f64> = columns.flat_map(|c| [11, 24, 37].map(|r| bend(c, r))).collect();
            all.iter().filter(|bend| **bend < 1e-12).count() as f64 / all.len() as f64
        };
        assert!(
            straight(4..52) < 0.05 && (straight(64..112) - 0.75).abs() < 0.01,
            "{} {}",
            straight(4..52),
            straight(64..112)
        );
    }
}
