//! What a piece of work takes, in this process or in another.

use std::time::Instant;

use crate::cpu::{median, seconds};

/// What a piece of work took.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Took {
    pub wall_s: f64,
    /// Of all threads together.
    pub cpu_s: f64,
}

/// What `work` takes on all threads of this process.
pub fn of_process<T>(work: impl FnOnce() -> T) -> (Took, T) {
    let (started, before) = (Instant::now(), seconds(libc::CLOCK_PROCESS_CPUTIME_ID));
    let result = work();
    let cpu_s = seconds(libc::CLOCK_PROCESS_CPUTIME_ID) - before;
    (Took { wall_s: started.elapsed().as_secs_f64(), cpu_s }, result)
}

/// What a command takes that is run to its end.
pub fn of_command(command: &mut std::process::Command) -> Took {
    let children = || {
        // SAFETY: all zeros are a valid `rusage`, and it outlives the call.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
            usage
        };
        let seconds = |time: libc::timeval| time.tv_sec as f64 + 1e-6 * time.tv_usec as f64;
        seconds(usage.ru_utime) + seconds(usage.ru_stime)
    };
    let (started, before) = (Instant::now(), children());
    let status = command.stdout(std::process::Stdio::null()).status();
    assert!(status.as_ref().is_ok_and(|status| status.success()), "{command:?}: {status:?}");
    Took { wall_s: started.elapsed().as_secs_f64(), cpu_s: children() - before }
}

/// The middle of both.
pub fn median_took(took: &[Took]) -> Took {
    Took {
        wall_s: median(took.iter().map(|t| t.wall_s).collect()),
        cpu_s: median(took.iter().map(|t| t.cpu_s).collect()),
    }
}
