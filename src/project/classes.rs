//! The built-in ground and forest classes: the one table.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::file::{
    ClassRoughness, ClassSoil, ClassTable, ForestClass, ForestSpec, GroundClass, GroundClasses, GroundSpec,
};
use crate::terrain::{Ground, ParameterField, Roughness, Scarring};

/// One line of the table of ground classes. All have ε = 0.
struct Line {
    name: &'static str,
    mu_min: f64,
    mu_max: f64,
    beta_per_s: f64,
    kappa_per_m: f64,
    /// Soil strength Me (MN/m²) and density (kg/m³); [`C_S`] holds for all.
    soil: (f64, f64),
    /// Standard deviation of heights, m, at nodes [`CLASS_SPACING_M`] apart.
    roughness_m: f64,
}

/// Spacing of the classes' roughness, m: on the tests of Tschamut 6 cm at 1 m do what 4 cm at half a metre do, at half the cost.
const CLASS_SPACING_M: f64 = 1.0;

/// Scarring drag coefficient of every class: the one Lu et al. (2019) use for Chant Sura.
const C_S: f64 = 1.5;

/// A ground of the scale from soft to hard. Only what gives way differs: with the friction of RAMMS-type tables, which falls from hard to
/// soft, long rocks on gentle slopes would slide further on softer ground.
const fn ground_of(name: &'static str, me_mn_m2: f64) -> Line {
    let soil = (me_mn_m2, SOIL_DENSITY_KG_M3);
    Line { name, mu_min: 0.75, mu_max: 2.0, beta_per_s: 185.0, kappa_per_m: 3.0, soil, roughness_m: 0.06 }
}

/// The complete table. Where its numbers come from is told in docs/models.md, "Ground classes":
/// - Me, μ_min and roughness of `medium` are fitted to one half of the tests of Tschamut (`couloir validate tschamut`),
/// - Me from `soft` to `medium_hard` spans what Lu et al. (2019) fitted to their four impacts on meadow, 10 to 25 MN/m²,
/// - beyond these Me is ours: steps of a factor of 1.4 to 1.8 towards soft ground, of 1.27 towards hard ground, where larger ones would let
///   rocks on long steep slopes be faster than any that was observed.
const COMPLETE: &[Line] = &[
    ground_of("extra_soft", 4.5),
    ground_of("soft", 8.0),
    ground_of("medium_soft", 13.0),
    ground_of("medium", 18.0),
    ground_of("medium_hard", 23.0),
    ground_of("hard", 29.0),
    ground_of("extra_hard", 37.0),
    // Old snow: friction as in RAMMS-type tables, density of settled snow; strength ours.
    Line {
        name: "snow",
        mu_min: 0.10,
        mu_max: 0.35,
        beta_per_s: 150.0,
        kappa_per_m: 2.0,
        soil: (1.0, 350.0),
        roughness_m: 0.0,
    },
];

/// `leine2014`: friction alone, as used in practice with the model of Leine et al. (2014): name, μ_min, μ_max, β (1/s), κ (1/m).
const LEINE2014: &[(&str, f64, f64, f64, f64)] = &[
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
/// Density of soil where none is stated: that of Lu et al. (2019).
pub(crate) const SOIL_DENSITY_KG_M3: f64 = 1700.0;

/// Spacing of roughness where none is stated: that of stones and tussocks on slopes.
pub const ROUGHNESS_SPACING_M: f64 = 0.5;

/// The built-in classes as JSON, in their order, for programs that show them.
pub(crate) struct Tables {
    /// Friction of the ground classes.
    pub ground: Vec<Value>,
    /// Soil and roughness of the ground classes, as a class of one's own states them.
    pub soil: Vec<Value>,
    pub forest: Vec<Value>,
}

pub(crate) fn tables() -> Tables {
    let ground = |line: &Line| {
        let &Line { name, mu_min, mu_max, beta_per_s, kappa_per_m, .. } = line;
        json!({ "name": name, "mu_min": mu_min, "mu_max": mu_max, "beta_per_s": beta_per_s, "kappa_per_m": kappa_per_m })
    };
    let soil = |line: &Line| {
        let class = GroundClass::from(line);
        json!({ "name": line.name, "scarring": class.scarring, "roughness": class.roughness })
    };
    let forest =
        |&(name, drag, height): &(&str, f64, f64)| json!({ "name": name, "drag_kg_s": drag, "height_m": height });
    Tables {
        ground: COMPLETE.iter().map(ground).collect(),
        soil: COMPLETE.iter().map(soil).collect(),
        forest: FOREST.iter().map(forest).collect(),
    }
}

/// Names of the classes from the softest to the hardest ground.
pub fn from_soft_to_hard() -> impl Iterator<Item = &'static str> {
    COMPLETE.iter().map(|line| line.name).filter(|name| *name != "snow")
}

impl From<&Line> for GroundClass {
    fn from(line: &Line) -> Self {
        let &Line { mu_min, mu_max, beta_per_s, kappa_per_m, soil: (me_mn_m2, density_kg_m3), roughness_m, .. } = line;
        let soil = ClassSoil { me_kn_m2: 1e3 * me_mn_m2, drag_coefficient: C_S, density_kg_m3 };
        let roughness = ClassRoughness { height_m: roughness_m, spacing_m: CLASS_SPACING_M };
        Self {
            scarring: Some(soil),
            roughness: (roughness_m > 0.0).then_some(roughness),
            ..friction(mu_min, mu_max, beta_per_s, kappa_per_m)
        }
    }
}

/// A class without soil, roughness and restitution.
fn friction(mu_min: f64, mu_max: f64, beta_per_s: f64, kappa_per_m: f64) -> GroundClass {
    let (epsilon_n, epsilon_t, scarring, roughness) = (0.0, 0.0, None, None);
    GroundClass { mu_min, mu_max, beta_per_s, kappa_per_m, epsilon_n, epsilon_t, scarring, roughness }
}

/// The classes of a built-in table.
pub fn table(table: ClassTable) -> BTreeMap<String, GroundClass> {
    match table {
        ClassTable::Complete => COMPLETE.iter().map(|line| (line.name.to_string(), line.into())).collect(),
        ClassTable::Leine2014 => LEINE2014
            .iter()
            .map(|&(name, mu_min, mu_max, beta, kappa)| (name.to_string(), friction(mu_min, mu_max, beta, kappa)))
            .collect(),
    }
}

/// All ground classes of a project: the built-in ones and the user's, which win.
pub fn ground(spec: &GroundSpec) -> BTreeMap<String, GroundClass> {
    match &spec.classes {
        GroundClasses::Table(name) => table(*name),
        GroundClasses::Own(own) => table(ClassTable::default()).into_iter().chain(own.clone()).collect(),
    }
}

/// All forest classes of a project: the built-in ones and the user's, which win.
pub fn forest(spec: &ForestSpec) -> BTreeMap<String, ForestClass> {
    let built_in = FOREST.iter().map(|&(name, drag_kg_s, height_m)| {
        (name.to_string(), ForestClass { drag_kg_s, height_m, rotational_drag_kg_m2_s: 0.0 })
    });
    built_in.chain(spec.classes.clone()).collect()
}

/// The ground that is of one class everywhere.
pub fn everywhere(class: &GroundClass) -> Ground {
    let constant = ParameterField::Constant;
    Ground {
        scarring: class.scarring.map(|soil| Scarring {
            me_kn_m2: constant(soil.me_kn_m2),
            drag_coefficient: constant(soil.drag_coefficient),
            density_kg_m3: constant(soil.density_kg_m3),
        }),
        roughness: class
            .roughness
            .map(|rough| Roughness::new(constant(rough.height_m), constant(rough.spacing_m), None)),
        ..Ground::uniform(class.mu_min, class.mu_max, class.beta_per_s, class.kappa_per_m)
            .with_restitution(class.epsilon_n, class.epsilon_t)
    }
}
