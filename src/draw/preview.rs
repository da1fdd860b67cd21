//! Map previews: values over a hillshade, with title, legend, scale bar, north arrow and CRS, as stand-alone images.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::draw::canvas::{self, BLACK, Canvas, GREY, Rgb, WHITE};
use crate::draw::font::Face;
use crate::draw::panel;
use crate::draw::ramp::Legend;
use crate::draw::relief::{DARKEST, Relief, Window};
use crate::store::overlays::Overlay;
use crate::texts::{Text, say};

/// Everything a preview shows.
pub(crate) struct Preview<'a> {
    pub title: &'a str,
    /// Second line: project, run.
    pub subtitle: &'a str,
    pub crs: &'a str,
    pub dem: &'a Relief<'a>,
    pub values: Values<'a>,
    pub legend: &'a Legend,
    pub overlays: &'a [Overlay],
    /// Sentences under the legend.
    pub notes: &'a [String],
    /// Where rocks left the terrain model.
    pub marks: &'a [Mark],
}

/// A part of the terrain's edge where something must be said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// In world coordinates.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// Where the words stand.
    pub at: [f64; 2],
    pub text: Text,
}

/// The red of what is cut off.
pub(super) const MARK: Rgb = [200, 0, 30];
pub(super) const MARK_THICKNESS: f64 = 5.0;
/// Of lines of equal height.
const CONTOUR: Rgb = [110, 80, 50];

/// Calls with each cell that has a value, and the value.
pub(crate) type EachCell<'e> = dyn Fn(&mut dyn FnMut(usize, f64)) + Sync + 'e;

/// Values on the DEM's lattice.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    /// NaN where there is none.
    Numbers(&'a [f32]),
    /// 0 where there is none.
    Classes(&'a [u8]),
    /// The same, by the cell.
    ClassAt(&'a (dyn Fn(usize) -> u8 + Sync)),
    /// Calls with each cell that has a value, and the value.
    Cells(&'a EachCell<'a>),
}

/// Of maps of more cells the middle of each pixel is shown.
const MOST_CELLS: usize = 1 << 26;

/// A pixel of so many cells a side is said to show several.
const REDUCED: f64 = 4.0;

pub(super) const PANEL: i64 = 250;
const MARGIN: i64 = 14;
/// How much of the colour covers the hillshade.
const COVER: f64 = 0.78;

/// Draws the preview.
pub(crate) fn draw(preview: &Preview) -> Canvas {
    let (lattice, window) = (preview.dem.lattice(), preview.dem.window);
    let top = MARGIN + 2 * Face::Regular.height() as i64 + 16;
    let cells = preview.dem.cells_per_pixel();
    let is_reduced = matches!(preview.values, Values::Cells(_)) && cells >= REDUCED;
    let reduced = is_reduced.then(|| say!("map-reduced", cells = format!("{cells:.0}")));
    let notes: Vec<String> =
        preview.notes.iter().chain(&reduced).flat_map(|note| panel::wrapped(note, PANEL as usize - 10)).collect();
    let cut_off = if preview.marks.is_empty() { 0 } else { 5 + 17 * panel::cut_off_lines().len() as i64 };
    let locator = preview.dem.locator.as_ref().map_or(0, |locator| locator.height as i64 + 34);
    let legend_height = 110
        + 22 * (preview.legend.entries().len() + preview.overlays.len()) as i64
        + 17 * notes.len() as i64
        + cut_off
        + locator;
    let height = top + (preview.dem.height as i64).max(legend_height) + MARGIN + 24;
    let mut canvas = Canvas::new((3 * MARGIN + PANEL) as usize + preview.dem.width, height as usize);
    reserve_colours(&mut canvas, preview);
    canvas.text(MARGIN, MARGIN - 4, preview.title, Face::Bold, BLACK);
    canvas.text(MARGIN, MARGIN + 20, preview.subtitle, Face::Regular, GREY);
    MapFrame { left: MARGIN, top, preview }.draw(&mut canvas);
    let panel = MARGIN + preview.dem.width as i64 + MARGIN;
    let legend_bottom = panel::draw_legend(&mut canvas, panel, top, preview);
    panel::draw_scale(&mut canvas, panel, legend_bottom + 16, preview.dem.scale);
    panel::draw_north(&mut canvas, panel + 218, legend_bottom + 6);
    for (line, y) in notes.iter().zip((legend_bottom + 66..).step_by(17)) {
        canvas.text(panel, y, line, Face::Regular, GREY);
    }
    if let Some(locator) = &preview.dem.locator {
        let below = legend_bottom + 66 + 17 * notes.len() as i64 + 6;
        panel::draw_locator(&mut canvas, panel, below.max(height - MARGIN - 24 - locator.height as i64 - 26), locator);
    }
    let (west, south, ..) = lattice.extent();
    let edge = |from: f64, cells: usize, size: f64| from + cells as f64 * size;
    let metres = |from: f64, cells: usize, size: f64| format!("{:.0}", edge(from, cells, size));
    let footer = say!(
        "map-footer",
        crs = preview.crs,
        west = metres(west, window.columns.0, lattice.dx),
        east = metres(west, window.columns.1 + 1, lattice.dx),
        south = metres(south, window.rows.0, lattice.dy),
        north = metres(south, window.rows.1 + 1, lattice.dy),
        cell = lattice.dx.to_string(),
        contours = preview.dem.interval_m.to_string(),
    );
    canvas.text(MARGIN, height - 24, &footer, Face::Regular, GREY);
    canvas
}

/// What a legend explains gets its very colours, before mixtures of all kinds take the last places in the palette.
fn reserve_colours(canvas: &mut Canvas, preview: &Preview) {
    for entry in preview.legend.entries() {
        canvas.place(entry.colour);
    }
    let marks = (!preview.marks.is_empty()).then_some(MARK);
    for colour in preview.overlays.iter().map(|overlay| overlay.colour).chain(marks) {
        for share in canvas::SHARES {
            canvas.place(canvas::mix(WHITE, colour, share));
        }
    }
}

struct MapFrame<'a> {
    left: i64,
    top: i64,
    preview: &'a Preview<'a>,
}

impl MapFrame<'_> {
    fn draw(&self, canvas: &mut Canvas) {
        let dem = self.preview.dem;
        let pixels_of = self.by_pixel();
        let classes = if pixels_of.is_some() { Vec::new() } else { self.classes() };
        let columns = self.covered_columns();
        let contour = contour_colours(self.preview.legend, canvas);
        let colours = map_colours(self.preview.legend, canvas);
        canvas.paint((self.left as usize, self.top as usize), (dem.width, dem.height), |y, pixels| {
            let highest = match &pixels_of {
                Some(all) => all[y * dem.width..][..dem.width].to_vec(),
                None => self.highest_classes(&classes, y, &columns),
            };
            let shades = &dem.shades[y * dem.width..][..dem.width];
            let contours = &dem.contours[y * dem.width..][..dem.width];
            for (x, (pixel, (&class, &shade))) in pixels.iter_mut().zip(highest.iter().zip(shades)).enumerate() {
                let striped = usize::from(Legend::is_stripe((x + y) as i64));
                *pixel = match contours[x] {
                    0 => colours[usize::from(class)][striped][usize::from(shade)],
                    kind => contour[usize::from(class)][usize::from(kind) - 1],
                };
            }
        });
        for overlay in self.preview.overlays {
            let pairs = overlay.lines.iter().flat_map(|line| line.windows(2));
            let pieces: Vec<_> = pairs.filter_map(|w| self.clip(self.pixel(w[0]), self.pixel(w[1]))).collect();
            // All of the white rim first, so that it does not cut the line at its vertices.
            for (thickness, colour) in [(overlay.thickness + 2.0, WHITE), (overlay.thickness, overlay.colour)] {
                pieces.iter().for_each(|&(from, to)| canvas.line(from, to, thickness, colour));
            }
        }
        self.draw_marks(canvas);
        canvas.frame(self.left - 1, self.top - 1, dem.width as i64 + 2, dem.height as i64 + 2, BLACK);
    }

    /// Edges where rocks left, and how many: the words stand inside the map, on white.
    fn draw_marks(&self, canvas: &mut Canvas) {
        let dem = self.preview.dem;
        let (right, bottom) = (self.left + dem.width as i64, self.top + dem.height as i64);
        for mark in self.preview.marks {
            let pairs = mark.lines.iter().flat_map(|line| line.windows(2));
            let clipped = pairs.filter_map(|w| self.clip(self.pixel(w[0]), self.pixel(w[1])));
            clipped.for_each(|(from, to)| canvas.line(from, to, MARK_THICKNESS, MARK));
        }
        let mut taken: Vec<(i64, i64)> = Vec::new();
        for mark in self.preview.marks {
            let words = mark.text.to_string();
            let (width, height) = (Face::Regular.width(&words) as i64, Face::Regular.height() as i64);
            let [x, y] = self.pixel(mark.at).map(|pixel| pixel as i64);
            let x = (x - width / 2).clamp(self.left + 8, (right - width - 8).max(self.left + 8));
            let mut y = (y - height / 2).clamp(self.top + 8, (bottom - height - 8).max(self.top + 8));
            while taken.iter().any(|&(other, end)| (other - y).abs() < height + 6 && end > x) {
                y += if y > (self.top + bottom) / 2 { -(height + 6) } else { height + 6 };
            }
            taken.push((y, x + width));
            canvas.fill(x - 4, y - 2, width + 8, height + 4, WHITE);
            canvas.frame(x - 4, y - 2, width + 8, height + 4, MARK);
            canvas.text(x, y, &words, Face::Regular, BLACK);
        }
    }

    /// The columns of cells each column of pixels covers, first and last, counted from the window's first.
    fn covered_columns(&self) -> Vec<(usize, usize)> {
        let dem = self.preview.dem;
        let (low, high) = dem.window.columns;
        let column = |x: f64| (dem.cell(x, 0.0).0.max(0.0) as usize).clamp(low, high) - low;
        (0..dem.width).map(|x| (column(x as f64 + 0.01), column(x as f64 + 0.99))).collect()
    }

    /// Of the cells of the window: 1 + entry of the legend, 0 where there is none.
    fn classes(&self) -> Vec<u8> {
        let (dem, legend) = (self.preview.dem, self.preview.legend);
        let Window { columns: (first, last), rows: (low, high) } = dem.window;
        let known = |class: Option<usize>| class.filter(|&class| class < legend.entries().len());
        let number =
            |value: f64| known(legend.class(value)).map_or(0, |class| u8::try_from(class + 1).unwrap_or(u8::MAX));
        let of_classes: [u8; 256] = std::array::from_fn(|class| if class > 0 { number(class as f64) } else { 0 });
        let width = last - first + 1;
        let mut classes = vec![0; width * (high - low + 1)];
        classes.par_chunks_mut(width).with_min_len(64).enumerate().for_each(|(row, classes)| {
            let from = (low + row) * dem.lattice().nx + first;
            match self.preview.values {
                Values::Numbers(numbers) => {
                    let given = classes.iter_mut().zip(&numbers[from..]).filter(|(_, value)| !value.is_nan());
                    given.for_each(|(class, &value)| *class = number(f64::from(value)));
                }
                Values::Classes(given) => {
                    let given = classes.iter_mut().zip(&given[from..]);
                    given.for_each(|(class, &given)| *class = of_classes[usize::from(given)]);
                }
                Values::ClassAt(given) => {
                    let given = classes.iter_mut().zip((from..).map(given));
                    given.for_each(|(class, given)| *class = of_classes[usize::from(given)]);
                }
                Values::Cells(_) => {}
            }
        });
        classes
    }

    /// What a map shows of so many cells that there is no room for all of them: per pixel the highest class of those with a value, or the
    /// class in its middle.
    fn by_pixel(&self) -> Option<Vec<u8>> {
        let dem = self.preview.dem;
        let (lattice, Window { columns: (first, last), rows: (low, high) }) = (dem.lattice(), dem.window);
        let legend = self.preview.legend;
        let number = |value: f64| {
            let class = legend.class(value).filter(|&class| class < legend.entries().len());
            class.map_or(0, |class| u8::try_from(class + 1).unwrap_or(u8::MAX))
        };
        let mut pixels = vec![0; dem.width * dem.height];
        match self.preview.values {
            Values::Cells(cells) => cells(&mut |cell, value| {
                let (column, row) = (cell % lattice.nx, cell / lattice.nx);
                if (first..=last).contains(&column) && (low..=high).contains(&row) {
                    let x = (column - first) as f64 + 0.5;
                    let y = (high - row) as f64 + 0.5;
                    let x = ((x * lattice.dx * dem.scale) as usize).min(dem.width - 1);
                    let y = ((y * lattice.dy * dem.scale) as usize).min(dem.height - 1);
                    let pixel = &mut pixels[y * dem.width + x];
                    *pixel = number(value).max(*pixel);
                }
            }),
            Values::ClassAt(class_at) if (last - first + 1) * (high - low + 1) > MOST_CELLS => {
                pixels.par_chunks_mut(dem.width).enumerate().for_each(|(y, pixels)| {
                    for (x, pixel) in pixels.iter_mut().enumerate() {
                        let (column, row) = dem.cell(x as f64 + 0.5, y as f64 + 0.5);
                        let (column, row) = ((column as usize).clamp(first, last), (row as usize).clamp(low, high));
                        let class = class_at(row * lattice.nx + column);
                        *pixel = if class > 0 { number(f64::from(class)) } else { 0 };
                    }
                });
            }
            _ => return None,
        }
        Some(pixels)
    }

    /// Per pixel of a row the highest class of all cells it covers, so that a thin path does not vanish in a small preview.
    fn highest_classes(&self, classes: &[u8], y: usize, columns: &[(usize, usize)]) -> Vec<u8> {
        let Window { columns: (first, last), rows: (low, high) } = self.preview.dem.window;
        let row = |y: f64| (self.preview.dem.cell(0.0, y).1.max(0.0) as usize).clamp(low, high) - low;
        let width = last - first + 1;
        let mut cells = vec![0; width];
        for row in row(y as f64 + 0.99)..=row(y as f64 + 0.01) {
            let classes = &classes[row * width..][..width];
            cells.iter_mut().zip(classes).for_each(|(cell, &class): (&mut u8, _)| *cell = class.max(*cell));
        }
        let of_pixel = |&(first, last): &(usize, usize)| cells[first..=last].iter().copied().max().unwrap_or(0);
        columns.iter().map(of_pixel).collect()
    }

    fn pixel(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (lattice, window, scale) = (self.preview.dem.lattice(), self.preview.dem.window, self.preview.dem.scale);
        let (west, south, ..) = lattice.extent();
        let left = west + window.columns.0 as f64 * lattice.dx;
        let upper = south + (window.rows.1 + 1) as f64 * lattice.dy;
        [self.left as f64 + (x - left) * scale, self.top as f64 + (upper - y) * scale]
    }

    /// The part of a line inside the map (Liang and Barsky).
    fn clip(&self, from: [f64; 2], to: [f64; 2]) -> Option<([f64; 2], [f64; 2])> {
        let low = [self.left as f64, self.top as f64];
        let high = [low[0] + self.preview.dem.width as f64, low[1] + self.preview.dem.height as f64];
        let (mut start, mut end) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            let step = to[axis] - from[axis];
            if step == 0.0 {
                if from[axis] < low[axis] || from[axis] > high[axis] {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low[axis] - from[axis]) / step, (high[axis] - from[axis]) / step);
            start = start.max(a.min(b));
            end = end.min(a.max(b));
        }
        let at = |t: f64| [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
        (start <= end).then(|| (at(start), at(end)))
    }
}

/// Places in the palette of the shades of the terrain, bare and below every entry of a legend: by class (0 for none), beside
/// and in a stripe, and shade.
fn map_colours(legend: &Legend, canvas: &mut Canvas) -> Vec<[[u8; 256]; 2]> {
    let bare = std::array::from_fn(|shade| canvas.place([rounded(shade, BARE_STEP); 3]));
    let mut over = |colour: Rgb| {
        std::array::from_fn(|shade| canvas.place(canvas::mix([rounded(shade, COVERED_STEP); 3], colour, COVER)))
    };
    let entries = legend.entries().iter().map(|entry| [false, true].map(|stripe| over(entry.colour_of(stripe))));
    std::iter::once([bare; 2]).chain(entries).collect()
}

/// Places in the palette of contours on bare terrain and on every entry of a legend: by class (0 for none), thin and fifth.
fn contour_colours(legend: &Legend, canvas: &mut Canvas) -> Vec<[u8; 2]> {
    let bare = std::iter::once([205; 3]);
    let grounds = bare.chain(legend.entries().iter().map(|entry| entry.colour));
    grounds.map(|ground| [0.35, 0.7].map(|share| canvas.place(canvas::mix(ground, CONTOUR, share)))).collect()
}

/// Steps of grey no eye tells apart, counted down from white, so that a map fits into a palette: through a colour
/// that lets a fifth through they may be wider.
const BARE_STEP: usize = 3;
const COVERED_STEP: usize = 9;

fn rounded(shade: usize, step: usize) -> u8 {
    let shade = shade.max(DARKEST as usize);
    (255 - (255 - shade) / step * step) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::{Field, Lattice, Surface};

    /// Rough ground, all classes, and more mixtures than a palette holds: lines keep the colours of the legend.
    #[test]
    fn lines_have_the_colours_the_legend_shows() {
        let lattice = Lattice { nx: 60, ny: 50, x0: 1.0, y0: 1.0, dx: 2.0, dy: 2.0 };
        let bumpy = |k: usize| ((k * k) % 97) as f64 * 0.1 + (k % 60) as f64;
        let field = Field { lattice, values: (0..lattice.len()).map(bumpy).collect() };
        let surface = Surface::new(field).unwrap();
        let dem = Relief::new(&surface, Window::around(&lattice, |_| true));
        let colours = [[40, 40, 40], [0, 90, 181], [0, 140, 100], [200, 0, 120], [0, 150, 190]];
        let overlay = |(k, &colour): (usize, &Rgb)| {
            let line = (0..20).map(|i| [5.0 * f64::from(i), 10.0 + 15.0 * k as f64 + f64::from(i % 3)]).collect();
            Overlay { label: format!("line {k}").into(), colour, thickness: 2.0, lines: vec![line] }
        };
        let overlays: Vec<Overlay> = colours.iter().enumerate().map(overlay).collect();
        let values: Vec<f32> = (0..lattice.len()).map(|k| (k % 7) as f32 * 300.0).collect();
        let legend = Legend::energy("kJ");
        let (title, subtitle, crs, notes) = ("Energy", "Ümläut", "EPSG:2056", &[][..]);
        let preview = Preview {
            title,
            subtitle,
            crs,
            dem: &dem,
            values: Values::Numbers(&values),
            legend: &legend,
            overlays: &overlays,
            notes,
            marks: &[],
        };
        let canvas = draw(&preview);
        // The sample in the legend is a short line, the one on the map a hundred times as long.
        for colour in colours {
            assert!(canvas.count(colour) > 500, "{colour:?}: {} pixels", canvas.count(colour));
        }
        for entry in legend.entries() {
            assert!(canvas.count(entry.colour) > 300, "{}", entry.label);
        }
    }
}
