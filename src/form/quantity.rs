//! A size or frequency in a line, as people write it.

use serde_json::{Value, json};

/// `0.5`, `0.2 – 2`, `0.1 – 5, power 1.2`, `median 1, sigma 0.5`, `0.1; 0.5; 2`, or the name of an attribute.
pub(super) fn read(text: &str) -> Value {
    let text = text.trim();
    if let Some(number) = positive(text) {
        return json!(number);
    }
    if text.contains(';') {
        let values: Option<Vec<f64>> = text.split(';').map(str::trim).filter(|t| !t.is_empty()).map(positive).collect();
        if let Some(values) = values {
            return json!({ "distribution": "list", "values": values });
        }
    }
    between(text).or_else(|| log_normal(text)).unwrap_or_else(|| json!({ "attribute": text }))
}

fn between(text: &str) -> Option<Value> {
    let (limits, power) = match text.split_once("power").or_else(|| text.split_once('^')) {
        Some((limits, power)) => (limits.trim().trim_end_matches(','), Some(positive(power.trim())?)),
        None => (text, None),
    };
    let separators = ["–", "..", "to", "-"];
    let (min, max) = separators.iter().find_map(|mark| {
        let (low, high) = limits.split_once(mark)?;
        Some((positive(low.trim())?, positive(high.trim())?))
    })?;
    Some(match power {
        Some(exponent) => json!({ "distribution": "power_law", "exponent": exponent, "min": min, "max": max }),
        None => json!({ "distribution": "uniform", "min": min, "max": max }),
    })
}

fn log_normal(text: &str) -> Option<Value> {
    let (median, sigma) = text.strip_prefix("median")?.split_once("sigma")?;
    let (median, sigma) = (positive(median.trim().trim_end_matches(',').trim())?, positive(sigma.trim())?);
    Some(json!({ "distribution": "log_normal", "median": median, "sigma": sigma }))
}

fn positive(text: &str) -> Option<f64> {
    let digits = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|number: &f64| digits && number.is_finite())
}

/// The same, backwards; `None` if it cannot be written so.
pub(super) fn text(value: &Value) -> Option<String> {
    if let Some(number) = value.as_f64() {
        return Some(number.to_string());
    }
    let table = value.as_object()?;
    let number = |key: &str| table.get(key).and_then(Value::as_f64);
    let only = |keys: &[&str]| table.keys().all(|key| keys.contains(&key.as_str()));
    match table.get("distribution").and_then(Value::as_str) {
        None if only(&["attribute"]) => table.get("attribute")?.as_str().map(str::to_string),
        Some("uniform") if only(&["distribution", "min", "max"]) => {
            Some(format!("{} – {}", number("min")?, number("max")?))
        }
        Some("power_law") if only(&["distribution", "min", "max", "exponent"]) => {
            Some(format!("{} – {}, power {}", number("min")?, number("max")?, number("exponent")?))
        }
        Some("log_normal") if only(&["distribution", "median", "sigma"]) => {
            Some(format!("median {}, sigma {}", number("median")?, number("sigma")?))
        }
        Some("list") if only(&["distribution", "values"]) => {
            let values: Option<Vec<String>> =
                table.get("values")?.as_array()?.iter().map(|v| v.as_f64().map(|v| v.to_string())).collect();
            Some(values?.join("; "))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{read, text};

    /// What is read is written the same, and what is no quantity is an attribute.
    #[test]
    fn a_line_is_read_and_written() {
        for line in ["0.5", "0.2 – 2", "0.1 – 5, power 1.2", "median 1, sigma 0.5", "0.1; 0.5; 2", "volume_100y_m3"]
        {
            assert_eq!(text(&read(line)).as_deref(), Some(line));
        }
        assert_eq!(read(" 0.2-2 "), read("0.2 – 2"));
        assert_eq!(read("0.2 to 2^1.5"), read("0.2..2, power 1.5"));
        assert_eq!(read("1e2"), serde_json::json!(100.0));
        for attribute in ["nan", "inf", "-3", "size-a", "a; b", "median x, sigma 2", "power"] {
            assert_eq!(read(attribute), serde_json::json!({ "attribute": attribute }));
        }
    }
}
