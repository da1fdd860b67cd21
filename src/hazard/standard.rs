//! What a user chooses about the dimensioning of a barrier. The doc comments are the reference users read (`couloir schema`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Dimensioning of a barrier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Dimensioning {
    /// Standard to follow.
    pub standard: Standard,
    /// Quantile of energy and height, 0 to 1; default: the standard's (0.95).
    pub quantile: Option<f64>,
    /// Partial factors by name, replacing the standard's.
    pub factors: BTreeMap<String, f64>,
    /// Freeboard above the height quantile.
    pub freeboard_m: f64,
}

impl Default for Dimensioning {
    fn default() -> Self {
        Self { standard: Standard::default(), quantile: None, factors: BTreeMap::new(), freeboard_m: 0.5 }
    }
}

/// Standard by which barriers are dimensioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standard {
    /// UNI 11211-4.
    #[default]
    #[serde(rename = "uni_11211_4")]
    Uni11211,
    /// ONR 24810.
    #[serde(rename = "onr_24810")]
    Onr24810,
}
