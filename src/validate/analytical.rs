//! Motions with closed solutions, through the whole engine.

use nalgebra::{UnitQuaternion, Vector3};

use super::scenes::{G, above, at_rest, for_time, lying, normal, plane_scene, run_for};
use super::{Report, Settings, Tolerance};
use crate::Result;
use crate::dynamics::rotation::analytical::axisymmetric_omega;
use crate::rock::{Rock, Shape};
use crate::terrain::{Forest, GroundScale, ParameterField};
use crate::trajectory::{Sample, trace};

pub(super) fn run(_: &Settings, report: &mut Report) -> Result<()> {
    flight(report)?;
    bounces(report)?;
    sliding(report)?;
    toppling(report)?;
    rolling(report)?;
    terminal_velocity(report)?;
    precession(report)?;
    rest(report)?;
    energy_balance(report)
}

fn sphere() -> Result<Rock> {
    Shape::from_preset("sphere")?.with_mass(780.0, 2700.0)
}

fn cuboid(axes: [f64; 3]) -> Result<Rock> {
    Shape::from_preset("cuboid")?.with_axes(axes, 2700.0)
}

fn last(samples: &[Sample]) -> Sample {
    samples[samples.len() - 1]
}

fn flight(report: &mut Report) -> Result<()> {
    let scene = plane_scene(0.0, 0.5, 0.0)?;
    let mut start = at_rest(above(0.0, 100.0), UnitQuaternion::identity());
    report.source("free fall, z = h − g t²/2");
    let fall = last(&run_for(&scene, &sphere()?, &start, 2.0).0);
    report.row("height after 2 s from 100 m, m", 100.0 - 2.0 * G, fall.position.z, Tolerance::Absolute(1e-11));
    report.row("speed after 2 s, m/s", 2.0 * G, fall.velocity.norm(), Tolerance::Absolute(1e-11));
    report.source("parabola");
    start.velocity = Vector3::new(12.0, 3.0, 8.0);
    let thrown = last(&run_for(&scene, &sphere()?, &start, 2.0).0);
    let exact = start.position + 2.0 * start.velocity - Vector3::z() * (2.0 * G);
    report.row("distance from the parabola after 2 s, m", 5e-12, (thrown.position - exact).norm(), Tolerance::AtMost);
    Ok(())
}

fn bounces(report: &mut Report) -> Result<()> {
    report.source("bounce series, hₙ = e²ⁿ h with e = 0.7, h = 1 m, Δt = 0.1 ms");
    let mut scene = plane_scene(0.0, 0.5, 0.7)?;
    scene.time_step_s = 1e-4;
    let rock = sphere()?;
    let radius = rock.sphere_radius.unwrap_or_default();
    let (samples, _) = run_for(&scene, &rock, &at_rest(above(0.0, 1.0 + radius), UnitQuaternion::identity()), 3.0);
    let tops = samples.windows(3).filter(|w| w[1].position.z > w[0].position.z && w[1].position.z >= w[2].position.z);
    for (n, top) in (1..=4).zip(tops) {
        let height = top[1].position.z - radius;
        report.row(&format!("height of bounce {n}, m"), 0.7f64.powi(2 * n), height, Tolerance::Relative(0.003));
    }
    Ok(())
}

fn sliding(report: &mut Report) -> Result<()> {
    let rock = cuboid([1.0, 1.0, 0.3])?;
    report.source("sliding block, a = g (sin α − μ cos α)");
    for (slope, mu) in [(30.0, 0.3), (45.0, 0.8)] {
        let (sin, cos) = f64::to_radians(slope).sin_cos();
        let start = at_rest(above(slope, 0.15), lying(&rock, slope));
        let end = last(&run_for(&plane_scene(slope, mu, 0.0)?, &rock, &start, 3.0).0);
        let name = format!("α = {slope}°, μ = {mu}: acceleration, m/s²");
        report.row(&name, G * (sin - mu * cos), end.velocity.norm() / end.time_s, Tolerance::Relative(4e-4));
    }
    report.source("sticking block, μ > tan α");
    let start = at_rest(above(30.0, 0.15), lying(&rock, 30.0));
    let samples = run_for(&plane_scene(30.0, 0.6, 0.0)?, &rock, &start, 10.0).0;
    let moved = (last(&samples).position - samples[0].position).norm();
    report.row("α = 30°, μ = 0.6: displacement in 10 s, m", 2e-4, moved, Tolerance::AtMost);
    Ok(())
}

fn toppling(report: &mut Report) -> Result<()> {
    report.source("toppling cuboid, tan α = length/height");
    let height = 1.5;
    let rock = cuboid([1.0, 1.0, height])?;
    let topples = |slope: f64| -> Result<bool> {
        let start = at_rest(above(slope, 0.5 * height), lying(&rock, slope));
        let samples = run_for(&plane_scene(slope, 5.0, 0.0)?, &rock, &start, 4.0).0;
        Ok(samples.iter().any(|s| s.orientation.angle_to(&samples[0].orientation) > 0.5))
    };
    let (mut stands, mut falls) = (25.0, 45.0);
    while falls - stands > 0.05 {
        let middle = 0.5 * (stands + falls);
        if topples(middle)? { falls = middle } else { stands = middle }
    }
    let exact = (1.0 / height).atan().to_degrees();
    report
        .row("steepest slope a 1 × 1 × 1.5 m block stands on, °", exact, stands, Tolerance::Absolute(0.1))
        .note("by bisection to 0.05°");
    Ok(())
}

fn rolling(report: &mut Report) -> Result<()> {
    report.source("rolling sphere, a = 5/7 g sin α");
    let (slope, rock) = (20.0, sphere()?);
    let radius = rock.sphere_radius.unwrap_or_default();
    let start = at_rest(above(slope, radius), UnitQuaternion::identity());
    let end = last(&run_for(&plane_scene(slope, 0.8, 0.0)?, &rock, &start, 5.0).0);
    let exact = 5.0 / 7.0 * G * slope.to_radians().sin();
    report.row("α = 20°: acceleration, m/s²", exact, end.velocity.norm() / end.time_s, Tolerance::Relative(1e-5));
    report.row("α = 20°: ωR/v", 1.0, end.omega.norm() * radius / end.velocity.norm(), Tolerance::Relative(1e-5));
    Ok(())
}

fn terminal_velocity(report: &mut Report) -> Result<()> {
    report.source("terminal velocity in drag, v = m g/c");
    let mut scene = plane_scene(0.0, 0.5, 0.0)?;
    let constant = ParameterField::Constant;
    scene.forest =
        Some(Forest { drag_kg_s: constant(750.0), height_m: constant(1e4), rotational_drag_kg_m2_s: constant(0.0) });
    let start = at_rest(above(0.0, 1000.0), UnitQuaternion::identity());
    let end = last(&run_for(&scene, &sphere()?, &start, 30.0).0);
    report.row("780 kg, c = 750 kg/s: speed, m/s", 780.0 * G / 750.0, -end.velocity.z, Tolerance::Relative(1e-9));
    Ok(())
}

fn precession(report: &mut Report) -> Result<()> {
    report.source("torque-free precession of an axisymmetric body (del Valle 2024, App. C.2)");
    // Principal axes are sorted by inertia, so a long rod has its symmetry axis first.
    let rock = cuboid([3.0, 1.0, 1.0])?;
    let scene = plane_scene(0.0, 0.5, 0.0)?;
    let mut start = at_rest(above(0.0, 100.0), UnitQuaternion::identity());
    start.omega = Vector3::new(12.0, 1.0, 0.5);
    let end = last(&run_for(&scene, &rock, &start, 3.0).0);
    let exact = axisymmetric_omega(&rock.inertia, &start.omega, 0.0, end.time_s);
    let error = (end.omega - exact).norm() / exact.yz().norm();
    report.row("rod 3 × 1 × 1 m, 12 rad/s: error of the precession after 3 s", 2e-7, error, Tolerance::AtMost);
    report.row("rod: ω along the axis, rad/s", 12.0, end.omega.x, Tolerance::Relative(1e-12));
    Ok(())
}

fn rest(report: &mut Report) -> Result<()> {
    report.source("rest on a plane");
    for n in [3_usize, 4, 8] {
        let ring = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
        let base = (0..n).map(|k| Vector3::new(ring(k).cos(), ring(k).sin(), 0.0));
        let points: Vec<_> = base.chain([Vector3::new(0.1, 0.05, 1.0)]).collect();
        let rock = Shape::from_points(&points)?.with_mass(500.0, 2700.0)?;
        let lowest = rock.vertices.iter().map(|v| (rock.axes_in_body * v).z).fold(f64::MAX, f64::min);
        // Half a millimetre above, so that no vertex hangs in the air by rounding.
        let start = at_rest(above(0.0, 5e-4 - lowest), rock.axes_in_body);
        let scene = for_time(&plane_scene(0.0, 0.5, 0.0)?, 2.0);
        let (mut force, mut contacts, mut speed) = (f64::NAN, 0, 0.0f64);
        trace(&scene, &rock, &start, &GroundScale::default(), |traced| {
            if let Some(step) = traced.step.filter(|_| traced.sample.time_s > 1.0) {
                force = traced.fall.work.contacts().map(|(_, c)| c.percussion.x).sum::<f64>() / step.duration_s;
                contacts = traced.fall.work.contacts().count();
                speed = speed.max(traced.sample.velocity.norm());
            }
        });
        report.row(&format!("on {n} contacts: closed contacts"), n as f64, contacts as f64, Tolerance::Absolute(0.0));
        report.row(&format!("on {n} contacts: sum of normal forces, N"), 500.0 * G, force, Tolerance::Relative(1e-6));
        report.row(&format!("on {n} contacts: largest speed, m/s"), 1e-10, speed, Tolerance::AtMost);
    }
    Ok(())
}

fn energy_balance(report: &mut Report) -> Result<()> {
    report.source("Leine 2014 eq. 54, ΔV with its sign mended: energy balance of every step");
    let rock = Shape::from_preset("eota_221")?.with_mass(780.0, 2710.0)?;
    let mut start = at_rest(above(35.0, 3.0), UnitQuaternion::from_euler_angles(0.3, 0.8, 1.4));
    start.velocity = Vector3::new(5.0, 1.0, 0.0);
    start.omega = Vector3::new(1.0, 2.0, 3.0);
    let (mut worst, mut contacts) = (0.0f64, 0_u32);
    let scene = for_time(&plane_scene(35.0, 0.6, 0.2)?, 10.0);
    trace(&scene, &rock, &start, &GroundScale::default(), |traced| {
        if let Some(info) = traced.step {
            worst = worst.max(info.energy.residual().abs() / traced.sample.kinetic_energy_j.max(1.0));
            contacts += u32::from(info.closed > 0);
        }
    });
    report
        .row("bouncing plate: largest unexplained share of the kinetic energy", 1e-13, worst, Tolerance::AtMost)
        .note(format!("{contacts} steps with contact on a slope of 35°, normal {:.2?}", normal(35.0).as_slice()));
    Ok(())
}
