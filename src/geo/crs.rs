//! Coordinate reference systems.
//!
//! Coordinates are always (x, y) = (east, north) or (longitude, latitude), whatever order the CRS' authority prefers.

use std::ffi::CString;
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use gdal::cpl::CslStringList;
use gdal::spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef};
use gdal_sys::OGRErr;

use super::{Bounds, Transformer, gdal_glue};
use crate::{Error, Result};

/// A horizontal CRS: its definition as text, so that it can be cloned and sent between threads.
#[derive(Clone)]
pub struct Crs {
    wkt: String,
    label: String,
    geographic: bool,
    unit_to_m: f64,
    epsg: Option<u32>,
    /// Whether the database has this very definition under the EPSG code; looked up when first needed.
    is_entry: OnceLock<bool>,
}

impl Crs {
    /// From what a user writes: `EPSG:2056`, `2056`, WKT, a PROJ string, `OGC:CRS84`, PROJJSON. A vertical part is dropped.
    pub fn from_user(text: &str) -> Result<Self> {
        gdal_glue::init();
        let text = text.trim();
        expect_database()?;
        if text.is_empty() {
            return Err(Error::input("the CRS is empty: expected for example EPSG:2056"));
        }
        let code = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        let definition = if code(text) { format!("EPSG:{text}") } else { text.to_string() };
        let elsewhere = text.to_ascii_lowercase().starts_with("http") || text.starts_with("/vsi");
        if elsewhere || (!text.contains(':') && !code(text) && Path::new(text).exists()) {
            return Err(Error::input(format!(
                "'{}' is a file or an address, where a CRS belongs, and neither is read: write an EPSG code such as EPSG:2056, \
                 or the WKT that stands there",
                shortened(text)
            )));
        }
        // PROJ would take "EPSG:2056x" for EPSG:2056.
        let sloppy = text.get(..5).is_some_and(|prefix| prefix.eq_ignore_ascii_case("EPSG:"))
            && !text[5..].split('+').all(|part| code(part.trim_start_matches("EPSG:")));
        gdal_glue::clear_messages();
        let reference = if sloppy { SpatialRef::from_definition("") } else { SpatialRef::from_definition(&definition) };
        let because = gdal_glue::because();
        let reference = reference.map_err(|_| {
            Error::input(format!(
                "'{}' is not a CRS that PROJ knows{because}: expected an EPSG code such as EPSG:2056, WKT or a PROJ string",
                shortened(text)
            ))
        })?;
        Self::from_spatial_ref(&reference)
    }

    /// From a GDAL object, e.g. a dataset's. A vertical part is dropped.
    pub(crate) fn from_spatial_ref(reference: &SpatialRef) -> Result<Self> {
        gdal_glue::init();
        let mut flat = reference.clone();
        // SAFETY: the handle belongs to `flat`, which outlives both calls.
        unsafe {
            if flat.is_compound() {
                gdal_sys::OSRStripVertical(flat.to_c_hsrs());
            }
            gdal_sys::OSRDemoteTo2D(flat.to_c_hsrs(), std::ptr::null());
        }
        flat.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
        gdal_glue::clear_messages();
        if flat.is_geocentric() {
            return Err(Error::input(format!(
                "'{}' is a geocentric CRS (x, y, z from the Earth's centre): expected a projected one such as EPSG:2056",
                flat.name().unwrap_or_default()
            )));
        }
        let wkt = export_wkt(&flat)?;
        let geographic = flat.is_geographic() || flat.is_derived_geographic();
        let code = |r: &SpatialRef| match (r.auth_name(), r.auth_code()) {
            (Some(name), Ok(code)) if name.eq_ignore_ascii_case("EPSG") => u32::try_from(code).ok(),
            _ => None,
        };
        let epsg = code(&flat).or_else(|| best_match(&flat).as_ref().and_then(code));
        let name = flat.name().unwrap_or_default();
        let label = match epsg {
            Some(code) => format!("EPSG:{code} {name}"),
            None => match flat.authority() {
                Ok(authority) => format!("{authority} {name}"),
                Err(_) => name,
            },
        };
        let unit_to_m = if geographic { f64::NAN } else { flat.linear_units() };
        Ok(Self { wkt, label: label.trim().to_string(), geographic, unit_to_m, epsg, is_entry: OnceLock::new() })
    }

    /// What a file says, if that is a CRS: local frames and the "undefined" ones of GeoPackage are none.
    pub(super) fn stated_by(reference: Option<&SpatialRef>) -> Result<Option<Self>> {
        let names_a_crs = |r: &&SpatialRef| !r.is_local() && !r.name().unwrap_or_default().starts_with("Undefined ");
        reference.filter(names_a_crs).map(Self::from_spatial_ref).transpose()
    }

    /// The CRS with this code.
    pub fn from_epsg(code: u32) -> Result<Self> {
        Self::from_user(&format!("EPSG:{code}"))
    }

    /// The definition as WKT (2019), lossless.
    pub fn wkt(&self) -> &str {
        &self.wkt
    }

    /// For people: `EPSG:2056 CH1903+ / LV95`.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its code, where it has one.
    pub fn epsg(&self) -> Option<u32> {
        self.epsg
    }

    /// What to write into a project file: `EPSG:2056`, or the WKT of a CRS without a code.
    pub(crate) fn definition(&self) -> String {
        match self.epsg {
            Some(code) => format!("EPSG:{code}"),
            None => self.wkt.clone(),
        }
    }

    /// The same words, so the same in every respect.
    pub(super) fn is_written_as(&self, other: &Self) -> bool {
        self.wkt == other.wkt && self.label == other.label
    }

    /// For PROJ, which has the whole entry under its code.
    pub(super) fn for_proj(&self) -> String {
        match (self.entry(), self.epsg) {
            (Some(_), Some(code)) => format!("EPSG:{code}"),
            _ => self.wkt.clone(),
        }
    }

    /// Coordinates in degrees?
    pub fn is_geographic(&self) -> bool {
        self.geographic
    }

    /// Metres per unit of a projected CRS; NaN for a geographic one.
    pub fn linear_unit_to_m(&self) -> f64 {
        self.unit_to_m
    }

    /// Projected, with coordinates in metres: what the simulation needs.
    pub fn is_metric(&self) -> bool {
        !self.geographic && (self.unit_to_m - 1.0).abs() < 1e-12
    }

    /// The same CRS, whatever its names and notation.
    pub fn same_as(&self, other: &Crs) -> bool {
        if self.wkt == other.wkt || (self.epsg.is_some() && self.epsg == other.epsg) {
            return true;
        }
        let (Ok(a), Ok(b)) = (self.spatial_ref(), other.spatial_ref()) else { return false };
        let mut options = CslStringList::new();
        let set = options
            .set_name_value("CRITERION", "EQUIVALENT")
            .and_then(|()| options.set_name_value("IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING", "YES"));
        // SAFETY: both handles and the option list live until the call returns.
        set.is_ok()
            && unsafe { gdal_sys::OSRIsSameEx(a.to_c_hsrs(), b.to_c_hsrs(), options.as_ptr() as *const *const _) } != 0
    }

    /// A fresh GDAL object in (east, north) order.
    pub fn spatial_ref(&self) -> Result<SpatialRef> {
        gdal_glue::init();
        let mut reference = match self.entry() {
            Some(entry) => entry,
            None => SpatialRef::from_definition(&self.wkt)
                .map_err(|_| Error::failed(format!("the CRS '{}' cannot be rebuilt from its WKT", self.label)))?,
        };
        reference.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
        Ok(reference)
    }

    /// The database's entry, if it is this very CRS. Its parts know their codes: without them GDAL looks the datum up by
    /// name for every file it writes, which takes as long as compressing a small raster.
    fn entry(&self) -> Option<SpatialRef> {
        let entry = SpatialRef::from_epsg(self.epsg?).ok()?;
        let is_entry = *self.is_entry.get_or_init(|| export_wkt(&entry).is_ok_and(|wkt| wkt == self.wkt));
        is_entry.then_some(entry)
    }
}

impl PartialEq for Crs {
    fn eq(&self, other: &Self) -> bool {
        self.same_as(other)
    }
}

impl fmt::Debug for Crs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crs({})", self.label)
    }
}

impl fmt::Display for Crs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

/// Refuses to work with a PROJ that knows no CRS: every file would seem to say none.
pub(super) fn expect_database() -> Result<()> {
    static FAULT: OnceLock<Option<String>> = OnceLock::new();
    let fault = FAULT.get_or_init(|| {
        gdal_glue::init();
        gdal_glue::clear_messages();
        // Degrees, a national grid and the way between them.
        let usable = || {
            let (degrees, grid) = (SpatialRef::from_epsg(4326)?, SpatialRef::from_epsg(2056)?);
            CoordTransform::new(&degrees, &grid)
        };
        let broken = usable().is_err();
        let because = gdal_glue::because();
        broken.then_some(because)
    });
    let Some(because) = fault else { return Ok(()) };
    let set = |name: &str| std::env::var(name).ok().map(|value| format!("{name} is set to '{value}'"));
    let places: Vec<String> = ["PROJ_DATA", "PROJ_LIB"].iter().filter_map(|name| set(name)).collect();
    let advice = match places.is_empty() {
        true => "install PROJ again (Debian, Ubuntu: `apt-get install --reinstall proj-data`)".to_string(),
        false => {
            format!("{}: unset it, or name the folder of the proj.db that belongs to this PROJ", places.join(" and "))
        }
    };
    Err(Error::failed(format!(
        "the PROJ installation of this machine is broken: its database proj.db is missing, unreadable or of another \
         version{because}, so that no CRS is known; {advice}"
    )))
}

/// The database entry that a definition without an authority code surely is (e.g. an Esri `.prj`).
fn best_match(reference: &SpatialRef) -> Option<SpatialRef> {
    let (mut count, mut confidence) = (0, std::ptr::null_mut());
    // SAFETY: GDAL allocates both arrays and we free them with its own functions; the match is cloned before that.
    unsafe {
        let matches =
            gdal_sys::OSRFindMatches(reference.to_c_hsrs(), std::ptr::null_mut(), &mut count, &mut confidence);
        let best = (count > 0 && *confidence >= 90)
            .then(|| SpatialRef::from_c_obj(gdal_sys::OSRClone(*matches)).ok())
            .flatten();
        gdal_sys::OSRFreeSRSArray(matches);
        gdal_sys::VSIFree(confidence.cast());
        best
    }
}

fn export_wkt(reference: &SpatialRef) -> Result<String> {
    let option = CString::new("FORMAT=WKT2_2019").unwrap_or_default();
    let options = [option.as_ptr(), std::ptr::null()];
    let mut pointer = std::ptr::null_mut();
    // SAFETY: GDAL allocates the string, we copy and free it.
    let text = unsafe {
        let code = gdal_sys::OSRExportToWktEx(reference.to_c_hsrs(), &mut pointer, options.as_ptr());
        let text = (code == OGRErr::OGRERR_NONE).then(|| gdal_glue::text_of(pointer));
        gdal_sys::VSIFree(pointer.cast());
        text
    };
    match text.filter(|t| !t.is_empty()) {
        Some(text) => Ok(text),
        None => {
            reference.to_wkt().map_err(|_| Error::input("a CRS cannot be written as WKT: give its EPSG code instead"))
        }
    }
}

/// The EPSG code of the UTM zone (WGS 84) a point given in degrees lies in, with the exceptions of Norway and Svalbard.
pub fn utm_epsg(longitude: f64, latitude: f64) -> u32 {
    let longitude = (longitude + 180.0).rem_euclid(360.0) - 180.0;
    let regular = ((longitude + 180.0) / 6.0).floor() as u32 % 60 + 1;
    let zone = match (latitude, longitude) {
        (56.0..64.0, 3.0..12.0) => 32,
        (72.0..84.0, 0.0..9.0) => 31,
        (72.0..84.0, 9.0..21.0) => 33,
        (72.0..84.0, 21.0..33.0) => 35,
        (72.0..84.0, 33.0..42.0) => 37,
        _ => regular,
    };
    if latitude >= 0.0 { 32600 + zone } else { 32700 + zone }
}

/// The UTM zone at a point given in any CRS.
pub fn utm_epsg_at(crs: &Crs, x: f64, y: f64) -> Result<u32> {
    let (longitude, latitude) = Transformer::new(crs, &Crs::from_epsg(4326)?)?.xy(x, y)?;
    Ok(utm_epsg(longitude, latitude))
}

/// Would this layer land near the target if its x and y were exchanged, while as it is it lands nowhere near?
/// The mark of a file whose axes are in the authority's (latitude, longitude) order.
pub fn looks_like_swapped_axes(layer: &Bounds, target: &Bounds, from: &Crs, to: &Crs) -> bool {
    let near = target.grown_by(target.width().max(target.height()).max(1.0));
    let lands_near = |bounds: &Bounds| {
        let image = Transformer::new(from, to).and_then(|t| t.bounds(bounds));
        image.is_ok_and(|image| image.intersects(&near))
    };
    let swapped = Bounds::new(layer.south, layer.west, layer.north, layer.east);
    !lands_near(layer) && lands_near(&swapped)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
