//! Class layers: which ground or forest class each DEM node has.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::Reading;
use super::layers::Shape;
use super::look::ClassesLook;
use super::on_demand::Checked;
use super::paint::{NodeRaster, Painted, Sampling};
use crate::geo::vector::{Feature, VectorLayer};
use crate::project::file::{ClassLayer, RasterParameter, VectorSource};
use crate::project::{did_you_mean, one_of};
use crate::terrain::blocks::{Blocks, Values, View};
use crate::terrain::{ClassTable, Field, Lattice, OnNodes, ParameterField};
use crate::{Note, Result};

/// Which class each node has; the default class everywhere if there is no layer.
pub(crate) struct ClassMap<'c, C> {
    classes: Vec<(&'c str, C)>,
    default: usize,
    /// The default, and what the layers name: whatever part of the terrain is looked at, these are the same.
    named: Vec<bool>,
    /// Those that nodes have, as far as that is known.
    used: Vec<bool>,
    nodes: Option<Nodes>,
}

/// The class of each node.
enum Nodes {
    Wide(Vec<u16>),
    /// Shared by all parameters, if there are no more classes than a byte can tell.
    Bytes(Arc<Vec<u8>>),
    Blocks(Arc<Blocks>),
}

/// Which class each node of the DEM has: 1 for the first name.
#[derive(Debug, Clone, PartialEq)]
pub struct PaintedClasses {
    /// Of the classes that some node has.
    pub names: Vec<String>,
    /// The place of a class among the names.
    places: Vec<u8>,
    nodes: PaintedNodes,
    lattice: Lattice,
}

#[derive(Debug, Clone, PartialEq)]
enum PaintedNodes {
    Bytes(Arc<Vec<u8>>),
    Wide(Vec<u16>),
    Blocks(View),
}

impl PaintedClasses {
    /// Of a node, in the order of the DEM: 1 for the first name.
    pub fn at(&self, node: usize) -> u8 {
        let class = match &self.nodes {
            PaintedNodes::Bytes(nodes) => usize::from(nodes[node]),
            PaintedNodes::Wide(nodes) => usize::from(nodes[node]),
            PaintedNodes::Blocks(view) => view.at(node % self.lattice.nx, node / self.lattice.nx) as usize,
        };
        self.places.get(class).copied().unwrap_or(0)
    }
}

/// What one layer paints.
enum Coat {
    /// Shapes with the class of their inside.
    Shapes(Vec<(Painted, u16)>),
    /// Codes of a raster.
    Codes(Arc<NodeRaster>, BTreeMap<i64, u16>),
}

/// A node that no layer has painted. There are fewer classes.
const BARE: u16 = u16::MAX;

/// Codes without a class: the first few, and how many nodes have one.
type Unknown = (BTreeSet<String>, usize);

impl Coat {
    fn paint(
        &self,
        lattice: &Lattice,
        columns: &Range<usize>,
        rows: &Range<usize>,
        nodes: &mut [u16],
        default: u16,
    ) -> Result<Unknown> {
        let mut unknown = Unknown::default();
        match self {
            Self::Shapes(shapes) => {
                for (shape, class) in shapes {
                    shape.nodes(lattice, columns, rows, |node| nodes[node] = *class);
                }
            }
            Self::Codes(raster, classes) => {
                let (codes, _) = raster.read(columns, rows)?;
                for (node, code) in nodes.iter_mut().zip(&codes).filter(|(_, code)| !code.is_nan()) {
                    match classes.get(&(*code as i64)).filter(|_| code.fract() == 0.0) {
                        Some(class) => *node = *class,
                        None => {
                            // It keeps what it has, and a note says so.
                            if *node == BARE {
                                *node = default;
                            }
                            unknown.1 += 1;
                            if unknown.0.len() < 10 {
                                unknown.0.insert(code.to_string());
                            }
                        }
                    }
                }
            }
        }
        Ok(unknown)
    }

    fn classes(&self) -> Vec<u16> {
        match self {
            Self::Shapes(shapes) => shapes.iter().map(|(_, class)| *class).collect(),
            Self::Codes(_, classes) => classes.values().copied().collect(),
        }
    }
}

impl<'c, C: Copy> ClassMap<'c, C> {
    /// One number of the class at every node, as a constant if all classes that layers name have the same.
    pub(crate) fn field(&self, lattice: &Lattice, number: impl Fn(C) -> f64) -> ParameterField {
        let table: Vec<f64> = self.classes.iter().map(|(_, class)| number(*class)).collect();
        let first = table[self.default];
        let Some(nodes) = &self.nodes else { return ParameterField::Constant(first) };
        if table.iter().zip(&self.named).all(|(value, named)| !named || *value == first) {
            return ParameterField::Constant(first);
        }
        let values = table.iter().map(|value| *value as f32).collect();
        let classes = ClassTable { values, named: self.named.clone().into() };
        match nodes {
            Nodes::Bytes(bytes) => ParameterField::Field(OnNodes::by_class(*lattice, bytes.clone(), classes)),
            Nodes::Blocks(blocks) => ParameterField::Field(OnNodes::by_class_in_blocks(blocks.clone(), classes)),
            Nodes::Wide(nodes) => {
                let values = nodes.iter().map(|&node| table[node as usize] as f32).collect();
                Field { lattice: *lattice, values }.into()
            }
        }
    }

    /// The classes as they are painted, for maps; `None` where there is no layer.
    pub(crate) fn painted(&self, lattice: &Lattice) -> Option<PaintedClasses> {
        let mut places = vec![0u8; self.used.len()];
        let mut names = Vec::new();
        for (class, _) in self.used.iter().enumerate().filter(|(_, used)| **used) {
            names.push(self.classes[class].0.to_string());
            places[class] = u8::try_from(names.len()).unwrap_or(u8::MAX);
        }
        let nodes = match self.nodes.as_ref()? {
            Nodes::Bytes(bytes) => PaintedNodes::Bytes(bytes.clone()),
            Nodes::Wide(nodes) => PaintedNodes::Wide(nodes.clone()),
            Nodes::Blocks(blocks) => PaintedNodes::Blocks(View::new(blocks.clone())),
        };
        Some(PaintedClasses { names, places, nodes, lattice: *lattice })
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
        let classes: Vec<_> = table.iter().map(|(name, class)| (name.as_str(), *class)).collect();
        let named = vec![false; classes.len()];
        let mut map = ClassMap { classes, default: 0, used: named.clone(), named, nodes: None };
        map.default = map.number(default).unwrap_or(0) as usize;
        if layers.is_empty() {
            return Ok(map);
        }
        let mut coats = Vec::new();
        for (i, layer) in layers.iter().enumerate() {
            let key = format!("{section}.layers[{i}]");
            if let Some(source) = &layer.polygons {
                coats.push((self.shapes(layer, source, &key, &map)?, key, String::new()));
            } else if let Some(file) = &layer.raster
                && let Some(coat) = self.codes(layer, file, &key, &map)?
            {
                coats.push((coat, key, file.clone()));
            }
        }
        map.named[map.default] = true;
        coats.iter().flat_map(|(coat, ..)| coat.classes()).for_each(|class| map.named[usize::from(class)] = true);
        map.used.clone_from(&map.named);
        let (lattice, default) = (*self.surface.lattice(), map.default as u16);
        // A raster with gaps over a class that nobody chose: what holds there must be said.
        let strict = section == "ground" && !self.project.states("ground.default");
        let gaps_in = coats.iter().rposition(|(coat, ..)| strict && matches!(coat, Coat::Codes(..))).map(|k| {
            let (key, file) = (coats[k].1.clone(), coats[k].2.clone());
            (Checked::new(self, &key, &file, None, true), key, file)
        });
        let what = format!("{section} classes");
        if let Some(ClassesLook { used, notes }) = self.found(&what, "") {
            map.used = used;
            self.warnings.extend(notes);
        } else if self.is_read_whole() {
            self.expect_room(section)?;
            let mut nodes = vec![BARE; lattice.len()];
            let mut notes = Vec::new();
            for (coat, key, _) in &coats {
                let (codes, cells) = coat.paint(&lattice, &(0..lattice.nx), &(0..lattice.ny), &mut nodes, default)?;
                if cells > 0 {
                    let codes = codes.into_iter().collect();
                    notes.push(Note::CodesWithoutClass { key: key.clone(), cells: cells as u64, codes });
                }
            }
            if let Some((_, key, file)) = &gaps_in
                && nodes.contains(&BARE)
            {
                let painted = |node: &u16| if *node == BARE { f32::NAN } else { 0.0 };
                self.refuse_gaps(Some(&nodes.iter().map(painted).collect::<Vec<_>>()), key, file)?;
            }
            nodes.iter_mut().filter(|node| **node == BARE).for_each(|node| *node = default);
            map.used.fill(false);
            nodes.iter().for_each(|&node| map.used[usize::from(node)] = true);
            self.keep_found(&what, "", &ClassesLook { used: map.used.clone(), notes: notes.clone() });
            self.warnings.extend(notes);
            let bytes: Option<Vec<u8>> = nodes.iter().map(|&node| u8::try_from(node).ok()).collect();
            map.nodes = Some(bytes.map_or(Nodes::Wide(nodes), |bytes| Nodes::Bytes(Arc::new(bytes))));
        }
        if let Some(cache) = self.surface.blocks().map(|heights| heights.cache().clone()) {
            let paint = move |columns: Range<usize>, rows: Range<usize>| {
                let mut nodes = vec![BARE; columns.len() * rows.len()];
                for (coat, ..) in &coats {
                    coat.paint(&lattice, &columns, &rows, &mut nodes, default)?;
                }
                let node = |k: usize| (rows.start + k / columns.len()) * lattice.nx + columns.start + k % columns.len();
                for (k, class) in nodes.iter_mut().enumerate().filter(|(_, class)| **class == BARE) {
                    if let Some(error) = gaps_in.as_ref().and_then(|(checked, ..)| checked.gap(&lattice, node(k))) {
                        return Err(error);
                    }
                    *class = default;
                }
                let bytes: Option<Vec<u8>> = nodes.iter().map(|&node| u8::try_from(node).ok()).collect();
                let wide = || Values::packed(nodes.iter().map(|&node| f64::from(node)).collect());
                Ok(bytes.map_or_else(wide, Values::codes))
            };
            map.nodes = Some(Nodes::Blocks(Arc::new(Blocks::new(lattice, &cache, paint))));
        }
        Ok(map)
    }

    fn shapes<C: Copy>(
        &mut self,
        spec: &ClassLayer,
        source: &VectorSource,
        key: &str,
        map: &ClassMap<C>,
    ) -> Result<Coat> {
        let layer = self.vector(source, &format!("{key}.polygons"), key, Shape::Polygons)?;
        let mut shapes = Vec::new();
        for feature in &layer.features {
            let class = match &spec.class {
                Some(class) => Some(class.clone()),
                None => self.class_of(spec, &layer, feature, key, &map.names())?,
            };
            let number = class.and_then(|class| map.number(&class));
            shapes.extend(Painted::new(&feature.geometry).zip(number));
        }
        Ok(Coat::Shapes(shapes))
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

    fn codes<C: Copy>(&mut self, spec: &ClassLayer, file: &str, key: &str, map: &ClassMap<C>) -> Result<Option<Coat>> {
        let source = RasterParameter { raster: file.to_string(), band: spec.band, crs: spec.crs.clone() };
        let Some((raster, _)) = self.raster(&source, key, key, Sampling::Nearest)? else { return Ok(None) };
        let class_of = |(code, class): (&String, &String)| Some((code.parse().ok()?, map.number(class)?));
        Ok(Some(Coat::Codes(raster, spec.codes.iter().filter_map(class_of).collect())))
    }
}
