//! Several time steps as one where it comes to the same; else as in `plain`.

use super::journey::Journey;
use super::{Observer, Traced};
use crate::dynamics::fast::{glide, leap, rest};
use crate::dynamics::{Fall, substeps};

pub(super) fn follow<const BALANCE: bool>(
    fall: &mut Fall,
    journey: &mut Journey<impl Observer, impl FnMut(&Traced<'_>)>,
) {
    loop {
        let most = journey.most_steps(fall.scene);
        let (steps, info) = leap::<BALANCE>(fall, most)
            .or_else(|| glide::<BALANCE>(fall, most))
            .or_else(|| rest::<BALANCE>(fall, most))
            .unwrap_or_else(|| (1, substeps::step::<BALANCE>(fall)));
        if !journey.goes_on(fall, steps, &info) {
            break;
        }
    }
}
