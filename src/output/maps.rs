//! The previews of a run's layers.

use std::path::Path;

use rayon::prelude::*;

use crate::Result;
use crate::draw::canvas::Canvas;
use crate::draw::preview::{self, EachCell, Preview, Values};
use crate::draw::ramp::Legend;
use crate::files::atomic;
use crate::files::names::file_name;
use crate::hazard::histogram;
use crate::output::classification::Background;
use crate::output::layer_values::LayerValues;
use crate::output::report_model::Picture;
use crate::site::Site;
use crate::store::layers::{LARGE_MAP, Layer, SMALL_LATTICE};
use crate::texts::{Text, msg, say};

const PREVIEWS: &str = "previews";

/// Layers worth a picture, in the order of the report; titles and legends are in the catalogue by these names.
const PICTURES: [&str; 8] = [
    "kinetic_energy_kj_p95",
    "kinetic_energy_kj_max",
    "jump_height_m_p95",
    "velocity_ms_p95",
    "reach_probability",
    "passages",
    "deposits",
    "energy_line_angle_deg",
];

/// Those of them that the report shows, if the project has any of these.
const IN_REPORT: [&str; 5] =
    ["kinetic_energy_kj_p95", "jump_height_m_p95", "velocity_ms_p95", "reach_probability", "deposits"];

/// Draws all pictures, of a scenario or of all rocks, into the folder of the run or of a variant, which has this place in it
/// (empty, or `name/`); returns those the report shows.
pub(crate) fn draw(
    run: &Path,
    place: &str,
    layers: &LayerValues,
    on: &Background,
    scenario: Option<&str>,
) -> Result<Vec<Picture>> {
    let sub = scenario.map_or(PREVIEWS.to_string(), |name| format!("{PREVIEWS}/{}", file_name(name)));
    let folder = run.join(&sub);
    let subtitle = subtitle(on.subtitle, scenario);
    let on = &Background { subtitle: &subtitle, ..*on };
    let inside = scenario.map_or(String::new(), |name| format!("{}/", file_name(name)));
    std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error))?;
    let names: Vec<String> = layers.layers.iter().map(Layer::to_string).collect();
    let usual = names.iter().any(|name| IN_REPORT.contains(&name.as_str()));
    let picture = |&name: &&str| -> Result<Option<Picture>> {
        let Some(layer) = names.iter().position(|known| known == name) else { return Ok(None) };
        let each = |visit: &mut dyn FnMut(usize, f64)| {
            // A count of zero is as empty as no count.
            layers.read(layer, |cell, value| {
                if value as f32 > 0.0 {
                    visit(cell, f64::from(value as f32));
                }
            });
        };
        let canvas = if on.dem.lattice().len() > LARGE_MAP {
            drawn_cells(name, &each, on)
        } else {
            let mut values = vec![f32::NAN; on.dem.lattice().len()];
            layers.read(layer, |cell, value| values[cell] = value as f32);
            drawn(name, &values, on)
        };
        let Some(canvas) = canvas else { return Ok(None) };
        canvas.save(&folder.join(format!("{name}.png")))?;
        let shown = IN_REPORT.contains(&name) || !usual;
        Ok(shown.then(|| Picture {
            caption: match scenario {
                Some(scenario) => msg!(
                    "map-of-scenario",
                    scenario = scenario,
                    map = msg!("map-of-layer", title = title_of(name), layer = format!("{inside}{name}"))
                ),
                None => msg!("map-of-layer", title = title_of(name), layer = name),
            },
            file: format!("{place}{sub}/{name}.png"),
        }))
    };
    // Several at once only where they need little memory.
    let pictures = if on.dem.lattice().len() <= SMALL_LATTICE {
        PICTURES.par_iter().map(picture).collect::<Result<Vec<_>>>()?
    } else {
        PICTURES.iter().map(picture).collect::<Result<Vec<_>>>()?
    };
    Ok(pictures.into_iter().flatten().collect())
}

fn title_of(name: &str) -> Text {
    msg!(&format!("map-{}", name.replace('_', "-")))
}

/// What stands below the title, of all rocks or of a scenario.
pub(super) fn subtitle(of_run: &str, scenario: Option<&str>) -> String {
    scenario.map_or(of_run.to_string(), |name| format!("{of_run}, {}", say!("scenario-named", name = name)))
}

/// The picture of a layer, by its name and the values of all cells (NaN where there is none); `None` if there are none.
pub(crate) fn drawn(name: &str, values: &[f32], on: &Background) -> Option<Canvas> {
    // A count of zero is as empty as no count.
    let values: Vec<f32> = values.iter().map(|&value| if value > 0.0 { value } else { f32::NAN }).collect();
    let given = |visit: &mut dyn FnMut(usize, f64)| {
        let some = values.iter().enumerate().filter(|(_, value)| !value.is_nan());
        some.for_each(|(cell, &value)| visit(cell, f64::from(value)));
    };
    draw_values(name, &given, Values::Numbers(&values), on)
}

/// [`drawn`] from the cells that have a value, one by one.
pub(crate) fn drawn_cells(name: &str, cells: &EachCell, on: &Background) -> Option<Canvas> {
    draw_values(name, cells, Values::Cells(cells), on)
}

fn draw_values(name: &str, each: &EachCell, values: Values, on: &Background) -> Option<Canvas> {
    let mut counts = vec![0u64; histogram::BINS];
    let mut largest = f64::NEG_INFINITY;
    each(&mut |_, value| {
        counts[histogram::bin(value as f32) as usize] += 1;
        largest = largest.max(value);
    });
    if largest == f64::NEG_INFINITY {
        return None;
    }
    let legend_title = say!(&format!("legend-{}", name.replace('_', "-")));
    let legend_title = legend_title.as_str();
    let legend = match name {
        _ if name.starts_with("kinetic_energy") => Legend::energy(legend_title),
        "reach_probability" | "passages" | "deposits" => Legend::logarithmic(legend_title, largest),
        "energy_line_angle_deg" => Legend::angle(legend_title),
        // A few outliers must not press all other cells into one class.
        _ => Legend::linear(legend_title, 1.2 * quantile(&counts, 0.95).unwrap_or(largest)),
    };
    Some(preview::draw(&Preview {
        title: &title_of(name).to_string(),
        subtitle: on.subtitle,
        crs: on.crs.label(),
        dem: on.dem,
        values,
        legend: &legend,
        overlays: on.overlays,
        notes: &[],
        marks: on.marks,
    }))
}

/// Ground and forest as the project gives them, where layers paint their classes: pictures for the report.
pub(crate) fn draw_inputs(run: &Path, site: &Site, on: &Background) -> Result<Vec<Picture>> {
    let folder = run.join(PREVIEWS);
    let mut pictures = Vec::new();
    for (kind, painted) in ["ground", "forest"].iter().zip(&site.painted) {
        let Some(painted) = painted else { continue };
        std::fs::create_dir_all(&folder).map_err(|error| atomic::io_error(&folder, &error))?;
        let title = msg!(&format!("map-input-{kind}"));
        let names = painted.names.iter().map(|name| class_words(kind, name)).collect();
        let legend = Legend::named(&say!(&format!("setting-{kind}")), names);
        let canvas = preview::draw(&Preview {
            title: &title.to_string(),
            subtitle: on.subtitle,
            crs: on.crs.label(),
            dem: on.dem,
            values: Values::ClassAt(&|node| painted.at(node)),
            legend: &legend,
            overlays: on.overlays,
            notes: &[],
            marks: &[],
        });
        canvas.save(&folder.join(format!("input_{kind}.png")))?;
        pictures.push(Picture { caption: title, file: format!("{PREVIEWS}/input_{kind}.png") });
    }
    Ok(pictures)
}

/// A built-in class in words, with the name it has in project files; a class of the user's as it is.
fn class_words(kind: &str, name: &str) -> String {
    let key = format!("class-{kind}-{}", name.replace('_', "-"));
    let words = say!(&key);
    if words == key || words == name { name.to_string() } else { format!("{words} ({name})") }
}

/// The value a share p of those counted by bin does not exceed.
fn quantile(counts: &[u64], p: f64) -> Option<f64> {
    let rank = (p * counts.iter().sum::<u64>() as f64) as u64;
    let mut before = 0;
    let bin = counts.iter().position(|count| {
        before += count;
        before > rank
    });
    bin.map(|bin| histogram::value(bin as u32))
}
