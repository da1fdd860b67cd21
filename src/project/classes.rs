//! The built-in ground and forest classes: the one table.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::file::{ForestClass, ForestSpec, GroundClass, GroundSpec};

/// Ground classes used in practice: name, μ_min, μ_max, β (1/s), κ (1/m). All have ε = 0.
const GROUND: &[(&str, f64, f64, f64, f64)] = &[
    ("extra_soft", 0.20, 2.0, 50.0, 1.0),
    ("soft", 0.25, 2.0, 100.0, 1.25),
    ("medium_soft", 0.30, 2.0, 125.0, 1.5),
    ("medium", 0.35, 2.0, 150.0, 2.0),
    ("medium_hard", 0.40, 2.0, 175.0, 2.5),
    ("hard", 0.55, 2.0, 185.0, 3.0),
    ("extra_hard", 0.80, 2.0, 200.0, 4.0),
    ("snow", 0.10, 0.35, 150.0, 2.0),
];

/// Forest classes: name, drag (kg/s; Leine 2014, eq. 10–11), height (m); about 20, 35 and 50 m² basal area per hectare.
const FOREST: &[(&str, f64, f64)] =
    &[("none", 0.0, 0.0), ("open", 250.0, 30.0), ("medium", 500.0, 30.0), ("dense", 750.0, 30.0)];

/// Soil so strong that no scar forms: what holds outside the polygons of a scarring layer (kN/m²).
pub(crate) const NO_SOIL_ME_KN_M2: f64 = 1e9;
/// Density of soil where none is stated.
pub(crate) const SOIL_DENSITY_KG_M3: f64 = 1700.0;

/// Spacing of roughness where none is stated: that of stones and tussocks on slopes.
pub const ROUGHNESS_SPACING_M: f64 = 0.5;

/// Both tables as JSON, in their order, for programs that show the classes.
pub(crate) fn tables() -> (Vec<Value>, Vec<Value>) {
    let ground = |&(name, mu_min, mu_max, beta, kappa): &(&str, f64, f64, f64, f64)| json!({ "name": name, "mu_min": mu_min, "mu_max": mu_max, "beta_per_s": beta, "kappa_per_m": kappa });
    let forest =
        |&(name, drag, height): &(&str, f64, f64)| json!({ "name": name, "drag_kg_s": drag, "height_m": height });
    (GROUND.iter().map(ground).collect(), FOREST.iter().map(forest).collect())
}

/// All ground classes of a project: the built-in ones and the user's, which win.
pub fn ground(spec: &GroundSpec) -> BTreeMap<String, GroundClass> {
    let built_in = GROUND.iter().map(|&(name, mu_min, mu_max, beta_per_s, kappa_per_m)| {
        let class = GroundClass {
            mu_min,
            mu_max,
            beta_per_s,
            kappa_per_m,
            epsilon_n: 0.0,
            epsilon_t: 0.0,
            scarring: None,
            roughness: None,
        };
        (name.to_string(), class)
    });
    built_in.chain(spec.classes.clone()).collect()
}

/// All forest classes of a project: the built-in ones and the user's, which win.
pub fn forest(spec: &ForestSpec) -> BTreeMap<String, ForestClass> {
    let built_in = FOREST.iter().map(|&(name, drag_kg_s, height_m)| {
        (name.to_string(), ForestClass { drag_kg_s, height_m, rotational_drag_kg_m2_s: 0.0 })
    });
    built_in.chain(spec.classes.clone()).collect()
}
