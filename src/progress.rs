//! How far long work has come: a bar with ETA on a terminal, one JSON object a line for a GUI, silence otherwise.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};

/// Steps a bar counts for work that only knows a fraction.
const FRACTION_STEPS: u64 = 1000;
/// JSON lines at most this often.
const JSON_INTERVAL: Duration = Duration::from_millis(200);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Mode {
    /// A bar when standard error is a terminal, else nothing.
    #[default]
    Auto,
    /// One line a step on standard error: {"stage", "done", "total", "eta_s"}.
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
    Json,
    Silent,
}

struct Stage {
    name: String,
    total: u64,
    done: u64,
    started: Instant,
    printed: Option<Instant>,
}

impl Progress {
    pub fn new(mode: Mode) -> Self {
        let sink = match mode {
            Mode::Auto if std::io::stderr().is_terminal() => Sink::Bar(bar()),
            Mode::Json => Sink::Json,
            Mode::Auto | Mode::None => Sink::Silent,
        };
        let stage = Stage { name: String::new(), total: 1, done: 0, started: Instant::now(), printed: None };
        Self { sink, stage: Mutex::new(stage) }
    }

    pub fn silent() -> Self {
        Self::new(Mode::None)
    }

    /// Begins a stage of `total` steps; the ETA counts from here.
    pub fn stage(&self, name: &str, total: u64) {
        let mut stage = self.lock();
        *stage = Stage { name: name.to_owned(), total: total.max(1), done: 0, started: Instant::now(), printed: None };
        if let Sink::Bar(bar) = &self.sink {
            bar.reset();
            bar.set_length(stage.total);
            bar.set_message(stage.name.clone());
        }
        self.show(&mut stage);
    }

    /// Begins a stage whose work reports fractions; see [`Progress::fraction`].
    pub fn stage_of_fractions(&self, name: &str) {
        self.stage(name, FRACTION_STEPS);
    }

    /// `done` steps of the stage are behind us.
    pub fn set(&self, done: u64) {
        let mut stage = self.lock();
        stage.done = done.min(stage.total);
        self.show(&mut stage);
    }

    pub fn add(&self, steps: u64) {
        let done = self.lock().done;
        self.set(done + steps);
    }

    /// The stage is this far, 0 to 1.
    pub fn fraction(&self, fraction: f64) {
        let total = self.lock().total as f64;
        self.set((fraction.clamp(0.0, 1.0) * total).round() as u64);
    }

    /// Prints a line without tearing the bar.
    pub fn note(&self, line: &str) {
        match &self.sink {
            Sink::Bar(bar) => bar.suspend(|| eprintln!("{line}")),
            Sink::Json | Sink::Silent => eprintln!("{line}"),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
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
            Sink::Json => {
                let edge = stage.done == 0 || stage.done == stage.total;
                if !edge && stage.printed.is_some_and(|at| at.elapsed() < JSON_INTERVAL) {
                    return;
                }
                stage.printed = Some(Instant::now());
                let line = serde_json::json!({
                    "stage": stage.name, "done": stage.done, "total": stage.total, "eta_s": eta_s(stage),
                });
                // A closed pipe (the GUI is gone) shows at the next line the program prints.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        }
    }
}

fn eta_s(stage: &Stage) -> Option<f64> {
    if stage.done == 0 {
        return None;
    }
    let left = (stage.total - stage.done) as f64 / stage.done as f64;
    Some((stage.started.elapsed().as_secs_f64() * left * 10.0).round() / 10.0)
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:24} {wide_bar} {percent:>3} % ETA {eta}");
    ProgressBar::new(1).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eta_is_the_time_so_far_times_what_is_left_over_what_is_done() {
        let started = Instant::now() - Duration::from_secs(30);
        let stage = Stage { name: "x".into(), total: 100, done: 25, started, printed: None };
        let eta = eta_s(&stage).unwrap();
        assert!((eta - 90.0).abs() < 1.0, "{eta}");
        assert_eq!(eta_s(&Stage { done: 0, ..stage }), None);
    }

    #[test]
    fn done_never_passes_total() {
        let progress = Progress::silent();
        progress.stage("x", 10);
        progress.add(7);
        progress.add(7);
        assert_eq!(progress.lock().done, 10);
    }
}
