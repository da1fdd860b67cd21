//! DEM tiles as they come: any CRS, cell size, nodata and unit; grouped so that tiles of one grid are read as one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use gdal::Dataset;

use super::raster::{self, Purpose, RasterInfo};
use super::{Bounds, Crs, Transformer, area_of_use, gdal_glue, native, text_numbers};
use crate::project::file::VerticalUnit;
use crate::{Error, Note, Result};

/// How tiles are read where they do not say themselves.
#[derive(Debug, Clone)]
pub(crate) struct TileOptions {
    /// Not said: the only one that holds numbers.
    pub band: Option<usize>,
    pub purpose: Purpose,
    /// CRS of files without one.
    pub crs: Option<Crs>,
    /// Stronger than what the file says.
    pub nodata: Option<f64>,
    pub vertical_unit: Option<VerticalUnit>,
    /// Heights are brought to metres; other parameters keep their unit.
    pub heights: bool,
}

/// One source raster.
#[derive(Debug, Clone)]
pub(crate) struct Tile {
    pub path: PathBuf,
    pub info: RasterInfo,
    pub crs: Crs,
    pub band: usize,
    /// value = raw · scale + offset, in metres for heights.
    pub scale: f64,
    pub offset: f64,
    /// Metres per unit of the file's heights.
    pub unit_to_m: f64,
    pub nodata: Option<f64>,
    masked: bool,
    /// Outer edges, in the target CRS.
    pub bounds: Bounds,
    /// Cell size on the ground, m.
    pub cell_m: f64,
}

impl Tile {
    pub(crate) fn read(path: &Path, options: &TileOptions, warnings: &mut Vec<Note>) -> Result<UnplacedTile> {
        let dataset = raster::open(path)?;
        let info = raster::info_of(&dataset, path)?;
        let shown = path.display();
        let crs = info.crs.clone().or_else(|| options.crs.clone()).ok_or_else(|| {
            Error::input(format!(
                "raster '{shown}' does not say which CRS it is in: state it with --dem-crs EPSG:… (YAML: dem_crs)"
            ))
        })?;
        let number = raster::chosen_band(&info, options.band, options.purpose)?;
        let band = info.bands[number - 1].clone();
        if info.geo_transform.is_none() || info.extent.is_none() {
            return Err(Error::input(format!(
                "raster '{shown}' is not georeferenced: it needs a geotransform or a world file beside it"
            )));
        }
        raster::refuse_impossible_claim(&info)?;
        text_numbers::check(&info)?;
        warnings.extend(area_of_use::check_raster(&info, &crs)?);
        let unit_to_m = if options.heights {
            let read =
                raster::ReadRaster { band: Some(number), vertical_unit: options.vertical_unit, ..Default::default() };
            super::dem::height_unit_to_m(&info, &read, warnings)?
        } else {
            1.0
        };
        let masked =
            dataset.rasterband(number).and_then(|b| b.mask_flags()).is_ok_and(|f| !f.is_all_valid() && !f.is_nodata());
        let nodata = options.nodata.or(band.nodata);
        let (scale, offset) = (band.scale * unit_to_m, band.offset * unit_to_m);
        Ok(UnplacedTile { path: path.into(), info, crs, band: number, scale, offset, unit_to_m, nodata, masked })
    }

    /// Its middle, in its own CRS.
    pub(crate) fn centre(&self) -> (f64, f64) {
        self.info.extent.unwrap_or(self.bounds).centre()
    }

    fn grid_of(&self) -> Option<[f64; 6]> {
        self.info.geo_transform.filter(|g| !self.info.rotated && g[1] > 0.0 && g[5] < 0.0)
    }

    /// Cells of the same size at the same places: the two can be read as one raster.
    fn shares_grid_with(&self, other: &Tile) -> bool {
        let (Some(a), Some(b)) = (self.grid_of(), other.grid_of()) else { return false };
        let same_size = (a[1] / b[1] - 1.0).abs() < 1e-6 && (a[5] / b[5] - 1.0).abs() < 1e-6;
        let off_grid = |x: f64| (x - x.round()).abs();
        let same_phase = off_grid((a[0] - b[0]) / a[1]) < 1e-3 && off_grid((a[3] - b[3]) / a[5]) < 1e-3;
        same_size && same_phase && self.crs.same_as(&other.crs)
    }
}

/// A tile whose place in the target CRS is not known yet.
pub(crate) struct UnplacedTile {
    pub path: PathBuf,
    pub info: RasterInfo,
    pub crs: Crs,
    band: usize,
    scale: f64,
    offset: f64,
    unit_to_m: f64,
    nodata: Option<f64>,
    masked: bool,
}

impl UnplacedTile {
    pub(crate) fn extent(&self) -> Bounds {
        self.info.extent.unwrap_or(Bounds::new(0.0, 0.0, 0.0, 0.0))
    }

    pub(crate) fn place(self, target: &Crs, warnings: &mut Vec<Note>) -> Result<Tile> {
        let at_fault = |e: Error| Error { message: format!("raster '{}': {e}", self.path.display()), ..e };
        let transformer = Transformer::new(&self.crs, target)?;
        let extent = self.extent();
        let bounds = transformer.bounds(&extent).map_err(at_fault)?;
        if !transformer.is_identity() {
            let what = format!("raster '{}', brought to {target},", self.path.display());
            warnings.extend(area_of_use::check(target, &bounds, &what)?);
        }
        let (x, y) = extent.centre();
        let (dx, dy) = self.info.cell_size().unwrap_or((1.0, 1.0));
        let origin = transformer.xy(x, y).map_err(at_fault)?;
        let length = |p: (f64, f64)| (p.0 - origin.0).hypot(p.1 - origin.1);
        let side_x = length(transformer.xy(x + dx, y).map_err(at_fault)?);
        let side_y = length(transformer.xy(x, y + dy).map_err(at_fault)?);
        let cell_m = (side_x * side_y).sqrt();
        let Self { path, info, crs, band, scale, offset, unit_to_m, nodata, masked } = self;
        Ok(Tile { path, info, crs, band, scale, offset, unit_to_m, nodata, masked, bounds, cell_m })
    }
}

/// Tiles of one grid, strongest first.
pub(crate) struct Group<'a> {
    pub tiles: Vec<&'a Tile>,
}

/// Groups in order of priority. A tile joins an earlier group only if nothing between them overlaps it, so that the
/// order in which tiles were given still decides.
pub(crate) fn group(tiles: &[Tile]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for tile in tiles {
        let home = groups.iter().rposition(|g| g.tiles[0].shares_grid_with(tile)).filter(|&k| {
            groups[k + 1..].iter().all(|g| g.tiles.iter().all(|other| !other.bounds.intersects(&tile.bounds)))
        });
        match home {
            Some(k) => groups[k].tiles.push(tile),
            None => groups.push(Group { tiles: vec![tile] }),
        }
    }
    groups
}

impl Group<'_> {
    pub(crate) fn crs(&self) -> &Crs {
        &self.tiles[0].crs
    }

    pub(crate) fn cell_m(&self) -> f64 {
        self.tiles[0].cell_m
    }

    /// Cell size and origin in the group's own CRS, if it is axis-parallel and north-up.
    pub(crate) fn grid(&self) -> Option<[f64; 6]> {
        self.tiles[0].grid_of()
    }

    pub(crate) fn names(&self) -> String {
        let names: Vec<String> = self.tiles.iter().map(|t| format!("'{}'", t.path.display())).collect();
        match names.as_slice() {
            [a, b, _, ..] => format!("{a}, {b} and {} more", names.len() - 2),
            _ => names.join(", "),
        }
    }

    /// The group as one raster of 32-bit numbers: scale, offset and unit applied, NaN for nodata.
    pub(crate) fn open(&self) -> Result<Dataset> {
        let xml = self.vrt()?;
        gdal_glue::clear_messages();
        let dataset = Dataset::open(&xml);
        let cause = gdal_glue::take_error();
        dataset
            .map_err(|e| native::failure(&format!("{} cannot be read", self.names()), &cause.unwrap_or(e.to_string())))
    }

    fn vrt(&self) -> Result<String> {
        let first = self.tiles[0];
        let own = first.info.geo_transform.unwrap_or([0.0, 1.0, 0.0, 0.0, 0.0, -1.0]);
        let (transform, columns, rows) = match self.grid() {
            None => (own, first.info.columns, first.info.rows),
            Some(g) => {
                let extents = self.tiles.iter().filter_map(|t| t.info.extent);
                let all = extents.reduce(|a, b| a.union(&b)).unwrap_or(first.bounds);
                let cells = |length: f64, size: f64| (length / size).round() as usize;
                ([all.west, g[1], 0.0, all.north, 0.0, g[5]], cells(all.width(), g[1]), cells(all.height(), -g[5]))
            }
        };
        let mut xml = format!("<VRTDataset rasterXSize=\"{columns}\" rasterYSize=\"{rows}\">");
        let numbers: Vec<String> = transform.iter().map(|v| format!("{v:?}")).collect();
        let _ = write!(
            xml,
            "<SRS dataAxisToSRSAxisMapping=\"{}\">{}</SRS><GeoTransform>{}</GeoTransform>",
            axis_mapping(self.crs()),
            escaped(self.crs().wkt()),
            numbers.join(", ")
        );
        xml.push_str("<VRTRasterBand dataType=\"Float32\" band=\"1\"><NoDataValue>nan</NoDataValue>");
        // Later sources paint over earlier ones: the strongest comes last.
        for tile in self.tiles.iter().rev() {
            let extent = tile.info.extent.unwrap_or(tile.bounds);
            let (column, row) = match self.grid() {
                Some(g) => {
                    (((extent.west - transform[0]) / g[1]).round(), ((extent.north - transform[3]) / g[5]).round())
                }
                None => (0.0, 0.0),
            };
            xml.push_str(&source_xml(tile, column, row)?);
        }
        xml.push_str("</VRTRasterBand></VRTDataset>");
        Ok(xml)
    }
}

fn source_xml(tile: &Tile, column: f64, row: f64) -> Result<String> {
    let path = std::path::absolute(&tile.path).unwrap_or_else(|_| tile.path.clone());
    let name = path.to_str().ok_or_else(|| Error::input(format!("'{}' is not valid UTF-8", path.display())))?;
    let name = if tile.path.starts_with("/vsi") { tile.path.to_string_lossy().into_owned() } else { name.to_owned() };
    let (columns, rows) = (tile.info.columns, tile.info.rows);
    let size = format!("xSize=\"{columns}\" ySize=\"{rows}\"");
    let mut xml = format!(
        "<ComplexSource><SourceFilename relativeToVRT=\"0\" shared=\"0\">{}</SourceFilename><SourceBand>{}</SourceBand>\
         <SrcRect xOff=\"0\" yOff=\"0\" {size}/><DstRect xOff=\"{column}\" yOff=\"{row}\" {size}/>",
        escaped(&name),
        tile.band
    );
    if tile.masked {
        xml.push_str("<UseMaskBand>true</UseMaskBand>");
    }
    let floating = !tile.info.bands[tile.band - 1].is_integer;
    match tile.nodata {
        Some(value) if value.is_nan() => xml.push_str("<NODATA>nan</NODATA>"),
        Some(value) => {
            let _ = write!(xml, "<NODATA>{value:?}</NODATA>");
        }
        // NaN in a file that declares no nodata must not paint over another tile's heights.
        None if floating => xml.push_str("<NODATA>nan</NODATA>"),
        None => {}
    }
    if tile.scale != 1.0 || tile.offset != 0.0 {
        let _ = write!(xml, "<ScaleOffset>{:?}</ScaleOffset><ScaleRatio>{:?}</ScaleRatio>", tile.offset, tile.scale);
    }
    xml.push_str("</ComplexSource>");
    Ok(xml)
}

/// Our coordinates are always (east, north): the mapping that says so to GDAL for CRSs that name north first.
fn axis_mapping(crs: &Crs) -> &'static str {
    let mut reference = match crs.spatial_ref() {
        Ok(reference) => reference,
        Err(_) => return "1,2",
    };
    reference.set_axis_mapping_strategy(gdal::spatial_ref::AxisMappingStrategy::TraditionalGisOrder);
    let mut count = 0;
    // SAFETY: the array belongs to the reference, which lives until the end of the function.
    let swapped = unsafe {
        let axes = gdal_sys::OSRGetDataAxisToSRSAxisMapping(reference.to_c_hsrs(), &mut count);
        count >= 2 && !axes.is_null() && *axes == 2
    };
    if swapped { "2,1" } else { "1,2" }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
