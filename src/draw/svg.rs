//! A small SVG plot writer: lines, points and bars on linear or logarithmic axes, one or several panels a figure.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::axis::{Axis, Scale};
use crate::texts::Text;

/// Colours that stay apart for colour-blind readers (Okabe & Ito).
pub(crate) const PALETTE: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444", "#b8a800"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Style {
    Line,
    Dashed,
    Points,
    /// Vertical bars from the bottom of the axis, as wide as the points are apart.
    Bars,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Series {
    label: Text,
    points: Vec<[f64; 2]>,
    style: Style,
    color: String,
}

/// One panel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plot {
    title: Text,
    x_label: Text,
    y_label: Text,
    x_scale: Scale,
    y_scale: Scale,
    x_range: Option<[f64; 2]>,
    y_range: Option<[f64; 2]>,
    /// Same length of a unit on both axes.
    equal: bool,
    x_names: Vec<String>,
    series: Vec<Series>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 50.0;

impl Plot {
    pub(crate) fn new(title: impl Into<Text>, x_label: impl Into<Text>, y_label: impl Into<Text>) -> Self {
        Self {
            title: title.into(),
            x_label: x_label.into(),
            y_label: y_label.into(),
            x_scale: Scale::Linear,
            y_scale: Scale::Linear,
            x_range: None,
            y_range: None,
            equal: false,
            x_names: Vec::new(),
            series: Vec::new(),
        }
    }

    /// Adds a series in the next colour of the palette. Non-finite points break a line.
    pub(crate) fn series(
        mut self,
        label: impl Into<Text>,
        style: Style,
        points: impl IntoIterator<Item = [f64; 2]>,
    ) -> Self {
        let color = PALETTE[self.series.len() % PALETTE.len()].to_owned();
        self.series.push(Series { label: label.into(), points: points.into_iter().collect(), style, color });
        self
    }

    pub(crate) fn line(self, label: impl Into<Text>, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.series(label, Style::Line, points)
    }

    pub(crate) fn dashed(self, label: impl Into<Text>, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.series(label, Style::Dashed, points)
    }

    pub(crate) fn points(self, label: impl Into<Text>, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.series(label, Style::Points, points)
    }

    /// `centres` and heights of a histogram.
    pub(crate) fn bars(self, label: impl Into<Text>, bars: impl IntoIterator<Item = [f64; 2]>) -> Self {
        self.series(label, Style::Bars, bars)
    }

    /// Colour of the series added last.
    pub(crate) fn color(mut self, color: &str) -> Self {
        if let Some(last) = self.series.last_mut() {
            last.color = color.into();
        }
        self
    }

    pub(crate) fn log_x(mut self) -> Self {
        self.x_scale = Scale::Log;
        self
    }

    pub(crate) fn log_y(mut self) -> Self {
        self.y_scale = Scale::Log;
        self
    }

    pub(crate) fn x_range(mut self, low: f64, high: f64) -> Self {
        self.x_range = Some([low, high]);
        self
    }

    pub(crate) fn y_range(mut self, low: f64, high: f64) -> Self {
        self.y_range = Some([low, high]);
        self
    }

    /// A unit is as long in x as in y.
    pub(crate) fn equal(mut self) -> Self {
        self.equal = true;
        self
    }

    /// Names instead of numbers below x = 0, 1, 2, …
    pub(crate) fn x_names(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.x_names = names.into_iter().collect();
        self
    }

    fn draw(&self, out: &mut String) {
        let (mut xr, mut yr) = (self.range(0), self.range(1));
        if self.equal {
            equalise(&mut xr, &mut yr);
        }
        let x = Axis { scale: self.x_scale, range: xr, from: LEFT, to: WIDTH - RIGHT };
        let y = Axis { scale: self.y_scale, range: yr, from: HEIGHT - BOTTOM, to: TOP };
        self.draw_axes(out, &x, &y);
        for series in &self.series {
            draw_series(out, series, &x, &y);
        }
        self.draw_legend(out);
    }

    fn range(&self, axis: usize) -> [f64; 2] {
        let (fixed, scale) = if axis == 0 { (self.x_range, self.x_scale) } else { (self.y_range, self.y_scale) };
        if let Some(range) = fixed {
            return range;
        }
        let usable = |v: f64| v.is_finite() && (scale == Scale::Linear || v > 0.0);
        let values = self.series.iter().flat_map(|s| &s.points).map(|p| p[axis]).filter(|&v| usable(v));
        let (mut low, mut high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return if scale == Scale::Log { [0.1, 10.0] } else { [0.0, 1.0] };
        }
        let bars = self.series.iter().any(|s| s.style == Style::Bars);
        if scale == Scale::Log {
            return if high > low * 1.0001 { [low / 1.3, high * 1.3] } else { [low / 10.0, high * 10.0] };
        }
        if bars && axis == 1 {
            low = low.min(0.0);
        }
        let pad = if high > low { 0.04 * (high - low) } else { 0.5 * high.abs().max(1.0) };
        if bars && axis == 0 {
            return [low - 0.6 * spacing(&self.series), high + 0.6 * spacing(&self.series)];
        }
        if !(bars && axis == 1 && low == 0.0) {
            low -= pad;
        }
        high += pad;
        [low, high]
    }

    fn draw_axes(&self, out: &mut String, x: &Axis, y: &Axis) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let named: Vec<(f64, String)> = self.x_names.iter().enumerate().map(|(i, n)| (i as f64, n.clone())).collect();
        for (value, label) in if named.is_empty() { x.ticks() } else { named } {
            let at = x.place(value);
            let _ = writeln!(
                out,
                r##"<line x1="{at:.1}" y1="{TOP}" x2="{at:.1}" y2="{bottom}" stroke="#e4e4e4"/><text x="{at:.1}" y="{:.1}" text-anchor="middle">{}</text>"##,
                bottom + 17.0,
                escape(&label)
            );
        }
        for (value, label) in y.ticks() {
            let at = y.place(value);
            let _ = writeln!(
                out,
                r##"<line x1="{LEFT}" y1="{at:.1}" x2="{right}" y2="{at:.1}" stroke="#e4e4e4"/><text x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"##,
                LEFT - 6.0,
                at + 4.0
            );
        }
        let _ = writeln!(
            out,
            r##"<rect x="{LEFT}" y="{TOP}" width="{:.1}" height="{:.1}" fill="none" stroke="#888"/>
<text x="{:.1}" y="20" text-anchor="middle" font-size="14" font-weight="bold">{}</text>
<text x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>
<text transform="translate(15 {:.1}) rotate(-90)" text-anchor="middle">{}</text>"##,
            right - LEFT,
            bottom - TOP,
            0.5 * (LEFT + right),
            escape(&self.title.to_string()),
            0.5 * (LEFT + right),
            HEIGHT - 12.0,
            escape(&self.x_label.to_string()),
            0.5 * (TOP + bottom),
            escape(&self.y_label.to_string())
        );
    }

    fn draw_legend(&self, out: &mut String) {
        let labelled: Vec<&Series> = self.series.iter().filter(|s| !s.label.is_empty()).collect();
        let longest = labelled.iter().map(|s| s.label.to_string().chars().count()).max().unwrap_or(0);
        if labelled.is_empty() {
            return;
        }
        let (width, height) = (34.0 + 6.3 * longest as f64, 6.0 + 16.0 * labelled.len() as f64);
        let left = WIDTH - RIGHT - width - 6.0;
        let _ = writeln!(
            out,
            r##"<rect x="{left:.1}" y="{:.1}" width="{width:.1}" height="{height:.1}" fill="#fff" fill-opacity="0.85" stroke="#ccc"/>"##,
            TOP + 6.0
        );
        for (i, series) in labelled.iter().enumerate() {
            let at = TOP + 18.0 + 16.0 * i as f64;
            let dash = if series.style == Style::Dashed { r#" stroke-dasharray="5 4""# } else { "" };
            let _ = writeln!(
                out,
                r##"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{}" stroke-width="2.5"{dash}/><text x="{:.1}" y="{at:.1}">{}</text>"##,
                left + 5.0,
                at - 4.0,
                left + 24.0,
                at - 4.0,
                series.color,
                left + 29.0,
                escape(&series.label.to_string())
            );
        }
    }
}

/// The panels, `columns` beside each other, as one SVG document.
pub(crate) fn figure(plots: &[Plot], columns: usize) -> String {
    let columns = columns.clamp(1, plots.len().max(1));
    let rows = plots.len().div_ceil(columns);
    let (width, height) = (WIDTH * columns as f64, HEIGHT * rows as f64);
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">
<rect width="{width}" height="{height}" fill="#fff"/>
"##
    );
    for (i, plot) in plots.iter().enumerate() {
        let (dx, dy) = ((i % columns) as f64 * WIDTH, (i / columns) as f64 * HEIGHT);
        // The clip path keeps data inside its panel; its name must be unique in the document.
        let _ = writeln!(
            out,
            r##"<g transform="translate({dx} {dy})"><clipPath id="c{i}"><rect x="{LEFT}" y="{TOP}" width="{}" height="{}"/></clipPath>"##,
            WIDTH - LEFT - RIGHT,
            HEIGHT - TOP - BOTTOM
        );
        let mut panel = String::new();
        plot.draw(&mut panel);
        out.push_str(&panel.replace("clip-path=\"\"", &format!("clip-path=\"url(#c{i})\"")));
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn draw_series(out: &mut String, series: &Series, x: &Axis, y: &Axis) {
    let color = &series.color;
    let place = |p: &[f64; 2]| (x.place(p[0]), y.place(p[1]));
    match series.style {
        Style::Line | Style::Dashed => {
            let mut path = String::new();
            let mut pen_down = false;
            for (px, py) in series.points.iter().map(place) {
                if px.is_finite() && py.is_finite() {
                    let _ = write!(path, "{}{px:.2} {py:.2}", if pen_down { "L" } else { "M" });
                    pen_down = true;
                } else {
                    pen_down = false;
                }
            }
            let dash = if series.style == Style::Dashed { r#" stroke-dasharray="6 4""# } else { "" };
            let _ = writeln!(
                out,
                r##"<path clip-path="" d="{path}" fill="none" stroke="{color}" stroke-width="1.4"{dash}/>"##
            );
        }
        Style::Points => {
            for (px, py) in series.points.iter().map(place).filter(|p| p.0.is_finite() && p.1.is_finite()) {
                let _ = writeln!(out, r##"<circle clip-path="" cx="{px:.2}" cy="{py:.2}" r="2.4" fill="{color}"/>"##);
            }
        }
        Style::Bars => {
            let half = 0.45 * spacing(std::slice::from_ref(series));
            for p in series.points.iter().filter(|p| p[1].is_finite()) {
                let (left, right) = (x.place(p[0] - half), x.place(p[0] + half));
                let (top, bottom) = (y.place(p[1]), if y.range[0] <= 0.0 { y.place(0.0) } else { y.from });
                let _ = writeln!(
                    out,
                    r##"<rect clip-path="" x="{left:.2}" y="{:.2}" width="{:.2}" height="{:.2}" fill="{color}" fill-opacity="0.75"/>"##,
                    top.min(bottom),
                    right - left,
                    (bottom - top).abs()
                );
            }
        }
    }
}

fn spacing(series: &[Series]) -> f64 {
    let bars = series.iter().find(|s| s.style == Style::Bars).map(|s| s.points.as_slice()).unwrap_or_default();
    let gaps = bars.windows(2).map(|w| (w[1][0] - w[0][0]).abs()).filter(|g| *g > 0.0);
    gaps.fold(f64::INFINITY, f64::min).min(1e12).clamp(1e-12, 1e12).min(if bars.len() < 2 { 1.0 } else { 1e12 })
}

fn equalise(x: &mut [f64; 2], y: &mut [f64; 2]) {
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let scale = ((x[1] - x[0]) / width).max((y[1] - y[0]) / height);
    for (range, length) in [(x, width), (y, height)] {
        let (middle, half) = (0.5 * (range[0] + range[1]), 0.5 * scale * length);
        *range = [middle - half, middle + half];
    }
}

/// Text within an element.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A figure is an SVG document.
    #[test]
    fn a_plot_becomes_a_figure() {
        let fall = (0..50).map(|i| [f64::from(i), -4.9 * f64::from(i * i)]);
        let plot = Plot::new("Parabola", "t (s)", "z (m)").line("fall", fall);
        assert!(figure(&[plot], 1).starts_with("<svg"));
    }

    /// NaN, infinities, empty series and constant data still give a well-formed drawing without NaN in it.
    #[test]
    fn odd_data_gives_clean_svg() {
        let odd = [[0.0, f64::NAN], [1.0, 2.0], [f64::INFINITY, 3.0], [2.0, 2.0]];
        let plots = [
            Plot::new("a < b & c", "x", "y").line("odd", odd).points("p", odd).bars("b", odd),
            Plot::new("empty", "x", "y").line("none", []),
            Plot::new("log", "x", "y").log_x().log_y().line("l", [[0.0, 1.0], [1e-3, 1e5]]),
        ];
        let svg = figure(&plots, 2);
        assert!(svg.contains("a &lt; b &amp; c") && svg.trim_end().ends_with("</svg>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }
}
