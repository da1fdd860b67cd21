//! `couloir validate`: published numbers beside ours.

use std::fmt::Write;
use std::path::PathBuf;

use crate::files::atomic;
use crate::files::marked::Marked;
use crate::process::console::say;
use crate::validate::{self, CASES, Case, Report, Row, Settings, Status, Takes, Tolerance};
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
    /// Only settings that have all these words, in the cases `stepping` and `convergence`: --only "cube medium plane 35". `convergence --only rebounds`: single rebounds alone.
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
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
    let settings =
        Settings { quick: args.quick, plots: args.plots.is_some(), rocks: args.rocks, only: args.only.clone() };
    let plots = args.plots.as_deref().map(|folder| Marked::open(folder, "couloir validate --plots")).transpose()?;
    let report = validate::run(&args.cases, &settings)?;
    if args.json {
        let text = serde_json::to_string_pretty(&report.rows)
            .map_err(|e| Error::failed(format!("cannot write the rows as JSON: {e}")).caused_by(e))?;
        super::print(&(text + "\n"))?;
    } else {
        super::print(&table(&report))?;
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

fn table(report: &Report) -> String {
    let mut out = String::new();
    let width = |text: fn(&Row) -> String| report.rows.iter().map(|r| text(r).chars().count()).max().unwrap_or(0);
    let quantity_width = width(|r| r.quantity.clone()).max(8);
    let mut heading = String::new();
    for row in &report.rows {
        let here = format!("{}: {}", row.case, row.source);
        if here != heading {
            let _ = writeln!(out, "\n{here}");
            heading = here;
        }
        let published = row.published.map(number).unwrap_or_default();
        let verdict = match row.status {
            Status::Pass => "pass",
            Status::Fail => "FAIL",
            Status::Info => "",
        };
        let note = if row.note.is_empty() { String::new() } else { format!("  ({})", row.note) };
        let line = format!(
            "  {:quantity_width$}  {published:>14}  {:>16}  {:>10}  {verdict:4}{note}",
            row.quantity,
            number(row.computed),
            tolerance(row.tolerance)
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let count = |status| report.rows.iter().filter(|r| r.status == status).count();
    let _ = writeln!(
        out,
        "\n{} rows: {} pass, {} fail, {} for information\ncolumns: quantity, published, computed, tolerance, verdict",
        report.rows.len(),
        count(Status::Pass),
        count(Status::Fail),
        count(Status::Info)
    );
    out
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
