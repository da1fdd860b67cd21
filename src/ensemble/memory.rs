//! What a run will need of memory, before it takes any: better one sentence now than a killed process after hours.

use std::collections::{BTreeMap, BTreeSet};

use super::footprint::Footprint;
use super::parts::Part;
use super::trial::Trial;
use crate::hazard::quantity::PerQuantity;
use crate::hazard::squares::Squares;
use crate::hazard::tile::CELLS;
use crate::math;
use crate::process::memory;
use crate::site::Site;
use crate::store::Setup;
use crate::store::layers::{LARGE_MAP, SMALL_LATTICE, TERRAIN_FOR_MAPS};
use crate::terrain::ParameterField;
use crate::terrain::blocks::{SIDE, WINDOWS_BYTES};
use crate::{Error, Note, Result};

/// The program with GDAL and PROJ and their caches, and the pictures of the report.
const PROGRAM: f64 = 85e6;
/// Per worker thread: its stack, its part of the allocator.
const PER_THREAD: f64 = 1e6;
/// Per cell of the DEM while layers and maps are made: a layer, and what is made of it.
const MAPS_PER_CELL: f64 = 8.0;
/// GDAL's cache, which fills with blocks of a raster as it is written.
const GDAL_CACHE: f64 = 64e6;
const CACHED_PER_CELL: f64 = 4.5;
/// Blocks of a raster of a large map that are open at a time, and its smaller copies: measured on 9,000 to 40,000 columns.
const OPEN_BLOCKS: f64 = 70e6;
/// Different bins of a histogram that the passages of one cell fall into, at most.
const BINS: f64 = 400.0;
/// Bytes of a bin or of a source cell in a cell's sparse list.
const PER_ENTRY: f64 = 2.6;
/// Per crossing: as it was recorded, and its values in the tables.
const PER_CROSSING: f64 = 400.0;
/// Per rock: positions, and the columns of the report's figures with their sorted copies.
const PER_ROCK: f64 = 80.0;
/// Cells of a DEM for each byte of its file: those that differ pack to half a byte to two, and lie in blocks with others.
const CELLS_PER_BYTE: f64 = 3.0;
/// Bytes of a block of the terrain: heights, and classes or parameters of some.
const BLOCK: f64 = (SIDE * SIDE) as f64 * 6.0;
/// Releases whose places are looked at, and parts.
const MOST_SAMPLES: u64 = 2000;
const PARTS_LOOKED_AT: usize = 16;
/// No rock of any project passes more cells: above this the guess without a trial is not believed.
const MOST_CELLS_PER_ROCK: f64 = 20_000.0;

/// What is to be kept in memory.
struct Load {
    /// Rocks from … to.
    range: (u64, u64),
    /// Cells passed and crossings of lines, of each rock.
    cells_per_rock: f64,
    crossings_per_rock: f64,
    /// Cells of the rectangle around all that is passed.
    reached_cells: f64,
    /// Layers and maps are made.
    maps: bool,
}

impl Load {
    fn of(footprint: &Footprint, range: (u64, u64), maps: bool) -> Self {
        Self {
            range,
            cells_per_rock: footprint.cells_per_rock(),
            crossings_per_rock: footprint.crossings_per_rock(),
            reached_cells: footprint.reached_cells(),
            maps,
        }
    }

    fn rocks(&self) -> f64 {
        (self.range.1 - self.range.0) as f64
    }

    fn bytes(&self, setup: &Setup, threads: usize) -> u64 {
        let cells = setup.site.scene.surface.lattice().len() as f64;
        let variants = if setup.lines.has_barriers() { 2.0 } else { 1.0 };
        let scenarios = setup.plan.scenarios.len().max(1) as f64;
        let lists = scenarios * variants * cells / CELLS as f64 / 16.0;
        let positions = setup.plan.position_count() as f64;
        let tables = self.rocks() * (PER_ROCK + self.crossings_per_rock * PER_CROSSING) + positions * 24.0;
        let at_hand = if setup.site.scene.surface.blocks().is_some() { WINDOWS_BYTES as f64 } else { 0.0 };
        let own = PROGRAM + (PER_THREAD + at_hand) * threads as f64;
        (own + self.terrain_and_maps(setup) + lists + self.counts(setup, scenarios * variants) + tables) as u64
    }

    /// What is counted in `sets`, one for each scenario and variant.
    fn counts(&self, setup: &Setup, sets: f64) -> f64 {
        let (wanted, cells) = (&setup.wanted, setup.site.scene.surface.lattice().len() as f64);
        let count = |flags: &PerQuantity<bool>| flags.count() as f64;
        let passed = self.cells_per_rock * self.rocks();
        // Rocks of one project follow one another: the more there are, the fewer cells are new.
        let touched = saturating(passed / sets, self.reached_cells.min(cells)) * sets;
        let small = cells as usize <= SMALL_LATTICE && self.maps;
        let layers = if small { 4.0 * setup.layers.len() as f64 } else { 0.0 };
        let numbers = 8.0 + 4.0 * count(&wanted.max) + 8.0 * (count(&wanted.mean) + wanted.energies_kj.len() as f64);
        let per_cell = passed / touched.max(1.0);
        let positions = setup.plan.position_count() as f64;
        let bins = count(&wanted.histogram) * saturating(per_cell, BINS);
        let sources = if wanted.sources { saturating(per_cell, positions) } else { 0.0 };
        let counted = touched * (4.0 + numbers + layers + PER_ENTRY * (bins + sources));
        counted + squares(setup, touched, cells * sets)
    }

    /// Heights, parameters and maps: of all cells, or of the blocks that rocks get to and maps are drawn from.
    fn terrain_and_maps(&self, setup: &Setup) -> f64 {
        let site = setup.site;
        let cells = site.scene.surface.lattice().len() as f64;
        let maps = match (self.maps, cells as usize > LARGE_MAP) {
            (false, _) => 0.0,
            (true, true) => GDAL_CACHE + OPEN_BLOCKS,
            (true, false) => cells * MAPS_PER_CELL + (cells * CACHED_PER_CELL).min(GDAL_CACHE),
        };
        let Some(heights) = site.scene.surface.blocks() else {
            return cells * (8.0 + parameters(site) as f64) + maps;
        };
        let drawn = if self.maps { (4.0 * cells_with_heights(site)).min(TERRAIN_FOR_MAPS as f64) } else { 0.0 };
        (self.blocks(setup) * BLOCK).max(drawn).min(heights.cache().limit() as f64) + maps
    }

    /// Blocks of the terrain around the releases: their own, and of those beside them, where rocks run, half.
    fn blocks(&self, setup: &Setup) -> f64 {
        let (lattice, side) = (setup.site.scene.surface.lattice(), SIDE as f64);
        let (from, to) = self.range;
        let samples = (to - from).min(MOST_SAMPLES);
        let mut blocks = BTreeSet::new();
        for k in 0..samples {
            let index = from + (u128::from(2 * k + 1) * u128::from(to - from) / u128::from(2 * samples)) as u64;
            let Ok(release) = setup.plan.get(setup.index(index)) else { continue };
            let number = |at: f64, first: f64, step: f64| ((at - first) / step / side).floor() as i64;
            let at = release.position;
            blocks.insert((number(at[0], lattice.x0, lattice.dx), number(at[1], lattice.y0, lattice.dy)));
        }
        let beside = |&(x, y): &(i64, i64)| (-1..=1).flat_map(move |i| (-1..=1).map(move |j| (x + i, y + j)));
        let around: BTreeSet<(i64, i64)> = blocks.iter().flat_map(beside).collect();
        0.5 * (blocks.len() + around.len()) as f64
    }
}

/// Bytes a run needs at its peak.
pub(crate) fn needed(setup: &Setup, footprint: &Footprint, threads: usize) -> u64 {
    Load::of(footprint, (0, setup.identity.total), true).bytes(setup, threads)
}

/// What the largest of these parts of a run needs, bytes: it makes no maps.
pub(crate) fn of_parts(setup: &Setup, footprint: &Footprint, parts: &[Part], threads: usize) -> u64 {
    let rocks = |part: &&Part| part.range.1 - part.range.0;
    let some = parts.iter().step_by(parts.len().div_ceil(PARTS_LOOKED_AT).max(1)).chain(parts.iter().max_by_key(rocks));
    let bytes = |part: &Part| Load::of(footprint, part.range, false).bytes(setup, threads);
    some.map(bytes).max().unwrap_or(0)
}

/// What a merge needs, which leaves the counts in their file: bytes.
pub(crate) fn of_merge(setup: &Setup, footprint: &Footprint, threads: usize) -> u64 {
    let whole = Load::of(footprint, (0, setup.identity.total), true);
    Load { cells_per_rock: 0.0, ..whole }.bytes(setup, threads)
}

/// Cells of a terrain read on demand whose heights differ, at most: files leave out or pack what is level, and nothing else packs as well.
pub(super) fn cells_with_heights(site: &Site) -> f64 {
    let cells = site.scene.surface.lattice().len() as f64;
    site.terrain_file_bytes().map_or(cells, |bytes| (CELLS_PER_BYTE * bytes as f64).min(cells))
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

/// How many different ones of `kinds` come up in `draws` draws, if all are alike.
fn saturating(draws: f64, kinds: f64) -> f64 {
    if kinds > 0.0 { kinds * -math::exp_m1(-draws / kinds) } else { 0.0 }
}

/// Bytes a node of the parameters that vary over the terrain; those by class share theirs.
fn parameters(site: &Site) -> usize {
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

/// Refuses a run that does not fit, or `part` of one, from … to. Rocks are let fall for the estimate only where it is close.
pub fn refuse_unless_it_fits(setup: &Setup, part: Option<(u64, u64)>, threads: usize) -> Result<()> {
    let (range, maps) = (part.unwrap_or((0, setup.identity.total)), part.is_none());
    let most = Load {
        range,
        cells_per_rock: MOST_CELLS_PER_ROCK,
        crossings_per_rock: setup.lines.lines().len() as f64 * 10.0,
        reached_cells: setup.site.scene.surface.lattice().len() as f64,
        maps,
    };
    if too_much(most.bytes(setup, threads)).is_none() {
        return Ok(());
    }
    let expected = Load::of(&Trial::of(setup)?.footprint, range, maps);
    match too_much(expected.bytes(setup, threads)) {
        Some(note) => Err(Error::input(note.to_string())),
        None => Ok(()),
    }
}
