//! From the fields to a project: only what was filled in changes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::show::{layer_of, shown, table_of};
use super::{FilledIn, NEEDED, NewLine, OF_A_SCENARIO, OF_ALL, SIZES, USUAL_CLASS};
use super::{entries, places, quantity, remove, same};
use crate::geo::vector::{self, VectorSourceResolved};
use crate::project::classes;
use crate::texts::say;
use crate::{Error, Result};

/// Up to this many lines of a layer are recorded one by one.
const MOST_LINES: usize = 50;
/// Attributes that may say what a line is called.
const NAMES: [&str; 8] = ["name", "bezeichnung", "nom", "nome", "title", "kind", "art", "type"];

/// A project to fill in.
pub(crate) fn blank() -> Value {
    json!({
        "couloir": 1, "terrain": {}, "rocks": [{ "name": "rock" }], "release": [{ "name": "release" }], "ground": {},
        "forest": {}, "simulation": {}, "outputs": { "trajectories": ["geopackage"] },
    })
}

/// The project with what was filled in; everything else stays as it is.
///
/// # Errors
/// A row of the scenarios is none, or a layer cannot be read.
pub(crate) fn filled(document: &Value, given: &FilledIn) -> Result<Value> {
    let has_rows = |values: &Map<String, Value>| values["scenarios"].as_array().is_some_and(|rows| !rows.is_empty());
    let mut now = shown(document).values;
    let had_scenarios = has_rows(&now);
    now.extend(given.values.clone());
    let mut document = document.clone();
    let changed = |names: &[&str]| names.iter().any(|name| given.values.contains_key(*name));
    for place in places().iter().filter(|place| changed(&[place.field])) {
        let value = &now[place.field];
        put(&mut document, place.path, (!same(value, &place.usual) && *value != "").then(|| value.clone()));
    }
    for (field, section) in NEEDED.iter().filter(|(field, _)| changed(&[field])) {
        if now[*field].is_null() || now[*field].as_f64() == Some(0.0) {
            put(&mut document, section, None);
        }
    }
    if changed(&["shape", "point_cloud"]) {
        let shape = match now["point_cloud"].as_str().filter(|file| !file.is_empty()) {
            Some(file) => json!({ "file": file }),
            None => now["shape"].clone(),
        };
        set_all(entries(&mut document, "rocks"), "shape", Some(shape));
    }
    if changed(&["size", "size_key", "size_attribute"]) {
        put_size(&mut document, &now);
    }
    if changed(&["frequency_attribute"]) {
        set_all(entries(&mut document, "release"), "frequency_per_year", attribute(&now["frequency_attribute"]));
    }
    put_placement(&mut document, &now, &changed);
    if let Some(file) = given.layers.get("release") {
        set_all(entries(&mut document, "release"), "source", file.as_ref().map(|file| json!({ "file": file })));
    }
    if changed(&["scenarios", "size_key"]) && (had_scenarios || has_rows(&now)) {
        put_scenarios(&mut document, &now)?;
        if !has_rows(&now) {
            // The sizes went with the scenarios.
            put_size(&mut document, &now);
        }
    }
    if let Some(Some(file)) = given.layers.get("dem") {
        put(&mut document, &["terrain"], Some(json!({ "dem": file })));
    }
    for (section, _) in USUAL_CLASS {
        put_classes(&mut document, section, &now, given);
    }
    put_objects(&mut document, given);
    for (section, title) in [("barriers", "form-barrier"), ("lines", "form-line")] {
        if let Some(file) = given.layers.get(section) {
            put_lines(&mut document, section, title, file.as_deref())?;
        }
    }
    for (field, section, key, _) in OF_ALL {
        let new_barriers = section == "barriers" && given.layers.contains_key(section);
        if changed(&[field]) || new_barriers {
            let nothing = field == "min_slope_deg" && now[field].as_f64() == Some(0.0);
            set_all(entries(&mut document, section), key, (!nothing).then(|| now[field].clone()));
        }
    }
    for line in &given.new_lines {
        add_line(&mut document, line);
    }
    Ok(document)
}

/// Sets a value, or takes it out together with sections that are empty then.
fn put(document: &mut Value, path: &[&str], value: Option<Value>) {
    let [key, inner @ ..] = path else { return };
    let Some(table) = document.as_object_mut() else { return };
    if inner.is_empty() {
        match value {
            Some(value) => drop(table.insert((*key).into(), value)),
            None => drop(table.remove(*key)),
        }
        return;
    }
    if !table.get(*key).is_some_and(Value::is_object) {
        if value.is_none() {
            return;
        }
        table.insert((*key).into(), json!({}));
    }
    let section = &mut table[*key];
    put(section, inner, value);
    if section.as_object().is_some_and(Map::is_empty) && blank().get(*key).is_none() {
        table.remove(*key);
    }
}

fn set_all(tables: &mut [Value], key: &str, value: Option<Value>) {
    tables.iter_mut().for_each(|table| put(table, &[key], value.clone()));
}

fn attribute(name: &Value) -> Option<Value> {
    name.as_str().filter(|name| !name.is_empty()).map(|name| json!({ "attribute": name }))
}

/// A size holds for all rocks, wherever one was said before.
fn put_size(document: &mut Value, now: &Map<String, Value>) {
    for section in ["rocks", "release"] {
        for table in entries(document, section) {
            SIZES.iter().chain(&["axes_m"]).for_each(|key| drop(remove(table, key)));
        }
    }
    let key = now["size_key"].as_str().unwrap_or(SIZES[0]);
    match attribute(&now["size_attribute"]) {
        Some(size) => set_all(entries(document, "release"), key, Some(size)),
        None => set_all(entries(document, "rocks"), key, Some(now["size"].clone())),
    }
}

fn put_placement(document: &mut Value, now: &Map<String, Value>, changed: &impl Fn(&[&str]) -> bool) {
    let positive = |field: &str| now[field].as_f64().filter(|value| *value > 0.0).map(|_| now[field].clone());
    let steep = |release: &Value| release["placement"].get("min_slope_deg").is_some();
    if changed(&["spacing_m", "positions"]) {
        let placement = match (positive("positions"), positive("spacing_m")) {
            (Some(count), _) => Some(json!({ "count": count })),
            (None, Some(spacing)) => Some(json!({ "grid_m": spacing })),
            (None, None) => None,
        };
        for release in entries(document, "release") {
            // The smallest slope goes on holding, beside the new placement.
            if steep(release) && release.get("min_slope_deg").is_none() {
                put(release, &["min_slope_deg"], positive("min_slope_deg"));
            }
            put(release, &["placement"], placement.clone());
        }
    } else if changed(&["min_slope_deg"]) {
        for release in entries(document, "release").iter_mut().filter(|release| steep(release)) {
            put(release, &["placement", "min_slope_deg"], None);
        }
    }
}

fn put_scenarios(document: &mut Value, now: &Map<String, Value>) -> Result<()> {
    let mut base = entries(document, "release").first().cloned().unwrap_or_else(|| json!({}));
    OF_A_SCENARIO.iter().for_each(|key| drop(remove(&mut base, key)));
    let (mut releases, mut all_years): (Vec<Value>, Map<String, Value>) = Default::default();
    let key = now["size_key"].as_str().unwrap_or(SIZES[0]);
    for (number, row) in now["scenarios"].as_array().into_iter().flatten().enumerate() {
        let said = |key: &str| row[key].as_str().unwrap_or_default().trim().to_string();
        let name = Some(said("name")).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| say!("form-scenario", number = number + 1));
        if releases.iter().any(|release| release["name"] == name.as_str()) {
            return Err(Error::input(say!("form-scenario-twice", name = name)));
        }
        let mut release = base.clone();
        put(&mut release, &["name"], Some(json!(name)));
        put(&mut release, &["scenario"], Some(json!(name)));
        let (size, years, often) = (said("size"), said("years"), said("per_year"));
        put(&mut release, &[key], (!size.is_empty()).then(|| quantity::read(&size)));
        let period: Option<f64> = years.parse().ok().filter(|years: &f64| years.is_finite() && *years > 0.0);
        if !years.is_empty() && period.is_none() {
            return Err(Error::input(say!("form-scenario-years", name = name, years = years)));
        }
        // Each release area releases such a block once in the return period.
        let often =
            if often.is_empty() { period.map(|years| json!(1.0 / years)) } else { Some(quantity::read(&often)) };
        put(&mut release, &["frequency_per_year"], often);
        period.map(|years| all_years.insert(name, json!(years)));
        releases.push(release);
    }
    if releases.is_empty() {
        put(&mut base, &["name"], Some(json!("release")));
        releases.push(base);
    }
    document["release"] = json!(releases);
    if document.get("classification").is_some() {
        let years = (!all_years.is_empty()).then_some(Value::Object(all_years));
        put(document, &["classification", "scenario_return_periods_years"], years);
    }
    Ok(())
}

fn put_classes(document: &mut Value, name: &str, now: &Map<String, Value>, given: &FilledIn) {
    let (attribute, default) = (format!("{name}_attribute"), format!("{name}_default"));
    let layer = given.layers.get(name).map(|file| file.as_ref().map(|file| json!({ "file": file })));
    let shown_now = document[name]["layers"][0].get("polygons").filter(|p| layer_of(p).is_some()).cloned();
    let polygons = match layer {
        Some(layer) => Some(layer),
        None if given.values.contains_key(&attribute) => shown_now.map(Some),
        None => None,
    };
    if let Some(polygons) = polygons {
        let layers = polygons.map(|polygons| json!([{ "polygons": polygons, "attribute": now[&attribute] }]));
        put(document, &[name, "layers"], layers);
    }
    let rows = table_of(name);
    let chosen = &now[&default];
    let Some(row) = rows.iter().find(|row| row["name"] == *chosen).or(rows.first()).and_then(Value::as_object) else {
        return;
    };
    let numbers: Vec<&String> = row.keys().filter(|key| *key != "name").collect();
    if !given.values.contains_key(&default) && !numbers.iter().any(|key| given.values.contains_key(*key)) {
        return;
    }
    let value = |key: &String| match given.values.get(key) {
        Some(value) => value.clone(),
        None if given.values.contains_key(&default) => row[key].clone(),
        None => now[key].clone(),
    };
    let differs =
        |key: &&&String| (value(key).as_f64().unwrap_or(0.0) - row[**key].as_f64().unwrap_or(0.0)).abs() > 1e-9;
    if numbers.iter().find(differs).is_none() {
        put(document, &[name, "default"], Some(row["name"].clone()));
        return;
    }
    let mut class: BTreeMap<String, Value> = numbers.iter().map(|key| ((*key).clone(), value(key))).collect();
    if name == "ground" {
        // What the form does not show stays as it is in the class: soil and roughness.
        let before = document[name]["classes"].get("edited").cloned();
        let soil = classes::tables().soil.into_iter().find(|soil| soil["name"] == row["name"]);
        let before = before.or(soil).unwrap_or_default();
        for key in ["scarring", "roughness"] {
            if let Some(value) = before.get(key).filter(|value| !value.is_null()) {
                class.insert(key.into(), value.clone());
            }
        }
    }
    put(document, &[name, "default"], Some(json!("edited")));
    put(document, &[name, "classes", "edited"], Some(json!(class)));
}

fn put_objects(document: &mut Value, given: &FilledIn) {
    let Some(file) = given.layers.get("objects") else { return };
    let mut before = entries(document, "objects").first().cloned().unwrap_or_else(|| json!({}));
    if before.get("name").is_none() {
        put(&mut before, &["name"], Some(json!(say!("form-objects"))));
    }
    put(&mut before, &["source"], file.as_ref().map(|file| json!({ "file": file })));
    put(document, &["objects"], file.as_ref().map(|_| json!([before])));
}

fn add_line(document: &mut Value, line: &NewLine) {
    let mut entry = json!({ "name": line.name, "source": { "file": line.file } });
    put(&mut entry, &["height_m"], line.height_m.map(|height| json!(height)));
    put(&mut entry, &["capacity_kj"], line.capacity_kj.map(|capacity| json!(capacity)));
    let section = if line.height_m.is_some() { "barriers" } else { "lines" };
    let list = entries(document, section).iter().cloned().chain([entry]).collect();
    put(document, &[section], Some(Value::Array(list)));
}

/// Each line of a layer has figures and pictures of its own, as long as there are not too many.
fn put_lines(document: &mut Value, section: &str, title: &'static str, file: Option<&str>) -> Result<()> {
    let mut entry = entries(document, section).first().cloned().unwrap_or_else(|| json!({}));
    put(document, &[section], None);
    let Some(file) = file else { return Ok(()) };
    let source = VectorSourceResolved::file(file)?;
    let layer = vector::read(&source, None)?;
    let key = vector::number_column(&source)?.filter(|_| layer.features.len() <= MOST_LINES);
    let named = NAMES.iter().find_map(|name| layer.fields.iter().find(|field| field.name.to_lowercase() == *name));
    let name_of = |feature: &vector::Feature| {
        named.and_then(|field| feature.attributes.get(&field.name)?.as_text()).filter(|name| !name.trim().is_empty())
    };
    let several = layer.features.len() > 1;
    let numbered = |number: usize| if several { format!("{} {}", say!(title), number + 1) } else { say!(title) };
    let mut names: Vec<String> =
        layer.features.iter().enumerate().map(|(k, f)| name_of(f).unwrap_or_else(|| numbered(k))).collect();
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    if distinct.len() < names.len() {
        names = (0..names.len()).map(numbered).collect();
    }
    let mut made = |name: &str, filter: Option<String>| {
        put(&mut entry, &["name"], Some(json!(name)));
        put(&mut entry, &["source"], Some(json!({ "file": file })));
        put(&mut entry, &["source", "filter"], filter.map(Value::String));
        entry.clone()
    };
    let list: Vec<Value> = match key {
        Some(key) => {
            names.iter().zip(&layer.features).map(|(name, f)| made(name, Some(format!("{key} = {}", f.id)))).collect()
        }
        None => vec![made(&say!(title), None)],
    };
    put(document, &[section], Some(json!(list)));
    Ok(())
}
