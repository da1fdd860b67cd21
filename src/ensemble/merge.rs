//! Joins shards into the run they are parts of.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::ensemble::keeper::Keeper;
use crate::ensemble::{RunResult, finish, set_up};
use crate::interrupt;
use crate::output::run_folder::{Existing, Opened, RunFolder, ShardFolder};
use crate::output::state_file::{Header, Identity, State};
use crate::progress::Progress;
use crate::site::Site;
use crate::{Error, Result};

/// Parts that together make one run, checked, by first trajectory.
#[derive(Debug, Clone, PartialEq)]
pub struct MergePlan {
    parts: Vec<((u64, u64), PathBuf)>,
    identity: Identity,
    /// Project file of the first part.
    pub project: PathBuf,
    pub seed: u64,
}

/// Checks that the shards are all parts of one run and that none is missing or twice there.
pub fn merge_plan(shards: &[PathBuf]) -> Result<MergePlan> {
    let mut parts: Vec<((u64, u64), PathBuf)> = Vec::new();
    let mut first: Option<(Header, &PathBuf)> = None;
    for path in shards {
        let header = ShardFolder::header(path)?;
        parts.push((header.range, path.clone()));
        let Some((known, known_path)) = &first else {
            first = Some((header, path));
            continue;
        };
        if let Some(difference) = known.identity.difference(&header.identity) {
            return Err(Error::input(format!(
                "'{}' and '{}' are not parts of one run: they have different {difference}",
                known_path.display(),
                path.display()
            )));
        }
    }
    let Some((known, _)) = first else { return Err(Error::usage("merge: name at least one shard")) };
    parts.sort();
    let mut expected = 0;
    let mut previous: Option<&Path> = None;
    for ((from, to), path) in parts.iter().filter(|((from, to), _)| from < to) {
        let shown = path.display();
        if *from < expected {
            let before = previous.map_or(String::new(), |path| path.display().to_string());
            return Err(Error::input(format!(
                "'{before}' and '{shown}' overlap: trajectories {from} to {} are in both; leave one of them out",
                expected.min(*to).saturating_sub(1)
            )));
        }
        if *from > expected {
            return Err(missing(expected, *from));
        }
        expected = *to;
        previous = Some(path);
    }
    if expected < known.identity.total {
        return Err(missing(expected, known.identity.total));
    }
    Ok(MergePlan { parts, seed: known.identity.seed, identity: known.identity, project: known.project_path })
}

fn missing(from: u64, to: u64) -> Error {
    Error::input(format!(
        "trajectories {from} to {} are missing: compute them with `couloir run … --shard {from}..{to}` and merge again",
        to - 1
    ))
}

/// Merges the parts into the very files one run would have written.
pub fn merge(
    site: &Site,
    plan: &MergePlan,
    out: &Path,
    existing: Existing,
    progress: &Progress,
    deliver: impl Fn(&mut RunResult) -> Result<()>,
) -> Result<()> {
    let started = Instant::now();
    let Identity { planned, total, .. } = plan.identity;
    let setup = set_up(site, (total < planned).then_some(total))?;
    if let Some(difference) = plan.identity.difference(&setup.identity) {
        return Err(Error::input(format!(
            "the shards were computed from another project than '{}': they have different {difference}",
            site.project.path.display()
        )));
    }
    let folder = match RunFolder::open(out, Existing { resume: false, ..existing })? {
        Opened::Fresh(folder) => folder,
        Opened::Resumed(..) | Opened::Finished => return Err(Error::failed("the folder is in use by another run")),
    };
    let state =
        State::new(setup.header((0, setup.identity.total)), *site.scene.surface.lattice(), setup.wanted.clone());
    let mut keeper = Keeper::open(folder, state, Duration::MAX)?;
    interrupt::listen();
    progress.stage("merge", plan.parts.len() as u64);
    site.warnings.iter().chain(&setup.plan.warnings).for_each(|warning| progress.warn(warning));
    let on_interrupt = interrupt::end_at_once_with(format!(
        "stopped while merging; the shards are untouched: run the same command again with `--overwrite` to fill '{}'",
        out.display()
    ));
    for (_, path) in &plan.parts {
        let shard = ShardFolder::open(path)?;
        let (mine, theirs) = (&keeper.state, &shard.state);
        let same = mine.wanted == theirs.wanted
            && mine.header.variants == theirs.header.variants
            && mine.header.scenarios == theirs.header.scenarios;
        if !same {
            return Err(Error::input(format!("'{}' counts other things than the run it is to join", path.display())));
        }
        keeper.append(&shard.state, |variant, log| shard.log(variant, log))?;
        progress.add(1);
    }
    drop(on_interrupt);
    let threads = super::available_threads();
    finish::finish(&setup, keeper, threads, started.elapsed().as_secs_f64(), progress, deliver)
}
