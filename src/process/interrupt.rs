//! Ctrl-C and SIGTERM: the first one asks the work to stop and clean up, a second one ends the process at once.
//!
//! Verbs listen from their first instruction on; only a signal that comes while the system still loads the program ends it
//! without a word.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once};

use crate::error::TRY_AGAIN;
use crate::process::console::say;
use crate::{Error, Result};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();
/// What to say when an interruption may end the process at once.
static LAST_WORDS: Mutex<Option<String>> = Mutex::new(None);

/// Exit code of a process the user stopped twice (the shell's convention for SIGINT).
const STOPPED: i32 = 130;

/// Starts listening; call before long work. Calling it again does nothing.
pub fn listen() {
    INSTALL.call_once(|| {
        // Files that may not grow (`ulimit -f`) are an error to tell, not a reason to be killed.
        #[cfg(unix)]
        // SAFETY: only says that a signal is to be ignored.
        unsafe {
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        }
        let listening = ctrlc::set_handler(|| {
            if REQUESTED.swap(true, Ordering::SeqCst) {
                end_now(STOPPED);
            }
            say_last_words();
        });
        if listening.is_err() {
            end_by_signal();
        }
    });
}

/// Without a thread that listens a signal ends the process, as it does by default: better than not at all.
fn end_by_signal() {
    #[cfg(unix)]
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: gives the signal back to the system; no handler of ours is called any more.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// Asks the work to stop, as Ctrl-C does: for a reader that has gone away.
pub(crate) fn request() {
    REQUESTED.store(true, Ordering::SeqCst);
    say_last_words();
}

/// While the returned value lives, an interruption ends the process at once (exit code 4) with this sentence: for stages
/// whose work is not lost, but cannot look up often enough.
pub(crate) fn end_at_once_with(sentence: String) -> EndAtOnce {
    set_last_words(Some(sentence));
    if requested() {
        say_last_words();
    }
    EndAtOnce(())
}

pub(crate) struct EndAtOnce(());

impl Drop for EndAtOnce {
    fn drop(&mut self) {
        set_last_words(None);
    }
}

fn set_last_words(words: Option<String>) {
    *LAST_WORDS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = words;
}

fn say_last_words() {
    let words = LAST_WORDS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    if let Some(words) = words {
        say(&format!("error: {words}"));
        end_now(TRY_AGAIN.into());
    }
}

/// Ends the process without the libraries' exit handlers: other threads are still writing through GDAL and SQLite, and
/// clearing these away under them would crash.
fn end_now(code: i32) -> ! {
    #[cfg(unix)]
    // SAFETY: ends the process; nothing follows.
    unsafe {
        libc::_exit(code)
    }
    #[cfg(not(unix))]
    std::process::exit(code)
}

/// Whether the user asked to stop.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// `Err` once the user asked to stop: `interrupt::check()?` inside long loops.
pub(crate) fn check() -> Result<()> {
    if requested() { Err(Error::again("interrupted; nothing was written")) } else { Ok(()) }
}
