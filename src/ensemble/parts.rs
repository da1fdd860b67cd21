//! Cuts a run into parts that take equally long.
//!
//! Rocks of one release area fall alike, those of another longer or shorter. A pilot lets a small share of all rocks fall, spread evenly, and measures the processor time of
//! each. How long a rock takes is decided by its steps, and by those with contact: what such steps take is fitted to all times, since a single time tells as much of what else
//! the machine does. Costs of neighbours from one release layer are averaged over as many of them as best foretell one from the others, and the sum along the run is cut into equal pieces.

use std::ops::Range;
use std::time::Instant;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::fall::{self, Keep};
use super::footprint::Footprint;
use crate::process::{interrupt, threads};
use crate::store::Setup;
use crate::store::record::TrajectoryRecord;
use crate::{Error, Result};

/// Rocks of the pilot for each part: more would hardly be noticed in the cuts.
const PER_PART: u64 = 400;
/// The pilot is so small a share of the run, …
const SHARE: u64 = 40;
/// … but no fewer rocks than these.
const FEWEST: u64 = 100;

/// What a pilot has measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pilot {
    /// Processor time of each rock by its steps, s; spread evenly over the run.
    seconds: Vec<f64>,
    /// Rocks of the same release layer.
    stretches: Vec<Range<usize>>,
    total: u64,
    /// What they leave on the map.
    pub footprint: Footprint,
}

/// One part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Part {
    /// First trajectory, and the first one no longer in it.
    pub range: (u64, u64),
    /// Processor time expected, s.
    pub seconds: f64,
}

impl Pilot {
    /// Enough rocks for so many parts.
    pub(crate) fn run(setup: &Setup, parts: u64, wanted_threads: usize) -> Result<Self> {
        Self::of(setup, Self::enough(setup.identity.total, parts), wanted_threads)
    }

    /// Enough rocks for parts that take so long each, s of processor time; and how many parts these are.
    pub(crate) fn run_for(setup: &Setup, each_s: f64, wanted_threads: usize) -> Result<(Self, u64)> {
        let total = setup.identity.total;
        let first = Self::of(setup, total.min(FEWEST), wanted_threads)?;
        let parts = (first.whole_s() / each_s).ceil().clamp(1.0, 100_000.0) as u64;
        let is_enough = first.rocks() >= Self::enough(total, parts);
        Ok((if is_enough { first } else { Self::run(setup, parts, wanted_threads)? }, parts))
    }

    fn enough(total: u64, parts: u64) -> u64 {
        PER_PART.saturating_mul(parts).min((total / SHARE).max(FEWEST)).min(total)
    }

    fn of(setup: &Setup, count: u64, wanted_threads: usize) -> Result<Self> {
        let total = setup.identity.total;
        let nx = setup.site.scene.surface.lattice().nx;
        let one = |k: u64| {
            let i = (u128::from(2 * k + 1) * u128::from(total) / u128::from(2 * count)) as u64;
            let release = setup.plan.get(setup.index(i))?;
            let begun = threads::processor_time();
            let wall = Instant::now();
            let fallen = fall::fall(setup.site, &setup.lines, &release, Keep::of(setup, i));
            let took =
                threads::processor_time().zip(begun).map_or(wall.elapsed().as_secs_f64(), |(now, then)| now - then);
            setup.site.is_readable()?;
            match fallen {
                Some(variants) => {
                    let measured = Measured::of(took, variants.iter().map(|fallen| &fallen.record));
                    Ok((measured, release.layer, Footprint::of(&variants, nx)))
                }
                None => Err(Error::again("stopped while measuring; nothing was written")),
            }
        };
        interrupt::check()?;
        let all = || (0..count).into_par_iter().map(one).collect::<Result<Vec<_>>>();
        let fallen = match threads::start(wanted_threads) {
            Ok(pool) => pool.install(all)?,
            Err(_) => (0..count).map(one).collect::<Result<_>>()?,
        };
        let measured: Vec<Measured> = fallen.iter().map(|(measured, ..)| *measured).collect();
        let layers: Vec<usize> = fallen.iter().map(|(_, layer, _)| *layer).collect();
        let footprint = fallen.iter().fold(Footprint::default(), |all, (.., one)| all.and(*one));
        Ok(Self { seconds: fitted(&measured), stretches: stretches(&layers), total, footprint })
    }

    /// Rocks it let fall.
    pub(crate) fn rocks(&self) -> u64 {
        self.seconds.len() as u64
    }

    /// Processor time of the whole run, s.
    pub(crate) fn whole_s(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.seconds.len() as f64 * self.total as f64
    }

    /// Parts of equal expected time; as many as asked for, or as there are rocks.
    pub(crate) fn cut(&self, parts: u64) -> Vec<Part> {
        let parts = parts.clamp(1, self.total);
        let smooth = smoothed(&self.seconds, &self.stretches);
        // Expected time before the k-th rock of the pilot's stretch.
        let mut before = vec![0.0];
        smooth.iter().for_each(|cost| before.push(before[before.len() - 1] + cost));
        let (sum, count) = (before[before.len() - 1], smooth.len() as f64);
        let per_rock = self.total as f64 / count;
        let place = |share: f64| {
            let wanted = share * sum;
            let k = before.partition_point(|sum| *sum <= wanted).clamp(1, smooth.len()) - 1;
            let within = if smooth[k] > 0.0 { ((wanted - before[k]) / smooth[k]).clamp(0.0, 1.0) } else { 0.0 };
            (k as f64 + within) * per_rock
        };
        let mut cuts: Vec<u64> = (0..=parts).map(|i| place(i as f64 / parts as f64).round() as u64).collect();
        (cuts[0], cuts[parts as usize]) = (0, self.total);
        // Every part has a rock.
        for i in 1..parts as usize {
            cuts[i] = cuts[i].max(cuts[i - 1] + 1).min(self.total - (parts - i as u64));
        }
        let until = |at: u64| {
            let at = at as f64 / per_rock;
            let k = (at as usize).min(smooth.len() - 1);
            (before[k] + (at - k as f64) * smooth[k]) * per_rock
        };
        cuts.windows(2).map(|cut| Part { range: (cut[0], cut[1]), seconds: until(cut[1]) - until(cut[0]) }).collect()
    }
}

/// What a rock of the pilot took.
#[derive(Debug, Clone, Copy)]
struct Measured {
    seconds: f64,
    /// One, steps, steps with contact.
    work: [f64; 3],
}

impl Measured {
    fn of<'a>(seconds: f64, variants: impl Iterator<Item = &'a TrajectoryRecord>) -> Self {
        let add = |[n, steps, solves]: [f64; 3], record: &TrajectoryRecord| {
            [n, steps + record.steps as f64, solves + record.solver.solves as f64]
        };
        Self { seconds, work: variants.fold([1.0, 0.0, 0.0], add) }
    }
}

/// Times by the work alone: least squares over what kinds of work have no negative price, from all three kinds down to one. The sum is that of the times.
fn fitted(rocks: &[Measured]) -> Vec<f64> {
    let price = |kinds: &[usize]| -> Option<[f64; 3]> {
        let (mut left, mut right) = (DMatrix::zeros(kinds.len(), kinds.len()), DVector::zeros(kinds.len()));
        for Measured { seconds, work } in rocks {
            for (i, &a) in kinds.iter().enumerate() {
                right[i] += work[a] * seconds;
                kinds.iter().enumerate().for_each(|(j, &b)| left[(i, j)] += work[a] * work[b]);
            }
        }
        let found = left.cholesky()?.solve(&right);
        let mut prices = [0.0; 3];
        kinds.iter().zip(found.iter()).for_each(|(&kind, &price)| prices[kind] = price);
        prices.iter().all(|price| price.is_finite() && *price >= 0.0).then_some(prices)
    };
    let choices: [&[usize]; 5] = [&[0, 1, 2], &[1, 2], &[0, 2], &[2], &[1]];
    let Some(prices) = choices.into_iter().find_map(price) else { return rocks.iter().map(|r| r.seconds).collect() };
    let cost = |rock: &Measured| rock.work.iter().zip(prices).map(|(work, price)| work * price).sum::<f64>();
    let costs: Vec<f64> = rocks.iter().map(cost).collect();
    let (sum, all) = (rocks.iter().map(|rock| rock.seconds).sum::<f64>(), costs.iter().sum::<f64>());
    if all > 0.0 { costs.iter().map(|cost| cost * sum / all).collect() } else { costs }
}

/// Where rocks of one layer follow each other; everything where layers take turns, as in rounds.
fn stretches(layers: &[usize]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (k, layer) in layers.iter().enumerate() {
        match found.last_mut() {
            Some(last) if layers[last.start] == *layer => last.end = k + 1,
            _ => found.push(k..k + 1),
        }
    }
    let mut met: Vec<usize> = found.iter().map(|stretch| layers[stretch.start]).collect();
    met.sort_unstable();
    let again = met.windows(2).any(|pair| pair[0] == pair[1]);
    if again { std::iter::once(0..layers.len()).collect() } else { found }
}

/// Means over neighbours of the same stretch: over as many as best foretell a rock from the others around it. Too few leave chance in, too many wash
/// out where one release area ends and another begins.
fn smoothed(seconds: &[f64], stretches: &[Range<usize>]) -> Vec<f64> {
    let mut before = vec![0.0];
    seconds.iter().for_each(|cost| before.push(before[before.len() - 1] + cost));
    let places = || stretches.iter().flat_map(|stretch| stretch.clone().map(move |k| (k, stretch)));
    let around = |k: usize, stretch: &Range<usize>, half: usize| {
        let (from, to) = (k.saturating_sub(half).max(stretch.start), (k + half + 1).min(stretch.end));
        (before[to] - before[from], (to - from) as f64)
    };
    let missed = |half: usize| -> f64 {
        let error = |(k, stretch): (usize, &Range<usize>)| {
            let (sum, count) = around(k, stretch, half);
            ((sum - seconds[k]) / (count - 1.0).max(1.0) - seconds[k]).powi(2)
        };
        places().map(error).sum()
    };
    let widths = std::iter::successors(Some(2), |half| Some(2 * half)).take_while(|half| *half < 2 * seconds.len());
    let best = widths.min_by(|a, b| missed(*a).total_cmp(&missed(*b))).unwrap_or(seconds.len());
    let average = |(k, stretch): (usize, &Range<usize>)| {
        let (sum, count) = around(k, stretch, best);
        sum / count
    };
    places().map(average).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pilot(total: u64, seconds: impl Iterator<Item = f64>) -> Pilot {
        in_layers(total, seconds.map(|cost| (0, cost)))
    }

    fn in_layers(total: u64, rocks: impl Iterator<Item = (usize, f64)>) -> Pilot {
        let (layers, seconds): (Vec<usize>, Vec<f64>) = rocks.unzip();
        Pilot { seconds, stretches: stretches(&layers), total, footprint: Footprint::default() }
    }

    /// Where one layer of rocks ends and the next takes twice as long, the cost is not washed out: with a pilot of 40 rocks a layer, and chance of a third of the times.
    #[test]
    fn layers_are_not_mixed() {
        let mut state = 11_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let cost = |layer: usize| [1.0, 2.0, 4.0][layer];
        let rocks: Vec<_> = (0..120).map(|k| (k / 40, cost(k / 40) * (0.5 + random()))).collect();
        let slowest = |pilot: &Pilot| {
            let expected = |part: &Part| (part.range.0..part.range.1).map(|rock| cost(rock as usize / 1000)).sum();
            let mean = (0..3000).map(|rock| cost(rock / 1000)).sum::<f64>() / 15.0;
            pilot.cut(15).iter().map(expected).fold(0.0, f64::max) / mean
        };
        let known = slowest(&in_layers(3000, rocks.iter().copied()));
        let unknown = slowest(&pilot(3000, rocks.iter().map(|(_, cost)| *cost)));
        assert!(known < 1.08 && known < unknown, "{known} times the mean, {unknown} without knowing of layers");
    }

    /// In rounds, where layers take turns, all rocks are neighbours.
    #[test]
    fn layers_that_take_turns_are_one_stretch() {
        assert_eq!(stretches(&[0, 0, 1, 2, 2]), [0..2, 2..3, 3..5]);
        let only = |layers: &[usize]| stretches(layers).first().cloned().filter(|_| stretches(layers).len() == 1);
        assert_eq!(only(&[0, 1, 0, 1]), Some(0..4));
        assert_eq!(only(&[5]), Some(0..1));
    }

    /// Where rocks take three times as long, parts are a third as large; each takes the same.
    #[test]
    fn parts_are_of_equal_cost() {
        let pilot = pilot(100_000, (0..2000).map(|k| if k < 500 { 3.0 } else { 1.0 }));
        let parts = pilot.cut(30);
        assert_eq!(parts.len(), 30);
        assert_eq!((parts[0].range.0, parts[29].range.1), (0, 100_000));
        assert!(parts.windows(2).all(|pair| pair[0].range.1 == pair[1].range.0));
        let mean = pilot.whole_s() / 30.0;
        assert!(parts.iter().all(|part| (part.seconds / mean - 1.0).abs() < 0.02), "{parts:?}");
        let size = |part: &Part| part.range.1 - part.range.0;
        assert!((2.9..3.1).contains(&(size(&parts[29]) as f64 / size(&parts[0]) as f64)));
    }

    /// Chance in the pilot does not make parts uneven: with times that scatter as much as they are long, equal rocks are cut into equal parts.
    #[test]
    fn chance_does_not_cut() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            -(((state >> 11) as f64 + 1.0) / (1_u64 << 53) as f64).ln()
        };
        let pilot = pilot(50_000, (0..1000).map(|_| random()));
        let parts = pilot.cut(16);
        let largest = parts.iter().map(|part| part.range.1 - part.range.0).max().unwrap();
        assert!((largest as f64) < 1.15 * 50_000.0 / 16.0, "{parts:?}");
    }

    /// Where a release area takes five times as long as the next, chance as large as the times themselves does not hide it.
    #[test]
    fn costly_areas_are_found_behind_chance() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            -(((state >> 11) as f64 + 1.0) / (1_u64 << 53) as f64).ln()
        };
        let cost = |k: u64| if k < 400 { 5.0 } else { 1.0 };
        let pilot = pilot(18_000, (0..2000).map(|k| cost(k) * random()));
        let expected = |part: &Part| (part.range.0..part.range.1).map(|rock| cost(rock / 9)).sum::<f64>();
        let mean = (0..18_000).map(|rock| cost(rock / 9)).sum::<f64>() / 16.0;
        let slowest = pilot.cut(16).iter().map(expected).fold(0.0, f64::max);
        assert!(slowest < 1.35 * mean, "{} times the mean; equal counts: 2.8 times", slowest / mean);
    }

    /// Where half of the times were taken on a busy machine and came out twice as long, rocks with the same steps still cost the same.
    #[test]
    fn a_busy_machine_does_not_cut() {
        let mut state = 3_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let rock = |k: usize| {
            let (steps, solves) = (2000.0 + 4000.0 * random(), 500.0 + 1000.0 * random());
            let busy = if k < 200 { 1.0 } else { 2.0 };
            Measured { seconds: busy * (1e-4 + 1e-7 * steps + 4e-6 * solves), work: [1.0, steps, solves] }
        };
        let measured: Vec<Measured> = (0..400).map(rock).collect();
        let pilot = pilot(10_000, fitted(&measured).into_iter());
        let times: f64 = measured.iter().map(|rock| rock.seconds).sum();
        assert!((pilot.whole_s() / (25.0 * times) - 1.0).abs() < 1e-9);
        let largest = pilot.cut(16).iter().map(|part| part.range.1 - part.range.0).max().unwrap();
        assert!(largest as f64 <= 1.15 * 10_000.0 / 16.0, "{largest}; by the times alone 833");
    }

    /// More parts than rocks are as many as there are rocks, and none is empty.
    #[test]
    fn no_part_is_empty() {
        for (total, parts) in [(5, 9), (7, 7), (3, 2), (1, 1), (1000, 999)] {
            let pilot = pilot(total, (0..total.min(200)).map(|k| if k == 0 { 1000.0 } else { 1e-3 }));
            let cut = pilot.cut(parts);
            assert_eq!(cut.len() as u64, parts.min(total));
            assert!(cut.iter().all(|part| part.range.0 < part.range.1), "{cut:?}");
            assert_eq!((cut[0].range.0, cut[cut.len() - 1].range.1), (0, total));
        }
    }
}
