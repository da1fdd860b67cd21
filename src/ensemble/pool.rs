//! Many trajectories on several threads, handed over in order of their number whatever the threads do.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use rayon::ThreadPool;

use crate::Result;

/// How far a worker may run ahead of the slowest trajectory, per thread: bounds what waits in memory.
const AHEAD: u64 = 16;
/// The keeper looks around this often even if nothing arrives.
const HEARTBEAT: Duration = Duration::from_millis(200);

/// Computes `work(i)` for every i of the range on the threads of `pool` and calls `keep(i, result)` on this one, in order of
/// i. Without a pool this one does it all.
/// `work` returning `None` (interrupted) ends everything; so does `idle`, which is called often, by returning false.
/// Returns the first number not kept.
pub fn ordered<T: Send>(
    pool: Option<&ThreadPool>,
    range: Range<u64>,
    work: impl Fn(u64) -> Option<T> + Sync,
    mut keep: impl FnMut(u64, T) -> Result<()>,
    mut idle: impl FnMut(u64) -> Result<bool>,
) -> Result<u64> {
    let Some(pool) = pool else {
        for i in range.clone() {
            let Some(result) = work(i) else { return Ok(i) };
            keep(i, result)?;
            if !idle(i + 1)? {
                return Ok(i + 1);
            }
        }
        return Ok(range.end);
    };
    let threads = pool.current_num_threads();
    let next = AtomicU64::new(range.start);
    let stop = AtomicBool::new(false);
    let window = Window { kept: Mutex::new(range.start), moved: Condvar::new(), ahead: AHEAD * threads as u64 };
    let (sender, receiver) = mpsc::channel();
    let (next, stop, window, work) = (&next, &stop, &window, &work);
    pool.in_place_scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move |_| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= range.end || !window.wait_for(i, stop) {
                        return;
                    }
                    let sent = work(i).is_some_and(|result| sender.send((i, result)).is_ok());
                    if !sent {
                        stop.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = range.start;
        let mut step = || -> Result<bool> {
            match receiver.recv_timeout(HEARTBEAT) {
                Ok((i, result)) => {
                    waiting.insert(i, result);
                    while let Some(result) = waiting.remove(&expected) {
                        keep(expected, result)?;
                        expected += 1;
                        window.move_to(expected);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(false),
            }
            idle(expected)
        };
        let ended = loop {
            match step() {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        stop.store(true, Ordering::Relaxed);
        window.moved.notify_all();
        ended.map(|()| expected)
    })
}

struct Window {
    kept: Mutex<u64>,
    moved: Condvar,
    ahead: u64,
}

impl Window {
    /// Waits until number i may begin; false if everything stops.
    fn wait_for(&self, i: u64, stop: &AtomicBool) -> bool {
        let mut kept = self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        while i >= *kept + self.ahead && !stop.load(Ordering::Relaxed) {
            let waited = self.moved.wait_timeout(kept, HEARTBEAT);
            kept = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
        }
        !stop.load(Ordering::Relaxed)
    }

    fn move_to(&self, number: u64) {
        *self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = number;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use crate::process::threads;

    fn pool(count: usize) -> Option<ThreadPool> {
        (count > 1).then(|| threads::start(count).unwrap())
    }

    #[test]
    fn results_are_kept_in_order_whatever_the_threads_do() {
        for threads in [1, 4] {
            let mut kept = Vec::new();
            // Even numbers are slow.
            let work = |i: u64| {
                std::thread::sleep(Duration::from_micros(if i.is_multiple_of(2) { 300 } else { 0 }));
                Some(i * i)
            };
            let keep = |i, square| {
                kept.push((i, square));
                Ok(())
            };
            let end = ordered(pool(threads).as_ref(), 5..300, work, keep, |_| Ok(true)).unwrap();
            assert_eq!(end, 300);
            assert_eq!(kept, (5..300).map(|i| (i, i * i)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_interruption_keeps_a_gapless_beginning() {
        let kept = std::cell::Cell::new(0);
        let keep = |i, ()| {
            assert_eq!(i, kept.get());
            kept.set(i + 1);
            Ok(())
        };
        for threads in [1, 3] {
            kept.set(0);
            let pool = pool(threads);
            let pool = pool.as_ref();
            let end = ordered(pool, 0..1_000_000, |i| (i != 500).then_some(()), keep, |_| Ok(true)).unwrap();
            assert!(end <= 500 && end == kept.get());
            let end = ordered(pool, 0..1_000_000, |_| Some(()), |_, ()| Ok(()), |kept| Ok(kept < 100)).unwrap();
            assert!((100..1000).contains(&end));
            let full = |_, ()| Err(Error::failed("disk full"));
            assert!(ordered(pool, 0..100, |_| Some(()), full, |_| Ok(true)).is_err());
        }
    }
}
