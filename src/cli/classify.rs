//! `couloir classify`: intensity maps and hazard zones from a finished run, without running it again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::hazard::scheme::ReturnPeriod;
use crate::output::Wishes;
use crate::output::classification::Classified;
use crate::store::manifest::{self, Engine};
use crate::{Error, Result, output};

/// Classify a finished run: intensity maps per scenario, and hazard zones where releases have a frequency.
///
/// Writes RUN/classification/SCHEME (with barriers: one in each of RUN/with_barriers and RUN/without_barriers) with
/// rasters, polygons (GeoPackage and shapefile), previews and the legend, and brings report and manifest up to date.
#[derive(clap::Args)]
pub(super) struct Args {
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
    /// Where return periods come from: scenario (each has its own) or passages (yearly frequency in each cell); default:
    /// the scheme's.
    #[arg(long, value_name = "FROM", value_parser = ["scenario", "passages"])]
    return_period: Option<String>,
    /// Return period of a scenario in years, e.g. "rare=300"; may be given several times; default: the project's, else one
    /// over its releases per year.
    #[arg(long, value_name = "NAME=YEARS")]
    scenario_years: Vec<String>,
    /// A scenario counts in cells that at least this share of its rocks passes, e.g. 0.001; default: the scheme's.
    #[arg(long, value_name = "P")]
    least_reach_probability: Option<f64>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let wishes = Wishes {
        scheme: args.scheme,
        quantile: args.quantile,
        min_area_m2: args.min_area_m2,
        return_period: args.return_period.map(|from| match from.as_str() {
            "scenario" => ReturnPeriod::Scenario,
            _ => ReturnPeriod::Passages,
        }),
        scenario_years: stated_years(&args.scenario_years)?,
        least_reach_probability: args.least_reach_probability,
    };
    let all = output::reclassify(&args.run, &wishes)?;
    let other = computed_elsewhere(&manifest::read(&args.run)?.engine);
    super::print(&(other + &all.iter().map(|(folder, classified)| summary(folder, classified)).collect::<String>()))
}

/// Rocks of another engine may be classified; the reader is told.
fn computed_elsewhere(engine: &Engine) -> String {
    let this = Engine::this();
    if engine.source_hash == this.source_hash {
        return String::new();
    }
    let name = |engine: &Engine| format!("{}+{:.12}", engine.version, engine.source_hash);
    format!("note: the rocks were computed by couloir {}, the maps by couloir {}\n", name(engine), name(&this))
}

/// `rare=300` and so on.
fn stated_years(texts: &[String]) -> Result<BTreeMap<String, f64>> {
    let one = |text: &String| {
        let years = text.rsplit_once('=').and_then(|(name, years)| Some((name, years.trim().parse::<f64>().ok()?)));
        years
            .filter(|(_, years)| *years > 0.0 && years.is_finite())
            .map(|(name, years)| (name.to_string(), years))
            .ok_or_else(|| {
                Error::usage(format!(
                    "--scenario-years: found {text:?}; expected a scenario and its years, e.g. \"rare=300\""
                ))
            })
    };
    texts.iter().map(one).collect()
}

fn summary(folder: &Path, classified: &Classified) -> String {
    let mut text = format!("{}\n", folder.display());
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
