//! Are two samples drawn from one distribution? Kolmogorov–Smirnov distances, differences of means, and what is left of
//! a small common bias when many comparisons are put together.

/// Odds with which chance alone may fail a whole family of comparisons.
pub(crate) const FAMILY_LEVEL: f64 = 1e-3;

/// One quantity of two ensembles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    pub means: [f64; 2],
    /// Largest distance between the two distribution functions.
    pub distance: f64,
    /// Odds of such a distance or a larger one if there is no difference.
    pub p_value: f64,
    /// Difference of the means (first minus second) in its standard errors; 0 if nothing scatters.
    pub z: f64,
    /// Difference of the means and its standard error, both as shares of the mean of the two.
    pub relative: [f64; 2],
    effective: f64,
}

impl Comparison {
    pub(crate) fn of(first: &[f64], second: &[f64]) -> Self {
        let distance = distance(first, second);
        let (n, m) = (first.len() as f64, second.len() as f64);
        let effective = n * m / (n + m);
        let ((a, var_a), (b, var_b)) = (mean_and_variance(first), mean_and_variance(second));
        let error = (var_a / n + var_b / m).sqrt();
        // What rounding leaves of two equal constants is no difference.
        let difference = if (a - b).abs() <= 1e-9 * b.abs() { 0.0 } else { a - b };
        let z = if difference == 0.0 { 0.0 } else { difference / error };
        // The mean of both: a share of one of them would favour the larger one by chance.
        let scale = 0.5 * (a.abs() + b.abs());
        let scale = if scale == 0.0 { 1.0 } else { scale };
        Self {
            means: [a, b],
            distance,
            p_value: p_value(distance, effective),
            z,
            relative: [difference / scale, error / scale],
            effective,
        }
    }

    /// The distance that chance exceeds with these odds.
    pub fn limit(&self, level: f64) -> f64 {
        (-0.5 * (0.5 * level).ln() / self.effective).sqrt()
    }
}

/// Ranks of two samples among both together, as shares of their number; equal values share theirs.
pub(crate) fn ranks(first: &[f64], second: &[f64]) -> [Vec<f64>; 2] {
    let mut all: Vec<f64> = first.iter().chain(second).copied().collect();
    all.sort_by(f64::total_cmp);
    let count = all.len() as f64;
    let rank = |value: &f64| {
        // Equal up to rounding is equal.
        let near = 1e-9 * value.abs();
        let (below, up_to) = (all.partition_point(|v| *v < value - near), all.partition_point(|v| *v <= value + near));
        0.5 * (below + up_to) as f64 / count
    };
    [first, second].map(|sample| sample.iter().map(rank).collect())
}

/// The largest distance between two samples' distribution functions.
pub(crate) fn distance(first: &[f64], second: &[f64]) -> f64 {
    let sorted = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    let (a, b) = (sorted(first), sorted(second));
    let (mut i, mut j, mut largest) = (0, 0, 0.0_f64);
    while i < a.len() && j < b.len() {
        // Both distribution functions step at a common value before they are compared; equal up to rounding is equal.
        let x = a[i].min(b[j]);
        let same = x + 1e-9 * x.abs();
        while i < a.len() && a[i] <= same {
            i += 1;
        }
        while j < b.len() && b[j] <= same {
            j += 1;
        }
        largest = largest.max((i as f64 / a.len() as f64 - j as f64 / b.len() as f64).abs());
    }
    largest
}

/// Kolmogorov's distribution with Stephens' correction for finite samples; `effective` is nm/(n + m).
fn p_value(distance: f64, effective: f64) -> f64 {
    let root = effective.sqrt();
    let lambda = (root + 0.12 + 0.11 / root) * distance;
    if lambda < 0.2 {
        return 1.0; // the series converges badly, and the odds differ from 1 by 1e-12
    }
    let term = |k: i32| f64::from(if k % 2 == 1 { 2 } else { -2 }) * (-2.0 * f64::from(k * k) * lambda * lambda).exp();
    (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0)
}

pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

/// Many independent comparisons of one quantity taken together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pooled {
    /// Mean of the odds: 0.5 if there is no difference anywhere, less if there is a small one everywhere.
    pub mean_p: f64,
    /// Mean of the odds as so many standard errors below 0.5.
    pub p_z: f64,
    /// Sum of all z over the root of their number: the common sign of the differences.
    pub z: f64,
    /// Relative difference of the means, each comparison weighted by its accuracy, and its standard error.
    pub relative: [f64; 2],
}

/// So many standard errors chance exceeds, either way, with the given odds.
pub(crate) fn normal_limit(level: f64) -> f64 {
    // Bisection of the complementary error function's continued fraction is not worth it: the asymptotic series, solved
    // by iteration, is good to 1e-4 beyond 2.5 standard errors.
    let tail = |z: f64| {
        let series = 1.0 - 1.0 / (z * z) + 3.0 / z.powi(4) - 15.0 / z.powi(6);
        2.0 * (-0.5 * z * z).exp() / (z * std::f64::consts::TAU.sqrt()) * series
    };
    let (mut low, mut high) = (2.5, 40.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if tail(middle) > level { low = middle } else { high = middle }
    }
    high
}

/// A comparison with a smaller relative error does not weigh more: else a setting that hardly scatters would be all.
const ACCURATE_ENOUGH: f64 = 0.01;

/// Comparisons in which nothing scatters (every rock does the same) say nothing of chance and are left out.
pub(crate) fn pool<'a>(comparisons: impl Iterator<Item = &'a Comparison>) -> Pooled {
    let [mut count, mut p, mut z, mut weight, mut sum, mut variance] = [0.0_f64; 6];
    for c in comparisons.filter(|c| c.relative[1] > 0.0) {
        count += 1.0;
        p += c.p_value;
        // Student's distribution is wider than the normal one.
        let freedom = 4.0 * c.effective - 2.0;
        z += if freedom > 2.0 { c.z * ((freedom - 2.0) / freedom).sqrt() } else { 0.0 };
        let w = 1.0 / (c.relative[1].powi(2) + ACCURATE_ENOUGH * ACCURATE_ENOUGH);
        weight += w;
        sum += w * c.relative[0];
        variance += (w * c.relative[1]).powi(2);
    }
    let mean_p = p / count;
    Pooled {
        mean_p,
        p_z: (0.5 - mean_p) * (12.0 * count).sqrt(),
        z: z / count.sqrt(),
        relative: [sum / weight, variance.sqrt() / weight],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn sample(rng: &mut ChaCha8Rng, n: usize, shift: f64) -> Vec<f64> {
        (0..n).map(|_| shift + rng.random_range(0.0..1.0_f64)).collect()
    }

    /// Of equal distributions the odds are uniform; a shift of a tenth is found at once, one of a hundredth by pooling.
    #[test]
    fn chance_passes_and_bias_is_found() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let compare = |rng: &mut ChaCha8Rng, shift| Comparison::of(&sample(rng, 300, shift), &sample(rng, 300, 0.0));
        let same: Vec<_> = (0..400).map(|_| compare(&mut rng, 0.0)).collect();
        let small = same.iter().filter(|c| c.p_value < 0.1).count();
        assert!((25..=60).contains(&small), "{small} of 400 below 0.1");
        let none = pool(same.iter());
        assert!(none.z.abs() < 3.3 && none.p_z < 3.3 && (none.mean_p - 0.5).abs() < 0.05, "{none:?}");
        let shifted = compare(&mut rng, 0.2);
        assert!(shifted.distance > shifted.limit(1e-3) && shifted.p_value < 1e-3 && shifted.z > 3.3);
        let slightly: Vec<_> = (0..400).map(|_| compare(&mut rng, 0.01)).collect();
        let level = FAMILY_LEVEL / 400.0;
        assert!(slightly.iter().all(|c| c.distance < c.limit(level)), "no single one stands out");
        let common = pool(slightly.iter());
        assert!(common.z > 3.3 && (common.relative[0] - 0.02).abs() < 0.006, "{common:?}");
    }

    /// Ranks of few rocks on many settings show a small shift that no setting shows.
    #[test]
    fn ranks_put_settings_together() {
        assert_eq!(ranks(&[1.0, 2.0], &[2.0, 9.0]), [vec![0.125, 0.5], vec![0.5, 0.875]]);
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let mut together = |shift: f64| {
            let mut all = [Vec::new(), Vec::new()];
            for k in 0..600 {
                let scale = 1.0 + f64::from(k);
                let scaled = |values: Vec<f64>| values.into_iter().map(|v| scale * v).collect::<Vec<_>>();
                let pair = [scaled(sample(&mut rng, 6, shift)), scaled(sample(&mut rng, 6, 0.0))];
                let [first, second] = ranks(&pair[0], &pair[1]);
                all[0].extend(first);
                all[1].extend(second);
            }
            let c = Comparison::of(&all[0], &all[1]);
            c.distance / c.limit(1e-3)
        };
        let (same, shifted) = (together(0.0), together(0.05));
        assert!(same < 1.0 && shifted > 1.0, "{same} {shifted}");
    }

    /// Equal constants differ by nothing, other constants by everything; tables agree with the limits.
    #[test]
    fn constants_and_tables() {
        let same = Comparison::of(&[2.0; 9], &[2.0 + 1e-13; 9]);
        assert_eq!((same.distance, same.p_value, same.z), (0.0, 1.0, 0.0));
        assert!((distance(&[1.0, 2.0, 3.0], &[1.5, 2.5, 9.0]) - 1.0 / 3.0).abs() < 1e-15);
        assert_eq!(distance(&[1.0; 4], &[2.0; 4]), 1.0);
        // Smirnov's table: 1.95 √((n + m)/nm) once in a thousand; 3.2905 standard errors likewise.
        let c = Comparison::of(&[0.0, 1.0], &[0.0, 1.0]);
        assert!((c.limit(1e-3) - 1.949).abs() < 1e-3);
        assert!((normal_limit(1e-3) - 3.2905).abs() < 1e-2);
        assert!((p_value(1.36 / 1e6_f64.sqrt(), 1e6) - 0.0495).abs() < 1e-3);
    }
}
