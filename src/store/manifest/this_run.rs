//! Which program made a run, when, and on which machine.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::seal;

/// The program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Engine {
    /// By which it is known.
    pub name: String,
    /// Of the program.
    pub version: String,
    /// Commit the engine was built from; `unknown` when it was not built in a repository.
    pub git_revision: String,
    /// Hash of its sources and of the versions of its libraries: engines with the same one compute the same.
    #[serde(default)]
    pub source_hash: String,
}

impl Engine {
    pub(crate) fn this() -> Self {
        Self {
            name: env!("CARGO_PKG_NAME").into(),
            version: env!("CARGO_PKG_VERSION").into(),
            git_revision: option_env!("COULOIR_GIT_REVISION").unwrap_or("unknown").into(),
            source_hash: env!("COULOIR_SOURCE_HASH").into(),
        }
    }
}

/// What differs from run to run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ThisRun {
    /// Seconds since 1970 (UTC) when the run ended, and the same as a date.
    pub finished_unix_s: u64,
    /// See `finished_unix_s`.
    pub finished_utc: String,
    /// Seconds per stage, in order.
    pub seconds: Vec<(String, f64)>,
    /// That worked.
    pub threads: usize,
    /// And processor architecture.
    pub operating_system: String,
    /// Its name, where the system tells it.
    pub processor: String,
    /// Cores the process might use.
    pub processors: usize,
    /// As it was typed.
    pub command: String,
    /// Where the project file was, an absolute path: paths in the project and of the inputs are relative to its folder.
    #[serde(default)]
    pub project_path: String,
    /// Of the page.
    pub report_sha256: Option<String>,
    /// Hash of this file with zeros in place of the hash: a changed or damaged manifest is noticed.
    #[serde(default)]
    pub seal: String,
}

impl ThisRun {
    /// Machine, command line, place of the project and the time now.
    pub(crate) fn now(project: &Path, seconds: Vec<(String, f64)>, threads: usize) -> Self {
        let unix = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
        Self {
            finished_unix_s: unix,
            finished_utc: utc(unix),
            seconds,
            threads,
            operating_system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor(),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            command: std::env::args().collect::<Vec<_>>().join(" "),
            project_path: std::path::absolute(project).unwrap_or(project.to_path_buf()).display().to_string(),
            report_sha256: None,
            seal: seal::BLANK.into(),
        }
    }
}

/// Name of the processor where the system tells it.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim()));
    name.unwrap_or("unknown").to_string()
}

/// `2026-03-01 12:00:00 UTC` of a Unix time (Howard Hinnant's civil calendar).
fn utc(unix_s: u64) -> String {
    let (days, seconds) = ((unix_s / 86_400) as i64, unix_s % 86_400);
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(1_767_225_599), "2025-12-31 23:59:59 UTC");
    }
}
