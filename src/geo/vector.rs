//! Reading vector layers: every feature with its geometry in the wanted CRS and its attributes.

use std::collections::BTreeMap;
use std::path::Path;

use ::geo::{BoundingRect, Coord, CoordsIter, Geometry};
use gdal::vector::{Layer, LayerAccess};
use gdal::{Dataset, DatasetOptions, GdalOpenFlags};
use gdal_sys::{OGRErr, OGRFeatureH, OGRFieldType, OGRwkbGeometryType};

use super::ogr_geometry::Ogr;
use super::repair::{self, Checked};
pub use super::vector_source::{LayerChoice, Location, VectorSourceResolved};
use super::{Bounds, Crs, Transformer, area_of_use, crs, gdal_glue, lockdown, query_limit};
use crate::{Error, Result, interrupt};

/// No projection has coordinates as large, whatever its unit and false origin.
const FARTHEST: f64 = 1e9;
/// More features or vertices than any layer of a site: a query without end would fill the memory.
const MOST_FEATURES: usize = 500_000;
const MOST_VERTICES: usize = 50_000_000;

/// A layer in memory. Features without geometry are left out (and named in `warnings`); there is at least one.
#[derive(Debug, Clone)]
pub struct VectorLayer {
    pub name: String,
    pub features: Vec<Feature>,
    /// The CRS the geometries are in now.
    pub crs: Crs,
    /// The CRS the file is in.
    pub source_crs: Crs,
    pub fields: Vec<FieldInfo>,
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// The feature id as GIS programs show it.
    pub id: i64,
    pub geometry: Geometry<f64>,
    /// Heights of the vertices in their order, as in the file (not transformed), if it has any.
    pub z: Option<Vec<f64>>,
    pub attributes: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldInfo {
    pub name: String,
    pub kind: FieldType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    Integer,
    Real,
    Text,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Integer(i64),
    Real(f64),
    /// Also dates and lists, as GDAL writes them.
    Text(String),
    Null,
}

impl Value {
    /// The number, also of a text that is one. Never NaN or infinite.
    pub fn as_f64(&self) -> Option<f64> {
        let number = match self {
            Value::Integer(n) => *n as f64,
            Value::Real(x) => *x,
            Value::Text(text) => text.trim().parse().ok()?,
            Value::Null => return None,
        };
        number.is_finite().then_some(number)
    }

    /// The text; whole numbers without decimals, so that codes compare as written.
    pub fn as_text(&self) -> Option<String> {
        match self {
            Value::Integer(n) => Some(n.to_string()),
            Value::Real(x) => Some(x.to_string()),
            Value::Text(text) => Some(text.clone()),
            Value::Null => None,
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }
}

impl VectorLayer {
    /// The rectangle around all features.
    pub fn bounds(&self) -> Option<Bounds> {
        let rectangles = self.features.iter().filter_map(|f| f.geometry.bounding_rect());
        rectangles.map(|r| Bounds::new(r.min().x, r.min().y, r.max().x, r.max().y)).reduce(|a, b| a.union(&b))
    }

    pub fn has_field(&self, name: &str) -> bool {
        self.fields.iter().any(|f| f.name == name)
    }

    /// The names of all attributes, for "expected one of …".
    pub fn field_names(&self) -> Vec<&str> {
        self.fields.iter().map(|f| f.name.as_str()).collect()
    }
}

/// Reads a layer and brings it to `target` (or leaves it in its own CRS).
pub fn read(source: &VectorSourceResolved, target: Option<&Crs>) -> Result<VectorLayer> {
    gdal_glue::init();
    let is_geopackage = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gpkg"));
    match &source.location {
        // Only a view with functions of its own fails without SpatiaLite.
        Location::File { path, .. } if is_geopackage(path) => {
            let again = |error| if query_limit::expired() { Err(error) } else { read_opened(source, target) };
            gdal_glue::without_spatialite(|| read_opened(source, target)).or_else(again)
        }
        _ => read_opened(source, target),
    }
}

fn read_opened(source: &VectorSourceResolved, target: Option<&Crs>) -> Result<VectorLayer> {
    query_limit::explain(&source.name, || read_layer(&open(source)?, source, target))
}

fn read_layer(dataset: &Dataset, source: &VectorSourceResolved, target: Option<&Crs>) -> Result<VectorLayer> {
    let mut layer = choose_layer(dataset, source)?;
    if layer.defn().geometry_type() == OGRwkbGeometryType::wkbNone {
        return Err(Error::input(format!(
            "'{}' is a table without geometry, but points, lines or polygons are needed",
            source.name
        )));
    }
    let source_crs = crs_of(dataset, &layer, source)?;
    let crs = target.unwrap_or(&source_crs).clone();
    let transformer = Transformer::new(&source_crs, &crs)?;
    let shown = source.name.as_str();
    if let Some(filter) = source.filter.as_ref().filter(|text| !text.trim().is_empty()) {
        set_filter(&mut layer, filter, shown)?;
    }
    let fields = fields_of(&layer);
    let mut reader = Reader {
        shown,
        source_crs: &source_crs,
        filter: source.filter.as_deref(),
        transformer: &transformer,
        fields: &fields,
        guard: area_of_use::Guard::new(&source_crs)?,
        checked: None,
        warnings: Vec::new(),
    };
    let features = reader.features(&mut layer)?;
    let warnings = reader.warnings;
    if features.is_empty() {
        return Err(nothing_there(&mut layer, source, warnings.len()));
    }
    Ok(VectorLayer { name: layer.name(), features, crs, source_crs, fields, warnings })
}

/// The names of the layers in a file.
pub fn layer_names(path: &Path) -> Result<Vec<String>> {
    gdal_glue::init();
    let source = VectorSourceResolved {
        location: Location::File { path: path.to_path_buf(), layer: LayerChoice::Only },
        crs: None,
        filter: None,
        name: path.display().to_string(),
    };
    let dataset = open(&source)?;
    Ok(dataset.layers().map(|l| l.name()).collect())
}

fn open(source: &VectorSourceResolved) -> Result<Dataset> {
    let flags = GdalOpenFlags::GDAL_OF_VECTOR | GdalOpenFlags::GDAL_OF_READONLY | GdalOpenFlags::GDAL_OF_VERBOSE_ERROR;
    let shown = &source.name;
    match &source.location {
        Location::Inline(value) => {
            let text = value.to_string();
            // The geojson crate names what is wrong; GDAL, which reads the features, would only shrug.
            text.parse::<geojson::GeoJson>().map_err(|e| Error::input(format!("{shown} is not valid GeoJSON: {e}")))?;
            let options =
                DatasetOptions { open_flags: flags, allowed_drivers: Some(&["GeoJSON"]), ..Default::default() };
            gdal_glue::clear_messages();
            let opened = lockdown::without_network(Path::new(shown), || Ok(Dataset::open_ex(&text, options)))?;
            let because = gdal_glue::because();
            opened.map_err(|_| Error::input(format!("{shown} is not GeoJSON that holds features{because}")))
        }
        Location::File { path, .. } => {
            gdal_glue::check_readable(path, "vector file")?;
            crs::expect_database()?;
            check_shapefile_companions(path)?;
            gdal_glue::clear_messages();
            let open = || Ok(Dataset::open_ex(path, DatasetOptions { open_flags: flags, ..Default::default() }));
            let opened = lockdown::without_network(path, open)?;
            let because = gdal_glue::because();
            let path_shown = path.display();
            let dataset = opened.map_err(|_| {
                if super::raster::open(path).is_ok() {
                    return Error::input(format!("'{path_shown}' is a raster, but a vector layer is needed here"));
                }
                Error::input(format!("'{path_shown}' is damaged or not a vector file in a format GDAL reads{because}"))
            })?;
            if dataset.layer_count() == 0 {
                return Err(Error::input(format!("'{path_shown}' holds no layer")));
            }
            Ok(dataset)
        }
    }
}

/// A shapefile is at least three files; people copy one.
fn check_shapefile_companions(path: &Path) -> Result<()> {
    let is = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
    if !is("shp") {
        return Ok(());
    }
    for (ending, what) in [("shx", "index"), ("dbf", "attribute table")] {
        let candidates = [path.with_extension(ending), path.with_extension(ending.to_uppercase())];
        if !candidates.iter().any(|c| c.is_file()) {
            return Err(Error::input(format!(
                "shapefile '{}' lacks its .{ending} file ({what}): a shapefile is several files (.shp, .shx, .dbf, .prj), \
                 copy all of them",
                path.display()
            )));
        }
    }
    Ok(())
}

fn choose_layer<'a>(dataset: &'a Dataset, source: &VectorSourceResolved) -> Result<Layer<'a>> {
    let shown = &source.name;
    let names = || dataset.layers().map(|l| format!("'{}'", l.name())).collect::<Vec<_>>().join(", ");
    let choice = match &source.location {
        Location::File { layer, .. } => layer.clone(),
        Location::Inline(_) => LayerChoice::Only,
    };
    let missing = |what: String| Error::input(format!("'{shown}' has no layer {what}: it holds {}", names()));
    match choice {
        LayerChoice::Name(name) => {
            gdal_glue::clear_messages();
            dataset.layer_by_name(&name).map_err(|_| missing(format!("'{name}'")))
        }
        LayerChoice::Number(number) => dataset.layer(number).map_err(|_| missing(format!("number {number}"))),
        LayerChoice::Only if dataset.layer_count() > 1 => Err(Error::input(format!(
            "'{shown}' holds several layers, {}: say which with '{shown}|layername=NAME'",
            names()
        ))),
        LayerChoice::Only => dataset.layer(0).map_err(|_| Error::input(format!("'{shown}' holds no layer"))),
    }
}

fn crs_of(dataset: &Dataset, layer: &Layer, source: &VectorSourceResolved) -> Result<Crs> {
    let shown = &source.name;
    let own = Crs::stated_by(layer.spatial_ref().as_ref())?;
    // GeoJSON without a `crs` member is longitude and latitude by its standard; that is an assumption, not a statement.
    let assumed = match &source.location {
        Location::Inline(value) => value.get("crs").is_none_or(|c| c.is_null()),
        Location::File { path, .. } => dataset.driver().short_name() == "GeoJSON" && !mentions_crs(path),
    };
    match (own, &source.crs) {
        (_, Some(stated)) if assumed => Ok(stated.clone()),
        (Some(own), Some(stated)) if !own.same_as(stated) => Err(Error::input(format!(
            "layer '{shown}' says its CRS is {own}, but {stated} is stated for it: remove the stated CRS, or mend the file"
        ))),
        (Some(crs), _) => Ok(crs),
        (None, Some(stated)) => Ok(stated.clone()),
        (None, None) => Err(Error::input(format!(
            "layer '{shown}' does not say which CRS it is in{}: state it (`crs: EPSG:…`), or add it to the file",
            match &source.location {
                Location::File { path, .. } if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("shp")) =>
                    " (its .prj file is missing)",
                _ => "",
            }
        ))),
    }
}

/// Does a GeoJSON file hold a `crs` member? It stands at the top level, so near the beginning or the end.
fn mentions_crs(path: &Path) -> bool {
    use std::io::{Read, Seek, SeekFrom};
    const REACH: u64 = 65_536;
    let search = || -> std::io::Result<bool> {
        let mut file = std::fs::File::open(path)?;
        let mut text = Vec::new();
        file.by_ref().take(REACH).read_to_end(&mut text)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(REACH).max(text.len() as u64)))?;
        file.read_to_end(&mut text)?;
        Ok(text.windows(5).any(|w| w == b"\"crs\""))
    };
    search().unwrap_or(false)
}

fn set_filter(layer: &mut Layer, filter: &str, shown: &str) -> Result<()> {
    let text = gdal_glue::c_string(filter)?;
    gdal_glue::clear_messages();
    // SAFETY: the layer and the string live until the call returns.
    let code = unsafe { gdal_sys::OGR_L_SetAttributeFilter(layer.c_layer(), text.as_ptr()) };
    if code == OGRErr::OGRERR_NONE {
        return Ok(());
    }
    Err(wrong_filter(layer, filter, &gdal_glue::because(), shown))
}

fn wrong_filter(layer: &Layer, filter: &str, because: &str, shown: &str) -> Error {
    let names: Vec<String> = layer.defn().fields().map(|f| f.name()).collect();
    Error::input(format!(
        "the filter \"{filter}\" cannot be used on layer '{shown}'{because}: expected a condition such as \"volume > 2\" on \
         its attributes {}",
        if names.is_empty() { "(it has none)".to_string() } else { names.join(", ") }
    ))
}

fn fields_of(layer: &Layer) -> Vec<FieldInfo> {
    let kind = |kind| match kind {
        OGRFieldType::OFTInteger | OGRFieldType::OFTInteger64 => FieldType::Integer,
        OGRFieldType::OFTReal => FieldType::Real,
        _ => FieldType::Text,
    };
    layer.defn().fields().map(|f| FieldInfo { name: f.name(), kind: kind(f.field_type()) }).collect()
}

fn nothing_there(layer: &mut Layer, source: &VectorSourceResolved, skipped: usize) -> Error {
    let shown = &source.name;
    if skipped > 0 {
        return Error::input(format!("layer '{shown}' has {skipped} features, but none of them has a geometry"));
    }
    match &source.filter {
        Some(filter) => {
            layer.clear_attribute_filter();
            let all = layer.feature_count();
            Error::input(format!("the filter \"{filter}\" leaves none of the {all} features of layer '{shown}'"))
        }
        None => Error::input(format!("layer '{shown}' is empty: it holds no features")),
    }
}

struct Reader<'a> {
    shown: &'a str,
    source_crs: &'a Crs,
    filter: Option<&'a str>,
    transformer: &'a Transformer,
    fields: &'a [FieldInfo],
    guard: area_of_use::Guard,
    /// A rectangle known to lie in the CRS' area of use.
    checked: Option<Bounds>,
    warnings: Vec<String>,
}

impl Reader<'_> {
    fn features(&mut self, layer: &mut Layer) -> Result<Vec<Feature>> {
        let (mut features, mut rows, mut vertices) = (Vec::new(), 0, 0);
        layer.reset_feature_reading();
        loop {
            gdal_glue::clear_messages();
            // SAFETY: the feature is ours until OGR_F_Destroy below.
            let handle = unsafe { gdal_sys::OGR_L_GetNextFeature(layer.c_layer()) };
            // OGR returns null at the end and on an error alike.
            if let Some(error) = gdal_glue::take_error() {
                if !handle.is_null() {
                    // SAFETY: ours, not null, and not used any more.
                    unsafe { gdal_sys::OGR_F_Destroy(handle) };
                }
                // Databases look at a filter only when they first use it.
                if let Some(filter) = self.filter.filter(|_| features.is_empty()) {
                    return Err(wrong_filter(layer, filter, &format!(" ({error})"), self.shown));
                }
                return Err(Error::input(format!(
                    "layer '{}' is damaged or cut short: after {} features GDAL reports \"{error}\"; copy or export it again",
                    self.shown,
                    features.len()
                )));
            }
            if handle.is_null() {
                return Ok(features);
            }
            let feature = self.feature(handle);
            // SAFETY: ours, not null, and what was read from it is a copy.
            unsafe { gdal_sys::OGR_F_Destroy(handle) };
            interrupt::check()?;
            let feature = feature?;
            vertices += feature.as_ref().map_or(0, |feature| feature.geometry.coords_count());
            features.extend(feature);
            rows += 1;
            if rows > MOST_FEATURES || vertices > MOST_VERTICES {
                return Err(Error::input(format!(
                    "layer '{}' has more than {MOST_FEATURES} features or {MOST_VERTICES} vertices: cut out what lies on the \
                     DEM with `couloir clip`, or choose with `filter`",
                    self.shown
                )));
            }
        }
    }

    fn feature(&mut self, handle: OGRFeatureH) -> Result<Option<Feature>> {
        let shown = self.shown;
        // SAFETY: the geometry belongs to the feature; we work on a copy.
        let (id, geometry) = unsafe { (gdal_sys::OGR_F_GetFID(handle), gdal_sys::OGR_F_GetGeometryRef(handle)) };
        let linear = if geometry.is_null() { None } else { Ogr::linear_copy(geometry) };
        let Some(linear) = linear.filter(|g| !g.is_empty()) else {
            self.warnings.push(format!("feature {id} of '{shown}' has no geometry and is left out"));
            return Ok(None);
        };
        let wrong = |what: String| Error::input(format!("feature {id} of layer '{shown}': {what}"));
        let mut z = Vec::new();
        let before = linear.to_geo(&mut z).ok_or_else(|| wrong("its kind of geometry is not supported".into()))?;
        self.refuse_impossible_coordinates(&before).map_err(|e| wrong(e.message))?;
        self.expect_in_area_of_use(id, &before)?;
        let is_3d = linear.is_3d();
        let (ogr, repaired) = match repair::check(linear) {
            Checked::Valid(ogr) => (ogr, false),
            Checked::Repaired(ogr, fault) => {
                self.warnings.push(format!("polygon {id} of '{shown}' was repaired: {fault}"));
                (ogr, true)
            }
            Checked::Ambiguous(fault) => {
                return Err(wrong(format!(
                    "its polygon is invalid ({fault}) and can be read in more than one way; mend it in the file, e.g. with \
                     QGIS' \"Fix geometries\""
                )));
            }
        };
        let geometry = ogr.to_geo(&mut Vec::new()).ok_or_else(|| wrong("its geometry cannot be used".into()))?;
        let geometry = self.transformer.geometry(&geometry).map_err(|e| wrong(e.message))?;
        let attributes =
            self.fields.iter().enumerate().map(|(k, field)| (field.name.clone(), value_of(handle, k as i32))).collect();
        let z = (is_3d && !repaired).then_some(z);
        Ok(Some(Feature { id, geometry, z, attributes }))
    }

    fn expect_in_area_of_use(&mut self, id: i64, geometry: &Geometry<f64>) -> Result<()> {
        let Some(rectangle) = geometry.bounding_rect() else { return Ok(()) };
        let own = Bounds::new(rectangle.min().x, rectangle.min().y, rectangle.max().x, rectangle.max().y);
        let known = |b: &Bounds| b.contains(own.west, own.south) && b.contains(own.east, own.north);
        if self.checked.as_ref().is_some_and(known) {
            return Ok(());
        }
        let warning = self.guard.check(&own, &format!("feature {id} of layer '{}'", self.shown))?;
        match warning {
            Some(warning) => {
                self.warnings.push(warning);
                // Once is enough.
                self.checked = Some(Bounds::new(f64::MIN, f64::MIN, f64::MAX, f64::MAX));
            }
            None => self.checked = Some(self.checked.map_or(own, |checked| checked.union(&own))),
        }
        Ok(())
    }

    /// What no repair can mend: coordinates that are no numbers, or metres in a layer that claims degrees (the classic
    /// of GeoJSON exported without reprojecting).
    fn refuse_impossible_coordinates(&self, geometry: &Geometry<f64>) -> Result<()> {
        let crs = self.source_crs;
        for Coord { x, y } in geometry.coords_iter() {
            if !(x.is_finite() && y.is_finite()) {
                return Err(Error::input(format!("a coordinate is not a number ({x}, {y}); mend it in the file")));
            }
            if x.abs().max(y.abs()) > FARTHEST {
                return Err(Error::input(format!(
                    "the coordinates ({x:e}, {y:e}) lie nowhere on Earth; mend them in the file"
                )));
            }
            if crs.is_geographic() && (x.abs() > 540.0 || y.abs() > 360.0) {
                return Err(Error::input(format!(
                    "the coordinates ({x}, {y}) cannot be degrees, as its CRS {crs} demands: state the CRS they are in \
                     (`crs: EPSG:…`)"
                )));
            }
        }
        Ok(())
    }
}

fn value_of(feature: OGRFeatureH, index: i32) -> Value {
    // SAFETY: the index is one of the layer's fields; strings are copied before the feature goes.
    unsafe {
        if gdal_sys::OGR_F_IsFieldSetAndNotNull(feature, index) == 0 {
            return Value::Null;
        }
        match gdal_sys::OGR_Fld_GetType(gdal_sys::OGR_F_GetFieldDefnRef(feature, index)) {
            OGRFieldType::OFTInteger | OGRFieldType::OFTInteger64 => {
                Value::Integer(gdal_sys::OGR_F_GetFieldAsInteger64(feature, index))
            }
            OGRFieldType::OFTReal => Value::Real(gdal_sys::OGR_F_GetFieldAsDouble(feature, index)),
            _ => Value::Text(gdal_glue::text_of(gdal_sys::OGR_F_GetFieldAsString(feature, index))),
        }
    }
}
