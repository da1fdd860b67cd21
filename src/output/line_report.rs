//! The report's section on recording lines and barriers.

use crate::draw::ramp::number;
use crate::hazard::barrier::Tally;
use crate::hazard::dimensioning::{Acts, Factor, Sheet};
use crate::hazard::sample::smallest_sample;
use crate::output::page::Block;
use crate::output::report_model::{LineReport, LineRow, Variant};

pub fn section(variants: &[Variant]) -> Vec<Block> {
    let Some(free) = variants.last().filter(|variant| !variant.lines.is_empty()) else {
        return vec![Block::Text("The project has neither recording lines nor barriers.".into())];
    };
    let held = variants.first().filter(|_| variants.len() > 1);
    let with = |index: usize| held.and_then(|variant| variant.lines.get(index));
    free.lines.iter().enumerate().flat_map(|(index, line)| one(line, with(index))).collect()
}

fn one(line: &LineReport, with_barriers: Option<&LineReport>) -> Vec<Block> {
    let mut blocks = vec![Block::Section(match line.barrier {
        None => format!("Line {} ({:.0} m)", line.name, line.length_m),
        Some(size) => format!(
            "Barrier {} ({:.0} m): height {} m, capacity {} kJ",
            line.name,
            line.length_m,
            size.height_m,
            number(size.capacity_kj)
        ),
    })];
    if line.rows.first().is_none_or(|whole| whole.crossings == 0) {
        blocks.push(Block::Text("No rock crosses it.".into()));
        return blocks;
    }
    if let (Some(tally), Some(with)) = (line.tally, with_barriers) {
        blocks.push(fates(&with.tally.unwrap_or(tally)));
    }
    blocks.extend(summary(line, if with_barriers.is_some() { "without barriers" } else { "" }));
    if let Some(with) = with_barriers.filter(|with| with.barrier.is_none()) {
        blocks.extend(summary(with, "with barriers"));
    }
    if !line.histograms.is_empty() {
        blocks.push(Block::drawing(&line.histograms, 2, "Distribution over all crossings of the whole line."));
    }
    blocks.extend(line.sheet.iter().flat_map(dimensioning));
    blocks
}

fn fates(tally: &Tally) -> Block {
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / tally.total().max(1) as f64);
    let fates = [
        ("held, wholly below the top", tally.stopped),
        ("held, partly above the top", tally.stopped_partly_above),
        ("too strong, broke through", tally.broke_through),
        ("passed over the top", tally.passed_over),
    ];
    let rows = fates.map(|(name, count)| vec![name.to_string(), count.to_string(), share(count)]);
    Block::table(&["what happens at the barrier", "crossings", "share"], rows.to_vec(), 1)
}

const SUMMARY: [&str; 11] = [
    "segment",
    "from–to (m)",
    "crossings",
    "rocks",
    "energy p50",
    "p95",
    "p99",
    "max (kJ)",
    "velocity p95 (m/s)",
    "height p95",
    "max (m)",
];

fn summary(line: &LineReport, label: &str) -> Vec<Block> {
    let crossed: Vec<&LineRow> = line.rows.iter().filter(|row| row.crossings > 0).collect();
    let too_few = |row: &LineRow| row.crossings < smallest_sample(0.95);
    let row = |row: &&LineRow| {
        let text = |value: Option<f64>| value.map_or("–".into(), number);
        vec![
            row.segment.map_or("all".into(), |segment| segment.to_string()),
            format!("{:.0}–{:.0}", row.from_m, row.to_m),
            row.crossings.to_string(),
            row.rocks.to_string(),
            text(row.energy_kj.p50),
            text(row.energy_kj.p95) + if too_few(row) { " *" } else { "" },
            text(row.energy_kj.p99),
            text(row.energy_kj.max),
            text(row.velocity_m_s.p95),
            text(row.centre_height_m.p95),
            text(row.centre_height_m.max),
        ]
    };
    let mut notes = Vec::new();
    if crossed.iter().any(|row| too_few(row)) {
        notes.push(format!("* fewer than {} crossings: too few for a p95 to rely on.", smallest_sample(0.95)));
    }
    let empty = line.rows.len() - crossed.len();
    if empty > 0 {
        notes.push(format!("No rock crosses the other {empty} segments."));
    }
    let mut blocks = Vec::new();
    if !label.is_empty() {
        blocks.push(Block::Part(format!("Crossings {label}")));
    }
    blocks.push(Block::table(&SUMMARY, crossed.iter().map(row).collect(), 1));
    blocks.push(Block::Small(notes.join(" ")));
    blocks
}

fn dimensioning(sheet: &Sheet) -> Vec<Block> {
    let rows: Vec<Vec<String>> =
        characteristic(sheet).into_iter().chain(factors(sheet)).chain(required(sheet)).collect();
    vec![
        Block::Bold(format!("Dimensioning sheet, {}", sheet.standard)),
        Block::table(&["quantity", "", "value"], rows, 2),
        Block::Notes(sheet.notes.clone()),
    ]
}

fn characteristic(sheet: &Sheet) -> Vec<Vec<String>> {
    let percent = 100.0 * sheet.quantile;
    let bound = |value: Option<f64>, unit: &str| {
        value.map_or("no bound: too few rocks".into(), |v| format!("at most {} {unit} with 95 % confidence", number(v)))
    };
    vec![
        vec![
            format!("characteristic energy, p{percent:.0} of {} rocks", sheet.rocks),
            bound(sheet.energy_upper_bound_kj, "kJ"),
            format!("{} kJ", number(sheet.characteristic_energy_kj)),
        ],
        vec![
            format!("characteristic height of the centre of mass, p{percent:.0}"),
            bound(sheet.height_upper_bound_m, "m"),
            format!("{} m", number(sheet.characteristic_height_m)),
        ],
    ]
}

fn factors(sheet: &Sheet) -> Vec<Vec<String>> {
    let row = |factor: &Factor| {
        let acts = match factor.acts {
            Acts::Energy => "on energy",
            Acts::Velocity => "on velocity (energy squared, height once)",
            Acts::Height => "on height",
            Acts::Resistance => "on the barrier's energy",
        };
        let origin = match (factor.from_project, factor.confirmed) {
            (true, _) => "set in the project",
            (false, true) => "default",
            (false, false) => "ASSUMPTION, editable",
        };
        vec![format!("{} {acts}", factor.name), format!("{}; {origin}", factor.meaning), format!("{:.2}", factor.value)]
    };
    sheet.factors.iter().map(row).collect()
}

fn required(sheet: &Sheet) -> Vec<Vec<String>> {
    let class = sheet.class_kj.map_or("beyond 4500 kJ".into(), |class| format!("MEL {class} kJ"));
    vec![
        vec!["design energy".into(), String::new(), format!("{} kJ", number(sheet.design_energy_kj))],
        vec![
            "required energy level".into(),
            "design energy × factor on the barrier".into(),
            format!("{} kJ", number(sheet.required_energy_kj)),
        ],
        vec!["smallest class of EAD 340059 that holds".into(), String::new(), class],
        vec!["design height".into(), String::new(), format!("{} m", number(sheet.design_height_m))],
        vec!["freeboard".into(), "at least half the rock".into(), format!("{} m", number(sheet.freeboard_m))],
        vec![
            "required height".into(),
            "design height + freeboard".into(),
            format!("{} m", number(sheet.required_height_m)),
        ],
        vec![
            "share of rocks such a barrier retains".into(),
            String::new(),
            format!("{:.1} %", 100.0 * sheet.retained_share),
        ],
    ]
}
