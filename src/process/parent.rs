//! The process that started this one.
//!
//! A scheduler whose worker is killed leaves the engine behind as an orphan, which goes on computing and holds its folder's lock. The system tells
//! nobody: one has to look whether the parent is still the same. (Linux can send a signal when the parent's *thread* ends, which with workers
//! that compute in threads is too early.)

use std::time::Duration;

use super::interrupt;
use crate::{Error, Result};

/// Between two looks.
const EVERY: Duration = Duration::from_millis(200);

/// Asks the work to stop, as Ctrl-C does, once the parent has ended.
pub(crate) fn stop_with_it() -> Result<()> {
    let parent = number();
    if parent.is_some_and(|parent| parent <= 1) {
        return Err(Error::again("--with-parent: the process that started this one has ended"));
    }
    let watch = move || {
        while number() == parent {
            std::thread::sleep(EVERY);
        }
        interrupt::request();
    };
    if parent.is_some() {
        let started = std::thread::Builder::new().name("parent".into()).stack_size(1 << 16).spawn(watch);
        started.map_err(|why| Error::failed(format!("--with-parent: no thread could be started ({why})")))?;
    }
    Ok(())
}

/// Its number; `None` where it cannot be had.
fn number() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    None
}
