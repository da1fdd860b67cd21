//! What stands beside a map: legend, scale bar, north arrow, locator.

use super::canvas::{BLACK, Canvas, GREY};
use super::font::Face;
use super::preview::{MARK, MARK_THICKNESS, PANEL, Preview};
use super::ramp::Legend;
use super::relief::Locator;
use crate::texts::say;

pub(super) fn draw_legend(canvas: &mut Canvas, left: i64, top: i64, preview: &Preview) -> i64 {
    let mut y = top;
    canvas.text(left, y, preview.legend.title(), Face::Regular, BLACK);
    y += 24;
    for entry in preview.legend.entries().iter().filter(|entry| !entry.label.is_empty()) {
        for dy in 0..15 {
            for dx in 0..26 {
                canvas.blend(left + dx, y + dy, entry.colour_of(Legend::is_stripe(dx + dy)), 1.0);
            }
        }
        canvas.frame(left, y, 26, 15, GREY);
        canvas.text(left + 34, y - 1, &entry.label, Face::Regular, BLACK);
        y += 22;
    }
    for overlay in preview.overlays {
        canvas.line(
            [left as f64, y as f64 + 8.5],
            [left as f64 + 26.0, y as f64 + 8.5],
            overlay.thickness,
            overlay.colour,
        );
        canvas.text(left + 34, y - 1, &overlay.label.to_string(), Face::Regular, BLACK);
        y += 22;
    }
    if !preview.marks.is_empty() {
        canvas.line([left as f64, y as f64 + 8.5], [left as f64 + 26.0, y as f64 + 8.5], MARK_THICKNESS, MARK);
        for line in cut_off_lines() {
            canvas.text(left + 34, y - 1, &line, Face::Regular, BLACK);
            y += 17;
        }
        y += 5;
    }
    y
}

/// What the legend says of edges where rocks left, in lines as wide as there is room.
pub(super) fn cut_off_lines() -> Vec<String> {
    wrapped(&say!("legend-cut-off"), PANEL as usize - 44)
}

/// Where the map lies in the terrain model: its outline over all of it.
pub(super) fn draw_locator(canvas: &mut Canvas, left: i64, top: i64, locator: &Locator) {
    canvas.text(left, top, &say!("locator"), Face::Regular, GREY);
    let top = top + 20;
    let places: Vec<u8> = (0..=255u8).map(|shade| canvas.place([shade / 16 * 16; 3])).collect();
    canvas.paint((left as usize, top as usize), (locator.width, locator.height), |y, pixels| {
        let shades = &locator.shades[y * locator.width..][..locator.width];
        pixels.iter_mut().zip(shades).for_each(|(pixel, &shade)| *pixel = places[usize::from(shade)]);
    });
    canvas.frame(left - 1, top - 1, locator.width as i64 + 2, locator.height as i64 + 2, GREY);
    let [x, y, width, height] = locator.map;
    let (x, y) = (left + x, top + y);
    canvas.frame(x, y, width, height, MARK);
    canvas.frame(x + 1, y + 1, width - 2, height - 2, MARK);
}

/// Breaks a text into lines of at most this many pixels.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let longer = if lines[last].is_empty() { word.to_string() } else { format!("{} {word}", lines[last]) };
        if Face::Regular.width(&longer) <= width || lines[last].is_empty() {
            lines[last] = longer;
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

/// A bar of 1, 2 or 5 times a power of ten metres, at most 180 pixels long.
pub(super) fn draw_scale(canvas: &mut Canvas, left: i64, top: i64, scale: f64) {
    let longest = 180.0 / scale;
    let power = 10f64.powf(longest.log10().floor());
    let length_m = [5.0, 2.0, 1.0].iter().map(|step| step * power).find(|&length| length <= longest).unwrap_or(power);
    let pixels = (length_m * scale).round() as i64;
    canvas.fill(left, top, pixels / 2, 6, BLACK);
    canvas.frame(left, top, pixels, 6, BLACK);
    let unit = if length_m >= 1000.0 { format!("{} km", length_m / 1000.0) } else { format!("{length_m} m") };
    canvas.text(left, top + 8, "0", Face::Regular, BLACK);
    canvas.text(left + pixels - Face::Regular.width(&unit) as i64 / 2, top + 8, &unit, Face::Regular, BLACK);
}

pub(super) fn draw_north(canvas: &mut Canvas, left: i64, top: i64) {
    let (x, y) = (left as f64 + 8.0, top as f64);
    for half in 0..=7 {
        let half = f64::from(half);
        canvas.line([x, y + 1.0], [x - half, y + 26.0], 1.0, BLACK);
    }
    canvas.line([x, y + 1.0], [x + 7.0, y + 26.0], 1.0, BLACK);
    canvas.line([x - 7.0, y + 26.0], [x, y + 21.0], 1.0, BLACK);
    canvas.line([x, y + 21.0], [x + 7.0, y + 26.0], 1.0, BLACK);
    canvas.text(left + 3, top + 30, "N", Face::Regular, BLACK);
}
