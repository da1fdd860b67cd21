//! Two ways to compute the same ensembles, on many settings: each pair of samples, and all together.
//!
//! Every comparison is held against the distance that chance exceeds in one of a thousand *runs of the whole family*
//! (Bonferroni), and all comparisons of a quantity together against a common bias that none of them shows alone.

use super::falls::{QUANTITIES, Setting, compare};
use super::two_samples::{Comparison, FAMILY_LEVEL, normal_limit, pool};
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
            "--only `{filter}` matches no setting; its words are shapes, ground classes, `plane`, `ramp`, angles, `forest`, \
             `soil` and `bare`"
        )));
    }
    Ok(chosen)
}

/// Independent rocks each way on every setting.
pub(crate) fn compare_ways(report: &mut Report, ways: [&Way; 2], chosen: &[Setting], rocks: u64) -> Result<()> {
    let level = FAMILY_LEVEL / (chosen.len() * QUANTITIES.len()).max(1) as f64;
    let [first, second] = ways;
    report.source(&format!(
        "{} against {}, {rocks} rocks each way: largest Kolmogorov–Smirnov distance as a share of the one chance exceeds with odds of {level:.1e}",
        first.name, second.name
    ));
    let mut all = Vec::with_capacity(chosen.len());
    for setting in chosen {
        let falls = |way: &Way, from: u64| {
            let mut scene = setting.scene()?;
            (way.set)(&mut scene);
            setting.falls(&scene, from, rocks)
        };
        let comparisons = compare(&falls(first, 0)?, &falls(second, rocks)?);
        let share = comparisons.iter().map(|c| c.distance / c.limit(level)).fold(0.0, f64::max);
        report.row(&setting.to_string(), 1.0, share, Tolerance::AtMost).note(means(&comparisons));
        all.push(comparisons);
    }
    common_bias(report, &format!("{} against {}", first.name, second.name), &all);
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
        report
            .row(&format!("{name}: mean of the odds below 0.5"), limit, pooled.p_z, Tolerance::AtMost)
            .note(format!("mean of the odds {:.3}", pooled.mean_p));
        report.row(&format!("{name}: sum of all z"), limit, pooled.z.abs(), Tolerance::AtMost);
        let [bias, error] = pooled.relative;
        report.row(&format!("{name}: bias"), limit, (bias / error).abs(), Tolerance::AtMost).note(format!(
            "{:+.3} ± {:.3} %",
            100.0 * bias,
            100.0 * error
        ));
    }
}
