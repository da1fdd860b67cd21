//! Along what run-out is measured, and across what the spread.

use std::path::Path;

use geo::{Geometry, LineString};
use serde::Serialize;

use super::data::{Data, Rock};
use super::samples::Value;
use crate::geo::Crs;
use crate::geo::vector::{self, VectorSourceResolved};
use crate::{Error, Result};

/// How places become run-outs and offsets.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(crate) enum Direction {
    /// Run-out is the horizontal distance from start to end; the spread is across the mean direction of the observed rocks.
    Distance {
        /// Clockwise from grid north; `null` if no observed rock has a start and an end.
        azimuth_deg: Option<f64>,
    },
    /// Run-out along a direction, the spread across it.
    Azimuth {
        /// Clockwise from grid north.
        azimuth_deg: f64,
    },
    /// Run-out along a line, from the point of it nearest to the start to that nearest to the end; the spread is the change of the
    /// distance from it, positive to its right.
    Line {
        /// The file.
        file: String,
        /// Its vertices, in the CRS of the run.
        #[serde(skip)]
        vertices: Vec<[f64; 2]>,
    },
}

impl Direction {
    /// The mean direction of the observed rocks.
    pub(super) fn observed(data: &Data) -> Self {
        let way = |rock: &Rock| rock.start.zip(rock.end).map(|(a, b)| [b[0] - a[0], b[1] - a[1]]);
        let sum = data.rocks.iter().filter_map(way).reduce(|a, b| [a[0] + b[0], a[1] + b[1]]);
        let bearing = |[x, y]: [f64; 2]| (x.hypot(y) > 0.0).then(|| x.atan2(y).to_degrees().rem_euclid(360.0));
        Self::Distance { azimuth_deg: sum.and_then(bearing) }
    }

    /// # Errors
    /// The layer does not hold exactly one line.
    pub(super) fn line(path: &Path, crs: &Crs) -> Result<Self> {
        let layer = vector::read(&VectorSourceResolved::file(&path.to_string_lossy())?, Some(crs))?;
        let line = match &layer.features[..] {
            [feature] => match &feature.geometry {
                Geometry::LineString(line) => Some(line.clone()),
                Geometry::MultiLineString(parts) if parts.0.len() == 1 => parts.0.first().cloned(),
                _ => None,
            },
            _ => None,
        };
        let refuse = || {
            let found = format!("{} features", layer.features.len());
            Error::input(format!(
                "'{}': found {found}, expected one line of two or more points, along which run-out is measured; choose another layer",
                path.display()
            ))
        };
        let LineString(coords) = line.ok_or_else(refuse)?;
        let mut vertices: Vec<[f64; 2]> = coords.into_iter().map(|coord| [coord.x, coord.y]).collect();
        vertices.dedup();
        if vertices.len() < 2 {
            return Err(refuse());
        }
        Ok(Self::Line { file: path.display().to_string(), vertices })
    }

    /// Run-outs; rocks without what is needed are left out.
    pub(super) fn runouts(&self, data: &Data) -> Vec<Value> {
        let runout = |rock: &Rock| match self {
            Self::Distance { .. } => {
                let distance = |(a, b): ([f64; 2], [f64; 2])| (b[0] - a[0]).hypot(b[1] - a[1]);
                rock.runout_m.or_else(|| rock.start.zip(rock.end).map(distance))
            }
            _ => self.along_and_across(rock).map(|(along, _)| along),
        };
        data.rocks.iter().filter_map(|rock| Some(Value { at: runout(rock)?, cut: rock.cut })).collect()
    }

    /// Offsets of the ends; rocks that went on are left out, for nobody knows to which side.
    pub(super) fn offsets(&self, data: &Data) -> Vec<Value> {
        let ended = data.rocks.iter().filter(|rock| !rock.cut);
        ended.filter_map(|rock| self.along_and_across(rock)).map(|(_, across)| Value::whole(across)).collect()
    }

    fn along_and_across(&self, rock: &Rock) -> Option<(f64, f64)> {
        let (start, end) = rock.start.zip(rock.end)?;
        match self {
            Self::Distance { azimuth_deg: None } => None,
            Self::Distance { azimuth_deg: Some(azimuth) } | Self::Azimuth { azimuth_deg: azimuth } => {
                let (sin, cos) = azimuth.to_radians().sin_cos();
                let [x, y] = [end[0] - start[0], end[1] - start[1]];
                Some((x * sin + y * cos, x * cos - y * sin))
            }
            Self::Line { vertices, .. } => {
                let (from, to) = (on_line(vertices, start), on_line(vertices, end));
                Some((to.0 - from.0, to.1 - from.1))
            }
        }
    }

    /// In words.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Distance { azimuth_deg: None } => "Run-out is the horizontal distance from start to end.".into(),
            Self::Distance { azimuth_deg: Some(azimuth) } => format!(
                "Run-out is the horizontal distance from start to end; offsets are taken across {azimuth:.1}° (clockwise from grid \
                 north), the mean direction of the observed rocks, positive to the right."
            ),
            Self::Azimuth { azimuth_deg } => format!(
                "Run-out is measured along {azimuth_deg:.1}° (clockwise from grid north), offsets across it, positive to the right."
            ),
            Self::Line { file, .. } => {
                format!("Run-out is measured along the line in '{file}', offsets across it, positive to the right.")
            }
        }
    }
}

/// Chainage of the point of a line nearest to a place, and the place's distance from it, positive to the right.
fn on_line(vertices: &[[f64; 2]], [x, y]: [f64; 2]) -> (f64, f64) {
    let (mut best, mut passed) = ((f64::INFINITY, 0.0, 0.0), 0.0);
    let last = vertices.len().saturating_sub(2);
    for (k, pair) in vertices.windows(2).enumerate() {
        let [dx, dy] = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        let length = dx.hypot(dy);
        let [px, py] = [x - pair[0][0], y - pair[0][1]];
        let along = (px * dx + py * dy) / length;
        // The line goes on straight beyond its ends.
        let low = if k == 0 { f64::NEG_INFINITY } else { 0.0 };
        let high = if k == last { f64::INFINITY } else { length };
        let along = along.clamp(low, high);
        let away = (px - along * dx / length).hypot(py - along * dy / length);
        let right = if px * dy - py * dx >= 0.0 { away } else { -away };
        if away < best.0 {
            best = (away, passed + along, right);
        }
        passed += length;
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rock(start: [f64; 2], end: [f64; 2]) -> Data {
        let rock = Rock { start: Some(start), end: Some(end), ..Rock::default() };
        Data { rocks: vec![rock], ..Data::default() }
    }

    #[test]
    fn run_out_and_offset_along_a_direction_and_a_line() {
        let data = rock([10.0, 20.0], [40.0, -20.0]);
        let distance = Direction::observed(&data);
        assert_eq!(distance.runouts(&data)[0].at, 50.0);
        assert!(distance.offsets(&data)[0].at.abs() < 1e-9, "a single rock has no offset from its own direction");
        let south = Direction::Azimuth { azimuth_deg: 180.0 };
        assert!((south.runouts(&data)[0].at - 40.0).abs() < 1e-9);
        // Facing south, east is to the left.
        assert!((south.offsets(&data)[0].at + 30.0).abs() < 1e-9);
        let vertices = vec![[10.0, 30.0], [10.0, 0.0], [50.0, 0.0]];
        let line = Direction::Line { file: String::new(), vertices };
        // 10 m along at the start, 30 + 30 m along at the end, which lies 20 m to the right of a line that leads east.
        assert!((line.runouts(&data)[0].at - 50.0).abs() < 1e-9);
        assert!((line.offsets(&data)[0].at - 20.0).abs() < 1e-9);
        let beyond = rock([10.0, 40.0], [10.0, 20.0]);
        assert!((line.runouts(&beyond)[0].at - 20.0).abs() < 1e-9);
    }
}
