//! `compare.html`: what a reviewer reads.

use super::{Difference, Found, Summary, VALUES};
use crate::Result;
use crate::draw::preview;
use crate::draw::ramp::Legend;
use crate::draw::relief::{Relief, Window};
use crate::draw::svg::Plot;
use crate::output::page::{self, Block};
use crate::output::report::says;
use crate::site::Site;
use crate::store::overlays;
use crate::texts::{msg, say};

pub(crate) fn render(site: &Site, found: &[Found], summaries: &[Summary], maps: &[Difference]) -> Result<String> {
    let file = &site.project.file;
    let title = if file.title.is_empty() { say!("models-title") } else { say!("models-of", title = &file.title) };
    let names: Vec<&str> = found.iter().map(|f| f.model.name).collect();
    let mut blocks = vec![
        Block::Title(title.clone()),
        Block::Text(say!(
            "models-intro",
            releases = (found[0].rocks + found[0].diverged).to_string(),
            seed = file.simulation.seed.to_string(),
            models = names.join(", "),
            first = names[0],
            engine = env!("CARGO_PKG_NAME"),
            version = env!("CARGO_PKG_VERSION"),
        )),
    ];
    let plots: Vec<Plot> = VALUES.iter().enumerate().map(|(i, value)| distribution(found, i, *value)).collect();
    blocks.extend([
        Block::Chapter(say!("models-distributions")),
        numbers(summaries),
        Block::Text(say!("models-ks")),
        Block::drawing(&plots, 2, say!("models-cumulative")),
        Block::Chapter(say!("models-cost")),
        cost(found),
        Block::Chapter(say!("models-where")),
    ]);
    let surface = &site.scene.surface;
    let differ = |cell: usize| maps.iter().any(|map| !map.at(cell).is_nan());
    let relief = Relief::new(surface, Window::around(surface.lattice(), differ));
    let overlays = overlays::of_site(site);
    for map in maps {
        let largest = map.values.iter().enumerate().map(|(cell, _)| map.at(cell).abs()).filter(|v| !v.is_nan());
        let legend =
            Legend::difference(&say!("models-difference", unit = unit_words(map.unit)), largest.fold(0.0, f64::max));
        let values: Vec<f32> = (0..map.values.len()).map(|cell| map.at(cell) as f32).collect();
        let canvas = preview::draw(&preview::Preview {
            title: &map.name,
            subtitle: &file.title,
            crs: site.crs.label(),
            dem: &relief,
            values: preview::Values::Numbers(&values),
            legend: &legend,
            overlays: &overlays,
            notes: &[],
            marks: &[],
        });
        let caption = say!("map-of-layer", title = &map.description, layer = &map.name);
        blocks.push(Block::picture(&canvas.to_png()?, caption, false));
    }
    page::render(&title, &blocks)
}

/// A quantity of [`VALUES`] in words.
fn quantity_words(quantity: &str) -> String {
    say!(match quantity {
        "run-out" => "run-out",
        "largest kinetic energy" => "value-energy",
        "largest velocity" => "value-velocity",
        _ => "value-jump",
    })
}

fn unit_words(unit: &str) -> String {
    if unit == "1" { say!("unit-share") } else { unit.into() }
}

fn numbers(summaries: &[Summary]) -> Block {
    let head = says([
        "quantity",
        "model",
        "mean",
        "standard-deviation",
        "median",
        "column-p95",
        "max",
        "ks-distance",
        "ks-probability",
    ]);
    let mut rows = Vec::new();
    for (quantity, unit) in VALUES {
        for s in summaries.iter().filter(|s| s.quantity == quantity) {
            let number = |value: f64| format!("{value:.1}");
            rows.push(vec![
                format!("{}, {}", quantity_words(quantity), unit_words(unit)),
                s.model.clone(),
                number(s.mean),
                number(s.standard_deviation),
                number(s.p50),
                number(s.p95),
                number(s.max),
                format!("{:.3}", s.ks_distance),
                if s.ks_probability < 1e-4 { "< 0.0001".into() } else { format!("{:.4}", s.ks_probability) },
            ]);
        }
    }
    Block::table(&head, rows, 2)
}

/// The cumulative distribution of one value, a line per model.
fn distribution(found: &[Found], index: usize, (quantity, unit): (&str, &str)) -> Plot {
    let mut plot = {
        let words = quantity_words(quantity);
        Plot::new(words.clone(), format!("{words}, {}", unit_words(unit)), msg!("share-of-rocks"))
    };
    for one in found {
        let mut sorted = one.values[index].clone();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        // Two hundred points draw the curve as well as all of them.
        let step = n.div_ceil(200).max(1);
        let points = (0..n).step_by(step).map(|k| [sorted[k], (k + 1) as f64 / n as f64]).collect::<Vec<_>>();
        plot = plot.line(one.model.name, points);
    }
    plot
}

fn cost(found: &[Found]) -> Block {
    let head = says([
        "model",
        "rocks-word",
        "stop-diverged",
        "stop-at-rest",
        "steps",
        "simulation-seconds",
        "microseconds-per-step",
        "relative",
    ]);
    let rows = found
        .iter()
        .map(|f| {
            vec![
                f.model.name.into(),
                f.rocks.to_string(),
                f.diverged.to_string(),
                f.at_rest.to_string(),
                f.steps.to_string(),
                format!("{:.1}", f.simulate_s),
                format!("{:.2}", 1e6 * f.simulate_s / f.steps.max(1) as f64),
                format!("{:.2}", f.simulate_s / found[0].simulate_s),
            ]
        })
        .collect();
    Block::table(&head, rows, 1)
}
