//! `couloir validate`: published numbers beside ours.

use std::fmt::Write;
use std::path::PathBuf;

use crate::files::atomic;
use crate::files::marked::Marked;
use crate::process::console::say;
use crate::process::progress::{Mode, Progress};
use crate::validate::kept::Kept;
use crate::validate::{self, CASES, Case, Listener, Report, Row, Settings, Status, Takes, Tolerance};
use crate::{Error, Result};

/// Recompute what the source papers published and compare.
///
/// One row a number: source, quantity, published, computed, tolerance, verdict. Exit code 1 if any fails.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Cases to run; all if none is given (see --list).
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// Print the rows as JSON.
    #[arg(long)]
    json: bool,
    /// Write the papers' figures from our data into this folder, as SVG; it must be new, empty, or from an earlier call.
    #[arg(long, value_name = "DIR", value_parser = super::output_name)]
    plots: Option<PathBuf>,
    /// List the cases and end.
    #[arg(long)]
    list: bool,
    /// Smaller ensembles and no timings.
    #[arg(long)]
    quick: bool,
    /// Rocks of each ensemble, in the cases `stepping` and `convergence`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(10..))]
    rocks: Option<u64>,
    /// Only settings that have all these words, in the cases `stepping` and `convergence`: --only "cube medium plane 35". `--only short`: short falls of the same rocks alone; `convergence --only rebounds`: single rebounds alone.
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Keep the falls of `stepping` and `convergence` in this folder: the same call goes on where it was stopped. For one build of couloir.
    #[arg(long, value_name = "DIR", value_parser = super::output_name)]
    keep: Option<PathBuf>,
    /// How progress is shown.
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    progress: Mode,
}

pub(super) fn run(args: Args) -> Result<()> {
    if args.list {
        let line = |case: &Case| {
            let takes = match case.takes {
                Takes::Seconds => "",
                Takes::Minutes => " (takes minutes)",
                Takes::Hours => " (takes hours; only its quick part unless it is named)",
            };
            format!("{:16} {}{takes}\n", case.name, case.title)
        };
        return super::print(&CASES.iter().map(line).collect::<String>());
    }
    let keep = args.keep.clone().map(Kept::open).transpose()?;
    let (quick, plots) = (args.quick, args.plots.is_some());
    let settings = Settings { quick, plots, rocks: args.rocks, only: args.only.clone(), keep };
    let plots = args.plots.as_deref().map(|folder| Marked::open(folder, "couloir validate --plots")).transpose()?;
    let shown = Shown { progress: Progress::new(args.progress), rows: !args.json, heading: String::new() };
    let report = validate::run(&args.cases, &settings, Some(Box::new(shown)))?;
    if args.json {
        let text = serde_json::to_string_pretty(&report.rows)
            .map_err(|e| Error::failed(format!("cannot write the rows as JSON: {e}")).caused_by(e))?;
        super::print(&(text + "\n"))?;
    } else {
        super::print(&summary(&report))?;
    }
    if let (Some(plots), Some(folder)) = (plots, &args.plots) {
        for figure in &report.figures {
            atomic::write_bytes(&plots.path(&format!("{}.svg", figure.name)), figure.svg.as_bytes())?;
        }
        plots.commit(false)?;
        say(&format!("{} figures in {}", report.figures.len(), folder.display()));
    }
    match report.failures() {
        0 => Ok(()),
        n => Err(Error::failed(format!("{n} of {} validation rows failed", report.rows.len()))),
    }
}

/// Rows as they come: a case may take hours.
struct Shown {
    progress: Progress,
    /// Whether rows are printed at all.
    rows: bool,
    heading: String,
}

/// Room for the names of quantities; longer ones move what follows.
const QUANTITY_WIDTH: usize = 46;

impl Listener for Shown {
    fn row(&mut self, row: &Row) {
        if !self.rows {
            return;
        }
        let heading = format!("\n{}: {}\n", row.case, row.source);
        let mut text = if heading == self.heading { String::new() } else { heading.clone() };
        self.heading = heading;
        let _ = writeln!(text, "{}", line(row));
        // If it cannot be printed, nor can the summary, which says so.
        let _ = self.progress.beside(|| super::print(&text));
    }

    fn stage(&mut self, name: &str, steps: u64) {
        self.progress.stage(name, steps);
    }

    fn step(&mut self) {
        self.progress.add(1);
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.progress.finish();
    }
}

fn line(row: &Row) -> String {
    let published = row.published.map(number).unwrap_or_default();
    let verdict = match row.status {
        Status::Pass => "pass",
        Status::Fail => "FAIL",
        Status::Info => "",
    };
    let note = if row.note.is_empty() { String::new() } else { format!("  ({})", row.note) };
    let line = format!(
        "  {:QUANTITY_WIDTH$}  {published:>14}  {:>16}  {:>10}  {verdict:4}{note}",
        row.quantity,
        number(row.computed),
        tolerance(row.tolerance)
    );
    line.trim_end().to_owned()
}

fn summary(report: &Report) -> String {
    let count = |status| report.rows.iter().filter(|r| r.status == status).count();
    format!(
        "\n{} rows: {} pass, {} fail, {} for information\ncolumns: quantity, published, computed, tolerance, verdict\n",
        report.rows.len(),
        count(Status::Pass),
        count(Status::Fail),
        count(Status::Info)
    )
}

fn number(value: f64) -> String {
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) { trimmed(value) } else { format!("{value:.4e}") }
}

/// Nine significant digits without trailing zeros.
fn trimmed(value: f64) -> String {
    let digits = if value == 0.0 { 0 } else { (8 - value.abs().log10().floor() as i32).max(0) as usize };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn tolerance(tolerance: Tolerance) -> String {
    match tolerance {
        Tolerance::Absolute(limit) if limit > 0.0 && limit < 1e-2 => format!("±{limit:.1e}"),
        Tolerance::Absolute(limit) => format!("±{limit}"),
        Tolerance::Relative(limit) if limit < 1e-4 => format!("±{limit:.0e} rel"),
        Tolerance::Relative(limit) => format!("±{}%", trimmed(100.0 * limit)),
        Tolerance::Truncated(decimals) => format!("{decimals} digits"),
        Tolerance::AtMost => "≤".into(),
        Tolerance::AtLeast => "≥".into(),
        Tolerance::None => String::new(),
    }
}
