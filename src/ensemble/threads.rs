//! How many threads a run is to have.

use crate::process::threads::cores;
use crate::project::Project;
use crate::{Error, Result};

/// More threads than this for each core only wait for one another and take memory.
const MOST_PER_CORE: usize = 4;

/// Worker threads of a run: those of the command line, else the project's, else one a core.
///
/// # Errors
/// When they are more than the machine can use, unless `force` is given.
pub(crate) fn chosen(option: Option<usize>, project: &Project, force: bool) -> Result<usize> {
    let most = MOST_PER_CORE * cores();
    let too_many = |threads: usize| {
        format!(
            "found {threads} threads, but this machine has {} cores: expected at most {most}; leave it out for one thread a \
             core, or insist with `--force`",
            cores()
        )
    };
    match (option, project.file.threads) {
        (Some(threads), _) if threads > most && !force => {
            Err(Error::usage(format!("--threads: {}", too_many(threads))))
        }
        (None, Some(threads)) if threads > most && !force => Err(project.error_at("threads", too_many(threads))),
        (option, project) => Ok(option.or(project).unwrap_or_else(cores).max(1)),
    }
}
