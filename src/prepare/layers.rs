//! Parameter layers on the DEM's grid: rasters warped, polygons burnt by class or number.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gdal::Dataset;
use gdal::raster::{Buffer, GdalDataType};
use serde::Serialize;

use super::Said;
use super::classes::{ClassTable, Codes, Family};
use super::dem::{is_aligned, working_words};
use super::features::{outside_note, read_layer};
use super::plan::Plan;
use super::request::{LayerEntry, PrepareFile};
use super::staging::Staging;
use super::styles;
use crate::geo::area::{self, Kind};
use crate::geo::raster::Purpose;
use crate::geo::tiles::{Group, Tile, TileOptions};
use crate::geo::vector::{Feature, Value, VectorLayer};
use crate::geo::warp::{self, Resampling};
use crate::geo::{Crs, native, rasterize, translate};
use crate::process::progress::Progress;
use crate::project::classes;
use crate::{Error, Note, Result};

/// Single parameters a layer may give: the section of the project file, the key, the unit.
pub(crate) const PARAMETERS: [(&str, &str, &str); 12] = [
    ("ground", "mu_min", ""),
    ("ground", "mu_max", ""),
    ("ground", "beta_per_s", "1/s"),
    ("ground", "kappa_per_m", "1/m"),
    ("ground", "epsilon_n", ""),
    ("ground", "epsilon_t", ""),
    ("forest", "drag_kg_s", "kg/s"),
    ("forest", "height_m", "m"),
    ("forest", "rotational_drag_kg_m2_s", "kg m2/s"),
    ("scarring", "me_kn_m2", "kN/m2"),
    ("scarring", "drag_coefficient", ""),
    ("scarring", "density_kg_m3", "kg/m3"),
];

/// A layer as the project file will name it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PreparedLayer {
    /// `ground`, `forest` or `scarring`.
    pub section: &'static str,
    /// The parameter's key; classes have none.
    pub key: Option<&'static str>,
    pub file: String,
    /// Code → class.
    pub codes: BTreeMap<u8, String>,
    pub source: String,
    pub source_crs: String,
    pub method: String,
}

enum Target {
    Classes(Family),
    Parameter(&'static str, &'static str, &'static str),
}

pub(crate) fn build(
    request: &PrepareFile,
    plan: &Plan,
    staging: &Staging,
    said: &mut Said,
    progress: &Progress,
) -> Result<Vec<PreparedLayer>> {
    let mut layers: Vec<PreparedLayer> = Vec::new();
    for entry in &request.layers {
        progress.stage_of_fractions(&format!("layer {}", entry.name));
        let at_layer = |e: Error| Error { message: format!("layer {}: {e}", entry.name), ..e };
        let target = target_of(&entry.name)?;
        let stem = entry.name.trim().replace('.', "_");
        let taken = layers.iter().filter(|l| l.file.starts_with(&stem)).count();
        let file = if taken == 0 { format!("{stem}.tif") } else { format!("{stem}_{}.tif", taken + 1) };
        let task = Task { request, plan, staging, entry, file, progress };
        layers.extend(task.run(&target, said).map_err(at_layer)?);
    }
    Ok(layers)
}

/// What holds outside a parameter's polygons: elsewhere the class does, but soil that can be scarred has none to fall back on.
fn outside_polygons(section: &str, key: &str) -> f64 {
    match (section, key) {
        ("scarring", "me_kn_m2") => classes::NO_SOIL_ME_KN_M2,
        ("scarring", "drag_coefficient") => 0.0,
        ("scarring", _) => classes::SOIL_DENSITY_KG_M3,
        _ => f64::NAN,
    }
}

fn target_of(name: &str) -> Result<Target> {
    let name = name.trim();
    match name {
        "ground" => return Ok(Target::Classes(Family::Ground)),
        "forest" => return Ok(Target::Classes(Family::Forest)),
        _ => {}
    }
    let matches = |(section, key, _): &&(&str, &str, &str)| *key == name || format!("{section}.{key}") == name;
    if let Some(&(section, key, unit)) = PARAMETERS.iter().find(matches) {
        return Ok(Target::Parameter(section, key, unit));
    }
    let known: Vec<&str> = ["ground", "forest"].into_iter().chain(PARAMETERS.iter().map(|p| p.1)).collect();
    let near = known.iter().map(|k| (strsim::normalized_damerau_levenshtein(k, name), k));
    let near = near.filter(|(score, _)| *score > 0.6).max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = near.map(|(_, k)| format!(" (did you mean {k}?)")).unwrap_or_default();
    Err(Error::input(format!("'{name}' is no layer the simulation knows{hint}: expected one of {}", known.join(", "))))
}

struct Task<'a> {
    request: &'a PrepareFile,
    plan: &'a Plan,
    staging: &'a Staging,
    entry: &'a LayerEntry,
    file: String,
    progress: &'a Progress,
}

impl Task<'_> {
    fn run(&self, target: &Target, said: &mut Said) -> Result<Option<PreparedLayer>> {
        let kind = area::kind_of(&self.entry.source)?;
        match (target, kind) {
            (Target::Classes(family), Kind::Vector) => self.class_polygons(*family, said),
            (Target::Classes(family), Kind::Raster) => self.class_raster(*family, said),
            (Target::Parameter(section, key, unit), Kind::Vector) => self.number_polygons(section, key, unit, said),
            (Target::Parameter(section, key, unit), Kind::Raster) => self.number_raster(section, key, unit, said),
        }
    }

    fn read(&self, said: &mut Said) -> Result<Option<VectorLayer>> {
        let layer = read_layer(&self.entry.source, self.entry.crs.as_deref(), None, self.plan, said)?;
        let polygonal = |f: &Feature| matches!(f.geometry, geo::Geometry::Polygon(_) | geo::Geometry::MultiPolygon(_));
        if let Some(feature) = layer.features.iter().find(|f| !polygonal(f)) {
            return Err(Error::input(format!(
                "feature {} of '{}' is not a polygon: only polygons say what holds inside them",
                feature.id, self.entry.source
            )));
        }
        let extent = self.plan.extent();
        if layer.bounds().is_none_or(|b| !b.intersects(&extent)) {
            said.warn(outside_note(&self.entry.name, &layer, self.plan));
            return Ok(None);
        }
        Ok(Some(layer))
    }

    fn class_polygons(&self, family: Family, said: &mut Said) -> Result<Option<PreparedLayer>> {
        let table = ClassTable::new(self.request, family, &self.entry.codes)?;
        let Some(layer) = self.read(said)? else { return Ok(None) };
        let (source, key) = (&self.entry.source, family.key());
        let attribute = self.entry.attribute.as_deref().unwrap_or("class");
        let one_class = match (&self.entry.class, &self.entry.attribute) {
            (Some(class), _) => Some(table.class_named(class)?),
            (None, None) if !has_field(&layer, attribute) => match family {
                Family::Forest => {
                    said.warn(Note::ForestWithoutClass { source: source.clone() });
                    Some("medium".to_owned())
                }
                Family::Ground => return Err(missing_attribute(&layer, attribute, source, key)),
            },
            _ => None,
        };
        let mut classes: Vec<Option<String>> = Vec::with_capacity(layer.features.len());
        for feature in &layer.features {
            classes.push(match &one_class {
                Some(class) => Some(class.clone()),
                None => {
                    let name =
                        field(&layer, attribute).ok_or_else(|| missing_attribute(&layer, attribute, source, key))?;
                    let text = feature.attributes.get(name).and_then(Value::as_text).filter(|t| !t.trim().is_empty());
                    let origin = || format!("feature {} of '{source}'", feature.id);
                    text.map(|t| table.class_of(&t, &origin())).transpose()?
                }
            });
        }
        let empty = classes.iter().filter(|c| c.is_none()).count();
        if empty > 0 {
            let (layer, source) = (key.to_string(), source.clone());
            said.warn(Note::PolygonsWithoutClass { layer, source, polygons: empty });
        }
        let codes = Codes::new(classes.iter().flatten().cloned())?;
        let shapes: Vec<_> = layer
            .features
            .iter()
            .zip(&classes)
            .filter_map(|(f, class)| class.as_ref().map(|c| (&f.geometry, f64::from(codes.code(c)))))
            .collect();
        let working = self.working(GdalDataType::UInt8, 0.0)?;
        self.burn(&working, &shapes)?;
        let named = if one_class.is_some() { "one class".into() } else { format!("attribute '{attribute}'") };
        let method = format!("{} polygons by {named}", shapes.len());
        self.finish(working, key, None, "", codes.mapping(), &layer.source_crs, method, said).map(Some)
    }

    fn number_polygons(
        &self,
        section: &'static str,
        key: &'static str,
        unit: &str,
        said: &mut Said,
    ) -> Result<Option<PreparedLayer>> {
        let Some(layer) = self.read(said)? else { return Ok(None) };
        let source = &self.entry.source;
        let wanted = self.entry.attribute.as_deref().unwrap_or(key);
        let name = field(&layer, wanted).ok_or_else(|| missing_attribute(&layer, wanted, source, key))?;
        let (mut shapes, mut empty) = (Vec::new(), 0);
        for feature in &layer.features {
            match feature.attributes.get(name) {
                None | Some(Value::Null) => empty += 1,
                Some(value) => {
                    let number = value.as_f64().ok_or_else(|| {
                        let text = value.as_text().unwrap_or_default();
                        Error::input(format!(
                            "feature {} of '{source}' has '{text}' in attribute '{name}', expected a number",
                            feature.id
                        ))
                    })?;
                    shapes.push((&feature.geometry, number));
                }
            }
        }
        if empty > 0 {
            let (layer, source) = (key.to_string(), source.clone());
            said.warn(Note::PolygonsWithoutValue { layer, source, polygons: empty });
        }
        let outside = outside_polygons(section, key);
        let working = self.working(GdalDataType::Float32, outside)?;
        self.burn(&working, &shapes)?;
        let mut method = format!("{} polygons by attribute '{name}'", shapes.len());
        if !outside.is_nan() {
            method += &format!(", {outside} outside them");
        }
        self.finish(working, section, Some(key), unit, BTreeMap::new(), &layer.source_crs, method, said).map(Some)
    }

    fn number_raster(
        &self,
        section: &'static str,
        key: &'static str,
        unit: &str,
        said: &mut Said,
    ) -> Result<Option<PreparedLayer>> {
        let Some((working, crs, how)) = self.warped(None, said)? else { return Ok(None) };
        self.finish(working, section, Some(key), unit, BTreeMap::new(), &crs, how, said).map(Some)
    }

    fn class_raster(&self, family: Family, said: &mut Said) -> Result<Option<PreparedLayer>> {
        let (table, key) = (ClassTable::new(self.request, family, &self.entry.codes)?, family.key());
        let Some((coded, crs, how)) = self.warped(Some(Resampling::Nearest), said)? else { return Ok(None) };
        let grid = &self.plan.grid;
        let mut found: BTreeSet<i64> = BTreeSet::new();
        rasterize::for_rows(&coded, grid, |_, values| {
            let mut last = f32::NAN;
            for &value in values.iter().filter(|v| !v.is_nan()) {
                if value != last {
                    found.insert(value.round() as i64);
                    last = value;
                }
            }
            if found.len() > 1000 { Err(self.not_classes()) } else { Ok(()) }
        })?;
        let origin = format!("raster '{}'", self.entry.source);
        let mut classes: BTreeMap<i64, String> = BTreeMap::new();
        for code in &found {
            // Zero usually means "nothing mapped here".
            if *code == 0 && !self.entry.codes.contains_key("0") {
                continue;
            }
            classes.insert(*code, table.class_of(&code.to_string(), &origin)?);
        }
        let codes = Codes::new(classes.values().cloned())?;
        let working = self.working(GdalDataType::UInt8, 0.0)?;
        {
            let mut band = working.rasterband(1).map_err(|e| Error::failed(e.to_string()))?;
            rasterize::for_rows(&coded, grid, |first, values| {
                let of =
                    |v: &f32| classes.get(&(v.round() as i64)).filter(|_| !v.is_nan()).map_or(0, |c| codes.code(c));
                let rows = values.len() / grid.nx;
                let mut buffer = Buffer::new((grid.nx, rows), values.iter().map(of).collect::<Vec<u8>>());
                band.write((0, first as isize), (grid.nx, rows), &mut buffer).map_err(|e| Error::failed(e.to_string()))
            })?;
        }
        self.finish(working, key, None, "", codes.mapping(), &crs, how, said).map(Some)
    }

    fn not_classes(&self) -> Error {
        Error::input(format!("raster '{}' has more than 1000 values: it does not hold classes", self.entry.source))
    }

    /// The raster on our grid, as 32-bit numbers.
    fn warped(&self, how: Option<Resampling>, said: &mut Said) -> Result<Option<(Dataset, Crs, String)>> {
        let stated = self.entry.crs.as_deref().map(Crs::from_user).transpose()?;
        let options = TileOptions {
            band: self.entry.band,
            purpose: if how == Some(Resampling::Nearest) { Purpose::Codes } else { Purpose::Numbers },
            crs: stated.or_else(|| self.plan.layer_crs.clone()),
            nodata: None,
            vertical_unit: None,
            heights: false,
        };
        let tile = Tile::read(Path::new(&self.entry.source), &options, &mut said.warnings)?;
        let tile = tile.place(&self.plan.crs, &mut said.warnings)?;
        said.shift(&tile.crs, &self.plan.crs, tile.centre());
        let (grid, crs) = (&self.plan.grid, &self.plan.crs);
        if !tile.bounds.intersects(&self.plan.extent()) {
            let (layer, source) = (self.entry.name.clone(), self.entry.source.clone());
            said.warn(Note::RasterOutside { layer, source });
            return Ok(None);
        }
        let group = Group { tiles: vec![&tile] };
        let how = match how {
            _ if is_aligned(&group, grid, crs) => Resampling::Nearest,
            Some(how) => how,
            None => Resampling::for_ratio(grid.dx / tile.cell_m),
        };
        let mut words = warp::common_words();
        words.extend(warp::grid_words(grid, crs));
        words.extend(working_words(how, tile.cell_m));
        let out = self.staging.work(&format!("warped_{}", self.file));
        let what = format!("raster '{}' cannot be read", self.entry.source);
        let dataset = warp::gdal_warp(&[&group.open()?], &out, &words, &what, &mut native::watch(self.progress))?;
        Ok(Some((dataset, tile.crs.clone(), format!("{} resampling", how.name()))))
    }

    fn working(&self, kind: GdalDataType, fill: f64) -> Result<Dataset> {
        rasterize::create_working(&self.staging.work(&self.file), &self.plan.grid, &self.plan.crs, kind, fill)
    }

    fn burn(&self, working: &Dataset, shapes: &[(&geo::Geometry<f64>, f64)]) -> Result<()> {
        let what = format!("'{}' cannot be rasterised", self.entry.source);
        rasterize::rasterize(working, shapes, &what, &mut native::watch(self.progress))
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of the layer it builds")]
    fn finish(
        &self,
        working: Dataset,
        section: &'static str,
        key: Option<&'static str>,
        unit: &str,
        codes: BTreeMap<u8, String>,
        source_crs: &Crs,
        method: String,
        said: &mut Said,
    ) -> Result<PreparedLayer> {
        rasterize::label(&working, key.unwrap_or("class"), unit)?;
        let out = self.staging.site(&self.file);
        translate::to_cog(&working, &out, key.is_some(), &mut native::watch(self.progress))?;
        let (folder, name) = (self.staging.site(""), self.file.trim_end_matches(".tif"));
        match key {
            Some(_) => styles::write_values(&folder, name, rasterize::range(&working, &self.plan.grid)?, unit)?,
            None => styles::write_classes(&folder, name, &codes)?,
        }
        let (file, source) = (self.file.clone(), self.entry.source.clone());
        said.note(Note::LayerWritten {
            file: file.clone(),
            source: source.clone(),
            crs: source_crs.to_string(),
            method: method.clone(),
            classes: codes.values().cloned().collect(),
        });
        Ok(PreparedLayer { section, key, file, codes, source, source_crs: source_crs.label().to_owned(), method })
    }
}

/// The layer's own spelling of a field.
fn field<'a>(layer: &'a VectorLayer, name: &str) -> Option<&'a str> {
    let names = || layer.fields.iter().map(|f| f.name.as_str());
    names().find(|n| *n == name).or_else(|| names().find(|n| n.eq_ignore_ascii_case(name)))
}

fn has_field(layer: &VectorLayer, name: &str) -> bool {
    field(layer, name).is_some()
}

fn missing_attribute(layer: &VectorLayer, name: &str, source: &str, key: &str) -> Error {
    let fields = layer.field_names();
    let held = if fields.is_empty() { "none".to_owned() } else { fields.join(", ") };
    Error::input(format!(
        "'{source}' has no attribute '{name}'; its attributes are: {held}; name one with --layer {key}={source}:ATTRIBUTE"
    ))
}
