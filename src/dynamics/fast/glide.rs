//! The fast stage for sliding: a rock that slid in the last step takes several steps as one.
//!
//! The step is the ordinary one, contact problem and all, with a longer Δt, but for the direction of friction: that is against the mean of a
//! contact's velocities at both ends instead of that at the end, by which a path that turns would turn too little (by the share μgΔt/2v).
//! It is taken only where it resolves what a short one would: the rock turns by less than [`LARGEST_TURN`], moves by less than
//! [`LARGEST_SHARE`] of a cell, and its friction hardly changes ([`LARGEST_GROWTH`]). If it would not go on sliding on the same contacts to the end of the step, or one of
//! them opens, or another point would touch the ground, nothing has happened and the short step is taken instead.

use crate::dynamics::fall::Fall;
use crate::dynamics::hold::CLOSED_M;
use crate::dynamics::step::Trial;
use crate::dynamics::step_info::StepInfo;

/// Steps of the first glide of a slide, and of every one in which friction grows: longer ones would find too late where it passes a threshold, as where
/// a corner opens …
pub const FIRST_GLIDE: u64 = 6;
/// … and of the longest: each that comes to its end may be followed by one twice as long.
pub const LONGEST_GLIDE: u64 = 24;
/// Turn in a glide, rad.
pub const LARGEST_TURN: f64 = 0.02;
/// Way in a glide, as a share of a cell, where the ground is not even, and where it is.
pub const LARGEST_SHARE: [f64; 2] = [0.25, 1.0];
/// Of a number of steps.
const ROUNDING: f64 = 1e-9;
/// Change of a contact's velocity in a glide, as a share of it: it neither stops nor turns back.
pub const LARGEST_CHANGE: f64 = 0.5;
/// Growth of κs in a glide, as a share of 1 + κs: so little that the friction of the middle is that of the whole.
pub const LARGEST_GROWTH: f64 = 0.1;

/// Slides several steps, at most `most`; `None` if the rock does not slide steadily enough.
pub fn glide<const BALANCE: bool>(fall: &mut Fall, most: u64) -> Option<(u64, StepInfo)> {
    if !fall.work.slid || fall.work.impact_next.is_some() || fall.scene.ground.scarring.is_some() {
        fall.work.glide = FIRST_GLIDE;
        return None;
    }
    let longest = fall.work.glide;
    let steps = most.min(longest).min(steady_steps(fall));
    if steps < 2 {
        return None;
    }
    fall.work.glide = FIRST_GLIDE;
    fall.work.remember();
    let mut trial = Trial::free(fall, steps as f64 * fall.scene.time_step_s);
    let goes_on = trial.slides_on_the_same(fall)
        && !fall.work.lifts_what_it_pressed()
        && trial.slides_steadily(fall, LARGEST_CHANGE)
        && !trial.jams::<BALANCE>(fall);
    if !goes_on {
        fall.work.recall();
        return None;
    }
    fall.work.glide = LONGEST_GLIDE.min(2 * longest);
    Some((steps, trial.finish::<BALANCE>(fall)))
}

/// How many steps, of those a glide may have now, one as long as all of them resolves.
fn steady_steps(fall: &mut Fall) -> u64 {
    let (scene, body, dt) = (fall.scene, &fall.body, fall.scene.time_step_s);
    let (x, y, speed) = (body.position.x, body.position.y, body.velocity.norm());
    let ground = &scene.ground;
    let kappa = fall.scale.kappa * ground.kappa_per_m.at(x, y);
    let growth = match kappa == 0.0 || ground.mu_min.at(x, y) == ground.mu_max.at(x, y) {
        true => f64::INFINITY,
        false => (LARGEST_GROWTH * (1.0 / kappa + body.slippage) / speed).min(FIRST_GLIDE as f64 * dt),
    };
    let turn = LARGEST_TURN / body.omega.norm();
    let lattice = fall.surface().lattice();
    let [share, share_of_even] = LARGEST_SHARE.map(|share| share * lattice.dx.min(lattice.dy) / speed);
    let longest = growth.min(turn).min(share_of_even).min(fall.work.glide as f64 * dt);
    let steps = if longest > share && !fall.is_even(longest * speed) { share } else { longest } / dt;
    (steps + ROUNDING) as u64
}

impl Fall<'_> {
    /// Whether the ground that the rock gets to on so long a way is one plane, for all that contacts can tell.
    fn is_even(&mut self, way: f64) -> bool {
        let even = |fall: &Self| fall.work.ceiling.is_some_and(|around| around.complete && around.depth < CLOSED_M);
        let position = self.body.position;
        even(self) && (!self.cover(&position, way) || even(self))
    }
}
