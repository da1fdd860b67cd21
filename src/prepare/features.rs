//! Release areas, lines and barriers: brought to the project CRS, clipped to the grid, written as GeoPackages.

use std::collections::BTreeSet;
use std::path::Path;

use geo::{Geometry, MultiLineString, MultiPoint, MultiPolygon};
use serde::Serialize;

use super::Said;
use super::plan::Plan;
use super::request::{BarrierEntry, FeatureEntry, PrepareFile};
use super::staging::Staging;
use super::styles;
use crate::files::names::file_name;
use crate::geo::area::{Area, AreaSource};
use crate::geo::vector::{self, VectorLayer, VectorSourceResolved};
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Value, VectorWriter};
use crate::geo::{Bounds, Crs, Transformer, crs};
use crate::process::progress::Progress;
use crate::{Error, Note, Result};

#[derive(Debug, Clone, Serialize)]
pub(crate) struct PreparedFeatures {
    pub role: Role,
    pub name: String,
    pub file: String,
    pub features: usize,
    pub outside: usize,
    pub source: String,
    pub source_crs: String,
    #[serde(skip)]
    pub barrier: Option<BarrierEntry>,
    /// The features say how large their rocks are, in this attribute.
    pub size_attribute: Option<&'static str>,
    /// The release was not named: every steep cell of the area is one.
    pub steep_cells: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    Release,
    Line,
    Barrier,
}

pub(crate) fn build(
    request: &PrepareFile,
    plan: &Plan,
    staging: &Staging,
    said: &mut Said,
    progress: &Progress,
) -> Result<Vec<PreparedFeatures>> {
    progress.stage_of_fractions("features");
    let extent = plan.extent();
    let rectangle = Area::read(&AreaSource::Extent { bounds: extent, crs: None }, &plan.crs)?;
    let mut job = Job { plan, staging, rectangle, names: BTreeSet::new(), done: Vec::new() };
    for entry in &request.release {
        job.add(Role::Release, entry, None, said)?;
    }
    if request.release.is_empty() {
        job.steep_cells(said)?;
    }
    for entry in &request.lines {
        job.add(Role::Line, entry, None, said)?;
    }
    for barrier in &request.barriers {
        let BarrierEntry { name, source, crs, .. } = barrier.clone();
        let entry = FeatureEntry { source, name: Some(name), crs, filter: None };
        job.add(Role::Barrier, &entry, Some(barrier), said)?;
    }
    Ok(job.done)
}

/// Reads a vector layer into the project CRS.
pub(crate) fn read_layer(
    source: &str,
    own_crs: Option<&str>,
    filter: Option<&str>,
    plan: &Plan,
    said: &mut Said,
) -> Result<VectorLayer> {
    let mut resolved = VectorSourceResolved::file(source)?;
    resolved.crs = match own_crs {
        Some(text) => Some(Crs::from_user(text)?),
        None => plan.layer_crs.clone().filter(|_| !states_crs(source)),
    };
    resolved.filter = match (resolved.filter.take(), filter) {
        (Some(a), Some(b)) => Some(format!("({a}) AND ({b})")),
        (a, b) => a.or(b.map(str::to_owned)),
    };
    let layer = vector::read(&resolved, Some(&plan.crs)).map_err(|e| {
        let message = e.message.replace("`crs: EPSG:…`", "--layer-crs EPSG:…");
        Error { message, ..e }
    })?;
    said.warnings.extend(layer.warnings.iter().cloned());
    if let Some((x, y)) = layer.bounds().map(|bounds| bounds.centre()) {
        let centre = Transformer::new(&plan.crs, &layer.source_crs).and_then(|way| way.xy(x, y));
        centre.iter().for_each(|centre| said.shift(&layer.source_crs, &plan.crs, *centre));
    }
    Ok(layer)
}

/// Whether a layer says its own CRS: then the fallback does not concern it.
fn states_crs(source: &str) -> bool {
    VectorSourceResolved::file(source).and_then(|s| vector::read(&s, None)).is_ok()
}

/// Both extents, and whether the axes of a layer look swapped that has nothing inside.
struct NoOverlap {
    extent: String,
    area: String,
    swapped: bool,
}

fn no_overlap(layer: &VectorLayer, plan: &Plan) -> NoOverlap {
    let show = |b: &Bounds| format!("x {:.1} to {:.1}, y {:.1} to {:.1}", b.west, b.east, b.south, b.north);
    let extent = plan.extent();
    let place = layer.bounds().map(|b| show(&b)).unwrap_or_default();
    let own =
        layer.bounds().and_then(|b| crate::geo::Transformer::new(&plan.crs, &layer.source_crs).ok()?.bounds(&b).ok());
    let swapped = own.is_some_and(|b| crs::looks_like_swapped_axes(&b, &extent, &layer.source_crs, &plan.crs));
    NoOverlap { extent: place, area: show(&extent), swapped }
}

/// A layer of parameters has nothing inside and is left out.
pub(crate) fn outside_note(name: &str, layer: &VectorLayer, plan: &Plan) -> Note {
    let NoOverlap { extent, area, swapped } = no_overlap(layer, plan);
    Note::LayerOutside { layer: name.to_string(), source: layer.name.clone(), extent, area, swapped }
}

struct Job<'a> {
    plan: &'a Plan,
    staging: &'a Staging,
    rectangle: Area,
    names: BTreeSet<String>,
    done: Vec<PreparedFeatures>,
}

impl Job<'_> {
    fn add(&mut self, role: Role, entry: &FeatureEntry, barrier: Option<&BarrierEntry>, said: &mut Said) -> Result<()> {
        let (plan, source) = (self.plan, &entry.source);
        let layer = read_layer(source, entry.crs.as_deref(), entry.filter.as_deref(), plan, said)?;
        let path = source.split('|').next().unwrap_or(source);
        let stem = Path::new(path).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let label = entry.name.clone().unwrap_or(stem);
        let mut kept = Vec::new();
        for feature in &layer.features {
            if role != Role::Release && matches!(feature.geometry, Geometry::Point(_) | Geometry::MultiPoint(_)) {
                return Err(Error::input(format!("feature {} of '{source}' is a point, expected a line", feature.id)));
            }
            if let Some(geometry) = self.rectangle.clip(&feature.geometry) {
                kept.push((geometry, feature));
            }
        }
        let outside = layer.features.len() - kept.len();
        if kept.is_empty() {
            let NoOverlap { extent, area, swapped } = no_overlap(&layer, plan);
            let hint = if swapped { "; its x and y seem to be swapped" } else { "" };
            return Err(Error::input(format!(
                "'{}' ({extent}) lies outside the area ({area}){hint}: nothing of it is left",
                layer.name
            )));
        }
        if outside > 0 {
            said.warn(Note::FeaturesOutside { source: source.clone(), outside, of: layer.features.len() });
        }
        let file = self.file_name(role, &label);
        let geometries: Vec<Geometry<f64>> = kept.iter().map(|(g, _)| g.clone()).collect();
        let (kind, geometries) = uniform(geometries);
        let names: Vec<String> = layer.fields.iter().map(|f| safe_field(&f.name)).collect();
        let fields: Vec<(&str, FieldType)> =
            names.iter().zip(&layer.fields).map(|(name, field)| (name.as_str(), field.kind)).collect();
        let out = self.staging.site(&file);
        let mut writer = VectorWriter::create(&out, Format::GeoPackage, stem_of(&file), &plan.crs, kind, &fields)?;
        for (geometry, (_, feature)) in geometries.iter().zip(&kept) {
            let value = |f: &vector::FieldInfo| feature.attributes.get(&f.name).cloned().unwrap_or(Value::Null);
            writer.write(geometry, &layer.fields.iter().map(value).collect::<Vec<_>>())?;
        }
        writer.finish()?;
        let (folder, name) = (self.staging.site(""), stem_of(&file));
        match role {
            Role::Release => styles::write_release(&folder, name, kind)?,
            Role::Line | Role::Barrier => styles::write_lines(&folder, name, kind)?,
        }
        said.note(Note::FeaturesWritten {
            file: file.clone(),
            source: source.clone(),
            crs: layer.source_crs.to_string(),
            features: kept.len(),
        });
        self.done.push(PreparedFeatures {
            role,
            name: label,
            file,
            features: kept.len(),
            outside,
            source: source.clone(),
            source_crs: layer.source_crs.label().to_owned(),
            barrier: barrier.cloned(),
            size_attribute: size_attribute(&kept),
            steep_cells: false,
        });
        Ok(())
    }

    /// Without a release layer: the area itself, from which the project takes the steep cells.
    fn steep_cells(&mut self, said: &mut Said) -> Result<()> {
        let area = Geometry::MultiPolygon(self.plan.core.shape.clone());
        let Some(area) = self.rectangle.clip(&area) else {
            return Err(Error::input("the area of interest itself lies outside the DEM; only its buffer reaches it"));
        };
        let file = self.file_name(Role::Release, "release");
        let (kind, shapes) = uniform(vec![area]);
        let out = self.staging.site(&file);
        let mut writer = VectorWriter::create(&out, Format::GeoPackage, stem_of(&file), &self.plan.crs, kind, &[])?;
        for shape in &shapes {
            writer.write(shape, &[])?;
        }
        writer.finish()?;
        styles::write_release(&self.staging.site(""), stem_of(&file), kind)?;
        said.warn(Note::NoReleaseNamed);
        self.done.push(PreparedFeatures {
            role: Role::Release,
            name: "steep slopes".into(),
            file,
            features: shapes.len(),
            outside: 0,
            source: "area of interest".into(),
            source_crs: self.plan.crs.label().to_owned(),
            barrier: None,
            size_attribute: None,
            steep_cells: true,
        });
        Ok(())
    }

    /// `release.gpkg`, `line_road.gpkg`; a number keeps names apart.
    fn file_name(&mut self, role: Role, label: &str) -> String {
        let plain = file_name(label);
        let base = match role {
            Role::Release if plain.contains("release") || label.is_empty() => "release".to_owned(),
            Role::Release => format!("release_{plain}"),
            Role::Line => format!("line_{plain}"),
            Role::Barrier => format!("barrier_{plain}"),
        };
        let numbered = |k: usize| if k == 1 { base.clone() } else { format!("{base}_{k}") };
        let name = (1..).map(numbered).find(|n| !self.names.contains(n)).unwrap_or(base.clone());
        self.names.insert(name.clone());
        format!("{name}.gpkg")
    }
}

/// `volume_m3` or `mass_kg`, if every feature has a positive number there.
fn size_attribute(kept: &[(Geometry<f64>, &vector::Feature)]) -> Option<&'static str> {
    let says =
        |name: &str| kept.iter().all(|(_, f)| f.attributes.get(name).and_then(Value::as_f64).is_some_and(|v| v > 0.0));
    ["volume_m3", "mass_kg"].into_iter().find(|name| says(name))
}

fn stem_of(file: &str) -> &str {
    file.strip_suffix(".gpkg").unwrap_or(file)
}

/// GeoPackage keeps these names for itself.
fn safe_field(name: &str) -> String {
    if ["fid", "geom"].contains(&name.to_lowercase().as_str()) { format!("{name}_source") } else { name.to_owned() }
}

/// One kind for the whole layer: multi-parts where lines or polygons may have been cut into several.
fn uniform(geometries: Vec<Geometry<f64>>) -> (GeometryKind, Vec<Geometry<f64>>) {
    let all = |test: fn(&Geometry<f64>) -> bool| geometries.iter().all(test);
    if all(|g| matches!(g, Geometry::Point(_))) {
        (GeometryKind::Point, geometries)
    } else if all(|g| matches!(g, Geometry::Point(_) | Geometry::MultiPoint(_))) {
        (GeometryKind::MultiPoint, geometries.into_iter().map(many).collect())
    } else if all(|g| matches!(g, Geometry::LineString(_) | Geometry::MultiLineString(_))) {
        (GeometryKind::MultiLineString, geometries.into_iter().map(many).collect())
    } else if all(|g| matches!(g, Geometry::Polygon(_) | Geometry::MultiPolygon(_))) {
        (GeometryKind::MultiPolygon, geometries.into_iter().map(many).collect())
    } else {
        (GeometryKind::Any, geometries)
    }
}

fn many(geometry: Geometry<f64>) -> Geometry<f64> {
    match geometry {
        Geometry::Point(p) => Geometry::MultiPoint(MultiPoint(vec![p])),
        Geometry::LineString(l) => Geometry::MultiLineString(MultiLineString(vec![l])),
        Geometry::Polygon(p) => Geometry::MultiPolygon(MultiPolygon(vec![p])),
        other => other,
    }
}
