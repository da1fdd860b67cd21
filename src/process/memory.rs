//! How much memory this process may still take: what the machine has free, and what containers and shells allow.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that can be had, and who sets the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Available {
    pub bytes: u64,
    pub limited_by: &'static str,
}

/// The smallest of all limits; `None` where the system does not say.
pub(crate) fn available() -> Option<Available> {
    let limits = [
        (free_memory(Path::new("/proc/meminfo")), "the memory that is free"),
        (
            container(Path::new("/proc/self/cgroup"), Path::new("/sys/fs/cgroup")),
            "the limit of this container (cgroup)",
        ),
        (shell_limit(), "the limit of this shell (ulimit -v or -d)"),
    ];
    let known = limits.into_iter().filter_map(|(bytes, limited_by)| Some(Available { bytes: bytes?, limited_by }));
    known.min_by_key(|limit| limit.bytes)
}

/// The user's limit for terrain, bytes; 0 if none was set.
static FOR_TERRAIN: AtomicU64 = AtomicU64::new(0);

/// Sets how many bytes may be taken for what is known of the terrain.
pub(crate) fn limit_terrain(bytes: u64) {
    FOR_TERRAIN.store(bytes, Ordering::Relaxed);
}

/// Bytes that may be taken for what is known of the terrain: as the user says, else a quarter of what can be had.
pub(crate) fn for_terrain() -> u64 {
    const LEAST: u64 = 64 << 20;
    const UNKNOWN: u64 = 1 << 30;
    match FOR_TERRAIN.load(Ordering::Relaxed) {
        0 => available().map_or(UNKNOWN, |available| available.bytes / 4).max(LEAST),
        bytes => bytes,
    }
}

/// Counts up to so many bytes are read into memory as a whole, which is quicker.
static FOR_COUNTS: AtomicU64 = AtomicU64::new(1 << 26);

/// Sets up to how many bytes counts are read as a whole: tests leave small ones in their file.
pub(crate) fn limit_counts(bytes: u64) {
    FOR_COUNTS.store(bytes, Ordering::Relaxed);
}

/// Up to how many bytes counts are read as a whole.
pub(crate) fn for_counts() -> u64 {
    FOR_COUNTS.load(Ordering::Relaxed)
}

/// A sentence if so much cannot be had: better than a process that is killed without one.
pub(crate) fn lack(bytes: u64) -> Option<String> {
    let available = available().filter(|available| bytes > available.bytes)?;
    Some(format!(
        "there is no memory for it: another {:.0} MB are needed, but {} leaves {:.0} MB; cut the DEM with `couloir clip` or take \
         larger cells",
        bytes as f64 * 1e-6,
        available.limited_by,
        available.bytes as f64 * 1e-6
    ))
}

/// Bytes this process has in memory now; 0 where the system does not say.
pub(crate) fn in_use() -> u64 {
    fs::read_to_string("/proc/self/status").ok().and_then(|text| kilobytes(&text, "VmRSS:")).unwrap_or(0)
}

/// Memory that can be taken without swapping.
fn free_memory(meminfo: &Path) -> Option<u64> {
    kilobytes(&fs::read_to_string(meminfo).ok()?, "MemAvailable:")
}

/// The number behind a key of a file such as /proc/meminfo, in bytes.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// What the control groups this process is in leave it, version 2 or 1; each level may set a limit of its own.
fn container(membership: &Path, root: &Path) -> Option<u64> {
    let text = fs::read_to_string(membership).ok()?;
    let left = text.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        match controllers {
            "" => levels(root, path).filter_map(|group| left_in(&group, "memory.max", "memory.current")).min(),
            _ if controllers.split(',').any(|name| name == "memory") => levels(&root.join("memory"), path)
                .filter_map(|group| left_in(&group, "memory.limit_in_bytes", "memory.usage_in_bytes"))
                .min(),
            _ => None,
        }
    });
    left.min()
}

/// The group and all above it. Inside a container the path may be that of the outside: then only the root is there.
fn levels(root: &Path, path: &str) -> impl Iterator<Item = PathBuf> {
    let own = root.join(path);
    let above: Vec<PathBuf> = own.ancestors().take_while(|group| group.starts_with(root)).map(PathBuf::from).collect();
    above.into_iter()
}

/// Limit minus use; what is cached of files is given back when needed and does not count.
fn left_in(group: &Path, limit: &str, used: &str) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let (limit, used) = (number(limit)?, number(used)?);
    let cached = fs::read_to_string(group.join("memory.stat")).ok().and_then(|text| {
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok());
        value("total_inactive_file ").or_else(|| value("inactive_file "))
    });
    Some(limit.saturating_sub(used.saturating_sub(cached.unwrap_or(0))))
}

/// A limit of this process, bytes; `None` if there is none. (A macro: the type of its argument differs between systems.)
#[cfg(unix)]
macro_rules! limit {
    ($resource:expr) => {{
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: fills the struct it is given.
        let known = unsafe { libc::getrlimit($resource, &mut limit) } == 0 && limit.rlim_cur != libc::RLIM_INFINITY;
        known.then_some(limit.rlim_cur)
    }};
}

/// What is left of the limits on address space and data.
#[cfg(unix)]
fn shell_limit() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let left = |limit: Option<u64>, key: &str| Some(limit?.saturating_sub(kilobytes(&status, key).unwrap_or(0)));
    let (space, data) = (limit!(libc::RLIMIT_AS), limit!(libc::RLIMIT_DATA));
    left(space, "VmSize:").into_iter().chain(left(data, "VmData:")).min()
}

/// Where address space is limited all threads share one heap: the C library reserves 128 MB for that of each thread, whatever it needs, and
/// what is then refused may be PROJ's database or a thread's first allocation.
pub(crate) fn share_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if limit!(libc::RLIMIT_AS).is_some() {
        // SAFETY: sets a number; no other thread is running yet.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

#[cfg(not(unix))]
fn shell_limit() -> Option<u64> {
    None
}

/// The system's memory; where it gives none, the program ends with a sentence instead of an abort.
pub struct OrOneSentence;

// SAFETY: hands everything on to the system's allocator and returns what that returns.
unsafe impl GlobalAlloc for OrOneSentence {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of GlobalAlloc, which is that of the system's allocator.
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of GlobalAlloc, which is that of the system's allocator.
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of GlobalAlloc, which is that of the system's allocator.
        or_end(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of GlobalAlloc, which is that of the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn or_end(pointer: *mut u8) -> *mut u8 {
    #[cfg(unix)]
    if pointer.is_null() {
        end_with(
            b"error: no memory is left; free some, raise the limit (ulimit -v, cgroup), or take a smaller DEM or fewer rocks\n",
        );
    }
    pointer
}

/// Writes a line and ends the process; takes no memory.
#[cfg(unix)]
fn end_with(line: &[u8]) -> ! {
    // SAFETY: writes bytes that live until the call returns, and ends the process.
    unsafe {
        libc::write(2, line.as_ptr().cast(), line.len());
        libc::_exit(1)
    }
}

/// Lets libraries in C++ that give up for want of memory end with a sentence, too: their exceptions reach nobody here, and
/// the process would be aborted.
pub(crate) fn end_foreign_with_a_sentence() {
    #[cfg(unix)]
    {
        type Handler = extern "C" fn();
        type SetTerminate = unsafe extern "C" fn(Handler) -> Option<Handler>;
        extern "C" fn terminated() {
            end_with(
                b"error: GDAL or PROJ gave up, most likely as no memory is left; free some, raise the limit (ulimit -v, cgroup), or \
                take smaller inputs\n",
            )
        }
        // SAFETY: the name is that of `std::set_terminate(void (*)())` in every C++ library of the Itanium ABI; the handler
        // lives as long as the process and never returns.
        unsafe {
            let found = libc::dlsym(libc::RTLD_DEFAULT, c"_ZSt13set_terminatePFvvE".as_ptr());
            if !found.is_null() {
                std::mem::transmute::<*mut libc::c_void, SetTerminate>(found)(terminated);
            }
        }
    }
}

/// Ends the process as GDAL demands it, with GDAL's words: it would abort it otherwise.
pub(crate) fn end_for_gdal(words: &str) {
    #[cfg(unix)]
    end_with(format!("error: GDAL cannot go on ({words}); free some memory, or take smaller inputs\n").as_bytes());
    #[cfg(not(unix))]
    let _ = words;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    #[test]
    fn the_tightest_control_group_on_the_way_up_counts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("cgroup");
        write(
            folder.path(),
            &[
                ("two", "0::/user/run\n"),
                ("cgroup/user/run/memory.max", "max\n"),
                ("cgroup/user/run/memory.current", "100\n"),
                ("cgroup/user/memory.max", "1000\n"),
                ("cgroup/user/memory.current", "700\n"),
                ("cgroup/user/memory.stat", "anon 400\ninactive_file 200\n"),
                ("one", "5:cpu:/x\n4:memory:/docker/abc\n"),
                ("cgroup/memory/memory.limit_in_bytes", "5000\n"),
                ("cgroup/memory/memory.usage_in_bytes", "1000\n"),
                ("none", "0::/elsewhere\n"),
            ],
        );
        assert_eq!(container(&folder.path().join("two"), &root), Some(500));
        assert_eq!(container(&folder.path().join("one"), &root), Some(4000));
        assert_eq!(container(&folder.path().join("none"), &root), None);
        assert_eq!(container(&folder.path().join("missing"), &root), None);
    }

    /// An exception nobody catches, as `std::bad_alloc` in a driver, ends in `std::terminate`.
    #[test]
    #[cfg(all(unix, feature = "gis"))]
    fn a_library_that_gives_up_ends_in_one_sentence() {
        const CHILD: &str = "COULOIR_TEST_TERMINATES";
        if std::env::var_os(CHILD).is_some() {
            super::end_foreign_with_a_sentence();
            // SAFETY: `std::terminate()`, which takes nothing and ends the process.
            unsafe {
                let terminate = libc::dlsym(libc::RTLD_DEFAULT, c"_ZSt9terminatev".as_ptr());
                assert!(!terminate.is_null());
                std::mem::transmute::<*mut libc::c_void, extern "C" fn()>(terminate)();
            }
        }
        let name = "process::memory::tests::a_library_that_gives_up_ends_in_one_sentence";
        let this = std::env::current_exe().unwrap();
        let ended = std::process::Command::new(this).args(["--exact", name, "--nocapture"]).env(CHILD, "1").output();
        let ended = ended.unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(said.contains("error: GDAL or PROJ gave up") && said.lines().count() == 1, "{said}");
    }

    #[test]
    fn free_memory_is_what_the_kernel_calls_available() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[("meminfo", "MemTotal: 99 kB\nMemFree: 1 kB\nMemAvailable:   40 kB\n")]);
        assert_eq!(free_memory(&folder.path().join("meminfo")), Some(40 * 1024));
        assert!(available().is_some_and(|limit| limit.bytes > 0), "this system says");
    }
}
