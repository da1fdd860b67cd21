//! What legends and reports say of a classification.

use crate::Result;
use crate::draw::ramp::number;
use crate::hazard::scheme::{Combine, ReturnPeriod, Scheme};
use crate::output::classification::Classified;
use crate::output::page::{Block, Matrix, MatrixCell};
use crate::output::report::Pictures;

/// The rules of a scheme in a few lines, for the legend of a map. Scenarios with their return periods in years.
pub fn legend_lines(scheme: &Scheme, scenarios: &[(String, Option<f64>)]) -> Vec<String> {
    let intensities: Vec<String> = (0..scheme.intensities.len())
        .map(|i| format!("{} {}", scheme.intensities[i].name, scheme.intensity_label(i)))
        .collect();
    let mut lines = vec![
        scheme.name.clone(),
        format!("Intensity: {} (p{} of the kinetic energy).", intensities.join(", "), percent(scheme.quantile)),
    ];
    for (row, class) in scheme.matrix.iter().zip(&scheme.intensities) {
        let cells: Vec<String> =
            row.iter().enumerate().map(|(i, zone)| format!("{} {zone}", scheme.period_label(i))).collect();
        lines.push(format!("{}: {}.", class.name, cells.join(", ")));
    }
    lines.push(rule(scheme, scenarios));
    lines.push(reach_rule(scheme));
    lines.push(format!("Smallest area {} m².", scheme.min_area_m2));
    lines
}

/// 0.95 as 95, 0.975 as 97.5.
fn percent(share: f64) -> f64 {
    (1e6 * share).round() / 1e4
}

/// Where return periods come from, in one sentence or two.
pub fn rule(scheme: &Scheme, scenarios: &[(String, Option<f64>)]) -> String {
    match (scheme.return_period, scheme.combine) {
        (ReturnPeriod::Scenario, _) => {
            let of = |(name, years): &(String, Option<f64>)| match years {
                Some(years) => format!("{name}: {} years", number(*years)),
                None => format!("{name}: not given"),
            };
            let periods: Vec<String> = scenarios.iter().map(of).collect();
            format!(
                "Return period: that of the scenario wherever it reaches ({}). The most severe zone of all scenarios counts.",
                periods.join("; ")
            )
        }
        (ReturnPeriod::Passages, combine) => {
            let which = match combine {
                Combine::Exceedance => "passages at or above the lower limit of each intensity, all scenarios together",
                Combine::ScenarioQuantile => "passages of the scenarios whose quantile has the intensity",
            };
            let place = match scheme.reference_width_m {
                Some(width) => format!("rocks entering a square of {width} m"),
                None => "rocks passing a cell of the DEM".into(),
            };
            format!("Return period: one over the yearly frequency of {place}: {which}.")
        }
    }
}

fn reach_rule(scheme: &Scheme) -> String {
    if scheme.least_reach_probability > 0.0 {
        let least = percent(scheme.least_reach_probability);
        format!("Cells that less than {least} % of a scenario's rocks pass are left out.")
    } else {
        "Every cell that a rock of a scenario passes counts.".into()
    }
}

/// Notes, matrix, rules, areas and maps, as a section of a page.
pub fn section(result: &Classified, pictures: &Pictures) -> Result<Vec<Block>> {
    let scheme = &result.scheme;
    let mut blocks: Vec<Block> = result.notes.iter().cloned().map(Block::Warning).collect();
    blocks.push(Block::Matrix(matrix(scheme)));
    blocks.push(Block::Text(format!("{} {}", rule(scheme, &result.scenarios), reach_rule(scheme))));
    blocks.extend(return_periods(result));
    if !scheme.source.is_empty() {
        blocks.push(Block::Small(scheme.source.clone()));
    }
    blocks.extend(result.zone_areas_m2.iter().flat_map(|areas| zone_areas(result, areas)));
    for picture in result.maps.iter().rev() {
        blocks.push(pictures.block(picture, true)?);
    }
    Ok(blocks)
}

/// Where each scenario has its own.
fn return_periods(result: &Classified) -> Option<Block> {
    let scheme = &result.scheme;
    let row = |(name, years): &(String, Option<f64>)| match years {
        Some(years) => {
            let class = scheme.period_label(scheme.period_class(1.0 / years));
            vec![name.clone(), class, number(*years), number(1.0 / years)]
        }
        None => vec![name.clone(), "not in the hazard map".into(), "–".into(), "–".into()],
    };
    let own = scheme.return_period == ReturnPeriod::Scenario && !result.scenarios.is_empty();
    let head = ["scenario", "class", "return period (years)", "per year"];
    own.then(|| Block::table(&head, result.scenarios.iter().map(row).collect(), 2))
}

fn zone_areas(result: &Classified, areas: &[f64]) -> [Block; 2] {
    let zones = result.scheme.zones.iter().zip(areas).rev();
    let rows = zones.map(|(zone, area)| {
        let words = [&zone.id, &zone.name, &zone.meaning].map(String::clone);
        words.into_iter().chain([format!("{area:.0}"), format!("{:.2}", area / 1e4)]).collect()
    });
    [
        Block::table(&["zone", "name", "meaning", "area (m²)", "area (ha)"], rows.collect(), 3),
        Block::Small(format!(
            "Polygons: patches and holes below {} m² merged with their neighbours, edges smoothed by less than half a cell. \
             Isolated patches left out: {:.0} m²; gaps filled: {:.0} m². The raster hazard.tif is unsmoothed.",
            result.scheme.min_area_m2, result.cleaned.dropped_m2, result.cleaned.filled_m2
        )),
    ]
}

fn matrix(scheme: &Scheme) -> Matrix {
    let periods = (0..=scheme.return_periods_years.len()).map(|i| scheme.period_label(i));
    let cell = |id: &String| match scheme.zones.iter().find(|zone| zone.id == *id) {
        Some(zone) => {
            let [r, g, b] = zone.colour.0.map(f64::from);
            let ink = if 0.299 * r + 0.587 * g + 0.114 * b < 140.0 { "#fff" } else { "#000" };
            MatrixCell { text: id.clone(), colours: Some((zone.colour.into(), ink)), hatched: zone.hatched }
        }
        None => MatrixCell { text: "–".into(), ..MatrixCell::default() },
    };
    let classes = scheme.intensities.iter().enumerate().rev();
    let rows = classes.map(|(i, class)| {
        let label = format!("{} ({})", class.name, scheme.intensity_label(i));
        (label, scheme.matrix[i].iter().map(cell).collect())
    });
    Matrix {
        head: ["intensity \\ return period".to_string()].into_iter().chain(periods).collect(),
        rows: rows.collect(),
    }
}
