//! One variant of a run: barriers acting, or the slope as it is.

use rayon::prelude::*;

use super::figures::figures;
use super::lines::lines;
use super::track_files::write_tracks;
use super::{Delivery, label, made, partial, subtitle, whose};
use crate::draw::relief::Relief;
use crate::files::names::file_name;
use crate::hazard::statistics::Statistics;
use crate::output::classification::{self, Applied, Background, Classified};
use crate::output::layer_values::LayerValues;
use crate::output::line_results::LineResult;
use crate::output::report_model::{Picture, Reached, Variant};
use crate::output::{both, cut_off, interactive, maps, objects, square_layers, styles};
use crate::project::{self, schemes};
use crate::store::layers::SMALL_LATTICE;
use crate::store::overlays::Overlay;
use crate::store::run_folder::{LAYERS, OBJECTS, REPORT};
use crate::store::{Setup, VariantResult};
use crate::{Note, Result};

/// What was written of a variant, for the report, and what the reader must know of it.
pub(super) struct Written {
    pub(super) report: Variant,
    pub(super) zones: Option<Classified>,
    pub(super) warnings: Vec<Note>,
}

/// Layers, trajectories, lines, zones, maps and the interactive page of a variant.
pub(super) fn deliver_variant(
    delivery: &Delivery,
    variant: &VariantResult,
    values: &LayerValues,
    relief: &Relief,
    overlays: &[Overlay],
) -> Result<Written> {
    let site = delivery.result.setup.site;
    let label = label(variant.name.as_deref());
    let subtitle = subtitle(&site.project.file.title, variant.name.as_deref());
    let cut_off = cut_off::marks(variant, relief.lattice())?;
    let on = Background { dem: relief, crs: &site.crs, subtitle: &subtitle, overlays, marks: &cut_off };
    let at_once = relief.lattice().len() <= SMALL_LATTICE;
    // What takes long and cannot be split comes first; maps and layers fill the gaps.
    let ((tracks, classified), ((lines, figures), (maps, layers))) = both(
        at_once,
        || both(at_once, || write_tracks(delivery, variant), || classified(delivery, variant, &on)),
        || {
            both(
                at_once,
                || both(at_once, || lines(delivery, variant), || figures(variant)),
                || both(at_once, || draw(delivery, variant, values, &on), || pooled_layers(delivery, variant, values)),
            )
        },
    );
    layers?;
    let mut maps = maps?;
    if let Shown::Scenarios { .. } = Shown::of(delivery.result.setup) {
        maps.extend(scenarios(delivery, variant, &on)?);
    }
    square_layers::write(&delivery.folder_of(variant).join(LAYERS), delivery.result.setup, variant.accumulators)?;
    let objects = objects::write(&delivery.folder_of(variant).join(OBJECTS), delivery.result.setup, variant)?;
    let (lines, line_warnings) = lines?;
    let zones = classified?;
    let mut warnings = tracks?;
    warnings.extend(line_warnings);
    warnings.extend(zones.iter().flat_map(Classified::warnings));
    let min_sample = site.project.file.statistics.min_sample;
    let reached = Reached { cells: values.cells, few: values.few, min_sample };
    let (figures, histograms) = figures?;
    if site.project.file.outputs.report {
        write_page(delivery, variant, relief, &on, zones.as_ref())?;
    }
    let lines = lines.iter().map(LineResult::report).collect();
    let plausibility = variant.findings.clone();
    let report = Variant { label, figures, histograms, reached, maps, cut_off, lines, objects, plausibility };
    Ok(Written { report, zones, warnings })
}

/// The interactive page.
fn write_page(
    delivery: &Delivery,
    variant: &VariantResult,
    relief: &Relief,
    on: &Background,
    zones: Option<&Classified>,
) -> Result<()> {
    let project = &delivery.result.setup.site.project;
    let report = variant.name.as_ref().map_or(REPORT.to_string(), |_| format!("../{REPORT}"));
    let path = project.path.display().to_string();
    let title = if project.file.title.is_empty() { &path } else { on.subtitle };
    let shown = interactive::Shown {
        setup: delivery.result.setup,
        variant,
        window: relief.window(),
        overlays: on.overlays,
        marks: on.marks,
        zones,
        title,
        report: &report,
    };
    interactive::write(&made(delivery.folder_of(variant))?, &shown)
}

/// Whose statistics are written and shown: several scenarios share no p95 unless that is wished.
#[derive(Clone, Copy)]
pub(super) enum Shown {
    /// There is one scenario only.
    Pooled,
    /// Each for itself, and all of them together besides.
    Scenarios { pooled: bool },
}

impl Shown {
    pub(super) fn of(setup: &Setup) -> Self {
        let pooled = setup.site.project.file.statistics.pooled;
        if setup.plan.scenarios.len() > 1 { Self::Scenarios { pooled } } else { Self::Pooled }
    }
}

/// Maps of all rocks; returns those of the report.
fn draw(delivery: &Delivery, variant: &VariantResult, values: &LayerValues, on: &Background) -> Result<Vec<Picture>> {
    let (folder, place) = (delivery.folder_of(variant), place(variant));
    match Shown::of(delivery.result.setup) {
        Shown::Pooled => maps::draw(&folder, &place, values, on, None),
        // Beside the report, which shows the scenarios.
        Shown::Scenarios { pooled: true } => maps::draw(&folder, &place, values, on, None).map(|_| Vec::new()),
        Shown::Scenarios { pooled: false } => Ok(Vec::new()),
    }
}

/// Layers of all rocks, where these are wished.
fn pooled_layers(delivery: &Delivery, variant: &VariantResult, values: &LayerValues) -> Result<()> {
    match Shown::of(delivery.result.setup) {
        Shown::Scenarios { pooled: false } => Ok(()),
        _ => write_layers(delivery, variant, values, None),
    }
}

/// Of a variant's folder in the run folder, as reports name files.
fn place(variant: &VariantResult) -> String {
    variant.name.as_ref().map_or(String::new(), |name| format!("{name}/"))
}

/// Layers and maps of every scenario, each in a folder of its name; returns the maps of the report.
fn scenarios(delivery: &Delivery, variant: &VariantResult, on: &Background) -> Result<Vec<Picture>> {
    let setup = delivery.result.setup;
    let names = project::scenario_names(&setup.plan.scenarios);
    let place = place(variant);
    let (lattice, min_sample) = (*setup.site.scene.surface.lattice(), setup.site.project.file.statistics.min_sample);
    let mut maps = Vec::new();
    for (name, counts) in names.iter().zip(variant.accumulators) {
        let values = LayerValues::new(&setup.layers, lattice, Statistics::new([counts]), &setup.wanted, min_sample);
        maps.extend(maps::draw(&delivery.folder_of(variant), &place, &values, on, Some(name))?);
        write_layers(delivery, variant, &values, Some(name))?;
    }
    Ok(maps)
}

/// Writes all layers, of one scenario or of all rocks.
fn write_layers(
    delivery: &Delivery,
    variant: &VariantResult,
    values: &LayerValues,
    scenario: Option<&str>,
) -> Result<()> {
    let site = delivery.result.setup.site;
    let folder = delivery.folder_of(variant).join(LAYERS);
    let folder = made(scenario.map_or(folder.clone(), |name| folder.join(file_name(name))))?;
    let several = delivery.result.setup.plan.scenarios.len() > 1;
    let whose = whose(delivery.result.setup, scenario, several);
    let write = |layer: usize| {
        values.write(layer, &folder, &site.crs, &whose)?;
        styles::write_layer(&folder, &values.layers[layer])?;
        delivery.progress.add(1);
        Ok(())
    };
    let count = values.layers.len();
    // Several at once only where they need little memory.
    if site.scene.surface.lattice().len() <= SMALL_LATTICE {
        (0..count).into_par_iter().try_for_each(write)
    } else {
        (0..count).try_for_each(write)
    }
}

fn classified(delivery: &Delivery, variant: &VariantResult, on: &Background) -> Result<Option<Classified>> {
    let project = &delivery.result.setup.site.project;
    let (Some(wish), Some(scheme)) = (&project.file.classification, &delivery.result.setup.scheme) else {
        return Ok(None);
    };
    let plan = &delivery.result.setup.plan;
    let names = project::scenario_names(&plan.scenarios);
    let years = schemes::return_periods(&names, &plan.scenario_frequencies(), &wish.scenario_return_periods_years)?;
    let source = schemes::source(&wish.scheme, &project.folder, &project.folder);
    let applied = Applied {
        scheme: &schemes::in_words(scheme, &wish.scheme),
        source: &source,
        name: &classification::scheme_folder(&wish.scheme, &source, &[]),
        scenario_names: &names,
        return_periods_years: &years,
        begin: &partial(delivery.result.setup),
    };
    applied.write(&delivery.folder, variant.name.as_deref(), variant.accumulators, on).map(Some)
}
