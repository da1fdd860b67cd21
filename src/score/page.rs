//! `score.html`: how well the run meets the observations, for people.

use super::data::{LARGEST, PASSING};
use super::samples::steps;
use super::{Direction, Part, Quantity, Score, Sides, deposits};
use crate::Result;
use crate::draw::ramp::number;
use crate::draw::svg::Plot;
use crate::output::page::{self, Block};

/// Points of a scatter plot, at most.
const MOST_DRAWN: usize = 3000;

/// Drawings of one part.
pub(super) struct Drawings {
    plots: Vec<(String, Plot)>,
}

impl Drawings {
    pub(crate) fn of(Sides { observed, simulated }: &Sides, direction: &Direction) -> Self {
        let mut plots = Vec::new();
        let mut functions =
            |name: &str, label: &str, seen: &[super::samples::Value], made: &[super::samples::Value]| {
                if seen.is_empty() || made.is_empty() {
                    return;
                }
                let plot =
                    Plot::new("", label, "share of rocks").line("simulated", steps(made)).line("observed", steps(seen));
                plots.push((name.to_string(), plot.y_range(0.0, 1.0)));
            };
        functions("runout_m", "run-out (m)", &direction.runouts(observed), &direction.runouts(simulated));
        functions(
            "offset_m",
            "offset, positive to the right (m)",
            &direction.offsets(observed),
            &direction.offsets(simulated),
        );
        for (k, (name, unit, _)) in LARGEST.iter().enumerate() {
            functions(name, &format!("{} ({unit})", title(name)), &observed.largest(k), &simulated.largest(k));
        }
        let lines: std::collections::BTreeSet<&String> =
            observed.passages.iter().map(|passage| &passage.line).collect();
        for (index, line) in lines.into_iter().enumerate() {
            for (k, (name, unit, ..)) in PASSING.iter().enumerate() {
                let label = format!("{} at {line} ({unit})", title(name));
                functions(
                    &format!("line_{}_{name}", index + 1),
                    &label,
                    &observed.passing(line, k),
                    &simulated.passing(line, k),
                );
            }
        }
        let (seen, made) = (deposits::ends(observed), deposits::ends(simulated));
        if !seen.is_empty() && !made.is_empty() {
            let step = made.len().div_ceil(MOST_DRAWN).max(1);
            let plot = Plot::new("", "east (m)", "north (m)").points("simulated", made.into_iter().step_by(step));
            plots.push(("deposits".into(), plot.points("observed", seen).equal()));
        }
        Self { plots }
    }

    /// Names of files with what they show.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &[Plot])> {
        self.plots.iter().map(|(name, plot)| (name.as_str(), std::slice::from_ref(plot)))
    }
}

pub(super) fn render(score: &Score, drawings: &[Drawings]) -> Result<String> {
    let name = if score.title.is_empty() { &score.run } else { &score.title };
    let title = format!("Score: {name}");
    let mut blocks = vec![Block::Title(title.clone())];
    blocks.push(Block::Subtitle(format!(
        "{} against {} · {} · {}",
        score.run, score.observed_file, score.engine, score.crs
    )));
    if let Some(all) = score.parts.first() {
        blocks.push(Block::Key(key(all)));
    }
    if !score.notes.is_empty() {
        blocks.push(Block::Warnings("What to know".into(), score.notes.clone()));
    }
    if !score.variant.is_empty() {
        blocks.push(Block::Text(format!("The rocks {}.", score.variant)));
    }
    blocks.push(Block::Text(score.direction.sentence()));
    if score.parts.len() > 1 {
        blocks.push(Block::Section("At a glance".into()));
        blocks.push(overview(score));
    }
    for (part, drawings) in score.parts.iter().zip(drawings) {
        let field = score.group_field.as_deref().unwrap_or_default();
        let heading = part.group.as_ref().map_or("All rocks".to_string(), |group| format!("{field} {group}"));
        blocks.push(Block::Chapter(heading));
        blocks.extend(one(part, drawings));
    }
    blocks.push(Block::Small(MEANING.into()));
    page::render(&title, &blocks)
}

const MEANING: &str = "KS: largest distance between the two distribution functions, 0 for the same, 1 for samples that do not overlap \
    (Kolmogorov and Smirnov). Chance: what two samples of these sizes from one distribution exceed once in 20 times, found by dealing \
    all values anew to two samples of the same sizes, 999 times (end points 199 times). A distance below it is no evidence of a difference; with few \
    observations that means little. Rocks that still moved where the simulation ended count as at least as far (Kaplan and Meier); the bounds \
    hold whatever became of them. Energy distance: twice the mean distance between end points of the two kinds minus the mean distances \
    within each (Székely and Rizzo).";

fn title(name: &str) -> String {
    let (text, _) = name.rsplit_once("_m_s").or(name.rsplit_once('_')).unwrap_or((name, ""));
    text.replace('_', " ")
}

fn key(all: &Part) -> Vec<(String, String)> {
    let mut key = vec![
        (all.observed_rocks.to_string(), "rocks observed".to_string()),
        (all.simulated_rocks.to_string(), "rocks simulated".into()),
    ];
    if let Some(runout) = all.quantities.iter().find(|quantity| quantity.name == "runout_m") {
        key.push((
            format!("{:.2}", runout.comparison.ks),
            format!("KS of run-out; chance {:.2}", runout.comparison.ks_chance),
        ));
    }
    if let Some(ratio) = all.quantities.iter().find(|q| q.name == "offset_m").and_then(|q| q.comparison.spread_ratio) {
        key.push((format!("{ratio:.2}"), "lateral spread, simulated over observed".into()));
    }
    key
}

fn overview(score: &Score) -> Block {
    let rows = score.parts.iter().flat_map(|part| {
        let name = part.group.clone().unwrap_or("all".into());
        part.quantities.iter().map(move |quantity| {
            let c = &quantity.comparison;
            let mean = |figures: &super::Figures| format!("{:.1} ± {:.1}", figures.mean, figures.standard_deviation);
            vec![
                name.clone(),
                format!("{} ({})", title(&quantity.name), quantity.unit),
                c.observed.n.to_string(),
                mean(&c.observed),
                mean(&c.simulated),
                format!("{:.2}", c.ks),
                format!("{:.2}", c.ks_chance),
            ]
        })
    });
    let head = ["group", "quantity", "n", "observed", "simulated", "KS", "chance"];
    Block::table(&head, rows.collect(), 2)
}

fn one(part: &Part, drawings: &Drawings) -> Vec<Block> {
    let mut blocks = vec![Block::Text(format!(
        "{} rocks observed, {} simulated; {} of these still moved where the simulation ended.",
        part.observed_rocks, part.simulated_rocks, part.simulated_censored
    ))];
    if !part.quantities.is_empty() {
        blocks.push(summary(&part.quantities));
        part.quantities.iter().for_each(|quantity| blocks.push(quantiles(quantity)));
    }
    if let Some(d) = &part.deposits {
        blocks.push(Block::Section("Deposits".into()));
        let place = |[x, y]: [f64; 2]| format!("({x:.1}, {y:.1})");
        blocks.push(Block::table(
            &["", "observed", "simulated", "apart (m)", "chance (m)"],
            vec![
                vec![
                    "end points".into(),
                    d.observed.to_string(),
                    d.simulated.to_string(),
                    String::new(),
                    String::new(),
                ],
                vec![
                    "centroid".into(),
                    place(d.observed_centre_m),
                    place(d.simulated_centre_m),
                    number(d.centres_apart_m),
                    number(d.centres_chance_m),
                ],
                vec![
                    "energy distance".into(),
                    String::new(),
                    String::new(),
                    number(d.energy_distance_m),
                    number(d.energy_chance_m),
                ],
            ],
            1,
        ));
    }
    for passages in &part.passages {
        blocks.push(Block::Section(format!("Passages at {}", passages.line)));
        let share = |share: Option<f64>| share.map_or("–".into(), |share| format!("{:.1} %", 100.0 * share));
        blocks.push(Block::table(
            &["", "observed", "simulated", "chance"],
            vec![
                vec!["rocks".into(), passages.observed.to_string(), passages.simulated.to_string(), String::new()],
                vec![
                    "share of rocks".into(),
                    share(passages.observed_share),
                    share(passages.simulated_share),
                    share(passages.share_chance),
                ],
            ],
            1,
        ));
        if !passages.quantities.is_empty() {
            blocks.push(summary(&passages.quantities));
        }
    }
    let plots: Vec<Plot> = drawings.plots.iter().map(|(_, plot)| plot.clone()).collect();
    if !plots.is_empty() {
        blocks.push(Block::drawing(&plots, 2, "Distribution functions, and end points on the map."));
    }
    blocks
}

fn summary(quantities: &[Quantity]) -> Block {
    let rows = quantities.iter().map(|quantity| {
        let c = &quantity.comparison;
        let mean = |figures: &super::Figures| format!("{:.1} ± {:.1}", figures.mean, figures.standard_deviation);
        let [low, high] = c.ks_bounds;
        let bounds = if low == high { "–".into() } else { format!("{low:.2} to {high:.2}") };
        let ratio = c.spread_ratio.map_or("–".into(), |ratio| format!("{ratio:.2}"));
        let limits = c.spread_chance.map_or("–".into(), |[low, high]| format!("{low:.2} to {high:.2}"));
        vec![
            format!("{} ({})", title(&quantity.name), quantity.unit),
            format!("{} / {}", c.observed.n, c.simulated.n),
            mean(&c.observed),
            mean(&c.simulated),
            format!("{:.3}", c.ks),
            format!("{:.3}", c.ks_chance),
            format!("{:.3}", c.ks_p),
            bounds,
            ratio,
            limits,
        ]
    });
    let head = ["quantity", "n", "observed", "simulated", "KS", "chance", "p", "KS bounds", "spread ratio", "chance"];
    Block::table(&head, rows.collect(), 1)
}

fn quantiles(quantity: &Quantity) -> Block {
    let text = |value: Option<f64>| value.map_or("–".into(), number);
    let rows = quantity.comparison.quantiles.iter().map(|row| {
        vec![
            format!("{} p{:.0}", title(&quantity.name), 100.0 * row.quantile),
            text(row.observed),
            text(row.simulated),
            text(row.difference).replace('-', "−"),
            text(row.chance),
        ]
    });
    let unit = &quantity.unit;
    let head = ["quantile", &format!("observed ({unit})"), &format!("simulated ({unit})"), "difference", "chance"];
    Block::table(&head, rows.collect(), 1)
}
