//! Lines and barriers of a variant: their files, and what the reader must know.

use super::Delivery;
use crate::hazard::lines::Role;
use crate::hazard::standard::Dimensioning;
use crate::output::line_files;
use crate::output::line_results::{self, LineResult};
use crate::project;
use crate::store::VariantResult;
use crate::store::run_folder::LINES;
use crate::{Note, Result};

/// The lines, and what the reader must know of them.
pub(super) fn lines(delivery: &Delivery, variant: &VariantResult) -> Result<(Vec<LineResult>, Vec<Note>)> {
    let site = delivery.result.setup.site;
    let set = &delivery.result.setup.lines;
    if set.lines().iter().all(|line| line.role == Role::Object) {
        return Ok(Default::default());
    }
    let crossings = variant.crossings()?;
    let mut settings: Vec<Dimensioning> = site.lines.iter().map(|line| line.spec.dimensioning.clone()).collect();
    settings.resize(set.lines().len(), Dimensioning::default());
    let scenarios = project::scenario_names(&delivery.result.setup.plan.scenarios);
    let pooled = site.project.file.statistics.pooled;
    let results = line_results::evaluate(set, &crossings, &settings, &scenarios, pooled)?;
    let lattice = site.scene.surface.lattice();
    let folder = delivery.folder_of(variant).join(LINES);
    line_files::write(&folder, set, &crossings, &results, &scenarios, lattice, &site.crs)?;
    let mut warnings = Vec::new();
    for line in &results {
        let important = |note: &&Note| {
            matches!(note, Note::FewRocks { .. } | Note::BeyondBarrierClasses { .. } | Note::HigherThanBarriers { .. })
        };
        let named = match scenarios.len() {
            1 => line.name.clone(),
            _ => format!("{}, {}", line.name, line.scenario),
        };
        for note in line.sheet.iter().flat_map(|sheet| sheet.notes.iter().filter(important)) {
            let (line, variant) = (named.clone(), variant.name.clone());
            warnings.push(Note::OfLine { line, variant, note: Box::new(note.clone()) });
        }
    }
    Ok((results, warnings))
}
