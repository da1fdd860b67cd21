//! The report's section on recording lines and barriers.

use crate::draw::ramp::number;
use crate::hazard::barrier::Tally;
use crate::hazard::dimensioning::{Acts, Factor, Sheet};
use crate::hazard::sample::smallest_sample;
use crate::output::page::Block;
use crate::output::report::{says, scenario_words};
use crate::output::report_model::{LineReport, LineRow, Variant};
use crate::texts::{in_words, say};

pub(crate) fn section(variants: &[Variant]) -> Vec<Block> {
    let Some(free) = variants.last().filter(|variant| !variant.lines.is_empty()) else {
        return vec![Block::Text(say!("no-lines"))];
    };
    let held = variants.first().filter(|_| variants.len() > 1);
    let with = |index: usize| held.and_then(|variant| variant.lines.get(index));
    free.lines.iter().enumerate().flat_map(|(index, line)| one(line, with(index))).collect()
}

fn one(line: &LineReport, with_barriers: Option<&LineReport>) -> Vec<Block> {
    let mut blocks = vec![Block::Section(match line.barrier {
        None => say!(
            "line-title-scenario",
            name = &line.name,
            length = format!("{:.0}", line.length_m),
            scenario = scenario_words(&line.scenario)
        ),
        Some(size) => say!(
            "barrier-title-scenario",
            name = &line.name,
            length = format!("{:.0}", line.length_m),
            scenario = scenario_words(&line.scenario),
            height = size.height_m.to_string(),
            capacity = number(size.capacity_kj),
        ),
    })];
    if line.rows.first().is_none_or(|whole| whole.crossings == 0) {
        blocks.push(Block::Text(say!("no-rock-crosses")));
        return blocks;
    }
    if let (Some(tally), Some(with)) = (line.tally, with_barriers) {
        blocks.push(fates(&with.tally.unwrap_or(tally)));
    }
    blocks.extend(summary(line, with_barriers.map(|_| say!("without-barriers"))));
    if let Some(with) = with_barriers.filter(|with| with.barrier.is_none()) {
        blocks.extend(summary(with, Some(say!("with-barriers"))));
    }
    if !line.histograms.is_empty() {
        blocks.push(Block::drawing(&line.histograms, 2, say!("distribution-of-crossings")));
    }
    blocks.extend(line.sheet.iter().flat_map(dimensioning));
    blocks
}

fn fates(tally: &Tally) -> Block {
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / tally.total().max(1) as f64);
    let fates = [
        ("fate-stopped", tally.stopped),
        ("fate-partly-above", tally.stopped_partly_above),
        ("fate-broke-through", tally.broke_through),
        ("fate-passed-over", tally.passed_over),
    ];
    let rows = fates.map(|(key, count)| vec![say!(key), count.to_string(), share(count)]);
    Block::table(&says(["fate-title", "crossings", "share"]), rows.to_vec(), 1)
}

const SUMMARY: [&str; 11] = [
    "segment",
    "from-to",
    "crossings",
    "rocks-word",
    "energy-p50",
    "column-p95",
    "column-p99",
    "max-kj",
    "velocity-p95",
    "height-p95",
    "max-m",
];

fn summary(line: &LineReport, label: Option<String>) -> Vec<Block> {
    let crossed: Vec<&LineRow> = line.rows.iter().filter(|row| row.crossings > 0).collect();
    let too_few = |row: &LineRow| row.crossings < smallest_sample(0.95);
    let row = |row: &&LineRow| {
        let text = |value: Option<f64>| value.map_or("–".into(), number);
        vec![
            row.segment.map_or_else(|| say!("all-segments"), |segment| segment.to_string()),
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
        notes.push(say!("too-few-crossings", least = smallest_sample(0.95)));
    }
    let empty = line.rows.len() - crossed.len();
    if empty > 0 {
        notes.push(say!("empty-segments", count = empty));
    }
    let mut blocks = Vec::new();
    if let Some(label) = label {
        blocks.push(Block::Part(say!("crossings-of", variant = label)));
    }
    blocks.push(Block::table(&says(SUMMARY), crossed.iter().map(row).collect(), 1));
    blocks.push(Block::Small(notes.join(" ")));
    blocks
}

fn dimensioning(sheet: &Sheet) -> Vec<Block> {
    let rows: Vec<Vec<String>> =
        characteristic(sheet).into_iter().chain(factors(sheet)).chain(required(sheet)).collect();
    vec![
        Block::Bold(say!("dimensioning-sheet", standard = sheet.standard.as_ref())),
        Block::table(&[say!("quantity"), String::new(), say!("value")], rows, 2),
        Block::Notes(sheet.notes.iter().map(in_words).collect()),
    ]
}

fn characteristic(sheet: &Sheet) -> Vec<Vec<String>> {
    let percent = 100.0 * sheet.quantile;
    let bound = |value: Option<f64>, unit: &str| {
        value.map_or_else(|| say!("no-bound"), |v| say!("upper-bound", value = format!("{} {unit}", number(v))))
    };
    vec![
        vec![
            say!("characteristic-energy", percent = format!("{percent:.0}"), rocks = sheet.rocks),
            bound(sheet.energy_upper_bound_kj, "kJ"),
            format!("{} kJ", number(sheet.characteristic_energy_kj)),
        ],
        vec![
            say!("characteristic-height", percent = format!("{percent:.0}")),
            bound(sheet.height_upper_bound_m, "m"),
            format!("{} m", number(sheet.characteristic_height_m)),
        ],
    ]
}

fn factors(sheet: &Sheet) -> Vec<Vec<String>> {
    let row = |factor: &Factor| {
        let acts = match factor.acts {
            Acts::Energy => "factor-on-energy",
            Acts::Velocity => "factor-on-velocity",
            Acts::Height => "factor-on-height",
            Acts::Resistance => "factor-on-resistance",
        };
        let origin = match (factor.from_project, factor.confirmed) {
            (true, _) => "factor-from-project",
            (false, true) => "factor-default",
            (false, false) => "factor-assumed",
        };
        let key = format!("factor-{}", factor.name.replace('_', "-"));
        let known = say!(&key);
        let meaning = if known == key { factor.meaning.to_string() } else { known };
        vec![
            format!("{} {}", factor.name, say!(acts)),
            format!("{meaning}; {}", say!(origin)),
            format!("{:.2}", factor.value),
        ]
    };
    sheet.factors.iter().map(row).collect()
}

fn required(sheet: &Sheet) -> Vec<Vec<String>> {
    let class = sheet.class_kj.map_or_else(|| say!("beyond-classes"), |class| format!("MEL {class} kJ"));
    vec![
        vec![say!("design-energy"), String::new(), format!("{} kJ", number(sheet.design_energy_kj))],
        vec![say!("required-energy"), say!("required-energy-how"), format!("{} kJ", number(sheet.required_energy_kj))],
        vec![say!("smallest-class"), String::new(), class],
        vec![say!("design-height"), String::new(), format!("{} m", number(sheet.design_height_m))],
        vec![say!("freeboard"), say!("freeboard-how"), format!("{} m", number(sheet.freeboard_m))],
        vec![say!("required-height"), say!("required-height-how"), format!("{} m", number(sheet.required_height_m))],
        vec![
            say!("retained-share"),
            String::new(),
            sheet.retained_share.map_or_else(|| say!("no-such-barrier"), |share| format!("{:.1} %", 100.0 * share)),
        ],
    ]
}
