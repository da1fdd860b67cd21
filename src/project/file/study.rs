//! Who made the study, for whom.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who made the study, for whom: what a plan says in its corner. Everything may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Study {
    /// The office that signs.
    pub office: Option<String>,
    /// Who made it.
    pub author: Option<String>,
    /// Who ordered it.
    pub client: Option<String>,
    /// Number of the plan.
    pub plan_number: Option<String>,
    /// Version of the study.
    pub version: Option<String>,
    /// Date of the study as it shall stand on it, e.g. `2026-11-17`; default: the day the run ended.
    pub date: Option<String>,
    /// Whether it may be handed in; default: `draft`, which every page then says.
    pub status: Status,
}

/// How far a study is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// To be looked at.
    #[default]
    Draft,
    /// To be signed.
    Final,
}

impl Study {
    /// Key and value of everything that is given.
    pub fn given(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("office", &self.office),
            ("author", &self.author),
            ("client", &self.client),
            ("plan_number", &self.plan_number),
            ("version", &self.version),
            ("date", &self.date),
        ];
        all.into_iter().filter_map(|(key, value)| Some((key, value.as_deref()?))).collect()
    }
}
