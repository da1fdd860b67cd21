//! Of lines, barriers and objects, and of what reaches them.

use std::path::Path;

use super::classes::ENERGY;
use super::{HIGHEST, ranges};
use crate::Result;
use crate::geo::qml::{Kind, Renderer, Rule, Style, Symbol, Vector};
use crate::texts::say;

/// A picture of what crosses a line.
pub(crate) struct Histogram {
    pub line: String,
    /// `None` where there is but one.
    pub scenario: Option<String>,
    /// Beside the crossings.
    pub file: String,
}

/// Of the crossings of lines: coloured by energy, with the histograms of each line (its name and the picture beside the
/// layer) as map tip.
pub(crate) fn write_crossings(folder: &Path, pictures: &[Histogram]) -> Result<()> {
    let mut tip = String::from(
        r#"<b>[% "line" %]</b>: [% round("kinetic_energy_kj") %] kJ, [% round("velocity_ms", 1) %] m/s<br>"#,
    );
    if !pictures.is_empty() {
        let case = |Histogram { line, scenario, file }: &Histogram| {
            let of = scenario.as_ref().map_or(String::new(), |name| format!(" AND \"scenario\" = {}", quoted(name)));
            format!(" WHEN \"line\" = {}{of} THEN {}", quoted(line), quoted(file))
        };
        let cases: String = pictures.iter().map(case).collect();
        tip += &format!("<img src=\"{}\" width=\"320\">", beside(&format!("CASE{cases} END")));
    }
    Style::of_vector(Vector {
        map_tip: tip,
        ..Vector::new(
            Kind::Points,
            ranges("kinetic_energy_kj", &ENERGY, |i, colour| {
                Symbol::marker(i, "circle", colour, ("#333333", 0.1), 1.8)
            }),
        )
    })
    .write(folder, "crossings")
}

/// Of recorded lines and barriers (`lines.gpkg`): bold with a pale border, so that they stand out on any map; their histograms
/// show as map tip and on a click.
pub(crate) fn write_lines(folder: &Path) -> Result<()> {
    let picture = beside("\"histograms\"");
    Style::of_vector(Vector {
        map_tip: format!("<b>[% \"name\" %]</b><br><img src=\"{picture}\" width=\"320\">"),
        action: Some((say!("list-show-histograms"), picture)),
        ..Vector::new(Kind::Lines, Renderer::Single { symbol: Symbol::line(0, "#1f3a93", 0.6).cased("#ffffff", 1.1) })
    })
    .write(folder, "lines")
}

/// The address of a file beside the layer, whose name an expression says. The folder may have any name; an address may not.
fn beside(expression: &str) -> String {
    let folder =
        "replace(replace(replace(file_path(layer_property(@layer, 'path')), '%', '%25'), '#', '%23'), '?', '%3F')";
    format!("file:///[% {folder} || '/' || {expression} %]")
}

/// A text in an expression of QGIS within `[% … %]`, whatever it holds.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''").replace("%]", "%' || ']"))
}

/// Of objects at risk: by the largest energy that hits them, of one scenario where there are several.
pub(crate) fn write_objects(folder: &Path, name: &str, lines: bool, scenario: Option<&str>) -> Result<()> {
    let symbol = |i: usize, colour: &str| match lines {
        true => Symbol::line(i, colour, 1.0),
        false => Symbol::fill(i, colour, "#1a1a1a"),
    };
    let mut rules = vec![Rule {
        filter: "\"energy_kj_max\" IS NULL".into(),
        label: say!("object-not-hit"),
        symbol: symbol(0, "#c8c8c8"),
    }];
    let bounds: Vec<f64> = [0.0].iter().chain(ENERGY.limits).copied().chain([HIGHEST]).collect();
    rules.extend(ENERGY.labels().into_iter().enumerate().map(|(i, label)| Rule {
        filter: format!("\"energy_kj_max\" >= {} AND \"energy_kj_max\" < {}", bounds[i], bounds[i + 1]),
        label,
        symbol: symbol(i + 1, ENERGY.colours[i]),
    }));
    let filter = scenario.map_or("TRUE".into(), |scenario| format!("\"scenario\" = '{scenario}'"));
    let label = say!("list-objects");
    let map_tip =
        r#"<b>[% "object_id" %]</b><br>[% "rocks_hit" %] / [% "rocks" %], [% round("energy_kj_max", 1) %] kJ"#;
    Style::of_vector(Vector {
        map_tip: map_tip.into(),
        ..Vector::new(if lines { Kind::Lines } else { Kind::Polygons }, Renderer::Rules { filter, label, rules })
    })
    .write(folder, name)
}
