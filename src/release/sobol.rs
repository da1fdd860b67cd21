//! Random numbers that are spread more evenly than by chance: Owen-scrambled Sobol points.
//!
//! Points and their scrambling by hashes as in Burley (2020), Practical hash-based Owen scrambling, JCGT 9(4); direction numbers
//! of Joe & Kuo (2008). Each number is uniform on its own, and the first 2^k points fill space evenly; sequences with
//! different keys are independent.

use std::convert::Infallible;

use rand::{Rng, TryRng};
use rand_chacha::ChaCha8Rng;

/// What a number is for; several may be taken of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dimension {
    /// Two numbers.
    Position,
    Kind,
    Size,
    /// Three numbers.
    Orientation,
}

impl Dimension {
    /// First dimension and how many there are.
    fn range(self) -> (usize, usize) {
        match self {
            Self::Position => (0, 2),
            Self::Size => (2, 1),
            Self::Orientation => (3, 3),
            Self::Kind => (6, 1),
        }
    }
}

/// Where the numbers of one rock come from.
#[derive(Debug, Clone)]
pub(super) struct Draws(Option<[u32; DIMENSIONS]>);

impl Draws {
    /// All from the rock's own stream.
    pub(super) fn plain() -> Self {
        Self(None)
    }

    /// The rock with this number of a sequence, which is that of a feature and a half.
    pub(super) fn of_sequence(seed: u64, feature: u64, half: u8, index: u64) -> Self {
        // More rocks than a sequence has points begin another.
        let (turn, index) = (index >> 32, index as u32);
        let key = mix(seed ^ mix(feature ^ mix(u64::from(half) ^ mix(turn))));
        Self(Some(std::array::from_fn(|dimension| point(index, dimension, key))))
    }

    /// Numbers for a dimension: those of the sequence first, then those of the stream.
    pub(super) fn of<'a>(&self, dimension: Dimension, rng: &'a mut ChaCha8Rng) -> Ahead<'a> {
        let (first, count) = dimension.range();
        let known =
            self.0.as_ref().map_or([0; 3], |all| std::array::from_fn(|i| if i < count { all[first + i] } else { 0 }));
        Ahead { known, next: 0, count: if self.0.is_some() { count } else { 0 }, rng }
    }
}

/// A stream with a few known numbers ahead of it.
pub(super) struct Ahead<'a> {
    known: [u32; 3],
    next: usize,
    count: usize,
    rng: &'a mut ChaCha8Rng,
}

impl TryRng for Ahead<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        if self.next < self.count {
            self.next += 1;
            return Ok(self.known[self.next - 1]);
        }
        Ok(self.rng.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        if self.next < self.count {
            self.next += 1;
            // The lower half by chance: 32 bits alone would leave gaps.
            return Ok(u64::from(self.known[self.next - 1]) << 32 | u64::from(self.rng.next_u32()));
        }
        Ok(self.rng.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.rng.fill_bytes(bytes);
        Ok(())
    }
}

const DIMENSIONS: usize = 7;

/// Degree, coefficients and initial direction numbers of the primitive polynomials (new-joe-kuo-6.21201), dimensions 2 to 7.
const POLYNOMIALS: [(u32, u32, [u32; 5]); DIMENSIONS - 1] = [
    (1, 0, [1, 0, 0, 0, 0]),
    (2, 1, [1, 3, 0, 0, 0]),
    (3, 1, [1, 3, 1, 0, 0]),
    (3, 2, [1, 1, 1, 0, 0]),
    (4, 1, [1, 1, 3, 3, 0]),
    (4, 4, [1, 3, 5, 13, 0]),
];

const DIRECTIONS: [[u32; 32]; DIMENSIONS] = directions();

const fn directions() -> [[u32; 32]; DIMENSIONS] {
    let mut all = [[0; 32]; DIMENSIONS];
    let mut bit = 0;
    while bit < 32 {
        all[0][bit] = 1 << (31 - bit);
        bit += 1;
    }
    let mut dimension = 1;
    while dimension < DIMENSIONS {
        let (degree, coefficients, initial) = POLYNOMIALS[dimension - 1];
        let degree = degree as usize;
        let mut i = 0;
        while i < 32 {
            if i < degree {
                all[dimension][i] = initial[i] << (31 - i);
            } else {
                let mut value = all[dimension][i - degree] ^ (all[dimension][i - degree] >> degree);
                let mut k = 1;
                while k < degree {
                    if (coefficients >> (degree - 1 - k)) & 1 == 1 {
                        value ^= all[dimension][i - k];
                    }
                    k += 1;
                }
                all[dimension][i] = value;
            }
            i += 1;
        }
        dimension += 1;
    }
    all
}

/// A scrambled coordinate of a point: the index is shuffled, the coordinate scrambled (Burley 2020, listing 4).
fn point(index: u32, dimension: usize, key: u64) -> u32 {
    let shuffled = scramble(index, key as u32);
    let mut value = 0;
    for (bit, direction) in DIRECTIONS[dimension].iter().enumerate() {
        if shuffled >> bit & 1 == 1 {
            value ^= direction;
        }
    }
    scramble(value, mix(key ^ (dimension as u64 + 1)) as u32)
}

/// Nested uniform scrambling of a number's digits, from the highest (Burley 2020, listing 3).
fn scramble(value: u32, seed: u32) -> u32 {
    laine_karras(value.reverse_bits(), seed).reverse_bits()
}

/// Each bit is flipped by a hash of those below it (Laine & Karras 2011, constants of Vegdahl 2021).
fn laine_karras(mut x: u32, seed: u32) -> u32 {
    x ^= x.wrapping_mul(0x3d20_adea);
    x = x.wrapping_add(seed);
    x = x.wrapping_mul((seed >> 16) | 1);
    x ^= x.wrapping_mul(0x0552_6c56);
    x ^ x.wrapping_mul(0x53a2_2864)
}

/// SplitMix64 (Steele et al. 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    fn points(count: u64, half: u8) -> Vec<[f64; DIMENSIONS]> {
        let unit = |n: u32| f64::from(n) / 4_294_967_296.0;
        (0..count).map(|i| Draws::of_sequence(7, 3, half, i).0.map_or([0.0; DIMENSIONS], |p| p.map(unit))).collect()
    }

    /// The definition: of the first 2^k points each interval of length 2^-k holds exactly one in every dimension, and each
    /// elementary rectangle of the first two dimensions.
    #[test]
    fn every_elementary_interval_holds_one_point() {
        let all = points(256, 0);
        for dimension in 0..DIMENSIONS {
            let mut seen = [0; 256];
            all.iter().for_each(|p| seen[(p[dimension] * 256.0) as usize] += 1);
            assert!(seen.iter().all(|&n| n == 1), "dimension {dimension}");
        }
        for split in 0..=8 {
            let (columns, rows) = (1 << split, 256 >> split);
            let mut seen = vec![0; 256];
            for p in &all {
                seen[(p[0] * columns as f64) as usize * rows + (p[1] * rows as f64) as usize] += 1;
            }
            assert!(seen.iter().all(|&n| n == 1), "{columns} × {rows}");
        }
    }

    /// Halves share nothing: their coordinates do not correlate (|r| < 4 / √n).
    #[test]
    fn halves_are_independent() {
        let (a, b) = (points(4096, 0), points(4096, 1));
        for dimension in 0..DIMENSIONS {
            let r =
                a.iter().zip(&b).map(|(p, q)| (p[dimension] - 0.5) * (q[dimension] - 0.5)).sum::<f64>() / 4096.0 * 12.0;
            assert!(r.abs() < 4.0 / 64.0, "dimension {dimension}: {r}");
        }
    }

    #[test]
    fn plain_draws_are_those_of_the_stream() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut same = ChaCha8Rng::seed_from_u64(1);
        let drawn: f64 = Draws::plain().of(Dimension::Orientation, &mut rng).random();
        assert_eq!(drawn, same.random::<f64>());
    }
}
