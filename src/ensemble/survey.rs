//! What `couloir check` tells about a site: layers, releases, parameter ranges, what a run will cost, and what looks odd.

use serde::Serialize;

use super::memory;
use super::trial::Trial;
use crate::dynamics::ContactModel;
use crate::project::file::{Classification, Quantity, RockSpec};
use crate::project::limits;
use crate::rock::{Appearance, Shape};
use crate::site::{LayerInfo, Site};
use crate::store::{Setup, settled};
use crate::terrain::ParameterField;
use crate::texts::in_words;
use crate::{Error, Note, Result};

/// Cells more than this many rock diameters wide hide the roughness the rock feels.
const COARSE: f64 = 5.0;

/// The result of `couloir check`, and the shape of `couloir check --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Survey {
    /// `ok`, `warnings` or `error`.
    pub status: Status,
    /// Everything the user should read, one sentence each.
    pub sentences: Vec<Sentence>,
    pub layers: Vec<LayerInfo>,
    /// Release positions.
    pub releases: u64,
    /// Rocks that will be simulated.
    pub trajectories: u64,
    pub parameters: Vec<ParameterRange>,
    /// The project's rocks, in its order.
    pub rocks: Vec<RockLook>,
    /// `null` if the input is invalid.
    pub estimate: Option<Estimate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Ok,
    Warnings,
    Error,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Sentence {
    pub level: Level,
    pub text: String,
    /// The same for programs, of a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Note>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Level {
    Warning,
    Error,
}

impl Level {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What a rock of the project looks like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RockLook {
    pub name: String,
    pub shape: String,
    /// Class of Sneed & Folk (1958).
    pub form: &'static str,
    pub corners: usize,
    pub sphericity: f64,
    /// Angle at which faces meet, mean.
    pub edge_deg: f64,
    /// Every rock has another shape of the family; the numbers are those of one of them.
    pub differs: bool,
}

/// Smallest and largest value of a parameter over the site.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ParameterRange {
    pub key: String,
    pub min: f64,
    pub max: f64,
    pub unit: &'static str,
}

/// What a run will need.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Estimate {
    pub memory_bytes: u64,
    pub time_s: f64,
    /// Of a run that ends when its map has settled, for the fewest rocks it may take; the time is that for the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_time_s: Option<f64>,
    /// What the numbers rest on.
    pub basis: String,
}

impl Survey {
    /// The survey of a project that cannot be loaded.
    pub(crate) fn of_error(error: &Error) -> Self {
        Self {
            status: Status::Error,
            sentences: vec![Sentence { level: Level::Error, text: error.message.clone(), message: None }],
            layers: Vec::new(),
            releases: 0,
            trajectories: 0,
            parameters: Vec::new(),
            rocks: Vec::new(),
            estimate: None,
        }
    }
}

/// Surveys a planned run; simulates a few rocks to learn what it will cost.
pub(crate) fn survey(setup: &Setup) -> Result<Survey> {
    let (site, plan) = (setup.site, &setup.plan);
    let threads = super::threads::chosen(None, &site.project, false)?;
    let parameters = parameter_ranges(site);
    let mut warnings = site.warnings.clone();
    warnings.extend(plan.warnings.iter().cloned());
    warnings.extend(setup.notes.iter().cloned());
    warnings.extend(unusual(site, &parameters));
    let trial = Trial::of(setup)?;
    let batches = |until| settled::batch_ends(until, setup.identity.round.unwrap_or(1)).next();
    let fewest = setup.identity.until.as_ref().and_then(batches).filter(|rocks| *rocks < plan.len());
    let needed = memory::needed(setup, &trial.footprint, threads);
    warnings.extend(memory::too_much(needed));
    let pilot = |note: Note| Note::Pilot { note: Box::new(note) };
    warnings.extend(trial.findings.notes().into_iter().map(pilot));
    let lattice = site.scene.surface.lattice();
    let cell = lattice.dx.max(lattice.dy);
    if cell > COARSE * trial.smallest_rock_m {
        warnings.push(Note::CoarseCells { cell_m: cell, rock_m: trial.smallest_rock_m });
    }
    let missing = site.releases.iter().position(|release| {
        let stated = |wish: &Classification| {
            let name = release.spec.scenario.as_deref().unwrap_or("all");
            wish.scenario_return_periods_years.contains_key(name)
        };
        release.spec.frequency_per_year.is_none() && !site.project.file.classification.as_ref().is_some_and(stated)
    });
    if let (Some(_), Some(index)) = (&site.project.file.classification, missing) {
        warnings.push(Note::NoReturnPeriod { release: index });
    }
    let sentence = |note: Note| Sentence { level: Level::Warning, text: in_words(&note), message: Some(note) };
    let sentences: Vec<_> = warnings.into_iter().map(sentence).collect();
    Ok(Survey {
        status: if sentences.is_empty() { Status::Ok } else { Status::Warnings },
        sentences,
        layers: site.layers.clone(),
        releases: plan.position_count() as u64,
        trajectories: plan.len(),
        estimate: Some(Estimate {
            memory_bytes: needed,
            time_s: trial.time_s(plan.len(), threads),
            least_time_s: fewest.map(|rocks| trial.time_s(rocks, threads)),
            basis: trial.basis(threads),
        }),
        parameters,
        rocks: site.rocks.iter().map(look).collect::<Result<_>>()?,
    })
}

fn look((spec, shape): &(RockSpec, Shape)) -> Result<RockLook> {
    let Appearance { form, corners, sphericity, edge_deg } = shape.appearance(spec.axes_m)?;
    let (name, shape_name) = (spec.name.clone().unwrap_or_default(), shape.name.clone());
    Ok(RockLook {
        name,
        shape: shape_name,
        form,
        corners,
        sphericity,
        edge_deg,
        differs: shape.differs_from_rock_to_rock(),
    })
}

/// The ranges of all ground and forest parameters.
fn parameter_ranges(site: &Site) -> Vec<ParameterRange> {
    let ground = &site.scene.ground;
    let mut fields = vec![
        ("ground.mu_min", &ground.mu_min),
        ("ground.mu_max", &ground.mu_max),
        ("ground.beta_per_s", &ground.beta_per_s),
        ("ground.kappa_per_m", &ground.kappa_per_m),
        ("ground.epsilon_n", &ground.epsilon_n),
        ("ground.epsilon_t", &ground.epsilon_t),
    ];
    if let Some(scarring) = &ground.scarring {
        fields.extend([
            ("ground.scarring.me_kn_m2", &scarring.me_kn_m2),
            ("ground.scarring.drag_coefficient", &scarring.drag_coefficient),
            ("ground.scarring.density_kg_m3", &scarring.density_kg_m3),
        ]);
    }
    if let Some(roughness) = &ground.roughness {
        fields.extend([("ground.roughness.height_m", &roughness.height_m), (SPACING, &roughness.spacing_m)]);
    }
    if let Some(forest) = &site.scene.forest {
        fields.extend([
            ("forest.drag_kg_s", &forest.drag_kg_s),
            ("forest.height_m", &forest.height_m),
            ("forest.rotational_drag_kg_m2_s", &forest.rotational_drag_kg_m2_s),
        ]);
    }
    if matches!(site.scene.contact, ContactModel::Rocfall3 | ContactModel::Lumped) {
        let restitution = &site.scene.restitution;
        fields.extend([
            ("restitution.r_n", &restitution.r_n),
            ("restitution.r_t", &restitution.r_t),
            ("restitution.mu", &restitution.mu),
            ("restitution.rolling_friction", &restitution.rolling_friction),
        ]);
    }
    let range = |(key, field): (&str, &ParameterField)| {
        let (min, max) = match field {
            ParameterField::Constant(value) => (*value, *value),
            ParameterField::Field(nodes) => {
                // Of what is read on demand nobody knows all values.
                let (min, max) = nodes.range()?;
                (shortest(min), shortest(max))
            }
        };
        let unit = limits::unit(key).unwrap_or("");
        Some(ParameterRange { key: key.to_string(), min, max, unit })
    };
    let mut ranges: Vec<ParameterRange> = fields.into_iter().filter_map(range).collect();
    let spacing = ranges.iter().find(|range| range.key == SPACING).map(|range| (range.min, range.max, range.unit));
    if let (Some(roughness), Some((min, max, unit))) = (&ground.roughness, spacing) {
        let cell = site.scene.surface.lattice().dx;
        let [min_used, max_used] = [min, max].map(|spacing| roughness.spacing_in_use(cell, spacing));
        if (min_used - min).abs() > 0.01 * min || (max_used - max).abs() > 0.01 * max {
            ranges.push(ParameterRange { key: format!("{SPACING}, in use"), min: min_used, max: max_used, unit });
        }
    }
    ranges
}

/// Nodes lie on whole parts or multiples of cells.
const SPACING: &str = "ground.roughness.spacing_m";

/// The decimal number a 32-bit value was made from: 0.35, not 0.3499999940395355.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Values that are possible but not usual.
fn unusual(site: &Site, parameters: &[ParameterRange]) -> Vec<Note> {
    let file = &site.project.file;
    let mut found = Vec::new();
    let mut compare = |owner: &str, key: &str, min: f64, max: f64| {
        let name = key.rsplit('.').next().unwrap_or(key);
        let usual = limits::of(owner, name).and_then(|l| l.usual);
        if let Some((low, high)) = usual
            && (min < low || max > high)
        {
            let unit = limits::unit(name).unwrap_or_default().to_string();
            found.push(Note::UnusualValue { key: key.to_string(), min, max, unit, low, high });
        }
    };
    for ParameterRange { key, min, max, .. } in parameters {
        let owner = match key.rsplit_once('.').map_or("", |(section, _)| section) {
            "ground" => "GroundSpec",
            "forest" => "ForestSpec",
            "restitution" => "RestitutionSpec",
            "ground.roughness" => "RoughnessSpec",
            _ => "ScarringSpec",
        };
        // Outside the forest its height and outside the soil its strength have no meaning.
        let none = matches!(key.as_str(), "forest.height_m") && *min == 0.0;
        let min = if none { *max } else { *min };
        let max = if key.ends_with("me_kn_m2") && *max >= 1e9 { min } else { *max };
        compare(owner, key, min, max);
    }
    for (i, rock) in file.rocks.iter().enumerate() {
        let key = format!("rocks[{i}].density_kg_m3");
        match (rock.axes_m, &rock.mass_kg) {
            // It follows from both.
            (Some(axes), Some(Quantity::Constant(mass))) => {
                let density =
                    site.rocks[i].1.with_axes(axes, 1.0).map_or(f64::NAN, |of_water| mass / of_water.volume_m3);
                compare("RockSpec", &key, density.round(), density.round());
            }
            _ => compare("RockSpec", &key, rock.density_kg_m3, rock.density_kg_m3),
        }
    }
    let simulation = &file.simulation;
    compare("Simulation", "simulation.time_step_s", simulation.time_step_s, simulation.time_step_s);
    compare("Simulation", "simulation.gravity_m_s2", simulation.gravity_m_s2, simulation.gravity_m_s2);
    found
}
