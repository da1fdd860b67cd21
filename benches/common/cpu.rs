//! CPU seconds: other work on the machine disturbs them far less than the clock on the wall.

pub fn seconds(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for the call, and these clocks exist on every Linux and macOS.
    let failed = unsafe { libc::clock_gettime(clock, &raw mut time) };
    assert_eq!(failed, 0, "this system has no CPU clock");
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// CPU seconds this thread takes for `work`, and what it returns.
pub fn of_thread<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let before = seconds(libc::CLOCK_THREAD_CPUTIME_ID);
    let result = work();
    (seconds(libc::CLOCK_THREAD_CPUTIME_ID) - before, result)
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 { f64::NAN } else { 0.5 * (values[(n - 1) / 2] + values[n / 2]) }
}
