//! How many threads work, and what happens when the system has none left to give: fewer work, the results are the same.

use std::io;
use std::sync::mpsc::{self, Sender};

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use crate::Result;
use crate::process::interrupt;

/// Cores this process may use.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many threads GDAL may be told to use: it waits for ever for those it cannot start.
pub(crate) fn for_gdal() -> usize {
    const STACK: usize = 8 << 20;
    const SPARE: usize = 2;
    let wanted = cores() + SPARE;
    // All at once, as GDAL wants them.
    let mut senders = Vec::new();
    let started: Vec<_> = (0..wanted)
        .map_while(|_| {
            let (sender, receiver) = mpsc::channel::<()>();
            let wait = move || receiver.recv().unwrap_or_default();
            let thread = std::thread::Builder::new().stack_size(STACK).spawn(wait).ok()?;
            senders.push(sender);
            Some(thread)
        })
        .collect();
    let all = started.len() == wanted;
    drop(senders);
    started.into_iter().for_each(|thread| drop(thread.join()));
    if all { cores() } else { 1 }
}

/// Starts the threads all parallel loops share. Where not even one can be started, the loops run on this thread; left
/// to itself the library would panic in the middle of the work.
pub(crate) fn start_shared() {
    let waiting: Vec<Sender<ThreadBuilder>> = (0..cores()).map_while(|_| waiting_thread().ok()).collect();
    let builder = ThreadPoolBuilder::new().num_threads(waiting.len().max(1));
    // Fails only if it was called before, which changes nothing.
    let _ = if waiting.is_empty() {
        builder.use_current_thread().build_global()
    } else {
        let gone = |_| io::Error::other("the thread has ended");
        builder.spawn_handler(|thread| waiting[thread.index()].send(thread).map_err(gone)).build_global()
    };
}

/// A thread that becomes whatever worker it is sent.
fn waiting_thread() -> io::Result<Sender<ThreadBuilder>> {
    let (sender, receiver) = mpsc::channel::<ThreadBuilder>();
    std::thread::Builder::new().spawn(move || receiver.recv().map(ThreadBuilder::run))?;
    Ok(sender)
}

/// Processor time this thread has taken, s; `None` where the system does not tell.
pub(crate) fn processor_time() -> Option<f64> {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: writes the time it is given.
        let told = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
        (told == 0).then_some(time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64)
    }
    #[cfg(not(unix))]
    None
}

/// A pool of workers; an interruption ends the starting, too.
pub fn start(threads: usize) -> Result<ThreadPool, String> {
    let spawn = |thread: ThreadBuilder| {
        if interrupt::requested() {
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        let builder = std::thread::Builder::new().name(format!("rock-{}", thread.index()));
        builder.spawn(|| thread.run()).map(drop)
    };
    ThreadPoolBuilder::new().num_threads(threads).spawn_handler(spawn).build().map_err(|error| error.to_string())
}
