//! Axes of plots: where values lie, and their ticks.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scale {
    Linear,
    Log,
}

pub(super) struct Axis {
    pub scale: Scale,
    pub range: [f64; 2],
    pub from: f64,
    pub to: f64,
}

impl Axis {
    pub(super) fn place(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        let share = match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Log if value > 0.0 => (value / low).ln() / (high / low).ln(),
            Scale::Log => f64::NAN,
        };
        // A value far outside is drawn just outside, so that no renderer meets huge coordinates.
        self.from + share.clamp(-5.0, 6.0) * (self.to - self.from)
    }

    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let [low, high] = self.range;
        if self.scale == Scale::Log {
            let (first, last) = (low.log10().ceil() as i32, high.log10().floor() as i32);
            let stride = ((last - first) / 7 + 1).max(1) as usize;
            return (first..=last).step_by(stride).map(|e| (10f64.powi(e), format!("1e{e}"))).collect();
        }
        let rough = (high - low) / 6.0;
        let unit = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].iter().map(|m| m * unit).find(|s| *s >= rough).unwrap_or(unit);
        if !(step.is_finite() && step > 0.0) {
            return Vec::new();
        }
        let first = (low / step).ceil() as i64;
        let last = (high / step).floor() as i64;
        (first..=last.min(first + 20)).map(|i| (i as f64 * step, tick_label(i as f64 * step, step))).collect()
    }
}

fn tick_label(value: f64, step: f64) -> String {
    if value != 0.0 && (value.abs() >= 1e6 || step < 1e-4) {
        return format!("{value:.1e}");
    }
    let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}")
}
