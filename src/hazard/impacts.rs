//! Impacts of a rock: each contact with the ground that follows a flight.
//!
//! **What an impact is.** A rock is in contact in a step in which the ground presses it or in which it is in compactable soil. An
//! impact begins with the first such step after a flight of at least [`LEAST_FLIGHT_S`], and lasts until the last one before
//! the next such flight: contacts that flicker, corner after corner of a rolling rock, are one impact. Rolling and sliding are
//! therefore one long impact. *Before* is the state before the first step in contact, *after* the state after the last.
//! A rock that is released on the ground has its first impact after its first flight.

use std::io::Read;

use nalgebra::Vector3;

use crate::hazard::codec;
use crate::rock::Rock;
use crate::terrain::Surface;
use crate::trajectory::{Sample, Touch};
use crate::{Error, Result};

/// A shorter flight separates no impacts, s: falling freely a rock gains 12 mm on the ground meanwhile.
pub const LEAST_FLIGHT_S: f64 = 0.05;

/// One impact. Pairs are before and after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// Number of the trajectory.
    pub trajectory: u64,
    /// From 1 for the rock's first.
    pub count: u64,
    /// First contact, since the release, s.
    pub time_s: f64,
    /// From the first to the last contact, s.
    pub duration_s: f64,
    /// The flight before it, s.
    pub flight_s: f64,
    /// Centre of mass at the first contact, m.
    pub position: [f64; 3],
    /// Of the centre of mass, m/s.
    pub speed_m_s: [f64; 2],
    /// Speed along the normal of the terrain model, m/s: into the ground before, out of it after.
    pub normal_m_s: [f64; 2],
    /// Rotation, revolutions per second.
    pub spin_rps: [f64; 2],
    /// Kinetic energy, translation and rotation, kJ.
    pub energy_kj: [f64; 2],
    /// Of it rotation, kJ.
    pub rotational_kj: [f64; 2],
    /// Deepest rebound plane in compactable soil, m; 0 without soil.
    pub scar_depth_m: f64,
    /// Way of the centre of mass while the rock was in the soil, m.
    pub scar_length_m: f64,
}

const REALS: usize = 18;

impl Impact {
    /// Appends it in binary.
    pub fn encode(&self, out: &mut Vec<u8>) {
        [self.trajectory, self.count].iter().for_each(|value| out.extend(value.to_le_bytes()));
        let reals = [self.time_s, self.duration_s, self.flight_s].into_iter().chain(self.position);
        let pairs = [self.speed_m_s, self.normal_m_s, self.spin_rps, self.energy_kj, self.rotational_kj];
        let reals = reals.chain(pairs.into_iter().flatten()).chain([self.scar_depth_m, self.scar_length_m]);
        reals.for_each(|value| out.extend(value.to_le_bytes()));
    }

    /// Reads what [`Impact::encode`] wrote.
    ///
    /// # Errors
    /// The input ends within it.
    pub fn decode(mut input: &mut dyn Read) -> Result<Self> {
        let integers = [codec::take_u64(&mut input)?, codec::take_u64(&mut input)?];
        let mut reals = [0.0; REALS];
        for value in &mut reals {
            *value = f64::from_bits(codec::take_u64(&mut input)?);
        }
        if reals.iter().any(|value| value.is_nan()) {
            return Err(Error::failed("a stored impact is damaged: recompute this part of the run"));
        }
        let pair = |k: usize| [reals[6 + 2 * k], reals[7 + 2 * k]];
        Ok(Self {
            trajectory: integers[0],
            count: integers[1],
            time_s: reals[0],
            duration_s: reals[1],
            flight_s: reals[2],
            position: [reals[3], reals[4], reals[5]],
            speed_m_s: pair(0),
            normal_m_s: pair(1),
            spin_rps: pair(2),
            energy_kj: pair(3),
            rotational_kj: pair(4),
            scar_depth_m: reals[16],
            scar_length_m: reals[17],
        })
    }
}

/// Watches one rock.
pub struct ImpactWatch<'a> {
    surface: &'a Surface,
    rock: &'a Rock,
    trajectory: u64,
    touch: Touch,
    /// Whether the last step was in contact, and since when the rock has flown if it was not.
    in_contact: bool,
    flying_since_s: f64,
    open: Option<Impact>,
    normal: Vector3<f64>,
    done: Vec<Impact>,
}

impl<'a> ImpactWatch<'a> {
    /// Of the rock with this number.
    pub fn new(surface: &'a Surface, rock: &'a Rock, trajectory: u64) -> Self {
        let touch = Touch { pressed: false, scar_depth_m: None };
        let (in_contact, flying_since_s, normal) = (false, 0.0, Vector3::z());
        Self { surface, rock, trajectory, touch, in_contact, flying_since_s, open: None, normal, done: Vec::new() }
    }

    /// What the ground does in the next step.
    pub fn ground(&mut self, touch: Touch) {
        self.touch = touch;
    }

    /// A step.
    pub fn step(&mut self, before: &Sample, after: &Sample) {
        if !self.touch.is_contact() {
            if self.in_contact {
                (self.in_contact, self.flying_since_s) = (false, before.time_s);
            }
            return;
        }
        if !self.in_contact && before.time_s - self.flying_since_s >= LEAST_FLIGHT_S {
            self.done.extend(self.open.take());
            self.begin(before);
        }
        self.in_contact = true;
        let (normal, rock) = (self.normal, self.rock);
        if let Some(impact) = &mut self.open {
            impact.duration_s = after.time_s - impact.time_s;
            let [speed, out, spin, energy, rotational] = measures(after, rock, &normal);
            (impact.speed_m_s[1], impact.normal_m_s[1], impact.spin_rps[1]) = (speed, out, spin);
            (impact.energy_kj[1], impact.rotational_kj[1]) = (energy, rotational);
            if let Some(depth) = self.touch.scar_depth_m {
                impact.scar_depth_m = impact.scar_depth_m.max(depth);
                impact.scar_length_m += (after.position - before.position).norm();
            }
        }
    }

    fn begin(&mut self, before: &Sample) {
        let p = before.position;
        self.normal = self.surface.spot(p.x, p.y).map_or(Vector3::z(), |spot| spot.normal());
        let [speed, out, spin, energy, rotational] = measures(before, self.rock, &self.normal);
        self.open = Some(Impact {
            trajectory: self.trajectory,
            count: self.done.len() as u64 + 1,
            time_s: before.time_s,
            duration_s: 0.0,
            flight_s: before.time_s - self.flying_since_s,
            position: [p.x, p.y, p.z],
            speed_m_s: [speed; 2],
            normal_m_s: [-out, out],
            spin_rps: [spin; 2],
            energy_kj: [energy; 2],
            rotational_kj: [rotational; 2],
            scar_depth_m: 0.0,
            scar_length_m: 0.0,
        });
    }

    /// All impacts, in order of time; the last one may have ended in rest. `origin`: world coordinates of the local origin.
    pub fn finish(mut self, origin: (f64, f64)) -> Vec<Impact> {
        self.done.extend(self.open.take());
        for impact in &mut self.done {
            impact.position[0] += origin.0;
            impact.position[1] += origin.1;
        }
        self.done
    }
}

/// Speed (m/s), speed along the normal (m/s), spin (rev/s), kinetic energy and that of rotation (kJ).
fn measures(sample: &Sample, rock: &Rock, normal: &Vector3<f64>) -> [f64; 5] {
    let w = sample.omega;
    let rotational = 0.5e-3 * w.dot(&rock.inertia.component_mul(&w));
    let spin = w.norm() / std::f64::consts::TAU;
    [sample.velocity.norm(), sample.velocity.dot(normal), spin, sample.kinetic_energy_j * 1e-3, rotational]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rock::Shape;
    use crate::terrain::{Field, Lattice};
    use nalgebra::UnitQuaternion;

    fn sample(time_s: f64, vz: f64) -> Sample {
        Sample {
            time_s,
            position: Vector3::new(1.0 + time_s, 1.0, 1.0),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::new(3.0, 0.0, vz),
            omega: Vector3::new(0.0, std::f64::consts::TAU, 0.0),
            kinetic_energy_j: 500.0 * (9.0 + vz * vz),
            jump_height_m: 0.0,
            airborne: false,
        }
    }

    /// Steps of 10 ms; the letter says what the ground does: `.` nothing, `p` presses, `s` soil, ever deeper, `S` soil once more, 5 cm deep.
    fn impacts(steps: &str) -> Vec<Impact> {
        let lattice = Lattice { nx: 9, ny: 9, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };
        let surface = Surface::new(Field { lattice, values: vec![0.0; 81] }).unwrap();
        let rock = Shape::from_preset("cuboid").unwrap().with_mass(1000.0, 2700.0).unwrap();
        let mut watch = ImpactWatch::new(&surface, &rock, 7);
        for (k, letter) in steps.chars().enumerate() {
            let t = 0.01 * k as f64;
            watch.ground(Touch {
                pressed: letter == 'p',
                scar_depth_m: "sS".contains(letter).then_some(if letter == 's' { 0.1 + t } else { 0.05 }),
            });
            let vz = if letter == '.' { -4.0 } else { 1.0 };
            watch.step(&sample(t, -4.0), &sample(t + 0.01, vz));
        }
        watch.finish((1000.0, 2000.0))
    }

    #[test]
    fn a_contact_after_a_flight_is_an_impact_and_flickering_ones_are_one() {
        assert!(impacts("pppp.p.pp..ppp").is_empty(), "a rock released on the ground has not flown");
        assert!(impacts("..........").is_empty());
        let two = impacts("......p.p..p......pp");
        assert_eq!(two.iter().map(|i| i.count).collect::<Vec<_>>(), [1, 2]);
        assert!((two[0].time_s - 0.06).abs() < 1e-12 && (two[0].duration_s - 0.06).abs() < 1e-12);
        assert!((two[1].time_s - 0.18).abs() < 1e-12 && (two[1].flight_s - 0.06).abs() < 1e-12);
        assert_eq!((two[0].normal_m_s, two[0].speed_m_s), ([4.0, 1.0], [5.0, 10f64.sqrt()]));
        assert_eq!((two[0].energy_kj, two[0].spin_rps), ([12.5, 5.0], [1.0, 1.0]));
        assert_eq!((two[0].trajectory, two[0].position[1]), (7, 2001.0));
        let [scar] = impacts("......sss")[..] else { panic!() };
        assert!((scar.scar_depth_m - 0.18).abs() < 1e-12 && (scar.scar_length_m - 0.03).abs() < 1e-12);
        let [scar] = impacts("......sssS")[..] else { panic!() };
        assert!((scar.scar_depth_m - 0.18).abs() < 1e-12, "the deepest, not the last");
    }

    #[test]
    fn impacts_survive_encoding() {
        let all = impacts("......p.p..p......ss");
        let mut bytes = Vec::new();
        all.iter().for_each(|impact| impact.encode(&mut bytes));
        let mut input = &bytes[..];
        let back: Vec<Impact> = all.iter().map(|_| Impact::decode(&mut input).unwrap()).collect();
        assert!(back == all && input.is_empty());
        assert!(Impact::decode(&mut &bytes[..100]).is_err());
    }
}
