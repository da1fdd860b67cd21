//! `couloir score`: a run against what was observed.

use std::path::PathBuf;

use crate::score::{self, Along, Wish};
use crate::{Error, Result};

/// Compare a finished run with observations: run-out, lateral spread, deposits, largest values, passages at lines.
///
/// FILE is a CSV table with a row for each rock, or a layer of points where rocks ended (any vector format, any CRS). Columns of a
/// CSV, all in the run's CRS and all optional: runout_m, start_x_m, start_y_m, x_m, y_m (where it ended), censored (1: it went
/// on), jump_max_m, velocity_max_m_s, energy_max_kj, rotation_max_rps. A row with a name in the column `line` is a passage of
/// the project's line of that name: velocity_m_s, energy_kj, jump_m, centre_height_m.
///
/// Writes score.json, score.html and the drawings as SVG. Every distance stands beside the one that chance exceeds once in
/// 20 times for samples of these sizes; rocks that left the terrain count as at least as far (Kaplan–Meier).
///
/// Example:
///   couloir score runs/tests --observed deposits.csv --group block --out score
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Folder of the run.
    run: PathBuf,
    /// Observations: a CSV table, or a layer of points.
    #[arg(long, value_name = "FILE")]
    observed: PathBuf,
    /// Also compare group by group: a column of the observations that the run's rocks have, too: an attribute kept with
    /// `keep_attributes`, or release, feature, shape, scenario.
    #[arg(long, value_name = "FIELD")]
    group: Option<String>,
    /// Measure run-out along this direction, clockwise from grid north, degrees; default: the distance from start to end.
    #[arg(long, value_name = "DEGREES", conflicts_with = "along", allow_negative_numbers = true)]
    azimuth: Option<f64>,
    /// Measure run-out along the only line of this layer.
    #[arg(long, value_name = "LINE")]
    along: Option<PathBuf>,
    /// Read a column of the observations under another name; may be given several times.
    #[arg(long, value_name = "NAME=COLUMN")]
    column: Vec<String>,
    /// Compare the rocks with barriers acting, instead of the slope as it is.
    #[arg(long)]
    with_barriers: bool,
    /// Folder for the score; default: RUN-score.
    #[arg(long, value_name = "DIR", value_parser = super::output_name)]
    out: Option<PathBuf>,
    /// Replace what an earlier score left in the folder.
    #[arg(long)]
    overwrite: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, column)) if !name.trim().is_empty() && !column.trim().is_empty() => {
            Ok((name.trim().to_string(), column.trim().to_string()))
        }
        _ => Err(Error::usage(format!("--column: found {text:?}, expected NAME=COLUMN, such as runout_m=distance"))),
    };
    let columns = args.column.iter().map(pair).collect::<Result<_>>()?;
    if let Some(azimuth) = args.azimuth.filter(|azimuth| !azimuth.is_finite() || azimuth.abs() > 360.0) {
        return Err(Error::usage(format!("--azimuth: found {azimuth}, expected degrees from -360 to 360")));
    }
    let wish = Wish {
        along: args.azimuth.map(Along::Azimuth).or(args.along.map(Along::Line)),
        out: args.out.unwrap_or_else(|| score::default_folder(&args.run)),
        run: args.run,
        observed: args.observed,
        group: args.group,
        columns,
        with_barriers: args.with_barriers,
        overwrite: args.overwrite,
    };
    let found = score::score(&wish)?;
    let mut text = String::new();
    for part in &found.parts {
        let name = part.group.clone().unwrap_or("all".into());
        for quantity in &part.quantities {
            let c = &quantity.comparison;
            text += &format!(
                "{name}: {} observed {:.1} ± {:.1}, simulated {:.1} ± {:.1} {}, KS {:.3} (chance {:.3})\n",
                quantity.name,
                c.observed.mean,
                c.observed.standard_deviation,
                c.simulated.mean,
                c.simulated.standard_deviation,
                quantity.unit,
                c.ks,
                c.ks_chance
            );
        }
    }
    found.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
    super::print(&format!("{text}{}\n", wish.out.join(score::PAGE).display()))
}
