//! Letters for the preview images: two sizes of DejaVu Sans (free licence of Bitstream Vera, embedding allowed), rendered
//! once to 4-bit coverage so that the engine needs no font library and no font on the machine.
//!
//! `font.bin`, per face: height (u8), number of glyphs (u16), then per glyph code (u16), advance (u8), width (u8) and
//! width × height coverages of 4 bits, two a byte, low half first. Codes ascend. Numbers are little-endian.

use std::sync::LazyLock;

/// A face of the embedded font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    Regular,
    Bold,
}

struct Glyph {
    code: u16,
    advance: usize,
    width: usize,
    /// 0 to 15 per pixel, row by row.
    coverage: Vec<u8>,
}

struct Glyphs {
    height: usize,
    glyphs: Vec<Glyph>,
}

static FACES: LazyLock<[Glyphs; 2]> = LazyLock::new(|| {
    let mut bytes = &include_bytes!("font.bin")[..];
    [parse(&mut bytes), parse(&mut bytes)]
});

fn parse(bytes: &mut &[u8]) -> Glyphs {
    let mut take = |count: usize| {
        let (head, tail) = bytes.split_at(count.min(bytes.len()));
        *bytes = tail;
        head
    };
    let header = take(3);
    let (height, count) = (usize::from(header[0]), usize::from(header[1]) + 256 * usize::from(header[2]));
    let glyphs = (0..count).map(|_| {
        let head = take(4);
        let (code, advance, width) =
            (u16::from_le_bytes([head[0], head[1]]), usize::from(head[2]), usize::from(head[3]));
        let packed = take((width * height).div_ceil(2));
        Glyph { code, advance, width, coverage: packed.iter().flat_map(|b| [b & 15, b >> 4]).collect() }
    });
    Glyphs { height, glyphs: glyphs.collect() }
}

impl Face {
    fn glyphs(self) -> &'static Glyphs {
        &FACES[self as usize]
    }

    /// Height of a line, pixels.
    pub(crate) fn height(self) -> usize {
        self.glyphs().height
    }

    /// Width of a text, pixels.
    pub(crate) fn width(self, text: &str) -> usize {
        text.chars().map(|c| self.glyph(c).advance).sum()
    }

    /// Calls `pixel(x, y, coverage 0..=1)` for every inked pixel, from the text's upper left corner.
    pub(crate) fn draw(self, text: &str, mut pixel: impl FnMut(usize, usize, f64)) {
        let mut left = 0;
        for c in text.chars() {
            let glyph = self.glyph(c);
            for (index, &coverage) in glyph.coverage.iter().take(glyph.width * self.height()).enumerate() {
                if coverage > 0 {
                    pixel(left + index % glyph.width, index / glyph.width, f64::from(coverage) / 15.0);
                }
            }
            left += glyph.advance;
        }
    }

    /// The letter, or `?` for one the font does not have.
    fn glyph(self, c: char) -> &'static Glyph {
        let glyphs = &self.glyphs().glyphs;
        let find = |c: char| glyphs.binary_search_by_key(&(c as u32), |glyph| u32::from(glyph.code)).ok();
        &glyphs[find(c).or_else(|| find('?')).unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_ink_and_unknown_ones_become_question_marks() {
        for face in [Face::Regular, Face::Bold] {
            let mut ink = 0.0;
            face.draw("Höhe ≥ 3 m", |_, y, coverage| {
                assert!(y < face.height());
                ink += coverage;
            });
            assert!(ink > 50.0, "{ink}");
            assert_eq!(face.width("漢"), face.width("?"));
            assert!(face.width("WW") > face.width("ii"));
        }
    }
}
