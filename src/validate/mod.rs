//! What the papers published, what we compute, the tolerance, pass or fail: one file a paper.
//!
//! A [`Case`] fills a [`Report`] with rows and, if asked, figures. `couloir validate` prints them; the fast cases are part
//! of the test suite.

mod report;

pub(crate) mod analytical;
pub(crate) mod convergence;
pub mod falls;
pub(crate) mod families;
mod ground_classes;
pub(crate) mod integrators;
pub mod kept;
pub(crate) mod leine2014;
pub(crate) mod leine2021;
pub(crate) mod leine2021_ramp;
pub(crate) mod lu2019;
pub(crate) mod non_twisting;
pub(crate) mod planar;
pub(crate) mod ramp;
pub mod ramp1000;
mod rebounds;
pub(crate) mod rocfall3;
mod scenes;
mod short_falls;
pub(crate) mod spiral;
pub(crate) mod stepping;
pub(crate) mod tschamut;
pub(crate) mod two_samples;

pub use report::{Figure, Listener, Report, Row, Status, Tolerance};

use crate::{Error, Result};

/// What the user asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// Smaller ensembles, no timings: for the test suite.
    pub quick: bool,
    /// Make the figures as well.
    pub plots: bool,
    /// Rocks of an ensemble, in cases that compare ensembles; their own number if there is none.
    pub rocks: Option<u64>,
    /// Only settings whose name has all these words, in cases that go through many.
    pub only: Option<String>,
    /// Where falls are kept, in cases that compare ensembles.
    pub keep: Option<kept::Kept>,
}

/// One paper, or one group of checks.
pub struct Case {
    /// As typed: `couloir validate spiral`.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// How long.
    pub takes: Takes,
    run: fn(&Settings, &mut Report) -> Result<()>,
}

/// How long a case takes without `quick`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Less than a minute.
    Seconds,
    /// More.
    Minutes,
    /// Only its quick part is run unless the case is named.
    Hours,
}

/// All cases, in the order they are run.
pub const CASES: &[Case] = &[
    Case {
        name: "leine2021",
        title: "Leine et al. 2021, §4: stability of the principal axes, explicit against implicit",
        takes: Takes::Seconds,
        run: leine2021::run,
    },
    Case {
        name: "leine2021-ramp",
        title: "Leine et al. 2021, §6.1: 1000 plates on the 40° ramp beside Tables 1 and 2",
        takes: Takes::Minutes,
        run: leine2021_ramp::run,
    },
    Case {
        name: "leine2014",
        title: "Leine et al. 2014, §5: sliding and toppling octahedron, block that rolls like a wheel",
        takes: Takes::Minutes,
        run: leine2014::run,
    },
    Case {
        name: "analytical",
        title: "closed solutions: fall, bounce, slide, stick, topple, roll, drag, precession, rest, energy",
        takes: Takes::Seconds,
        run: analytical::run,
    },
    Case {
        name: "integrators",
        title: "all rotation integrators side by side: free flight and the ramp",
        takes: Takes::Minutes,
        run: integrators::run,
    },
    Case {
        name: "rocfall3",
        title: "RocFall3 legacy manual: closed forms of the impact and rolling laws",
        takes: Takes::Seconds,
        run: rocfall3::run,
    },
    Case {
        name: "spiral",
        title: "del Valle et al. 2024: SPIRAL and its rivals, Table 2, orders, cost",
        takes: Takes::Seconds,
        run: spiral::run,
    },
    Case {
        name: "non-twisting",
        title: "Gebhardt & Romero: the non-twisting body, Tables 1–6, and the director scheme",
        takes: Takes::Seconds,
        run: non_twisting::run,
    },
    Case {
        name: "ground",
        title: "the ground classes: softer takes more speed in an impact and ends sooner, for every form and size",
        takes: Takes::Minutes,
        run: ground_classes::run,
    },
    Case {
        name: "lu2019",
        title: "Lu et al. 2019: four impacts with scars on alpine meadow",
        takes: Takes::Seconds,
        run: lu2019::run,
    },
    Case {
        name: "tschamut",
        title: "Tschamut 2014: eighty rocks on a meadow, class `medium` fitted to one half, judged on the other",
        takes: Takes::Minutes,
        run: tschamut::run,
    },
    Case {
        name: "stepping",
        title: "fast against plain stepping: every shape, ground class and slope, with forest and soil",
        takes: Takes::Hours,
        run: stepping::run,
    },
    Case {
        name: "convergence",
        title: "time steps of 4 to 0.25 ms: single motions against their own references, ensembles, integrators",
        takes: Takes::Hours,
        run: convergence::run,
    },
];

/// Runs the named cases, or all if none is named; somebody may want to hear how far they are.
///
/// # Errors
/// A usage error for a name that is not in [`CASES`].
pub fn run(names: &[String], settings: &Settings, listener: Option<Box<dyn Listener>>) -> Result<Report> {
    let mut report = Report::told_to(listener);
    for case in select(names)? {
        report.begin(case.name);
        let quick = settings.quick || (names.is_empty() && case.takes == Takes::Hours);
        (case.run)(&Settings { quick, ..settings.clone() }, &mut report)?;
    }
    report.is_complete();
    Ok(report)
}

/// The cases of these names, all if there are none.
pub(crate) fn select(names: &[String]) -> Result<Vec<&'static Case>> {
    if names.is_empty() {
        return Ok(CASES.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            CASES.iter().find(|case| case.name == name).ok_or_else(|| {
                let known: Vec<&str> = CASES.iter().map(|case| case.name).collect();
                Error::usage(format!("there is no validation case `{name}`; known are {}", known.join(", ")))
            })
        })
        .collect()
}
