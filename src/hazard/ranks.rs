//! Which values of a sorted sample bound a quantile of what it was drawn from, whatever the distribution (Conover 1999, §3.2).
//!
//! Of n values, B ~ Binomial(n, p) lie at or below the p-quantile, so the rank of a bound is a quantile of the binomial.

use std::collections::HashMap;

use crate::math;

/// How sure a bound is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// Chance that the quantile lies beyond the bound.
    tail: f64,
    /// The same point of the standard normal distribution.
    z: f64,
}

/// One bound that holds in 95 of 100 cases.
pub const ONE_SIDED_95: Confidence = Confidence { tail: 0.05, z: 1.644_854 };
/// Two bounds that both hold in 95 of 100 cases.
pub const TWO_SIDED_95: Confidence = Confidence { tail: 0.025, z: 1.959_964 };

/// Up to this many values ranks are exact; beyond, the normal distribution with its continuity correction is off by at most
/// one rank.
const EXACT: u64 = 5000;

/// Rank, from 1, of the smallest value that is above the p-quantile: the smallest u with P(B < u) ≥ 1 − tail. `None` if
/// not even the largest value is.
pub fn upper(n: u64, p: f64, confidence: Confidence) -> Option<u64> {
    let count = n as f64;
    let rank = if n <= EXACT {
        exact_upper(n, p, confidence.tail)
    } else {
        (count * p + confidence.z * (count * p * (1.0 - p)).sqrt() + 0.5).ceil() as u64
    };
    (rank >= 1 && rank <= n).then_some(rank)
}

/// Rank, from 1, of the largest value that is below the p-quantile: the largest l with P(B < l) ≤ tail. `None` if not
/// even the smallest value is.
pub fn lower(n: u64, p: f64, confidence: Confidence) -> Option<u64> {
    // n − B is binomial with 1 − p.
    upper(n, 1.0 - p, confidence).map(|rank| n + 1 - rank)
}

/// n + 1 if there is none. Summed from above, in logarithms: small terms stay exact.
fn exact_upper(n: u64, p: f64, tail: f64) -> u64 {
    let mut sum = 0.0;
    let mut log_term = n as f64 * math::ln(p); // P(B = n)
    for k in (1..=n).rev() {
        sum += math::exp(log_term);
        if sum > tail {
            return k + 1;
        }
        log_term += math::ln(k as f64) - math::ln((n - k + 1) as f64) + math::ln(1.0 - p) - math::ln(p);
    }
    1
}

/// Ranks (counted from 0) of the order statistics that enclose the p-quantile with 95 % confidence, whatever the
/// distribution (Conover 1999, §3.2); `None` where n is too small for a bound on that side.
pub struct ConfidenceRanks {
    p: f64,
    known: HashMap<u32, (Option<u64>, Option<u64>)>,
}

impl ConfidenceRanks {
    /// For the p-quantile.
    pub fn new(p: f64) -> Self {
        Self { p, known: HashMap::new() }
    }

    /// For a sample of `n`: lower and upper rank.
    pub fn get(&mut self, n: u32) -> (Option<u64>, Option<u64>) {
        let p = self.p;
        *self.known.entry(n).or_insert_with(|| confidence_ranks(n, p))
    }
}

pub(crate) fn confidence_ranks(n: u32, p: f64) -> (Option<u64>, Option<u64>) {
    let from_zero = |rank: u64| rank - 1;
    let n = u64::from(n);
    (lower(n, p, TWO_SIDED_95).map(from_zero), upper(n, p, TWO_SIDED_95).map(from_zero))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The classic figures of distribution-free limits: 59 values for p95, 299 for p99, the second largest from 93.
    #[test]
    fn bounds_are_those_of_the_textbook() {
        assert_eq!([58, 59, 92, 93].map(|n| upper(n, 0.95, ONE_SIDED_95)), [None, Some(59), Some(92), Some(92)]);
        assert_eq!([298, 299].map(|n| upper(n, 0.99, ONE_SIDED_95)), [None, Some(299)]);
        // Of ten values the second and the ninth enclose the median with 97.9 % confidence (Conover 1999).
        assert_eq!((lower(10, 0.5, TWO_SIDED_95), upper(10, 0.5, TWO_SIDED_95)), (Some(2), Some(9)));
        assert_eq!((lower(0, 0.5, TWO_SIDED_95), upper(0, 0.5, TWO_SIDED_95)), (None, None));
    }

    /// Where the exact sum ends the approximation goes on, within a rank.
    #[test]
    fn exact_ranks_and_the_approximation_meet() {
        for p in [0.05, 0.5, 0.95, 0.99] {
            for confidence in [ONE_SIDED_95, TWO_SIDED_95] {
                for bound in [lower, upper] {
                    let ranks = [EXACT, EXACT + 1].map(|n| bound(n, p, confidence).unwrap() as f64);
                    assert!((ranks[1] - ranks[0]).abs() <= 2.0, "{p} {ranks:?}");
                }
            }
        }
    }
}
