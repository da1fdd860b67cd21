//! What is kept of every single trajectory.

use std::io::Read;

use crate::hazard::codec;
use crate::hazard::plausibility::Signs;
use crate::hazard::quantity::PerQuantity;
use crate::math;
use crate::store::findings::Exit;
use crate::trajectory::{SolverCounts, StopReason};
use crate::{Error, Result};

/// One trajectory in numbers. Coordinates are world coordinates, m.
#[derive(Debug, Clone, PartialEq)]
pub struct TrajectoryRecord {
    /// Number k: with the project and the seed it says everything.
    pub number: u64,
    /// Index of the release layer, and the feature's id in it.
    pub layer: u32,
    pub feature: i64,
    /// Index of the scenario.
    pub scenario: u32,
    pub shape: String,
    pub mass_kg: f64,
    pub volume_m3: f64,
    /// Largest kinetic energy (kJ), velocity (m/s), jump height (m), rotation (rev/s) anywhere.
    pub max: PerQuantity<f32>,
    pub start: [f64; 3],
    pub end: [f64; 3],
    pub stop: StopReason,
    pub time_s: f64,
    pub steps: u64,
    /// Length of the path's horizontal projection, m.
    pub path_m: f64,
    pub lifted_m: f64,
    pub solver: SolverCounts,
    pub frequency_per_year: f64,
    /// What is looked at for its plausibility; where its highest jump was, how its ground ended and where.
    pub signs: Signs,
    pub jump_at: [f64; 2],
    pub exit: Exit,
    pub exit_at: [f64; 2],
}

impl TrajectoryRecord {
    /// Horizontal distance from start to end, m.
    pub(crate) fn runout_m(&self) -> f64 {
        math::hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])
    }

    /// Angle of the line from start to end below the horizontal, degrees.
    pub(crate) fn energy_line_deg(&self) -> f64 {
        math::atan2(self.start[2] - self.end[2], self.runout_m()).to_degrees()
    }

    /// Whether the rock lies where it ended: at rest, or held by a barrier.
    pub(crate) fn is_deposit(&self) -> bool {
        matches!(self.stop, StopReason::AtRest | StopReason::Barrier)
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let mut integers = vec![self.number, u64::from(self.layer), self.feature as u64, u64::from(self.scenario)];
        integers.extend([stop_code(self.stop), self.steps]);
        let SolverCounts { solves, not_converged, restitution_reduced, pushed_out } = self.solver;
        integers.extend([solves, not_converged, restitution_reduced, pushed_out, self.exit.code()]);
        integers.iter().for_each(|value| out.extend(value.to_le_bytes()));
        let reals = [self.mass_kg, self.volume_m3, self.time_s, self.path_m, self.lifted_m, self.frequency_per_year];
        let Signs { contact_m_s, contact_at, slow_s, slow_at } = &self.signs;
        let places = [contact_at, slow_at, &self.jump_at, &self.exit_at].into_iter().flatten();
        let reals = reals.iter().chain(&self.start).chain(&self.end).chain([contact_m_s, slow_s]).chain(places);
        reals.for_each(|value| out.extend(value.to_le_bytes()));
        self.max.values().iter().for_each(|value| out.extend(value.to_le_bytes()));
        out.extend((self.shape.len() as u64).to_le_bytes());
        out.extend(self.shape.as_bytes());
    }

    pub(crate) fn decode(input: &mut impl Read) -> Result<Self> {
        let mut integers = [0; 11];
        for value in &mut integers {
            *value = codec::take_u64(input)?;
        }
        let mut reals = [0.0; 22];
        for value in &mut reals {
            *value = f64::from_bits(codec::take_u64(input)?);
        }
        let mut max = [0.0; 4];
        for value in &mut max {
            *value = f32::from_bits(codec::take_u32(input)?);
        }
        let shape = String::from_utf8_lossy(&codec::take_bytes(input)?).into_owned();
        let [number, layer, feature, scenario, stop, steps, solves, not_converged, reduced, pushed_out, exit] =
            integers;
        let [mass_kg, volume_m3, time_s, path_m, lifted_m, frequency_per_year, places @ ..] = reals;
        let damaged = || Error::failed("a stored trajectory is damaged: recompute this part of the run");
        let plan = |at: usize| [places[at], places[at + 1]];
        Ok(Self {
            number,
            layer: layer as u32,
            feature: feature as i64,
            scenario: scenario as u32,
            shape,
            mass_kg,
            volume_m3,
            max: PerQuantity::new(max),
            start: [places[0], places[1], places[2]],
            end: [places[3], places[4], places[5]],
            stop: STOPS.get(stop as usize).copied().ok_or_else(damaged)?,
            time_s,
            steps,
            path_m,
            lifted_m,
            solver: SolverCounts { solves, not_converged, restitution_reduced: reduced, pushed_out },
            frequency_per_year,
            signs: Signs { contact_m_s: places[6], slow_s: places[7], contact_at: plan(8), slow_at: plan(10) },
            jump_at: plan(12),
            exit: Exit::from_code(exit).ok_or_else(damaged)?,
            exit_at: plan(14),
        })
    }
}

const STOPS: [StopReason; 7] = [
    StopReason::AtRest,
    StopReason::LeftTerrain,
    StopReason::Nodata,
    StopReason::MaxTime,
    StopReason::MaxDistance,
    StopReason::Barrier,
    StopReason::Diverged,
];

fn stop_code(stop: StopReason) -> u64 {
    STOPS.iter().position(|known| *known == stop).unwrap_or(STOPS.len()) as u64
}

/// The name of a stop reason in tables.
pub(crate) fn stop_name(stop: StopReason) -> &'static str {
    match stop {
        StopReason::AtRest => "at_rest",
        StopReason::LeftTerrain => "left_terrain",
        StopReason::Nodata => "nodata",
        StopReason::MaxTime => "max_time",
        StopReason::MaxDistance => "max_distance",
        StopReason::Barrier => "barrier",
        StopReason::Diverged => "diverged",
    }
}

/// Every stop reason, in the order of tables.
pub(crate) fn stop_reasons() -> [StopReason; 7] {
    STOPS
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn record(number: u64) -> TrajectoryRecord {
        TrajectoryRecord {
            number,
            layer: 1,
            feature: -3,
            scenario: 2,
            shape: "block é".into(),
            mass_kg: 812.25,
            volume_m3: 0.3,
            max: PerQuantity::new([1.5, 20.0, 3.25, 4.0]),
            start: [2_600_000.1, 1_200_000.2, 900.5],
            end: [2_600_030.1, 1_200_040.2, 860.5],
            stop: StopReason::MaxDistance,
            time_s: 12.5,
            steps: 6250,
            path_m: 61.0,
            lifted_m: 0.0,
            solver: SolverCounts { solves: 100, not_converged: 1, restitution_reduced: 2, pushed_out: 3 },
            frequency_per_year: 1e-5,
            signs: Signs { contact_m_s: 19.5, contact_at: [1.0, 2.0], slow_s: 3.0, slow_at: [4.0, 5.0] },
            jump_at: [6.0, 7.0],
            exit: Exit::Collar(crate::store::findings::Side::West),
            exit_at: [8.0, 9.0],
        }
    }

    #[test]
    fn the_runout_is_the_horizontal_distance() {
        assert!((record(1).runout_m() - 50.0).abs() < 1e-6);
    }
}
