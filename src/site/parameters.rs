//! Ground and forest on the DEM's lattice. Precedence, weakest first: the default class, the class layers in their
//! order, the single parameters.

use super::Reading;
use super::parameter::at_node;
use crate::dynamics::rocfall::RestitutionGround;
use crate::project::classes;
use crate::project::file::*;
use crate::terrain::{Forest, Ground, ParameterField, Roughness, Scarring};
use crate::{Note, Result};

/// Height of trees where drag is given without a height, as in the built-in classes.
const FOREST_HEIGHT_M: f64 = 30.0;

impl Reading<'_> {
    pub(crate) fn ground(&mut self, spec: &GroundSpec) -> Result<Ground> {
        let lattice = *self.surface.lattice();
        let table = classes::ground(spec);
        let map = self.classes(&table, &spec.default, &spec.layers, "ground")?;
        self.painted[0] = map.painted(&lattice);
        let field = |number: fn(GroundClass) -> f64| map.field(&lattice, number);
        let mut ground = Ground {
            mu_min: self.parameter(spec.mu_min.as_ref(), "ground.mu_min", field(|c| c.mu_min))?,
            mu_max: self.parameter(spec.mu_max.as_ref(), "ground.mu_max", field(|c| c.mu_max))?,
            beta_per_s: self.parameter(spec.beta_per_s.as_ref(), "ground.beta_per_s", field(|c| c.beta_per_s))?,
            kappa_per_m: self.parameter(spec.kappa_per_m.as_ref(), "ground.kappa_per_m", field(|c| c.kappa_per_m))?,
            epsilon_n: self.parameter(spec.epsilon_n.as_ref(), "ground.epsilon_n", field(|c| c.epsilon_n))?,
            epsilon_t: self.parameter(spec.epsilon_t.as_ref(), "ground.epsilon_t", field(|c| c.epsilon_t))?,
            scarring: None,
            roughness: None,
        };
        self.expect_friction_in_order(&ground)?;
        let soil = [
            field(|c| c.scarring.map_or(classes::NO_SOIL_ME_KN_M2, |soil| soil.me_kn_m2)),
            field(|c| c.scarring.map_or(0.0, |soil| soil.drag_coefficient)),
            field(|c| c.scarring.map_or(classes::SOIL_DENSITY_KG_M3, |soil| soil.density_kg_m3)),
        ];
        let bumps = [
            field(|c| c.roughness.map_or(0.0, |rough| rough.height_m)),
            field(|c| c.roughness.map_or(classes::ROUGHNESS_SPACING_M, |rough| rough.spacing_m)),
        ];
        ground.scarring = self.soil(spec.scarring.as_ref(), soil)?;
        ground.roughness = self.roughness(spec.roughness.as_ref(), bumps)?;
        Ok(ground)
    }

    /// `None` where no class has soil and the project states none.
    fn soil(&mut self, spec: Option<&ScarringSpec>, of_classes: [ParameterField; 3]) -> Result<Option<Scarring>> {
        let [me, drag, density] = of_classes;
        if spec.is_none() && me == ParameterField::Constant(classes::NO_SOIL_ME_KN_M2) {
            return Ok(None);
        }
        Ok(Some(Scarring {
            me_kn_m2: self.parameter(spec.map(|s| &s.me_kn_m2), "ground.scarring.me_kn_m2", me)?,
            drag_coefficient: self.parameter(
                spec.map(|s| &s.drag_coefficient),
                "ground.scarring.drag_coefficient",
                drag,
            )?,
            density_kg_m3: self.parameter(spec.map(|s| &s.density_kg_m3), "ground.scarring.density_kg_m3", density)?,
        }))
    }

    /// `None` where the ground is as even as the terrain model.
    fn roughness(
        &mut self,
        spec: Option<&RoughnessSpec>,
        of_classes: [ParameterField; 2],
    ) -> Result<Option<Roughness>> {
        let [height, spacing] = of_classes;
        let height = self.parameter(spec.map(|s| &s.height_m), "ground.roughness.height_m", height)?;
        let spacing = self.parameter(spec.map(|s| &s.spacing_m), "ground.roughness.spacing_m", spacing)?;
        if height == ParameterField::Constant(0.0) {
            return Ok(None);
        }
        let simulation = &self.project.file.simulation;
        if simulation.contact.follows_restitution_laws() {
            // What the user states and does not get must be said; that these models see nothing of a class is known of them.
            self.warnings.extend(spec.map(|_| Note::RoughnessWithoutEffect));
            return Ok(None);
        }
        let frozen = spec.is_some_and(|spec| spec.frozen).then_some(simulation.seed);
        Ok(Some(Roughness::new(height, spacing, frozen)))
    }

    pub(crate) fn forest(&mut self, spec: &ForestSpec) -> Result<Option<Forest>> {
        let lattice = *self.surface.lattice();
        let table = classes::forest(spec);
        let map = self.classes(&table, spec.default.as_deref().unwrap_or("none"), &spec.layers, "forest")?;
        self.painted[1] = map.painted(&lattice);
        let field = |number: fn(ForestClass) -> f64| map.field(&lattice, number);
        let drag = self.parameter(spec.drag_kg_s.as_ref(), "forest.drag_kg_s", field(|c| c.drag_kg_s))?;
        let mut height = self.parameter(spec.height_m.as_ref(), "forest.height_m", field(|c| c.height_m))?;
        let rotational = self.parameter(
            spec.rotational_drag_kg_m2_s.as_ref(),
            "forest.rotational_drag_kg_m2_s",
            field(|c| c.rotational_drag_kg_m2_s),
        )?;
        let none = |field: &ParameterField| matches!(field, ParameterField::Constant(value) if *value == 0.0);
        if none(&drag) && none(&rotational) {
            return Ok(None);
        }
        if spec.height_m.is_none() && (spec.drag_kg_s.is_some() || spec.rotational_drag_kg_m2_s.is_some()) {
            // Drag without a height would never act.
            let given = [drag.clone(), rotational.clone(), height.clone()];
            let height_of = move |node: usize| {
                let [drag, rotational, height] = [0, 1, 2].map(|k| at_node(&given[k], node));
                if height == 0.0 && (drag > 0.0 || rotational > 0.0) { FOREST_HEIGHT_M as f32 } else { height as f32 }
            };
            height = self.for_each_node(None, height_of)?;
        }
        Ok(Some(Forest { drag_kg_s: drag, height_m: height, rotational_drag_kg_m2_s: rotational }))
    }

    pub(crate) fn restitution(&mut self, spec: &RestitutionSpec) -> Result<RestitutionGround> {
        let default = RestitutionGround::default();
        Ok(RestitutionGround {
            r_n: self.parameter(Some(&spec.r_n), "restitution.r_n", default.r_n)?,
            r_t: self.parameter(Some(&spec.r_t), "restitution.r_t", default.r_t)?,
            mu: self.parameter(Some(&spec.mu), "restitution.mu", default.mu)?,
            rolling_friction: self.parameter(
                Some(&spec.rolling_friction),
                "restitution.rolling_friction",
                default.rolling_friction,
            )?,
            r_n_scaling_m_s: spec.r_n_scaling_m_s,
            tangential_cap: spec.tangential_cap,
            energy_guard: spec.energy_guard,
            slope_scatter_deg: spec.slope_scatter_deg,
        })
    }

    fn expect_friction_in_order(&self, ground: &Ground) -> Result<()> {
        let lattice = self.surface.lattice();
        let both_constant =
            matches!((&ground.mu_min, &ground.mu_max), (ParameterField::Constant(_), ParameterField::Constant(_)));
        // What is read on demand is looked at node by node by nobody.
        let nodes = match (both_constant, self.is_read_whole()) {
            (true, _) => 1,
            (false, true) => lattice.len(),
            (false, false) => 0,
        };
        const IN_ORDER: &str = "friction in order";
        if !both_constant && self.found(IN_ORDER, "") == Some(true) {
            return Ok(());
        }
        let wrong = (0..nodes).find(|node| at_node(&ground.mu_min, *node) > at_node(&ground.mu_max, *node));
        let Some(node) = wrong else {
            self.keep_found(IN_ORDER, "", &true);
            return Ok(());
        };
        let (x, y) = lattice.centre(node % lattice.nx, node / lattice.nx);
        let place = if both_constant { String::new() } else { format!(" at ({x}, {y})") };
        let (min, max) = (at_node(&ground.mu_min, node), at_node(&ground.mu_max, node));
        let key = if self.project.file.ground.mu_min.is_some() { "ground.mu_min" } else { "ground.mu_max" };
        let sentence =
            format!("found mu_min {min} above mu_max {max}{place}, expected mu_min ≤ mu_max; change one of them");
        Err(self.project.error_at(key, sentence))
    }
}
