//! Tracks for the interactive page: place, time and energy of their vertices in 16 bits each.

use serde_json::{Value, json};

use super::pack::{code, pack16, pack32};
use super::{Frame, Shown};
use crate::Result;
use crate::store::track::Track;

/// Vertices of all tracks together; with more, every second track is shown, or every third …
const MOST_VERTICES: usize = 500_000;

/// `null` where the run keeps no tracks.
pub(crate) fn packed(shown: &Shown, frame: &Frame) -> Result<Value> {
    let log = &shown.variant.tracks;
    let (mut tracks, mut vertices, mut longest, mut low, mut high) =
        (0usize, 0usize, 0.0f64, f64::INFINITY, f64::NEG_INFINITY);
    log.read(Track::decode, |track| {
        (tracks, vertices) = (tracks + 1, vertices + track.vertices.len());
        longest = track.moments.last().map_or(longest, |last| longest.max(last[0]));
        track.vertices.iter().for_each(|at| (low, high) = (low.min(at[2]), high.max(at[2])));
        Ok(())
    })?;
    if vertices == 0 {
        return Ok(Value::Null);
    }
    let every = vertices.div_ceil(MOST_VERTICES);
    let ((west, south), (dx, dy)) = (frame.corner(), frame.size());
    let (across, up) = (frame.columns as f64 * dx, frame.rows as f64 * dy);
    let part = |value: f64, from: f64, size: f64| (65_535.0 * ((value - from) / size).clamp(0.0, 1.0)).round() as u16;
    let (tall, longest) = ((high - low).max(1.0), longest.max(1e-3));
    let mut columns: [Vec<u16>; 5] = Default::default();
    let (mut lengths, mut scenarios, mut masses, mut numbers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut index = 0;
    log.read(Track::decode, |track| {
        index += 1;
        if (index - 1) % every != 0 {
            return Ok(());
        }
        for (&[x, y, z], &[time_s, energy_kj]) in track.vertices.iter().zip(&track.moments) {
            let vertex = [
                part(x, west, across),
                part(y, south, up),
                part(z, low, tall),
                part(time_s, 0.0, longest),
                code(energy_kj),
            ];
            columns.iter_mut().zip(vertex).for_each(|(column, value)| column.push(value));
        }
        lengths.push(track.vertices.len() as u32);
        scenarios.push(track.record.scenario);
        masses.push(track.record.mass_kg.round() as u32);
        numbers.push(track.record.number as u32);
        Ok(())
    })?;
    let [x, y, z, time, energy] = &columns;
    Ok(json!({
        "of": shown.setup.identity.total, "count": lengths.len(), "low": low, "tall": tall, "longest_s": longest,
        "lengths": pack32(&lengths)?, "scenarios": pack32(&scenarios)?, "masses": pack32(&masses)?, "numbers": pack32(&numbers)?,
        "x": pack16(x)?, "y": pack16(y)?, "z": pack16(z)?, "time": pack16(time)?, "energy": pack16(energy)?,
    }))
}
