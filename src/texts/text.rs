//! A text that is put into words when it is shown.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Language, catalogue, spoken};

/// Words as they are (names the user gave), or a message of the catalogue with what stands in its places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    /// The same in every language.
    Plain(String),
    /// Of the catalogue.
    Message {
        /// Name in the catalogue.
        key: String,
        /// By the name of the place.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        args: BTreeMap<String, Arg>,
    },
}

/// What stands in a place of a message. Counts decide between singular and plural; measured numbers come as text, with as
/// many digits as they deserve and a decimal point, which all four languages read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Arg {
    /// A count.
    Count(u64),
    /// Words, or another message.
    Words(Text),
}

impl Text {
    /// A message of the catalogue.
    pub fn message<const N: usize>(key: &str, args: [(&str, Arg); N]) -> Self {
        let args = args.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        Self::Message { key: key.into(), args }
    }

    /// Several, one after the other.
    pub fn joined(texts: impl IntoIterator<Item = Self>) -> Self {
        let mut texts = texts.into_iter();
        let first = texts.next().unwrap_or_default();
        texts.fold(first, |all, next| {
            Self::message("and-then", [("first", Arg::Words(all)), ("next", Arg::Words(next))])
        })
    }

    /// Nothing to show.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Plain(text) if text.is_empty())
    }

    /// In words.
    pub fn in_language(&self, language: Language) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Message { key, args } => catalogue::words(language, key, args),
        }
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::Plain(String::new())
    }
}

/// In the language spoken now.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(spoken()))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::Plain(text.into())
    }
}

impl From<&&str> for Text {
    fn from(text: &&str) -> Self {
        Self::Plain(text.to_string())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Plain(text)
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Self {
        Self::Plain(text.clone())
    }
}

impl From<u64> for Arg {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<usize> for Arg {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<u32> for Arg {
    fn from(count: u32) -> Self {
        Self::Count(u64::from(count))
    }
}

impl<T: Into<Text>> From<T> for Arg {
    fn from(text: T) -> Self {
        Self::Words(text.into())
    }
}
