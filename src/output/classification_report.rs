//! What legends and reports say of a classification.

use crate::Result;
use crate::draw::ramp::number;
use crate::hazard::scheme::{Combine, ReturnPeriod, Scheme};
use crate::output::classification::Classified;
use crate::output::page::{Block, Matrix, MatrixCell};
use crate::output::report::{Pictures, says};
use crate::texts::{in_words, say};

/// The rules of a scheme in a few lines, for the legend of a map. Scenarios with their return periods in years.
pub(super) fn legend_lines(scheme: &Scheme, scenarios: &[(String, Option<f64>)]) -> Vec<String> {
    let intensities: Vec<String> = (0..scheme.intensities.len())
        .map(|i| format!("{} {}", scheme.intensities[i].name, intensity_label(scheme, i)))
        .collect();
    let mut lines = vec![
        scheme.name.clone(),
        say!("legend-intensity", classes = intensities.join(", "), quantile = percent(scheme.quantile)),
    ];
    for (row, class) in scheme.matrix.iter().zip(&scheme.intensities) {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(i, zone)| format!("{} {}", period_label(scheme, i), zone_word(zone)))
            .collect();
        lines.push(format!("{}: {}.", class.name, cells.join(", ")));
    }
    lines.push(rule(scheme, scenarios));
    lines.push(reach_rule(scheme));
    lines.push(say!(
        "legend-drawn",
        gaps = scheme.close_gaps_m.to_string(),
        tongues = scheme.min_width_m.to_string(),
        area = scheme.min_area_m2.to_string(),
    ));
    lines
}

/// The id of a zone in the language spoken now; one the catalogue does not know stays as it is.
pub(crate) fn zone_word(id: &str) -> String {
    let key = format!("zone-id-{id}");
    let word = say!(&key);
    if word == key { id.to_string() } else { word }
}

/// 0.95 as 95, 0.975 as 97.5.
fn percent(share: f64) -> String {
    ((1e6 * share).round() / 1e4).to_string()
}

/// "≥ 30 kJ", "< 30 kJ", "30–300 kJ" …
pub(super) fn intensity_label(scheme: &Scheme, index: usize) -> String {
    let from = scheme.intensities[index].from_kj;
    match (from > 0.0, scheme.intensities.get(index + 1)) {
        (false, None) => say!("any-energy"),
        (false, Some(next)) => format!("< {} kJ", next.from_kj),
        (true, Some(next)) => format!("{from}–{} kJ", next.from_kj),
        (true, None) => format!("≥ {from} kJ"),
    }
}

/// "≤ 30 years", "30–100 years", "> 300 years".
pub(super) fn period_label(scheme: &Scheme, index: usize) -> String {
    let limits = &scheme.return_periods_years;
    let years = match (index.checked_sub(1).map(|i| limits[i]), limits.get(index)) {
        (None, Some(limit)) => format!("≤ {limit}"),
        (Some(lower), Some(upper)) => format!("{lower}–{upper}"),
        (lower, None) => format!("> {}", lower.unwrap_or(0.0)),
    };
    say!("years", years = years)
}

/// Where return periods come from, in one sentence or two.
pub(super) fn rule(scheme: &Scheme, scenarios: &[(String, Option<f64>)]) -> String {
    match (scheme.return_period, scheme.combine) {
        (ReturnPeriod::Scenario, _) => {
            let of = |(name, years): &(String, Option<f64>)| match years {
                Some(years) => format!("{name}: {}", say!("years", years = decided(scheme, *years))),
                None => format!("{name}: {}", say!("not-given")),
            };
            let periods: Vec<String> = scenarios.iter().map(of).collect();
            say!("rule-scenario", periods = periods.join("; "))
        }
        (ReturnPeriod::Passages, combine) => {
            let which = match combine {
                Combine::Exceedance => say!("rule-exceedance"),
                Combine::ScenarioQuantile => say!("rule-scenario-quantile"),
            };
            let place = match scheme.reference_width_m {
                Some(width) => say!("rule-reference-width", width = width.to_string()),
                None => say!("rule-cell"),
            };
            say!("rule-passages", place = place, which = which)
        }
    }
}

fn reach_rule(scheme: &Scheme) -> String {
    let least = percent(scheme.least_reach_probability);
    let width = scheme.reference_width_m.map(|width| width.to_string());
    match (scheme.least_reach_probability > 0.0, width) {
        (true, Some(width)) => say!("rule-least-reach-width", share = least, width = width),
        (true, None) => say!("rule-least-reach", share = least),
        (false, Some(width)) => say!("rule-every-rock-width", width = width),
        (false, None) => say!("rule-every-cell"),
    }
}

/// Notes, matrix, rules, areas and maps, as a section of a page.
pub(super) fn section(result: &Classified, pictures: &Pictures) -> Result<Vec<Block>> {
    let scheme = &result.scheme;
    let mut blocks: Vec<Block> = result.notes.iter().map(|note| Block::Warning(in_words(note))).collect();
    blocks.push(Block::Matrix(matrix(scheme)));
    blocks.push(Block::Text(format!("{} {}", rule(scheme, &result.scenarios), reach_rule(scheme))));
    blocks.extend(return_periods(result));
    if !scheme.source.is_empty() {
        blocks.push(Block::Small(scheme.source.clone()));
    }
    blocks.extend(result.zone_areas_m2.iter().flat_map(|areas| zone_areas(result, areas)));
    for picture in result.maps.iter().rev() {
        blocks.push(pictures.block(picture)?);
    }
    Ok(blocks)
}

/// Where each scenario has its own.
fn return_periods(result: &Classified) -> Option<Block> {
    let scheme = &result.scheme;
    let row = |(name, years): &(String, Option<f64>)| match years {
        Some(years) => {
            let class = period_label(scheme, scheme.period_class(1.0 / years));
            vec![name.clone(), class, decided(scheme, *years), number(1.0 / years)]
        }
        None => vec![name.clone(), say!("not-in-hazard-map"), "–".into(), "–".into()],
    };
    let own = scheme.return_period == ReturnPeriod::Scenario && !result.scenarios.is_empty();
    let head = says(["scenario", "class", "return-period-years", "per-year"]);
    own.then(|| Block::table(&head, result.scenarios.iter().map(row).collect(), 2))
}

fn zone_areas(result: &Classified, areas: &[f64]) -> [Block; 2] {
    let raw = result.raw_areas_m2.clone().unwrap_or_default();
    let zones = result.scheme.zones.iter().zip(areas).enumerate().rev();
    let rows = zones.map(|(i, (zone, area))| {
        let words = [zone_word(&zone.id), zone.name.clone(), zone.meaning.clone()];
        let computed = raw.get(i).map_or("–".into(), |raw| format!("{raw:.0}"));
        words.into_iter().chain([format!("{area:.0}"), format!("{:.2}", area / 1e4), computed]).collect()
    });
    [
        Block::table(&says(["zone", "name", "meaning", "drawn-m2", "drawn-ha", "computed-m2"]), rows.collect(), 3),
        Block::Small(drawn(result)),
    ]
}

/// A return period as it is printed: exact enough to see its class, and why it has it.
fn decided(scheme: &Scheme, years: f64) -> String {
    let rounded = ((years * 10.0).round() / 10.0).to_string();
    match scheme.within_tolerance(years) {
        Some(limit) => say!("within-tolerance", years = rounded, limit = limit.to_string()),
        None => rounded,
    }
}

/// How the zones were drawn, and what that did to them.
fn drawn(result: &Classified) -> String {
    let (scheme, done) = (&result.scheme, &result.generalised);
    let whole = |value: f64| format!("{value:.0}");
    let mut text = say!(
        "zones-drawn",
        gaps = scheme.close_gaps_m.to_string(),
        tongues = done.min_width_m.to_string(),
        area = done.min_area_m2.to_string(),
        computed = whole(done.zoned_m2),
        less = whole(done.less_severe_m2),
        share = format!("{:.1}", 100.0 * done.less_severe_share()),
        more = whole(done.more_severe_m2),
        most = format!("{:.1}", 100.0 * scheme.max_less_severe_share),
        outermost = whole(result.outermost_m2),
    );
    if let Some(uncertain) = &result.uncertain {
        text += " ";
        text += &say!(
            "zones-confidence",
            mean = whole(100.0 * uncertain.mean_confidence),
            area = whole(uncertain.zoned_m2),
            below = whole(100.0 * uncertain.below),
        );
    }
    text
}

fn matrix(scheme: &Scheme) -> Matrix {
    let periods = (0..=scheme.return_periods_years.len()).map(|i| period_label(scheme, i));
    let cell = |id: &String| match scheme.zones.iter().find(|zone| zone.id == *id) {
        Some(zone) => {
            let [r, g, b] = zone.colour.0.map(f64::from);
            let ink = if 0.299 * r + 0.587 * g + 0.114 * b < 140.0 { "#fff" } else { "#000" };
            MatrixCell { text: zone_word(id), colours: Some((zone.colour.into(), ink)), hatched: zone.hatched }
        }
        None => MatrixCell { text: "–".into(), ..MatrixCell::default() },
    };
    let classes = scheme.intensities.iter().enumerate().rev();
    let rows = classes.map(|(i, class)| {
        let label = format!("{} ({})", class.name, intensity_label(scheme, i));
        (label, scheme.matrix[i].iter().map(cell).collect())
    });
    Matrix { head: [say!("matrix-corner")].into_iter().chain(periods).collect(), rows: rows.collect() }
}
