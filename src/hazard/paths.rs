//! Ways of single vertices in a flight. The clearance of a rock is below the height of each of its vertices above the ground, and what a vertex does
//! is known at a fraction of what the whole rock takes.

use nalgebra::Vector3;

use super::airborne::Airborne;
use crate::dynamics::body::Pose;
use crate::rock::Rock;
use crate::terrain::Surface;
use crate::trajectory::Sample;

/// Instants of a stretch at which the paths are looked at first.
const LOOKS: u32 = 12;
/// Golden sections between two of them: to a thousandth of a look.
const SECTIONS: u32 = 12;

/// Paths of some vertices.
#[derive(Default)]
pub(super) struct Paths {
    of: Vec<usize>,
    paths: Vec<Path>,
    duration: f64,
}

/// The cubic in the share of the flight through place and velocity at both ends, m.
struct Path([Vector3<f64>; 4]);

/// How far a path may be off, m: h⁴/384 times the fourth derivative.
pub(super) fn error(flight: &Airborne, rock: &Rock) -> f64 {
    let turn_squared =
        flight.before.omega.norm_squared().max(flight.after.omega.norm_squared()) * flight.duration.powi(2);
    rock.bounding_radius * turn_squared * turn_squared / 384.0
}

impl Paths {
    pub(super) fn clear(&mut self) {
        self.of.clear();
        self.paths.clear();
    }

    /// `None` if it is there already.
    pub(super) fn add(&mut self, flight: &Airborne, rock: &Rock, vertex: usize) -> Option<()> {
        if self.of.contains(&vertex) {
            return None;
        }
        let arm = rock.vertices.get(vertex)?;
        let end = |sample: &Sample, velocity: &Vector3<f64>| {
            let pose = Pose::new(&sample.position, &sample.orientation);
            (pose.place(arm), (velocity + pose.rotation * sample.omega.cross(arm)) * flight.duration)
        };
        let (start, leaving) = end(flight.before, &flight.velocity);
        let (stop, arriving) = end(flight.after, &flight.after.velocity);
        let way = stop - start;
        self.duration = flight.duration;
        self.of.push(vertex);
        self.paths.push(Path([start, leaving, way * 3.0 - leaving * 2.0 - arriving, leaving + arriving - way * 2.0]));
        Some(())
    }

    /// When the lowest of these vertices is highest above the ground, s, and how high, m; `None` without any.
    pub(super) fn highest(&self, surface: &Surface, [from, to]: [f64; 2]) -> Option<(f64, f64)> {
        if self.paths.is_empty() {
            return None;
        }
        let apart = (to - from) / f64::from(LOOKS);
        let looks = (0..LOOKS + 1).map(|k| from + f64::from(k) * apart).map(|t| (t, self.lowest(surface, t)));
        let best = looks.fold((from, f64::NEG_INFINITY), |best, look| if look.1 > best.1 { look } else { best });
        let (mut low, mut high) = ((best.0 - apart).max(from), (best.0 + apart).min(to));
        const GOLDEN: f64 = 0.618_033_988_749_895;
        let mut a = (high - GOLDEN * (high - low), 0.0);
        let mut b = (low + GOLDEN * (high - low), 0.0);
        (a.1, b.1) = (self.lowest(surface, a.0), self.lowest(surface, b.0));
        for _ in 0..SECTIONS {
            if a.1 > b.1 {
                (high, b) = (b.0, a);
                a.0 = high - GOLDEN * (high - low);
                a.1 = self.lowest(surface, a.0);
            } else {
                (low, a) = (a.0, b);
                b.0 = low + GOLDEN * (high - low);
                b.1 = self.lowest(surface, b.0);
            }
        }
        Some([a, b].into_iter().fold(best, |best, look| if look.1 > best.1 { look } else { best }))
    }

    /// How high the lowest of them is at an instant, m.
    fn lowest(&self, surface: &Surface, t: f64) -> f64 {
        let share = t / self.duration;
        let gap = |Path([start, first, second, third]): &Path| {
            let point = start + (first + (second + third * share) * share) * share;
            surface.ground_gap(&point).unwrap_or(f64::INFINITY)
        };
        self.paths.iter().map(gap).fold(f64::INFINITY, f64::min)
    }
}
