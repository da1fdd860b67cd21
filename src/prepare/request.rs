//! What the user asks of `prepare`: a YAML file, the command line, or the file with the command line on top.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geo::warp::Resampling;
use crate::project::file::{ForestClass, GroundClass, VerticalUnit};
use crate::{Error, Result};

/// The recipe for `couloir prepare --config`. Paths are relative to this file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PrepareFile {
    /// Title of the project that is written.
    pub title: Option<String>,
    /// Elevation rasters. Where they overlap, the first one that knows a height gives it. `*` and `?` match file names.
    pub dem: OneOrMany,
    /// CRS of elevation rasters that do not say theirs.
    pub dem_crs: Option<String>,
    /// Value that marks cells without height, if the files do not say it or say it wrongly.
    pub dem_nodata: Option<f64>,
    /// Band of the elevation rasters, counted from 1.
    pub band: Option<usize>,
    /// Unit of the heights, stronger than what the files say.
    pub vertical_unit: Option<VerticalUnit>,
    /// Area of interest: a polygon layer, `xmin,ymin,xmax,ymax[,CRS]`, or another raster. Default: the whole DEM.
    pub aoi: Option<String>,
    /// Run-out buffer around the area, m.
    pub buffer_m: Option<f64>,
    /// Blank the DEM outside the (buffered) area instead of keeping its rectangle.
    pub mask: bool,
    /// CRS of the project, in metres. Default: the DEM's if all tiles share a metric one, else the local UTM zone.
    pub crs: Option<String>,
    /// Cell size, m. Default: that of the finest tile.
    pub cell_m: Option<f64>,
    /// Resampling of the heights. Default: average when cells become at least twice as large, cubic when they become
    /// less than half, otherwise bilinear.
    pub resampling: Option<Resampling>,
    /// Holes up to this size are filled: cells (`10`) or metres (`20m`) across. Default: 10 cells; 0 fills none.
    pub fill_holes: Option<FillHoles>,
    /// Parameter layers, aligned to the DEM.
    pub layers: Vec<LayerEntry>,
    /// CRS of layers (release, lines, polygons, parameter rasters) that do not say theirs.
    pub layer_crs: Option<String>,
    /// Ground classes of your own, by name; they go into the project.
    pub ground_classes: BTreeMap<String, GroundClass>,
    /// Forest classes of your own, by name.
    pub forest_classes: BTreeMap<String, ForestClass>,
    /// Where rocks start: points, lines or polygons. Default: every steep cell of the area.
    pub release: Vec<FeatureEntry>,
    /// Lines where crossings are recorded.
    pub lines: Vec<FeatureEntry>,
    pub barriers: Vec<BarrierEntry>,
    /// Folder to write.
    pub out: Option<String>,
    #[serde(skip)]
    pub overwrite: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Default for OneOrMany {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl OneOrMany {
    pub(crate) fn all(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts,
        }
    }
}

/// How large a hole may be to be filled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum FillHoles {
    Cells(u32),
    Text(String),
}

/// Holes of this many cells across are bridged without being asked: a shadow or a pond, not a missing slope.
pub(crate) const DEFAULT_FILL_CELLS: usize = 10;

impl FillHoles {
    pub(crate) fn cells(&self, cell_m: f64) -> Result<usize> {
        let Self::Text(text) = self else {
            return Ok(match self {
                Self::Cells(n) => *n as usize,
                Self::Text(_) => 0,
            });
        };
        let wrong = || {
            Error::input(format!("fill_holes: '{text}' is not understood: expected cells (10) or metres (20m) across"))
        };
        let (number, metres) = match text.trim().strip_suffix('m') {
            Some(number) => (number.trim(), true),
            None => (text.trim(), false),
        };
        let value: f64 = number.parse().map_err(|_| wrong())?;
        if !(value.is_finite() && (0.0..=1e6).contains(&value)) {
            return Err(wrong());
        }
        Ok(if metres { (value / cell_m).floor() } else { value.floor() } as usize)
    }
}

/// One parameter layer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayerEntry {
    /// `ground` or `forest` (classes), or a parameter's key in the project file (`mu_min`, `kappa_per_m`, `height_m`, …).
    pub name: String,
    /// Raster or polygon layer; `file.gpkg|layername=x` picks a layer.
    pub source: String,
    /// Attribute with the class or the number. Default for classes: `class`.
    #[serde(default)]
    pub attribute: Option<String>,
    /// One class for every polygon.
    #[serde(default)]
    pub class: Option<String>,
    /// Attribute value or raster code → class.
    #[serde(default)]
    pub codes: BTreeMap<String, String>,
    /// Band of a raster, counted from 1.
    #[serde(default)]
    pub band: Option<usize>,
    #[serde(default)]
    pub crs: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeatureEntry {
    pub source: String,
    /// Default: the file's name.
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub crs: Option<String>,
    /// Attribute filter, an OGR SQL where clause.
    #[serde(default)]
    pub filter: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BarrierEntry {
    pub name: String,
    pub source: String,
    #[serde(default)]
    pub crs: Option<String>,
    #[serde(default = "default_height")]
    pub height_m: f64,
    #[serde(default = "default_capacity")]
    pub capacity_kj: f64,
}

/// A common net: 4 m and 1000 kJ (an EAD 340059 energy class).
fn default_height() -> f64 {
    4.0
}
fn default_capacity() -> f64 {
    1000.0
}

impl PrepareFile {
    /// Reads a recipe; its paths become relative to the working directory.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        let mut file: Self = crate::project::load_yaml(path, "recipe")?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let join = |text: &mut String| {
            if !text.starts_with("/vsi") {
                *text = folder.join(&*text).to_string_lossy().into_owned();
            }
        };
        file.dem = OneOrMany::Many(file.dem.all().to_vec());
        if let OneOrMany::Many(paths) = &mut file.dem {
            paths.iter_mut().for_each(join);
        }
        file.layers.iter_mut().for_each(|l| join(&mut l.source));
        file.release.iter_mut().chain(&mut file.lines).for_each(|f| join(&mut f.source));
        file.barriers.iter_mut().for_each(|b| join(&mut b.source));
        file.out.iter_mut().for_each(join);
        if let Some(aoi) = &mut file.aoi
            && matches!(crate::geo::area::AreaSource::parse(aoi)?, crate::geo::area::AreaSource::File(_))
        {
            join(aoi);
        }
        Ok(file)
    }

    /// Puts what the command line says over what the file says; lists replace lists.
    pub(crate) fn overridden_by(self, cli: Self) -> Self {
        fn list<T>(file: Vec<T>, cli: Vec<T>) -> Vec<T> {
            if cli.is_empty() { file } else { cli }
        }
        Self {
            title: cli.title.or(self.title),
            dem: if cli.dem.all().is_empty() { self.dem } else { cli.dem },
            dem_crs: cli.dem_crs.or(self.dem_crs),
            dem_nodata: cli.dem_nodata.or(self.dem_nodata),
            band: cli.band.or(self.band),
            vertical_unit: cli.vertical_unit.or(self.vertical_unit),
            aoi: cli.aoi.or(self.aoi),
            buffer_m: cli.buffer_m.or(self.buffer_m),
            mask: cli.mask || self.mask,
            crs: cli.crs.or(self.crs),
            cell_m: cli.cell_m.or(self.cell_m),
            resampling: cli.resampling.or(self.resampling),
            fill_holes: cli.fill_holes.or(self.fill_holes),
            layers: list(self.layers, cli.layers),
            layer_crs: cli.layer_crs.or(self.layer_crs),
            ground_classes: self.ground_classes,
            forest_classes: self.forest_classes,
            release: list(self.release, cli.release),
            lines: list(self.lines, cli.lines),
            barriers: list(self.barriers, cli.barriers),
            out: cli.out.or(self.out),
            overwrite: cli.overwrite || self.overwrite,
        }
    }

    /// What can be said before any file is opened.
    pub(crate) fn validate(&self) -> Result<()> {
        if self.dem.all().is_empty() {
            return Err(Error::usage("no elevation raster is named: give --dem FILE… (YAML: dem)"));
        }
        if let Some(buffer) = self.buffer_m
            && !(buffer.is_finite() && (0.0..=1e6).contains(&buffer))
        {
            return Err(Error::input(format!("the buffer of {buffer} m is not usable: expected 0 to 1000000 m")));
        }
        if let Some(cell) = self.cell_m
            && !(cell.is_finite() && (1e-3..=1e4).contains(&cell))
        {
            return Err(Error::input(format!("the cell size of {cell} m is not usable: expected 0.001 to 10000 m")));
        }
        Ok(())
    }

    pub(crate) fn out_folder(&self) -> Result<PathBuf> {
        match self.out.as_deref().map(str::trim) {
            Some(text) if !text.is_empty() => Ok(Path::new(text).components().collect()),
            _ => Err(Error::usage("no folder to write is named: give --out FOLDER (YAML: out)")),
        }
    }

    /// The elevation rasters, with `*` and `?` in file names expanded in the order of the names.
    pub(crate) fn dem_paths(&self) -> Result<Vec<PathBuf>> {
        let mut paths: Vec<PathBuf> = Vec::new();
        for text in self.dem.all() {
            for path in expand(text)? {
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        Ok(paths)
    }
}

fn expand(text: &str) -> Result<Vec<PathBuf>> {
    let path = Path::new(text);
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    if path.exists() || !name.contains(['*', '?']) {
        return Ok(vec![path.to_path_buf()]);
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let entries = std::fs::read_dir(folder)
        .map_err(|_| Error::input(format!("'{text}': the folder '{}' cannot be read", folder.display())))?;
    let pattern: Vec<char> = name.chars().collect();
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|e| matches_pattern(&pattern, &e.file_name().to_string_lossy().chars().collect::<Vec<_>>()))
        .map(|e| path.with_file_name(e.file_name()))
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(Error::input(format!("no file matches '{text}': check the folder and the pattern")));
    }
    Ok(found)
}

fn matches_pattern(pattern: &[char], name: &[char]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some(('*', rest)) => (0..=name.len()).any(|k| matches_pattern(rest, &name[k..])),
        Some((c, rest)) => {
            name.split_first().is_some_and(|(n, tail)| (*c == '?' || c == n) && matches_pattern(rest, tail))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names() {
        let matches =
            |p: &str, n: &str| matches_pattern(&p.chars().collect::<Vec<_>>(), &n.chars().collect::<Vec<_>>());
        assert!(matches("*.tif", "a.b.tif") && matches("t?.tif", "tü.tif") && matches("*", "x"));
        assert!(!matches("*.tif", "a.tiff") && !matches("t?.tif", "t.tif"));
    }

    #[test]
    fn holes_are_measured_in_cells_or_metres() {
        assert_eq!(FillHoles::Cells(7).cells(2.0).unwrap(), 7);
        assert_eq!(FillHoles::Text("20m".into()).cells(2.0).unwrap(), 10);
        assert_eq!(FillHoles::Text("12".into()).cells(2.0).unwrap(), 12);
        assert!(FillHoles::Text("ten".into()).cells(2.0).unwrap_err().message.contains("expected cells"));
    }
}
