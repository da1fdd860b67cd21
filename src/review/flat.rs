//! A project as a list of keys and values.

use serde_json::Value;

/// `release[30-year block].volume_m3.attribute`, `volume_30y_m3`: entries of lists go by their name. What is empty is left
/// out.
pub(super) fn rows(document: &Value) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    add(document, String::new(), &mut rows);
    rows
}

fn add(value: &Value, path: String, rows: &mut Vec<(String, String)>) {
    match value {
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        Value::String(text) => rows.push((path, text.clone())),
        Value::Object(keys) => {
            for (key, item) in keys {
                add(item, if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, rows);
            }
        }
        Value::Array(items) if items.is_empty() => {}
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (item, number) in items.iter().zip(1..) {
                let name = item.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
                let name = name.map_or(number.to_string(), String::from);
                add(item, format!("{path}[{name}]"), rows);
            }
        }
        other => rows.push((path, other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn entries_of_lists_go_by_their_names() {
        let document = json!({
            "title": "", "seed": 7, "energies": [30, 300], "nothing": null, "none": [],
            "release": [{"name": "block", "volume_m3": {"attribute": "v"}}, {"height_m": 0.5}],
        });
        let found = rows(&document);
        let found: Vec<(&str, &str)> = found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let mut expected = vec![
            ("seed", "7"),
            ("energies", "[30,300]"),
            ("release[block].name", "block"),
            ("release[block].volume_m3.attribute", "v"),
            ("release[2].height_m", "0.5"),
        ];
        expected.sort_unstable();
        let mut found = found;
        found.sort_unstable();
        assert_eq!(found, expected);
    }
}
