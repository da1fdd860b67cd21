//! Is fast stepping the same as plain stepping? Independent rocks each way on every shape, class and slope.
//!
//! Every comparison is held against the distance that chance exceeds in one of a thousand *runs of the whole case*
//! (Bonferroni), and all comparisons of a quantity together against a common bias that none of them shows alone.

use super::falls::{QUANTITIES, Setting, Terrain, compare};
use super::two_samples::{Comparison, FAMILY_LEVEL, normal_limit, pool};
use super::{Report, Settings, Tolerance};
use crate::dynamics::{Scene, Stepping};
use crate::{Error, Result};

/// Rocks each way: all settings, and a quick run's few.
const ROCKS: u64 = 1500;
const QUICK_ROCKS: u64 = 100;

/// The few of a quick run: those that went wrong once, and one of each kind.
fn quick() -> Vec<Setting> {
    use Terrain::{Plane, Ramp};
    vec![
        Setting::bare("eota_221", "medium", Plane(32.0)),
        Setting::bare("cube", "medium", Plane(35.0)),
        Setting::bare("platy", "extra_soft", Plane(38.0)),
        Setting::bare("sphere", "hard", Ramp(32.0)),
        Setting { forest: true, ..Setting::bare("long", "soft", Ramp(40.0)) },
        Setting { scarring: true, ..Setting::bare("equant", "hard", Ramp(40.0)) },
    ]
}

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    let mut chosen = if settings.quick { quick() } else { Setting::all() };
    if !settings.quick {
        chosen.splice(0..0, [quick().swap_remove(0)]);
    }
    if let Some(filter) = &settings.only {
        chosen.retain(|setting| setting.matches(filter));
    }
    if chosen.is_empty() {
        let filter = settings.only.as_deref().unwrap_or_default();
        return Err(Error::usage(format!(
            "no setting matches `{filter}`; words are shapes, ground classes, `plane`, `ramp`, angles, `forest`, `soil`, `bare`"
        )));
    }
    let rocks = settings.rocks.unwrap_or(if settings.quick { QUICK_ROCKS } else { ROCKS });
    let level = FAMILY_LEVEL / (chosen.len() * QUANTITIES.len()) as f64;
    report.source(&format!(
        "fast against plain stepping, {rocks} rocks each way: largest Kolmogorov–Smirnov distance as a share of the one chance exceeds with odds of {level:.1e}"
    ));
    let mut all = Vec::with_capacity(chosen.len());
    for setting in &chosen {
        let comparisons = fast_and_plain(setting, rocks)?;
        let share = comparisons.iter().map(|c| c.distance / c.limit(level)).fold(0.0, f64::max);
        report.row(&setting.to_string(), 1.0, share, Tolerance::AtMost).note(means(&comparisons));
        all.push(comparisons);
    }
    common_bias(report, &all);
    Ok(())
}

fn fast_and_plain(setting: &Setting, rocks: u64) -> Result<[Comparison; 4]> {
    let scene = setting.scene()?;
    let fast = setting.falls(&Scene { stepping: Stepping::Fast, ..scene.clone() }, 0, rocks)?;
    let plain = setting.falls(&Scene { stepping: Stepping::Plain, ..scene }, rocks, rocks)?;
    Ok(compare(&fast, &plain))
}

/// `run-out 12.3 | 12.5 m (0.02)`: both means and the distance.
pub fn means(comparisons: &[Comparison; 4]) -> String {
    let one = |((name, _), c): (&(&str, _), &Comparison)| {
        let (name, unit) = name.split_once(", ").unwrap_or((name, ""));
        format!("{name} {:.4} | {:.4} {unit} ({:.3})", c.means[0], c.means[1], c.distance)
    };
    QUANTITIES.iter().zip(comparisons).map(one).collect::<Vec<_>>().join(", ")
}

/// Fewer comparisons say nothing of a common bias that they do not say alone.
const ENOUGH: usize = 5;

/// Small differences everywhere: the mean of the odds, and the sign of the differences of the means.
pub fn common_bias(report: &mut Report, all: &[[Comparison; 4]]) {
    if all.len() < ENOUGH {
        return;
    }
    // Three tests for each of the quantities.
    let limit = normal_limit(FAMILY_LEVEL / (3 * QUANTITIES.len()) as f64);
    report.source("all settings together: what is common to the differences, in standard errors");
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
