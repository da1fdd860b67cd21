//! `report.html`: one self-contained, printable page for whoever has to sign the result. Made of [`ReportModel`] and the
//! manifest alone.

use std::path::Path;

use crate::draw::preview::Mark;
use crate::draw::ramp::number;
use crate::draw::svg::Plot;
use crate::files::atomic;
use crate::output::page::{self, Block, Table};
use crate::output::report_model::{Figures, Picture, Profile, ReportModel, Summary, Variant};
use crate::output::words::{role_words, solver_words, stop_words};
use crate::output::{classification_report, convergence_report, interactive, line_report, line_results};
use crate::project::file::{Status, Study};
use crate::store::manifest::{FileRecord, Manifest, sha256};
use crate::texts::{Text, in_words, msg, say};
use crate::{Error, Result};

/// The page. Pictures are looked for in these folders, one after the other.
///
/// # Errors
/// A picture was changed since the manifest vouched for it.
pub(crate) fn render(manifest: &Manifest, model: &ReportModel, folders: &[&Path]) -> Result<String> {
    let title = if manifest.project.title.is_empty() { &manifest.project.file } else { &manifest.project.title };
    let pictures = Pictures { known: &manifest.outputs, folders };
    let mut blocks = head(manifest, title);
    blocks.extend(key_figures(manifest, model));
    blocks.push(warnings(manifest));
    let objects = model.variants.last().and_then(|variant| variant.objects.as_ref());
    let text = Block::Verbatim(manifest.project.text.clone());
    // First what was done and whether it suffices, then what is handed in, then what it rests on.
    let chapters = [
        ("chapter-run", Some(what_was_run(manifest, model))),
        ("chapter-enough", Some(convergence_report::section(model.convergence.as_ref()))),
        ("chapter-hazard", Some(classified(model, &pictures)?)),
        ("chapter-objects", objects.map(convergence_report::objects)),
        ("chapter-lines", Some(line_report::section(&model.variants))),
        ("chapter-maps", Some(maps(manifest, model, &pictures)?)),
        ("chapter-figures", Some(model.variants.iter().flat_map(figures).collect())),
        ("chapter-profile", Some(profiles(model))),
        ("chapter-parameters", Some(vec![Block::Text(say!("project-as-run")), text])),
        ("chapter-reproduce", Some(reproduce(manifest))),
        ("chapter-meaning", Some(vec![definitions(), signatures()])),
    ];
    let written = chapters.into_iter().filter_map(|(key, content)| Some((key, content?)));
    for (number, (key, content)) in (1..).zip(written) {
        blocks.push(Block::Chapter(format!("{number} {}", say!(key))));
        blocks.extend(content);
    }
    page::render_with(title, &running(manifest, title), &blocks)
}

/// Lines and barriers on a page of their own, to hand to whoever builds the barrier. It tells no time: the same run gives
/// the same bytes.
pub(crate) fn barrier_sheet(manifest: &Manifest, model: &ReportModel) -> Result<String> {
    let project = if manifest.project.title.is_empty() { &manifest.project.file } else { &manifest.project.title };
    let title = say!("barrier-sheet", project = project);
    let mut blocks = vec![Block::Title(title.clone())];
    blocks.extend(study(manifest));
    blocks.extend(line_report::section(&model.variants));
    blocks.push(Block::Small(say!(
        "made-with",
        engine = &manifest.engine.name,
        version = &manifest.engine.version,
        seed = manifest.seed.to_string(),
        project = manifest.project.sha256.chars().take(12).collect::<String>(),
        rocks = manifest.rocks,
        crs = &manifest.crs,
    )));
    page::render(&title, &blocks)
}

/// Title, what a plan says in its corner, and where the result comes from.
fn head(manifest: &Manifest, title: &str) -> Vec<Block> {
    let mut blocks = vec![Block::Title(title.into()), Block::Subtitle(subtitle(manifest))];
    blocks.extend(study(manifest));
    blocks
}

/// Office, author, client, plan number, version, date and status, where the project gives any of them.
fn study(manifest: &Manifest) -> Option<Block> {
    let study = given_study(manifest)?;
    let mut fields: Vec<(String, String)> =
        study.given().into_iter().map(|(key, value)| (say!(&format!("study-{key}")), value.to_string())).collect();
    if study.date.is_none() {
        let day = manifest.this_run.finished_utc.split(' ').next().unwrap_or_default();
        fields.push((say!("study-date"), day.to_string()));
    }
    let status = match study.status {
        Status::Draft => say!("study-draft"),
        Status::Final => say!("study-final"),
    };
    fields.push((say!("study-status"), status));
    Some(Block::Study(fields))
}

/// Below every printed page: whose plan it is, and whether it may be handed in.
fn running(manifest: &Manifest, title: &str) -> String {
    let Some(study) = given_study(manifest) else { return title.into() };
    let status = say!(if study.status == Status::Draft { "study-draft" } else { "study-final" });
    let named = [&study.office, &study.plan_number, &study.version].map(Option::as_deref);
    let parts: Vec<&str> = [Some(title)].into_iter().chain(named).flatten().chain([status.as_str()]).collect();
    parts.join(" · ")
}

fn given_study(manifest: &Manifest) -> Option<Study> {
    serde_json::from_value(manifest.project.document.get("study")?.clone()).ok()
}

/// The pictures of a run folder.
pub(crate) struct Pictures<'a> {
    /// Those the manifest vouches for.
    pub known: &'a [FileRecord],
    pub folders: &'a [&'a Path],
}

impl Pictures<'_> {
    pub(crate) fn block(&self, picture: &Picture) -> Result<Block> {
        let caption = picture.caption.to_string();
        let Some(path) = self.folders.iter().map(|folder| folder.join(&picture.file)).find(|path| path.is_file())
        else {
            return Ok(Block::Text(say!("picture-removed", caption = caption, file = &picture.file)));
        };
        let png = std::fs::read(&path).map_err(|error| atomic::io_error(&path, &error))?;
        let known = self.known.iter().find(|file| file.path == picture.file);
        if known.is_some_and(|known| known.sha256 != sha256(&png)) {
            return Err(Error::failed(format!(
                "'{}' was changed since the run wrote it, and the report shows it: put the old one back, or remove it",
                path.display()
            )));
        }
        Ok(Block::picture(&png, caption, true))
    }
}

fn subtitle(manifest: &Manifest) -> String {
    let (engine, run) = (&manifest.engine, &manifest.this_run);
    let what = say!("rockfall-simulation");
    format!("{what} · {} · {} {} · {}", run.finished_utc, engine.name, engine.version, manifest.crs)
}

/// A heading for a variant, if there are several.
pub(crate) fn heading(label: &str) -> Option<Block> {
    (!label.is_empty()).then(|| Block::Section(variant_words(label)))
}

/// What a variant is called: `with barriers`, `without barriers`, or nothing.
pub(crate) fn variant_words(label: &str) -> String {
    match label {
        "" => String::new(),
        "with barriers" => say!("with-barriers"),
        "without barriers" => say!("without-barriers"),
        other => other.to_string(),
    }
}

/// Whose rocks: those of a scenario, or of all.
pub(crate) fn scenario_words(name: &str) -> String {
    if name == line_results::POOLED { say!("page-all-scenarios") } else { say!("scenario-named", name = name) }
}

fn text(value: Option<f64>) -> String {
    value.map_or("–".into(), number)
}

fn key_figures(manifest: &Manifest, model: &ReportModel) -> Option<Block> {
    // The slope as it is comes last.
    let f = &model.variants.last()?.figures;
    let value = |value: Option<f64>, unit: &str| value.map_or("–".into(), |v| format!("{} {unit}", number(v)));
    Some(Block::Key(vec![
        (manifest.rocks.to_string(), say!("key-rocks")),
        (value(f.energy_kj.p95, "kJ"), say!("key-energy")),
        (value(f.jump_m.p95, "m"), say!("key-jump")),
        (value(f.runout_m.p95, "m"), say!("key-runout")),
    ]))
}

fn warnings(manifest: &Manifest) -> Block {
    match manifest.warnings.0.is_empty() {
        true => Block::Fine(say!("no-warnings")),
        false => Block::Warnings(say!("warnings-title"), manifest.warnings.0.iter().map(in_words).collect()),
    }
}

fn what_was_run(manifest: &Manifest, model: &ReportModel) -> Vec<Block> {
    let setting = model.setting.iter().map(|(name, value)| vec![name.to_string(), value.to_string()]).collect();
    let scenarios = manifest.scenarios.iter().map(|s| {
        vec![s.name.clone(), s.frequency_per_year.map_or_else(|| say!("not-given"), number), s.rocks.to_string()]
    });
    let solver: Vec<String> =
        manifest.solver.iter().map(|(name, count)| format!("{} {count}", solver_words(name))).collect();
    vec![
        Block::table::<String>(&[], setting, 2),
        Block::Section(say!("scenarios")),
        Block::table(&says(["scenario", "releases-per-year", "rocks-simulated"]), scenarios.collect(), 1),
        Block::Section(say!("how-they-ended")),
        stop_reasons(manifest),
        Block::Small(say!("contact-solver", counts = solver.join("; "))),
    ]
}

fn stop_reasons(manifest: &Manifest) -> Block {
    let share = |count: u64| format!("{:.2} %", 100.0 * count as f64 / manifest.rocks.max(1) as f64);
    let with = manifest.with_barriers.as_ref();
    let head = match with {
        Some(_) => says(["stop-reason", "rocks-word", "share", "with-barriers", "share"]).to_vec(),
        None => says(["stop-reason", "rocks-word", "share"]).to_vec(),
    };
    let row = |(reason, &count): (&String, &u64)| {
        let mut row = vec![stop_words(reason), count.to_string(), share(count)];
        if let Some(with) = with {
            let count = with.stop_reasons.get(reason).copied().unwrap_or(0);
            row.extend([count.to_string(), share(count)]);
        }
        row
    };
    Block::table(&head, manifest.stop_reasons.iter().map(row).collect(), 1)
}

fn maps(manifest: &Manifest, model: &ReportModel, pictures: &Pictures) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    for picture in &model.inputs {
        blocks.push(pictures.block(picture)?);
    }
    for variant in &model.variants {
        blocks.extend(heading(&variant.label));
        blocks.push(reached(manifest, variant));
        let place = if variant.label.is_empty() { String::new() } else { variant.label.replace(' ', "_") + "/" };
        blocks.push(Block::Link(say!("open-interactive"), format!("{place}{}", interactive::FILE_NAME)));
        blocks.extend(cut_off(&variant.cut_off));
        for picture in &variant.maps {
            blocks.push(pictures.block(picture)?);
        }
    }
    Ok(blocks)
}

/// Where the map ends before the rocks do.
fn cut_off(marks: &[Mark]) -> Option<Block> {
    let places = marks.iter().map(|mark| mark.text.to_string()).collect::<Vec<_>>();
    (!marks.is_empty()).then(|| Block::Warning(say!("cut-off", places = places.join("; "))))
}

fn reached(manifest: &Manifest, variant: &Variant) -> Block {
    let (reached, grid) = (variant.reached, &manifest.grid);
    let hectares = reached.cells as f64 * grid.cell_x_m * grid.cell_y_m / 1e4;
    let share = if reached.cells > 0 { 100.0 * reached.few as f64 / reached.cells as f64 } else { 0.0 };
    Block::Text(say!(
        "reached",
        cells = reached.cells,
        hectares = number(hectares),
        share = format!("{share:.0}"),
        least = reached.min_sample,
    ))
}

fn classified(model: &ReportModel, pictures: &Pictures) -> Result<Vec<Block>> {
    if model.classifications.is_empty() {
        return Ok(vec![Block::Text(say!("no-classification"))]);
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
pub(crate) fn named(figures: &Figures) -> [(Text, &Summary); 7] {
    [
        (msg!("figure-mass"), &figures.mass_kg),
        (msg!("figure-energy"), &figures.energy_kj),
        (msg!("figure-velocity"), &figures.velocity_m_s),
        (msg!("figure-jump"), &figures.jump_m),
        (msg!("figure-rotation"), &figures.rotation_rps),
        (msg!("figure-runout"), &figures.runout_m),
        (msg!("figure-energy-line"), &figures.energy_line_deg),
    ]
}

fn figures(variant: &Variant) -> Vec<Block> {
    let row = |(name, s): (Text, &Summary)| {
        let values = [s.mean, s.p50, s.p90, s.p95, s.p99, s.max].map(text);
        [name.to_string(), s.n.to_string()].into_iter().chain(values).collect()
    };
    let words = says(["of-each-rock", "mean", "max"]);
    let [each, mean, max] = words.each_ref().map(String::as_str);
    let head = [each, "n", mean, "p50", "p90", "p95", "p99", max].map(String::from);
    let mut blocks: Vec<Block> = heading(&variant.label).into_iter().collect();
    blocks.push(Block::table(&head, named(&variant.figures).map(row).to_vec(), 1));
    blocks.push(Block::drawing(&variant.histograms, 2, say!("distribution-of-rocks")));
    blocks
}

fn profiles(model: &ReportModel) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (key, profile) in [("profile-steepest", &model.profile), ("profile-farthest", &model.farthest)] {
        let Some(profile) = profile.as_ref().filter(|profile| profile.points.len() > 1) else { continue };
        blocks.push(Block::Section(say!(&format!("{key}-title"))));
        blocks.extend(one_profile(key, profile));
    }
    if blocks.is_empty() { vec![Block::Text(say!("no-profile"))] } else { blocks }
}

fn one_profile(key: &str, profile: &Profile) -> Vec<Block> {
    let column = |index: usize| profile.points.iter().map(move |p| [p[0], p[index]]);
    let along = |quantity: Text| Plot::new("", msg!("axis-along-path"), quantity);
    let section = along(msg!("axis-height")).line(msg!("ground"), column(1)).color("#6d4c41");
    let section = section.line(msg!("centre-of-mass"), column(2)).color("#d55e00");
    let energy = along(msg!("axis-energy")).line("", column(3));
    let velocity = along(msg!("axis-velocity")).line("", column(4)).color("#009e73");
    let caption = say!(
        key,
        trajectory = profile.trajectory.to_string(),
        rock = &profile.rock,
        mass = format!("{:.0}", profile.mass_kg),
        angle = format!("{:.1}", profile.energy_line_deg),
        runout = format!("{:.0}", profile.runout_m),
    );
    vec![
        Block::drawing(&[section], 1, caption),
        Block::drawing(&[energy, velocity], 2, say!("profile-energy-and-velocity")),
    ]
}

fn reproduce(manifest: &Manifest) -> Vec<Block> {
    let (project, engine, run) = (&manifest.project, &manifest.engine, &manifest.this_run);
    let limit =
        if manifest.rocks < manifest.rocks_planned { format!(" --limit {}", manifest.rocks) } else { String::new() };
    let mut rows = vec![vec![say!("role-project"), project.file.clone(), project.sha256.clone()]];
    rows.extend(
        manifest.inputs.iter().map(|file| vec![role_words(&file.role), file.path.clone(), file.sha256.clone()]),
    );
    let head = vec![say!("input"), say!("file"), "SHA-256".into()];
    let total: f64 = run.seconds.iter().map(|(_, seconds)| seconds).sum();
    vec![
        Block::Text(say!(
            "same-bytes",
            engine = &engine.name,
            version = &engine.version,
            revision = &engine.git_revision,
        )),
        Block::Verbatim(format!("couloir run {} --seed {}{limit} --out RUN", project.file, manifest.seed)),
        Block::Table(Table { head, rows, text_columns: 3, hashes: true }),
        Block::Small(say!(
            "this-run",
            threads = run.threads,
            seconds = format!("{total:.1}"),
            system = &run.operating_system,
            processor = &run.processor,
        )),
    ]
}

/// Texts of the catalogue, for the head of a table.
pub(crate) fn says<const N: usize>(keys: [&str; N]) -> [String; N] {
    keys.map(|key| say!(key))
}

fn definitions() -> Block {
    let keys = ["passage", "quantities", "quantile", "return-period", "barrier", "limits"];
    Block::Notes(keys.map(|key| say!(&format!("meaning-{key}"))).to_vec())
}

fn signatures() -> Block {
    Block::Signatures(["prepared", "checked", "inputs", "released"].map(|key| say!(&format!("sign-{key}"))).to_vec())
}
