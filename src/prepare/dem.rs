//! The DEM: tiles warped onto the grid, checked against each other, merged, mended, written.

use serde::Serialize;

use super::Said;
use super::plan::Plan;
use super::request::PrepareFile;
use super::staging::Staging;
use super::styles;
use crate::geo::holes::{self, Holes};
use crate::geo::mosaic::{self, Layer};
use crate::geo::rasterize::{self, WORKING_OPTIONS};
use crate::geo::seams::{self, Seam};
use crate::geo::tiles::{self, Group};
use crate::geo::translate;
use crate::geo::warp::{self, Resampling};
use crate::geo::{Crs, native};
use crate::process::interrupt;
use crate::process::progress::Progress;
use crate::terrain::Lattice;
use crate::{Error, Note, Result};
use gdal::raster::GdalDataType;

/// What was done to the heights, for the record.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Dem {
    pub resampling: Vec<String>,
    pub seams: Vec<Seam>,
    pub holes: Holes,
    pub fill_limit_cells: usize,
    pub lowest_m: f32,
    pub highest_m: f32,
}

/// Overlapping tiles that differ by more than this on average do not come from one survey, or not in one datum, m …
const SEAM_MEAN_WARNING_M: f64 = 0.5;
/// … or by this anywhere, m.
const SEAM_MAX_WARNING_M: f64 = 5.0;

pub(crate) fn build(
    request: &PrepareFile,
    plan: &Plan,
    staging: &Staging,
    said: &mut Said,
    progress: &Progress,
) -> Result<Dem> {
    let groups = tiles::group(&plan.tiles);
    let choices: Vec<Resampling> = groups.iter().map(|g| choose(request, g, &plan.grid, &plan.crs)).collect();
    let resampling = describe(&groups, &choices, &plan.grid, &plan.crs);
    resampling.iter().for_each(|note| said.note(note.clone()));
    let resampling = resampling.iter().map(Note::to_string).collect();

    progress.stage_of_fractions("compare tiles");
    let for_tile = |tile: &tiles::Tile| choose(request, &Group { tiles: vec![tile] }, &plan.grid, &plan.crs);
    let seams = seams::check(&plan.tiles, &plan.grid, &plan.crs, for_tile, |f| progress.fraction(f))?;
    report_seams(&seams, said);

    let rim_of = |group: &Group, how: Resampling| match how {
        _ if is_aligned(group, &plan.grid, &plan.crs) => 0,
        _ => mosaic::rim_width(group.cell_m(), plan.grid.dx, how == Resampling::Average),
    };
    let rim = mosaic::margin(groups.iter().zip(&choices).map(|(group, how)| rim_of(group, *how)));
    let grid = mosaic::with_margin(&plan.grid, rim);
    let mut layers = Vec::new();
    for (k, (group, &how)) in groups.iter().zip(&choices).enumerate() {
        progress.stage_of_fractions(&format!("reproject {}/{}", k + 1, groups.len()));
        let source = group.open()?;
        let mut words = warp::common_words();
        words.extend(warp::grid_words(&grid, &plan.crs));
        words.extend(working_words(how, group.cell_m()));
        let out = staging.work(&format!("group{k}.tif"));
        let what = format!("DEM {} cannot be read", group.names());
        let dataset = warp::gdal_warp(&[&source], &out, &words, &what, &mut native::watch(progress))?;
        layers.push(Layer { dataset, rim: rim_of(group, how) });
    }
    progress.stage_of_fractions("mosaic");
    let merged =
        rasterize::create_working(&staging.work("dem.tif"), &plan.grid, &plan.crs, GdalDataType::Float32, f64::NAN)?;
    mosaic::merge(&layers, &merged, &plan.grid, &mut native::watch(progress))?;
    drop(layers);

    progress.stage_of_fractions("fill holes");
    // Dropping the rim widened every hole by it.
    let across = if plan.fill_cells == 0 { 0 } else { plan.fill_cells + 2 * rim };
    let (holes, gaps) = holes::fill(&merged, &plan.grid, across, &mut native::watch(progress))?;
    if holes.valid_cells == 0 {
        return Err(Error::input("the DEM holds nothing but nodata inside the area: check the area and the tiles"));
    }
    report_holes(&holes, plan, said);
    gaps.edge_note("dem.tif").into_iter().for_each(|note| said.warn(note));
    if request.mask {
        let outside = plan.area.outside(&plan.extent());
        rasterize::rasterize(
            &merged,
            &[(&outside, f64::NAN)],
            "the DEM cannot be masked",
            &mut native::watch(progress),
        )?;
    }
    rasterize::label(&merged, "elevation", "m")?;
    progress.stage_of_fractions("write DEM");
    translate::to_cog(&merged, &staging.site("dem.tif"), true, &mut native::watch(progress))?;
    let (lowest_m, highest_m) = rasterize::range(&merged, &plan.grid)?;
    styles::write_heights(&staging.site(""), "dem", (lowest_m, highest_m))?;
    let (columns, rows, cell_m) = (plan.grid.nx, plan.grid.ny, plan.grid.dx);
    said.note(Note::DemWritten { columns, rows, cell_m, lowest_m, highest_m });
    interrupt::check()?;
    Ok(Dem { resampling, seams, holes, fill_limit_cells: plan.fill_cells, lowest_m, highest_m })
}

/// gdalwarp's words for a working raster of 32-bit numbers.
pub(crate) fn working_words(how: Resampling, source_cell_m: f64) -> Vec<String> {
    let tolerance = warp::transform_tolerance_cells(source_cell_m).to_string();
    let mut words: Vec<String> =
        ["-of", "GTiff", "-ot", "Float32", "-dstnodata", "nan", "-r", how.gdal_name(), "-et", &tolerance]
            .iter()
            .map(ToString::to_string)
            .collect();
    words.extend(warp::exact_kernel_words());
    for option in WORKING_OPTIONS {
        words.extend(["-co".into(), option.to_string()]);
    }
    words
}

fn choose(request: &PrepareFile, group: &Group, grid: &Lattice, crs: &Crs) -> Resampling {
    if is_aligned(group, grid, crs) {
        return Resampling::Nearest;
    }
    request.resampling.unwrap_or_else(|| Resampling::for_ratio(grid.dx / group.cell_m()))
}

/// Cells coincide with the grid's: nothing to interpolate.
pub(crate) fn is_aligned(group: &Group, grid: &Lattice, crs: &Crs) -> bool {
    let Some(g) = group.grid().filter(|_| group.crs().same_as(crs)) else { return false };
    let (west, _, _, north) = grid.extent();
    let off = |x: f64| (x - x.round()).abs() > 1e-3;
    let same_size = (g[1] / grid.dx - 1.0).abs() < 1e-6 && (g[5] / grid.dy + 1.0).abs() < 1e-6;
    same_size && !off((g[0] - west) / grid.dx) && !off((g[3] - north) / grid.dy)
}

fn describe(groups: &[Group], choices: &[Resampling], grid: &Lattice, crs: &Crs) -> Vec<Note> {
    let one = |(group, how): (&Group, &Resampling)| {
        let (tiles, own, cell_m) = (group.names(), group.crs().to_string(), group.cell_m());
        if is_aligned(group, grid, crs) {
            Note::HeightsTakenOver { tiles, crs: own, cell_m }
        } else {
            let resampling = how.name().to_string();
            Note::HeightsResampled { tiles, crs: own, cell_m, resampling, ratio: grid.dx / cell_m }
        }
    };
    groups.iter().zip(choices).map(one).collect()
}

fn report_seams(seams: &[Seam], said: &mut Said) {
    for seam in seams {
        let (first, second, cells) = (seam.first.clone(), seam.second.clone(), seam.cells_compared);
        let (mean_m, most_m) = (seam.mean_absolute_difference_m, seam.max_difference_m);
        let offset_m = seam.mean_difference_m;
        if mean_m > SEAM_MEAN_WARNING_M || most_m > SEAM_MAX_WARNING_M {
            said.warn(Note::SeamSteps { first, second, mean_m, most_m, offset_m, cells });
        } else {
            said.note(Note::Seam { first, second, mean_m, most_m, offset_m, cells });
        }
    }
}

fn report_holes(holes: &Holes, plan: &Plan, said: &mut Said) {
    let (limit_cells, limit_m) = (plan.fill_cells, plan.fill_cells as f64 * plan.grid.dx);
    said.note(match (holes.filled_holes, holes.filled_cells) {
        (_, 0) => Note::NoHolesToFill { limit_cells, limit_m },
        (holes, cells) => Note::HolesFilled { holes, cells, limit_cells, limit_m },
    });
    if let Some(hole) = &holes.largest_remaining {
        said.warn(Note::HolesRemain {
            holes: holes.remaining_holes,
            limit_cells,
            limit_m,
            largest_cells: hole.cells,
            across_cells: hole.across_cells,
            x: hole.x,
            y: hole.y,
        });
    }
}
