//! What the user should read although nothing failed: every note and warning, with a stable code and its values.
//!
//! The text is English; code and values let other programs and translations say the same in their own words.
//! `couloir schema --notes` lists them.

mod list;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use list::Note;

/// Declares [`Note`]: each variant with its values and its text, whose `{names}` are those of the values or of what is made of them.
macro_rules! notes {
    ($($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),+ $(,)? })? =>
        $text:literal $(, $made:ident = $how:expr)*;)+) => {
        /// A sentence the user should read, by kind, with the values in it.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(remote = "Self", tag = "code", rename_all = "snake_case")]
        #[allow(missing_docs)] // The values are named in the texts.
        pub enum Note {
            $($(#[$doc])* $name $({ $($field: $type),+ })?,)+
        }

        impl Note {
            /// Name and text of every kind, in order.
            pub(super) const ALL: &'static [(&'static str, &'static str)] = &[$((stringify!($name), $text)),+];

            pub(super) fn name(&self) -> &'static str {
                match self { $(Self::$name { .. } => stringify!($name),)+ }
            }
        }

        impl std::fmt::Display for Note {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(#[allow(unused_variables)] // Values for other programs need not be in the text.
                    Self::$name $({ $($field),+ })? => {
                        $(let $made = $how;)*
                        write!(f, $text)
                    })+
                }
            }
        }
    };
}
use notes;

impl Note {
    /// Stable name of the kind, for programs and translations.
    pub fn code(&self) -> String {
        snake_case(self.name())
    }

    /// Code and English text of every kind.
    pub fn catalogue() -> impl Iterator<Item = (String, &'static str)> {
        Self::ALL.iter().map(|(name, text)| (snake_case(name), *text))
    }
}

fn snake_case(name: &str) -> String {
    let mut code = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            code.push('_');
        }
        code.push(c.to_ascii_lowercase());
    }
    code
}

/// As it is stored: code, text and values.
#[derive(Serialize)]
struct Written<'a> {
    #[serde(flatten, serialize_with = "Note::serialize")]
    note: &'a Note,
    text: String,
}

/// As it is read: one we know, one of a newer version, or the bare text of an older one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Read {
    Known(#[serde(deserialize_with = "Note::deserialize")] Note),
    Newer { text: String },
    Text(String),
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Serialize::serialize(&Written { note: self, text: self.to_string() }, serializer)
    }
}

impl<'de> Deserialize<'de> for Note {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Deserialize::deserialize(deserializer)? {
            Read::Known(note) => note,
            Read::Newer { text } | Read::Text(text) => Self::Told { sentence: text },
        })
    }
}

/// A share in percent: two digits where it is small.
fn percent(percent: f64) -> String {
    if percent >= 1.0 { format!("{percent:.0} %") } else { format!("{percent:.2} %") }
}

/// What part of a whole some are, in percent.
fn share(some: u64, of: u64) -> String {
    percent(100.0 * some as f64 / of.max(1) as f64)
}

/// `1 rock`, `3 rocks`.
fn rocks(count: u64) -> String {
    if count == 1 { "1 rock".into() } else { format!("{count} rocks") }
}

/// ` (with barriers)`, or nothing without a variant.
fn of_variant(name: &Option<String>) -> String {
    name.as_ref().map_or(String::new(), |name| format!(" ({})", name.replace('_', " ")))
}

/// Numbers in a row, with a sign that there are more.
fn first_of(numbers: &[u64], all: usize) -> String {
    let some: Vec<String> = numbers.iter().map(u64::to_string).collect();
    some.join(", ") + if all > numbers.len() { ", …" } else { "" }
}

fn metres(value: Option<f64>) -> impl fmt::Display {
    value.map_or("unknown".to_string(), |metres| format!("{metres} m"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_stable_in_form() {
        let mut codes: Vec<String> = Note::catalogue().map(|(code, _)| code).collect();
        let all = codes.len();
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), all);
        assert!(codes.iter().all(|code| code.chars().all(|c| c.is_ascii_lowercase() || c == '_')), "{codes:?}");
        assert_eq!(Note::EndedAtMaxTime { rocks: 2 }.code(), "ended_at_max_time");
    }

    #[test]
    fn a_note_comes_back_from_what_is_stored_of_it() {
        let inner = Box::new(Note::FewRocks { percent: 95.0, rocks: 3, needed: 59 });
        let note = Note::OfLine { line: "road".into(), variant: Some("with_barriers".into()), note: inner };
        let stored = serde_yaml::to_value(&note).unwrap();
        assert_eq!(stored["code"].as_str(), Some("of_line"));
        assert_eq!(stored["note"]["rocks"].as_u64(), Some(3));
        assert!(
            stored["text"].as_str().unwrap().starts_with("line road (with barriers): The 95 % quantile rests on 3")
        );
        assert_eq!(serde_yaml::from_value::<Note>(stored).unwrap(), note);
        let unit = serde_yaml::to_value(Note::FreeboardRaised).unwrap();
        assert_eq!(serde_yaml::from_value::<Note>(unit).unwrap(), Note::FreeboardRaised);
    }

    #[test]
    fn notes_of_other_versions_keep_their_text() {
        for text in ["Rocks are few.", "{code: of_the_future, values: 3, text: Rocks are few.}"] {
            let note: Note = serde_yaml::from_str(text).unwrap();
            assert_eq!(note.to_string(), "Rocks are few.");
        }
    }
}
