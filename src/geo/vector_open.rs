//! Opening vector sources: which layer, its CRS, its filter.

use std::path::Path;

use gdal::vector::{Layer, LayerAccess};
use gdal::{Dataset, DatasetOptions, GdalOpenFlags};
use gdal_sys::{OGRErr, OGRFieldType};

use super::geojson_read::{self, GeoJson};
use super::vector::{FieldInfo, FieldType};
use super::vector_source::{LayerChoice, Location, VectorSourceResolved};
use super::{Crs, crs, gdal_glue, lockdown, unknown_format, xml_vector};
use crate::{Error, Result};

/// Points of a CSV file stand in two columns, or as WKT in one; numbers are numbers, and an empty cell is no value. What became
/// the geometry is no attribute: it would stay where it was when points are moved.
const CSV_OPTIONS: [&str; 6] = [
    "X_POSSIBLE_NAMES=x,x_m,easting,east,lon,longitude",
    "Y_POSSIBLE_NAMES=y,y_m,northing,north,lat,latitude",
    "GEOM_POSSIBLE_NAMES=WKT,geometry,the_geom",
    "KEEP_GEOM_COLUMNS=NO",
    "AUTODETECT_TYPE=YES",
    "EMPTY_STRING_AS_NULL=YES",
];

/// How GDAL is to read a file that says too little about itself.
pub(super) fn options(path: &Path) -> Option<&'static [&'static str]> {
    let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    is_csv.then_some(&CSV_OPTIONS[..])
}

/// A vector source that was opened.
pub(super) struct Opened {
    pub dataset: Dataset,
    /// GeoJSON: the features' ids, and whether it names its CRS.
    geojson: Option<(Vec<i64>, bool)>,
}

impl From<GeoJson> for Opened {
    fn from(read: GeoJson) -> Self {
        Self { dataset: read.dataset, geojson: Some((read.ids, read.states_crs)) }
    }
}

/// Opens a file or inline GeoJSON.
pub(super) fn open(source: &VectorSourceResolved) -> Result<Opened> {
    let flags = GdalOpenFlags::GDAL_OF_VECTOR | GdalOpenFlags::GDAL_OF_READONLY | GdalOpenFlags::GDAL_OF_VERBOSE_ERROR;
    let shown = &source.name;
    match &source.location {
        Location::Inline(value) => Ok(geojson_read::open_value(value, shown)?.into()),
        Location::File { path, .. } => {
            gdal_glue::check_readable(path, "vector file")?;
            crs::expect_database()?;
            check_shapefile_companions(path)?;
            if geojson_read::is_geojson(path) {
                return Ok(geojson_read::open_file(path, shown)?.into());
            }
            if let Some(kind) = xml_vector::kind_of(path) {
                let dataset = xml_vector::open(path, kind, shown)?;
                return expect_layer(Opened { dataset, geojson: None }, path);
            }
            gdal_glue::clear_messages();
            let open = || {
                let options = DatasetOptions { open_flags: flags, open_options: options(path), ..Default::default() };
                Ok(Dataset::open_ex(path, options))
            };
            let opened = lockdown::without_network(path, open)?;
            let because = gdal_glue::because();
            let path_shown = path.display();
            let dataset = opened.map_err(|_| {
                if super::raster::open(path).is_ok() {
                    return Error::input(format!("'{path_shown}' is a raster, but a vector layer is needed here"));
                }
                unknown_format::vector(path, &because)
            })?;
            expect_layer(Opened { dataset, geojson: None }, path)
        }
    }
}

fn expect_layer(opened: Opened, path: &Path) -> Result<Opened> {
    if opened.dataset.layer_count() == 0 {
        return Err(Error::input(format!("'{}' holds no layer", path.display())));
    }
    Ok(opened)
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

impl Opened {
    /// The ids of GeoJSON's features, in their order; other layers have them in their features.
    pub(crate) fn ids(&self) -> Option<&[i64]> {
        self.geojson.as_ref().map(|(ids, _)| ids.as_slice())
    }

    pub(crate) fn choose_layer(&self, source: &VectorSourceResolved) -> Result<Layer<'_>> {
        let (dataset, shown) = (&self.dataset, &source.name);
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

    pub(crate) fn crs_of(&self, layer: &Layer, source: &VectorSourceResolved) -> Result<Crs> {
        let shown = &source.name;
        let own = Crs::stated_by(layer.spatial_ref().as_ref())?;
        // GeoJSON without a `crs` member is longitude and latitude by its standard: an assumption, not a statement.
        let assumed = matches!(self.geojson, Some((_, false)));
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
}

pub(super) fn set_filter(layer: &mut Layer, filter: &str, shown: &str) -> Result<()> {
    let text = gdal_glue::c_string(filter)?;
    gdal_glue::clear_messages();
    // SAFETY: the layer and the string live until the call returns.
    let code = unsafe { gdal_sys::OGR_L_SetAttributeFilter(layer.c_layer(), text.as_ptr()) };
    if code == OGRErr::OGRERR_NONE {
        return Ok(());
    }
    Err(wrong_filter(layer, filter, &gdal_glue::because(), shown))
}

pub(super) fn wrong_filter(layer: &Layer, filter: &str, because: &str, shown: &str) -> Error {
    let names: Vec<String> = layer.defn().fields().map(|f| f.name()).collect();
    Error::input(format!(
        "the filter \"{filter}\" cannot be used on layer '{shown}'{because}: expected a condition such as \"volume > 2\" on \
         its attributes {}",
        if names.is_empty() { "(it has none)".to_string() } else { names.join(", ") }
    ))
}

pub(super) fn fields_of(layer: &Layer) -> Vec<FieldInfo> {
    let kind = |kind| match kind {
        OGRFieldType::OFTInteger | OGRFieldType::OFTInteger64 => FieldType::Integer,
        OGRFieldType::OFTReal => FieldType::Real,
        _ => FieldType::Text,
    };
    layer.defn().fields().map(|f| FieldInfo { name: f.name(), kind: kind(f.field_type()) }).collect()
}

pub(super) fn nothing_there(layer: &mut Layer, source: &VectorSourceResolved, skipped: usize) -> Error {
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
