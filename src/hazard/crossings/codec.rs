//! Crossings as bytes.

use nalgebra::Vector3;

use super::Crossing;
use crate::hazard::barrier::Fate;

/// Fixed-order little-endian bytes, for checkpoints and shards.
impl Crossing {
    /// Appends the crossing.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.trajectory.to_le_bytes());
        for value in [self.scenario, self.line, self.segment, self.count] {
            out.extend(value.to_le_bytes());
        }
        for value in self.reals() {
            out.extend(value.to_le_bytes());
        }
        out.push(u8::from(self.left_to_right));
        out.push(Fate::code(self.fate));
        out.extend((self.shape.len() as u32).to_le_bytes());
        out.extend(self.shape.as_bytes());
    }

    /// Reads what [`Crossing::encode`] wrote and moves `bytes` on; `None` if they end early or make no sense.
    pub fn decode(bytes: &mut &[u8]) -> Option<Self> {
        let trajectory = u64::from_le_bytes(take(bytes)?);
        let [scenario, line, segment, count] = [take_u32(bytes)?, take_u32(bytes)?, take_u32(bytes)?, take_u32(bytes)?];
        let mut reals = [0.0; REALS];
        for value in &mut reals {
            *value = f64::from_le_bytes(take(bytes)?);
        }
        let [left_to_right] = take(bytes)?;
        let [fate] = take(bytes)?;
        let length = take_u32(bytes)? as usize;
        let shape = String::from_utf8(bytes.get(..length)?.to_vec()).ok()?;
        *bytes = &bytes[length..];
        let [time_s, x, y, z, chainage_m, kinetic_energy_j, rotational_energy_j, rest @ ..] = reals;
        let [velocity_m_s, rotation_rps, lowest_height_m, centre_height_m, top_height_m, rest @ ..] = rest;
        let [incidence_deg, inclination_deg, mass_kg] = rest;
        Some(Self {
            trajectory,
            scenario,
            line,
            segment,
            count,
            time_s,
            position: Vector3::new(x, y, z),
            chainage_m,
            kinetic_energy_j,
            rotational_energy_j,
            velocity_m_s,
            rotation_rps,
            lowest_height_m,
            centre_height_m,
            top_height_m,
            incidence_deg,
            inclination_deg,
            left_to_right: left_to_right == 1,
            mass_kg,
            shape,
            fate: Fate::from_code(fate)?,
        })
    }

    fn reals(&self) -> [f64; REALS] {
        [
            self.time_s,
            self.position.x,
            self.position.y,
            self.position.z,
            self.chainage_m,
            self.kinetic_energy_j,
            self.rotational_energy_j,
            self.velocity_m_s,
            self.rotation_rps,
            self.lowest_height_m,
            self.centre_height_m,
            self.top_height_m,
            self.incidence_deg,
            self.inclination_deg,
            self.mass_kg,
        ]
    }
}

const REALS: usize = 15;

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = bytes.split_first_chunk::<N>()?;
    *bytes = tail;
    Some(*head)
}

fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes).map(u32::from_le_bytes)
}
