//! Leine et al. 2014, §5: the sliding, toppling octahedron (§5.1) and the block that ends rolling like a wheel (§5.2).
//!
//! What the paper leaves out: "width of 10 m" is the half-width; the octahedron's square stands on an edge of 2 m; k² is 0.4;
//! the drop height of §5.1 (1 mm here) and the initial attitude of §5.2 (drawn here) are not published. After the first
//! toppling the motion is chaotic: nothing later is compared.

use nalgebra::{UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::scenes::{G, above, at_rest, for_time, lying, normal, plane, plane_scene};
use super::{Report, Settings, Tolerance};
use crate::Result;
use crate::draw::svg::{Plot, figure};
use crate::dynamics::friction::coefficient;
use crate::dynamics::{Integrator, Scene};
use crate::rock::{Rock, Shape};
use crate::terrain::{Ground, GroundScale};
use crate::trajectory::{Sample, trace};

const MU_MIN: f64 = 0.2;
const MU_MAX: f64 = 1.3;
const BETA: f64 = 20.0;
const KAPPA: f64 = 0.7;
const SLOPE: f64 = 45.0;

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    let rock = octahedron()?;
    masses(report, &rock)?;
    sliding(report, &rock, settings)?;
    wheel(report, settings)
}

/// Square of 2 m in the x–z plane with its corners on the axes, 20 m wide along y.
fn octahedron() -> Result<Rock> {
    let corners = [[2f64.sqrt(), 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 2f64.sqrt()]];
    let points: Vec<_> = corners.iter().flat_map(|c| [Vector3::from(*c), -Vector3::from(*c)]).collect();
    Shape::from_points(&points)?.as_given(3000.0)
}

fn masses(report: &mut Report, rock: &Rock) -> Result<()> {
    report.source("Leine 2014 §5.1: body");
    report.row("octahedron: m, kg", 80_000.0, rock.mass_kg, Tolerance::Relative(1e-9));
    report.row("octahedron: Θ_y, kg m²", 32_000.0, rock.inertia.x, Tolerance::Relative(1e-9));
    report.row("octahedron: Θ_x, kg m²", 816_000.0, rock.inertia.y, Tolerance::Relative(1e-9));
    report.row("octahedron: Θ_z, kg m²", 816_000.0, rock.inertia.z, Tolerance::Relative(1e-9));
    let k2 = rock.inertia.x / rock.mass_kg; // r = 1 m
    report
        .row("k² = Θ_y/(m r²)", 0.4, k2, Tolerance::Relative(1e-9))
        .note("2/3 is printed; 0.4 gives the printed μ_P, μ_C");
    let mu_p = (k2 * k2 + 2.0 * k2).sqrt();
    report.row("μ_P (eq. 81)", 0.9798, mu_p, Tolerance::Absolute(5e-5));
    report.row("μ_C (eq. 83)", 1.1314, 2.0 / 3f64.sqrt() * mu_p, Tolerance::Absolute(5e-5));
    report.source("Leine 2014 §5.2: body");
    let block = block()?;
    report.row("block: m, kg", 22_500.0, block.mass_kg, Tolerance::Relative(1e-9));
    for (name, published, ours) in
        [("Θ_y", 13_594.0, block.inertia.x), ("Θ_x", 18_750.0, block.inertia.y), ("Θ_z", 28_594.0, block.inertia.z)]
    {
        report.row(&format!("block: {name}, kg m²"), published, ours, Tolerance::Absolute(0.5));
    }
    Ok(())
}

/// One step of the first slip phase.
struct Slip {
    time: f64,
    /// Several time steps may be taken as one.
    duration: f64,
    /// At the midpoint of the step, m.
    slippage: f64,
    speed: f64,
    /// Normal forces of the rear (upslope) and front contact, N.
    rear: f64,
    front: f64,
    /// Sum of the tangential forces, N.
    friction: f64,
}

fn octahedron_scene(dt: f64) -> Result<Scene> {
    let mut scene = Scene::new(plane(SLOPE, 2000.0)?, Ground::uniform(MU_MIN, MU_MAX, BETA, KAPPA));
    scene.time_step_s = dt;
    Ok(scene)
}

/// From the release 1 mm above the slope until the rear corner has opened.
fn slip_phase(rock: &Rock, dt: f64) -> Result<(Vec<Slip>, Vec<Sample>)> {
    let scene = for_time(&octahedron_scene(dt)?, 12.0);
    let start = at_rest(above(SLOPE, 1.0 + 1e-3), rock.axes_in_body);
    let (mut slips, mut samples) = (Vec::new(), Vec::new());
    let (mut slippage, mut before, mut open) = (0.0, 0.0, false);
    trace(&scene, rock, &start, &GroundScale::default(), |traced| {
        samples.push(*traced.sample);
        if let Some(step) = traced.step.filter(|_| !open) {
            let duration = step.duration_s;
            // Sorted along the slope by the moment arm: the rear contact first.
            let mut contacts: Vec<_> = traced
                .fall
                .work
                .contacts()
                .map(|(key, c)| {
                    let x = (traced.sample.orientation * rock.vertices[key as usize]).x;
                    (x, c.percussion.x / duration, c.percussion.yz().norm() / duration)
                })
                .collect();
            contacts.sort_by(|a, b| a.0.total_cmp(&b.0));
            if let [(_, rear, rear_t), (_, front, front_t)] = contacts[..] {
                let (time, speed) = (traced.sample.time_s, traced.sample.velocity.norm());
                let slippage = slippage + 0.5 * duration * before;
                slips.push(Slip { time, duration, slippage, speed, rear, front, friction: rear_t + front_t });
                open = rear <= 0.0 && time > 0.5;
            } else if !slips.is_empty() && traced.sample.time_s > 0.5 {
                open = true;
            }
        }
        (slippage, before) = (traced.fall.body.slippage, traced.sample.velocity.norm());
    });
    Ok((slips, samples))
}

fn sliding(report: &mut Report, rock: &Rock, settings: &Settings) -> Result<()> {
    report.source("Leine 2014 §5.1, eq. 70–72: forces while sliding, Δt = 1 ms");
    let (slips, samples) = slip_phase(rock, 1e-3)?;
    let weight = rock.mass_kg * G * SLOPE.to_radians().cos();
    let (mut rear, mut front, mut friction) = (0.0f64, 0.0f64, 0.0f64);
    // The impact itself has died out after 50 ms.
    let settled: Vec<&Slip> = slips.iter().filter(|s| s.time > 0.05 && s.rear > 0.0).collect();
    for slip in &settled {
        let mu = coefficient(MU_MIN, MU_MAX, KAPPA, slip.slippage);
        rear = rear.max((slip.rear - 0.5 * (1.0 - mu) * weight).abs() / weight);
        front = front.max((slip.front - 0.5 * (1.0 + mu) * weight).abs() / weight);
        friction = friction.max((slip.friction - mu * weight).abs() / weight);
    }
    let compared: f64 = settled.iter().map(|slip| slip.duration).sum();
    report.row("time compared, s", 0.5, compared, Tolerance::AtLeast);
    for (name, error) in [("λ_N1", rear), ("λ_N2", front), ("λ_T1 + λ_T2", friction)] {
        report.row(&format!("{name}: largest error over m g cos α"), 1e-8, error, Tolerance::AtMost);
    }

    report.source("Leine 2014 §5.1: opening of the rear corner, where μ(s) passes 1");
    let opening = (0.5 * std::f64::consts::PI * (1.0 - MU_MIN) / (MU_MAX - MU_MIN)).tan() / KAPPA;
    let mut errors = Vec::new();
    for dt in [4e-3, 2e-3, 1e-3, 5e-4] {
        let (slips, _) = slip_phase(rock, dt)?;
        let closed: Vec<&Slip> = slips.iter().filter(|s| s.time > 0.05 && s.rear > 0.0).collect();
        let [first, .., before, last] = closed[..] else { continue };
        let time = time_of_opening(first, opening);
        // Where the rear contact's force, which belongs to the middle of a step, goes on to zero.
        let beyond = last.rear / (before.rear - last.rear);
        let extended = |of: fn(&Slip) -> f64| of(last) + beyond * (of(last) - of(before));
        let opened = extended(|slip| slip.time - 0.5 * slip.duration);
        let slippage = extended(|slip| slip.slippage);
        report.row(&format!("Δt = {dt}: slippage, m"), opening, slippage, Tolerance::Relative(5e-4));
        report.row(&format!("Δt = {dt}: time, s"), time, opened, Tolerance::Relative(5e-4));
        errors.push((opened - time).abs() / time);
    }
    if let [coarse, .., fine] = errors[..] {
        report
            .row("error of the time at 0.5 ms over that at 4 ms", 0.3, fine / coarse, Tolerance::AtMost)
            .note("converges");
    }
    if settings.plots {
        report.figure("leine2014-fig11b", figure(&[strobe(rock, &samples)], 1));
    }
    Ok(())
}

/// When a block that slides with s and v at some time reaches the slippage `opening`: ṡ = v, v̇ = g (sin α − μ(s) cos α).
fn time_of_opening(from: &Slip, opening: f64) -> f64 {
    let (sin, cos) = SLOPE.to_radians().sin_cos();
    let acceleration = |s: f64| G * (sin - coefficient(MU_MIN, MU_MAX, KAPPA, s) * cos);
    // The slip holds s at the middle and v at the end of its step.
    let s = from.slippage + 0.5 * from.duration * from.speed;
    let (mut t, mut s, mut v, h) = (from.time, s, from.speed, 1e-5);
    while s < opening && t < 60.0 {
        let middle = s + 0.5 * h * v;
        let v_next = v + h * acceleration(middle);
        s += 0.5 * h * (v + v_next);
        v = v_next;
        t += h;
    }
    t
}

/// The square every 0.2 s, seen along y (Fig. 11b).
fn strobe(rock: &Rock, samples: &[Sample]) -> Plot {
    let square: Vec<Vector3<f64>> = {
        let mut corners: Vec<_> = rock.vertices.iter().filter(|v| v.norm() < 5.0).copied().collect();
        // In the order of their angle about the long axis (K's x).
        corners.sort_by(|a, b| a.z.atan2(a.y).total_cmp(&b.z.atan2(b.y)));
        corners
    };
    let shown: Vec<&Sample> = samples.iter().step_by(200).take(36).collect();
    let origin = samples[0].position;
    let mut plot = Plot::new("Octahedron on a slope of 45°, every 0.2 s", "x (m)", "z (m)").equal();
    let place = |s: &Sample, v: &Vector3<f64>| {
        let p = s.position + s.orientation * v - origin;
        [p.x, p.z]
    };
    for sample in &shown {
        let outline = square.iter().chain(square.first()).map(|v| place(sample, v));
        plot = plot.line("", outline).color("#0072b2");
    }
    let end = shown.last().map_or(10.0, |s| s.position.x - origin.x) + 3.0;
    let ground = -normal(SLOPE) * (1.0 + 1e-3);
    plot.line("", [[ground.x - 3.0, ground.z + 3.0], [ground.x + end, ground.z - end]]).color("#996633")
}

/// l_x = 2.5, l_y = 3, l_z = 1 m.
fn block() -> Result<Rock> {
    Shape::from_preset("cuboid")?.with_axes([2.5, 3.0, 1.0], 3000.0)
}

/// How far the axis of rotation may be turned out of the slope's horizontal at the start, rad. Our computation keeps a
/// perfectly aligned block aligned; the paper's left it by "tiny numerical errors" after 25 s.
const MISALIGNMENT: f64 = 1e-2;

/// How one run of §5.2 starts, rad.
#[derive(Debug, Clone, Copy)]
struct WheelStart {
    pitch: f64,
    yaw: f64,
    roll: f64,
}

/// The states of a run, ten a second.
fn wheel_run(rock: &Rock, (integrator, dt): (Integrator, f64), from: WheelStart, time_s: f64) -> Result<Vec<Sample>> {
    let slope = 27.0;
    let mut scene = plane_scene(slope, 10.0, 0.0)?;
    scene.integrator = integrator;
    scene.time_step_s = dt;
    let pitch = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), from.pitch);
    let turned = UnitQuaternion::from_scaled_axis(Vector3::new(from.roll, 0.0, from.yaw));
    let orientation = lying(rock, slope) * rock.axes_in_body.inverse() * turned * pitch * rock.axes_in_body;
    // Just clear of the ground at any pitch.
    let mut start = at_rest(above(slope, 2.05), orientation);
    let (sin, cos) = f64::to_radians(slope).sin_cos();
    start.velocity = Vector3::new(cos, 0.0, -sin) * 28.0;
    // Ω_y: about the axis of smallest inertia, which is K's first; forward rolling turns about +y.
    let axis = rock.axes_in_body.inverse() * Vector3::y();
    start.omega = axis * 20.8;
    // Every tenth of a second, however long the steps are.
    let mut samples: Vec<Sample> = Vec::new();
    trace(&for_time(&scene, time_s), rock, &start, &GroundScale::default(), |traced| {
        if traced.sample.time_s >= 0.1 * samples.len() as f64 - 1e-9 {
            samples.push(*traced.sample);
        }
    });
    Ok(samples)
}

fn wheel(report: &mut Report, settings: &Settings) -> Result<()> {
    let (count, time_s) = if settings.quick { (12, 60.0) } else { (100, 60.0) };
    let rock = block()?;
    report.source("Leine 2014 §5.2: rolling about the axis of largest inertia");
    let schemes = [(Integrator::Implicit, 2e-3_f64), (Integrator::Explicit, 2e-3), (Integrator::Explicit, 2.5e-4)];
    for (integrator, dt) in schemes {
        let mut rng = ChaCha8Rng::seed_from_u64(2014);
        let mut draw = |limit: f64| rng.random_range(-limit..limit);
        let starts: Vec<WheelStart> = (0..count)
            .map(|_| WheelStart {
                pitch: draw(std::f64::consts::PI),
                yaw: draw(MISALIGNMENT),
                roll: draw(MISALIGNMENT),
            })
            .collect();
        let runs: Vec<Vec<Sample>> =
            starts.par_iter().map(|&from| wheel_run(&rock, (integrator, dt), from, time_s)).collect::<Result<_>>()?;
        // Rolling like a wheel: nine tenths of ω about K's third axis, over the last second.
        let wheels = |s: &Sample| s.omega.z.abs() > 0.9 * s.omega.norm() && s.omega.norm() > 1.0;
        let ended = runs.iter().filter(|run| run.iter().rev().take(10).all(wheels)).count() as f64 / f64::from(count);
        let ever = runs.iter().filter(|run| run.windows(20).any(|w| w.iter().all(wheels))).count();
        let scheme = format!("{integrator:?}").to_lowercase();
        let name = format!("{scheme}, Δt = {dt} s");
        report
            .info(&format!("{name}: share of {count} initial attitudes rolling so after {time_s} s"), ended)
            .note("published: one run does, with the explicit scheme; its initial attitude and Δt are not published");
        if integrator == Integrator::Implicit {
            // Three to five of eight, measured.
            let enough = 0.25 * f64::from(count);
            report.row(
                &format!("{name}: runs rolling so for 2 s at some time"),
                enough,
                ever as f64,
                Tolerance::AtLeast,
            );
        } else {
            report
                .info(&format!("{name}: runs rolling so for 2 s at some time"), ever as f64)
                .note("the explicit scheme leaves the major axis in flight, the faster the larger Δt (Leine 2021)");
        }
        if settings.plots {
            let chosen = runs.iter().find(|run| run.iter().rev().take(10).all(wheels)).unwrap_or(&runs[0]);
            let mut plot = Plot::new(format!("Block on a slope of 27°, {name}"), "t (s)", "Ω (rad/s)");
            for (label, i) in [("Ω_y (smallest inertia)", 0), ("Ω_x", 1), ("Ω_z (largest inertia)", 2)] {
                plot = plot.line(label, chosen.iter().map(|s| [s.time_s, s.omega[i]]));
            }
            let file = format!("leine2014-fig12b-{scheme}-{}us", (1e6 * dt).round());
            report.figure(&file, figure(&[plot], 1));
        }
    }
    Ok(())
}
