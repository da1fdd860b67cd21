//! From a project to the fields: everything that is shown is taken out of a copy, the rest is named.

use serde_json::{Map, Value, json};

use super::{Form, LayerShown, OF_A_SCENARIO, OF_ALL, SIZES, USUAL_CLASS, USUAL_SHAPE};
use super::{entries, number, places, quantity, remove, same};
use crate::project::file::ClassTable;
use crate::project::{classes, schemes};

/// The form of a project document.
pub(crate) fn shown(document: &Value) -> Form {
    let (mut rest, mut form) = (document.clone(), Form::default());
    remove(&mut rest, "couloir");
    for place in places() {
        let (key, path) = place.path.split_last().unwrap_or((&"", &[]));
        let section = path.iter().try_fold(&mut rest, |section, part| section.get_mut(*part));
        let fits = |value: &Value| match place.field {
            "scheme" => value.as_str().is_some_and(|name| schemes::BUILT_IN.iter().any(|(id, _)| *id == name)),
            _ => std::mem::discriminant(value) == std::mem::discriminant(&place.usual),
        };
        let section = section.filter(|section| section.get(*key).is_some_and(fits));
        // Lists are for programs that offer them; as most do not, they are named as well.
        let found = section.and_then(|s| if place.usual.is_array() { s.get(*key).cloned() } else { remove(s, key) });
        form.values.insert(place.field.into(), found.unwrap_or(place.usual));
    }
    if let Some(file) = rest.get_mut("terrain").and_then(|terrain| remove(terrain, "dem")) {
        form.layers.insert("dem".into(), LayerShown { file: text_of(&file), filter: String::new() });
    }
    for (field, section, key, usual) in OF_ALL {
        let value = common(entries(&mut rest, section), key, number(usual), Value::is_number);
        form.values.insert(field.into(), value);
    }
    rocks(&mut rest, &mut form);
    for (section, usual) in USUAL_CLASS {
        class(rest.get_mut(section).unwrap_or(&mut json!({})), section, usual, &mut form);
    }
    for name in ["barriers", "lines", "objects"] {
        lines(entries(&mut rest, name), name, &mut form);
    }
    let mut others = Vec::new();
    keys(&rest, "", &mut others);
    form.other = others.into_iter().map(|key| (key.clone(), value_of(document, &key))).collect();
    form
}

fn rocks(rest: &mut Value, form: &mut Form) {
    let is_shape = |value: &Value| value.is_string() || value.get("file").is_some();
    let shape = common(entries(rest, "rocks"), "shape", json!(USUAL_SHAPE), is_shape);
    let file = shape.get("file").cloned().unwrap_or(Value::Null);
    let values = &mut form.values;
    values.insert("shape".into(), if file.is_null() { shape } else { json!(USUAL_SHAPE) });
    values.insert("point_cloud".into(), file);
    for (name, usual) in [
        ("size_key", json!("volume_m3")),
        ("size", json!(1)),
        ("size_attribute", Value::Null),
        ("spacing_m", json!(0)),
        ("positions", json!(0)),
    ] {
        values.insert(name.into(), usual);
    }
    scenarios(rest, values);
    let holds = |key: &&str| {
        ["rocks", "release"]
            .iter()
            .any(|list| rest[*list].as_array().into_iter().flatten().any(|t| t.get(*key).is_some()))
    };
    let holders: Vec<&str> = SIZES.into_iter().filter(holds).collect();
    for list in ["rocks", "release"] {
        let [key] = holders[..] else { break };
        let tables = entries(rest, list);
        if tables.is_empty() || !tables.iter().all(|table| table.get(key).is_some()) {
            continue;
        }
        let size = common(tables, key, Value::Null, |v| v.is_number() || attribute_of(v).is_some());
        if let Some(attribute) = attribute_of(&size) {
            values.insert("size_attribute".into(), json!(attribute));
        } else if size.is_number() {
            values.insert("size".into(), size.clone());
        }
        if !size.is_null() {
            values.insert("size_key".into(), json!(key));
        }
    }
    let releases = entries(rest, "release");
    let known = [("grid_m", "spacing_m"), ("count", "positions"), ("min_slope_deg", "min_slope_deg")];
    let is_known = |value: &Value| {
        let plain = |(key, value): (&String, &Value)| value.is_number() && known.iter().any(|(known, _)| known == key);
        value.as_object().is_some_and(|table| table.iter().all(plain))
    };
    let placement = common(releases, "placement", json!({}), is_known);
    for (key, field) in known {
        if let Some(value) = placement.get(key) {
            values.insert(field.into(), value.clone());
        }
    }
    let often = common(releases, "frequency_per_year", Value::Null, |v| attribute_of(v).is_some());
    values.insert("frequency_attribute".into(), attribute_of(&often).map_or(Value::Null, |name| json!(name)));
    let source = common(releases, "source", Value::Null, |v| layer_of(v).is_some());
    if let Some(layer) = layer_of(&source) {
        form.layers.insert("release".into(), layer);
    }
    if entries(rest, "rocks").len() == 1 && entries(rest, "release").len() == 1 {
        for list in ["rocks", "release"] {
            entries(rest, list).iter_mut().for_each(|table| drop(remove(table, "name")));
        }
    }
}

/// A row for each release, if releases differ in nothing else and their sizes can be written in a line.
fn scenarios(rest: &mut Value, values: &mut Map<String, Value>) {
    values.insert("scenarios".into(), json!([]));
    let releases = rest["release"].as_array().cloned().unwrap_or_default();
    let Some(rows) = rows_of(&releases, &rest["classification"]["scenario_return_periods_years"]) else { return };
    let key = SIZES.into_iter().find(|key| releases[0].get(*key).is_some()).unwrap_or(SIZES[0]);
    for release in entries(rest, "release") {
        OF_A_SCENARIO.iter().for_each(|key| drop(remove(release, key)));
    }
    if let Some(years) = rest.get_mut("classification").and_then(|c| c.get_mut("scenario_return_periods_years")) {
        rows.iter().for_each(|row| drop(remove(years, row["name"].as_str().unwrap_or_default())));
    }
    values.insert("scenarios".into(), json!(rows));
    values.insert("size_key".into(), json!(key));
}

fn rows_of(releases: &[Value], years: &Value) -> Option<Vec<Value>> {
    let first = releases.first()?;
    let alike = |release: &Value| {
        let mut rest = release.clone();
        OF_A_SCENARIO.iter().for_each(|key| drop(remove(&mut rest, key)));
        rest
    };
    let key = SIZES.into_iter().find(|key| first.get(*key).is_some()).unwrap_or(SIZES[0]);
    let mut rows: Vec<Value> = Vec::new();
    for release in releases {
        let name = release.get("scenario").and_then(Value::as_str).filter(|name| !name.is_empty())?;
        let twice = rows.iter().any(|row| row["name"] == name);
        if twice || alike(release) != alike(first) || SIZES.iter().any(|k| *k != key && release.get(*k).is_some()) {
            return None;
        }
        let line = |key: &str| release.get(key).map_or(Some(String::new()), quantity::text);
        let period = years.get(name).and_then(Value::as_f64).map_or(String::new(), |years| years.to_string());
        rows.push(
            json!({ "name": name, "size": line(key)?, "years": period, "per_year": line("frequency_per_year")? }),
        );
    }
    Some(rows)
}

fn class(section: &mut Value, name: &str, usual: &str, form: &mut Form) {
    let said = remove(section, "default").as_ref().map_or(String::new(), text_of);
    let default = if said.is_empty() { usual } else { said.as_str() };
    let table = section.get("classes").and_then(Value::as_str).map(str::to_string);
    let own = section.get_mut("classes").and_then(|classes| remove(classes, default));
    let rows = table_of(name);
    // Numbers of a class of one's own stand beside the usual class, as if they had been edited.
    let wanted = if own.is_some() { usual } else { default };
    let row = rows.iter().find(|row| row["name"] == wanted).or(rows.first()).cloned().unwrap_or_default();
    let other_table = (table.as_deref() == Some("leine2014")).then(|| classes::table(ClassTable::Leine2014));
    let of_table = other_table.and_then(|table| serde_json::to_value(table.get(default)?).ok());
    for source in [Some(&row), of_table.as_ref(), own.as_ref()].into_iter().flatten() {
        for (key, value) in source.as_object().into_iter().flatten() {
            if row.get(key).is_some_and(Value::is_number) && value.is_number() {
                form.values.insert(key.clone(), value.clone());
            }
        }
    }
    form.values.insert(format!("{name}_default"), row["name"].clone());
    form.values.insert(format!("{name}_attribute"), Value::Null);
    let Some([layer]) = section.get("layers").and_then(Value::as_array).map(Vec::as_slice) else { return };
    let only = layer.as_object().is_some_and(|t| t.keys().all(|key| key == "polygons" || key == "attribute"));
    if let Some(polygons) = layer.get("polygons").and_then(layer_of).filter(|_| only) {
        let attribute = layer.get("attribute").cloned().unwrap_or(json!("class"));
        form.values.insert(format!("{name}_attribute"), attribute);
        form.layers.insert(name.into(), polygons);
        remove(section, "layers");
    }
}

/// The built-in classes of a section.
pub(super) fn table_of(section: &str) -> Vec<Value> {
    let classes::Tables { ground, forest, .. } = classes::tables();
    if section == "ground" { ground } else { forest }
}

/// One layer, be it split into its features as forms do.
fn lines(entries: &mut [Value], name: &str, form: &mut Form) {
    let layers: Option<Vec<LayerShown>> = entries.iter().map(|entry| entry.get("source").and_then(layer_of)).collect();
    let Some(layers) = layers else { return };
    let Some(first) = layers.first() else { return };
    let one_feature = |layer: &LayerShown| {
        let mut words = layer.filter.split(" = ");
        words.next().is_some_and(|key| key.ends_with("fid"))
            && words.next().is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    };
    let split = layers.iter().all(|layer| one_feature(layer) && layer.file == first.file);
    if split || layers.len() == 1 {
        let filter = if split { String::new() } else { first.filter.clone() };
        form.layers.insert(name.into(), LayerShown { file: first.file.clone(), filter });
        for entry in entries {
            remove(entry, "source");
            remove(entry, "name");
        }
    }
}

/// The value all tables share, taken out of them; else the usual one, and they keep theirs.
fn common(tables: &mut [Value], key: &str, usual: Value, fits: impl Fn(&Value) -> bool) -> Value {
    let found: Vec<Value> = tables.iter().map(|table| table.get(key).unwrap_or(&usual).clone()).collect();
    let Some(first) = found.first() else { return usual };
    if found.iter().any(|value| !same(value, first)) || !(same(first, &usual) || fits(first)) {
        return usual;
    }
    tables.iter_mut().for_each(|table| drop(remove(table, key)));
    first.clone()
}

fn attribute_of(value: &Value) -> Option<&str> {
    value.as_object().filter(|table| table.len() == 1)?.get("attribute")?.as_str()
}

pub(super) fn layer_of(source: &Value) -> Option<LayerShown> {
    let table = source.as_object()?;
    let file = table.get("file")?.as_str()?.to_string();
    let only = table.keys().all(|key| key == "file" || key == "filter");
    only.then(|| LayerShown { file, filter: table.get("filter").map_or(String::new(), text_of) })
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// All values below a key, in one line.
fn value_of(document: &Value, key: &str) -> String {
    let mut found = document.clone();
    for part in key.split('.') {
        found = match found {
            Value::Array(items) => items.iter().filter_map(|item| item.get(part).cloned()).collect(),
            table => table.get(part).cloned().unwrap_or_default(),
        };
    }
    let text = found.as_str().map_or_else(|| found.to_string(), str::to_string);
    text.replace(['{', '}', '"', '[', ']'], "").replace(',', ", ").replace(':', ": ").replace('_', " ")
}

/// What is left, by section and key.
fn keys(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(table) if !path.contains('.') => {
            for (name, inner) in table {
                keys(inner, &if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().filter(|item| !item.as_object().is_some_and(Map::is_empty)).for_each(|item| match item {
                Value::Object(_) => keys(item, path, found),
                _ => push(path, found),
            });
        }
        Value::Null => {}
        Value::Object(table) if table.is_empty() => {}
        Value::Array(items) if items.is_empty() => {}
        _ => push(path, found),
    }
}

fn push(path: &str, found: &mut Vec<String>) {
    if !found.iter().any(|known| known == path) {
        found.push(path.to_string());
    }
}
