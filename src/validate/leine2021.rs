//! Leine et al. 2021, §4: a cuboid of 3 × 2 × 1 m spinning about its major and intermediate axes.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::{Report, Settings, Tolerance};
use crate::Result;
use crate::draw::svg::{Plot, figure};
use crate::dynamics::rotation::{euler_rate, explicit, implicit, kinetic_energy, quaternion_rate, spin};

/// m = 1 kg, a = 3 m, b = 2 m, c = 1 m.
const INERTIA: [f64; 3] = [5.0 / 12.0, 10.0 / 12.0, 13.0 / 12.0];
const OMEGA: f64 = 10.0;
const DT: f64 = 0.01;
const STEPS: usize = 2000;

type Step = fn(&Vector3<f64>, &UnitQuaternion<f64>, &Vector3<f64>, f64) -> (UnitQuaternion<f64>, Vector3<f64>);

/// A body's free motion: (t, p, ω) at every step.
type Motion = Vec<(f64, UnitQuaternion<f64>, Vector3<f64>)>;

fn inertia() -> Vector3<f64> {
    Vector3::from(INERTIA)
}

fn motion(step: Step, inertia: &Vector3<f64>, omega: Vector3<f64>, dt: f64, steps: usize) -> Motion {
    let mut states = vec![(0.0, UnitQuaternion::identity(), omega)];
    for k in 1..=steps {
        let (_, p, omega) = &states[k - 1];
        let (p, omega) = step(inertia, p, omega, dt);
        states.push((k as f64 * dt, p, omega));
    }
    states
}

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    let inertia = inertia();
    let near_major = Vector3::new(1e-3, 1e-3, OMEGA);
    let near_middle = Vector3::new(1e-3, OMEGA, 1e-3);
    let major = [explicit::step as Step, implicit::step].map(|s| motion(s, &inertia, near_major, DT, STEPS));
    let middle = [explicit::step as Step, implicit::step].map(|s| motion(s, &inertia, near_middle, DT, STEPS));

    major_axis(report, &major[0], &major[1]);
    eigenvalues(report);
    intermediate_axis(report, &middle[0]);
    orders(report);
    if settings.plots {
        report.figure("leine2021-fig2", figure(&two_panels("ω near the major axis", "ω (rad/s)", &major, velocity), 2));
        report.figure("leine2021-fig3", figure(&two_panels("d near the major axis", "d (-)", &major, difference), 2));
        let plots = two_panels("ω near the intermediate axis", "ω (rad/s)", &middle, velocity);
        report.figure("leine2021-fig4", figure(&plots, 2));
    }
    Ok(())
}

fn velocity(_: &UnitQuaternion<f64>, omega: &Vector3<f64>) -> Vector3<f64> {
    *omega
}

/// d = A_KI e_z − e_z: how far the body's axis has left that of the stationary rotation (Leine 2021, §2.3).
fn difference(p: &UnitQuaternion<f64>, _: &Vector3<f64>) -> Vector3<f64> {
    p.inverse() * Vector3::z() - Vector3::z()
}

fn two_panels(
    title: &str,
    axis: &str,
    motions: &[Motion; 2],
    what: fn(&UnitQuaternion<f64>, &Vector3<f64>) -> Vector3<f64>,
) -> [Plot; 2] {
    let panel = |scheme: &str, motion: &Motion| {
        let component = |i: usize| motion.iter().step_by(4).map(move |(t, p, w)| [*t, what(p, w)[i]]);
        Plot::new(format!("{title}, {scheme}"), "t (s)", axis)
            .line("x", component(0))
            .line("y", component(1))
            .line("z", component(2))
    };
    [panel("explicit", &motions[0]), panel("implicit", &motions[1])]
}

fn major_axis(report: &mut Report, explicit: &Motion, implicit: &Motion) {
    let inertia = inertia();
    let [a, _, c] = INERTIA;
    let last = |motion: &Motion| motion.last().map(|s| s.2).unwrap_or_default();
    report.source("Leine 2021 §4.3, Fig. 2");
    let end = last(explicit);
    report
        .row("explicit: ω_x after 20 s is −√(C/A) Ω, rad/s", -(c / a).sqrt() * OMEGA, end.x, Tolerance::Relative(2e-8))
        .note("the sign turns with that of the perturbation of ω_x");
    report.row("explicit: |ω_z| after 20 s, rad/s", 5e-5, end.z.abs(), Tolerance::AtMost);
    let mirrored = last(&motion(explicit::step, &inertia, Vector3::new(-1e-3, 1e-3, OMEGA), DT, STEPS));
    report.holds("explicit: the other sign of the perturbation ends at the other pole", mirrored.x * end.x < 0.0);
    let leaving = explicit.iter().find(|s| s.2.z.abs() < 0.5 * OMEGA).map_or(f64::NAN, |s| s.0);
    report
        .row("explicit: leaves the major axis near t, s", 10.0, leaving, Tolerance::Absolute(1.0))
        .note("published \"approximately at t = 10 s\"; ours: when |ω_z| < Ω/2");
    let spread = |motion: &Motion| motion.iter().map(|s| (s.2 - motion[0].2).norm()).fold(0.0, f64::max);
    report.row("implicit: largest change of ω in 20 s, rad/s", 3.5e-3, spread(implicit), Tolerance::AtMost);

    report.source("Leine 2021 eq. 49, 62–64");
    let energy = |motion: &Motion| {
        let start = kinetic_energy(&inertia, &motion[0].2);
        motion.iter().map(|s| (kinetic_energy(&inertia, &s.2) / start - 1.0).abs()).fold(0.0, f64::max)
    };
    let momentum = |motion: &Motion| {
        let start = spin(&inertia, &motion[0].1, &motion[0].2);
        motion.iter().map(|s| (spin(&inertia, &s.1, &s.2) - start).norm() / start.norm()).fold(0.0, f64::max)
    };
    report.row("explicit: largest relative change of energy", 1e-13, energy(explicit), Tolerance::AtMost);
    report.row("explicit: the spin vector is not kept", 0.35, momentum(explicit), Tolerance::AtLeast);
    report.row("implicit: largest relative change of energy", 2e-14, energy(implicit), Tolerance::AtMost);
    report.row("implicit: largest relative change of the spin vector", 1e-14, momentum(implicit), Tolerance::AtMost);

    report.source("Leine 2021 §3, Fig. 3");
    let drift = |motion: &Motion| motion.iter().map(|s| difference(&s.1, &s.2).norm()).fold(0.0, f64::max);
    report
        .row(
            "implicit: largest |d| within the bound of energy and spin",
            axis_bound(&implicit[0].2),
            drift(implicit),
            Tolerance::AtMost,
        )
        .note("bound: the widest cone the axis can reach at this energy and spin");
    report.row("explicit: largest |d|", 1.8, drift(explicit), Tolerance::AtLeast);
}

/// Energy and spin confine Θω to T − N²/2C = ½N_x²(1/A − 1/C) + ½N_y²(1/B − 1/C), hence the axis e_z to a cone about
/// the spin; |d| is at most the chord of that angle plus the spin's own angle from e_z at the start.
fn axis_bound(omega: &Vector3<f64>) -> f64 {
    let inertia = inertia();
    let [_, b, c] = INERTIA;
    let momentum = inertia.component_mul(omega);
    let excess = kinetic_energy(&inertia, omega) - momentum.norm_squared() / (2.0 * c);
    let widest = (2.0 * excess / (1.0 / b - 1.0 / c)).sqrt() / momentum.norm();
    let start = momentum.xy().norm().atan2(momentum.z);
    2.0 * (0.5 * (widest.asin() + start)).sin()
}

/// D of eq. 55: the scheme's own derivative at the stationary rotation, by central differences.
fn derivative(step: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> Matrix3<f64> {
    let (base, delta) = (Vector3::new(0.0, 0.0, OMEGA), 1e-5);
    Matrix3::from_columns(&[0, 1, 2].map(|i| {
        let change = Vector3::ith(i, delta);
        (step(&(base + change)) - step(&(base - change))) / (2.0 * delta)
    }))
}

fn eigenvalues(report: &mut Report) {
    let inertia = inertia();
    let [a, b, c] = INERTIA;
    report.source("Leine 2021 eq. 54–60, mended");
    // Mended: det has Ω² in its second term; D12 and D21 exchanged; c of eq. 58 is 1 − d − e.
    let det = a * b * c + 0.25 * DT * DT * OMEGA * OMEGA * c * (a + b) * (a + b);
    let d = DT * DT * OMEGA * OMEGA * c * (a + b) * (a + b - 2.0 * c) / (2.0 * det);
    let e = DT * DT * OMEGA * OMEGA * c * (a - c) * (c - b) / det;
    let numeric = derivative(|w| explicit::free_velocity(&inertia, w, &Matrix3::zeros(), DT).omega);
    let d11 = 1.0 - DT * DT * OMEGA * OMEGA * c * (a + b) * (a - c) / (2.0 * det);
    let d22 = 1.0 + DT * DT * OMEGA * OMEGA * c * (a + b) * (c - b) / (2.0 * det);
    let d12 = -DT * OMEGA * b * c * (c - b) / det;
    let d21 = -DT * OMEGA * a * c * (a - c) / det;
    for (name, formula, (i, j)) in
        [("D11", d11, (0, 0)), ("D12", d12, (0, 1)), ("D21", d21, (1, 0)), ("D22", d22, (1, 1)), ("D33", 1.0, (2, 2))]
    {
        report.row(&format!("explicit: {name}"), formula, numeric[(i, j)], Tolerance::Absolute(1e-9));
    }
    let values = numeric.complex_eigenvalues();
    let first = values.iter().max_by(|x, y| x.im.total_cmp(&y.im)).copied().unwrap_or_default();
    let root = d * d + 4.0 * e;
    report.row("explicit: Re λ of D, 1 − d/2", 1.0 - 0.5 * d, first.re, Tolerance::Absolute(1e-8));
    report.row("explicit: Im λ of D, √−(d² + 4e)/2", 0.5 * (-root).sqrt(), first.im, Tolerance::Absolute(1e-8));
    report.row("explicit: |λ| > 1, the major axis is unstable", 1.01, first.norm(), Tolerance::AtLeast);
    let implicit = derivative(|w| implicit::free_velocity(&inertia, w, DT).omega).complex_eigenvalues();
    let largest = implicit.iter().map(|z| (z.norm() - 1.0).abs()).fold(0.0, f64::max);
    report.row("implicit: largest | |λ| − 1 |, neutrally stable", 1e-10, largest, Tolerance::AtMost);
}

fn intermediate_axis(report: &mut Report, explicit: &Motion) {
    let inertia = inertia();
    let [a, b, _] = INERTIA;
    let omega = Vector3::new(1e-3, OMEGA, 1e-3);
    report.source("Leine 2021 §4.3, Fig. 4");
    let end = explicit.last().map(|s| s.2).unwrap_or_default();
    report.row(
        "explicit: |ω_x| tends to √(B/A) Ω, rad/s",
        (b / a).sqrt() * OMEGA,
        end.x.abs(),
        Tolerance::Relative(2e-8),
    );
    let exact = flip_interval(&inertia, &omega);
    for (dt, tolerance) in [(DT, 2e-4), (DT / 4.0, 1.2e-5), (DT / 16.0, 7e-7)] {
        let steps = (20.0 / dt).round() as usize;
        let crossings = zero_crossings(&motion(implicit::step, &inertia, omega, dt, steps));
        let interval = mean_interval(&crossings);
        report
            .row(
                &format!("implicit: interval between flips at Δt = {dt}, s"),
                exact,
                interval,
                Tolerance::Relative(tolerance),
            )
            .note("exact: 2K(m)/λ of the Jacobi elliptic solution");
        if dt == DT {
            report.row(
                "implicit: flips in 20 s",
                (20.0 / exact).floor(),
                crossings.len() as f64,
                Tolerance::Absolute(0.0),
            );
        }
    }
}

/// The exact time between zeros of ω_y in free rotation, s: 2K(m)/λ. Infinite on the separatrix.
pub(crate) fn flip_interval(inertia: &Vector3<f64>, omega: &Vector3<f64>) -> f64 {
    let (energy2, spin2) = (2.0 * kinetic_energy(inertia, omega), inertia.component_mul(omega).norm_squared());
    // Name the axes so that the spin is nearer to the third one.
    let (i1, i2, i3) =
        if spin2 > energy2 * inertia.y { (inertia.x, inertia.y, inertia.z) } else { (inertia.z, inertia.y, inertia.x) };
    let lambda = ((spin2 - energy2 * i1) * (i3 - i2) / (i1 * i2 * i3)).sqrt();
    let m = (i2 - i1) * (energy2 * i3 - spin2) / ((i3 - i2) * (spin2 - energy2 * i1));
    2.0 * complete_elliptic(m) / lambda
}

/// K(m) = π / (2 agm(1, √(1 − m))).
fn complete_elliptic(m: f64) -> f64 {
    let (mut a, mut g) = (1.0, (1.0 - m).sqrt());
    while (a - g).abs() > 4.0 * f64::EPSILON * a {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

fn zero_crossings(motion: &Motion) -> Vec<f64> {
    let crossing = |pair: &[(f64, UnitQuaternion<f64>, Vector3<f64>)]| {
        let (before, after) = (pair[0].2.y, pair[1].2.y);
        (before * after < 0.0).then(|| pair[0].0 + (pair[1].0 - pair[0].0) * before / (before - after))
    };
    motion.windows(2).filter_map(crossing).collect()
}

fn mean_interval(crossings: &[f64]) -> f64 {
    match crossings {
        [first, .., last] => (last - first) / (crossings.len() - 1) as f64,
        _ => f64::NAN,
    }
}

fn orders(report: &mut Report) {
    report.source("Leine 2021 §4, order of convergence");
    let (inertia, omega, end) = (Vector3::new(0.4, 0.7, 0.9), Vector3::new(2.0, -3.0, 5.0), 1.0);
    let (p_exact, omega_exact) = reference(&inertia, omega, end, 20_000);
    for (name, step, order) in [("explicit", explicit::step as Step, 1.0), ("implicit", implicit::step, 2.0)] {
        let error = |steps: usize| {
            let states = motion(step, &inertia, omega, end / steps as f64, steps);
            let (_, p, omega) = states[steps];
            ((omega - omega_exact).norm(), p.angle_to(&p_exact))
        };
        let (coarse, fine) = (error(1000), error(2000));
        report.row(&format!("{name}: order of ω"), order, (coarse.0 / fine.0).log2(), Tolerance::Absolute(0.02));
        report.row(
            &format!("{name}: order of the orientation"),
            order,
            (coarse.1 / fine.1).log2(),
            Tolerance::Absolute(0.02),
        );
    }
}

/// Classical Runge–Kutta with a step so small that its error does not matter.
fn reference(
    inertia: &Vector3<f64>,
    omega: Vector3<f64>,
    end: f64,
    steps: usize,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let h = end / steps as f64;
    let rate = |p: &nalgebra::Quaternion<f64>, w: &Vector3<f64>| {
        (quaternion_rate(p, w), euler_rate(inertia, w, &Vector3::zeros()))
    };
    let (mut p, mut w) = (nalgebra::Quaternion::identity(), omega);
    for _ in 0..steps {
        let (p1, w1) = rate(&p, &w);
        let (p2, w2) = rate(&(p + p1 * (0.5 * h)), &(w + w1 * (0.5 * h)));
        let (p3, w3) = rate(&(p + p2 * (0.5 * h)), &(w + w2 * (0.5 * h)));
        let (p4, w4) = rate(&(p + p3 * h), &(w + w3 * h));
        p += (p1 + (p2 + p3) * 2.0 + p4) * (h / 6.0);
        w += (w1 + (w2 + w3) * 2.0 + w4) * (h / 6.0);
    }
    (UnitQuaternion::new_normalize(p), w)
}
