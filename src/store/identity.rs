//! By which a run is known, and its parts to be parts of one.

use serde::{Deserialize, Serialize};

use crate::project::file::Until;

/// What makes two parts parts of the same run. Joining and continuing demand all of it. A finished run may be classified by
/// any engine that reads its counts: what they mean is settled by the magic of `state_file` alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// That computes it.
    pub engine_version: String,
    /// Of the project file.
    pub project_sha256: String,
    /// Every input with the hash of what was read from it.
    pub inputs: Vec<(String, String)>,
    /// Of all random draws.
    pub seed: u64,
    /// Releases the project plans.
    pub planned: u64,
    /// Trajectories of the whole run: all of them, or as many as `--limit` lets through, or as it took to settle.
    pub total: u64,
    /// Rocks a round, if releases are numbered by rounds.
    #[serde(default)]
    pub round: Option<u64>,
    /// What the map is to settle to; then `total` is the most, and in the end the count it settled at.
    #[serde(default)]
    pub until: Option<Until>,
}

impl Identity {
    /// Why another part does not belong to this run; `None` if it does.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let differs =
            |what: &str, a: &dyn std::fmt::Display, b: &dyn std::fmt::Display| Some(format!("{what} ({a} and {b})"));
        let short = |hash: &str| hash.chars().take(12).collect::<String>();
        if self.engine_version != other.engine_version {
            return differs(
                "versions of couloir, each built from sources of its own",
                &self.engine_version,
                &other.engine_version,
            );
        }
        if self.project_sha256 != other.project_sha256 {
            return differs(
                "project files, by their hash",
                &short(&self.project_sha256),
                &short(&other.project_sha256),
            );
        }
        for ((input, mine), (_, theirs)) in self.inputs.iter().zip(&other.inputs) {
            if mine != theirs {
                let what = format!("numbers in {input} as it was read, by their hash");
                return differs(&what, &short(mine), &short(theirs));
            }
        }
        if self.inputs.len() != other.inputs.len() {
            return differs("numbers of inputs", &self.inputs.len(), &other.inputs.len());
        }
        if self.seed != other.seed {
            return differs("seeds", &self.seed, &other.seed);
        }
        if self.until != other.until {
            return Some("measures under `simulation.until` (or --until-stable in one of them only)".into());
        }
        if self.round != other.round {
            return Some("ways of numbering the rocks (--rocks in one of them only)".into());
        }
        if self.until.is_none() && (self.planned, self.total) != (other.planned, other.total) {
            return differs("numbers of trajectories", &self.total, &other.total);
        }
        None
    }
}
