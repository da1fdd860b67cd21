//! Every crossing of a recording line or barrier, and what a barrier does to the rock.
//!
//! A [`LineWatch`] rides along one trajectory. Run it with `barriers_act = false` to see the slope as it is (crossings of
//! barriers then tell what *would* happen), and with `true` to let barriers stop rocks. If [`LineWatch::barrier_acts`]
//! stays false the two runs are the same and the second one can be saved.

mod codec;

use nalgebra::Vector3;

use crate::dynamics::Scene;
use crate::hazard::airborne::{Airborne, Gauge};
use crate::hazard::barrier::{self, Fate};
use crate::hazard::lines::{Hit, LineSet, Role};
use crate::math;
use crate::rock::Rock;
use crate::terrain::surface::Surface;
use crate::trajectory::{Action, Observer, Sample};

/// One rock crossing one line once. Heights are vertical, above the ground under the centre of mass.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// Number k of the trajectory.
    pub trajectory: u64,
    /// Index of the rock's scenario.
    pub scenario: u32,
    /// Index of the line in its [`LineSet`].
    pub line: u32,
    /// Segment of the line, from 0.
    pub segment: u32,
    /// 1 for the rock's first crossing of this line, 2 for the next …
    pub count: u32,
    /// Since the rock's start.
    pub time_s: f64,
    /// Centre of mass, local x and y, true z, m.
    pub position: Vector3<f64>,
    /// Along the line.
    pub chainage_m: f64,
    /// Translational plus rotational, J.
    pub kinetic_energy_j: f64,
    /// Of it, rotation.
    pub rotational_energy_j: f64,
    /// Of the centre of mass.
    pub velocity_m_s: f64,
    /// Revolutions per second.
    pub rotation_rps: f64,
    /// Smallest vertical clearance between rock and ground (the jump height), m.
    pub lowest_height_m: f64,
    /// Centre of mass above ground, m.
    pub centre_height_m: f64,
    /// Highest point of the rock above ground, m.
    pub top_height_m: f64,
    /// Angle in plan between the path and the line's normal: 0 across, 90 along the line, degrees.
    pub incidence_deg: f64,
    /// Angle of the velocity below the horizontal, degrees; negative when rising.
    pub inclination_deg: f64,
    /// From the left to the right of the line's direction, or back.
    pub left_to_right: bool,
    /// Of the rock.
    pub mass_kg: f64,
    /// Name of the rock.
    pub shape: String,
    /// What the barrier does; `None` for a recording line.
    pub fate: Option<Fate>,
}

/// Order of every table: by trajectory, then time, then line. Shards and resumed runs sort to the same bytes.
pub fn sort(crossings: &mut [Crossing]) {
    crossings
        .sort_by(|a, b| a.trajectory.cmp(&b.trajectory).then(a.time_s.total_cmp(&b.time_s)).then(a.line.cmp(&b.line)));
}

/// Watches one trajectory cross lines.
pub struct LineWatch<'a> {
    lines: &'a LineSet,
    surface: &'a Surface,
    rock: &'a Rock,
    gauge: Gauge<'a>,
    trajectory: u64,
    barriers_act: bool,
    crossings: Vec<Crossing>,
    hits: Vec<Hit>,
    would_act: bool,
    /// To be added to coordinates of the rock's frame to have those of the lines.
    shift: [f64; 2],
    /// West, south, east and north of a piece of the map without lines: while the rock stays in it nothing is crossed.
    clear: [f64; 4],
}

const NOWHERE: [f64; 4] = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];

impl<'a> LineWatch<'a> {
    /// For one trajectory, in the coordinates of the scene.
    pub fn new(lines: &'a LineSet, scene: &'a Scene, rock: &'a Rock, trajectory: u64, barriers_act: bool) -> Self {
        let (origin, lattice) = (lines.origin(), scene.surface.lattice());
        Self {
            lines,
            surface: &scene.surface,
            rock,
            gauge: Gauge::new(scene, rock),
            trajectory,
            barriers_act,
            crossings: Vec::new(),
            hits: Vec::new(),
            would_act: false,
            shift: [lattice.x0 - origin[0], lattice.y0 - origin[1]],
            clear: NOWHERE,
        }
    }

    /// Whether a barrier has stopped the rock or taken energy from it, or would have if it acted.
    pub fn barrier_acts(&self) -> bool {
        self.would_act
    }

    /// Everything it saw.
    pub fn into_crossings(self) -> Vec<Crossing> {
        self.crossings
    }

    fn crossing(&self, hit: &Hit, at: &Sample) -> Crossing {
        let line = &self.lines.lines()[hit.line];
        let inertia = self.rock.inertia;
        let rotational_energy_j = 0.5 * at.omega.dot(&inertia.component_mul(&at.omega));
        let lowest_height_m = at.jump_height_m.max(0.0);
        // Beside the DEM there is no ground to measure from: the clearance and the rock's own size stand in.
        let (low, high) = vertical_extent(self.rock, at);
        let spot = self.surface.spot(at.position.x, at.position.y);
        let ground = spot.map_or(at.position.z + low - lowest_height_m, |spot| spot.height);
        let plan_speed = at.velocity.xy().norm();
        let along = at.velocity.x * hit.direction[0] + at.velocity.y * hit.direction[1];
        let to_the_left = -at.velocity.x * hit.direction[1] + at.velocity.y * hit.direction[0];
        let incidence_deg =
            if plan_speed > 0.0 { math::asin((along / plan_speed).clamp(-1.0, 1.0)).abs().to_degrees() } else { 0.0 };
        let count = self.crossings.iter().filter(|c| c.line as usize == hit.line).count() as u32 + 1;
        let mut crossing = Crossing {
            trajectory: self.trajectory,
            scenario: 0,
            line: hit.line as u32,
            segment: line.segment_at(hit.chainage_m) as u32,
            count,
            time_s: at.time_s,
            position: at.position,
            chainage_m: hit.chainage_m,
            kinetic_energy_j: at.kinetic_energy_j,
            rotational_energy_j,
            velocity_m_s: at.velocity.norm(),
            rotation_rps: at.omega.norm() / std::f64::consts::TAU,
            lowest_height_m,
            centre_height_m: at.position.z - ground,
            top_height_m: at.position.z + high - ground,
            incidence_deg,
            inclination_deg: math::atan2(-at.velocity.z, plan_speed).to_degrees(),
            left_to_right: to_the_left < 0.0,
            mass_kg: self.rock.mass_kg,
            shape: self.rock.name.clone(),
            fate: None,
        };
        if let Role::Barrier(barrier) = line.role {
            crossing.fate = Some(barrier::fate(&barrier, &crossing));
        }
        crossing
    }
}

impl Observer for LineWatch<'_> {
    #[inline]
    fn step(&mut self, before: &Sample, after: &Sample) -> Action {
        let [west, south, east, north] = self.clear;
        let [x, y] = self.on_map(after);
        if x > west && x < east && y > south && y < north { Action::Continue } else { self.look(before, after) }
    }
}

impl LineWatch<'_> {
    /// In the coordinates of the lines.
    #[inline]
    fn on_map(&self, sample: &Sample) -> [f64; 2] {
        [sample.position.x + self.shift[0], sample.position.y + self.shift[1]]
    }

    fn look(&mut self, before: &Sample, after: &Sample) -> Action {
        self.hits.clear();
        let (from, to) = (self.on_map(before), self.on_map(after));
        self.clear = self.lines.clear_around(to).unwrap_or(NOWHERE);
        self.lines.crossings(from, to, &mut self.hits);
        if self.hits.is_empty() {
            return Action::Continue;
        }
        // Two barriers in one step: the second sees what the first has left.
        let mut speed_factor = 1.0;
        for index in 0..self.hits.len() {
            let hit = self.hits[index];
            let at = match Airborne::between(before, after) {
                Some(flight) => flight.at(&mut self.gauge, flight.instant(hit.fraction)),
                None => {
                    let jump_height_m = self.gauge.jump_height(before);
                    between(&Sample { jump_height_m, ..*before }, after, hit.fraction)
                }
            };
            let at = scaled(at, speed_factor);
            let crossing = self.crossing(&hit, &at);
            let fate = crossing.fate;
            let energy_j = crossing.kinetic_energy_j;
            self.crossings.push(crossing);
            let Role::Barrier(barrier) = self.lines.lines()[hit.line].role else { continue };
            let Some(fate) = fate else { continue };
            let effect = barrier::effect(&barrier, fate, energy_j);
            self.would_act |= effect != Action::Continue;
            if !self.barriers_act {
                continue;
            }
            match effect {
                Action::Stop => return Action::Stop,
                Action::Scale(factor) => speed_factor *= factor,
                Action::Continue => {}
            }
        }
        if speed_factor == 1.0 { Action::Continue } else { Action::Scale(speed_factor) }
    }
}

/// The state within a step in contact, linear in time (such a step is short: centimetres).
fn between(before: &Sample, after: &Sample, fraction: f64) -> Sample {
    let mix = |a: f64, b: f64| a + fraction * (b - a);
    Sample {
        time_s: mix(before.time_s, after.time_s),
        position: before.position.lerp(&after.position, fraction),
        orientation: if fraction < 0.5 { before.orientation } else { after.orientation },
        velocity: before.velocity.lerp(&after.velocity, fraction),
        omega: before.omega.lerp(&after.omega, fraction),
        kinetic_energy_j: mix(before.kinetic_energy_j, after.kinetic_energy_j),
        jump_height_m: mix(before.jump_height_m, after.jump_height_m),
        airborne: false,
    }
}

fn scaled(mut sample: Sample, factor: f64) -> Sample {
    sample.velocity *= factor;
    sample.omega *= factor;
    sample.kinetic_energy_j *= factor * factor;
    sample
}

/// Lowest and highest point of the rock relative to its centre of mass, m.
fn vertical_extent(rock: &Rock, at: &Sample) -> (f64, f64) {
    if let Some(radius) = rock.sphere_radius {
        return (-radius, radius);
    }
    // Third row of the rotation: the inertial vertical seen in the body frame.
    let up = at.orientation.inverse() * Vector3::z();
    rock.vertices.iter().map(|vertex| vertex.dot(&up)).fold((0.0, 0.0), |(low, high), z| (z.min(low), z.max(high)))
}

#[cfg(test)]
mod tests;
