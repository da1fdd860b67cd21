//! What the manifest says of a run.

use std::collections::BTreeMap;
use std::path::Path;

use crate::dynamics::TerrainNodes;
use crate::files::names::file_name;
use crate::geo::file_list;
use crate::output::setting::typed;
use crate::project::{self, Project, scenario_name, schemes};
use crate::site::Site;
use crate::store::manifest::{
    Counts, Engine, FileRecord, Grid, Manifest, Method, ProjectRecord, ScenarioRecord, ThisRun, Warnings,
};
use crate::store::record::stop_name;
use crate::store::{RunResult, VariantResult};
use crate::texts::spoken;
use crate::{Error, Result};

/// Everything but classifications and hashes of files.
pub(crate) fn manifest(result: &RunResult, threads: usize, seconds: [(&str, f64); 2]) -> Result<Manifest> {
    let setup = result.setup;
    let site = setup.site;
    let Some(free) = result.variants.last() else {
        return Err(Error::failed("the run has no result: this is a mistake in couloir, please report it"));
    };
    let with = result.variants.first().filter(|_| result.variants.len() > 1).map(counts);
    let Counts { stop_reasons, solver } = counts(free);
    let lattice = site.scene.surface.lattice();
    let file = site.project.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let seconds = seconds.map(|(stage, seconds)| (stage.to_string(), seconds)).to_vec();
    Ok(Manifest {
        engine: Engine::this(),
        language: spoken(),
        project: ProjectRecord {
            title: site.project.file.title.clone(),
            file,
            sha256: site.project.sha256.clone(),
            text: site.project.text.clone(),
            document: as_written(&site.project)?,
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
        inputs: inputs(site)?,
        as_read: site.as_read.clone(),
        datum_shifts: site.datum_shifts.clone(),
        seed: setup.identity.seed,
        rocks: setup.identity.total,
        rocks_planned: setup.identity.planned,
        trajectories_written: setup.written(),
        scenarios: scenarios(result, free)?,
        convergence: result.convergence.clone(),
        stop_reasons,
        solver,
        plausibility: free.findings.clone(),
        with_barriers: with,
        classifications: Vec::new(),
        layers: Vec::new(),
        words: BTreeMap::new(),
        warnings: Warnings(result.warnings.clone()),
        outputs: Vec::new(),
        this_run: ThisRun::now(&site.project.path, seconds, threads),
    })
}

fn method(site: &Site) -> Method {
    let scene = &site.scene;
    Method {
        contact: typed(serde_json::to_value(scene.contact)),
        integrator: typed(serde_json::to_value(scene.integrator)),
        time_step_s: scene.time_step_s,
        terrain_nodes: match scene.terrain_nodes {
            TerrainNodes::Always => "always: nodes and crests are tested against every rock".into(),
            TerrainNodes::Never => "never: only the rocks' vertices are tested".into(),
            TerrainNodes::Auto => {
                "auto: nodes and crests are tested where they can stand out by more than a millimetre".into()
            }
        },
        stepping: typed(serde_json::to_value(scene.stepping)),
        fast_rocks: typed(serde_json::to_value(scene.fast_rocks)),
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
fn inputs(site: &Site) -> Result<Vec<FileRecord>> {
    let relative = |path: &Path| {
        let path = path.strip_prefix(&site.project.folder).unwrap_or(path);
        path.display().to_string().replace('\\', "/")
    };
    let record = |input: &crate::site::InputFile| FileRecord {
        role: input.role.clone(),
        path: relative(&input.path),
        sha256: input.sha256.clone(),
    };
    let mut records: Vec<FileRecord> = site.inputs.iter().map(record).collect();
    if let Some((_, path)) = schemes::file(&site.project) {
        let sha256 = file_list::hash(&path)?.1;
        records.push(FileRecord { role: "classification".into(), path: relative(&path), sha256 });
    }
    Ok(records)
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
        let name = scenario_name(name.as_deref()).to_string();
        ScenarioRecord { file_name: file_name(&name), name, rocks, frequency_per_year }
    });
    Ok(scenarios.collect())
}

/// Of the text that is kept, which a comparison of models changes.
fn as_written(project: &Project) -> Result<serde_json::Value> {
    project::from_text(&project.path, project.text.clone(), project.sha256.clone())?.as_written()
}
