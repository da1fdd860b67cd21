//! Looking ahead: how near the rock's vertices can come to the ceiling in a while, for flights and glides.

use super::body::{Body, Pose};
use super::lanes::Lanes;
use super::scene::Scene;
use super::step::Workspace;
use crate::rock::Rock;

/// The rock's way against a ceiling that covers it.
pub(super) struct Ahead {
    /// |n| of the ceiling's n = (−∂z/∂x, −∂z/∂y, 1).
    pub steepness: f64,
    /// How fast the centre of mass leaves the ceiling, m/s.
    climb: f64,
}

impl Workspace {
    /// Sees to a ceiling that reaches `way` metres beyond the rock, and to the heights and rates of all vertices against it.
    /// `None` at the terrain's edge and next to nodata.
    pub(super) fn look_ahead(&mut self, scene: &Scene, rock: &Rock, body: &Body, way: f64) -> Option<Ahead> {
        let pose = Pose::new(&body.position, &body.orientation);
        if self.cover(scene, rock, &body.position, way) {
            self.measure(scene, rock, &pose);
        }
        let ceiling = self.ceiling.filter(|ceiling| ceiling.complete)?;
        let climb = ceiling.up.dot(&body.velocity);
        // d/dt n · A x = (n_K × ω) · x.
        let turn = pose.rotation.tr_mul(&ceiling.up).cross(&body.omega);
        self.setup.along(rock, &turn, climb, &mut self.rates);
        Some(Ahead { steepness: ceiling.up.norm(), climb })
    }

    /// Height of the lowest vertex after the time `t` if all went on as they go, m.
    pub(super) fn lowest_after(&self, rock: &Rock, ahead: &Ahead, t: f64) -> f64 {
        if rock.sphere_radius.is_some() {
            return self.survey.lowest + ahead.climb * t;
        }
        let (mut lowest, t) = (Lanes::all(f64::INFINITY), Lanes::all(t));
        for (heights, rates) in self.survey.heights.iter().zip(&self.rates) {
            lowest = lowest.min(Lanes(*heights) + Lanes(*rates) * t);
        }
        lowest.smallest()
    }
}
