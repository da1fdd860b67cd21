//! Joins shards into the run they are parts of.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::files::inputs;
use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::site::Site;
use crate::store::identity::Identity;
use crate::store::run_folder::ShardFolder;
use crate::store::state_file::Header;
use crate::store::{Amount, Setup, Store, set_up};
use crate::{Error, Result};

/// Parts that together make one run, checked, by first trajectory.
#[derive(Debug, Clone, PartialEq)]
pub struct MergePlan {
    parts: Vec<((u64, u64), PathBuf)>,
    identity: Identity,
    /// Project file of the first part.
    pub project: PathBuf,
    /// Of all parts.
    pub seed: u64,
    /// Trajectories in none of them: from, and up to but not including.
    pub missing: Vec<(u64, u64)>,
}

impl MergePlan {
    /// All trajectories of the run.
    pub(crate) fn range(&self) -> (u64, u64) {
        (0, self.identity.total)
    }

    /// Rocks that are there, and all of the run.
    pub(crate) fn rocks(&self) -> (u64, u64) {
        let missing: u64 = self.missing.iter().map(|(from, to)| to - from).sum();
        (self.identity.total - missing, self.identity.total)
    }
}

/// Checks that the shards are all parts of one run and that none is twice there, or missing unless that is allowed.
pub fn merge_plan(shards: &[PathBuf], allow_missing: bool) -> Result<MergePlan> {
    let mut missing_parts = Vec::new();
    let mut parts: Vec<((u64, u64), PathBuf)> = Vec::new();
    let mut first: Option<(Header, &PathBuf)> = None;
    for path in shards {
        if allow_missing && !ShardFolder::is_finished(path) {
            continue;
        }
        let header = ShardFolder::header(path)?;
        if header.next != header.range.1 {
            return Err(Error::input(format!(
                "'{}' is no finished shard: it holds trajectories {} to {} of those up to {}; continue it with `--resume`",
                path.display(),
                header.range.0,
                header.next,
                header.range.1
            )));
        }
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
    let Some((known, _)) = first else {
        return Err(Error::usage("merge: name at least one shard; of those named none is finished"));
    };
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
            missing_parts.push((expected, *from));
        }
        expected = *to;
        previous = Some(path);
    }
    if expected < known.identity.total {
        missing_parts.push((expected, known.identity.total));
    }
    if let Some((from, to)) = missing_parts.first().filter(|_| !allow_missing) {
        return Err(missing(*from, *to));
    }
    let (seed, missing) = (known.identity.seed, missing_parts);
    Ok(MergePlan { parts, seed, identity: known.identity, project: known.project_path, missing })
}

fn missing(from: u64, to: u64) -> Error {
    Error::input(format!(
        "trajectories {from} to {} are missing: compute them with `couloir run … --shard {from}..{to}` and merge again, or look at what \
         is there with --allow-missing",
        to - 1
    ))
}

/// The whole run the parts make, planned anew from its project.
///
/// # Errors
/// The project is another one than that of the parts; the result would lie in one of them.
pub fn set_up_whole<'a>(site: &'a Site, plan: &MergePlan, out: &Path) -> Result<Setup<'a>> {
    let Identity { planned, total, round, .. } = plan.identity;
    let amount = match round {
        Some(_) => Amount::Rounds(total),
        None if total < planned => Amount::Limit(total),
        None => Amount::Planned,
    };
    let mut setup = set_up(site, amount)?;
    setup.missing = plan.missing.clone();
    if let Some(difference) = plan.identity.difference(&setup.identity) {
        return Err(Error::input(format!(
            "the shards were computed from another project than '{}': they have different {difference}",
            site.project.path.display()
        )));
    }
    refuse_parts_as_output(plan, out)?;
    Ok(setup)
}

/// Fills a store with the parts; returns how long it took, s.
pub fn merge(setup: &Setup, plan: &MergePlan, store: &mut Store, progress: &Progress) -> Result<f64> {
    let started = Instant::now();
    let ((_, total), found) = store.range();
    // A merge stores nothing between its beginning and its end.
    if found != 0 && found != total {
        return Err(Error::failed(format!(
            "'{}' holds an interrupted run, no merge: continue it with `couloir run --resume`, or choose another folder",
            store.path().display()
        )));
    }
    progress.stage("merge", plan.parts.len() as u64);
    setup.warnings().for_each(|warning| progress.warn(warning));
    let _on_interrupt = interrupt::end_at_once_with(format!(
        "stopped while merging into '{}'; the parts are untouched: continue with the same command and `--resume`",
        store.path().display()
    ));
    if found != total {
        let paths: Vec<PathBuf> = plan.parts.iter().map(|(_, path)| path.clone()).collect();
        store.merge(&paths, &|| progress.add(1))?;
    }
    if setup.missing.is_empty() {
        super::note_settled(setup, store)?;
    }
    Ok(started.elapsed().as_secs_f64())
}

/// What is joined stays as it is: the result goes beside the parts, not into one of them or around them.
fn refuse_parts_as_output(plan: &MergePlan, out: &Path) -> Result<()> {
    let clash = |part: &&PathBuf| inputs::lies_in(part, out) || inputs::lies_in(out, part);
    match plan.parts.iter().map(|(_, part)| part).find(clash) {
        None => Ok(()),
        Some(part) => Err(Error::usage(format!(
            "--out '{}' and the part '{}' are one folder or one lies in the other, and parts are never written to: choose \
             another folder",
            out.display(),
            part.display()
        ))),
    }
}
