//! Compares a located YAML tree with a JSON Schema. What conforms comes out as JSON, typed as the schema says (so that
//! `title: 2026` is text); what does not becomes one sentence at its place: found, expected, did you mean.

mod schema;
mod words;

use serde_json::{Map, Value};

use super::limits::Limits;
use super::yaml::{At, Mistake, Node, join};
use schema::{distinguishing_keys, has_type, is_anything, properties, property, required, tag, words};
pub use words::{did_you_mean, one_of};
use words::{quote, quoted, suggestion};

/// The JSON of `node` if it conforms to `schema`.
pub(crate) fn conform(node: &Node, schema: &Value) -> Result<Value, Mistake> {
    Checker { root: schema }.value(node, schema, &Expected::default(), "")
}

static ANYTHING: Value = Value::Bool(true);

struct Checker<'a> {
    root: &'a Value,
}

/// Limits and unit that come down from the property to the number inside.
#[derive(Clone, Default)]
struct Expected {
    min: Option<f64>,
    above: Option<f64>,
    max: Option<f64>,
    unit: Option<String>,
}

impl Expected {
    fn with(&self, schema: &Value) -> Self {
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        let widest = match schema.get("format").and_then(Value::as_str) {
            Some("uint32") => Some(f64::from(u32::MAX)),
            _ => None,
        };
        Self {
            min: number("minimum").or(self.min),
            above: number("exclusiveMinimum").or(self.above),
            max: number("maximum").or(self.max).or(widest),
            unit: schema.get("x-unit").and_then(Value::as_str).map(str::to_string).or(self.unit.clone()),
        }
    }

    fn limits(&self) -> Limits {
        let (min, above_min) = match self.above {
            Some(above) => (Some(above), true),
            None => (self.min, false),
        };
        Limits { min, above_min, max: self.max, usual: None }
    }

    /// Upper limits that only catch slipped units are named when they are exceeded.
    fn describe_number(&self, whole: bool, found: &str) -> String {
        let mut limits = self.limits();
        let exceeded = |max: f64| found.parse().is_ok_and(|value: f64| value > max);
        limits.max = limits.max.filter(|max| *max < 1e5 || exceeded(*max));
        let text = limits.expectation();
        let text = if whole { text.replacen("a number", "a whole number", 1) } else { text };
        match &self.unit {
            Some(unit) => format!("{text} ({unit})"),
            None => text,
        }
    }
}

impl<'a> Checker<'a> {
    fn resolve(&self, mut schema: &'a Value, expected: &mut Expected) -> &'a Value {
        *expected = expected.with(schema);
        while let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            schema = reference.strip_prefix('#').and_then(|p| self.root.pointer(p)).unwrap_or(&Value::Null);
            *expected = expected.with(schema);
        }
        schema
    }

    fn value(&self, node: &Node, schema: &'a Value, expected: &Expected, path: &str) -> Result<Value, Mistake> {
        let mut expected = expected.clone();
        let schema = self.resolve(schema, &mut expected);
        let alternatives = self.alternatives(schema, &expected);
        if alternatives.iter().any(|(s, _)| is_anything(s)) {
            return Ok(anything(node));
        }
        let wrong = |found: String, hint: String| {
            let wanted = self.describe(&alternatives, &found);
            Err(Mistake::new(At::Value, path, format!("found {found}, expected {wanted}{hint}")))
        };
        match node {
            Node::Scalar { text, plain } => self.scalar(text, *plain, &alternatives).or_else(|hint| {
                let found = if *plain && is_null(text) { "nothing".into() } else { quote(text) };
                wrong(found, hint)
            }),
            Node::Sequence(items) => {
                let Some((array, expected)) = alternatives.iter().find(|(s, _)| has_type(s, "array")) else {
                    return wrong("a list".into(), String::new());
                };
                let count = |key: &str| array.get(key).and_then(Value::as_u64).map(|n| n as usize);
                let (least, most) = (count("minItems"), count("maxItems"));
                if least.is_some_and(|n| items.len() < n) || most.is_some_and(|n| items.len() > n) {
                    let entries = |n: usize| if n == 1 { "entry".into() } else { format!("{n} entries") };
                    let wanted = match (least, most) {
                        (Some(n), Some(m)) if n == m => format!("exactly {}", entries(n)),
                        (Some(1), _) => "at least one entry".into(),
                        (Some(n), _) => format!("at least {}", entries(n)),
                        (None, m) => format!("at most {}", entries(m.unwrap_or(0))),
                    };
                    let found =
                        if items.is_empty() { "an empty list".into() } else { format!("{} entries", items.len()) };
                    return Err(Mistake::new(At::Value, path, format!("found {found}, expected {wanted}")));
                }
                let schema = array.get("items").unwrap_or(&ANYTHING);
                let items = items.iter().enumerate();
                items.map(|(i, item)| self.value(item, schema, expected, &join(path, &format!("[{i}]")))).collect()
            }
            Node::Mapping(entries) => {
                let objects: Vec<_> = alternatives.iter().filter(|(s, _)| has_type(s, "object")).collect();
                if objects.is_empty() {
                    let list = alternatives.iter().any(|(s, _)| has_type(s, "array"));
                    let hint = if list { " (begin each entry with `- `)" } else { "" };
                    return wrong("a mapping".into(), hint.into());
                }
                let (object, expected) = self.choose_object(entries, &objects, path)?;
                self.object(entries, object, expected, path)
            }
        }
    }

    /// All the shapes a value may take, references resolved, nested alternatives flattened.
    fn alternatives(&self, schema: &'a Value, expected: &Expected) -> Vec<(&'a Value, Expected)> {
        let lists = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(key).and_then(Value::as_array));
        let mut found = Vec::new();
        for alternative in lists.flatten() {
            let mut expected = expected.clone();
            let alternative = self.resolve(alternative, &mut expected);
            found.extend(self.alternatives(alternative, &expected));
        }
        if found.is_empty() { vec![(schema, expected.clone())] } else { found }
    }

    /// The JSON of a scalar, or a hint to add to the complaint.
    fn scalar(&self, text: &str, plain: bool, alternatives: &[(&Value, Expected)]) -> Result<Value, String> {
        if plain && is_null(text) {
            let allowed = alternatives.iter().any(|(s, _)| has_type(s, "null"));
            return if allowed { Ok(Value::Null) } else { Err(String::new()) };
        }
        let words: Vec<&str> = alternatives.iter().flat_map(|(s, _)| words(s)).collect();
        let mut hint = String::new();
        for (schema, expected) in alternatives {
            if has_type(schema, "integer") || has_type(schema, "number") {
                match number(text, plain, has_type(schema, "integer")) {
                    Ok(value) if value.as_f64().is_some_and(|v| expected.limits().allow(v)) => return Ok(value),
                    Ok(_) => {}
                    Err(reason) => hint = reason,
                }
            }
            if has_type(schema, "boolean") && plain {
                match text.to_ascii_lowercase().as_str() {
                    "true" => return Ok(Value::Bool(true)),
                    "false" => return Ok(Value::Bool(false)),
                    "yes" | "on" => hint = "; did you mean true?".into(),
                    "no" | "off" => hint = "; did you mean false?".into(),
                    _ => {}
                }
            }
            if has_type(schema, "string") && words.is_empty() {
                return Ok(Value::String(text.to_string()));
            }
        }
        if words.contains(&text) {
            return Ok(Value::String(text.to_string()));
        }
        match suggestion(text, &words) {
            Some(word) => Err(format!("; did you mean {word:?}?")),
            None => Err(hint),
        }
    }

    /// The alternative a mapping is meant to be: by its tag if the alternatives have one, else by its keys.
    fn choose_object<'b>(
        &self,
        entries: &[(String, Node)],
        objects: &[&'b (&'a Value, Expected)],
        path: &str,
    ) -> Result<&'b (&'a Value, Expected), Mistake> {
        for (key, value) in entries {
            let tags: Vec<_> = objects.iter().filter_map(|o| Some((tag(o.0, key)?, *o))).collect();
            if tags.is_empty() {
                continue;
            }
            let Node::Scalar { text, .. } = value else { continue };
            if let Some((_, object)) = tags.iter().find(|(tag, _)| tag == text) {
                return Ok(object);
            }
            let names: Vec<&str> = tags.iter().map(|(tag, _)| *tag).collect();
            let sentence = format!("found {}, expected {}{}", quote(text), one_of(&names), did_you_mean(text, &names));
            return Err(Mistake::new(At::Value, join(path, key), sentence));
        }
        let shared = |object: &Value| entries.iter().filter(|(k, _)| property(object, k).is_some()).count();
        let mut best = objects[0];
        for object in objects {
            if shared(object.0) > shared(best.0) {
                best = object;
            }
        }
        if objects.len() > 1 && shared(best.0) == 0 {
            let keys = distinguishing_keys(&objects.iter().map(|o| o.0).collect::<Vec<_>>());
            if let Some((key, _)) = entries.first() {
                let wanted = format!("a mapping with {}", one_of(&keys));
                let hint = did_you_mean(key, &keys);
                let sentence = format!("found the key {}, expected {wanted}{hint}", quoted(key));
                return Err(Mistake::new(At::Key, join(path, key), sentence));
            }
        }
        Ok(best)
    }

    fn object(
        &self,
        entries: &[(String, Node)],
        schema: &'a Value,
        expected: &Expected,
        path: &str,
    ) -> Result<Value, Mistake> {
        let others = schema.get("additionalProperties").filter(|s| **s != Value::Bool(false));
        let known: Vec<&str> = properties(schema).map(|(key, _)| key.as_str()).collect();
        for (key, _) in entries {
            if others.is_none() && !known.contains(&key.as_str()) {
                let hint = match did_you_mean(key, &known) {
                    hint if hint.is_empty() => self.home_of(key),
                    hint => hint,
                };
                let found = quoted(key);
                let sentence = format!("found the unknown key {found}, expected {}{hint}", one_of(&known));
                return Err(Mistake::new(At::Key, join(path, key), sentence));
            }
        }
        let required = required(schema);
        let mut object = Map::new();
        for (key, value) in entries {
            let Some(schema) = property(schema, key).or(others) else { continue };
            // `lines:` with everything below it commented out means the default, as if the key were not there.
            let empty = matches!(value, Node::Scalar { text, plain: true } if is_null(text));
            if empty && !required.contains(&key.as_str()) && others.is_none() {
                continue;
            }
            // The limits of a quantity hold for the numbers of its distribution, too.
            let inherit = matches!(key.as_str(), "min" | "max" | "median" | "values") || others.is_some();
            let expected = if inherit { expected.clone() } else { Expected::default() };
            object.insert(key.clone(), self.value(value, schema, &expected, &join(path, key))?);
        }
        if let Some(missing) = required.iter().find(|key| !object.contains_key(**key)) {
            let mut expected = Expected::default();
            let wanted = property(schema, missing).map(|p| {
                let resolved = self.resolve(p, &mut expected);
                self.describe(&self.alternatives(resolved, &expected), "")
            });
            let wanted = wanted.unwrap_or_else(|| "a value".into());
            let sentence = format!("the key {missing:?} is missing, expected {wanted}");
            return Err(Mistake::new(At::Value, path, sentence));
        }
        Ok(Value::Object(object))
    }

    /// Where a key that is unknown here would be at home.
    fn home_of(&self, key: &str) -> String {
        let section = properties(self.root).find(|(_, section)| {
            let section = self.resolve(section, &mut Expected::default());
            property(section, key).is_some()
        });
        section.map(|(name, _)| format!("; it belongs under `{name}`")).unwrap_or_default()
    }

    /// What is allowed, in words; `found` is what stands there instead.
    fn describe(&self, alternatives: &[(&Value, Expected)], found: &str) -> String {
        let mut texts: Vec<String> = Vec::new();
        let all_words: Vec<&str> = alternatives.iter().flat_map(|(s, _)| words(s)).collect();
        let mut add = |text: String| {
            if !texts.contains(&text) {
                texts.push(text);
            }
        };
        if !all_words.is_empty() {
            add(one_of(&all_words));
        }
        for (schema, expected) in alternatives {
            if has_type(schema, "integer") {
                add(expected.describe_number(true, found));
            } else if has_type(schema, "number") {
                add(expected.describe_number(false, found));
            } else if has_type(schema, "boolean") {
                add("true or false".into());
            } else if has_type(schema, "array") {
                add("a list".into());
            } else if has_type(schema, "string") && all_words.is_empty() {
                add("text".into());
            }
        }
        let objects: Vec<&Value> = alternatives.iter().map(|(s, _)| *s).filter(|s| has_type(s, "object")).collect();
        match objects[..] {
            [] => {}
            [object] => {
                let keys: Vec<String> = required(object).iter().map(|key| format!("`{key}`")).collect();
                let with = if keys.is_empty() { "" } else { " with " };
                texts.push(format!("a mapping{with}{}", keys.join(" and ")));
            }
            _ => texts.push(format!("a mapping with {}", one_of(&distinguishing_keys(&objects)))),
        }
        texts.join(", or ")
    }
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// A YAML number, or why it is none.
fn number(text: &str, plain: bool, whole: bool) -> Result<Value, String> {
    let looks_numeric = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    if !plain && looks_numeric && text.parse::<f64>().is_ok() {
        return Err("; remove the quotes".into());
    }
    if let Ok(value) = text.parse::<u64>() {
        return Ok(value.into());
    }
    if let Ok(value) = text.parse::<i64>() {
        return Ok(value.into());
    }
    match text.parse::<f64>() {
        Ok(value) if looks_numeric && value.is_finite() => {
            // 2^53: above it a decimal number no longer names one whole number.
            if whole && (value.fract() != 0.0 || value.abs() > 9_007_199_254_740_992.0) {
                return Err(String::new());
            }
            if whole && value >= 0.0 { Ok((value as u64).into()) } else { Ok(value.into()) }
        }
        Err(_) if looks_numeric && text.replace(',', ".").parse::<f64>().is_ok() => {
            Err(format!("; did you mean {}?", text.replace(',', ".")))
        }
        Err(_) if looks_numeric && text.ends_with(|c: char| c.is_alphabetic()) => {
            Err("; leave the unit out, the key states it".into())
        }
        _ => Err(String::new()),
    }
}

/// Free-form JSON, as in inline GeoJSON.
fn anything(node: &Node) -> Value {
    match node {
        Node::Scalar { text, plain } => match number(text, *plain, false) {
            _ if *plain && is_null(text) => Value::Null,
            Ok(number) if *plain => number,
            _ if *plain && text == "true" => Value::Bool(true),
            _ if *plain && text == "false" => Value::Bool(false),
            _ => Value::String(text.clone()),
        },
        Node::Sequence(items) => items.iter().map(anything).collect(),
        Node::Mapping(entries) => {
            Value::Object(entries.iter().map(|(key, value)| (key.clone(), anything(value))).collect())
        }
    }
}
