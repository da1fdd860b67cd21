//! All integrators that runs offer, side by side: rocks in free flight, and the ramp. This justifies the default.

use std::time::Instant;

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::ramp::{self, Ramp};
use super::{Report, Settings, Tolerance};
use crate::Result;
use crate::dynamics::Integrator;
use crate::dynamics::rotation::{FreeRotation, kinetic_energy, spin};
use crate::rock::Shape;
use crate::trajectory::StopReason;

pub(crate) const ALL: [Integrator; 4] =
    [Integrator::Implicit, Integrator::Explicit, Integrator::Spiral, Integrator::Directors];

const DT: f64 = 0.002;

/// What became of a free rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flight {
    /// Largest relative change of the rotational energy.
    pub energy: f64,
    /// Largest relative change of the spin vector.
    pub spin: f64,
    /// Largest angle between the body's axis of largest inertia and the spin, °.
    pub axis_deg: f64,
    /// Angle of the final orientation from that of a run with a hundredth of the step, °.
    pub error_deg: f64,
}

/// Free flight at a fixed step.
pub(crate) fn flight(
    integrator: Integrator,
    inertia: &Vector3<f64>,
    omega: &Vector3<f64>,
    dt: f64,
    time_s: f64,
) -> Flight {
    let steps = (time_s / dt).round() as usize;
    let mut result = Flight { energy: 0.0, spin: 0.0, axis_deg: 0.0, error_deg: 0.0 };
    let energy = kinetic_energy(inertia, omega);
    let start = inertia.component_mul(omega);
    let end = fly(integrator, inertia, omega, dt, steps, |p, w| {
        let now = spin(inertia, p, w);
        result.energy = result.energy.max((kinetic_energy(inertia, w) / energy - 1.0).abs());
        result.spin = result.spin.max((now - start).norm() / start.norm());
        let axis = (p * Vector3::z()).dot(&start) / start.norm();
        result.axis_deg = result.axis_deg.max(axis.abs().clamp(0.0, 1.0).acos().to_degrees());
    });
    // The implicit scheme at a hundredth of the step serves as truth for all.
    let truth = fly(Integrator::Implicit, inertia, omega, 0.01 * dt, 100 * steps, |_, _| {});
    result.error_deg = end.angle_to(&truth).to_degrees();
    result
}

fn fly(
    integrator: Integrator,
    inertia: &Vector3<f64>,
    omega: &Vector3<f64>,
    dt: f64,
    steps: usize,
    mut see: impl FnMut(&UnitQuaternion<f64>, &Vector3<f64>),
) -> UnitQuaternion<f64> {
    let (mut p, mut omega, mut residue) = (UnitQuaternion::identity(), *omega, Matrix3::zeros());
    let drag = Matrix3::zeros();
    for _ in 0..steps {
        let free = FreeRotation::new(integrator, inertia, &p, &omega, &residue, &drag, dt);
        omega = free.omega;
        p = free.end_orientation(&omega, dt);
        residue = free.residue;
        see(&p, &omega);
    }
    p
}

fn name(integrator: Integrator) -> &'static str {
    match integrator {
        Integrator::Implicit => "implicit",
        Integrator::Explicit => "explicit",
        Integrator::Spiral => "spiral",
        Integrator::Directors => "directors",
    }
}

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    for (preset, mass) in [("eota_221", 780.0), ("platy", 2000.0), ("cuboid", 500.0)] {
        let rock = Shape::from_preset(preset)?.with_mass(mass, 2700.0)?;
        report
            .source(&format!("{preset}, {mass} kg: 5 s of flight at 4 rot/s about the major axis, 2° off, Δt = 2 ms"));
        let rate = 4.0 * std::f64::consts::TAU;
        let tilt = 2f64.to_radians();
        // The spin is 2° from the axis of largest inertia.
        let omega = Vector3::new(tilt * rate * rock.inertia.z / rock.inertia.x, 0.0, rate);
        for integrator in ALL {
            let flight = flight(integrator, &rock.inertia, &omega, DT, 5.0);
            let label = name(integrator);
            let (energy, spin) = match integrator {
                // A little above what is measured on the three bodies.
                Integrator::Implicit => (3e-14, 2e-14),
                Integrator::Explicit => (1e-12, f64::INFINITY),
                Integrator::Spiral => (3e-6, 5e-5),
                // The kept energy is that of the directors; ω's oscillates about it.
                Integrator::Directors => (1e-9, 2e-14),
            };
            report.row(
                &format!("{label}: largest relative change of energy"),
                energy,
                flight.energy,
                Tolerance::AtMost,
            );
            if spin.is_finite() {
                report.row(&format!("{label}: largest relative change of spin"), spin, flight.spin, Tolerance::AtMost);
                report.row(
                    &format!("{label}: largest tilt of the major axis, °"),
                    5.0,
                    flight.axis_deg,
                    Tolerance::AtMost,
                );
            } else {
                report.info(&format!("{label}: largest relative change of spin"), flight.spin);
                report.info(&format!("{label}: largest tilt of the major axis, °"), flight.axis_deg);
            }
            report.info(&format!("{label}: error of the final orientation, °"), flight.error_deg);
        }
    }
    if !settings.quick {
        costs(report);
    }
    on_the_ramp(report, settings)
}

fn costs(report: &mut Report) {
    report.source("cost of a free step relative to explicit, measured here");
    let inertia = Vector3::new(38.0, 38.5, 65.0);
    let time = |integrator| {
        let attempt = |_| {
            let begin = Instant::now();
            std::hint::black_box(fly(integrator, &inertia, &Vector3::new(1.0, 0.5, 25.0), DT, 50_000, |_, _| {}));
            begin.elapsed().as_secs_f64()
        };
        (0..5).map(attempt).fold(f64::INFINITY, f64::min)
    };
    let unit = time(Integrator::Explicit);
    for integrator in ALL {
        report.info(name(integrator), time(integrator) / unit);
    }
}

fn on_the_ramp(report: &mut Report, settings: &Settings) -> Result<()> {
    let count = if settings.quick { 20 } else { 300 };
    report.source(&format!("ramp of Leine 2021 §6.1, the same {count} starts"));
    let unit = if settings.quick { f64::NAN } else { Ramp::default().cost_per_second(Integrator::Explicit)? };
    for integrator in ALL {
        let tracks = Ramp::default().run(integrator, count)?;
        let label = name(integrator);
        let lost = tracks.iter().filter(|t| t.stop == Some(StopReason::Diverged)).count();
        report.row(&format!("{label}: diverged rocks"), 0.0, lost as f64, Tolerance::Absolute(0.0));
        let run_out = ramp::per_rock(&tracks, ramp::run_out);
        report.info(&format!("{label}: mean run-out beyond the toe, m"), run_out.mean());
        report.info(&format!("{label}: std dev of the run-out, m"), run_out.std_dev());
        report.info(
            &format!("{label}: mean of the largest kinetic energy, kJ"),
            ramp::per_rock(&tracks, |t| Some(t.max_energy_kj)).mean(),
        );
        let [energy, _, rotation, jump] = ramp::pooled(&tracks, |t| &t.moments);
        report.info(&format!("{label}: mean kinetic energy, kJ"), energy.mean());
        report.info(&format!("{label}: mean rotation, rot/s"), rotation.mean());
        report.info(&format!("{label}: mean jump height, m"), jump.mean());
        let (steps, failed) = tracks.iter().fold((0, 0), |sum, t| (sum.0 + t.steps, sum.1 + t.not_converged));
        report.info(
            &format!("{label}: share of steps where the contact solver did not converge"),
            failed as f64 / steps as f64,
        );
        if !settings.quick {
            report.info(
                &format!("{label}: cost of a simulated second relative to explicit"),
                Ramp::default().cost_per_second(integrator)? / unit,
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wheel in free flight keeps its energy, its spin and its axis.
    #[test]
    fn a_wheel_keeps_energy_and_spin() {
        let (inertia, omega) = (Vector3::new(38.0, 38.5, 65.0), Vector3::new(0.3, 0.2, 25.0));
        let wheel = flight(Integrator::Implicit, &inertia, &omega, 0.002, 2.0);
        assert!(wheel.energy < 1e-12 && wheel.spin < 1e-12 && wheel.axis_deg < 1.0);
    }
}
