//! Where rocks ended, on the map: two clouds of points compared.
//!
//! The energy distance (Székely & Rizzo 2013): twice the mean distance between points of the two clouds minus the mean distances within
//! each. It is zero only if both come from one distribution. What chance gives is found by dealing the points anew, as for
//! values.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::data::Data;
use super::samples::quantile;

/// Distances between all points are kept: more simulated ones are thinned evenly.
const MOST_POINTS: usize = 1200;
const DEALS: usize = 199;

/// Two clouds of end points.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Deposits {
    pub observed: usize,
    pub simulated: usize,
    /// Simulated rocks that left the terrain while moving and are not among them.
    pub simulated_gone: usize,
    /// Centroids.
    pub observed_centre_m: [f64; 2],
    pub simulated_centre_m: [f64; 2],
    /// Between the centroids.
    pub centres_apart_m: f64,
    pub centres_chance_m: f64,
    pub energy_distance_m: f64,
    pub energy_chance_m: f64,
    /// Share of deals with such an energy distance or a larger one.
    pub energy_p: f64,
}

/// End points of rocks that came to rest.
pub(super) fn ends(data: &Data) -> Vec<[f64; 2]> {
    data.rocks.iter().filter(|rock| !rock.cut).filter_map(|rock| rock.end).collect()
}

/// Compares them; `None` if one side has none.
pub(super) fn compare(observed: &Data, simulated: &Data) -> Option<Deposits> {
    let (first, all) = (thinned(ends(observed)), ends(simulated));
    let second = thinned(all.clone());
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let points: Vec<[f64; 2]> = first.iter().chain(&second).copied().collect();
    let mut is_first: Vec<bool> = (0..points.len()).map(|k| k < first.len()).collect();
    let cloud = Cloud::new(points);
    let energy = cloud.energy(&is_first);
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let (mut energies, mut apart) = (Vec::new(), Vec::new());
    for _ in 0..DEALS {
        for k in (1..is_first.len()).rev() {
            is_first.swap(k, rng.random_range(0..=k));
        }
        energies.push(cloud.energy(&is_first));
        let centres =
            [true, false].map(|side| centre(cloud.points.iter().zip(&is_first).filter(|p| *p.1 == side).map(|p| p.0)));
        apart.push(distance(&centres[0], &centres[1]));
    }
    let as_far = energies.iter().filter(|dealt| **dealt >= energy - 1e-12).count();
    let (seen, made) = (centre(first.iter()), centre(all.iter()));
    Some(Deposits {
        observed: first.len(),
        simulated: all.len(),
        simulated_gone: simulated.rocks.len() - all.len(),
        observed_centre_m: seen,
        simulated_centre_m: made,
        centres_apart_m: distance(&seen, &made),
        centres_chance_m: quantile(apart, 0.95).unwrap_or(0.0),
        energy_distance_m: energy,
        energy_chance_m: quantile(energies, 0.95).unwrap_or(0.0),
        energy_p: (1 + as_far) as f64 / (1 + DEALS) as f64,
    })
}

fn thinned(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    points.into_iter().step_by(step).collect()
}

fn centre<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> [f64; 2] {
    let (sum, n) = points.fold(([0.0; 2], 0.0), |(sum, n), p| ([sum[0] + p[0], sum[1] + p[1]], n + 1.0));
    [sum[0] / n, sum[1] / n]
}

fn distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

struct Cloud {
    points: Vec<[f64; 2]>,
    /// Of each pair, row by row.
    distances: Vec<f32>,
}

impl Cloud {
    fn new(points: Vec<[f64; 2]>) -> Self {
        let row = |a: &[f64; 2]| points.iter().map(|b| distance(a, b) as f32).collect::<Vec<_>>();
        let distances = points.iter().flat_map(row).collect();
        Self { points, distances }
    }

    fn energy(&self, is_first: &[bool]) -> f64 {
        let n = is_first.len();
        let size = is_first.iter().filter(|first| **first).count() as f64;
        let (first, second) = (size, n as f64 - size);
        // Within the first, between the two, within the second.
        let mut sums = [0.0_f64; 3];
        for (k, row) in self.distances.chunks_exact(n).enumerate() {
            let mut row_sums = [0.0_f64; 2];
            for (distance, &of_first) in row.iter().zip(is_first) {
                row_sums[usize::from(!of_first)] += f64::from(*distance);
            }
            let side = usize::from(!is_first[k]);
            sums[side] += row_sums[0];
            sums[side + 1] += row_sums[1];
        }
        // Each pair between the two was met from both sides.
        sums[1] / (first * second) - sums[0] / (first * first) - sums[2] / (second * second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::data::Rock;

    fn data(points: impl Iterator<Item = [f64; 2]>) -> Data {
        let rock = |end| Rock { end: Some(end), ..Rock::default() };
        Data { rocks: points.map(rock).collect(), ..Data::default() }
    }

    #[test]
    fn clouds_of_one_kind_agree_and_shifted_ones_do_not() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut cloud = |n: usize, shift: f64| {
            let points: Vec<[f64; 2]> =
                (0..n).map(|_| [rng.random::<f64>() * 10.0 + shift, rng.random::<f64>() * 30.0]).collect();
            data(points.into_iter())
        };
        let same = compare(&cloud(40, 0.0), &cloud(150, 0.0)).unwrap();
        assert!(same.energy_distance_m < 1.3 * same.energy_chance_m, "{same:?}");
        let apart = compare(&cloud(40, 0.0), &cloud(150, 5.0)).unwrap();
        assert!(apart.energy_distance_m > 2.0 * apart.energy_chance_m && apart.energy_p <= 0.005, "{apart:?}");
        assert!((apart.centres_apart_m - 5.0).abs() < 2.0 && apart.centres_apart_m > apart.centres_chance_m);
        // Two points against one: twice the mean distance between, minus that within.
        let few = compare(&data([[0.0, 0.0], [4.0, 0.0]].into_iter()), &data([[0.0, 3.0]].into_iter())).unwrap();
        assert!((few.energy_distance_m - (3.0 + 5.0 - 2.0)).abs() < 1e-6, "{few:?}");
        assert!(compare(&data(std::iter::empty()), &data([[0.0, 0.0]].into_iter())).is_none());
    }
}
