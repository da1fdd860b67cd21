//! Class layers: which ground or forest class each DEM node has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Reading;
use super::layers::Shape;
use super::paint::{self, Sampling};
use crate::geo::vector::{Feature, VectorLayer};
use crate::project::file::{ClassLayer, RasterParameter, VectorSource};
use crate::project::{did_you_mean, one_of};
use crate::terrain::{Field, Lattice, OnNodes, ParameterField};
use crate::{Note, Result};

/// Which class each node has; the default class everywhere if there is no layer.
pub(crate) struct ClassMap<'c, C> {
    classes: Vec<(&'c str, C)>,
    default: usize,
    nodes: Option<Vec<u16>>,
    /// The same, shared by all parameters, if there are no more classes than a byte can tell.
    bytes: Option<Arc<Vec<u8>>>,
}

/// Which class each node of the DEM has: 1 for the first name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PaintedClasses {
    /// Of the classes that some node has.
    pub names: Vec<String>,
    /// In the order of the DEM.
    pub nodes: Vec<u8>,
}

impl<'c, C: Copy> ClassMap<'c, C> {
    /// One number of the class at every node, as a constant if it does not vary.
    pub(crate) fn field(&self, lattice: &Lattice, number: impl Fn(C) -> f64) -> ParameterField {
        let table: Vec<f64> = self.classes.iter().map(|(_, class)| number(*class)).collect();
        match &self.nodes {
            None => ParameterField::Constant(table[self.default]),
            Some(nodes) => {
                let first = table[nodes[0] as usize];
                if nodes.iter().all(|&node| table[node as usize] == first) {
                    return ParameterField::Constant(first);
                }
                match &self.bytes {
                    Some(bytes) => {
                        let table = table.iter().map(|value| *value as f32).collect();
                        ParameterField::Field(OnNodes::by_class(*lattice, bytes.clone(), table))
                    }
                    None => {
                        let values = nodes.iter().map(|&node| table[node as usize] as f32).collect();
                        Field { lattice: *lattice, values }.into()
                    }
                }
            }
        }
    }

    /// The classes as they are painted, for maps; `None` where there is no layer.
    pub(crate) fn painted(&self) -> Option<PaintedClasses> {
        let nodes = self.nodes.as_ref()?;
        let mut used = vec![false; self.classes.len()];
        nodes.iter().for_each(|&node| used[usize::from(node)] = true);
        let mut place = vec![0u8; used.len()];
        let mut names = Vec::new();
        for (class, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            names.push(self.classes[class].0.to_string());
            place[class] = u8::try_from(names.len()).unwrap_or(u8::MAX);
        }
        Some(PaintedClasses { names, nodes: nodes.iter().map(|&node| place[usize::from(node)]).collect() })
    }

    fn number(&self, name: &str) -> Option<u16> {
        self.classes.iter().position(|(n, _)| *n == name).map(|number| number as u16)
    }

    fn names(&self) -> Vec<&'c str> {
        self.classes.iter().map(|(name, _)| *name).collect()
    }
}

impl Reading<'_> {
    /// Paints the layers over the default class, in their order.
    pub(crate) fn classes<'c, C: Copy>(
        &mut self,
        table: &'c BTreeMap<String, C>,
        default: &str,
        layers: &[ClassLayer],
        section: &str,
    ) -> Result<ClassMap<'c, C>> {
        let classes = table.iter().map(|(name, class)| (name.as_str(), *class)).collect();
        let mut map = ClassMap { classes, default: 0, nodes: None, bytes: None };
        map.default = map.number(default).unwrap_or(0) as usize;
        if layers.is_empty() {
            return Ok(map);
        }
        self.expect_room(section)?;
        let mut nodes = vec![map.default as u16; self.surface.lattice().len()];
        for (i, layer) in layers.iter().enumerate() {
            let key = format!("{section}.layers[{i}]");
            if let Some(source) = &layer.polygons {
                self.paint_polygons(layer, source, &key, &map, &mut nodes)?;
            } else if let Some(file) = &layer.raster {
                self.paint_codes(layer, file, &key, &map, &mut nodes)?;
            }
        }
        let bytes: Option<Vec<u8>> = nodes.iter().map(|&node| u8::try_from(node).ok()).collect();
        map.bytes = bytes.map(Arc::new);
        map.nodes = Some(nodes);
        Ok(map)
    }

    fn paint_polygons<C: Copy>(
        &mut self,
        spec: &ClassLayer,
        source: &VectorSource,
        key: &str,
        map: &ClassMap<C>,
        nodes: &mut [u16],
    ) -> Result<()> {
        let lattice = *self.surface.lattice();
        let layer = self.vector(source, &format!("{key}.polygons"), key, Shape::Polygons)?;
        for feature in &layer.features {
            let class = match &spec.class {
                Some(class) => Some(class.clone()),
                None => self.class_of(spec, &layer, feature, key, &map.names())?,
            };
            if let Some(number) = class.and_then(|class| map.number(&class)) {
                paint::nodes_inside(&feature.geometry, &lattice, |node| nodes[node] = number);
            }
        }
        Ok(())
    }

    /// The class's name a feature's attribute means.
    fn class_of(
        &mut self,
        spec: &ClassLayer,
        layer: &VectorLayer,
        feature: &Feature,
        key: &str,
        names: &[&str],
    ) -> Result<Option<String>> {
        let attribute = spec.attribute.as_deref().unwrap_or("class");
        let key = format!("{key}.attribute");
        let value = feature.attributes.get(attribute).ok_or_else(|| self.no_attribute(layer, attribute, &key))?;
        let Some(text) = value.as_text().map(|t| t.trim().to_string()).filter(|t| !t.is_empty()) else {
            let (layer, attribute) = (layer.name.clone(), attribute.to_string());
            self.warnings.push(Note::FeatureWithoutValue { feature: feature.id, layer, attribute });
            return Ok(None);
        };
        if let Some(class) = spec.codes.get(&text) {
            return Ok(Some(class.clone()));
        }
        if names.contains(&text.as_str()) {
            return Ok(Some(text));
        }
        let codes: Vec<&str> = spec.codes.keys().map(String::as_str).collect();
        let allowed = if codes.is_empty() { names } else { &codes };
        let hint = match did_you_mean(&text, allowed) {
            hint if hint.is_empty() => "; name its class under `codes`".to_string(),
            hint => hint,
        };
        let sentence = format!(
            "feature {} of layer {:?} has {text:?} in attribute {attribute:?}, expected {}{hint}",
            feature.id,
            layer.name,
            one_of(allowed)
        );
        Err(self.project.error_at(&key, sentence))
    }

    fn paint_codes<C: Copy>(
        &mut self,
        spec: &ClassLayer,
        file: &str,
        key: &str,
        map: &ClassMap<C>,
        nodes: &mut [u16],
    ) -> Result<()> {
        let source = RasterParameter { raster: file.to_string(), band: spec.band, crs: spec.crs.clone() };
        let Some(codes) = self.raster(&source, key, key, Sampling::Nearest)? else { return Ok(()) };
        let class_of = |(code, class): (&String, &String)| Some((code.parse().ok()?, map.number(class)?));
        let table: BTreeMap<i64, u16> = spec.codes.iter().filter_map(class_of).collect();
        let (mut unknown, mut cells) = (BTreeSet::new(), 0);
        for (node, code) in nodes.iter_mut().zip(&codes).filter(|(_, code)| !code.is_nan()) {
            match table.get(&(*code as i64)).filter(|_| code.fract() == 0.0) {
                Some(class) => *node = *class,
                None => {
                    cells += 1;
                    if unknown.len() < 10 {
                        unknown.insert(code.to_string());
                    }
                }
            }
        }
        if cells > 0 {
            let codes = unknown.into_iter().collect();
            self.warnings.push(Note::CodesWithoutClass { key: key.to_string(), cells, codes });
        }
        Ok(())
    }
}
