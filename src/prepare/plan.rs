//! Decides, before any cell is read, which CRS, area, grid and tiles the site has, and says why.

use std::path::PathBuf;

use super::Said;
use super::request::{DEFAULT_FILL_CELLS, PrepareFile};
use crate::geo::area::{Area, AreaSource};
use crate::geo::raster::Purpose;
use crate::geo::tiles::{self, Tile, TileOptions, UnplacedTile};
use crate::geo::{Bounds, Crs, Transformer, crs};
use crate::process::interrupt;
use crate::terrain::Lattice;
use crate::{Error, Note, Result};

pub(crate) struct Plan {
    pub crs: Crs,
    /// Tiles that touch the grid, strongest first.
    pub tiles: Vec<Tile>,
    pub grid: Lattice,
    /// With the buffer, in the project CRS.
    pub area: Area,
    /// Without it.
    pub core: Area,
    pub fill_cells: usize,
    /// CRS of layers that do not say theirs.
    pub layer_crs: Option<Crs>,
}

impl Plan {
    pub(crate) fn extent(&self) -> Bounds {
        self.grid.extent().into()
    }
}

/// The grid may have at most this many cells: 8 GB of heights in a run.
const MAX_CELLS: f64 = (1u64 << 30) as f64;

pub(crate) fn plan(request: &PrepareFile, said: &mut Said) -> Result<Plan> {
    let named = |key: &'static str| move |e: Error| Error { message: format!("{key}: {e}"), ..e };
    let stated = request.crs.as_deref().filter(|t| !t.trim().eq_ignore_ascii_case("utm"));
    let stated = stated.map(Crs::from_user).transpose().map_err(named("crs"))?;
    let layer_crs = request.layer_crs.as_deref().map(Crs::from_user).transpose().map_err(named("layer_crs"))?;
    let area_source = request.aoi.as_deref().map(AreaSource::parse).transpose()?;
    let unplaced = read_tiles(request, said)?;
    let area = area_source.as_ref().map(|source| read_area(source, stated.as_ref(), &unplaced, said)).transpose()?;
    let target = choose_crs(request, stated, &unplaced, area.as_ref(), said)?;

    let mut tiles = Vec::with_capacity(unplaced.len());
    for tile in unplaced {
        interrupt::check()?;
        tiles.push(tile.place(&target, &mut said.warnings)?);
    }
    note_datum_shifts(&tiles, &target, said);
    let covered = tiles.iter().map(|t| t.bounds).reduce(|a, b| a.union(&b)).unwrap_or(Bounds::new(0.0, 0.0, 0.0, 0.0));
    let core = match area {
        Some(area) => area.to_crs(&target)?,
        None => whole(&covered, &target)?,
    };
    let buffer_m = if request.aoi.is_some() { request.buffer_m.unwrap_or(0.0) } else { 0.0 };
    let area = core.buffered(buffer_m)?;
    said.warnings.extend(area.warnings.iter().cloned());
    let wanted = area.bounds()?;
    if !tiles.iter().any(|t| t.bounds.intersects(&wanted)) {
        return Err(outside(&wanted, &covered, &core, &target));
    }
    let cell_m = choose_cell(request, &tiles, &wanted, &target, said);
    let used = tiles.iter().filter(|t| t.bounds.intersects(&wanted)).map(|t| t.bounds).reduce(|a, b| a.union(&b));
    let grid = choose_grid(&wanted, &used.unwrap_or(covered), cell_m, &tiles, &target, said)?;
    let extent: Bounds = grid.extent().into();
    let all = tiles.len();
    tiles.retain(|t| t.bounds.intersects(&extent));
    if tiles.len() < all {
        said.note(Note::TilesUsed { used: tiles.len(), of: all });
    }
    report_cover(request, &wanted, &covered, buffer_m, said);
    let fill_cells = match &request.fill_holes {
        Some(limit) => limit.cells(cell_m)?,
        None => DEFAULT_FILL_CELLS,
    };
    Ok(Plan { crs: target, tiles, grid, area, core, fill_cells, layer_crs })
}

/// How the heights come to the CRS of the site, once for every CRS the tiles are in.
fn note_datum_shifts(tiles: &[Tile], target: &Crs, said: &mut Said) {
    let mut known: Vec<&Crs> = vec![target];
    for tile in tiles {
        if !known.iter().any(|crs| crs.same_as(&tile.crs)) {
            known.push(&tile.crs);
            said.shift(&tile.crs, target, tile.centre());
        }
    }
}

fn read_tiles(request: &PrepareFile, said: &mut Said) -> Result<Vec<UnplacedTile>> {
    let dem_crs = request.dem_crs.as_deref().map(Crs::from_user).transpose();
    let options = TileOptions {
        band: request.band,
        purpose: Purpose::Numbers,
        crs: dem_crs.map_err(|e| Error { message: format!("dem_crs: {e}"), ..e })?,
        nodata: request.dem_nodata,
        vertical_unit: request.vertical_unit,
        heights: true,
    };
    let paths: Vec<PathBuf> = request.dem_paths()?;
    let mut tiles = Vec::with_capacity(paths.len());
    for path in &paths {
        interrupt::check()?;
        tiles.push(Tile::read(path, &options, &mut said.warnings)?);
    }
    if tiles.len() > 1 {
        said.note(Note::TilesOverlap { tiles: tiles.len() });
    }
    Ok(tiles)
}

/// An extent without a CRS is in the project CRS, else the DEM's; numbers that can only be degrees are taken as such.
fn read_area(source: &AreaSource, stated: Option<&Crs>, tiles: &[UnplacedTile], said: &mut Said) -> Result<Area> {
    let fallback = match stated {
        Some(crs) => crs.clone(),
        None => tiles[0].crs.clone(),
    };
    if let AreaSource::Extent { bounds, crs: None } = source
        && !fallback.is_geographic()
        && Bounds::new(-180.0, -90.0, 180.0, 90.0).contains(bounds.west, bounds.south)
        && Bounds::new(-180.0, -90.0, 180.0, 90.0).contains(bounds.east, bounds.north)
    {
        said.note(Note::ExtentInDegrees);
        return Area::read(source, &Crs::from_epsg(4326)?);
    }
    Area::read(source, &fallback).map_err(|e| Error { message: format!("aoi: {e}"), ..e })
}

/// Pseudo-Mercator counts in metres that are not metres on the ground (1.5 of them a metre in the Alps).
fn is_true_to_scale(crs: &Crs) -> bool {
    crs.is_metric() && crs.epsg() != Some(3857) && !crs.label().contains("Pseudo-Mercator")
}

fn choose_crs(
    request: &PrepareFile,
    stated: Option<Crs>,
    tiles: &[UnplacedTile],
    area: Option<&Area>,
    said: &mut Said,
) -> Result<Crs> {
    if let Some(crs) = stated {
        if crs.is_geographic() || !crs.is_metric() {
            return Err(Error::input(format!(
                "crs: {crs} does not count in metres, which the simulation needs: name a metric one, or leave it out for the \
                 local UTM zone"
            )));
        }
        if !is_true_to_scale(&crs) {
            said.warn(Note::StretchedCrs { crs: crs.to_string() });
        }
        said.note(Note::CrsAsked { crs: crs.to_string() });
        return Ok(crs);
    }
    let first = &tiles[0].crs;
    let asked_for_utm = request.crs.is_some();
    if !asked_for_utm && is_true_to_scale(first) && tiles.iter().all(|t| t.crs.same_as(first)) {
        said.note(Note::CrsOfDem { crs: first.to_string() });
        return Ok(first.clone());
    }
    let ((x, y), from) = match area {
        Some(area) => (area.bounds()?.centre(), &area.crs),
        None => (tiles[0].extent().centre(), first),
    };
    let utm = Crs::from_epsg(crs::utm_epsg_at(from, x, y)?)?;
    said.note(Note::CrsLocal { crs: utm.to_string() });
    Ok(utm)
}

fn choose_cell(request: &PrepareFile, tiles: &[Tile], wanted: &Bounds, target: &Crs, said: &mut Said) -> f64 {
    let near = tiles.iter().filter(|t| t.bounds.intersects(wanted));
    let finest = near.min_by(|a, b| a.cell_m.total_cmp(&b.cell_m));
    let Some(finest) = finest else { return request.cell_m.unwrap_or(1.0) };
    if let Some(cell) = request.cell_m {
        said.note(Note::CellAsked { cell_m: cell, finest_m: finest.cell_m });
        if cell < 0.2 * finest.cell_m {
            said.warn(Note::CellTooFine { cell_m: cell, finest_m: finest.cell_m });
        }
        return cell;
    }
    // In its own CRS a raster's cell size is exact; elsewhere two digits are honest.
    let own = finest.info.cell_size().filter(|(dx, dy)| finest.crs.same_as(target) && (dx / dy - 1.0).abs() < 1e-6);
    let cell = match own {
        Some((dx, _)) => dx,
        None => {
            let step = 10f64.powf(finest.cell_m.log10().floor() - 1.0);
            // Rounding through text keeps 0.5 from becoming 0.5000000000000001.
            format!("{:.6}", (finest.cell_m / step).round() * step).parse().unwrap_or(finest.cell_m)
        }
    };
    said.note(Note::CellOfSource { cell_m: cell, finest_m: finest.cell_m });
    cell
}

fn choose_grid(
    wanted: &Bounds,
    covered: &Bounds,
    cell_m: f64,
    tiles: &[Tile],
    target: &Crs,
    said: &mut Said,
) -> Result<Lattice> {
    let (mut x_phase, mut y_phase) = (0.0, 0.0);
    let groups = tiles::group(tiles);
    if let [group] = groups.as_slice()
        && group.crs().same_as(target)
        && let Some(g) = group.grid()
        && (g[1] / cell_m - 1.0).abs() < 1e-6
        && (g[5] / cell_m + 1.0).abs() < 1e-6
    {
        (x_phase, y_phase) = (g[0].rem_euclid(cell_m), g[3].rem_euclid(cell_m));
        said.note(Note::GridOfDem);
    } else {
        said.note(Note::GridAtMultiples { cell_m });
    }
    // A thousandth of a cell of slack, so that an edge on the grid is not pushed a cell out by rounding.
    let down = |v: f64, phase: f64| ((v - phase) / cell_m + 1e-3).floor();
    let up = |v: f64, phase: f64| ((v - phase) / cell_m - 1e-3).ceil();
    let west = down(wanted.west, x_phase).max(up(covered.west, x_phase));
    let east = up(wanted.east, x_phase).min(down(covered.east, x_phase));
    let south = down(wanted.south, y_phase).max(up(covered.south, y_phase));
    let north = up(wanted.north, y_phase).min(down(covered.north, y_phase));
    let (columns, rows) = (east - west, north - south);
    if !(columns >= 2.0 && rows >= 2.0) {
        return Err(Error::input(format!(
            "with cells of {cell_m} m the area has only {columns:.0} × {rows:.0} cells: at least 2 × 2 are needed, use smaller \
             cells or a larger area"
        )));
    }
    if columns * rows > MAX_CELLS {
        let least = (columns * rows / MAX_CELLS).sqrt() * cell_m;
        return Err(Error::input(format!(
            "with cells of {cell_m} m the area of {:.1} × {:.1} km has {columns:.0} × {rows:.0} cells ({:.0} GB in a run): use \
             cells of at least {least:.2} m or a smaller area",
            columns * cell_m / 1000.0,
            rows * cell_m / 1000.0,
            columns * rows * 8e-9
        )));
    }
    let (x0, y0) = (x_phase + (west + 0.5) * cell_m, y_phase + (south + 0.5) * cell_m);
    Ok(Lattice { nx: columns as usize, ny: rows as usize, x0, y0, dx: cell_m, dy: cell_m })
}

fn whole(covered: &Bounds, target: &Crs) -> Result<Area> {
    Area::read(&AreaSource::Extent { bounds: *covered, crs: None }, target)
}

fn outside(wanted: &Bounds, covered: &Bounds, core: &Area, target: &Crs) -> Error {
    let show = |b: &Bounds| format!("x {:.1} to {:.1}, y {:.1} to {:.1}", b.west, b.east, b.south, b.north);
    let swapped = core
        .bounds()
        .ok()
        .and_then(|b| Transformer::new(target, &Crs::from_epsg(4326).ok()?).ok()?.bounds(&b).ok())
        .zip(Crs::from_epsg(4326).ok())
        .is_some_and(|(b, degrees)| crs::looks_like_swapped_axes(&b, covered, &degrees, target));
    let hint = if swapped {
        "its x and y seem to be swapped (latitude before longitude)"
    } else {
        "check the CRS of both, and that the area is the right one"
    };
    Error::input(format!(
        "the area ({}) lies outside the DEM ({}; both in {target}): {hint}",
        show(wanted),
        show(covered)
    ))
}

fn report_cover(request: &PrepareFile, wanted: &Bounds, covered: &Bounds, buffer_m: f64, said: &mut Said) {
    if request.aoi.is_none() {
        said.note(Note::WholeDem);
        return;
    }
    said.note(if request.mask { Note::AreaMasked { buffer_m } } else { Note::AreaAsRectangle { buffer_m } });
    let inside = |a: f64, b: f64, c: f64, d: f64| ((b.min(d) - a.max(c)) / (b - a)).clamp(0.0, 1.0);
    let share = inside(wanted.west, wanted.east, covered.west, covered.east)
        * inside(wanted.south, wanted.north, covered.south, covered.north);
    if share < 0.999 {
        said.warn(Note::DemEndsInside { percent: 100.0 * share });
    }
}
