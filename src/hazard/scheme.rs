//! Classification schemes: limits of intensity, classes of return period, and the matrix that joins them to zones.
//!
//! A scheme is plain data; how it is read, and the built-in ones, are in `project::schemes`, the format in docs/hazard.md. Zones are listed from the least to the most severe; where several apply the most severe wins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hazard::generalise::Generalisation;

/// Where the return period of a cell comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReturnPeriod {
    /// Each scenario has its own wherever it reaches; the most severe zone of all scenarios counts.
    Scenario,
    /// One over the yearly frequency of the rocks passing the cell.
    #[default]
    Passages,
}

/// With the frequency of passages: how intensity and frequency come together in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// Per intensity class the yearly frequency of passages at or above its lower limit, all scenarios together.
    #[default]
    Exceedance,
    /// Per scenario the quantile of the energy sets the intensity and all its passages count with it.
    ScenarioQuantile,
}

/// How intensities and hazard zones are told apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scheme {
    /// For people.
    pub name: String,
    /// Where the scheme comes from and what in it is an assumption; printed in the legend.
    #[serde(default)]
    pub source: String,
    /// What whoever uses the scheme has to fill in or confirm; printed as a warning. Default: nothing.
    #[serde(default)]
    pub fill_in: String,
    /// Quantile of the kinetic energy in a cell that counts as its intensity.
    #[serde(default = "default_quantile")]
    pub quantile: f64,
    /// Where return periods come from.
    #[serde(default)]
    pub return_period: ReturnPeriod,
    /// How scenarios come together.
    #[serde(default)]
    pub combine: Combine,
    /// A scenario counts where at least this share of its rocks passes; 0: wherever one does. With a reference width these are the
    /// rocks that enter the square; of a release area longer than 100 m the rocks of 100 m.
    #[serde(default)]
    pub least_reach_probability: f64,
    /// From the weakest to the strongest.
    pub intensities: Vec<Intensity>,
    /// Upper limits of the return period classes, years, ascending; what is rarer falls into one more class.
    pub return_periods_years: Vec<f64>,
    /// Side of the square an object fills: intensity, reach and frequency are those of the rocks entering it. Default: the DEM's
    /// cell.
    #[serde(default)]
    pub reference_width_m: Option<f64>,
    /// From the least to the most severe.
    pub zones: Vec<Zone>,
    /// One row per intensity (weakest first), one column per return period class and one for rarer events; each entry
    /// is a zone's id or `none`.
    pub matrix: Vec<Vec<String>>,
    /// Smallest polygon and smallest hole kept, m².
    #[serde(default = "default_min_area")]
    pub min_area_m2: f64,
    /// Gaps between zones narrower than this are closed, m.
    #[serde(default)]
    pub close_gaps_m: f64,
    /// Tongues of a zone narrower than this are taken off, m.
    #[serde(default)]
    pub min_width_m: f64,
    /// Largest share of a scheme's zoned area that may be drawn less severe than it was computed.
    #[serde(default = "default_less_severe")]
    pub max_less_severe_share: f64,
}

/// A class of energy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Intensity {
    /// For people.
    pub name: String,
    /// Lower limit of the kinetic energy, kJ: reached or exceeded. The weakest class starts at 0.
    #[serde(default)]
    pub from_kj: f64,
    /// On maps.
    #[schemars(with = "String")]
    pub colour: Colour,
}

/// A class of hazard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// Short name.
    pub id: String,
    /// For people.
    pub name: String,
    /// On maps.
    #[schemars(with = "String")]
    pub colour: Colour,
    /// Drawn as stripes of the colour and white.
    #[serde(default)]
    pub hatched: bool,
    /// What follows for land use.
    #[serde(default)]
    pub meaning: String,
}

/// Written as `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Colour(pub [u8; 3]);

impl TryFrom<String> for Colour {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii());
        let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, r, g, b] = value.ok_or(format!("`{text}` is no colour; write it as \"#rrggbb\""))?.to_be_bytes();
        Ok(Self([r, g, b]))
    }
}

impl From<Colour> for String {
    fn from(Colour([r, g, b]): Colour) -> Self {
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

impl Scheme {
    /// Zone of an intensity and return period class: 0 for none, else 1 + index in `zones`.
    pub fn zone(&self, intensity: usize, period_class: usize) -> u8 {
        let id = &self.matrix[intensity][period_class];
        self.zones.iter().position(|zone| zone.id == *id).map_or(0, |index| index as u8 + 1)
    }

    /// Class of a yearly frequency: index of the first limit its return period does not exceed; one past the last limit
    /// for rarer events.
    pub fn period_class(&self, frequency_per_year: f64) -> usize {
        // What is printed as 300 years must not be classed as rarer than 300.
        let tolerant = |limit: f64| frequency_per_year * limit * (1.0 + PERIOD_TOLERANCE) >= 1.0 - 1e-9;
        self.return_periods_years.iter().position(|&limit| tolerant(limit)).unwrap_or(self.return_periods_years.len())
    }

    /// The limit that a return period belongs to although it is above it, by the tolerance.
    pub fn within_tolerance(&self, years: f64) -> Option<f64> {
        let limit = *self.return_periods_years.get(self.period_class(1.0 / years))?;
        (years > limit * (1.0 + 1e-9)).then_some(limit)
    }

    /// Index of the intensity class of an energy.
    pub fn intensity_class(&self, energy_kj: f64) -> usize {
        self.intensities.iter().rposition(|class| energy_kj >= class.from_kj).unwrap_or(0)
    }

    /// "≥ 30 kJ", "< 30 kJ", "30–300 kJ" …
    pub fn intensity_label(&self, index: usize) -> String {
        let from = self.intensities[index].from_kj;
        match (from > 0.0, self.intensities.get(index + 1)) {
            (false, None) => "any energy".into(),
            (false, Some(next)) => format!("< {} kJ", next.from_kj),
            (true, Some(next)) => format!("{from}–{} kJ", next.from_kj),
            (true, None) => format!("≥ {from} kJ"),
        }
    }

    /// "≤ 30 years", "30–100 years", "> 300 years".
    pub fn period_label(&self, index: usize) -> String {
        let limits = &self.return_periods_years;
        match (index.checked_sub(1).map(|i| limits[i]), limits.get(index)) {
            (None, Some(limit)) => format!("≤ {limit} years"),
            (Some(lower), Some(upper)) => format!("{lower}–{upper} years"),
            (lower, None) => format!("> {} years", lower.unwrap_or(0.0)),
        }
    }

    /// Whether its map changes with the size of the DEM's cells: frequencies of rocks passing one cell do, by the square of it.
    pub fn depends_on_cells(&self) -> bool {
        self.return_period == ReturnPeriod::Passages && self.reference_width_m.is_none()
    }

    /// How its zones are drawn.
    pub fn generalisation(&self) -> Generalisation {
        Generalisation {
            close_gaps_m: self.close_gaps_m,
            min_width_m: self.min_width_m,
            min_area_m2: self.min_area_m2,
            max_less_severe_share: self.max_less_severe_share,
        }
    }

    /// What is wrong with the scheme, if anything is.
    pub fn check(&self) -> Result<(), String> {
        let ascending = |values: &[f64]| values.windows(2).all(|w| w[0] < w[1]) && values.iter().all(|v| v.is_finite());
        let limits: Vec<f64> = self.intensities.iter().map(|class| class.from_kj).collect();
        if limits.is_empty() || limits[0] != 0.0 || !ascending(&limits) {
            return Err(format!(
                "intensities.from_kj is {limits:?}; expected at least one class, the first from 0, then ascending limits"
            ));
        }
        let periods = &self.return_periods_years;
        if periods.is_empty() || !ascending(periods) || periods[0] <= 0.0 {
            return Err(format!("return_periods_years is {periods:?}; expected positive, ascending limits"));
        }
        // One byte a cell: 0 for none, then the classes.
        for (what, count) in [("zones", self.zones.len()), ("intensities", limits.len())] {
            if !(1..=MOST_CLASSES).contains(&count) {
                return Err(format!("{count} {what} are defined; expected 1 to {MOST_CLASSES}"));
            }
        }
        if periods.len() > MOST_CLASSES {
            return Err(format!("{} return periods are defined; expected 1 to {MOST_CLASSES}", periods.len()));
        }
        self.check_names()?;
        if !(self.quantile > 0.0 && self.quantile <= 1.0) {
            return Err(format!("quantile is {}; expected a number above 0 and up to 1, e.g. 0.95", self.quantile));
        }
        if !(0.0..1.0).contains(&self.least_reach_probability) {
            return Err(format!(
                "least_reach_probability is {}; expected 0 or more and less than 1, e.g. 0.001",
                self.least_reach_probability
            ));
        }
        if !(self.min_area_m2 >= 0.0 && self.min_area_m2.is_finite()) {
            return Err(format!("min_area_m2 is {}; expected 0 or more", self.min_area_m2));
        }
        for (key, value) in [("close_gaps_m", self.close_gaps_m), ("min_width_m", self.min_width_m)] {
            if !(0.0..=1000.0).contains(&value) {
                return Err(format!("{key} is {value}; expected 0 to 1000 m"));
            }
        }
        if !(0.0..=1.0).contains(&self.max_less_severe_share) {
            return Err(format!("max_less_severe_share is {}; expected 0 to 1", self.max_less_severe_share));
        }
        if self.reference_width_m.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
            return Err("reference_width_m must be positive; leave it out to use the DEM's cell".into());
        }
        let columns = periods.len() + 1;
        if self.matrix.len() != limits.len() || self.matrix.iter().any(|row| row.len() != columns) {
            return Err(format!(
                "the matrix must have {} rows (intensities) of {columns} entries (return period classes and one for rarer \
                 events)",
                limits.len()
            ));
        }
        for id in self.matrix.iter().flatten() {
            if id != "none" && !self.zones.iter().any(|zone| zone.id == *id) {
                let known: Vec<&str> = self.zones.iter().map(|zone| zone.id.as_str()).collect();
                return Err(format!("the matrix names zone `{id}`; known are none, {}", known.join(", ")));
            }
        }
        Ok(())
    }

    /// Names stand in files, legends and attribute tables.
    fn check_names(&self) -> Result<(), String> {
        let zones = self.zones.iter().flat_map(|zone| [&zone.id, &zone.name]);
        let names = zones.chain(self.intensities.iter().map(|class| &class.name)).chain([&self.name]);
        for name in names {
            if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
                let short: String = name.chars().take(40).collect();
                return Err(format!(
                    "found the name {short:?}, expected at most {LONGEST_NAME} characters and no line breaks in it; shorten it"
                ));
            }
        }
        for (i, zone) in self.zones.iter().enumerate() {
            if zone.id == "none" || self.zones[..i].iter().any(|other| other.id == zone.id) {
                return Err(format!(
                    "found the zone id {:?}, expected each id once and none of them `none`; rename it",
                    zone.id
                ));
            }
        }
        Ok(())
    }
}

/// A return period up to this share above a limit still is within it: periods are estimates and are printed rounded.
pub const PERIOD_TOLERANCE: f64 = 0.01;

/// As many fit the byte of a raster cell, with room to spare.
const MOST_CLASSES: usize = 200;
const LONGEST_NAME: usize = 200;

fn default_quantile() -> f64 {
    0.95
}
fn default_min_area() -> f64 {
    100.0
}
fn default_less_severe() -> f64 {
    0.02
}
