//! Do results depend on the time step? Motions that are not chaotic against references of their own, with the order of
//! convergence; ensembles at 2, 1 and 0.5 ms; implicit against explicit where gyroscopic effects are small.

use nalgebra::{UnitQuaternion, Vector3};

use super::falls::{Setting, Terrain, UNEVEN_DEG, ground_classes};
use super::families::{Way, compare_ways, filtered};
use super::planar::{self, Block, Friction};
use super::scenes::{G, above, at_rest, for_time, lying, plane};
use super::{Report, Settings, Tolerance, short_falls};
use crate::Result;
use crate::dynamics::{Integrator, Scene};
use crate::rock::{Rock, Shape};
use crate::terrain::{Ground, GroundScale};
use crate::trajectory::{Sample, Start, trace};

/// Time steps, s; the second is the default.
const STEPS_S: [f64; 5] = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4];
/// A position may be off by what the gap of a closed contact makes of it at any step, m; an instant likewise, s.
const POSITION_FLOOR_M: f64 = 2e-4;
const TIME_FLOOR_S: f64 = 1e-4;
/// Errors above these floors shrink with at least this power of the step.
const ORDER: f64 = 0.7;

const AT_2_MS: Way = Way { name: "Δt = 2 ms", set: |scene| scene.time_step_s = 2e-3 };
const AT_1_MS: Way = Way { name: "Δt = 1 ms", set: |scene| scene.time_step_s = 1e-3 };
const AT_HALF_MS: Way = Way { name: "Δt = 0.5 ms", set: |scene| scene.time_step_s = 5e-4 };
const IMPLICIT: Way = Way { name: "implicit", set: |scene| scene.integrator = Integrator::Implicit };
const EXPLICIT: Way = Way { name: "explicit", set: |scene| scene.integrator = Integrator::Explicit };

const ROCKS: u64 = 400;
const QUICK_ROCKS: u64 = 40;
const REBOUNDS: u64 = 1000;
const QUICK_REBOUNDS: u64 = 60;
const SHORT_ROCKS: u64 = 1500;
const QUICK_SHORT_ROCKS: u64 = 60;
/// A bias of this share of the mean is what is known to be left of the step.
const NEGLIGIBLE: f64 = 5e-3;
/// Asked for by this word.
const REBOUNDS_ALONE: &str = "rebounds";

pub(super) fn run(settings: &Settings, report: &mut Report) -> Result<()> {
    if settings.only.is_none() {
        for motion in motions()? {
            converges(report, &motion)?;
        }
    }
    let only_rebounds = settings.only.as_deref() == Some(REBOUNDS_ALONE);
    if only_rebounds || settings.only.is_none() {
        let usual = if settings.quick { QUICK_REBOUNDS } else { REBOUNDS };
        super::rebounds::compare(report, settings.rocks.filter(|_| only_rebounds).unwrap_or(usual))?;
    }
    if only_rebounds {
        return Ok(());
    }
    let short = short_falls::are_asked_for(settings.only.as_deref());
    if short || settings.only.is_none() {
        let usual = if settings.quick { QUICK_SHORT_ROCKS } else { SHORT_ROCKS };
        let rocks = settings.rocks.filter(|_| short).unwrap_or(usual);
        short_falls::compare(report, settings, [&AT_2_MS, &AT_HALF_MS], rocks, NEGLIGIBLE)?;
    }
    if short {
        return Ok(());
    }
    let rocks = settings.rocks.unwrap_or(if settings.quick { QUICK_ROCKS } else { ROCKS });
    let chosen = filtered(ensembles(settings.quick), settings)?;
    compare_ways(report, settings, [&AT_2_MS, &AT_HALF_MS], &chosen, rocks)?;
    if !settings.quick {
        compare_ways(report, settings, [&AT_2_MS, &AT_1_MS], &chosen, rocks)?;
    }
    // Equal moments of inertia: nothing gyroscopic.
    let compact =
        ensembles(false).into_iter().filter(|s| !s.complete && (s.shape == "cube" || s.shape == "sphere")).collect();
    let mut compact = if settings.only.is_some() { filtered(compact, settings).unwrap_or_default() } else { compact };
    if settings.quick {
        compact.retain(|s| s.class == "hard");
    }
    compare_ways(report, settings, [&IMPLICIT, &EXPLICIT], &compact, rocks)
}

/// All classes and shapes on a plane and a ramp, by their friction alone and complete, and on an uneven one; in a quick run four of them.
fn ensembles(quick: bool) -> Vec<Setting> {
    if quick {
        return vec![
            Setting::bare("platy", "soft", Terrain::Ramp(40.0)),
            Setting::bare("sphere", "hard", Terrain::Ramp(32.0)),
            Setting::complete("long", "hard", Terrain::Ramp(40.0)),
            Setting::complete("equant", "medium", Terrain::Uneven(UNEVEN_DEG)),
        ];
    }
    let mut chosen = Vec::new();
    for shape in super::falls::SHAPES {
        for class in ground_classes() {
            chosen.extend([Terrain::Plane(35.0), Terrain::Ramp(40.0)].map(|t| Setting::bare(shape, &class, t)));
            chosen.push(Setting::complete(shape, &class, Terrain::Ramp(40.0)));
            chosen.extend([Setting::bare, Setting::complete].map(|of| of(shape, &class, Terrain::Uneven(UNEVEN_DEG))));
        }
    }
    chosen
}

/// A motion with a reference: what is measured, in which unit, and how far off it may be at the default step.
struct Motion {
    name: String,
    exact: f64,
    tolerance: f64,
    /// Smaller errors need not shrink with the step.
    floor: f64,
    measure: Box<dyn Fn(f64) -> Result<f64>>,
}

fn converges(report: &mut Report, motion: &Motion) -> Result<()> {
    report.source(&format!("{}: against its reference at 4, 2, 1, 0.5 and 0.25 ms", motion.name));
    let mut errors = Vec::new();
    for dt in STEPS_S {
        errors.push((motion.measure)(dt)? - motion.exact);
    }
    let all = errors.iter().map(|e| format!("{e:+.1e}")).collect::<Vec<_>>().join(", ");
    report
        .row("at 2 ms", motion.exact, motion.exact + errors[1], Tolerance::Absolute(motion.tolerance))
        .note(format!("errors {all}"));
    // Pairs of steps eight times apart: a change of sign between two steps does not feign an order.
    let (coarse, fine) = (errors[0].abs().max(errors[1].abs()), errors[4].abs().max(errors[3].abs()));
    let limit = motion.floor.max(coarse * 8f64.powf(-ORDER));
    report
        .row("largest error at 0.5 and 0.25 ms", limit, fine, Tolerance::AtMost)
        .note(format!("order {:.2}", (coarse / fine).log2() / 3.0));
    Ok(())
}

fn cuboid(axes: [f64; 3]) -> Result<Rock> {
    Shape::from_preset("cuboid")?.with_axes(axes, 2700.0)
}

fn slope(deg: f64, friction: &Friction, beta_per_s: f64) -> Result<Scene> {
    let ground = Ground::uniform(friction.mu_min, friction.mu_max, beta_per_s, friction.kappa_per_m);
    Ok(Scene::new(plane(deg, 2000.0)?, ground))
}

fn constant(mu: f64) -> Friction {
    Friction { mu_min: mu, mu_max: mu, kappa_per_m: 1.0 }
}

fn samples(scene: &Scene, dt: f64, rock: &Rock, start: &Start, time_s: f64) -> Vec<Sample> {
    let mut scene = for_time(scene, time_s);
    scene.time_step_s = dt;
    let mut samples = Vec::new();
    trace(&scene, rock, start, &GroundScale::default(), |traced| samples.push(*traced.sample));
    samples
}

fn way(samples: &[Sample]) -> f64 {
    samples.first().zip(samples.last()).map_or(f64::NAN, |(a, b)| (b.position - a.position).norm())
}

/// When the rock has first turned by an angle from its start, between samples by interpolation.
fn turned(samples: &[Sample], angle_deg: f64) -> f64 {
    let Some(start) = samples.first() else { return f64::NAN };
    let angle = |sample: &Sample| sample.orientation.angle_to(&start.orientation).to_degrees();
    let passage = samples.windows(2).find(|pair| angle(&pair[1]) >= angle_deg);
    passage.map_or(f64::NAN, |pair| {
        let (from, to) = (angle(&pair[0]), angle(&pair[1]));
        pair[0].time_s + (pair[1].time_s - pair[0].time_s) * (angle_deg - from) / (to - from)
    })
}

fn motions() -> Result<Vec<Motion>> {
    let mut motions = vec![parabola_and_stick()?, rolling_sphere()?];
    motions.extend(sliding_to_rest()?);
    motions.extend(tipping()?);
    motions.extend(wheels()?);
    Ok(motions)
}

/// A slab falls flat onto a slope that holds it: it lies where it touched.
fn parabola_and_stick() -> Result<Motion> {
    let (deg, drop) = (20.0, 0.7);
    let rock = cuboid([2.0, 2.0, 0.2])?;
    let scene = slope(deg, &constant(1.5), 0.0)?;
    let start = at_rest(above(deg, 0.1 + drop), lying(&rock, deg));
    Ok(Motion {
        name: "slab that falls onto a slope of 20° and sticks: distance between start and end, m".into(),
        exact: drop / deg.to_radians().cos(),
        tolerance: 2e-4,
        floor: POSITION_FLOOR_M,
        measure: Box::new(move |dt| Ok(way(&samples(&scene, dt, &rock, &start, 2.0)))),
    })
}

/// Released at contact: half of 5/7 g sin α t².
fn rolling_sphere() -> Result<Motion> {
    let deg = 20.0_f64;
    let rock = Shape::from_preset("sphere")?.with_mass(780.0, 2700.0)?;
    let scene = slope(deg, &constant(0.8), 0.0)?;
    let start = at_rest(above(deg, rock.sphere_radius.unwrap_or_default()), UnitQuaternion::identity());
    Ok(Motion {
        name: "sphere that rolls down 20° for 4 s: distance, m".into(),
        exact: 0.5 * 5.0 / 7.0 * G * deg.to_radians().sin() * 16.0,
        tolerance: 1e-6,
        floor: POSITION_FLOOR_M,
        measure: Box::new(move |dt| Ok(way(&samples(&scene, dt, &rock, &start, 4.0)))),
    })
}

/// A slab slides to rest on level ground, with constant and with slippage friction.
fn sliding_to_rest() -> Result<Vec<Motion>> {
    let laws = [
        ("constant friction 0.4", constant(0.4), 8.0, 1e-5),
        ("slippage friction of the class medium", Friction { mu_min: 0.35, mu_max: 2.0, kappa_per_m: 2.0 }, 12.0, 2e-3),
        (
            "slippage friction of the class extra_soft",
            Friction { mu_min: 0.2, mu_max: 2.0, kappa_per_m: 1.0 },
            12.0,
            2e-3,
        ),
    ];
    let mut motions = Vec::new();
    for (name, law, speed, tolerance) in laws {
        let rock = cuboid([2.0, 2.0, 0.1])?;
        let scene = slope(0.0, &law, 150.0)?;
        let start = Start { velocity: Vector3::new(speed, 0.0, 0.0), ..at_rest(above(0.0, 0.05), lying(&rock, 0.0)) };
        motions.push(Motion {
            name: format!("slab that slides to rest from {speed} m/s, {name}: distance, m"),
            exact: law.braking_distance(speed),
            tolerance,
            floor: POSITION_FLOOR_M,
            measure: Box::new(move |dt| Ok(way(&samples(&scene, dt, &rock, &start, 6.0)))),
        });
    }
    Ok(motions)
}

/// Blocks that slide until friction has grown enough to tip them over their front edge, and the octahedron of Leine 2014.
fn tipping() -> Result<Vec<Motion>> {
    let medium = Friction { mu_min: 0.35, mu_max: 2.0, kappa_per_m: 2.0 };
    let soft = Friction { mu_min: 0.25, mu_max: 2.0, kappa_per_m: 1.25 };
    let leine = Friction { mu_min: 0.2, mu_max: 1.3, kappa_per_m: 0.7 };
    let octahedron = {
        let corners = [[2f64.sqrt(), 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 2f64.sqrt()]];
        let points: Vec<_> = corners.iter().flat_map(|c| [Vector3::from(*c), -Vector3::from(*c)]).collect();
        Shape::from_points(&points)?.as_given(3000.0)?
    };
    let box_k2 = |length: f64, height: f64| (length * length + height * height) / 12.0;
    let block = |length: f64, height: f64| Block {
        half_length: 0.5 * length,
        half_height: 0.5 * height,
        k2: box_k2(length, height),
    };
    // Rock, its orientation on the slope, its side, law, β, slope, drop.
    let cases = [
        ("cube of 1 m on 40°, medium", cuboid([1.0, 2.0, 1.0])?, block(1.0, 1.0), medium, 150.0, 40.0, 0.0),
        ("box 0.8 × 1 m on 35°, soft", cuboid([0.8, 3.0, 1.0])?, block(0.8, 1.0), soft, 100.0, 35.0, 0.0),
        (
            "octahedron of Leine 2014 §5.1",
            octahedron,
            Block { half_length: 1.0, half_height: 1.0, k2: 0.4 },
            leine,
            20.0,
            45.0,
            1e-3,
        ),
    ];
    let mut motions = Vec::new();
    for (name, rock, side, law, beta, deg, drop) in cases {
        let angles = [1.0, 10.0, 30.0];
        let times = planar::tipping(&side, &law, deg, drop, &angles);
        let scene = slope(deg, &law, beta)?;
        // The octahedron's corners already lie on the slope of 45°.
        let orientation = if name.starts_with("octahedron") { rock.axes_in_body } else { lying(&rock, deg) };
        let start = at_rest(above(deg, side.half_height + drop), orientation);
        for (angle, time) in angles.into_iter().zip(times) {
            let (scene, rock, start) = (scene.clone(), rock.clone(), start.clone());
            motions.push(Motion {
                name: format!("{name}: time at which it has tipped by {angle}°, s"),
                exact: time.unwrap_or(f64::NAN),
                tolerance: if drop > 0.0 { 3e-4 } else { 1e-3 },
                floor: TIME_FLOOR_S,
                measure: Box::new(move |dt| Ok(turned(&samples(&scene, dt, &rock, &start, 6.0), angle))),
            });
        }
    }
    Ok(motions)
}

/// Prisms with n sides that roll from edge to edge without slip.
fn wheels() -> Result<Vec<Motion>> {
    let mut motions = Vec::new();
    for (n, deg, omega, time_s) in [(4_u32, 0.0_f64, 3.5_f64, 1.5_f64), (6, 10.0, 2.0, 3.0), (12, 6.0, 2.0, 3.0)] {
        let (radius, half) = (0.5, std::f64::consts::PI / f64::from(n));
        let corner = |k: u32| (2.0 * half * f64::from(k) + half).sin_cos();
        let points: Vec<_> = (0..n)
            .flat_map(|k| [-1.0, 1.0].map(|y| Vector3::new(radius * corner(k).0, y, radius * corner(k).1)))
            .collect();
        let rock = Shape::from_points(&points)?.as_given(2700.0)?;
        // About y, whichever of the principal axes that is.
        let about = rock.axes_in_body.inverse() * Vector3::y();
        let k2 = about.dot(&rock.inertia.component_mul(&about)) / rock.mass_kg;
        let scene = slope(deg, &constant(5.0), 0.0)?;
        let (sin, cos) = deg.to_radians().sin_cos();
        let mut start = at_rest(above(deg, radius * half.cos()), lying(&rock, deg));
        // About its front edge: the arm from there to the centre, turned by a right angle.
        let (back, up) = (radius * half.sin(), radius * half.cos());
        let (along, out) = (omega * up, omega * back);
        start.velocity = Vector3::new(along * cos + out * sin, 0.0, -along * sin + out * cos);
        start.omega = about * omega;
        let origin = start.position;
        motions.push(Motion {
            name: format!("wheel with {n} corners on {deg}°: way in {time_s} s, m"),
            exact: planar::rolled(n, radius, k2, deg, omega, time_s),
            tolerance: 2e-3,
            floor: POSITION_FLOOR_M,
            measure: Box::new(move |dt| {
                let samples = samples(&scene, dt, &rock, &start, time_s);
                let end = samples.last().map_or(Vector3::from_element(f64::NAN), |s| s.position - origin);
                Ok(end.x * cos - end.z * sin)
            }),
        });
    }
    Ok(motions)
}
