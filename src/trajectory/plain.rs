//! Every time step on its own.

use super::journey::Journey;
use super::{Observer, Traced};
use crate::dynamics::{Fall, substeps};

pub(super) fn follow<const BALANCE: bool>(
    fall: &mut Fall,
    journey: &mut Journey<impl Observer, impl FnMut(&Traced<'_>)>,
) {
    loop {
        let info = substeps::step::<BALANCE>(fall);
        if !journey.goes_on(fall, 1, &info) {
            break;
        }
    }
}
