//! RocFall3 legacy rigid-body manual: closed forms of its impact and rolling laws, for spheres and boxes.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Report, Settings, Tolerance};
use crate::Result;
use crate::dynamics::Scene;
use crate::dynamics::rocfall::impact::{Guard, Impact, Inertia, Restitution, impact, point_velocity, scaled_normal};
use crate::dynamics::rocfall::motion::Mover;
use crate::dynamics::rocfall::rolling::{Friction, Phase, Pivot, Touching};
use crate::rock::Shape;
use crate::terrain::{Field, Ground, GroundScale, Lattice, Surface};
use crate::trajectory::Start;

const G: f64 = 9.81;
const MASS: f64 = 800.0;
const RADIUS: f64 = 0.5;
const EXACT: Tolerance = Tolerance::Absolute(1e-12);

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    sphere_impacts(report);
    restitution_scaling(report);
    rolling(report);
    box_impacts(settings, report);
    whole_motions(report)
}

fn sphere_inertia() -> Inertia {
    Inertia::new(MASS, Vector3::repeat(0.4 * MASS * RADIUS * RADIUS), &Matrix3::identity())
}

/// A sphere at 6 m/s along and 3 m/s into the ground, with a spin of 2 rad/s about the transverse axis.
fn strike(tangential: f64, cap: Option<f64>) -> Impact {
    let law = Restitution { normal: 0.35, tangential, cap, energy_guard: true };
    let (velocity, omega) = (Vector3::new(6.0, 0.0, -3.0), Vector3::new(0.0, 2.0, 0.0));
    impact(&sphere_inertia(), &velocity, &omega, &Vector3::new(0.0, 0.0, -RADIUS), &Vector3::z(), &law)
}

fn sphere_impacts(report: &mut Report) {
    report.source("RocFall3 §2, eq. 2.8–2.13: sphere, R_N 0.35, v = (6, 0, −3) m/s, ω = 2 rad/s");
    // γ_t = v − ω r = 5 m/s; G_tt = 7/(2m), so dP_t = −(1 − R_T) γ_t · 2m/7.
    let gamma = 6.0 - 2.0 * RADIUS;
    for tangential in [0.0, 0.85] {
        let after = strike(tangential, None);
        let dv = -(1.0 - tangential) * gamma * 2.0 / 7.0;
        let name = |what: &str| format!("R_T {tangential}: {what}");
        report.row(&name("v_t, m/s"), 6.0 + dv, after.velocity.x, EXACT);
        report.row(&name("v_n = R_N 3, m/s"), 1.05, after.velocity.z, EXACT);
        report.row(&name("ω, rad/s"), 2.0 - dv * 5.0 / (2.0 * RADIUS), after.omega.y, EXACT);
        let slip = point_velocity(&after.velocity, &after.omega, &Vector3::new(0.0, 0.0, -RADIUS)).x;
        report.row(&name("contact slip R_T γ_t, m/s"), tangential * gamma, slip, EXACT);
    }
    let capped = strike(0.0, Some(0.2));
    report.row("capped at μ 0.2: v_t, m/s", 6.0 - 0.2 * 1.35 * 3.0, capped.velocity.x, EXACT);
    report.row("capped at μ 0.2: dP_t, N s", -0.2 * 1.35 * 3.0 * MASS, capped.percussion.x, Tolerance::Relative(1e-12));
    report.holds("the cap of μ 0.2 bites, one of μ 0.6 does not", capped.capped && !strike(0.0, Some(0.6)).capped);
}

fn restitution_scaling(report: &mut Report) {
    report.source("RocFall3, project settings: R_N / (1 + (V/K)²), K = 9.14 m/s");
    report.row("scaled R_N at V = K: half", 0.175, scaled_normal(0.35, 9.14, 9.14), EXACT);
    report.row("scaled R_N at V = 3 K: a tenth", 0.035, scaled_normal(0.35, 27.42, 9.14), EXACT);
}

/// A sphere rolling down a plane at 2 m/s.
fn rolling_sphere(slope: f64) -> Touching {
    let normal = Vector3::new(slope.sin(), 0.0, slope.cos());
    let down = Vector3::new(slope.cos(), 0.0, -slope.sin());
    Touching {
        mass_kg: MASS,
        inertia: Matrix3::identity() * (0.4 * MASS * RADIUS * RADIUS),
        velocity: down * 2.0,
        omega: normal.cross(&down) * (2.0 / RADIUS),
        arm: -normal * RADIUS,
        normal,
        gravity: Vector3::new(0.0, 0.0, -G),
        pivot: Pivot::Sphere,
    }
}

fn rolling(report: &mut Report) {
    report.source("RocFall3 §3, eq. 3.9–3.10c: sphere on a plane");
    let slope = 25f64.to_radians();
    for mu_r in [0.0, 0.1] {
        let friction = Friction { mu: 0.6, rolling: mu_r };
        let a = rolling_sphere(slope).accelerations(&friction).linear.norm();
        let expected = 5.0 / 7.0 * G * (slope.sin() - mu_r * slope.cos());
        report.row(&format!("rolling at 25°, μ_r {mu_r}: 5/7 g (sin α − μ_r cos α), m/s²"), expected, a, EXACT);
    }
    for mu_r in [0.0, 0.05] {
        let friction = Friction { mu: 0.2, rolling: mu_r };
        let phase = |tangent: f64| rolling_sphere(tangent.atan()).accelerations(&friction).phase;
        let (mut rolls, mut slips) = (0.0, 2.0);
        for _ in 0..60 {
            let middle = 0.5 * (rolls + slips);
            if phase(middle) == Phase::Rolling { rolls = middle } else { slips = middle }
        }
        report
            .row(&format!("slip threshold tan α = 7/2 μ + μ_r, μ 0.2, μ_r {mu_r}"), 0.7 + mu_r, rolls, EXACT)
            .note("rolling friction as the force of eq. 3.10b");
    }
    let steep = 45f64.to_radians();
    let sliding = rolling_sphere(steep).accelerations(&Friction { mu: 0.2, rolling: 0.0 });
    report.row("sliding at 45°, μ 0.2: g (sin α − μ cos α), m/s²", G * 0.8 * steep.sin(), sliding.linear.norm(), EXACT);
    let spin_up = 2.5 * 0.2 * G * steep.cos() / RADIUS;
    report.row("sliding at 45°: spin-up 5/2 μ g cos α / r, rad/s²", spin_up, sliding.angular.norm(), EXACT);
}

fn box_impacts(settings: &Settings, report: &mut Report) {
    report.source("RocFall3 §2: random corner impacts of a 1.6 × 1 × 0.6 m box, R_N 0.35, R_T 0.85");
    let half = Vector3::new(0.8, 0.5, 0.3);
    let squares = half.component_mul(&half);
    let principal = Vector3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) / 3.0;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let count = if settings.quick { 2_000 } else { 100_000 };
    let (mut impacts, mut gaining, mut capped_gaining, mut worst, mut restitution_error) =
        (0u32, 0u32, 0u32, 0f64, 0f64);
    for _ in 0..count {
        let mut cube = || Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
        let turn = Rotation3::new(cube() * 3.0);
        let corner = turn * half.component_mul(&cube().map(f64::signum));
        let arm = if corner.z > 0.0 { -corner } else { corner };
        let (velocity, omega) = (cube() * 8.0 - Vector3::z() * 4.0, cube() * 5.0);
        let approach = point_velocity(&velocity, &omega, &arm).z;
        if approach >= 0.0 {
            continue;
        }
        impacts += 1;
        let body = Inertia::new(1.0, principal, turn.matrix());
        let tensor = turn.matrix() * Matrix3::from_diagonal(&principal) * turn.matrix().transpose();
        let energy = |v: &Vector3<f64>, w: &Vector3<f64>| 0.5 * v.norm_squared() + 0.5 * w.dot(&(tensor * w));
        let law = |cap, energy_guard| Restitution { normal: 0.35, tangential: 0.85, cap, energy_guard };
        let hit = |law: &Restitution| impact(&body, &velocity, &omega, &arm, &Vector3::z(), law);

        let free = hit(&law(None, false));
        gaining += u32::from(free.guard == Guard::GainLeft);
        capped_gaining += u32::from(hit(&law(Some(0.6), false)).guard == Guard::GainLeft);
        let leave = point_velocity(&free.velocity, &free.omega, &arm).z;
        restitution_error = restitution_error.max((leave + 0.35 * approach).abs());
        let held = hit(&law(None, true));
        worst = worst.max(energy(&held.velocity, &held.omega) / energy(&velocity, &omega) - 1.0);
    }
    let share = |gaining: u32| f64::from(gaining) / f64::from(impacts);
    report.row("γ_n' + R_N γ_n, largest, m/s", 1e-13, restitution_error, Tolerance::AtMost);
    report
        .info("share of impacts that gain energy without the guard", share(gaining))
        .note("depends on the mix of shapes, spins and velocities");
    report.info("the same with the cap at μ 0.6", share(capped_gaining));
    report.row("largest relative energy gain with the guard", 1e-14, worst, Tolerance::AtMost);
}

/// Whole motions through the stepper: bounce heights and the distance rolled.
fn whole_motions(report: &mut Report) -> Result<()> {
    report.source("RocFall3 §1–3: whole motions, Δt = 0.002 s");
    let ball = Shape::from_preset("sphere")?.with_axes([2.0 * RADIUS; 3], 2700.0)?;
    let slope = 20f64.to_radians();
    let plane = |slope: f64| -> Result<Scene> {
        let lattice = Lattice { nx: 101, ny: 11, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let values = (0..lattice.len()).map(|k| -((k % lattice.nx) as f64) * slope.tan()).collect();
        Ok(Scene::new(Surface::new(Field { lattice, values })?, Ground::uniform(0.6, 0.6, 0.0, 0.0)))
    };
    let at = |x: f64, height: f64, slope: f64| Start {
        position: Vector3::new(x, 5.0, -x * slope.tan() + RADIUS / slope.cos() + height),
        orientation: UnitQuaternion::identity(),
        velocity: Vector3::zeros(),
        omega: Vector3::zeros(),
    };

    let flat = plane(0.0)?;
    let mut mover = Mover::new(&flat, &ball, &at(50.0, 2.0, 0.0), GroundScale::default(), false);
    let mut top: f64 = 0.0;
    let mut bounced = false;
    for _ in 0..600 {
        mover.step(0.002);
        bounced |= mover.state.velocity.z > 0.0;
        if bounced {
            top = top.max(mover.state.position.z - RADIUS);
        }
    }
    report
        .row("rebound after a drop of 2 m: R_N² h, m", 2.0 * 0.35 * 0.35, top, Tolerance::Absolute(2e-6))
        .note("the top lies between two steps: at most ½ g Δt² = 2e-5 m below");

    let inclined = plane(slope)?;
    let start = at(10.0, 0.0, slope);
    let mut mover = Mover::new(&inclined, &ball, &start, GroundScale::default(), false);
    let mut time = 0.0;
    while time < 4.0 {
        time += mover.step(0.002).0;
    }
    let expected = 0.5 * 5.0 / 7.0 * G * (slope.sin() - 0.1 * slope.cos()) * time * time;
    let rolled = (mover.state.position - start.position).norm();
    report.row("rolled from rest in 4 s at 20°, μ_r 0.1, m", expected, rolled, Tolerance::Relative(2e-4));
    Ok(())
}
