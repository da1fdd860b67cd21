//! Pages: what they are made of, and the template (`page.html`) that writes them.
//!
//! A page is a list of [`Block`]s of plain text and numbers; the template escapes every text it is given. It is compiled
//! into the program: a mistake in it ends the build, not a run. Only our own style sheet and drawings enter unescaped.

use askama::Template;

use crate::draw::svg::Plot;
use crate::texts::spoken;
use crate::{Error, Result};

/// A piece of a page, from top to bottom.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Title(String),
    Subtitle(String),
    Chapter(String),
    Section(String),
    Part(String),
    Text(String),
    Bold(String),
    Small(String),
    /// A good message.
    Fine(String),
    Warning(String),
    /// A title, and what to read before use.
    Warnings(String, Vec<String>),
    Notes(Vec<String>),
    Verbatim(String),
    /// Key figures: a number, and what it is.
    Key(Vec<(String, String)>),
    /// What a plan says in its corner: a name, and what it is.
    Study(Vec<(String, String)>),
    Table(Table),
    Matrix(Matrix),
    /// Two fit on a printed page; a large one is as wide as the page.
    Picture {
        png_base64: String,
        caption: String,
        large: bool,
    },
    Drawing {
        plots: Vec<Plot>,
        columns: usize,
        caption: String,
    },
    /// Words, and the file they lead to.
    Link(String, String),
    /// Lines to sign on.
    Signatures(Vec<String>),
}

/// Columns after the first `text_columns` hold numbers and are set flush right.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Table {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub text_columns: usize,
    /// Holds hashes, set small.
    pub hashes: bool,
}

/// Coloured cells with a name before each row.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Matrix {
    pub head: Vec<String>,
    pub rows: Vec<(String, Vec<MatrixCell>)>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct MatrixCell {
    pub text: String,
    /// Of the ground and of the letters, as in CSS.
    pub colours: Option<(String, &'static str)>,
    pub hatched: bool,
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    language: &'static str,
    title: &'a str,
    css: &'static str,
    /// What every printed page says below, as a string of CSS.
    running: String,
    blocks: &'a [Block],
}

/// A whole page: self-contained, readable on screen, printable on A4.
pub(crate) fn render(title: &str, blocks: &[Block]) -> Result<String> {
    render_with(title, "", blocks)
}

/// The same with words below every printed page.
pub(crate) fn render_with(title: &str, running: &str, blocks: &[Block]) -> Result<String> {
    let running = css_string(running);
    let page = Page { running, language: spoken().code(), title, css: include_str!("report.css"), blocks };
    page.render()
        .map_err(|error| Error::failed(format!("the page {title:?} cannot be written: {error}")).caused_by(error))
}

impl Block {
    pub(crate) fn table<T: ToString>(head: &[T], rows: Vec<Vec<String>>, text_columns: usize) -> Self {
        let head = head.iter().map(|cell| cell.to_string()).collect();
        Self::Table(Table { head, rows, text_columns, hashes: false })
    }

    pub(crate) fn picture(png: &[u8], caption: impl Into<String>, large: bool) -> Self {
        Self::Picture { png_base64: base64(png), caption: caption.into(), large }
    }

    pub(crate) fn drawing(plots: &[Plot], columns: usize, caption: impl Into<String>) -> Self {
        Self::Drawing { plots: plots.to_vec(), columns, caption: caption.into() }
    }
}

/// Within quotes of a style sheet: letters and digits as they are, all else by its code.
fn css_string(text: &str) -> String {
    let letter = |c: char| match c {
        c if c.is_ascii_alphanumeric() || c == ' ' => c.to_string(),
        c => format!("\\{:x} ", c as u32),
    };
    text.chars().map(letter).collect()
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letters = |word: u32| [18, 12, 6, 0].map(|shift| LETTERS[(word >> shift & 63) as usize]);
    let mut out = vec![b'='; bytes.len().div_ceil(3) * 4];
    for (chunk, four) in bytes.chunks(3).zip(out.chunks_exact_mut(4)) {
        match *chunk {
            [a, b, c] => four.copy_from_slice(&letters(u32::from_be_bytes([0, a, b, c]))),
            [a, b] => four[..3].copy_from_slice(&letters(u32::from_be_bytes([0, a, b, 0]))[..3]),
            [a, ..] => four[..2].copy_from_slice(&letters(u32::from_be_bytes([0, a, 0, 0]))[..2]),
            [] => {}
        }
    }
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 4648.
    #[test]
    fn base64_is_that_of_the_standard() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (plain, coded) in cases {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    /// Names come from files and may hold anything.
    #[test]
    fn texts_of_every_kind_of_block_are_escaped() {
        let bad = "<script>alert(\"1\" & '2')</script>";
        let text = || bad.to_string();
        let cell = MatrixCell { text: text(), colours: Some((text(), "#fff")), hatched: true };
        let blocks = [
            Block::Title(text()),
            Block::Subtitle(text()),
            Block::Chapter(text()),
            Block::Section(text()),
            Block::Part(text()),
            Block::Text(text()),
            Block::Bold(text()),
            Block::Small(text()),
            Block::Fine(text()),
            Block::Warning(text()),
            Block::Warnings(text(), vec![text()]),
            Block::Notes(vec![text()]),
            Block::Verbatim(text()),
            Block::Key(vec![(text(), text())]),
            Block::Study(vec![(text(), text())]),
            Block::Signatures(vec![text()]),
            Block::Link(text(), text()),
            Block::table(&[bad], vec![vec![text()]], 1),
            Block::Matrix(Matrix { head: vec![text()], rows: vec![(text(), vec![cell])] }),
            Block::Picture { png_base64: text(), caption: text(), large: true },
            Block::drawing(&[Plot::new(bad, bad, bad).line(bad, [[0.0, 0.0], [1.0, 1.0]])], 1, bad),
        ];
        let page = render_with(bad, bad, &blocks).unwrap();
        assert!(!page.contains("<script"), "{page}");
        assert!(page.matches("&#60;script&#62;").count() >= blocks.len() || page.matches("&lt;script&gt;").count() > 4);
    }
}
