//! GeoJSON by the `geojson` crate, feature by feature, into a layer in memory that is read as any other.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use gdal::spatial_ref::{AxisMappingStrategy, SpatialRef};
use gdal::vector::LayerAccess;
use gdal::{Dataset, DatasetOptions, GdalOpenFlags};
use geojson::feature::Id;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::geojson_layer::{self, Row};
use super::ogr_geometry::Ogr;
use super::vector::{MOST_BYTES, MOST_FEATURES, too_large};
use super::{gdal_glue, lockdown};
use crate::process::interrupt;
use crate::{Error, Result};

/// What a GeoJSON text holds.
pub(super) struct GeoJson {
    /// One layer in memory, its features in the order of the text and numbered from 0.
    pub dataset: Dataset,
    /// The ids the text gives them.
    pub ids: Vec<i64>,
    /// Does the text name its CRS? Otherwise it is longitude and latitude by the standard: an assumption, no statement.
    pub states_crs: bool,
}

/// Is it a GeoJSON file on this machine's disk? TopoJSON, Esri's JSON, lines of GeoJSON and archives are GDAL's.
pub(super) fn is_geojson(path: &Path) -> bool {
    let Some(name) = path.to_str().filter(|name| !name.starts_with("/vsi")) else { return false };
    let Ok(name) = gdal_glue::c_string(name) else { return false };
    gdal_glue::init();
    // SAFETY: the name lives until the call returns; the driver belongs to GDAL and its name is copied.
    let driver = unsafe {
        let flags = GdalOpenFlags::GDAL_OF_VECTOR.bits();
        let driver = gdal_sys::GDALIdentifyDriverEx(name.as_ptr(), flags, std::ptr::null(), std::ptr::null());
        if driver.is_null() { String::new() } else { gdal_glue::text_of(gdal_sys::GDALGetDriverShortName(driver)) }
    };
    gdal_glue::clear_messages();
    driver == "GeoJSON"
}

/// Reads a GeoJSON file; `shown` names it in messages.
pub(super) fn open_file(path: &Path, shown: &str) -> Result<GeoJson> {
    let unreadable = |e: std::io::Error| Error::input(format!("'{shown}' cannot be read: {e}")).caused_by(e);
    let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
    if reader.fill_buf().map_err(unreadable)?.starts_with(b"\xef\xbb\xbf") {
        reader.consume(3);
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    read(reader, &format!("'{shown}'"), &stem)
}

/// Reads GeoJSON written in a project file; `shown` is its key.
pub(super) fn open_value(value: &Value, shown: &str) -> Result<GeoJson> {
    read(value.to_string().as_bytes(), shown, shown)
}

fn read(text: impl Read, shown: &str, name: &str) -> Result<GeoJson> {
    let mut reader = Reading { shown, rows: Vec::new(), bytes: 0, fault: None };
    let mut json = serde_json::Deserializer::from_reader(text);
    let read = (&mut reader).deserialize(&mut json).and_then(|members| json.end().map(|()| members));
    let members = match (reader.fault.take(), read) {
        (Some(error), _) => return Err(error),
        (None, Err(error)) => return Err(invalid(shown, &error)),
        (None, Ok(members)) => members,
    };
    let text_of = |key: &str| members.get(key).and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
    if text_of("type").as_deref() != Some("FeatureCollection") {
        // One feature, or a geometry alone.
        let parts: Vec<String> =
            members.iter().map(|(key, raw)| format!("{}:{}", Value::from(key.as_str()), raw.get())).collect();
        let whole = format!("{{{}}}", parts.join(","));
        let row = match text_of("type").as_deref() {
            Some("Feature") => row(&whole),
            _ => geometry(&whole).map(|geometry| Row { id: None, geometry, properties: Vec::new() }),
        };
        reader.rows = vec![row.map_err(|error| invalid(shown, &error))?];
    }
    let stated = members.get("crs").filter(|raw| raw.get() != "null");
    let crs = match stated {
        Some(raw) => stated_crs(raw.get(), shown)?,
        None => SpatialRef::from_epsg(4326).ok(),
    };
    let name = text_of("name").unwrap_or_else(|| name.to_string());
    let (dataset, ids) = geojson_layer::build(&name, crs, &reader.rows)?;
    Ok(GeoJson { dataset, ids, states_crs: stated.is_some() })
}

fn invalid(shown: &str, what: &dyn fmt::Display) -> Error {
    Error::input(format!("{shown} is damaged or not valid GeoJSON ({what}): mend it or export it again"))
}

/// The CRS a `crs` member means, as GDAL understands its many notations; `None` if it does not.
fn stated_crs(member: &str, shown: &str) -> Result<Option<SpatialRef>> {
    let text = format!("{{\"type\":\"FeatureCollection\",\"crs\":{member},\"features\":[]}}");
    let open_flags = GdalOpenFlags::GDAL_OF_VECTOR | GdalOpenFlags::GDAL_OF_READONLY;
    let options = DatasetOptions { open_flags, allowed_drivers: Some(&["GeoJSON"]), ..Default::default() };
    gdal_glue::clear_messages();
    let opened =
        lockdown::without_network(Path::new(shown.trim_matches('\'')), || Ok(Dataset::open_ex(&text, options)))?;
    let because = gdal_glue::because();
    let dataset = opened.map_err(|_| Error::input(format!("the `crs` member of {shown} cannot be read{because}")))?;
    let reference = dataset.layer(0).ok().and_then(|layer| layer.spatial_ref());
    Ok(reference.map(|mut reference| {
        reference.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
        reference
    }))
}

type Members = BTreeMap<String, Box<RawValue>>;

/// Reads the outermost object: features one by one, everything else as it is.
struct Reading<'a> {
    shown: &'a str,
    rows: Vec<Row>,
    bytes: usize,
    /// What ended the reading, if it was not the JSON.
    fault: Option<Error>,
}

impl Reading<'_> {
    fn take(&mut self, raw: &RawValue) -> Result<()> {
        interrupt::check()?;
        let row = row(raw.get()).map_err(|error| {
            Error::input(format!("feature {} of {} is not valid GeoJSON: {error}", self.rows.len(), self.shown))
        })?;
        // About what it takes of memory, too.
        self.bytes += raw.get().len();
        self.rows.push(row);
        if self.rows.len() > MOST_FEATURES || self.bytes > MOST_BYTES {
            return Err(too_large(self.shown.trim_matches('\'')));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut Reading<'_> {
    type Value = Members;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Members, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Reading<'_> {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a GeoJSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Members, A::Error> {
        let mut members = Members::new();
        while let Some(key) = entries.next_key::<String>()? {
            match key.as_str() {
                "features" => entries.next_value_seed(Features(self))?,
                _ => {
                    members.insert(key, entries.next_value()?);
                }
            }
        }
        Ok(members)
    }
}

struct Features<'a, 'b>(&'a mut Reading<'b>);

impl<'de> DeserializeSeed<'de> for Features<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Features<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut features: A) -> Result<(), A::Error> {
        while let Some(raw) = features.next_element::<Box<RawValue>>()? {
            if let Err(error) = self.0.take(&raw) {
                let words = A::Error::custom(&error);
                self.0.fault = Some(error);
                return Err(words);
            }
        }
        Ok(())
    }
}

/// The properties in the order of the text, which the crate's map does not keep.
#[derive(serde::Deserialize)]
struct Columns {
    properties: Option<InOrder>,
}

struct InOrder(Vec<(String, Value)>);

impl<'de> serde::Deserialize<'de> for InOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = InOrder;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("properties")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<InOrder, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = entries.next_entry()? {
                    pairs.push(pair);
                }
                Ok(InOrder(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// One feature.
fn row(text: &str) -> Result<Row, String> {
    let feature = text.parse::<geojson::Feature>().or_else(|error| {
        // A point without coordinates is how some programs write that there is none.
        let mut value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let nowhere = |coordinates: &Value| coordinates.as_array().is_some_and(Vec::is_empty);
        if value.pointer("/geometry/coordinates").is_some_and(nowhere) {
            value["geometry"] = Value::Null;
            return value.to_string().parse::<geojson::Feature>().map_err(|error| error.to_string());
        }
        Err(error.to_string())
    })?;
    let columns: Columns = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let geometry = feature.geometry.as_ref().map(geojson_layer::geometry).transpose()?;
    let id = match feature.id {
        Some(Id::Number(number)) => number.as_i64().map(Ok).or(Some(Err(number.to_string()))),
        Some(Id::String(text)) => Some(Err(text)),
        None => None,
    };
    Ok(Row { id, geometry, properties: columns.properties.map_or(Vec::new(), |in_order| in_order.0) })
}

fn geometry(text: &str) -> Result<Option<Ogr>, String> {
    let geometry = text.parse::<geojson::Geometry>().map_err(|error| error.to_string())?;
    geojson_layer::geometry(&geometry).map(Some)
}
