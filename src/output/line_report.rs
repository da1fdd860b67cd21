//! The report's section on recording lines and barriers.

use crate::hazard::dimensioning::{Acts, Sheet};
use crate::hazard::lines::Role;
use crate::hazard::sample::smallest_sample;
use crate::output::html::{self, escape};
use crate::output::line_files::LineResult;
use crate::output::ramp::number;
use crate::output::report::Variant;

pub fn section(variants: &[Variant]) -> String {
    let Some(free) = variants.last().filter(|variant| !variant.lines.is_empty()) else {
        return "<p>The project has neither recording lines nor barriers.</p>\n".into();
    };
    let held = variants.first().filter(|_| variants.len() > 1);
    let mut out = String::new();
    for (index, line) in free.lines.iter().enumerate() {
        let with = held.and_then(|variant| variant.lines.get(index));
        out += &one(line, with);
    }
    out
}

fn one(line: &LineResult, with_barriers: Option<&LineResult>) -> String {
    let mut out = match line.role {
        Role::Record => format!("<h3>Line {} ({:.0} m)</h3>\n", escape(&line.name), line.length_m),
        Role::Barrier(barrier) => format!(
            "<h3>Barrier {} ({:.0} m): height {} m, capacity {} kJ</h3>\n",
            escape(&line.name),
            line.length_m,
            barrier.height_m,
            number(barrier.capacity_j / 1000.0)
        ),
    };
    if line.rows[0].crossings == 0 {
        return out + "<p>No rock crosses it.</p>\n";
    }
    if let (Some(tally), Some(with)) = (line.tally, with_barriers) {
        let acting = with.tally.unwrap_or(tally);
        let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / acting.total().max(1) as f64);
        let fates = [
            ("held, wholly below the top", acting.stopped),
            ("held, partly above the top", acting.stopped_partly_above),
            ("too strong, broke through", acting.broke_through),
            ("passed over the top", acting.passed_over),
        ];
        let rows: Vec<Vec<String>> =
            fates.iter().map(|(name, count)| vec![name.to_string(), count.to_string(), share(*count)]).collect();
        out += &html::table(&["what happens at the barrier", "crossings", "share"], &rows, 1);
    }
    out += &summary(line, if with_barriers.is_some() { "without barriers" } else { "" });
    if let Some(with) = with_barriers.filter(|with| with.role == Role::Record) {
        out += &summary(with, "with barriers");
    }
    if let Some(svg) = &line.histograms {
        out += &html::drawing(svg, "Distribution over all crossings of the whole line.");
    }
    if let Some(sheet) = &line.sheet {
        out += &dimensioning(sheet);
    }
    out
}

fn summary(line: &LineResult, label: &str) -> String {
    let head = [
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
    let empty = line.rows.iter().filter(|row| row.crossings == 0).count();
    let rows: Vec<Vec<String>> = line
        .rows
        .iter()
        .filter(|row| row.crossings > 0)
        .map(|row| {
            let text = |value: Option<f64>| value.map_or("–".into(), number);
            vec![
                row.segment.map_or("all".into(), |segment| segment.to_string()),
                format!("{:.0}–{:.0}", row.from_m, row.to_m),
                row.crossings.to_string(),
                row.rocks.to_string(),
                text(row.energy_kj.quantile(0.50)),
                text(row.energy_kj.quantile(0.95)) + if row.crossings < smallest_sample(0.95) { " *" } else { "" },
                text(row.energy_kj.quantile(0.99)),
                text(row.energy_kj.max()),
                text(row.velocity_m_s.quantile(0.95)),
                text(row.centre_height_m.quantile(0.95)),
                text(row.centre_height_m.max()),
            ]
        })
        .collect();
    let label = if label.is_empty() { String::new() } else { format!("<h4>Crossings {label}</h4>\n") };
    let mut notes = Vec::new();
    if line.rows.iter().any(|row| row.crossings > 0 && row.crossings < smallest_sample(0.95)) {
        notes.push(format!("* fewer than {} crossings: too few for a p95 to rely on.", smallest_sample(0.95)));
    }
    if empty > 0 {
        notes.push(format!("No rock crosses the other {empty} segments."));
    }
    let notes = format!("<p class=\"small\">{}</p>\n", notes.join(" "));
    label + &html::table(&head, &rows, 1) + &notes
}

fn dimensioning(sheet: &Sheet) -> String {
    let percent = 100.0 * sheet.quantile;
    let bound = |value: Option<f64>, unit: &str| {
        value.map_or("no bound: too few rocks".into(), |v| format!("at most {} {unit} with 95 % confidence", number(v)))
    };
    let mut rows = vec![
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
    ];
    for factor in &sheet.factors {
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
        rows.push(vec![
            format!("{} {acts}", factor.name),
            format!("{}; {origin}", factor.meaning),
            format!("{:.2}", factor.value),
        ]);
    }
    let class = sheet.class_kj.map_or("beyond 4500 kJ".into(), |class| format!("MEL {class} kJ"));
    rows.extend([
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
    ]);
    let notes: String = sheet.notes.iter().map(|note| format!("<li>{}</li>", escape(note))).collect();
    format!(
        "<p><b>Dimensioning sheet, {}</b></p>\n{}<ul class=\"small\">{notes}</ul>\n",
        sheet.standard,
        html::table(&["quantity", "", "value"], &rows, 2)
    )
}
