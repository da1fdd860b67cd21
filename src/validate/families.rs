//! Two ways to compute the same ensembles, on many settings: each pair of samples, and all together.
//!
//! Every comparison is held against the distance that chance exceeds in one of a thousand *runs of the whole family*
//! (Bonferroni), and all comparisons of a quantity together against a common bias that none of them shows alone.

use super::falls::{QUANTITIES, Setting, compare};
use super::two_samples::{self, Comparison, FAMILY_LEVEL, normal_limit, pool};
use super::{Report, Settings, Tolerance};
use crate::dynamics::Scene;
use crate::{Error, Result};

/// One way to compute.
pub(crate) struct Way {
    pub name: &'static str,
    pub set: fn(&mut Scene),
}

/// The settings that match the user's filter.
///
/// # Errors
/// A usage error if there is none.
pub(crate) fn filtered(mut chosen: Vec<Setting>, settings: &Settings) -> Result<Vec<Setting>> {
    let Some(filter) = &settings.only else { return Ok(chosen) };
    chosen.retain(|setting| setting.matches(filter));
    if chosen.is_empty() {
        return Err(Error::usage(format!(
            "--only `{filter}` matches no setting; its words are shapes, ground classes, `plane`, `ramp`, `uneven`, angles, \
             `forest`, `soil`, `complete` and `bare`, or `short` for short falls alone"
        )));
    }
    Ok(chosen)
}

/// Independent rocks each way on every setting.
pub(crate) fn compare_ways(
    report: &mut Report,
    settings: &Settings,
    ways: [&Way; 2],
    chosen: &[Setting],
    rocks: u64,
) -> Result<()> {
    let level = FAMILY_LEVEL / (chosen.len() * QUANTITIES.len()).max(1) as f64;
    let [first, second] = ways;
    report.source(&format!(
        "{} against {}, {rocks} rocks each way: largest Kolmogorov–Smirnov distance as a share of the one chance exceeds with odds of {level:.1e}",
        first.name, second.name
    ));
    let (mut all, mut ranks) = (Vec::with_capacity(chosen.len()), Vec::with_capacity(chosen.len()));
    report.stage(&format!("{} against {}", first.name, second.name), chosen.len());
    for setting in chosen {
        let compute = |way: &Way, from: u64| {
            let mut scene = setting.scene()?;
            (way.set)(&mut scene);
            setting.falls(&scene, from, rocks)
        };
        let falls = |way: &Way, from: u64| match &settings.keep {
            Some(kept) => {
                kept.falls(&format!("{setting}, {}, {rocks} rocks from {from}", way.name), || compute(way, from))
            }
            None => compute(way, from),
        };
        let both = [falls(first, 0)?, falls(second, rocks)?];
        let comparisons = compare(&both[0], &both[1]);
        ranks.push(QUANTITIES.map(|(_, value)| {
            let values = both.each_ref().map(|falls| falls.iter().map(value).collect::<Vec<_>>());
            two_samples::ranks(&values[0], &values[1])
        }));
        let share = comparisons.iter().map(|c| c.distance / c.limit(level)).fold(0.0, f64::max);
        report.row(&setting.to_string(), 1.0, share, Tolerance::AtMost).note(means(&comparisons));
        all.push(comparisons);
        report.step();
    }
    let ways = format!("{} against {}", first.name, second.name);
    common_bias(report, &ways, &all);
    groups(report, &ways, chosen, &all, &ranks);
    Ok(())
}

/// `run-out 12.3 | 12.5 m (0.02)`: both means and the distance.
fn means(comparisons: &[Comparison; 4]) -> String {
    let one = |((name, _), c): (&(&str, _), &Comparison)| {
        let (name, unit) = name.split_once(", ").unwrap_or((name, ""));
        format!("{name} {:.4} | {:.4} {unit} ({:.3})", c.means[0], c.means[1], c.distance)
    };
    QUANTITIES.iter().zip(comparisons).map(one).collect::<Vec<_>>().join(", ")
}

/// Fewer comparisons say nothing of a common bias that they do not say alone.
const ENOUGH: usize = 5;

/// The settings of a shape, a ground class, a terrain, with forest or soil together: a difference of a few of them is lost among all, and
/// too small to be seen in one. Each rock counts with its rank among the rocks of its setting.
fn groups(report: &mut Report, ways: &str, chosen: &[Setting], all: &[[Comparison; 4]], ranks: &[[[Vec<f64>; 2]; 4]]) {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (number, setting) in chosen.iter().enumerate() {
        for name in setting.groups() {
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, members)) => members.push(number),
                None => groups.push((name, vec![number])),
            }
        }
    }
    groups.retain(|(_, members)| members.len() >= ENOUGH);
    if groups.is_empty() {
        return;
    }
    // Two tests for each quantity.
    let level = FAMILY_LEVEL / (2 * groups.len() * QUANTITIES.len()) as f64;
    report.source(&format!(
        "{ways}, by group: largest distance of the ranks or common bias of the means as a share of what chance exceeds with odds of {level:.1e}"
    ));
    for (name, members) in groups {
        let (mut largest, mut notes) = (0.0_f64, Vec::new());
        for (i, (quantity, _)) in QUANTITIES.iter().enumerate() {
            let together =
                |way: usize| members.iter().flat_map(|k| ranks[*k][i][way].iter().copied()).collect::<Vec<_>>();
            let ranked = Comparison::of(&together(0), &together(1));
            let relative = pool(members.iter().map(|k| &all[*k][i])).relative;
            let ([bias, error], z) = (relative, in_errors(relative));
            largest = largest.max(ranked.distance / ranked.limit(level)).max(z / normal_limit(level));
            let quantity = quantity.split(',').next().unwrap_or(quantity);
            // Where every rock does the same there is no mean to compare.
            let means = if bias.is_nan() { "no scatter".into() } else { percent(bias, error) };
            notes.push(format!("{quantity} {:.4}, {means}", ranked.distance));
        }
        let name = format!("{name}, {} settings", members.len());
        report.row(&name, 1.0, largest, Tolerance::AtMost).note(notes.join("; "));
    }
}

fn percent(bias: f64, error: f64) -> String {
    format!("{:+.2} ± {:.2} %", 100.0 * bias, 100.0 * error)
}

/// Largest energies of rocks on the ground are those at the ends of steps: at 50 m/s up to 0.1 m before the edge or the toe, of the 390 m that
/// they grew on. Where rocks hardly scatter (spheres), a difference of this share of the mean is seen and means nothing.
const SAMPLED: f64 = 2.6e-4;

/// A difference in standard errors.
fn in_errors([bias, error]: [f64; 2]) -> f64 {
    if error > 0.0 && bias.abs() > SAMPLED { (bias / error).abs() } else { 0.0 }
}

/// Small differences everywhere: the mean of the odds, and the sign of the differences of the means.
fn common_bias(report: &mut Report, ways: &str, all: &[[Comparison; 4]]) {
    if all.len() < ENOUGH {
        return;
    }
    // Three tests for each of the quantities.
    let limit = normal_limit(FAMILY_LEVEL / (3 * QUANTITIES.len()) as f64);
    report.source(&format!("{ways}, all settings together: what is common to the differences, in standard errors"));
    for (i, (name, _)) in QUANTITIES.iter().enumerate() {
        let pooled = pool(all.iter().map(|comparisons| &comparisons[i]));
        if pooled.mean_p.is_nan() {
            continue; // Every rock does the same, both ways.
        }
        report
            .row(&format!("{name}: mean of the odds below 0.5"), limit, pooled.p_z, Tolerance::AtMost)
            .note(format!("mean of the odds {:.3}", pooled.mean_p));
        report.row(&format!("{name}: sum of all z"), limit, pooled.z.abs(), Tolerance::AtMost);
        let [bias, error] = pooled.relative;
        report.row(&format!("{name}: bias"), limit, in_errors([bias, error]), Tolerance::AtMost).note(format!(
            "{:+.3} ± {:.3} %",
            100.0 * bias,
            100.0 * error
        ));
    }
}
