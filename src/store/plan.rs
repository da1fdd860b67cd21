//! Everything that is settled before the first rock falls.

use std::path::{Path, PathBuf};

use super::identity::Identity;
use super::layers::{self, Layer};
use super::state_file::Header;
use super::{overlays, run_folder, settled, track};
use crate::files::hash::sha256;
use crate::geo::file_list;
use crate::hazard::accumulator::Wanted;
use crate::hazard::dimensioning;
use crate::hazard::lines::LineSet;
use crate::hazard::quantity::Quantity;
use crate::hazard::scheme::Scheme;
use crate::hazard::squares::{Squares, reach_cells};
use crate::project::file::{self, Classification, Until};
use crate::project::{self, schemes};
use crate::release::{self, ReleasePlan};
use crate::site::Site;
use crate::{Error, Note, Result};

/// Characters of the project's name in that of a default folder.
const LONGEST_STEM: usize = 60;

/// A planned run. Wrong layer names and formats end here.
pub struct Setup<'a> {
    /// What was read.
    pub site: &'a Site,
    /// The rocks.
    pub plan: ReleasePlan<'a>,
    /// Recording lines and barriers.
    pub lines: LineSet,
    /// That were asked for.
    pub layers: Vec<Layer>,
    /// What has to be counted for them.
    pub wanted: Wanted,
    /// What the project wants to be classified after: read once, so that a run ends with what it began with.
    pub scheme: Option<Scheme>,
    /// What must be known of the scheme before it is used.
    pub notes: Vec<Note>,
    /// Widths of squares that have layers of their own, m.
    pub shown_widths_m: Vec<f64>,
    /// The scheme by which it is asked whether the map has settled.
    pub measured: Option<Scheme>,
    /// By which the run is known.
    pub identity: Identity,
    /// Trajectories of parts that are not there, when the others are merged for a look; none else.
    pub missing: Vec<(u64, u64)>,
}

/// How many rocks fall.
#[derive(Debug, Clone, PartialEq)]
pub enum Amount {
    /// As the project says.
    Planned,
    /// Only so many of those planned: a quick look.
    Limit(u64),
    /// This many, in whole rounds over all positions.
    Rounds(u64),
    /// Until the map has settled.
    Until(Until),
}

impl From<Option<u64>> for Amount {
    fn from(limit: Option<u64>) -> Self {
        limit.map_or(Self::Planned, Self::Limit)
    }
}

/// Plans a run without computing anything: what can be wrong with a project is found here, by `check` as by `run`.
pub fn set_up(site: &Site, amount: impl Into<Amount>) -> Result<Setup<'_>> {
    let file = &site.project.file;
    let plan = release::plan(site.release_sources());
    site.scene.surface.blocks().into_iter().for_each(|blocks| blocks.cache().spare(u64::MAX));
    // What cannot be read looks like nodata: the reason is said, not what follows from it.
    site.is_readable()?;
    let mut plan = plan?;
    let (planned, total, until) = counts(&mut plan, amount.into(), file.simulation.until.as_ref())?;
    let layers = layers::chosen(&file.statistics, plan.has_frequency())?;
    track::formats(&file.outputs.trajectories)?;
    let scheme = file.classification.as_ref().map(|wish| scheme(wish, site, &plan)).transpose()?;
    // Lower energy limits of the intensity classes, kJ.
    let classes = scheme.iter().flat_map(|scheme| &scheme.intensities);
    let limits: Vec<f64> = classes.map(|class| class.from_kj).collect();
    let mut wanted = layers::wanted(&layers, plan.has_frequency(), &limits);
    let energy_counts = file.classification.is_some() || plan.round().is_some();
    wanted.histogram[Quantity::KineticEnergy] |= energy_counts;
    wanted.max[Quantity::KineticEnergy] |= energy_counts;
    let lattice = site.scene.surface.lattice();
    let measured = (plan.round().is_some()).then(|| measured(scheme.as_ref(), lattice.dx)).transpose()?;
    let shown_widths_m = shown_widths(scheme.as_ref(), &file.statistics);
    wanted.squares = squares([scheme.as_ref(), measured.as_ref()], &file.statistics, plan.has_frequency());
    if lattice.len() <= layers::SMALL_LATTICE {
        add_built_in(&mut wanted)?;
    }
    let identity = Identity {
        engine_version: env!("COULOIR_VERSION").into(),
        project_sha256: site.project.sha256.clone(),
        inputs: inputs_as_read(site)?,
        seed: plan.seed(),
        planned,
        total,
        round: plan.round(),
        until,
    };
    let notes = scheme.iter().flat_map(|scheme| scheme_notes(scheme, lattice.dx)).collect();
    let lines = site.line_set();
    check_lines(site, &lines)?;
    Ok(Setup {
        site,
        lines,
        plan,
        layers,
        wanted,
        scheme,
        notes,
        shown_widths_m,
        measured,
        identity,
        missing: Vec::new(),
    })
}

/// Rocks planned, rocks that fall, and until when; numbers the releases accordingly.
fn counts(plan: &mut ReleasePlan, amount: Amount, wish: Option<&Until>) -> Result<(u64, u64, Option<Until>)> {
    let until = match (amount, wish) {
        (Amount::Limit(limit), _) => return Ok((plan.len(), limit.clamp(1, plan.len()), None)),
        (Amount::Planned, None) => return Ok((plan.len(), plan.len(), None)),
        (Amount::Rounds(rocks), _) => {
            plan.number_by_rounds(rocks);
            let round = plan.round().unwrap_or(1);
            if rocks == 0 || !rocks.is_multiple_of(round) {
                let below = rocks / round * round;
                return Err(Error::usage(format!(
                    "--rocks: found {rocks}, expected a multiple of {round}, the rocks of one round over all release positions: \
                     {}{}",
                    if below > 0 { format!("{below} or ") } else { String::new() },
                    below + round
                )));
            }
            return Ok((rocks, rocks, None));
        }
        (Amount::Until(until), _) => until,
        (Amount::Planned, Some(wish)) => wish.clone(),
    };
    plan.number_by_rounds(u64::MAX);
    let most = settled::batch_ends(&until, plan.round().unwrap_or(1)).last().unwrap_or(1);
    plan.number_by_rounds(most);
    Ok((most, most, Some(until)))
}

/// By which scheme the halves of a run are compared: the project's, else the Swiss classes of intensity. Halves are counted in
/// squares; for a scheme without a reference width these are the cells themselves.
fn measured(scheme: Option<&Scheme>, cell_m: f64) -> Result<Scheme> {
    let mut scheme = match scheme {
        Some(scheme) => scheme.clone(),
        None => schemes::named("swiss", Path::new(""))?,
    };
    scheme.reference_width_m = Some(scheme.reference_width_m.unwrap_or(cell_m));
    Ok(scheme)
}

/// What must be known of a scheme before it is used.
pub(crate) fn scheme_notes(scheme: &Scheme, cell_m: f64) -> Vec<Note> {
    let name = || scheme.name.clone();
    let what = scheme.fill_in.trim_end();
    let frame = (!what.is_empty()).then(|| Note::SchemeToFillIn { scheme: name(), what: what.into() });
    let cells = scheme.depends_on_cells().then(|| Note::CellsDecide { scheme: name(), cell_m });
    let square = scheme.reference_width_m.and_then(|width_m| {
        let side_m = (2 * reach_cells(width_m, cell_m) + 1) as f64 * cell_m;
        let is_near = (0.75..=1.34).contains(&(side_m / width_m));
        (!is_near).then(|| Note::SquareOfCells { scheme: name(), width_m, cell_m, side_m })
    });
    frame.into_iter().chain(cells).chain(square).collect()
}

/// Widths the project and its scheme name, ascending.
fn shown_widths(scheme: Option<&Scheme>, statistics: &file::Statistics) -> Vec<f64> {
    let own = scheme.and_then(|scheme| scheme.reference_width_m);
    ascending(statistics.reference_widths_m.iter().copied().chain(own).collect())
}

fn ascending(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// What the built-in schemes ask for, so that a finished run can be classified after any of them.
fn add_built_in(wanted: &mut Wanted) -> Result<()> {
    let squares = &mut wanted.squares;
    squares.frequency = !wanted.energies_kj.is_empty();
    for (name, _) in schemes::BUILT_IN {
        let scheme = schemes::named(name, Path::new(""))?;
        squares.widths_m.extend(scheme.reference_width_m);
        squares.energies_kj.extend(scheme.intensities.iter().map(|class| class.from_kj).filter(|&energy| energy > 0.0));
    }
    squares.widths_m = ascending(std::mem::take(&mut squares.widths_m));
    squares.energies_kj = ascending(std::mem::take(&mut squares.energies_kj));
    Ok(())
}

/// Squares around each cell: those of the scheme and of the project, with the energies of both.
fn squares(schemes: [Option<&Scheme>; 2], statistics: &file::Statistics, has_frequency: bool) -> Squares {
    let own = schemes.into_iter().flatten().filter_map(|scheme| scheme.reference_width_m);
    let widths_m = ascending(statistics.reference_widths_m.iter().copied().chain(own).collect());
    if widths_m.is_empty() {
        return Squares::default();
    }
    let limits = schemes.into_iter().flatten().flat_map(|scheme| &scheme.intensities).map(|class| class.from_kj);
    let energies = limits.chain(statistics.energies_kj.iter().copied()).filter(|&energy| energy > 0.0);
    Squares { widths_m, energies_kj: ascending(energies.collect()), frequency: has_frequency }
}

/// What was read, by its hash: layers and shapes, and the project's own scheme of classification.
fn inputs_as_read(site: &Site) -> Result<Vec<(String, String)>> {
    let mut inputs: Vec<_> = site.as_read.iter().map(|read| (read.label(), read.sha256.clone())).collect();
    if let Some((name, path)) = schemes::file(&site.project) {
        inputs.push((format!("classification.scheme '{name}'"), file_list::hash(&path)?.1));
    }
    Ok(inputs)
}

/// The scheme of the project. What the project says about classification must hold, too: better now than after hours.
fn scheme(wish: &Classification, site: &Site, plan: &ReleasePlan) -> Result<Scheme> {
    let scheme = schemes::wished(wish, &site.project.folder)?;
    let names = project::scenario_names(&plan.scenarios);
    let stated = &wish.scenario_return_periods_years;
    schemes::return_periods(&names, &plan.scenario_frequencies(), stated)?;
    Ok(scheme)
}

/// A segment is a row of a table that people read.
const MOST_SEGMENTS: f64 = 100_000.0;

fn check_lines(site: &Site, lines: &LineSet) -> Result<()> {
    for (i, (layer, line)) in site.lines.iter().zip(lines.lines()).enumerate() {
        let at = |key: &str, sentence: String| Err(site.project.error_at(&format!("lines[{i}].{key}"), sentence));
        if let Err(error) = dimensioning::factors(&layer.spec.dimensioning) {
            return at("dimensioning.factors", error.message);
        }
        let (length, segment) = (line.length_m(), layer.spec.segment_m.unwrap_or(f64::INFINITY));
        if length / segment > MOST_SEGMENTS {
            let sentence = format!(
                "found {segment}, which cuts the {length:.0} m of the line into {:.0} segments, expected at most \
                 {MOST_SEGMENTS}; make the segments longer",
                length / segment
            );
            return at("segment_m", sentence);
        }
    }
    Ok(())
}

impl Setup<'_> {
    /// What the user must know before anything is computed.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = &Note> {
        self.site.warnings.iter().chain(&self.plan.warnings).chain(&self.notes)
    }

    /// The run ends with this many rocks.
    pub(crate) fn end_at(&mut self, rocks: u64) {
        if self.identity.until.is_some() {
            (self.identity.planned, self.identity.total) = (rocks, rocks);
            self.plan.number_by_rounds(rocks);
        }
    }

    /// The index of the release of the i-th trajectory of the run: i itself, or every so many-th with a limit.
    pub fn index(&self, i: u64) -> u64 {
        (u128::from(i) * u128::from(self.plan.len()) / u128::from(self.identity.total)) as u64
    }

    /// Trajectories that are not there.
    pub(crate) fn missing_rocks(&self) -> u64 {
        self.missing.iter().map(|(from, to)| to - from).sum()
    }

    /// Whether the i-th trajectory is not there.
    pub(crate) fn is_missing(&self, i: u64) -> bool {
        self.missing.iter().any(|(from, to)| (*from..*to).contains(&i))
    }

    /// Whether the i-th trajectory is among those written to files, spread evenly if there are too many.
    pub(crate) fn is_written(&self, i: u64) -> bool {
        let most = u64::from(self.site.project.file.outputs.max_trajectories);
        match self.identity.round {
            // The first rounds are a fair sample, and how many there will be is not known yet.
            Some(round) => i < (most / round).max(1) * round && most > 0,
            None => most > 0 && i.is_multiple_of(self.identity.total.div_ceil(most)),
        }
    }

    /// How many trajectories are written to files.
    pub(crate) fn written(&self) -> u64 {
        let outputs = &self.site.project.file.outputs;
        let (total, most) = (self.identity.total, u64::from(outputs.max_trajectories));
        if outputs.trajectories.is_empty() || most == 0 || total == 0 {
            return 0;
        }
        match self.identity.round {
            Some(round) => ((most / round).max(1) * round).min(total),
            None => total.div_ceil(total.div_ceil(most)),
        }
    }

    /// Default folder: the same run finds the same folder.
    pub(crate) fn default_folder(&self, shard: Option<(u64, u64)>) -> PathBuf {
        let identity = serde_json::to_vec(&self.identity).unwrap_or_default();
        let hash: String = sha256(&identity).chars().take(8).collect();
        let project = &self.site.project;
        let stem = project.path.file_stem().map_or("run".into(), |stem| stem.to_string_lossy().into_owned());
        let stem: String = stem.chars().take(LONGEST_STEM).collect();
        let part = shard.map_or(String::new(), |(from, to)| format!("-{from}-{to}"));
        project.folder.join("runs").join(format!("{stem}-{hash}{part}"))
    }

    fn project_path(&self) -> PathBuf {
        std::path::absolute(&self.site.project.path).unwrap_or_else(|_| self.site.project.path.clone())
    }

    /// Every file the project is read from.
    pub(crate) fn input_paths(&self) -> Vec<PathBuf> {
        let project = &self.site.project;
        let scheme = project.file.classification.as_ref().map(|wish| project.folder.join(&wish.scheme));
        let files = self.site.inputs.iter().map(|input| input.path.clone());
        files.chain([project.path.clone()]).chain(scheme.filter(|path| path.is_file())).collect()
    }

    pub(crate) fn header(&self, range: (u64, u64)) -> Header {
        let barriers = self.lines.has_barriers();
        let variants = [run_folder::WITH_BARRIERS, run_folder::WITHOUT_BARRIERS].map(|name| Some(name.to_string()));
        Header {
            identity: self.identity.clone(),
            range,
            next: range.0,
            variants: if barriers { variants.to_vec() } else { vec![None] },
            scenarios: self.plan.scenarios.clone(),
            logs: Vec::new(),
            // JSON holds text only.
            project_path: self.project_path().to_string_lossy().into_owned().into(),
            layers: self.layers.iter().map(Layer::to_string).collect(),
            overlays: overlays::of_site(self.site),
            curve: Vec::new(),
            missing: self.missing.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
