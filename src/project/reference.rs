//! The user's reference of all keys, written from the schema so that it cannot drift from the code.

use std::fmt::Write;

use serde_json::Value;

use super::classes;
use super::file::{ClassTable, ForestSpec};

/// `docs/project-file.md`.
pub fn markdown(schema: &Value) -> String {
    let mut out = String::from(
        "# The project file\n\n\
         This page is written by `couloir schema --markdown`; do not edit it by hand.\n\n\
         A project is one YAML file. Paths in it are relative to the file. The unit of a number stands in its key. \
         A mistake is reported with line, column and key, and what was expected there. `couloir init` writes a commented \
         project to start from, `couloir check` reads everything and tells what it found, `couloir schema` prints a JSON \
         Schema for editors.\n\n\
         Exit codes of all commands: 0 fine, 1 failed, 2 wrong usage, 3 invalid input, 4 try again later (interrupted, or locked by another process).\n\n\
         Every layer carries its own CRS and is brought to the project's, which is the DEM's. Ground and forest are \
         resolved per DEM cell, the weakest source first: the `default` class, then the `layers` in their order, then the \
         single parameters. Where a raster has nodata or no polygon covers a cell, the weaker source stays in force; a \
         raster with gaps needs one that the project states.\n",
    );
    section(&mut out, "Top level", schema);
    for name in definitions_in_order(schema) {
        section(&mut out, &name, &schema["$defs"][&name]);
    }
    class_tables(&mut out);
    out
}

/// The definitions as a reader meets them from the top: those a section refers to follow it.
fn definitions_in_order(schema: &Value) -> Vec<String> {
    let mut order = Vec::new();
    let mut waiting: Vec<String> = rows(schema).iter().flat_map(|(_, property)| references(property)).collect();
    waiting.reverse();
    while let Some(name) = waiting.pop() {
        if order.contains(&name) {
            continue;
        }
        let below = references(&schema["$defs"][&name]);
        waiting.extend(below.into_iter().rev());
        order.push(name);
    }
    order
}

fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(object) => {
            let own = object.get("$ref").and_then(Value::as_str).and_then(|r| r.rsplit('/').next()).map(String::from);
            own.into_iter().chain(object.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The keys of a mapping, the required ones first and in the order of the code.
fn rows(schema: &Value) -> Vec<(&str, &Value)> {
    let (required, properties) = (required(schema), schema["properties"].as_object());
    let optional = properties.into_iter().flatten().map(|(key, _)| key.as_str()).filter(|key| !required.contains(key));
    required.iter().copied().chain(optional).map(|key| (key, &schema["properties"][key])).collect()
}

fn section(out: &mut String, name: &str, schema: &Value) {
    let _ = write!(out, "\n## {name}\n\n");
    if let Some(text) = schema["description"].as_str() {
        let _ = write!(out, "{}\n\n", one_line(text));
    }
    table(out, schema);
    let variants = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    for variant in variants.into_iter().flatten() {
        let text = variant["description"].as_str().map(one_line).unwrap_or_default();
        let label = match (variant["const"].as_str(), variant["$ref"].as_str(), tag(variant)) {
            (Some(word), ..) => format!("`{word}`"),
            (_, Some(reference), _) => link(reference),
            (.., Some(tag)) => tag,
            _ => kind(variant),
        };
        let colon = if text.is_empty() { "" } else { ": " };
        let _ = writeln!(out, "- {label}{colon}{text}");
        let keys = variant["properties"].as_object().map_or(0, |p| p.len());
        if tag(variant).is_some() && keys > 1 {
            let _ = writeln!(out);
            table(out, variant);
            let _ = writeln!(out);
        }
    }
    for word in schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let _ = writeln!(out, "- `{word}`");
    }
}

/// `distribution: uniform`, or the only key of a variant such as `grid_m`.
fn tag(variant: &Value) -> Option<String> {
    let properties = variant["properties"].as_object()?;
    if let Some((key, value)) = properties.iter().find(|(_, value)| value.get("const").is_some()) {
        return Some(format!("`{key}: {}`", value["const"].as_str()?));
    }
    let (key, value) = properties.iter().next()?;
    Some(format!("`{key}` ({})", kind(value)))
}

fn table(out: &mut String, schema: &Value) {
    if schema["properties"].as_object().is_none_or(|properties| properties.is_empty()) {
        return;
    }
    let required = required(schema);
    let _ = writeln!(out, "| key | value | unit | default | meaning |\n|---|---|---|---|---|");
    for (key, property) in rows(schema) {
        let default = match property.get("default") {
            _ if required.contains(&key) => "required".into(),
            None | Some(Value::Null) => String::new(),
            Some(Value::Object(object)) if object.is_empty() => "`{}`".into(),
            Some(Value::Object(_)) => "see there".into(),
            Some(value) => format!("`{value}`"),
        };
        let unit = property["x-unit"].as_str().unwrap_or("");
        let text = property["description"].as_str().map(one_line).unwrap_or_default();
        let _ = writeln!(out, "| `{key}` | {} | {unit} | {default} | {text} |", kind(property).replace('|', "\\|"));
    }
}

/// What values a schema allows, in words.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return link(reference) + &limits(schema);
    }
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let kinds: Vec<String> = alternatives.iter().map(kind).filter(|k| !k.is_empty()).collect();
        return kinds.join(" or ") + &limits(schema);
    }
    if let Some(word) = schema["const"].as_str() {
        return format!("`{word}`");
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().filter_map(Value::as_str).map(|w| format!("`{w}`")).collect();
        return words.join(", ");
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => vec!["any"],
    };
    let words = types.iter().filter(|t| **t != "null").map(|t| match *t {
        "integer" => "whole number".to_string(),
        "string" => "text".to_string(),
        "boolean" => "true or false".to_string(),
        "array" => {
            let count = match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
                (Some(n), Some(m)) if n == m => format!("{n} × "),
                _ => "list of ".to_string(),
            };
            format!("{count}{}", kind(&schema["items"]))
        }
        "object" if schema["additionalProperties"].is_object() => {
            format!("name → {}", kind(&schema["additionalProperties"]))
        }
        "object" => "mapping".to_string(),
        "any" => "any".to_string(),
        other => other.to_string(),
    });
    words.collect::<Vec<_>>().join(" or ") + &limits(schema)
}

fn limits(schema: &Value) -> String {
    let number = |key: &str| schema[key].as_f64();
    let low = number("exclusiveMinimum").map(|n| format!("> {n}")).or(number("minimum").map(|n| format!("≥ {n}")));
    match (low, number("maximum")) {
        (Some(low), Some(high)) => format!(" {low}, ≤ {high}"),
        (Some(low), None) => format!(" {low}"),
        (None, Some(high)) => format!(" ≤ {high}"),
        (None, None) => String::new(),
    }
}

fn link(reference: &str) -> String {
    let name = reference.rsplit('/').next().unwrap_or(reference);
    format!("[{name}](#{})", name.to_lowercase())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn class_tables(out: &mut String) {
    out.push_str(
        "\n## Built-in ground classes\n\nFriction, soil (`scarring`) and `roughness` belong to the class; docs/models.md tells where the numbers come from and how to choose.\n\n| class | mu_min | mu_max | beta_per_s | kappa_per_m | \
         scarring.me_kn_m2 | scarring.drag_coefficient | scarring.density_kg_m3 | roughness.height_m | roughness.spacing_m |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let number = |n: Option<f64>| n.map_or("–".to_string(), |n| n.to_string());
    for (name, c) in classes::table(ClassTable::Complete) {
        let friction = [c.mu_min, c.mu_max, c.beta_per_s, c.kappa_per_m].map(|n| n.to_string()).join(" | ");
        let soil = c.scarring.map(|s| [s.me_kn_m2, s.drag_coefficient, s.density_kg_m3]);
        let rough = c.roughness.map(|r| [r.height_m, r.spacing_m]);
        let soil = [0, 1, 2].map(|k| number(soil.map(|s| s[k]))).join(" | ");
        let rough = [0, 1].map(|k| number(rough.map(|r| r[k]))).join(" | ");
        let _ = writeln!(out, "| `{name}` | {friction} | {soil} | {rough} |");
    }
    out.push_str(
        "\n### `classes: leine2014`\n\nFriction alone, for redoing older studies.\n\n| class | mu_min | mu_max | beta_per_s | kappa_per_m |\n|---|---|---|---|---|\n",
    );
    for (name, c) in classes::table(ClassTable::Leine2014) {
        let friction = [c.mu_min, c.mu_max, c.beta_per_s, c.kappa_per_m].map(|n| n.to_string()).join(" | ");
        let _ = writeln!(out, "| `{name}` | {friction} |");
    }
    out.push_str("\n## Built-in forest classes\n\n| class | drag_kg_s | height_m |\n|---|---|---|\n");
    for (name, c) in classes::forest(&ForestSpec::default()) {
        let _ = writeln!(out, "| `{name}` | {} | {} |", c.drag_kg_s, c.height_m);
    }
}
