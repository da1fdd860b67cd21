//! A finished run against what was observed: run-out, spread, deposits, largest values, passages at lines, all of them and by group.

mod data;
mod deposits;
mod direction;
mod page;
mod samples;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use self::data::{Data, LARGEST, PASSING};
use crate::draw::svg::figure;
use crate::files::marked::Marked;
use crate::files::{atomic, inputs};
use crate::review::FinishedRun;
use crate::{Error, Result};

pub(crate) use self::deposits::Deposits;
pub(crate) use self::direction::Direction;
pub(crate) use self::samples::{Comparison, Figures};

pub(crate) const PAGE: &str = "score.html";
const DATA: &str = "score.json";
/// Of [`DATA`]: changes when its meaning does.
const FORMAT: u32 = 1;
/// A comparison with fewer observations is shown, with a word about it.
const FEW: usize = 5;

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    /// Folder of the run.
    pub run: PathBuf,
    /// CSV table or points.
    pub observed: PathBuf,
    /// A column both sides have.
    pub group: Option<String>,
    /// How run-out is measured; else the distance.
    pub along: Option<Along>,
    /// Names by which columns of the observations are to be known.
    pub columns: BTreeMap<String, String>,
    /// The rocks with barriers acting instead of the slope as it is.
    pub with_barriers: bool,
    pub out: PathBuf,
    pub overwrite: bool,
}

/// Along what run-out is measured.
#[derive(Debug, Clone)]
pub(crate) enum Along {
    /// Clockwise from grid north, degrees.
    Azimuth(f64),
    /// The only line of a layer.
    Line(PathBuf),
}

/// What `score.json` holds and the page shows.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Score {
    pub format: u32,
    pub run: String,
    pub title: String,
    pub engine: String,
    pub observed_file: String,
    pub crs: String,
    pub variant: String,
    pub group_field: Option<String>,
    pub direction: Direction,
    /// All rocks, then each group.
    pub parts: Vec<Part>,
    /// What the reader must know.
    pub notes: Vec<String>,
}

/// All rocks, or those of one group.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Part {
    /// `null` for all.
    pub group: Option<String>,
    pub observed_rocks: usize,
    pub simulated_rocks: usize,
    /// Simulated rocks that went on where the simulation ended.
    pub simulated_censored: usize,
    pub quantities: Vec<Quantity>,
    pub deposits: Option<Deposits>,
    pub passages: Vec<Passages>,
}

/// One value per rock or passage.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Quantity {
    pub name: String,
    pub unit: String,
    #[serde(flatten)]
    pub comparison: Comparison,
}

/// Rocks that pass a line.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Passages {
    pub line: String,
    pub observed: usize,
    pub simulated: usize,
    /// Of all rocks; `null` if the observations name passages only.
    pub observed_share: Option<f64>,
    pub simulated_share: Option<f64>,
    /// The difference of shares that chance exceeds once in 20 times.
    pub share_chance: Option<f64>,
    pub quantities: Vec<Quantity>,
}

/// Both sides of a part, for drawings.
struct Sides {
    observed: Data,
    simulated: Data,
}

/// Compares a run with observations; everything made takes its place in the folder at once.
///
/// # Errors
/// No finished run, no observations in it that can be compared, a folder that holds something else.
pub(crate) fn score(wish: &Wish) -> Result<Score> {
    let run = FinishedRun::open(&wish.run)?;
    refuse_places(wish)?;
    let variant = if wish.with_barriers { run.variants().into_iter().next() } else { run.variants().pop() };
    let variant = variant.filter(|variant| !wish.with_barriers || !variant.label.is_empty()).ok_or_else(|| {
        Error::usage(format!("'{}' has no barriers: leave out `--with-barriers`", wish.run.display()))
    })?;
    let group = wish.group.as_deref();
    let (observed, columns) = data::observed(&wish.observed, &run.crs, group, &wish.columns)?;
    let simulated = data::simulated(&run, &variant, group)?;
    let direction = match &wish.along {
        None => Direction::observed(&observed),
        Some(Along::Azimuth(azimuth_deg)) => Direction::Azimuth { azimuth_deg: *azimuth_deg },
        Some(Along::Line(path)) => Direction::line(path, &run.crs)?,
    };
    let placed = observed.rocks.iter().filter(|rock| rock.start.is_some() && rock.end.is_some()).count();
    if wish.along.is_some() && placed == 0 {
        return Err(Error::input(format!(
            "'{}' has no starts and ends to measure run-out along a line: found the columns {}; expected `start_x_m`, `start_y_m`, \
             `x_m` and `y_m`",
            wish.observed.display(),
            columns.join(", ")
        )));
    }
    let (names, mut notes) = groups(&observed, &simulated, group);
    let mut parts = Vec::new();
    let mut sides = vec![(None, Sides { observed: observed.clone(), simulated: simulated.clone() })];
    sides.extend(names.into_iter().map(|name| {
        let side = Sides { observed: observed.of_group(&name), simulated: simulated.of_group(&name) };
        (Some(name), side)
    }));
    for (name, side) in &sides {
        parts.push(part(name.clone(), side, &direction));
    }
    let comparable = |part: &Part| !part.quantities.is_empty() || part.deposits.is_some() || !part.passages.is_empty();
    if !parts.iter().any(comparable) {
        return Err(Error::input(format!(
            "nothing in '{}' can be compared with '{}': expected run-outs, end points, largest values, or passages at lines the \
             project records",
            wish.observed.display(),
            wish.run.display()
        )));
    }
    notes.extend(remarks(&parts, &observed, &simulated));
    let score = Score {
        format: FORMAT,
        run: wish.run.display().to_string(),
        title: run.manifest.project.title.clone(),
        engine: format!("{} {}", run.manifest.engine.name, run.manifest.engine.version),
        observed_file: wish.observed.display().to_string(),
        crs: run.manifest.crs.clone(),
        variant: variant.label,
        group_field: wish.group.clone(),
        direction,
        parts,
        notes,
    };
    write(wish, &score, &sides)?;
    Ok(score)
}

fn refuse_places(wish: &Wish) -> Result<()> {
    let mut read = vec![wish.run.join("manifest.json"), wish.observed.clone()];
    read.extend(wish.along.iter().filter_map(|along| match along {
        Along::Line(path) => Some(path.clone()),
        Along::Azimuth(_) => None,
    }));
    inputs::refuse_inside(&wish.out, &read)?;
    inputs::refuse_in_run(&wish.out, &wish.run)?;
    if wish.out.join(PAGE).exists() && !wish.overwrite {
        return Err(Error::failed(format!(
            "'{}' holds a score; choose another folder with `--out`, or replace it with `--overwrite`",
            wish.out.display()
        )));
    }
    Ok(())
}

/// Groups both sides have, in order; what only one side has is told.
fn groups(observed: &Data, simulated: &Data, field: Option<&str>) -> (Vec<String>, Vec<String>) {
    let Some(field) = field else { return (Vec::new(), Vec::new()) };
    let names = |data: &Data| {
        let rocks = data.rocks.iter().map(|rock| rock.group.clone());
        rocks
            .chain(data.passages.iter().map(|passage| passage.group.clone()))
            .collect::<std::collections::BTreeSet<_>>()
    };
    let (seen, made) = (names(observed), names(simulated));
    let list = |only: Vec<&String>| only.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    let mut notes = Vec::new();
    for (one, other, who) in [(&seen, &made, "observed"), (&made, &seen, "simulated")] {
        let only: Vec<&String> = one.difference(other).collect();
        if !only.is_empty() {
            notes.push(format!("{field} {} was {who} only and has no comparison of its own.", list(only)));
        }
    }
    let mut both: Vec<String> = seen.intersection(&made).cloned().collect();
    both.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    });
    (both, notes)
}

fn part(group: Option<String>, side: &Sides, direction: &Direction) -> Part {
    let Sides { observed, simulated } = side;
    let mut quantities = Vec::new();
    let mut add = |name: &str, unit: &str, comparison: Option<Comparison>| {
        quantities.extend(comparison.map(|comparison| Quantity { name: name.into(), unit: unit.into(), comparison }));
    };
    add("runout_m", "m", samples::compare(&direction.runouts(observed), &direction.runouts(simulated)));
    add("offset_m", "m", samples::compare(&direction.offsets(observed), &direction.offsets(simulated)));
    for (k, (name, unit, _)) in LARGEST.iter().enumerate() {
        add(name, unit, samples::compare(&observed.largest(k), &simulated.largest(k)));
    }
    let lines: std::collections::BTreeSet<&String> = observed.passages.iter().map(|passage| &passage.line).collect();
    Part {
        observed_rocks: observed.rocks.len(),
        simulated_rocks: simulated.rocks.len(),
        simulated_censored: simulated.rocks.iter().filter(|rock| rock.cut).count(),
        quantities,
        deposits: deposits::compare(observed, simulated),
        passages: lines.into_iter().filter_map(|line| passages(line, side)).collect(),
        group,
    }
}

/// `None` for a line the run does not know.
fn passages(line: &str, Sides { observed, simulated }: &Sides) -> Option<Passages> {
    let count = |data: &Data| data.passages.iter().filter(|passage| passage.line == line).count();
    let (seen, made) = (count(observed), count(simulated));
    if made == 0 && !simulated.lines.contains(line) {
        return None;
    }
    let share = |count: usize, rocks: usize| (rocks > 0).then(|| count as f64 / rocks as f64);
    let (n, m) = (observed.rocks.len(), simulated.rocks.len());
    // Two shares of one probability: normal limit of the binomial.
    let chance = || {
        let p = (seen + made) as f64 / (n + m) as f64;
        1.96 * (p * (1.0 - p).max(0.0) * (1.0 / n as f64 + 1.0 / m as f64)).sqrt()
    };
    let compared = PASSING.iter().enumerate().filter_map(|(k, (name, unit, ..))| {
        let comparison = samples::compare(&observed.passing(line, k), &simulated.passing(line, k))?;
        Some(Quantity { name: name.to_string(), unit: unit.to_string(), comparison })
    });
    Some(Passages {
        line: line.into(),
        observed: seen,
        simulated: made,
        observed_share: share(seen, n),
        simulated_share: share(made, m),
        share_chance: (n > 0 && m > 0 && seen <= n).then(chance),
        quantities: compared.collect(),
    })
}

fn remarks(parts: &[Part], observed: &Data, simulated: &Data) -> Vec<String> {
    let mut notes = Vec::new();
    let all = &parts[0];
    if all.simulated_censored > 0 {
        notes.push(format!(
            "{} of {} simulated rocks still moved where the simulation ended (edge of the terrain, nodata, longest time): their \
             run-outs count as at least what was seen (Kaplan–Meier), with bounds that assume nothing; they are in no deposit and no \
             offset.",
            all.simulated_censored, all.simulated_rocks
        ));
    }
    let few: Vec<String> = parts
        .iter()
        .filter(|part| part.observed_rocks > 0 && part.observed_rocks < FEW)
        .map(|part| part.group.clone().unwrap_or("all".into()))
        .collect();
    if !few.is_empty() {
        notes.push(format!(
            "Fewer than {FEW} observed rocks in {}: chance explains almost any difference.",
            few.join(", ")
        ));
    }
    let lost: std::collections::BTreeSet<&String> =
        observed.passages.iter().map(|passage| &passage.line).filter(|line| !simulated.lines.contains(*line)).collect();
    for line in lost {
        notes.push(format!(
            "Passages at {line:?} were observed, but the run records no line of that name: add the line to the project under \
             `lines`, or look at its name."
        ));
    }
    notes
}

fn write(wish: &Wish, score: &Score, sides: &[(Option<String>, Sides)]) -> Result<()> {
    let marked = Marked::open(&wish.out, "couloir score")?;
    let text = serde_json::to_string_pretty(score).map_err(|e| Error::failed(format!("{DATA}: {e}")).caused_by(e))?;
    atomic::write_bytes(&marked.path(DATA), (text + "\n").as_bytes())?;
    let drawings: Vec<page::Drawings> =
        sides.iter().map(|(_, side)| page::Drawings::of(side, &score.direction)).collect();
    for (name, plots) in drawings.first().into_iter().flat_map(page::Drawings::files) {
        atomic::write_bytes(&marked.path(&format!("{name}.svg")), figure(plots, 1).as_bytes())?;
    }
    atomic::write_bytes(&marked.path(PAGE), page::render(score, &drawings)?.as_bytes())?;
    marked.commit(true)
}

/// The folder a score goes to if none is given: beside the run.
pub(crate) fn default_folder(run: &Path) -> PathBuf {
    let name = run.file_name().map_or("run".into(), |name| name.to_string_lossy().into_owned());
    run.with_file_name(format!("{name}-score"))
}
