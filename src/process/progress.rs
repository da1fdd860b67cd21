//! How far long work has come: a bar with ETA on a terminal, one JSON object a line for a GUI, silence otherwise.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Note;
use crate::process::console::{say, visible};
use crate::process::interrupt;
use crate::texts::in_words;

/// Steps a bar counts for work that only knows a fraction.
const FRACTION_STEPS: u64 = 1000;
/// JSON lines at most this often.
const JSON_INTERVAL: Duration = Duration::from_millis(200);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Mode {
    /// A bar when standard error is a terminal, else nothing.
    #[default]
    #[value(alias = "bar")]
    Auto,
    /// One line a step: {"stage", "done", "total", "rate", "eta_s", "warnings", "messages"}. `run` and `merge` print them on standard
    /// output, other commands on standard error.
    Json,
    /// Nothing.
    None,
}

/// Shared by all threads of one piece of work; stages follow one another.
pub struct Progress {
    sink: Sink,
    stage: Mutex<Stage>,
}

enum Sink {
    Bar(ProgressBar),
    Json(Stream),
    Silent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Stdout,
    Stderr,
}

impl Stream {
    fn print(self, line: &str) -> std::io::Result<()> {
        match self {
            Self::Stdout => writeln!(std::io::stdout(), "{}", visible(line)).and_then(|()| std::io::stdout().flush()),
            Self::Stderr => writeln!(std::io::stderr(), "{}", visible(line)),
        }
    }
}

struct Stage {
    name: String,
    total: u64,
    done: u64,
    /// Done before this process began.
    before: u64,
    warnings: Vec<Note>,
    started: Instant,
    printed: Option<Instant>,
}

impl Progress {
    pub(crate) fn new(mode: Mode) -> Self {
        Self::on(mode, Stream::Stderr)
    }

    /// As [`Progress::new`], with JSON lines on standard output; when their reader goes away, the work is asked to stop.
    pub(crate) fn on_stdout(mode: Mode) -> Self {
        Self::on(mode, Stream::Stdout)
    }

    fn on(mode: Mode, stream: Stream) -> Self {
        let sink = match mode {
            Mode::Auto if std::io::stderr().is_terminal() => Sink::Bar(bar()),
            Mode::Json => Sink::Json(stream),
            Mode::Auto | Mode::None => Sink::Silent,
        };
        Self { sink, stage: Mutex::new(Stage::new("", 1)) }
    }

    /// Begins a stage of `total` steps; the ETA counts from here.
    pub(crate) fn stage(&self, name: &str, total: u64) {
        let mut stage = self.lock();
        *stage = Stage { warnings: std::mem::take(&mut stage.warnings), ..Stage::new(name, total) };
        if let Sink::Bar(bar) = &self.sink {
            bar.reset();
            bar.set_length(stage.total);
            bar.set_message(stage.name.clone());
        }
        self.show(&mut stage);
    }

    /// This many steps were done by an earlier process: they count as done, not for the rate.
    pub(crate) fn resume_at(&self, done: u64) {
        let mut stage = self.lock();
        (stage.before, stage.done) = (done, done);
        if let Sink::Bar(bar) = &self.sink {
            bar.set_position(done);
            bar.reset_eta();
        }
        self.show(&mut stage);
    }

    /// A sentence the user should read: above the bar, or in the next JSON line.
    pub(crate) fn warn(&self, note: &Note) {
        match &self.sink {
            Sink::Bar(bar) => bar.suspend(|| say(&format!("warning: {}", in_words(note)))),
            Sink::Json(_) => self.lock().warnings.push(note.clone()),
            Sink::Silent => say(&format!("warning: {}", in_words(note))),
        }
    }

    /// Begins a stage whose work reports fractions; see [`Progress::fraction`].
    pub(crate) fn stage_of_fractions(&self, name: &str) {
        self.stage(name, FRACTION_STEPS);
    }

    /// `done` steps of the stage are behind us.
    pub(crate) fn set(&self, done: u64) {
        let mut stage = self.lock();
        stage.done = done.min(stage.total);
        self.show(&mut stage);
    }

    pub(crate) fn add(&self, steps: u64) {
        let done = self.lock().done;
        self.set(done + steps);
    }

    /// The stage is this far, 0 to 1.
    pub(crate) fn fraction(&self, fraction: f64) {
        let total = self.lock().total as f64;
        self.set((fraction.clamp(0.0, 1.0) * total).round() as u64);
    }

    /// Prints something else without tearing the bar.
    pub(crate) fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.sink {
            Sink::Bar(bar) => bar.suspend(print),
            Sink::Json(_) | Sink::Silent => print(),
        }
    }

    /// Prints a line without tearing the bar.
    pub(crate) fn note(&self, note: &Note) {
        match &self.sink {
            Sink::Bar(bar) => bar.suspend(|| say(&note.to_string())),
            Sink::Json(_) | Sink::Silent => say(&note.to_string()),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Sink::Bar(bar) = &self.sink {
            bar.finish_and_clear();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Stage> {
        // A poisoned lock only means another thread stopped while reporting; the numbers are still whole.
        self.stage.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn show(&self, stage: &mut Stage) {
        match &self.sink {
            Sink::Silent => {}
            Sink::Bar(bar) => bar.set_position(stage.done),
            Sink::Json(stream) => {
                let edge = stage.done == 0 || stage.done == stage.total;
                if !edge && stage.printed.is_some_and(|at| at.elapsed() < JSON_INTERVAL) {
                    return;
                }
                stage.printed = Some(Instant::now());
                let messages = std::mem::take(&mut stage.warnings);
                let warnings: Vec<String> = messages.iter().map(in_words).collect();
                let line = serde_json::json!({
                    "stage": stage.name, "done": stage.done, "total": stage.total, "rate": rate(stage),
                    "eta_s": eta_s(stage), "warnings": warnings, "messages": messages,
                });
                // The GUI that reads our output is gone: nobody waits for the result any more. On standard error a closed
                // pipe shows at the next line the program prints.
                if stream.print(&line.to_string()).is_err() && *stream == Stream::Stdout {
                    interrupt::request();
                }
            }
        }
    }
}

impl Stage {
    fn new(name: &str, total: u64) -> Self {
        let (name, total) = (name.to_owned(), total.max(1));
        Self { name, total, done: 0, before: 0, warnings: Vec::new(), started: Instant::now(), printed: None }
    }
}

/// Steps per second since the stage began.
fn rate(stage: &Stage) -> Option<f64> {
    let seconds = stage.started.elapsed().as_secs_f64();
    let done = stage.done - stage.before.min(stage.done);
    (done > 0 && seconds > 0.0).then(|| (done as f64 / seconds * 100.0).round() / 100.0)
}

fn eta_s(stage: &Stage) -> Option<f64> {
    let done = stage.done - stage.before.min(stage.done);
    if done == 0 {
        return None;
    }
    let left = (stage.total - stage.done) as f64 / done as f64;
    Some((stage.started.elapsed().as_secs_f64() * left * 10.0).round() / 10.0)
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:12} {wide_bar} {human_pos}/{human_len} {per_sec} ETA {eta}");
    ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eta_is_the_time_so_far_times_what_is_left_over_what_is_done() {
        let started = Instant::now() - Duration::from_secs(30);
        let stage = Stage { done: 25, started, ..Stage::new("x", 100) };
        let eta = eta_s(&stage).unwrap();
        assert!((eta - 90.0).abs() < 1.0, "{eta}");
        assert!((rate(&stage).unwrap() - 25.0 / 30.0).abs() < 0.05);
        // What an earlier process did says nothing about the speed of this one.
        let resumed = Stage { before: 20, ..stage };
        assert!((eta_s(&resumed).unwrap() - 450.0).abs() < 5.0);
        assert_eq!(eta_s(&Stage { done: 0, ..resumed }), None);
    }

    #[test]
    fn done_never_passes_total() {
        let progress = Progress::new(Mode::None);
        progress.stage("x", 10);
        progress.add(7);
        progress.add(7);
        assert_eq!(progress.lock().done, 10);
    }
}
