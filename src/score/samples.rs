//! Two samples compared, of which some values may be cut off: the true one is larger.
//!
//! **Censoring.** A rock that left the terrain while moving has run at least as far as it was seen. Distribution functions are
//! those of Kaplan & Meier (1958), which assume that what cuts a value off has nothing to do with how far it would have gone
//! on. Beside them stand bounds that assume nothing: the smallest and the largest distance between the two distribution functions
//! that any continuation of the cut-off values could give.
//!
//! **Chance.** How far two samples of these sizes lie apart by chance is found by dealing all values anew to two samples of the same
//! sizes, [`DEALS`] times (Fisher's permutation test): 95 of 100 deals lie below the level that is given. The dealer's seed is fixed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// Deals of the permutation test.
pub(super) const DEALS: usize = 999;
/// Larger simulated samples are thinned evenly before they are dealt: the level hardly changes any more.
const MOST_DEALT: usize = 20_000;
/// Of the quantiles that are compared.
pub(super) const QUANTILES: [f64; 6] = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95];
/// Share of deals below the level of chance.
const LEVEL: f64 = 0.95;
const SEED: u64 = 16;

/// A value; `cut` if the true one is larger.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Value {
    pub at: f64,
    pub cut: bool,
}

impl Value {
    pub(crate) fn whole(at: f64) -> Self {
        Self { at, cut: false }
    }
}

/// One sample in figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Figures {
    pub n: usize,
    /// Values that are cut off: the true ones are larger.
    pub censored: usize,
    /// Of the values as they were seen: a lower bound if some are cut off.
    pub mean: f64,
    pub standard_deviation: f64,
    pub smallest: f64,
    pub largest: f64,
}

/// A quantile of both, and the difference chance exceeds once in 20 times.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct QuantileRow {
    pub quantile: f64,
    /// `null` where the distribution function does not get that far, because too many values are cut off.
    pub observed: Option<f64>,
    pub simulated: Option<f64>,
    /// Simulated minus observed.
    pub difference: Option<f64>,
    pub chance: Option<f64>,
}

/// What two samples have in common.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Comparison {
    pub observed: Figures,
    pub simulated: Figures,
    /// Largest distance between the two distribution functions (Kolmogorov–Smirnov).
    pub ks: f64,
    /// The distance that chance exceeds once in 20 times, for samples of these sizes.
    pub ks_chance: f64,
    /// Share of deals with such a distance or a larger one.
    pub ks_p: f64,
    /// The smallest and largest distance that any continuation of cut-off values could give.
    pub ks_bounds: [f64; 2],
    /// Simulated minus observed, and what chance exceeds once in 20 times.
    pub mean_difference: f64,
    pub mean_chance: f64,
    /// Simulated over observed standard deviation, and the limits chance leaves once in 20 times; `null` if nothing scatters.
    pub spread_ratio: Option<f64>,
    pub spread_chance: Option<[f64; 2]>,
    pub quantiles: Vec<QuantileRow>,
}

/// Compares two samples; `None` if one is empty.
pub(super) fn compare(observed: &[Value], simulated: &[Value]) -> Option<Comparison> {
    if observed.is_empty() || simulated.is_empty() {
        return None;
    }
    let now = Split::of(observed, simulated).measure();
    let step = simulated.len().div_ceil(MOST_DEALT);
    let thinned: Vec<Value> = simulated.iter().copied().step_by(step).collect();
    let split = Split::of(observed, &thinned);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let dealt: Vec<Measures> = (0..DEALS).map(|_| split.dealt(&mut rng).measure()).collect();
    let level = |of: &dyn Fn(&Measures) -> Option<f64>| quantile(dealt.iter().filter_map(of).collect(), LEVEL);
    let as_far = dealt.iter().filter(|deal| deal.ks >= now.ks - 1e-12).count();
    let quantiles = QUANTILES.iter().enumerate().map(|(k, &quantile)| {
        let [observed, simulated] = now.quantiles[k];
        let between = |pair: [Option<f64>; 2]| pair[0].zip(pair[1]).map(|(a, b)| b - a);
        QuantileRow {
            quantile,
            observed,
            simulated,
            difference: between(now.quantiles[k]),
            chance: level(&|deal| between(deal.quantiles[k]).map(f64::abs)),
        }
    });
    let ratio = |deal: &Measures| (deal.deviations[0] > 0.0).then(|| deal.deviations[1] / deal.deviations[0]);
    let ratios: Vec<f64> = dealt.iter().filter_map(ratio).collect();
    let tails = [0.5 * (1.0 - LEVEL), 0.5 * (1.0 + LEVEL)].map(|q| quantile(ratios.clone(), q));
    Some(Comparison {
        observed: figures(observed),
        simulated: figures(simulated),
        ks: now.ks,
        ks_chance: level(&|deal| Some(deal.ks)).unwrap_or(1.0),
        ks_p: (1 + as_far) as f64 / (1 + DEALS) as f64,
        ks_bounds: bounds(observed, simulated, now.ks),
        mean_difference: now.means[1] - now.means[0],
        mean_chance: level(&|deal| Some((deal.means[1] - deal.means[0]).abs())).unwrap_or(0.0),
        spread_ratio: ratio(&now),
        spread_chance: tails[0].zip(tails[1]).map(|(low, high)| [low, high]),
        quantiles: quantiles.collect(),
    })
}

/// The value below which this share of some lies, counted up; `None` of none.
pub(super) fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let rank = (share * values.len() as f64).ceil() as usize;
    values.get(rank.max(1) - 1).copied()
}

/// All values in order, each with the sample it belongs to (0 observed, 1 simulated).
struct Split {
    values: Vec<Value>,
    sample: Vec<usize>,
}

/// Of a split.
struct Measures {
    ks: f64,
    means: [f64; 2],
    deviations: [f64; 2],
    quantiles: [[Option<f64>; 2]; 6],
}

impl Split {
    fn of(observed: &[Value], simulated: &[Value]) -> Self {
        let mut all: Vec<(Value, usize)> = observed.iter().map(|&v| (v, 0)).collect();
        all.extend(simulated.iter().map(|&v| (v, 1)));
        all.sort_by(|a, b| a.0.at.total_cmp(&b.0.at));
        let (values, sample) = all.into_iter().unzip();
        Self { values, sample }
    }

    /// The same values dealt anew to two samples of the same sizes.
    fn dealt(&self, rng: &mut ChaCha8Rng) -> Self {
        let mut sample = self.sample.clone();
        for k in (1..sample.len()).rev() {
            sample.swap(k, rng.random_range(0..=k));
        }
        Self { values: self.values.clone(), sample }
    }

    /// Walks both Kaplan–Meier curves at once.
    fn measure(&self) -> Measures {
        let mut at_risk = [0.0; 2];
        let (mut sums, mut squares) = ([0.0; 2], [0.0; 2]);
        for (value, &sample) in self.values.iter().zip(&self.sample) {
            at_risk[sample] += 1.0;
            sums[sample] += value.at;
        }
        let sizes = at_risk;
        let means = [sums[0] / sizes[0], sums[1] / sizes[1]];
        let (mut left, mut ks) = ([1.0_f64; 2], 0.0_f64);
        let mut quantiles = [[None; 2]; 6];
        let mut next = 0;
        while next < self.values.len() {
            let at = self.values[next].at;
            let (mut ended, mut gone) = ([0.0; 2], [0.0; 2]);
            while next < self.values.len() && self.values[next].at <= at {
                let sample = self.sample[next];
                ended[sample] += f64::from(u8::from(!self.values[next].cut));
                gone[sample] += 1.0;
                squares[sample] += (at - means[sample]).powi(2);
                next += 1;
            }
            let mut known = true;
            for k in 0..2 {
                // Nobody left of a sample whose last values are cut off: its function is not known beyond.
                known &= at_risk[k] > 0.0 || left[k] == 0.0;
                if ended[k] > 0.0 {
                    left[k] = if ended[k] == at_risk[k] { 0.0 } else { left[k] * (1.0 - ended[k] / at_risk[k]) };
                    for (row, q) in quantiles.iter_mut().zip(QUANTILES) {
                        if row[k].is_none() && 1.0 - left[k] >= q - 1e-12 {
                            row[k] = Some(at);
                        }
                    }
                }
                at_risk[k] -= gone[k];
            }
            if known {
                ks = ks.max((left[0] - left[1]).abs());
            }
        }
        let deviation = |k: usize| if sizes[k] > 1.0 { (squares[k] / (sizes[k] - 1.0)).sqrt() } else { 0.0 };
        Measures { ks, means, deviations: [deviation(0), deviation(1)], quantiles }
    }
}

fn figures(values: &[Value]) -> Figures {
    let n = values.len();
    let mean = values.iter().map(|v| v.at).sum::<f64>() / n as f64;
    let squares: f64 = values.iter().map(|v| (v.at - mean).powi(2)).sum();
    Figures {
        n,
        censored: values.iter().filter(|value| value.cut).count(),
        mean,
        standard_deviation: if n > 1 { (squares / (n - 1) as f64).sqrt() } else { 0.0 },
        smallest: values.iter().map(|v| v.at).fold(f64::INFINITY, f64::min),
        largest: values.iter().map(|v| v.at).fold(f64::NEG_INFINITY, f64::max),
    }
}

/// Each distribution function lies between that of cut-off values that end at once and of those that never end.
fn bounds(observed: &[Value], simulated: &[Value], ks: f64) -> [f64; 2] {
    if observed.iter().chain(simulated).all(|value| !value.cut) {
        return [ks; 2];
    }
    let Split { values, sample } = Split::of(observed, simulated);
    let sizes = [observed.len() as f64, simulated.len() as f64];
    let (mut low, mut high) = ([0.0; 2], [0.0; 2]);
    let (mut least, mut most) = (0.0_f64, 0.0_f64);
    for (k, value) in values.iter().enumerate() {
        high[sample[k]] += 1.0 / sizes[sample[k]];
        low[sample[k]] += if value.cut { 0.0 } else { 1.0 / sizes[sample[k]] };
        if values.get(k + 1).is_some_and(|next| next.at <= value.at) {
            continue;
        }
        least = least.max(low[0] - high[1]).max(low[1] - high[0]);
        most = most.max(high[0] - low[1]).max(high[1] - low[0]);
    }
    // Sums and products of the same shares round differently.
    [least.min(ks), most.max(ks)]
}

/// The distribution function as steps, for a drawing.
pub(super) fn steps(values: &[Value]) -> Vec<[f64; 2]> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.cut.cmp(&b.cut)));
    let (mut at_risk, mut left) = (sorted.len() as f64, 1.0);
    let mut points = vec![[sorted.first().map_or(0.0, |value| value.at), 0.0]];
    for value in sorted {
        if !value.cut {
            points.push([value.at, 1.0 - left]);
            left *= 1.0 - 1.0 / at_risk;
            points.push([value.at, 1.0 - left]);
        }
        at_risk -= 1.0;
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(values: impl IntoIterator<Item = f64>) -> Vec<Value> {
        values.into_iter().map(Value::whole).collect()
    }

    fn normal(rng: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
    }

    /// Against the textbook: D of {1, 2, 3} and {2.5, 3.5} is 2/3; ties step together.
    #[test]
    fn distances_are_those_of_kolmogorov_and_smirnov() {
        let found = compare(&whole([1.0, 2.0, 3.0]), &whole([2.5, 3.5])).unwrap();
        assert!((found.ks - 2.0 / 3.0).abs() < 1e-12 && found.ks_bounds == [found.ks; 2]);
        assert!((found.mean_difference - 1.0).abs() < 1e-12);
        let same = compare(&whole([1.0, 1.0, 2.0]), &whole([1.0, 2.0, 1.0, 1.0, 1.0, 2.0])).unwrap();
        assert!(same.ks < 1e-12 && same.ks_p == 1.0);
        assert!(compare(&[], &whole([1.0])).is_none());
    }

    /// The level of chance is that of the limit distribution, 1.358 √((n + m)/nm), within what finite samples differ by, and
    /// one in twenty pairs of samples of one distribution lies above it.
    #[test]
    fn chance_is_what_it_says() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut draw = |n: usize| whole((0..n).map(|_| normal(&mut rng)).collect::<Vec<_>>());
        let found = compare(&draw(80), &draw(400)).unwrap();
        let limit = 1.358 * (480.0_f64 / 32_000.0).sqrt();
        assert!((found.ks_chance / limit - 1.0).abs() < 0.08, "{} {limit}", found.ks_chance); // measured −0.04 to 0.02
        let above = (0..120).filter(|_| {
            let found = compare(&draw(20), &draw(40)).unwrap();
            found.ks > found.ks_chance
        });
        let above = above.count(); // 6 expected; 0 to 14 with odds of 1 in 1000
        assert!(above <= 14, "{above} of 120");
    }

    /// Kaplan and Meier's own way of counting: of 1, 2⁺, 3, 4 the function is 1/4 at 1, 1/4 + 3/4·1/2 at 3, 1 at 4.
    #[test]
    fn values_cut_off_count_as_long_as_they_were_seen() {
        let values = [Value::whole(1.0), Value { at: 2.0, cut: true }, Value::whole(3.0), Value::whole(4.0)];
        let heights: Vec<f64> = steps(&values).iter().map(|point| point[1]).collect();
        assert_eq!(heights, [0.0, 0.0, 0.25, 0.25, 0.625, 0.625, 1.0]);
        // Cut at 100 of what goes on to 120: nothing is known beyond, and the bounds say so.
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let ways: Vec<f64> = (0..400).map(|_| 90.0 + 20.0 * normal(&mut rng)).collect();
        let cut: Vec<Value> = ways.iter().map(|&way| Value { at: way.min(100.0), cut: way > 100.0 }).collect();
        let observed: Vec<f64> = (0..80).map(|_| 90.0 + 20.0 * normal(&mut rng)).collect();
        let found = compare(&whole(observed.clone()), &cut).unwrap();
        let uncut = compare(&whole(observed), &whole(ways)).unwrap();
        assert!(found.ks <= uncut.ks + 1e-12 && found.ks_bounds[0] <= found.ks && found.ks_bounds[1] >= uncut.ks);
        assert!(found.simulated.censored > 80 && found.quantiles[5].simulated.is_none());
        assert_eq!(found.quantiles[2].simulated, uncut.quantiles[2].simulated);
    }

    /// By hand: of four values seen whole and of three, two of them cut off at 2. At 1 the functions are 1/4 and 1/3, whatever
    /// becomes of the cut ones; if these never end, they are 1 and 1/3 at 4.
    #[test]
    fn bounds_leave_room_for_what_was_cut_off() {
        let cut = Value { at: 2.0, cut: true };
        let found = compare(&whole([1.0, 2.0, 3.0, 4.0]), &[Value::whole(1.0), cut, cut]).unwrap();
        let off = [found.ks_bounds[0] - 1.0 / 12.0, found.ks_bounds[1] - 2.0 / 3.0];
        assert!(off.iter().all(|off| off.abs() < 1e-12), "{:?}", found.ks_bounds);
    }

    /// A shift by one standard deviation is found, in the mean, the quantiles and the distance.
    #[test]
    fn a_difference_is_found() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let first = whole((0..60).map(|_| normal(&mut rng)).collect::<Vec<_>>());
        let second = whole((0..300).map(|_| 1.0 + 2.0 * normal(&mut rng)).collect::<Vec<_>>());
        let found = compare(&first, &second).unwrap();
        assert!(found.ks > found.ks_chance && found.ks_p <= 0.002 && found.mean_difference > found.mean_chance);
        let (ratio, [_, high]) = (found.spread_ratio.unwrap(), found.spread_chance.unwrap());
        assert!(ratio > 1.6 && ratio > high, "{ratio} {high}");
        let p90 = &found.quantiles[4];
        assert!(p90.difference.unwrap() > p90.chance.unwrap());
    }
}
