//! Tables of text: what field teams write with spreadsheets, and the tables of a run.

use std::collections::BTreeMap;
use std::path::Path;

use crate::files;
use crate::{Error, Result};

/// A larger table is none of this kind.
const MOST_BYTES: u64 = 4 << 30;

/// Rows of cells under named columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    /// For messages.
    pub name: String,
    pub columns: Vec<String>,
    /// With the number of the line or feature it stands in.
    pub rows: Vec<(u64, Vec<String>)>,
    /// Decimals stand behind a comma, as spreadsheets of some languages write them between semicolons.
    pub decimal_comma: bool,
}

impl Table {
    /// Reads comma- or semicolon-separated text (RFC 4180; UTF-8), names of columns first.
    ///
    /// # Errors
    /// No file of this kind, or a row with more or fewer cells than there are columns.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let bytes = files::read(path, "a table", MOST_BYTES)?;
        let name = path.display().to_string();
        let text = String::from_utf8(bytes)
            .map_err(|_| Error::input(format!("'{name}' is not UTF-8 text; save the table as CSV (UTF-8)")))?;
        Self::parse(name, text.strip_prefix('\u{feff}').unwrap_or(&text))
    }

    fn parse(name: String, text: &str) -> Result<Self> {
        let head = text.lines().next().unwrap_or_default();
        let separator = if head.matches(';').count() > head.matches(',').count() { ';' } else { ',' };
        let mut records = split(text, separator).into_iter();
        let Some((_, head)) = records.next() else {
            return Err(Error::input(format!("'{name}' is empty, expected names of columns and a row for each rock")));
        };
        let columns: Vec<String> = head.iter().map(|cell| cell.trim().to_string()).collect();
        for (k, column) in columns.iter().enumerate() {
            if columns[..k].iter().any(|known| known.eq_ignore_ascii_case(column)) && !column.is_empty() {
                return Err(Error::input(format!("'{name}' has two columns {column:?}; rename one")));
            }
        }
        let mut rows = Vec::new();
        for (line, cells) in records {
            if cells.len() == 1 && cells[0].trim().is_empty() {
                continue;
            }
            if cells.len() != columns.len() {
                return Err(Error::input(format!(
                    "'{name}', line {line}: found {} cells, expected {} as in the first line; mend the line",
                    cells.len(),
                    columns.len()
                )));
            }
            rows.push((line, cells));
        }
        Ok(Self { name, columns, rows, decimal_comma: separator == ';' })
    }

    /// Lets a column also be known by another name.
    ///
    /// # Errors
    /// There is no such column.
    pub(crate) fn rename(&mut self, names: &BTreeMap<String, String>) -> Result<()> {
        for (name, column) in names {
            let at = self.expect(column)?;
            self.columns[at] = name.clone();
        }
        Ok(())
    }

    /// The place of a column, by the first of some names it has.
    pub(crate) fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.columns.iter().position(|column| column.eq_ignore_ascii_case(name)))
    }

    /// The place of a column that must be there.
    pub(crate) fn expect(&self, name: &str) -> Result<usize> {
        self.column(&[name]).ok_or_else(|| {
            Error::input(format!("'{}' has no column {name:?}: it has {}", self.name, self.columns.join(", ")))
        })
    }

    /// The number in a cell; `None` if it is empty.
    pub(crate) fn number(&self, row: &(u64, Vec<String>), column: usize) -> Result<Option<f64>> {
        let text = row.1[column].trim();
        if text.is_empty() {
            return Ok(None);
        }
        let number = self.parsed(text).filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| {
            Error::input(format!(
                "'{}', line {}: found {text:?} in column {:?}, expected a number; mend the cell",
                self.name, row.0, self.columns[column]
            ))
        })
    }

    fn parsed(&self, text: &str) -> Option<f64> {
        let point = if self.decimal_comma { text.replace(',', ".") } else { text.to_string() };
        point.parse().ok()
    }

    /// The text of a cell; numbers without needless decimals, so that 1 and 1.0 are the same group.
    pub(crate) fn text(&self, row: &(u64, Vec<String>), column: usize) -> String {
        let text = row.1[column].trim();
        match self.parsed(text) {
            Some(number) if number.is_finite() => number.to_string(),
            _ => text.to_string(),
        }
    }
}

/// Records with the line each begins in. Quoted cells may hold separators, quotes (doubled) and line ends.
fn split(text: &str, separator: char) -> Vec<(u64, Vec<String>)> {
    let mut records = Vec::new();
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let (mut line, mut begun) = (1, 1);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        line += u64::from(letter == '\n');
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if quoted || cell.is_empty() => quoted = !quoted,
            _ if quoted => cell.push(letter),
            '\r' if letters.peek() == Some(&'\n') => {}
            '\n' => {
                cells.push(std::mem::take(&mut cell));
                records.push((begun, std::mem::take(&mut cells)));
                begun = line;
            }
            _ if letter == separator => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(letter),
        }
    }
    if !cell.is_empty() || !cells.is_empty() {
        cells.push(cell);
        records.push((begun, cells));
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_spreadsheets_are_read() {
        let table = Table::parse("t".into(), "id;name;x\r\n1;\"a;\"\"b\"\"\nc\";2.50\r\n\r\n2;;\n").unwrap();
        assert_eq!(table.columns, ["id", "name", "x"]);
        assert_eq!(table.rows[0].1, ["1", "a;\"b\"\nc", "2.50"]);
        assert_eq!((table.rows[1].0, table.number(&table.rows[1], 2).unwrap()), (5, None));
        assert_eq!((table.text(&table.rows[0], 2), table.column(&["X"])), ("2.5".into(), Some(2)));
        let message = |text: &str| Table::parse("t".into(), text).map(|_| ()).unwrap_err().message;
        assert!(message("").contains("empty"));
        assert!(message("a,b\n1,2\n3\n").contains("line 3: found 1 cells, expected 2"));
        assert!(message("a,A\n").contains("two columns"));
        let table = Table::parse("t".into(), "a\nmany\n").unwrap();
        let refused = table.number(&table.rows[0], 0).unwrap_err().message;
        assert!(refused.contains("line 2") && refused.contains("\"many\"") && refused.contains("\"a\""), "{refused}");
        assert!(table.expect("b").unwrap_err().message.contains("it has a"));
    }
}
