//! Trajectories on disk: 3D lines with attributes, deposits as points, and on request points along the way. The files are
//! written from the logs in order of number.

use std::path::{Path, PathBuf};

use crate::geo::Crs;
use crate::geo::write_vector::{FieldType, Format, GeometryKind, Shape, Value, VectorWriter};
use crate::hazard::quantity::Quantity;
use crate::store::log::LogFile;
use crate::store::record::{TrajectoryRecord, stop_name};
use crate::store::track::{Track, TrackPoint};
use crate::{Note, Result};

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
pub(crate) struct Names {
    pub layers: Vec<String>,
    pub scenarios: Vec<Option<String>>,
}

fn values(record: &TrajectoryRecord, names: &Names) -> Vec<Value> {
    let layer = names.layers.get(record.layer as usize).cloned().unwrap_or_default();
    let scenario = names.scenarios.get(record.scenario as usize).cloned().flatten();
    let max = |q: Quantity| Value::Real(f64::from(record.max[q]));
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
pub(crate) struct VectorFile {
    pub path: PathBuf,
    pub features: u64,
    /// What the reader must know: features left out for the format's size limit.
    pub warnings: Vec<Note>,
}

fn finish(writer: VectorWriter, path: PathBuf) -> Result<VectorFile> {
    let written = writer.finish()?;
    Ok(VectorFile { path, features: written.features, warnings: written.warnings })
}

/// Writes the trajectories as lines. A rock that ended where it began becomes a line of two equal vertices.
pub(crate) fn write_lines(
    log: &LogFile,
    folder: &Path,
    format: Format,
    crs: &Crs,
    names: &Names,
) -> Result<VectorFile> {
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
pub(crate) fn write_deposits(
    log: &LogFile,
    folder: &Path,
    format: Format,
    crs: &Crs,
    names: &Names,
) -> Result<VectorFile> {
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
pub(crate) fn write_points(log: &LogFile, folder: &Path, format: Format, crs: &Crs) -> Result<VectorFile> {
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
