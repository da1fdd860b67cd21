//! Under the restitution laws steps end at impacts.

use super::journey::Journey;
use super::{Observer, Traced};
use crate::dynamics::Fall;
use crate::dynamics::rocfall::motion::Mover;

pub(super) fn follow(fall: &mut Fall, journey: &mut Journey<impl Observer, impl FnMut(&Traced<'_>)>) {
    let mut mover = Mover::of(fall);
    loop {
        let info = mover.step_body(fall.scene.time_step_s, &mut fall.body);
        if !journey.goes_on(fall, 1, &info) {
            break;
        }
    }
}
