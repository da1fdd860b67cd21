//! Vertical units: what a raster says about its heights, and what a user declares.

use gdal::spatial_ref::SpatialRef;

use super::gdal_glue;
use crate::project::file::VerticalUnit;

/// International foot and US survey foot, exact by definition.
const FOOT_M: f64 = 0.3048;
const US_SURVEY_FOOT_M: f64 = 1200.0 / 3937.0;

impl VerticalUnit {
    pub(crate) fn to_m(self) -> f64 {
        match self {
            VerticalUnit::Metre => 1.0,
            VerticalUnit::Foot => FOOT_M,
            VerticalUnit::UsSurveyFoot => US_SURVEY_FOOT_M,
        }
    }
}

/// Metres per unit, from the unit's name as found in band metadata or a CRS; `None` if unknown.
pub(crate) fn unit_to_m(name: &str) -> Option<f64> {
    let key: String = name.trim().to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == '\'').collect();
    match key.as_str() {
        "m" | "metre" | "meter" | "metres" | "meters" | "mètre" | "mètres" | "metri" | "metro" => Some(1.0),
        "ft" | "foot" | "feet" | "'" | "internationalfoot" | "internationalfeet" | "footinternational" | "ift" => {
            Some(FOOT_M)
        }
        "usft" | "ftus" | "ussurveyfoot" | "ussurveyfeet" | "footus" | "surveyfoot" | "ussurveyft" | "sft" => {
            Some(US_SURVEY_FOOT_M)
        }
        "cm" | "centimetre" | "centimeter" | "centimetres" | "centimeters" => Some(0.01),
        "dm" | "decimetre" | "decimeter" => Some(0.1),
        "mm" | "millimetre" | "millimeter" => Some(0.001),
        "km" | "kilometre" | "kilometer" => Some(1000.0),
        _ => None,
    }
}

/// Metres per unit of the vertical part of a compound (or three-dimensional) CRS, if it has one.
pub(crate) fn crs_vertical_unit_to_m(reference: &SpatialRef) -> Option<f64> {
    if !reference.is_compound() && !reference.is_vertical() {
        return None;
    }
    let key = gdal_glue::c_string("VERT_CS").ok()?;
    let mut name = std::ptr::null_mut();
    // SAFETY: the name is owned by the spatial reference; we do not free it.
    let unit = unsafe { gdal_sys::OSRGetTargetLinearUnits(reference.to_c_hsrs(), key.as_ptr(), &mut name) };
    (unit.is_finite() && unit > 0.0).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_names_in_common_spellings_are_understood() {
        for name in ["m", "metre", "Meters", " METER "] {
            assert_eq!(unit_to_m(name), Some(1.0), "{name}");
        }
        for name in ["ft", "foot", "Feet", "international foot"] {
            assert_eq!(unit_to_m(name), Some(0.3048), "{name}");
        }
        for name in ["us-ft", "US survey foot", "ftUS", "US_survey_foot", "Foot_US"] {
            assert_eq!(unit_to_m(name), Some(1200.0 / 3937.0), "{name}");
        }
        assert_eq!(unit_to_m("fathom"), None);
        let stated = [VerticalUnit::Metre, VerticalUnit::Foot, VerticalUnit::UsSurveyFoot].map(VerticalUnit::to_m);
        assert_eq!(stated, [1.0, 0.3048, 1200.0 / 3937.0]);
    }
}
