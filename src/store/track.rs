//! The path of a rock while it falls and in the log: a thinned line, and on request points along the way.
//!
//! Lines are thinned in space: no solver state is farther from the line than the tolerance; with tolerance 0 every solver
//! state is a vertex. While the rock falls, states that stay within a narrow sleeve are passed over, which takes a quarter
//! of the tolerance; Douglas & Peucker (1973) take the rest afterwards. They stream: a worker hands a finished track to
//! the log, and the files are written from the logs in their order.

use std::io::Read;

use nalgebra::Vector3;

use super::record::TrajectoryRecord;
use crate::geo::write_vector::Format;
use crate::hazard::codec;
use crate::trajectory::Sample;
use crate::{Error, Result};

/// The path of one rock, world coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// In numbers.
    pub record: TrajectoryRecord,
    /// World coordinates, m.
    pub vertices: Vec<[f64; 3]>,
    /// Of every vertex: time (s) and kinetic energy (kJ).
    pub moments: Vec<[f64; 2]>,
}

/// Place, time (s) and kinetic energy (kJ).
pub type Vertex = [f64; 5];

/// A point record along a trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackPoint {
    /// Of the trajectory.
    pub number: u64,
    /// Since its start.
    pub time_s: f64,
    /// World coordinates, m.
    pub position: [f64; 3],
    /// Kinetic energy (kJ), velocity (m/s), jump height (m), rotation (rev/s).
    pub values: [f64; 4],
}

/// Follows one trajectory for its line and point records.
pub struct TrackRecorder {
    origin: (f64, f64),
    number: u64,
    tolerance_m: f64,
    /// Point records: the interval, the next time one is due, and when the last was taken.
    interval_s: Option<f64>,
    due_s: f64,
    taken_s: f64,
    sleeve: Sleeve,
    /// Of the last state in the sleeve.
    last: [f64; 2],
    vertices: Vec<Vertex>,
    points: Vec<TrackPoint>,
}

/// A narrow straight sleeve from the last vertex: the states inside it need no vertex of their own.
///
/// With h its half width: `last` and every state since the vertex are at most h from the line along `direction`, and
/// none is more than h beyond `last`. So each is within 3 h of the straight line from the vertex to `last`: h to the
/// axis, h from the axis to that line, and h beyond its end.
struct Sleeve {
    vertex: Vector3<f64>,
    last: Vector3<f64>,
    /// Unit; zero until a state is more than h away from the vertex.
    direction: Vector3<f64>,
    /// Farthest state along the direction, m.
    reached: f64,
    half_width: f64,
}

/// Share of the tolerance that the sleeve takes.
const SLEEVE: f64 = 0.25;

impl Sleeve {
    fn begin(&mut self, position: Vector3<f64>) {
        (self.vertex, self.last, self.direction, self.reached) = (position, position, Vector3::zeros(), 0.0);
    }

    /// The next state. If it does not fit, the one before must become a vertex, and the sleeve begins there.
    #[inline]
    fn add(&mut self, position: Vector3<f64>) -> Option<Vector3<f64>> {
        let away = position - self.vertex;
        let along = away.dot(&self.direction);
        let off = away.norm_squared() - along * along;
        if off <= self.half_width * self.half_width && along >= self.reached - self.half_width {
            self.last = position;
            self.reached = if along > self.reached { along } else { self.reached };
            return None;
        }
        self.turn(position, away)
    }

    #[cold]
    fn turn(&mut self, position: Vector3<f64>, away: Vector3<f64>) -> Option<Vector3<f64>> {
        if self.reached == 0.0 {
            // The first state away from the vertex gives the direction; those before are within h of the vertex.
            self.reached = away.norm();
            self.direction = away / self.reached;
            self.last = position;
            return None;
        }
        let vertex = self.last;
        self.begin(vertex);
        let none = self.add(position);
        debug_assert!(none.is_none());
        Some(vertex)
    }
}

impl TrackRecorder {
    /// `origin`: world coordinates of the local origin.
    pub fn new(number: u64, origin: (f64, f64), tolerance_m: f64, interval_s: Option<f64>) -> Self {
        let zero = Vector3::zeros();
        let half_width = SLEEVE * tolerance_m / 3.0;
        let sleeve = Sleeve { vertex: zero, last: zero, direction: zero, reached: 0.0, half_width };
        let (due_s, taken_s) = (0.0, f64::INFINITY);
        let (vertices, points) = (Vec::new(), Vec::new());
        Self { origin, number, tolerance_m, interval_s, due_s, taken_s, sleeve, last: [0.0; 2], vertices, points }
    }

    /// The first sample.
    pub fn start(&mut self, sample: &Sample) {
        self.last = moment(sample);
        self.vertices.push(vertex(world(&sample.position, self.origin), self.last));
        self.sleeve.begin(sample.position);
        self.taken_s = f64::NEG_INFINITY;
        self.point(sample, |start| *start);
    }

    /// The next sample; `whole` gives one with its jump height.
    #[inline]
    pub fn step(&mut self, sample: &Sample, whole: impl FnOnce(&Sample) -> Sample) {
        if self.tolerance_m > 0.0 {
            if let Some(before) = self.sleeve.add(sample.position) {
                self.vertices.push(vertex(world(&before, self.origin), self.last));
            }
        } else {
            self.vertices.push(vertex(world(&sample.position, self.origin), moment(sample)));
        }
        self.last = moment(sample);
        self.point(sample, whole);
    }

    #[inline]
    fn point(&mut self, sample: &Sample, whole: impl FnOnce(&Sample) -> Sample) {
        let Some(interval) = self.interval_s else { return };
        // Half a nanosecond forgives the rounding of many small steps.
        if sample.time_s >= self.due_s - 5e-10 {
            self.take(&whole(sample));
            self.due_s =
                if interval > 0.0 { ((sample.time_s + 1e-9) / interval).floor() * interval + interval } else { 0.0 };
        }
    }

    fn take(&mut self, sample: &Sample) {
        self.taken_s = sample.time_s;
        self.points.push(TrackPoint {
            number: self.number,
            time_s: sample.time_s,
            position: world(&sample.position, self.origin),
            values: [
                sample.kinetic_energy_j / 1000.0,
                sample.velocity.norm(),
                sample.jump_height_m.max(0.0),
                sample.omega.norm() / std::f64::consts::TAU,
            ],
        });
    }

    /// Thinned vertices and point records; the last state, `end`, is always among both.
    pub fn finish(mut self, end: &Sample) -> (Vec<Vertex>, Vec<TrackPoint>) {
        if self.interval_s.is_some() && end.time_s > self.taken_s {
            self.take(end);
        }
        if self.tolerance_m > 0.0 && self.sleeve.last != self.sleeve.vertex {
            self.vertices.push(vertex(world(&self.sleeve.last, self.origin), self.last));
        }
        (thinned(self.vertices, (1.0 - SLEEVE) * self.tolerance_m), self.points)
    }
}

fn moment(sample: &Sample) -> [f64; 2] {
    [sample.time_s, sample.kinetic_energy_j / 1000.0]
}

fn vertex([x, y, z]: [f64; 3], [time_s, energy_kj]: [f64; 2]) -> Vertex {
    [x, y, z, time_s, energy_kj]
}

/// A local position in world coordinates.
pub(crate) fn world(position: &Vector3<f64>, origin: (f64, f64)) -> [f64; 3] {
    [position.x + origin.0, position.y + origin.1, position.z]
}

/// Douglas–Peucker in space, within blocks of [`BLOCK`] vertices so that long tracks cost little.
fn thinned<const N: usize>(vertices: Vec<[f64; N]>, tolerance_m: f64) -> Vec<[f64; N]> {
    const BLOCK: usize = 1024;
    if tolerance_m <= 0.0 || vertices.len() < 3 {
        return vertices;
    }
    let last = vertices.len() - 1;
    let mut keep = vec![false; vertices.len()];
    keep[last] = true;
    let mut stack = Vec::new();
    for first in (0..last).step_by(BLOCK) {
        keep[first] = true;
        stack.push((first, (first + BLOCK).min(last)));
        while let Some((a, b)) = stack.pop() {
            let mut farthest = (a, tolerance_m * tolerance_m);
            for i in a + 1..b {
                let distance = squared_distance(&vertices[i], &vertices[a], &vertices[b]);
                if distance > farthest.1 {
                    farthest = (i, distance);
                }
            }
            if farthest.0 != a {
                keep[farthest.0] = true;
                stack.extend([(a, farthest.0), (farthest.0, b)]);
            }
        }
    }
    vertices.into_iter().zip(keep).filter_map(|(vertex, keep)| keep.then_some(vertex)).collect()
}

/// Squared distance of a point from a segment; the first three numbers are its place.
fn squared_distance(p: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let ab: [f64; 3] = std::array::from_fn(|i| b[i] - a[i]);
    let ap: [f64; 3] = std::array::from_fn(|i| p[i] - a[i]);
    let length: f64 = ab.iter().map(|x| x * x).sum();
    let along: f64 = ab.iter().zip(&ap).map(|(x, y)| x * y).sum();
    let t = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
    (0..3).map(|i| (ap[i] - t * ab[i]).powi(2)).sum()
}

impl Track {
    /// Appends the track.
    pub fn encode(record: &TrajectoryRecord, vertices: &[Vertex], out: &mut Vec<u8>) {
        record.encode(out);
        out.extend((vertices.len() as u64).to_le_bytes());
        vertices.iter().flatten().for_each(|value| out.extend(value.to_le_bytes()));
    }

    pub(crate) fn decode(mut input: &mut dyn Read) -> Result<Self> {
        let record = TrajectoryRecord::decode(&mut input)?;
        let count = codec::take_u64(&mut input)? as usize;
        let (mut vertices, mut moments) = (Vec::new(), Vec::new());
        // In pieces: a damaged count must not ask for all memory at once.
        let mut bytes = [[[0; 8]; 5]; 256];
        while vertices.len() < count {
            let piece = &mut bytes[..(count - vertices.len()).min(256)];
            codec::take(&mut input, piece.as_flattened_mut().as_flattened_mut())?;
            for [x, y, z, time_s, energy_kj] in piece.iter().map(|vertex| vertex.map(f64::from_le_bytes)) {
                vertices.push([x, y, z]);
                moments.push([time_s, energy_kj]);
            }
        }
        Ok(Self { record, vertices, moments })
    }
}

impl TrackPoint {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.number.to_le_bytes());
        let reals = [self.time_s].into_iter().chain(self.position).chain(self.values);
        reals.for_each(|value| out.extend(value.to_le_bytes()));
    }

    pub(crate) fn decode(mut input: &mut dyn Read) -> Result<Self> {
        let number = codec::take_u64(&mut input)?;
        let mut reals = [0.0; 8];
        for value in &mut reals {
            *value = f64::from_bits(codec::take_u64(&mut input)?);
        }
        let [time_s, x, y, z, values @ ..] = reals;
        Ok(Self { number, time_s, position: [x, y, z], values })
    }
}

/// The formats a project can name.
pub(crate) fn formats(names: &[String]) -> Result<Vec<Format>> {
    let format = |name: &String| match name.as_str() {
        "shapefile" => Ok(Format::Shapefile),
        "geopackage" => Ok(Format::GeoPackage),
        "flatgeobuf" => Ok(Format::FlatGeobuf),
        _ => Err(Error::input(format!(
            "outputs.trajectories: found {name:?}, expected shapefile, geopackage or flatgeobuf"
        ))),
    };
    names.iter().map(format).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hops(n: usize) -> Vec<[f64; 3]> {
        (0..n).map(|i| i as f64 * 0.01).map(|t| [10.0 * t, (3.0 * t).sin(), 5.0 * (2.0 * t).sin().abs()]).collect()
    }

    /// No state is farther from the thinned line than the tolerance, and most vertices are gone.
    #[test]
    fn thinning_keeps_the_tolerance() {
        let path = hops(5000);
        let line = thinned(path.clone(), 0.1);
        assert!(line.len() < path.len() / 10, "{}", line.len()); // 260 of 5000
        assert_eq!((line.first(), line.last()), (path.first(), path.last()));
        for vertex in &path {
            let nearest = line.windows(2).map(|w| squared_distance(vertex, &w[0], &w[1])).fold(f64::INFINITY, f64::min);
            assert!(nearest.sqrt() <= 0.1 + 1e-12);
        }
        assert_eq!(thinned(path.clone(), 0.0), path);
    }

    fn sample(i: usize, [x, y, z]: [f64; 3]) -> Sample {
        Sample {
            time_s: i as f64 * 0.002,
            position: Vector3::new(x, y, z),
            orientation: nalgebra::UnitQuaternion::identity(),
            velocity: Vector3::zeros(),
            omega: Vector3::zeros(),
            kinetic_energy_j: 0.0,
            jump_height_m: 0.0,
            airborne: false,
        }
    }

    /// Sleeve and thinning together keep the tolerance, for hops, a slow crawl, trembling on the spot and turning back.
    #[test]
    fn a_recorded_line_keeps_the_tolerance() {
        let paths = [
            hops(5000),
            (0..4000).map(|i| f64::from(i) * 1e-3).map(|t| [t.sin(), t.cos() * t, 0.3 * t]).collect(),
            (0..4000).map(f64::from).map(|i| [0.004 * (i * 1.3).sin(), 0.004 * i.cos(), 0.0]).collect(),
            (0..4000).map(|i| [f64::from((i % 700_i32 - 350).abs()) * 0.02, 0.0, f64::from(i) * 1e-5]).collect(),
        ];
        for path in paths {
            let mut recorder = TrackRecorder::new(0, (0.0, 0.0), 0.1, None);
            recorder.start(&sample(0, path[0]));
            path.iter().enumerate().skip(1).for_each(|(i, &at)| recorder.step(&sample(i, at), |sample| *sample));
            let seen = recorder.vertices.len();
            let (line, _) = recorder.finish(&sample(path.len() - 1, path[path.len() - 1]));
            // Every vertex has the time of the state it is.
            for [x, y, z, time_s, _] in &line {
                let state = path[(time_s / 0.002).round() as usize];
                assert_eq!(state, [*x, *y, *z], "at {time_s} s");
            }
            assert_eq!((&line[0][..3], &line[line.len() - 1][..3]), (&path[0][..], &path[path.len() - 1][..]));
            // Measured: at most 1050 of 5000 leave the sleeve, and 289 vertices stay.
            assert!(seen < path.len() / 3 && line.len() < path.len() / 12, "{seen} {}", line.len());
            for vertex in &path {
                let nearest =
                    line.windows(2).map(|w| squared_distance(vertex, &w[0], &w[1])).fold(f64::INFINITY, f64::min);
                assert!(nearest.sqrt() <= 0.1 + 1e-12, "{}", nearest.sqrt());
            }
        }
    }

    #[test]
    fn point_records_come_at_the_interval_and_include_both_ends() {
        let record = |interval: f64, steps: usize| {
            let mut recorder = TrackRecorder::new(3, (0.0, 0.0), 0.0, Some(interval));
            recorder.start(&sample(0, [0.0; 3]));
            (1..=steps).for_each(|i| recorder.step(&sample(i, [i as f64, 0.0, 0.0]), |sample| *sample));
            recorder
                .finish(&sample(steps, [steps as f64, 0.0, 0.0]))
                .1
                .iter()
                .map(|p| (p.time_s * 1000.0).round() as i64)
                .collect::<Vec<_>>()
        };
        assert_eq!(record(0.01, 17), [0, 10, 20, 30, 34]);
        assert_eq!(record(0.002, 5), [0, 2, 4, 6, 8, 10]);
        assert_eq!(record(0.0, 3), [0, 2, 4, 6]);
        assert_eq!(record(0.0021, 4), [0, 4, 6, 8]);
    }

    #[test]
    fn tracks_and_points_survive_encoding() {
        let record = crate::store::record::tests::record(5);
        let mut bytes = Vec::new();
        let vertices: Vec<Vertex> =
            hops(3).into_iter().zip(0..).map(|(at, i)| vertex(at, [f64::from(i), 7.0])).collect();
        Track::encode(&record, &vertices, &mut bytes);
        let point = TrackPoint { number: 5, time_s: 0.5, position: [1.0, 2.0, 3.0], values: [4.0, 5.0, 6.0, 7.0] };
        point.encode(&mut bytes);
        let mut input = &bytes[..];
        assert_eq!(Track::decode(&mut input).unwrap(), {
            let moments = vec![[0.0, 7.0], [1.0, 7.0], [2.0, 7.0]];
            Track { record, vertices: hops(3), moments }
        });
        assert_eq!(TrackPoint::decode(&mut input).unwrap(), point);
        assert!(input.is_empty());
    }
}
