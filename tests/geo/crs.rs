//! One PROJ in the process: vectors, which the `proj` crate transforms, and rasters, which GDAL warps, agree.

use std::ffi::CString;

use couloir::geo::crs::{looks_like_swapped_axes, utm_epsg};
use couloir::geo::{Bounds, Crs, Transformer};
use gdal::spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef};

use crate::support::{assert_sentence, crs};

/// Places inside the area of use of every one of these, where Switzerland, Austria and Germany nearly meet; France's Lambert
/// 93 and Austria's GK West reach as far with their formulas.
const CODES: [u32; 10] = [4326, 2056, 21781, 31287, 31254, 2154, 25832, 32632, 3857, 4258];
const PLACES: [(f64, f64); 3] = [(9.6, 47.4), (10.2, 46.9), (7.1, 45.9)];

/// 1 mm, in the units of a CRS.
fn tolerance(code: u32) -> f64 {
    if [4326, 4258].contains(&code) { 1e-8 } else { 1e-3 }
}

/// Vectors go through PROJ, rasters through GDAL: a polygon must stay on the pixels it was drawn on.
#[test]
fn vectors_by_proj_and_rasters_by_gdal_agree_to_a_millimetre_in_east_north_order() {
    let reference = |code: u32| {
        let mut reference = SpatialRef::from_epsg(code).unwrap();
        reference.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
        reference
    };
    let gdal = |from: u32, to: u32, (x, y): (f64, f64)| {
        let (mut xs, mut ys) = ([x], [y]);
        let way = CoordTransform::new(&reference(from), &reference(to)).unwrap();
        way.transform_coords(&mut xs, &mut ys, &mut []).unwrap();
        (xs[0], ys[0])
    };
    for from in CODES {
        let points = PLACES.map(|place| gdal(4326, from, place));
        // A definition without a code, as in a .prj, goes another way into PROJ.
        let nameless =
            Crs::from_user(&crs(&format!("EPSG:{from}")).wkt().replace("ID[\"EPSG\"", "ID[\"MINE\"")).unwrap();
        for to in CODES {
            let (own, target) = (Crs::from_epsg(from).unwrap(), Crs::from_epsg(to).unwrap());
            for source in [&own, &nameless] {
                let ours = Transformer::new(source, &target).unwrap();
                for (place, (x, y)) in PLACES.iter().zip(points) {
                    let (a, b) = (ours.xy(x, y).unwrap(), gdal(from, to, (x, y)));
                    let off = (a.0 - b.0).abs().max((a.1 - b.1).abs());
                    assert!(off < tolerance(to), "EPSG:{from} to EPSG:{to} at {place:?}: {a:?} and {b:?}");
                }
            }
        }
    }
}

/// What has no image is refused on both ways, and nothing is said on stderr.
#[test]
fn places_off_the_map_are_refused_by_proj_as_by_gdal() {
    let web = crs("EPSG:3857");
    for (from, x, y) in [("EPSG:4326", 8.0, 95.0), ("EPSG:25832", 1e9, 1e9), ("EPSG:4258", f64::NAN, 47.0)] {
        let error = Transformer::new(&crs(from), &web).unwrap().xy(x, y).unwrap_err();
        assert_sentence(&error, &["cannot be brought", "check that the layer's CRS is right"]);
    }
}

#[test]
fn the_proj_library_and_gdal_agree_to_a_millimetre_in_the_authoritys_order() {
    let reference = |code: u32| {
        let mut reference = SpatialRef::from_epsg(code).unwrap();
        reference.set_axis_mapping_strategy(AxisMappingStrategy::AuthorityCompliant);
        reference
    };
    for from in CODES {
        // EPSG:4326 puts latitude first, EPSG:31287 north.
        let start = Operation::new(4326, from);
        let points = PLACES.map(|(longitude, latitude)| start.convert((latitude, longitude)));
        for to in CODES {
            let gdal = CoordTransform::new(&reference(from), &reference(to)).unwrap();
            let proj = Operation::new(from, to);
            for (x, y) in points {
                let (mut xs, mut ys) = ([x], [y]);
                gdal.transform_coords(&mut xs, &mut ys, &mut []).unwrap();
                let image = proj.convert((x, y));
                let off = (xs[0] - image.0).abs().max((ys[0] - image.1).abs());
                assert!(off < tolerance(to), "EPSG:{from} to EPSG:{to}: {} {} and {image:?}", xs[0], ys[0]);
            }
        }
    }
}

/// PROJ's own C interface, which keeps the authority's axis order.
struct Operation(*mut proj_sys::PJ);

impl Operation {
    fn new(from: u32, to: u32) -> Self {
        let names = [from, to].map(|code| CString::new(format!("EPSG:{code}")).unwrap());
        let (context, area) = (std::ptr::null_mut(), std::ptr::null_mut());
        Self(unsafe { proj_sys::proj_create_crs_to_crs(context, names[0].as_ptr(), names[1].as_ptr(), area) })
    }

    fn convert(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let xyzt = proj_sys::PJ_XYZT { x, y, z: 0.0, t: f64::INFINITY };
        let forward = proj_sys::PJ_DIRECTION_PJ_FWD;
        let image = unsafe { proj_sys::proj_trans(self.0, forward, proj_sys::PJ_COORD { xyzt }).xy };
        (image.x, image.y)
    }
}

impl Drop for Operation {
    fn drop(&mut self) {
        unsafe { proj_sys::proj_destroy(self.0) };
    }
}

#[test]
fn known_points_land_where_the_surveys_say() {
    // The old observatory in Bern, origin of the Swiss grid: E 2 600 000, N 1 200 000.
    let to_swiss = Transformer::new(&crs("EPSG:4326"), &crs("EPSG:2056")).unwrap();
    let (x, y) = to_swiss.xy(7.438_632_420_871_814, 46.951_082_773_474_93).unwrap();
    assert!((x - 2_600_000.0).abs() < 0.01 && (y - 1_200_000.0).abs() < 0.01, "{x} {y}");
    // x is east and y north in EPSG:31287 too, whose authority says north first.
    let (x, y) = Transformer::new(&crs("EPSG:4326"), &crs("EPSG:31287")).unwrap().xy(13.333_333_3, 47.5).unwrap();
    assert!((x - 400_000.0).abs() < 200.0 && (y - 400_000.0).abs() < 200.0, "{x} {y}");
}

#[test]
fn the_same_crs_is_recognised_in_any_notation() {
    let swiss = crs("EPSG:2056");
    assert_eq!(swiss.label(), "EPSG:2056 CH1903+ / LV95");
    for text in ["2056", "epsg:2056", "urn:ogc:def:crs:EPSG::2056", swiss.wkt(), "EPSG:2056+5728"] {
        assert!(crs(text).same_as(&swiss), "{text}");
    }
    let esri = "PROJCS[\"CH1903+_LV95\",GEOGCS[\"GCS_CH1903+\",DATUM[\"D_CH1903+\",SPHEROID[\"Bessel_1841\",6377397.155,\
                299.1528128]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\
                \"Hotine_Oblique_Mercator_Azimuth_Center\"],PARAMETER[\"False_Easting\",2600000.0],PARAMETER[\
                \"False_Northing\",1200000.0],PARAMETER[\"Scale_Factor\",1.0],PARAMETER[\"Azimuth\",90.0],PARAMETER[\
                \"Longitude_Of_Center\",7.439583333333333],PARAMETER[\"Latitude_Of_Center\",46.95240555555556],UNIT[\
                \"Meter\",1.0]]";
    assert!(crs(esri).same_as(&swiss), "{}", crs(esri));
    assert!(!crs("EPSG:21781").same_as(&swiss));
    assert!(!crs("EPSG:25832").same_as(&crs("EPSG:32632")), "two datums");
    let same = Transformer::new(&swiss, &crs(esri)).unwrap();
    assert_eq!(same.xy(0.1 + 0.2, 1.0 / 3.0).unwrap(), (0.1 + 0.2, 1.0 / 3.0), "identity bit for bit");
}

#[test]
fn what_is_no_crs_is_named() {
    for text in ["EPSG:999999", "no such thing", "", "  ", "EPSG:2056; DROP", "PROJCS[\"x\"", "\0"] {
        assert_sentence(&Crs::from_user(text).unwrap_err(), &["CRS"]);
    }
    assert_sentence(&Crs::from_user("EPSG:4978").unwrap_err(), &["geocentric"]);
    assert!(crs("EPSG:4326").is_geographic() && crs("EPSG:4326").linear_unit_to_m().is_nan());
    assert!(crs("EPSG:2263").linear_unit_to_m() < 0.31 && !crs("EPSG:2263").is_metric());
    assert!(crs("EPSG:2056").is_metric());
}

#[test]
fn points_that_have_no_image_are_an_error_and_not_infinity() {
    let transformer = Transformer::new(&crs("EPSG:4326"), &crs("EPSG:2056")).unwrap();
    for (x, y) in [(f64::NAN, 46.0), (7.0, f64::INFINITY), (7.0, 1e10)] {
        assert!(transformer.xy(x, y).is_err(), "{x} {y}: {:?}", transformer.xy(x, y));
    }
}

#[test]
fn utm_zones_follow_the_longitude_with_the_nordic_exceptions() {
    for (longitude, latitude, epsg) in
        [(7.4, 46.9, 32632), (-180.0, 10.0, 32601), (180.0, 10.0, 32601), (179.9, -1.0, 32760), (4.0, 60.0, 32632)]
    {
        assert_eq!(utm_epsg(longitude, latitude), epsg, "{longitude} {latitude}");
    }
    assert_eq!((utm_epsg(15.0, 78.0), utm_epsg(22.0, 78.0), utm_epsg(8.0, 78.0)), (32633, 32635, 32631));
}

#[test]
fn swapped_axes_are_recognised() {
    let (degrees, swiss) = (crs("EPSG:4326"), crs("EPSG:2056"));
    let site = Bounds::new(2_600_000.0, 1_200_000.0, 2_601_000.0, 1_201_000.0);
    let right = Bounds::new(7.439, 46.951, 7.441, 46.953);
    let swapped = Bounds::new(46.951, 7.439, 46.953, 7.441);
    let elsewhere = Bounds::new(12.0, 50.0, 12.1, 50.1);
    assert!(!looks_like_swapped_axes(&right, &site, &degrees, &swiss));
    assert!(looks_like_swapped_axes(&swapped, &site, &degrees, &swiss));
    assert!(!looks_like_swapped_axes(&elsewhere, &site, &degrees, &swiss));
    let north_east = Bounds::new(1_200_100.0, 2_600_100.0, 1_200_200.0, 2_600_200.0);
    assert!(looks_like_swapped_axes(&north_east, &site, &swiss, &swiss));
}
