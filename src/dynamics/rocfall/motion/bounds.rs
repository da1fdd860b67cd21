//! Which points of a rock cannot be at the ground, without looking at the ground below each: heights above a plane that lies nowhere
//! below the terrain around the rock ([`Ceiling`]). They change no result, only how many points are looked at.

use std::cell::{Cell, Ref, RefCell};

use super::{Form, Mover, State, TOUCH};
use crate::dynamics::contact::{along, in_lanes};
use crate::dynamics::lanes::{Lanes3, WIDTH};
use crate::rock::Rock;
use crate::terrain::Ceiling;

/// For rounding.
const SPARE: f64 = 1.01;

/// Memory of one rock.
#[derive(Default)]
pub(super) struct Bounds {
    vertices: Vec<Lanes3>,
    ceiling: Cell<Option<Ceiling>>,
    heights: RefCell<Vec<[f64; WIDTH]>>,
}

/// Heights above the plane at a state, m: no gap is smaller.
pub(super) struct Heights<'a> {
    /// The smallest.
    pub(super) lowest: f64,
    all: Ref<'a, Vec<[f64; WIDTH]>>,
    count: usize,
}

impl Heights<'_> {
    /// Of every vertex, in order.
    pub(super) fn all(&self) -> &[f64] {
        &self.all.as_flattened()[..self.count]
    }
}

impl Bounds {
    pub(super) fn new(rock: &Rock) -> Self {
        Self { vertices: in_lanes(rock), ..Self::default() }
    }

    /// `None` for a body without vertices and where there is no such plane: at the rim and beside nodata.
    pub(super) fn at(&self, mover: &Mover<'_>, state: &State) -> Option<Heights<'_>> {
        if !matches!(mover.form, Form::Vertices(_)) {
            return None;
        }
        let (x, y, reach) = (state.position.x, state.position.y, mover.rock.bounding_radius);
        if !self.ceiling.get().is_some_and(|ceiling| ceiling.covers(x, y, reach)) {
            let around = Ceiling::around(&mover.scene.surface, x, y, 1.2 * reach);
            self.ceiling.set((around.complete && around.covers(x, y, reach)).then_some(around));
        }
        let ceiling = self.ceiling.get()?;
        let up = state.orientation.inverse() * ceiling.up;
        let lowest = along(&self.vertices, &up, ceiling.above(&state.position), &mut self.heights.borrow_mut());
        Some(Heights { lowest, all: self.heights.borrow(), count: mover.rock.vertices.len() })
    }

    /// Whether no point of a rock in flight, the lowest of which is `gap` above the ground, can come near it within `dt`.
    pub(super) fn stays_clear(&self, mover: &Mover<'_>, gap: f64, dt: f64) -> bool {
        let (state, reach) = (&mover.state, mover.rock.bounding_radius);
        let speed = state.velocity.norm() + mover.scene.gravity_m_s2 * dt + state.omega.norm() * reach;
        let way = speed * dt;
        self.ceiling.get().is_some_and(|ceiling| {
            gap > SPARE * way * (1.0 + ceiling.steepest()) + TOUCH
                && ceiling.covers(state.position.x, state.position.y, reach + way)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{ContactModel, Scene, Start};
    use crate::rock::Shape;
    use crate::terrain::{Field, Ground, GroundScale, Lattice, Surface};
    use nalgebra::{UnitQuaternion, Vector3};

    /// The nearest point is the same as without bounds, and a rock that is said to stay clear does.
    #[test]
    fn bounds_change_no_answer() {
        let lattice = Lattice { nx: 30, ny: 30, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let height = |k: usize| 0.6 * (k % 30) as f64 + ((k * 7919) % 101) as f64 * 0.01;
        let surface = Surface::new(Field { lattice, values: (0..900).map(height).collect() }).unwrap();
        let mut scene = Scene::new(surface, Ground::uniform(0.5, 0.5, 0.0, 0.0));
        scene.contact = ContactModel::Rocfall3;
        let rock = Shape::from_preset("equant").unwrap().with_mass(800.0, 2700.0).unwrap();
        let (mut near_ground, mut clear) = (0, 0);
        for k in 0..400 {
            let turn = f64::from(k) * 0.37;
            let (x, y) = (1.0 + 0.07 * f64::from(k), 14.0 + 10.0 * turn.sin());
            let ground = scene.surface.height(x, y).unwrap_or_default();
            let start = Start {
                position: Vector3::new(x, y, ground + 0.2 + 0.02 * f64::from(k % 50)),
                orientation: UnitQuaternion::from_euler_angles(turn, 1.3 * turn, 0.4 * turn),
                velocity: Vector3::new(-8.0, 3.0 * turn.cos(), -6.0),
                omega: Vector3::new(5.0, -9.0, 2.0),
            };
            let mover = Mover::new(&scene, &rock, &start, GroundScale::default(), false);
            for except in [None, Some(3)] {
                let points = (0..rock.vertices.len()).filter(|k| Some(*k) != except);
                let all = points.filter_map(|k| mover.near(&mover.state, k)).map(|near| (near.gap, near.index));
                let plainly = all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                let found = mover.lowest(&mover.state, except).map(|near| (near.gap, near.index));
                assert_eq!(found, plainly, "{k}");
                near_ground += u32::from(found.is_some_and(|(gap, _)| gap < 0.1));
            }
            let Some(gap) = mover.clearance() else { continue };
            let dt = 0.002;
            if mover.bounds.stays_clear(&mover, gap, dt) {
                clear += 1;
                assert_eq!(
                    mover.time_of_touch(dt, None, &|t| State {
                        position: start.position + start.velocity * t,
                        ..mover.state
                    }),
                    dt
                );
            }
        }
        assert!(near_ground > 100 && clear > 100, "{near_ground} {clear}");
    }
}
