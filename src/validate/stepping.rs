//! Is fast stepping the same as plain stepping? Independent rocks each way on every shape, class and slope, and short falls of the same rocks.

use super::falls::{Setting, Terrain, UNEVEN_DEG};
use super::families::{Way, compare_ways, filtered};
use super::{Report, Settings, short_falls};
use crate::Result;
use crate::dynamics::Stepping;

/// Rocks each way: all settings, and a quick run's few.
const ROCKS: u64 = 1500;
const QUICK_ROCKS: u64 = 80;
/// Of each kind of short falls.
const SHORT_ROCKS: u64 = 1500;
const QUICK_SHORT_ROCKS: u64 = 80;
/// A bias of this share of the mean decides nothing.
const NEGLIGIBLE: f64 = 1e-3;

const FAST: Way = Way { name: "fast stepping", set: |scene| scene.stepping = Stepping::Fast };
const PLAIN: Way = Way { name: "plain stepping", set: |scene| scene.stepping = Stepping::Plain };

/// The few of a quick run: those that went wrong once, and one of each kind.
fn quick() -> Vec<Setting> {
    use Terrain::{Plane, Ramp, Uneven};
    vec![
        Setting::bare("eota_221", "medium", Plane(32.0)),
        Setting::bare("cube", "medium", Plane(35.0)),
        Setting::bare("platy", "extra_soft", Plane(38.0)),
        Setting::bare("sphere", "hard", Ramp(32.0)),
        Setting { forest: true, ..Setting::bare("long", "soft", Ramp(40.0)) },
        Setting { scarring: true, ..Setting::bare("equant", "hard", Ramp(40.0)) },
        Setting::complete("equant", "medium", Ramp(40.0)),
        Setting::complete("long", "hard", Uneven(UNEVEN_DEG)),
    ]
}

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    let short = short_falls::are_asked_for(settings.only.as_deref());
    if short || settings.only.is_none() {
        let usual = if settings.quick { QUICK_SHORT_ROCKS } else { SHORT_ROCKS };
        short_falls::compare(
            report,
            settings,
            [&FAST, &PLAIN],
            settings.rocks.filter(|_| short).unwrap_or(usual),
            NEGLIGIBLE,
        )?;
    }
    if short {
        return Ok(());
    }
    let mut chosen = quick();
    if !settings.quick {
        chosen.truncate(1); // the test body, which is none of the shapes
        chosen.extend(Setting::all());
    }
    let chosen = filtered(chosen, settings)?;
    let rocks = settings.rocks.unwrap_or(if settings.quick { QUICK_ROCKS } else { ROCKS });
    compare_ways(report, settings, [&FAST, &PLAIN], &chosen, rocks)
}
