//! Rows: one number each, with where it was published, what we compute and how near it has to be.

use serde::Serialize;

/// How a computed number is judged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tolerance {
    /// |computed − published| ≤ this.
    Absolute(f64),
    /// |computed − published| ≤ this · |published|.
    Relative(f64),
    /// All printed digits: the computed number, cut (not rounded) to this many decimals, is the published one.
    Truncated(u32),
    /// computed ≤ published.
    AtMost,
    /// computed ≥ published.
    AtLeast,
    /// Reported, not judged.
    None,
}

/// Of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Within the tolerance.
    Pass,
    /// Outside of it.
    Fail,
    /// A number without a verdict: timings, or what a paper does not state precisely enough.
    Info,
}

/// One number.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Which case.
    pub case: String,
    /// Paper, section, table or equation.
    pub source: String,
    /// What is compared.
    pub quantity: String,
    /// What the paper prints, or the exact value; for bounds the bound. `null` if there is none.
    pub published: Option<f64>,
    /// Ours.
    pub computed: f64,
    /// How far they may differ.
    pub tolerance: Tolerance,
    /// Whether they do.
    pub status: Status,
    /// What else to know.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A figure as SVG.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// File name without extension.
    pub name: String,
    /// The drawing.
    pub svg: String,
}

/// Who wants to hear of a report while it is made.
pub trait Listener {
    /// A row is complete.
    fn row(&mut self, row: &Row);
    /// Work of so many steps begins.
    fn stage(&mut self, name: &str, steps: u64);
    /// A step of it is done.
    fn step(&mut self);
}

/// All comparisons of a case.
#[derive(Default)]
pub struct Report {
    /// One a comparison.
    pub rows: Vec<Row>,
    /// Drawings.
    pub figures: Vec<Figure>,
    case: String,
    source: String,
    listener: Option<Box<dyn Listener>>,
    /// So many rows have been told.
    told: usize,
}

impl Report {
    pub(super) fn told_to(listener: Option<Box<dyn Listener>>) -> Self {
        Self { listener, ..Self::default() }
    }

    /// Tells of the rows that are new; they are complete.
    pub(crate) fn tell(&mut self) {
        if let Some(listener) = &mut self.listener {
            self.rows[self.told..].iter().for_each(|row| listener.row(row));
        }
        self.told = self.rows.len();
    }

    /// Tells of the last rows; then nobody listens any more.
    pub(super) fn is_complete(&mut self) {
        self.tell();
        self.listener = None;
    }

    /// Work of so many steps begins.
    pub(crate) fn stage(&mut self, name: &str, steps: usize) {
        if let Some(listener) = &mut self.listener {
            listener.stage(name, steps as u64);
        }
    }

    /// A step of it is done.
    pub(crate) fn step(&mut self) {
        self.tell();
        if let Some(listener) = &mut self.listener {
            listener.step();
        }
    }

    pub(super) fn begin(&mut self, case: &str) {
        self.case = case.into();
        self.source.clear();
    }

    /// Where the following rows come from.
    pub(crate) fn source(&mut self, source: &str) {
        self.source = source.into();
    }

    /// Adds a row and judges it. A computed NaN never passes.
    pub(crate) fn row(&mut self, quantity: &str, published: f64, computed: f64, tolerance: Tolerance) -> &mut Row {
        let passed = match tolerance {
            Tolerance::Absolute(limit) => (computed - published).abs() <= limit,
            Tolerance::Relative(limit) => (computed - published).abs() <= limit * published.abs(),
            Tolerance::Truncated(decimals) => {
                let unit = 10f64.powi(-(decimals as i32));
                let excess = (computed.abs() - published.abs()) / unit;
                // Half a thousandth of the last digit for decimals a double cannot hold.
                computed * published >= 0.0 && (-5e-4..1.0).contains(&excess)
            }
            Tolerance::AtMost => computed <= published,
            Tolerance::AtLeast => computed >= published,
            Tolerance::None => true,
        };
        let status = match tolerance {
            Tolerance::None => Status::Info,
            _ if passed => Status::Pass,
            _ => Status::Fail,
        };
        self.push(quantity, Some(published), computed, tolerance, status)
    }

    /// A statement that holds or not; shown as 1 or 0.
    pub(crate) fn holds(&mut self, statement: &str, truth: bool) -> &mut Row {
        self.row(statement, 1.0, f64::from(u8::from(truth)), Tolerance::Absolute(0.0))
    }

    /// A number without a verdict and without a published one.
    pub(crate) fn info(&mut self, quantity: &str, computed: f64) -> &mut Row {
        self.push(quantity, None, computed, Tolerance::None, Status::Info)
    }

    fn push(
        &mut self,
        quantity: &str,
        published: Option<f64>,
        computed: f64,
        tolerance: Tolerance,
        status: Status,
    ) -> &mut Row {
        // Notes are added to the last row.
        self.tell();
        let index = self.rows.len();
        self.rows.push(Row {
            case: self.case.clone(),
            source: self.source.clone(),
            quantity: quantity.into(),
            published,
            computed,
            tolerance,
            status,
            note: String::new(),
        });
        &mut self.rows[index]
    }

    pub(crate) fn figure(&mut self, name: &str, svg: String) {
        self.figures.push(Figure { name: name.into(), svg });
    }

    pub(crate) fn failures(&self) -> usize {
        self.rows.iter().filter(|row| row.status == Status::Fail).count()
    }
}

impl Row {
    pub(crate) fn note(&mut self, note: impl Into<String>) -> &mut Self {
        self.note = note.into();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of tolerance can fail, and NaN fails all of them.
    #[test]
    fn each_tolerance_passes_and_fails() {
        let mut report = Report::default();
        for (tolerance, good, bad) in [
            (Tolerance::Absolute(0.1), 2.05, 2.2),
            (Tolerance::Relative(0.01), 2.01, 2.1),
            (Tolerance::Truncated(2), 2.009, 1.999),
            (Tolerance::AtMost, 2.0, 2.1),
            (Tolerance::AtLeast, 2.0, 1.9),
        ] {
            assert_eq!(report.row("good", 2.0, good, tolerance).status, Status::Pass, "{tolerance:?}");
            assert_eq!(report.row("bad", 2.0, bad, tolerance).status, Status::Fail, "{tolerance:?}");
            assert_eq!(report.row("nan", 2.0, f64::NAN, tolerance).status, Status::Fail, "{tolerance:?}");
        }
        assert_eq!(report.row("negative", -61.749731, -61.7497314, Tolerance::Truncated(6)).status, Status::Pass);
        assert_eq!(report.failures(), 10);
    }
}
