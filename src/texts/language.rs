//! Which language is spoken.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A language of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Deutsch.
    De,
    /// Français.
    Fr,
    /// Italiano.
    It,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::En, Self::De, Self::Fr, Self::It];

    /// As in HTML, in names of files and on the command line.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Fr => "fr",
            Self::It => "it",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// What the user told on the command line, and what a project or an earlier run wishes.
static TOLD: AtomicU8 = AtomicU8::new(NOTHING);
static WISHED: AtomicU8 = AtomicU8::new(NOTHING);
const NOTHING: u8 = u8::MAX;

/// From now on this process writes in this language, whatever a project wishes.
pub fn speak(language: Language) {
    TOLD.store(language as u8, Ordering::Relaxed);
}

/// What the project or the run at hand wishes, if the user told nothing.
pub fn speak_unless_told(language: Language) {
    WISHED.store(language as u8, Ordering::Relaxed);
}

/// The language this process writes in: English unless somebody wished otherwise.
pub fn spoken() -> Language {
    let known = |choice: &AtomicU8| Language::ALL.get(usize::from(choice.load(Ordering::Relaxed))).copied();
    known(&TOLD).or_else(|| known(&WISHED)).unwrap_or_default()
}
