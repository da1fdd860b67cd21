//! The words of reports, maps, legends and layers, in four languages.
//!
//! One catalogue of [Fluent](https://projectfluent.org) files (`locales/en.ftl`, `de.ftl`, `fr.ftl`, `it.ftl`) is compiled into
//! the engine and packed with the QGIS plugin. Errors of the command line stay English.
//!
//! A process speaks one language, chosen once by its verb ([`speak`]), as with gettext. What is stored to be shown later is
//! a [`Text`], which is put into words only when it is shown: a report is written again in another language from its data.

mod catalogue;
mod language;
mod template;
mod text;
mod translate;

pub use catalogue::{keys, variables};
pub use language::{Language, speak, speak_unless_told, spoken};
pub(crate) use template::filled;
pub use text::{Arg, Text};
pub use translate::in_words;

/// A text of the catalogue, to be put into words when it is shown: `msg!("key", count = 3)`.
macro_rules! msg {
    ($key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::texts::Text::message($key, [$((stringify!($name), $crate::texts::Arg::from($value))),*])
    };
}

/// A text of the catalogue in the language spoken now: `say!("key", count = 3)`.
macro_rules! say {
    ($key:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::texts::msg!($key $(, $name = $value)*).to_string()
    };
}

pub(crate) use {msg, say};
