//! ESRI ASCII grids: GDAL takes a word among the numbers for 0; we do not.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::{Error, Result};

const KEYS: [&str; 10] =
    ["ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "dx", "dy", "nodata_value"];

/// Refuses a grid with cells that are no numbers, naming the line.
pub fn check_numbers(path: &Path) -> Result<()> {
    let unreadable = |e: std::io::Error| Error::input(format!("raster '{}' cannot be read: {e}", path.display()));
    let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
            break;
        }
        if let Some(word) = first_word(&line) {
            return Err(Error::input(format!(
                "raster '{}' holds '{word}' in line {number}, where a number belongs",
                path.display()
            )));
        }
    }
    Ok(())
}

/// The first cell that is no number, of a line of cells.
fn first_word(line: &[u8]) -> Option<String> {
    let mut tokens = line.split(|b| b.is_ascii_whitespace()).filter(|token| !token.is_empty()).peekable();
    let text = |token: &[u8]| String::from_utf8_lossy(token).trim_start_matches('\u{feff}').to_string();
    if tokens.peek().is_some_and(|key| KEYS.iter().any(|k| text(key).eq_ignore_ascii_case(k))) {
        return None;
    }
    // Decimal commas and the names C libraries give to what is no number are GDAL's to read.
    let is_number = |token: &[u8]| {
        let digits = |b: &u8| b.is_ascii_digit() || b"+-.,eE".contains(b);
        let names = ["nan", "inf", "#qnan", "#ind", "null"];
        token.iter().all(digits) || names.iter().any(|name| text(token).to_lowercase().contains(name))
    };
    tokens.find(|token| !is_number(token)).map(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_and_numbers_in_any_dress_are_not() {
        for line in
            ["ncols 4\r\n", "NODATA_value nan", "1 2.5 -3e-4 4,5", "-1.#QNAN 1", "nan inf", "", "\u{feff}ncols 3"]
        {
            assert_eq!(first_word(line.as_bytes()), None, "{line}");
        }
        assert_eq!(first_word(b"1 2 five 4"), Some("five".into()));
        assert_eq!(first_word(b"<html>"), Some("<html>".into()));
    }
}
