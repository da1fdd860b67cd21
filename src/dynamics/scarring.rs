//! Compactable soil (Lu et al. 2019): a rebound plane below the surface, and a drag while the rock is in the soil.
//!
//! On touching the surface with the vertical speed V⊥ the rebound plane is set d = 0.1 m^⅓ Me^−0.4 V⊥^0.8 below it. While
//! part of the rock is below the surface F = ½ (C_f + C_s) ρ A |v|² opposes the velocity of the centre of mass, A being the
//! frontal area of the submerged part. Contact and slippage friction act on the rebound plane.
//!
//! # Choices the publication leaves open
//! - V⊥ is the downward component of the centre of mass's velocity at the start of the step in which a vertex is first
//!   below the surface at the midpoint; a rising rock gets d = 0.
//! - d counts vertically. It stays while any part of the rock is below the surface, and the next touch sets a new one.
//! - Me, C_s and ρ are taken below the centre of mass, Me at the touch only.
//! - The surface between the hull's vertices is taken as linear: exact on a plane.
//! - Lu's impacts were of 18–21 m/s. Beyond [`FASTEST_FITTED_M_S`] the drag is ours, see [`excess`].
//! - The drag enters the step as the linear midpoint drag that slows the rock exactly as much (see `drag`): it cannot
//!   add energy or turn the rock around. It makes no torque.

use nalgebra::Vector3;

use super::body::{Body, Pose};
use super::drag::equivalent_linear;
use super::fall::Fall;
use crate::math;
use crate::rock::Rock;
use crate::terrain::Scarring;

/// Drag coefficient of the flow around the rock.
const C_F: f64 = 1.0;

/// Up to this speed the drag is Lu's, m/s: that of the rocks it was fitted to, with a margin.
const FASTEST_FITTED_M_S: f64 = 25.0;

/// So much faster the drag is twice Lu's, m/s. Fitted to one observation, that hardly any rock on the ground is faster than 45 m/s: with 3 m/s 98 of
/// 100 natural rocks of all forms and classes stay below it on slopes of 36–40° and 670 m of height (docs/validation.md).
const TWICE_AFTER_M_S: f64 = 3.0;

/// Factor on the drag of rocks faster than those of Lu's experiments. The way between two impacts grows as v², so that what gravity gives on it and what
/// a law without a speed of its own takes both do, and rocks gain for ever; Lu's ends that at speeds that grow with √Me. What ends it in nature is
/// not known as a law (rocks and ground break); this stands for it, and is no derivation.
pub fn excess(speed: f64) -> f64 {
    let over = (speed - FASTEST_FITTED_M_S).max(0.0) / TWICE_AFTER_M_S;
    1.0 + over * over
}

/// The c of a linear midpoint drag that takes as much speed in a step as k|v|v with that [`excess`] does; see [`equivalent_linear`], which it is for slow rocks.
pub fn equivalent_linear_with_excess(k: f64, speed: f64, mass: f64, dt: f64) -> f64 {
    if speed <= FASTEST_FITTED_M_S {
        return equivalent_linear(k, speed, mass, dt);
    }
    // The excess falls steeply with the speed: midpoint rule in parts of the step, each with the exact motion of a quadratic drag.
    const PARTS: u32 = 48;
    let share = k * dt / (mass * f64::from(PARTS));
    let slowed = |v: f64, excess: f64, share: f64| v / (1.0 + share * excess * v);
    let end = (0..PARTS).fold(speed, |v, _| slowed(v, excess(slowed(v, excess(v), 0.5 * share)), share));
    2.0 * mass / dt * (speed - end) / (speed + end)
}

/// Depth of the rebound plane, m.
pub fn depth(mass_kg: f64, me_kn_m2: f64, vertical_speed: f64) -> f64 {
    let depth = 0.1 * math::cbrt(mass_kg) * math::pow(me_kn_m2, -0.4) * math::pow(vertical_speed.max(0.0), 0.8);
    if depth.is_finite() { depth } else { 0.0 }
}

/// Vertical gaps to the soil's surface, m: the smallest, and that of every hull vertex (NaN without ground).
pub struct Gaps<'a> {
    /// Of the lowest point above the ground, m.
    pub clearance: f64,
    /// Heights of the vertices above the ground, m.
    pub vertices: &'a [f64],
    /// Faces with a vertex that is not above it.
    pub faces: &'a [u32],
    /// Vector areas of all faces, outward, m².
    pub areas: &'a [Vector3<f64>],
}

/// The rebound plane's depth for this step: kept, newly set at a touch, or gone when the rock is clear of the surface.
pub fn update(
    soil: &Scarring,
    current: Option<f64>,
    clearance: f64,
    rock: &Rock,
    pose: &Pose,
    velocity: &Vector3<f64>,
) -> Option<f64> {
    if clearance > 0.0 {
        return None;
    }
    let (x, y) = (pose.position.x, pose.position.y);
    current.or_else(|| Some(depth(rock.mass_kg, soil.me_kn_m2.at(x, y), -velocity.z)))
}

/// The rebound plane's depth, or what it would be if the rock touched the soil now.
pub fn expected_depth(soil: &Scarring, rock: &Rock, body: &Body) -> f64 {
    let (x, y) = (body.position.x, body.position.y);
    body.scar_depth.unwrap_or_else(|| depth(rock.mass_kg, soil.me_kn_m2.at(x, y), -body.velocity.z))
}

/// The soil's drag k|v| on a rock that is in it: k, kg/m.
pub fn drag(soil: &Scarring, gaps: &Gaps<'_>, rock: &Rock, pose: &Pose, velocity: &Vector3<f64>) -> f64 {
    let speed = velocity.norm();
    if speed == 0.0 {
        return 0.0;
    }
    let (x, y) = (pose.position.x, pose.position.y);
    let area = frontal_area(rock, pose, gaps, &(velocity / speed));
    0.5 * (C_F + soil.drag_coefficient.at(x, y)) * soil.density_kg_m3.at(x, y) * area
}

/// The linear midpoint drag of the soil on a rock that is half-way of a step at `middle`, kg/s; also keeps the state of the scar.
pub(super) fn linear_drag(fall: &mut Fall, middle: &Pose, dt: f64) -> f64 {
    let scene = fall.scene;
    let Some(soil) = &scene.ground.scarring else { return 0.0 };
    let clearance = fall.look(middle, |look, survey| look.submergence(survey));
    let (rock, velocity) = (fall.rock, fall.body.velocity);
    fall.body.scar_depth = update(soil, fall.body.scar_depth, clearance, rock, middle, &velocity);
    let in_soil = clearance <= 0.0;
    if !in_soil {
        return 0.0;
    }
    let (survey, areas) = (&fall.work.survey, &fall.work.setup.faces.areas);
    let gaps = Gaps { clearance, vertices: &survey.vertex_gaps, faces: &survey.wet_faces, areas };
    let k = drag(soil, &gaps, rock, middle, &velocity);
    let linear = if scene.brakes_fast_rocks() { equivalent_linear_with_excess } else { equivalent_linear };
    linear(k, velocity.norm(), rock.mass_kg, dt)
}

/// Area of the submerged part of the rock seen along a unit direction, m².
pub fn frontal_area(rock: &Rock, pose: &Pose, gaps: &Gaps<'_>, direction: &Vector3<f64>) -> f64 {
    if let Some(radius) = rock.sphere_radius {
        return sphere_area(radius, -gaps.clearance, direction);
    }
    let along = pose.rotation.tr_mul(direction);
    let (mut front, mut total) = (0.0, 0.0);
    for face in gaps.faces {
        let corners = rock.faces[*face as usize].map(|k| gaps.vertices[k as usize]);
        let area = submerged_share(corners) * gaps.areas[*face as usize].dot(&along);
        front += area.max(0.0);
        total += area;
    }
    // The vector areas of a closed body sum to zero: what is missing is the cut along the surface.
    front + (-total).max(0.0)
}

/// Share of a triangle that is below the ground, by the gaps of its corners, between which the gap is linear. Corners beyond the terrain (NaN)
/// count as above it.
fn submerged_share([a, b, c]: [f64; 3]) -> f64 {
    // Of the way from a corner below to one above, as far as it is below.
    let below = |from: f64, to: f64| {
        let share = from / (from - to);
        if share.is_finite() { share } else { 0.0 }
    };
    // A triangle cut off at a corner is the product of the shares of its two sides.
    let corner = |at: f64, p: f64, q: f64| below(at, p) * below(at, q);
    let rest = |at: f64, p: f64, q: f64| 1.0 - (1.0 - below(p, at)) * (1.0 - below(q, at));
    match [a <= 0.0, b <= 0.0, c <= 0.0] {
        [true, true, true] => 1.0,
        [true, false, false] => corner(a, b, c),
        [false, true, false] => corner(b, c, a),
        [false, false, true] => corner(c, a, b),
        [false, true, true] => rest(a, b, c),
        [true, false, true] => rest(b, c, a),
        [true, true, false] => rest(c, a, b),
        [false, false, false] => 0.0,
    }
}

/// A sphere's cap of height h, seen along the surface (a circular segment) and across it (a disc), mixed by direction.
fn sphere_area(radius: f64, depth: f64, direction: &Vector3<f64>) -> f64 {
    let h = depth.clamp(0.0, 2.0 * radius);
    let half_chord_squared = h * (2.0 * radius - h);
    let segment = radius * radius * math::acos(1.0 - h / radius) - (radius - h) * half_chord_squared.sqrt();
    let disc = std::f64::consts::PI * if h < radius { half_chord_squared } else { radius * radius };
    math::hypot(direction.x, direction.y) * segment + direction.z.abs() * disc
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rock::Shape;
    use crate::terrain::ParameterField;
    use nalgebra::UnitQuaternion;

    /// By counting points: the gap is linear between the corners. A corner without ground is infinitely far above it.
    #[test]
    fn the_share_of_a_triangle_below_the_ground_is_that_of_its_points() {
        const SIDE: u32 = 600;
        let gaps = [-0.7, -0.1, 0.0, 0.2, 0.9];
        for [a, b, c] in (0..125).map(|k| [gaps[k % 5], gaps[k / 5 % 5], gaps[k / 25]]) {
            let (mut below, mut points) = (0, 0);
            for i in 0..SIDE {
                for j in 0..SIDE - i {
                    let share = |k: u32| (f64::from(k) + 1.0 / 3.0) / f64::from(SIDE);
                    let gap = a + (b - a) * share(i) + (c - a) * share(j);
                    points += 1;
                    below += i32::from(gap <= 0.0);
                }
            }
            let counted = f64::from(below) / f64::from(points);
            let share = submerged_share([a, b, c]);
            assert!((share - counted).abs() < 0.005, "{a} {b} {c}: {share} against {counted}"); // measured 0.003
        }
        assert_eq!(submerged_share([-1.0, f64::NAN, 1.0]), 0.0);
    }

    /// 0.1 · 1000^⅓ · 5000^−0.4 · 8^0.8 = 0.175 m for what falls with 8 m/s, however fast it moves across; none for what rises. The drag
    /// is that of the flow around the rock and of the soil together, on a sphere that is half in it and moves along it.
    #[test]
    fn a_scar_is_as_deep_as_the_fall_and_both_drags_act_in_it() {
        let constant = ParameterField::Constant;
        let (me_kn_m2, drag_coefficient) = (constant(5000.0), constant(2.0));
        let soil = Scarring { me_kn_m2, drag_coefficient, density_kg_m3: constant(1800.0) };
        let rock = Shape::from_preset("sphere").expect("exists").with_mass(1000.0, 2700.0).expect("is a rock");
        let pose = Pose::new(&Vector3::zeros(), &UnitQuaternion::identity());
        let set = |current, clearance, velocity| update(&soil, current, clearance, &rock, &pose, &velocity);
        let found = set(None, -0.01, Vector3::new(15.0, 0.0, -8.0)).expect("touches");
        assert!((found - 0.175).abs() < 5e-4, "{found}");
        assert_eq!(set(None, -0.01, Vector3::new(15.0, 0.0, 8.0)), Some(0.0));
        assert_eq!(set(Some(0.3), -0.2, Vector3::new(0.0, 0.0, -8.0)), Some(0.3), "it stays while the rock is in it");
        assert_eq!(set(Some(0.3), 0.1, Vector3::new(0.0, 0.0, -8.0)), None);
        let radius = rock.sphere_radius.expect("a sphere");
        let gaps = Gaps { clearance: -radius, vertices: &[], faces: &[], areas: &[] };
        let along = Vector3::new(12.0, 0.0, 0.0);
        let expected = 0.5 * 3.0 * 1800.0 * 0.5 * std::f64::consts::PI * radius * radius;
        assert!((drag(&soil, &gaps, &rock, &pose, &along) / expected - 1.0).abs() < 1e-9);
    }

    /// dv/dt = −(k/m) (1 + ((v − 25)/3)²) v², in one step of 2 ms as in a thousand: the hardest braking there is, and none.
    #[test]
    fn fast_rocks_are_braked_alike_at_any_step() {
        let (k, mass, time) = (300.0, 1000.0, 0.002);
        let after = |steps: u32, mut v: f64| {
            let dt = time / f64::from(steps);
            for _ in 0..steps {
                let c = equivalent_linear_with_excess(k, v, mass, dt);
                v *= (mass - 0.5 * dt * c) / (mass + 0.5 * dt * c);
            }
            v
        };
        for speed in [20.0, 26.0, 35.0, 50.0, 80.0] {
            let (one, many) = (after(1, speed), after(1000, speed));
            assert!(
                (one / many - 1.0).abs() < 2e-3 && one < speed,
                "{speed} m/s: {one} in one step, {many} in a thousand"
            );
        }
    }

    /// To the bit up to 25 m/s, so that nothing that was fitted changes; beyond, without a jump or a bend.
    #[test]
    fn the_drag_is_lu_s_as_far_as_it_was_fitted() {
        assert!([0.0, 13.0, 21.2, 25.0].iter().all(|speed| excess(*speed) == 1.0));
        assert_eq!([28.0, 31.0, 43.0].map(excess), [2.0, 5.0, 37.0]);
        assert!(excess(25.001) - 1.0 < 1e-6 && excess(f64::NAN) == 1.0);
    }
}
