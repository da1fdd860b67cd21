//! What is out of the ordinary in a trajectory: the one table of thresholds, and what is watched of a rock for them.
//!
//! None of these is an error of the computation. A rock beyond one of them behaves as rocks hardly do in nature, and whoever
//! signs the map should know where and how often.

use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use crate::trajectory::Sample;

/// A kind of rock that is out of the ordinary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Oddity {
    /// It touches the ground faster than rocks do.
    FastContact,
    /// It jumps higher than rocks do away from cliffs.
    HighJump,
    /// The line from its start to its end is flatter than those of rocks.
    FlatEnergyLine,
    /// It goes on and on slowly, as on ground that takes no energy.
    Creep,
}

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// What it is about.
    pub oddity: Oddity,
    /// Beyond this a rock is out of the ordinary.
    pub limit: f64,
    /// Of the limit.
    pub unit: &'static str,
    /// Where the number comes from.
    pub source: &'static str,
}

/// Every threshold; reports, warnings and documentation take them from here.
pub const TABLE: [Threshold; 4] = [
    Threshold {
        oddity: Oddity::FastContact,
        limit: 45.0,
        unit: "m/s",
        source: "half as much again as the fastest rocks of field experiments on open slopes, about 30 m/s (Dorren et al. 2005, \
                 Vaujany: 30.6 m/s)",
    },
    Threshold {
        oddity: Oddity::HighJump,
        limit: 30.0,
        unit: "m",
        source: "ours: rocks of field experiments stay below some 10 m; only cliffs let them be this far above the ground",
    },
    Threshold {
        oddity: Oddity::FlatEnergyLine,
        limit: 22.0,
        unit: "°",
        source: "the smallest angle of inventories, a shadow angle, which is smaller than the energy line's (Wieczorek et al. 1998, \
                 Yosemite); most rocks stop above 28°",
    },
    Threshold {
        oddity: Oddity::Creep,
        limit: 60.0,
        unit: "s",
        source: "ours: a rock slower than 2 m/s stops within seconds on real ground",
    },
];

/// A rock slower than this creeps, m/s.
pub const CREEP_M_S: f64 = 2.0;

/// The energy line of a rock that hardly moved says where it lay, not how it ran: shorter run-outs do not count, m.
pub const SHORTEST_RUNOUT_M: f64 = 20.0;

impl Oddity {
    /// Its line of the table.
    pub fn threshold(self) -> &'static Threshold {
        &TABLE[self as usize]
    }
}

/// What is remembered of one rock; coordinates are local. Fold of maxima and sums in order of time: the same bits always.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signs {
    /// Fastest at which the rock touched the ground, m/s, and where.
    pub contact_m_s: f64,
    /// Where that was.
    pub contact_at: [f64; 2],
    /// How long it was slower than [`CREEP_M_S`], s, …
    pub slow_s: f64,
    /// … and where it was when that had lasted for as long as the threshold (before that: where it last was slow).
    pub slow_at: [f64; 2],
}

/// Watches one rock.
#[derive(Debug, Clone)]
pub struct Watch {
    fastest_squared: f64,
    contact_at: Vector3<f64>,
    slow_s: f64,
    slow_at: Vector3<f64>,
}

impl Default for Watch {
    fn default() -> Self {
        let nowhere = Vector3::zeros();
        Self { fastest_squared: 0.0, contact_at: nowhere, slow_s: 0.0, slow_at: nowhere }
    }
}

impl Watch {
    /// A step; `touches` if the ground pressed the rock in it or held it in its soil.
    #[inline]
    pub fn step(&mut self, before: &Sample, after: &Sample, touches: bool) {
        let (was, is) = (before.velocity.norm_squared(), after.velocity.norm_squared());
        let faster = if was > is { was } else { is };
        if touches && faster > self.fastest_squared {
            (self.fastest_squared, self.contact_at) = (faster, after.position);
        }
        if faster < CREEP_M_S * CREEP_M_S {
            if self.slow_s <= TABLE[Oddity::Creep as usize].limit {
                self.slow_at = after.position;
            }
            self.slow_s += after.time_s - before.time_s;
        }
    }

    /// What was seen.
    pub fn signs(&self) -> Signs {
        let plan = |place: &Vector3<f64>| [place.x, place.y];
        Signs {
            contact_m_s: self.fastest_squared.sqrt(),
            contact_at: plan(&self.contact_at),
            slow_s: self.slow_s,
            slow_at: plan(&self.slow_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;

    fn at(time_s: f64, x: f64, speed: f64) -> Sample {
        Sample {
            time_s,
            position: Vector3::new(x, 1.0, 0.0),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::new(speed, 0.0, 0.0),
            omega: Vector3::zeros(),
            kinetic_energy_j: 0.0,
            jump_height_m: 0.0,
            airborne: false,
        }
    }

    #[test]
    fn the_table_is_in_the_order_of_its_kinds() {
        assert!(TABLE.iter().enumerate().all(|(i, line)| line.oddity as usize == i && !line.source.is_empty()));
    }

    /// Speed counts on the ground only; slow time adds up, and the place is where the threshold was passed.
    #[test]
    fn contacts_and_creeping_are_seen() {
        let mut watch = Watch::default();
        watch.step(&at(0.0, 0.0, 80.0), &at(1.0, 80.0, 90.0), false);
        watch.step(&at(1.0, 80.0, 50.0), &at(1.01, 80.5, 20.0), true);
        for k in 0..100 {
            let t = 2.0 + f64::from(k);
            watch.step(&at(t, 100.0 + t, 1.0), &at(t + 1.0, 101.0 + t, 1.0), true);
        }
        let signs = watch.signs();
        assert_eq!((signs.contact_m_s, signs.contact_at), (50.0, [80.5, 1.0]));
        assert_eq!((signs.slow_s, signs.slow_at), (100.0, [163.0, 1.0]));
    }
}
