//! A whole run: plan the releases, let every rock fall, count, and write what was found.
//!
//! Trajectories run on all threads and are kept in order of their number ([`pool`]), so that a run stopped anywhere is
//! a gapless beginning of the whole, which a checkpoint can hold and another run continue. Counting is exact in any order
//! ([`crate::hazard::accumulator`]), so that threads, shards and interruptions leave no trace in the results.

pub mod fall;
mod finish;
mod keeper;
mod memory;
mod merge;
pub mod pool;
mod shard;
pub mod survey;
mod trial;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use crate::files::inputs;
use crate::geo::file_list;
use crate::hazard::accumulator::Wanted;
use crate::hazard::dimensioning;
use crate::hazard::lines::LineSet;
use crate::hazard::scheme::Scheme;
use crate::interrupt;
use crate::output::layers::{self, Layer};
use crate::output::run_folder::{self, Existing, Opened, RunFolder};
use crate::output::state_file::{Header, Identity, State};
use crate::output::tracks;
use crate::output::{classification, deliver, overlays};
use crate::progress::Progress;
use crate::project::file::Classification;
use crate::release::{self, ReleasePlan};
use crate::site::Site;
use crate::{Error, Result, threads};

pub use finish::{RunResult, Timings, VariantResult};
pub use merge::{MergePlan, merge, merge_plan};
pub use shard::Shard;

use fall::Keep;
use keeper::Keeper;

/// Characters of the project's name in that of a default folder.
const LONGEST_STEM: usize = 60;

#[derive(Debug, Clone)]
pub struct Options {
    /// Default: a folder named after what is run, `runs/<project>-<hash>` beside the project.
    pub out: Option<PathBuf>,
    pub threads: Option<usize>,
    /// Only this many trajectories, spread evenly over all.
    pub limit: Option<u64>,
    pub shard: Option<Shard>,
    pub existing: Existing,
    /// Time between checkpoints.
    pub checkpoint_every: Duration,
    /// Run also with more threads than are of use, or more memory than there seems to be.
    pub force: bool,
}

impl Default for Options {
    fn default() -> Self {
        let checkpoint_every = Duration::from_secs(5);
        let existing = Existing::default();
        Self { out: None, threads: None, limit: None, shard: None, existing, checkpoint_every, force: false }
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Everything is written.
    Run(PathBuf),
    /// One part is computed; merge it with the others.
    Shard(PathBuf),
    /// There was nothing left to do.
    AlreadyFinished(PathBuf),
}

/// Everything that is settled before the first rock falls. Wrong layer names and formats end here.
pub struct Setup<'a> {
    pub site: &'a Site,
    pub plan: ReleasePlan<'a>,
    pub lines: LineSet,
    pub layers: Vec<Layer>,
    pub wanted: Wanted,
    /// What the project wants to be classified after: read once, so that a run ends with what it began with.
    pub scheme: Option<Scheme>,
    pub identity: Identity,
}

/// Plans a run without computing anything: what can be wrong with a project is found here, by `check` as by `run`.
pub fn set_up(site: &Site, limit: Option<u64>) -> Result<Setup<'_>> {
    let file = &site.project.file;
    let plan = release::plan(site.release_sources())?;
    let layers = layers::chosen(&file.statistics, plan.has_frequency())?;
    tracks::formats(&file.outputs.trajectories)?;
    let scheme = file.classification.as_ref().map(|wish| scheme(wish, site, &plan)).transpose()?;
    // Lower energy limits of the intensity classes, kJ.
    let classes = scheme.iter().flat_map(|scheme| &scheme.intensities);
    let limits: Vec<f64> = classes.map(|class| class.from_kj).collect();
    let mut wanted = layers::wanted(&layers, plan.has_frequency(), &limits);
    wanted.histogram[0] |= file.classification.is_some();
    wanted.max[0] |= file.classification.is_some();
    let identity = Identity {
        engine_version: env!("COULOIR_VERSION").into(),
        project_sha256: site.project.sha256.clone(),
        inputs: inputs_as_read(site)?,
        seed: plan.seed(),
        planned: plan.len(),
        total: limit.unwrap_or(plan.len()).clamp(1, plan.len()),
    };
    let lines = site.line_set();
    check_lines(site, &lines)?;
    Ok(Setup { site, lines, plan, layers, wanted, scheme, identity })
}

/// What was read, by its hash: layers and shapes, and the project's own scheme of classification.
fn inputs_as_read(site: &Site) -> Result<Vec<(String, String)>> {
    let mut inputs: Vec<_> = site.as_read.iter().map(|read| (read.label(), read.sha256.clone())).collect();
    if let Some((name, path)) = classification::scheme_file(&site.project) {
        inputs.push((format!("classification.scheme '{name}'"), file_list::hash(&path)?.1));
    }
    Ok(inputs)
}

/// The scheme of the project. What the project says about classification must hold, too: better now than after hours.
fn scheme(wish: &Classification, site: &Site, plan: &ReleasePlan) -> Result<Scheme> {
    let scheme = classification::project_scheme(wish, &site.project.folder)?;
    let names = deliver::scenario_names(&plan.scenarios);
    let stated = &wish.scenario_return_periods_years;
    classification::return_periods(&names, &plan.scenario_frequencies(), stated)?;
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
    /// The release number of the i-th trajectory of the run: i itself, or every so many-th with a limit.
    pub fn number(&self, i: u64) -> u64 {
        (u128::from(i) * u128::from(self.plan.len()) / u128::from(self.identity.total)) as u64
    }

    /// Whether the i-th trajectory is among those written to files, spread evenly if there are too many.
    pub fn is_written(&self, i: u64) -> bool {
        let most = u64::from(self.site.project.file.outputs.max_trajectories);
        most > 0 && i.is_multiple_of(self.identity.total.div_ceil(most))
    }

    /// Default folder: the same run finds the same folder.
    fn default_folder(&self, shard: Option<(u64, u64)>) -> PathBuf {
        let identity = serde_json::to_vec(&self.identity).unwrap_or_default();
        let hash: String = Sha256::digest(&identity).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
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
    fn input_paths(&self) -> Vec<PathBuf> {
        let project = &self.site.project;
        let scheme = project.file.classification.as_ref().map(|wish| project.folder.join(&wish.scheme));
        let files = self.site.inputs.iter().map(|input| input.path.clone());
        files.chain([project.path.clone()]).chain(scheme.filter(|path| path.is_file())).collect()
    }

    fn header(&self, range: (u64, u64)) -> Header {
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
        }
    }
}

/// Runs a project. `deliver` makes what others are to add to the finished layers and trajectories.
///
/// # Errors
/// An interruption is an error, with a sentence that says how to go on; the checkpoint is kept.
pub fn run(
    site: &Site,
    options: &Options,
    progress: &Progress,
    deliver: impl Fn(&mut RunResult) -> Result<()>,
) -> Result<Ended> {
    let setup = set_up(site, options.limit)?;
    let range = match options.shard {
        Some(shard) => shard.range(setup.identity.total)?,
        None => (0, setup.identity.total),
    };
    let out = options.out.clone().unwrap_or_else(|| setup.default_folder(options.shard.map(|_| range)));
    let threads = threads::chosen(options.threads, &site.project, options.force)?;
    memory::refuse_unless_it_fits(&setup, threads, options.force)?;
    inputs::refuse_inside(&out, &setup.input_paths())?;
    let mut keeper = match RunFolder::open(&out, options.existing)? {
        Opened::Finished(header) => {
            check_same(&setup, &header, range, &out)?;
            return Ok(Ended::AlreadyFinished(out));
        }
        Opened::Resumed(folder, state) => {
            check_resumable(&setup, &state, range, &out)?;
            Keeper::open(folder, *state, options.checkpoint_every)?
        }
        Opened::Fresh(folder, left) => {
            left.iter().for_each(|sentence| progress.warn(sentence));
            let state = State::new(setup.header(range), *site.scene.surface.lattice(), setup.wanted.clone());
            let mut keeper = Keeper::open(folder, state, options.checkpoint_every)?;
            keeper.save()?;
            keeper
        }
    };
    let started = Instant::now();
    simulate(&setup, &mut keeper, threads, progress)?;
    if keeper.state.header.next < range.1 {
        keeper.save_quickly()?;
        return Err(Error::failed(keeper.stopped()));
    }
    let simulate_s = started.elapsed().as_secs_f64();
    if options.shard.is_some() {
        keeper.save()?;
        keeper.folder.finish_shard()?;
        return Ok(Ended::Shard(out));
    }
    finish::finish(&setup, keeper, threads, simulate_s, progress, deliver)?;
    Ok(Ended::Run(out))
}

fn check_resumable(setup: &Setup, state: &State, range: (u64, u64), out: &Path) -> Result<()> {
    check_same(setup, &state.header, range, out)?;
    if state.wanted != setup.wanted || state.lattice != *setup.site.scene.surface.lattice() {
        return refuse_to_resume(out, "the run in it counts other things than this one".into());
    }
    Ok(())
}

/// Whether what is in a folder is this very run.
fn check_same(setup: &Setup, header: &Header, range: (u64, u64), out: &Path) -> Result<()> {
    if let Some(difference) = header.identity.difference(&setup.identity) {
        return refuse_to_resume(out, format!("the run in it and this one have different {difference}"));
    }
    if header.range != range {
        let (from, to) = header.range;
        return refuse_to_resume(
            out,
            format!("the run in it is to compute trajectories {from} to {to}, this one others"),
        );
    }
    Ok(())
}

fn refuse_to_resume(out: &Path, why: String) -> Result<()> {
    Err(Error::failed(format!(
        "'{}' cannot be resumed: {why}; begin anew with `--overwrite` or choose another folder",
        out.display()
    )))
}

fn simulate(setup: &Setup, keeper: &mut Keeper, threads: usize, progress: &Progress) -> Result<()> {
    let outputs = &setup.site.project.file.outputs;
    let (from, to) = keeper.state.header.range;
    let next = keeper.state.header.next;
    progress.stage("simulate", to - from);
    progress.resume_at(next - from);
    for warning in setup.site.warnings.iter().chain(&setup.plan.warnings) {
        progress.warn(warning);
    }
    let work = |i: u64| {
        if interrupt::requested() {
            return None;
        }
        let mut release = match setup.plan.get(setup.number(i)) {
            Ok(release) => release,
            Err(error) => return Some(Err(error)),
        };
        // With a limit each rock stands for several: the yearly frequencies of a quick look are right on average.
        release.frequency_per_year *= setup.identity.planned as f64 / setup.identity.total as f64;
        let keep = Keep {
            track: setup.is_written(i) && !outputs.trajectories.is_empty(),
            tolerance_m: outputs.tolerance_m,
            points_every_s: outputs.points_every_s,
            until: None,
        };
        let fallen = fall::fall(setup.site, &setup.lines, &release, keep)?;
        Some(Ok((fallen, release.source_cell)))
    };
    let keeper = std::cell::RefCell::new(keeper);
    let keep = |i: u64, fallen: Result<(Vec<fall::Fallen>, u32)>| {
        let (fallen, source_cell) = fallen?;
        keeper.borrow_mut().keep(i, &fallen, source_cell)
    };
    let idle = |next: u64| {
        progress.set(next - from);
        keeper.borrow_mut().save_now_and_then()?;
        Ok(!interrupt::requested())
    };
    let pool = match threads {
        1 => None,
        _ => threads::start(threads).map_err(|why| progress.warn(&format!("only one thread works: {why}"))).ok(),
    };
    pool::ordered(pool.as_ref(), next..to, work, keep, idle)?;
    Ok(())
}
