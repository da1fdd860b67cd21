//! del Valle et al. 2024: SPIRAL and its rivals on a cylinder under a constant axial torque.
//!
//! Table 2 is reproduced with the unpublished procedure behind it: the unrounded inertia of the cylinder; n = trunc(1 s/Δt)
//! steps and errors at T = nΔt; leapfrog ω compared at T − Δt/2; the error curve sampled at 20 log-spaced Δt in
//! [1e-7, 1e-1] s and interpolated log-log at the target; PFC4's orientation error as the largest row sum of A − A_ref over
//! that of A.

use std::f64::consts::PI;
use std::time::Instant;

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use rayon::prelude::*;

use super::{Report, Settings, Tolerance};
use crate::Result;
use crate::draw::svg::{Plot, figure};
use crate::dynamics::rotation::analytical::{axisymmetric_omega, axisymmetric_omega_printed, orientation_from};
use crate::dynamics::rotation::classic::{Method, Rotor};

const TORQUE_X: f64 = 0.5;
const TARGETS: [f64; 4] = [1e-5, 1e-4, 1e-3, 1e-2];
/// Steps of the reference orientation, s.
const FINE: f64 = 2e-5;

/// Table 2: Δt that reaches the target errors 1e-5, 1e-4, 1e-3, 1e-2.
const TABLE_2: [(Method, [f64; 4]); 8] = [
    (Method::Spiral, [3.044e-3, 8.372e-3, 2.329e-2, 6.167e-2]),
    (Method::Omelyan, [2.943e-4, 9.319e-4, 2.952e-3, 9.400e-3]),
    (Method::Buss, [2.650e-5, 2.663e-4, 2.890e-3, 5.529e-2]),
    (Method::VelocityVerlet, [6.789e-6, 6.852e-5, 6.779e-4, 3.527e-3]),
    (Method::Fincham, [3.069e-6, 3.071e-5, 3.091e-4, 3.295e-3]),
    (Method::DirectEuler, [1.324e-6, 1.325e-5, 1.333e-4, 1.421e-3]),
    (Method::Johnson, [1.801e-6, 1.801e-5, 1.804e-4, 1.824e-3]),
    (Method::Pfc4, [1.662e-7, 1.662e-6, 1.663e-5, 1.671e-4]),
];

/// Steel cylinder of radius 5 cm, height 15 cm, 7750 kg/m³: (0.01141282, 0.02282563, 0.02282563) kg m².
fn inertia() -> Vector3<f64> {
    let (radius, height, density) = (0.05, 0.15, 7750.0);
    let mass = density * PI * radius * radius * height;
    let across = mass * (3.0 * radius * radius + height * height) / 12.0;
    Vector3::new(0.5 * mass * radius * radius, across, across)
}

fn omega_start() -> Vector3<f64> {
    Vector3::new(0.3, -0.9, 0.6)
}

fn exact_omega(time: f64) -> Vector3<f64> {
    axisymmetric_omega(&inertia(), &omega_start(), TORQUE_X, time)
}

fn torque() -> Vector3<f64> {
    Vector3::new(TORQUE_X, 0.0, 0.0)
}

fn rotor(method: Method, dt: f64) -> Rotor {
    Rotor::start(method, &inertia(), &UnitQuaternion::identity(), &omega_start(), &torque(), dt)
}

/// The relative L1 distance (eq. 13).
fn relative<'a>(ours: impl Iterator<Item = &'a f64>, exact: impl Iterator<Item = &'a f64> + Clone) -> f64 {
    let difference: f64 = ours.zip(exact.clone()).map(|(a, b)| (a - b).abs()).sum();
    difference / exact.map(|b| b.abs()).sum::<f64>()
}

/// Errors of orientation and angular velocity of a rotor at `time`, q_ref being the exact orientation there.
fn errors(rotor: &Rotor, time: f64, dt: f64, q_ref: &UnitQuaternion<f64>) -> (f64, f64) {
    let orientation = if rotor.method == Method::Pfc4 {
        let exact = q_ref.to_rotation_matrix().into_inner();
        row_sum(&(rotor.matrix() - exact)) / row_sum(&rotor.matrix())
    } else {
        let ours: Quaternion<f64> = rotor.quaternion();
        relative(ours.coords.iter(), q_ref.coords.iter())
    };
    let lag = if rotor.method.is_leapfrog() { 0.5 * dt } else { 0.0 };
    (orientation, relative(rotor.omega().iter(), exact_omega(time - lag).iter()))
}

fn row_sum(a: &Matrix3<f64>) -> f64 {
    a.row_iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max)
}

/// Errors after trunc(1 s/Δt) steps.
fn errors_after_a_second(method: Method, dt: f64) -> (f64, f64) {
    let steps = (1.0 / dt).trunc() as u64;
    let mut rotor = rotor(method, dt);
    for _ in 0..steps {
        rotor.step(|_| torque(), dt);
    }
    let time = steps as f64 * dt;
    errors(&rotor, time, dt, &orientation_from(&UnitQuaternion::identity(), exact_omega, &[time], FINE)[0])
}

/// The error curve (Δt, q, ω) from coarse to fine, as far as the smallest target needs but not below `finest`.
fn error_curve(method: Method, finest: f64) -> Vec<(f64, f64, f64)> {
    let mut curve = Vec::new();
    for dt in (0..20).rev().map(|i| 10f64.powf(-7.0 + 6.0 * f64::from(i) / 19.0)).filter(|dt| *dt >= finest) {
        let (q, omega) = errors_after_a_second(method, dt);
        curve.push((dt, q, omega));
        if 0.5 * (q + omega) < TARGETS[0] {
            break;
        }
    }
    curve
}

/// Δt at which the mean error reaches the target, log-log interpolated between the samples.
fn step_for(curve: &[(f64, f64, f64)], target: f64) -> f64 {
    let mean = |s: &(f64, f64, f64)| 0.5 * (s.1 + s.2);
    let crossing = curve.windows(2).rev().find(|w| mean(&w[0]) > target && mean(&w[1]) <= target);
    crossing.map_or(f64::NAN, |w| {
        let share = (target / mean(&w[1])).ln() / (mean(&w[0]) / mean(&w[1])).ln();
        w[1].0 * (w[0].0 / w[1].0).powf(share)
    })
}

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    analytical(report);
    // A quick run leaves out the targets that need millions of steps.
    let finest = if settings.quick { 4e-6 } else { 0.0 };
    let curves: Vec<Vec<(f64, f64, f64)>> =
        TABLE_2.par_iter().map(|(method, _)| error_curve(*method, finest)).collect();
    let mut steps = Vec::new();
    report.source("del Valle 2024, Table 2");
    for ((method, published), curve) in TABLE_2.iter().zip(&curves) {
        for (target, published) in TARGETS.iter().zip(published) {
            let ours = step_for(curve, *target);
            if settings.quick && ours.is_nan() && *published < 1e-5 {
                continue;
            }
            let digit = 10f64.powf(published.log10().floor() - 3.0);
            let (tolerance, note) = match method {
                Method::Pfc4 => (Tolerance::Relative(0.002), "how PFC4 keeps its matrix orthonormal is not published"),
                _ => (Tolerance::Absolute(0.5001 * digit), "all printed digits"),
            };
            let name = format!("{}: Δt for error {target:e}, s", method.name());
            report.row(&name, *published, ours, tolerance).note(note);
            steps.push((*method, *target, ours));
        }
    }
    orders(report);
    let growth = error_growth(report, settings);
    let costs = if settings.quick { Vec::new() } else { costs(report, &steps) };
    if settings.plots {
        plots(report, &curves, &growth, &costs, &steps);
    }
    Ok(())
}

fn analytical(report: &mut Report) {
    report.source("del Valle 2024, §3 and App. C");
    let inertia = inertia();
    for (axis, published) in [(0, 0.0114), (1, 0.0228)] {
        let name = format!("cylinder: moment of inertia {}, kg m²", ["x", "y"][axis]);
        report.row(&name, published, inertia[axis], Tolerance::Absolute(5e-5));
    }
    let mut numeric = rotor(Method::RungeKutta4, 1e-4);
    for _ in 0..10_000 {
        numeric.step(|_| torque(), 1e-4);
    }
    let printed = axisymmetric_omega_printed(&inertia, &omega_start(), TORQUE_X, 1.0);
    for (i, name) in ["x", "y", "z"].iter().enumerate() {
        report.row(
            &format!("driven: ω_{name}(1 s) of eq. 11 against Runge–Kutta, rad/s"),
            printed[i],
            numeric.omega()[i],
            Tolerance::Absolute(1e-9),
        );
    }
    let free = Vector3::zeros();
    let start = Vector3::new(12.0, -0.9, 0.6);
    let mut numeric = Rotor::start(Method::RungeKutta4, &inertia, &UnitQuaternion::identity(), &start, &free, 1e-4);
    for _ in 0..10_000 {
        numeric.step(|_| free, 1e-4);
    }
    let exact = axisymmetric_omega(&inertia, &start, 0.0, 1.0);
    for (i, name) in ["x", "y", "z"].iter().enumerate() {
        report.row(
            &format!("undriven: ω_{name}(1 s) of App. C.2 against Runge–Kutta, rad/s"),
            exact[i],
            numeric.omega()[i],
            Tolerance::Absolute(1e-9),
        );
    }
}

fn orders(report: &mut Report) {
    report.source("del Valle 2024, §2, §3 and App. B: order of convergence");
    // The paper counts local orders; globally one less, except that SPIRAL's ω, by SSPRK3, keeps its three.
    for (method, q_order, omega_order) in [
        (Method::Spiral, 2.0, 3.0),
        (Method::SpiralSynchronous, 2.0, 3.0),
        (Method::Omelyan, 2.0, 2.0),
        (Method::Buss, 1.0, 1.0),
        (Method::VelocityVerlet, 1.0, 1.0),
        (Method::Fincham, 1.0, 1.0),
        (Method::DirectEuler, 1.0, 1.0),
        (Method::Johnson, 1.0, 1.0),
        (Method::Pfc4, 1.0, 1.0),
        (Method::RungeKutta4, 4.0, 4.0),
    ] {
        let coarse_step = if method == Method::RungeKutta4 { 1.0 / 512.0 } else { 1.0 / 4096.0 };
        let coarse = errors_after_a_second(method, coarse_step);
        let fine = errors_after_a_second(method, 0.5 * coarse_step);
        let name = method.name();
        report.row(
            &format!("{name}: global order of q"),
            q_order,
            (coarse.0 / fine.0).log2(),
            Tolerance::Absolute(0.06),
        );
        report.row(
            &format!("{name}: global order of ω"),
            omega_order,
            (coarse.1 / fine.1).log2(),
            Tolerance::Absolute(0.01),
        );
    }
}

/// Errors over 10 s at Δt = 1e-5 s (1e-4 s in a quick run): (method, [t, q, ω]).
type Growth = Vec<(Method, Vec<[f64; 3]>)>;

fn error_growth(report: &mut Report, settings: &Settings) -> Growth {
    let (dt, count) = if settings.quick { (1e-4, 10) } else { (1e-5, 100) };
    let times: Vec<f64> = (1..=count).map(|i| 10.0 * f64::from(i) / f64::from(count)).collect();
    let exact = orientation_from(&UnitQuaternion::identity(), exact_omega, &times, FINE / 4.0);
    let between = (10.0 / f64::from(count) / dt).round() as u64;
    let growth: Growth = Method::ALL
        .par_iter()
        .map(|&method| {
            let mut rotor = rotor(method, dt);
            let samples = times.iter().zip(&exact).map(|(&time, q)| {
                for _ in 0..between {
                    rotor.step(|_| torque(), dt);
                }
                let (q, omega) = errors(&rotor, time, dt, q);
                [time, q, omega]
            });
            (method, samples.collect())
        })
        .collect();
    report.source("del Valle 2024, Fig. 3: errors after 10 s");
    let last = |method: Method| {
        let found = growth.iter().find(|g| g.0 == method).and_then(|g| g.1.last());
        found.copied().unwrap_or([f64::NAN; 3])
    };
    for (method, _) in &growth {
        let [_, q, omega] = last(*method);
        report.info(&format!("{}: error of q at 10 s, Δt = {dt:e} s", method.name()), q);
        report.info(&format!("{}: error of ω at 10 s, Δt = {dt:e} s", method.name()), omega);
    }
    let [_, q, omega] = last(Method::Spiral);
    let mut rivals = TABLE_2.iter().skip(1).map(|(m, _)| last(*m));
    report.holds(
        "SPIRAL's errors are the smallest but for Runge–Kutta",
        rivals.all(|r| (q < r[1] || r[1].is_nan()) && (omega < r[2] || r[2].is_nan())),
    );
    growth
}

/// Seconds a step: (method, normalised, cost relative to normalised direct Euler).
type Costs = Vec<(Method, bool, f64)>;

fn costs(report: &mut Report, steps: &[(Method, f64, f64)]) -> Costs {
    let time = |method: Method, normalise: bool| {
        let attempt = |_| {
            let mut rotor = rotor(method, 1e-5);
            rotor.normalise = normalise;
            let start = Instant::now();
            for _ in 0..100_000 {
                // The black box keeps the compiler from using that the torque is constant.
                rotor.step(|_| std::hint::black_box(torque()), 1e-5);
            }
            std::hint::black_box(&rotor);
            start.elapsed().as_secs_f64()
        };
        (0..7).map(attempt).fold(f64::INFINITY, f64::min)
    };
    let unit = time(Method::DirectEuler, true);
    let mut costs = Vec::new();
    report.source("del Valle 2024, Fig. 4: cost of a step relative to normalised direct Euler, measured here");
    for method in Method::ALL {
        for normalise in [true, false] {
            if normalise && method == Method::Pfc4 {
                continue;
            }
            let cost = time(method, normalise) / unit;
            let how = if normalise { "normalised" } else { "not normalised" };
            report.info(&format!("{}, {how}", method.name()), cost);
            costs.push((method, normalise, cost));
        }
    }
    report.source("del Valle 2024, Fig. 5: speed-up over direct Euler at equal error, measured here");
    for (method, target, speed_up) in speed_ups(&costs, steps) {
        let row = report.info(&format!("{} at error {target:e}", method.name()), speed_up);
        if method == Method::Spiral {
            row.note("published: about 10 times Omelyan's, more than 100 times velocity Verlet's");
        }
    }
    costs
}

fn speed_ups(costs: &Costs, steps: &[(Method, f64, f64)]) -> Vec<(Method, f64, f64)> {
    let cost = |method: Method| {
        let found = costs.iter().find(|c| c.0 == method && c.1 == method.needs_normalising());
        found.map_or(f64::NAN, |c| c.2)
    };
    let euler = |target: f64| {
        let found = steps.iter().find(|s| s.0 == Method::DirectEuler && s.1 == target);
        found.map_or(f64::NAN, |s| cost(Method::DirectEuler) / s.2)
    };
    steps.iter().map(|&(method, target, dt)| (method, target, euler(target) / (cost(method) / dt))).collect()
}

fn plots(
    report: &mut Report,
    curves: &[Vec<(f64, f64, f64)>],
    growth: &Growth,
    costs: &Costs,
    steps: &[(Method, f64, f64)],
) {
    let times: Vec<f64> = (0..=300).map(|i| 0.005 * f64::from(i)).collect();
    let orientations = orientation_from(&UnitQuaternion::identity(), exact_omega, &times, 1e-4);
    let mut omega = Plot::new("Angular velocity", "t (s)", "ω (rad/s)");
    for (i, name) in ["ω_x", "ω_y", "ω_z"].iter().enumerate() {
        omega = omega.line(name, times.iter().map(|&t| [t, exact_omega(t)[i]]));
    }
    let mut q = Plot::new("Orientation", "t (s)", "q (-)");
    for (i, name) in [(3, "q_r"), (0, "q_x"), (1, "q_y"), (2, "q_z")] {
        q = q.line(name, times.iter().zip(&orientations).map(|(&t, q)| [t, q.coords[i]]));
    }
    report.figure("delvalle2024-fig1", figure(&[omega, q], 2));

    let panel = |title: &str, x: &str| Plot::new(title, x, "relative error (-)").log_x().log_y();
    let (mut q, mut omega) = (panel("Orientation after 1 s", "Δt (s)"), panel("Angular velocity after 1 s", "Δt (s)"));
    for ((method, _), curve) in TABLE_2.iter().zip(curves) {
        q = q.line(method.name(), curve.iter().map(|s| [s.0, s.1]));
        omega = omega.line(method.name(), curve.iter().map(|s| [s.0, s.2]));
    }
    report.figure("delvalle2024-fig2", figure(&[q, omega], 2));

    let (mut q, mut omega) = (panel("Orientation", "t (s)"), panel("Angular velocity", "t (s)"));
    for (method, samples) in growth {
        q = q.line(method.name(), samples.iter().map(|s| [s[0], s[1]]));
        omega = omega.line(method.name(), samples.iter().map(|s| [s[0], s[2]]));
    }
    report.figure("delvalle2024-fig3", figure(&[q, omega], 2));
    if costs.is_empty() {
        return;
    }
    let names = |methods: &[Method]| -> Vec<String> { methods.iter().map(|m| m.name().to_owned()).collect() };
    let bars = |normalise: bool| {
        let shift = if normalise { -0.2 } else { 0.2 };
        let of = move |(i, m): (usize, &Method)| {
            let found = costs.iter().find(|c| c.0 == *m && c.1 == normalise);
            found.map(|c| [i as f64 + shift, c.2])
        };
        Method::ALL.iter().enumerate().filter_map(of).collect::<Vec<_>>()
    };
    let cost = Plot::new("Cost of a step", "", "relative to direct Euler (-)")
        .points("normalised", bars(true))
        .points("not normalised", bars(false))
        .x_range(-0.6, 9.6)
        .x_names(names(&Method::ALL).iter().map(|n| n.chars().take(8).collect::<String>()));
    report.figure("delvalle2024-fig4", figure(&[cost], 1));
    let methods: Vec<Method> = TABLE_2.iter().map(|t| t.0).collect();
    let mut plot = Plot::new("Speed-up at equal error", "", "relative to direct Euler (-)")
        .log_y()
        .x_range(-0.6, 7.6)
        .x_names(names(&methods).iter().map(|n| n.chars().take(9).collect::<String>()));
    let ups = speed_ups(costs, steps);
    for target in TARGETS.iter().rev() {
        let of = |(i, m): (usize, &Method)| ups.iter().find(|u| u.0 == *m && u.1 == *target).map(|u| [i as f64, u.2]);
        plot = plot.points(format!("{target:e}"), methods.iter().enumerate().filter_map(of).collect::<Vec<_>>());
    }
    report.figure("delvalle2024-fig5", figure(&[plot], 1));
}
