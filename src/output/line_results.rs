//! Recording lines and barriers evaluated: what crossed them, scenario by scenario, and what a barrier there would need.

use std::collections::BTreeSet;

use crate::Result;
use crate::draw::svg::Plot;
use crate::hazard::barrier::Tally;
use crate::hazard::crossings::Crossing;
use crate::hazard::dimensioning::{self, Sheet};
use crate::hazard::lines::{Line, LineSet, Role};
use crate::hazard::sample::Sample;
use crate::hazard::standard::Dimensioning;
use crate::output::report_model::{BarrierSize, LineReport, LineRow, Summary};
use crate::texts::{Text, msg};

/// What all scenarios taken together are called.
pub(crate) const POOLED: &str = "all scenarios pooled";

/// One line or barrier, evaluated for the rocks of one scenario.
#[derive(Debug, Clone)]
pub(crate) struct LineResult {
    pub name: String,
    /// Whose rocks: those of a scenario, or [`POOLED`].
    pub scenario: String,
    pub role: Role,
    pub length_m: f64,
    /// The whole line first, then its segments if it has several.
    pub rows: Vec<SummaryRow>,
    /// `None` if nothing crossed.
    pub sheet: Option<Sheet>,
    /// What became of the rocks, for a barrier.
    pub tally: Option<Tally>,
    /// Histograms of energy, velocity and height; none if nothing crossed.
    pub histograms: Vec<Plot>,
}

/// Crossings of a line or of one of its segments.
#[derive(Debug, Clone)]
pub(crate) struct SummaryRow {
    /// From 1; `None` for the whole line.
    pub segment: Option<usize>,
    pub from_m: f64,
    pub to_m: f64,
    pub crossings: usize,
    pub rocks: usize,
    pub energy_kj: Sample,
    pub velocity_m_s: Sample,
    pub lowest_height_m: Sample,
    pub centre_height_m: Sample,
}

impl LineResult {
    /// What the report shows of it.
    pub(crate) fn report(&self) -> LineReport {
        let row = |row: &SummaryRow| LineRow {
            segment: row.segment,
            from_m: row.from_m,
            to_m: row.to_m,
            crossings: row.crossings,
            rocks: row.rocks,
            energy_kj: Summary::of(&row.energy_kj),
            velocity_m_s: Summary::of(&row.velocity_m_s),
            centre_height_m: Summary::of(&row.centre_height_m),
        };
        LineReport {
            name: self.name.clone(),
            scenario: self.scenario.clone(),
            length_m: self.length_m,
            barrier: match self.role {
                Role::Record | Role::Object => None,
                Role::Barrier(b) => Some(BarrierSize { height_m: b.height_m, capacity_kj: b.capacity_j / 1000.0 }),
            },
            rows: self.rows.iter().map(row).collect(),
            sheet: self.sheet.clone(),
            tally: self.tally,
            histograms: self.histograms.clone(),
        }
    }
}

/// Evaluates every line for every scenario, and if wished for all of them together; `settings[i]` belongs to line i.
pub(crate) fn evaluate(
    lines: &LineSet,
    crossings: &[Crossing],
    settings: &[Dimensioning],
    scenarios: &[String],
    pooled: bool,
) -> Result<Vec<LineResult>> {
    let mut groups: Vec<(&str, Option<usize>)> =
        scenarios.iter().enumerate().map(|(i, name)| (name.as_str(), Some(i))).collect();
    groups.extend((pooled && scenarios.len() > 1).then_some((POOLED, None)));
    let result = |(index, line): (usize, &Line), (scenario, only): (&str, Option<usize>)| {
        let is_mine =
            |c: &&Crossing| c.line as usize == index && only.is_none_or(|scenario| c.scenario as usize == scenario);
        let mine: Vec<&Crossing> = crossings.iter().filter(is_mine).collect();
        let mut rows = vec![row(None, (0.0, line.length_m()), &mine)];
        let segments = line.segments();
        if segments > 1 {
            let mut by_segment: Vec<Vec<&Crossing>> = vec![Vec::new(); segments];
            for crossing in &mine {
                by_segment[(crossing.segment as usize).min(segments - 1)].push(crossing);
            }
            let rows_of = by_segment.iter().enumerate();
            rows.extend(rows_of.map(|(k, here)| row(Some(k + 1), line.segment_range_m(k), here)));
        }
        let default = Dimensioning::default();
        Ok(LineResult {
            name: line.name.clone(),
            scenario: scenario.into(),
            role: line.role,
            length_m: line.length_m(),
            sheet: dimensioning::sheet(&mine, settings.get(index).unwrap_or(&default))?,
            tally: matches!(line.role, Role::Barrier(_)).then(|| Tally::of(mine.iter().copied())),
            histograms: if mine.is_empty() { Vec::new() } else { histograms(&line.name, &rows[0]) },
            rows,
        })
    };
    let own = lines.lines().iter().enumerate().filter(|(_, line)| line.role != Role::Object);
    let all = own.flat_map(|line| groups.iter().map(move |&group| (line, group)));
    all.map(|(line, group)| result(line, group)).collect()
}

fn row(segment: Option<usize>, (from_m, to_m): (f64, f64), crossings: &[&Crossing]) -> SummaryRow {
    let sample = |value: fn(&Crossing) -> f64| Sample::new(crossings.iter().map(|c| value(c)));
    SummaryRow {
        segment,
        from_m,
        to_m,
        crossings: crossings.len(),
        rocks: crossings.iter().map(|c| c.trajectory).collect::<BTreeSet<_>>().len(),
        energy_kj: sample(|c| c.kinetic_energy_j / 1000.0),
        velocity_m_s: sample(|c| c.velocity_m_s),
        lowest_height_m: sample(|c| c.lowest_height_m),
        centre_height_m: sample(|c| c.centre_height_m),
    }
}

fn histograms(name: &str, row: &SummaryRow) -> Vec<Plot> {
    let panels = [
        ("axis-energy", &row.energy_kj),
        ("axis-velocity", &row.velocity_m_s),
        ("axis-centre-height", &row.centre_height_m),
        ("axis-lowest-height", &row.lowest_height_m),
    ];
    panels.iter().map(|(label, sample)| histogram(name, msg!(label), sample, msg!("crossings"))).collect()
}

/// Bars over some 20 equal classes with round limits, and the p95 as a dashed line.
pub(crate) fn histogram(title: &str, x_label: Text, sample: &Sample, counted: Text) -> Plot {
    let plot = Plot::new(title, x_label, counted);
    let (Some(&low), Some(high), Some(p95)) = (sample.values().first(), sample.max(), sample.quantile(0.95)) else {
        return plot;
    };
    let width = crate::draw::ramp::round_up(((high - low) / 20.0).max(1e-9));
    let first = (low / width).floor();
    let count = ((high / width).floor() - first) as usize + 1;
    let mut bars = vec![0.0; count.min(200)];
    for value in sample.values() {
        let index = ((value / width).floor() - first) as usize;
        bars[index.min(count - 1).min(199)] += 1.0;
    }
    let highest = bars.iter().copied().fold(1.0, f64::max);
    plot.bars("", bars.iter().enumerate().map(|(i, &n)| [(first + i as f64 + 0.5) * width, n]))
        .dashed(format!("p95 = {}", crate::draw::ramp::number(p95)), [[p95, 0.0], [p95, highest]])
}
