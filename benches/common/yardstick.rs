//! The least a plain loop over steps must do: move the centre, turn the rock, place its 24 vertices and look up the
//! ground below each. No contact, nothing skipped. What an engine costs is given as a multiple of this.

use std::hint::black_box;

use crate::numbers;

pub struct Yardstick {
    corners: Vec<[f64; 3]>,
    heights: Vec<f64>,
    nx: usize,
    last_x: f64,
    last_y: f64,
}

struct State {
    position: [f64; 3],
    velocity: [f64; 3],
    /// w, x, y, z.
    q: [f64; 4],
    /// In the body frame, rad/s.
    omega: [f64; 3],
}

/// Steps after which a rock starts afresh: it would fall through the ground.
const STEPS_OF_A_FLIGHT: u64 = 500;

impl Yardstick {
    pub fn new() -> Self {
        let (nx, ny) = numbers::NODES;
        let heights = (0..nx * ny).map(|k| numbers::height((k % nx) as f64)).collect();
        Self {
            corners: black_box(numbers::corners()),
            heights: black_box(heights),
            nx,
            last_x: (nx - 1) as f64,
            last_y: (ny - 1) as f64,
        }
    }

    /// Bilinear height on cells of 1 m; infinitely deep outside.
    #[inline]
    fn height(&self, x: f64, y: f64) -> f64 {
        if !(x >= 0.0 && y >= 0.0 && x < self.last_x && y < self.last_y) {
            return f64::NEG_INFINITY;
        }
        // SAFETY: both lie within 0 … 2³¹. A plain `as` would test that once more, which no C++ loop does.
        let (column, row) = unsafe { (x.to_int_unchecked::<i32>(), y.to_int_unchecked::<i32>()) };
        let (eta, xi) = (x - f64::from(column), y - f64::from(row));
        let at = row as usize * self.nx + column as usize;
        let (south, north) = (&self.heights[at..at + 2], &self.heights[at + self.nx..at + self.nx + 2]);
        let (at_south, at_north) = (south[0] + eta * (south[1] - south[0]), north[0] + eta * (north[1] - north[0]));
        at_south + xi * (at_north - at_south)
    }

    /// One step; returns the smallest gap to the ground.
    fn step(&self, state: &mut State) -> f64 {
        let dt = numbers::TIME_STEP_S;
        // The middle of the step, then gravity, then the other half: exact for a parabola.
        state.position = add_scaled(state.position, 0.5 * dt, state.velocity);
        state.velocity[2] -= dt * numbers::GRAVITY_M_S2;
        state.position = add_scaled(state.position, 0.5 * dt, state.velocity);
        let ([w, x, y, z], [a, b, c]) = (state.q, state.omega);
        let rate = [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a];
        let turned = [0, 1, 2, 3].map(|i| state.q[i] + 0.5 * dt * rate[i]);
        let per_norm = 1.0 / turned.iter().map(|q| q * q).sum::<f64>().sqrt();
        state.q = turned.map(|q| q * per_norm);

        let rotation = matrix(&state.q);
        let mut lowest = f64::INFINITY;
        for corner in &self.corners {
            let [x, y, z] = [0, 1, 2].map(|i| {
                let row = &rotation[i];
                state.position[i] + (row[0] * corner[0] + row[1] * corner[1] + row[2] * corner[2])
            });
            let gap = z - self.height(x, y);
            if gap < lowest {
                lowest = gap;
            }
        }
        lowest
    }

    /// So many steps of one rock after the other, each in the orientation of rock `k`.
    #[inline(never)]
    pub fn run(&self, k: u64, steps: u64) -> f64 {
        let [x, y, z, w] = numbers::orientation(k);
        let (mut lowest, mut done) = (f64::INFINITY, 0);
        while done < steps {
            let flight = STEPS_OF_A_FLIGHT.min(steps - done);
            let mut state = State {
                position: numbers::start(),
                velocity: black_box([12.0, 0.3, 4.0]),
                q: [w, x, y, z],
                omega: black_box([3.0, -7.0, 1.0]),
            };
            for _ in 0..flight {
                lowest = lowest.min(self.step(&mut state));
            }
            done += flight;
        }
        black_box(lowest)
    }
}

fn add_scaled(a: [f64; 3], factor: f64, b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] + factor * b[i])
}

fn matrix(&[w, x, y, z]: &[f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}
