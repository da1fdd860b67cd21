//! What a JSON Schema says.

use serde_json::Value;

pub(super) fn is_anything(schema: &Value) -> bool {
    let keywords = ["type", "enum", "const", "properties"];
    *schema == Value::Bool(true) || schema.as_object().is_some_and(|s| keywords.iter().all(|k| !s.contains_key(*k)))
}

pub(super) fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|t| t == name),
        _ => name == "string" && (schema.get("const").is_some() || schema.get("enum").is_some()),
    }
}

/// The words an enumeration allows.
pub(super) fn words(schema: &Value) -> Vec<&str> {
    let list = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    list.chain(schema.get("const")).filter_map(Value::as_str).collect()
}

pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

pub(super) fn property<'v>(schema: &'v Value, key: &str) -> Option<&'v Value> {
    schema.get("properties")?.get(key)
}

pub(super) fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The key that tells each alternative from the others: its tag, or the first it requires.
pub(super) fn distinguishing_keys<'v>(objects: &[&'v Value]) -> Vec<&'v str> {
    let key = |object: &'v Value| {
        let tagged = properties(object).find(|(_, property)| property.get("const").is_some());
        tagged.map(|(key, _)| key.as_str()).or(required(object).first().copied())
    };
    objects.iter().filter_map(|object| key(object)).collect()
}

/// The fixed value of a tagging property.
pub(super) fn tag<'v>(schema: &'v Value, key: &str) -> Option<&'v str> {
    property(schema, key)?.get("const")?.as_str()
}
