//! The matrix of a scheme as a picture: intensity against return period in the colours of the zones, as on official maps.

use crate::draw::ramp::number;
use crate::draw::svg::escape;
use crate::hazard::scheme::{Scheme, Zone};
use crate::output::classification_report::intensity_label;
use crate::texts::say;

pub(super) const FILE_NAME: &str = "matrix.svg";

/// Width of the names of intensities, and size of a field; user units, about millimetres ÷ 2 on an A4 sheet.
const NAMES: f64 = 38.0;
const CELL: f64 = 22.0;
const HEIGHT: f64 = 11.0;
/// Height of the heading.
const TOP: f64 = 8.0;

/// `None` for a scheme with one row, which says nothing that its legend does not.
pub(super) fn svg(scheme: &Scheme) -> Option<String> {
    let rows = scheme.matrix.len();
    if rows < 2 {
        return None;
    }
    let mut parts = text(0.0, 5.0, &say!("intensity-word"), "bold", "start");
    for (line, row) in (0..rows).rev().enumerate() {
        let y = TOP + HEIGHT * line as f64;
        let (name, limits) = (&scheme.intensities[row].name, intensity_label(scheme, row));
        parts += &text(0.0, y + 4.5, name, "normal", "start");
        parts += &text(0.0, y + 10.0, &limits, "normal", "start");
        for (column, id) in scheme.matrix[row].iter().enumerate() {
            parts += &field(NAMES + CELL * column as f64, y, scheme.zones.iter().find(|zone| zone.id == *id));
        }
    }
    let periods = &scheme.return_periods_years;
    let bottom = TOP + HEIGHT * rows as f64;
    let starts = [0.0].into_iter().chain(periods.iter().copied());
    let span = |(low, high): (f64, &f64)| match low > 0.0 {
        true => format!("{}–{}", number(low), number(*high)),
        false => format!("≤ {}", number(*high)),
    };
    let rarer = periods.last().map(|last| format!("> {}", number(*last)));
    for (column, words) in starts.zip(periods).map(span).chain(rarer).enumerate() {
        parts += &text(NAMES + CELL * (column as f64 + 0.5), bottom + 6.0, &words, "normal", "middle");
    }
    let width = NAMES + CELL * (periods.len() + 1) as f64;
    parts += &text((NAMES + width) / 2.0, bottom + 13.0, &say!("return-period-years"), "bold", "middle");
    let (width, height) = (width + 1.0, bottom + 15.0);
    Some(format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{parts}</svg>"#))
}

fn text(x: f64, y: f64, words: &str, weight: &str, anchor: &str) -> String {
    let style = format!(r#"font-size="5.2" font-family="Open Sans, sans-serif" font-weight="{weight}""#);
    format!(r#"<text x="{x}" y="{y}" text-anchor="{anchor}" {style}>{}</text>"#, escape(words))
}

fn field(x: f64, y: f64, zone: Option<&Zone>) -> String {
    let colour = zone.map_or("#ffffff".to_string(), |zone| zone.colour.into());
    let hatched = zone.is_some_and(|zone| zone.hatched);
    let fill = if hatched { "#ffffff" } else { &colour };
    let frame = r##"stroke="#333" stroke-width="0.4" fill-opacity="0.75""##;
    let mut parts = format!(r#"<rect x="{x}" y="{y}" width="{CELL}" height="{HEIGHT}" fill="{fill}" {frame}/>"#);
    for start in (0..17).step_by(5).filter(|_| hatched) {
        let (from, top) = (x + f64::from(start), y + HEIGHT);
        parts += &format!(r#"<path d="M{from} {top}l6 -{HEIGHT}" stroke="{colour}" stroke-width="2"/>"#);
    }
    parts
}
