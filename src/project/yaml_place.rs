//! Where a key or value stands in a YAML file.
//!
//! serde hands values over without their places, but `serde_yaml` says where an error was met: the file is read again
//! along the path, and the reading ends with an error at its end.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::yaml::Place;

/// The place of the value at `path`, of its key, or of the nearest value above; and the tag before it, if there is one.
pub(crate) fn find(text: &str, path: &str, key: bool) -> (Place, Option<String>) {
    let walk = Walk { path, key };
    let error = walk.deserialize(serde_yaml::Deserializer::from_str(text)).err();
    let Some(at) = error.and_then(|error| error.location()) else { return (Place { line: 1, column: 1 }, None) };
    // Before a value may stand an anchor, and then a tag.
    let rest = text.get(at.index()..).unwrap_or_default();
    let named = rest.strip_prefix('&').and_then(|rest| rest.split_once(char::is_whitespace));
    let rest = named.map_or(rest, |(_, rest)| rest.trim_start());
    let ends = |c: char| c.is_whitespace() || ",[]{}".contains(c);
    let tag = rest.split(ends).next().filter(|word| word.starts_with('!')).map(str::to_string);
    (Place { line: at.line(), column: at.column() }, tag)
}

/// Follows a path and ends with an error there.
#[derive(Clone, Copy)]
struct Walk<'p> {
    /// What is left of the path.
    path: &'p str,
    key: bool,
}

impl<'p> Walk<'p> {
    /// The rest of the path below a key, if it leads there. Keys may hold dots and brackets themselves.
    fn below_key(self, key: &str) -> Option<&'p str> {
        let rest = self.path.strip_prefix(key)?;
        match rest.strip_prefix('.') {
            Some(rest) => Some(rest),
            None => (rest.is_empty() || rest.starts_with('[')).then_some(rest),
        }
    }

    fn below_index(self) -> Option<(usize, &'p str)> {
        let (index, rest) = self.path.strip_prefix('[')?.split_once(']')?;
        Some((index.parse().ok()?, rest.strip_prefix('.').unwrap_or(rest)))
    }

    fn here<E: Error>(self) -> E {
        E::custom("here")
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    // Every scalar is the end of the path: the methods left out answer with an error, too.
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the end of a path")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Some((index, path)) = self.below_index() else { return Err(self.here()) };
        for _ in 0..index {
            if items.next_element::<IgnoredAny>()?.is_none() {
                return Err(self.here());
            }
        }
        match items.next_element_seed(Walk { path, ..self })? {
            Some(()) => Ok(()),
            None => Err(self.here()),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        if self.path.is_empty() {
            return Err(self.here());
        }
        while let Some(key) = entries.next_key_seed(KeyOf(self))? {
            match self.below_key(&key) {
                Some(path) => entries.next_value_seed(Walk { path, ..self })?,
                None => {
                    entries.next_value::<IgnoredAny>()?;
                }
            }
        }
        Err(self.here())
    }
}

/// Reads a key; ends there if it is the one looked for.
struct KeyOf<'p>(Walk<'p>);

impl<'de> DeserializeSeed<'de> for KeyOf<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for KeyOf<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        if self.0.key && self.0.path == key { Err(self.0.here()) } else { Ok(key.to_string()) }
    }
}
