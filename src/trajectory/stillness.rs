//! When a rock has come to rest.
//!
//! It lies still, or it stays where it is: rigid edges roll on curved ground without loss, and a rock that rocks in place would
//! do so until the longest simulated time. Rocking counts as rest if over [`WINDOW`] rest times the centre of mass moved no
//! further than the rest speed would carry it.

use nalgebra::Vector3;

use super::Sample;
use crate::dynamics::StopCriteria;

/// How long a rock must stay in its place, in rest times.
const WINDOW: f64 = 10.0;
/// A rock that rocks has less kinetic energy than that of this many rest speeds: a top that spins in its place goes on.
const FASTEST: f64 = 10.0;

#[derive(Debug, Clone, Default)]
pub(super) struct Stillness {
    slow_since: Option<f64>,
    /// Since when it has been near which place.
    here_since: Option<(f64, Vector3<f64>)>,
}

impl Stillness {
    /// Takes note of a rock of this mass; true if it has come to rest.
    pub(super) fn reached(&mut self, stop: &StopCriteria, mass_kg: f64, now: &Sample) -> bool {
        let energy_at = |speed: f64| 0.5 * mass_kg * speed * speed;
        if now.kinetic_energy_j > energy_at(stop.rest_speed_m_s) {
            self.slow_since = None;
        } else {
            self.slow_since.get_or_insert(now.time_s);
        }
        let way = WINDOW * stop.rest_time_s * stop.rest_speed_m_s;
        let near = |place: &Vector3<f64>| (now.position - place).norm() <= way;
        if now.kinetic_energy_j > energy_at(FASTEST * stop.rest_speed_m_s) {
            self.here_since = None;
        } else if !self.here_since.is_some_and(|(_, place)| near(&place)) {
            self.here_since = Some((now.time_s, now.position));
        }
        self.instant(stop).is_some_and(|instant| now.time_s >= instant - 1e-9)
    }

    /// When it will have come to rest if nothing changes, s.
    pub(super) fn instant(&self, stop: &StopCriteria) -> Option<f64> {
        let slow = self.slow_since.map(|since| since + stop.rest_time_s);
        // Without a rest time there is nothing to wait for.
        let here = self.here_since.filter(|_| stop.rest_time_s > 0.0);
        let here = here.map(|(since, _)| since + WINDOW * stop.rest_time_s);
        slow.into_iter().chain(here).reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;

    fn at(time_s: f64, x: f64, speed: f64) -> Sample {
        Sample {
            time_s,
            position: Vector3::new(x, 0.0, 0.0),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::new(speed, 0.0, 0.0),
            omega: Vector3::zeros(),
            kinetic_energy_j: 0.5 * 100.0 * speed * speed,
            jump_height_m: 0.0,
            airborne: false,
        }
    }

    /// When a rock with this motion comes to rest within a minute, s.
    fn end(stop: &StopCriteria, motion: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
        let mut stillness = Stillness::default();
        let seen = (0..6000).map(|k| 0.01 * f64::from(k)).find(|t| {
            let (x, speed) = motion(*t);
            stillness.reached(stop, 100.0, &at(*t, x, speed))
        });
        seen.map(|t| (100.0 * t).round() / 100.0)
    }

    #[test]
    fn rocks_that_lie_or_rock_in_place_have_come_to_rest() {
        let stop = StopCriteria::default();
        assert_eq!(end(&stop, |_| (0.0, 0.0)), Some(0.5));
        // Faster than the rest speed, 2 cm to either side.
        assert_eq!(end(&stop, |t| (0.02 * (6.0 * t).sin(), 0.1)), Some(5.0));
        // On its way, slow as it may be, and a top in its place.
        assert_eq!(end(&stop, |t| (0.06 * t, 0.06)), None);
        assert_eq!(end(&stop, |_| (0.0, 0.6)), None);
        // Without a rest time the first slow step ends it, and none else.
        let at_once = StopCriteria { rest_time_s: 0.0, ..stop };
        assert_eq!(end(&at_once, |t| (0.0, (1.0 - t).max(0.0))), Some(0.95));
    }
}
