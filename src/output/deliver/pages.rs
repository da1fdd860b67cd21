//! What a delivery shows besides layers and tables: maps of the inputs, classified maps, the interactive page.

use super::{Delivery, made};
use crate::Result;
use crate::draw::relief::{Around, Relief};
use crate::hazard::statistics::Need;
use crate::output::classification::{self, Applied, Background, Classified};
use crate::output::report_model::Picture;
use crate::output::titles::partial;
use crate::output::{interactive, maps};
use crate::project::{self, schemes};
use crate::store::run_folder::REPORT;
use crate::store::{VariantResult, overlays};

impl Delivery<'_> {
    /// Ground and forest as they were given, on the part of the map where rocks pass.
    pub(super) fn draw_inputs(&self) -> Result<Vec<Picture>> {
        let setup = self.result.setup;
        let site = setup.site;
        if !site.project.file.outputs.report {
            return Ok(Vec::new());
        }
        if site.painted.iter().all(Option::is_none) {
            return Ok(Vec::new());
        }
        let surface = &site.scene.surface;
        let mut around = Around::default();
        let free = self.result.variants.last().map(VariantResult::statistics);
        let mut add = |cell: usize| around.add(surface.lattice(), cell);
        free.iter().for_each(|free| free.for_each_cell(Need::default(), |cell| add(cell.index as usize)));
        let relief = Relief::new(surface, around.window(surface.lattice()));
        let (title, overlays) = (&site.project.file.title, overlays::of_site(site));
        let on = Background { dem: &relief, crs: &site.crs, subtitle: title, overlays: &overlays, marks: &[] };
        maps::draw_inputs(&self.folder, site, &on)
    }
}

/// The maps of the project's scheme.
pub(super) fn classified(delivery: &Delivery, variant: &VariantResult, on: &Background) -> Result<Option<Classified>> {
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

/// The interactive page.
pub(super) fn write_page(
    delivery: &Delivery,
    variant: &VariantResult,
    relief: &Relief,
    on: &Background,
    zones: Option<&Classified>,
) -> Result<()> {
    let project = &delivery.result.setup.site.project;
    let report = variant.name.as_ref().map_or(REPORT.to_string(), |_| format!("../{REPORT}"));
    // Not the path, which differs with the folder a command is given in.
    let name = project.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let title = if project.file.title.is_empty() { &name } else { on.subtitle };
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
