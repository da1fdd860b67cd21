//! Release layers: every feature must lie on the DEM, on ground with height, and carry the numbers asked of it.

use geo::{BoundingRect, CoordsIter, Geometry};

use super::Reading;
use super::layers::Shape;
use super::look::AT_ONCE_CELLS;
use super::{as_read, paint};
use crate::files::hash::sha256;
use crate::files::worked_out;
use crate::geo::Bounds;
use crate::geo::vector::{Feature, VectorLayer};
use crate::math;
use crate::project::file::{
    AttributeQuantity, Orientation, Placement, Quantity, ReleaseSpec, RockCount, RockSpec, ShapeFile, ShapeSpec,
    VectorQuantity,
};
use crate::project::limits;
use crate::rock::{Shape as RockShape, presets};
use crate::terrain::Spot;
use crate::{Note, Result};

/// Rocks seldom break loose, let alone roll, on ground flatter than this; a warning above this share of it.
const FLAT_DEG: f64 = 20.0;
const FLAT_SHARE: f64 = 0.2;

impl Reading<'_> {
    /// The layer, and the key of what is worked out about the ground below it.
    pub(crate) fn release(&mut self, index: usize, spec: &ReleaseSpec) -> Result<(VectorLayer, Option<String>)> {
        let key = format!("release[{index}]");
        let layer = self.vector(&spec.source, &format!("{key}.source"), &key, Shape::Any)?;
        let ground = self.ground_key(index, spec, &layer);
        let Nodes { total, without_height, at_edge, beside_nodata, flat, outside } =
            self.all_release_nodes(&layer, &key, ground.as_deref())?;
        let steep_only = matches!(spec.placement, Placement::MinSlopeDeg(slope) if slope >= FLAT_DEG);
        if !steep_only && flat as f64 > FLAT_SHARE * total as f64 {
            self.warnings.push(Note::FlatRelease { key: key.clone(), flat, cells: total, limit_deg: FLAT_DEG });
        }
        if without_height > 0 {
            let (key, cells) = (key.clone(), total);
            self.warnings.push(Note::ReleaseWithoutHeight { key, without_height, cells, beyond_edge: at_edge });
        }
        if beside_nodata > 0 {
            let key = key.clone();
            self.warnings.push(Note::ReleaseBesideNodata { key, beside: beside_nodata, cells: total });
        }
        if outside > 0 {
            let features = layer.features.len();
            self.warnings.push(Note::ReleaseBeyondDem { key: key.clone(), beyond: outside, features });
        }
        if let Some(info) = self.layers.last_mut() {
            info.nodata_cells = Some(without_height);
        }
        self.release_quantities(&layer, spec, &key)?;
        Ok((layer, ground))
    }

    /// A hash of all that the positions of a release layer depend on, if to look at the ground below it may take a while.
    fn ground_key(&self, index: usize, spec: &ReleaseSpec, layer: &VectorLayer) -> Option<String> {
        let some = self.surface.blocks().is_some() || self.surface.lattice().len() > AT_ONCE_CELLS;
        let terrain = self.as_read.iter().find(|read| read.role == "terrain").filter(|_| some)?;
        let (version, seed) = (env!("COULOIR_VERSION"), self.project.file.simulation.seed);
        let spec = serde_json::to_string(spec).ok()?;
        let features = as_read::layer(layer);
        Some(sha256(format!("{version} {index} {seed} {} {features} {spec}", terrain.sha256).as_bytes()))
    }

    /// The nodes under all features of a layer.
    fn all_release_nodes(&self, layer: &VectorLayer, key: &str, ground: Option<&str>) -> Result<Nodes> {
        let ground = ground.map(|ground| format!("nodes {ground}"));
        if let Some(known) = ground.as_deref().and_then(worked_out::take).as_deref().and_then(Nodes::from_bytes) {
            return Ok(known);
        }
        let mut all = Nodes::default();
        for feature in &layer.features {
            all.add(&self.release_nodes(layer, feature, key)?);
        }
        if let Some(ground) = ground {
            worked_out::note(&ground, || all.to_bytes());
        }
        Ok(all)
    }

    /// The DEM nodes under a feature.
    ///
    /// # Errors
    /// When the feature lies beside the DEM or has no ground with height below it.
    fn release_nodes(&self, layer: &VectorLayer, feature: &Feature, key: &str) -> Result<Nodes> {
        let lattice = *self.surface.lattice();
        let place = format!("{key}.source");
        let name = format!("feature {} of layer {:?}", feature.id, layer.name);
        let (x0, y0) = (lattice.x0, lattice.y0);
        let area = matches!(feature.geometry, Geometry::Polygon(_) | Geometry::MultiPolygon(_));
        let bounds = feature.geometry.bounding_rect().map(|r| Bounds::new(r.min().x, r.min().y, r.max().x, r.max().y));
        let bounds = bounds.unwrap_or(self.extent);
        let Bounds { west, south, east, north } = self.extent;
        if !bounds.intersects(&self.extent) {
            let (x, y) = bounds.centre();
            let sentence = format!(
                "{name} at ({x:.1}, {y:.1}) lies outside the DEM ({west:.1} to {east:.1}, {south:.1} to {north:.1}); use a \
                 larger DEM, or leave the feature out with `filter`"
            );
            return Err(self.project.error_at(&place, sentence));
        }
        let mut nodes = Nodes::default();
        let partly = bounds.west < west || bounds.east > east || bounds.south < south || bounds.north > north;
        nodes.outside = usize::from(partly);
        if area {
            paint::nodes_inside(&feature.geometry, &lattice, |node| {
                let (column, row) = (node % lattice.nx, node / lattice.nx);
                nodes.total += 1;
                self.note_height(column, row, self.is_gap(column, row), &mut nodes);
                nodes.flat += usize::from(self.is_flat(column as f64 * lattice.dx, row as f64 * lattice.dy));
            });
        }
        if !area || nodes.total == 0 {
            // Points, lines, and polygons smaller than a cell: what lies under their vertices.
            for coord in feature.geometry.coords_iter() {
                let inside = self.extent.contains(coord.x, coord.y);
                nodes.total += 1;
                if let Some((column, row)) = lattice.cell_at(coord.x, coord.y).filter(|_| inside) {
                    let missing = self.surface.height(coord.x - x0, coord.y - y0).is_none();
                    self.note_height(column, row, missing, &mut nodes);
                }
                nodes.flat += usize::from(self.is_flat(coord.x - x0, coord.y - y0));
                if !inside && matches!(feature.geometry, Geometry::Point(_) | Geometry::MultiPoint(_)) {
                    let (x, y) = (coord.x, coord.y);
                    let sentence = format!("{name} has a point at ({x:.1}, {y:.1}) outside the DEM; move or remove it");
                    return Err(self.project.error_at(&place, sentence));
                }
            }
        }
        if nodes.without_height == nodes.total {
            let sentence = format!(
                "{name} lies where the DEM has no height (nodata, or its outermost half cell); fill the hole with `couloir \
                 prepare`, or move the feature"
            );
            return Err(self.project.error_at(&place, sentence));
        }
        Ok(nodes)
    }

    /// Counts a cell without height, or one beside such a cell.
    fn note_height(&self, column: usize, row: usize, missing: bool, nodes: &mut Nodes) {
        if missing {
            nodes.without_height += 1;
            nodes.at_edge += usize::from(self.gap_near_is_edge(column, row));
        } else {
            nodes.beside_nodata += usize::from(self.around(column, row).any(|(c, r)| self.is_gap(c, r)));
        }
    }

    fn is_gap(&self, column: usize, row: usize) -> bool {
        self.surface.node_height(column, row).is_nan()
    }

    fn gap_near_is_edge(&self, column: usize, row: usize) -> bool {
        let mut gaps = self.around(column, row).filter(|&(c, r)| self.is_gap(c, r)).peekable();
        // Beyond the outermost centres there is no height, either.
        gaps.peek().is_none() || gaps.any(|(c, r)| self.gaps.is_edge(&self.surface, c, r))
    }

    fn around(&self, column: usize, row: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (nx, ny) = (self.surface.lattice().nx, self.surface.lattice().ny);
        let near = |k: usize, n: usize| k.saturating_sub(1)..(k + 2).min(n);
        near(row, ny).flat_map(move |r| near(column, nx).map(move |c| (c, r)))
    }

    fn is_flat(&self, x: f64, y: f64) -> bool {
        let steepness = |spot: Spot| math::hypot(spot.slope_x, spot.slope_y);
        self.surface.spot(x, y).is_some_and(|spot| steepness(spot) < math::tan(FLAT_DEG.to_radians()))
    }

    /// Numbers that come from attributes must be there for every feature, and be possible.
    fn release_quantities(&self, layer: &VectorLayer, spec: &ReleaseSpec, key: &str) -> Result<()> {
        let own = [
            ("height_m", Some(&spec.height_m)),
            ("centre_height_m", spec.centre_height_m.as_ref()),
            ("density_kg_m3", spec.density_kg_m3.as_ref()),
            ("speed_m_s", Some(&spec.speed_m_s)),
            ("spin_rps", Some(&spec.spin_rps)),
            ("mass_kg", spec.mass_kg.as_ref()),
            ("volume_m3", spec.volume_m3.as_ref()),
            ("frequency_per_year", spec.frequency_per_year.as_ref()),
        ];
        for (name, quantity) in own {
            self.attribute_quantity(layer, quantity, &format!("{key}.{name}"), limits::of("ReleaseSpec", name))?;
        }
        self.release_vectors(layer, spec, key)?;
        if spec.mass_kg.is_some() || spec.volume_m3.is_some() {
            return Ok(());
        }
        let starts_here = |rock: &RockSpec| match (&spec.rocks, &rock.name) {
            (None, _) => true,
            (Some(names), Some(name)) => names.contains(name),
            (Some(_), None) => false,
        };
        for (i, rock) in self.project.file.rocks.iter().enumerate().filter(|(_, rock)| starts_here(rock)) {
            for (name, quantity) in [("mass_kg", &rock.mass_kg), ("volume_m3", &rock.volume_m3)] {
                let key = format!("rocks[{i}].{name}");
                self.attribute_quantity(layer, quantity.as_ref(), &key, limits::of("RockSpec", name))?;
            }
        }
        Ok(())
    }

    /// Counts, vectors and orientations from attributes, and attributes that are carried along.
    fn release_vectors(&self, layer: &VectorLayer, spec: &ReleaseSpec, key: &str) -> Result<()> {
        if let RockCount::Attribute(count) = &spec.rocks_per_position {
            let key = format!("{key}.rocks_per_position");
            for feature in &layer.features {
                let value =
                    self.filled(layer, feature, &count.attribute, &key, limits::of("", "rocks_per_position"))?;
                if value.fract() != 0.0 {
                    let sentence = format!(
                        "feature {} of layer {:?} has {value} in attribute {:?}, expected a whole number; mend it in the layer",
                        feature.id, layer.name, count.attribute
                    );
                    return Err(self.project.error_at(&key, sentence));
                }
            }
        }
        let quaternion = match &spec.orientation {
            Orientation::Quaternion(quantity) => quantity.attributes(),
            Orientation::Random => &[],
        };
        let vector = |quantity: &Option<VectorQuantity>| match quantity {
            Some(VectorQuantity::Attributes(list)) => list.attributes.to_vec(),
            _ => Vec::new(),
        };
        let all = [
            ("velocity_m_s", vector(&spec.velocity_m_s), false),
            ("spin_axis", vector(&spec.spin_axis), true),
            ("orientation", quaternion.to_vec(), true),
        ];
        // What does not spin needs no axis.
        let spins = |feature: &Feature| match &spec.spin_rps {
            Quantity::Attribute(of) => {
                let spin = feature.attributes.get(&of.attribute).and_then(|value| value.as_text());
                spin.is_none_or(|text| text.trim().parse() != Ok(0.0))
            }
            _ => true,
        };
        for (name, attributes, directed) in all {
            let key = format!("{key}.{name}");
            for feature in layer.features.iter().filter(|_| !attributes.is_empty()) {
                let mut zero = true;
                for attribute in &attributes {
                    zero &= self.filled(layer, feature, attribute, &key, limits::of("", name))? == 0.0;
                }
                if directed && zero && (name != "spin_axis" || spins(feature)) {
                    let sentence = format!(
                        "feature {} of layer {:?} has zeros only in the attributes {}, expected a direction; mend it in the layer",
                        feature.id,
                        layer.name,
                        attributes.join(", ")
                    );
                    return Err(self.project.error_at(&key, sentence));
                }
            }
        }
        for (k, name) in spec.keep_attributes.iter().enumerate() {
            if !layer.has_field(name) {
                return Err(self.no_attribute(layer, name, &format!("{key}.keep_attributes[{k}]")));
            }
        }
        Ok(())
    }

    /// The number in an attribute, which must be there.
    fn filled(
        &self,
        layer: &VectorLayer,
        feature: &Feature,
        attribute: &str,
        key: &str,
        limits: Option<&limits::Limits>,
    ) -> Result<f64> {
        self.attribute(layer, feature, attribute, key, limits)?.ok_or_else(|| {
            let sentence = format!(
                "feature {} of layer {:?} has no value in attribute {attribute:?}, expected a number; fill it in",
                feature.id, layer.name
            );
            self.project.error_at(key, sentence)
        })
    }

    /// Rocks that only the features name: presets and files become rocks of their own.
    pub(crate) fn rocks_of_features(
        &mut self,
        layer: &VectorLayer,
        spec: &ReleaseSpec,
        key: &str,
        rocks: &mut Vec<(RockSpec, RockShape)>,
    ) -> Result<()> {
        let Some(AttributeQuantity { attribute }) = &spec.rock else { return Ok(()) };
        let key = format!("{key}.rock");
        let sized = spec.mass_kg.is_some() || spec.volume_m3.is_some();
        if !layer.has_field(attribute) {
            return Err(self.no_attribute(layer, attribute, &key));
        }
        for feature in &layer.features {
            let at = format!("feature {} of layer {:?}", feature.id, layer.name);
            let text = feature.attributes.get(attribute).and_then(|value| value.as_text()).unwrap_or_default();
            let name = text.trim();
            let known = rocks.iter().find(|(rock, _)| rock.name.as_deref() == Some(name));
            let is_preset = presets::NAMES.iter().any(|(preset, _)| *preset == name);
            let path = self.project.resolve(name);
            if known.is_none() && !name.is_empty() && (is_preset || path.is_file()) {
                let shape = if is_preset { RockShape::from_preset(name) } else { super::rock_file::shape(&path) };
                let shape = shape.map_err(|error| self.project.error_at(&key, format!("{at}: {}", error.message)))?;
                let given = if is_preset {
                    ShapeSpec::Preset(name.into())
                } else {
                    self.plain_input("rocks", &key, name, &path)?;
                    ShapeSpec::File(ShapeFile { file: name.into() })
                };
                rocks.push((RockSpec::new(name, given), shape));
            } else if known.is_none() {
                let names: Vec<&str> = rocks.iter().filter_map(|(rock, _)| rock.name.as_deref()).collect();
                let names = if names.is_empty() { "none has a name".into() } else { names.join(", ") };
                let sentence = format!(
                    "{at} has {name:?} in attribute {attribute:?}, expected the name of a rock under `rocks` ({names}), a preset \
                     shape (`couloir rocks`) or a file of a shape"
                );
                return Err(self.project.error_at(&key, sentence));
            }
            let (rock, _) = rocks.iter().find(|(rock, _)| rock.name.as_deref() == Some(name)).unwrap_or(&rocks[0]);
            let own = rock.mass_kg.is_some() || rock.volume_m3.is_some() || rock.axes_m.is_some();
            if !sized && !own && matches!(rock.shape, ShapeSpec::Preset(_)) {
                let sentence = format!(
                    "{at} names the rock {name:?}, which has no size; give the release `mass_kg` or `volume_m3`, or the rock a size"
                );
                return Err(self.project.error_at(&key, sentence));
            }
        }
        Ok(())
    }

    fn attribute_quantity(
        &self,
        layer: &VectorLayer,
        quantity: Option<&Quantity>,
        key: &str,
        limits: Option<&limits::Limits>,
    ) -> Result<()> {
        let Some(Quantity::Attribute(spec)) = quantity else { return Ok(()) };
        let key = format!("{key}.attribute");
        for feature in &layer.features {
            if self.attribute(layer, feature, &spec.attribute, &key, limits)?.is_none() {
                let sentence = format!(
                    "feature {} of layer {:?} has no value in attribute {:?}, expected a number; fill it in",
                    feature.id, layer.name, spec.attribute
                );
                return Err(self.project.error_at(&key, sentence));
            }
        }
        Ok(())
    }
}

/// DEM nodes (or vertices) under a release feature.
#[derive(Default)]
struct Nodes {
    total: usize,
    without_height: usize,
    /// Of those, the ones that are no holes but connected to the DEM's edge.
    at_edge: usize,
    /// With height, but a cell beside it has none.
    beside_nodata: usize,
    /// Flatter than [`FLAT_DEG`].
    flat: usize,
    /// 1 if a part of the feature lies beyond the DEM.
    outside: usize,
}

impl Nodes {
    fn to_bytes(&self) -> Vec<u8> {
        let Self { total, without_height, at_edge, beside_nodata, flat, outside } = *self;
        let counts = [total, without_height, at_edge, beside_nodata, flat, outside];
        counts.into_iter().flat_map(|count| (count as u64).to_le_bytes()).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let [total, without_height, at_edge, beside_nodata, flat, outside] =
            <[[u8; 8]; 6]>::try_from(words).ok()?.map(|word| u64::from_le_bytes(word) as usize);
        rest.is_empty().then_some(Self { total, without_height, at_edge, beside_nodata, flat, outside })
    }

    fn add(&mut self, other: &Self) {
        self.total += other.total;
        self.without_height += other.without_height;
        self.at_edge += other.at_edge;
        self.beside_nodata += other.beside_nodata;
        self.flat += other.flat;
        self.outside += other.outside;
    }
}
