//! What the report says about enough rocks, and its table of objects at risk.

use crate::draw::ramp::number;
use crate::draw::svg::Plot;
use crate::output::objects::{self, Objects};
use crate::output::page::Block;
use crate::output::report::says;
use crate::store::settled::{Convergence, Settled};
use crate::texts::{msg, say};

/// Whether there were enough rocks, with the measures after each batch.
pub(super) fn section(convergence: Option<&Convergence>) -> Vec<Block> {
    let Some(convergence) = convergence else { return vec![Block::Text(say!("rocks-not-asked"))] };
    let Convergence { converged, until, curve, .. } = convergence;
    let percent = |share: Option<f64>| share.map_or("–".into(), |share| format!("{:.1}", 100.0 * share));
    let last = curve.last().and_then(|point| point.zone_change_share);
    let rocks = curve.last().map_or(0, |point| point.rocks);
    let key = if *converged { "rocks-converged" } else { "rocks-not-converged" };
    let verdict = say!(key, rocks = rocks, share = percent(last), most = percent(Some(until.zone_change_share)));
    let row = |point: &Settled| {
        let shares = [point.zone_change_share, point.p95_half_width_share, point.line_change_share];
        [point.rocks.to_string()].into_iter().chain(shares.map(percent)).collect()
    };
    let mut rows: Vec<Vec<String>> = curve.iter().map(row).collect();
    let asked = [until.zone_change_share, until.p95_half_width_share, until.line_change_share];
    rows.push([say!("rocks-asked-for")].into_iter().chain(asked.map(|share| percent(Some(share)))).collect());
    let head = says(["rocks-word", "zones-differ", "p95-known-to", "lines-differ"]);
    let mut blocks =
        vec![if *converged { Block::Text(verdict) } else { Block::Warning(verdict) }, Block::table(&head, rows, 1)];
    if curve.len() > 1 {
        let line = |value: fn(&Settled) -> Option<f64>| -> Vec<[f64; 2]> {
            curve.iter().filter_map(|point| Some([point.rocks as f64, 100.0 * value(point)?])).collect()
        };
        let limit = 100.0 * until.zone_change_share;
        let (first, rocks) = (curve[0].rocks as f64, rocks as f64);
        let plot = Plot::new("", msg!("rocks-word"), "%")
            .line(msg!("zones-differ"), line(|point| point.zone_change_share))
            .line(msg!("p95-known-to"), line(|point| point.p95_half_width_share))
            .line(msg!("lines-differ"), line(|point| point.line_change_share))
            .dashed(msg!("rocks-asked-for"), [[first, limit], [rocks, limit]]);
        blocks.push(Block::drawing(&[plot], 1, say!("rocks-curve")));
    }
    blocks
}

/// What hits the objects, the hardest hit first; all of it is in the table beside the report.
pub(super) fn objects(objects: &Objects) -> Vec<Block> {
    const MOST: usize = 60;
    let mut rows: Vec<_> = objects.rows.iter().filter(|row| row.rocks_hit > 0).collect();
    rows.sort_by(|a, b| b.energy_kj_max.unwrap_or(0.0).total_cmp(&a.energy_kj_max.unwrap_or(0.0)));
    let text = |value: Option<f64>| value.map_or("–".into(), number);
    let row = |row: &&crate::output::objects::ObjectRow| {
        vec![
            format!("{} {}", row.layer, row.id),
            if row.scenario == objects::ALL { say!("all-scenarios") } else { row.scenario.clone() },
            row.rocks_hit.to_string(),
            text(row.hits_per_year),
            text(row.energy_kj_p95),
            text(row.energy_kj_max),
            text(row.height_lowest_m_max),
            text(row.vehicle_hits_per_year),
        ]
    };
    let head = says([
        "object",
        "scenario",
        "rocks-word",
        "hits-per-year",
        "object-energy-p95",
        "object-energy-max",
        "object-height-max",
        "vehicle-hits-per-year",
    ]);
    if rows.is_empty() {
        return vec![Block::Text(say!("no-object-hit"))];
    }
    vec![
        Block::table(&head, rows.iter().take(MOST).map(row).collect(), 2),
        Block::Small(say!("objects-note", shown = rows.len().min(MOST), all = rows.len())),
    ]
}
