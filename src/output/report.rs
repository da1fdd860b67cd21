//! `report.html`: one self-contained, printable page for whoever has to sign the result. Made of [`ReportModel`] and the
//! manifest alone.

use std::path::Path;

use crate::draw::ramp::number;
use crate::draw::svg::Plot;
use crate::files::atomic;
use crate::output::page::{self, Block, Table};
use crate::output::report_model::{Figures, Picture, Profile, ReportModel, Summary, Variant};
use crate::output::{classification_report, line_report};
use crate::store::manifest::{FileRecord, Manifest, sha256};
use crate::{Error, Result};

/// The page. Pictures are looked for in these folders, one after the other.
///
/// # Errors
/// A picture was changed since the manifest vouched for it.
pub fn render(manifest: &Manifest, model: &ReportModel, folders: &[&Path]) -> Result<String> {
    let title = if manifest.project.title.is_empty() { &manifest.project.file } else { &manifest.project.title };
    let pictures = Pictures { known: &manifest.outputs, folders };
    let mut blocks = vec![Block::Title(title.clone()), Block::Subtitle(subtitle(manifest))];
    blocks.extend(key_figures(manifest, model));
    blocks.push(warnings(manifest));
    chapter(&mut blocks, "1 What was run", what_was_run(manifest, model));
    chapter(&mut blocks, "2 Maps", maps(manifest, model, &pictures)?);
    chapter(&mut blocks, "3 Hazard classification", classified(model, &pictures)?);
    chapter(&mut blocks, "4 The rocks in figures", model.variants.iter().flat_map(figures).collect());
    chapter(&mut blocks, "5 Profile of the steepest trajectory", profile(model.profile.as_ref()));
    chapter(&mut blocks, "6 Lines and barriers", line_report::section(&model.variants));
    let as_run = "The project file as it was run. Keys that are not in it have their documented default.";
    let text = Block::Verbatim(manifest.project.text.clone());
    chapter(&mut blocks, "7 Parameters", vec![Block::Text(as_run.into()), text]);
    chapter(&mut blocks, "8 How to reproduce", reproduce(manifest));
    chapter(&mut blocks, "9 What the numbers mean", vec![Block::Definitions, Block::Signatures]);
    page::render(title, &blocks)
}

/// Lines and barriers on a page of their own, to hand to whoever builds the barrier. It tells no time: the same run gives
/// the same bytes.
pub fn barrier_sheet(manifest: &Manifest, model: &ReportModel) -> Result<String> {
    let project = if manifest.project.title.is_empty() { &manifest.project.file } else { &manifest.project.title };
    let title = format!("Barrier sheet: {project}");
    let mut blocks = vec![Block::Title(title.clone())];
    blocks.extend(line_report::section(&model.variants));
    blocks.push(Block::Small(format!(
        "{} {}, seed {}, project {}, {} rocks, {}.",
        manifest.engine.name,
        manifest.engine.version,
        manifest.seed,
        manifest.project.sha256.chars().take(12).collect::<String>(),
        manifest.rocks,
        manifest.crs
    )));
    page::render(&title, &blocks)
}

fn chapter(blocks: &mut Vec<Block>, title: &str, content: Vec<Block>) {
    blocks.push(Block::Chapter(title.into()));
    blocks.extend(content);
}

/// The pictures of a run folder.
pub struct Pictures<'a> {
    /// Those the manifest vouches for.
    pub known: &'a [FileRecord],
    pub folders: &'a [&'a Path],
}

impl Pictures<'_> {
    pub fn block(&self, picture: &Picture, large: bool) -> Result<Block> {
        let caption = picture.caption.clone();
        let Some(path) = self.folders.iter().map(|folder| folder.join(&picture.file)).find(|path| path.is_file())
        else {
            return Ok(Block::Text(format!("{caption} (The picture {} was removed.)", picture.file)));
        };
        let png = std::fs::read(&path).map_err(|error| atomic::io_error(&path, &error))?;
        let known = self.known.iter().find(|file| file.path == picture.file);
        if known.is_some_and(|known| known.sha256 != sha256(&png)) {
            return Err(Error::failed(format!(
                "'{}' was changed since the run wrote it, and the report shows it: put the old one back, or remove it",
                path.display()
            )));
        }
        Ok(Block::picture(&png, caption, large))
    }
}

fn subtitle(manifest: &Manifest) -> String {
    let (engine, run) = (&manifest.engine, &manifest.this_run);
    format!("Rockfall simulation · {} · {} {} · {}", run.finished_utc, engine.name, engine.version, manifest.crs)
}

/// A heading for a variant, if there are several.
pub fn heading(label: &str) -> Option<Block> {
    (!label.is_empty()).then(|| Block::Section(capital(label)))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn text(value: Option<f64>) -> String {
    value.map_or("–".into(), number)
}

fn key_figures(manifest: &Manifest, model: &ReportModel) -> Option<Block> {
    // The slope as it is comes last.
    let f = &model.variants.last()?.figures;
    let value = |value: Option<f64>, unit: &str| value.map_or("–".into(), |v| format!("{} {unit}", number(v)));
    Some(Block::Key(vec![
        (manifest.rocks.to_string(), "rocks released".into()),
        (value(f.energy_kj.p95, "kJ"), "largest energy of a rock, p95".into()),
        (value(f.jump_m.p95, "m"), "largest jump of a rock, p95".into()),
        (value(f.runout_m.p95, "m"), "run-out, p95".into()),
    ]))
}

fn warnings(manifest: &Manifest) -> Block {
    match manifest.warnings.is_empty() {
        true => Block::Fine("The run gave no warnings.".into()),
        false => Block::Warnings(manifest.warnings.clone()),
    }
}

fn what_was_run(manifest: &Manifest, model: &ReportModel) -> Vec<Block> {
    let setting = model.setting.iter().map(|(name, value)| vec![name.clone(), value.clone()]).collect();
    let scenarios = manifest
        .scenarios
        .iter()
        .map(|s| vec![s.name.clone(), s.frequency_per_year.map_or("not given".into(), number), s.rocks.to_string()]);
    let solver: Vec<String> =
        manifest.solver.iter().map(|(name, count)| format!("{} {count}", name.replace('_', " "))).collect();
    vec![
        Block::table(&[], setting, 2),
        Block::Section("Scenarios".into()),
        Block::table(&["scenario", "releases per year", "rocks simulated"], scenarios.collect(), 1),
        Block::Section("How the trajectories ended".into()),
        stop_reasons(manifest),
        Block::Small(format!("Contact solver, all trajectories: {}.", solver.join("; "))),
    ]
}

fn stop_reasons(manifest: &Manifest) -> Block {
    let share = |count: u64| format!("{:.2} %", 100.0 * count as f64 / manifest.rocks.max(1) as f64);
    let with = manifest.with_barriers.as_ref();
    let head: &[&str] = match with {
        Some(_) => &["stop reason", "rocks", "share", "with barriers", "share"],
        None => &["stop reason", "rocks", "share"],
    };
    let row = |(reason, &count): (&String, &u64)| {
        let mut row = vec![reason.replace('_', " "), count.to_string(), share(count)];
        if let Some(with) = with {
            let count = with.stop_reasons.get(reason).copied().unwrap_or(0);
            row.extend([count.to_string(), share(count)]);
        }
        row
    };
    Block::table(head, manifest.stop_reasons.iter().map(row).collect(), 1)
}

fn maps(manifest: &Manifest, model: &ReportModel, pictures: &Pictures) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    for variant in &model.variants {
        blocks.extend(heading(&variant.label));
        blocks.push(reached(manifest, variant));
        for (i, picture) in variant.maps.iter().enumerate() {
            blocks.push(pictures.block(picture, i == 0)?);
        }
    }
    Ok(blocks)
}

fn reached(manifest: &Manifest, variant: &Variant) -> Block {
    let (reached, grid) = (variant.reached, &manifest.grid);
    let hectares = reached.cells as f64 * grid.cell_x_m * grid.cell_y_m / 1e4;
    let share = if reached.cells > 0 { 100.0 * reached.few as f64 / reached.cells as f64 } else { 0.0 };
    Block::Text(format!(
        "Rocks pass {} cells ({} ha). In {share:.0} % of them fewer than {} rocks pass: quantiles there rest on few values and \
         change with the seed (layer sample_size_warning). Release more rocks where that matters.",
        reached.cells,
        number(hectares),
        reached.min_sample
    ))
}

fn classified(model: &ReportModel, pictures: &Pictures) -> Result<Vec<Block>> {
    if model.classifications.is_empty() {
        let none = "The project asks for none. `couloir classify` adds one to this run folder.";
        return Ok(vec![Block::Text(none.into())]);
    }
    let mut blocks = Vec::new();
    for classification in &model.classifications {
        for (i, (label, classified)) in classification.variants.iter().enumerate() {
            blocks.extend((i == 0).then(|| Block::Section(classified.scheme.name.clone())));
            blocks.extend(heading(label));
            blocks.extend(classification_report::section(classified, pictures)?);
        }
    }
    Ok(blocks)
}

/// Quantities of [`Figures`] with their names.
pub fn named(figures: &Figures) -> [(&'static str, &Summary); 7] {
    [
        ("mass (kg)", &figures.mass_kg),
        ("largest kinetic energy (kJ)", &figures.energy_kj),
        ("largest velocity (m/s)", &figures.velocity_m_s),
        ("largest jump height (m)", &figures.jump_m),
        ("largest rotation (rev/s)", &figures.rotation_rps),
        ("run-out, horizontal (m)", &figures.runout_m),
        ("energy line angle (°)", &figures.energy_line_deg),
    ]
}

fn figures(variant: &Variant) -> Vec<Block> {
    let row = |(name, s): (&str, &Summary)| {
        let values = [s.mean, s.p50, s.p90, s.p95, s.p99, s.max].map(text);
        [name.to_string(), s.n.to_string()].into_iter().chain(values).collect()
    };
    let head = ["of each rock", "n", "mean", "p50", "p90", "p95", "p99", "max"];
    let caption = "Distribution over all rocks; every rock counts once with its largest value.";
    let mut blocks: Vec<Block> = heading(&variant.label).into_iter().collect();
    blocks.push(Block::table(&head, named(&variant.figures).map(row).to_vec(), 1));
    blocks.push(Block::drawing(&variant.histograms, 2, caption));
    blocks
}

fn profile(profile: Option<&Profile>) -> Vec<Block> {
    let Some(profile) = profile.filter(|profile| profile.points.len() > 1) else {
        return vec![Block::Text("No trajectory moved far enough for a profile.".into())];
    };
    let column = |index: usize| profile.points.iter().map(move |p| [p[0], p[index]]);
    let along = |quantity: &str| Plot::new("", "distance along the path (m)", quantity);
    let section = along("height (m)").line("ground", column(1)).color("#6d4c41");
    let section = section.line("centre of mass", column(2)).color("#d55e00");
    let energy = along("kinetic energy (kJ)").line("kinetic energy", column(3));
    let velocity = along("velocity (m/s)").line("velocity", column(4)).color("#009e73");
    let caption = format!(
        "Trajectory {}: {}, {:.0} kg. Of all rocks with at least the median run-out this one has the steepest line from start \
         to end, {:.1}°. Height exaggerated as the axes show.",
        profile.trajectory, profile.rock, profile.mass_kg, profile.energy_line_deg
    );
    let second = "Kinetic energy (translational and rotational) and velocity along it.";
    vec![Block::drawing(&[section], 1, caption), Block::drawing(&[energy, velocity], 2, second)]
}

fn reproduce(manifest: &Manifest) -> Vec<Block> {
    let (project, engine, run) = (&manifest.project, &manifest.engine, &manifest.this_run);
    let limit =
        if manifest.rocks < manifest.rocks_planned { format!(" --limit {}", manifest.rocks) } else { String::new() };
    let mut rows = vec![vec!["project".into(), project.file.clone(), project.sha256.clone()]];
    rows.extend(manifest.inputs.iter().map(|file| vec![file.role.clone(), file.path.clone(), file.sha256.clone()]));
    let head = ["input", "file", "SHA-256"].map(String::from).to_vec();
    let total: f64 = run.seconds.iter().map(|(_, seconds)| seconds).sum();
    vec![
        Block::Text(format!(
            "With the files below, {} {} (revision {}) gives the same bytes on any number of threads:",
            engine.name, engine.version, engine.git_revision
        )),
        Block::Verbatim(format!("couloir run {} --seed {}{limit} --out RUN", project.file, manifest.seed)),
        Block::Table(Table { head, rows, text_columns: 3, hashes: true }),
        Block::Small(format!(
            "This run: {} threads, {total:.1} s, {}, {}. Hashes of all results are in manifest.json.",
            run.threads, run.operating_system, run.processor
        )),
    ]
}
