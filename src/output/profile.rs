//! The profile of the report: one trajectory, run once more and seen from the side.

use crate::Result;
use crate::hazard::sample::Sample as Values;
use crate::output::report_model::Profile;
use crate::site::Site;
use crate::store::{Setup, VariantResult};
use crate::trajectory::{self, Action, Observer, Sample, StopReason};

/// Points of a profile, at most about this many.
const POINTS: f64 = 1500.0;

/// Of all rocks with at least the median run-out, the one with the steepest line from start to end. Short falls from a
/// cliff would always be steeper, and say nothing of the slope.
pub(crate) fn steepest(setup: &Setup, variant: &VariantResult) -> Result<Option<Profile>> {
    let mut runouts = Vec::new();
    variant.for_each_record(|record| {
        if record.stop != StopReason::Diverged {
            runouts.push(record.runout_m());
        }
        Ok(())
    })?;
    let Some(median) = Values::new(runouts).quantile(0.5) else { return Ok(None) };
    let mut best: Option<(u64, f64, f64)> = None;
    variant.for_each_record(|record| {
        let angle = record.energy_line_deg();
        let candidate = record.stop != StopReason::Diverged && record.runout_m() >= median && angle.is_finite();
        if candidate && best.is_none_or(|(_, steepest, _)| angle > steepest) {
            best = Some((record.number, angle, record.path_m));
        }
        Ok(())
    })?;
    let Some((number, energy_line_deg, path_m)) = best else { return Ok(None) };
    let release = setup.plan.get(number)?;
    let mut recorder = Recorder { site: setup.site, spacing: path_m / POINTS, distance: 0.0, points: Vec::new() };
    trajectory::simulate(&setup.site.scene, &release.rock, &release.start, &release.scale, &mut recorder);
    Ok(Some(Profile {
        trajectory: number,
        rock: release.rock_name,
        mass_kg: release.rock.mass_kg,
        energy_line_deg,
        points: recorder.points,
    }))
}

struct Recorder<'a> {
    site: &'a Site,
    spacing: f64,
    distance: f64,
    points: Vec<[f64; 5]>,
}

impl Recorder<'_> {
    fn add(&mut self, sample: &Sample) {
        if let Some(ground) = self.site.scene.surface.height(sample.position.x, sample.position.y) {
            let energy_kj = sample.kinetic_energy_j / 1000.0;
            self.points.push([self.distance, ground, sample.position.z, energy_kj, sample.velocity.norm()]);
        }
    }
}

impl Observer for Recorder<'_> {
    fn start(&mut self, sample: &Sample) {
        self.add(sample);
    }

    fn step(&mut self, before: &Sample, after: &Sample) -> Action {
        self.distance += (after.position.xy() - before.position.xy()).norm();
        if self.points.last().is_none_or(|last| self.distance - last[0] >= self.spacing) {
            self.add(after);
        }
        Action::Continue
    }
}
