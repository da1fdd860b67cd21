//! Writing vector layers: shapefile, GeoPackage, FlatGeobuf, GeoJSON and CSV, complete or not at all, the same features
//! giving the same bytes.
//!
//! - **GeoJSON** follows its standard (RFC 7946): longitude and latitude on WGS 84, whatever the CRS of the geometries.
//!   [`Format::GeoJsonInCrs`] keeps the coordinates and names the CRS in a `crs` member, which GDAL and QGIS understand.
//! - **Shapefile** cannot hold field names longer than 10 characters, texts longer than 254 bytes or files over 2 GB.
//!   Names are shortened by [`short_field_names`] (the mapping is in [`Written`]), texts are cut with a warning, and at
//!   the size limit the writer stops taking features and says so ([`Written::truncated_at`]).
//! - **CSV** holds the attributes, and x and y of points.

use std::path::{Path, PathBuf};

use ::geo::Geometry;
use gdal::vector::{FieldDefn, LayerAccess, LayerOptions};
use gdal::{Dataset, DatasetOptions, DriverManager, GdalOpenFlags};
use gdal_sys::{OGRErr, OGRFieldType};

use super::field_names::{cut, short_field_names};
use super::geojson_write::GeoJsonFile;
use super::ogr_geometry::{self, Ogr};
pub use super::vector::{FieldType, Value};
use super::vector_format::REMARK;
pub use super::vector_format::{Format, GeometryKind};
pub(crate) use super::vector_format::{describe, described};
use super::{Crs, atomic, gdal_glue};
use crate::{Error, Note, Result};

/// A geometry to write; `geo`'s own are two-dimensional.
#[derive(Debug, Clone, Copy)]
pub enum Shape<'a> {
    /// A table has none.
    None,
    /// x and y.
    Point(f64, f64),
    /// x, y and height.
    Point3D([f64; 3]),
    /// Points with heights.
    LineString3D(&'a [[f64; 3]]),
    /// Any other.
    Geo(&'a Geometry<f64>),
}

impl<'a> From<&'a Geometry<f64>> for Shape<'a> {
    fn from(geometry: &'a Geometry<f64>) -> Self {
        Shape::Geo(geometry)
    }
}

impl<'a> From<&'a [[f64; 3]]> for Shape<'a> {
    fn from(line: &'a [[f64; 3]]) -> Self {
        Shape::LineString3D(line)
    }
}

impl From<[f64; 3]> for Shape<'_> {
    fn from(point: [f64; 3]) -> Self {
        Shape::Point3D(point)
    }
}

impl Shape<'_> {
    fn to_ogr(self) -> Option<Ogr> {
        match self {
            Shape::None => None,
            Shape::Point(x, y) => Some(ogr_geometry::point(&[x, y])),
            Shape::Point3D(point) => Some(ogr_geometry::point(&point)),
            Shape::LineString3D(line) => Some(ogr_geometry::line_3d(line)),
            Shape::Geo(geometry) => Some(Ogr::from_geo(geometry)),
        }
    }
}

/// Who writes.
enum Sink {
    Gdal(Dataset),
    GeoJson(GeoJsonFile),
}

/// What came of a layer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Written {
    /// Written.
    pub features: u64,
    /// Field names as asked for and as the file has them, where they differ.
    pub renamed_fields: Vec<(String, String)>,
    /// The number of features after which the size limit of the format was reached; later ones are missing.
    pub truncated_at: Option<u64>,
    /// What the user should know.
    pub warnings: Vec<Note>,
}

/// Shapefile parts address 2 GB at most; a little room is left for headers.
const SHAPEFILE_LIMIT: u64 = (1 << 31) - (1 << 20);

/// A layer being written; dropped without [`VectorWriter::finish`], it leaves nothing behind.
pub struct VectorWriter {
    // Before `pending`: the file is closed before its folder goes.
    sink: Option<Sink>,
    pending: atomic::Pending,
    target: PathBuf,
    format: Format,
    field_types: Vec<FieldType>,
    written: Written,
    size_limit: u64,
    geometry_bytes: u64,
    record_bytes: u64,
    cut_texts: u64,
    /// In the last column of every feature.
    remark: Option<Value>,
}

impl VectorWriter {
    /// Opens the file under a temporary name. `crs` is that of the geometries to come.
    pub fn create(
        path: &Path,
        format: Format,
        layer_name: &str,
        crs: &Crs,
        kind: GeometryKind,
        fields: &[(&str, FieldType)],
    ) -> Result<Self> {
        gdal_glue::init();
        let pending = atomic::Pending::new(path)?;
        gdal_glue::clear_messages();
        let remark = format.remark().map(Value::Text);
        let fields = &[fields, remark.as_ref().map_or(&[], |_| &[(REMARK, FieldType::Text)])].concat();
        let names = file_field_names(format, fields);
        let sink = match format {
            Format::GeoJson | Format::GeoJsonInCrs => {
                GeoJsonFile::create(pending.path(), format, layer_name, crs, fields).map(Sink::GeoJson)
            }
            _ => create_layer(pending.path(), format, layer_name, crs, kind, fields, &names).map(Sink::Gdal),
        };
        let sink = sink.map_err(|error| pending.explain(error))?;
        let mut writer = Self {
            sink: Some(sink),
            pending,
            target: path.to_path_buf(),
            format,
            field_types: fields.iter().map(|f| f.1).collect(),
            written: Written::default(),
            size_limit: if format == Format::Shapefile { SHAPEFILE_LIMIT } else { u64::MAX },
            geometry_bytes: 100,
            record_bytes: 65 + 32 * fields.len() as u64,
            cut_texts: 0,
            remark,
        };
        for ((asked, _), name) in fields.iter().zip(&names).filter(|((asked, _), name)| asked != name) {
            writer.written.renamed_fields.push((asked.to_string(), name.clone()));
        }
        if !writer.written.renamed_fields.is_empty() {
            let (path, names) = (path.display().to_string(), writer.written.renamed_fields.clone());
            writer.written.warnings.push(Note::FieldNamesShortened { path, names });
        }
        Ok(writer)
    }

    /// Stops at this many bytes instead of the format's own limit.
    pub fn with_size_limit(mut self, bytes: u64) -> Self {
        self.size_limit = bytes;
        self
    }

    /// Adds a feature with its attributes in the order of the fields. `false`: the format's size limit is reached and
    /// neither this nor any later feature is taken.
    pub fn write<'a>(&mut self, shape: impl Into<Shape<'a>>, values: &[Value]) -> Result<bool> {
        if self.written.truncated_at.is_some() {
            return Ok(false);
        }
        let values = match &self.remark {
            Some(remark) => &[values, std::slice::from_ref(remark)].concat(),
            None => values,
        };
        if values.len() != self.field_types.len() {
            return Err(Error::failed(format!(
                "a feature of '{}' has {} attributes instead of {}",
                self.target.display(),
                values.len(),
                self.field_types.len()
            )));
        }
        let shape = shape.into();
        if !self.has_room(shape, values) {
            self.written.truncated_at = Some(self.written.features);
            let (path, features) = (self.target.display().to_string(), self.written.features);
            self.written.warnings.push(Note::FileTruncated { path, features });
            return Ok(false);
        }
        let added = match &mut self.sink {
            Some(Sink::GeoJson(file)) => file.write(shape, values),
            _ => self.add(shape.to_ogr(), values),
        };
        added.map_err(|error| self.pending.explain(error))?;
        self.written.features += 1;
        Ok(true)
    }

    /// Keeps count of the shapefile's parts: .shp records are 8 bytes of header, then bounds, parts and at most 32 bytes
    /// a vertex; .dbf records have a fixed width.
    fn has_room(&mut self, shape: Shape, values: &[Value]) -> bool {
        if self.format != Format::Shapefile {
            return true;
        }
        let (parts, vertices) = shape.to_ogr().map_or((0, 0), |geometry| geometry.size());
        self.geometry_bytes += 8 + 76 + 4 * parts + 32 * vertices;
        self.record_bytes +=
            1 + self.field_types.iter().zip(values).map(|(kind, value)| dbf_width(*kind, value)).sum::<u64>();
        self.geometry_bytes.max(self.record_bytes) <= self.size_limit
    }

    fn add(&mut self, geometry: Option<Ogr>, values: &[Value]) -> Result<()> {
        let shown = self.pending.path().display().to_string();
        let closed = || Error::failed(format!("'{shown}' is already closed"));
        let Some(Sink::Gdal(dataset)) = &self.sink else { return Err(closed()) };
        let layer = dataset.layer(0).map_err(|_| closed())?;
        gdal_glue::clear_messages();
        let mut cut = 0;
        // SAFETY: the feature is ours until it is destroyed; the geometry is handed over to it.
        let code = unsafe {
            let feature = gdal_sys::OGR_F_Create(layer.defn().c_defn());
            for (k, (value, kind)) in values.iter().zip(&self.field_types).enumerate() {
                cut += u64::from(set_field(feature, k as i32, value, *kind, self.format)?);
            }
            if let Some(geometry) = geometry {
                gdal_sys::OGR_F_SetGeometryDirectly(feature, geometry.release());
            }
            let code = gdal_sys::OGR_L_CreateFeature(layer.c_layer(), feature);
            gdal_sys::OGR_F_Destroy(feature);
            code
        };
        self.cut_texts += cut;
        match (code, gdal_glue::take_error()) {
            (OGRErr::OGRERR_NONE, None) => Ok(()),
            (_, error) => {
                let because = error.map(|e| format!(" ({e})")).unwrap_or_default();
                Err(Error::failed(format!("'{shown}' cannot be written{because}")))
            }
        }
    }

    /// Closes the file, checks it and gives it its name.
    pub fn finish(mut self) -> Result<Written> {
        gdal_glue::clear_messages();
        if let Err(error) = self.close_and_check() {
            return Err(self.pending.explain(error));
        }
        if self.cut_texts > 0 {
            let (path, texts) = (self.target.display().to_string(), self.cut_texts);
            self.written.warnings.push(Note::TextsCut { path, texts });
        }
        let Self { pending, written, format, .. } = self;
        match format {
            Format::Shapefile => pending.commit_replacing(&["qix", "sbn", "sbx", "cpg", "prj", ".xml"])?,
            _ => pending.commit()?,
        }
        Ok(written)
    }

    fn close_and_check(&mut self) -> Result<()> {
        let shown = self.pending.path().display().to_string();
        let failed = |because: String| Error::failed(format!("'{shown}' cannot be written{because}"));
        if let Some(Sink::GeoJson(file)) = self.sink.take_if(|sink| matches!(sink, Sink::GeoJson(_))) {
            return file.finish();
        }
        if let Some(Sink::Gdal(dataset)) = self.sink.take() {
            // SAFETY: the dataset is open; without a transaction the call does nothing.
            let committed = unsafe { gdal_sys::GDALDatasetCommitTransaction(dataset.c_dataset()) };
            let transactional = self.format == Format::GeoPackage;
            let closed = dataset.close();
            let error = gdal_glue::take_messages().into_iter().find(|m| m.is_error && transactional).map(|m| m.text);
            if closed.is_err() || error.is_some() || (transactional && committed != OGRErr::OGRERR_NONE) {
                return Err(failed(error.map(|e| format!(" ({e})")).unwrap_or_default()));
            }
        }
        if self.format == Format::GeoPackage {
            return Ok(()); // SQLite says what it could not write.
        }
        // Not every driver notices a full disk: look again.
        let driver = [self.format.driver()];
        let only = DatasetOptions {
            allowed_drivers: Some(&driver),
            open_flags: GdalOpenFlags::GDAL_OF_VECTOR,
            ..Default::default()
        };
        let written = Dataset::open_ex(self.pending.path(), only).ok();
        let there = written.and_then(|d| d.layer(0).ok().map(|l| l.feature_count()));
        gdal_glue::clear_messages();
        let empty = self.written.features == 0;
        if there == Some(self.written.features) || (empty && there.unwrap_or(0) == 0) {
            Ok(())
        } else {
            Err(failed(format!(": {} of {} features arrived", there.unwrap_or(0), self.written.features)))
        }
    }
}

fn file_field_names(format: Format, fields: &[(&str, FieldType)]) -> Vec<String> {
    let asked: Vec<&str> = fields.iter().map(|f| f.0).collect();
    match format {
        Format::Shapefile => short_field_names(&asked),
        _ => asked.iter().map(ToString::to_string).collect(),
    }
}

fn create_layer(
    path: &Path,
    format: Format,
    layer_name: &str,
    crs: &Crs,
    kind: GeometryKind,
    fields: &[(&str, FieldType)],
    names: &[String],
) -> Result<Dataset> {
    let failed = || Error::failed(format!("'{}' cannot be written{}", path.display(), gdal_glue::because()));
    let driver = DriverManager::get_driver_by_name(format.driver())
        .map_err(|_| Error::failed(format!("this GDAL has no {} driver: install a complete GDAL", format.driver())))?;
    // SQLite need not wait for the disk again and again, nor keep a journal: the file gets its name when all of it is there.
    let for_sqlite = ["OGR_SQLITE_SYNCHRONOUS", "OGR_SQLITE_JOURNAL"];
    for option in for_sqlite {
        gdal::config::set_thread_local_config_option(option, "OFF").map_err(|_| failed())?;
    }
    let dataset = gdal_glue::without_spatialite(|| driver.create_vector_only(path));
    for option in for_sqlite {
        let _ = gdal::config::clear_thread_local_config_option(option);
    }
    let mut dataset = dataset.map_err(|_| failed())?;
    let reference = crs.spatial_ref()?;
    let options = format.layer_options(kind);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    {
        let layer = dataset
            .create_layer(LayerOptions {
                name: layer_name,
                srs: Some(&reference),
                ty: kind.ogr(),
                options: Some(&options),
            })
            .map_err(|_| failed())?;
        for ((_, kind), name) in fields.iter().zip(names) {
            let ogr_type = match kind {
                FieldType::Integer => OGRFieldType::OFTInteger64,
                FieldType::Real => OGRFieldType::OFTReal,
                FieldType::Text => OGRFieldType::OFTString,
            };
            FieldDefn::new(name, ogr_type).and_then(|f| f.add_to_layer(&layer)).map_err(|_| failed())?;
        }
    }
    if format == Format::GeoPackage {
        // One transaction for all features: orders of magnitude faster.
        // SAFETY: the dataset is open.
        unsafe { gdal_sys::GDALDatasetStartTransaction(dataset.c_dataset(), 0) };
    }
    gdal_glue::clear_messages();
    Ok(dataset)
}

/// Sets one attribute; `true` if a text had to be cut.
fn set_field(
    feature: gdal_sys::OGRFeatureH,
    index: i32,
    value: &Value,
    kind: FieldType,
    format: Format,
) -> Result<bool> {
    // SAFETY: the feature is valid and the index one of its fields; GDAL copies texts.
    unsafe {
        match (kind, value) {
            (_, Value::Null) => gdal_sys::OGR_F_SetFieldNull(feature, index),
            (FieldType::Integer, Value::Integer(n)) => gdal_sys::OGR_F_SetFieldInteger64(feature, index, *n),
            (FieldType::Text, value) => {
                let text = value.as_text().unwrap_or_default().replace('\0', "");
                let end = if format == Format::Shapefile { cut(&text, 254).len() } else { text.len() };
                let c_text = gdal_glue::c_string(&text[..end])?;
                gdal_sys::OGR_F_SetFieldString(feature, index, c_text.as_ptr());
                return Ok(end < text.len());
            }
            (_, value) => match value.as_f64() {
                Some(x) => gdal_sys::OGR_F_SetFieldDouble(feature, index, x),
                None => gdal_sys::OGR_F_SetFieldNull(feature, index),
            },
        }
    }
    Ok(false)
}

/// An upper bound of what a value takes in a .dbf record.
fn dbf_width(kind: FieldType, value: &Value) -> u64 {
    match (kind, value) {
        (FieldType::Integer, _) => 20,
        (FieldType::Real, _) => 24,
        (FieldType::Text, Value::Text(text)) => (text.len() as u64).clamp(80, 254),
        (FieldType::Text, _) => 80,
    }
}
