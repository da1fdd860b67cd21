//! One parameter on the DEM's lattice, from a number, a raster or polygons, over its weaker source.

use std::sync::Arc;

use super::layers::{LayerInfo, Shape, overlap_percent};
use super::look::{FieldLook, RasterLook};
use super::on_demand::{Checked, hash_of_sources, range_of};
use super::paint::{NodeRaster, Painted, Sampling};
use super::{AsRead, Reading, as_read, located};
use crate::geo::raster_parts::RasterParts;
use crate::geo::{Crs, Transformer, area_of_use, raster};
use crate::project::file::{Parameter, PolygonParameter, RasterParameter};
use crate::project::limits::{self, Limits};
use crate::terrain::{Field, Lattice, ParameterField};
use crate::{Note, Result};

/// A raster, and its values at all nodes where these are looked at.
pub(crate) type Sampled = (Arc<NodeRaster>, Option<Vec<f32>>);

/// Where the project states a parameter, and what it may be.
struct Place<'a> {
    key: &'a str,
    section: &'a str,
    limits: Option<&'static Limits>,
}

impl Reading<'_> {
    /// One parameter over its weaker source.
    pub(super) fn parameter(
        &mut self,
        spec: Option<&Parameter>,
        key: &str,
        weaker: ParameterField,
    ) -> Result<ParameterField> {
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
        let place = Place { key, section, limits: limits::of(owner, name) };
        match spec {
            None => Ok(weaker),
            Some(Parameter::Constant(value)) => Ok(ParameterField::Constant(*value)),
            Some(Parameter::Raster(spec)) => self.parameter_raster(spec, &place, weaker),
            Some(Parameter::Polygons(spec)) => self.parameter_polygons(spec, &place, weaker),
        }
    }

    fn parameter_raster(
        &mut self,
        spec: &RasterParameter,
        place: &Place,
        weaker: ParameterField,
    ) -> Result<ParameterField> {
        let (lattice, key) = (*self.surface.lattice(), place.key);
        let strict = !self.states_weaker(place.section);
        let Some((raster, values)) = self.raster(spec, key, key, Sampling::Bilinear)? else {
            if strict && self.is_read_whole() {
                self.refuse_gaps(None, key, &spec.raster)?;
            }
            return Ok(weaker);
        };
        let checked = Checked::new(self, key, &spec.raster, place.limits, strict);
        if let Some(FieldLook { constant, range, gaps }) = self.found(key, "") {
            self.note_gaps(gaps, key, &spec.raster);
            let blocks = |reading: &Self| reading.checked_blocks(raster, checked, weaker, range);
            return Ok(constant.map_or_else(|| blocks(self), ParameterField::Constant));
        }
        let values = match values {
            None if self.is_read_whole() => Some(raster.read(&(0..lattice.nx), &(0..lattice.ny))?.0),
            values => values,
        };
        let mut range = None;
        if let Some(mut values) = values {
            if strict {
                self.refuse_gaps(Some(&values), key, &spec.raster)?;
            }
            if let Some(node) = checked.wrong(&values) {
                return Err(checked.error(&lattice, node, values[node]));
            }
            let gaps = fill_gaps(&mut values, &weaker);
            self.note_gaps(gaps, key, &spec.raster);
            let known = collapsed(lattice, values);
            self.keep_found(key, "", &FieldLook::at(&known, gaps));
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

    /// Tells the reader how many nodes of a raster have no value, and the first of them.
    fn note_gaps(&mut self, gaps: Option<(usize, usize)>, key: &str, raster: &str) {
        let lattice = *self.surface.lattice();
        if let Some((gaps, first)) = gaps {
            let (x, y) = lattice.centre(first % lattice.nx, first / lattice.nx);
            let (key, raster) = (key.to_string(), raster.to_string());
            self.warnings.push(Note::RasterWithGaps { key, raster, gaps, cells: lattice.len(), x, y });
        }
    }

    fn parameter_polygons(
        &mut self,
        spec: &PolygonParameter,
        place: &Place,
        weaker: ParameterField,
    ) -> Result<ParameterField> {
        let (lattice, key) = (*self.surface.lattice(), place.key);
        let layer = self.vector(&spec.polygons, &format!("{key}.polygons"), key, Shape::Polygons)?;
        let named = format!("{key}.attribute");
        let mut shapes = Vec::new();
        for feature in &layer.features {
            match self.attribute(&layer, feature, &spec.attribute, &named, place.limits)? {
                Some(value) => shapes.extend(Painted::new(&feature.geometry).map(|shape| (shape, value as f32))),
                None => self.warnings.push(Note::FeatureWithoutValue {
                    feature: feature.id,
                    layer: layer.name.clone(),
                    attribute: spec.attribute.clone(),
                }),
            }
        }
        // Outside its polygons a forest is none; what else is built in must be known.
        if self.is_read_whole() && place.section != "forest" && !self.states_weaker(place.section) {
            let what = format!("{key} outside");
            let outside = self.found(&what, "").unwrap_or_else(|| {
                let mut painted = vec![false; lattice.len()];
                let all = (0..lattice.nx, 0..lattice.ny);
                shapes.iter().for_each(|(shape, _)| shape.nodes(&lattice, &all.0, &all.1, |node| painted[node] = true));
                painted.iter().filter(|painted| !**painted).count()
            });
            self.keep_found(&what, "", &outside);
            if outside > 0 {
                let (key, layer) = (key.to_string(), layer.name.clone());
                self.warnings.push(Note::CellsOutsidePolygons { key, layer, outside, cells: lattice.len() });
            }
        }
        self.painted_blocks(key, shapes, weaker)
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
    pub(super) fn refuse_gaps(&self, values: Option<&[f32]>, key: &str, file: &str) -> Result<()> {
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
        self.input(role.split(['[', '.']).next().unwrap_or(role), &path)?;
        let sources =
            hash_of_sources(&self.inputs, &path, &[&format!("{band:?} {how:?}"), &raster.crs().definition()])?;
        let known: Option<RasterLook> = self.found("raster", &sources);
        let whole = (self.is_read_whole() && known.is_none()).then(|| raster.read(&(0..lattice.nx), &(0..lattice.ny)));
        let whole = whole.transpose().map_err(at)?;
        let extent = match info.extent {
            Some(extent) => Transformer::new(raster.crs(), &self.crs).and_then(|t| t.bounds(&extent)).map_err(at)?,
            None => self.extent,
        };
        self.note_datum_shift(raster.crs(), &extent);
        let (values, counted) = whole.unzip();
        let nodata_cells = counted.or(known.as_ref().map(|known| known.nodata_cells));
        self.layers.push(self.raster_info(spec, role, raster.crs(), &info, extent, nodata_cells));
        self.warnings.extend(outside);
        let hash = match (&values, known) {
            (_, Some(known)) => known.sha256,
            (Some(values), None) => as_read::values(values),
            (None, None) => sources.clone(),
        };
        if let (Some(_), Some(nodata_cells)) = (&values, nodata_cells) {
            self.keep_found("raster", &sources, &RasterLook { sha256: hash.clone(), nodata_cells });
        }
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
}

/// Where a raster has no value its weaker source gives it: how many nodes that are, and the first.
fn fill_gaps(values: &mut [f32], weaker: &ParameterField) -> Option<(usize, usize)> {
    let mut gaps: Option<(usize, usize)> = None;
    for (node, value) in values.iter_mut().enumerate().filter(|(_, value)| value.is_nan()) {
        *value = at_node(weaker, node) as f32;
        gaps = Some(gaps.map_or((1, node), |(count, first)| (count + 1, first)));
    }
    gaps
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
