//! Random draws: sizes, orientations, directions. Every draw of a trajectory comes from its own stream, in a fixed order.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};

use crate::geo::vector::Feature;
use crate::math;
use crate::project::file::{Distribution, Quantity};
use crate::{Error, Result};

/// The value of a quantity for one rock of a feature.
///
/// # Errors
/// When the feature lacks the attribute. `key` names the quantity in the message.
pub(crate) fn quantity(quantity: &Quantity, feature: &Feature, key: &str, rng: &mut impl Rng) -> Result<f64> {
    match quantity {
        Quantity::Constant(value) => Ok(*value),
        Quantity::Attribute(spec) => {
            let value = feature.attributes.get(&spec.attribute).and_then(|value| value.as_f64());
            value.ok_or_else(|| {
                Error::input(format!(
                    "{key}: release feature {} has no number in attribute {:?}; fill it in",
                    feature.id, spec.attribute
                ))
            })
        }
        Quantity::Distribution(spec) => Ok(distribution(spec, rng)),
    }
}

/// What a feature has in an attribute, for people.
pub(crate) fn shown(feature: &Feature, attribute: &str) -> String {
    match feature.attributes.get(attribute).and_then(|value| value.as_text()) {
        Some(text) => format!("{text:?}"),
        None => "nothing".into(),
    }
}

/// The smallest value that can be drawn; `None` if there is no limit or the attribute is missing.
pub(crate) fn smallest(quantity: &Quantity, feature: &Feature) -> Option<f64> {
    match quantity {
        Quantity::Constant(value) => Some(*value),
        Quantity::Attribute(spec) => feature.attributes.get(&spec.attribute).and_then(|value| value.as_f64()),
        Quantity::Distribution(Distribution::List { values, .. }) => values.iter().copied().reduce(f64::min),
        Quantity::Distribution(Distribution::Uniform { min, .. } | Distribution::PowerLaw { min, .. }) => Some(*min),
        Quantity::Distribution(Distribution::LogNormal { min, .. }) => *min,
    }
}

fn distribution(spec: &Distribution, rng: &mut impl Rng) -> f64 {
    match spec {
        Distribution::List { values, weights } => {
            let weight = |i: usize| weights.as_ref().and_then(|w| w.get(i)).copied().unwrap_or(1.0);
            values.get(weighted(values.len(), weight, rng)).copied().unwrap_or(0.0)
        }
        Distribution::Uniform { min, max } => min + rng.random::<f64>() * (max - min),
        Distribution::LogNormal { median, sigma, min, max } => log_normal(*median, *sigma, *min, *max, rng),
        Distribution::PowerLaw { exponent, min, max } => {
            let u = rng.random::<f64>();
            if exponent.abs() < 1e-9 {
                return min * math::pow(max / min, u);
            }
            let (low, high) = (math::pow(*min, -exponent), math::pow(*max, -exponent));
            math::pow(low - u * (low - high), -1.0 / exponent).clamp(*min, *max)
        }
    }
}

/// An index drawn by weight; the first if all weights are zero.
pub(crate) fn weighted(count: usize, weight: impl Fn(usize) -> f64, rng: &mut impl Rng) -> usize {
    let total: f64 = (0..count).map(&weight).sum();
    let mut target = total * rng.random::<f64>();
    for index in 0..count {
        target -= weight(index);
        if target < 0.0 {
            return index;
        }
    }
    (0..count).rev().find(|&index| weight(index) > 0.0).unwrap_or(0)
}

fn log_normal(median: f64, sigma: f64, min: Option<f64>, max: Option<f64>, rng: &mut impl Rng) -> f64 {
    let limit = |x: f64| math::ln(x / median) / sigma;
    let low = min.filter(|&x| x > 0.0).map_or(f64::NEG_INFINITY, limit);
    let high = max.map_or(f64::INFINITY, limit);
    let z = if sigma > 0.0 { truncated_normal(low, high, rng) } else { 0.0 };
    let value = median * math::exp(sigma * z);
    value.clamp(min.unwrap_or(0.0), max.unwrap_or(f64::INFINITY))
}

/// Standard normal between two limits. Plain rejection where the limits are wide; where they are narrow or far out,
/// rejection from the uniform between them. Each accepted draw has the same distribution, whichever way it came.
fn truncated_normal(low: f64, high: f64, rng: &mut impl Rng) -> f64 {
    for _ in 0..50 {
        let z = math::standard_normal(rng);
        if z >= low && z <= high {
            return z;
        }
    }
    // Ten standard deviations beyond the nearer limit nothing is left (1e-23).
    let nearest = 0f64.clamp(low, high);
    let (low, high) = (low.max(nearest - 10.0), high.min(nearest + 10.0));
    for _ in 0..100_000 {
        let z = low + rng.random::<f64>() * (high - low);
        if rng.random::<f64>() < math::exp(0.5 * (nearest * nearest - z * z)) {
            return z;
        }
    }
    nearest
}

/// Uniform on SO(3) (Shoemake 1992).
pub(crate) fn orientation(rng: &mut impl Rng) -> UnitQuaternion<f64> {
    let [u, v, w] = [rng.random::<f64>(), rng.random::<f64>(), rng.random::<f64>()];
    let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
    let (v, w) = (std::f64::consts::TAU * v, std::f64::consts::TAU * w);
    UnitQuaternion::new_normalize(Quaternion::new(
        b * math::cos(w),
        a * math::sin(v),
        a * math::cos(v),
        b * math::sin(w),
    ))
}

/// Uniform on the sphere.
pub(crate) fn direction(rng: &mut impl Rng) -> Vector3<f64> {
    let z = 2.0 * rng.random::<f64>() - 1.0;
    let angle = std::f64::consts::TAU * rng.random::<f64>();
    let r = (1.0 - z * z).max(0.0).sqrt();
    Vector3::new(r * math::cos(angle), r * math::sin(angle), z)
}

/// A factor drawn uniformly from 1 − scatter to 1 + scatter.
pub(crate) fn factor(scatter: f64, rng: &mut impl Rng) -> f64 {
    1.0 + scatter * (2.0 * rng.random::<f64>() - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const N: usize = 200_000;
    /// Kolmogorov–Smirnov: a true distribution exceeds this once in 100,000 seeds.
    const CRITICAL: f64 = 0.0055;

    fn draws(spec: &Distribution) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut values: Vec<f64> = (0..N).map(|_| distribution(spec, &mut rng)).collect();
        values.sort_by(f64::total_cmp);
        values
    }

    /// Largest distance between the empirical and the stated distribution function (Kolmogorov–Smirnov).
    fn distance(values: &[f64], cdf: impl Fn(f64) -> f64) -> f64 {
        let n = values.len() as f64;
        values.iter().enumerate().map(|(i, &x)| (cdf(x) - (i as f64 + 0.5) / n).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn draws_follow_the_stated_distributions() {
        let power = draws(&Distribution::PowerLaw { exponent: 1.3, min: 0.1, max: 50.0 });
        let p = |x: f64| (0.1f64.powf(-1.3) - x.powf(-1.3)) / (0.1f64.powf(-1.3) - 50f64.powf(-1.3));
        assert!(distance(&power, p) < CRITICAL);
        let uniform = draws(&Distribution::Uniform { min: 2.0, max: 5.0 });
        assert!(distance(&uniform, |x| (x - 2.0) / 3.0) < CRITICAL);
        let log = draws(&Distribution::LogNormal { median: 3.0, sigma: 0.5, min: None, max: None });
        assert!((log[N / 2] - 3.0).abs() < 0.03, "median {}", log[N / 2]);
        // One standard deviation: 84.13 %.
        let share = log.iter().filter(|&&x| x < 3.0 * 0.5f64.exp()).count() as f64 / N as f64;
        assert!((share - 0.8413).abs() < 0.008, "{share}");
        let list = draws(&Distribution::List { values: vec![1.0, 2.0, 9.0], weights: Some(vec![1.0, 0.0, 3.0]) });
        let ones = list.iter().filter(|&&x| x == 1.0).count() as f64 / N as f64;
        assert!((ones - 0.25).abs() < 0.01 && !list.contains(&2.0));
    }

    #[test]
    fn limits_special_cases_and_factors_hold() {
        // Exponent 0: every decade is as likely as the next.
        let flat = draws(&Distribution::PowerLaw { exponent: 0.0, min: 0.1, max: 10.0 });
        assert!(distance(&flat, |x| (x / 0.1).log10() / 2.0) < CRITICAL);
        let both = draws(&Distribution::LogNormal { median: 2.0, sigma: 1.0, min: Some(1.0), max: Some(4.0) });
        assert!(both[0] >= 1.0 && both[N - 1] <= 4.0);
        // Limits at the same distance on either side keep the median.
        assert!((both[N / 2] - 2.0).abs() < 0.02, "{}", both[N / 2]);
        let certain = draws(&Distribution::LogNormal { median: 2.0, sigma: 0.0, min: None, max: None });
        assert!(certain[0] == 2.0 && certain[N - 1] == 2.0);
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut factors: Vec<f64> = (0..N).map(|_| factor(0.2, &mut rng)).collect();
        factors.sort_by(f64::total_cmp);
        assert!(distance(&factors, |x| (x - 0.8) / 0.4) < CRITICAL);
        assert_eq!(weighted(3, |_| 0.0, &mut rng), 0);
        assert!((0..1000).all(|_| weighted(3, |i| if i == 1 { 1.0 } else { 0.0 }, &mut rng) == 1));
    }

    /// Every coordinate of a uniform direction is uniform from −1 to 1 (Archimedes).
    #[test]
    fn spin_axes_are_uniform_on_the_sphere() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let all: Vec<Vector3<f64>> = (0..N).map(|_| direction(&mut rng)).collect();
        for axis in 0..3 {
            let mut values: Vec<f64> = all.iter().map(|d| d[axis]).collect();
            values.sort_by(f64::total_cmp);
            assert!(distance(&values, |v| 0.5 * (v + 1.0)) < CRITICAL, "{axis}");
        }
        assert!(all.iter().all(|d| (d.norm() - 1.0).abs() < 1e-12));
    }

    /// Cut five standard deviations out, where plain rejection would almost never end: the tail is nearly exponential with
    /// mean excess 1/5.19 (Mills).
    #[test]
    fn a_log_normal_cut_far_out_keeps_its_tail() {
        let values = draws(&Distribution::LogNormal { median: 1.0, sigma: 1.0, min: Some(5f64.exp()), max: None });
        assert!(values[0] >= 5f64.exp());
        let mean = values.iter().map(|x| x.ln() - 5.0).sum::<f64>() / N as f64;
        assert!((mean - 0.1865).abs() < 0.004, "{mean}");
    }

    /// For uniform orientations the rotated axis is uniform on the sphere and the rotation angle has density
    /// (1 − cos φ)/π: each |q_i| has the same mean 4/(3π).
    #[test]
    fn orientations_are_uniform_on_so3() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let all: Vec<_> = (0..N).map(|_| orientation(&mut rng)).collect();
        let mut angles: Vec<f64> = all.iter().map(|q| q.angle()).collect();
        angles.sort_by(f64::total_cmp);
        let off = distance(&angles, |a| (a - a.sin()) / std::f64::consts::PI);
        assert!(off < CRITICAL, "{off}");
        for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
            let mut heights: Vec<f64> = all.iter().map(|q| (q * axis).z).collect();
            heights.sort_by(f64::total_cmp);
            let off = distance(&heights, |z| 0.5 * (z + 1.0));
            assert!(off < CRITICAL, "{off}");
        }
    }
}
