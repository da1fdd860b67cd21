//! `couloir classify`: intensity maps and hazard zones from a finished run, without running it again.

use std::path::{Path, PathBuf};

use crate::geo::Crs;
use crate::geo::raster::{self, ReadRaster};
use crate::hazard::classify::ScenarioCells;
use crate::output::classification::{self, Background, Classified};
use crate::output::deliver::{scenario_name, scheme_folder};
use crate::output::manifest::{self, Manifest};
use crate::output::run_folder;
use crate::output::state_file::State;
use crate::project::file::Classification;
use crate::terrain::{Field, Lattice, Surface};
use crate::{Error, Result};

/// Classify a finished run: intensity maps per scenario, and hazard zones where releases have a frequency.
///
/// Writes RUN/classification/SCHEME (with barriers: one in each of RUN/with_barriers and RUN/without_barriers) with
/// rasters, polygons (GeoPackage and shapefile), previews and the legend.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of a finished run.
    run: PathBuf,
    /// swiss, austria, norway, or a YAML file with a scheme of your own; default: the project's.
    #[arg(long, value_name = "SCHEME")]
    scheme: Option<String>,
    /// Quantile of the kinetic energy that counts as intensity, e.g. 0.95; default: the scheme's.
    #[arg(long, value_name = "Q")]
    quantile: Option<f64>,
    /// Smallest polygon kept, m²; default: the scheme's.
    #[arg(long, value_name = "A")]
    min_area_m2: Option<f64>,
}

pub fn run(args: Args) -> Result<()> {
    let state = run_folder::results(&args.run)?;
    let mut manifest = manifest::read(&args.run)?;
    let (name, mut scheme) = match args.scheme {
        Some(name) => {
            let scheme = classification::load_scheme(&name, Path::new(""))?;
            (name, scheme)
        }
        None => {
            let wish = project_wish(&manifest)?;
            let scheme = classification::project_scheme(&wish, project_folder(&state))?;
            (wish.scheme, scheme)
        }
    };
    if let Some(quantile) = args.quantile {
        if !(quantile > 0.0 && quantile <= 1.0) {
            return Err(Error::usage(format!(
                "--quantile is {quantile}; expected a number above 0 and up to 1, e.g. 0.95"
            )));
        }
        scheme.quantile = quantile;
    }
    if let Some(area) = args.min_area_m2 {
        if !(area >= 0.0 && area.is_finite()) {
            return Err(Error::usage(format!("--min-area-m2 is {area}; expected 0 or more")));
        }
        scheme.min_area_m2 = area;
    }
    let crs = Crs::from_user(&manifest.crs_wkt)?;
    let dem = hillshade_dem(&manifest, &state)?;
    let mut text = String::new();
    for (variant, accumulators) in state.header.variants.iter().zip(&state.accumulators) {
        let scenarios: Vec<ScenarioCells> = state
            .header
            .scenarios
            .iter()
            .zip(accumulators)
            .map(|(name, counts)| ScenarioCells::of(scenario_name(name.as_deref()), counts, &scheme))
            .collect::<Result<_>>()?;
        let base = variant.as_ref().map_or(args.run.clone(), |variant| args.run.join(variant));
        let folder = base.join("classification").join(scheme_folder(&name));
        let on = Background { dem: &dem, crs: &crs, subtitle: &manifest.project.title, overlays: &[] };
        let classified = classification::write(&folder, &scenarios, &scheme, &on)?;
        text += &summary(&classified);
    }
    manifest.outputs = manifest::list_outputs(&args.run)?;
    manifest::write(&args.run, &manifest)?;
    super::print(&text)
}

/// What the project the run was made from says about classification.
fn project_wish(manifest: &Manifest) -> Result<Classification> {
    let project: Option<serde_yaml::Value> = serde_yaml::from_str(&manifest.project.text).ok();
    let wish = project.as_ref().and_then(|project| project.get("classification"));
    wish.and_then(|wish| serde_yaml::from_value(wish.clone()).ok()).ok_or_else(|| {
        Error::usage(
            "the project of this run names no scheme; give one with --scheme swiss, austria, norway or file.yaml",
        )
    })
}

fn project_folder(state: &State) -> &Path {
    state.header.project_path.parent().unwrap_or(Path::new(""))
}

/// The terrain below the maps; flat if the DEM has moved or changed its grid, which only costs the hillshade.
fn hillshade_dem(manifest: &Manifest, state: &State) -> Result<Surface> {
    let lattice: Lattice = state.lattice;
    let folder = project_folder(state);
    let path = manifest.inputs.iter().find(|input| input.role == "terrain").map(|input| folder.join(&input.path));
    let crs = Crs::from_user(&manifest.crs_wkt).ok();
    let read = path.and_then(|path| raster::read_dem(&path, &ReadRaster { crs, ..ReadRaster::default() }).ok());
    let dem = read.map(|raster| raster.field).filter(|field| field.lattice == lattice);
    Surface::new(dem.unwrap_or_else(|| Field { lattice, values: vec![0.0; lattice.len()] }))
}

fn summary(classified: &Classified) -> String {
    let mut text = format!("{}\n", classified.folder.display());
    for note in &classified.notes {
        text += &format!("  note: {note}\n");
    }
    if let Some(areas) = &classified.zone_areas_m2 {
        for (zone, area) in classified.scheme.zones.iter().zip(areas).rev() {
            text += &format!("  {:<10} {:>12.0} m²  {}\n", zone.id, area, zone.name);
        }
    }
    text
}
