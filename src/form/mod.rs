//! A project as a form: the flat values that programs with fields (a panel, a page, a table) show of it, and back.
//!
//! A project may say more than a form shows. What has no field stays word for word; a field whose values differ within the
//! project shows its default, and filling it in sets all of them.

mod fill;
mod quantity;
mod show;
mod write;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{Error, Result, files};
pub(crate) use fill::{blank, filled};
pub(crate) use show::shown;
pub(crate) use write::{paths, write};

/// A larger file is no form.
const MOST_BYTES: u64 = 64 << 20;
/// Either of them is the size of a rock.
const SIZES: [&str; 2] = ["volume_m3", "mass_kg"];
/// What tells one scenario from another.
const OF_A_SCENARIO: [&str; 5] = ["name", "scenario", "frequency_per_year", "volume_m3", "mass_kg"];
/// Fields that are layers.
const LAYERS: [&str; 7] = ["dem", "release", "barriers", "lines", "objects", "ground", "forest"];
/// Another hull for each rock, as on a real slope.
const USUAL_SHAPE: &str = "natural";
/// Classes where nothing is said, by section.
const USUAL_CLASS: [(&str, &str); 2] = [("ground", "medium"), ("forest", "none")];

/// What a form shows of a project.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Form {
    /// By field.
    pub values: Map<String, Value>,
    /// By field: those the project names.
    pub layers: BTreeMap<String, LayerShown>,
    /// Keys of the project that no field shows, and what they say.
    pub other: Vec<(String, String)>,
}

/// A file of the project and which of its features count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct LayerShown {
    /// As the project says it.
    pub file: String,
    pub filter: String,
}

/// What was filled in: fields that are to change.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilledIn {
    #[serde(default)]
    pub values: Map<String, Value>,
    /// Paths; nothing for a layer to leave out.
    #[serde(default)]
    pub layers: BTreeMap<String, Option<String>>,
    /// Beside the lines and barriers of the project.
    #[serde(default)]
    pub new_lines: Vec<NewLine>,
}

/// A line to record, or with a height and a capacity a barrier.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLine {
    pub name: String,
    pub file: String,
    pub height_m: Option<f64>,
    pub capacity_kj: Option<f64>,
}

impl FilledIn {
    /// Reads a JSON file; relative paths of layers are relative to its folder.
    ///
    /// # Errors
    /// It is no such file, or a field is unknown or of another kind.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let at = |what: String| Error::input(format!("{}: {what}", path.display()));
        let bytes = files::read(path, "the form", MOST_BYTES)?;
        let mut found: Self = serde_json::from_slice(&bytes).map_err(|error| {
            at(format!("it is no filled-in form ({error}); expected JSON with `values` and `layers`")).caused_by(error)
        })?;
        let known = shown(&blank()).values;
        for (name, value) in &found.values {
            let Some(usual) = known.get(name) else {
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                let hint = crate::project::did_you_mean(name, &names);
                return Err(at(format!(
                    "values.{name}: there is no such field (`couloir form` prints them all){hint}"
                )));
            };
            let fits = match usual {
                Value::Number(_) => value.is_number(),
                Value::Array(_) => value.is_array(),
                _ => value.is_string() || value.is_null(),
            };
            if !fits {
                return Err(at(format!("values.{name}: found {value}, expected something like {usual}")));
            }
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let whole = |file: &str| std::path::absolute(folder.join(file)).map(|path| path.display().to_string());
        for line in &mut found.new_lines {
            if line.height_m.is_some() != line.capacity_kj.is_some() {
                let words = "a barrier needs both height_m and capacity_kj; without both the line is only recorded";
                return Err(at(format!("new_lines, '{}': {words}", line.name)));
            }
            line.file = whole(&line.file).map_err(|e| at(e.to_string()))?;
        }
        for (name, file) in &mut found.layers {
            if !LAYERS.contains(&name.as_str()) {
                return Err(at(format!(
                    "layers.{name}: there is no such layer; expected one of {}",
                    LAYERS.join(", ")
                )));
            }
            if let Some(file) = file {
                *file = whole(file).map_err(|e| at(e.to_string()))?;
            }
        }
        Ok(found)
    }
}

/// A field that stands in one place of a project.
struct Place {
    field: &'static str,
    path: &'static [&'static str],
    /// What it is when it stands nowhere.
    usual: Value,
}

fn places() -> Vec<Place> {
    let place = |field, path, usual| Place { field, path, usual };
    vec![
        place("title", &["title"], json!("")),
        place("seed", &["simulation", "seed"], json!(1)),
        place("time_step_s", &["simulation", "time_step_s"], json!(0.002)),
        place("points_every_s", &["outputs", "points_every_s"], json!(0.0)),
        place("scheme", &["classification", "scheme"], Value::Null),
        place("roughness_height_m", &["ground", "roughness", "height_m"], json!(0.0)),
        place("roughness_spacing_m", &["ground", "roughness", "spacing_m"], json!(0.5)),
        place("soil_me_kn_m2", &["ground", "scarring", "me_kn_m2"], json!(0.0)),
        place("soil_drag_coefficient", &["ground", "scarring", "drag_coefficient"], json!(0.0)),
        place("author", &["study", "author"], json!("")),
        place("office", &["study", "office"], json!("")),
        place("client", &["study", "client"], json!("")),
        place("plan_number", &["study", "plan_number"], json!("")),
        place("status", &["study", "status"], json!("draft")),
        place("trajectory_formats", &["outputs", "trajectories"], json!(["shapefile"])),
        place("statistics", &["statistics", "layers"], json!([])),
    ]
}

/// Sections that mean nothing without this field.
const NEEDED: [(&str, &[&str]); 3] = [
    ("roughness_height_m", &["ground", "roughness"]),
    ("soil_me_kn_m2", &["ground", "scarring"]),
    ("scheme", &["classification"]),
];
/// The same in all entries of a section: field, section, key, what it is when it stands nowhere.
const OF_ALL: [(&str, &str, &str, f64); 6] = [
    ("density_kg_m3", "rocks", "density_kg_m3", 2700.0),
    ("rocks_per_position", "release", "rocks_per_position", 10.0),
    ("release_height_m", "release", "height_m", 0.5),
    ("min_slope_deg", "release", "min_slope_deg", 0.0),
    ("barrier_height_m", "barriers", "height_m", 4.0),
    ("barrier_capacity_kj", "barriers", "capacity_kj", 1000.0),
];

/// Equal, whether a number is written whole or not.
fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

/// The entries of a list of tables in a project; none if there is no such list.
fn entries<'a>(document: &'a mut Value, section: &str) -> &'a mut [Value] {
    document.get_mut(section).and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}

fn remove(table: &mut Value, key: &str) -> Option<Value> {
    table.as_object_mut().and_then(|table| table.remove(key))
}

/// A number without a point where it needs none: rocks are counted, not measured.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}
