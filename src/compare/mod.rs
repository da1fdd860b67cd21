//! The same releases through several models: what differs, by how much, and at what cost.
//!
//! Each model makes a whole run in a folder of its own (`OUT/<model>/`), with a project in its manifest that names the
//! model. Beside them stand maps of differences from the first model, the distributions, and a page for a reviewer.

mod page;

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::dynamics::{ContactModel, Integrator};
use crate::files::atomic;
use crate::files::hash::sha256;
use crate::files::inputs;
use crate::files::marked::Marked;
use crate::geo::write_raster::{self, Band, BandData, WriteRaster};
use crate::hazard::quantity::{PerQuantity, Quantity};
use crate::hazard::statistics::Need;
use crate::output::{Work, styles};
use crate::process::progress::Progress;
use crate::project::Project;
use crate::store::layers::{Layer, Statistic};
use crate::store::run_folder::Existing;
use crate::store::{self, RunResult, Store, own_files};
use crate::texts::say;
use crate::trajectory::StopReason;
use crate::{Error, Result, ensemble, output, site};

/// Time between checkpoints, which only an interruption of a single model would need.
const CHECKPOINTS: Duration = Duration::from_secs(5);

/// The page for a reviewer; its presence says the comparison is finished.
const PAGE: &str = "compare.html";

/// A way to compute: contact law and rotation integrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Model {
    pub name: &'static str,
    contact: ContactModel,
    integrator: Integrator,
}

/// See `docs/models.md`.
pub(crate) const MODELS: [Model; 6] = [
    Model { name: "leine2021", contact: ContactModel::NonSmooth, integrator: Integrator::Implicit },
    Model { name: "leine2014", contact: ContactModel::NonSmooth, integrator: Integrator::Explicit },
    Model { name: "spiral", contact: ContactModel::NonSmooth, integrator: Integrator::Spiral },
    Model { name: "directors", contact: ContactModel::NonSmooth, integrator: Integrator::Directors },
    Model { name: "rocfall3", contact: ContactModel::Rocfall3, integrator: Integrator::Implicit },
    Model { name: "lumped", contact: ContactModel::Lumped, integrator: Integrator::Implicit },
];

impl Model {
    pub(crate) fn named(name: &str) -> Result<Self> {
        MODELS.into_iter().find(|model| model.name == name).ok_or_else(|| {
            let known: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
            Error::usage(format!("there is no model '{name}'; known are {}", known.join(", ")))
        })
    }

    /// The project with this model written into it, so that the run's manifest repeats this very run.
    fn of_project(&self, project: &Project) -> Result<Project> {
        let mut project = project.clone();
        project.file.simulation.contact = self.contact;
        project.file.simulation.integrator = self.integrator;
        // Choices as keys, as a project has them, not as YAML tags.
        let mut text = Vec::new();
        serde_yaml::with::singleton_map_recursive::serialize(
            &project.file,
            &mut serde_yaml::Serializer::new(&mut text),
        )
        .map_err(|error| Error::failed(format!("{}: {error}", project.path.display())).caused_by(error))?;
        project.text = String::from_utf8_lossy(&text).into_owned();
        project.sha256 = sha256(project.text.as_bytes());
        Ok(project)
    }
}

/// How to run each model.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options {
    pub threads: Option<usize>,
    /// Only this many trajectories, spread evenly over all.
    pub limit: Option<u64>,
    /// Replace what an earlier comparison left.
    pub overwrite: bool,
}

/// What one model found.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub model: Model,
    /// Of every rock that did not diverge: run-out (m), largest energy (kJ), velocity (m/s), jump height (m).
    pub values: [Vec<f64>; 4],
    pub rocks: u64,
    pub diverged: u64,
    pub at_rest: u64,
    pub steps: u64,
    pub simulate_s: f64,
    /// Per cell of the DEM; NaN where no rock passed.
    reach: Vec<f32>,
    energy_p95: Vec<f32>,
}

pub(crate) const VALUES: [(&str, &str); 4] =
    [("run-out", "m"), ("largest kinetic energy", "kJ"), ("largest velocity", "m/s"), ("largest jump height", "m")];

/// One line of `summary.csv` and of the page.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Summary {
    pub model: String,
    pub quantity: String,
    pub unit: String,
    pub mean: f64,
    pub standard_deviation: f64,
    pub p50: f64,
    pub p95: f64,
    pub max: f64,
    /// Kolmogorov–Smirnov distance from the first model, and the chance of one as large by sampling alone.
    pub ks_distance: f64,
    pub ks_probability: f64,
}

/// Runs a project through several models.
///
/// # Errors
/// Whatever stops a run; a folder that holds something already.
pub(crate) fn compare(
    project: &Project,
    models: &[Model],
    out: &Path,
    options: &Options,
    progress: &Progress,
) -> Result<Vec<Summary>> {
    if models.len() < 2 {
        return Err(Error::usage("name at least two models, e.g. `--models leine2021,rocfall3`"));
    }
    if out.join(PAGE).exists() && !options.overwrite {
        return Err(Error::failed(format!(
            "'{}' holds a finished comparison; choose another folder with `--out`, or replace it with `--overwrite`",
            out.display()
        )));
    }
    let site = site::load(project)?;
    let files = site.inputs.iter().map(|input| input.path.clone()).chain([project.path.clone()]);
    inputs::refuse_inside(out, &files.collect::<Vec<_>>())?;
    // Before the first of them is replaced.
    for model in models {
        own_files::refuse_to_clear(&out.join(model.name))?;
    }
    let marked = Marked::open(out, "couloir compare")?;
    let mut found = Vec::new();
    for model in models {
        progress.stage(model.name, 1);
        found.push(run_model(project, *model, &out.join(model.name), options, progress)?);
    }
    let lattice = *site.scene.surface.lattice();
    let summaries: Vec<Summary> = found.iter().flat_map(|f| summarise(f, &found[0])).collect();
    let maps: Vec<Difference> = found[1..].iter().flat_map(|other| Difference::both(&found[0], other)).collect();
    for map in &maps {
        let band = Band {
            description: &map.description,
            unit: map.unit,
            data: BandData::F32(&map.values),
            nodata: f64::from(NODATA),
        };
        let path = marked.path(&format!("{}.tif", map.name));
        write_raster::write(&path, &lattice, &site.crs, &[band], &WriteRaster::default())?;
        styles::write_difference(path.parent().unwrap_or(Path::new("")), &map.name, &map.layer)?;
    }
    atomic::write_bytes(&marked.path("summary.csv"), csv(&summaries).as_bytes())?;
    atomic::write_bytes(&marked.path(PAGE), page::render(&site, &found, &summaries, &maps)?.as_bytes())?;
    marked.commit(true)?;
    Ok(summaries)
}

fn run_model(project: &Project, model: Model, folder: &Path, options: &Options, progress: &Progress) -> Result<Found> {
    let site = site::load(&model.of_project(project)?)?;
    let mut setup = store::set_up(&site, options.limit)?;
    let threads = ensemble::chosen_threads(options.threads, &site.project, false)?;
    ensemble::refuse_unless_it_fits(&setup, None, threads)?;
    let existing = Existing { overwrite: options.overwrite, ..Existing::default() };
    let opened = Store::open(&setup, (0, setup.identity.total), folder, existing, CHECKPOINTS)?;
    let Some((mut store, left)) = opened else {
        return Err(Error::failed(format!("'{}' holds a finished run; choose another folder", folder.display())));
    };
    left.iter().for_each(|sentence| progress.warn(sentence));
    let seconds = ensemble::fill(&setup, &mut store, threads, progress, None)?;
    setup.end_at(store.rocks());
    store.settle()?;
    let found = collect(model, &RunResult::of(&setup, &store)?, seconds)?;
    output::deliver(&setup, store, Work { threads, seconds }, progress)?;
    Ok(found)
}

fn collect(model: Model, result: &RunResult, simulate_s: f64) -> Result<Found> {
    let Some(variant) = result.variants.last() else {
        return Err(Error::failed(format!("the run of model {} holds no trajectories", model.name)));
    };
    let cells = result.setup.site.scene.surface.lattice().len();
    let mut found = Found {
        model,
        values: Default::default(),
        rocks: 0,
        diverged: variant.diverged.len() as u64,
        at_rest: 0,
        steps: 0,
        simulate_s,
        reach: vec![f32::NAN; cells],
        energy_p95: vec![f32::NAN; cells],
    };
    variant.for_each_record(|record| {
        found.steps += record.steps;
        if record.stop == StopReason::Diverged {
            return Ok(());
        }
        found.rocks += 1;
        found.at_rest += u64::from(record.stop == StopReason::AtRest);
        let [energy, velocity, jump, _] = record.max.values().map(f64::from);
        for (list, value) in found.values.iter_mut().zip([record.runout_m(), energy, velocity, jump]) {
            list.push(value);
        }
        Ok(())
    })?;
    let statistics = variant.statistics();
    let released = statistics.released().max(1) as f64;
    let need = Need { histogram: PerQuantity::from_fn(|quantity| quantity == Quantity::KineticEnergy), sources: false };
    statistics.for_each_cell(need, |cell| {
        found.reach[cell.index as usize] = (f64::from(cell.passages) / released) as f32;
        found.energy_p95[cell.index as usize] = cell.quantile(Quantity::KineticEnergy, 0.95) as f32;
    });
    Ok(found)
}

/// Written where neither model has a rock.
const NODATA: f32 = -9999.0;

/// A map of how far a model lies from the first one.
pub(crate) struct Difference {
    pub name: String,
    /// What is compared.
    layer: Layer,
    pub description: String,
    pub unit: &'static str,
    /// [`NODATA`] where there is nothing to compare.
    pub values: Vec<f32>,
}

impl Difference {
    fn both(first: &Found, other: &Found) -> [Self; 2] {
        let (a, b) = (first.model.name, other.model.name);
        // No passage is a reach of zero; an energy where only one model arrives has nothing to be compared with.
        let reach = first.reach.iter().zip(&other.reach).map(|(&a, &b)| match (a.is_nan(), b.is_nan()) {
            (true, true) => NODATA,
            (a_nan, b_nan) => (if b_nan { 0.0 } else { b }) - (if a_nan { 0.0 } else { a }),
        });
        let energy = first.energy_p95.iter().zip(&other.energy_p95).map(|(&a, &b)| {
            let difference = b - a;
            if difference.is_nan() { NODATA } else { difference }
        });
        [
            Self {
                name: format!("reach_probability_{b}_minus_{a}"),
                layer: Layer::ReachProbability,
                description: say!("models-reach", one = a, other = b),
                unit: "1",
                values: reach.collect(),
            },
            Self {
                name: format!("kinetic_energy_kj_p95_{b}_minus_{a}"),
                layer: Layer::Statistic(Quantity::KineticEnergy, Statistic::P95),
                description: say!("models-energy", one = a, other = b),
                unit: "kJ",
                values: energy.collect(),
            },
        ]
    }

    /// The value of a cell, NaN where there is none.
    pub(crate) fn at(&self, cell: usize) -> f64 {
        if self.values[cell] == NODATA { f64::NAN } else { f64::from(self.values[cell]) }
    }
}

fn summarise(found: &Found, first: &Found) -> Vec<Summary> {
    VALUES
        .iter()
        .enumerate()
        .map(|(i, (quantity, unit))| {
            let mut sorted = found.values[i].clone();
            sorted.sort_by(f64::total_cmp);
            let mut reference = first.values[i].clone();
            reference.sort_by(f64::total_cmp);
            let n = sorted.len() as f64;
            let mean = sorted.iter().sum::<f64>() / n;
            let variance = sorted.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
            let quantile = |p: f64| {
                let rank = ((p * n).ceil() as usize).clamp(1, sorted.len().max(1));
                sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
            };
            let (ks_distance, ks_probability) = kolmogorov_smirnov(&reference, &sorted);
            Summary {
                model: found.model.name.into(),
                quantity: (*quantity).into(),
                unit: (*unit).into(),
                mean,
                standard_deviation: variance.sqrt(),
                p50: quantile(0.5),
                p95: quantile(0.95),
                max: quantile(1.0),
                ks_distance,
                ks_probability,
            }
        })
        .collect()
}

/// Largest distance of two sorted samples' distributions, and its significance (asymptotic, with the usual correction
/// for small samples).
pub(crate) fn kolmogorov_smirnov(a: &[f64], b: &[f64]) -> (f64, f64) {
    let (n, m) = (a.len() as f64, b.len() as f64);
    if a.is_empty() || b.is_empty() {
        return (f64::NAN, f64::NAN);
    }
    let (mut i, mut j, mut distance) = (0, 0, 0.0f64);
    while i < a.len() && j < b.len() {
        let x = a[i].min(b[j]);
        while i < a.len() && a[i] <= x {
            i += 1;
        }
        while j < b.len() && b[j] <= x {
            j += 1;
        }
        distance = distance.max((i as f64 / n - j as f64 / m).abs());
    }
    let root = (n * m / (n + m)).sqrt();
    let lambda = (root + 0.12 + 0.11 / root) * distance;
    if lambda < 0.2 {
        return (distance, 1.0);
    }
    let probability: f64 =
        (1..=100).map(f64::from).map(|k| 2.0 * (-1.0f64).powf(k - 1.0) * (-2.0 * k * k * lambda * lambda).exp()).sum();
    (distance, probability.clamp(0.0, 1.0))
}

fn csv(summaries: &[Summary]) -> String {
    let mut out = String::from("model,quantity,unit,mean,standard_deviation,p50,p95,max,ks_distance,ks_probability\n");
    for s in summaries {
        let numbers =
            [s.mean, s.standard_deviation, s.p50, s.p95, s.max, s.ks_distance, s.ks_probability].map(|v| v.to_string());
        out += &format!("{},{},{},{}\n", s.model, s.quantity, s.unit, numbers.join(","));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal samples have no distance; shifted ones the shifted share, and a vanishing probability when large.
    #[test]
    fn kolmogorov_smirnov_tells_samples_apart() {
        let a: Vec<f64> = (0..1000).map(f64::from).collect();
        let b: Vec<f64> = a.iter().map(|v| v + 100.0).collect();
        assert_eq!(kolmogorov_smirnov(&a, &a), (0.0, 1.0));
        let (distance, probability) = kolmogorov_smirnov(&a, &b);
        assert!((distance - 0.1).abs() < 1e-12);
        // Q(λ) with λ = (22.36 + 0.12 + 0.005) · 0.1 = 2.249: 2 exp(−2λ²) = 8.1e-5.
        assert!((probability / 8.1e-5 - 1.0).abs() < 0.02, "{probability}");
    }
}
