//! The profile of the report: one trajectory, run once more and seen from the side.

use crate::Result;
use crate::hazard::sample::Sample as Values;
use crate::output::report_model::Profile;
use crate::store::{Setup, VariantResult};
use crate::terrain::Surface;
use crate::trajectory::{self, Action, Observer, Sample, StopReason};

/// Points of a profile, at most about this many.
const POINTS: f64 = 1500.0;

/// Two paths from the side. The steepest: of all rocks with at least the median run-out, the one with the steepest line from
/// start to end; short falls from a cliff would always be steeper, and say nothing of the slope. And the farthest.
pub(crate) fn steepest_and_farthest(setup: &Setup, variant: &VariantResult) -> Result<[Option<Profile>; 2]> {
    let mut runouts = Vec::new();
    variant.for_each_record(|record| {
        if record.stop != StopReason::Diverged {
            runouts.push(record.runout_m());
        }
        Ok(())
    })?;
    let Some(median) = Values::new(runouts).quantile(0.5) else { return Ok([None, None]) };
    let (mut steepest, mut farthest): (Option<Path>, Option<Path>) = (None, None);
    variant.for_each_record(|record| {
        let angle = record.energy_line_deg();
        let path = Path { number: record.number, angle_deg: angle, path_m: record.path_m, runout_m: record.runout_m() };
        let candidate = record.stop != StopReason::Diverged && path.runout_m >= median && angle.is_finite();
        if candidate && steepest.is_none_or(|known| angle > known.angle_deg) {
            steepest = Some(path);
        }
        if candidate && farthest.is_none_or(|known| path.runout_m > known.runout_m) {
            farthest = Some(path);
        }
        Ok(())
    })?;
    let of = |path: Option<Path>| path.map(|path| path.followed(setup)).transpose();
    // One and the same is shown once.
    let farthest = farthest.filter(|path| steepest.is_none_or(|steepest| steepest.number != path.number));
    Ok([of(steepest)?, of(farthest)?])
}

/// A trajectory that may be shown.
#[derive(Clone, Copy)]
struct Path {
    number: u64,
    angle_deg: f64,
    path_m: f64,
    runout_m: f64,
}

impl Path {
    /// Lets the rock fall once more and looks.
    fn followed(&self, setup: &Setup) -> Result<Profile> {
        let index = setup.plan.index_of(self.number).unwrap_or(u64::MAX);
        let release = setup.plan.get(index)?;
        let spacing = self.path_m / POINTS;
        let scene = &setup.site.scene.seen_from(&release.frame);
        let mut recorder = Recorder { surface: &scene.surface, spacing, distance: 0.0, points: Vec::new() };
        trajectory::simulate(scene, &release.rock, &release.start, &release.scale, &mut recorder);
        Ok(Profile {
            trajectory: self.number,
            rock: release.rock_name,
            mass_kg: release.rock.mass_kg,
            energy_line_deg: self.angle_deg,
            runout_m: self.runout_m,
            points: recorder.points,
        })
    }
}

struct Recorder<'a> {
    surface: &'a Surface,
    spacing: f64,
    distance: f64,
    points: Vec<[f64; 5]>,
}

impl Recorder<'_> {
    fn add(&mut self, sample: &Sample) {
        if let Some(ground) = self.surface.height(sample.position.x, sample.position.y) {
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
