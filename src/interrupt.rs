//! Ctrl-C and SIGTERM: the first one asks the work to stop and clean up, a second one ends the process at once.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Error, Result};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();

/// Exit code of a process the user stopped twice (the shell's convention for SIGINT).
const STOPPED: i32 = 130;

/// Starts listening; call before long work. Calling it again does nothing.
pub fn listen() {
    INSTALL.call_once(|| {
        // Failing to install leaves the system's default (end at once), which is acceptable.
        let _ = ctrlc::set_handler(|| {
            if REQUESTED.swap(true, Ordering::SeqCst) {
                std::process::exit(STOPPED);
            }
        });
    });
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// `Err` once the user asked to stop: `interrupt::check()?` inside long loops.
pub fn check() -> Result<()> {
    if requested() { Err(Error::failed("interrupted; nothing was written")) } else { Ok(()) }
}
