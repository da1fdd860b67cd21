//! Pieces of HTML: escaping, tables, embedded images.

use std::fmt::Write;

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A table; cells are escaped. Columns after the first `text_columns` hold numbers and are set flush right.
pub fn table(head: &[&str], rows: &[Vec<String>], text_columns: usize) -> String {
    let mut out = String::from("<table>\n");
    let class = |i: usize| if i < text_columns { "" } else { " class=\"n\"" };
    if !head.is_empty() {
        out += "<thead><tr>";
        head.iter().enumerate().for_each(|(i, cell)| write_cell(&mut out, "th", class(i), cell));
        out += "</tr></thead>\n";
    }
    out += "<tbody>\n";
    for row in rows {
        out += "<tr>";
        row.iter().enumerate().for_each(|(i, cell)| write_cell(&mut out, "td", class(i), cell));
        out += "</tr>\n";
    }
    out + "</tbody></table>\n"
}

fn write_cell(out: &mut String, tag: &str, class: &str, text: &str) {
    let _ = write!(out, "<{tag}{class}>{}</{tag}>", escape(text));
}

/// An image as a page holds it.
#[derive(Debug, Clone)]
pub struct Embedded(String);

impl Embedded {
    pub fn new(png: &[u8]) -> Self {
        Self(base64(png))
    }
}

/// An image inside the page; two fit on a printed one.
pub fn image(image: &Embedded, caption: &str) -> String {
    figure("<figure>", image, caption)
}

/// An image as wide as the printed page.
pub fn large_image(image: &Embedded, caption: &str) -> String {
    figure("<figure class=\"large\">", image, caption)
}

fn figure(open: &str, Embedded(base64): &Embedded, caption: &str) -> String {
    let caption = escape(caption);
    format!(
        "{open}<img alt=\"{caption}\" src=\"data:image/png;base64,{base64}\"><figcaption>{caption}</figcaption></figure>\n"
    )
}

/// An SVG drawing inside the page.
pub fn drawing(svg: &str, caption: &str) -> String {
    format!("<figure class=\"plot\">{svg}<figcaption>{}</figcaption></figure>\n", escape(caption))
}

fn base64(bytes: &[u8]) -> String {
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

/// A whole page with our style sheet: self-contained, readable on screen, printable on A4.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
         </body>\n</html>\n",
        escape(title),
        include_str!("report.css")
    )
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

    #[test]
    fn cells_are_escaped() {
        assert!(table(&["a"], &[vec!["<b> & \"c\"".into()]], 1).contains("&lt;b&gt; &amp; &quot;c&quot;"));
    }
}
