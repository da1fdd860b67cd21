//! Exact quantiles of a list of values, and how far a list of that length can be trusted.

use crate::hazard::ranks::{self, ONE_SIDED_95};
use crate::math;

/// Quantiles every summary prints.
pub const SUMMARY_QUANTILES: [f64; 4] = [0.50, 0.90, 0.95, 0.99];

/// Sorted finite values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sample {
    sorted: Vec<f64>,
}

impl Sample {
    /// Non-finite values are left out.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        Self { sorted }
    }

    /// How many values.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// Ascending.
    pub fn values(&self) -> &[f64] {
        &self.sorted
    }

    /// The largest.
    pub fn max(&self) -> Option<f64> {
        self.sorted.last().copied()
    }

    /// Of all values.
    pub fn mean(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.sorted.iter().sum::<f64>() / self.len() as f64)
    }

    /// Linear interpolation between order statistics at (n − 1) q, the definition of spreadsheets and NumPy.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let last = self.sorted.len().checked_sub(1)?;
        let position = q.clamp(0.0, 1.0) * last as f64;
        let below = position.floor() as usize;
        let above = (below + 1).min(last);
        Some(self.sorted[below] + (position - below as f64) * (self.sorted[above] - self.sorted[below]))
    }

    /// Share of values at or below a limit.
    pub fn share_up_to(&self, limit: f64) -> Option<f64> {
        (!self.is_empty()).then(|| self.sorted.partition_point(|&value| value <= limit) as f64 / self.len() as f64)
    }

    /// A value that is above the true quantile with 95 % confidence, whatever the distribution: the smallest order
    /// statistic r with P(Binomial(n, q) < r) ≥ 0.95. `None` if even the largest value does not reach that confidence.
    pub fn quantile_upper_bound(&self, q: f64) -> Option<f64> {
        let rank = ranks::upper(self.len() as u64, q, ONE_SIDED_95)?;
        self.sorted.get(rank as usize - 1).copied()
    }
}

/// Values needed before the largest of them bounds the quantile with 95 % confidence (1 − qⁿ ≥ 0.95): 14 for p80, 59 for
/// p95, 299 for p99.
pub fn smallest_sample(q: f64) -> usize {
    if q <= 0.0 || q >= 1.0 {
        return usize::MAX;
    }
    (math::ln(0.05) / math::ln(q)).ceil() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_the_spreadsheet_definition() {
        let sample = Sample::new([4.0, 1.0, 3.0, 2.0, f64::NAN]);
        assert_eq!(sample.len(), 4);
        assert_eq!(sample.quantile(0.5), Some(2.5));
        assert!((sample.quantile(0.95).unwrap_or(0.0) - 3.85).abs() < 1e-12);
        assert_eq!(sample.quantile(1.0), Some(4.0));
        assert_eq!(Sample::new([]).quantile(0.5), None);
        assert_eq!(sample.share_up_to(2.0), Some(0.5));
    }

    /// The classic figures of distribution-free tolerance limits: 59 values for p95, 299 for p99, second largest from 93.
    #[test]
    fn confidence_needs_the_textbook_number_of_values() {
        assert_eq!(smallest_sample(0.95), 59);
        assert_eq!(smallest_sample(0.99), 299);
        let numbers = |n: usize| Sample::new((1..=n).map(|i| i as f64));
        assert_eq!(numbers(58).quantile_upper_bound(0.95), None);
        assert_eq!(numbers(59).quantile_upper_bound(0.95), Some(59.0));
        assert_eq!(numbers(92).quantile_upper_bound(0.95), Some(92.0));
        assert_eq!(numbers(93).quantile_upper_bound(0.95), Some(92.0));
        // The two branches agree where they meet.
        let (below, above) = (numbers(5_000).quantile_upper_bound(0.95), numbers(5_001).quantile_upper_bound(0.95));
        assert!((below.unwrap_or(0.0) - above.unwrap_or(0.0)).abs() <= 2.0, "{below:?} {above:?}");
    }
}
