//! Everything a finished run hands over besides layers and trajectories: lines, classification, previews, report,
//! manifest.

use std::collections::BTreeMap;
use std::path::Path;

use crate::ensemble::{RunResult, VariantResult};
use crate::geo::atomic;
use crate::geo::raster::{self, ReadRaster};
use crate::hazard::classify::ScenarioCells;
use crate::hazard::sample::Sample;
use crate::output::classification::{self, Background, Classified};
use crate::output::line_files::{self, LineResult, file_name};
use crate::output::manifest::{
    self, Counts, Engine, FileRecord, Grid, Manifest, Method, ProjectRecord, ScenarioRecord, ThisRun, sha256_file,
};
use crate::output::overlays;
use crate::output::preview::{self, Overlay, Preview, Window};
use crate::output::profile;
use crate::output::ramp::Legend;
use crate::output::record::stop_name;
use crate::output::report::{self, Figures, Report, Variant};
use crate::project::file::{Dimensioning, TerrainNodes};
use crate::site::Site;
use crate::trajectory::StopReason;
use crate::{Error, Result};

pub const REPORT: &str = "report.html";
const PREVIEWS: &str = "previews";
const LINES: &str = "lines";

/// Writes all of it; the manifest last.
pub fn deliver(result: &mut RunResult) -> Result<()> {
    let site = result.setup.site;
    let overlays = overlays::of_site(site);
    let window = window(result);
    let mut variants = Vec::new();
    let mut warnings = Vec::new();
    for variant in &result.variants {
        variants.push(deliver_variant(result, variant, &overlays, window, &mut warnings)?);
    }
    for warning in warnings {
        if !result.warnings.contains(&warning) {
            result.warnings.push(warning);
        }
    }
    result.warnings.extend(completeness(result));
    let mut manifest = manifest(result)?;
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
    overlays: &[Overlay],
    window: Window,
    warnings: &mut Vec<String>,
) -> Result<Variant> {
    let site = result.setup.site;
    let label = variant.name.as_deref().unwrap_or_default().replace('_', " ");
    let title = &site.project.file.title;
    let subtitle = if label.is_empty() { title.clone() } else { format!("{title} ({label})") };
    let lines = lines(result, variant, warnings)?;
    let on = Background { dem: &site.scene.surface, crs: &site.crs, subtitle: &subtitle, overlays };
    let maps = maps(variant, &on, window)?;
    let classified = classified(result, variant, &on)?;
    if let Some(classified) = &classified {
        warnings.extend(classified.notes.iter().map(|note| format!("classification: {note}")));
    }
    Ok(Variant { label, figures: figures(variant)?, maps, lines, classified })
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

fn maps(variant: &VariantResult, on: &Background, window: Window) -> Result<Vec<(String, Vec<u8>)>> {
    let folder = variant.folder.join(PREVIEWS);
    std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error))?;
    let usual = variant.layers.iter().any(|layer| IN_REPORT.contains(&layer.name.as_str()));
    let mut maps = Vec::new();
    for (name, title, legend_title) in PICTURES {
        let Some(layer) = variant.layers.iter().find(|layer| layer.name == name) else { continue };
        let Some((_, largest)) = layer.range else { continue };
        let values = raster::read(&layer.path, &ReadRaster::default())?.field.values;
        let legend = match name {
            _ if name.starts_with("kinetic_energy") => Legend::energy(legend_title),
            "reach_probability" | "passages" | "deposits" => Legend::logarithmic(legend_title, largest),
            "energy_line_angle_deg" => Legend::angle(legend_title),
            // A few outliers must not press all other cells into one class.
            _ => Legend::linear(
                legend_title,
                1.2 * Sample::new(values.iter().copied()).quantile(0.95).unwrap_or(largest),
            ),
        };
        // A count of zero is as empty as no count.
        let value = |cell: usize| if values[cell] > 0.0 { values[cell] } else { f64::NAN };
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
        canvas.save(&folder.join(format!("{name}.png")))?;
        if IN_REPORT.contains(&name) || !usual {
            maps.push((format!("{title}. Layer {name}.tif."), canvas.to_png()?));
        }
    }
    Ok(maps)
}

fn classified(result: &RunResult, variant: &VariantResult, on: &Background) -> Result<Option<Classified>> {
    let project = &result.setup.site.project;
    let Some(wish) = &project.file.classification else { return Ok(None) };
    let scheme = classification::project_scheme(wish, &project.folder)?;
    let named = result.setup.plan.scenarios.iter().zip(&variant.accumulators);
    let scenarios: Vec<ScenarioCells> = named
        .map(|(name, counts)| ScenarioCells::of(scenario_name(name.as_deref()), counts, &scheme))
        .collect::<Result<_>>()?;
    let folder = variant.folder.join("classification").join(scheme_folder(&wish.scheme));
    classification::write(&folder, &scenarios, &scheme, on).map(Some)
}

/// Name of releases that name no scenario.
pub fn scenario_name(name: Option<&str>) -> &str {
    name.unwrap_or("all")
}

/// A folder's name for a scheme given by name or file.
pub fn scheme_folder(scheme: &str) -> String {
    let stem = Path::new(scheme).file_stem().map_or(scheme.into(), |stem| stem.to_string_lossy());
    file_name(&stem)
}

/// One value per rock that did not diverge.
fn figures(variant: &VariantResult) -> Result<Figures> {
    let mut columns: [Vec<f64>; 6] = Default::default();
    variant.for_each_record(|record| {
        if record.stop != StopReason::Diverged {
            let [energy, velocity, jump, rotation] = record.max.map(f64::from);
            let values = [energy, velocity, jump, rotation, record.runout_m(), record.energy_line_deg()];
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        }
        Ok(())
    })?;
    let [energy_kj, velocity_m_s, jump_m, rotation_rps, runout_m, energy_line_deg] = columns.map(Sample::new);
    Ok(Figures { energy_kj, velocity_m_s, jump_m, rotation_rps, runout_m, energy_line_deg })
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
    let mut found: BTreeMap<u32, (u64, f64)> = BTreeMap::new();
    free.for_each_record(|record| {
        let entry = found.entry(record.scenario).or_default();
        *entry = (entry.0 + 1, entry.1 + record.frequency_per_year);
        Ok(())
    })?;
    let scenarios = result.setup.plan.scenarios.iter().enumerate().map(|(index, name)| {
        let (rocks, frequency) = found.get(&(index as u32)).copied().unwrap_or_default();
        ScenarioRecord {
            name: scenario_name(name.as_deref()).to_string(),
            rocks,
            frequency_per_year: (frequency > 0.0).then_some(frequency),
        }
    });
    Ok(scenarios.collect())
}
