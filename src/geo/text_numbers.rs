//! Numbers written as text: GDAL reads as much of `1,000.5`, `--5`, `five` or `1.2.3` as it understands and takes that for
//! the number. Files that hold such words are refused before GDAL is believed: grids and lists of points, the headers that
//! lie beside binary rasters, world files, and virtual rasters.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::ascii_grid::{Grid, Xyz};
use super::file_list::{VirtualFile, files_of};
use super::raster::RasterInfo;
use super::{gdal_glue, vrt_numbers};
use crate::{Error, Result};

pub(super) type Checked = std::result::Result<(), String>;

/// Refuses text files among those a raster is read from that GDAL would misread.
pub(crate) fn check(info: &RasterInfo) -> Result<()> {
    for file in files_of(&info.path) {
        // Whatever it is called: a virtual raster may name a grid `heights.txt`.
        let kind = Kind::of_companion(&file).or_else(|| Kind::of_driver(&driver_of(&file)));
        if let Some(kind) = kind {
            check_file(&file, kind)?;
        }
    }
    Ok(())
}

/// The format GDAL takes a file for; nothing for one it does not know.
fn driver_of(path: &Path) -> String {
    let Ok(name) = gdal_glue::c_string(&path.to_string_lossy()) else { return String::new() };
    // SAFETY: the name lives until the call returns; GDAL owns the driver and its name.
    unsafe {
        let driver = gdal_sys::GDALIdentifyDriver(name.as_ptr(), std::ptr::null_mut());
        if driver.is_null() { String::new() } else { gdal_glue::text_of(gdal_sys::GDALGetDriverShortName(driver)) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    AsciiGrid,
    Xyz,
    WorldFile,
    Virtual,
    /// `XDIM 4` of Esri's, `samples = 20` of ENVI's.
    Header,
    /// `CELLSIZE = 4`.
    Saga,
    /// `resolution : 4`.
    Idrisi,
}

impl Kind {
    fn of_driver(driver: &str) -> Option<Self> {
        match driver {
            "AAIGrid" => Some(Self::AsciiGrid),
            "XYZ" => Some(Self::Xyz),
            "VRT" => Some(Self::Virtual),
            _ => None,
        }
    }

    fn of_companion(path: &Path) -> Option<Self> {
        if path.to_string_lossy().to_lowercase().ends_with(".aux.xml") {
            return Some(Self::Virtual);
        }
        let ending = path.extension()?.to_string_lossy().to_lowercase();
        match ending.as_str() {
            "wld" | "tfw" | "tifw" | "tiffw" | "pgw" | "pngw" | "jgw" | "jpgw" | "j2w" | "blw" | "bilw" => {
                Some(Self::WorldFile)
            }
            "hdr" => Some(Self::Header),
            "sgrd" => Some(Self::Saga),
            "rdc" => Some(Self::Idrisi),
            _ => None,
        }
    }
}

fn check_file(path: &Path, kind: Kind) -> Result<()> {
    let unreadable =
        |e: std::io::Error| Error::input(format!("raster '{}' cannot be read: {e}", path.display())).caused_by(e);
    let virtual_file = path.to_string_lossy().starts_with("/vsi");
    let reader: Box<dyn Read> = match virtual_file {
        true => Box::new(VirtualFile::open(path).map_err(unreadable)?),
        false => Box::new(File::open(path).map_err(unreadable)?),
    };
    let mut reader = BufReader::with_capacity(1 << 20, reader);
    let (mut grid, mut xyz, mut world) = (Grid::default(), Xyz::default(), Vec::new());
    let at = |number: u64, fault: String| {
        let shown = path.display();
        Error::input(format!(
            "raster '{shown}', line {number}: {fault}; export it again with plain numbers such as 1234.5"
        ))
    };
    let (mut line, mut whole) = (Vec::new(), String::new());
    let mut number = 0;
    loop {
        line.clear();
        // A text without line breaks is no text.
        let count = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(unreadable)?;
        if count == 0 {
            break;
        }
        number += 1;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim_matches(|c: char| is_blank(c) || c == '\0');
        let checked = match kind {
            Kind::AsciiGrid => grid.line(text),
            Kind::Xyz => xyz.line(text),
            Kind::WorldFile => words(text).try_for_each(|word| {
                world.push(plain_number(word)?);
                Ok(())
            }),
            Kind::Header => esri_header(text).and_then(|()| envi_header(text)),
            Kind::Saga => saga_header(text),
            Kind::Idrisi => idrisi_header(text),
            Kind::Virtual => {
                whole.push_str(text);
                whole.push('\n');
                Ok(())
            }
        };
        checked.map_err(|fault| at(number, fault))?;
    }
    match kind {
        Kind::AsciiGrid => grid.end().map_err(|fault| at(number, fault)),
        Kind::Virtual => vrt_numbers::check(&whole).map_err(|(number, fault)| at(number, fault)),
        Kind::WorldFile if world.len() != 6 => {
            Err(at(number, format!("a world file holds 6 numbers, this one {}", world.len())))
        }
        _ => Ok(()),
    }
}

/// Some ten million cells in one line.
const LONGEST_LINE: u64 = 1 << 28;

/// What divides numbers for GDAL, too: behind a no-break space it reads 0.
pub(super) fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\x0b'
}

/// What stands between blanks.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}

/// A finite decimal number with a point: nothing GDAL could read otherwise than it was meant.
pub(super) fn plain_number(word: &str) -> std::result::Result<f64, String> {
    let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let value = if plain { word.parse::<f64>().ok().filter(|value| value.is_finite()) } else { None };
    value.ok_or_else(|| {
        let hint = if word.contains(',') { " (decimal or thousands commas are not read)" } else { "" };
        format!("found '{}' where a number belongs{hint}", word.chars().take(40).collect::<String>())
    })
}

/// The value behind a key, if it is one of these.
fn value_of<'a>(text: &'a str, sign: Option<char>, keys: &[&str]) -> Option<(&'a str, &'a str)> {
    let (key, value) = match sign {
        Some(sign) => text.split_once(sign)?,
        None => text.split_once(is_blank)?,
    };
    let (key, value) = (key.trim_matches(is_blank), value.trim_matches(is_blank));
    keys.iter().any(|known| key.eq_ignore_ascii_case(known)).then_some((key, value))
}

fn is_nan(word: &str) -> bool {
    word.trim_start_matches(['+', '-']).eq_ignore_ascii_case("nan")
}

fn esri_header(text: &str) -> Checked {
    const KEYS: [&str; 18] = [
        "nrows",
        "ncols",
        "nbands",
        "nbits",
        "skipbytes",
        "bandrowbytes",
        "totalrowbytes",
        "bandgapbytes",
        "ulxmap",
        "ulymap",
        "xdim",
        "ydim",
        "cellsize",
        "xllcorner",
        "yllcorner",
        "xllcenter",
        "yllcenter",
        "nodata",
    ];
    let Some((_, value)) = value_of(text, None, &KEYS).or_else(|| value_of(text, None, &["nodata_value"])) else {
        return Ok(());
    };
    if is_nan(value) { Ok(()) } else { plain_number(value).map(|_| ()) }
}

fn envi_header(text: &str) -> Checked {
    const KEYS: [&str; 6] = ["samples", "lines", "bands", "header offset", "data type", "data ignore value"];
    if let Some((_, value)) = value_of(text, Some('='), &KEYS) {
        return if is_nan(value) { Ok(()) } else { plain_number(value).map(|_| ()) };
    }
    if let Some((_, value)) = value_of(text, Some('='), &["map info"]) {
        // Name, then tie point, its coordinates and the cell sizes; a decimal comma would make a number more.
        let items = value.trim_matches(['{', '}']).split(',').map(|item| item.trim_matches(is_blank));
        return items.skip(1).take(6).try_for_each(|item| plain_number(item).map(|_| ()));
    }
    Ok(())
}

fn saga_header(text: &str) -> Checked {
    const KEYS: [&str; 6] =
        ["position_xmin", "position_ymin", "cellcount_x", "cellcount_y", "cellsize", "datafile_offset"];
    if let Some((_, value)) = value_of(text, Some('='), &["z_factor"]) {
        // GDAL leaves it out.
        return match plain_number(value)? {
            1.0 => Ok(()),
            factor => Err(format!("found Z_FACTOR {factor}, which is not applied, expected 1")),
        };
    }
    if let Some((_, value)) = value_of(text, Some('='), &["nodata_value"]) {
        // One, or a range.
        return value.split(';').map(|item| item.trim_matches(is_blank)).try_for_each(|word| match is_nan(word) {
            true => Ok(()),
            false => plain_number(word).map(|_| ()),
        });
    }
    value_of(text, Some('='), &KEYS).map_or(Ok(()), |(_, value)| plain_number(value).map(|_| ()))
}

fn idrisi_header(text: &str) -> Checked {
    const KEYS: [&str; 10] = [
        "columns",
        "rows",
        "min. x",
        "max. x",
        "min. y",
        "max. y",
        "unit dist.",
        "resolution",
        "min. value",
        "max. value",
    ];
    if let Some((_, value)) = value_of(text, Some(':'), &["flag value"])
        && !value.eq_ignore_ascii_case("none")
    {
        return plain_number(value).map(|_| ());
    }
    let Some((_, value)) = value_of(text, Some(':'), &KEYS) else { return Ok(()) };
    // A raster of several bands has a value of each.
    words(value).try_for_each(|word| plain_number(word).map(|_| ()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_beside_rasters_hold_plain_numbers() {
        for text in ["XDIM 4.5", "NODATA -9999", "ULXMAP\t2600002", "BYTEORDER I", "LAYOUT BIL", "NODATA nan", ""] {
            assert!(esri_header(text).is_ok(), "{text}");
        }
        for text in ["XDIM 4,5", "xdim 4'0", "ULXMAP 2,600,002", "NROWS 20 5", "NODATA -99,5", "nodata_value five"] {
            assert!(esri_header(text).is_err(), "{text}");
        }
        for text in ["samples = 20", "map info = {UTM, 1, 1, 2600000, 1200080, 4, 4, 32, North}", "interleave = bsq"] {
            assert!(envi_header(text).is_ok(), "{text}");
        }
        for text in ["samples = 20,5", "map info = {UTM, 1, 1, x, 1200080, 4, 4}", "data ignore value = -99,5"] {
            assert!(envi_header(text).is_err(), "{text}");
        }
        for text in ["CELLSIZE\t= 4.0", "Z_FACTOR\t= 1.000000", "NODATA_VALUE = -9;-1", "NAME\t= Höhe, 2"] {
            assert!(saga_header(text).is_ok(), "{text}");
        }
        for text in ["CELLSIZE\t= 4,0", "Z_FACTOR\t= 0.1", "Z_FACTOR = 0,1", "NODATA_VALUE = -9,5", "CELLCOUNT_X = 2x"]
        {
            assert!(saga_header(text).is_err(), "{text}");
        }
        for text in ["min. X      : 2600000", "flag value  : none", "max. value  : 1 2 3", "ref. units  : m"] {
            assert!(idrisi_header(text).is_ok(), "{text}");
        }
        for text in ["min. X      : 2,600,000", "flag value  : -99,5", "columns     : 2e", "resolution : 4'0"] {
            assert!(idrisi_header(text).is_err(), "{text}");
        }
    }
}
