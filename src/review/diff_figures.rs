//! Key figures of two runs, and what differs in their projects.

use super::diff::{Figure, MAIN_LAYER, Parameter};
use super::{FinishedRun, Variant, flat};
use crate::geo::raster::Raster;
use crate::output::report_model::ReportModel;
use crate::output::words::stop_words;
use crate::store::layers::{Layer, Statistic};
use crate::texts::{Language, Text, msg};
use crate::{Error, Result};

/// Why rocks stopped.
pub(super) fn rocks(first: &FinishedRun, second: &FinishedRun) -> Vec<Figure> {
    let count = |run: &FinishedRun, name: &str| run.manifest.stop_reasons.get(name).map(|&count| count as f64);
    let names = first.manifest.stop_reasons.keys().chain(second.manifest.stop_reasons.keys());
    let mut figures: Vec<Figure> = Vec::new();
    for name in names {
        let text = msg!("difference-stopped", reason = stop_words(name));
        let (a, b) = (count(first, name), count(second, name));
        let nothing = [a, b].iter().all(|count| count.is_none_or(|count| count == 0.0));
        if !nothing && !figures.iter().any(|known| known.text == text) {
            figures.push(Figure {
                variant: String::new(),
                name: text.in_language(Language::En),
                text,
                unit: "rocks".into(),
                a,
                b,
            });
        }
    }
    figures
}

/// Key figures of a layer: area reached, largest values, areas above the limits of practice.
pub(super) fn figures(variant: &str, layer: &Layer, rasters: &[Raster; 2]) -> Vec<Figure> {
    let figure = |text: Text, unit: &str, value: &dyn Fn(&Raster) -> Option<f64>| {
        let [a, b] = [&rasters[0], &rasters[1]].map(value);
        Figure { variant: variant.into(), name: text.in_language(Language::En), text, unit: unit.into(), a, b }
    };
    let area_above = |raster: &Raster, limit: f64| {
        let cells = raster.field.values.iter().filter(|&&value| value > limit).count() as f64;
        Some(cells * raster.field.lattice.dx * raster.field.lattice.dy / 1e4)
    };
    let largest =
        |raster: &Raster| raster.field.values.iter().copied().filter(|value| !value.is_nan()).max_by(f64::total_cmp);
    match layer {
        Layer::Passages => vec![figure(msg!("area-reached"), "ha", &|raster| area_above(raster, 0.0))],
        Layer::Statistic(quantity, Statistic::P95 | Statistic::Max) => {
            let mut all = vec![figure(msg!("largest-in-area", layer = layer.to_string()), quantity.unit(), &largest)];
            if *layer == MAIN_LAYER {
                all.extend([30.0, 300.0].map(|limit| {
                    figure(
                        msg!("area-above", layer = layer.to_string(), limit = limit.to_string()),
                        "ha",
                        &move |raster: &Raster| area_above(raster, limit),
                    )
                }));
            }
            all
        }
        _ => Vec::new(),
    }
}

/// Area per hazard zone, for schemes both runs were classified with.
pub(super) fn zones(first: &FinishedRun, one: &Variant, second: &FinishedRun, two: &Variant) -> Result<Vec<Figure>> {
    let (Some(a), Some(b)) = (first.report()?, second.report()?) else {
        return Ok(Vec::new());
    };
    let mut figures = Vec::new();
    for scheme in &a.classifications {
        let areas = |model: &ReportModel, label: &str| {
            let made = model.classifications.iter().find(|other| other.name == scheme.name)?;
            let (_, classified) = made.variants.iter().find(|(name, _)| name == label)?;
            let names = classified.scheme.zones.iter().map(|zone| zone.name.clone());
            Some(names.zip(classified.zone_areas_m2.clone()?).collect::<Vec<(String, f64)>>())
        };
        let (Some(before), Some(after)) = (areas(&a, &one.label), areas(&b, &two.label)) else { continue };
        for (zone, area) in before.iter().rev() {
            let other = after.iter().find(|(name, _)| name == zone).map(|(_, area)| area / 1e4);
            let text = msg!("hazard-zone-of", zone = zone, scheme = &scheme.name);
            figures.push(Figure {
                variant: two.label.clone(),
                name: text.in_language(Language::En),
                text,
                unit: "ha".into(),
                a: Some(area / 1e4),
                b: other,
            });
        }
    }
    Ok(figures)
}

/// What differs in the projects, with every default filled in, and inputs with another content.
pub(super) fn parameters(first: &FinishedRun, second: &FinishedRun) -> Result<Vec<Parameter>> {
    let document = |run: &FinishedRun| {
        let mut file = run.project()?.file;
        file.simulation.seed = run.manifest.seed;
        let value = serde_json::to_value(&file).map_err(|error| {
            Error::failed(format!("'{}': its project cannot be read ({error})", run.folder.display()))
        })?;
        Ok(flat::rows(&value))
    };
    let inputs = |run: &FinishedRun| {
        let text = |path: &str, hash: &str| format!("{path} ({:.8})", hash);
        let inputs = run.manifest.inputs.iter();
        inputs.map(|input| (format!("content of the input {}", input.role), text(&input.path, &input.sha256))).collect()
    };
    let mut found = differing(document(first)?, document(second)?);
    let contents = differing(inputs(first), inputs(second));
    // The same content under another name is the same.
    let hash =
        |text: &Option<String>| text.as_ref().and_then(|text| text.rsplit_once('(').map(|(_, hash)| hash.to_string()));
    found.extend(contents.into_iter().filter(|row| hash(&row.a) != hash(&row.b)));
    Ok(found)
}

fn differing(a: Vec<(String, String)>, b: Vec<(String, String)>) -> Vec<Parameter> {
    let value =
        |rows: &[(String, String)], key: &str| rows.iter().find(|(k, _)| k == key).map(|(_, value)| value.clone());
    let mut found: Vec<Parameter> = Vec::new();
    for (key, _) in a.iter().chain(&b) {
        let (one, two) = (value(&a, key), value(&b, key));
        if one != two && !found.iter().any(|known| known.key == *key) {
            found.push(Parameter { key: key.clone(), a: one, b: two });
        }
    }
    found
}
