//! The JSON Schema of the project file: what editors use is the very thing the parser enforces ([`super::conform`]).

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::file::ProjectFile;
use super::limits;

static PROJECT: LazyLock<Value> = LazyLock::new(of::<ProjectFile>);

/// The schema of `project.yaml`.
pub fn project() -> &'static Value {
    &PROJECT
}

/// The schema of a typed YAML file, with the units and limits of [`limits`] written in.
pub(crate) fn of<T: schemars::JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    let title = schema["title"].as_str().unwrap_or_default().to_string();
    annotate(&mut schema, &title);
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        for (name, definition) in definitions {
            annotate(definition, name);
        }
    }
    schema
}

/// Writes unit and limits into every property found in a definition (also inside its variants).
fn annotate(schema: &mut Value, owner: &str) {
    for variants in ["oneOf", "anyOf"] {
        for variant in schema.get_mut(variants).and_then(Value::as_array_mut).into_iter().flatten() {
            annotate(variant, owner);
        }
    }
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (key, property) in properties {
        let Some(property) = property.as_object_mut() else { continue };
        if let Some(unit) = limits::unit(key) {
            property.insert("x-unit".into(), json!(unit));
        }
        if let Some(limits) = limits::of(owner, key) {
            insert_limits(property, limits);
        }
    }
}

fn insert_limits(property: &mut Map<String, Value>, limits: &limits::Limits) {
    // A list's or a table's limits are those of its numbers.
    for inner in ["items", "additionalProperties"] {
        if let Some(inner) = property.get_mut(inner).and_then(Value::as_object_mut) {
            return insert_limits(inner, limits);
        }
    }
    if let Some(min) = limits.min {
        property.remove("minimum");
        property.insert(if limits.above_min { "exclusiveMinimum" } else { "minimum" }.into(), json!(min));
    }
    if let Some(max) = limits.max {
        property.insert("maximum".into(), json!(max));
    }
}
