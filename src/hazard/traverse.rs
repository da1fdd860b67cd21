//! Which cells a rock passes, and the largest values it has there.
//!
//! **The rule.** A flight is a curve ([`Airborne`]): every cell it crosses gets the largest values the curve has in it, the
//! edges included. A step in contact counts in the cells of its two ends; a cell that the straight line between them crosses
//! without holding either gets the larger of their values, so that a fast rock skips no cell. A cell is half-open: it holds
//! its western and southern edge, not the eastern and northern. A line exactly through a corner goes from one cell to the
//! diagonal one and touches no third.

use nalgebra::Vector3;

use super::airborne::{Airborne, Gauge};
use super::quantity::PerQuantity;
use super::quantity::Quantity::{JumpHeight, KineticEnergy, Rotation, Velocity};
use crate::dynamics::Scene;
use crate::math;
use crate::rock::Rock;
use crate::terrain::{Cells, Lattice};
use crate::trajectory::Sample;

/// The largest values of one trajectory in one cell, [`Quantity`] by [`Quantity`] in its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// row · nx + column.
    pub cell: u64,
    /// Largest in the cell.
    pub values: PerQuantity<f32>,
    /// Slope of the straight line from the rock's start to the ground at the cell's centre, degrees; infinite where the
    /// ground is unknown.
    pub energy_line_deg: f32,
}

/// Kinetic energy J, speed² m²/s², jump height m, spin² rad²/s²: roots are drawn once per cell, not once per step.
type Raw = PerQuantity<f64>;

#[inline(always)]
fn raw(sample: &Sample) -> Raw {
    let squares = (sample.velocity.norm_squared(), sample.omega.norm_squared());
    PerQuantity::new([sample.kinetic_energy_j, squares.0, sample.jump_height_m, squares.1])
}

/// A comparison that lets NaN lose: one machine instruction a value.
#[inline(always)]
fn larger(a: &Raw, b: &Raw) -> Raw {
    PerQuantity::from_fn(|q| if b[q] > a[q] { b[q] } else { a[q] })
}

/// The values of one sample, or of the largest of many, in the units of [`Quantity`].
fn in_units(raw: &Raw) -> PerQuantity<f32> {
    PerQuantity::from_fn(|quantity| match quantity {
        KineticEnergy => (raw[quantity] / 1000.0) as f32,
        Velocity => raw[quantity].max(0.0).sqrt() as f32,
        JumpHeight => raw[quantity].max(0.0) as f32,
        Rotation => (raw[quantity].max(0.0).sqrt() / std::f64::consts::TAU) as f32,
    })
}

/// Follows one trajectory over the cells. Coordinates are local, as in [`Sample`].
pub struct CellRecorder<'a> {
    lattice: Lattice,
    cells: Cells,
    gauge: Gauge<'a>,
    origin: Vector3<f64>,
    at: (i64, i64),
    /// West, south, east and north of where the present cell is certain, local: inside it there is nothing to compute.
    inside: [f64; 4],
    here: Raw,
    visits: Vec<(u64, Raw)>,
    all: Raw,
}

const NOTHING: Raw = PerQuantity::new([f64::NEG_INFINITY; 4]);
/// So near to an edge, in cells, rounding may decide which cell it is: the full computation does.
const EDGE: f64 = 1e-6;

impl<'a> CellRecorder<'a> {
    /// On the cells of the scene's terrain.
    pub fn new(scene: &'a Scene, rock: &'a Rock) -> Self {
        Self {
            lattice: *scene.surface.lattice(),
            cells: *scene.surface.cells(),
            gauge: Gauge::new(scene, rock),
            origin: Vector3::zeros(),
            at: (i64::MIN, i64::MIN),
            inside: [f64::INFINITY; 4],
            here: NOTHING,
            visits: Vec::new(),
            all: NOTHING,
        }
    }

    fn enter(&mut self, cell: (i64, i64), values: Raw) {
        let Lattice { dx, dy, .. } = self.lattice;
        let edge = |i: i64, shift: f64, d: f64| (i as f64 + shift) * d;
        let (low, high) = (EDGE - 0.5, 0.5 - EDGE);
        self.inside = [edge(cell.0, low, dx), edge(cell.1, low, dy), edge(cell.0, high, dx), edge(cell.1, high, dy)];
        (self.at, self.here) = (cell, values);
    }

    /// Column and row of a local point, possibly outside the lattice.
    fn locate(&self, sample: &Sample) -> (i64, i64) {
        let axis = |x: f64, d: f64| (x / d + 0.5).floor() as i64;
        (axis(sample.position.x, self.lattice.dx), axis(sample.position.y, self.lattice.dy))
    }

    /// The first sample.
    pub fn start(&mut self, sample: &Sample) {
        self.origin = sample.position;
        self.enter(self.locate(sample), raw(sample));
        self.all = self.here;
    }

    /// See [`Observer::enough_m`](crate::trajectory::Observer::enough_m): what does not exceed the largest jump height of a cell does not matter in it.
    #[inline]
    pub fn enough_m(&self, position: &Vector3<f64>) -> f64 {
        let [west, south, east, north] = self.inside;
        let (x, y) = (position.x, position.y);
        let is_inside = x > west && x < east && y > south && y < north;
        if is_inside && self.gauge.is_left_out() { self.here[JumpHeight].max(0.0) } else { 0.0 }
    }

    /// A sample with its jump height.
    pub fn whole(&mut self, sample: &Sample) -> Sample {
        Sample { jump_height_m: self.gauge.jump_height(sample), ..*sample }
    }

    /// From one sample to the next.
    #[inline]
    pub fn step(&mut self, before: &Sample, after: &Sample) {
        let [west, south, east, north] = self.inside;
        let (x, y) = (after.position.x, after.position.y);
        let flight = Airborne::between(before, after);
        if x > west && x < east && y > south && y < north {
            self.here = larger(&self.here, &raw(after));
            if let Some(flight) = flight {
                self.fly(&flight, [0.0, flight.duration()], [before.jump_height_m, after.jump_height_m]);
            }
        } else {
            self.near_an_edge(before, after, flight);
        }
    }

    /// What a flight has between two instants within the present cell, beyond what it has at both; `ends` are the jump
    /// heights there.
    #[inline]
    fn fly(&mut self, flight: &Airborne, span: [f64; 2], ends: [f64; 2]) {
        self.here[JumpHeight] = self.gauge.largest(flight, span, ends, self.here[JumpHeight]);
        let inertia = &self.gauge.rock().inertia;
        if let Some(t) = flight.fastest_turn(inertia).filter(|t| (span[0]..span[1]).contains(t)) {
            self.here[Rotation] = self.here[Rotation].max(flight.spin_squared(inertia, t));
        }
    }

    /// What a flight has where it crosses the edge of a cell.
    fn crossing(&mut self, flight: &Airborne, t: f64) -> Raw {
        let rock = self.gauge.rock();
        PerQuantity::new([
            flight.energy(rock.mass_kg, t),
            flight.velocity(t).norm_squared(),
            self.gauge.clearance(flight, t),
            flight.spin_squared(&rock.inertia, t),
        ])
    }

    /// The rock is in another cell, or so near to the edge of its own that it has to be looked at.
    #[cold]
    fn near_an_edge(&mut self, before: &Sample, after: &Sample, flight: Option<Airborne>) {
        let values = raw(after);
        let cell = self.locate(after);
        if cell == self.at {
            self.here = larger(&self.here, &values);
            if let Some(flight) = flight {
                self.fly(&flight, [0.0, flight.duration()], [before.jump_height_m, after.jump_height_m]);
            }
            return;
        }
        let scale = |s: &Sample| (s.position.x / self.lattice.dx + 0.5, s.position.y / self.lattice.dy + 0.5);
        let (start, end, from) = (scale(before), scale(after), self.at);
        let Some(flight) = flight else {
            // On the ground the squares of the speeds change steadily with the way, unless there is an impact on it: cells that are passed between two
            // samples get the larger of both.
            let first = raw(&self.whole(before));
            let at = |share: f64| {
                let share = share.clamp(0.0, 1.0);
                Raw::from_fn(|q| first[q] + share * (values[q] - first[q]))
            };
            let (across, along) = next_edges(start, end, from, cell);
            self.here = larger(&self.here, &at(across.min(along)));
            self.leave();
            let (mut last, between) = (from, larger(&first, &values));
            cells_between(start, end, from, cell, |next, _| {
                self.push(next, between);
                last = next;
            });
            let (across, along) = next_edges(start, end, last, cell);
            self.enter(cell, larger(&at(across.min(along)), &values));
            return;
        };
        // When the present cell was entered, and the jump height then.
        let mut entered = (0.0, before.jump_height_m);
        let mut cross = |recorder: &mut Self, next: (i64, i64), share: f64| {
            let t = flight.instant(share.clamp(0.0, 1.0)).max(entered.0);
            let edge = recorder.crossing(&flight, t);
            recorder.here = larger(&recorder.here, &edge);
            recorder.fly(&flight, [entered.0, t], [entered.1, edge[JumpHeight]]);
            recorder.leave();
            recorder.enter(next, edge);
            entered = (t, edge[JumpHeight]);
        };
        cells_between(start, end, from, cell, |next, share| cross(self, next, share));
        let (across, along) = next_edges(start, end, self.at, cell);
        cross(self, cell, across.min(along));
        self.here = larger(&self.here, &values);
        self.fly(&flight, [entered.0, flight.duration()], [entered.1, after.jump_height_m]);
    }

    fn leave(&mut self) {
        let (at, here) = (self.at, self.here);
        self.push(at, here);
    }

    fn push(&mut self, (column, row): (i64, i64), values: Raw) {
        self.all = larger(&self.all, &values);
        if let Some(cell) = self.cells.number(column, row) {
            self.visits.push((cell, values));
        }
    }

    /// The largest values anywhere, and one visit per cell in order of cells. `ground` is the height at a cell's centre.
    pub fn finish(mut self, ground: impl Fn(u64) -> f64) -> (PerQuantity<f32>, Vec<Visit>) {
        self.leave();
        self.visits.sort_unstable_by_key(|(cell, _)| *cell);
        let mut visits: Vec<(u64, Raw)> = Vec::with_capacity(self.visits.len());
        for (cell, values) in self.visits {
            match visits.last_mut() {
                Some(last) if last.0 == cell => last.1 = larger(&last.1, &values),
                _ => visits.push((cell, values)),
            }
        }
        let (lattice, origin, cells) = (self.lattice, self.origin, self.cells);
        let visit = |(cell, values): (u64, Raw)| {
            let energy_line_deg = energy_line_deg(&lattice, &origin, cells.node(cell), ground(cell));
            Visit { cell, values: in_units(&values), energy_line_deg }
        };
        (in_units(&self.all), visits.into_iter().map(visit).collect())
    }
}

/// The fahrböschung of a cell: from the start of the rock (its centre of mass) to the ground at the cell's centre.
fn energy_line_deg(lattice: &Lattice, origin: &Vector3<f64>, (column, row): (i64, i64), ground: f64) -> f32 {
    let (x, y) = (column as f64 * lattice.dx, row as f64 * lattice.dy);
    let angle = math::atan2(origin.z - ground, math::hypot(x - origin.x, y - origin.y)).to_degrees();
    if angle.is_finite() { angle as f32 } else { f32::INFINITY }
}

/// Calls `visit` for every cell strictly between the two end cells of a straight line, in order (Amanatides & Woo 1987),
/// with the share of the line at which it is entered. Coordinates are in cells: cell (i, j) is [i, i + 1) × [j, j + 1).
pub fn cells_between(
    from: (f64, f64),
    to: (f64, f64),
    first: (i64, i64),
    last: (i64, i64),
    mut visit: impl FnMut((i64, i64), f64),
) {
    let (mut column, mut row) = first;
    // Counting the edges left, rather than comparing positions, ends the walk whatever the rounding.
    while (column, row) != last {
        let (across, along) = next_edges(from, to, (column, row), last);
        if across <= along {
            column += (last.0 - column).signum();
        }
        if along <= across {
            row += (last.1 - row).signum();
        }
        if (column, row) != last {
            visit((column, row), across.min(along));
        }
    }
}

/// Shares of a line, 0 to 1, at which the next edge of a column and of a row is met; infinite if there is none.
fn next_edges(from: (f64, f64), to: (f64, f64), cell: (i64, i64), last: (i64, i64)) -> (f64, f64) {
    let next = |from: f64, to: f64, cell: i64, last: i64| {
        let edge = if to > from { cell + 1 } else { cell };
        if cell == last { f64::INFINITY } else { (edge as f64 - from) / (to - from) }
    };
    (next(from.0, to.0, cell.0, last.0), next(from.1, to.1, cell.1, last.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rock::Shape;
    use crate::terrain::{Field, Ground, Surface};
    use nalgebra::{UnitQuaternion, Vector3};
    use proptest::prelude::*;

    fn sample(x: f64, y: f64, energy_j: f64) -> Sample {
        Sample {
            time_s: 0.0,
            position: Vector3::new(x, y, 0.0),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::new(energy_j.sqrt(), 0.0, 0.0),
            omega: Vector3::zeros(),
            kinetic_energy_j: energy_j,
            jump_height_m: 0.0,
            airborne: false,
        }
    }

    fn lattice() -> Lattice {
        Lattice { nx: 20, ny: 20, x0: 0.0, y0: 0.0, dx: 2.0, dy: 2.0 }
    }

    fn visits(path: &[(f64, f64, f64)]) -> Vec<Visit> {
        let flat = Surface::new(Field { lattice: lattice(), values: vec![0.0; 400] }).unwrap();
        let scene = Scene::new(flat, Ground::uniform(0.5, 0.5, 0.0, 0.0));
        let rock = Shape::from_preset("cube").unwrap().with_mass(100.0, 2700.0).unwrap();
        let mut recorder = CellRecorder::new(&scene, &rock);
        let samples: Vec<_> = path.iter().map(|&(x, y, e)| sample(x, y, e)).collect();
        recorder.start(&samples[0]);
        samples.windows(2).for_each(|w| recorder.step(&w[0], &w[1]));
        recorder.finish(|_| 0.0).1
    }

    proptest! {
        /// Sampling the line a thousand times finds no cell the traversal has missed, and each step goes to a neighbour.
        #[test]
        fn the_traversal_misses_no_cell(x0 in -9.0f64..9.0, y0 in -9.0f64..9.0, x1 in -9.0f64..9.0, y1 in -9.0f64..9.0) {
            let cell = |x: f64, y: f64| (x.floor() as i64, y.floor() as i64);
            let (first, last) = (cell(x0, y0), cell(x1, y1));
            let mut path = vec![first];
            cells_between((x0, y0), (x1, y1), first, last, |c, _| path.push(c));
            path.push(last);
            for pair in path.windows(2) {
                prop_assert!((pair[0].0 - pair[1].0).abs().max((pair[0].1 - pair[1].1).abs()) <= 1);
            }
            for i in 0..=1000 {
                let t = i as f64 / 1000.0;
                prop_assert!(path.contains(&cell(x0 + t * (x1 - x0), y0 + t * (y1 - y0))));
            }
        }
    }

    #[test]
    fn a_line_through_a_corner_touches_two_cells_only() {
        let mut between = Vec::new();
        cells_between((0.5, 0.5), (2.5, 2.5), (0, 0), (2, 2), |c, _| between.push(c));
        assert_eq!(between, [(1, 1)]);
    }

    #[test]
    fn the_maximum_per_cell_counts_once_even_when_the_rock_comes_back() {
        let found = visits(&[(0.0, 0.0, 1e3), (0.5, 0.0, 9e3), (2.0, 0.0, 4e3), (0.2, 0.0, 2e3)]);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].cell, found[0].values[KineticEnergy]), (0, 9.0));
        // It came in with 9 − ⅓ · 5 kJ.
        assert_eq!((found[1].cell, found[1].values[KineticEnergy]), (1, 22.0 / 3.0));
    }

    /// And the first and the last what they have on their borders.
    #[test]
    fn a_cell_without_a_sample_gets_the_larger_of_both_ends() {
        let found = visits(&[(0.0, 0.0, 1e3), (8.0, 0.0, 5e3)]);
        assert_eq!(found.iter().map(|v| v.cell).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(found.iter().map(|v| v.values[KineticEnergy]).collect::<Vec<_>>(), [1.5, 5.0, 5.0, 5.0, 5.0]);
    }

    /// Cells are half-open around their centre: the eastern edge belongs to the next cell.
    #[test]
    fn edges_belong_to_the_eastern_and_northern_cell() {
        assert_eq!(visits(&[(0.999, 0.0, 1.0)])[0].cell, 0);
        assert_eq!(visits(&[(1.0, 0.0, 1.0)])[0].cell, 1);
        assert_eq!(visits(&[(0.0, 1.0, 1.0)])[0].cell, 20);
        assert_eq!(visits(&[(-1.0, -1.0, 1.0)])[0].cell, 0);
        assert!(visits(&[(-1.001, 0.0, 1.0)]).is_empty());
    }

    /// kJ, m/s and turns a second.
    #[test]
    fn values_are_in_the_units_of_their_layers() {
        let turning = Sample { omega: Vector3::new(0.0, 0.0, 3.0 * std::f64::consts::TAU), ..sample(5.0, 5.0, 2500.0) };
        let values = in_units(&raw(&Sample { jump_height_m: 1.5, ..turning }));
        assert_eq!(values, PerQuantity::new([2.5, 50.0, 1.5, 3.0]));
    }
}
