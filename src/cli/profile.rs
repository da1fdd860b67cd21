//! `couloir profile`: terrain and layers along a line, or trajectories from the side.

use std::path::PathBuf;

use crate::process::console::say;
use crate::review::profile::{self, Along};
use crate::review::track_profile;
use crate::texts::Language;
use crate::{Error, Result};

/// Show a run along a line: terrain, energy, velocity, jump height and all its other layers; or trajectories from the side.
///
/// Writes DIR/profile.csv, profile.json, profile.svg and the page profile.html.
///
/// Examples:
///   couloir profile runs/today --line road.gpkg --out along_road
///   couloir profile runs/today --points 2786300,1181700 2786900,1181400 --out section
///   couloir profile --tracks runs/today/trajectories/trajectory_points.gpkg --out from_the_side
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[command(group(clap::ArgGroup::new("where").required(true).args(["line", "points", "tracks"])))]
pub(super) struct Args {
    /// Folder of a finished run.
    #[arg(required_unless_present = "tracks", conflicts_with = "tracks")]
    run: Option<PathBuf>,
    /// Vector file with the line or lines, in any CRS.
    #[arg(long, value_name = "FILE")]
    line: Option<String>,
    /// Corners of the line, in the CRS of the run; one with a minus is written --points=-100,200.
    #[arg(long, value_name = "X,Y", num_args = 1..)]
    points: Option<Vec<String>>,
    /// Point records of a run (`outputs.points_every_s`), or a part of them: each trajectory along its own way.
    #[arg(long, value_name = "FILE")]
    tracks: Option<String>,
    /// Distance of the points along the line, m; default: half a cell.
    #[arg(long, value_name = "M", conflicts_with = "tracks")]
    step: Option<f64>,
    /// At most this many trajectories.
    #[arg(long, value_name = "N", default_value_t = 50, requires = "tracks", value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
    /// Folder for the profile.
    #[arg(long, value_name = "DIR", value_parser = super::output_name)]
    out: PathBuf,
    /// Replace what an earlier profile left in the folder.
    #[arg(long)]
    overwrite: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let page = args.out.join("profile.html");
    if let Some(records) = &args.tracks {
        let count = track_profile::tracks(records, args.most as usize, &args.out, args.overwrite)?;
        return super::print(&format!("{count} trajectories\n{}\n", page.display()));
    }
    if let Some(step) = args.step.filter(|step| !(*step > 0.0 && step.is_finite())) {
        return Err(Error::usage(format!("--step {step}: expected metres above 0")));
    }
    let along = match (args.line, args.points) {
        (Some(file), _) => Along::File(file),
        (None, points) => Along::Points(corners(&points.unwrap_or_default())?),
    };
    let made = profile::along(&args.run.unwrap_or_default(), &along, args.step, &args.out, args.overwrite)?;
    made.notes.iter().for_each(|note| say(&format!("warning: {}", note.in_language(Language::En))));
    super::print(&format!("{} lines, {:.1} m, {} points\n{}\n", made.lines, made.length_m, made.points, page.display()))
}

/// `2786300,1181700` and so on.
fn corners(texts: &[String]) -> Result<Vec<[f64; 2]>> {
    let corner = |text: &String| {
        let numbers = text.split_once(',').and_then(|(x, y)| Some([x.trim().parse().ok()?, y.trim().parse().ok()?]));
        let finite = numbers.filter(|numbers: &[f64; 2]| numbers.iter().all(|number| number.is_finite()));
        finite.ok_or_else(|| Error::usage(format!("--points: found {text:?}; expected x,y in the CRS of the run")))
    };
    let corners = texts.iter().map(corner).collect::<Result<Vec<_>>>()?;
    match corners.len() {
        0 | 1 => {
            Err(Error::usage("--points: found one corner; expected at least two, e.g. 2786300,1181700 2786900,1181400"))
        }
        _ => Ok(corners),
    }
}
