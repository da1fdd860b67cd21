//! `difference.html`: two runs side by side, for people.

use super::diff::{Difference, Side};
use crate::Result;
use crate::draw::ramp::number;
use crate::output::page::{self, Block};
use crate::output::report::{says, variant_words};
use crate::texts::say;

pub(super) fn render(difference: &Difference, pictures: Vec<Block>) -> Result<String> {
    let title = &say!("difference-title");
    let mut blocks = vec![Block::Title(title.clone())];
    let row = |key: &str, value: &dyn Fn(&Side) -> String| vec![say!(key), value(&difference.a), value(&difference.b)];
    let runs = vec![
        row("difference-folder", &|side| side.folder.clone()),
        row("difference-name", &|side| side.title.clone()),
        row("difference-engine", &|side| side.engine.clone()),
        row("difference-finished", &|side| side.finished.clone()),
        row("setting-seed", &|side| side.seed.to_string()),
        row("rocks-word", &|side| side.rocks.to_string()),
        row("difference-grid", &|side| side.grid.clone()),
    ];
    blocks.push(Block::table(&["", "A", "B"], runs, 3));
    blocks.push(Block::Section(say!("key-figures")));
    let text = |value: Option<f64>, unit: &str| value.map_or("–".into(), |value| format!("{} {unit}", number(value)));
    let figures = difference.figures.iter().map(|figure| {
        let place =
            if figure.variant.is_empty() { String::new() } else { format!("{}: ", variant_words(&figure.variant)) };
        let change = figure.a.zip(figure.b).map(|(a, b)| b - a);
        vec![
            format!("{place}{}", figure.text),
            text(figure.a, &unit_words(&figure.unit)),
            text(figure.b, &unit_words(&figure.unit)),
            text(change, &unit_words(&figure.unit)).replace('-', "−"),
        ]
    });
    blocks.push(Block::table(&["", "A", "B", "B − A"], figures.collect(), 1));
    blocks.push(Block::Section(say!("difference-projects")));
    if difference.parameters.is_empty() {
        blocks.push(Block::Text(say!("difference-none")));
    } else {
        let value = |text: &Option<String>| text.clone().unwrap_or("–".into());
        let rows = difference.parameters.iter().map(|row| vec![row.key.clone(), value(&row.a), value(&row.b)]);
        blocks.push(Block::table(&["", "A", "B"], rows.collect(), 3));
    }
    blocks.push(Block::Section(say!("maps")));
    blocks.extend(pictures);
    let maps = difference.layers.iter().map(|layer| {
        vec![
            layer.file.clone(),
            text(layer.smallest, &layer.unit).replace('-', "−"),
            text(layer.largest, &layer.unit).replace('-', "−"),
            layer.cells_less.to_string(),
            layer.cells_more.to_string(),
        ]
    });
    blocks.push(Block::table(
        &says(["map-word", "smallest", "largest", "cells-less", "cells-more"]),
        maps.collect(),
        1,
    ));
    blocks.push(Block::Small(say!("difference-note")));
    page::render(title, &blocks)
}

fn unit_words(unit: &str) -> String {
    match unit {
        "rocks" => say!("rocks-word"),
        "rev/s" => say!("unit-rotation"),
        other => other.into(),
    }
}
