//! What was observed and what was simulated, as rocks and passages of lines: the columns each table may have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use geo::Geometry;

use super::samples::Value;
use super::table::Table;
use crate::geo::Crs;
use crate::geo::vector::{self, VectorSourceResolved};
use crate::review::{FinishedRun, Variant};
use crate::store::run_folder::{LINES, ROCKS, TRAJECTORIES};
use crate::{Error, Result};

/// Largest values of a rock: name of the quantity, unit, names of its column.
pub(super) const LARGEST: [(&str, &str, &[&str]); 4] = [
    ("jump_max_m", "m", &["jump_max_m", "observed_jump_max_m"]),
    ("velocity_max_m_s", "m/s", &["velocity_max_m_s", "observed_velocity_max_m_s"]),
    ("energy_max_kj", "kJ", &["energy_max_kj", "observed_energy_max_kj"]),
    ("rotation_max_rps", "rev/s", &["rotation_max_rps", "observed_rotation_max_rps"]),
];

/// Values of a passage: name, unit, names of its column in observations, name in the run's table.
pub(super) const PASSING: [(&str, &str, &[&str], &str); 4] = [
    ("velocity_m_s", "m/s", &["velocity_m_s", "velocity_ms", "speed_m_s"], "velocity_ms"),
    ("energy_kj", "kJ", &["energy_kj", "kinetic_energy_kj"], "kinetic_energy_kj"),
    ("jump_m", "m", &["jump_m", "height_lowest_m"], "height_lowest_m"),
    ("centre_height_m", "m", &["centre_height_m", "height_centre_m"], "height_centre_m"),
];

/// One rock.
#[derive(Debug, Clone, Default)]
pub(super) struct Rock {
    pub group: String,
    /// As stated by the table; else it follows from start and end.
    pub runout_m: Option<f64>,
    pub start: Option<[f64; 2]>,
    pub end: Option<[f64; 2]>,
    /// It went on where it was seen last.
    pub cut: bool,
    /// In the order of [`LARGEST`].
    pub largest: [Option<f64>; 4],
}

/// One rock at one line.
#[derive(Debug, Clone)]
pub(super) struct Passage {
    pub group: String,
    pub line: String,
    /// In the order of [`PASSING`].
    pub values: [Option<f64>; 4],
}

/// Rocks and passages of one side.
#[derive(Debug, Clone, Default)]
pub(super) struct Data {
    pub rocks: Vec<Rock>,
    pub passages: Vec<Passage>,
    /// Of a run: the lines it records, also those that no rock passed.
    pub lines: BTreeSet<String>,
}

/// Reads what was observed: a CSV table in the run's coordinates, or points in any vector format.
///
/// # Errors
/// A table without anything to compare, a cell that is no number, a group without a column.
pub(super) fn observed(
    path: &Path,
    crs: &Crs,
    group: Option<&str>,
    names: &BTreeMap<String, String>,
) -> Result<(Data, Vec<String>)> {
    let is_table = path.extension().is_some_and(|ending| ["csv", "txt"].iter().any(|e| ending.eq_ignore_ascii_case(e)));
    let mut table = if is_table { Table::read(path)? } else { points(path, crs)? };
    table.rename(names)?;
    let group = group.map(|name| table.expect(name)).transpose()?;
    let pair = |x: &[&str], y: &[&str]| table.column(x).zip(table.column(y));
    let end = pair(&["end_x_m", "x_m", "x"], &["end_y_m", "y_m", "y"]);
    let start = pair(&["start_x_m", "release_x_m"], &["start_y_m", "release_y_m"]);
    let runout = table.column(&["runout_m", "observed_runout_m"]);
    let cut = table.column(&["censored"]);
    let line = table.column(&["line"]);
    let largest = LARGEST.map(|(_, _, names)| table.column(names));
    let passing = PASSING.map(|(_, _, names, _)| table.column(names));
    if table.rows.is_empty() {
        return Err(Error::input(format!(
            "'{}' has names of columns but no rows, expected a row for each rock",
            table.name
        )));
    }
    let mut data = Data::default();
    for row in &table.rows {
        let number = |column: Option<usize>| column.map_or(Ok(None), |column| table.number(row, column));
        let place = |pair: Option<(usize, usize)>| -> Result<Option<[f64; 2]>> {
            let Some((x, y)) = pair else { return Ok(None) };
            Ok(number(Some(x))?.zip(number(Some(y))?).map(|(x, y)| [x, y]))
        };
        let group = group.map_or(String::new(), |column| table.text(row, column));
        let line = line.map(|column| row.1[column].trim().to_string()).filter(|name| !name.is_empty());
        if let Some(line) = line {
            let mut values = [None; 4];
            for (value, column) in values.iter_mut().zip(passing) {
                *value = number(column)?;
            }
            data.passages.push(Passage { group, line, values });
            continue;
        }
        let mut rock =
            Rock { group, runout_m: number(runout)?, start: place(start)?, end: place(end)?, ..Rock::default() };
        for (value, column) in rock.largest.iter_mut().zip(largest) {
            *value = number(column)?;
        }
        if let Some(found) = rock.runout_m.filter(|runout_m| *runout_m < 0.0) {
            return Err(Error::input(format!(
                "'{}', line {}: found a run-out of {found} m, expected 0 or more; mend the cell",
                table.name, row.0
            )));
        }
        rock.cut = cut.map_or(Ok(false), |column| yes(&table, row, column))?;
        let empty = rock.runout_m.is_none() && rock.end.is_none() && rock.largest.iter().all(Option::is_none);
        if !empty {
            data.rocks.push(rock);
        }
    }
    if data.rocks.is_empty() && data.passages.is_empty() {
        return Err(Error::input(format!(
            "'{}' holds nothing to compare: found the columns {}; expected `runout_m`, end points (`x_m` and `y_m`), largest values \
             ({}) or passages (`line` with {}); other names can be given with `--column NAME=COLUMN`",
            table.name,
            table.columns.join(", "),
            LARGEST.map(|(name, ..)| format!("`{name}`")).join(", "),
            PASSING.map(|(name, ..)| format!("`{name}`")).join(", ")
        )));
    }
    Ok((data, table.columns))
}

fn yes(table: &Table, row: &(u64, Vec<String>), column: usize) -> Result<bool> {
    match row.1[column].trim().to_lowercase().as_str() {
        "" | "0" | "false" | "no" => Ok(false),
        "1" | "true" | "yes" => Ok(true),
        found => Err(Error::input(format!(
            "'{}', line {}: found {found:?} in column {:?}, expected 1 or 0 (yes or no); mend the cell",
            table.name, row.0, table.columns[column]
        ))),
    }
}

/// Points of a vector layer as a table.
fn points(path: &Path, crs: &Crs) -> Result<Table> {
    let layer = vector::read(&VectorSourceResolved::file(&path.to_string_lossy())?, Some(crs))?;
    let mut columns: Vec<String> = layer.field_names().iter().map(|name| name.to_string()).collect();
    // The geometry, which is in the right CRS, comes before columns of these names.
    let own = columns.clone();
    columns.retain(|name| !["end_x_m", "end_y_m"].iter().any(|taken| taken.eq_ignore_ascii_case(name)));
    columns.extend(["end_x_m".to_string(), "end_y_m".into()]);
    let mut rows = Vec::new();
    for feature in &layer.features {
        let Geometry::Point(point) = &feature.geometry else {
            return Err(Error::input(format!(
                "feature {} of layer {:?} is no point, expected the points where rocks ended; choose another layer",
                feature.id, layer.name
            )));
        };
        let kept = own.iter().filter(|name| columns[..columns.len() - 2].contains(name));
        let text = |name: &String| feature.attributes.get(name).and_then(|value| value.as_text()).unwrap_or_default();
        let cells = kept.map(text).chain([point.x().to_string(), point.y().to_string()]);
        rows.push((feature.id.unsigned_abs(), cells.collect()));
    }
    Ok(Table { name: path.display().to_string(), columns, rows, decimal_comma: false })
}

/// Reads what a run simulated.
///
/// # Errors
/// A run without its table of rocks, or one that was changed; a group without a column.
pub(super) fn simulated(run: &FinishedRun, variant: &Variant, group: Option<&str>) -> Result<Data> {
    let name = format!("{}{TRAJECTORIES}/{ROCKS}", variant.place);
    if !run.manifest.outputs.iter().any(|file| file.path == name) {
        return Err(Error::input(format!(
            "'{}' has no table of its rocks ({name}): run the project again with `outputs: {{rocks: true}}`",
            run.folder.display()
        )));
    }
    let table = Table::read(&run.vouched(&name)?)?;
    let group = group.map(|name| table.expect(name)).transpose()?;
    let [id, stop] = [table.expect("id")?, table.expect("stop")?];
    let mut places = [0; 5];
    for (place, name) in places.iter_mut().zip(["start_x_m", "start_y_m", "end_x_m", "end_y_m", "runout_m"]) {
        *place = table.expect(name)?;
    }
    let mut groups = BTreeMap::new();
    let mut data = Data::default();
    for row in &table.rows {
        let number = |column: usize| Ok::<_, Error>(table.number(row, column)?.unwrap_or(0.0));
        let of = group.map_or(String::new(), |column| table.text(row, column));
        groups.insert(table.text(row, id), of.clone());
        let why = row.1[stop].as_str();
        if why == "diverged" {
            continue;
        }
        let mut rock = Rock {
            group: of,
            runout_m: Some(number(places[4])?),
            start: Some([number(places[0])?, number(places[1])?]),
            end: Some([number(places[2])?, number(places[3])?]),
            cut: !matches!(why, "at_rest" | "barrier"),
            ..Rock::default()
        };
        for (value, (name, ..)) in rock.largest.iter_mut().zip(LARGEST) {
            *value = table.number(row, table.expect(name)?)?;
        }
        data.rocks.push(rock);
    }
    let name = format!("{}{LINES}/crossings.csv", variant.place);
    if run.manifest.outputs.iter().any(|file| file.path == name) {
        let table = Table::read(&run.vouched(&name)?)?;
        let [rock, line, count] = [table.expect("trajectory")?, table.expect("line")?, table.expect("crossing")?];
        for row in table.rows.iter().filter(|row| row.1[count] == "1") {
            let mut values = [None; 4];
            for (value, (.., name)) in values.iter_mut().zip(PASSING) {
                *value = table.number(row, table.expect(name)?)?;
            }
            let group = groups.get(&table.text(row, rock)).cloned().unwrap_or_default();
            data.passages.push(Passage { group, line: row.1[line].clone(), values });
        }
    }
    let name = format!("{}{LINES}/summary.csv", variant.place);
    if run.manifest.outputs.iter().any(|file| file.path == name) {
        let table = Table::read(&run.vouched(&name)?)?;
        let line = table.expect("line")?;
        data.lines = table.rows.iter().map(|row| row.1[line].clone()).collect();
    }
    Ok(data)
}

impl Data {
    /// Those of one group.
    pub(crate) fn of_group(&self, group: &str) -> Self {
        Self {
            rocks: self.rocks.iter().filter(|rock| rock.group == group).cloned().collect(),
            passages: self.passages.iter().filter(|passage| passage.group == group).cloned().collect(),
            lines: self.lines.clone(),
        }
    }

    /// Values of a passage at a line.
    pub(crate) fn passing(&self, line: &str, quantity: usize) -> Vec<Value> {
        let here = self.passages.iter().filter(|passage| passage.line == line);
        here.filter_map(|passage| passage.values[quantity]).map(Value::whole).collect()
    }

    /// Largest values of its rocks. Those of rocks that went on are at least so large.
    pub(crate) fn largest(&self, quantity: usize) -> Vec<Value> {
        let value = |rock: &Rock| rock.largest[quantity].map(|at| Value { at, cut: rock.cut });
        self.rocks.iter().filter_map(value).collect()
    }
}
