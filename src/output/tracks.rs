//! Trajectories on disk: 3D lines with attributes, deposits as points, and on request points along the way.
//!
//! Lines are thinned (Douglas & Peucker 1973, in space): no solver state is farther from the line than the tolerance;
//! with tolerance 0 every solver state is a vertex. They stream: a worker hands a finished track to the log, and the files
//! are written from the logs in order of number.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::geo::Crs;
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Shape, Value, VectorWriter};
use crate::hazard::codec;
use crate::hazard::traverse::Quantity;
use crate::output::record::{LogFile, TrajectoryRecord, stop_name};
use crate::trajectory::Sample;
use crate::{Error, Result};

/// The path of one rock, world coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    pub record: TrajectoryRecord,
    pub vertices: Vec<[f64; 3]>,
}

/// A point record along a trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackPoint {
    pub number: u64,
    pub time_s: f64,
    pub position: [f64; 3],
    /// Kinetic energy (kJ), velocity (m/s), jump height (m), rotation (rev/s).
    pub values: [f64; 4],
}

/// Follows one trajectory for its line and point records.
pub struct TrackRecorder {
    origin: (f64, f64),
    number: u64,
    /// Point records: the interval, and the next time one is due.
    interval_s: Option<f64>,
    due_s: f64,
    vertices: Vec<[f64; 3]>,
    points: Vec<TrackPoint>,
    last: Option<TrackPoint>,
}

impl TrackRecorder {
    /// `origin`: world coordinates of the local origin.
    pub fn new(number: u64, origin: (f64, f64), interval_s: Option<f64>) -> Self {
        Self { origin, number, interval_s, due_s: 0.0, vertices: Vec::new(), points: Vec::new(), last: None }
    }

    pub fn add(&mut self, sample: &Sample) {
        let position = world(sample, self.origin);
        self.vertices.push(position);
        let Some(interval) = self.interval_s else { return };
        let point = TrackPoint {
            number: self.number,
            time_s: sample.time_s,
            position,
            values: [
                sample.kinetic_energy_j / 1000.0,
                sample.velocity.norm(),
                sample.jump_height_m.max(0.0),
                sample.omega.norm() / std::f64::consts::TAU,
            ],
        };
        // Half a nanosecond forgives the rounding of many small steps.
        if sample.time_s >= self.due_s - 5e-10 {
            self.points.push(point);
            self.last = None;
            self.due_s =
                if interval > 0.0 { ((sample.time_s + 1e-9) / interval).floor() * interval + interval } else { 0.0 };
        } else {
            self.last = Some(point);
        }
    }

    /// Thinned vertices and point records; the last state is always among the points.
    pub fn finish(mut self, tolerance_m: f64) -> (Vec<[f64; 3]>, Vec<TrackPoint>) {
        self.points.extend(self.last);
        (thinned(self.vertices, tolerance_m), self.points)
    }
}

/// A sample's position in world coordinates.
pub fn world(sample: &Sample, origin: (f64, f64)) -> [f64; 3] {
    [sample.position.x + origin.0, sample.position.y + origin.1, sample.position.z]
}

/// Douglas–Peucker in space, within blocks of [`BLOCK`] vertices so that long tracks cost little.
fn thinned(vertices: Vec<[f64; 3]>, tolerance_m: f64) -> Vec<[f64; 3]> {
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

/// Squared distance of a point from a segment.
fn squared_distance(p: &[f64; 3], a: &[f64; 3], b: &[f64; 3]) -> f64 {
    let ab: [f64; 3] = std::array::from_fn(|i| b[i] - a[i]);
    let ap: [f64; 3] = std::array::from_fn(|i| p[i] - a[i]);
    let length: f64 = ab.iter().map(|x| x * x).sum();
    let along: f64 = ab.iter().zip(&ap).map(|(x, y)| x * y).sum();
    let t = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
    (0..3).map(|i| (ap[i] - t * ab[i]).powi(2)).sum()
}

impl Track {
    pub fn encode(record: &TrajectoryRecord, vertices: &[[f64; 3]], out: &mut Vec<u8>) {
        record.encode(out);
        out.extend((vertices.len() as u64).to_le_bytes());
        vertices.iter().flatten().for_each(|value| out.extend(value.to_le_bytes()));
    }

    pub fn decode(mut input: &mut dyn Read) -> Result<Self> {
        let record = TrajectoryRecord::decode(&mut input)?;
        let count = codec::take_u64(&mut input)?;
        let mut vertices = Vec::new();
        for _ in 0..count {
            let mut vertex = [0.0; 3];
            for value in &mut vertex {
                *value = f64::from_bits(codec::take_u64(&mut input)?);
            }
            vertices.push(vertex);
        }
        Ok(Self { record, vertices })
    }
}

impl TrackPoint {
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.number.to_le_bytes());
        let reals = [self.time_s].into_iter().chain(self.position).chain(self.values);
        reals.for_each(|value| out.extend(value.to_le_bytes()));
    }

    pub fn decode(mut input: &mut dyn Read) -> Result<Self> {
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
pub fn formats(names: &[String]) -> Result<Vec<Format>> {
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

const RECORD_FIELDS: [(&str, FieldType); 15] = [
    ("id", FieldType::Integer),
    ("release", FieldType::Text),
    ("feature", FieldType::Integer),
    ("shape", FieldType::Text),
    ("mass_kg", FieldType::Real),
    ("e_max_kj", FieldType::Real),
    ("v_max_ms", FieldType::Real),
    ("jump_max_m", FieldType::Real),
    ("rot_max", FieldType::Real),
    ("runout_m", FieldType::Real),
    ("path_m", FieldType::Real),
    ("eline_deg", FieldType::Real),
    ("time_s", FieldType::Real),
    ("stop", FieldType::Text),
    ("scenario", FieldType::Text),
];

/// Names behind the numbers of records.
pub struct Names {
    pub layers: Vec<String>,
    pub scenarios: Vec<Option<String>>,
}

fn values(record: &TrajectoryRecord, names: &Names) -> Vec<Value> {
    let layer = names.layers.get(record.layer as usize).cloned().unwrap_or_default();
    let scenario = names.scenarios.get(record.scenario as usize).cloned().flatten();
    let max = |q: Quantity| Value::Real(f64::from(record.max[q.index()]));
    vec![
        Value::Integer(record.number as i64),
        Value::Text(layer),
        Value::Integer(record.feature),
        Value::Text(record.shape.clone()),
        Value::Real(record.mass_kg),
        max(Quantity::KineticEnergy),
        max(Quantity::Velocity),
        max(Quantity::JumpHeight),
        max(Quantity::Rotation),
        Value::Real(record.runout_m()),
        Value::Real(record.path_m),
        Value::Real(record.energy_line_deg()),
        Value::Real(record.time_s),
        Value::Text(stop_name(record.stop).into()),
        scenario.map_or(Value::Null, Value::Text),
    ]
}

/// A vector file on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorFile {
    pub path: PathBuf,
    pub features: u64,
    /// What the reader must know: features left out for the format's size limit.
    pub warnings: Vec<String>,
}

fn finish(writer: VectorWriter, path: PathBuf) -> Result<VectorFile> {
    let written = writer.finish()?;
    Ok(VectorFile { path, features: written.features, warnings: written.warnings })
}

/// Writes the trajectories as lines. A rock that ended where it began becomes a line of two equal vertices.
pub fn write_lines(log: &LogFile, folder: &Path, format: Format, crs: &Crs, names: &Names) -> Result<VectorFile> {
    let path = folder.join(format!("trajectories.{}", format.extension()));
    let kind = GeometryKind::LineString3D;
    let mut writer = VectorWriter::create(&path, format, "trajectories", crs, kind, &RECORD_FIELDS)?;
    log.read(Track::decode, |mut track| {
        if let [only] = track.vertices[..] {
            track.vertices.push(only);
        }
        if !track.vertices.is_empty() {
            writer.write(&track.vertices[..], &values(&track.record, names))?;
        }
        Ok(())
    })?;
    finish(writer, path)
}

/// Writes where rocks came to rest (or were held by a barrier), every one of them.
pub fn write_deposits(log: &LogFile, folder: &Path, format: Format, crs: &Crs, names: &Names) -> Result<VectorFile> {
    let path = folder.join(format!("deposits.{}", format.extension()));
    let mut writer = VectorWriter::create(&path, format, "deposits", crs, GeometryKind::Point3D, &RECORD_FIELDS)?;
    log.read(
        |mut input| TrajectoryRecord::decode(&mut input),
        |record| {
            if record.is_deposit() {
                writer.write(Shape::Point3D(record.end), &values(&record, names))?;
            }
            Ok(())
        },
    )?;
    finish(writer, path)
}

/// Writes the point records.
pub fn write_points(log: &LogFile, folder: &Path, format: Format, crs: &Crs) -> Result<VectorFile> {
    let path = folder.join(format!("trajectory_points.{}", format.extension()));
    let fields = [
        ("id", FieldType::Integer),
        ("time_s", FieldType::Real),
        ("energy_kj", FieldType::Real),
        ("velo_ms", FieldType::Real),
        ("jump_m", FieldType::Real),
        ("rot_rps", FieldType::Real),
    ];
    let mut writer = VectorWriter::create(&path, format, "trajectory_points", crs, GeometryKind::Point3D, &fields)?;
    log.read(TrackPoint::decode, |point| {
        let reals = [point.time_s].into_iter().chain(point.values).map(Value::Real);
        let values: Vec<Value> = std::iter::once(Value::Integer(point.number as i64)).chain(reals).collect();
        writer.write(Shape::Point3D(point.position), &values)?;
        Ok(())
    })?;
    finish(writer, path)
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

    #[test]
    fn point_records_come_at_the_interval_and_include_both_ends() {
        use nalgebra::{UnitQuaternion, Vector3};
        let sample = |i: usize| Sample {
            time_s: i as f64 * 0.002,
            position: Vector3::new(i as f64, 0.0, 0.0),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::zeros(),
            omega: Vector3::zeros(),
            kinetic_energy_j: 0.0,
            jump_height_m: 0.0,
        };
        let record = |interval: f64, steps: usize| {
            let mut recorder = TrackRecorder::new(3, (0.0, 0.0), Some(interval));
            (0..=steps).for_each(|i| recorder.add(&sample(i)));
            recorder.finish(0.0).1.iter().map(|p| (p.time_s * 1000.0).round() as i64).collect::<Vec<_>>()
        };
        assert_eq!(record(0.01, 17), [0, 10, 20, 30, 34]);
        assert_eq!(record(0.002, 5), [0, 2, 4, 6, 8, 10]);
        assert_eq!(record(0.0, 3), [0, 2, 4, 6]);
        assert_eq!(record(0.0021, 4), [0, 4, 6, 8]);
    }

    #[test]
    fn tracks_and_points_survive_encoding() {
        let record = crate::output::record::tests::record(5);
        let mut bytes = Vec::new();
        Track::encode(&record, &hops(3), &mut bytes);
        let point = TrackPoint { number: 5, time_s: 0.5, position: [1.0, 2.0, 3.0], values: [4.0, 5.0, 6.0, 7.0] };
        point.encode(&mut bytes);
        let mut input = &bytes[..];
        assert_eq!(Track::decode(&mut input).unwrap(), Track { record, vertices: hops(3) });
        assert_eq!(TrackPoint::decode(&mut input).unwrap(), point);
        assert!(input.is_empty());
    }
}
