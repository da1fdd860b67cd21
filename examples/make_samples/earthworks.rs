//! What people and the stream did to the slope: roads cut into it, level ground under houses, a channel.

use couloir::terrain::grid::Field;

use crate::mountain::{Frame, position};
use crate::noise::{gradient, smoothstep};

/// A point of a line with the height its surface has there.
#[derive(Clone, Copy)]
pub struct Station {
    pub x: f64,
    pub y: f64,
    pub height: f64,
}

/// A way that keeps to the slope: from fall coordinate `start` it follows the contour at a steady grade.
pub fn trace_road(dem: &Field<f64>, frame: &Frame, start: f64, grade: f64, half_length: f64) -> Vec<Station> {
    const STEP_M: f64 = 4.0;
    let smooth = blurred(dem, 8, 3);
    let height = |s: f64, t: f64| {
        let (x, y) = frame.xy(s, t);
        smooth.at(x, y)
    };
    let steps = (half_length / STEP_M) as i64;
    let Some(middle) = height(start, 0.0) else { return Vec::new() };
    let follow = |direction: i64| {
        let (mut s, mut line) = (start, Vec::new());
        for k in 1..=steps {
            let t = (direction * k) as f64 * STEP_M;
            let wanted = middle + grade * t;
            // Newton's step on a smooth slope, held to gentle bends.
            let (Some(here), Some(below)) = (height(s, t), height(s + 4.0, t)) else { break };
            let fall = ((here - below) / 4.0).max(0.1);
            s += ((here - wanted) / fall).clamp(-2.5, 2.5);
            line.push((s, t));
        }
        line
    };
    let mut line: Vec<(f64, f64)> = follow(-1).into_iter().rev().collect();
    line.push((start, 0.0));
    line.extend(follow(1));
    let (s, t): (Vec<f64>, Vec<f64>) = line.into_iter().unzip();
    let s = running_mean(&running_mean(&s, 7), 7);
    let ground: Vec<f64> = s.iter().zip(&t).map(|(s, t)| height(*s, *t).unwrap_or(middle + grade * t)).collect();
    let heights = running_mean(&running_mean(&ground, 10), 10);
    let place = |k: usize| {
        let (x, y) = frame.xy(s[k], t[k]);
        Station { x, y, height: heights[k] }
    };
    (0..s.len()).map(place).collect()
}

/// The stream: meanders about its mean line, its bed a little below the lowest ground beside it.
pub fn trace_stream(dem: &Field<f64>, frame: &Frame, seed: u64, mean: f64, half_length: f64) -> Vec<Station> {
    let steps = (half_length / 4.0) as i64;
    let smooth = blurred(dem, 5, 3);
    let mut line: Vec<Station> = (-steps..=steps)
        .filter_map(|k| {
            let t = k as f64 * 4.0;
            let s = mean + 26.0 * gradient(seed, t / 190.0, 0.3) + 9.0 * gradient(seed + 1, t / 75.0, 0.7);
            let (x, y) = frame.xy(s, t);
            smooth.at(x, y).map(|height| Station { x, y, height })
        })
        .collect();
    // Water runs down all the way: towards growing t.
    let mut bed = f64::INFINITY;
    for station in &mut line {
        bed = bed.min(station.height - 1.7) - 0.02;
        station.height = bed;
    }
    line
}

/// Cuts and fills along a line: level within `half_width`, then up at `cut` and down at `fill` (rise over run) until the
/// ground is met. An infinite slope leaves the ground on that side.
pub fn grade_along(dem: &mut Field<f64>, line: &[Station], half_width: f64, cut: f64, fill: f64) {
    const REACH_M: f64 = 24.0;
    for (cell, ground) in dem.values.iter_mut().enumerate() {
        let (x, y) = position(&dem.lattice, cell);
        let Some((distance, height)) = nearest(line, x, y, REACH_M) else { continue };
        let beside = (distance - half_width).max(0.0);
        // The works fade into the slope rather than end at a wall.
        let fade = smoothstep(REACH_M, 0.6 * REACH_M, distance);
        let lowest = if fill.is_finite() { height - fill * beside } else { f64::NEG_INFINITY };
        let formed = ground.min(height + cut * beside).max(lowest);
        *ground += fade * (formed - *ground);
    }
}

/// Distance to a line and its height there, if the line is nearer than `reach`.
pub fn nearest(line: &[Station], x: f64, y: f64, reach: f64) -> Option<(f64, f64)> {
    let mut best = None;
    for pair in line.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if (a.x - x).abs() > reach + 8.0 || (a.y - y).abs() > reach + 8.0 {
            continue;
        }
        let (ux, uy) = (b.x - a.x, b.y - a.y);
        let w = (((x - a.x) * ux + (y - a.y) * uy) / (ux * ux + uy * uy)).clamp(0.0, 1.0);
        let distance = (x - a.x - w * ux).hypot(y - a.y - w * uy);
        if distance < reach && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, a.height + w * (b.height - a.height)));
        }
    }
    best
}

/// A house: middle, length along and depth across its ridge, direction of the ridge.
#[derive(Clone, Copy)]
pub struct House {
    pub x: f64,
    pub y: f64,
    pub length: f64,
    pub depth: f64,
    pub ridge_rad: f64,
}

impl House {
    pub fn corners(&self) -> Vec<(f64, f64)> {
        let (sin, cos) = self.ridge_rad.sin_cos();
        let corner = |u: f64, v: f64| {
            let (u, v) = (u * self.length, v * self.depth);
            (self.x + u * cos - v * sin, self.y + u * sin + v * cos)
        };
        vec![corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5), corner(-0.5, -0.5)]
    }
}

/// Levels the ground under a house and a strip around it.
pub fn level_under(dem: &mut Field<f64>, house: &House) {
    let Some(height) = blurred_at(dem, house.x, house.y) else { return };
    let (sin, cos) = house.ridge_rad.sin_cos();
    for (cell, ground) in dem.values.iter_mut().enumerate() {
        let (x, y) = position(&dem.lattice, cell);
        let (dx, dy) = (x - house.x, y - house.y);
        if dx.abs() < 25.0 && dy.abs() < 25.0 {
            let along = ((dx * cos + dy * sin).abs() - 0.5 * house.length - 1.5).max(0.0);
            let across = ((dy * cos - dx * sin).abs() - 0.5 * house.depth - 1.5).max(0.0);
            let beside = along.hypot(across);
            *ground = ground.clamp(height - 0.6 * beside, height + 0.8 * beside);
        }
    }
}

fn blurred_at(dem: &Field<f64>, x: f64, y: f64) -> Option<f64> {
    let around = [(0.0, 0.0), (6.0, 0.0), (-6.0, 0.0), (0.0, 6.0), (0.0, -6.0)];
    let heights: Vec<f64> = around.iter().filter_map(|(dx, dy)| dem.at(x + dx, y + dy)).collect();
    (!heights.is_empty()).then(|| heights.iter().sum::<f64>() / heights.len() as f64)
}

/// Mean over the neighbours within `reach` on either side.
fn running_mean(values: &[f64], reach: usize) -> Vec<f64> {
    let mean = |k: usize| {
        // A window that shrinks towards the ends keeps them in place.
        let reach = reach.min(k).min(values.len() - 1 - k);
        let window = &values[k - reach..=k + reach];
        window.iter().sum::<f64>() / window.len() as f64
    };
    (0..values.len()).map(mean).collect()
}

/// A box blur of `2 × reach + 1` cells, `passes` times; near the rim the box is smaller.
pub fn blurred(field: &Field<f64>, reach: usize, passes: usize) -> Field<f64> {
    let (nx, ny) = (field.lattice.nx, field.lattice.ny);
    let mut values = field.values.clone();
    for _ in 0..passes {
        for row in values.chunks_exact_mut(nx) {
            let smooth = running_mean(row, reach);
            row.copy_from_slice(&smooth);
        }
        for column in 0..nx {
            let line: Vec<f64> = (0..ny).map(|row| values[row * nx + column]).collect();
            for (row, value) in running_mean(&line, reach).into_iter().enumerate() {
                values[row * nx + column] = value;
            }
        }
    }
    Field { lattice: field.lattice, values }
}
