//! `report.html`: one self-contained, printable page for whoever has to sign the result.

use crate::hazard::sample::{SUMMARY_QUANTILES, Sample};
use crate::output::classification::{self, Classified};
use crate::output::html::{self, Embedded, escape};
use crate::output::line_files::{LineResult, histogram};
use crate::output::line_report;
use crate::output::ramp::number;
use crate::output::svg::{Plot, figure};
use crate::project::file::ShapeSpec;
use crate::site::Site;
use crate::store::manifest::Manifest;

/// Everything the report shows.
pub struct Report<'a> {
    pub manifest: &'a Manifest,
    pub site: &'a Site,
    /// The slope as it is, and with barriers acting if there are any (then first).
    pub variants: &'a [Variant],
    pub profile: Option<&'a Profile>,
}

/// Results with or without barriers.
pub struct Variant {
    /// `with barriers`, `without barriers`; empty for a project without any.
    pub label: String,
    pub figures: Figures,
    pub reached: Reached,
    /// Caption and image.
    pub maps: Vec<(String, Embedded)>,
    pub lines: Vec<LineResult>,
    pub classified: Option<Classified>,
}

/// How much of the map rocks pass, and how well its statistics are founded.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reached {
    pub cells: u64,
    /// Cells that fewer rocks pass than the project's `min_sample`.
    pub few: u64,
    pub min_sample: u32,
}

/// One value per rock.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    pub mass_kg: Sample,
    pub energy_kj: Sample,
    pub velocity_m_s: Sample,
    pub jump_m: Sample,
    pub rotation_rps: Sample,
    /// Horizontal distance from start to end.
    pub runout_m: Sample,
    /// Angle of the line from start to end below the horizontal.
    pub energy_line_deg: Sample,
}

/// One trajectory from the side.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    pub trajectory: u64,
    pub rock: String,
    pub mass_kg: f64,
    pub energy_line_deg: f64,
    /// Horizontal distance along the path, ground, height of the centre of mass (m), kinetic energy (kJ), velocity (m/s).
    pub points: Vec<[f64; 5]>,
}

/// The page.
pub fn render(report: &Report) -> String {
    let manifest = report.manifest;
    let title = if manifest.project.title.is_empty() { &manifest.project.file } else { &manifest.project.title };
    let mut out = format!(
        "<h1>{}</h1>\n<p class=\"sub\">Rockfall simulation · {} · {} {} · {}</p>\n",
        escape(title),
        escape(&manifest.this_run.finished_utc),
        escape(&manifest.engine.name),
        escape(&manifest.engine.version),
        escape(&manifest.crs)
    );
    out += &key_figures(report);
    out += &warnings(manifest);
    out += "<h2>1 What was run</h2>\n";
    out += &what_was_run(report);
    out += "<h2>2 Maps</h2>\n";
    for variant in report.variants {
        out += &sub_heading(&variant.label);
        out += &reached(report, variant);
        for (i, (caption, image)) in variant.maps.iter().enumerate() {
            out += &if i == 0 { html::large_image(image, caption) } else { html::image(image, caption) };
        }
    }
    out += "<h2>3 Hazard classification</h2>\n";
    out += &classified(report);
    out += "<h2>4 The rocks in figures</h2>\n";
    for variant in report.variants {
        out += &sub_heading(&variant.label);
        out += &figures(&variant.figures);
    }
    out += "<h2>5 Profile of the steepest trajectory</h2>\n";
    out += &profile(report.profile);
    out += "<h2>6 Lines and barriers</h2>\n";
    out += &line_report::section(report.variants);
    out += "<h2>7 Parameters</h2>\n";
    out += "<p>The project file as it was run. Keys that are not in it have their documented default.</p>\n";
    out += &format!("<pre>{}</pre>\n", escape(&manifest.project.text));
    out += "<h2>8 How to reproduce</h2>\n";
    out += &reproduce(manifest);
    out += "<h2>9 What the numbers mean</h2>\n";
    out += DEFINITIONS;
    out += SIGNATURES;
    html::page(title, &out)
}

fn sub_heading(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!("<h3>{}</h3>\n", escape(&capital(label))) }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn key_figures(report: &Report) -> String {
    let manifest = report.manifest;
    // The slope as it is comes last.
    let Some(variant) = report.variants.last() else { return String::new() };
    let f = &variant.figures;
    let value = |value: Option<f64>, unit: &str| value.map_or("–".into(), |v| format!("{} {unit}", number(v)));
    let boxes = [
        (manifest.rocks.to_string(), "rocks released".to_string()),
        (value(f.energy_kj.quantile(0.95), "kJ"), "largest energy of a rock, p95".into()),
        (value(f.jump_m.quantile(0.95), "m"), "largest jump of a rock, p95".into()),
        (value(f.runout_m.quantile(0.95), "m"), "run-out, p95".into()),
    ];
    let cells: String = boxes
        .iter()
        .map(|(big, small)| format!("<div><b>{}</b><span>{}</span></div>", escape(big), escape(small)))
        .collect();
    format!("<div class=\"key\">{cells}</div>\n")
}

fn warnings(manifest: &Manifest) -> String {
    if manifest.warnings.is_empty() {
        return marked(WARNINGS, "<div class=\"ok\">The run gave no warnings.</div>\n");
    }
    let items: String = manifest.warnings.iter().map(|text| format!("<li>{}</li>", escape(text))).collect();
    marked(WARNINGS, &format!("<div class=\"warn\"><b>Warnings: read before use</b><ul>{items}</ul></div>\n"))
}

/// Marks of what a later classification changes in a finished report.
const WARNINGS: &str = "warnings";
const CLASSIFICATION: &str = "classification";

fn marked(name: &str, content: &str) -> String {
    format!("<!--{name}-->\n{content}<!--/{name}-->\n")
}

/// Start and end of what is marked, marks included.
fn find(report: &str, name: &str) -> Option<(usize, usize)> {
    let start = report.find(&format!("<!--{name}-->\n"))?;
    let close = format!("<!--/{name}-->\n");
    let end = start + report[start..].find(&close)? + close.len();
    Some((start, end))
}

/// A finished report with one more classification, or a new one in the place of an old one of that name, and the
/// manifest's warnings; `None` if this is no report of ours. Variants by label, as in [`Variant`].
pub fn with_classification(report: &str, manifest: &Manifest, variants: &[(String, &Classified)]) -> Option<String> {
    let name = variants.first()?.1.name();
    let block = scheme_block(&name, variants);
    let name = format!("scheme {name}");
    let (start, end) = find(report, CLASSIFICATION)?;
    let section = &report[start..end];
    let inner = match find(section, &name) {
        Some((from, to)) => format!("{}{block}{}", &section[..from], &section[to..]),
        None => {
            let old: String = schemes_in(section).concat();
            marked(CLASSIFICATION, &(old + &block))
        }
    };
    let new = format!("{}{inner}{}", &report[..start], &report[end..]);
    let (start, end) = find(&new, WARNINGS)?;
    Some(format!("{}{}{}", &new[..start], warnings(manifest), &new[end..]))
}

/// The blocks of a classification section, without the sentence that there are none.
fn schemes_in(section: &str) -> Vec<&str> {
    let open = format!("<!--{CLASSIFICATION}-->\n").len();
    let mut rest = &section[open..];
    let mut blocks = Vec::new();
    while let Some(name) = rest.strip_prefix("<!--").and_then(|text| text.split_once("-->\n")).map(|(name, _)| name) {
        let Some((from, to)) = find(rest, name) else { break };
        blocks.push(&rest[from..to]);
        rest = &rest[to..];
    }
    blocks
}

fn scheme_block(name: &str, variants: &[(String, &Classified)]) -> String {
    let mut out = String::new();
    for (label, classified) in variants {
        if out.is_empty() {
            out += &format!("<h3>{}</h3>\n", escape(&classified.scheme.name));
        }
        out += &sub_heading(label);
        out += &classification::section(classified);
    }
    marked(&format!("scheme {name}"), &out)
}

fn what_was_run(report: &Report) -> String {
    let manifest = report.manifest;
    let grid = &manifest.grid;
    let simulation = &report.site.project.file.simulation;
    let extent = report.site.scene.surface.lattice().extent();
    let named = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|v| v.as_str().map(str::to_string)).unwrap_or_default()
    };
    let mut rows = vec![
        vec![
            "Terrain".into(),
            format!(
                "{}: {} × {} cells of {} × {} m; E {:.1} to {:.1}, N {:.1} to {:.1}",
                report.site.project.file.terrain.dem,
                grid.columns,
                grid.rows,
                grid.cell_x_m,
                grid.cell_y_m,
                extent.0,
                extent.2,
                extent.1,
                extent.3
            ),
        ],
        vec!["Coordinate system".into(), manifest.crs.clone()],
        vec!["Contact model".into(), named(serde_json::to_value(simulation.contact))],
        vec!["Rotation integrator".into(), named(serde_json::to_value(simulation.integrator))],
        vec!["Time step".into(), format!("{} s", simulation.time_step_s)],
        vec!["Gravity".into(), format!("{} m/s²", simulation.gravity_m_s2)],
        vec!["Seed".into(), manifest.seed.to_string()],
    ];
    let file = &report.site.project.file;
    let rocks = file.rocks.iter().map(|rock| {
        let shape = match &rock.shape {
            ShapeSpec::Preset(name) => name.clone(),
            ShapeSpec::File(shape) => shape.file.clone(),
            ShapeSpec::Points(shape) => format!("hull of {} points", shape.points_m.len()),
        };
        rock.name.as_ref().map_or(shape.clone(), |name| format!("{name} ({shape})"))
    });
    rows.push(vec!["Rocks".into(), rocks.collect::<Vec<_>>().join(", ")]);
    let releases = report.site.releases.iter().map(|layer| {
        let name = layer.spec.name.as_deref().unwrap_or(&layer.features.name);
        format!(
            "{name}: {} features, {} rocks per position",
            layer.features.features.len(),
            layer.spec.rocks_per_position
        )
    });
    rows.push(vec!["Releases".into(), releases.collect::<Vec<_>>().join("; ")]);
    let ground = &file.ground;
    rows.push(vec![
        "Ground".into(),
        format!("default class {}, {} layers on top", ground.default, ground.layers.len()),
    ]);
    let forest = &report.site.project.file.forest;
    rows.push(vec![
        "Forest".into(),
        match (&forest.default, forest.layers.len()) {
            (None, 0) if forest.drag_kg_s.is_none() => "none".into(),
            (default, layers) => format!("default {}, {layers} layers", default.as_deref().unwrap_or("none")),
        },
    ]);
    let mut out = html::table(&[], &rows, 2);
    let scenarios: Vec<Vec<String>> = manifest
        .scenarios
        .iter()
        .map(|s| vec![s.name.clone(), s.frequency_per_year.map_or("not given".into(), number), s.rocks.to_string()])
        .collect();
    out += "<h3>Scenarios</h3>\n";
    out += &html::table(&["scenario", "releases per year", "rocks simulated"], &scenarios, 1);
    out += "<h3>How the trajectories ended</h3>\n";
    let share = |count: u64| format!("{:.2} %", 100.0 * count as f64 / manifest.rocks.max(1) as f64);
    let with = manifest.with_barriers.as_ref();
    let head: &[&str] = if with.is_some() {
        &["stop reason", "rocks", "share", "with barriers", "share"]
    } else {
        &["stop reason", "rocks", "share"]
    };
    let rows: Vec<Vec<String>> = manifest
        .stop_reasons
        .iter()
        .map(|(reason, &count)| {
            let mut row = vec![reason.replace('_', " "), count.to_string(), share(count)];
            if let Some(with) = with {
                let count = with.stop_reasons.get(reason).copied().unwrap_or(0);
                row.extend([count.to_string(), share(count)]);
            }
            row
        })
        .collect();
    out += &html::table(head, &rows, 1);
    let solver: Vec<String> =
        manifest.solver.iter().map(|(name, count)| format!("{} {count}", name.replace('_', " "))).collect();
    out + &format!("<p class=\"small\">Contact solver, all trajectories: {}.</p>\n", escape(&solver.join("; ")))
}

fn classified(report: &Report) -> String {
    let variants: Vec<(String, &Classified)> = report
        .variants
        .iter()
        .filter_map(|variant| Some((variant.label.clone(), variant.classified.as_ref()?)))
        .collect();
    match variants.first() {
        Some((_, first)) => marked(CLASSIFICATION, &scheme_block(&first.name(), &variants)),
        None => marked(
            CLASSIFICATION,
            "<p>The project asks for none. <code>couloir classify</code> adds one to this run folder.</p>\n",
        ),
    }
}

fn figures(figures: &Figures) -> String {
    let quantities = [
        ("mass (kg)", &figures.mass_kg),
        ("largest kinetic energy (kJ)", &figures.energy_kj),
        ("largest velocity (m/s)", &figures.velocity_m_s),
        ("largest jump height (m)", &figures.jump_m),
        ("largest rotation (rev/s)", &figures.rotation_rps),
        ("run-out, horizontal (m)", &figures.runout_m),
        ("energy line angle (°)", &figures.energy_line_deg),
    ];
    let rows: Vec<Vec<String>> = quantities
        .iter()
        .map(|(name, sample)| {
            let text = |value: Option<f64>| value.map_or("–".into(), number);
            let mut row = vec![name.to_string(), sample.len().to_string(), text(sample.mean())];
            row.extend(SUMMARY_QUANTILES.map(|q| text(sample.quantile(q))));
            row.push(text(sample.max()));
            row
        })
        .collect();
    let mut out = html::table(&["of each rock", "n", "mean", "p50", "p90", "p95", "p99", "max"], &rows, 1);
    let plots = [1, 2, 3, 5].map(|i| histogram("", quantities[i].0, quantities[i].1, "rocks"));
    out += &html::drawing(
        &figure(&plots, 2),
        "Distribution over all rocks; every rock counts once with its largest value.",
    );
    out
}

fn reached(report: &Report, variant: &Variant) -> String {
    let Reached { cells, few, min_sample } = variant.reached;
    let grid = &report.manifest.grid;
    let hectares = cells as f64 * grid.cell_x_m * grid.cell_y_m / 1e4;
    let share = if cells > 0 { 100.0 * few as f64 / cells as f64 } else { 0.0 };
    format!(
        "<p>Rocks pass {cells} cells ({} ha). In {share:.0} % of them fewer than {min_sample} rocks pass: quantiles there rest \
         on few values and change with the seed (layer sample_size_warning). Release more rocks where that matters.</p>\n",
        number(hectares)
    )
}

fn profile(profile: Option<&Profile>) -> String {
    let Some(profile) = profile.filter(|profile| profile.points.len() > 1) else {
        return "<p>No trajectory moved far enough for a profile.</p>\n".into();
    };
    let column = |index: usize| profile.points.iter().map(move |p| [p[0], p[index]]);
    let section = Plot::new("", "distance along the path (m)", "height (m)")
        .line("ground", column(1))
        .color("#6d4c41")
        .line("centre of mass", column(2))
        .color("#d55e00");
    let energy = Plot::new("", "distance along the path (m)", "kinetic energy (kJ)").line("kinetic energy", column(3));
    let velocity =
        Plot::new("", "distance along the path (m)", "velocity (m/s)").line("velocity", column(4)).color("#009e73");
    let caption = format!(
        "Trajectory {}: {}, {:.0} kg. Of all rocks with at least the median run-out this one has the steepest line from start \
         to end, {:.1}°. Height exaggerated as the axes show.",
        profile.trajectory, profile.rock, profile.mass_kg, profile.energy_line_deg
    );
    html::drawing(&figure(&[section], 1), &caption)
        + &html::drawing(
            &figure(&[energy, velocity], 2),
            "Kinetic energy (translational and rotational) and velocity along it.",
        )
}

fn reproduce(manifest: &Manifest) -> String {
    let project = &manifest.project;
    let mut out = format!(
        "<p>With the files below, {} {} (revision {}) gives the same bytes on any number of threads:</p>\n\
         <pre>couloir run {} --seed {}{} --out RUN</pre>\n",
        escape(&manifest.engine.name),
        escape(&manifest.engine.version),
        escape(&manifest.engine.git_revision),
        escape(&project.file),
        manifest.seed,
        if manifest.rocks < manifest.rocks_planned { format!(" --limit {}", manifest.rocks) } else { String::new() }
    );
    let mut rows = vec![vec!["project".into(), project.file.clone(), project.sha256.clone()]];
    rows.extend(manifest.inputs.iter().map(|file| vec![file.role.clone(), file.path.clone(), file.sha256.clone()]));
    out += &html::table(&["input", "file", "SHA-256"], &rows, 3).replacen("<table>", "<table class=\"hash\">", 1);
    let run = &manifest.this_run;
    let total: f64 = run.seconds.iter().map(|(_, seconds)| seconds).sum();
    out += &format!(
        "<p class=\"small\">This run: {} threads, {total:.1} s, {}, {}. Hashes of all results are in manifest.json.</p>\n",
        run.threads,
        escape(&run.operating_system),
        escape(&run.processor)
    );
    out
}

const DEFINITIONS: &str = "<ul class=\"small\">
<li><b>Passage</b>: a rock whose centre of mass crosses a cell; it counts once per cell, with its largest value there.</li>
<li><b>Kinetic energy</b>: translational plus rotational. <b>Jump height</b>: smallest vertical distance between rock and \
ground. <b>Run-out</b>: horizontal distance from start to end.</li>
<li><b>p95</b>: 95 % of the rocks passing stay at or below it. It says nothing about how often a rock passes: that is the \
reach probability (per rock released) or, with release frequencies, the frequency per year.</li>
<li><b>Return period</b>: from the release frequencies or return periods of the scenarios that the user gives, never from \
reach alone; the rule of the hazard map stands in chapter 3.</li>
<li><b>Barrier</b>: a rock is held where its centre of mass crosses at or below the top and its energy is within the \
capacity.</li>
<li>The simulation knows the terrain model, ground classes, forest and rocks it was given, and nothing else. Fragmentation, \
changes of the ground by earlier rocks and damage to the forest are not part of it.</li>
</ul>
";

const SIGNATURES: &str = "<div class=\"sign\"><div>Prepared by, date</div><div>Checked by, date</div>\
<div>Inputs and release frequencies confirmed by, date</div><div>Released by, date</div></div>\n";
