//! Which band of a raster is meant, and whether it holds what is wanted.

use super::raster::RasterInfo;
use crate::{Error, Result};

/// What a band's values are taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Heights or parameters: measured numbers.
    Numbers,
    /// Codes of classes, which may well have colours.
    Codes,
    /// Whatever they are, they stay it.
    Any,
}

/// The band to read: the one that was named, else the only one; never one that holds something else than is wanted.
pub fn chosen_band(info: &RasterInfo, wanted: Option<usize>, purpose: Purpose) -> Result<usize> {
    let (shown, held) = (info.path.display(), info.bands.len());
    let number = wanted.unwrap_or(1);
    let Some(band) = number.checked_sub(1).and_then(|k| info.bands.get(k)) else {
        return Err(Error::input(format!("raster '{shown}' has no band {number}: it has bands 1 to {held}")));
    };
    if purpose == Purpose::Any {
        return Ok(number);
    }
    if band.data_type.starts_with('C') {
        return Err(Error::input(format!(
            "raster '{shown}' holds complex numbers ({}), where plain ones are needed: export their real part or amplitude",
            band.data_type
        )));
    }
    if band.scale == 0.0 || !band.scale.is_finite() || !band.offset.is_finite() {
        return Err(Error::input(format!(
            "band {number} of raster '{shown}' says that its values are to be multiplied by {} and {} added, which leaves no \
             values: mend that (`gdal_edit.py -unsetmd`, -scale, -offset) or export it again",
            band.scale, band.offset
        )));
    }
    let colour = band.colour.as_str();
    let picture = !["Undefined", "Gray", "Palette"].contains(&colour);
    let measured = band.data_type.starts_with("Float") || ["Int16", "Int32"].contains(&band.data_type.as_str());
    if picture && !(measured && wanted.is_some()) {
        return Err(Error::input(format!(
            "raster '{shown}' is a picture (band {number} of {held} holds colours: {}), where numbers are needed: name the \
             raster the picture was made from, or the band that holds the numbers",
            colour.to_lowercase()
        )));
    }
    if colour == "Palette" && purpose == Purpose::Numbers {
        return Err(Error::input(format!(
            "band {number} of raster '{shown}' holds the numbers of a colour table, where measured ones are needed: name the \
             raster it was made from"
        )));
    }
    let others = info.bands.iter().filter(|band| band.colour != "Alpha").count();
    if wanted.is_none() && others > 1 {
        let names: Vec<&str> = info.bands.iter().map(|b| b.description.as_str()).filter(|n| !n.is_empty()).collect();
        let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        return Err(Error::input(format!(
            "raster '{shown}' has {held} bands{names}, and nothing says which one is meant: name it (`band: 1`, --band 1)"
        )));
    }
    Ok(number)
}
