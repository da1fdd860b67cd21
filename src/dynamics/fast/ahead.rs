//! Looking ahead: how long the rock's vertices stay clear of the ground, for flights and glides.
//!
//! With the ceiling plane above the terrain around the rock, the height h_k of vertex k above the plane obeys
//!
//!   h_k(t) ≥ h_k + ḣ_k t − ½ a t²,   a = g + |n| × the largest acceleration of a vertex in free flight,
//!
//! n = (−∂z/∂x, −∂z/∂y, 1). What holds for all vertices holds for the hull.
//!
//! A rock that spins near the ground is bound by a more than by its weight: its lowest vertices are turned upwards. So where that bound is too
//! short, and nothing but gravity acts, the acceleration ḧ_k of each vertex is taken as it is, and bounded is how it changes:
//!
//!   h_k(t) ≥ h_k + ḣ_k t + ½ min(ḧ_k, 0) t² − ⅙ j t³,   ḧ_k = −g + n · A (ω̇ × x + ω × (ω × x)),
//!   j = |n| R (|ω̈| + 3 |ω̇||ω| + |ω|³) ≤ (⅔ + √3 + 1) |n| R ω³,
//!
//! since |ω̇| ≤ ω²/√3 and |ω̈| ≤ ⅔ ω³ by Euler's equations for principal moments that obey C ≤ A + B, ω being the largest there can be.
//!
//! Where the ground is rough the plane lies well above it. Then there are two more bounds:
//!
//! - The true clearance shrinks no faster than the hull's fastest point sinks towards the plane, plus its horizontal speed times
//!   the most by which slopes differ from the plane's.
//! - A vertex that the plane does not clear is held against the bilinear patch below it, as long as it stays over that patch.
//!   The ground between vertices may be nearer by [`ContactSetup::protrusion`](crate::dynamics::contact::ContactSetup::protrusion).

use nalgebra::Vector3;

use crate::dynamics::body::Pose;
use crate::dynamics::fall::Fall;
use crate::dynamics::lanes::Lanes;
use crate::terrain::{Ceiling, SlopeSpread, Surface};

/// A ceiling that leaves less than this share of the true clearance is worth a closer look.
const LOOSE: f64 = 0.8;

/// |d³/dt³ A x| ≤ this · |x| ω³ in free rotation.
pub(super) const LARGEST_JERK: f64 = 2.0 / 3.0 + 1.732_050_807_568_877_2 + 1.0;

/// The beginning of a rock's way against a ceiling that covers it, and how far the way can bend.
pub(super) struct Way {
    velocity: Vector3<f64>,
    omega: Vector3<f64>,
    pose: Pose,
    /// |n| of the ceiling.
    steepness: f64,
    /// How fast the centre of mass leaves the ceiling, m/s.
    climb: f64,
    gravity: f64,
    /// Largest acceleration of any vertex besides gravity, m/s².
    pub acceleration: f64,
    /// Of free rotation with nothing but gravity; `None` if there is more.
    pub free: Option<FreeWay>,
}

/// What a free rotation can do at most.
pub(super) struct FreeWay {
    /// ω̇ now, in K, 1/s².
    pub change: Vector3<f64>,
    /// How fast the acceleration of a vertex can change, m/s³.
    pub jerk: f64,
    /// By how much a vertex may be off the exact motion at the end of the way, in whole steps or in one, m.
    pub margin: f64,
}

impl Fall<'_> {
    /// Sees to a ceiling that reaches `way` metres beyond the rock, and to the heights and rates of all vertices against it.
    /// `None` at the terrain's edge and next to nodata.
    pub(super) fn look_ahead(&mut self, way: f64) -> Option<Way> {
        let (position, velocity, omega) = (self.body.position, self.body.velocity, self.body.omega);
        let pose = Pose::new(&position, &self.body.orientation);
        if self.cover(&position, way) {
            self.look(&pose, |look, survey| look.measure(survey));
        }
        let work = &mut self.work;
        let ceiling = work.ceiling.filter(|ceiling| ceiling.complete)?;
        let climb = ceiling.up.dot(&velocity);
        // d/dt n · A x = (n_K × ω) · x.
        let turn = pose.rotation.tr_mul(&ceiling.up).cross(&omega);
        work.setup.along(self.rock, &turn, climb, &mut work.rates);
        let (steepness, gravity) = (ceiling.up.norm(), self.scene.gravity_m_s2);
        Some(Way { velocity, omega, pose, steepness, climb, gravity, acceleration: 0.0, free: None })
    }

    /// How long no vertex can come below `level` over the ceiling, s, as far as that is before `enough`; 0 if one is there now.
    fn time_above(&self, way: &Way, level: f64, enough: f64) -> f64 {
        let work = &self.work;
        if work.survey.lowest <= level {
            return 0.0;
        }
        let bend = way.bend(way.steepness);
        let (at, bent) = (Lanes::all(enough), Lanes::all(bend * enough * enough));
        let mut soonest = Lanes::all(f64::INFINITY);
        let mut hold_against = |height: Lanes, rate: Lanes| {
            let height = height - Lanes::all(level);
            // The bound is concave: positive at both ends, it is positive between them. Roots cost more than all the rest.
            if (height + rate * at - bent).smallest() <= 0.0 {
                // As in `first_root`, for all at once.
                let discriminant = rate * rate + height * Lanes::all(4.0 * bend);
                soonest = soonest.min(rate + discriminant.sqrt());
            }
        };
        if self.rock.sphere_radius.is_some() {
            hold_against(Lanes::all(work.survey.lowest), Lanes::all(way.climb));
        }
        for (heights, rates) in work.survey.heights.iter().zip(&work.rates) {
            hold_against(Lanes(*heights), Lanes(*rates));
        }
        soonest.smallest() / (2.0 * bend)
    }

    /// [`Fall::time_above`] by the acceleration that each vertex has, as far as that is before `enough`.
    fn time_in_motion(&mut self, way: &Way, margin: f64, enough: f64) -> f64 {
        let Some(free) = &way.free else { return 0.0 };
        let level = margin + way.steepness * free.margin;
        let Fall { rock, work, .. } = self;
        let (Some(ceiling), true) = (&work.ceiling, work.survey.lowest > level) else { return 0.0 };
        let (up, omega) = (way.pose.rotation.tr_mul(&ceiling.up), way.omega);
        // n · (ω̇ × x + ω × (ω × x)) = (n × ω̇ + (n · ω) ω − ω² n) · x.
        let turning = up.cross(&free.change) + omega * up.dot(&omega) - up * omega.norm_squared();
        work.setup.along(rock, &turning, -way.gravity, &mut work.bends);
        let vertices = || work.survey.heights.iter().zip(&work.rates).zip(&work.bends);
        let jerk = way.steepness * free.jerk;
        // The bounds are concave: from a time at which they are broken the tangent leads to one that is too late still, the chord from now to one that is not.
        let mut time = enough;
        for last in [false, true] {
            let (square, cube) = (Lanes::all(0.5 * time * time), Lanes::all(jerk * time * time * time / 6.0));
            let (at, level, fall) = (Lanes::all(time), Lanes::all(level), Lanes::all(0.5 * jerk * time * time));
            let (mut soonest, none) = (Lanes::all(time), Lanes::default());
            for ((heights, rates), bends) in vertices() {
                let (now, rate, bend) = (Lanes(*heights) - level, Lanes(*rates), Lanes(*bends).min(none));
                let then = now + rate * at + bend * square - cube;
                if then.smallest() >= 0.0 {
                    continue;
                }
                let root = match last {
                    true => at * (now / (now - then.min(none))),
                    false => at - then.min(none) / (rate + bend * at - fall).min(Lanes::all(-1e-300)),
                };
                soonest = soonest.min(root);
            }
            time = soonest.smallest().max(0.0);
        }
        time
    }

    /// How long no vertex can come nearer to the ground than `margin`, s, as far as that is before `enough`. Vertices for
    /// which the ceiling does not tell are held against the patch of terrain below them, as long as they stay over it.
    pub(super) fn time_clear(&mut self, way: &Way, margin: f64, enough: f64) -> f64 {
        let by_ceiling = self.time_above(way, margin, enough);
        if by_ceiling >= enough || self.rock.sphere_radius.is_some() {
            return by_ceiling;
        }
        let by_ceiling = by_ceiling.max(self.time_in_motion(way, margin, enough));
        if by_ceiling >= enough {
            return by_ceiling;
        }
        if self.work.survey.lowest >= LOOSE * self.clearance_at_most() {
            return by_ceiling;
        }
        self.measure_clearance();
        let Fall { scene, rock, work, .. } = &*self;
        if work.survey.lowest >= LOOSE * work.clearance {
            return by_ceiling;
        }
        let Some(ceiling) = &work.ceiling else { return by_ceiling };
        let by_slopes = self.time_by_slopes(way, ceiling, margin + work.setup.overlooked);
        let margin = margin + work.setup.protrusion(ceiling);
        if by_slopes >= enough || work.clearance <= margin {
            return by_ceiling.max(by_slopes);
        }
        let (mut soonest, bend) = (enough, way.bend(way.steepness));
        let heights = work.survey.heights.as_flattened().iter().zip(work.rates.as_flattened());
        for (vertex, (height, rate)) in rock.vertices.iter().zip(heights) {
            let above = height - margin;
            // The bound is concave: positive at both ends, it is positive between them.
            if above <= 0.0 || above + rate * enough - bend * enough * enough <= 0.0 {
                let under_ceiling = if above > 0.0 { first_root(above, *rate, bend) } else { 0.0 };
                soonest = soonest.min(under_ceiling.max(way.time_over_patch(self.surface(), vertex, margin, enough)));
                if soonest < scene.time_step_s {
                    return by_ceiling.max(by_slopes);
                }
            }
        }
        soonest.max(by_ceiling).max(by_slopes)
    }

    /// How long the hull cannot come nearer to the ground than `margin`, by how fast that ground can rise below it, s.
    fn time_by_slopes(&self, way: &Way, ceiling: &Ceiling, margin: f64) -> f64 {
        let height = self.work.clearance - margin;
        if !(height > 0.0 && height.is_finite()) {
            return 0.0;
        }
        let sinking = self.work.rates.as_flattened().iter().fold(f64::INFINITY, |least, rate| least.min(*rate));
        let (velocity, turning) = (&way.velocity, way.omega.norm() * self.rock.bounding_radius);
        let SlopeSpread { x, y } = ceiling.spread;
        let rising = x * (velocity.x.abs() + turning) + y * (velocity.y.abs() + turning);
        first_root(height, sinking - rising, way.bend(way.steepness + x + y))
    }
}

/// The first root of h + ḣ t − bend t² = 0.
fn first_root(height: f64, rate: f64, bend: f64) -> f64 {
    (rate + (rate * rate + 4.0 * bend * height).sqrt()) / (2.0 * bend)
}

impl Way {
    /// Half the largest acceleration towards a plane with the normal n, m/s², |n| being its steepness.
    pub(super) fn bend(&self, steepness: f64) -> f64 {
        0.5 * (self.gravity + steepness * self.acceleration)
    }

    /// How long a vertex stays over the bilinear patch below it and above `margin`, s, as far as that is before `enough`.
    ///
    /// Over a patch, z = h + s·Δ + c ΔxΔy is exact, so the gap obeys g(t) ≥ g + ġ t − bend t² − |c| |Δx| |Δy|.
    fn time_over_patch(&self, surface: &Surface, vertex: &Vector3<f64>, margin: f64, enough: f64) -> f64 {
        let arm = self.pose.rotation * vertex;
        let point = self.pose.position + arm;
        let Some((spot, patch)) = surface.patch(point.x, point.y) else { return 0.0 };
        let height = point.z - spot.height - margin;
        if height <= 0.0 {
            return 0.0;
        }
        let velocity = self.velocity + self.pose.rotation * self.omega.cross(vertex);
        let drift = 0.5 * self.acceleration * enough;
        let (speed_x, speed_y) = (velocity.x.abs() + drift, velocity.y.abs() + drift);
        let rate = velocity.z - spot.slope_x * velocity.x - spot.slope_y * velocity.y;
        let steepness = (1.0 + spot.slope_x * spot.slope_x + spot.slope_y * spot.slope_y).sqrt();
        let bend = self.bend(steepness) + patch.twist.abs() * speed_x * speed_y;
        enough.min(patch.to_edge_x / speed_x).min(patch.to_edge_y / speed_y).min(first_root(height, rate, bend))
    }
}
