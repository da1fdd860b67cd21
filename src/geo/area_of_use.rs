//! Do coordinates lie where their CRS is meant to be used? If not, it is the wrong CRS, or they are damaged.

use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use gdal::spatial_ref::SpatialRef;

use super::raster::RasterInfo;
use super::{Bounds, Crs, Transformer, gdal_glue};
use crate::{Error, Note, Result};

static INSISTED: AtomicBool = AtomicBool::new(false);

/// Takes coordinates outside the area of use as they are, with a warning (`--force`).
pub(crate) fn insist() {
    INSISTED.store(true, Ordering::Relaxed);
}

/// Borders are crossed by valleys: at least this far (degrees) …
const LEAST_MARGIN_DEG: f64 = 0.5;
/// … or by this share of the area's own size.
const MARGIN_SHARE: f64 = 0.1;
/// Whole countries work in one UTM zone (Norway's west and its Finnmark both in zone 33), as far as this beside it.
const UTM_MARGIN_DEG: f64 = 15.0;
/// A projection is left where going there and back misses by more than this share of the way from the origin.
const ROUND_TRIP: f64 = 1e-6;
/// Points along each side of the rectangle that is looked at.
const SAMPLES: usize = 5;

/// Where a CRS is meant to be used, degrees.
#[derive(Debug, Clone, PartialEq)]
struct AreaOfUse {
    bounds: Bounds,
    name: String,
}

impl AreaOfUse {
    fn of(crs: &Crs) -> Option<Self> {
        let own = crs.spatial_ref().ok().and_then(|reference| Self::of_reference(&reference));
        // The .prj of a shapefile says nothing of the area; the entry it is recognised as does.
        own.or_else(|| Self::of_reference(&SpatialRef::from_epsg(crs.epsg()?).ok()?))
    }

    fn of_reference(reference: &SpatialRef) -> Option<Self> {
        let mut degrees = [0.0; 4];
        let mut name = std::ptr::null();
        let [west, south, east, north] = &mut degrees;
        // SAFETY: the reference lives until the call returns; the name belongs to it and is copied.
        let (known, name) = unsafe {
            let known = gdal_sys::OSRGetAreaOfUse(reference.to_c_hsrs(), west, south, east, north, &mut name);
            (known != 0, gdal_glue::text_of(name))
        };
        let [west, south, east, north] = degrees;
        let usable = known && south < north && degrees.iter().all(|v| v.is_finite() && v.abs() <= 360.0);
        usable.then(|| Self { bounds: Bounds::new(west, south, east, north), name: name.trim_end_matches('.').into() })
    }

    fn contains(&self, longitude: f64, latitude: f64, utm: bool) -> bool {
        let Bounds { west, south, east, north } = self.bounds;
        let width = if east > west { east - west } else { east - west + 360.0 };
        let margin = |size: f64| LEAST_MARGIN_DEG.max(MARGIN_SHARE * size);
        let (x, y) = (if utm { UTM_MARGIN_DEG } else { margin(width) }, margin(north - south));
        let latitude_fits = latitude >= (south - y).max(-90.0) && latitude <= (north + y).min(90.0);
        // Around the antimeridian west lies east of east.
        latitude_fits && (longitude - (west - x)).rem_euclid(360.0) <= width + 2.0 * x
    }

    fn describe(&self) -> String {
        let Bounds { west, south, east, north } = self.bounds;
        let name: String = self.name.chars().take(80).collect();
        let more = if name.len() < self.name.len() { "…" } else { "" };
        format!("{name}{more}, longitude {west}° to {east}°, latitude {south}° to {north}°")
    }
}

/// Tells whether rectangles lie in the area of use of one CRS.
pub(crate) struct Guard {
    crs: Crs,
    area: Option<AreaOfUse>,
    to_degrees: Option<Transformer>,
    back: Option<Transformer>,
}

/// A project's layers are in one or two CRSs.
const MOST_KNOWN: usize = 4;

thread_local! {
    /// Those asked for last: PROJ takes longer to find its ways than a small layer takes to read. They stay to the end, when PROJ may be gone before them.
    static KNOWN: ManuallyDrop<RefCell<Vec<Rc<Guard>>>> = const { ManuallyDrop::new(RefCell::new(Vec::new())) };
}

impl Guard {
    pub(crate) fn of(crs: &Crs) -> Result<Rc<Self>> {
        let known = KNOWN.with(|known| known.borrow().iter().find(|guard| guard.crs.is_written_as(crs)).cloned());
        if let Some(guard) = known {
            return Ok(guard);
        }
        let guard = Rc::new(Self::new(crs)?);
        KNOWN.with(|known| {
            let mut known = known.borrow_mut();
            known.truncate(MOST_KNOWN - 1);
            known.insert(0, guard.clone());
        });
        Ok(guard)
    }

    fn new(crs: &Crs) -> Result<Self> {
        let area = AreaOfUse::of(crs);
        let degrees = Crs::from_epsg(4326)?;
        // A CRS of another planet has no way to degrees here, and no area either.
        let way = |from: &Crs, to: &Crs| Transformer::new(from, to).ok().filter(|_| area.is_some());
        Ok(Self { crs: crs.clone(), to_degrees: way(crs, &degrees), back: way(&degrees, crs), area })
    }

    fn fits(&self, x: f64, y: f64) -> bool {
        if self.crs.is_geographic() && !((-360.0..=540.0).contains(&x) && y.abs() <= 90.000_001) {
            return false;
        }
        let (Some(area), Some(to_degrees), Some(back)) = (&self.area, &self.to_degrees, &self.back) else {
            return x.is_finite() && y.is_finite();
        };
        let Ok((longitude, latitude)) = to_degrees.xy(x, y) else { return false };
        let utm = self.crs.label().to_ascii_lowercase().contains("utm");
        if !area.contains(longitude, latitude, utm) {
            return false;
        }
        // Far from its origin a projection may fold: what comes out looks right and is not.
        let reach = ROUND_TRIP * (x.abs() + y.abs()).max(1.0);
        self.crs.is_geographic() || back.xy(longitude, latitude).is_ok_and(|(u, v)| (u - x).hypot(v - y) <= reach)
    }

    /// Rasters may well reach over the border: half of the rectangle must fit.
    fn fits_mostly(&self, bounds: &Bounds) -> bool {
        let at = |from: f64, size: f64, k: usize| from + size * k as f64 / (SAMPLES - 1) as f64;
        let places = (0..SAMPLES * SAMPLES)
            .map(|k| (at(bounds.west, bounds.width(), k % SAMPLES), at(bounds.south, bounds.height(), k / SAMPLES)));
        let fitting = places.filter(|(x, y)| self.fits(*x, *y)).count();
        2 * fitting >= SAMPLES * SAMPLES
    }

    /// Refuses a rectangle outside the area of use; with `--force` it is a warning. `what` begins the sentence.
    pub(crate) fn check(&self, bounds: &Bounds, what: &str) -> Result<Option<Note>> {
        let fits = self.fits_mostly(bounds);
        gdal_glue::clear_messages();
        if fits {
            return Ok(None);
        }
        let Self { crs, area, .. } = self;
        let Bounds { west, south, east, north } = *bounds;
        let area = area.as_ref().map_or("degrees".to_string(), AreaOfUse::describe);
        if INSISTED.load(Ordering::Relaxed) {
            let (what, crs) = (what.to_string(), crs.to_string());
            return Ok(Some(Note::OutsideAreaOfUse { what, west, east, south, north, crs, area }));
        }
        let found = format!(
            "{what} has coordinates x {west} to {east}, y {south} to {north}, outside the area of use of {crs} ({area})"
        );
        let swapped = self.fits_mostly(&Bounds::new(south, west, north, east));
        gdal_glue::clear_messages();
        let advice = if swapped {
            let axes = if crs.is_geographic() { "latitude and longitude" } else { "easting and northing" };
            format!(
                "with x and y exchanged they would lie inside, so {axes} look swapped: exchange them in the file (x = east or longitude, y = north or latitude)"
            )
        } else {
            "state the CRS they are really in, or mend the file".to_string()
        };
        Err(Error::input(format!("{found}: {advice} ; --force uses them as they are")))
    }
}

/// One rectangle in one CRS.
pub(crate) fn check(crs: &Crs, bounds: &Bounds, what: &str) -> Result<Option<Note>> {
    Guard::of(crs)?.check(bounds, what)
}

/// A raster that is placed at all.
pub(crate) fn check_raster(info: &RasterInfo, crs: &Crs) -> Result<Option<Note>> {
    match info.extent {
        Some(extent) => check(crs, &extent, &format!("raster '{}'", info.path.display())),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A CRS asked for again is not looked up again; others are, and none is taken for another, however many there are.
    #[test]
    fn a_guard_serves_its_own_crs() {
        let guard = |code: u32| Guard::of(&Crs::from_epsg(code).unwrap()).unwrap();
        assert!(Rc::ptr_eq(&guard(2056), &guard(2056)));
        let codes = [2056, 25832, 3857, 31254, 4326, 2056];
        for code in codes.into_iter().chain(codes) {
            assert!(guard(code).crs.is_written_as(&Crs::from_epsg(code).unwrap()), "{code}");
        }
        assert!(KNOWN.with(|known| known.borrow().len() <= MOST_KNOWN));
        let (bern, there) = (guard(2056), Bounds::new(2_600_000.0, 1_200_000.0, 2_601_000.0, 1_201_000.0));
        assert!(bern.fits_mostly(&there) && !guard(25832).fits_mostly(&there));
    }
}
