//! ASCII grids and lists of points, word by word.

use std::collections::BTreeMap;

use super::text_numbers::{Checked, is_blank, plain_number, words};

/// Keys of an ESRI ASCII grid's header; each is followed by one number.
const KEYS: [&str; 10] =
    ["ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "dx", "dy", "nodata_value"];

/// An ESRI ASCII grid as it goes by.
#[derive(Default)]
pub(super) struct Grid {
    header: BTreeMap<&'static str, f64>,
    /// As it stands in the header: the one word that need not be a number.
    nodata: Option<String>,
    /// A key that waits for its value on the next line.
    open_key: Option<&'static str>,
    cells: u64,
}

impl Grid {
    pub(super) fn line(&mut self, text: &str) -> Checked {
        for word in words(text) {
            match self.open_key.take() {
                Some("nodata_value") => {
                    // Cells may then be this word, number or not.
                    let is_nan = word.trim_start_matches(['+', '-']).eq_ignore_ascii_case("nan");
                    let value = if is_nan { f64::NAN } else { plain_number(word)? };
                    self.nodata = Some(word.to_lowercase());
                    self.header.insert("nodata_value", value);
                }
                Some(key) => {
                    let value = plain_number(word)?;
                    // GDAL takes the digits it begins with: two columns of `2e1`.
                    if ["ncols", "nrows"].contains(&key) && word.contains(['e', 'E']) {
                        return Err(format!("found {key} '{word}', expected a whole number in digits"));
                    }
                    self.header.insert(key, value);
                    self.check_header_value(key, value)?;
                }
                None => self.key_or_cell(word)?,
            }
        }
        Ok(())
    }

    fn key_or_cell(&mut self, word: &str) -> Checked {
        let known = KEYS.iter().find(|key| key.eq_ignore_ascii_case(word));
        match known {
            Some(key) if self.cells > 0 => Err(format!("found '{key}' among the cells")),
            Some(key) if self.header.contains_key(key) => Err(format!("found '{key}' a second time")),
            Some(key) => {
                self.open_key = Some(key);
                Ok(())
            }
            None => {
                if self.cells == 0 {
                    self.check_header(word)?;
                }
                self.cells += 1;
                if self.nodata.as_deref().is_some_and(|nodata| word.eq_ignore_ascii_case(nodata)) {
                    return Ok(());
                }
                plain_number(word).map(|_| ())
            }
        }
    }

    fn check_header_value(&self, key: &str, value: f64) -> Checked {
        match key {
            "ncols" | "nrows" if !(value >= 1.0 && value.fract() == 0.0) => {
                Err(format!("found {key} {value}, expected a whole number from 1"))
            }
            "cellsize" | "dx" | "dy" if value <= 0.0 => Err(format!("found {key} {value}, expected more than 0")),
            _ => Ok(()),
        }
    }

    /// Complete when the first cell comes.
    fn check_header(&self, first: &str) -> Checked {
        let has = |key: &str| self.header.contains_key(key);
        let one_of = |a: &str, b: &str| has(a) != has(b);
        let size = has("cellsize") != (has("dx") && has("dy"));
        let fault = if !has("ncols") || !has("nrows") {
            "ncols and nrows"
        } else if !one_of("xllcorner", "xllcenter") || !one_of("yllcorner", "yllcenter") {
            "one of xllcorner and xllcenter and one of yllcorner and yllcenter"
        } else if !size {
            "cellsize (or dx and dy)"
        } else {
            return Ok(());
        };
        let first: String = first.chars().take(40).collect();
        Err(format!("found '{first}' before the header is complete: it must hold {fault}"))
    }

    pub(super) fn end(&self) -> Checked {
        let count = |key: &str| self.header.get(key).copied().unwrap_or(0.0);
        let wanted = count("ncols") * count("nrows");
        if self.open_key.is_none() && self.cells as f64 == wanted && wanted > 0.0 {
            return Ok(());
        }
        Err(format!(
            "the file ends with {} cells where {} × {} = {wanted} belong, so it is damaged or cut short, or its header is wrong",
            self.cells,
            count("ncols"),
            count("nrows")
        ))
    }
}

/// A list of x, y, z as it goes by.
#[derive(Default)]
pub(super) struct Xyz {
    lines: u64,
    columns: usize,
}

impl Xyz {
    pub(super) fn line(&mut self, text: &str) -> Checked {
        if text.is_empty() {
            return Ok(());
        }
        let separator = |c: char| match (text.contains(';'), text.contains(is_blank)) {
            (true, _) => c == ';' || is_blank(c),
            (false, true) => is_blank(c),
            (false, false) => c == ',',
        };
        let words = text.split(separator).map(|word| word.trim_matches('"')).filter(|word| !word.is_empty());
        // "1, 2, 3": a comma before a blank divides.
        let words: Vec<&str> = words.map(|word| word.strip_suffix(',').unwrap_or(word)).collect();
        self.lines += 1;
        let names = |word: &&str| word.chars().next().is_some_and(char::is_alphabetic);
        if self.lines == 1 && words.iter().all(names) {
            return Ok(());
        }
        if self.columns == 0 {
            self.columns = words.len();
        }
        if words.len() < 3 || words.len() != self.columns {
            return Err(format!("found {} numbers, expected x, y and z as in the lines before", words.len()));
        }
        words.iter().try_for_each(|word| plain_number(word).map(|_| ()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n";

    fn grid(text: &str) -> Checked {
        let mut grid = Grid::default();
        text.lines().try_for_each(|line| grid.line(line))?;
        grid.end()
    }

    fn xyz(text: &str) -> Checked {
        let mut xyz = Xyz::default();
        text.lines().try_for_each(|line| xyz.line(line))
    }

    #[test]
    fn words_that_are_read_as_another_number_are_refused() {
        for word in [
            "1,000.5", "--5", ".", "1.2.3", "1e", "0x10", "nan", "inf", "4,5", "five", "1e999", "-", "+-1", "1_0", "",
            "٣", "1e5.5", "1d5", "1.#QNAN", "infinity", "1..2", "5-", "<html>", "e5",
        ] {
            assert!(plain_number(word).is_err(), "{word}");
            if !word.is_empty() {
                assert!(grid(&format!("{HEADER}1 2\n3 {word}\n")).is_err(), "{word}");
                assert!(xyz(&format!("0 0 1\n1 0 {word}\n")).is_err(), "{word}");
            }
        }
        for word in ["1", "-1.5", "+2", ".5", "5.", "1e3", "-3.2E-04", "0"] {
            assert!(plain_number(word).is_ok(), "{word}");
            assert!(grid(&format!("{HEADER}1 2\n3 {word}\n")).is_ok(), "{word}");
        }
    }

    #[test]
    fn a_grid_has_a_whole_header_and_as_many_cells_as_it_says() {
        assert!(grid(&format!("{HEADER}1 2 3\n4")).is_ok());
        assert!(grid(&format!("{HEADER}NODATA_value nan\n1 nan NaN\n4")).is_ok());
        assert!(grid(&format!("{HEADER}NODATA_value -9999\n1 -9999 nan\n4")).is_err());
        assert!(grid(&format!("{HEADER}1 2 3")).unwrap_err().contains("3 cells where 2 × 2 = 4"));
        assert!(grid(&format!("{HEADER}1 2 3 4 5")).unwrap_err().contains("5 cells"));
        assert!(grid(&HEADER.replace("ncols 2", "ncols 2.5")).is_err());
        assert!(grid(&HEADER.replace("cellsize 1", "cellsize -1")).is_err());
        assert!(grid(&format!("{HEADER}ncols 2\n1 2 3 4")).unwrap_err().contains("a second time"));
        assert!(grid(&format!("{HEADER}colour 7\n1 2 3 4")).is_err());
        assert!(grid(&(HEADER.replace("yllcorner 0\n", "") + "1 2 3 4")).unwrap_err().contains("yllcorner"));
        assert!(grid(&(HEADER.replace("cellsize 1", "dx 1\ndy 2") + "1 2 3 4")).is_ok());
    }

    #[test]
    fn lists_of_points_may_be_divided_in_several_ways() {
        for text in ["x y z\n0 0 1\n1 0 2", "0,0,1\n1,0,2", "0;0;1\n1;0;2", "0, 0, 1\n1, 0, 2", "X;Y;Z\n0\t0\t1"] {
            assert!(xyz(text).is_ok(), "{text}");
        }
        for text in ["0 0 1\n1 0", "0 0 1\n1 0 2 3", "0;0;1,5", "0 0 1\nx y z"] {
            assert!(xyz(text).is_err(), "{text}");
        }
    }
}
