//! Key figures of two runs, and what differs in their projects.

use super::diff::{Figure, MAIN_LAYER, Parameter};
use super::{FinishedRun, Variant, flat};
use crate::output::report_model::ReportModel;
use crate::output::words::stop_words;
use crate::store::layers::{Layer, Statistic};
use crate::terrain::Lattice;
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

/// Energies practice looks at, kJ.
const LIMITS_KJ: [f64; 2] = [30.0, 300.0];

/// What was seen of a layer, cell by cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Seen {
    /// Cells above 0, and above each of the limits.
    above: [u64; 3],
    largest: Option<f64>,
}

impl Seen {
    pub(super) fn of(values: &[f64]) -> Self {
        let mut seen = Self::default();
        values.iter().filter(|value| !value.is_nan()).for_each(|value| seen.add(*value));
        seen
    }

    pub(super) fn add(&mut self, value: f64) {
        let [low, high] = LIMITS_KJ;
        self.above.iter_mut().zip([0.0, low, high]).for_each(|(count, limit)| *count += u64::from(value > limit));
        self.largest = Some(self.largest.map_or(value, |largest| largest.max(value)));
    }
}

/// Key figures of a layer: area reached, largest values, areas above the limits of practice.
pub(super) fn figures(variant: &str, layer: &Layer, seen: &[Seen; 2], lattice: &Lattice) -> Vec<Figure> {
    let figure = |text: Text, unit: &str, value: &dyn Fn(&Seen) -> Option<f64>| {
        let [a, b] = [&seen[0], &seen[1]].map(value);
        Figure { variant: variant.into(), name: text.in_language(Language::En), text, unit: unit.into(), a, b }
    };
    let hectares = |cells: u64| Some(cells as f64 * lattice.dx * lattice.dy / 1e4);
    match layer {
        Layer::Passages => vec![figure(msg!("area-reached"), "ha", &|seen| hectares(seen.above[0]))],
        Layer::Statistic(quantity, Statistic::P95 | Statistic::Max) => {
            let name = msg!("largest-in-area", layer = layer.to_string());
            let mut all = vec![figure(name, quantity.unit(), &|seen| seen.largest)];
            if *layer == MAIN_LAYER {
                all.extend(LIMITS_KJ.into_iter().zip(1..).map(|(limit, k): (f64, usize)| {
                    let name = msg!("area-above", layer = layer.to_string(), limit = limit.to_string());
                    figure(name, "ha", &move |seen: &Seen| hectares(seen.above[k]))
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
