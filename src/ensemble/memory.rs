//! What a run will need of memory, before it takes any: better one sentence now than a killed process after hours.

use std::collections::{BTreeMap, BTreeSet};

use super::trial::Trial;
use crate::hazard::quantity::PerQuantity;
use crate::hazard::squares::Squares;
use crate::hazard::tile::CELLS;
use crate::math;
use crate::process::memory;
use crate::store::Setup;
use crate::store::layers::{LARGE_MAP, SMALL_LATTICE};
use crate::terrain::ParameterField;
use crate::terrain::blocks::SIDE;
use crate::{Error, Note, Result};

/// The program with GDAL and PROJ and their caches, and the pictures of the report.
const PROGRAM: f64 = 85e6;
/// Per worker thread: its stack, its part of the allocator.
const PER_THREAD: f64 = 1e6;
/// Per cell of the DEM while layers and maps are made: a layer, its compressed file, flags.
const MAPS_PER_CELL: f64 = 5.0;
/// Different bins of a histogram that the passages of one cell fall into, at most.
const BINS: f64 = 400.0;
/// Bytes of a bin or of a source cell in a cell's sparse list.
const PER_ENTRY: f64 = 2.6;
/// Per crossing: as it was recorded, and its values in the tables.
const PER_CROSSING: f64 = 400.0;
/// Per rock: positions, and the columns of the report's figures with their sorted copies.
const PER_ROCK: f64 = 80.0;
/// No rock of any project passes more cells: above this the guess without a trial is not believed.
const MOST_CELLS_PER_ROCK: f64 = 20_000.0;

/// Bytes a run needs at its peak.
pub(crate) fn needed(setup: &Setup, trial: &Trial, threads: usize) -> u64 {
    let passed = trial.cells_per_rock * setup.identity.total as f64;
    bytes(setup, passed, trial.reached_cells, trial.crossings_per_rock, threads)
}

fn bytes(setup: &Setup, passed: f64, reached_cells: f64, crossings_per_rock: f64, threads: usize) -> u64 {
    let site = setup.site;
    let cells = site.scene.surface.lattice().len() as f64;
    let terrain = terrain(setup, cells);
    let wanted = &setup.wanted;
    let count = |flags: &PerQuantity<bool>| flags.count() as f64;
    let variants = if setup.lines.has_barriers() { 2.0 } else { 1.0 };
    let scenarios = setup.plan.scenarios.len().max(1) as f64;
    let lists = scenarios * variants * cells / CELLS as f64 / 16.0;
    // Rocks of one project follow one another: the more there are, the fewer cells are new.
    let touched = saturating(passed / scenarios / variants, reached_cells.min(cells)) * scenarios * variants;
    let layers = if cells as usize <= SMALL_LATTICE { 4.0 * setup.layers.len() as f64 } else { 0.0 };
    let numbers = 8.0 + 4.0 * count(&wanted.max) + 8.0 * (count(&wanted.mean) + wanted.energies_kj.len() as f64);
    let per_cell = passed / touched.max(1.0);
    let positions = setup.plan.position_count() as f64;
    let bins = count(&wanted.histogram) * saturating(per_cell, BINS);
    let sources = if wanted.sources { saturating(per_cell, positions) } else { 0.0 };
    let counted = touched * (4.0 + numbers + layers + PER_ENTRY * (bins + sources));
    let counted = counted + squares(setup, touched, cells * scenarios * variants);
    let rocks = setup.identity.total as f64;
    let tables = rocks * (PER_ROCK + crossings_per_rock * PER_CROSSING) + positions * 24.0;
    (PROGRAM + PER_THREAD * threads as f64 + terrain + lists + counted + tables) as u64
}

/// Heights, parameters and maps: of all cells, or of the blocks that rocks get to.
fn terrain(setup: &Setup, cells: f64) -> f64 {
    let site = setup.site;
    let lattice = site.scene.surface.lattice();
    let maps = match cells as usize > LARGE_MAP {
        // Two rows of blocks of a raster, and as much of its smaller copies.
        true => 4.0 * 512.0 * 4.0 * lattice.nx as f64,
        false => cells * MAPS_PER_CELL,
    };
    let Some(heights) = site.scene.surface.blocks() else { return cells * (8.0 + parameters(site) as f64) + maps };
    // Blocks of the releases, and those beside them where rocks run.
    let (total, side) = (setup.identity.total, SIDE as f64);
    let samples = total.min(2000);
    let mut blocks = BTreeSet::new();
    for k in 0..samples {
        let index = (u128::from(2 * k + 1) * u128::from(total) / u128::from(2 * samples)) as u64;
        let Ok(release) = setup.plan.get(setup.index(index)) else { continue };
        let number = |at: f64, first: f64, step: f64| ((at - first) / step / side).floor() as i64;
        let at = release.position;
        blocks.insert((number(at[0], lattice.x0, lattice.dx), number(at[1], lattice.y0, lattice.dy)));
    }
    let around: BTreeSet<(i64, i64)> =
        blocks.iter().flat_map(|&(x, y)| (-1..=1).flat_map(move |i| (-1..=1).map(move |j| (x + i, y + j)))).collect();
    // Of the blocks beside, half are met.
    let met = 0.5 * (blocks.len() + around.len()) as f64;
    (met * side * side * (4.0 + 2.0)).min(heights.cache().limit() as f64) + maps
}

/// Squares around each cell: a path is as wide as the square, and there are two halves.
fn squares(setup: &Setup, touched: f64, cells: f64) -> f64 {
    let Squares { widths_m, energies_kj, frequency } = &setup.wanted.squares;
    let energies = energies_kj.len() as f64;
    let words = 3.0 + energies + if *frequency { 2.0 * (energies + 1.0) } else { 0.0 };
    let halves = if setup.identity.round.is_some() { 2.0 } else { 1.0 };
    let lattice = setup.site.scene.surface.lattice();
    let wide = |width_m: &f64| (touched * (width_m / lattice.dx.min(lattice.dy)).max(1.0)).min(cells);
    widths_m.iter().map(wide).sum::<f64>() * 4.0 * words * halves
}

/// What a part of a run may need, bytes: as much as the whole, whose cells it may all pass.
pub(crate) fn of_part(setup: &Setup, threads: usize) -> Result<u64> {
    Ok(needed(setup, &Trial::of(setup)?, threads))
}

/// How many different ones of `kinds` come up in `draws` draws, if all are alike.
fn saturating(draws: f64, kinds: f64) -> f64 {
    if kinds > 0.0 { kinds * -math::exp_m1(-draws / kinds) } else { 0.0 }
}

/// Bytes a node of the parameters that vary over the terrain; those by class share theirs.
fn parameters(site: &crate::site::Site) -> usize {
    let ground = &site.scene.ground;
    let mut all = vec![
        &ground.mu_min,
        &ground.mu_max,
        &ground.beta_per_s,
        &ground.kappa_per_m,
        &ground.epsilon_n,
        &ground.epsilon_t,
    ];
    if let Some(scarring) = &ground.scarring {
        all.extend([&scarring.me_kn_m2, &scarring.drag_coefficient, &scarring.density_kg_m3]);
    }
    if let Some(roughness) = &ground.roughness {
        all.extend([&roughness.height_m, &roughness.spacing_m]);
    }
    if let Some(forest) = &site.scene.forest {
        all.extend([&forest.drag_kg_s, &forest.height_m, &forest.rotational_drag_kg_m2_s]);
    }
    let restitution = &site.scene.restitution;
    all.extend([&restitution.r_n, &restitution.r_t, &restitution.mu, &restitution.rolling_friction]);
    let memory = |field: &ParameterField| match field {
        ParameterField::Constant(_) => None,
        ParameterField::Field(nodes) => Some(nodes.memory()),
    };
    let distinct: BTreeMap<usize, usize> = all.into_iter().filter_map(memory).collect();
    distinct.values().sum()
}

/// A sentence if a run that needs this much cannot be expected to fit.
pub(crate) fn too_much(needed: u64) -> Option<Note> {
    let available = memory::available()?;
    // What is loaded already is part of both.
    (needed > available.bytes.saturating_add(memory::in_use())).then(|| Note::TooMuchMemory {
        needed_gb: needed as f64 * 1e-9,
        available_gb: available.bytes as f64 * 1e-9,
        limited_by: available.limited_by.to_string(),
    })
}

/// Refuses a run that does not fit. Rocks are let fall for the estimate only where it is close.
pub fn refuse_unless_it_fits(setup: &Setup, threads: usize, force: bool) -> Result<()> {
    if force {
        return Ok(());
    }
    let cells = setup.site.scene.surface.lattice().len() as f64;
    let most = setup.identity.total as f64 * MOST_CELLS_PER_ROCK;
    if too_much(bytes(setup, most, cells, setup.lines.lines().len() as f64 * 10.0, threads)).is_none() {
        return Ok(());
    }
    match too_much(needed(setup, &Trial::of(setup)?, threads)) {
        Some(note) => Err(Error::input(note.to_string())),
        None => Ok(()),
    }
}
