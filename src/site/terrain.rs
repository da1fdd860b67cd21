//! The DEM of a project, which settles its CRS.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::on_demand::WHOLE_CELLS;
use super::{AsRead, LayerInfo, Reading, as_read, located};
use crate::geo::dem::DemParts;
use crate::geo::gaps::Gaps;
use crate::geo::local_gaps::LocalGaps;
use crate::geo::raster::{self, ReadRaster};
use crate::geo::{Bounds, Crs, jumps};
use crate::project::Project;
use crate::terrain::blocks::{BlockCache, Blocks, Values};
use crate::terrain::{Field, Surface};
use crate::{Note, Result};

/// Reads the DEM and settles the project CRS.
pub(super) fn read<'p>(project: &'p Project, cache: &Arc<BlockCache>) -> Result<Reading<'p>> {
    let terrain = &project.file.terrain;
    let path = project.resolve(&terrain.dem);
    let at = |e| located(project, "terrain.dem", e);
    let project_crs = stated(project, "crs", &project.file.crs)?;
    let options = how_to_read(project, &path, project_crs.as_ref())?;
    let parts = DemParts::open(&path, &options).map_err(at)?;
    let (lattice, crs) = (*parts.lattice(), parts.crs().clone());
    expect_one_crs(project, &path, project_crs, &crs)?;
    let mut warnings = parts.warnings.clone();
    let whole = match lattice.len() <= WHOLE_CELLS {
        true => Whole::read(project, &path, &options, &mut warnings)?,
        false => {
            warnings.push(Note::TerrainOnDemand { cells: lattice.len() as u64 });
            Whole { gaps: LocalGaps::unknown(), nodata_cells: None, as_read: Vec::new(), field: None }
        }
    };
    let extent = Bounds::from(lattice.extent());
    let layer = LayerInfo {
        role: "terrain".into(),
        source: terrain.dem.clone(),
        crs: crs.label().to_string(),
        features: None,
        cells: Some((lattice.nx, lattice.ny)),
        cell_m: Some((lattice.dx, lattice.dy)),
        extent,
        overlap_percent: 100.0,
        nodata_cells: whole.nodata_cells,
    };
    let fits = 8 * lattice.len() as u64 <= cache.limit();
    let surface = match whole.field.filter(|_| fits) {
        Some(field) => Surface::new(field),
        None => {
            let read =
                move |columns: Range<usize>, rows: Range<usize>| Ok(Values::packed(parts.read(columns, rows)?.0));
            Surface::in_blocks(Arc::new(Blocks::new(lattice, cache, read)))
        }
    };
    let mut reading = Reading {
        project,
        crs,
        surface: surface.map_err(at)?,
        extent,
        known: Vec::new(),
        inputs: Vec::new(),
        as_read: whole.as_read,
        datum_shifts: Vec::new(),
        layers: vec![layer],
        warnings,
        painted: [None, None],
        gaps: whole.gaps,
    };
    reading.input("terrain", &path)?;
    if !reading.is_read_whole() {
        let unit = terrain.vertical_unit.map(|unit| unit.to_m());
        let how = [format!("{:?} {unit:?} {lattice:?}", options.band), reading.crs.definition().to_string()];
        let hash = reading.hash_of_sources(&path, &how.each_ref().map(String::as_str))?;
        reading.as_read.push(AsRead::new("terrain", &terrain.dem, hash));
    }
    Ok(reading)
}

/// What is known of a DEM that was read from one edge to the other.
struct Whole {
    gaps: LocalGaps,
    nodata_cells: Option<usize>,
    as_read: Vec<AsRead>,
    field: Option<Field<f64>>,
}

impl Whole {
    fn read(project: &Project, path: &Path, options: &ReadRaster, warnings: &mut Vec<Note>) -> Result<Self> {
        let dem = raster::read_dem(path, options).map_err(|e| located(project, "terrain.dem", e))?;
        let found = Gaps::of(&dem.field);
        warnings.extend(found.notes("terrain.dem"));
        warnings.extend(jumps::note(&dem.field, "terrain.dem"));
        Ok(Self {
            as_read: vec![AsRead::new("terrain", &project.file.terrain.dem, as_read::dem(&dem))],
            gaps: LocalGaps::Known(Arc::new(found)),
            nodata_cells: Some(dem.nodata_cells),
            field: Some(dem.field),
        })
    }
}

/// A CRS that the project states under a key.
fn stated(project: &Project, key: &str, text: &Option<String>) -> Result<Option<Crs>> {
    text.as_ref().map(|text| Crs::from_user(text).map_err(|e| located(project, key, e))).transpose()
}

fn how_to_read(project: &Project, path: &Path, project_crs: Option<&Crs>) -> Result<ReadRaster> {
    let terrain = &project.file.terrain;
    let dem_crs = stated(project, "terrain.crs", &terrain.crs)?;
    let info = raster::info(path).map_err(|e| located(project, "terrain.dem", e))?;
    if terrain.band > info.bands.len() {
        let sentence = format!("found {}, but {:?} has bands 1 to {}", terrain.band, terrain.dem, info.bands.len());
        return Err(project.error_at("terrain.band", sentence));
    }
    Ok(ReadRaster {
        band: project.states("terrain.band").then_some(terrain.band),
        purpose: raster::Purpose::Numbers,
        // The project CRS also speaks for a DEM that does not say.
        crs: dem_crs.or(if info.crs.is_none() { project_crs.cloned() } else { None }),
        vertical_unit: terrain.vertical_unit,
        window: None,
    })
}

fn expect_one_crs(project: &Project, path: &Path, wanted: Option<Crs>, crs: &Crs) -> Result<()> {
    let Some(wanted) = wanted.filter(|wanted| !wanted.same_as(crs)) else { return Ok(()) };
    let command = raster::prepare_command(path, wanted.epsg());
    let sentence = format!(
        "found {wanted}, but the DEM is in {crs}; remove the key to work in the DEM's CRS, or bring the DEM to this one \
         with `{command}`"
    );
    Err(project.error_at("crs", sentence))
}
