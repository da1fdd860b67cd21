//! Ground and forest on the DEM's lattice. Precedence, weakest first: the default class, the class layers in their
//! order, the single parameters.

use std::sync::Arc;

use super::layers::{LayerInfo, Shape, overlap_percent};
use super::on_demand::{Checked, range_of};
use super::paint::{NodeRaster, Painted, Sampling};
use super::{AsRead, Reading, as_read, located};
use crate::dynamics::rocfall::RestitutionGround;
use crate::geo::raster_parts::RasterParts;
use crate::geo::{Crs, Transformer, area_of_use, raster};
use crate::project::file::*;
use crate::project::{classes, limits};
use crate::terrain::{Field, Forest, Ground, Lattice, ParameterField, Roughness, Scarring};
use crate::{Note, Result};

/// Height of trees where drag is given without a height, as in the built-in classes.
const FOREST_HEIGHT_M: f64 = 30.0;

/// A raster, and its values at all nodes where these are looked at.
pub(crate) type Sampled = (Arc<NodeRaster>, Option<Vec<f32>>);

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

    /// One parameter over its weaker source.
    fn parameter(&mut self, spec: Option<&Parameter>, key: &str, weaker: ParameterField) -> Result<ParameterField> {
        let lattice = *self.surface.lattice();
        let constant = matches!((spec, &weaker), (None | Some(Parameter::Constant(_)), ParameterField::Constant(_)));
        if !constant && self.is_read_whole() {
            self.expect_room(key)?;
        }
        let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
        let owner = match section {
            "ground" => "GroundSpec",
            "forest" => "ForestSpec",
            "restitution" => "RestitutionSpec",
            "ground.roughness" => "RoughnessSpec",
            _ => "ScarringSpec",
        };
        let limits = limits::of(owner, name);
        match spec {
            None => Ok(weaker),
            Some(Parameter::Constant(value)) => Ok(ParameterField::Constant(*value)),
            Some(Parameter::Raster(spec)) => {
                let strict = !self.states_weaker(section);
                let Some((raster, values)) = self.raster(spec, key, key, Sampling::Bilinear)? else {
                    if strict && self.is_read_whole() {
                        self.refuse_gaps(None, key, &spec.raster)?;
                    }
                    return Ok(weaker);
                };
                let checked = Checked::new(self, key, &spec.raster, limits, strict);
                let mut range = None;
                if let Some(mut values) = values {
                    if strict {
                        self.refuse_gaps(Some(&values), key, &spec.raster)?;
                    }
                    if let Some(node) = checked.wrong(&values) {
                        return Err(checked.error(&lattice, node, values[node]));
                    }
                    let (mut gaps, mut first) = (0, None);
                    for (node, value) in values.iter_mut().enumerate().filter(|(_, value)| value.is_nan()) {
                        *value = at_node(&weaker, node) as f32;
                        gaps += 1;
                        first = first.or(Some(node));
                    }
                    if let Some(first) = first {
                        let (x, y) = lattice.centre(first % lattice.nx, first / lattice.nx);
                        let (key, raster) = (key.to_string(), spec.raster.clone());
                        self.warnings.push(Note::RasterWithGaps { key, raster, gaps, cells: lattice.len(), x, y });
                    }
                    let known = collapsed(lattice, values);
                    let ParameterField::Field(nodes) = &known else { return Ok(known) };
                    if self.surface.blocks().is_none() {
                        return Ok(known);
                    }
                    range = nodes.range();
                } else if key == "ground.roughness.spacing_m" {
                    // The finest spacing divides the cells of all: it must be known before.
                    let (own, weaker) = (raster.range()?, range_of(&weaker));
                    range = Some((own.0.min(weaker.0), own.1.max(weaker.1)));
                }
                Ok(self.checked_blocks(raster, checked, weaker, range))
            }
            Some(Parameter::Polygons(spec)) => {
                let layer = self.vector(&spec.polygons, &format!("{key}.polygons"), key, Shape::Polygons)?;
                let place = format!("{key}.attribute");
                let mut shapes = Vec::new();
                for feature in &layer.features {
                    match self.attribute(&layer, feature, &spec.attribute, &place, limits)? {
                        Some(value) => {
                            shapes.extend(Painted::new(&feature.geometry).map(|shape| (shape, value as f32)))
                        }
                        None => self.warnings.push(Note::FeatureWithoutValue {
                            feature: feature.id,
                            layer: layer.name.clone(),
                            attribute: spec.attribute.clone(),
                        }),
                    }
                }
                // Outside its polygons a forest is none; what else is built in must be known.
                if self.is_read_whole() && section != "forest" && !self.states_weaker(section) {
                    let mut painted = vec![false; lattice.len()];
                    let all = (0..lattice.nx, 0..lattice.ny);
                    shapes
                        .iter()
                        .for_each(|(shape, _)| shape.nodes(&lattice, &all.0, &all.1, |node| painted[node] = true));
                    let outside = painted.iter().filter(|painted| !**painted).count();
                    if outside > 0 {
                        let (key, layer) = (key.to_string(), layer.name.clone());
                        self.warnings.push(Note::CellsOutsidePolygons { key, layer, outside, cells: lattice.len() });
                    }
                }
                self.painted_blocks(shapes, weaker)
            }
        }
    }

    /// Whether the project itself says what holds where a parameter's raster has no value; a built-in default may not
    /// slip in there.
    fn states_weaker(&self, section: &str) -> bool {
        let file = &self.project.file;
        match section {
            "ground" => self.project.states("ground.default") || !file.ground.layers.is_empty(),
            "forest" => file.forest.default.is_some() || !file.forest.layers.is_empty(),
            _ => false,
        }
    }

    /// Refuses a parameter's raster without a value at a node where rocks can get: where the DEM has a height.
    fn refuse_gaps(&self, values: Option<&[f32]>, key: &str, file: &str) -> Result<()> {
        let lattice = self.surface.lattice();
        let has_height = |node: usize| self.surface.node_height(node % lattice.nx, node / lattice.nx).is_finite();
        let is_gap = |node: &usize| values.is_none_or(|values| values[*node].is_nan()) && has_height(*node);
        let mut gaps = (0..lattice.len()).filter(is_gap);
        let Some(first) = gaps.next() else { return Ok(()) };
        let count = 1 + gaps.count();
        let (column, row) = (first % lattice.nx, first / lattice.nx);
        let (x, y) = lattice.centre(column, row);
        let section = key.split('.').next().unwrap_or(key);
        let advice = match section {
            "ground" | "forest" if key.split('.').count() == 2 => {
                format!(
                    "fill the raster there, or state `{section}.default`, the class that holds where it says nothing"
                )
            }
            _ => "fill the raster there".to_string(),
        };
        let sentence = format!(
            "raster {file:?} has no value in {count} of the {} cells of the DEM, the first at ({x}, {y}) (column {}, row {} of \
             the DEM, counted from its north-western corner): {advice}",
            lattice.len(),
            column + 1,
            lattice.ny - row
        );
        Err(self.project.error_at(&format!("{key}.raster"), sentence))
    }

    /// A raster to be sampled at the DEM's nodes, and its values there if the DEM is read as a whole; `None` if it lies elsewhere.
    pub(crate) fn raster(
        &mut self,
        spec: &RasterParameter,
        key: &str,
        role: &str,
        how: Sampling,
    ) -> Result<Option<Sampled>> {
        let path = self.project.resolve(&spec.raster);
        let place = format!("{key}.raster");
        let at = |e| located(self.project, &place, e);
        let stated = match &spec.crs {
            Some(text) => Some(Crs::from_user(text).map_err(|e| located(self.project, &format!("{key}.crs"), e))?),
            None => None,
        };
        let info = raster::info(&path).map_err(at)?;
        if spec.band > info.bands.len() {
            let sentence = format!("found {}, but {:?} has bands 1 to {}", spec.band, spec.raster, info.bands.len());
            return Err(self.project.error_at(&format!("{key}.band"), sentence));
        }
        let own = info.crs.clone().or(stated.clone());
        let window = match &own {
            Some(own) => Some(Transformer::new(&self.crs, own).and_then(|t| t.bounds(&self.extent)).map_err(at)?),
            None => None,
        };
        if let Some(own) = &own {
            area_of_use::check_raster(&info, own).map_err(at)?;
        }
        if let (Some(extent), Some(window), Some(own)) = (info.extent, window, &own)
            && !extent.intersects(&window)
        {
            self.warnings.push(Note::RasterWithoutEffect { key: place.clone(), raster: spec.raster.clone() });
            let extent = Transformer::new(own, &self.crs).and_then(|t| t.bounds(&extent)).map_err(at)?;
            self.layers.push(self.raster_info(spec, role, own, &info, extent, None));
            return Ok(None);
        }
        let band = self.project.states(&format!("{key}.band")).then_some(spec.band);
        let purpose = if how == Sampling::Nearest { raster::Purpose::Codes } else { raster::Purpose::Numbers };
        let options = raster::ReadRaster { band, purpose, crs: stated, vertical_unit: None, window: None };
        let parts = RasterParts::open(&path, &options).map_err(at)?;
        let outside = parts.notes().map_err(at)?;
        let lattice = *self.surface.lattice();
        let raster = NodeRaster::new(parts, lattice, self.crs.clone(), how);
        let whole = self.is_read_whole().then(|| raster.read(&(0..lattice.nx), &(0..lattice.ny)));
        let whole = whole.transpose().map_err(at)?;
        let extent = match info.extent {
            Some(extent) => Transformer::new(raster.crs(), &self.crs).and_then(|t| t.bounds(&extent)).map_err(at)?,
            None => self.extent,
        };
        self.note_datum_shift(raster.crs(), &extent);
        let (values, nodata_cells) = whole.unzip();
        self.layers.push(self.raster_info(spec, role, raster.crs(), &info, extent, nodata_cells));
        self.warnings.extend(outside);
        self.input(role.split(['[', '.']).next().unwrap_or(role), &path)?;
        let hash = match &values {
            Some(values) => as_read::values(values),
            None => self.hash_of_sources(&path, &[&format!("{band:?} {how:?}"), &raster.crs().definition()])?,
        };
        self.as_read.push(AsRead::new(role, &spec.raster, hash));
        Ok(Some((Arc::new(raster), values)))
    }

    fn raster_info(
        &self,
        spec: &RasterParameter,
        role: &str,
        crs: &Crs,
        info: &raster::RasterInfo,
        extent: crate::geo::Bounds,
        nodata_cells: Option<usize>,
    ) -> LayerInfo {
        LayerInfo {
            role: role.into(),
            source: spec.raster.clone(),
            crs: crs.label().to_string(),
            features: None,
            cells: Some((info.columns, info.rows)),
            cell_m: info.cell_size(),
            extent,
            overlap_percent: overlap_percent(&extent, &self.extent),
            nodata_cells,
        }
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
        let wrong = (0..nodes).find(|node| at_node(&ground.mu_min, *node) > at_node(&ground.mu_max, *node));
        let Some(node) = wrong else { return Ok(()) };
        let (x, y) = lattice.centre(node % lattice.nx, node / lattice.nx);
        let place = if both_constant { String::new() } else { format!(" at ({x}, {y})") };
        let (min, max) = (at_node(&ground.mu_min, node), at_node(&ground.mu_max, node));
        let key = if self.project.file.ground.mu_min.is_some() { "ground.mu_min" } else { "ground.mu_max" };
        let sentence =
            format!("found mu_min {min} above mu_max {max}{place}, expected mu_min ≤ mu_max; change one of them");
        Err(self.project.error_at(key, sentence))
    }
}

pub(super) fn at_node(field: &ParameterField, node: usize) -> f64 {
    match field {
        ParameterField::Constant(value) => *value,
        ParameterField::Field(nodes) => f64::from(nodes.value(node)),
    }
}

/// A constant if all values are alike.
pub(super) fn collapsed(lattice: Lattice, values: Vec<f32>) -> ParameterField {
    match values.first() {
        Some(first) if values.iter().all(|value| value == first) => ParameterField::Constant(f64::from(*first)),
        _ => Field { lattice, values }.into(),
    }
}
