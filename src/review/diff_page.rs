//! `difference.html`: two runs side by side, for people.

use super::diff::{Difference, Side};
use crate::Result;
use crate::draw::ramp::number;
use crate::output::page::{self, Block};

pub(super) fn render(difference: &Difference, pictures: Vec<Block>) -> Result<String> {
    let title = "Difference of two runs";
    let mut blocks = vec![Block::Title(title.into())];
    let row = |name: &str, value: &dyn Fn(&Side) -> String| {
        vec![name.to_string(), value(&difference.a), value(&difference.b)]
    };
    let runs = vec![
        row("folder", &|side| side.folder.clone()),
        row("title", &|side| side.title.clone()),
        row("engine", &|side| side.engine.clone()),
        row("finished", &|side| side.finished.clone()),
        row("seed", &|side| side.seed.to_string()),
        row("rocks", &|side| side.rocks.to_string()),
        row("grid", &|side| side.grid.clone()),
    ];
    blocks.push(Block::table(&["", "A", "B"], runs, 3));
    blocks.push(Block::Section("Key figures".into()));
    let text = |value: Option<f64>, unit: &str| value.map_or("–".into(), |value| format!("{} {unit}", number(value)));
    let figures = difference.figures.iter().map(|figure| {
        let place = if figure.variant.is_empty() { String::new() } else { format!("{}: ", figure.variant) };
        let change = figure.a.zip(figure.b).map(|(a, b)| b - a);
        vec![
            format!("{place}{}", figure.name),
            text(figure.a, &figure.unit),
            text(figure.b, &figure.unit),
            text(change, &figure.unit).replace('-', "−"),
        ]
    });
    blocks.push(Block::table(&["", "A", "B", "B − A"], figures.collect(), 1));
    blocks.push(Block::Section("What differs in the projects".into()));
    if difference.parameters.is_empty() {
        blocks.push(Block::Text("The projects are the same.".into()));
    } else {
        let value = |text: &Option<String>| text.clone().unwrap_or("–".into());
        let rows = difference.parameters.iter().map(|row| vec![row.key.clone(), value(&row.a), value(&row.b)]);
        blocks.push(Block::table(&["", "A", "B"], rows.collect(), 3));
    }
    blocks.push(Block::Section("Maps".into()));
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
    blocks.push(Block::table(&["map", "smallest", "largest", "cells less", "cells more"], maps.collect(), 1));
    blocks.push(Block::Small(
        "Maps show B − A. Where only one run has rocks, the other counts as 0 (angles: only where both have rocks); where \
         neither has, there is no value. Quantiles of few rocks differ by chance: compare runs with many rocks, or with the \
         same seed."
            .into(),
    ));
    page::render(title, &blocks)
}
