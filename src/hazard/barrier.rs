//! What a barrier does to a rock.
//!
//! **The rule.** The barrier's top is `height_m` vertically above the ground at the place of the crossing; the rock is
//! judged where its centre of mass crosses the line.
//! - centre of mass above the top: it passes over, unhindered (a net cannot turn back a rock whose centre is above it);
//! - centre of mass at or below the top and energy within the capacity: it is stopped there. If its highest point is above
//!   the top it is counted apart, as [`Fate::StoppedPartlyAbove`]: such a rock touches the freeboard, and a barrier that
//!   holds many of them is too low by any standard;
//! - centre of mass at or below the top and energy above the capacity: it breaks through; the capacity is taken from its
//!   energy (velocity and spin shrink by the same factor), or it flies on unhindered if the project says so.

use crate::hazard::crossings::Crossing;
use crate::hazard::lines::Barrier;
use crate::trajectory::Action;

/// What happens to a rock at a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Held, all of it below the top.
    Stopped,
    /// Held, but its highest point is above the top.
    StoppedPartlyAbove,
    /// Below the top but too strong.
    BrokeThrough,
    /// Its centre of mass is above the top.
    PassedOver,
}

/// What a barrier does to a rock that crosses it.
pub fn fate(barrier: &Barrier, crossing: &Crossing) -> Fate {
    if crossing.centre_height_m > barrier.height_m {
        Fate::PassedOver
    } else if crossing.kinetic_energy_j > barrier.capacity_j {
        Fate::BrokeThrough
    } else if crossing.top_height_m > barrier.height_m {
        Fate::StoppedPartlyAbove
    } else {
        Fate::Stopped
    }
}

/// What follows for the motion.
pub fn effect(barrier: &Barrier, fate: Fate, energy_j: f64) -> Action {
    match fate {
        Fate::Stopped | Fate::StoppedPartlyAbove => Action::Stop,
        Fate::BrokeThrough if barrier.takes_capacity => Action::Scale((1.0 - barrier.capacity_j / energy_j).sqrt()),
        Fate::BrokeThrough | Fate::PassedOver => Action::Continue,
    }
}

/// How many rocks met which fate at one barrier (each crossing counts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// Held.
    pub stopped: u64,
    /// Held, with a part of the rock above the net.
    pub stopped_partly_above: u64,
    /// Too much energy.
    pub broke_through: u64,
    /// Too high.
    pub passed_over: u64,
}

impl Tally {
    /// Counts crossings of a barrier.
    pub fn of<'a>(crossings: impl IntoIterator<Item = &'a Crossing>) -> Self {
        let mut tally = Self::default();
        for crossing in crossings {
            match crossing.fate {
                Some(Fate::Stopped) => tally.stopped += 1,
                Some(Fate::StoppedPartlyAbove) => tally.stopped_partly_above += 1,
                Some(Fate::BrokeThrough) => tally.broke_through += 1,
                Some(Fate::PassedOver) => tally.passed_over += 1,
                None => {}
            }
        }
        tally
    }

    /// All crossings.
    pub fn total(&self) -> u64 {
        self.held() + self.broke_through + self.passed_over
    }

    /// Of these, those that were stopped.
    pub fn held(&self) -> u64 {
        self.stopped + self.stopped_partly_above
    }
}

impl Fate {
    /// In tables.
    pub fn label(self) -> &'static str {
        match self {
            Fate::Stopped => "stopped",
            Fate::StoppedPartlyAbove => "stopped_partly_above",
            Fate::BrokeThrough => "broke_through",
            Fate::PassedOver => "passed_over",
        }
    }

    pub(crate) fn code(fate: Option<Fate>) -> u8 {
        match fate {
            None => 0,
            Some(Fate::Stopped) => 1,
            Some(Fate::StoppedPartlyAbove) => 2,
            Some(Fate::BrokeThrough) => 3,
            Some(Fate::PassedOver) => 4,
        }
    }

    /// `None` for a code that was never written.
    pub(crate) fn from_code(code: u8) -> Option<Option<Fate>> {
        Some(match code {
            0 => None,
            1 => Some(Fate::Stopped),
            2 => Some(Fate::StoppedPartlyAbove),
            3 => Some(Fate::BrokeThrough),
            4 => Some(Fate::PassedOver),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back() {
        for fate in [
            None,
            Some(Fate::Stopped),
            Some(Fate::StoppedPartlyAbove),
            Some(Fate::BrokeThrough),
            Some(Fate::PassedOver),
        ] {
            assert_eq!(Fate::from_code(Fate::code(fate)), Some(fate));
        }
        assert_eq!(Fate::from_code(9), None);
    }

    /// A rock is judged by its centre: what reaches above the net with its top alone is held.
    #[test]
    fn a_rock_passes_over_by_its_centre_not_by_its_top() {
        let barrier = Barrier { height_m: 3.0, capacity_j: 100.0, takes_capacity: true };
        let met = |centre_height_m: f64, top_height_m: f64, kinetic_energy_j: f64| {
            fate(&barrier, &Crossing { centre_height_m, top_height_m, kinetic_energy_j, ..crossing() })
        };
        assert_eq!(met(3.0, 3.5, 100.0), Fate::StoppedPartlyAbove);
        assert_eq!(met(2.5, 3.0, 100.0), Fate::Stopped);
        assert_eq!(met(3.0, 3.5, 100.1), Fate::BrokeThrough);
        assert_eq!(met(3.01, 3.5, 1.0), Fate::PassedOver);
    }

    fn crossing() -> Crossing {
        Crossing {
            trajectory: 0,
            scenario: 0,
            line: 0,
            segment: 0,
            count: 1,
            time_s: 0.0,
            position: nalgebra::Vector3::zeros(),
            chainage_m: 0.0,
            kinetic_energy_j: 0.0,
            rotational_energy_j: 0.0,
            velocity_m_s: 0.0,
            rotation_rps: 0.0,
            lowest_height_m: 0.0,
            centre_height_m: 0.0,
            top_height_m: 0.0,
            incidence_deg: 0.0,
            inclination_deg: 0.0,
            left_to_right: true,
            mass_kg: 0.0,
            shape: String::new(),
            fate: None,
        }
    }

    /// The energy after breaking through is the energy before less the capacity.
    #[test]
    fn breaking_through_costs_the_capacity() {
        let barrier = Barrier { height_m: 3.0, capacity_j: 100.0, takes_capacity: true };
        let Action::Scale(factor) = effect(&barrier, Fate::BrokeThrough, 400.0) else { panic!("must lose energy") };
        assert!((factor * factor * 400.0 - 300.0).abs() < 1e-12);
        let free = Barrier { takes_capacity: false, ..barrier };
        assert_eq!(effect(&free, Fate::BrokeThrough, 400.0), Action::Continue);
    }
}
