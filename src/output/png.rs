//! A small canvas of pixels that becomes a PNG: just what a map preview needs.

use std::path::Path;

use rayon::prelude::*;

use crate::geo::atomic;
use crate::output::font::Face;
use crate::{Error, Result};

pub type Rgb = [u8; 3];

pub const BLACK: Rgb = [0, 0, 0];
pub const WHITE: Rgb = [255, 255, 255];
pub const GREY: Rgb = [110, 110, 110];

#[derive(Debug, Clone, PartialEq)]
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    pixels: Vec<Rgb>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![WHITE; width * height] }
    }

    pub fn get(&self, x: usize, y: usize) -> Rgb {
        self.pixels[y * self.width + x]
    }

    /// Mixes a colour in; outside the canvas nothing happens.
    pub fn blend(&mut self, x: i64, y: i64, colour: Rgb, share: f64) {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return;
        }
        let pixel = &mut self.pixels[y as usize * self.width + x as usize];
        *pixel = mix(*pixel, colour, share);
    }

    /// Sets the pixels of a rectangle (which lies on the canvas) row by row: `paint` gets the row, counted from the upper
    /// edge, and its pixels.
    pub fn paint(
        &mut self,
        (left, top): (usize, usize),
        (width, height): (usize, usize),
        paint: impl Fn(usize, &mut [Rgb]) + Sync,
    ) {
        let rows = self.pixels.par_chunks_mut(self.width).skip(top).take(height);
        rows.with_min_len(64).enumerate().for_each(|(y, row)| paint(y, &mut row[left..left + width]));
    }

    pub fn fill(&mut self, x: i64, y: i64, width: i64, height: i64, colour: Rgb) {
        for row in y..y + height {
            for column in x..x + width {
                self.blend(column, row, colour, 1.0);
            }
        }
    }

    pub fn frame(&mut self, x: i64, y: i64, width: i64, height: i64, colour: Rgb) {
        self.fill(x, y, width, 1, colour);
        self.fill(x, y + height - 1, width, 1, colour);
        self.fill(x, y, 1, height, colour);
        self.fill(x + width - 1, y, 1, height, colour);
    }

    /// A line of this thickness with soft edges.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], thickness: f64, colour: Rgb) {
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let reach = 0.5 * thickness + 1.0;
        let range = |a: f64, b: f64, end: usize| {
            let low = (a.min(b) - reach).floor().clamp(0.0, end as f64) as i64;
            (low, (a.max(b) + reach).ceil().clamp(0.0, end as f64) as i64)
        };
        let (x0, x1) = range(from[0], to[0], self.width);
        let (y0, y1) = range(from[1], to[1], self.height);
        let (ux, uy) = if length > 0.0 { ((to[0] - from[0]) / length, (to[1] - from[1]) / length) } else { (1.0, 0.0) };
        let edge = 0.5 * thickness + 0.5;
        for y in y0..y1 {
            for x in x0..x1 {
                let (px, py) = (x as f64 + 0.5 - from[0], y as f64 + 0.5 - from[1]);
                let along = (px * ux + py * uy).clamp(0.0, length);
                let (dx, dy) = (px - along * ux, py - along * uy);
                let squared = dx * dx + dy * dy;
                if squared < edge * edge {
                    self.blend(x, y, colour, (edge - squared.sqrt()).clamp(0.0, 1.0));
                }
            }
        }
    }

    /// Text with its upper left corner here; returns its width.
    pub fn text(&mut self, x: i64, y: i64, text: &str, face: Face, colour: Rgb) -> i64 {
        face.draw(text, |dx, dy, coverage| self.blend(x + dx as i64, y + dy as i64, colour, coverage));
        face.width(text) as i64
    }

    pub fn to_png(&self) -> Result<Vec<u8>> {
        let failed =
            |error: png::EncodingError| Error::failed(format!("A preview could not be encoded as PNG: {error}."));
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        // Less than a tenth of the usual time, for files 1.7 times as large.
        encoder.set_compression(png::Compression::Fast);
        // As small as the best filter row by row, in a sixth less time.
        encoder.set_filter(png::Filter::Paeth);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }

    /// Writes the PNG and hands it back.
    pub fn save(&self, path: &Path) -> Result<Vec<u8>> {
        let bytes = self.to_png()?;
        atomic::write_bytes(path, &bytes)?;
        Ok(bytes)
    }
}

/// The old colour with a share of the new one.
pub fn mix(old: Rgb, new: Rgb, share: f64) -> Rgb {
    std::array::from_fn(|k| {
        let (old, new) = (f64::from(old[k]), f64::from(new[k]));
        (old + share * (new - old) + 0.5) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_canvas_comes_back_from_its_png() {
        let mut canvas = Canvas::new(30, 20);
        canvas.fill(2, 3, 5, 4, [200, 10, 30]);
        canvas.line([0.0, 0.0], [30.0, 20.0], 2.0, BLACK);
        canvas.text(5, 1, "A", Face::Regular, BLACK);
        let bytes = canvas.to_png().expect("encodes");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("is a PNG");
        let mut pixels = vec![0; 30 * 20 * 3];
        reader.next_frame(&mut pixels).expect("has an image");
        assert_eq!(pixels, canvas.pixels.as_flattened());
    }
}
