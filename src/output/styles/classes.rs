//! Classes and colours of the layers' legends: fixed limits where practice has them, ramps that stay readable with every
//! colour vision deficiency elsewhere, units in every label.

use crate::hazard::quantity::Quantity;
use crate::store::layers::Layer;
use crate::texts::say;

/// Upper limits (the last class is open) and one colour a class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Classes {
    pub limits: &'static [f64],
    pub colours: &'static [&'static str],
    pub unit: &'static str,
    pub kind: Kind,
    /// Limits on either side of zero for a difference of two such layers.
    pub differences: [f64; 4],
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// Labels with so many decimals.
    Measured(usize),
    /// Shares, shown in percent.
    Share,
    /// Whole numbers: "2 – 5" follows "1", and nothing is drawn where there is none.
    Counted,
    /// Names of the catalogue where limits would be hard to read.
    Named(&'static [&'static str]),
}

/// Yellow to dark red: weak to strong. The Swiss limits 30 and 300 kJ separate yellow, orange and red hues.
const HEAT: [&str; 6] = ["#fff3b0", "#fdbe6f", "#f0882e", "#d7301f", "#9c1010", "#4a0008"];
const COLD: [&str; 6] = ["#4a0008", "#9c1010", "#d7301f", "#f0882e", "#fdbe6f", "#fff3b0"];
/// Cividis.
const CIVIDIS: [&str; 6] = ["#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"];
const CIVIDIS_OF_FIVE: [&str; 5] = ["#00224e", "#4d556c", "#7c7b78", "#b9ac70", "#fee838"];
const PURPLE: [&str; 6] = ["#edf8fb", "#b3cde3", "#8c96c6", "#8856a7", "#6a0f72", "#3b0045"];
const BLUE: [&str; 6] = ["#ffffcc", "#c7e9b4", "#7fcdbb", "#41b6c4", "#2c7fb8", "#253494"];

pub(crate) const ENERGY: Classes = Classes {
    limits: &[30.0, 100.0, 300.0, 1000.0, 3000.0],
    colours: &HEAT,
    unit: "kJ",
    kind: Kind::Measured(0),
    differences: [10.0, 30.0, 100.0, 300.0],
};
pub(crate) const VELOCITY: Classes = Classes {
    limits: &[5.0, 10.0, 15.0, 20.0, 30.0],
    colours: &CIVIDIS,
    unit: "m/s",
    kind: Kind::Measured(0),
    differences: [0.5, 2.0, 5.0, 10.0],
};
const JUMP: Classes = Classes {
    limits: &[0.5, 1.0, 2.0, 3.0, 5.0],
    colours: &PURPLE,
    unit: "m",
    kind: Kind::Measured(1),
    differences: [0.25, 0.5, 1.0, 2.0],
};
const ROTATION: Classes = Classes {
    limits: &[1.0, 2.0, 3.0, 5.0],
    colours: &CIVIDIS_OF_FIVE,
    unit: "rev/s",
    kind: Kind::Measured(0),
    differences: [0.25, 0.5, 1.0, 2.0],
};
pub(crate) const CONFIDENCE: Classes = Classes {
    limits: &[0.5, 0.6, 0.7, 0.8, 0.9],
    colours: &COLD,
    unit: "%",
    kind: Kind::Share,
    differences: [0.05, 0.1, 0.2, 0.4],
};
pub(crate) const REACH: Classes = Classes {
    limits: &[0.001, 0.01, 0.05, 0.1, 0.25],
    colours: &BLUE,
    unit: "%",
    kind: Kind::Share,
    differences: [0.001, 0.01, 0.05, 0.1],
};
const ROCKS: Classes = Classes {
    limits: &[1.0, 5.0, 20.0, 100.0, 500.0],
    colours: &BLUE,
    unit: "rocks",
    kind: Kind::Counted,
    differences: [1.0, 5.0, 20.0, 100.0],
};
const CELLS: Classes = Classes { limits: &[1.0, 2.0, 5.0, 10.0, 20.0], unit: "cells", ..ROCKS };
const ANGLE: Classes = Classes {
    limits: &[28.0, 30.0, 32.0, 35.0, 40.0],
    colours: &COLD,
    unit: "°",
    kind: Kind::Measured(0),
    differences: [0.5, 1.0, 2.0, 5.0],
};
pub(crate) const RETURN_PERIOD: Classes = Classes {
    limits: &[10.0, 30.0, 100.0, 300.0, 1000.0],
    colours: &COLD,
    unit: "years",
    kind: Kind::Measured(0),
    differences: [1.0, 10.0, 30.0, 100.0],
};
const FREQUENCY: Classes = Classes {
    limits: &[1.0 / 300.0, 0.01, 1.0 / 30.0, 0.1, 1.0],
    colours: &HEAT,
    unit: "per year",
    kind: Kind::Named(&[
        "rarer-than-300-years",
        "every-100-to-300-years",
        "every-30-to-100-years",
        "every-10-to-30-years",
        "every-1-to-10-years",
        "more-than-once-a-year",
    ]),
    differences: [0.001, 1.0 / 300.0, 0.01, 1.0 / 30.0],
};

impl Classes {
    /// `None` for a flag.
    pub(crate) fn of(layer: &Layer) -> Option<Self> {
        Some(match layer {
            Layer::Passages | Layer::Deposits => ROCKS,
            Layer::SourceCells => CELLS,
            Layer::ReachProbability | Layer::ReachProbabilityLocal => REACH,
            Layer::Statistic(Quantity::KineticEnergy, _) => ENERGY,
            Layer::Statistic(Quantity::Velocity, _) => VELOCITY,
            Layer::Statistic(Quantity::JumpHeight, _) => JUMP,
            Layer::Statistic(Quantity::Rotation, _) => ROTATION,
            Layer::EnergyLineAngle => ANGLE,
            Layer::FrequencyAbove(_) => FREQUENCY,
            Layer::SampleSizeWarning => return None,
        })
    }

    /// The unit in words.
    pub(crate) fn unit_words(&self) -> String {
        match self.unit {
            "rocks" => say!("rocks-word"),
            "cells" => say!("cells-word"),
            "per year" => say!("per-year"),
            "rev/s" => say!("unit-rotation"),
            other => other.into(),
        }
    }

    /// By how much values are multiplied to be shown in the unit.
    pub(crate) fn factor(&self) -> f64 {
        if self.kind == Kind::Share { 100.0 } else { 1.0 }
    }

    /// One a class, from low to high.
    pub(crate) fn labels(&self) -> Vec<String> {
        let decimals = match self.kind {
            Kind::Named(names) => return names.iter().map(|name| say!(name)).collect(),
            Kind::Measured(decimals) => decimals,
            Kind::Share => 1,
            Kind::Counted => 0,
        };
        let unit = self.unit_words();
        let text = |limit: f64| format!("{:.decimals$}", limit * self.factor());
        let last = self.limits.len();
        let label = |i: usize| {
            let low = i.checked_sub(1).map(|below| self.limits[below]);
            match (low, self.limits.get(i)) {
                (low, Some(&high)) if self.kind == Kind::Counted => match low.map_or(1.0, |low| low + 1.0) {
                    first if first < high => format!("{first} – {high} {unit}"),
                    _ => format!("{high} {unit}"),
                },
                (None, Some(&high)) => format!("≤ {} {unit}", text(high)),
                (Some(low), Some(&high)) => format!("{} – {} {unit}", text(low), text(high)),
                (low, None) => format!("> {} {unit}", text(low.unwrap_or(0.0))),
            }
        };
        (0..=last).map(label).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_name_limits_and_units_and_counts_are_whole() {
        assert_eq!(ENERGY.labels()[..2], ["≤ 30 kJ", "30 – 100 kJ"]);
        assert_eq!(ENERGY.labels()[5], "> 3000 kJ");
        assert_eq!(ROCKS.labels()[..3], ["1 rocks", "2 – 5 rocks", "6 – 20 rocks"]);
        assert_eq!(CELLS.labels()[..2], ["1 cells", "2 cells"]);
        assert_eq!(REACH.labels()[..2], ["≤ 0.1 %", "0.1 – 1.0 %"]);
        for classes in [ENERGY, VELOCITY, JUMP, ROTATION, REACH, ROCKS, CELLS, ANGLE, FREQUENCY] {
            assert_eq!(classes.labels().len(), classes.colours.len());
            assert_eq!(classes.limits.len() + 1, classes.colours.len());
        }
    }
}
