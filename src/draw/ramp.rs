//! Colours and classes of the maps. Ramps are sequential in lightness, so they survive colour blindness and a black and
//! white printer; kinetic energy always has the limits 30 and 300 kJ among its classes.

use crate::draw::canvas::{Rgb, WHITE};
use crate::hazard::scheme::{Scheme, Zone};
use crate::texts::say;

/// What a map's colours mean.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Legend {
    title: String,
    kind: Kind,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub label: String,
    pub colour: Rgb,
    /// Colour of stripes across it.
    pub stripes: Option<Rgb>,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// Upper limits of all classes but the last.
    Limits(Vec<f64>),
    /// Value v has entry v − 1 (entries are listed from 1); 0 has none.
    Classes,
}

/// Yellow to dark brown: weak to strong.
const INTENSITY: [Rgb; 6] =
    [[255, 245, 190], [254, 217, 118], [253, 154, 68], [227, 90, 20], [166, 45, 4], [90, 20, 3]];
/// Viridis, dark at the low end reversed to light: few to many.
const VIRIDIS: [Rgb; 6] = [[253, 231, 37], [122, 209, 81], [34, 168, 132], [42, 120, 142], [65, 68, 135], [68, 1, 84]];

/// For kinds of ground and forest: muted, told apart with every colour vision deficiency (Okabe & Ito, lightened).
const NAMED: [Rgb; 8] = [
    [214, 188, 140],
    [120, 160, 90],
    [150, 190, 220],
    [235, 170, 70],
    [90, 120, 110],
    [205, 140, 170],
    [245, 235, 150],
    [140, 130, 130],
];

/// Stripes where other rocks might give another zone.
const UNCERTAIN: Rgb = [70, 70, 70];

/// Blue – white – brown: told apart with every colour vision deficiency.
const DIVERGING: [Rgb; 6] =
    [[1, 102, 94], [90, 180, 172], [199, 234, 229], [246, 232, 195], [216, 179, 101], [140, 81, 10]];

impl Entry {
    /// Colour of a pixel in or beside the stripes of a hatched entry.
    pub(crate) fn colour_of(&self, stripe: bool) -> Rgb {
        self.stripes.filter(|_| stripe).unwrap_or(self.colour)
    }
}

impl Legend {
    /// Classes 0–30, 30–100, 100–300, 300–1000, 1000–3000, above 3000 kJ.
    pub(crate) fn energy(title: &str) -> Self {
        Self::limits(title, &[30.0, 100.0, 300.0, 1000.0, 3000.0], &INTENSITY)
    }

    /// Energy line angles: 20, 25, 30, 35, 45°.
    pub(crate) fn angle(title: &str) -> Self {
        Self::limits(title, &[20.0, 25.0, 30.0, 35.0, 45.0], &VIRIDIS)
    }

    /// Six classes with round limits up to a largest value.
    pub(crate) fn linear(title: &str, largest: f64) -> Self {
        let step = round_up(largest / 6.0);
        Self::limits(title, &[1.0, 2.0, 3.0, 4.0, 5.0].map(|n| n * step), &VIRIDIS)
    }

    /// Six classes, each limit about √10 times the one before, ending at the power of ten around a largest value.
    pub(crate) fn logarithmic(title: &str, largest: f64) -> Self {
        // What single precision makes of a power of ten is still that power.
        let top = if largest > 0.0 { (largest.log10() - 1e-6).ceil() } else { 0.0 };
        let limit = |i: i32| {
            let power = 10f64.powi(top as i32 - (6 - i) / 2);
            if i % 2 == 0 { power } else { 0.3 * power }
        };
        Self::limits(title, &[limit(1), limit(2), limit(3), limit(4), limit(5)], &VIRIDIS)
    }

    /// Six classes around zero with round limits, blue below and brown above.
    pub(crate) fn difference(title: &str, largest: f64) -> Self {
        let step = round_up((largest / 10.0).max(f64::MIN_POSITIVE));
        Self::limits(title, &[-5.0, -1.0, 0.0, 1.0, 5.0].map(|n| n * step), &DIVERGING)
    }

    fn limits(title: &str, limits: &[f64], colours: &[Rgb]) -> Self {
        let label = |i: usize| match (i.checked_sub(1).map(|i| limits[i]), limits.get(i)) {
            (None, Some(upper)) => format!("< {}", number(*upper)),
            (Some(lower), Some(upper)) => format!("{} – {}", number(lower), number(*upper)),
            (lower, None) => format!("≥ {}", number(lower.unwrap_or(0.0))),
        };
        let entries =
            colours.iter().enumerate().map(|(i, &colour)| Entry { label: label(i), colour, stripes: None }).collect();
        Self { title: title.into(), kind: Kind::Limits(limits.to_vec()), entries }
    }

    /// The zones of a scheme, each surely and uncertainly: zone z is class 2 z − 1 where it is sure and 2 z where it is not, so that
    /// the more severe zone has the higher class. Entries without a label are not listed; the last one explains the stripes.
    pub(crate) fn zones(scheme: &Scheme) -> Self {
        let of_zone = |zone: &Zone| {
            let (label, colour) = (zone.name.clone(), zone.colour.0);
            let sure = Entry { label, colour, stripes: zone.hatched.then_some(WHITE) };
            [sure, Entry { label: String::new(), colour, stripes: Some(UNCERTAIN) }]
        };
        let explained = Entry { label: say!("list-uncertain"), colour: WHITE, stripes: Some(UNCERTAIN) };
        let entries = scheme.zones.iter().flat_map(of_zone).chain([explained]).collect();
        Self { title: say!("map-hazard"), kind: Kind::Classes, entries }
    }

    /// The intensity classes of a scheme, with their limits in words.
    pub(crate) fn intensities(scheme: &Scheme, labels: &[String]) -> Self {
        let entries = scheme.intensities.iter().enumerate().map(|(i, class)| Entry {
            label: format!("{}: {}", class.name, labels[i]),
            colour: class.colour.0,
            stripes: None,
        });
        let title = say!("legend-intensity-title", quantile = format!("{:.0}", 100.0 * scheme.quantile));
        Self { title, kind: Kind::Classes, entries: entries.collect() }
    }

    /// Classes that have names: class c is `names[c − 1]`.
    pub(crate) fn named(title: &str, names: Vec<String>) -> Self {
        let colours = NAMED.iter().cycle();
        let entry = |(label, &colour): (String, &Rgb)| Entry { label, colour, stripes: None };
        Self { title: title.into(), kind: Kind::Classes, entries: names.into_iter().zip(colours).map(entry).collect() }
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// From weak to strong.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Which entry a value has; `None` for no data.
    pub(crate) fn class(&self, value: f64) -> Option<usize> {
        match &self.kind {
            Kind::Limits(limits) => Some(limits.partition_point(|&limit| limit <= value)),
            Kind::Classes if value >= 1.0 => Some(value as usize - 1),
            Kind::Classes => None,
        }
    }

    /// Whether a pixel with x + y = `diagonal` lies in a stripe of hatched entries.
    pub(crate) fn is_stripe(diagonal: i64) -> bool {
        diagonal.rem_euclid(10) < 5
    }
}

/// 1, 2, 2.5 or 5 times a power of ten, at least the value.
pub(crate) fn round_up(value: f64) -> f64 {
    if !(value > 0.0 && value.is_finite()) {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .iter()
        .map(|step| step * power)
        .find(|&step| step >= value * 0.999_999)
        .unwrap_or(10.0 * power)
}

/// A number with three digits that count, without needless zeros; from 100 on whole.
pub(crate) fn number(value: f64) -> String {
    let magnitude = value.abs();
    let text = match magnitude {
        m if m >= 100.0 => format!("{value:.0}"),
        m if m >= 10.0 => format!("{value:.1}"),
        m if m >= 1.0 => format!("{value:.2}"),
        m if m >= 0.1 => format!("{value:.3}"),
        m if m >= 0.01 => format!("{value:.4}"),
        m if m >= 0.001 => format!("{value:.5}"),
        0.0 => "0".into(),
        _ => return format!("{value:.1e}"),
    };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_classes_hold_the_intensity_limits() {
        let legend = Legend::energy("kJ");
        assert_ne!(legend.class(29.9), legend.class(30.0));
        assert_ne!(legend.class(299.0), legend.class(300.0));
        assert_eq!(legend.entries()[2].label, "100 – 300");
        assert_eq!(legend.entries()[5].label, "≥ 3000");
    }

    #[test]
    fn classes_get_round_limits() {
        assert_eq!(round_up(0.37), 0.5);
        assert_eq!(round_up(5.0), 5.0);
        assert_eq!(round_up(-1.0), 1.0);
        assert_eq!(Legend::linear("m", 17.0).entries()[1].label, "5 – 10");
        let labels: Vec<String> = Legend::logarithmic("n", 400.0).entries().iter().map(|e| e.label.clone()).collect();
        assert_eq!(labels, ["< 3", "3 – 10", "10 – 30", "30 – 100", "100 – 300", "≥ 300"]);
        assert_eq!(number(0.0035), "0.0035");
        assert_eq!(number(0.933_6), "0.934");
        assert_eq!(number(0.003_333), "0.00333");
        assert_eq!(number(1.5e-5), "1.5e-5");
    }

    /// Lightness must fall along every ramp: that is what a colour-blind reader and a grey printer see.
    #[test]
    fn ramps_darken_steadily() {
        for ramp in [INTENSITY, VIRIDIS] {
            let light = ramp.map(|[r, g, b]| 0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b));
            assert!(light.windows(2).all(|w| w[0] > w[1] + 8.0), "{light:?}");
        }
    }
}
