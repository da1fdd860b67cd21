//! How far a map has settled, and the counts at which it is asked.

use serde::{Deserialize, Serialize};

use crate::Note;
use crate::project::file::Until;

/// What two independent halves of a run say about its map. `None` where there is nothing to compare.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// Rocks that had fallen.
    pub rocks: u64,
    /// Share of the zoned area (zoned by either half) whose zone differs between the halves.
    pub zone_change_share: Option<f64>,
    /// Median half-width of the confidence interval of p95 of the energy in the cells of the zones, over p95.
    pub p95_half_width_share: Option<f64>,
    /// Largest difference of the halves' p95 of the energy at a line, over p95.
    pub line_change_share: Option<f64>,
}

impl Settled {
    /// Whether everything that can be compared has settled, and anything can.
    pub fn is_enough(&self, until: &Until) -> bool {
        let within = |found: Option<f64>, most: f64| found.is_none_or(|found| found <= most);
        self.zone_change_share.is_some()
            && within(self.zone_change_share, until.zone_change_share)
            && within(self.p95_half_width_share, until.p95_half_width_share)
            && within(self.line_change_share, until.line_change_share)
    }
}

/// Whether a run has enough rocks, for manifest and report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Convergence {
    /// Whether all measures hold.
    pub converged: bool,
    /// "converged to 4.1 % …" or "not converged: …".
    pub verdict: String,
    /// What was asked for.
    pub until: Until,
    /// After each batch; the last point is the run as it is.
    pub curve: Vec<Settled>,
}

impl Convergence {
    /// `None` if nothing was compared.
    pub fn of(curve: &[Settled], until: &Until) -> Option<Self> {
        let last = curve.last()?;
        let converged = last.is_enough(until);
        let verdict = match (converged, last.zone_change_share) {
            (true, Some(share)) => format!(
                "converged to {:.1} %: after {} rocks the zones of two independent halves differ on {:.1} % of the zoned area \
                 (at most {:.1} % was asked for)",
                100.0 * share,
                last.rocks,
                100.0 * share,
                100.0 * until.zone_change_share
            ),
            (_, None) => format!("not converged: after {} rocks there is no zone to compare", last.rocks),
            (false, Some(_)) => {
                let measures = [
                    ("zones of two independent halves differ", last.zone_change_share, until.zone_change_share),
                    ("p95 of the energy is known to ±", last.p95_half_width_share, until.p95_half_width_share),
                    ("energies at a line differ between the halves", last.line_change_share, until.line_change_share),
                ];
                let open = measures.iter().filter_map(|(what, found, most)| {
                    let found = found.filter(|found| found > most)?;
                    Some(format!("{what} by {:.1} % (at most {:.1} %)", 100.0 * found, 100.0 * most))
                });
                let open = open.collect::<Vec<_>>().join("; ").replace("± by", "±");
                format!("not converged: after {} rocks {open}", last.rocks)
            }
        };
        Some(Self { converged, verdict, until: until.clone(), curve: curve.to_vec() })
    }
}

impl Convergence {
    /// The warning of a map that has not settled.
    pub(super) fn note(&self) -> Note {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let found = |value: fn(&Settled) -> Option<f64>| {
            self.curve.last().and_then(value).map_or("–".into(), |share| format!("{:.1}", 100.0 * share))
        };
        Note::NotConverged {
            rocks: self.curve.last().map_or(0, |point| point.rocks),
            zones: found(|point| point.zone_change_share),
            zones_most: percent(self.until.zone_change_share),
            p95: found(|point| point.p95_half_width_share),
            p95_most: percent(self.until.p95_half_width_share),
            lines: found(|point| point.line_change_share),
            lines_most: percent(self.until.line_change_share),
        }
    }
}

/// Fewer rocks tell nothing.
const FIRST_BATCH: u64 = 500;

/// Counts at which the map is looked at: whole pairs of rounds, ascending, the last at most `max_rocks` (but one pair at least).
pub fn batch_ends(until: &Until, round: u64) -> impl Iterator<Item = u64> {
    let pair = 2 * round.max(1);
    let most = (until.max_rocks / pair).max(1) * pair;
    let batch = until.batch_rocks;
    let whole = move |rocks: u64| rocks.div_ceil(pair).max(1) * pair;
    let next = move |end: &u64| {
        let more = batch.unwrap_or(end / 2);
        (*end < most).then(|| (end + whole(more)).min(most))
    };
    std::iter::successors(Some(whole(batch.unwrap_or(FIRST_BATCH)).min(most)), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_whole_pairs_of_rounds_up_to_the_most() {
        let until = Until { max_rocks: 5000, ..Default::default() };
        assert_eq!(batch_ends(&until, 300).collect::<Vec<_>>(), [600, 1200, 1800, 3000, 4800]);
        let fixed = Until { batch_rocks: Some(1000), ..until.clone() };
        assert_eq!(batch_ends(&fixed, 300).collect::<Vec<_>>(), [1200, 2400, 3600, 4800]);
        // A round of more rocks than allowed still is one.
        assert_eq!(batch_ends(&until, 4000).collect::<Vec<_>>(), [8000]);
    }

    #[test]
    fn what_cannot_be_compared_does_not_hold_a_run_up_but_a_map_must_be_there() {
        let until = Until::default();
        let at = |zone, p95, line| Settled {
            rocks: 1,
            zone_change_share: zone,
            p95_half_width_share: p95,
            line_change_share: line,
        };
        assert!(at(Some(0.05), None, None).is_enough(&until));
        assert!(!at(Some(0.051), None, None).is_enough(&until));
        assert!(!at(Some(0.01), Some(0.3), None).is_enough(&until));
        assert!(!at(Some(0.01), None, Some(0.2)).is_enough(&until));
        assert!(!at(None, Some(0.1), None).is_enough(&until));
    }
}
