//! The DEM of a project, which settles its CRS.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::look::{AT_ONCE_CELLS, Look};
use super::on_demand::{WHOLE_CELLS, hash_of_sources};
use super::{AsRead, LayerInfo, Reading, inputs, located};
use crate::geo::dem::DemParts;
use crate::geo::local_gaps::LocalGaps;
use crate::geo::raster::{self, ReadRaster};
use crate::geo::{Bounds, Crs};
use crate::project::Project;
use crate::terrain::Surface;
use crate::terrain::blocks::{BlockCache, Blocks, Values};
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
    let mut inputs = Vec::new();
    inputs::add(&mut inputs, "terrain", &path)?;
    // A smaller one is looked at faster than its files are.
    let sources = (lattice.len() > AT_ONCE_CELLS).then(|| {
        let unit = terrain.vertical_unit.map(|unit| unit.to_m());
        let how = [format!("{:?} {unit:?} {lattice:?}", options.band), crs.definition().to_string()];
        hash_of_sources(&inputs, &path, &how.each_ref().map(String::as_str))
    });
    let sources = sources.transpose()?;
    let mut field = None;
    let look = match &sources {
        Some(sources) if lattice.len() > WHOLE_CELLS => {
            warnings.push(Note::TerrainOnDemand { cells: lattice.len() as u64 });
            Look::not_taken(sources)
        }
        _ => match sources.as_deref().and_then(Look::known) {
            Some(look) => look,
            None => {
                let dem = raster::read_dem(&path, &options).map_err(at)?;
                let look = Look::at(&dem);
                sources.iter().for_each(|sources| look.keep(sources));
                field = Some(dem.field);
                look
            }
        },
    };
    warnings.extend(look.notes.iter().cloned());
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
        nodata_cells: look.nodata_cells,
    };
    let fits = 8 * lattice.len() as u64 <= cache.limit();
    let surface = match field.filter(|_| fits) {
        Some(field) => Surface::new(field),
        None => {
            let read =
                move |columns: Range<usize>, rows: Range<usize>| Ok(Values::packed(parts.read(columns, rows)?.0));
            Surface::in_blocks(Arc::new(Blocks::new(lattice, cache, read)))
        }
    };
    Ok(Reading {
        project,
        crs,
        surface: surface.map_err(at)?,
        extent,
        known: Vec::new(),
        inputs,
        as_read: vec![AsRead::new("terrain", &terrain.dem, look.sha256)],
        datum_shifts: Vec::new(),
        layers: vec![layer],
        warnings,
        painted: [None, None],
        gaps: look.gaps.map_or_else(LocalGaps::unknown, |gaps| LocalGaps::Known(Arc::new(gaps))),
    })
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
