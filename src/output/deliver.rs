//! Everything a finished run hands over besides layers and trajectories: lines, classification, previews, report,
//! manifest.

use std::collections::BTreeMap;
use std::path::Path;

use crate::ensemble::{RunResult, Setup, VariantResult};
use crate::geo::atomic;
use crate::hazard::accumulator::Accumulator;
use crate::hazard::classify::Scenario;
use crate::hazard::histogram;
use crate::hazard::sample::Sample;
use crate::output::classification::{self, Background, Classified};
use crate::output::layers;
use crate::output::line_files::{self, LineResult, file_name};
use crate::output::manifest::{
    self, Counts, Engine, FileRecord, Grid, Manifest, Method, ProjectRecord, ScenarioRecord, ThisRun, sha256_file,
};
use crate::output::overlays;
use crate::output::preview::{self, Overlay, Preview, Relief, Window};
use crate::output::profile;
use crate::output::ramp::Legend;
use crate::output::record::stop_name;
use crate::output::report::{self, Figures, Reached, Report, Variant};
use crate::project::file::{Dimensioning, TerrainNodes};
use crate::site::Site;
use crate::trajectory::StopReason;
use crate::{Error, Result};

pub const REPORT: &str = "report.html";
/// Folder of the classified maps.
pub const CLASSIFICATION: &str = "classification";
const PREVIEWS: &str = "previews";
const LINES: &str = "lines";

/// Writes all of it; the manifest last.
pub fn deliver(result: &mut RunResult) -> Result<()> {
    let site = result.setup.site;
    let overlays = overlays::of_site(site);
    let window = window(result);
    let relief = Relief::new(&site.scene.surface);
    let mut variants = Vec::new();
    let mut warnings = Vec::new();
    for variant in &result.variants {
        variants.push(deliver_variant(result, variant, &relief, &overlays, window, &mut warnings)?);
    }
    for warning in warnings {
        if !result.warnings.contains(&warning) {
            result.warnings.push(warning);
        }
    }
    result.warnings.extend(completeness(result));
    let mut manifest = manifest(result)?;
    let free = variants.last().and_then(|variant| variant.classified.as_ref());
    manifest.classifications = free.map(Classified::record).into_iter().collect();
    if site.project.file.outputs.report {
        let profile = match result.variants.last() {
            Some(free) => profile::steepest(result.setup, free)?,
            None => None,
        };
        let text =
            report::render(&Report { manifest: &manifest, site, variants: &variants, profile: profile.as_ref() });
        let path = result.folder.join(REPORT);
        atomic::write_bytes(&path, text.as_bytes())?;
        manifest.this_run.report_sha256 = Some(sha256_file(&path)?);
    }
    manifest.outputs = manifest::list_outputs(&result.folder)?;
    manifest::write(&result.folder, &manifest)
}

/// What a reader must know about trajectories that did not end by themselves.
fn completeness(result: &RunResult) -> Vec<String> {
    let mut warnings = Vec::new();
    let identity = &result.setup.identity;
    if identity.total < identity.planned {
        warnings.push(format!(
            "only {} of {} planned rocks were released (--limit), each standing for {:.1} in yearly frequencies: a quick \
             look, not a result to hand in",
            identity.total,
            identity.planned,
            identity.planned as f64 / identity.total as f64
        ));
    }
    let Some(free) = result.variants.last() else { return warnings };
    let count = |stop: StopReason| free.stops.get(&stop).copied().filter(|&count| count > 0);
    if let Some(count) = count(StopReason::LeftTerrain) {
        warnings.push(format!(
            "{count} rocks left the terrain model while moving: run-out is cut off at its edge; use a larger DEM"
        ));
    }
    if let Some(count) = count(StopReason::Nodata) {
        warnings.push(format!("{count} rocks ended at cells without height: fill the gaps of the DEM"));
    }
    if let Some(count) = count(StopReason::MaxTime) {
        warnings.push(format!("{count} rocks were still moving at stop.max_time_s: raise it"));
    }
    if let Some(count) = count(StopReason::MaxDistance) {
        warnings.push(format!("{count} rocks were stopped at stop.max_distance_m: raise it or leave it out"));
    }
    warnings
}

/// The part of the map where rocks pass, the same for all previews.
fn window(result: &RunResult) -> Window {
    let lattice = *result.setup.site.scene.surface.lattice();
    let mut reached = vec![false; lattice.len()];
    if let Some(free) = result.variants.last() {
        free.statistics().for_each_cell(Default::default(), |cell| reached[cell.index as usize] = true);
    }
    Window::around(&lattice, |cell| reached[cell])
}

fn deliver_variant(
    result: &RunResult,
    variant: &VariantResult,
    relief: &Relief,
    overlays: &[Overlay],
    window: Window,
    warnings: &mut Vec<String>,
) -> Result<Variant> {
    let site = result.setup.site;
    let label = variant.name.as_deref().unwrap_or_default().replace('_', " ");
    let subtitle = subtitle(&site.project.file.title, variant.name.as_deref());
    let lines = lines(result, variant, warnings)?;
    let on = Background { dem: relief, crs: &site.crs, subtitle: &subtitle, overlays };
    let (draw, classify) = (|| maps(result.setup, variant, &on, window), || classified(result, variant, &on));
    let at_once = relief.lattice().len() <= super::SMALL_LATTICE;
    let (maps, classified) = if at_once { rayon::join(draw, classify) } else { (draw(), classify()) };
    let (maps, classified) = (maps?, classified?);
    if let Some(classified) = &classified {
        warnings.extend(classified.warnings());
    }
    let reached = reached(result, variant);
    Ok(Variant { label, figures: figures(variant)?, reached, maps, lines, classified })
}

fn lines(result: &RunResult, variant: &VariantResult, warnings: &mut Vec<String>) -> Result<Vec<LineResult>> {
    let site = result.setup.site;
    let set = &result.setup.lines;
    if set.is_empty() {
        return Ok(Vec::new());
    }
    let crossings = variant.crossings()?;
    let mut settings: Vec<Dimensioning> = site.lines.iter().map(|line| line.spec.dimensioning.clone()).collect();
    settings.resize(set.lines().len(), Dimensioning::default());
    let results = line_files::evaluate(set, &crossings, &settings)?;
    let lattice = site.scene.surface.lattice();
    line_files::write(&variant.folder.join(LINES), set, &crossings, &results, lattice, &site.crs)?;
    let place = variant.name.as_deref().map_or(String::new(), |name| format!(" ({})", name.replace('_', " ")));
    for line in &results {
        let note = line.sheet.as_ref().and_then(|sheet| sheet.notes.iter().find(|note| note.contains("rests on")));
        warnings.extend(note.map(|note| format!("line {}{place}: {note}", line.name)));
    }
    Ok(results)
}

/// Layers worth a picture, in the order of the report: name, title, legend title, and which kind of classes.
const PICTURES: [(&str, &str, &str); 8] = [
    ("kinetic_energy_kj_p95", "Kinetic energy, 95 % quantile of the rocks passing", "Kinetic energy p95 (kJ)"),
    ("kinetic_energy_kj_max", "Kinetic energy, largest of the rocks passing", "Kinetic energy max (kJ)"),
    ("jump_height_m_p95", "Jump height, 95 % quantile of the rocks passing", "Jump height p95 (m)"),
    ("velocity_ms_p95", "Velocity, 95 % quantile of the rocks passing", "Velocity p95 (m/s)"),
    ("reach_probability", "Reach probability: passages per rock released", "Passages per rock released"),
    ("passages", "Number of rocks passing", "Rocks passing"),
    ("deposits", "Rocks that came to rest", "Rocks at rest"),
    ("energy_line_angle_deg", "Energy line angle", "Angle (°)"),
];

/// Those of them that the report shows, if the project has any of these.
const IN_REPORT: [&str; 5] =
    ["kinetic_energy_kj_p95", "jump_height_m_p95", "velocity_ms_p95", "reach_probability", "deposits"];

fn maps(setup: &Setup, variant: &VariantResult, on: &Background, window: Window) -> Result<Vec<(String, Vec<u8>)>> {
    let min_sample = setup.site.project.file.statistics.min_sample;
    let folder = variant.folder.join(PREVIEWS);
    std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error))?;
    let usual = variant.layers.iter().any(|layer| IN_REPORT.contains(&layer.name.as_str()));
    let mut maps = Vec::new();
    for (name, title, legend_title) in PICTURES {
        let Some(layer) = variant.layers.iter().find(|layer| layer.name == name) else { continue };
        let Some((_, largest)) = layer.range else { continue };
        // Computed once more, not read back: a quarter of the memory of the raster's heights.
        let mut values = vec![f32::NAN; on.dem.lattice().len()];
        let mut counts = vec![0u64; histogram::BINS];
        let statistics = variant.statistics();
        layers::for_each_value(&layer.layer, &statistics, &setup.wanted, min_sample, |cell, value| {
            // A count of zero is as empty as no count.
            if value > 0.0 {
                values[cell] = value as f32;
                counts[histogram::bin(value as f32) as usize] += 1;
            }
        });
        let legend = match name {
            _ if name.starts_with("kinetic_energy") => Legend::energy(legend_title),
            "reach_probability" | "passages" | "deposits" => Legend::logarithmic(legend_title, largest),
            "energy_line_angle_deg" => Legend::angle(legend_title),
            // A few outliers must not press all other cells into one class.
            _ => Legend::linear(legend_title, 1.2 * quantile(&counts, 0.95).unwrap_or(largest)),
        };
        let value = |cell: usize| f64::from(values[cell]);
        let canvas = preview::draw(&Preview {
            title,
            subtitle: on.subtitle,
            crs: on.crs.label(),
            dem: on.dem,
            values: &value,
            legend: &legend,
            overlays: on.overlays,
            notes: &[],
            window,
        });
        let image = canvas.save(&folder.join(format!("{name}.png")))?;
        if IN_REPORT.contains(&name) || !usual {
            maps.push((format!("{title}. Layer {name}.tif."), image));
        }
    }
    Ok(maps)
}

/// The value a share p of those counted by bin does not exceed.
fn quantile(counts: &[u64], p: f64) -> Option<f64> {
    let rank = (p * counts.iter().sum::<u64>() as f64) as u64;
    let mut before = 0;
    let bin = counts.iter().position(|count| {
        before += count;
        before > rank
    });
    bin.map(|bin| histogram::value(bin as u32))
}

fn classified(result: &RunResult, variant: &VariantResult, on: &Background) -> Result<Option<Classified>> {
    let project = &result.setup.site.project;
    let Some(wish) = &project.file.classification else { return Ok(None) };
    let scheme = classification::project_scheme(wish, &project.folder)?;
    let plan = &result.setup.plan;
    let names = scenario_names(&plan.scenarios);
    let years =
        classification::return_periods(&names, &plan.scenario_frequencies(), &wish.scenario_return_periods_years)?;
    let folder = variant.folder.join(CLASSIFICATION).join(scheme_folder(&wish.scheme));
    let scenarios = scenarios_of(&names, &variant.accumulators, &years);
    classification::write(&folder, &scenarios, &scheme, on).map(Some)
}

/// Names, counts and return periods side by side.
pub fn scenarios_of<'a>(names: &[String], counts: &'a [Accumulator], years: &[Option<f64>]) -> Vec<Scenario<'a>> {
    let all = names.iter().zip(counts).zip(years);
    all.map(|((name, counts), &return_period_years)| Scenario { name: name.clone(), counts, return_period_years })
        .collect()
}

/// Names to show.
pub fn scenario_names(scenarios: &[Option<String>]) -> Vec<String> {
    scenarios.iter().map(|name| scenario_name(name.as_deref()).to_string()).collect()
}

/// The title of a variant's maps.
pub fn subtitle(title: &str, variant: Option<&str>) -> String {
    variant.map_or(title.to_string(), |variant| format!("{title} ({})", variant.replace('_', " ")))
}

/// Name of releases that name no scenario.
fn scenario_name(name: Option<&str>) -> &str {
    name.unwrap_or("all")
}

/// A folder's name for a scheme given by name or file.
pub fn scheme_folder(scheme: &str) -> String {
    let stem = Path::new(scheme).file_stem().map_or(scheme.into(), |stem| stem.to_string_lossy());
    file_name(&stem)
}

fn reached(result: &RunResult, variant: &VariantResult) -> Reached {
    let min_sample = result.setup.site.project.file.statistics.min_sample;
    let mut reached = Reached { min_sample, ..Reached::default() };
    variant.statistics().for_each_cell(Default::default(), |cell| {
        reached.cells += 1;
        reached.few += u64::from(cell.passages < min_sample);
    });
    reached
}

/// One value per rock that did not diverge.
fn figures(variant: &VariantResult) -> Result<Figures> {
    let mut columns: [Vec<f64>; 7] = Default::default();
    variant.for_each_record(|record| {
        if record.stop != StopReason::Diverged {
            let [energy, velocity, jump, rotation] = record.max.map(f64::from);
            let (runout, angle) = (record.runout_m(), record.energy_line_deg());
            let values = [record.mass_kg, energy, velocity, jump, rotation, runout, angle];
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        Ok(())
    })?;
    let [mass_kg, energy_kj, velocity_m_s, jump_m, rotation_rps, runout_m, energy_line_deg] = columns.map(Sample::new);
    Ok(Figures { mass_kg, energy_kj, velocity_m_s, jump_m, rotation_rps, runout_m, energy_line_deg })
}

fn manifest(result: &RunResult) -> Result<Manifest> {
    let setup = result.setup;
    let site = setup.site;
    let Some(free) = result.variants.last() else {
        return Err(Error::failed("the run has no result: this is a mistake in couloir, please report it"));
    };
    let with = result.variants.first().filter(|_| result.variants.len() > 1).map(counts);
    let Counts { stop_reasons, solver } = counts(free);
    let lattice = site.scene.surface.lattice();
    let file = site.project.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let seconds = vec![("simulate".into(), result.timings.simulate_s), ("outputs".into(), result.timings.outputs_s)];
    Ok(Manifest {
        engine: Engine::this(),
        project: ProjectRecord {
            title: site.project.file.title.clone(),
            file,
            sha256: site.project.sha256.clone(),
            text: site.project.text.clone(),
        },
        crs: site.crs.label().to_string(),
        crs_wkt: site.crs.wkt().to_string(),
        grid: Grid {
            columns: lattice.nx,
            rows: lattice.ny,
            x0_m: lattice.x0,
            y0_m: lattice.y0,
            cell_x_m: lattice.dx,
            cell_y_m: lattice.dy,
        },
        method: method(site),
        inputs: inputs(site),
        seed: setup.identity.seed,
        rocks: setup.identity.total,
        rocks_planned: setup.identity.planned,
        scenarios: scenarios(result, free)?,
        stop_reasons,
        solver,
        with_barriers: with,
        classifications: Vec::new(),
        warnings: result.warnings.clone(),
        outputs: Vec::new(),
        this_run: ThisRun::now(&site.project.path, seconds, result.threads),
    })
}

fn method(site: &Site) -> Method {
    // The names the user types in the project file.
    let typed = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|v| v.as_str().map(str::to_string)).unwrap_or_default()
    };
    let scene = &site.scene;
    let lattice = scene.surface.lattice();
    Method {
        contact: typed(serde_json::to_value(scene.contact)),
        integrator: typed(serde_json::to_value(scene.integrator)),
        time_step_s: scene.time_step_s,
        terrain_nodes: match scene.terrain_nodes {
            TerrainNodes::Always => "always: tested against every rock but true spheres".into(),
            TerrainNodes::Never => "never: only the rocks' vertices are tested".into(),
            TerrainNodes::Auto => {
                format!("auto: tested against rocks wider than a cell, {} m", lattice.dx.min(lattice.dy))
            }
        },
        stepping: typed(serde_json::to_value(scene.stepping)),
    }
}

fn counts(variant: &VariantResult) -> Counts {
    let stop_reasons = variant.stops.iter().map(|(&stop, &count)| (stop_name(stop).to_string(), count)).collect();
    let s = &variant.solver;
    let solver = [
        ("steps_with_contact", s.solves),
        ("not_converged", s.not_converged),
        ("restitution_reduced", s.restitution_reduced),
        ("pushed_out_of_the_ground", s.pushed_out),
    ];
    Counts { stop_reasons, solver: solver.map(|(name, count)| (name.to_string(), count)).into() }
}

/// Paths relative to the project where they lie below it: the same on every machine.
fn inputs(site: &Site) -> Vec<FileRecord> {
    let relative = |path: &Path| {
        let path = path.strip_prefix(&site.project.folder).unwrap_or(path);
        path.display().to_string().replace('\\', "/")
    };
    let record = |input: &crate::site::InputFile| FileRecord {
        role: input.role.clone(),
        path: relative(&input.path),
        sha256: input.sha256.clone(),
    };
    site.inputs.iter().map(record).collect()
}

fn scenarios(result: &RunResult, free: &VariantResult) -> Result<Vec<ScenarioRecord>> {
    let mut found: BTreeMap<u32, u64> = BTreeMap::new();
    free.for_each_record(|record| {
        *found.entry(record.scenario).or_default() += 1;
        Ok(())
    })?;
    let plan = &result.setup.plan;
    let named = plan.scenarios.iter().zip(plan.scenario_frequencies()).enumerate();
    let scenarios = named.map(|(index, (name, frequency_per_year))| {
        let rocks = found.get(&(index as u32)).copied().unwrap_or_default();
        ScenarioRecord { name: scenario_name(name.as_deref()).to_string(), rocks, frequency_per_year }
    });
    Ok(scenarios.collect())
}
